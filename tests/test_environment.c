/* Environment variables: each has its effect, and a value that is not understood is reported. */
#include "support_kernel.h"
#include "support_process.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>

/* ---- What a process finds under its environment; printed as "name=value" lines ---- */

static int count_threads(void) {
  int count = 0;
  DIR *folder = opendir("/proc/self/task");
  if (folder == NULL) return -1;
  for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
    count += entry->d_name[0] != '.';
  }
  closedir(folder);
  return count;
}

static int is_mapped(const char *library) {
  char line[4096];
  int found = 0;
  FILE *file = fopen("/proc/self/maps", "r");
  if (file == NULL) return -1;
  while (fgets(line, sizeof line, file) != NULL) found |= strstr(line, library) != NULL;
  fclose(file);
  return found;
}

static int print_pool(netcl_device *device, const char *name, netcl_pool_kind kind) {
  netcl_pool *pool = NULL;
  netcl_pool_info info = NETCL_POOL_INFO_INIT;
  CHILD_OK(netcl_device_get_pool(device, kind, &pool));
  CHILD_OK(netcl_pool_get_info(pool, &info));
  printf("%s_max=%llu\n%s_misses=%llu\n", name, (unsigned long long)info.max_cached_bytes, name,
         (unsigned long long)info.misses);
  netcl_pool_release(pool);
  return 0;
}

/* How an event stands when a transfer of 8 MiB has returned, and whether it has times. */
static int print_transfer(netcl_device *device) {
  const int64_t shape[1] = {2 * 1024 * 1024};
  netcl_tensor *tensor = NULL;
  netcl_event *event = NULL;
  netcl_event_state event_state = 0;
  netcl_event_timing timing = NETCL_EVENT_TIMING_INIT;
  netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
  float *data = calloc((size_t)shape[0], sizeof *data);
  CHILD_CHECK(data != NULL);
  options.event = &event;
  CHILD_OK(netcl_tensor_create_from_host(device, NETCL_F32, 1, shape, NULL, data,
                                         (size_t)shape[0] * sizeof *data, &options, &tensor));
  CHILD_OK(netcl_event_query(event, &event_state));
  CHILD_OK(netcl_event_wait(event, LONG_WAIT));
  printf("transfer_state=%d\n", (int)event_state);
  printf("timing=%s\n", netcl_status_name(netcl_event_get_timing(event, &timing)));
  netcl_event_release(event);
  netcl_tensor_release(tensor);
  free(data);
  return 0;
}

static int mode_report(void) {
  netcl_device *device = NULL, *gpu = NULL;
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  netcl_device_capabilities capabilities = NETCL_DEVICE_CAPABILITIES_INIT;
  netcl_program_cache_info cache = NETCL_PROGRAM_CACHE_INFO_INIT;
  netcl_queue *queue = NULL;
  netcl_queue_info queue_info = NETCL_QUEUE_INFO_INIT;
  uint32_t count = 0;
  const int64_t shape[2] = {400, 400};
  netcl_tensor *a = NULL, *b = NULL;
  CHILD_OK(netcl_device_count(&count));
  CHILD_OK(netcl_device_open(test_selector(), NULL, &device));
  CHILD_OK(netcl_device_get_info(device, &info));
  CHILD_OK(netcl_device_get_capabilities(device, &capabilities));
  CHILD_OK(netcl_device_get_queue(device, &queue));
  CHILD_OK(netcl_queue_get_info(queue, &queue_info));
  CHILD_OK(netcl_program_cache_get_info(&cache));
  CHILD_OK(netcl_tensor_create_random(device, NETCL_F32, 2, shape, NULL, NULL, NULL, &a));
  CHILD_OK(netcl_op_matmul(a, a, NULL, NULL, &b));
  CHILD_OK(netcl_device_finish(device, LONG_WAIT));
  printf("threads=%d\n", count_threads());
  netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
  CHILD_OK(netcl_variant_select_elementwise(device, 1 << 20, NULL, &config));
  printf("elementwise=%d\n", (int)config.variant);
  /* f32, which matrix units do not take on any device. */
  const int64_t heads[4] = {1, 1, 4, 8};
  netcl_tensor *q = NULL, *result = NULL;
  CHILD_OK(netcl_tensor_create_zeros(device, NETCL_F32, 4, heads, NULL, NULL, &q));
  const netcl_status attention = netcl_op_attention(q, q, q, NULL, NULL, &result, NULL);
  printf("attention=%s\n", netcl_status_name(attention));
  netcl_tensor_release(q);
  netcl_tensor_release(result);
  netcl_tensor_release(a);
  netcl_tensor_release(b);
  if (print_transfer(device) != 0) return 1;
  if (print_pool(device, "pool", NETCL_POOL_PERSISTENT) != 0) return 1;
  if (print_pool(device, "pinned", NETCL_POOL_PINNED) != 0) return 1;
  (void)netcl_device_open("no such device", NULL, &gpu);
  printf("error=%s\n", netcl_last_error_message());
  netcl_tensor_release((netcl_tensor *)device); /* logged as a warning */
  printf("count=%u\nbackend=%d\nstrategy=%d\nprofiling=%u\ndirectory=%s\nopencl_mapped=%d\n", count,
         info.backend, capabilities.strategy, queue_info.profiling, cache.directory,
         is_mapped("libOpenCL"));
  netcl_log_record record = NETCL_LOG_RECORD_INIT;
  for (uint64_t at = 0; netcl_log_read(at, &record) == NETCL_OK; at = record.sequence) {
    printf("log%d=%s\n", (int)record.level, record.message);
  }
  netcl_queue_release(queue);
  netcl_device_release(device);
  return 0;
}

/* The variables of the cache are read once, with all others. */
static int mode_later(void) {
  netcl_program_cache_info cache = NETCL_PROGRAM_CACHE_INFO_INIT;
  uint32_t count = 0;
  CHILD_OK(netcl_device_count(&count));
  setenv("NETCL_CACHE_DIR", "/proc/self/nowhere/later", 1);
  setenv("XDG_CACHE_HOME", "/proc/self/nowhere/later", 1);
  CHILD_OK(netcl_program_cache_get_info(&cache));
  printf("directory=%s\n", cache.directory);
  return 0;
}

/* Transfers that wait behind slow work, with pools that keep nothing: staging must outlive them. */
static int mode_nothing_cached(void) {
  enum { kCount = 1 << 20 };
  Fixture fixture;
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
  const int64_t shape = kCount;
  uint32_t *data = malloc(kCount * sizeof *data);
  netcl_tensor *tensors[4] = {NULL};
  netcl_event *slow = NULL;
  CHILD_CHECK(data != NULL);
  memset(&fixture, 0, sizeof fixture);
  CHILD_OK(netcl_device_open(test_selector(), NULL, &fixture.device));
  CHILD_OK(netcl_device_get_info(fixture.device, &info));
  fixture.opencl = info.backend == NETCL_BACKEND_OPENCL;
  options.async_copy = NETCL_ON;
  options.use_pinned = NETCL_ON;
  start_slow_work(&fixture, NULL, NULL, &slow);
  for (uint32_t t = 0; t < 4; t++) {
    for (uint32_t i = 0; i < kCount; i++) data[i] = i * 7 + t;
    CHILD_OK(netcl_tensor_create_from_host(fixture.device, NETCL_U32, 1, &shape, NULL, data,
                                           kCount * sizeof *data, &options, &tensors[t]));
  }
  for (uint32_t t = 0; t < 4; t++) {
    CHILD_OK(netcl_tensor_read(tensors[t], data, kCount * sizeof *data, NULL, LONG_WAIT));
    for (uint32_t i = 0; i < kCount; i++) CHILD_CHECK(data[i] == i * 7 + t);
    netcl_tensor_release(tensors[t]);
  }
  netcl_event_release(slow);
  netcl_device_release(fixture.device);
  free(data);
  return 0;
}

static process_result report;

/* Runs the report under up to three settings of the environment. */
static void run_report(const char *first, const char *second, const char *third) {
  const char *environment[16] = {first, second, third};
  size_t count = 0;
  static const char *const unset[] = {
      "NETCL_KERNEL_STRATEGY", "NETCL_MAX_CACHED_GB", "NETCL_ASYNC_H2D", "NETCL_PINNED_H2D",
      "NETCL_PROFILE_EVENTS", "NETCL_TUNE", "NETCL_NUM_THREADS", "NETCL_LOG_LEVEL"};
  while (count < 3 && environment[count] != NULL) count++;
  const size_t given = count;
  for (size_t i = 0; i < COUNT_OF(unset); i++) {
    int wanted = 1;
    for (size_t k = 0; k < given; k++) {
      wanted &= strncmp(environment[k], unset[i], strlen(unset[i])) != 0;
    }
    if (wanted) environment[count++] = unset[i];
  }
  environment[count] = NULL;
  process_run_self("report", environment, 60, &report);
  process_expect_exit(&report, 0);
}

/* Checks one line of the report. */
static void expect(const char *line) {
  char framed[1024];
  snprintf(framed, sizeof framed, "\n%s\n", line);
  CHECK(strstr(report.output, framed) != NULL || strncmp(report.output, framed + 1,
                                                         strlen(framed) - 1) == 0,
        "the report lacks \"%s\":\n%s", line, report.output);
}

static const char *report_text(const char *key) {
  static char value[1024];
  char framed[64];
  snprintf(framed, sizeof framed, "\n%s=", key);
  const int first = strncmp(report.output, framed + 1, strlen(framed) - 1) == 0;
  const char *at = first ? report.output : strstr(report.output, framed);
  CHECK(at != NULL, "the report lacks %s:\n%s", key, report.output);
  at += strlen(framed) - (first ? 1 : 0);
  snprintf(value, sizeof value, "%.*s", (int)strcspn(at, "\n"), at);
  return value;
}

static long long report_number(const char *key) { return atoll(report_text(key)); }

/* ---- The cases ---- */

static void invalid_values_are_reported(void **state) {
  static const char *const bad[][2] = {
      {"NETCL_MAX_CACHED_GB", "lots"}, {"NETCL_MAX_CACHED_GB", "-1"},
      {"NETCL_MAX_CACHED_GB", "1e999"}, {"NETCL_MAX_CACHED_GB", "4 GB"},
      {"NETCL_MAX_CACHED_GB", "nan"}, {"NETCL_KERNEL_STRATEGY", "quick"},
      {"NETCL_ASYNC_H2D", "2"}, {"NETCL_PINNED_H2D", "maybe"},
      {"NETCL_PROFILE_EVENTS", "-1"}, {"NETCL_TUNE", "always"},
      {"NETCL_NUM_THREADS", "many"}, {"NETCL_NUM_THREADS", "-3"},
      {"NETCL_NUM_THREADS", "99999999999999999999"}, {"NETCL_NUM_THREADS", "2.7"},
      {"NETCL_EXIT_TIMEOUT_MS", "1.5"}, {"NETCL_VARIANT", "matmul=foo"},
      {"NETCL_LOG_LEVEL", "loud"},
      {"NETCL_EXIT_TIMEOUT_MS", "soon"}, {"NETCL_CONV_WINOGRAD", "x"},
      {"NETCL_CONV_TILED_LOCAL", "7"}, {"NETCL_BACKEND", "cuda"},
      {"NETCL_COMMAND_BUFFERS", "on"},
      {"NETCL_OPENCL_LIBRARY", "relative/lib.so"}, {"NETCL_CACHE_DIR", "relative/folder"}};
  const size_t every = only_sanitized() ? 4 : 1; /* each is a process */
  (void)state;
  for (size_t i = (size_t)random_in(0, (int)every - 1); i < COUNT_OF(bad); i += every) {
    char variable[128];
    snprintf(variable, sizeof variable, "%s=%s", bad[i][0], bad[i][1]);
    run_report(variable, NULL, NULL);
    const char *line = strstr(report.output, "\nlog2=");
    int found = 0;
    for (; line != NULL; line = strstr(line + 1, "\nlog2=")) {
      const size_t length = strcspn(line + 1, "\n");
      char text[600];
      snprintf(text, sizeof text, "%.*s", (int)length, line + 1);
      found |= strstr(text, bad[i][0]) != NULL && strstr(text, bad[i][1]) != NULL;
    }
    CHECK(found, "no warning names %s and its value %s:\n%s", bad[i][0], bad[i][1], report.output);
  }
  run_report("NETCL_MAX_CACHED_GB=lots", NULL, NULL);
  expect("pool_max=4294967296"); /* the default is used */
}

static void empty_values_mean_the_default(void **state) {
  (void)state;
  run_report("NETCL_MAX_CACHED_GB=", "NETCL_KERNEL_STRATEGY=", "NETCL_PROFILE_EVENTS=");
  expect("pool_max=4294967296");
  expect("profiling=0");
  CHECK(strstr(report.output, "log2=NETCL_") == NULL, "an empty value was reported:\n%s",
        report.output);
}

static void max_cached_gb(void **state) {
  (void)state;
  run_report(NULL, NULL, NULL);
  expect("pool_max=4294967296");
  expect("pinned_max=4294967296");
  run_report("NETCL_MAX_CACHED_GB=2", NULL, NULL);
  expect("pool_max=2147483648");
  expect("pinned_max=2147483648");
  run_report("NETCL_MAX_CACHED_GB=0.5", NULL, NULL);
  expect("pool_max=536870912");
  run_report("NETCL_MAX_CACHED_GB=0", NULL, NULL);
  expect("pool_max=0");
}

static void nothing_cached(void **state) {
  static const char *const environment[] = {"NETCL_MAX_CACHED_GB=0", NULL};
  process_result result;
  (void)state;
  process_run_self("nothing_cached", environment, 60, &result);
  process_expect_exit(&result, 0);
}

static void kernel_strategy(void **state) {
  (void)state;
  run_report("NETCL_KERNEL_STRATEGY=portable", NULL, NULL);
  expect("strategy=1");
  run_report("NETCL_KERNEL_STRATEGY=OPTIMIZED", NULL, NULL);
  expect("strategy=2");
}

static void transfers(void **state) {
  Fixture *fixture = *state;
  run_report("NETCL_ASYNC_H2D=0", NULL, NULL);
  expect("transfer_state=0"); /* complete when the call returns */
  run_report("NETCL_PINNED_H2D=0", NULL, NULL);
  expect("pinned_misses=0");
  if (fixture->opencl && !fixture->capabilities.integrated) {
    run_report("NETCL_PINNED_H2D=1", NULL, NULL);
    CHECK(report_number("pinned_misses") > 0, "nothing was staged through pinned memory");
  }
}

static void profile_events(void **state) {
  (void)state;
  run_report(NULL, NULL, NULL);
  expect("profiling=0");
  expect("timing=NETCL_ERROR_NOT_PROFILED");
  run_report("NETCL_PROFILE_EVENTS=1", NULL, NULL);
  expect("profiling=1");
  expect("timing=NETCL_OK");
}

static void backend(void **state) {
  Fixture *fixture = *state;
  run_report("NETCL_BACKEND=builtin", "NETCL_TEST_DEVICE=cpu", NULL);
  expect("count=1");
  expect("backend=2");
  expect("opencl_mapped=0"); /* Drivers can abort during discovery. */
  if (!fixture->opencl) return;
  run_report("NETCL_BACKEND", NULL, NULL);
  expect("backend=1");
  expect("opencl_mapped=1");
}

/* Another loader, which is not there: the built-in device is left, and the error says why. */
static void opencl_library(void **state) {
  (void)state;
  run_report("NETCL_OPENCL_LIBRARY=/nowhere/libOpenCL.so.1", "NETCL_TEST_DEVICE=builtin",
             "NETCL_BACKEND");
  expect("count=1");
  CHECK(strstr(report_text("error"), "/nowhere/libOpenCL.so.1") != NULL,
        "the error does not name the loader: %s", report_text("error"));
}

static void cache_dir(void **state) {
  Fixture *fixture = *state;
  char folder[PATH_MAX - 32], variable[PATH_MAX];
  NEEDS_OPENCL(fixture);
  process_make_folder(folder, sizeof folder);
  snprintf(variable, sizeof variable, "NETCL_CACHE_DIR=%s", folder);
  run_report(variable, NULL, NULL);
  CHECK(strncmp(report_text("directory"), folder, strlen(folder)) == 0, "the cache is in %s",
        report_text("directory"));
  snprintf(variable, sizeof variable, "XDG_CACHE_HOME=%s", folder);
  run_report("NETCL_CACHE_DIR", variable, NULL);
  CHECK(strncmp(report_text("directory"), folder, strlen(folder)) == 0, "the cache is in %s",
        report_text("directory"));
  /* A relative path is no folder of the user's: the default is used, as the log says. */
  run_report("NETCL_CACHE_DIR=relative/folder", variable, NULL);
  CHECK(strncmp(report_text("directory"), folder, strlen(folder)) == 0, "the cache is in %s",
        report_text("directory"));
  process_remove_folder(folder);
}

static void cache_dir_is_read_once(void **state) {
  char folder[PATH_MAX - 32], variable[PATH_MAX];
  (void)state;
  process_make_folder(folder, sizeof folder);
  snprintf(variable, sizeof variable, "XDG_CACHE_HOME=%s", folder);
  const char *const environment[] = {"NETCL_CACHE_DIR", variable, NULL};
  process_run_self("later", environment, 60, &report);
  process_expect_exit(&report, 0);
  CHECK(strncmp(report_text("directory"), folder, strlen(folder)) == 0, "the cache is in %s",
        report_text("directory"));
  process_remove_folder(folder);
}

/* Each bad part of a list is reported and changes nothing; the others count. */
static void variants(void **state) {
  (void)state;
  run_report("NETCL_VARIANT=matmul=foo,elementwise=scalar,conv2d=bar", NULL, NULL);
  expect("elementwise=33");
  CHECK(strstr(report.output, "matmul=foo") != NULL, "nothing on matmul:\n%s", report.output);
  CHECK(strstr(report.output, "conv2d=bar") != NULL, "nothing on conv2d:\n%s", report.output);
  expect("attention=NETCL_OK");
  run_report("NETCL_VARIANT=elementwise=scalar,elementwise=vectorized", NULL, NULL);
  expect("elementwise=33");
  CHECK(strstr(report.output, "behind another variant of elementwise") != NULL,
        "nothing on the second:\n%s", report.output);
  /* What the device has without it, whatever that is. */
  char chosen[32] = "";
  run_report("NETCL_VARIANT=", NULL, NULL);
  const char *const line = strstr(report.output, "elementwise=");
  assert_non_null(line);
  snprintf(chosen, sizeof chosen, "%.*s", (int)strcspn(line, "\n"), line);
  const char *const other = strcmp(chosen, "elementwise=33") == 0 ? "vectorized" : "scalar";
  char variable[80];
  snprintf(variable, sizeof variable, "NETCL_VARIANT=elementwise=auto,elementwise=%s", other);
  run_report(variable, NULL, NULL);
  expect(chosen);
  CHECK(strstr(report.output, "behind another variant of elementwise") != NULL,
        "nothing on what is behind auto:\n%s", report.output);
  run_report("NETCL_VARIANT=attention=portable", NULL, NULL);
  expect("attention=NETCL_OK");
  run_report("NETCL_VARIANT=attention=matrix_units", NULL, NULL);
  expect("attention=NETCL_ERROR_UNSUPPORTED");
}

static void num_threads(void **state) {
  Fixture *fixture = *state;
  if (fixture->opencl) SKIP("threads of the built-in device");
  if (process_has_tsan()) SKIP("TSan has a thread of its own");
  run_report("NETCL_NUM_THREADS=1", NULL, NULL);
  const long long one = report_number("threads");
  run_report("NETCL_NUM_THREADS=5", NULL, NULL);
  const long long five = report_number("threads");
  CHECK(five - one >= 3 && five - one <= 4, "%lld threads with 1, %lld with 5", one, five);
}

static void log_level(void **state) {
  (void)state;
  run_report("NETCL_LOG_LEVEL=off", NULL, NULL);
  CHECK(strstr(report.output, "\nlog") == NULL, "a record at level off:\n%s", report.output);
  run_report("NETCL_LOG_LEVEL=error", NULL, NULL);
  CHECK(strstr(report.output, "\nlog2=") == NULL, "a warning at level error:\n%s", report.output);
  run_report("NETCL_LOG_LEVEL=Warning", NULL, NULL);
  CHECK(strstr(report.output, "\nlog2=") != NULL, "no warning:\n%s", report.output);
  CHECK(strstr(report.output, "\nlog4=") == NULL, "a debug record:\n%s", report.output);
}

static void tune(void **state) {
  static const char *const words[] = {"NETCL_TUNE=off", "NETCL_TUNE=cache", "NETCL_TUNE=first",
                                      "NETCL_TUNE=force"};
  (void)state;
  for (size_t i = 0; i < COUNT_OF(words); i++) {
    run_report(words[i], NULL, NULL);
    CHECK(strstr(report.output, "NETCL_TUNE") == NULL, "%s was reported", words[i]);
  }
}

int main(int argc, char **argv) {
  static const process_mode modes[] = {{"report", mode_report},
                                       {"later", mode_later},
                                       {"nothing_cached", mode_nothing_cached}};
  const int code = process_child_main(argc, argv, modes, COUNT_OF(modes));
  if (code >= 0) return code;
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(invalid_values_are_reported), DEVICE_TEST(empty_values_mean_the_default),
      DEVICE_TEST(max_cached_gb),   DEVICE_TEST(kernel_strategy), DEVICE_TEST(transfers),
      DEVICE_TEST(profile_events),  DEVICE_TEST(backend),         DEVICE_TEST(opencl_library),
      DEVICE_TEST(cache_dir),       DEVICE_TEST(num_threads),     DEVICE_TEST(log_level),
      DEVICE_TEST(nothing_cached),  DEVICE_TEST(tune),
      DEVICE_TEST(variants),        DEVICE_TEST(cache_dir_is_read_once),
  };
  seed_random("environment");
  return cmocka_run_group_tests_name("environment", tests, NULL, NULL);
}
