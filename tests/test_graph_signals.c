/* Threads that compile a graph run no signal handler of the host. */
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support_graph.h"

enum { kCompiles = 2, kSteps = 10, kKnownMost = 256 };

static volatile sig_atomic_t on_own, on_others;
static long known[kKnownMost];
static int known_count;
static pthread_t compiler;

/* Threads of the driver are its own affair. */
static void handler(int number) {
  (void)number;
  if (pthread_equal(pthread_self(), compiler)) {
    ++on_own;
    return;
  }
  const long self = syscall(SYS_gettid);
  int before = 0;
  for (int i = 0; i < known_count; ++i) before |= known[i] == self;
  if (!before) ++on_others;
}

static void note_threads(void) {
  DIR* folder = opendir("/proc/self/task");
  assert_non_null(folder);
  known_count = 0;
  for (struct dirent* entry; (entry = readdir(folder)) != NULL;) {
    if (atol(entry->d_name) != 0 && known_count < kKnownMost) {
      known[known_count++] = atol(entry->d_name);
    }
  }
  closedir(folder);
}

typedef struct Work {
  Fixture* fixture;
  int begun, over;
} Work;

/* Many kernels that nobody has built before. */
static void* compile(void* given) {
  Work* work = given;
  compiler = pthread_self();
  __atomic_store_n(&work->begun, 1, __ATOMIC_RELEASE);
  for (int k = 0; k < kCompiles; ++k) {
    netcl_run_options run = captured_calls(work->fixture);
    netcl_tensor *x = counting_vector(work->fixture, 8, 1), *last = formula("v0", x, NULL, &run);
    for (int i = 0; i < kSteps; ++i) {
      char text[120];
      netcl_tensor* next = NULL;
      snprintf(text, sizeof text, "sin(v0 * %d) + cos(v0) * tanh(v0 + %d)",
               (int)random_in(1, 1000000), k);
      netcl_tensor* made = formula(text, last, NULL, &run);
      OK(netcl_op_scan(made, NETCL_REDUCTION_SUM, 0, NULL, &run, &next));
      RELEASE(made, last);
      last = next;
    }
    OK(netcl_graph_compile(run.graph, &x, 1, &last, 1, NULL));
    RELEASE(x, last);
    netcl_graph_release(run.graph);
  }
  __atomic_store_n(&work->over, 1, __ATOMIC_RELEASE);
  return NULL;
}

static void compiling(void** state) {
  Work work = {*state, 0, 0};
  struct sigaction action, before;
  sigset_t usr1;
  pthread_t thread;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  assert_int_equal(sigaction(SIGUSR1, &action, &before), 0);
  sigemptyset(&usr1);
  sigaddset(&usr1, SIGUSR1);
  /* What the first kernel makes in the driver is there. */
  netcl_tensor *x = counting_vector(work.fixture, 8, 1),
               *y = formula("exp(v0)", x, NULL, &(netcl_run_options)NETCL_RUN_OPTIONS_INIT);
  free(read_tensor(y));
  RELEASE(x, y);
  note_threads();
  on_own = on_others = 0;
  /* The thread that compiles takes the signal, and what it makes unless that is seen to. */
  assert_int_equal(pthread_sigmask(SIG_UNBLOCK, &usr1, NULL), 0);
  assert_int_equal(pthread_create(&thread, NULL, compile, &work), 0);
  assert_int_equal(pthread_sigmask(SIG_BLOCK, &usr1, NULL), 0);
  while (!__atomic_load_n(&work.begun, __ATOMIC_ACQUIRE)) usleep(300);
  while (!__atomic_load_n(&work.over, __ATOMIC_ACQUIRE)) {
    kill(getpid(), SIGUSR1);
    usleep(300);
  }
  pthread_join(thread, NULL);
  assert_int_equal(sigaction(SIGUSR1, &before, NULL), 0);
  print_message("handled %d times on the thread that compiles\n", (int)on_own);
  CHECK(on_others == 0, "a handler ran %d times on threads of the library, %d on the caller's",
        (int)on_others, (int)on_own);
}

int main(void) {
  /* CPUs of OpenCL would compile nothing. */
  take_kernels();
  const struct CMUnitTest tests[] = {DEVICE_TEST(compiling)};
  /* What the driver makes when the device is opened leaves the signal to the test. */
  sigset_t usr1;
  sigemptyset(&usr1);
  sigaddset(&usr1, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &usr1, NULL);
  seed_random("graph_signals");
  return cmocka_run_group_tests_name("graph_signals", tests, NULL, NULL);
}
