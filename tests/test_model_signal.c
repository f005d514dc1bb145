/* DFT and STFT of models, of lengths that are one product of matrices and of lengths that are made
 * of several, against sums in double precision; what has no transform. */
#include <math.h>
#include <stdio.h>

#include "support_graph.h"
#include "support_onnx.h"

enum { ELEMENTS = 1 << 15 };
static const double turn = 6.283185307179586476925;

/* A transform of `length` numbers: `given` of the input, of which the others are zeros or mirror
 * images, and `wanted` of the result. */
typedef struct Transform {
  int64_t length, given, wanted;
  int onesided, inverse;
} Transform;

/* One number of the result. `x` has pairs, `step` apart; those from `there` on are zeros. */
static void number_of(const Transform *t, const double *x, int64_t step, int64_t there, int64_t k,
                      double *result) {
  result[0] = result[1] = 0;
  const int mirrored = t->onesided && t->inverse;
  for (int64_t j = 0; j < t->length; ++j) {
    const int back = mirrored && j > t->length / 2;
    const int64_t from = back ? t->length - j : j;
    if (from >= there || from >= t->given) continue;
    const int single = mirrored && (j == 0 || 2 * j == t->length);
    const double re = x[from * step], im = single ? 0 : x[from * step + 1] * (back ? -1 : 1);
    const double angle =
        (t->inverse ? 1 : -1) * turn * (double)(j * k % t->length) / (double)t->length;
    result[0] += re * cos(angle) - im * sin(angle);
    result[1] += re * sin(angle) + im * cos(angle);
  }
  if (!t->inverse) return;
  result[0] /= (double)t->length;
  result[1] /= (double)t->length;
}

/* Random numbers of [before, extent, after, parts] as f32, and as pairs of doubles. */
static netcl_tensor *random_signal(Fixture *fixture, uint32_t rank, const int64_t *shape,
                                   double *pairs) {
  static float values[ELEMENTS];
  const int64_t parts = shape[rank - 1], count = product(rank, shape);
  assert_true(count <= ELEMENTS);
  for (int64_t i = 0; i < count / parts; ++i) {
    pairs[2 * i + 1] = 0;
    for (int64_t p = 0; p < parts; ++p) {
      values[parts * i + p] = (float)random_real(-1, 1);
      pairs[2 * i + p] = (double)values[parts * i + p];
    }
  }
  return make_tensor(fixture->device, NETCL_F32, rank, shape, values);
}

static void check_near(const char *what, double got, double wanted, const Transform *t) {
  const double bound = 1e-6 * (t->inverse ? 1 : (double)t->length) + 1e-6;
  CHECK(fabs(got - wanted) <= bound, "%s of %d: %g, expected %g", what, (int)t->length, got,
        wanted);
}

static void check_dft(Fixture *fixture, int64_t length, int onesided, int inverse, int parts,
                      int opset) {
  static double x[2 * ELEMENTS];
  Transform t = {length, length, length, onesided, inverse};
  if (onesided) *(inverse ? &t.given : &t.wanted) = length / 2 + 1;
  const int few = length > 100, resized = few ? 0 : (int)random_in(0, 2);
  const int64_t extent = resized == 0 ? t.given : random_in(1, 12);
  int64_t shape[4] = {few ? 1 : random_in(1, 2), extent, random_in(1, 2), parts};
  if (random_in(0, 5) == 0) shape[0] = 0;
  const int64_t axis = 1, back = -3;
  netcl_tensor *input = random_signal(fixture, 4, shape, x);
  char attributes[64];
  sprintf(attributes, "onesided=%d inverse=%d", onesided, inverse);
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", NETCL_F32, NULL);
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_weight(&graph, "n", NETCL_I64, 0, NULL, &length);
  onnx_weight(&graph, "axis", NETCL_I64, 0, NULL, random_in(0, 1) ? &axis : &back);
  const char *const inputs = resized == 0 && random_in(0, 1) && !(onesided && inverse && length % 2)
                                 ? "x -"
                                 : "x n";
  if (opset < 20) {
    strcat(attributes, " axis=1");
    onnx_node(&graph, "DFT", "t", inputs, "y", attributes);
  } else {
    onnx_node(&graph, "DFT", "t", inputs[2] == 'n' ? "x n axis" : "x - axis", "y", attributes);
  }
  netcl_model *model = onnx_load(fixture, &graph, opset);
  netcl_tensor *y = onnx_run(model, &input, 1);
  const netcl_tensor_info info = tensor_info(y);
  const int64_t real = onesided && inverse;
  assert_int_equal(info.rank, 4);
  assert_int_equal(info.shape[0], shape[0]);
  assert_int_equal(info.shape[1], t.wanted);
  assert_int_equal(info.shape[2], shape[2]);
  assert_int_equal(info.shape[3], real ? 1 : 2);
  float *got = read_tensor(y);
  for (int64_t i = 0; i < info.element_count / info.shape[3]; ++i) {
    const int64_t inner = i % shape[2], k = i / shape[2] % t.wanted;
    const int64_t outer = i / (shape[2] * t.wanted);
    double wanted[2];
    /* Of long ones some numbers are enough. */
    if (few && k > 3 && k % 97 != 0) continue;
    number_of(&t, x + 2 * (outer * extent * shape[2] + inner), 2 * shape[2], extent, k, wanted);
    for (int64_t p = 0; p < info.shape[3]; ++p) {
      check_near(attributes, (double)got[i * info.shape[3] + p], wanted[p], &t);
    }
  }
  free(got);
  RELEASE(input, y);
  netcl_model_release(model);
}

static void transforms(void **state) {
  Fixture *fixture = *state;
  const int64_t long_ones[] = {128, 513, 600, 1000, 1024, 1280};
  for (int i = 0; i < 8 * 3; ++i) {
    check_dft(fixture, random_in(1, 16), i % 2, i / 2 % 2, i / 4 % 2 + 1, i % 3 == 0 ? 17 : 20);
  }
  for (int i = 0; i < 6 * 4; ++i) {
    check_dft(fixture, long_ones[i / 4], i % 2, i / 2 % 2, 1 + (i % 4 == 3 || random_in(0, 1)), 20);
  }
}

static void check_stft(Fixture *fixture, int with_window, int with_length, int onesided) {
  static double x[2 * ELEMENTS];
  float window[32];
  const int64_t length = random_in(1, 20), step = random_in(1, 7);
  const int64_t signal = with_window || with_length ? length + random_in(0, 30) : length;
  const int64_t shape[3] = {random_in(1, 2), signal, onesided ? 1 : random_in(1, 2)};
  const int64_t window_shape[1] = {length};
  const Transform t = {length, length, onesided ? length / 2 + 1 : length, onesided, 0};
  for (int64_t i = 0; i < length; ++i) window[i] = with_window ? (float)random_real(0, 1) : 1;
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", NETCL_F32, NULL);
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_weight(&graph, "step", NETCL_I64, 0, NULL, &step);
  onnx_weight(&graph, "window", NETCL_F32, 1, window_shape, window);
  onnx_weight(&graph, "length", NETCL_I64, 0, NULL, &length);
  const char *const inputs[2][2] = {{"x step", "x step - length"},
                                    {"x step window", "x step window length"}};
  onnx_node(&graph, "STFT", "s", inputs[with_window][with_length], "y",
            onesided ? NULL : "onesided=0");
  netcl_model *model = onnx_load(fixture, &graph, 17);
  netcl_tensor *input = random_signal(fixture, 3, shape, x);
  netcl_tensor *y = onnx_run(model, &input, 1);
  const netcl_tensor_info info = tensor_info(y);
  const int64_t frames = (signal - length) / step + 1;
  assert_int_equal(info.rank, 4);
  assert_int_equal(info.shape[0], shape[0]);
  assert_int_equal(info.shape[1], frames);
  assert_int_equal(info.shape[2], t.wanted);
  assert_int_equal(info.shape[3], 2);
  float *got = read_tensor(y);
  for (int64_t i = 0; i < info.element_count / 2; ++i) {
    const int64_t k = i % t.wanted, frame = i / t.wanted % frames, n = i / (t.wanted * frames);
    double framed[64], wanted[2];
    for (int64_t j = 0; j < 2 * length; ++j) {
      framed[j] = x[2 * (n * signal + frame * step) + j] * (double)window[j / 2];
    }
    number_of(&t, framed, 2, length, k, wanted);
    check_near("STFT", (double)got[2 * i], wanted[0], &t);
    check_near("STFT", (double)got[2 * i + 1], wanted[1], &t);
  }
  free(got);
  RELEASE(input, y);
  netcl_model_release(model);
}

static void frames(void **state) {
  Fixture *fixture = *state;
  for (int i = 0; i < 16; ++i) check_stft(fixture, i % 2, i / 2 % 2, i / 4 % 2);
}

/* A model of one node over a signal of zeros [1, 6, parts] fails in its first run. */
static void fails_at(Fixture *fixture, const char *op, const char *inputs, const char *attributes,
                     int64_t number, int64_t parts, netcl_status status, const char *text) {
  const int64_t shape[3] = {1, 6, parts};
  netcl_tensor *x = NULL, *y = NULL;
  uint32_t count = 0;
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", NETCL_F32, NULL);
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_weight(&graph, "n", NETCL_I64, 0, NULL, &number);
  onnx_node(&graph, op, "t", inputs, "y", attributes);
  netcl_model *model = onnx_load(fixture, &graph, 20);
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 3, shape, NULL, NULL, &x));
  FAILS_WITH(status, text, netcl_model_evaluate(model, &x, 1, NULL, &y, 1, &count));
  assert_null(y);
  netcl_tensor_release(x);
  netcl_model_release(model);
}

static void misfits(void **state) {
  Fixture *fixture = *state;
  const netcl_status bad = NETCL_ERROR_INVALID_ARGUMENT;
  fails_at(fixture, "DFT", "x n", NULL, 521, 2, NETCL_ERROR_UNSUPPORTED, "521");
  fails_at(fixture, "DFT", "x n", NULL, 0, 2, bad, "0 numbers");
  fails_at(fixture, "DFT", "x n", NULL, (int64_t)1 << 40, 2, bad, "1099511627776");
  fails_at(fixture, "DFT", "x - n", NULL, 2, 2, bad, "axis is 2");
  fails_at(fixture, "DFT", "x", NULL, 0, 3, bad, "[1, 6, 3]");
  fails_at(fixture, "STFT", "x n", NULL, 0, 1, bad, "step of 0");
  fails_at(fixture, "STFT", "x n - n", NULL, 7, 1, bad, "frames of 7");
}

/* A weight of a spectrum's bins cannot lie outside of it; sizes have bounds. */
static void numbers_alone(void **state) {
  Fixture *fixture = *state;
  const float low = 0, high = 9000;
  const int64_t counts[3] = {4, 16, 8000}, many = (int64_t)1 << 40;
  netcl_tensor *y = NULL;
  uint32_t count = 0;
  for (int i = 0; i < 2; ++i) {
    OnnxBytes graph = {0};
    onnx_output(&graph, "y", NETCL_F32, NULL);
    onnx_weight(&graph, "b", NETCL_I64, 0, NULL, &counts[0]);
    onnx_weight(&graph, "n", NETCL_I64, 0, NULL, i ? &many : &counts[1]);
    onnx_weight(&graph, "r", NETCL_I64, 0, NULL, &counts[2]);
    onnx_weight(&graph, "l", NETCL_F32, 0, NULL, &low);
    onnx_weight(&graph, "h", NETCL_F32, 0, NULL, &high);
    onnx_node(&graph, "MelWeightMatrix", "m", "b n r l h", "y", NULL);
    netcl_model *model = onnx_load(fixture, &graph, 17);
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, i ? "1099511627776" : "9000",
               netcl_model_evaluate(model, NULL, 0, NULL, &y, 1, &count));
    netcl_model_release(model);
  }
}

int main(void) {
  seed_random("model_signal");
  const struct CMUnitTest tests[] = {DEVICE_TEST(transforms), DEVICE_TEST(frames),
                                     DEVICE_TEST(misfits), DEVICE_TEST(numbers_alone)};
  compile_quickly();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
