/* 2-d pooling against a plain reference: maxima exact, averages within the bound of the header. */
#include <math.h>

#include "support_norm.h"

typedef struct Case {
  netcl_dtype dtype;
  netcl_pooling kind;
  int64_t shape[4];
  netcl_pool2d_options options;
  NormLayout layout;
  int into;
  int indices; /* 1: the index of each maximum is asked for */
} Case;

static int64_t or_else(int64_t value, int64_t zero) { return value == 0 ? zero : value; }

/* The extent of the result along one side, as ONNX and PyTorch have it. */
static int64_t result_extent(const Case* test, int side) {
  const netcl_pool2d_options* o = &test->options;
  const int64_t extent = test->shape[2 + side];
  const int64_t window = or_else(o->window[side], extent), stride = or_else(o->strides[side], 1);
  const int64_t room = extent + o->padding[side] + o->padding[2 + side] -
                       (window - 1) * or_else(o->dilations[side], 1) - 1;
  int64_t count = room / stride + 1;
  if (o->ceil_mode && room % stride != 0) ++count;
  if (o->ceil_mode && (count - 1) * stride >= extent + o->padding[side]) --count;
  return count;
}

static double lowest(netcl_dtype dtype) {
  if (is_float_dtype(dtype)) return -INFINITY;
  return is_signed_dtype(dtype) ? -ldexp(1, (int)netcl_dtype_size(dtype) * 8 - 1) : 0;
}

/* One result, and the sum of absolute values that its error is measured by. */
static double reference(const Case* test, const double* plane, int64_t oh, int64_t ow,
                        double* absolute, int64_t* taps) {
  const netcl_pool2d_options* o = &test->options;
  const int64_t height = test->shape[2], width = test->shape[3];
  const int64_t kh = or_else(o->window[0], height), kw = or_else(o->window[1], width);
  long double sum = 0;
  double most = lowest(test->dtype);
  int64_t counted = 0;
  *absolute = 0;
  *taps = 0;
  for (int64_t i = 0; i < kh; ++i) {
    for (int64_t j = 0; j < kw; ++j) {
      const int64_t h =
          oh * or_else(o->strides[0], 1) - o->padding[0] + i * or_else(o->dilations[0], 1);
      const int64_t w =
          ow * or_else(o->strides[1], 1) - o->padding[1] + j * or_else(o->dilations[1], 1);
      const int inside = h >= 0 && h < height && w >= 0 && w < width;
      counted += inside ||
                 (o->count_include_pad && h < height + o->padding[2] && w < width + o->padding[3]);
      if (!inside) continue;
      const double v = plane[h * width + w];
      if (v > most || isnan(v)) most = v;
      sum += v;
      *absolute += fabs(v);
      ++*taps;
    }
  }
  if (test->kind == NETCL_POOLING_MAX) return most;
  *absolute /= (double)counted;
  return (double)(sum / counted);
}

/* The first largest element of a window, as the index that stands for it. */
static int64_t index_of(const Case* test, const double* x, int64_t plane, int64_t oh, int64_t ow) {
  const netcl_pool2d_options* o = &test->options;
  const int64_t height = test->shape[2], width = test->shape[3];
  int64_t row = -1, column = -1;
  double most = 0;
  for (int64_t i = 0; i < or_else(o->window[0], height); ++i) {
    for (int64_t j = 0; j < or_else(o->window[1], width); ++j) {
      const int64_t h =
          oh * or_else(o->strides[0], 1) - o->padding[0] + i * or_else(o->dilations[0], 1);
      const int64_t w =
          ow * or_else(o->strides[1], 1) - o->padding[1] + j * or_else(o->dilations[1], 1);
      if (h < 0 || h >= height || w < 0 || w >= width) continue;
      const double v = x[(plane * height + h) * width + w];
      if (row >= 0 && !(v > most || (isnan(v) && !isnan(most)))) continue;
      most = v;
      row = h;
      column = w;
    }
  }
  if (row < 0) return -1;
  return plane * height * width + (o->column_major ? column * height + row : row * width + column);
}

static void check_indices(const Case* test, const double* x, const netcl_tensor* indices) {
  const int64_t rows = result_extent(test, 0), columns = result_extent(test, 1);
  int64_t* got = read_tensor(indices);
  for (int64_t at = 0; at < test->shape[0] * test->shape[1] * rows * columns; ++at) {
    const int64_t wanted =
        index_of(test, x, at / columns / rows, at / columns % rows, at % columns);
    CHECK(got[at] == wanted,
          "%s [%lld, %lld, %lld, %lld], column_major %u, index %lld of %lld x %lld: %lld, not %lld",
          netcl_dtype_name(test->dtype), (long long)test->shape[0], (long long)test->shape[1],
          (long long)test->shape[2], (long long)test->shape[3], test->options.column_major,
          (long long)at, (long long)rows, (long long)columns, (long long)got[at],
          (long long)wanted);
  }
  free(got);
}

static void check_results(const Case* test, const double* x, const double* got) {
  const int64_t rows = result_extent(test, 0), columns = result_extent(test, 1);
  for (int64_t at = 0; at < test->shape[0] * test->shape[1] * rows * columns; ++at) {
    double absolute;
    int64_t taps;
    const int64_t plane = at / columns / rows;
    const double wanted = reference(test, x + plane * test->shape[2] * test->shape[3],
                                    at / columns % rows, at % columns, &absolute, &taps);
    double bound = 0;
    if (test->kind == NETCL_POOLING_AVERAGE && taps > 0) {
      bound = (log2((double)taps) + 64) * norm_compute_roundoff(test->dtype) * absolute +
              norm_rounding(test->dtype, wanted);
    }
    const int same = isnan(wanted)                 ? isnan(got[at])
                     : isinf(wanted) || bound == 0 ? got[at] == wanted
                                                   : fabs(got[at] - wanted) <= bound;
    CHECK(same, "%s of %s [%lld, %lld, %lld, %lld], result %lld of %lld x %lld: %.9g, not %.9g",
          test->kind == NETCL_POOLING_MAX ? "max" : "average", netcl_dtype_name(test->dtype),
          (long long)test->shape[0], (long long)test->shape[1], (long long)test->shape[2],
          (long long)test->shape[3], (long long)at, (long long)rows, (long long)columns, got[at],
          wanted);
  }
}

static void check_case(Fixture* fixture, const Case* test, const double* values) {
  const int64_t shape[4] = {test->shape[0], test->shape[1], result_extent(test, 0),
                            result_extent(test, 1)};
  const int real = is_float_dtype(test->dtype);
  const double spread = real ? 3 : 100;
  NormTensor x = norm_random(fixture, test->dtype, 4, test->shape, test->layout,
                             real || is_signed_dtype(test->dtype) ? 0 : 100, spread);
  if (values != NULL) norm_write(&x, values);
  NormTensor into =
      norm_random(fixture, test->dtype, 4, shape,
                  test->layout == NORM_LAST_FIRST ? NORM_LAST_FIRST : NORM_VIEW, 50, 1);
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor* made = NULL;
  if (test->into) run.into = into.tensor;
  netcl_pool2d_options options = test->options;
  NormTensor indices =
      norm_random(fixture, NETCL_I64, 4, shape, random_in(0, 1) ? NORM_VIEW : NORM_PACKED, 50, 40);
  if (test->indices) options.indices_into = indices.tensor;
  OK(netcl_op_pool2d(x.tensor, test->kind, &options, &run, test->into ? NULL : &made));
  const netcl_tensor_info info = tensor_info(test->into ? into.tensor : made);
  for (int d = 0; d < 4; ++d) {
    CHECK(info.shape[d] == shape[d], "extent %d is %lld, not %lld", d, (long long)info.shape[d],
          (long long)shape[d]);
  }
  double* before = norm_values(&x);
  double* got = norm_read(test->into ? into.tensor : made, test->dtype, product(4, shape));
  check_results(test, before, got);
  if (test->indices) check_indices(test, before, indices.tensor);
  norm_free(&indices);
  free(before);
  free(got);
  netcl_tensor_release(made);
  norm_free(&into);
  norm_free(&x);
}

static netcl_dtype random_dtype(Fixture* fixture) {
  static const netcl_dtype kIntegers[] = {NETCL_I8, NETCL_I16, NETCL_I32, NETCL_I64,
                                          NETCL_U8, NETCL_U16, NETCL_U32, NETCL_U64};
  return random_in(0, 2) == 0 ? kIntegers[random_in(0, 7)] : norm_float_dtype(fixture);
}

/* Random sizes that fit: windows, strides, dilations, padding, both modes. */
static void random_cases(void** state) {
  Fixture* fixture = *state;
  for (int round = 0; round < rounds(fixture, 800); ++round) {
    Case test = {random_dtype(fixture),       NETCL_POOLING_MAX,    {0}, NETCL_POOL2D_OPTIONS_INIT,
                 (NormLayout)random_in(0, 3), (int)random_in(0, 1), 0};
    netcl_pool2d_options* o = &test.options;
    test.shape[0] = random_in(round % 20 == 0 ? 0 : 1, 3);
    test.shape[1] = random_in(1, random_in(0, 3) == 0 ? 40 : 5);
    for (int side = 0; side < 2; ++side) {
      const int64_t window = random_in(1, random_in(0, 5) == 0 ? 12 : 4);
      o->window[side] = random_in(0, 8) == 0 ? 0 : window;
      o->strides[side] = random_in(0, 3);
      o->dilations[side] = random_in(0, 4) == 0 ? random_in(2, 3) : random_in(0, 1);
      const int64_t reach = (window - 1) * or_else(o->dilations[side], 1) + 1;
      test.shape[2 + side] = reach + random_in(0, random_in(0, 3) == 0 ? 70 : 12);
      if (o->window[side] != 0) {
        o->padding[side] = random_in(0, reach - 1);
        o->padding[2 + side] = random_in(0, reach - 1);
      } else {
        o->dilations[side] = 1;
      }
    }
    o->ceil_mode = (uint32_t)random_in(0, 1);
    o->count_include_pad = (uint32_t)random_in(0, 1);
    if (is_float_dtype(test.dtype) && random_in(0, 1)) {
      test.kind = NETCL_POOLING_AVERAGE;
    } else {
      test.indices = (int)random_in(0, 1);
      o->column_major = (uint32_t)random_in(0, 1);
    }
    check_case(fixture, &test, NULL);
  }
}

/* Whole planes, and windows large enough for other ways of adding up. */
static void large_windows(void** state) {
  Fixture* fixture = *state;
  static const int64_t kSizes[][2] = {{1, 1}, {7, 7}, {20, 20}, {112, 112}, {3, 1000}, {900, 5}};
  for (size_t i = 0; i < COUNT_OF(kSizes); ++i) {
    for (int form = 0; form < 4; ++form) {
      Case test = {form < 2 ? NETCL_F32 : norm_float_dtype(fixture),
                   form % 2 ? NETCL_POOLING_AVERAGE : NETCL_POOLING_MAX,
                   {2, 17, kSizes[i][0], kSizes[i][1]},
                   NETCL_POOL2D_OPTIONS_INIT,
                   (NormLayout)(form == 3   ? NORM_LAST_FIRST
                                : form == 2 ? NORM_VIEW
                                            : NORM_PACKED),
                   0,
                   form % 2 == 0};
      check_case(fixture, &test, NULL);
      if (kSizes[i][0] * kSizes[i][1] > 1000) {
        test.options.window[0] = kSizes[i][0] - kSizes[i][0] / 4;
        test.options.window[1] = kSizes[i][1] - kSizes[i][1] / 4;
        test.options.strides[0] = test.options.strides[1] = 7;
        test.options.padding[1] = test.options.padding[2] = 2;
        check_case(fixture, &test, NULL);
      }
    }
  }
}

/* NaN wins, padding never does, and a window over padding alone gives what a reduction of nothing
 * gives. */
static void special_values(void** state) {
  Fixture* fixture = *state;
  double values[2 * 3 * 20 * 40];
  for (int layout = 0; layout < 4; layout += 3) {
    for (int form = 0; form < 4; ++form) {
      Case test = {form < 2 ? NETCL_F32 : norm_float_dtype(fixture),
                   form % 2 ? NETCL_POOLING_AVERAGE : NETCL_POOLING_MAX,
                   {2, 3, 20, 40},
                   NETCL_POOL2D_OPTIONS_INIT,
                   (NormLayout)layout,
                   0,
                   form % 2 == 0};
      for (size_t i = 0; i < COUNT_OF(values); ++i) {
        const int64_t pick = random_in(0, 40);
        values[i] = pick == 0   ? NAN
                    : pick == 1 ? INFINITY
                    : pick < 4  ? -INFINITY
                                : -(double)random_in(1, 8);
      }
      test.options.window[0] = test.options.window[1] = 3;
      for (int k = 0; k < 4; ++k) test.options.padding[k] = 2;
      check_case(fixture, &test, values);
      test.options.column_major = form == 2;
      test.options.strides[0] = test.options.strides[1] = 2;
      check_case(fixture, &test, values);
    }
  }
  Case test = {
      NETCL_F32, NETCL_POOLING_MAX, {1, 1, 1, 1}, NETCL_POOL2D_OPTIONS_INIT, NORM_PACKED, 0, 1};
  test.options.window[0] = test.options.window[1] = 2;
  test.options.dilations[0] = test.options.dilations[1] = 2;
  for (int k = 0; k < 4; ++k) test.options.padding[k] = 1;
  check_case(fixture, &test, NULL);
  test.kind = NETCL_POOLING_AVERAGE;
  test.indices = 0;
  check_case(fixture, &test, NULL);
  test.options.count_include_pad = 1;
  check_case(fixture, &test, NULL);
}

/* Equal elements: the first in the window has the index, in every dtype. */
static void ties(void** state) {
  Fixture* fixture = *state;
  for (int round = 0; round < rounds(fixture, 60); ++round) {
    Case test = {random_dtype(fixture),
                 NETCL_POOLING_MAX,
                 {random_in(1, 2), random_in(1, 3), random_in(3, 9), random_in(3, 9)},
                 NETCL_POOL2D_OPTIONS_INIT,
                 (NormLayout)(round % 2 ? NORM_VIEW : NORM_PACKED),
                 0,
                 1};
    double values[2 * 3 * 9 * 9];
    for (size_t i = 0; i < COUNT_OF(values); ++i) {
      values[i] = (double)random_in(is_signed_dtype(test.dtype) ? -2 : 0, 2);
    }
    for (int side = 0; side < 2; ++side) {
      test.options.window[side] = random_in(1, 3);
      test.options.strides[side] = random_in(1, 3);
    }
    test.options.column_major = (uint32_t)(round / 2 % 2);
    check_case(fixture, &test, values);
  }
}

static void indices_refused(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {1, 2, 4, 6}, half[] = {1, 2, 3, 5}, other[] = {1, 2, 3, 4};
  const netcl_status invalid = NETCL_ERROR_INVALID_ARGUMENT;
  NormTensor x = norm_random(fixture, NETCL_I64, 4, shape, NORM_PACKED, 0, 9);
  NormTensor good = norm_random(fixture, NETCL_I64, 4, half, NORM_PACKED, 7, 0);
  NormTensor small = norm_random(fixture, NETCL_I64, 4, other, NORM_PACKED, 0, 1);
  NormTensor narrow = norm_random(fixture, NETCL_I32, 4, half, NORM_PACKED, 0, 1);
  NormTensor real = norm_random(fixture, NETCL_F32, 4, shape, NORM_PACKED, 0, 1);
  netcl_pool2d_options options = NETCL_POOL2D_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  const netcl_range inner[] = {{0, 1, 1}, {0, 2, 1}, {0, 3, 1}, {0, 5, 1}};
  netcl_tensor *result = NULL, *part = NULL;
  options.window[0] = options.window[1] = 2;
  options.indices_into = small.tensor;
  FAILS_WITH(invalid, "options->indices_into has shape [1, 2, 3, 4]; the result has [1, 2, 3, 5]",
             netcl_op_pool2d(x.tensor, NETCL_POOLING_MAX, &options, NULL, &result));
  options.indices_into = narrow.tensor;
  FAILS_WITH(invalid, "options->indices_into is i32; indices are i64",
             netcl_op_pool2d(x.tensor, NETCL_POOLING_MAX, &options, NULL, &result));
  options.indices_into = good.tensor;
  FAILS_WITH(invalid, "options->indices_into is set and kind is 2",
             netcl_op_pool2d(real.tensor, NETCL_POOLING_AVERAGE, &options, NULL, &result));
  run.into = good.tensor;
  FAILS_WITH(invalid, "options->indices_into shares its memory with run->into",
             netcl_op_pool2d(x.tensor, NETCL_POOLING_MAX, &options, &run, NULL));
  OK(netcl_tensor_slice(x.tensor, inner, 4, &part));
  options.indices_into = part;
  FAILS_WITH(invalid, "options->indices_into shares its memory with x",
             netcl_op_pool2d(x.tensor, NETCL_POOLING_MAX, &options, NULL, &result));
  options.indices_into = NULL;
  options.column_major = 2;
  FAILS_WITH(invalid, "options->column_major is 2",
             netcl_op_pool2d(x.tensor, NETCL_POOLING_MAX, &options, NULL, &result));
  assert_null(result);
  double* kept = norm_read(good.tensor, NETCL_I64, 30);
  for (int i = 0; i < 30; ++i) CHECK(kept[i] == 7, "index %d was written to", i);
  free(kept);
  netcl_tensor_release(part);
  NormTensor* const all[] = {&x, &good, &small, &narrow, &real};
  for (size_t i = 0; i < COUNT_OF(all); ++i) norm_free(all[i]);
}

static netcl_status try_pool(netcl_tensor* x, int64_t window, int64_t padding, int64_t stride,
                             int64_t dilation) {
  netcl_pool2d_options options = NETCL_POOL2D_OPTIONS_INIT;
  netcl_tensor* result = NULL;
  options.window[0] = window;
  options.padding[0] = padding;
  options.strides[0] = stride;
  options.dilations[0] = dilation;
  const netcl_status status = netcl_op_pool2d(x, NETCL_POOLING_MAX, &options, NULL, &result);
  netcl_tensor_release(result);
  return status;
}

static void errors(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {1, 2, 5, 6}, empty[] = {1, 2, 0, 6};
  const netcl_status invalid = NETCL_ERROR_INVALID_ARGUMENT;
  NormTensor x = norm_random(fixture, NETCL_F32, 4, shape, NORM_PACKED, 0, 1);
  NormTensor flat = norm_random(fixture, NETCL_F32, 3, shape, NORM_PACKED, 0, 1);
  NormTensor hollow = norm_random(fixture, NETCL_F32, 4, empty, NORM_PACKED, 0, 1);
  NormTensor whole = norm_random(fixture, NETCL_I32, 4, shape, NORM_PACKED, 0, 1);
  NormTensor flags = norm_random(fixture, NETCL_BOOL, 4, shape, NORM_PACKED, 0, 1);
  netcl_pool2d_options options = NETCL_POOL2D_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor* result = NULL;
  FAILS_WITH(invalid, "kind is 0", netcl_op_pool2d(x.tensor, 0, NULL, NULL, &result));
  FAILS_WITH(invalid, "kind is 3", netcl_op_pool2d(x.tensor, 3, NULL, NULL, &result));
  FAILS_WITH(invalid, "x has rank 3",
             netcl_op_pool2d(flat.tensor, NETCL_POOLING_MAX, NULL, NULL, &result));
  FAILS_WITH(invalid, "[1, 2, 0, 6]",
             netcl_op_pool2d(hollow.tensor, NETCL_POOLING_MAX, NULL, NULL, &result));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "x is i32; average",
             netcl_op_pool2d(whole.tensor, NETCL_POOLING_AVERAGE, NULL, NULL, &result));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "x is bool",
             netcl_op_pool2d(flags.tensor, NETCL_POOLING_MAX, NULL, NULL, &result));
  FAILS_WITH(invalid, "options->window[0] is -1; it is 0 to 2147483647",
             try_pool(x.tensor, -1, 0, 0, 0));
  FAILS_WITH(invalid,
             "options->padding[0] is 3; it must be less than what the window spans with its "
             "dilation, 3",
             try_pool(x.tensor, 3, 3, 0, 0));
  FAILS_WITH(invalid, "options->padding[0] is 5; it must be less than what the window spans",
             try_pool(x.tensor, 3, 5, 0, 2));
  OK(try_pool(x.tensor, 3, 4, 0, 2));
  FAILS_WITH(invalid, "options->padding[0] is -1; it is 0 to 2147483647",
             try_pool(x.tensor, 3, -1, 0, 0));
  FAILS_WITH(invalid, "options->strides[0] is -2; it is 0 to 2147483647",
             try_pool(x.tensor, 3, 0, -2, 0));
  FAILS_WITH(invalid, "options->dilations[0] is -2", try_pool(x.tensor, 3, 0, 0, -2));
  FAILS_WITH(invalid,
             "options->window[0] = 9, dilation 1); x has shape [1, 2, 5, 6], whose height "
             "with padding is 8",
             try_pool(x.tensor, 9, 3, 0, 0));
  FAILS_WITH(invalid, "reaches over 7 elements", try_pool(x.tensor, 3, 0, 0, 3));
  FAILS_WITH(invalid, "options->window[0] is 2147483648; it is 0 to 2147483647",
             try_pool(x.tensor, (int64_t)1 << 31, 0, 0, 0));
  FAILS_WITH(invalid, "options->strides[0] is 2147483648; it is 0 to 2147483647",
             try_pool(x.tensor, 3, 0, (int64_t)1 << 31, 0));
  FAILS_WITH(invalid, "options->dilations[0] is 2147483648; it is 0 to 2147483647",
             try_pool(x.tensor, 3, 0, 0, (int64_t)1 << 31));
  FAILS(invalid, try_pool(x.tensor, INT64_MAX, 0, 0, INT64_MAX));
  FAILS(invalid, try_pool(x.tensor, INT32_MAX, INT32_MAX - 1, INT32_MAX, INT32_MAX));
  options.ceil_mode = 2;
  FAILS_WITH(invalid, "options->ceil_mode is 2",
             netcl_op_pool2d(x.tensor, NETCL_POOLING_MAX, &options, NULL, &result));
  options.ceil_mode = 0;
  options.window[0] = options.window[1] = 1;
  run.into = x.tensor;
  FAILS_WITH(invalid, "shares its memory with x",
             netcl_op_pool2d(x.tensor, NETCL_POOLING_MAX, &options, &run, NULL));
  assert_null(result);
  NormTensor* const all[] = {&x, &flat, &hollow, &whole, &flags};
  for (size_t i = 0; i < COUNT_OF(all); ++i) norm_free(all[i]);
}

int main(void) {
  static const struct CMUnitTest kTests[] = {
      DEVICE_TEST(random_cases), DEVICE_TEST(large_windows), DEVICE_TEST(special_values),
      DEVICE_TEST(errors),       DEVICE_TEST(ties),          DEVICE_TEST(indices_refused),
      DEVICE_TEST(as_kernels)};
  seed_random("pool2d");
  return cmocka_run_group_tests_name("pool2d", kTests, NULL, NULL);
}
