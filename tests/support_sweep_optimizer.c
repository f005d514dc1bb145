/* Cases of sweeps that change tensors in place. */
#include "support_sweep_cases.h"

netcl_tensor *const *list_of_one(void *handle) {
  static netcl_tensor *tensor;
  tensor = handle;
  return &tensor;
}

/* The first element of a tensor. */
static netcl_status first_element(void *tensor, int64_t from, netcl_tensor **element) {
  const netcl_range range = {from, 1, 1};
  return netcl_tensor_slice(tensor, &range, 1, element);
}

/* h: a parameter, its gradient, two states, and i64[2]. */
netcl_status sweep_optimizer(int rule, void *const *h) {
  netcl_tensor *p = h[0], *g = h[1], *first = h[2], *second = h[3], *step = NULL;
  netcl_sgd_options options = NETCL_SGD_OPTIONS_INIT;
  options.momentum = 0.5;
  options.momentum_buffers = &first;
  options.momentum_buffers_count = 1;
  netcl_status status = first_element(h[4], 0, &step);
  if (status != NETCL_OK) return status;
  switch (rule) {
    case 0:
      status = netcl_op_sgd(&p, 1, &g, 1, 0.5, &options, NULL);
      break;
    case 1:
      status = netcl_op_adam(&p, 1, &g, 1, &first, 1, &second, 1, step, 0.5, NULL, NULL);
      break;
    case 2:
      status = netcl_op_rmsprop(&p, 1, &g, 1, &first, 1, 0.5, NULL, NULL);
      break;
    default:
      status = netcl_op_adagrad(&p, 1, &g, 1, &first, 1, 0.5, NULL, NULL);
  }
  netcl_tensor_release(step);
  return status;
}

/* h: f32[4] to be looked at, f32[2]. */
netcl_status sweep_unscale(void *const *h) {
  netcl_tensor *tensor = h[0], *found = NULL;
  netcl_status status = first_element(h[1], 0, &found);
  if (status == NETCL_OK) status = netcl_op_unscale(&tensor, 1, NULL, found, NULL);
  netcl_tensor_release(found);
  return status;
}

/* h: f32[4], i64[2]. */
netcl_status sweep_loss_scale(void *const *h) {
  netcl_tensor *scale = NULL, *found = NULL, *tracker = NULL;
  netcl_status status = first_element(h[0], 0, &scale);
  if (status == NETCL_OK) status = first_element(h[0], 1, &found);
  if (status == NETCL_OK) status = first_element(h[1], 0, &tracker);
  if (status == NETCL_OK) status = netcl_op_update_loss_scale(scale, tracker, found, NULL, NULL);
  netcl_tensor_release(scale);
  netcl_tensor_release(found);
  netcl_tensor_release(tracker);
  return status;
}
