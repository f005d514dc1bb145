#include "queue/copy_hold.hpp"

namespace netcl {

CopyHold::CopyHold(Queue& from, MemoryObject& source, Queue& to, MemoryObject& target) {
  // By the devices' numbers, so that no two copies wait for each other.
  if (from.device().number() < to.device().number()) {
    enter(&sides_[0], from, &source, nullptr);
    enter(&sides_[1], to, nullptr, &target);
  } else {
    enter(&sides_[1], to, nullptr, &target);
    enter(&sides_[0], from, &source, nullptr);
  }
  HostOrder::set_copying(true);
}

CopyHold::CopyHold(Queue& queue, MemoryObject* read, MemoryObject* written) {
  enter(&sides_[0], queue, read, written);
  HostOrder::set_copying(true);
}

void CopyHold::enter(Side* side, Queue& queue, MemoryObject* read, MemoryObject* written) {
  size_t count = 0;
  if (read != nullptr) side->accesses[count++] = {read, false};
  if (written != nullptr) side->accesses[count++] = {written, true};
  // One without memory would stand behind all of its queue.
  if (count == 0) return;
  side->set = &queue.set();
  side->place.queue = &queue;
  side->place.accesses = {side->accesses.data(), count};
  std::unique_lock<std::mutex> lock(queue.device().enqueue_mutex());
  side->set->host_order_.enter(lock, &side->place);
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
