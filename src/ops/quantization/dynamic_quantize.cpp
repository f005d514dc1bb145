#include "ops/quantization/dynamic_quantize.hpp"

#include "ops/elementwise/elementwise.hpp"
#include "ops/elementwise/expression_cache.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/quantization/formulas.hpp"
#include "ops/quantization/quantize.hpp"
#include "ops/reduce/reduce.hpp"

namespace netcl::ops {
namespace {

// The tensor that a scalar goes to: one that was given, or a new one.
TensorRef scalar_tensor(const TensorRef& given, netcl_dtype dtype, const char* argument,
                        const Run& run) {
  if (given == nullptr) return new_tensor(dtype, 0, nullptr, run);
  require_device(*given, run, argument);
  const Layout& layout = given->layout();
  if (layout.rank != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s has shape %s; it has rank 0", argument,
         shape_text(layout).c_str());
  }
  if (given->dtype() != dtype) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s; it is %s", argument,
         dtype_facts(given->dtype()).name, dtype_facts(dtype).name);
  }
  return given;
}

void refuse_meeting(const TensorRef& given, const char* argument, const TensorRef& other,
                    const char* of) {
  if (given == nullptr || other == nullptr || !may_share(*given, *other)) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s shares its memory with %s", argument, of);
}

TensorRef extreme(const Tensor& x, netcl_reduction kind, const Run& run) {
  ReduceRequest request;
  request.kind = kind;
  return reduce(x, request, nullptr, run);
}

void evaluate_scalar(const std::string& text, const TensorRef& first, const TensorRef& second,
                     const TensorRef& target, const Run& run) {
  const TensorRef inputs[2] = {first, second};
  expression(*ExpressionCache::instance().get(text.c_str()), inputs, target->dtype(),
             NETCL_VARIANT_AUTO, target, run);
}

}  // namespace

DynamicQuantizeResult dynamic_quantize_linear(const TensorRef& x, bool wants_scale,
                                              bool wants_zero_point,
                                              const DynamicQuantizeResult& into, const Run& run) {
  if (x->dtype() != NETCL_F32) {
    fail(NETCL_ERROR_UNSUPPORTED, "x is %s; dynamic_quantize_linear takes f32",
         dtype_facts(x->dtype()).name);
  }
  require_device(*x, run, "x");
  refuse_sharing(into.result, *x, "x");
  const char* const scale_into = "options->scale_into";
  const char* const zero_into = "options->zero_point_into";
  refuse_meeting(into.scale, scale_into, x, "x");
  refuse_meeting(into.scale, scale_into, into.result, "run->into");
  refuse_meeting(into.zero_point, zero_into, x, "x");
  refuse_meeting(into.zero_point, zero_into, into.result, "run->into");
  refuse_meeting(into.zero_point, zero_into, into.scale, scale_into);
  const TensorRef scale = scalar_tensor(into.scale, NETCL_F32, scale_into, run);
  const TensorRef zero_point = scalar_tensor(into.zero_point, NETCL_U8, zero_into, run);
  const Layout& shape = x->layout();
  DynamicQuantizeResult made;
  made.result = result_tensor(into.result, shape.rank, shape.shape.data(), NETCL_U8, run);
  if (wants_scale || into.scale != nullptr) made.scale = scale;
  if (wants_zero_point || into.zero_point != nullptr) made.zero_point = zero_point;

  // Two comparisons, a division, a rounding and a sum for each element, which is read twice.
  const Run declared = with_work(run, [&] {
    return work_of("dynamic_quantize_linear", NETCL_F32,
                   5.0 * static_cast<double>(x->element_count()), {x.get(), x.get()},
                   {made.result.get(), made.scale.get(), made.zero_point.get()});
  });
  const bool in_f64 = divides_in_f64(run.device());
  const Run part = declared.part();
  const bool empty = made.result->empty();
  const TensorRef highest = extreme(*x, NETCL_REDUCTION_MAX, part);
  const TensorRef lowest = extreme(*x, NETCL_REDUCTION_MIN, part);
  evaluate_scalar(dynamic_scale_text(in_f64), highest, lowest, scale, part);
  evaluate_scalar(dynamic_zero_point_text(in_f64), lowest, scale, zero_point,
                  empty ? last_of(declared) : part);
  if (empty) return made;
  QuantizeSettings settings;
  settings.zero_point = zero_point;
  quantize_linear(x, scale, 0, settings, made.result, last_of(declared));
  return made;
}

}  // namespace netcl::ops
