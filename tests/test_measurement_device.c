/* Measurements on a device: times of ops and launches, cold caches, and work that fails. */
#include <math.h>
#include <stdio.h>

#include "support.h"

static netcl_queue* make_queue(Fixture* fixture) {
  netcl_queue* queue = NULL;
  OK(netcl_queue_create(fixture->device, NULL, &queue));
  return queue;
}

static netcl_measurement* begin(netcl_queue* queue, const netcl_measurement_options* options) {
  netcl_measurement* measurement = NULL;
  OK(netcl_measurement_create(queue, options, &measurement));
  return measurement;
}

static uint32_t profiling(netcl_queue* queue) {
  netcl_queue_info info = NETCL_QUEUE_INFO_INIT;
  OK(netcl_queue_get_info(queue, &info));
  return info.profiling;
}

static netcl_status nothing(netcl_queue* queue, void* user_data) {
  (void)queue;
  ++*(uint64_t*)user_data;
  return NETCL_OK;
}

typedef struct OpWork {
  netcl_tensor* tensor;
  uint64_t calls;
  uint64_t fails_at;
} OpWork;

static netcl_status add_one(netcl_queue* queue, void* user_data) {
  OpWork* op = user_data;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.queue = queue;
  run.into = op->tensor;
  if (++op->calls == op->fails_at) {
    return netcl_op_expression_text("v0 + nonsense(", &op->tensor, 1, NULL, &run, NULL);
  }
  return netcl_op_expression_text("v0 + 1", &op->tensor, 1, NULL, &run, NULL);
}

/* The shortest of 30 samples, after a look at what the measurement says of itself. */
static double shortest_time(netcl_queue* queue, netcl_time_source source, OpWork* op) {
  netcl_measurement_options options = NETCL_MEASUREMENT_OPTIONS_INIT;
  netcl_statistics s = NETCL_STATISTICS_INIT;
  options.count = 30;
  options.source = source;
  op->calls = 0;
  OK(netcl_queue_time(queue, add_one, op, &options, &s));
  assert_int_equal(s.count, 30);
  assert_true(op->calls == s.warmup_count + s.count * s.iterations);
  assert_true(s.min > 0 && s.resolution_ns > 0);
  /* The op declares that it reads and writes each element. */
  CHECK(s.bytes == 2.0 * 4 * (1 << 19) && s.operations == (double)(1 << 19),
        "%g bytes, %g operations", s.bytes, s.operations);
  return s.min;
}

static void device_times(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {1 << 19};
  netcl_queue* queue = make_queue(fixture);
  OpWork op = {NULL, 0, 0};
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, shape, NULL, NULL, &op.tensor));
  /* A busy machine can slow either half down: the shortest of many rounds is compared. */
  double shortest[3] = {0, HUGE_VAL, HUGE_VAL};
  const int rounds_most = only_sanitized() ? 1 : 20;
  for (int round = 0; round < rounds_most; round++) {
    for (netcl_time_source source = NETCL_TIME_DEVICE_BUSY; source <= NETCL_TIME_HOST; source++) {
      double time = shortest_time(queue, source, &op);
      if (time < shortest[source]) shortest[source] = time;
    }
    if (shortest[NETCL_TIME_DEVICE_BUSY] <= 1.5 * shortest[NETCL_TIME_HOST]) break;
  }
  CHECK(only_sanitized() || shortest[NETCL_TIME_DEVICE_BUSY] <= 1.5 * shortest[NETCL_TIME_HOST],
        "busy %g ns, of the host's %g", shortest[NETCL_TIME_DEVICE_BUSY],
        shortest[NETCL_TIME_HOST]);
  netcl_tensor_release(op.tensor);
  netcl_queue_release(queue);
}

static netcl_comparison compare_work(netcl_queue* queue, OpWork work[2], uint64_t budget) {
  netcl_measurement_options options = NETCL_MEASUREMENT_OPTIONS_INIT;
  options.candidates = 2;
  options.budget_ns = budget;
  netcl_measurement* measurement = begin(queue, &options);
  assert_int_equal(profiling(queue), 1);
  for (;;) {
    uint32_t candidate;
    uint64_t iterations;
    OK(netcl_measurement_next(measurement, &candidate, &iterations));
    if (iterations == 0) break;
    for (uint64_t i = 0; i < iterations; i++) OK(add_one(queue, &work[candidate]));
  }
  netcl_comparison comparison = NETCL_COMPARISON_INIT;
  OK(netcl_measurement_compare(measurement, 0, 1, &comparison));
  /* The queue is as it was once the measurement is over, before its release. */
  assert_int_equal(profiling(queue), 0);
  netcl_measurement_release(measurement);
  return comparison;
}

/* Four times the work takes longer, on the device's clock and interleaved. */
static void device_comparison(void** state) {
  Fixture* fixture = *state;
  netcl_queue* queue = make_queue(fixture);
  OpWork work[2] = {{NULL, 0, 0}, {NULL, 0, 0}};
  const int64_t small[] = {1 << 16}, large[] = {1 << 20};
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, small, NULL, NULL, &work[0].tensor));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, large, NULL, NULL, &work[1].tensor));
  /* A busy machine leaves the verdict open: then more samples are taken. */
  netcl_comparison comparison = NETCL_COMPARISON_INIT;
  for (uint64_t budget = 100000000; budget <= 12800000000; budget *= 2) {
    comparison = compare_work(queue, work, budget);
    if (comparison.verdict == NETCL_VERDICT_FASTER || only_sanitized()) break;
  }
  CHECK(comparison.verdict == NETCL_VERDICT_FASTER || only_sanitized(), "verdict %d, ratio %g",
        comparison.verdict, comparison.ratio);
  netcl_tensor_release(work[0].tensor);
  netcl_tensor_release(work[1].tensor);
  netcl_queue_release(queue);
}

static void kernel_time(void** state) {
  Fixture* fixture = *state;
  if (!fixture->opencl) SKIP("the built-in device takes no kernels");
  const int64_t shape[] = {64};
  const uint64_t global = 64;
  const int32_t value = 3, spin = 20000;
  netcl_kernel* kernel = make_slow_kernel(fixture->device);
  netcl_tensor* out = NULL;
  netcl_queue* queue = make_queue(fixture);
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I32, 1, shape, NULL, NULL, &out));
  netcl_arg args[3] = {NETCL_ARG_INIT, NETCL_ARG_INIT, NETCL_ARG_INIT};
  args[0].kind = NETCL_ARG_TENSOR;
  args[0].tensor = out;
  args[1].kind = args[2].kind = NETCL_ARG_SCALAR;
  args[1].size = args[2].size = 4;
  memcpy(args[1].value, &value, 4);
  memcpy(args[2].value, &spin, 4);
  netcl_measurement_options options = NETCL_MEASUREMENT_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_queue_info before = NETCL_QUEUE_INFO_INIT, after = NETCL_QUEUE_INFO_INIT;
  netcl_statistics s = NETCL_STATISTICS_INIT;
  netcl_event* event = NULL;
  options.count = 12;
  run.queue = queue;
  OK(netcl_queue_get_info(queue, &before));
  OK(netcl_kernel_time(kernel, &global, 1, NULL, 0, args, 3, NULL, &run, &options, &s));
  OK(netcl_queue_get_info(queue, &after));
  assert_int_equal(s.count, 12);
  assert_true(s.min > 0);
  CHECK(after.commands - before.commands == s.warmup_count + s.count * s.iterations,
        "%llu launches", (unsigned long long)(after.commands - before.commands));
  int32_t* values = read_tensor(out);
  assert_int_equal(values[63], 3);
  free(values);
  /* The samples, for whoever asks. */
  netcl_measurement* measurement = NULL;
  double samples[12] = {0};
  uint64_t count = 0;
  options.measurement = &measurement;
  OK(netcl_kernel_time(kernel, &global, 1, NULL, 0, args, 3, NULL, &run, &options, &s));
  OK(netcl_measurement_get_samples(measurement, 0, samples, 12, &count));
  assert_int_equal(count, 12);
  double least = samples[0];
  for (int i = 1; i < 12; i++) least = samples[i] < least ? samples[i] : least;
  assert_true(least == s.min && least > 0);
  netcl_measurement_release(measurement);
  options.measurement = NULL;
  /* On the default queue, and what it refuses. */
  OK(netcl_kernel_time(kernel, &global, 1, NULL, 0, args, 3, NULL, NULL, &options, &s));
  run.event = &event;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "run->event",
             netcl_kernel_time(kernel, &global, 1, NULL, 0, args, 3, NULL, &run, &options, &s));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "args_count",
             netcl_kernel_time(kernel, &global, 1, NULL, 0, args, 2, NULL, NULL, &options, &s));
  netcl_tensor_release(out);
  netcl_kernel_release(kernel);
  netcl_queue_release(queue);
}

static void cold_caches(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {1 << 15};
  netcl_queue* queue = make_queue(fixture);
  OpWork op = {NULL, 0, 0};
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, shape, NULL, NULL, &op.tensor));
  netcl_measurement_options options = NETCL_MEASUREMENT_OPTIONS_INIT;
  netcl_statistics s = NETCL_STATISTICS_INIT;
  options.cold_cache = 1;
  options.flush_bytes = 4 << 20;
  options.count = 8;
  OK(netcl_queue_time(queue, add_one, &op, &options, &s));
  assert_int_equal(s.cold_cache, 1);
  /* More than one run would find what the first has brought in. */
  assert_int_equal(s.iterations, 1);
  assert_int_equal(s.count, 8);
  assert_int_equal(op.calls, 11);
  /* Several times the caches are a gigabyte on some machines, and more under sanitizers. */
  if (!only_sanitized()) {
    options.flush_bytes = 0;
    options.count = 2;
    OK(netcl_queue_time(queue, add_one, &op, &options, &s));
    print_message("flush of the size of its own choice: %s, median %.0f ns\n",
                  s.flush_proven ? "proven" : "not proven", s.median);
  }
  options.flush_bytes = UINT64_MAX / 2;
  CHECK(netcl_queue_time(queue, add_one, &op, &options, &s) != NETCL_OK, "no memory is that large");
  assert_int_equal(profiling(queue), 0);
  netcl_tensor_release(op.tensor);
  netcl_queue_release(queue);
}

static netcl_status fails_by_itself(netcl_queue* queue, void* user_data) {
  (void)queue;
  (void)user_data;
  return NETCL_ERROR_NOT_FOUND;
}

static void failing_work(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {100};
  netcl_queue* queue = make_queue(fixture);
  OpWork op = {NULL, 0, 5};
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, shape, NULL, NULL, &op.tensor));
  netcl_measurement_options options = NETCL_MEASUREMENT_OPTIONS_INIT;
  netcl_statistics s = NETCL_STATISTICS_INIT;
  options.count = 10;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "nonsense",
             netcl_queue_time(queue, add_one, &op, &options, &s));
  FAILS_WITH(NETCL_ERROR_NOT_FOUND, "work",
             netcl_queue_time(queue, fails_by_itself, NULL, &options, &s));
  assert_int_equal(profiling(queue), 0);
  op.fails_at = 0;
  OK(netcl_queue_time(queue, add_one, &op, &options, &s));
  /* Nothing on the queue has no device time; it is not 0. */
  uint64_t calls = 0;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "HOST",
             netcl_queue_time(queue, nothing, &calls, &options, &s));
  netcl_tensor_release(op.tensor);
  netcl_queue_release(queue);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(device_times), DEVICE_TEST(device_comparison), DEVICE_TEST(kernel_time),
      DEVICE_TEST(cold_caches),  DEVICE_TEST(failing_work),
  };
  return cmocka_run_group_tests_name("measurement_device", tests, NULL, NULL);
}
