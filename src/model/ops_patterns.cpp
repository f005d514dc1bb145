// What nodes that onnx_patterns.cpp has joined are: the op, where the tensors fit it, or what the
// file says.
#include <algorithm>
#include <cmath>

#include "model/op_table.hpp"
#include "ops/attention/attention.hpp"
#include "ops/matmul/matmul.hpp"
#include "ops/reduce/reduce.hpp"
#include "ops/rows/norm.hpp"
#include "ops/rows/softmax.hpp"

namespace netcl::model {

namespace {

bool is_wide(const Tensor& tensor) {
  return tensor.dtype() == NETCL_F32 || tensor.dtype() == NETCL_F64;
}

// ---- Normalisations ----------------------------------------------------------------------------

// The first of the axes from which on all are normalised; the rank where they are others.
uint32_t first_axis(const Tensor& x, const std::vector<int64_t>& axes) {
  const uint32_t rank = x.layout().rank;
  std::vector<char> taken(rank, 0);
  for (const int64_t axis : axes) taken[axis_of(axis, rank)] = 1;
  const auto first = std::find(taken.begin(), taken.end(), 1);
  const bool all = std::find(first, taken.end(), 0) == taken.end();
  return all ? static_cast<uint32_t>(first - taken.begin()) : rank;
}

// A weight as it is laid along the axes from one on; null where it has another shape.
TensorRef along_axes(const Call& call, const TensorRef& weight, const Tensor& x, uint32_t first) {
  std::vector<int64_t> shape = shape_of(*weight);
  while (shape.size() > x.layout().rank - first && shape[0] == 1) shape.erase(shape.begin());
  const auto from = x.layout().shape.begin() + first;
  if (weight->dtype() != x.dtype() ||
      !std::equal(shape.begin(), shape.end(), from, x.layout().shape.begin() + x.layout().rank)) {
    return nullptr;
  }
  return call.reshaped(weight, shape);
}

TensorRef mean_along(const Call& call, const TensorRef& x, const std::vector<int64_t>& axes) {
  std::vector<int32_t> list;
  for (const int64_t axis : axes) {
    list.push_back(static_cast<int32_t>(axis_of(axis, x->layout().rank)));
  }
  ops::ReduceRequest request;
  request.kind = NETCL_REDUCTION_MEAN;
  request.axes = list;
  request.keepdims = true;
  return call.made<ops::reduce>("reduce", *x, request);
}

void build_joined_norm(Call& call) {
  const TensorRef x = call.tensor(0);
  TensorRef scale = call.optional(1), bias = call.optional(2), made;
  const std::vector<int64_t> axes = call.integers("axes");
  const bool centred = call.integer("centred", 1) != 0;
  const double epsilon = call.real("epsilon", 0);
  const uint32_t first = first_axis(*x, axes);
  if (is_wide(*x) && first < x->layout().rank) {
    ops::NormSettings settings;
    settings.epsilon = epsilon;
    settings.centred = centred;
    if (scale != nullptr) settings.scale = along_axes(call, scale, *x, first);
    // A bias comes behind all of a scale.
    if (bias != nullptr && (scale == nullptr || settings.scale != nullptr)) {
      settings.bias = along_axes(call, bias, *x, first);
    }
    if (settings.scale != nullptr) scale = nullptr;
    if (settings.bias != nullptr) bias = nullptr;
    made = call.made_into<ops::norm>(centred ? "joined layernorm" : "joined rmsnorm",
                                     ops::NormResult(), *x, static_cast<int32_t>(first), settings,
                                     false, false)
               .y;
  } else {
    const TensorRef rest =
        centred ? call.formula("v0 - v1", {x, mean_along(call, x, axes)}, x->dtype()) : x;
    const TensorRef variance = mean_along(call, call.formula("v0 * v0", {rest}, x->dtype()), axes);
    made = call.formula("v0 / sqrt(v1 + " + graph::literal(epsilon) + ")", {rest, variance},
                        x->dtype());
  }
  if (scale != nullptr) made = call.formula("v0 * v1", {made, scale}, x->dtype());
  if (bias != nullptr) made = call.formula("v0 + v1", {made, bias}, x->dtype());
  call.give(made);
}

// ---- Attention ---------------------------------------------------------------------------------

// What heads attention takes (netcl_op_attention).
constexpr int64_t kJoinedHeadMost = 256;

// Whether a tensor broadcasts to the scores, and does not widen them.
bool broadcasts_to(const Tensor& mask, const std::vector<int64_t>& scores) {
  const Layout& layout = mask.layout();
  if (layout.rank > scores.size()) return false;
  for (uint32_t d = 0; d < layout.rank; ++d) {
    const int64_t extent = layout.shape[layout.rank - 1 - d];
    if (extent != 1 && extent != scores[scores.size() - 1 - d]) return false;
  }
  return true;
}

// q [..., M, D], k [..., D, N], v [..., N, E] and a mask for [..., M, N], of one or two dimensions
// in front.
bool fits_attention(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor* mask) {
  const uint32_t rank = q.layout().rank;
  const auto &left = q.layout().shape, &keys = k.layout().shape, &values = v.layout().shape;
  if ((rank != 3 && rank != 4) || k.layout().rank != rank || v.layout().rank != rank) return false;
  if (!is_wide(q) || k.dtype() != q.dtype() || v.dtype() != q.dtype()) return false;
  if (q.empty() || k.empty() || v.empty()) return false;
  for (uint32_t d = 0; d + 2 < rank; ++d) {
    if (keys[d] != left[d] || values[d] != left[d]) return false;
  }
  const uint32_t row = rank - 2, column = rank - 1;
  if (keys[row] != left[column] || values[row] != keys[column]) return false;
  if (left[column] > kJoinedHeadMost || values[column] > kJoinedHeadMost) return false;
  std::vector<int64_t> scores = shape_of(q);
  scores[column] = keys[column];
  return mask == nullptr || (mask->dtype() == q.dtype() && broadcasts_to(*mask, scores));
}

TensorRef product_of(const Call& call, const TensorRef& a, const TensorRef& b) {
  return call.made<ops::matmul>("matmul", *a, *b, ops::MatmulParameters{});
}

// The nodes as they are in the file, but for the places of the factors.
TensorRef attention_apart(const Call& call, double scale, bool guarded) {
  const TensorRef product = product_of(call, call.tensor(0), call.tensor(1));
  const std::string text = "v0 * " + graph::literal(scale);
  const TensorRef mask = call.optional(3);
  const TensorRef scores = mask == nullptr
                               ? call.formula(text, {product}, product->dtype())
                               : call.formula(text + " + v1", {product, mask}, product->dtype());
  TensorRef odds = call.made<ops::softmax>("softmax", *scores, int32_t{-1}, false);
  if (guarded) odds = call.formula("isnan(v0) ? 0 : v0", {odds}, odds->dtype());
  return product_of(call, odds, call.tensor(2));
}

void build_joined_attention(Call& call) {
  const double scale = call.real("scale", 1);
  const TensorRef q = call.tensor(0), k = call.tensor(1), v = call.tensor(2);
  const TensorRef mask = call.optional(3);
  // Attention takes no scale that is far from 1.
  const bool scales = std::fabs(scale) > 1e-6 && std::fabs(scale) < 1e6;
  if (!scales || !fits_attention(*q, *k, *v, mask.get())) {
    return call.give(attention_apart(call, scale, call.integer("guarded", 0) != 0));
  }
  const bool flat = q->layout().rank == 3;
  const auto with_head = [&](const TensorRef& tensor) {
    return flat ? graph::with_unit(*tensor, 1) : tensor;
  };
  ops::AttentionSettings settings;
  settings.has_scale = true;
  settings.scale = scale;
  settings.bias = mask;
  if (mask != nullptr && flat && mask->layout().rank == 3) settings.bias = with_head(mask);
  const TensorRef made = call.made_into<ops::attention>(
                                 "joined attention", ops::AttentionResult{}, *with_head(q),
                                 *with_head(graph::transposed(*k)), *with_head(v), settings, false)
                             .result;
  std::vector<int64_t> shape = shape_of(*q);
  shape.back() = v->layout().shape[v->layout().rank - 1];
  call.give(call.reshaped(made, shape));
}

constexpr OpRow kPatternRows[] = {
    {"attention", "guarded scale", build_joined_attention},
    {"norm", "axes centred epsilon", build_joined_norm},
};

}  // namespace

const OpRow* find_pattern(std::string_view op) noexcept {
  for (const OpRow& row : kPatternRows) {
    if (op == row.op) return &row;
  }
  return nullptr;
}

}  // namespace netcl::model
