/* Commands of several threads on one device, which may run at once where their memory allows. */
#include "support.h"
#include "support_process.h"

#include <pthread.h>
#include <stdio.h>

enum { kItems = 64 };

/* One thread runs a long command over and over, the other short ones on memory of its own. */
typedef struct Apart {
  netcl_tensor* tensor;
  double longest;
  int stop, failed, count;
} Apart;

static void* multiply_long(void* argument) {
  Apart* apart = argument;
  for (int i = 0; i < 3; i++) {
    netcl_tensor* product = NULL;
    const double start = process_now();
    apart->failed |= netcl_op_matmul(apart->tensor, apart->tensor, NULL, NULL, &product) != 0;
    const double seconds = process_now() - start;
    if (seconds > apart->longest) apart->longest = seconds;
    netcl_tensor_release(product);
  }
  return NULL;
}

static void* add_short(void* argument) {
  Apart* apart = argument;
  while (!__atomic_load_n(&apart->stop, __ATOMIC_ACQUIRE)) {
    netcl_tensor* sum = NULL;
    const double start = process_now();
    apart->failed |=
        netcl_op_expression_text("v0 + 1", &apart->tensor, 1, NULL, NULL, &sum) != NETCL_OK;
    const double seconds = process_now() - start;
    if (seconds > apart->longest) apart->longest = seconds;
    netcl_tensor_release(sum);
    apart->count++;
  }
  return NULL;
}

/* Independent commands of two threads run at once: a short one does not wait for a long one. */
static void independent_commands(void** state) {
  Fixture* fixture = *state;
  if (fixture->opencl) SKIP("only on the built-in device");
  /* Long for a machine is short for a sanitizer. */
  const int64_t extent = process_has_tsan() || process_has_asan() ? 300 : 1500;
  const int64_t large[2] = {extent, extent}, small[1] = {kItems};
  for (int attempt = 0; attempt < 5; attempt++) {
    Apart heavy, light;
    pthread_t threads[2];
    memset(&heavy, 0, sizeof heavy);
    memset(&light, 0, sizeof light);
    OK(netcl_tensor_create_zeros(fixture->device, NETCL_F64, 2, large, NULL, NULL, &heavy.tensor));
    OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, small, NULL, NULL, &light.tensor));
    assert_int_equal(pthread_create(&threads[0], NULL, multiply_long, &heavy), 0);
    assert_int_equal(pthread_create(&threads[1], NULL, add_short, &light), 0);
    pthread_join(threads[0], NULL);
    __atomic_store_n(&light.stop, 1, __ATOMIC_RELEASE);
    pthread_join(threads[1], NULL);
    assert_int_equal(heavy.failed | light.failed, 0);
    netcl_tensor_release(heavy.tensor);
    netcl_tensor_release(light.tensor);
    /* A machine that is busy with other things may hold the short ones up too. */
    if (light.count > 10 && light.longest < heavy.longest / 3) return;
    print_message("attempt %d: the longest of %d short commands took %.1f ms, long ones %.1f ms\n",
                  attempt, light.count, 1e3 * light.longest, 1e3 * heavy.longest);
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
