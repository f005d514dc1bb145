#include "ops/frame/enqueue.hpp"

#include <algorithm>

#include "core/small_array.hpp"
#include "kernel/op_kernels.hpp"
#include "tensor/transfer.hpp"

namespace netcl::ops {

void enqueue_kernel(const KernelCall& call, const Arguments& arguments, const Run& run) {
  if (!run.wants_commands()) return;
  Device& device = run.device();
  const std::string flags =
      device.capabilities().fp64 != 0 ? call.flags + " -DNETCL_F64" : call.flags;
  OpKernels& kernels = OpKernels::of(device);
  const OpKernels::KernelPointer kernel =
      call.assembled != nullptr ? kernels.assembled(call.kernel, call.flags, *call.assembled)
                                : kernels.embedded(call.file, flags, call.kernel);
  backend::Launch launch;
  launch.kernel = kernel.get();
  launch.rank = call.rank;
  std::copy(call.global, call.global + 3, launch.global);
  std::copy(call.local, call.local + 3, launch.local);
  launch.arguments = arguments.list();
  enqueue_launch(launch, arguments, run);
}

void enqueue_launch(const backend::Launch& launch, const Arguments& arguments, const Run& run) {
  run.enqueue(arguments.accesses(),
              [&](backend::Stream& stream, backend::WaitList waits, backend::EventRef* event) {
                stream.launch(launch, waits, event);
              });
}

void enqueue_native(std::span<const Access> accesses, const Run& run,
                    backend::NativeFunction& function) {
  if (!run.wants_commands()) return;
  constexpr size_t kFew = 8;
  SmallArray<Access, kFew> present(accesses.size());
  SmallArray<backend::Buffer*, kFew> buffers(accesses.size());
  size_t count = 0;
  for (size_t i = 0; i < accesses.size(); ++i) {
    if (accesses[i].memory == nullptr) continue;
    present[count++] = accesses[i];
    buffers[i] = accesses[i].memory->buffer.get();
  }
  enqueue_function({present.data(), count}, {buffers.data(), accesses.size()}, run, function);
}

void enqueue_function(std::span<const Access> accesses, std::span<backend::Buffer* const> buffers,
                      const Run& run, backend::NativeFunction& function) {
  backend::FailureRef failure;
  if (!run.device().builtin()) failure = std::make_shared<backend::Failure>(true);
  run.enqueue(
      accesses,
      [&](backend::Stream& stream, backend::WaitList waits, backend::EventRef* event) {
        stream.run_native(function, buffers, waits, event, failure);
      },
      failure);
}

static BufferRef lease(uint64_t bytes, const Run& run) {
  return Buffer::lease(PoolSet::of(run.device()).own(NETCL_POOL_PERSISTENT),
                       run.device().shared_from_this(), bytes, true);
}

BufferRef new_memory(uint64_t bytes, const Run& run) {
  if (run.sink != nullptr) return run.sink->allocate(bytes, run);
  return lease(bytes, run);
}

BufferRef constant_memory(const void* data, uint64_t bytes, const Run& run) {
  if (run.sink != nullptr) return run.sink->constant(data, bytes, run);
  BufferRef buffer = lease(bytes, run);
  write_bytes({buffer.get(), 0, bytes}, data, {&run.queue, run.waits});
  return buffer;
}

}  // namespace netcl::ops
