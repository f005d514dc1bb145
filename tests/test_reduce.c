/* Reductions against sums in extended precision, with the error bounds that the header states. */
#include <math.h>

#include "support_reduce.h"
#include "support_strided.h"

static const netcl_reduction kKinds[] = {
    NETCL_REDUCTION_SUM,         NETCL_REDUCTION_MEAN,       NETCL_REDUCTION_MAX,
    NETCL_REDUCTION_MIN,         NETCL_REDUCTION_PROD,       NETCL_REDUCTION_L1,
    NETCL_REDUCTION_L2,          NETCL_REDUCTION_SUM_SQUARE, NETCL_REDUCTION_LOG_SUM,
    NETCL_REDUCTION_LOG_SUM_EXP, NETCL_REDUCTION_ARGMAX,     NETCL_REDUCTION_ARGMIN,
    NETCL_REDUCTION_ANY,         NETCL_REDUCTION_ALL};

static const netcl_variant kVariants[] = {NETCL_VARIANT_AUTO, NETCL_VARIANT_REDUCTION_SEQUENTIAL,
                                          NETCL_VARIANT_REDUCTION_PARALLEL,
                                          NETCL_VARIANT_REDUCTION_WORKGROUP};

static netcl_dtype random_dtype(const Fixture* fixture) {
  const netcl_dtype dtype = kDtypes[random_in(0, DTYPES - 1)];
  return dtype == NETCL_F64 && !fixture->capabilities.fp64 ? NETCL_F32 : dtype;
}

/* A dtype that the result may be asked for in; 0 for none. */
static netcl_dtype random_result(const Fixture* fixture, netcl_reduction kind, netcl_dtype x) {
  if (random_in(0, 2) > 0) return 0;
  if (kind == NETCL_REDUCTION_ARGMAX || kind == NETCL_REDUCTION_ARGMIN) return NETCL_I64;
  if (kind == NETCL_REDUCTION_ANY || kind == NETCL_REDUCTION_ALL) return NETCL_BOOL;
  for (;;) {
    const netcl_dtype dtype = random_dtype(fixture);
    if (kind == NETCL_REDUCTION_MAX || kind == NETCL_REDUCTION_MIN) {
      /* Casts of extremes are those of netcl_op_cast, which has its own suite. */
      return x;
    }
    /* Products of integers overflow a float on the way. */
    if (is_float_dtype(dtype)) {
      if (kind == NETCL_REDUCTION_PROD && !is_float_dtype(x)) continue;
      return dtype;
    }
    if (is_float_dtype(x) || dtype == NETCL_BOOL || kind == NETCL_REDUCTION_MEAN ||
        kind == NETCL_REDUCTION_L2 || kind == NETCL_REDUCTION_LOG_SUM ||
        kind == NETCL_REDUCTION_LOG_SUM_EXP) {
      continue;
    }
    return dtype;
  }
}

static void random_reductions(void** state) {
  Fixture* fixture = *state;
  const int many =
      rounds(fixture, fixture->kernels ? 300 : 1500) / (compiles_slowly(fixture) ? 3 : 1);
  for (int round = 0; round < many; ++round) {
    const netcl_reduction kind = kKinds[random_in(0, COUNT_OF(kKinds) - 1)];
    const uint32_t rank = (uint32_t)random_in(0, 4);
    const int64_t most = rank <= 1 ? 3000 : rank == 2 ? 130 : rank == 3 ? 17 : 9;
    int64_t shape[NETCL_RANK_MAX];
    for (uint32_t d = 0; d < rank; ++d) shape[d] = random_in(1, random_in(0, 3) ? most : 3);
    ReduceCase test = {0};
    test.kind = kind;
    test.keepdims = (uint32_t)random_in(0, 1);
    test.select_last = (uint32_t)random_in(0, 1);
    test.variant = kVariants[random_in(0, COUNT_OF(kVariants) - 1)];
    test.x = make_operand(fixture, random_dtype(fixture), rank, shape, kind);
    test.dtype = random_result(fixture, kind, test.x.model.dtype);
    choose_axes(&test);
    test.into = random_in(0, 1);
    check_reduction(fixture, &test);
    free_operand(&test.x);
  }
}

/* Every kind by every variant, along rows, along columns, in the middle and over all. */
static void every_variant(void** state) {
  Fixture* fixture = *state;
  static const struct {
    uint32_t rank;
    int64_t shape[3];
    int32_t axes[3];
    uint32_t axes_count;
  } kCases[] = {{1, {1}, {0}, 1},
                {1, {257}, {0}, 1},
                {2, {3, 5003}, {1}, 1},
                {2, {1999, 37}, {0}, 1},
                {2, {700, 131}, {0}, 1},
                {3, {5, 67, 33}, {1}, 1},
                {3, {6, 3, 521}, {0, 2}, 2},
                {2, {31, 41}, {0, 1}, 2},
                {2, {2000, 3}, {1}, 1}};
  /* Each of them is a kernel of its own, which takes a while to compile. */
  const int all = rounds(fixture, 5) == 5;
  for (size_t k = 0; k < COUNT_OF(kKinds); ++k) {
    if (!all && random_in(0, compiles_slowly(fixture) ? 5 : 2) > 0) continue;
    const netcl_dtype dtype = k % 3 == 2 ? NETCL_F16 : NETCL_F32;
    for (size_t c = 0; c < COUNT_OF(kCases); ++c) {
      for (size_t v = 1; v < COUNT_OF(kVariants); ++v) {
        ReduceCase test = {0};
        test.kind = kKinds[k];
        test.variant = kVariants[v];
        test.axes_count = kCases[c].axes_count;
        memcpy(test.axes, kCases[c].axes, sizeof kCases[c].axes);
        if (test.axes_count > 1 && test.axes_count < kCases[c].rank &&
            (test.kind == NETCL_REDUCTION_ARGMAX || test.kind == NETCL_REDUCTION_ARGMIN)) {
          test.axes_count = 1;
        }
        test.x = plain_operand(fixture, dtype, kCases[c].rank, kCases[c].shape, test.kind);
        check_reduction(fixture, &test);
        free_operand(&test.x);
      }
    }
  }
}

/* All dtypes over an axis that is long enough for several stages. */
static void long_axes(void** state) {
  Fixture* fixture = *state;
  for (size_t i = 0; i < DTYPES; ++i) {
    if (kDtypes[i] == NETCL_F64 && !fixture->capabilities.fp64) continue;
    const int columns = (int)random_in(0, 1);
    const int64_t shape[] = {columns ? 65537 : 3, columns ? 3 : 65537};
    static const netcl_reduction kSome[] = {NETCL_REDUCTION_SUM, NETCL_REDUCTION_MAX,
                                            NETCL_REDUCTION_ARGMIN, NETCL_REDUCTION_LOG_SUM_EXP};
    for (size_t k = 0; k < COUNT_OF(kSome); ++k) {
      if (fixture->kernels && random_in(0, 3) > 0) continue;
      ReduceCase test = {0};
      test.kind = kSome[k];
      test.axes[0] = columns ? 0 : -1;
      test.axes_count = 1;
      test.x = plain_operand(fixture, kDtypes[i], 2, shape, test.kind);
      check_reduction(fixture, &test);
      free_operand(&test.x);
    }
  }
}

/* Every kind over many rows of few columns, in vectors of four and not, and over many short rows.
 */
static void tall_and_short(void** state) {
  Fixture* fixture = *state;
  if (compiles_slowly(fixture)) SKIP("a GPU does these");
  const int every = rounds(fixture, 5) == 5;
  for (size_t k = 0; k < COUNT_OF(kKinds); ++k) {
    if (!every && random_in(0, 3) > 0) continue;
    const int64_t shapes[][3] = {{1, random_in(2048, 5000), 4 * random_in(4, 40)},
                                 {1, random_in(2048, 5000), 4 * random_in(4, 40) + 1},
                                 {2, random_in(2048, 3000), 4 * random_in(4, 20)},
                                 {16384, random_in(2, 40), 1}};
    for (size_t i = 0; i < COUNT_OF(shapes); ++i) {
      ReduceCase test = {0};
      test.kind = kKinds[k];
      test.axes[0] = 1;
      test.axes_count = 1;
      test.x = plain_operand(fixture, k % 4 == 1 ? NETCL_F16 : NETCL_F32, 3, shapes[i], test.kind);
      check_reduction(fixture, &test);
      free_operand(&test.x);
    }
  }
}

/* Adding one number over and over shows any chain of roundings that is too long. */
static void equal_terms(void** state) {
  Fixture* fixture = *state;
  const int64_t n = (int64_t)1 << 21;
  float* data = malloc((size_t)n * sizeof *data);
  for (int64_t i = 0; i < n; ++i) data[i] = 0.1f;
  for (size_t v = 0; v < COUNT_OF(kVariants); ++v) {
    for (int columns = 0; columns < 2; ++columns) {
      const int64_t shape[] = {columns ? n / 32 : 2, columns ? 32 : n / 2};
      const int32_t axis = columns ? 0 : 1;
      const double count = (double)(columns ? n / 32 : n / 2);
      netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 2, shape, data), *y = NULL;
      netcl_reduce_options options = NETCL_REDUCE_OPTIONS_INIT;
      options.axes = &axis;
      options.axes_count = 1;
      options.variant = kVariants[v];
      OK(netcl_op_reduce(x, NETCL_REDUCTION_SUM, &options, NULL, &y));
      float* got = read_tensor(y);
      const double wanted = count * (double)0.1f;
      const double bound = (log2(count) + 64) * 0x1p-24 * wanted;
      CHECK(fabs(got[1] - wanted) <= bound, "%s along %d: %.9g, not %.9g: off by %g of %g allowed",
            netcl_variant_name(kVariants[v]), axis, got[1], wanted, fabs(got[1] - wanted), bound);
      free(got);
      netcl_tensor_release(x);
      netcl_tensor_release(y);
    }
  }
  free(data);
}

static void same_bits(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {1000, 1009};
  for (int columns = 0; columns < 3; ++columns) {
    const int32_t axis = columns;
    netcl_reduce_options options = NETCL_REDUCE_OPTIONS_INIT;
    Operand x = plain_operand(fixture, NETCL_F32, 2, shape, NETCL_REDUCTION_SUM);
    netcl_tensor* y = NULL;
    void* first = NULL;
    options.axes = &axis;
    options.axes_count = columns < 2;
    if (columns == 2) options.axes = NULL;
    for (int round = 0; round < 5; ++round) {
      OK(netcl_op_reduce(x.tensor, NETCL_REDUCTION_SUM, &options, NULL, &y));
      if (first == NULL) first = read_tensor(y);
      CHECK_TENSOR(y, first);
      netcl_tensor_release(y);
    }
    free(first);
    free_operand(&x);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(random_reductions), DEVICE_TEST(every_variant),
                                     DEVICE_TEST(long_axes),         DEVICE_TEST(tall_and_short),
                                     DEVICE_TEST(equal_terms),       DEVICE_TEST(same_bits),
                                     DEVICE_TEST(as_kernels)};
  seed_random("reduce");
  return cmocka_run_group_tests_name("reduce", tests, NULL, NULL);
}
