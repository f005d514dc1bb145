/* What graphs record, and which gradients that gives: values that were overwritten, views, results
 * in place, several outputs, gradients of gradients. */
#include <math.h>

#include "support_graph.h"
#include "support_strided.h"

static void records(void** state) {
  Fixture* fixture = *state;
  const float values[] = {1, -2, 3};
  netcl_run_options run = recorded(fixture);
  netcl_graph_info info = NETCL_GRAPH_INFO_INIT;
  netcl_tensor* x = graph_vector(fixture, 3, values);
  netcl_tensor *y = formula("v0 * v0", x, NULL, &run), *s = sum_of(y, &run);
  OK(netcl_graph_get_info(run.graph, &info));
  assert_int_equal(info.call_count, 2);
  CHECK(info.kept_bytes >= 28, "%d bytes are kept", (int)info.kept_bytes);
  GIVES(s, 14); /* recorded calls run */
  netcl_tensor *dx = gradient(&run, s, x), *dy = gradient(&run, s, y);
  GIVES(dx, 2, -4, 6);
  GIVES(dy, 1, 1, 1);
  assert_true(call_count(run.graph) > 2);
  OK(netcl_graph_clear(run.graph));
  assert_int_equal(call_count(run.graph), 0);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "inputs[0]",
             netcl_graph_add_gradients(run.graph, &s, 1, &x, 1, NULL, &y));
  /* The same call recorded again and again, which is kept from the second time on. */
  for (int i = 0; i < 4; ++i) {
    netcl_tensor *again = formula("v0 * v0", x, NULL, &run), *total = sum_of(again, &run);
    netcl_tensor* d = gradient(&run, total, x);
    GIVES(d, 2, -4, 6);
    RELEASE(again, total, d);
    OK(netcl_graph_clear(run.graph));
  }
  /* A graph keeps what it needs, and outlives the caller's handles. */
  netcl_tensor *z = formula("sin(v0) * v0", x, NULL, &run), *t = sum_of(z, &run);
  RELEASE(z);
  OK(netcl_graph_retain(run.graph));
  netcl_graph_release(run.graph);
  netcl_tensor* dt = gradient(&run, t, x);
  GIVES(dt, sin(1) + cos(1), sin(-2) - 2 * cos(-2), sin(3) + 3 * cos(3));
  netcl_graph_release(run.graph);
  FAILS_WITH(NETCL_ERROR_INVALID_HANDLE, "run->graph",
             netcl_op_expression_text("v0", &x, 1, NULL, &run, &z));
  RELEASE(x, y, s, dx, dy, t, dt);
}

/* Several outputs, a seed each, gradients of values in the middle, and what depends on nothing. */
static void outputs(void** state) {
  Fixture* fixture = *state;
  const float a_values[] = {1, 2}, b_values[] = {3, -1}, seed_values[] = {10, 100};
  netcl_run_options run = recorded(fixture);
  netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  netcl_tensor *a = graph_vector(fixture, 2, a_values), *b = graph_vector(fixture, 2, b_values);
  netcl_tensor *p = formula("v0 * v1", a, b, &run), *q = formula("v0 * v0", p, NULL, &run);
  netcl_tensor *seed = graph_vector(fixture, 2, seed_values), *gradients[3];
  netcl_tensor *seeds[] = {seed, seed}, *both[] = {p, q}, *inputs[] = {a, b, p};
  options.seeds = seeds;
  options.seeds_count = 2;
  OK(netcl_graph_add_gradients(run.graph, both, 2, inputs, 3, &options, gradients));
  /* d/dp (p + q) = 1 + 2 p, p = {3, -2} */
  GIVES(gradients[2], 10 * 7, 100 * -3);
  GIVES(gradients[0], 10 * 7 * 3, 100 * -3 * -1);
  GIVES(gradients[1], 10 * 7 * 1, 100 * -3 * 2);
  release_tensors(gradients, 3);
  /* An output is its own gradient; twice the same output counts twice. */
  OK(netcl_graph_add_gradients(run.graph, (netcl_tensor*[]){q, q}, 2, &q, 1, &options, gradients));
  GIVES(gradients[0], 20, 200);
  release_tensors(gradients, 1);
  /* Each gradient has its own memory, though one tensor stands for both and for the seed. */
  netcl_tensor *joined = NULL, *copied = NULL;
  OK(netcl_op_copy(a, &run, &copied));
  OK(netcl_op_bias_add(copied, b, 0, &run, &joined));
  options.seeds_count = 1;
  OK(netcl_graph_add_gradients(run.graph, &joined, 1, inputs, 2, &options, gradients));
  formula_into("v0 * 0", gradients[0], NULL, gradients[0],
               &(netcl_run_options)NETCL_RUN_OPTIONS_INIT);
  GIVES(gradients[0], 0, 0);
  GIVES(gradients[1], 10, 100);
  GIVES(seed, 10, 100);
  release_tensors(gradients, 2);
  RELEASE(joined, copied);
  options.seeds_count = 2;
  /* Into tensors of the caller, written or added to, with strides. */
  const float old[] = {1, 2};
  Strided target = make_strided(fixture->device, NETCL_F32, 1, (int64_t[]){2}, old);
  netcl_event* event = NULL;
  options.into = &target.view;
  options.into_count = 1;
  options.event = &event;
  OK(netcl_graph_add_gradients(run.graph, both, 2, &a, 1, &options, NULL));
  OK(netcl_event_wait(event, LONG_WAIT));
  netcl_event_release(event);
  CHECK_STRIDED(&target, ((float[]){210, 300}));
  options.accumulate = 1;
  options.event = NULL;
  options.consume = 1;
  OK(netcl_graph_add_gradients(run.graph, both, 2, &a, 1, &options, gradients));
  CHECK_STRIDED(&target, ((float[]){420, 600}));
  GIVES(gradients[0], 420, 600);
  release_tensors(gradients, 1);
  assert_int_equal(call_count(run.graph), 0);
  release_strided(&target);
  RELEASE(a, b, p, q, seed);
  netcl_graph_release(run.graph);
}

/* What is computed in a place whose old value somebody needs cannot be gone back over. */
static void check_overwritten(Fixture* fixture, uint32_t consume) {
  netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  options.consume = consume;
  const float values[] = {1, 2};
  netcl_run_options run = recorded(fixture);
  netcl_tensor *x = graph_vector(fixture, 2, values), *made = NULL;
  /* In place, where the gradient does not need what was there. */
  netcl_tensor* y = formula("3 * v0", x, NULL, &run);
  formula_into("v0 + v0", y, NULL, y, &run);
  formula_into("v0 * v1", y, x, y, &run); /* 6 x x: y's old value is gone, that of x is there */
  netcl_tensor* s = sum_of(y, &run);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "expression (call 2) needs",
             netcl_graph_add_gradients(run.graph, &s, 1, &x, 1, &options, &made));
  assert_null(made);
  OK(netcl_graph_clear(run.graph));
  RELEASE(y, s);
  y = formula("3 * v0", x, NULL, &run);
  formula_into("2 * v0 + v1", y, x, y, &run);
  s = sum_of(y, &run);
  made = gradient(&run, s, x);
  GIVES(made, 7, 7);
  RELEASE(made, y, s);
  /* A value that was overwritten by a recorded call, and by one that was not. */
  OK(netcl_graph_clear(run.graph));
  y = formula("v0 * v0", x, NULL, &run);
  s = sum_of(y, &run);
  formula_into("v0 + 1", x, NULL, x, &run);
  made = NULL;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "no output depends on inputs[0]",
             netcl_graph_add_gradients(run.graph, &s, 1, &x, 1, &options, &made));
  RELEASE(y, s);
  OK(netcl_graph_clear(run.graph));
  netcl_tensor* w = graph_vector(fixture, 2, values);
  /* Nor does one through a call without elements that the output has nothing to do with. */
  netcl_tensor *none = graph_vector(fixture, 0, values),
               *nothing = formula("v0 * 2", none, NULL, &run);
  y = formula("v0 * v0", x, NULL, &run);
  s = sum_of(y, &run);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "no output depends on inputs[0]",
             netcl_graph_add_gradients(run.graph, &s, 1, &w, 1, &options, &made));
  RELEASE(y, s, none, nothing);
  OK(netcl_graph_clear(run.graph));
  y = formula("v0 * v1", w, x, &run);
  s = sum_of(y, &run);
  formula_into("v0 * 0", w, NULL, w, &run);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "that expression (call 2) has overwritten since",
             netcl_graph_add_gradients(run.graph, &s, 1, &x, 1, &options, &made));
  RELEASE(y, s);
  OK(netcl_graph_clear(run.graph));
  y = formula("v0 * v1", w, x, &run);
  s = sum_of(y, &run);
  OK(netcl_tensor_write(w, values, sizeof values, NULL, LONG_WAIT));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "a call that is not recorded",
             netcl_graph_add_gradients(run.graph, &s, 1, &x, 1, &options, &made));
  assert_null(made);
  /* The gradient of what was overwritten does not need it. */
  made = NULL;
  netcl_run_options plain = NETCL_RUN_OPTIONS_INIT;
  OK(netcl_graph_clear(run.graph));
  RELEASE(y, s);
  /* Nobody knows which part of a memory a call wrote that is not recorded. */
  netcl_tensor* z = formula("v0 * 5", x, NULL, &run);
  formula_into("v0 * v0", x, NULL, z, &plain);
  y = formula("v0 + v1", z, x, &run);
  s = sum_of(y, &run);
  made = NULL;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT,
             "a call that is not recorded wrote to a memory of 8 bytes in front of call 2",
             netcl_graph_add_gradients(run.graph, &s, 1, &x, 1, &options, &made));
  OK(netcl_graph_clear(run.graph));
  /* A tensor that only such calls wrote is a constant. */
  RELEASE(y, s);
  y = formula("v0 * v1", z, x, &run);
  s = sum_of(y, &run);
  OK(netcl_graph_add_gradients(run.graph, &s, 1, &x, 1, &options, &made));
  GIVES(made, 4, 9);
  RELEASE(made, y, s, z, w, x);
  netcl_graph_release(run.graph);
}

static void overwritten(void** state) {
  check_overwritten(*state, 0);
  check_overwritten(*state, 1);
}

/* Parts of a tensor that are written one after the other, in columns and in rows. */
static void parts(void** state) {
  Fixture* fixture = *state;
  const float values[] = {1, 2, 3, 4, 5, 6};
  static const int64_t kShape[] = {2, 3}, kHalves[] = {1, 2};
  netcl_run_options run = recorded(fixture);
  netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 2, kShape, values), *joined = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, kShape, NULL, NULL, &joined));
  netcl_tensor *from[2], *to[2];
  OK(netcl_tensor_split(x, 1, kHalves, 2, from));
  OK(netcl_tensor_split(joined, 1, kHalves, 2, to));
  formula_into("v0 * v0", from[0], NULL, to[0], &run);
  netcl_tensor* used = formula("v0 * v0", to[0], NULL, &run); /* needs the first column later */
  formula_into("v0 * 10", from[1], NULL, to[1], &run);        /* does not touch it */
  netcl_tensor *all = formula("v0 * v1", joined, used, &run), *s = sum_of(all, &run);
  /* column 0: x^2 * x^4 = x^6; columns 1, 2: 10 x times c^4 with c of the row's column 0 */
  netcl_tensor* dx = gradient(&run, s, x);
  GIVES(dx, 6 * 1 + (20 + 30) * 4, 10, 10, 6 * pow(4, 5) + (50 + 60) * 4 * 64, 10 * 256, 10 * 256);
  /* The gradient of a part alone, and of what was written to a part. */
  netcl_tensor *part = gradient(&run, s, from[1]), *written = gradient(&run, s, to[1]);
  GIVES(part, 10, 10, 2560, 2560);
  GIVES(written, 1, 1, 256, 256);
  /* All of it, of which the last call wrote a part, as the sum of two gradients. */
  netcl_tensor *plain = sum_of(joined, &run), *whole = NULL;
  OK(netcl_graph_add_gradients(run.graph, (netcl_tensor*[]){s, plain}, 2, &joined, 1, NULL,
                               &whole));
  GIVES(whole, 2, 2, 2, 257, 257, 257);
  RELEASE(dx, part, written, s, all, used, plain, whole);
  /* A part that is written a second time loses what was there. */
  OK(netcl_graph_clear(run.graph));
  formula_into("v0 * 2", x, NULL, joined, &run);
  formula_into("v0 * 0 + 1", from[1], NULL, to[1], &run);
  s = sum_of(joined, &run);
  dx = gradient(&run, s, x);
  GIVES(dx, 2, 0, 0, 2, 0, 0);
  RELEASE(dx, s, x, joined, from[0], from[1], to[0], to[1]);
  netcl_graph_release(run.graph);
}

/* Gradients of gradients: f = sum_of(x^4), f' = 4 x^3, sum f' = 4 x^3, its gradient 12 x^2, ... */
static void higher(void** state) {
  Fixture* fixture = *state;
  const float values[] = {1, -2, 0.5f};
  static const double kFactor[] = {4, 12, 24, 24};
  netcl_run_options run = recorded(fixture);
  netcl_tensor* x = graph_vector(fixture, 3, values);
  netcl_tensor *y = formula("v0 * v0 * v0 * v0", x, NULL, &run), *s = sum_of(y, &run);
  for (int order = 0; order < 4; ++order) {
    netcl_tensor* d = gradient(&run, s, x);
    GIVES(d, kFactor[order], kFactor[order] * pow(-2, 3 - order),
          kFactor[order] * pow(0.5, 3 - order));
    RELEASE(s);
    s = sum_of(d, &run);
    RELEASE(d);
  }
  /* The gradient of a product along a vector, by the gradient of the sum of grad * v. */
  OK(netcl_graph_clear(run.graph));
  RELEASE(s, y);
  netcl_tensor *p = NULL, *m = NULL;
  static const int64_t kColumn[] = {3, 1}, kRow[] = {1, 3};
  OK(netcl_tensor_reshape(x, 2, kColumn, &run, &p));
  OK(netcl_tensor_reshape(x, 2, kRow, &run, &m));
  OK(netcl_op_matmul(p, m, NULL, &run, &y)); /* x x^T */
  netcl_tensor* cubed = formula("v0 * v0", y, NULL, &run);
  s = sum_of(cubed, &run); /* (sum x^2)^2 */
  netcl_tensor *first = gradient(&run, s, x), *along = formula("v0 * v1", first, x, &run);
  netcl_tensor *total = sum_of(along, &run), *second = gradient(&run, total, x);
  const double q = 1 + 4 + 0.25; /* grad = 4 q x; grad . x = 4 q^2; its gradient 16 q x */
  GIVES(first, 4 * q, -8 * q, 2 * q);
  GIVES(second, 16 * q, -32 * q, 8 * q);
  RELEASE(x, y, p, m, cubed, s, first, along, total, second);
  netcl_graph_release(run.graph);
}

/* Views in which elements meet: windows that overlap, forwards, backwards, and repeated more often
 * than windows may be. */
static void windows(void** state) {
  enum { COUNT_X = 12, ROWS = 4, COLUMNS = 3 };
  static const struct {
    int64_t copies, step, first;
  } kWays[] = {{1, 1, 1}, {1, -1, 4}, {2, 1, 1}, {5000, 1, 1}};
  Fixture* fixture = *state;
  float values[COUNT_X], weights[ROWS * COLUMNS];
  for (int i = 0; i < COUNT_X; ++i) values[i] = (float)random_in(-3, 3);
  for (int i = 0; i < ROWS * COLUMNS; ++i) weights[i] = (float)random_in(-3, 3);
  for (size_t way = 0; way < COUNT_OF(kWays); ++way) {
    const int64_t shape[] = {kWays[way].copies, ROWS, COLUMNS}, strides[] = {0, 2, kWays[way].step};
    netcl_run_options run = recorded(fixture);
    netcl_tensor *x = graph_vector(fixture, COUNT_X, values), *seen = NULL;
    netcl_tensor* w = make_tensor(fixture->device, NETCL_F32, 2, shape + 1, weights);
    OK(netcl_tensor_view(x, 3, shape, strides, kWays[way].first, &seen));
    netcl_tensor *y = formula("v0 * v0 * v1", seen, w, &run), *s = sum_of(y, &run);
    netcl_tensor* d = gradient(&run, s, x);
    double wanted[COUNT_X] = {0};
    for (int i = 0; i < ROWS * COLUMNS; ++i) {
      const int64_t at = kWays[way].first + i / COLUMNS * 2 + i % COLUMNS * kWays[way].step;
      wanted[at] += 2 * (double)kWays[way].copies * (double)values[at] * (double)weights[i];
    }
    check_elements(d, COUNT_X, wanted, __LINE__);
    RELEASE(x, seen, w, y, s, d);
    netcl_graph_release(run.graph);
  }
}

/* Memory of the caller that was wrapped twice is two variables: what goes through the second is not
 * the first's. */
static void wrapped_twice(void** state) {
  Fixture* fixture = *state;
  if (fixture->info.type != NETCL_DEVICE_CPU) SKIP("memory of the host is not the device's");
  static float values[1024] __attribute__((aligned(4096)));
  for (int i = 0; i < 1024; ++i) values[i] = 3;
  const int64_t count = 1024;
  netcl_tensor_options borrow = NETCL_TENSOR_OPTIONS_INIT;
  borrow.borrow = 1;
  netcl_tensor* twice[2] = {NULL, NULL};
  for (int i = 0; i < 2; ++i) {
    OK(netcl_tensor_create_from_host(fixture->device, NETCL_F32, 1, &count, NULL, values,
                                     sizeof values, &borrow, &twice[i]));
  }
  netcl_run_options run = recorded(fixture);
  netcl_tensor* const inputs[] = {twice[0], twice[1]};
  netcl_tensor *product = NULL, *made = NULL;
  OK(netcl_op_expression_text("v0 * v1", inputs, 2, NULL, &run, &product));
  netcl_tensor* const s = sum_of(product, &run);
  made = gradient(&run, s, twice[0]);
  float got[1024];
  OK(netcl_tensor_read(made, got, sizeof got, NULL, LONG_WAIT));
  for (int i = 0; i < 1024; ++i) assert_true(got[i] == 3);
  RELEASE(made, product, s, twice[0], twice[1]);
  netcl_graph_release(run.graph);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(records), DEVICE_TEST(outputs), DEVICE_TEST(overwritten),
      DEVICE_TEST(parts),   DEVICE_TEST(higher),  DEVICE_TEST(windows),
      DEVICE_TEST(wrapped_twice),
  };
  seed_random("graph");
  return cmocka_run_group_tests_name("graph", tests, NULL, NULL);
}
