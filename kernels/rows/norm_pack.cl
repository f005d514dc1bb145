/* Copies a parameter, spread over the axes it broadcasts to, to memory that kernels read in order.
 * X is its dtype. */
#include "prelude.cl"

__kernel void netcl_norm_pack(const __global STORAGE(X) *x, const Layout layout,
                              __global STORAGE(X) *y, const long n) {
  const long i = (long)get_global_id(0);
  if (i < n) y[i] = x[netcl_at(&layout, i)];
}
