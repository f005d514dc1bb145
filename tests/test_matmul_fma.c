/* Strict products in f32 by the kernel in PTX that multiplies by items: chosen by rule, and beside
 * the kernels that any device has, whose own tests go against double precision. The factors are
 * small whole numbers, so that all sums are exact. */
#include "support_matmul.h"
#include "support_strided.h"

#include <math.h>
#include <string.h>

#define NEED_PTX(fixture)                                           \
  if ((fixture)->capabilities.matrix_units == NETCL_MATRIX_UNITS_NONE) \
  SKIP("the device takes no kernels in PTX")

static float *whole_numbers(int64_t count) {
  float *made = malloc((size_t)count * sizeof *made);
  for (int64_t i = 0; i < count; ++i) made[i] = (float)random_in(-3, 3);
  return made;
}

static netcl_variant_config chosen(Fixture *fixture, int64_t m, int64_t n, int64_t k) {
  netcl_variant_options options = NETCL_VARIANT_OPTIONS_INIT;
  netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
  options.dtype = NETCL_F32;
  OK(netcl_variant_select_matmul(fixture->device, m, n, k, &options, &config));
  return config;
}

/* How a product is done beside its sizes. */
typedef struct How {
  int strided;    /* operands lie in any way */
  int epilogue;   /* 1: bias of columns and relu; 2: bias of rows; 3: what takes sums */
  uint32_t tile_n, split; /* what the rule has to choose for packed operands */
} How;

static netcl_tensor *multiply(netcl_tensor *a, netcl_tensor *b, const netcl_matmul_options *options,
                             netcl_tensor *into) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *result = NULL;
  run.into = into;
  OK(netcl_op_matmul(a, b, options, into == NULL ? NULL : &run, into == NULL ? &result : NULL));
  return result;
}

static void check_product(Fixture *fixture, int64_t m, int64_t n, int64_t k, How how) {
  const int64_t shape_a[] = {m, k}, shape_b[] = {k, n}, shape_c[] = {m, n};
  const int64_t shape_bias[] = {how.epilogue == 2 ? m : 1, how.epilogue == 2 ? 1 : n};
  float *data[] = {whole_numbers(m * k), whole_numbers(k * n), whole_numbers(m * n)};
  float *data_bias = whole_numbers(m + n);
  netcl_tensor *a = make_tensor(fixture->device, NETCL_F32, 2, shape_a, data[0]);
  netcl_tensor *b = make_tensor(fixture->device, NETCL_F32, 2, shape_b, data[1]);
  netcl_tensor *c = make_tensor(fixture->device, NETCL_F32, 2, shape_c, data[2]);
  netcl_tensor *bias = make_tensor(fixture->device, NETCL_F32, 2, shape_bias, data_bias);
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  if (how.epilogue != 0) {
    epilogue.bias = bias;
    epilogue.activation = how.epilogue == 2 ? NETCL_ACTIVATION_NONE : NETCL_ACTIVATION_RELU;
    if (how.epilogue == 3) epilogue.residual = c;
    options.epilogue = &epilogue;
    options.has_scale = 1;
    options.alpha = 0.5;
  }
  options.variant = NETCL_VARIANT_MATMUL_REGISTER_TILED;
  netcl_tensor *portable = multiply(a, b, &options, NULL);
  float *wanted = read_tensor(portable);
  const netcl_variant_config config = chosen(fixture, m, n, k);
  CHECK(strcmp(config.kernel, "netcl_matmul_fma") == 0, "%lld x %lld x %lld takes %s (%s)",
        (long long)m, (long long)n, (long long)k, config.kernel, config.reason);
  if (how.tile_n != 0) assert_int_equal(config.tile_n, how.tile_n);
  if (how.split != 0) assert_int_equal(config.split_k, how.split);
  options.variant = random_in(0, 1) ? NETCL_VARIANT_MATMUL_VECTORIZED : NETCL_VARIANT_AUTO;
  if (how.strided) {
    Strided all[3] = {make_strided(fixture->device, NETCL_F32, 2, shape_a, data[0]),
                      make_strided(fixture->device, NETCL_F32, 2, shape_b, data[1]),
                      make_strided(fixture->device, NETCL_F32, 2, shape_c, data[2])};
    multiply(all[0].view, all[1].view, &options, all[2].view);
    CHECK_STRIDED(&all[2], wanted);
    for (int i = 0; i < 3; ++i) release_strided(&all[i]);
  } else {
    netcl_tensor *ours = multiply(a, b, &options, NULL);
    CHECK_TENSOR(ours, wanted);
    netcl_tensor_release(ours);
  }
  netcl_tensor *all[] = {a, b, c, bias, portable};
  for (size_t i = 0; i < COUNT_OF(all); ++i) netcl_tensor_release(all[i]);
  for (size_t i = 0; i < COUNT_OF(data); ++i) free(data[i]);
  free(data_bias);
  free(wanted);
}

/* Each tile, with and without pieces of the depth, and results that tiles stick out of. */
static void tiles(void **state) {
  Fixture *fixture = *state;
  NEED_PTX(fixture);
  check_product(fixture, 2048, 2048, 160, (How){.tile_n = 256, .split = 1});
  check_product(fixture, 1024, 1024, 1024, (How){.tile_n = 128, .split = 1});
  check_product(fixture, 1536, 1536, 300, (How){.tile_n = 96, .split = 1});
  check_product(fixture, 2047, 2045, 333, (How){.tile_n = 256, .split = 1});
  check_product(fixture, 1023, 1021, 1019, (How){.tile_n = 128});
  check_product(fixture, 1535, 1531, 517, (How){.tile_n = 96});
  check_product(fixture, 704, 704, 4096, (How){.tile_n = 128, .split = 2});
  check_product(fixture, 701, 703, 4001, (How){.tile_n = 128, .split = 2});
}

static void any_size(void **state) {
  Fixture *fixture = *state;
  NEED_PTX(fixture);
  for (int round = 0; round < rounds(fixture, 24); ++round) {
    const int64_t m = random_in(1920, 2048), n = random_in(1920, 2048);
    const int64_t k = random_in(300, 600);
    check_product(fixture, m, n, k, (How){.strided = round % 2, .epilogue = round % 4});
  }
}

/* Every way to lie that copies are made of, and results that are written along columns. */
static void layouts(void **state) {
  Fixture *fixture = *state;
  NEED_PTX(fixture);
  for (int round = 0; round < rounds(fixture, 16); ++round) {
    check_product(fixture, 2048 - round, 2048, 256 + round,
                  (How){.strided = 1, .epilogue = round % 4});
  }
}

/* Two dimensions of matrices that do not continue each other, and a factor that all share. */
static void batches(void **state) {
  Fixture *fixture = *state;
  NEED_PTX(fixture);
  for (int round = 0; round < 6; ++round) {
    const int64_t outer = random_in(2, 3), inner = random_in(2, 4);
    const int64_t m = random_in(500, 700), n = random_in(500, 700), k = 4 * random_in(150, 200);
    const int64_t shapes[][4] = {{outer, inner, m, k}, {round % 2 ? 1 : outer, inner, k, n},
                                 {outer, inner, m, n}};
    int64_t counts[3];
    float *data[3];
    Strided views[3];
    for (int i = 0; i < 3; ++i) {
      counts[i] = shapes[i][0] * shapes[i][1] * shapes[i][2] * shapes[i][3];
      data[i] = whole_numbers(counts[i]);
      views[i] = make_strided(fixture->device, NETCL_F32, 4, shapes[i], data[i]);
    }
    netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
    options.variant = NETCL_VARIANT_MATMUL_REGISTER_TILED;
    netcl_tensor *portable = multiply(views[0].view, views[1].view, &options, NULL);
    float *wanted = read_tensor(portable);
    options.variant = NETCL_VARIANT_AUTO;
    multiply(views[0].view, views[1].view, &options, views[2].view);
    CHECK_STRIDED(&views[2], wanted);
    netcl_tensor_release(portable);
    free(wanted);
    for (int i = 0; i < 3; ++i) release_strided(&views[i]);
    for (int i = 0; i < 3; ++i) free(data[i]);
  }
}

/* Real numbers against double precision in some places, and values that are not finite. */
static void real_numbers(void **state) {
  Fixture *fixture = *state;
  NEED_PTX(fixture);
  enum { kSide = 1024 };
  const int64_t shape[] = {kSide, kSide};
  float *a = malloc(sizeof(float) * kSide * kSide), *b = malloc(sizeof(float) * kSide * kSide);
  for (int i = 0; i < kSide * kSide; ++i) a[i] = (float)random_real(-1, 1);
  for (int i = 0; i < kSide * kSide; ++i) b[i] = (float)random_real(-1, 1);
  a[5 * kSide + 7] = INFINITY;
  a[6 * kSide + 9] = NAN;
  netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 2, shape, a);
  netcl_tensor *y = make_tensor(fixture->device, NETCL_F32, 2, shape, b);
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_tensor *result = multiply(x, y, &options, NULL);
  float *got = read_tensor(result);
  for (int round = 0; round < 4000; ++round) {
    const int64_t i = round < 100 ? 5 : round < 200 ? 6 : random_in(0, kSide - 1);
    const int64_t j = random_in(0, kSide - 1);
    const double value = got[i * kSide + j];
    if (i == 5) CHECK(value == (b[7 * kSide + j] > 0 ? INFINITY : -INFINITY), "%g", value);
    if (i == 6) CHECK(isnan(value), "%g", value);
    if (i == 5 || i == 6) continue;
    double sum = 0, size = 0;
    for (int p = 0; p < kSide; ++p) {
      const double term = (double)a[i * kSide + p] * b[p * kSide + j];
      sum += term;
      size += fabs(term);
    }
    /* tf32 is off by 1e-4 of the size. */
    CHECK(fabs(value - sum) <= 3e-6 * size, "element %lld, %lld is %.9g, not %.9g", (long long)i,
          (long long)j, value, sum);
  }
  free(a);
  free(b);
  free(got);
  netcl_tensor_release(x);
  netcl_tensor_release(y);
  netcl_tensor_release(result);
}

static netcl_variant_config recorded(Fixture *fixture, netcl_matrix_units units, int64_t m,
                                     int64_t n, int64_t k, netcl_variant variant) {
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  netcl_device_capabilities capabilities = NETCL_DEVICE_CAPABILITIES_INIT;
  netcl_variant_options options = record_hopper(&info, &capabilities, units);
  netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
  options.dtype = NETCL_F32;
  options.variant = variant;
  OK(netcl_variant_select_matmul(fixture->device, m, n, k, &options, &config));
  return config;
}

/* The rule on a recorded device. */
static void chosen_by_rule(void **state) {
  Fixture *fixture = *state;
  const netcl_matrix_units wgmma = NETCL_MATRIX_UNITS_WGMMA;
  const netcl_variant vectorized = NETCL_VARIANT_MATMUL_VECTORIZED;
  const netcl_variant_config large = recorded(fixture, wgmma, 8192, 8192, 8192, 0);
  assert_int_equal(large.variant, vectorized);
  assert_string_equal(large.kernel, "netcl_matmul_fma");
  assert_int_equal(large.tile_m, 128);
  assert_int_equal(large.tile_n, 256);
  assert_int_equal(large.tile_k, 32);
  assert_int_equal(large.split_k, 1);
  assert_int_equal(large.work_per_thread_m, 8);
  assert_int_equal(large.work_per_thread_n, 16);
  assert_int_equal(large.local_size_1d, 384);
  assert_non_null(strstr(large.reason, "PTX"));
  assert_int_equal(recorded(fixture, wgmma, 1024, 1024, 1024, 0).tile_m, 64);
  assert_int_equal(recorded(fixture, wgmma, 1536, 1536, 1536, 0).tile_m, 192);
  assert_string_equal(recorded(fixture, wgmma, 4096, 4096, 4096, vectorized).kernel,
                      "netcl_matmul_fma");
  /* Small products, thin ones and other variants have the kernels that they had. */
  assert_string_equal(recorded(fixture, wgmma, 256, 256, 256, vectorized).kernel,
                      "netcl_matmul_vectorized");
  assert_string_equal(recorded(fixture, wgmma, 4096, 16, 4096, 0).kernel,
                      "netcl_matmul_register_tiled");
  assert_string_equal(
      recorded(fixture, wgmma, 4096, 4096, 4096, NETCL_VARIANT_MATMUL_REGISTER_TILED).kernel,
      "netcl_matmul_register_tiled");
  assert_string_equal(recorded(fixture, NETCL_MATRIX_UNITS_NONE, 8192, 8192, 8192, 0).kernel,
                      "netcl_matmul_vectorized");
}

/* A choice goes into the text of a kernel with the sizes that the text has. */
static void as_text(void **state) {
  Fixture *fixture = *state;
  if (!fixture->opencl) SKIP("the device builds no kernels");
  netcl_variant_config config =
      recorded(fixture, NETCL_MATRIX_UNITS_WGMMA, 2048, 2048, 2048, 0);
  netcl_kernel *kernel = NULL;
  uint64_t global[2] = {0, 0};
  assert_string_equal(config.kernel, "netcl_matmul_fma");
  OK(netcl_kernel_create_matmul(fixture->device, "product", 2048, 2048, 2048, NETCL_F32, &config,
                                global, &kernel));
  assert_true(global[0] > 0 && global[1] > 0);
  netcl_kernel_release(kernel);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(tiles),        DEVICE_TEST(any_size),
                                     DEVICE_TEST(layouts),      DEVICE_TEST(batches),
                                     DEVICE_TEST(real_numbers), DEVICE_TEST(chosen_by_rule),
                                     DEVICE_TEST(as_text)};
  seed_random("matmul_fma");
  return cmocka_run_group_tests_name("matmul_fma", tests, NULL, NULL);
}
