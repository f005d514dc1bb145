/* Histograms: the range of the finite elements, counts of parts, and their sum. Counts are
 * integers, so the order in which they are made does not show.
 *
 *   X        name of the dtype of x
 *   WIDE     the type that bins are computed in: double, or float on a device without doubles
 *   SHARED   the items of a group count in local memory of so many bins, or, with 1, in the
 *            device's memory; 0: there is no counting kernel */
#include "prelude.cl"

typedef const __global STORAGE(X)* Source;

/* Extremes of the finite elements of a part; lowest > highest when it has none. */
__kernel void netcl_histogram_range(Source x, const Layout layout, long count, long parts,
                                    __global WIDE* extremes) {
  const long part = get_global_id(0);
  if (part >= parts) return;
  WIDE lowest = INFINITY, highest = -INFINITY;
  for (long i = part; i < count; i += parts) {
    const WIDE v = (WIDE)LOAD(X, x, netcl_at(&layout, i));
    if (v - v != 0) continue;
    lowest = v < lowest ? v : lowest;
    highest = v > highest ? v : highest;
  }
  extremes[2 * part] = lowest;
  extremes[2 * part + 1] = highest;
}

/* Joins the parts in place: one item. */
__kernel void netcl_histogram_join(__global WIDE* extremes, long parts) {
  WIDE lowest = INFINITY, highest = -INFINITY;
  for (long part = 0; part < parts; ++part) {
    lowest = extremes[2 * part] < lowest ? extremes[2 * part] : lowest;
    highest = extremes[2 * part + 1] > highest ? extremes[2 * part + 1] : highest;
  }
  if (lowest == highest) {
    lowest -= (WIDE)0.5f;
    highest += (WIDE)0.5f;
  }
  extremes[0] = lowest;
  extremes[1] = highest;
}

/* The bin of a value, -1 for none. The edges themselves decide, not a quotient near them. */
inline long bin_of(WIDE v, WIDE low, WIDE high, WIDE width, long bins) {
  if (!(v >= low && v <= high)) return -1;
  const WIDE at = (v - low) / width;
  long bin = at < (WIDE)bins ? (long)at : bins - 1;
  while (bin > 0 && v < low + (WIDE)bin * width) --bin;
  while (bin < bins - 1 && v >= low + (WIDE)(bin + 1) * width) ++bin;
  return bin;
}

#if SHARED
__kernel void netcl_histogram_count(Source x, const Layout layout, long first, long count,
                                    long bins, WIDE low, WIDE high, const __global WIDE* extremes,
                                    int found, long part_size, __global uint* counts) {
  if (found) {
    low = extremes[0];
    high = extremes[1];
  }
  const WIDE span = high - low;
  const WIDE width = span - span == 0 ? span / (WIDE)bins : high / (WIDE)bins - low / (WIDE)bins;
  const long part = get_group_id(0);
  const uint item = get_local_id(0), items = get_local_size(0);
  const long begin = first + part * part_size, end = min(count, begin + part_size);
#if SHARED > 1
  __local uint shared[SHARED];
  for (uint b = item; b < bins; b += items) shared[b] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  for (long i = begin + item; i < end; i += items) {
    const long bin = bin_of((WIDE)LOAD(X, x, netcl_at(&layout, i)), low, high, width, bins);
    if (bin < 0) continue;
#if SHARED > 1
    atomic_inc(&shared[bin]);
#else
    atomic_inc(&counts[bin]);
#endif
  }
#if SHARED > 1
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint b = item; b < bins; b += items) counts[part * bins + b] = shared[b];
#endif
}
#endif

/* Adds the counts of a pass to the result; the first pass begins it. */
__kernel void netcl_histogram_sum(const __global uint* counts, long parts, long bins, int first,
                                  __global long* out, const Layout out_layout) {
  const long bin = get_global_id(0);
  if (bin >= bins) return;
  const long at = netcl_at(&out_layout, bin);
  long sum = first ? 0 : out[at];
  for (long part = 0; part < parts; ++part) sum += counts[part * bins + bin];
  out[at] = sum;
}
