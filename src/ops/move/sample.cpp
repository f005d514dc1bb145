#include "ops/move/sample.hpp"

#include "ops/frame/native.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/move/concat.hpp"
#include "ops/move/move.hpp"
#include "ops/move/move_rows.hpp"

namespace netcl::ops {

namespace {

using netcl::cpu::SampleTask;

// Tensors of one dtype one after the other.
TensorRef one_after_another(std::span<const TensorRef> list, const Run& run) {
  std::vector<TensorRef> lines;
  for (const TensorRef& tensor : list) {
    const int64_t count = tensor->element_count();
    lines.push_back(std::make_shared<Tensor>(tensor->buffer(), tensor->dtype(),
                                             packed_layout(1, &count)));
  }
  return concat(lines, 0, nullptr, run.without_event());
}

void launch_sample(const Tensor& x, std::span<const TensorRef> places,
                   std::span<const TensorRef> weights, const SampleTask& task, const Tensor& result,
                   const Run& run) {
  const TensorRef all_places = one_after_another(places, run);
  const TensorRef all_weights = one_after_another(weights, run);
  Arguments arguments;
  arguments.memory(x.memory(), false);
  arguments.memory(all_places->memory(), false);
  arguments.memory(all_weights->memory(), false);
  arguments.memory(result.memory(), true);
  arguments.layout(task.x);
  arguments.layout(task.y);
  for (const int64_t taps : task.taps) arguments.scalar(taps);
  std::string flags = std::string("-DX=") + dtype_facts(x.dtype()).name;
  flags += weights[0]->dtype() == NETCL_F64 ? " -DW=double" : " -DW=float";
  launch_rows("sample.cl", "netcl_sample", flags, task.y.shape[0] * task.y.shape[1],
              task.y.shape[2], true, arguments, run);
}

}  // namespace

TensorRef sample(const Tensor& x, std::span<const TensorRef> places,
                 std::span<const TensorRef> weights,
                 const std::array<int64_t, cpu::kSampleAxesMost>& taps, const TensorRef& into,
                 const Run& asked) {
  SampleTask task;
  task.x = x.layout();
  task.taps = taps;
  task.dtype = x.dtype();
  task.weights_dtype = weights[0]->dtype();
  const int64_t shape[3] = {task.x.shape[0], task.x.shape[1],
                            places[0]->element_count() / std::max<int64_t>(task.x.shape[0], 1)};
  const TensorRef result =
      result_tensor(into, 3, shape, x.dtype() == NETCL_F64 ? NETCL_F64 : NETCL_F32, asked);
  if (result->empty()) return result;
  task.y = result->layout();
  std::vector<TensorRef> lists;  // packed
  for (const std::span<const TensorRef> list : {places, weights}) {
    for (const TensorRef& tensor : list) {
      const bool packed = tensor->layout().is_c_contiguous() && tensor->layout().offset == 0;
      lists.push_back(packed ? tensor : copy(*tensor, nullptr, asked.without_event()));
    }
  }
  const std::span<const TensorRef> all(lists);
  const Run run = with_work(asked, [&] {
    double combinations = 1;
    for (const int64_t count : taps) {
      combinations *= static_cast<double>(std::max<int64_t>(count, 1));
    }
    return work_of("sample", x.dtype(),
                   2 * combinations * static_cast<double>(result->element_count()), {&x},
                   {result.get()});
  });
  if (!runs_native(run.device())) {
    launch_sample(x, all.first(places.size()), all.subspan(places.size()), task, *result, run);
    return result;
  }
  std::vector<Access> accesses = {{x.memory(), false}, {result->memory(), true}};
  for (const TensorRef& tensor : lists) accesses.push_back({tensor->memory(), false});
  const auto work = [task, count = places.size()](const NativeCall& call) {
    SampleTask own = task;
    own.x_data = call.at<void>(0);
    own.y_data = call.at<void>(1);
    for (size_t i = 0; i < count; ++i) {
      own.places[i] = call.at<int64_t>(2 + i);
      own.weights[i] = call.at<void>(2 + count + i);
    }
    netcl::cpu::sample(own, call.threads);
  };
  backend::NativeFunctionOf<std::decay_t<decltype(work)>> function(work);
  enqueue_native(accesses, run, function);
  return result;
}

}  // namespace netcl::ops
