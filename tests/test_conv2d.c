/* 2-d convolutions of every variant against double precision. */
#include <math.h>

#include "support_conv2d.h"

static const struct {
  netcl_variant variant;
  uint32_t tile;
} kVariants[] = {
    {NETCL_VARIANT_AUTO, 0},
    {NETCL_VARIANT_CONV2D_NAIVE, 0},
    {NETCL_VARIANT_CONV2D_IM2COL, 0},
    {NETCL_VARIANT_CONV2D_IMPLICIT_GEMM, 0},
    {NETCL_VARIANT_CONV2D_TILED_LOCAL, 0},
    {NETCL_VARIANT_CONV2D_WINOGRAD, 2},
    {NETCL_VARIANT_CONV2D_WINOGRAD, 4},
};

/* How often a test repeats what builds new kernels each time; test_conv2d_variants_cl tries the
 * kernels of OpenCL devices one by one. */
static int times(const Fixture* fixture, int many, int few) {
  return fixture->kernels ? few : rounds(fixture, many);
}

/* Checks a case with every variant, or with the chosen and one more on OpenCL devices. Only
 * Winograd may refuse, and only what its method is not for: on the built-in device, and elsewhere
 * too for what fits. */
static void check_all(Fixture* fixture, ConvCase c) {
  const size_t one = (size_t)random_in(1, COUNT_OF(kVariants) - 1);
  for (size_t v = 0; v < COUNT_OF(kVariants); ++v) {
    if (fixture->kernels && v != 0 && v != one) continue;
    c.variant = kVariants[v].variant;
    c.tile = kVariants[v].tile;
    const int winograd = c.variant == NETCL_VARIANT_CONV2D_WINOGRAD;
    const int must_run =
        fixture->kernels
            ? c.variant == NETCL_VARIANT_AUTO || c.variant == NETCL_VARIANT_CONV2D_NAIVE
            : !winograd || conv_winograd_fits(&c);
    const int ran = conv_check(fixture, &c, must_run);
    CHECK(!winograd || conv_winograd_fits(&c) || !ran, "Winograd ran where it cannot");
  }
}

static void random_cases(void** state) {
  Fixture* fixture = *state;
  for (int i = 0; i < times(fixture, 150, 8); ++i) {
    ConvCase c = conv_random_case(12);
    conv_randomise_extras(&c);
    check_all(fixture, c);
  }
}

static void random_dtypes(void** state) {
  Fixture* fixture = *state;
  for (int i = 0; i < times(fixture, 30, 1); ++i) {
    for (netcl_dtype dtype = NETCL_F16; dtype <= NETCL_F64; ++dtype) {
      if (dtype == NETCL_F64 && !fixture->capabilities.fp64) continue;
      ConvCase c = conv_random_case(7);
      conv_randomise_extras(&c);
      c.dtype = dtype;
      check_all(fixture, c);
    }
  }
}

/* Every activation with every part of the epilogue. */
static void epilogues(void** state) {
  Fixture* fixture = *state;
  const int step = times(fixture, 1, 4);
  for (netcl_activation a = NETCL_ACTIVATION_NONE; a <= NETCL_ACTIVATION_CLIP; a += step) {
    ConvCase c = {.dtype = NETCL_F32,
                  .batch = 2,
                  .channels = 5,
                  .filters = 7,
                  .size = {9, 37},
                  .kernel = {3, 3},
                  .padding = {1, 1, 1, 1}};
    c.activation = a;
    c.alpha = a == NETCL_ACTIVATION_CLIP ? -0.5 : 0.3;
    c.beta = 0.6;
    c.bias = 1;
    c.batchnorm = a % 2;
    c.batchnorm_full = a % 3 == 0;
    c.residual = a % 3;
    c.into = 1;
    check_all(fixture, c);
  }
}

/* Sizes at which the loops of the built-in device and of GPUs are cut: blocks of the depth, strips
 * of columns, chunks of tiles, more than one image in a vector, few and many filters. */
static void larger_cases(void** state) {
  Fixture* fixture = *state;
  const ConvCase cases[] = {
      {.batch = 2,
       .channels = 70,
       .filters = 37,
       .size = {23, 29},
       .kernel = {3, 3},
       .padding = {1, 1, 1, 1}},
      {.batch = 5,
       .channels = 61,
       .filters = 50,
       .size = {7, 7},
       .kernel = {3, 3},
       .padding = {1, 1, 1, 1}},
      {.batch = 3, .channels = 600, .filters = 25, .size = {7, 7}, .kernel = {1, 1}},
      {.batch = 1, .channels = 20, .filters = 30, .size = {57, 61}, .kernel = {1, 1}},
      {.batch = 2,
       .channels = 33,
       .filters = 40,
       .size = {14, 15},
       .kernel = {1, 1},
       .strides = {2, 2}},
      {.batch = 1,
       .channels = 3,
       .filters = 20,
       .size = {61, 64},
       .kernel = {7, 7},
       .strides = {2, 2},
       .padding = {3, 3, 3, 3}},
      {.batch = 1,
       .channels = 48,
       .filters = 20,
       .size = {30, 31},
       .kernel = {3, 3},
       .strides = {2, 2},
       .padding = {1, 1, 1, 1}},
      {.batch = 1,
       .channels = 530,
       .filters = 13,
       .size = {10, 9},
       .kernel = {3, 3},
       .padding = {0, 2, 1, 0}},
      {.batch = 2,
       .channels = 16,
       .filters = 60,
       .size = {40, 3},
       .kernel = {3, 3},
       .padding = {1, 1, 1, 1}},
      {.batch = 1,
       .channels = 9,
       .filters = 11,
       .size = {5, 300},
       .kernel = {2, 5},
       .dilations = {2, 7},
       .padding = {0, 14, 1, 14}},
  };
  const int every = only_sanitized() ? 9 : fixture->kernels ? 3 : 1;
  for (size_t i = (size_t)random_in(0, every - 1); i < COUNT_OF(cases); i += (size_t)every) {
    ConvCase c = cases[i];
    c.dtype = NETCL_F32;
    check_all(fixture, c);
    c.x_layout = CONV_CHANNELS_LAST;
    c.into = 1;
    c.into_layout = CONV_CHANNELS_LAST;
    c.w_layout = i % 2 ? CONV_CHANNELS_LAST : CONV_C_ORDER;
    check_all(fixture, c);
  }
}

/* Filters over one channel of their own, with one or several filters per channel. */
static void depthwise(void** state) {
  Fixture* fixture = *state;
  for (int i = 0; i < times(fixture, 20, 3); ++i) {
    ConvCase c = {.dtype = NETCL_F32, .batch = 2, .channels = 1, .groups = 11};
    c.filters = i % 4 == 3 ? 2 : i % 8 == 6 ? 7 : 1;
    for (int axis = 0; axis < 2; ++axis) {
      c.kernel[axis] = i % 2 ? 3 : random_in(1, 7);
      c.strides[axis] = random_in(1, 3);
      c.dilations[axis] = random_in(1, 2);
      c.padding[axis] = random_in(0, 3);
      c.padding[axis + 2] = random_in(0, 3);
      c.size[axis] = random_in(13, 150);
    }
    if (i % 3 == 0) conv_randomise_extras(&c);
    check_all(fixture, c);
  }
}

/* One element images, filters larger than the image, and none of this or that. */
static void edges(void** state) {
  Fixture* fixture = *state;
  const ConvCase cases[] = {
      {.batch = 1, .channels = 1, .filters = 1, .size = {1, 1}, .kernel = {1, 1}},
      {.batch = 4, .channels = 20, .filters = 30, .size = {1, 1}, .kernel = {1, 1}},
      {.batch = 1,
       .channels = 11,
       .filters = 5,
       .size = {1, 9},
       .kernel = {1, 1},
       .padding = {0, 0, 3, 0}},
      {.batch = 2,
       .channels = 7,
       .filters = 5,
       .size = {4, 1},
       .kernel = {1, 1},
       .padding = {0, 0, 0, 2}},
      {.batch = 1,
       .channels = 3,
       .filters = 5,
       .size = {1, 1},
       .kernel = {3, 3},
       .padding = {1, 1, 1, 1}},
      {.batch = 2,
       .channels = 3,
       .filters = 5,
       .size = {2, 3},
       .kernel = {5, 6},
       .padding = {2, 3, 2, 3}},
      {.batch = 1,
       .channels = 2,
       .filters = 2,
       .size = {2, 2},
       .kernel = {3, 3},
       .padding = {9, 0, 5, 40}},
      {.batch = 1,
       .channels = 2,
       .filters = 2,
       .size = {5, 5},
       .kernel = {2, 2},
       .strides = {7, 100},
       .padding = {3, 90, 9, 80}},
      {.batch = 1,
       .channels = 2,
       .filters = 3,
       .size = {3, 3},
       .kernel = {2, 2},
       .dilations = {50, 60},
       .padding = {49, 59, 49, 59}},
      {.batch = 0, .channels = 2, .filters = 3, .size = {3, 3}, .kernel = {3, 3}},
      {.batch = 1, .channels = 2, .filters = 0, .size = {3, 3}, .kernel = {3, 3}},
      {.batch = 2,
       .channels = 2,
       .filters = 3,
       .size = {0, 4},
       .kernel = {3, 3},
       .padding = {1, 1, 2, 1},
       .bias = 1},
  };
  for (size_t i = 0; i < COUNT_OF(cases); ++i) {
    ConvCase c = cases[i];
    c.dtype = NETCL_F32;
    check_all(fixture, c);
  }
  /* Without channels every sum is 0, whatever computes it. */
  ConvCase c = {.dtype = NETCL_F32,
                .batch = 2,
                .filters = 3,
                .size = {3, 4},
                .kernel = {3, 3},
                .bias = 1,
                .activation = NETCL_ACTIVATION_RELU};
  assert_true(conv_check(fixture, &c, 1));
  c.variant = NETCL_VARIANT_CONV2D_NAIVE;
  assert_true(conv_check(fixture, &c, 1));
}

/* An image without rows that lies in the memory of others. */
static void no_rows(void** state) {
  Fixture* fixture = *state;
  for (netcl_dtype dtype = NETCL_F16; dtype <= NETCL_F32; ++dtype) {
    const int64_t x_shape[4] = {1, 2, 3, 4}, w_shape[4] = {3, 2, 3, 3};
    const netcl_range none[4] = {{0, 1, 1}, {0, 2, 1}, {1, 0, 1}, {0, 4, 1}};
    netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
    netcl_tensor *x, *w, *part, *y;
    float got[12];
    OK(netcl_tensor_create_zeros(fixture->device, dtype, 4, x_shape, NULL, NULL, &x));
    OK(netcl_tensor_create_zeros(fixture->device, dtype, 4, w_shape, NULL, NULL, &w));
    OK(netcl_tensor_slice(x, none, 4, &part));
    options.padding[0] = options.padding[2] = 2;
    OK(netcl_op_conv2d(part, w, &options, NULL, &y));
    assert_int_equal(tensor_info(y).element_count, 12);
    memset(got, POISON, sizeof got);
    OK(netcl_tensor_read(y, got, tensor_info(y).byte_count, NULL, NETCL_WAIT_FOREVER));
    for (int i = 0; i < 12; ++i) assert_true(load_double(dtype, got, i) == 0);
    netcl_tensor* const all[] = {x, w, part, y};
    for (size_t i = 0; i < COUNT_OF(all); ++i) netcl_tensor_release(all[i]);
  }
}

/* A new result has its channels innermost when x has, and is in C order otherwise. */
static void result_layout(void** state) {
  Fixture* fixture = *state;
  const int64_t stored[4] = {2, 5, 6, 8}, w_shape[4] = {3, 8, 3, 3}, plain[4] = {2, 8, 5, 6};
  const uint32_t axes[4] = {0, 3, 1, 2};
  netcl_tensor *base, *x, *w, *y;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 4, stored, NULL, NULL, &base));
  OK(netcl_tensor_permute(base, axes, 4, &x));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 4, w_shape, NULL, NULL, &w));
  OK(netcl_op_conv2d(x, w, NULL, NULL, &y));
  netcl_tensor_info info = tensor_info(y);
  const int64_t last[4] = {3 * 4 * 3, 1, 4 * 3, 3}, order[4] = {3 * 3 * 4, 3 * 4, 4, 1};
  assert_memory_equal(info.strides, last, sizeof last);
  netcl_tensor_release(y);
  netcl_tensor_release(x);
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 4, plain, NULL, NULL, &x));
  OK(netcl_op_conv2d(x, w, NULL, NULL, &y));
  info = tensor_info(y);
  assert_memory_equal(info.strides, order, sizeof order);
  netcl_tensor* const all[] = {base, x, w, y};
  for (size_t i = 0; i < COUNT_OF(all); ++i) netcl_tensor_release(all[i]);
}

/* Numbers that are none reach the outputs that read them and no others; ReLU keeps them. */
static void not_numbers(void** state) {
  Fixture* fixture = *state;
  const int64_t x_shape[4] = {1, 2, 9, 9}, w_shape[4] = {2, 2, 3, 3};
  float x_data[162], w_data[36];
  for (int i = 0; i < 162; ++i) x_data[i] = (float)random_real(-1, 1);
  for (int i = 0; i < 36; ++i) w_data[i] = (float)random_real(0.5, 1);
  x_data[4 * 9 + 4] = NAN;
  x_data[81 + 0] = INFINITY;
  netcl_tensor* x = make_tensor(fixture->device, NETCL_F32, 4, x_shape, x_data);
  netcl_tensor* w = make_tensor(fixture->device, NETCL_F32, 4, w_shape, w_data);
  for (size_t v = 1; v < 5; ++v) {
    netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
    netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
    netcl_tensor* y = NULL;
    for (int i = 0; i < 4; ++i) options.padding[i] = 1;
    epilogue.activation = NETCL_ACTIVATION_RELU;
    options.epilogue = &epilogue;
    options.variant = kVariants[v].variant;
    const netcl_status status = netcl_op_conv2d(x, w, &options, NULL, &y);
    if (fixture->opencl && status == NETCL_ERROR_UNSUPPORTED) continue;
    OK(status);
    float* got = read_tensor(y);
    for (int i = 0; i < 162; ++i) {
      const int row = i / 9 % 9, column = i % 9;
      const int nan = row >= 3 && row <= 5 && column >= 3 && column <= 5;
      const int inf = row <= 1 && column <= 1;
      CHECK(isnan(got[i]) == nan, "%s: element %d is %g", netcl_variant_name(options.variant), i,
            got[i]);
      CHECK(nan || (got[i] == INFINITY) == inf, "%s: element %d is %g",
            netcl_variant_name(options.variant), i, got[i]);
    }
    free(got);
    netcl_tensor_release(y);
  }
  netcl_tensor_release(x);
  netcl_tensor_release(w);
}

static netcl_status activate(void* context, netcl_activation activation, netcl_tensor** result) {
  netcl_tensor** const inputs = context;
  netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  epilogue.activation = activation;
  options.epilogue = &epilogue;
  return netcl_op_conv2d(inputs[0], inputs[1], &options, NULL, result);
}

static void activation_defaults(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[4] = {1, 1, 2, 2}, one[4] = {1, 1, 1, 1};
  const float unit = 1;
  netcl_tensor* inputs[] = {make_tensor(fixture->device, NETCL_F32, 4, shape, kActivated),
                            make_tensor(fixture->device, NETCL_F32, 4, one, &unit)};
  check_activation_defaults(activate, inputs, "options->epilogue");
  for (size_t i = 0; i < COUNT_OF(inputs); ++i) netcl_tensor_release(inputs[i]);
}

/* Coefficients of f32 with a product in f64 are not rounded to f32 on the way. */
static void wide_coefficients(void** state) {
  Fixture* fixture = *state;
  if (!fixture->capabilities.fp64) SKIP("no fp64");
  const int64_t shape[4] = {1, 1, 1, 1}, filters[1] = {1};
  const double x = 1, w = 3;
  const float mean = 1.1f, variance = 2.3f, bias = 0.7f, scale = 1.3f, shift = 0.1f;
  netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  netcl_conv2d_batchnorm norm = NETCL_CONV2D_BATCHNORM_INIT;
  netcl_tensor* tensors[7] = {make_tensor(fixture->device, NETCL_F64, 4, shape, &x),
                              make_tensor(fixture->device, NETCL_F64, 4, shape, &w),
                              make_tensor(fixture->device, NETCL_F32, 1, filters, &mean),
                              make_tensor(fixture->device, NETCL_F32, 1, filters, &variance),
                              make_tensor(fixture->device, NETCL_F32, 1, filters, &bias),
                              make_tensor(fixture->device, NETCL_F32, 1, filters, &scale),
                              make_tensor(fixture->device, NETCL_F32, 1, filters, &shift)};
  options.epilogue = &epilogue;
  epilogue.bias = tensors[4];
  norm.mean = tensors[2];
  norm.variance = tensors[3];
  for (int parts = 0; parts < 3; ++parts) {
    netcl_tensor* y = NULL;
    options.batchnorm = parts > 0 ? &norm : NULL;
    norm.scale = parts > 1 ? tensors[5] : NULL;
    norm.bias = parts > 1 ? tensors[6] : NULL;
    const double factor = (parts > 1 ? (double)scale : 1) / sqrt((double)variance + 1e-5);
    const double plain = x * w + (double)bias;
    const double wanted =
        parts == 0 ? plain : (plain - (double)mean) * factor + (parts > 1 ? (double)shift : 0);
    double got;
    OK(netcl_op_conv2d(tensors[0], tensors[1], &options, NULL, &y));
    OK(netcl_tensor_read(y, &got, sizeof got, NULL, LONG_WAIT));
    CHECK(fabs(got - wanted) <= 1e-14, "with %d parts: %.17g, not %.17g", parts, got, wanted);
    netcl_tensor_release(y);
  }
  for (size_t i = 0; i < COUNT_OF(tensors); ++i) netcl_tensor_release(tensors[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(random_cases),      DEVICE_TEST(random_dtypes),
      DEVICE_TEST(epilogues),         DEVICE_TEST(larger_cases),
      DEVICE_TEST(depthwise),         DEVICE_TEST(edges),
      DEVICE_TEST(no_rows),           DEVICE_TEST(result_layout),
      DEVICE_TEST(not_numbers),       DEVICE_TEST(activation_defaults),
      DEVICE_TEST(wide_coefficients),
  };
  seed_random("conv2d");
  return cmocka_run_group_tests_name("conv2d", tests, NULL, NULL);
}
