/* The second stage of a reduction: joins the states of the pieces of each output. ITEMS items, a
 * power of two, do an output. */
#include "reduce_fold.cl"

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void netcl_reduction_join(
    const __global ACC* values, const __global ACC* extras, const __global long* places,
    long pieces, long count, long outputs, const __global ACC* shift, __global STORAGE(OUT)* out,
    const Layout out_layout) {
  const uint item = get_local_id(0);
  const long output = get_group_id(0);
  State s = state_start();
  for (long p = item; p < pieces; p += ITEMS) {
    s = state_join(s, state_kept(p * outputs + output, values, extras, places));
  }
#if ITEMS > 1
  __local State states[ITEMS];
  states[item] = s;
  for (uint step = ITEMS / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < step) {
      s = state_join(s, states[item + step]);
      states[item] = s;
    }
  }
#endif
  if (item == 0) state_write(s, output, count, shift, out, &out_layout);
}
