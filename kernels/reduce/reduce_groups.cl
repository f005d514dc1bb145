/* Reductions: a group of ITEMS items does ROWS outputs with LANES items each, or a tile of
 * columns, and joins what its items have in local memory.
 *
 *   COLUMNS   0: the elements of an output are next to each other, or anywhere
 *             1: neighbouring items have neighbouring outputs, which lie next to each other
 *             4: each item has four of them, aligned as a vector
 *   PACKED    1: the elements of an output are packed runs of some length
 *   PIECES    1: a group does one piece of the elements and keeps the state
 *   LANES     items per output, a power of two; ITEMS a multiple of it */
#include "reduce_fold.cl"

#define ROWS (ITEMS / LANES)
#define EACH (COLUMNS == 4 ? 4 : 1)

/* Joins the states of the LANES items of an output. Items of one output are `apart` from each
 * other. The result is in the first of them. */
inline State join_lanes(State s, uint item, uint lane, uint apart, __local ACC* values,
                        __local ACC* extras, __local long* places) {
  values[item] = s.value;
#if COMPENSATED
  extras[item] = s.extra;
#endif
#if PLACE
  places[item] = s.place;
#endif
  for (uint step = LANES / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < step) {
      const uint other = item + step * apart;
      State b = state_start();
      b.value = values[other];
#if COMPENSATED
      b.extra = extras[other];
#endif
#if PLACE
      b.place = places[other];
#endif
      s = state_join(s, b);
      values[item] = s.value;
#if COMPENSATED
      extras[item] = s.extra;
#endif
#if PLACE
      places[item] = s.place;
#endif
    }
  }
  return s;
}

#if PLACE
#define LOCAL_STATES                                     \
  __local ACC local_values[ITEMS];                       \
  __local long local_places[ITEMS];                      \
  __local ACC* const local_extras = 0;
#elif COMPENSATED
#define LOCAL_STATES                                     \
  __local ACC local_values[ITEMS], local_extras[ITEMS];  \
  __local long* const local_places = 0;
#else
#define LOCAL_STATES                                     \
  __local ACC local_values[ITEMS];                       \
  __local ACC* const local_extras = 0;                   \
  __local long* const local_places = 0;
#endif

#define LOAD4(q, i, shift) MAPPED4(WIDEN4((q)[i]), shift)

/* This item's share of n packed elements from x[at] on: vectors of 4 from the first aligned one on,
 * 4 of them in flight. */
inline State add_packed(State s, Source x, long at, long n, long index, uint lane, ACC shift) {
#if PLACE
  for (long i = lane; i < n; i += LANES) s = state_take(s, element(x, at + i, shift), index + i);
#else
  const uint off = (uint)(((ulong)(x + at) / sizeof(STORAGE(X))) & 3u);
  const long head = min(n, (long)((4u - off) & 3u));
  if (lane < head) s = state_add(s, element(x, at + lane, shift));
  const __global STORED4* q = (const __global STORED4*)(x + at + head);
  const long vectors = (n - head) / 4;
  long i = lane;
  while (i < vectors) {
    ACC4 a = (ACC4)(NEUTRAL), b = a, c = a, d = a;
    const long last = min(vectors, i + 32L * 4 * LANES);
    for (; i + 3 * LANES < last; i += 4 * LANES) {
      const ACC4 e = LOAD4(q, i, shift), f = LOAD4(q, i + LANES, shift);
      const ACC4 g = LOAD4(q, i + 2 * LANES, shift), h = LOAD4(q, i + 3 * LANES, shift);
      a = JOIN_VECTOR(a, e);
      b = JOIN_VECTOR(b, f);
      c = JOIN_VECTOR(c, g);
      d = JOIN_VECTOR(d, h);
    }
    for (; i < last; i += LANES) {
      const ACC4 e = LOAD4(q, i, shift);
      a = JOIN_VECTOR(a, e);
    }
    a = JOIN_VECTOR(a, b);
    c = JOIN_VECTOR(c, d);
    s = state_add(s, joined4(JOIN_VECTOR(a, c)));
  }
  const long tail = n - head - 4 * vectors;
  if (lane < tail) s = state_add(s, element(x, at + head + 4 * vectors + lane, shift));
#endif
  return s;
}

/* This item's share of elements [begin, end) of the output that begins at x[base]. */
inline State add_range(State s, Source x, const Layout* reduced, long base, long begin, long end,
                       uint lane, ACC shift) {
#if PACKED
  const long run = reduced->shape[max(reduced->rank - 1, 0)];
  for (long i = begin; i < end;) {
    const long n = min(end - i, run - i % run);
    s = add_packed(s, x, base + netcl_at(reduced, i), n, i, lane, shift);
    i += n;
  }
#elif PLACE
  for (long i = begin + lane; i < end; i += LANES) {
    s = state_take(s, element(x, base + netcl_at(reduced, i), shift), i);
  }
#else
  for (long i = begin + lane; i < end;) {
    ACC block = NEUTRAL;
    const long last = min(end, i + 32L * LANES);
    for (; i < last; i += LANES) {
      const ACC next = element(x, base + netcl_at(reduced, i), shift);
      block = JOIN(block, next);
    }
    s = state_add(s, block);
  }
#endif
  return s;
}

/* Rows [begin, end) of this item's column: every LANES-th one, 4 in flight. */
inline State add_column(State s, Source x, const Layout* reduced, long base, long begin, long end,
                        uint lane, ACC shift) {
  long row = begin + lane;
#if PLACE
  for (; row < end; row += LANES) {
    s = state_take(s, element(x, base + netcl_at(reduced, row), shift), row);
  }
#else
  while (row < end) {
    ACC a = NEUTRAL, b = a, c = a, d = a;
    const long last = min(end, row + 64L * LANES);
    for (; row + 3 * LANES < last; row += 4 * LANES) {
      const ACC e = element(x, base + netcl_at(reduced, row), shift);
      const ACC f = element(x, base + netcl_at(reduced, row + LANES), shift);
      const ACC g = element(x, base + netcl_at(reduced, row + 2 * LANES), shift);
      const ACC h = element(x, base + netcl_at(reduced, row + 3 * LANES), shift);
      a = JOIN(a, e);
      b = JOIN(b, f);
      c = JOIN(c, g);
      d = JOIN(d, h);
    }
    for (; row < last; row += LANES) {
      const ACC e = element(x, base + netcl_at(reduced, row), shift);
      a = JOIN(a, e);
    }
    a = JOIN(a, b);
    c = JOIN(c, d);
    s = state_add(s, JOIN(a, c));
  }
#endif
  return s;
}

#if COLUMNS == 4
/* The same for four columns. */
inline void add_columns(State* s, Source x, const Layout* reduced, long base, long begin, long end,
                        uint lane, ACC4 shift) {
  const __global STORED4* q = (const __global STORED4*)(x + base);
#define ROW4(row) MAPPED4(WIDEN4(q[netcl_at(reduced, row) / 4]), shift)
  long row = begin + lane;
  while (row < end) {
    ACC4 a = (ACC4)(NEUTRAL), b = a, c = a, d = a;
    const long last = min(end, row + 64L * LANES);
    for (; row + 3 * LANES < last; row += 4 * LANES) {
      const ACC4 e = ROW4(row), f = ROW4(row + LANES);
      const ACC4 g = ROW4(row + 2 * LANES), h = ROW4(row + 3 * LANES);
      a = JOIN_VECTOR(a, e);
      b = JOIN_VECTOR(b, f);
      c = JOIN_VECTOR(c, g);
      d = JOIN_VECTOR(d, h);
    }
    for (; row < last; row += LANES) {
      const ACC4 e = ROW4(row);
      a = JOIN_VECTOR(a, e);
    }
    a = JOIN_VECTOR(a, b);
    c = JOIN_VECTOR(c, d);
    a = JOIN_VECTOR(a, c);
    s[0] = state_add(s[0], a.x);
    s[1] = state_add(s[1], a.y);
    s[2] = state_add(s[2], a.z);
    s[3] = state_add(s[3], a.w);
  }
}
#endif

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void
#if PIECES
netcl_reduction_workgroup
#else
netcl_reduction_parallel
#endif
    (Source x, const Layout kept, const Layout reduced, long count, long outputs, long line,
     long piece, const __global ACC* shift, __global STORAGE(OUT)* out, const Layout out_layout,
     __global ACC* values, __global ACC* extras, __global long* places) {
  LOCAL_STATES
  const uint item = get_local_id(0);
  const long tiles = (line + ROWS * EACH - 1) / (ROWS * EACH);
  const long groups = outputs / line * tiles;
  const long group = (long)get_group_id(0) % groups;
  const long p = (long)get_group_id(0) / groups;
#if COLUMNS
  const uint lane = item / ROWS, row = item % ROWS * EACH, apart = ROWS;
#else
  const uint lane = item % LANES, row = item / LANES, apart = 1;
#endif
  const long start = group % tiles * ROWS * EACH + row;
  const bool used = start < line;
  const long output = group / tiles * line + start;
  const long begin = min(count, p * piece), end = min(count, begin + piece);
  State s[EACH];
  for (int k = 0; k < EACH; ++k) s[k] = state_start();
  if (used) {
    const long base = netcl_at(&kept, output);
#if COLUMNS == 4
#if MAP == 4
    const ACC4 shifts = vload4(0, shift + output);
#else
    const ACC4 shifts = (ACC4)(0);
#endif
    add_columns(s, x, &reduced, base, begin, end, lane, shifts);
#elif COLUMNS
    s[0] = add_column(s[0], x, &reduced, base, begin, end, lane, SHIFT_OF(output));
#else
    s[0] = add_range(s[0], x, &reduced, base, begin, end, lane, SHIFT_OF(output));
#endif
  }
  for (int k = 0; k < EACH; ++k) {
    if (k > 0) barrier(CLK_LOCAL_MEM_FENCE);
    s[k] = join_lanes(s[k], item, lane, apart, local_values, local_extras, local_places);
  }
  if (!used || lane != 0) return;
  for (int k = 0; k < EACH; ++k) {
#if PIECES
    state_keep(s[k], p * outputs + output + k, values, extras, places);
#else
    state_write(s[k], output + k, count, shift, out, &out_layout);
#endif
  }
}
