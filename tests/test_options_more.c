/* The rules of struct_size for structs that are no options of the call: what a call describes, what
 * another call wrote, and structs that other structs point to. */
#include <stdio.h>
#include <unistd.h>

#include "support_tuning.h"

static const int64_t kMatrix[] = {4, 4}, kImages[] = {1, 2, 4, 4}, kFilters[] = {2, 2, 1, 1};
static netcl_tensor *matrix, *ones, *images, *filters;
static netcl_roofline* roofline;
static netcl_ceilings* ceilings;
static netcl_space* space;
static netcl_config* config;
static netcl_search* search;
static netcl_tuner* tuner;
static netcl_tuning_database* database;
static char npy_file[512];

static netcl_conv2d_shape shape_of_images(void) {
  netcl_conv2d_shape shape = NETCL_CONV2D_SHAPE_INIT;
  shape.batch = 1;
  shape.channels = shape.filters = 2;
  shape.height = shape.width = 4;
  shape.kernel_height = shape.kernel_width = 1;
  return shape;
}
static netcl_tuning_key key_of_k(void) {
  netcl_tuning_key key = NETCL_TUNING_KEY_INIT;
  key.kernel = "k";
  return key;
}
static netcl_tuning_record good_record(void) {
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  record.kind = NETCL_TUNING_RECORD_BEST;
  record.outcome = NETCL_OUTCOME_CORRECT;
  record.median = 1;
  return record;
}
static netcl_statistics good_statistics(void) {
  netcl_statistics statistics = NETCL_STATISTICS_INIT;
  const double samples[3] = {100, 110, 120};
  OK(netcl_statistics_compute(samples, 3, 0, &statistics));
  return statistics;
}
static netcl_conv2d_batchnorm good_batchnorm(void) {
  netcl_conv2d_batchnorm norm = NETCL_CONV2D_BATCHNORM_INIT;
  norm.mean = norm.variance = ones;
  return norm;
}
static netcl_roofline_result good_result(void) {
  netcl_roofline_result result = NETCL_ROOFLINE_RESULT_INIT;
  const char* const names[] = {"sm__throughput.avg.pct_of_peak_sustained_elapsed"};
  const double values[] = {50};
  OK(netcl_roofline_analyze_metrics(roofline, names, values, 1, &result));
  return result;
}
static netcl_device_info good_info(Fixture* fixture) {
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  OK(netcl_device_get_info(fixture->device, &info));
  return info;
}
#define D fixture->device

static netcl_status made(netcl_status status, netcl_tensor* tensor) {
  netcl_tensor_release(tensor);
  return status;
}

static netcl_status select_with(Fixture* fixture, const netcl_variant_options* options, int which) {
  netcl_variant_config found = NETCL_VARIANT_CONFIG_INIT;
  const netcl_conv2d_shape shape = shape_of_images();
  switch (which) {
    case 0: return netcl_variant_select_matmul(D, 64, 64, 64, options, &found);
    case 1: return netcl_variant_select_conv2d(D, &shape, options, &found);
    case 2: return netcl_variant_select_elementwise(D, 1000, options, &found);
    case 3: return netcl_variant_select_reduction(D, 10, 1000, options, &found);
    default: return netcl_variant_select_batchnorm(D, 4, 4, 16, 0, 0, options, &found);
  }
}
static netcl_status select_shape(Fixture* fixture, const netcl_conv2d_shape* shape) {
  netcl_variant_config found = NETCL_VARIANT_CONFIG_INIT;
  return netcl_variant_select_conv2d(D, shape, NULL, &found);
}
static netcl_status select_for(Fixture* fixture, const netcl_device_capabilities* capabilities,
                               const netcl_device_info* info) {
  netcl_variant_config found = NETCL_VARIANT_CONFIG_INIT;
  netcl_variant_options options = NETCL_VARIANT_OPTIONS_INIT;
  options.capabilities = capabilities;
  options.info = info;
  return netcl_variant_select_matmul(D, 64, 64, 64, &options, &found);
}
static netcl_status multiply(const netcl_epilogue* epilogue) {
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_tensor* result = NULL;
  options.epilogue = epilogue;
  const netcl_status status = netcl_op_matmul(matrix, matrix, &options, NULL, &result);
  return made(status, result);
}
static netcl_status convolve(const netcl_epilogue* epilogue, const netcl_conv2d_batchnorm* norm) {
  netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
  netcl_tensor* result = NULL;
  options.epilogue = epilogue;
  options.batchnorm = norm;
  const netcl_status status = netcl_op_conv2d(images, filters, &options, NULL, &result);
  return made(status, result);
}
static netcl_status load_npy(Fixture* fixture, const netcl_tensor_options* options) {
  netcl_tensor* result = NULL;
  const netcl_status status = netcl_tensor_load_npy(D, npy_file, options, &result);
  return made(status, result);
}
static netcl_status analyze_ncu(const netcl_ncu_options* options) {
  static const char kReport[] =
      "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
      "\"0\",\"k\",\"sm__throughput.avg.pct_of_peak_sustained_elapsed\",\"%\",\"50\"\n"
      "\"0\",\"k\",\"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed\",\"%\","
      "\"60\"\n";
  netcl_roofline_result result = NETCL_ROOFLINE_RESULT_INIT;
  return netcl_roofline_analyze_ncu(roofline, kReport, sizeof kReport - 1, options, &result);
}
static netcl_status analyze_statistics(const netcl_statistics* statistics) {
  netcl_roofline_result result = NETCL_ROOFLINE_RESULT_INIT;
  return netcl_roofline_analyze_statistics(roofline, ceilings, statistics, &result);
}
static netcl_status should_stop(const netcl_roofline_result* result) {
  uint32_t stop = 0;
  return netcl_roofline_should_stop(roofline, result, &stop);
}
static netcl_status format_result(const netcl_roofline_result* result) {
  size_t length = 0;
  return netcl_roofline_format(result, NETCL_FORMAT_JSON, NULL, 0, &length);
}
static netcl_status count(const netcl_device_capabilities* capabilities) {
  uint64_t number = 0;
  return netcl_space_get_count(space, capabilities, &number);
}
static netcl_status config_at(const netcl_device_capabilities* capabilities) {
  netcl_config* found = NULL;
  const netcl_status status = netcl_space_get_config(space, capabilities, 0, &found);
  netcl_config_release(found);
  return status;
}
static netcl_status explain(const netcl_device_capabilities* capabilities) {
  size_t length = 0;
  return netcl_space_explain(space, capabilities, config, NULL, 0, &length);
}
static netcl_status search_with(const netcl_device_capabilities* capabilities) {
  netcl_search* found = NULL;
  const netcl_status status = netcl_search_create(space, capabilities, NULL, NULL, &found);
  netcl_search_release(found);
  return status;
}
static netcl_status look_up(Fixture* fixture, const netcl_tuning_key* key) {
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  netcl_config* found = NULL;
  const netcl_status status = netcl_tuning_database_lookup(database, D, key, &record, &found);
  netcl_config_release(found);
  return status;
}
static netcl_status put(Fixture* fixture, const netcl_tuning_key* key,
                        const netcl_tuning_record* record) {
  return netcl_tuning_database_put(database, D, key, config, record);
}
static netcl_status resume(Fixture* fixture, const netcl_tuning_key* key) {
  uint64_t number = 0;
  return netcl_search_resume(search, database, D, key, &number);
}
static netcl_status add_conv2d(const netcl_conv2d_shape* shape) {
  return netcl_tuner_add_conv2d(tuner, shape, NETCL_F32);
}

/* CHECK_ROW(name, struct, a good one, call): `given` is the struct under test. Many of these may
 * not be NULL; then the good one stands in. */
#define CHECK_ROW(name, type, good, call)                                        \
  static netcl_status row_##name(Fixture* fixture, const void* any) {            \
    const type stand_in = good;                                                  \
    const type* given = any != NULL ? any : &stand_in;                           \
    (void)fixture;                                                               \
    return call;                                                                 \
  }                                                                              \
  static void check_##name(Fixture* fixture) {                                   \
    const type valid = good;                                                     \
    check_options_rules(fixture, #name, row_##name, &valid, SIZES(type), NULL, 0); \
  }

static netcl_variant_options no_variant(void) {
  const netcl_variant_options options = NETCL_VARIANT_OPTIONS_INIT;
  return options;
}
static netcl_epilogue no_epilogue(void) {
  const netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  return epilogue;
}
static netcl_tensor_options no_tensor_options(void) {
  const netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
  return options;
}
static netcl_ncu_options no_ncu_options(void) {
  const netcl_ncu_options options = NETCL_NCU_OPTIONS_INIT;
  return options;
}

CHECK_ROW(variant_matmul, netcl_variant_options, no_variant(), select_with(fixture, given, 0))
CHECK_ROW(variant_conv2d, netcl_variant_options, no_variant(), select_with(fixture, given, 1))
CHECK_ROW(variant_elementwise, netcl_variant_options, no_variant(), select_with(fixture, given, 2))
CHECK_ROW(variant_reduction, netcl_variant_options, no_variant(), select_with(fixture, given, 3))
CHECK_ROW(variant_batchnorm, netcl_variant_options, no_variant(), select_with(fixture, given, 4))
CHECK_ROW(variant_shape, netcl_conv2d_shape, shape_of_images(), select_shape(fixture, given))
CHECK_ROW(variant_capabilities, netcl_device_capabilities, fixture->capabilities,
          select_for(fixture, given, NULL))
CHECK_ROW(variant_info, netcl_device_info, good_info(fixture),
          select_for(fixture, &fixture->capabilities, given))
CHECK_ROW(matmul_epilogue, netcl_epilogue, no_epilogue(), multiply(given))
CHECK_ROW(conv2d_epilogue, netcl_epilogue, no_epilogue(), convolve(given, NULL))
CHECK_ROW(conv2d_batchnorm, netcl_conv2d_batchnorm, good_batchnorm(), convolve(NULL, given))
CHECK_ROW(load_npy, netcl_tensor_options, no_tensor_options(), load_npy(fixture, given))
CHECK_ROW(analyze_ncu, netcl_ncu_options, no_ncu_options(), analyze_ncu(given))
CHECK_ROW(analyze_statistics, netcl_statistics, good_statistics(), analyze_statistics(given))
CHECK_ROW(should_stop, netcl_roofline_result, good_result(), should_stop(given))
CHECK_ROW(format, netcl_roofline_result, good_result(), format_result(given))
CHECK_ROW(space_count, netcl_device_capabilities, fixture->capabilities, count(given))
CHECK_ROW(space_config, netcl_device_capabilities, fixture->capabilities, config_at(given))
CHECK_ROW(space_explain, netcl_device_capabilities, fixture->capabilities, explain(given))
CHECK_ROW(search_create, netcl_device_capabilities, fixture->capabilities, search_with(given))
CHECK_ROW(lookup, netcl_tuning_key, key_of_k(), look_up(fixture, given))
CHECK_ROW(search_store, netcl_tuning_key, key_of_k(),
          netcl_search_store(search, database, D, given))
CHECK_ROW(search_resume, netcl_tuning_key, key_of_k(), resume(fixture, given))
CHECK_ROW(tuner_add_conv2d, netcl_conv2d_shape, shape_of_images(), add_conv2d(given))

static netcl_status put_record(Fixture* fixture, const void* any) {
  const netcl_tuning_key key = key_of_k();
  const netcl_tuning_record record = good_record();
  return put(fixture, &key, any != NULL ? any : &record);
}

static netcl_tensor* zeros(Fixture* fixture, uint32_t rank, const int64_t* shape) {
  netcl_tensor* tensor = NULL;
  OK(netcl_tensor_create_zeros(D, NETCL_F32, rank, shape, NULL, NULL, &tensor));
  return tensor;
}

static void ops_and_variants(void** state) {
  Fixture* fixture = *state;
  const float one = 1;
  matrix = zeros(fixture, 2, kMatrix);
  images = zeros(fixture, 4, kImages);
  filters = zeros(fixture, 4, kFilters);
  OK(netcl_tensor_create_full(D, NETCL_F32, 1, kFilters, NULL, &one, NULL, &ones));
  snprintf(npy_file, sizeof npy_file, "%s/options-XXXXXX",
           getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp");
  const int file = mkstemp(npy_file);
  assert_true(file >= 0);
  close(file);
  OK(netcl_tensor_save_npy(matrix, npy_file, LONG_WAIT));
  check_variant_matmul(fixture);
  check_variant_conv2d(fixture);
  check_variant_elementwise(fixture);
  check_variant_reduction(fixture);
  check_variant_batchnorm(fixture);
  check_variant_shape(fixture);
  check_variant_capabilities(fixture);
  check_variant_info(fixture);
  check_matmul_epilogue(fixture);
  check_conv2d_epilogue(fixture);
  check_conv2d_batchnorm(fixture);
  check_load_npy(fixture);
  unlink(npy_file);
  netcl_tensor_release(matrix);
  netcl_tensor_release(images);
  netcl_tensor_release(filters);
  netcl_tensor_release(ones);
}

static void rooflines(void** state) {
  Fixture* fixture = *state;
  netcl_ceilings_options least = NETCL_CEILINGS_OPTIONS_INIT;
  least.budget_ns = 1;
  OK(netcl_roofline_create(NULL, &roofline));
  OK(netcl_ceilings_measure(D, &least, &ceilings));
  check_analyze_ncu(fixture);
  check_should_stop(fixture);
  check_format(fixture);
  check_analyze_statistics(fixture);
  netcl_ceilings_release(ceilings);
  netcl_roofline_release(roofline);
}

static void spaces_and_databases(void** state) {
  Fixture* fixture = *state;
  const int64_t values[] = {1, 2};
  const netcl_tuning_record record = good_record();
  OK(netcl_space_create(&space));
  OK(netcl_space_add_ints(space, "A", values, 2));
  OK(netcl_config_create_from_json("{\"A\":1}", 7, &config));
  OK(netcl_search_create(space, NULL, NULL, NULL, &search));
  OK(netcl_tuner_create(D, NULL, &tuner));
  database = tuning_open(":memory:");
  check_options_rules(fixture, "put_record", put_record, &record, SIZES(netcl_tuning_record), NULL,
                      0);
  check_space_count(fixture);
  check_space_config(fixture);
  check_space_explain(fixture);
  check_search_create(fixture);
  check_lookup(fixture);
  check_search_store(fixture);
  check_search_resume(fixture);
  check_tuner_add_conv2d(fixture);
  netcl_tuning_database_release(database);
  netcl_tuner_release(tuner);
  netcl_search_release(search);
  netcl_config_release(config);
  netcl_space_release(space);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(ops_and_variants), DEVICE_TEST(rooflines),
                                     DEVICE_TEST(spaces_and_databases)};
  seed_random("options_more");
  return cmocka_run_group_tests_name("options_more", tests, NULL, NULL);
}
