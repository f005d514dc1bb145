/* What the matrix products share: formats of elements, and what happens to a sum before it is
 * stored. Any device, OpenCL C 1.2.
 *
 * Options: NETCL_T float or double, the type of the sums; NETCL_DOUBLE 1 for double; NETCL_IN and
 * NETCL_OUT the formats of a and b and of c: 0 as NETCL_T, 1 f16, 2 bf16. Of 8-bit integers NETCL_T
 * is uint, whose sums wrap, NETCL_IN is 3 for i8 and 4 for u8, NETCL_IN_B is the same of b, and
 * with NETCL_A_ZERO and NETCL_B_ZERO there are zero points, which are taken off each element that
 * is read. The epilogue: NETCL_BIAS
 * and NETCL_RESIDUAL are the formats of what is added, absent when nothing is; NETCL_ACTIVATION is
 * the function's number. NETCL_PLANES: a batch has two dimensions that do not continue each other,
 * the inner one of `inner` matrices. */

#if NETCL_IN >= 3
#define NETCL_ACTIVATION_ACC int
#else
#define NETCL_ACTIVATION_ACC NETCL_T
#endif
#ifndef NETCL_IN_B
#define NETCL_IN_B NETCL_IN
#endif
#include "prelude.cl"
#include "activation.cl"

/* ---- Formats ---- */

/* Integers and normal numbers only, so devices that flush denormal floats give the same bits. */
float netcl_widen_1(ushort bits) {
  const uint h = bits;
  const uint body = (h & 0x7fffu) << 13;
  const float small = as_float(body | 0x38800000u) - as_float(0x38800000u);
  uint wide = (h & 0x7c00u) == 0x7c00u ? body | 0x7f800000u : body + 0x38000000u;
  wide = (h & 0x7c00u) == 0u ? as_uint(small) : wide;
  return as_float(wide | ((h & 0x8000u) << 16));
}
float netcl_widen_2(ushort bits) { return as_float((uint)bits << 16); }
#define netcl_widen_0(x) (x)
#define netcl_widen_3(x) ((uint)(int)as_char(x))
#define netcl_widen_4(x) ((uint)(x))
#define NETCL_T4 NETCL_JOIN(NETCL_T, 4)

/* The type of an element in memory, and reading it, by the number of its format. */
#define netcl_stored_0 NETCL_T
#define netcl_stored_1 ushort
#define netcl_stored_2 ushort
#define netcl_stored_3 uchar
#define netcl_stored_4 uchar
#define NETCL_STORED(code) NETCL_JOIN(netcl_stored_, code)
#define NETCL_FROM(code, p) NETCL_JOIN(netcl_widen_, code)(*(p))

#define netcl_in NETCL_STORED(NETCL_IN)
#define netcl_out NETCL_STORED(NETCL_OUT)
#define NETCL_READ_A(p) NETCL_FROM(NETCL_IN, p)
#define NETCL_READ_B(p) NETCL_FROM(NETCL_IN_B, p)
#if NETCL_IN >= 3
#define NETCL_ADD_PRODUCT(x, y, sum) ((sum) + (x) * (y))
#else
#define NETCL_ADD_PRODUCT(x, y, sum) fma(x, y, sum)
#endif
#define NETCL_OLD(p) NETCL_FROM(NETCL_OUT, p)

/* To nearest even, and NaN stays NaN. */
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

/* ---- Batches ---- */

/* The strides of an operand from matrix to matrix as parameters and as arguments, and where the
 * matrix of a batch begins. */
#ifdef NETCL_PLANES
#define NETCL_BATCH_PARAMS(x) long NETCL_JOIN(x, _batch), long NETCL_JOIN(x, _outer)
#define NETCL_INNER_PARAM , long inner
#define NETCL_MATRIX(x, batch)                                        \
  (NETCL_JOIN(x, _offset) + (batch) % inner * NETCL_JOIN(x, _batch) + \
   (batch) / inner * NETCL_JOIN(x, _outer))
#else
#define NETCL_BATCH_PARAMS(x) long NETCL_JOIN(x, _batch)
#define NETCL_INNER_PARAM
#define NETCL_MATRIX(x, batch) (NETCL_JOIN(x, _offset) + (batch) * NETCL_JOIN(x, _batch))
#endif

/* ---- Zero points ---- */

/* As the epilogue's operands below; LESS is what follows an element that was read. */
#ifdef NETCL_A_ZERO
#define NETCL_A_ZERO_PARAMS                                                                 \
  __global const netcl_in *a_zero, long a_zero_offset, long a_zero_row, long a_zero_column, \
      NETCL_BATCH_PARAMS(a_zero),
#define NETCL_A_ZERO_BATCH(batch) a_zero += NETCL_MATRIX(a_zero, batch);
#define NETCL_LESS_A(row) -NETCL_READ_A(a_zero + (row) * a_zero_row)
#else
#define NETCL_A_ZERO_PARAMS
#define NETCL_A_ZERO_BATCH(batch)
#define NETCL_LESS_A(row)
#endif
#ifdef NETCL_B_ZERO
#define NETCL_B_ZERO_PARAMS                                                                 \
  __global const netcl_in *b_zero, long b_zero_offset, long b_zero_row, long b_zero_column, \
      NETCL_BATCH_PARAMS(b_zero),
#define NETCL_B_ZERO_BATCH(batch) b_zero += NETCL_MATRIX(b_zero, batch);
#define NETCL_LESS_B(column) -NETCL_READ_B(b_zero + (column) * b_zero_column)
#else
#define NETCL_B_ZERO_PARAMS
#define NETCL_B_ZERO_BATCH(batch)
#define NETCL_LESS_B(column)
#endif

/* ---- The epilogue ---- */

/* For a kernel's parameter list (PARAMS), a function's (FORMALS), the call (ARGS), and moving the
 * pointers to a batch (BATCH) or an element (TO). All begin with a comma or are empty. */
#ifdef NETCL_BIAS
#define NETCL_BIAS_PARAMS                                                           \
  , __global const NETCL_STORED(NETCL_BIAS) *bias, long bias_offset, long bias_row, \
      long bias_column, NETCL_BATCH_PARAMS(bias)
#define NETCL_BIAS_FORMALS \
  , __global const NETCL_STORED(NETCL_BIAS) *bias, long bias_row, long bias_column
#define NETCL_BIAS_ARGS(row, column) \
  , bias + (row) * bias_row + (column) * bias_column, bias_row, bias_column
#define NETCL_BIAS_BATCH(batch) bias += NETCL_MATRIX(bias, batch);
#else
#define NETCL_BIAS_PARAMS
#define NETCL_BIAS_FORMALS
#define NETCL_BIAS_ARGS(row, column)
#define NETCL_BIAS_BATCH(batch)
#endif
#ifdef NETCL_RESIDUAL
#define NETCL_RESIDUAL_PARAMS                                                                 \
  , __global const NETCL_STORED(NETCL_RESIDUAL) *residual, long residual_offset,              \
      long residual_row, long residual_column, NETCL_BATCH_PARAMS(residual)
#define NETCL_RESIDUAL_FORMALS                                                    \
  , __global const NETCL_STORED(NETCL_RESIDUAL) *residual, long residual_row,     \
      long residual_column
#define NETCL_RESIDUAL_ARGS(row, column) \
  , residual + (row) * residual_row + (column) * residual_column, residual_row, residual_column
#define NETCL_RESIDUAL_BATCH(batch) residual += NETCL_MATRIX(residual, batch);
#else
#define NETCL_RESIDUAL_PARAMS
#define NETCL_RESIDUAL_FORMALS
#define NETCL_RESIDUAL_ARGS(row, column)
#define NETCL_RESIDUAL_BATCH(batch)
#endif
#if NETCL_ACTIVATION != 0
#define NETCL_FUNCTION_FORMALS , NETCL_T act_alpha, NETCL_T act_beta
#define NETCL_FUNCTION_ARGS , act_alpha, act_beta
#else
#define NETCL_FUNCTION_FORMALS
#define NETCL_FUNCTION_ARGS
#endif
#define NETCL_EPILOGUE_PARAMS NETCL_BIAS_PARAMS NETCL_RESIDUAL_PARAMS NETCL_FUNCTION_FORMALS
#define NETCL_EPILOGUE_FORMALS NETCL_BIAS_FORMALS NETCL_RESIDUAL_FORMALS NETCL_FUNCTION_FORMALS
/* The operands as seen from (row, column) on. */
#define NETCL_EPILOGUE_ARGS(row, column) \
  NETCL_BIAS_ARGS(row, column) NETCL_RESIDUAL_ARGS(row, column) NETCL_FUNCTION_ARGS
#define NETCL_EPILOGUE_BATCH(batch) NETCL_BIAS_BATCH(batch) NETCL_RESIDUAL_BATCH(batch)
#if defined(NETCL_BIAS) || defined(NETCL_RESIDUAL) || NETCL_ACTIVATION != 0
#define NETCL_EPILOGUE 1
#else
#define NETCL_EPILOGUE 0
#endif

/* What becomes of alpha * sum + beta * old in (row, column). */
NETCL_T netcl_finish(NETCL_T value, int row, int column NETCL_EPILOGUE_FORMALS) {
#ifdef NETCL_BIAS
  value += NETCL_FROM(NETCL_BIAS, bias + row * bias_row + column * bias_column);
#endif
#ifdef NETCL_RESIDUAL
  value += NETCL_FROM(NETCL_RESIDUAL,
                      residual + row * residual_row + column * residual_column);
#endif
#if NETCL_ACTIVATION != 0
  value = ACTIVATE(value, act_alpha, act_beta);
#endif
  return value;
}

/* Stores one result. */
void netcl_write(__global netcl_out *c, NETCL_T sum, NETCL_T alpha, NETCL_T beta
                 NETCL_EPILOGUE_FORMALS) {
  NETCL_T value = sum * alpha;
  if (beta != 0) value += NETCL_OLD(c) * beta;
  value = netcl_finish(value, 0, 0 NETCL_EPILOGUE_ARGS(0, 0));
  *c = netcl_round(value);
}

/* ---- Parameters of the kernels that read a and b in place ---- */

#define NETCL_PRODUCT_PARAMS                                                               \
  __global const netcl_in *a, long a_offset, long a_row, long a_column,                    \
      NETCL_BATCH_PARAMS(a), NETCL_A_ZERO_PARAMS                                           \
      __global const netcl_in *b, long b_offset, long b_row,                               \
      long b_column, NETCL_BATCH_PARAMS(b), NETCL_B_ZERO_PARAMS                            \
      __global netcl_out *c, long c_offset,                                                \
      long c_row, long c_column, NETCL_BATCH_PARAMS(c), long m, long n, long k             \
      NETCL_INNER_PARAM, NETCL_T alpha, NETCL_T beta NETCL_EPILOGUE_PARAMS
/* Moves the pointers to a batch. */
#define NETCL_PRODUCT_BATCH(batch) \
  a += NETCL_MATRIX(a, batch);     \
  b += NETCL_MATRIX(b, batch);     \
  NETCL_A_ZERO_BATCH(batch)        \
  NETCL_B_ZERO_BATCH(batch)        \
  c += NETCL_MATRIX(c, batch);     \
  NETCL_EPILOGUE_BATCH(batch)
