// What happens when the process ends: queued work of OpenCL devices is waited for, for a bounded
// time, and nothing else is called.
#pragma once

#include <cstdint>

namespace netcl::api {

// Registers the hook; called whenever an OpenCL device is opened.
void arm_exit_hook();
void set_exit_timeout(uint64_t timeout_ns);

}  // namespace netcl::api
