/*
 * A host that gets a thousand signals a second, in each of its threads in turn, with a handler that
 * restarts nothing: calls that are interrupted go on, and give what they do otherwise.
 */
#include "support_kernel.h"
#include "support_process.h"
#include "support_tuning.h"

#include <dirent.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { kElements = 20000, kSide = 96, kRounds = 60, kLeast = 300 };

static atomic_int stopped, handled;

static void on_signal(int number) {
  (void)number;
  atomic_fetch_add(&handled, 1);
}

/* Signals each thread of the process but itself, about once in a millisecond. */
static void* storm(void* none) {
  const pid_t self = (pid_t)syscall(SYS_gettid);
  while (!atomic_load(&stopped)) {
    DIR* threads = opendir("/proc/self/task");
    for (const struct dirent* item; threads != NULL && (item = readdir(threads)) != NULL;) {
      const pid_t thread = (pid_t)strtol(item->d_name, NULL, 10);
      if (thread > 0 && thread != self) syscall(SYS_tgkill, getpid(), thread, SIGUSR1);
    }
    if (threads != NULL) closedir(threads);
    usleep(1000);
  }
  return none;
}

static void work(netcl_device* device, const char* folder, int round) {
  char path[PATH_MAX];
  static float seen[kElements];
  netcl_tensor *x = counting_tensor(device, NETCL_F32, kElements, 1), *y = NULL, *loaded = NULL;
  const int64_t square[2] = {kSide, kSide};
  const float one = 1;
  OK(netcl_op_expression_text("v0 * 2", &x, 1, NULL, NULL, &y));
  process_join_path(path, sizeof path, folder, "x.npy");
  OK(netcl_tensor_save_npy(y, path, LONG_WAIT));
  OK(netcl_tensor_load_npy(device, path, NULL, &loaded));
  OK(netcl_tensor_read(loaded, seen, sizeof seen, NULL, LONG_WAIT));
  for (int i = 0; i < kElements; ++i) assert_true(seen[i] == 2 * (1 + (float)i));
  netcl_tensor *a = NULL, *b = NULL;
  OK(netcl_tensor_create_full(device, NETCL_F32, 2, square, NULL, &one, NULL, &a));
  OK(netcl_op_matmul(a, a, NULL, NULL, &b));
  OK(netcl_tensor_read(b, seen, kSide * kSide * sizeof *seen, NULL, LONG_WAIT));
  for (int i = 0; i < kSide * kSide; ++i) assert_true(seen[i] == kSide);
  process_join_path(path, sizeof path, folder, "tuning.jsonl");
  netcl_tuning_database* database = tuning_open(path);
  const netcl_tuning_key key = tuning_key("gemm", (round + 1) * 1000, 1);
  tuning_put_best(database, &key, round + 1);
  assert_int_equal(tuning_look(database, &key, NULL), round + 1);
  netcl_tuning_database_release(database);
  OK(netcl_device_finish(device, LONG_WAIT));
  netcl_tensor* const all[] = {x, y, loaded, a, b};
  for (size_t i = 0; i < COUNT_OF(all); ++i) netcl_tensor_release(all[i]);
}

static void a_thousand_a_second(void** state) {
  Fixture* fixture = *state;
  struct sigaction action = {0}, before;
  char folder[PATH_MAX - 64];
  pthread_t thread;
  process_make_folder(folder, sizeof folder);
  action.sa_handler = on_signal;
  assert_int_equal(sigaction(SIGUSR1, &action, &before), 0);
  assert_int_equal(pthread_create(&thread, NULL, storm, NULL), 0);
  for (int i = 0; i < kRounds || atomic_load(&handled) < kLeast; ++i) {
    netcl_device_options options = NETCL_DEVICE_OPTIONS_INIT;
    netcl_device* device = NULL;
    options.separate = 1;
    OK(netcl_device_open(test_selector(), &options, &device));
    work(device, folder, i);
    work(fixture->device, folder, i);
    netcl_device_release(device);
  }
  atomic_store(&stopped, 1);
  pthread_join(thread, NULL);
  assert_int_equal(sigaction(SIGUSR1, &before, NULL), 0);
  print_message("%d signals\n", atomic_load(&handled));
  process_remove_folder(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(a_thousand_a_second)};
  return cmocka_run_group_tests_name("signal_storm", tests, NULL, NULL);
}
