/* The isolated benchmark: records, candidates, baselines and places that cannot be used. */
#include <math.h>

#include "support_benchmark.h"
#include "support_process.h"

static netcl_status failing_work(netcl_queue* queue, void* user_data) {
  (void)queue;
  (void)user_data;
  return NETCL_ERROR_NOT_FOUND;
}

static void bad_records(void** state) {
  Fixture* fixture = *state;
  NEEDS_KERNELS(fixture);
  netcl_benchmark* benchmark = make_benchmark(fixture, NULL);
  netcl_benchmark_tensor tensor = tensor_of(NETCL_ACCESS_IN, NETCL_FILL_NORMAL);
  netcl_tensor* made = NULL;
  const float scalar = 1;
#define REFUSED(text, change)                                                                    \
  do {                                                                                           \
    netcl_benchmark_tensor bad = tensor;                                                         \
    change;                                                                                      \
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, text, netcl_benchmark_add_tensor(benchmark, &bad)); \
  } while (0)
  REFUSED("tensor->dtype", bad.dtype = 99);
  REFUSED("tensor->access is 0", bad.access = 0);
  REFUSED("tensor->fill is 17", bad.fill = 17);
  REFUSED("tensor->rank is 9", bad.rank = 9);
  REFUSED("-1", bad.shape[0] = -1);
  REFUSED("tensor->exact is 2", bad.exact = 2);
  REFUSED("tensor->absolute", bad.absolute = -0.5);
  REFUSED("tensor->relative", bad.relative = NAN);
  REFUSED("tensor->reserved", bad.reserved = 1);
  REFUSED("NORMAL", bad.dtype = NETCL_I32);
  REFUSED("tensor->data_size is 3", (bad.fill = NETCL_FILL_DATA, bad.data_size = 3));
  REFUSED("tensor->data is NULL", (bad.fill = NETCL_FILL_DATA, bad.data_size = 4 * kCount));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_benchmark_add_tensor(benchmark, NULL));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_benchmark_add_scalar(benchmark, &scalar, 0));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_benchmark_add_scalar(benchmark, NULL, 4));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_benchmark_add_local(benchmark, 0));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "which is no tensor",
             netcl_benchmark_get_tensor(benchmark, 2, &made));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "has 4 arguments",
             netcl_benchmark_get_tensor(benchmark, 4, &made));
  OK(netcl_benchmark_get_tensor(benchmark, 0, &made));
  netcl_tensor_release(made);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "in use",
             netcl_benchmark_add_tensor(benchmark, &tensor));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "in use", netcl_benchmark_add_local(benchmark, 16));
  netcl_benchmark_release(benchmark);
}

static void bad_candidates(void** state) {
  Fixture* fixture = *state;
  NEEDS_KERNELS(fixture);
  netcl_benchmark* benchmark = make_benchmark(fixture, NULL);
  netcl_benchmark_result result = NETCL_BENCHMARK_RESULT_INIT;
  const netcl_benchmark_candidate good = candidate_of(RIGHT_KERNEL);
  static const char* const bad_flags[] = {"-I/etc"};
#define REFUSED_CANDIDATE(text, change)                              \
  do {                                                               \
    netcl_benchmark_candidate bad = good;                            \
    change;                                                          \
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, text,                   \
               netcl_benchmark_run(benchmark, &bad, NULL, &result)); \
  } while (0)
  REFUSED_CANDIDATE("neither source nor path", bad.source = NULL);
  REFUSED_CANDIDATE("both source and path", bad.path = "x");
  REFUSED_CANDIDATE("candidate->source is empty", bad.source = "");
  REFUSED_CANDIDATE("candidate->kernel is NULL", bad.kernel = NULL);
  REFUSED_CANDIDATE("identifier", bad.kernel = "a-b");
  REFUSED_CANDIDATE("candidate->global_count is 4", bad.global_count = 4);
  REFUSED_CANDIDATE("candidate->global[1] is 0", bad.global_count = 2);
  REFUSED_CANDIDATE("candidate->setup_global[0] is 0", bad.setup_kernel = "k");
  REFUSED_CANDIDATE("candidate->local[1]",
                    (bad.global_count = 2, bad.global[1] = 4, bad.local[0] = 4));
  REFUSED_CANDIDATE("candidate->defines is NULL", bad.defines_count = 1);
  REFUSED_CANDIDATE("candidate->round_up is 2", bad.round_up = 2);
  REFUSED_CANDIDATE("-I/etc", (bad.flags = bad_flags, bad.flags_count = 1));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_benchmark_run(benchmark, NULL, NULL, &result));
  netcl_measurement_options options = few_samples();
  options.confidence = 2;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "confidence",
             netcl_benchmark_run(benchmark, &good, &options, &result));
  options = few_samples();
  netcl_measurement* measurement = NULL;
  options.measurement = &measurement;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->measurement is set; write NULL",
             netcl_benchmark_run(benchmark, &good, &options, &result));
  assert_null(measurement);
  options = few_samples();
  /* Without anything to compare with, a candidate is right that stays within its arguments. */
  OK(netcl_benchmark_run(benchmark, &good, &options, &result));
  expect_outcome(result, NETCL_OUTCOME_CORRECT, "");
  assert_true(result.speedup == 0);
  netcl_benchmark_release(benchmark);
}

static netcl_status calls_back(netcl_queue* queue, void* user_data) {
  netcl_benchmark* benchmark = user_data;
  (void)queue;
  FAILS(NETCL_ERROR_BUSY, netcl_benchmark_prepare(benchmark, 0));
  return NETCL_ERROR_CANCELLED;
}

static void baselines_that_fail(void** state) {
  Fixture* fixture = *state;
  NEEDS_KERNELS(fixture);
  netcl_benchmark* benchmark = make_benchmark(fixture, NULL);
  netcl_statistics statistics = NETCL_STATISTICS_INIT;
  netcl_measurement_options options = few_samples();
  FAILS(NETCL_ERROR_NOT_FOUND,
        netcl_benchmark_time_baseline(benchmark, failing_work, NULL, NULL, &statistics));
  FAILS(NETCL_ERROR_CANCELLED,
        netcl_benchmark_time_baseline(benchmark, calls_back, benchmark, NULL, &statistics));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_benchmark_time_baseline(benchmark, NULL, NULL, NULL, &statistics));
  options.candidates = 2;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "candidates is 2",
             netcl_benchmark_time_baseline(benchmark, failing_work, NULL, &options, &statistics));
  expect_outcome(run_candidate(benchmark, NULL, RIGHT_KERNEL), NETCL_OUTCOME_CORRECT, "");
  netcl_benchmark_release(benchmark);
}

static netcl_status nothing(netcl_queue* queue, void* user_data) {
  (void)queue;
  (void)user_data;
  return NETCL_OK;
}

/* Candidates that do nothing agree with a baseline that does nothing to one of its outputs. */
static void baselines_without_an_effect(void** state) {
  Fixture* fixture = *state;
  NEEDS_KERNELS(fixture);
  static const char kTwo[] =
      "__kernel void k(__global float *a, __global int *b) {\n"
      "  const int i = get_global_id(0);\n"
      "  if (i < 1000) a[i] += WHAT * 1.0f;\n"
      "  if (i < 1000) b[i] += WHAT / 2;\n"
      "}\n";
  static const char* const kLeft[] = {"argument 0 (a)", "argument 1 (b)"};
  for (int what = 0; what < 3; ++what) {
    netcl_benchmark_options options = NETCL_BENCHMARK_OPTIONS_INIT;
    netcl_benchmark* benchmark = NULL;
    netcl_statistics statistics = NETCL_STATISTICS_INIT;
    netcl_measurement_options measurement = few_samples();
    options.lock = NETCL_OFF;
    OK(netcl_benchmark_create(fixture->device, &options, &benchmark));
    netcl_benchmark_tensor a = tensor_of(NETCL_ACCESS_INOUT, NETCL_FILL_UNIFORM);
    OK(netcl_benchmark_add_tensor(benchmark, &a));
    a.dtype = NETCL_I32;
    OK(netcl_benchmark_add_tensor(benchmark, &a));
    char text[sizeof kTwo + 32];
    snprintf(text, sizeof text, "#define WHAT %d\n%s", what, kTwo);
    netcl_kernel* kernel = fresh_kernel(fixture->device, "k", text);
    const uint64_t global = 1024;
    OK(netcl_benchmark_time_kernel(benchmark, kernel, &global, 1, NULL, 0, &measurement,
                                   &statistics));
    netcl_benchmark_result result = NETCL_BENCHMARK_RESULT_INIT;
    netcl_benchmark_candidate candidate = candidate_of(text);
    if (what == 2) {
      expect_outcome(run_candidate(benchmark, NULL, text), NETCL_OUTCOME_CORRECT, "");
    } else {
      char wanted[128];
      snprintf(wanted, sizeof wanted, "the baseline leaves %s as it was (seed 0)", kLeft[what]);
      FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, wanted,
                 netcl_benchmark_run(benchmark, &candidate, &measurement, &result));
    }
    netcl_kernel_release(kernel);
    netcl_benchmark_release(benchmark);
  }
  /* An output that nothing is written to holds the pattern that it was filled with. */
  netcl_benchmark* benchmark = make_benchmark(fixture, NULL);
  netcl_statistics statistics = NETCL_STATISTICS_INIT;
  netcl_measurement_options measurement = few_samples();
  measurement.source = NETCL_TIME_HOST;
  OK(netcl_benchmark_time_baseline(benchmark, nothing, NULL, &measurement, &statistics));
  netcl_benchmark_result result = NETCL_BENCHMARK_RESULT_INIT;
  netcl_benchmark_candidate candidate = candidate_of(KERNEL_TEXT(""));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "the baseline leaves argument 1 (out) as it was",
             netcl_benchmark_run(benchmark, &candidate, &measurement, &result));
  netcl_benchmark_release(benchmark);
}

static void unusable_places(void** state) {
  Fixture* fixture = *state;
  netcl_benchmark* benchmark = NULL;
  netcl_benchmark_options options = NETCL_BENCHMARK_OPTIONS_INIT;
  if (!fixture->opencl) {
    FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "OpenCL C",
               netcl_benchmark_create(fixture->device, NULL, &benchmark));
    return;
  }
  options.worker_path = "/nowhere/netcl-worker";
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "/nowhere/netcl-worker",
             netcl_benchmark_create(fixture->device, &options, &benchmark));
  options.worker_path = NULL;
  options.rounds = 65;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->rounds is 65",
             netcl_benchmark_create(fixture->device, &options, &benchmark));
  options.rounds = 0;
  options.lock = 3;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->lock is 3",
             netcl_benchmark_create(fixture->device, &options, &benchmark));
  options.lock = NETCL_DEFAULT;
  options.lock_path = "/nowhere/lock";
  OK(netcl_benchmark_create(fixture->device, &options, &benchmark));
  netcl_benchmark_result result = NETCL_BENCHMARK_RESULT_INIT;
  const int32_t one = 1;
  OK(netcl_benchmark_add_scalar(benchmark, &one, sizeof one));
  netcl_benchmark_candidate candidate =
      candidate_of("__kernel void k(int n) { volatile __local int x; x = n; }");
  FAILS_WITH(NETCL_ERROR_IO, "/nowhere/lock",
             netcl_benchmark_run(benchmark, &candidate, NULL, &result));
  netcl_benchmark_release(benchmark);
}

/* NETCL_WORKER names the worker; the one beside the library is not taken then. */
static int mode_other_worker(void) {
  netcl_device* device = NULL;
  netcl_benchmark* benchmark = NULL;
  CHILD_OK(netcl_device_open(test_selector(), NULL, &device));
  CHILD_STATUS(NETCL_ERROR_UNSUPPORTED, netcl_benchmark_create(device, NULL, &benchmark));
  CHILD_CHECK(strstr(netcl_last_error_message(), "/nowhere/other") != NULL);
  netcl_device_release(device);
  return 0;
}

static void worker_from_the_environment(void** state) {
  Fixture* fixture = *state;
  NEEDS_KERNELS(fixture);
  static const char* const environment[] = {"NETCL_WORKER=/nowhere/other", NULL};
  static process_result result;
  process_run_self("other_worker", environment, 60, &result);
  process_expect_exit(&result, 0);
}

int main(int argc, char** argv) {
  static const process_mode modes[] = {{"other_worker", mode_other_worker}};
  const int child = process_child_main(argc, argv, modes, COUNT_OF(modes));
  if (child >= 0) return child;
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(bad_records),         DEVICE_TEST(bad_candidates),
      DEVICE_TEST(baselines_that_fail), DEVICE_TEST(baselines_without_an_effect),
      DEVICE_TEST(unusable_places),     DEVICE_TEST(worker_from_the_environment),
  };
  return cmocka_run_group_tests_name("benchmark_errors", tests, NULL, NULL);
}
