// Discovery and the devices that are open in this process.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/selector.hpp"

namespace netcl {

class DeviceManager {
 public:
  static DeviceManager& instance();

  // Every device, the built-in one last.
  const std::vector<netcl_device_info>& list();
  // The built-in device's place in the list; UINT32_MAX as long as drivers were not looked for.
  uint32_t builtin_index();
  // Several lines on what was found and what was not.
  std::string diagnosis();

  // "builtin" looks for nothing: no driver is loaded for a device that needs none.
  DeviceRef open(const char* selector, bool separate);
  DeviceRef open_from_cl(struct _cl_context* context, struct _cl_device_id* device);

  // Devices that are open now; none when the deadline passes before the list can be read.
  std::vector<DeviceRef> open_devices(const Deadline& deadline = Deadline(UINT64_MAX));

 private:
  // What was found of OpenCL, in lines.
  std::string found();
  Selectors selectors();
  size_t select(const std::string& selector);
  [[noreturn]] void fail_no_device(const std::string& selector);
  DeviceRef open_index(size_t index, bool separate);
  DeviceRef open_builtin(bool separate);
  DeviceRef made(std::unique_ptr<backend::Device> backend, uint32_t index, bool separate);
  void remember(const DeviceRef& device);

  std::mutex mutex_;
  std::atomic<uint32_t> builtin_index_{UINT32_MAX};
  bool listed_ = false;
  std::vector<netcl_device_info> list_;
  std::vector<bool> integrated_;
  std::map<size_t, DeviceRef> shared_;  // by index; kept for the life of the process
  DeviceRef builtin_;                   // likewise
  std::vector<std::weak_ptr<Device>> opened_;
  uint32_t openings_ = 0;  // separate ones so far
};

}  // namespace netcl
