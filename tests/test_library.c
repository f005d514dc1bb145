/* Version, build facts, status names, last error, live counts, shutdown. */
#include <pthread.h>
#include <stdio.h>

#include "support.h"

static void version(void **state) {
  (void)state;
  char text[32];
  snprintf(text, sizeof text, "%d.%d.%d", NETCL_VERSION_MAJOR, NETCL_VERSION_MINOR,
           NETCL_VERSION_PATCH);
  assert_int_equal(NETCL_VERSION_NUMBER, NETCL_VERSION_MAJOR * 1000000 +
                                             NETCL_VERSION_MINOR * 1000 + NETCL_VERSION_PATCH);
  assert_int_equal(netcl_version_number(), NETCL_VERSION_NUMBER);
  assert_string_equal(netcl_version_string(), text);
}

static netcl_status get_library_info(void *context, void *info) {
  (void)context;
  return netcl_library_get_info(info);
}

static void build_facts(void **state) {
  (void)state;
  netcl_library_info info = NETCL_LIBRARY_INFO_INIT;
  OK(netcl_library_get_info(&info));
  assert_int_equal(info.version_number, NETCL_VERSION_NUMBER);
  assert_int_equal(info.abi_version, 0);
  assert_string_equal(info.version, netcl_version_string());
  CHECK(info.compiler[0] != '\0' && info.build_type[0] != '\0' && info.simd_target[0] != '\0',
        "compiler \"%s\", build type \"%s\", SIMD \"%s\"", info.compiler, info.build_type,
        info.simd_target);
  CHECK(strlen(info.codegen_version) >= 16, "codegen version \"%s\"", info.codegen_version);
  check_info_rules("netcl_library_info", get_library_info, NULL, sizeof info, 0, 0);
}

static void status_names(void **state) {
  (void)state;
  static const char *const kNames[] = {
      "NETCL_OK", "NETCL_ERROR_INVALID_ARGUMENT", "NETCL_ERROR_INVALID_HANDLE",
      "NETCL_ERROR_NO_DEVICE", "NETCL_ERROR_OUT_OF_HOST_MEMORY",
      "NETCL_ERROR_OUT_OF_DEVICE_MEMORY", "NETCL_ERROR_BUILD_FAILURE",
      "NETCL_ERROR_LAUNCH_FAILURE", "NETCL_ERROR_DEVICE_LOST", "NETCL_ERROR_FORKED",
      "NETCL_ERROR_UNSUPPORTED", "NETCL_ERROR_NOT_PROFILED", "NETCL_ERROR_NOT_FOUND",
      "NETCL_ERROR_BUSY", "NETCL_ERROR_TIMEOUT", "NETCL_ERROR_CANCELLED", "NETCL_ERROR_IO",
      "NETCL_ERROR_CORRUPT_DATA", "NETCL_ERROR_INTERNAL", "NETCL_ERROR_RANK_LOST"};
  for (int i = 0; i < (int)COUNT_OF(kNames); ++i) {
    assert_string_equal(netcl_status_name(-i), kNames[i]);
  }
  assert_string_equal(netcl_status_name(1), "unknown status");
  assert_string_equal(netcl_status_name(-(int)COUNT_OF(kNames)), "unknown status");
  assert_string_equal(netcl_status_name(INT32_MIN), "unknown status");
  assert_string_equal(netcl_status_name(INT32_MAX), "unknown status");
}

static void dtype_facts(void **state) {
  (void)state;
  static const char *const kNames[] = {"f16", "bf16", "f32", "f64", "i8",  "i16", "i32",
                                       "i64", "u8",   "u16", "u32", "u64", "bool"};
  static const size_t kSizes[] = {2, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 1};
  for (int i = 0; i < DTYPES; ++i) {
    assert_int_equal(kDtypes[i], i + 1);
    assert_string_equal(netcl_dtype_name(i + 1), kNames[i]);
    assert_int_equal(netcl_dtype_size(i + 1), kSizes[i]);
  }
  const netcl_dtype wrong[] = {0, -1, 14, 999, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
    assert_string_equal(netcl_dtype_name(wrong[i]), "invalid");
    assert_int_equal(netcl_dtype_size(wrong[i]), 0);
  }
}

static void *fresh_thread(void *unused) {
  (void)unused;
  netcl_error_info info;
  memset(&info, POISON, sizeof info);
  info.struct_size = sizeof info;
  if (strcmp(netcl_last_error_message(), "") != 0) return "the message of a new thread is not \"\"";
  if (netcl_last_error_get_info(&info) != NETCL_OK) return "netcl_last_error_get_info fails";
  const unsigned char *bytes = (const unsigned char *)&info;
  for (size_t i = sizeof(size_t); i < sizeof info; ++i) {
    if (bytes[i] != 0) return "the info of a new thread is not all zero";
  }
  if (netcl_library_get_live_count(77, NULL) == NETCL_OK) return "NULL was taken";
  if (netcl_last_error_message()[0] == '\0') return "no message after a failure";
  return NULL;
}

static netcl_status get_last_error(void *context, void *info) {
  (void)context;
  /* The call with NULL is itself a failure and comes last in the rules. */
  return netcl_last_error_get_info(info);
}

static void last_error(void **state) {
  (void)state;
  uint64_t count = 0;
  netcl_error_info info = NETCL_ERROR_INFO_INIT;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "77", netcl_library_get_live_count(77, &count));
  OK(netcl_last_error_get_info(&info));
  assert_int_equal(info.status, NETCL_ERROR_INVALID_ARGUMENT);
  assert_int_equal(info.native_code, 0);
  assert_string_equal(info.message, netcl_last_error_message());
  /* Success changes nothing, and neither does release. */
  OK(netcl_library_get_live_count(NETCL_HANDLE_DEVICE, &count));
  netcl_tensor_release(NULL);
  netcl_tensor_release((netcl_tensor *)(uintptr_t)0x1234567890u);
  assert_string_equal(info.message, netcl_last_error_message());
  /* Each thread has its own. */
  pthread_t thread;
  void *complaint = NULL;
  assert_int_equal(pthread_create(&thread, NULL, fresh_thread, NULL), 0);
  assert_int_equal(pthread_join(thread, &complaint), 0);
  CHECK(complaint == NULL, "%s", (const char *)complaint);
  assert_string_equal(info.message, netcl_last_error_message());
  check_info_rules("netcl_error_info", get_last_error, NULL, sizeof info, 0, 0);
}

static void long_message_is_cut(void **state) {
  (void)state;
  /* A selector of 5000 bytes of three-byte characters: the message must stay valid UTF-8. */
  char selector[5001];
  netcl_device *device = (netcl_device *)1;
  for (size_t i = 0; i + 3 < sizeof selector; i += 3) memcpy(selector + i, "\xE2\x82\xAC", 3);
  selector[sizeof selector - 3] = '\0';
  FAILS(NETCL_ERROR_NO_DEVICE, netcl_device_open(selector, NULL, &device));
  const char *message = netcl_last_error_message();
  CHECK(strlen(message) < sizeof((netcl_error_info *)0)->message, "%zu bytes", strlen(message));
  for (const unsigned char *at = (const unsigned char *)message; *at != 0;) {
    const int more = *at < 0x80 ? 0 : *at >= 0xF0 ? 3 : *at >= 0xE0 ? 2 : *at >= 0xC0 ? 1 : -1;
    CHECK(more >= 0, "the message is cut within a character");
    ++at;
    for (int i = 0; i < more; ++i, ++at) {
      CHECK((*at & 0xC0) == 0x80, "the message is cut within a character");
    }
  }
  CHECK(device == (netcl_device *)1 || device == NULL, "the output was written");
}

static void live_counts(void **state) {
  (void)state;
  uint64_t before[HANDLE_TYPES + 1], after[HANDLE_TYPES + 1];
  const int64_t shape[] = {4};
  netcl_device *device = NULL;
  netcl_queue *queue = NULL;
  netcl_event *event = NULL;
  netcl_pool *pool = NULL;
  netcl_buffer *buffer = NULL;
  netcl_tensor *tensor = NULL, *view = NULL;
  netcl_expression *expression = NULL;
  const netcl_range range = {0, 2, 1};
  count_live_handles(before);
  OK(netcl_device_open(test_selector(), NULL, &device));
  OK(netcl_device_get_queue(device, &queue));
  OK(netcl_queue_enqueue_marker(queue, NULL, 0, &event));
  OK(netcl_pool_create(device, NULL, &pool));
  OK(netcl_pool_allocate(pool, 64, &buffer));
  OK(netcl_tensor_create_zeros(device, NETCL_F32, 1, shape, NULL, NULL, &tensor));
  OK(netcl_tensor_slice(tensor, &range, 1, &view));
  OK(netcl_expression_create("v0 + 1", &expression));
  count_live_handles(after);
  const uint64_t made[HANDLE_TYPES + 1] = {0, 1, 1, 1, 1, 1, 2, 0, 1};
  for (int type = 1; type <= HANDLE_TYPES; ++type) {
    CHECK(after[type] - before[type] == made[type], "type %d: %lld made", type,
          (long long)(after[type] - before[type]));
  }
  /* A second reference to a handle is no second handle. */
  OK(netcl_tensor_retain(tensor));
  netcl_tensor_release(tensor);
  OK(netcl_event_wait(event, LONG_WAIT));
  netcl_device_release(device);  /* Children keep their parents: any order will do. */
  netcl_tensor_release(tensor);
  netcl_queue_release(queue);
  netcl_buffer_release(buffer);
  netcl_pool_release(pool);
  netcl_event_release(event);
  netcl_expression_release(expression);
  netcl_tensor_release(view);
  check_live_handles(before, __FILE__, __LINE__);

  uint64_t count = 1234;
  const netcl_handle_type wrong[] = {0, -1, HANDLE_TYPES + 1, INT32_MAX, INT32_MIN};
  for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "type",
               netcl_library_get_live_count(wrong[i], &count));
    CHECK(count == 1234 || count == 0, "the output is %llu", (unsigned long long)count);
  }
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "count",
             netcl_library_get_live_count(NETCL_HANDLE_TENSOR, NULL));
}

static void shutdown_leaves_objects_usable(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {1000};
  const float one = 1;
  netcl_tensor *tensor = NULL, *sum = NULL;
  netcl_pool *pool = NULL;
  netcl_pool_info info = NETCL_POOL_INFO_INIT;
  OK(netcl_tensor_create_full(fixture->device, NETCL_F32, 1, shape, NULL, &one, NULL, &tensor));
  OK(netcl_op_expression_text("v0 + v0", &tensor, 1, NULL, NULL, &sum));
  netcl_tensor_release(sum);
  OK(netcl_shutdown(LONG_WAIT));
  OK(netcl_device_get_pool(fixture->device, NETCL_POOL_PERSISTENT, &pool));
  OK(netcl_pool_get_info(pool, &info));
  assert_int_equal(info.bytes_cached, 0);
  OK(netcl_op_expression_text("v0 + v0 + 1", &tensor, 1, NULL, NULL, &sum));
  float *values = read_tensor(sum);
  for (int i = 0; i < 1000; ++i) CHECK(values[i] == 3, "element %d is %g", i, values[i]);
  free(values);
  netcl_tensor_release(sum);
  netcl_tensor_release(tensor);
  netcl_pool_release(pool);
  OK(netcl_shutdown(LONG_WAIT));
}

static void shutdown_times_out(void **state) {
  Fixture *fixture = *state;
  NEEDS_WORK_IN_FLIGHT(fixture);
  start_slow_work(fixture, NULL, NULL, NULL);
  FAILS(NETCL_ERROR_TIMEOUT, netcl_shutdown(0));
  OK(netcl_shutdown(LONG_WAIT));
}

static void exit_timeout(void **state) {
  (void)state;
  OK(netcl_library_set_exit_timeout(0));
  OK(netcl_library_set_exit_timeout(NETCL_WAIT_FOREVER));
  OK(netcl_library_set_exit_timeout(2 * SECOND));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(version),
      cmocka_unit_test(build_facts),
      cmocka_unit_test(status_names),
      cmocka_unit_test(dtype_facts),
      cmocka_unit_test(last_error),
      cmocka_unit_test(long_message_is_cut),
      cmocka_unit_test(live_counts),
      DEVICE_TEST(shutdown_leaves_objects_usable),
      DEVICE_TEST(shutdown_times_out),
      cmocka_unit_test(exit_timeout),
  };
  seed_random("library");
  return cmocka_run_group_tests_name("library", tests, NULL, NULL);
}
