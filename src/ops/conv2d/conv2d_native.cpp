// Convolutions on the built-in device.
#include <algorithm>
#include <vector>

#include "backend/cpu/conv2d/conv2d_loops.hpp"
#include "backend/cpu/element.hpp"
#include "ops/conv2d/conv2d.hpp"
#include "ops/frame/enqueue.hpp"

namespace netcl::ops {

namespace {

netcl::cpu::Conv2dArray array_of(const Tensor& tensor) {
  netcl::cpu::Conv2dArray array;
  if (!tensor.empty()) array.data = tensor.host_data();
  std::copy(tensor.layout().strides.begin(), tensor.layout().strides.begin() + 4, array.strides);
  array.dtype = tensor.dtype();
  return array;
}

netcl::cpu::Conv2dTask task_of(const Conv2dProblem& problem) {
  netcl::cpu::Conv2dTask task;
  task.batch = problem.batch;
  task.groups = problem.groups;
  task.channels = problem.group_channels;
  task.filters = problem.group_filters;
  task.size[0] = problem.height;
  task.size[1] = problem.width;
  task.kernel[0] = problem.kernel_height;
  task.kernel[1] = problem.kernel_width;
  task.out[0] = problem.out_height;
  task.out[1] = problem.out_width;
  std::copy(problem.strides, problem.strides + 2, task.strides);
  std::copy(problem.dilations, problem.dilations + 2, task.dilations);
  std::copy(problem.padding, problem.padding + 2, task.padding);
  task.x = array_of(problem.x);
  task.w = array_of(problem.w);
  task.result = array_of(problem.result);
  if (problem.residual != nullptr) task.residual = array_of(*problem.residual);
  task.activation = problem.activation;
  task.alpha = problem.alpha;
  task.beta = problem.beta;
  task.variant = problem.config.variant;
  task.winograd_tile = problem.config.winograd_tile;
  return task;
}

// The numbers of a tensor [filters] side by side in the type that sums are kept in.
void gather(const Tensor& tensor, netcl_dtype compute, std::vector<double>* storage) {
  const Layout& layout = tensor.layout();
  netcl::cpu::with_float(tensor.dtype(), [&](auto element) {
    using Element = decltype(element);
    const auto* const from = static_cast<const typename Element::Storage*>(tensor.host_data());
    const auto fill = [&](auto* to) {
      for (int64_t i = 0; i < layout.shape[0]; ++i) {
        to[i] = static_cast<std::remove_pointer_t<decltype(to)>>(
            Element::load(from + i * layout.strides[0]));
      }
    };
    if (compute == NETCL_F64) {
      fill(storage->data());
    } else {
      fill(reinterpret_cast<float*>(storage->data()));
    }
  });
}

}  // namespace

void conv2d_natively(const Conv2dProblem& problem, const Run& run) {
  netcl::cpu::Conv2dTask task = task_of(problem);
  const size_t filters = static_cast<size_t>(problem.filters);
  std::vector<double> scale(problem.scale != nullptr ? filters : 0);
  std::vector<double> shift(problem.shift != nullptr ? filters : 0);
  if (problem.scale != nullptr) task.scale = scale.data();
  if (problem.shift != nullptr) task.shift = shift.data();
  const unsigned threads = run.device().backend().threads().thread_count();
  const std::unique_ptr<netcl::cpu::Conv2dWork> work = netcl::cpu::make_conv2d(task, threads);
  BufferRef memory;
  if (work->bytes() > 0) memory = temporary(work->bytes(), run);
  const auto memory_of = [](const TensorRef& tensor) {
    return tensor == nullptr ? nullptr : tensor->memory();
  };
  enqueue_native(
      {{problem.result.memory(), true},
       {problem.x.memory(), false},
       {problem.w.memory(), false},
       {memory_of(problem.scale), false},
       {memory_of(problem.shift), false},
       {memory_of(problem.residual), false},
       {memory == nullptr ? nullptr : memory->memory(), true}},
      run, [&](netcl::cpu::ThreadPool& pool) {
        if (problem.scale != nullptr) gather(*problem.scale, problem.compute_dtype, &scale);
        if (problem.shift != nullptr) gather(*problem.shift, problem.compute_dtype, &shift);
        work->run(memory == nullptr ? nullptr : static_cast<std::byte*>(memory->host_pointer()),
                  pool);
      });
}

}  // namespace netcl::ops
