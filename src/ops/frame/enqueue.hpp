// Enqueues the work of an op: one of the library's kernels, or a function of the host.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <utility>

#include "core/function_ref.hpp"
#include "memory/pool.hpp"
#include "ops/frame/arguments.hpp"
#include "ops/frame/native.hpp"
#include "ops/frame/run.hpp"

namespace netcl::ops {

// One of the library's kernels: file and name, the build options, and its work size. A local size
// of 0 leaves it to the driver.
struct KernelCall {
  const char* file;    // "reduce.cl"; null where there is `assembled`
  const char* kernel;  // the name that traces show
  // One program for each text of flags. Of a file -DNETCL_F64 is added by itself; of `assembled`
  // they go with the name.
  std::string flags;
  uint32_t rank = 1;
  uint64_t global[3] = {1, 1, 1};
  uint64_t local[3] = {0, 1, 1};
  // Makes the program in the device's own assembler; the kernel's name says all of it.
  FunctionRef<std::string()>* assembled = nullptr;
};

// Items of a group that works on something together, where the device takes so many.
inline constexpr int64_t kGroupItems = 256;

// Launches a kernel after what its arguments' memory waits for.
void enqueue_kernel(const KernelCall& call, const Arguments& arguments, const Run& run);

using backend::NativeCall;

// Runs a function as a command; see runs_native. `function(const NativeCall&)` owns what it needs:
// it may run after the op has returned, so it captures no reference. `call.at<T>(i)` is the first
// byte of the memory of accesses[i] (not of a layout), null for a tensor without memory.
void enqueue_native(std::span<const Access> accesses, const Run& run,
                    backend::NativeFunction& function);
// The same for accesses without nulls; `buffers` are what the function gets.
void enqueue_function(std::span<const Access> accesses, std::span<backend::Buffer* const> buffers,
                      const Run& run, backend::NativeFunction& function);
template <class Function>
void enqueue_native(std::initializer_list<Access> accesses, const Run& run, Function function) {
  backend::NativeFunctionOf<Function> native(std::move(function));
  enqueue_native(std::span<const Access>(accesses.begin(), accesses.size()), run, native);
}

// Launches a kernel as it is.
void enqueue_launch(const backend::Launch& launch, const Arguments& arguments, const Run& run);

// Memory of the device's persistent pool, for a result or for the time of an op.
BufferRef new_memory(uint64_t bytes, const Run& run);
// The same with this content, which the op only reads.
BufferRef constant_memory(const void* data, uint64_t bytes, const Run& run);

}  // namespace netcl::ops
