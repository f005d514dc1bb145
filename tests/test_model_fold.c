/* Ops of models that put blocks and largest elements back into images, pads that wrap around and
 * the middle of tensors, against walks over the elements. */
#include <stdio.h>

#include "support_graph.h"
#include "support_onnx.h"

enum { SIDES = 3, ELEMENTS = 4096 };

static void load_values(float *values, int64_t count) {
  assert_true(count <= ELEMENTS);
  for (int64_t i = 0; i < count; ++i) values[i] = (float)random_in(-8, 8);
}

static void append_numbers(char *text, const char *name, const int64_t *numbers, int count) {
  char *end = text + strlen(text);
  end += sprintf(end, "%s%s=[", text[0] == '\0' ? "" : " ", name);
  for (int i = 0; i < count; ++i) end += sprintf(end, i ? ",%d" : "%d", (int)numbers[i]);
  sprintf(end, "]");
}

static void check_values(netcl_tensor *y, uint32_t rank, const int64_t *shape,
                         const float *wanted) {
  const netcl_tensor_info info = tensor_info(y);
  assert_int_equal(info.rank, rank);
  for (uint32_t d = 0; d < rank; ++d) assert_int_equal(info.shape[d], shape[d]);
  CHECK_TENSOR(y, wanted);
}

/* ---- Col2Im ---------------------------------------------------------------------------------- */

static void check_col2im(Fixture *fixture, int sides) {
  static float x[ELEMENTS], wanted[ELEMENTS];
  int64_t image[SIDES], block[SIDES], strides[SIDES], dilations[SIDES], pads[2 * SIDES];
  int64_t places[SIDES], taps = 1, all = 1, size = 1;
  const int64_t batch = random_in(1, 2), channels = random_in(1, 2);
  for (int d = 0; d < sides; ++d) {
    block[d] = random_in(1, 3);
    strides[d] = random_in(1, 2);
    dilations[d] = random_in(1, 2);
    pads[d] = random_in(0, 1);
    pads[sides + d] = random_in(0, 1);
    image[d] = (block[d] - 1) * dilations[d] + 1 + random_in(0, 2);
    places[d] = (image[d] + pads[d] + pads[sides + d] - (block[d] - 1) * dilations[d] - 1) /
                    strides[d] + 1;
    taps *= block[d];
    all *= places[d];
    size *= image[d];
  }
  load_values(x, batch * channels * taps * all);
  memset(wanted, 0, sizeof wanted);
  for (int64_t i = 0; i < batch * channels * taps * all; ++i) {
    int64_t place = i % all, tap = i / all % taps, at = 0, step = 1, inside = 1;
    for (int d = sides; d-- > 0; place /= places[d], tap /= block[d], step *= image[d]) {
      const int64_t p =
          place % places[d] * strides[d] - pads[d] + tap % block[d] * dilations[d];
      inside = inside && p >= 0 && p < image[d];
      at += p * step;
    }
    if (inside) wanted[i / (all * taps) * size + at] += x[i];
  }
  char attributes[256] = "";
  append_numbers(attributes, "strides", strides, sides);
  append_numbers(attributes, "dilations", dilations, sides);
  append_numbers(attributes, "pads", pads, 2 * sides);
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", NETCL_F32, NULL);
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_weight_i64(&graph, "image", (uint32_t)sides, image);
  onnx_weight_i64(&graph, "block", (uint32_t)sides, block);
  onnx_node(&graph, "Col2Im", "c", "x image block", "y", attributes);
  netcl_model *model = onnx_load(fixture, &graph, 18);
  const int64_t from[3] = {batch, channels * taps, all};
  int64_t to[2 + SIDES] = {batch, channels};
  memcpy(to + 2, image, (size_t)sides * sizeof *image);
  netcl_tensor *input = make_tensor(fixture->device, NETCL_F32, 3, from, x);
  netcl_tensor *y = onnx_run(model, &input, 1);
  check_values(y, (uint32_t)(2 + sides), to, wanted);
  RELEASE(input, y);
  netcl_model_release(model);
}

static void columns(void **state) {
  Fixture *fixture = *state;
  for (int i = 0; i < 15; ++i) check_col2im(fixture, i % 3 + 1);
}

/* ---- MaxUnpool ------------------------------------------------------------------------------- */

/* What MaxPool takes goes back to where it was. */
static void unpooled(void **state) {
  Fixture *fixture = *state;
  for (int i = 0; i < 8; ++i) {
    static float x[ELEMENTS], wanted[ELEMENTS];
    const int64_t planes = random_in(1, 3), rows = random_in(1, 3), columns = random_in(1, 3);
    const int more = i % 2;
    const int64_t shape[4] = {1, planes, 2 * rows, 2 * columns};
    const int64_t to[4] = {1, planes, 2 * rows + more, 2 * columns + 2 * more};
    const int64_t count = planes * 4 * rows * columns;
    /* All are different, and none is 0. */
    for (int64_t k = 0; k < count; ++k) x[k] = (float)((k * 7 + 3) % 211 + 1);
    memset(wanted, 0, sizeof wanted);
    for (int64_t k = 0; k < count; ++k) {
      const int64_t column = k % shape[3], row = k / shape[3] % shape[2];
      const int64_t plane = k / (shape[2] * shape[3]);
      const int64_t first = k - column % 2 - row % 2 * shape[3];
      float largest = 0;
      for (int t = 0; t < 4; ++t) {
        const float other = x[first + t % 2 + t / 2 * shape[3]];
        if (other > largest) largest = other;
      }
      if (x[k] == largest) wanted[(plane * to[2] + row) * to[3] + column] = x[k];
    }
    OnnxBytes graph = {0};
    onnx_input(&graph, "x", NETCL_F32, NULL);
    onnx_output(&graph, "y", NETCL_F32, NULL);
    onnx_weight_i64(&graph, "shape", 4, to);
    onnx_node(&graph, "MaxPool", "p", "x", "m i", "kernel_shape=[2,2] strides=[2,2]");
    onnx_node(&graph, "MaxUnpool", "u", more ? "m i shape" : "m i", "y",
              "kernel_shape=[2,2] strides=[2,2]");
    netcl_model *model = onnx_load(fixture, &graph, 11);
    netcl_tensor *input = make_tensor(fixture->device, NETCL_F32, 4, shape, x);
    netcl_tensor *y = onnx_run(model, &input, 1);
    check_values(y, 4, to, wanted);
    RELEASE(input, y);
    netcl_model_release(model);
  }
}

/* ---- Pads ------------------------------------------------------------------------------------ */

/* Runs an op with a list of numbers over x [4, 5]. */
static void check_list_op(Fixture *fixture, const char *op, const char *attributes,
                          const int64_t *list, uint32_t length, const int64_t *to,
                          const float *x, const float *wanted) {
  const int64_t shape[2] = {4, 5};
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", NETCL_F32, NULL);
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_weight_i64(&graph, "list", length, list);
  onnx_node(&graph, op, "p", "x list", "y", attributes);
  netcl_model *model = onnx_load(fixture, &graph, 19);
  netcl_tensor *input = make_tensor(fixture->device, NETCL_F32, 2, shape, x);
  netcl_tensor *y = onnx_run(model, &input, 1);
  check_values(y, 2, to, wanted);
  RELEASE(input, y);
  netcl_model_release(model);
}

/* Also by more than the tensor is wide, and after elements are taken away. */
static void wrapped(void **state) {
  Fixture *fixture = *state;
  for (int i = 0; i < 12; ++i) {
    static float x[ELEMENTS], wanted[ELEMENTS];
    const int64_t pads[4] = {random_in(-2, 9), random_in(-2, 9), random_in(-1, 9),
                             random_in(-2, 9)};
    const int64_t shape[2] = {4, 5};
    int64_t to[2], cut[2], kept[2];
    for (int d = 0; d < 2; ++d) {
      to[d] = shape[d] + pads[d] + pads[2 + d];
      cut[d] = pads[d] < 0 ? -pads[d] : 0;
      kept[d] = shape[d] - cut[d] + (pads[2 + d] < 0 ? pads[2 + d] : 0);
    }
    load_values(x, 20);
    for (int64_t k = 0; k < to[0] * to[1]; ++k) {
      int64_t at[2] = {k / to[1], k % to[1]};
      for (int d = 0; d < 2; ++d) {
        at[d] = cut[d] + (at[d] - pads[d] - cut[d] + 60 * kept[d]) % kept[d];
      }
      wanted[k] = x[at[0] * 5 + at[1]];
    }
    check_list_op(fixture, "Pad", "mode:wrap", pads, 4, to, x, wanted);
  }
}

static void middles(void **state) {
  Fixture *fixture = *state;
  for (int i = 0; i < 16; ++i) {
    static float x[ELEMENTS], wanted[ELEMENTS];
    const int64_t to[2] = {random_in(1, 8), random_in(1, 9)};
    load_values(x, 20);
    /* What is odd is less at the front. */
    const int64_t rows = to[0] < 4 ? (4 - to[0]) / 2 : -((to[0] - 4) / 2);
    const int64_t columns = to[1] < 5 ? (5 - to[1]) / 2 : -((to[1] - 5) / 2);
    for (int64_t k = 0; k < to[0] * to[1]; ++k) {
      const int64_t row = k / to[1] + rows, column = k % to[1] + columns;
      const int inside = row >= 0 && row < 4 && column >= 0 && column < 5;
      wanted[k] = inside ? x[row * 5 + column] : 0;
    }
    check_list_op(fixture, "CenterCropPad", NULL, to, 2, to, x, wanted);
  }
}

/* ---- What does not fit ----------------------------------------------------------------------- */

static void fails_with(Fixture *fixture, const char *op, const char *attributes, const int64_t *a,
                       uint32_t a_count, const int64_t *b, uint32_t b_count, netcl_status status,
                       const char *text) {
  const int64_t shape[3] = {1, 4, 4};
  netcl_tensor *x = NULL, *y = NULL;
  uint32_t count = 0;
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", NETCL_F32, NULL);
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_weight_i64(&graph, "a", a_count, a);
  if (b != NULL) onnx_weight_i64(&graph, "b", b_count, b);
  onnx_node(&graph, op, "n", b != NULL ? "x a b" : "x a", "y", attributes);
  netcl_model *model = onnx_load(fixture, &graph, 19);
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 3, shape, NULL, NULL, &x));
  FAILS_WITH(status, text, netcl_model_evaluate(model, &x, 1, NULL, &y, 1, &count));
  assert_null(y);
  netcl_tensor_release(x);
  netcl_model_release(model);
}

static void misfits(void **state) {
  Fixture *fixture = *state;
  const netcl_status bad = NETCL_ERROR_INVALID_ARGUMENT;
  const int64_t image[2] = {3, 3}, block[2] = {2, 2}, huge[2] = {1 << 30, 1 << 30};
  const int64_t other[2] = {4, 4}, far[6] = {0, 0, -5, 0, 0, 0};
  fails_with(fixture, "Col2Im", NULL, other, 2, block, 2, bad, "[1, 4, 4]");
  fails_with(fixture, "Col2Im", NULL, huge, 2, block, 2, bad, "[1073741824, 1073741824]");
  fails_with(fixture, "Col2Im", NULL, image, 2, huge, 2, bad, "[1073741824, 1073741824]");
  fails_with(fixture, "Col2Im", "strides=[0,1]", image, 2, block, 2, bad, "strides");
  fails_with(fixture, "Pad", "mode:wrap", far, 6, NULL, 0, bad, "-5");
  fails_with(fixture, "CenterCropPad", NULL, image, 2, NULL, 0, bad, "2 numbers for 3 axes");
}

int main(void) {
  seed_random("model_fold");
  const struct CMUnitTest tests[] = {DEVICE_TEST(columns), DEVICE_TEST(unpooled),
                                     DEVICE_TEST(wrapped), DEVICE_TEST(middles),
                                     DEVICE_TEST(misfits)};
  compile_quickly();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
