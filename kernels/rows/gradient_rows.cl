/* What gradients of ops over rows take beside norm_rows.cl: the gradient that comes in, of x's
 * dtype and shape, in rows of its own. */
#include "norm_rows.cl"

#if INNER == 3
#define GRADIENT_ARGUMENTS \
  ROW_ARGUMENTS, const __global STORAGE(X) *grad, const Layout grad_rows, const Layout grad_inner
#define GRAD_AT(i) (grad_base + netcl_at(&grad_inner, i))
#else
#define GRADIENT_ARGUMENTS \
  ROW_ARGUMENTS, const __global STORAGE(X) *grad, const Layout grad_rows, const long grad_step
#if INNER == 2
#define GRAD_AT(i) (grad_base + (i) * grad_step)
#else
#define GRAD_AT(i) (grad_base + (i))
#endif
#endif

#define FIND_GRAD const long grad_base = netcl_at(&grad_rows, row);
