// Makes codes of numbers, block by block. kernels/matmul/quantize.cl does the same.
#include <algorithm>
#include <cmath>

#include "backend/cpu/matmul/quantized_loops.hpp"

namespace netcl::cpu {
namespace {

constexpr int64_t kBlockMost = 256;

// The code nearest to a number; NaN gives the least.
int code_of(float number, float least, float most) {
  const float nearest = std::nearbyint(number);
  return static_cast<int>(nearest > least ? std::min(nearest, most) : least);
}

float inverse(float scale) { return scale == 0.0f ? 0.0f : 1.0f / scale; }

// The number of largest magnitude with its sign.
float extreme(const float* w, int64_t count) {
  float found = 0.0f;
  for (int64_t i = 0; i < count; ++i) {
    if (std::abs(w[i]) > std::abs(found)) found = w[i];
  }
  return found;
}

struct Range {
  float least = 0.0f;
  float most = 0.0f;
};
Range range_of(const float* w, int64_t count) {
  Range range;
  for (int64_t i = 0; i < count; ++i) {
    range.least = std::min(range.least, w[i]);
    range.most = std::max(range.most, w[i]);
  }
  return range;
}

// Rounds a scale to the dtype that it is kept in, and keeps it.
float keep_scale(float scale, netcl_dtype dtype, void* scales, int64_t index) {
  if (dtype == NETCL_F32) {
    static_cast<float*>(scales)[index] = scale;
    return scale;
  }
  const uint16_t bits = dtype == NETCL_F16 ? f16_from_f32(scale) : bf16_from_f32(scale);
  static_cast<uint16_t*>(scales)[index] = bits;
  return dtype == NETCL_F16 ? f32_from_f16(bits) : f32_from_bf16(bits);
}

float keep_half(float scale, uint8_t* place) {
  const uint16_t bits = f16_from_f32(scale);
  std::memcpy(place, &bits, sizeof bits);
  return f32_from_f16(bits);
}

// A block of NBITS; what of it lies beyond the row has the zero point's code.
void quantize_nbits(const QuantizedTarget& t, int64_t row, int64_t block, const float* w,
                    int64_t count) {
  const QuantizedForm& form = t.form;
  const int bits = form.bits;
  const float most = static_cast<float>((1 << bits) - 1);
  int zero = 1 << (bits - 1);
  float scale = 0.0f;
  const int64_t index = row * form.blocks + block;
  if (t.zeros != nullptr) {
    const Range range = range_of(w, count);
    scale = keep_scale((range.most - range.least) / most, form.scale_dtype, t.scales, index);
    zero = code_of(-range.least * inverse(scale), 0.0f, most);
    uint8_t* const place = t.zeros + row * form.zero_bytes + block * bits / 8;
    const int64_t shift = block * bits % 8;
    // The first of a byte clears what was there.
    *place = static_cast<uint8_t>((shift == 0 ? 0 : *place) | zero << shift);
  } else {
    scale = keep_scale(extreme(w, count) / -static_cast<float>(zero), form.scale_dtype, t.scales,
                       index);
  }
  const float by = inverse(scale), offset = static_cast<float>(zero);
  uint8_t* const to = t.data + row * form.row_bytes() + block * form.block_bytes;
  std::fill_n(to, form.block_bytes, uint8_t{0});
  for (int64_t i = 0; i < form.block; ++i) {
    const int code = i < count ? code_of(w[i] * by, -offset, most - offset) + zero : zero;
    to[i * bits / 8] = static_cast<uint8_t>(to[i * bits / 8] | code << i * bits % 8);
  }
}

void quantize_q4_0(const float* w, uint8_t* to) {
  const float by = inverse(keep_half(extreme(w, 32) / -8.0f, to));
  for (int i = 0; i < 16; ++i) {
    const int low = code_of(w[i] * by, -8.0f, 7.0f) + 8;
    const int high = code_of(w[i + 16] * by, -8.0f, 7.0f) + 8;
    to[2 + i] = static_cast<uint8_t>(low | high << 4);
  }
}

void quantize_q8_0(const float* w, uint8_t* to) {
  const float by = inverse(keep_half(std::abs(extreme(w, 32)) / 127.0f, to));
  for (int i = 0; i < 32; ++i) {
    to[2 + i] = static_cast<uint8_t>(code_of(w[i] * by, -127.0f, 127.0f));
  }
}

void quantize_q4_k(const float* w, uint8_t* to) {
  float steps[8], leasts[8];
  for (int j = 0; j < 8; ++j) {
    const Range range = range_of(w + 32 * j, 32);
    steps[j] = (range.most - range.least) / 15.0f;
    leasts[j] = -range.least;
  }
  const float by_step = inverse(keep_half(*std::max_element(steps, steps + 8) / 63.0f, to));
  const float by_least = inverse(keep_half(*std::max_element(leasts, leasts + 8) / 63.0f, to + 2));
  uint8_t* const s = to + 4;
  std::fill_n(s, 12, uint8_t{0});
  for (int j = 0; j < 8; ++j) {
    const int low = code_of(steps[j] * by_step, 0.0f, 63.0f);
    const int least = code_of(leasts[j] * by_least, 0.0f, 63.0f);
    if (j < 4) {
      s[j] = static_cast<uint8_t>(low);
      s[j + 4] = static_cast<uint8_t>(least);
    } else {
      s[j + 4] = static_cast<uint8_t>((low & 15) | (least & 15) << 4);
      s[j - 4] = static_cast<uint8_t>(s[j - 4] | low >> 4 << 6);
      s[j] = static_cast<uint8_t>(s[j] | least >> 4 << 6);
    }
  }
  std::fill_n(to + 16, 128, uint8_t{0});
  for (int j = 0; j < 8; ++j) {
    const QuantizedScale scale = quantized_sixes(to, j);
    const float by = inverse(scale.scale);
    for (int i = 0; i < 32; ++i) {
      const int code = code_of((w[32 * j + i] + scale.less) * by, 0.0f, 15.0f);
      uint8_t* const place = to + 16 + 32 * (j / 2) + i;
      *place = static_cast<uint8_t>(*place | code << j % 2 * 4);
    }
  }
}

}  // namespace

void quantize_weights(const GemmOperand& w, const QuantizedTarget& target, ThreadPool& pool) {
  const QuantizedForm& form = target.form;
  const auto& set = gemm_detail::kernels<float>();
  const int64_t grain = std::max<int64_t>(16384 / form.k, 1);
  pool.parallel_for(form.n, grain, [&](int64_t begin, int64_t end) {
    float numbers[kBlockMost];
    for (int64_t row = begin; row < end; ++row) {
      for (int64_t block = 0; block < form.blocks; ++block) {
        const int64_t first = block * form.block;
        const int64_t count = std::min(form.block, form.k - first);
        const GemmOperand from = gemm_detail::shifted(w, row, first);
        set.pack(from.dtype, from.data, 0, from.column_stride, 1, 1, count, numbers);
        uint8_t* const to = target.data + row * form.row_bytes() + block * form.block_bytes;
        switch (form.format) {
          case NETCL_QUANTIZATION_Q4_0:
            quantize_q4_0(numbers, to);
            break;
          case NETCL_QUANTIZATION_Q8_0:
            quantize_q8_0(numbers, to);
            break;
          case NETCL_QUANTIZATION_Q4_K:
            quantize_q4_k(numbers, to);
            break;
          default:
            quantize_nbits(target, row, block, numbers, count);
        }
      }
    }
  });
}

}  // namespace netcl::cpu
