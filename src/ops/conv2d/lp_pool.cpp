#include "ops/conv2d/lp_pool.hpp"

#include <cmath>

#include "core/number.hpp"
#include "ops/elementwise/elementwise.hpp"
#include "ops/elementwise/expression_cache.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"

namespace netcl::ops {

std::string powers_text(double p) {
  if (p == 1) return "abs(v0)";
  if (p == 2) return "v0 * v0";
  return "pow(abs(v0), " + real_text(p) + ")";
}

std::string root_text(double p) {
  if (p == 1) return "v0";
  const std::string sum = "(v0 > 0.0 ? v0 : 1.0)";
  const std::string root = p == 2 ? "sqrt" + sum : "pow(" + sum + ", " + real_text(1 / p) + ")";
  return "v0 > 0.0 ? " + root + " : v0";
}

TensorRef lp_pool(const TensorRef& x, const PoolParameters& options, double p,
                  const TensorRef& into, const Run& run) {
  if (!is_float(x->dtype())) {
    fail(NETCL_ERROR_UNSUPPORTED, "x is %s; pooling by norms takes f16, bf16, f32 and f64",
         dtype_facts(x->dtype()).name);
  }
  if (!std::isfinite(p) || p < 1) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->p is %g; it is finite and 1 or more", p);
  }
  require_windows(*x);
  require_device(*x, run, "x");
  require_f64(run, x->dtype(), "x");
  refuse_sharing(into, *x, "x");
  const netcl::cpu::PoolAxes axes = pool_axes(x->layout(), options);
  const Layout shape = pooled_shape(x->layout(), axes);
  const TensorRef result = result_tensor(into, shape.rank, shape.shape.data(), x->dtype(), run);
  if (result->empty()) return result;
  const Run declared = with_work(run, [&] {
    const double taps = static_cast<double>(axes.window());
    return work_of("pool", x->dtype(), taps * static_cast<double>(result->element_count()),
                   {x.get()}, {result.get()});
  });
  const auto formula = [](const std::string& text, const TensorRef& of, netcl_dtype dtype,
                          const TensorRef& to, const Run& part) {
    return expression(*ExpressionCache::instance().get(text.c_str()), {&of, 1}, dtype,
                      NETCL_VARIANT_AUTO, to, part);
  };
  // Powers may be far beyond what the dtype of x holds.
  const TensorRef powers =
      formula(powers_text(p), x, expression::compute_dtype(x->dtype()), nullptr, declared.part());
  const TensorRef sums = window_sums(*powers, options, nullptr, declared.part());
  Run last = declared;
  last.declared = true;
  return formula(root_text(p), sums, x->dtype(), result, last);
}

}  // namespace netcl::ops
