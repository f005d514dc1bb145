/* Unpooling against a plain reference, and its gradients. */
#include <math.h>

#include "support_gradients.h"
#include "support_norm.h"
#include "support_pooling.h"

typedef struct Unpool {
  int64_t height, width;
  uint32_t column_major;
  netcl_tensor* indices;
} Unpool;

/* Where an index lies in C order; -1: nowhere. */
static int64_t place_of(const Unpool* unpool, int64_t planes, int64_t index) {
  const int64_t area = unpool->height * unpool->width;
  if (index < 0 || index >= planes * area) return -1;
  if (!unpool->column_major) return index;
  const int64_t within = index % area;
  return index - within + within % unpool->height * unpool->width + within / unpool->height;
}

static netcl_status call_unpool(const Unpool* unpool, netcl_tensor* x, netcl_tensor* indices,
                                const netcl_run_options* run, netcl_tensor** result) {
  netcl_max_unpool2d_options options = NETCL_MAX_UNPOOL2D_OPTIONS_INIT;
  options.column_major = unpool->column_major;
  return netcl_op_max_unpool2d(x, indices, unpool->height, unpool->width, &options, run, result);
}

static void check_case(Fixture* fixture, netcl_dtype dtype, const int64_t* shape, Unpool* unpool,
                       NormLayout layout, int target) {
  const int64_t count = product(4, shape), planes = shape[0] * shape[1];
  const int64_t whole[4] = {shape[0], shape[1], unpool->height, unpool->width};
  const int64_t size = product(4, whole);
  static const NormLayout kLayouts[] = {NORM_PACKED, NORM_VIEW, NORM_LAST_FIRST};
  const netcl_dtype kind = random_in(0, 1) ? NETCL_I64 : NETCL_I32;
  const int real = is_float_dtype(dtype);
  NormTensor x = norm_random(fixture, dtype, 4, shape, layout,
                             real || is_signed_dtype(dtype) ? 0 : 50, dtype == NETCL_BOOL ? 0 : 40);
  NormTensor indices = norm_random(fixture, kind, 4, shape, kLayouts[random_in(0, 2)], 0, 1);
  NormTensor into = norm_random(fixture, dtype, 4, whole, target == 1 ? NORM_VIEW : NORM_PACKED, 3,
                                dtype == NETCL_BOOL ? 0 : 2);
  double* places = malloc((size_t)(count + 1) * sizeof *places);
  double* wanted = calloc((size_t)size + 1, sizeof *wanted);
  /* Some are out of range on either side, some are equal. */
  for (int64_t i = 0; i < count; ++i) places[i] = (double)random_in(-3, size + 3);
  norm_write(&indices, places);
  free(places);
  places = norm_values(&indices);
  double* values = norm_values(&x);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t at = place_of(unpool, planes, (int64_t)places[i]);
    if (at >= 0) wanted[at] = values[i];
  }
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor* made = NULL;
  if (target != 0) run.into = into.tensor;
  OK(call_unpool(unpool, x.tensor, indices.tensor, &run, target == 0 ? &made : NULL));
  double* got = norm_read(target == 0 ? made : into.tensor, dtype, size);
  for (int64_t i = 0; i < size; ++i) {
    CHECK(got[i] == wanted[i], "%s of %lld planes of %lld x %lld, element %lld is %g, not %g",
          netcl_dtype_name(dtype), (long long)planes, (long long)unpool->height,
          (long long)unpool->width, (long long)i, got[i], wanted[i]);
  }
  free(got);
  free(values);
  free(places);
  free(wanted);
  netcl_tensor_release(made);
  norm_free(&into);
  norm_free(&indices);
  norm_free(&x);
}

static void random_cases(void** state) {
  Fixture* fixture = *state;
  static const netcl_dtype kElements[] = {NETCL_F32, NETCL_F16, NETCL_BF16, NETCL_F64, NETCL_I8,
                                          NETCL_U8,  NETCL_I16, NETCL_U16,  NETCL_I32, NETCL_U32,
                                          NETCL_I64, NETCL_U64, NETCL_BOOL};
  for (int round = 0; round < rounds(fixture, 300); ++round) {
    const int64_t low = round % 20 == 0 ? 0 : 1;
    const int64_t shape[4] = {random_in(1, 3), random_in(low, 4), random_in(low, 6),
                              random_in(low, 6)};
    Unpool unpool = {random_in(low, 12), random_in(low, 12), (uint32_t)random_in(0, 1), NULL};
    netcl_dtype dtype = kElements[random_in(0, (int64_t)COUNT_OF(kElements) - 1)];
    if (dtype == NETCL_F64 && !fixture->capabilities.fp64) dtype = NETCL_F32;
    check_case(fixture, dtype, shape, &unpool, (NormLayout)random_in(0, 3), (int)random_in(0, 2));
  }
}

/* What pooling took apart comes together again: each maximum where it was, zeros elsewhere. */
static void undoes_pooling(void** state) {
  Fixture* fixture = *state;
  for (int form = 0; form < 8; ++form) {
    const int64_t shape[4] = {2, 3, random_in(5, 9), random_in(5, 9)};
    NormTensor x = norm_random(fixture, NETCL_F32, 4, shape, NORM_VIEW, 10, 3);
    netcl_pooling_options options =
        pooling_of(one_size(2 + form / 2 % 2), one_size(1 + form / 4));
    options.column_major = (uint32_t)(form % 2);
    netcl_tensor *values = NULL, *back = NULL, *indices = NULL;
    OK(netcl_op_pool(x.tensor, NETCL_POOLING_MAX, &options, NULL, &values));
    const netcl_tensor_info info = tensor_info(values);
    OK(netcl_tensor_create(fixture->device, NETCL_I64, 4, info.shape, NULL, NULL, &indices));
    netcl_tensor_release(values);
    options.indices_into = indices;
    OK(netcl_op_pool(x.tensor, NETCL_POOLING_MAX, &options, NULL, &values));
    const Unpool unpool = {shape[2], shape[3], options.column_major, NULL};
    OK(call_unpool(&unpool, values, indices, NULL, &back));
    const int64_t size = product(4, shape), count = info.element_count;
    double *own = norm_values(&x), *got = norm_read(back, NETCL_F32, size);
    int64_t* places = read_tensor(indices);
    double* wanted = calloc((size_t)size, sizeof *wanted);
    for (int64_t i = 0; i < count; ++i) {
      const int64_t at = place_of(&unpool, 6, places[i]);
      CHECK(at >= 0, "index %lld is out of range", (long long)places[i]);
      wanted[at] = own[at];
    }
    for (int64_t i = 0; i < size; ++i) {
      CHECK(got[i] == wanted[i], "element %lld is %g, not %g", (long long)i, got[i], wanted[i]);
    }
    free(wanted);
    free(places);
    free(own);
    free(got);
    netcl_tensor* const all[] = {values, back, indices};
    for (size_t i = 0; i < COUNT_OF(all); ++i) netcl_tensor_release(all[i]);
    norm_free(&x);
  }
}

static netcl_status unpool_call(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                                netcl_tensor** y) {
  const Unpool* unpool = context;
  netcl_tensor* image = NULL;
  netcl_status status = call_unpool(unpool, x[0], unpool->indices, run, &image);
  if (status == NETCL_OK) {
    status = netcl_op_expression_text("v0 * v0 + v0", &image, 1, NULL, run, y);
  }
  netcl_tensor_release(image);
  return status;
}

/* With equal indices, of which the last has the gradient, and some that are out of range. */
static void gradients(void** state) {
  Fixture* fixture = *state;
  for (int form = 0; form < 6; ++form) {
    const GradientInput input = {
        4, {random_in(1, 2), random_in(1, 2), random_in(1, 3), random_in(1, 3)}, 0, 0, 0, NULL};
    Unpool unpool = {random_in(2, 4), random_in(2, 4), (uint32_t)(form % 2), NULL};
    const int64_t count = product(4, input.shape);
    const int64_t size = input.shape[0] * input.shape[1] * unpool.height * unpool.width;
    int64_t places[36];
    for (int64_t i = 0; i < count; ++i) places[i] = random_in(-1, size);
    unpool.indices = make_tensor(fixture->device, NETCL_I64, 4, input.shape, places);
    CHECK_GRADIENTS(fixture, "unpooling", unpool_call, &unpool, &input, 1);
    netcl_tensor_release(unpool.indices);
  }
}

static netcl_status pool_call(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                              netcl_tensor** y) {
  netcl_pooling_options options = pooling_of(one_size(2), one_size(2));
  options.indices_into = context;
  return netcl_op_pool(x[0], NETCL_POOLING_MAX, &options, run, y);
}

/* Indices beside maxima change nothing about their gradient. */
static void pooling_with_indices(void** state) {
  Fixture* fixture = *state;
  static const int64_t kHalf[4] = {1, 2, 2, 3};
  const GradientInput input = {4, {1, 2, 4, 6}, 0, 0, 1, NULL};
  netcl_tensor* indices = NULL;
  OK(netcl_tensor_create(fixture->device, NETCL_I64, 4, kHalf, NULL, NULL, &indices));
  CHECK_GRADIENTS(fixture, "pooling with indices", pool_call, indices, &input, 1);
  netcl_tensor_release(indices);
}

static void errors(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {1, 2, 2, 3}, other[] = {1, 2, 3, 2}, large[] = {1, 2, 4, 5};
  const netcl_status invalid = NETCL_ERROR_INVALID_ARGUMENT;
  NormTensor x = norm_random(fixture, NETCL_F32, 4, shape, NORM_PACKED, 0, 1);
  NormTensor flat = norm_random(fixture, NETCL_F32, 3, shape, NORM_PACKED, 0, 1);
  NormTensor places = norm_random(fixture, NETCL_I64, 4, shape, NORM_PACKED, 0, 1);
  NormTensor turned = norm_random(fixture, NETCL_I64, 4, other, NORM_PACKED, 0, 1);
  NormTensor into = norm_random(fixture, NETCL_F32, 4, large, NORM_PACKED, 7, 0);
  netcl_max_unpool2d_options options = NETCL_MAX_UNPOOL2D_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.into = into.tensor;
  FAILS_WITH(invalid, "x has rank 3",
             netcl_op_max_unpool2d(flat.tensor, places.tensor, 4, 5, NULL, &run, NULL));
  FAILS_WITH(invalid, "indices is f32",
             netcl_op_max_unpool2d(x.tensor, x.tensor, 4, 5, NULL, &run, NULL));
  FAILS_WITH(invalid, "indices has shape [1, 2, 3, 2]; x has [1, 2, 2, 3]",
             netcl_op_max_unpool2d(x.tensor, turned.tensor, 4, 5, NULL, &run, NULL));
  FAILS_WITH(invalid, "height is -1; it is 0 to 2147483647",
             netcl_op_max_unpool2d(x.tensor, places.tensor, -1, 5, NULL, &run, NULL));
  FAILS_WITH(invalid, "width is 2147483648; it is 0 to 2147483647",
             netcl_op_max_unpool2d(x.tensor, places.tensor, 4, (int64_t)1 << 31, NULL, &run, NULL));
  FAILS_WITH(invalid, "[1, 2, 4, 6]",
             netcl_op_max_unpool2d(x.tensor, places.tensor, 4, 6, NULL, &run, NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_HANDLE, "indices is NULL",
             netcl_op_max_unpool2d(x.tensor, NULL, 4, 5, NULL, &run, NULL));
  options.column_major = 3;
  FAILS_WITH(invalid, "options->column_major is 3",
             netcl_op_max_unpool2d(x.tensor, places.tensor, 4, 5, &options, &run, NULL));
  run.into = x.tensor;
  FAILS_WITH(invalid, "shares its memory with x",
             netcl_op_max_unpool2d(x.tensor, places.tensor, 2, 3, NULL, &run, NULL));
  double* kept = norm_read(into.tensor, NETCL_F32, 40);
  for (int i = 0; i < 40; ++i) CHECK(kept[i] == 7, "element %d was written to", i);
  free(kept);
  NormTensor* const all[] = {&x, &flat, &places, &turned, &into};
  for (size_t i = 0; i < COUNT_OF(all); ++i) norm_free(all[i]);
}

int main(void) {
  static const struct CMUnitTest kTests[] = {
      DEVICE_TEST(random_cases),         DEVICE_TEST(undoes_pooling), DEVICE_TEST(gradients),
      DEVICE_TEST(pooling_with_indices), DEVICE_TEST(errors),         DEVICE_TEST(as_kernels)};
  seed_random("max_unpool2d");
  return cmocka_run_group_tests_name("max_unpool2d", kTests, NULL, NULL);
}
