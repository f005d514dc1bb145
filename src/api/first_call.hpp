// Kernels that tune themselves when they are first launched with a size.
#pragma once

#include <span>

#include "kernel/launch.hpp"

namespace netcl::api {

// Tunes a kernel for a launch when NETCL_TUNE allows it and nobody in this process has begun to; a
// thread that comes second goes on with the default. True when a result may have been stored. What
// goes wrong is logged: the launch goes on in any case.
bool tune_at_first_call(Kernel& kernel, std::span<const LaunchArgument> arguments, uint32_t rank,
                        const uint64_t* global, const netcl_launch_options& options, bool known);

}  // namespace netcl::api
