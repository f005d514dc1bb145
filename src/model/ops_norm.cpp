// Normalisations and softmax.
#include "model/op_table.hpp"
#include "ops/conv2d/pooling.hpp"
#include "ops/reduce/reduce.hpp"
#include "ops/rows/batchnorm.hpp"
#include "ops/rows/norm.hpp"
#include "ops/rows/softmax.hpp"

namespace netcl::model {

namespace {

TensorRef reduced(const Call& call, const TensorRef& x, netcl_reduction kind,
                  std::span<const int32_t> axes) {
  ops::ReduceRequest request;
  request.kind = kind;
  request.axes = axes;
  request.keepdims = true;
  return call.made<ops::reduce>("reduce", *x, request);
}

// Before opset 13 an axis stood for all from there on.
void build_softmax(Call& call) {
  const TensorRef x = call.tensor(0);
  const bool logarithm = call.op() == "LogSoftmax";
  const bool by_rows = call.opset() < 13;
  const int64_t axis = call.integer("axis", by_rows ? 1 : -1);
  if (!by_rows) {
    return call.give(call.made<ops::softmax>(
        "softmax", *x, static_cast<int32_t>(axis_of(axis, x->layout().rank)), logarithm));
  }
  const uint32_t first =
      axis == x->layout().rank ? x->layout().rank : axis_of(axis, x->layout().rank);
  int64_t rows = 1;
  for (uint32_t d = 0; d < first; ++d) rows *= x->layout().shape[d];
  const int64_t matrix[2] = {rows, x->empty() ? 0 : x->element_count() / rows};
  if (x->empty()) return call.give(x);
  const TensorRef made =
      call.made<ops::softmax>("softmax", *call.reshaped(x, matrix), int32_t{1}, logarithm);
  call.give(call.reshaped(made, shape_of(*x)));
}

// 1 at the first largest element of an axis.
void build_hardmax(Call& call) {
  TensorRef x = call.tensor(0);
  const std::vector<int64_t> shape = shape_of(*x);
  uint32_t axis = axis_of(call.integer("axis", call.opset() < 13 ? 1 : -1), x->layout().rank);
  if (call.opset() < 13) {
    int64_t rows = 1;
    for (uint32_t d = 0; d < axis; ++d) rows *= shape[d];
    const int64_t matrix[2] = {rows, rows == 0 ? 0 : x->element_count() / rows};
    x = call.reshaped(x, matrix);
    axis = 1;
  }
  const std::array<int32_t, 1> axes = {static_cast<int32_t>(axis)};
  const TensorRef first = reduced(call, x, NETCL_REDUCTION_ARGMAX, axes);
  std::vector<int64_t> line(x->layout().rank, 1);
  line[axis] = x->layout().shape[axis];
  const TensorRef made =
      call.formula("v0 == v1", {first, call.counted(NETCL_I64, line)}, x->dtype());
  call.give(call.reshaped(made, shape));
}

void build_batchnorm(Call& call) {
  const TensorRef x = call.tensor(0);
  ops::BatchnormSettings settings;
  settings.epsilon = call.real("epsilon", 1e-5);
  settings.scale = call.tensor(1);
  settings.bias = call.tensor(2);
  TensorRef mean = call.tensor(3), variance = call.tensor(4);
  // Statistics may have another type than the image: f32 does for all.
  for (TensorRef* const tensor : {&settings.scale, &settings.bias, &mean, &variance}) {
    if ((*tensor)->dtype() != x->dtype() && x->dtype() != NETCL_F64) {
      *tensor = call.cast(*tensor, NETCL_F32);
    }
  }
  if (call.integer("training_mode", 0) == 0) {
    return call.give(call.made<ops::batchnorm>("batchnorm", *x, *mean, *variance, settings));
  }
  // What moves towards the statistics of this batch are new tensors.
  const double momentum = call.real("momentum", 0.9);
  const uint32_t rank = x->layout().rank;
  std::vector<int32_t> axes;
  for (uint32_t d = 0; d < rank; ++d) {
    if (d != 1) axes.push_back(static_cast<int32_t>(d));
  }
  const TensorRef own_mean = reduced(call, x, NETCL_REDUCTION_MEAN, axes);
  const TensorRef own_variance =
      reduced(call, call.formula("square(v0 - v1)", {x, own_mean}), NETCL_REDUCTION_MEAN, axes);
  const int64_t channels[1] = {x->layout().shape[1]};
  const TensorRef flat_mean = call.reshaped(own_mean, channels);
  const TensorRef flat_variance = call.reshaped(own_variance, channels);
  call.give(call.made<ops::batchnorm>("batchnorm", *x, *flat_mean, *flat_variance, settings));
  const std::string moved =
      "v0 * " + graph::literal(momentum) + " + v1 * " + graph::literal(1.0 - momentum);
  call.give(1, call.formula(moved, {mean, flat_mean}, mean->dtype()));
  call.give(2, call.formula(moved, {variance, flat_variance}, variance->dtype()));
}

// The axes from one on are normalised; scale and bias have their shape, or broadcast to it.
void build_layernorm(Call& call) {
  const TensorRef x = call.tensor(0);
  const bool centred = call.op() == "LayerNormalization";
  // Only a wide stash keeps what is rounded away.
  const uint32_t axis = axis_of(call.integer("axis", -1), x->layout().rank);
  ops::NormSettings settings;
  settings.epsilon = call.real("epsilon", 1e-5);
  settings.centred = centred;
  settings.scale = call.tensor(1);
  if (centred) settings.bias = call.optional(2);
  const ops::NormResult made =
      call.made_into<ops::norm>("norm", ops::NormResult(), *x, static_cast<int32_t>(axis), settings,
                                call.wants(1), call.wants(2));
  call.give(made.y);
  call.give(1, made.mean);
  call.give(2, made.inverse);
}

// Groups of channels of each image are rows, which are normalised; then each channel has a scale
// and a bias.
void normalise_groups(Call& call, int64_t groups, bool per_group) {
  const TensorRef x = call.tensor(0);
  const std::vector<int64_t> shape = shape_of(*x);
  if (shape.size() < 2 || groups < 1 || shape[1] % groups != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "the input has shape %s and %lld groups of channels",
         shape_text(*x).c_str(), static_cast<long long>(groups));
  }
  if (x->empty()) return call.give(x);
  ops::NormSettings settings;
  settings.epsilon = call.real("epsilon", 1e-5);
  const int64_t rows = shape[0] * groups;
  const int64_t matrix[2] = {rows, x->element_count() / rows};
  TensorRef made = call.made_into<ops::norm>("norm", ops::NormResult(), *call.reshaped(x, matrix),
                                             int32_t{1}, settings, false, false)
                       .y;
  // [N, groups, channels of a group, elements of a channel]
  const int64_t parts[4] = {shape[0], groups, shape[1] / groups,
                            x->element_count() / (shape[0] * shape[1])};
  const int64_t line[4] = {1, groups, per_group ? 1 : parts[2], 1};
  made = call.formula("v0 * v1 + v2",
                      {call.reshaped(made, parts), call.reshaped(call.tensor(1), line),
                       call.reshaped(call.tensor(2), line)},
                      x->dtype());
  call.give(call.reshaped(made, shape));
}

void build_instance_norm(Call& call) {
  const TensorRef x = call.tensor(0);
  normalise_groups(call, x->layout().rank > 1 ? x->layout().shape[1] : 0, false);
}

// Before opset 21 a group had one scale and one bias.
void build_group_norm(Call& call) {
  normalise_groups(call, call.integer("num_groups", 0), call.opset() < 21);
}

void build_lp_norm(Call& call) {
  const TensorRef x = call.tensor(0);
  const std::array<int32_t, 1> axes = {
      static_cast<int32_t>(axis_of(call.integer("axis", -1), x->layout().rank))};
  const bool first = call.integer("p", 2) == 1;
  const TensorRef length = reduced(call, x, first ? NETCL_REDUCTION_L1 : NETCL_REDUCTION_L2, axes);
  call.give(call.formula("v1 == 0.0 ? v1 : v0 / v1", {x, length}, x->dtype()));
}

void build_mean_variance(Call& call) {
  const TensorRef x = call.tensor(0);
  std::vector<int32_t> axes;
  for (const int64_t axis : call.integers("axes", {0, 2, 3})) {
    axes.push_back(static_cast<int32_t>(axis_of(axis, x->layout().rank)));
  }
  const TensorRef mean = reduced(call, x, NETCL_REDUCTION_MEAN, axes);
  const TensorRef centred = call.formula("v0 - v1", {x, mean}, x->dtype());
  const TensorRef variance =
      reduced(call, call.formula("square(v0)", {centred}, x->dtype()), NETCL_REDUCTION_MEAN, axes);
  call.give(call.formula("v0 / (sqrt(v1) + 1e-9)", {centred, variance}, x->dtype()));
}

// x / (bias + alpha / size * sum of squares of the channels around)^beta.
void build_lrn(Call& call) {
  const TensorRef x = call.tensor(0);
  const std::vector<int64_t> shape = shape_of(*x);
  const int64_t size = call.integer("size", 0);
  if (shape.size() < 2 || size < 1 || size > INT32_MAX || x->empty()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "the input has shape %s and size is %lld",
         shape_text(*x).c_str(), static_cast<long long>(size));
  }
  const int64_t planes[4] = {shape[0], 1, shape[1], x->element_count() / (shape[0] * shape[1])};
  ops::PoolParameters parameters;
  parameters.window = {size, 1};
  parameters.padding = {(size - 1) / 2, 0, size - 1 - (size - 1) / 2, 0};
  parameters.count_include_pad = true;
  const TensorRef squares = call.formula("square(v0)", {call.reshaped(x, planes)}, x->dtype());
  const TensorRef means =
      call.made_into<ops::pool>("pool", ops::PoolResult(), *squares,
                                netcl_pooling{NETCL_POOLING_AVERAGE}, parameters, false, false)
          .values;
  const std::string text = "v0 / pow(" + graph::literal(call.real("bias", 1.0)) + " + " +
                           graph::literal(call.real("alpha", 0.0001)) + " * v1, " +
                           graph::literal(call.real("beta", 0.75)) + ")";
  call.give(call.formula(text, {x, call.reshaped(means, shape)}, x->dtype()));
}

std::string refuse_lp_norm(const NodeFacts& node) {
  const int64_t p = node.integer("p", 2);
  return p == 1 || p == 2 ? "" : "p other than 1 and 2";
}

constexpr OpRow kNormRows[] = {
    {"BatchNormalization", "epsilon momentum spatial training_mode", build_batchnorm},
    {"GroupNormalization", "epsilon num_groups stash_type", build_group_norm},
    {"Hardmax", "axis", build_hardmax},
    {"InstanceNormalization", "epsilon", build_instance_norm},
    {"LayerNormalization", "axis epsilon stash_type", build_layernorm},
    {"LRN", "alpha beta bias size", build_lrn},
    {"LogSoftmax", "axis", build_softmax},
    {"LpNormalization", "axis p", build_lp_norm, "", refuse_lp_norm},
    {"MeanVarianceNormalization", "axes", build_mean_variance},
    {"RMSNormalization", "axis epsilon stash_type", build_layernorm},
    {"Softmax", "axis", build_softmax},
};

}  // namespace

std::span<const OpRow> norm_rows() { return kNormRows; }

}  // namespace netcl::model
