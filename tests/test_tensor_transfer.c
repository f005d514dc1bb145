/*
 * Reads and writes: blocking, with an event, with time-outs; when the caller's array is free again
 * (the header on netcl_tensor_create_from_host and netcl_tensor_write); borrowed memory.
 */
#include <stdio.h>
#include <time.h>

#include "support.h"

static const netcl_toggle kToggles[] = {NETCL_DEFAULT, NETCL_ON, NETCL_OFF};

static void fill_pattern(uint64_t *data, size_t words, uint64_t key) {
  for (size_t i = 0; i < words; ++i) data[i] = (i + key) * UINT64_C(0x9E3779B97F4A7C15);
}

static void check_pattern(const uint64_t *data, size_t words, uint64_t key, const char *what) {
  for (size_t i = 0; i < words; ++i) {
    CHECK(data[i] == (i + key) * UINT64_C(0x9E3779B97F4A7C15), "%s: word %zu of %zu is wrong",
          what, i, words);
  }
}

/* Makes and writes a tensor, destroying the array as soon as each call returns. */
static void overwrite_after_return(Fixture *fixture, size_t words, netcl_toggle async_copy,
                                   netcl_toggle use_pinned) {
  const int64_t shape[] = {(int64_t)words};
  const size_t bytes = words * 8;
  uint64_t *host = malloc(bytes), *back = malloc(bytes);
  netcl_tensor *tensor = NULL;
  netcl_tensor_options make = NETCL_TENSOR_OPTIONS_INIT;
  netcl_transfer_options move = NETCL_TRANSFER_OPTIONS_INIT;
  char what[100];
  snprintf(what, sizeof what, "%zu bytes, async_copy %d, use_pinned %d", bytes, async_copy,
           use_pinned);
  make.async_copy = move.async_copy = async_copy;
  make.use_pinned = move.use_pinned = use_pinned;
  fill_pattern(host, words, 1);
  OK(netcl_tensor_create_from_host(fixture->device, NETCL_U64, 1, shape, NULL, host, bytes, &make,
                                   &tensor));
  memset(host, POISON, bytes);
  memset(back, POISON, bytes);
  move.async_copy = NETCL_DEFAULT; /* of writes alone */
  OK(netcl_tensor_read(tensor, back, bytes, &move, LONG_WAIT));
  check_pattern(back, words, 1, what);
  move.async_copy = async_copy;
  fill_pattern(host, words, 99);
  OK(netcl_tensor_write(tensor, host, bytes, &move, LONG_WAIT));
  memset(host, POISON, bytes);
  free(host);
  memset(back, POISON, bytes);
  OK(netcl_tensor_read(tensor, back, bytes, NULL, LONG_WAIT));
  check_pattern(back, words, 99, what);
  netcl_tensor_release(tensor);
  free(back);
}

static void array_is_free_after_return(void **state) {
  Fixture *fixture = *state;
  const size_t sizes[] = {1, 100, 8192, 131072, 1000003, 4 << 20};
  const size_t count = COUNT_OF(sizes) - (only_sanitized() ? 1 : 0);
  for (size_t s = 0; s < count; ++s) {
    for (int combination = 0; combination < 9; ++combination) {
      overwrite_after_return(fixture, sizes[s], kToggles[combination / 3],
                             kToggles[combination % 3]);
    }
  }
}

static void array_is_free_after_return_256_mib(void **state) {
  const char *all = getenv("NETCL_TEST_FULL");
  const size_t words = only_sanitized() ? 8 << 20 : 32 << 20;
  overwrite_after_return(*state, words, NETCL_DEFAULT, NETCL_DEFAULT);
  if (all == NULL || strcmp(all, "1") != 0) return;
  for (int c = 0; c < 4; ++c) {
    overwrite_after_return(*state, 32 << 20, kToggles[1 + c / 2], kToggles[1 + c % 2]);
  }
}

/* Writes behind slow work must neither wait for it nor lose the data. */
static void writes_behind_slow_work(void **state) {
  Fixture *fixture = *state;
  enum { WORDS = 100000, COUNT = 8 };
  const int64_t shape[] = {WORDS};
  uint64_t *host = malloc(WORDS * 8), *back = malloc(WORDS * 8);
  netcl_tensor *tensors[COUNT];
  for (int i = 0; i < COUNT; ++i) {
    OK(netcl_tensor_create_zeros(fixture->device, NETCL_U64, 1, shape, NULL, NULL, &tensors[i]));
  }
  start_slow_work(fixture, NULL, NULL, NULL);
  for (int i = 0; i < COUNT; ++i) {
    fill_pattern(host, WORDS, (uint64_t)i * 7);
    OK(netcl_tensor_write(tensors[i], host, WORDS * 8, NULL, LONG_WAIT));
    memset(host, POISON, WORDS * 8);
  }
  for (int i = 0; i < COUNT; ++i) {
    OK(netcl_tensor_read(tensors[i], back, WORDS * 8, NULL, LONG_WAIT));
    check_pattern(back, WORDS, (uint64_t)i * 7, "behind slow work");
    netcl_tensor_release(tensors[i]);
  }
  free(host);
  free(back);
}

static void reads_with_events(void **state) {
  Fixture *fixture = *state;
  enum { COUNT = 6 };
  const int64_t shape[] = {100, 33};
  netcl_tensor *base = NULL;
  int32_t *values[COUNT];
  netcl_event *events[COUNT];
  const int32_t zero = 0;
  OK(netcl_tensor_create_full(fixture->device, NETCL_I32, 2, shape, NULL, &zero, NULL, &base));
  /* Each read must see the state at its place in the order, not the last one. */
  for (int i = 0; i < COUNT; ++i) {
    const uint32_t axes[] = {1, 0};
    netcl_transfer_options options = NETCL_TRANSFER_OPTIONS_INIT;
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    netcl_tensor *transposed = NULL;
    values[i] = malloc(13200);
    memset(values[i], POISON, 13200);
    options.event = &events[i];
    if (i % 2) options.use_pinned = NETCL_OFF;
    OK(netcl_tensor_permute(base, axes, 2, &transposed));
    OK(netcl_tensor_read(i % 2 ? base : transposed, values[i], 13200, &options, LONG_WAIT));
    netcl_tensor_release(transposed);
    run.into = base;
    OK(netcl_op_expression_text("v0 + 1", &base, 1, NULL, &run, NULL));
  }
  netcl_tensor_release(base);
  for (int i = 0; i < COUNT; ++i) {
    OK(netcl_event_wait(events[i], LONG_WAIT));
    for (int k = 0; k < 3300; ++k) CHECK(values[i][k] == i, "read %d gives %d", i, values[i][k]);
    netcl_event_release(events[i]);
    free(values[i]);
  }
}

static void read_times_out(void **state) {
  Fixture *fixture = *state;
  netcl_queue *queue = NULL;
  netcl_tensor *tensor = NULL;
  NEEDS_WORK_IN_FLIGHT(fixture);
  OK(netcl_queue_create(fixture->device, NULL, &queue));
  start_slow_work(fixture, queue, &tensor, NULL);
  const size_t bytes = (size_t)tensor_info(tensor).byte_count;
  unsigned char *data = malloc(bytes);
  memset(data, POISON, bytes);
  FAILS(NETCL_ERROR_TIMEOUT, netcl_tensor_read(tensor, data, bytes, NULL, 0));
  FAILS(NETCL_ERROR_TIMEOUT, netcl_tensor_read(tensor, data, bytes, NULL, 1000000));
  for (size_t i = 0; i < bytes; ++i) CHECK(data[i] == POISON, "byte %zu was written", i);
  OK(netcl_queue_finish(queue, LONG_WAIT));
  const struct timespec pause = {0, 20 * 1000 * 1000};
  nanosleep(&pause, NULL);
  /* A read that timed out does not come back later. */
  for (size_t i = 0; i < bytes; ++i) CHECK(data[i] == POISON, "byte %zu was written late", i);
  OK(netcl_tensor_read(tensor, data, bytes, NULL, 10 * SECOND));
  unsigned changed = 0;
  for (size_t i = 0; i < bytes; ++i) changed += data[i] != POISON;
  CHECK(changed == bytes, "%u of %zu bytes were read", changed, bytes);
  free(data);
  netcl_tensor_release(tensor);
  netcl_queue_release(queue);
}

static void write_times_out(void **state) {
  Fixture *fixture = *state;
  netcl_queue *queue = NULL;
  netcl_tensor *tensor = NULL;
  NEEDS_WORK_IN_FLIGHT(fixture);
  OK(netcl_queue_create(fixture->device, NULL, &queue));
  start_slow_work(fixture, queue, &tensor, NULL);
  const size_t bytes = (size_t)tensor_info(tensor).byte_count;
  unsigned char *data = malloc(bytes), *before;
  memset(data, 0x3C, bytes);
  netcl_transfer_options options = NETCL_TRANSFER_OPTIONS_INIT;
  options.queue = queue;
  options.async_copy = NETCL_OFF;  /* Must wait for the slow work, and may not. */
  FAILS(NETCL_ERROR_TIMEOUT, netcl_tensor_write(tensor, data, bytes, &options, 0));
  memset(data, POISON, bytes);
  OK(netcl_queue_finish(queue, LONG_WAIT));
  before = read_tensor(tensor);
  for (size_t i = 0; i < bytes; ++i) {
    CHECK(before[i] != 0x3C && before[i] != POISON, "byte %zu was written", i);
  }
  free(before);
  OK(netcl_tensor_write(tensor, data, bytes, &options, LONG_WAIT));
  CHECK_TENSOR(tensor, data);
  free(data);
  netcl_tensor_release(tensor);
  netcl_queue_release(queue);
}

static void sizes(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {5, 5};
  float values[30] = {0};
  netcl_tensor *tensor = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, shape, NULL, NULL, &tensor));
  const size_t wrong[] = {0, 1, 99, 101, 96, 104, SIZE_MAX};
  for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "data_size",
               netcl_tensor_read(tensor, values, wrong[i], NULL, LONG_WAIT));
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "data_size",
               netcl_tensor_write(tensor, values, wrong[i], NULL, LONG_WAIT));
  }
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "data",
             netcl_tensor_read(tensor, NULL, 100, NULL, LONG_WAIT));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "data",
             netcl_tensor_write(tensor, NULL, 100, NULL, LONG_WAIT));
  netcl_transfer_options options = NETCL_TRANSFER_OPTIONS_INIT;
  options.async_copy = 3;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "async_copy",
             netcl_tensor_write(tensor, values, 100, &options, LONG_WAIT));
  options.async_copy = NETCL_DEFAULT;
  options.use_pinned = -1;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "use_pinned",
             netcl_tensor_write(tensor, values, 100, &options, LONG_WAIT));
  netcl_tensor_release(tensor);
}

/* What a call has no use for is refused by name and value, with all outputs untouched. */
static void refuses_options_without_use(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {25};
  float values[25] = {1}, back[25];
  const float zero = 0;
  netcl_event *event = NULL;
  netcl_tensor *tensor = make_tensor(fixture->device, NETCL_F32, 1, shape, values), *made = NULL;
  static const struct {
    netcl_toggle async_copy, use_pinned;
    uint32_t borrow, with_event;
    const char *says;
  } kReads[] = {{NETCL_ON, 0, 0, 0, "options->async_copy is 1"},
                {NETCL_OFF, 0, 0, 1, "options->async_copy is 2"},
                {0, 0, 1, 0, "options->borrow is 1"},
                {0, 0, 1, 1, "options->borrow is 1"},
                {0, 0, 7, 0, "options->borrow is 7"},
                {9, 0, 0, 0, "options->async_copy is 9"},
                {0, NETCL_ON, 0, 1, "options->use_pinned is NETCL_ON"}};
  memset(back, POISON, sizeof back);
  for (size_t i = 0; i < COUNT_OF(kReads); ++i) {
    netcl_transfer_options options = NETCL_TRANSFER_OPTIONS_INIT;
    options.async_copy = kReads[i].async_copy;
    options.use_pinned = kReads[i].use_pinned;
    options.borrow = kReads[i].borrow;
    if (kReads[i].with_event) options.event = &event;
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, kReads[i].says,
               netcl_tensor_read(tensor, back, sizeof back, &options, LONG_WAIT));
    assert_null(event);
  }
  for (size_t i = 0; i < sizeof back; ++i) assert_int_equal(((unsigned char *)back)[i], POISON);
  for (int i = 0; i < 4; ++i) {
    netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
    const char *const says = i < 2 ? "options->async_copy is" : "options->use_pinned is";
    *(i < 2 ? &options.async_copy : &options.use_pinned) = i % 2 ? NETCL_ON : NETCL_OFF;
    options.event = &event;
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, says,
               netcl_tensor_create(fixture->device, NETCL_F32, 1, shape, NULL, &options, &made));
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, says,
               netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, shape, NULL, &options,
                                         &made));
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, says,
               netcl_tensor_create_full(fixture->device, NETCL_F32, 1, shape, NULL, &zero,
                                        &options, &made));
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, says,
               netcl_tensor_create_random(fixture->device, NETCL_F32, 1, shape, NULL, NULL,
                                          &options, &made));
    assert_true(made == NULL && event == NULL);
  }
  netcl_tensor_release(tensor);
}

/* Random strided writes and reads on random queues, with every combination of options. */
static void random_transfers(void **state) {
  Fixture *fixture = *state;
  netcl_queue *queues[3] = {NULL, NULL, NULL};
  OK(netcl_queue_create(fixture->device, NULL, &queues[1]));
  OK(netcl_queue_create(fixture->device, NULL, &queues[2]));
  for (int round = 0; round < 60; ++round) {
    const netcl_dtype dtype = kDtypes[random_in(0, DTYPES - 1)];
    const size_t size = netcl_dtype_size(dtype);
    const int64_t shape[] = {random_in(1, 40), random_in(1, 40), random_in(1, 40)};
    const uint32_t axes[] = {2, 0, 1};
    const int64_t count = product(3, shape);
    unsigned char *data = malloc((size_t)count * size), *fresh = malloc((size_t)count * size);
    fill_random(dtype, data, count, 100);
    fill_random(dtype, fresh, count, 100);
    Model model = model_packed(dtype, 3, shape, data);
    netcl_tensor *base = make_tensor(fixture->device, dtype, 3, shape, data), *view = NULL;
    Model moved = model_permute(&model, axes);
    OK(netcl_tensor_permute(base, axes, 3, &view));
    netcl_transfer_options options = NETCL_TRANSFER_OPTIONS_INIT;
    netcl_event *event = NULL;
    options.queue = queues[random_in(0, 2)];
    options.async_copy = kToggles[random_in(0, 2)];
    options.use_pinned = kToggles[random_in(0, 2)];
    options.borrow = (uint32_t)random_in(0, 1);
    options.event = &event;
    OK(netcl_tensor_write(view, fresh, (size_t)count * size, &options, LONG_WAIT));
    model_scatter(&moved, fresh);
    if (options.borrow) OK(netcl_event_wait(event, LONG_WAIT));
    memset(fresh, POISON, (size_t)count * size);
    netcl_event_release(event);
    options.event = NULL;
    options.async_copy = NETCL_DEFAULT;
    options.borrow = 0;
    options.queue = queues[random_in(0, 2)];
    unsigned char *got = malloc((size_t)count * size);
    memset(got, POISON, (size_t)count * size);
    OK(netcl_tensor_read(base, got, (size_t)count * size, &options, LONG_WAIT));
    assert_memory_equal(got, data, (size_t)count * size);
    netcl_tensor_release(view);
    netcl_tensor_release(base);
    free(got);
    free(fresh);
    free(data);
  }
  netcl_queue_release(queues[1]);
  netcl_queue_release(queues[2]);
}

/* With borrow on a device that shares memory, what the device writes is seen in the array. */
static void borrowed_array(void **state) {
  Fixture *fixture = *state;
  enum { COUNT = 4096 };
  const int64_t shape[] = {COUNT};
  /* A page of room before and behind the array, which itself begins on a page. */
  char *memory = malloc(COUNT * 4 + 8192);
  float *host = (float *)(void *)(memory + (4096 - (uintptr_t)memory % 4096));
  netcl_event *event = NULL;
  netcl_tensor *tensor = NULL;
  netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  for (int i = 0; i < COUNT; ++i) host[i] = (float)i;
  options.borrow = 1;
  options.event = &event;
  OK(netcl_tensor_create_from_host(fixture->device, NETCL_F32, 1, shape, NULL, host, COUNT * 4,
                                   &options, &tensor));
  OK(netcl_event_wait(event, LONG_WAIT));
  netcl_event_release(event);
  const netcl_tensor_info info = tensor_info(tensor);
  assert_int_equal(info.zero_copy, fixture->capabilities.integrated);
  assert_int_equal(info.borrowed, info.zero_copy);
  run.into = tensor;
  OK(netcl_op_expression_text("v0 * 2 + 1", &tensor, 1, NULL, &run, NULL));
  OK(netcl_tensor_wait(tensor, LONG_WAIT));
  for (int i = 0; i < COUNT; ++i) {
    const float wanted = info.zero_copy ? 2 * (float)i + 1 : (float)i;
    CHECK(host[i] == wanted, "element %d of the array is %g, not %g", i, host[i], wanted);
  }
  float *values = read_tensor(tensor);
  for (int i = 0; i < COUNT; ++i) CHECK(values[i] == 2 * (float)i + 1, "element %d", i);
  free(values);
  netcl_tensor_release(tensor);
  OK(netcl_device_finish(fixture->device, LONG_WAIT));
  free(memory);
}

/* Without borrow nothing of the array is kept, aligned as it may be. */
static void not_borrowed(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {1024};
  float *memory = calloc(3072, 4);
  float *host = (float *)(void *)((char *)memory + (4096 - (uintptr_t)memory % 4096));
  netcl_tensor *tensor = make_tensor(fixture->device, NETCL_F32, 1, shape, host);
  assert_int_equal(tensor_info(tensor).borrowed, 0);
  const float one = 1;
  OK(netcl_op_fill(tensor, &one, NULL));
  OK(netcl_tensor_wait(tensor, LONG_WAIT));
  for (int i = 0; i < 1024; ++i) CHECK(host[i] == 0, "the device wrote to the caller's array");
  netcl_tensor_release(tensor);
  free(memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(array_is_free_after_return),
      DEVICE_TEST(array_is_free_after_return_256_mib),
      DEVICE_TEST(writes_behind_slow_work),
      DEVICE_TEST(reads_with_events),
      DEVICE_TEST(read_times_out),
      DEVICE_TEST(write_times_out),
      DEVICE_TEST(sizes),
      DEVICE_TEST(refuses_options_without_use), DEVICE_TEST(random_transfers),
      DEVICE_TEST(borrowed_array),
      DEVICE_TEST(not_borrowed),
  };
  seed_random("tensor_transfer");
  return cmocka_run_group_tests_name("tensor_transfer", tests, NULL, NULL);
}
