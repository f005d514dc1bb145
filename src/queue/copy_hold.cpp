#include "queue/copy_hold.hpp"

#include <algorithm>

namespace netcl {

CopyHold::CopyHold(Queue& from, const Access& source, Queue& to, const Access& target) {
  // By the devices' numbers, so that no two copies wait for each other.
  if (from.device().number() < to.device().number()) {
    enter(&sides_[0], from, {source});
    enter(&sides_[1], to, {target});
  } else {
    enter(&sides_[1], to, {target});
    enter(&sides_[0], from, {source});
  }
  HostOrder::set_copying(true);
}

CopyHold::CopyHold(Queue& queue, const Access& read, const Access& written) {
  enter(&sides_[0], queue, {read, written});
  HostOrder::set_copying(true);
}

void CopyHold::enter(Side* side, Queue& queue, std::initializer_list<Access> accesses) {
  size_t count = 0;
  for (const Access& access : accesses) {
    if (access.memory != nullptr) side->accesses[count++] = access;
  }
  // One without memory would stand behind all of its queue.
  if (count == 0) return;
  side->set = &queue.set();
  side->place.queue = &queue;
  side->place.accesses = {side->accesses.data(), count};
  std::unique_lock<std::mutex> lock(queue.device().enqueue_mutex());
  side->set->host_order_.enter(lock, &side->place);
}

bool CopyHold::awaited() const {
  return std::any_of(sides_.begin(), sides_.end(), [](const Side& side) {
    return side.set != nullptr && side.set->awaited(side.place.accesses);
  });
}

CopyHold::~CopyHold() {
  HostOrder::set_copying(false);
  for (Side& side : sides_) {
    if (side.set == nullptr) continue;
    const std::lock_guard<std::mutex> lock(side.set->device().enqueue_mutex());
    side.set->host_order_.leave(&side.place);
  }
}

}  // namespace netcl
