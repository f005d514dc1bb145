/* The functions that an epilogue or a normalisation ends with (netcl_activation). Include it after
 * prelude.cl, and give -DNETCL_ACTIVATION=n (0 or absent: none) and -DNETCL_ACTIVATION_ACC=double
 * where sums are double (absent: float).
 *
 *   ACTIVATE(x, alpha, beta)   of values of the accumulator's type
 *   NETCL_ACTIVATE_VECTOR(W)   after the include: defines netcl_activate_W, the same for vectors
 *
 * Errors are those of docs/expressions.md. NaN stays NaN. */

#ifndef NETCL_ACTIVATION
#define NETCL_ACTIVATION 0
#endif
#ifndef NETCL_ACTIVATION_ACC
#define NETCL_ACTIVATION_ACC float
#endif
#define NETCL_ACT_IS_float 1
#define NETCL_ACT_IS_double 2
#if NETCL_JOIN(NETCL_ACT_IS_, NETCL_ACTIVATION_ACC) == 1
#define NETCL_ACT_C(x) x##f
#else
#define NETCL_ACT_C(x) x
#endif

/* c ? a : b, for scalars (W empty) and element by element; comparisons of vectors give the integer
 * vectors that select takes. */
#define NETCL_ACT_IF(T, c, a, b) ((c) ? (a) : (b))
#define NETCL_ACT_IF_V(T, c, a, b) select((T)(b), (T)(a), (c))

#if NETCL_ACTIVATION == 0
#define NETCL_ACT_BODY(T, IF) return x;
#elif NETCL_ACTIVATION == 1 /* relu */
#define NETCL_ACT_BODY(T, IF) return IF(T, (x > 0) | (x != x), x, (T)(0));
#elif NETCL_ACTIVATION == 2 /* leaky_relu */
#define NETCL_ACT_BODY(T, IF) return IF(T, x < 0, alpha * x, x);
#elif NETCL_ACTIVATION == 3 /* elu */
#define NETCL_ACT_BODY(T, IF) return IF(T, x < 0, alpha * expm1(x), x);
#elif NETCL_ACTIVATION == 4 || NETCL_ACTIVATION == 5 || NETCL_ACTIVATION == 6
#if NETCL_ACTIVATION == 5
#define NETCL_ACT_BODY(T, IF) return tanh(x);
#else /* sigmoid and silu, without overflow on either side */
#define NETCL_ACT_BODY(T, IF)                                 \
  const T e = exp(-fabs(x));                                  \
  const T y = IF(T, x >= 0, (T)(1), e) / ((T)(1) + e);        \
  return NETCL_ACT_SCALED(y);
#if NETCL_ACTIVATION == 4
#define NETCL_ACT_SCALED(y) y
#else
#define NETCL_ACT_SCALED(y) (x * y)
#endif
#endif
#elif NETCL_ACTIVATION == 7 /* gelu; erfc keeps its digits where 1 + erf would cancel */
#define NETCL_ACT_BODY(T, IF)                                                     \
  return (T)(NETCL_ACT_C(0.5)) * x * erfc(x * (T)(NETCL_ACT_C(-0.70710678118654752440)));
#elif NETCL_ACTIVATION == 8 /* gelu_tanh */
#define NETCL_ACT_BODY(T, IF)                                                     \
  const T u = (T)(NETCL_ACT_C(1.5957691216057308)) *                              \
              (x + (T)(NETCL_ACT_C(0.044715)) * x * x * x);                       \
  const T e = exp(-fabs(u));                                                      \
  return x * (IF(T, u >= 0, (T)(1), e) / ((T)(1) + e));
#elif NETCL_ACTIVATION == 9 /* softplus */
#define NETCL_ACT_BODY(T, IF)                                                     \
  return IF(T, (x > 0) | (x != x), x, (T)(0)) + log1p(exp(-fabs(x)));
#elif NETCL_ACTIVATION == 10 /* hard_sigmoid */
#define NETCL_ACT_BODY(T, IF)                                                     \
  T y = alpha * x + beta;                                                         \
  y = IF(T, y < 0, (T)(0), y);                                                    \
  return IF(T, y > 1, (T)(1), y);
#elif NETCL_ACTIVATION == 11 /* hard_swish */
#define NETCL_ACT_BODY(T, IF)                                                     \
  T y = x / (T)(6) + (T)(NETCL_ACT_C(0.5));                                       \
  y = IF(T, y < 0, (T)(0), y);                                                    \
  return x * IF(T, y > 1, (T)(1), y);
#elif NETCL_ACTIVATION == 12 /* clip */
#define NETCL_ACT_BODY(T, IF)                                                     \
  const T y = IF(T, x < alpha, alpha, x);                                         \
  return IF(T, y > beta, beta, y);
#else
#error "NETCL_ACTIVATION is none of netcl_activation"
#endif

#define NETCL_ACT_ACC_ NETCL_ACTIVATION_ACC

inline NETCL_ACT_ACC_ netcl_activate(NETCL_ACT_ACC_ x, NETCL_ACT_ACC_ alpha, NETCL_ACT_ACC_ beta) {
  NETCL_ACT_BODY(NETCL_ACT_ACC_, NETCL_ACT_IF)
}
#define ACTIVATE(x, alpha, beta) netcl_activate(x, alpha, beta)

/* alpha and beta are broadcast by the vector types of the caller. */
#define NETCL_ACTIVATE_VECTOR(W)                                                            \
  inline NETCL_JOIN(NETCL_ACT_ACC_, W) NETCL_JOIN(netcl_activate_, W)(                      \
      NETCL_JOIN(NETCL_ACT_ACC_, W) x, NETCL_ACT_ACC_ alpha_1, NETCL_ACT_ACC_ beta_1) {     \
    const NETCL_JOIN(NETCL_ACT_ACC_, W) alpha = (NETCL_JOIN(NETCL_ACT_ACC_, W))(alpha_1);   \
    const NETCL_JOIN(NETCL_ACT_ACC_, W) beta = (NETCL_JOIN(NETCL_ACT_ACC_, W))(beta_1);     \
    (void)alpha;                                                                            \
    (void)beta;                                                                             \
    NETCL_ACT_BODY(NETCL_JOIN(NETCL_ACT_ACC_, W), NETCL_ACT_IF_V)                           \
  }
