/*
 * OpenCL devices of type CPU run the library's own ops as functions of the host: the bits of the
 * built-in device, nothing to compile, and commands like any other: held back by events, failing
 * with what they wait for, in any order, after everything that enqueued them is gone.
 */
#include "support_gate_cl.h"

static uint64_t g_seed;

/* Such a device, unless kernels were asked for. */
#define NEEDS_NATIVE(fixture)                                                                \
  do {                                                                                       \
    NEEDS_OPENCL(fixture);                                                                   \
    cl_device_id raw_ = NULL;                                                                \
    cl_device_exec_capabilities can_ = 0;                                                    \
    OK(netcl_device_get_cl_device((fixture)->device, &raw_));                                \
    clGetDeviceInfo(raw_, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof can_, &can_, NULL);       \
    if ((fixture)->info.type != NETCL_DEVICE_CPU || (can_ & CL_EXEC_NATIVE_KERNEL) == 0 ||   \
        (fixture)->capabilities.strategy == NETCL_STRATEGY_OPTIMIZED) {                      \
      SKIP("ops are kernels here");                                                          \
    }                                                                                        \
  } while (0)

static netcl_tensor *noise(netcl_device *device, netcl_dtype dtype, uint32_t rank,
                           const int64_t *shape, uint64_t seed) {
  netcl_random_options options = NETCL_RANDOM_OPTIONS_INIT;
  netcl_tensor *tensor = NULL;
  options.seed = seed;
  OK(netcl_tensor_create_random(device, dtype, rank, shape, NULL, &options, NULL, &tensor));
  return tensor;
}

enum { RESULTS = 12 };

/* One call of each kind of op, over shapes that neither tiles nor vectors divide. */
static void run_ops(netcl_device *device, netcl_dtype dtype, netcl_tensor *results[RESULTS]) {
  const int64_t square[2] = {67, 67}, image[4] = {2, 9, 17, 19}, filters[4] = {11, 9, 3, 3};
  const int64_t eleven[1] = {11}, smaller[4] = {2, 9, 12, 13};
  netcl_tensor *a = noise(device, dtype, 2, square, g_seed);
  netcl_tensor *b = noise(device, dtype, 2, square, g_seed + 1);
  netcl_tensor *x = noise(device, dtype, 4, image, g_seed + 2);
  netcl_tensor *w = noise(device, dtype, 4, filters, g_seed + 3);
  netcl_tensor *bias = noise(device, dtype, 1, eleven, g_seed + 4);
  netcl_tensor *pair[2] = {a, b}, *view = NULL, *indices = NULL;
  netcl_conv2d_options conv = NETCL_CONV2D_OPTIONS_INIT;
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  netcl_reduce_options reduce = NETCL_REDUCE_OPTIONS_INIT;
  netcl_topk_options topk = NETCL_TOPK_OPTIONS_INIT;
  netcl_norm_options norm = NETCL_NORM_OPTIONS_INIT;
  const int32_t last = -1;
  const uint32_t turned[2] = {1, 0};
  int n = 0;
  OK(netcl_tensor_permute(a, turned, 2, &view));
  OK(netcl_op_matmul(a, b, NULL, NULL, &results[n++]));
  OK(netcl_op_matmul(view, b, NULL, NULL, &results[n++]));
  epilogue.bias = bias;
  epilogue.activation = NETCL_ACTIVATION_RELU;
  conv.epilogue = &epilogue;
  OK(netcl_op_conv2d(x, w, &conv, NULL, &results[n++]));
  conv.strides[0] = conv.strides[1] = 2;
  OK(netcl_op_conv2d(x, w, &conv, NULL, &results[n++]));
  OK(netcl_op_softmax(view, -1, NULL, &results[n++]));
  OK(netcl_op_rmsnorm(a, -1, &norm, NULL, &results[n++]));
  reduce.axes = &last;
  reduce.axes_count = 1;
  OK(netcl_op_reduce(x, NETCL_REDUCTION_SUM, &reduce, NULL, &results[n++]));
  OK(netcl_op_topk(b, 7, -1, &topk, NULL, &results[n++], &indices));
  OK(netcl_op_expression_text("exp(v0) * tanh(v1) + v0 / (v1 + 2)", pair, 2, NULL, NULL,
                              &results[n++]));
  OK(netcl_op_resize(x, 4, smaller, NULL, NULL, &results[n++]));
  OK(netcl_op_copy(view, NULL, &results[n++]));
  results[n++] = indices;
  assert_int_equal(n, RESULTS);
  netcl_tensor *inputs[] = {a, b, x, w, bias, view};
  for (size_t i = 0; i < COUNT_OF(inputs); ++i) netcl_tensor_release(inputs[i]);
}

static void same_bits_and_nothing_compiled(void **state) {
  Fixture *fixture = *state;
  NEEDS_NATIVE(fixture);
  static const netcl_dtype dtypes[] = {NETCL_F32, NETCL_F64, NETCL_F16, NETCL_BF16};
  netcl_device *builtin = NULL;
  OK(netcl_device_open("builtin", NULL, &builtin));
  settle(fixture);
  const netcl_program_cache_info before = cache_counters();
  for (size_t d = 0; d < COUNT_OF(dtypes); ++d) {
    netcl_tensor *ours[RESULTS], *theirs[RESULTS];
    run_ops(builtin, dtypes[d], ours);
    run_ops(fixture->device, dtypes[d], theirs);
    for (int i = 0; i < RESULTS; ++i) {
      void *wanted = read_tensor(ours[i]);
      CHECK_TENSOR(theirs[i], wanted);
      free(wanted);
      netcl_tensor_release(ours[i]);
      netcl_tensor_release(theirs[i]);
    }
  }
  const netcl_program_cache_info after = cache_counters();
  CHECK(before.source_builds == after.source_builds && before.memory_hits == after.memory_hits &&
            before.disk_hits == after.disk_hits,
        "%llu programs were built",
        (unsigned long long)(after.source_builds - before.source_builds));
  netcl_device_release(builtin);
}

/* What is said of the variants is what the built-in device says. */
static void same_variants(void **state) {
  Fixture *fixture = *state;
  NEEDS_NATIVE(fixture);
  netcl_device *builtin = NULL;
  OK(netcl_device_open("builtin", NULL, &builtin));
  for (int round = 0; round < 50; ++round) {
    netcl_variant_config wanted = NETCL_VARIANT_CONFIG_INIT, got = NETCL_VARIANT_CONFIG_INIT;
    netcl_conv2d_shape shape = NETCL_CONV2D_SHAPE_INIT;
    const int64_t m = random_in(1, 2000), n = random_in(1, 2000), k = random_in(0, 2000);
    shape.batch = random_in(1, 8);
    shape.channels = random_in(1, 512);
    shape.filters = random_in(1, 512);
    shape.height = shape.width = random_in(5, 60);
    shape.kernel_height = shape.kernel_width = 2 * random_in(0, 2) + 1;
    OK(netcl_variant_select_matmul(builtin, m, n, k, NULL, &wanted));
    OK(netcl_variant_select_matmul(fixture->device, m, n, k, NULL, &got));
    wanted.from_cache = got.from_cache = 0;
    assert_memory_equal(&wanted, &got, sizeof got);
    OK(netcl_variant_select_conv2d(builtin, &shape, NULL, &wanted));
    OK(netcl_variant_select_conv2d(fixture->device, &shape, NULL, &got));
    wanted.from_cache = got.from_cache = 0;
    assert_memory_equal(&wanted, &got, sizeof got);
  }
  netcl_device_release(builtin);
}

/* A chain of ops behind a gate, on queues of both kinds. All that enqueued them is released before
 * the gate opens. */
static void held_back(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  for (uint32_t out_of_order = 0; out_of_order < 2; ++out_of_order) {
    if (out_of_order && fixture->capabilities.out_of_order == 0) continue;
    const int64_t shape[2] = {33, 33};
    netcl_queue_options options = NETCL_QUEUE_OPTIONS_INIT;
    netcl_queue *queue = NULL;
    options.out_of_order = out_of_order;
    OK(netcl_queue_create(fixture->device, &options, &queue));
    float values[33 * 33];
    for (int i = 0; i < 33 * 33; ++i) values[i] = i % 34 == 0 ? 2.0f : 0.0f;
    netcl_tensor *twice = make_tensor(fixture->device, NETCL_F32, 2, shape, values);
    netcl_tensor *now = noise(fixture->device, NETCL_F32, 2, shape, g_seed + 5);
    float *start = read_tensor(now);
    Gate gate = make_gate(fixture);
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    run.queue = queue;
    run.waits = &gate.event;
    run.waits_count = 1;
    for (int i = 0; i < 6; ++i) {
      netcl_tensor *next = NULL, *pair[1] = {now};
      if (i % 2 == 0) {
        OK(netcl_op_matmul(now, twice, NULL, &run, &next));
      } else {
        OK(netcl_op_expression_text("v0 + 1", pair, 1, NULL, &run, &next));
      }
      run.waits = NULL;
      run.waits_count = 0;
      netcl_tensor_release(now);
      now = next;
    }
    netcl_tensor_release(twice);
    netcl_queue_release(queue);
    open_gate(gate);
    for (int i = 0; i < 33 * 33; ++i) {
      start[i] = ((start[i] * 2 + 1) * 2 + 1) * 2 + 1;
    }
    CHECK_TENSOR(now, start);
    free(start);
    netcl_tensor_release(now);
    drop_gate(gate);
  }
}

/* Commands that fail before their turn: what they own goes, and the device works on. */
static void given_up(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  const int64_t shape[2] = {8, 8};
  netcl_tensor *a = noise(fixture->device, NETCL_F32, 2, shape, g_seed + 6);
  settle(fixture);
  for (int round = 0; round < 5; ++round) {
    netcl_queue *queue = new_queue(fixture);
    Gate gate = make_gate(fixture);
    netcl_event *event = NULL;
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    netcl_tensor *first = NULL, *result = NULL;
    run.queue = queue;
    run.waits = &gate.event;
    run.waits_count = 1;
    OK(netcl_op_matmul(a, a, NULL, &run, &first));
    run.waits = NULL;
    run.waits_count = 0;
    run.event = &event;
    OK(netcl_op_softmax(first, -1, &run, &result));
    set_gate(gate.raw, CL_OUT_OF_RESOURCES);
    FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_event_wait(event, LONG_WAIT));
    netcl_event_release(event);
    netcl_tensor_release(first);
    netcl_tensor_release(result);
    netcl_queue_release(queue);
    drop_gate(gate);
  }
  (void)netcl_device_finish(fixture->device, LONG_WAIT);
  netcl_tensor *after = NULL;
  OK(netcl_op_softmax(a, -1, NULL, &after));
  float *rows = read_tensor(after);
  for (int r = 0; r < 8; ++r) {
    double sum = 0;
    for (int c = 0; c < 8; ++c) sum += rows[8 * r + c];
    CHECK(sum > 0.999 && sum < 1.001, "row %d adds up to %g", r, sum);
  }
  free(rows);
  netcl_tensor_release(after);
  netcl_tensor_release(a);
}

static void times(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  const int64_t shape[2] = {256, 256};
  netcl_queue_options options = NETCL_QUEUE_OPTIONS_INIT;
  netcl_queue *queue = NULL;
  netcl_event *event = NULL;
  netcl_event_timing timing = NETCL_EVENT_TIMING_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *a = noise(fixture->device, NETCL_F32, 2, shape, g_seed + 7), *c = NULL;
  options.profiling = 1;
  OK(netcl_queue_create(fixture->device, &options, &queue));
  run.queue = queue;
  run.event = &event;
  OK(netcl_op_matmul(a, a, NULL, &run, &c));
  OK(netcl_event_wait(event, LONG_WAIT));
  OK(netcl_event_get_timing(event, &timing));
  CHECK(timing.queued_ns <= timing.submitted_ns && timing.submitted_ns <= timing.started_ns &&
            timing.started_ns < timing.ended_ns && timing.ended_ns - timing.started_ns < SECOND,
        "the command ran from %llu to %llu", (unsigned long long)timing.started_ns,
        (unsigned long long)timing.ended_ns);
  netcl_event_release(event);
  netcl_tensor_release(a);
  netcl_tensor_release(c);
  netcl_queue_release(queue);
}

/* Memory of the caller: a sub-buffer behind the start of its memory object, on the caller's queue,
 * with all of the library's objects gone before the caller waits. */
static void wrapped(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  enum { COUNT = 4096 };
  cl_context context = NULL;
  cl_device_id raw = NULL;
  cl_int code = 0;
  OK(netcl_device_get_cl_context(fixture->device, &context));
  OK(netcl_device_get_cl_device(fixture->device, &raw));
  float *values = malloc(2 * COUNT * sizeof *values);
  for (int i = 0; i < 2 * COUNT; ++i) values[i] = (float)i;
  cl_mem whole = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                2 * COUNT * sizeof *values, values, &code);
  assert_int_equal(code, CL_SUCCESS);
  const cl_buffer_region region = {COUNT * sizeof *values, COUNT * sizeof *values};
  cl_mem part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
  assert_int_equal(code, CL_SUCCESS);
  cl_command_queue raw_queue = clCreateCommandQueue(context, raw, 0, &code);
  assert_int_equal(code, CL_SUCCESS);
  netcl_queue *queue = NULL;
  netcl_tensor *tensor = NULL;
  const int64_t count = COUNT;
  OK(netcl_queue_create_from_cl(fixture->device, raw_queue, &queue));
  OK(netcl_tensor_create_from_cl(fixture->device, part, 0, NETCL_F32, 1, &count, NULL, NULL,
                                 &tensor));
  netcl_run_options run = run_into(tensor);
  run.queue = queue;
  OK(netcl_op_expression_text("v0 * -1", &tensor, 1, NULL, &run, NULL));
  netcl_tensor_release(tensor);
  netcl_queue_release(queue);
  memset(values, POISON, 2 * COUNT * sizeof *values);
  code = clEnqueueReadBuffer(raw_queue, whole, CL_TRUE, 0, 2 * COUNT * sizeof *values, values, 0,
                             NULL, NULL);
  assert_int_equal(code, CL_SUCCESS);
  for (int i = 0; i < 2 * COUNT; ++i) {
    const float wanted = i < COUNT ? (float)i : -(float)i;
    CHECK(values[i] == wanted, "element %d is %g, not %g", i, values[i], wanted);
  }
  free(values);
  clReleaseMemObject(part);
  clReleaseMemObject(whole);
  clReleaseCommandQueue(raw_queue);
}

int main(void) {
  seed_random("native");
  g_seed = random_bits();
  const struct CMUnitTest tests[] = {GATE_TEST(same_bits_and_nothing_compiled),
                                     GATE_TEST(same_variants),
                                     GATE_TEST(held_back), GATE_TEST(given_up), GATE_TEST(times),
                                     GATE_TEST(wrapped)};
  return cmocka_run_group_tests_name("native", tests, NULL, NULL);
}
