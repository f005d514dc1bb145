/* Making tensors: every dtype, shapes, strides, and every way to ask for too much. */
#include "support.h"

/* Bit patterns that a careless float path would change. */
static const uint64_t kPatterns[] = {0, 1, UINT64_C(0x8000800080008000),
                                     UINT64_C(0x7F817F817F817F81), UINT64_C(0x7C017C017C017C01),
                                     UINT64_C(0x7FF0000000000001), UINT64_C(0xFFFFFFFFFFFFFFFF),
                                     UINT64_C(0x0102030405060708)};

static void zeros_and_full(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {3, 5, 7};
  for (int t = 0; t < DTYPES; ++t) {
    const netcl_dtype dtype = kDtypes[t];
    const size_t size = netcl_dtype_size(dtype);
    unsigned char wanted[105 * 8];
    netcl_tensor *tensor = NULL;
    memset(wanted, 0, sizeof wanted);
    OK(netcl_tensor_create_zeros(fixture->device, dtype, 3, shape, NULL, NULL, &tensor));
    const netcl_tensor_info info = tensor_info(tensor);
    assert_int_equal(info.dtype, dtype);
    assert_int_equal(info.rank, 3);
    for (int d = 0; d < 3; ++d) assert_int_equal(info.shape[d], shape[d]);
    for (int d = 3; d < 8; ++d) assert_int_equal(info.shape[d] | info.strides[d], 0);
    assert_int_equal(info.strides[0], 35);
    assert_int_equal(info.strides[1], 7);
    assert_int_equal(info.strides[2], 1);
    assert_int_equal(info.offset, 0);
    assert_int_equal(info.element_count, 105);
    assert_int_equal(info.byte_count, 105 * size);
    assert_int_equal(info.contiguous, 1);
    assert_int_equal(info.borrowed, 0);
    assert_int_equal(info.pooled, 1);
    CHECK_TENSOR(tensor, wanted);
    for (size_t p = 0; p < COUNT_OF(kPatterns); ++p) {
      uint64_t bits = kPatterns[p];
      if (dtype == NETCL_BOOL) bits &= 1;
      netcl_tensor *full = NULL;
      for (int i = 0; i < 105; ++i) memcpy(wanted + (size_t)i * size, &bits, size);
      OK(netcl_tensor_create_full(fixture->device, dtype, 3, shape, NULL, &bits, NULL, &full));
      CHECK_TENSOR(full, wanted);
      netcl_tensor_release(full);
      OK(netcl_op_fill(tensor, &bits, NULL));
      CHECK_TENSOR(tensor, wanted);
    }
    netcl_tensor_release(tensor);
  }
  netcl_tensor *tensor = NULL;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "value",
             netcl_tensor_create_full(fixture->device, NETCL_F32, 3, shape, NULL, NULL, NULL,
                                      &tensor));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 3, shape, NULL, NULL, &tensor));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "value", netcl_op_fill(tensor, NULL, NULL));
  netcl_tensor_release(tensor);
}

static void empty_and_scalar(void **state) {
  Fixture *fixture = *state;
  const int64_t shapes[][3] = {{0, 1, 1}, {3, 0, 2}, {0, 0, 0}, {1 << 20, 1 << 20, 0}};
  for (int t = 0; t < DTYPES; ++t) {
    const netcl_dtype dtype = kDtypes[t];
    netcl_tensor *tensor = NULL, *result = NULL;
    for (size_t i = 0; i < COUNT_OF(shapes); ++i) {
      OK(netcl_tensor_create_zeros(fixture->device, dtype, 3, shapes[i], NULL, NULL, &tensor));
      const netcl_tensor_info info = tensor_info(tensor);
      assert_int_equal(info.element_count, 0);
      assert_int_equal(info.byte_count, 0);
      assert_int_equal(info.contiguous, 1);
      OK(netcl_tensor_read(tensor, NULL, 0, NULL, LONG_WAIT));
      OK(netcl_tensor_write(tensor, NULL, 0, NULL, LONG_WAIT));
      OK(netcl_tensor_wait(tensor, LONG_WAIT));
      const uint64_t zero = 0;
      OK(netcl_op_fill(tensor, &zero, NULL));
      OK(netcl_op_copy(tensor, NULL, &result));
      netcl_tensor_release(result);
      if (dtype != NETCL_F64 || fixture->capabilities.fp64 || !fixture->kernels) {
        OK(netcl_op_expression_text("v0 + v0", &tensor, 1, NULL, NULL, &result));
        assert_int_equal(tensor_info(result).element_count, 0);
        netcl_tensor_release(result);
      }
      netcl_tensor_release(tensor);
      OK(netcl_tensor_create_from_host(fixture->device, dtype, 3, shapes[i], NULL, NULL, 0, NULL,
                                       &tensor));
      netcl_tensor_release(tensor);
    }
    const uint64_t bits = 1;
    OK(netcl_tensor_create_full(fixture->device, dtype, 0, NULL, NULL, &bits, NULL, &tensor));
    assert_int_equal(tensor_info(tensor).rank, 0);
    assert_int_equal(tensor_info(tensor).element_count, 1);
    CHECK_TENSOR(tensor, &bits);
    OK(netcl_op_copy(tensor, NULL, &result));
    CHECK_TENSOR(result, &bits);
    netcl_tensor_release(result);
    netcl_tensor_release(tensor);
  }
}

static void bad_shapes(void **state) {
  Fixture *fixture = *state;
  netcl_device *d = fixture->device;
  netcl_tensor *tensor = NULL;
  const float value = 1;
  const int64_t nine[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  const int64_t negative[] = {4, -3, 2};
  const int64_t least[] = {INT64_MIN};
  const int64_t wide[] = {(int64_t)1 << 32, (int64_t)1 << 31};
  const int64_t bytes_wide[] = {(int64_t)1 << 31, (int64_t)1 << 30};  /* 2^61 floats: 2^63 bytes */
  const int64_t wraps[] = {(int64_t)1 << 32, (int64_t)1 << 32, 2};    /* 2^65, which wraps to 0 */
  const int64_t hidden[] = {0, (int64_t)1 << 62, (int64_t)1 << 62};
  const int64_t small[] = {2, 2};
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "9",
             netcl_tensor_create_zeros(d, NETCL_F32, 9, nine, NULL, NULL, &tensor));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "rank",
             netcl_tensor_create(d, NETCL_F32, UINT32_MAX, nine, NULL, NULL, &tensor));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "-3",
             netcl_tensor_create_zeros(d, NETCL_F32, 3, negative, NULL, NULL, &tensor));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "shape[0]",
             netcl_tensor_create_full(d, NETCL_F32, 1, least, NULL, &value, NULL, &tensor));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "shape",
             netcl_tensor_create(d, NETCL_U8, 2, wide, NULL, NULL, &tensor));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "shape",
             netcl_tensor_create(d, NETCL_F32, 2, bytes_wide, NULL, NULL, &tensor));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "shape",
             netcl_tensor_create_zeros(d, NETCL_F32, 3, wraps, NULL, NULL, &tensor));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "shape",
             netcl_tensor_create_random(d, NETCL_F32, 3, wraps, NULL, NULL, NULL, &tensor));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "shape",
             netcl_tensor_create_from_host(d, NETCL_F32, 3, wraps, NULL, &value, 4, NULL,
                                           &tensor));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "shape",
             netcl_tensor_create_zeros(d, NETCL_F32, 3, hidden, NULL, NULL, &tensor));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "shape",
             netcl_tensor_create_zeros(d, NETCL_F32, 2, NULL, NULL, NULL, &tensor));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "999",
             netcl_tensor_create_zeros(d, 999, 2, small, NULL, NULL, &tensor));
  const netcl_dtype dtypes[] = {0, -1, 14, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < COUNT_OF(dtypes); ++i) {
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "dtype",
               netcl_tensor_create_zeros(d, dtypes[i], 2, small, NULL, NULL, &tensor));
  }
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "tensor",
             netcl_tensor_create_zeros(d, NETCL_F32, 2, small, NULL, NULL, NULL));
  assert_null(tensor);
  /* Sound shapes that no machine can hold. */
  const int64_t large[] = {(int64_t)1 << 58};
  const netcl_status status = netcl_tensor_create_zeros(d, NETCL_F32, 1, large, NULL, NULL,
                                                        &tensor);
  CHECK(status == NETCL_ERROR_OUT_OF_DEVICE_MEMORY || status == NETCL_ERROR_OUT_OF_HOST_MEMORY,
        "2^60 bytes give %s", netcl_status_name(status));
  assert_null(tensor);
}

static void strides_of_new_memory(void **state) {
  Fixture *fixture = *state;
  struct Case {
    int64_t shape[3];
    int64_t strides[3];
    int fits;
  } cases[] = {
      {{2, 3, 4}, {1, 2, 6}, 1},      {{2, 3, 4}, {100, 10, 1}, 1}, {{2, 3, 4}, {12, 4, -1}, 1},
      {{2, 3, 4}, {-12, 4, -1}, 1},   {{2, 3, 4}, {0, 4, 1}, 0},    {{2, 3, 4}, {12, 3, 1}, 0},
      {{1, 3, 4}, {0, 4, 1}, 1},      {{2, 3, 4}, {INT64_MAX, 4, 1}, 0},
      {{2, 3, 4}, {INT64_MIN, 4, 1}, 0}, {{2, 3, 4}, {(int64_t)1 << 61, 4, 1}, 0},
      {{0, 3, 4}, {0, 0, 0}, 1},
  };
  for (size_t c = 0; c < COUNT_OF(cases); ++c) {
    netcl_tensor *tensor = NULL;
    const netcl_status status = netcl_tensor_create_zeros(
        fixture->device, NETCL_I32, 3, cases[c].shape, cases[c].strides, NULL, &tensor);
    CHECK(status == (cases[c].fits ? NETCL_OK : NETCL_ERROR_INVALID_ARGUMENT),
          "case %zu gives %s: %s", c, netcl_status_name(status), netcl_last_error_message());
    if (!cases[c].fits) {
      CHECK(strstr(netcl_last_error_message(), "stride") != NULL, "case %zu says \"%s\"", c,
            netcl_last_error_message());
      assert_null(tensor);
      continue;
    }
    int32_t values[24];
    const netcl_tensor_info info = tensor_info(tensor);
    for (int i = 0; i < 24; ++i) values[i] = i * 7;
    OK(netcl_tensor_write(tensor, values, (size_t)info.byte_count, NULL, LONG_WAIT));
    CHECK_TENSOR(tensor, values);
    for (int d = 0; d < 3; ++d) assert_int_equal(info.strides[d], cases[c].strides[d]);
    netcl_tensor_release(tensor);
  }
}

/* The span of a layout in elements, counted from the lowest one it reaches. */
static int64_t layout_span(uint32_t rank, const int64_t *shape, const int64_t *strides,
                           int64_t *first) {
  int64_t low = 0, high = 0;
  for (uint32_t d = 0; d < rank; ++d) {
    const int64_t reach = (shape[d] - 1) * strides[d];
    *(reach < 0 ? &low : &high) += reach;
  }
  *first = -low;
  return high - low + 1;
}

/* Random layouts of host arrays: permuted, gaps, negative steps. */
static void from_host_layouts(void **state) {
  Fixture *fixture = *state;
  for (int round = 0; round < rounds(fixture, 150); ++round) {
    const netcl_dtype dtype = kDtypes[random_in(0, DTYPES - 1)];
    const size_t size = netcl_dtype_size(dtype);
    const uint32_t rank = (uint32_t)random_in(0, NETCL_RANK_MAX);
    int64_t shape[NETCL_RANK_MAX], strides[NETCL_RANK_MAX], first, stride = 1;
    uint32_t order[NETCL_RANK_MAX];
    for (uint32_t d = 0; d < rank; ++d) order[d] = d;
    for (uint32_t d = rank; d > 1; --d) {
      const uint32_t other = (uint32_t)random_in(0, d - 1), kept = order[d - 1];
      order[d - 1] = order[other];
      order[other] = kept;
    }
    for (uint32_t i = 0; i < rank; ++i) {
      const uint32_t d = order[i];
      shape[d] = random_in(1, rank > 5 ? 3 : 6);
      strides[d] = random_in(0, 3) == 0 ? -stride : stride;
      stride *= shape[d];
      stride += random_in(0, 4) == 0 ? random_in(0, 3) : 0;
    }
    const int64_t span = layout_span(rank, shape, strides, &first);
    const int64_t count = product(rank, shape);
    Model model = model_packed(dtype, rank, shape, NULL);
    memcpy(model.strides, strides, sizeof strides);
    model.offset = first;
    model.data = malloc((size_t)span * size);
    fill_random(dtype, model.data, span, 100);
    void *wanted = model_gather(&model);
    netcl_tensor *tensor = NULL;
    OK(netcl_tensor_create_from_host(fixture->device, dtype, rank, shape, strides, model.data,
                                     (size_t)span * size, NULL, &tensor));
    memset(model.data, POISON, (size_t)span * size);
    const netcl_tensor_info info = tensor_info(tensor);
    assert_int_equal(info.element_count, count);
    for (uint32_t d = 0; d < rank; ++d) assert_int_equal(info.strides[d], strides[d]);
    CHECK_TENSOR(tensor, wanted);
    netcl_tensor_release(tensor);
    tensor = NULL;
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "data_size",
               netcl_tensor_create_from_host(fixture->device, dtype, rank, shape, strides,
                                             model.data, (size_t)span * size - 1, NULL, &tensor));
    assert_null(tensor);
    free(wanted);
    free(model.data);
  }
  const int64_t shape[] = {4};
  const int64_t broadcast[] = {0};
  const float one = 1;
  netcl_tensor *tensor = NULL;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "data",
             netcl_tensor_create_from_host(fixture->device, NETCL_F32, 1, shape, NULL, NULL, 16,
                                           NULL, &tensor));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "stride",
             netcl_tensor_create_from_host(fixture->device, NETCL_F32, 1, shape, broadcast, &one,
                                           4, NULL, &tensor));
  assert_null(tensor);
}

static void options(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {32};
  float values[32];
  netcl_pool *pool = NULL;
  netcl_queue *queue = NULL;
  netcl_tensor *tensor = NULL;
  netcl_event *event = NULL;
  netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
  netcl_pool_info info = NETCL_POOL_INFO_INIT;
  netcl_queue_info queue_info = NETCL_QUEUE_INFO_INIT;
  OK(netcl_pool_create(fixture->device, NULL, &pool));
  OK(netcl_queue_create(fixture->device, NULL, &queue));
  options.pool = pool;
  options.queue = queue;
  options.event = &event;
  fill_random(NETCL_F32, values, 32, 1);
  OK(netcl_tensor_create_from_host(fixture->device, NETCL_F32, 1, shape, NULL, values, 128,
                                   &options, &tensor));
  OK(netcl_event_wait(event, LONG_WAIT));
  OK(netcl_pool_get_info(pool, &info));
  assert_true(info.bytes_in_use >= 128);
  OK(netcl_queue_get_info(queue, &queue_info));
  assert_true(queue_info.commands > 0);
  CHECK_TENSOR(tensor, values);
  netcl_tensor_release(tensor);
  netcl_event_release(event);
  event = NULL;
  const netcl_toggle wrong[] = {-1, 3, 999};
  for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
    tensor = NULL;
    options.async_copy = wrong[i];
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "async_copy",
               netcl_tensor_create_from_host(fixture->device, NETCL_F32, 1, shape, NULL, values,
                                             128, &options, &tensor));
    /* Also where the device writes by itself. */
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "async_copy",
               netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, shape, NULL, &options,
                                         &tensor));
    options.async_copy = NETCL_DEFAULT;
    options.use_pinned = wrong[i];
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "use_pinned",
               netcl_tensor_create_from_host(fixture->device, NETCL_F32, 1, shape, NULL, values,
                                             128, &options, &tensor));
    options.use_pinned = NETCL_DEFAULT;
    assert_true(tensor == NULL && event == NULL);
  }
  options.pool = (netcl_pool *)(void *)queue;
  FAILS(NETCL_ERROR_INVALID_HANDLE,
        netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, shape, NULL, &options, &tensor));
  options.pool = pool;
  options.queue = (netcl_queue *)(void *)pool;
  FAILS(NETCL_ERROR_INVALID_HANDLE,
        netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, shape, NULL, &options, &tensor));
  assert_null(tensor);
  netcl_pool_release(pool);
  netcl_queue_release(queue);
}

static netcl_status info_call(void *context, void *info) {
  return netcl_tensor_get_info(context, info);
}

static void handles(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {4, 4};
  netcl_tensor *tensor = NULL;
  netcl_device *device = NULL;
  netcl_buffer *buffer = NULL;
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  netcl_buffer_info memory = NETCL_BUFFER_INFO_INIT;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, shape, NULL, NULL, &tensor));
  check_info_rules("netcl_tensor_info", info_call, tensor, sizeof(netcl_tensor_info), 0, 0);
  OK(netcl_tensor_get_device(tensor, &device));
  OK(netcl_device_get_info(device, &info));
  assert_int_equal(info.index, fixture->info.index);
  OK(netcl_tensor_get_buffer(tensor, &buffer));
  OK(netcl_buffer_get_info(buffer, &memory));
  assert_true(memory.bytes >= 64 && memory.bucket_bytes >= memory.bytes);
  OK(netcl_tensor_retain(tensor));
  netcl_tensor_release(tensor);
  OK(netcl_tensor_wait(tensor, LONG_WAIT));
  netcl_tensor_release(tensor);
  FAILS(NETCL_ERROR_INVALID_HANDLE, netcl_tensor_wait(tensor, 0));
  netcl_buffer_release(buffer);
  netcl_device_release(device);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(zeros_and_full),        DEVICE_TEST(empty_and_scalar),
      DEVICE_TEST(bad_shapes),            DEVICE_TEST(strides_of_new_memory),
      DEVICE_TEST(from_host_layouts),     DEVICE_TEST(options),
      DEVICE_TEST(handles),
  };
  seed_random("tensor");
  return cmocka_run_group_tests_name("tensor", tests, NULL, NULL);
}
