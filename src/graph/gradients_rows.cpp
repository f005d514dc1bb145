// Gradients of softmax and of normalisations, and of these gradients.
#include "graph/channel_norm.hpp"
#include "graph/made_again.hpp"
#include "graph/op_gradients.hpp"
#include "graph/row_formulas.hpp"
#include "graph/rule.hpp"

namespace netcl::graph {

namespace {

// One launch has a group of items, or a thread, for each row. That is too few for a few rows of
// this length, which the reductions of formulas share out.
constexpr int64_t kLongRow = 65536;
constexpr int64_t kFewRows = 32;

// `from` and `to`: the axes of a row.
bool has_few_long_rows(const Layout& layout, uint32_t from, uint32_t to) {
  int64_t length = 1;
  for (uint32_t d = from; d < to; ++d) length *= layout.shape[d];
  return length >= kLongRow && layout.element_count() / length < kFewRows;
}

// g - p sum g. Logarithms that were rounded to f16 or bf16 are off by much in exp(y), so p is made
// again of x, in f32.
void add_rounded_log_softmax(Backward& backward, const TensorRef& x, int32_t axis) {
  const TensorRef p = made<ops::softmax>(backward, "softmax",
                                         *formula(backward, "v0", {x}, NETCL_F32), axis, false);
  ops::ReduceRequest request;
  request.kind = NETCL_REDUCTION_SUM;
  request.axes = {&axis, 1};
  request.keepdims = true;
  request.dtype = NETCL_F32;
  const TensorRef sum = made<ops::reduce>(backward, "reduce", *backward.grad(), request);
  backward.add(x, formula(backward, "v0 - v1 * v2", {backward.grad(), p, sum}, x->dtype()));
}

}  // namespace

void softmax_gradients(Backward& backward, const TensorRef& x, int32_t axis, bool logarithm) {
  if (!backward.wants(x)) return;
  const TensorRef& y = backward.result();
  const TensorRef& grad = backward.grad();
  if (logarithm && dtype_size(y->dtype()) < dtype_size(NETCL_F32)) {
    return add_rounded_log_softmax(backward, x, axis);
  }
  const uint32_t along = ops::checked_axis(axis, y->layout().rank, "axis");
  backward.check(*y);
  const bool formulas = has_few_long_rows(y->layout(), along, along + 1);
  backward.add(x, formulas ? softmax_gradient_formulas(backward.caller(), y, grad, axis, logarithm)
                           : made<ops::softmax_gradient>(backward, "softmax_gradient", *y, *grad,
                                                         axis, logarithm));
}

// With G for the gradient that comes in: of y (g - sum g y) it is G (g - sum g y) - g sum G y for
// y, and for g the same call with G; of g - exp(y) sum g it is -G exp(y) sum g, and G - sum G
// exp(y).
void softmax_gradient_gradients(Backward& backward, const TensorRef& y, const TensorRef& grad,
                                int32_t axis, bool logarithm) {
  if (!backward.wants(y) && !backward.wants(grad)) return;
  const TensorRef& seed = backward.grad();
  const netcl_dtype wide = y->dtype() == NETCL_F64 ? NETCL_F64 : NETCL_F32;
  ops::ReduceRequest request;
  request.kind = NETCL_REDUCTION_SUM;
  request.axes = {&axis, 1};
  request.keepdims = true;
  const auto sum = [&](const char* text, std::initializer_list<TensorRef> inputs) {
    return made<ops::reduce>(backward, "reduce", *formula(backward, text, inputs, wide), request);
  };
  if (logarithm) {
    if (backward.wants(y)) {
      backward.add(
          y, formula(backward, "-v0 * exp(v1) * v2", {seed, y, sum("v0", {grad})}, y->dtype()));
    }
    if (backward.wants(grad)) {
      backward.add(grad, formula(backward, "v0 - v1", {seed, sum("v0 * exp(v1)", {seed, y})},
                                 grad->dtype()));
    }
    return;
  }
  const TensorRef weighed = sum("v0 * v1", {seed, y});
  if (backward.wants(y)) {
    backward.add(y, formula(backward, "v0 * (v1 - v2) - v1 * v3",
                            {seed, grad, sum("v0 * v1", {grad, y}), weighed}, y->dtype()));
  }
  if (backward.wants(grad)) {
    backward.add(grad, formula(backward, "v0 * (v1 - v2)", {y, seed, weighed}, grad->dtype()));
  }
}

namespace {

// Of the mean m of n elements 1 / n each; of r = 1 / deviation -r^3 (x - m) / n, m being 0 for RMS
// normalisation.
void add_statistics(Backward& backward, const TensorRef& x, uint32_t from, bool centred) {
  const TensorRef &of_mean = backward.grad(1), &of_inverse = backward.grad(2);
  if (!backward.wants(x) || (of_mean == nullptr && of_inverse == nullptr)) return;
  const Layout& layout = x->layout();
  std::vector<int32_t> axes;
  int64_t count = 1;
  for (uint32_t d = from; d < layout.rank; ++d) {
    axes.push_back(static_cast<int32_t>(d));
    count *= layout.shape[d];
  }
  const std::string each = " / " + literal(static_cast<double>(count));
  if (of_mean != nullptr) {
    const TensorRef spread = broadcast(*of_mean, layout.rank, layout.shape.data());
    backward.add(x, formula(backward, ("v0" + each).c_str(), {spread}));
  }
  if (of_inverse == nullptr) return;
  const TensorRef& inverse = backward.result(2);
  backward.check(*x);
  backward.check(*inverse);
  TensorRef rest = formula(backward, "v0", {x}, wide_dtype(*x));
  if (centred) {
    ops::ReduceRequest request;
    request.kind = NETCL_REDUCTION_MEAN;
    request.axes = axes;
    request.keepdims = true;
    rest =
        formula(backward, "v0 - v1", {rest, made<ops::reduce>(backward, "reduce", *rest, request)});
  }
  backward.add(x, formula(backward, ("-v0 * v1 * v1 * (v1 * v2)" + each).c_str(),
                          {of_inverse, inverse, rest}));
}

}  // namespace

void norm_gradients(Backward& backward, const TensorRef& x, int32_t axis,
                    const ops::NormSettings& settings, bool, bool) {
  add_statistics(backward, x, ops::checked_axis(axis, x->layout().rank, "axis"), settings.centred);
  const TensorRef& grad = backward.grad();
  if (grad == nullptr) return;
  if (settings.bias != nullptr) backward.add(settings.bias, grad);
  const bool wants_x = backward.wants(x), wants_scale = backward.wants(settings.scale);
  if (!wants_x && !wants_scale) return;
  ops::NormSettings own = settings;
  own.bias = nullptr;
  if (!wants_x) own.scale = nullptr;  // the gradient of scale does not depend on it
  backward.check(*x);
  check_each(backward, own);
  const Layout& layout = x->layout();
  const uint32_t from = ops::checked_axis(axis, layout.rank, "axis");
  const bool formulas = has_few_long_rows(layout, from, layout.rank);
  const ops::NormGradient made =
      formulas
          ? norm_gradient_formulas(backward.caller(), x, grad, axis, own, wants_x, wants_scale)
          : recorded<ops::norm_gradient>(backward.caller(), "norm_gradient", ops::NormGradient(),
                                         *x, *grad, axis, own, wants_x, wants_scale);
  if (wants_scale) backward.add(settings.scale, made.product);
  if (wants_x) backward.add(x, made.x);
}

void norm_gradient_gradients(Backward& backward, const TensorRef& x, const TensorRef& grad,
                             int32_t axis, const ops::NormSettings& settings, bool wants_x,
                             bool wants_product) {
  std::vector<TensorRef> inputs = {x, grad};
  if (settings.scale != nullptr) inputs.push_back(settings.scale);
  uint64_t wanted = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    backward.check(*inputs[i]);
    if (backward.wants(inputs[i])) wanted |= uint64_t{1} << i;
  }
  if (wanted == 0) return;
  const TensorRef seeds[] = {backward.grad(0), backward.grad(1)};
  const std::vector<TensorRef> made = gradients_made_again(
      backward.caller(), inputs, wanted, seeds,
      [&](std::span<const TensorRef> own, const Caller& caller) -> std::vector<TensorRef> {
        ops::NormSettings with = settings;
        with.scale = own.size() > 2 ? own[2] : nullptr;
        const ops::NormGradient again = norm_gradient_formulas(
            caller, own[0], own[1], axis, with, wants_x && seeds[0] != nullptr,
            wants_product && seeds[1] != nullptr);
        return {again.x, again.product};
      });
  for (size_t i = 0; i < made.size(); ++i) {
    if (made[i] != nullptr) backward.add(inputs[i], made[i]);
  }
}

}  // namespace netcl::graph
