/* Signal dispositions stay as they were; SIGINT ends waits only after an explicit call. */
#include "support_kernel.h"
#include "support_process.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { kSignals = 65 };

static volatile sig_atomic_t own_handler_ran;
static void own_handler(int number) {
  (void)number;
  own_handler_ran++;
}

static stack_t signal_stack(void) {
  stack_t stack;
  memset(&stack, 0, sizeof stack);
  (void)sigaltstack(NULL, &stack);
  return stack;
}

static void read_dispositions(struct sigaction actions[kSignals]) {
  memset(actions, 0, sizeof(struct sigaction) * kSignals);
  for (int i = 1; i < kSignals; i++) (void)sigaction(i, NULL, &actions[i]);
}

static stack_t stack_at_start;

/* PoCL installs a handler for SIGFPE that its kernels need: the one documented exception. */
static int same_dispositions(const struct sigaction before[kSignals], int ignore_sigfpe,
                             const char *step) {
  struct sigaction now[kSignals];
  sigset_t mask;
  read_dispositions(now);
  for (int i = 1; i < kSignals; i++) {
    if (i == SIGFPE && ignore_sigfpe) continue;
    if (now[i].sa_handler != before[i].sa_handler || now[i].sa_flags != before[i].sa_flags) {
      fprintf(stderr, "after %s: the disposition of signal %d changed (%s)\n", step, i,
              strsignal(i));
      return 1;
    }
  }
  if (signal_stack().ss_sp != stack_at_start.ss_sp) {
    fprintf(stderr, "after %s: the thread has another stack for signals\n", step);
    return 1;
  }
  sigemptyset(&mask);
  pthread_sigmask(SIG_BLOCK, NULL, &mask);
  for (int i = 1; i < kSignals; i++) {
    if (sigismember(&mask, i) == 1) {
      fprintf(stderr, "after %s: signal %d is blocked\n", step, i);
      return 1;
    }
  }
  return 0;
}

/* A call of every kind, with a look at the dispositions after each. */
static int walk(void) {
  struct sigaction before[kSignals];
  netcl_device *device = NULL;
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  netcl_queue *queue = NULL;
  netcl_tensor *tensor = NULL, *result = NULL;
  netcl_kernel *kernel = NULL;
  netcl_buffer *buffer = NULL;
  static float values[64 * 64];
  const int64_t shape[2] = {64, 64};
  char text[4096];
  uint32_t count = 0;
  int pocl = 0;
#define STEP(call)                                                  \
  do {                                                              \
    CHILD_OK(call);                                                 \
    if (same_dispositions(before, pocl, #call) != 0) return 1;      \
  } while (0)
  read_dispositions(before);
  stack_at_start = signal_stack();
  netcl_library_info library = NETCL_LIBRARY_INFO_INIT;
  STEP(netcl_library_get_info(&library));
  pocl = 1; /* Discovery loads every driver there is. */
  STEP(netcl_device_count(&count));
  STEP(netcl_device_diagnose(text, sizeof text, NULL));
  STEP(netcl_device_open(test_selector(), NULL, &device));
  STEP(netcl_device_get_info(device, &info));
  STEP(netcl_queue_create(device, NULL, &queue));
  STEP(netcl_tensor_create_from_host(device, NETCL_F32, 2, shape, NULL, values, sizeof values, NULL,
                                     &tensor));
  STEP(netcl_op_expression_text("exp(v0) / 3", &tensor, 1, NULL, NULL, &result));
  STEP(netcl_tensor_read(result, values, sizeof values, NULL, LONG_WAIT));
  netcl_tensor_release(result);
  STEP(netcl_op_matmul(tensor, tensor, NULL, NULL, &result));
  STEP(netcl_device_finish(device, LONG_WAIT));
  STEP(netcl_buffer_create_pinned(device, 5000, &buffer));
  if (info.backend == NETCL_BACKEND_OPENCL) {
    const uint64_t global = 64;
    netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
    char *source = unique_source("__kernel void k(__global float *a) { a[0] = 1; }");
    options.source = source;
    const netcl_arg arg = arg_tensor(tensor);
    STEP(netcl_kernel_create(device, "k", &options, &kernel));
    STEP(netcl_kernel_build(kernel));
    STEP(netcl_kernel_launch(kernel, &global, 1, NULL, 0, &arg, 1, NULL, NULL));
    STEP(netcl_queue_finish(queue, LONG_WAIT));
    netcl_kernel_release(kernel);
    free(source);
  }
  netcl_buffer_release(buffer);
  netcl_tensor_release(result);
  netcl_tensor_release(tensor);
  netcl_queue_release(queue);
  netcl_device_release(device);
  STEP(netcl_shutdown(LONG_WAIT));
#undef STEP
  return 0;
}

static int mode_default(void) { return walk(); }

static int mode_own_handlers(void) {
  for (int i = 1; i < kSignals; i++) {
    struct sigaction action;
    if (i == SIGKILL || i == SIGSTOP || i == 32 || i == 33) continue;
    if (i == SIGSEGV || i == SIGABRT) continue; /* A crash of the test must stay one. */
    memset(&action, 0, sizeof action);
    action.sa_handler = i == SIGPIPE || i == SIGHUP ? SIG_IGN : own_handler;
    action.sa_flags = SA_RESTART;
    CHILD_CHECK(sigaction(i, &action, NULL) == 0);
  }
  return walk();
}

/* ---- SIGINT ---- */

static netcl_device *device;
static netcl_tensor *tensor;

/* Queues `seconds` of work. */
static int long_work(double seconds) {
  const int64_t one_element = 1;
  const uint64_t one = 1;
  const uint32_t probe = 4000000;
  netcl_kernel *kernel = NULL;
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  options.source =
      "__kernel void spin(__global uint *out, uint rounds) {\n"
      "  uint x = out[0] + 1;\n"
      "  for (uint i = 0; i < rounds; i++) x = x * 1664525u + 1013904223u;\n"
      "  out[0] = x | 1u;\n}\n";
  CHILD_OK(netcl_device_open(test_selector(), NULL, &device));
  CHILD_OK(netcl_tensor_create_zeros(device, NETCL_U32, 1, &one_element, NULL, NULL, &tensor));
  CHILD_OK(netcl_kernel_create(device, "spin", &options, &kernel));
  netcl_arg args[2] = {arg_tensor(tensor), arg_scalar(&probe, 4)};
  CHILD_OK(netcl_kernel_launch(kernel, &one, 1, NULL, 0, args, 2, NULL, NULL));
  CHILD_OK(netcl_device_finish(device, LONG_WAIT));
  const double start = process_now();
  CHILD_OK(netcl_kernel_launch(kernel, &one, 1, NULL, 0, args, 2, NULL, NULL));
  CHILD_OK(netcl_device_finish(device, LONG_WAIT));
  const double rounds = probe * seconds / (process_now() - start);
  const uint32_t wanted = rounds < 4e9 ? (uint32_t)rounds : 4000000000u;
  args[1] = arg_scalar(&wanted, 4);
  CHILD_OK(netcl_kernel_launch(kernel, &one, 1, NULL, 0, args, 2, NULL, NULL));
  netcl_kernel_release(kernel);
  return 0;
}

static void *interrupt_later(void *milliseconds) {
  process_sleep_ms((unsigned)(uintptr_t)milliseconds);
  kill(getpid(), SIGINT);
  return NULL;
}

static int interrupt_after(unsigned milliseconds) {
  pthread_t thread;
  CHILD_CHECK(pthread_create(&thread, NULL, interrupt_later, (void *)(uintptr_t)milliseconds) == 0);
  pthread_detach(thread);
  return 0;
}

static int install_own_handler(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = own_handler;
  CHILD_CHECK(sigaction(SIGINT, &action, NULL) == 0);
  return 0;
}

static int mode_cancelled(void) {
  float value[1];
  if (install_own_handler() != 0) return 1;
  CHILD_OK(netcl_interrupt_enable(0));
  for (int round = 0; round < 3; round++) {
    if (long_work(1.5) != 0 || interrupt_after(200) != 0) return 1;
    const double start = process_now();
    netcl_status status = NETCL_OK;
    if (round == 0) status = netcl_device_finish(device, NETCL_WAIT_FOREVER);
    if (round == 1) status = netcl_tensor_wait(tensor, NETCL_WAIT_FOREVER);
    if (round == 2) {
      status = netcl_tensor_read(tensor, value, sizeof value, NULL, NETCL_WAIT_FOREVER);
    }
    CHILD_STATUS(NETCL_ERROR_CANCELLED, status);
    CHILD_CHECK(process_now() - start < 1.2);
    CHILD_CHECK(own_handler_ran == round + 1); /* The handler that was there before runs too. */
    CHILD_OK(netcl_device_finish(device, LONG_WAIT)); /* An interrupt ends the waits of its time. */
    netcl_tensor_release(tensor);
    netcl_device_release(device);
  }
  return 0;
}

static int mode_restored(void) {
  struct sigaction before, now;
  if (install_own_handler() != 0) return 1;
  sigaction(SIGINT, NULL, &before);
  CHILD_OK(netcl_interrupt_disable()); /* not enabled: nothing to do */
  CHILD_OK(netcl_interrupt_enable(0));
  CHILD_OK(netcl_interrupt_enable(1000000000));
  sigaction(SIGINT, NULL, &now);
  CHILD_CHECK(now.sa_handler != before.sa_handler);
  CHILD_OK(netcl_interrupt_disable());
  sigaction(SIGINT, NULL, &now);
  CHILD_CHECK(now.sa_handler == before.sa_handler && now.sa_flags == before.sa_flags);
  CHILD_OK(netcl_interrupt_disable());
  raise(SIGINT);
  CHILD_CHECK(own_handler_ran == 1);
  /* Somebody else's handler came later: it is left alone. */
  CHILD_OK(netcl_interrupt_enable(0));
  struct sigaction later, ours;
  memset(&later, 0, sizeof later);
  later.sa_handler = SIG_IGN;
  sigaction(SIGINT, &later, &ours);
  CHILD_STATUS(NETCL_ERROR_BUSY, netcl_interrupt_disable());
  sigaction(SIGINT, NULL, &now);
  CHILD_CHECK(now.sa_handler == SIG_IGN);
  sigaction(SIGINT, &ours, NULL);
  CHILD_OK(netcl_interrupt_disable());
  sigaction(SIGINT, NULL, &now);
  CHILD_CHECK(now.sa_handler == before.sa_handler);
  return 0;
}

/* Without the opt-in SIGINT does what it always does. */
static int mode_not_enabled(void) {
  netcl_device *opened = NULL;
  signal(SIGINT, SIG_DFL); /* A shell may have started us with SIGINT ignored. */
  CHILD_OK(netcl_device_open(test_selector(), NULL, &opened));
  raise(SIGINT);
  return 5;
}

/* With a driver that does not come back from a call, the grace time ends the process. */
static int mode_stuck(void) {
  netcl_queue *queue = NULL;
  CHILD_OK(netcl_interrupt_enable(500 * 1000 * 1000));
  if (long_work(0.3) != 0) return 1;
  CHILD_OK(netcl_device_get_queue(device, &queue));
  setenv("NETCL_TEST_STUCK", "1", 1);
  if (interrupt_after(100) != 0) return 1;
  const netcl_status status = netcl_queue_finish(queue, NETCL_WAIT_FOREVER);
  fprintf(stderr, "the driver came back: %s\n", netcl_status_name(status));
  return 5;
}

/* A library in front of the OpenCL loader whose queries of events do not return once asked not to.
 * What it does not define comes from the loader, which it is linked to. Not every loader knows
 * layers, and this needs no headers. */
static const char kFront[] =
    "#define _GNU_SOURCE\n#include <dlfcn.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
    "int clGetEventInfo(void *e, unsigned w, size_t n, void *v, size_t *r) {\n"
    "  static int (*real)(void *, unsigned, size_t, void *, size_t *);\n"
    "  if (!real) *(void **)&real = dlsym(RTLD_NEXT, \"clGetEventInfo\");\n"
    "  while (getenv(\"NETCL_TEST_STUCK\")) usleep(10000);\n"
    "  return real(e, w, n, v, r); }\n";

/* The path of the OpenCL loader in this process; 0 when there is none. */
static int loader_path(char *path, size_t capacity) {
  char line[PATH_MAX + 200];
  FILE *maps = fopen("/proc/self/maps", "r");
  int found = 0;
  while (maps != NULL && !found && fgets(line, sizeof line, maps) != NULL) {
    const char *slash = strchr(line, '/');
    line[strcspn(line, "\n")] = '\0';
    if (slash == NULL || strstr(slash, "/libOpenCL.so") == NULL) continue;
    found = (size_t)snprintf(path, capacity, "%s", slash) < capacity;
  }
  if (maps != NULL) fclose(maps);
  return found;
}

static void stuck_driver_exits_130(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  if (process_has_asan() || process_has_tsan()) {
    SKIP("the library in front is not built for sanitizers");
  }
  char folder[PATH_MAX - 100], path[PATH_MAX], command[4 * PATH_MAX], front[PATH_MAX + 32];
  char loader[PATH_MAX];
  process_result result;
  CHECK(loader_path(loader, sizeof loader), "the process has no OpenCL loader");
  process_make_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/front.c", folder);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  fputs(kFront, file);
  fclose(file);
  snprintf(command, sizeof command,
           "cc -w -shared -fPIC -o %s/front.so %s -Wl,--no-as-needed %s -ldl 2>/dev/null", folder,
           path, loader);
  if (system(command) != 0) {
    process_remove_folder(folder);
    SKIP("no C compiler (cc) to build the library in front with");
  }
  snprintf(front, sizeof front, "NETCL_OPENCL_LIBRARY=%s/front.so", folder);
  const char *const environment[] = {front, NULL};
  process_run_self("stuck", environment, 20, &result);
  process_remove_folder(folder);
  process_expect_exit(&result, 130);
  CHECK(result.seconds < 6.0, "the process ended only after %.2f s", result.seconds);
}

/* Nothing waits: SIGINT then ends the process as its default would, and no exit handler runs. */
static void tell(void) { puts("an exit handler ran"); }
static int mode_idle(void) {
  signal(SIGINT, SIG_DFL);
  CHILD_CHECK(atexit(tell) == 0);
  CHILD_OK(netcl_interrupt_enable(0));
  raise(SIGINT);
  return 5;
}

/* The main thread goes, and none of the library's threads may keep the process then. */
static int leave_main(int interrupts) {
  const int64_t count = 1 << 20;
  netcl_device *builtin = NULL;
  netcl_tensor *random = NULL, *sum = NULL;
  if (interrupts) CHILD_OK(netcl_interrupt_enable(0));
  CHILD_OK(netcl_device_open("builtin", NULL, &builtin));
  CHILD_OK(netcl_tensor_create_random(builtin, NETCL_F32, 1, &count, NULL, NULL, NULL, &random));
  CHILD_OK(netcl_op_expression_text("exp(v0)", &random, 1, NULL, NULL, &sum));
  pthread_exit(NULL);
}
static int mode_leaves(void) { return leave_main(0); }
static int mode_leaves_interrupts(void) { return leave_main(1); }

static const process_mode kModes[] = {
    {"default", mode_default},   {"own_handlers", mode_own_handlers}, {"cancelled", mode_cancelled},
    {"restored", mode_restored}, {"not_enabled", mode_not_enabled},   {"stuck", mode_stuck},
    {"idle", mode_idle},         {"leaves", mode_leaves},
    {"leaves_interrupts", mode_leaves_interrupts},
};

static void expect_mode(const char *mode, int code) {
  process_result result;
  process_run_self(mode, NULL, 60, &result);
  process_expect_exit(&result, code);
}

static void dispositions_stay(void **state) {
  (void)state;
  if (process_has_tsan()) SKIP("TSan shows its own table of dispositions, not the kernel's");
  expect_mode("default", 0);
  expect_mode("own_handlers", 0);
}

static void interrupted_waits(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  expect_mode("cancelled", 0);
}

static void disposition_is_restored(void **state) {
  (void)state;
  expect_mode("restored", 0);
}

static void not_enabled(void **state) {
  process_result result;
  (void)state;
  process_run_self("not_enabled", NULL, 60, &result);
  CHECK(result.signal == SIGINT, "exit code %d, signal %d", result.exit_code, result.signal);
}

static void interrupted_while_idle(void **state) {
  process_result result;
  (void)state;
  process_run_self("idle", NULL, 60, &result);
  process_expect_exit(&result, 130);
  CHECK(strstr(result.output, "handler ran") == NULL, "an exit handler ran");
}

static void main_thread_leaves(void **state) {
  Fixture *fixture = *state;
  static const char *const four_threads[] = {"NETCL_NUM_THREADS=4", NULL};
  static const char *const modes[] = {"leaves", "leaves_interrupts"};
  if (fixture->opencl) SKIP("threads of the built-in device");
  if (process_has_tsan()) SKIP("TSan has a thread of its own");
  for (size_t i = 0; i < COUNT_OF(modes); i++) {
    process_result result;
    process_run_self(modes[i], four_threads, 20, &result);
    process_expect_exit(&result, 0);
  }
}

int main(int argc, char **argv) {
  const int code = process_child_main(argc, argv, kModes, COUNT_OF(kModes));
  if (code >= 0) return code;
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(dispositions_stay),       DEVICE_TEST(interrupted_waits),
      DEVICE_TEST(disposition_is_restored), DEVICE_TEST(not_enabled),
      DEVICE_TEST(stuck_driver_exits_130),  DEVICE_TEST(interrupted_while_idle),
      DEVICE_TEST(main_thread_leaves),
  };
  return cmocka_run_group_tests_name("signals", tests, NULL, NULL);
}
