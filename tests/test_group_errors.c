/* Groups: what does not fit together is told to every rank, and leaves the group usable. */
#include "support_group.h"

#include <stdio.h>

enum { SIZE = 3, ODD = 1 };

typedef struct Tensors {
  netcl_tensor *f32, *f64, *longer, *rows, *more, *no_rows, *other;
} Tensors;

static int make_tensors(Rank* rank, Tensors* t) {
  static const double kNumbers[12] = {0};
  static const int64_t four = 4, five = 5, matrix[2] = {3, 4};
  t->f32 = rank_tensor(rank, NETCL_F32, 1, &four, kNumbers);
  t->f64 = rank_tensor(rank, NETCL_F64, 1, &four, kNumbers);
  t->longer = rank_tensor(rank, NETCL_F32, 1, &five, kNumbers);
  t->rows = rank_tensor(rank, NETCL_F32, 2, matrix, kNumbers);
  t->more = rank_tensor(rank, NETCL_F32, 2, matrix, kNumbers);
  t->other = rank_tensor(rank, NETCL_F32, 0, NULL, kNumbers);
  t->no_rows = rank_tensor(rank, NETCL_F32, 0, NULL, kNumbers);
  return rank->problem[0] == '\0';
}

static void release_tensors(Tensors* t) {
  netcl_tensor_release(t->f32);
  netcl_tensor_release(t->f64);
  netcl_tensor_release(t->longer);
  netcl_tensor_release(t->rows);
  netcl_tensor_release(t->more);
  netcl_tensor_release(t->no_rows);
  netcl_tensor_release(t->other);
}

/* The call fails so on all ranks, and the next one works. */
#define ALL_FAIL(rank, text, call)                              \
  do {                                                          \
    RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, text, call); \
    RANK_OK(rank, netcl_group_barrier((rank)->group, NULL));    \
  } while (0)

static void differing_calls(Rank* rank) {
  netcl_group* const group = rank->group;
  const int odd = rank->rank == ODD;
  const uint32_t colors[SIZE] = {0, 0, (uint32_t)odd};
  Tensors t;
  netcl_group* part = NULL;
  if (!make_tensors(rank, &t)) return;
  netcl_tensor* const x = odd ? t.f64 : t.f32;
  ALL_FAIL(rank, "all_reduce: rank 1 has dtype f64, rank 0 f32",
           netcl_group_all_reduce(group, x, x, NETCL_REDUCTION_SUM, NULL));
  netcl_tensor* const y = odd ? t.longer : t.f32;
  ALL_FAIL(rank, "all_reduce: rank 1 has shape [5], rank 0 [4]",
           netcl_group_all_reduce(group, y, y, NETCL_REDUCTION_SUM, NULL));
  ALL_FAIL(rank, "all_reduce: rank 1 has kind 3, rank 0 1",
           netcl_group_all_reduce(group, t.f32, t.f32,
                                  odd ? NETCL_REDUCTION_MAX : NETCL_REDUCTION_SUM, NULL));
  ALL_FAIL(rank, "broadcast: rank 1 has root 2, rank 0 0",
           netcl_group_broadcast(group, t.f32, odd ? 2 : 0, NULL));
  ALL_FAIL(rank, "broadcast: rank 1 calls barrier, rank 0 broadcast",
           odd ? netcl_group_barrier(group, NULL) : netcl_group_broadcast(group, t.f32, 0, NULL));
  ALL_FAIL(rank, "all_gather: rank 1 has shape [0] apart from the first dimension, rank 0 [0, 4]",
           netcl_group_all_gather(group, odd ? t.f32 : t.rows, odd ? t.longer : t.more, NULL));
  ALL_FAIL(rank,
           "all_gather: the output of rank 0 has 5 entries along the first dimension; it "
           "takes 12",
           netcl_group_all_gather(group, t.f32, t.longer, NULL));
  ALL_FAIL(rank,
           "scatter: the input of rank 0 has 5 entries along the first dimension; it takes 12",
           netcl_group_scatter(group, t.longer, t.f32, 0, NULL));
  ALL_FAIL(rank, "split: rank 1 has other colors", netcl_group_split(group, colors, SIZE, &part));
  RANK_CHECK(rank, part == NULL);
  release_tensors(&t);
}

static void calls_that_differ(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, SIZE, LONG_WAIT, differing_calls, NULL);
}

/* One rank is refused for what it can see by itself; the others hear of it. */
#define ODD_FAILS(rank, status, text, call, right)                                         \
  do {                                                                                     \
    if ((rank)->rank == ODD) {                                                             \
      RANK_FAILS(rank, status, text, call);                                                \
    } else {                                                                               \
      RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "rank 1 refused its call of", right); \
    }                                                                                      \
    RANK_OK(rank, netcl_group_barrier((rank)->group, NULL));                               \
  } while (0)

static void refused_calls(Rank* rank) {
  netcl_group* const group = rank->group;
  const netcl_reduction sum = NETCL_REDUCTION_SUM;
  netcl_run_options into = NETCL_RUN_OPTIONS_INIT;
  Tensors t;
  netcl_graph* graph = NULL;
  if (!make_tensors(rank, &t)) return;
#define RIGHT netcl_group_all_reduce(group, t.f32, t.f32, sum, NULL)
  ODD_FAILS(rank, NETCL_ERROR_INVALID_HANDLE, "input",
            netcl_group_all_reduce(group, NULL, t.f32, sum, NULL), RIGHT);
  ODD_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "output has shape [5]; input has [4]",
            netcl_group_all_reduce(group, t.f32, t.longer, sum, NULL), RIGHT);
  ODD_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "output is f64; input is f32",
            netcl_group_all_reduce(group, t.f32, t.f64, sum, NULL), RIGHT);
  ODD_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "kind is 11",
            netcl_group_all_reduce(group, t.f32, t.f32, NETCL_REDUCTION_ARGMAX, NULL), RIGHT);
  ODD_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "root is 3; the group has 3 ranks",
            netcl_group_reduce(group, t.f32, t.f32, sum, 3, NULL),
            netcl_group_reduce(group, t.f32, t.f32, sum, 2, NULL));
  ODD_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "input has rank 0",
            netcl_group_all_gather(group, t.no_rows, t.other, NULL),
            netcl_group_all_gather(group, t.f32, t.longer, NULL));
  into.into = t.f32;
  ODD_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "run->into is set",
            netcl_group_all_reduce(group, t.f32, t.f32, sum, &into), RIGHT);
  into.into = NULL;
  RANK_OK(rank, netcl_graph_create(rank->device, NULL, &graph));
  into.graph = graph;
  ODD_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "run->graph is set",
            netcl_group_reduce(group, t.f32, t.f32, sum, 0, &into),
            netcl_group_reduce(group, t.f32, t.f32, sum, 0, NULL));
  netcl_graph_release(graph);
#undef RIGHT
  release_tensors(&t);
}

static void calls_that_one_refuses(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, SIZE, LONG_WAIT, refused_calls, NULL);
}

static void counts_and_means(Rank* rank) {
  static const double kNumbers[12] = {0};
  const int64_t shape[2] = {3, 4}, few[2] = {1, 1}, below[2] = {4, -1}, three[3] = {1, 1, 1};
  netcl_group* part = NULL;
  netcl_tensor* rows = rank_tensor(rank, NETCL_I32, 2, shape, kNumbers);
  netcl_tensor* more = rank_tensor(rank, NETCL_I32, 2, shape, kNumbers);
  ALL_FAIL(rank, "no 2 equal parts",
           netcl_group_all_to_all(rank->group, rows, NULL, 0, more, NULL));
  ALL_FAIL(rank, "counts add up to 2; input has 3",
           netcl_group_all_to_all(rank->group, rows, few, 2, more, NULL));
  ALL_FAIL(rank, "counts[0] is 4; input has 3",
           netcl_group_all_to_all(rank->group, rows, below, 2, more, NULL));
  ALL_FAIL(rank, "counts_count is 3; the group has 2",
           netcl_group_all_to_all(rank->group, rows, three, 3, more, NULL));
  ALL_FAIL(rank, "output shares its memory with input",
           netcl_group_all_to_all(rank->group, rows, few, 2, rows, NULL));
  ALL_FAIL(rank, "means are of floats",
           netcl_group_all_reduce(rank->group, rows, rows, NETCL_REDUCTION_MEAN, NULL));
  ALL_FAIL(rank, "colors_count is 1; the group has 2",
           netcl_group_split(rank->group, (const uint32_t[]){1}, 1, &part));
  netcl_tensor_release(rows);
  netcl_tensor_release(more);
}

static void bad_counts(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, 2, LONG_WAIT, counts_and_means, NULL);
}

static void pairs(Rank* rank) {
  netcl_group* const group = rank->group;
  const uint32_t peer = 1 - rank->rank;
  Tensors t;
  if (!make_tensors(rank, &t)) return;
  ALL_FAIL(rank, "ranks 0 and 1 both call send", netcl_group_send(group, t.f32, peer, NULL));
  ALL_FAIL(rank, "ranks 0 and 1 both call receive", netcl_group_receive(group, t.f32, peer, NULL));
  ALL_FAIL(rank, "rank 1 has shape [5], rank 0 [4]",
           rank->rank == 0 ? netcl_group_send(group, t.f32, peer, NULL)
                           : netcl_group_receive(group, t.longer, peer, NULL));
  ALL_FAIL(rank, rank->rank == 0 ? "tensor" : "rank 0 refused its call of send",
           rank->rank == 0
               ? (netcl_group_send(group, NULL, peer, NULL) == NETCL_ERROR_INVALID_HANDLE
                      ? NETCL_ERROR_INVALID_ARGUMENT
                      : NETCL_OK)
               : netcl_group_receive(group, t.f32, peer, NULL));
  RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "peer is 2; this is rank",
             netcl_group_send(group, t.f32, 2, NULL));
  RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "peer is",
             netcl_group_receive(group, t.f32, rank->rank, NULL));
  release_tensors(&t);
}

static void sends_that_do_not_fit(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, 2, LONG_WAIT, pairs, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(calls_that_differ),
      DEVICE_TEST(calls_that_one_refuses),
      DEVICE_TEST(bad_counts),
      DEVICE_TEST(sends_that_do_not_fit),
  };
  compile_quickly();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
