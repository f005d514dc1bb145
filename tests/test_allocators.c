/*
 * The library in a process whose allocator was put in its place by LD_PRELOAD, as hosts do: it
 * computes, fails, lets threads come and go, forks and ends as it does with the system's.
 */
#include "support.h"
#include "support_process.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kNoAllocator = 77, kThreads = 40, kElements = 1000, kLimit = 120 };

typedef struct Allocator {
  const char *name, *file, *symbol, *package;
} Allocator;
static const Allocator kAllocators[] = {
    {"jemalloc", "libjemalloc.so.2", "mallctl", "libjemalloc2"},
    {"mimalloc", "libmimalloc.so.2", "mi_version", "libmimalloc2.0"},
};

static int compute(netcl_device* device) {
  const int64_t shape = kElements;
  float seen[kElements];
  netcl_tensor *x = NULL, *y = NULL;
  for (int i = 0; i < kElements; ++i) seen[i] = (float)i;
  CHILD_OK(netcl_tensor_create_from_host(device, NETCL_F32, 1, &shape, NULL, seen, sizeof seen,
                                         NULL, &x));
  CHILD_OK(netcl_op_expression_text("v0 * 2 + 1", &x, 1, NULL, NULL, &y));
  CHILD_OK(netcl_tensor_read(y, seen, sizeof seen, NULL, LONG_WAIT));
  for (int i = 0; i < kElements; ++i) CHILD_CHECK(seen[i] == 2.0f * (float)i + 1);
  netcl_tensor_release(x);
  netcl_tensor_release(y);
  CHILD_STATUS(NETCL_ERROR_INVALID_ARGUMENT,
               netcl_tensor_create(device, 999, 1, &shape, NULL, NULL, &x));
  return 0;
}

static void* of_thread(void* device) { return (void*)(intptr_t)compute(device); }

static int use(void) {
  const char* const symbol = getenv("TEST_SYMBOL");
  netcl_device* device = NULL;
  if (symbol == NULL || dlsym(RTLD_DEFAULT, symbol) == NULL) return kNoAllocator;
  CHILD_OK(netcl_device_open(test_selector(), NULL, &device));
  CHILD_CHECK(compute(device) == 0);
  for (int i = 0; i < kThreads; ++i) {
    pthread_t threads[2];
    void* result = NULL;
    for (int j = 0; j < 2; ++j)
      CHILD_CHECK(pthread_create(&threads[j], NULL, of_thread, device) == 0);
    for (int j = 0; j < 2; ++j)
      CHILD_CHECK(pthread_join(threads[j], &result) == 0 && result == NULL);
  }
  const pid_t forked = fork();
  if (forked == 0) {
    const int64_t shape = kElements;
    netcl_tensor* tensor = NULL;
    alarm(20);
    _exit(netcl_tensor_create(device, NETCL_F32, 1, &shape, NULL, NULL, &tensor) !=
          NETCL_ERROR_FORKED);
  }
  int status = 0;
  CHILD_CHECK(forked > 0 && waitpid(forked, &status, 0) == forked && status == 0);
  CHILD_CHECK(compute(device) == 0);
  if (getenv("TEST_LEAVE") != NULL) return 0; /* what is open stays open */
  netcl_device_release(device);
  CHILD_OK(netcl_shutdown(LONG_WAIT));
  return 0;
}

static void with(const Allocator* allocator) {
  char preload[64], symbol[64];
  snprintf(preload, sizeof preload, "LD_PRELOAD=%s", allocator->file);
  snprintf(symbol, sizeof symbol, "TEST_SYMBOL=%s", allocator->symbol);
  if (process_has_asan() || process_has_tsan()) SKIP("sanitizers have an allocator of their own");
  for (int leave = 0; leave < 2; ++leave) {
    const char* const environment[] = {preload, symbol, leave ? "TEST_LEAVE=1" : NULL, NULL};
    process_result result;
    process_run_self("use", environment, kLimit, &result);
    if (result.exit_code == kNoAllocator) {
      print_message("%s is not installed (%s)\n", allocator->name, allocator->package);
      SKIP("as above");
    }
    process_expect_exit(&result, 0);
  }
}

static void jemalloc(void** state) {
  (void)state;
  with(&kAllocators[0]);
}
static void mimalloc(void** state) {
  (void)state;
  with(&kAllocators[1]);
}

int main(int argc, char** argv) {
  static const process_mode modes[] = {{"use", use}};
  const int code = process_child_main(argc, argv, modes, COUNT_OF(modes));
  if (code >= 0) return code;
  const struct CMUnitTest tests[] = {DEVICE_TEST(jemalloc), DEVICE_TEST(mimalloc)};
  return cmocka_run_group_tests_name("allocators", tests, NULL, NULL);
}
