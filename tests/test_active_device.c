/* The active device of a thread: a stack that no other function consults. */
#include "support.h"

#include "support_process.h"

#include <pthread.h>
#include <stdio.h>

static uint32_t index_of(netcl_device *device) {
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  OK(netcl_device_get_info(device, &info));
  return info.index;
}

static uint32_t current_index(void) {
  netcl_device *device = NULL;
  OK(netcl_device_current(&device));
  uint32_t index = index_of(device);
  netcl_device_release(device);
  return index;
}

static void empty_stack(void **state) {
  netcl_device *device = NULL;
  (void)state;
  FAILS(NETCL_ERROR_NOT_FOUND, netcl_device_current(&device));
  assert_null(device);
  FAILS(NETCL_ERROR_NOT_FOUND, netcl_device_pop());
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_device_current(NULL));
}

static void nested(void **state) {
  Fixture *fixture = *state;
  netcl_device *builtin = NULL;
  OK(netcl_device_open("builtin", NULL, &builtin));
  const uint32_t first = index_of(fixture->device), second = index_of(builtin);
  OK(netcl_device_push(fixture->device));
  assert_int_equal(current_index(), first);
  OK(netcl_device_push(builtin));
  assert_int_equal(current_index(), second);
  OK(netcl_device_push(fixture->device));
  assert_int_equal(current_index(), first);
  OK(netcl_device_pop());
  assert_int_equal(current_index(), second);
  OK(netcl_device_pop());
  assert_int_equal(current_index(), first);
  OK(netcl_device_pop());
  netcl_device_release(builtin);
  empty_stack(state);
}

static void deep(void **state) {
  Fixture *fixture = *state;
  for (int i = 0; i < 1000; i++) OK(netcl_device_push(fixture->device));
  for (int i = 0; i < 1000; i++) OK(netcl_device_pop());
  empty_stack(state);
}

/* The stack keeps the device although the caller has released its handle. */
static void keeps_the_device(void **state) {
  Fixture *fixture = *state;
  netcl_device *again = NULL, *current = NULL;
  const int64_t shape = 3;
  netcl_tensor *tensor = NULL;
  OK(netcl_device_open(test_selector(), NULL, &again));
  OK(netcl_device_push(again));
  netcl_device_release(again);
  OK(netcl_device_current(&current));
  assert_int_equal(index_of(current), fixture->info.index);
  OK(netcl_tensor_create_zeros(current, NETCL_F32, 1, &shape, NULL, NULL, &tensor));
  netcl_tensor_release(tensor);
  OK(netcl_device_pop());
  assert_int_equal(index_of(current), fixture->info.index); /* a reference of its own */
  netcl_device_release(current);
}

static void *other_thread(void *argument) {
  Fixture *fixture = argument;
  netcl_device *device = NULL;
  if (netcl_device_current(&device) != NETCL_ERROR_NOT_FOUND) return (void *)1;
  if (netcl_device_pop() != NETCL_ERROR_NOT_FOUND) return (void *)2;
  if (netcl_device_push(fixture->device) != NETCL_OK) return (void *)3;
  if (netcl_device_current(&device) != NETCL_OK) return (void *)4;
  netcl_device_release(device);
  return NULL; /* The thread ends with a device on its stack. */
}

static void per_thread(void **state) {
  Fixture *fixture = *state;
  netcl_device *builtin = NULL;
  OK(netcl_device_open("builtin", NULL, &builtin));
  OK(netcl_device_push(builtin));
  for (int i = 0; i < 20; i++) {
    pthread_t thread;
    void *result = NULL;
    assert_int_equal(pthread_create(&thread, NULL, other_thread, fixture), 0);
    pthread_join(thread, &result);
    CHECK(result == NULL, "step %d failed in the thread", (int)(intptr_t)result);
  }
  assert_int_equal(current_index(), index_of(builtin));
  OK(netcl_device_pop());
  netcl_device_release(builtin);
}

static long resident_pages(void) {
  long size = 0, resident = -1;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld %ld", &size, &resident) != 2) resident = -1;
  if (file != NULL) fclose(file);
  return resident;
}

static void *pushes(void *device) { return (void *)(intptr_t)netcl_device_push(device); }

/* A thread that ends with a device on its stack gives it back, with all that its pool keeps. */
static void ends_with_the_thread(void **state) {
  const int64_t count = 4 << 20;
  netcl_device_options options = NETCL_DEVICE_OPTIONS_INIT;
  long before = 0;
  (void)state;
  if (process_has_asan() || process_has_tsan()) SKIP("sanitizers keep freed memory");
  options.separate = 1;
  for (int i = 0; i < 24; i++) {
    netcl_device *device = NULL;
    netcl_tensor *tensor = NULL;
    pthread_t thread;
    void *result = NULL;
    const float one = 1;
    if (i == 8) before = resident_pages();
    OK(netcl_device_open("builtin", &options, &device));
    OK(netcl_tensor_create_full(device, NETCL_F32, 1, &count, NULL, &one, NULL, &tensor));
    OK(netcl_device_finish(device, LONG_WAIT));
    netcl_tensor_release(tensor);
    assert_int_equal(pthread_create(&thread, NULL, pushes, device), 0);
    pthread_join(thread, &result);
    assert_null(result);
    netcl_device_release(device);
  }
  /* 16 rounds of 16 MiB each, 256 MiB in all, had stayed. */
  CHECK(resident_pages() - before < (64 << 20) / 4096, "%ld pages more",
        resident_pages() - before);
}

/* No other call consults the stack: a tensor is made where the call says. */
static void nothing_consults_it(void **state) {
  Fixture *fixture = *state;
  netcl_device *builtin = NULL, *device = NULL;
  netcl_tensor *tensor = NULL, *sum = NULL;
  const int64_t shape = 3;
  OK(netcl_device_open("builtin", NULL, &builtin));
  OK(netcl_device_push(builtin));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, &shape, NULL, NULL, &tensor));
  OK(netcl_op_expression_text("v0 + 1", &tensor, 1, NULL, NULL, &sum));
  OK(netcl_tensor_get_device(sum, &device));
  assert_int_equal(index_of(device), fixture->info.index);
  OK(netcl_device_pop());
  netcl_tensor_release(tensor);
  netcl_tensor_release(sum);
  netcl_device_release(device);
  netcl_device_release(builtin);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(empty_stack),      DEVICE_TEST(nested),     DEVICE_TEST(deep),
      DEVICE_TEST(keeps_the_device), DEVICE_TEST(per_thread), DEVICE_TEST(nothing_consults_it),
      DEVICE_TEST(ends_with_the_thread),
  };
  return cmocka_run_group_tests_name("active_device", tests, NULL, NULL);
}
