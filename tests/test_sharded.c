/* Sharded tensors: how they lie on the ranks, and how they come from one layout to another. */
#include "support_sharded.h"

#include <stdio.h>

static const int64_t kShape[3] = {7, 9, 6};
enum { ELEMENTS = 7 * 9 * 6, LAYS = 10 };

/* Of four ranks. */
static const Lay kLays[LAYS] = {
    {1, {4}, {NETCL_REPLICATED}},
    {1, {4}, {0}},
    {1, {4}, {2}},
    {2, {2, 2}, {0, 1}},
    {2, {2, 2}, {2, 0}},
    {2, {2, 2}, {1, NETCL_REPLICATED}},
    {2, {2, 2}, {NETCL_REPLICATED, 0}},
    {2, {1, 4}, {0, 1}},
    {3, {2, 1, 2}, {1, 0, 2}},
    {3, {1, 2, 2}, {NETCL_REPLICATED, NETCL_REPLICATED, 2}},
};

/* Elements of one block that another of the same tensor lacks. */
static int64_t missing(const netcl_block_info* wanted, const netcl_block_info* own) {
  int64_t all = 1, shared = 1;
  for (int d = 0; d < 3; d++) {
    const int64_t wanted_end = wanted->first[d] + wanted->shape[d];
    const int64_t own_end = own->first[d] + own->shape[d];
    const int64_t first = wanted->first[d] > own->first[d] ? wanted->first[d] : own->first[d];
    const int64_t end = wanted_end < own_end ? wanted_end : own_end;
    all *= wanted->shape[d];
    shared *= end > first ? end - first : 0;
  }
  return all - shared;
}

static void pairs_of_lays(Rank* rank) {
  double whole[ELEMENTS];
  for (int64_t i = 0; i < ELEMENTS; i++) whole[i] = counted_value(i);
  for (int a = 0; a < LAYS; a++) {
    const netcl_sharding_options from = lay_options(&kLays[a]);
    netcl_sharded* x = shard_values(rank, NETCL_F32, 3, kShape, &kLays[a], counted_value);
    RANK_CHECK(rank, x != NULL);
    RANK_CHECK(rank, shard_holds(rank, x, 3, kShape, whole, 0));
    for (int b = 0; b < LAYS; b++) {
      const netcl_sharding_options to = lay_options(&kLays[b]);
      netcl_block_info own = NETCL_BLOCK_INFO_INIT, wanted = NETCL_BLOCK_INFO_INIT;
      netcl_sharded* y = NULL;
      RANK_OK(rank, netcl_sharded_redistribute(x, &to, NULL, &y));
      RANK_CHECK(rank, shard_holds(rank, y, 3, kShape, whole, 0));
      RANK_OK(rank, netcl_group_describe_block(rank->group, rank->rank, 3, kShape, &from, &own));
      RANK_OK(rank, netcl_group_describe_block(rank->group, rank->rank, 3, kShape, &to, &wanted));
      RANK_CHECK(rank, explained(y, "receives ") == 4 * missing(&wanted, &own));
      /* What all send is what all receive. */
      const int64_t one = 1;
      const double moved = (double)(explained(y, "sends ") - explained(y, "receives ")), none = 0;
      netcl_tensor* sum = rank_tensor(rank, NETCL_I64, 1, &one, &moved);
      RANK_OK(rank, netcl_group_all_reduce(rank->group, sum, sum, NETCL_REDUCTION_SUM, NULL));
      RANK_CHECK(rank, rank_holds(sum, &none));
      netcl_tensor_release(sum);
      netcl_sharded_release(y);
    }
    netcl_sharded_release(x);
  }
}

static void from_lay_to_lay(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, 4, LONG_WAIT, pairs_of_lays, NULL);
}

static void roots(Rank* rank) {
  static const netcl_dtype kHere[] = {NETCL_F32, NETCL_U8, NETCL_I64, NETCL_F16};
  static const Lay kOfThree[] = {{1, {3}, {1}}, {1, {3}, {NETCL_REPLICATED}}, {1, {3}, {2}}};
  double whole[ELEMENTS];
  for (int64_t i = 0; i < ELEMENTS; i++) whole[i] = counted_value(i % 200);
  for (uint32_t root = 0; root < rank->size; root++) {
    for (size_t n = 0; n < COUNT_OF(kHere) * COUNT_OF(kOfThree); n++) {
      const netcl_dtype dtype = kHere[n / COUNT_OF(kOfThree)];
      const netcl_sharding_options options = lay_options(&kOfThree[n % COUNT_OF(kOfThree)]);
      const int is_root = root == rank->rank;
      netcl_tensor *tensor = NULL, *turned = NULL, *back = NULL;
      netcl_sharded* sharded = NULL;
      /* As a view, whose elements lie in another order. */
      if (is_root) {
        static const int64_t kTurned[3] = {6, 7, 9};
        static const uint32_t kAxes[3] = {1, 2, 0};
        double mixed[ELEMENTS];
        for (int64_t i = 0; i < ELEMENTS; i++) mixed[i % 6 * 63 + i / 6] = whole[i];
        tensor = rank_tensor(rank, dtype, 3, kTurned, mixed);
        RANK_OK(rank, netcl_tensor_permute(tensor, kAxes, 3, &turned));
      }
      RANK_OK(rank,
              netcl_sharded_create_from_root(rank->group, turned, root, &options, NULL, &sharded));
      RANK_CHECK(rank, shard_holds(rank, sharded, 3, kShape, whole, 0));
      RANK_CHECK(rank, explains(sharded, "from the whole of rank"));
      /* Into a view as well. */
      if (is_root) {
        netcl_tensor* place = NULL;
        static const int64_t kPlace[3] = {9, 6, 7};
        static const uint32_t kBack[3] = {2, 0, 1};
        RANK_OK(rank,
                netcl_tensor_create_zeros(rank->device, dtype, 3, kPlace, NULL, NULL, &place));
        RANK_OK(rank, netcl_tensor_permute(place, kBack, 3, &back));
        netcl_tensor_release(place);
      }
      RANK_OK(rank, netcl_sharded_gather(sharded, back, root, NULL));
      RANK_CHECK(rank, !is_root || rank_holds(back, whole));
      netcl_tensor_release(tensor);
      netcl_tensor_release(turned);
      netcl_tensor_release(back);
      netcl_sharded_release(sharded);
    }
  }
}

static void from_and_to_a_root(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, 3, LONG_WAIT, roots, NULL);
}

/* What is written to the block is in the sharded tensor, which keeps its group. */
static void blocks(Rank* rank) {
  static const int64_t shape[2] = {5, 4};
  static const Lay rows = {1, {2}, {0}};
  const float nine = 9;
  double whole[20];
  netcl_tensor *block = NULL, *all = NULL;
  netcl_event* event = NULL;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_sharded_info info = NETCL_SHARDED_INFO_INIT;
  netcl_sharded* x = shard_values(rank, NETCL_F32, 2, shape, &rows, counted_value);
  RANK_CHECK(rank, x != NULL);
  RANK_OK(rank, netcl_sharded_get_info(x, &info));
  RANK_CHECK(rank, info.dtype == NETCL_F32 && info.rank == 2 && info.shape[0] == 5 &&
                       info.shape[1] == 4 && info.shape[2] == 0 && info.mesh_rank == 1 &&
                       info.mesh[0] == 2 && info.axes[0] == 0);
  RANK_CHECK(rank, explains(x, rank->rank == 0 ? "f32 [5, 4], mesh [2], axes [0]: rank 0 of 2 has "
                                                 "[2, 4] from [0, 0]\nmade of"
                                               : "rank 1 of 2 has [3, 4] from [2, 0]\n"));
  RANK_OK(rank, netcl_sharded_get_block(x, &block));
  RANK_OK(rank, netcl_op_fill(block, &nine, NULL));
  for (int i = 0; i < 20; i++) whole[i] = 9;
  RANK_CHECK(rank, shard_holds(rank, x, 2, shape, whole, 0));
  RANK_OK(rank, netcl_sharded_retain(x));
  netcl_sharded_release(x);
  run.event = &event;
  RANK_OK(rank, netcl_tensor_create_zeros(rank->device, NETCL_F32, 2, shape, NULL, NULL, &all));
  RANK_OK(rank, netcl_sharded_gather(x, all, 1, &run));
  RANK_OK(rank, netcl_event_wait(event, LONG_WAIT));
  for (int i = 0; i < 20 && rank->rank == 0; i++) whole[i] = 0;
  RANK_CHECK(rank, rank_holds(all, whole));
  netcl_event_release(event);
  netcl_tensor_release(all);
  netcl_tensor_release(block);
  netcl_sharded_release(x);
}

static void a_block_of_it(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, 2, LONG_WAIT, blocks, NULL);
}

/* Defaults: axis d is split by dimension d; scalars and one rank are no exception. */
static void small_ones(Rank* rank) {
  static const int64_t shape[2] = {6, 8};
  static const uint32_t mesh[2] = {1, 1};
  static const Lay whole = {1, {1}, {NETCL_REPLICATED}};
  const double three = 3;
  netcl_sharding_options options = NETCL_SHARDING_OPTIONS_INIT;
  netcl_block_info block = NETCL_BLOCK_INFO_INIT;
  netcl_sharded *x = NULL, *y = NULL;
  netcl_tensor* back = NULL;
  options.mesh = mesh;
  options.mesh_count = 2;
  RANK_OK(rank, netcl_group_describe_block(rank->group, 0, 2, shape, &options, &block));
  RANK_CHECK(rank, block.first[0] == 0 && block.shape[0] == 6 && block.shape[1] == 8);
  RANK_OK(rank, netcl_group_describe_block(rank->group, 0, 2, shape, NULL, &block));
  RANK_CHECK(rank, block.shape[0] == 6 && block.shape[1] == 8);
  netcl_tensor* scalar = rank_tensor(rank, NETCL_F32, 0, NULL, &three);
  options = lay_options(&whole);
  RANK_OK(rank, netcl_sharded_create(rank->group, scalar, 0, NULL, &options, &x));
  RANK_OK(rank, netcl_sharded_redistribute(x, &options, NULL, &y));
  RANK_CHECK(rank, shard_holds(rank, y, 0, NULL, &three, 0));
  RANK_OK(rank, netcl_tensor_create_zeros(rank->device, NETCL_F32, 0, NULL, NULL, NULL, &back));
  RANK_OK(rank, netcl_sharded_gather(y, back, 0, NULL));
  RANK_CHECK(rank, rank_holds(back, &three));
  netcl_tensor_release(back);
  netcl_tensor_release(scalar);
  netcl_sharded_release(x);
  netcl_sharded_release(y);
}

static void one_rank_and_no_axes(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, 1, LONG_WAIT, small_ones, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(from_lay_to_lay), DEVICE_TEST(from_and_to_a_root),
                                     DEVICE_TEST(a_block_of_it), DEVICE_TEST(one_rank_and_no_axes)};
  compile_quickly();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
