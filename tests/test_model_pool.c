/* MaxPool, AveragePool and LpPool of models over one to three dimensions, and the indices of
 * maxima, against walks over the windows. */
#include <math.h>
#include <stdio.h>

#include "support_graph.h"
#include "support_onnx.h"

enum { SIDES = 3, ELEMENTS = 1 << 16 };

typedef struct {
  int sides;
  int64_t shape[2 + SIDES], results[2 + SIDES];
  int64_t window[SIDES], strides[SIDES], dilations[SIDES], pads[2 * SIDES];
  int ceil_mode, flag;  /* count_include_pad, storage_order or p */
} Pooling;

static Pooling random_pooling(int sides) {
  Pooling p = {.sides = sides, .ceil_mode = (int)random_in(0, 1), .flag = (int)random_in(0, 1)};
  p.shape[0] = p.results[0] = random_in(1, 2);
  p.shape[1] = p.results[1] = random_in(1, 3);
  for (int d = 0; d < sides; ++d) {
    p.window[d] = random_in(1, 3);
    p.strides[d] = random_in(1, 3);
    p.dilations[d] = random_in(1, 2);
    const int64_t reach = (p.window[d] - 1) * p.dilations[d] + 1;
    p.pads[d] = random_in(0, reach > 1);
    p.pads[sides + d] = random_in(0, reach > 1);
    p.shape[2 + d] = reach + random_in(0, 4);
    const int64_t room = p.shape[2 + d] + p.pads[d] + p.pads[sides + d] - reach;
    p.results[2 + d] = room / p.strides[d] + 1;
    if (p.ceil_mode && room % p.strides[d] != 0 &&
        p.results[2 + d] * p.strides[d] < p.shape[2 + d] + p.pads[d]) {
      ++p.results[2 + d];
    }
  }
  return p;
}

static int64_t product_of(const int64_t *numbers, int count) {
  int64_t all = 1;
  for (int i = 0; i < count; ++i) all *= numbers[i];
  return all;
}

/* Where a tap of a window lies in the image, -1 within the padding and -2 beyond that. */
static int64_t tap_place(const Pooling *p, int64_t at, int64_t tap) {
  int64_t place = 0, step = 1;
  int padding = 0;
  for (int d = p->sides; d-- > 0; at /= p->results[2 + d], tap /= p->window[d]) {
    const int64_t extent = p->shape[2 + d];
    const int64_t i = at % p->results[2 + d] * p->strides[d] - p->pads[d] +
                      tap % p->window[d] * p->dilations[d];
    if (i >= extent + p->pads[p->sides + d]) return -2;
    padding = padding || i < 0 || i >= extent;
    place += i * step;
    step *= extent;
  }
  return padding ? -1 : place;
}

static int64_t by_columns(const Pooling *p, int64_t place) {
  int64_t numbers[SIDES], counted = 0;
  for (int d = p->sides; d-- > 0; place /= p->shape[2 + d]) numbers[d] = place % p->shape[2 + d];
  for (int d = p->sides; d-- > 0;) counted = counted * p->shape[2 + d] + numbers[d];
  return counted;
}

static void append(char *text, const char *name, const int64_t *numbers, int count) {
  char *end = text + strlen(text);
  end += sprintf(end, "%s=[", name);
  for (int i = 0; i < count; ++i) end += sprintf(end, i ? ",%d" : "%d", (int)numbers[i]);
  sprintf(end, "] ");
}

static const char *attributes_of(const Pooling *p, const char *flag) {
  static char text[512];
  text[0] = '\0';
  append(text, "kernel_shape", p->window, p->sides);
  append(text, "strides", p->strides, p->sides);
  append(text, "dilations", p->dilations, p->sides);
  append(text, "pads", p->pads, 2 * p->sides);
  sprintf(text + strlen(text), "ceil_mode=%d %s=%d", p->ceil_mode, flag, p->flag);
  return text;
}

static void check_shape(netcl_tensor *y, const Pooling *p) {
  const netcl_tensor_info info = tensor_info(y);
  assert_int_equal(info.rank, 2 + p->sides);
  for (int d = 0; d < 2 + p->sides; ++d) assert_int_equal(info.shape[d], p->results[d]);
}

/* Many elements are equal: of these the first counts. */
static void check_maxima(Fixture *fixture, const Pooling *p) {
  static float x[ELEMENTS], wanted[ELEMENTS];
  static int64_t indices[ELEMENTS];
  const int64_t size = product_of(p->shape + 2, p->sides);
  const int64_t each = product_of(p->results + 2, p->sides);
  const int64_t planes = p->shape[0] * p->shape[1], taps = product_of(p->window, p->sides);
  assert_true(planes * size <= ELEMENTS && planes * each <= ELEMENTS);
  for (int64_t i = 0; i < planes * size; ++i) x[i] = (float)random_in(-4, 4);
  for (int64_t i = 0; i < planes * each; ++i) {
    const float *own = x + i / each * size;
    int64_t found = -1;
    for (int64_t tap = 0; tap < taps; ++tap) {
      const int64_t place = tap_place(p, i % each, tap);
      if (place >= 0 && (found < 0 || own[place] > own[found])) found = place;
    }
    wanted[i] = found < 0 ? -INFINITY : own[found];
    indices[i] = found < 0 ? -1 : i / each * size + (p->flag ? by_columns(p, found) : found);
  }
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", NETCL_F32, NULL);
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_output(&graph, "i", NETCL_I64, NULL);
  onnx_node(&graph, "MaxPool", "p", "x", "y i", attributes_of(p, "storage_order"));
  netcl_model *model = onnx_load(fixture, &graph, 12);
  netcl_tensor *input =
      make_tensor(fixture->device, NETCL_F32, (uint32_t)(2 + p->sides), p->shape, x);
  netcl_tensor *made[2] = {NULL, NULL};
  uint32_t count = 0;
  OK(netcl_model_evaluate(model, &input, 1, NULL, made, 2, &count));
  assert_int_equal(count, 2);
  check_shape(made[0], p);
  check_shape(made[1], p);
  CHECK_TENSOR(made[0], wanted);
  CHECK_TENSOR(made[1], indices);
  RELEASE(input, made[0], made[1]);
  netcl_model_release(model);
}

static void check_averages(Fixture *fixture, const Pooling *p) {
  static float x[ELEMENTS];
  const int64_t size = product_of(p->shape + 2, p->sides);
  const int64_t each = product_of(p->results + 2, p->sides);
  const int64_t planes = p->shape[0] * p->shape[1], taps = product_of(p->window, p->sides);
  for (int64_t i = 0; i < planes * size; ++i) x[i] = (float)random_in(-100, 100) / 7.0f;
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", NETCL_F32, NULL);
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_node(&graph, "AveragePool", "p", "x", "y", attributes_of(p, "count_include_pad"));
  netcl_model *model = onnx_load(fixture, &graph, 19);
  netcl_tensor *input =
      make_tensor(fixture->device, NETCL_F32, (uint32_t)(2 + p->sides), p->shape, x);
  netcl_tensor *y = onnx_run(model, &input, 1);
  check_shape(y, p);
  float *values = read_tensor(y);
  for (int64_t i = 0; i < planes * each; ++i) {
    double sum = 0, magnitude = 0;
    int64_t counted = 0;
    for (int64_t tap = 0; tap < taps; ++tap) {
      const int64_t place = tap_place(p, i % each, tap);
      if (place >= 0 || (place == -1 && p->flag)) ++counted;
      if (place < 0) continue;
      sum += (double)x[i / each * size + place];
      magnitude += fabs((double)x[i / each * size + place]);
    }
    if (counted == 0) {
      assert_true(isnan(values[i]));
    } else if (!(fabs((double)values[i] - sum / (double)counted) <= 1e-6 * magnitude)) {
      fail_msg("%s: element %d is %g, not %g", attributes_of(p, "count_include_pad"), (int)i,
               (double)values[i], sum / (double)counted);
    }
  }
  free(values);
  RELEASE(input, y);
  netcl_model_release(model);
}

static void check_norms(Fixture *fixture, const Pooling *p) {
  static float x[ELEMENTS];
  const int64_t size = product_of(p->shape + 2, p->sides);
  const int64_t each = product_of(p->results + 2, p->sides);
  const int64_t planes = p->shape[0] * p->shape[1], taps = product_of(p->window, p->sides);
  for (int64_t i = 0; i < planes * size; ++i) x[i] = (float)random_in(-100, 100) / 7.0f;
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", NETCL_F32, NULL);
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_node(&graph, "LpPool", "p", "x", "y", attributes_of(p, "p"));
  netcl_model *model = onnx_load(fixture, &graph, 18);
  netcl_tensor *input =
      make_tensor(fixture->device, NETCL_F32, (uint32_t)(2 + p->sides), p->shape, x);
  netcl_tensor *y = onnx_run(model, &input, 1);
  check_shape(y, p);
  float *values = read_tensor(y);
  for (int64_t i = 0; i < planes * each; ++i) {
    double powers = 0;
    for (int64_t tap = 0; tap < taps; ++tap) {
      const int64_t place = tap_place(p, i % each, tap);
      if (place >= 0) powers += pow(fabs((double)x[i / each * size + place]), p->flag);
    }
    const double wanted = pow(powers, 1.0 / p->flag);
    if (!(fabs((double)values[i] - wanted) <= 2e-5 * wanted)) {
      fail_msg("%s: element %d is %g, not %g", attributes_of(p, "p"), (int)i, (double)values[i],
               wanted);
    }
  }
  free(values);
  RELEASE(input, y);
  netcl_model_release(model);
}

static void maxima(void **state) {
  for (int i = 0; i < 24; ++i) {
    const Pooling p = random_pooling(1 + i % SIDES);
    check_maxima(*state, &p);
  }
}

static void averages(void **state) {
  for (int i = 0; i < 24; ++i) {
    const Pooling p = random_pooling(1 + i % SIDES);
    check_averages(*state, &p);
  }
}

static void norms(void **state) {
  for (int i = 0; i < 24; ++i) {
    Pooling p = random_pooling(1 + i % SIDES);
    p.flag = 1 + i / 3 % 3;
    check_norms(*state, &p);
  }
}

/* More elements than are added up one by one, and groups of work-items on OpenCL devices. */
static void large_windows(void **state) {
  for (int sides = 1; sides <= SIDES; ++sides) {
    Pooling p = {.sides = sides, .shape = {1, 2}, .results = {1, 2}};
    for (int d = 0; d < sides; ++d) {
      p.window[d] = sides == 1 ? 300 : sides == 2 ? 40 : 9;
      p.strides[d] = p.dilations[d] = p.pads[d] = p.pads[sides + d] = 1;
      p.shape[2 + d] = p.window[d];
      p.results[2 + d] = 3;
    }
    check_maxima(*state, &p);
    check_averages(*state, &p);
    p.flag = 2;
    check_norms(*state, &p);
  }
}

int main(void) {
  seed_random("model_pool");
  const struct CMUnitTest tests[] = {DEVICE_TEST(maxima), DEVICE_TEST(averages),
                                     DEVICE_TEST(norms),
                                     DEVICE_TEST(large_windows)};
  compile_quickly();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
