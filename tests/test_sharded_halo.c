/* Blocks with their rims, and what is made with them: convolutions and the heat equation. */
#include "support_sharded.h"

#include <stdio.h>

enum { LAYS = 5, PADS = 4 };
static const int64_t kShape[2] = {9, 7};

/* Of four ranks; blocks are shorter than some rims. */
static const Lay kLays[LAYS] = {{1, {4}, {0}},
                                {1, {4}, {1}},
                                {2, {2, 2}, {0, 1}},
                                {2, {2, 2}, {NETCL_REPLICATED, 0}},
                                {1, {4}, {NETCL_REPLICATED}}};
static const int64_t kPads[PADS][4] = {{1, 1, 1, 1}, {0, 2, 3, 0}, {5, 0, 6, 7}, {0, 0, 0, 0}};

/* Element (y, x) of the endless plane. */
static double around(int64_t y, int64_t x, int periodic) {
  if (periodic) return counted_value((y + 90) % 9 * 7 + (x + 70) % 7);
  return y < 0 || y >= 9 || x < 0 || x >= 7 ? -2.5 : counted_value(y * 7 + x);
}

static void rims_of(Rank* rank) {
  for (int n = 0; n < LAYS * PADS * 2; n++) {
    const Lay* lay = &kLays[n % LAYS];
    const int64_t* pads = kPads[n / LAYS % PADS];
    const netcl_sharding_options options = lay_options(lay);
    netcl_halo_options halo = NETCL_HALO_OPTIONS_INIT;
    netcl_block_info block = NETCL_BLOCK_INFO_INIT;
    netcl_tensor *wide = NULL, *again = NULL;
    double wanted[(9 + 13) * (7 + 13)];
    halo.value = -2.5;
    halo.periodic = n >= LAYS * PADS;
    netcl_sharded* x = shard_values(rank, NETCL_F32, 2, kShape, lay, counted_value);
    RANK_CHECK(rank, x != NULL);
    RANK_OK(rank, netcl_group_describe_block(rank->group, rank->rank, 2, kShape, &options, &block));
    RANK_OK(rank, netcl_sharded_exchange_halo(x, pads, 4, &halo, NULL, &wide));
    const netcl_tensor_info info = tensor_info(wide);
    RANK_CHECK(rank, info.shape[0] == block.shape[0] + pads[0] + pads[2] &&
                         info.shape[1] == block.shape[1] + pads[1] + pads[3]);
    for (int64_t i = 0; i < info.element_count; i++) {
      wanted[i] = around(block.first[0] - pads[0] + i / info.shape[1],
                         block.first[1] - pads[1] + i % info.shape[1], (int)halo.periodic);
    }
    RANK_CHECK(rank, rank_holds(wide, wanted));
    RANK_CHECK(rank, explained(x, "halo: all_to_all of ") == 4);
    /* Into a tensor of the caller, with other elements in it. */
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    const float other = 77;
    RANK_OK(rank, netcl_op_fill(wide, &other, NULL));
    run.into = wide;
    RANK_OK(rank, netcl_sharded_exchange_halo(x, pads, 4, &halo, &run, NULL));
    RANK_CHECK(rank, rank_holds(wide, wanted));
    RANK_OK(rank, netcl_sharded_exchange_halo(x, pads, 4, &halo, &run, &again));
    RANK_CHECK(rank, rank_holds(again, wanted));
    netcl_tensor_release(again);
    netcl_tensor_release(wide);
    netcl_sharded_release(x);
  }
}

static void rims(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, 4, LONG_WAIT, rims_of, NULL);
}

/* A convolution over images whose rows are parted: padding comes as a rim. */
static void convolve(Rank* rank) {
  static const int64_t images[4] = {2, 3, 11, 6}, filters[4] = {4, 3, 3, 3},
                       wide[4] = {2, 4, 11, 6};
  static const int64_t pads[8] = {0, 0, 1, 1, 0, 0, 1, 1};
  static const Lay lay = {1, {3}, {2}};
  const netcl_sharding_options options = lay_options(&lay);
  netcl_conv2d_options conv = NETCL_CONV2D_OPTIONS_INIT;
  netcl_tensor *wanted = NULL, *block = NULL, *made = NULL;
  netcl_sharded* y = NULL;
  netcl_tensor* whole = whole_values(rank, NETCL_F32, 4, images, small_whole);
  netcl_tensor* weights = whole_values(rank, NETCL_F32, 4, filters, small_whole);
  netcl_sharded* x = shard_values(rank, NETCL_F32, 4, images, &lay, small_whole);
  RANK_CHECK(rank, x != NULL);
  RANK_OK(rank, netcl_sharded_exchange_halo(x, pads, 8, NULL, NULL, &block));
  RANK_OK(rank, netcl_op_conv2d(block, weights, &conv, NULL, &made));
  RANK_OK(rank, netcl_sharded_create(rank->group, made, 4, wide, &options, &y));
  for (int i = 0; i < 4; i++) conv.padding[i] = 1;
  RANK_OK(rank, netcl_op_conv2d(whole, weights, &conv, NULL, &wanted));
  RANK_CHECK(rank, shard_is(rank, y, wanted, 0));
  netcl_tensor_release(whole);
  netcl_tensor_release(weights);
  netcl_tensor_release(wanted);
  netcl_tensor_release(block);
  netcl_tensor_release(made);
  netcl_sharded_release(x);
  netcl_sharded_release(y);
}

static void convolutions(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, 3, LONG_WAIT, convolve, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(rims), DEVICE_TEST(convolutions)};
  compile_quickly();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
