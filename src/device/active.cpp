#include "device/active.hpp"

#include <atomic>

#include "core/process.hpp"

namespace netcl {

// Numbers are never used twice, unlike the system's thread ids, so a new thread can never find the
// stack that a thread before it left behind.
static uint64_t thread_number() {
  static std::atomic<uint64_t> next{1};
  thread_local uint64_t own = 0;
  if (own == 0) own = next.fetch_add(1);
  return own;
}

ActiveDevices& ActiveDevices::instance() {
  return process().services.get<ActiveDevices>(Slot::active_devices,
                                               [] { return std::make_unique<ActiveDevices>(); });
}

void ActiveDevices::push(DeviceRef device) {
  std::lock_guard<std::mutex> lock(mutex_);
  stacks_[thread_number()].push_back(std::move(device));
}

void ActiveDevices::pop() {
  DeviceRef popped;  // released after the lock
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = stacks_.find(thread_number());
  if (found == stacks_.end()) {
    fail(NETCL_ERROR_NOT_FOUND, "the calling thread has no active device");
  }
  popped = std::move(found->second.back());
  found->second.pop_back();
  if (found->second.empty()) stacks_.erase(found);
}

DeviceRef ActiveDevices::current() {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = stacks_.find(thread_number());
  if (found == stacks_.end()) {
    fail(NETCL_ERROR_NOT_FOUND, "the calling thread has no active device");
  }
  return found->second.back();
}

}  // namespace netcl
