/* Reductions over nothing, of special values, with other dtypes, and what they refuse. */
#include <math.h>

#include "support_reduce.h"
#include "support_strided.h"

static netcl_tensor *reduced(netcl_tensor *x, netcl_reduction kind, netcl_dtype dtype,
                             netcl_variant variant) {
  netcl_reduce_options options = NETCL_REDUCE_OPTIONS_INIT;
  netcl_tensor *y = NULL;
  options.dtype = dtype;
  options.variant = variant;
  OK(netcl_op_reduce(x, kind, &options, NULL, &y));
  return y;
}

static const netcl_variant kVariants[] = {NETCL_VARIANT_REDUCTION_SEQUENTIAL,
                                          NETCL_VARIANT_REDUCTION_PARALLEL,
                                          NETCL_VARIANT_REDUCTION_WORKGROUP};

static double only(netcl_tensor *y) {
  void *data = read_tensor(y);
  const double value = load_double(tensor_info(y).dtype, data, 0);
  free(data);
  netcl_tensor_release(y);
  return value;
}

static void no_elements(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {3, 0}, none[] = {0, 3};
  const int32_t axis = 1;
  for (size_t i = 0; i < DTYPES; ++i) {
    const netcl_dtype dtype = kDtypes[i];
    const int real = is_float_dtype(dtype);
    netcl_tensor *x = NULL, *y = NULL;
    if (dtype == NETCL_F64 && !fixture->capabilities.fp64) continue;
    OK(netcl_tensor_create_zeros(fixture->device, dtype, 2, shape, NULL, NULL, &x));
    assert_true(only(reduced(x, NETCL_REDUCTION_SUM, 0, 0)) == 0);
    assert_true(only(reduced(x, NETCL_REDUCTION_L1, 0, 0)) == 0);
    assert_true(only(reduced(x, NETCL_REDUCTION_L2, 0, 0)) == 0);
    assert_true(only(reduced(x, NETCL_REDUCTION_SUM_SQUARE, 0, 0)) == 0);
    assert_true(only(reduced(x, NETCL_REDUCTION_PROD, 0, 0)) == 1);
    assert_true(isnan(only(reduced(x, NETCL_REDUCTION_MEAN, 0, 0))));
    assert_true(only(reduced(x, NETCL_REDUCTION_LOG_SUM, 0, 0)) == -INFINITY);
    assert_true(only(reduced(x, NETCL_REDUCTION_LOG_SUM_EXP, 0, 0)) == -INFINITY);
    assert_true(only(reduced(x, NETCL_REDUCTION_ANY, 0, 0)) == 0);
    assert_true(only(reduced(x, NETCL_REDUCTION_ALL, 0, 0)) == 1);
    const double bits = 8 * (double)netcl_dtype_size(dtype);
    const double high = real ? INFINITY
                        : dtype == NETCL_BOOL ? 1
                        : is_signed_dtype(dtype) ? (double)((uint64_t)1 << (int)(bits - 1)) - 1
                                                 : ldexp(1, (int)bits) - 1;
    const double low = real ? -INFINITY : is_signed_dtype(dtype) ? -ldexp(1, (int)bits - 1) : 0;
    assert_true(only(reduced(x, NETCL_REDUCTION_MAX, 0, 0)) == low);
    assert_true(only(reduced(x, NETCL_REDUCTION_MIN, 0, 0)) == high);
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "x has shape [3, 0]; ARGMAX needs an element",
               netcl_op_reduce(x, NETCL_REDUCTION_ARGMAX, NULL, NULL, &y));
    netcl_tensor_release(x);
  }
  /* No outputs either: nothing is computed, and nothing fails. */
  netcl_tensor *x = NULL, *y = NULL;
  netcl_reduce_options options = NETCL_REDUCE_OPTIONS_INIT;
  options.axes = &axis;
  options.axes_count = 1;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, none, NULL, NULL, &x));
  for (netcl_reduction kind = 1; kind <= NETCL_REDUCTION_ALL; ++kind) {
    OK(netcl_op_reduce(x, kind, &options, NULL, &y));
    assert_int_equal(tensor_info(y).element_count, 0);
    netcl_tensor_release(y);
  }
  netcl_tensor_release(x);
}

static void special_values(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {200};
  float data[200];
  for (size_t v = 0; v < COUNT_OF(kVariants); ++v) {
    const netcl_variant variant = kVariants[v];
    for (int i = 0; i < 200; ++i) data[i] = (float)(i % 7);
    data[130] = INFINITY;
    netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 1, shape, data);
    assert_true(only(reduced(x, NETCL_REDUCTION_SUM, 0, variant)) == INFINITY);
    assert_true(only(reduced(x, NETCL_REDUCTION_LOG_SUM_EXP, 0, variant)) == INFINITY);
    assert_true(only(reduced(x, NETCL_REDUCTION_MAX, 0, variant)) == INFINITY);
    netcl_tensor_release(x);
    data[17] = NAN;
    data[19] = -INFINITY;
    x = make_tensor(fixture->device, NETCL_F32, 1, shape, data);
    assert_true(isnan(only(reduced(x, NETCL_REDUCTION_SUM, 0, variant))));
    assert_true(isnan(only(reduced(x, NETCL_REDUCTION_MAX, 0, variant))));
    assert_true(isnan(only(reduced(x, NETCL_REDUCTION_MIN, 0, variant))));
    assert_true(isnan(only(reduced(x, NETCL_REDUCTION_LOG_SUM_EXP, 0, variant))));
    assert_true(only(reduced(x, NETCL_REDUCTION_ARGMAX, 0, variant)) == 17);
    assert_true(only(reduced(x, NETCL_REDUCTION_ARGMIN, 0, variant)) == 17);
    assert_true(only(reduced(x, NETCL_REDUCTION_ANY, 0, variant)) == 1);
    netcl_tensor_release(x);
    /* Large exponents do not overflow, and nothing but -inf stays -inf. */
    for (int i = 0; i < 200; ++i) data[i] = 1000;
    x = make_tensor(fixture->device, NETCL_F32, 1, shape, data);
    const double sum = only(reduced(x, NETCL_REDUCTION_LOG_SUM_EXP, 0, variant));
    CHECK(fabs(sum - (1000 + log(200))) < 1e-3, "log-sum-exp of 1000s is %.9g", sum);
    netcl_tensor_release(x);
    for (int i = 0; i < 200; ++i) data[i] = -INFINITY;
    x = make_tensor(fixture->device, NETCL_F32, 1, shape, data);
    assert_true(only(reduced(x, NETCL_REDUCTION_LOG_SUM_EXP, 0, variant)) == -INFINITY);
    netcl_tensor_release(x);
    /* Denormal sums are kept. */
    for (int i = 0; i < 200; ++i) data[i] = 1e-44f;
    x = make_tensor(fixture->device, NETCL_F32, 1, shape, data);
    const double tiny = only(reduced(x, NETCL_REDUCTION_SUM, 0, variant));
    CHECK(tiny == 200 * (double)data[0], "a sum of denormals is %g", tiny);
    netcl_tensor_release(x);
  }
}

/* The largest of nothing but the lowest values of a dtype, and the least of nothing but its
 * highest: what a sum of parts begins with is no better than they. */
static void ends_of_the_range(void **state) {
  Fixture *fixture = *state;
  static const struct {
    netcl_dtype dtype;
    uint64_t lowest, highest; /* their bits */
  } kEnds[] = {{NETCL_I8, 0x80, 0x7f},
               {NETCL_I16, 0x8000, 0x7fff},
               {NETCL_I32, 0x80000000, 0x7fffffff},
               {NETCL_I64, (uint64_t)INT64_MIN, INT64_MAX},
               {NETCL_U8, 0, 0xff},
               {NETCL_U16, 0, 0xffff},
               {NETCL_U32, 0, 0xffffffff},
               {NETCL_U64, 0, UINT64_MAX},
               {NETCL_F16, 0xfc00, 0x7c00},
               {NETCL_BF16, 0xff80, 0x7f80},
               {NETCL_F32, 0xff800000, 0x7f800000},
               {NETCL_F64, 0xfff0000000000000, 0x7ff0000000000000}};
  static const int64_t kShapes[][2] = {{1, 1}, {3, 5}, {7, 300}, {300, 7}, {2, 9000}};
  for (size_t e = 0; e < COUNT_OF(kEnds); ++e) {
    const netcl_dtype dtype = kEnds[e].dtype;
    const size_t size = netcl_dtype_size(dtype);
    if (dtype == NETCL_F64 && !fixture->capabilities.fp64) continue;
    for (size_t i = 0; i < COUNT_OF(kShapes) * 4; ++i) {
      if (left_out(fixture, 4)) continue;
      const int64_t *shape = kShapes[i / 4], count = shape[0] * shape[1];
      const uint64_t end = i % 2 ? kEnds[e].lowest : kEnds[e].highest;
      const int32_t axis = (int32_t)(i / 2 % 2);
      unsigned char *data = malloc((size_t)count * size);
      for (int64_t k = 0; k < count; ++k) memcpy(data + k * (int64_t)size, &end, size);
      netcl_tensor *x = make_tensor(fixture->device, dtype, 2, shape, data), *y = NULL;
      netcl_reduce_options options = NETCL_REDUCE_OPTIONS_INIT;
      options.axes = &axis;
      options.axes_count = 1;
      const netcl_reduction kind = i % 2 ? NETCL_REDUCTION_MAX : NETCL_REDUCTION_MIN;
      OK(netcl_op_reduce(x, kind, &options, NULL, &y));
      CHECK_TENSOR(y, data);
      netcl_tensor_release(x);
      netcl_tensor_release(y);
      free(data);
    }
  }
}

/* Equal extremes: the first or the last, counted in C order of x whatever its strides. */
static void equal_extremes(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {40, 50};
  const uint32_t axes[] = {1, 0};
  int32_t data[2000];
  memset(data, 0, sizeof data);
  data[3 * 50 + 7] = data[5 * 50 + 2] = 9; /* turned: [7, 3] and [2, 5] */
  netcl_tensor *x = make_tensor(fixture->device, NETCL_I32, 2, shape, data), *turned = NULL;
  OK(netcl_tensor_permute(x, axes, 2, &turned));
  for (size_t v = 0; v < COUNT_OF(kVariants); ++v) {
    netcl_reduce_options options = NETCL_REDUCE_OPTIONS_INIT;
    netcl_tensor *y = NULL;
    options.variant = kVariants[v];
    OK(netcl_op_reduce(turned, NETCL_REDUCTION_ARGMAX, &options, NULL, &y));
    assert_true(only(y) == 2 * 40 + 5);
    options.select_last = 1;
    OK(netcl_op_reduce(turned, NETCL_REDUCTION_ARGMAX, &options, NULL, &y));
    assert_true(only(y) == 7 * 40 + 3);
    OK(netcl_op_reduce(turned, NETCL_REDUCTION_ARGMIN, &options, NULL, &y));
    assert_true(only(y) == 1999);
  }
  netcl_tensor_release(turned);
  netcl_tensor_release(x);
}

/* A dtype of the result that is asked for is what sums are kept in. */
static void other_dtypes(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {300};
  int8_t small[300];
  netcl_tensor *x, *y = NULL;
  /* Absolute values are those of the whole numbers, which the dtype of x may not hold. */
  const int64_t two[] = {2};
  small[0] = -128;
  small[1] = 1;
  x = make_tensor(fixture->device, NETCL_I8, 1, two, small);
  assert_true(only(reduced(x, NETCL_REDUCTION_L1, NETCL_I32, 0)) == 129);
  assert_true(only(reduced(x, NETCL_REDUCTION_L1, NETCL_F32, 0)) == 129);
  assert_true(only(reduced(x, NETCL_REDUCTION_L1, 0, 0)) == -127);
  netcl_tensor_release(x);
  memset(small, -100, sizeof small);
  x = make_tensor(fixture->device, NETCL_I8, 1, shape, small);
  assert_true(only(reduced(x, NETCL_REDUCTION_SUM, NETCL_I32, 0)) == -30000);
  assert_true(only(reduced(x, NETCL_REDUCTION_SUM, NETCL_I64, 0)) == -30000);
  assert_true(only(reduced(x, NETCL_REDUCTION_L1, NETCL_U16, 0)) == 30000);
  assert_true(only(reduced(x, NETCL_REDUCTION_SUM, 0, 0)) == (int8_t)-30000);
  assert_true(only(reduced(x, NETCL_REDUCTION_SUM_SQUARE, NETCL_F32, 0)) == 3e6);
  /* A device's division may be off by 2.5 ULP. */
  assert_true(fabs(only(reduced(x, NETCL_REDUCTION_MEAN, 0, 0)) + 100) <= 100 * 0x1p-21);
  assert_true(only(reduced(x, NETCL_REDUCTION_MAX, NETCL_F32, 0)) == -100);
  assert_true(only(reduced(x, NETCL_REDUCTION_MIN, NETCL_U8, 0)) == 156);
  netcl_tensor_release(x);
  float halves[300];
  for (int i = 0; i < 300; ++i) halves[i] = 0.5f;
  x = make_tensor(fixture->device, NETCL_F32, 1, shape, halves);
  assert_true(only(reduced(x, NETCL_REDUCTION_MAX, NETCL_F16, 0)) == 0.5);
  if (fixture->capabilities.fp64) {
    assert_true(only(reduced(x, NETCL_REDUCTION_SUM, NETCL_F64, 0)) == 150);
  }
  netcl_reduce_options options = NETCL_REDUCE_OPTIONS_INIT;
  options.dtype = NETCL_I32;
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "options->dtype is i32; SUM of f32 gives a float dtype",
             netcl_op_reduce(x, NETCL_REDUCTION_SUM, &options, NULL, &y));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "options->dtype is i32; ARGMAX gives i64",
             netcl_op_reduce(x, NETCL_REDUCTION_ARGMAX, &options, NULL, &y));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "options->dtype is i32; ANY gives bool",
             netcl_op_reduce(x, NETCL_REDUCTION_ANY, &options, NULL, &y));
  options.dtype = 77;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->dtype",
             netcl_op_reduce(x, NETCL_REDUCTION_SUM, &options, NULL, &y));
  assert_null(y);
  netcl_tensor_release(x);
}

static void messages(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {2, 3, 4}, other[] = {2, 4};
  int32_t axes[] = {1, -2};
  netcl_reduce_options options = NETCL_REDUCE_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *x = NULL, *y = NULL, *into = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 3, shape, NULL, NULL, &x));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "kind is 15", netcl_op_reduce(x, 15, NULL, NULL, &y));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "kind is 0", netcl_op_reduce(x, 0, NULL, NULL, &y));
  options.axes_count = 1;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT,
             "options->axes is NULL while options->axes_count is 1",
             netcl_op_reduce(x, NETCL_REDUCTION_SUM, &options, NULL, &y));
  options.axes = axes;
  options.axes_count = 2;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT,
             "options->axes[1] is -2; axis 1 is in options->axes twice",
             netcl_op_reduce(x, NETCL_REDUCTION_SUM, &options, NULL, &y));
  axes[1] = 3;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->axes[1] is 3; the tensor has rank 3",
             netcl_op_reduce(x, NETCL_REDUCTION_SUM, &options, NULL, &y));
  axes[1] = 2;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT,
             "options->axes_count is 2; ARGMIN of a tensor of rank 3 takes one axis or all",
             netcl_op_reduce(x, NETCL_REDUCTION_ARGMIN, &options, NULL, &y));
  options.axes_count = 1;
  options.variant = NETCL_VARIANT_MATMUL_TILED;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->variant is matmul_tiled",
             netcl_op_reduce(x, NETCL_REDUCTION_SUM, &options, NULL, &y));
  options.variant = 0;
  options.keepdims = 2;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->keepdims is 2",
             netcl_op_reduce(x, NETCL_REDUCTION_SUM, &options, NULL, &y));
  options.keepdims = 1;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, other, NULL, NULL, &into));
  run.into = into;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "run->into has shape [2, 4]; the result has [2, 1, 4]",
             netcl_op_reduce(x, NETCL_REDUCTION_SUM, &options, &run, NULL));
  options.keepdims = 0;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "run->into is f32; the result is i64",
             netcl_op_reduce(x, NETCL_REDUCTION_ARGMAX, &options, &run, NULL));
  run.into = x;
  options.axes_count = 0;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "run->into shares its memory with x",
             netcl_op_reduce(x, NETCL_REDUCTION_SUM, &options, &run, NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "result is NULL",
             netcl_op_reduce(x, NETCL_REDUCTION_SUM, NULL, NULL, NULL));
  assert_null(y);
  netcl_tensor_release(into);
  netcl_tensor_release(x);
}

/* The event of a reduction of several stages is that of the last one. */
static void event_of_stages(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {1 << 18};
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_event *event = NULL;
  netcl_tensor *x = NULL, *y = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, shape, NULL, NULL, &x));
  run.event = &event;
  OK(netcl_op_reduce(x, NETCL_REDUCTION_LOG_SUM_EXP, NULL, &run, &y));
  OK(netcl_event_wait(event, LONG_WAIT));
  const double wanted = log((double)shape[0]), got = only(y);
  CHECK(fabs(got - wanted) < 1e-5, "%.9g, not %.9g", got, wanted);
  netcl_event_release(event);
  netcl_tensor_release(x);
}

/* More elements than 32 bits count, without the memory: one element, repeated. */
static void many_elements(void **state) {
  Fixture *fixture = *state;
  if (getenv("NETCL_TEST_FULL") == NULL) SKIP("takes a while; set NETCL_TEST_FULL=1");
  const int64_t one[] = {1}, shape[] = {((int64_t)1 << 32) + 11};
  const uint8_t data[] = {3};
  netcl_tensor *x = make_tensor(fixture->device, NETCL_U8, 1, one, data), *wide = NULL;
  OK(netcl_tensor_broadcast(x, 1, shape, &wide));
  assert_true(only(reduced(wide, NETCL_REDUCTION_SUM, NETCL_I64, 0)) == 3.0 * (double)shape[0]);
  netcl_tensor_release(wide);
  netcl_tensor_release(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(no_elements),    DEVICE_TEST(special_values),
                                     DEVICE_TEST(equal_extremes), DEVICE_TEST(other_dtypes),
                                     DEVICE_TEST(messages),       DEVICE_TEST(event_of_stages),
                                     DEVICE_TEST(many_elements),  DEVICE_TEST(ends_of_the_range),
                                     DEVICE_TEST(as_kernels)};
  compile_quickly();
  seed_random("reduce_edges");
  return cmocka_run_group_tests_name("reduce_edges", tests, NULL, NULL);
}
