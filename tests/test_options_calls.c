/* The rules of struct_size for calls that wrap, launch, measure and tune: an older and a newer
 * caller of each gets what it asks. The other structs are in test_options, _more and _ops. */
#include "support_benchmark.h"
#include "support_kernel.h"

#define D fixture->device

static netcl_kernel* kernel;
static netcl_tensor* tensor;
static netcl_queue* queue;
static netcl_benchmark* benchmark;
static const uint64_t kGlobal[1] = {4};
static const char kOne[] = "__kernel void one(__global int *out) { out[get_global_id(0)] = 1; }";

/* One sample is enough here. */
static netcl_measurement_options least_measurement(void) {
  netcl_measurement_options options = NETCL_MEASUREMENT_OPTIONS_INIT;
  options.count = options.warmup_count = 1;
  return options;
}
static netcl_search_options least_search(void) {
  netcl_search_options options = NETCL_SEARCH_OPTIONS_INIT;
  options.evaluations = options.samples = 1;
  return options;
}
static netcl_variant_config some_variant(void) {
  netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
  config.variant = NETCL_VARIANT_MATMUL_NAIVE;
  return config;
}
static netcl_kernel_tuning one_size(void) {
  static const uint64_t kLocal[1] = {2};
  netcl_kernel_tuning tuning = NETCL_KERNEL_TUNING_INIT;
  tuning.local_sizes = kLocal;
  tuning.local_sizes_count = 1;
  return tuning;
}
static netcl_tuner_options least_tuner(const netcl_search_options* search) {
  netcl_tuner_options options = NETCL_TUNER_OPTIONS_INIT;
  options.search = search;
  options.in_process = 1;
  return options;
}

static netcl_status work(netcl_queue* on, void* user_data) {
  (void)on;
  (void)user_data;
  const netcl_arg args[1] = {arg_tensor(tensor)};
  return netcl_kernel_launch(kernel, kGlobal, 1, NULL, 0, args, 1, NULL, NULL);
}

/* ROW(name, struct, what stands in for NULL, call): `given` is the struct under test. */
#define ROW(name, type, good, call)                                                \
  static netcl_status row_##name(Fixture* fixture, const void* any) {              \
    const type stand_in = good;                                                    \
    const type* given = any != NULL ? any : &stand_in;                             \
    (void)fixture;                                                                 \
    return call;                                                                   \
  }                                                                                \
  static void check_##name(Fixture* fixture) {                                     \
    const type valid = good;                                                       \
    check_options_rules(fixture, #name, row_##name, &valid, SIZES(type), NULL, 0); \
  }
#define NOTHING(type, init)      \
  static type no_##type(void) {  \
    const type nothing = init;   \
    return nothing;              \
  }
NOTHING(netcl_device_options, NETCL_DEVICE_OPTIONS_INIT)
NOTHING(netcl_tensor_options, NETCL_TENSOR_OPTIONS_INIT)
NOTHING(netcl_launch_options, NETCL_LAUNCH_OPTIONS_INIT)
NOTHING(netcl_run_options, NETCL_RUN_OPTIONS_INIT)

static netcl_status open_from_cl(Fixture* fixture, const netcl_device_options* options) {
  struct _cl_context* context = NULL;
  struct _cl_device_id* id = NULL;
  netcl_device* made = NULL;
  OK(netcl_device_get_cl_context(D, &context));
  OK(netcl_device_get_cl_device(D, &id));
  const netcl_status status = netcl_device_open_from_cl(context, id, NULL, options, &made);
  assert_true((status == NETCL_OK) == (made != NULL));
  netcl_device_release(made);
  return status;
}
static netcl_status create_from_cl(Fixture* fixture, const netcl_tensor_options* options) {
  const int64_t shape[1] = {4};
  netcl_buffer* buffer = NULL;
  struct _cl_mem* mem = NULL;
  netcl_tensor* made = NULL;
  OK(netcl_tensor_get_buffer(tensor, &buffer));
  OK(netcl_buffer_get_cl_mem(buffer, &mem));
  netcl_buffer_release(buffer);
  const netcl_status status =
      netcl_tensor_create_from_cl(D, mem, 0, NETCL_I32, 1, shape, NULL, options, &made);
  assert_true((status == NETCL_OK) == (made != NULL));
  netcl_tensor_release(made);
  return status;
}
static netcl_status by_name(Fixture* fixture, const netcl_launch_options* options,
                            const netcl_run_options* run) {
  const netcl_arg args[1] = {arg_tensor(tensor)};
  return netcl_kernel_launch_by_name(D, "one", 0, kGlobal, 1, NULL, 0, args, 1, options, run);
}
static netcl_status create_matmul(Fixture* fixture, const netcl_variant_config* config) {
  uint64_t global[2];
  netcl_kernel* made = NULL;
  const netcl_status status =
      netcl_kernel_create_matmul(D, "product", 4, 4, 4, NETCL_F32, config, global, &made);
  assert_true((status == NETCL_OK) == (made != NULL));
  netcl_kernel_release(made);
  return status;
}
static netcl_status time_queue(const netcl_measurement_options* options) {
  netcl_statistics statistics = NETCL_STATISTICS_INIT;
  return netcl_queue_time(queue, work, NULL, options, &statistics);
}
static netcl_status time_kernel(const netcl_launch_options* launch, const netcl_run_options* run,
                                const netcl_measurement_options* options) {
  const netcl_arg args[1] = {arg_tensor(tensor)};
  const netcl_measurement_options least = least_measurement();
  netcl_statistics statistics = NETCL_STATISTICS_INIT;
  return netcl_kernel_time(kernel, kGlobal, 1, NULL, 0, args, 1, launch, run,
                           options != NULL ? options : &least, &statistics);
}
static netcl_status run_benchmark(const netcl_benchmark_candidate* candidate,
                                  const netcl_measurement_options* options) {
  const netcl_benchmark_candidate good = candidate_of("__kernel void k(int n) {}");
  const netcl_measurement_options least = least_measurement();
  netcl_benchmark_result result = NETCL_BENCHMARK_RESULT_INIT;
  return netcl_benchmark_run(benchmark, candidate != NULL ? candidate : &good,
                             options != NULL ? options : &least, &result);
}
static netcl_status time_baseline(const netcl_measurement_options* options) {
  netcl_statistics statistics = NETCL_STATISTICS_INIT;
  return netcl_benchmark_time_baseline(benchmark, work, NULL, options, &statistics);
}
static netcl_status autotune(const netcl_kernel_tuning* tuning,
                             const netcl_tuner_options* options) {
  const netcl_arg args[1] = {arg_tensor(tensor)};
  const netcl_search_options search = least_search();
  const netcl_tuner_options least = least_tuner(&search);
  netcl_config* config = NULL;
  const netcl_status status = netcl_kernel_autotune(
      kernel, kGlobal, 1, args, 1, tuning, options != NULL ? options : &least, &config, NULL);
  assert_true((status == NETCL_OK) == (config != NULL));
  netcl_config_release(config);
  return status;
}
/* The search options of a tuner outlive the call that takes them. */
static netcl_search_options search_of_tuner;

ROW(open_from_cl, netcl_device_options, no_netcl_device_options(), open_from_cl(fixture, given))
ROW(create_from_cl, netcl_tensor_options, no_netcl_tensor_options(),
    create_from_cl(fixture, given))
ROW(by_name, netcl_launch_options, no_netcl_launch_options(), by_name(fixture, given, NULL))
ROW(by_name_run, netcl_run_options, no_netcl_run_options(), by_name(fixture, NULL, given))
ROW(create_matmul, netcl_variant_config, some_variant(), create_matmul(fixture, given))
ROW(queue_time, netcl_measurement_options, least_measurement(), time_queue(given))
ROW(kernel_time_launch, netcl_launch_options, no_netcl_launch_options(),
    time_kernel(given, NULL, NULL))
ROW(kernel_time_run, netcl_run_options, no_netcl_run_options(), time_kernel(NULL, given, NULL))
ROW(kernel_time, netcl_measurement_options, least_measurement(), time_kernel(NULL, NULL, given))
ROW(benchmark_candidate, netcl_benchmark_candidate, candidate_of("__kernel void k(int n) {}"),
    run_benchmark(given, NULL))
ROW(benchmark_run, netcl_measurement_options, least_measurement(), run_benchmark(NULL, given))
ROW(time_baseline, netcl_measurement_options, least_measurement(), time_baseline(given))
ROW(autotune_tuning, netcl_kernel_tuning, one_size(), autotune(given, NULL))
ROW(autotune, netcl_tuner_options, least_tuner(&search_of_tuner), autotune(NULL, given))

static void set_up(Fixture* fixture) {
  kernel = source_kernel(D, "one", kOne);
  tensor = poisoned_tensor(D, NETCL_I32, 4);
}
static void tear_down(void) {
  netcl_tensor_release(tensor);
  netcl_kernel_release(kernel);
}

static void wraps(void** state) {
  Fixture* fixture = *state;
  NEEDS_OPENCL(fixture);
  set_up(fixture);
  check_open_from_cl(fixture);
  check_create_from_cl(fixture);
  tear_down();
}

static void launches(void** state) {
  Fixture* fixture = *state;
  NEEDS_OPENCL(fixture);
  set_up(fixture);
  OK(netcl_kernel_register(kernel));
  check_by_name(fixture);
  check_by_name_run(fixture);
  check_create_matmul(fixture);
  OK(netcl_kernel_unregister(D, "one", 0));
  tear_down();
}

static void measurements(void** state) {
  Fixture* fixture = *state;
  NEEDS_OPENCL(fixture);
  set_up(fixture);
  OK(netcl_device_get_queue(D, &queue));
  check_queue_time(fixture);
  check_kernel_time_launch(fixture);
  check_kernel_time_run(fixture);
  check_kernel_time(fixture);
  netcl_queue_release(queue);
  tear_down();
}

static void benchmarks(void** state) {
  Fixture* fixture = *state;
  const int32_t one = 1;
  NEEDS_OPENCL(fixture);
  set_up(fixture);
  OK(netcl_benchmark_create(D, NULL, &benchmark));
  OK(netcl_benchmark_add_scalar(benchmark, &one, sizeof one));
  check_benchmark_candidate(fixture);
  check_benchmark_run(fixture);
  check_time_baseline(fixture);
  netcl_benchmark_release(benchmark);
  tear_down();
}

static void tunings(void** state) {
  Fixture* fixture = *state;
  NEEDS_OPENCL(fixture);
  set_up(fixture);
  search_of_tuner = least_search();
  check_autotune_tuning(fixture);
  check_autotune(fixture);
  tear_down();
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(wraps), DEVICE_TEST(launches),
                                     DEVICE_TEST(measurements), DEVICE_TEST(benchmarks),
                                     DEVICE_TEST(tunings)};
  seed_random("options_calls");
  return cmocka_run_group_tests_name("options_calls", tests, NULL, NULL);
}
