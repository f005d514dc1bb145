/* Primitives of functions whose calls are not kept for gradients, but made again; and functions
 * within functions. */
#include <math.h>
#include <stdatomic.h>

#include "support.h"

static netcl_status text(const char *formula, netcl_tensor *a, netcl_tensor *b,
                         const netcl_primitive_call *call, netcl_tensor **made) {
  netcl_tensor *inputs[] = {a, b};
  return netcl_op_expression_text(formula, inputs, b == NULL ? 1 : 2, NULL, call->run, made);
}

enum { COUNT = 7 };

static netcl_tensor *fresh(Fixture *fixture, double *values) {
  float data[COUNT];
  const int64_t count = COUNT;
  for (int i = 0; i < COUNT; ++i) values[i] = data[i] = (float)random_real(-2, 2);
  return make_tensor(fixture->device, NETCL_F32, 1, &count, data);
}

/* Four calls, whose values a tape keeps: out = softmax(sin(a) * b) + a. */
static netcl_status chain(const netcl_primitive_call *call, netcl_tensor **tensors,
                          void *user_data) {
  atomic_int *calls = user_data;
  netcl_tensor *wave = NULL, *product = NULL, *bend = NULL;
  ++*calls;
  netcl_status status = text("sin(v0)", call->inputs[0], NULL, call, &wave);
  if (status == NETCL_OK) status = text("v0 * v1", wave, call->inputs[1], call, &product);
  if (status == NETCL_OK) status = netcl_op_softmax(product, -1, call->run, &bend);
  if (status == NETCL_OK) status = text("v0 + v1", bend, call->inputs[0], call, &tensors[0]);
  netcl_tensor *all[] = {wave, product, bend};
  for (size_t i = 0; i < COUNT_OF(all); ++i) netcl_tensor_release(all[i]);
  return status;
}

/* Six such chains one after the other, the gradients of both inputs, and what that took. */
static void six_chains(Fixture *fixture, int checkpoint, int capture, netcl_tensor *const *given,
                       netcl_tensor **grads, netcl_graph_info *info) {
  atomic_int calls = 0;
  netcl_primitive_options options = NETCL_PRIMITIVE_OPTIONS_INIT;
  options.arity = 2;
  options.checkpoint = (uint32_t)checkpoint;
  OK(netcl_primitive_register_function("chain", chain, &calls, NULL, &options));
  netcl_graph_options how = NETCL_GRAPH_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  how.execute = capture ? NETCL_OFF : NETCL_ON;
  OK(netcl_graph_create(fixture->device, &how, &run.graph));
  netcl_tensor *inputs[2] = {given[0], given[1]}, *made = NULL, *loss = NULL, *found[2];
  for (int i = 0; i < 6; ++i) {
    OK(netcl_op_primitive("chain", inputs, 2, NULL, &run, &made));
    if (i > 0) netcl_tensor_release(inputs[0]);
    inputs[0] = made;
  }
  OK(netcl_op_reduce(made, NETCL_REDUCTION_SUM, NULL, &run, &loss));
  netcl_tensor_release(made);
  OK(netcl_graph_get_info(run.graph, info));
  OK(netcl_graph_add_gradients(run.graph, &loss, 1, given, 2, NULL, found));
  assert_int_equal(calls, checkpoint ? 12 : 6);
  if (capture) {
    OK(netcl_graph_compile(run.graph, given, 2, found, 2, NULL));
    OK(netcl_graph_get_info(run.graph, info));
    for (int i = 0; i < 2; ++i) {
      const netcl_tensor_info shape = tensor_info(found[i]);
      OK(netcl_tensor_create(fixture->device, shape.dtype, shape.rank, shape.shape, NULL, NULL,
                             &grads[i]));
      netcl_tensor_release(found[i]);
    }
    OK(netcl_graph_run(run.graph, given, 2, grads, 2, NULL));
  } else {
    memcpy(grads, found, sizeof found);
  }
  netcl_tensor_release(loss);
  netcl_graph_release(run.graph);
  OK(netcl_primitive_unregister("chain"));
}

/* A checkpoint gives the same gradients, bit for bit, with less memory: a tape keeps the ends of
 * chains alone, and a compiled graph does not merge what is made again with what was made. */
static void checkpoints(void **state) {
  Fixture *fixture = *state;
  double a[COUNT], b[COUNT];
  netcl_tensor *inputs[2] = {fresh(fixture, a), fresh(fixture, b)};
  for (int capture = 0; capture < 2; ++capture) {
    netcl_graph_info info[2] = {NETCL_GRAPH_INFO_INIT, NETCL_GRAPH_INFO_INIT};
    float *data[2][2];
    for (int checkpoint = 0; checkpoint < 2; ++checkpoint) {
      netcl_tensor *grads[2];
      six_chains(fixture, checkpoint, capture, inputs, grads, &info[checkpoint]);
      for (int i = 0; i < 2; ++i) {
        data[checkpoint][i] = read_tensor(grads[i]);
        netcl_tensor_release(grads[i]);
      }
    }
    for (int i = 0; i < 2; ++i) {
      assert_memory_equal(data[0][i], data[1][i], COUNT * sizeof(float));
      free(data[0][i]), free(data[1][i]);
    }
    if (capture) {
      CHECK(info[1].planned_bytes < info[0].planned_bytes, "%llu and %llu bytes are planned",
            (unsigned long long)info[1].planned_bytes, (unsigned long long)info[0].planned_bytes);
    } else {
      /* Two inputs, and of each chain its result against four values. */
      CHECK(info[1].kept_bytes <= info[0].kept_bytes / 2, "%llu and %llu bytes are kept",
            (unsigned long long)info[1].kept_bytes, (unsigned long long)info[0].kept_bytes);
    }
  }
  for (int i = 0; i < 2; ++i) netcl_tensor_release(inputs[i]);
}

/* sin(a) times a matrix, of which the gradient needs sin(a) again. */
static netcl_status wave(const netcl_primitive_call *call, netcl_tensor **tensors,
                         void *user_data) {
  netcl_tensor *sine = NULL;
  (void)user_data;
  netcl_status status = text("sin(v0)", call->inputs[0], NULL, call, &sine);
  if (status == NETCL_OK) {
    status = netcl_op_matmul(sine, call->inputs[1], NULL, call->run, &tensors[0]);
  }
  netcl_tensor_release(sine);
  return status;
}

static netcl_tensor *square_of(Fixture *fixture) {
  enum { N = 8 };
  float data[N * N];
  for (int i = 0; i < N * N; ++i) data[i] = (float)random_real(-1, 1);
  return make_tensor(fixture->device, NETCL_F32, 2, (int64_t[]){N, N}, data);
}

/* What is made again is no second result of the kernel that made it, which would keep it for all
 * the time between, though both read the same. */
static void apart_from_first(void **state) {
  Fixture *fixture = *state;
  netcl_tensor *inputs[2] = {square_of(fixture), square_of(fixture)}, *other = square_of(fixture);
  netcl_primitive_options options = NETCL_PRIMITIVE_OPTIONS_INIT;
  netcl_graph_options how = NETCL_GRAPH_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *wide = NULL, *sums = NULL, *made = NULL, *loss = NULL, *outputs[3] = {NULL};
  how.execute = NETCL_OFF;
  options.arity = 2;
  options.checkpoint = 1;
  OK(netcl_primitive_register_function("wave", wave, NULL, NULL, &options));
  OK(netcl_graph_create(fixture->device, &how, &run.graph));
  /* Earlier values have so much memory at a time that there would be room for it. */
  OK(netcl_op_concat((netcl_tensor *[]){other, other, other, other}, 4, 0, &run, &wide));
  OK(netcl_op_scan(wide, NETCL_REDUCTION_SUM, 0, NULL, &run, &sums));
  OK(netcl_op_reduce(sums, NETCL_REDUCTION_MAX, NULL, &run, &outputs[2]));
  OK(netcl_op_primitive("wave", inputs, 2, NULL, &run, &made));
  OK(netcl_op_reduce(made, NETCL_REDUCTION_SUM_SQUARE, NULL, &run, &loss));
  OK(netcl_graph_add_gradients(run.graph, &loss, 1, inputs, 2, NULL, outputs));
  OK(netcl_graph_compile(run.graph, inputs, 2, outputs, 3, NULL));
  size_t length = 0;
  int found = 0;
  char told[16384];
  OK(netcl_graph_explain(run.graph, NETCL_GRAPH_FORMAT_TEXT, told, sizeof told, &length));
  for (const char *at = told; (at = strstr(at, " expression sin(v0): ")) != NULL; ++at) ++found;
  CHECK(found == 2, "%d steps make the sine in %s", found, told);
  netcl_tensor *all[] = {inputs[0], inputs[1],  other,      wide,      sums,
                         made,      outputs[0], outputs[1], outputs[2], loss};
  for (size_t i = 0; i < COUNT_OF(all); ++i) netcl_tensor_release(all[i]);
  netcl_graph_release(run.graph);
  OK(netcl_primitive_unregister("wave"));
}

/* One tensor as both inputs gets the gradient of each once. */
static void one_tensor_twice(void **state) {
  Fixture *fixture = *state;
  double a[COUNT], wanted[COUNT];
  netcl_tensor *x = fresh(fixture, a), *same[2] = {x, x};
  for (int checkpoint = 0; checkpoint < 2; ++checkpoint) {
    atomic_int calls = 0;
    netcl_primitive_options options = NETCL_PRIMITIVE_OPTIONS_INIT;
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    netcl_tensor *made = NULL, *loss = NULL, *grad = NULL;
    options.arity = 2;
    options.checkpoint = (uint32_t)checkpoint;
    OK(netcl_primitive_register_function("chain", chain, &calls, NULL, &options));
    OK(netcl_graph_create(fixture->device, NULL, &run.graph));
    OK(netcl_op_primitive("chain", same, 2, NULL, &run, &made));
    OK(netcl_op_reduce(made, NETCL_REDUCTION_SUM_SQUARE, NULL, &run, &loss));
    OK(netcl_graph_add_gradients(run.graph, &loss, 1, &x, 1, NULL, &grad));
    if (checkpoint) {
      check_and_release(&grad, COUNT, wanted, 1e-5, __LINE__);
    } else {
      float *data = read_tensor(grad);
      for (int i = 0; i < COUNT; ++i) wanted[i] = data[i];
      free(data);
      netcl_tensor_release(grad);
    }
    netcl_graph_release(run.graph);
    OK(netcl_primitive_unregister("chain"));
    netcl_tensor_release(made);
    netcl_tensor_release(loss);
  }
  netcl_tensor_release(x);
}

/* An input that the function does not read has the gradient 0. */
static netcl_status second(const netcl_primitive_call *call, netcl_tensor **tensors,
                           void *user_data) {
  (void)user_data;
  return text("v0 * v0", call->inputs[1], NULL, call, &tensors[0]);
}

/* A number that an input repeats gets the gradients of all its places. */
static void repeated_number(void **state) {
  Fixture *fixture = *state;
  double b[COUNT], wanted = 0;
  const float number = 0.75f;
  const int64_t count = COUNT;
  netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 0, NULL, &number);
  netcl_tensor *inputs[2] = {NULL, fresh(fixture, b)};
  OK(netcl_tensor_broadcast(x, 1, &count, &inputs[0]));
  for (int checkpoint = 0; checkpoint < 2; ++checkpoint) {
    atomic_int calls = 0;
    netcl_primitive_options options = NETCL_PRIMITIVE_OPTIONS_INIT;
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    netcl_tensor *made = NULL, *loss = NULL, *grad = NULL;
    options.arity = 2;
    options.checkpoint = (uint32_t)checkpoint;
    OK(netcl_primitive_register_function("chain", chain, &calls, NULL, &options));
    OK(netcl_graph_create(fixture->device, NULL, &run.graph));
    OK(netcl_op_primitive("chain", inputs, 2, NULL, &run, &made));
    OK(netcl_op_reduce(made, NETCL_REDUCTION_SUM_SQUARE, NULL, &run, &loss));
    OK(netcl_graph_add_gradients(run.graph, &loss, 1, &x, 1, NULL, &grad));
    float *data = read_tensor(grad);
    if (checkpoint) CHECK(fabs(*data - wanted) < 1e-5, "%.9g, not %.9g", *data, wanted);
    wanted = *data;
    free(data);
    netcl_graph_release(run.graph);
    OK(netcl_primitive_unregister("chain"));
    netcl_tensor *all[] = {made, loss, grad};
    for (size_t i = 0; i < COUNT_OF(all); ++i) netcl_tensor_release(all[i]);
  }
  netcl_tensor *all[] = {x, inputs[0], inputs[1]};
  for (size_t i = 0; i < COUNT_OF(all); ++i) netcl_tensor_release(all[i]);
}

static void unused_inputs(void **state) {
  Fixture *fixture = *state;
  double a[COUNT], b[COUNT], wanted[COUNT];
  static const double kZeros[COUNT];
  netcl_tensor *inputs[2] = {fresh(fixture, a), fresh(fixture, b)}, *made = NULL, *loss = NULL;
  netcl_tensor *grads[2] = {NULL, NULL};
  netcl_primitive_options options = NETCL_PRIMITIVE_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  options.arity = 2;
  options.checkpoint = 1;
  OK(netcl_primitive_register_function("second", second, NULL, NULL, &options));
  OK(netcl_graph_create(fixture->device, NULL, &run.graph));
  OK(netcl_op_primitive("second", inputs, 2, NULL, &run, &made));
  OK(netcl_op_reduce(made, NETCL_REDUCTION_SUM, NULL, &run, &loss));
  OK(netcl_graph_add_gradients(run.graph, &loss, 1, inputs, 2, NULL, grads));
  for (int i = 0; i < COUNT; ++i) wanted[i] = 2 * b[i];
  check_and_release(&grads[0], COUNT, kZeros, 0, __LINE__);
  check_and_release(&grads[1], COUNT, wanted, 1e-6, __LINE__);
  netcl_graph_release(run.graph);
  OK(netcl_op_primitive_gradient("second", inputs, 2, 0, made, NULL, NULL, NULL, &grads[0]));
  check_and_release(&grads[0], COUNT, kZeros, 0, __LINE__);
  OK(netcl_primitive_unregister("second"));
  netcl_tensor *all[] = {made, loss, inputs[0], inputs[1]};
  for (size_t i = 0; i < COUNT_OF(all); ++i) netcl_tensor_release(all[i]);
}

/* Functions that call each other without end, and one that ends in time. */
typedef struct Nest {
  int most; /* calls within each other */
  int deepest;
  int now;
} Nest;

static netcl_status nested(const netcl_primitive_call *call, netcl_tensor **tensors,
                           void *user_data) {
  Nest *nest = user_data;
  if (++nest->now > nest->deepest) nest->deepest = nest->now;
  const netcl_status status =
      nest->now < nest->most
          ? netcl_op_primitive("nested", call->inputs, 1, NULL, call->run, &tensors[0])
          : text("v0 * 3", call->inputs[0], NULL, call, &tensors[0]);
  --nest->now;
  return status;
}

static void nested_calls(void **state) {
  Fixture *fixture = *state;
  Nest nest = {.most = 1 << 30};
  netcl_primitive_options options = NETCL_PRIMITIVE_OPTIONS_INIT;
  options.arity = 1;
  OK(netcl_primitive_register_function("nested", nested, &nest, NULL, &options));
  const float value = 2;
  netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 0, NULL, &value), *y = NULL;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT,
             "primitive \"nested\" is called within 16 calls of primitives, the most",
             netcl_op_primitive("nested", &x, 1, NULL, NULL, &y));
  assert_null(y);
  assert_int_equal(nest.deepest, 16);
  /* Nothing is left of it. */
  nest.most = 16;
  OK(netcl_op_primitive("nested", &x, 1, NULL, NULL, &y));
  const float wanted = 6;
  CHECK_TENSOR(y, &wanted);
  netcl_tensor_release(x);
  netcl_tensor_release(y);
  OK(netcl_primitive_unregister("nested"));
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(checkpoints), DEVICE_TEST(one_tensor_twice),
                                    DEVICE_TEST(repeated_number), DEVICE_TEST(unused_inputs),
                                    DEVICE_TEST(apart_from_first), DEVICE_TEST(nested_calls)};
  seed_random("checkpoint");
  return cmocka_run_group_tests_name("checkpoint", tests, NULL, NULL);
}
