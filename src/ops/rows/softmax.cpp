#include "ops/rows/softmax.hpp"

#include "backend/cpu/rows/softmax_loops.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/rows/softmax_cl.hpp"

namespace netcl::ops {

namespace {

struct SoftmaxPlan {
  const Tensor& x;
  const Tensor& y;
  Rows rows;
  bool logarithm;
};

void run_natively(const SoftmaxPlan& plan, const Run& run) {
  netcl::cpu::SoftmaxTask task;
  task.rows = plan.rows;
  task.dtype = plan.x.dtype();
  task.logarithm = plan.logarithm;
  task.across = goes_across(plan.rows);
  enqueue_native({writing(plan.y), reading(plan.x)}, run, [task](const NativeCall& call) {
    auto own = task;
    own.y_data = call.at<void>(0);
    own.x_data = call.at<void>(1);
    netcl::cpu::softmax(own, call.threads);
  });
}

}  // namespace

TensorRef softmax(const Tensor& x, int32_t axis, bool logarithm, const TensorRef& into,
                  const Run& run) {
  if (!is_float(x.dtype())) {
    fail(NETCL_ERROR_UNSUPPORTED, "x is %s; %s takes f16, bf16, f32 and f64",
         dtype_facts(x.dtype()).name, logarithm ? "log_softmax" : "softmax");
  }
  const Layout& layout = x.layout();
  const uint32_t along = checked_axis(axis, layout.rank, "axis");
  require_device(x, run, "x");
  require_f64(run, x.dtype(), "x");
  refuse_sharing(into, x, "x", true);
  TensorRef y = result_tensor(into, layout.rank, layout.shape.data(), x.dtype(), run);
  if (y->empty()) return y;
  const SoftmaxPlan plan{x, *y, split_rows(layout, y->layout(), along, 1), logarithm};
  // Maximum, difference, exponential, sum and quotient.
  const Run declared = with_work(run, [&] {
    return work_of("softmax", x.dtype(), 5.0 * static_cast<double>(x.element_count()), {&x},
                   {y.get()});
  });
  if (runs_native(run.device())) {
    run_natively(plan, declared);
  } else {
    const RowKind kind = logarithm ? RowKind::logarithm : RowKind::softmax;
    launch_softmax(
        {x, writing(*y), plan.rows, kind, ""}, [](Arguments*) {}, declared);
  }
  return y;
}

}  // namespace netcl::ops
