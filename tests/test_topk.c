/* The first elements of an axis against a stable sort. */
#include <math.h>

#include "support_reduce.h"
#include "support_strided.h"

typedef struct Place {
  int64_t index;
  Value value;
} Place;

/* -1: a before b in rising order; NaN after everything. */
static int order(const Value *a, const Value *b) {
  if (a->kind == VALUE_SIGNED) return (a->integer > b->integer) - (a->integer < b->integer);
  if (a->kind == VALUE_UNSIGNED) return (a->natural > b->natural) - (a->natural < b->natural);
  if (isnan(a->real) || isnan(b->real)) return (isnan(a->real) != 0) - (isnan(b->real) != 0);
  return (a->real > b->real) - (a->real < b->real);
}
static int rising(const void *x, const void *y) {
  const Place *a = x, *b = y;
  const int by_value = order(&a->value, &b->value);
  return by_value != 0 ? by_value : (a->index > b->index) - (a->index < b->index);
}
static int falling(const void *x, const void *y) {
  const Place *a = x, *b = y;
  const int by_value = order(&b->value, &a->value);
  return by_value != 0 ? by_value : (a->index > b->index) - (a->index < b->index);
}

static void check_topk(Fixture *fixture, const Operand *operand, int64_t k, uint32_t axis,
                       uint32_t smallest, int into) {
  const Model *x = &operand->model;
  const size_t size = netcl_dtype_size(x->dtype);
  const int64_t n = x->shape[axis];
  netcl_topk_options options = NETCL_TOPK_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *values = NULL, *indices = NULL, *bases[2] = {NULL, NULL};
  options.smallest = smallest;
  if (into) {
    int64_t wide[NETCL_RANK_MAX];
    netcl_range ranges[NETCL_RANK_MAX];
    for (uint32_t d = 0; d < x->rank; ++d) {
      const int64_t extent = d == axis ? k : x->shape[d];
      wide[d] = 2 * extent;
      ranges[d] = (netcl_range){extent > 0 ? wide[d] - 1 : 0, extent, -2};
    }
    OK(netcl_tensor_create_zeros(fixture->device, x->dtype, x->rank, wide, NULL, NULL, &bases[0]));
    OK(netcl_tensor_create_zeros(fixture->device, NETCL_I64, x->rank, wide, NULL, NULL,
                                 &bases[1]));
    OK(netcl_tensor_slice(bases[0], ranges, x->rank, &values));
    OK(netcl_tensor_slice(bases[1], ranges, x->rank, &indices));
    run.into = values;
    options.indices_into = indices;
    OK(netcl_op_topk(operand->tensor, k, (int32_t)axis, &options, &run, NULL, NULL));
  } else {
    OK(netcl_op_topk(operand->tensor, k, (int32_t)axis - (int32_t)x->rank, &options, NULL, &values,
                     &indices));
  }
  assert_int_equal(tensor_info(values).dtype, x->dtype);
  assert_int_equal(tensor_info(indices).dtype, NETCL_I64);
  unsigned char *const all = model_gather(x);
  unsigned char *const got = read_tensor(values);
  int64_t *const places = read_tensor(indices);
  Place *const sorted = malloc((size_t)n * sizeof *sorted);
  int64_t inner = 1, outer = 1;
  for (uint32_t d = 0; d < x->rank; ++d) {
    if (d < axis) outer *= x->shape[d];
    if (d > axis) inner *= x->shape[d];
  }
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < inner; ++i) {
      for (int64_t e = 0; e < n; ++e) {
        sorted[e].index = e;
        sorted[e].value = load_value(x->dtype, all, (o * n + e) * inner + i);
      }
      qsort(sorted, (size_t)n, sizeof *sorted, smallest ? rising : falling);
      for (int64_t e = 0; e < k; ++e) {
        const size_t at = (size_t)((o * k + e) * inner + i);
        const size_t from = (size_t)((o * n + sorted[e].index) * inner + i);
        CHECK(places[at] == sorted[e].index,
              "top %lld of %lld %s, smallest %u: place %lld is index %lld (%g), not %lld (%g)",
              (long long)k, (long long)n, netcl_dtype_name(x->dtype), smallest, (long long)e,
              (long long)places[at], load_double(x->dtype, got, (int64_t)at),
              (long long)sorted[e].index, load_double(x->dtype, all, (int64_t)from));
        CHECK(memcmp(got + at * size, all + from * size, size) == 0, "other bits at place %lld",
              (long long)e);
      }
    }
  }
  free(all);
  free(got);
  free(places);
  free(sorted);
  netcl_tensor_release(values);
  netcl_tensor_release(indices);
  netcl_tensor_release(bases[0]);
  netcl_tensor_release(bases[1]);
}

static netcl_dtype random_dtype(const Fixture *fixture) {
  const netcl_dtype dtype = kDtypes[random_in(0, DTYPES - 1)];
  return dtype == NETCL_F64 && !fixture->capabilities.fp64 ? NETCL_F32 : dtype;
}

static void random_topk(void **state) {
  Fixture *fixture = *state;
  for (int round = 0; round < rounds(fixture, 300); ++round) {
    const uint32_t rank = (uint32_t)random_in(1, 3);
    const int64_t most = rank == 1 ? 5000 : rank == 2 ? 150 : 20;
    int64_t shape[NETCL_RANK_MAX];
    for (uint32_t d = 0; d < rank; ++d) shape[d] = random_in(1, random_in(0, 3) ? most : 3);
    const uint32_t axis = (uint32_t)random_in(0, rank - 1);
    const int64_t n = shape[axis];
    int64_t k = random_in(0, 2) == 0 ? n : random_in(0, n);
    if (random_in(0, 2) == 0 && n > 20) k = random_in(1, n / 10);
    Operand x = make_operand(fixture, random_dtype(fixture), rank, shape, NETCL_REDUCTION_ARGMAX);
    check_topk(fixture, &x, k, axis, (uint32_t)random_in(0, 1), (int)random_in(0, 1));
    free_operand(&x);
  }
}

/* Rows that take several parts, tiles and merges. */
static void long_rows(void **state) {
  Fixture *fixture = *state;
  static const int64_t kSizes[][2] = {{1, 300007}, {3, 20001}, {2, 4096}, {5, 1025}, {1, 8193}};
  for (size_t s = 0; s < COUNT_OF(kSizes); ++s) {
    const int64_t n = kSizes[s][1], ks[] = {1, 10, 255, 1000, n / 3, n};
    for (size_t i = 0; i < COUNT_OF(ks); ++i) {
      const netcl_dtype dtype = i % 3 == 0 ? NETCL_F32 : i % 3 == 1 ? NETCL_I64 : NETCL_F16;
      Operand x = plain_operand(fixture, dtype, 2, kSizes[s], NETCL_REDUCTION_ARGMAX);
      check_topk(fixture, &x, ks[i], 1, (uint32_t)random_in(0, 1), 0);
      free_operand(&x);
    }
  }
}

static void special_values(void **state) {
  Fixture *fixture = *state;
  const float data[] = {-0.0f, 0.0f, NAN, -INFINITY, 1e-45f, -1e-45f, INFINITY, -NAN, 0.0f};
  const int64_t largest[] = {2, 7, 6, 4, 0, 1, 8, 5, 3}, smallest[] = {3, 5, 0, 1, 8, 4, 6, 2, 7};
  const int64_t shape[] = {9};
  netcl_topk_options options = NETCL_TOPK_OPTIONS_INIT;
  netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 1, shape, data), *v = NULL, *i = NULL;
  OK(netcl_op_topk(x, 9, 0, NULL, NULL, &v, &i));
  CHECK_TENSOR(i, largest);
  netcl_tensor_release(v);
  netcl_tensor_release(i);
  options.smallest = 1;
  OK(netcl_op_topk(x, 9, -1, &options, NULL, &v, &i));
  CHECK_TENSOR(i, smallest);
  netcl_tensor_release(v);
  netcl_tensor_release(i);
  OK(netcl_op_topk(x, 0, 0, NULL, NULL, &v, NULL));
  assert_int_equal(tensor_info(v).element_count, 0);
  netcl_tensor_release(v);
  netcl_tensor_release(x);
}

static void messages(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {2, 5}, wrong[] = {2, 4};
  netcl_topk_options options = NETCL_TOPK_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *x = NULL, *v = NULL, *i = NULL, *other = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, shape, NULL, NULL, &x));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "k is 6; x has shape [2, 5], 5 elements along axis 1",
             netcl_op_topk(x, 6, 1, NULL, NULL, &v, &i));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "k is -1", netcl_op_topk(x, -1, 1, NULL, NULL, &v, &i));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "axis is -3; the tensor has rank 2",
             netcl_op_topk(x, 1, -3, NULL, NULL, &v, &i));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "values is NULL",
             netcl_op_topk(x, 1, 1, NULL, NULL, NULL, &i));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "values and indices are the same address",
             netcl_op_topk(x, 1, 1, NULL, NULL, &v, &v));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I64, 2, wrong, NULL, NULL, &other));
  options.indices_into = other;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT,
             "options->indices_into has shape [2, 4]; the result has [2, 3]",
             netcl_op_topk(x, 3, 1, &options, NULL, &v, &i));
  netcl_tensor_release(other);
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I32, 2, shape, NULL, NULL, &other));
  options.indices_into = other;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->indices_into is i32; indices are i64",
             netcl_op_topk(x, 5, 1, &options, NULL, &v, &i));
  run.into = x;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "run->into shares its memory with x",
             netcl_op_topk(x, 5, 1, NULL, &run, NULL, NULL));
  assert_null(v);
  assert_null(i);
  netcl_tensor_release(other);
  netcl_tensor_release(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(random_topk), DEVICE_TEST(long_rows),
                                     DEVICE_TEST(special_values), DEVICE_TEST(messages),
                                     DEVICE_TEST(as_kernels)};
  seed_random("topk");
  return cmocka_run_group_tests_name("topk", tests, NULL, NULL);
}
