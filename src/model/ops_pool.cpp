// Pooling.
#include "model/op_table.hpp"
#include "model/window.hpp"
#include "ops/conv2d/lp_pool.hpp"
#include "ops/reduce/reduce.hpp"

namespace netcl::model {

namespace {

// Windows reach so far beyond an image at most: loops keep whole lines with what lies around them.
constexpr int64_t kBeyondMost = 1 << 16;

WindowDepth side_of(const Window& window, size_t side) {
  return {window.kernel[side], window.strides[side], window.dilations[side], window.padding[side],
          window.padding[2 + side]};
}

void check_reach(const Tensor& x, int64_t reach, int64_t extent) {
  if (reach <= extent + kBeyondMost) return;
  fail(NETCL_ERROR_UNSUPPORTED, "a window reaches over %lld elements of an image of shape %s",
       static_cast<long long>(reach), shape_text(x).c_str());
}

ops::PoolParameters pooling_of(const Call& call, const Tensor& x) {
  const Window window = window_of(call, x, call.integers("kernel_shape"));
  const WindowDepth& depth = window.depth;
  const std::array<WindowDepth, 3> all = {depth, side_of(window, 0), side_of(window, 1)};
  const uint32_t sides = x.layout().rank - 2;
  ops::PoolParameters pooling;
  for (uint32_t i = 0; i < sides; ++i) {
    const WindowDepth& side = all[3 - sides + i];
    check_reach(x, side.reach(), x.layout().shape[2 + i]);
    pooling.window[i] = side.kernel;
    pooling.strides[i] = side.stride;
    pooling.dilations[i] = side.dilation;
    pooling.padding[i] = side.before;
    pooling.padding[sides + i] = side.after;
  }
  pooling.ceil_mode = call.integer("ceil_mode", 0) != 0;
  pooling.count_include_pad = call.integer("count_include_pad", 0) != 0;
  return pooling;
}

ops::PoolResult pooled(const Call& call, const Tensor& x, netcl_pooling kind,
                       const ops::PoolParameters& parameters, bool wants_indices = false) {
  return call.made_into<ops::pool>("pool", ops::PoolResult(), x, kind, parameters, wants_indices,
                                   call.integer("storage_order", 0) != 0);
}

void build_max_pool(Call& call) {
  const TensorRef x = call.tensor(0);
  const bool wants_indices = call.wants(1);
  const ops::PoolResult made =
      pooled(call, *x, NETCL_POOLING_MAX, pooling_of(call, *x), wants_indices);
  call.give(made.values);
  if (wants_indices) call.give(1, made.indices);
}

void build_average_pool(Call& call) {
  const TensorRef x = call.tensor(0);
  call.give(pooled(call, *x, NETCL_POOLING_AVERAGE, pooling_of(call, *x)).values);
}

void build_lp_pool(Call& call) {
  const TensorRef x = call.tensor(0);
  call.give(call.made<ops::lp_pool>("pool", x, pooling_of(call, *x),
                                    static_cast<double>(call.integer("p", 2))));
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

constexpr OpRow kPoolRows[] = {
    {"AveragePool", "auto_pad ceil_mode count_include_pad dilations kernel_shape pads strides",
     build_average_pool, "", refuse_window},
    {"GlobalAveragePool", "", build_global_average},
    {"GlobalLpPool", "p", build_global_lp},
    {"GlobalMaxPool", "", build_global_max},
    {"LpPool", "auto_pad ceil_mode dilations kernel_shape p pads strides", build_lp_pool, "",
     refuse_window},
    {"MaxPool", "auto_pad ceil_mode dilations kernel_shape pads storage_order strides",
     build_max_pool, "", refuse_window},
};

}  // namespace

std::span<const OpRow> pool_rows() { return kPoolRows; }

}  // namespace netcl::model
