/* Values at the edge of what the interface takes: each was once accepted, or refused, wrongly. */
#include <stdio.h>

#include "support_kernel.h"

/* A strided view of random whole numbers with shape [3, 5, 7, 2], whose elements it adds to sums.
 * A double holds such sums exactly, and so does an f32. */
static netcl_tensor *strided_input(Fixture *fixture, double *sums) {
  const int64_t wanted[4] = {3, 5, 7, 2};
  uint32_t axes[4] = {0, 1, 2, 3}, back[4];
  int64_t shape[4];
  netcl_range ranges[4];
  for (uint32_t i = 3; i > 0; --i) {
    const uint32_t j = (uint32_t)random_in(0, i), kept = axes[i];
    axes[i] = axes[j];
    axes[j] = kept;
  }
  for (uint32_t d = 0; d < 4; ++d) {
    const int64_t extent = wanted[axes[d]], step = random_in(1, 2);
    back[axes[d]] = d;
    shape[d] = extent * step;
    ranges[d].extent = extent;
    ranges[d].step = random_in(0, 1) ? step : -step;
    ranges[d].start = ranges[d].step > 0 ? 0 : (extent - 1) * step;
  }
  const int64_t count = product(4, shape);
  float *data = malloc((size_t)count * sizeof *data);
  for (int64_t i = 0; i < count; ++i) data[i] = (float)random_in(-1000, 1000);
  netcl_tensor *base = make_tensor(fixture->device, NETCL_F32, 4, shape, data);
  netcl_tensor *slice = NULL, *view = NULL;
  OK(netcl_tensor_slice(base, ranges, 4, &slice));
  OK(netcl_tensor_permute(slice, back, 4, &view));
  netcl_tensor_release(base);
  netcl_tensor_release(slice);
  const Model packed = model_packed(NETCL_F32, 4, shape, data);
  const Model sliced = model_slice(&packed, ranges);
  const Model permuted = model_permute(&sliced, back);
  float *values = model_gather(&permuted);
  for (int i = 0; i < 210; ++i) sums[i] += values[i];
  free(values);
  free(data);
  return view;
}

/* Each strided input needs more than one argument of a kernel, and a kernel has few of them. */
static void many_strided_inputs(void **state) {
  Fixture *fixture = *state;
  const uint32_t counts[] = {40, 62, 64};
  for (size_t c = 0; c < COUNT_OF(counts); ++c) {
    netcl_tensor *inputs[64], *sum = NULL;
    char text[512] = "";
    double sums[210] = {0};
    for (uint32_t i = 0; i < counts[c]; ++i) {
      snprintf(text + strlen(text), sizeof text - strlen(text), i == 0 ? "v%u" : "+v%u", i);
      inputs[i] = strided_input(fixture, sums);
    }
    OK(netcl_op_expression_text(text, inputs, counts[c], NULL, NULL, &sum));
    float *values = read_tensor(sum);
    for (int i = 0; i < 210; ++i) {
      CHECK(values[i] == sums[i], "%u inputs, element %d: %g, not %g", counts[c], i, values[i],
            sums[i]);
    }
    free(values);
    netcl_tensor_release(sum);
    for (uint32_t i = 0; i < counts[c]; ++i) netcl_tensor_release(inputs[i]);
  }
}

/* A u8 has one byte, so that offsets in bytes are the ones in elements and overflow with them. */
static void view_extremes(void **state) {
  Fixture *fixture = *state;
  const int64_t n = 16, two = 2, one = 1, none = 0;
  const int64_t strides[] = {INT64_MAX, INT64_MAX - 1, INT64_MIN, INT64_MIN + 1, 16, -1};
  const int64_t offsets[] = {INT64_MAX, INT64_MAX - 1, INT64_MIN, 16, 17, -1};
  netcl_tensor *base = NULL, *view = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_U8, 1, &n, NULL, NULL, &base));
  for (size_t i = 0; i < COUNT_OF(strides); ++i) {
    FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_tensor_view(base, 1, &two, &strides[i], 0, &view));
    FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_tensor_view(base, 1, &one, NULL, offsets[i], &view));
    assert_null(view);
  }
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_tensor_view(base, 1, &none, NULL, INT64_MAX, &view));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_tensor_view(base, 1, &two, &strides[0], INT64_MAX, &view));
  netcl_tensor_release(base);
}

static void fill_broadcast(void **state) {
  Fixture *fixture = *state;
  const int64_t extents[] = {5, 1000000};
  const netcl_range last = {5, 1, 1};
  const float data[6] = {1, 2, 3, 4, 5, 6}, value = 9;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_event *event = NULL;
  const int64_t n = 6;
  netcl_tensor *base = make_tensor(fixture->device, NETCL_F32, 1, &n, data), *part = NULL;
  OK(netcl_tensor_slice(base, &last, 1, &part));
  run.event = &event;
  for (size_t i = 0; i < COUNT_OF(extents); ++i) {
    netcl_tensor *wide = NULL;
    OK(netcl_tensor_broadcast(part, 1, &extents[i], &wide));
    FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_op_fill(wide, &value, &run));
    assert_null(event);
    netcl_tensor_release(wide);
  }
  OK(netcl_device_finish(fixture->device, LONG_WAIT));
  CHECK_TENSOR(base, data);
  netcl_tensor_release(part);
  netcl_tensor_release(base);
}

static void round_up_overflow(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  const uint64_t globals[] = {UINT64_MAX, UINT64_MAX - 3}, locals[] = {64, 16};
  netcl_launch_options options = NETCL_LAUNCH_OPTIONS_INIT;
  netcl_kernel *kernel =
      source_kernel(fixture->device, "k", "__kernel void k(__global int *a) { a[0] = 1; }");
  netcl_tensor *target = poisoned_tensor(fixture->device, NETCL_I32, 4);
  const netcl_arg arg = arg_tensor(target);
  options.round_up = 1;
  for (int i = 0; i < 2; ++i) {
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "global[0]",
               netcl_kernel_launch(kernel, &globals[i], 1, &locals[i], 1, &arg, 1, &options, NULL));
  }
  check_still_poisoned(target);
  netcl_tensor_release(target);
  netcl_kernel_release(kernel);
}

static void empty_view_argument(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  const int64_t none = 0, n = 256, one = 1;
  const int32_t seven = 7;
  netcl_kernel *kernel = source_kernel(
      fixture->device, "k", "__kernel void k(__global int *a, __global int *b) { b[0] = 7; }");
  netcl_tensor *base = NULL, *view = NULL;
  netcl_tensor *target = poisoned_tensor(fixture->device, NETCL_I32, one);
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I32, 1, &n, NULL, NULL, &base));
  OK(netcl_tensor_view(base, 1, &none, NULL, n, &view));
  const netcl_arg args[] = {arg_tensor(view), arg_tensor(target)};
  OK(launch_1d(kernel, 1, args, 2));
  CHECK_TENSOR(target, &seven);
  netcl_tensor_release(view);
  netcl_tensor_release(base);
  netcl_tensor_release(target);
  netcl_kernel_release(kernel);
}

/* The device may not have been asked before the size is refused: it would copy all of it. */
static void oversized_argument(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_kernel *kernel = source_kernel(fixture->device, "k",
                                       "typedef struct { float x[16]; } S;\n"
                                       "__kernel void k(__global float *a, S s) {\n"
                                       "  a[0] = s.x[3];\n"
                                       "}");
  netcl_tensor *target = poisoned_tensor(fixture->device, NETCL_F32, 1);
  float data[16] = {0, 0, 0, 5};
  const uint32_t sizes[] = {0x7fffffff, 0xffffffff, 1u << 30};
  netcl_arg args[] = {arg_tensor(target), arg_data(data, sizeof data)};
  for (size_t i = 0; i < COUNT_OF(sizes); ++i) {
    args[1].size = sizes[i];
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "args[1].size", launch_1d(kernel, 1, args, 2));
    netcl_launch_explanation explanation = NETCL_LAUNCH_EXPLANATION_INIT;
    const uint64_t one = 1;
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "args[1].size",
               netcl_kernel_explain_launch(kernel, &one, 1, NULL, 0, args, 2, NULL, &explanation));
  }
  check_still_poisoned(target);
  args[1].size = sizeof data;
  OK(launch_1d(kernel, 1, args, 2));
  CHECK_TENSOR(target, &data[3]);
  netcl_tensor_release(target);
  netcl_kernel_release(kernel);
}

/* ---- Log callbacks --------------------------------------------------------------------------- */

#define ENDLESS 2000
static int log_calls, log_destroyed;
static uint64_t log_newest;

static netcl_tensor *bad_handle(void) { return (netcl_tensor *)(uintptr_t)55; }

static void note_record(const netcl_log_record *record) {
  CHECK(record->sequence > log_newest, "record %llu came after %llu",
        (unsigned long long)record->sequence, (unsigned long long)log_newest);
  log_newest = record->sequence;
  ++log_calls;
}

static void count_destroyed(void *user_data) {
  (void)user_data;
  ++log_destroyed;
}

/* Stops in the end, so that the fault is a failure of the test and no hang. */
static void log_again(const netcl_log_record *record, void *user_data) {
  (void)user_data;
  note_record(record);
  if (log_calls < ENDLESS) netcl_tensor_release(bad_handle());
}

static void replace_itself(const netcl_log_record *record, void *user_data) {
  note_record(record);
  if (log_calls >= ENDLESS) return;
  OK(netcl_log_set_callback(replace_itself, user_data, count_destroyed));
  netcl_tensor_release(bad_handle());
}

static void check_callback(netcl_log_fn callback) {
  log_calls = log_destroyed = 0;
  log_newest = log_last_sequence();
  OK(netcl_log_set_level(NETCL_LOG_WARNING));
  OK(netcl_log_set_callback(callback, &log_calls, count_destroyed));
  for (int i = 0; i < 5; ++i) {
    const int before = log_calls;
    netcl_tensor_release(bad_handle());
    CHECK(log_calls > before, "call %d delivered nothing", i);
  }
  OK(netcl_log_set_callback(NULL, NULL, NULL));
  CHECK(log_calls < 100, "5 calls delivered %d records", log_calls);
}

static void callback_that_logs(void **state) {
  (void)state;
  check_callback(log_again);
  assert_int_equal(log_destroyed, 1);
}

static void callback_that_replaces_itself(void **state) {
  (void)state;
  check_callback(replace_itself);
  assert_int_equal(log_destroyed, log_calls + 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(many_strided_inputs), DEVICE_TEST(view_extremes),
      DEVICE_TEST(fill_broadcast),      DEVICE_TEST(round_up_overflow),
      DEVICE_TEST(empty_view_argument), DEVICE_TEST(oversized_argument),
      DEVICE_TEST(callback_that_logs),  DEVICE_TEST(callback_that_replaces_itself),
  };
  seed_random("edges");
  return cmocka_run_group_tests_name("edges", tests, NULL, NULL);
}
