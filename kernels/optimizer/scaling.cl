/* Norms, scales and checks of the gradients of a group, which has one operand. Options: those of
 * group.cl; the kernels that go over no group have SLOTS, OPERANDS and O0 for REAL alone. */
#include "group.cl"

#define LANES 128

/* Squares are summed in three ranges, so that none overflows or vanishes (J. L. Blue, 1978): those
 * of large numbers times DOWN, those of small ones times UP, and those between. */
#ifdef WIDE
#define LARGE ((REAL)0x1p400)
#define SMALL ((REAL)0x1p-400)
#define DOWN ((REAL)0x1p-600)
#define UP ((REAL)0x1p600)
#else
#define LARGE 0x1p50f
#define SMALL 0x1p-50f
#define DOWN 0x1p-76f
#define UP 0x1p90f
#endif

/* Sums three numbers of each work item over the group; lane 0 has the sums. */
#define SUM_OVER_GROUP(sums)                                           \
  __local REAL parts[3][LANES];                                        \
  const int lane = get_local_id(0);                                    \
  for (int k = 0; k < 3; ++k) parts[k][lane] = sums[k];                \
  for (int width = LANES / 2; width > 0; width /= 2) {                    \
    barrier(CLK_LOCAL_MEM_FENCE);                                      \
    if (lane < width) {                                                 \
      for (int k = 0; k < 3; ++k) parts[k][lane] += parts[k][lane + width]; \
    }                                                                  \
  }

/* Three sums for each work group, from `before` on. */
__kernel void netcl_squares(__global REAL *partials, const long before GROUP_ARGUMENTS) {
  TAKE_GROUP
  REAL sums[3] = {0, 0, 0};
  FOR_ELEMENT(i) {
    const REAL x = fabs(GET(O0, 0, i));
    if (x > LARGE) {
      sums[0] += (x * DOWN) * (x * DOWN);
    } else if (x < SMALL) {
      sums[2] += (x * UP) * (x * UP);
    } else {
      sums[1] += x * x;
    }
  }
  SUM_OVER_GROUP(sums)
  if (lane == 0) {
    for (int k = 0; k < 3; ++k) partials[3 * (before + group) + k] = parts[k][0];
  }
}

/* The norm, and the factor by which the group is clipped. */
__kernel void netcl_clip_factor(const __global REAL *partials, const long count,
                                const REAL max_norm, __global REAL *factor, __global REAL *norm,
                                const long norm_at) {
  REAL sums[3] = {0, 0, 0};
  for (long i = get_local_id(0); i < count; i += LANES) {
    for (int k = 0; k < 3; ++k) sums[k] += partials[3 * i + k];
  }
  SUM_OVER_GROUP(sums)
  if (lane != 0) return;
  const REAL large = parts[0][0], between = parts[1][0], small = parts[2][0];
  REAL n;
  if (large > (REAL)0) {
    n = sqrt(large + between * DOWN * DOWN) / DOWN;
  } else if (!(between == (REAL)0)) {
    n = sqrt(between + small / UP / UP);
  } else {
    n = sqrt(small) / UP;
  }
  norm[norm_at] = n;
  const REAL wanted = max_norm / (n + (REAL)1e-6);
  *factor = wanted >= (REAL)1 ? (REAL)1 : wanted;
}

__kernel void netcl_clip(const __global REAL *factor GROUP_ARGUMENTS) {
  const REAL own = *factor;
  if (own == (REAL)1) return;
  TAKE_GROUP
  FOR_ELEMENT(i) PUT(O0, GET(O0, 0, i) * own, 0, i);
}

__kernel void netcl_unscale(const __global float *scale, const long scale_at,
                            __global float *found_inf, const long found_inf_at GROUP_ARGUMENTS) {
  TAKE_GROUP
  const REAL factor = scale != 0 ? (REAL)1 / (REAL)scale[scale_at] : (REAL)1;
  bool bad = false;
  FOR_ELEMENT(i) {
    const REAL x = GET(O0, 0, i);
    bad = bad || !isfinite(x);
    if (scale != 0) PUT(O0, x * factor, 0, i);
  }
  if (bad) found_inf[found_inf_at] = 1.0f;
}
