/* Commands that fail after their call: who is told of it, for how long, and who is not. */
#include "support_gate_cl.h"

#include <time.h>

#include "support_refusals.h"

enum { ROWS = 256, COLUMNS = 3000, ELEMENTS = ROWS * COLUMNS };
static float data[ELEMENTS];

static void check_untouched(const netcl_tensor *failed) {
  for (int i = 0; i < 2; ++i) {
    FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_tensor_wait(failed, LONG_WAIT));
    memset(data, POISON, sizeof data);
    FAILS(NETCL_ERROR_LAUNCH_FAILURE,
          netcl_tensor_read(failed, data, sizeof data, NULL, i ? LONG_WAIT : NETCL_WAIT_FOREVER));
    for (size_t k = 0; k < sizeof data; ++k) assert_int_equal(((unsigned char *)data)[k], POISON);
  }
}

static void check_all(const netcl_tensor *tensor, float value) {
  OK(netcl_tensor_read(tensor, data, sizeof data, NULL, NETCL_WAIT_FOREVER));
  for (int i = 0; i < ELEMENTS; ++i) CHECK(data[i] == value, "element %d is %g", i, data[i]);
}

/* An op without memory on a queue, and before or behind it one that is well. */
static void one_fails(Fixture *fixture, const netcl_queue_options *queue_options, int with_event,
                      int first) {
  const int64_t shape[2] = {ROWS, COLUMNS};
  const float one = 1;
  netcl_tensor *ones = NULL, *failed = NULL, *well = NULL;
  netcl_event *event = NULL;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT, plain = NETCL_RUN_OPTIONS_INIT;
  if (queue_options != NULL) OK(netcl_queue_create(fixture->device, queue_options, &run.queue));
  plain.queue = run.queue;
  run.event = with_event ? &event : NULL;
  OK(netcl_tensor_create_full(fixture->device, NETCL_F32, 2, shape, NULL, &one, NULL, &ones));
  settle(fixture);
  if (!first) OK(netcl_op_expression_text("v0 + 1", &ones, 1, NULL, &plain, &well));
  if (!first) OK(netcl_tensor_wait(well, LONG_WAIT));
  atomic_store(&refusals, 3);
  OK(netcl_op_scan(ones, NETCL_REDUCTION_SUM, 1, NULL, &run, &failed));
  if (first) OK(netcl_op_expression_text("v0 + 1", &ones, 1, NULL, &plain, &well));
  FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_tensor_wait(failed, LONG_WAIT));
  atomic_store(&refusals, 0);
  OK(netcl_tensor_wait(well, LONG_WAIT));
  check_all(well, 2);
  check_untouched(failed);
  if (with_event) FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_event_wait(event, LONG_WAIT));
  netcl_event_release(event);
  FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_device_finish(fixture->device, LONG_WAIT));
  OK(netcl_device_finish(fixture->device, LONG_WAIT));
  check_untouched(failed);
  /* Another write makes it whole. */
  plain.into = failed;
  OK(netcl_op_expression_text("v0 + 4", &ones, 1, NULL, &plain, NULL));
  OK(netcl_tensor_wait(failed, LONG_WAIT));
  check_all(failed, 5);
  netcl_tensor_release(ones);
  netcl_tensor_release(failed);
  netcl_tensor_release(well);
  netcl_queue_release(run.queue);
}

static void without_memory(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  if (HAS_ASAN || HAS_TSAN) SKIP("sanitizers have an allocator of their own");
  if (fixture->kernels) SKIP("ops are kernels, which need no memory of the host");
  netcl_queue_options options[3] = {NETCL_QUEUE_OPTIONS_INIT, NETCL_QUEUE_OPTIONS_INIT,
                                    NETCL_QUEUE_OPTIONS_INIT};
  options[1].out_of_order = 1;
  options[2].profiling = 1;
  for (int i = 0; i < 16; ++i) {
    one_fails(fixture, i / 4 == 0 ? NULL : &options[i / 4 - 1], i % 2, i / 2 % 2);
  }
}

/* What is made of a result that was never written is not made either, on whatever queue. */
static void dependents(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  if (HAS_ASAN || HAS_TSAN) SKIP("sanitizers have an allocator of their own");
  if (fixture->kernels) SKIP("ops are kernels, which need no memory of the host");
  const int64_t shape[2] = {ROWS, COLUMNS};
  const float one = 1;
  for (int other = 0; other < 3; ++other) {
    netcl_tensor *ones = NULL, *failed = NULL, *after = NULL, *last = NULL, *well = NULL;
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    netcl_queue_options options = NETCL_QUEUE_OPTIONS_INIT;
    options.out_of_order = other == 2;
    if (other) OK(netcl_queue_create(fixture->device, &options, &run.queue));
    OK(netcl_tensor_create_full(fixture->device, NETCL_F32, 2, shape, NULL, &one, NULL, &ones));
    settle(fixture);
    atomic_store(&refusals, 3);
    OK(netcl_op_scan(ones, NETCL_REDUCTION_SUM, 1, NULL, NULL, &failed));
    OK(netcl_op_expression_text("v0 + 1", &failed, 1, NULL, &run, &after));
    OK(netcl_op_expression_text("v0 + v1", (netcl_tensor *[]){ones, after}, 2, NULL, NULL, &last));
    OK(netcl_op_expression_text("v0 + 1", &ones, 1, NULL, &run, &well));
    FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_tensor_wait(failed, LONG_WAIT));
    FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_tensor_wait(after, LONG_WAIT));
    FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_tensor_wait(last, LONG_WAIT));
    atomic_store(&refusals, 0);
    check_untouched(last);
    OK(netcl_tensor_wait(well, LONG_WAIT));
    check_all(well, 2);
    FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_device_finish(fixture->device, LONG_WAIT));
    OK(netcl_device_finish(fixture->device, LONG_WAIT));
    run.into = failed;
    OK(netcl_op_expression_text("v0 + 4", &ones, 1, NULL, &run, NULL));
    run.into = after;
    OK(netcl_op_expression_text("v0 + 1", &failed, 1, NULL, &run, NULL));
    OK(netcl_tensor_wait(after, LONG_WAIT));
    check_all(after, 6);
    netcl_tensor_release(ones);
    netcl_tensor_release(failed);
    netcl_tensor_release(after);
    netcl_tensor_release(last);
    netcl_tensor_release(well);
    netcl_queue_release(run.queue);
  }
}

/* Nor what commands of another kind make of it: kernels of the caller, copies, reads that nobody
   waits for. A function without memory begins it, or an event of the caller. */
static void other_dependents(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  const int functions = !HAS_ASAN && !HAS_TSAN && !fixture->kernels;
  const int64_t shape[2] = {ROWS, COLUMNS};
  const uint64_t size = ELEMENTS;
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  options.source =
      "__kernel void twice(__global float *y, __global const float *x) {"
      "  y[get_global_id(0)] = 2 * x[get_global_id(0)]; }";
  netcl_kernel *kernel = NULL;
  OK(netcl_kernel_create(fixture->device, "twice", &options, &kernel));
  OK(netcl_kernel_build(kernel));
  for (int round = functions ? 0 : 6; round < 12; ++round) {
    const int function = round < 6;
    netcl_tensor *ones = NULL, *failed = NULL, *copy = NULL, *after = NULL;
    netcl_event *events[2] = {NULL};
    netcl_queue_options queue_options = NETCL_QUEUE_OPTIONS_INIT;
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT, first = NETCL_RUN_OPTIONS_INIT;
    netcl_transfer_options transfer = NETCL_TRANSFER_OPTIONS_INIT;
    Gate gate = {NULL, NULL};
    queue_options.out_of_order = round % 3 == 2;
    if (round % 3) OK(netcl_queue_create(fixture->device, &queue_options, &run.queue));
    OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, shape, NULL, NULL, &ones));
    OK(netcl_tensor_create(fixture->device, NETCL_F32, 2, shape, NULL, NULL, &after));
    settle(fixture);
    if (round / 3 % 2) OK(netcl_profile_start(NULL));
    if (!function) gate = make_gate(fixture);
    first.waits = &gate.event;
    first.waits_count = !function;
    atomic_store(&refusals, function ? 3 : 0);
    OK(netcl_op_scan(ones, NETCL_REDUCTION_SUM, 0, NULL, &first, &failed));
    run.event = &events[0];
    netcl_arg args[2] = {{.kind = NETCL_ARG_TENSOR, .tensor = after},
                         {.kind = NETCL_ARG_TENSOR_READ_ONLY, .tensor = failed}};
    OK(netcl_kernel_launch(kernel, &size, 1, NULL, 0, args, 2, NULL, &run));
    run.event = NULL;
    OK(netcl_op_copy(after, &run, &copy));
    transfer.queue = run.queue, transfer.event = &events[1];
    OK(netcl_tensor_read(copy, data, sizeof data, &transfer, NETCL_WAIT_FOREVER));
    if (!function) set_gate(gate.raw, CL_OUT_OF_RESOURCES);
    for (int i = 0; i < 2; ++i) {
      FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_event_wait(events[i], LONG_WAIT));
      netcl_event_release(events[i]);
    }
    atomic_store(&refusals, 0);
    check_untouched(failed);
    check_untouched(after);
    check_untouched(copy);
    FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_device_finish(fixture->device, LONG_WAIT));
    if (round / 3 % 2) OK(netcl_profile_stop(LONG_WAIT));
    /* Another write makes each whole. */
    first = (netcl_run_options)NETCL_RUN_OPTIONS_INIT;
    first.into = failed;
    OK(netcl_op_expression_text("v0 + 4", &ones, 1, NULL, &first, NULL));
    OK(netcl_kernel_launch(kernel, &size, 1, NULL, 0, args, 2, NULL, &run));
    check_all(after, 8);
    netcl_tensor_release(ones);
    netcl_tensor_release(failed);
    netcl_tensor_release(after);
    netcl_tensor_release(copy);
    netcl_queue_release(run.queue);
    if (!function) drop_gate(gate);
    (void)netcl_device_finish(fixture->device, LONG_WAIT);
  }
  netcl_kernel_release(kernel);
}

/* A queue that is gone before anybody asked. */
static void on_a_queue_that_is_gone(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  if (HAS_ASAN || HAS_TSAN || fixture->kernels) SKIP("as above");
  const int64_t shape[2] = {ROWS, COLUMNS};
  netcl_queue_options options = NETCL_QUEUE_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *ones = NULL, *failed = NULL;
  OK(netcl_queue_create(fixture->device, &options, &run.queue));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, shape, NULL, NULL, &ones));
  settle(fixture);
  atomic_store(&refusals, 3);
  OK(netcl_op_scan(ones, NETCL_REDUCTION_SUM, 1, NULL, &run, &failed));
  netcl_queue_release(run.queue);
  FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_device_finish(fixture->device, LONG_WAIT));
  atomic_store(&refusals, 0);
  OK(netcl_device_finish(fixture->device, LONG_WAIT));
  check_untouched(failed);
  netcl_tensor_release(ones);
  netcl_tensor_release(failed);
}

/* ---- Behind a command whose wait fails ------------------------------------------------------- */

/* A tensor that says it is whole holds what was to be written. */
static void check_whole_or_failed(netcl_tensor *tensor, float value) {
  float seen[4];
  const netcl_status waited = netcl_tensor_wait(tensor, LONG_WAIT);
  assert_true(waited == NETCL_OK || waited == NETCL_ERROR_LAUNCH_FAILURE);
  memset(seen, POISON, sizeof seen);
  const netcl_status read =
      netcl_tensor_read(tensor, seen, sizeof seen, NULL, NETCL_WAIT_FOREVER);
  CHECK(read == waited, "the wait gives %d, the read %d", (int)waited, (int)read);
  if (read == NETCL_OK) {
    CHECK(seen[0] == value, "the first element is %g", seen[0]);
  } else {
    assert_int_equal(((unsigned char *)seen)[0], POISON);
  }
}

/* A moment after the test began to wait for it. */
static void *break_gate(void *gate) {
  nanosleep(&(struct timespec){0, 100000000}, NULL);
  set_gate(((Gate *)gate)->raw, CL_OUT_OF_RESOURCES);
  return NULL;
}

static void behind_a_failed_wait(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  for (int round = 0; round < 6; ++round) {
    const Gate gate = make_gate(fixture);
    netcl_tensor *one = zeros(fixture->device, 4), *chain[4] = {NULL}, *filled;
    netcl_event *event = NULL;
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT, plain = NETCL_RUN_OPTIONS_INIT;
    fill(one, 1, NULL, NULL);
    settle(fixture);
    run.waits = &gate.event;
    run.waits_count = 1;
    if (round % 2) run.event = &event;
    OK(netcl_op_expression_text("v0 + 1", &one, 1, NULL, &run, &chain[0]));
    /* One of its results, and two that have nothing to do with it. */
    OK(netcl_op_expression_text("v0 + 1", &chain[0], 1, NULL, &plain, &chain[1]));
    OK(netcl_op_expression_text("v0 + 5", &one, 1, NULL, &plain, &chain[2]));
    OK(netcl_op_reduce(one, NETCL_REDUCTION_SUM, NULL, &plain, &chain[3]));
    filled = zeros(fixture->device, 4);
    fill(filled, 9, NULL, NULL);
    if (round / 2 == 1) {
      netcl_event *marker = NULL;
      netcl_queue *queue = NULL;
      OK(netcl_device_get_queue(fixture->device, &queue));
      OK(netcl_queue_enqueue_marker(queue, NULL, 0, &marker));
      netcl_event_release(marker);
      netcl_queue_release(queue);
    }
    set_gate(gate.raw, CL_OUT_OF_RESOURCES);
    FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_tensor_wait(chain[0], LONG_WAIT));
    check_whole_or_failed(chain[1], 3);
    check_whole_or_failed(chain[2], 6);
    check_whole_or_failed(filled, 9);
    FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_device_finish(fixture->device, LONG_WAIT));
    netcl_event_release(event);
    for (int i = 0; i < 4; ++i) netcl_tensor_release(chain[i]);
    netcl_tensor_release(filled);
    netcl_tensor_release(one);
    drop_gate(gate);
    (void)netcl_device_finish(fixture->device, LONG_WAIT);
  }
}

/* A marker, and an op of no elements, whose wait fails. */
static void nothing_but_a_failed_wait(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  const int64_t none = 0;
  for (int round = 0; round < 4; ++round) {
    const Gate gate = make_gate(fixture);
    netcl_event *event = NULL;
    netcl_queue *queue = NULL;
    netcl_tensor *empty = NULL, *result = NULL;
    OK(netcl_device_get_queue(fixture->device, &queue));
    OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, &none, NULL, NULL, &empty));
    if (round % 2) {
      OK(netcl_queue_enqueue_marker(queue, &gate.event, 1, &event));
    } else {
      netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
      run.waits = &gate.event;
      run.waits_count = 1;
      run.event = &event;
      OK(netcl_op_expression_text("v0 + 1", &empty, 1, NULL, &run, &result));
    }
    set_gate(gate.raw, CL_OUT_OF_RESOURCES);
    FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_event_wait(event, LONG_WAIT));
    (void)netcl_device_finish(fixture->device, LONG_WAIT);
    netcl_event_release(event);
    netcl_tensor_release(empty);
    netcl_tensor_release(result);
    netcl_queue_release(queue);
    drop_gate(gate);
  }
}

/* A queue is released where not one allocation succeeds. */
static void released_without_memory(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  if (HAS_ASAN || HAS_TSAN) SKIP("as above");
  netcl_queue_options options = NETCL_QUEUE_OPTIONS_INIT;
  for (int round = 0; round < 6; ++round) {
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    netcl_tensor *one = zeros(fixture->device, 4), *sum = NULL;
    options.out_of_order = round % 2;
    OK(netcl_queue_create(fixture->device, &options, &run.queue));
    if (round / 2 > 0) OK(netcl_op_expression_text("v0 + 1", &one, 1, NULL, &run, &sum));
    if (round / 2 > 1) OK(netcl_queue_finish(run.queue, LONG_WAIT));
    atomic_store(&own_refusals, 1000);
    netcl_queue_release(run.queue);
    atomic_store(&own_refusals, 0);
    OK(netcl_device_finish(fixture->device, LONG_WAIT));
    netcl_tensor_release(one);
    netcl_tensor_release(sum);
  }
}

/* A moment after the test began to wait for it. */
static void *pass_gate(void *gate) {
  nanosleep(&(struct timespec){0, 100000000}, NULL);
  open_gate(*(Gate *)gate);
  return NULL;
}

/* A wait begins, and not one allocation succeeds: it ends with what it is for all the same. */
static void waited_for_without_memory(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  if (HAS_ASAN || HAS_TSAN) SKIP("as above");
  for (int round = 0; round < 2; ++round) {
    Gate gate = make_gate(fixture);
    netcl_queue *queue = NULL;
    netcl_event *event = NULL;
    pthread_t opener;
    OK(netcl_device_get_queue(fixture->device, &queue));
    OK(netcl_queue_enqueue_marker(queue, &gate.event, 1, &event));
    assert_int_equal(pthread_create(&opener, NULL, pass_gate, &gate), 0);
    atomic_store(&own_refusals, 1000);
    const netcl_status status = netcl_event_wait(round ? gate.event : event, LONG_WAIT);
    atomic_store(&own_refusals, 0);
    pthread_join(opener, NULL);
    OK(status);
    settle(fixture);
    netcl_event_release(event);
    netcl_queue_release(queue);
    drop_gate(gate);
  }
}

/* What only read a tensor may fail as it likes: the tensor is whole, and can be written. */
static void a_failed_reader(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  const float five[4] = {5, 5, 5, 5};
  for (int round = 0; round < 4; ++round) {
    const Gate gate = make_gate(fixture);
    netcl_tensor *x = zeros(fixture->device, 4), *sum = NULL;
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    pthread_t breaker;
    float seen[4];
    fill(x, 3, NULL, NULL);
    settle(fixture);
    run.waits = &gate.event;
    run.waits_count = 1;
    if (round % 2) OK(netcl_queue_create(fixture->device, NULL, &run.queue));
    OK(netcl_op_expression_text("v0 + 1", &x, 1, NULL, &run, &sum));
    Gate copy = gate;
    assert_int_equal(pthread_create(&breaker, NULL, break_gate, &copy), 0);
    /* Both wait while it is pending, and see it fail. */
    if (round / 2) {
      OK(netcl_tensor_write(x, five, sizeof five, NULL, LONG_WAIT));
    } else {
      OK(netcl_tensor_wait(x, LONG_WAIT));
    }
    pthread_join(breaker, NULL);
    (void)netcl_device_finish(fixture->device, LONG_WAIT);
    OK(netcl_tensor_read(x, seen, sizeof seen, NULL, LONG_WAIT));
    for (int i = 0; i < 4; ++i) assert_true(seen[i] == (round / 2 ? 5 : 3));
    FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_tensor_wait(sum, LONG_WAIT));
    netcl_tensor_release(x);
    netcl_tensor_release(sum);
    netcl_queue_release(run.queue);
    drop_gate(gate);
  }
}

/* A shutdown tells of what failed, after all pools are empty. */
static void shutdown_empties_all(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  const Gate gate = make_gate(fixture);
  netcl_pool_info info = NETCL_POOL_INFO_INIT;
  netcl_pool *pool = NULL;
  netcl_tensor *one = zeros(fixture->device, 4), *sum = NULL;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.waits = &gate.event;
  run.waits_count = 1;
  OK(netcl_op_expression_text("v0 + 1", &one, 1, NULL, &run, &sum));
  set_gate(gate.raw, CL_OUT_OF_RESOURCES);
  FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_tensor_wait(sum, LONG_WAIT));
  netcl_tensor_release(one);
  netcl_tensor_release(sum);
  FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_shutdown(LONG_WAIT));
  OK(netcl_device_get_pool(fixture->device, NETCL_POOL_PERSISTENT, &pool));
  OK(netcl_pool_get_info(pool, &info));
  assert_int_equal(info.bytes_cached, 0);
  OK(netcl_shutdown(LONG_WAIT));
  netcl_pool_release(pool);
  drop_gate(gate);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(released_without_memory), /* first: nothing of the library has been used */
      DEVICE_TEST(without_memory), DEVICE_TEST(dependents), DEVICE_TEST(other_dependents),
      DEVICE_TEST(on_a_queue_that_is_gone),
      DEVICE_TEST(behind_a_failed_wait),
      DEVICE_TEST(nothing_but_a_failed_wait),
      DEVICE_TEST(waited_for_without_memory), DEVICE_TEST(a_failed_reader),
      DEVICE_TEST(shutdown_empties_all),
  };
  test_thread = pthread_self();
  seed_random("failures_cl");
  return cmocka_run_group_tests_name("failures_cl", tests, NULL, NULL);
}
