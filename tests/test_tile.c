/* Repeated tensors and triangles of matrices: every element is where it belongs, bit for bit, in
 * every dtype and through strides of every kind, and what gradients they have. */
#include "support_gradients.h"

static void move_element(netcl_dtype dtype, void* y, int64_t to, const void* x, int64_t from) {
  const size_t size = netcl_dtype_size(dtype);
  memcpy((char*)y + (size_t)to * size, (const char*)x + (size_t)from * size, size);
}

static void check_tile(Fixture* fixture, netcl_dtype dtype, uint32_t rank, const int64_t* shape,
                       const int64_t* repeats) {
  int64_t whole[NETCL_RANK_MAX] = {0};
  for (uint32_t d = 0; d < rank; ++d) whole[d] = shape[d] * repeats[d];
  const int64_t count = product(rank, shape), total = product(rank, whole);
  void *x = malloc((size_t)count * 8 + 1), *y = malloc((size_t)total * 8 + 1);
  fill_bits(dtype, x, count);
  for (int64_t i = 0; i < total; ++i) {
    int64_t at[NETCL_RANK_MAX];
    unravel(rank, whole, i, at);
    for (uint32_t d = 0; d < rank; ++d) at[d] %= shape[d];
    move_element(dtype, y, i, x, ravel(rank, shape, at));
  }
  Strided source = make_strided(fixture->device, dtype, rank, shape, x);
  Strided target = make_strided(fixture->device, dtype, rank, whole, NULL);
  netcl_tensor *packed = make_tensor(fixture->device, dtype, rank, shape, x), *result = NULL;
  const netcl_run_options run = run_into(target.view);
  OK(netcl_op_tile(source.view, repeats, rank, &run, NULL));
  CHECK_STRIDED(&target, y);
  OK(netcl_op_tile(packed, repeats, rank, NULL, &result));
  assert_int_equal(tensor_info(result).contiguous, 1);
  CHECK_TENSOR(result, y);
  netcl_tensor_release(result);
  netcl_tensor_release(packed);
  release_strided(&target);
  release_strided(&source);
  free(x);
  free(y);
}

static void tiles(void** state) {
  Fixture* fixture = *state;
  for (int round = 0; round < rounds(fixture, 10 * DTYPES); ++round) {
    const uint32_t rank = (uint32_t)random_in(0, 5);
    int64_t shape[NETCL_RANK_MAX] = {0}, repeats[NETCL_RANK_MAX] = {0};
    for (uint32_t d = 0; d < rank; ++d) {
      shape[d] = random_in(round % 20 == 0 ? 0 : 1, 5);
      repeats[d] = random_in(round % 25 == 0 ? 0 : 1, 3);
    }
    check_tile(fixture, kDtypes[round % DTYPES], rank, shape, repeats);
  }
  /* As many axes as there are, of which all are repeated. */
  const int64_t all[] = {2, 2, 2, 2, 2, 2, 2, 2}, some[] = {1, 2, 3, 1, 2, 1, 2, 2};
  check_tile(fixture, NETCL_F32, 8, all, all);
  check_tile(fixture, NETCL_U8, 8, all, some);
  check_tile(fixture, NETCL_I64, 8, some, all);
}

/* k may lie far from every column. */
static int stays(int64_t row, int64_t column, uint32_t upper, int64_t k) {
  if (k > 100 || k < -100) return upper ? k < 0 : k > 0;
  return upper ? column - row >= k : column - row <= k;
}

static void check_trilu(Fixture* fixture, netcl_dtype dtype, uint32_t rank, const int64_t* shape,
                        uint32_t upper, int64_t k) {
  const int64_t count = product(rank, shape);
  void *x = malloc((size_t)count * 8 + 1), *y = calloc((size_t)count * 8 + 1, 1);
  fill_bits(dtype, x, count);
  for (int64_t i = 0; i < count; ++i) {
    int64_t at[NETCL_RANK_MAX];
    unravel(rank, shape, i, at);
    if (stays(at[rank - 2], at[rank - 1], upper, k)) move_element(dtype, y, i, x, i);
  }
  Strided source = make_strided(fixture->device, dtype, rank, shape, x);
  Strided target = make_strided(fixture->device, dtype, rank, shape, NULL);
  netcl_run_options run = run_into(target.view);
  netcl_tensor* result = NULL;
  OK(netcl_op_trilu(source.view, upper, k, &run, NULL));
  CHECK_STRIDED(&target, y);
  OK(netcl_op_trilu(source.view, upper, k, NULL, &result));
  CHECK_TENSOR(result, y);
  run = run_into(source.view);
  OK(netcl_op_trilu(source.view, upper, k, &run, NULL));
  CHECK_STRIDED(&source, y);
  netcl_tensor_release(result);
  release_strided(&target);
  release_strided(&source);
  free(x);
  free(y);
}

static void triangles(void** state) {
  Fixture* fixture = *state;
  static const int64_t kFar[] = {INT64_MIN, INT64_MAX, -9, 9};
  for (int round = 0; round < rounds(fixture, 8 * DTYPES); ++round) {
    const uint32_t rank = (uint32_t)random_in(2, 5);
    int64_t shape[NETCL_RANK_MAX] = {0};
    for (uint32_t d = 0; d < rank; ++d) shape[d] = random_in(round % 20 == 0 ? 0 : 1, 8);
    const int64_t k = round % 7 == 0 ? kFar[random_in(0, 3)] : random_in(-8, 8);
    check_trilu(fixture, kDtypes[round % DTYPES], rank, shape, (uint32_t)random_in(0, 1), k);
  }
  const int64_t large[] = {300, 700};
  check_trilu(fixture, NETCL_F32, 2, large, 1, 3);
  check_trilu(fixture, NETCL_F16, 2, large, 0, -3);
}

typedef struct Form {
  int64_t repeats[NETCL_RANK_MAX];
  int64_t k;
  uint32_t rank, upper;
} Form;
static netcl_status tile_call(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                              netcl_tensor** y) {
  const Form* form = context;
  return netcl_op_tile(x[0], form->repeats, form->rank, run, y);
}
static netcl_status trilu_call(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                               netcl_tensor** y) {
  const Form* form = context;
  return netcl_op_trilu(x[0], form->upper, form->k, run, y);
}

static void gradients(void** state) {
  Fixture* fixture = *state;
  for (int round = 0; round < 6; ++round) {
    Form form = {{0}, random_in(-2, 2), 0, (uint32_t)(round % 2)};
    GradientInput input = {3, {random_in(1, 4), random_in(1, 4), random_in(1, 4)}, 0, 0, 0, NULL};
    form.rank = 3;
    for (int d = 0; d < 3; ++d) form.repeats[d] = random_in(round == 5 ? 0 : 1, 3);
    CHECK_GRADIENTS(fixture, "tile", tile_call, &form, &input, 1);
    CHECK_GRADIENTS(fixture, "trilu", trilu_call, &form, &input, 1);
  }
  const GradientInput deep = {8, {2, 1, 1, 2, 1, 2, 1, 1}, 0, 0, 0, NULL};
  Form all = {{2, 1, 2, 2, 1, 2, 1, 2}, 0, 8, 0};
  CHECK_GRADIENTS(fixture, "tile of eight axes", tile_call, &all, &deep, 1);
}

static void mistakes(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {2, 3}, row[] = {3}, twice[] = {2, 2}, minus[] = {1, -1};
  const int64_t huge[] = {1, INT64_MAX}, large[] = {INT64_MAX / 2, INT64_MAX / 3}, same[] = {1, 1};
  const netcl_status bad = NETCL_ERROR_INVALID_ARGUMENT;
  netcl_tensor *x = NULL, *u = NULL, *line = NULL, *result = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, shape, NULL, NULL, &x));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_U8, 2, shape, NULL, NULL, &u));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, row, NULL, NULL, &line));
  const netcl_run_options into_x = run_into(x), into_u = run_into(u);
  FAILS_WITH(bad, "repeats_count is 1; x has rank 2", netcl_op_tile(x, twice, 1, NULL, &result));
  FAILS_WITH(bad, "repeats is NULL", netcl_op_tile(x, NULL, 2, NULL, &result));
  FAILS_WITH(bad, "repeats[1] is -1; it must not be negative",
             netcl_op_tile(x, minus, 2, NULL, &result));
  FAILS_WITH(bad, "repeats[1] is 9223372036854775807", netcl_op_tile(x, huge, 2, NULL, &result));
  FAILS(bad, netcl_op_tile(x, large, 2, NULL, &result));
  FAILS_WITH(bad, "result is NULL", netcl_op_tile(x, twice, 2, NULL, NULL));
  FAILS_WITH(bad, "run->into has shape [2, 3]; the result has [4, 6]",
             netcl_op_tile(x, twice, 2, &into_u, NULL));
  FAILS_WITH(bad, "shares its memory with x", netcl_op_tile(x, same, 2, &into_x, NULL));
  FAILS_WITH(bad, "upper is 2", netcl_op_trilu(x, 2, 0, NULL, &result));
  FAILS_WITH(bad, "x has shape [3]", netcl_op_trilu(line, 1, 0, NULL, &result));
  FAILS_WITH(bad, "run->into is u8", netcl_op_trilu(x, 1, 0, &into_u, NULL));
  FAILS_WITH(bad, "result is NULL", netcl_op_trilu(x, 1, 0, NULL, NULL));
  assert_null(result);
  netcl_tensor_release(line);
  netcl_tensor_release(u);
  netcl_tensor_release(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(tiles),    DEVICE_TEST(triangles),  DEVICE_TEST(gradients),
      DEVICE_TEST(mistakes), DEVICE_TEST(as_kernels),
  };
  seed_random("tile");
  return cmocka_run_group_tests_name("tile", tests, NULL, NULL);
}
