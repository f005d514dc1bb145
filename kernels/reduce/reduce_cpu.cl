/* Reductions on CPUs: an item does whole outputs, or a piece of one, with vectors of its own. There
 * is no local memory and no barrier.
 *
 *   COLUMNS   1: neighbouring outputs lie next to each other, the elements of one do not
 *   PIECES    1: an item does one piece of the elements and keeps the state */
#include "reduce_fold.cl"

/* A vector that begins at any element. PoCL's vload16 is eight loads of pairs, which compilers do
 * not always join again. */
typedef STORED16 Loose16 __attribute__((aligned(sizeof(STORAGE(X)))));
#define LOAD16(x, at, shift) \
  MAPPED(WIDEN16(*(const __global Loose16*)((x) + (at))), CONVERT16, shift)

/* n packed elements from x[at] on: blocks of 4 sums of 16 lanes, 32 deep. */
inline ACC block_value(Source x, long at, long n, ACC shift) {
  ACC16 a = (ACC16)(NEUTRAL), b = a, c = a, d = a;
  long i = 0;
  for (; i + 64 <= n; i += 64) {
    for (int k = 0; k < 64; k += 64 / (int)sizeof *x) NETCL_PREFETCH(x + at + i + k + 1024);
    a = JOIN_VECTOR(a, LOAD16(x, at + i, shift));
    b = JOIN_VECTOR(b, LOAD16(x, at + i + 16, shift));
    c = JOIN_VECTOR(c, LOAD16(x, at + i + 32, shift));
    d = JOIN_VECTOR(d, LOAD16(x, at + i + 48, shift));
  }
  for (; i + 16 <= n; i += 16) a = JOIN_VECTOR(a, LOAD16(x, at + i, shift));
  a = JOIN_VECTOR(a, b);
  c = JOIN_VECTOR(c, d);
  ACC rest = NEUTRAL;
  for (; i < n; ++i) {
    const ACC next = element(x, at + i, shift);
    rest = JOIN(rest, next);
  }
  const ACC all = joined16(JOIN_VECTOR(a, c));
  return JOIN(all, rest);
}

/* NaN is the same as NaN. */
#if REAL
#define SAME(a, b) ((a) == (b) || (isnan(a) && isnan(b)))
#else
#define SAME(a, b) ((a) == (b))
#endif

inline State add_packed(State s, Source x, long at, long n, long index, ACC shift) {
  for (long i = 0; i < n; i += 2048) {
    const long size = min(n - i, 2048L);
    const ACC block = block_value(x, at + i, size, shift);
#if PLACE
    /* The place is looked for only when there is a new extreme. */
    if (s.place >= 0 && !state_better(block, index + i, s.value, s.place)) continue;
    long k = LAST ? size - 1 : 0;
    while (!SAME(element(x, at + i + k, shift), block)) k += LAST ? -1 : 1;
    s.value = block;
    s.place = index + i + k;
#else
    s = state_add(s, block);
#endif
  }
  return s;
}

/* Elements [begin, end) of the output that begins at x[base]. */
inline State add_range(State s, Source x, const Layout* reduced, long base, long begin, long end,
                       ACC shift) {
  const int inner = max(reduced->rank - 1, 0);
  const long run = reduced->shape[inner], stride = reduced->strides[inner];
  for (long i = begin; i < end;) {
    const long n = min(end - i, run - i % run);
    const long at = base + netcl_at(reduced, i);
    s = stride == 1 ? add_packed(s, x, at, n, i, shift)
                    : add_strided(s, x, at, stride, n, i, shift);
    i += n;
  }
  return s;
}

#if COLUMNS

#define VECTORS_MAX 64

/* `vectors` x 16 neighbouring outputs, which all begin at x[base] plus their number. */
inline void add_columns(Source x, const Layout* reduced, long base, long begin, long end,
                        int vectors, const __global ACC* shift, ACC16* value, ACC16* extra) {
  ACC16 pending[VECTORS_MAX];
  for (int v = 0; v < vectors; ++v) value[v] = pending[v] = (ACC16)(NEUTRAL), extra[v] = 0;
  for (long first = begin; first < end; first += 64) {
    const long last = min(end, first + 64);
    long row = first;
    for (; row + 4 <= last; row += 4) {
      Source p = x + base + netcl_at(reduced, row), q = x + base + netcl_at(reduced, row + 1);
      Source r = x + base + netcl_at(reduced, row + 2), s = x + base + netcl_at(reduced, row + 3);
      for (int v = 0; v < vectors; ++v) {
#if MAP == 4
        const ACC16 by = vload16(v, shift);
#endif
        const ACC16 a = LOAD16(p, 16 * v, by), b = LOAD16(q, 16 * v, by);
        const ACC16 c = LOAD16(r, 16 * v, by), d = LOAD16(s, 16 * v, by);
        const ACC16 e = JOIN_VECTOR(a, b), f = JOIN_VECTOR(c, d);
        const ACC16 g = JOIN_VECTOR(e, f);
        pending[v] = JOIN_VECTOR(pending[v], g);
      }
    }
    for (; row < last; ++row) {
      const long p = base + netcl_at(reduced, row);
      for (int v = 0; v < vectors; ++v) {
#if MAP == 4
        const ACC16 by = vload16(v, shift);
#endif
        const ACC16 a = LOAD16(x, p + 16 * v, by);
        pending[v] = JOIN_VECTOR(pending[v], a);
      }
    }
#if COMPENSATED
    for (int v = 0; v < vectors; ++v) {
      const ACC16 total = value[v] + pending[v];
      const ACC16 taken = total - value[v];
      extra[v] += (value[v] - (total - taken)) + (pending[v] - taken);
      value[v] = total;
      pending[v] = 0;
    }
#endif
  }
#if !COMPENSATED
  for (int v = 0; v < vectors; ++v) value[v] = pending[v];
#endif
}

#endif

/* `each` outputs per item. With COLUMNS they are a tile of a line of `line` outputs; the last tile
 * of a line may be smaller. */
__kernel void
#if PIECES
netcl_reduction_workgroup
#else
netcl_reduction_parallel
#endif
    (Source x, const Layout kept, const Layout reduced, long count, long outputs, long each,
     long line, long piece, const __global ACC* shift, __global STORAGE(OUT)* out,
     const Layout out_layout, __global ACC* values, __global ACC* extras, __global long* places) {
  const long tiles = (line + each - 1) / each;
  const long groups = outputs / line * tiles;
  const long task = get_global_id(0);
  const long group = task % groups;
  const long p = task / groups;
  const long start = group % tiles * each;
  const long first = group / tiles * line + start;
  const long width = min(each, line - start);
  const long begin = min(count, p * piece), end = min(count, begin + piece);
  long done = 0;
#if COLUMNS
  ACC16 value[VECTORS_MAX], extra[VECTORS_MAX];
  const int vectors = (int)(width / 16);
  const long base = netcl_at(&kept, first);
#if MAP == 4
  add_columns(x, &reduced, base, begin, end, vectors, shift + first, value, extra);
#else
  add_columns(x, &reduced, base, begin, end, vectors, shift, value, extra);
#endif
  for (; done < 16 * vectors; ++done) {
    State s = state_start();
    s.value = ((const ACC*)value)[done];
    s.extra = ((const ACC*)extra)[done];
#if PIECES
    state_keep(s, p * outputs + first + done, values, extras, places);
#else
    state_write(s, first + done, count, shift, out, &out_layout);
#endif
  }
#endif
  for (; done < width; ++done) {
    const long output = first + done;
    const State s = add_range(state_start(), x, &reduced, netcl_at(&kept, output), begin, end,
                              SHIFT_OF(output));
#if PIECES
    state_keep(s, p * outputs + output, values, extras, places);
#else
    state_write(s, output, count, shift, out, &out_layout);
#endif
  }
}
