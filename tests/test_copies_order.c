/* Copies between devices: what they come after, and several at a time. */
#include <pthread.h>
#include <stdatomic.h>

#include "sanitizers.h"
#include "support_copies.h"

enum { DEVICES = COPY_DEVICES };
#define devices copy_devices

/* The copy of a value that is still being computed, on the only queue and without an event, or on
 * another one. */
static void after_the_source(void** state) {
  Fixture* fixture = *state;
  NEEDS_WORK_IN_FLIGHT(fixture);
  for (int turn = 0; turn < 2 * DEVICES; ++turn) {
    const int plain = turn < DEVICES;
    netcl_queue* queue = NULL;
    netcl_tensor *slow = NULL, *copy = NULL;
    netcl_event *event = NULL, *copied = NULL;
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    if (!plain) OK(netcl_queue_create(devices[0], NULL, &queue));
    OK(netcl_device_get_queue(devices[turn % DEVICES], &run.queue));
    start_slow_work(fixture, queue, &slow, plain ? NULL : &event);
    run.event = &copied;
    OK(netcl_op_copy(slow, &run, &copy));
    int32_t seen = 0;
    OK(netcl_tensor_read(copy, &seen, sizeof seen, NULL, LONG_WAIT));
    CHECK_TENSOR(slow, &seen);
    OK(netcl_event_wait(copied, LONG_WAIT));
    netcl_event_release(event);
    netcl_event_release(copied);
    netcl_tensor_release(slow);
    netcl_tensor_release(copy);
    netcl_queue_release(run.queue);
    netcl_queue_release(queue);
  }
}

/* What the target's device still does to it comes before the copy, and what it does later after. */
static void between_uses_of_the_target(void** state) {
  Fixture* fixture = *state;
  NEEDS_WORK_IN_FLIGHT(fixture);
  for (int i = 1; i < DEVICES; ++i) {
    netcl_queue* queue = NULL;
    netcl_tensor *slow = NULL, *sum = NULL;
    OK(netcl_queue_create(devices[0], NULL, &queue));
    start_slow_work(fixture, queue, &slow, NULL);
    const netcl_tensor_info info = tensor_info(slow);
    void* data = malloc(info.byte_count);
    for (int64_t j = 0; j < info.element_count; ++j) {
      store_double(info.dtype, data, j, (double)(j % 1000));
    }
    netcl_tensor* source = make_tensor(devices[i], info.dtype, info.rank, info.shape, data);
    netcl_run_options run = run_into(slow);
    OK(netcl_op_copy(source, &run, NULL));
    run.into = NULL;
    run.queue = queue;
    OK(netcl_op_expression_text("v0 + 1", &slow, 1, NULL, &run, &sum));
    CHECK_TENSOR(slow, data);
    for (int64_t j = 0; j < info.element_count; ++j) {
      store_double(info.dtype, data, j, (double)(j % 1000 + 1));
    }
    CHECK_TENSOR(sum, data);
    free(data);
    netcl_tensor_release(source);
    netcl_tensor_release(slow);
    netcl_tensor_release(sum);
    netcl_queue_release(queue);
  }
}

/* More pieces than are under way at a time, while the target's queue has something else to do. */
static void pieces_behind_other_work(void** state) {
  Fixture* fixture = *state;
  NEEDS_WORK_IN_FLIGHT(fixture);
  const int64_t piece = 16 << 20, count = 7 * piece;
  unsigned char *data = malloc((size_t)count), *back = malloc((size_t)count);
  /* Rows of 251 bytes, others in each piece: quicker under a sanitizer than byte by byte. */
  unsigned char row[251];
  for (int64_t i = 0, at = -1; i < count; i += (int64_t)sizeof row) {
    const int64_t left = count - i;
    if (i / piece != at) {
      at = i / piece;
      for (size_t k = 0; k < sizeof row; ++k) row[k] = (unsigned char)(at * 31 + (int64_t)k);
    }
    memcpy(data + i, row, left < (int64_t)sizeof row ? (size_t)left : sizeof row);
  }
  for (int i = 1; i < (only_sanitized() ? 2 : DEVICES); ++i) {
    netcl_tensor *source = make_tensor(devices[i], NETCL_U8, 1, &count, data), *target = NULL;
    OK(netcl_tensor_create_zeros(devices[0], NETCL_U8, 1, &count, NULL, NULL, &target));
    start_slow_work(fixture, NULL, NULL, NULL);
    const netcl_run_options run = run_into(target);
    OK(netcl_op_copy(source, &run, NULL));
    OK(netcl_tensor_read(target, back, (size_t)count, NULL, LONG_WAIT));
    CHECK(memcmp(data, back, (size_t)count) == 0, "the copy from device %d differs", i);
    netcl_tensor_release(source);
    netcl_tensor_release(target);
  }
  free(data);
  free(back);
}

/* Events of either device. */
static void after_events(void** state) {
  Fixture* fixture = *state;
  NEEDS_WORK_IN_FLIGHT(fixture);
  const int64_t shape[] = {2};
  const float data[] = {1, 2};
  for (int turn = 0; turn < 4; ++turn) {
    netcl_device *from = devices[turn & 1 ? 1 : 0], *to = devices[turn & 1 ? 0 : 1 + turn / 2];
    netcl_tensor *source = make_tensor(from, NETCL_F32, 1, shape, data), *copy = NULL;
    netcl_event* slow = NULL;
    netcl_event_state reached = NETCL_EVENT_QUEUED;
    netcl_queue* queue = NULL;
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    OK(netcl_queue_create(devices[0], NULL, &queue));
    start_slow_work(fixture, queue, NULL, &slow);
    OK(netcl_device_get_queue(to, &run.queue));
    run.waits = &slow;
    run.waits_count = 1;
    OK(netcl_op_copy(source, &run, &copy));
    OK(netcl_tensor_wait(copy, LONG_WAIT));
    OK(netcl_event_query(slow, &reached));
    CHECK(reached == NETCL_EVENT_COMPLETE, "the copy came before what it waits for");
    CHECK_TENSOR(copy, data);
    netcl_event_release(slow);
    netcl_queue_release(queue);
    netcl_queue_release(run.queue);
    netcl_tensor_release(source);
    netcl_tensor_release(copy);
  }
}

enum { SHARED = 1 << 16 };
typedef struct Crossing {
  netcl_tensor *from, *to;
  int rounds;
  int64_t fill; /* -1: copies */
} Crossing;
static atomic_int wrong_calls;

static void* cross(void* argument) {
  const Crossing* own = argument;
  for (int i = 0; i < own->rounds; ++i) {
    const netcl_run_options run = run_into(own->to);
    const int32_t value = (int32_t)own->fill + i;
    const netcl_status status = own->fill >= 0 ? netcl_op_fill(own->to, &value, NULL)
                                               : netcl_op_copy(own->from, &run, NULL);
    if (status != NETCL_OK) atomic_fetch_add(&wrong_calls, 1);
  }
  return NULL;
}

/* Copies in both directions at once, among writes: no thread waits for another for ever, and a
 * tensor holds one value at a time. */
static void crossing(void** state) {
  (void)state;
  const int64_t shape[] = {SHARED};
  const int many = sanitized_rounds(400);
  static int32_t data[SHARED];
  for (int i = 0; i < DEVICES; ++i) {
    for (int k = 0; k < i; ++k) {
      netcl_tensor *a = NULL, *b = NULL;
      OK(netcl_tensor_create_zeros(devices[i], NETCL_I32, 1, shape, NULL, NULL, &a));
      OK(netcl_tensor_create_zeros(devices[k], NETCL_I32, 1, shape, NULL, NULL, &b));
      Crossing works[] = {{a, b, many, -1}, {b, a, many, -1}, {a, a, many, 1}, {b, b, many, 5000}};
      pthread_t threads[COUNT_OF(works)];
      atomic_store(&wrong_calls, 0);
      for (size_t t = 0; t < COUNT_OF(works); ++t) {
        assert_int_equal(pthread_create(&threads[t], NULL, cross, &works[t]), 0);
      }
      for (size_t t = 0; t < COUNT_OF(works); ++t) pthread_join(threads[t], NULL);
      assert_int_equal(atomic_load(&wrong_calls), 0);
      netcl_tensor* const both[] = {a, b};
      for (int t = 0; t < 2; ++t) {
        OK(netcl_tensor_read(both[t], data, sizeof data, NULL, LONG_WAIT));
        for (int j = 1; j < SHARED; ++j) {
          CHECK(data[j] == data[0], "devices %d and %d: element %d is %d among %d", i, k, j,
                (int)data[j], (int)data[0]);
        }
      }
      netcl_tensor_release(a);
      netcl_tensor_release(b);
    }
  }
}

/* A thread writes one value after the other to a tensor, by copies or by fills. */
typedef struct Writer {
  netcl_tensor *values[2], *to;
  atomic_int stop;
} Writer;

static void* write_on(void* argument) {
  Writer* own = argument;
  for (int32_t i = 0; !atomic_load(&own->stop); ++i) {
    const netcl_run_options run = run_into(own->to);
    const netcl_status status = own->values[0] != NULL
                                    ? netcl_op_copy(own->values[i & 1], &run, NULL)
                                    : netcl_op_fill(own->to, &i, NULL);
    if (status != NETCL_OK) atomic_fetch_add(&wrong_calls, 1);
    /* Writes that nobody waits for would pile up in front of the copies. */
    if (netcl_tensor_wait(own->to, LONG_WAIT) != NETCL_OK) atomic_fetch_add(&wrong_calls, 1);
  }
  return NULL;
}

/* A copy is one value, in pieces too, while another thread writes the tensor that it comes from or
 * goes to. */
static void check_whole(netcl_device* from, netcl_device* to, int fills, int64_t count,
                        int rounds_most) {
  int32_t* data = malloc((size_t)count * sizeof *data);
  const int64_t* const shape = &count;
  const int32_t one = 1, two = 2;
  Writer writer = {{NULL, NULL}, NULL, 0};
  netcl_tensor *source = NULL, *target = NULL;
  pthread_t thread;
  atomic_store(&wrong_calls, 0);
  OK(netcl_tensor_create_full(from, NETCL_I32, 1, shape, NULL, &one, NULL, &source));
  OK(netcl_tensor_create_full(to, NETCL_I32, 1, shape, NULL, &one, NULL, &target));
  if (!fills) {
    OK(netcl_tensor_create_full(from, NETCL_I32, 1, shape, NULL, &two, NULL, &writer.values[1]));
    writer.values[0] = source;
  }
  writer.to = fills ? source : target;
  assert_int_equal(pthread_create(&thread, NULL, write_on, &writer), 0);
  const netcl_run_options run = run_into(target);
  for (int i = sanitized_rounds(rounds_most); i > 0; --i) {
    netcl_tensor* seen = NULL;
    if (fills) OK(netcl_op_copy(source, &run, NULL));
    OK(netcl_op_copy(target, NULL, &seen));
    OK(netcl_tensor_read(seen, data, (size_t)count * sizeof *data, NULL, LONG_WAIT));
    netcl_tensor_release(seen);
    const int64_t other = first_other(data, count);
    CHECK(other == count, "element %lld is another than %d", (long long)other, (int)data[0]);
  }
  atomic_store(&writer.stop, 1);
  pthread_join(thread, NULL);
  assert_int_equal(atomic_load(&wrong_calls), 0);
  netcl_tensor_release(source);
  netcl_tensor_release(target);
  netcl_tensor_release(writer.values[1]);
  free(data);
}

static void one_value_at_a_time(void** state) {
  const int pieces = runs_functions(*state) != 1;
  const int64_t count = pieces ? (40 << 20) / 4 : 8 * SHARED;
  for (int i = 0; i < DEVICES; ++i) {
    for (int k = 0; k < DEVICES; ++k) {
      if (i == k) continue;
      check_whole(devices[i], devices[k], 1, count, pieces ? 3 : 20);
      check_whole(devices[i], devices[k], 0, count, pieces ? 3 : 20);
    }
  }
}

static void by_transfers(void** state) {
  if (HAS_TSAN) SKIP("it takes long; copies_order_cl has this way's threads");
  run_by_transfers(*state, "NETCL_OPENCL_LIBRARY", NETCL_PLAIN_CL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      COPY_TEST(after_the_source),
      COPY_TEST(between_uses_of_the_target),
      COPY_TEST(pieces_behind_other_work),
      COPY_TEST(after_events),
      COPY_TEST(crossing),
      COPY_TEST(one_value_at_a_time),
      COPY_TEST(by_transfers),
      COPY_TEST(as_kernels),
  };
  compile_quickly();
  seed_random("copies_order");
  return cmocka_run_group_tests_name("copies_order", tests, NULL, NULL);
}
