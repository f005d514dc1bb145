#include "ops/reduce/topk.hpp"

#include <algorithm>

#include "ops/frame/enqueue.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"

namespace netcl::ops {
namespace {

TopkPlan make_plan(const Tensor& x, const TopkResult& result, uint32_t axis) {
  TopkPlan plan;
  plan.dtype = x.dtype();
  plan.count = x.layout().shape[axis];
  plan.k = result.values->layout().shape[axis];
  const Tensor* const tensors[3] = {
      &x, result.values.get(),
      result.indices != nullptr ? result.indices.get() : result.values.get()};
  for (int i = 0; i < 3; ++i) {
    const Layout& layout = tensors[i]->layout();
    Layout& lines = plan.lines[i];
    lines.offset = layout.offset;
    for (uint32_t d = 0; d < layout.rank; ++d) {
      if (d == axis) continue;
      lines.shape[lines.rank] = layout.shape[d];
      lines.strides[lines.rank++] = layout.strides[d];
      if (i == 0) plan.rows *= layout.shape[d];
    }
    plan.strides[i] = layout.strides[axis];
  }
  coalesce(plan.lines, 3);
  return plan;
}

TensorRef indices_tensor(const TensorRef& into, const Layout& shape, const Run& run) {
  if (into == nullptr) {
    return result_tensor(nullptr, shape.rank, shape.shape.data(), NETCL_I64, run);
  }
  require_device(*into, run, "options->indices_into");
  if (!into->layout().same_shape(shape)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->indices_into has shape %s; the result has %s",
         shape_text(*into).c_str(), shape_text(shape).c_str());
  }
  if (into->dtype() != NETCL_I64) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->indices_into is %s; indices are i64",
         dtype_facts(into->dtype()).name);
  }
  return into;
}

}  // namespace

TopkResult topk(const Tensor& x, int64_t k, int32_t axis, bool smallest, bool wants_indices,
                const TopkResult& into, const Run& run) {
  require_device(x, run, "x");
  const uint32_t along = checked_axis(axis, x.layout().rank, "axis");
  Layout shape = x.layout();
  if (k < 0 || k > shape.shape[along]) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "k is %lld; x has shape %s, %lld elements along axis %u",
         static_cast<long long>(k), shape_text(shape).c_str(),
         static_cast<long long>(shape.shape[along]), along);
  }
  shape.shape[along] = k;
  require_f64(run, x.dtype(), "x");
  refuse_sharing(into.values, x, "x");
  if (into.indices != nullptr) {
    for (const Tensor* other : {&x, static_cast<const Tensor*>(into.values.get())}) {
      if (other != nullptr && may_share(*into.indices, *other)) {
        fail(NETCL_ERROR_INVALID_ARGUMENT, "options->indices_into shares its memory with %s",
             other == &x ? "x" : "run->into");
      }
    }
  }
  TopkResult result;
  if (into.indices != nullptr || wants_indices) {
    result.indices = indices_tensor(into.indices, shape, run);
  }
  result.values = result_tensor(into.values, shape.rank, shape.shape.data(), x.dtype(), run);
  if (result.values->empty()) return result;
  TopkPlan plan = make_plan(x, result, along);
  plan.smallest = smallest;
  // Every element is compared at least once.
  const Run declared = with_work(run, [&] {
    return work_of("topk", x.dtype(), static_cast<double>(x.element_count()), {&x},
                   {result.values.get(), result.indices.get()});
  });
  if (!runs_native(run.device())) {
    launch_topk(plan, x, *result.values, result.indices.get(), declared);
    return result;
  }
  enqueue_native({writing(*result.values), access_to(result.indices.get(), true), reading(x)},
                 declared, [plan](const NativeCall& call) {
                   topk_on_host(plan, call.at<void>(2), call.at<void>(0), call.at<int64_t>(1),
                                call.threads);
                 });
  return result;
}

}  // namespace netcl::ops
