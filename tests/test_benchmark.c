/* The isolated benchmark: baseline here, candidates in the worker, one record for both. */
#include <math.h>
#include <stdio.h>

#include "sanitizers.h"
#include "support_benchmark.h"
#include "support_process.h"

static const char kWrong[] = KERNEL_TEXT("  if (i < n) out[i] = factor * x[i] + (i == 5 ? 2 : 1);");
static const char kOutside[] = KERNEL_TEXT("  if (i < n) out[i + 1] = factor * x[i] + 1.0f;");
static const char kEndless[] =
    KERNEL_TEXT("  while (out[0] != 3.5f) mem_fence(CLK_GLOBAL_MEM_FENCE);");
static const char kCrashing[] = KERNEL_TEXT("  ((__global volatile int *)0)[i] = 1;");
static const char kFaulty[] = KERNEL_TEXT("  out[i] = nonsense;");

/* What the baseline's callback works on. */
typedef struct Baseline {
  netcl_tensor *x, *out;
  int calls;
} Baseline;

static netcl_status work(netcl_queue* queue, void* user_data) {
  Baseline* baseline = user_data;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.queue = queue;
  run.into = baseline->out;
  ++baseline->calls;
  return netcl_op_expression_text("v0 * 3 + 1", &baseline->x, 1, NULL, &run, NULL);
}

static char* json_of(netcl_benchmark* benchmark) {
  size_t length = 0;
  OK(netcl_benchmark_get_json(benchmark, NULL, 0, &length));
  char* text = malloc(length + 1);
  OK(netcl_benchmark_get_json(benchmark, text, length + 1, NULL));
  return text;
}

static void candidates_against_a_baseline(void** state) {
  Fixture* fixture = *state;
  NEEDS_KERNELS(fixture);
  netcl_benchmark* benchmark = make_benchmark(fixture, NULL);
  Baseline baseline = {0};
  netcl_statistics statistics = NETCL_STATISTICS_INIT;
  netcl_measurement* measurement = NULL;
  netcl_measurement_options options = few_samples();
  options.measurement = &measurement;
  OK(netcl_benchmark_get_tensor(benchmark, 0, &baseline.x));
  OK(netcl_benchmark_get_tensor(benchmark, 1, &baseline.out));
  OK(netcl_benchmark_time_baseline(benchmark, work, &baseline, &options, &statistics));
  assert_int_equal(statistics.count, 5);
  assert_true(baseline.calls >= 8); /* two rounds, one to warm up, five samples */
  double samples[5] = {0};
  uint64_t count = 0;
  OK(netcl_measurement_get_samples(measurement, 0, samples, 5, &count));
  assert_true(count == 5 && samples[0] > 0 && samples[4] > 0);
  netcl_measurement_release(measurement);

  netcl_benchmark_result right = run_candidate(benchmark, "right", RIGHT_KERNEL);
  expect_outcome(right, NETCL_OUTCOME_CORRECT, "");
  assert_int_equal(right.count, 5);
  assert_true(right.min > 0 && right.min <= right.median && right.median <= right.max &&
              right.min <= right.mean && right.mean <= right.max && right.deviation >= 0);
  assert_true(fabs(right.speedup - statistics.mean / right.mean) < 1e-9 * right.speedup);
  assert_int_equal(right.global[0], 1024);
  assert_true(right.local[0] > 0 && right.compile_ns > 0 && right.first_run_ns > 0);

  expect_outcome(run_candidate(benchmark, "wrong", kWrong), NETCL_OUTCOME_CORRECTNESS,
                 "argument 1 (out): element 5");
  expect_outcome(run_candidate(benchmark, "outside", kOutside), NETCL_OUTCOME_GUARD,
                 "byte 0 past its end");
  expect_outcome(run_candidate(benchmark, "endless", kEndless), NETCL_OUTCOME_HANG,
                 HAS_ASAN ? "did not end within 5 s" : "did not end within 0.5 s");
  netcl_benchmark_result crash = run_candidate(benchmark, "crash", kCrashing);
  if (fixture->info.type == NETCL_DEVICE_GPU) {
    /* There the command fails, and the device may be lost with it. */
    assert_true(crash.outcome == NETCL_OUTCOME_CRASH || crash.outcome == NETCL_OUTCOME_RUNTIME);
  } else {
    expect_outcome(crash, NETCL_OUTCOME_CRASH, "its process died while it ran");
    assert_int_equal(crash.deaths, 1);
  }
  expect_outcome(run_candidate(benchmark, "faulty", kFaulty), NETCL_OUTCOME_COMPILE, "nonsense");
  char log[4097];
  OK(netcl_benchmark_get_build_log(benchmark, log, sizeof log, NULL));
  assert_non_null(strstr(log, "nonsense"));
  expect_outcome(run_candidate(benchmark, "again", RIGHT_KERNEL), NETCL_OUTCOME_CORRECT, "");

  char* json = json_of(benchmark);
  for (const char *part = NULL, *const *parts =
                                    (const char*const[]){
                                        "\"baseline\"", "\"name\": \"right\"",
                                        "\"outcome\": \"guard\"",
                                        crash.outcome == NETCL_OUTCOME_CRASH
                                            ? "\"outcome\": \"crash\""
                                            : "\"outcome\": \"runtime\"",
                                        "\"time_ms\": null", "\"reason\": \"", "\"speedup\": null",
                                        "\"mean\"", "\"std\"", "\"min\"", "\"max\"", NULL};
       (part = *parts) != NULL; ++parts) {
    CHECK(strstr(json, part) != NULL, "%s is not in %s", part, json);
  }
  free(json);
  netcl_tensor_release(baseline.x);
  netcl_tensor_release(baseline.out);
  netcl_benchmark_release(benchmark);
}

/* Without a callback, as bindings do it: prepare, run, keep, and a measurement of one's own. */
static void baseline_in_a_loop(void** state) {
  Fixture* fixture = *state;
  NEEDS_KERNELS(fixture);
  netcl_benchmark* benchmark = make_benchmark(fixture, NULL);
  Baseline baseline = {0};
  netcl_queue* queue = NULL;
  netcl_measurement* measurement = NULL;
  netcl_statistics statistics = NETCL_STATISTICS_INIT;
  netcl_measurement_options options = few_samples();
  uint32_t candidate = 0;
  uint64_t iterations = 0;
  OK(netcl_device_get_queue(fixture->device, &queue));
  OK(netcl_benchmark_get_tensor(benchmark, 0, &baseline.x));
  OK(netcl_benchmark_get_tensor(benchmark, 1, &baseline.out));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_benchmark_set_baseline(benchmark, &statistics));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "round is 2", netcl_benchmark_prepare(benchmark, 2));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "round is 2", netcl_benchmark_keep(benchmark, 2));
  /* The contents depend on the round and on nothing else. */
  float first[kCount], other[kCount], again[kCount];
  OK(netcl_tensor_read(baseline.x, first, sizeof first, NULL, LONG_WAIT));
  OK(netcl_benchmark_prepare(benchmark, 1));
  OK(netcl_tensor_read(baseline.x, other, sizeof other, NULL, LONG_WAIT));
  assert_true(memcmp(first, other, sizeof first) != 0);
  OK(work(queue, &baseline));
  OK(netcl_benchmark_keep(benchmark, 1));
  OK(netcl_benchmark_prepare(benchmark, 0));
  OK(netcl_tensor_read(baseline.x, again, sizeof again, NULL, LONG_WAIT));
  assert_memory_equal(first, again, sizeof first);
  OK(work(queue, &baseline));
  OK(netcl_benchmark_keep(benchmark, 0));
  OK(netcl_measurement_create(queue, &options, &measurement));
  for (;;) {
    OK(netcl_measurement_next(measurement, &candidate, &iterations));
    if (iterations == 0) break;
    while (iterations-- > 0) OK(work(queue, &baseline));
  }
  OK(netcl_measurement_get_statistics(measurement, 0, &statistics));
  OK(netcl_benchmark_set_baseline(benchmark, &statistics));
  netcl_benchmark_result right = run_candidate(benchmark, NULL, RIGHT_KERNEL);
  expect_outcome(right, NETCL_OUTCOME_CORRECT, "");
  assert_true(right.speedup > 0);
  expect_outcome(run_candidate(benchmark, NULL, kWrong), NETCL_OUTCOME_CORRECTNESS, "(seed 11)");
  netcl_measurement_release(measurement);
  netcl_tensor_release(baseline.x);
  netcl_tensor_release(baseline.out);
  netcl_queue_release(queue);
  netcl_benchmark_release(benchmark);
}

/* Wrong in the second round only: one of the two is, as x[1] has a value below or above 1/2. */
static void second_round(void** state) {
  Fixture* fixture = *state;
  NEEDS_KERNELS(fixture);
  netcl_benchmark* benchmark = make_benchmark(fixture, NULL);
  const netcl_measurement_options options = few_samples();
  netcl_statistics statistics = NETCL_STATISTICS_INIT;
  const uint64_t global = 1024;
  netcl_kernel* kernel = source_kernel(fixture->device, "k", RIGHT_KERNEL);
  OK(netcl_benchmark_time_kernel(benchmark, kernel, &global, 1, NULL, 0, &options, &statistics));
  assert_int_equal(statistics.count, 5);
  netcl_tensor* x = NULL;
  float values[2][kCount];
  OK(netcl_benchmark_get_tensor(benchmark, 0, &x));
  for (uint32_t round = 0; round < 2; ++round) {
    OK(netcl_benchmark_prepare(benchmark, round));
    OK(netcl_tensor_read(x, values[round], sizeof values[round], NULL, LONG_WAIT));
  }
  netcl_tensor_release(x);
  char source[512];
  snprintf(source, sizeof source,
           KERNEL_TEXT("  if (i < n) out[i] = factor * x[i] + 1.0f + (x[7] == %.9gf ? 9 : 0);"),
           (double)values[1][7]);
  expect_outcome(run_candidate(benchmark, NULL, source), NETCL_OUTCOME_CORRECTNESS,
                 "1000 of 1000 differ (seed 12)");
  netcl_kernel_release(kernel);
  netcl_benchmark_release(benchmark);
}

static void candidates_from_files_with_settings(void** state) {
  Fixture* fixture = *state;
  NEEDS_KERNELS(fixture);
  static const char text[] =
      "__kernel void zero(__global const float *x, __global float *out, float factor, int n) {\n"
      "  if (get_global_id(0) < n) out[get_global_id(0)] = 1;\n}\n"
      "__kernel void k(__global const float *x, __global float *out, float factor, int n) {\n"
      "  int i = get_global_id(0);\n  if (i < n) out[i] = PLUS factor * x[i] ONE;\n}\n";
  static const char* const defines[] = {"PLUS=out[i] +", "ONE="};
  static const char* const flags[] = {"-cl-mad-enable"};
  char folder[512], path[600];
  netcl_benchmark_options benchmark_options = NETCL_BENCHMARK_OPTIONS_INIT;
  netcl_benchmark_result result = NETCL_BENCHMARK_RESULT_INIT;
  const netcl_measurement_options options = few_samples();
  netcl_statistics statistics = NETCL_STATISTICS_INIT;
  const uint64_t global = 1024;
  process_make_folder(folder, sizeof folder);
  process_join_path(path, sizeof path, folder, "kernel.cl");
  FILE* file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
  benchmark_options.temp_dir = folder;
  benchmark_options.worker_id = 7;
  netcl_benchmark* benchmark = make_benchmark(fixture, &benchmark_options);
  netcl_kernel* kernel = source_kernel(fixture->device, "k", RIGHT_KERNEL);
  OK(netcl_benchmark_time_kernel(benchmark, kernel, &global, 1, NULL, 0, &options, &statistics));
  netcl_benchmark_candidate candidate = candidate_of(NULL);
  candidate.path = path;
  candidate.setup_kernel = "zero";
  candidate.setup_global[0] = kCount;
  candidate.defines = defines;
  candidate.defines_count = 2;
  candidate.flags = flags;
  candidate.flags_count = 1;
  candidate.local[0] = 48;
  OK(netcl_benchmark_run(benchmark, &candidate, &options, &result));
  expect_outcome(result, NETCL_OUTCOME_CONSTRAINTS, "48");
  candidate.round_up = 1;
  /* Each sample adds to the output, the check has one run only. */
  OK(netcl_benchmark_run(benchmark, &candidate, &options, &result));
  expect_outcome(result, NETCL_OUTCOME_CORRECT, "");
  assert_int_equal(result.local[0], 48);
  assert_int_equal(result.global[0], 1056);
  candidate.setup_kernel = NULL;
  OK(netcl_benchmark_run(benchmark, &candidate, &options, &result));
  expect_outcome(result, NETCL_OUTCOME_CORRECTNESS, "argument 1 (out)");
  candidate.path = "/nowhere/kernel.cl";
  FAILS_WITH(NETCL_ERROR_IO, "/nowhere/kernel.cl",
             netcl_benchmark_run(benchmark, &candidate, &options, &result));
  char* json = json_of(benchmark);
  assert_non_null(strstr(json, "\"worker_id\": 7"));
  free(json);
  netcl_kernel_release(kernel);
  netcl_benchmark_release(benchmark);
  process_remove_folder(folder);
}

/* Contents that come from the record are the same on both sides, whatever their kind. */
static void fills(void** state) {
  Fixture* fixture = *state;
  NEEDS_KERNELS(fixture);
  static const char text[] =
      "__kernel void k(__global const int *x, __global int *out) {\n"
      "  int i = get_global_id(0);\n  out[i] = x[i];\n}\n";
  const netcl_measurement_options options = few_samples();
  int32_t given[64], want[64], seen[64];
  for (netcl_fill_kind fill = NETCL_FILL_ZEROS; fill <= NETCL_FILL_DATA; ++fill) {
    if (fill == NETCL_FILL_NORMAL) continue;
    netcl_benchmark* benchmark = NULL;
    netcl_benchmark_options benchmark_options = NETCL_BENCHMARK_OPTIONS_INIT;
    netcl_benchmark_tensor x = tensor_of(NETCL_ACCESS_IN, fill);
    netcl_benchmark_tensor out = tensor_of(NETCL_ACCESS_OUT, NETCL_FILL_ZEROS);
    netcl_benchmark_result result = NETCL_BENCHMARK_RESULT_INIT;
    netcl_benchmark_candidate candidate = candidate_of(text);
    netcl_tensor* tensor = NULL;
    netcl_statistics statistics = NETCL_STATISTICS_INIT;
    const uint64_t global = 64;
    benchmark_options.lock = NETCL_OFF;
    x.dtype = out.dtype = NETCL_I32;
    x.shape[0] = out.shape[0] = 64;
    x.a = 5;
    x.b = 9;
    if (fill == NETCL_FILL_SEQUENCE) x.b = 0;
    for (int i = 0; i < 64; ++i) {
      given[i] = 100 - i;
      want[i] = fill == NETCL_FILL_ZEROS      ? 0
                : fill == NETCL_FILL_CONSTANT ? 5
                : fill == NETCL_FILL_SEQUENCE ? 5 + i
                                              : given[i];
    }
    x.data = given;
    x.data_size = sizeof given;
    OK(netcl_benchmark_create(fixture->device, &benchmark_options, &benchmark));
    OK(netcl_benchmark_add_tensor(benchmark, &x));
    OK(netcl_benchmark_add_tensor(benchmark, &out));
    OK(netcl_benchmark_get_tensor(benchmark, 0, &tensor));
    OK(netcl_tensor_read(tensor, seen, sizeof seen, NULL, LONG_WAIT));
    for (int i = 0; i < 64; ++i) {
      if (fill == NETCL_FILL_UNIFORM) {
        assert_in_range(seen[i], 5, 8);
      } else {
        assert_int_equal(seen[i], want[i]);
      }
    }
    netcl_kernel* kernel = source_kernel(fixture->device, "k", text);
    OK(netcl_benchmark_time_kernel(benchmark, kernel, &global, 1, NULL, 0, &options, &statistics));
    candidate.global[0] = 64;
    OK(netcl_benchmark_run(benchmark, &candidate, &options, &result));
    expect_outcome(result, NETCL_OUTCOME_CORRECT, "");
    netcl_kernel_release(kernel);
    netcl_tensor_release(tensor);
    netcl_benchmark_release(benchmark);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(candidates_against_a_baseline),
      DEVICE_TEST(baseline_in_a_loop),
      DEVICE_TEST(second_round),
      DEVICE_TEST(candidates_from_files_with_settings),
      DEVICE_TEST(fills),
  };
  return cmocka_run_group_tests_name("benchmark", tests, NULL, NULL);
}
