/* Batch normalisation. X is the dtype. PLANE 1: the elements of a channel come in runs of
 * `length` that follow each other; 0: anything else, best when channels are neighbours. WIDE
 * elements are read at a time, 4 when all is aligned. */
#include "prelude.cl"

#define REAL COMPUTE(X)
#if WIDE == 4
#define REAL4 NETCL_JOIN(NETCL_ACTIVATION_ACC, 4)
#endif

/* Takes `more` numbers with this mean and sum of squared distances from it into the item's own. */
#define MERGE(more, center, spread)                            \
  {                                                            \
    const REAL more_ = (REAL)(more);                           \
    const REAL share_ = more_ / (count + more_);               \
    const REAL delta_ = (center) - mean;                       \
    mean += delta_ * share_;                                   \
    squares += (spread) + delta_ * delta_ * count * share_;    \
    count += more_;                                            \
  }
#define TAKE(v, n)                                             \
  {                                                            \
    REAL sum_ = 0, spread_ = 0;                                \
    for (int k_ = 0; k_ < (n); ++k_) sum_ += v[k_];            \
    const REAL center_ = sum_ / (REAL)(n);                     \
    for (int k_ = 0; k_ < (n); ++k_) {                         \
      const REAL d_ = v[k_] - center_;                         \
      spread_ = fma(d_, d_, spread_);                          \
    }                                                          \
    MERGE(n, center_, spread_)                                 \
  }
/* Joins the items of a group that are `apart` places apart, and so on down. */
#define JOIN_ITEMS(parts, item, items, least)                                          \
  parts[0][item] = count;                                                              \
  parts[1][item] = mean;                                                               \
  parts[2][item] = squares;                                                            \
  for (int half_ = (items) / 2; half_ >= (least); half_ /= 2) {                        \
    barrier(CLK_LOCAL_MEM_FENCE);                                                      \
    if (item < half_) {                                                                \
      if (parts[0][item + half_] > 0) {                                                \
        MERGE(parts[0][item + half_], parts[1][item + half_], parts[2][item + half_])  \
      }                                                                                \
      parts[0][item] = count;                                                          \
      parts[1][item] = mean;                                                           \
      parts[2][item] = squares;                                                        \
    }                                                                                  \
  }

#if STATISTICS
#if PLANE
#define QUADS 4
/* A group per slice of a channel. `total` counts pieces of WIDE elements of the channel. */
__kernel __attribute__((reqd_work_group_size(LANES, 1, 1))) void netcl_batchnorm_statistics(
    const __global STORAGE(X) *x, const Layout x_outer, const long x_step, const long length,
    const INDEX total, const INDEX slice_size, const int slices, __global REAL *partials) {
  __local REAL parts[3][LANES];
  const int lane = (int)get_local_id(0);
  const int slice = (int)(get_group_id(0) % slices);
  const long c = (long)(get_group_id(0) / slices);
  const INDEX first = slice_size * slice;
  const INDEX last = min(first + slice_size, total);
  const INDEX pieces = (INDEX)(length / WIDE);
  REAL count = 0, mean = 0, squares = 0;
  for (INDEX at = first + lane; at < last; at += QUADS * LANES) {
    REAL v[QUADS * WIDE];
    int have = 0;
    for (int k = 0; k < QUADS; ++k) {
      const INDEX piece = at + k * LANES;
      if (piece >= last) continue;
      const long from = netcl_at(&x_outer, (long)(piece / pieces)) + c * x_step +
                        (long)(piece % pieces) * WIDE;
#if WIDE == 4
      const REAL4 four = *(const __global REAL4 *)(x + from);
      v[have] = four.x;
      v[have + 1] = four.y;
      v[have + 2] = four.z;
      v[have + 3] = four.w;
#else
      v[have] = LOAD(X, x, from);
#endif
      have += WIDE;
    }
    TAKE(v, have)
  }
  JOIN_ITEMS(parts, lane, LANES, 1)
  if (lane == 0) {
    __global REAL *const part = partials + (c * slices + slice) * 3;
    part[0] = count;
    part[1] = mean;
    part[2] = squares;
  }
}
#else
#define COLUMNS 32
#define DEEP 8
/* A group per 32 channels and slice of their positions. */
__kernel __attribute__((reqd_work_group_size(LANES, 1, 1))) void netcl_batchnorm_statistics(
    const __global STORAGE(X) *x, const Layout x_outer, const long x_step, const long channels,
    const INDEX total, const INDEX slice_size, const int slices, __global REAL *partials) {
  __local REAL parts[3][LANES];
  const int item = (int)get_local_id(0);
  const int slice = (int)(get_group_id(0) % slices);
  const long c = (long)(get_group_id(0) / slices) * COLUMNS + item % COLUMNS;
  const INDEX first = slice_size * slice;
  const INDEX last = min(first + slice_size, total);
  const INDEX stride = LANES / COLUMNS;
  REAL count = 0, mean = 0, squares = 0;
  if (c < channels) {
    for (INDEX at = first + item / COLUMNS; at < last; at += DEEP * stride) {
      REAL v[DEEP];
      int have = 0;
      for (int k = 0; k < DEEP; ++k) {
        const INDEX position = at + k * stride;
        if (position < last) {
          v[have++] = LOAD(X, x, netcl_at(&x_outer, (long)position) + c * x_step);
        }
      }
      TAKE(v, have)
    }
  }
  JOIN_ITEMS(parts, item, LANES, COLUMNS)
  if (item < COLUMNS && c < channels) {
    __global REAL *const part = partials + (c * slices + slice) * 3;
    part[0] = count;
    part[1] = mean;
    part[2] = squares;
  }
}
#endif
#else
/* PASS 1: y = a x + b; 2: y = activation(x); 3: y = activation(a x + b). IN_REAL and OUT_REAL 1:
 * that side is REAL in memory and not X, between the two passes of a 16-bit dtype. */
#include "activation.cl"

#if PASS == 1
#define KERNEL_NAME netcl_batchnorm_naive
#elif PASS == 2
#define KERNEL_NAME netcl_batchnorm_naive_activate
#else
#define KERNEL_NAME netcl_batchnorm_fused
#endif

#if IN_REAL
#define IN_TYPE REAL
#define LOAD_IN(p, i) ((p)[i])
#else
#define IN_TYPE STORAGE(X)
#define LOAD_IN(p, i) LOAD(X, p, i)
#endif
#if OUT_REAL
#define OUT_TYPE REAL
#define STORE_OUT(v, p, i) ((p)[i] = (v))
#else
#define OUT_TYPE STORAGE(X)
#define STORE_OUT(v, p, i) STORE(X, v, p, i)
#endif

/* One element; `a` and `b` are not looked at by the pass that only activates. */
inline REAL netcl_value(REAL x, REAL a, REAL b, REAL alpha, REAL beta) {
#if PASS == 1
  return fma(x, a, b);
#elif PASS == 2
  return ACTIVATE(x, alpha, beta);
#else
  return ACTIVATE(fma(x, a, b), alpha, beta);
#endif
}

/* `outer` gives the places of planes (PLANE 1) or of positions of a channel (PLANE 0); channels are
 * a step apart. */
#define APPLY_ARGUMENTS                                                                        \
  const __global IN_TYPE *x, const Layout x_outer, const long x_step, __global OUT_TYPE *y,    \
      const Layout y_outer, const long y_step, const __global REAL *coefficients,              \
      const REAL alpha, const REAL beta, const long channels, const long length
#if WIDE == 4
NETCL_ACTIVATE_VECTOR(4)
inline REAL4 netcl_value_4(REAL4 x, REAL4 a, REAL4 b, REAL alpha, REAL beta) {
#if PASS == 1
  return fma(x, a, b);
#elif PASS == 2
  return netcl_activate_4(x, alpha, beta);
#else
  return netcl_activate_4(fma(x, a, b), alpha, beta);
#endif
}
#endif

#if PLANE
/* LANES items share a piece of a plane, ROWS pieces make a group. */
__kernel __attribute__((reqd_work_group_size(LANES *ROWS, 1, 1))) void KERNEL_NAME(
    APPLY_ARGUMENTS, const long pieces, const long piece_size, const long units) {
  const int lane = (int)get_local_id(0) % LANES;
  const long unit = (long)get_group_id(0) * ROWS + (int)get_local_id(0) / LANES;
  if (unit >= units) return;
  const long first = unit % pieces * piece_size;
  const long last = min(first + piece_size, length);
  const long c = unit / pieces % channels;
  const long plane = unit / pieces / channels;
  const __global IN_TYPE *const from = x + netcl_at(&x_outer, plane) + c * x_step;
  __global OUT_TYPE *const to = y + netcl_at(&y_outer, plane) + c * y_step;
  const REAL a = coefficients[c];
  const REAL b = coefficients[channels + c];
#if WIDE == 4
  for (long i = first + 4 * lane; i < last; i += 4 * LANES) {
    *(__global REAL4 *)(to + i) =
        netcl_value_4(*(const __global REAL4 *)(from + i), (REAL4)(a), (REAL4)(b), alpha, beta);
  }
#else
  for (long i = first + lane; i < last; i += LANES) {
    STORE_OUT(netcl_value(LOAD_IN(from, i), a, b, alpha, beta), to, i);
  }
#endif
}
#else
/* Here `length` is the number of positions of a channel, and an item does WIDE channels of one. */
__kernel void KERNEL_NAME(APPLY_ARGUMENTS) {
  const INDEX unit = (INDEX)get_global_id(0);
  const INDEX across = (INDEX)(channels / WIDE);
  const long position = (long)(unit / across);
  if (position >= length) return;
  const long c = (long)(unit % across) * WIDE;
  const long from = netcl_at(&x_outer, position) + c * x_step;
  const long to = netcl_at(&y_outer, position) + c * y_step;
#if WIDE == 4
  const REAL4 a = *(const __global REAL4 *)(coefficients + c);
  const REAL4 b = *(const __global REAL4 *)(coefficients + channels + c);
  *(__global REAL4 *)(y + to) =
      netcl_value_4(*(const __global REAL4 *)(x + from), a, b, alpha, beta);
#else
  const REAL value = netcl_value(LOAD_IN(x, from), coefficients[c], coefficients[channels + c],
                                 alpha, beta);
  STORE_OUT(value, y, to);
#endif
}
#endif
#endif
