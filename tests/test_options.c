/* The rules of struct_size and reserved members, for every struct of options but those of ops,
 * which are in test_options_ops. */
#include "support_kernel.h"

/*
 * Each maker calls one function with the options under test and gives back at once what it made.
 * A failing call must leave its output NULL.
 */
#define MAKER(name, type, call)                                                \
  static netcl_status name(Fixture* fixture, const void* options) {            \
    netcl_##type* made = NULL;                                                 \
    (void)fixture;                                                             \
    const netcl_status status = call;                                          \
    CHECK((status == NETCL_OK) == (made != NULL), "%s: output with %s", #name, \
          netcl_status_name(status));                                          \
    netcl_##type##_release(made);                                              \
    return status;                                                             \
  }
#define D fixture->device

static const int64_t kShape[] = {4, 4};
static const float kValues[16] = {1};
static netcl_tensor* operand;
static netcl_kernel* kernel;

MAKER(open_device, device, netcl_device_open(test_selector(), options, &made))
MAKER(create_queue, queue, netcl_queue_create(D, options, &made))
MAKER(create_pool, pool, netcl_pool_create(D, options, &made))
MAKER(create, tensor, netcl_tensor_create(D, NETCL_F32, 2, kShape, NULL, options, &made))
MAKER(zeros, tensor, netcl_tensor_create_zeros(D, NETCL_F32, 2, kShape, NULL, options, &made))
MAKER(full, tensor,
      netcl_tensor_create_full(D, NETCL_F32, 2, kShape, NULL, kValues, options, &made))
MAKER(random_made, tensor,
      netcl_tensor_create_random(D, NETCL_F32, 2, kShape, NULL, NULL, options, &made))
MAKER(random_options, tensor,
      netcl_tensor_create_random(D, NETCL_F32, 2, kShape, NULL, options, NULL, &made))
MAKER(from_host, tensor,
      netcl_tensor_create_from_host(D, NETCL_F32, 2, kShape, NULL, kValues, 64, options, &made))
MAKER(reshape, tensor, netcl_tensor_reshape(operand, 2, kShape, options, &made))
MAKER(create_benchmark, benchmark, netcl_benchmark_create(D, options, &made))
MAKER(create_kernel, kernel, netcl_kernel_create(D, "slow", options, &made))

static netcl_status from_npy(Fixture* fixture, const void* options) {
  static const char kFile[] =
      "\x93NUMPY\x01\x00\x76\x00{'descr': '|u1', 'fortran_order': False, 'shape': (), }"
      "                                                              \n\x05";
  netcl_tensor* made = NULL;
  const netcl_status status = netcl_tensor_create_from_npy(D, kFile, 129, options, &made);
  CHECK((status == NETCL_OK) == (made != NULL), "output with %s", netcl_status_name(status));
  netcl_tensor_release(made);
  return status;
}

static netcl_status read_options(Fixture* fixture, const void* options) {
  unsigned char data[64];
  (void)fixture;
  memset(data, POISON, sizeof data);
  const netcl_status status = netcl_tensor_read(operand, data, sizeof data, options, LONG_WAIT);
  CHECK((data[0] == POISON) == (status != NETCL_OK), "data with %s", netcl_status_name(status));
  return status;
}

static netcl_status write_options(Fixture* fixture, const void* options) {
  (void)fixture;
  return netcl_tensor_write(operand, kValues, sizeof kValues, options, LONG_WAIT);
}

static void launch_args(netcl_arg args[3]) {
  static const netcl_arg kEmpty = NETCL_ARG_INIT;
  args[0] = args[1] = args[2] = kEmpty;
  args[0].kind = NETCL_ARG_TENSOR;
  args[0].tensor = operand;
  args[1].kind = args[2].kind = NETCL_ARG_SCALAR;
  args[1].size = args[2].size = 4;
}

static netcl_status launch(Fixture* fixture, const void* options) {
  const uint64_t global = 4;
  netcl_arg args[3];
  (void)fixture;
  launch_args(args);
  return netcl_kernel_launch(kernel, &global, 1, NULL, 0, args, 3, options, NULL);
}

static netcl_status launch_run(Fixture* fixture, const void* options) {
  const uint64_t global = 4;
  netcl_arg args[3];
  (void)fixture;
  launch_args(args);
  return netcl_kernel_launch(kernel, &global, 1, NULL, 0, args, 3, NULL, options);
}

static void make_operand(Fixture* fixture) {
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, kShape, NULL, NULL, &operand));
}

#define RULES(call, type, init, ...)                                              \
  do {                                                                            \
    const type valid = init;                                                      \
    const size_t reserved[] = {__VA_ARGS__};                                      \
    check_options_rules(fixture, #call, call, &valid, SIZES(type), reserved + 1,  \
                        COUNT_OF(reserved) - 1);                                  \
  } while (0)
/* The first entry only keeps the list from being empty. */
#define RESERVED(type) 0, offsetof(type, reserved)

static void devices_queues_pools(void** state) {
  Fixture* fixture = *state;
  RULES(open_device, netcl_device_options, NETCL_DEVICE_OPTIONS_INIT,
        RESERVED(netcl_device_options));
  RULES(create_queue, netcl_queue_options, NETCL_QUEUE_OPTIONS_INIT, 0);
  RULES(create_pool, netcl_pool_options, NETCL_POOL_OPTIONS_INIT, RESERVED(netcl_pool_options));
}

static void tensors(void** state) {
  Fixture* fixture = *state;
  make_operand(fixture);
  RULES(create, netcl_tensor_options, NETCL_TENSOR_OPTIONS_INIT, RESERVED(netcl_tensor_options));
  RULES(zeros, netcl_tensor_options, NETCL_TENSOR_OPTIONS_INIT, RESERVED(netcl_tensor_options));
  RULES(full, netcl_tensor_options, NETCL_TENSOR_OPTIONS_INIT, RESERVED(netcl_tensor_options));
  RULES(random_made, netcl_tensor_options, NETCL_TENSOR_OPTIONS_INIT,
        RESERVED(netcl_tensor_options));
  RULES(from_host, netcl_tensor_options, NETCL_TENSOR_OPTIONS_INIT, RESERVED(netcl_tensor_options));
  RULES(from_npy, netcl_tensor_options, NETCL_TENSOR_OPTIONS_INIT, RESERVED(netcl_tensor_options));
  RULES(random_options, netcl_random_options, NETCL_RANDOM_OPTIONS_INIT,
        RESERVED(netcl_random_options));
  RULES(reshape, netcl_run_options, NETCL_RUN_OPTIONS_INIT, RESERVED(netcl_run_options));
  RULES(read_options, netcl_transfer_options, NETCL_TRANSFER_OPTIONS_INIT, 0);
  RULES(write_options, netcl_transfer_options, NETCL_TRANSFER_OPTIONS_INIT, 0);
  netcl_tensor_release(operand);
}

static netcl_status kernel_info(void* context, void* info) {
  return netcl_kernel_get_info(context, info);
}
static netcl_status kernel_arg_info(void* context, void* info) {
  return netcl_kernel_get_arg_info(context, 0, info);
}
static netcl_status program_cache_info(void* context, void* info) {
  (void)context;
  return netcl_program_cache_get_info(info);
}

static netcl_status program_cache_entry(void* context, void* info) {
  return netcl_program_cache_get_entry(*(const uint32_t*)context, info);
}

static netcl_roofline* roofline;
static netcl_ceilings* ceilings;

/* The first call measures, the others take what it found. */
static netcl_status measure_ceilings(Fixture* fixture, const void* options) {
  netcl_ceilings* made = NULL;
  const netcl_status status = netcl_ceilings_measure(D, options, &made);
  CHECK((status == NETCL_OK) == (made != NULL), "output with %s", netcl_status_name(status));
  netcl_ceilings_release(made);
  return status;
}

/* Work is no option, so NULL is not tried for it. */
static netcl_status analyze_work(Fixture* fixture, const void* options) {
  netcl_work good = NETCL_WORK_INIT;
  netcl_roofline_result result = NETCL_ROOFLINE_RESULT_INIT;
  (void)fixture;
  good.bytes = 1;
  return netcl_roofline_analyze_time(roofline, ceilings, 1e9, options != NULL ? options : &good,
                                     &result);
}

static netcl_status ceilings_info(void* context, void* info) {
  return netcl_ceilings_get_info(context, info);
}

static void measured_ceilings(void** state) {
  Fixture* fixture = *state;
  netcl_ceilings_options least = NETCL_CEILINGS_OPTIONS_INIT;
  least.budget_ns = 1;
  OK(netcl_roofline_create(NULL, &roofline));
  OK(netcl_ceilings_measure(D, &least, &ceilings));
  RULES(measure_ceilings, netcl_ceilings_options, NETCL_CEILINGS_OPTIONS_INIT, 0);
  RULES(analyze_work, netcl_work, NETCL_WORK_INIT, RESERVED(netcl_work));
  check_info_rules("netcl_ceilings_info", ceilings_info, ceilings, sizeof(netcl_ceilings_info), 0,
                   0);
  uint32_t index = 0;
  netcl_program_cache_info cache = NETCL_PROGRAM_CACHE_INFO_INIT;
  OK(netcl_program_cache_get_info(&cache));
  if (fixture->opencl && cache.directory[0] != '\0') {
    check_info_rules("netcl_program_cache_entry", program_cache_entry, &index,
                     sizeof(netcl_program_cache_entry), 0, 0);
  }
  netcl_ceilings_release(ceilings);
  netcl_roofline_release(roofline);
}

/* A kernel's options without a source form are no valid ones, so NULL is not tried for them. */
static netcl_status create_kernel_or_default(Fixture* fixture, const void* options) {
  netcl_kernel_options good = NETCL_KERNEL_OPTIONS_INIT;
  good.source = "__kernel void slow(__global int *out) { out[0] = 1; }";
  return create_kernel(fixture, options != NULL ? options : &good);
}

static void kernels(void** state) {
  Fixture* fixture = *state;
  check_info_rules("netcl_program_cache_info", program_cache_info, NULL,
                   sizeof(netcl_program_cache_info), 0, 0);
  if (!fixture->opencl) SKIP("custom kernels need an OpenCL device");
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  options.source = "__kernel void slow(__global int *out) { out[0] = 1; }";
  check_options_rules(fixture, "netcl_kernel_options", create_kernel_or_default, &options,
                      SIZES(netcl_kernel_options), NULL, 0);
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, create_kernel(fixture, NULL));
  const int64_t shape[] = {4};
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I32, 1, shape, NULL, NULL, &operand));
  kernel = make_slow_kernel(fixture->device);
  RULES(launch, netcl_launch_options, NETCL_LAUNCH_OPTIONS_INIT, RESERVED(netcl_launch_options));
  RULES(launch_run, netcl_run_options, NETCL_RUN_OPTIONS_INIT, RESERVED(netcl_run_options));
  check_info_rules("netcl_kernel_info", kernel_info, kernel, sizeof(netcl_kernel_info), 0, 0);
  check_info_rules("netcl_kernel_arg_info", kernel_arg_info, kernel, sizeof(netcl_kernel_arg_info),
                   0, 0);
  netcl_kernel_release(kernel);
  netcl_tensor_release(operand);
}

static netcl_tuner* tuner;
static netcl_tensor* tuned;

static netcl_status add_tuned(const netcl_kernel_tuning* tuning) {
  const netcl_arg args[1] = {arg_tensor(tuned)};
  const uint64_t global = 4;
  return netcl_tuner_add(tuner, kernel, &global, 1, args, 1, tuning);
}
static netcl_status kernel_tuning(Fixture* fixture, const void* options) {
  (void)fixture;
  return add_tuned(options);
}
/* Work is the one member here, so NULL is fine. */
static netcl_status tuning_work(Fixture* fixture, const void* options) {
  netcl_kernel_tuning tuning = NETCL_KERNEL_TUNING_INIT;
  (void)fixture;
  tuning.work = options;
  return add_tuned(&tuning);
}

static void tunings(void** state) {
  Fixture* fixture = *state;
  if (!fixture->opencl) SKIP("kernels are tuned on OpenCL devices");
  const int64_t shape[] = {4};
  netcl_work work = NETCL_WORK_INIT;
  netcl_kernel_tuning tuning = NETCL_KERNEL_TUNING_INIT;
  kernel = source_kernel(fixture->device, "one",
                         "__kernel void one(__global int *out) { out[get_global_id(0)] = 1; }");
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I32, 1, shape, NULL, NULL, &tuned));
  OK(netcl_tuner_create(fixture->device, NULL, &tuner));
  RULES(kernel_tuning, netcl_kernel_tuning, NETCL_KERNEL_TUNING_INIT,
        RESERVED(netcl_kernel_tuning));
  RULES(tuning_work, netcl_work, NETCL_WORK_INIT, RESERVED(netcl_work));
  tuning.work = &work;
  work.bytes = -1;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "tuning->work->bytes is -1", add_tuned(&tuning));
  netcl_launch_options launch = NETCL_LAUNCH_OPTIONS_INIT;
  tuning.work = NULL;
  tuning.launch = &launch;
  launch.work = &work;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "tuning->launch->work->bytes is -1", add_tuned(&tuning));
  work.bytes = 1;
  work.matrix_units = 2;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "tuning->launch->work->matrix_units is 2",
             add_tuned(&tuning));
  work.matrix_units = 1;
  work.dtype = 99;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "tuning->launch->work->dtype is 99", add_tuned(&tuning));
  work.dtype = NETCL_F32;
  OK(add_tuned(&tuning));
  netcl_search_options search = NETCL_SEARCH_OPTIONS_INIT;
  netcl_tuner_options how = NETCL_TUNER_OPTIONS_INIT;
  netcl_tuner* none = NULL;
  how.search = &search;
  search.precision = -1;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT,
             "options->search->precision is -1; it is 0 or lies between 1e-06 and 0.5",
             netcl_tuner_create(fixture->device, &how, &none));
  search.precision = 0;
  search.strategy = 6;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->search->strategy is 6",
             netcl_tuner_create(fixture->device, &how, &none));
  assert_null(none);
  netcl_tuner_release(tuner);
  netcl_tensor_release(tuned);
  netcl_kernel_release(kernel);
}

static netcl_benchmark* benchmark;
static netcl_benchmark_tensor good_tensor;
static netcl_statistics good_statistics;

/* NULL is no description of a tensor and no statistics, so these stand in for it. */
static netcl_status add_benchmark_tensor(Fixture* fixture, const void* options) {
  (void)fixture;
  netcl_benchmark* made = NULL;
  OK(netcl_benchmark_create(D, NULL, &made));
  const netcl_status status =
      netcl_benchmark_add_tensor(made, options != NULL ? options : &good_tensor);
  netcl_benchmark_release(made);
  return status;
}
static netcl_status set_baseline(Fixture* fixture, const void* options) {
  (void)fixture;
  return netcl_benchmark_set_baseline(benchmark, options != NULL ? options : &good_statistics);
}
static netcl_status baseline_options(Fixture* fixture, const void* options) {
  netcl_statistics statistics = NETCL_STATISTICS_INIT;
  const uint64_t global = 1;
  (void)fixture;
  return netcl_benchmark_time_kernel(benchmark, kernel, &global, 1, NULL, 0, options, &statistics);
}

static void benchmarks(void** state) {
  Fixture* fixture = *state;
  if (!fixture->opencl) SKIP("benchmarks need an OpenCL device");
  RULES(create_benchmark, netcl_benchmark_options, NETCL_BENCHMARK_OPTIONS_INIT,
        RESERVED(netcl_benchmark_options));
  const netcl_benchmark_tensor tensor = NETCL_BENCHMARK_TENSOR_INIT;
  const netcl_statistics statistics = NETCL_STATISTICS_INIT;
  const size_t reserved[] = {offsetof(netcl_benchmark_tensor, reserved)};
  good_tensor = tensor;
  good_tensor.dtype = NETCL_F32;
  good_tensor.access = NETCL_ACCESS_OUT;
  check_options_rules(fixture, "netcl_benchmark_tensor", add_benchmark_tensor, &good_tensor,
                      SIZES(netcl_benchmark_tensor), reserved, 1);
  OK(netcl_benchmark_create(D, NULL, &benchmark));
  good_statistics = statistics;
  good_statistics.count = 1;
  check_options_rules(fixture, "netcl_statistics", set_baseline, &good_statistics,
                      SIZES(netcl_statistics), NULL, 0);
  const int32_t one = 1;
  OK(netcl_benchmark_add_scalar(benchmark, &one, sizeof one));
  netcl_kernel_options source = NETCL_KERNEL_OPTIONS_INIT;
  source.source = "__kernel void nothing(int n) { volatile __local int x; x = n; }";
  OK(netcl_kernel_create(D, "nothing", &source, &kernel));
  netcl_measurement_options options = NETCL_MEASUREMENT_OPTIONS_INIT;
  options.count = options.warmup_count = 1;
  const size_t reserved_options[] = {offsetof(netcl_measurement_options, reserved)};
  check_options_rules(fixture, "netcl_measurement_options", baseline_options, &options,
                      SIZES(netcl_measurement_options), reserved_options, 1);
  netcl_kernel_release(kernel);
  netcl_benchmark_release(benchmark);
}

/* Structs that travel in arrays are frozen, and no struct has padding that could hide a member. */
static void layouts(void** state) {
  (void)state;
  assert_int_equal(sizeof(netcl_arg), 64);
  assert_int_equal(sizeof(netcl_range), 24);
  assert_int_equal(sizeof(netcl_pool_bucket), 40);
  assert_int_equal(sizeof(netcl_ceiling), 40);
  assert_int_equal(sizeof(netcl_run_options), 6 * sizeof(void*) + 8);
  assert_int_equal(offsetof(netcl_run_options, reserved) + 4, offsetof(netcl_run_options, graph));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(devices_queues_pools), DEVICE_TEST(tensors),           DEVICE_TEST(kernels),
      DEVICE_TEST(benchmarks),           DEVICE_TEST(measured_ceilings), DEVICE_TEST(tunings),
      cmocka_unit_test(layouts),
  };
  seed_random("options");
  return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
