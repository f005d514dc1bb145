#include "ops/random/random.hpp"

#include <algorithm>

#include "backend/cpu/thread_pool.hpp"
#include "kernel/op_kernels.hpp"
#include "ops/frame/enqueue.hpp"
#include "ops/frame/native.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/move/move.hpp"

namespace netcl::ops {

namespace {

void random_natively(const RandomPlan& plan, const Tensor& target, const Run& run) {
  const int64_t count = target.element_count();
  const size_t size = target.element_size();
  const uint64_t offset = target.offset_bytes();
  enqueue_native({writing(target)}, run, [=](const NativeCall& call) {
    auto* const out = call.at<unsigned char>(0) + offset;
    call.threads.parallel_for(count, 1 << 16, [&](int64_t first, int64_t last) {
      random_fill(plan, first, last - first, out + static_cast<size_t>(first) * size);
    });
  });
}

void launch_random(const RandomPlan& plan, const Tensor& target, const Run& run) {
  Device& device = run.device();
  const OpKernels::KernelPointer kernel =
      OpKernels::of(device).embedded("random.cl", random_kernel_flags(plan), "netcl_random");
  const uint64_t count = static_cast<uint64_t>(target.element_count());
  Arguments arguments;
  arguments.memory(writing(target));
  arguments.scalar(static_cast<uint64_t>(target.layout().offset));
  arguments.scalar(count);
  arguments.scalar(plan.offset);
  arguments.scalar(plan.seed);
  arguments.scalar(plan.a);
  arguments.scalar(plan.b);
  arguments.scalar(plan.c);
  backend::Launch launch;
  launch.kernel = kernel.get();
  launch.arguments = arguments.list();
  const uint64_t local = std::min<uint64_t>(256, kernel->facts.max_local_size);
  const uint64_t items = (count + random_lanes(plan) - 1) / random_lanes(plan);
  const uint64_t groups = std::min<uint64_t>((items + local - 1) / local, 65536);
  launch.local[0] = local;
  launch.global[0] = groups * local;
  enqueue_launch(launch, arguments, run);
}

}  // namespace

void random(const RandomPlan& plan, const Tensor& target, const Run& run) {
  if (target.empty()) return;
  if (!target.layout().is_c_contiguous()) {
    const TensorRef packed =
        new_tensor(target.dtype(), target.layout().rank, target.layout().shape.data(), run);
    random(plan, *packed, run.without_event());
    copy_into(*packed, target, run);
    return;
  }
  if (plan.dtype == NETCL_F64 && run.device().capabilities().fp64 == 0) {
    fail(NETCL_ERROR_UNSUPPORTED, "dtype is f64; device %s cannot compute in f64",
         run.device().info().name);
  }
  const Run declared =
      with_work(run, [&] { return work_of("random", target.dtype(), 0.0, {}, {&target}); });
  if (runs_native(run.device())) {
    random_natively(plan, target, declared);
  } else {
    launch_random(plan, target, declared);
  }
}

}  // namespace netcl::ops
