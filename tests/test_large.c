/* Tensors of more than 4 GiB: elements beyond 2^32 bytes and 2^32 elements are reached. */
#include "support_large.h"

static void fill(netcl_tensor *tensor, uint8_t value) { OK(netcl_op_fill(tensor, &value, NULL)); }

static uint8_t read_byte(netcl_tensor *tensor, int64_t at) {
  uint8_t value = POISON;
  netcl_tensor *view = slice_1d(tensor, at, 1, 1);
  OK(netcl_tensor_read(view, &value, 1, NULL, LONG_WAIT));
  netcl_tensor_release(view);
  return value;
}

/* 4.5 GiB of bytes: parts before, across and after 2^32 are written and read one by one. */
static void views_beyond_4_gib(void **state) {
  Fixture *fixture = *state;
  const int64_t count = 9 * kGiB / 2, edge = 4 * kGiB;
  need_memory(fixture, (uint64_t)count, 2 * (uint64_t)count);
  netcl_tensor *tensor = NULL;
  uint8_t bytes[64], back[64];
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_U8, 1, &count, NULL, NULL, &tensor));
  netcl_tensor_info info = tensor_info(tensor);
  assert_true(info.byte_count == (uint64_t)count && info.element_count == count);
  const int64_t places[] = {0, 2 * kGiB - 32, edge - 64, edge - 32, edge, edge + 1, count - 64};
  for (size_t i = 0; i < COUNT_OF(places); i++) {
    netcl_tensor *view = slice_1d(tensor, places[i], 64, 1);
    for (int k = 0; k < 64; k++) bytes[k] = (uint8_t)random_bits();
    OK(netcl_tensor_write(view, bytes, 64, NULL, LONG_WAIT));
    memset(back, POISON, sizeof back);
    OK(netcl_tensor_read(view, back, 64, NULL, LONG_WAIT));
    assert_memory_equal(bytes, back, 64);
    fill(view, (uint8_t)(i + 1));
    netcl_tensor_release(view);
    assert_int_equal(read_byte(tensor, places[i] + 5), i + 1);
  }
  assert_int_equal(read_byte(tensor, 100), 0); /* nothing wrapped around */
  const netcl_range outside = {count - 1, 3, -(edge + 7)};
  netcl_tensor *view = NULL;
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_tensor_slice(tensor, &outside, 1, &view));
  netcl_tensor_release(tensor);
}

/* An expression over all elements, contiguous and reversed. */
static void ops_beyond_4_gib(void **state) {
  Fixture *fixture = *state;
  const int64_t count = 9 * kGiB / 2, edge = 4 * kGiB;
  need_memory(fixture, (uint64_t)count, 2 * (uint64_t)count);
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *tensor = NULL;
  const uint8_t seven = 7;
  OK(netcl_tensor_create_full(fixture->device, NETCL_U8, 1, &count, NULL, &seven, NULL, &tensor));
  run.into = tensor;
  OK(netcl_op_expression_text("v0 * 3 + 1", &tensor, 1, NULL, &run, NULL));
  OK(netcl_device_finish(fixture->device, 20 * LONG_WAIT));
  const int64_t places[] = {0, 1, edge - 1, edge, edge + 1, edge + 12345, count - 1};
  for (size_t i = 0; i < COUNT_OF(places); i++) {
    assert_int_equal(read_byte(tensor, places[i]), 22);
  }
  fill(tensor, 0);
  netcl_tensor *mark = slice_1d(tensor, edge + 3, 1, 1);
  fill(mark, 200);
  netcl_tensor_release(mark);
  netcl_tensor *every = slice_1d(tensor, count - 1, 3, -(count / 4)), *copy = NULL;
  OK(netcl_op_contiguous(every, NULL, &copy));
  assert_int_equal(tensor_info(copy).element_count, 3);
  netcl_tensor_release(every);
  netcl_tensor_release(copy);
  netcl_tensor *reversed = slice_1d(tensor, edge + 3 + 10, 21, -1);
  uint8_t back[21];
  OK(netcl_tensor_read(reversed, back, sizeof back, NULL, LONG_WAIT));
  for (int i = 0; i < 21; i++) assert_int_equal(back[i], i == 10 ? 200 : 0);
  netcl_tensor_release(reversed);
  netcl_tensor_release(tensor);
}

/* Random numbers far into a stream, at an element index beyond 2^32, without the memory. */
static void offsets_beyond_4_gib_of_random(void **state) {
  Fixture *fixture = *state;
  netcl_random_options random = NETCL_RANDOM_OPTIONS_INIT;
  netcl_tensor *first = NULL, *second = NULL;
  const int64_t hundred = 100, forty = 40;
  uint32_t a[100], b[40];
  random.seed = random_bits();
  random.offset = (uint64_t)1 << 33;
  OK(netcl_tensor_create_random(fixture->device, NETCL_U32, 1, &hundred, NULL, &random, NULL,
                                &first));
  random.offset += 60;
  OK(netcl_tensor_create_random(fixture->device, NETCL_U32, 1, &forty, NULL, &random, NULL,
                                &second));
  OK(netcl_tensor_read(first, a, sizeof a, NULL, LONG_WAIT));
  OK(netcl_tensor_read(second, b, sizeof b, NULL, LONG_WAIT));
  assert_memory_equal(a + 60, b, sizeof b);
  netcl_tensor_release(first);
  netcl_tensor_release(second);
}

/* A view may have more elements than memory has bytes: strides of 0 repeat. */
static void broadcast_beyond_4_gib(void **state) {
  Fixture *fixture = *state;
  const int64_t one = 1, shape[3] = {4096, 4096, 4096};
  netcl_tensor *tensor = NULL, *view = NULL, *part = NULL;
  const uint8_t value = 9;
  uint8_t back[8];
  OK(netcl_tensor_create_full(fixture->device, NETCL_U8, 1, &one, NULL, &value, NULL, &tensor));
  OK(netcl_tensor_broadcast(tensor, 3, shape, &view));
  assert_true(tensor_info(view).element_count == (int64_t)1 << 36);
  const netcl_range ranges[3] = {{4000, 2, 50}, {4095, 2, -3000}, {7, 2, 4000}};
  OK(netcl_tensor_slice(view, ranges, 3, &part));
  OK(netcl_tensor_read(part, back, sizeof back, NULL, LONG_WAIT));
  for (int i = 0; i < 8; i++) assert_int_equal(back[i], 9);
  netcl_tensor_release(part);
  netcl_tensor_release(view);
  netcl_tensor_release(tensor);
}

/* More than the device can give is an error, not a crash; the device works afterwards. */
static void too_large(void **state) {
  Fixture *fixture = *state;
  const int64_t shapes[] = {(int64_t)1 << 46, (int64_t)1 << 60, INT64_MAX};
  netcl_tensor *tensor = NULL;
  for (size_t i = 0; i < COUNT_OF(shapes); i++) {
    netcl_status status = netcl_tensor_create(fixture->device, NETCL_F64, 1, &shapes[i], NULL, NULL,
                                              &tensor);
    CHECK(status == NETCL_ERROR_INVALID_ARGUMENT || status == NETCL_ERROR_OUT_OF_DEVICE_MEMORY ||
              status == NETCL_ERROR_OUT_OF_HOST_MEMORY,
          "2^%d elements gave %s", i == 0 ? 46 : 60, netcl_status_name(status));
    assert_null(tensor);
  }
  const int64_t small = 10;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, &small, NULL, NULL, &tensor));
  OK(netcl_tensor_wait(tensor, LONG_WAIT));
  netcl_tensor_release(tensor);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(views_beyond_4_gib),
      DEVICE_TEST(ops_beyond_4_gib),
      DEVICE_TEST(offsets_beyond_4_gib_of_random),
      DEVICE_TEST(broadcast_beyond_4_gib),
      DEVICE_TEST(too_large),
  };
  seed_random("large");
  return cmocka_run_group_tests_name("large", tests, NULL, NULL);
}
