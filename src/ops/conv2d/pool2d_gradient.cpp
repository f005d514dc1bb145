#include "ops/conv2d/pool2d_gradient.hpp"

#include <algorithm>

#include "backend/cpu/conv2d/pool2d_gradient_loops.hpp"
#include "ops/frame/enqueue.hpp"
#include "ops/frame/native.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"

namespace netcl::ops {

namespace {

using netcl::cpu::PoolSpreadTask;
using netcl::cpu::PoolTask;

// An item for each of `count` elements.
void launch_each(const char* kernel, netcl_dtype dtype, Arguments& arguments, int64_t count,
                 const netcl::cpu::PoolAxis& vertical, const netcl::cpu::PoolAxis& horizontal,
                 netcl::cpu::PoolPlaces places, const Run& run) {
  arguments.scalar(count);
  add_pool_axis(vertical, &arguments);
  add_pool_axis(horizontal, &arguments);
  KernelCall call{"pool2d_gradient.cl", kernel,
                  format("-DX=%s -DPLACES=%d", dtype_facts(dtype).name, static_cast<int>(places))};
  call.local[0] = std::min<uint64_t>(run.device().capabilities().max_work_group_size, 64);
  call.global[0] =
      (static_cast<uint64_t>(count) + call.local[0] - 1) / call.local[0] * call.local[0];
  enqueue_kernel(call, arguments, run);
}

}  // namespace

TensorRef max_pool2d_places(const Tensor& x, const Pool2dParameters& options, const TensorRef& into,
                            const Run& run) {
  PoolTask task;
  task.x = x.layout();
  task.vertical = pool_axis(task.x, 0, options);
  task.horizontal = pool_axis(task.x, 1, options);
  task.dtype = x.dtype();
  const int64_t shape[4] = {task.x.shape[0], task.x.shape[1], task.vertical.result,
                            task.horizontal.result};
  const TensorRef y = result_tensor(into, 4, shape, NETCL_I64, run);
  if (y->empty()) return y;
  const double taps = static_cast<double>(task.vertical.window * task.horizontal.window);
  const Run declared = with_work(run, [&] {
    return work_of("max_pool2d_places", x.dtype(), taps * static_cast<double>(y->element_count()),
                   {&x}, {y.get()});
  });
  enqueue_places(x, *y, task, declared);
  return y;
}

void enqueue_places(const Tensor& x, const Tensor& y, PoolTask task, const Run& run) {
  task.y = y.layout();
  if (!runs_native(run.device())) {
    Arguments arguments;
    arguments.memory(reading(x));
    arguments.layout(task.x);
    arguments.memory(writing(y));
    arguments.layout(task.y);
    launch_each("netcl_pool2d_places", task.dtype, arguments, y.element_count(), task.vertical,
                task.horizontal, task.places, run);
    return;
  }
  enqueue_native({writing(y), reading(x)}, run, [task](const NativeCall& call) {
    auto own = task;
    own.y_data = call.at<void>(0);
    own.x_data = call.at<void>(1);
    netcl::cpu::pool2d_places(own, call.threads);
  });
}

TensorRef max_pool2d_gradient(const Tensor& places, const Tensor& grad,
                              const std::array<int64_t, 2>& extent, const Pool2dParameters& options,
                              const TensorRef& into, const Run& run) {
  PoolSpreadTask task;
  task.places = places.layout();
  task.grad = grad.layout();
  const int64_t shape[4] = {task.grad.shape[0], task.grad.shape[1], extent[0], extent[1]};
  const TensorRef result = result_tensor(into, 4, shape, grad.dtype(), run);
  if (result->empty()) return result;
  task.result = result->layout();
  task.vertical = pool_axis(task.result, 0, options);
  task.horizontal = pool_axis(task.result, 1, options);
  task.dtype = grad.dtype();
  const Run declared = with_work(run, [&] {
    return work_of("max_pool2d_gradient", grad.dtype(), static_cast<double>(grad.element_count()),
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
    launch_each("netcl_pool2d_spread", task.dtype, arguments, result->element_count(),
                task.vertical, task.horizontal, netcl::cpu::PoolPlaces::in_plane, declared);
    return result;
  }
  enqueue_native({writing(*result), reading(places), reading(grad)}, declared,
                 [task](const NativeCall& call) {
                   auto own = task;
                   own.result_data = call.at<void>(0);
                   own.places_data = call.at<int64_t>(1);
                   own.grad_data = call.at<void>(2);
                   netcl::cpu::pool2d_spread(own, call.threads);
                 });
  return result;
}

}  // namespace netcl::ops
