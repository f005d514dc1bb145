/* Commands of several threads on one device, which may run at once where their memory allows. */
#include "support.h"
#include "support_process.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>

enum { kItems = 64, kLong = 3, kShort = 10 };
static const double kMargin = 2e-3; /* of a long command's tens of milliseconds, in seconds */

/* One thread runs a long command kLong times, the other short ones on memory of its own. */
typedef struct Apart {
  netcl_tensor* tensor;
  int stop, failed, count;
} Apart;

static int under_way;     /* 1 to kLong: the long command that is; 0: none */
static int done[kLong];   /* short commands that ended during each long one */
/* Processor time of the thread with the long commands: when each began and ended, and when the
 * kShort-th short one did. A thread that waits for its turn uses none. */
static clockid_t working;
static double began[kLong], ended[kLong], reached[kLong];

static double seconds_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void* multiply_long(void* argument) {
  Apart* apart = argument;
  for (int i = 0; i < kLong; i++) {
    netcl_tensor* product = NULL;
    began[i] = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    __atomic_store_n(&under_way, i + 1, __ATOMIC_SEQ_CST);
    apart->failed |= netcl_op_matmul(apart->tensor, apart->tensor, NULL, NULL, &product) != 0;
    __atomic_store_n(&under_way, 0, __ATOMIC_SEQ_CST);
    ended[i] = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    netcl_tensor_release(product);
  }
  return NULL;
}

static void* add_short(void* argument) {
  Apart* apart = argument;
  while (!__atomic_load_n(&apart->stop, __ATOMIC_SEQ_CST)) {
    netcl_tensor* sum = NULL;
    const int command = __atomic_load_n(&under_way, __ATOMIC_SEQ_CST) - 1;
    const int computes = command >= 0 && seconds_of(working) - began[command] > kMargin;
    apart->failed |=
        netcl_op_expression_text("v0 + 1", &apart->tensor, 1, NULL, NULL, &sum) != NETCL_OK;
    if (computes && ++done[command] == kShort) reached[command] = seconds_of(working);
    netcl_tensor_release(sum);
  }
  return NULL;
}

/* Independent commands of two threads run at once: a short one does not wait for a long one. */
static void independent_commands(void** state) {
  Fixture* fixture = *state;
  if (fixture->opencl) SKIP("only on the built-in device");
  /* Long for a machine is short for a sanitizer; the next attempt takes longer commands. */
  const int64_t least = process_has_tsan() || process_has_asan() ? 300 : 1500;
  const int64_t small[1] = {kItems};
  for (int attempt = 0; attempt < 5; attempt++) {
    const int64_t extent = least + least / 2 * attempt, large[2] = {extent, extent};
    Apart heavy = {0}, light = {0};
    pthread_t threads[2];
    memset(done, 0, sizeof done);
    OK(netcl_tensor_create_zeros(fixture->device, NETCL_F64, 2, large, NULL, NULL, &heavy.tensor));
    OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, small, NULL, NULL, &light.tensor));
    assert_int_equal(pthread_create(&threads[0], NULL, multiply_long, &heavy), 0);
    assert_int_equal(pthread_getcpuclockid(threads[0], &working), 0);
    assert_int_equal(pthread_create(&threads[1], NULL, add_short, &light), 0);
    pthread_join(threads[0], NULL);
    __atomic_store_n(&light.stop, 1, __ATOMIC_SEQ_CST);
    pthread_join(threads[1], NULL);
    assert_int_equal(heavy.failed | light.failed, 0);
    netcl_tensor_release(heavy.tensor);
    netcl_tensor_release(light.tensor);
    int beside = 0;
    for (int i = 0; i < kLong; i++) {
      beside += done[i] >= kShort && reached[i] < ended[i] - kMargin;
    }
    if (beside == kLong) return;
    /* A machine that is busy with other things may give the second thread no time. */
    print_message("attempt %d: short commands ran beside %d of %d long ones\n", attempt, beside,
                  kLong);
  }
  FAIL_WITH("short commands of one thread wait for the long ones of another");
}

/* Waits see the commands that other threads have under way. */
static void* add_in_place(void* argument) {
  Apart* apart = argument;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor* inputs[1] = {apart->tensor};
  run.into = apart->tensor;
  for (int i = 0; i < 200; i++) {
    apart->failed |= netcl_op_expression_text("v0 + 1", inputs, 1, NULL, &run, NULL) != NETCL_OK;
    __atomic_store_n(&apart->count, i + 1, __ATOMIC_RELEASE);
  }
  return NULL;
}

static void waits_see_other_threads(void** state) {
  Fixture* fixture = *state;
  const int64_t items = 1 << 16;
  static int32_t values[1 << 16];
  Apart apart;
  pthread_t thread;
  memset(&apart, 0, sizeof apart);
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I32, 1, &items, NULL, NULL, &apart.tensor));
  assert_int_equal(pthread_create(&thread, NULL, add_in_place, &apart), 0);
  for (int seen = 0; seen < 200;) {
    seen = __atomic_load_n(&apart.count, __ATOMIC_ACQUIRE);
    OK(netcl_tensor_wait(apart.tensor, LONG_WAIT));
    OK(netcl_device_finish(fixture->device, LONG_WAIT));
    OK(netcl_tensor_read(apart.tensor, values, sizeof values, NULL, LONG_WAIT));
    CHECK(values[0] >= seen, "%d commands had returned, the first element is %d", seen, values[0]);
    for (int i = 0; i < items; i++) {
      CHECK(values[i] == values[0], "element %d is %d, the first %d", i, values[i], values[0]);
    }
  }
  pthread_join(thread, NULL);
  assert_int_equal(apart.failed, 0);
  netcl_tensor_release(apart.tensor);
}

/* One thread gives a name to one primitive after the other while two others call it. */
static void* register_in_turn(void* argument) {
  static const char* const kForward[2] = {"v0 * 2 * scale", "v0 * 3 * scale"};
  static const char* const kAttributes[1] = {"scale"};
  Apart* apart = argument;
  /* Until calls have met both often enough. */
  for (int i = 0; i < 400 || __atomic_load_n(&apart->count, __ATOMIC_RELAXED) < 20; i++) {
    netcl_primitive_options options = NETCL_PRIMITIVE_OPTIONS_INIT;
    options.arity = 1;
    options.forward = kForward[i % 2];
    options.attributes = kAttributes;
    options.attributes_count = 1;
    if (netcl_primitive_register("in turn", &options) != NETCL_OK ||
        netcl_primitive_unregister("in turn") != NETCL_OK) {
      __atomic_store_n(&apart->failed, 1, __ATOMIC_RELAXED);
    }
  }
  __atomic_store_n(&apart->stop, 1, __ATOMIC_RELEASE);
  return NULL;
}

static void* call_by_name(void* argument) {
  static const char* const kAttributes[1] = {"scale"};
  Apart* apart = argument;
  netcl_primitive_call_options options = NETCL_PRIMITIVE_CALL_OPTIONS_INIT;
  options.attributes = kAttributes;
  options.attributes_count = options.values_count = 1;
  for (int i = 0; !__atomic_load_n(&apart->stop, __ATOMIC_ACQUIRE); i++) {
    const double scale = 1 + i % 5;
    netcl_tensor* result = NULL;
    float value = 0;
    options.values = &scale;
    const netcl_status status =
        i % 2 == 0 ? netcl_op_primitive("in turn", &apart->tensor, 1, &options, NULL, &result)
                   : netcl_op_primitive_gradient("in turn", &apart->tensor, 1, 0, apart->tensor,
                                                 NULL, &options, NULL, &result);
    int wrong = status != NETCL_OK && status != NETCL_ERROR_NOT_FOUND;
    if (status == NETCL_OK) {
      wrong |= netcl_tensor_read(result, &value, sizeof value, NULL, LONG_WAIT) != NETCL_OK;
      wrong |= value != 2 * scale && value != 3 * scale;
      __atomic_fetch_add(&apart->count, 1, __ATOMIC_RELAXED);
    }
    netcl_tensor_release(result);
    if (wrong) __atomic_store_n(&apart->failed, 1, __ATOMIC_RELAXED);
    if (wrong) __atomic_fetch_add(&apart->count, 20, __ATOMIC_RELAXED);
  }
  return NULL;
}

static void primitives_change_while_they_are_called(void** state) {
  Fixture* fixture = *state;
  const float one = 1;
  Apart apart;
  pthread_t threads[3];
  memset(&apart, 0, sizeof apart);
  apart.tensor = make_tensor(fixture->device, NETCL_F32, 0, NULL, &one);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(pthread_create(&threads[i], NULL, call_by_name, &apart), 0);
  }
  assert_int_equal(pthread_create(&threads[2], NULL, register_in_turn, &apart), 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert_int_equal(apart.failed, 0);
  netcl_tensor_release(apart.tensor);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(independent_commands),
      DEVICE_TEST(waits_see_other_threads),
      DEVICE_TEST(primitives_change_while_they_are_called),
  };
  return cmocka_run_group_tests_name("concurrency", tests, NULL, NULL);
}
