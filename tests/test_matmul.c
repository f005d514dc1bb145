/* Matrix products against double precision, with the error bound that the header states. */
#include <math.h>

#include "support_matmul.h"
#include "support_strided.h"

static void random_products(void **state) {
  Fixture *fixture = *state;
  for (int round = 0; round < rounds(fixture, 300); ++round) {
    const int64_t most = round % 3 == 0 ? 8 : 70;
    const ProductCase what = {random_matrix_dtype(fixture), random_in(1, most), random_in(1, most),
                              random_in(round % 10 == 0 ? 0 : 1, most), 0,
                              fixture->opencl ? round % 6 == 0 : round % 2,
                              random_in(0, 2) == 0};
    assert_true(check_random_product(fixture, &what));
  }
}

/* Sizes around the tiles of any blocking, and thin ones. */
static void edge_sizes(void **state) {
  Fixture *fixture = *state;
  const int64_t sizes[][3] = {{1, 1, 1}, {1, 300, 5}, {300, 1, 5}, {1, 1, 2000}, {2, 3, 1},
                              {127, 129, 65}, {128, 128, 128}, {256, 33, 17}, {5, 257, 300},
                              {130, 66, 260}, {0, 5, 3}, {5, 0, 3}, {4, 4, 0}};
  for (size_t i = 0; i < COUNT_OF(sizes); ++i) {
    for (netcl_dtype dtype = NETCL_F16; dtype <= NETCL_F64; ++dtype) {
      if (dtype == NETCL_F64 && !fixture->capabilities.fp64) continue;
      const ProductCase what = {dtype, sizes[i][0], sizes[i][1], sizes[i][2], 0,
                                !fixture->opencl && random_in(0, 1), random_in(0, 2) == 0};
      assert_true(check_random_product(fixture, &what));
    }
  }
}

/* Ranks 1 to 5, with leading dimensions that broadcast. */
static void ranks(void **state) {
  Fixture *fixture = *state;
  struct Case {
    uint32_t rank_a, rank_b, rank_c;
    int64_t a[5], b[5], c[5];
  } cases[] = {
      {1, 1, 0, {7}, {7}, {0}},
      {1, 2, 1, {7}, {7, 3}, {3}},
      {2, 1, 1, {4, 7}, {7}, {4}},
      {3, 1, 2, {5, 4, 7}, {7}, {5, 4}},
      {1, 3, 2, {7}, {5, 7, 3}, {5, 3}},
      {2, 3, 3, {4, 7}, {5, 7, 3}, {5, 4, 3}},
      {4, 3, 4, {2, 1, 4, 7}, {5, 7, 3}, {2, 5, 4, 3}},
      {5, 2, 5, {2, 1, 3, 4, 7}, {7, 3}, {2, 1, 3, 4, 3}},
      {3, 3, 3, {0, 4, 7}, {1, 7, 3}, {0, 4, 3}},
  };
  for (size_t i = 0; i < COUNT_OF(cases); ++i) {
    Matrix a = make_matrix(fixture, NETCL_F32, cases[i].rank_a, cases[i].a, 0);
    Matrix b = make_matrix(fixture, NETCL_F32, cases[i].rank_b, cases[i].b, 0);
    netcl_tensor *result = NULL;
    OK(netcl_op_matmul(a.tensor, b.tensor, NULL, NULL, &result));
    const netcl_tensor_info info = tensor_info(result);
    CHECK(info.rank == cases[i].rank_c, "case %zu has rank %u", i, info.rank);
    for (uint32_t d = 0; d < info.rank; ++d) {
      CHECK(info.shape[d] == cases[i].c[d], "case %zu: extent %u is %lld", i, d,
            (long long)info.shape[d]);
    }
    float *got = read_tensor(result);
    /* The reference walks the result and works out where each operand's row and column lie. */
    const int64_t m = cases[i].rank_a == 1 ? 1 : cases[i].a[cases[i].rank_a - 2];
    const int64_t n = cases[i].rank_b == 1 ? 1 : cases[i].b[cases[i].rank_b - 1];
    const int64_t lead_a = cases[i].rank_a > 2 ? product(cases[i].rank_a - 2, cases[i].a) : 1;
    const int64_t lead_b = cases[i].rank_b > 2 ? product(cases[i].rank_b - 2, cases[i].b) : 1;
    const int64_t lead = info.element_count / (m * n);
    for (int64_t at = 0; at < info.element_count; ++at) {
      const int64_t x = at / (m * n), row = at / n % m, column = at % n;
      /* In these cases the leading dimensions are one block each, or all of the result's. */
      const int64_t xa = lead_a == lead ? x : lead_a == 1 ? 0 : x / lead_b;
      const int64_t xb = lead_b == lead ? x : lead_b == 1 ? 0 : x % lead_b;
      double sum = 0;
      for (int64_t p = 0; p < 7; ++p) {
        sum += (double)(matrix_element(&a.model, (xa * m + row) * 7 + p) *
                        matrix_element(&b.model, (xb * 7 + p) * n + column));
      }
      CHECK(fabs(got[at] - sum) <= 1e-5, "case %zu, element %lld: %g, not %g", i, (long long)at,
            got[at], sum);
    }
    free(got);
    netcl_tensor_release(result);
    free_matrix(&a);
    free_matrix(&b);
  }
}

/* beta = 0 does not read into: NaN there must not come through, for k = 0 and alpha = 0 too. */
static void beta_zero(void **state) {
  Fixture *fixture = *state;
  for (netcl_dtype dtype = NETCL_F16; dtype <= NETCL_F64; ++dtype) {
    if (dtype == NETCL_F64 && !fixture->capabilities.fp64) continue;
    for (int kind = 0; kind < 4; ++kind) {
      const int64_t k = kind == 1 ? 0 : 9;
      const int64_t shape_a[] = {1, 6, k}, shape_b[] = {1, k, 5}, shape_c[] = {1, 6, 5};
      Matrix a = make_matrix(fixture, dtype, 3, shape_a, 1);
      Matrix b = make_matrix(fixture, dtype, 3, shape_b, 1);
      netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
      netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
      netcl_tensor *into = NULL;
      uint64_t nan_bits = 0;
      store_double(dtype, &nan_bits, 0, NAN);
      OK(netcl_tensor_create_full(fixture->device, dtype, 3, shape_c, NULL, &nan_bits, NULL,
                                  &into));
      run.into = into;
      options.has_scale = kind >= 2;
      options.alpha = kind == 3 ? 1.5 : 0;
      OK(netcl_op_matmul(a.tensor, b.tensor, &options, &run, NULL));
      void *got = read_tensor(into);
      for (int64_t i = 0; i < 30; ++i) {
        long double wanted = 0;
        for (int64_t p = 0; p < k; ++p) {
          wanted += matrix_element(&a.model, i / 5 * k + p) *
                    matrix_element(&b.model, p * 5 + i % 5);
        }
        wanted *= kind == 2 ? 0 : kind == 3 ? 1.5 : 1;
        const double value = load_double(dtype, got, i);
        CHECK(fabs(value - (double)wanted) <= 0.1, "kind %d, element %lld: %g, not %g", kind,
              (long long)i, value, (double)wanted);
      }
      free(got);
      netcl_tensor_release(into);
      free_matrix(&a);
      free_matrix(&b);
    }
  }
}

/* The same input gives the same bits, run after run. */
static void repeatable(void **state) {
  Fixture *fixture = *state;
  const int64_t shape_a[] = {200, 300}, shape_b[] = {300, 150};
  Matrix a = make_matrix(fixture, NETCL_F32, 2, shape_a, 0);
  Matrix b = make_matrix(fixture, NETCL_F32, 2, shape_b, 0);
  netcl_tensor *first = NULL;
  OK(netcl_op_matmul(a.tensor, b.tensor, NULL, NULL, &first));
  void *bits = read_tensor(first);
  for (int i = 0; i < 5; ++i) {
    netcl_tensor *again = NULL;
    OK(netcl_op_matmul(a.tensor, b.tensor, NULL, NULL, &again));
    CHECK_TENSOR(again, bits);
    netcl_tensor_release(again);
  }
  free(bits);
  netcl_tensor_release(first);
  free_matrix(&a);
  free_matrix(&b);
}

/* Many small matrices: the built-in device spreads the batch over its threads. */
static void small_batches(void **state) {
  Fixture *fixture = *state;
  const int64_t shape_a[] = {3, 500, 4, 5}, shape_b[] = {500, 5, 6};
  Matrix a = make_matrix(fixture, NETCL_F32, 4, shape_a, 0);
  Matrix b = make_matrix(fixture, NETCL_F32, 3, shape_b, 0);
  netcl_tensor *result = NULL;
  OK(netcl_op_matmul(a.tensor, b.tensor, NULL, NULL, &result));
  float *got = read_tensor(result);
  for (int64_t i = 0; i < 3 * 500 * 24; ++i) {
    double wanted = 0;
    for (int64_t p = 0; p < 5; ++p) {
      wanted += (double)(matrix_element(&a.model, i / 6 * 5 + p) *
                         matrix_element(&b.model, (i / 24 % 500 * 5 + p) * 6 + i % 6));
    }
    CHECK(fabs(got[i] - wanted) <= 1e-5, "element %lld: %g, not %g", (long long)i, got[i], wanted);
  }
  free(got);
  netcl_tensor_release(result);
  free_matrix(&a);
  free_matrix(&b);
}

static double *matrix_elements(const Matrix *matrix, int64_t count) {
  double *values = malloc((size_t)count * sizeof *values);
  assert_non_null(values);
  for (int64_t i = 0; i < count; ++i) values[i] = (double)matrix_element(&matrix->model, i);
  return values;
}

/* So many matrices that each group of an OpenCL device that is a CPU does a whole product, with
 * rows, columns and depth in several blocks. */
static void whole_products(void **state) {
  enum { M = 263, N = 70, K = 517 };
  Fixture *fixture = *state;
  const int64_t units = fixture->capabilities.compute_units;
  const int64_t batch = units <= 16 ? 4 * units : 64;
  const int64_t shape_a[] = {batch, K, M}, shape_b[] = {batch, K, N};
  const uint32_t turned[] = {0, 2, 1};
  Matrix a = make_matrix(fixture, NETCL_F32, 3, shape_a, 1);
  Matrix b = make_matrix(fixture, NETCL_F32, 3, shape_b, 1);
  double *x = matrix_elements(&a, batch * K * M);
  double *y = matrix_elements(&b, batch * K * N);
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_tensor *left = NULL, *result = NULL;
  options.variant = NETCL_VARIANT_MATMUL_REGISTER_TILED;
  OK(netcl_tensor_permute(a.tensor, turned, 3, &left));
  OK(netcl_op_matmul(left, b.tensor, &options, NULL, &result));
  float *got = read_tensor(result);
  for (int64_t i = 0; i < batch * M * N; i += random_in(1, 20)) {
    const double *row = x + i / N / M * K * M + i / N % M;
    const double *column = y + i / N / M * K * N + i % N;
    double wanted = 0, size = 0;
    for (int p = 0; p < K; ++p) {
      wanted += row[p * M] * column[p * N];
      size += fabs(row[p * M] * column[p * N]);
    }
    CHECK(fabs(got[i] - wanted) <= 1e-6 * size, "element %lld: %g, not %g", (long long)i, got[i],
          wanted);
  }
  free(x);
  free(y);
  free(got);
  netcl_tensor_release(left);
  netcl_tensor_release(result);
  free_matrix(&a);
  free_matrix(&b);
}

static netcl_status activate(void *context, netcl_activation activation, netcl_tensor **result) {
  netcl_tensor **const inputs = context;
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  epilogue.activation = activation;
  options.epilogue = &epilogue;
  return netcl_op_matmul(inputs[0], inputs[1], &options, NULL, result);
}

static void activation_defaults(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {1, 1}, row[] = {1, ACTIVATED};
  const float one = 1;
  netcl_tensor *inputs[] = {make_tensor(fixture->device, NETCL_F32, 2, shape, &one),
                            make_tensor(fixture->device, NETCL_F32, 2, row, kActivated)};
  check_activation_defaults(activate, inputs, "options->epilogue");
  for (size_t i = 0; i < COUNT_OF(inputs); ++i) netcl_tensor_release(inputs[i]);
}

/* Each message names the two things that disagree. */
static void epilogue_errors(void **state) {
  Fixture *fixture = *state;
  const int64_t m23[] = {2, 3}, m34[] = {3, 4}, m24[] = {2, 4}, m42[] = {4, 2}, v3[] = {3};
  netcl_device *d = fixture->device;
  netcl_tensor *a, *b, *into, *column, *row, *whole, *result = NULL;
  OK(netcl_tensor_create_zeros(d, NETCL_F32, 2, m23, NULL, NULL, &a));
  OK(netcl_tensor_create_zeros(d, NETCL_F32, 2, m34, NULL, NULL, &b));
  OK(netcl_tensor_create_zeros(d, NETCL_F32, 2, m24, NULL, NULL, &into));
  OK(netcl_tensor_create_zeros(d, NETCL_F32, 2, m42, NULL, NULL, &column));
  OK(netcl_tensor_create_zeros(d, NETCL_F32, 1, v3, NULL, NULL, &row));
  OK(netcl_tensor_create_zeros(d, NETCL_I32, 2, m24, NULL, NULL, &whole));
  const netcl_status invalid = NETCL_ERROR_INVALID_ARGUMENT;
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  options.epilogue = &epilogue;
  epilogue.bias = row;
  FAILS_WITH(invalid, "bias has shape [3], which does not broadcast to the result's [2, 4]",
             netcl_op_matmul(a, b, &options, NULL, &result));
  epilogue.bias = whole;
  FAILS_WITH(invalid, "bias is i32; a is f32", netcl_op_matmul(a, b, &options, NULL, &result));
  epilogue.bias = into;
  run.into = into;
  FAILS_WITH(invalid, "shares its memory with options->epilogue->bias",
             netcl_op_matmul(a, b, &options, &run, &result));
  epilogue.bias = NULL;
  epilogue.residual = column;
  FAILS_WITH(invalid, "residual has shape [4, 2]; the result has [2, 4]",
             netcl_op_matmul(a, b, &options, NULL, &result));
  epilogue.residual = whole;
  FAILS_WITH(invalid, "residual is i32", netcl_op_matmul(a, b, &options, NULL, &result));
  epilogue.residual = NULL;
  epilogue.activation = 13;
  FAILS_WITH(invalid, "activation is 13", netcl_op_matmul(a, b, &options, NULL, &result));
  epilogue.activation = 0;
  epilogue.has_parameters = 2;
  FAILS_WITH(invalid, "has_parameters is 2", netcl_op_matmul(a, b, &options, NULL, &result));
  epilogue.has_parameters = 0;
  options.variant = NETCL_VARIANT_CONV2D_NAIVE;
  FAILS_WITH(invalid, "options->variant is conv2d_naive (17); matmul takes matmul_naive",
             netcl_op_matmul(a, b, &options, NULL, &result));
  options.variant = 99;
  FAILS_WITH(invalid, "99", netcl_op_matmul(a, b, &options, NULL, &result));
  assert_null(result);
  netcl_tensor *const all[] = {a, b, into, column, row, whole};
  for (size_t i = 0; i < COUNT_OF(all); ++i) netcl_tensor_release(all[i]);
}

static void errors(void **state) {
  Fixture *fixture = *state;
  const int64_t m23[] = {2, 3}, m34[] = {3, 4}, m44[] = {4, 4}, b223[] = {2, 2, 3},
                b334[] = {3, 3, 4}, m24[] = {2, 4};
  netcl_tensor *a, *b, *wrong, *batch_a, *batch_b, *whole, *scalar, *into, *result = NULL;
  netcl_device *d = fixture->device;
  OK(netcl_tensor_create_zeros(d, NETCL_F32, 2, m23, NULL, NULL, &a));
  OK(netcl_tensor_create_zeros(d, NETCL_F32, 2, m34, NULL, NULL, &b));
  OK(netcl_tensor_create_zeros(d, NETCL_F32, 2, m44, NULL, NULL, &wrong));
  OK(netcl_tensor_create_zeros(d, NETCL_F32, 3, b223, NULL, NULL, &batch_a));
  OK(netcl_tensor_create_zeros(d, NETCL_F32, 3, b334, NULL, NULL, &batch_b));
  OK(netcl_tensor_create_zeros(d, NETCL_I32, 2, m34, NULL, NULL, &whole));
  OK(netcl_tensor_create_zeros(d, NETCL_F32, 0, NULL, NULL, NULL, &scalar));
  OK(netcl_tensor_create_zeros(d, NETCL_F32, 2, m24, NULL, NULL, &into));
  const netcl_status invalid = NETCL_ERROR_INVALID_ARGUMENT;
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  FAILS_WITH(invalid, "3", netcl_op_matmul(a, wrong, NULL, NULL, &result));
  FAILS(invalid, netcl_op_matmul(batch_a, batch_b, NULL, NULL, &result));
  FAILS_WITH(invalid, "i32", netcl_op_matmul(a, whole, NULL, NULL, &result));
  const netcl_status status = netcl_op_matmul(whole, whole, NULL, NULL, &result);
  CHECK(status == invalid || status == NETCL_ERROR_UNSUPPORTED, "i32: %s",
        netcl_status_name(status));
  FAILS(invalid, netcl_op_matmul(scalar, b, NULL, NULL, &result));
  FAILS(invalid, netcl_op_matmul(a, scalar, NULL, NULL, &result));
  FAILS(invalid, netcl_op_matmul(a, b, NULL, NULL, NULL));
  options.has_scale = 1;
  options.beta = 1;
  FAILS_WITH(invalid, "beta", netcl_op_matmul(a, b, &options, NULL, &result));
  options.has_scale = 0;
  options.beta = 0;
  options.dtype = NETCL_F64;
  FAILS_WITH(invalid, "options->dtype is f64; the product of f32 gives f32",
             netcl_op_matmul(a, b, &options, NULL, &result));
  run.into = whole;
  FAILS_WITH(invalid, "run->into is i32; the product of f32 gives f32",
             netcl_op_matmul(a, b, NULL, &run, &result));
  run.into = NULL;
  options.dtype = 999;
  FAILS_WITH(invalid, "999", netcl_op_matmul(a, b, &options, NULL, &result));
  run.into = wrong;
  FAILS_WITH(invalid, "into", netcl_op_matmul(a, b, NULL, &run, NULL));
  run.into = b;  /* b is 3 x 4: 3 x 3 times it has its shape, and shares its memory. */
  netcl_tensor *square = NULL;
  const int64_t m33[] = {3, 3};
  OK(netcl_tensor_create_zeros(d, NETCL_F32, 2, m33, NULL, NULL, &square));
  FAILS_WITH(invalid, "into", netcl_op_matmul(square, b, NULL, &run, NULL));
  assert_null(result);
  run.into = into;
  OK(netcl_op_matmul(a, b, NULL, &run, &result));
  netcl_tensor *const all[] = {a, b, wrong, batch_a, batch_b, whole, scalar, into, result, square};
  for (size_t i = 0; i < COUNT_OF(all); ++i) netcl_tensor_release(all[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(random_products),     DEVICE_TEST(edge_sizes), DEVICE_TEST(ranks),
      DEVICE_TEST(beta_zero),           DEVICE_TEST(repeatable), DEVICE_TEST(small_batches),
      DEVICE_TEST(whole_products),      DEVICE_TEST(errors),     DEVICE_TEST(epilogue_errors),
      DEVICE_TEST(activation_defaults), DEVICE_TEST(as_kernels),
  };
  seed_random("matmul");
  return cmocka_run_group_tests_name("matmul", tests, NULL, NULL);
}
