/* Counts and extents near 2^63: tensors without elements have them without taking memory. */
#include "support_sharded.h"

enum { SIZE = 3 };
static const int64_t kBig = INT64_C(1) << 62;

static netcl_tensor* empty_rows(Rank* rank, int64_t rows) {
  const int64_t shape[2] = {rows, 0};
  netcl_tensor* tensor = NULL;
  if (netcl_tensor_create(rank->device, NETCL_U8, 2, shape, NULL, NULL, &tensor) != NETCL_OK) {
    rank_problem(rank, __FILE__, __LINE__, "netcl_tensor_create");
  }
  return tensor;
}

/* The call fails so on all ranks, and the next one works. */
#define ALL_FAIL(rank, text, call)                              \
  do {                                                          \
    RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, text, call); \
    RANK_OK(rank, netcl_group_barrier((rank)->group, NULL));    \
  } while (0)

static void too_many_rows(Rank* rank) {
  netcl_group* const group = rank->group;
  netcl_tensor* const some = empty_rows(rank, kBig);
  netcl_tensor* const most = empty_rows(rank, INT64_MAX);
  const int64_t counts[SIZE] = {kBig, 0, 0};
  RANK_CHECK(rank, some != NULL && most != NULL);
  ALL_FAIL(rank,
           "all_gather: the first extent of the input of rank 1 is 4611686018427387904; with those "
           "of the ranks before it that is more than 2^63 - 1",
           netcl_group_all_gather(group, some, most, NULL));
  ALL_FAIL(rank, "gather: the first extent of the input of rank 1 is 4611686018427387904",
           netcl_group_gather(group, some, most, 2, NULL));
  ALL_FAIL(rank, "scatter: the first extent of the output of rank 1 is 4611686018427387904",
           netcl_group_scatter(group, most, some, 0, NULL));
  ALL_FAIL(rank, "reduce_scatter: the first extent of the output of rank 1 is 4611686018427387904",
           netcl_group_reduce_scatter(group, most, some, NETCL_REDUCTION_SUM, NULL));
  ALL_FAIL(rank, "all_to_all: counts[0] of rank 1 is 4611686018427387904",
           netcl_group_all_to_all(group, some, counts, SIZE, most, NULL));
  netcl_tensor_release(some);
  netcl_tensor_release(most);
}

/* Just what fits. */
static void many_rows(Rank* rank) {
  netcl_group* const group = rank->group;
  const int64_t rows = INT64_MAX / SIZE + (rank->rank == 1 ? INT64_MAX % SIZE : 0);
  int64_t counts[SIZE];
  netcl_tensor* const some = empty_rows(rank, rows);
  netcl_tensor* const most = empty_rows(rank, INT64_MAX);
  RANK_CHECK(rank, some != NULL && most != NULL);
  RANK_OK(rank, netcl_group_all_gather(group, some, most, NULL));
  RANK_OK(rank, netcl_group_gather(group, some, most, 2, NULL));
  RANK_OK(rank, netcl_group_scatter(group, most, some, 0, NULL));
  RANK_OK(rank, netcl_group_reduce_scatter(group, most, some, NETCL_REDUCTION_MAX, NULL));
  /* All that each rank has goes to the one behind it. */
  for (uint32_t r = 0; r < SIZE; r++) counts[r] = r == (rank->rank + 1) % SIZE ? INT64_MAX : 0;
  netcl_tensor* const other = empty_rows(rank, INT64_MAX);
  RANK_CHECK(rank, other != NULL);
  RANK_OK(rank, netcl_group_all_to_all(group, most, counts, SIZE, other, NULL));
  netcl_tensor_release(some);
  netcl_tensor_release(most);
  netcl_tensor_release(other);
}

static void rows(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, SIZE, LONG_WAIT, too_many_rows, NULL);
  run_ranks(fixture->device, SIZE, LONG_WAIT, many_rows, NULL);
}

/* ---- Sharded tensors ------------------------------------------------------------------------- */

static netcl_sharded* empty_shards(Rank* rank, uint32_t dims, const int64_t* shape, int split) {
  const Lay lay = {1, {SIZE}, {split}};
  const netcl_sharding_options options = lay_options(&lay);
  netcl_block_info place = NETCL_BLOCK_INFO_INIT;
  netcl_tensor* block = NULL;
  netcl_sharded* made = NULL;
  if (netcl_group_describe_block(rank->group, rank->rank, dims, shape, &options, &place) !=
          NETCL_OK ||
      netcl_tensor_create(rank->device, NETCL_U8, dims, place.shape, NULL, NULL, &block) !=
          NETCL_OK ||
      netcl_sharded_create(rank->group, block, dims, shape, &options, &made) != NETCL_OK) {
    rank_problem(rank, __FILE__, __LINE__, "netcl_sharded_create");
  }
  netcl_tensor_release(block);
  return made;
}

static void too_wide_rims(Rank* rank) {
  const int64_t shape[2] = {kBig, 0};
  const int64_t behind[4] = {0, 0, kBig, 0}, before[4] = {kBig, 0, 0, 0};
  const int64_t both[4] = {kBig / 2, 0, kBig / 2 - 1, 0}, more[4] = {kBig / 2, 0, kBig / 2, 0};
  netcl_halo_options periodic = NETCL_HALO_OPTIONS_INIT;
  netcl_sharded* const x = empty_shards(rank, 2, shape, 0);
  netcl_tensor* wide = NULL;
  periodic.periodic = 1;
  RANK_CHECK(rank, x != NULL);
  ALL_FAIL(rank,
           "pads[2] is 4611686018427387904; axis 0 has 4611686018427387904 entries, with its rims "
           "more than 2^63 - 1",
           netcl_sharded_exchange_halo(x, behind, 4, NULL, NULL, &wide));
  ALL_FAIL(rank, "pads[0] is 4611686018427387904",
           netcl_sharded_exchange_halo(x, before, 4, &periodic, NULL, &wide));
  ALL_FAIL(rank, "pads[2] is 2305843009213693952",
           netcl_sharded_exchange_halo(x, more, 4, &periodic, NULL, &wide));
  RANK_CHECK(rank, wide == NULL);
  for (int i = 0; i < 2; i++) {
    RANK_OK(rank, netcl_sharded_exchange_halo(x, both, 4, i == 0 ? NULL : &periodic, NULL, &wide));
    const int64_t wanted = tensor_info(wide).shape[0];
    const int64_t rims = kBig - 1, third = kBig / SIZE;
    RANK_CHECK(rank, wanted == rims + third || wanted == rims + third + 1);
    netcl_tensor_release(wide);
    wide = NULL;
  }
  netcl_sharded_release(x);
}

static void too_large_results(Rank* rank) {
  const int64_t high = INT64_C(1) << 40;
  const int64_t tall[3] = {high, 1, 0}, broad[3] = {1, high, 0};
  const int64_t rows[2] = {high, 0}, columns[2] = {0, high};
  netcl_sharded* const a = empty_shards(rank, 3, tall, 0);
  netcl_sharded* const b = empty_shards(rank, 3, broad, NETCL_REPLICATED);
  netcl_sharded* const left = empty_shards(rank, 2, rows, 0);
  netcl_sharded* const right = empty_shards(rank, 2, columns, NETCL_REPLICATED);
  netcl_sharded* const both[2] = {a, b};
  netcl_sharded* y = NULL;
  RANK_CHECK(rank, a != NULL && b != NULL && left != NULL && right != NULL);
  ALL_FAIL(rank,
           "inputs of [1099511627776, 1, 0] [1, 1099511627776, 0] give a result of shape "
           "[1099511627776, 1099511627776, 0], which needs more than 2^63 - 1 bytes",
           netcl_sharded_expression_text("v0 + v1", both, 2, NULL, NULL, &y));
  ALL_FAIL(rank,
           "a [1099511627776, 0] and b [0, 1099511627776] give a result of shape [1099511627776, "
           "1099511627776], which needs more than 2^63 - 1 bytes",
           netcl_sharded_matmul(left, right, NULL, NULL, &y));
  RANK_CHECK(rank, y == NULL);
  netcl_sharded_release(a);
  netcl_sharded_release(b);
  netcl_sharded_release(left);
  netcl_sharded_release(right);
}

static void sharded_tensors(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, SIZE, LONG_WAIT, too_wide_rims, NULL);
  run_ranks(fixture->device, SIZE, LONG_WAIT, too_large_results, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(rows), DEVICE_TEST(sharded_tensors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
