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
  const TensorRef numbers =
      ops::new_tensor(NETCL_I64, shape.rank, shape.shape.data(), backward.run());
  const int64_t one = 1;
  recorded<ops::range>(backward.caller(), "range", numbers, ops::Element{},
                       ops::make_element(&one, sizeof one));
  return numbers;
}

// What gradients of a scatter make again of its operands.
struct ScatterAgain {
  Backward& backward;
  const TensorRef& x;
  const TensorRef& indices;
  const TensorRef& updates;
  int32_t axis;         // of scatter
  uint32_t batch_dims;  // of scatter_nd
  bool nd;

  TensorRef scattered(const TensorRef& target, const TensorRef& values,
                      netcl_scatter_mode mode) const {
    if (nd) {
      return made<ops::scatter_nd>(backward, "scatter_nd", target, *indices, *values, batch_dims,
                                   mode, false);
    }
    return made<ops::scatter>(backward, "scatter", target, *indices, *values, axis, mode, false);
  }
  TensorRef gathered(const TensorRef& from) const {
    if (nd) return made<ops::gather_nd>(backward, "gather_nd", *from, *indices, batch_dims);
    return made<ops::gather_elements>(backward, "gather_elements", *from, *indices, axis);
  }
};

// An update is multiplied by x and by the other updates at its place. Their product is that of what
// is not zero there, divided by the update, unless another one is zero.
void add_scatter_product_gradients(const ScatterAgain& again) {
  Backward& backward = again.backward;
  const TensorRef& grad = backward.grad();
  if (backward.wants(again.x)) {
    backward.add(again.x, again.scattered(grad, again.updates, NETCL_SCATTER_MUL));
  }
  if (!backward.wants(again.updates)) return;
  const netcl_dtype wide = again.x->dtype() == NETCL_F64 ? NETCL_F64 : NETCL_F32;
  const auto each = [&](const char* text, const TensorRef& tensor) {
    return formula(backward, text, {tensor}, wide);
  };
  const TensorRef zeros = again.gathered(again.scattered(
      each("v0 == 0 ? 1 : 0", again.x), each("v0 == 0 ? 1 : 0", again.updates), NETCL_SCATTER_ADD));
  const TensorRef product = again.gathered(again.scattered(
      each("v0 == 0 ? 1 : v0", again.x), each("v0 == 0 ? 1 : v0", again.updates),
      NETCL_SCATTER_MUL));
  const TensorRef others = formula(
      backward, "v2 == 0 ? (v0 == 1 ? v1 : 0) : (v0 == 0 ? v1 / v2 : 0)",
      {zeros, product, again.updates}, wide);
  // What holds where nothing is zero would be taken for the derivative at zeros too: running
  // products, of one element each here, have none, so gradients of this one are refused.
  const int64_t column[2] = {others->element_count(), 1};
  const TensorRef constant = made<ops::scan>(
      backward, "scan", *reshape_view(*others, packed_layout(2, column)),
      netcl_reduction{NETCL_REDUCTION_PROD}, int32_t{1}, false, false);
  const Layout& shape = again.updates->layout();
  backward.add(again.updates,
               formula(backward, "v0 * v1",
                       {reshape_view(*constant, packed_layout(shape.rank, shape.shape.data())),
                        again.gathered(grad)},
                       again.updates->dtype()));
}

// Elements and updates that are the extreme of their place share the gradient.
void add_scatter_extreme_gradients(const ScatterAgain& again) {
  Backward& backward = again.backward;
  const netcl_dtype wide = again.x->dtype() == NETCL_F64 ? NETCL_F64 : NETCL_F32;
  const TensorRef& extreme = backward.result();
  const TensorRef at_updates = again.gathered(extreme);
  const TensorRef ties = again.scattered(
      formula(backward, "v0 == v1 ? 1 : 0", {again.x, extreme}, wide),
      formula(backward, "v0 == v1 ? 1 : 0", {again.updates, at_updates}, wide), NETCL_SCATTER_ADD);
  const TensorRef share = formula(backward, "v0 / v1", {backward.grad(), ties}, wide);
  if (backward.wants(again.x)) {
    backward.add(again.x, formula(backward, "v0 == v1 ? v2 : 0", {again.x, extreme, share},
                                  again.x->dtype()));
  }
  if (!backward.wants(again.updates)) return;
  backward.add(again.updates,
               formula(backward, "v0 == v1 ? v2 : 0",
                       {again.updates, at_updates, again.gathered(share)},
                       again.updates->dtype()));
}

// Of updates that meet in one place under ASSIGN the last is there: it alone has the gradient. The
// one that won is found by writing the number of each update instead of its value.
void add_scatter_assign_gradients(const ScatterAgain& again) {
  Backward& backward = again.backward;
  const TensorRef& updates = again.updates;
  const netcl_scatter_mode assign = NETCL_SCATTER_ASSIGN;
  if (backward.wants(again.x)) {
    backward.add(again.x,
                 again.scattered(backward.grad(), zeros_like(backward, *updates), assign));
  }
  if (!backward.wants(updates)) return;
  const TensorRef numbers = numbered(backward, updates->layout());
  const TensorRef nobody =
      made<ops::cast>(backward, "cast", *zeros_like(backward, *again.x), netcl_dtype{NETCL_I64});
  const TensorRef last = again.gathered(again.scattered(nobody, numbers, assign));
  const TensorRef values = again.gathered(backward.grad());
  backward.add(updates,
               formula(backward, "v0 == v1 ? v2 : 0", {last, numbers, values}, updates->dtype()));
}

void add_scatter_gradients(const ScatterAgain& again, netcl_scatter_mode mode) {
  if (mode == NETCL_SCATTER_MUL) return add_scatter_product_gradients(again);
  if (mode == NETCL_SCATTER_ASSIGN) return add_scatter_assign_gradients(again);
  if (mode != NETCL_SCATTER_ADD) return add_scatter_extreme_gradients(again);
  Backward& backward = again.backward;
  backward.add(again.x, backward.grad());
  if (backward.wants(again.updates)) {
    backward.add(again.updates, again.gathered(backward.grad()));
  }
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

void scatter_gradients(Backward& backward, const TensorRef& x, const TensorRef& indices,
                       const TensorRef& updates, int32_t axis, netcl_scatter_mode mode, bool) {
  add_scatter_gradients({backward, x, indices, updates, axis, 0, false}, mode);
}

void gather_nd_gradients(Backward& backward, const TensorRef& x, const TensorRef& indices,
                         uint32_t batch_dims) {
  if (!backward.wants(x)) return;
  backward.add(x, made<ops::scatter_nd>(backward, "scatter_nd", zeros_like(backward, *x), *indices,
                                        *backward.grad(), batch_dims,
                                        netcl_scatter_mode{NETCL_SCATTER_ADD}, false));
}

void scatter_nd_gradients(Backward& backward, const TensorRef& x, const TensorRef& indices,
                          const TensorRef& updates, uint32_t batch_dims, netcl_scatter_mode mode,
                          bool) {
  add_scatter_gradients({backward, x, indices, updates, 0, batch_dims, true}, mode);
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
