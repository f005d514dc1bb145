/* Groups whose devices read each other's memory: messages that grow, longer than a room, between
 * two ranks in turn with those of all, and devices that cannot. NETCL_TEST_TRANSPORT=peers runs the
 * other tests of groups so. */
#include "support_group.h"
#include "support_process.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { MIB = 1 << 20 };

#define SKIP_WITHOUT_PEERS() \
  if (strcmp(test_selector(), "builtin") == 0) SKIP("what that device has is the host's memory")

/* Whole numbers that f32 adds exactly. */
static float value_of(uint32_t rank, int64_t i) {
  const uint32_t x = ((uint32_t)i + rank * 977u) * 2654435761u;
  return (float)((x >> 12) % 1000);
}

/* `rank` below 0: poison. */
static netcl_tensor* made(Rank* rank, int64_t count, int of) {
  netcl_tensor* tensor = NULL;
  float* const data = malloc((size_t)count * sizeof *data);
  for (int64_t i = 0; i < count; i++) data[i] = of < 0 ? -1 : value_of((uint32_t)of, i);
  if (netcl_tensor_create_from_host(rank->device, NETCL_F32, 1, &count, NULL, data,
                                    (size_t)count * sizeof *data, NULL, &tensor) != NETCL_OK) {
    rank_problem(rank, __FILE__, __LINE__, "netcl_tensor_create_from_host");
  }
  free(data);
  return tensor;
}

/* Under sanitizers every 61st element of long tensors is looked at, and the last. */
static int64_t step_of(int64_t count) { return only_sanitized() && count > 20000 ? 61 : 1; }

/* Whether element i is wanted(i + first); the sum over the ranks below `ranks` from `from` on. */
static int is_sum(netcl_tensor* tensor, int64_t at, int64_t count, uint32_t from, uint32_t ranks,
                  int64_t first) {
  const netcl_range range = {at, count, 1};
  netcl_tensor* part = NULL;
  float* const data = malloc((size_t)count * sizeof *data + 1);
  int right =
      netcl_tensor_slice(tensor, &range, 1, &part) == NETCL_OK &&
      netcl_tensor_read(part, data, (size_t)count * sizeof *data, NULL, LONG_WAIT) == NETCL_OK;
  const int64_t step = step_of(count);
  for (int64_t i = (count - 1) % step; right && i < count; i += step) {
    float all = 0;
    for (uint32_t r = from; r < ranks; r++) all += value_of(r, i + first);
    right = data[i] == all;
  }
  netcl_tensor_release(part);
  free(data);
  return right;
}

/* Sums into another tensor and in place. */
static void sum_of(Rank* rank, int64_t count) {
  netcl_tensor* const in = made(rank, count, (int)rank->rank);
  netcl_tensor* const out = made(rank, count, -1);
  RANK_OK(rank, netcl_group_all_reduce(rank->group, in, out, NETCL_REDUCTION_SUM, NULL));
  RANK_CHECK(rank, is_sum(out, 0, count, 0, rank->size, 0));
  RANK_CHECK(rank, is_sum(in, 0, count, rank->rank, rank->rank + 1, 0));
  RANK_OK(rank, netcl_group_all_reduce(rank->group, in, in, NETCL_REDUCTION_SUM, NULL));
  RANK_CHECK(rank, is_sum(in, 0, count, 0, rank->size, 0));
  netcl_tensor_release(in);
  netcl_tensor_release(out);
}

/* Rooms grow, and messages that are shorter again stay in those that there are. */
static void growing(Rank* rank) {
  static const int64_t kCounts[] = {1,         16383,       16384, 16385,        262144 + 1,
                                    MIB + 333, 5 * MIB + 1, 65537, 3 * MIB + 17, 16384};
  for (size_t n = 0; n < COUNT_OF(kCounts) && rank->problem[0] == '\0'; n++) {
    if (kCounts[n] < 2 * MIB || !only_sanitized()) sum_of(rank, kCounts[n]);
  }
}

/* From each rank to each, parts of unequal sizes: part k of rank r has the elements of r from the
 * first of k on. */
static void exchange(Rank* rank, int64_t each) {
  int64_t counts[4], came[4], own = 0, all = 0, at = 0;
  for (uint32_t r = 0; r < rank->size; r++) {
    counts[r] = each + 31 * (int64_t)r;
    came[r] = each + 31 * (int64_t)rank->rank;
    own += counts[r];
    all += came[r];
  }
  netcl_tensor* const in = made(rank, own, (int)rank->rank);
  netcl_tensor* const out = made(rank, all, -1);
  RANK_OK(rank, netcl_group_all_to_all(rank->group, in, counts, rank->size, out, NULL));
  int64_t first = 0;
  for (uint32_t r = 0; r < rank->rank; r++) first += counts[r];
  for (uint32_t r = 0; r < rank->size; r++) {
    RANK_CHECK(rank, is_sum(out, at, came[r], r, r + 1, first));
    at += came[r];
  }
  netcl_tensor_release(in);
  netcl_tensor_release(out);
}

/* From each rank to the next one more than a third of 64 MiB twice over, and little to the others.
 */
static void exchange_long(Rank* rank) {
  int64_t counts[3] = {100, 100, 100};
  const uint32_t next = (rank->rank + 1) % 3, last = (rank->rank + 2) % 3;
  const int64_t longest = 11 * MIB + 3, all = longest + 200;
  counts[next] = longest;
  netcl_tensor* const in = made(rank, all, (int)rank->rank);
  netcl_tensor* const out = made(rank, all, -1);
  RANK_OK(rank, netcl_group_all_to_all(rank->group, in, counts, 3, out, NULL));
  /* Where a rank's part begins in the sender's tensor and in the result. */
  const int64_t first = rank->rank * (int64_t)100;
  const int64_t at = last * (int64_t)100;
  RANK_CHECK(rank, is_sum(out, at, longest, last, last + 1, first));
  netcl_tensor_release(in);
  netcl_tensor_release(out);
}

/* More than a half of a room has: 64 MiB, or of what goes from each to each a third. */
static void longer_than_rooms(Rank* rank) {
  const int64_t count = 17 * MIB;
  if (rank->size == 2) {
    /* In equal steps, and in others. */
    if (!only_sanitized()) sum_of(rank, count);
    sum_of(rank, count + 5);
    return;
  }
  netcl_tensor* const x = made(rank, count, rank->rank == 1 ? 1 : -1);
  RANK_OK(rank, netcl_group_broadcast(rank->group, x, 1, NULL));
  RANK_CHECK(rank, is_sum(x, 0, count, 1, 2, 0));
  netcl_tensor_release(x);
  exchange_long(rank);
}

typedef struct Writing {
  netcl_tensor* tensor;
  unsigned delay_ms;
  int done;
} Writing;

static void* write_meanwhile(void* argument) {
  Writing* const writing = argument;
  const float poison = -1;
  process_sleep_ms(writing->delay_ms);
  writing->done = netcl_op_fill(writing->tensor, &poison, NULL) == NETCL_OK;
  return NULL;
}

/* What another thread writes comes before the whole call or behind it. */
static void written_meanwhile(Rank* rank) {
  const int64_t count = 17 * MIB;
  netcl_tensor* const in = made(rank, count, (int)rank->rank);
  netcl_tensor* const out = made(rank, count, -1);
  for (unsigned turn = 0; turn < (only_sanitized() ? 2 : 6); turn++) {
    Writing writing = {out, turn * 7, 0};
    pthread_t writer;
    RANK_CHECK(rank, pthread_create(&writer, NULL, write_meanwhile, &writing) == 0);
    RANK_OK(rank, netcl_group_all_reduce(rank->group, in, out, NETCL_REDUCTION_SUM, NULL));
    pthread_join(writer, NULL);
    RANK_CHECK(rank, writing.done);
    float ends[2] = {0, 0};
    for (int end = 0; end < 2; end++) {
      const netcl_range range = {end == 0 ? 0 : count - 1, 1, 1};
      netcl_tensor* part = NULL;
      RANK_OK(rank, netcl_tensor_slice(out, &range, 1, &part));
      RANK_OK(rank, netcl_tensor_read(part, &ends[end], sizeof ends[end], NULL, LONG_WAIT));
      netcl_tensor_release(part);
    }
    RANK_CHECK(rank, (ends[0] == -1) == (ends[1] == -1));
  }
  netcl_tensor_release(in);
  netcl_tensor_release(out);
}

/* Rooms of two beside those of all, with either of them first. */
static void pairs_between(Rank* rank) {
  for (int turn = 0; turn < 3 && rank->problem[0] == '\0'; turn++) {
    const int64_t count = 50000 + 300000 * turn;
    for (uint32_t from = 0; from < rank->size; from++) {
      const uint32_t to = (from + 1) % rank->size;
      netcl_tensor* const x = made(rank, count, rank->rank == from ? (int)from : -1);
      if (rank->rank == from) RANK_OK(rank, netcl_group_send(rank->group, x, to, NULL));
      if (rank->rank == to) {
        RANK_OK(rank, netcl_group_receive(rank->group, x, from, NULL));
        RANK_CHECK(rank, is_sum(x, 0, count, from, from + 1, 0));
      }
      netcl_tensor_release(x);
    }
    exchange(rank, 19000 * (turn + 1));
    sum_of(rank, count + 7);
  }
}

/* The gradient of the sum of v * v, added over the ranks by a reducer: 2 v of each. */
static void gradients(Rank* rank) {
  static const uint64_t kBuckets[] = {1, 300000, 4 * MIB};
  for (size_t n = 0; n < COUNT_OF(kBuckets); n++) {
    const int64_t count = 100003 + 70000 * (int64_t)n;
    netcl_reducer_options sums = NETCL_REDUCER_OPTIONS_INIT;
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
    netcl_tensor* const v = made(rank, count, (int)rank->rank);
    netcl_tensor *square = NULL, *sum = NULL, *gradient = NULL, *half = NULL;
    sums.kind = NETCL_REDUCTION_SUM;
    sums.bucket_bytes = kBuckets[n];
    RANK_OK(rank, netcl_reducer_create(rank->group, &sums, &options.reducer));
    RANK_OK(rank, netcl_graph_create(rank->device, NULL, &run.graph));
    RANK_OK(rank, netcl_op_expression_text("v0 * v0", &v, 1, NULL, &run, &square));
    RANK_OK(rank, netcl_op_reduce(square, NETCL_REDUCTION_SUM, NULL, &run, &sum));
    RANK_OK(rank, netcl_graph_add_gradients(run.graph, &sum, 1, &v, 1, &options, &gradient));
    RANK_OK(rank, netcl_reducer_wait(options.reducer, LONG_WAIT));
    RANK_OK(rank, netcl_op_expression_text("v0 / 2", &gradient, 1, NULL, NULL, &half));
    RANK_CHECK(rank, is_sum(half, 0, count, 0, rank->size, 0));
    netcl_tensor_release(half);
    netcl_tensor_release(gradient);
    netcl_tensor_release(sum);
    netcl_tensor_release(square);
    netcl_tensor_release(v);
    netcl_graph_release(run.graph);
    netcl_reducer_release(options.reducer);
  }
}

/* Where a rank has no room its calls fail on all ranks, one like the other, and the group goes on
 * when there is room again. A board of two makes rooms at its first message. */
static void without_room(Rank* rank) {
  const int64_t count = 50000;
  netcl_tensor* const x = made(rank, count, (int)rank->rank);
  netcl_tensor* const y = made(rank, count, -1);
  struct rlimit before, none;
  for (int turn = 0; turn < 3; turn++) {
    RANK_OK(rank, netcl_group_barrier(rank->group, NULL));
    if (rank->rank == 0) {
      getrlimit(RLIMIT_FSIZE, &before);
      none = before;
      none.rlim_cur = 4096;
      if (turn < 2) setrlimit(RLIMIT_FSIZE, &none);
    }
    RANK_OK(rank, netcl_group_barrier(rank->group, NULL));
    const netcl_status status = rank->rank == 0 ? netcl_group_send(rank->group, x, 1, NULL)
                                                : netcl_group_receive(rank->group, y, 0, NULL);
    RANK_CHECK(rank, status == (turn < 2 ? NETCL_ERROR_OUT_OF_DEVICE_MEMORY : NETCL_OK));
    RANK_CHECK(rank, turn == 2 || strstr(netcl_last_error_message(), "has no memory") != NULL);
    RANK_OK(rank, netcl_group_barrier(rank->group, NULL));
    if (rank->rank == 0) setrlimit(RLIMIT_FSIZE, &before);
  }
  if (rank->rank == 1) RANK_CHECK(rank, is_sum(y, 0, count, 0, 1, 0));
  netcl_tensor_release(x);
  netcl_tensor_release(y);
}

/* One of four processes, of which rank NETCL_TEST_SHORT has no memory for a room while the group is
 * split: those of its colour hear of it, the others have their part. Then all have theirs. */
enum { SPLIT_RANKS = 4 };

static int child_splits(void) {
  static const uint32_t colors[SPLIT_RANKS] = {7, 1, 7, 1};
  const uint32_t own = (uint32_t)atoi(getenv("NETCL_TEST_RANK"));
  const uint32_t lacking = (uint32_t)atoi(getenv("NETCL_TEST_SHORT"));
  const int64_t count = 50000;
  const float value = 1;
  netcl_group_options options = NETCL_GROUP_OPTIONS_INIT;
  netcl_device* device = NULL;
  netcl_group *group = NULL, *part = NULL;
  netcl_tensor* x = NULL;
  struct rlimit limit;
  char named[60];
  options.transport = NETCL_GROUP_TRANSPORT_PEER_MEMORY;
  options.timeout_ns = LONG_WAIT;
  snprintf(named, sizeof named, "rank %u has no memory", lacking);
  CHILD_OK(netcl_device_open(test_selector(), NULL, &device));
  CHILD_OK(netcl_group_join(device, getenv("NETCL_TEST_PATH"), own, SPLIT_RANKS, &options, &group));
  CHILD_CHECK(getrlimit(RLIMIT_FSIZE, &limit) == 0);
  const struct rlimit before = limit;
  limit.rlim_cur = 4096;
  for (int turn = 0; turn < 2; turn++) {
    CHILD_CHECK(own != lacking || setrlimit(RLIMIT_FSIZE, turn == 0 ? &limit : &before) == 0);
    const netcl_status status = netcl_group_split(group, colors, SPLIT_RANKS, &part);
    if (turn == 0 && colors[own] == colors[lacking]) {
      CHILD_STATUS(NETCL_ERROR_OUT_OF_DEVICE_MEMORY, status);
      CHILD_CHECK(strstr(netcl_last_error_message(), named) != NULL);
      CHILD_CHECK(part == NULL);
      continue;
    }
    CHILD_OK(status);
    CHILD_OK(netcl_tensor_create_full(device, NETCL_F32, 1, &count, NULL, &value, NULL, &x));
    CHILD_OK(netcl_group_all_reduce(part, x, x, NETCL_REDUCTION_SUM, NULL));
    float sum = 0;
    const netcl_range last = {count - 1, 1, 1};
    netcl_tensor* end = NULL;
    CHILD_OK(netcl_tensor_slice(x, &last, 1, &end));
    CHILD_OK(netcl_tensor_read(end, &sum, sizeof sum, NULL, LONG_WAIT));
    CHILD_CHECK(sum == 2);
    netcl_tensor_release(end);
    netcl_tensor_release(x);
    netcl_group_release(part);
    part = NULL;
  }
  netcl_group_release(group);
  netcl_device_release(device);
  return 0;
}

static void parts_without_memory(void** state) {
  (void)state;
  SKIP_WITHOUT_PEERS();
  if (strcmp(test_selector(), "cpu") != 0) SKIP("the memory of this device is no file");
  /* The first of a colour makes the memory of the host that its part has. */
  for (int lacking = 2; lacking < SPLIT_RANKS; lacking++) {
    const char* const path = group_path();
    process_ticket ranks[SPLIT_RANKS];
    for (int r = 0; r < SPLIT_RANKS; r++) {
      char place[400], number[40], none[40];
      snprintf(place, sizeof place, "NETCL_TEST_PATH=%s", path);
      snprintf(number, sizeof number, "NETCL_TEST_RANK=%d", r);
      snprintf(none, sizeof none, "NETCL_TEST_SHORT=%d", lacking);
      const char* const environment[] = {place, number, none, NULL};
      ranks[r] = process_start_self("splits", environment);
    }
    static process_result results[SPLIT_RANKS];
    for (int r = 0; r < SPLIT_RANKS; r++) process_finish(ranks[r], 100, &results[r]);
    for (int r = 0; r < SPLIT_RANKS; r++) process_expect_exit(&results[r], 0);
    group_path_done();
  }
}

static void rooms_that_cannot_be_had(void** state) {
  SKIP_WITHOUT_PEERS();
  if (strcmp(test_selector(), "cpu") != 0) SKIP("the memory of this device is no file");
  Fixture* fixture = *state;
  run_apart(fixture, 2, LONG_WAIT, without_room, NULL);
}

static void gradients_of_all(void** state) {
  SKIP_WITHOUT_PEERS();
  Fixture* fixture = *state;
  for (uint32_t size = 2; size <= 3; size++) run_apart(fixture, size, LONG_WAIT, gradients, NULL);
}

static void messages_that_grow(void** state) {
  SKIP_WITHOUT_PEERS();
  Fixture* fixture = *state;
  for (uint32_t size = 1; size <= 4; size++) {
    run_ranks(fixture->device, size, LONG_WAIT, growing, NULL);
    run_apart(fixture, size, LONG_WAIT, growing, NULL);
  }
}

static void messages_longer_than_rooms(void** state) {
  SKIP_WITHOUT_PEERS();
  Fixture* fixture = *state;
  const uint32_t most = only_sanitized() ? 2 : 3;
  for (uint32_t size = 2; size <= most; size++) {
    run_apart(fixture, size, LONG_WAIT, longer_than_rooms, NULL);
  }
  run_apart(fixture, 2, LONG_WAIT, written_meanwhile, NULL);
}

static void messages_of_two(void** state) {
  SKIP_WITHOUT_PEERS();
  Fixture* fixture = *state;
  for (uint32_t size = 2; size <= 4; size++) {
    run_apart(fixture, size, LONG_WAIT, pairs_between, NULL);
  }
}

/* Ranks with devices of their own, made by one thread. */
static void groups_of_one_thread(void** state) {
  Fixture* fixture = *state;
  netcl_device_options separate = NETCL_DEVICE_OPTIONS_INIT;
  netcl_group_options options = NETCL_GROUP_OPTIONS_INIT;
  netcl_device* devices[2] = {fixture->device, NULL};
  netcl_group* groups[2] = {NULL, NULL};
  separate.separate = 1;
  options.transport = NETCL_GROUP_TRANSPORT_PEER_MEMORY;
  OK(netcl_device_open(test_selector(), &separate, &devices[1]));
  if (strcmp(test_selector(), "builtin") == 0) {
    FAILS_WITH(NETCL_ERROR_UNSUPPORTED,
               "options->transport is NETCL_GROUP_TRANSPORT_PEER_MEMORY; rank 0 has a device whose "
               "memory others cannot have",
               netcl_group_create_local(devices, 2, &options, groups));
    assert_null(groups[0]);
    FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "rank 0 has a device whose memory",
               netcl_group_join(fixture->device, group_path(), 0, 1, &options, &groups[0]));
    assert_null(groups[0]);
    group_path_done();
  } else {
    netcl_group_info info = NETCL_GROUP_INFO_INIT;
    OK(netcl_group_create_local(devices, 2, &options, groups));
    OK(netcl_group_get_info(groups[1], &info));
    assert_int_equal(info.transport, NETCL_GROUP_TRANSPORT_PEER_MEMORY);
  }
  for (int r = 0; r < 2; r++) netcl_group_release(groups[r]);
  netcl_device_release(devices[1]);
}

int main(int argc, char** argv) {
  static const process_mode modes[] = {{"splits", child_splits}};
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(messages_that_grow),       DEVICE_TEST(messages_longer_than_rooms),
      DEVICE_TEST(messages_of_two),          DEVICE_TEST(gradients_of_all),
      DEVICE_TEST(rooms_that_cannot_be_had), DEVICE_TEST(parts_without_memory),
      DEVICE_TEST(groups_of_one_thread)};
  const int code = process_child_main(argc, argv, modes, COUNT_OF(modes));
  if (code >= 0) return code;
  setenv("NETCL_TEST_TRANSPORT", "peers", 1);
  compile_quickly();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
