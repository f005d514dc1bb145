/* Batch normalisation on OpenCL devices that are CPUs. PLANE 1: the elements of a channel come in
 * runs of `length` that follow each other; 0: anything else, best when channels are neighbours. The
 * other options are those of norm_vector.cl and batchnorm_apply.cl. */
#include "prelude.cl"
#include "norm_vector.cl"

#if STATISTICS
#define MERGE(T, more, center, spread)                         \
  {                                                            \
    const REAL more_ = (REAL)(more);                           \
    const REAL share_ = more_ / (count + more_);               \
    const T delta_ = (center) - mean;                          \
    mean += delta_ * share_;                                   \
    squares += (spread) + delta_ * delta_ * (count * share_);  \
    count += more_;                                            \
  }

#if PLANE
inline VEC netcl_square(VEC v) { return v * v; }
inline VEC netcl_square_part(VEC v, int count) {
  REAL some[WIDE];
  VEC_STORE(v * v, 0, some);
  for (int k = count; k < WIDE; ++k) some[k] = 0;
  return VEC_LOAD(0, some);
}
/* An item per slice of a channel. The channel is `total` pieces: `pieces` to a plane. */
__kernel void netcl_batchnorm_statistics(const __global STORAGE(X) *x, const Layout x_outer,
                                         const long x_step, const long length, const long pieces,
                                         const long piece_size, const long total,
                                         const long slice_size, const int slices,
                                         __global REAL *partials) {
  const long slice = (long)get_global_id(0) % slices;
  const long c = (long)get_global_id(0) / slices;
  const long last = min((slice + 1) * slice_size, total);
  REAL count = 0, mean = 0, squares = 0;
  for (long unit = slice * slice_size; unit < last; ++unit) {
    const long begin = unit % pieces * piece_size;
    const long n = min(piece_size, length - begin);
    const __global STORAGE(X) *const from =
        x + netcl_at(&x_outer, unit / pieces) + c * x_step + begin;
    REAL sum, spread;
#define FULL_X(i) netcl_load_wide(from + (i))
#define PART_X(i, count) netcl_load_some(from, i, 1, count, 0)
    SUM_TERMS(sum, n, FULL_X, PART_X)
    const REAL center = sum / (REAL)n;
#define SQUARE(i) netcl_square(FULL_X(i) - center)
#define SQUARE_PART(i, count) netcl_square_part(PART_X(i, count) - center, count)
    SUM_TERMS(spread, n, SQUARE, SQUARE_PART)
    MERGE(REAL, n, center, spread)
  }
  __global REAL *const part = partials + (c * slices + slice) * 3;
  part[0] = count;
  part[1] = mean;
  part[2] = squares;
}
#else
#define DEEP 8
/* An item per WIDE channels and slice of their positions. */
__kernel void netcl_batchnorm_statistics(const __global STORAGE(X) *x, const Layout x_outer,
                                         const long x_step, const long channels, const long total,
                                         const long slice_size, const int slices,
                                         __global REAL *partials) {
  const long slice = (long)get_global_id(0) % slices;
  const long c = (long)get_global_id(0) / slices * WIDE;
  const int width = (int)min((long)WIDE, channels - c);
  const long last = min((slice + 1) * slice_size, total);
  const int whole = x_step == 1 && width == WIDE;
  REAL count = 0;
  VEC mean = 0, squares = 0;
  for (long at = slice * slice_size; at < last; at += DEEP) {
    const int have = (int)min((long)DEEP, last - at);
    VEC v[DEEP];
    VEC center = 0, spread = 0;
    for (int k = 0; k < have; ++k) {
      const long from = netcl_at(&x_outer, at + k) + c * x_step;
      v[k] = whole ? netcl_load_wide(x + from) : netcl_load_some(x, from, x_step, width, 0);
      center += v[k];
    }
    center /= (REAL)have;
    for (int k = 0; k < have; ++k) {
      const VEC d = v[k] - center;
      spread = fma(d, d, spread);
    }
    MERGE(VEC, have, center, spread)
  }
  REAL means[WIDE], spreads[WIDE];
  VEC_STORE(mean, 0, means);
  VEC_STORE(squares, 0, spreads);
  for (int k = 0; k < width; ++k) {
    __global REAL *const part = partials + ((c + k) * slices + slice) * 3;
    part[0] = count;
    part[1] = means[k];
    part[2] = spreads[k];
  }
}
#endif
#else
#include "batchnorm_apply.cl"
#if PASS != 1
NETCL_ACTIVATE_VECTOR(WIDE)
#endif

inline VEC netcl_values(VEC x, VEC a, VEC b, REAL alpha, REAL beta) {
#if PASS == 1
  return fma(x, a, b);
#elif PASS == 2
  return NETCL_JOIN(netcl_activate_, WIDE)(x, alpha, beta);
#else
  return NETCL_JOIN(netcl_activate_, WIDE)(fma(x, a, b), alpha, beta);
#endif
}
inline VEC netcl_in(const __global IN_TYPE *p) {
#if IN_REAL
  return VEC_LOAD(0, p);
#else
  return netcl_load_wide(p);
#endif
}
inline void netcl_out(VEC value, __global OUT_TYPE *p) {
#if OUT_REAL
  VEC_STORE(value, 0, p);
#else
  netcl_store_last(value, p);
#endif
}

/* Each item takes some units that follow each other: pieces of planes, or positions. */
__kernel void KERNEL_NAME(APPLY_ARGUMENTS, const long pieces, const long piece_size,
                          const long units, const long units_per_item) {
  const long begin = (long)get_global_id(0) * units_per_item;
  const long end = min(begin + units_per_item, units);
  for (long unit = begin; unit < end; ++unit) {
#if PLANE
    const long first = unit % pieces * piece_size;
    const long last = min(first + piece_size, length);
    const long c = unit / pieces % channels;
    const long plane = unit / pieces / channels;
    const __global IN_TYPE *const from = x + netcl_at(&x_outer, plane) + c * x_step;
    __global OUT_TYPE *const to = y + netcl_at(&y_outer, plane) + c * y_step;
    const REAL a = coefficients[c];
    const REAL b = coefficients[channels + c];
    long i = first;
    for (; i + WIDE <= last; i += WIDE) {
      netcl_out(netcl_values(netcl_in(from + i), (VEC)a, (VEC)b, alpha, beta), to + i);
    }
    for (; i < last; ++i) STORE_OUT(netcl_value(LOAD_IN(from, i), a, b, alpha, beta), to, i);
#else
    const __global IN_TYPE *const from = x + netcl_at(&x_outer, unit);
    __global OUT_TYPE *const to = y + netcl_at(&y_outer, unit);
    long c = 0;
    if (x_step == 1 && y_step == 1) {
      for (; c + WIDE <= channels; c += WIDE) {
        const VEC a = VEC_LOAD(0, coefficients + c);
        const VEC b = VEC_LOAD(0, coefficients + channels + c);
        netcl_out(netcl_values(netcl_in(from + c), a, b, alpha, beta), to + c);
      }
    }
    for (; c < channels; ++c) {
      const REAL value = netcl_value(LOAD_IN(from, c * x_step), coefficients[c],
                                     coefficients[channels + c], alpha, beta);
      STORE_OUT(value, to, c * y_step);
    }
#endif
  }
}
#endif
