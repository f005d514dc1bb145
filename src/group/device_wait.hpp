// How the host waits for a device between two steps of the ranks.
#pragma once

#include <sched.h>

#include "core/wait.hpp"
#include "core/function_ref.hpp"
#include "device/device.hpp"

namespace netcl::group {

// Looks all the time until it is done, for as long as a piece or a gradient takes on a GPU, where a
// sleep would cost more; CPU devices need the processor. Who is not done then sleeps.
inline void look_busily(const Device& device, FunctionRef<bool()> done) {
  constexpr uint64_t kLooksNs = 2000000;
  const bool gpu = device.info().type == NETCL_DEVICE_GPU;
  for (const Deadline looks(gpu ? kLooksNs : 0); !looks.passed() && !done();) ::sched_yield();
}

}  // namespace netcl::group
