// Pooling.
#include "core/number.hpp"
#include "model/op_table.hpp"
#include "model/window.hpp"
#include "ops/conv2d/pool2d.hpp"
#include "ops/conv2d/pool2d_gradient.hpp"
#include "ops/reduce/reduce.hpp"

namespace netcl::model {

namespace {

ops::Pool2dParameters parameters_of(const Call& call, const Tensor& x) {
  const Window window = window_of(call, x, call.integers("kernel_shape"));
  ops::Pool2dParameters parameters;
  parameters.window = window.kernel;
  parameters.strides = window.strides;
  parameters.dilations = window.dilations;
  parameters.padding = window.padding;
  parameters.ceil_mode = call.integer("ceil_mode", 0) != 0;
  parameters.count_include_pad = call.integer("count_include_pad", 0) != 0;
  return parameters;
}

// The places of the largest elements as places in the whole tensor.
TensorRef places_of(const Call& call, const Tensor& planes, TensorRef places) {
  const auto& shape = planes.layout().shape;
  std::vector<double> firsts = counting(shape[0] * shape[1]);
  for (double& first : firsts) first *= static_cast<double>(shape[2] * shape[3]);
  if (call.integer("storage_order", 0) != 0) {
    const std::string height = number_text(shape[2]), width = number_text(shape[3]);
    places =
        call.formula("v0 % " + width + " * " + height + " + v0 / " + width, {places}, NETCL_I64);
  }
  const TensorRef offsets = call.constant(NETCL_I64, {shape[0], shape[1], 1, 1}, firsts);
  return call.formula("v0 + v1", {places, offsets}, NETCL_I64);
}

void build_max_pool(Call& call) {
  const TensorRef x = call.tensor(0);
  const ops::Pool2dParameters parameters = parameters_of(call, *x);
  const TensorRef planes = as_planes(call, x);
  const uint32_t rank = x->layout().rank;
  call.give(from_planes(
      call, call.made<ops::pool2d>("pool2d", *planes, netcl_pooling{NETCL_POOLING_MAX}, parameters),
      rank));
  if (!call.wants(1)) return;
  const TensorRef places =
      call.made<ops::max_pool2d_places>("max_pool2d_places", *planes, parameters);
  call.give(1, from_planes(call, places_of(call, *planes, places), rank));
}

TensorRef averages(const Call& call, const TensorRef& x, const ops::Pool2dParameters& parameters) {
  return call.made<ops::pool2d>("pool2d", *x, netcl_pooling{NETCL_POOLING_AVERAGE}, parameters);
}

void build_average_pool(Call& call) {
  const TensorRef x = call.tensor(0);
  const TensorRef made = averages(call, as_planes(call, x), parameters_of(call, *x));
  call.give(from_planes(call, made, x->layout().rank));
}

// The root of a sum of powers: the average with all that a window has, times its size.
void build_lp_pool(Call& call) {
  const TensorRef x = call.tensor(0);
  ops::Pool2dParameters parameters = parameters_of(call, *x);
  parameters.count_include_pad = true;
  const double p = static_cast<double>(call.integer("p", 2));
  const double size = static_cast<double>(parameters.window[0] * parameters.window[1]);
  const TensorRef powers =
      call.formula("pow(abs(v0), " + graph::literal(p) + ")", {as_planes(call, x)}, x->dtype());
  const TensorRef made =
      call.formula("pow(v0 * " + graph::literal(size) + ", " + graph::literal(1.0 / p) + ")",
                   {averages(call, powers, parameters)}, x->dtype());
  call.give(from_planes(call, made, x->layout().rank));
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
