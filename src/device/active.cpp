#include "device/active.hpp"

#include <pthread.h>

#include "core/process.hpp"
#include "core/thread_number.hpp"

namespace netcl {

// Runs when a thread ends that has pushed a device. Its stack goes with it.
static void on_thread_end(void* number) {
  ProcessState* state = process_if_installed();
  if (state == nullptr) return;
  if (ActiveDevices* devices = state->services.find<ActiveDevices>(Slot::active_devices)) {
    devices->drop(reinterpret_cast<uintptr_t>(number));
  }
}

// A key of the system rather than a thread-local object: it needs no destructor of this library at
// the thread's end but this function, which stays mapped.
static void watch_thread_end(uint64_t number) {
  static const struct Key {
    pthread_key_t key = 0;
    bool made = false;
    Key() : made(pthread_key_create(&key, on_thread_end) == 0) {}
  } g_key;
  if (g_key.made) pthread_setspecific(g_key.key, reinterpret_cast<void*>(number));
}

ActiveDevices& ActiveDevices::instance() {
  return process().services.get<ActiveDevices>(Slot::active_devices,
                                               [] { return std::make_unique<ActiveDevices>(); });
}

void ActiveDevices::push(DeviceRef device) {
  const uint64_t number = thread_number();
  watch_thread_end(number);
  std::lock_guard<std::mutex> lock(mutex_);
  stacks_[number].push_back(std::move(device));
}

void ActiveDevices::drop(uint64_t number) noexcept {
  std::vector<DeviceRef> dropped;  // released after the lock
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = stacks_.find(number);
  if (found == stacks_.end()) return;
  dropped = std::move(found->second);
  stacks_.erase(found);
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
