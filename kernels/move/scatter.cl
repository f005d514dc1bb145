/* Writes updates into a tensor at indices along an axis. Updates of different lines (everything but
 * the axis fixed) never meet, and within a line one item takes the updates in order, so equal
 * indices come out the same each time. Long lines are shared by several items, each of which
 * minds its own part of the axis.
 * Flags: X the dtype of updates, Y that of the target, I int or long (the indices), one of ASSIGN,
 * ADD, MULTIPLY, MAXIMUM and MINIMUM, or ATOMIC, INDEX. */
#include "prelude.cl"
#include "move.cl"

#ifndef ATOMIC

/* Indices are read so many at a time, since a store might change the next one for all that a
 * compiler knows. */
#define AHEAD 32

#ifdef ADD
#define COMBINED(a, b) ((a) + (b))
#elif defined(MULTIPLY)
#define COMBINED(a, b) ((a) * (b))
#elif defined(MAXIMUM)
/* Not equal to itself is NaN. */
#define COMBINED(a, b) ((a) > (b) || (a) != (a) ? (a) : (b))
#elif defined(MINIMUM)
#define COMBINED(a, b) ((a) < (b) || (a) != (a) ? (a) : (b))
#endif

/* A row is one part of one line. */
__kernel void netcl_scatter(__global STORAGE(Y) * y, const __global I* indices,
                            const __global STORAGE(X) * updates, const Layout to,
                            const Layout index_layout, const Layout from, const long lines,
                            const long parts, const long count, const long extent,
                            const long y_stride, const long index_stride, const long from_stride) {
  FOR_ROWS(row, lines * parts) {
    const long line = row / parts;
    const long part = row - line * parts;
    const long low = part * extent / parts;
    const long high = (part + 1) * extent / parts;
    const INDEX y_at = (INDEX)to.offset + move_at(&to, (INDEX)line);
    const INDEX index_at = (INDEX)index_layout.offset + move_at(&index_layout, (INDEX)line);
    const INDEX from_at = (INDEX)from.offset + move_at(&from, (INDEX)line);
    for (long first = 0; first < count; first += AHEAD) {
      I ahead[AHEAD];
      for (int i = 0; i < AHEAD; ++i) {
        const long t = min(first + i, count - 1);
        ahead[i] = indices[index_at + (INDEX)t * (INDEX)index_stride];
      }
      for (int i = 0; i < AHEAD && first + i < count; ++i) {
        const long k = ahead[i] < 0 ? (long)ahead[i] + extent : (long)ahead[i];
        if (k < low || k >= high) continue;
        const INDEX place = y_at + (INDEX)k * (INDEX)y_stride;
        const INDEX update = from_at + (INDEX)(first + i) * (INDEX)from_stride;
#ifdef ASSIGN
        y[place] = updates[update];
#else
        const COMPUTE(Y) a = LOAD(Y, y, place);
        const COMPUTE(Y) b = LOAD(X, updates, update);
        STORE(Y, (COMPUTE(Y))(COMBINED(a, b)), y, place);
#endif
      }
    }
  }
}

#else

#define IS_f32 1
#if NETCL_JOIN(IS_, Y) == 1
inline void add_to(__global float* place, float value) {
  volatile __global uint* word = (volatile __global uint*)place;
  uint seen = *word;
  for (;;) {
    const uint wanted = as_uint(as_float(seen) + value);
    const uint found = atomic_cmpxchg(word, seen, wanted);
    if (found == seen) return;
    seen = found;
  }
}
#else
inline void add_to(__global STORAGE(Y) * place, STORAGE(Y) value) {
  atomic_add((volatile __global STORAGE(Y)*)place, value);
}
#endif

/* A row is one update; layouts have the shape of the updates, `to` with a stride of 0 along the
 * axis. */
__kernel void netcl_scatter_atomic(__global STORAGE(Y) * y, const __global I* indices,
                                   const __global STORAGE(X) * updates, const Layout to,
                                   const Layout index_layout, const Layout from, const long rows,
                                   const long extent, const long y_stride) {
  FOR_ROWS(row, rows) {
    long k = (long)indices[index_layout.offset + move_at(&index_layout, (INDEX)row)];
    k = k < 0 ? k + extent : k;
    if (k < 0 || k >= extent) continue;
    add_to(y + to.offset + move_at(&to, (INDEX)row) + (INDEX)k * (INDEX)y_stride,
           updates[from.offset + move_at(&from, (INDEX)row)]);
  }
}

#endif
