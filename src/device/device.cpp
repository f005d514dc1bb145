#include "device/device.hpp"

#include <atomic>

#include "device/manager.hpp"

namespace netcl {

static std::atomic<uint64_t> g_devices{0};

Device::Device(std::unique_ptr<backend::Device> backend)
    : backend_(std::move(backend)), number_(g_devices.fetch_add(1) + 1) {}

std::string Device::text() const {
  const uint32_t index = builtin() ? DeviceManager::instance().builtin_index() : info().index;
  const std::string place = index == UINT32_MAX ? "" : format("%u ", index);
  const std::string own = opening_ == 0 ? "" : format(", opening %u", opening_);
  return format("%s(%s%s)", place.c_str(), info().name, own.c_str());
}

void Device::check_usable() const {
  if (backend_->lost()) {
    fail(NETCL_ERROR_DEVICE_LOST, "device %s was lost; release it and open it again", info().name);
  }
}

void Device::require_opencl(const char* what) const {
  if (builtin()) {
    fail(NETCL_ERROR_UNSUPPORTED, "%s needs an OpenCL device; this is the built-in CPU device",
         what);
  }
}

}  // namespace netcl
