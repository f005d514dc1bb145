/* Determinants of models: of random matrices, of those with equal rows and of permutations, against
 * elimination in double precision. */
#include <math.h>
#include <stdio.h>

#include "support_graph.h"
#include "support_onnx.h"

enum { N_MOST = 12 };

static double det_of(double *a, int64_t n) {
  double det = 1;
  for (int64_t k = 0; k < n; ++k) {
    int64_t pivot = k;
    for (int64_t r = k; r < n; ++r) {
      if (fabs(a[r * n + k]) > fabs(a[pivot * n + k])) pivot = r;
    }
    if (a[pivot * n + k] == 0) return 0;
    if (pivot != k) det = -det;
    for (int64_t c = 0; c < n; ++c) {
      const double kept = a[k * n + c];
      a[k * n + c] = a[pivot * n + c];
      a[pivot * n + c] = kept;
    }
    det *= a[k * n + k];
    for (int64_t r = k + 1; r < n; ++r) {
      const double factor = a[r * n + k] / a[k * n + k];
      for (int64_t c = k; c < n; ++c) a[r * n + c] -= factor * a[k * n + c];
    }
  }
  return det;
}

/* Permutations have exact determinants; two equal rows have 0. */
static void fill_matrix(double *a, int64_t n, int kind) {
  int64_t order[N_MOST];
  for (int64_t i = 0; i < n; ++i) order[i] = i;
  for (int64_t i = n; i-- > 1;) {
    const int64_t other = random_in(0, i), kept = order[i];
    order[i] = order[other];
    order[other] = kept;
  }
  for (int64_t i = 0; i < n * n; ++i) {
    a[i] = kind == 0 ? (double)(float)random_real(-1, 1) : i % n == order[i / n];
  }
  if (kind == 2 && n > 1) memcpy(a + (n - 1) * n, a, (size_t)n * sizeof *a);
}

static void check_det(Fixture *fixture, netcl_dtype dtype, int kind) {
  const int64_t n = random_in(1, N_MOST), shape[4] = {2, random_in(1, 2), n, n};
  const int64_t count = shape[0] * shape[1];
  double a[4 * N_MOST * N_MOST];
  unsigned char bytes[sizeof a];
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", dtype, NULL);
  onnx_output(&graph, "y", dtype, NULL);
  onnx_node(&graph, "Det", "d", "x", "y", NULL);
  netcl_model *model = onnx_load(fixture, &graph, 13);
  for (int64_t i = 0; i < count; ++i) fill_matrix(a + i * n * n, n, kind);
  for (int64_t i = 0; i < count * n * n; ++i) {
    store_double(dtype, bytes, i, a[i]);
    a[i] = load_double(dtype, bytes, i);
  }
  netcl_tensor *x = make_tensor(fixture->device, dtype, 4, shape, bytes);
  netcl_tensor *y = onnx_run(model, &x, 1);
  assert_int_equal(tensor_info(y).rank, 2);
  assert_int_equal(tensor_info(y).shape[1], shape[1]);
  void *got = read_tensor(y);
  for (int64_t i = 0; i < count; ++i) {
    const double wanted = det_of(a + i * n * n, n), value = load_double(dtype, got, i);
    const double unit = dtype == NETCL_F16 ? 2e-3 : dtype == NETCL_F64 ? 1e-12 : 1e-4;
    const double bound = kind == 0 ? unit : 0;
    CHECK(fabs(value - wanted) <= bound * (1 + fabs(wanted)), "%s, %d rows: %.9g, expected %.9g",
          netcl_dtype_name(dtype), (int)n, value, wanted);
  }
  free(got);
  RELEASE(x, y);
  netcl_model_release(model);
}

static void determinants(void **state) {
  Fixture *fixture = *state;
  const netcl_dtype dtypes[] = {NETCL_F32, NETCL_F64, NETCL_F16};
  for (int i = 0; i < 18; ++i) {
    if (dtypes[i % 3] == NETCL_F64 && !fixture->capabilities.fp64) continue;
    check_det(fixture, dtypes[i % 3], i / 3 % 3);
  }
}

static void misfits(void **state) {
  Fixture *fixture = *state;
  const int64_t shapes[2][2] = {{2, 3}, {65, 65}};
  for (int i = 0; i < 2; ++i) {
    netcl_tensor *x = NULL, *y = NULL;
    uint32_t count = 0;
    OnnxBytes graph = {0};
    onnx_input(&graph, "x", NETCL_F32, NULL);
    onnx_output(&graph, "y", NETCL_F32, NULL);
    onnx_node(&graph, "Det", "d", "x", "y", NULL);
    netcl_model *model = onnx_load(fixture, &graph, 13);
    OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, shapes[i], NULL, NULL, &x));
    FAILS_WITH(i ? NETCL_ERROR_UNSUPPORTED : NETCL_ERROR_INVALID_ARGUMENT,
               i ? "[65, 65]" : "[2, 3]", netcl_model_evaluate(model, &x, 1, NULL, &y, 1, &count));
    assert_null(y);
    netcl_tensor_release(x);
    netcl_model_release(model);
  }
}

int main(void) {
  seed_random("model_det");
  const struct CMUnitTest tests[] = {DEVICE_TEST(determinants), DEVICE_TEST(misfits)};
  compile_quickly();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
