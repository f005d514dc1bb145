/* What compiled graphs read may have failed to be written: what they make of it has failed too, by
 * whatever commands they do it. */
#include "support_gate_cl.h"

#include "support_graph.h"
#include "support_refusals.h"

enum { ROWS = 256, COLUMNS = 3000, ELEMENTS = ROWS * COLUMNS };
static const int64_t shape[2] = {ROWS, COLUMNS};
static float data[ELEMENTS];

static netcl_tensor* ones(Fixture* fixture) {
  const float one = 1;
  netcl_tensor* made = NULL;
  OK(netcl_tensor_create_full(fixture->device, NETCL_F32, 2, shape, NULL, &one, NULL, &made));
  return made;
}

static void launch(netcl_kernel* kernel, netcl_tensor* from, netcl_tensor* to,
                   const netcl_run_options* run) {
  const uint64_t size = ELEMENTS;
  const netcl_arg args[2] = {{.kind = NETCL_ARG_TENSOR, .tensor = to},
                             {.kind = NETCL_ARG_TENSOR_READ_ONLY, .tensor = from}};
  OK(netcl_kernel_launch(kernel, &size, 1, NULL, 0, args, 2, NULL, run));
}

static void check_failed(const netcl_tensor* tensor, const char* what, int round) {
  const netcl_status status = netcl_tensor_read(tensor, data, sizeof data, NULL, LONG_WAIT);
  CHECK(status == NETCL_ERROR_LAUNCH_FAILURE, "round %d: reading %s gives %d", round, what,
        (int)status);
}
static void check_all(const netcl_tensor* tensor, float value, const char* what, int round) {
  OK(netcl_tensor_read(tensor, data, sizeof data, NULL, LONG_WAIT));
  for (int i = 0; i < ELEMENTS; ++i) {
    CHECK(data[i] == value, "round %d: %s[%d] is %g, not %g", round, what, i, data[i], value);
  }
}

/* The first launch reads w and writes y, the second one writes w. An op changes v in place. */
static void what_they_read_has_failed(void** state) {
  Fixture* fixture = *state;
  NEEDS_OPENCL(fixture);
  if (HAS_ASAN || HAS_TSAN || fixture->kernels) SKIP("no function of the host fails here");
  test_thread = pthread_self();
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  options.source =
      "__kernel void twice(__global float *y, __global const float *x) {"
      "  y[get_global_id(0)] = 2 * x[get_global_id(0)]; }";
  netcl_kernel* kernel = NULL;
  OK(netcl_kernel_create(fixture->device, "twice", &options, &kernel));
  OK(netcl_kernel_build(kernel));
  netcl_tensor *x = ones(fixture), *w = ones(fixture), *y = ones(fixture), *v = ones(fixture),
               *out = ones(fixture), *copied = NULL;
  netcl_run_options run = captured_calls(fixture), into = NETCL_RUN_OPTIONS_INIT;
  launch(kernel, w, y, &run);
  launch(kernel, x, w, &run);
  formula_into("v0 + 1", v, NULL, v, &run);
  OK(netcl_op_copy(y, &run, &copied));
  OK(netcl_graph_compile(run.graph, &x, 1, &copied, 1, NULL));
  for (int round = 0; round < 8; ++round) {
    netcl_tensor* const fails = round % 4 == 2 ? w : round % 4 == 3 ? v : NULL;
    fill(v, 5, NULL, NULL);
    fill(w, 3, NULL, NULL);
    settle(fixture);
    into.into = fails;
    atomic_store(&refusals, fails != NULL ? 3 : 0);
    if (fails != NULL) OK(netcl_op_scan(x, NETCL_REDUCTION_SUM, 1, NULL, &into, NULL));
    OK(netcl_graph_run(run.graph, &x, 1, &out, 1, NULL));
    (void)netcl_tensor_wait(v, LONG_WAIT);
    (void)netcl_tensor_wait(out, LONG_WAIT);
    atomic_store(&refusals, 0);
    if (fails == w) {
      check_failed(y, "y", round);
      check_failed(out, "the output", round);
    } else {
      check_all(y, 6, "y", round);
      check_all(out, 6, "the output", round);
      check_all(w, 2, "w", round);
    }
    if (fails == v) check_failed(v, "v", round);
    if (fails != v) check_all(v, 6, "v", round);
    (void)netcl_device_finish(fixture->device, LONG_WAIT);
  }
  netcl_tensor* const all[] = {x, w, y, v, out, copied};
  release_tensors(all, COUNT_OF(all));
  netcl_graph_release(run.graph);
  netcl_kernel_release(kernel);
}

static void settle_failed(Fixture* fixture) {
  (void)netcl_device_finish(fixture->device, LONG_WAIT);
}

static void check_event_failed(netcl_event* event, const char* what) {
  const netcl_status status = netcl_event_wait(event, LONG_WAIT);
  CHECK(status == NETCL_ERROR_LAUNCH_FAILURE, "the event of %s gives %d", what, (int)status);
  netcl_event_release(event);
}

/* A run's event is that of all its commands, so it fails with the first of two outputs, too; and
 * that of gradients with any of them. */
static void events_are_of_all(void** state) {
  Fixture* fixture = *state;
  NEEDS_OPENCL(fixture);
  if (HAS_ASAN || HAS_TSAN || fixture->kernels) SKIP("no function of the host fails here");
  test_thread = pthread_self();
  netcl_tensor *x = ones(fixture), *w = ones(fixture);
  netcl_tensor *given[2] = {ones(fixture), ones(fixture)}, *outputs[2] = {NULL, NULL};
  netcl_run_options run = captured_calls(fixture), into = NETCL_RUN_OPTIONS_INIT;
  OK(netcl_op_scan(w, NETCL_REDUCTION_SUM, 1, NULL, &run, &outputs[0]));
  OK(netcl_op_scan(x, NETCL_REDUCTION_SUM, 1, NULL, &run, &outputs[1]));
  OK(netcl_graph_compile(run.graph, &x, 1, outputs, 2, NULL));
  into.into = w;
  settle(fixture);
  netcl_event* event = NULL;
  netcl_run_options timed = NETCL_RUN_OPTIONS_INIT;
  timed.event = &event;
  atomic_store(&refusals, 1);
  OK(netcl_op_scan(x, NETCL_REDUCTION_SUM, 1, NULL, &into, NULL));
  OK(netcl_graph_run(run.graph, &x, 1, given, 2, &timed));
  check_event_failed(event, "a run");
  atomic_store(&refusals, 0);
  check_failed(given[0], "the first output", 0);
  OK(netcl_tensor_wait(given[1], LONG_WAIT));
  settle_failed(fixture);

  netcl_run_options tape = recorded(fixture);
  netcl_tensor *sums = NULL, *loss = NULL, *gradient = NULL;
  OK(netcl_op_scan(x, NETCL_REDUCTION_SUM, 1, NULL, &tape, &sums));
  OK(netcl_op_reduce(sums, NETCL_REDUCTION_SUM, NULL, &tape, &loss));
  settle(fixture);
  netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  options.event = &event;
  atomic_store(&refusals, 1);
  OK(netcl_graph_add_gradients(tape.graph, &loss, 1, &x, 1, &options, &gradient));
  check_event_failed(event, "gradients");
  atomic_store(&refusals, 0);
  check_failed(gradient, "the gradient", 0);
  settle_failed(fixture);
  netcl_tensor* const all[] = {x,          w,    given[0], given[1], outputs[0],
                               outputs[1], sums, loss,     gradient};
  release_tensors(all, COUNT_OF(all));
  netcl_graph_release(run.graph);
  netcl_graph_release(tape.graph);
}

/* Where a queue takes commands in any order, the last one says nothing of those before it. */
static void events_wait_for_all(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_tensor *x = ones(fixture), *w = ones(fixture);
  netcl_tensor *given[2] = {ones(fixture), ones(fixture)}, *outputs[2] = {NULL, NULL};
  netcl_run_options run = captured_calls(fixture), into = NETCL_RUN_OPTIONS_INIT;
  OK(netcl_op_scan(w, NETCL_REDUCTION_SUM, 1, NULL, &run, &outputs[0]));
  OK(netcl_op_scan(x, NETCL_REDUCTION_SUM, 1, NULL, &run, &outputs[1]));
  OK(netcl_graph_compile(run.graph, &x, 1, outputs, 2, NULL));
  netcl_queue_options options = NETCL_QUEUE_OPTIONS_INIT;
  options.out_of_order = 1;
  OK(netcl_queue_create(fixture->device, &options, &into.queue));
  settle(fixture);
  /* The first output stands behind a write that a gate holds back. */
  const Gate gate = make_gate(fixture);
  netcl_event *event = NULL, *const gates[] = {gate.event};
  netcl_run_options timed = NETCL_RUN_OPTIONS_INIT;
  timed.queue = into.queue;
  timed.event = &event;
  into.into = w;
  into.waits = gates;
  into.waits_count = 1;
  OK(netcl_op_copy(x, &into, NULL));
  OK(netcl_graph_run(run.graph, &x, 1, given, 2, &timed));
  assert_int_equal(netcl_event_wait(event, 300 * MS), NETCL_ERROR_TIMEOUT);
  open_gate(gate);
  OK(netcl_event_wait(event, LONG_WAIT));
  OK(netcl_queue_finish(into.queue, LONG_WAIT));
  netcl_event_release(event);
  drop_gate(gate);
  netcl_queue_release(into.queue);
  netcl_tensor *const all[] = {x, w, given[0], given[1], outputs[0], outputs[1]};
  release_tensors(all, COUNT_OF(all));
  netcl_graph_release(run.graph);
}

int main(void) {
  seed_random("graph_failures_cl");
  const struct CMUnitTest tests[] = {DEVICE_TEST(what_they_read_has_failed),
                                     DEVICE_TEST(events_are_of_all),
                                     GATE_TEST(events_wait_for_all)};
  return cmocka_run_group_tests_name("graph_failures_cl", tests, NULL, NULL);
}
