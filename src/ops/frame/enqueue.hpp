// Enqueues the work of an op: one of the library's kernels on an OpenCL device, or a function on
// the built-in one.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>

#include "memory/pool.hpp"
#include "ops/frame/arguments.hpp"
#include "ops/frame/run.hpp"

namespace netcl::cpu {
class ThreadPool;
}

namespace netcl::ops {

// One of the library's kernels: file and name, the build options, and its work size. A local size
// of 0 leaves it to the driver.
struct KernelCall {
  const char* file;    // "reduce.cl"
  const char* kernel;  // the name that traces show
  std::string flags;   // one program for each text of flags; -DNETCL_F64 is added by itself
  uint32_t rank = 1;
  uint64_t global[3] = {1, 1, 1};
  uint64_t local[3] = {0, 1, 1};
};

// Launches a kernel after what its arguments' memory waits for.
void enqueue_kernel(const KernelCall& call, const Arguments& arguments, const Run& run);

// Runs a function as a command of the built-in device. A tensor without memory is left out.
void enqueue_native(std::initializer_list<Access> accesses, const Run& run,
                    const std::function<void(netcl::cpu::ThreadPool&)>& function);

// The first element of a tensor's memory on the built-in device (not of its layout).
template <class T>
T* host_memory(const Tensor& tensor) {
  return static_cast<T*>(tensor.buffer()->host_pointer());
}

// Memory of the device's persistent pool for the time of an op.
BufferRef temporary(uint64_t bytes, const Run& run);

}  // namespace netcl::ops
