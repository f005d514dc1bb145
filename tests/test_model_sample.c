/* Ops of models that read images between their elements, with every mode, in one to three
 * dimensions, against loops in double precision. */
#include <math.h>
#include <stdio.h>

#include "support_graph.h"
#include "support_onnx.h"

enum { SIDES = 3, ELEMENTS = 1 << 14 };
enum { NEAREST, LINEAR, CUBIC, MODES };
enum { ZEROS, BORDER, REFLECTION, PADDINGS };

static const char *const modes[] = {"nearest", "linear", "cubic"};
static const char *const paddings[] = {"zeros", "border", "reflection"};

/* Goes back and forth between two edges. */
static double mirrored(double x, double low, double high) {
  if (high == low) return low;
  while (x < low || x > high) x = x < low ? 2 * low - x : 2 * high - x;
  return x;
}

/* An image of one channel with so many sides; what lies outside is as the padding says. */
typedef struct Image {
  const double *elements;
  int sides, padding, corners;
  int64_t extents[SIDES];
} Image;

static double element_of(const Image *image, const int64_t *place) {
  int64_t at = 0;
  for (int d = 0; d < image->sides; ++d) {
    int64_t p = place[d];
    const int64_t last = image->extents[d] - 1;
    const double edge = image->corners ? 0 : 0.5;
    if (image->padding == BORDER) p = p < 0 ? 0 : p > last ? last : p;
    if (image->padding == REFLECTION) {
      p = (int64_t)mirrored((double)p, -edge, (double)last + edge);
    }
    if (p < 0 || p > last) return 0;
    at = at * image->extents[d] + p;
  }
  return image->elements[at];
}

static double tap_weight(int mode, double x) {
  x = fabs(x);
  if (mode == LINEAR) return x < 1 ? 1 - x : 0;
  if (x <= 1) return (1.25 * x - 2.25) * x * x + 1;
  return x < 2 ? ((-0.75 * x + 3.75) * x - 6) * x + 3 : 0;
}

/* The image at coordinates that count elements. */
static double sample_of(const Image *image, int mode, const double *at) {
  double places[SIDES], sum = 0;
  for (int d = 0; d < image->sides; ++d) {
    const double last = (double)image->extents[d] - 1, edge = image->corners ? 0 : 0.5;
    places[d] = mode == NEAREST ? nearbyint(at[d]) : at[d];
    if (places[d] >= -edge && places[d] <= last + edge) continue;
    if (image->padding == BORDER) places[d] = fmin(fmax(places[d], 0), last);
    if (image->padding == REFLECTION) places[d] = mirrored(places[d], -edge, last + edge);
  }
  const int taps = mode == NEAREST ? 1 : mode == LINEAR ? 2 : 4, first = mode == CUBIC ? -1 : 0;
  int all = 1;
  for (int d = 0; d < image->sides; ++d) all *= taps;
  for (int t = 0; t < all; ++t) {
    int64_t place[SIDES];
    double weight = 1;
    for (int d = 0, rest = t; d < image->sides; ++d, rest /= taps) {
      place[d] = (int64_t)floor(places[d]) + first + rest % taps;
      if (mode != NEAREST) weight *= tap_weight(mode, places[d] - (double)place[d]);
    }
    sum += weight * element_of(image, place);
  }
  return sum;
}

/* A tensor of random numbers, which are kept as doubles too. */
static netcl_tensor *random_tensor(Fixture *fixture, netcl_dtype dtype, uint32_t rank,
                                   const int64_t *shape, double low, double high, double *values) {
  static unsigned char bytes[ELEMENTS * 8];
  const int64_t count = product(rank, shape);
  assert_true(count <= ELEMENTS);
  for (int64_t i = 0; i < count; ++i) {
    store_double(dtype, bytes, i, random_real(low, high));
    values[i] = load_double(dtype, bytes, i);
  }
  return make_tensor(fixture->device, dtype, rank, shape, bytes);
}

static void check_output(netcl_tensor *y, netcl_dtype dtype, const double *wanted, double bound,
                         const char *what) {
  const netcl_tensor_info info = tensor_info(y);
  assert_int_equal(info.dtype, dtype);
  void *got = read_tensor(y);
  for (int64_t i = 0; i < info.element_count; ++i) {
    const double value = load_double(dtype, got, i);
    CHECK(fabs(value - wanted[i]) <= bound * (1 + fabs(wanted[i])),
          "%s: element %d of %d is %.9g, expected %.9g", what, (int)i, (int)info.element_count,
          value, wanted[i]);
  }
  free(got);
}

static double bound_of(netcl_dtype dtype) {
  return dtype == NETCL_F16 ? 2e-3 : dtype == NETCL_F64 ? 1e-11 : 5e-5;
}

/* ---- GridSample ------------------------------------------------------------------------------ */

/* Coordinates on elements, between them, and far outside; none so near to a half that rounding
 * decides which element is the nearest. */
static void check_grid(Fixture *fixture, int sides, int mode, int padding, int corners,
                       netcl_dtype dtype) {
  static double x[ELEMENTS], grid[ELEMENTS], wanted[ELEMENTS];
  const int64_t batch = random_in(1, 2), channels = random_in(1, 3), results = random_in(1, 9);
  Image image = {x, sides, padding, corners, {0}};
  int64_t shape[2 + SIDES] = {batch, channels}, to[2 + SIDES] = {batch};
  int64_t size = 1;
  for (int d = 0; d < sides; ++d) {
    image.extents[d] = shape[2 + d] = random_in(1, 5);
    size *= image.extents[d];
    to[1 + d] = d == 0 ? results : 1;
  }
  to[1 + sides] = sides;
  netcl_tensor *inputs[2];
  inputs[0] = random_tensor(fixture, dtype, (uint32_t)(2 + sides), shape, -2, 2, x);
  float given[ELEMENTS / 64];
  for (int64_t i = 0; i < batch * results * sides; ++i) {
    const double n = (double)image.extents[sides - 1 - i % sides];
    double at = (double)random_in(-(int64_t)n, 2 * (int64_t)n);
    if (mode != NEAREST || random_in(0, 1)) at += random_real(-0.4, 0.4);
    const double span = corners ? n - 1 : n;
    const double wide = corners ? 2 * at / (span == 0 ? 1 : span) - 1 : (2 * at + 1) / n - 1;
    given[i] = (float)wide;
    grid[i] = corners ? ((double)given[i] + 1) / 2 * span : (((double)given[i] + 1) * n - 1) / 2;
  }
  inputs[1] = make_tensor(fixture->device, NETCL_F32, (uint32_t)(2 + sides), to, given);
  for (int64_t i = 0; i < batch * channels * results; ++i) {
    const int64_t n = i / (channels * results), at = n * results + i % results;
    double place[SIDES];
    for (int d = 0; d < sides; ++d) place[d] = grid[at * sides + sides - 1 - d];
    image.elements = x + i / results * size;
    wanted[i] = sample_of(&image, mode, place);
  }
  char attributes[96];
  sprintf(attributes, "mode:%s padding_mode:%s align_corners=%d", modes[mode], paddings[padding],
          corners);
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", dtype, NULL);
  onnx_input(&graph, "grid", NETCL_F32, NULL);
  onnx_output(&graph, "y", dtype, NULL);
  onnx_node(&graph, "GridSample", "g", "x grid", "y", attributes);
  netcl_model *model = onnx_load(fixture, &graph, 20);
  netcl_tensor *y = onnx_run(model, inputs, 2);
  const netcl_tensor_info info = tensor_info(y);
  assert_int_equal(info.rank, 2 + sides);
  assert_int_equal(info.shape[0], batch);
  assert_int_equal(info.shape[1], channels);
  assert_int_equal(info.shape[2], results);
  check_output(y, dtype, wanted, dtype == NETCL_F64 ? 1e-5 : bound_of(dtype), attributes);
  RELEASE(inputs[0], inputs[1], y);
  netcl_model_release(model);
}

static void grids(void **state) {
  Fixture *fixture = *state;
  for (int i = 0; i < SIDES * MODES * PADDINGS * 2; ++i) {
    const int sides = i % SIDES + 1, mode = i / SIDES % MODES;
    if (left_out(fixture, 2) && sides == SIDES) continue;
    const netcl_dtype dtype = i % 7 == 0                                      ? NETCL_F16
                              : i % 5 == 0 && fixture->capabilities.fp64 != 0 ? NETCL_F64
                                                                              : NETCL_F32;
    check_grid(fixture, sides, mode, i / (SIDES * MODES) % PADDINGS, i / (SIDES * MODES * PADDINGS),
               dtype);
  }
}

/* ---- AffineGrid ------------------------------------------------------------------------------ */

static void affine_grids(void **state) {
  Fixture *fixture = *state;
  for (int i = 0; i < 4; ++i) {
    const int sides = 2 + i % 2, corners = i / 2;
    static double theta[64], wanted[ELEMENTS];
    const int64_t size[5] = {2, 1, 3, 1, 4}, shape[3] = {2, sides, sides + 1};
    int64_t count = 0;
    netcl_tensor *input = random_tensor(fixture, NETCL_F32, 3, shape, -1, 1, theta);
    const int64_t results = sides == 2 ? 3 : 12;
    for (int64_t r = 0; r < 2 * results; ++r) {
      const int64_t *extents = size + 2;
      double base[SIDES + 1] = {0};
      for (int64_t d = sides, rest = r; d-- > 0; rest /= extents[d]) {
        const double n = (double)extents[d], at = (double)(rest % extents[d]);
        base[sides - 1 - d] = !corners ? (2 * at + 1) / n - 1 : n == 1 ? 0 : 2 * at / (n - 1) - 1;
      }
      base[sides] = 1;
      for (int k = 0; k < sides; ++k, ++count) {
        wanted[count] = 0;
        for (int j = 0; j <= sides; ++j) {
          wanted[count] += theta[(r / results * sides + k) * (sides + 1) + j] * base[j];
        }
      }
    }
    OnnxBytes graph = {0};
    onnx_input(&graph, "theta", NETCL_F32, NULL);
    onnx_output(&graph, "y", NETCL_F32, NULL);
    onnx_weight_i64(&graph, "size", (uint32_t)(2 + sides), size);
    onnx_node(&graph, "AffineGrid", "a", "theta size", "y",
              corners ? "align_corners=1" : "align_corners=0");
    netcl_model *model = onnx_load(fixture, &graph, 20);
    netcl_tensor *y = onnx_run(model, &input, 1);
    assert_int_equal(tensor_info(y).element_count, count);
    check_output(y, NETCL_F32, wanted, 1e-6, "AffineGrid");
    RELEASE(input, y);
    netcl_model_release(model);
  }
}

/* ---- DeformConv ------------------------------------------------------------------------------ */

static void check_deformed(Fixture *fixture, int with_mask, int with_bias) {
  static double x[ELEMENTS], w[ELEMENTS], offsets[ELEMENTS], mask[ELEMENTS], bias[16],
      wanted[ELEMENTS];
  const int64_t groups = random_in(1, 2), sharing = random_in(1, 2), batch = random_in(1, 2);
  const int64_t channels = 2 * groups * random_in(1, 2), filters = groups * random_in(1, 2);
  const int64_t kernel[2] = {random_in(1, 3), random_in(1, 2)}, taps = kernel[0] * kernel[1];
  const int64_t extents[2] = {random_in(4, 6), random_in(4, 5)}, stride = random_in(1, 2);
  const int64_t pads[4] = {random_in(0, 1), random_in(0, 1), random_in(0, 1), random_in(0, 1)};
  int64_t to[2];
  for (int d = 0; d < 2; ++d) {
    to[d] = (extents[d] + pads[d] + pads[2 + d] - kernel[d]) / stride + 1;
  }
  const int64_t inner = channels / groups, results = to[0] * to[1];
  const int64_t shapes[5][4] = {{batch, channels, extents[0], extents[1]},
                                {filters, inner, kernel[0], kernel[1]},
                                {batch, sharing * 2 * taps, to[0], to[1]},
                                {filters},
                                {batch, sharing * taps, to[0], to[1]}};
  netcl_tensor *inputs[5];
  inputs[0] = random_tensor(fixture, NETCL_F32, 4, shapes[0], -1, 1, x);
  inputs[1] = random_tensor(fixture, NETCL_F32, 4, shapes[1], -1, 1, w);
  inputs[2] = random_tensor(fixture, NETCL_F32, 4, shapes[2], -3, 3, offsets);
  inputs[3] = random_tensor(fixture, NETCL_F32, 1, shapes[3], -1, 1, bias);
  inputs[4] = random_tensor(fixture, NETCL_F32, 4, shapes[4], -1, 1, mask);
  for (int64_t i = 0; i < batch * filters * results; ++i) {
    const int64_t n = i / (filters * results), f = i / results % filters, r = i % results;
    wanted[i] = with_bias ? bias[f] : 0;
    for (int64_t k = 0; k < inner * taps; ++k) {
      const int64_t channel = f / (filters / groups) * inner + k / taps, tap = k % taps;
      const int64_t share = n * sharing + channel / (channels / sharing);
      const double at[2] = {
          (double)(r / to[1] * stride - pads[0] + tap / kernel[1]) +
              offsets[(share * taps + tap) * 2 * results + r],
          (double)(r % to[1] * stride - pads[1] + tap % kernel[1]) +
              offsets[((share * taps + tap) * 2 + 1) * results + r]};
      const Image image = {x + (n * channels + channel) * extents[0] * extents[1],
                           2, ZEROS, 1, {extents[0], extents[1]}};
      wanted[i] += w[f * inner * taps + k] * sample_of(&image, LINEAR, at) *
                   (with_mask ? mask[(share * taps + tap) * results + r] : 1);
    }
  }
  char attributes[128];
  sprintf(attributes, "group=%d offset_group=%d strides=[%d,%d] pads=[%d,%d,%d,%d]", (int)groups,
          (int)sharing, (int)stride, (int)stride, (int)pads[0], (int)pads[1], (int)pads[2],
          (int)pads[3]);
  OnnxBytes graph = {0};
  const char *const names[5] = {"x", "w", "o", "b", "m"};
  netcl_tensor *given[5];
  uint32_t count = 0;
  for (int i = 0; i < 5; ++i) {
    if ((i == 3 && !with_bias) || (i == 4 && !with_mask)) continue;
    onnx_input(&graph, names[i], NETCL_F32, NULL);
    given[count++] = inputs[i];
  }
  onnx_output(&graph, "y", NETCL_F32, NULL);
  const char *const without = with_bias ? "x w o b" : "x w o";
  const char *const masked = with_bias ? "x w o b m" : "x w o - m";
  onnx_node(&graph, "DeformConv", "d", with_mask ? masked : without, "y", attributes);
  netcl_model *model = onnx_load(fixture, &graph, 19);
  netcl_tensor *y = onnx_run(model, given, count);
  assert_int_equal(tensor_info(y).element_count, batch * filters * results);
  check_output(y, NETCL_F32, wanted, 2e-4, attributes);
  netcl_tensor_release(y);
  release_tensors(inputs, 5);
  netcl_model_release(model);
}

static void deformed(void **state) {
  Fixture *fixture = *state;
  for (int i = 0; i < 12; ++i) check_deformed(fixture, i % 2, i / 2 % 2);
}

/* ---- Results without elements ---------------------------------------------------------------- */

typedef struct Empty {
  const char *op, *inputs;
  int64_t shapes[3][4], result[4];
} Empty;

static void empties(void **state) {
  Fixture *fixture = *state;
  static const Empty kCases[] = {
      {"GridSample", "x a", {{0, 2, 3, 3}, {0, 2, 5, 2}}, {0, 2, 2, 5}},
      {"GridSample", "x a", {{2, 0, 3, 3}, {2, 2, 5, 2}}, {2, 0, 2, 5}},
      {"GridSample", "x a", {{2, 1, 3, 3}, {2, 0, 5, 2}}, {2, 1, 0, 5}},
      {"GridSample", "x a", {{2, 1, 0, 3}, {2, 0, 5, 2}}, {2, 1, 0, 5}},
      {"DeformConv", "x a b", {{0, 2, 4, 4}, {3, 2, 2, 2}, {0, 8, 3, 3}}, {0, 3, 3, 3}},
      {"DeformConv", "x a b", {{1, 2, 4, 4}, {0, 2, 2, 2}, {1, 8, 3, 3}}, {1, 0, 3, 3}}};
  for (size_t i = 0; i < COUNT_OF(kCases); ++i) {
    const Empty *c = &kCases[i];
    const uint32_t many = c->inputs[3] == '\0' ? 2 : 3;
    OnnxBytes graph = {0};
    netcl_tensor *inputs[3];
    for (uint32_t t = 0; t < many; ++t) {
      const char name[2] = {c->inputs[2 * t], '\0'};
      onnx_input(&graph, name, NETCL_F32, NULL);
      OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 4, c->shapes[t], NULL, NULL,
                                   &inputs[t]));
    }
    onnx_output(&graph, "y", NETCL_F32, NULL);
    onnx_node(&graph, c->op, "n", c->inputs, "y", NULL);
    netcl_model *model = onnx_load(fixture, &graph, 20);
    netcl_tensor *y = onnx_run(model, inputs, many);
    const netcl_tensor_info info = tensor_info(y);
    CHECK(info.rank == 4 && memcmp(info.shape, c->result, sizeof c->result) == 0,
          "case %d: the result has another shape", (int)i);
    netcl_tensor_release(y);
    release_tensors(inputs, many);
    netcl_model_release(model);
  }
}

/* ---- What does not fit ----------------------------------------------------------------------- */

static void misfits(void **state) {
  Fixture *fixture = *state;
  const int64_t image[4] = {1, 1, 2, 2}, grid[4] = {1, 2, 2, 3}, none[4] = {1, 1, 0, 2};
  const int64_t fits[4] = {1, 2, 2, 2};
  netcl_tensor *inputs[2], *y = NULL;
  uint32_t count = 0;
  for (int i = 0; i < 2; ++i) {
    OnnxBytes graph = {0};
    onnx_input(&graph, "x", NETCL_F32, NULL);
    onnx_input(&graph, "grid", NETCL_F32, NULL);
    onnx_output(&graph, "y", NETCL_F32, NULL);
    onnx_node(&graph, "GridSample", "g", "x grid", "y", NULL);
    netcl_model *model = onnx_load(fixture, &graph, 20);
    OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 4, i ? none : image, NULL, NULL,
                                 &inputs[0]));
    OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 4, i ? fits : grid, NULL, NULL,
                                 &inputs[1]));
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, i ? "no elements" : "[1, 2, 2, 3]",
               netcl_model_evaluate(model, inputs, 2, NULL, &y, 1, &count));
    assert_null(y);
    release_tensors(inputs, 2);
    netcl_model_release(model);
  }
}

int main(void) {
  seed_random("model_sample");
  const struct CMUnitTest tests[] = {DEVICE_TEST(grids), DEVICE_TEST(affine_grids),
                                     DEVICE_TEST(deformed), DEVICE_TEST(empties),
                                     DEVICE_TEST(misfits),
                                     DEVICE_TEST(as_kernels)};
  compile_quickly();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
