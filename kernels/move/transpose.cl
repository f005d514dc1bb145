/* Copies between layouts whose fastest dimensions differ: the source is packed along P, the target
 * along Q. It goes over tiles, so that both sides see whole lines of memory.
 * Flags: T the element's bits, INDEX. `from` and `to` have the other dimensions. */
#include "prelude.cl"
#include "move.cl"

#define EDGE 32

/* One group of EDGE x LINES items moves a tile through local memory; the column more keeps its
 * columns out of one bank. Tiles along Q are dimension 0, along P dimension 1, batches 2. */
__kernel void netcl_transpose_tiled(const __global T* x, __global T* y, const Layout from,
                                    const Layout to, const long batches, const long p_extent,
                                    const long q_extent, const long x_stride,
                                    const long y_stride) {
  __local T tile[EDGE][EDGE + 1];
  const int column = (int)get_local_id(0);
  const long q_tiles = (q_extent + EDGE - 1) / EDGE;
  const long p_tiles = (p_extent + EDGE - 1) / EDGE;
  for (long batch = get_group_id(2); batch < batches; batch += get_num_groups(2)) {
    const __global T* source = x + from.offset + move_at(&from, (INDEX)batch);
    __global T* target = y + to.offset + move_at(&to, (INDEX)batch);
    for (long pt = get_group_id(1); pt < p_tiles; pt += get_num_groups(1)) {
      for (long qt = get_group_id(0); qt < q_tiles; qt += get_num_groups(0)) {
        const long p = pt * EDGE;
        const long q = qt * EDGE;
        for (int line = (int)get_local_id(1); line < EDGE; line += LINES) {
          if (q + line < q_extent && p + column < p_extent) {
            tile[line][column] = source[(q + line) * x_stride + p + column];
          }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int line = (int)get_local_id(1); line < EDGE; line += LINES) {
          if (p + line < p_extent && q + column < q_extent) {
            target[(p + line) * y_stride + q + column] = tile[column][line];
          }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
      }
    }
  }
}
