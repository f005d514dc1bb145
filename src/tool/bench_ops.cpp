// The ops that can be timed.
//
// SPDX-License-Identifier: Apache-2.0
#include "bench_ops.hpp"

#include <cstring>

namespace netcl::tool {
namespace {

using Tensors = std::vector<Tensor>;

netcl_status copy(const Call& c) { return netcl_op_copy(c.inputs[0].get(), &c.run, c.result); }

netcl_status add(const Call& c) {
  netcl_tensor* const inputs[2] = {c.inputs[0].get(), c.inputs[1].get()};
  return netcl_op_expression_text("v0 + v1", inputs, 2, nullptr, &c.run, c.result);
}

netcl_status gelu(const Call& c) {
  netcl_tensor* const input = c.inputs[0].get();
  return netcl_op_expression_text("gelu(v0)", &input, 1, nullptr, &c.run, c.result);
}

netcl_status fused(const Call& c) {
  netcl_tensor* const inputs[3] = {c.inputs[0].get(), c.inputs[1].get(), c.inputs[2].get()};
  return netcl_op_expression_text("relu(v0 * v1 + v2) * 0.5", inputs, 3, nullptr, &c.run, c.result);
}

netcl_status transpose(const Call& c) {
  return netcl_op_transpose(c.inputs[0].get(), nullptr, 0, &c.run, c.result);
}

netcl_status sum(const Call& c) {
  return netcl_op_reduce(c.inputs[0].get(), NETCL_REDUCTION_SUM, nullptr, &c.run, c.result);
}

netcl_status sum_rows(const Call& c) {
  static constexpr int32_t kAxis = 1;
  netcl_reduce_options options = NETCL_REDUCE_OPTIONS_INIT;
  options.axes = &kAxis;
  options.axes_count = 1;
  return netcl_op_reduce(c.inputs[0].get(), NETCL_REDUCTION_SUM, &options, &c.run, c.result);
}

netcl_status scan(const Call& c) {
  return netcl_op_scan(c.inputs[0].get(), NETCL_REDUCTION_SUM, 0, nullptr, &c.run, c.result);
}

netcl_status histogram(const Call& c) {
  netcl_histogram_options options = NETCL_HISTOGRAM_OPTIONS_INIT;
  options.high = 1.0;
  return netcl_op_histogram(c.inputs[0].get(), 256, &options, &c.run, c.result);
}

netcl_status topk(const Call& c) {
  return netcl_op_topk(c.inputs[0].get(), c.sizes[2], 1, nullptr, &c.run, c.result, nullptr);
}

netcl_status softmax(const Call& c) {
  return netcl_op_softmax(c.inputs[0].get(), 1, &c.run, c.result);
}

netcl_status layernorm(const Call& c) {
  return netcl_op_layernorm(c.inputs[0].get(), 1, nullptr, &c.run, c.result);
}

netcl_status rmsnorm(const Call& c) {
  return netcl_op_rmsnorm(c.inputs[0].get(), 1, nullptr, &c.run, c.result);
}

netcl_status batchnorm(const Call& c) {
  return netcl_op_batchnorm(c.inputs[0].get(), c.inputs[1].get(), c.inputs[2].get(), nullptr,
                            &c.run, c.result);
}

netcl_status pool(const Call& c) {
  static constexpr int64_t kTwo[] = {2};
  netcl_pooling_options options = NETCL_POOLING_OPTIONS_INIT;
  options.window = options.strides = kTwo;
  options.window_count = options.strides_count = 1;
  return netcl_op_pool(c.inputs[0].get(), NETCL_POOLING_MAX, &options, &c.run, c.result);
}

netcl_status conv2d(const Call& c) {
  netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
  for (int64_t& padding : options.padding) padding = 1;
  return netcl_op_conv2d(c.inputs[0].get(), c.inputs[1].get(), &options, &c.run, c.result);
}

netcl_status matmul(const Call& c) {
  return netcl_op_matmul(c.inputs[0].get(), c.inputs[1].get(), nullptr, &c.run, c.result);
}

netcl_status resize(const Call& c) {
  const int64_t shape[4] = {c.sizes[0], c.sizes[1], 2 * c.sizes[2], 2 * c.sizes[3]};
  netcl_resize_options options = NETCL_RESIZE_OPTIONS_INIT;
  options.mode = NETCL_RESIZE_LINEAR;
  return netcl_op_resize(c.inputs[0].get(), 4, shape, &options, &c.run, c.result);
}

using Shape = std::vector<int64_t>;
using Shapes = std::vector<Shape>;

Shapes one(const Shape& s) { return {s}; }
Shapes two(const Shape& s) { return {s, s}; }
Shapes three(const Shape& s) { return {s, s, s}; }
Shapes rows(const Shape& s) { return {{s[0], s[1]}}; }
Shapes channels(const Shape& s) { return {s, {s[1]}, {s[1]}}; }
Shapes filters(const Shape& s) { return {{s[0], s[1], s[2], s[3]}, {s[4], s[1], 3, 3}}; }
Shapes product(const Shape& s) { return {{s[0], s[2]}, {s[2], s[1]}}; }

using VariantOptions = netcl_variant_options;
using VariantConfig = netcl_variant_config;

netcl_status elementwise_variant(const netcl_device* device, const Shape& s,
                                 const VariantOptions& options, VariantConfig* config) {
  return netcl_variant_select_elementwise(device, s[0], &options, config);
}

netcl_status sum_variant(const netcl_device* device, const Shape& s, const VariantOptions& options,
                         VariantConfig* config) {
  const int64_t outputs = s.size() == 1 ? 1 : s[0];
  return netcl_variant_select_reduction(device, outputs, s.back(), &options, config);
}

netcl_status batchnorm_variant(const netcl_device* device, const Shape& s,
                               const VariantOptions& options, VariantConfig* config) {
  return netcl_variant_select_batchnorm(device, s[0], s[1], s[2] * s[3], 0, 0, &options, config);
}

netcl_status conv2d_variant(const netcl_device* device, const Shape& s,
                            const VariantOptions& options, VariantConfig* config) {
  netcl_conv2d_shape shape = NETCL_CONV2D_SHAPE_INIT;
  shape.batch = s[0];
  shape.channels = s[1];
  shape.height = s[2];
  shape.width = s[3];
  shape.filters = s[4];
  shape.kernel_height = shape.kernel_width = 3;
  for (int64_t& padding : shape.padding) padding = 1;
  return netcl_variant_select_conv2d(device, &shape, &options, config);
}

netcl_status matmul_variant(const netcl_device* device, const Shape& s,
                            const VariantOptions& options, VariantConfig* config) {
  return netcl_variant_select_matmul(device, s[0], s[1], s[2], &options, config);
}

constexpr BenchOp kOps[] = {
    {"copy", "elements", {"16777216"}, one, copy, nullptr},
    {"add", "elements", {"65536", "1048576", "16777216"}, two, add, elementwise_variant},
    {"fused", "elements of relu(a b + c) / 2", {"16777216"}, three, fused, elementwise_variant},
    {"gelu", "elements", {"16777216"}, one, gelu, elementwise_variant},
    {"transpose", "rows x columns", {"4096x4096"}, one, transpose, nullptr},
    {"sum", "elements", {"16777216"}, one, sum, sum_variant},
    {"sum_rows", "rows x columns", {"4096x4096"}, one, sum_rows, sum_variant},
    {"scan", "elements", {"4194304"}, one, scan, nullptr},
    {"histogram", "elements, 256 bins", {"4194304"}, one, histogram, nullptr},
    {"topk", "rows x columns x k", {"256x8192x16"}, rows, topk, nullptr},
    {"softmax", "rows x columns", {"4096x4096"}, one, softmax, nullptr},
    {"layernorm", "rows x columns", {"4096x4096"}, one, layernorm, nullptr},
    {"rmsnorm", "rows x columns", {"4096x4096"}, one, rmsnorm, nullptr},
    {"batchnorm",
     "batch x channels x height x width",
     {"16x64x56x56"},
     channels,
     batchnorm,
     batchnorm_variant},
    {"pool", "batch x channels x height x width", {"16x64x56x56"}, one, pool, nullptr},
    {"resize",
     "batch x channels x height x width, doubled",
     {"4x64x56x56"},
     one,
     resize,
     nullptr},
    {"conv2d",
     "batch x channels x height x width x filters, 3x3",
     {"8x64x56x56x64"},
     filters,
     conv2d,
     conv2d_variant},
    {"matmul",
     "m x n x k",
     {"256x256x256", "1024x1024x1024", "2048x2048x2048"},
     product,
     matmul,
     matmul_variant},
};

}  // namespace

std::span<const BenchOp> bench_ops() { return kOps; }

const BenchOp* find_bench_op(const std::string& name) {
  for (const BenchOp& op : kOps) {
    if (name == op.name) return &op;
  }
  return nullptr;
}

}  // namespace netcl::tool
