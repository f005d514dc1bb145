#include "graph/adjoints.hpp"

#include <algorithm>

#include "graph/region.hpp"
#include "graph/rule.hpp"

namespace netcl::graph {

namespace {

// The same elements in another shape with as many of them.
TensorRef reshaped(const Caller& caller, const TensorRef& tensor, const Layout& shape) {
  if (tensor->layout().same_shape(shape)) return tensor;
  const Layout target = packed_layout(shape.rank, shape.shape.data());
  if (TensorRef view = reshape_view(*tensor, target)) return view;
  return reshape_view(*recorded<ops::copy>(caller, "copy", TensorRef(), *tensor), target);
}

void add_into(const Caller& caller, const TensorRef& target, const TensorRef& more) {
  recorded_formula(caller, "v0 + v1", {target, more}, target->dtype(), target);
}

// Parts of a tensor whose elements share memory get their gradients one after the other.
constexpr int64_t kPartsMost = 4096;

bool is_whole(const Tensor& tensor) {
  const Layout& layout = tensor.layout();
  return layout.offset == 0 && layout.is_c_contiguous() &&
         tensor.byte_count() == tensor.buffer()->bytes();
}

}  // namespace

// Where elements were repeated their gradients are summed.
Adjoints::Piece Adjoints::piece_of(const Tensor& at, const TensorRef& gradient) const {
  Region region = region_of(at.layout());
  Layout value = region.layout;
  value.offset = gradient->layout().offset;
  std::vector<int32_t> repeated;
  uint32_t rank = region.layout.rank;
  for (uint32_t i = 0; i < rank; ++i) {
    value.strides[i] = gradient->layout().strides[region.axes[i]];
    if (region.layout.strides[i] == 0) repeated.push_back(static_cast<int32_t>(i));
  }
  TensorRef values = with_layout(*gradient, value);
  if (!repeated.empty()) {
    ops::ReduceRequest request;
    request.kind = NETCL_REDUCTION_SUM;
    request.axes = repeated;
    request.dtype = at.dtype();
    values = recorded<ops::reduce>(caller_, "reduce", TensorRef(), *values, request);
    // Strides of 0 come last in the order of memory.
    region.layout.rank -= static_cast<uint32_t>(repeated.size());
  }
  if (may_overlap_itself(region.layout)) {
    fail(NETCL_ERROR_UNSUPPORTED,
         "a view has shape %s and strides %s; gradients of elements that share memory are known "
         "where at most %lld do",
         shape_text(at).c_str(), shape_text(at.layout().rank, at.layout().strides.data()).c_str(),
         static_cast<long long>(kPartsMost));
  }
  return {with_layout(at, region.layout), std::move(values), false};
}

// Gives a piece a place for every element of its memory.
void Adjoints::spread(Piece* piece) {
  if (is_whole(*piece->at) && piece->own) return;
  const Tensor& at = *piece->at;
  const auto count = static_cast<int64_t>(at.buffer()->bytes() / at.element_size());
  const TensorRef whole =
      std::make_shared<Tensor>(at.buffer(), at.dtype(), packed_layout(1, &count));
  TensorRef values = ops::new_tensor(whole->dtype(), whole->layout().rank,
                                     whole->layout().shape.data(), caller_.run);
  recorded<ops::filled>(caller_, "fill", values, ops::Element{});
  recorded<ops::copy>(caller_, "copy", with_layout(*values, piece->at->layout()), *piece->value);
  *piece = {whole, std::move(values), true};
}

void Adjoints::join(Piece* piece, const Piece& more) {
  if (!same_region(piece->at->layout(), more.at->layout())) {
    spread(piece);
    add_into(caller_, with_layout(*piece->value, more.at->layout()), more.value);
    return;
  }
  const TensorRef values = reshaped(caller_, more.value, piece->value->layout());
  if (piece->own) return add_into(caller_, piece->value, values);
  piece->value = recorded_formula(caller_, "v0 + v1", {piece->value, values}, piece->at->dtype());
  piece->own = true;
}

// Adds the gradients of elements that meet others in memory, as those of windows do; false where
// none do, or where they are too many.
bool Adjoints::add_parts(const Tensor& at, const TensorRef& gradient) {
  Layout layout = at.layout();
  for (uint32_t d = 0; d < layout.rank; ++d) {
    if (layout.strides[d] == 0) layout.shape[d] = 1;  // these are summed
  }
  const uint32_t axis = overlapping_dimension(layout);
  if (axis == NETCL_RANK_MAX) return false;
  const int64_t extent = layout.shape[axis];
  int64_t parts = 1;
  for (uint32_t d = axis; d != NETCL_RANK_MAX; d = overlapping_dimension(layout)) {
    if (layout.shape[d] > kPartsMost / parts) return false;
    parts *= layout.shape[d];
    layout.shape[d] = 1;
  }
  for (int64_t i = 0; i < extent; ++i) {
    add(*part_of(at, axis, i, 1), part_of(*gradient, axis, i, 1));
  }
  return true;
}

void Adjoints::check_open(const Tensor& at) const {
  for (const Closed& closed : closed_) {
    if (!disjoint(*closed.at, at)) fail_of_outside_write(at, closed.writer);
  }
}

void Adjoints::add(const Tensor& at, TensorRef gradient) {
  if (at.empty() || add_parts(at, gradient)) return;
  check_open(at);
  Piece piece = piece_of(at, gradient);
  const auto known = pieces_.find(at.memory());
  if (known == pieces_.end()) {
    pieces_.emplace(at.memory(), std::move(piece));
  } else if (known->second.at->dtype() != at.dtype()) {
    fail(NETCL_ERROR_UNSUPPORTED, "one memory holds %s and %s; it has gradients of one dtype",
         dtype_facts(known->second.at->dtype()).name, dtype_facts(at.dtype()).name);
  } else {
    join(&known->second, piece);
  }
}

TensorRef Adjoints::get(const Tensor& at) {
  const auto known = pieces_.find(at.memory());
  if (at.empty() || known == pieces_.end()) return nullptr;
  Piece& piece = known->second;
  const Region region = region_of(at.layout());
  if (!same_region(piece.at->layout(), at.layout())) {
    if (disjoint(*piece.at, at)) return nullptr;
    spread(&piece);
    return recorded<ops::copy>(caller_, "copy", TensorRef(),
                               *with_layout(*piece.value, at.layout()));
  }
  piece.own = false;
  const TensorRef values = reshaped(caller_, piece.value, region.layout);
  Layout layout = at.layout();
  layout.offset = values->layout().offset;
  layout.strides = {};
  for (uint32_t i = 0; i < region.layout.rank; ++i) {
    layout.strides[region.axes[i]] = values->layout().strides[i];
  }
  return with_layout(*values, layout);
}

void Adjoints::clear(const Tensor& at) {
  const auto known = pieces_.find(at.memory());
  if (at.empty() || known == pieces_.end()) return;
  Piece& piece = known->second;
  if (is_whole(at) || same_region(piece.at->layout(), at.layout())) {
    pieces_.erase(known);
  } else if (!disjoint(*piece.at, at)) {
    spread(&piece);
    recorded<ops::filled>(caller_, "fill", with_layout(*piece.value, at.layout()), ops::Element{});
  }
}

}  // namespace netcl::graph
