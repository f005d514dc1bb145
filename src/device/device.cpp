#include "device/device.hpp"

namespace netcl {

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
