/* Makes codes of numbers: an item per block. backend/cpu/matmul/quantize.cpp does the same.
 * Options: QUANTIZED, BITS and BLOCK as in quantized_common.cl; X names the numbers' dtype; of
 * format 1 SCALE the scales', and with PACKED_ZEROS there are zero points, which an item makes of
 * as many blocks as share a byte. */
#include "prelude.cl"

#if QUANTIZED == 1
#define BLOCK_BYTES (BLOCK * BITS / 8)
#elif QUANTIZED == 4
#define BLOCK_BYTES 144
#else
#define BLOCK_BYTES (2 + BLOCK * BITS / 8)
#endif

/* Numbers of a row of w from a column on. */
typedef struct {
  const __global STORAGE(X) * w;
  long step;
} Numbers;

inline float netcl_number(const Numbers *numbers, long i) {
  return LOAD(X, numbers->w, i * numbers->step);
}

/* The code nearest to a number; NaN gives the least. */
inline int netcl_code(float number, float least, float most) {
  const float nearest = rint(number);
  return (int)(nearest > least ? fmin(nearest, most) : least);
}

inline float netcl_inverse(float scale) { return scale == 0 ? 0.0f : 1.0f / scale; }

/* The number of largest magnitude with its sign. */
inline float netcl_extreme(const Numbers *numbers, int count) {
  float found = 0;
  for (int i = 0; i < count; ++i) {
    const float x = netcl_number(numbers, i);
    if (fabs(x) > fabs(found)) found = x;
  }
  return found;
}

/* The least and the largest of some numbers and 0. */
inline float2 netcl_range(const Numbers *numbers, int first, int count) {
  float2 range = 0;
  for (int i = first; i < first + count; ++i) {
    const float x = netcl_number(numbers, i);
    range = (float2)(x < range.x ? x : range.x, x > range.y ? x : range.y);
  }
  return range;
}

#if QUANTIZED == 1

#ifdef PACKED_ZEROS
#define ZEROS_PARAM , __global uchar *zeros
#define BLOCKS_TOGETHER (8 / BITS)
#else
#define ZEROS_PARAM
#define BLOCKS_TOGETHER 1
#endif
#define MOST ((1 << BITS) - 1)

/* Stores a scale and gives what was stored. */
inline float netcl_keep(float scale, __global STORAGE(SCALE) * scales, long index) {
  STORE(SCALE, scale, scales, index);
  return LOAD(SCALE, scales, index);
}

/* Writes the codes of a block, of which `count` are of numbers. */
inline void netcl_write_codes(const Numbers *numbers, int count, float scale, int zero,
                              __global uchar *to) {
  const float by = netcl_inverse(scale);
  for (int i = 0; i < BLOCK; i += 8 / BITS) {
    int byte = 0;
    for (int e = 0; e < 8 / BITS; ++e) {
      const int code = i + e < count ? netcl_code(netcl_number(numbers, i + e) * by, -zero,
                                                  MOST - zero) + zero
                                     : zero;
      byte |= code << e * BITS;
    }
    to[i * BITS / 8] = (uchar)byte;
  }
}

__kernel void netcl_quantize_weights(const __global STORAGE(X) * w, long w_offset, long w_row,
                                     long w_column, __global uchar *weights, long weights_offset,
                                     __global STORAGE(SCALE) * scales, long n, long k,
                                     long blocks ZEROS_PARAM) {
  const long together = (blocks + BLOCKS_TOGETHER - 1) / BLOCKS_TOGETHER;
  const long row = (long)get_global_id(0) / together;
  const long first = (long)get_global_id(0) % together * BLOCKS_TOGETHER;
  if (row >= n) return;
#ifdef PACKED_ZEROS
  int packed = 0;
#endif
  for (long block = first; block < min(first + BLOCKS_TOGETHER, blocks); ++block) {
    const Numbers numbers = {w + w_offset + row * w_row + block * BLOCK * w_column, w_column};
    const int count = (int)min((long)BLOCK, k - block * BLOCK);
    const long index = row * blocks + block;
#ifdef PACKED_ZEROS
    const float2 range = netcl_range(&numbers, 0, count);
    const float scale = netcl_keep((range.y - range.x) / MOST, scales, index);
    const int zero = netcl_code(-range.x * netcl_inverse(scale), 0, MOST);
    packed |= zero << (int)(block - first) * BITS;
#else
    const int zero = 1 << (BITS - 1);
    const float scale = netcl_keep(netcl_extreme(&numbers, count) / -zero, scales, index);
#endif
    netcl_write_codes(&numbers, count, scale, zero, weights + weights_offset + index * BLOCK_BYTES);
  }
#ifdef PACKED_ZEROS
  zeros[row * together + first / BLOCKS_TOGETHER] = (uchar)packed;
#endif
}

#else

inline float netcl_keep_half(float scale, __global uchar *to) {
  vstore_half_rte(scale, 0, (__global half *)to);
  return vload_half(0, (const __global half *)to);
}

#if QUANTIZED == 2
inline void netcl_write_block(const Numbers *numbers, __global uchar *to) {
  const float by = netcl_inverse(netcl_keep_half(netcl_extreme(numbers, 32) / -8, to));
  for (int i = 0; i < 16; ++i) {
    const int low = netcl_code(netcl_number(numbers, i) * by, -8, 7) + 8;
    const int high = netcl_code(netcl_number(numbers, i + 16) * by, -8, 7) + 8;
    to[2 + i] = (uchar)(low | high << 4);
  }
}
#elif QUANTIZED == 3
inline void netcl_write_block(const Numbers *numbers, __global uchar *to) {
  const float by = netcl_inverse(netcl_keep_half(fabs(netcl_extreme(numbers, 32)) / 127, to));
  for (int i = 0; i < 32; ++i) {
    to[2 + i] = (uchar)netcl_code(netcl_number(numbers, i) * by, -127, 127);
  }
}
#else
inline void netcl_write_block(const Numbers *numbers, __global uchar *to) {
  float steps[8], leasts[8], step = 0, least = 0;
  for (int j = 0; j < 8; ++j) {
    const float2 range = netcl_range(numbers, 32 * j, 32);
    steps[j] = (range.y - range.x) / 15;
    leasts[j] = -range.x;
    step = fmax(step, steps[j]);
    least = fmax(least, leasts[j]);
  }
  const float d = netcl_keep_half(step / 63, to), m = netcl_keep_half(least / 63, to + 2);
  int sixes[8], others[8];
  for (int j = 0; j < 8; ++j) {
    sixes[j] = netcl_code(steps[j] * netcl_inverse(d), 0, 63);
    others[j] = netcl_code(leasts[j] * netcl_inverse(m), 0, 63);
  }
  for (int j = 0; j < 4; ++j) {
    to[4 + j] = (uchar)(sixes[j] | sixes[j + 4] >> 4 << 6);
    to[8 + j] = (uchar)(others[j] | others[j + 4] >> 4 << 6);
    to[12 + j] = (uchar)((sixes[j + 4] & 15) | (others[j + 4] & 15) << 4);
  }
  for (int j = 0; j < 8; j += 2) {
    for (int i = 0; i < 32; ++i) {
      int byte = 0;
      for (int e = 0; e < 2; ++e) {
        const float x = netcl_number(numbers, 32 * (j + e) + i) + m * others[j + e];
        byte |= netcl_code(x * netcl_inverse(d * sixes[j + e]), 0, 15) << 4 * e;
      }
      to[16 + 16 * j + i] = (uchar)byte;
    }
  }
}
#endif

__kernel void netcl_quantize_weights(const __global STORAGE(X) * w, long w_offset, long w_row,
                                     long w_column, __global uchar *weights, long weights_offset,
                                     long n, long k, long blocks) {
  const long row = (long)get_global_id(0) / blocks, block = (long)get_global_id(0) % blocks;
  if (row >= n) return;
  const Numbers numbers = {w + w_offset + row * w_row + block * BLOCK * w_column, w_column};
  netcl_write_block(&numbers, weights + weights_offset + (row * blocks + block) * BLOCK_BYTES);
}

#endif
