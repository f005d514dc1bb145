#include "ops/conv2d/pool_gradient.hpp"

#include <algorithm>

#include "backend/cpu/conv2d/pool_gradient_loops.hpp"
#include "ops/frame/enqueue.hpp"
#include "ops/frame/native.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"

namespace netcl::ops {

namespace {

using netcl::cpu::PoolAxes;
using netcl::cpu::PoolSpreadTask;
using netcl::cpu::PoolTask;

// An item for each of `count` elements.
void launch_each(const char* kernel, netcl_dtype dtype, Arguments& arguments, int64_t count,
                 const netcl::cpu::PoolAxes& axes, netcl::cpu::PoolPlaces places, const Run& run) {
  arguments.scalar(count);
  add_pool_axes(axes, &arguments);
  KernelCall call{"pool_gradient.cl", kernel,
                  format("-DX=%s -DPLACES=%d", dtype_facts(dtype).name, static_cast<int>(places))};
  call.local[0] = std::min<uint64_t>(run.device().capabilities().max_work_group_size, 64);
  call.global[0] =
      (static_cast<uint64_t>(count) + call.local[0] - 1) / call.local[0] * call.local[0];
  enqueue_kernel(call, arguments, run);
}

}  // namespace

TensorRef max_pool_places(const Tensor& x, const PoolParameters& options, const TensorRef& into,
                          const Run& run) {
  PoolTask task;
  static_cast<PoolAxes&>(task) = pool_axes(x.layout(), options);
  task.x = as_volumes(x.layout());
  task.dtype = x.dtype();
  const Layout shape = pooled_shape(x.layout(), task);
  const TensorRef y = result_tensor(into, shape.rank, shape.shape.data(), NETCL_I64, run);
  if (y->empty()) return y;
  const double taps = static_cast<double>(task.window());
  const Run declared = with_work(run, [&] {
    return work_of("max_pool_places", x.dtype(), taps * static_cast<double>(y->element_count()),
                   {&x}, {y.get()});
  });
  enqueue_places(x, *y, task, declared);
  return y;
}

void enqueue_places(const Tensor& x, const Tensor& y, PoolTask task, const Run& run) {
  task.y = as_volumes(y.layout());
  if (!runs_native(run.device())) {
    Arguments arguments;
    arguments.memory(reading(x));
    arguments.layout(task.x);
    arguments.memory(writing(y));
    arguments.layout(task.y);
    launch_each("netcl_pool_places", task.dtype, arguments, y.element_count(), task, task.places,
                run);
    return;
  }
  enqueue_native({writing(y), reading(x)}, run, [task](const NativeCall& call) {
    auto own = task;
    own.y_data = call.at<void>(0);
    own.x_data = call.at<void>(1);
    netcl::cpu::pool_places(own, call.threads);
  });
}

TensorRef max_pool_gradient(const Tensor& places, const Tensor& grad,
                            const std::array<int64_t, 3>& extent, const PoolParameters& options,
                            const TensorRef& into, const Run& run) {
  PoolSpreadTask task;
  task.places = as_volumes(places.layout());
  task.grad = as_volumes(grad.layout());
  Layout shape = grad.layout();
  std::copy_n(extent.begin(), shape.rank - 2, shape.shape.begin() + 2);
  const TensorRef result = result_tensor(into, shape.rank, shape.shape.data(), grad.dtype(), run);
  if (result->empty()) return result;
  task.result = as_volumes(result->layout());
  static_cast<PoolAxes&>(task) = pool_axes(result->layout(), options);
  task.dtype = grad.dtype();
  const Run declared = with_work(run, [&] {
    return work_of("max_pool_gradient", grad.dtype(), static_cast<double>(grad.element_count()),
                   {&places, &grad}, {result.get()});
  });
  if (!runs_native(run.device())) {
    Arguments arguments;
    arguments.memory(reading(places));
    arguments.layout(task.places);
    arguments.memory(reading(grad));
    arguments.layout(task.grad);
    arguments.memory(writing(*result));
    arguments.layout(task.result);
    launch_each("netcl_pool_spread", task.dtype, arguments, result->element_count(), task,
                netcl::cpu::PoolPlaces::in_plane, declared);
    return result;
  }
  enqueue_native({writing(*result), reading(places), reading(grad)}, declared,
                 [task](const NativeCall& call) {
                   auto own = task;
                   own.result_data = call.at<void>(0);
                   own.places_data = call.at<int64_t>(1);
                   own.grad_data = call.at<void>(2);
                   netcl::cpu::pool_spread(own, call.threads);
                 });
  return result;
}

}  // namespace netcl::ops
