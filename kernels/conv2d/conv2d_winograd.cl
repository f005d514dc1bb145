/* Winograd's method for 3 x 3 filters with stride 1 (Lavin and Gray, 2015): the transforms of one
 * dimension, F(2,3) or F(4,3). NETCL_M is 2 or 4; tiles have NETCL_A = NETCL_M + 2 rows. Each macro
 * takes a type and makes functions over arrays of it whose elements are `s` and `d` apart. */
#define NETCL_A (NETCL_M + 2)
#define NETCL_E (NETCL_A * NETCL_A)

#if NETCL_M == 4
#define NETCL_WEIGHTS_1D(T, NAME)                                    \
  inline void NAME(const T *g, int s, T *r, int d) {                 \
    const T even = (g[0] + g[2 * s]) * (NETCL_T)(-1.0 / 6);          \
    const T odd = g[s] * (NETCL_T)(-1.0 / 6);                        \
    const T high = g[0] * (NETCL_T)(1.0 / 24) + g[2 * s] * (NETCL_T)(1.0 / 6); \
    const T half_odd = g[s] * (NETCL_T)(1.0 / 12);                   \
    r[0] = g[0] * (NETCL_T)0.25;                                     \
    r[d] = even + odd;                                               \
    r[2 * d] = even - odd;                                           \
    r[3 * d] = high + half_odd;                                      \
    r[4 * d] = high - half_odd;                                      \
    r[5 * d] = g[2 * s];                                             \
  }
#define NETCL_INPUT_1D(T, NAME)                                      \
  inline void NAME(const T *x, int s, T *r, int d) {                 \
    const T four = (T)(4);                                           \
    const T five = (T)(-5);                                          \
    const T a = fma(-four, x[2 * s], x[4 * s]);                      \
    const T b = fma(-four, x[s], x[3 * s]);                          \
    const T c = x[4 * s] - x[2 * s];                                 \
    const T e = (x[3 * s] - x[s]) * (NETCL_T)2;                      \
    r[0] = fma(four, x[0], fma(five, x[2 * s], x[4 * s]));           \
    r[d] = a + b;                                                    \
    r[2 * d] = a - b;                                                \
    r[3 * d] = c + e;                                                \
    r[4 * d] = c - e;                                                \
    r[5 * d] = fma(four, x[s], fma(five, x[3 * s], x[5 * s]));       \
  }
#define NETCL_OUTPUT_1D(T, NAME)                                     \
  inline void NAME(const T *m, int s, T *r, int d) {                 \
    const T a = m[s] + m[2 * s];                                     \
    const T b = m[s] - m[2 * s];                                     \
    const T c = m[3 * s] + m[4 * s];                                 \
    const T e = m[3 * s] - m[4 * s];                                 \
    r[0] = m[0] + a + c;                                             \
    r[d] = fma((T)(2), e, b);                                        \
    r[2 * d] = fma((T)(4), c, a);                                    \
    r[3 * d] = fma((T)(8), e, b) + m[5 * s];                         \
  }
#else
#define NETCL_WEIGHTS_1D(T, NAME)                                    \
  inline void NAME(const T *g, int s, T *r, int d) {                 \
    const T even = (g[0] + g[2 * s]) * (NETCL_T)0.5;                 \
    const T odd = g[s] * (NETCL_T)0.5;                               \
    r[0] = g[0];                                                     \
    r[d] = even + odd;                                               \
    r[2 * d] = even - odd;                                           \
    r[3 * d] = g[2 * s];                                             \
  }
#define NETCL_INPUT_1D(T, NAME)                                      \
  inline void NAME(const T *x, int s, T *r, int d) {                 \
    r[0] = x[0] - x[2 * s];                                          \
    r[d] = x[s] + x[2 * s];                                          \
    r[2 * d] = x[2 * s] - x[s];                                      \
    r[3 * d] = x[s] - x[3 * s];                                      \
  }
#define NETCL_OUTPUT_1D(T, NAME)                                     \
  inline void NAME(const T *m, int s, T *r, int d) {                 \
    r[0] = m[0] + m[s] + m[2 * s];                                   \
    r[d] = m[s] - m[2 * s] - m[3 * s];                               \
  }
#endif
