// Pooling.
#include "model/op_table.hpp"
#include "model/window.hpp"
#include "ops/conv2d/pool2d.hpp"
#include "ops/reduce/reduce.hpp"

namespace netcl::model {

namespace {

// Pooling over the sides of a window, and over its depth.
struct Pooling {
  ops::Pool2dParameters planes;
  ops::Pool2dParameters depth;
};

// Windows reach so far beyond an image at most: loops keep whole lines with what lies around them.
constexpr int64_t kBeyondMost = 1 << 16;

void check_reach(const Tensor& x, int64_t reach, int64_t extent) {
  if (reach <= extent + kBeyondMost) return;
  fail(NETCL_ERROR_UNSUPPORTED, "a window reaches over %lld elements of an image of shape %s",
       static_cast<long long>(reach), shape_text(x).c_str());
}

Pooling pooling_of(const Call& call, const Tensor& x) {
  const Window window = window_of(call, x, call.integers("kernel_shape"));
  const auto& shape = x.layout().shape;
  const uint32_t rank = x.layout().rank;
  check_reach(x, window.reach(1), shape[rank - 1]);
  check_reach(x, window.reach(0), rank > 3 ? shape[rank - 2] : 1);
  check_reach(x, window.depth.reach(), rank > 4 ? shape[2] : 1);
  Pooling pooling;
  pooling.planes.window = window.kernel;
  pooling.planes.strides = window.strides;
  pooling.planes.dilations = window.dilations;
  pooling.planes.padding = window.padding;
  pooling.planes.ceil_mode = call.integer("ceil_mode", 0) != 0;
  pooling.planes.count_include_pad = call.integer("count_include_pad", 0) != 0;
  pooling.depth = pooling.planes;
  pooling.depth.window = {window.depth.kernel, 1};
  pooling.depth.strides = {window.depth.stride, 1};
  pooling.depth.dilations = {window.depth.dilation, 1};
  pooling.depth.padding = {window.depth.before, 0, window.depth.after, 0};
  return pooling;
}

ops::Pool2dResult pooled_planes(const Call& call, const Tensor& planes, netcl_pooling kind,
                                const ops::Pool2dParameters& parameters, bool wants_indices) {
  return call.made_into<ops::pool2d>("pool2d", ops::Pool2dResult(), planes, kind, parameters,
                                     wants_indices, call.integer("storage_order", 0) != 0);
}

// Extremes and means of a box are those of its planes' ones: of three dimensions, planes come
// first.
TensorRef pooled(const Call& call, const TensorRef& x, netcl_pooling kind, const Pooling& pooling) {
  const auto& s = x->layout().shape;
  if (x->layout().rank < 5) {
    const TensorRef made =
        pooled_planes(call, *as_planes(call, x), kind, pooling.planes, false).values;
    return from_planes(call, made, x->layout().rank);
  }
  const int64_t planes[4] = {s[0], s[1] * s[2], s[3], s[4]};
  const TensorRef first =
      pooled_planes(call, *call.reshaped(x, planes), kind, pooling.planes, false).values;
  const auto& f = first->layout().shape;
  const int64_t columns[4] = {s[0], s[1], s[2], f[2] * f[3]};
  const TensorRef made =
      pooled_planes(call, *call.reshaped(first, columns), kind, pooling.depth, false).values;
  const int64_t whole[5] = {s[0], s[1], made->layout().shape[2], f[2], f[3]};
  return call.reshaped(made, whole);
}

void build_max_pool(Call& call) {
  const TensorRef x = call.tensor(0);
  const Pooling pooling = pooling_of(call, *x);
  if (!call.wants(1)) return call.give(pooled(call, x, NETCL_POOLING_MAX, pooling));
  require_planes(*x);
  const ops::Pool2dResult made =
      pooled_planes(call, *as_planes(call, x), NETCL_POOLING_MAX, pooling.planes, true);
  call.give(from_planes(call, made.values, x->layout().rank));
  call.give(1, from_planes(call, made.indices, x->layout().rank));
}

void build_average_pool(Call& call) {
  const TensorRef x = call.tensor(0);
  call.give(pooled(call, x, NETCL_POOLING_AVERAGE, pooling_of(call, *x)));
}

// The root of a sum of powers: the average with all that a window has, times its size.
void build_lp_pool(Call& call) {
  const TensorRef x = call.tensor(0);
  Pooling pooling = pooling_of(call, *x);
  pooling.planes.count_include_pad = pooling.depth.count_include_pad = true;
  const double p = static_cast<double>(call.integer("p", 2));
  const auto& window = pooling.planes.window;
  const double size = static_cast<double>(window[0]) * static_cast<double>(window[1]) *
                      static_cast<double>(pooling.depth.window[0]);
  const TensorRef powers = call.formula("pow(abs(v0), " + graph::literal(p) + ")", {x}, x->dtype());
  call.give(call.formula("pow(v0 * " + graph::literal(size) + ", " + graph::literal(1.0 / p) + ")",
                         {pooled(call, powers, NETCL_POOLING_AVERAGE, pooling)}, x->dtype()));
}

TensorRef over_image(const Call& call, const TensorRef& x, netcl_reduction kind) {
  const uint32_t rank = x->layout().rank;
  if (rank < 2) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "the input has shape %s; it is [N, C, ...]",
         shape_text(*x).c_str());
  }
  if (rank == 2) return x;
  std::vector<int32_t> axes;
  for (uint32_t d = 2; d < rank; ++d) axes.push_back(static_cast<int32_t>(d));
  ops::ReduceRequest request;
  request.kind = kind;
  request.axes = axes;
  request.keepdims = true;
  return call.made<ops::reduce>("reduce", *x, request);
}

void build_global_average(Call& call) {
  call.give(over_image(call, call.tensor(0), NETCL_REDUCTION_MEAN));
}

void build_global_max(Call& call) {
  call.give(over_image(call, call.tensor(0), NETCL_REDUCTION_MAX));
}

void build_global_lp(Call& call) {
  const TensorRef x = call.tensor(0);
  const double p = static_cast<double>(call.integer("p", 2));
  const TensorRef powers = call.formula("pow(abs(v0), " + graph::literal(p) + ")", {x}, x->dtype());
  call.give(call.formula("pow(v0, " + graph::literal(1.0 / p) + ")",
                         {over_image(call, powers, NETCL_REDUCTION_SUM)}, x->dtype()));
}

std::string refuse_lp_pool(const NodeFacts& node) {
  if (node.integer("ceil_mode", 0) != 0) return "ceil_mode 1";
  return refuse_window(node);
}

constexpr OpRow kPoolRows[] = {
    {"AveragePool", "auto_pad ceil_mode count_include_pad dilations kernel_shape pads strides",
     build_average_pool, "", refuse_window},
    {"GlobalAveragePool", "", build_global_average},
    {"GlobalLpPool", "p", build_global_lp},
    {"GlobalMaxPool", "", build_global_max},
    {"LpPool", "auto_pad ceil_mode dilations kernel_shape p pads strides", build_lp_pool, "",
     refuse_lp_pool},
    {"MaxPool", "auto_pad ceil_mode dilations kernel_shape pads storage_order strides",
     build_max_pool, "", refuse_window},
};

}  // namespace

std::span<const OpRow> pool_rows() { return kPoolRows; }

}  // namespace netcl::model
