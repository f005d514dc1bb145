/* Reducers of two ranks whose devices reach each other's memory (NETCL_TEST_TRANSPORT=peers, and
 * GPUs): rooms for gradients grow from run to run, and what has no place in them goes as in any
 * other group. All of it has the results of any other group. */
#include <stdlib.h>
#include <string.h>

#include "support_reducer.h"

enum { MOST = 4, EXTRA = 3, MIB = 1 << 20 };

/* Numbers of elements of the gradients of each run; the first rooms have 2 MiB, and the next ones
 * what the run before had, to the next power of two. */
typedef struct Sizes {
  uint32_t count;
  int64_t elements[MOST];
} Sizes;
static const Sizes kRuns[] = {
    {2, {1000, 7}},
    {2, {1000, 7}},
    {3, {300000, 1, 150000}},
    {4, {300000, 0, 300001, 3}}, /* beyond the rooms from the third on */
    {4, {300000, 0, 300001, 3}},
    {1, {700000}},
    {4, {5, 900000, 400000, 33}},
    {4, {5, 900000, 400000, 33}},
    {2, {1000, 7}},
};

static double value_of(uint32_t rank, size_t run, uint32_t index, int64_t at) {
  return (double)((at * 7 + (int64_t)run * 5 + index * 3 + rank * 11) % 61) - 30;
}

/* A tensor of every second element of one that is filled with poison. */
static netcl_tensor* poisoned_view(Rank* rank, netcl_dtype dtype, int64_t count,
                                   netcl_tensor** whole) {
  const int64_t size = 2 * count + EXTRA, step = 2;
  const double poison = -77;
  netcl_tensor* view = NULL;
  double* data = malloc((size_t)size * sizeof *data);
  for (int64_t i = 0; i < size; i++) data[i] = poison;
  *whole = rank_tensor(rank, dtype, 1, &size, data);
  free(data);
  if (*whole == NULL) return NULL;
  (void)netcl_tensor_view(*whole, 1, &count, &step, 1, &view);
  return view;
}

/* Whether the elements of the view are those, and the ones between them poison still. */
static int holds_joined(Rank* rank, netcl_reduction kind, size_t run, uint32_t index,
                        const netcl_tensor* whole, int64_t count) {
  const int64_t size = 2 * count + EXTRA;
  double* wanted = malloc((size_t)size * sizeof *wanted);
  for (int64_t i = 0; i < size; i++) wanted[i] = -77;
  for (int64_t i = 0; i < count; i++) {
    double sum = 0;
    for (uint32_t r = 0; r < rank->size; r++) sum += 2 * value_of(r, run, index, i);
    wanted[1 + 2 * i] = kind == NETCL_REDUCTION_SUM ? sum : sum / rank->size;
  }
  const int held = rank_holds(whole, wanted);
  free(wanted);
  return held;
}

typedef struct Way {
  netcl_dtype dtype;
  netcl_reduction kind;
  uint64_t bucket_bytes;
  uint32_t out_of_order;
} Way;

/* The gradients of the sum of the squares of all inputs, into views. */
static netcl_status begin_run(Rank* rank, netcl_reducer* reducer, netcl_queue* queue,
                              uint32_t count, netcl_tensor** inputs, netcl_tensor** views) {
  netcl_run_options options = NETCL_RUN_OPTIONS_INIT;
  netcl_gradients_options given = NETCL_GRADIENTS_OPTIONS_INIT;
  netcl_tensor *squares[MOST], *losses[MOST] = {NULL};
  netcl_reduce_options sum = NETCL_REDUCE_OPTIONS_INIT;
  options.queue = given.queue = queue;
  given.reducer = reducer;
  given.into = views;
  given.into_count = count;
  netcl_status status = netcl_graph_create(rank->device, NULL, &options.graph);
  for (uint32_t i = 0; i < count && status == NETCL_OK; i++) {
    status = netcl_op_expression_text("v0 * v0", &inputs[i], 1, NULL, &options, &squares[i]);
    if (status != NETCL_OK) break;
    status = netcl_op_reduce(squares[i], NETCL_REDUCTION_SUM, &sum, &options, &losses[i]);
    netcl_tensor_release(squares[i]);
  }
  if (status == NETCL_OK) {
    status = netcl_graph_add_gradients(options.graph, losses, count, inputs, count, &given, NULL);
  }
  for (uint32_t i = 0; i < count; i++) netcl_tensor_release(losses[i]);
  netcl_graph_release(options.graph);
  return status;
}

/* What the reducer tells of its rooms: gradients come from the last to the first, and have places
 * as long as there are any. */
typedef struct Rooms {
  int64_t bytes, tried;
  uint64_t through; /* in all runs */
} Rooms;

static void count_run(Rooms* rooms, const Sizes* sizes, int64_t element) {
  int64_t used = 0, half = MIB;
  for (uint32_t i = sizes->count; i-- > 0;) {
    const int64_t bytes = sizes->elements[i] * element;
    used += (bytes + 255) / 256 * 256;
    if (used <= rooms->bytes) rooms->through += (uint64_t)bytes;
  }
  if (used <= rooms->tried) return;
  rooms->tried = used;
  while (2 * half < used) half *= 2;
  if (2 * half > rooms->bytes) rooms->bytes = 2 * half;
}

static int has_rooms(Rank* rank) {
  netcl_group_info info = NETCL_GROUP_INFO_INIT;
  (void)netcl_group_get_info(rank->group, &info);
  return rank->size == 2 && info.transport == NETCL_GROUP_TRANSPORT_PEER_MEMORY;
}

static void one_run(Rank* rank, const Way* way, netcl_reducer* reducer, netcl_queue* queue,
                    size_t run) {
  const Sizes* const sizes = &kRuns[run];
  netcl_tensor *inputs[MOST], *views[MOST], *wholes[MOST];
  for (uint32_t i = 0; i < sizes->count; i++) {
    const int64_t count = sizes->elements[i];
    double* data = malloc((size_t)(count + 1) * sizeof *data);
    for (int64_t at = 0; at < count; at++) data[at] = value_of(rank->rank, run, i, at);
    inputs[i] = rank_tensor(rank, way->dtype, 1, &count, data);
    free(data);
    views[i] = poisoned_view(rank, way->dtype, count, &wholes[i]);
    RANK_CHECK(rank, inputs[i] != NULL && views[i] != NULL);
  }
  RANK_OK(rank, begin_run(rank, reducer, queue, sizes->count, inputs, views));
  RANK_OK(rank, netcl_reducer_wait(reducer, LONG_WAIT));
  for (uint32_t i = 0; i < sizes->count; i++) {
    RANK_CHECK(rank, holds_joined(rank, way->kind, run, i, wholes[i], sizes->elements[i]));
    netcl_tensor_release(inputs[i]);
    netcl_tensor_release(views[i]);
    netcl_tensor_release(wholes[i]);
  }
}

static void all_runs(Rank* rank) {
  static const Way kWays[] = {{NETCL_F32, NETCL_REDUCTION_SUM, 1, 0},
                              {NETCL_F64, NETCL_REDUCTION_MEAN, 1 << 20, 1},
                              {NETCL_F16, NETCL_REDUCTION_SUM, 0, 0}};
  const size_t ways = only_sanitized() ? 1 : COUNT_OF(kWays);
  for (size_t w = 0; w < ways; w++) {
    const Way* const way = &kWays[w];
    netcl_queue_options options = NETCL_QUEUE_OPTIONS_INIT;
    netcl_queue* queue = NULL;
    Rooms rooms = {0, 0, 0};
    netcl_reducer* const reducer = make_reducer(rank, way->bucket_bytes, way->kind);
    RANK_CHECK(rank, reducer != NULL);
    netcl_device_capabilities capabilities = NETCL_DEVICE_CAPABILITIES_INIT;
    RANK_OK(rank, netcl_device_get_capabilities(rank->device, &capabilities));
    options.out_of_order = way->out_of_order && capabilities.out_of_order;
    RANK_OK(rank, netcl_queue_create(rank->device, &options, &queue));
    for (size_t run = 0; run < COUNT_OF(kRuns) && rank->problem[0] == '\0'; run++) {
      one_run(rank, way, reducer, queue, run);
      if (has_rooms(rank)) count_run(&rooms, &kRuns[run], (int64_t)netcl_dtype_size(way->dtype));
      RANK_CHECK(rank, reducer_info(reducer).room_bytes == rooms.through);
    }
    netcl_queue_release(queue);
    netcl_reducer_release(reducer);
    if (rank->problem[0] != '\0') return;
  }
}

static void rooms_that_grow(void** state) {
  const uint32_t most = only_sanitized() ? 2 : 3;
  for (uint32_t size = 2; size <= most; size++) run_apart(*state, size, LONG_WAIT, all_runs, NULL);
}

/* The queue of a run may go before the run has ended. */
static void release_early(Rank* rank) {
  const Way way = {NETCL_F32, NETCL_REDUCTION_SUM, 1, 0};
  netcl_reducer* const reducer = make_reducer(rank, way.bucket_bytes, way.kind);
  const int64_t count = 200000;
  double* data = malloc((size_t)count * sizeof *data);
  for (int64_t at = 0; at < count; at++) data[at] = value_of(rank->rank, 0, 0, at);
  netcl_tensor* input = rank_tensor(rank, NETCL_F32, 1, &count, data);
  free(data);
  RANK_CHECK(rank, reducer != NULL && input != NULL);
  for (int run = 0; run < 4; run++) {
    netcl_queue* queue = NULL;
    netcl_tensor* whole = NULL;
    netcl_tensor* view = poisoned_view(rank, NETCL_F32, count, &whole);
    RANK_CHECK(rank, view != NULL);
    RANK_OK(rank, netcl_queue_create(rank->device, NULL, &queue));
    RANK_OK(rank, begin_run(rank, reducer, queue, 1, &input, &view));
    netcl_queue_release(queue);
    netcl_tensor_release(view);
    RANK_OK(rank, netcl_reducer_wait(reducer, LONG_WAIT));
    RANK_CHECK(rank, holds_joined(rank, way.kind, 0, 0, whole, count));
    netcl_tensor_release(whole);
  }
  netcl_tensor_release(input);
  netcl_reducer_release(reducer);
}

static void a_queue_that_goes(void** state) {
  run_apart(*state, 2, LONG_WAIT, release_early, NULL);
}

/* Buckets of the same shapes whose gradients lie elsewhere in the other rank's room. */
static netcl_status run_in_order(Rank* rank, netcl_reducer* reducer, const int64_t counts[3]) {
  netcl_tensor *inputs[3], *views[3], *wholes[3];
  double* data = calloc(100000, sizeof *data);
  for (int i = 0; i < 3; i++) {
    inputs[i] = rank_tensor(rank, NETCL_F32, 1, &counts[i], data);
    views[i] = poisoned_view(rank, NETCL_F32, counts[i], &wholes[i]);
  }
  free(data);
  netcl_status status = begin_run(rank, reducer, NULL, 3, inputs, views);
  if (status == NETCL_OK) status = netcl_reducer_wait(reducer, LONG_WAIT);
  for (int i = 0; i < 3; i++) {
    netcl_tensor_release(inputs[i]);
    netcl_tensor_release(views[i]);
    netcl_tensor_release(wholes[i]);
  }
  return status;
}

static void other_order(Rank* rank) {
  static const int64_t kFirst[3] = {10, 100000, 10}, kOther[3] = {10, 10, 100000};
  netcl_reducer* const reducer = make_reducer(rank, 1000, NETCL_REDUCTION_SUM);
  RANK_CHECK(rank, reducer != NULL);
  for (int run = 0; run < 2; run++) RANK_OK(rank, run_in_order(rank, reducer, kFirst));
  const netcl_status status = run_in_order(rank, reducer, rank->rank == 0 ? kFirst : kOther);
  if (has_rooms(rank)) {
    RANK_CHECK(rank, status == NETCL_ERROR_INVALID_ARGUMENT &&
                         strstr(netcl_last_error_message(), "other gradients in a bucket") != NULL);
  }
  const uint64_t before = reducer_info(reducer).room_bytes;
  RANK_OK(rank, run_in_order(rank, reducer, kFirst));
  RANK_CHECK(rank, reducer_info(reducer).room_bytes == before + (has_rooms(rank) ? 400080 : 0));
  netcl_reducer_release(reducer);
}

static void orders_that_differ(void** state) { run_apart(*state, 2, LONG_WAIT, other_order, NULL); }

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(rooms_that_grow),
      DEVICE_TEST(a_queue_that_goes),
      DEVICE_TEST(orders_that_differ),
  };
  compile_quickly();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
