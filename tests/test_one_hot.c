/* One-hot lines: of indices of every integer dtype, along every axis, in every dtype. */
#include "support_gradients.h"

static const netcl_dtype kIndices[] = {NETCL_I8, NETCL_I16, NETCL_I32, NETCL_I64,
                                       NETCL_U8, NETCL_U16, NETCL_U32, NETCL_U64};

static void check_one_hot(Fixture* fixture, netcl_dtype indices_dtype, netcl_dtype dtype,
                          uint32_t rank, const int64_t* shape, int64_t depth, int32_t axis) {
  const uint32_t along = axis < 0 ? (uint32_t)(axis + (int32_t)rank + 1) : (uint32_t)axis;
  const int64_t count = product(rank, shape);
  const size_t size = netcl_dtype_size(dtype);
  int64_t whole[NETCL_RANK_MAX] = {0};
  for (uint32_t d = 0; d <= rank; ++d) {
    whole[d] = d == along ? depth : shape[d < along ? d : d - 1];
  }
  const int64_t total = product(rank + 1, whole);
  void *list = malloc((size_t)count * 8 + 1), *y = malloc((size_t)total * 8 + 1);
  uint64_t on = 0, off = 0;
  fill_bits(dtype, &on, 1);
  fill_bits(dtype, &off, 1);
  const int64_t low = is_signed_dtype(indices_dtype) ? -depth - 3 : 0;
  for (int64_t i = 0; i < count; ++i) {
    store_double(indices_dtype, list, i, (double)random_in(low, depth + 3));
  }
  /* The largest there are; of unsigned ones they are no negative ones. */
  if (count > 0 && random_in(0, 2) == 0) {
    memset((char*)list + (size_t)random_in(0, count - 1) * netcl_dtype_size(indices_dtype),
           random_in(0, 1) ? 0xff : 0x7f, netcl_dtype_size(indices_dtype));
  }
  for (int64_t i = 0; i < total; ++i) {
    int64_t at[NETCL_RANK_MAX], from[NETCL_RANK_MAX];
    unravel(rank + 1, whole, i, at);
    for (uint32_t d = 0; d <= rank; ++d) {
      if (d != along) from[d < along ? d : d - 1] = at[d];
    }
    const double index = load_double(indices_dtype, list, ravel(rank, shape, from));
    const double place = index < 0 ? index + (double)depth : index;
    memcpy((char*)y + (size_t)i * size, place == (double)at[along] ? &on : &off, size);
  }
  Strided source = make_strided(fixture->device, indices_dtype, rank, shape, list);
  Strided target = make_strided(fixture->device, dtype, rank + 1, whole, NULL);
  const netcl_run_options run = run_into(target.view);
  netcl_tensor* result = NULL;
  OK(netcl_op_one_hot(source.view, depth, axis, dtype, &on, &off, &run, NULL));
  CHECK_STRIDED(&target, y);
  OK(netcl_op_one_hot(source.view, depth, axis, dtype, &on, &off, NULL, &result));
  CHECK_TENSOR(result, y);
  netcl_tensor_release(result);
  release_strided(&target);
  release_strided(&source);
  free(list);
  free(y);
}

static void random_cases(void** state) {
  Fixture* fixture = *state;
  for (int round = 0; round < rounds(fixture, 200); ++round) {
    const uint32_t rank = (uint32_t)random_in(0, 4);
    int64_t shape[NETCL_RANK_MAX] = {0};
    for (uint32_t d = 0; d < rank; ++d) shape[d] = random_in(round % 20 == 0 ? 0 : 1, 6);
    check_one_hot(fixture, kIndices[random_in(0, (int64_t)COUNT_OF(kIndices) - 1)],
                  kDtypes[random_in(0, DTYPES - 1)], rank, shape,
                  random_in(round % 20 == 0 ? 0 : 1, 9),
                  (int32_t)random_in(-(int64_t)rank - 1, (int64_t)rank));
  }
  const int64_t many[] = {500};
  check_one_hot(fixture, NETCL_I64, NETCL_F32, 1, many, 100, -1);
  check_one_hot(fixture, NETCL_U8, NETCL_F16, 1, many, 100, 0);
}

/* A tape: the result is a constant, with which others are multiplied. */
static netcl_status picked(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                           netcl_tensor** y) {
  const double on = 2, off = -1;
  netcl_tensor* lines = NULL;
  OK(netcl_op_one_hot(context, 4, -1, NETCL_F64, &on, &off, run, &lines));
  netcl_tensor* const both[] = {x[0], lines};
  const netcl_status status =
      netcl_op_elementwise(NETCL_ELEMENTWISE_MUL, both, 2, NULL, run, y);
  netcl_tensor_release(lines);
  return status;
}

static void in_gradients(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {3}, places[] = {1, -1, 7};
  const GradientInput input = {2, {3, 4}, 0, 0, 0, NULL};
  netcl_tensor* indices = make_tensor(fixture->device, NETCL_I64, 1, shape, places);
  CHECK_GRADIENTS(fixture, "one_hot", picked, indices, &input, 1);
  netcl_tensor_release(indices);
}

static void mistakes(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {2, 3, 1, 1, 1, 1, 1, 1};
  const netcl_status bad = NETCL_ERROR_INVALID_ARGUMENT;
  const float one = 1, zero = 0;
  netcl_tensor *i = NULL, *f = NULL, *b = NULL, *deep = NULL, *result = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I32, 2, shape, NULL, NULL, &i));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, shape, NULL, NULL, &f));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_BOOL, 2, shape, NULL, NULL, &b));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I32, 8, shape, NULL, NULL, &deep));
  const netcl_run_options into = run_into(f);
  FAILS_WITH(bad, "indices is f32",
             netcl_op_one_hot(f, 4, -1, NETCL_F32, &one, &zero, NULL, &result));
  FAILS_WITH(bad, "indices is bool",
             netcl_op_one_hot(b, 4, -1, NETCL_F32, &one, &zero, NULL, &result));
  FAILS_WITH(bad, "indices has rank 8",
             netcl_op_one_hot(deep, 4, -1, NETCL_F32, &one, &zero, NULL, &result));
  FAILS_WITH(bad, "depth is -1",
             netcl_op_one_hot(i, -1, -1, NETCL_F32, &one, &zero, NULL, &result));
  FAILS(bad, netcl_op_one_hot(i, INT64_MAX, -1, NETCL_F32, &one, &zero, NULL, &result));
  FAILS_WITH(bad, "axis is 3; the result has rank 3",
             netcl_op_one_hot(i, 4, 3, NETCL_F32, &one, &zero, NULL, &result));
  FAILS_WITH(bad, "axis is -4", netcl_op_one_hot(i, 4, -4, NETCL_F32, &one, &zero, NULL, &result));
  FAILS_WITH(bad, "dtype", netcl_op_one_hot(i, 4, -1, 99, &one, &zero, NULL, &result));
  FAILS_WITH(bad, "on_value is NULL",
             netcl_op_one_hot(i, 4, -1, NETCL_F32, NULL, &zero, NULL, &result));
  FAILS_WITH(bad, "off_value is NULL",
             netcl_op_one_hot(i, 4, -1, NETCL_F32, &one, NULL, NULL, &result));
  FAILS_WITH(bad, "run->into has shape [2, 3]; the result has [2, 3, 4]",
             netcl_op_one_hot(i, 4, -1, NETCL_F32, &one, &zero, &into, NULL));
  FAILS_WITH(bad, "result is NULL",
             netcl_op_one_hot(i, 4, -1, NETCL_F32, &one, &zero, NULL, NULL));
  assert_null(result);
  netcl_tensor_release(deep);
  netcl_tensor_release(b);
  netcl_tensor_release(f);
  netcl_tensor_release(i);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(random_cases), DEVICE_TEST(in_gradients), DEVICE_TEST(mistakes),
      DEVICE_TEST(as_kernels),
  };
  seed_random("one_hot");
  return cmocka_run_group_tests_name("one_hot", tests, NULL, NULL);
}
