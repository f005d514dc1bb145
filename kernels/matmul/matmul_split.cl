/* Copies a or b of a product of f32 for matrix units that multiply tf32, whose numbers have 11
 * digits: rows of neighbours along the depth, each part `pitch` elements long. Any device, OpenCL
 * C 1.2.
 *
 * Options: NETCL_PARTS 1: the elements as they are. 3: x is high + low, of which high has 11 digits
 * and low what is left; rows of a are high, high, low, and with NETCL_SECOND those of b are high,
 * low, high, so that the products of the parts add up to all but low * low. Parts that would meet
 * an infinity in a product of 0 are 0. NETCL_ACROSS: neighbours of the source lie across the depth.
 */
#include "prelude.cl"

#define NETCL_SIDE 32
#define NETCL_ROWS 8

/* To nearest, unless that is beyond f32. */
float netcl_high(float x) {
  const uint bits = as_uint(x), body = bits & 0x7fffffffu;
  if (body >= 0x7f7ff000u) return body >= 0x7f800000u ? x : as_float(bits & 0xffffe000u);
  return as_float((bits + 0x1000u) & 0xffffe000u);
}

/* Groups of 32 x 8 items take squares of 32 x 32 elements; dimension 1 begins at the row
 * `first`, dimension 2 has the matrices. */
__kernel __attribute__((reqd_work_group_size(NETCL_SIDE, NETCL_ROWS, 1))) void netcl_matmul_split(
    __global const float *from, long from_offset, long from_row, long from_column, long from_batch,
    long from_outer, long inner, __global float *to, long to_offset, long pitch, long rows,
    long columns, long first) {
  __local float square[NETCL_SIDE * (NETCL_SIDE + 1)];
  const long matrix = (long)get_global_id(2);
  const long row = first + (long)get_group_id(1) * NETCL_SIDE;
  const long column = (long)get_group_id(0) * NETCL_SIDE;
  const int x = (int)get_local_id(0), y = (int)get_local_id(1);
  from += from_offset + matrix % inner * from_batch + matrix / inner * from_outer;
  to += to_offset + matrix * rows * pitch * NETCL_PARTS;
  for (int i = y; i < NETCL_SIDE; i += NETCL_ROWS) {
#ifdef NETCL_ACROSS
    const int r = x, c = i;
#else
    const int r = i, c = x;
#endif
    if (row + r < rows && column + c < columns) {
      square[r * (NETCL_SIDE + 1) + c] = from[(row + r) * from_row + (column + c) * from_column];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = y; i < NETCL_SIDE; i += NETCL_ROWS) {
    if (row + i >= rows || column + x >= pitch) continue;
    const float value = column + x < columns ? square[i * (NETCL_SIDE + 1) + x] : 0.0f;
    __global float *out = to + (row + i) * pitch * NETCL_PARTS + column + x;
#if NETCL_PARTS == 1
    out[0] = value;
#else
    const float high = netcl_high(value);
    const int finite = (as_uint(high) & 0x7f800000u) != 0x7f800000u;
    const float low = finite ? value - high : 0.0f;
    const float met = finite ? high : 0.0f;
    out[0] = high;
#ifdef NETCL_SECOND
    out[pitch] = low;
    out[2 * pitch] = met;
#else
    out[pitch] = met;
    out[2 * pitch] = low;
#endif
#endif
  }
}
