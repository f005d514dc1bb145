// Convolutions by the built-in loops.
#include <algorithm>
#include <vector>

#include "backend/cpu/element.hpp"
#include "ops/conv2d/conv2d.hpp"
#include "ops/frame/enqueue.hpp"

namespace netcl::ops {

namespace {

// Stands for memory that the command gets.
std::byte somewhere;

netcl::cpu::Conv2dArray array_of(const Tensor& tensor) {
  netcl::cpu::Conv2dArray array;
  if (!tensor.empty()) array.data = &somewhere;
  std::copy(tensor.layout().strides.begin(), tensor.layout().strides.begin() + 4, array.strides);
  array.dtype = tensor.dtype();
  return array;
}

netcl::cpu::Conv2dTask task_of(const Conv2dProblem& problem) {
  netcl::cpu::Conv2dTask task;
  static_cast<netcl::cpu::Conv2dShape&>(task) = problem;
  task.x = array_of(problem.x);
  task.w = array_of(problem.w);
  task.result = array_of(problem.result);
  if (problem.residual != nullptr) task.residual = array_of(*problem.residual);
  if (problem.scale != nullptr) task.scale = &somewhere;
  if (problem.shift != nullptr) task.shift = &somewhere;
  task.activation = problem.activation;
  task.alpha = problem.alpha;
  task.beta = problem.beta;
  task.variant = problem.config.variant;
  task.winograd_tile = problem.config.winograd_tile;
  return task;
}

// A tensor [filters] as the command has it.
struct PerFilter {
  netcl_dtype dtype = NETCL_F32;
  int64_t count = 0;
  int64_t offset = 0;
  int64_t stride = 0;

  explicit PerFilter(const TensorRef& tensor) {
    if (tensor == nullptr) return;
    dtype = tensor->dtype();
    count = tensor->layout().shape[0];
    offset = tensor->layout().offset;
    stride = tensor->layout().strides[0];
  }
  // Its numbers side by side in the type that sums are kept in; null when there is none.
  const void* gather(const void* memory, netcl_dtype compute, std::vector<double>* storage) const {
    if (memory == nullptr) return nullptr;
    storage->resize(static_cast<size_t>(count));
    netcl::cpu::with_float(dtype, [&](auto element) {
      using Element = decltype(element);
      const auto* const from = static_cast<const typename Element::Storage*>(memory) + offset;
      const auto fill = [&](auto* to) {
        for (int64_t i = 0; i < count; ++i) {
          to[i] = static_cast<std::remove_pointer_t<decltype(to)>>(
              Element::load(from + i * stride));
        }
      };
      if (compute == NETCL_F64) {
        fill(storage->data());
      } else {
        fill(reinterpret_cast<float*>(storage->data()));
      }
    });
    return storage->data();
  }
};

// What the command does. Its memory is the result, x, w, scale, shift, residual and working memory.
struct NativeConv2d {
  netcl::cpu::Conv2dTask task;
  int64_t offsets[6] = {};  // in bytes, of the first element in each tensor's memory
  PerFilter scale;
  PerFilter shift;
  netcl_dtype compute;

  void operator()(const NativeCall& call) const {
    netcl::cpu::Conv2dTask own = task;
    const auto place = [&](size_t index, netcl::cpu::Conv2dArray* array) {
      if (array->data != nullptr) array->data = call.at<std::byte>(index) + offsets[index];
    };
    place(0, &own.result);
    place(1, &own.x);
    place(2, &own.w);
    place(5, &own.residual);
    std::vector<double> factors;
    std::vector<double> summands;
    own.scale = scale.gather(call.at<void>(3), compute, &factors);
    own.shift = shift.gather(call.at<void>(4), compute, &summands);
    netcl::cpu::make_conv2d(own, call.threads.thread_count())
        ->run(call.at<std::byte>(6), call.threads);
  }
};

}  // namespace

void conv2d_natively(const Conv2dProblem& problem, const Run& run) {
  NativeConv2d native{task_of(problem), {}, PerFilter(problem.scale), PerFilter(problem.shift),
                      problem.compute_dtype};
  const Tensor* const tensors[6] = {&problem.result,     &problem.x,
                                    &problem.w,          problem.scale.get(),
                                    problem.shift.get(), problem.residual.get()};
  const auto access = [&](size_t index) {
    const Tensor* const tensor = tensors[index];
    return access_to(tensor, index == 0);
  };
  for (size_t i = 0; i < 6; ++i) {
    if (tensors[i] != nullptr) native.offsets[i] = static_cast<int64_t>(tensors[i]->offset_bytes());
  }
  const unsigned threads = run.device().backend().threads().thread_count();
  const size_t bytes = netcl::cpu::make_conv2d(native.task, threads)->bytes();
  BufferRef memory;
  if (bytes > 0) memory = new_memory(bytes, run);
  enqueue_native({access(0), access(1), access(2), access(3), access(4), access(5),
                  {memory == nullptr ? nullptr : memory->memory(), true}},
                 run, native);
}

}  // namespace netcl::ops
