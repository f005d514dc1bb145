/* What the kernels for OpenCL devices that are CPUs share: one item does whole rows with vectors of
 * its own. Included after prelude.cl.
 *
 * Options: X the dtype; REAL float or double, what it is computed in; WIDE the lanes of a vector,
 * 16 or 8; FORMAT 0 as REAL, 1 f16, 2 bf16; STREAM 1 when results go past the caches. */
#define VEC NETCL_JOIN(REAL, WIDE)
#define VEC_LOAD NETCL_JOIN(vload, WIDE)
#define VEC_STORE NETCL_JOIN(vstore, WIDE)

/* The conversions use integers and normal numbers only, so devices that flush denormal floats give
 * the same bits. */
#if FORMAT == 1
inline float16 netcl_widen(ushort16 bits) {
  const uint16 h = convert_uint16(bits);
  const uint16 body = (h & 0x7fffu) << 13;
  const float16 small = as_float16(body | 0x38800000u) - as_float16((uint16)0x38800000u);
  uint16 wide = select(body + 0x38000000u, body | 0x7f800000u, (h & 0x7c00u) == 0x7c00u);
  wide = select(wide, as_uint16(small), (h & 0x7c00u) == 0u);
  return as_float16(wide | ((h & 0x8000u) << 16));
}
inline ushort16 netcl_narrow(float16 value) {
  const uint16 sign = (as_uint16(value) >> 16) & 0x8000u;
  const uint16 body = as_uint16(value) & 0x7fffffffu;
  const uint16 normal = ((body + 0xfffu + ((body >> 13) & 1u)) >> 13) - (112u << 10);
  const uint16 tiny = as_uint16(as_float16(body) + 0.5f) - 0x3f000000u;
  uint16 bits = select(normal, tiny, body < 0x38800000u);
  bits = select(bits, (uint16)0x7c00u, body >= 0x477ff000u);
  bits = select(bits, ((body >> 13) & 0x3ffu) | 0x7e00u, body > 0x7f800000u);
  return convert_ushort16(sign | bits);
}
#elif FORMAT == 2
inline float16 netcl_widen(ushort16 bits) { return as_float16(convert_uint16(bits) << 16); }
inline ushort16 netcl_narrow(float16 value) {
  const uint16 bits = as_uint16(value);
  const uint16 rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  return convert_ushort16(
      select(rounded, (bits >> 16) | 0x40u, (bits & 0x7fffffffu) > 0x7f800000u));
}
#endif

/* WIDE elements that follow each other. */
inline VEC netcl_load_wide(const __global STORAGE(X) *p) {
#if FORMAT
  return netcl_widen(VEC_LOAD(0, p));
#else
  return VEC_LOAD(0, p);
#endif
}
/* vstore was seen to come out as several narrow stores; a packed member is stored as a whole. */
typedef struct __attribute__((packed)) {
#if FORMAT
  ushort16 all;
#else
  VEC all;
#endif
} netcl_loose;
inline void netcl_store_wide(VEC value, __global STORAGE(X) *p) {
#if FORMAT
  ((__global netcl_loose *)p)->all = netcl_narrow(value);
#else
  ((__global netcl_loose *)p)->all = value;
#endif
}

/* The same past the caches, for results that are too large to stay there. */
#ifndef STREAM
#define STREAM 0
#endif
#if STREAM && !FORMAT && defined(__has_builtin)
#if __has_builtin(__builtin_nontemporal_store)
#define STORES_STREAM 1
#endif
#endif
inline void netcl_store_last(VEC value, __global STORAGE(X) *p) {
#ifdef STORES_STREAM
  if (((size_t)p & (sizeof(VEC) - 1)) == 0) {
    __builtin_nontemporal_store(value, (__global VEC *)p);
    return;
  }
#endif
  netcl_store_wide(value, p);
}

/* `count` elements with a stride; the other lanes hold `fill`. */
inline VEC netcl_load_some(const __global STORAGE(X) *p, long at, long step, int count,
                           REAL fill) {
  REAL some[WIDE];
  for (int k = 0; k < WIDE; ++k) some[k] = fill;
  for (int k = 0; k < count; ++k) some[k] = LOAD(X, p, at + k * step);
  return VEC_LOAD(0, some);
}
inline void netcl_store_some(VEC value, __global STORAGE(X) *p, long at, long step, int count) {
  REAL some[WIDE];
  VEC_STORE(value, 0, some);
  for (int k = 0; k < count; ++k) STORE(X, some[k], p, at + k * step);
}

#if WIDE == 16
inline REAL netcl_add_lanes(VEC v) {
  const NETCL_JOIN(REAL, 8) a = v.lo + v.hi;
#else
inline REAL netcl_add_lanes(VEC v) {
  const VEC a = v;
#endif
  const NETCL_JOIN(REAL, 4) b = a.lo + a.hi;
  return (b.x + b.z) + (b.y + b.w);
}
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#if WIDE == 16
inline REAL netcl_max_lanes(VEC v) {
  const NETCL_JOIN(REAL, 8) a = LARGER(v.lo, v.hi);
#else
inline REAL netcl_max_lanes(VEC v) {
  const VEC a = v;
#endif
  const NETCL_JOIN(REAL, 4) b = LARGER(a.lo, a.hi);
  const NETCL_JOIN(REAL, 2) c = LARGER(b.lo, b.hi);
  return LARGER(c.x, c.y);
}

/* exp(t) * EXP_SCALE for t <= 0. The scale keeps results that are denormal floats normal until the
 * division by the sum, which carries it too. NaN stays NaN. */
#if WIDE == 16
#define EXP_SCALE 0x1p64f
#define EXP_UNSCALE 0x1p-64f
inline float16 netcl_exp_scaled(float16 t) {
  const float16 x = t < -120.0f ? (float16)-120.0f : t;
  /* The last bits of this sum are the integer nearest to x / ln 2. */
  const float16 shifted = fma(x, (float16)1.44269504f, (float16)12582912.0f);
  const float16 n = shifted - 12582912.0f;
  /* One constant will do: as a float ln 2 is good to 31 bits. */
  const float16 r = fma(n, (float16)-0.69314718f, x);
  float16 p = fma(r, (float16)0.00138145173f, (float16)0.00836875569f);
  p = fma(r, p, (float16)0.0416683927f);
  p = fma(r, p, (float16)0.166665196f);
  p = fma(r, p, (float16)0.49999994f);
  p = fma(r * r, p, r);
  const int16 power = (as_int16(shifted) << 23) + as_int16((float16)EXP_SCALE);
  return fma(as_float16(power), p, as_float16(power));
}
#else
#define EXP_SCALE 1.0
#define EXP_UNSCALE 1.0
inline VEC netcl_exp_scaled(VEC t) { return exp(t); }
#endif

/* sum = the terms of a row of n: FULL(i) is a vector of WIDE of them from element i on, PART(i,
 * count) the last few with zeros after them. Short chains of additions whose ends are added with
 * what rounding loses, so the error does not grow with n. */
#define SUM_TERMS(result, n, FULL, PART)                                     \
  {                                                                          \
    VEC sum_ = 0, lost_ = 0;                                                 \
    long i_ = 0;                                                             \
    while (i_ < (n)) {                                                       \
      const long end_ = min(i_ + 32 * WIDE, (long)(n));                      \
      VEC s0_ = 0, s1_ = 0, s2_ = 0, s3_ = 0;                                \
      for (; i_ + 4 * WIDE <= end_; i_ += 4 * WIDE) {                        \
        s0_ += FULL(i_);                                                     \
        s1_ += FULL(i_ + WIDE);                                              \
        s2_ += FULL(i_ + 2 * WIDE);                                          \
        s3_ += FULL(i_ + 3 * WIDE);                                          \
      }                                                                      \
      for (; i_ + WIDE <= end_; i_ += WIDE) s0_ += FULL(i_);                 \
      if (i_ < end_) {                                                       \
        s1_ += PART(i_, (int)(end_ - i_));                                   \
        i_ = end_;                                                           \
      }                                                                      \
      const VEC addend_ = ((s0_ + s1_) + (s2_ + s3_)) - lost_;               \
      const VEC next_ = sum_ + addend_;                                      \
      lost_ = isfinite(next_) ? (next_ - sum_) - addend_ : (VEC)0;           \
      sum_ = next_;                                                          \
    }                                                                        \
    result = netcl_add_lanes(sum_);                                          \
  }
