/* Copies to and from a device with memory of its own: pieces through page-locked memory. */
#include "support_fake.h"

enum { PIECE = 16 << 20 };

static netcl_device* open_separate(const char* selector) {
  netcl_device_options options = NETCL_DEVICE_OPTIONS_INIT;
  netcl_device* device = NULL;
  options.separate = 1;
  OK(netcl_device_open(selector, &options, &device));
  return device;
}

/* All pieces, and the last one that is not whole; the source is free afterwards. */
static void check_copy(netcl_device* from, netcl_device* to, int64_t count, netcl_copy_road road) {
  netcl_copy_explanation told = NETCL_COPY_EXPLANATION_INIT;
  unsigned char *data = malloc((size_t)count + 1), *back = malloc((size_t)count + 1);
  for (int64_t i = 0; i < count; ++i) data[i] = (unsigned char)((uint64_t)i * 2654435761u >> 13);
  netcl_tensor *source = make_tensor(from, NETCL_U8, 1, &count, data), *copy = NULL;
  netcl_event* event = NULL;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  OK(netcl_device_explain_copy(from, to, &told));
  CHECK(told.road == road && told.piece_bytes == PIECE && told.packs == 1, "road %d: %s", told.road,
        told.reason);
  OK(netcl_device_get_queue(to, &run.queue));
  run.event = &event;
  OK(netcl_op_copy(source, &run, &copy));
  memset(back, POISON, (size_t)count);
  OK(netcl_tensor_write(source, back, (size_t)count, NULL, LONG_WAIT));
  netcl_tensor_release(source);
  OK(netcl_event_wait(event, LONG_WAIT));
  OK(netcl_tensor_read(copy, back, (size_t)count, NULL, LONG_WAIT));
  CHECK(memcmp(data, back, (size_t)count) == 0, "%lld bytes differ", (long long)count);
  netcl_event_release(event);
  netcl_queue_release(run.queue);
  netcl_tensor_release(copy);
  free(data);
  free(back);
}

static void in_pieces(void** state) {
  Fixture* fixture = *state;
  netcl_device *builtin = open_separate("builtin"), *other = open_separate(test_selector());
  static const int64_t kCounts[] = {0, 1, 4096, PIECE, PIECE + 1, 5 * PIECE, 9 * PIECE + 77};
  for (size_t i = 0; i < COUNT_OF(kCounts); ++i) {
    check_copy(fixture->device, builtin, kCounts[i], NETCL_COPY_ROAD_TRANSFER);
    check_copy(builtin, fixture->device, kCounts[i], NETCL_COPY_ROAD_TRANSFER);
    check_copy(fixture->device, other, kCounts[i], NETCL_COPY_ROAD_STAGED);
    check_copy(other, fixture->device, kCounts[i], NETCL_COPY_ROAD_STAGED);
  }
  netcl_device_release(builtin);
  netcl_device_release(other);
}

/* No more page-locked memory than the pieces under way, whatever the length. */
static void staging_is_bounded(void** state) {
  Fixture* fixture = *state;
  netcl_device* other = open_separate(test_selector());
  netcl_pool* pool = NULL;
  netcl_pool_info info = NETCL_POOL_INFO_INIT;
  check_copy(other, fixture->device, 12 * (int64_t)PIECE, NETCL_COPY_ROAD_STAGED);
  OK(netcl_device_get_pool(other, NETCL_POOL_PINNED, &pool));
  OK(netcl_pool_get_info(pool, &info));
  CHECK(info.high_water_bytes <= 4 * (uint64_t)PIECE && info.high_water_bytes >= PIECE,
        "%llu bytes", (unsigned long long)info.high_water_bytes);
  assert_int_equal(info.bytes_in_use, 0);
  netcl_pool_release(pool);
  netcl_device_release(other);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(in_pieces), DEVICE_TEST(staging_is_bounded)};
  fake_script("log");
  return cmocka_run_group_tests_name("copies_fake", tests, NULL, NULL);
}
