/* Copies between layouts whose fastest dimensions differ: the source is packed along P, the target
 * along Q. Both kernels go over tiles, so that both sides see whole lines of memory.
 * Flags: T the element's bits, INDEX, CPU_SHAPED. `from` and `to` have the other dimensions. */
#include "prelude.cl"
#include "move.cl"

#ifdef CPU_SHAPED

#define EDGE 16
#define JOINED_(a, b) a##b
#define JOINED(a, b) JOINED_(a, b)
#define T4 JOINED(T, 4)

/* Four lines of four, turned by taking lanes of two vectors in turn. */
inline void turn_square(const __global T* x, __global T* y, long x_stride, long y_stride) {
  const T4 a = vload4(0, x);
  const T4 b = vload4(0, x + x_stride);
  const T4 c = vload4(0, x + 2 * x_stride);
  const T4 d = vload4(0, x + 3 * x_stride);
  const T4 ac = (T4)(a.s0, c.s0, a.s1, c.s1);
  const T4 bd = (T4)(b.s0, d.s0, b.s1, d.s1);
  const T4 ca = (T4)(a.s2, c.s2, a.s3, c.s3);
  const T4 db = (T4)(b.s2, d.s2, b.s3, d.s3);
  vstore4((T4)(ac.s0, bd.s0, ac.s1, bd.s1), 0, y);
  vstore4((T4)(ac.s2, bd.s2, ac.s3, bd.s3), 0, y + y_stride);
  vstore4((T4)(ca.s0, db.s0, ca.s1, db.s1), 0, y + 2 * y_stride);
  vstore4((T4)(ca.s2, db.s2, ca.s3, db.s3), 0, y + 3 * y_stride);
}

/* A row here is a strip of EDGE lines of the target. */
__kernel void netcl_transpose_cpu(const __global T* x, __global T* y, const Layout from,
                                  const Layout to, const long batches, const long p_extent,
                                  const long q_extent, const long x_stride, const long y_stride) {
  const long strips = (p_extent + EDGE - 1) / EDGE;
  FOR_ROWS(strip, strips * batches) {
    const long batch = strip / strips;
    const long p = strip % strips * EDGE;
    const long height = min((long)EDGE, p_extent - p);
    const __global T* source = x + from.offset + move_at(&from, (INDEX)batch) + p;
    __global T* target = y + to.offset + move_at(&to, (INDEX)batch) + p * y_stride;
    for (long q = 0; q < q_extent; q += EDGE) {
      const long width = min((long)EDGE, q_extent - q);
      if (width == EDGE && height == EDGE) {
        for (int i = 0; i < EDGE; i += 4) {
          for (int j = 0; j < EDGE; j += 4) {
            turn_square(source + (q + j) * x_stride + i, target + i * y_stride + q + j, x_stride,
                        y_stride);
          }
        }
        continue;
      }
      for (long i = 0; i < height; ++i) {
        for (long j = 0; j < width; ++j) {
          target[i * y_stride + q + j] = source[(q + j) * x_stride + i];
        }
      }
    }
  }
}

#else

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

#endif
