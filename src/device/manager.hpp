// Discovery, selectors and the devices that are open in this process.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "device/device.hpp"

namespace netcl {

class DeviceManager {
 public:
  static DeviceManager& instance();

  // Every device, the built-in one last.
  const std::vector<netcl_device_info>& list();
  // Several lines on what was found and what was not.
  std::string diagnosis();

  DeviceRef open(const char* selector, bool separate);
  DeviceRef open_from_cl(struct _cl_context* context, struct _cl_device_id* device);

  // Devices that are open now; none when the deadline passes before the list can be read.
  std::vector<DeviceRef> open_devices(const Deadline& deadline = Deadline(UINT64_MAX));

 private:
  size_t select(const std::string& selector);
  size_t select_type(const char* selector, netcl_device_type type);
  [[noreturn]] void fail_no_device(const std::string& selector);
  DeviceRef open_index(size_t index);
  void remember(const DeviceRef& device);

  std::mutex mutex_;
  bool listed_ = false;
  std::vector<netcl_device_info> list_;
  std::vector<bool> integrated_;
  std::map<size_t, DeviceRef> shared_;  // by index; kept for the life of the process
  std::vector<std::weak_ptr<Device>> opened_;
};

}  // namespace netcl
