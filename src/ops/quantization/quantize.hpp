// Quantising and dequantising; netcl_op_quantize_linear in netcl.h says what they are. Both are
// expressions over views: a scale is spread over the elements that share it.
#pragma once

#include <optional>
#include <vector>

#include "expression/tree.hpp"
#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

struct QuantizeSettings {
  TensorRef zero_point;  // null: 0
  int64_t block_size = 0;
  netcl_dtype dtype = 0;      // of the result; 0: by the zero point or `into`, else u8
  netcl_dtype precision = 0;  // of the division; 0: that of the scale
};
TensorRef quantize_linear(const TensorRef& x, const TensorRef& scale, int32_t axis,
                          const QuantizeSettings& settings, const TensorRef& into, const Run& run);

struct DequantizeSettings {
  TensorRef zero_point;
  int64_t block_size = 0;
  netcl_dtype dtype = 0;  // of the result; 0: that of `into` or of the scale
};
TensorRef dequantize_linear(const TensorRef& x, const TensorRef& scale, int32_t axis,
                            const DequantizeSettings& settings, const TensorRef& into,
                            const Run& run);

// One of them as an expression over its inputs: x, the scale and, where there is one, the zero
// point, which broadcast to x.
struct LinearFormula {
  std::shared_ptr<const expression::Tree> tree;
  std::vector<TensorRef> inputs;
};
// Of calls that are sound; null for those with blocks.
std::optional<LinearFormula> quantize_formula(const TensorRef& x, const TensorRef& scale,
                                              int32_t axis, const QuantizeSettings& settings,
                                              netcl_dtype result);
std::optional<LinearFormula> dequantize_formula(const TensorRef& x, const TensorRef& scale,
                                                int32_t axis, const DequantizeSettings& settings);

// i32 sums as quantised numbers: y = round(sums * (left * right / y_scale)) + y_zero_point. The
// other tensors broadcast to the sums; the zero point may be null.
struct RequantizeScales {
  TensorRef left;
  TensorRef right;
  TensorRef result;
  TensorRef zero_point;
};
void requantize(const TensorRef& sums, const RequantizeScales& scales, const Tensor& y,
                const Run& run);

// f32, f16, bf16; others are UNSUPPORTED.
void require_scale_dtype(const Tensor& scale, const char* argument);
// The dtype of a quantised result of 8 bits: what was asked for, else that of the zero point, of
// `into`, or `own`. They have to agree.
netcl_dtype byte_result_dtype(netcl_dtype asked, const TensorRef& zero_point,
                              const char* zero_argument, const TensorRef& into, netcl_dtype own);
// The scale and the zero point (which may be null) that a result has: one element each.
void check_result_scale(const Tensor& y_scale, const TensorRef& y_zero_point, const TensorRef& into,
                        const Run& run);
// Fails unless a tensor has one element.
void require_one_element(const Tensor& tensor, const char* argument);
// The one element of a tensor, to broadcast to anything.
TensorRef one_element(const Tensor& tensor);

// What is done for an op that declares its work: commands before its last, and that.
inline Run last_of(const Run& declared) {
  Run run = declared;
  run.declared = true;
  return run;
}

}  // namespace netcl::ops
