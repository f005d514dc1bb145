// Launching a user's kernel: work sizes by the rules of netcl.h, arguments checked against the
// parameters before a driver sees them, and everything enqueued as one step.
#pragma once

#include <cstdint>
#include <span>

#include "kernel/kernel.hpp"
#include "queue/queue.hpp"
#include "tensor/tensor.hpp"

namespace netcl {

struct WorkSize {
  uint32_t rank = 0;
  uint64_t global[3] = {1, 1, 1};
  uint64_t local[3] = {0, 0, 0};
  uint64_t offset[3] = {0, 0, 0};
};

// netcl's own choice: 64 items in one dimension, shaped to the preferred multiple in two and three;
// 64 x 4 on CPUs, where an item after the other reads along lines of memory; within the device's
// limits. `largest` bounds the items of a group.
void suggest_local_size(const Device& device, uint64_t largest, uint32_t rank,
                        const uint64_t* global, uint64_t* local);

// The work size of a launch; fails with INVALID_ARGUMENT naming both sizes when they do not fit.
WorkSize make_work_size(const Kernel& kernel, const uint64_t* global, uint32_t global_count,
                        const uint64_t* local, uint32_t local_count,
                        const netcl_launch_options& options);

// One argument with its handle resolved.
struct LaunchArgument {
  const netcl_arg* arg = nullptr;
  TensorRef tensor;
};

// Fails with INVALID_ARGUMENT, as a launch does, for arguments that do not fit the parameters, as
// far as these are known: a kernel that is not built yet has none.
void check_launch_arguments(const Kernel& kernel, std::span<const LaunchArgument> arguments);
// Of their number alone.
void check_argument_count(const Kernel& kernel, size_t count);
bool launch_arguments_fit(const Kernel& kernel, std::span<const LaunchArgument> arguments);

// Checks a launch, and hands its one command to `enqueue`.
using EnqueueLaunch = FunctionRef<void(std::span<const Access>, Queue::Submit)>;
void launch_kernel(Kernel& kernel, const WorkSize& size, std::span<const LaunchArgument> arguments,
                   EnqueueLaunch enqueue);
// The same on a queue. `work` is what recorders are told that the launch does.
void launch_kernel(Kernel& kernel, Queue& queue, const WorkSize& size,
                   std::span<const LaunchArgument> arguments, backend::WaitList waits,
                   backend::EventRef* event, const Work& work = {});

}  // namespace netcl
