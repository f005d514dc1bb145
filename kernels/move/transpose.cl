/* Copies between layouts whose fastest dimensions differ: the source is packed along P, the target
 * along Q. It goes over tiles, so that both sides see whole lines of memory.
 * Flags: T the element's bits, INDEX, LINES, BY_Q. EACH elements are read and written as one, 1, 2
 * or 4, where everything is aligned to them. `from` and `to` have the other dimensions. */
#include "prelude.cl"
#include "move.cl"

#define EDGE 32
#define SIDE (EDGE * EACH)
#define READS (SIDE / LINES)
#if EACH == 1
#define WORD T
#else
#define WORD NETCL_JOIN(T, EACH)
#endif

/* One group of EDGE x LINES items moves a tile of SIDE x SIDE through local memory. Lines whose
 * numbers are alike modulo EACH lie together there: an item that takes a block of EACH lines finds
 * its neighbours' in other banks, as the column more sees to. Tiles along Q are dimension 0, along
 * P dimension 1, batches 2. */
__kernel void netcl_transpose_tiled(const __global T* x, __global T* y, const Layout from,
                                    const Layout to, const long batches, const long p_extent,
                                    const long q_extent, const long x_stride,
                                    const long y_stride) {
  __local WORD tile[SIDE][EDGE + 1];
  const int column = (int)get_local_id(0);
  const long q_tiles = (q_extent + SIDE - 1) / SIDE;
  const long p_tiles = (p_extent + SIDE - 1) / SIDE;
  for (long batch = get_group_id(2); batch < batches; batch += get_num_groups(2)) {
    const __global T* source = x + from.offset + move_at(&from, (INDEX)batch);
    __global T* target = y + to.offset + move_at(&to, (INDEX)batch);
    for (long pt = get_group_id(1); pt < p_tiles; pt += get_num_groups(1)) {
      for (long qt = get_group_id(0); qt < q_tiles; qt += get_num_groups(0)) {
        const long p = pt * SIDE;
        const long q = qt * SIDE;
        if (p + SIDE <= p_extent && q + SIDE <= q_extent) {
          /* All reads are under way before the first is waited for. */
          WORD read[READS];
          const __global T* at =
              source + (q + (long)get_local_id(1)) * x_stride + p + EACH * column;
          for (int i = 0; i < READS; ++i) {
            read[i] = *(const __global WORD*)(at + i * LINES * x_stride);
          }
          for (int i = 0; i < READS; ++i) {
            const int line = (int)get_local_id(1) + i * LINES;
            tile[line % EACH * EDGE + line / EACH][column] = read[i];
          }
        } else {
          for (int line = (int)get_local_id(1); line < SIDE; line += LINES) {
            const __global T* at = source + (q + line) * x_stride + p + EACH * column;
            const long left = q + line < q_extent ? p_extent - p - EACH * column : 0;
            __local WORD* cell = &tile[line % EACH * EDGE + line / EACH][column];
            if (left >= EACH) {
              *cell = *(const __global WORD*)at;
            } else {
              for (long e = 0; e < left; ++e) ((__local T*)cell)[e] = at[e];
            }
          }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int line = (int)get_local_id(1); line < EDGE; line += LINES) {
          WORD block[EACH];
          for (int e = 0; e < EACH; ++e) block[e] = tile[e * EDGE + column][line];
          const long left = q_extent - q - EACH * column;
          for (int row = 0; row < EACH && p + EACH * line + row < p_extent; ++row) {
            __global T* at = target + (p + EACH * line + row) * y_stride + q + EACH * column;
            WORD turned;
            for (int e = 0; e < EACH; ++e) ((T*)&turned)[e] = ((const T*)&block[e])[row];
            if (left >= EACH) {
              *(__global WORD*)at = turned;
            } else {
              for (long e = 0; e < left; ++e) at[e] = ((const T*)&turned)[e];
            }
          }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
      }
    }
  }
}

/* The same where the lines along P, or those along Q with BY_Q, are short and follow each other
 * without a gap: a piece of that side's memory goes through local memory as it lies. Pieces are
 * dimension 0, batches 1. */
#define PIECE 4096
__kernel void netcl_transpose_short(const __global T* x, __global T* y, const Layout from,
                                    const Layout to, const long batches, const long p_extent,
                                    const long q_extent, const long x_stride,
                                    const long y_stride) {
  __local T tile[PIECE];
  const int items = (int)get_local_size(0);
  const int item = (int)get_local_id(0);
  const int width = (int)(BY_Q ? q_extent : p_extent);
  const long lines = BY_Q ? p_extent : q_extent;
  const long step = BY_Q ? x_stride : y_stride;
  const int most = PIECE / width;
  for (long batch = get_group_id(1); batch < batches; batch += get_num_groups(1)) {
    const __global T* source = x + from.offset + move_at(&from, (INDEX)batch);
    __global T* target = y + to.offset + move_at(&to, (INDEX)batch);
    for (long first = get_group_id(0) * (long)most; first < lines;
         first += get_num_groups(0) * (long)most) {
      const int count = (int)min((long)most, lines - first);
      for (int i = item; i < count * width; i += items) {
        const int across = i / count, along = i - across * count;
        if (BY_Q) {
          tile[along * width + across] = source[across * step + first + along];
        } else {
          tile[i] = source[first * width + i];
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int i = item; i < count * width; i += items) {
        const int across = i / count, along = i - across * count;
        if (BY_Q) {
          target[first * width + i] = tile[i];
        } else {
          target[across * step + first + along] = tile[along * width + across];
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
}
