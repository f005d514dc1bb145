/* Memory of the host, references and options at the edge of what is taken: once taken wrongly. */
#include <stdio.h>

#include "support.h"

/* The DLPack ABI, as far as a tensor on the host needs it. */
struct DLManagedTensor {
  void *data;
  int32_t device_type, device_id, rank;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides;
  uint64_t byte_offset;
  void *manager;
  void (*deleter)(struct DLManagedTensor *self);
};

static uint64_t live_count(netcl_handle_type type) {
  uint64_t count = 0;
  OK(netcl_library_get_live_count(type, &count));
  return count;
}

/* ---- Memory of the host ---------------------------------------------------------------------- */

static void zero_copy_past_the_end(void **state) {
  Fixture *fixture = *state;
  if (!fixture->capabilities.integrated) SKIP("the device does not share memory with the host");
  unsigned char *data = aligned_alloc(64, 4096);
  const uint64_t left = UINT64_MAX - (uint64_t)(uintptr_t)data;
  const uint64_t sizes[] = {UINT64_MAX, UINT64_MAX - 63, left + 2, left + 64};
  netcl_buffer *buffer = NULL;
  memset(data, POISON, 4096);
  for (size_t i = 0; i < COUNT_OF(sizes); ++i) {
    FAILS(NETCL_ERROR_INVALID_ARGUMENT,
          netcl_buffer_create_zero_copy(fixture->device, data, sizes[i], &buffer));
    assert_null(buffer);
  }
  for (int i = 0; i < 4096; ++i) assert_int_equal(data[i], POISON);
  free(data);
}

static void borrow_misaligned(void **state) {
  Fixture *fixture = *state;
  enum { N = 1000 };
  const int64_t n = N;
  const float other = -3;
  float values[N];
  unsigned char *data = aligned_alloc(64, 8192);
  fill_random(NETCL_F32, values, N, 100);
  for (int shift = 1; shift < 4; ++shift) {
    netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
    netcl_tensor *tensor = NULL;
    netcl_event *event = NULL;
    memcpy(data + shift, values, sizeof values);
    options.borrow = 1;
    options.event = &event;
    OK(netcl_tensor_create_from_host(fixture->device, NETCL_F32, 1, &n, NULL, data + shift,
                                     sizeof values, &options, &tensor));
    OK(netcl_event_wait(event, LONG_WAIT));
    netcl_event_release(event);
    const netcl_tensor_info info = tensor_info(tensor);
    /* All memory of the built-in device is memory of the host. */
    if (fixture->opencl) assert_int_equal(info.zero_copy, 0);
    assert_int_equal(info.borrowed, 0);
    CHECK_TENSOR(tensor, values);
    OK(netcl_op_fill(tensor, &other, NULL));
    OK(netcl_device_finish(fixture->device, LONG_WAIT));
    assert_memory_equal(data + shift, values, sizeof values);
    netcl_tensor_release(tensor);
  }
  free(data);
}

static int deleted;
static void count_deletion(struct DLManagedTensor *self) {
  (void)self;
  ++deleted;
}

static struct DLManagedTensor managed_f32(void *data, int64_t *shape) {
  struct DLManagedTensor managed;
  memset(&managed, 0, sizeof managed);
  managed.data = data;
  managed.device_type = 1;
  managed.rank = 1;
  managed.code = 2;
  managed.bits = 32;
  managed.lanes = 1;
  managed.shape = shape;
  managed.deleter = count_deletion;
  return managed;
}

static void import_misaligned(void **state) {
  Fixture *fixture = *state;
  float data[20] = {0};
  int64_t shape[] = {16};
  netcl_tensor *tensor = NULL;
  deleted = 0;
  for (int shift = 1; shift < 4; ++shift) {
    struct DLManagedTensor managed = managed_f32((unsigned char *)data + shift, shape);
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "aligned",
               netcl_tensor_create_from_dlpack(fixture->device, &managed, NULL, &tensor));
    assert_null(tensor);
  }
  assert_int_equal(deleted, 0);
}

/* ---- Handles and options --------------------------------------------------------------------- */

static void retain_to_the_limit(void **state) {
  Fixture *fixture = *state;
  if (only_sanitized()) SKIP("the release build counts to the limit");
  const uint32_t most = (1u << 24) - 1;
  const int64_t n = 4;
  const float data[4] = {1, 2, 3, 4};
  netcl_tensor *tensor = make_tensor(fixture->device, NETCL_F32, 1, &n, data);
  for (uint32_t i = 1; i < most; ++i) {
    if (netcl_tensor_retain(tensor) != NETCL_OK) FAIL_WITH("retain %u: %s", i,
                                                           netcl_last_error_message());
  }
  FAILS(NETCL_ERROR_BUSY, netcl_tensor_retain(tensor));
  FAILS(NETCL_ERROR_BUSY, netcl_tensor_retain(tensor));
  CHECK_TENSOR(tensor, data);
  netcl_tensor_release(tensor);
  OK(netcl_tensor_retain(tensor));
  FAILS(NETCL_ERROR_BUSY, netcl_tensor_retain(tensor));
  for (uint32_t i = 1; i < most; ++i) netcl_tensor_release(tensor);
  CHECK_TENSOR(tensor, data);
  netcl_tensor_release(tensor);
  FAILS(NETCL_ERROR_INVALID_HANDLE, netcl_tensor_retain(tensor));
}

enum { CREATE, ZEROS, FULL, RANDOM, DLPACK, NPY, HOST, CREATORS };

/* One of the functions that make a tensor, of 4 f32. */
static netcl_status create_by(Fixture *fixture, int which, const netcl_tensor_options *options,
                              netcl_tensor **tensor) {
  static float data[4] = {1, 2, 3, 4};
  static int64_t shape[1] = {4};
  netcl_device *device = fixture->device;
  static struct DLManagedTensor managed;  /* a device that works in place keeps it */
  unsigned char file[128 + sizeof data];
  managed = managed_f32(data, shape);
  switch (which) {
    case CREATE: return netcl_tensor_create(device, NETCL_F32, 1, shape, NULL, options, tensor);
    case ZEROS:
      return netcl_tensor_create_zeros(device, NETCL_F32, 1, shape, NULL, options, tensor);
    case FULL:
      return netcl_tensor_create_full(device, NETCL_F32, 1, shape, NULL, data, options, tensor);
    case RANDOM:
      return netcl_tensor_create_random(device, NETCL_F32, 1, shape, NULL, NULL, options, tensor);
    case DLPACK: return netcl_tensor_create_from_dlpack(device, &managed, options, tensor);
    case NPY:
      snprintf((char *)file, 129, "\x93NUMPY\x01%c%c%c%-117s\n", 0, 118, 0,
               "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }");
      memcpy(file + 128, data, sizeof data);
      return netcl_tensor_create_from_npy(device, file, sizeof file, options, tensor);
    default:
      return netcl_tensor_create_from_host(device, NETCL_F32, 1, shape, NULL, data, sizeof data,
                                           options, tensor);
  }
}

/* An option that means nothing to a call is refused, and nothing is left of the call. */
static void meaningless_options(void **state) {
  Fixture *fixture = *state;
  const uint64_t events = live_count(NETCL_HANDLE_EVENT);
  deleted = 0;
  for (int which = 0; which < CREATORS; ++which) {
    netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
    netcl_event *event = (netcl_event *)(uintptr_t)0x5a;
    netcl_tensor *tensor = NULL;
    options.event = &event;
    options.take_ownership = 1;
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "take_ownership",
               create_by(fixture, which, &options, &tensor));
    options.take_ownership = 0;
    options.borrow = 1;
    if (which != HOST) {
      FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "borrow",
                 create_by(fixture, which, &options, &tensor));
    }
    options.borrow = 2;
    FAILS(NETCL_ERROR_INVALID_ARGUMENT, create_by(fixture, which, &options, &tensor));
    assert_true(event == (netcl_event *)(uintptr_t)0x5a);
    assert_null(tensor);
    assert_int_equal(live_count(NETCL_HANDLE_EVENT), events);
    options.borrow = 0;
    OK(create_by(fixture, which, &options, &tensor));  /* the same call is right without them */
    OK(netcl_event_wait(event, LONG_WAIT));
    netcl_event_release(event);
    netcl_tensor_release(tensor);
  }
  assert_int_equal(deleted, 1);
}

/* Creations that fail late leave the caller's event as it was. */
static void failing_create_leaves_no_event(void **state) {
  Fixture *fixture = *state;
  const uint64_t events = live_count(NETCL_HANDLE_EVENT);
  const int64_t shape[] = {2, 2}, overlapping[] = {1, 1}, huge[] = {INT64_MAX / 8, 1};
  const float data[4] = {1, 2, 3, 4};
  netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
  netcl_event *event = (netcl_event *)(uintptr_t)0x5a;
  netcl_tensor *tensor = NULL;
  netcl_device *device = fixture->device;
  options.event = &event;
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_tensor_create_from_host(device, NETCL_F32, 2, shape, NULL, data, 15, &options,
                                      &tensor));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_tensor_create_full(device, NETCL_F32, 2, shape,
                                                               overlapping, data, &options,
                                                               &tensor));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_tensor_create_full(device, NETCL_F32, 2, shape, NULL, NULL, &options, &tensor));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_tensor_create_zeros(device, NETCL_F32, 2, shape, NULL, &options, NULL));
  CHECK(netcl_tensor_create_zeros(device, NETCL_F32, 2, huge, NULL, &options, &tensor) != NETCL_OK,
        "a tensor larger than any memory was made");
  options.async_copy = 7;
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_tensor_create_from_host(device, NETCL_F32, 2, shape, NULL, data, sizeof data,
                                      &options, &tensor));
  assert_true(event == (netcl_event *)(uintptr_t)0x5a);
  assert_null(tensor);
  assert_int_equal(live_count(NETCL_HANDLE_EVENT), events);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(zero_copy_past_the_end), DEVICE_TEST(borrow_misaligned),
      DEVICE_TEST(import_misaligned),      DEVICE_TEST(retain_to_the_limit),
      DEVICE_TEST(meaningless_options),    DEVICE_TEST(failing_create_leaves_no_event),
  };
  seed_random("edges_memory");
  return cmocka_run_group_tests_name("edges_memory", tests, NULL, NULL);
}
