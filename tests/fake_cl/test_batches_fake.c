/* Command buffers on the scripted device: calls of the driver that fail, one at a time, cost the
 * command buffers and nothing else; what the driver keeps goes with the graph and the memory. */
#include <dlfcn.h>
#include <stdio.h>

#include "support_batches.h"
#include "support_fake.h"
#include "support_process.h"

static int live(const char* name) {
  void* library = dlopen(getenv("NETCL_OPENCL_LIBRARY"), RTLD_NOW | RTLD_NOLOAD);
  assert_non_null(library);
  const int count = *(const int*)dlsym(library, name);
  dlclose(library);
  return count;
}
static int batches(void) { return live("fake_live_batches"); }

/* The last tensor that the launches write: what the device's own kernels do is not played. */
static void check_steps(const BatchCase* made, double first, const char* what, int which) {
  check_batch_output(made->steps[kBatchSteps - 1], first, what, which);
}

static void run_times(const BatchCase* made, netcl_tensor* in, netcl_tensor* out, int times,
                      double first, const char* what) {
  for (int i = 0; i < times; ++i) {
    OK(batch_run(made, in, out, NULL));
    check_steps(made, first, what, i);
  }
}

static void keeps_launches(void** state) {
  Fixture* fixture = *state;
  BatchCase made;
  fake_script("log");
  batch_case(fixture, &made);
  netcl_tensor *in = batch_input(fixture, 3), *out = batch_input(fixture, 0);
  check_batches_told(made.graph, "recorded");
  run_times(&made, in, out, 10, 3, "run");
  const int64_t runs = batch_number(made.graph, "runs");
  CHECK(runs >= 7, "%d of 10 runs", (int)runs);
  assert_int_equal(fake_launches("batch"), runs);
  assert_true(batches() > 0);
  const int kernels = live("fake_live_kernels");
  batch_case_free(&made);
  assert_int_equal(batches(), 0);
  CHECK(live("fake_live_kernels") <= kernels - kBatchSteps, "%d kernels of %d",
        live("fake_live_kernels"), kernels);
  RELEASE(in, out);
}

/* What a driver refuses costs its command buffers, with the reason, and no result. */
static void refusals(void** state) {
  static const struct {
    const char *function, *told;
  } kCalls[] = {{"clCreateCommandBufferKHR", "clCreateCommandBufferKHR failed"},
                {"clCommandNDRangeKernelKHR", "clCommandNDRangeKernelKHR failed"},
                {"clFinalizeCommandBufferKHR", "clFinalizeCommandBufferKHR failed"},
                {"clEnqueueCommandBufferKHR", "clEnqueueCommandBufferKHR failed"}};
  static const int kCodes[] = {-6, -5, -1138, -59, -1234};
  Fixture* fixture = *state;
  fake_script(" ");
  for (size_t call = 0; call < COUNT_OF(kCalls); ++call) {
    for (int nth = 1; nth <= 2; ++nth) {
      BatchCase made;
      char text[128];
      const int code = kCodes[random_in(0, COUNT_OF(kCodes) - 1)];
      batch_case(fixture, &made);
      netcl_tensor *in = batch_input(fixture, nth), *out = batch_input(fixture, 0);
      snprintf(text, sizeof text, "%s %d %d", kCalls[call].function, nth, code);
      setenv("NETCL_FAKE_CL_FAIL", text, 1);
      run_times(&made, in, out, 6, nth, text);
      unsetenv("NETCL_FAKE_CL_FAIL");
      if (nth == 1 || call == 1 || call == 3) {
        check_batches_told(made.graph, kCalls[call].told);
        const int64_t runs = batch_number(made.graph, "runs");
        run_times(&made, in, out, 3, nth, text);
        assert_int_equal(batch_number(made.graph, "runs"), runs);
      }
      RELEASE(in, out);
      batch_case_free(&made);
      assert_int_equal(batches(), 0);
    }
  }
  /* Kernels of their own, whose arguments are set once. */
  static const char* const kOthers[] = {"clCreateKernel", "clSetKernelArg", "clGetKernelInfo"};
  for (size_t call = 0; call < COUNT_OF(kOthers); ++call) {
    BatchCase made;
    char text[128];
    batch_case(fixture, &made);
    netcl_tensor *in = batch_input(fixture, 9), *out = batch_input(fixture, 0);
    run_times(&made, in, out, 1, 9, "first");
    /* The second run is recorded: all calls of these functions are then for that, but for
     * clSetKernelArg, with which plain launches fail too. */
    snprintf(text, sizeof text, "%s 1 -6", kOthers[call]);
    setenv("NETCL_FAKE_CL_FAIL", text, 1);
    run_times(&made, in, out, 1, 9, text);
    unsetenv("NETCL_FAKE_CL_FAIL");
    check_batches_told(made.graph, kOthers[call]);
    assert_int_equal(batches(), 0);
    RELEASE(in, out);
    batch_case_free(&made);
  }
}

/* What a graph changes is not changed by a batch of which the driver may have taken a part, and
 * then once more: the run fails, and later ones are launch by launch. */
static void refused_in_place(void** state) {
  Fixture* fixture = *state;
  BatchCase made;
  fake_script(" ");
  batch_case(fixture, &made);
  netcl_run_options run = captured_calls(fixture);
  netcl_tensor *x = batch_input(fixture, 0), *y = batch_input(fixture, 0), *copied = NULL,
               *out = batch_input(fixture, 0);
  const uint64_t size = kBatchItems;
  const netcl_arg there[2] = {{.kind = NETCL_ARG_TENSOR_READ_ONLY, .tensor = x},
                              {.kind = NETCL_ARG_TENSOR, .tensor = y}},
                  back[2] = {{.kind = NETCL_ARG_TENSOR_READ_ONLY, .tensor = y},
                             {.kind = NETCL_ARG_TENSOR, .tensor = x}};
  OK(netcl_kernel_launch(made.kernel, &size, 1, NULL, 0, there, 2, NULL, &run));
  OK(netcl_kernel_launch(made.kernel, &size, 1, NULL, 0, back, 2, NULL, &run));
  OK(netcl_op_copy(y, &run, &copied));
  OK(netcl_graph_compile(run.graph, NULL, 0, &copied, 1, NULL));
  for (int i = 0; i < 4; ++i) OK(netcl_graph_run(run.graph, NULL, 0, &out, 1, NULL));
  const int64_t runs = batch_number(run.graph, "runs");
  assert_true(runs > 0);
  float* before = read_tensor(x);
  setenv("NETCL_FAKE_CL_FAIL", "clEnqueueCommandBufferKHR 1 -6", 1);
  FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_graph_run(run.graph, NULL, 0, &out, 1, NULL));
  unsetenv("NETCL_FAKE_CL_FAIL");
  float* after = read_tensor(x);
  assert_memory_equal(before, after, kBatchItems * sizeof(float));
  OK(netcl_graph_run(run.graph, NULL, 0, &out, 1, NULL));
  assert_int_equal(batch_number(run.graph, "runs"), runs);
  check_batches_told(run.graph, "clEnqueueCommandBufferKHR failed");
  free(after);
  after = read_tensor(x);
  for (int i = 0; i < kBatchItems; ++i) {
    CHECK(after[i] == 4 * before[i] + 3, "[%d] is %g, before %g", i, after[i], before[i]);
  }
  free(before);
  free(after);
  RELEASE(x, y, copied, out);
  netcl_graph_release(run.graph);
  batch_case_free(&made);
}

/* The driver gets no launches as a batch that it has refused one by one. */
static void launches_that_never_ran(void** state) {
  Fixture* fixture = *state;
  BatchCase made;
  fake_script(" ");
  batch_case(fixture, &made);
  netcl_tensor *in = batch_input(fixture, 3), *out = batch_input(fixture, 0);
  const int last = random_in(1, kBatchSteps);
  for (int pass = 0; pass < 3; ++pass) {
    char text[64];
    snprintf(text, sizeof text, "clEnqueueNDRangeKernel %d -54", last);
    setenv("NETCL_FAKE_CL_FAIL", text, 1);
    CHECK(batch_run(&made, in, out, NULL) != NETCL_OK, "pass %d: launch %d did not fail", pass,
          last);
    unsetenv("NETCL_FAKE_CL_FAIL");
    /* So that the next pass begins to count anew. */
    setenv("NETCL_FAKE_CL_FAIL", "nothing 1 -5", 1);
    netcl_tensor_release(batch_input(fixture, 0));
    unsetenv("NETCL_FAKE_CL_FAIL");
    assert_int_equal(batch_number(made.graph, "recorded"), 0);
  }
  run_times(&made, in, out, 1, 3, "the first that ends");
  assert_int_equal(batch_number(made.graph, "recorded"), 0);
  check_batches_told(made.graph, "for the first time");
  run_times(&made, in, out, 2, 3, "recorded");
  assert_true(batch_number(made.graph, "recorded") > 0);
  RELEASE(in, out);
  batch_case_free(&made);
}

/* Where one may not be enqueued before it has ended, the runs that meet it do without. */
static void once_at_a_time(void** state) {
  (void)state;
  Fixture own, *fixture = &own;
  netcl_device_options options = NETCL_DEVICE_OPTIONS_INIT;
  memset(&own, 0, sizeof own);
  options.separate = 1;
  fake_script("batches once");
  OK(netcl_device_open("gpu", &options, &own.device));
  BatchCase made;
  batch_case(fixture, &made);
  netcl_tensor *in = batch_input(fixture, 3), *out = batch_input(fixture, 0);
  batch_until_kept(&made, in, out);
  int64_t runs = batch_number(made.graph, "runs");
  fake_script_more("batches take 300");
  for (int i = 0; i < 3; ++i) OK(batch_run(&made, in, out, NULL));
  check_batches_told(made.graph, "once at a time");
  OK(netcl_device_finish(own.device, LONG_WAIT));
  check_steps(&made, 3, "once", 0);
  fake_script("batches once");
  process_sleep_ms(400);
  const int64_t without = batch_number(made.graph, "runs_without");
  run_times(&made, in, out, 2, 3, "later");
  assert_int_equal(batch_number(made.graph, "runs_without"), without);
  CHECK(batch_number(made.graph, "runs") >= runs + 3, "%d runs, before %d",
        (int)batch_number(made.graph, "runs"), (int)runs);
  RELEASE(in, out);
  batch_case_free(&made);
  netcl_device_release(own.device);
  assert_int_equal(batches(), 0);
}

/* Page-locked memory has a copy in this device, which is filled before a launch and copied back
 * behind it: launches on it are enqueued one by one, those of other runs are kept all the same. */
static void page_locked_memory(void** state) {
  Fixture* fixture = *state;
  BatchCase made;
  netcl_pool* pool = NULL;
  netcl_tensor* pinned = NULL;
  netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
  const int64_t shape = kBatchItems;
  const float three = 3;
  fake_script(" ");
  batch_case(fixture, &made);
  OK(netcl_device_get_pool(fixture->device, NETCL_POOL_PINNED, &pool));
  options.pool = pool;
  OK(netcl_tensor_create_full(fixture->device, NETCL_F32, 1, &shape, NULL, &three, &options,
                              &pinned));
  netcl_tensor *in = batch_input(fixture, 3), *out = batch_input(fixture, 0);
  for (int pass = 0; pass < 6; ++pass) {
    OK(batch_run(&made, pinned, out, NULL));
    float* got = read_tensor(made.steps[kBatchSteps - 1]);
    for (int i = 0; i < kBatchItems; ++i) CHECK(got[i] == 63, "[%d] is %g", i, got[i]);
    free(got);
  }
  check_batches_told(made.graph, "page-locked memory");
  assert_int_equal(batch_number(made.graph, "runs"), 0);
  batch_until_kept(&made, in, out);
  check_steps(&made, 3, "not pinned", 0);
  RELEASE(in, out, pinned);
  netcl_pool_release(pool);
  batch_case_free(&made);
  assert_int_equal(batches(), 0);
}

/* Fills are kept with the launches around them; where the driver does not keep them, or refuses
 * one, all is as it is without. */
static void fills(void** state) {
  (void)state;
  for (int missing = 0; missing < 2; ++missing) {
    Fixture own;
    BatchCase made;
    netcl_device_options options = NETCL_DEVICE_OPTIONS_INIT;
    netcl_tensor *filled = NULL, *last = NULL;
    memset(&own, 0, sizeof own);
    options.separate = 1;
    fake_script("batches %s", missing ? "clCommandFillBufferKHR" : "all");
    OK(netcl_device_open("gpu", &options, &own.device));
    batch_case(&own, &made);
    if (!missing) check_fills_are_kept(&own, &made);
    netcl_graph* graph = fill_case(&own, &made, &filled, &last);
    setenv("NETCL_FAKE_CL_FAIL", "clCommandFillBufferKHR 1 -6", 1);
    for (int pass = 0; pass < 4; ++pass) run_fill_case(graph, filled, last, pass);
    unsetenv("NETCL_FAKE_CL_FAIL");
    check_batches_told(graph, missing ? "no two launches of kernels follow each other"
                                      : "clCommandFillBufferKHR failed");
    RELEASE(filled, last);
    netcl_graph_release(graph);
    batch_case_free(&made);
    netcl_device_release(own.device);
    assert_int_equal(batches(), 0);
  }
}

/* Drivers without them, and with a part of them. */
static void not_there(void** state) {
  static const char* const kScripts[][2] = {
      {"none", "the driver has no cl_khr_command_buffer"},
      {"later", "the driver has version 1.0.0 of cl_khr_command_buffer"},
      {"clFinalizeCommandBufferKHR", "no clFinalizeCommandBufferKHR"},
      {"clEnqueueCommandBufferKHR", "no clEnqueueCommandBufferKHR"}};
  (void)state;
  for (size_t i = 0; i < COUNT_OF(kScripts); ++i) {
    Fixture own;
    BatchCase made;
    netcl_device_options options = NETCL_DEVICE_OPTIONS_INIT;
    memset(&own, 0, sizeof own);
    options.separate = 1;
    fake_script("batches %s", kScripts[i][0]);
    OK(netcl_device_open("gpu", &options, &own.device));
    batch_case(&own, &made);
    netcl_tensor *in = batch_input(&own, 3), *out = batch_input(&own, 0);
    run_times(&made, in, out, 4, 3, kScripts[i][0]);
    check_batches_told(made.graph, kScripts[i][1]);
    assert_int_equal(batch_number(made.graph, "runs"), 0);
    assert_int_equal(batches(), 0);
    RELEASE(in, out);
    batch_case_free(&made);
    netcl_device_release(own.device);
  }
}

/* What the driver keeps does not keep memory, and goes with it. */
static void memory_goes(void** state) {
  Fixture* fixture = *state;
  BatchCase made;
  netcl_pool* pool = NULL;
  fake_script(" ");
  OK(netcl_device_get_pool(fixture->device, NETCL_POOL_PERSISTENT, &pool));
  batch_case(fixture, &made);
  for (int pass = 0; pass < 5; ++pass) {
    netcl_tensor *in = batch_input(fixture, pass), *out = batch_input(fixture, 0);
    batch_until_kept(&made, in, out);
    run_times(&made, in, out, 2, pass, "pass");
    CHECK(batches() == 1, "pass %d: %d are kept", pass, batches());
    OK(netcl_device_finish(fixture->device, LONG_WAIT));
    RELEASE(in, out);
    OK(netcl_pool_trim(pool, 0));
    CHECK(batches() == 0, "pass %d: %d are left", pass, batches());
  }
  netcl_pool_release(pool);
  batch_case_free(&made);
}

/* The graph may go while what the driver keeps is under way: that stays until it has ended. */
static void goes_in_flight(void** state) {
  Fixture* fixture = *state;
  BatchCase made;
  fake_script(" ");
  batch_case(fixture, &made);
  netcl_tensor *in = batch_input(fixture, 3), *out = batch_input(fixture, 0);
  batch_until_kept(&made, in, out);
  fake_script("batches take 300");
  OK(batch_run(&made, in, out, NULL));
  fake_script(" ");
  batch_case_free(&made);
  assert_int_equal(batches(), 1);
  OK(netcl_device_finish(fixture->device, LONG_WAIT));
  process_sleep_ms(350);
  /* It goes with the next memory. */
  netcl_pool* pool = NULL;
  OK(netcl_device_get_pool(fixture->device, NETCL_POOL_PERSISTENT, &pool));
  RELEASE(in, out);
  OK(netcl_pool_trim(pool, 0));
  netcl_pool_release(pool);
  assert_int_equal(batches(), 0);
}

int main(void) {
  seed_random("batches_fake");
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(keeps_launches), DEVICE_TEST(refusals),    cmocka_unit_test(once_at_a_time),
      cmocka_unit_test(not_there), DEVICE_TEST(memory_goes), DEVICE_TEST(goes_in_flight),
      DEVICE_TEST(page_locked_memory), DEVICE_TEST(launches_that_never_ran),
      DEVICE_TEST(refused_in_place), cmocka_unit_test(fills),
  };
  return cmocka_run_group_tests_name("batches_fake", tests, NULL, NULL);
}
