/* Launches of compiled graphs that the driver keeps as command buffers: the same results as of
 * launches one by one, whatever becomes of tensors, queues and the graph meanwhile. */
#include <pthread.h>

#include "support_batches.h"
#include "support_process.h"

/* In a process of its own with NETCL_COMMAND_BUFFERS=0. */
static int switched_off(void) {
  Fixture fixture;
  BatchCase made;
  memset(&fixture, 0, sizeof fixture);
  CHILD_OK(netcl_device_open(test_selector(), NULL, &fixture.device));
  batch_case(&fixture, &made);
  netcl_tensor *in = batch_input(&fixture, 3), *out = batch_input(&fixture, 0);
  for (int i = 0; i < 4; ++i) CHILD_OK(batch_run(&made, in, out, NULL));
  check_batch_output(out, 3, "switched off", 0);
  check_batches_told(made.graph, "NETCL_COMMAND_BUFFERS is 0");
  CHILD_CHECK(batch_number(made.graph, "runs") == 0);
  RELEASE(in, out);
  batch_case_free(&made);
  netcl_device_release(fixture.device);
  return 0;
}

static void the_variable(void** state) {
  static const char* const kOff[] = {"NETCL_COMMAND_BUFFERS=0", NULL};
  Fixture* fixture = *state;
  process_result result;
  if (!fixture->opencl) SKIP("of OpenCL devices");
  process_run_self("switched_off", kOff, 120, &result);
  process_expect_exit(&result, 0);
}

/* 1 where the driver of the device under test has them. Where nothing is said of the driver the
 * launches have to be there. */
static int has_batches(Fixture* fixture) {
  static const char* const kWithout[] = {
      "the driver has no cl_khr_command_buffer", "the driver has cl_khr_command_buffer but no",
      "the OpenCL loader has no", "the driver wants queues with", "the driver has version",
      "NETCL_COMMAND_BUFFERS is 0"};
  BatchCase made;
  int without = 0;
  if (!fixture->opencl) return 0;
  batch_case(fixture, &made);
  for (size_t i = 0; i < COUNT_OF(kWithout); ++i) {
    without = without || batches_told(made.graph, kWithout[i]);
  }
  const int64_t count = batch_number(made.graph, "commands");
  CHECK(without == (count == 0) && (without || count >= kBatchSteps),
        "%d launches, and the driver is %s", (int)count, without ? "without" : "not refused");
  batch_case_free(&made);
  return !without;
}
#define NEED_BATCHES(fixture) \
  if (!has_batches(fixture)) SKIP("the driver has no cl_khr_command_buffer")

static void without_opencl(void** state) {
  Fixture* fixture = *state;
  if (fixture->opencl) SKIP("of devices without OpenCL");
  netcl_run_options run = captured_calls(fixture);
  netcl_tensor *x = batch_input(fixture, 0), *y = formula("v0 + 1", x, NULL, &run),
               *out = batch_input(fixture, 0);
  OK(netcl_graph_compile(run.graph, &x, 1, &y, 1, NULL));
  check_batches_told(run.graph, "the device is none of OpenCL");
  OK(netcl_graph_run(run.graph, &x, 1, &out, 1, NULL));
  assert_int_equal(batch_number(run.graph, "runs"), 0);
  RELEASE(x, y, out);
  netcl_graph_release(run.graph);
}

/* The same memory again and again is kept; each run reads what is there now. */
static void same_tensors(void** state) {
  Fixture* fixture = *state;
  NEED_BATCHES(fixture);
  BatchCase made;
  batch_case(fixture, &made);
  check_batches_told(made.graph, "recorded");
  netcl_tensor *in = batch_input(fixture, 0), *out = batch_input(fixture, 0);
  for (int pass = 0; pass < 30; ++pass) {
    float values[kBatchItems];
    for (int i = 0; i < kBatchItems; ++i) values[i] = (float)(pass * 3 + i);
    OK(netcl_tensor_write(in, values, sizeof values, NULL, LONG_WAIT));
    OK(batch_run(&made, in, out, NULL));
    check_batch_output(out, pass * 3, "pass", pass);
  }
  CHECK(batch_number(made.graph, "commands") >= kBatchSteps, "%d launches",
        (int)batch_number(made.graph, "commands"));
  const int64_t runs = batch_number(made.graph, "runs");
  CHECK(runs >= 25, "%d of 30 runs", (int)runs);
  assert_int_equal(runs + batch_number(made.graph, "runs_without"), 30);
  CHECK(batch_number(made.graph, "recorded") <= 4, "recorded %d times",
        (int)batch_number(made.graph, "recorded"));
  /* What they write is known to have been written. */
  netcl_run_options tape = recorded(fixture);
  netcl_tensor *read = made.steps[1], *square = formula("v0 * v0", read, NULL, &tape),
               *sum = sum_of(square, &tape), *none = NULL;
  OK(batch_run(&made, in, out, NULL));
  assert_int_equal(batch_number(made.graph, "runs"), runs + 1);
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_graph_add_gradients(tape.graph, &sum, 1, &read, 1, NULL, &none));
  RELEASE(square, sum, in, out);
  netcl_graph_release(tape.graph);
  batch_case_free(&made);
}

/* A fill between two launches is kept with them, and fills anew in each run. */
static void fills(void** state) {
  Fixture* fixture = *state;
  NEED_BATCHES(fixture);
  BatchCase made;
  batch_case(fixture, &made);
  check_fills_are_kept(fixture, &made);
  batch_case_free(&made);
}

/* More sets of tensors than are kept, in turn and at random; some go and come again. */
static void other_tensors(void** state) {
  Fixture* fixture = *state;
  NEED_BATCHES(fixture);
  enum { kSets = 12 };
  BatchCase made;
  batch_case(fixture, &made);
  netcl_tensor *in[kSets], *out[kSets];
  double first[kSets];
  for (int i = 0; i < kSets; ++i) {
    in[i] = batch_input(fixture, first[i] = 100 * i);
    out[i] = batch_input(fixture, 0);
  }
  for (int pass = 0; pass < 200; ++pass) {
    const int few = pass % 100 < 50 ? 4 : kSets;
    const int i = pass < 100 ? pass % few : (int)random_in(0, few - 1);
    if (random_in(0, 19) == 0) {
      RELEASE(in[i], out[i]);
      netcl_pool* pool = NULL;
      OK(netcl_device_get_pool(fixture->device, NETCL_POOL_PERSISTENT, &pool));
      if (random_in(0, 1) == 0) OK(netcl_pool_trim(pool, 0));
      netcl_pool_release(pool);
      in[i] = batch_input(fixture, first[i] = (double)random_in(0, 1000));
      out[i] = batch_input(fixture, 0);
    }
    OK(batch_run(&made, in[i], out[i], NULL));
    if (random_in(0, 2) == 0) check_batch_output(out[i], first[i], "pass", pass);
  }
  for (int i = 0; i < kSets; ++i) {
    OK(batch_run(&made, in[i], out[i], NULL));
    check_batch_output(out[i], first[i], "set", i);
  }
  CHECK(batch_number(made.graph, "runs") > 40, "%d runs", (int)batch_number(made.graph, "runs"));
  CHECK(batch_number(made.graph, "runs_without") >= kSets, "%d runs without",
        (int)batch_number(made.graph, "runs_without"));
  release_tensors(in, kSets);
  release_tensors(out, kSets);
  batch_case_free(&made);
}

/* Runs on two queues wait for each other where their memory meets, and for what they are told to
 * wait for; their events tell when they are over. */
static void waits_and_events(void** state) {
  Fixture* fixture = *state;
  NEED_BATCHES(fixture);
  BatchCase made;
  batch_case(fixture, &made);
  netcl_queue* queues[2] = {NULL, NULL};
  netcl_tensor *in = batch_input(fixture, 0), *out = batch_input(fixture, 0);
  OK(netcl_queue_create(fixture->device, NULL, &queues[0]));
  OK(netcl_queue_create(fixture->device, NULL, &queues[1]));
  netcl_event* last = NULL;
  for (int pass = 0; pass < 60; ++pass) {
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    netcl_event* event = NULL;
    run.queue = queues[pass % 2];
    run.event = &event;
    if (last != NULL && pass % 3 == 0) {
      run.waits = &last;
      run.waits_count = 1;
    }
    netcl_run_options change = NETCL_RUN_OPTIONS_INIT;
    change.queue = queues[(pass / 2) % 2];
    change.into = in;
    OK(netcl_op_expression_text("v0 + 1", &in, 1, NULL, &change, NULL));
    OK(batch_run(&made, in, out, &run));
    netcl_event_release(last);
    last = event;
    if (pass % 7 != 6) continue;
    netcl_event_state done = NETCL_EVENT_QUEUED;
    OK(netcl_event_wait(event, LONG_WAIT));
    OK(netcl_event_query(event, &done));
    assert_int_equal(done, NETCL_EVENT_COMPLETE);
    check_batch_output(out, pass + 1, "pass", pass);
  }
  check_batch_output(out, 60, "pass", 60);
  CHECK(batch_number(made.graph, "runs") > 30, "%d runs", (int)batch_number(made.graph, "runs"));
  /* A queue that has gone leaves nothing that later runs would touch. */
  netcl_event_release(last);
  netcl_queue_release(queues[0]);
  netcl_queue_release(queues[1]);
  for (int pass = 0; pass < 4; ++pass) {
    OK(batch_run(&made, in, out, NULL));
    check_batch_output(out, 60, "after", pass);
  }
  RELEASE(in, out);
  batch_case_free(&made);
}

/* Where somebody wants the times of each launch, each is enqueued by itself. */
static void times(void** state) {
  Fixture* fixture = *state;
  NEED_BATCHES(fixture);
  BatchCase made;
  batch_case(fixture, &made);
  netcl_queue *queue = NULL, *unordered = NULL;
  netcl_tensor *in = batch_input(fixture, 5), *out = batch_input(fixture, 0);
  OK(netcl_device_get_queue(fixture->device, &queue));
  batch_until_kept(&made, in, out);
  const int64_t runs = batch_number(made.graph, "runs");
  OK(netcl_queue_set_profiling(queue, 1));
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_event* event = NULL;
  run.event = &event;
  OK(batch_run(&made, in, out, &run));
  OK(netcl_event_wait(event, LONG_WAIT));
  netcl_event_timing timing = NETCL_EVENT_TIMING_INIT;
  OK(netcl_event_get_timing(event, &timing));
  CHECK(timing.ended_ns >= timing.started_ns, "ends before it starts");
  netcl_event_release(event);
  OK(netcl_queue_set_profiling(queue, 0));
  check_batch_output(out, 5, "profiled", 0);
  assert_int_equal(batch_number(made.graph, "runs"), runs);
  check_batches_told(made.graph, "the queue records the times of each launch");
  /* A profile sees every launch. */
  netcl_queue_info before = NETCL_QUEUE_INFO_INIT, after = NETCL_QUEUE_INFO_INIT;
  OK(netcl_profile_start(NULL));
  OK(netcl_queue_get_info(queue, &before));
  OK(batch_run(&made, in, out, NULL));
  OK(netcl_queue_get_info(queue, &after));
  OK(netcl_profile_stop(LONG_WAIT));
  OK(netcl_profile_reset());
  CHECK(after.commands - before.commands > kBatchSteps, "%d commands",
        (int)(after.commands - before.commands));
  assert_int_equal(batch_number(made.graph, "runs"), runs);
  /* One command in place of all launches. */
  batch_until_kept(&made, in, out);
  OK(netcl_queue_get_info(queue, &before));
  OK(batch_run(&made, in, out, NULL));
  OK(netcl_queue_get_info(queue, &after));
  CHECK(after.commands - before.commands <= 2, "%d commands",
        (int)(after.commands - before.commands));
  const netcl_queue_options options = {sizeof options, 1, 0};
  if (fixture->capabilities.out_of_order != 0) {
    OK(netcl_queue_create(fixture->device, &options, &unordered));
    run.queue = unordered;
    run.event = NULL;
    for (int i = 0; i < 4; ++i) OK(batch_run(&made, in, out, &run));
    check_batch_output(out, 5, "out of order", 0);
    check_batches_told(made.graph, "the queue is out of order");
    netcl_queue_release(unordered);
  }
  netcl_queue_release(queue);
  RELEASE(in, out);
  batch_case_free(&made);
}

/* The graph and its tensors may go while a run is under way. */
static void released_in_flight(void** state) {
  Fixture* fixture = *state;
  NEED_BATCHES(fixture);
  for (int pass = 0; pass < 20; ++pass) {
    BatchCase made;
    batch_case(fixture, &made);
    netcl_tensor *in = batch_input(fixture, pass), *out = batch_input(fixture, 0);
    for (int i = 0; i < 4; ++i) OK(batch_run(&made, in, out, NULL));
    assert_true(batch_number(made.graph, "runs") > 0);
    netcl_tensor_release(in);
    batch_case_free(&made);
    if (pass % 2 == 0) {
      netcl_pool* pool = NULL;
      OK(netcl_device_get_pool(fixture->device, NETCL_POOL_PERSISTENT, &pool));
      OK(netcl_pool_trim(pool, 0));
      netcl_pool_release(pool);
    }
    check_batch_output(out, pass, "pass", pass);
    netcl_tensor_release(out);
  }
}

/* ---- Threads */

typedef struct Racer {
  pthread_t thread;
  const BatchCase* made;
  netcl_queue* queue;
  netcl_tensor *in, *out;
  int failed;
} Racer;

static void* race(void* data) {
  Racer* racer = data;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.queue = racer->queue;
  for (int i = 0; i < 100; ++i) {
    racer->failed |= batch_run(racer->made, racer->in, racer->out, &run) != NETCL_OK;
  }
  racer->failed |= netcl_tensor_wait(racer->out, LONG_WAIT) != NETCL_OK;
  return NULL;
}

static void threads(void** state) {
  Fixture* fixture = *state;
  NEED_BATCHES(fixture);
  Racer racers[4];
  BatchCase made;
  batch_case(fixture, &made);
  for (int i = 0; i < 4; ++i) {
    racers[i] = (Racer){.made = &made,
                        .in = batch_input(fixture, 10 * i),
                        .out = batch_input(fixture, 0)};
    if (i > 0) OK(netcl_queue_create(fixture->device, NULL, &racers[i].queue));
  }
  for (int i = 0; i < 4; ++i) pthread_create(&racers[i].thread, NULL, race, &racers[i]);
  for (int i = 0; i < 4; ++i) pthread_join(racers[i].thread, NULL);
  for (int i = 0; i < 4; ++i) {
    assert_int_equal(racers[i].failed, 0);
    OK(batch_run(&made, racers[i].in, racers[i].out, NULL));
    check_batch_output(racers[i].out, 10 * i, "thread", i);
    RELEASE(racers[i].in, racers[i].out);
    netcl_queue_release(racers[i].queue);
  }
  batch_case_free(&made);
}

/* ---- The library's own ops */

/* A step of training, whose weights each run changes, has the bits that it has launch by launch. */
static void own_ops(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[2] = {8, 8};
  float data[4][64];
  netcl_graph* graphs[2];
  netcl_tensor *w[2], *b[2], *x[2], *losses[2], *out[2];
  netcl_queue* queue = NULL;
  OK(netcl_device_get_queue(fixture->device, &queue));
  for (int i = 0; i < 4; ++i) fill_random(NETCL_F32, data[i], 64, 1);
  for (int side = 0; side < 2; ++side) {
    netcl_run_options run = captured_calls(fixture);
    x[side] = make_tensor(fixture->device, NETCL_F32, 2, shape, data[0]);
    w[side] = make_tensor(fixture->device, NETCL_F32, 2, shape, data[1]);
    b[side] = make_tensor(fixture->device, NETCL_F32, 2, shape, data[2]);
    out[side] = make_tensor(fixture->device, NETCL_F32, 0, NULL, data[3]);
    netcl_tensor *z = NULL, *s = NULL, *gradients[2];
    OK(netcl_op_matmul(x[side], w[side], NULL, &run, &z));
    OK(netcl_op_softmax(z, 1, &run, &s));
    netcl_tensor* e = formula("(v0 - v1) * (v0 - v1)", s, b[side], &run);
    losses[side] = sum_of(e, &run);
    OK(netcl_graph_add_gradients(run.graph, &losses[side], 1, (netcl_tensor*[]){w[side], b[side]},
                                 2, NULL, gradients));
    formula_into("v0 - 0.05 * v1", w[side], gradients[0], w[side], &run);
    formula_into("v0 - 0.05 * v1", b[side], gradients[1], b[side], &run);
    OK(netcl_graph_compile(run.graph, &x[side], 1, &losses[side], 1, NULL));
    graphs[side] = run.graph;
    RELEASE(z, s, e, gradients[0], gradients[1]);
  }
  for (int pass = 0; pass < 12; ++pass) {
    for (int side = 0; side < 2; ++side) {
      OK(netcl_queue_set_profiling(queue, (uint32_t)side));
      OK(netcl_graph_run(graphs[side], &x[side], 1, &out[side], 1, NULL));
    }
    OK(netcl_queue_set_profiling(queue, 0));
    check_same_bits(out[0], out[1], "loss", pass);
    check_same_bits(w[0], w[1], "w", pass);
    check_same_bits(b[0], b[1], "b", pass);
  }
  const int64_t launches = batch_number(graphs[0], "commands");
  if (fixture->kernels && fixture->opencl && has_batches(fixture)) {
    CHECK(launches >= 4, "%d launches", (int)launches);
    CHECK(batch_number(graphs[0], "runs") >= 8, "%d runs", (int)batch_number(graphs[0], "runs"));
  }
  assert_int_equal(batch_number(graphs[1], "runs"), 0);
  for (int side = 0; side < 2; ++side) {
    RELEASE(x[side], w[side], b[side], losses[side], out[side]);
    netcl_graph_release(graphs[side]);
  }
  netcl_queue_release(queue);
}

int main(int argc, char** argv) {
  static const process_mode kModes[] = {{"switched_off", switched_off}};
  const int code = process_child_main(argc, argv, kModes, COUNT_OF(kModes));
  if (code >= 0) return code;
  seed_random("graph_batches");
  compile_quickly();
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(without_opencl), DEVICE_TEST(same_tensors), DEVICE_TEST(fills),
      DEVICE_TEST(other_tensors),  DEVICE_TEST(waits_and_events),
      DEVICE_TEST(times),          DEVICE_TEST(released_in_flight),
      DEVICE_TEST(threads),        DEVICE_TEST(own_ops),
      DEVICE_TEST(the_variable),   DEVICE_TEST(as_kernels),
  };
  return cmocka_run_group_tests_name("graph_batches", tests, NULL, NULL);
}
