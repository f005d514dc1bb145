/* dlopen and dlclose of the library, again and again, with its threads alive. */
#include "support.h"
#include "support_library.h"
#include "support_process.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static char folder[PATH_MAX - 64];

static const char *copy_path(int number) {
  static char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/libcopy%d.so", folder, number);
  return path;
}

/* Makes the folder and `count` copies of the library. */
static int make_copies(int count) {
  process_make_folder(folder, sizeof folder);
  for (int i = 0; i < count; i++) {
    if (library_copy(copy_path(i)) != 0) return 1;
  }
  return 0;
}

static int finish(int code) {
  process_remove_folder(folder);
  return code;
}

/* The same file, 30 times: used, closed, and opened again. */
static int mode_again(void) {
  Library library;
  if (make_copies(1) != 0) return finish(1);
  for (int i = 0; i < 30; i++) {
    if (library_load(&library, copy_path(0), RTLD_NOW | RTLD_LOCAL) != 0) return finish(2);
    if (library_use(&library) != 0) return finish(3);
    if (dlclose(library.handle) != 0) return finish(4);
  }
  return finish(0);
}

/* Closed while objects live and work is queued; the threads of the library run on. */
static int mode_live_objects(void) {
  Library library;
  netcl_device *device = NULL;
  netcl_tensor *a = NULL, *b = NULL;
  const int64_t shape[2] = {700, 700};
  if (make_copies(1) != 0) return finish(1);
  if (library_load(&library, copy_path(0), RTLD_LAZY | RTLD_GLOBAL) != 0) return finish(2);
  if (library.device_open(test_selector(), NULL, &device) != NETCL_OK) return finish(3);
  if (library.tensor_create_random(device, NETCL_F32, 2, shape, NULL, NULL, NULL, &a) != NETCL_OK) {
    return finish(4);
  }
  for (int i = 0; i < 5; i++) {
    if (library.op_matmul(a, a, NULL, NULL, &b) != NETCL_OK) return finish(5);
  }
  if (dlclose(library.handle) != 0) return finish(6);
  process_sleep_ms(200);
  return finish(0);
}

/* Several copies side by side, each with its own state. */
static int mode_many_copies(void) {
  enum { kCopies = 6 };
  Library libraries[kCopies];
  netcl_device *devices[kCopies];
  if (make_copies(kCopies) != 0) return finish(1);
  for (int i = 0; i < kCopies; i++) {
    uint64_t count = 99;
    if (library_load(&libraries[i], copy_path(i), RTLD_NOW | RTLD_LOCAL) != 0) return finish(2);
    if (libraries[i].get_live_count(NETCL_HANDLE_DEVICE, &count) != NETCL_OK) return finish(3);
    if (count != 0) return finish(4);
    if (libraries[i].device_open(test_selector(), NULL, &devices[i]) != NETCL_OK) return finish(5);
  }
  for (int i = 0; i < kCopies; i++) {
    netcl_device_info info = NETCL_DEVICE_INFO_INIT;
    const int other = (i + 1) % kCopies;
    if (library_use(&libraries[i]) != 0) return finish(6);
    if (libraries[i].device_get_info(devices[other], &info) != NETCL_ERROR_INVALID_HANDLE) {
      return finish(7);
    }
  }
  for (int i = 0; i < kCopies; i++) {
    libraries[i].device_release(devices[i]);
    if (dlclose(libraries[i].handle) != 0) return finish(8);
  }
  return finish(0);
}

static void *use_in_thread(void *library) { return (void *)(intptr_t)library_use(library); }

/* Threads that have called the library end after it was closed. */
static int mode_threads(void) {
  Library library;
  pthread_t threads[4];
  int code = 0;
  if (make_copies(1) != 0) return finish(1);
  for (int round = 0; round < 10; round++) {
    void *result = NULL;
    if (library_load(&library, copy_path(0), RTLD_NOW | RTLD_LOCAL) != 0) return finish(2);
    for (int i = 0; i < 4; i++) {
      if (pthread_create(&threads[i], NULL, use_in_thread, &library) != 0) return finish(3);
      pthread_join(threads[i], &result);
      if (result != NULL) code = 4;
    }
    if (dlclose(library.handle) != 0) return finish(5);
  }
  return finish(code);
}

static const process_mode kModes[] = {{"again", mode_again},
                                      {"live_objects", mode_live_objects},
                                      {"many_copies", mode_many_copies},
                                      {"threads", mode_threads}};

static void run_mode(const char *mode) {
  char option[512];
  const char *old = getenv("ASAN_OPTIONS");
  /* What lives when a copy is closed cannot be found by the leak checker. */
  snprintf(option, sizeof option, "ASAN_OPTIONS=%s:detect_leaks=0", old ? old : "");
  const char *const environment[] = {option, NULL};
  process_result result;
  process_run_self(mode, environment, 60, &result);
  process_expect_exit(&result, 0);
}

static void again(void **state) {
  (void)state;
  run_mode("again");
}

static void live_objects(void **state) {
  (void)state;
  run_mode("live_objects");
}

static void many_copies(void **state) {
  (void)state;
  run_mode("many_copies");
}

static void threads_end_later(void **state) {
  (void)state;
  run_mode("threads");
}

int main(int argc, char **argv) {
  const int code = process_child_main(argc, argv, kModes, COUNT_OF(kModes));
  if (code >= 0) return code;
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(again),
      DEVICE_TEST(live_objects),
      DEVICE_TEST(many_copies),
      DEVICE_TEST(threads_end_later),
  };
  return cmocka_run_group_tests_name("dlclose", tests, NULL, NULL);
}
