// Launches of kernels as calls of a graph.
#pragma once

#include "graph/node.hpp"
#include "kernel/launch.hpp"

namespace netcl::graph {

NodeRef recorded_launch(const KernelRef& kernel, const WorkSize& size,
                        std::span<const LaunchArgument> arguments, const Work& work);

}  // namespace netcl::graph
