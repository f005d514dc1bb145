/* Primitives whose result and gradients are kernels of the caller. */
#include <math.h>

#include "support.h"
#include "support_kernel.h"

/* y = factor * x^power + s[0], whose gradients have a factor of their own to be told by. */
static const char *const kSource =
    "__kernel void forward(__global const float *x, __global const float *s, __global float *y,"
    "    float factor, int power) {"
    "  const size_t i = get_global_id(0);"
    "  float v = factor;"
    "  for (int k = 0; k < power; ++k) v *= x[i];"
    "  y[i] = v + s[0];"
    "}"
    "__kernel void to_x(__global const float *x, __global const float *s, __global const float *g,"
    "    __global const float *out, __global float *dx, float factor, int power) {"
    "  const size_t i = get_global_id(0);"
    "  dx[i] = 3 * g[i] * power * (out[i] - s[0]) / x[i];"
    "}"
    "__kernel void to_s(__global const float *x, __global const float *s, __global const float *g,"
    "    __global const float *out, __global float *ds, float factor, int power) {"
    "  float sum = 0;"
    "  for (int i = 0; i < COUNT; ++i) sum += g[i];"
    "  ds[0] = 5 * sum;"
    "}";

enum { COUNT = 37 };
static const char *const kNames[] = {"factor", "power"};
static const double kDefaults[] = {2, 3};

typedef struct Power {
  netcl_kernel *kernels[3];
  netcl_primitive_kernels launch;
  netcl_primitive_options options;
} Power;

static Power make_power(Fixture *fixture) {
  Power power = {{NULL}, NETCL_PRIMITIVE_KERNELS_INIT, NETCL_PRIMITIVE_OPTIONS_INIT};
  static const char *const kKernels[] = {"forward", "to_x", "to_s"};
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  options.source = kSource;
  static const char *const kFlags[] = {"-DCOUNT=37"};
  options.flags = kFlags;
  options.flags_count = 1;
  for (int i = 0; i < 3; ++i) {
    OK(netcl_kernel_create(fixture->device, kKernels[i], &options, &power.kernels[i]));
  }
  power.launch.forward = power.kernels[0];
  power.options.arity = 2;
  power.options.attributes = kNames;
  power.options.attributes_count = 2;
  power.options.defaults = kDefaults;
  power.options.defaults_count = 2;
  return power;
}

/* Registers it with its gradients, and gives the kernels back: the primitive keeps them. */
static void add_power(Fixture *fixture) {
  Power power = make_power(fixture);
  power.launch.backward = &power.kernels[1];
  power.launch.backward_count = 2;
  OK(netcl_primitive_register_kernels("power", &power.launch, &power.options));
  for (int i = 0; i < 3; ++i) netcl_kernel_release(power.kernels[i]);
}

/* Random values, on one of four layouts: packed, every second element, reversed, or from the
 * second element of a memory on. */
static netcl_tensor *operand(Fixture *fixture, int layout, double *values) {
  float data[2 * COUNT + 1];
  const int64_t wide = 2 * COUNT + 1;
  for (int i = 0; i < wide; ++i) data[i] = (float)random_real(0.5, 2);
  netcl_tensor *whole = make_tensor(fixture->device, NETCL_F32, 1, &wide, data), *part = NULL;
  static const netcl_range kRanges[] = {
      {0, COUNT, 1}, {0, COUNT, 2}, {COUNT - 1, COUNT, -1}, {1, COUNT, 1}};
  OK(netcl_tensor_slice(whole, &kRanges[layout], 1, &part));
  netcl_tensor_release(whole);
  for (int i = 0; i < COUNT; ++i) {
    const int at = layout == 0 ? i : layout == 1 ? 2 * i : layout == 2 ? COUNT - 1 - i : i + 1;
    values[i] = data[at];
  }
  return part;
}

#define NEAR(tensor, count, wanted) \
  check_and_release(&(tensor), (count), (wanted), 1e-4, __LINE__)

static netcl_tensor *one_value(Fixture *fixture, double *value) {
  const int64_t one = 1;
  const float data = (float)(*value = (float)random_real(-1, 1));
  return make_tensor(fixture->device, NETCL_F32, 1, &one, &data);
}

static void results_and_gradients(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  add_power(fixture);
  for (int round = 0; round < 8; ++round) {
    double a[COUNT], g[COUNT], s, out[COUNT], dx[COUNT], ds = 0;
    netcl_tensor *inputs[2] = {operand(fixture, round % 4, a), one_value(fixture, &s)};
    netcl_tensor *grad = operand(fixture, (round + 1) % 4, g), *made = NULL;
    const double values[2] = {random_real(0.5, 2), (double)random_in(1, 4)};
    netcl_primitive_call_options call = NETCL_PRIMITIVE_CALL_OPTIONS_INIT;
    call.attributes = kNames;
    call.values = values;
    call.attributes_count = call.values_count = 2;
    const int given = round % 2;
    const double factor = given ? (float)values[0] : 2, power = given ? values[1] : 3;
    for (int i = 0; i < COUNT; ++i) {
      out[i] = factor * pow(a[i], power) + s;
      dx[i] = 3 * g[i] * power * factor * pow(a[i], power - 1);
      ds += 5 * g[i];
    }
    OK(netcl_op_primitive("power", inputs, 2, given ? &call : NULL, NULL, &made));
    NEAR(made, COUNT, out);
    OK(netcl_op_primitive_gradient("power", inputs, 2, 0, grad, NULL, given ? &call : NULL, NULL,
                                   &made));
    NEAR(made, COUNT, dx);
    /* The same by a tape: the seed is the gradient of the result. */
    netcl_tensor *grads[2] = {NULL, NULL};
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
    options.seeds = &grad;
    options.seeds_count = 1;
    OK(netcl_graph_create(fixture->device, NULL, &run.graph));
    OK(netcl_op_primitive("power", inputs, 2, given ? &call : NULL, &run, &made));
    OK(netcl_graph_add_gradients(run.graph, &made, 1, inputs, 2, &options, grads));
    NEAR(grads[0], COUNT, dx);
    NEAR(grads[1], 1, &ds);
    NEAR(made, COUNT, out);
    netcl_graph_release(run.graph);
    netcl_tensor_release(grad);
    for (int i = 0; i < 2; ++i) netcl_tensor_release(inputs[i]);
  }
  OK(netcl_primitive_unregister("power"));
}

/* In a capture they are commands of their own between those around them. */
static void in_captures(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  add_power(fixture);
  double a[COUNT], s, wanted[COUNT];
  netcl_tensor *inputs[2] = {operand(fixture, 0, a), one_value(fixture, &s)};
  netcl_tensor *twice[2] = {NULL, inputs[1]}, *made = NULL, *loss = NULL, *grad = NULL;
  netcl_graph_options capture = NETCL_GRAPH_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  capture.execute = NETCL_OFF;
  OK(netcl_graph_create(fixture->device, &capture, &run.graph));
  OK(netcl_op_expression_text("2 * v0", inputs, 1, NULL, &run, &twice[0]));
  OK(netcl_op_primitive("power", twice, 2, NULL, &run, &made));
  OK(netcl_op_reduce(made, NETCL_REDUCTION_SUM, NULL, &run, &loss));
  OK(netcl_graph_add_gradients(run.graph, &loss, 1, inputs, 1, NULL, &grad));
  OK(netcl_graph_compile(run.graph, inputs, 2, &grad, 1, NULL));
  netcl_tensor_release(inputs[0]);
  netcl_tensor_release(grad);
  netcl_tensor *unused[] = {made, loss, twice[0]};
  for (size_t i = 0; i < COUNT_OF(unused); ++i) netcl_tensor_release(unused[i]);
  for (int round = 0; round < 2; ++round) {
    inputs[0] = operand(fixture, round * 3, a);
    grad = poisoned_tensor(fixture->device, NETCL_F32, COUNT);
    OK(netcl_graph_run(run.graph, inputs, 2, &grad, 1, NULL));
    for (int i = 0; i < COUNT; ++i) wanted[i] = 2 * 3 * 3 * 2 * 4 * a[i] * a[i];
    NEAR(grad, COUNT, wanted);
    netcl_tensor_release(inputs[0]);
  }
  netcl_tensor_release(inputs[1]);
  netcl_graph_release(run.graph);
  OK(netcl_primitive_unregister("power"));
}

/* The work sizes that were registered are those of the launch. */
static void launch_shapes(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_kernel *kernel = source_kernel(
      fixture->device, "sizes",
      "__kernel void sizes(__global const int *x, __global int *y) {"
      "  if (get_global_id(0) + get_global_id(1) == 0) {"
      "    y[0] = get_global_size(0); y[1] = get_global_size(1); y[2] = get_local_size(0);"
      "    y[3] = get_local_size(1); y[4] = get_work_dim();"
      "  }"
      "}");
  netcl_primitive_kernels kernels = NETCL_PRIMITIVE_KERNELS_INIT;
  netcl_primitive_options options = NETCL_PRIMITIVE_OPTIONS_INIT;
  netcl_tensor *x = counting_tensor(fixture->device, NETCL_I32, 5, 0), *made = NULL;
  options.arity = 1;
  kernels.forward = kernel;
  for (int with_local = 0; with_local < 2; ++with_local) {
    kernels.rank = 2;
    kernels.global[0] = 6, kernels.global[1] = 4;
    if (with_local) kernels.local[0] = 3, kernels.local[1] = 2;
    OK(netcl_primitive_register_kernels("sizes", &kernels, &options));
    OK(netcl_op_primitive("sizes", &x, 1, NULL, NULL, &made));
    int32_t *data = read_tensor(made);
    assert_int_equal(data[0], 6);
    assert_int_equal(data[1], 4);
    assert_int_equal(data[4], 2);
    if (with_local) assert_int_equal(data[2], 3), assert_int_equal(data[3], 2);
    free(data);
    netcl_tensor_release(made), made = NULL;
    OK(netcl_primitive_unregister("sizes"));
  }
  /* One dimension with as many items as elements where nothing is said. */
  memset(kernels.global, 0, sizeof kernels.global);
  memset(kernels.local, 0, sizeof kernels.local);
  kernels.rank = 0;
  OK(netcl_primitive_register_kernels("sizes", &kernels, &options));
  OK(netcl_op_primitive("sizes", &x, 1, NULL, NULL, &made));
  int32_t *data = read_tensor(made);
  assert_int_equal(data[0], 5);
  assert_int_equal(data[4], 1);
  free(data);
  netcl_tensor_release(made), made = NULL;
  /* An empty tensor launches nothing. */
  const int64_t none = 0;
  netcl_tensor *empty = make_tensor(fixture->device, NETCL_I32, 1, &none, NULL);
  OK(netcl_op_primitive("sizes", &empty, 1, NULL, NULL, &made));
  assert_int_equal(tensor_info(made).element_count, 0);
  netcl_tensor *all[] = {made, empty, x};
  for (size_t i = 0; i < COUNT_OF(all); ++i) netcl_tensor_release(all[i]);
  OK(netcl_primitive_unregister("sizes"));
  netcl_kernel_release(kernel);
}

static void refusals(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  Power power = make_power(fixture);
  const char *const name = "power";
  netcl_primitive_kernels kernels = power.launch;
#define REFUSED(text) \
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, (text), \
             netcl_primitive_register_kernels(name, &kernels, &power.options))
  kernels.backward = power.kernels;
  kernels.backward_count = 1;
  REFUSED("kernels->backward_count is 1; it is 2");
  kernels = power.launch;
  kernels.rank = 4;
  REFUSED("kernels->rank is 4");
  kernels.rank = 1;
  REFUSED("kernels->global[0] 0");
  kernels.rank = 0;
  kernels.local[1] = 2;
  REFUSED("kernels->local[1] 2");
  kernels = power.launch;
  power.options.arity = 0;
  REFUSED("options->arity is 0");
  power.options.arity = 2;
  kernels.forward = NULL;
  FAILS_WITH(NETCL_ERROR_INVALID_HANDLE, "kernels->forward",
             netcl_primitive_register_kernels(name, &kernels, &power.options));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "kernels is NULL",
             netcl_primitive_register_kernels(name, NULL, &power.options));

  /* Without kernels for gradients there are none; numbers and shapes that do not fit are named. */
  double a[COUNT], s;
  netcl_tensor *inputs[2] = {operand(fixture, 0, a), one_value(fixture, &s)}, *made = NULL;
  netcl_tensor *loss = NULL, *grad = NULL;
  OK(netcl_primitive_register_kernels(name, &power.launch, &power.options));
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  OK(netcl_graph_create(fixture->device, NULL, &run.graph));
  OK(netcl_op_primitive(name, inputs, 2, NULL, &run, &made));
  OK(netcl_op_reduce(made, NETCL_REDUCTION_SUM, NULL, &run, &loss));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "kernel forward (call 0) has no derivative",
             netcl_graph_add_gradients(run.graph, &loss, 1, inputs, 1, NULL, &grad));
  netcl_graph_release(run.graph);
  netcl_tensor_release(made), made = NULL;
  const double half[] = {1, 2.5};
  netcl_primitive_call_options call = NETCL_PRIMITIVE_CALL_OPTIONS_INIT;
  call.attributes = kNames;
  call.values = half;
  call.attributes_count = call.values_count = 2;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "attribute 1 is 2.5",
             netcl_op_primitive(name, inputs, 2, &call, NULL, &made));
  netcl_tensor *wrong[2] = {inputs[0], counting_tensor(fixture->device, NETCL_I32, 1, 0)};
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "args[1].tensor is i32",
             netcl_op_primitive(name, wrong, 2, NULL, NULL, &made));
  assert_null(made);
  OK(netcl_primitive_unregister(name));
  netcl_tensor *all[] = {inputs[0], inputs[1], wrong[1], loss};
  for (size_t i = 0; i < COUNT_OF(all); ++i) netcl_tensor_release(all[i]);
  for (int i = 0; i < 3; ++i) netcl_kernel_release(power.kernels[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(results_and_gradients),
      DEVICE_TEST(in_captures),
      DEVICE_TEST(launch_shapes),
      DEVICE_TEST(refusals),
  };
  seed_random("primitive_kernels");
  return cmocka_run_group_tests_name("primitive_kernels", tests, NULL, NULL);
}
