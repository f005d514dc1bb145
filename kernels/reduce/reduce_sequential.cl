/* One item per output adds its elements one after the other. */
#include "reduce_fold.cl"

__kernel void netcl_reduction_sequential(Source x, const Layout kept, const Layout reduced,
                                         long count, long outputs,
                                         const __global ACC* shift,
                                         __global STORAGE(OUT)* out, const Layout out_layout) {
  const long output = get_global_id(0);
  if (output >= outputs) return;
  const int inner = max(reduced.rank - 1, 0);
  const long run = reduced.shape[inner];
  const long base = netcl_at(&kept, output);
  State s = state_start();
  for (long i = 0; i < count; i += run) {
    const long at = inner > 0 ? netcl_at(&reduced, i) : 0;
    s = add_strided(s, x, base + at, reduced.strides[inner], run, i, SHIFT_OF(output));
  }
  state_write(s, output, count, shift, out, &out_layout);
}
