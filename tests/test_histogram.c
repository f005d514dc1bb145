/* Histograms against the edges of the bins themselves. */
#include <float.h>
#include <math.h>
#include <time.h>

#include "support_reduce.h"
#include "support_strided.h"

/* Counts as the header says: bin i is [low + i w, low + (i + 1) w), the last one with its end. */
static void reference(const Model* x, int64_t bins, double low, double high, int64_t* counts) {
  const int64_t n = product(x->rank, x->shape);
  if (low == 0 && high == 0) {
    low = INFINITY;
    high = -INFINITY;
    for (int64_t i = 0; i < n; ++i) {
      const double v = load_double(x->dtype, x->data, model_index(x, i));
      if (!isfinite(v)) continue;
      low = fmin(low, v);
      high = fmax(high, v);
    }
    if (low == high) {
      low -= 0.5;
      high += 0.5;
    }
  }
  const double width = (high - low) / (double)bins;
  memset(counts, 0, (size_t)bins * sizeof *counts);
  for (int64_t i = 0; i < n; ++i) {
    const double v = load_double(x->dtype, x->data, model_index(x, i));
    if (!(v >= low && v <= high)) continue;
    int64_t bin = bins - 1;
    while (bin > 0 && v < low + (double)bin * width) --bin;
    ++counts[bin];
  }
}

static void check_histogram(Fixture* fixture, const Operand* x, int64_t bins, double low,
                            double high, int into) {
  netcl_histogram_options options = NETCL_HISTOGRAM_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *result = NULL, *base = NULL;
  int64_t* const wanted = malloc((size_t)bins * sizeof *wanted);
  options.low = low;
  options.high = high;
  if (into) {
    const int64_t wide = 2 * bins;
    const netcl_range range = {wide - 1, bins, -2};
    OK(netcl_tensor_create_zeros(fixture->device, NETCL_I64, 1, &wide, NULL, NULL, &base));
    OK(netcl_tensor_slice(base, &range, 1, &result));
    run.into = result;
    OK(netcl_op_histogram(x->tensor, bins, &options, &run, NULL));
  } else {
    OK(netcl_op_histogram(x->tensor, bins, &options, NULL, &result));
  }
  assert_int_equal(tensor_info(result).dtype, NETCL_I64);
  assert_int_equal(tensor_info(result).rank, 1);
  reference(&x->model, bins, low, high, wanted);
  CHECK_TENSOR(result, wanted);
  free(wanted);
  netcl_tensor_release(base);
  netcl_tensor_release(result);
}

static void random_histograms(void** state) {
  Fixture* fixture = *state;
  if (!fixture->capabilities.fp64) SKIP("bins are computed in f32 here");
  for (int round = 0; round < rounds(fixture, 300); ++round) {
    const netcl_dtype dtype = kDtypes[random_in(0, DTYPES - 1)];
    const uint32_t rank = (uint32_t)random_in(0, 3);
    int64_t shape[NETCL_RANK_MAX];
    for (uint32_t d = 0; d < rank; ++d) shape[d] = random_in(1, rank == 1 ? 3000 : 40);
    Operand x = make_operand(fixture, dtype, rank, shape,
                             random_in(0, 1) ? NETCL_REDUCTION_MAX : NETCL_REDUCTION_ARGMAX);
    const int64_t bins = random_in(0, 9) == 0 ? random_in(4097, 9000) : random_in(1, 300);
    double low = 0, high = 0;
    if (random_in(0, 1)) {
      low = random_real(-120, 50);
      high = low + random_real(0.1, 200);
    }
    check_histogram(fixture, &x, bins, low, high, (int)random_in(0, 1));
    free_operand(&x);
  }
}

static void large(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {700, 1031};
  Operand x = plain_operand(fixture, NETCL_F32, 2, shape, NETCL_REDUCTION_SUM);
  if (fixture->capabilities.fp64) check_histogram(fixture, &x, 100, 0, 0, 0);
  if (fixture->capabilities.fp64) check_histogram(fixture, &x, 256, -64, 64, 0);
  free_operand(&x);
  Operand bytes = plain_operand(fixture, NETCL_U8, 2, shape, NETCL_REDUCTION_SUM);
  check_histogram(fixture, &bytes, 256, 0, 256, 0);
  free_operand(&bytes);
}

static void special_values(void** state) {
  Fixture* fixture = *state;
  const float data[] = {NAN, INFINITY, -INFINITY, 1, 2, 3, 3};
  const float same[] = {7, 7, NAN};
  const int64_t shape[] = {7}, three[] = {3}, none[] = {0};
  const int64_t found[] = {1, 3}, inside[] = {0, 2}, zeros[] = {0, 0};
  netcl_histogram_options options = NETCL_HISTOGRAM_OPTIONS_INIT;
  netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 1, shape, data), *y = NULL;
  OK(netcl_op_histogram(x, 2, NULL, NULL, &y));
  CHECK_TENSOR(y, found);
  netcl_tensor_release(y);
  netcl_tensor_release(x);
  x = make_tensor(fixture->device, NETCL_F32, 1, three, same);
  OK(netcl_op_histogram(x, 2, NULL, NULL, &y));
  CHECK_TENSOR(y, inside);
  netcl_tensor_release(y);
  netcl_tensor_release(x);
  x = make_tensor(fixture->device, NETCL_F32, 1, three, data); /* nothing finite */
  OK(netcl_op_histogram(x, 2, NULL, NULL, &y));
  CHECK_TENSOR(y, zeros);
  netcl_tensor_release(y);
  options.low = 2;
  options.high = 1;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->low is 2 and options->high is 1",
             netcl_op_histogram(x, 2, &options, NULL, &y));
  options.high = NAN;
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_op_histogram(x, 2, &options, NULL, &y));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "bins is 0", netcl_op_histogram(x, 0, NULL, NULL, &y));
  netcl_tensor_release(x);
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, none, NULL, NULL, &x));
  OK(netcl_op_histogram(x, 2, NULL, NULL, &y));
  CHECK_TENSOR(y, zeros);
  netcl_tensor_release(y);
  netcl_tensor_release(x);
}

static void check_counts(Fixture* fixture, netcl_dtype dtype, int64_t n, const void* data,
                         int64_t bins, double low, double high, const int64_t* wanted) {
  netcl_histogram_options options = NETCL_HISTOGRAM_OPTIONS_INIT;
  netcl_tensor *x = make_tensor(fixture->device, dtype, 1, &n, data), *y = NULL;
  options.low = low;
  options.high = high;
  OK(netcl_op_histogram(x, bins, &options, NULL, &y));
  CHECK_TENSOR(y, wanted);
  netcl_tensor_release(y);
  netcl_tensor_release(x);
}

/* Ranges whose length is no finite number, and bins that are no number at all. */
static void longest_and_shortest(void** state) {
  Fixture* fixture = *state;
  const double far[] = {-1.7e308, -1, 1, 1.7e308}, near[] = {0, 0, 5e-324};
  const double around[] = {-5e-324, 0, -DBL_MAX, DBL_MAX};
  const float wide[] = {-3e38f, -1, 1, 3e38f};
  const int64_t four[] = {1, 1, 1, 1}, five[] = {1, 0, 2, 0, 1}, three[] = {1, 2, 1};
  const int64_t small[] = {2, 0, 0, 1}, halves[] = {2, 2};
  check_counts(fixture, NETCL_F32, 4, wide, 4, 0, 0, four);
  check_counts(fixture, NETCL_F32, 4, wide, 5, 0, 0, five);
  check_counts(fixture, NETCL_F32, 4, wide, 4, -3e38f, 3e38f, four);
  if (!fixture->capabilities.fp64) SKIP("no fp64");
  check_counts(fixture, NETCL_F64, 4, far, 4, 0, 0, four);
  check_counts(fixture, NETCL_F64, 4, far, 4, -1.7e308, 1.7e308, four);
  check_counts(fixture, NETCL_F64, 4, far, 5, 0, 0, five);
  check_counts(fixture, NETCL_F64, 4, far, 3, 0, 0, three);
  check_counts(fixture, NETCL_F64, 4, around, 2, 0, 0, halves);
  check_counts(fixture, NETCL_F64, 3, near, 4, 0, 0, small);
}

/* Counts do not change when all values and the range are multiplied by a power of two. */
static void scaled(void** state) {
  Fixture* fixture = *state;
  enum { N = 500 };
  static const int kPowers[] = {1014, 1013, 900, -890, -950, -1000, -1060, -1070, -1074};
  const int64_t n = N;
  if (!fixture->capabilities.fp64) SKIP("no fp64");
  for (int round = 0; round < rounds(fixture, 100); ++round) {
    double values[N], moved[N];
    const int power = kPowers[random_in(0, (int64_t)(sizeof kPowers / sizeof kPowers[0]) - 1)];
    const int64_t bins = random_in(1, 700);
    int64_t* const wanted = malloc((size_t)bins * sizeof *wanted);
    const double low = (double)random_in(-512, 0), high = (double)random_in(1, 511);
    const int open = (int)random_in(0, 1);
    for (int i = 0; i < N; ++i) {
      values[i] = (double)random_in(-512, 511);
      moved[i] = ldexp(values[i], power);
    }
    const Model model = {.dtype = NETCL_F64,
                         .rank = 1,
                         .shape = {N},
                         .strides = {1},
                         .data = (unsigned char*)values};
    reference(&model, bins, open ? 0 : low, open ? 0 : high, wanted);
    check_counts(fixture, NETCL_F64, n, moved, bins, open ? 0 : ldexp(low, power),
                 open ? 0 : ldexp(high, power), wanted);
    free(wanted);
  }
}

/* Edges far closer to each other than the values can be: still quick, and the same bins. */
static void close_edges(void** state) {
  Fixture* fixture = *state;
  enum { N = 20000, BINS = 1000000 };
  if (!fixture->capabilities.fp64) SKIP("no fp64");
  const double low = 1, high = nextafter(1, 2), width = (high - low) / BINS;
  double* const values = malloc(N * sizeof *values);
  int64_t* const wanted = calloc(BINS, sizeof *wanted);
  int64_t of_low = BINS - 1;
  while (low < low + (double)of_low * width) --of_low;
  for (int i = 0; i < N; ++i) {
    const int up = i < 2 ? i : (int)random_in(0, 1);
    values[i] = up ? high : low;
    ++wanted[up ? BINS - 1 : of_low];
  }
  const clock_t begin = clock();
  check_counts(fixture, NETCL_F64, N, values, BINS, 0, 0, wanted);
  assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 8);
  free(wanted);
  free(values);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(random_histograms),
                                     DEVICE_TEST(large),
                                     DEVICE_TEST(special_values),
                                     DEVICE_TEST(longest_and_shortest),
                                     DEVICE_TEST(scaled),
                                     DEVICE_TEST(close_edges),
                                     DEVICE_TEST(as_kernels)};
  seed_random("histogram");
  return cmocka_run_group_tests_name("histogram", tests, NULL, NULL);
}
