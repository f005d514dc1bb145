/* Buffers: leases, pinned memory, zero-copy memory, and tensors over them. */
#include "support.h"

static netcl_buffer_info buffer_info(const netcl_buffer *buffer) {
  netcl_buffer_info info = NETCL_BUFFER_INFO_INIT;
  OK(netcl_buffer_get_info(buffer, &info));
  return info;
}

/* Fills a buffer through the host pointer, doubles it on the device, and looks again. */
static void check_host_access(Fixture *fixture, netcl_buffer *buffer, int64_t count) {
  const netcl_buffer_info info = buffer_info(buffer);
  assert_non_null(info.host_pointer);
  int32_t *host = info.host_pointer;
  netcl_tensor *tensor = NULL;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  OK(netcl_tensor_create_from_buffer(buffer, 0, NETCL_I32, 1, &count, NULL, &tensor));
  for (int round = 0; round < 5; ++round) {
    for (int64_t i = 0; i < count; ++i) host[i] = (int32_t)(i + round);
    run.into = tensor;
    OK(netcl_op_expression_text("v0 * 2", &tensor, 1, NULL, &run, NULL));
    OK(netcl_device_finish(fixture->device, LONG_WAIT));
    for (int64_t i = 0; i < count; ++i) {
      CHECK(host[i] == 2 * (i + round), "round %d: the host sees %d at %lld", round, host[i],
            (long long)i);
    }
  }
  netcl_tensor_release(tensor);
}

static void pinned(void **state) {
  Fixture *fixture = *state;
  const uint64_t sizes[] = {4, 64, 4096, 100000};
  for (size_t i = 0; i < COUNT_OF(sizes); ++i) {
    netcl_buffer *buffer = NULL;
    OK(netcl_buffer_create_pinned(fixture->device, sizes[i], &buffer));
    const netcl_buffer_info info = buffer_info(buffer);
    assert_int_equal(info.bytes, sizes[i]);
    assert_int_equal(info.pinned, 1);
    assert_true(info.bucket_bytes >= sizes[i]);
    assert_non_null(info.host_pointer);
    memset(info.host_pointer, POISON, (size_t)sizes[i]);
    if (info.zero_copy) check_host_access(fixture, buffer, (int64_t)sizes[i] / 4);
    netcl_buffer_release(buffer);
  }
  netcl_buffer *buffer = NULL;
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_buffer_create_pinned(fixture->device, 16, NULL));
  const netcl_status status = netcl_buffer_create_pinned(fixture->device, UINT64_MAX, &buffer);
  CHECK(status != NETCL_OK && buffer == NULL, "2^64 - 1 pinned bytes: %s",
        netcl_status_name(status));
}

/* A pinned buffer is memory of a tensor like any other. */
static void pinned_tensor(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {50, 20};
  float *values = malloc(4000);
  netcl_buffer *buffer = NULL, *same = NULL;
  netcl_tensor *tensor = NULL, *sum = NULL;
  fill_random(NETCL_F32, values, 1000, 10);
  OK(netcl_buffer_create_pinned(fixture->device, 4000, &buffer));
  OK(netcl_tensor_create_from_buffer(buffer, 0, NETCL_F32, 2, shape, NULL, &tensor));
  OK(netcl_tensor_write(tensor, values, 4000, NULL, LONG_WAIT));
  CHECK_TENSOR(tensor, values);
  OK(netcl_op_expression_text("v0 + v0", &tensor, 1, NULL, NULL, &sum));
  for (int i = 0; i < 1000; ++i) values[i] *= 2;
  CHECK_TENSOR(sum, values);
  OK(netcl_tensor_get_buffer(tensor, &same));
  CHECK(buffer_info(same).host_pointer == buffer_info(buffer).host_pointer &&
            buffer_info(same).bytes == 4000,
        "the tensor's buffer is another one");
  netcl_buffer_release(buffer);
  netcl_buffer_release(same);
  netcl_tensor_release(tensor);
  netcl_tensor_release(sum);
  free(values);
}

static void zero_copy(void **state) {
  Fixture *fixture = *state;
  enum { BYTES = 65536 };
  unsigned char *memory = malloc(BYTES + 128);
  unsigned char *data = memory + (64 - (uintptr_t)memory % 64);
  netcl_buffer *buffer = NULL;
  if (!fixture->capabilities.integrated) {
    FAILS(NETCL_ERROR_UNSUPPORTED,
          netcl_buffer_create_zero_copy(fixture->device, data, BYTES, &buffer));
    assert_null(buffer);
    free(memory);
    return;
  }
  OK(netcl_buffer_create_zero_copy(fixture->device, data, BYTES, &buffer));
  const netcl_buffer_info info = buffer_info(buffer);
  assert_ptr_equal(info.host_pointer, data);
  assert_int_equal(info.bytes, BYTES);
  assert_int_equal(info.zero_copy, 1);
  check_host_access(fixture, buffer, BYTES / 4);
  netcl_buffer_release(buffer);
  buffer = NULL;
  const size_t wrong[] = {1, 4, 16, 32, 63};
  for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "data",
               netcl_buffer_create_zero_copy(fixture->device, data + wrong[i], 64, &buffer));
    assert_null(buffer);
  }
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "data",
             netcl_buffer_create_zero_copy(fixture->device, NULL, 64, &buffer));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_buffer_create_zero_copy(fixture->device, data, 64, NULL));
  free(memory);
}

/* The caller's memory must be left alone past its end, whatever runs on it. */
static void zero_copy_ends(void **state) {
  Fixture *fixture = *state;
  if (!fixture->capabilities.integrated) SKIP("the device does not share memory with the host");
  unsigned char *memory = malloc(4096 + 128);
  unsigned char *data = memory + (64 - (uintptr_t)memory % 64);
  for (int64_t count = 1; count < 70; count += 3) {
    netcl_buffer *buffer = NULL;
    netcl_tensor *tensor = NULL;
    memset(memory, POISON, 4096 + 128);
    OK(netcl_buffer_create_zero_copy(fixture->device, data, (uint64_t)count, &buffer));
    OK(netcl_tensor_create_from_buffer(buffer, 0, NETCL_U8, 1, &count, NULL, &tensor));
    const uint8_t value = 7;
    OK(netcl_op_fill(tensor, &value, NULL));
    OK(netcl_tensor_wait(tensor, LONG_WAIT));
    for (int64_t i = 0; i < 128; ++i) {
      CHECK(data[i] == (i < count ? 7 : POISON), "fill of %lld bytes: byte %lld is %02x",
            (long long)count, (long long)i, data[i]);
    }
    netcl_tensor_release(tensor);
    netcl_buffer_release(buffer);
  }
  OK(netcl_device_finish(fixture->device, LONG_WAIT));
  free(memory);
}

static void tensors_over_a_buffer(void **state) {
  Fixture *fixture = *state;
  netcl_pool *pool = NULL;
  netcl_buffer *buffer = NULL;
  netcl_tensor *all = NULL, *part = NULL;
  int32_t values[256];
  const int64_t whole[] = {256};
  OK(netcl_device_get_pool(fixture->device, NETCL_POOL_PERSISTENT, &pool));
  OK(netcl_pool_allocate(pool, sizeof values, &buffer));
  OK(netcl_tensor_create_from_buffer(buffer, 0, NETCL_I32, 1, whole, NULL, &all));
  for (int i = 0; i < 256; ++i) values[i] = i;
  OK(netcl_tensor_write(all, values, sizeof values, NULL, LONG_WAIT));
  /* Negative strides reach below the offset. */
  const int64_t shape[] = {3, 4}, strides[] = {-8, 2};
  OK(netcl_tensor_create_from_buffer(buffer, 40 * 4, NETCL_I32, 2, shape, strides, &part));
  const int32_t wanted[] = {40, 42, 44, 46, 32, 34, 36, 38, 24, 26, 28, 30};
  CHECK_TENSOR(part, wanted);
  assert_int_equal(tensor_info(part).offset, 40);
  netcl_tensor_release(part);
  part = NULL;
  struct Case {
    uint64_t offset_bytes;
    int64_t extent;
    int64_t stride;
    int fits;
  } cases[] = {{0, 256, 1, 1}, {0, 257, 1, 0}, {4, 256, 1, 0}, {1020, 1, 1, 1}, {1024, 1, 1, 0},
               {1024, 0, 1, 1}, {1020, 256, -1, 1}, {1016, 256, -1, 0}, {0, 2, -1, 0},
               {0, 1000, 0, 1}, {0, 2, 255, 1}, {0, 2, 256, 0}, {2, 1, 1, 0},
               {UINT64_MAX - 3, 1, 1, 0}, {(uint64_t)1 << 63, 1, 1, 0}, {0, 2, INT64_MAX, 0},
               {0, 2, INT64_MIN, 0}, {0, INT64_MAX / 4, 0, 1}};
  for (size_t i = 0; i < COUNT_OF(cases); ++i) {
    const netcl_status status = netcl_tensor_create_from_buffer(
        buffer, cases[i].offset_bytes, NETCL_I32, 1, &cases[i].extent, &cases[i].stride, &part);
    CHECK(status == (cases[i].fits ? NETCL_OK : NETCL_ERROR_INVALID_ARGUMENT),
          "case %zu gives %s: %s", i, netcl_status_name(status), netcl_last_error_message());
    CHECK(cases[i].fits ? part != NULL : part == NULL, "case %zu: output", i);
    netcl_tensor_release(part);
    part = NULL;
  }
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_tensor_create_from_buffer(buffer, 0, NETCL_I32, 1, whole, NULL, NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "999",
             netcl_tensor_create_from_buffer(buffer, 0, 999, 1, whole, NULL, &part));
  struct _cl_mem *mem = NULL;
  if (fixture->opencl) {
    OK(netcl_buffer_get_cl_mem(buffer, &mem));
    assert_non_null(mem);
  } else {
    FAILS(NETCL_ERROR_UNSUPPORTED, netcl_buffer_get_cl_mem(buffer, &mem));
  }
  netcl_tensor_release(all);
  netcl_buffer_release(buffer);
  netcl_pool_release(pool);
}

static void empty(void **state) {
  Fixture *fixture = *state;
  netcl_pool *pool = NULL;
  netcl_buffer *buffer = NULL;
  netcl_tensor *tensor = NULL;
  const int64_t shape[] = {0, 5}, one[] = {1};
  OK(netcl_device_get_pool(fixture->device, NETCL_POOL_PERSISTENT, &pool));
  OK(netcl_pool_allocate(pool, 0, &buffer));
  assert_int_equal(buffer_info(buffer).bytes, 0);
  OK(netcl_tensor_create_from_buffer(buffer, 0, NETCL_F64, 2, shape, NULL, &tensor));
  OK(netcl_tensor_read(tensor, NULL, 0, NULL, LONG_WAIT));
  OK(netcl_tensor_write(tensor, NULL, 0, NULL, LONG_WAIT));
  netcl_tensor_release(tensor);
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_tensor_create_from_buffer(buffer, 0, NETCL_F64, 1, one, NULL, &tensor));
  struct _cl_mem *mem = NULL;
  FAILS(fixture->opencl ? NETCL_ERROR_NOT_FOUND : NETCL_ERROR_UNSUPPORTED,
        netcl_buffer_get_cl_mem(buffer, &mem));
  netcl_buffer_release(buffer);
  netcl_pool_release(pool);
}

/* Whoever lent memory learns from a handle of his own whether anything else works on it. */
static void sharing(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {64};
  netcl_tensor *tensor = NULL, *view = NULL;
  netcl_buffer *own = NULL, *other = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_U8, 1, shape, NULL, NULL, &tensor));
  OK(netcl_tensor_get_buffer(tensor, &own));
  assert_int_equal(buffer_info(own).shared, 1);
  const netcl_range half = {0, 32, 1};
  OK(netcl_tensor_slice(tensor, &half, 1, &view));
  netcl_tensor_release(tensor);
  assert_int_equal(buffer_info(own).shared, 1);
  OK(netcl_tensor_get_buffer(view, &other));
  netcl_tensor_release(view);
  assert_int_equal(buffer_info(own).shared, 1);
  assert_int_equal(buffer_info(other).shared, 1);
  netcl_buffer_release(other);
  OK(netcl_device_finish(fixture->device, LONG_WAIT));
  assert_int_equal(buffer_info(own).shared, 0);
  OK(netcl_buffer_retain(own));
  assert_int_equal(buffer_info(own).shared, 0);
  netcl_buffer_release(own);
  netcl_buffer_release(own);
}

/* A view shows what strides leave out of a new tensor: nothing of what the memory held before. */
static void gaps(void **state) {
  Fixture *fixture = *state;
  netcl_pool_options capped = NETCL_POOL_OPTIONS_INIT;
  capped.kind = NETCL_POOL_POWER_OF_TWO;
  netcl_pool *pool = NULL;
  OK(netcl_pool_create(fixture->device, &capped, &pool));
  netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
  options.pool = pool;
  for (int way = 0; way < 6; ++way) {
    const int64_t step = random_in(7, 60), count = 5, last = (count - 1) * step;
    const int64_t reach = last + 1, stride = way % 2 == 0 ? step : -step;
    netcl_buffer *lease = NULL;
    netcl_tensor *old = NULL, *tensor = NULL, *all = NULL;
    OK(netcl_pool_allocate(pool, (uint64_t)reach * 4, &lease));
    OK(netcl_tensor_create_from_buffer(lease, 0, NETCL_F32, 1, &reach, NULL, &old));
    const float poison = 77.0f, one = 1.0f;
    OK(netcl_op_fill(old, &poison, NULL));
    OK(netcl_device_finish(fixture->device, LONG_WAIT));
    netcl_tensor_release(old);
    netcl_buffer_release(lease);
    if (way < 2) {
      OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, &count, &stride, &options,
                                   &tensor));
    } else if (way < 4) {
      OK(netcl_tensor_create_full(fixture->device, NETCL_F32, 1, &count, &stride, &one, &options,
                                  &tensor));
    } else {
      OK(netcl_tensor_create_random(fixture->device, NETCL_F32, 1, &count, &stride, NULL, &options,
                                    &tensor));
    }
    OK(netcl_tensor_view(tensor, 1, &reach, NULL, way % 2 == 0 ? 0 : -last, &all));
    float *shown = read_tensor(all);
    for (int64_t i = 0; i < reach; ++i) {
      const int element = i % step == 0;
      const int right = !element || way < 2 ? shown[i] == 0.0f
                        : way < 4           ? shown[i] == 1.0f
                                            : shown[i] >= 0.0f && shown[i] < 1.0f;
      CHECK(right, "way %d, step %lld: place %lld shows %g", way, (long long)step, (long long)i,
            (double)shown[i]);
    }
    free(shown);
    netcl_tensor_release(all);
    netcl_tensor_release(tensor);
    OK(netcl_device_finish(fixture->device, LONG_WAIT));
  }
  netcl_pool_info info = NETCL_POOL_INFO_INIT;
  OK(netcl_pool_get_info(pool, &info));
  assert_true(info.hits > 0);
  netcl_pool_release(pool);
}

static netcl_status info_call(void *context, void *info) {
  return netcl_buffer_get_info(context, info);
}

static void structs(void **state) {
  Fixture *fixture = *state;
  netcl_buffer *buffer = NULL;
  OK(netcl_buffer_create_pinned(fixture->device, 100, &buffer));
  check_info_rules("netcl_buffer_info", info_call, buffer, sizeof(netcl_buffer_info), 0, 0);
  OK(netcl_buffer_retain(buffer));
  netcl_buffer_release(buffer);
  assert_int_equal(buffer_info(buffer).bytes, 100);
  netcl_buffer_release(buffer);
  FAILS(NETCL_ERROR_INVALID_HANDLE, netcl_buffer_retain(buffer));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(pinned),         DEVICE_TEST(pinned_tensor),         DEVICE_TEST(zero_copy),
      DEVICE_TEST(zero_copy_ends), DEVICE_TEST(tensors_over_a_buffer), DEVICE_TEST(empty),
      DEVICE_TEST(sharing),        DEVICE_TEST(gaps),                  DEVICE_TEST(structs),
  };
  seed_random("buffer");
  return cmocka_run_group_tests_name("buffer", tests, NULL, NULL);
}
