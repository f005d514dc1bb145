/* Captures: parts of inputs, and several threads. */
#include <math.h>
#include <pthread.h>

#include "support_graph.h"
#include "support_process.h"

static netcl_tensor* block(netcl_tensor* tensor, int64_t row, int64_t rows, int64_t column,
                           int64_t columns) {
  netcl_tensor* view = NULL;
  OK(netcl_tensor_slice(tensor, (netcl_range[]){{row, rows, 1}, {column, columns, 1}}, 2, &view));
  return view;
}

/* Parts of an input that has gaps, and what lies in the gaps. */
static void parts(void** state) {
  Fixture* fixture = *state;
  float values[16];
  for (int i = 0; i < 16; ++i) values[i] = (float)i;
  netcl_tensor* all = make_tensor(fixture->device, NETCL_F32, 2, (int64_t[]){4, 4}, values);
  netcl_tensor *input = block(all, 1, 2, 1, 2), *given = block(all, 2, 2, 0, 2);
  static const int64_t kBlocks[][5] = {/* row, rows, column, columns, whether it is a part */
                                       {1, 2, 1, 2, 1}, {2, 1, 1, 2, 1}, {1, 2, 2, 1, 1},
                                       {1, 1, 1, 3, 0}, {1, 2, 0, 2, 0}, {2, 1, 0, 2, 0}};
  for (size_t i = 0; i < COUNT_OF(kBlocks); ++i) {
    const int64_t* at = kBlocks[i];
    netcl_run_options run = captured_calls(fixture);
    netcl_tensor* read = block(all, at[0], at[1], at[2], at[3]);
    netcl_tensor* made = formula("v0 * 2", read, NULL, &run);
    if (at[4] == 0) {
      FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "no part of it",
                 netcl_graph_compile(run.graph, &input, 1, &made, 1, NULL));
    } else {
      OK(netcl_graph_compile(run.graph, &input, 1, &made, 1, NULL));
      float wanted[4];
      for (int64_t k = 0; k < at[1] * at[3]; ++k) {
        const int64_t row = at[0] + 1 + k / at[3], column = at[2] - 1 + k % at[3];
        wanted[k] = 2 * values[4 * row + column];
      }
      netcl_tensor* out =
          make_tensor(fixture->device, NETCL_F32, 2, (int64_t[]){at[1], at[3]}, values);
      OK(netcl_graph_run(run.graph, &given, 1, &out, 1, NULL));
      CHECK_TENSOR(out, wanted);
      /* Packed as well. */
      netcl_tensor* packed = NULL;
      OK(netcl_op_copy(given, NULL, &packed));
      OK(netcl_graph_run(run.graph, &packed, 1, &out, 1, NULL));
      CHECK_TENSOR(out, wanted);
      RELEASE(out, packed);
    }
    RELEASE(read, made);
    netcl_graph_release(run.graph);
  }
  RELEASE(all, input, given);
}

/* ---- Several threads run one graph ----------------------------------------------------------- */

enum { THREADS = 4, RUNS = 20 };

typedef struct Runner {
  pthread_t thread;
  Fixture* fixture;
  netcl_graph* graph;
  netcl_queue* queue;
  netcl_tensor *in, *out;
  netcl_status status;
} Runner;

static void* run_often(void* given) {
  Runner* const runner = given;
  netcl_run_options how = NETCL_RUN_OPTIONS_INIT;
  how.queue = runner->queue;
  for (int i = 0; i < RUNS && runner->status == NETCL_OK; ++i) {
    runner->status = netcl_graph_run(runner->graph, &runner->in, 1, &runner->out, 1, &how);
  }
  return NULL;
}

static void threads(void** state) {
  Fixture* fixture = *state;
  netcl_run_options run = captured_calls(fixture);
  netcl_tensor *x = counting_vector(fixture, 32, 0), *count = counting_vector(fixture, 1, 0), *sum,
               *y;
  netcl_tensor *a = formula("exp(v0 * 0.0625)", x, NULL, &run), *total = sum_of(a, &run);
  sum = formula("v0 / v1", a, total, &run);
  y = formula("v0 * 2", sum, NULL, &run);
  formula_into("v0 + 1", count, NULL, count, &run);
  OK(netcl_graph_compile(run.graph, &x, 1, &y, 1, NULL));
  Runner runners[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    netcl_queue_options options = NETCL_QUEUE_OPTIONS_INIT;
    options.out_of_order = i % 2;
    runners[i] = (Runner){.fixture = fixture, .graph = run.graph};
    runners[i].in = counting_vector(fixture, 32, i);
    runners[i].out = counting_vector(fixture, 32, -1);
    OK(netcl_queue_create(fixture->device, &options, &runners[i].queue));
  }
  for (int i = 0; i < THREADS; ++i) {
    assert_int_equal(pthread_create(&runners[i].thread, NULL, run_often, &runners[i]), 0);
  }
  for (int i = 0; i < THREADS; ++i) pthread_join(runners[i].thread, NULL);
  netcl_graph_release(run.graph);
  for (int i = 0; i < THREADS; ++i) {
    OK(runners[i].status);
    float* values = read_tensor(runners[i].out);
    double wanted[32], all = 0;
    for (int k = 0; k < 32; ++k) all += wanted[k] = exp((i + k) * 0.0625);
    for (int k = 0; k < 32; ++k) {
      CHECK(fabs(values[k] - 2 * wanted[k] / all) <= 1e-5, "thread %d, element %d: %.9g", i, k,
            values[k]);
    }
    free(values);
    RELEASE(runners[i].in, runners[i].out);
    netcl_queue_release(runners[i].queue);
  }
  GIVES(count, THREADS * RUNS);
  RELEASE(x, count, sum, y, a, total);
}

/* A graph that was compiled by hand gives new outputs, too. */
static void evaluate_captures(void** state) {
  Fixture* fixture = *state;
  netcl_run_options run = captured_calls(fixture);
  netcl_tensor *x = counting_vector(fixture, 3, 1), *z = counting_vector(fixture, 3, 4), *y[2];
  netcl_tensor* made[3] = {NULL, NULL, NULL};
  uint32_t count = 0;
  y[0] = formula("tanh(v0) * 0 + v0", x, NULL, &run);
  y[1] = formula("3 * v0", y[0], NULL, &run);
  OK(netcl_graph_compile(run.graph, &x, 1, y, 2, NULL));
  OK(netcl_graph_evaluate(run.graph, &z, 1, NULL, made, 1, &count));
  assert_int_equal(count, 2);
  assert_null(made[0]);
  OK(netcl_graph_evaluate(run.graph, &z, 1, NULL, made, 3, &count));
  assert_int_equal(count, 2);
  assert_null(made[2]);
  GIVES(made[0], 4, 5, 6);
  GIVES(made[1], 12, 15, 18);
  RELEASE(made[0], made[1]);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "inputs_count is 0",
             netcl_graph_evaluate(run.graph, NULL, 0, NULL, made, 2, &count));
  netcl_graph_release(run.graph);
  /* Nothing but a write. */
  netcl_run_options step = captured_calls(fixture);
  formula_into("v0 + 1", z, NULL, z, &step);
  OK(netcl_graph_compile(step.graph, NULL, 0, NULL, 0, NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "gives no outputs",
             netcl_graph_evaluate(step.graph, NULL, 0, NULL, made, 3, &count));
  OK(netcl_graph_run(step.graph, NULL, 0, NULL, 0, NULL));
  GIVES(z, 5, 6, 7);
  netcl_graph_release(step.graph);
  RELEASE(x, z, y[0], y[1]);
}

/* ---- The same calls once more ---------------------------------------------------------------- */

static uint64_t builds(void) {
  netcl_program_cache_info info = NETCL_PROGRAM_CACHE_INFO_INIT;
  OK(netcl_program_cache_get_info(&info));
  return info.source_builds;
}

/* A product, a softmax and elementwise calls with their gradients. */
static netcl_tensor* some_calls(netcl_tensor* x, const netcl_run_options* run) {
  netcl_tensor *product = NULL, *rows = NULL, *made, *sum, *result;
  OK(netcl_op_matmul(x, x, NULL, run, &product));
  OK(netcl_op_softmax(product, 1, run, &rows));
  made = formula("tanh(v0) * v1", rows, x, run);
  sum = sum_of(made, run);
  result = gradient(run, sum, x);
  RELEASE(product, rows, made, sum);
  return result;
}

/* Another capture of the same calls, and the same one when it was cleared, compile nothing. */
static void compiled_twice(void** state) {
  Fixture* fixture = *state;
  netcl_tensor *x = counting_vector(fixture, 16, -8), *square = NULL;
  netcl_run_options runs[2] = {captured_calls(fixture), captured_calls(fixture)};
  uint64_t before = builds(), once = 0;
  OK(netcl_tensor_reshape(x, 2, (int64_t[]){4, 4}, NULL, &square));
  for (int i = 0; i < 3; ++i) {
    const netcl_run_options* const run = &runs[i % 2];
    OK(netcl_graph_clear(run->graph));
    netcl_tensor* const y = some_calls(square, run);
    OK(netcl_graph_compile(run->graph, &square, 1, &y, 1, NULL));
    if (i == 0) once = builds();
    assert_int_equal(builds(), once);
    netcl_tensor_release(y);
  }
  print_message("compiled %d programs, then none\n", (int)(once - before));
  for (int i = 0; i < 2; ++i) netcl_graph_release(runs[i].graph);
  RELEASE(x, square);
}

/* ---- Who asks while another thread compiles -------------------------------------------------- */

typedef struct Compiler {
  netcl_graph* graph;
  netcl_tensor *x, *y;
  netcl_status status;
  _Atomic int state; /* 1: about to compile, 2: done */
} Compiler;

static void* compile_it(void* given) {
  Compiler* compiler = given;
  compiler->state = 1;
  compiler->status = netcl_graph_compile(compiler->graph, &compiler->x, 1, &compiler->y, 1, NULL);
  compiler->state = 2;
  return NULL;
}

enum { ENOUGH = 5 };

/* Calls enough that making their steps takes a while, in which the graph answers, records nothing
 * and is not compiled a second time. */
static void ask_meanwhile(Fixture* fixture, int* answers, int* refusals) {
  enum { MOST = 1500 };
  const int calls = only_sanitized() ? MOST / 3 : MOST;
  const float values[] = {1, 2, 3};
  const netcl_run_options run = captured_calls(fixture);
  netcl_tensor *x = graph_vector(fixture, 3, values), *all[MOST], *again = NULL;
  all[0] = formula("v0 * 0.5", x, NULL, &run);
  for (int i = 1; i < calls; ++i) {
    char text[64];
    snprintf(text, sizeof text, "v0 * 0.25 + v1 * %d", i % 7);
    all[i] = formula(text, all[i - 1], all[i * 7 / 8], &run);
  }
  Compiler compiler = {.graph = run.graph, .x = x, .y = all[calls - 1]};
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, compile_it, &compiler), 0);
  netcl_graph_info info = NETCL_GRAPH_INFO_INIT;
  while (compiler.state == 0) process_sleep_ms(0);
  process_sleep_ms(1);
  while (compiler.state == 1 && (*answers < ENOUGH || *refusals < ENOUGH)) {
    OK(netcl_graph_get_info(run.graph, &info));
    if (info.step_count != 0) break;
    assert_true(info.call_count >= (uint32_t)calls);
    ++*answers;
    const netcl_status status = netcl_op_copy(x, &run, &again);
    if (status == NETCL_ERROR_INVALID_ARGUMENT &&
        strstr(netcl_last_error_message(), "is being compiled by another thread") != NULL) {
      ++*refusals;
      FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "the graph is",
                 netcl_graph_compile(run.graph, &x, 1, &all[calls - 1], 1, NULL));
    } else if (status == NETCL_OK) { /* it has not begun */
      RELEASE(again);
    }
    process_sleep_ms(1);
  }
  pthread_join(thread, NULL);
  OK(compiler.status);
  OK(netcl_graph_get_info(run.graph, &info));
  assert_true(info.step_count > 0);
  /* It runs, and gives what calls one by one do. */
  netcl_tensor *out = poisoned_like(fixture, x), *copies[MOST];
  OK(netcl_graph_run(run.graph, &x, 1, &out, 1, NULL));
  copies[0] = formula("v0 * 0.5", x, NULL, NULL);
  for (int i = 1; i < calls; ++i) {
    char text[64];
    snprintf(text, sizeof text, "v0 * 0.25 + v1 * %d", i % 7);
    copies[i] = formula(text, copies[i - 1], copies[i * 7 / 8], NULL);
  }
  check_same_bits(out, copies[calls - 1], "compiled meanwhile", 0);
  release_tensors(all, calls);
  release_tensors(copies, calls);
  RELEASE(x, out);
  netcl_graph_release(run.graph);
}

/* On a busy machine this thread may run seldom while another one compiles. */
static void asked_meanwhile(void** state) {
  enum { ROUNDS = 50 };
  int answers = 0, refusals = 0, round = 0;
  while (round < ROUNDS && (answers < ENOUGH || refusals < ENOUGH)) {
    ask_meanwhile(*state, &answers, &refusals);
    ++round;
  }
  print_message("%d answers and %d refusals in %d rounds\n", answers, refusals, round);
  assert_true(answers >= ENOUGH && refusals >= ENOUGH);
}

/* A graph that is cleared while it is compiled is empty, and records again. */
static void cleared_meanwhile(void** state) {
  Fixture* fixture = *state;
  const float values[] = {1, 2, 3};
  for (int round = 0; round < sanitized_rounds(20); ++round) {
    const netcl_run_options run = captured_calls(fixture);
    netcl_tensor *x = graph_vector(fixture, 3, values), *all[64];
    all[0] = formula("v0 * 0.5", x, NULL, &run);
    for (int i = 1; i < 64; ++i) all[i] = formula("v0 * 2 + v1", all[i - 1], all[i / 2], &run);
    Compiler compiler = {.graph = run.graph, .x = x, .y = all[63]};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, compile_it, &compiler), 0);
    while (compiler.state == 0) continue;
    OK(netcl_graph_clear(run.graph));
    pthread_join(thread, NULL);
    /* It was compiled before it was cleared, or meanwhile, or had no calls any more. */
    if (compiler.status != NETCL_OK) {
      assert_int_equal(compiler.status, NETCL_ERROR_INVALID_ARGUMENT);
    }
    assert_int_equal(call_count(run.graph), 0);
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "the graph is not compiled",
               netcl_graph_run(run.graph, &x, 1, &x, 1, NULL));
    netcl_tensor *y = formula("v0 + 1", x, NULL, &run), *out = poisoned_like(fixture, x);
    OK(netcl_graph_compile(run.graph, &x, 1, &y, 1, NULL));
    OK(netcl_graph_run(run.graph, &x, 1, &out, 1, NULL));
    GIVES(out, 2, 3, 4);
    release_tensors(all, 64);
    RELEASE(x, y, out);
    netcl_graph_release(run.graph);
  }
}

int main(void) {
  seed_random("graph_capture_edges");
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(parts),          DEVICE_TEST(threads),         DEVICE_TEST(evaluate_captures),
      DEVICE_TEST(compiled_twice), DEVICE_TEST(asked_meanwhile), DEVICE_TEST(cleared_meanwhile),
      DEVICE_TEST(as_kernels)};
  return cmocka_run_group_tests_name("graph_capture_edges", tests, NULL, NULL);
}
