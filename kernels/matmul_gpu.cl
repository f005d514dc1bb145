/* Matrix product for GPUs and for any other device that is not a CPU; portable OpenCL C 1.2.
 *
 * Options: NETCL_T float or double, the type of the sums; NETCL_DOUBLE 1 for double; NETCL_IN and
 * NETCL_OUT the formats of a and b and of c: 0 as NETCL_T, 1 f16, 2 bf16. For matmul_gpu_tiles also
 * NETCL_TILE 128 or 64, the side of a group's tile of c; NETCL_STEP 8 or 16, its steps along the
 * depth, with NETCL_TILE * NETCL_STEP = 1024; NETCL_A and NETCL_B, how an operand lies in memory:
 * 0 any strides, 1 unit stride along its columns, 2 along its rows; NETCL_A_WIDE and NETCL_B_WIDE 1
 * when four elements from a multiple of four on are aligned to their size. */

#if NETCL_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

/* ---- Formats ---- */

#if NETCL_IN == 0
#define netcl_in NETCL_T
#else
#define netcl_in ushort
#endif
#if NETCL_OUT == 0
#define netcl_out NETCL_T
#else
#define netcl_out ushort
#endif
#define NETCL_JOIN_(a, b) a##b
#define NETCL_JOIN(a, b) NETCL_JOIN_(a, b)
#define NETCL_T4 NETCL_JOIN(NETCL_T, 4)

/* Integers and normal numbers only, so devices that flush denormal floats give the same bits. */
#if NETCL_IN == 1 || NETCL_OUT == 1
float netcl_from_half(ushort bits) {
  const uint body = (uint)(bits & 0x7fff) << 13;
  const uint sign = (uint)(bits & 0x8000) << 16;
  if ((bits & 0x7c00) == 0x7c00) return as_float(sign | body | 0x7f800000u);
  if ((bits & 0x7c00) != 0) return as_float(sign | (body + 0x38000000u));
  return as_float(sign | as_uint(as_float(body | 0x38800000u) - as_float(0x38800000u)));
}
#endif
#if NETCL_OUT == 1
ushort netcl_round(float value) {
  const uint sign = (as_uint(value) >> 16) & 0x8000u;
  const uint body = as_uint(value) & 0x7fffffffu;
  uint bits;
  if (body > 0x7f800000u) {
    bits = 0x7e00u | ((body >> 13) & 0x3ffu);
  } else if (body >= 0x477ff000u) {
    bits = 0x7c00u;
  } else if (body >= 0x38800000u) {
    bits = ((body + 0xfffu + ((body >> 13) & 1u)) >> 13) - (112u << 10);
  } else {
    /* The steps of floats in [0.5, 1) are those of denormal halves. */
    bits = as_uint(as_float(body) + 0.5f) - 0x3f000000u;
  }
  return (ushort)(sign | bits);
}
#elif NETCL_OUT == 2
ushort netcl_round(float value) {
  const uint bits = as_uint(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return (ushort)((bits >> 16) | 0x40u);
  return (ushort)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}
#else
#define netcl_round(value) (value)
#endif

#if NETCL_IN == 0
#define NETCL_READ(p) (*(p))
#elif NETCL_IN == 1
#define NETCL_READ(p) netcl_from_half(*(p))
#else
#define NETCL_READ(p) as_float((uint)(*(p)) << 16)
#endif
#if NETCL_OUT == 0
#define NETCL_OLD(p) (*(p))
#elif NETCL_OUT == 1
#define NETCL_OLD(p) netcl_from_half(*(p))
#else
#define NETCL_OLD(p) as_float((uint)(*(p)) << 16)
#endif

void netcl_write(__global netcl_out *c, NETCL_T sum, NETCL_T alpha, NETCL_T beta) {
  NETCL_T value = sum * alpha;
  if (beta != 0) value += NETCL_OLD(c) * beta;
  *c = netcl_round(value);
}

/* ---- One item per element: small products ---- */

/* Dimensions: columns, rows, batch; the first two may be rounded up. */
__kernel void matmul_gpu_simple(__global const netcl_in *a, long a_offset, long a_row,
                                long a_column, long a_batch, __global const netcl_in *b,
                                long b_offset, long b_row, long b_column, long b_batch,
                                __global netcl_out *c, long c_offset, long c_row, long c_column,
                                long c_batch, long m, long n, long k, NETCL_T alpha,
                                NETCL_T beta) {
  const long column = (long)get_global_id(0);
  const long row = (long)get_global_id(1);
  const long batch = (long)get_global_id(2);
  if (row < m && column < n) {
    __global const netcl_in *x = a + a_offset + batch * a_batch + row * a_row;
    __global const netcl_in *y = b + b_offset + batch * b_batch + column * b_column;
    NETCL_T sum = 0;
    long p;
    for (p = 0; p < k; ++p, x += a_column, y += b_row) {
      sum = fma((NETCL_T)NETCL_READ(x), (NETCL_T)NETCL_READ(y), sum);
    }
    netcl_write(c + c_offset + batch * c_batch + row * c_row + column * c_column, sum, alpha, beta);
  }
}

/* ---- One group per element: long dot products ---- */

#define NETCL_DOT_ITEMS 64

/* Dimensions: NETCL_DOT_ITEMS per column, rows, batch. */
__kernel __attribute__((reqd_work_group_size(NETCL_DOT_ITEMS, 1, 1))) void matmul_gpu_dot(
    __global const netcl_in *a, long a_offset, long a_row, long a_column, long a_batch,
    __global const netcl_in *b, long b_offset, long b_row, long b_column, long b_batch,
    __global netcl_out *c, long c_offset, long c_row, long c_column, long c_batch, long m, long n,
    long k, NETCL_T alpha, NETCL_T beta) {
  __local NETCL_T sums[NETCL_DOT_ITEMS];
  const int item = (int)get_local_id(0);
  const long column = (long)get_group_id(0);
  const long row = (long)get_global_id(1);
  const long batch = (long)get_global_id(2);
  __global const netcl_in *x = a + a_offset + batch * a_batch + row * a_row;
  __global const netcl_in *y = b + b_offset + batch * b_batch + column * b_column;
  NETCL_T sum0 = 0;
  NETCL_T sum1 = 0;
  long p = item;
  int width;
  for (; p + NETCL_DOT_ITEMS < k; p += 2 * NETCL_DOT_ITEMS) {
    const long q = p + NETCL_DOT_ITEMS;
    sum0 = fma((NETCL_T)NETCL_READ(x + p * a_column), (NETCL_T)NETCL_READ(y + p * b_row), sum0);
    sum1 = fma((NETCL_T)NETCL_READ(x + q * a_column), (NETCL_T)NETCL_READ(y + q * b_row), sum1);
  }
  if (p < k) {
    sum0 = fma((NETCL_T)NETCL_READ(x + p * a_column), (NETCL_T)NETCL_READ(y + p * b_row), sum0);
  }
  sums[item] = sum0 + sum1;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (width = NETCL_DOT_ITEMS / 2; width > 0; width /= 2) {
    if (item < width) sums[item] += sums[item + width];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0) {
    netcl_write(c + c_offset + batch * c_batch + row * c_row + column * c_column, sums[0], alpha,
                beta);
  }
}

/* ---- Register tiles ---- */

#ifdef NETCL_TILE

#define NETCL_SIDE (NETCL_TILE / 16) /* each of 16 x 16 items has a tile of NETCL_SIDE squared */
#define NETCL_QUADS (NETCL_SIDE / 4)
#define NETCL_PITCH (NETCL_TILE + NETCL_PAD)
#define NETCL_BAND 8

#if NETCL_IN == 0
typedef NETCL_T4 netcl_quad;
#else
typedef ushort4 netcl_quad;
#endif

/* Four elements of an operand: `line` counts across the depth (rows of a, columns of b). They lie
 * along the depth when NETCL_A (NETCL_B) says that it has the unit stride, else across it. */
#define NETCL_GATHER(values, base, line, lines, line_stride, p, k, step_stride, lines4, steps4)    \
  {                                                                                                \
    int e;                                                                                         \
    for (e = 0; e < 4; ++e) {                                                                      \
      const long l = (line) + ((lines4) ? e : 0);                                                  \
      const long q = (p) + ((steps4) ? e : 0);                                                     \
      values[e] = 0;                                                                               \
      if (l < (lines) && q < (k)) {                                                                \
        values[e] = NETCL_READ(base + l * (line_stride) + q * (step_stride));                      \
      }                                                                                            \
    }                                                                                              \
  }

#if NETCL_IN == 0
#define NETCL_UNPACK(values, quad)                                                             \
  values[0] = quad.s0, values[1] = quad.s1, values[2] = quad.s2, values[3] = quad.s3;
#else
#define NETCL_UNPACK(values, quad)                                        \
  {                                                                       \
    const ushort bits[4] = {quad.s0, quad.s1, quad.s2, quad.s3};          \
    int e;                                                                \
    for (e = 0; e < 4; ++e) values[e] = NETCL_READ(bits + e);             \
  }
#endif

/* Unit stride along the depth for a is NETCL_A == 1, for b it is NETCL_B == 2. */
#define NETCL_A_DEEP (NETCL_A == 1)
#define NETCL_B_DEEP (NETCL_B == 2)

#define NETCL_FETCH(values, base, first_line, lines, line_stride, first, k, step_stride, deep,     \
                    wide)                                                                          \
  {                                                                                                \
    const int in_line = (deep) ? item / (NETCL_STEP / 4) : item % (NETCL_TILE / 4) * 4;            \
    const int in_step = (deep) ? item % (NETCL_STEP / 4) * 4 : item / (NETCL_TILE / 4);            \
    const long line = (first_line) + in_line;                                                      \
    const long p = (first) + in_step;                                                              \
    if ((wide) && line + ((deep) ? 1 : 4) <= (lines) && p + ((deep) ? 4 : 1) <= (k)) {             \
      const netcl_quad quad =                                                                      \
          *(__global const netcl_quad *)(base + line * (line_stride) + p * (step_stride));         \
      NETCL_UNPACK(values, quad)                                                                   \
    } else {                                                                                       \
      NETCL_GATHER(values, base, line, lines, line_stride, p, k, step_stride, !(deep), deep)       \
    }                                                                                              \
  }

#define NETCL_PLACE(store, values, deep)                                                \
  {                                                                                     \
    const int in_line = (deep) ? item / (NETCL_STEP / 4) : item % (NETCL_TILE / 4) * 4; \
    const int in_step = (deep) ? item % (NETCL_STEP / 4) * 4 : item / (NETCL_TILE / 4); \
    int e;                                                                              \
    for (e = 0; e < 4; ++e) {                                                           \
      store[(in_step + ((deep) ? e : 0)) * NETCL_PITCH + in_line + ((deep) ? 0 : e)] =  \
          values[e];                                                                    \
    }                                                                                   \
  }

/* The first row and column of a group's tile. Bands of tile rows are walked column by column, so
 * that groups that run at the same time share their operands in the cache. */
long2 netcl_tile_origin(long group, long m, long n) {
  const long tiles_m = (m + NETCL_TILE - 1) / NETCL_TILE;
  const long tiles_n = (n + NETCL_TILE - 1) / NETCL_TILE;
  const long band = group / (NETCL_BAND * tiles_n);
  const long in_band = group - band * (NETCL_BAND * tiles_n);
  const long band_rows = min((long)NETCL_BAND, tiles_m - band * NETCL_BAND);
  return (long2)((band * NETCL_BAND + in_band % band_rows) * NETCL_TILE,
                 in_band / band_rows * NETCL_TILE);
}

/* A group of 256 items computes one tile of c. While it multiplies one step, the next is on its way
 * from global memory into registers. An item's rows and columns are quads 64 apart, which reads
 * local memory without conflicts. Dimension 0 has one group per tile, dimension 2 is the batch. */
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void matmul_gpu_tiles(
    __global const netcl_in *a, long a_offset, long a_row, long a_column, long a_batch,
    __global const netcl_in *b, long b_offset, long b_row, long b_column, long b_batch,
    __global netcl_out *c, long c_offset, long c_row, long c_column, long c_batch, long m, long n,
    long k, NETCL_T alpha, NETCL_T beta) {
  __local NETCL_T store_a[2][NETCL_STEP * NETCL_PITCH] __attribute__((aligned(32)));
  __local NETCL_T store_b[2][NETCL_STEP * NETCL_PITCH] __attribute__((aligned(32)));
  const int item = (int)get_local_id(0);
  const int across = item % 16;
  const int down = item / 16;
  const long2 origin = netcl_tile_origin((long)get_group_id(0), m, n);
  const long row_first = origin.s0;
  const long column_first = origin.s1;
  const long batch = (long)get_global_id(2);

  NETCL_T sums[NETCL_SIDE][NETCL_SIDE];
  NETCL_T next_a[4];
  NETCL_T next_b[4];
  long first;
  int i, j, p;
  int half_now = 0;

  a += a_offset + batch * a_batch;
  b += b_offset + batch * b_batch;
  c += c_offset + batch * c_batch;
  for (i = 0; i < NETCL_SIDE; ++i) {
    for (j = 0; j < NETCL_SIDE; ++j) sums[i][j] = 0;
  }
  NETCL_FETCH(next_a, a, row_first, m, a_row, 0, k, a_column, NETCL_A_DEEP, NETCL_A_WIDE)
  NETCL_FETCH(next_b, b, column_first, n, b_column, 0, k, b_row, NETCL_B_DEEP, NETCL_B_WIDE)
  NETCL_PLACE(store_a[0], next_a, NETCL_A_DEEP)
  NETCL_PLACE(store_b[0], next_b, NETCL_B_DEEP)
  barrier(CLK_LOCAL_MEM_FENCE);

  for (first = 0; first < k; first += NETCL_STEP) {
    const long following = first + NETCL_STEP;
    if (following < k) {
      NETCL_FETCH(next_a, a, row_first, m, a_row, following, k, a_column, NETCL_A_DEEP,
                  NETCL_A_WIDE)
      NETCL_FETCH(next_b, b, column_first, n, b_column, following, k, b_row, NETCL_B_DEEP,
                  NETCL_B_WIDE)
    }
#pragma unroll
    for (p = 0; p < NETCL_STEP; ++p) {
      NETCL_T x[NETCL_SIDE];
      NETCL_T y[NETCL_SIDE];
#pragma unroll
      for (i = 0; i < NETCL_QUADS; ++i) {
        const NETCL_T4 u =
            *(__local const NETCL_T4 *)&store_a[half_now][p * NETCL_PITCH + i * 64 + down * 4];
        const NETCL_T4 v =
            *(__local const NETCL_T4 *)&store_b[half_now][p * NETCL_PITCH + i * 64 + across * 4];
        x[4 * i] = u.s0, x[4 * i + 1] = u.s1, x[4 * i + 2] = u.s2, x[4 * i + 3] = u.s3;
        y[4 * i] = v.s0, y[4 * i + 1] = v.s1, y[4 * i + 2] = v.s2, y[4 * i + 3] = v.s3;
      }
#pragma unroll
      for (i = 0; i < NETCL_SIDE; ++i) {
#pragma unroll
        for (j = 0; j < NETCL_SIDE; ++j) sums[i][j] = fma(x[i], y[j], sums[i][j]);
      }
    }
    if (following < k) {
      NETCL_PLACE(store_a[1 - half_now], next_a, NETCL_A_DEEP)
      NETCL_PLACE(store_b[1 - half_now], next_b, NETCL_B_DEEP)
    }
    half_now = 1 - half_now;
    barrier(CLK_LOCAL_MEM_FENCE);
  }

#pragma unroll
  for (i = 0; i < NETCL_SIDE; ++i) {
    const long row = row_first + i / 4 * 64 + down * 4 + i % 4;
#pragma unroll
    for (j = 0; j < NETCL_SIDE; ++j) {
      const long column = column_first + j / 4 * 64 + across * 4 + j % 4;
      if (row < m && column < n) {
        netcl_write(c + row * c_row + column * c_column, sums[i][j], alpha, beta);
      }
    }
  }
}

#endif
