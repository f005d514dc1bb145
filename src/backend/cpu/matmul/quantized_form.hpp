// Weights quantised in blocks, as the loops read them. The formats: netcl_quantization in netcl.h.
#pragma once

#include <cstdint>
#include <cstring>

#include "core/dtype.hpp"
#include "netcl.h"

namespace netcl::cpu {

// How weights of n x k are kept. A block is what has a place of its own in a row of bytes.
struct QuantizedForm {
  netcl_quantization format = 0;  // 0: weights are not quantised
  int32_t bits = 0;
  int64_t block = 0;  // weights of one
  int64_t block_bytes = 0;
  int64_t blocks = 0;  // of a row
  int64_t n = 0;
  int64_t k = 0;
  netcl_dtype scale_dtype = 0;  // of NBITS
  netcl_dtype zero_dtype = 0;   // 0: there are none; u8: packed
  int64_t zero_bytes = 0;       // of a row of packed ones

  int64_t row_bytes() const { return blocks * block_bytes; }
};

struct QuantizedMatrix {
  QuantizedForm form;
  const uint8_t* data = nullptr;
  const void* scales = nullptr;
  const void* zeros = nullptr;
};

// What a weight is made of its code with: (code - less) * scale, or code * scale - less in Q4_K.
struct QuantizedScale {
  float scale;
  float less;
};

inline float quantized_half(const uint8_t* bytes) {
  uint16_t bits;
  std::memcpy(&bits, bytes, sizeof bits);
  return f32_from_f16(bits);
}

inline float quantized_real(netcl_dtype dtype, const void* data, int64_t index) {
  if (dtype == NETCL_F32) return static_cast<const float*>(data)[index];
  const uint8_t* const bytes = static_cast<const uint8_t*>(data) + 2 * index;
  if (dtype == NETCL_F16) return quantized_half(bytes);
  uint16_t bits;
  std::memcpy(&bits, bytes, sizeof bits);
  return f32_from_bf16(bits);
}

// The numbers of 6 bits of a block of Q4_K, from its first byte on: S[j] and M[j].
inline QuantizedScale quantized_sixes(const uint8_t* block, int64_t j) {
  const uint8_t* const s = block + 4;
  const int low = j < 4 ? s[j] & 63 : (s[j + 4] & 15) | s[j - 4] >> 6 << 4;
  const int least = j < 4 ? s[j + 4] & 63 : s[j + 4] >> 4 | s[j] >> 6 << 4;
  return {quantized_half(block) * static_cast<float>(low),
          quantized_half(block + 2) * static_cast<float>(least)};
}

// Scale and zero point of a block, but for Q4_K.
inline QuantizedScale quantized_scale(const QuantizedMatrix& w, int64_t row, int64_t block) {
  const QuantizedForm& form = w.form;
  if (form.format != NETCL_QUANTIZATION_NBITS) {
    const uint8_t* const bytes = w.data + row * form.row_bytes() + block * form.block_bytes;
    return {quantized_half(bytes), form.format == NETCL_QUANTIZATION_Q4_0 ? 8.0f : 0.0f};
  }
  const int64_t index = row * form.blocks + block;
  QuantizedScale out{quantized_real(form.scale_dtype, w.scales, index),
                     static_cast<float>(1 << (form.bits - 1))};
  if (form.zero_dtype == NETCL_U8) {
    const auto* const zeros = static_cast<const uint8_t*>(w.zeros) + row * form.zero_bytes;
    const int64_t bit = block * form.bits;
    const int code = zeros[bit / 8] >> bit % 8 & ((1 << form.bits) - 1);
    out.less = static_cast<float>(code);
  } else if (form.zero_dtype != 0) {
    out.less = quantized_real(form.zero_dtype, w.zeros, index);
  }
  return out;
}

}  // namespace netcl::cpu
