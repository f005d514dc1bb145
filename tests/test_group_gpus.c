/* Groups of GPUs whose messages go by their links, or with NETCL_TEST_TRANSPORT=nccl by NCCL: what
 * is beyond the tests of all groups, which run on them with NETCL_TEST_GROUP_DEVICES. */
#include "support_gpus.h"
#include "support_group.h"
#include "support_process.h"

#include <pthread.h>
#include <stdio.h>

/* The scripted ones do not reach each other. */
static netcl_group_transport wanted_transport(void) {
  if (group_transport() != NETCL_GROUP_TRANSPORT_AUTO) return group_transport();
  return gpus_scripted() ? NETCL_GROUP_TRANSPORT_NCCL : NETCL_GROUP_TRANSPORT_PEER_MEMORY;
}

static void run_all(RankBody body, void* state) {
  run_ranks_on(gpus, gpus_count, gpus_count, LONG_WAIT, body, state);
}

static void facts(Rank* rank) {
  netcl_group_info info = NETCL_GROUP_INFO_INIT;
  RANK_OK(rank, netcl_group_get_info(rank->group, &info));
  RANK_CHECK(rank, info.transport == wanted_transport());
}

/* Parts of a group go its way, by themselves where they have two GPUs. */
static void parts(Rank* rank) {
  netcl_group* part = NULL;
  netcl_group_info info = NETCL_GROUP_INFO_INIT;
  uint32_t colors[GPUS_MOST];
  for (uint32_t i = 0; i < rank->size; ++i) colors[i] = i / 2;
  RANK_OK(rank, netcl_group_split(rank->group, colors, rank->size, &part));
  RANK_OK(rank, netcl_group_get_info(part, &info));
  const int pair = (rank->rank | 1) < rank->size;
  RANK_CHECK(rank, group_transport() != NETCL_GROUP_TRANSPORT_AUTO ||
                       (info.transport == wanted_transport()) == pair);
  const int64_t count = 1000003;
  double* const values = malloc(sizeof(double) * (size_t)count);
  for (int64_t i = 0; i < count; ++i) values[i] = rank->rank;
  netcl_tensor* tensor = rank_tensor(rank, NETCL_F32, 1, &count, values);
  RANK_OK(rank, netcl_group_all_reduce(part, tensor, tensor, NETCL_REDUCTION_SUM, NULL));
  const double sum = pair ? 2 * (rank->rank / 2 * 2) + 1 : rank->rank;
  for (int64_t i = 0; i < count; ++i) values[i] = sum;
  RANK_CHECK(rank, rank_holds(tensor, values));
  netcl_tensor_release(tensor);
  netcl_group_release(part);
  free(values);
}

typedef struct Local {
  netcl_group* group;
  netcl_device* device;
  double sum;
} Local;

static void* sum_up(void* argument) {
  Local* local = argument;
  const int64_t count = 600001;
  netcl_group_info info = NETCL_GROUP_INFO_INIT;
  netcl_tensor* tensor = NULL;
  float last = 0;
  if (netcl_group_get_info(local->group, &info) != NETCL_OK) return NULL;
  const float value = (float)(1 << info.rank);
  if (info.transport == wanted_transport() &&
      netcl_tensor_create_full(local->device, NETCL_F32, 1, &count, NULL, &value, NULL, &tensor) ==
          NETCL_OK &&
      netcl_group_all_reduce(local->group, tensor, tensor, NETCL_REDUCTION_SUM, NULL) == NETCL_OK) {
    netcl_tensor* part = NULL;
    const netcl_range range = {count - 1, 1, 1};
    if (netcl_tensor_slice(tensor, &range, 1, &part) == NETCL_OK &&
        netcl_tensor_read(part, &last, sizeof last, NULL, LONG_WAIT) == NETCL_OK) {
      local->sum = last;
    }
    netcl_tensor_release(part);
  }
  netcl_tensor_release(tensor);
  return NULL;
}

/* One thread makes all ranks, and releases them. */
static void made_at_once(void** state) {
  (void)state;
  netcl_group* groups[GPUS_MOST];
  Local locals[GPUS_MOST];
  pthread_t threads[GPUS_MOST];
  netcl_group_options options = NETCL_GROUP_OPTIONS_INIT;
  options.transport = wanted_transport();
  OK(netcl_group_create_local(gpus, gpus_count, &options, groups));
  for (uint32_t r = 0; r < gpus_count; ++r) {
    locals[r] = (Local){groups[r], gpus[r], 0};
    assert_int_equal(pthread_create(&threads[r], NULL, sum_up, &locals[r]), 0);
  }
  for (uint32_t r = 0; r < gpus_count; ++r) pthread_join(threads[r], NULL);
  for (uint32_t r = 0; r < gpus_count; ++r) {
    assert_true(locals[r].sum == (double)((1 << gpus_count) - 1));
    netcl_group_release(groups[r]);
  }
}

static void transports(void** state) {
  (void)state;
  run_all(facts, NULL);
  run_all(parts, NULL);
}

/* Random bytes of each rank, which all know. */
static uint32_t value_of(uint32_t rank, int64_t i) {
  uint32_t x = (uint32_t)i * 2654435761u + rank * 40503u + 12345u;
  x ^= x >> 15;
  return x * 2246822519u;
}

static netcl_tensor* filled(Rank* rank, netcl_dtype dtype, int64_t count, int share,
                            uint32_t source) {
  netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
  netcl_tensor* tensor = NULL;
  options.share = (uint32_t)share;
  const size_t size = netcl_dtype_size(dtype);
  void* const data = malloc((size_t)count * size + 8);
  for (int64_t i = 0; i < count; ++i) {
    store_double(dtype, data, i, source == UINT32_MAX ? 77 : (double)(value_of(source, i) % 8));
  }
  if (netcl_tensor_create_from_host(rank->device, dtype, 1, &count, NULL, data,
                                    (size_t)count * size, &options, &tensor) != NETCL_OK) {
    rank_problem(rank, __FILE__, __LINE__, "netcl_tensor_create_from_host");
  }
  free(data);
  return tensor;
}

/* The first element that is not as it should be, else -1. */
static int64_t wrong_at(const netcl_tensor* tensor, double (*wanted)(const void*, int64_t),
                        const void* context) {
  const netcl_tensor_info info = tensor_info(tensor);
  const size_t bytes = (size_t)info.shape[0] * netcl_dtype_size(info.dtype);
  void* const data = malloc(bytes + 8);
  int64_t found = netcl_tensor_read(tensor, data, bytes, NULL, LONG_WAIT) == NETCL_OK ? -1 : 0;
  for (int64_t i = 0; found < 0 && i < info.shape[0]; ++i) {
    if (load_double(info.dtype, data, i) != wanted(context, i)) found = i;
  }
  free(data);
  return found;
}

typedef struct Joined {
  uint32_t size;
  netcl_reduction kind;
  int64_t first;
} Joined;

static double joined(const void* context, int64_t i) {
  const Joined* call = context;
  double all = value_of(0, i + call->first) % 8;
  for (uint32_t r = 1; r < call->size; ++r) {
    const double next = value_of(r, i + call->first) % 8;
    switch (call->kind) {
      case NETCL_REDUCTION_PROD:
        all *= next;
        break;
      case NETCL_REDUCTION_MIN:
        all = next < all ? next : all;
        break;
      case NETCL_REDUCTION_MAX:
        all = next > all ? next : all;
        break;
      default:
        all += next;
    }
  }
  return call->kind == NETCL_REDUCTION_MEAN ? all / call->size : all;
}

/* Whether NCCL itself joins so; else a kernel does. */
static int nccl_joins(netcl_dtype dtype, netcl_reduction kind) {
  const int ordered = kind == NETCL_REDUCTION_MIN || kind == NETCL_REDUCTION_MAX;
  return kind != NETCL_REDUCTION_MEAN && dtype != NETCL_F16 && dtype != NETCL_BF16 &&
         dtype != NETCL_I16 && !(ordered && is_float_dtype(dtype));
}

/* Sizes around the least one, every kind, with memory that CUDA sees and without, in place too. */
static void all_joins(Rank* rank) {
  static const netcl_dtype kTypes[] = {NETCL_F32, NETCL_F16, NETCL_BF16, NETCL_F64,
                                       NETCL_I32, NETCL_I16, NETCL_U8,   NETCL_I64};
  static const netcl_reduction kKinds[] = {NETCL_REDUCTION_SUM, NETCL_REDUCTION_PROD,
                                           NETCL_REDUCTION_MIN, NETCL_REDUCTION_MAX,
                                           NETCL_REDUCTION_MEAN};
  static const int64_t kCounts[] = {262143, 262144, 3000001};
  for (size_t n = 0; n < COUNT_OF(kTypes) * COUNT_OF(kKinds) * COUNT_OF(kCounts); ++n) {
    const netcl_dtype dtype = kTypes[n % COUNT_OF(kTypes)];
    const Joined call = {rank->size, kKinds[n / COUNT_OF(kTypes) % COUNT_OF(kKinds)], 0};
    const int64_t count = kCounts[n / (COUNT_OF(kTypes) * COUNT_OF(kKinds))];
    const int share = (int)(n * 7 % 4);
    /* Means of two and four ranks are exact, products of more than four do not fit. */
    if (call.kind == NETCL_REDUCTION_MEAN && (!is_float_dtype(dtype) || rank->size == 3)) continue;
    if (call.kind == NETCL_REDUCTION_PROD && rank->size > 2) continue;
    if (gpus_scripted() && !nccl_joins(dtype, call.kind)) continue;
    netcl_tensor* in = filled(rank, dtype, count, share & 1, rank->rank);
    netcl_tensor* out = filled(rank, dtype, count, share >> 1, UINT32_MAX);
    netcl_tensor* const target = n % 3 == 0 ? in : out;
    const uint32_t root = (uint32_t)(n % rank->size);
    if (n % 5 == 4) {
      RANK_OK(rank, netcl_group_reduce(rank->group, in, target, call.kind, root, NULL));
    } else {
      RANK_OK(rank, netcl_group_all_reduce(rank->group, in, target, call.kind, NULL));
    }
    if (n % 5 != 4 || rank->rank == root) {
      RANK_CHECK(rank, wrong_at(target, joined, &call) < 0);
    }
    netcl_tensor_release(in);
    netcl_tensor_release(out);
    if (rank->problem[0] != '\0') return;
  }
}

static void joins(void** state) {
  (void)state;
  run_all(all_joins, NULL);
}

/* Parts of unequal and equal size, of types that NCCL joins and others. */
static void joined_parts(Rank* rank) {
  static const netcl_dtype kTypes[] = {NETCL_F32, NETCL_F16, NETCL_I32};
  for (size_t n = 0; n < 6; ++n) {
    const int equal = n % 2 == 0;
    /* f16 is joined by a kernel. */
    if (gpus_scripted() && kTypes[n / 2] == NETCL_F16) continue;
    int64_t counts[GPUS_MOST], all = 0, first = 0;
    for (uint32_t r = 0; r < rank->size; ++r) {
      counts[r] = equal ? 500000 : 400000 * (int64_t)r + 17;
      if (r < rank->rank) first += counts[r];
      all += counts[r];
    }
    const Joined call = {rank->size, NETCL_REDUCTION_SUM, first};
    netcl_tensor* in = filled(rank, kTypes[n / 2], all, (int)n % 2, rank->rank);
    netcl_tensor* out = filled(rank, kTypes[n / 2], counts[rank->rank], 0, UINT32_MAX);
    RANK_OK(rank, netcl_group_reduce_scatter(rank->group, in, out, NETCL_REDUCTION_SUM, NULL));
    RANK_CHECK(rank, wrong_at(out, joined, &call) < 0);
    netcl_tensor_release(in);
    netcl_tensor_release(out);
  }
}

typedef struct Gathered {
  uint32_t size;
  const int64_t* counts;
  int64_t shift; /* of the element in each source */
} Gathered;

static double gathered(const void* context, int64_t i) {
  const Gathered* call = context;
  uint32_t r = 0;
  while (i >= call->counts[r]) i -= call->counts[r++];
  return value_of(r, i + call->shift) % 8;
}

/* all_gather, gather, scatter and broadcast of large tensors. */
static void moved_parts(Rank* rank) {
  for (int equal = 0; equal < 2; ++equal) {
    int64_t counts[GPUS_MOST], all = 0;
    for (uint32_t r = 0; r < rank->size; ++r) {
      counts[r] = equal ? 700001 : 5 + 900000 * (int64_t)(r % 2);
      all += counts[r];
    }
    const Gathered call = {rank->size, counts, 0};
    netcl_tensor* own = filled(rank, NETCL_I16, counts[rank->rank], equal, rank->rank);
    netcl_tensor* whole = filled(rank, NETCL_I16, all, !equal, UINT32_MAX);
    RANK_OK(rank, netcl_group_all_gather(rank->group, own, whole, NULL));
    RANK_CHECK(rank, wrong_at(whole, gathered, &call) < 0);
    netcl_tensor* back = filled(rank, NETCL_I16, counts[rank->rank], 0, UINT32_MAX);
    RANK_OK(rank, netcl_group_scatter(rank->group, rank->rank == 1 ? whole : NULL, back, 1, NULL));
    const Joined alone = {1, NETCL_REDUCTION_SUM, 0};
    if (rank->rank == 0) RANK_CHECK(rank, wrong_at(back, joined, &alone) < 0);
    netcl_tensor* again = filled(rank, NETCL_I16, all, equal, UINT32_MAX);
    RANK_OK(rank, netcl_group_gather(rank->group, back, rank->rank == 0 ? again : NULL, 0, NULL));
    if (rank->rank == 0) RANK_CHECK(rank, wrong_at(again, gathered, &call) < 0);
    RANK_OK(rank, netcl_group_broadcast(rank->group, again, 0, NULL));
    RANK_CHECK(rank, wrong_at(again, gathered, &call) < 0);
    netcl_tensor_release(own);
    netcl_tensor_release(whole);
    netcl_tensor_release(back);
    netcl_tensor_release(again);
  }
}

static double shifted(const void* context, int64_t i) {
  const Gathered* call = context;
  uint32_t r = 0;
  while (i >= call->counts[r]) i -= call->counts[r++];
  return value_of(r, i + call->shift * call->counts[0]) % 8;
}

static double of_rank(const void* context, int64_t i) {
  return value_of(*(const uint32_t*)context, i) % 8;
}

/* A rank without a part, which takes nothing. */
static void empty_parts(Rank* rank) {
  const int64_t all = 1500000;
  int64_t counts[GPUS_MOST] = {all};
  const int64_t own = rank->rank == 0 ? all * rank->size : 0;
  const Gathered call = {rank->size, counts, 0};
  netcl_event* event = NULL;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.event = &event;
  for (uint32_t r = 1; r < rank->size; ++r) counts[r] = 0;
  netcl_tensor* in = filled(rank, NETCL_U8, all, (int)(rank->rank % 2), rank->rank);
  netcl_tensor* out = filled(rank, NETCL_U8, own, 0, UINT32_MAX);
  RANK_OK(rank, netcl_group_all_to_all(rank->group, in, counts, rank->size, out, &run));
  RANK_CHECK(rank, event != NULL && netcl_event_wait(event, LONG_WAIT) == NETCL_OK);
  netcl_event_release(event);
  for (uint32_t r = 0; r < rank->size; ++r) counts[r] = all;
  if (rank->rank == 0) RANK_CHECK(rank, wrong_at(out, gathered, &call) < 0);
  netcl_tensor_release(in);
  netcl_tensor_release(out);
}

static void exchanged(Rank* rank) {
  const int64_t each = 1300007;
  int64_t counts[GPUS_MOST];
  for (uint32_t r = 0; r < rank->size; ++r) counts[r] = each;
  const Gathered call = {rank->size, counts, rank->rank};
  netcl_tensor* in = filled(rank, NETCL_U8, each * rank->size, 0, rank->rank);
  netcl_tensor* out = filled(rank, NETCL_U8, each * rank->size, 1, UINT32_MAX);
  RANK_OK(rank, netcl_group_all_to_all(rank->group, in, counts, rank->size, out, NULL));
  RANK_CHECK(rank, wrong_at(out, shifted, &call) < 0);
  /* In a ring, evens first. */
  const uint32_t next = (rank->rank + 1) % rank->size;
  const uint32_t last = (rank->rank + rank->size - 1) % rank->size;
  for (int turn = 0; turn < 2; ++turn) {
    if ((int)(rank->rank % 2) == turn) {
      RANK_OK(rank, netcl_group_send(rank->group, in, next, NULL));
    } else {
      RANK_OK(rank, netcl_group_receive(rank->group, out, last, NULL));
    }
  }
  RANK_CHECK(rank, wrong_at(out, of_rank, &last) < 0);
  netcl_tensor_release(in);
  netcl_tensor_release(out);
}

static void moves(void** state) {
  (void)state;
  run_all(joined_parts, NULL);
  run_all(moved_parts, NULL);
  run_all(empty_parts, NULL);
  if (gpus_count % 2 == 0) run_all(exchanged, NULL);
}

static double of_last(const void* context, int64_t i) {
  return value_of(((const Joined*)context)->size - 1, i) % 8;
}

/* More than goes at a time: 300 MB. */
static void long_messages(Rank* rank) {
  static const netcl_dtype kTypes[] = {NETCL_F32, NETCL_F16};
  for (size_t n = 0; n < COUNT_OF(kTypes); ++n) {
    const int64_t count = 300000007 / (int64_t)netcl_dtype_size(kTypes[n]);
    const Joined call = {rank->size, NETCL_REDUCTION_SUM, 0};
    netcl_tensor* in = filled(rank, kTypes[n], count, n == 0, rank->rank);
    netcl_tensor* out = filled(rank, kTypes[n], count, 0, UINT32_MAX);
    RANK_OK(rank, netcl_group_all_reduce(rank->group, in, out, NETCL_REDUCTION_SUM, NULL));
    RANK_CHECK(rank, wrong_at(out, joined, &call) < 0);
    RANK_OK(rank, netcl_group_broadcast(rank->group, in, rank->size - 1, NULL));
    if (rank->rank == 0) {
      RANK_OK(rank, netcl_group_send(rank->group, in, 1, NULL));
    } else if (rank->rank == 1) {
      RANK_OK(rank, netcl_group_receive(rank->group, out, 0, NULL));
      RANK_CHECK(rank, wrong_at(out, of_last, &call) < 0);
    }
    netcl_tensor_release(in);
    netcl_tensor_release(out);
    if (rank->problem[0] != '\0') return;
  }
}

static void lengths(void** state) {
  (void)state;
  if (gpus_scripted()) SKIP("it takes real GPUs");
  run_all(long_messages, NULL);
}

/* The bits of a sum do not change from call to call. */
static void same_sums(Rank* rank) {
  const int64_t count = 2000003;
  float* const data = malloc(sizeof(float) * (size_t)count);
  float* const first = malloc(sizeof(float) * (size_t)count);
  float* const got = malloc(sizeof(float) * (size_t)count);
  for (int64_t i = 0; i < count; ++i) {
    data[i] = (float)value_of(rank->rank, i) * 1e-7f - 100.0f * (float)(i % 5);
  }
  for (int turn = 0; turn < 6; ++turn) {
    netcl_tensor* tensor = NULL;
    RANK_OK(rank, netcl_tensor_create_from_host(rank->device, NETCL_F32, 1, &count, NULL, data,
                                                sizeof(float) * (size_t)count, NULL, &tensor));
    RANK_OK(rank, netcl_group_all_reduce(rank->group, tensor, tensor, NETCL_REDUCTION_SUM, NULL));
    RANK_OK(rank, netcl_tensor_read(tensor, turn == 0 ? first : got, sizeof(float) * (size_t)count,
                                    NULL, LONG_WAIT));
    if (turn > 0) RANK_CHECK(rank, memcmp(first, got, sizeof(float) * (size_t)count) == 0);
    netcl_tensor_release(tensor);
  }
  free(data);
  free(first);
  free(got);
}

static void bits(void** state) {
  (void)state;
  run_all(same_sums, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(transports), cmocka_unit_test(made_at_once),
                                     cmocka_unit_test(joins),      cmocka_unit_test(moves),
                                     cmocka_unit_test(lengths),    cmocka_unit_test(bits)};
  seed_random("group_gpus");
  return cmocka_run_group_tests_name("group_gpus", tests, open_gpus, close_gpus);
}
