#include "ops/quantization/quantize.hpp"

#include <string>

#include "ops/elementwise/elementwise.hpp"
#include "ops/elementwise/expression_cache.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/quantization/formulas.hpp"
#include "ops/quantization/grains.hpp"

namespace netcl::ops {
namespace {

const char* dtype_name(netcl_dtype dtype) { return dtype_facts(dtype).name; }

bool is_scale_dtype(netcl_dtype dtype) {
  return dtype == NETCL_F32 || dtype == NETCL_F16 || dtype == NETCL_BF16;
}

bool is_quantised(netcl_dtype dtype) {
  return dtype == NETCL_I8 || dtype == NETCL_U8 || dtype == NETCL_I16 || dtype == NETCL_U16;
}

// Every part of y from the same part of x, by what it shares a scale with.
void run_parts(const TreeRef& tree, const Grains& grains, const TensorRef& x,
               const TensorRef& scale, const TensorRef& zero_point, const Tensor& y,
               const Run& run) {
  const uint32_t count = grains.parts();
  for (uint32_t i = 0; i < count; ++i) {
    const TensorRef inputs[3] = {grains.part(*x, i), grains.grain(*scale, i),
                                 zero_point == nullptr ? nullptr : grains.grain(*zero_point, i)};
    const TensorRef target = grains.part(y, i);
    expression(*tree, {inputs, zero_point == nullptr ? size_t{2} : size_t{3}}, y.dtype(),
               NETCL_VARIANT_AUTO, target, i + 1 < count ? run.part() : last_of(run));
  }
}

TreeRef parsed(const std::string& text) { return ExpressionCache::instance().get(text.c_str()); }

TreeRef quantize_tree(const Tensor& x, const Tensor& scale, const QuantizeSettings& settings,
                      netcl_dtype result) {
  return parsed(quantize_text({x.dtype(), scale.dtype(), settings.precision, result,
                               settings.zero_point != nullptr, divides_in_f64(x.device())}));
}

TreeRef dequantize_tree(const Tensor& x, bool has_zero_point) {
  return parsed(dequantize_text(x.dtype(), has_zero_point));
}

void check_quantize_dtypes(const Tensor& x, const Tensor& scale, const QuantizeSettings& settings) {
  if (!is_scale_dtype(x.dtype()) && x.dtype() != NETCL_I32) {
    fail(NETCL_ERROR_UNSUPPORTED, "x is %s; quantize_linear takes f32, f16, bf16 and i32",
         dtype_name(x.dtype()));
  }
  if (scale.dtype() == NETCL_I32 && x.dtype() != NETCL_I32) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "scale is i32 and x is %s; a scale of i32 goes with i32",
         dtype_name(x.dtype()));
  }
  if (scale.dtype() != NETCL_I32) require_scale_dtype(scale, "scale");
  const netcl_dtype precision = settings.precision;
  if (precision == 0) return;
  dtype_facts(precision, "options->precision");
  if (!is_scale_dtype(precision)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->precision is %s; it is f32, f16 or bf16",
         dtype_name(precision));
  }
}

netcl_dtype quantized_dtype(const QuantizeSettings& settings, const TensorRef& into) {
  netcl_dtype dtype = settings.dtype;
  if (dtype != 0) dtype_facts(dtype, "options->dtype");
  if (dtype == 0 && settings.zero_point != nullptr) dtype = settings.zero_point->dtype();
  if (dtype == 0) dtype = into != nullptr ? into->dtype() : NETCL_U8;
  if (!is_quantised(dtype)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s; quantize_linear gives i8, u8, i16 or u16",
         settings.dtype != 0              ? "options->dtype"
         : settings.zero_point != nullptr ? "options->zero_point"
                                          : "run->into",
         dtype_name(dtype));
  }
  return dtype;
}

void check_zero_point(const TensorRef& zero_point, netcl_dtype dtype, const Tensor& scale,
                      const char* of, const TensorRef& into, const Run& run) {
  if (zero_point == nullptr) return;
  require_device(*zero_point, run, "options->zero_point");
  if (zero_point->dtype() != dtype) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->zero_point is %s; %s is %s",
         dtype_name(zero_point->dtype()), of, dtype_name(dtype));
  }
  if (!zero_point->layout().same_shape(scale.layout())) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->zero_point has shape %s; scale has %s",
         shape_text(*zero_point).c_str(), shape_text(scale).c_str());
  }
  refuse_sharing(into, *zero_point, "options->zero_point");
}

// x, the scale and the zero point are read, and each element has a few operations.
template <class Settings>
Run declared_run(const char* name, double operations, const TensorRef& x, const TensorRef& scale,
                 const Settings& settings, const TensorRef& result, const Run& run) {
  return with_work(run, [&] {
    return work_of(name, NETCL_F32, operations * static_cast<double>(x->element_count()),
                   {x.get(), scale.get(), settings.zero_point.get()}, {result.get()});
  });
}

}  // namespace

void require_scale_dtype(const Tensor& scale, const char* argument) {
  if (is_scale_dtype(scale.dtype())) return;
  fail(NETCL_ERROR_UNSUPPORTED, "%s is %s; scales are f32, f16 or bf16", argument,
       dtype_name(scale.dtype()));
}

netcl_dtype byte_result_dtype(netcl_dtype asked, const TensorRef& zero_point,
                              const char* zero_argument, const TensorRef& into, netcl_dtype own) {
  netcl_dtype dtype = asked;
  const char* argument = "options->dtype";
  if (dtype != 0) dtype_facts(dtype, argument);
  if (dtype == 0 && zero_point != nullptr) {
    dtype = zero_point->dtype();
    argument = zero_argument;
  }
  if (dtype == 0) {
    dtype = into != nullptr ? into->dtype() : own;
    argument = "run->into";
  }
  if (dtype != NETCL_I8 && dtype != NETCL_U8) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s; the result is i8 or u8", argument,
         dtype_name(dtype));
  }
  if (zero_point != nullptr && zero_point->dtype() != dtype) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s; the result is %s", zero_argument,
         dtype_name(zero_point->dtype()), dtype_name(dtype));
  }
  return dtype;
}

void require_one_element(const Tensor& tensor, const char* argument) {
  if (tensor.element_count() == 1) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s has shape %s; it takes one element", argument,
       shape_text(tensor).c_str());
}

void check_result_scale(const Tensor& y_scale, const TensorRef& y_zero_point, const TensorRef& into,
                        const Run& run) {
  require_scale_dtype(y_scale, "y_scale");
  require_device(y_scale, run, "y_scale");
  require_one_element(y_scale, "y_scale");
  refuse_sharing(into, y_scale, "y_scale");
  if (y_zero_point == nullptr) return;
  require_device(*y_zero_point, run, "options->y_zero_point");
  require_one_element(*y_zero_point, "options->y_zero_point");
  refuse_sharing(into, *y_zero_point, "options->y_zero_point");
}

TensorRef one_element(const Tensor& tensor) {
  Layout layout;
  layout.offset = tensor.layout().offset;
  return std::make_shared<Tensor>(tensor.buffer(), tensor.dtype(), layout);
}

TensorRef quantize_linear(const TensorRef& x, const TensorRef& scale, int32_t axis,
                          const QuantizeSettings& settings, const TensorRef& into, const Run& run) {
  check_quantize_dtypes(*x, *scale, settings);
  require_device(*x, run, "x");
  require_device(*scale, run, "scale");
  const Grains grains(*x, *scale, axis, settings.block_size);
  const netcl_dtype dtype = quantized_dtype(settings, into);
  check_zero_point(settings.zero_point, dtype, *scale, "the result", into, run);
  refuse_sharing(into, *x, "x");
  refuse_sharing(into, *scale, "scale");
  const Layout& shape = x->layout();
  const TensorRef result = result_tensor(into, shape.rank, shape.shape.data(), dtype, run);
  if (result->empty()) return result;
  const Run declared = declared_run("quantize_linear", 3.0, x, scale, settings, result, run);
  run_parts(quantize_tree(*x, *scale, settings, dtype), grains, x, scale, settings.zero_point,
            *result, declared);
  return result;
}

TensorRef dequantize_linear(const TensorRef& x, const TensorRef& scale, int32_t axis,
                            const DequantizeSettings& settings, const TensorRef& into,
                            const Run& run) {
  if (!is_quantised(x->dtype()) && x->dtype() != NETCL_I32) {
    fail(NETCL_ERROR_UNSUPPORTED, "x is %s; dequantize_linear takes i8, u8, i16, u16 and i32",
         dtype_name(x->dtype()));
  }
  require_scale_dtype(*scale, "scale");
  require_device(*x, run, "x");
  require_device(*scale, run, "scale");
  const Grains grains(*x, *scale, axis, settings.block_size);
  check_zero_point(settings.zero_point, x->dtype(), *scale, "x", into, run);
  netcl_dtype dtype = settings.dtype;
  if (dtype != 0) dtype_facts(dtype, "options->dtype");
  if (dtype == 0) dtype = into != nullptr ? into->dtype() : scale->dtype();
  if (!is_scale_dtype(dtype)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s; dequantize_linear gives f32, f16 or bf16",
         settings.dtype != 0 ? "options->dtype" : "run->into", dtype_name(dtype));
  }
  refuse_sharing(into, *x, "x");
  refuse_sharing(into, *scale, "scale");
  const Layout& shape = x->layout();
  const TensorRef result = result_tensor(into, shape.rank, shape.shape.data(), dtype, run);
  if (result->empty()) return result;
  const Run declared = declared_run("dequantize_linear", 2.0, x, scale, settings, result, run);
  run_parts(dequantize_tree(*x, settings.zero_point != nullptr), grains, x, scale,
            settings.zero_point, *result, declared);
  return result;
}

static std::optional<LinearFormula> formula_over(TreeRef tree, const TensorRef& x,
                                                 const TensorRef& scale, int32_t axis,
                                                 int64_t block_size, const TensorRef& zero_point) {
  const Grains grains(*x, *scale, axis, block_size);
  LinearFormula formula{std::move(tree), {x, grains.grain(*scale, 0)}};
  if (zero_point != nullptr) formula.inputs.push_back(grains.grain(*zero_point, 0));
  return formula;
}

std::optional<LinearFormula> quantize_formula(const TensorRef& x, const TensorRef& scale,
                                              int32_t axis, const QuantizeSettings& settings,
                                              netcl_dtype result) {
  if (settings.block_size != 0) return std::nullopt;
  return formula_over(quantize_tree(*x, *scale, settings, result), x, scale, axis, 0,
                      settings.zero_point);
}

std::optional<LinearFormula> dequantize_formula(const TensorRef& x, const TensorRef& scale,
                                                int32_t axis, const DequantizeSettings& settings) {
  if (settings.block_size != 0) return std::nullopt;
  return formula_over(dequantize_tree(*x, settings.zero_point != nullptr), x, scale, axis, 0,
                      settings.zero_point);
}

void requantize(const TensorRef& sums, const RequantizeScales& scales, const Tensor& y,
                const Run& run) {
  const bool has_zero_point = scales.zero_point != nullptr;
  const TreeRef tree =
      parsed(requantize_text(y.dtype(), has_zero_point, divides_in_f64(y.device())));
  const TensorRef inputs[5] = {sums, scales.left, scales.right, scales.result, scales.zero_point};
  expression(*tree, {inputs, has_zero_point ? size_t{5} : size_t{4}}, y.dtype(), NETCL_VARIANT_AUTO,
             std::make_shared<Tensor>(y), run);
}

}  // namespace netcl::ops
