/* RoiAlign and MaxRoiPool in every mode and dtype against loops in double precision; regions that
 * lie far out, turn around or are no numbers. */
#include <math.h>
#include <stdio.h>

#include "support_graph.h"
#include "support_onnx.h"
#include "support_regions.h"

enum { ELEMENTS = 1 << 14, REGIONS = 8 };

/* Eighths, whose halves and quotients by 1, 2 and 4 are what f32 and f64 both have. */
static double eighths(int64_t low, int64_t high) {
  return (double)random_in(8 * low, 8 * high) / 8;
}
/* As the dtype has it. */
static double rounded(netcl_dtype dtype, double value) {
  unsigned char bytes[8];
  store_double(dtype, bytes, 0, value);
  return load_double(dtype, bytes, 0);
}

static netcl_tensor *list_of(Fixture *fixture, netcl_dtype dtype, const Regions *c,
                             double rois[REGIONS][4], const int64_t *images) {
  double rows[REGIONS * 5];
  const int whole = c->kind == WHOLE;
  const int64_t shape[2] = {c->regions, whole ? 5 : 4};
  for (int64_t r = 0; r < c->regions; ++r) {
    if (whole) rows[5 * r] = (double)images[r];
    for (int d = 0; d < 4; ++d) rows[shape[1] * r + whole + d] = rois[r][d];
  }
  unsigned char bytes[sizeof rows];
  for (int64_t i = 0; i < shape[0] * shape[1]; ++i) store_double(dtype, bytes, i, rows[i]);
  return make_tensor(fixture->device, dtype, 2, shape, bytes);
}

static netcl_tensor *run(Fixture *fixture, netcl_dtype dtype, const Regions *c, netcl_tensor *x,
                         netcl_tensor *rois, netcl_tensor *images) {
  char attributes[256];
  OnnxBytes graph = {0};
  netcl_tensor *const inputs[3] = {x, rois, images};
  onnx_input(&graph, "x", dtype, NULL);
  onnx_input(&graph, "rois", dtype, NULL);
  if (c->kind != WHOLE) onnx_input(&graph, "images", NETCL_I64, NULL);
  onnx_output(&graph, "y", dtype, NULL);
  if (c->kind == WHOLE) {
    snprintf(attributes, sizeof attributes, "pooled_shape=[%d,%d] spatial_scale=0.5", (int)c->rows,
             (int)c->columns);
    onnx_node(&graph, "MaxRoiPool", "r", "x rois", "y", attributes);
  } else {
    snprintf(attributes, sizeof attributes,
             "mode:%s coordinate_transformation_mode:%s output_height=%d output_width=%d "
             "sampling_ratio=%d spatial_scale=0.5",
             c->kind == LARGEST ? "max" : "avg", c->half ? "half_pixel" : "output_half_pixel",
             (int)c->rows, (int)c->columns, (int)c->samples);
    onnx_node(&graph, "RoiAlign", "r", "x rois images", "y", attributes);
  }
  netcl_model *model = onnx_load(fixture, &graph, 16);
  netcl_tensor *y = onnx_run(model, inputs, c->kind == WHOLE ? 2 : 3);
  netcl_model_release(model);
  return y;
}

static void check_regions(Fixture *fixture, netcl_dtype dtype, const Regions *c) {
  static double x[ELEMENTS];
  static unsigned char elements[ELEMENTS * 8];
  const int64_t shape[4] = {c->images, c->channels, c->height, c->width};
  for (int64_t i = 0; i < c->images * c->channels * c->height * c->width; ++i) {
    /* Below 0 what lies outside is the largest. */
    x[i] = rounded(dtype, random_real(-2, c->half ? -0.5 : 2));
    store_double(dtype, elements, i, x[i]);
  }
  double rois[REGIONS][4];
  int64_t images[REGIONS];
  for (int64_t r = 0; r < c->regions; ++r) {
    images[r] = random_in(-1, c->images);
    for (int d = 0; d < 2; ++d) {
      rois[r][d] = eighths(-6, 8);
      /* The first one is narrower than an element of the image, the second one far larger. */
      const double size = r == 0 ? 0.25 : r == 1 ? 100 : eighths(0, 14);
      rois[r][2 + d] = rounded(dtype, rois[r][d] + size);
    }
  }
  netcl_tensor *image = make_tensor(fixture->device, dtype, 4, shape, elements),
               *list = list_of(fixture, dtype, c, rois, images),
               *numbers = make_tensor(fixture->device, NETCL_I64, 1, &c->regions, images),
               *y = run(fixture, dtype, c, image, list, numbers);
  const netcl_tensor_info info = tensor_info(y);
  assert_int_equal(info.dtype, dtype);
  assert_int_equal(info.element_count, c->regions * c->channels * c->rows * c->columns);
  void *got = read_tensor(y);
  for (int64_t i = 0; i < (int64_t)info.element_count; ++i) {
    const int64_t column = i % c->columns, row = i / c->columns % c->rows;
    const int64_t plane = i / (c->columns * c->rows), r = plane / c->channels;
    const int known = images[r] >= 0 && images[r] < c->images;
    const double *const from =
        x + ((known ? images[r] : 0) * c->channels + plane % c->channels) * c->height * c->width;
    const double wanted = !known ? 0
                          : c->kind == WHOLE
                              ? largest_element(c, from, rois[r], row, column)
                              : sampled_bin(c, from, rois[r], row, column);
    if (isnan(wanted)) continue;
    const double value = load_double(dtype, got, i);
    const double bound = dtype == NETCL_F16 ? 0x1p-9 : dtype == NETCL_BF16 ? 0x1p-6 : 1e-5;
    CHECK(fabs(value - wanted) <= bound,
          "%s, kind %d, %d samples, half %d: region %d (%g %g %g %g), bin %d %d is %.9g, not %.9g",
          netcl_dtype_name(dtype), c->kind, (int)c->samples, c->half, (int)r, rois[r][0],
          rois[r][1], rois[r][2], rois[r][3], (int)row, (int)column, value, wanted);
  }
  free(got);
  RELEASE(image, list, numbers, y);
}

static void modes(void **state) {
  Fixture *fixture = *state;
  static const netcl_dtype kFloats[4] = {NETCL_F32, NETCL_F16, NETCL_BF16, NETCL_F64};
  for (int d = 0; d < 4; ++d) {
    if (kFloats[d] == NETCL_F64 && !fixture->capabilities.fp64) continue;
    for (int kind = 0; kind < 3; ++kind) {
      for (int i = 0; i < 4; ++i) {
        const Regions c = {random_in(1, 2),     random_in(1, 3),
                           random_in(1, 6),     random_in(2, 6),
                           random_in(2, 5),     (int64_t)1 << random_in(0, 2),
                           (int64_t)1 << random_in(0, 2), i / 2 * (int64_t)random_in(1, 3),
                           kind,                i % 2};
        if (!left_out(fixture, 4)) check_regions(fixture, kFloats[d], &c);
      }
    }
  }
}

/* They end soon, and read nothing beside the image. */
static void strange_regions(void **state) {
  Fixture *fixture = *state;
  const float values[4] = {1, 2, 3, 4};
  const int64_t shape[4] = {1, 1, 2, 2}, zeros[REGIONS] = {0};
  double rois[REGIONS][4] = {{NAN, 0, 2, 2},      {0, 0, INFINITY, 2}, {-INFINITY, 0, INFINITY, 2},
                             {-1e30, 0, 1e30, 2}, {5, 5, 1, 1},        {1e30, 0, 1e30, 2},
                             {0, 0, 3e38, 3e38},  {0, 0, 4, 4}};
  netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 4, shape, values);
  for (int i = 0; i < 5; ++i) {
    const Regions c = {1, 1, 2, 2, REGIONS, 2, 2, i < 2 ? 0 : 2, i < 4 ? i % 2 : WHOLE, 1};
    netcl_tensor *list = list_of(fixture, NETCL_F32, &c, rois, zeros),
                 *numbers = make_tensor(fixture->device, NETCL_I64, 1, &c.regions, zeros),
                 *y = run(fixture, NETCL_F32, &c, x, list, numbers);
    float *got = read_tensor(y);
    /* Nothing larger than the image, and the last region is the image. */
    for (int k = 0; k < REGIONS * 4; ++k) assert_true(!(fabsf(got[k]) > 4));
    const double whole[4] = {0, 0, 4, 4};
    const double wanted = c.kind == WHOLE ? 4
                                          : sampled_bin(&c, (const double[4]){1, 2, 3, 4}, whole,
                                                        1, 1);
    CHECK(fabs((double)got[REGIONS * 4 - 1] - wanted) < 1e-5, "kind %d: %g, not %g", c.kind,
          (double)got[REGIONS * 4 - 1], wanted);
    free(got);
    RELEASE(list, numbers, y);
  }
  RELEASE(x);
}

/* One of two samples along each side lies between elements, the other one outside, which is 0 and
 * larger than what is below. */
static void half_outside(void **state) {
  Fixture *fixture = *state;
  const float values[4] = {-1, -1, -1, -1};
  const int64_t shape[4] = {1, 1, 2, 2}, image = 0, one = 1;
  double rois[REGIONS][4] = {{0.5, 0.5, 8.5, 8.5}};
  for (int kind = AVERAGE; kind <= LARGEST; ++kind) {
    const Regions c = {1, 1, 2, 2, 1, 1, 1, 2, kind, 1};
    netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 4, shape, values),
                 *list = list_of(fixture, NETCL_F32, &c, rois, &image),
                 *numbers = make_tensor(fixture->device, NETCL_I64, 1, &one, &image),
                 *y = run(fixture, NETCL_F32, &c, x, list, numbers);
    GIVES(y, kind == AVERAGE ? -0.25f : 0.0f);
    RELEASE(x, list, numbers, y);
  }
}

static netcl_status run_strange(Fixture *fixture, const char *op, const char *inputs,
                                const char *attributes, int64_t numbers) {
  OnnxBytes graph = {0};
  static const float zeros[64];
  const int64_t image[4] = {1, 1, 2, 2}, list[2] = {2, numbers}, line[1] = {2}, none[2] = {0};
  onnx_input(&graph, "x", NETCL_F32, NULL);
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_weight(&graph, "rois", NETCL_F32, 2, list, zeros);
  onnx_weight(&graph, "images", NETCL_I64, 1, line, none);
  onnx_node(&graph, op, "r", inputs, "y", attributes);
  OnnxBytes file = onnx_file(&graph, 16);
  netcl_model *model = NULL;
  netcl_status status =
      netcl_model_load_memory(fixture->device, file.data, file.size, NULL, &model);
  onnx_free(&file);
  if (status != NETCL_OK) return status;
  netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 4, image, zeros), *y = NULL;
  uint32_t count = 0;
  status = netcl_model_evaluate(model, &x, 1, NULL, &y, 1, &count);
  assert_null(y);
  RELEASE(x);
  netcl_model_release(model);
  return status;
}

static void refusals(void **state) {
  Fixture *fixture = *state;
  const char *const three = "x rois images";
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "sampling_ratio is 257; it is 0 to 256",
             run_strange(fixture, "RoiAlign", three, "sampling_ratio=257", 4));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "the height of the result is 0",
             run_strange(fixture, "RoiAlign", three, "output_height=0", 4));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "the width of the result is 65537",
             run_strange(fixture, "RoiAlign", three, "output_width=65537", 4));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "rois [2, 5]",
             run_strange(fixture, "RoiAlign", three, NULL, 5));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "RoiAlign with mode least",
             run_strange(fixture, "RoiAlign", three, "mode:least", 4));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "RoiAlign with coordinate_transformation_mode odd",
             run_strange(fixture, "RoiAlign", three, "coordinate_transformation_mode:odd", 4));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "rois of shape [2, 4] and a pooled_shape of 2 numbers",
             run_strange(fixture, "MaxRoiPool", "x rois", "pooled_shape=[1,1]", 4));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "a pooled_shape of 1 numbers",
             run_strange(fixture, "MaxRoiPool", "x rois", "pooled_shape=[1]", 5));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "the width of the result is -1",
             run_strange(fixture, "MaxRoiPool", "x rois", "pooled_shape=[1,-1]", 5));
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(modes), DEVICE_TEST(strange_regions),
                                     DEVICE_TEST(half_outside), DEVICE_TEST(refusals),
                                     DEVICE_TEST(as_kernels)};
  seed_random("model_regions");
  compile_quickly();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
