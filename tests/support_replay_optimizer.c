/* Steps of optimisers for test_replay_options. They write to what they are given, so each call gets
 * copies: of the tensors of lists, and for s->row 0.5, for s->line 2 as tensors of one element; for
 * s->places a step of 3, for others one of 0. The result is the parameter. */
#include "support_replay_options.h"

typedef struct Own {
  netcl_tensor *parameter, *gradient, *states[2], *lists[2], *master, *step, *factor, *scale,
      *found;
  netcl_mixed_precision precision;
} Own;

static netcl_tensor* number_for(const Set* s, netcl_tensor* given) {
  const float number = given == s->row ? 0.5f : 2.0f;
  netcl_device* device = NULL;
  if (given == NULL) return NULL;
  OK(netcl_tensor_get_device(s->square, &device));
  netcl_tensor* made = make_tensor(device, NETCL_F32, 0, NULL, &number);
  netcl_device_release(device);
  return made;
}
static netcl_tensor* step_for(const Set* s, netcl_tensor* given) {
  const int64_t steps = given == s->places ? 3 : 0;
  netcl_device* device = NULL;
  OK(netcl_tensor_get_device(s->square, &device));
  netcl_tensor* made = make_tensor(device, NETCL_I64, 0, NULL, &steps);
  netcl_device_release(device);
  return made;
}
/* Squares, so that they can be averages of squares. */
static netcl_tensor* copy_of(netcl_tensor* given) {
  netcl_tensor* made = NULL;
  OK(netcl_op_expression_text("v0 * v0", &given, 1, NULL, NULL, &made));
  return made;
}

static Own own_of(const Set* s, const netcl_mixed_precision* precision, netcl_tensor* factor,
                  netcl_tensor* const* first, netcl_tensor* const* second) {
  Own own;
  memset(&own, 0, sizeof own);
  OK(netcl_op_cast(s->square,
                   precision != NULL && precision->masters != NULL ? NETCL_F16 : NETCL_F32, NULL,
                   &own.parameter));
  OK(netcl_op_copy(s->other, NULL, &own.gradient));
  own.states[0] = copy_of(s->other);
  own.states[1] = copy_of(s->square);
  if (first != NULL) own.lists[0] = copy_of(*first);
  if (second != NULL) own.lists[1] = copy_of(*second);
  own.factor = number_for(s, factor);
  if (precision == NULL) return own;
  own.precision = *precision;
  own.precision.scale = own.scale = number_for(s, precision->scale);
  own.precision.found_inf = own.found = number_for(s, precision->found_inf);
  if (precision->masters != NULL) own.master = copy_of(*precision->masters);
  return own;
}
static const netcl_mixed_precision* precision_of(Own* own) {
  if (own->precision.struct_size == 0) return NULL;
  if (own->master != NULL) own->precision.masters = &own->master;
  return &own->precision;
}
static netcl_status finish(netcl_status status, Own* own, netcl_tensor** result) {
  netcl_tensor* const all[] = {own->gradient, own->states[0], own->states[1], own->lists[0],
                               own->lists[1], own->master,    own->step,      own->factor,
                               own->scale,    own->found};
  for (size_t i = 0; i < COUNT_OF(all); ++i) netcl_tensor_release(all[i]);
  if (status == NETCL_OK) {
    *result = own->parameter;
  } else {
    netcl_tensor_release(own->parameter);
  }
  return status;
}

netcl_status with_sgd(const Set* s, const netcl_sgd_options* options, netcl_tensor** result) {
  netcl_sgd_options o = *options;
  Own own = own_of(s, o.precision, o.factor, o.momentum_buffers, NULL);
  if (o.momentum_buffers != NULL) o.momentum_buffers = &own.lists[0];
  if (o.step != NULL) o.step = own.step = step_for(s, o.step);
  o.factor = own.factor;
  o.precision = precision_of(&own);
  return finish(netcl_op_sgd(&own.parameter, 1, &own.gradient, 1, 0.5, &o, NULL), &own, result);
}
netcl_status with_precision(const Set* s, const netcl_mixed_precision* precision,
                            netcl_tensor** result) {
  netcl_sgd_options options = NETCL_SGD_OPTIONS_INIT;
  options.precision = precision;
  return with_sgd(s, &options, result);
}
netcl_status with_adam(const Set* s, const netcl_adam_options* options, netcl_tensor** result) {
  netcl_adam_options o = *options;
  Own own = own_of(s, o.precision, o.factor, o.max_square_averages, NULL);
  if (o.max_square_averages != NULL) o.max_square_averages = &own.lists[0];
  own.step = step_for(s, s->places);
  o.factor = own.factor;
  o.precision = precision_of(&own);
  return finish(netcl_op_adam(&own.parameter, 1, &own.gradient, 1, &own.states[0], 1,
                              &own.states[1], 1, own.step, 0.5, &o, NULL),
                &own, result);
}
netcl_status with_rmsprop(const Set* s, const netcl_rmsprop_options* options,
                          netcl_tensor** result) {
  netcl_rmsprop_options o = *options;
  Own own = own_of(s, o.precision, o.factor, o.momentum_buffers, o.averages);
  if (o.momentum_buffers != NULL) o.momentum_buffers = &own.lists[0];
  if (o.averages != NULL) o.averages = &own.lists[1];
  o.factor = own.factor;
  o.precision = precision_of(&own);
  return finish(
      netcl_op_rmsprop(&own.parameter, 1, &own.gradient, 1, &own.states[1], 1, 0.5, &o, NULL), &own,
      result);
}
netcl_status with_adagrad(const Set* s, const netcl_adagrad_options* options,
                          netcl_tensor** result) {
  netcl_adagrad_options o = *options;
  Own own = own_of(s, o.precision, o.factor, NULL, NULL);
  if (o.step != NULL) o.step = own.step = step_for(s, o.step);
  o.factor = own.factor;
  o.precision = precision_of(&own);
  return finish(
      netcl_op_adagrad(&own.parameter, 1, &own.gradient, 1, &own.states[1], 1, 0.5, &o, NULL), &own,
      result);
}
/* Found or not, at the last step before the scale grows where that is every fourth one. */
netcl_status with_loss_scale(const Set* s, const netcl_loss_scale_options* options, int finds,
                             netcl_tensor** result) {
  const float zero = 0;
  netcl_tensor *scale = number_for(s, s->row), *found = number_for(s, s->line);
  netcl_tensor* tracker = step_for(s, s->places);
  if (!finds) OK(netcl_op_fill(found, &zero, NULL));
  const netcl_status status = netcl_op_update_loss_scale(scale, tracker, found, options, NULL);
  netcl_tensor_release(found);
  netcl_tensor_release(tracker);
  *result = scale;
  return status;
}
