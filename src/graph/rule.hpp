// What the rules of op_gradients.hpp are written with.
#pragma once

#include "graph/recorded.hpp"

namespace netcl::graph {

inline void check_each(const Backward& backward, const Tensor& tensor) { backward.check(tensor); }
template <class T>
void check_each(const Backward& backward, const T& argument) {
  each_tensor(argument, [&](const TensorRef& tensor) { backward.check(*tensor); });
}

// The result of an op, with what it reads checked.
template <auto Op, class... Arguments>
TensorRef made(const Backward& backward, const char* name, const Arguments&... arguments) {
  (check_each(backward, arguments), ...);
  return recorded<Op>(backward.caller(), name, TensorRef(), arguments...);
}

// A formula over tensors, in `dtype` or as the tensors have it.
inline TensorRef formula(const Backward& backward, const char* text,
                         std::initializer_list<TensorRef> inputs, netcl_dtype dtype = 0) {
  for (const TensorRef& input : inputs) backward.check(*input);
  return recorded_formula(backward.caller(), text, inputs, dtype);
}

// A new tensor of zeros of the shape and dtype of another.
TensorRef zeros_like(const Backward& backward, const Tensor& tensor);

// A number as a floating literal of the language of expressions.
std::string literal(double value);

// Views.
TensorRef with_layout(const Tensor& tensor, const Layout& layout);
// With the axes in another order: dimension i is axes[i] of the tensor.
TensorRef permuted(const Tensor& tensor, std::span<const uint32_t> axes);
// With the last two axes exchanged.
TensorRef transposed(const Tensor& matrix);
// A dimension of extent 1 put in before `axis`.
TensorRef with_unit(const Tensor& tensor, uint32_t axis);
// `count` elements from `first` on along an axis.
TensorRef part_of(const Tensor& tensor, uint32_t axis, int64_t first, int64_t count);
// A vector laid along one axis of a tensor of `rank` dimensions.
TensorRef along_axis(const Tensor& vector, uint32_t rank, uint32_t axis);
// Repeated to a shape of the same rank, in which it has extent 1 where it is repeated.
TensorRef repeated(const Tensor& tensor, const Layout& shape);

// The same elements in another shape: a view where there is one, else of a copy.
TensorRef reshaped(const Caller& caller, const TensorRef& tensor, std::span<const int64_t> shape);

}  // namespace netcl::graph
