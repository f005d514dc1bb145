/* The sums of the lines of an 8-bit factor along the depth, modulo 2^32: what zero points of the
 * other factor are multiplied with. Any device, OpenCL C 1.2. Options: those of matmul_formats.cl,
 * and NETCL_LINE, the format of x. */

#include "matmul_formats.cl"

#define ITEMS 64

inline uint netcl_four(uint bytes) {
#if NETCL_LINE == 3
  const int4 each = convert_int4(as_char4(bytes));
#else
  const int4 each = convert_int4(as_uchar4(bytes));
#endif
  return (uint)(each.x + each.y + each.z + each.w);
}

/* A group for each line, which begin at multiples of 16 bytes, `step` apart. */
__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void netcl_matmul_line_sums(
    __global const uchar *x, long x_offset, long step, NETCL_BATCH_PARAMS(x),
    long k NETCL_INNER_PARAM, __global uint *sums, long first) {
  __local uint parts[ITEMS];
  const long batch = (long)get_global_id(2);
  const int item = (int)get_local_id(0);
  x += NETCL_MATRIX(x, batch) + (long)get_group_id(0) * step;
  uint sum = 0;
  for (long at = 16 * item; at + 16 <= k; at += 16 * ITEMS) {
    const uint4 v = *(__global const uint4 *)(x + at);
    sum += (netcl_four(v.x) + netcl_four(v.y)) + (netcl_four(v.z) + netcl_four(v.w));
  }
  for (long at = k / 16 * 16 + item; at < k; at += ITEMS) {
    sum += NETCL_FROM(NETCL_LINE, x + at);
  }
  parts[item] = sum;
  for (int left = ITEMS / 2; left > 0; left /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < left) parts[item] += parts[item + left];
  }
  if (item == 0) sums[first + batch * (long)get_num_groups(0) + (long)get_group_id(0)] = parts[0];
}
