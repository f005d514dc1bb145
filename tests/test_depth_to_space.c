/* Channels spread over space and gathered from it: every element is where it belongs, bit for bit,
 * in every dtype and through strides of every kind, and what gradients they have. */
#include "support_gradients.h"

typedef struct Problem {
  netcl_dtype dtype;
  netcl_depth_order order;
  uint32_t rank;
  int64_t block, deep[NETCL_RANK_MAX], wide[NETCL_RANK_MAX];
} Problem;

/* [N, C B, ...] of [N, C, ...]. */
static Problem make_problem(netcl_dtype dtype, netcl_depth_order order, uint32_t rank,
                            int64_t block, const int64_t* shape) {
  Problem p = {dtype, order, rank, block, {0}, {0}};
  p.deep[0] = p.wide[0] = shape[0];
  p.deep[1] = p.wide[1] = shape[1];
  for (uint32_t d = 2; d < rank; ++d) {
    p.deep[1] *= block;
    p.deep[d] = shape[d];
    p.wide[d] = shape[d] * block;
  }
  return p;
}

/* Which element of the deep tensor an element of the wide one is. */
static int64_t deep_place(const Problem* p, int64_t i) {
  int64_t at[NETCL_RANK_MAX], from[NETCL_RANK_MAX], within = 0, elements = 1;
  unravel(p->rank, p->wide, i, at);
  from[0] = at[0];
  for (uint32_t d = 2; d < p->rank; ++d) {
    from[d] = at[d] / p->block;
    within = within * p->block + at[d] % p->block;
    elements *= p->block;
  }
  from[1] = p->order == NETCL_DEPTH_DCR ? within * p->wide[1] + at[1] : at[1] * elements + within;
  return ravel(p->rank, p->deep, from);
}

static void check(Fixture* fixture, const Problem* p) {
  const int64_t count = product(p->rank, p->deep);
  const size_t size = netcl_dtype_size(p->dtype);
  char *deep = malloc((size_t)count * 8 + 1), *wide = malloc((size_t)count * 8 + 1);
  fill_bits(p->dtype, deep, count);
  for (int64_t i = 0; i < count; ++i) {
    memcpy(wide + (size_t)i * size, deep + (size_t)deep_place(p, i) * size, size);
  }
  netcl_device* device = fixture->device;
  Strided source = make_strided(device, p->dtype, p->rank, p->deep, deep);
  Strided target = make_strided(device, p->dtype, p->rank, p->wide, NULL);
  Strided back = make_strided(device, p->dtype, p->rank, p->deep, NULL);
  netcl_tensor *packed = make_tensor(device, p->dtype, p->rank, p->deep, deep), *result = NULL;
  netcl_run_options run = run_into(target.view);
  OK(netcl_op_depth_to_space(source.view, p->block, p->order, &run, NULL));
  CHECK_STRIDED(&target, wide);
  run = run_into(back.view);
  OK(netcl_op_space_to_depth(target.view, p->block, p->order, &run, NULL));
  CHECK_STRIDED(&back, deep);
  OK(netcl_op_depth_to_space(packed, p->block, p->order, NULL, &result));
  assert_int_equal(tensor_info(result).contiguous, 1);
  CHECK_TENSOR(result, wide);
  netcl_tensor_release(packed);
  OK(netcl_op_space_to_depth(result, p->block, p->order, NULL, &packed));
  CHECK_TENSOR(packed, deep);
  netcl_tensor_release(result);
  netcl_tensor_release(packed);
  release_strided(&back);
  release_strided(&target);
  release_strided(&source);
  free(wide);
  free(deep);
}

static void moves(void** state) {
  Fixture* fixture = *state;
  for (int round = 0; round < rounds(fixture, 8 * DTYPES); ++round) {
    const uint32_t rank = (uint32_t)random_in(3, 5);
    int64_t shape[NETCL_RANK_MAX] = {0};
    for (uint32_t d = 0; d < rank; ++d) shape[d] = random_in(round % 20 == 0 ? 0 : 1, 4);
    const Problem p = make_problem(kDtypes[round % DTYPES], (netcl_depth_order)random_in(0, 1),
                                   rank, random_in(1, rank == 5 ? 3 : 4), shape);
    check(fixture, &p);
  }
  const int64_t large[] = {2, 16, 60, 70};
  for (netcl_depth_order order = NETCL_DEPTH_DCR; order <= NETCL_DEPTH_CRD; ++order) {
    const Problem p = make_problem(NETCL_F32, order, 4, 2, large);
    check(fixture, &p);
  }
}

static netcl_status spread_call(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                                netcl_tensor** y) {
  const Problem* p = context;
  return netcl_op_depth_to_space(x[0], p->block, p->order, run, y);
}
static netcl_status gathered_call(void* context, netcl_tensor* const* x,
                                  const netcl_run_options* run, netcl_tensor** y) {
  const Problem* p = context;
  return netcl_op_space_to_depth(x[0], p->block, p->order, run, y);
}

static void gradients(void** state) {
  Fixture* fixture = *state;
  for (int round = 0; round < 6; ++round) {
    int64_t shape[4];
    for (int d = 0; d < 4; ++d) shape[d] = random_in(1, 3);
    const uint32_t rank = (uint32_t)random_in(3, 4);
    Problem p = make_problem(NETCL_F64, round % 2, rank, random_in(1, 2), shape);
    GradientInput deep = {rank, {0}, 0, 0, 0, NULL}, wide = deep;
    for (uint32_t d = 0; d < rank; ++d) {
      deep.shape[d] = p.deep[d];
      wide.shape[d] = p.wide[d];
    }
    CHECK_GRADIENTS(fixture, "depth_to_space", spread_call, &p, &deep, 1);
    CHECK_GRADIENTS(fixture, "space_to_depth", gathered_call, &p, &wide, 1);
  }
}

static void mistakes(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {1, 8, 3, 4}, matrix[] = {4, 4}, none[] = {0, 8, 4, 4};
  const netcl_status bad = NETCL_ERROR_INVALID_ARGUMENT;
  netcl_tensor *x = NULL, *flat = NULL, *empty = NULL, *result = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 4, shape, NULL, NULL, &x));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, matrix, NULL, NULL, &flat));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 4, none, NULL, NULL, &empty));
  const netcl_run_options into_x = run_into(x), into_empty = run_into(empty);
  FAILS_WITH(bad, "x has shape [4, 4]", netcl_op_depth_to_space(flat, 2, 0, NULL, &result));
  FAILS_WITH(bad, "x has shape [4, 4]", netcl_op_space_to_depth(flat, 2, 0, NULL, &result));
  FAILS_WITH(bad, "block is 0", netcl_op_depth_to_space(x, 0, 0, NULL, &result));
  FAILS_WITH(bad, "block is -2", netcl_op_space_to_depth(x, -2, 0, NULL, &result));
  FAILS_WITH(bad, "block is 9223372036854775807",
             netcl_op_depth_to_space(x, INT64_MAX, 0, NULL, &result));
  FAILS_WITH(bad, "block is 3; extent 1 of x of shape [1, 8, 3, 4] is no multiple",
             netcl_op_depth_to_space(x, 3, 0, NULL, &result));
  FAILS_WITH(bad, "block is 2; extent 2 of x of shape [1, 8, 3, 4] is no multiple",
             netcl_op_space_to_depth(x, 2, 0, NULL, &result));
  FAILS_WITH(bad, "order is 2", netcl_op_depth_to_space(x, 2, 2, NULL, &result));
  FAILS_WITH(bad, "order is -1", netcl_op_space_to_depth(x, 1, -1, NULL, &result));
  FAILS_WITH(bad, "run->into has shape [0, 8, 4, 4]; the result has [1, 2, 6, 8]",
             netcl_op_depth_to_space(x, 2, 0, &into_empty, NULL));
  FAILS_WITH(bad, "shares its memory with x", netcl_op_depth_to_space(x, 1, 0, &into_x, NULL));
  FAILS_WITH(bad, "result is NULL", netcl_op_space_to_depth(x, 1, 0, NULL, NULL));
  assert_null(result);
  OK(netcl_op_space_to_depth(empty, 2, NETCL_DEPTH_DCR, NULL, &result));
  const netcl_tensor_info info = tensor_info(result);
  assert_true(info.shape[0] == 0 && info.shape[1] == 32 && info.shape[2] == 2);
  netcl_tensor_release(result);
  netcl_tensor_release(empty);
  netcl_tensor_release(flat);
  netcl_tensor_release(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(moves),
      DEVICE_TEST(gradients),
      DEVICE_TEST(mistakes),
      DEVICE_TEST(as_kernels),
  };
  seed_random("depth_to_space");
  return cmocka_run_group_tests_name("depth_to_space", tests, NULL, NULL);
}
