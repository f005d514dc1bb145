// Gradients of ops that move elements by indices.
#include "graph/rule.hpp"
#include "ops/frame/result.hpp"

namespace netcl::graph {

namespace {

// Zeros with updates added at indices along an axis, in the shape of `like`.
TensorRef scattered(const Backward& backward, const Tensor& like, const Tensor& indices,
                    const Tensor& updates, uint32_t axis) {
  return made<ops::scatter>(backward, "scatter", zeros_like(backward, like), indices, updates,
                            static_cast<int32_t>(axis), netcl_scatter_mode{NETCL_SCATTER_ADD},
                            false);
}

// Elements of dimensions [first, first + count) as one dimension; a copy where that needs one.
TensorRef joined(const Backward& backward, const TensorRef& tensor, uint32_t first,
                 uint32_t count) {
  const Layout& from = tensor->layout();
  std::vector<int64_t> shape(from.shape.begin(), from.shape.begin() + first);
  int64_t extent = 1;
  for (uint32_t d = first; d < first + count; ++d) extent *= from.shape[d];
  shape.push_back(extent);
  shape.insert(shape.end(), from.shape.begin() + first + count, from.shape.begin() + from.rank);
  const Layout target = packed_layout(static_cast<uint32_t>(shape.size()), shape.data());
  if (TensorRef view = reshape_view(*tensor, target)) return view;
  return reshape_view(*made<ops::copy>(backward, "copy", *tensor), target);
}

// 0, 1, 2 ... as i64 in C order.
TensorRef numbered(const Backward& backward, const Layout& shape) {
  const int64_t count = shape.element_count();
  const TensorRef ones = ops::new_tensor(NETCL_I64, 1, &count, backward.run());
  recorded_formula(backward.caller(), "1", {}, NETCL_I64, ones);
  return reshape_view(
      *made<ops::scan>(backward, "scan", *ones, netcl_reduction{NETCL_REDUCTION_SUM}, int32_t{0},
                       true, false),
      packed_layout(shape.rank, shape.shape.data()));
}

}  // namespace

// The axis of x became all dimensions of the indices.
void gather_gradients(Backward& backward, const TensorRef& x, const TensorRef& indices,
                      int32_t axis) {
  if (!backward.wants(x)) return;
  backward.check(*indices);
  const uint32_t along = ops::checked_axis(axis, x->layout().rank, "axis");
  const uint32_t rank = indices->layout().rank;
  const TensorRef updates = joined(backward, backward.grad(), along, rank);
  const TensorRef list = joined(backward, indices, 0, rank);
  Layout places = updates->layout();
  places.offset = list->layout().offset;
  places.strides = {};
  places.strides[along] = list->layout().strides[0];
  backward.add(x, scattered(backward, *x, *with_layout(*list, places), *updates, along));
}

void gather_elements_gradients(Backward& backward, const TensorRef& x, const TensorRef& indices,
                               int32_t axis) {
  if (!backward.wants(x)) return;
  const uint32_t along = ops::checked_axis(axis, x->layout().rank, "axis");
  backward.add(x, scattered(backward, *x, *indices, *backward.grad(), along));
}

// Of updates that meet in one place under ASSIGN the last is there: it alone has the gradient. The
// one that won is found by writing the number of each update instead of its value.
void scatter_gradients(Backward& backward, const TensorRef& x, const TensorRef& indices,
                       const TensorRef& updates, int32_t axis, netcl_scatter_mode mode, bool) {
  const TensorRef& grad = backward.grad();
  const auto gathered = [&](const TensorRef& from) {
    return made<ops::gather_elements>(backward, "gather_elements", *from, *indices, axis);
  };
  if (mode == NETCL_SCATTER_ADD) {
    backward.add(x, grad);
    if (backward.wants(updates)) backward.add(updates, gathered(grad));
    return;
  }
  const auto assigned = [&](const TensorRef& target, const TensorRef& values) {
    return made<ops::scatter>(backward, "scatter", target, *indices, *values, axis,
                              netcl_scatter_mode{NETCL_SCATTER_ASSIGN}, false);
  };
  if (backward.wants(x)) {
    backward.add(x, assigned(grad, zeros_like(backward, *updates)));
  }
  if (!backward.wants(updates)) return;
  const TensorRef numbers = numbered(backward, updates->layout());
  const TensorRef nobody =
      made<ops::cast>(backward, "cast", *zeros_like(backward, *x), netcl_dtype{NETCL_I64});
  const TensorRef last = gathered(assigned(nobody, numbers));
  const TensorRef values = gathered(grad);
  backward.add(updates,
               formula(backward, "v0 == v1 ? v2 : 0", {last, numbers, values}, updates->dtype()));
}

void topk_gradients(Backward& backward, const TensorRef& x, int64_t k, int32_t axis, bool smallest,
                    bool) {
  if (!backward.wants(x) || backward.grad() == nullptr) return;
  TensorRef places = backward.result(1);
  if (places == nullptr || !backward.is_intact(*places)) {
    backward.check(*x);
    places = recorded<ops::topk>(backward.caller(), "topk", ops::TopkResult{}, *x, k, axis,
                                 smallest, true)
                 .indices;
  }
  const uint32_t along = ops::checked_axis(axis, x->layout().rank, "axis");
  backward.add(x, scattered(backward, *x, *places, *backward.grad(), along));
}

}  // namespace netcl::graph
