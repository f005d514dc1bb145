/* Running sums, products and extremes against extended precision. */
#include <math.h>

#include "support_reduce.h"
#include "support_strided.h"

static const netcl_reduction kKinds[] = {NETCL_REDUCTION_SUM, NETCL_REDUCTION_PROD,
                                         NETCL_REDUCTION_MAX, NETCL_REDUCTION_MIN};

typedef struct ScanCase {
  Operand x;
  netcl_reduction kind;
  int32_t axis;
  uint32_t exclusive, reverse;
  int into; /* 1: into a strided tensor, 2: in place */
} ScanCase;

/* Whether a is ahead of the extreme so far; NaN stays. */
static long double join(netcl_reduction kind, long double a, long double b) {
  if (kind == NETCL_REDUCTION_SUM) return a + b;
  if (kind == NETCL_REDUCTION_PROD) return a * b;
  if (isnan(a) || isnan(b)) return NAN;
  return kind == NETCL_REDUCTION_MAX ? fmaxl(a, b) : fminl(a, b);
}

static uint64_t join_integers(netcl_reduction kind, int is_signed, uint64_t a, uint64_t b) {
  if (kind == NETCL_REDUCTION_SUM) return a + b;
  if (kind == NETCL_REDUCTION_PROD) return a * b;
  const int less = is_signed ? (int64_t)a < (int64_t)b : a < b;
  return less == (kind == NETCL_REDUCTION_MAX) ? b : a;
}

static uint64_t integer_at(netcl_dtype dtype, const void *data, int64_t i) {
  const Value value = load_value(dtype, data, i);
  return value.kind == VALUE_SIGNED ? (uint64_t)value.integer : value.natural;
}

/* The neutral value of an integer dtype. */
static uint64_t neutral(netcl_reduction kind, netcl_dtype dtype) {
  const unsigned bits = 8 * (unsigned)netcl_dtype_size(dtype);
  const uint64_t all = UINT64_MAX >> (64 - bits);
  if (kind == NETCL_REDUCTION_SUM) return 0;
  if (kind == NETCL_REDUCTION_PROD) return 1;
  if (!is_signed_dtype(dtype)) return kind == NETCL_REDUCTION_MAX ? 0 : all;
  return kind == NETCL_REDUCTION_MAX ? ~(all >> 1) : all >> 1;
}

static void check_line(const ScanCase *test, const void *x, const void *got, int64_t at,
                       int64_t stride, int64_t n) {
  const netcl_dtype dtype = test->x.model.dtype;
  const double eps = unit_roundoff(dtype == NETCL_F64 ? NETCL_F64 : NETCL_F32);
  const double own = unit_roundoff(dtype);
  const size_t size = netcl_dtype_size(dtype);
  uint64_t integers = neutral(test->kind, dtype);
  long double running = test->kind == NETCL_REDUCTION_PROD, magnitude = 0;
  if (test->kind == NETCL_REDUCTION_MAX) running = -INFINITY;
  if (test->kind == NETCL_REDUCTION_MIN) running = INFINITY;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t place = at + (test->reverse ? n - 1 - i : i) * stride;
    const long double element = load_double(dtype, x, place);
    const uint64_t whole = is_float_dtype(dtype) ? 0 : integer_at(dtype, x, place);
    const long double before = running, magnitude_before = magnitude;
    const uint64_t integers_before = integers;
    running = join(test->kind, running, element);
    magnitude += fabsl(element);
    if (!is_float_dtype(dtype)) {
      integers = join_integers(test->kind, is_signed_dtype(dtype), integers, whole);
      uint64_t wanted = test->exclusive ? integers_before : integers, bits = 0;
      memcpy(&bits, (const unsigned char *)got + (size_t)place * size, size);
      if (size < 8) wanted &= ((uint64_t)1 << (8 * size)) - 1;
      CHECK(bits == wanted, "scan %d of %s: element %lld of %lld is 0x%llx, not 0x%llx",
            test->kind, netcl_dtype_name(dtype), (long long)i, (long long)n,
            (unsigned long long)bits, (unsigned long long)wanted);
      continue;
    }
    const long double wanted = test->exclusive ? before : running;
    const long double sizes = test->exclusive ? magnitude_before : magnitude;
    const double value = load_double(dtype, got, place);
    long double bound = own * fabsl(wanted) * (1 + 1e-3L) + 1e-38L;
    if (test->kind == NETCL_REDUCTION_SUM) bound += (log2l((long double)n) + 64) * eps * sizes;
    if (test->kind == NETCL_REDUCTION_PROD) bound += (long double)n * eps * fabsl(wanted);
    if (test->kind >= NETCL_REDUCTION_MAX && test->kind != NETCL_REDUCTION_PROD) bound = 0;
    if (dtype == NETCL_F16 && test->kind != NETCL_REDUCTION_MAX &&
        test->kind != NETCL_REDUCTION_MIN) {
      bound += 0x1p-25L;
      if (isinf(value) && fabsl(wanted) + bound >= 65504) continue;
    }
    CHECK(fabsl(value - wanted) <= bound || value == (double)wanted ||
              (isnan(value) && isnan(wanted)),
          "scan %d of %s, exclusive %u, reverse %u: element %lld of %lld is %.9g, not %.9Lg: off "
          "by %Lg, more than %Lg", test->kind, netcl_dtype_name(dtype), test->exclusive,
          test->reverse, (long long)i, (long long)n, value, wanted, fabsl(value - wanted), bound);
  }
}

static void check_scan(Fixture *fixture, const ScanCase *test) {
  const Model *x = &test->x.model;
  netcl_scan_options options = NETCL_SCAN_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *result = NULL, *base = NULL;
  int64_t wide[NETCL_RANK_MAX];
  netcl_range ranges[NETCL_RANK_MAX];
  options.exclusive = test->exclusive;
  options.reverse = test->reverse;
  if (test->into == 2) {
    OK(netcl_tensor_create_zeros(fixture->device, x->dtype, x->rank, x->shape, NULL, NULL,
                                 &result));
    run.into = result;
    OK(netcl_op_copy(test->x.tensor, &run, NULL));
    OK(netcl_op_scan(result, test->kind, test->axis, &options, &run, NULL));
  } else if (test->into == 1) {
    for (uint32_t d = 0; d < x->rank; ++d) {
      const int64_t step = random_in(0, 1) ? 2 : 1;
      wide[d] = x->shape[d] * step;
      ranges[d] = (netcl_range){0, x->shape[d], step};
      if (random_in(0, 1)) ranges[d] = (netcl_range){wide[d] - 1, x->shape[d], -step};
    }
    OK(netcl_tensor_create_zeros(fixture->device, x->dtype, x->rank, wide, NULL, NULL, &base));
    OK(netcl_tensor_slice(base, ranges, x->rank, &result));
    run.into = result;
    OK(netcl_op_scan(test->x.tensor, test->kind, test->axis, &options, &run, NULL));
  } else {
    OK(netcl_op_scan(test->x.tensor, test->kind, test->axis, &options, NULL, &result));
  }
  assert_int_equal(tensor_info(result).dtype, x->dtype);
  void *const values = model_gather(x);
  void *const got = read_tensor(result);
  const uint32_t axis = test->axis < 0 ? x->rank + (uint32_t)test->axis : (uint32_t)test->axis;
  int64_t inner = 1, outer = 1;
  for (uint32_t d = 0; d < x->rank; ++d) {
    if (d < axis) outer *= x->shape[d];
    if (d > axis) inner *= x->shape[d];
  }
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < inner; ++i) {
      check_line(test, values, got, o * x->shape[axis] * inner + i, inner, x->shape[axis]);
    }
  }
  free(values);
  free(got);
  netcl_tensor_release(base);
  netcl_tensor_release(result);
}

static netcl_dtype random_dtype(const Fixture *fixture) {
  const netcl_dtype dtype = kDtypes[random_in(0, DTYPES - 2)]; /* bool is the last one */
  return dtype == NETCL_F64 && !fixture->capabilities.fp64 ? NETCL_F32 : dtype;
}

static void random_scans(void **state) {
  Fixture *fixture = *state;
  for (int round = 0; round < rounds(fixture, fixture->kernels ? 300 : 1500); ++round) {
    const uint32_t rank = (uint32_t)random_in(1, 4);
    const int64_t most = rank == 1 ? 3000 : rank == 2 ? 130 : rank == 3 ? 17 : 9;
    int64_t shape[NETCL_RANK_MAX];
    for (uint32_t d = 0; d < rank; ++d) shape[d] = random_in(1, random_in(0, 3) ? most : 3);
    ScanCase test = {0};
    test.kind = kKinds[random_in(0, 3)];
    test.axis = (int32_t)random_in(-(int64_t)rank, rank - 1);
    test.exclusive = (uint32_t)random_in(0, 1);
    test.reverse = (uint32_t)random_in(0, 1);
    test.into = (int)random_in(0, 2);
    test.x = make_operand(fixture, random_dtype(fixture), rank, shape, test.kind);
    check_scan(fixture, &test);
    free_operand(&test.x);
  }
}

/* Axes of several chunks, as rows and as columns, in and out of place. */
static void long_axes(void **state) {
  Fixture *fixture = *state;
  static const int64_t kShapes[][2] = {{1, 200003}, {3, 70001}, {20011, 1}, {9001, 3},
                                       {5003, 37},  {2, 65536}, {2049, 600}};
  for (size_t s = 0; s < COUNT_OF(kShapes); ++s) {
    for (int round = 0; round < 3; ++round) {
      ScanCase test = {0};
      test.kind = round == 0 ? NETCL_REDUCTION_SUM : kKinds[random_in(0, 3)];
      test.axis = kShapes[s][0] > kShapes[s][1] ? 0 : 1;
      test.exclusive = (uint32_t)random_in(0, 1);
      test.reverse = round == 1;
      test.into = round == 2 ? 2 : 0;
      test.x = plain_operand(fixture, round == 2 ? random_dtype(fixture) : NETCL_F32, 2, kShapes[s],
                             test.kind);
      check_scan(fixture, &test);
      free_operand(&test.x);
    }
  }
}

/* Adding one number over and over shows any chain of roundings that is too long. */
static void equal_terms(void **state) {
  Fixture *fixture = *state;
  const int64_t n = (int64_t)1 << 21;
  float *data = malloc((size_t)n * sizeof *data);
  for (int64_t i = 0; i < n; ++i) data[i] = 0.1f;
  for (int columns = 0; columns < 2; ++columns) {
    const int64_t width = columns ? 32 : 1, shape[] = {n / width, width};
    netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 2, shape, data), *y = NULL;
    OK(netcl_op_scan(x, NETCL_REDUCTION_SUM, 0, NULL, NULL, &y));
    float *got = read_tensor(y);
    for (int64_t i = 0; i < n / width; i += 997) {
      const double wanted = (double)(i + 1) * (double)0.1f;
      const double bound = (log2((double)n) + 64) * 0x1p-24 * wanted;
      CHECK(fabs(got[i * width] - wanted) <= bound, "%.9g at %lld, not %.9g", got[i * width],
            (long long)i, wanted);
    }
    free(got);
    netcl_tensor_release(x);
    netcl_tensor_release(y);
  }
  free(data);
}

static void infinities(void **state) {
  Fixture *fixture = *state;
  float data[300], *got;
  const int64_t shape[] = {300};
  netcl_tensor *x, *y = NULL;
  for (int i = 0; i < 300; ++i) data[i] = 1;
  data[150] = INFINITY;
  data[250] = -INFINITY;
  x = make_tensor(fixture->device, NETCL_F32, 1, shape, data);
  OK(netcl_op_scan(x, NETCL_REDUCTION_SUM, 0, NULL, NULL, &y));
  got = read_tensor(y);
  for (int i = 0; i < 300; ++i) {
    CHECK(i < 150 ? got[i] == i + 1 : i < 250 ? got[i] == INFINITY : isnan(got[i]), "%d: %g", i,
          got[i]);
  }
  free(got);
  netcl_tensor_release(x);
  netcl_tensor_release(y);
}

static void messages(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {3, 4}, other[] = {4, 3};
  netcl_tensor *x = NULL, *y = NULL, *into = NULL, *turned = NULL;
  netcl_scan_options options = NETCL_SCAN_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  const uint32_t axes[] = {1, 0};
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, shape, NULL, NULL, &x));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "axis is 2; the tensor has rank 2",
             netcl_op_scan(x, NETCL_REDUCTION_SUM, 2, NULL, NULL, &y));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "kind is 2",
             netcl_op_scan(x, NETCL_REDUCTION_MEAN, 0, NULL, NULL, &y));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "kind is 99", netcl_op_scan(x, 99, 0, NULL, NULL, &y));
  options.reverse = 2;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->reverse is 2",
             netcl_op_scan(x, NETCL_REDUCTION_SUM, 0, &options, NULL, &y));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_op_scan(x, NETCL_REDUCTION_SUM, 0, NULL, NULL, NULL));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, other, NULL, NULL, &into));
  run.into = into;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "run->into has shape [4, 3]; the result has [3, 4]",
             netcl_op_scan(x, NETCL_REDUCTION_SUM, 0, NULL, &run, NULL));
  netcl_tensor_release(into);
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_BOOL, 2, shape, NULL, NULL, &into));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "x is bool",
             netcl_op_scan(into, NETCL_REDUCTION_SUM, 0, NULL, NULL, &y));
  netcl_tensor_release(into);
  /* The same memory in another order is not in place. */
  const int64_t square[] = {3, 3};
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, square, NULL, NULL, &into));
  OK(netcl_tensor_permute(into, axes, 2, &turned));
  run.into = turned;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "run->into shares its memory with x",
             netcl_op_scan(into, NETCL_REDUCTION_SUM, 0, NULL, &run, NULL));
  /* Nothing to do is done. */
  const int64_t empty[] = {0, 4};
  netcl_tensor *none = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, empty, NULL, NULL, &none));
  OK(netcl_op_scan(none, NETCL_REDUCTION_SUM, 0, NULL, NULL, &y));
  assert_int_equal(tensor_info(y).element_count, 0);
  netcl_tensor_release(y);
  netcl_tensor_release(none);
  netcl_tensor_release(turned);
  netcl_tensor_release(into);
  netcl_tensor_release(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(random_scans), DEVICE_TEST(long_axes),
                                     DEVICE_TEST(equal_terms),  DEVICE_TEST(infinities),
                                     DEVICE_TEST(messages),     DEVICE_TEST(as_kernels)};
  seed_random("scan");
  return cmocka_run_group_tests_name("scan", tests, NULL, NULL);
}
