#include "support_benchmark.h"

#include "sanitizers.h"

netcl_measurement_options few_samples(void) {
  netcl_measurement_options options = NETCL_MEASUREMENT_OPTIONS_INIT;
  options.count = 5;
  options.warmup_count = 1;
  return options;
}

netcl_benchmark_tensor tensor_of(netcl_access access, netcl_fill_kind fill) {
  netcl_benchmark_tensor tensor = NETCL_BENCHMARK_TENSOR_INIT;
  tensor.dtype = NETCL_F32;
  tensor.access = access;
  tensor.fill = fill;
  tensor.rank = 1;
  tensor.shape[0] = kCount;
  return tensor;
}

/* A benchmark of the kernels above; no lock, as tests of several devices may run at once. */
netcl_benchmark* make_benchmark(Fixture* fixture, netcl_benchmark_options* options) {
  netcl_benchmark_options own = NETCL_BENCHMARK_OPTIONS_INIT;
  netcl_benchmark* benchmark = NULL;
  const float factor = 3;
  const int32_t count = kCount;
  if (options == NULL) options = &own;
  options->lock = NETCL_OFF;
  options->seed = 11;
  /* A process that crashes under AddressSanitizer first looks up names for its report. */
  options->run_timeout_ns = HAS_ASAN ? 5 * SECOND : SECOND / 2;
  OK(netcl_benchmark_create(fixture->device, options, &benchmark));
  netcl_benchmark_tensor x = tensor_of(NETCL_ACCESS_IN, NETCL_FILL_UNIFORM);
  netcl_benchmark_tensor out = tensor_of(NETCL_ACCESS_OUT, NETCL_FILL_ZEROS);
  OK(netcl_benchmark_add_tensor(benchmark, &x));
  OK(netcl_benchmark_add_tensor(benchmark, &out));
  OK(netcl_benchmark_add_scalar(benchmark, &factor, sizeof factor));
  OK(netcl_benchmark_add_scalar(benchmark, &count, sizeof count));
  return benchmark;
}

netcl_benchmark_candidate candidate_of(const char* source) {
  netcl_benchmark_candidate candidate = NETCL_BENCHMARK_CANDIDATE_INIT;
  candidate.source = source;
  candidate.kernel = "k";
  candidate.global[0] = 1024;
  return candidate;
}

netcl_benchmark_result run_candidate(netcl_benchmark* benchmark, const char* name,
                                     const char* source) {
  netcl_benchmark_result result = NETCL_BENCHMARK_RESULT_INIT;
  netcl_benchmark_candidate candidate = candidate_of(source);
  const netcl_measurement_options options = few_samples();
  candidate.name = name;
  OK(netcl_benchmark_run(benchmark, &candidate, &options, &result));
  return result;
}

void expect_outcome(netcl_benchmark_result result, netcl_outcome outcome, const char* message) {
  CHECK(result.outcome == outcome && strstr(result.message, message) != NULL,
        "outcome %d with \"%s\"; expected %d with \"%s\"", (int)result.outcome, result.message,
        (int)outcome, message);
  if (outcome != NETCL_OUTCOME_CORRECT) {
    CHECK(result.count == 0 && result.mean == 0 && result.speedup == 0, "a failure has a time");
  }
}
