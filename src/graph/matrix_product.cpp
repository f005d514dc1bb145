#include "graph/matrix_product.hpp"

#include "ops/matmul/matmul.hpp"
#include "ops/reduce/reduce.hpp"

namespace netcl::graph {

TensorRef summed_over(const Caller& caller, const TensorRef& x, std::span<const int32_t> axes) {
  ops::ReduceRequest request;
  request.kind = NETCL_REDUCTION_SUM;
  request.axes = axes;
  request.dtype = x->dtype();
  return recorded<ops::reduce>(caller, "reduce", TensorRef(), *x, request);
}

// All products, then the sums of those that belong together.
TensorRef integer_product(const Caller& caller, TensorRef a, TensorRef b) {
  const bool row = a->layout().rank == 1, column = b->layout().rank == 1;
  if (row) a = with_unit(*a, 0);
  if (column) b = with_unit(*b, 1);
  if (a->layout().rank == 0 || b->layout().rank == 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "an input is one number; they are matrices");
  }
  const uint32_t rank = std::max(a->layout().rank, b->layout().rank);
  if (rank == kRankMax) {
    fail(NETCL_ERROR_UNSUPPORTED, "a product of integers has at most %u dimensions", kRankMax - 1);
  }
  a = with_unit(*a, a->layout().rank);
  b = with_unit(*b, b->layout().rank - 2);
  const TensorRef products = recorded_formula(caller, "v0 * v1", {a, b}, a->dtype());
  const TensorRef made = summed_over(caller, products, std::array<int32_t, 1>{-2});
  const Layout& layout = made->layout();
  std::vector<int64_t> shape(layout.shape.begin(), layout.shape.begin() + layout.rank);
  if (column) shape.pop_back();
  if (row) shape.erase(shape.end() - (column ? 1 : 2));
  return row || column ? reshaped(caller, made, shape) : made;
}

TensorRef matrix_product(const Caller& caller, const TensorRef& a, const TensorRef& b) {
  if (!is_float(a->dtype())) return integer_product(caller, a, b);
  return recorded<ops::matmul>(caller, "matmul", TensorRef(), *a, *b, ops::MatmulParameters());
}

}  // namespace netcl::graph
