#include "ops/rows/cross_entropy.hpp"

#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/move/gather.hpp"
#include "ops/rows/cross_entropy_cl.hpp"
#include "ops/rows/softmax_cl.hpp"

namespace netcl::ops {

namespace {

using netcl::cpu::CrossEntropyGradientTask;
using netcl::cpu::CrossEntropyTask;
using netcl::cpu::Labels;
using netcl::cpu::LabelScaleTask;

// The same without one of its dimensions.
Layout without_axis(const Layout& layout, uint32_t axis) {
  Layout part = layout;
  for (uint32_t d = axis; d + 1 < layout.rank; ++d) {
    part.shape[d] = layout.shape[d + 1];
    part.strides[d] = layout.strides[d + 1];
  }
  --part.rank;
  return coalesced(part);
}

Labels describe(const Tensor& tensor, const LossSettings& settings, int64_t classes) {
  Labels labels;
  labels.rows = coalesced(tensor.layout());
  labels.dtype = tensor.dtype();
  labels.count = tensor.element_count();
  labels.classes = classes;
  labels.ignored = settings.ignored;
  labels.ignores = settings.ignores;
  if (settings.weights != nullptr) {
    labels.weights_dtype = settings.weights->dtype();
    labels.weights_base = settings.weights->layout().offset;
    labels.weights_step = settings.weights->layout().strides[0];
  }
  return labels;
}

void check_labels(const Tensor& labels, const Layout& x, uint32_t axis, const Run& run) {
  require_device(labels, run, "labels");
  require_indices(labels, "labels");
  Layout rows = x;
  std::copy(x.shape.begin() + axis + 1, x.shape.begin() + x.rank, rows.shape.begin() + axis);
  --rows.rank;
  if (labels.layout().same_shape(rows)) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "labels has shape %s; x has shape %s, without axis %u %s",
       shape_text(labels).c_str(), shape_text(x).c_str(), axis, shape_text(rows).c_str());
}

void check_weights(const TensorRef& weights, const Tensor& x, int64_t classes, const Run& run) {
  if (weights == nullptr) return;
  require_device(*weights, run, "options->weights");
  if (weights->dtype() != x.dtype() && weights->dtype() != NETCL_F32) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->weights is %s and x is %s; it has x's dtype or f32",
         dtype_facts(weights->dtype()).name, dtype_facts(x.dtype()).name);
  }
  const Layout& layout = weights->layout();
  if (layout.rank == 1 && layout.shape[0] == classes) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "options->weights has shape %s; there are %lld classes",
       shape_text(layout).c_str(), static_cast<long long>(classes));
}

netcl_dtype checked_dtype(const LossSettings& settings, netcl_dtype x) {
  if (settings.dtype == 0 || settings.dtype == x) return x;
  if (settings.dtype == NETCL_F32 && (x == NETCL_F16 || x == NETCL_BF16)) return NETCL_F32;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "options->dtype is %d; for x of %s it is 0, %d (%s)%s",
       settings.dtype, dtype_facts(x).name, x, dtype_facts(x).name,
       x == NETCL_F16 || x == NETCL_BF16 ? format(" or %d (f32)", NETCL_F32).c_str() : "");
}

}  // namespace

TensorRef cross_entropy(const Tensor& x, const Tensor& labels, int32_t axis, bool logarithms,
                        const LossSettings& settings, const TensorRef& into, const Run& run) {
  const char* const name = logarithms ? "nll_loss" : "cross_entropy";
  if (!is_float(x.dtype())) {
    fail(NETCL_ERROR_UNSUPPORTED, "x is %s; %s takes f16, bf16, f32 and f64",
         dtype_facts(x.dtype()).name, name);
  }
  const Layout& layout = x.layout();
  const uint32_t along = checked_axis(axis, layout.rank, "axis");
  const int64_t classes = layout.shape[along];
  require_device(x, run, "x");
  require_f64(run, x.dtype(), "x");
  check_labels(labels, layout, along, run);
  check_weights(settings.weights, x, classes, run);
  const netcl_dtype dtype = checked_dtype(settings, x.dtype());
  refuse_sharing(into, x, "x");
  refuse_sharing(into, labels, "labels");
  if (settings.weights != nullptr) refuse_sharing(into, *settings.weights, "options->weights");
  const bool whole = settings.reduction != NETCL_LOSS_NONE;
  const Layout& rows = labels.layout();
  const TensorRef y = result_tensor(into, whole ? 0 : rows.rank, rows.shape.data(), dtype, run);
  if (y->empty()) return y;
  CrossEntropyTask task;
  task.labels = describe(labels, settings, classes);
  task.rows = split_rows(layout, layout, along, 1);
  task.y = coalesced(y->layout());
  task.dtype = x.dtype();
  task.y_dtype = dtype;
  task.reduction = settings.reduction;
  task.logarithms = logarithms;
  task.across = goes_across(task.rows);
  // Maximum, difference, exponential and sum; or one product.
  const Run declared = with_work(run, [&] {
    const auto count = static_cast<double>(labels.element_count());
    Work work =
        work_of(name, x.dtype(), logarithms ? count : 4.0 * static_cast<double>(x.element_count()),
                {&labels, settings.weights.get(), logarithms ? nullptr : &x}, {y.get()});
    if (logarithms) work.bytes += count * static_cast<double>(x.element_size());
    return work;
  });
  if (!runs_native(run.device())) {
    launch_cross_entropy(task, x, labels, settings.weights.get(), *y, declared);
    return y;
  }
  enqueue_native(
      {writing(*y), reading(x), reading(labels), access_to(settings.weights.get(), false)},
      declared, [task](const NativeCall& call) {
        CrossEntropyTask own = task;
        own.y_data = call.at<void>(0);
        own.x_data = call.at<void>(1);
        own.labels.data = call.at<void>(2);
        own.labels.weights = call.at<void>(3);
        netcl::cpu::cross_entropy(own, call.threads);
      });
  return y;
}

TensorRef label_scale(const Tensor& labels, const Tensor& grad, int64_t classes, uint32_t axis,
                      const LossSettings& settings, const TensorRef& into, const Run& run) {
  const netcl_dtype dtype = grad.dtype() == NETCL_F64 ? NETCL_F64 : NETCL_F32;
  const Layout& rows = labels.layout();
  int64_t shape[kRankMax];
  std::copy_n(rows.shape.begin(), axis, shape);
  shape[axis] = 1;
  std::copy_n(rows.shape.begin() + axis, rows.rank - axis, shape + axis + 1);
  const TensorRef y = result_tensor(into, rows.rank + 1, shape, dtype, run);
  if (y->empty()) return y;
  LabelScaleTask task;
  task.labels = describe(labels, settings, classes);
  task.grad = coalesced(grad.layout());
  task.y = without_axis(y->layout(), axis);
  task.grad_dtype = grad.dtype();
  task.reduction = settings.reduction;
  const Run declared = with_work(run, [&] {
    return work_of("label_scale", dtype, 2.0 * static_cast<double>(labels.element_count()),
                   {&labels, &grad, settings.weights.get()}, {y.get()});
  });
  if (!runs_native(run.device())) {
    launch_label_scale(task, labels, settings.weights.get(), grad, *y, declared);
    return y;
  }
  enqueue_native(
      {writing(*y), reading(labels), reading(grad), access_to(settings.weights.get(), false)},
      declared, [task](const NativeCall& call) {
        LabelScaleTask own = task;
        own.y_data = call.at<void>(0);
        own.labels.data = call.at<void>(1);
        own.grad_data = call.at<void>(2);
        own.labels.weights = call.at<void>(3);
        netcl::cpu::label_scale(own, call.threads);
      });
  return y;
}

TensorRef cross_entropy_gradient(const Tensor& x, const Tensor& labels, const Tensor& scale,
                                 int32_t axis, const TensorRef& into, const Run& run) {
  const Layout& layout = x.layout();
  const uint32_t along = checked_axis(axis, layout.rank, "axis");
  const TensorRef y = result_tensor(into, layout.rank, layout.shape.data(), x.dtype(), run);
  if (y->empty()) return y;
  CrossEntropyGradientTask task;
  task.labels = describe(labels, LossSettings{}, layout.shape[along]);
  task.rows = split_rows(layout, y->layout(), along, 1);
  task.scale = without_axis(scale.layout(), along);
  task.dtype = x.dtype();
  task.across = goes_across(task.rows);
  // Those of softmax, a difference and a product.
  const Run declared = with_work(run, [&] {
    return work_of("cross_entropy_gradient", x.dtype(),
                   7.0 * static_cast<double>(x.element_count()), {&x, &labels, &scale}, {y.get()});
  });
  if (!runs_native(run.device())) {
    launch_cross_entropy_gradient(task, x, labels, scale, *y, declared);
    return y;
  }
  enqueue_native({writing(*y), reading(x), reading(labels), reading(scale)}, declared,
                 [task](const NativeCall& call) {
                   CrossEntropyGradientTask own = task;
                   own.y_data = call.at<void>(0);
                   own.x_data = call.at<void>(1);
                   own.labels.data = call.at<void>(2);
                   own.scale_data = call.at<void>(3);
                   netcl::cpu::cross_entropy_gradient(own, call.threads);
                 });
  return y;
}

}  // namespace netcl::ops
