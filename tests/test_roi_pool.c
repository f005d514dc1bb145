/* roi_pool in every mode and dtype, on tensors that lie in all ways, against loops in double
 * precision; its gradients against central differences, at the edges of images too. */
#include "support_gradients_conv.h"
#include "support_graph.h"
#include "support_regions.h"

enum { ELEMENTS = 1 << 12, REGIONS = 6 };

/* ---- Results --------------------------------------------------------------------------------- */

static netcl_roi_pool_options options_of(const Regions* c) {
  netcl_roi_pool_options options = NETCL_ROI_POOL_OPTIONS_INIT;
  options.bins[0] = c->rows;
  options.bins[1] = c->columns;
  options.samples = c->samples;
  options.scale = kRegionScale;
  options.half_pixel = (uint32_t)c->half;
  return options;
}

/* Eighths, whose halves and quotients by 1, 2 and 4 are what f32 and f64 both have. */
static double eighths(int64_t low, int64_t high) {
  return (double)random_in(8 * low, 8 * high) / 8;
}

static void random_regions(const Regions* c, double* rois, int64_t* images) {
  for (int64_t r = 0; r < c->regions; ++r) {
    images[r] = random_in(0, 4) == 0 ? random_in(-1, c->images) : random_in(0, c->images - 1);
    for (int d = 0; d < 2; ++d) {
      rois[4 * r + d] = eighths(-6, 8);
      rois[4 * r + 2 + d] = rois[4 * r + d] + (r == 0 ? 0.25 : r == 1 ? 60 : eighths(0, 14));
    }
  }
}

static void check_pool(Fixture* fixture, netcl_dtype dtype, netcl_dtype places, netcl_dtype index,
                       const Regions* c) {
  static double x[ELEMENTS];
  static unsigned char bytes[ELEMENTS * 8];
  unsigned char list_bytes[REGIONS * 4 * 8], image_bytes[REGIONS * 8];
  const int64_t shape[4] = {c->images, c->channels, c->height, c->width};
  const int64_t result_shape[4] = {c->regions, c->channels, c->rows, c->columns};
  const int64_t list_shape[2] = {c->regions, 4};
  double rois[REGIONS * 4];
  int64_t images[REGIONS];
  random_regions(c, rois, images);
  for (int64_t i = 0; i < product(4, shape); ++i) {
    store_double(dtype, bytes, i, random_real(-2, c->half ? -0.5 : 2));
    x[i] = load_double(dtype, bytes, i);
  }
  for (int64_t i = 0; i < c->regions * 4; ++i) store_double(places, list_bytes, i, rois[i]);
  for (int64_t r = 0; r < c->regions; ++r) store_double(index, image_bytes, r, (double)images[r]);
  Strided image = make_strided(fixture->device, dtype, 4, shape, bytes);
  Strided list = make_strided(fixture->device, places, 2, list_shape, list_bytes);
  Strided numbers = make_strided(fixture->device, index, 1, &c->regions, image_bytes);
  Strided target = make_strided(fixture->device, dtype, 4, result_shape, NULL);
  const netcl_roi_pool_options options = options_of(c);
  const netcl_run_options run = run_into(target.view);
  netcl_tensor* y = NULL;
  OK(netcl_op_roi_pool(image.view, list.view, numbers.view, c->kind, &options, NULL, &y));
  OK(netcl_op_roi_pool(image.view, list.view, numbers.view, c->kind, &options, &run, NULL));
  void* got = read_tensor(y);
  CHECK_STRIDED(&target, got);
  for (int64_t i = 0; i < product(4, result_shape); ++i) {
    const int64_t column = i % c->columns, row = i / c->columns % c->rows;
    const int64_t plane = i / (c->columns * c->rows), r = plane / c->channels;
    const int known = images[r] >= 0 && images[r] < c->images;
    const double* const from =
        x + ((known ? images[r] : 0) * c->channels + plane % c->channels) * c->height * c->width;
    const double wanted = !known             ? 0
                          : c->kind == WHOLE ? largest_element(c, from, rois + 4 * r, row, column)
                                             : sampled_bin(c, from, rois + 4 * r, row, column);
    if (isnan(wanted)) continue;
    const double value = load_double(dtype, got, i);
    const double bound = 4 * unit_roundoff(dtype) + (dtype == NETCL_F64 ? 1e-12 : 1e-5);
    const double slack = dtype == NETCL_F64 && places == NETCL_F32 ? 1e-5 : bound;
    CHECK(fabs(value - wanted) <= slack, "%s, kind %d, %d samples: element %d is %.9g, not %.9g",
          netcl_dtype_name(dtype), c->kind, (int)c->samples, (int)i, value, wanted);
  }
  free(got);
  netcl_tensor_release(y);
  release_strided(&image);
  release_strided(&list);
  release_strided(&numbers);
  release_strided(&target);
}

static Regions random_case(int kind, int i) {
  return (Regions){random_in(1, 2),
                   random_in(1, 3),
                   random_in(1, 6),
                   random_in(2, 6),
                   random_in(2, REGIONS),
                   (int64_t)1 << random_in(0, 2),
                   (int64_t)1 << random_in(0, 2),
                   i / 2 % 2 * (int64_t)random_in(1, 3),
                   kind,
                   i % 2};
}

static void results(void** state) {
  Fixture* fixture = *state;
  static const netcl_dtype kFloats[4] = {NETCL_F32, NETCL_F16, NETCL_BF16, NETCL_F64};
  for (int d = 0; d < 4; ++d) {
    if (kFloats[d] == NETCL_F64 && !fixture->capabilities.fp64) continue;
    for (int kind = 0; kind < 3; ++kind) {
      for (int i = 0; i < 4; ++i) {
        const Regions c = random_case(kind, i);
        const int wide = fixture->capabilities.fp64 && (i + d) % 3 == 0;
        if (left_out(fixture, 4)) continue;
        check_pool(fixture, kFloats[d], wide ? NETCL_F64 : NETCL_F32,
                   i % 2 ? NETCL_I32 : NETCL_I64, &c);
      }
    }
  }
}

/* ---- Gradients ------------------------------------------------------------------------------- */

typedef struct Pool {
  netcl_tensor *rois, *images;
  netcl_roi_pooling kind;
  netcl_roi_pool_options options;
} Pool;

static netcl_status roi_call(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                              netcl_tensor** y) {
  const Pool* pool = context;
  return netcl_op_roi_pool(x[0], pool->rois, pool->images, pool->kind, &pool->options, run, y);
}
/* What a second derivative is not zero of. */
static netcl_status square_call(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                                netcl_tensor** y) {
  netcl_tensor* square = NULL;
  netcl_tensor* const both[] = {x[0], x[0]};
  OK(netcl_op_elementwise(NETCL_ELEMENTWISE_MUL, both, 2, NULL, run, &square));
  const netcl_status status = roi_call(context, &square, run, y);
  netcl_tensor_release(square);
  return status;
}

static Pool random_pool(Fixture* fixture, const Regions* c) {
  double rois[REGIONS * 4];
  float narrow[REGIONS * 4];
  int64_t images[REGIONS];
  random_regions(c, rois, images);
  for (int64_t i = 0; i < 4 * c->regions; ++i) narrow[i] = (float)rois[i];
  const int64_t shape[2] = {c->regions, 4};
  const int wide = fixture->capabilities.fp64 && random_in(0, 1);
  return (Pool){make_tensor(fixture->device, wide ? NETCL_F64 : NETCL_F32, 2, shape,
                            wide ? (const void*)rois : narrow),
                make_tensor(fixture->device, NETCL_I64, 1, &c->regions, images),
                (netcl_roi_pooling)c->kind, options_of(c)};
}
static void release_pool(Pool* pool) { RELEASE(pool->rois, pool->images); }

static void gradients(void** state) {
  Fixture* fixture = *state;
  const int tries = rounds(fixture, 36);
  for (int i = 0; i < tries; ++i) {
    const Regions c = random_case(i % 3, i / 3);
    Pool pool = random_pool(fixture, &c);
    /* Above zero no place outside of the image is the largest one in a step of a difference. */
    const GradientInput image = {
        4, {c.images, c.channels, c.height, c.width}, 0.5, 2.5, c.kind != AVERAGE, NULL};
    CHECK_GRADIENTS(fixture, "roi_pool", roi_call, &pool, &image, 1);
    release_pool(&pool);
  }
}

static void second_gradients(void** state) {
  Fixture* fixture = *state;
  for (int kind = 0; kind < 3; ++kind) {
    const Regions c = {2, 2, 4, 5, 3, 2, 2, 2, kind, 1};
    Pool pool = random_pool(fixture, &c);
    const GradientInput inputs[2] = {{4, {2, 2, 4, 5}, 0.5, 2.5, 1, NULL},
                                     {4, {3, 2, 2, 2}, 0, 0, 0, NULL}};
    Twice twice = {fixture, square_call, &pool, 1, 0};
    CHECK_GRADIENTS(fixture, "gradient of roi_pool", gradient_call, &twice, inputs, 2);
    release_pool(&pool);
  }
}

static void narrow_gradients(void** state) {
  Fixture* fixture = *state;
  static const netcl_dtype kFloats[] = {NETCL_F16, NETCL_BF16, NETCL_F32};
  for (size_t d = 0; d < COUNT_OF(kFloats); ++d) {
    for (int kind = 0; kind < 3; ++kind) {
      const Regions c = {2, 3, 5, 6, REGIONS, 2, 4, kind == 1, kind, 1};
      const double slack = (kind == AVERAGE ? 2 : 40) * unit_roundoff(kFloats[d]) + 1e-4;
      Pool pool = random_pool(fixture, &c);
      const GradientInput image = {4, {2, 3, 5, 6}, 0.5, 2.5, 0, NULL};
      CHECK_NARROW(fixture, kFloats[d], slack, "roi_pool", roi_call, &pool, &image, 1);
      release_pool(&pool);
    }
  }
}

/* Samples on the last row and column, a bin whose elements are equal, and one of no image. */
static void edges(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[4] = {1, 1, 2, 3}, list[2] = {2, 4}, two = 2, images[2] = {0, 1};
  const float values[6] = {1, 1, 1, 1, 1, 1}, rois[8] = {2, 1, 3, 2, 0, 0, 3, 2};
  static const double kWanted[3][6] = {
      {0, 0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 1}};
  for (int kind = 0; kind < 3; ++kind) {
    netcl_run_options run = recorded(fixture);
    netcl_roi_pool_options options = NETCL_ROI_POOL_OPTIONS_INIT;
    netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 4, shape, values),
                 *regions = make_tensor(fixture->device, NETCL_F32, 2, list, rois),
                 *numbers = make_tensor(fixture->device, NETCL_I64, 1, &two, images), *y = NULL;
    options.samples = 1;
    OK(netcl_op_roi_pool(x, regions, numbers, kind, &options, &run, &y));
    netcl_tensor *sum = sum_of(y, &run), *grad = gradient(&run, sum, x);
    check_elements(grad, 6, kWanted[kind], __LINE__);
    RELEASE(x, regions, numbers, y, sum, grad);
    netcl_graph_release(run.graph);
  }
}

static void mistakes(void** state) {
  Fixture* fixture = *state;
  const netcl_status bad = NETCL_ERROR_INVALID_ARGUMENT;
  const int64_t image[4] = {1, 1, 2, 2}, list[2] = {2, 4}, other[2] = {2, 5};
  const int64_t two = 2, none[2] = {0};
  const float zeros[16] = {0};
  netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 4, image, zeros),
               *rois = make_tensor(fixture->device, NETCL_F32, 2, list, zeros),
               *wrong = make_tensor(fixture->device, NETCL_F32, 2, other, zeros),
               *images = make_tensor(fixture->device, NETCL_I64, 1, &two, none),
               *reals = make_tensor(fixture->device, NETCL_F32, 1, &two, zeros), *y = NULL;
  netcl_roi_pool_options options = NETCL_ROI_POOL_OPTIONS_INIT;
  const netcl_run_options into_x = run_into(x);
#define POOLED(kind) netcl_op_roi_pool(x, rois, images, (kind), &options, NULL, &y)
  FAILS_WITH(bad, "kind is 3", POOLED(3));
  FAILS_WITH(bad, "kind is -1", POOLED(-1));
  options.samples = 257;
  FAILS_WITH(bad, "options->samples is 257; it is 0 to 256", POOLED(0));
  options.samples = 0;
  options.bins[1] = -1;
  FAILS_WITH(bad, "options->bins[1] is -1", POOLED(0));
  options.bins[1] = 65537;
  FAILS_WITH(bad, "options->bins[1] is 65537", POOLED(0));
  options.bins[1] = 0;
  options.scale = INFINITY;
  FAILS_WITH(bad, "options->scale is inf", POOLED(0));
  options.scale = 0;
  options.half_pixel = 2;
  FAILS_WITH(bad, "options->half_pixel is 2", POOLED(0));
#undef POOLED
  FAILS_WITH(bad, "rois [2, 5] and images [2]",
             netcl_op_roi_pool(x, wrong, images, 0, NULL, NULL, &y));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "images is f32",
             netcl_op_roi_pool(x, rois, reals, 0, NULL, NULL, &y));
  FAILS_WITH(bad, "into", netcl_op_roi_pool(x, rois, images, 0, NULL, &into_x, &y));
  assert_null(y);
  RELEASE(x, rois, wrong, images, reals);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(results),          DEVICE_TEST(gradients), DEVICE_TEST(second_gradients),
      DEVICE_TEST(narrow_gradients), DEVICE_TEST(edges),     DEVICE_TEST(mistakes),
      DEVICE_TEST(as_kernels)};
  seed_random("roi_pool");
  compile_quickly();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
