/* The isolated benchmark; see support_handles.h. */
#include "support_handle_calls.h"

#define BENCHMARK(i) ((netcl_benchmark*)h[i])

static const uint64_t kSize[1] = {4};
static const float kScalar = 1;

static netcl_status no_work(netcl_queue* queue, void* user_data) {
  (void)queue;
  (void)user_data;
  return NETCL_OK;
}

static const netcl_benchmark_tensor* tensor(void) {
  static netcl_benchmark_tensor given;
  given.struct_size = sizeof given;
  given.dtype = NETCL_F32;
  given.access = NETCL_ACCESS_INOUT;
  given.rank = 1;
  given.shape[0] = 4;
  return &given;
}

/* Refused before a worker starts: a million calls of the matrix must not run kernels. */
static const netcl_benchmark_candidate* candidate(void) {
  static netcl_benchmark_candidate given;
  given.struct_size = sizeof given;
  given.kernel = "k";
  return &given;
}

static const netcl_statistics* measured(void) {
  static netcl_statistics given;
  given.struct_size = sizeof given;
  given.count = 1;
  given.mean = 1;
  return &given;
}

static const netcl_measurement_options* once(void) {
  static netcl_measurement_options options;
  options.struct_size = sizeof options;
  options.warmup_count = options.count = 1;
  return &options;
}

#define CASES(C, R, N)                                                                     \
  C(netcl_benchmark_create, "d", DEVICE(0), NULL, out())                                   \
  C(netcl_benchmark_retain, "n", BENCHMARK(0))                                             \
  R(netcl_benchmark_release, "n", BENCHMARK(0))                                            \
  C(netcl_benchmark_add_tensor, "n", BENCHMARK(0), tensor())                               \
  C(netcl_benchmark_add_scalar, "n", BENCHMARK(0), &kScalar, sizeof kScalar)               \
  C(netcl_benchmark_add_local, "n", BENCHMARK(0), 16)                                      \
  C(netcl_benchmark_get_tensor, "n", BENCHMARK(0), 0, out())                               \
  C(netcl_benchmark_prepare, "n", BENCHMARK(0), 0)                                         \
  C(netcl_benchmark_keep, "n", BENCHMARK(0), 0)                                            \
  C(netcl_benchmark_time_baseline, "n", BENCHMARK(0), no_work, NULL, once(),               \
    info(sizeof(netcl_statistics)))                                                        \
  C(netcl_benchmark_time_kernel, "nk", BENCHMARK(0), KERNEL(1), kSize, 1, NULL, 0, once(), \
    info(sizeof(netcl_statistics)))                                                        \
  C(netcl_benchmark_set_baseline, "n", BENCHMARK(0), measured())                           \
  C(netcl_benchmark_run, "n", BENCHMARK(0), candidate(), once(),                           \
    info(sizeof(netcl_benchmark_result)))                                                  \
  C(netcl_benchmark_get_build_log, "n", BENCHMARK(0), out(), 16, NULL)                     \
  C(netcl_benchmark_get_json, "n", BENCHMARK(0), out(), 16, NULL)

CASES(CALL_STATUS, CALL_RELEASE, CALL_NOTHING)

const HandleCase kHandleBenchmarkCases[] = {CASES(ROW_STATUS, ROW_RELEASE, ROW_NOTHING)};
const size_t kHandleBenchmarkCasesCount = COUNT_OF(kHandleBenchmarkCases);
