/* The roofline rules against golden vectors of the analyzer they come from. Reports: test_ncu. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "support.h"

#define COMPUTE "sm__throughput.avg.pct_of_peak_sustained_elapsed"
#define MEMORY "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"
#define TENSOR "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active"
#define TENSOR_ELAPSED "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"
#define ABSENT -1.0

/* The golden vectors were taken at 95; the default is 90. */
static netcl_roofline *analyzer(double threshold) {
  netcl_roofline_options options = NETCL_ROOFLINE_OPTIONS_INIT;
  netcl_roofline *roofline = NULL;
  options.threshold_pct = threshold;
  OK(netcl_roofline_create(&options, &roofline));
  return roofline;
}

static netcl_roofline_result analyze(const netcl_roofline *roofline, double compute, double memory,
                                     double tensor) {
  const char *names[4];
  double values[4];
  uint32_t count = 0;
  netcl_roofline_result result = NETCL_ROOFLINE_RESULT_INIT;
  memset((char *)&result + sizeof result.struct_size, POISON,
         sizeof result - sizeof result.struct_size);
  names[count] = "launch__registers_per_thread";
  values[count++] = 32.0;
  if (compute >= 0) names[count] = COMPUTE, values[count++] = compute;
  if (memory >= 0) names[count] = MEMORY, values[count++] = memory;
  if (tensor >= 0) names[count] = TENSOR, values[count++] = tensor;
  OK(netcl_roofline_analyze_metrics(roofline, names, values, count, &result));
  return result;
}

static void golden_results(void **state) {
  (void)state;
  static const struct {
    double compute, memory, efficiency, headroom;
    int at;
    netcl_bottleneck bottleneck;
    const char *warnings;
  } kGolden[] = {
      {30, 96, 96, 4, 1, NETCL_BOTTLENECK_MEMORY, ""},
      {95, 10, 95, 5, 1, NETCL_BOTTLENECK_COMPUTE, ""},
      {94.999, 10, 94.999, 5.001, 0, NETCL_BOTTLENECK_COMPUTE, ""},
      {59.9, 59.9, 59.9, 40.1, 0, NETCL_BOTTLENECK_UNDERUTILIZED, ""},
      {60, 59, 60, 40, 0, NETCL_BOTTLENECK_COMPUTE, ""},
      {60, 60, 60, 40, 0, NETCL_BOTTLENECK_MEMORY, ""},
      {0, 0, 0, 100, 0, NETCL_BOTTLENECK_UNDERUTILIZED, ""},
      {70, ABSENT, 70, 30, 0, NETCL_BOTTLENECK_COMPUTE, "Memory SOL metric missing"},
      {ABSENT, 70, 70, 30, 0, NETCL_BOTTLENECK_MEMORY, "Compute SOL metric missing"},
      {ABSENT, ABSENT, 0, 100, 0, NETCL_BOTTLENECK_UNKNOWN,
       "Analysis failed - no SOL metrics in NCU data"},
      {101, 3, 101, 0, 1, NETCL_BOTTLENECK_COMPUTE, ""},
  };
  netcl_roofline *roofline = analyzer(95.0);
  for (size_t i = 0; i < COUNT_OF(kGolden); ++i) {
    const netcl_roofline_result result =
        analyze(roofline, kGolden[i].compute, kGolden[i].memory, ABSENT);
    CHECK(result.efficiency_pct == kGolden[i].efficiency &&
              fabs(result.headroom_pct - kGolden[i].headroom) < 1e-9 &&
              (int)result.at_roofline == kGolden[i].at &&
              result.bottleneck == kGolden[i].bottleneck && result.uses_tensor_cores == 0 &&
              result.source == NETCL_ROOFLINE_NCU,
          "vector %zu: efficiency %g, headroom %g, at %u, bottleneck %d", i, result.efficiency_pct,
          result.headroom_pct, result.at_roofline, result.bottleneck);
    assert_string_equal(result.warnings, kGolden[i].warnings);
    assert_int_equal(result.warnings_count, kGolden[i].warnings[0] != '\0');
  }
  assert_int_equal(analyze(roofline, 70, 10, 5).uses_tensor_cores, 0);
  assert_int_equal(analyze(roofline, 70, 10, 5.01).uses_tensor_cores, 1);
  netcl_roofline_release(roofline);
  roofline = analyzer(0.0);
  assert_int_equal(analyze(roofline, 90, 10, ABSENT).at_roofline, 1);
  assert_int_equal(analyze(roofline, 89.999, 10, ABSENT).at_roofline, 0);
  netcl_roofline_release(roofline);
}

/* Feeds efficiencies; gives the round (from 1) at which it says stop, 0 for never. */
static int stops_at(netcl_roofline *roofline, const double *values, int count, char *reason) {
  OK(netcl_roofline_reset_history(roofline));
  for (int i = 0; i < count; ++i) {
    const netcl_roofline_result result = analyze(roofline, values[i], 1, ABSENT);
    uint32_t stop = 7;
    size_t length = 0;
    OK(netcl_roofline_should_stop(roofline, &result, &stop));
    /* Asking for the reason enters nothing into the history. */
    OK(netcl_roofline_get_reason(roofline, NULL, 0, &length));
    OK(netcl_roofline_get_reason(roofline, reason, 128, &length));
    assert_int_equal(length, strlen(reason));
    assert_int_equal(stop, reason[0] != '\0');
    if (stop != 0) return i + 1;
  }
  return 0;
}

static void stop_rule(void **state) {
  (void)state;
  char reason[128];
  netcl_roofline *roofline = analyzer(95.0);
  assert_int_equal(stops_at(roofline, (double[]){95}, 1, reason), 1);
  assert_string_equal(reason, "At roofline (95.0% SOL >= 95.0%)");
  assert_int_equal(stops_at(roofline, (double[]){96}, 1, reason), 1);
  assert_string_equal(reason, "At roofline (96.0% SOL >= 95.0%)");
  assert_int_equal(stops_at(roofline, (double[]){70, 70.05, 70.02, 70.01, 70}, 5, reason), 5);
  assert_string_equal(reason, "Converged (improvement 0.05% < 0.1%)");
  assert_int_equal(stops_at(roofline, (double[]){70, 70.05, 70.02, 70.01, 70.2}, 5, reason), 0);
  assert_int_equal(stops_at(roofline, (double[]){70, 70, 70, 70, 70.1}, 5, reason), 5);
  assert_int_equal(
      stops_at(roofline, (double[]){90, 80, 70, 60, 50, 50, 50, 50, 50}, 9, reason), 9);
  netcl_roofline_release(roofline);

  netcl_roofline_options options = NETCL_ROOFLINE_OPTIONS_INIT;
  options.threshold_pct = 95.0;
  options.early_stop = NETCL_OFF;
  OK(netcl_roofline_create(&options, &roofline));
  assert_int_equal(stops_at(roofline, (double[]){96, 96, 96, 96, 96}, 5, reason), 5);
  netcl_roofline_release(roofline);
  options.convergence_rounds = 2;
  OK(netcl_roofline_create(&options, &roofline));
  assert_int_equal(stops_at(roofline, (double[]){50, 50}, 2, reason), 2);
  netcl_roofline_release(roofline);
}

static void refused_options(void **state) {
  (void)state;
  netcl_roofline *roofline = NULL;
  netcl_roofline_options options = NETCL_ROOFLINE_OPTIONS_INIT;
  options.convergence_rounds = 1;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "convergence_rounds is 1",
             netcl_roofline_create(&options, &roofline));
  options.convergence_rounds = 0;
  options.threshold_pct = NAN;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "threshold_pct is nan",
             netcl_roofline_create(&options, &roofline));
  options.threshold_pct = -3;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "threshold_pct is -3",
             netcl_roofline_create(&options, &roofline));
  options.threshold_pct = 0;
  options.early_stop = 5;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "early_stop is 5",
             netcl_roofline_create(&options, &roofline));
  assert_null(roofline);

  roofline = analyzer(95.0);
  const char *name = COMPUTE;
  const double wrong[2] = {NAN, INFINITY};
  netcl_roofline_result result = NETCL_ROOFLINE_RESULT_INIT;
  for (int i = 0; i < 2; ++i) {
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "values[0] of \"sm__throughput",
               netcl_roofline_analyze_metrics(roofline, &name, &wrong[i], 1, &result));
  }
  name = NULL;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "names[0] is NULL",
             netcl_roofline_analyze_metrics(roofline, &name, &wrong[0], 1, &result));
  uint32_t stop = 7;
  result.efficiency_pct = NAN;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "nan",
             netcl_roofline_should_stop(roofline, &result, &stop));
  assert_int_equal(stop, 7);
  netcl_roofline_release(roofline);
}

/* A share where a percentage belongs is refused with what to write instead. */
static void thresholds(void **state) {
  (void)state;
  static const struct {
    size_t offset;
    const char *name;
  } kMembers[] = {
      {offsetof(netcl_roofline_options, threshold_pct), "threshold_pct"},
      {offsetof(netcl_roofline_options, underutilized_pct), "underutilized_pct"},
      {offsetof(netcl_roofline_options, tensor_core_threshold_pct), "tensor_core_threshold_pct"}};
  for (size_t i = 0; i < COUNT_OF(kMembers); ++i) {
    netcl_roofline_options options = NETCL_ROOFLINE_OPTIONS_INIT;
    netcl_roofline *roofline = NULL;
    double *const member = (double *)((char *)&options + kMembers[i].offset);
    char wanted[128];
    *member = 0.9;
    snprintf(wanted, sizeof wanted,
             "options->%s is 0.9; it is a percentage from 1 to 100: write 90", kMembers[i].name);
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, wanted, netcl_roofline_create(&options, &roofline));
    *member = 900;
    snprintf(wanted, sizeof wanted,
             "options->%s is 900; it is a percentage from 1 to 100, or 0 for ", kMembers[i].name);
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, wanted, netcl_roofline_create(&options, &roofline));
    assert_null(roofline);
    *member = i == 0 ? 1 : 100;
    OK(netcl_roofline_create(&options, &roofline));
    netcl_roofline_release(roofline);
  }
}

/* Without the metric of the whole memory system that of its largest part counts, and says so. */
static void dram_stands_in(void **state) {
  (void)state;
  static const char *const kDram[] = {"dram__throughput.avg.pct_of_peak_sustained_elapsed",
                                      "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"};
  netcl_roofline *roofline = analyzer(95.0);
  for (size_t i = 0; i < COUNT_OF(kDram); ++i) {
    const char *names[3] = {COMPUTE, kDram[i], MEMORY};
    const double values[3] = {20, 91, 70};
    netcl_roofline_result result = NETCL_ROOFLINE_RESULT_INIT;
    OK(netcl_roofline_analyze_metrics(roofline, names, values, 2, &result));
    assert_true(result.memory_sol_pct == 91 && result.compute_sol_pct == 20);
    assert_int_equal(result.bottleneck, NETCL_BOTTLENECK_MEMORY);
    assert_string_equal(result.warnings,
                        "Memory SOL metric missing, that of the DRAM alone stands for it");
    OK(netcl_roofline_analyze_metrics(roofline, names, values, 3, &result));
    assert_true(result.memory_sol_pct == 70 && result.warnings_count == 0);
    OK(netcl_roofline_analyze_metrics(roofline, &names[1], &values[1], 1, &result));
    assert_true(result.efficiency_pct == 91 && result.warnings_count == 2);
  }
  netcl_roofline_release(roofline);
}

static void above_the_peak(void **state) {
  (void)state;
  netcl_roofline *roofline = analyzer(95.0);
  assert_int_equal(analyze(roofline, 105, 105, ABSENT).warnings_count, 0);
  const netcl_roofline_result result = analyze(roofline, 132, 105.01, ABSENT);
  assert_string_equal(result.warnings,
                      "Compute SOL is 132.0%: above 105% the metric or its peak is wrong; "
                      "Memory SOL is 105.0%: above 105% the metric or its peak is wrong");
  assert_int_equal(result.warnings_count, 2);
  assert_true(result.efficiency_pct == 132 && result.headroom_pct == 0);
  netcl_roofline_release(roofline);
}

/* The pipes have had several names; the metric of all of them is the best. */
static void tensor_names(void **state) {
  (void)state;
  static const char *const kOthers[] = {
      TENSOR, TENSOR_ELAPSED, "sm__inst_executed_pipe_tensor.avg.pct_of_peak_sustained_active",
      "sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_active"};
  netcl_roofline *roofline = analyzer(95.0);
  netcl_roofline_result result = NETCL_ROOFLINE_RESULT_INIT;
  for (size_t i = 0; i < COUNT_OF(kOthers); ++i) {
    const char *names[3] = {COMPUTE, kOthers[i], TENSOR};
    const double values[3] = {70, 6, 1};
    OK(netcl_roofline_analyze_metrics(roofline, names, values, 2, &result));
    CHECK(result.uses_tensor_cores == 1, "%s is no tensor pipe", kOthers[i]);
    OK(netcl_roofline_analyze_metrics(roofline, names, values, 3, &result));
    assert_int_equal(result.uses_tensor_cores, 0);
  }
  netcl_roofline_release(roofline);
}

static void formats(void **state) {
  (void)state;
  char text[1024];
  size_t length = 0;
  netcl_roofline *roofline = analyzer(95.0);
  netcl_roofline_result result = analyze(roofline, 30, 96, ABSENT);
  OK(netcl_roofline_format(&result, NETCL_FORMAT_TEXT, text, sizeof text, &length));
  assert_string_equal(text,
                      "=== Roofline Analysis ===\nSOL Efficiency: 96.0%\n  Compute SOL: 30.0%\n"
                      "  Memory SOL:  96.0%\n  Bottleneck:  memory\n  Tensor Cores: No\n\n"
                      "Status: AT ROOFLINE");
  result = analyze(roofline, 70, ABSENT, ABSENT);
  OK(netcl_roofline_format(&result, NETCL_FORMAT_TEXT, text, sizeof text, NULL));
  assert_non_null(strstr(text, "\nHeadroom: 30.0%\nWarnings: Memory SOL metric missing"));
  OK(netcl_roofline_format(&result, NETCL_FORMAT_JSON, text, sizeof text, NULL));
  assert_non_null(strstr(text, "{\"compute_sol_pct\": 70, \"memory_sol_pct\": 0, "
                               "\"efficiency_pct\": 70, \"at_roofline\": false, "
                               "\"headroom_pct\": 30, \"bottleneck\": \"compute\", "
                               "\"uses_tensor_cores\": false, "
                               "\"warnings\": [\"Memory SOL metric missing\"]"));
  FAILS(NETCL_ERROR_UNSUPPORTED,
        netcl_roofline_format(&result, NETCL_FORMAT_CSV, text, sizeof text, NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "format is 9",
             netcl_roofline_format(&result, 9, text, sizeof text, NULL));
  netcl_roofline_release(roofline);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(golden_results),
      cmocka_unit_test(stop_rule),
      cmocka_unit_test(refused_options),
      cmocka_unit_test(thresholds),
      cmocka_unit_test(formats),
      cmocka_unit_test(dram_stands_in),
      cmocka_unit_test(above_the_peak),
      cmocka_unit_test(tensor_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
