#include "ops/rows/norm_gradient.hpp"

#include "backend/cpu/rows/norm_gradient_loops.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/rows/norm_parameter.hpp"

namespace netcl::ops {

namespace {

using netcl::cpu::NormGradientTask;

struct GradientPlan {
  const Tensor& x;
  const Tensor& grad;
  const NormGradient& result;
  GradientRows rows;
  NormParameter scale;
  double epsilon;
  bool centred;
};

void run_natively(const GradientPlan& plan, const Run& run) {
  NormGradientTask task;
  task.rows = plan.rows.rows;
  task.grads = plan.rows.grads;
  task.scale = plan.scale.numbers();
  task.dtype = plan.x.dtype();
  task.epsilon = plan.epsilon;
  task.centred = plan.centred;
  enqueue_native({access_to(plan.result.x.get(), true), access_to(plan.result.product.get(), true),
                  reading(plan.x), reading(plan.grad), plan.scale.access()},
                 run, [task](const NativeCall& call) {
                   auto own = task;
                   own.result_data = call.at<void>(0);
                   own.product_data = call.at<void>(1);
                   own.x_data = call.at<void>(2);
                   own.grad_data = call.at<void>(3);
                   own.scale_data = call.at<void>(4);
                   netcl::cpu::norm_gradient(own, call.threads);
                 });
}

void run_kernels(const GradientPlan& plan, const Run& run) {
  const Rows& rows = plan.rows.rows;
  const netcl_dtype dtype = plan.x.dtype();
  const TensorRef& product = plan.result.product;
  const PackedParameter scale = packed(plan.scale, rows.length, run);
  const GroupShape shape = group_shape(rows.length, dtype, run.device(), 2);
  KernelCall call{"norm_gradient.cl", "",
                  group_flags(plan.rows, shape, dtype) + scale.flags("S") +
                      format(" -DRMS=%d -DRESULT=%d -DPRODUCT=%d", plan.centred ? 0 : 1,
                             plan.result.x != nullptr ? 1 : 0, product != nullptr ? 1 : 0)};
  if (shape.values > 0) {
    call.kernel =
        plan.centred ? "netcl_layernorm_gradient_registers" : "netcl_rmsnorm_gradient_registers";
  } else {
    call.kernel = plan.centred ? "netcl_layernorm_gradient_loop" : "netcl_rmsnorm_gradient_loop";
  }
  set_groups(shape, rows.count, &call);
  Arguments arguments;
  add_row_arguments(plan.x, access_to(plan.result.x.get(), true), plan.grad, plan.rows, &arguments);
  add_real(plan.epsilon, dtype, &arguments);
  if (product != nullptr) {
    call.flags += format(" -DW=%s", dtype_facts(product->dtype()).name);
    arguments.memory(writing(*product));
    arguments.scalar(product->layout().offset);
  }
  scale.add_to(&arguments);
  enqueue_kernel(call, arguments, run);
}

}  // namespace

NormGradient norm_gradient(const Tensor& x, const Tensor& grad, int32_t axis,
                           const NormSettings& settings, bool wants_x, bool wants_product,
                           const NormGradient& into, const Run& run) {
  const Layout& layout = x.layout();
  const uint32_t from = checked_axis(axis, layout.rank, "axis");
  const netcl_dtype wide = x.dtype() == NETCL_F64 ? NETCL_F64 : NETCL_F32;
  NormGradient result;
  if (wants_x) {
    result.x = result_tensor(into.x, layout.rank, layout.shape.data(), x.dtype(), run);
  }
  if (wants_product) {
    result.product = result_tensor(into.product, layout.rank, layout.shape.data(), wide, run);
    if (!result.product->layout().is_c_contiguous()) {
      fail(NETCL_ERROR_INTERNAL, "the product of norm_gradient has gaps");
    }
  }
  if (x.empty() || !(wants_x || wants_product)) return result;
  const Layout& y = wants_x ? result.x->layout() : layout;
  const Layout& product = wants_product ? result.product->layout() : grad.layout();
  const uint32_t count = layout.rank - from;
  const GradientPlan plan{
      x,
      grad,
      result,
      {split_rows(layout, y, from, count), split_rows(grad.layout(), product, from, count)},
      norm_parameter(settings.scale, layout, from, "scale"),
      settings.epsilon,
      settings.centred};
  // The statistics of a row, two sums more, and what is made of them.
  const Run declared = with_work(run, [&] {
    const double each = (settings.centred ? 12.0 : 8.0) + (settings.scale != nullptr ? 1.0 : 0.0);
    return work_of("norm_gradient", x.dtype(), each * static_cast<double>(x.element_count()),
                   {&x, &grad, settings.scale.get()}, {result.x.get(), result.product.get()});
  });
  if (runs_native(run.device())) {
    run_natively(plan, declared);
  } else {
    run_kernels(plan, declared);
  }
  return result;
}

}  // namespace netcl::ops
