#include "device/device.hpp"

namespace netcl {

std::string Device::text() const {
  const std::string place = info().index == UINT32_MAX ? "" : format("%u ", info().index);
  const std::string own = opening_ == 0 ? "" : format(", opening %u", opening_);
  return format("%s(%s%s)", place.c_str(), info().name, own.c_str());
}

std::string device_part(const netcl_device_info& info,
                        const netcl_device_capabilities& capabilities) {
  const uint64_t rounded = (capabilities.global_memory_bytes + (uint64_t{1} << 29)) >> 30;
  return format("%s|%s|%u|%lluGiB", info.vendor, info.name, capabilities.compute_units,
                static_cast<unsigned long long>(rounded));
}

std::string device_driver(const netcl_device_info& info) {
  return format("%s|%s", info.version, info.driver_version);
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
