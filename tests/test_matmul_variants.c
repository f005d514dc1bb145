/* Every variant of the matrix product on request, with and without an epilogue, against double
 * precision. */
#include "support_matmul.h"
#include "support_strided.h"

#include <math.h>

static const netcl_variant kVariants[] = {NETCL_VARIANT_MATMUL_NAIVE, NETCL_VARIANT_MATMUL_TILED,
                                          NETCL_VARIANT_MATMUL_REGISTER_TILED,
                                          NETCL_VARIANT_MATMUL_VECTORIZED};

/* Only the vectorized product of the built-in loops may refuse a case: it reads a where it is. */
static int may_refuse(const Fixture* fixture, netcl_variant variant) {
  return variant == NETCL_VARIANT_MATMUL_VECTORIZED && !fixture->kernels;
}

static int takes_long_to_compile(const Fixture* fixture, netcl_variant variant) {
  return fixture->kernels && (variant == NETCL_VARIANT_MATMUL_REGISTER_TILED ||
                              variant == NETCL_VARIANT_MATMUL_VECTORIZED);
}

/* How many random products a variant gets: each may be a program of its own, and PoCL takes seconds
 * for one of the large tiles. */
static int products_of(const Fixture* fixture, netcl_variant variant) {
  const int large = takes_long_to_compile(fixture, variant);
  const int many = rounds(fixture, 60);
  return many == 60 || !fixture->kernels ? many : large ? 2 : 10;
}

static void products(Fixture* fixture, int epilogue) {
  for (size_t v = 0; v < COUNT_OF(kVariants); ++v) {
    int done = 0;
    const int many = products_of(fixture, kVariants[v]);
    for (int round = 0; round < many; ++round) {
      const int64_t most = round % 3 == 0 ? 8 : round % 3 == 1 ? 40 : 140;
      ProductCase what = {random_matrix_dtype(fixture),
                          random_in(1, most),
                          random_in(1, most),
                          random_in(1, most),
                          kVariants[v],
                          epilogue,
                          round % 2};
      if (round % 8 == 7) what.n = 1;
      if (round % 8 == 6) what.k = random_in(250, 900);
      /* Most of them are what it can do. */
      if (may_refuse(fixture, what.variant) && round % 4 != 1) {
        what.dtype = NETCL_F32;
        what.plain = 1;
        what.m += 12;
      }
      const int ran = check_random_product(fixture, &what);
      CHECK(ran || may_refuse(fixture, what.variant), "%s refused %lld x %lld x %lld",
            netcl_variant_name(what.variant), (long long)what.m, (long long)what.n,
            (long long)what.k);
      done += ran;
    }
    print_message("%s did %d of %d cases\n", netcl_variant_name(kVariants[v]), done, many);
  }
}

static void plain_products(void** state) { products(*state, 0); }
static void products_with_epilogue(void** state) { products(*state, 1); }

/* Few rows or columns: the vectorized kernel reads the long operand once, along the depth or across
 * it, by 16 bytes where it lies so and element by element elsewhere. */
static void thin_products(void** state) {
  Fixture* fixture = *state;
  const int many = fixture->kernels ? 12 : rounds(fixture, 60);
  for (int round = 0; round < many; ++round) {
    const int64_t few = random_in(1, 16), step = round % 3 == 0 ? 1 : 16;
    ProductCase what = {random_matrix_dtype(fixture),
                        few,
                        step * random_in(1, 400 / step),
                        step * random_in(1, 1100 / step),
                        NETCL_VARIANT_MATMUL_VECTORIZED,
                        round % 2,
                        step != 1};
    if (round / 2 % 2 != 0) {
      what.m = what.n;
      what.n = few;
    }
    const int ran = check_random_product(fixture, &what);
    CHECK(ran || may_refuse(fixture, what.variant), "refused %lld x %lld x %lld", (long long)what.m,
          (long long)what.n, (long long)what.k);
  }
}

static float *random_floats(int64_t count) {
  float *made = malloc((size_t)(count + 1) * sizeof *made);
  for (int64_t i = 0; i < count; ++i) made[i] = (float)random_real(-1, 1);
  return made;
}

/* The long operand is a view that begins at an element which is not aligned, with rows that are. */
static void thin_views(void** state) {
  Fixture* fixture = *state;
  const int64_t kWide[] = {64, 80}, kSide[] = {3, 64};
  const netcl_range ranges[2] = {{0, 64, 1}, {1, 64, 1}};
  const uint32_t kTurn[] = {1, 0};
  float *data = random_floats(64 * 80), *side = random_floats(3 * 64);
  netcl_tensor *base = make_tensor(fixture->device, NETCL_F32, 2, kWide, data), *view = NULL;
  netcl_tensor *a = make_tensor(fixture->device, NETCL_F32, 2, kSide, side), *turned = NULL;
  OK(netcl_tensor_slice(base, ranges, 2, &view));
  OK(netcl_tensor_permute(view, kTurn, 2, &turned));
  for (int deep = 0; deep < 2; ++deep) {
    netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
    netcl_tensor* result = NULL;
    options.variant = NETCL_VARIANT_MATMUL_VECTORIZED;
    OK(netcl_op_matmul(a, deep ? turned : view, &options, NULL, &result));
    float* got = read_tensor(result);
    for (int i = 0; i < 3 * 64; ++i) {
      double sum = 0, size = 0;
      for (int k = 0; k < 64; ++k) {
        const int at = deep ? i % 64 * 80 + k + 1 : k * 80 + i % 64 + 1;
        sum += (double)side[i / 64 * 64 + k] * data[at];
        size += fabs((double)side[i / 64 * 64 + k] * data[at]);
      }
      CHECK(fabs(got[i] - sum) <= 64 * 1.2e-7 * size, "deep %d: element %d is %g, not %g", deep, i,
            got[i], sum);
    }
    free(got);
    netcl_tensor_release(result);
  }
  netcl_tensor_release(turned);
  netcl_tensor_release(view);
  netcl_tensor_release(base);
  netcl_tensor_release(a);
  free(data);
  free(side);
}

/* Sizes around the tiles, depths beyond one block, and nothing to multiply. As kernels they share a
 * few programs. */
static void edges(void** state) {
  Fixture* fixture = *state;
  const int64_t sizes[][3] = {{1, 1, 1},      {64, 64, 16},   {65, 63, 17},  {128, 128, 8},
                              {129, 127, 33}, {257, 131, 40}, {12, 32, 768}, {13, 33, 1600},
                              {300, 1, 1300}, {2, 3, 700},    {31, 32, 64},  {200, 260, 1},
                              {5, 6, 0}};
  for (size_t i = 0; i < COUNT_OF(sizes); ++i) {
    for (size_t v = 0; v < COUNT_OF(kVariants); ++v) {
      ProductCase what = {NETCL_F32, sizes[i][0], sizes[i][1], sizes[i][2], kVariants[v], 0, 1};
      if (takes_long_to_compile(fixture, what.variant) && (i % 3 != 1 || i > 8)) continue;
      if (!fixture->kernels) {
        what.dtype = random_matrix_dtype(fixture);
        what.epilogue = (int)random_in(0, 1);
        what.plain = (int)random_in(0, 1);
      }
      const int ran = check_random_product(fixture, &what);
      CHECK(ran || may_refuse(fixture, what.variant), "%s refused case %zu",
            netcl_variant_name(what.variant), i);
    }
  }
}

static int is_known(double got, double wanted, double slack) {
  if (isnan(wanted)) return isnan(got);
  if (isinf(wanted)) return got == wanted;
  return fabs(got - wanted) <= slack;
}

/* NaN, infinities, zeros and denormals go through every activation as through its formula. */
static void special_values(void** state) {
  Fixture* fixture = *state;
  const float values[] = {NAN,     INFINITY, -INFINITY, 0.0f,  -0.0f,  1e-40f,
                          -1e-40f, 100.0f,   -100.0f,   3e38f, -3e38f, 0.25f};
  const int64_t rows = COUNT_OF(values), shape_a[] = {rows, 1}, shape_b[] = {1, 40};
  float ones[40];
  for (size_t i = 0; i < COUNT_OF(ones); ++i) ones[i] = 1;
  netcl_tensor* a = make_tensor(fixture->device, NETCL_F32, 2, shape_a, values);
  netcl_tensor* b = make_tensor(fixture->device, NETCL_F32, 2, shape_b, ones);
  for (netcl_activation f = 0; f <= NETCL_ACTIVATION_CLIP; ++f) {
    netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
    netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
    netcl_tensor* result = NULL;
    epilogue.activation = f;
    epilogue.alpha = f == NETCL_ACTIVATION_CLIP ? -2 : 0.5;
    epilogue.beta = 3;
    options.epilogue = &epilogue;
    /* As kernels the ones with small tiles, which are quick to compile. */
    options.variant = kVariants[fixture->kernels ? f % 2 : f % 4];
    OK(netcl_op_matmul(a, b, &options, NULL, &result));
    float* got = read_tensor(result);
    for (int64_t i = 0; i < rows * 40; ++i) {
      const double wanted =
          (double)(float)reference_activation(f, epilogue.alpha, epilogue.beta, values[i / 40]);
      CHECK(is_known(got[i], wanted, 1e-5 * fabs(wanted) + 1e-37),
            "activation %d of %g is %g, not %g", f, values[i / 40], got[i], wanted);
    }
    free(got);
    netcl_tensor_release(result);
  }
  netcl_tensor_release(a);
  netcl_tensor_release(b);
}

/* c[i, j] = a[i, j] b[i, j] + bias[j] + residual[i, j] for batches i and j. */
static void check_planes(Fixture* fixture, netcl_variant variant, int64_t outer, int64_t inner,
                         int64_t m, int64_t n, int64_t k) {
  const int64_t shapes[][4] = {{outer, inner, m, k}, {outer, inner, k, n}, {1, inner, m, n},
                               {outer, inner, m, n}, {outer, inner, m, n}};
  Strided all[5];
  float* data[5];
  for (int i = 0; i < 5; ++i) {
    data[i] = random_floats(shapes[i][0] * shapes[i][1] * shapes[i][2] * shapes[i][3]);
    all[i] = make_strided(fixture->device, NETCL_F32, 4, shapes[i], data[i]);
  }
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  epilogue.bias = all[2].view;
  epilogue.residual = all[3].view;
  options.epilogue = &epilogue;
  options.variant = variant;
  run.into = all[4].view;
  const netcl_status status = netcl_op_matmul(all[0].view, all[1].view, &options, &run, NULL);
  if (status == NETCL_ERROR_UNSUPPORTED && may_refuse(fixture, variant)) {
    for (int i = 0; i < 5; ++i) release_strided(&all[i]);
    for (int i = 0; i < 5; ++i) free(data[i]);
    return;
  }
  OK(status);
  float* got = read_tensor(all[4].view);
  for (int64_t at = 0; at < outer * inner * m * n; ++at) {
    const int64_t matrix = at / (m * n), row = at / n % m, column = at % n;
    double sum = data[2][matrix % inner * m * n + at % (m * n)] + (double)data[3][at], size = 4;
    for (int64_t p = 0; p < k; ++p) {
      const double x = data[0][(matrix * m + row) * k + p];
      const double y = data[1][(matrix * k + p) * n + column];
      sum += x * y;
      size += fabs(x * y);
    }
    CHECK(fabs(got[at] - sum) <= 6e-8 * (double)(k + 4) * size,
          "%s, %lld x %lld matrices %lld x %lld x %lld: element %lld is %g, not %g",
          netcl_variant_name(variant), (long long)outer, (long long)inner, (long long)m,
          (long long)n, (long long)k, (long long)at, got[at], sum);
  }
  free(got);
  for (int i = 0; i < 5; ++i) release_strided(&all[i]);
  for (int i = 0; i < 5; ++i) free(data[i]);
}

/* Batches of two dimensions that do not continue each other, as the heads of an attention. */
static void batches_of_views(void** state) {
  Fixture* fixture = *state;
  for (size_t v = 0; v < COUNT_OF(kVariants); ++v) {
    const int large = takes_long_to_compile(fixture, kVariants[v]);
    for (int round = 0; round < (large ? 2 : 6); ++round) {
      check_planes(fixture, kVariants[v], random_in(2, 4), random_in(2, 5),
                   large ? 64 : random_in(1, 40), large ? 20 : random_in(2, 40),
                   large ? 48 : random_in(1, 60));
    }
    /* A depth that is split. */
    check_planes(fixture, kVariants[v], 2, 3, large ? 64 : 8, large ? 20 : 8, 1500);
  }
}

/* A variant gives the same bits each time, also while others run. */
static void repeatable(void** state) {
  Fixture* fixture = *state;
  const int64_t shape_a[] = {150, 200}, shape_b[] = {200, 140};
  Matrix a = make_matrix(fixture, NETCL_F32, 2, shape_a, 1);
  Matrix b = make_matrix(fixture, NETCL_F32, 2, shape_b, 1);
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  void* bits[COUNT_OF(kVariants)];
  epilogue.activation = NETCL_ACTIVATION_GELU;
  options.epilogue = &epilogue;
  for (int round = 0; round < 3; ++round) {
    for (size_t v = 0; v < COUNT_OF(kVariants); ++v) {
      netcl_tensor* result = NULL;
      options.variant = kVariants[v];
      OK(netcl_op_matmul(a.tensor, b.tensor, &options, NULL, &result));
      if (round == 0) {
        bits[v] = read_tensor(result);
      } else {
        CHECK_TENSOR(result, bits[v]);
      }
      netcl_tensor_release(result);
    }
  }
  for (size_t v = 0; v < COUNT_OF(kVariants); ++v) free(bits[v]);
  free_matrix(&a);
  free_matrix(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(plain_products), DEVICE_TEST(products_with_epilogue),
      DEVICE_TEST(thin_products),  DEVICE_TEST(thin_views),     DEVICE_TEST(edges),
      DEVICE_TEST(special_values), DEVICE_TEST(repeatable),
      DEVICE_TEST(batches_of_views), DEVICE_TEST(as_kernels)};
  compile_quickly();
  seed_random("matmul_variants");
  return cmocka_run_group_tests_name("matmul_variants", tests, NULL, NULL);
}
