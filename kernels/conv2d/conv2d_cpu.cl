/* What the convolution kernels for CPUs share: one item is one group and does the work of a block
 * with vectors of its own; no local memory, no barriers. What an item packs lies in a piece of
 * global memory that it uses again for each of its blocks, so that it stays in the cache.
 *
 * More options: NETCL_W the width of a vector (16 or 8; 8 or 4 for double), NETCL_ROWS 8 or 4, the
 * filters of the register tile of 3 * NETCL_W columns; NETCL_WIDE 1 when elements in memory are
 * NETCL_T, 2 when they are bf16, 0 when they are f16. */
#include "conv2d_common.cl"

#define NETCL_V NETCL_JOIN(NETCL_T, NETCL_W)
#define NETCL_V4 NETCL_JOIN(NETCL_T, 4)
#define NETCL_V8 NETCL_JOIN(NETCL_T, 8)
#define NETCL_VLOAD NETCL_JOIN(vload, NETCL_W)
#define NETCL_VSTORE NETCL_JOIN(vstore, NETCL_W)
#define NETCL_COLUMNS (3 * NETCL_W)

NETCL_ACTIVATE_VECTOR(4)
#if NETCL_W != 4
NETCL_ACTIVATE_VECTOR(NETCL_W)
#endif
#define NETCL_ACTIVATE_4(v) netcl_activate_4(v, alpha, beta)
#define NETCL_ACTIVATE_V(v) NETCL_JOIN(netcl_activate_, NETCL_W)(v, alpha, beta)

/* ---- Elements to and from NETCL_T, whole vectors at a time ---- */

#if NETCL_WIDE == 1
#define NETCL_READ_V(p) NETCL_VLOAD(0, p)
#define NETCL_READ_8(p) vload8(0, p)
#define NETCL_READ_4(p) vload4(0, p)
#define NETCL_WRITE_V(v, p) NETCL_VSTORE(v, 0, p)
#define NETCL_WRITE_4(v, p) vstore4(v, 0, p)
#elif NETCL_WIDE == 2
#define NETCL_DEFINE_WIDEN(N) \
  inline float##N netcl_widen##N(ushort##N b) { return as_float##N(convert_uint##N(b) << 16); }
#define NETCL_DEFINE_NARROW(N)                                                              \
  inline ushort##N netcl_narrow##N(float##N value) {                                        \
    const uint##N bits = as_uint##N(value);                                                 \
    const uint##N rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;                   \
    return convert_ushort##N(                                                               \
        select(rounded, (bits >> 16) | 0x40u, (bits & 0x7fffffffu) > 0x7f800000u));         \
  }
#else
#define NETCL_DEFINE_WIDEN(N)                                                                   \
  inline float##N netcl_widen##N(ushort##N bits) {                                              \
    const uint##N h = convert_uint##N(bits);                                                    \
    const uint##N body = (h & 0x7fffu) << 13;                                                   \
    const float##N low = as_float##N(body | 0x38800000u) - as_float##N((uint##N)0x38800000u);   \
    uint##N wide = select(body + 0x38000000u, body | 0x7f800000u, (h & 0x7c00u) == 0x7c00u);    \
    wide = select(wide, as_uint##N(low), (h & 0x7c00u) == 0u);                                  \
    return as_float##N(wide | ((h & 0x8000u) << 16));                                           \
  }
#define NETCL_DEFINE_NARROW(N)                                                                  \
  inline ushort##N netcl_narrow##N(float##N value) {                                            \
    const uint##N sign = (as_uint##N(value) >> 16) & 0x8000u;                                   \
    const uint##N body = as_uint##N(value) & 0x7fffffffu;                                       \
    const uint##N normal = ((body + 0xfffu + ((body >> 13) & 1u)) >> 13) - (112u << 10);        \
    const uint##N low = as_uint##N(as_float##N(body) + 0.5f) - 0x3f000000u;                     \
    uint##N bits = select(low, normal, body >= 0x38800000u);                                    \
    bits = select(bits, (uint##N)0x7c00u, body >= 0x477ff000u);                                 \
    bits = select(bits, 0x7e00u | ((body >> 13) & 0x3ffu), body > 0x7f800000u);                 \
    return convert_ushort##N(sign | bits);                                                      \
  }
#endif
#if NETCL_WIDE != 1
NETCL_DEFINE_WIDEN(4)
NETCL_DEFINE_NARROW(4)
NETCL_DEFINE_WIDEN(8)
NETCL_DEFINE_NARROW(8)
#if NETCL_W == 16
NETCL_DEFINE_WIDEN(16)
NETCL_DEFINE_NARROW(16)
#endif
#define NETCL_READ_V(p) NETCL_JOIN(netcl_widen, NETCL_W)(NETCL_VLOAD(0, p))
#define NETCL_READ_8(p) netcl_widen8(vload8(0, p))
#define NETCL_READ_4(p) netcl_widen4(vload4(0, p))
#define NETCL_WRITE_V(v, p) NETCL_VSTORE(NETCL_JOIN(netcl_narrow, NETCL_W)(v), 0, p)
#define NETCL_WRITE_4(v, p) vstore4(netcl_narrow4(v), 0, p)
#endif

/* ---- Packing lines of x ---- */

#define NETCL_LINE_ELEMENTS ((int)(64 / sizeof(STORAGE(X))))

/* Asks for what the next call will read; beyond memory nothing happens. */
inline void netcl_prefetch_line(const __global STORAGE(X) *source, int count) {
  for (int i = 0; i < count; i += NETCL_LINE_ELEMENTS) NETCL_PREFETCH(source + i);
}

inline void netcl_zero_line(int count, __global NETCL_T *target) {
  int i = 0;
  for (; i + NETCL_W <= count; i += NETCL_W) NETCL_VSTORE((NETCL_V)(0), 0, target + i);
  for (; i < count; ++i) target[i] = 0;
}

/* `count` elements N at a time; the last N meet those before them. With a step of 2 the second half
 * is read from one element earlier, so that none beyond the last is touched. */
#define NETCL_COPY(N, VECTOR, READ, STORE_N)                                                    \
  for (int i = 0; i < count; i += N) {                                                          \
    const int at = min(i, count - N);                                                           \
    STORE_N(READ(source + at), 0, target + at);                                                 \
  }
#define NETCL_COPY_EVEN(N, VECTOR, READ, STORE_N)                                               \
  for (int i = 0; i < count; i += N) {                                                          \
    const int at = min(i, count - N);                                                           \
    const VECTOR p = READ(source + 2 * at);                                                     \
    const VECTOR q = READ(source + 2 * at + N - 1);                                             \
    STORE_N((VECTOR)(p.even, q.odd), 0, target + at);                                           \
  }
#if NETCL_W == 16
#define NETCL_COPY_BY(HOW)                                                                      \
  if (count >= NETCL_W) {                                                                       \
    HOW(NETCL_W, NETCL_V, NETCL_READ_V, NETCL_VSTORE)                                           \
  } else if (count >= 8) {                                                                      \
    HOW(8, NETCL_V8, NETCL_READ_8, vstore8)                                                     \
  } else {                                                                                      \
    HOW(4, NETCL_V4, NETCL_READ_4, vstore4)                                                     \
  }
#else
#define NETCL_COPY_BY(HOW)                                                                      \
  if (count >= NETCL_W) {                                                                       \
    HOW(NETCL_W, NETCL_V, NETCL_READ_V, NETCL_VSTORE)                                           \
  } else {                                                                                      \
    HOW(4, NETCL_V4, NETCL_READ_4, vstore4)                                                     \
  }
#endif

/* target[i] = source[i * step]. */
inline void netcl_copy_line(const __global STORAGE(X) *source, long step, int count,
                            __global NETCL_T *target) {
  if (step == 1 && count >= 4) {
    NETCL_COPY_BY(NETCL_COPY)
  } else if (step == 2 && count >= 4) {
    NETCL_COPY_BY(NETCL_COPY_EVEN)
  } else {
    for (int i = 0; i < count; ++i) target[i] = LOAD(X, source, i * step);
  }
}

/* The same for four neighbouring channels that lie side by side in memory. */
inline void netcl_copy_lines_4(const __global STORAGE(X) *source, long step, int count,
                               __global NETCL_T *target, long pitch) {
  int i = 0;
  for (; i + 4 <= count; i += 4, source += 4 * step) {
    const NETCL_V4 a = NETCL_READ_4(source);
    const NETCL_V4 b = NETCL_READ_4(source + step);
    const NETCL_V4 c = NETCL_READ_4(source + 2 * step);
    const NETCL_V4 d = NETCL_READ_4(source + 3 * step);
    vstore4((NETCL_V4)(a.s0, b.s0, c.s0, d.s0), 0, target + i);
    vstore4((NETCL_V4)(a.s1, b.s1, c.s1, d.s1), 0, target + pitch + i);
    vstore4((NETCL_V4)(a.s2, b.s2, c.s2, d.s2), 0, target + 2 * pitch + i);
    vstore4((NETCL_V4)(a.s3, b.s3, c.s3, d.s3), 0, target + 3 * pitch + i);
  }
  for (; i < count; ++i, source += step) {
    for (int k = 0; k < 4; ++k) target[k * pitch + i] = LOAD(X, source, k);
  }
}

/* ---- Writing results ---- */

#if NETCL_SCALE
#define NETCL_APPLY(VECTOR, v) v = fma(v, (VECTOR)(scale), (VECTOR)(shift));
#elif NETCL_SHIFT
#define NETCL_APPLY(VECTOR, v) v += (VECTOR)(shift);
#else
#define NETCL_APPLY(VECTOR, v)
#endif
#if NETCL_RESIDUAL
#define NETCL_ADD_RESIDUAL(READ, v, i) v += READ(residual + (i));
#else
#define NETCL_ADD_RESIDUAL(READ, v, i)
#endif

/* N elements from i on. */
#define NETCL_FINISH(VECTOR, LOAD_N, READ, ACTIVATE_N, WRITE, i) \
  {                                                              \
    VECTOR v = LOAD_N(0, sums + (i));                            \
    NETCL_APPLY(VECTOR, v)                                       \
    NETCL_ADD_RESIDUAL(READ, v, i)                               \
    WRITE(ACTIVATE_N(v), y + (i));                               \
  }
#define NETCL_FINISH_V(i) \
  NETCL_FINISH(NETCL_V, NETCL_VLOAD, NETCL_READ_V, NETCL_ACTIVATE_V, NETCL_WRITE_V, i)
#define NETCL_FINISH_4(i) \
  NETCL_FINISH(NETCL_V4, vload4, NETCL_READ_4, NETCL_ACTIVATE_4, NETCL_WRITE_4, i)

/* y[i * y_step] = the finished sums[i]. */
inline void netcl_finish_line(const __global NETCL_T *sums, int count, NETCL_T scale,
                              NETCL_T shift, __global STORAGE(X) *y, long y_step,
                              const __global STORAGE(X) *residual, long residual_step,
                              NETCL_T alpha, NETCL_T beta) {
  int i = 0;
#if !NETCL_RESIDUAL
  residual_step = 1;
#endif
  if (y_step == 1 && residual_step == 1) {
    for (; i + NETCL_W <= count; i += NETCL_W) NETCL_FINISH_V(i)
#if !NETCL_RESIDUAL
    /* The last vector meets those before it, which a residual that is y itself forbids. */
    if (count >= NETCL_W) {
      if (i < count) NETCL_FINISH_V(count - NETCL_W)
      return;
    }
#endif
    for (; i + 4 <= count; i += 4) NETCL_FINISH_4(i)
  }
  for (; i < count; ++i) {
    netcl_finish(sums[i], scale, shift, y, i * y_step, residual, i * residual_step, alpha, beta);
  }
}

/* The same for four filters that lie side by side in y (and in the residual). */
inline void netcl_finish_lines_4(const __global NETCL_T *sums, long pitch, int count,
                                 NETCL_V4 scale, NETCL_V4 shift, __global STORAGE(X) *y,
                                 long y_step, const __global STORAGE(X) *residual,
                                 long residual_step, NETCL_T alpha, NETCL_T beta) {
  for (int i = 0; i < count; ++i) {
    NETCL_V4 v = (NETCL_V4)(sums[i], sums[pitch + i], sums[2 * pitch + i], sums[3 * pitch + i]);
#if NETCL_SCALE
    v = fma(v, scale, shift);
#elif NETCL_SHIFT
    v += shift;
#endif
#if NETCL_RESIDUAL
    v += NETCL_READ_4(residual + i * residual_step);
#endif
    NETCL_WRITE_4(NETCL_ACTIVATE_4(v), y + i * y_step);
  }
}

/* `count` columns of one row of the result for `filters` filters from `filter` on, whose sums are
 * `pitch` apart. */
inline void netcl_finish_rows(const __global NETCL_T *sums, long pitch, int filters, int count,
                              long n, long filter, long row, long column, __global STORAGE(X) *y,
                              const Layout *y_at, const __global NETCL_T *scale,
                              long scale_offset,
                              const __global STORAGE(NETCL_SHIFT_TYPE) *shift, long shift_offset,
                              long shift_stride, const __global STORAGE(X) *residual,
                              const Layout *residual_at, NETCL_T alpha, NETCL_T beta) {
  /* Without a residual its layout is that of y. */
  const int beside =
      y_at->strides[1] == 1 && y_at->strides[3] != 1 && residual_at->strides[1] == 1;
  for (int i = 0; i < filters;) {
    const long f = filter + i;
    const long place = netcl_place(y_at, n, f, row, column);
    const long other = netcl_place(residual_at, n, f, row, column);
    NETCL_T scales[4];
    NETCL_T shifts[4];
    const int together = beside && i + 4 <= filters ? 4 : 1;
    for (int k = 0; k < together; ++k) {
      scales[k] = netcl_scale_of(scale, scale_offset, f + k);
      shifts[k] = netcl_shift_of(shift, shift_offset, shift_stride, f + k);
    }
    if (together == 4) {
      netcl_finish_lines_4(sums + i * pitch, pitch, count, vload4(0, scales), vload4(0, shifts),
                           y + place, y_at->strides[3], residual + other,
                           residual_at->strides[3], alpha, beta);
    } else {
      netcl_finish_line(sums + i * pitch, count, scales[0], shifts[0], y + place,
                        y_at->strides[3], residual + other, residual_at->strides[3], alpha, beta);
    }
    i += together;
  }
}
