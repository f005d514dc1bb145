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

/* The bins of a range. Its length may be beyond the largest number and the width of a bin below the
 * least one, so edges are computed from ends that are divided by 2 or multiplied, which rounds
 * nothing. */
typedef struct Bins {
  WIDE low, high, scale, scaled_low, width, value_scale, edge_scale;
  long last;
} Bins;

inline Bins bins_of(WIDE low, WIDE high, long count) {
  const int wide = sizeof(WIDE) == 8;
  const WIDE span = high - low;
  Bins bins;
  bins.low = low;
  bins.high = high;
  bins.last = count - 1;
  bins.scale = 1;
  if (span < ldexp((WIDE)1, wide ? -900 : -40)) bins.scale = ldexp((WIDE)1, wide ? 600 : 100);
  if (span - span != 0) bins.scale = (WIDE)0.5f;
  /* Values are multiplied for a comparison, or edges are: what is not small stays as it is. */
  bins.value_scale = bins.scale > 1 ? bins.scale : 1;
  bins.edge_scale = bins.scale < 1 ? 2 : 1;
  bins.scaled_low = low * bins.scale;
  bins.width = (high * bins.scale - bins.scaled_low) / (WIDE)count;
  return bins;
}

inline WIDE edge_of(const Bins* bins, long bin) {
  return (bins->scaled_low + (WIDE)bin * bins->width) * bins->edge_scale;
}

/* The last bin whose lower edge is not above the value; -1 for a value outside. The edges
 * themselves decide, not a quotient near them. */
inline long bin_of(WIDE v, const Bins* bins) {
  if (!(v >= bins->low && v <= bins->high)) return -1;
  if (v == bins->high) return bins->last;
  const WIDE at = (v * bins->scale - bins->scaled_low) / bins->width;
  long bin = at < (WIDE)bins->last ? (long)at : bins->last;
  long first = 0, last = bins->last;
  /* The quotient is off by one bin at most, but where edges are closer than numbers can be. */
  for (int begun = 0; first < last; begun = 1) {
    const int below = v * bins->value_scale < edge_of(bins, bin);
    if (below) last = bin - 1;
    if (!below) first = bin;
    bin = begun ? first + (last - first + 1) / 2 : below ? bin - 1 : bin + 1;
  }
  return first;
}

#if SHARED
__kernel void netcl_histogram_count(Source x, const Layout layout, long first, long count,
                                    long bins, WIDE low, WIDE high, const __global WIDE* extremes,
                                    int found, long part_size, __global uint* counts) {
  if (found) {
    low = extremes[0];
    high = extremes[1];
  }
  const Bins range = bins_of(low, high, bins);
  const long part = get_group_id(0);
  const uint item = get_local_id(0), items = get_local_size(0);
  const long begin = first + part * part_size, end = min(count, begin + part_size);
#if SHARED > 1
  __local uint shared[SHARED];
  for (uint b = item; b < bins; b += items) shared[b] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  for (long i = begin + item; i < end; i += items) {
    const long bin = bin_of((WIDE)LOAD(X, x, netcl_at(&layout, i)), &range);
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
