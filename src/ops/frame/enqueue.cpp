#include "ops/frame/enqueue.hpp"

#include <algorithm>

#include "backend/cpu/thread_pool.hpp"
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

void enqueue_native(std::initializer_list<Access> accesses, const Run& run,
                    const std::function<void(netcl::cpu::ThreadPool&)>& function) {
  std::array<Access, NETCL_ARGS_MAX + 1> present;
  size_t count = 0;
  for (const Access& access : accesses) {
    if (access.memory != nullptr) present[count++] = access;
  }
  netcl::cpu::ThreadPool& threads = run.device().backend().threads();
  run.queue.enqueue(
      {{present.data(), count}, run.waits, run.event, run.work},
      [&](backend::Stream& stream, backend::WaitList waits, backend::EventRef* event) {
        stream.run_native([&] { function(threads); }, waits, event);
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
