/* Weights quantised in blocks, as kernels read them: words of 32 bits, each with the codes of one
 * or two runs of four columns. netcl_quantization in netcl.h says how the formats lie in memory;
 * weights, scales and zero points are packed. Any device, OpenCL C 1.2. Include it after
 * prelude.cl.
 *
 * Options: QUANTIZED the format's number, 1 to 4; BITS 4 or 8; BLOCK weights of a block. Of format
 * 1 SCALE names the scales' dtype, and ZERO that of the zero points, with PACKED_ZEROS when they
 * are packed like codes; without ZERO there are none. */

#define PER_WORD (32 / BITS)
#if QUANTIZED == 1
#define BLOCK_BYTES (BLOCK * BITS / 8)
#elif QUANTIZED == 4
#define BLOCK_BYTES 144
#else
#define BLOCK_BYTES (2 + BLOCK * BITS / 8)
#endif

#ifdef SCALE
#define SCALE_PARAMS , const __global STORAGE(SCALE) * scales, long scales_offset
#define SCALE_ARGS , scales + scales_offset
#define SCALE_FORMALS , const __global STORAGE(SCALE) * scales
#define SCALE_PASSED , scales
#else
#define SCALE_PARAMS
#define SCALE_ARGS
#define SCALE_FORMALS
#define SCALE_PASSED
#endif
#ifdef ZERO
#define ZERO_PARAMS , const __global STORAGE(ZERO) * zeros, long zeros_offset
#define ZERO_ARGS , zeros + zeros_offset
#define ZERO_FORMALS , const __global STORAGE(ZERO) * zeros
#define ZERO_PASSED , zeros
#else
#define ZERO_PARAMS
#define ZERO_ARGS
#define ZERO_FORMALS
#define ZERO_PASSED
#endif
/* For a kernel's parameters, and what functions get of them. */
#define WEIGHTS_PARAMS \
  const __global uchar *weights, long weights_offset, long blocks SCALE_PARAMS ZERO_PARAMS
#define WEIGHTS_FORMALS const __global uchar *weights, long blocks SCALE_FORMALS ZERO_FORMALS
#define WEIGHTS_ARGS weights + weights_offset, blocks SCALE_ARGS ZERO_ARGS

/* Of a word: its block, and the columns that its first and its second four codes begin at. */
#if QUANTIZED == 1
#define WORD_BLOCK(u) ((u) * PER_WORD / BLOCK)
#define WORD_BYTES(u) ((u) * 4)
#define FIRST_COLUMN(u) ((u) * PER_WORD)
#define SECOND_COLUMN(u) ((u) * PER_WORD + 4)
#elif QUANTIZED == 2
#define WORD_BLOCK(u) ((u) / 4)
#define WORD_BYTES(u) ((u) / 4 * BLOCK_BYTES + 2 + (u) % 4 * 4)
#define FIRST_COLUMN(u) ((u) / 4 * 32 + (u) % 4 * 4)
#define SECOND_COLUMN(u) (FIRST_COLUMN(u) + 16)
#elif QUANTIZED == 3
#define WORD_BLOCK(u) ((u) / 8)
#define WORD_BYTES(u) ((u) / 8 * BLOCK_BYTES + 2 + (u) % 8 * 4)
#define FIRST_COLUMN(u) ((u) * 4)
#define SECOND_COLUMN(u) 0
#else
#define WORD_BLOCK(u) ((u) / 32)
#define WORD_BYTES(u) ((u) / 32 * BLOCK_BYTES + 16 + (u) % 32 * 4)
#define FIRST_COLUMN(u) ((u) / 8 * 64 + (u) % 8 * 4)
#define SECOND_COLUMN(u) (FIRST_COLUMN(u) + 32)
#endif
/* Words of a row whose codes are all columns below k, or begin there. */
#define WHOLE_WORDS(k) ((k) / PER_WORD)
#define ALL_WORDS(k) (((k) + PER_WORD - 1) / PER_WORD)

inline uint netcl_word(const __global uchar *at) {
#if QUANTIZED == 2 || QUANTIZED == 3
  const __global ushort *const halves = (const __global ushort *)at;
  return halves[0] | (uint)halves[1] << 16;
#else
  return *(const __global uint *)at;
#endif
}

/* What the codes of a word are multiplied with and what is taken off: x and y of the first four, z
 * and w of the second. */
inline float4 netcl_scales(WEIGHTS_FORMALS, long row, long u) {
  const long block = WORD_BLOCK(u);
#if QUANTIZED == 1
  const long index = row * blocks + block;
  const float scale = LOAD(SCALE, scales, index);
#ifndef ZERO
  const float zero = 1 << (BITS - 1);
#elif defined(PACKED_ZEROS)
  const long bit = block * BITS;
  const float zero =
      zeros[row * ((blocks * BITS + 7) / 8) + bit / 8] >> (int)(bit % 8) & ((1 << BITS) - 1);
#else
  const float zero = LOAD(ZERO, zeros, index);
#endif
  return (float4)(scale, zero, scale, zero);
#else
  const __global uchar *const at = weights + (row * blocks + block) * BLOCK_BYTES;
  const float d = vload_half(0, (const __global half *)at);
#if QUANTIZED == 2
  return (float4)(d, 8.0f, d, 8.0f);
#elif QUANTIZED == 3
  return (float4)(d, 0.0f, d, 0.0f);
#else
  const float m = vload_half(1, (const __global half *)at);
  const __global uchar *const s = at + 4;
  const int j = (int)(u % 32 / 8) * 2;
  int2 step, least;
  if (j < 4) {
    step = (int2)(s[j], s[j + 1]) & 63;
    least = (int2)(s[j + 4], s[j + 5]) & 63;
  } else {
    const int2 both = (int2)(s[j + 4], s[j + 5]);
    step = (both & 15) | (int2)(s[j - 4], s[j - 3]) >> 6 << 4;
    least = both >> 4 | (int2)(s[j], s[j + 1]) >> 6 << 4;
  }
  return (float4)(d * step.x, m * least.x, d * step.y, m * least.y);
#endif
#endif
}

inline float4 netcl_weights(float4 codes, float scale, float less) {
#if QUANTIZED == 4
  return codes * scale - less; /* the product is exact */
#else
  return (codes - less) * scale;
#endif
}
inline float4 netcl_first_weights(uint word, float4 scales) {
#if BITS == 8 && QUANTIZED == 3
  return netcl_weights(convert_float4(as_char4(word)), scales.x, scales.y);
#elif BITS == 8
  return netcl_weights(convert_float4(as_uchar4(word)), scales.x, scales.y);
#elif QUANTIZED == 1
  const uint4 codes = (uint4)(word, word >> 4, word >> 8, word >> 12) & 15u;
  return netcl_weights(convert_float4(convert_int4(codes)), scales.x, scales.y);
#else
  return netcl_weights(convert_float4(as_uchar4(word & 0x0f0f0f0fu)), scales.x, scales.y);
#endif
}
#if BITS == 4
inline float4 netcl_second_weights(uint word, float4 scales) {
#if QUANTIZED == 1
  const uint4 codes = (uint4)(word >> 16, word >> 20, word >> 24, word >> 28) & 15u;
  return netcl_weights(convert_float4(convert_int4(codes)), scales.z, scales.w);
#else
  return netcl_weights(convert_float4(as_uchar4(word >> 4 & 0x0f0f0f0fu)), scales.z, scales.w);
#endif
}
#endif
