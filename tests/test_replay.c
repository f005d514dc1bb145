/* Ops that are called again and again with other tensors of the same layouts: what the library
 * keeps of a call gives the bits that the call gives when nothing is kept. */
#include <math.h>
#include <pthread.h>

#include "support_replay.h"

enum { SETS = 3 };

/* Calls a case with new tensors of its own for what it writes beside its result, and gives the
 * bytes of result, mean and variance behind each other. */
static unsigned char *bytes_of_call(Fixture *fixture, size_t which, const Set *set, int how,
                                    size_t *size) {
  Set own = *set;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_queue *queue = NULL;
  netcl_event *event = NULL;
  netcl_tensor *result = NULL;
  OK(netcl_op_copy(set->mean, NULL, &own.mean));
  OK(netcl_op_copy(set->variance, NULL, &own.variance));
  if (how == 1) run.event = &event;
  if (how == 2) {
    netcl_queue_options options = NETCL_QUEUE_OPTIONS_INIT;
    options.out_of_order = fixture->opencl ? 1 : 0;
    OK(netcl_queue_create(fixture->device, &options, &queue));
    run.queue = queue;
  }
  const netcl_status status = kCases[which].call(&own, &run, &result);
  check_status(status, NETCL_OK, kCases[which].name, __FILE__, __LINE__);
  if (event != NULL) {
    OK(netcl_event_wait(event, LONG_WAIT));
    netcl_event_release(event);
  }
  netcl_tensor *const parts[3] = {result, own.mean, own.variance};
  unsigned char *bytes = NULL;
  *size = 0;
  for (int i = 0; i < 3; ++i) {
    const netcl_tensor_info info = tensor_info(parts[i]);
    void *data = read_tensor(parts[i]);
    bytes = realloc(bytes, *size + (size_t)info.byte_count);
    memcpy(bytes + *size, data, (size_t)info.byte_count);
    *size += (size_t)info.byte_count;
    free(data);
    netcl_tensor_release(parts[i]);
  }
  netcl_queue_release(queue);
  return bytes;
}

static void test_same_bits(void **state) {
  Fixture *fixture = *state;
  Set sets[SETS];
  for (int i = 0; i < SETS; ++i) sets[i] = make_set(fixture->device);
  for (size_t which = 0; which < REPLAY_CASES; ++which) {
    unsigned char *kept[SETS][3];
    size_t size, again;
    /* The first calls are noted, and the later ones repeat what was noted. */
    for (int i = 0; i < 3; ++i) free(bytes_of_call(fixture, which, &sets[0], 0, &size));
    for (int i = 0; i < SETS; ++i) {
      for (int how = 0; how < 3; ++how) {
        kept[i][how] = bytes_of_call(fixture, which, &sets[i], how, &size);
      }
    }
    OK(netcl_program_cache_clear(0));
    for (int i = 0; i < SETS; ++i) {
      OK(netcl_variant_clear_cache());
      unsigned char *plain = bytes_of_call(fixture, which, &sets[i], 0, &again);
      assert_int_equal(size, again);
      for (int how = 0; how < 3; ++how) {
        CHECK(memcmp(plain, kept[i][how], size) == 0, "%s of set %d, called in way %d: other bits",
              kCases[which].name, i, how);
        free(kept[i][how]);
      }
      free(plain);
    }
  }
  for (int i = 0; i < SETS; ++i) release_set(&sets[i]);
}

/* With run->into: new memory each time, the input itself, and memory that must be refused although
 * its layout is that of the calls before. */
static void test_into(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[2] = {16, 16};
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  Set set = make_set(fixture->device);
  netcl_tensor *product = NULL, *row = NULL;
  OK(netcl_op_matmul(set.square, set.other, NULL, NULL, &product));
  OK(netcl_op_softmax(set.square, -1, NULL, &row));
  void *wanted = read_tensor(product);
  void *wanted_row = read_tensor(row);
  for (int i = 0; i < 5; ++i) {
    OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, shape, NULL, NULL, &run.into));
    OK(netcl_op_matmul(set.square, set.other, NULL, &run, NULL));
    CHECK_TENSOR(run.into, wanted);
    OK(netcl_op_softmax(set.square, -1, &run, NULL));
    CHECK_TENSOR(run.into, wanted_row);
    netcl_tensor_release(run.into);
    run.into = set.other;
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "shares its memory with b",
               netcl_op_matmul(set.square, set.other, NULL, &run, NULL));
    run.into = set.row;
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "[16, 16]",
               netcl_op_softmax(set.square, -1, &run, NULL));
  }
  for (int i = 0; i < 4; ++i) {
    OK(netcl_op_copy(set.square, NULL, &run.into));
    OK(netcl_op_softmax(run.into, -1, &run, NULL));
    CHECK_TENSOR(run.into, wanted_row);
    netcl_tensor_release(run.into);
  }
  free(wanted);
  free(wanted_row);
  netcl_tensor_release(product);
  netcl_tensor_release(row);
  release_set(&set);
}

/* Views of one tensor that differ in their offsets, strides or extents are different calls. */
static void test_views(void **state) {
  Fixture *fixture = *state;
  Set set = make_set(fixture->device);
  float *host = read_tensor(set.square);
  const int32_t axis = 1;
  netcl_reduce_options rows = NETCL_REDUCE_OPTIONS_INIT;
  rows.axes = &axis;
  rows.axes_count = 1;
  for (int round = 0; round < 4; ++round) {
    for (int64_t first = 0; first < 16; ++first) {
      const netcl_range ranges[2] = {{first, 1, 1}, {0, 16, 1}};
      netcl_tensor *view, *result = NULL;
      OK(netcl_tensor_slice(set.square, ranges, 2, &view));
      OK(netcl_op_reduce(view, NETCL_REDUCTION_MAX, &rows, NULL, &result));
      float largest_one = host[first * 16], got;
      for (int64_t i = 1; i < 16; ++i) {
        if (host[first * 16 + i] > largest_one) largest_one = host[first * 16 + i];
      }
      OK(netcl_tensor_read(result, &got, sizeof got, NULL, LONG_WAIT));
      CHECK(got == largest_one, "row %lld: %g, not %g", (long long)first, got, largest_one);
      netcl_tensor_release(view);
      netcl_tensor_release(result);
    }
  }
  free(host);
  release_set(&set);
}

/* Windows of one line that differ in where they begin alone: the result goes where it belongs, and
 * where it would overlap the input it is refused, although the calls before were not. */
static void test_windows(void **state) {
  Fixture *fixture = *state;
  enum { LINE = 4096, WIDTH = 64 };
  const int64_t shape[1] = {LINE};
  float *host = malloc(LINE * sizeof *host);
  for (int i = 0; i < LINE; ++i) host[i] = (float)random_real(-3, 3);
  netcl_tensor *line = NULL;
  OK(netcl_tensor_create_from_host(fixture->device, NETCL_F32, 1, shape, NULL, host,
                                   LINE * sizeof *host, NULL, &line));
  for (int64_t from = 0; from < 24; ++from) {
    const int64_t to = 1024 + 67 * from;
    const netcl_range in = {from, WIDTH, 1}, out = {to, WIDTH, 1}, across = {from + 9, WIDTH, 1};
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    netcl_tensor *window, *overlapping;
    OK(netcl_tensor_slice(line, &in, 1, &window));
    OK(netcl_tensor_slice(line, &out, 1, &run.into));
    OK(netcl_tensor_slice(line, &across, 1, &overlapping));
    OK(netcl_op_softmax(window, -1, &run, NULL));
    netcl_tensor_release(run.into);
    run.into = overlapping;
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "shares its memory with",
               netcl_op_softmax(window, -1, &run, NULL));
    netcl_tensor_release(overlapping);
    netcl_tensor_release(window);
    double sum = 0;
    for (int64_t i = 0; i < WIDTH; ++i) sum += exp(host[from + i]);
    for (int64_t i = 0; i < WIDTH; ++i) host[to + i] = (float)(exp(host[from + i]) / sum);
  }
  float *seen = read_tensor(line);
  for (int i = 0; i < LINE; ++i) {
    CHECK(fabs(seen[i] - host[i]) <= 1e-5 * fabs(host[i]), "element %d is %g, not %g", i, seen[i],
          host[i]);
  }
  free(seen);
  free(host);
  netcl_tensor_release(line);
}

/* Threads that note calls of their own on one queue at the same time do not mix them up. */
enum { THREADS = 4, CALLS = 6 };

typedef struct Caller {
  netcl_device *device;
  const Set *set;
  size_t which;
  void *wanted;
  size_t size;
  int wrong; /* calls that failed or gave other bits */
  pthread_t thread;
} Caller;

static void *call_again_and_again(void *data) {
  Caller *caller = data;
  void *got = malloc(caller->size);
  for (int i = 0; i < CALLS; ++i) {
    netcl_tensor *result = NULL;
    if (kCases[caller->which].call(caller->set, NULL, &result) != NETCL_OK ||
        netcl_tensor_read(result, got, caller->size, NULL, LONG_WAIT) != NETCL_OK ||
        memcmp(got, caller->wanted, caller->size) != 0) {
      ++caller->wrong;
    }
    netcl_tensor_release(result);
  }
  free(got);
  return NULL;
}

static void test_threads(void **state) {
  Fixture *fixture = *state;
  for (size_t which = 0; which < REPLAY_CASES; ++which) {
    Set sets[THREADS];
    Caller callers[THREADS];
    for (int i = 0; i < THREADS; ++i) {
      netcl_tensor *result = NULL;
      sets[i] = make_set(fixture->device);
      callers[i] = (Caller){.device = fixture->device, .set = &sets[i], .which = which};
      OK(kCases[which].call(&sets[i], NULL, &result));
      callers[i].size = (size_t)tensor_info(result).byte_count;
      callers[i].wanted = read_tensor(result);
      netcl_tensor_release(result);
    }
    OK(netcl_program_cache_clear(0));
    OK(netcl_variant_clear_cache());
    for (int i = 0; i < THREADS; ++i) {
      assert_int_equal(
          pthread_create(&callers[i].thread, NULL, call_again_and_again, &callers[i]), 0);
    }
    for (int i = 0; i < THREADS; ++i) {
      pthread_join(callers[i].thread, NULL);
      CHECK(callers[i].wrong == 0, "%s: %d of %d calls of a thread", kCases[which].name,
            callers[i].wrong, CALLS);
      free(callers[i].wanted);
      release_set(&sets[i]);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(test_same_bits),
      DEVICE_TEST(test_into),
      DEVICE_TEST(test_views),
      DEVICE_TEST(test_windows),
      DEVICE_TEST(test_threads),
      DEVICE_TEST(as_kernels),
  };
  seed_random("replay");
  return cmocka_run_group_tests_name("replay", tests, NULL, NULL);
}
