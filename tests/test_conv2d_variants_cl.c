/*
 * Every convolution of OpenCL devices against double precision: each variant, on CPUs as a function
 * of the host and as a kernel, over random sizes, strides, groups and epilogues.
 */
#include "support_conv2d_variants.h"
#include "support_kernel.h"
#include "support_process.h"

#include <math.h>

static const netcl_dtype kFloats[] = {NETCL_F32, NETCL_F16, NETCL_BF16, NETCL_F64};

/* ---- Cases ----------------------------------------------------------------------------------- */

static Case plain_case(netcl_variant variant, uint32_t tile) {
  Case c;
  memset(&c, 0, sizeof c);
  c.dtype = NETCL_F32;
  c.variant = variant;
  c.winograd_tile = tile;
  c.batch = c.channels = c.filters = c.groups = 1;
  for (int i = 0; i < 2; ++i) c.kernel[i] = 3, c.strides[i] = c.dilations[i] = 1;
  for (int i = 0; i < 4; ++i) c.padding[i] = 1;
  c.height = c.width = 8;
  return c;
}

/* What the variants have to do beyond one dtype and epilogue: blocks, several workers, tails. */
static void sizes(Fixture* fixture, netcl_variant variant, uint32_t tile) {
  static const int64_t kSizes[][6] = {
      /* batch, channels, height, width, filters, padding */
      {1, 1, 1, 1, 1, 1},     {1, 3, 3, 3, 1, 0},     {2, 5, 7, 7, 13, 1},
      {3, 16, 14, 14, 24, 1}, {1, 37, 33, 57, 41, 1}, {2, 64, 28, 29, 12, 2},
      {9, 4, 5, 4, 66, 1},    {1, 130, 6, 35, 70, 1}, {8, 24, 30, 30, 40, 1}};
  /* The last is for Winograd: GPUs that share memory transform its tiles in two pieces. */
  const size_t count = COUNT_OF(kSizes) - (variant != NETCL_VARIANT_CONV2D_WINOGRAD);
  const size_t third = (size_t)random_in(0, 2);
  const int combinations = variant == NETCL_VARIANT_CONV2D_WINOGRAD ? 2 : 4;
  for (size_t i = 0; i < count; ++i) {
    if (only_sanitized() && i % 3 != third) continue;
    Case c = plain_case(variant, tile);
    c.batch = kSizes[i][0];
    c.channels = kSizes[i][1];
    c.height = kSizes[i][2];
    c.width = kSizes[i][3];
    c.filters = kSizes[i][4];
    for (int k = 0; k < 4; ++k) c.padding[k] = kSizes[i][5];
    /* Of the layouts and the filters of 3 x 3 and 1 x 1 one each, all with NETCL_TEST_FULL=1. */
    const int one = process_full() ? -1 : (int)random_in(0, combinations - 1);
    for (int combination = 0; combination < combinations; ++combination) {
      if (one >= 0 && combination != one) continue;
      c.layouts[0] = c.layouts[2] = combination & 1;
      if (combination & 2) {
        c.kernel[0] = c.kernel[1] = 1;
        for (int k = 0; k < 4; ++k) c.padding[k] = 0;
      }
      run_conv2d_case(fixture, &c);
    }
  }
}

/* Filters that random cases take their sizes, strides and dilations from: kernels that stage x
 * in local memory are built for each. */
static const int64_t kFilters[][6] = {{1, 1, 1, 1, 1, 1}, {1, 1, 2, 3, 1, 1}, {3, 3, 2, 2, 1, 1},
                                      {5, 2, 1, 1, 2, 3}, {2, 4, 3, 1, 1, 2}, {3, 3, 1, 1, 1, 1}};

static void shuffle(Case* c, int free_filter) {
  const int64_t* const filter = kFilters[random_in(0, COUNT_OF(kFilters) - 1)];
  c->batch = random_in(1, 3);
  c->height = random_in(1, 24);
  c->width = random_in(1, 40);
  const int kind = free_filter ? (int)random_in(0, 3) : 3;
  c->groups = kind == 0 ? random_in(2, 9) : kind == 1 ? random_in(2, 3) : 1;
  c->channels = kind == 0 ? 1 : random_in(1, 19);
  c->filters = kind == 0 ? random_in(1, 2) : random_in(1, 29);
  for (int i = 0; i < 2; ++i) {
    c->kernel[i] = free_filter ? filter[i] : 3;
    c->strides[i] = free_filter ? filter[2 + i] : 1;
    c->dilations[i] = free_filter ? filter[4 + i] : 1;
    const int64_t size = i ? c->width : c->height;
    c->padding[i] = random_in(0, 3);
    c->padding[i + 2] = random_in(0, 3);
    if (c->kernel[0] * c->kernel[1] * c->strides[0] * c->strides[1] == 1 && c->batch < 3) {
      c->padding[i] = c->padding[i + 2] = 0;
    }
    while (size + c->padding[i] + c->padding[i + 2] < c->dilations[i] * (c->kernel[i] - 1) + 1) {
      ++c->padding[i];
    }
  }
  for (int i = 0; i < 3; ++i) c->layouts[i] = (int)random_in(0, 2);
  c->in_place = (int)random_in(0, 1);
}

/* Each pair of dtype and epilogue is a program of its own: all of them with NETCL_TEST_FULL=1, else
 * f32 without and with everything, and two others. */
static void random_cases(Fixture* fixture, netcl_variant variant, uint32_t tile) {
  const int other = (int)random_in(1, 2), many = process_full() ? 12 : sanitized_rounds(4);
  for (int epilogue = 0; epilogue < 3; ++epilogue) {
    for (int i = 0; i < (int)COUNT_OF(kFloats); ++i) {
      const int usual = i == 0 ? epilogue != 1 : i == other ? epilogue == 1 : i == 3 && !epilogue;
      if (!process_full() && !usual) continue;
      for (int round = 0; round < many; ++round) {
        Case c = plain_case(variant, tile);
        shuffle(&c, variant != NETCL_VARIANT_CONV2D_WINOGRAD);
        c.dtype = kFloats[i];
        c.epilogue = epilogue;
        run_conv2d_case(fixture, &c);
      }
    }
  }
}

static void check_variant(Fixture* fixture, netcl_variant variant, uint32_t tile) {
  sizes(fixture, variant, tile);
  random_cases(fixture, variant, tile);
}

/* ---- Tests ----------------------------------------------------------------------------------- */

#define VARIANT_TEST(name, variant, tile)      \
  static void name(void** state) {             \
    Fixture* fixture = *state;                 \
    NEEDS_OPENCL(fixture);                     \
    check_variant(fixture, (variant), (tile)); \
  }
VARIANT_TEST(naive, NETCL_VARIANT_CONV2D_NAIVE, 0)
VARIANT_TEST(im2col, NETCL_VARIANT_CONV2D_IM2COL, 0)
VARIANT_TEST(implicit_gemm, NETCL_VARIANT_CONV2D_IMPLICIT_GEMM, 0)
VARIANT_TEST(tiled_local, NETCL_VARIANT_CONV2D_TILED_LOCAL, 0)
VARIANT_TEST(winograd_2, NETCL_VARIANT_CONV2D_WINOGRAD, 2)
VARIANT_TEST(winograd_4, NETCL_VARIANT_CONV2D_WINOGRAD, 4)
VARIANT_TEST(chosen, 0, 0)

/* The same input gives the same bits. */
static void same_bits(void** state) {
  Fixture* fixture = *state;
  NEEDS_OPENCL(fixture);
  for (netcl_variant v = NETCL_VARIANT_CONV2D_NAIVE; v <= NETCL_VARIANT_CONV2D_WINOGRAD; ++v) {
    Operand o[TENSORS];
    netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
    netcl_tensor *first = NULL, *second = NULL;
    Case c = plain_case(v, 0);
    c.batch = 2, c.channels = 20, c.filters = 30, c.height = c.width = 31;
    c.out[0] = c.out[1] = 31;
    make_conv2d_operands(fixture, &c, o);
    for (int i = 0; i < 4; ++i) options.padding[i] = 1;
    options.variant = v;
    OK(netcl_op_conv2d(o[X].tensor, o[W].tensor, &options, NULL, &first));
    OK(netcl_op_conv2d(o[X].tensor, o[W].tensor, &options, NULL, &second));
    void* const data = read_tensor(first);
    CHECK_TENSOR(second, data);
    free(data);
    netcl_tensor_release(first);
    netcl_tensor_release(second);
    for (int i = X; i <= Y; ++i) drop_conv2d_operand(&o[i]);
  }
}

/* Infinities and NaN go where the elements they meet go; padding does not spread them. */
static void special_values(void** state) {
  Fixture* fixture = *state;
  NEEDS_OPENCL(fixture);
  static const netcl_variant kVariants[] = {NETCL_VARIANT_CONV2D_NAIVE, NETCL_VARIANT_CONV2D_IM2COL,
                                            NETCL_VARIANT_CONV2D_IMPLICIT_GEMM,
                                            NETCL_VARIANT_CONV2D_TILED_LOCAL};
  enum { SIDE = 9 };
  const int64_t x_shape[] = {1, 2, SIDE, SIDE};
  const int64_t w_shape[] = {3, 2, 3, 3};
  for (size_t v = 0; v < COUNT_OF(kVariants); ++v) {
    float x[2 * SIDE * SIDE], w[3 * 2 * 9];
    netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
    netcl_tensor* result = NULL;
    for (size_t i = 0; i < COUNT_OF(x); ++i) x[i] = 1;
    for (size_t i = 0; i < COUNT_OF(w); ++i) w[i] = 0.5f;
    x[4 * SIDE + 4] = NAN;
    x[SIDE * SIDE] = INFINITY;
    netcl_tensor* image = make_tensor(fixture->device, NETCL_F32, 4, x_shape, x);
    netcl_tensor* filter = make_tensor(fixture->device, NETCL_F32, 4, w_shape, w);
    for (int i = 0; i < 4; ++i) options.padding[i] = 1;
    options.variant = kVariants[v];
    OK(netcl_op_conv2d(image, filter, &options, NULL, &result));
    float* const got = read_tensor(result);
    for (int i = 0; i < 3 * SIDE * SIDE; ++i) {
      const int row = i / SIDE % SIDE, column = i % SIDE;
      const int nan = row >= 3 && row <= 5 && column >= 3 && column <= 5;
      const int inf = row <= 1 && column <= 1;
      CHECK(nan   ? isnan(got[i])
            : inf ? isinf(got[i]) && got[i] > 0
                  : isfinite(got[i]),
            "%s: y[%d, %d] is %g", netcl_variant_name(kVariants[v]), row, column, got[i]);
    }
    free(got);
    netcl_tensor_release(result);
    netcl_tensor_release(image);
    netcl_tensor_release(filter);
  }
}

/* The rule on a recorded device: 16-bit products of what is there are for matrix units, and those
 * of columns where others take longer. */
static void for_matrix_units(void** state) {
  Fixture* fixture = *state;
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  netcl_device_capabilities capabilities = NETCL_DEVICE_CAPABILITIES_INIT;
  /* Filters, channels, their size, the stride, padding, groups: the first is a product, the next
   * few are windows for them. */
  static const int64_t kShapes[][6] = {
      {64, 64, 1, 1, 0, 1},   {512, 256, 1, 2, 0, 1}, {64, 64, 1, 1, 1, 1}, {256, 256, 3, 1, 1, 1},
      {128, 128, 3, 2, 1, 1}, {64, 8, 3, 1, 1, 1},    {16, 64, 1, 1, 0, 1}, {64, 16, 1, 1, 0, 1},
      {16, 64, 3, 1, 1, 1},   {64, 4, 3, 1, 1, 1},    {64, 64, 3, 9, 1, 1}, {64, 64, 3, 1, 1, 2}};
  const size_t for_units = 6;
  for (int dtype = NETCL_F16; dtype <= NETCL_F32; ++dtype) {
    for (int units = 0; units < 2; ++units) {
      for (size_t i = 0; i < COUNT_OF(kShapes); ++i) {
        netcl_variant_options options = record_hopper(
            &info, &capabilities, units ? NETCL_MATRIX_UNITS_WGMMA : NETCL_MATRIX_UNITS_NONE);
        netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
        netcl_conv2d_shape shape = NETCL_CONV2D_SHAPE_INIT;
        options.dtype = dtype;
        shape.batch = 64;
        shape.filters = kShapes[i][0];
        shape.channels = kShapes[i][1];
        shape.height = shape.width = 56;
        shape.kernel_height = shape.kernel_width = kShapes[i][2];
        shape.strides[0] = shape.strides[1] = kShapes[i][3];
        shape.padding[3] = kShapes[i][4];
        shape.groups = kShapes[i][5];
        OK(netcl_variant_select_conv2d(fixture->device, &shape, &options, &config));
        const int wanted = units && i < for_units && dtype != NETCL_F32;
        const netcl_variant with_units =
            i == 0 ? NETCL_VARIANT_CONV2D_IM2COL : NETCL_VARIANT_CONV2D_MATRIX_UNITS;
        CHECK((config.variant == with_units) == wanted, "dtype %d, case %zu: %s", dtype, i,
              config.reason);
      }
    }
  }
}

int main(void) {
  static const struct CMUnitTest kTests[] = {
      DEVICE_TEST(naive),       DEVICE_TEST(im2col),          DEVICE_TEST(implicit_gemm),
      DEVICE_TEST(tiled_local), DEVICE_TEST(winograd_2),      DEVICE_TEST(winograd_4),
      DEVICE_TEST(chosen),      DEVICE_TEST(same_bits),       DEVICE_TEST(special_values),
      DEVICE_TEST(as_kernels),  DEVICE_TEST(for_matrix_units)};
  compile_quickly();
  seed_random("conv2d_variants_cl");
  return cmocka_run_group_tests_name("conv2d_variants_cl", kTests, NULL, NULL);
}
