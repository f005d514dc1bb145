// Gradients of reductions and running sums.
#include <algorithm>

#include "core/number.hpp"
#include "graph/rule.hpp"
#include "ops/frame/result.hpp"

namespace netcl::graph {

namespace {

// Whether a float dtype has all the values of another.
bool holds(netcl_dtype dtype, netcl_dtype other) {
  return dtype == other || dtype_size(dtype) > dtype_size(other);
}

struct Reduction {
  Backward& backward;
  const TensorRef& x;
  netcl_reduction kind;
  std::vector<char> reduced;  // for each axis of x
  TensorRef y;                // the result and its gradient, with the axes of x
  TensorRef grad;

  // Over the reduced axes.
  TensorRef along(netcl_reduction what, const TensorRef& tensor, netcl_dtype dtype) const {
    std::vector<int32_t> axes;
    for (uint32_t d = 0; d < reduced.size(); ++d) {
      if (reduced[d] != 0) axes.push_back(static_cast<int32_t>(d));
    }
    ops::ReduceRequest request;
    request.kind = what;
    request.axes = axes;
    request.keepdims = true;
    request.dtype = dtype;
    return made<ops::reduce>(backward, "reduce", *tensor, request);
  }
  TensorRef summed(const TensorRef& tensor, netcl_dtype dtype) const {
    return along(NETCL_REDUCTION_SUM, tensor, dtype);
  }
  // The result with the values of `dtype`: made again where the call rounded it to fewer.
  TensorRef result_in(netcl_dtype dtype) const {
    if (!holds(y->dtype(), dtype)) return along(kind, x, dtype);
    // The result itself is what may have been overwritten, whatever its axes.
    backward.check(*backward.result());
    return y;
  }
  void add(const char* text, std::initializer_list<TensorRef> inputs) const {
    backward.add(x, formula(backward, text, inputs, x->dtype()));
  }
};

// Puts back the axes that a reduction took away.
TensorRef with_axes(const TensorRef& tensor, const std::vector<char>& reduced) {
  if (tensor->layout().rank == reduced.size()) return tensor;
  TensorRef full = tensor;
  for (uint32_t d = 0; d < reduced.size(); ++d) {
    if (reduced[d] != 0) full = with_unit(*full, d);
  }
  return full;
}

// An element that is the extreme, as x has it, shares the gradient with its equals.
void add_extreme_gradients(const Reduction& reduction, netcl_dtype wide) {
  const TensorRef extreme = reduction.result_in(reduction.x->dtype());
  const TensorRef ties = reduction.summed(
      formula(reduction.backward, "v0 == v1 ? 1 : 0", {reduction.x, extreme}, wide), wide);
  reduction.add("v0 == v1 ? v2 / v3 : 0", {reduction.x, extreme, reduction.grad, ties});
}

// The share of each element in the sum of exponentials. The result, however it was rounded, only
// keeps these from overflowing: an error of its own would be one in an exponent.
void add_log_sum_exp_gradients(const Reduction& reduction, netcl_dtype wide) {
  const TensorRef shift = reduction.result_in(reduction.x->dtype());
  const TensorRef each = formula(reduction.backward, "exp(v0 - v1)", {reduction.x, shift}, wide);
  reduction.add("v0 / v1 * v2", {each, reduction.summed(each, wide), reduction.grad});
}

// What each element is multiplied by: the product of those before it and of those behind it.
void add_product_gradients(const Reduction& reduction) {
  Backward& backward = reduction.backward;
  const Layout& layout = reduction.x->layout();
  std::vector<uint32_t> order;
  int64_t count = 1;
  for (const char taken : {0, 1}) {
    for (uint32_t d = 0; d < layout.rank; ++d) {
      if ((reduction.reduced[d] != 0) != (taken != 0)) continue;
      order.push_back(d);
      if (taken != 0) count *= layout.shape[d];
    }
  }
  backward.check(*reduction.x);
  const TensorRef at = permuted(*reduction.x, order);
  const int64_t rows[2] = {layout.element_count() / count, count};
  const netcl_dtype wide = at->dtype() == NETCL_F64 ? NETCL_F64 : NETCL_F32;
  const TensorRef lines =
      reshape_view(*formula(backward, "v0", {at}, wide), packed_layout(2, rows));
  const TensorRef before =
      made<ops::scan>(backward, "scan", *lines, NETCL_REDUCTION_PROD, int32_t{1}, true, false);
  const TensorRef behind =
      made<ops::scan>(backward, "scan", *lines, NETCL_REDUCTION_PROD, int32_t{1}, true, true);
  const TensorRef others =
      reshape_view(*formula(backward, "v0 * v1", {before, behind}),
                   packed_layout(at->layout().rank, at->layout().shape.data()));
  backward.add(at, formula(backward, "v0 * v1", {others, permuted(*reduction.grad, order)},
                           reduction.x->dtype()));
}

}  // namespace

void reduce_gradients(Backward& backward, const TensorRef& x, const ops::ReduceRequest& request) {
  if (!backward.wants(x)) return;
  const uint32_t rank = x->layout().rank;
  std::vector<char> reduced(rank, request.axes.empty() ? 1 : 0);
  double count = 1;
  for (const int32_t axis : request.axes) reduced[ops::checked_axis(axis, rank, "axes")] = 1;
  for (uint32_t d = 0; d < rank; ++d) {
    if (reduced[d] != 0) count *= static_cast<double>(x->layout().shape[d]);
  }
  const Reduction sums{backward,
                       x,
                       request.kind,
                       reduced,
                       with_axes(backward.result(), reduced),
                       with_axes(backward.grad(), reduced)};
  const netcl_dtype wide = x->dtype() == NETCL_F64 ? NETCL_F64 : NETCL_F32;
  const TensorRef& grad = sums.grad;
  switch (request.kind) {
    case NETCL_REDUCTION_SUM:
      return backward.add(x, repeated(*grad, x->layout()));
    case NETCL_REDUCTION_MEAN: {
      const std::string text = "v0 / " + literal(count);
      const TensorRef share = formula(backward, text.c_str(), {grad}, x->dtype());
      return backward.add(x, repeated(*share, x->layout()));
    }
    case NETCL_REDUCTION_MAX:
    case NETCL_REDUCTION_MIN:
      return add_extreme_gradients(sums, wide);
    case NETCL_REDUCTION_PROD:
      return add_product_gradients(sums);
    case NETCL_REDUCTION_L1:
      return sums.add("sign(v0) * v1", {x, grad});
    case NETCL_REDUCTION_L2:
      return sums.add("v1 == 0 ? 0 : v2 * (v0 / v1)", {x, sums.result_in(wide), grad});
    case NETCL_REDUCTION_SUM_SQUARE:
      return sums.add("2 * v0 * v1", {x, grad});
    case NETCL_REDUCTION_LOG_SUM:
      return sums.add("v1 / v0", {repeated(*sums.summed(x, wide), x->layout()), grad});
    case NETCL_REDUCTION_LOG_SUM_EXP:
      return add_log_sum_exp_gradients(sums, wide);
    default:
      backward.fail_without_derivative();
  }
}

void scan_gradients(Backward& backward, const TensorRef& x, netcl_reduction kind, int32_t axis,
                    bool exclusive, bool reverse) {
  if (!backward.wants(x)) return;
  if (kind != NETCL_REDUCTION_SUM) {
    backward.fail_without_derivative("of scans, sums have one");
  }
  backward.add(
      x, made<ops::scan>(backward, "scan", *backward.grad(), kind, axis, exclusive, !reverse));
}

}  // namespace netcl::graph
