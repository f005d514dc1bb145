#include "ops/conv2d/conv2d.hpp"

#include <algorithm>
#include <cstdio>
#include <initializer_list>

#include "core/integer.hpp"
#include "core/number.hpp"
#include "ops/elementwise/elementwise.hpp"
#include "ops/elementwise/expression_cache.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"

namespace netcl::ops {

namespace {

// Strides, dilations and padding beyond this could overflow the sums they take part in.
constexpr int64_t kParameterMax = INT32_MAX;

void check_conv2d_operands(const Tensor& x, const Tensor& w, const Run& run) {
  if (!is_float(x.dtype())) {
    fail(NETCL_ERROR_UNSUPPORTED, "x is %s; conv2d takes f16, bf16, f32 and f64",
         dtype_facts(x.dtype()).name);
  }
  if (x.dtype() != w.dtype()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "x is %s and w is %s; dtypes must be equal",
         dtype_facts(x.dtype()).name, dtype_facts(w.dtype()).name);
  }
  require_device(w, run, "w");
  require_f64(run, x.dtype(), "x");
}

void check_ranks(const Tensor& x, const Tensor& w) {
  if (x.layout().rank != 4) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "x has shape %s; it takes 4 dimensions, [N, C, H, W]",
         shape_text(x).c_str());
  }
  if (w.layout().rank != 4) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "w has shape %s; it takes 4 dimensions, [F, C / groups, KH, KW]", shape_text(w).c_str());
  }
}

// Where 0 stands for 1, it was replaced before.
void check_range(int64_t value, int64_t least, const char* member, int index) {
  if (value >= least && value <= kParameterMax) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "options->%s[%d] is %lld; it is 0 to %lld", member, index,
       number(value), number(kParameterMax));
}

void check_parameters(const Conv2dParameters& p) {
  for (int i = 0; i < 2; ++i) {
    check_range(p.strides[i], 1, "strides", i);
    check_range(p.dilations[i], 1, "dilations", i);
  }
  for (int i = 0; i < 4; ++i) check_range(p.padding[i], 0, "padding", i);
  if (p.groups < 1) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->groups is %lld; it is 0 or more",
         number(p.groups));
  }
  if (p.winograd_tile != 0 && p.winograd_tile != 2 && p.winograd_tile != 4) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->winograd_tile is %u; it is 0, 2 or 4",
         p.winograd_tile);
  }
  if (p.winograd_tile != 0 && p.variant != NETCL_VARIANT_CONV2D_WINOGRAD) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->winograd_tile is %u while options->variant is %s; it goes with conv2d_winograd",
         p.winograd_tile, variant_name(p.variant));
  }
}

void check_groups(const Tensor& x, const Tensor& w, int64_t groups) {
  const int64_t channels = x.layout().shape[1];
  const int64_t filters = w.layout().shape[0];
  if (channels % groups != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "x has %lld channels (shape %s), which options->groups = %lld does not divide",
         number(channels), shape_text(x).c_str(), number(groups));
  }
  if (filters % groups != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "w has %lld filters (shape %s), which options->groups = %lld does not divide",
         number(filters), shape_text(w).c_str(), number(groups));
  }
  if (w.layout().shape[1] != channels / groups) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "w has shape %s: %lld channels per group; x has shape %s, which is %lld channels per "
         "group with groups = %lld",
         shape_text(w).c_str(), number(w.layout().shape[1]), shape_text(x).c_str(),
         number(channels / groups), number(groups));
  }
}

// One extent of the result.
int64_t out_extent(const Tensor& x, const Tensor& w, const Conv2dParameters& p, int axis) {
  const int64_t size = x.layout().shape[2 + axis];
  const int64_t kernel = w.layout().shape[2 + axis];
  const char* const name = axis == 0 ? "height" : "width";
  if (kernel < 1) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "w has shape %s: its %s is 0", shape_text(w).c_str(), name);
  }
  int64_t padded = 0;
  int64_t reach = 0;
  if (__builtin_add_overflow(size, p.padding[axis] + p.padding[axis + 2], &padded) ||
      __builtin_mul_overflow(p.dilations[axis], kernel - 1, &reach)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "x has %s %lld and w has %s %lld, which is too much", name,
         number(size), name, number(kernel));
  }
  if (padded <= reach) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "x has %s %lld with its padding; w has %s %lld (dilation %lld), which spans %lld", name,
         number(padded), name, number(kernel), number(p.dilations[axis]), number(reach) + 1);
  }
  return (padded - reach - 1) / p.strides[axis] + 1;
}

// A tensor of one element per filter.
void check_per_filter(const TensorRef& tensor, const char* argument, const Tensor& w,
                      const TensorRef& into, const Run& run) {
  if (tensor == nullptr) return;
  if (tensor->dtype() != w.dtype() && tensor->dtype() != NETCL_F32) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s; x and w are %s, and it has their dtype or f32",
         argument, dtype_facts(tensor->dtype()).name, dtype_facts(w.dtype()).name);
  }
  require_device(*tensor, run, argument);
  const Layout& layout = tensor->layout();
  if (layout.rank != 1 || layout.shape[0] != w.layout().shape[0]) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s has shape %s; w has %lld filters, so it is [%lld]",
         argument, shape_text(*tensor).c_str(), number(w.layout().shape[0]),
         number(w.layout().shape[0]));
  }
  refuse_sharing(into, *tensor, argument);
}

void check_batchnorm(const Conv2dParameters& p, const Tensor& w, const TensorRef& into,
                     const Run& run) {
  if (!p.has_batchnorm) return;
  const Conv2dBatchnorm& norm = p.batchnorm;
  check_per_filter(norm.scale, "options->batchnorm->scale", w, into, run);
  check_per_filter(norm.bias, "options->batchnorm->bias", w, into, run);
  check_per_filter(norm.mean, "options->batchnorm->mean", w, into, run);
  check_per_filter(norm.variance, "options->batchnorm->variance", w, into, run);
  if (!(norm.epsilon >= 0.0)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->batchnorm->epsilon is %g; it is not negative",
         norm.epsilon);
  }
}

void check_residual(const TensorRef& residual, const Tensor& x, const int64_t* shape,
                    const TensorRef& into, const Run& run) {
  if (residual == nullptr) return;
  const char* const argument = "options->epilogue->residual";
  require_device(*residual, run, argument);
  if (residual->dtype() != x.dtype()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s; the result is %s", argument,
         dtype_facts(residual->dtype()).name, dtype_facts(x.dtype()).name);
  }
  if (residual->layout().rank != 4 ||
      !std::equal(shape, shape + 4, residual->layout().shape.begin())) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s has shape %s; the result has %s", argument,
         shape_text(*residual).c_str(), shape_text(4, shape).c_str());
  }
  refuse_sharing(into, *residual, argument, true);
}

bool channels_innermost(const Layout& x) {
  if (x.shape[1] < 2 || x.strides[1] != 1) return false;
  return x.shape[3] > 1 ? x.strides[3] > 1 : x.shape[2] > 1 && x.strides[2] > 1;
}

TensorRef make_result(const Tensor& x, const int64_t* shape, const TensorRef& into,
                      const Run& run) {
  if (into != nullptr || !channels_innermost(x.layout())) {
    return result_tensor(into, 4, shape, x.dtype(), run);
  }
  Layout layout = make_layout(4, shape, nullptr, x.element_size());
  const int64_t filters = shape[1];
  layout.strides = {shape[2] * shape[3] * filters, 1, shape[3] * filters, filters};
  return new_tensor(x.dtype(), layout, run);
}

netcl_conv2d_shape shape_of(const Tensor& x, const Tensor& w, const Conv2dParameters& p) {
  netcl_conv2d_shape shape = NETCL_CONV2D_SHAPE_INIT;
  const Layout& in = x.layout();
  const Layout& kernel = w.layout();
  shape.batch = in.shape[0];
  shape.channels = in.shape[1];
  shape.height = in.shape[2];
  shape.width = in.shape[3];
  shape.filters = kernel.shape[0];
  shape.kernel_height = kernel.shape[2];
  shape.kernel_width = kernel.shape[3];
  std::copy(p.strides.begin(), p.strides.end(), shape.strides);
  std::copy(p.dilations.begin(), p.dilations.end(), shape.dilations);
  std::copy(p.padding.begin(), p.padding.end(), shape.padding);
  shape.groups = p.groups;
  return shape;
}

// The formula with every input as f64: coefficients of f32 are not to cost a product in f64 digits.
std::string in_f64(const std::string& formula) {
  std::string text;
  for (size_t i = 0; i < formula.size(); ++i) {
    if (formula[i] != 'v') {
      text += formula[i];
    } else {
      text += std::string("f64(v") + formula[++i] + ")";
    }
  }
  return text;
}

// Folds bias and batch normalisation into one factor and one summand per filter.
void fold(const Conv2dParameters& p, const Run& run, Conv2dProblem* problem) {
  problem->shift = p.epilogue.bias;
  if (!p.has_batchnorm) return;
  const Conv2dBatchnorm& norm = p.batchnorm;
  // As batchnorm has them, to the bit: in double precision where it is done by functions of the
  // host.
  const bool native = runs_native(run.device()) && run.device().capabilities().fp64 != 0;
  const auto evaluate = [&](const std::string& text, std::span<const TensorRef> inputs) {
    const bool wide = native || problem->compute_dtype == NETCL_F64;
    return expression(*ExpressionCache::instance().get((wide ? in_f64(text) : text).c_str()),
                      inputs, problem->compute_dtype, NETCL_VARIANT_AUTO, nullptr,
                      run.without_event());
  };
  const std::string root = " / sqrt(v0 + " + number_text(norm.epsilon) + ")";
  const TensorRef spread[2] = {norm.variance, norm.scale};
  problem->scale =
      norm.scale != nullptr ? evaluate("v1" + root, spread) : evaluate("1.0" + root, {spread, 1});
  // v0 is the mean; the factor is v1, or worked out anew where it has more digits than are kept.
  std::vector<TensorRef> inputs{norm.mean};
  const auto add = [&inputs](const TensorRef& tensor) {
    inputs.push_back(tensor);
    return "v" + number_text(inputs.size() - 1);
  };
  std::string factor;
  if (native) {
    const std::string variance = add(norm.variance);
    factor = norm.scale != nullptr ? add(norm.scale) : "1.0";
    factor += " / sqrt(" + variance + " + " + number_text(norm.epsilon) + ")";
  } else {
    factor = add(problem->scale);
  }
  const std::string after = norm.bias != nullptr ? add(norm.bias) : "0.0";
  if (p.epilogue.bias != nullptr) {
    const std::string before = add(p.epilogue.bias);
    problem->shift = evaluate("(" + before + " - v0) * (" + factor + ") + " + after, inputs);
  } else {
    problem->shift = evaluate(after + " - v0 * (" + factor + ")", inputs);
  }
}

Conv2dProblem make_problem(const Tensor& x, const Tensor& w, const Tensor& result,
                           const netcl_conv2d_shape& shape, const Conv2dParameters& p) {
  Conv2dProblem problem(x, w, result);
  problem.batch = shape.batch;
  problem.groups = p.groups;
  problem.channels = shape.channels / p.groups;
  problem.filters = shape.filters / p.groups;
  problem.size[0] = shape.height;
  problem.size[1] = shape.width;
  problem.kernel[0] = shape.kernel_height;
  problem.kernel[1] = shape.kernel_width;
  problem.out[0] = result.layout().shape[2];
  problem.out[1] = result.layout().shape[3];
  std::copy(p.strides.begin(), p.strides.end(), problem.strides);
  std::copy(p.dilations.begin(), p.dilations.end(), problem.dilations);
  std::copy(p.padding.begin(), p.padding.end(), problem.padding);
  problem.compute_dtype = x.dtype() == NETCL_F64 ? NETCL_F64 : NETCL_F32;
  problem.residual = p.epilogue.residual;
  problem.activation = p.epilogue.activation;
  problem.alpha = p.epilogue.alpha;
  problem.beta = p.epilogue.beta;
  return problem;
}

// Winograd's method declares the products that it does, which are fewer than those of the others.
Work conv2d_work(const Conv2dProblem& p) {
  double products = static_cast<double>(p.result.element_count()) * static_cast<double>(p.depth());
  if (p.config.variant == NETCL_VARIANT_CONV2D_WINOGRAD) {
    const double tile = p.config.winograd_tile;
    products *= (tile + 2.0) * (tile + 2.0) / (9.0 * tile * tile);
  }
  return work_of(variant_kernel(p.config.variant), p.compute_dtype, 2.0 * products,
                 {&p.x, &p.w, p.scale.get(), p.shift.get(), p.residual.get()}, {&p.result});
}

}  // namespace

std::array<int64_t, 4> conv2d_result_shape(const Tensor& x, const Tensor& w,
                                           const Conv2dParameters& parameters) {
  check_ranks(x, w);
  check_parameters(parameters);
  check_groups(x, w, parameters.groups);
  return {x.layout().shape[0], w.layout().shape[0], out_extent(x, w, parameters, 0),
          out_extent(x, w, parameters, 1)};
}

TensorRef conv2d(const TensorRef& x, const TensorRef& w, const Conv2dParameters& parameters,
                 const TensorRef& into, const Run& run) {
  check_conv2d_operands(*x, *w, run);
  const std::array<int64_t, 4> extents = conv2d_result_shape(*x, *w, parameters);
  const int64_t* const shape = extents.data();
  check_per_filter(parameters.epilogue.bias, "options->epilogue->bias", *w, into, run);
  check_batchnorm(parameters, *w, into, run);
  check_residual(parameters.epilogue.residual, *x, shape, into, run);
  refuse_sharing(into, *x, "x");
  refuse_sharing(into, *w, "w");
  const netcl_conv2d_shape sizes = shape_of(*x, *w, parameters);
  const VariantConfig config =
      choose_conv2d(run.device(), sizes, x->dtype(), parameters.variant, parameters.winograd_tile);
  TensorRef result = make_result(*x, shape, into, run);
  if (result->empty()) return result;
  Conv2dProblem problem = make_problem(*x, *w, *result, sizes, parameters);
  problem.request = parameters.variant;
  problem.config = config;
  fold(parameters, run, &problem);
  const Run declared = with_work(run, [&] { return conv2d_work(problem); });
  if (runs_native(run.device())) {
    conv2d_natively(problem, declared);
  } else {
    conv2d_on_device(problem, declared);
  }
  return result;
}

}  // namespace netcl::ops
