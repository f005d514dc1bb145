/*
 * Ordering where it is hardest to get right: work that is held back by OpenCL user events, memory
 * that is known under several names, and memory that is wanted again while it is in use.
 */
#include "support_gate_cl.h"

/* The DLPack ABI, as far as an exported tensor is given back with it. */
struct DLManagedTensor {
  unsigned char tensor[48];
  void *manager;
  void (*deleter)(struct DLManagedTensor *self);
};

/* Reads on a queue: TIMEOUT wants that nothing was touched, OK that all elements are `value`. */
static void expect_read(netcl_tensor *tensor, netcl_queue *queue, netcl_status wanted,
                        float value) {
  netcl_transfer_options options = NETCL_TRANSFER_OPTIONS_INIT;
  float got[4] = {-1, -1, -1, -1};
  const float expected = wanted == NETCL_OK ? value : -1;
  options.queue = queue;
  check_status(netcl_tensor_read(tensor, got, sizeof got, &options,
                                 wanted == NETCL_OK ? LONG_WAIT : 300 * MS),
               wanted, "netcl_tensor_read", __FILE__, __LINE__);
  for (int i = 0; i < 4; ++i) CHECK(got[i] == expected, "read %g, not %g", got[i], expected);
}

/* Finishing tells of the failed commands. A driver that fails them late (`told` is not FAILED) may
 * tell of it some time after it said that all is done. */
static void expect_failure(Fixture *fixture, netcl_event_state told) {
  netcl_status finished = netcl_device_finish(fixture->device, LONG_WAIT);
  for (int i = 0; i < 100 && finished == NETCL_OK && told != NETCL_EVENT_FAILED; ++i) {
    process_sleep_ms(20);
    finished = netcl_device_finish(fixture->device, LONG_WAIT);
  }
  FAILS(NETCL_ERROR_LAUNCH_FAILURE, finished);
}

/* How far a copy has come. */
static netcl_event_state state_after_a_moment(netcl_tensor *source, netcl_run_options *run) {
  netcl_event *copied = NULL;
  netcl_event_state state = 0;
  run->event = &copied;
  OK(netcl_op_copy(source, run, NULL));
  OK(netcl_queue_flush(run->queue));
  process_sleep_ms(200);
  OK(netcl_event_query(copied, &state));
  netcl_event_release(copied);
  return state;
}

static netcl_status finish_status;
/* A write fails while a reader that it had to wait for is still to run: what writes next waits for
 * that reader all the same. The first write, too, must be waited for by what reads next. */
static void failed_write_keeps_earlier_uses(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_queue *queue = new_queue(fixture), *third = new_queue(fixture);
  netcl_queue *fourth = new_queue(fixture);
  netcl_tensor *source = zeros(fixture->device, 4), *target = zeros(fixture->device, 4);
  netcl_tensor *copy = zeros(fixture->device, 4);
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  const float twos[4] = {2, 2, 2, 2};
  float values[4];
  fill(source, 7, NULL, NULL);
  settle(fixture);
  const Gate slow = make_gate(fixture), failing = make_gate(fixture), again = make_gate(fixture);
  run.queue = queue;
  run.waits = &slow.event;
  run.waits_count = 1;
  run.into = target;
  OK(netcl_op_copy(source, &run, NULL));
  fill(source, 1, third, &failing);
  set_gate(failing.raw, CL_OUT_OF_RESOURCES);
  process_sleep_ms(200);
  fill(source, 2, NULL, NULL);
  netcl_queue *waiting = NULL;
  OK(netcl_device_get_queue(fixture->device, &waiting));
  OK(netcl_queue_flush(waiting));
  process_sleep_ms(200);
  /* The same for a reader: the write in front of the failed one has yet to run. */
  netcl_event *failed = NULL;
  const float three = 3;
  run.queue = third;
  run.waits = &again.event;
  run.into = NULL;
  run.event = &failed;
  OK(netcl_op_fill(target, &three, &run));
  run.event = NULL;
  run.into = target;
  set_gate(again.raw, CL_OUT_OF_RESOURCES);
  process_sleep_ms(200);
  /* Some drivers let a command fail only when all it waits for has ended, and with it what was
   * enqueued behind it: nothing is there to be read then. */
  netcl_event_state told = 0;
  OK(netcl_event_query(failed, &told));
  netcl_event_release(failed);
  run.queue = fourth;
  run.waits = NULL;
  run.waits_count = 0;
  run.into = copy;
  const netcl_event_state copying = state_after_a_moment(target, &run);
  open_gate(slow);
  if (told == NETCL_EVENT_FAILED) {
    FAILS(NETCL_ERROR_LAUNCH_FAILURE,
          netcl_tensor_read(target, values, sizeof values, NULL, NETCL_WAIT_FOREVER));
    FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_tensor_wait(target, NETCL_WAIT_FOREVER));
    OK(netcl_tensor_read(source, values, sizeof values, NULL, NETCL_WAIT_FOREVER));
    for (int i = 0; i < 4; ++i) assert_true(values[i] == twos[i]);
    /* It came after the write that was yet to run, and copied what was never written. */
    CHECK(copying != NETCL_EVENT_COMPLETE && copying != NETCL_EVENT_FAILED, "copied too early: %d",
          (int)copying);
    FAILS(NETCL_ERROR_LAUNCH_FAILURE,
          netcl_tensor_read(copy, values, sizeof values, NULL, NETCL_WAIT_FOREVER));
  }
  expect_failure(fixture, told);
  netcl_queue_release(waiting);
  netcl_queue_release(queue);
  netcl_queue_release(third);
  netcl_queue_release(fourth);
  /* There is more than one failure, and queues that go may fail with it: until nothing was told for
   * half a second. */
  for (int quiet = 0; quiet < 25; ++quiet) {
    process_sleep_ms(20);
    if (netcl_device_finish(fixture->device, LONG_WAIT) != NETCL_OK) quiet = 0;
  }
  netcl_tensor_release(source);
  netcl_tensor_release(target);
  netcl_tensor_release(copy);
  drop_gate(slow);
  drop_gate(failing);
  drop_gate(again);
}

static void *finish_queue(void *queue) {
  finish_status = netcl_queue_finish(queue, LONG_WAIT);
  return NULL;
}

/* One thread's finish completes; what was enqueued since must not count as complete too. */
static void finish_covers_what_it_saw(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_queue *first = new_queue(fixture), *second = new_queue(fixture);
  netcl_tensor *target = zeros(fixture->device, 4), *other = zeros(fixture->device, 4);
  pthread_t thread;
  settle(fixture);
  const Gate early = make_gate(fixture), late = make_gate(fixture);
  fill(other, 1, first, &early);
  assert_int_equal(pthread_create(&thread, NULL, finish_queue, first), 0);
  process_sleep_ms(200);
  fill(target, 7, first, &late);
  FAILS(NETCL_ERROR_TIMEOUT, netcl_queue_finish(first, 0));
  open_gate(early);
  pthread_join(thread, NULL);
  assert_int_equal(finish_status, NETCL_OK);
  expect_read(target, second, NETCL_ERROR_TIMEOUT, 0);
  open_gate(late);
  expect_read(target, second, NETCL_OK, 7);
  netcl_tensor_release(target);
  netcl_tensor_release(other);
  netcl_queue_release(first);
  netcl_queue_release(second);
  drop_gate(early);
  drop_gate(late);
}

/* A finished tensor can be read on another queue while its own queue is held up by other work. */
static void no_spurious_dependency(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_tensor *done = zeros(fixture->device, 4), *other = zeros(fixture->device, 4);
  netcl_queue *second = new_queue(fixture);
  Opener opener;
  process_sleep_ms(300);
  const Gate gate = make_gate(fixture);
  start_opener(&opener, gate);
  fill(other, 1, NULL, &gate);
  const double start = process_now();
  expect_read(done, second, NETCL_OK, 0);
  CHECK(process_now() - start < 3, "the read waited for what it has nothing to do with");
  stop_opener(&opener);
  netcl_tensor_release(done);
  netcl_tensor_release(other);
  netcl_queue_release(second);
  drop_gate(gate);
}

/* Two names of one memory on two queues: each sees what is done through the other. */
static void check_two_names(Fixture *fixture, netcl_tensor *one, netcl_tensor *two) {
  netcl_queue *second = new_queue(fixture);
  netcl_tensor *const names[] = {one, two, one};
  fill(one, 1, NULL, NULL);
  settle(fixture);
  for (int i = 0; i < 2; ++i) {
    const Gate gate = make_gate(fixture);
    fill(names[i], 7 + (float)i, NULL, &gate);
    expect_read(names[i + 1], second, NETCL_ERROR_TIMEOUT, 0);
    open_gate(gate);
    expect_read(names[i + 1], second, NETCL_OK, 7 + (float)i);
    drop_gate(gate);
  }
  netcl_queue_release(second);
}

static void sub_buffer_and_parent(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  const int64_t n = 4;
  cl_context context = NULL;
  cl_int code = 0;
  cl_buffer_region region = {0, 1024};
  netcl_tensor *whole = NULL, *part = NULL;
  OK(netcl_device_get_cl_context(fixture->device, &context));
  cl_mem parent = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &code);
  assert_int_equal(code, CL_SUCCESS);
  cl_mem child = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
  assert_int_equal(code, CL_SUCCESS);
  OK(netcl_tensor_create_from_cl(fixture->device, parent, 0, NETCL_F32, 1, &n, NULL, NULL, &whole));
  OK(netcl_tensor_create_from_cl(fixture->device, child, 0, NETCL_F32, 1, &n, NULL, NULL, &part));
  check_two_names(fixture, whole, part);
  netcl_tensor_release(whole);
  netcl_tensor_release(part);
  clReleaseMemObject(child);
  clReleaseMemObject(parent);
}

static void dlpack_import_of_own_export(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  struct DLManagedTensor *managed = NULL;
  netcl_tensor *tensor = zeros(fixture->device, 4), *import = NULL;
  OK(netcl_tensor_to_dlpack(tensor, LONG_WAIT, &managed));
  OK(netcl_tensor_create_from_dlpack(fixture->device, managed, NULL, &import));
  check_two_names(fixture, tensor, import);
  netcl_tensor_release(tensor);
  netcl_tensor_release(import);
}

/* Memory of a released tensor that is still being read is leased again, but not given away. */
static void export_waits_for_previous_tenant(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  const int64_t n = 4;
  netcl_pool *pool = NULL;
  netcl_pool_info info = NETCL_POOL_INFO_INIT;
  netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *before = NULL, *after = NULL, *copy = zeros(fixture->device, n);
  struct DLManagedTensor *managed = NULL;
  const float five[4] = {5, 5, 5, 5};
  OK(netcl_pool_create(fixture->device, NULL, &pool));
  options.pool = pool;
  OK(netcl_tensor_create_full(fixture->device, NETCL_F32, 1, &n, NULL, five, &options, &before));
  settle(fixture);
  const Gate gate = make_gate(fixture);
  run.waits = &gate.event;
  run.waits_count = 1;
  run.into = copy;
  OK(netcl_op_copy(before, &run, NULL));
  netcl_tensor_release(before);
  OK(netcl_tensor_create(fixture->device, NETCL_F32, 1, &n, NULL, &options, &after));
  OK(netcl_pool_get_info(pool, &info));
  if (info.hits == 1) {
    FAILS(NETCL_ERROR_TIMEOUT, netcl_tensor_to_dlpack(after, 300 * MS, &managed));
    assert_null(managed);
  }
  open_gate(gate);
  OK(netcl_tensor_to_dlpack(after, LONG_WAIT, &managed));
  managed->deleter(managed);
  CHECK_TENSOR(copy, five);
  netcl_tensor_release(after);
  netcl_tensor_release(copy);
  netcl_pool_release(pool);
  drop_gate(gate);
}

/* Staged data of a write that has not run may neither be freed nor be leased to anyone else. */
static void trim_while_a_write_is_queued(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  enum { N = 1 << 21, HEAPS = 8 };
  netcl_tensor *target = zeros(fixture->device, N), *other = zeros(fixture->device, 4);
  float *values = malloc(N * sizeof *values), *heaps[HEAPS];
  netcl_transfer_options options = NETCL_TRANSFER_OPTIONS_INIT;
  netcl_pool *pool = NULL;
  for (int i = 0; i < N; ++i) values[i] = (float)i;
  OK(netcl_device_get_pool(fixture->device, NETCL_POOL_PINNED, &pool));
  settle(fixture);
  const Gate gate = make_gate(fixture);
  fill(other, 1, NULL, &gate);
  options.async_copy = NETCL_ON;
  options.use_pinned = NETCL_ON;
  OK(netcl_tensor_write(target, values, N * sizeof *values, &options, NETCL_WAIT_FOREVER));
  OK(netcl_pool_trim(pool, 0));
  for (int i = 0; i < HEAPS; ++i) {
    heaps[i] = malloc(N * sizeof *values);
    memset(heaps[i], POISON, N * sizeof *values);
  }
  open_gate(gate);
  memset(values, POISON, N * sizeof *values);
  for (int i = 0; i < HEAPS; ++i) free(heaps[i]);
  OK(netcl_tensor_read(target, values, N * sizeof *values, NULL, LONG_WAIT));
  for (int i = 0; i < N; ++i) CHECK(values[i] == (float)i, "element %d is %g", i, values[i]);
  free(values);
  netcl_pool_release(pool);
  netcl_tensor_release(target);
  netcl_tensor_release(other);
  drop_gate(gate);
}

/* The library keeps some sub-buffers of a memory; a launch may not lose the ones it has set. */
static void more_parts_than_are_kept(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  enum { PARTS = 150, LAUNCHES = 2000 };
  const int64_t step = fixture->capabilities.mem_base_align_bytes / 4, n = step * PARTS;
  int32_t model[PARTS] = {0};
  netcl_tensor *base = NULL, *parts[PARTS];
  netcl_kernel *kernel = source_kernel(
      fixture->device, "k",
      "__kernel void k(__global int *a, __global int *b, int x, int y) { a[0] = x; b[0] = y; }");
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I32, 1, &n, NULL, NULL, &base));
  for (int i = 0; i < PARTS; ++i) {
    const netcl_range range = {i * step, step, 1};
    OK(netcl_tensor_slice(base, &range, 1, &parts[i]));
  }
  for (int i = 0; i < LAUNCHES; ++i) {
    /* First each part once, so that the keeper is full with the first part as its oldest. */
    const int a = i < PARTS ? i : (int)random_in(0, PARTS - 1);
    const int b = i < PARTS ? (i + 1) % PARTS : (a + (int)random_in(1, PARTS - 1)) % PARTS;
    const netcl_arg args[] = {arg_tensor(parts[a]), arg_tensor(parts[b]), arg_int(i + 1),
                              arg_int(-i - 1)};
    OK(launch_1d(kernel, 1, args, 4));
    model[a] = i + 1;
    model[b] = -i - 1;
    /* So that nothing but the launch itself keeps a sub-buffer. */
    settle(fixture);
  }
  int32_t *values = read_tensor(base);
  for (int i = 0; i < PARTS; ++i) {
    CHECK(values[i * step] == model[i], "part %d: %d, not %d", i, values[i * step], model[i]);
  }
  free(values);
  for (int i = 0; i < PARTS; ++i) netcl_tensor_release(parts[i]);
  netcl_tensor_release(base);
  netcl_kernel_release(kernel);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      /* First, while the device has one queue: memory in use is leased again only then. */
      GATE_TEST(export_waits_for_previous_tenant),
      GATE_TEST(no_spurious_dependency),
      GATE_TEST(finish_covers_what_it_saw),
      GATE_TEST(failed_write_keeps_earlier_uses),
      GATE_TEST(sub_buffer_and_parent),
      GATE_TEST(dlpack_import_of_own_export),
      GATE_TEST(trim_while_a_write_is_queued),
      GATE_TEST(more_parts_than_are_kept),
  };
  seed_random("ordering_edges_cl");
  return cmocka_run_group_tests_name("ordering_edges_cl", tests, NULL, NULL);
}
