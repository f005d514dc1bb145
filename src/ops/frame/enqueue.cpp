#include "ops/frame/enqueue.hpp"

#include <algorithm>

#include "core/small_array.hpp"
#include "kernel/op_kernels.hpp"
#include "ops/frame/replay.hpp"

namespace netcl::ops {

void enqueue_kernel(const KernelCall& call, const Arguments& arguments, const Run& run) {
  Device& device = run.device();
  const std::string flags =
      device.capabilities().fp64 != 0 ? call.flags + " -DNETCL_F64" : call.flags;
  const OpKernels::KernelPointer kernel =
      OpKernels::of(device).embedded(call.file, flags, call.kernel);
  backend::Launch launch;
  launch.kernel = kernel.get();
  launch.rank = call.rank;
  std::copy(call.global, call.global + 3, launch.global);
  std::copy(call.local, call.local + 3, launch.local);
  launch.arguments = arguments.list();
  if (Recording* recording = Recording::current()) recording->launched(kernel, launch, arguments);
  run.queue.enqueue({arguments.accesses(), run.waits, run.event, run.work},
                    [&](backend::Stream& stream, backend::WaitList waits,
                        backend::EventRef* event) { stream.launch(launch, waits, event); });
}

void enqueue_native(std::span<const Access> accesses, const Run& run,
                    backend::NativeFunction& function) {
  constexpr size_t kFew = 8;
  SmallArray<Access, kFew> present(accesses.size());
  SmallArray<backend::Buffer*, kFew> buffers(accesses.size());
  size_t count = 0;
  for (size_t i = 0; i < accesses.size(); ++i) {
    if (accesses[i].memory == nullptr) continue;
    present[count++] = accesses[i];
    buffers[i] = accesses[i].memory->buffer.get();
  }
  const std::span<backend::Buffer* const> all(buffers.data(), accesses.size());
  backend::FailureRef failure;
  if (!run.device().builtin()) failure = std::make_shared<std::atomic<int32_t>>(0);
  run.queue.enqueue({{present.data(), count}, run.waits, run.event, run.work, failure},
                    [&](backend::Stream& stream, backend::WaitList waits,
                        backend::EventRef* event) {
                      stream.run_native(function, all, waits, event, failure);
                    });
}

BufferRef temporary(uint64_t bytes, const Run& run) {
  const DeviceRef owner = run.device().shared_from_this();
  BufferRef buffer =
      Buffer::lease(PoolSet::of(run.device()).own(NETCL_POOL_PERSISTENT), owner, bytes, true);
  note_made(buffer);
  return buffer;
}

}  // namespace netcl::ops
