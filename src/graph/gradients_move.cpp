// Gradients of ops that move elements.
#include <algorithm>

#include "graph/rule.hpp"
#include "ops/frame/result.hpp"

namespace netcl::graph {

void copy_gradients(Backward& backward, const TensorRef& x) {
  // The result may repeat x.
  backward.add(x, backward.grad());
}

void cast_gradients(Backward& backward, const TensorRef& x, netcl_dtype) {
  backward.add(x, backward.grad());
}

void transpose_gradients(Backward& backward, const TensorRef& x, std::span<const uint32_t> axes) {
  const uint32_t rank = x->layout().rank;
  std::array<uint32_t, NETCL_RANK_MAX> back{};
  for (uint32_t d = 0; d < rank; ++d) back[axes.empty() ? rank - 1 - d : axes[d]] = d;
  backward.add(x, permuted(*backward.grad(), {back.data(), rank}));
}

void concat_gradients(Backward& backward, std::span<const TensorRef> inputs, int32_t axis) {
  const uint32_t along = ops::checked_axis(axis, inputs[0]->layout().rank, "axis");
  int64_t first = 0;
  for (const TensorRef& input : inputs) {
    const int64_t count = input->layout().shape[along];
    backward.add(input, part_of(*backward.grad(), along, first, count));
    first += count;
  }
}

// A repeated axis becomes two, of which that of the repeats is summed: at most three of them at
// once, for which a tensor has room with what lies between.
void tile_gradients(Backward& backward, const TensorRef& x, std::span<const int64_t> repeats) {
  if (!backward.wants(x)) return;
  constexpr size_t kAtOnce = 3;
  const Layout& target = x->layout();
  TensorRef grad = made<ops::contiguous>(backward, "contiguous", backward.grad());
  Layout shape = grad->layout();
  std::vector<uint32_t> repeated;
  for (uint32_t d = 0; d < target.rank; ++d) {
    if (repeats[d] != 1) repeated.push_back(d);
  }
  for (size_t i = 0; i < repeated.size(); i += kAtOnce) {
    const std::span<const uint32_t> now(repeated.data() + i,
                                        std::min(kAtOnce, repeated.size() - i));
    std::vector<int64_t> parts(1, 1);
    std::vector<int32_t> summed;
    for (uint32_t d = 0; d < target.rank; ++d) {
      if (std::find(now.begin(), now.end(), d) != now.end()) {
        shape.shape[d] = target.shape[d];
        summed.push_back(static_cast<int32_t>(parts.size()));
        parts.push_back(repeats[d]);
        parts.push_back(1);
      }
      parts.back() *= shape.shape[d];
    }
    ops::ReduceRequest request;
    request.kind = NETCL_REDUCTION_SUM;
    request.axes = summed;
    request.dtype = x->dtype();
    const Layout split = packed_layout(static_cast<uint32_t>(parts.size()), parts.data());
    grad = made<ops::reduce>(backward, "reduce", *reshape_view(*grad, split), request);
  }
  backward.add(x, reshape_view(*grad, packed_layout(target.rank, target.shape.data())));
}

void trilu_gradients(Backward& backward, const TensorRef& x, bool upper, int64_t k) {
  if (!backward.wants(x)) return;
  backward.add(x, made<ops::trilu>(backward, "trilu", *backward.grad(), upper, k));
}

void depth_to_space_gradients(Backward& backward, const TensorRef& x, int64_t block,
                              netcl_depth_order order) {
  if (!backward.wants(x)) return;
  backward.add(x, made<ops::space_to_depth>(backward, "space_to_depth", *backward.grad(), block,
                                            order));
}

void space_to_depth_gradients(Backward& backward, const TensorRef& x, int64_t block,
                              netcl_depth_order order) {
  if (!backward.wants(x)) return;
  backward.add(x, made<ops::depth_to_space>(backward, "depth_to_space", *backward.grad(), block,
                                            order));
}

}  // namespace netcl::graph
