/* Product of few rows with quantised weights: TEAM items share COLUMNS rows of weights, of which
 * they take words in turn, and all of ROWS rows of a; a group has ITEMS items. The sums of a team
 * are added up in a fixed order. Options: those of matmul_formats.cl and quantized_common.cl;
 * A_WIDE: four neighbours of a row of a can be read at once. */
#include "matmul_formats.cl"
#include "quantized_common.cl"

#define TEAMS (ITEMS / TEAM)
#define PITCH (ITEMS + 1)
/* Words of each row under way at a time. */
#define AHEAD 4

inline float4 netcl_widened(ushort4 bits) {
#if NETCL_IN == 1
  return vload_half4(0, (const half *)&bits);
#else
  return as_float4(convert_uint4(bits) << 16);
#endif
}

/* Four elements of a row of a from a column on. */
inline float4 netcl_four(__global const netcl_in *row, long column, long step) {
#ifdef A_WIDE
#if NETCL_IN == 0
  return *(__global const float4 *)(row + column);
#else
  return netcl_widened(*(__global const ushort4 *)(row + column));
#endif
#else
  row += column * step;
#if NETCL_IN == 0
  return (float4)(row[0], row[step], row[2 * step], row[3 * step]);
#else
  return netcl_widened((ushort4)(row[0], row[step], row[2 * step], row[3 * step]));
#endif
#endif
}

inline float netcl_add_four(float4 x, float4 y, float sum) {
  return fma(x.w, y.w, fma(x.z, y.z, fma(x.y, y.y, fma(x.x, y.x, sum))));
}

/* Adds what one word of each row of weights gives. */
inline void netcl_add_words(const uint *words, const float4 *scales, long u,
                            __global const netcl_in *const *rows, long step,
                            float (*sums)[COLUMNS]) {
  float4 first[COLUMNS];
#if BITS == 4
  float4 second[COLUMNS];
#endif
#pragma unroll
  for (int j = 0; j < COLUMNS; ++j) {
    first[j] = netcl_first_weights(words[j], scales[j]);
#if BITS == 4
    second[j] = netcl_second_weights(words[j], scales[j]);
#endif
  }
#pragma unroll
  for (int i = 0; i < ROWS; ++i) {
    const float4 x = netcl_four(rows[i], FIRST_COLUMN(u), step);
#if BITS == 4
    const float4 y = netcl_four(rows[i], SECOND_COLUMN(u), step);
#endif
#pragma unroll
    for (int j = 0; j < COLUMNS; ++j) {
      sums[i][j] = netcl_add_four(first[j], x, sums[i][j]);
#if BITS == 4
      sums[i][j] = netcl_add_four(second[j], y, sums[i][j]);
#endif
    }
  }
}

/* The last word of a row of NBITS, of which `count` codes are columns. */
inline void netcl_add_rest(const uint *words, const float4 *scales, long u, int count,
                           __global const netcl_in *const *rows, long step,
                           float (*sums)[COLUMNS]) {
  for (int j = 0; j < COLUMNS; ++j) {
    for (int e = 0; e < count; ++e) {
      const float code = words[j] >> e * BITS & ((1u << BITS) - 1u);
      const float weight = (code - scales[j].y) * scales[j].x;
      for (int i = 0; i < ROWS; ++i) {
        sums[i][j] = fma(weight, NETCL_READ_A(rows[i] + (u * PER_WORD + e) * step), sums[i][j]);
      }
    }
  }
}

/* Dimension 0 has groups of TEAMS * COLUMNS columns of c, dimension 1 of ROWS rows, dimension 2 is
 * the batch. */
__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void netcl_matmul_quantized(
    __global const netcl_in *a, long a_offset, long a_row, long a_column, NETCL_BATCH_PARAMS(a),
    WEIGHTS_PARAMS, __global netcl_out *c, long c_offset, long c_row, long c_column,
    NETCL_BATCH_PARAMS(c), long m, long n, long k NETCL_INNER_PARAM, NETCL_T alpha, NETCL_T beta
    NETCL_EPILOGUE_PARAMS) {
  __local float parts[ROWS * COLUMNS * PITCH];
  const int item = (int)get_local_id(0), lane = item % TEAM;
  const long batch = (long)get_global_id(2);
  const long column = (long)get_group_id(0) * (TEAMS * COLUMNS);
  const long row = (long)get_group_id(1) * ROWS;
  float sums[ROWS][COLUMNS];
  __global const netcl_in *rows[ROWS];
  long own[COLUMNS];
  const __global uchar *bytes[COLUMNS];
  a += NETCL_MATRIX(a, batch);
  c += NETCL_MATRIX(c, batch);
  NETCL_EPILOGUE_BATCH(batch)
  /* Rows and columns behind the last are the last once more, and are not stored. */
  for (int i = 0; i < ROWS; ++i) rows[i] = a + min(row + i, m - 1) * a_row;
  for (int j = 0; j < COLUMNS; ++j) {
    own[j] = min(column + item / TEAM * COLUMNS + j, n - 1);
    bytes[j] = weights + weights_offset + own[j] * blocks * BLOCK_BYTES;
    for (int i = 0; i < ROWS; ++i) sums[i][j] = 0;
  }
  const long whole = WHOLE_WORDS(k);
  long u = lane;
  for (; u + (AHEAD - 1) * TEAM < whole; u += AHEAD * TEAM) {
    uint words[AHEAD][COLUMNS];
    float4 scales_of[AHEAD][COLUMNS];
#pragma unroll
    for (int s = 0; s < AHEAD; ++s) {
#pragma unroll
      for (int j = 0; j < COLUMNS; ++j) {
        words[s][j] = netcl_word(bytes[j] + WORD_BYTES(u + s * TEAM));
        scales_of[s][j] = netcl_scales(WEIGHTS_ARGS, own[j], u + s * TEAM);
      }
    }
#pragma unroll
    for (int s = 0; s < AHEAD; ++s) {
      netcl_add_words(words[s], scales_of[s], u + s * TEAM, rows, a_column, sums);
    }
  }
  for (; u < ALL_WORDS(k); u += TEAM) {
    uint words[COLUMNS];
    float4 scales_of[COLUMNS];
    for (int j = 0; j < COLUMNS; ++j) {
      words[j] = netcl_word(bytes[j] + WORD_BYTES(u));
      scales_of[j] = netcl_scales(WEIGHTS_ARGS, own[j], u);
    }
    if (u < whole) {
      netcl_add_words(words, scales_of, u, rows, a_column, sums);
    } else {
      netcl_add_rest(words, scales_of, u, (int)(k - u * PER_WORD), rows, a_column, sums);
    }
  }
#pragma unroll
  for (int i = 0; i < ROWS; ++i) {
#pragma unroll
    for (int j = 0; j < COLUMNS; ++j) parts[(i * COLUMNS + j) * PITCH + item] = sums[i][j];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int o = item; o < ROWS * TEAMS * COLUMNS; o += ITEMS) {
    const int i = o / (TEAMS * COLUMNS), at = o % (TEAMS * COLUMNS);
    const __local float *const from =
        parts + (i * COLUMNS + at % COLUMNS) * PITCH + at / COLUMNS * TEAM;
    float sum = 0;
    for (int p = 0; p < TEAM; ++p) sum += from[p];
    if (row + i < m && column + at < n) {
      netcl_write(c + (row + i) * c_row + (column + at) * c_column, sum, alpha, beta
                  NETCL_EPILOGUE_ARGS(row + i, column + at));
    }
  }
}
