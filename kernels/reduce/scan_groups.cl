/* Scans along packed lines: a group of ITEMS items goes along a chunk, VECTORS times four
 * elements per item at a time. Neighbouring items have neighbouring fours, so that a vector is read
 * and written at once where WIDE is 1: unit strides, fours that are aligned, and VECTOR the type of
 * four elements in memory.
 *
 * Of a tile the sums of fours stand in local memory in their order, cut into rows. An item per row
 * goes along it, then along the rows before its own: three barriers for a tile of any size. */
#include "scan_fold.cl"

#define VECTORS 2
#define TILE (ITEMS * 4 * VECTORS)
#define ROW 16
#define ROWS ((ITEMS * VECTORS + ROW - 1) / ROW)
/* Rows begin in different banks. */
#define PLACE(i) ((i) + (i) / ROW)
/* Only groups of fewer than 8 items leave a row unfilled. */
#define IN_TILE(i) (ITEMS * VECTORS % ROW == 0 || (i) < ITEMS * VECTORS)
/* Arrays of an item stay in registers only when every index into them is a constant. */
#define UNROLL _Pragma("unroll")

inline void load_four(Source x, long at, long stride, long left, ACC* four) {
#if WIDE
  if (left >= 4) {
    const VECTOR v = *(const __global VECTOR*)(x + at);
    four[0] = (ACC)v.s0, four[1] = (ACC)v.s1, four[2] = (ACC)v.s2, four[3] = (ACC)v.s3;
    return;
  }
#endif
  for (int k = 0; k < 4; ++k) {
    four[k] = NEUTRAL;
    if (k < left) four[k] = (ACC)LOAD(X, x, at + k * stride);
  }
}

inline void store_four(Target out, long at, long stride, long left, const ACC* four) {
#if WIDE
  if (left >= 4) {
    *(__global VECTOR*)(out + at) =
        (VECTOR)((STORAGE(X))four[0], (STORAGE(X))four[1], (STORAGE(X))four[2],
                 (STORAGE(X))four[3]);
    return;
  }
#endif
  for (int k = 0; k < 4; ++k) {
    if (k < left) STORE(X, (COMPUTE(X))four[k], out, at + k * stride);
  }
}

inline State shared_state(const __local ACC* values, const __local ACC* extras, uint item) {
  State s;
  s.value = values[item];
  s.extra = extras[item];
  return s;
}

#if STAGE == 1

/* What is before each chunk of a line: a group per line, ITEMS chunks at a time. */
__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void netcl_scan_offsets(
    Source x, const Layout x_lines, long x_stride, Target out, const Layout out_lines,
    long out_stride, long count, long lines, long chunk, long chunks, __global ACC* states) {
  __local ACC values[ITEMS], extras[ITEMS];
  const uint item = get_local_id(0);
  const long line = get_group_id(0);
  State carry = state_start();
  for (long first = 0; first < chunks; first += ITEMS) {
    const long c = first + item;
    State s = state_start();
    if (c < chunks) s = state_kept(states, c * lines + line, lines * chunks);
    values[item] = s.value;
    extras[item] = s.extra;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 1; step < ITEMS; step *= 2) {
      s = shared_state(values, extras, item);
      if (item >= step) s = state_join(shared_state(values, extras, item - step), s);
      barrier(CLK_LOCAL_MEM_FENCE);
      values[item] = s.value;
      extras[item] = s.extra;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    State before = carry;
    if (item > 0) before = state_join(carry, shared_state(values, extras, item - 1));
    carry = state_join(carry, shared_state(values, extras, ITEMS - 1));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (c < chunks) state_keep(before, states, c * lines + line, lines * chunks);
  }
}

#elif STAGE == 0

/* The total of a chunk. Items add up fours of their own, and meet at the end. */
__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void netcl_scan_totals(
    Source x, const Layout x_lines, long x_stride, Target out, const Layout out_lines,
    long out_stride, long count, long lines, long chunk, long chunks, __global ACC* states) {
  __local ACC values[ITEMS], extras[ITEMS];
  const uint item = get_local_id(0);
  const long id = get_group_id(0);
  const long begin = id / lines * chunk;
  const long end = min(count, begin + chunk);
  const long from = netcl_at(&x_lines, id % lines);
  State total = state_start();
  for (long first = begin; first < end; first += TILE) {
    ACC sums[VECTORS];
    UNROLL
    for (int v = 0; v < VECTORS; ++v) {
      const long at = first + (v * ITEMS + item) * 4;
      ACC four[4];
      load_four(x, from + at * x_stride, x_stride, end - at, four);
      sums[v] = JOIN(JOIN(four[0], four[1]), JOIN(four[2], four[3]));
    }
    for (int v = 1; v < VECTORS; ++v) sums[0] = JOIN(sums[0], sums[v]);
    total = state_add(total, sums[0]);
  }
  values[item] = total.value;
  extras[item] = total.extra;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = ITEMS / 2; step > 0; step /= 2) {
    if (item < step) {
      total = state_join(shared_state(values, extras, item),
                         shared_state(values, extras, item + step));
      values[item] = total.value;
      extras[item] = total.extra;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0) state_keep(total, states, id, lines * chunks);
}

#else

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void netcl_scan_group(
    Source x, const Layout x_lines, long x_stride, Target out, const Layout out_lines,
    long out_stride, long count, long lines, long chunk, long chunks, __global ACC* states) {
  /* Each twice, so that a tile is begun while some items still read what the last one left. */
  __local ACC sums[2][ROWS * (ROW + 1)], rows[2][ROWS], starts[2][ROWS + 1];
  const uint item = get_local_id(0);
  const long id = get_group_id(0);
  const long line = id % lines, begin = id / lines * chunk;
  const long end = min(count, begin + chunk);
  const long from = netcl_at(&x_lines, line), to = netcl_at(&out_lines, line);
  State before = state_start(), total = state_start();
  int now = 0;
  if (chunks > 1) before = state_kept(states, id, lines * chunks);
  for (long first = begin; first < end; first += TILE, now = 1 - now) {
    ACC own[VECTORS][4];
    UNROLL
    for (int v = 0; v < VECTORS; ++v) {
      const long at = first + (v * ITEMS + item) * 4;
      ACC sum = NEUTRAL;
      load_four(x, from + at * x_stride, x_stride, end - at, own[v]);
      for (int k = 0; k < 4; ++k) {
        const ACC with = JOIN(sum, own[v][k]);
        own[v][k] = EXCLUSIVE ? sum : with;
        sum = with;
      }
      sums[now][PLACE(v * ITEMS + item)] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < ROWS) {
      __local ACC* const own_row = sums[now] + item * (ROW + 1);
      ACC fours[ROW];
      ACC sum = NEUTRAL;
      UNROLL
      for (uint k = 0; k < ROW; ++k) fours[k] = IN_TILE(item * ROW + k) ? own_row[k] : NEUTRAL;
      UNROLL
      for (uint k = 0; k < ROW; ++k) {
        own_row[k] = sum;
        sum = JOIN(sum, fours[k]);
      }
      rows[now][item] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < ROWS) {
      ACC sum = NEUTRAL;
      UNROLL
      for (uint k = 0; k < ROWS; ++k) {
        const ACC row = rows[now][k];
        if (k < item) sum = JOIN(sum, row);
      }
      starts[now][item] = sum;
      if (item == ROWS - 1) starts[now][ROWS] = JOIN(sum, rows[now][item]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const ACC base = state_total(state_join(before, total));
    UNROLL
    for (int v = 0; v < VECTORS; ++v) {
      const uint place = v * ITEMS + item;
      const long at = first + place * 4;
      const ACC start = JOIN(base, JOIN(starts[now][place / ROW], sums[now][PLACE(place)]));
      for (int k = 0; k < 4; ++k) own[v][k] = JOIN(start, own[v][k]);
      store_four(out, to + at * out_stride, out_stride, end - at, own[v]);
    }
    total = state_add(total, starts[now][ROWS]);
  }
}

#endif
