/* Sharded tensors: what does not fit is told to every rank, and leaves the group usable. */
#include "support_sharded.h"

#include <stdio.h>

enum { RANKS = 4, ODD = 2 };
static const int64_t kShape[2] = {8, 12};
static const Lay kRows = {1, {RANKS}, {0}}, kColumns = {1, {RANKS}, {1}},
                 kWhole = {1, {RANKS}, {NETCL_REPLICATED}}, kSquare = {2, {2, 2}, {0, 1}};

/* The call fails so, and the group works on. */
#define ALL_REFUSE(rank, text, call)                            \
  do {                                                          \
    RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, text, call); \
    RANK_OK(rank, netcl_group_barrier((rank)->group, NULL));    \
  } while (0)

/* ---- Layouts --------------------------------------------------------------------------------- */

typedef struct WrongLay {
  const char* text;
  Lay lay;
} WrongLay;

static void wrong_lays(Rank* rank) {
  static const WrongLay kWrong[] = {
      {"options->mesh is [3]; the group has 4 ranks", {1, {3}, {0}}},
      {"options->mesh is [0, 4]; the group has 4 ranks", {2, {0, 4}, {0, 1}}},
      {"options->axes[0] is 2; the tensor has rank 2", {1, {4}, {2}}},
      {"options->axes[1] is -2; the tensor has rank 2", {2, {2, 2}, {0, -2}}},
      {"options->axes[1] is 0, as options->axes[0] is", {2, {2, 2}, {0, 0}}},
  };
  const double zeros[96] = {0};
  const int64_t small[2] = {3, 12};
  netcl_tensor* block = rank_tensor(rank, NETCL_F32, 2, kShape, zeros);
  netcl_sharded *x = shard_values(rank, NETCL_F32, 2, kShape, &kRows, counted_value), *y = NULL;
  netcl_block_info info = NETCL_BLOCK_INFO_INIT;
  netcl_sharding_options options;
  RANK_CHECK(rank, block != NULL && x != NULL);
  for (size_t i = 0; i < COUNT_OF(kWrong); i++) {
    options = lay_options(&kWrong[i].lay);
    RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, kWrong[i].text,
               netcl_group_describe_block(rank->group, 0, 2, kShape, &options, &info));
    ALL_REFUSE(rank, kWrong[i].text,
               netcl_sharded_create(rank->group, block, 2, kShape, &options, &y));
    ALL_REFUSE(rank, kWrong[i].text, netcl_sharded_redistribute(x, &options, NULL, &y));
    ALL_REFUSE(rank, rank->rank == 1 || i < 2 ? kWrong[i].text : "rank 1 refused",
               netcl_sharded_create_from_root(rank->group, block, 1, &options, NULL, &y));
  }
  options = lay_options(&kRows);
  RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "axis 0 has 3 entries; dimension 0 of the mesh",
             netcl_group_describe_block(rank->group, 0, 2, small, &options, &info));
  RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "index is 4; the group has 4 ranks",
             netcl_group_describe_block(rank->group, 4, 2, kShape, &options, &info));
  options.mesh_count = 0;
  options.axes_count = 2;
  ALL_REFUSE(rank, "options->axes_count is 2; the mesh has 1 dimensions",
             netcl_sharded_redistribute(x, &options, NULL, &y));
  options.mesh_count = 4;
  ALL_REFUSE(rank, "options->mesh_count is 4; the limit is 3",
             netcl_sharded_redistribute(x, &options, NULL, &y));
  options = lay_options(&kRows);
  ALL_REFUSE(rank, "block has shape [8, 12]",
             netcl_sharded_create(rank->group, block, 2, kShape, &options, &y));
  RANK_CHECK(rank, y == NULL);
  netcl_tensor_release(block);
  netcl_sharded_release(x);
}

static void layouts(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, RANKS, LONG_WAIT, wrong_lays, NULL);
}

/* ---- Ranks that differ ----------------------------------------------------------------------- */

static void one_differs(Rank* rank) {
  const int odd = rank->rank == ODD;
  const int64_t longer[2] = {9, 12}, pads[4] = {1, 0, 0, 0}, other_pads[4] = {1, 0, 2, 0};
  const double numbers[64] = {0};
  int32_t axis = odd ? 1 : 0;
  const netcl_sharding_options rows = lay_options(&kRows), columns = lay_options(&kColumns);
  netcl_reduce_options reduce = NETCL_REDUCE_OPTIONS_INIT;
  netcl_sharded *x = shard_values(rank, NETCL_F32, 2, kShape, &kRows, counted_value), *y = NULL;
  netcl_sharded* small = shard_values(rank, NETCL_I32, 2, kShape, &kSquare, counted_value);
  const int64_t own_rows[2] = {2, 12};
  netcl_tensor *f32 = rank_tensor(rank, NETCL_F32, 2, own_rows, numbers), *wide = NULL;
  netcl_tensor* i32 = rank_tensor(rank, NETCL_I32, 2, own_rows, numbers);
  netcl_tensor* all = whole_values(rank, NETCL_F32, 2, kShape, counted_value);
  RANK_CHECK(rank, x != NULL && small != NULL && f32 != NULL && i32 != NULL && all != NULL);
  ALL_REFUSE(rank, "netcl_sharded_create: rank 2 has dtype i32, rank 0 f32",
             netcl_sharded_create(rank->group, odd ? i32 : f32, 2, kShape, &rows, &y));
  /* [9, 12] in four parts gives rank 2 the same block. */
  ALL_REFUSE(rank, "netcl_sharded_create: rank 2 has shape [9, 12], rank 0 [8, 12]",
             netcl_sharded_create(rank->group, f32, 2, odd ? longer : kShape, &rows, &y));
  ALL_REFUSE(rank, "netcl_sharded_create_from_root: rank 2 has root 2, rank 0 0",
             netcl_sharded_create_from_root(rank->group, f32, odd ? 2 : 0, &columns, NULL, &y));
  ALL_REFUSE(rank, "netcl_sharded_redistribute: rank 2 has another x, or options",
             netcl_sharded_redistribute(x, odd ? &rows : &columns, NULL, &y));
  /* No more goes between the ranks for the one than for the other. */
  netcl_sharded* whole = shard_values(rank, NETCL_F32, 2, kShape, &kWhole, counted_value);
  netcl_halo_options halo = NETCL_HALO_OPTIONS_INIT;
  RANK_CHECK(rank, whole != NULL);
  ALL_REFUSE(rank, "netcl_sharded_redistribute: rank 2 has another x, or options, rank 0 its own",
             netcl_sharded_redistribute(whole, odd ? &rows : &columns, NULL, &y));
  halo.value = odd;
  ALL_REFUSE(rank, "netcl_sharded_exchange_halo: rank 2 has another x, pads or options",
             netcl_sharded_exchange_halo(x, pads, 4, &halo, NULL, &wide));
  /* Tensors of another shape, of which as much goes between the ranks. */
  const int64_t turned_shape[2] = {12, 8};
  netcl_sharded* turned = shard_values(rank, NETCL_F32, 2, turned_shape, &kRows, counted_value);
  RANK_CHECK(rank, turned != NULL);
  ALL_REFUSE(rank, "netcl_sharded_redistribute: rank 2 has another x, or options, rank 0 its own",
             netcl_sharded_redistribute(odd ? turned : x, &columns, NULL, &y));
  netcl_sharded_release(turned);
  netcl_sharded_release(whole);
  /* The rims of what was given stay as they are. */
  const int64_t wide_shape[2] = {3, 12};
  double sevens[36];
  for (int i = 0; i < 36; i++) sevens[i] = 7;
  netcl_tensor* given = rank_tensor(rank, NETCL_F32, 2, wide_shape, sevens);
  const netcl_run_options into = run_into(given);
  RANK_CHECK(rank, given != NULL);
  halo.value = odd;
  ALL_REFUSE(rank, "netcl_sharded_exchange_halo: rank 2 has another x, pads or options",
             netcl_sharded_exchange_halo(x, pads, 4, &halo, &into, &wide));
  RANK_CHECK(rank, rank_holds(given, sevens));
  netcl_tensor_release(given);
  ALL_REFUSE(rank, "netcl_sharded_gather: rank 2 has another x, or root, rank 0 its own",
             netcl_sharded_gather(x, all, odd ? 2 : 0, NULL));
  ALL_REFUSE(rank, "netcl_sharded_exchange_halo: rank 2 has another x, pads or options",
             netcl_sharded_exchange_halo(x, odd ? other_pads : pads, 4, NULL, NULL, &wide));
  ALL_REFUSE(
      rank, "netcl_sharded_reduce: rank 2 has other options, rank 0 its own",
      netcl_sharded_reduce(x, odd ? NETCL_REDUCTION_MAX : NETCL_REDUCTION_SUM, NULL, NULL, &y));
  reduce.axes = &axis;
  reduce.axes_count = 1;
  ALL_REFUSE(rank, "netcl_sharded_reduce: rank 2 has other options, rank 0 its own",
             netcl_sharded_reduce(x, NETCL_REDUCTION_SUM, &reduce, NULL, &y));
  ALL_REFUSE(rank, "rank 2 has",
             netcl_sharded_reduce(odd ? small : x, NETCL_REDUCTION_SUM, NULL, NULL, &y));
  ALL_REFUSE(rank, "rank 2 calls netcl_sharded_reduce, rank 0 netcl_sharded_create",
             odd ? netcl_sharded_reduce(x, NETCL_REDUCTION_SUM, NULL, NULL, &y)
                 : netcl_sharded_create(rank->group, f32, 2, kShape, &rows, &y));
  RANK_CHECK(rank, y == NULL && wide == NULL);
  netcl_tensor_release(f32);
  netcl_tensor_release(i32);
  netcl_tensor_release(all);
  netcl_sharded_release(x);
  netcl_sharded_release(small);
}

static void ranks_that_differ(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, RANKS, LONG_WAIT, one_differs, NULL);
}

/* ---- One rank refuses ------------------------------------------------------------------------ */

#define ONE_REFUSES(rank, own, call) ALL_REFUSE(rank, odd ? (own) : "rank 2 refused", call)

static void one_refuses(Rank* rank) {
  const int odd = rank->rank == ODD;
  const int64_t pads[4] = {1, 1, 1, 1}, wrong[4] = {1, 1, 1, odd ? -1 : 1};
  const int64_t own_rows[2] = {2, 12};
  const double numbers[64] = {0};
  const netcl_sharding_options rows = lay_options(&kRows), columns = lay_options(&kColumns);
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_matmul_options product = NETCL_MATMUL_OPTIONS_INIT;
  netcl_sharded *x = shard_values(rank, NETCL_F32, 2, kShape, &kRows, counted_value), *y = NULL;
  netcl_sharded* b = shard_values(rank, NETCL_F32, 2, kShape, &kWhole, counted_value);
  const int64_t tall[2] = {12, 8};
  netcl_sharded* t = shard_values(rank, NETCL_F32, 2, tall, &kRows, counted_value);
  netcl_tensor *block = rank_tensor(rank, NETCL_F32, 2, own_rows, numbers), *wide = NULL;
  RANK_CHECK(rank, x != NULL && b != NULL && t != NULL && block != NULL);
  ONE_REFUSES(rank, "sharded is NULL",
              netcl_sharded_create(rank->group, block, 2, kShape, &rows, odd ? NULL : &y));
  ONE_REFUSES(rank, "result is NULL",
              netcl_sharded_redistribute(x, &columns, NULL, odd ? NULL : &y));
  /* The root alone has something wrong. */
  if (odd) {
    RANK_FAILS(rank, NETCL_ERROR_INVALID_HANDLE, "output is NULL",
               netcl_sharded_gather(x, NULL, ODD, NULL));
    RANK_OK(rank, netcl_group_barrier(rank->group, NULL));
  } else {
    ALL_REFUSE(rank, "rank 2 refused", netcl_sharded_gather(x, NULL, ODD, NULL));
  }
  ONE_REFUSES(rank, "output is f32 [2, 12]; x is f32 [8, 12]",
              netcl_sharded_gather(x, block, ODD, NULL));
  ONE_REFUSES(rank, "result is NULL",
              netcl_sharded_reduce(x, NETCL_REDUCTION_SUM, NULL, NULL, odd ? NULL : &y));
  ONE_REFUSES(rank, "result is NULL", netcl_sharded_matmul(x, t, NULL, NULL, odd ? NULL : &y));
  ONE_REFUSES(rank, "pads[3] is -1", netcl_sharded_exchange_halo(x, wrong, 4, NULL, NULL, &wide));
  ONE_REFUSES(rank, "pads_count is 3",
              netcl_sharded_exchange_halo(x, pads, odd ? 3 : 4, NULL, NULL, &wide));
  run.into = odd ? block : NULL;
  ONE_REFUSES(rank, "run->into",
              netcl_sharded_create_from_root(rank->group, block, 0, &columns, &run, &y));
  ONE_REFUSES(rank, "run->into", netcl_sharded_reduce(x, NETCL_REDUCTION_SUM, NULL, &run, &y));
  product.has_scale = odd;
  ONE_REFUSES(rank, "options->has_scale is set", netcl_sharded_matmul(x, t, &product, NULL, &y));
  RANK_CHECK(rank, y == NULL && wide == NULL);
  netcl_tensor_release(block);
  netcl_sharded_release(x);
  netcl_sharded_release(b);
  netcl_sharded_release(t);
}

static void a_rank_that_refuses(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, RANKS, LONG_WAIT, one_refuses, NULL);
}

/* ---- Graphs ---------------------------------------------------------------------------------- */

#define NOT_RECORDED(rank, call)                           \
  RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT,           \
             "run->graph is set; this call cannot be recorded", call)

/* Each call that takes options of a run, in a capture and on a tape: no rank waits for another. A
 * rank that gives one alone is as any that refuses. */
static void recorded(Rank* rank) {
  const int odd = rank->rank == ODD;
  const int64_t pads[4] = {1, 1, 1, 1}, tall[2] = {12, 8};
  const netcl_sharding_options columns = lay_options(&kColumns);
  netcl_sharded *x = shard_values(rank, NETCL_F32, 2, kShape, &kRows, counted_value), *y = NULL;
  netcl_sharded* t = shard_values(rank, NETCL_F32, 2, tall, &kRows, counted_value);
  netcl_tensor *whole = whole_values(rank, NETCL_F32, 2, kShape, counted_value), *wide = NULL;
  RANK_CHECK(rank, x != NULL && t != NULL && whole != NULL);
  for (int capture = 0; capture < 2; capture++) {
    netcl_graph_options options = NETCL_GRAPH_OPTIONS_INIT;
    netcl_graph_info info = NETCL_GRAPH_INFO_INIT;
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT, own = NETCL_RUN_OPTIONS_INIT;
    options.execute = capture ? NETCL_OFF : NETCL_ON;
    RANK_OK(rank, netcl_graph_create(rank->device, &options, &run.graph));
    NOT_RECORDED(rank,
                 netcl_sharded_create_from_root(rank->group, whole, 0, &columns, &run, &y));
    NOT_RECORDED(rank, netcl_sharded_redistribute(x, &columns, &run, &y));
    NOT_RECORDED(rank, netcl_sharded_gather(x, whole, 0, &run));
    NOT_RECORDED(rank, netcl_sharded_expression_text("v0 + 1", &x, 1, NULL, &run, &y));
    NOT_RECORDED(rank, netcl_sharded_reduce(x, NETCL_REDUCTION_SUM, NULL, &run, &y));
    NOT_RECORDED(rank, netcl_sharded_softmax(x, 1, &run, &y));
    NOT_RECORDED(rank, netcl_sharded_layernorm(x, 1, NULL, &run, &y));
    NOT_RECORDED(rank, netcl_sharded_rmsnorm(x, 1, NULL, &run, &y));
    NOT_RECORDED(rank, netcl_sharded_matmul(x, t, NULL, &run, &y));
    NOT_RECORDED(rank, netcl_sharded_exchange_halo(x, pads, 4, NULL, &run, &wide));
    own.graph = odd ? run.graph : NULL;
    ONE_REFUSES(rank, "run->graph is set", netcl_sharded_redistribute(x, &columns, &own, &y));
    RANK_CHECK(rank, y == NULL && wide == NULL);
    RANK_OK(rank, netcl_graph_get_info(run.graph, &info));
    RANK_CHECK(rank, info.call_count == 0);
    netcl_graph_release(run.graph);
  }
  RANK_OK(rank, netcl_sharded_redistribute(x, &columns, NULL, &y));
  netcl_tensor_release(whole);
  netcl_sharded_release(x);
  netcl_sharded_release(t);
  netcl_sharded_release(y);
}

static void what_graphs_do_not_record(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, RANKS, LONG_WAIT, recorded, NULL);
}

/* ---- What does not go together --------------------------------------------------------------- */

static void wrong_pairs(Rank* rank) {
  static const int64_t flat[1] = {12}, tall[2] = {12, 8};
  static const Lay other_mesh = {2, {2, 2}, {1, 0}}, deep = {1, {RANKS}, {0}};
  const uint32_t colors[RANKS] = {0, 0, 0, 0};
  const int64_t periods[4] = {0, 13, 0, 0};
  netcl_halo_options halo = NETCL_HALO_OPTIONS_INIT;
  netcl_group* part = NULL;
  netcl_tensor* wide = NULL;
  netcl_sharded *y = NULL, *foreign = NULL;
  netcl_sharded* rows = shard_values(rank, NETCL_F32, 2, kShape, &kRows, counted_value);
  netcl_sharded* columns = shard_values(rank, NETCL_F32, 2, kShape, &kColumns, counted_value);
  netcl_sharded* square = shard_values(rank, NETCL_F32, 2, kShape, &other_mesh, counted_value);
  netcl_sharded* line = shard_values(rank, NETCL_F32, 1, flat, &deep, counted_value);
  netcl_sharded* turned = shard_values(rank, NETCL_F32, 2, tall, &kColumns, counted_value);
  netcl_sharded* deep_rows = shard_values(rank, NETCL_F32, 2, tall, &kRows, counted_value);
  netcl_matmul_options product = NETCL_MATMUL_OPTIONS_INIT;
  netcl_sharded* integers = shard_values(rank, NETCL_I32, 2, tall, &kRows, counted_value);
  RANK_OK(rank, netcl_group_split(rank->group, colors, RANKS, &part));
  Rank in_part = *rank;
  in_part.group = part;
  foreign = shard_values(&in_part, NETCL_F32, 2, kShape, &kRows, counted_value);
  RANK_CHECK(rank, foreign != NULL && rows != NULL && columns != NULL && square != NULL &&
                       line != NULL && turned != NULL && integers != NULL && deep_rows != NULL);
  netcl_sharded* pair[2] = {rows, columns};
  ALL_REFUSE(rank, "inputs[1] has mesh [4], axes [1], inputs[0] has mesh [4], axes [0]",
             netcl_sharded_expression_text("v0 + v1", pair, 2, NULL, NULL, &y));
  pair[1] = square;
  ALL_REFUSE(rank, "inputs[1] has mesh [2, 2], axes [1, 0]",
             netcl_sharded_expression_text("v0 + v1", pair, 2, NULL, NULL, &y));
  pair[1] = foreign;
  ALL_REFUSE(rank, "inputs[1] is of another group than inputs[0]",
             netcl_sharded_expression_text("v0 + v1", pair, 2, NULL, NULL, &y));
  pair[1] = turned;
  ALL_REFUSE(rank, "inputs", netcl_sharded_expression_text("v0 + v1", pair, 2, NULL, NULL, &y));
  ALL_REFUSE(rank, "inputs_count is 0",
             netcl_sharded_expression_text("1", pair, 0, NULL, NULL, &y));
  ALL_REFUSE(rank, "b is of another group than a",
             netcl_sharded_matmul(rows, foreign, NULL, NULL, &y));
  ALL_REFUSE(rank, "a is [..., M, K] and b [K, N]",
             netcl_sharded_matmul(rows, line, NULL, NULL, &y));
  ALL_REFUSE(rank, "whose depth is not that of b",
             netcl_sharded_matmul(rows, rows, NULL, NULL, &y));
  ALL_REFUSE(rank, "splits rows of a", netcl_sharded_matmul(rows, turned, NULL, NULL, &y));
  ALL_REFUSE(rank, "both lie on one mesh", netcl_sharded_matmul(square, turned, NULL, NULL, &y));
  /* Found where panels would go round. */
  ALL_REFUSE(rank, "", netcl_sharded_matmul(rows, integers, NULL, NULL, &y));
  product.dtype = NETCL_F16;
  RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "options->dtype is f16; products of f32 give f32",
             netcl_sharded_matmul(rows, deep_rows, &product, NULL, &y));
  RANK_FAILS(rank, NETCL_ERROR_UNSUPPORTED, "kind is 11; along axes that are split",
             netcl_sharded_reduce(rows, NETCL_REDUCTION_ARGMAX, NULL, NULL, &y));
  RANK_OK(rank, netcl_group_barrier(rank->group, NULL));
  ALL_REFUSE(rank, "root is 4; the group has 4 ranks", netcl_sharded_gather(rows, NULL, 4, NULL));
  halo.periodic = 1;
  ALL_REFUSE(rank, "pads[1] is 13; axis 1 has 12 entries and is periodic",
             netcl_sharded_exchange_halo(rows, periods, 4, &halo, NULL, &wide));
  halo.periodic = 2;
  ALL_REFUSE(rank, "options->periodic is 2",
             netcl_sharded_exchange_halo(rows, periods, 4, &halo, NULL, &wide));
  RANK_CHECK(rank, y == NULL && wide == NULL);
  netcl_sharded* const all[] = {deep_rows, rows, columns, square, line, turned, integers, foreign};
  for (size_t i = 0; i < COUNT_OF(all); i++) netcl_sharded_release(all[i]);
  netcl_group_release(part);
}

static void what_does_not_go_together(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, RANKS, LONG_WAIT, wrong_pairs, NULL);
}

/* ---- Ranks that go --------------------------------------------------------------------------- */

static void one_goes(Rank* rank) {
  netcl_sharded *x = shard_values(rank, NETCL_F32, 2, kShape, &kRows, counted_value), *y = NULL;
  RANK_CHECK(rank, x != NULL);
  RANK_OK(rank, netcl_group_barrier(rank->group, NULL));
  if (rank->rank != ODD) {
    RANK_FAILS(rank, NETCL_ERROR_RANK_LOST, "rank 2 was released",
               netcl_sharded_reduce(x, NETCL_REDUCTION_SUM, NULL, NULL, &y));
    RANK_FAILS(rank, NETCL_ERROR_RANK_LOST, "rank 2 was released",
               netcl_sharded_redistribute(x, NULL, NULL, &y));
    /* What needs no other goes on. */
    RANK_OK(rank, netcl_sharded_softmax(x, 1, NULL, &y));
    netcl_sharded_release(y);
  }
  netcl_sharded_release(x);
}

static void a_rank_that_goes(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, RANKS, LONG_WAIT, one_goes, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(layouts), DEVICE_TEST(ranks_that_differ), DEVICE_TEST(a_rank_that_refuses),
      DEVICE_TEST(what_graphs_do_not_record), DEVICE_TEST(what_does_not_go_together),
      DEVICE_TEST(a_rank_that_goes)};
  compile_quickly();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
