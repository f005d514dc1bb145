/* Gradients of the gradients of softmax and of normalisations, and what compiled graphs make of
 * either. */
#include <math.h>
#include <string.h>

#include "support_gradients_conv.h"
#include "support_graph.h"

typedef enum Kind { LAYERNORM, RMSNORM, SOFTMAX, LOG_SOFTMAX, KINDS } Kind;
static const char* const kNames[KINDS] = {"gradient of layernorm", "gradient of rmsnorm",
                                          "gradient of softmax", "gradient of log_softmax"};

/* The inputs are x, and scale where there is one. */
typedef struct RowCall {
  Kind kind;
  int32_t axis;
  int scaled;
  int summed; /* over the first axis, so that the gradient that comes in is repeated along it */
  int squared; /* the result times itself */
} RowCall;

static netcl_status row_call(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                             netcl_tensor** y) {
  const RowCall* rows = context;
  netcl_norm_options options = NETCL_NORM_OPTIONS_INIT;
  netcl_reduce_options first = NETCL_REDUCE_OPTIONS_INIT;
  const int32_t zero = 0;
  netcl_tensor* made = NULL;
  options.epsilon = 0.1;
  options.scale = rows->scaled ? x[1] : NULL;
  netcl_status status =
      rows->kind == LAYERNORM ? netcl_op_layernorm(x[0], rows->axis, &options, run, &made)
      : rows->kind == RMSNORM ? netcl_op_rmsnorm(x[0], rows->axis, &options, run, &made)
      : rows->kind == SOFTMAX ? netcl_op_softmax(x[0], rows->axis, run, &made)
                              : netcl_op_log_softmax(x[0], rows->axis, run, &made);
  first.axes = &zero;
  first.axes_count = 1;
  if (status == NETCL_OK && rows->squared) {
    netcl_tensor* const plain = made;
    status = netcl_op_expression_text("v0 * v0", &plain, 1, NULL, run, &made);
    netcl_tensor_release(plain);
  }
  if (status == NETCL_OK && rows->summed) {
    netcl_tensor* const whole = made;
    status = netcl_op_reduce(whole, NETCL_REDUCTION_SUM, &first, run, &made);
    netcl_tensor_release(whole);
  }
  if (status == NETCL_OK) *y = made;
  return status;
}

static void second_derivatives(void** state) {
  Fixture* fixture = *state;
  for (int form = 0; form < 24; ++form) {
    if (left_out(fixture, 8)) continue;
    RowCall rows = {.kind = (Kind)(form % KINDS), .axis = 1};
    const int norm = rows.kind <= RMSNORM;
    rows.scaled = norm && form / KINDS % 2;
    rows.summed = form / KINDS % 3 == 1;
    /* That of scale does not depend on scale by itself. */
    const uint32_t which = (uint32_t)random_in(0, rows.scaled);
    rows.squared = which == 1 || random_in(0, 1) != 0;
    if (!norm) rows.axis = (int32_t)random_in(-3, 2);
    const int64_t a = random_in(1, 4), b = random_in(2, 4), c = random_in(1, 4);
    GradientInput inputs[3] = {{3, {a, b, c}, 0, 0, 0, NULL}};
    if (rows.scaled) inputs[1] = (GradientInput){2, {b, c}, 0, 0, 0, NULL};
    const uint32_t count = 1 + (uint32_t)rows.scaled;
    inputs[count] = inputs[0];
    if (rows.summed) inputs[count] = (GradientInput){2, {b, c}, 0, 0, 0, NULL};
    Twice twice = {fixture, row_call, &rows, count, which};
    CHECK_GRADIENTS(fixture, kNames[rows.kind], gradient_call, &twice, inputs, count + 1);
  }
}

/* The gradient that comes in is x itself: what is differentiated lies in one memory twice. */
static netcl_status seeded_with_itself(void* context, netcl_tensor* const* x,
                                       const netcl_run_options* run, netcl_tensor** y) {
  netcl_tensor* const both[] = {x[0], x[0]};
  return gradient_call(context, both, run, y);
}

static void same_memory(void** state) {
  Fixture* fixture = *state;
  for (int kind = 0; kind < KINDS; ++kind) {
    RowCall rows = {.kind = (Kind)kind, .axis = 1};
    const GradientInput x = {2, {3, 4}, 0, 0, 0, NULL};
    Twice twice = {fixture, row_call, &rows, 1, 0};
    CHECK_GRADIENTS(fixture, kNames[kind], seeded_with_itself, &twice, &x, 1);
  }
}

/* Third derivatives, of which those of the second ones are made. */
static void third_derivatives(void** state) {
  Fixture* fixture = *state;
  for (int kind = 0; kind < KINDS; ++kind) {
    if (left_out(fixture, 8)) continue;
    RowCall rows = {.kind = (Kind)kind, .axis = 1};
    const GradientInput x = {2, {2, 3}, 0, 0, 0, NULL}, inputs[3] = {x, x, x};
    Twice second = {fixture, row_call, &rows, 1, 0};
    Twice third = {fixture, gradient_call, &second, 2, 0};
    CHECK_GRADIENTS(fixture, kNames[kind], gradient_call, &third, inputs, 3);
  }
}

/* The sum of squares of the gradient, by whose gradient a second one is made. */
static void build_twice(void* rows, netcl_tensor* const* x, const netcl_run_options* run,
                        netcl_tensor* made[3]) {
  netcl_tensor *y = NULL, *squares, *sum;
  OK(row_call(rows, x, run, &y));
  netcl_tensor* const bent = formula("v0 * v0 + sin(v0)", y, NULL, run);
  netcl_tensor* const loss = sum_of(bent, run);
  made[0] = y;
  made[1] = gradient(run, loss, x[0]);
  squares = formula("v0 * v0", made[1], NULL, run);
  sum = sum_of(squares, run);
  made[2] = gradient(run, sum, x[0]);
  RELEASE(bent, loss, squares, sum);
}

/* Compiled graphs give the bits of calls one by one, of first and second derivatives alike. */
static void captured(void** state) {
  Fixture* fixture = *state;
  static const netcl_dtype kFloats[] = {NETCL_F16, NETCL_BF16, NETCL_F32};
  for (int form = 0; form < 3 * KINDS; ++form) {
    if (left_out(fixture, 8)) continue;
    RowCall rows = {.kind = (Kind)(form % KINDS), .axis = 1};
    const netcl_dtype dtype = kFloats[form / KINDS];
    const int64_t shape[] = {7, 40}, row = 40;
    netcl_run_options off = captured_calls(fixture), run = recorded(fixture);
    netcl_tensor *inputs[2][2], *made[3], *given[3], *wanted[3];
    unsigned char data[7 * 40 * 4];
    rows.scaled = rows.kind <= RMSNORM;
    for (int k = 0; k < 2; ++k) {
      fill_random(dtype, data, 7 * 40, 2);
      inputs[k][0] = make_tensor(fixture->device, dtype, 2, shape, data);
      fill_random(dtype, data, 40, 2);
      inputs[k][1] = make_tensor(fixture->device, dtype, 1, &row, data);
    }
    build_twice(&rows, inputs[0], &off, made);
    build_twice(&rows, inputs[1], &run, wanted);
    const uint32_t count = 1 + (uint32_t)rows.scaled;
    OK(netcl_graph_compile(off.graph, inputs[0], count, made, 3, NULL));
    memset(data, POISON, sizeof data);
    for (int i = 0; i < 3; ++i) given[i] = make_tensor(fixture->device, dtype, 2, shape, data);
    OK(netcl_graph_run(off.graph, inputs[1], count, given, 3, NULL));
    for (int i = 0; i < 3; ++i) {
      void* bits = read_tensor(wanted[i]);
      CHECK_TENSOR(given[i], bits);
      free(bits);
      RELEASE(made[i], given[i], wanted[i]);
    }
    RELEASE(inputs[0][0], inputs[0][1], inputs[1][0], inputs[1][1]);
    netcl_graph_release(off.graph);
    netcl_graph_release(run.graph);
  }
}

/* An optimiser reads the gradients in the graph that makes them, and one of them goes to a tensor
 * whose elements lie in another order. */
static void optimised(void** state) {
  Fixture* fixture = *state;
  for (int kind = 0; kind < KINDS; ++kind) {
    RowCall rows = {.kind = (Kind)kind, .axis = 1, .scaled = kind <= RMSNORM};
    const int64_t shape[] = {5, 30}, row = 30, turned[] = {30, 5};
    static const uint32_t kAxes[] = {1, 0};
    float data[2][150];
    for (int i = 0; i < 2; ++i) fill_random(NETCL_F32, data[i], 150, 2);
    netcl_tensor *parameters[2][2], *x[2], *wanted = NULL, *given = NULL, *view = NULL;
    netcl_run_options runs[2] = {captured_calls(fixture), recorded(fixture)};
    for (int k = 0; k < 2; ++k) {
      const uint32_t count = 1 + (uint32_t)rows.scaled;
      parameters[k][0] = make_tensor(fixture->device, NETCL_F32, 2, shape, data[0]);
      parameters[k][1] = make_tensor(fixture->device, NETCL_F32, 1, &row, data[1]);
      x[k] = make_tensor(fixture->device, NETCL_F32, 2, shape, data[1]);
      netcl_tensor *y = NULL, *grads[2] = {NULL, NULL};
      OK(row_call(&rows, parameters[k], &runs[k], &y));
      netcl_tensor* const product = formula("v0 * v1", y, x[k], &runs[k]);
      netcl_tensor* const loss = sum_of(product, &runs[k]);
      OK(netcl_graph_add_gradients(runs[k].graph, &loss, 1, parameters[k], count, NULL, grads));
      OK(netcl_op_sgd(parameters[k], count, grads, count, 0.25, NULL, &runs[k]));
      if (k == 0) OK(netcl_graph_compile(runs[0].graph, &x[0], 1, &grads[0], 1, NULL));
      if (k == 1) OK(netcl_tensor_retain(wanted = grads[0]));
      RELEASE(y, product, loss, grads[0], grads[1]);
    }
    given = make_tensor(fixture->device, NETCL_F32, 2, turned, data[0]);
    OK(netcl_tensor_permute(given, kAxes, 2, &view));
    OK(netcl_graph_run(runs[0].graph, &x[1], 1, &view, 1, NULL));
    void* bits = read_tensor(wanted);
    CHECK_TENSOR(view, bits);
    free(bits);
    for (int i = 0; i < 1 + rows.scaled; ++i) {
      bits = read_tensor(parameters[1][i]);
      CHECK_TENSOR(parameters[0][i], bits);
      free(bits);
    }
    RELEASE(parameters[0][0], parameters[0][1], parameters[1][0], parameters[1][1]);
    RELEASE(x[0], x[1], wanted, given, view);
    for (int k = 0; k < 2; ++k) netcl_graph_release(runs[k].graph);
  }
}

/* The gradient of x and the terms of that of scale are one step, and their sums another. */
static void one_step(void** state) {
  Fixture* fixture = *state;
  for (int kind = 0; kind < KINDS; ++kind) {
    RowCall rows = {.kind = (Kind)kind, .axis = 1, .scaled = kind <= RMSNORM};
    const int64_t shape[] = {5, 30}, row = 30;
    float data[150];
    fill_random(NETCL_F32, data, 150, 2);
    netcl_run_options run = captured_calls(fixture);
    netcl_graph_info info = NETCL_GRAPH_INFO_INIT;
    netcl_gradients_options how = NETCL_GRADIENTS_OPTIONS_INIT;
    netcl_tensor* inputs[3] = {make_tensor(fixture->device, NETCL_F32, 2, shape, data),
                               make_tensor(fixture->device, NETCL_F32, 2, shape, data), NULL};
    if (rows.scaled) inputs[2] = inputs[1];
    if (rows.scaled) inputs[1] = make_tensor(fixture->device, NETCL_F32, 1, &row, data);
    netcl_tensor *y = NULL, *made[2] = {NULL, NULL};
    const uint32_t count = 1 + (uint32_t)rows.scaled;
    how.seeds = &inputs[count];
    how.seeds_count = 1;
    OK(row_call(&rows, inputs, &run, &y));
    OK(netcl_graph_add_gradients(run.graph, &y, 1, inputs, count, &how, made));
    OK(netcl_graph_compile(run.graph, inputs, count + 1, made, count, NULL));
    OK(netcl_graph_get_info(run.graph, &info));
    /* The gradient of softmax reads its result. */
    CHECK(info.step_count == 2, "the %s is %d steps", kNames[kind], (int)info.step_count);
    RELEASE(inputs[0], inputs[1], inputs[2], y, made[0], made[1]);
    netcl_graph_release(run.graph);
  }
}

/* Each of x and the gradient that comes in may begin where no vector of four does. */
static void offsets(void** state) {
  Fixture* fixture = *state;
  enum { ROWS = 6, LENGTH = 64, ALL = ROWS * LENGTH };
  static const int64_t kAll = ALL + 3, kShape[] = {ROWS, LENGTH};
  float data[2][ALL + 3];
  for (int i = 0; i < 2; ++i) fill_random(NETCL_F32, data[i], ALL + 3, 2);
  for (int kind = 0; kind < KINDS; ++kind) {
    RowCall rows = {.kind = (Kind)kind, .axis = 1};
    float* got[4];
    for (int place = 0; place < 4; ++place) {
      netcl_run_options run = recorded(fixture);
      netcl_gradients_options how = NETCL_GRADIENTS_OPTIONS_INIT;
      netcl_tensor *base[2], *flat[2], *x[2] = {NULL, NULL}, *y = NULL, *made = NULL;
      for (int i = 0; i < 2; ++i) {
        const int64_t first = place >> i & 1;
        float moved[ALL + 3] = {0};
        memcpy(moved + first, data[i], ALL * sizeof(float));
        base[i] = make_tensor(fixture->device, NETCL_F32, 1, &kAll, moved);
        OK(netcl_tensor_slice(base[i], &(netcl_range){first, ALL, 1}, 1, &flat[i]));
        OK(netcl_tensor_reshape(flat[i], 2, kShape, NULL, &x[i]));
      }
      how.seeds = &x[1];
      how.seeds_count = 1;
      OK(row_call(&rows, x, &run, &y));
      OK(netcl_graph_add_gradients(run.graph, &y, 1, x, 1, &how, &made));
      got[place] = read_tensor(made);
      RELEASE(base[0], base[1], flat[0], flat[1], x[0], x[1], y, made);
      netcl_graph_release(run.graph);
    }
    for (int i = 0; i < 4 * ALL; ++i) {
      const float found = got[i / ALL][i % ALL], wanted = got[0][i % ALL];
      CHECK(fabsf(found - wanted) < 1e-5f, "%s, place %d, element %d: %.9g, not %.9g", kNames[kind],
            i / ALL, i % ALL, found, wanted);
    }
    for (int place = 0; place < 4; ++place) free(got[place]);
  }
}

/* What the gradients read is missed when it was overwritten: x and scale, each by the gradient of
 * the other, and the result of softmax. */
static void overwritten(void** state) {
  Fixture* fixture = *state;
  for (int kind = 0; kind < KINDS; ++kind) {
    RowCall rows = {.kind = (Kind)kind, .axis = 1, .scaled = kind <= RMSNORM};
    const int64_t shape[] = {2, 3}, row = 3;
    const float data[] = {1, 2, 3, 4, 5, 7}, zero = 0;
    for (int target = 0; target < 1 + rows.scaled; ++target) {
      netcl_run_options run = recorded(fixture);
      netcl_tensor* x[2] = {make_tensor(fixture->device, NETCL_F32, 2, shape, data),
                            make_tensor(fixture->device, NETCL_F32, 1, &row, data)};
      netcl_tensor *y = NULL, *grad = NULL;
      OK(row_call(&rows, x, &run, &y));
      netcl_tensor* const loss = sum_of(y, &run);
      OK(netcl_op_fill(rows.scaled ? x[target] : y, &zero, &run));
      FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "fill",
                 netcl_graph_add_gradients(run.graph, &loss, 1, &x[rows.scaled ? 1 - target : 0], 1,
                                           NULL, &grad));
      assert_null(grad);
      RELEASE(x[0], x[1], y, loss);
      netcl_graph_release(run.graph);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(second_derivatives), DEVICE_TEST(same_memory), DEVICE_TEST(third_derivatives),
      DEVICE_TEST(captured),           DEVICE_TEST(optimised),   DEVICE_TEST(one_step),
      DEVICE_TEST(offsets),            DEVICE_TEST(overwritten), DEVICE_TEST(as_kernels),
  };
  seed_random("gradients_rows_twice");
  return cmocka_run_group_tests_name("gradients_rows_twice", tests, NULL, NULL);
}
