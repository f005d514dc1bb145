// Ops on quantised weights: see netcl_op_matmul_quantized, netcl_op_dequantize_weights and
// netcl_op_quantize_weights.
#pragma once

#include "ops/matmul/matmul.hpp"

namespace netcl::ops {

struct QuantizedSettings {
  TensorRef scales;
  TensorRef zero_points;
  int64_t k = 0;      // 0: all weights of the blocks
  netcl_quantization format = 0;
  int32_t bits = 0;  // of NBITS, as are the next
  int64_t block = 0;
  netcl_dtype dtype = 0;
  bool has_zero_points = false;
};

struct QuantizedProduct {
  QuantizedSettings settings;
  Epilogue epilogue;
};

TensorRef matmul_quantized(const Tensor& x, const Tensor& weights, const QuantizedProduct& product,
                           const TensorRef& into, const Run& run);
TensorRef dequantize_weights(const Tensor& weights, const QuantizedSettings& settings,
                             const TensorRef& into, const Run& run);

struct QuantizedResult {
  TensorRef weights;
  TensorRef scales;       // null but of NBITS
  TensorRef zero_points;  // null when they are not asked for
};
QuantizedResult quantize_weights(const Tensor& w, const QuantizedSettings& settings,
                                 const QuantizedResult& into, const Run& run);

// Weights that were checked, with their tensors in C order.
struct QuantizedWeights {
  cpu::QuantizedForm form;
  TensorRef data;
  TensorRef scales;
  TensorRef zeros;
};
// The form of weights of n x k that are to be made; checks what the settings say of the format.
cpu::QuantizedForm make_quantized_form(const QuantizedSettings& settings, int64_t n, int64_t k);
// Checks weights and makes them ready. `k` is that of x, or 0.
QuantizedWeights take_weights(const Tensor& weights, const QuantizedSettings& settings, int64_t k,
                              const Run& run);
// In C order, from a place on at which kernels can read words.
bool is_in_order(const Tensor& tensor);
// `into` shares memory with none of the weights' tensors.
void refuse_sharing_weights(const TensorRef& into, const Tensor& weights,
                            const QuantizedSettings& settings);

// Build options of kernels/matmul/quantized_common.cl, and what its parameters are.
std::string quantized_flags(const cpu::QuantizedForm& form);
// The OpenCL parts.
void launch_dequantize(const QuantizedWeights& weights, const Tensor& result, const Run& run);
void launch_quantize(const Tensor& w, const cpu::QuantizedForm& form, const QuantizedResult& result,
                     const Run& run);

}  // namespace netcl::ops
