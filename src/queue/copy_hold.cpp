#include "queue/copy_hold.hpp"

namespace netcl {

CopyHold::CopyHold(Queue& from, MemoryObject& source, Queue& to, MemoryObject& target)
    : source_{from.set(), {&source, false}, {}}, target_{to.set(), {&target, true}, {}} {
  source_.place.queue = &from;
  target_.place.queue = &to;
  // By the devices' numbers, so that no two copies wait for each other.
  const bool forward = from.device().number() < to.device().number();
  for (Side* side : {forward ? &source_ : &target_, forward ? &target_ : &source_}) {
    side->place.accesses = {&side->access, 1};
    std::unique_lock<std::mutex> lock(side->set.device().enqueue_mutex());
    side->set.host_order_.enter(lock, &side->place);
  }
  HostOrder::set_copying(true);
}

CopyHold::~CopyHold() {
  HostOrder::set_copying(false);
  for (Side* side : {&source_, &target_}) {
    const std::lock_guard<std::mutex> lock(side->set.device().enqueue_mutex());
    side->set.host_order_.leave(&side->place);
  }
}

}  // namespace netcl
