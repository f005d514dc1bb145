/* Gradients of softmax and of normalisations, in any dtype and layout, against sums in extended
 * precision. */
#include <math.h>
#include <stdio.h>

#include "support_graph.h"
#include "support_norm.h"

/* ---- Normalisations -------------------------------------------------------------------------- */

typedef struct Case {
  netcl_dtype dtype;
  uint32_t rank;
  int64_t shape[NETCL_RANK_MAX];
  uint32_t axis;
  int centred;
  int wanted; /* bit 0: of x, 1: of scale, 2: of bias; the parameters are there when they are
                 wanted, and scale by chance */
  NormLayout layout, seed_layout;
  double center;
  double epsilon; /* 0: that of the header */
} Case;

typedef struct Operands {
  double *x, *scale, *grad; /* scale may be NULL */
  int64_t rows, n;
} Operands;

/* What rounding costs each sum over n elements. */
static double sum_error(const Case* test, int64_t n) {
  return (32 + log2((double)n)) * norm_compute_roundoff(test->dtype);
}

/* `dtype` is that of the element. */
static void check_element(const Case* test, netcl_dtype dtype, const char* what, int64_t at,
                          double got, double wanted, double bound) {
  bound += norm_rounding(dtype, wanted) + fabs(wanted) * norm_compute_roundoff(dtype);
  CHECK(fabs(got - wanted) <= bound,
        "%s of %s%s, axis %u of rank %u, element %lld: %.9g, not %.9g (bound %g)", what,
        netcl_dtype_name(test->dtype), test->centred ? ", centred" : "", test->axis, test->rank,
        (long long)at, got, wanted, bound);
}

/* One row: checks the gradient of x, and adds to those of scale and bias, to their bounds, and to
 * the sizes of what is summed. */
static void check_row(const Case* test, const Operands* all, int64_t row, const double* got,
                      double* scale_sums, double* bias_sums, double* bounds) {
  const int64_t n = all->n;
  const double *x = all->x + row * n, *g = all->grad + row * n, u = sum_error(test, n);
  long double mean = 0, squares = 0, sum = 0, along = 0;
  double most = 0, most_s = 0, most_n = 0;
  for (int64_t i = 0; i < n; ++i) {
    mean += (long double)x[i] / n;
    most = fmax(most, fabs(x[i]));
  }
  if (!test->centred) mean = 0;
  for (int64_t i = 0; i < n; ++i) squares += (x[i] - mean) * (x[i] - mean);
  const double epsilon = test->epsilon == 0 ? 1e-5 : test->epsilon;
  const long double r = 1 / sqrtl(squares / n + epsilon);
  for (int64_t i = 0; i < n; ++i) {
    const long double s = g[i] * (all->scale == NULL ? 1 : all->scale[i]);
    sum += s / n;
    along += s * (x[i] - mean) * r / n;
    most_s = fmax(most_s, fabs((double)s));
    most_n = fmax(most_n, fabs((double)((x[i] - mean) * r)));
  }
  if (!test->centred) sum = 0;
  /* What is wrong with a normal value, also by the mean, and what comes of it. */
  const double off = u * (1 + most_n) + (test->centred ? u * most * (double)r : 0);
  const double bound = (double)r * most_s * (u * 4 + off * (2 + 2 * most_n) * (1 + most_n));
  for (int64_t i = 0; i < n; ++i) {
    const long double normal = (x[i] - mean) * r;
    const long double s = g[i] * (all->scale == NULL ? 1 : all->scale[i]);
    if (got != NULL) {
      check_element(test, test->dtype, "gradient of x", row * n + i, got[row * n + i],
                    (double)(r * (s - sum - normal * along)), bound);
    }
    scale_sums[i] += (double)(g[i] * normal);
    bias_sums[i] += g[i];
    bounds[i] += fabs(g[i]) * (off + u);
    bounds[n + i] += fabs(g[i]) * (1 + most_n);
  }
}

static void check_gradients_of(const Case* test, const Operands* all, netcl_tensor* const* made) {
  const int64_t n = all->n;
  double* sums = calloc((size_t)(4 * n) + 1, sizeof *sums);
  double* got[3] = {NULL, NULL, NULL};
  for (int i = 0; i < 3; ++i) {
    if (made[i] == NULL) continue;
    got[i] = norm_read(made[i], tensor_info(made[i]).dtype, i == 0 ? all->rows * n : n);
  }
  for (int64_t row = 0; row < all->rows; ++row) {
    check_row(test, all, row, got[0], sums, sums + n, sums + 2 * n);
  }
  for (int k = 1; k < 3; ++k) {
    if (got[k] == NULL) continue;
    /* The sums are in the dtype of the parameter, which may be narrower than x. */
    const netcl_dtype dtype = tensor_info(made[k]).dtype;
    const double each = 32 * norm_compute_roundoff(dtype);
    for (int64_t i = 0; i < n; ++i) {
      check_element(test, dtype, k == 1 ? "gradient of scale" : "gradient of bias", i, got[k][i],
                    sums[(k - 1) * n + i], sums[2 * n + i] + each * sums[3 * n + i]);
    }
  }
  for (int i = 0; i < 3; ++i) free(got[i]);
  free(sums);
}

static void check_norm(Fixture* fixture, const Case* test, double value) {
  const uint32_t inner = test->rank - test->axis;
  const int64_t* const row = test->shape + test->axis;
  const netcl_dtype dtypes[2] = {test->dtype, NETCL_F32};
  Operands all = {.rows = product(test->axis, test->shape), .n = product(inner, row)};
  NormTensor x = norm_random(fixture, test->dtype, test->rank, test->shape, test->layout,
                             test->center, value == 0 ? 3 : 0);
  NormTensor grad =
      norm_random(fixture, test->dtype, test->rank, test->shape, test->seed_layout, 0, 2);
  const int scaled = (test->wanted & 2) != 0 || random_in(0, 1);
  NormTensor scale = norm_random(fixture, dtypes[random_in(0, 1)], inner, row,
                                 (NormLayout)(random_in(0, 1) * NORM_VIEW), 0.5, 2);
  NormTensor bias = norm_random(fixture, dtypes[random_in(0, 1)], inner, row, NORM_PACKED, 0, 1);
  netcl_run_options run = recorded(fixture);
  netcl_norm_options options = NETCL_NORM_OPTIONS_INIT;
  netcl_gradients_options how = NETCL_GRADIENTS_OPTIONS_INIT;
  netcl_tensor *y = NULL, *inputs[3], *made[3] = {NULL}, *by_input[3] = {NULL};
  uint32_t count = 0;
  if (scaled) options.scale = scale.tensor;
  if (test->wanted & 4) options.bias = bias.tensor;
  options.epsilon = test->epsilon;
  how.seeds = &grad.tensor;
  how.seeds_count = 1;
  how.consume = random_in(0, 1) != 0;
  OK(test->centred ? netcl_op_layernorm(x.tensor, (int32_t)test->axis, &options, &run, &y)
                   : netcl_op_rmsnorm(x.tensor, (int32_t)test->axis, &options, &run, &y));
  netcl_tensor* const each[3] = {x.tensor, scale.tensor, bias.tensor};
  for (int i = 0; i < 3; ++i) {
    if (test->wanted >> i & 1) inputs[count++] = each[i];
  }
  OK(netcl_graph_add_gradients(run.graph, &y, 1, inputs, count, &how, made));
  for (uint32_t i = 0, next = 0; i < 3; ++i) {
    if (test->wanted >> i & 1) by_input[i] = made[next++];
  }
  all.x = norm_values(&x);
  all.grad = norm_values(&grad);
  if (scaled) all.scale = norm_values(&scale);
  check_gradients_of(test, &all, by_input);
  free(all.x);
  free(all.grad);
  free(all.scale);
  RELEASE(y, made[0], made[1], made[2]);
  netcl_graph_release(run.graph);
  norm_free(&x);
  norm_free(&grad);
  norm_free(&scale);
  norm_free(&bias);
}

static NormLayout any_layout(int repeats) {
  static const NormLayout kLayouts[] = {NORM_PACKED, NORM_VIEW, NORM_LAST_FIRST, NORM_BROADCAST};
  return kLayouts[random_in(0, repeats ? 3 : 2)];
}

static Case some_case(Fixture* fixture) {
  Case test = {.dtype = norm_float_dtype(fixture), .rank = (uint32_t)random_in(1, 4)};
  test.centred = (int)random_in(0, 1);
  test.layout = any_layout(0);
  test.seed_layout = any_layout(1);
  test.wanted = (int)random_in(1, test.centred ? 7 : 3);
  test.center = random_in(0, 2) == 0 ? 20 : 0;
  if (random_in(0, 1)) test.epsilon = random_real(1e-3, 2);
  return test;
}

static void norm_cases(void** state) {
  Fixture* fixture = *state;
  for (int round = 0; round < rounds(fixture, 200); ++round) {
    Case test = some_case(fixture);
    for (uint32_t d = 0; d < test.rank; ++d) {
      test.shape[d] = random_in(round % 20 == 0 ? 0 : 1, test.rank > 3 ? 6 : 20);
    }
    test.axis = (uint32_t)random_in(0, test.rank - 1);
    check_norm(fixture, &test, 0);
  }
}

/* From one element on to rows that no registers hold, and a few that are long. */
static const int64_t kLengths[] = {1,    3,    16,   64,   100,   512,   513,   1024,  2000, 2048,
                                   4096, 4100, 8192, 9001, 16384, 16388, 20001, 70000, 65536};

static void norm_lengths(void** state) {
  Fixture* fixture = *state;
  for (size_t i = 0; i < COUNT_OF(kLengths); ++i) {
    if (left_out(fixture, 8)) continue;
    Case test = some_case(fixture);
    test.rank = 2;
    test.axis = 1;
    test.shape[0] = kLengths[i] == 65536 ? 33 : 5;
    test.shape[1] = kLengths[i];
    if (i % 3 != 0) test.dtype = NETCL_F32;
    test.layout = test.seed_layout = i % 4 == 0 ? any_layout(0) : NORM_PACKED;
    check_norm(fixture, &test, 0);
  }
}

/* All elements of each row are alike, so that epsilon alone is the variance. */
static void constant_rows(void** state) {
  Fixture* fixture = *state;
  for (int round = 0; round < 6; ++round) {
    Case test = {.dtype = NETCL_F32, .rank = 2, .axis = 1, .centred = 1, .wanted = 7};
    test.shape[0] = 3;
    test.shape[1] = round < 3 ? 60 : 9001;
    test.center = round % 3 == 0 ? 0 : 4;
    if (round % 3 == 2) test.epsilon = 0.25;
    check_norm(fixture, &test, 1);
  }
}

/* ---- Softmax --------------------------------------------------------------------------------- */

static void check_softmax(Fixture* fixture, const Case* test, int logarithm) {
  NormTensor x =
      norm_random(fixture, test->dtype, test->rank, test->shape, test->layout, test->center, 3);
  NormTensor grad =
      norm_random(fixture, test->dtype, test->rank, test->shape, test->seed_layout, 0, 2);
  netcl_run_options run = recorded(fixture);
  netcl_gradients_options how = NETCL_GRADIENTS_OPTIONS_INIT;
  netcl_tensor *y = NULL, *made = NULL;
  how.seeds = &grad.tensor;
  how.seeds_count = 1;
  OK(logarithm ? netcl_op_log_softmax(x.tensor, (int32_t)test->axis, &run, &y)
               : netcl_op_softmax(x.tensor, (int32_t)test->axis, &run, &y));
  OK(netcl_graph_add_gradients(run.graph, &y, 1, &x.tensor, 1, &how, &made));
  const int64_t all = product(test->rank, test->shape), n = test->shape[test->axis];
  const int64_t step = product(test->rank - test->axis - 1, test->shape + test->axis + 1);
  double *values = norm_read(y, test->dtype, all), *got = norm_read(made, test->dtype, all);
  double *g = norm_values(&grad), *given = norm_values(&x);
  for (int64_t row = 0; n > 0 && row < all / n; ++row) {
    const int64_t at = row / step * step * n + row % step;
    long double sum = 0, sizes = 0, most = -INFINITY, total = 0;
    for (int64_t i = at; i < at + n * step; i += step) most = fmaxl(most, given[i]);
    for (int64_t i = at; i < at + n * step; i += step) {
      total += expl(given[i] - most);
      const long double term = g[i] * (logarithm ? 1.0L : values[i]);
      sum += term;
      sizes += fabsl(term);
    }
    for (int64_t i = at; i < at + n * step; i += step) {
      /* A logarithm that was rounded would be off by much here. */
      const double e = logarithm ? (double)(expl(given[i] - most) / total) : values[i];
      const double wanted = (double)(logarithm ? g[i] - e * sum : e * (g[i] - sum));
      const double size = logarithm ? e * (1 + fabs(values[i])) * (double)sizes + fabs(g[i])
                                    : e * (fabs(g[i]) + (double)sizes);
      check_element(test, test->dtype,
                    logarithm ? "gradient of log_softmax" : "gradient of softmax", i, got[i],
                    wanted, sum_error(test, n) * size);
    }
  }
  free(values);
  free(got);
  free(g);
  free(given);
  RELEASE(y, made);
  netcl_graph_release(run.graph);
  norm_free(&x);
  norm_free(&grad);
}

static void softmax_cases(void** state) {
  Fixture* fixture = *state;
  for (int round = 0; round < rounds(fixture, 200); ++round) {
    Case test = some_case(fixture);
    for (uint32_t d = 0; d < test.rank; ++d) {
      test.shape[d] = random_in(round % 20 == 0 ? 0 : 1, test.rank > 3 ? 6 : 20);
    }
    test.axis = (uint32_t)random_in(0, test.rank - 1);
    if (round % 5 == 0) { /* columns that fill vectors, and some that do not */
      test.rank = 3;
      test.axis = (uint32_t)random_in(0, 1);
      test.shape[2] = random_in(16, 70);
      test.layout = NORM_PACKED;
      if (random_in(0, 1)) test.seed_layout = NORM_PACKED;
      if (random_in(0, 1)) test.dtype = NETCL_F32;
    }
    check_softmax(fixture, &test, (int)random_in(0, 1));
  }
}

static void softmax_lengths(void** state) {
  Fixture* fixture = *state;
  for (size_t i = 0; i < COUNT_OF(kLengths); ++i) {
    if (left_out(fixture, 8)) continue;
    Case test = some_case(fixture);
    const uint32_t across = i % 5 == 4;
    test.rank = 2;
    test.axis = across ? 0 : 1;
    test.shape[across] = kLengths[i] == 65536 ? 33 : 5;
    test.shape[1 - across] = kLengths[i];
    if (across) test.shape[1] = 40;
    if (i % 3 != 0) test.dtype = NETCL_F32;
    test.layout = test.seed_layout = i % 4 == 0 ? any_layout(0) : NORM_PACKED;
    check_softmax(fixture, &test, (int)random_in(0, 1));
  }
}

/* ---- Rows that are no numbers ---------------------------------------------------------------- */

/* kind: 0 layernorm, 1 rmsnorm, 2 softmax, 3 log_softmax. */
static netcl_tensor* row_op(int kind, netcl_tensor* x, const netcl_run_options* run) {
  netcl_tensor* y = NULL;
  OK(kind == 0   ? netcl_op_layernorm(x, 1, NULL, run, &y)
     : kind == 1 ? netcl_op_rmsnorm(x, 1, NULL, run, &y)
     : kind == 2 ? netcl_op_softmax(x, 1, run, &y)
                 : netcl_op_log_softmax(x, 1, run, &y));
  return y;
}

/* NaN or infinity in a row of x or of the gradient makes that row NaN, and no other. */
static void rows_of_nan(void** state) {
  Fixture* fixture = *state;
  enum { ROWS = 6, LONGEST = 20001 };
  static float x[ROWS * LONGEST], g[ROWS * LONGEST];
  for (int round = 0; round < 8; ++round) {
    const int kind = round % 4;
    const int64_t n = round < 4 ? 50 : LONGEST, shape[] = {ROWS, n};
    fill_random(NETCL_F32, x, ROWS * n, 1);
    fill_random(NETCL_F32, g, ROWS * n, 1);
    x[1 * n + n / 2] = NAN;
    g[4 * n + n - 1] = NAN;
    netcl_run_options run = recorded(fixture);
    netcl_gradients_options how = NETCL_GRADIENTS_OPTIONS_INIT;
    netcl_tensor* input = make_tensor(fixture->device, NETCL_F32, 2, shape, x);
    netcl_tensor* seed = make_tensor(fixture->device, NETCL_F32, 2, shape, g);
    netcl_tensor *y = row_op(kind, input, &run), *made = NULL;
    how.seeds = &seed;
    how.seeds_count = 1;
    OK(netcl_graph_add_gradients(run.graph, &y, 1, &input, 1, &how, &made));
    float* got = read_tensor(made);
    for (int64_t i = 0; i < ROWS * n; ++i) {
      const int lost = i / n == 1 || i / n == 4;
      CHECK(lost ? isnan(got[i]) : isfinite(got[i]), "kind %d, row %d, element %d is %g", kind,
            (int)(i / n), (int)(i % n), got[i]);
    }
    free(got);
    RELEASE(input, seed, y, made);
    netcl_graph_release(run.graph);
  }
}

/* ---- Threads --------------------------------------------------------------------------------- */

static void print_tensor(const netcl_tensor* tensor) {
  unsigned char* bytes = read_tensor(tensor);
  const uint64_t count = tensor_info(tensor).byte_count;
  uint64_t hash = 1469598103934665603u;
  for (uint64_t i = 0; i < count; ++i) hash = (hash ^ bytes[i]) * 1099511628211u;
  printf("%016llx\n", (unsigned long long)hash);
  free(bytes);
}

static int print_bits(void) {
  static const int64_t kShapes[][2] = {{50000, 3}, {300, 1000}, {40, 50257}, {3, 100000}};
  Fixture fixture = {0};
  if (netcl_device_open("builtin", NULL, &fixture.device) != NETCL_OK) return 1;
  for (size_t i = 0; i < 4 * COUNT_OF(kShapes); ++i) {
    netcl_run_options run = recorded(&fixture);
    netcl_gradients_options how = NETCL_GRADIENTS_OPTIONS_INIT;
    netcl_tensor *x = NULL, *made = NULL;
    OK(netcl_tensor_create_random(fixture.device, NETCL_F32, 2, kShapes[i / 4], NULL, NULL, NULL,
                                  &x));
    netcl_tensor* y = row_op(i % 4, x, &run);
    how.seeds = &x;
    how.seeds_count = 1;
    OK(netcl_graph_add_gradients(run.graph, &y, 1, &x, 1, &how, &made));
    print_tensor(made);
    RELEASE(x, y, made);
    netcl_graph_release(run.graph);
  }
  netcl_device_release(fixture.device);
  return 0;
}

static void same_bits(void** state) {
  Fixture* fixture = *state;
  if (fixture->opencl) SKIP("threads are the built-in device's");
  process_expect_same_output("bits", 16 * 17);
}

int main(int argc, char** argv) {
  static const process_mode modes[] = {{"bits", print_bits}};
  const int code = process_child_main(argc, argv, modes, 1);
  if (code >= 0) return code;
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(norm_cases),    DEVICE_TEST(norm_lengths),    DEVICE_TEST(constant_rows),
      DEVICE_TEST(softmax_cases), DEVICE_TEST(softmax_lengths), DEVICE_TEST(rows_of_nan),
      DEVICE_TEST(same_bits),     DEVICE_TEST(as_kernels),
  };
  seed_random("gradients_rows");
  return cmocka_run_group_tests_name("gradients_rows", tests, NULL, NULL);
}
