/* Launches: work sizes, local sizes, offsets, waits and events. */
#include "support_kernel.h"

/* Writes what a work item sees of the launch: ids, sizes, offsets. */
static const char kShape[] =
    "__kernel void shape(__global ulong *out) {\n"
    "  size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) -\n"
    "         get_global_offset(1), z = get_global_id(2) - get_global_offset(2);\n"
    "  size_t i = (z * get_global_size(1) + y) * get_global_size(0) + x;\n"
    "  if (i < 4096) out[16 + i] += 1;\n"
    "  if (i == 0) for (int d = 0; d < 3; d++) {\n"
    "    out[d] = get_global_size(d); out[3 + d] = get_local_size(d);\n"
    "    out[6 + d] = get_global_offset(d); out[9 + d] = get_global_id(d);\n"
    "    out[12] = get_work_dim();\n  }\n}\n";

enum { kSeen = 16 + 4096 };

typedef struct Seen {
  uint64_t global[3], local[3], offset[3], first[3], rank;
} Seen;

static netcl_tensor *zeros_u64(Fixture *fixture, int64_t count) {
  netcl_tensor *tensor = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_U64, 1, &count, NULL, NULL, &tensor));
  return tensor;
}

/* Launches `shape`, checks that each item ran once, and gives back what the first one saw. */
static Seen run_shape(Fixture *fixture, netcl_kernel *kernel, const uint64_t *global, uint32_t rank,
                      const uint64_t *local, const netcl_launch_options *options) {
  static uint64_t values[kSeen];
  netcl_tensor *out = zeros_u64(fixture, kSeen);
  const netcl_arg arg = arg_tensor(out);
  Seen seen;
  OK(netcl_kernel_launch(kernel, global, rank, local, local ? rank : 0, &arg, 1, options, NULL));
  OK(netcl_tensor_read(out, values, sizeof values, NULL, LONG_WAIT));
  memcpy(&seen, values, sizeof seen);
  const uint64_t items = seen.global[0] * seen.global[1] * seen.global[2];
  for (uint64_t i = 0; i < 4096; i++) {
    CHECK(values[16 + i] == (i < items), "item %llu ran %llu times", (unsigned long long)i,
          (unsigned long long)values[16 + i]);
  }
  assert_int_equal(seen.rank, rank);
  netcl_tensor_release(out);
  return seen;
}

static void bad_work_sizes(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_kernel *kernel = fresh_kernel(fixture->device, "shape", kShape);
  netcl_tensor *out = poisoned_tensor(fixture->device, NETCL_U64, kSeen);
  const netcl_arg arg = arg_tensor(out);
  const netcl_status bad = NETCL_ERROR_INVALID_ARGUMENT;
  const uint64_t global[4] = {64, 8, 2, 1}, local[4] = {8, 2, 1, 1};
  for (int at = 0; at < 3; at++) {
    uint64_t zero_global[3] = {64, 8, 2}, zero_local[3] = {8, 2, 1};
    zero_global[at] = 0;
    zero_local[at] = 0;
    FAILS_WITH(bad, "0",
               netcl_kernel_launch(kernel, zero_global, 3, NULL, 0, &arg, 1, NULL, NULL));
    FAILS_WITH(bad, "0",
               netcl_kernel_launch(kernel, global, 3, zero_local, 3, &arg, 1, NULL, NULL));
  }
  FAILS(bad, netcl_kernel_launch(kernel, global, 0, NULL, 0, &arg, 1, NULL, NULL));
  FAILS_WITH(bad, "4", netcl_kernel_launch(kernel, global, 4, NULL, 0, &arg, 1, NULL, NULL));
  FAILS(bad, netcl_kernel_launch(kernel, NULL, 1, NULL, 0, &arg, 1, NULL, NULL));
  FAILS_WITH(bad, "3", netcl_kernel_launch(kernel, global, 2, local, 3, &arg, 1, NULL, NULL));
  FAILS(bad, netcl_kernel_launch(kernel, global, 2, local, 1, &arg, 1, NULL, NULL));
  FAILS(bad, netcl_kernel_launch(kernel, global, 2, local, 0, &arg, 1, NULL, NULL));
  FAILS(bad, netcl_kernel_launch(kernel, global, 2, NULL, 2, &arg, 1, NULL, NULL));
  const uint64_t huge[2] = {UINT64_MAX, UINT64_MAX}, too_big[1] = {(uint64_t)1 << 40};
  FAILS(bad, netcl_kernel_launch(kernel, too_big, 1, too_big, 1, &arg, 1, NULL, NULL));
  FAILS(bad, netcl_kernel_launch(kernel, huge, 2, NULL, 0, &arg, 1, NULL, NULL));
  check_still_poisoned(out);
  netcl_tensor_release(out);
  netcl_kernel_release(kernel);
}

static void given_local_size_must_divide(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_kernel *kernel = fresh_kernel(fixture->device, "shape", kShape);
  netcl_tensor *out = poisoned_tensor(fixture->device, NETCL_U64, kSeen);
  const netcl_arg arg = arg_tensor(out);
  netcl_launch_options options = NETCL_LAUNCH_OPTIONS_INIT;
  const uint64_t global[2] = {100, 6}, local[2] = {16, 2};
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "16",
             netcl_kernel_launch(kernel, global, 2, local, 2, &arg, 1, NULL, NULL));
  check_message("100", "netcl_kernel_launch", __FILE__, __LINE__);
  check_still_poisoned(out);
  options.round_up = 1;
  Seen seen = run_shape(fixture, kernel, global, 2, local, &options);
  assert_int_equal(seen.global[0], 112);
  assert_int_equal(seen.global[1], 6);
  assert_int_equal(seen.local[0], 16);
  const uint64_t fitting[2] = {25, 3};
  seen = run_shape(fixture, kernel, global, 2, fitting, NULL);
  assert_int_equal(seen.global[0], 100);
  assert_int_equal(seen.local[0], 25);
  assert_int_equal(seen.local[1], 3);
  const uint64_t items[1] = {2 * fixture->capabilities.max_work_group_size};
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_kernel_launch(kernel, items, 1, items, 1, &arg, 1, NULL, NULL));
  netcl_tensor_release(out);
  netcl_kernel_release(kernel);
}

/* A size that netcl chooses divides the global size, which is never enlarged. */
static void chosen_local_size_divides(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_kernel *kernel = fresh_kernel(fixture->device, "shape", kShape);
  const uint64_t full[1] = {1024};
  assert_int_equal(run_shape(fixture, kernel, full, 1, NULL, NULL).local[0], 64);
  static const uint64_t fixed[][3] = {{1009, 1, 1}, {1, 1, 1},  {7, 11, 13},
                                      {96, 40, 1},  {63, 65, 1}, {2, 2, 1000}};
  for (size_t i = 0; i < COUNT_OF(fixed) + 40; i++) {
    uint64_t global[3];
    uint32_t rank = (uint32_t)(i % 3) + 1;
    for (int d = 0; d < 3; d++) {
      global[d] = i < COUNT_OF(fixed) ? fixed[i][d] : (uint64_t)random_in(1, rank == 1 ? 4000 : 15);
    }
    if (i < COUNT_OF(fixed)) rank = 3;
    Seen seen = run_shape(fixture, kernel, global, rank, NULL, NULL);
    for (uint32_t d = 0; d < rank; d++) {
      CHECK(seen.global[d] == global[d], "the global size became %llu instead of %llu",
            (unsigned long long)seen.global[d], (unsigned long long)global[d]);
      CHECK(seen.local[d] > 0 && global[d] % seen.local[d] == 0, "local %llu of global %llu",
            (unsigned long long)seen.local[d], (unsigned long long)global[d]);
    }
  }
  netcl_kernel_release(kernel);
}

static void local_size_of_the_specification(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_kernel *kernel = NULL;
  const uint64_t global[2] = {96, 6}, own[2] = {8, 1};
  options.source = kShape;
  options.local_size[0] = 32;
  options.local_size[1] = 3;
  OK(netcl_kernel_create(fixture->device, "shape", &options, &kernel));
  Seen seen = run_shape(fixture, kernel, global, 2, NULL, NULL);
  assert_int_equal(seen.local[0], 32);
  assert_int_equal(seen.local[1], 3);
  seen = run_shape(fixture, kernel, global, 2, own, NULL);
  assert_int_equal(seen.local[0], 8);
  assert_int_equal(seen.local[1], 1);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "local_size[1] is 3",
             netcl_kernel_launch(kernel, global, 1, NULL, 0, NULL, 0, NULL, NULL));
  netcl_kernel_release(kernel);
  for (int gap = 0; gap < 2; ++gap) {
    options.local_size[gap] = 0;
    options.local_size[gap + 1] = 8;
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, gap == 0 ? "local_size[1] is 8" : "local_size[2] is 8",
               netcl_kernel_create(fixture->device, "shape", &options, &kernel));
    options.local_size[0] = 32;
  }
}

static void required_local_size(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  static const char text[] =
      "__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void k(__global int *out) {\n"
      "  out[get_global_id(0)] = get_local_size(0); }\n";
  netcl_kernel_info info = NETCL_KERNEL_INFO_INIT;
  netcl_kernel *kernel = fresh_kernel(fixture->device, "k", text);
  netcl_tensor *out = poisoned_tensor(fixture->device, NETCL_I32, 64);
  const netcl_arg arg = arg_tensor(out);
  const uint64_t global = 64, odd = 60, eight = 8, sixteen = 16;
  int32_t values[64];
  OK(netcl_kernel_get_info(kernel, &info));
  assert_int_equal(info.required_local_size[0], 8);
  assert_int_equal(info.required_local_size[1], 1);
  assert_int_equal(info.required_local_size[2], 1);
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_kernel_launch(kernel, &global, 1, &sixteen, 1, &arg, 1, NULL, NULL));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_kernel_launch(kernel, &odd, 1, NULL, 0, &arg, 1, NULL, NULL));
  check_still_poisoned(out);
  OK(netcl_kernel_launch(kernel, &global, 1, &eight, 1, &arg, 1, NULL, NULL));
  OK(netcl_kernel_launch(kernel, &global, 1, NULL, 0, &arg, 1, NULL, NULL));
  OK(netcl_tensor_read(out, values, sizeof values, NULL, LONG_WAIT));
  for (int i = 0; i < 64; i++) assert_int_equal(values[i], 8);
  netcl_tensor_release(out);
  netcl_kernel_release(kernel);
}

static void offsets(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_kernel *kernel = fresh_kernel(fixture->device, "shape", kShape);
  netcl_launch_options options = NETCL_LAUNCH_OPTIONS_INIT;
  const uint64_t global[3] = {4, 6, 10};
  options.offset[0] = 100;
  options.offset[1] = 7;
  options.offset[2] = ((uint64_t)1 << 33) + 5;
  /* Where the driver takes 32 bits only, the call says so and small offsets still work. */
  if (strstr(fixture->info.vendor, "NVIDIA") != NULL) {
    netcl_tensor *out = zeros_u64(fixture, kSeen);
    const netcl_arg arg = arg_tensor(out);
    FAILS(NETCL_ERROR_UNSUPPORTED,
          netcl_kernel_launch(kernel, global, 3, NULL, 0, &arg, 1, &options, NULL));
    netcl_tensor_release(out);
    options.offset[2] = 5;
  }
  netcl_tensor *unused = zeros_u64(fixture, kSeen);
  const netcl_arg unused_arg = arg_tensor(unused);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->offset[1] is 7",
             netcl_kernel_launch(kernel, global, 1, NULL, 0, &unused_arg, 1, &options, NULL));
  netcl_tensor_release(unused);
  Seen seen = run_shape(fixture, kernel, global, 3, NULL, &options);
  for (int d = 0; d < 3; d++) {
    assert_true(seen.offset[d] == options.offset[d]);
    assert_true(seen.first[d] == options.offset[d]);
  }
  netcl_kernel_release(kernel);
}

static void waits_and_event(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_event *slow_event = NULL, *event = NULL;
  netcl_queue *queue = NULL;
  netcl_event_state event_state = NETCL_EVENT_QUEUED;
  netcl_kernel *kernel = fresh_kernel(fixture->device, "shape", kShape);
  netcl_tensor *out = zeros_u64(fixture, kSeen);
  const netcl_arg arg = arg_tensor(out);
  const uint64_t global = 64;
  OK(netcl_queue_create(fixture->device, NULL, &queue));
  start_slow_work(fixture, NULL, NULL, &slow_event);
  run.queue = queue;
  run.waits = &slow_event;
  run.waits_count = 1;
  run.event = &event;
  OK(netcl_kernel_launch(kernel, &global, 1, NULL, 0, &arg, 1, NULL, &run));
  assert_non_null(event);
  OK(netcl_event_wait(event, LONG_WAIT));
  OK(netcl_event_query(slow_event, &event_state));
  CHECK(event_state == NETCL_EVENT_COMPLETE, "the launch did not wait for its event");
  netcl_event_release(event);
  event = NULL;
  run.waits = NULL;
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_kernel_launch(kernel, &global, 1, NULL, 0, &arg, 1, NULL, &run));
  netcl_event *bad = NULL;
  run.waits = &bad;
  FAILS(NETCL_ERROR_INVALID_HANDLE,
        netcl_kernel_launch(kernel, &global, 1, NULL, 0, &arg, 1, NULL, &run));
  assert_null(event);
  run.waits_count = 0;
  run.waits = NULL;
  run.into = out;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "into",
             netcl_kernel_launch(kernel, &global, 1, NULL, 0, &arg, 1, NULL, &run));
  netcl_event_release(slow_event);
  netcl_queue_release(queue);
  netcl_tensor_release(out);
  netcl_kernel_release(kernel);
}

/* Two kernels on the device's queue, then another queue that reads: no waits, right results. */
static void launches_are_ordered(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_queue *queue = NULL;
  int32_t value = 0;
  netcl_kernel *kernel = fresh_kernel(fixture->device, "k",
      "__kernel void k(__global int *a, int f, int s) { *a = *a * f + s; }");
  netcl_tensor *a = counting_tensor(fixture->device, NETCL_I32, 1, 1.0);
  OK(netcl_queue_create(fixture->device, NULL, &queue));
  uint32_t wanted = 1;
  const uint64_t one = 1;
  for (int i = 0; i < 300; i++) {
    const netcl_arg args[3] = {arg_tensor(a), arg_int(3), arg_int(i)};
    run.queue = i % 2 ? queue : NULL;
    OK(netcl_kernel_launch(kernel, &one, 1, NULL, 0, args, 3, NULL, &run));
    wanted = wanted * 3u + (uint32_t)i;
  }
  OK(netcl_tensor_read(a, &value, sizeof value, NULL, LONG_WAIT));
  assert_int_equal((uint32_t)value, wanted);
  netcl_queue_release(queue);
  netcl_tensor_release(a);
  netcl_kernel_release(kernel);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(bad_work_sizes),
      DEVICE_TEST(given_local_size_must_divide),
      DEVICE_TEST(chosen_local_size_divides),
      DEVICE_TEST(local_size_of_the_specification),
      DEVICE_TEST(required_local_size),
      DEVICE_TEST(offsets),
      DEVICE_TEST(waits_and_event),
      DEVICE_TEST(launches_are_ordered),
  };
  seed_random("kernel_launch");
  return cmocka_run_group_tests_name("kernel_launch", tests, NULL, NULL);
}
