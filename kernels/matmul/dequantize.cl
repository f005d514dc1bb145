/* Quantised weights made whole: an item per word. Options: those of quantized_common.cl; X names
 * the result's dtype, f32, f16 or bf16; INDEX is the type that numbers all words, uint where they
 * are few enough; WIDE when runs of four columns of the result are aligned and lie behind each
 * other. */
#include "prelude.cl"
#include "quantized_common.cl"

#define FOUR NETCL_JOIN(netcl_four_, X)
#define PACK NETCL_JOIN(netcl_pack_, X)
typedef float4 netcl_pack_f32;
typedef ushort4 netcl_pack_f16;
typedef ushort4 netcl_pack_bf16;

inline float4 netcl_four_f32(float4 v) { return v; }
inline ushort4 netcl_four_f16(float4 v) {
  ushort4 bits;
  vstore_half4_rte(v, 0, (half *)&bits);
  return bits;
}
inline ushort4 netcl_four_bf16(float4 v) {
  const uint4 bits = as_uint4(v);
  const uint4 rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  const int4 nan = (bits & 0x7fffffffu) > 0x7f800000u;
  return convert_ushort4(select(rounded, (bits >> 16) | 0x40u, nan));
}

/* Columns from `column` on, of which those at k and beyond are not there. */
inline void netcl_put(__global STORAGE(X) * out, long column, long k, long apart, float4 values) {
  float four[4];
#ifdef WIDE
  if (column + 4 <= k) {
    *(__global PACK *)(out + column) = FOUR(values);
    return;
  }
#endif
  vstore4(values, 0, four);
  for (int e = 0; e < 4 && column + e < k; ++e) STORE(X, four[e], out, (column + e) * apart);
}

__kernel void netcl_dequantize_weights(WEIGHTS_PARAMS, __global STORAGE(X) * out, long out_offset,
                                       long out_row, long out_column, long n, long k) {
  const INDEX words = (INDEX)ALL_WORDS(k), item = (INDEX)get_global_id(0);
  const long row = item / words, u = item % words;
  if (row >= n) return;
  const uint word = netcl_word(weights + weights_offset + row * blocks * BLOCK_BYTES +
                               WORD_BYTES(u));
  const float4 scales_of = netcl_scales(WEIGHTS_ARGS, row, u);
  out += out_offset + row * out_row;
  netcl_put(out, FIRST_COLUMN(u), k, out_column, netcl_first_weights(word, scales_of));
#if BITS == 4
  netcl_put(out, SECOND_COLUMN(u), k, out_column, netcl_second_weights(word, scales_of));
#endif
}
