// The stack of active devices that each thread has. It is kept in a table by thread rather than in
// thread-local objects, which would run destructors inside foreign threads and after dlclose.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "device/device.hpp"

namespace netcl {

class ActiveDevices {
 public:
  static ActiveDevices& instance();
  void push(DeviceRef device);
  // Both throw NOT_FOUND when the calling thread's stack is empty.
  void pop();
  DeviceRef current();
  // Empties the stack of a thread that ends.
  void drop(uint64_t number) noexcept;

 private:
  std::mutex mutex_;
  std::map<uint64_t, std::vector<DeviceRef>> stacks_;  // by number of the thread
};

}  // namespace netcl
