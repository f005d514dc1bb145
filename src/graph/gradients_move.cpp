// Gradients of ops that move elements.
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

}  // namespace netcl::graph
