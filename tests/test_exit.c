/* The end of the process: exit code 0, in time, whatever is queued or was not released. */
#include "support_kernel.h"
#include "support_process.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static const char kSpin[] =
    "__kernel void spin(__global uint *out, uint rounds) {\n"
    "  uint x = out[0] + 1;\n"
    "  for (uint i = 0; i < rounds; i++) x = x * 1664525u + 1013904223u;\n"
    "  out[0] = x | 1u;\n}\n";

static netcl_device *device;
static netcl_tensor *tensor;
static netcl_kernel *kernel;

static int open_device(void) {
  const int64_t shape[2] = {16, 16};
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  options.source = kSpin;
  CHILD_OK(netcl_device_open(test_selector(), NULL, &device));
  CHILD_OK(netcl_device_get_info(device, &info));
  CHILD_OK(netcl_tensor_create_zeros(device, NETCL_U32, 2, shape, NULL, NULL, &tensor));
  if (info.backend == NETCL_BACKEND_OPENCL) {
    CHILD_OK(netcl_kernel_create(device, "spin", &options, &kernel));
    CHILD_OK(netcl_kernel_build(kernel));
  }
  return 0;
}

/* Tells the parent when the process had nothing left to do but to end. */
static int ready_to_end(void) {
  printf("ready at %.6f\n", process_now());
  fflush(stdout);
  return 0;
}

/* Queues about `milliseconds` of work and does not wait for it. */
static int queue_work(double milliseconds) {
  const uint64_t one = 1;
  if (kernel == NULL) {
    netcl_tensor *big = NULL, *result = NULL;
    const int64_t shape[2] = {512, 512};
    CHILD_OK(netcl_tensor_create_random(device, NETCL_F32, 2, shape, NULL, NULL, NULL, &big));
    for (int i = 0; i < 4; i++) CHILD_OK(netcl_op_matmul(big, big, NULL, NULL, &result));
    return ready_to_end();
  }
  const uint32_t probe = 4000000;
  netcl_arg args[2] = {arg_tensor(tensor), arg_scalar(&probe, 4)};
  CHILD_OK(netcl_kernel_launch(kernel, &one, 1, NULL, 0, args, 2, NULL, NULL));
  CHILD_OK(netcl_device_finish(device, LONG_WAIT));
  const double start = process_now();
  CHILD_OK(netcl_kernel_launch(kernel, &one, 1, NULL, 0, args, 2, NULL, NULL));
  CHILD_OK(netcl_device_finish(device, LONG_WAIT));
  double rounds = probe * milliseconds / 1000.0 / (process_now() - start);
  const uint32_t wanted = rounds < 4e9 ? (uint32_t)rounds : 4000000000u;
  args[1] = arg_scalar(&wanted, 4);
  CHILD_OK(netcl_kernel_launch(kernel, &one, 1, NULL, 0, args, 2, NULL, NULL));
  return ready_to_end();
}

static int mode_nothing(void) { return netcl_version_number() == NETCL_VERSION_NUMBER ? 0 : 1; }

static int mode_count_only(void) {
  uint32_t count = 0;
  CHILD_OK(netcl_device_count(&count));
  return 0;
}

static int mode_queued(void) {
  if (open_device() != 0) return 1;
  return queue_work(300);
}

static int mode_queued_quick_exit(void) {
  if (mode_queued() != 0) return 1;
  quick_exit(0);
}

static int mode_queued_plain_exit(void) {
  if (mode_queued() != 0) return 1;
  _exit(0);
}

static int mode_everything_released(void) {
  if (mode_queued() != 0) return 1;
  netcl_kernel_release(kernel);
  netcl_tensor_release(tensor);
  netcl_device_release(device);
  return 0;
}

static int mode_after_shutdown(void) {
  if (mode_queued() != 0) return 1;
  CHILD_OK(netcl_shutdown(LONG_WAIT));
  return 0;
}

/* 20 seconds of work: the exit does not wait for all of it. */
static int mode_endless(void) {
  if (open_device() != 0) return 1;
  return queue_work(20000);
}

static int mode_endless_waiting_off(void) {
  if (open_device() != 0) return 1;
  CHILD_OK(netcl_library_set_exit_timeout(0));
  return queue_work(20000);
}

/* The library waits for nothing, but the driver has begun. */
static int mode_endless_begun(void) {
  if (mode_endless_waiting_off() != 0) return 1;
  (void)netcl_device_finish(device, SECOND / 2);
  return 0;
}

static void *exit_here(void *unused) {
  (void)unused;
  exit(0);
}

static int mode_exit_in_thread(void) {
  pthread_t thread;
  if (mode_queued() != 0) return 1;
  CHILD_CHECK(pthread_create(&thread, NULL, exit_here, NULL) == 0);
  for (;;) pause();
}

static void *finish_here(void *unused) {
  (void)unused;
  (void)netcl_device_finish(device, NETCL_WAIT_FOREVER);
  return NULL;
}

/* exit() while another thread waits for the device without limit. */
static int mode_exit_while_waiting(void) {
  pthread_t thread;
  if (open_device() != 0 || queue_work(20000) != 0) return 1;
  CHILD_CHECK(pthread_create(&thread, NULL, finish_here, NULL) == 0);
  process_sleep_ms(50);
  return 0;
}

static void *launch_for_ever(void *unused) {
  (void)unused;
  for (;;) {
    netcl_tensor *result = NULL;
    if (netcl_op_expression_text("v0 + 1", &tensor, 1, NULL, NULL, &result) != NETCL_OK) {
      return NULL;
    }
    netcl_tensor_release(result);
  }
}

/* exit() while other threads keep enqueueing. */
static int mode_exit_while_launching(void) {
  pthread_t threads[3];
  if (open_device() != 0) return 1;
  for (int i = 0; i < 3; i++) {
    CHILD_CHECK(pthread_create(&threads[i], NULL, launch_for_ever, NULL) == 0);
  }
  process_sleep_ms(50);
  return 0;
}

/* The first kernel of the process is enqueued and may not even be compiled. */
static int mode_first_kernel(void) {
  netcl_tensor *result = NULL;
  netcl_queue *queue = NULL;
  const int64_t shape[2] = {16, 16};
  CHILD_OK(netcl_device_open(test_selector(), NULL, &device));
  CHILD_OK(netcl_tensor_create(device, NETCL_U32, 2, shape, NULL, NULL, &tensor));
  CHILD_OK(netcl_op_expression_text("v0 * v0 + 1", &tensor, 1, NULL, NULL, &result));
  CHILD_OK(netcl_device_get_queue(device, &queue));
  CHILD_OK(netcl_queue_flush(queue));
  return ready_to_end();
}

static int mode_first_kernel_exit_in_thread(void) {
  pthread_t thread;
  if (mode_first_kernel() != 0) return 1;
  CHILD_CHECK(pthread_create(&thread, NULL, exit_here, NULL) == 0);
  for (;;) pause();
}

static void *build_for_ever(void *unused) {
  (void)unused;
  for (int i = 0;; i++) {
    char text[64];
    netcl_tensor *result = NULL;
    snprintf(text, sizeof text, "v0 + %d", i);
    if (netcl_op_expression_text(text, &tensor, 1, NULL, NULL, &result) != NETCL_OK) return NULL;
    netcl_tensor_release(result);
  }
}

/* exit() while other threads build one new kernel after the other. */
static int mode_exit_while_building(void) {
  pthread_t threads[3];
  const int64_t shape[2] = {16, 16};
  CHILD_OK(netcl_device_open(test_selector(), NULL, &device));
  CHILD_OK(netcl_tensor_create(device, NETCL_U32, 2, shape, NULL, NULL, &tensor));
  for (int i = 0; i < 3; i++) {
    CHILD_CHECK(pthread_create(&threads[i], NULL, build_for_ever, NULL) == 0);
  }
  process_sleep_ms((unsigned)(getpid() % 200));
  return ready_to_end();
}

/* What a static destructor of the host would do, before and after the library's own hook. */
static void release_at_exit(void) {
  netcl_kernel_release(kernel);
  netcl_tensor_release(tensor);
  netcl_device_release(device);
}

static void use_at_exit(void) {
  netcl_tensor *result = NULL;
  uint32_t values[256];
  char text[64];
  snprintf(text, sizeof text, "v0 + %ld", (long)getpid()); /* No cache has seen it. */
  (void)netcl_op_expression_text(text, &tensor, 1, NULL, NULL, &result);
  (void)netcl_tensor_read(result, values, sizeof values, NULL, SECOND);
  netcl_tensor_release(result);
  if (kernel != NULL) {
    const uint64_t one = 1;
    const uint32_t rounds = 10;
    const netcl_arg args[2] = {arg_tensor(tensor), arg_scalar(&rounds, 4)};
    (void)netcl_kernel_launch(kernel, &one, 1, NULL, 0, args, 2, NULL, NULL);
    (void)netcl_tensor_read(tensor, values, sizeof values, NULL, SECOND);
  }
  release_at_exit();
}

static int mode_atexit_release(void) {
  atexit(release_at_exit);
  return mode_queued();
}

static int mode_atexit_before(void) {
  atexit(use_at_exit);
  return mode_queued();
}

static int mode_atexit_after(void) {
  if (mode_queued() != 0) return 1;
  atexit(use_at_exit);
  return 0;
}

static void log_and_exit(const netcl_log_record *record, void *user_data) {
  (void)record;
  (void)user_data;
  exit(0);
}

static int mode_exit_in_callback(void) {
  if (mode_queued() != 0) return 1;
  CHILD_OK(netcl_log_set_callback(log_and_exit, NULL, NULL));
  netcl_tensor_release((netcl_tensor *)device); /* logged, and so the callback runs */
  return 5;
}

static const process_mode kModes[] = {
    {"nothing", mode_nothing},
    {"count_only", mode_count_only},
    {"queued", mode_queued},
    {"queued_quick_exit", mode_queued_quick_exit},
    {"queued_plain_exit", mode_queued_plain_exit},
    {"everything_released", mode_everything_released},
    {"after_shutdown", mode_after_shutdown},
    {"endless", mode_endless},
    {"endless_waiting_off", mode_endless_waiting_off},
    {"endless_begun", mode_endless_begun},
    {"exit_in_thread", mode_exit_in_thread},
    {"exit_while_waiting", mode_exit_while_waiting},
    {"exit_while_launching", mode_exit_while_launching},
    {"atexit_release", mode_atexit_release},
    {"atexit_before", mode_atexit_before},
    {"atexit_after", mode_atexit_after},
    {"exit_in_callback", mode_exit_in_callback},
    {"first_kernel", mode_first_kernel},
    {"first_kernel_exit_in_thread", mode_first_kernel_exit_in_thread},
    {"exit_while_building", mode_exit_while_building},
};

/* Memory that is not released is no leak of the library here. */
static const char *leaks_allowed(void) {
  static char text[1024];
  const char *old = getenv("ASAN_OPTIONS");
  snprintf(text, sizeof text, "ASAN_OPTIONS=%s:detect_leaks=0", old ? old : "");
  return text;
}

/* Seconds from the last thing a process did to its end. */
static double seconds_to_end(const process_result *result) {
  double ready = 0;
  const char *at = strstr(result->output, "ready at ");
  if (at == NULL || sscanf(at, "ready at %lf", &ready) != 1) return 0;
  return result->ended - ready;
}

/* The seconds that a process may take to its end although a kernel of 20 seconds runs. */
static double seconds_for_endless(void) {
  const char *const environment[] = {leaks_allowed(), NULL};
  process_result result;
  process_run_self("endless_begun", environment, 60, &result);
  process_expect_exit(&result, 0);
  if (seconds_to_end(&result) < 3.0) return 3.0;
  print_message("the driver itself waits at exit for a kernel that runs\n");
  return 60.0;
}

static void every_way_out(void **state) {
  const char *const environment[] = {leaks_allowed(), NULL};
  const double endless = seconds_for_endless();
  (void)state;
  for (size_t i = 0; i < COUNT_OF(kModes); i++) {
    process_result result;
    for (int round = 0; round < (process_full() ? 20 : sanitized_rounds(2)); round++) {
      process_run_self(kModes[i].name, environment, 60, &result);
      if (result.exit_code != 0) print_error("mode %s, round %d\n", kModes[i].name, round);
      process_expect_exit(&result, 0);
      /* Some compile in a handler of their own, which takes the compiler's time. */
      double limit = strncmp(kModes[i].name, "atexit_", 7) == 0 ? 20.0 : 3.0;
      if (strncmp(kModes[i].name, "endless", 7) == 0 ||
          strcmp(kModes[i].name, "exit_while_waiting") == 0) {
        limit = endless;
      }
      CHECK(seconds_to_end(&result) < limit, "mode %s ended %.2f s late", kModes[i].name,
            seconds_to_end(&result));
    }
  }
}

/* No cache of the driver or of the library has anything: the compilers really run, and what they
 * have made must stand until their work is over. */
static void exit_during_the_first_compilation(void **state) {
  static const char *const modes[] = {"first_kernel", "first_kernel_exit_in_thread",
                                      "exit_while_building"};
  (void)state;
  for (size_t i = 0; i < COUNT_OF(modes); i++) {
    for (int round = 0; round < (process_full() ? 40 : 4); round++) {
      char folder[512], driver_cache[600], cache[600];
      process_result result;
      process_make_folder(folder, sizeof folder);
      snprintf(driver_cache, sizeof driver_cache, "POCL_CACHE_DIR=%s", folder);
      snprintf(cache, sizeof cache, "NETCL_CACHE_DIR=%s", folder);
      const char *const environment[] = {driver_cache, cache, leaks_allowed(), NULL};
      process_run_self(modes[i], environment, 30, &result);
      process_remove_folder(folder);
      if (result.exit_code != 0) print_error("mode %s, round %d\n", modes[i], round);
      process_expect_exit(&result, 0);
      CHECK(seconds_to_end(&result) < 3.0, "mode %s ended %.2f s late", modes[i],
            seconds_to_end(&result));
    }
  }
}

/* Switched off by the call or by the environment, the exit does not wait for long work. */
static void waiting_can_be_switched_off(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  if (seconds_for_endless() > 3.0) SKIP("what the library does not wait for the driver does");
  const char *const environment[] = {leaks_allowed(), "NETCL_EXIT_TIMEOUT_MS=0", NULL};
  const char *const plain[] = {leaks_allowed(), "NETCL_EXIT_TIMEOUT_MS", NULL};
  process_result waiting, off_by_call, off_by_environment;
  process_run_self("endless", plain, 30, &waiting);
  process_run_self("endless_waiting_off", plain, 30, &off_by_call);
  process_run_self("endless", environment, 30, &off_by_environment);
  process_expect_exit(&waiting, 0);
  process_expect_exit(&off_by_call, 0);
  process_expect_exit(&off_by_environment, 0);
  CHECK(seconds_to_end(&waiting) > 1.9, "the default exit took only %.2f s",
        seconds_to_end(&waiting));
  CHECK(seconds_to_end(&off_by_call) < 1.0, "switched off by the call: %.2f s",
        seconds_to_end(&off_by_call));
  CHECK(seconds_to_end(&off_by_environment) < 1.0, "switched off by NETCL_EXIT_TIMEOUT_MS: %.2f s",
        seconds_to_end(&off_by_environment));
}

/* ---- Queued work is done before the process ends ---- */

static int mode_write_shared(void) {
  const char *path = getenv("TEST_SHARED_FILE");
  netcl_buffer *buffer = NULL;
  netcl_tensor *shared = NULL;
  const int64_t shape = 1024;
  CHILD_CHECK(path != NULL);
  int fd = open(path, O_RDWR);
  CHILD_CHECK(fd >= 0);
  void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  CHILD_CHECK(memory != MAP_FAILED);
  if (open_device() != 0) return 1;
  netcl_status status = netcl_buffer_create_zero_copy(device, memory, 4096, &buffer);
  if (status == NETCL_ERROR_UNSUPPORTED) return 77;
  CHILD_OK(status);
  CHILD_OK(netcl_tensor_create_from_buffer(buffer, 0, NETCL_U32, 1, &shape, NULL, &shared));
  if (queue_work(500) != 0) return 1;
  const uint32_t value = 0x12345678;
  CHILD_OK(netcl_op_fill(shared, &value, NULL));
  return 0;
}

static void queued_work_is_finished(void **state) {
  char folder[512], path[600], variable[700];
  uint32_t values[1024] = {0};
  process_result result;
  (void)state;
  process_make_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/shared", folder);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(values, 1, sizeof values, file), sizeof values);
  fclose(file);
  snprintf(variable, sizeof variable, "TEST_SHARED_FILE=%s", path);
  const char *const environment[] = {variable, leaks_allowed(), NULL};
  process_run_self("write_shared", environment, 20, &result);
  file = fopen(path, "rb");
  assert_non_null(file);
  assert_int_equal(fread(values, 1, sizeof values, file), sizeof values);
  fclose(file);
  process_remove_folder(folder);
  if (result.exit_code == 77) SKIP("the device does not share memory with the host");
  process_expect_exit(&result, 0);
  for (int i = 0; i < 1024; i++) {
    CHECK(values[i] == 0x12345678, "element %d is %x: the exit did not wait", i, values[i]);
  }
}

int main(int argc, char **argv) {
  static const process_mode write_shared = {"write_shared", mode_write_shared};
  int code = argc > 2 && strcmp(argv[2], write_shared.name) == 0
                 ? process_child_main(argc, argv, &write_shared, 1)
                 : process_child_main(argc, argv, kModes, COUNT_OF(kModes));
  if (code >= 0) return code;
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(every_way_out),
      DEVICE_TEST(exit_during_the_first_compilation),
      DEVICE_TEST(waiting_can_be_switched_off),
      DEVICE_TEST(queued_work_is_finished),
  };
  return cmocka_run_group_tests_name("exit", tests, NULL, NULL);
}
