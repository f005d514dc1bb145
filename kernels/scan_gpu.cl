/* Scans on GPUs along packed lines: a group of ITEMS items goes along a chunk, 4 elements per item
 * at a time. */
#include "scan_fold.cl"

#define EACH 4

/* The values of the items before this one, and of all, by doubling steps. */
inline ACC scan_items(ACC value, uint item, __local ACC* shared, ACC* all) {
  shared[item] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 1; step < ITEMS; step *= 2) {
    ACC sum = shared[item];
    if (item >= step) sum = JOIN(shared[item - step], sum);
    barrier(CLK_LOCAL_MEM_FENCE);
    shared[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const ACC before = item > 0 ? shared[item - 1] : NEUTRAL;
  *all = shared[ITEMS - 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  return before;
}

#if STAGE == 1

/* What is before each chunk of a line: a group per line, ITEMS chunks at a time. */
inline State shared_state(const __local ACC* values, const __local ACC* extras, uint item) {
  State s;
  s.value = values[item];
  s.extra = extras[item];
  return s;
}

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

#else

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void
#if STAGE == 0
netcl_scan_totals
#else
netcl_scan_group
#endif
    (Source x, const Layout x_lines, long x_stride, Target out, const Layout out_lines,
     long out_stride, long count, long lines, long chunk, long chunks, __global ACC* states) {
  __local ACC shared[ITEMS];
  const uint item = get_local_id(0);
  const long id = get_group_id(0);
  const long line = id % lines, begin = id / lines * chunk;
  const long end = min(count, begin + chunk);
  const long from = netcl_at(&x_lines, line), to = netcl_at(&out_lines, line);
  State before = state_start(), total = state_start();
#if STAGE == 2
  if (chunks > 1) before = state_kept(states, id, lines * chunks);
#endif
  for (long first = begin; first < end; first += ITEMS * EACH) {
    const long at = first + item * EACH;
    ACC own[EACH];
    ACC sum = NEUTRAL;
    for (int k = 0; k < EACH; ++k) {
      ACC element = NEUTRAL;
      if (at + k < end) element = (ACC)LOAD(X, x, from + (at + k) * x_stride);
#if EXCLUSIVE
      own[k] = sum;
      sum = JOIN(sum, element);
#else
      sum = JOIN(sum, element);
      own[k] = sum;
#endif
    }
    ACC all;
    const ACC others = scan_items(sum, item, shared, &all);
#if STAGE == 2
    const ACC start = JOIN(state_total(state_join(before, total)), others);
    for (int k = 0; k < EACH; ++k) {
      if (at + k >= end) break;
      STORE(X, (COMPUTE(X))JOIN(start, own[k]), out, to + (at + k) * out_stride);
    }
#endif
    total = state_add(total, all);
  }
#if STAGE == 0
  if (item == 0) state_keep(total, states, id, lines * chunks);
#endif
}

#endif
