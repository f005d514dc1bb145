// Which ops have derivatives, and what ops do to tensors beside giving a result. A rule gets the
// arguments of its op and adds the gradients of the operands; docs/graphs.md has the table.
#pragma once

#include <cstddef>

#include "graph/primitive_call.hpp"
#include "graph/primitive_gradient.hpp"
#include "ops/attention/attention.hpp"
#include "ops/attention/rotary_embedding.hpp"
#include "ops/conv2d/conv2d.hpp"
#include "ops/conv2d/lp_pool.hpp"
#include "ops/conv2d/max_unpool2d.hpp"
#include "ops/conv2d/pool_gradient.hpp"
#include "ops/conv2d/pooling.hpp"
#include "ops/conv2d/roi_pool.hpp"
#include "ops/elementwise/elementwise.hpp"
#include "ops/elementwise/elementwise_op.hpp"
#include "ops/matmul/matmul.hpp"
#include "ops/matmul/quantized.hpp"
#include "ops/move/concat.hpp"
#include "ops/move/depth_to_space.hpp"
#include "ops/move/gather.hpp"
#include "ops/move/gather_nd.hpp"
#include "ops/move/move.hpp"
#include "ops/move/one_hot.hpp"
#include "ops/move/pad.hpp"
#include "ops/move/range.hpp"
#include "ops/move/resize.hpp"
#include "ops/move/scatter.hpp"
#include "ops/move/scatter_nd.hpp"
#include "ops/move/tile.hpp"
#include "ops/move/transpose.hpp"
#include "ops/move/trilu.hpp"
#include "ops/optimizer/optimizer.hpp"
#include "ops/optimizer/scaling.hpp"
#include "ops/quantization/quantize.hpp"
#include "ops/reduce/reduce.hpp"
#include "ops/reduce/scan.hpp"
#include "ops/reduce/topk.hpp"
#include "ops/rows/batchnorm.hpp"
#include "ops/rows/cross_entropy.hpp"
#include "ops/rows/norm.hpp"
#include "ops/rows/norm_gradient.hpp"
#include "ops/rows/softmax.hpp"
#include "ops/rows/softmax_gradient.hpp"

namespace netcl::graph {

class Backward;

void elementwise_gradients(Backward& backward, netcl_elementwise op,
                           std::span<const TensorRef> inputs,
                           const ops::ElementwiseParameters& parameters, netcl_dtype dtype,
                           netcl_variant variant);
void bias_add_gradients(Backward& backward, const TensorRef& x, const TensorRef& bias,
                        int32_t axis);
void expression_gradients(Backward& backward, const expression::Tree& tree,
                          std::span<const TensorRef> inputs, netcl_dtype dtype,
                          netcl_variant variant);
void expressions_gradients(Backward& backward, const expression::Trees& trees,
                           std::span<const TensorRef> inputs, std::span<const netcl_dtype> dtypes,
                           netcl_variant variant);
void primitive_gradients(Backward& backward, const PrimitiveCall& call,
                         std::span<const TensorRef> inputs);
void primitive_gradient_gradients(Backward& backward, const expression::Tree& tree,
                                  std::span<const TensorRef> inputs, uint32_t input,
                                  const TensorRef& grad, const TensorRef& out);
void copy_gradients(Backward& backward, const TensorRef& x);
void cast_gradients(Backward& backward, const TensorRef& x, netcl_dtype dtype);
void transpose_gradients(Backward& backward, const TensorRef& x, std::span<const uint32_t> axes);
void concat_gradients(Backward& backward, std::span<const TensorRef> inputs, int32_t axis);
void tile_gradients(Backward& backward, const TensorRef& x, std::span<const int64_t> repeats);
void trilu_gradients(Backward& backward, const TensorRef& x, bool upper, int64_t k);
void depth_to_space_gradients(Backward& backward, const TensorRef& x, int64_t block,
                              netcl_depth_order order);
void space_to_depth_gradients(Backward& backward, const TensorRef& x, int64_t block,
                              netcl_depth_order order);
void matmul_gradients(Backward& backward, const TensorRef& a, const TensorRef& b,
                      const ops::MatmulParameters& parameters);
void matmul_quantized_gradients(Backward& backward, const TensorRef& x, const TensorRef& weights,
                                const ops::QuantizedProduct& product);
void dequantize_gradients(Backward& backward, const TensorRef& x, const TensorRef& scale,
                          int32_t axis, const ops::DequantizeSettings& settings);
void reduce_gradients(Backward& backward, const TensorRef& x, const ops::ReduceRequest& request);
void scan_gradients(Backward& backward, const TensorRef& x, netcl_reduction kind, int32_t axis,
                    bool exclusive, bool reverse);
void softmax_gradients(Backward& backward, const TensorRef& x, int32_t axis, bool logarithm);
void softmax_gradient_gradients(Backward& backward, const TensorRef& y, const TensorRef& grad,
                                int32_t axis, bool logarithm);
void norm_gradients(Backward& backward, const TensorRef& x, int32_t axis,
                    const ops::NormSettings& settings, bool wants_mean, bool wants_inverse);
void norm_gradient_gradients(Backward& backward, const TensorRef& x, const TensorRef& grad,
                             int32_t axis, const ops::NormSettings& settings, bool wants_x,
                             bool wants_product);

void gather_gradients(Backward& backward, const TensorRef& x, const TensorRef& indices,
                      int32_t axis);
void gather_elements_gradients(Backward& backward, const TensorRef& x, const TensorRef& indices,
                               int32_t axis);
void scatter_gradients(Backward& backward, const TensorRef& x, const TensorRef& indices,
                       const TensorRef& updates, int32_t axis, netcl_scatter_mode mode,
                       bool atomics);
void gather_nd_gradients(Backward& backward, const TensorRef& x, const TensorRef& indices,
                         uint32_t batch_dims);
void scatter_nd_gradients(Backward& backward, const TensorRef& x, const TensorRef& indices,
                          const TensorRef& updates, uint32_t batch_dims, netcl_scatter_mode mode,
                          bool atomics);
void topk_gradients(Backward& backward, const TensorRef& x, int64_t k, int32_t axis, bool smallest,
                    bool wants_indices);
void pad_gradients(Backward& backward, const TensorRef& x, std::span<const int64_t> pads,
                   netcl_pad_mode mode, const ops::Element& value);
void resize_gradients(Backward& backward, const TensorRef& x, std::span<const int64_t> shape,
                      const ops::ResizeSettings& settings);
void attention_gradients(Backward& backward, const TensorRef& q, const TensorRef& k,
                         const TensorRef& v, const ops::AttentionSettings& settings,
                         bool wants_lse);
void rotary_embedding_gradients(Backward& backward, const TensorRef& x, const TensorRef& cosines,
                                const TensorRef& sines, const ops::RotarySettings& settings);
void conv2d_gradients(Backward& backward, const TensorRef& x, const TensorRef& w,
                      const ops::Conv2dParameters& parameters);
void pool_gradients(Backward& backward, const TensorRef& x, netcl_pooling kind,
                    const ops::PoolParameters& parameters, bool wants_indices, bool column_major);
void window_sums_gradients(Backward& backward, const TensorRef& x,
                           const ops::PoolParameters& options);
void lp_pool_gradients(Backward& backward, const TensorRef& x, const ops::PoolParameters& options,
                       double p);
void max_unpool2d_gradients(Backward& backward, const TensorRef& x, const TensorRef& indices,
                            int64_t height, int64_t width, bool column_major);
void max_pool_gradient_gradients(Backward& backward, const TensorRef& places, const TensorRef& grad,
                                 const std::array<int64_t, 3>& extent,
                                 const ops::PoolParameters& options);
void roi_pool_gradients(Backward& backward, const TensorRef& x, const TensorRef& rois,
                        const TensorRef& images, const ops::RoiPoolSettings& settings);
void roi_pool_gradient_gradients(Backward& backward, const TensorRef& grad, const TensorRef& rois,
                                 const TensorRef& images, const std::array<int64_t, 4>& shape,
                                 const ops::RoiPoolSettings& settings);
void roi_pool_weights_gradients(Backward& backward, const TensorRef& x, const TensorRef& rois,
                                const TensorRef& images, const ops::RoiPoolSettings& settings);
void batchnorm_gradients(Backward& backward, const TensorRef& x, const TensorRef& mean,
                         const TensorRef& variance, const ops::BatchnormSettings& settings);
void cross_entropy_gradients(Backward& backward, const TensorRef& x, const TensorRef& labels,
                             int32_t axis, bool logarithms, const ops::LossSettings& settings);
void label_scale_gradients(Backward& backward, const TensorRef& labels, const TensorRef& grad,
                           int64_t classes, uint32_t axis, const ops::LossSettings& settings);
void cross_entropy_gradient_gradients(Backward& backward, const TensorRef& x,
                                      const TensorRef& labels, const TensorRef& scale,
                                      int32_t axis);

// The rule of an op; null for one without a derivative.
template <auto Op>
inline constexpr std::nullptr_t kGradient = nullptr;
template <>
inline constexpr auto kGradient<ops::elementwise> = elementwise_gradients;
template <>
inline constexpr auto kGradient<ops::bias_add> = bias_add_gradients;
template <>
inline constexpr auto kGradient<ops::expression> = expression_gradients;
template <>
inline constexpr auto kGradient<ops::expressions> = expressions_gradients;
template <>
inline constexpr auto kGradient<primitive> = primitive_gradients;
template <>
inline constexpr auto kGradient<primitive_gradient> = primitive_gradient_gradients;
template <>
inline constexpr auto kGradient<ops::copy> = copy_gradients;
template <>
inline constexpr auto kGradient<ops::contiguous> = copy_gradients;
template <>
inline constexpr auto kGradient<ops::cast> = cast_gradients;
template <>
inline constexpr auto kGradient<ops::transpose> = transpose_gradients;
template <>
inline constexpr auto kGradient<ops::concat> = concat_gradients;
template <>
inline constexpr auto kGradient<ops::tile> = tile_gradients;
template <>
inline constexpr auto kGradient<ops::trilu> = trilu_gradients;
template <>
inline constexpr auto kGradient<ops::depth_to_space> = depth_to_space_gradients;
template <>
inline constexpr auto kGradient<ops::space_to_depth> = space_to_depth_gradients;
template <>
inline constexpr auto kGradient<ops::matmul> = matmul_gradients;
template <>
inline constexpr auto kGradient<ops::matmul_quantized> = matmul_quantized_gradients;
template <>
inline constexpr auto kGradient<ops::dequantize_linear> = dequantize_gradients;
template <>
inline constexpr auto kGradient<ops::reduce> = reduce_gradients;
template <>
inline constexpr auto kGradient<ops::scan> = scan_gradients;
template <>
inline constexpr auto kGradient<ops::softmax> = softmax_gradients;
template <>
inline constexpr auto kGradient<ops::norm> = norm_gradients;
template <>
inline constexpr auto kGradient<ops::softmax_gradient> = softmax_gradient_gradients;
template <>
inline constexpr auto kGradient<ops::norm_gradient> = norm_gradient_gradients;
template <>
inline constexpr auto kGradient<ops::cross_entropy> = cross_entropy_gradients;
template <>
inline constexpr auto kGradient<ops::label_scale> = label_scale_gradients;
template <>
inline constexpr auto kGradient<ops::cross_entropy_gradient> = cross_entropy_gradient_gradients;

template <>
inline constexpr auto kGradient<ops::gather> = gather_gradients;
template <>
inline constexpr auto kGradient<ops::gather_elements> = gather_elements_gradients;
template <>
inline constexpr auto kGradient<ops::scatter> = scatter_gradients;
template <>
inline constexpr auto kGradient<ops::gather_nd> = gather_nd_gradients;
template <>
inline constexpr auto kGradient<ops::scatter_nd> = scatter_nd_gradients;
template <>
inline constexpr auto kGradient<ops::topk> = topk_gradients;
template <>
inline constexpr auto kGradient<ops::pad> = pad_gradients;
template <>
inline constexpr auto kGradient<ops::resize> = resize_gradients;
template <>
inline constexpr auto kGradient<ops::attention> = attention_gradients;
template <>
inline constexpr auto kGradient<ops::rotary_embedding> = rotary_embedding_gradients;
template <>
inline constexpr auto kGradient<ops::conv2d> = conv2d_gradients;
template <>
inline constexpr auto kGradient<ops::pool> = pool_gradients;
template <>
inline constexpr auto kGradient<ops::window_sums> = window_sums_gradients;
template <>
inline constexpr auto kGradient<ops::lp_pool> = lp_pool_gradients;
template <>
inline constexpr auto kGradient<ops::max_unpool2d> = max_unpool2d_gradients;
template <>
inline constexpr auto kGradient<ops::max_pool_gradient> = max_pool_gradient_gradients;
template <>
inline constexpr auto kGradient<ops::roi_pool> = roi_pool_gradients;
template <>
inline constexpr auto kGradient<ops::roi_pool_weights> = roi_pool_weights_gradients;
template <>
inline constexpr auto kGradient<ops::roi_pool_gradient> = roi_pool_gradient_gradients;
template <>
inline constexpr auto kGradient<ops::batchnorm> = batchnorm_gradients;

// What an op writes beside its results, and whether it reads what it writes to.
template <auto Op>
struct Effects {};
template <>
struct Effects<ops::batchnorm> {
  static std::vector<TensorRef> writes(const TensorRef&, const TensorRef& mean,
                                       const TensorRef& variance,
                                       const ops::BatchnormSettings& settings) {
    if (!settings.training) return {};
    return {mean, variance};
  }
};
template <>
struct Effects<ops::optimizer_step> {
  static std::vector<TensorRef> writes(const ops::OptimizerStep& step) {
    std::vector<TensorRef> written(step.parameters.begin(), step.parameters.end());
    const auto add = [&](const auto& list) {
      written.insert(written.end(), list.begin(), list.end());
    };
    for (const auto& state : step.states) add(state);
    add(step.masters);
    if (step.step != nullptr) written.push_back(step.step);
    return written;
  }
};
template <>
struct Effects<ops::clip_by_norm> {
  static std::vector<TensorRef> writes(std::span<const TensorRef> tensors, double) {
    return {tensors.begin(), tensors.end()};
  }
};
template <>
struct Effects<ops::unscale> {
  static std::vector<TensorRef> writes(std::span<const TensorRef> tensors, const TensorRef& scale,
                                       const TensorRef& found_inf) {
    std::vector<TensorRef> written;
    if (scale != nullptr) written.assign(tensors.begin(), tensors.end());
    written.push_back(found_inf);
    return written;
  }
};
template <>
struct Effects<ops::update_loss_scale> {
  static std::vector<TensorRef> writes(const TensorRef& scale, const TensorRef& tracker,
                                       const TensorRef&, const ops::LossScaleRule&) {
    return {scale, tracker};
  }
};
template <>
struct Effects<ops::matmul> {
  static bool reads_into(const TensorRef&, const TensorRef&,
                         const ops::MatmulParameters& parameters) {
    return parameters.beta != 0.0;
  }
};

}  // namespace netcl::graph
