/* Threads that are cancelled: they end before a call, never in one or in a release. */
#include "support_kernel.h"
#include "support_process.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

typedef struct Saver {
  netcl_tensor* tensor;
  char path[256];
} Saver;

static void* save_until_cancelled(void* argument) {
  const Saver* saver = argument;
  for (;;) netcl_tensor_save_npy(saver->tensor, saver->path, LONG_WAIT);
  return NULL;
}

static void join_cancelled(pthread_t thread) {
  struct timespec limit;
  void* result = NULL;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 20;
  assert_int_equal(pthread_timedjoin_np(thread, &result, &limit), 0);
  assert_ptr_equal(result, PTHREAD_CANCELED);
}

/* Opening, writing and renaming a file are places where a thread is cancelled: it goes on to the
 * end of the call, and ends before the next. */
static void calls_are_finished(void** state) {
  Fixture* fixture = *state;
  Saver saver;
  char folder[200];
  process_make_folder(folder, sizeof folder);
  process_join_path(saver.path, sizeof saver.path, folder, "saved.npy");
  saver.tensor = counting_tensor(fixture->device, NETCL_F32, 4096, 0.0);
  for (int round = 0; round < 20; round++) {
    pthread_t thread;
    netcl_tensor* loaded = NULL;
    assert_int_equal(pthread_create(&thread, NULL, save_until_cancelled, &saver), 0);
    usleep((useconds_t)(100 * round));
    assert_int_equal(pthread_cancel(thread), 0);
    join_cancelled(thread);
    OK(netcl_tensor_save_npy(saver.tensor, saver.path, LONG_WAIT));
    OK(netcl_tensor_load_npy(fixture->device, saver.path, NULL, &loaded));
    netcl_tensor_release(loaded);
  }
  netcl_tensor_release(saver.tensor);
  process_remove_folder(folder);
}

typedef struct Canceller {
  netcl_device* device;
  netcl_tensor *given, *made;
  int released;
} Canceller;

static void* release_and_make(void* argument) {
  static const int64_t kShape[1] = {16};
  Canceller* canceller = argument;
  assert_int_equal(pthread_cancel(pthread_self()), 0);
  netcl_tensor_release(canceller->given);
  canceller->released = 1;
  netcl_tensor_create_zeros(canceller->device, NETCL_F32, 1, kShape, NULL, NULL, &canceller->made);
  return NULL;
}

/* What clears up after a cancelled thread releases; what makes an object does not begin. */
static void objects_are_released(void** state) {
  Fixture* fixture = *state;
  Canceller canceller = {fixture->device, NULL, NULL, 0};
  uint64_t before = 0, after = 0;
  pthread_t thread;
  OK(netcl_library_get_live_count(NETCL_HANDLE_TENSOR, &before));
  canceller.given = counting_tensor(fixture->device, NETCL_F32, 16, 0.0);
  assert_int_equal(pthread_create(&thread, NULL, release_and_make, &canceller), 0);
  join_cancelled(thread);
  assert_int_equal(canceller.released, 1);
  assert_null(canceller.made);
  OK(netcl_library_get_live_count(NETCL_HANDLE_TENSOR, &after));
  assert_int_equal(after, before);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(calls_are_finished),
                                     DEVICE_TEST(objects_are_released)};
  return cmocka_run_group_tests_name("cancel", tests, NULL, NULL);
}
