#include "ops/rows/batchnorm.hpp"

#include "ops/frame/result.hpp"
#include "ops/frame/variant.hpp"
#include "ops/frame/work.hpp"
#include "ops/rows/batchnorm_plan.hpp"

namespace netcl::ops {

namespace {

ChannelValues check_channels(const Tensor& tensor, const char* argument, const Tensor& x,
                             const TensorRef& into, const Run& run) {
  require_device(tensor, run, argument);
  const Layout& layout = tensor.layout();
  const int64_t channels = x.layout().shape[1];
  if (layout.rank != 1 || layout.shape[0] != channels) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s has shape %s and x has shape %s; it has shape [%lld]",
         argument, shape_text(layout).c_str(), shape_text(x).c_str(),
         static_cast<long long>(channels));
  }
  if (tensor.dtype() != x.dtype() && tensor.dtype() != NETCL_F32) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s and x is %s; it has x's dtype or f32", argument,
         dtype_facts(tensor.dtype()).name, dtype_facts(x.dtype()).name);
  }
  refuse_sharing(into, tensor, argument);
  return {&tensor, layout.offset, layout.strides[0]};
}

// Training writes the running statistics, so nothing else that the op uses may be where they are.
void check_written(const BatchnormPlan& plan) {
  const auto check = [](const Tensor& running, const char* name, const Tensor* other,
                        const char* other_name) {
    if (other == nullptr || !may_share(running, *other)) return;
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s shares its memory with %s, and training writes it", name,
         other_name);
  };
  const Tensor& mean = *plan.mean.tensor;
  const Tensor& variance = *plan.variance.tensor;
  check(mean, "mean", &variance, "variance");
  for (const auto& [running, name] : {std::pair{&mean, "mean"}, std::pair{&variance, "variance"}}) {
    check(*running, name, &plan.x, "x");
    check(*running, name, plan.settings.scale.get(), "options->scale");
    check(*running, name, plan.settings.bias.get(), "options->bias");
  }
}

// Positions and channels, with runs of neighbouring positions where there are any.
void find_runs(BatchnormPlan* plan) {
  const Rows rows = split_rows(plan->x.layout(), plan->y->layout(), 1, 1);
  plan->channels = rows.length;
  plan->positions = rows.count;
  plan->x_step = rows.x_step;
  plan->y_step = rows.y_step;
  plan->x_outer = rows.x;
  plan->y_outer = rows.y;
  const uint32_t rank = rows.x.rank;
  if (rank == 0 || rows.x.strides[rank - 1] != 1 || rows.y.strides[rank - 1] != 1) return;
  plan->plane = true;
  plan->length = rows.x.shape[rank - 1];
  --plan->x_outer.rank;
  --plan->y_outer.rank;
}

}  // namespace

TensorRef batchnorm(const Tensor& x, const Tensor& mean, const Tensor& variance,
                    const BatchnormSettings& settings, const TensorRef& into, const Run& run) {
  if (!is_float(x.dtype())) {
    fail(NETCL_ERROR_UNSUPPORTED, "x is %s; batchnorm takes f16, bf16, f32 and f64",
         dtype_facts(x.dtype()).name);
  }
  const Layout& layout = x.layout();
  if (layout.rank < 2) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "x has rank %u; batchnorm takes [N, C, ...]", layout.rank);
  }
  require_device(x, run, "x");
  require_f64(run, x.dtype(), "x");
  refuse_sharing(into, x, "x", true);
  BatchnormPlan plan{x, settings};
  plan.mean = check_channels(mean, "mean", x, into, run);
  plan.variance = check_channels(variance, "variance", x, into, run);
  if (settings.scale != nullptr) {
    plan.scale = check_channels(*settings.scale, "options->scale", x, into, run);
  }
  if (settings.bias != nullptr) {
    plan.bias = check_channels(*settings.bias, "options->bias", x, into, run);
  }
  if (settings.training) check_written(plan);
  const int64_t channels = layout.shape[1];
  const int64_t count = layout.element_count();
  int64_t spatial = 1;
  for (uint32_t d = 2; d < layout.rank; ++d) spatial *= layout.shape[d];
  const VariantConfig choice =
      choose_batchnorm(run.device(), layout.shape[0], channels, spatial, settings.training,
                       settings.activation != NETCL_ACTIVATION_NONE, x.dtype(), settings.variant);
  TensorRef y = result_tensor(into, layout.rank, layout.shape.data(), x.dtype(), run);
  if (count == 0) return y;
  plan.fused = choice.variant == NETCL_VARIANT_BATCHNORM_FUSED;
  plan.y = y.get();
  find_runs(&plan);
  const Run declared = with_work(run, [&] {
    const Tensor* const states[2] = {settings.training ? &mean : nullptr,
                                     settings.training ? &variance : nullptr};
    // A factor and a summand; in training mean and variance before.
    const double each = (settings.training ? 6.0 : 2.0) + (plan.activates() ? 1.0 : 0.0);
    return work_of(variant_kernel(choice.variant), x.dtype(), each * static_cast<double>(count),
                   {&x, &mean, &variance, plan.scale.tensor, plan.bias.tensor},
                   {y.get(), states[0], states[1]});
  });
  if (runs_native(run.device())) {
    batchnorm_natively(plan, declared);
  } else {
    batchnorm_on_device(plan, declared);
  }
  return y;
}

}  // namespace netcl::ops
