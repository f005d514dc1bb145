/* What graphs refuse, launches, primitives, dtypes, threads and structs. */
#include <pthread.h>

#include "support_graph.h"

/* An input that was written since the outputs were made of it. */
static void written_since(void** state) {
  Fixture* fixture = *state;
  const float values[] = {1, 2};
  const netcl_run_options run = recorded(fixture);
  netcl_tensor *x = graph_vector(fixture, 2, values), *other = graph_vector(fixture, 2, values);
  netcl_tensor *first = sum_of(x, &run), *second = NULL, *made = NULL;
#define ASKED(text, output, input)                 \
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, (text), \
             netcl_graph_add_gradients(run.graph, &(output), 1, &(input), 1, NULL, &made))
  formula_into("v0 + 1", x, NULL, x, &run);
  ASKED(
      "no output depends on inputs[0], of shape [2], as expression (call 1) left it, but on what "
      "it held before",
      first, x);
  second = sum_of(x, &run);
  OK(netcl_tensor_write(x, values, sizeof values, NULL, NETCL_WAIT_FOREVER));
  ASKED("as a call that is not recorded (call 3) left it", second, x);
  ASKED("no output depends on inputs[0], of shape [2], by calls", second, other);
  assert_null(made);
  RELEASE(x, other, first, second);
  netcl_graph_release(run.graph);
}

/* What is refused at once leaves the graph as it was; what fails on the way leaves it empty. */
static void consumed(void** state) {
  Fixture* fixture = *state;
  const float values[] = {1, 2};
  netcl_run_options run = recorded(fixture);
  netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  netcl_tensor *x = graph_vector(fixture, 2, values), *other = graph_vector(fixture, 2, values);
  netcl_tensor *y = formula("v0 * v0", x, NULL, &run), *sum = sum_of(y, &run), *made = NULL;
  options.consume = 1;
#define CONSUMES(status, text, output, input, left)                                               \
  do {                                                                                            \
    FAILS_WITH((status), (text),                                                                  \
               netcl_graph_add_gradients(run.graph, &(output), 1, &(input), 1, &options, &made)); \
    assert_int_equal(call_count(run.graph), (left));                                              \
  } while (0)
  CONSUMES(NETCL_ERROR_INVALID_ARGUMENT, "outputs[0] has shape [2]", y, x, 2);
  CONSUMES(NETCL_ERROR_INVALID_ARGUMENT, "no output depends on inputs[0]", sum, other, 2);
  OK(netcl_tensor_write(x, values, sizeof values, NULL, NETCL_WAIT_FOREVER));
  CONSUMES(NETCL_ERROR_INVALID_ARGUMENT, "on what it held before", sum, x, 2);
  netcl_tensor* last = formula("v0 * v1", y, other, &run);
  netcl_tensor* total = sum_of(last, &run);
  OK(netcl_tensor_write(y, values, sizeof values, NULL, NETCL_WAIT_FOREVER));
  CONSUMES(NETCL_ERROR_INVALID_ARGUMENT, "has overwritten since", total, other, 0);
  assert_null(made);
  RELEASE(x, other, y, sum, last, total);
  netcl_graph_release(run.graph);
}

static void refusals(void** state) {
  Fixture* fixture = *state;
  const float values[] = {1, 2};
  netcl_run_options run = recorded(fixture);
  netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  netcl_tensor *x = graph_vector(fixture, 2, values), *y = formula("v0 * 2", x, NULL, &run);
  netcl_tensor *s = sum_of(y, &run), *other = graph_vector(fixture, 2, values);
  netcl_tensor *whole = NULL, *many = NULL, *made = (netcl_tensor*)(uintptr_t)0x55;
  netcl_graph* graph = run.graph;
  OK(netcl_op_cast(x, NETCL_I32, &run, &whole));
  OK(netcl_tensor_broadcast(x, 2, (int64_t[]){3, 2}, &many));
#define REFUSED(text, outputs, n, inputs, m)       \
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, (text), \
             netcl_graph_add_gradients(graph, (outputs), (n), (inputs), (m), &options, &made))
  REFUSED("outputs_count is 0", &s, 0, &x, 1);
  REFUSED("inputs_count is 0", &s, 1, &x, 0);
  REFUSED("outputs[0] has shape [2]", &y, 1, &x, 1);
  REFUSED("outputs[0] is i32", &whole, 1, &x, 1);
  REFUSED("inputs[0] is i32", &s, 1, &whole, 1);
  REFUSED("no output depends on inputs[0], of shape [2]", &s, 1, &other, 1);
  REFUSED("inputs[0] share memory", &s, 1, &many, 1);
  options.seeds = &x;
  options.seeds_count = 2;
  REFUSED("options->seeds_count is 2; it is 0 or outputs_count, 1", &y, 1, &x, 1);
  options.seeds_count = 1;
  REFUSED("options->seeds[0] has shape [2]; outputs[0] has []", &s, 1, &x, 1);
  options.seeds = &whole;
  REFUSED("options->seeds[0] is i32; outputs[0] is f32", &y, 1, &x, 1);
  options.seeds_count = 0;
  options.into = &s;
  options.into_count = 1;
  REFUSED("options->into[0] has shape []; inputs[0] has [2]", &s, 1, &x, 1);
  options.into = &many;
  REFUSED("options->into has strides", &s, 1, &x, 1);
  options.into_count = 0;
  options.accumulate = 1;
  REFUSED("options->accumulate is 1 while options->into_count is 0", &s, 1, &x, 1);
  options.accumulate = 2;
  REFUSED("options->accumulate is 2", &s, 1, &x, 1);
  options.accumulate = 0;
  options.consume = 3;
  REFUSED("options->consume is 3", &s, 1, &x, 1);
  options.consume = 0;
  assert_ptr_equal(made, (void*)(uintptr_t)0x55);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "gradients is NULL",
             netcl_graph_add_gradients(graph, &s, 1, &x, 1, NULL, NULL));
  /* An op without a derivative, through which the gradient would have to go. */
  netcl_tensor *scanned = NULL, *last = NULL;
  OK(netcl_op_scan(x, NETCL_REDUCTION_PROD, 0, NULL, &run, &scanned));
  last = sum_of(scanned, &run);
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "scan (call 3) has no derivative: of scans, sums have one",
             netcl_graph_add_gradients(graph, &last, 1, &x, 1, NULL, &made));
  /* The graph is as it was, and works. */
  made = gradient(&run, s, x);
  GIVES(made, 2, 2);
  RELEASE(made);
  RELEASE(x, y, s, other, whole, many, scanned, last);
  netcl_graph_release(graph);
}

/* A graph records calls of its device. One on another device is refused where it names the graph,
 * and where it does not, what it gives is a constant. */
static void other_devices(void** state) {
  Fixture* fixture = *state;
  const float values[] = {1, 2};
  const int64_t shape[] = {2};
  netcl_device* device = NULL;
  netcl_device_options options = NETCL_DEVICE_OPTIONS_INIT;
  netcl_run_options run = recorded(fixture);
  options.separate = 1;
  OK(netcl_device_open(test_selector(), &options, &device));
  netcl_tensor *x = graph_vector(fixture, 2, values), *s = sum_of(x, &run), *made = NULL;
  netcl_tensor *there = make_tensor(device, NETCL_F32, 1, shape, values), *tripled = NULL;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "run->graph records calls on device",
             netcl_op_cast(there, NETCL_I64, &run, &made));
  run.into = x;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "graph", netcl_op_copy(there, &run, NULL));
  run.into = NULL;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "inputs[0] lives on device",
             netcl_graph_add_gradients(run.graph, &s, 1, &there, 1, NULL, &made));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "outputs[0] lives on device",
             netcl_graph_add_gradients(run.graph, &there, 1, &x, 1, NULL, &made));
  assert_null(made);
  assert_int_equal(call_count(run.graph), 1);
  GIVES(x, 1, 2);
  OK(netcl_op_expression_text("v0 * 3", &there, 1, NULL, NULL, &tripled));
  netcl_tensor* constant = graph_vector(fixture, 2, values);
  netcl_run_options across = NETCL_RUN_OPTIONS_INIT;
  across.into = constant;
  OK(netcl_op_copy(tripled, &across, NULL));
  assert_int_equal(call_count(run.graph), 1);
  netcl_tensor *product = formula("v0 * v1", x, constant, &run), *loss = sum_of(product, &run);
  made = gradient(&run, loss, x);
  GIVES(made, 3, 6);
  RELEASE(x, s, there, tripled, constant, product, loss, made);
  netcl_graph_release(run.graph);
  netcl_device_release(device);
}

/* Launches of a caller's kernel are recorded: what they write is no constant, and they have no
 * derivative. */
static void launches(void** state) {
  Fixture* fixture = *state;
  if (!fixture->opencl) SKIP("custom kernels need an OpenCL device");
  const float values[] = {1, 2};
  const uint64_t global = 2;
  netcl_run_options run = recorded(fixture);
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_kernel* kernel = NULL;
  netcl_tensor *x = graph_vector(fixture, 2, values), *y = graph_vector(fixture, 2, values),
               *made = NULL;
  options.source =
      "__kernel void twice(__global const float *a, __global float *b) {"
      "  b[get_global_id(0)] = 2 * a[get_global_id(0)]; }";
  OK(netcl_kernel_create(fixture->device, "twice", &options, &kernel));
  const netcl_arg args[] = {{.kind = NETCL_ARG_TENSOR_READ_ONLY, .tensor = x},
                            {.kind = NETCL_ARG_TENSOR, .tensor = y}};
  OK(netcl_kernel_launch(kernel, &global, 1, NULL, 0, args, 2, NULL, &run));
  netcl_tensor* s = sum_of(y, &run);
  assert_int_equal(call_count(run.graph), 2);
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "kernel twice (call 0) has no derivative",
             netcl_graph_add_gradients(run.graph, &s, 1, &x, 1, NULL, &made));
  made = gradient(&run, s, y);
  GIVES(made, 1, 1);
  RELEASE(made, x, y, s);
  netcl_kernel_release(kernel);
  netcl_graph_release(run.graph);
}

/* Primitives: their own formulas, also where they are no derivatives. */
static void primitives(void** state) {
  Fixture* fixture = *state;
  const float values[] = {1, 2}, more[] = {3, 5};
  static const char* const kBackward[] = {"grad * out + 7", "grad * slope"};
  static const char* const kNames[] = {"slope"};
  const double half = 0.5;
  netcl_run_options run = recorded(fixture);
  netcl_primitive_options options = NETCL_PRIMITIVE_OPTIONS_INIT;
  netcl_primitive_call_options call = NETCL_PRIMITIVE_CALL_OPTIONS_INIT;
  options.arity = 2;
  options.forward = "v0 + slope * v1";
  options.backward = kBackward;
  options.backward_count = 2;
  options.attributes = kNames;
  options.attributes_count = 1;
  OK(netcl_primitive_register("odd_graph", &options));
  call.attributes = kNames;
  call.values = &half;
  call.attributes_count = call.values_count = 1;
  netcl_tensor* inputs[] = {graph_vector(fixture, 2, values), graph_vector(fixture, 2, more)};
  netcl_tensor *y = NULL, *gradients[2];
  OK(netcl_op_primitive("odd_graph", inputs, 2, &call, &run, &y));
  OK(netcl_primitive_unregister("odd_graph"));
  netcl_tensor* s = sum_of(y, &run);
  OK(netcl_graph_add_gradients(run.graph, &s, 1, inputs, 2, NULL, gradients));
  GIVES(gradients[0], 2.5 + 7, 4.5 + 7);
  GIVES(gradients[1], 0.5, 0.5);
  RELEASE(y, s, gradients[0], gradients[1], inputs[0], inputs[1]);
  netcl_graph_release(run.graph);
}

/* Lower precision, and empty tensors. */
static void dtypes(void** state) {
  Fixture* fixture = *state;
  static const netcl_dtype kFloats[] = {NETCL_F16, NETCL_BF16, NETCL_F32, NETCL_F64};
  for (size_t i = 0; i < COUNT_OF(kFloats); ++i) {
    if (kFloats[i] == NETCL_F64 && !fixture->capabilities.fp64) continue;
    netcl_run_options run = recorded(fixture);
    unsigned char data[64];
    const int64_t count = 3;
    for (int k = 0; k < 3; ++k) store_double(kFloats[i], data, k, k - 1);
    netcl_tensor* x = make_tensor(fixture->device, kFloats[i], 1, &count, data);
    netcl_tensor *y = formula("v0 * v0 + v0", x, NULL, &run), *wide = NULL;
    OK(netcl_op_cast(y, NETCL_F32, &run, &wide));
    netcl_tensor *s = sum_of(wide, &run), *dx = gradient(&run, s, x);
    assert_int_equal(tensor_info(dx).dtype, kFloats[i]);
    GIVES(dx, -1, 1, 3);
    RELEASE(x, y, wide, s, dx);
    OK(netcl_graph_clear(run.graph));
    const int64_t none[] = {0, 3};
    x = make_tensor(fixture->device, kFloats[i], 2, none, data);
    y = formula("v0 * v0", x, NULL, &run);
    s = sum_of(y, &run);
    dx = gradient(&run, s, x);
    assert_int_equal(tensor_info(dx).element_count, 0);
    assert_int_equal(tensor_info(dx).rank, 2);
    RELEASE(x, y, s, dx);
    netcl_graph_release(run.graph);
  }
}

/* What goes through tensors without elements has gradients of zeros. */
static void empty_batches(void** state) {
  Fixture* fixture = *state;
  const float values[] = {1, 2, 3, 4};
  const int64_t none[] = {0, 2}, shape[] = {2, 2};
  netcl_run_options run = recorded(fixture);
  netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 2, none, values), *y = NULL;
  netcl_tensor* w = make_tensor(fixture->device, NETCL_F32, 2, shape, values);
  OK(netcl_op_matmul(x, w, NULL, &run, &y));
  netcl_tensor *s = sum_of(y, &run), *dw = gradient(&run, s, w);
  GIVES(dw, 0, 0, 0, 0);
  RELEASE(x, w, y, s, dw);
  netcl_graph_release(run.graph);
}

/* Factors that have an exponent in the shortest text, and activations that are constant. */
static void numbers(void** state) {
  Fixture* fixture = *state;
  const int64_t count = 100000, side[] = {2, 2};
  const float values[] = {1, 2, 3, 4};
  netcl_run_options run = recorded(fixture);
  netcl_tensor *x = NULL, *mean = NULL, *product = NULL;
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, &count, NULL, NULL, &x));
  OK(netcl_op_reduce(x, NETCL_REDUCTION_MEAN, NULL, &run, &mean));
  netcl_tensor *dx = gradient(&run, mean, x), *total = sum_of(dx, &run);
  GIVES(total, 1);
  netcl_tensor* a = make_tensor(fixture->device, NETCL_F32, 2, side, values);
  epilogue.activation = NETCL_ACTIVATION_HARD_SIGMOID;
  epilogue.has_parameters = 1;
  epilogue.beta = 0.5;
  options.epilogue = &epilogue;
  OK(netcl_op_matmul(a, a, &options, &run, &product));
  netcl_tensor *s = sum_of(product, &run), *da = gradient(&run, s, a);
  GIVES(da, 0, 0, 0, 0);
  RELEASE(x, mean, dx, total, a, product, s, da);
  netcl_graph_release(run.graph);
}

/* Gradients may be written over their seeds, but not over each other. */
static void into_seeds(void** state) {
  Fixture* fixture = *state;
  const float values[] = {1, 2, 3, 4};
  netcl_run_options run = recorded(fixture);
  netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  netcl_tensor* inputs[] = {graph_vector(fixture, 2, values), graph_vector(fixture, 2, values)};
  netcl_tensor *seed = graph_vector(fixture, 4, values), *joined = NULL, *into[2];
  const netcl_range back = {2, 2, 1};
  OK(netcl_op_concat(inputs, 2, 0, &run, &joined));
  OK(netcl_tensor_slice(seed, &back, 1, &into[0]));
  into[1] = graph_vector(fixture, 2, values);
  options.seeds = &seed;
  options.seeds_count = 1;
  options.into = into;
  options.into_count = 2;
  OK(netcl_graph_add_gradients(run.graph, &joined, 1, inputs, 2, &options, NULL));
  GIVES(into[0], 1, 2);
  GIVES(into[1], 3, 4);
  options.into = (netcl_tensor*[]){into[0], into[0]};
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->into[1] shares memory with options->into[0]",
             netcl_graph_add_gradients(run.graph, &joined, 1, inputs, 2, &options, NULL));
  RELEASE(inputs[0], inputs[1], seed, joined, into[0], into[1]);
  netcl_graph_release(run.graph);
}

enum { THREADS = 4 };
static void* thread_records(void* given) {
  Fixture* fixture = given;
  for (int round = 0; round < 20; ++round) {
    const float values[] = {(float)round, 2};
    netcl_run_options run = recorded(fixture);
    netcl_tensor* x = graph_vector(fixture, 2, values);
    netcl_tensor *y = formula("v0 * v0", x, NULL, &run), *s = sum_of(y, &run);
    netcl_tensor* dx = gradient(&run, s, x);
    GIVES(dx, 2 * round, 4);
    RELEASE(x, y, s, dx);
    netcl_graph_release(run.graph);
  }
  return NULL;
}
static netcl_graph* shared_graph;
static void* thread_shares(void* given) {
  Fixture* fixture = given;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.graph = shared_graph;
  for (int round = 0; round < 20; ++round) {
    const float values[] = {(float)round, 2};
    netcl_tensor* x = graph_vector(fixture, 2, values);
    netcl_tensor *y = formula("v0 * v0", x, NULL, &run), *s = sum_of(y, &run);
    netcl_tensor* dx = gradient(&run, s, x);
    GIVES(dx, 2 * round, 4);
    RELEASE(x, y, s, dx);
  }
  return NULL;
}

static void threads(void** state) {
  Fixture* fixture = *state;
  pthread_t all[2 * THREADS];
  OK(netcl_graph_create(fixture->device, NULL, &shared_graph));
  for (int i = 0; i < 2 * THREADS; ++i) {
    assert_int_equal(pthread_create(&all[i], NULL, i % 2 ? thread_records : thread_shares, fixture),
                     0);
  }
  for (int i = 0; i < 2 * THREADS; ++i) pthread_join(all[i], NULL);
  netcl_graph_release(shared_graph);
}

static netcl_status options_call(Fixture* fixture, const void* options) {
  const float values[] = {1, 2};
  netcl_run_options run = recorded(fixture);
  netcl_tensor *x = graph_vector(fixture, 2, values), *s = sum_of(x, &run), *made = NULL;
  const netcl_status status = netcl_graph_add_gradients(run.graph, &s, 1, &x, 1, options, &made);
  CHECK((status == NETCL_OK) == (made != NULL), "output with %s", netcl_status_name(status));
  RELEASE(x, s, made);
  netcl_graph_release(run.graph);
  return status;
}
static netcl_status info_call(void* context, void* info) {
  return netcl_graph_get_info(context, info);
}

static netcl_status no_function(const netcl_graph_call* call, netcl_tensor** outputs,
                                void* user_data) {
  (void)call;
  (void)outputs;
  (void)user_data;
  return NETCL_OK;
}
static netcl_status function_options_call(Fixture* fixture, const void* options) {
  netcl_graph* made = NULL;
  const netcl_status status =
      netcl_graph_create_from_function(fixture->device, no_function, NULL, NULL, 1, options, &made);
  CHECK((status == NETCL_OK) == (made != NULL), "output with %s", netcl_status_name(status));
  netcl_graph_release(made);
  return status;
}

static void structs(void** state) {
  Fixture* fixture = *state;
  const netcl_graph_function_options function_options = NETCL_GRAPH_FUNCTION_OPTIONS_INIT;
  const size_t reserved = offsetof(netcl_graph_function_options, reserved);
  const netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  netcl_run_options run = recorded(fixture);
  check_options_rules(fixture, "netcl_gradients_options", options_call, &options,
                      SIZES(netcl_gradients_options), NULL, 0);
  check_options_rules(fixture, "netcl_graph_function_options", function_options_call,
                      &function_options, SIZES(netcl_graph_function_options), &reserved, 1);
  check_info_rules("netcl_graph_info", info_call, run.graph, sizeof(netcl_graph_info), 0, 0);
  netcl_graph_release(run.graph);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(refusals),      DEVICE_TEST(written_since), DEVICE_TEST(consumed),
      DEVICE_TEST(launches),      DEVICE_TEST(primitives),    DEVICE_TEST(dtypes),
      DEVICE_TEST(empty_batches), DEVICE_TEST(numbers),       DEVICE_TEST(into_seeds),
      DEVICE_TEST(threads),       DEVICE_TEST(structs),       DEVICE_TEST(other_devices),
  };
  seed_random("graph_rules");
  return cmocka_run_group_tests_name("graph_rules", tests, NULL, NULL);
}
