/* Convolutions by matrix units: on request against double precision, and refused where a device or
 * a call does not fit. */
#include "support_conv2d_variants.h"

#include <math.h>

static const netcl_dtype kHalves[] = {NETCL_F16, NETCL_BF16};

#define NEED_UNITS(fixture)                                              \
  if ((fixture)->capabilities.matrix_units == NETCL_MATRIX_UNITS_NONE) { \
    SKIP("the device has no matrix units that netcl uses");              \
  }

static Case units_case(netcl_dtype dtype, int64_t batch, int64_t channels, int64_t side,
                       int64_t filters, int64_t kernel) {
  Case c;
  memset(&c, 0, sizeof c);
  c.dtype = dtype;
  c.variant = NETCL_VARIANT_CONV2D_MATRIX_UNITS;
  c.batch = batch;
  c.channels = channels;
  c.filters = filters;
  c.groups = 1;
  c.height = c.width = side;
  for (int i = 0; i < 2; ++i) c.kernel[i] = kernel, c.strides[i] = c.dilations[i] = 1;
  for (int i = 0; i < 4; ++i) c.padding[i] = kernel / 2;
  return c;
}

/* What does not fit is said before the device is looked at. */
static void refused(void** state) {
  Fixture* fixture = *state;
  static const struct {
    netcl_dtype dtype;
    int64_t groups, stride;
    const char* words;
  } kCases[] = {{NETCL_F32, 1, 1, "f16 and bf16"},
                {NETCL_F16, 2, 1, "groups of 1, and there are 2"},
                {NETCL_BF16, 1, 9, "strides up to 8"},
                {NETCL_F16, 1, 1, "no matrix units"}};
  const int64_t x_shape[] = {1, 4, 9, 9};
  const uint32_t zero = 0;
  for (size_t i = 0; i < COUNT_OF(kCases); ++i) {
    if (i == 3 && fixture->capabilities.matrix_units != NETCL_MATRIX_UNITS_NONE) continue;
    const int64_t w_shape[] = {4, 4 / kCases[i].groups, 1, 1};
    netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
    netcl_tensor *x = NULL, *w = NULL, *result = NULL;
    OK(netcl_tensor_create_full(fixture->device, kCases[i].dtype, 4, x_shape, NULL, &zero, NULL,
                                &x));
    OK(netcl_tensor_create_full(fixture->device, kCases[i].dtype, 4, w_shape, NULL, &zero, NULL,
                                &w));
    options.variant = NETCL_VARIANT_CONV2D_MATRIX_UNITS;
    options.groups = kCases[i].groups;
    options.strides[0] = kCases[i].stride;
    FAILS(NETCL_ERROR_UNSUPPORTED, netcl_op_conv2d(x, w, &options, NULL, &result));
    assert_null(result);
    assert_non_null(strstr(netcl_last_error_message(), "conv2d_matrix_units"));
    CHECK(strstr(netcl_last_error_message(), kCases[i].words) != NULL, "%s",
          netcl_last_error_message());
    netcl_tensor_release(x);
    netcl_tensor_release(w);
  }
}

/* Boxes that fill lines, columns and batches; channels of less than a stage, of one and of several;
 * filters of less than a tile and of several; depths that are cut into pieces. */
static void sizes(void** state) {
  Fixture* fixture = *state;
  NEED_UNITS(fixture);
  static const int64_t kSizes[][5] = {/* batch, channels, side, filters, kernel */
                                      {1, 1, 1, 1, 1},    {1, 8, 8, 8, 3},    {70, 16, 3, 24, 3},
                                      {2, 64, 16, 64, 3}, {3, 72, 7, 72, 3},  {1, 130, 9, 70, 5},
                                      {2, 3, 33, 17, 7},  {1, 512, 7, 40, 3}, {5, 40, 14, 300, 3}};
  for (size_t i = 0; i < COUNT_OF(kSizes); ++i) {
    for (int form = 0; form < 4; ++form) {
      const int64_t* const s = kSizes[i];
      Case c = units_case(kHalves[form % 2], s[0], s[1], s[2], s[3], s[4]);
      /* Channels innermost, or none of it. */
      if (form >= 2) c.layouts[0] = c.layouts[1] = c.layouts[2] = 1;
      c.epilogue = (int)(i + (size_t)form) % 3;
      run_conv2d_case(fixture, &c);
    }
  }
}

/* Strides that a box of results cannot take along one line or column: it would reach too far. */
static void far_boxes(void** state) {
  Fixture* fixture = *state;
  NEED_UNITS(fixture);
  for (int64_t stride = 3; stride <= 8; ++stride) {
    for (int turned = 0; turned < 2; ++turned) {
      Case c = units_case(kHalves[stride % 2], 1, 8, 2, 16, 3);
      *(turned ? &c.height : &c.width) = 70 * stride;
      c.strides[0] = c.strides[1] = stride;
      c.layouts[0] = c.layouts[1] = c.layouts[2] = (int)random_in(0, 1);
      run_conv2d_case(fixture, &c);
    }
  }
}

static void random_cases(void** state) {
  Fixture* fixture = *state;
  NEED_UNITS(fixture);
  for (int round = 0; round < rounds(fixture, 60); ++round) {
    Case c = units_case(kHalves[random_in(0, 1)], random_in(1, 9), random_in(1, 150),
                        random_in(1, 20), random_in(1, 200), 1);
    c.width = random_in(1, 30);
    /* Whole runs of 16 bytes, which need no copies. */
    if (round % 3 == 0) c.channels = (c.channels + 7) / 8 * 8;
    if (round % 3 == 0) c.filters = (c.filters + 7) / 8 * 8;
    for (int i = 0; i < 2; ++i) {
      c.kernel[i] = random_in(1, 4);
      c.strides[i] = random_in(0, 2) == 0 ? random_in(1, 8) : 1;
      c.dilations[i] = random_in(1, 3);
      c.padding[i] = random_in(0, 4);
      c.padding[i + 2] = random_in(0, 4);
      const int64_t size = i ? c.width : c.height;
      while (size + c.padding[i] + c.padding[i + 2] < c.dilations[i] * (c.kernel[i] - 1) + 1) {
        ++c.padding[i];
      }
    }
    for (int i = 0; i < 3; ++i) c.layouts[i] = (int)random_in(0, 2);
    if (round % 3 == 0) c.layouts[0] = c.layouts[1] = c.layouts[2] = 1;
    c.epilogue = (int)random_in(0, 2);
    c.in_place = (int)random_in(0, 1);
    run_conv2d_case(fixture, &c);
  }
}

/* Infinities and NaN go where the elements they meet go, also where a tile has more stages than the
 * filter has places, and the same input gives the same bits. */
static void special_values(void** state) {
  Fixture* fixture = *state;
  NEED_UNITS(fixture);
  enum { SIDE = 9, CHANNELS = 8, FILTERS = 256 };
  const int64_t x_shape[] = {1, CHANNELS, SIDE, SIDE}, w_shape[] = {FILTERS, CHANNELS, 1, 1};
  static uint16_t x[CHANNELS * SIDE * SIDE], w[FILTERS * CHANNELS];
  for (size_t i = 0; i < COUNT_OF(x); ++i) x[i] = 0x3c00;
  for (size_t i = 0; i < COUNT_OF(w); ++i) w[i] = 0x3800;
  x[4 * SIDE + 4] = 0x7e00;                   /* NaN, under a result */
  x[SIDE * SIDE + 3 * SIDE + 4] = 0x7c00;     /* infinity, between results */
  x[2 * SIDE * SIDE + 8 * SIDE + 8] = 0xfc00; /* -infinity, under the last one */
  netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
  netcl_tensor *first = NULL, *second = NULL;
  netcl_tensor* image = make_tensor(fixture->device, NETCL_F16, 4, x_shape, x);
  netcl_tensor* filter = make_tensor(fixture->device, NETCL_F16, 4, w_shape, w);
  options.variant = NETCL_VARIANT_CONV2D_MATRIX_UNITS;
  options.strides[0] = options.strides[1] = 2;
  for (int i = 0; i < 4; ++i) options.padding[i] = 2;
  OK(netcl_op_conv2d(image, filter, &options, NULL, &first));
  OK(netcl_op_conv2d(image, filter, &options, NULL, &second));
  uint16_t* const got = read_tensor(first);
  CHECK_TENSOR(second, got);
  for (int i = 0; i < FILTERS * 7 * 7; ++i) {
    const int row = i / 7 % 7, column = i % 7;
    const double value = load_double(NETCL_F16, got, i);
    if (row == 3 && column == 3) {
      CHECK(isnan(value), "result %d is %g", i, value);
    } else if (row == 5 && column == 5) {
      CHECK(value == -INFINITY, "result %d is %g", i, value);
    } else {
      const int outside = row == 0 || row == 6 || column == 0 || column == 6;
      CHECK(value == (outside ? 0 : 4), "result %d is %g", i, value);
    }
  }
  free(got);
  netcl_tensor_release(first);
  netcl_tensor_release(second);
  netcl_tensor_release(image);
  netcl_tensor_release(filter);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(refused), DEVICE_TEST(sizes),
                                     DEVICE_TEST(far_boxes), DEVICE_TEST(random_cases),
                                     DEVICE_TEST(special_values)};
  seed_random("conv2d_units");
  return cmocka_run_group_tests_name("conv2d_units", tests, NULL, NULL);
}
