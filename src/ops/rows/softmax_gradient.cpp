#include "ops/rows/softmax_gradient.hpp"

#include "backend/cpu/rows/softmax_gradient_loops.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/rows/softmax_cl.hpp"

namespace netcl::ops {

namespace {

using netcl::cpu::SoftmaxGradientTask;

struct SoftmaxGradientPlan {
  const Tensor& y;
  const Tensor& grad;
  const Tensor& result;
  GradientRows rows;
  bool logarithm;
};

void run_natively(const SoftmaxGradientPlan& plan, const Run& run) {
  SoftmaxGradientTask task;
  task.rows = plan.rows.rows;
  task.grads = plan.rows.grads;
  task.dtype = plan.y.dtype();
  task.logarithm = plan.logarithm;
  task.across = goes_across(task.rows);
  enqueue_native({writing(plan.result), reading(plan.y), reading(plan.grad)}, run,
                 [task](const NativeCall& call) {
                   auto own = task;
                   own.result_data = call.at<void>(0);
                   own.y_data = call.at<void>(1);
                   own.grad_data = call.at<void>(2);
                   netcl::cpu::softmax_gradient(own, call.threads);
                 });
}

void run_kernels(const SoftmaxGradientPlan& plan, const Run& run) {
  const Rows& rows = plan.rows.rows;
  const netcl_dtype dtype = plan.y.dtype();
  const char* const names[2][3] = {
      {"netcl_softmax_gradient_registers", "netcl_softmax_gradient_loop",
       "netcl_softmax_gradient_columns"},
      {"netcl_log_softmax_gradient_registers", "netcl_log_softmax_gradient_loop",
       "netcl_log_softmax_gradient_columns"}};
  const SoftmaxGroups groups = softmax_groups(rows, dtype, run.device(), 2);
  const int form = groups.across() ? 2 : groups.shape.values > 0 ? 0 : 1;
  KernelCall call{"softmax_gradient.cl", names[plan.logarithm ? 1 : 0][form],
                  group_flags(plan.rows, groups.shape, dtype) +
                      format(" -DLOGARITHM=%d", plan.logarithm ? 1 : 0) + groups.flags()};
  groups.set(rows.count, &call);
  Arguments arguments;
  add_row_arguments(plan.y, writing(plan.result), plan.grad, plan.rows, &arguments);
  enqueue_kernel(call, arguments, run);
}

}  // namespace

TensorRef softmax_gradient(const Tensor& y, const Tensor& grad, int32_t axis, bool logarithm,
                           const TensorRef& into, const Run& run) {
  const Layout& layout = y.layout();
  const uint32_t along = checked_axis(axis, layout.rank, "axis");
  const TensorRef result = result_tensor(into, layout.rank, layout.shape.data(), y.dtype(), run);
  if (result->empty()) return result;
  const SoftmaxGradientPlan plan{y,
                                 grad,
                                 *result,
                                 {split_rows(layout, result->layout(), along, 1),
                                  split_rows(grad.layout(), grad.layout(), along, 1)},
                                 logarithm};
  const Run declared = with_work(run, [&] {
    return work_of("softmax_gradient", y.dtype(), 4.0 * static_cast<double>(y.element_count()),
                   {&y, &grad}, {result.get()});
  });
  if (runs_native(run.device())) {
    run_natively(plan, declared);
  } else {
    run_kernels(plan, declared);
  }
  return result;
}

}  // namespace netcl::ops
