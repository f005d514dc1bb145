/* Matrix product with few rows of a: b is read once, by as many items as the memory needs to keep
 * busy. Any device, OpenCL C 1.2.
 *
 * Options: those of matmul_formats.cl; NETCL_LINES, the rows of a at most; NETCL_DEEP 1 when b lies
 * along the depth (its rows have unit stride), 0 when it lies across; NETCL_WIDE elements of b that
 * lie behind each other and are loaded as one, 1 or 16 bytes of them: then they are aligned, and
 * the extent of b that they run along is a multiple of them; NETCL_ITEMS of a group, and
 * NETCL_SHARERS of them that share the depth of the same results. Where b lies along the depth
 * NETCL_EACH is the number of columns of an item, and NETCL_A_WIDE 1 when a can be loaded like b;
 * where it lies across, NETCL_ROUND is the number of rows, a divisor of NETCL_LINES, whose sums are
 * in local memory at a time.
 *
 * Dimension 0 has a group for each NETCL_ITEMS / NETCL_SHARERS times NETCL_EACH, or NETCL_WIDE,
 * columns; dimension 2 is the batch. */

#include "matmul_formats.cl"

#define NETCL_UNROLL _Pragma("unroll")
#define NETCL_TEAMS (NETCL_ITEMS / NETCL_SHARERS) /* of items that share a depth */

/* ---- NETCL_WIDE elements at once ---- */

#define NETCL_PUT_1(v, at, q, from) v[at] = from(q);
#define NETCL_PUT_2(v, at, q, from) v[at] = from((q).lo), v[at + 1] = from((q).hi);
#define NETCL_PUT_4(v, at, q, from) \
  NETCL_PUT_2(v, at, (q).lo, from) NETCL_PUT_2(v, at + 2, (q).hi, from)
#define NETCL_PUT_8(v, at, q, from) \
  NETCL_PUT_4(v, at, (q).lo, from) NETCL_PUT_4(v, at + 4, (q).hi, from)
#define NETCL_PUT_16(v, at, q, from) \
  NETCL_PUT_8(v, at, (q).lo, from) NETCL_PUT_8(v, at + 8, (q).hi, from)

/* Of f16 the device's own conversion, which is exact, of what was loaded as one: NVIDIA's compiler
 * makes eight loads of vload_half8 from global memory. */
#if NETCL_IN == 1
#define NETCL_ONE(format, p) vload_half(0, (__global const half *)(p))
#else
#define NETCL_ONE(format, p) NETCL_FROM(format, p)
#endif
#if NETCL_WIDE == 1
#define NETCL_LOAD(v, p, format) v[0] = NETCL_ONE(format, p);
#elif NETCL_IN == 1
#define NETCL_LOAD(v, p, format)                                   \
  {                                                                \
    const ushort8 bits = *(__global const ushort8 *)(p);           \
    const float8 pack = vload_half8(0, (const half *)&bits);       \
    NETCL_PUT_8(v, 0, pack, netcl_widen_0)                         \
  }
#else
#define NETCL_PACK(format) NETCL_JOIN(NETCL_STORED(format), NETCL_WIDE)
#define NETCL_LOAD(v, p, format)                                                     \
  {                                                                                  \
    const NETCL_PACK(format) pack = *(__global const NETCL_PACK(format) *)(p);       \
    NETCL_JOIN(NETCL_PUT_, NETCL_WIDE)(v, 0, pack, NETCL_JOIN(netcl_widen_, format)) \
  }
#endif

/* The sum of what the sharers of a result have in partial sums. */
NETCL_T netcl_sum_of(__local const NETCL_T *sums, int apart) {
  NETCL_T sum = 0;
  int s;
  for (s = 0; s < NETCL_SHARERS; ++s) sum += sums[s * apart];
  return sum;
}

#if NETCL_DEEP

/* Neighbouring items have neighbouring steps of the depth. The sums of a team end one place before
 * those of the next begin, so that teams take different banks. */
__kernel __attribute__((reqd_work_group_size(NETCL_ITEMS, 1, 1))) void netcl_matmul_thin(
    NETCL_PRODUCT_PARAMS) {
  const int item = (int)get_local_id(0);
  int row, i, w, e;
  long p;
  __local NETCL_T partial[NETCL_LINES * NETCL_EACH][NETCL_ITEMS + NETCL_TEAMS];
  const int share = item % NETCL_SHARERS;
  const long first = ((long)get_group_id(0) * NETCL_TEAMS + item / NETCL_SHARERS) * NETCL_EACH;
  NETCL_T sums[NETCL_LINES][NETCL_EACH];
  NETCL_PRODUCT_BATCH((long)get_group_id(2))
  NETCL_UNROLL
  for (row = 0; row < NETCL_LINES; ++row) {
    NETCL_UNROLL
    for (i = 0; i < NETCL_EACH; ++i) sums[row][i] = 0;
  }
  for (p = share * NETCL_WIDE; p < k; p += NETCL_SHARERS * NETCL_WIDE) {
    NETCL_T y[NETCL_EACH][NETCL_WIDE];
    NETCL_UNROLL
    for (i = 0; i < NETCL_EACH; ++i) {
      /* Past the last column the last one is read again, for results that are not stored. */
      const long column = min(first + i, n - 1);
      NETCL_LOAD(y[i], b + column * b_column + p, NETCL_IN_B)
      NETCL_UNROLL
      for (w = 0; w < NETCL_WIDE; ++w) y[i][w] = y[i][w] NETCL_LESS_B(column);
    }
    NETCL_UNROLL
    for (row = 0; row < NETCL_LINES; ++row) {
      const long line = min((long)row, m - 1);
      __global const netcl_in *from = a + line * a_row + p * a_column;
      NETCL_T x[NETCL_WIDE];
#if NETCL_A_WIDE
      NETCL_LOAD(x, from, NETCL_IN)
#else
      NETCL_UNROLL
      for (w = 0; w < NETCL_WIDE; ++w) x[w] = NETCL_ONE(NETCL_IN, from + w * a_column);
#endif
      NETCL_UNROLL
      for (w = 0; w < NETCL_WIDE; ++w) {
        x[w] = x[w] NETCL_LESS_A(line);
        NETCL_UNROLL
        for (i = 0; i < NETCL_EACH; ++i) {
          sums[row][i] = NETCL_ADD_PRODUCT(x[w], y[i][w], sums[row][i]);
        }
      }
    }
  }
  NETCL_UNROLL
  for (row = 0; row < NETCL_LINES; ++row) {
    NETCL_UNROLL
    for (i = 0; i < NETCL_EACH; ++i) {
      partial[row * NETCL_EACH + i][item + item / NETCL_SHARERS] = sums[row][i];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (e = item; e < NETCL_LINES * NETCL_EACH * NETCL_TEAMS; e += NETCL_ITEMS) {
    const int team = e % NETCL_TEAMS;
    const int at = e / NETCL_TEAMS;
    const long column = ((long)get_group_id(0) * NETCL_TEAMS + team) * NETCL_EACH + at % NETCL_EACH;
    row = at / NETCL_EACH;
    if (row < m && column < n) {
      const NETCL_T sum = netcl_sum_of(&partial[at][team * (NETCL_SHARERS + 1)], 1);
      netcl_write(c + row * c_row + column * c_column, sum, alpha, beta
                  NETCL_EPILOGUE_ARGS(row, column));
    }
  }
}

#else

/* Neighbouring items have neighbouring columns, and then steps. Rows of sums are apart by as many
 * more as keep the columns of a team in different banks. */
__kernel __attribute__((reqd_work_group_size(NETCL_ITEMS, 1, 1))) void netcl_matmul_thin(
    NETCL_PRODUCT_PARAMS) {
  const int item = (int)get_local_id(0);
  int row, i, w, e;
  long p;
  __local NETCL_T partial[NETCL_WIDE * NETCL_ROUND][NETCL_ITEMS + NETCL_TEAMS];
  const int team = item % NETCL_TEAMS;
  const long first = ((long)get_group_id(0) * NETCL_TEAMS + team) * NETCL_WIDE;
  __global const netcl_in *from;
  NETCL_T sums[NETCL_LINES][NETCL_WIDE];
  NETCL_PRODUCT_BATCH((long)get_group_id(2))
  from = b + min(first, n - NETCL_WIDE) * b_column;
  NETCL_UNROLL
  for (row = 0; row < NETCL_LINES; ++row) {
    NETCL_UNROLL
    for (w = 0; w < NETCL_WIDE; ++w) sums[row][w] = 0;
  }
  _Pragma("unroll 4")
  for (p = item / NETCL_TEAMS; p < k; p += NETCL_SHARERS) {
    NETCL_T y[NETCL_WIDE];
    NETCL_LOAD(y, from + p * b_row, NETCL_IN_B)
    NETCL_UNROLL
    for (w = 0; w < NETCL_WIDE; ++w) y[w] = y[w] NETCL_LESS_B(min(first + w, n - 1));
    NETCL_UNROLL
    for (row = 0; row < NETCL_LINES; ++row) {
      const long line = min((long)row, m - 1);
      const NETCL_T x = NETCL_ONE(NETCL_IN, a + line * a_row + p * a_column) NETCL_LESS_A(line);
      NETCL_UNROLL
      for (w = 0; w < NETCL_WIDE; ++w) sums[row][w] = NETCL_ADD_PRODUCT(x, y[w], sums[row][w]);
    }
  }
  NETCL_UNROLL
  for (row = 0; row < NETCL_LINES; row += NETCL_ROUND) {
    NETCL_UNROLL
    for (i = 0; i < NETCL_ROUND; ++i) {
      NETCL_UNROLL
      for (w = 0; w < NETCL_WIDE; ++w) partial[i * NETCL_WIDE + w][item] = sums[row + i][w];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (e = item; e < NETCL_ROUND * NETCL_WIDE * NETCL_TEAMS; e += NETCL_ITEMS) {
      const int at = e / NETCL_TEAMS;
      const long line = row + at / NETCL_WIDE;
      const long column =
          ((long)get_group_id(0) * NETCL_TEAMS + e % NETCL_TEAMS) * NETCL_WIDE + at % NETCL_WIDE;
      if (line < m && column < n) {
        const NETCL_T sum = netcl_sum_of(&partial[at][e % NETCL_TEAMS], NETCL_TEAMS);
        netcl_write(c + line * c_row + column * c_column, sum, alpha, beta
                    NETCL_EPILOGUE_ARGS(line, column));
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

#endif
