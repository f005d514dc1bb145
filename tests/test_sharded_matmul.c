/* Products of sharded matrices: every way in which both can lie on a mesh. */
#include "support_sharded.h"

#include <stdio.h>

enum { M = 7, K = 1101, N = 6, PLACES = 7 };
static const int64_t kA[2] = {M, K}, kB[2] = {K, N}, kC[2] = {M, N};

/* What two dimensions of a mesh split. */
static const int32_t kPlaces[PLACES][2] = {{-1, -1}, {0, -1}, {-1, 0}, {1, -1},
                                           {-1, 1},  {0, 1},  {1, 0}};

static double* wanted_product(void) {
  double* c = malloc(M * N * sizeof *c);
  for (int i = 0; i < M * N; i++) {
    c[i] = 0;
    for (int64_t k = 0; k < K; k++) c[i] += small_whole(i / N * K + k) * small_whole(k * N + i % N);
  }
  return c;
}

/* What a dimension of the mesh makes of what it splits: the axis of the result, -1 for none, -2
 * where there is no product. */
static int result_axis(int32_t a, int32_t b, uint32_t extent) {
  if (extent == 1) return -1;
  if (a == 0 && b == 1) return -2;
  if (a == 0) return 0;
  return b == 1 ? 1 : -1;
}

/* Whether panels of a factor go round: a dimension of the mesh splits its depth, and what the
 * other one keeps. */
static int goes_round(const uint32_t* mesh, const int32_t* depths, int32_t depth,
                      const int32_t* others, int32_t kept) {
  for (int m = 0; m < 2; m++) {
    if (mesh[m] > 1 && depths[m] == depth && others[m] == kept) return 1;
  }
  return 0;
}

static void every_place(Rank* rank) {
  const uint32_t meshes[3][2] = {{rank->size, 1}, {rank->size / 2, 2}, {1, rank->size}};
  double* wanted = wanted_product();
  for (int n = 0; n < 3 * PLACES * PLACES; n++) {
    const uint32_t* mesh = meshes[n / (PLACES * PLACES)];
    const int32_t *pa = kPlaces[n / PLACES % PLACES], *pb = kPlaces[n % PLACES];
    const Lay a_lay = {2, {mesh[0], mesh[1]}, {pa[0], pa[1]}};
    const Lay b_lay = {2, {mesh[0], mesh[1]}, {pb[0], pb[1]}};
    netcl_sharded_info info = NETCL_SHARDED_INFO_INIT;
    netcl_sharded* c = NULL;
    netcl_sharded* a = shard_values(rank, NETCL_F32, 2, kA, &a_lay, small_whole);
    netcl_sharded* b = shard_values(rank, NETCL_F32, 2, kB, &b_lay, small_whole);
    RANK_CHECK(rank, a != NULL && b != NULL);
    const int axes[2] = {result_axis(pa[0], pb[0], mesh[0]), result_axis(pa[1], pb[1], mesh[1])};
    if (axes[0] == -2 || axes[1] == -2) {
      RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "splits rows of a",
                 netcl_sharded_matmul(a, b, NULL, NULL, &c));
      RANK_CHECK(rank, c == NULL);
    } else {
      RANK_OK(rank, netcl_sharded_matmul(a, b, NULL, NULL, &c));
      RANK_CHECK(rank, shard_holds(rank, c, 2, kC, wanted, 0));
      RANK_OK(rank, netcl_sharded_get_info(c, &info));
      RANK_CHECK(rank, info.axes[0] == axes[0] && info.axes[1] == axes[1]);
      const int a_goes = goes_round(mesh, pa, 1, pb, 1);
      const int b_goes = goes_round(mesh, pb, 0, pa, 0);
      RANK_CHECK(rank, (explained(c, "panels of a among ") > 1) == a_goes);
      RANK_CHECK(rank, (explained(c, "panels of b among ") > 1) == b_goes);
      int joins = 1;
      for (int m = 0; m < 2; m++) {
        const int depth = pa[m] == 1 || pb[m] == 0;
        if (mesh[m] > 1 && depth && axes[m] == -1) joins *= (int)mesh[m];
      }
      RANK_CHECK(rank, explained(c, "all_reduce of ") == (joins > 1 ? joins : -1));
      RANK_CHECK(rank, joins > 1 || a_goes || b_goes || explains(c, "matmul: nothing is sent"));
    }
    netcl_sharded_release(a);
    netcl_sharded_release(b);
    netcl_sharded_release(c);
  }
  free(wanted);
}

static void every_place_of_four(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, 4, LONG_WAIT, every_place, NULL);
}

static void every_place_of_six(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, 6, LONG_WAIT, every_place, NULL);
}

/* Leading dimensions of a are rows; short dtypes are added up in f32. */
static void stacks(Rank* rank) {
  static const int64_t shape[3] = {2, 3, 90}, weights[2] = {90, 5}, result[3] = {2, 3, 5};
  static const netcl_dtype kHere[] = {NETCL_F32, NETCL_F16, NETCL_BF16};
  static const Lay a_lays[] = {{2, {2, 2}, {0, 2}}, {2, {2, 2}, {1, 2}}, {2, {2, 2}, {0, 1}}};
  static const Lay b_lays[] = {{2, {2, 2}, {0, 1}}, {2, {2, 2}, {-1, 0}}, {2, {2, 2}, {-1, -1}}};
  double wanted[30];
  for (int i = 0; i < 30; i++) {
    wanted[i] = 0;
    for (int k = 0; k < 90; k++) {
      wanted[i] += small_whole(i / 5 * 90 + k) * small_whole(k * 5 + i % 5);
    }
  }
  for (size_t n = 0; n < COUNT_OF(kHere) * COUNT_OF(a_lays); n++) {
    const netcl_dtype dtype = kHere[n / COUNT_OF(a_lays)];
    const int is_short = dtype != NETCL_F32;
    netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
    netcl_sharded *c = NULL, *wide = NULL;
    netcl_sharded* a = shard_values(rank, dtype, 3, shape, &a_lays[n % 3], small_whole);
    netcl_sharded* b = shard_values(rank, dtype, 2, weights, &b_lays[n % 3], small_whole);
    RANK_CHECK(rank, a != NULL && b != NULL);
    RANK_OK(rank, netcl_sharded_matmul(a, b, NULL, NULL, &c));
    /* One rounding to 8 bits of what is below 512. */
    RANK_CHECK(rank, shard_holds(rank, c, 3, result, wanted, is_short ? 1 : 0));
    options.dtype = NETCL_F32;
    RANK_OK(rank, netcl_sharded_matmul(a, b, &options, NULL, &wide));
    RANK_CHECK(rank, shard_holds(rank, wide, 3, result, wanted, 0));
    netcl_sharded_release(a);
    netcl_sharded_release(b);
    netcl_sharded_release(c);
    netcl_sharded_release(wide);
  }
}

static void stacks_and_short_dtypes(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, 4, LONG_WAIT, stacks, NULL);
}

/* Three dimensions: rows, depth that goes round, and depth that is added up. */
static void on_three(Rank* rank) {
  static const Lay a_lay = {3, {2, 2, 2}, {0, NETCL_REPLICATED, 1}};
  static const Lay b_lay = {3, {2, 2, 2}, {NETCL_REPLICATED, 1, 0}};
  static const Lay depth_first = {3, {2, 2, 2}, {0, 1, NETCL_REPLICATED}};
  static const Lay depth_last = {3, {2, 2, 2}, {NETCL_REPLICATED, 1, 0}};
  double* wanted = wanted_product();
  netcl_sharded *c = NULL, *d = NULL;
  netcl_sharded* a = shard_values(rank, NETCL_F32, 2, kA, &a_lay, small_whole);
  netcl_sharded* b = shard_values(rank, NETCL_F32, 2, kB, &b_lay, small_whole);
  netcl_sharded* e = shard_values(rank, NETCL_F32, 2, kA, &depth_first, small_whole);
  netcl_sharded* f = shard_values(rank, NETCL_F32, 2, kB, &depth_last, small_whole);
  RANK_CHECK(rank, a != NULL && b != NULL && e != NULL && f != NULL);
  RANK_OK(rank, netcl_sharded_matmul(a, b, NULL, NULL, &c));
  RANK_CHECK(rank, shard_holds(rank, c, 2, kC, wanted, 0));
  RANK_CHECK(rank, explained(c, "all_reduce of ") == 2);
  /* a's depth along one dimension, where b has columns; b's along another, where a is whole. */
  RANK_OK(rank, netcl_sharded_matmul(e, f, NULL, NULL, &d));
  RANK_CHECK(rank, shard_holds(rank, d, 2, kC, wanted, 0));
  RANK_CHECK(rank, explained(d, "all_reduce of ") == 2 && explained(d, "panels of a among ") == 2);
  netcl_sharded_release(a);
  netcl_sharded_release(b);
  netcl_sharded_release(c);
  netcl_sharded_release(d);
  netcl_sharded_release(e);
  netcl_sharded_release(f);
  free(wanted);
}

static void three_dimensions(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, 8, LONG_WAIT, on_three, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(every_place_of_four), DEVICE_TEST(every_place_of_six),
      DEVICE_TEST(stacks_and_short_dtypes), DEVICE_TEST(three_dimensions)};
  compile_quickly();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
