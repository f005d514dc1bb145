#include "graph/rule.hpp"

#include <algorithm>

#include "core/number.hpp"
#include "ops/move/move.hpp"

namespace netcl::graph {

TensorRef zeros_like(const Backward& backward, const Tensor& tensor) {
  const TensorRef zeros = ops::new_tensor(tensor.dtype(), tensor.layout().rank,
                                          tensor.layout().shape.data(), backward.run());
  return recorded<ops::filled>(backward.caller(), "fill", zeros, ops::Element{});
}

std::string literal(double value) {
  std::string text = number_text(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

TensorRef with_layout(const Tensor& tensor, const Layout& layout) {
  return std::make_shared<Tensor>(tensor.buffer(), tensor.dtype(), layout);
}

TensorRef permuted(const Tensor& tensor, std::span<const uint32_t> axes) {
  const Layout& from = tensor.layout();
  Layout layout = from;
  for (uint32_t d = 0; d < from.rank; ++d) {
    layout.shape[d] = from.shape[axes[d]];
    layout.strides[d] = from.strides[axes[d]];
  }
  return with_layout(tensor, layout);
}

TensorRef transposed(const Tensor& matrix) {
  Layout layout = matrix.layout();
  std::swap(layout.shape[layout.rank - 1], layout.shape[layout.rank - 2]);
  std::swap(layout.strides[layout.rank - 1], layout.strides[layout.rank - 2]);
  return with_layout(matrix, layout);
}

TensorRef with_unit(const Tensor& tensor, uint32_t axis) {
  Layout layout = tensor.layout();
  std::copy_backward(layout.shape.begin() + axis, layout.shape.begin() + layout.rank,
                     layout.shape.begin() + layout.rank + 1);
  std::copy_backward(layout.strides.begin() + axis, layout.strides.begin() + layout.rank,
                     layout.strides.begin() + layout.rank + 1);
  layout.shape[axis] = 1;
  layout.strides[axis] = 0;
  ++layout.rank;
  return with_layout(tensor, layout);
}

TensorRef part_of(const Tensor& tensor, uint32_t axis, int64_t first, int64_t count) {
  Layout layout = tensor.layout();
  layout.offset += first * layout.strides[axis];
  layout.shape[axis] = count;
  return with_layout(tensor, layout);
}

TensorRef along_axis(const Tensor& vector, uint32_t rank, uint32_t axis) {
  Layout layout = vector.layout();
  layout.rank = rank;
  for (uint32_t d = 0; d < rank; ++d) {
    layout.shape[d] = d == axis ? vector.layout().shape[0] : 1;
    layout.strides[d] = d == axis ? vector.layout().strides[0] : 0;
  }
  return with_layout(vector, layout);
}

TensorRef repeated(const Tensor& tensor, const Layout& shape) {
  Layout layout = tensor.layout();
  for (uint32_t d = 0; d < layout.rank; ++d) {
    if (layout.shape[d] != shape.shape[d]) layout.strides[d] = 0;
    layout.shape[d] = shape.shape[d];
  }
  return with_layout(tensor, layout);
}

TensorRef reshaped(const Caller& caller, const TensorRef& tensor, std::span<const int64_t> shape) {
  if (shape.size() > kRankMax) {
    fail(NETCL_ERROR_UNSUPPORTED, "a shape has %zu dimensions; tensors have at most %u",
         shape.size(), kRankMax);
  }
  const Layout target = reshaped_layout(*tensor, static_cast<uint32_t>(shape.size()), shape.data());
  if (TensorRef view = reshape_view(*tensor, target)) return view;
  return reshape_view(*recorded<ops::copy>(caller, "copy", TensorRef(), *tensor), target);
}

}  // namespace netcl::graph
