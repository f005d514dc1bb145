/* Statuses, messages, the last error, and that the library writes to nobody's stdout or stderr. */
#include "support_kernel.h"
#include "support_process.h"

#include <pthread.h>
#include <stdio.h>

static void status_names(void **state) {
  static const struct {
    netcl_status status;
    const char *name;
  } known[] = {{NETCL_OK, "NETCL_OK"},
               {NETCL_ERROR_INVALID_ARGUMENT, "NETCL_ERROR_INVALID_ARGUMENT"},
               {NETCL_ERROR_INVALID_HANDLE, "NETCL_ERROR_INVALID_HANDLE"},
               {NETCL_ERROR_NO_DEVICE, "NETCL_ERROR_NO_DEVICE"},
               {NETCL_ERROR_OUT_OF_HOST_MEMORY, "NETCL_ERROR_OUT_OF_HOST_MEMORY"},
               {NETCL_ERROR_OUT_OF_DEVICE_MEMORY, "NETCL_ERROR_OUT_OF_DEVICE_MEMORY"},
               {NETCL_ERROR_BUILD_FAILURE, "NETCL_ERROR_BUILD_FAILURE"},
               {NETCL_ERROR_LAUNCH_FAILURE, "NETCL_ERROR_LAUNCH_FAILURE"},
               {NETCL_ERROR_DEVICE_LOST, "NETCL_ERROR_DEVICE_LOST"},
               {NETCL_ERROR_FORKED, "NETCL_ERROR_FORKED"},
               {NETCL_ERROR_UNSUPPORTED, "NETCL_ERROR_UNSUPPORTED"},
               {NETCL_ERROR_NOT_PROFILED, "NETCL_ERROR_NOT_PROFILED"},
               {NETCL_ERROR_NOT_FOUND, "NETCL_ERROR_NOT_FOUND"},
               {NETCL_ERROR_BUSY, "NETCL_ERROR_BUSY"},
               {NETCL_ERROR_TIMEOUT, "NETCL_ERROR_TIMEOUT"},
               {NETCL_ERROR_CANCELLED, "NETCL_ERROR_CANCELLED"},
               {NETCL_ERROR_IO, "NETCL_ERROR_IO"},
               {NETCL_ERROR_CORRUPT_DATA, "NETCL_ERROR_CORRUPT_DATA"},
               {NETCL_ERROR_INTERNAL, "NETCL_ERROR_INTERNAL"},
               {NETCL_ERROR_RANK_LOST, "NETCL_ERROR_RANK_LOST"}};
  static const netcl_status unknown[] = {1, 1000, -20, -1000, INT32_MIN, INT32_MAX};
  (void)state;
  for (size_t i = 0; i < COUNT_OF(known); i++) {
    assert_int_equal(known[i].status, -(int)i); /* Values are never renumbered. */
    assert_string_equal(netcl_status_name(known[i].status), known[i].name);
  }
  for (size_t i = 0; i < COUNT_OF(unknown); i++) {
    assert_string_equal(netcl_status_name(unknown[i]), "unknown status");
  }
}

static void *fresh_thread(void *unused) {
  netcl_error_info info;
  (void)unused;
  memset(&info, POISON, sizeof info);
  info.struct_size = sizeof info;
  if (strcmp(netcl_last_error_message(), "") != 0) return (void *)1;
  if (netcl_last_error_get_info(&info) != NETCL_OK) return (void *)2;
  if (info.status != 0 || info.native_code != 0 || info.message[0] != '\0') return (void *)3;
  return NULL;
}

static void no_error_on_a_new_thread(void **state) {
  pthread_t thread;
  void *result = NULL;
  (void)state;
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_log_set_level(1234));
  assert_int_equal(pthread_create(&thread, NULL, fresh_thread, NULL), 0);
  pthread_join(thread, &result);
  CHECK(result == NULL, "step %d failed in the thread", (int)(intptr_t)result);
}

/* Calls of every kind that succeed leave the last error alone. */
static void success_keeps_the_last_error(void **state) {
  Fixture *fixture = *state;
  char before[1024];
  const int64_t shape = 100;
  float values[100] = {0};
  netcl_tensor *tensor = NULL, *result = NULL;
  netcl_queue *queue = NULL;
  netcl_event *event = NULL;
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_log_set_level(4321));
  snprintf(before, sizeof before, "%s", netcl_last_error_message());
  CHECK(strstr(before, "4321") != NULL, "the message lacks the value: %s", before);
  OK(netcl_tensor_create_from_host(fixture->device, NETCL_F32, 1, &shape, NULL, values,
                                   sizeof values, NULL, &tensor));
  OK(netcl_op_expression_text("v0 * 3", &tensor, 1, NULL, NULL, &result));
  OK(netcl_tensor_read(result, values, sizeof values, NULL, LONG_WAIT));
  OK(netcl_queue_create(fixture->device, NULL, &queue));
  OK(netcl_queue_enqueue_marker(queue, NULL, 0, &event));
  OK(netcl_event_wait(event, LONG_WAIT));
  OK(netcl_queue_finish(queue, LONG_WAIT));
  OK(netcl_device_finish(fixture->device, LONG_WAIT));
  OK(netcl_program_cache_clear(0));
  netcl_event_release(event);
  netcl_event_release(event); /* only logged */
  netcl_queue_release(queue);
  netcl_tensor_release(tensor);
  netcl_tensor_release(result);
  assert_string_equal(netcl_last_error_message(), before);
}

static int valid_utf8(const char *text) {
  const unsigned char *p = (const unsigned char *)text;
  while (*p != 0) {
    int more = *p < 0x80 ? 0 : (*p >> 5) == 6 ? 1 : (*p >> 4) == 14 ? 2 : (*p >> 3) == 30 ? 3 : -1;
    if (more < 0) return 0;
    for (p++; more > 0; more--, p++) {
      if ((*p >> 6) != 2) return 0;
    }
  }
  return 1;
}

/* What a first program gets wrong is answered with what would be right. */
static void messages_say_what_would_be_right(void **state) {
  static const struct {
    const char *selector, *text;
  } kRows[] = {
      {"built_in", "selector is \"built_in\", which no device fits; did you mean \"builtin\"? A "
                   "selector is auto, gpu, accel,"},
      {"Bultin", "did you mean \"builtin\"?"},
      {"GPU:0", "did you mean \"gpu\"?"},
      {"cpus", "did you mean \"cpu\"?"},
      {"accelerator", "did you mean \"accel\"?"},
      {"automatic", "did you mean \"auto\"?"},
      {"no such one", "selector is \"no such one\", which no device fits. A selector is auto, gpu, "
                      "accel, cpu, builtin, an index, platform:device, or a part of a device's "
                      "name, vendor, platform or version. Devices: 0 "},
      {"4000", "selector is \"4000\" and no such device exists. Devices: 0 "},
      {"77:0", "selector is \"77:0\" and no such device exists. Devices: 0 "},
  };
  netcl_device *device = NULL;
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  uint32_t count = 0;
  (void)state;
  OK(netcl_device_count(&count));
  OK(netcl_device_describe(count - 1, &info));
  for (size_t i = 0; i < COUNT_OF(kRows); ++i) {
    FAILS_WITH(NETCL_ERROR_NO_DEVICE, kRows[i].text,
               netcl_device_open(kRows[i].selector, NULL, &device));
    const char *message = netcl_last_error_message();
    CHECK(strlen(message) < 600, "%zu bytes: %s", strlen(message), message);
    CHECK(count > 2 || strstr(message, info.name) != NULL, "without \"%s\": %s", info.name,
          message);
    CHECK(strstr(kRows[i].text, "did you mean") != NULL || strstr(message, "did you") == NULL,
          "a guess: %s", message);
  }
}

/* Long and odd names end up in messages of one line, valid text, cut in the right place. */
static void messages_are_one_clean_line(void **state) {
  netcl_error_info info = NETCL_ERROR_INFO_INIT;
  netcl_device *device = NULL;
  (void)state;
  for (int shift = 0; shift < 6; shift++) {
    char selector[6001];
    memset(selector, 'x', sizeof selector);
    for (int i = shift; i + 3 < 6000; i += 3) memcpy(selector + i, "\xe2\x82\xac", 3);
    selector[6000 - 6 + shift] = '\0';
    FAILS(NETCL_ERROR_NO_DEVICE, netcl_device_open(selector, NULL, &device));
    OK(netcl_last_error_get_info(&info));
    CHECK(strlen(info.message) < 600, "the message has %zu bytes", strlen(info.message));
    CHECK(valid_utf8(info.message), "the message is cut inside a character (shift %d)", shift);
    assert_string_equal(info.message, netcl_last_error_message());
  }
  static const char *const odd[] = {"%s%n%d%s%s", "a\nb\r\n", "\x1b[31mred", "\xff\xfe\x80",
                                    "\xc0\x80", "\xed\xa0\x80"};
  for (size_t i = 0; i < COUNT_OF(odd); i++) {
    FAILS(NETCL_ERROR_NO_DEVICE, netcl_device_open(odd[i], NULL, &device));
    OK(netcl_last_error_get_info(&info));
    CHECK(strchr(info.message, '\n') == NULL && strchr(info.message, '\r') == NULL,
          "more than one line: %s", info.message);
    CHECK(valid_utf8(info.message), "no valid text for selector %zu", i);
  }
  assert_null(device);
}

static void no_native_code_without_a_driver(void **state) {
  netcl_error_info info = NETCL_ERROR_INFO_INIT;
  (void)state;
  FAILS(NETCL_ERROR_INVALID_HANDLE, netcl_device_retain(NULL));
  OK(netcl_last_error_get_info(&info));
  assert_int_equal(info.status, NETCL_ERROR_INVALID_HANDLE);
  assert_int_equal(info.native_code, 0);
}

/* What a function of the host leaves is the message of the call that it was called in. */
static netcl_status says(netcl_queue *queue, void *user_data) {
  (void)queue;
  const char *const message = user_data;
  if (message == NULL) return NETCL_ERROR_IO;
  const netcl_status status = netcl_last_error_set(NETCL_ERROR_IO, -5, message);
  return status == NETCL_OK ? NETCL_ERROR_IO : status;
}

/* What it is given as data, with a message where that is no status of netcl.h's. */
typedef struct Answer {
  netcl_status status;
  const char *message;
  netcl_status told; /* what came of the message */
} Answer;
static netcl_status answers(netcl_queue *queue, void *user_data) {
  Answer *const answer = user_data;
  (void)queue;
  if (answer->message != NULL) {
    answer->told = netcl_last_error_set(answer->status, 9, answer->message);
  }
  return answer->status;
}

/* Negative statuses of the host's own are handed on; those above 0 are none. */
static void statuses_of_the_host(void **state) {
  Fixture *fixture = *state;
  static const struct {
    netcl_status status, wanted;
    const char *message, *told;
    netcl_status taken;
  } kCases[] = {
      {-19, -19, "the first behind ours", "the first behind ours", NETCL_OK},
      {-1000, -1000, "own", "own", NETCL_OK},
      {INT32_MIN, INT32_MIN, "least", "least", NETCL_OK},
      {-1000, -1000, NULL, "work returned -1000 (unknown status)", NETCL_OK},
      {1, NETCL_ERROR_INVALID_ARGUMENT, NULL, "work returned 1, which is no status", NETCL_OK},
      {INT32_MAX, NETCL_ERROR_INVALID_ARGUMENT, "most",
       "work returned 2147483647, which is no status", NETCL_ERROR_INVALID_ARGUMENT},
  };
  netcl_queue *queue = NULL;
  OK(netcl_device_get_queue(fixture->device, &queue));
  for (size_t i = 0; i < COUNT_OF(kCases); ++i) {
    Answer answer = {kCases[i].status, kCases[i].message, NETCL_OK};
    netcl_statistics poisoned, statistics;
    memset(&poisoned, POISON, sizeof poisoned);
    poisoned.struct_size = sizeof poisoned;
    statistics = poisoned;
    netcl_error_info info = NETCL_ERROR_INFO_INIT;
    FAILS(kCases[i].wanted, netcl_queue_time(queue, answers, &answer, NULL, &statistics));
    OK(netcl_last_error_get_info(&info));
    assert_string_equal(info.message, kCases[i].told);
    assert_int_equal(info.status, kCases[i].wanted);
    assert_int_equal(info.native_code, kCases[i].status < 0 && kCases[i].message != NULL ? 9 : 0);
    assert_int_equal(answer.told, kCases[i].taken);
    assert_memory_equal(&statistics, &poisoned, sizeof statistics);
  }
  netcl_queue_release(queue);
}

static void functions_of_the_host_say_what_failed(void **state) {
  Fixture *fixture = *state;
  netcl_statistics statistics = NETCL_STATISTICS_INIT;
  netcl_error_info info = NETCL_ERROR_INFO_INIT;
  netcl_queue *queue = NULL;
  char longest[5000];
  OK(netcl_device_get_queue(fixture->device, &queue));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_last_error_set(NETCL_OK, 0, "none"));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_last_error_set(NETCL_ERROR_IO, 0, NULL));
  char text[] = "two\nlines, \xe2\x82\xac";
  FAILS(NETCL_ERROR_IO, netcl_queue_time(queue, says, text, NULL, &statistics));
  OK(netcl_last_error_get_info(&info));
  assert_string_equal(info.message, "two lines, \xe2\x82\xac");
  assert_int_equal(info.status, NETCL_ERROR_IO);
  assert_int_equal(info.native_code, -5);
  /* A function that says nothing gets no message of before. */
  FAILS(NETCL_ERROR_IO, netcl_queue_time(queue, says, NULL, NULL, &statistics));
  OK(netcl_last_error_get_info(&info));
  CHECK(strstr(info.message, "two") == NULL && strstr(info.message, "work returned -16") != NULL,
        "the message is \"%s\"", info.message);
  assert_int_equal(info.native_code, 0);
  memset(longest, 'x', sizeof longest);
  longest[sizeof longest - 1] = '\0';
  FAILS(NETCL_ERROR_IO, netcl_queue_time(queue, says, longest, NULL, &statistics));
  assert_int_equal(strlen(netcl_last_error_message()), sizeof info.message - 1);
  netcl_queue_release(queue);
}

static void null_outputs_are_refused(void **state) {
  Fixture *fixture = *state;
  const int64_t shape = 1;
  const netcl_status bad = NETCL_ERROR_INVALID_ARGUMENT;
  FAILS(bad, netcl_last_error_get_info(NULL));
  FAILS(bad, netcl_library_get_info(NULL));
  FAILS(bad, netcl_library_get_live_count(NETCL_HANDLE_DEVICE, NULL));
  FAILS(bad, netcl_log_read(0, NULL));
  FAILS(bad, netcl_device_count(NULL));
  FAILS(bad, netcl_device_describe(0, NULL));
  FAILS(bad, netcl_device_open(NULL, NULL, NULL));
  FAILS(bad, netcl_device_get_info(fixture->device, NULL));
  FAILS(bad, netcl_device_get_queue(fixture->device, NULL));
  FAILS(bad, netcl_queue_create(fixture->device, NULL, NULL));
  FAILS(bad, netcl_pool_create(fixture->device, NULL, NULL));
  FAILS(bad, netcl_tensor_create(fixture->device, NETCL_F32, 1, &shape, NULL, NULL, NULL));
  FAILS(bad, netcl_expression_create("v0", NULL));
  FAILS(bad, netcl_program_cache_get_info(NULL));
}

/* Two devices of one name are told apart, and an array's message names its count. */
static void messages_tell_devices_apart(void **state) {
  (void)state;
  netcl_device *devices[2] = {NULL, NULL};
  netcl_tensor *tensors[2] = {NULL, NULL};
  netcl_device_options separate = NETCL_DEVICE_OPTIONS_INIT;
  const int64_t shape[1] = {4};
  char message[512], left[256], right[256];
  separate.separate = 1;
  for (int i = 0; i < 2; i++) {
    OK(netcl_device_open(test_selector(), &separate, &devices[i]));
    OK(netcl_tensor_create_zeros(devices[i], NETCL_F32, 1, shape, NULL, NULL, &tensors[i]));
  }
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.into = tensors[1];
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_op_expression_text("v0 + 1", tensors, 1, NULL, &run, NULL));
  snprintf(message, sizeof message, "%s", netcl_last_error_message());
  CHECK(sscanf(message, "run->into lives on device %255[^;]; the inputs on device %255[^;]", left,
               right) == 2, "%s", message);
  CHECK(strcmp(left, right) != 0, "%s", message);
  uint64_t signature = 0;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "inputs_count is 3",
             netcl_kernel_shape_signature(NULL, 3, NULL, 0, &signature));
  for (int i = 0; i < 2; i++) {
    netcl_tensor_release(tensors[i]);
    netcl_device_release(devices[i]);
  }
}

/* ---- Output --------------------------------------------------------------------------------- */

/* Everything that can go right or wrong, in a process whose stdout and stderr are a pipe. */
static int child_silent(void) {
  Fixture fixture;
  netcl_device *none = NULL;
  netcl_kernel *kernel = NULL;
  netcl_expression *expression = NULL;
  const int64_t shape[2] = {64, 64}, wrong[1] = {-5};
  netcl_tensor *tensor = NULL, *result = NULL;
  memset(&fixture, 0, sizeof fixture);
  CHILD_OK(netcl_log_set_level(NETCL_LOG_DEBUG));
  CHILD_STATUS(NETCL_ERROR_NO_DEVICE, netcl_device_open("no such device", NULL, &none));
  CHILD_OK(netcl_device_open(test_selector(), NULL, &fixture.device));
  CHILD_STATUS(NETCL_ERROR_INVALID_ARGUMENT, netcl_expression_create("v0 +* 2", &expression));
  CHILD_STATUS(NETCL_ERROR_INVALID_ARGUMENT,
               netcl_tensor_create(fixture.device, NETCL_F32, 1, wrong, NULL, NULL, &tensor));
  CHILD_OK(netcl_tensor_create_zeros(fixture.device, NETCL_F32, 2, shape, NULL, NULL, &tensor));
  CHILD_OK(netcl_op_softmax(tensor, 1, NULL, &result));
  netcl_tensor_release(result);
  CHILD_OK(netcl_op_matmul(tensor, tensor, NULL, NULL, &result));
  CHILD_STATUS(NETCL_ERROR_IO, netcl_tensor_save_npy(result, "/proc/no/file.npy", LONG_WAIT));
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  CHILD_OK(netcl_device_get_info(fixture.device, &info));
  if (info.backend == NETCL_BACKEND_OPENCL) {
    netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
    options.source = "__kernel void k(__global int *a) { int unused; a[0] = nonsense; }";
    CHILD_OK(netcl_kernel_create(fixture.device, "k", &options, &kernel));
    CHILD_STATUS(NETCL_ERROR_BUILD_FAILURE, netcl_kernel_build(kernel));
    netcl_kernel_release(kernel);
  }
  netcl_tensor_release(tensor);
  netcl_tensor_release(tensor);
  netcl_tensor_release(result);
  CHILD_OK(netcl_shutdown(LONG_WAIT));
  netcl_device_release(fixture.device);
  return 0;
}

/* The compilers of drivers count on stderr themselves ("1 warning and 2 errors generated."). */
static int is_compilers_count(const char *line, size_t length) {
  const char end[] = " generated.";
  return length > sizeof end - 1 && line[0] >= '0' && line[0] <= '9' &&
         strncmp(line + length - (sizeof end - 1), end, sizeof end - 1) == 0;
}

/* Takes the lines of a driver's compiler out of the output, and returns how many there were. */
static int drop_compilers_counts(char *output) {
  char *to = output;
  int counts = 0;
  for (const char *line = output; *line != '\0';) {
    const size_t length = strcspn(line, "\n"), whole = length + (line[length] == '\n');
    if (is_compilers_count(line, length)) {
      ++counts;
    } else {
      memmove(to, line, whole);
      to += whole;
    }
    line += whole;
  }
  *to = '\0';
  return counts;
}

/* Nothing is cached, so that everything is compiled: of that, only the user's kernel is wrong.
 * With PoCL's cache in that folder LeakSanitizer's tracer was seen to crash at the child's end. */
static void nothing_is_printed(void **state) {
  char folder[200], own[256], pocl[256];
  process_make_folder(folder, sizeof folder);
  snprintf(own, sizeof own, "NETCL_CACHE_DIR=%s", folder);
  snprintf(pocl, sizeof pocl, "POCL_CACHE_DIR=%s", folder);
  const char *const environment[] = {"NETCL_MAX_CACHED_GB=lots", "NETCL_TUNE=perhaps",
                                     "NETCL_LOG_LEVEL=debug",    own,
                                     process_has_asan() ? NULL : pocl, NULL};
  process_result result;
  process_run_self("silent", environment, 120, &result);
  process_remove_folder(folder);
  process_expect_exit(&result, 0);
  Fixture *fixture = *state;
  const int counts = fixture->opencl ? drop_compilers_counts(result.output) : 0;
  /* A GPU's lines of a log may take a second failing build, which finds how they are counted. */
  CHECK(counts <= (strcmp(test_selector(), "gpu") == 0 ? 2 : 1), "compilers counted %d times",
        counts);
  CHECK(result.output[0] == '\0', "printed: %s", result.output);
}

int main(int argc, char **argv) {
  static const process_mode modes[] = {{"silent", child_silent}};
  const int code = process_child_main(argc, argv, modes, COUNT_OF(modes));
  if (code >= 0) return code;
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(status_names),
      DEVICE_TEST(no_error_on_a_new_thread),
      DEVICE_TEST(success_keeps_the_last_error),
      DEVICE_TEST(messages_say_what_would_be_right),
      DEVICE_TEST(messages_are_one_clean_line),
      DEVICE_TEST(no_native_code_without_a_driver),
      DEVICE_TEST(functions_of_the_host_say_what_failed), DEVICE_TEST(statuses_of_the_host),
      DEVICE_TEST(null_outputs_are_refused),
      DEVICE_TEST(messages_tell_devices_apart),
      DEVICE_TEST(nothing_is_printed),
  };
  return cmocka_run_group_tests_name("errors", tests, NULL, NULL);
}
