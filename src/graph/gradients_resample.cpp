// Gradients of pad and resize. Both are linear along each axis by itself, x -> M x, and M is what
// the op makes of the unit matrix; the gradient along that axis is the product with it.
#include "graph/rule.hpp"
#include "ops/move/resize_axis.hpp"

namespace netcl::graph {

namespace {

// The unit matrix of n rows.
TensorRef unit_matrix(const Backward& backward, const Tensor& like, int64_t n) {
  const int64_t shape[2] = {n, n};
  const TensorRef matrix = ops::new_tensor(like.dtype(), 2, shape, backward.run());
  recorded<ops::eye>(backward.caller(), "eye", matrix, int64_t{0});
  return matrix;
}

// Each line of a tensor along an axis, by a matrix.
TensorRef applied(const Backward& backward, const Tensor& matrix, const TensorRef& tensor,
                  uint32_t axis) {
  const uint32_t last = tensor->layout().rank - 1;
  std::array<uint32_t, NETCL_RANK_MAX> order{};
  for (uint32_t d = 0; d <= last; ++d) order[d] = d;
  std::swap(order[axis], order[last]);
  const std::span<const uint32_t> axes(order.data(), last + 1);
  const TensorRef lines = permuted(*tensor, axes);
  return permuted(*made<ops::matmul>(backward, "matmul", *lines, matrix, ops::MatmulParameters{}),
                  axes);
}

}  // namespace

void resize_gradients(Backward& backward, const TensorRef& x, std::span<const int64_t> shape,
                      const ops::ResizeSettings& settings) {
  if (!backward.wants(x)) return;
  TensorRef grad = backward.grad();
  for (uint32_t d = 0; d < x->layout().rank; ++d) {
    const int64_t n = x->layout().shape[d];
    const ops::ResizeAxis axis = ops::resize_axis(settings, d, n, shape[d]);
    if (ops::resize_keeps(settings, axis)) continue;
    // What lies outside of x is a constant: its rows are zeros.
    ops::ResizeSettings alone = settings;
    alone.extrapolation_value = 0;
    alone.scales = {settings.scales[d]};
    alone.starts = {settings.starts[d]};
    alone.ends = {settings.ends[d], 1};
    const int64_t wide[2] = {axis.out, n};
    const TensorRef weights = made<ops::resize>(backward, "resize", *unit_matrix(backward, *x, n),
                                                std::span<const int64_t>(wide), alone);
    grad = applied(backward, *weights, grad, d);
  }
  backward.add(x, grad);
}

void pad_gradients(Backward& backward, const TensorRef& x, std::span<const int64_t> pads,
                   netcl_pad_mode mode, const ops::Element&) {
  if (!backward.wants(x)) return;
  const uint32_t rank = x->layout().rank;
  TensorRef grad = backward.grad();
  for (uint32_t d = 0; d < rank; ++d) {
    const int64_t n = x->layout().shape[d];
    if (pads[d] == 0 && pads[d + rank] == 0) continue;
    // Constants: elements of x that are still there have the gradient of their place.
    if (mode == NETCL_PAD_CONSTANT) {
      std::vector<int64_t> back(2 * rank, 0);
      back[d] = -pads[d];
      back[d + rank] = -pads[d + rank];
      grad = made<ops::pad>(backward, "pad", *grad, std::span<const int64_t>(back), mode,
                            ops::Element{});
      continue;
    }
    const int64_t rows[4] = {pads[d], 0, pads[d + rank], 0};
    const TensorRef places = made<ops::pad>(backward, "pad", *unit_matrix(backward, *x, n),
                                            std::span<const int64_t>(rows), mode, ops::Element{});
    grad = applied(backward, *places, grad, d);
  }
  backward.add(x, grad);
}

}  // namespace netcl::graph
