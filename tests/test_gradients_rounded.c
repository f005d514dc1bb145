/* Gradients do not suffer from results that were rounded: an error of the result in an exponent, a
 * comparison or a divisor is none of the gradient. */
#include <math.h>
#include <stdio.h>

#include "support_graph.h"

enum { kMost = 48 };

static const netcl_dtype kFloats[] = {NETCL_F16, NETCL_BF16, NETCL_F32, NETCL_F64};

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
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(reductions),
  };
  seed_random("gradients_rounded");
  return cmocka_run_group_tests_name("gradients_rounded", tests, NULL, NULL);
}
