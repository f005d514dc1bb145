/* Graphs made from functions: what is refused, what fails, and several threads. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support_graph.h"

enum { ONE = 4 };

/* What the function below is asked to do instead of giving twice its input. */
typedef enum Fault {
  NO_FAULT,
  FAILS_ITSELF,
  FAILS_OWN,
  GIVES_NO_STATUS,
  FAILS_IN_A_CALL,
  GIVES_NOTHING,
  GIVES_A_BAD_HANDLE,
  GIVES_ITS_INPUT,
  GIVES_OTHER,
  RECORDS_NOTHING,
  IGNORES_INPUT,
  WRITES_INPUT,
  READS_INPUT,
  RUNS_ITSELF,
  COMPILES_ITSELF,
  CLEARS_CAPTURE,
  COMPILES_CAPTURE,
  CLEARS_ITSELF,
  RELEASES_ITSELF,
  RUNS_OTHER
} Fault;

typedef struct Host {
  Fixture* fixture;
  netcl_graph* graph; /* its own */
  netcl_graph* other;
  netcl_tensor* x;
  netcl_tensor* result; /* of the other graph */
  Fault fault;
  atomic_int calls;
  atomic_int destroyed;
  atomic_int waiting; /* calls that have begun to wait for `go` */
  atomic_int go;
  int waits;
} Host;

static void destroy(void* user_data) { ++((Host*)user_data)->destroyed; }

static netcl_status twice_of(netcl_tensor* x, const netcl_run_options* run, netcl_tensor** made) {
  return netcl_op_expression_text("2 * v0", &x, 1, NULL, run, made);
}

static netcl_status run_on(netcl_graph* graph, netcl_tensor* x, netcl_tensor** made) {
  uint32_t count = 0;
  return netcl_graph_evaluate(graph, &x, 1, NULL, made, 1, &count);
}

static netcl_status with_fault(Host* host, const netcl_graph_call* call, netcl_tensor** outputs) {
  netcl_tensor *const x = call->inputs[0], *wrong = NULL;
  float values[ONE];
  netcl_run_options run = *call->run;
  netcl_status status = NETCL_OK;
  switch (host->fault) {
    case FAILS_ITSELF:
      return NETCL_ERROR_TIMEOUT;
    case FAILS_OWN:
      OK(netcl_last_error_set(-1234, 0, "a status of the host's"));
      return -1234;
    case GIVES_NO_STATUS:
      return 7;
    case FAILS_IN_A_CALL:
      return netcl_op_expression_text("v0 +", &x, 1, NULL, call->run, outputs);
    case GIVES_NOTHING:
      return NETCL_OK;
    case GIVES_A_BAD_HANDLE:
      outputs[0] = (netcl_tensor*)(uintptr_t)12345;
      return NETCL_OK;
    case GIVES_ITS_INPUT:
      status = twice_of(x, call->run, &wrong);
      netcl_tensor_release(wrong);
      outputs[0] = x;
      return status != NETCL_OK ? status : netcl_tensor_retain(x);
    case GIVES_OTHER:
      status = twice_of(x, call->run, &wrong);
      netcl_tensor_release(wrong);
      outputs[0] = host->x;
      return status != NETCL_OK ? status : netcl_tensor_retain(host->x);
    case RECORDS_NOTHING:
      outputs[0] = host->x;
      return netcl_tensor_retain(host->x);
    case IGNORES_INPUT:
      return twice_of(host->x, call->run, outputs);
    case WRITES_INPUT:
      run.into = x;
      status = netcl_op_expression_text("v0 + 1", &x, 1, NULL, &run, NULL);
      return status != NETCL_OK ? status : twice_of(x, call->run, outputs);
    case READS_INPUT:
      return netcl_tensor_read(x, values, sizeof values, NULL, NETCL_WAIT_FOREVER);
    case RUNS_ITSELF:
      return run_on(host->graph, host->x, outputs);
    case COMPILES_ITSELF:
      return netcl_graph_compile(host->graph, &host->x, 1, NULL, 0, NULL);
    case CLEARS_CAPTURE:
      status = netcl_graph_clear(call->run->graph);
      return status != NETCL_OK ? status : twice_of(x, call->run, outputs);
    case COMPILES_CAPTURE:
      status = twice_of(x, call->run, outputs);
      if (status != NETCL_OK) return status;
      return netcl_graph_compile(call->run->graph, call->inputs, 1, outputs, 1, NULL);
    case CLEARS_ITSELF:
      status = netcl_graph_clear(host->graph);
      break;
    case RELEASES_ITSELF:
      netcl_graph_release(host->graph);
      break;
    case RUNS_OTHER:
      status = run_on(host->other, host->x, &host->result);
      break;
    case NO_FAULT:
      break;
  }
  return status != NETCL_OK ? status : twice_of(x, call->run, outputs);
}

static netcl_status faulty(const netcl_graph_call* call, netcl_tensor** outputs, void* user_data) {
  Host* const host = user_data;
  ++host->calls;
  ++host->waiting;
  while (host->waits && !host->go) usleep(500);
  return with_fault(host, call, outputs);
}

static void begin(Fixture* fixture, Host* host, Fault fault) {
  memset(host, 0, sizeof *host);
  host->fixture = fixture;
  host->fault = fault;
  host->x = counting_vector(fixture, ONE, 1);
  OK(netcl_graph_create_from_function(fixture->device, faulty, host, destroy, 1, NULL,
                                      &host->graph));
}

static void end(Host* host) {
  if (host->fault != RELEASES_ITSELF) netcl_graph_release(host->graph);
  assert_int_equal(host->destroyed, 1);
  netcl_tensor_release(host->x);
}

/* ---- Faults of the function ------------------------------------------------------------------ */

static void faults(void** state) {
  Fixture* fixture = *state;
  static const struct {
    Fault fault;
    netcl_status status;
    const char* message;
  } kCases[] = {
      {FAILS_ITSELF, NETCL_ERROR_TIMEOUT, "function returned"},
      {FAILS_OWN, -1234, "a status of the host's"},
      {GIVES_NO_STATUS, NETCL_ERROR_INVALID_ARGUMENT, "function returned 7, which is no status"},
      {FAILS_IN_A_CALL, NETCL_ERROR_INVALID_ARGUMENT, "column"},
      {GIVES_NOTHING, NETCL_ERROR_INVALID_ARGUMENT, "left outputs[0] NULL"},
      {GIVES_A_BAD_HANDLE, NETCL_ERROR_INVALID_HANDLE, "the function's outputs[0]"},
      {GIVES_ITS_INPUT, NETCL_ERROR_INVALID_ARGUMENT, "what the function recorded: outputs[0]"},
      {GIVES_OTHER, NETCL_ERROR_INVALID_ARGUMENT, "is nothing that a call of the graph gives"},
      {RECORDS_NOTHING, NETCL_ERROR_INVALID_ARGUMENT, "the graph has no calls"},
      {IGNORES_INPUT, NETCL_ERROR_INVALID_ARGUMENT, "no output depends on inputs[0]"},
      {WRITES_INPUT, NETCL_ERROR_INVALID_ARGUMENT, "a run only reads its inputs"},
      {READS_INPUT, NETCL_ERROR_INVALID_ARGUMENT, "no content"},
      {RUNS_ITSELF, NETCL_ERROR_INVALID_ARGUMENT, "the function of a graph runs that graph"},
      {COMPILES_ITSELF, NETCL_ERROR_INVALID_ARGUMENT, "the function of a graph runs that graph"},
      {CLEARS_CAPTURE, NETCL_ERROR_INVALID_ARGUMENT, "calls that are cleared"},
      {COMPILES_CAPTURE, NETCL_ERROR_INVALID_ARGUMENT, "the graph is compiled"},
  };
  for (size_t i = 0; i < COUNT_OF(kCases); ++i) {
    Host host;
    begin(fixture, &host, kCases[i].fault);
    float poison[ONE];
    memset(poison, POISON, sizeof poison);
    netcl_tensor *into = graph_vector(fixture, ONE, poison), *untouched = host.x, *made = untouched;
    FAILS_WITH(kCases[i].status, kCases[i].message,
               netcl_graph_run(host.graph, &host.x, 1, &into, 1, NULL));
    CHECK_TENSOR(into, poison);
    uint32_t count = 99;
    FAILS_WITH(kCases[i].status, kCases[i].message,
               netcl_graph_evaluate(host.graph, &host.x, 1, NULL, &made, 1, &count));
    assert_ptr_equal(made, untouched);
    assert_int_equal(count, 99);
    FAILS_WITH(kCases[i].status, kCases[i].message,
               netcl_graph_compile(host.graph, &host.x, 1, NULL, 0, NULL));
    assert_int_equal(host.calls, 3);
    /* The graph stays usable. */
    host.fault = NO_FAULT;
    OK(netcl_graph_run(host.graph, &host.x, 1, &into, 1, NULL));
    GIVES(into, 2, 4, 6, 8);
    end(&host);
    netcl_tensor_release(into);
  }
}

/* What the function may do to its graph while a run waits for it. */
static void in_the_middle(void** state) {
  Fixture* fixture = *state;
  Host host;
  netcl_tensor* y = NULL;
  begin(fixture, &host, CLEARS_ITSELF);
  for (int i = 1; i <= 2; ++i) {
    /* What began before the graph was cleared is not kept. */
    OK(run_on(host.graph, host.x, &y));
    GIVES(y, 2, 4, 6, 8);
    netcl_tensor_release(y);
    assert_int_equal(host.calls, i);
  }
  end(&host);
  begin(fixture, &host, RELEASES_ITSELF);
  OK(run_on(host.graph, host.x, &y));
  GIVES(y, 2, 4, 6, 8);
  netcl_tensor_release(y);
  end(&host);
}

/* ---- Arguments ------------------------------------------------------------------------------- */

static void arguments(void** state) {
  Fixture* fixture = *state;
  Host host;
  begin(fixture, &host, NO_FAULT);
  netcl_graph *const graph = host.graph, *none = NULL;
  netcl_tensor *x = host.x, *y = NULL, *capture_value;
  uint32_t count = 0;
  netcl_graph_function_options options = NETCL_GRAPH_FUNCTION_OPTIONS_INIT;
  Host unused = {0};
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "function is NULL",
             netcl_graph_create_from_function(fixture->device, NULL, &unused, destroy, 1, NULL,
                                              &none));
  options.fuse = 7;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->fuse",
             netcl_graph_create_from_function(fixture->device, faulty, &unused, destroy, 1,
                                              &options, &none));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "graph is NULL",
             netcl_graph_create_from_function(fixture->device, faulty, &unused, destroy, 1, NULL,
                                              NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "outputs is 65537",
             netcl_graph_create_from_function(fixture->device, faulty, &unused, destroy, 65537,
                                              NULL, &none));
  assert_int_equal(unused.destroyed, 4);
  /* It is no graph to record into. */
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.graph = graph;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "run->graph is made from a function",
             twice_of(x, &run, &y));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "graph is made from a function",
             netcl_graph_add_gradients(graph, &x, 1, &x, 1, NULL, &y));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "run->graph",
             netcl_graph_evaluate(graph, &x, 1, &run, &y, 1, &count));
  run.graph = NULL;
  run.into = x;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "run->into",
             netcl_graph_evaluate(graph, &x, 1, &run, &y, 1, &count));
  netcl_graph_compile_options compile = NETCL_GRAPH_COMPILE_OPTIONS_INIT;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "outputs_count is 1",
             netcl_graph_compile(graph, &x, 1, &x, 1, NULL));
  compile.fuse = NETCL_OFF;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->fuse",
             netcl_graph_compile(graph, &x, 1, NULL, 0, &compile));
  netcl_tensor* two[2] = {x, x};
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "outputs_count is 2; the function of the graph gives 1",
             netcl_graph_run(graph, &x, 1, two, 2, NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "outputs is NULL while capacity is 1",
             netcl_graph_evaluate(graph, &x, 1, NULL, NULL, 1, &count));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "count is NULL",
             netcl_graph_evaluate(graph, &x, 1, NULL, &y, 1, NULL));
  netcl_run_options other = captured_calls(fixture);
  capture_value = formula("v0 + 1", x, NULL, &other);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "inputs[0] is a value of a capture",
             netcl_graph_evaluate(graph, &capture_value, 1, NULL, &y, 1, &count));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "the graph is not compiled",
             netcl_graph_evaluate(other.graph, &x, 1, NULL, &y, 1, &count));
  assert_null(y);
  /* The function was called for none of these, nor to be asked for the number of outputs. */
  OK(netcl_graph_evaluate(graph, &x, 1, NULL, NULL, 0, &count));
  assert_int_equal(count, 1);
  assert_int_equal(host.calls, 0);
  /* Outputs of another shape are known when it was called. */
  netcl_tensor* longer = counting_vector(fixture, ONE + 1, 0);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "outputs[0] has shape",
             netcl_graph_run(graph, &x, 1, &longer, 1, NULL));
  GIVES(longer, 0, 1, 2, 3, 4);
  end(&host);
  RELEASE(longer, capture_value);
  netcl_graph_release(other.graph);
}

/* ---- Threads --------------------------------------------------------------------------------- */

enum { THREADS = 6 };

typedef struct Runner {
  pthread_t thread;
  Host* host;
  netcl_graph* graph;
  netcl_tensor *x, *y;
  netcl_status status;
  char message[64];
} Runner;

static void* run_once(void* given) {
  Runner* const runner = given;
  runner->status = run_on(runner->graph, runner->x, &runner->y);
  snprintf(runner->message, sizeof runner->message, "%s", netcl_last_error_message());
  return NULL;
}

static void start(Runner* runner, Host* host, netcl_tensor* x) {
  *runner = (Runner){.host = host, .graph = host->graph, .x = x};
  assert_int_equal(pthread_create(&runner->thread, NULL, run_once, runner), 0);
}

/* One of them calls the function. Who has a form already waits for nobody. */
static void single_flight(void** state) {
  Fixture* fixture = *state;
  for (int fails = 0; fails < 2; ++fails) {
    Host host;
    begin(fixture, &host, fails ? FAILS_ITSELF : NO_FAULT);
    netcl_tensor *warm = counting_vector(fixture, 2, 1), *y = NULL;
    host.fault = NO_FAULT;
    OK(run_on(host.graph, warm, &y));
    host.fault = fails ? FAILS_ITSELF : NO_FAULT;
    host.waits = 1;
    host.waiting = 0;
    Runner runners[THREADS];
    for (int i = 0; i < THREADS; ++i) start(&runners[i], &host, host.x);
    while (!host.waiting) usleep(500);
    usleep(20000);
    netcl_tensor_release(y);
    OK(run_on(host.graph, warm, &y));
    GIVES(y, 2, 4);
    netcl_graph_info info = NETCL_GRAPH_INFO_INIT;
    OK(netcl_graph_get_info(host.graph, &info));
    assert_int_equal(info.form_count, 1);
    host.go = 1;
    for (int i = 0; i < THREADS; ++i) pthread_join(runners[i].thread, NULL);
    for (int i = 0; i < THREADS; ++i) {
      assert_int_equal(runners[i].status, fails ? NETCL_ERROR_TIMEOUT : NETCL_OK);
      if (fails) {
        assert_string_equal(runners[i].message, "function returned -14 (NETCL_ERROR_TIMEOUT)");
      }
      if (!fails) GIVES(runners[i].y, 2, 4, 6, 8);
      netcl_tensor_release(runners[i].y);
    }
    /* Threads that come late make a call of their own where the one before failed. */
    CHECK(host.calls == 2 || fails, "%d calls of the function", host.calls);
    end(&host);
    RELEASE(warm, y);
  }
}

/* Two threads in functions that run each other's graph with the inputs that the other compiles:
 * each is told, and none waits for the other. */
static void crossed(void** state) {
  Fixture* fixture = *state;
  Host hosts[2];
  Runner runners[2];
  for (int i = 0; i < 2; ++i) {
    begin(fixture, &hosts[i], RUNS_OTHER);
    hosts[i].waits = 1;
  }
  for (int i = 0; i < 2; ++i) {
    hosts[i].other = hosts[1 - i].graph;
    start(&runners[i], &hosts[i], hosts[i].x);
  }
  while (!hosts[0].waiting || !hosts[1].waiting) usleep(500);
  hosts[0].go = hosts[1].go = 1;
  for (int i = 0; i < 2; ++i) {
    pthread_join(runners[i].thread, NULL);
    assert_int_equal(runners[i].status, NETCL_ERROR_INVALID_ARGUMENT);
  }
  for (int i = 0; i < 2; ++i) end(&hosts[i]);
}

/* Another graph is run, whose result is a constant. */
static void other_graphs(void** state) {
  Fixture* fixture = *state;
  Host hosts[2];
  netcl_tensor* y = NULL;
  begin(fixture, &hosts[0], RUNS_OTHER);
  begin(fixture, &hosts[1], NO_FAULT);
  hosts[0].other = hosts[1].graph;
  OK(run_on(hosts[0].graph, hosts[0].x, &y));
  GIVES(y, 2, 4, 6, 8);
  GIVES(hosts[0].result, 2, 4, 6, 8);
  RELEASE(y, hosts[0].result);
  end(&hosts[0]);
  end(&hosts[1]);
}

/* A function that returns in a child of fork(), too. It has no outputs, which nobody could use. */
typedef struct Forker {
  netcl_tensor* count;
  pid_t child;
} Forker;

static netcl_status forks(const netcl_graph_call* call, netcl_tensor** outputs, void* user_data) {
  Forker* const forker = user_data;
  netcl_run_options run = *call->run;
  netcl_tensor* const both[2] = {forker->count, call->inputs[0]};
  (void)outputs;
  run.into = forker->count;
  const netcl_status status = netcl_op_expression_text("v0 + v1", both, 2, NULL, &run, NULL);
  forker->child = fork();
  if (forker->child == 0) alarm(60);
  return status;
}

static void forked(void** state) {
  Fixture* fixture = *state;
  Forker forker = {counting_vector(fixture, 2, 0), -1};
  netcl_tensor* x = counting_vector(fixture, 2, 1);
  netcl_graph* graph = NULL;
  int ended = -1;
  OK(netcl_graph_create_from_function(fixture->device, forks, &forker, NULL, 0, NULL, &graph));
  const netcl_status status = netcl_graph_run(graph, &x, 1, NULL, 0, NULL);
  if (forker.child == 0) _exit(status == NETCL_ERROR_FORKED ? 0 : 1);
  OK(status);
  assert_int_equal(waitpid(forker.child, &ended, 0), forker.child);
  CHECK(WIFEXITED(ended) && WEXITSTATUS(ended) == 0, "the child ended with 0x%x", ended);
  GIVES(forker.count, 1, 3);
  RELEASE(x, forker.count);
  netcl_graph_release(graph);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(faults),        DEVICE_TEST(in_the_middle), DEVICE_TEST(arguments),
      DEVICE_TEST(single_flight), DEVICE_TEST(crossed),       DEVICE_TEST(other_graphs),
      DEVICE_TEST(forked)};
  return cmocka_run_group_tests_name("graph_function_rules", tests, NULL, NULL);
}
