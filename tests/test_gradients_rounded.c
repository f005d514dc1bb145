/* Gradients do not suffer from results that were rounded: an error of the result in an exponent, a
 * comparison or a divisor is none of the gradient. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "support_graph.h"

enum { kMost = 48 };

static const netcl_dtype kFloats[] = {NETCL_F16, NETCL_BF16, NETCL_F32, NETCL_F64};

static netcl_dtype some_float(void) { return kFloats[random_in(0, COUNT_OF(kFloats) - 1)]; }

/* Rows of random values, as a tensor and as it holds them. */
static netcl_tensor* make_rows(Fixture* fixture, netcl_dtype dtype, int64_t rows, int64_t n,
                               double low, double high, double* held) {
  const int64_t shape[] = {rows, n};
  char data[kMost * sizeof(double)];
  for (int64_t i = 0; i < rows * n; ++i) {
    store_double(dtype, data, i, random_real(low, high));
    held[i] = load_double(dtype, data, i);
  }
  return make_tensor(fixture->device, dtype, 2, shape, data);
}

/* The gradient of one output, by a seed, and the seed as it is held. */
static netcl_tensor* seeded(Fixture* fixture, const netcl_run_options* run, netcl_tensor* y,
                            netcl_tensor* x, int64_t rows, int64_t n, double* seed) {
  netcl_tensor* gradient = NULL;
  netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  netcl_tensor* weights = make_rows(fixture, tensor_info(y).dtype, rows, n, 0.5, 2, seed);
  options.seeds = &weights;
  options.seeds_count = 1;
  OK(netcl_graph_add_gradients(run->graph, &y, 1, &x, 1, &options, &gradient));
  netcl_tensor_release(weights);
  return gradient;
}

/* What a reduction of one row does to its gradient, in extended precision. */
static void row_gradient(netcl_reduction kind, const double* x, int64_t n, double seed,
                         double* wanted) {
  long double most = -INFINITY, sum = 0, squares = 0;
  int ties = 0;
  const double sign = kind == NETCL_REDUCTION_MIN ? -1 : 1;
  for (int64_t i = 0; i < n; ++i) most = fmaxl(most, sign * x[i]);
  for (int64_t i = 0; i < n; ++i) {
    ties += sign * x[i] == (double)most;
    sum += expl(x[i] - most);
    squares += (long double)x[i] * x[i];
  }
  for (int64_t i = 0; i < n; ++i) {
    if (kind == NETCL_REDUCTION_LOG_SUM_EXP) {
      wanted[i] = (double)(seed * expl(x[i] - most) / sum);
    } else if (kind == NETCL_REDUCTION_L2) {
      wanted[i] = (double)(seed * x[i] / sqrtl(squares));
    } else {
      wanted[i] = sign * x[i] == (double)most ? seed / ties : 0;
    }
  }
}

static void check_near(netcl_dtype dtype, const netcl_tensor* got, const double* wanted,
                       int64_t count, const char* what) {
  void* values = read_tensor(got);
  /* f32 sums, or those of f64, rounded once. */
  const double part =
      unit_roundoff(dtype) + 64 * unit_roundoff(dtype == NETCL_F64 ? dtype : NETCL_F32);
  for (int64_t i = 0; i < count; ++i) {
    const double value = load_double(dtype, values, i);
    const double bound = fabs(wanted[i]) * part + (dtype == NETCL_F16 ? ldexp(1, -24) : 0);
    CHECK(fabs(value - wanted[i]) <= bound, "%s, element %lld: %.9g, not %.9g", what, (long long)i,
          value, wanted[i]);
  }
  free(values);
}

static void reduce_case(Fixture* fixture, netcl_reduction kind, netcl_dtype dtype,
                        netcl_dtype result, double low, double high) {
  const int64_t rows = random_in(1, 4), n = random_in(2, 12);
  double x[kMost], seed[kMost], wanted[kMost];
  const int32_t axis = 1;
  netcl_tensor* y = NULL;
  netcl_run_options run = recorded(fixture);
  netcl_reduce_options options = NETCL_REDUCE_OPTIONS_INIT;
  options.axes = &axis;
  options.axes_count = 1;
  options.keepdims = 1;
  options.dtype = result;
  netcl_tensor* tensor = make_rows(fixture, dtype, rows, n, low, high, x);
  OK(netcl_op_reduce(tensor, kind, &options, &run, &y));
  netcl_tensor* gradient = seeded(fixture, &run, y, tensor, rows, 1, seed);
  for (int64_t r = 0; r < rows; ++r) row_gradient(kind, x + r * n, n, seed[r], wanted + r * n);
  char what[80];
  snprintf(what, sizeof what, "reduction %d of %s to %s", kind, netcl_dtype_name(dtype),
           netcl_dtype_name(result));
  check_near(dtype, gradient, wanted, rows * n, what);
  RELEASE(y, gradient, tensor);
  netcl_graph_release(run.graph);
}

static void reductions(void** state) {
  Fixture* fixture = *state;
  for (size_t from = 0; from < COUNT_OF(kFloats); ++from) {
    for (size_t to = 0; to < COUNT_OF(kFloats); ++to) {
      const netcl_dtype dtype = kFloats[from], result = kFloats[to];
      reduce_case(fixture, NETCL_REDUCTION_MAX, dtype, result, -1, 1);
      reduce_case(fixture, NETCL_REDUCTION_MIN, dtype, result, -1, 1);
      reduce_case(fixture, NETCL_REDUCTION_LOG_SUM_EXP, dtype, result, -2, 2);
      reduce_case(fixture, NETCL_REDUCTION_LOG_SUM_EXP, dtype, result, 1000, 1002);
      if (dtype != NETCL_F16) {
        reduce_case(fixture, NETCL_REDUCTION_LOG_SUM_EXP, dtype, result, 1e6, 1e6 + 2);
      }
      reduce_case(fixture, NETCL_REDUCTION_L2, dtype, result, 0.5, 2);
      /* Beyond what f16 holds, or below it: the result is infinite there, or 0. */
      const int narrow = dtype == NETCL_F16;
      reduce_case(fixture, NETCL_REDUCTION_L2, dtype, result, narrow ? 5e4 : 1e9,
                  narrow ? 6e4 : 2e9);
      reduce_case(fixture, NETCL_REDUCTION_L2, dtype, result, narrow ? 6e-8 : 1e-9,
                  narrow ? 2e-7 : 2e-9);
    }
  }
}

static void known_rows(void** state) {
  Fixture* fixture = *state;
  const double exponents[] = {0.25, 0.25, 0.25, 0.25};
  for (size_t from = 0; from < COUNT_OF(kFloats); ++from) {
    for (size_t to = 0; to < COUNT_OF(kFloats); ++to) {
      netcl_run_options run = recorded(fixture);
      netcl_reduce_options options = NETCL_REDUCE_OPTIONS_INIT;
      options.dtype = kFloats[to];
      double held[4];
      netcl_tensor *x = make_rows(fixture, kFloats[from], 1, 4, 1000, 1000, held), *y = NULL;
      OK(netcl_op_reduce(x, NETCL_REDUCTION_LOG_SUM_EXP, &options, &run, &y));
      netcl_tensor* shares = gradient(&run, y, x);
      check_near(kFloats[from], shares, exponents, 4, "four equal exponents");
      RELEASE(x, y, shares);
      netcl_graph_release(run.graph);
    }
  }
  /* Without a finite exponent nothing tells the shares. */
  const float nothing[] = {-INFINITY, -INFINITY};
  netcl_run_options run = recorded(fixture);
  netcl_tensor *x = graph_vector(fixture, 2, nothing), *y = NULL;
  OK(netcl_op_reduce(x, NETCL_REDUCTION_LOG_SUM_EXP, NULL, &run, &y));
  netcl_tensor* shares = gradient(&run, y, x);
  float* values = read_tensor(shares);
  assert_true(isnan(values[0]) && isnan(values[1]));
  free(values);
  RELEASE(x, y, shares);
  netcl_graph_release(run.graph);
}

/* g - exp(y) sum g, of logarithms as large as those of many classes. */
static void logarithms(void** state) {
  Fixture* fixture = *state;
  for (int round = 0; round < rounds(fixture, 60); ++round) {
    const netcl_dtype dtype = some_float();
    const int64_t rows = random_in(1, 4), n = random_in(2, 12);
    double x[kMost], seed[kMost], wanted[kMost];
    netcl_tensor* y = NULL;
    netcl_run_options run = recorded(fixture);
    netcl_tensor* tensor = make_rows(fixture, dtype, rows, n, -9, 9, x);
    OK(netcl_op_log_softmax(tensor, 1, &run, &y));
    netcl_tensor* gradient = seeded(fixture, &run, y, tensor, rows, n, seed);
    for (int64_t r = 0; r < rows; ++r) {
      double sum = 0;
      for (int64_t i = 0; i < n; ++i) sum += seed[r * n + i];
      row_gradient(NETCL_REDUCTION_LOG_SUM_EXP, x + r * n, n, sum, wanted + r * n);
      for (int64_t i = 0; i < n; ++i) wanted[r * n + i] = seed[r * n + i] - wanted[r * n + i];
    }
    /* The difference may cancel. */
    double* got = malloc((size_t)(rows * n) * sizeof *got);
    void* values = read_tensor(gradient);
    for (int64_t i = 0; i < rows * n; ++i) {
      got[i] = load_double(dtype, values, i);
      const double unit = dtype == NETCL_F64 ? DBL_EPSILON : FLT_EPSILON;
      CHECK(fabs(got[i] - wanted[i]) <= fabs(wanted[i]) * unit_roundoff(dtype) + 2000 * unit,
            "log_softmax of %s, element %lld: %.9g, not %.9g", netcl_dtype_name(dtype),
            (long long)i, got[i], wanted[i]);
    }
    free(values);
    free(got);
    RELEASE(y, gradient, tensor);
    netcl_graph_release(run.graph);
  }
}

/* What an activation is given may be too large for f16, where its result is not. */
static void activations(void** state) {
  Fixture* fixture = *state;
  static const netcl_activation kKinds[] = {NETCL_ACTIVATION_SILU, NETCL_ACTIVATION_GELU,
                                            NETCL_ACTIVATION_GELU_TANH, NETCL_ACTIVATION_SOFTPLUS,
                                            NETCL_ACTIVATION_HARD_SWISH};
  static const int64_t kShape[] = {1, 1, 1, 1};
  for (size_t i = 0; i < COUNT_OF(kKinds); ++i) {
    for (int convolves = 0; convolves < 2; ++convolves) {
      netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
      uint16_t left = 0, right = 0;
      store_double(NETCL_F16, &left, 0, -300);
      store_double(NETCL_F16, &right, 0, 400);
      const uint32_t rank = convolves ? 4 : 2;
      netcl_tensor* a = make_tensor(fixture->device, NETCL_F16, rank, kShape, &left);
      netcl_tensor *b = make_tensor(fixture->device, NETCL_F16, rank, kShape, &right), *y = NULL;
      netcl_run_options run = recorded(fixture);
      epilogue.activation = kKinds[i];
      if (convolves) {
        netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
        options.epilogue = &epilogue;
        OK(netcl_op_conv2d(a, b, &options, &run, &y));
      } else {
        netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
        options.epilogue = &epilogue;
        OK(netcl_op_matmul(a, b, &options, &run, &y));
      }
      netcl_tensor* made = gradient(&run, y, a);
      GIVES(y, 0);
      GIVES(made, 0);
      RELEASE(a, b, y, made);
      netcl_graph_release(run.graph);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(reductions),
      DEVICE_TEST(known_rows),
      DEVICE_TEST(logarithms),
      DEVICE_TEST(activations),
  };
  seed_random("gradients_rounded");
  return cmocka_run_group_tests_name("gradients_rounded", tests, NULL, NULL);
}
