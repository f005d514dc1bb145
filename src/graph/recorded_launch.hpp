// A launch of a caller's kernel as a recorded call. Nothing is known of its derivative.
#pragma once

#include "graph/node.hpp"
#include "kernel/kernel.hpp"
#include "kernel/launch.hpp"

namespace netcl::graph {

NodeRef recorded_launch(const Kernel& kernel, std::span<const LaunchArgument> arguments);

}  // namespace netcl::graph
