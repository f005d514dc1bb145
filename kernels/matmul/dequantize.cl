/* Quantised weights made whole: an item per word. Options: those of quantized_common.cl; X names
 * the result's dtype. */
#include "prelude.cl"
#include "quantized_common.cl"

__kernel void netcl_dequantize_weights(WEIGHTS_PARAMS, __global STORAGE(X) * out, long out_offset,
                                       long out_row, long out_column, long n, long k) {
  const long words = ALL_WORDS(k);
  const long row = (long)get_global_id(0) / words, u = (long)get_global_id(0) % words;
  if (row >= n) return;
  const uint word = netcl_word(weights + weights_offset + row * blocks * BLOCK_BYTES +
                               WORD_BYTES(u));
  const float4 scales_of = netcl_scales(WEIGHTS_ARGS, row, u);
  float four[4];
  vstore4(netcl_first_weights(word, scales_of), 0, four);
  out += out_offset + row * out_row;
  for (int e = 0; e < 4 && FIRST_COLUMN(u) + e < k; ++e) {
    STORE(X, four[e], out, (FIRST_COLUMN(u) + e) * out_column);
  }
#if BITS == 4
  vstore4(netcl_second_weights(word, scales_of), 0, four);
  for (int e = 0; e < 4 && SECOND_COLUMN(u) + e < k; ++e) {
    STORE(X, four[e], out, (SECOND_COLUMN(u) + e) * out_column);
  }
#endif
}
