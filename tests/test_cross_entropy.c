/* Cross entropy and NLL loss against extended precision, with the error bounds of the header. */
#include <math.h>

#include "support_norm.h"

enum { NO_INDEX, A_CLASS, NEGATIVE, ZERO }; /* what is ignored */
static const int64_t kNegative = -100;

typedef struct Case {
  netcl_dtype dtype;
  uint32_t rank;
  int64_t shape[NETCL_RANK_MAX];
  int axis;
  int nll;
  netcl_loss_reduction reduction;
  NormLayout layout;
  int weights; /* 0: none, 1: of x's dtype, 2: f32 */
  int ignored;
  int wide;   /* the loss is f32 */
  int target; /* 0: a new tensor, 1: a strided one */
} Case;

static int64_t classes_of(const Case* test) { return test->shape[test->axis]; }
static netcl_dtype loss_dtype(const Case* test) { return test->wide ? NETCL_F32 : test->dtype; }

/* The shape of x without its axis. */
static void rows_of(const Case* test, int64_t* shape) {
  for (uint32_t d = 0, r = 0; d < test->rank; ++d) {
    if ((int)d != test->axis) shape[r++] = test->shape[d];
  }
}

static int64_t ignored_index(const Case* test) {
  if (test->ignored == NEGATIVE) return kNegative;
  return test->ignored == A_CLASS ? classes_of(test) - 1 : 0;
}

/* The loss of a row of scores, `step` apart, and what may be wrong with it but for roundings. */
static long double loss_of(const Case* test, const double* x, int64_t step, int64_t label,
                           double weight, double* bound) {
  const int64_t n = classes_of(test);
  const double u = norm_compute_roundoff(test->dtype);
  const double own = x[label * step];
  if (test->nll) {
    *bound = u * fabs(weight * own) + 0x1p-149;
    return -(long double)weight * own;
  }
  double m = -INFINITY;
  int nan = 0;
  long double sum = 0;
  for (int64_t i = 0; i < n; ++i) {
    nan |= isnan(x[i * step]) || x[i * step] == INFINITY;
    if (x[i * step] > m) m = x[i * step];
  }
  if (nan || m == -INFINITY) return NAN;
  for (int64_t i = 0; i < n; ++i) sum += expl((long double)x[i * step] - (long double)m);
  *bound = 8 * u * fabs(weight) * (m - own + log((double)n) + 1) + 0x1p-149;
  return (long double)weight * (logl(sum) - ((long double)own - (long double)m));
}

static void compare(const Case* test, const char* what, int64_t at, double got, long double wanted,
                    double bound) {
  if (isnan(wanted) || isinf(wanted)) {
    CHECK(isnan(wanted) ? isnan(got) : got == (double)wanted, "%s of row %lld is %g, not %Lg", what,
          (long long)at, got, wanted);
    return;
  }
  if (loss_dtype(test) == NETCL_F16 && fabsl(wanted) > 65000) return;
  bound += norm_rounding(loss_dtype(test), (double)wanted);
  CHECK(fabsl(got - wanted) <= bound,
        "%s%s of %s, %lld classes, axis %d, row %lld: %.9g, not %.9Lg (bound %g)", what,
        test->nll ? " (nll)" : "", netcl_dtype_name(test->dtype), (long long)classes_of(test),
        test->axis, (long long)at, got, wanted, bound);
}

/* Checks every loss, or their sum or mean. Labels and weights are in C order. */
static void check_losses(const Case* test, const double* x, const double* labels,
                         const double* weights, const double* got) {
  const int64_t n = classes_of(test);
  const double u = norm_compute_roundoff(test->dtype);
  const int64_t inner =
      product(test->rank - (uint32_t)test->axis - 1, test->shape + test->axis + 1);
  const int64_t count = product((uint32_t)test->axis, test->shape) * inner;
  long double sum = 0, sizes = 0, total = 0, bounds = 0;
  for (int64_t row = 0; row < count; ++row) {
    const int64_t label = (int64_t)labels[row];
    const int ignored = test->ignored != NO_INDEX && label == ignored_index(test);
    const int valid = label >= 0 && label < n;
    const double weight = ignored ? 0 : !valid ? NAN : weights == NULL ? 1 : weights[label];
    double bound = 0;
    long double loss = weight;
    if (!ignored && valid) {
      loss = loss_of(test, x + row / inner * n * inner + row % inner, inner, label, weight, &bound);
    }
    if (test->reduction == NETCL_LOSS_NONE) compare(test, "loss", row, got[row], loss, bound);
    sum += loss;
    sizes += fabsl(loss);
    bounds += bound;
    total += weight;
  }
  const double reduced = (log2((double)count + 1) + 64) * u;
  bounds += reduced * sizes;
  if (test->reduction == NETCL_LOSS_SUM) compare(test, "sum", count, got[0], sum, (double)bounds);
  if (test->reduction == NETCL_LOSS_MEAN) {
    const long double mean = sum / total;
    const long double rest = (bounds + fabsl(sum) * (reduced + 2 * u)) / total;
    compare(test, "mean", count, got[0], mean, (double)rest);
  }
}

static double random_label(const Case* test, int bad) {
  const int64_t n = classes_of(test);
  if (test->ignored != NO_INDEX && random_in(0, 3) == 0) return (double)ignored_index(test);
  if (bad && random_in(0, 5) == 0) return random_in(0, 1) ? (double)n : -1;
  return n == 0 ? 0 : (double)random_in(0, n - 1);
}

/* Runs the op and checks what it gives. `values` replace x, `bad` makes some labels no classes. */
static void check_case(Fixture* fixture, const Case* test, const double* values, int bad) {
  int64_t rows[NETCL_RANK_MAX];
  rows_of(test, rows);
  const int64_t n = classes_of(test), count = product(test->rank - 1, rows);
  NormTensor x = norm_random(fixture, test->dtype, test->rank, test->shape, test->layout,
                             random_in(0, 2) == 0 ? 30 : 0, random_in(0, 3) == 0 ? 60 : 4);
  if (values != NULL) norm_write(&x, values);
  NormTensor labels =
      norm_random(fixture, random_in(0, 1) ? NETCL_I64 : NETCL_I32, test->rank - 1, rows,
                  test->layout == NORM_PACKED ? NORM_PACKED : NORM_VIEW, 0, 9);
  double* wanted_labels = malloc((size_t)(count + 1) * sizeof *wanted_labels);
  assert_non_null(wanted_labels);
  for (int64_t i = 0; i < count; ++i) wanted_labels[i] = random_label(test, bad);
  norm_write(&labels, wanted_labels);
  NormTensor weights = norm_random(fixture, test->weights == 2 ? NETCL_F32 : test->dtype, 1, &n,
                                   random_in(0, 1) ? NORM_PACKED : NORM_VIEW, 1.25, 1);
  const int whole = test->reduction != NETCL_LOSS_NONE;
  const uint32_t rank = whole ? 0 : test->rank - 1;
  NormTensor into = norm_random(fixture, loss_dtype(test), rank, rows,
                                test->target == 1 ? NORM_VIEW : NORM_PACKED, 0, 1);
  netcl_loss_options options = NETCL_LOSS_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor* result = NULL;
  if (test->weights != 0) options.weights = weights.tensor;
  if (test->ignored != NO_INDEX) options.ignore_index = ignored_index(test);
  /* What is not 0 says enough. */
  options.has_ignore_index = test->ignored == A_CLASS || test->ignored == ZERO;
  options.reduction = test->reduction;
  options.dtype = test->wide ? NETCL_F32 : 0;
  if (test->target == 1) run.into = into.tensor;
  const int32_t axis = random_in(0, 1) ? test->axis : test->axis - (int32_t)test->rank;
  netcl_tensor** out = test->target == 0 ? &result : NULL;
  OK(test->nll ? netcl_op_nll_loss(x.tensor, labels.tensor, axis, &options, &run, out)
               : netcl_op_cross_entropy(x.tensor, labels.tensor, axis, &options, &run, out));
  double* scores = norm_values(&x);
  double* factors = norm_values(&weights);
  double* got =
      norm_read(test->target == 0 ? result : run.into, loss_dtype(test), whole ? 1 : count);
  check_losses(test, scores, wanted_labels, test->weights != 0 ? factors : NULL, got);
  free(got);
  free(factors);
  free(scores);
  free(wanted_labels);
  netcl_tensor_release(result);
  norm_free(&into);
  norm_free(&weights);
  norm_free(&labels);
  norm_free(&x);
}

/* A case of this shape; the rest is left to chance. */
static Case some_case(const Fixture* fixture, netcl_dtype dtype, uint32_t rank,
                      const int64_t* shape, int axis) {
  Case test = {.dtype = dtype == 0 ? norm_float_dtype(fixture) : dtype, .rank = rank, .axis = axis};
  memcpy(test.shape, shape, rank * sizeof *shape);
  test.nll = random_in(0, 3) == 0;
  test.reduction = (netcl_loss_reduction)random_in(NETCL_LOSS_MEAN, NETCL_LOSS_NONE);
  test.layout = (NormLayout)random_in(0, 3);
  test.weights = (int)random_in(0, 2);
  test.ignored = (int)random_in(NO_INDEX, ZERO);
  const int narrow = test.dtype == NETCL_F16 || test.dtype == NETCL_BF16;
  test.wide = narrow && random_in(0, 1);
  test.target = (int)random_in(0, 1);
  return test;
}

static void random_cases(void** state) {
  Fixture* fixture = *state;
  for (int round = 0; round < rounds(fixture, 500); ++round) {
    int64_t shape[5];
    const uint32_t rank = (uint32_t)random_in(1, 5);
    for (uint32_t d = 0; d < rank; ++d) {
      shape[d] = random_in(round % 20 == 0 ? 0 : 1, rank > 3 ? 6 : 40);
    }
    const Case test = some_case(fixture, 0, rank, shape, (int)random_in(0, rank - 1));
    check_case(fixture, &test, NULL, random_in(0, 4) == 0);
  }
}

/* Numbers of classes on both sides of every limit between kernels, and of rows between sums. */
static void lengths(void** state) {
  Fixture* fixture = *state;
  static const int64_t kShapes[][2] = {{700, 1},   {5, 2},     {64, 10},   {5, 31},     {5, 64},
                                       {4, 129},   {5, 1000},  {5, 1024},  {3, 1025},   {3, 4100},
                                       {2, 16385}, {2, 40001}, {1, 70000}, {300, 3000}, {40000, 3}};
  for (size_t i = 0; i < COUNT_OF(kShapes); ++i) {
    for (int packed = 0; packed < 2; ++packed) {
      if (left_out(fixture, 8)) continue;
      Case test = some_case(fixture, packed ? NETCL_F32 : 0, 2, kShapes[i], 1);
      if (packed) test.layout = NORM_PACKED;
      test.nll = 0;
      check_case(fixture, &test, NULL, 0);
    }
  }
}

/* Classes that lie across memory, as those of images do. */
static void across(void** state) {
  Fixture* fixture = *state;
  static const int64_t kWidths[] = {2, 5, 16, 17, 33, 100};
  for (size_t i = 0; i < COUNT_OF(kWidths); ++i) {
    for (int64_t length = 1; length <= 100; length = length * 4 + 3) {
      if (left_out(fixture, 8)) continue;
      const int64_t shape[] = {3, length, kWidths[i]};
      Case test = some_case(fixture, i % 2 ? 0 : NETCL_F32, 3, shape, 1);
      test.layout = i < 4 ? NORM_PACKED : NORM_VIEW;
      test.nll = 0;
      check_case(fixture, &test, NULL, i == 3);
    }
  }
}

/* NaN and infinities, which are without effect where the label is ignored. */
static void special_values(void** state) {
  Fixture* fixture = *state;
  static const double kRows[][4] = {{1, NAN, 2, 3},
                                    {1, INFINITY, 2, 3},
                                    {-INFINITY, -INFINITY, -INFINITY, -INFINITY},
                                    {-INFINITY, 0, 1, -INFINITY},
                                    {0, -104, -1000, -60000},
                                    {30000, -30000, 0, 29999},
                                    {NAN, NAN, NAN, NAN}};
  enum { ROWS = (int)COUNT_OF(kRows) };
  static const int64_t kLengths[] = {4, 40, 3000};
  for (size_t k = 0; k < COUNT_OF(kLengths); ++k) {
    const int64_t n = kLengths[k];
    double* values = malloc((size_t)(2 * ROWS * n) * sizeof *values);
    assert_non_null(values);
    for (int form = 0; form < 8; ++form) {
      if (left_out(fixture, 8)) continue;
      const int turned = form % 2;
      const int64_t shape[] = {turned ? n : 2 * ROWS, turned ? 2 * ROWS : n};
      Case test = some_case(fixture, form < 4 ? NETCL_F32 : 0, 2, shape, turned ? 0 : 1);
      if (test.layout == NORM_BROADCAST) test.layout = NORM_PACKED; /* it cannot be written */
      test.nll = 0;
      test.reduction = form < 6 ? NETCL_LOSS_NONE : NETCL_LOSS_SUM;
      for (int64_t i = 0; i < 2 * ROWS * n; ++i) {
        values[turned ? i % n * 2 * ROWS + i / n : i] = kRows[i / n % ROWS][i % n % 4];
      }
      check_case(fixture, &test, values, form % 3 == 0);
    }
    free(values);
  }
}

/* One call on f32 scores [rows, classes], packed, with i64 labels. */
static double loss_value(Fixture* fixture, int64_t rows, int64_t classes, const float* x,
                         const int64_t* label, const netcl_loss_options* options, int nll) {
  const int64_t shape[] = {rows, classes};
  netcl_tensor* scores = make_tensor(fixture->device, NETCL_F32, 2, shape, x);
  netcl_tensor* labels = make_tensor(fixture->device, NETCL_I64, 1, &rows, label);
  netcl_tensor* loss = NULL;
  OK(nll ? netcl_op_nll_loss(scores, labels, 1, options, NULL, &loss)
         : netcl_op_cross_entropy(scores, labels, 1, options, NULL, &loss));
  assert_int_equal(tensor_info(loss).rank, 0);
  float* value = read_tensor(loss);
  const double got = *value;
  free(value);
  netcl_tensor_release(loss);
  netcl_tensor_release(labels);
  netcl_tensor_release(scores);
  return got;
}

/* No rows, no classes, and no label that counts. */
static void nothing_to_sum(void** state) {
  Fixture* fixture = *state;
  const float x[] = {1, 2, 3, 4, NAN, 6};
  const int64_t ignored[] = {-1, -1}, wrong[] = {-1, 0}, high[] = {0, 3};
  for (int nll = 0; nll < 2; ++nll) {
    netcl_loss_options options = NETCL_LOSS_OPTIONS_INIT;
    CHECK(isnan(loss_value(fixture, 0, 3, x, ignored, &options, nll)), "the mean of nothing");
    CHECK(isnan(loss_value(fixture, 2, 0, x, high, &options, nll)), "without classes");
    CHECK(isnan(loss_value(fixture, 2, 3, x, wrong, &options, nll)), "label -1");
    CHECK(isnan(loss_value(fixture, 2, 3, x, high, &options, nll)), "label 3");
    options.ignore_index = -1;
    CHECK(isnan(loss_value(fixture, 2, 3, x, ignored, &options, nll)), "the mean of what counts");
    options.reduction = NETCL_LOSS_SUM;
    assert_true(loss_value(fixture, 0, 3, x, ignored, &options, nll) == 0);
    assert_true(loss_value(fixture, 2, 3, x, ignored, &options, nll) == 0);
    assert_true(loss_value(fixture, 2, 0, x, ignored, &options, nll) == 0);
    CHECK(isnan(loss_value(fixture, 2, 3, x, high, &options, nll)), "label 3 in a sum");
  }
}

/* More rows than are summed at once; each counts, and an infinite loss makes the sum infinite. */
static void many_rows(void** state) {
  Fixture* fixture = *state;
  enum { ROWS = 50001 };
  static float x[ROWS];
  static int64_t labels[ROWS];
  netcl_loss_options options = NETCL_LOSS_OPTIONS_INIT;
  for (int i = 0; i < ROWS; ++i) x[i] = -1;
  assert_true(loss_value(fixture, ROWS, 1, x, labels, &options, 1) == 1);
  options.reduction = NETCL_LOSS_SUM;
  assert_true(loss_value(fixture, ROWS, 1, x, labels, &options, 1) == ROWS);
  assert_true(loss_value(fixture, ROWS, 1, x, labels, &options, 0) == 0);
  x[random_in(0, ROWS - 2)] = -INFINITY;
  assert_true(loss_value(fixture, ROWS, 1, x, labels, &options, 1) == INFINITY);
}

typedef struct Operands {
  NormTensor x, half, whole, labels, small, weights, few, bytes, scalar;
} Operands;

static Operands make_operands(Fixture* fixture) {
  static const int64_t shape[] = {4, 6}, vector[] = {6};
  return (Operands){norm_random(fixture, NETCL_F32, 2, shape, NORM_PACKED, 0, 1),
                    norm_random(fixture, NETCL_F16, 2, shape, NORM_PACKED, 0, 1),
                    norm_random(fixture, NETCL_I32, 2, shape, NORM_PACKED, 0, 9),
                    norm_random(fixture, NETCL_I64, 1, shape, NORM_PACKED, 0, 1),
                    norm_random(fixture, NETCL_U8, 1, shape, NORM_PACKED, 0, 1),
                    norm_random(fixture, NETCL_F32, 1, vector, NORM_PACKED, 0, 1),
                    norm_random(fixture, NETCL_F32, 1, shape, NORM_PACKED, 0, 1),
                    norm_random(fixture, NETCL_F16, 1, vector, NORM_PACKED, 0, 1),
                    norm_random(fixture, NETCL_F32, 0, shape, NORM_PACKED, 0, 1)};
}

static void free_operands(Operands* all) {
  NormTensor* const list[] = {&all->x,       &all->half, &all->whole, &all->labels, &all->small,
                              &all->weights, &all->few,  &all->bytes, &all->scalar};
  for (size_t i = 0; i < COUNT_OF(list); ++i) norm_free(list[i]);
}

#define INVALID NETCL_ERROR_INVALID_ARGUMENT
#define REFUSED(status, text, x, axis) \
  FAILS_WITH(status, text,             \
             netcl_op_cross_entropy((x).tensor, all.labels.tensor, axis, &options, &run, &result))

static void refused_operands(void** state) {
  Operands all = make_operands(*state);
  const netcl_status unsupported = NETCL_ERROR_UNSUPPORTED;
  netcl_tensor* result = NULL;
  netcl_loss_options options = NETCL_LOSS_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  REFUSED(INVALID, "axis is 2; the tensor has rank 2", all.x, 2);
  REFUSED(INVALID, "rank 0", all.scalar, 0);
  REFUSED(unsupported, "x is i32; cross_entropy", all.whole, 1);
  REFUSED(INVALID, "labels has shape [4]; x has shape [4, 6], without axis 0 [6]", all.x, 0);
  FAILS_WITH(unsupported, "x is i32; nll_loss",
             netcl_op_nll_loss(all.whole.tensor, all.labels.tensor, 1, &options, &run, &result));
  FAILS_WITH(unsupported, "labels is u8; i32 and i64",
             netcl_op_cross_entropy(all.x.tensor, all.small.tensor, 1, &options, &run, &result));
  FAILS_WITH(INVALID, "labels has shape [4, 6]",
             netcl_op_cross_entropy(all.x.tensor, all.whole.tensor, 1, &options, &run, &result));
  options.weights = all.few.tensor;
  REFUSED(INVALID, "options->weights has shape [4]; there are 6 classes", all.x, 1);
  options.weights = all.bytes.tensor;
  REFUSED(INVALID, "options->weights is f16 and x is f32", all.x, 1);
  assert_null(result);
  free_operands(&all);
}

static void refused_options(void** state) {
  Operands all = make_operands(*state);
  netcl_tensor* result = NULL;
  netcl_loss_options options = NETCL_LOSS_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  options.reduction = 3;
  REFUSED(INVALID, "options->reduction is 3", all.x, 1);
  options.reduction = -1;
  REFUSED(INVALID, "options->reduction is -1", all.x, 1);
  options.reduction = NETCL_LOSS_MEAN;
  options.has_ignore_index = 2;
  REFUSED(INVALID, "options->has_ignore_index is 2", all.x, 1);
  options.has_ignore_index = 0;
  options.dtype = NETCL_F64;
  REFUSED(INVALID, "options->dtype is", all.x, 1);
  REFUSED(INVALID, "(f32)", all.half, 1);
  options.dtype = NETCL_F16;
  REFUSED(INVALID, "for x of f32", all.x, 1);
  assert_null(result);
  free_operands(&all);
}

static void refused_results(void** state) {
  Operands all = make_operands(*state);
  static const int64_t shape[] = {4};
  static const netcl_range column[] = {{0, 4, 1}, {2, 1, 1}};
  netcl_tensor *result = NULL, *first = NULL, *line = NULL, *shared = NULL;
  netcl_loss_options options = NETCL_LOSS_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.into = all.few.tensor;
  REFUSED(INVALID, "[4]", all.x, 1);
  options.reduction = NETCL_LOSS_NONE;
  run.into = all.scalar.tensor;
  REFUSED(INVALID, "[4]", all.x, 1);
  OK(netcl_tensor_slice(all.x.tensor, column, 2, &first));
  OK(netcl_tensor_reshape(first, 1, shape, NULL, &line));
  run.into = line;
  REFUSED(INVALID, "shares its memory with x", all.x, 1);
  options.weights = all.weights.tensor;
  OK(netcl_tensor_slice(all.weights.tensor, column, 1, &shared));
  run.into = shared;
  REFUSED(INVALID, "shares its memory with options->weights", all.x, 1);
  run.into = all.labels.tensor;
  REFUSED(INVALID, "shares its memory with labels", all.x, 1);
  FAILS_WITH(INVALID, "result is NULL",
             netcl_op_cross_entropy(all.x.tensor, all.labels.tensor, 1, NULL, NULL, NULL));
  assert_null(result);
  netcl_tensor_release(shared);
  netcl_tensor_release(line);
  netcl_tensor_release(first);
  free_operands(&all);
}

int main(void) {
  static const struct CMUnitTest kTests[] = {
      DEVICE_TEST(random_cases),     DEVICE_TEST(lengths),         DEVICE_TEST(across),
      DEVICE_TEST(special_values),   DEVICE_TEST(nothing_to_sum),  DEVICE_TEST(many_rows),
      DEVICE_TEST(refused_operands), DEVICE_TEST(refused_options), DEVICE_TEST(refused_results),
      DEVICE_TEST(as_kernels)};
  seed_random("cross_entropy");
  return cmocka_run_group_tests_name("cross_entropy", kTests, NULL, NULL);
}
