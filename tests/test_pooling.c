/* Pooling over one to three axes of space against a walk over the windows: maxima exact, averages
 * and norms within the bounds of the header. */
#include <math.h>

#include "support_norm.h"
#include "support_pooling.h"

typedef struct Case {
  netcl_dtype dtype;
  netcl_pooling kind;
  int64_t shape[5];
  Windows options;
  NormLayout layout;
  int into;
  int indices; /* 1: the index of each maximum is asked for */
} Case;

static int axes_of(const Case* test) { return test->options.axes == 0 ? 2 : test->options.axes; }
static int64_t or_else(int64_t value, int64_t zero) { return value == 0 ? zero : value; }
static int64_t window_of(const Case* test, int axis) {
  return or_else(test->options.window[axis], test->shape[2 + axis]);
}

/* The extent of the result along one axis, as ONNX and PyTorch have it. */
static int64_t result_extent(const Case* test, int axis) {
  const Windows* o = &test->options;
  const int64_t extent = test->shape[2 + axis], stride = or_else(o->strides[axis], 1);
  const int64_t room = extent + o->padding[axis] + o->padding[axes_of(test) + axis] -
                       (window_of(test, axis) - 1) * or_else(o->dilations[axis], 1) - 1;
  int64_t count = room / stride + 1;
  if (o->ceil_mode && room % stride != 0) ++count;
  if (o->ceil_mode && (count - 1) * stride >= extent + o->padding[axis]) --count;
  return count;
}

static void result_shape(const Case* test, int64_t* shape) {
  for (int d = 0; d < 2; ++d) shape[d] = test->shape[d];
  for (int axis = 0; axis < axes_of(test); ++axis) shape[2 + axis] = result_extent(test, axis);
}

static double lowest(netcl_dtype dtype) {
  if (is_float_dtype(dtype)) return -INFINITY;
  return is_signed_dtype(dtype) ? -ldexp(1, (int)netcl_dtype_size(dtype) * 8 - 1) : 0;
}

enum { IN_PADDING = -1, BEYOND = -2 };

/* Where a tap of window `at` lies in its plane, and by_columns with the first axis the fastest. */
static int64_t tap_place(const Case* test, int64_t at, int64_t tap, int64_t* by_columns) {
  const Windows* o = &test->options;
  const int axes = axes_of(test);
  int64_t places[3], place = 0, step = 1;
  int padding = 0;
  for (int d = axes; d-- > 0;) {
    const int64_t extent = test->shape[2 + d], results = result_extent(test, d);
    places[d] = at % results * or_else(o->strides[d], 1) - o->padding[d] +
                tap % window_of(test, d) * or_else(o->dilations[d], 1);
    at /= results;
    tap /= window_of(test, d);
    if (places[d] >= extent + o->padding[axes + d]) return BEYOND;
    padding = padding || places[d] < 0 || places[d] >= extent;
    place += places[d] * step;
    step *= extent;
  }
  *by_columns = 0;
  for (int d = axes; d-- > 0;) *by_columns = *by_columns * test->shape[2 + d] + places[d];
  return padding ? IN_PADDING : place;
}

/* What one window gives. */
typedef struct Found {
  double value, absolute;  /* the second is what errors of averages are measured by */
  int64_t taps, index;
} Found;

static Found reference(const Case* test, const double* plane, int64_t at) {
  const double p = test->options.p == 0 ? 2 : test->options.p;
  long double sum = 0, powers = 0;
  double most = lowest(test->dtype);
  int64_t counted = 0, taps = 1;
  Found found = {0, 0, 0, -1};
  for (int axis = 0; axis < axes_of(test); ++axis) taps *= window_of(test, axis);
  for (int64_t tap = 0; tap < taps; ++tap) {
    int64_t by_columns = 0;
    const int64_t place = tap_place(test, at, tap, &by_columns);
    counted += place >= 0 || (place == IN_PADDING && test->options.count_include_pad);
    if (place < 0) continue;
    const double v = plane[place];
    if (found.index < 0 || v > most || (isnan(v) && !isnan(most))) {
      most = v;
      found.index = test->options.column_major ? by_columns : place;
    }
    sum += v;
    powers += powl(fabsl((long double)v), (long double)p);
    found.absolute += fabs(v);
    ++found.taps;
  }
  found.absolute /= (double)counted;
  found.value = test->kind == NETCL_POOLING_MAX  ? most
                : test->kind == NETCL_POOLING_LP ? (double)powl(powers, 1 / (long double)p)
                                                 : (double)(sum / counted);
  return found;
}

static double bound_of(const Case* test, const Found* found) {
  if (test->kind == NETCL_POOLING_MAX || found->taps == 0) return 0;
  const double eps = norm_compute_roundoff(test->dtype), taps = log2((double)found->taps);
  const double p = test->options.p == 0 ? 2 : test->options.p;
  return norm_rounding(test->dtype, found->value) +
         (test->kind == NETCL_POOLING_LP ? (128 + taps) * (1 + 1 / p) * eps * found->value
                                         : (64 + taps) * eps * found->absolute);
}

static void check_results(const Case* test, const double* x, const double* got,
                          const int64_t* indices) {
  int64_t shape[5], size = 1, each = 1;
  result_shape(test, shape);
  for (int axis = 0; axis < axes_of(test); ++axis) {
    size *= test->shape[2 + axis];
    each *= shape[2 + axis];
  }
  for (int64_t at = 0; at < shape[0] * shape[1] * each; ++at) {
    const int64_t plane = at / each;
    const Found found = reference(test, x + plane * size, at % each);
    const double bound = bound_of(test, &found), wanted = found.value;
    const int same = isnan(wanted)                 ? isnan(got[at])
                     : isinf(wanted) || bound == 0 ? got[at] == wanted
                                                   : fabs(got[at] - wanted) <= bound;
    CHECK(same, "kind %d of %s over %d axes, result %lld of %lld x %lld: %.9g, not %.9g",
          test->kind, netcl_dtype_name(test->dtype), axes_of(test), (long long)at,
          (long long)(shape[0] * shape[1]), (long long)each, got[at], wanted);
    if (indices == NULL) continue;
    const int64_t index = found.index < 0 ? -1 : plane * size + found.index;
    CHECK(indices[at] == index, "%s over %d axes, column_major %u, index %lld: %lld, not %lld",
          netcl_dtype_name(test->dtype), axes_of(test), test->options.column_major, (long long)at,
          (long long)indices[at], (long long)index);
  }
}

static void check_case(Fixture* fixture, const Case* test, const double* values) {
  const uint32_t rank = (uint32_t)(2 + axes_of(test));
  int64_t shape[5];
  result_shape(test, shape);
  const int real = is_float_dtype(test->dtype);
  const double spread = real ? 3 : 100;
  NormTensor x = norm_random(fixture, test->dtype, rank, test->shape, test->layout,
                             real || is_signed_dtype(test->dtype) ? 0 : 100, spread);
  if (values != NULL) norm_write(&x, values);
  NormTensor into =
      norm_random(fixture, test->dtype, rank, shape,
                  test->layout == NORM_LAST_FIRST ? NORM_LAST_FIRST : NORM_VIEW, 50, 1);
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor* made = NULL;
  if (test->into) run.into = into.tensor;
  netcl_pooling_options options = pooling_options(&test->options);
  NormTensor indices = norm_random(fixture, NETCL_I64, rank, shape,
                                   random_in(0, 1) ? NORM_VIEW : NORM_PACKED, 50, 40);
  if (test->indices) options.indices_into = indices.tensor;
  OK(netcl_op_pool(x.tensor, test->kind, &options, &run, test->into ? NULL : &made));
  const netcl_tensor_info info = tensor_info(test->into ? into.tensor : made);
  assert_int_equal(info.rank, rank);
  for (uint32_t d = 0; d < rank; ++d) {
    CHECK(info.shape[d] == shape[d], "extent %u is %lld, not %lld", d, (long long)info.shape[d],
          (long long)shape[d]);
  }
  double* before = norm_values(&x);
  double* got = norm_read(test->into ? into.tensor : made, test->dtype, product(rank, shape));
  int64_t* places = test->indices ? read_tensor(indices.tensor) : NULL;
  check_results(test, before, got, places);
  free(places);
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
static void random_sizes(Case* test) {
  Windows* o = &test->options;
  const int axes = axes_of(test);
  for (int axis = 0; axis < axes; ++axis) {
    const int64_t window = random_in(1, random_in(0, 5) == 0 && axes < 3 ? 12 : 4);
    o->window[axis] = random_in(0, 8) == 0 ? 0 : window;
    o->strides[axis] = random_in(0, 3);
    o->dilations[axis] = random_in(0, 4) == 0 ? random_in(2, 3) : random_in(0, 1);
    const int64_t reach = (window - 1) * or_else(o->dilations[axis], 1) + 1;
    const int64_t more = axes == 3 ? 5 : random_in(0, 3) == 0 ? 70 : 12;
    test->shape[2 + axis] = reach + random_in(0, more);
    if (o->window[axis] != 0) {
      o->padding[axis] = random_in(0, reach - 1);
      o->padding[axes + axis] = random_in(0, reach - 1);
    } else {
      o->dilations[axis] = 1;
    }
  }
  o->ceil_mode = (uint32_t)random_in(0, 1);
  o->count_include_pad = (uint32_t)random_in(0, 1);
}

static void random_cases(void** state) {
  Fixture* fixture = *state;
  static const int kAxes[] = {2, 1, 3};
  static const double kPowers[] = {0, 1, 2, 3, 1.5, 4};
  for (int round = 0; round < rounds(fixture, 300); ++round) {
    Case test = {random_dtype(fixture),       NETCL_POOLING_MAX,    {0}, {.axes = kAxes[round % 3]},
                 (NormLayout)random_in(0, 3), (int)random_in(0, 1), 0};
    test.shape[0] = random_in(round % 20 == 0 ? 0 : 1, 3);
    test.shape[1] = random_in(1, random_in(0, 3) == 0 && test.options.axes < 3 ? 40 : 5);
    random_sizes(&test);
    const int64_t kind = is_float_dtype(test.dtype) ? random_in(0, 2) : 0;
    if (kind == 1) {
      test.kind = NETCL_POOLING_AVERAGE;
    } else if (kind == 2) {
      test.kind = NETCL_POOLING_LP;
      test.options.p = kPowers[random_in(0, 5)];
    } else {
      test.indices = (int)random_in(0, 1);
      test.options.column_major = (uint32_t)random_in(0, 1);
    }
    check_case(fixture, &test, NULL);
  }
}

/* A list of one number stands for that number along all axes. */
static void one_number_for_all(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {1, 2, 7, 8, 9}, two[] = {2}, one[] = {1};
  netcl_pooling_options few = NETCL_POOLING_OPTIONS_INIT;
  few.window = few.strides = few.dilations = two;
  few.padding = one;
  few.window_count = few.strides_count = few.dilations_count = few.padding_count = 1;
  for (int axes = 1; axes <= 3; ++axes) {
    const Windows all = {axes, {2, 2, 2}, {2, 2, 2}, {2, 2, 2}, {1, 1, 1, 1, 1, 1}, 0, 0, 0, 0};
    const netcl_pooling_options many = pooling_options(&all);
    NormTensor x =
        norm_random(fixture, NETCL_F32, (uint32_t)(2 + axes), shape, NORM_PACKED, 0, 3);
    netcl_tensor *a = NULL, *b = NULL;
    OK(netcl_op_pool(x.tensor, NETCL_POOLING_MAX, &few, NULL, &a));
    OK(netcl_op_pool(x.tensor, NETCL_POOLING_MAX, &many, NULL, &b));
    const netcl_tensor_info info = tensor_info(a);
    double *first = norm_read(a, NETCL_F32, info.element_count),
           *second = norm_read(b, NETCL_F32, tensor_info(b).element_count);
    for (int axis = 0; axis < axes; ++axis) {
      assert_int_equal(info.shape[2 + axis], (shape[2 + axis] + 2 - 3) / 2 + 1);
    }
    for (int64_t i = 0; i < info.element_count; ++i) assert_true(first[i] == second[i]);
    free(first);
    free(second);
    netcl_tensor_release(a);
    netcl_tensor_release(b);
    norm_free(&x);
  }
}

/* Whole planes, and windows large enough for other ways of adding up. */
static void large_windows(void** state) {
  Fixture* fixture = *state;
  static const int64_t kSizes[][2] = {{1, 1}, {7, 7}, {20, 20}, {60, 60}, {3, 1000}, {900, 5}};
  for (size_t i = 0; i < COUNT_OF(kSizes); ++i) {
    for (int form = 0; form < 4; ++form) {
      Case test = {form < 2 ? NETCL_F32 : norm_float_dtype(fixture),
                   form % 2 ? NETCL_POOLING_AVERAGE : NETCL_POOLING_MAX,
                   {2, 17, kSizes[i][0], kSizes[i][1]},
                   {0},
                   (NormLayout)(form == 3   ? NORM_LAST_FIRST
                                : form == 2 ? NORM_VIEW
                                            : NORM_PACKED),
                   0,
                   form % 2 == 0};
      check_case(fixture, &test, NULL);
      if (kSizes[i][0] * kSizes[i][1] > 1000) {
        test.options.window[0] = kSizes[i][0] - kSizes[i][0] / 4;
        test.options.window[1] = kSizes[i][1] - kSizes[i][1] / 4;
        for (int k = 0; k < 2; ++k) test.options.strides[k] = kSizes[i][k] / 12 + 2;
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
                   {0},
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
      NETCL_F32, NETCL_POOLING_MAX, {1, 1, 1, 1}, {0}, NORM_PACKED, 0, 1};
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
                 {0},
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

int main(void) {
  static const struct CMUnitTest kTests[] = {
      DEVICE_TEST(random_cases),       DEVICE_TEST(large_windows), DEVICE_TEST(special_values),
      DEVICE_TEST(one_number_for_all), DEVICE_TEST(ties),          DEVICE_TEST(as_kernels)};
  seed_random("pooling");
  return cmocka_run_group_tests_name("pooling", kTests, NULL, NULL);
}
