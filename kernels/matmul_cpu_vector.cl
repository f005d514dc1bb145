/* Matrix times vector for OpenCL devices that are CPUs. The options and formats are those of
 * matmul_cpu.cl: NETCL_T, NETCL_W, NETCL_IN and NETCL_OUT. One work-item is one work-group. */

#if NETCL_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#define NETCL_JOIN_(a, b) a##b
#define NETCL_JOIN(a, b) NETCL_JOIN_(a, b)
#define NETCL_V NETCL_JOIN(NETCL_T, NETCL_W)
#define NETCL_VLOAD NETCL_JOIN(vload, NETCL_W)
#define NETCL_VSTORE NETCL_JOIN(vstore, NETCL_W)

/* ---- Formats ---- */

/* The conversions use integers and normal numbers only, so devices that flush denormal floats give
 * the same bits. Each macro defines them for scalars (N empty) or vectors of N. */
#if NETCL_IN == 1
#define NETCL_DEFINE_WIDEN(N)                                                                    \
  float##N netcl_widen##N(ushort##N bits) {                                                      \
    const uint##N h = convert_uint##N(bits);                                                     \
    const uint##N body = (h & 0x7fffu) << 13;                                                    \
    const float##N small = as_float##N(body | 0x38800000u) - as_float##N((uint##N)0x38800000u);  \
    uint##N wide = select(body + 0x38000000u, body | 0x7f800000u, (h & 0x7c00u) == 0x7c00u);     \
    wide = select(wide, as_uint##N(small), (h & 0x7c00u) == 0u);                                 \
    return as_float##N(wide | ((h & 0x8000u) << 16));                                            \
  }
#elif NETCL_IN == 2
#define NETCL_DEFINE_WIDEN(N) \
  float##N netcl_widen##N(ushort##N bits) { return as_float##N(convert_uint##N(bits) << 16); }
#endif

#if NETCL_IN == 0
#define netcl_in NETCL_T
#define NETCL_READ(p) (*(p))
#define NETCL_READ_V(p) NETCL_VLOAD(0, p)
#else
#define netcl_in ushort
NETCL_DEFINE_WIDEN()
#if NETCL_W == 8
NETCL_DEFINE_WIDEN(8)
#else
NETCL_DEFINE_WIDEN(16)
#endif
#define NETCL_READ(p) netcl_widen(*(p))
#define NETCL_READ_V(p) NETCL_JOIN(netcl_widen, NETCL_W)(NETCL_VLOAD(0, p))
#endif

/* With c of 16 bits a and b have its format. */
#if NETCL_OUT == 0
#define netcl_out NETCL_T
NETCL_T netcl_old(netcl_out value) { return value; }
netcl_out netcl_round(NETCL_T value) { return value; }
#elif NETCL_OUT == 1
#define netcl_out ushort
#define netcl_old netcl_widen
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
#else
#define netcl_out ushort
#define netcl_old netcl_widen
ushort netcl_round(float value) {
  const uint bits = as_uint(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return (ushort)((bits >> 16) | 0x40u);
  return (ushort)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}
#endif

/* ---- Dots and sums ---- */

NETCL_T netcl_total(NETCL_V x) {
  NETCL_T parts[NETCL_W];
  NETCL_T sum = 0;
  int i;
  NETCL_VSTORE(x, 0, parts);
  for (i = 0; i < NETCL_W; ++i) sum += parts[i];
  return sum;
}

void netcl_write(__global netcl_out *c, NETCL_T sum, NETCL_T alpha, NETCL_T beta) {
  NETCL_T value = sum * alpha;
  if (beta != 0) value += netcl_old(*c) * beta;
  *c = netcl_round(value);
}

#define NETCL_DOT_ROWS 16

/* Unit strides along the depth of a and of the vector b. NETCL_DOT_ROWS rows per item of dimension
 * 0, four at a time; dimension 2 is the batch. */
__kernel void matmul_cpu_dot(__global const netcl_in *a, long a_offset, long a_row, long a_batch,
                             __global const netcl_in *b, long b_offset, long b_batch,
                             __global netcl_out *c, long c_offset, long c_row, long c_batch, long m,
                             long k, NETCL_T alpha, NETCL_T beta) {
  const long first = (long)get_global_id(0) * NETCL_DOT_ROWS;
  const long last = min(first + NETCL_DOT_ROWS, m);
  const long batch = (long)get_global_id(2);
  long i;
  a += a_offset + batch * a_batch;
  b += b_offset + batch * b_batch;
  c += c_offset + batch * c_batch;
  for (i = first; i < last; i += 4) {
    /* Rows past the end read the last one again, and are not written. */
    __global const netcl_in *a0 = a + i * a_row;
    __global const netcl_in *a1 = a + min(i + 1, last - 1) * a_row;
    __global const netcl_in *a2 = a + min(i + 2, last - 1) * a_row;
    __global const netcl_in *a3 = a + min(i + 3, last - 1) * a_row;
    NETCL_V s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    NETCL_T t0, t1, t2, t3;
    long p = 0;
    for (; p + NETCL_W <= k; p += NETCL_W) {
      const NETCL_V x = NETCL_READ_V(b + p);
      s0 = fma(NETCL_READ_V(a0 + p), x, s0);
      s1 = fma(NETCL_READ_V(a1 + p), x, s1);
      s2 = fma(NETCL_READ_V(a2 + p), x, s2);
      s3 = fma(NETCL_READ_V(a3 + p), x, s3);
    }
    t0 = netcl_total(s0), t1 = netcl_total(s1), t2 = netcl_total(s2), t3 = netcl_total(s3);
    for (; p < k; ++p) {
      const NETCL_T x = NETCL_READ(b + p);
      t0 = fma((NETCL_T)NETCL_READ(a0 + p), x, t0);
      t1 = fma((NETCL_T)NETCL_READ(a1 + p), x, t1);
      t2 = fma((NETCL_T)NETCL_READ(a2 + p), x, t2);
      t3 = fma((NETCL_T)NETCL_READ(a3 + p), x, t3);
    }
    netcl_write(c + i * c_row, t0, alpha, beta);
    if (i + 1 < last) netcl_write(c + (i + 1) * c_row, t1, alpha, beta);
    if (i + 2 < last) netcl_write(c + (i + 2) * c_row, t2, alpha, beta);
    if (i + 3 < last) netcl_write(c + (i + 3) * c_row, t3, alpha, beta);
  }
}

#define NETCL_SUM_ROWS (8 * NETCL_W)
#define NETCL_EACH_SUM(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#define NETCL_SUM_DECLARE(i) NETCL_V s##i = 0;
#define NETCL_SUM_ADD(i) s##i = fma(NETCL_READ_V(column + i * NETCL_W), x, s##i);
#define NETCL_SUM_STORE(i) NETCL_VSTORE(s##i, 0, sums + i * NETCL_W);

/* Unit stride along the rows of a. NETCL_SUM_ROWS rows per item of dimension 0. */
__kernel void matmul_cpu_add(__global const netcl_in *a, long a_offset, long a_column, long a_batch,
                             __global const netcl_in *b, long b_offset, long b_row, long b_batch,
                             __global netcl_out *c, long c_offset, long c_row, long c_batch, long m,
                             long k, NETCL_T alpha, NETCL_T beta) {
  const long first = (long)get_global_id(0) * NETCL_SUM_ROWS;
  const int rows = (int)min((long)NETCL_SUM_ROWS, m - first);
  const long batch = (long)get_global_id(2);
  NETCL_T sums[NETCL_SUM_ROWS];
  __global const netcl_in *column = a + a_offset + batch * a_batch + first;
  long p;
  int i;
  b += b_offset + batch * b_batch;
  c += c_offset + batch * c_batch + first * c_row;
  if (rows == NETCL_SUM_ROWS) {
    NETCL_EACH_SUM(NETCL_SUM_DECLARE)
    for (p = 0; p < k; ++p, column += a_column) {
      const NETCL_V x = (NETCL_V)(NETCL_READ(b + p * b_row));
      NETCL_EACH_SUM(NETCL_SUM_ADD)
    }
    NETCL_EACH_SUM(NETCL_SUM_STORE)
  } else {
    for (i = 0; i < rows; ++i) sums[i] = 0;
    for (p = 0; p < k; ++p, column += a_column) {
      const NETCL_T x = NETCL_READ(b + p * b_row);
      for (i = 0; i < rows; ++i) sums[i] = fma((NETCL_T)NETCL_READ(column + i), x, sums[i]);
    }
  }
  for (i = 0; i < rows; ++i) netcl_write(c + i * c_row, sums[i], alpha, beta);
}
