// An open device: a backend's device, the lock under which commands are enqueued, and the services
// of the layers above (queues, pools, kernels).
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "backend/backend.hpp"
#include "core/service_table.hpp"
#include "device/part.hpp"

namespace netcl {

class Device : public std::enable_shared_from_this<Device> {
 public:
  explicit Device(std::unique_ptr<backend::Device> backend);

  backend::Device& backend() const noexcept { return *backend_; }
  const netcl_device_info& info() const noexcept { return backend_->info(); }
  const netcl_device_capabilities& capabilities() const noexcept {
    return backend_->capabilities();
  }
  bool builtin() const noexcept { return backend_->builtin(); }

  std::string part() const { return device_part(info(), capabilities()); }
  std::string driver() const { return device_driver(info()); }

  // A number that no other device of the process has or had.
  uint64_t number() const noexcept { return number_; }
  // What tells it from other devices in a message, also from those of the same name: its place in
  // the list, where that is known, and, when it was opened separately, the number of that opening.
  std::string text() const;
  void set_opening(uint32_t number) noexcept { opening_ = number; }

  // Held while a command is enqueued and the record of memory uses changes with it.
  std::mutex& enqueue_mutex() const noexcept { return enqueue_mutex_; }
  // What a device remembers is no part of what it is.
  ServiceTable& services() const noexcept { return services_; }

  // Fails with DEVICE_LOST once the driver has said so.
  void check_usable() const;
  // Fails with UNSUPPORTED, naming what was asked for, on the built-in device.
  void require_opencl(const char* what) const;

 private:
  std::unique_ptr<backend::Device> backend_;
  const uint64_t number_;
  uint32_t opening_ = 0;  // 0: the one that every plain open gives
  mutable std::mutex enqueue_mutex_;
  mutable ServiceTable services_;  // last, so that the services go before the backend
};
using DeviceRef = std::shared_ptr<Device>;

}  // namespace netcl
