/* What random sequences of calls found (tests/sequences), each as the few calls that do it. */
#include "support.h"

/* Sizes that are told as numbers are multiplied: what no tensor can have is refused before. */
static void sizes_beyond_all_tensors(void** state) {
  const Fixture* fixture = *state;
  const int64_t huge[] = {INT64_MAX, (int64_t)1 << 62, (int64_t)1 << 40};
  netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
  netcl_tuner* tuner = NULL;
  netcl_tuner_options options = NETCL_TUNER_OPTIONS_INIT;
  OK(netcl_tuning_database_open(":memory:", &options.database));
  OK(netcl_tuner_create(fixture->device, &options, &tuner));
  for (size_t i = 0; i < COUNT_OF(huge); i++) {
    for (int member = 0; member < 15; member++) {
      netcl_conv2d_shape shape = NETCL_CONV2D_SHAPE_INIT;
      int64_t* sizes = &shape.batch; /* all members from here on are int64_t */
      const int64_t usual[] = {2, 4, 8, 8, 4, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1};
      memcpy(sizes, usual, sizeof usual);
      sizes[member] = huge[i];
      if (member >= 5 && member < 7) sizes[member + 4] = INT32_MAX; /* with its dilation */
      if (member < 7 && huge[i] < (int64_t)1 << 60) sizes[(member + 1) % 4] = (int64_t)1 << 30;
      FAILS(NETCL_ERROR_INVALID_ARGUMENT,
            netcl_variant_select_conv2d(fixture->device, &shape, NULL, &config));
      FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_tuner_add_conv2d(tuner, &shape, NETCL_F32));
    }
    for (int member = 0; member < 3; member++) {
      const int64_t size[3] = {member == 0 ? huge[i] : 1 << 30, member == 1 ? huge[i] : 1 << 30,
                               member == 2 ? huge[i] : 1 << 30};
      FAILS_WITH(
          NETCL_ERROR_INVALID_ARGUMENT, "2^60",
          netcl_variant_select_matmul(fixture->device, size[0], size[1], size[2], NULL, &config));
      FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "2^60",
                 netcl_tuner_add_matmul(tuner, 1, size[0], size[1], size[2], NETCL_F32));
    }
  }
  netcl_tuner_release(tuner);
  netcl_tuning_database_release(options.database);
}

/* Lists are copied for a graph, and are part of what a call is known by: not before they are known
 * to have as many entries. */
static void counts_beyond_all_lists(void** state) {
  const Fixture* fixture = *state;
  const int64_t shape[2] = {2, 3}, list[1] = {1};
  const uint32_t axes[1] = {0};
  netcl_graph* graph = NULL;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *x = NULL, *result = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, shape, NULL, NULL, &x));
  OK(netcl_graph_create(fixture->device, NULL, &graph));
  for (int recorded = 0; recorded < 2; recorded++) {
    run.graph = recorded ? graph : NULL;
    FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_op_pad(x, list, UINT32_MAX, NULL, &run, &result));
    FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_op_transpose(x, axes, UINT32_MAX, &run, &result));
    FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_op_resize(x, UINT32_MAX, list, NULL, &run, &result));
    assert_null(result);
  }
  netcl_graph_release(graph);
  netcl_tensor_release(x);
}

/* What a caller says of a failure is quoted in a message, which is one line. */
static void lines_of_the_caller(void** state) {
  (void)state;
  const int64_t value = 1;
  netcl_space* space = NULL;
  netcl_search* search = NULL;
  netcl_config* config = NULL;
  uint32_t candidate = 0;
  uint64_t samples = 0;
  OK(netcl_space_create(&space));
  OK(netcl_space_add_ints(space, "TILE", &value, 1));
  OK(netcl_search_create(space, NULL, NULL, NULL, &search));
  OK(netcl_search_ask(search, &candidate, &samples, &config));
  OK(netcl_search_tell_failure(search, candidate, NETCL_OUTCOME_CRASH, "a\nb"));
  netcl_config_release(config);
  config = NULL;
  OK(netcl_log_set_level(NETCL_LOG_DEBUG));
  OK(netcl_search_ask(search, &candidate, &samples, &config));
  assert_null(config);
  FAILS_WITH(NETCL_ERROR_NOT_FOUND, "{\"TILE\": 1}: a b)", netcl_search_get_best(search, &config));
  assert_null(config);
  OK(netcl_log_set_level(NETCL_LOG_WARNING));
  netcl_log_record record = NETCL_LOG_RECORD_INIT;
  int told = 0;
  while (netcl_log_read(record.sequence, &record) == NETCL_OK) {
    assert_null(strchr(record.message, '\n'));
    told += strstr(record.message, "}: a b)") != NULL;
  }
  assert_true(told > 0);
  netcl_search_release(search);
  netcl_space_release(space);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(sizes_beyond_all_tensors),
                                     DEVICE_TEST(counts_beyond_all_lists),
                                     cmocka_unit_test(lines_of_the_caller)};
  seed_random("found");
  return cmocka_run_group_tests_name("found", tests, NULL, NULL);
}
