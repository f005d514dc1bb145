/* Forked children: clear errors from old handles, a working built-in device, and no hang. */
#include "support_kernel.h"
#include "support_process.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

/* What a process has made when it forks. */
typedef struct World {
  netcl_device *device;
  netcl_queue *queue;
  netcl_event *event;
  netcl_pool *pool;
  netcl_buffer *buffer;
  netcl_tensor *tensor;
  netcl_kernel *kernel;
  netcl_expression *expression;
  int opencl;
} World;

/* Primitives belong to a process: a child begins without those of its parent. */
static netcl_status register_primitive(void) {
  netcl_primitive_options options = NETCL_PRIMITIVE_OPTIONS_INIT;
  options.arity = 1;
  options.forward = "v0 * 2";
  return netcl_primitive_register("of the process", &options);
}

static int make_world(World *world) {
  const int64_t shape = 100;
  float values[100];
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  memset(world, 0, sizeof *world);
  for (int i = 0; i < 100; i++) values[i] = (float)i;
  CHILD_OK(netcl_device_open(test_selector(), NULL, &world->device));
  CHILD_OK(netcl_device_get_info(world->device, &info));
  world->opencl = info.backend == NETCL_BACKEND_OPENCL;
  CHILD_OK(netcl_queue_create(world->device, NULL, &world->queue));
  CHILD_OK(netcl_tensor_create_from_host(world->device, NETCL_F32, 1, &shape, NULL, values,
                                         sizeof values, NULL, &world->tensor));
  CHILD_OK(netcl_queue_enqueue_marker(world->queue, NULL, 0, &world->event));
  CHILD_OK(netcl_device_get_pool(world->device, NETCL_POOL_PERSISTENT, &world->pool));
  CHILD_OK(netcl_pool_allocate(world->pool, 1000, &world->buffer));
  CHILD_OK(netcl_expression_create("v0 * 2 + 1", &world->expression));
  CHILD_OK(register_primitive());
  options.source = "__kernel void k(__global float *a, int spin) {\n"
                   "  float x = a[0];\n"
                   "  for (int i = 0; i < spin; i++) x = x * 0.5f + 1.0f;\n"
                   "  if (x == -1.0f) a[0] = x; }\n";
  if (world->opencl) {
    CHILD_OK(netcl_kernel_create(world->device, "k", &options, &world->kernel));
    CHILD_OK(netcl_kernel_build(world->kernel));
  }
  return 0;
}

/* Uses everything; the process must be as good as before a fork. */
static int use_world(const World *world) {
  float values[100];
  netcl_tensor *input = world->tensor, *result = NULL;
  CHILD_OK(netcl_op_expression(world->expression, &input, 1, NULL, NULL, &result));
  CHILD_OK(netcl_tensor_read(result, values, sizeof values, NULL, LONG_WAIT));
  for (int i = 0; i < 100; i++) CHILD_CHECK(values[i] == 2.0f * (float)i + 1.0f);
  netcl_tensor_release(result);
  if (world->kernel != NULL) {
    const uint64_t one = 1;
    const netcl_arg args[2] = {arg_tensor(world->tensor), arg_int(1000)};
    CHILD_OK(netcl_kernel_launch(world->kernel, &one, 1, NULL, 0, args, 2, NULL, NULL));
  }
  CHILD_OK(netcl_event_wait(world->event, LONG_WAIT));
  CHILD_OK(netcl_device_finish(world->device, LONG_WAIT));
  return 0;
}

static void release_world(const World *world) {
  netcl_expression_release(world->expression);
  netcl_kernel_release(world->kernel);
  netcl_tensor_release(world->tensor);
  netcl_buffer_release(world->buffer);
  netcl_pool_release(world->pool);
  netcl_event_release(world->event);
  netcl_queue_release(world->queue);
  netcl_device_release(world->device);
}

/* ---- In the forked child ---- */

/* The built-in device works from scratch. */
static int builtin_works(void) {
  const int64_t shape[2] = {64, 64};
  const float two = 2.0f;
  static float values[64 * 64];
  netcl_device *device = NULL;
  netcl_tensor *a = NULL, *b = NULL, *c = NULL;
  CHILD_OK(netcl_device_open("builtin", NULL, &device));
  CHILD_OK(netcl_tensor_create_full(device, NETCL_F32, 2, shape, NULL, &two, NULL, &a));
  CHILD_OK(netcl_op_expression_text("v0 * 3 + 1", &a, 1, NULL, NULL, &b));
  CHILD_OK(netcl_op_matmul(a, b, NULL, NULL, &c));
  CHILD_OK(netcl_tensor_read(c, values, sizeof values, NULL, LONG_WAIT));
  for (int i = 0; i < 64 * 64; i++) CHILD_CHECK(values[i] == 2.0f * 7.0f * 64.0f);
  netcl_tensor_release(a);
  netcl_tensor_release(b);
  netcl_tensor_release(c);
  netcl_device_release(device);
  return 0;
}

#define CHILD_FORKED(call) CHILD_STATUS(NETCL_ERROR_FORKED, call)

static int old_handles_are_forked(const World *world) {
  netcl_device_info device_info = NETCL_DEVICE_INFO_INIT;
  netcl_tensor_info tensor_info_ = NETCL_TENSOR_INFO_INIT;
  netcl_pool_info pool_info = NETCL_POOL_INFO_INIT;
  netcl_buffer_info buffer_info = NETCL_BUFFER_INFO_INIT;
  netcl_event_state event_state = 0;
  netcl_tensor *input = world->tensor, *result = NULL;
  float values[100];
  uint32_t arity = 0;
  CHILD_FORKED(netcl_device_get_info(world->device, &device_info));
  CHILD_FORKED(netcl_device_finish(world->device, LONG_WAIT));
  CHILD_FORKED(netcl_device_retain(world->device));
  CHILD_FORKED(netcl_queue_flush(world->queue));
  CHILD_FORKED(netcl_queue_finish(world->queue, LONG_WAIT));
  CHILD_FORKED(netcl_event_query(world->event, &event_state));
  CHILD_FORKED(netcl_event_wait(world->event, LONG_WAIT));
  CHILD_FORKED(netcl_pool_get_info(world->pool, &pool_info));
  CHILD_FORKED(netcl_pool_trim(world->pool, 0));
  CHILD_FORKED(netcl_buffer_get_info(world->buffer, &buffer_info));
  CHILD_FORKED(netcl_tensor_get_info(world->tensor, &tensor_info_));
  CHILD_FORKED(netcl_tensor_read(world->tensor, values, sizeof values, NULL, LONG_WAIT));
  CHILD_FORKED(netcl_op_expression_text("v0", &input, 1, NULL, NULL, &result));
  CHILD_FORKED(netcl_expression_get_arity(world->expression, &arity));
  if (world->kernel != NULL) CHILD_FORKED(netcl_kernel_build(world->kernel));
  CHILD_CHECK(result == NULL);
  CHILD_CHECK(strstr(netcl_last_error_message(), "fork") != NULL);
  return 0;
}

/* Opening an OpenCL device is FORKED where the parent had used OpenCL; it never hangs. */
static int opening_says_why(void) {
  static const char *const selectors[] = {"gpu", "accel", "cpu", "auto", "0"};
  uint32_t count = 0;
  netcl_status status = netcl_device_count(&count);
  CHILD_CHECK(status == NETCL_OK ? count >= 1 : status == NETCL_ERROR_FORKED);
  for (size_t i = 0; i < COUNT_OF(selectors); i++) {
    netcl_device *device = NULL;
    netcl_device_info info = NETCL_DEVICE_INFO_INIT;
    status = netcl_device_open(selectors[i], NULL, &device);
    if (status == NETCL_OK) {
      CHILD_OK(netcl_device_get_info(device, &info));
      CHILD_CHECK(info.backend == NETCL_BACKEND_BUILTIN);
      netcl_device_release(device);
    } else {
      CHILD_CHECK(status == NETCL_ERROR_FORKED || status == NETCL_ERROR_NO_DEVICE);
      CHILD_CHECK(netcl_last_error_message()[0] != '\0');
    }
  }
  return 0;
}

static int forked_body(void *argument) {
  const World *world = argument;
  const double start = process_now();
  netcl_error_info before = NETCL_ERROR_INFO_INIT, after = NETCL_ERROR_INFO_INIT;
  CHILD_CHECK(netcl_version_number() == NETCL_VERSION_NUMBER);
  if (old_handles_are_forked(world) != 0) return 1;
  CHILD_CHECK(process_now() - start < 2.0);
  if (opening_says_why() != 0 || builtin_works() != 0) return 1;
  CHILD_STATUS(NETCL_ERROR_NOT_FOUND, netcl_primitive_unregister("of the process"));
  CHILD_OK(register_primitive());
  CHILD_STATUS(NETCL_ERROR_FORKED, netcl_tensor_wait(world->tensor, 0));
  CHILD_OK(netcl_last_error_get_info(&before));
  release_world(world);
  release_world(world);
  CHILD_OK(netcl_last_error_get_info(&after));
  CHILD_CHECK(strcmp(before.message, after.message) == 0);
  if (builtin_works() != 0) return 1;
  CHILD_OK(netcl_shutdown(LONG_WAIT));
  return 0;
}

/* A child that only forks again: the grandchild gets the same. */
static int forking_body(void *argument) {
  process_result result;
  if (builtin_works() != 0) return 1;
  process_fork(forked_body, argument, 0, 0, 10, &result);
  fprintf(stderr, "%s", result.output);
  return result.exit_code;
}

/* ---- Scenarios, each in a process of its own ---- */

static int fork_and_expect(int (*body)(void *), void *argument, int raw, int plain) {
  process_result result;
  process_fork(body, argument, raw, plain, 10, &result);
  if (result.exit_code == 0) return 0;
  fprintf(stderr, "child: exit code %d, signal %d: %s\n", result.exit_code, result.signal,
          result.output);
  return 1;
}

/* Nothing has touched OpenCL: the child is as free as its parent. */
static int child_before_init_body(void *argument) {
  netcl_device *device = NULL;
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  (void)argument;
  if (builtin_works() != 0) return 1;
  CHILD_OK(netcl_device_open(test_selector(), NULL, &device));
  CHILD_OK(netcl_device_get_info(device, &info));
  if (strcmp(test_selector(), "builtin") != 0) {
    CHILD_CHECK(info.backend == NETCL_BACKEND_OPENCL);
  }
  netcl_device_release(device);
  return 0;
}

static int mode_before_init(void) {
  World world;
  if (fork_and_expect(child_before_init_body, NULL, 0, 0) != 0) return 1;
  /* None of this may load a driver. */
  netcl_device *device = NULL;
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  (void)netcl_version_string();
  if (builtin_works() != 0) return 1;
  CHILD_OK(netcl_device_open("builtin", NULL, &device));
  CHILD_OK(netcl_device_get_info(device, &info));
  netcl_device_release(device);
  if (fork_and_expect(child_before_init_body, NULL, 0, 0) != 0) return 1;
  if (make_world(&world) != 0) return 1;
  return use_world(&world);
}

static int after_count_body(void *argument) {
  (void)argument;
  if (opening_says_why() != 0) return 1;
  return builtin_works();
}

static int mode_after_count(void) {
  uint32_t count = 0;
  CHILD_OK(netcl_device_count(&count));
  return fork_and_expect(after_count_body, NULL, 0, 0);
}

static int after_use(int raw, int plain, int (*body)(void *)) {
  World world;
  if (make_world(&world) != 0 || use_world(&world) != 0) return 1;
  for (int i = 0; i < 5; i++) {
    if (fork_and_expect(body, &world, raw, plain) != 0) return 1;
    if (use_world(&world) != 0) return 1;
  }
  release_world(&world);
  return 0;
}

static int mode_after_use(void) { return after_use(0, 0, forked_body); }
static int mode_after_use_plain_exit(void) { return after_use(0, 1, forked_body); }
static int mode_raw_clone(void) { return after_use(1, 1, forked_body); }
static int mode_grandchild(void) { return after_use(0, 0, forking_body); }

static int exec_body(void *argument) {
  char *arguments[] = {(char *)"/bin/true", NULL};
  (void)argument;
  execv(arguments[0], arguments);
  return 1;
}
static int mode_exec(void) { return after_use(0, 0, exec_body); }

static int exit_at_once_body(void *argument) {
  (void)argument;
  return 0;
}
static int mode_exit_at_once(void) { return after_use(0, 0, exit_at_once_body); }

static int mode_all_released(void) {
  World world;
  if (make_world(&world) != 0 || use_world(&world) != 0) return 1;
  release_world(&world);
  return fork_and_expect(after_count_body, NULL, 0, 0);
}

static World busy_world;
static int busy_stop, busy_faults;

static void *keep_busy(void *unused) {
  (void)unused;
  while (!__atomic_load_n(&busy_stop, __ATOMIC_ACQUIRE)) {
    netcl_tensor *input = busy_world.tensor, *result = NULL;
    if (netcl_op_expression(busy_world.expression, &input, 1, NULL, NULL, &result) != NETCL_OK) {
      __atomic_store_n(&busy_faults, 1, __ATOMIC_RELEASE);
      break;
    }
    netcl_tensor_release(result);
    (void)netcl_device_finish(busy_world.device, LONG_WAIT);
    (void)netcl_device_retain(NULL);
    if (busy_world.kernel != NULL) {
      netcl_kernel *kernel = fresh_kernel(busy_world.device, "k", "__kernel void k(int a) {}");
      if (netcl_kernel_build(kernel) != NETCL_OK) {
        __atomic_store_n(&busy_faults, 1, __ATOMIC_RELEASE);
      }
      netcl_kernel_release(kernel);
    }
  }
  return NULL;
}

/* Another thread launches, waits, allocates and builds while this one forks. */
static int mode_busy(void) {
  pthread_t threads[2];
  if (make_world(&busy_world) != 0) return 1;
  for (int i = 0; i < 2; i++) CHILD_CHECK(pthread_create(&threads[i], NULL, keep_busy, NULL) == 0);
  for (int i = 0; i < 20; i++) {
    if (fork_and_expect(forked_body, &busy_world, 0, 1) != 0) return 1;
  }
  __atomic_store_n(&busy_stop, 1, __ATOMIC_RELEASE);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  CHILD_CHECK(!busy_faults);
  if (use_world(&busy_world) != 0) return 1;
  release_world(&busy_world);
  return 0;
}

static const process_mode kModes[] = {
    {"before_init", mode_before_init},   {"after_count", mode_after_count},
    {"after_use", mode_after_use},       {"after_use_plain_exit", mode_after_use_plain_exit},
    {"raw_clone", mode_raw_clone},       {"grandchild", mode_grandchild},
    {"exec", mode_exec},                 {"exit_at_once", mode_exit_at_once},
    {"all_released", mode_all_released}, {"busy", mode_busy},
};

static void run_mode(const char *mode) {
  process_result result;
  process_run_self(mode, NULL, 120, &result);
  process_expect_exit(&result, 0);
}

#define MODE_TEST(mode)              \
  static void mode(void **state) {   \
    (void)state;                     \
    run_mode(#mode);                 \
  }
MODE_TEST(before_init)
MODE_TEST(after_count)
MODE_TEST(after_use_plain_exit)
MODE_TEST(grandchild)
MODE_TEST(exec)
MODE_TEST(exit_at_once)
MODE_TEST(all_released)

static void after_use_exit(void **state) {
  (void)state;
  run_mode("after_use");
}

/* A bare clone system call runs none of the C library's fork handlers. */
static void raw_clone(void **state) {
  (void)state;
  if (process_has_tsan() || process_has_asan()) SKIP("sanitizers do not survive a bare clone");
  run_mode("raw_clone");
}

/* AddressSanitizer's allocator may be locked by a thread that the child does not have. */
static void busy(void **state) {
  (void)state;
  if (process_has_asan()) SKIP("a child may hang on a lock of the sanitizer's allocator");
  run_mode("busy");
}

int main(int argc, char **argv) {
  const int code = process_child_main(argc, argv, kModes, COUNT_OF(kModes));
  if (code >= 0) return code;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(before_init),  cmocka_unit_test(after_count),
      cmocka_unit_test(after_use_exit), cmocka_unit_test(after_use_plain_exit),
      cmocka_unit_test(raw_clone),    cmocka_unit_test(grandchild),
      cmocka_unit_test(exec),         cmocka_unit_test(exit_at_once),
      cmocka_unit_test(all_released), cmocka_unit_test(busy),
  };
  return cmocka_run_group_tests_name("fork", tests, NULL, NULL);
}
