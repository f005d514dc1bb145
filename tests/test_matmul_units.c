/* Products by matrix units: on request against double precision, chosen by rule, and refused where
 * a device has none. */
#include "support_matmul.h"
#include "support_strided.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const netcl_dtype kHalves[] = {NETCL_F16, NETCL_BF16};

static int has_units(const Fixture* fixture) {
  return fixture->capabilities.matrix_units != NETCL_MATRIX_UNITS_NONE;
}

#define NEED_UNITS(fixture) \
  if (!has_units(fixture)) SKIP("the device has no matrix units that netcl uses")

/* Where there are none the request says why. */
static void refused_without(void** state) {
  Fixture* fixture = *state;
  if (has_units(fixture)) SKIP("the device has matrix units");
  const int64_t shape[] = {64, 64};
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  Matrix a = make_matrix(fixture, NETCL_F16, 2, shape, 1);
  netcl_tensor* result = NULL;
  options.variant = NETCL_VARIANT_MATMUL_MATRIX_UNITS;
  FAILS(NETCL_ERROR_UNSUPPORTED, netcl_op_matmul(a.tensor, a.tensor, &options, NULL, &result));
  assert_null(result);
  assert_non_null(strstr(netcl_last_error_message(), "matmul_matrix_units"));
  assert_non_null(strstr(netcl_last_error_message(), "matrix units"));
  free_matrix(&a);
}

static void check_case(Fixture* fixture, const ProductCase* what) {
  CHECK(check_random_product(fixture, what), "%lld x %lld x %lld: %s", (long long)what->m,
        (long long)what->n, (long long)what->k, netcl_last_error_message());
}

static void products(Fixture* fixture, int epilogue) {
  NEED_UNITS(fixture);
  for (int round = 0; round < rounds(fixture, 120); ++round) {
    const int64_t most = round % 4 == 0 ? 9 : round % 4 == 1 ? 70 : round % 4 == 2 ? 200 : 400;
    ProductCase what = {kHalves[random_in(0, 1)],          random_in(1, most), random_in(1, most),
                        random_in(1, most),                NETCL_VARIANT_MATMUL_MATRIX_UNITS,
                        epilogue,                          (int)random_in(0, 1)};
    /* Whole rows of 16 bytes, which need no copies. */
    if (round % 3 == 0) what.n = (what.n + 7) / 8 * 8;
    if (round % 3 == 0) what.k = (what.k + 7) / 8 * 8;
    if (round % 10 == 9) what.k = random_in(1000, 4000);
    if (round % 10 == 8) what.k = 0;
    check_case(fixture, &what);
  }
}

static void plain_products(void** state) { products(*state, 0); }
static void products_with_epilogue(void** state) { products(*state, 1); }

static void edges(void** state) {
  Fixture* fixture = *state;
  NEED_UNITS(fixture);
  const int64_t extents[] = {1, 7, 8, 63, 64, 65, 127, 128, 129, 191, 193, 255, 257};
  for (size_t i = 0; i < COUNT_OF(extents); ++i) {
    for (int turn = 0; turn < 3; ++turn) {
      int64_t size[3];
      for (int d = 0; d < 3; ++d) {
        size[d] = d == turn ? extents[i] : extents[random_in(0, COUNT_OF(extents) - 1)];
      }
      ProductCase what = {kHalves[i % 2], size[0], size[1], size[2],
                          NETCL_VARIANT_MATMUL_MATRIX_UNITS, turn == 2, 1};
      check_case(fixture, &what);
    }
  }
}

static void* random_halves(netcl_dtype dtype, int64_t count) {
  void* made = malloc((size_t)count * 2);
  fill_random(dtype, made, count, 1);
  return made;
}

/* Many tiles for each group, and every tile of a large result: against the kernels that any device
 * has, whose own tests go against double precision. */
static void large(void** state) {
  Fixture* fixture = *state;
  NEED_UNITS(fixture);
  for (int round = 0; round < 4; ++round) {
    const netcl_dtype dtype = kHalves[round % 2];
    const int64_t m = random_in(1000, 3000), k = 8 * random_in(8, 60);
    const int64_t n = round < 2 ? 8 * random_in(200, 400) : random_in(1500, 3000);
    const int64_t shape_a[] = {m, k}, shape_b[] = {k, n};
    void *data_a = random_halves(dtype, m * k), *data_b = random_halves(dtype, k * n);
    netcl_tensor* a = make_tensor(fixture->device, dtype, 2, shape_a, data_a);
    netcl_tensor* b = make_tensor(fixture->device, dtype, 2, shape_b, data_b);
    netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
    netcl_tensor *ours = NULL, *portable = NULL;
    options.dtype = round % 2 == 0 ? dtype : NETCL_F32;
    options.variant = NETCL_VARIANT_MATMUL_MATRIX_UNITS;
    OK(netcl_op_matmul(a, b, &options, NULL, &ours));
    options.variant = NETCL_VARIANT_MATMUL_REGISTER_TILED;
    options.dtype = NETCL_F32;
    OK(netcl_op_matmul(a, b, &options, NULL, &portable));
    void* got = read_tensor(ours);
    float* wanted = read_tensor(portable);
    const netcl_dtype out = tensor_info(ours).dtype;
    for (int64_t i = 0; i < m * n; ++i) {
      const double x = load_double(out, got, i), y = wanted[i];
      const double bound = 4e-7 * (double)k * sqrt((double)k) + unit_roundoff(out) * fabs(y);
      CHECK(fabs(x - y) <= bound, "%s %lld x %lld x %lld: element %lld is %g, not %g",
            netcl_dtype_name(dtype), (long long)m, (long long)n, (long long)k, (long long)i, x, y);
    }
    free(got);
    free(wanted);
    free(data_a);
    free(data_b);
    netcl_tensor_release(a);
    netcl_tensor_release(b);
    netcl_tensor_release(ours);
    netcl_tensor_release(portable);
  }
}

/* Batches of two dimensions that do not continue each other, of views, one of them shared. */
static void batches(void** state) {
  Fixture* fixture = *state;
  NEED_UNITS(fixture);
  for (int round = 0; round < 12; ++round) {
    const netcl_dtype dtype = kHalves[round % 2];
    const int64_t outer = random_in(1, 4), inner = random_in(1, 5), grain = round % 3 ? 8 : 1;
    const int64_t m = random_in(1, 150), n = grain * random_in(1, 20), k = grain * random_in(1, 20);
    const int64_t a_outer = round % 4 == 1 ? 1 : outer, b_inner = round % 4 == 2 ? 1 : inner;
    const int64_t shapes[][4] = {{a_outer, inner, m, k}, {outer, b_inner, k, n},
                                 {outer, inner, m, n}};
    Strided all[3];
    void* data[3];
    for (int i = 0; i < 3; ++i) {
      data[i] = random_halves(dtype, shapes[i][0] * shapes[i][1] * shapes[i][2] * shapes[i][3]);
      all[i] = make_strided(fixture->device, dtype, 4, shapes[i], data[i]);
    }
    netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    options.variant = NETCL_VARIANT_MATMUL_MATRIX_UNITS;
    run.into = all[2].view;
    OK(netcl_op_matmul(all[0].view, all[1].view, &options, &run, NULL));
    void* got = read_tensor(all[2].view);
    for (int64_t at = 0; at < outer * inner * m * n; ++at) {
      const int64_t matrix = at / (m * n), row = at / n % m, column = at % n;
      const int64_t of_a = (matrix / inner % a_outer) * inner + matrix % inner;
      const int64_t of_b = matrix / inner * b_inner + matrix % inner % b_inner;
      double sum = 0, size = 0;
      for (int64_t p = 0; p < k; ++p) {
        const double x = load_double(dtype, data[0], (of_a * m + row) * k + p) *
                         load_double(dtype, data[1], (of_b * k + p) * n + column);
        sum += x;
        size += fabs(x);
      }
      const double value = load_double(dtype, got, at);
      const double bound = 1.2e-7 * (double)k * size + unit_roundoff(dtype) * fabs(sum) + 1e-7;
      CHECK(fabs(value - sum) <= bound, "round %d, element %lld is %g, not %g", round,
            (long long)at, value, sum);
    }
    free(got);
    for (int i = 0; i < 3; ++i) release_strided(&all[i]);
    for (int i = 0; i < 3; ++i) free(data[i]);
  }
}

/* Infinities and NaN go through the products and the epilogue; denormal numbers count. */
static void special_values(void** state) {
  Fixture* fixture = *state;
  NEED_UNITS(fixture);
  const float values[] = {NAN, INFINITY, -INFINITY, 0.0f, -0.0f, 6e-8f, -6e-8f, 65504.0f};
  const int64_t rows = COUNT_OF(values), shape_a[] = {rows, 8}, shape_b[] = {8, 72};
  unsigned char data_a[2 * 8 * 8], data_b[2 * 8 * 72];
  for (int64_t i = 0; i < rows * 8; ++i) {
    store_double(NETCL_F16, data_a, i, i % 8 == 3 ? values[i / 8] : 0);
  }
  for (int64_t i = 0; i < 8 * 72; ++i) store_double(NETCL_F16, data_b, i, 1);
  netcl_tensor* a = make_tensor(fixture->device, NETCL_F16, 2, shape_a, data_a);
  netcl_tensor* b = make_tensor(fixture->device, NETCL_F16, 2, shape_b, data_b);
  for (int relu = 0; relu < 2; ++relu) {
    netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
    netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
    netcl_tensor* result = NULL;
    epilogue.activation = relu ? NETCL_ACTIVATION_RELU : NETCL_ACTIVATION_NONE;
    options.epilogue = &epilogue;
    options.variant = NETCL_VARIANT_MATMUL_MATRIX_UNITS;
    OK(netcl_op_matmul(a, b, &options, NULL, &result));
    void* got = read_tensor(result);
    for (int64_t i = 0; i < rows * 72; ++i) {
      const double x = load_double(NETCL_F16, data_a, i / 72 * 8 + 3);
      const double wanted = relu && x <= 0 ? 0 : x, value = load_double(NETCL_F16, got, i);
      CHECK(isnan(wanted) ? isnan(value) : value == wanted, "%g became %g", x, value);
    }
    free(got);
    netcl_tensor_release(result);
  }
  netcl_tensor_release(a);
  netcl_tensor_release(b);
}

/* sum and size of the products of a row of a and a column of b; values[i] are m x k and k x n. */
static double exact(const float* a, const float* b, int64_t n, int64_t k, int64_t row,
                    int64_t column, double* size) {
  double sum = 0;
  *size = 0;
  for (int64_t p = 0; p < k; ++p) {
    const double x = (double)a[row * k + p] * b[p * n + column];
    sum += x;
    *size += fabs(x);
  }
  return sum;
}

/* f32 by tf32 and taken apart, of operands that lie in any way. `spread`: powers of two that the
 * elements range over. Where there are no units both are the strict product. */
static void check_precision(Fixture* fixture, netcl_precision precision, netcl_variant variant,
                            int64_t m, int64_t n, int64_t k, int spread) {
  const int64_t shape_a[] = {m, k}, shape_b[] = {k, n}, shape_c[] = {m, n};
  float *a = malloc((size_t)(m * k) * 4), *b = malloc((size_t)(k * n) * 4);
  float* c = calloc((size_t)(m * n), 4);
  for (int64_t i = 0; i < m * k; ++i) {
    a[i] = (float)ldexp(random_real(-1, 1), (int)random_in(-spread, spread));
  }
  for (int64_t i = 0; i < k * n; ++i) {
    b[i] = (float)ldexp(random_real(-1, 1), (int)random_in(-spread, spread));
  }
  Strided all[3] = {make_strided(fixture->device, NETCL_F32, 2, shape_a, a),
                    make_strided(fixture->device, NETCL_F32, 2, shape_b, b),
                    make_strided(fixture->device, NETCL_F32, 2, shape_c, c)};
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  options.precision = precision;
  options.variant = variant;
  run.into = all[2].view;
  OK(netcl_op_matmul(all[0].view, all[1].view, &options, &run, NULL));
  float* got = read_tensor(all[2].view);
  const double more = precision == NETCL_PRECISION_TF32 ? ldexp(1, -10) : ldexp(1, -21);
  double worst = 0;
  for (int64_t i = 0; i < m * n; ++i) {
    double size;
    const double sum = exact(a, b, n, k, i / n, i % n, &size);
    const double bound = (1.2e-7 * (double)k + more) * size + 1e-37;
    if (fabs(got[i] - sum) / bound > worst) worst = fabs(got[i] - sum) / bound;
    CHECK(fabs(got[i] - sum) <= bound,
          "precision %d, %lld x %lld x %lld: element %lld is %.9g, not %.9g", precision,
          (long long)m, (long long)n, (long long)k, (long long)i, got[i], sum);
  }
  print_message("precision %d, %lld x %lld x %lld: %.3f of the bound\n", precision, (long long)m,
                (long long)n, (long long)k, worst);
  free(got);
  for (int i = 0; i < 3; ++i) release_strided(&all[i]);
  free(a);
  free(b);
  free(c);
}

static void precisions(void** state) {
  Fixture* fixture = *state;
  const int units = has_units(fixture);
  const netcl_variant variant = units ? NETCL_VARIANT_MATMUL_MATRIX_UNITS : 0;
  for (netcl_precision p = NETCL_PRECISION_TF32; p <= NETCL_PRECISION_SPLIT; ++p) {
    for (int round = 0; round < 6; ++round) {
      check_precision(fixture, p, variant, random_in(1, 150), random_in(1, 150), random_in(1, 200),
                      round % 2 ? 0 : 30);
    }
    check_precision(fixture, p, variant, 64, 64, 16, 0);
    check_precision(fixture, p, 0, 300, 260, 270, 10);
  }
}

/* Infinities stay what they are although a zero may stand for a part of the other operand. */
static void infinities(void** state) {
  Fixture* fixture = *state;
  const int units = has_units(fixture);
  const int64_t shape[] = {16, 16};
  float a[256], b[256];
  for (int i = 0; i < 256; ++i) {
    a[i] = i / 16 == i % 16 ? 1 : 0;
    b[i] = (float)(i % 16);
  }
  a[3 * 16 + 3] = INFINITY;
  a[4 * 16 + 4] = NAN;
  a[5 * 16 + 5] = 3e38f;
  for (int j = 0; j < 16; ++j) b[3 * 16 + j] = (float)(j + 1);
  netcl_tensor* x = make_tensor(fixture->device, NETCL_F32, 2, shape, a);
  netcl_tensor* y = make_tensor(fixture->device, NETCL_F32, 2, shape, b);
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_tensor* result = NULL;
  options.precision = NETCL_PRECISION_SPLIT;
  options.variant = units ? NETCL_VARIANT_MATMUL_MATRIX_UNITS : 0;
  OK(netcl_op_matmul(x, y, &options, NULL, &result));
  float* got = read_tensor(result);
  for (int i = 0; i < 256; ++i) {
    const int row = i / 16;
    const float wanted = a[row * 16 + row] * b[i];
    CHECK(isnan(wanted) ? isnan(got[i]) : fabsf(got[i] - wanted) <= 1e-6f * fabsf(wanted) ||
          got[i] == wanted, "element %d is %g, not %g", i, got[i], wanted);
  }
  free(got);
  netcl_tensor_release(result);
  netcl_tensor_release(x);
  netcl_tensor_release(y);
}

static void precision_errors(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {8, 8};
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_tensor* result = NULL;
  Matrix wide = make_matrix(fixture, NETCL_F32, 2, shape, 1);
  Matrix half = make_matrix(fixture, NETCL_F16, 2, shape, 1);
  options.precision = 3;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->precision is 3",
             netcl_op_matmul(wide.tensor, wide.tensor, &options, NULL, &result));
  options.precision = NETCL_PRECISION_TF32;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->precision is TF32 and a is f16",
             netcl_op_matmul(half.tensor, half.tensor, &options, NULL, &result));
  assert_null(result);
  free_matrix(&wide);
  free_matrix(&half);
}

/* The same bits each time, with and without pieces of the depth. */
static void repeatable(void** state) {
  Fixture* fixture = *state;
  NEED_UNITS(fixture);
  for (int round = 0; round < 2; ++round) {
    const int64_t k = round == 0 ? 320 : 6000, shape_a[] = {200, k}, shape_b[] = {k, 136};
    Matrix a = make_matrix(fixture, NETCL_BF16, 2, shape_a, 1);
    Matrix b = make_matrix(fixture, NETCL_BF16, 2, shape_b, 1);
    netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
    void* bits = NULL;
    options.variant = NETCL_VARIANT_MATMUL_MATRIX_UNITS;
    for (int turn = 0; turn < 5; ++turn) {
      netcl_tensor* result = NULL;
      OK(netcl_op_matmul(a.tensor, b.tensor, &options, NULL, &result));
      if (turn == 0) bits = read_tensor(result);
      CHECK_TENSOR(result, bits);
      netcl_tensor_release(result);
    }
    free(bits);
    free_matrix(&a);
    free_matrix(&b);
  }
}

static netcl_variant_config choice(Fixture* fixture, netcl_matrix_units units, netcl_dtype dtype,
                                   int64_t m, int64_t n, int64_t k) {
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  netcl_device_capabilities capabilities = NETCL_DEVICE_CAPABILITIES_INIT;
  netcl_variant_options options = record_hopper(&info, &capabilities, units);
  netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
  options.dtype = dtype;
  OK(netcl_variant_select_matmul(fixture->device, m, n, k, &options, &config));
  return config;
}

/* The rule on a recorded device. */
static void chosen_by_rule(void** state) {
  Fixture* fixture = *state;
  for (size_t d = 0; d < COUNT_OF(kHalves); ++d) {
    const netcl_variant_config large =
        choice(fixture, NETCL_MATRIX_UNITS_WGMMA, kHalves[d], 8192, 8192, 8192);
    assert_int_equal(large.variant, NETCL_VARIANT_MATMUL_MATRIX_UNITS);
    assert_int_equal(large.tile_m, 128);
    assert_int_equal(large.tile_n, 256);
    assert_int_equal(large.split_k, 1);
    assert_string_equal(large.kernel, "netcl_matmul_matrix_units");
    /* Few tiles share their depth; tiny products and odd rows that are small are others' work. */
    assert_true(choice(fixture, NETCL_MATRIX_UNITS_WGMMA, kHalves[d], 64, 64, 65536).split_k > 8);
    assert_int_not_equal(choice(fixture, NETCL_MATRIX_UNITS_WGMMA, kHalves[d], 32, 32, 32).variant,
                         NETCL_VARIANT_MATMUL_MATRIX_UNITS);
    assert_int_not_equal(
        choice(fixture, NETCL_MATRIX_UNITS_WGMMA, kHalves[d], 201, 201, 201).variant,
        NETCL_VARIANT_MATMUL_MATRIX_UNITS);
    assert_int_not_equal(
        choice(fixture, NETCL_MATRIX_UNITS_NONE, kHalves[d], 512, 512, 512).variant,
        NETCL_VARIANT_MATMUL_MATRIX_UNITS);
  }
  assert_int_not_equal(choice(fixture, NETCL_MATRIX_UNITS_WGMMA, NETCL_F32, 512, 512, 512).variant,
                       NETCL_VARIANT_MATMUL_MATRIX_UNITS);
  assert_int_equal(choice(fixture, NETCL_MATRIX_UNITS_WGMMA, NETCL_I8, 2048, 2048, 2048).variant,
                   NETCL_VARIANT_MATMUL_MATRIX_UNITS);
  assert_int_equal(choice(fixture, NETCL_MATRIX_UNITS_WGMMA, NETCL_U8, 2048, 2048, 2048).tile_k,
                   128);
  if (fixture->capabilities.matrix_units == NETCL_MATRIX_UNITS_NONE) return;
  netcl_variant_options options = NETCL_VARIANT_OPTIONS_INIT;
  netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
  options.dtype = NETCL_F16;
  OK(netcl_variant_select_matmul(fixture->device, 1024, 1024, 1024, &options, &config));
  assert_int_equal(config.variant, NETCL_VARIANT_MATMUL_MATRIX_UNITS);
}

static void refusals(void** state) {
  Fixture* fixture = *state;
  NEED_UNITS(fixture);
  const int64_t shape[] = {64, 64};
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_tensor* result = NULL;
  Matrix a = make_matrix(fixture, NETCL_F32, 2, shape, 1);
  options.variant = NETCL_VARIANT_MATMUL_MATRIX_UNITS;
  FAILS(NETCL_ERROR_UNSUPPORTED, netcl_op_matmul(a.tensor, a.tensor, &options, NULL, &result));
  assert_non_null(strstr(netcl_last_error_message(), "options->precision TF32 or SPLIT"));
  free_matrix(&a);
  netcl_kernel* kernel = NULL;
  netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
  uint64_t global[2];
  config.variant = NETCL_VARIANT_MATMUL_MATRIX_UNITS;
  FAILS(NETCL_ERROR_UNSUPPORTED,
        netcl_kernel_create_matmul(fixture->device, "product", 512, 512, 512, NETCL_F16, &config,
                                   global, &kernel));
  OK(netcl_kernel_create_matmul(fixture->device, "product", 512, 512, 512, NETCL_F16, NULL, global,
                                &kernel));
  netcl_kernel_release(kernel);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(plain_products), DEVICE_TEST(products_with_epilogue),
      DEVICE_TEST(edges),          DEVICE_TEST(large),
      DEVICE_TEST(batches),        DEVICE_TEST(special_values),
      DEVICE_TEST(repeatable),     DEVICE_TEST(chosen_by_rule),
      DEVICE_TEST(refusals),       DEVICE_TEST(precisions),
      DEVICE_TEST(infinities),     DEVICE_TEST(precision_errors),
      DEVICE_TEST(refused_without)};
  seed_random("matmul_units");
  return cmocka_run_group_tests_name("matmul_units", tests, NULL, NULL);
}
