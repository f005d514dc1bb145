// Ops that move elements by shapes and axes alone.
#include <numeric>

#include "model/host_arithmetic.hpp"
#include "model/op_table.hpp"
#include "ops/move/concat.hpp"
#include "ops/move/depth_to_space.hpp"
#include "ops/move/move.hpp"
#include "ops/move/pad.hpp"
#include "ops/move/range.hpp"
#include "ops/move/tile.hpp"
#include "ops/move/transpose.hpp"

namespace netcl::model {

namespace {

void build_identity(Call& call) { call.give(call.tensor(0)); }

void build_reshape(Call& call) {
  const TensorRef x = call.tensor(0);
  std::vector<int64_t> shape = call.numbers(1);
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] != 0 || call.integer("allowzero", 0) != 0) continue;
    if (d >= x->layout().rank) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "shape[%zu] is 0, and the input has shape %s", d,
           shape_text(*x).c_str());
    }
    shape[d] = x->layout().shape[d];
  }
  call.give(call.reshaped(x, shape));
}

void build_flatten(Call& call) {
  const TensorRef x = call.tensor(0);
  const uint32_t rank = x->layout().rank;
  const int64_t given = call.integer("axis", 1);
  const uint32_t axis = given == rank ? rank : axis_of(given, rank);
  int64_t shape[2] = {1, 1};
  for (uint32_t d = 0; d < rank; ++d) shape[d < axis ? 0 : 1] *= x->layout().shape[d];
  call.give(call.reshaped(x, shape));
}

std::vector<int64_t> axes_of(const Call& call, size_t input) {
  return call.has(input) ? call.numbers(input) : call.integers("axes");
}

void build_squeeze(Call& call) {
  const TensorRef x = call.tensor(0);
  const Layout& layout = x->layout();
  const std::vector<int64_t> axes = axes_of(call, 1);
  std::array<bool, kRankMax> gone{};
  for (const int64_t axis : axes) gone[axis_of(axis, layout.rank)] = true;
  std::vector<int64_t> shape;
  for (uint32_t d = 0; d < layout.rank; ++d) {
    const bool goes = axes.empty() ? layout.shape[d] == 1 : gone[d];
    if (goes && layout.shape[d] != 1) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "axis %u has the extent %lld, not 1", d,
           static_cast<long long>(layout.shape[d]));
    }
    if (!goes) shape.push_back(layout.shape[d]);
  }
  call.give(call.reshaped(x, shape));
}

void build_unsqueeze(Call& call) {
  const TensorRef x = call.tensor(0);
  const std::vector<int64_t> axes = axes_of(call, 1);
  const size_t rank = x->layout().rank + axes.size();
  if (rank > kRankMax) {
    fail(NETCL_ERROR_UNSUPPORTED, "the result has %zu dimensions; tensors have at most %u", rank,
         kRankMax);
  }
  std::array<bool, kRankMax> fresh{};
  for (const int64_t axis : axes) {
    bool& place = fresh[axis_of(axis, static_cast<uint32_t>(rank))];
    if (place) fail(NETCL_ERROR_INVALID_ARGUMENT, "axes has one axis twice");
    place = true;
  }
  std::vector<int64_t> shape;
  uint32_t next = 0;
  for (size_t d = 0; d < rank; ++d) shape.push_back(fresh[d] ? 1 : x->layout().shape[next++]);
  call.give(call.reshaped(x, shape));
}

void build_transpose(Call& call) {
  std::vector<uint32_t> axes;
  for (const int64_t axis : call.integers("perm")) {
    axes.push_back(axis_of(axis, call.tensor(0)->layout().rank));
  }
  call.give(call.transposed(call.tensor(0), axes));
}

void build_concat(Call& call) {
  const std::vector<TensorRef> inputs = call.tensors();
  if (inputs.empty()) fail(NETCL_ERROR_CORRUPT_DATA, "it has no inputs");
  const uint32_t axis = axis_of(call.integer("axis", 1), inputs[0]->layout().rank);
  call.give(call.made<ops::concat>("concat", std::span<const TensorRef>(inputs),
                                   static_cast<int32_t>(axis)));
}

void build_split(Call& call) {
  const TensorRef x = call.tensor(0);
  const uint32_t axis = axis_of(call.integer("axis", 0), x->layout().rank);
  std::vector<int64_t> sizes = call.has(1) ? call.numbers(1) : call.integers("split");
  const int64_t outputs = static_cast<int64_t>(call.output_count());
  if (call.integer("num_outputs", outputs) != outputs) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "num_outputs is %lld; the node has %lld",
         static_cast<long long>(call.integer("num_outputs", outputs)),
         static_cast<long long>(outputs));
  }
  sizes = split_sizes(std::move(sizes), x->layout().shape[axis], call.output_count());
  int64_t first = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    call.give(i, graph::part_of(*x, axis, first, sizes[i]));
    first += sizes[i];
  }
}

void build_slice(Call& call) {
  const bool inputs = call.opset() >= 10;
  const std::vector<int64_t> starts = inputs ? call.numbers(1) : call.integers("starts");
  const std::vector<int64_t> ends = inputs ? call.numbers(2) : call.integers("ends");
  std::vector<int64_t> axes = inputs && call.has(3) ? call.numbers(3) : call.integers("axes");
  const std::vector<int64_t> steps = call.has(4) ? call.numbers(4) : std::vector<int64_t>();
  const TensorRef x = call.tensor(0);
  Layout layout = x->layout();
  if (axes.empty()) {
    axes.resize(starts.size());
    std::iota(axes.begin(), axes.end(), 0);
  }
  if (ends.size() != starts.size() || axes.size() != starts.size() ||
      (!steps.empty() && steps.size() != starts.size())) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "starts, ends, axes and steps have several lengths");
  }
  for (size_t i = 0; i < starts.size(); ++i) {
    const uint32_t axis = axis_of(axes[i], layout.rank);
    const SliceRange range =
        slice_range(starts[i], ends[i], steps.empty() ? 1 : steps[i], layout.shape[axis]);
    if (range.count > 0) layout.offset += range.first * layout.strides[axis];
    layout.strides[axis] *= range.count > 1 ? range.step : 1;
    layout.shape[axis] = range.count;
  }
  if (layout.element_count() == 0) {
    layout = packed_layout(layout.rank, layout.shape.data());
  }
  call.give(graph::with_layout(*x, layout));
}

void build_expand(Call& call) {
  const TensorRef x = call.tensor(0);
  const std::vector<int64_t> shape = broadcast_shapes(shape_of(*x), call.numbers(1));
  if (shape.size() > kRankMax) {
    fail(NETCL_ERROR_UNSUPPORTED, "the result has %zu dimensions", shape.size());
  }
  call.give(broadcast(*x, static_cast<uint32_t>(shape.size()), shape.data()));
}

// Axes of extent 1 that are repeated need no copy.
void build_tile(Call& call) {
  const TensorRef x = call.tensor(0);
  const std::vector<int64_t> repeats = call.numbers(1);
  const Layout& layout = x->layout();
  bool copies = repeats.size() != layout.rank;
  for (size_t d = 0; !copies && d < repeats.size(); ++d) {
    copies = repeats[d] < 0 || (repeats[d] != 1 && layout.shape[d] != 1);
  }
  if (copies) {
    call.give(call.made<ops::tile>("tile", *x, std::span<const int64_t>(repeats)));
    return;
  }
  std::vector<int64_t> shape = shape_of(*x);
  for (size_t d = 0; d < shape.size(); ++d) shape[d] *= repeats[d];
  call.give(broadcast(*x, layout.rank, shape.data()));
}

void build_range(Call& call) {
  const HostValue& start = call.host(0);
  const HostValue& delta = call.host(2);
  const int64_t shape[1] = {range_count(start, call.host(1), delta)};
  const std::string first = bytes_of(start), step = bytes_of(converted(delta, start.dtype));
  call.give(call.filled<ops::range>(start.dtype, shape,
                                    ops::make_element(first.data(), first.size()),
                                    ops::make_element(step.data(), step.size())));
}

netcl_pad_mode pad_mode(const std::string& mode) {
  return mode == "reflect" ? NETCL_PAD_REFLECT
         : mode == "edge"  ? NETCL_PAD_EDGE
         : mode == "wrap"  ? NETCL_PAD_WRAP
                           : NETCL_PAD_CONSTANT;
}

void build_pad(Call& call) {
  const TensorRef x = call.tensor(0);
  const uint32_t rank = x->layout().rank;
  const std::vector<int64_t> given = call.has(1) ? call.numbers(1) : call.integers("pads");
  std::vector<int64_t> axes;
  if (call.has(3)) {
    axes = call.numbers(3);
  } else {
    axes.resize(rank);
    std::iota(axes.begin(), axes.end(), 0);
  }
  if (given.size() != 2 * axes.size()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "pads has %zu numbers for %zu axes", given.size(),
         axes.size());
  }
  std::vector<int64_t> pads(2 * size_t{rank}, 0);
  for (size_t i = 0; i < axes.size(); ++i) {
    const uint32_t axis = axis_of(axes[i], rank);
    pads[axis] = given[i];
    pads[rank + axis] = given[axes.size() + i];
  }
  HostValue value;
  value.dtype = NETCL_F64;
  value.reals = {call.real("value", 0.0)};
  if (call.has(2)) value = call.host(2);
  if (value.count() != 1) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "constant_value has %zu elements", value.count());
  }
  const std::string bytes = bytes_of(converted(value, x->dtype()));
  call.give(call.made<ops::pad>("pad", *x, std::span<const int64_t>(pads),
                                pad_mode(call.text("mode", "constant")),
                                ops::make_element(bytes.data(), bytes.size())));
}

std::string refuse_pad(const NodeFacts& node) {
  const std::string mode = node.text("mode", "constant");
  for (const char* known : {"constant", "reflect", "edge", "wrap"}) {
    if (mode == known) return "";
  }
  return "mode " + shown(mode);
}

// The middle of the input, or the input in the middle of zeros.
void build_center_crop_pad(Call& call) {
  const TensorRef x = call.tensor(0);
  const uint32_t rank = x->layout().rank;
  const std::vector<int64_t> shape = call.numbers(1);
  std::vector<int64_t> axes = call.integers("axes");
  if (call.find("axes") == nullptr) {
    axes.resize(rank);
    std::iota(axes.begin(), axes.end(), 0);
  }
  if (shape.size() != axes.size()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "shape has %zu numbers for %zu axes", shape.size(),
         axes.size());
  }
  std::vector<int64_t> pads(2 * size_t{rank}, 0);
  for (size_t i = 0; i < axes.size(); ++i) {
    const uint32_t axis = axis_of(axes[i], rank);
    if (shape[i] < 0) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "shape[%zu] is %lld", i, static_cast<long long>(shape[i]));
    }
    const int64_t more = shape[i] - x->layout().shape[axis];
    pads[axis] = more / 2;
    pads[rank + axis] = more - more / 2;
  }
  call.give(call.made<ops::pad>("pad", *x, std::span<const int64_t>(pads),
                                netcl_pad_mode{NETCL_PAD_CONSTANT}, ops::Element{}));
}

netcl_depth_order depth_order(const Call& call) {
  return call.text("mode", "DCR") == "CRD" ? NETCL_DEPTH_CRD : NETCL_DEPTH_DCR;
}

void build_depth_to_space(Call& call) {
  call.give(call.made<ops::depth_to_space>("depth_to_space", *call.tensor(0),
                                           call.integer("blocksize", 0), depth_order(call)));
}

void build_space_to_depth(Call& call) {
  call.give(call.made<ops::space_to_depth>("space_to_depth", *call.tensor(0),
                                           call.integer("blocksize", 0), depth_order(call)));
}

constexpr OpRow kShapeRows[] = {
    {"CenterCropPad", "axes", build_center_crop_pad, "1"},
    {"Concat", "axis", build_concat},
    {"Constant", "value value_float value_floats value_int value_ints", nullptr},
    {"DepthToSpace", "blocksize mode", build_depth_to_space},
    {"Expand", "", build_expand, "1"},
    {"Flatten", "axis", build_flatten},
    {"Identity", "", build_identity},
    {"Pad", "mode pads value", build_pad, "123", refuse_pad},
    {"Range", "", build_range, "012"},
    {"Reshape", "allowzero", build_reshape, "1"},
    {"Shape", "end start", nullptr},
    {"Size", "", nullptr},
    {"Slice", "axes ends starts", build_slice, "1234"},
    {"SpaceToDepth", "blocksize mode", build_space_to_depth},
    {"Split", "axis num_outputs split", build_split, "1"},
    {"Squeeze", "axes", build_squeeze, "1"},
    {"Tile", "", build_tile, "1"},
    {"Transpose", "perm", build_transpose},
    {"Unsqueeze", "axes", build_unsqueeze, "1"},
};

}  // namespace

std::span<const OpRow> shape_rows() { return kShapeRows; }

}  // namespace netcl::model
