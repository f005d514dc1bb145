/* primitive: an elementwise op of one's own with its gradients, and a curve fitted with them. */
#include <math.h>
#include <netcl.h>
#include <stdio.h>
#include <stdlib.h>

#define POINTS 64
#define STEPS 400

static void check(netcl_status status) {
  if (status == NETCL_OK) return;
  fprintf(stderr, "%s: %s\n", netcl_status_name(status), netcl_last_error_message());
  exit(1);
}

static netcl_tensor *tensor(netcl_device *device, uint32_t rank, const float *values) {
  const int64_t shape[1] = {POINTS};
  netcl_tensor *made;
  const size_t size = sizeof *values * (rank == 0 ? 1 : POINTS);
  check(netcl_tensor_create_from_host(device, NETCL_F32, rank, rank == 0 ? NULL : shape, NULL,
                                      values, size, NULL, &made));
  return made;
}

int main(void) {
  /* The originals' example: a product, with the formulas of its gradients. */
  const char *const backward[2] = {"MUL(grad, v1)", "MUL(grad, v0)"};
  const char *const attributes[1] = {"rate"};
  const double rate[1] = {0.5};
  const float truth[2] = {2.5f, 1.25f}, start[2] = {1, 0.5f};
  netcl_primitive_options my_op = NETCL_PRIMITIVE_OPTIONS_INIT;
  netcl_primitive_options decay = NETCL_PRIMITIVE_OPTIONS_INIT;
  netcl_primitive_options step = NETCL_PRIMITIVE_OPTIONS_INIT;
  netcl_device *device;
  netcl_tensor *inputs[3], *target, *curve, *error, *gradient, *pair[2];
  float x[POINTS], y[POINTS], found[2], product;
  int i, k;

  check(netcl_device_open("auto", NULL, &device));
  my_op.arity = 2;
  my_op.forward = "MUL(v0, v1)";
  my_op.backward = backward;
  my_op.backward_count = 2;
  check(netcl_primitive_register("my_op", &my_op));
  inputs[0] = tensor(device, 0, &truth[0]);
  inputs[1] = tensor(device, 0, &truth[1]);
  check(netcl_op_primitive_gradient("my_op", inputs, 2, 0, inputs[0], NULL, NULL, NULL,
                                    &gradient));
  check(netcl_tensor_read(gradient, &product, sizeof product, NULL, NETCL_WAIT_FOREVER));
  printf("gradient of my_op: %g\n", product);
  for (k = 0; k < 2; ++k) netcl_tensor_release(inputs[k]);
  netcl_tensor_release(gradient);

  /* A curve whose gradients netcl finds itself, and a step downhill with a rate that calls may set.
   * Amplitude and decay are single numbers, so their gradients are summed over the points. */
  decay.arity = 3;
  decay.forward = "v0 * exp(-v1 * v2)";
  check(netcl_primitive_register("decay", &decay));
  step.arity = 2;
  step.forward = "v0 - rate * v1";
  step.attributes = attributes;
  step.defaults = rate;
  step.attributes_count = step.defaults_count = 1;
  check(netcl_primitive_register("step", &step));
  for (i = 0; i < POINTS; ++i) {
    x[i] = (float)i / 16;
    y[i] = truth[0] * expf(-truth[1] * x[i]);
  }
  for (k = 0; k < 2; ++k) inputs[k] = tensor(device, 0, &start[k]);
  inputs[2] = tensor(device, 1, x);
  target = tensor(device, 1, y);
  for (i = 0; i < STEPS; ++i) {
    netcl_tensor *next[2];
    check(netcl_op_primitive("decay", inputs, 3, NULL, NULL, &curve));
    pair[0] = curve;
    pair[1] = target;
    /* The gradient of the mean of squared differences. */
    check(netcl_op_expression_text("(v0 - v1) * 2 / 64", pair, 2, NULL, NULL, &error));
    for (k = 0; k < 2; ++k) {
      check(netcl_op_primitive_gradient("decay", inputs, 3, (uint32_t)k, error, curve, NULL, NULL,
                                        &gradient));
      pair[0] = inputs[k];
      pair[1] = gradient;
      check(netcl_op_primitive("step", pair, 2, NULL, NULL, &next[k]));
      netcl_tensor_release(gradient);
    }
    for (k = 0; k < 2; ++k) {
      netcl_tensor_release(inputs[k]);
      inputs[k] = next[k];
    }
    netcl_tensor_release(error);
    netcl_tensor_release(curve);
  }
  for (k = 0; k < 2; ++k) {
    check(netcl_tensor_read(inputs[k], &found[k], sizeof *found, NULL, NETCL_WAIT_FOREVER));
  }
  printf("%d points of %g exp(-%g x), fitted in %d steps: %.4f exp(-%.4f x)\n", POINTS, truth[0],
         truth[1], STEPS, found[0], found[1]);

  for (k = 0; k < 3; ++k) netcl_tensor_release(inputs[k]);
  netcl_tensor_release(target);
  netcl_device_release(device);
  return fabsf(found[0] - truth[0]) < 0.01f && fabsf(found[1] - truth[1]) < 0.01f ? 0 : 1;
}
