/* Ops of models whose results are as long as elements say: what the host works out from weights,
 * shapes and inputs, against walks over the elements; what comes from the device is refused. */
#include <math.h>
#include <stdio.h>

#include "support_graph.h"
#include "support_onnx.h"

enum { ELEMENTS = 512, OUTPUTS = 4 };

/* A model of one node over these inputs, whose outputs are of these dtypes. */
static netcl_model *load_node(Fixture *fixture, const char *op, const char *inputs,
                              const netcl_dtype *dtypes, const char *outputs,
                              const netcl_dtype *results, const char *attributes) {
  OnnxBytes graph = {0};
  char name[2] = "";
  for (size_t i = 0; 2 * i < strlen(inputs) && dtypes[i] != 0; ++i) {
    name[0] = inputs[2 * i];
    onnx_input(&graph, name, dtypes[i], NULL);
  }
  for (int i = 0; results[i] != 0; ++i) {
    name[0] = outputs[2 * i];
    onnx_output(&graph, name, results[i], NULL);
  }
  onnx_node(&graph, op, "node", inputs, outputs, attributes);
  return onnx_load(fixture, &graph, 13);
}

static void run_all(netcl_model *model, netcl_tensor *const *inputs, uint32_t count,
                    netcl_tensor **outputs, uint32_t wanted) {
  uint32_t made = 0;
  OK(netcl_model_evaluate(model, inputs, count, NULL, outputs, OUTPUTS, &made));
  assert_int_equal(made, wanted);
}

static void check_list(netcl_tensor *tensor, uint32_t rank, int64_t first, int64_t second,
                       const int64_t *wanted) {
  const netcl_tensor_info info = tensor_info(tensor);
  assert_int_equal(info.dtype, NETCL_I64);
  assert_int_equal(info.rank, rank);
  assert_int_equal(info.shape[0], first);
  if (rank == 2) assert_int_equal(info.shape[1], second);
  if (info.element_count > 0) CHECK_TENSOR(tensor, wanted);
}

/* ---- NonZero --------------------------------------------------------------------------------- */

static void non_zero(void **state) {
  Fixture *fixture = *state;
  const netcl_dtype dtypes[] = {NETCL_F32, NETCL_I32, NETCL_BOOL, NETCL_F16};
  for (int i = 0; i < 12; ++i) {
    const netcl_dtype dtype = dtypes[i % 4], in[] = {dtype, 0}, out[] = {NETCL_I64, 0};
    const int64_t shape[3] = {random_in(1, 4), random_in(0, 4), random_in(1, 4)};
    const uint32_t rank = (uint32_t)random_in(0, 3);
    const int64_t count = product(rank, shape), rows = rank == 0 ? 1 : rank;
    unsigned char x[ELEMENTS];
    int64_t places[ELEMENTS], found = 0, at = 0;
    netcl_model *model = load_node(fixture, "NonZero", "x", in, "y", out, NULL);
    /* Each run has elements of its own. */
    for (int run = 0; run < 2; ++run) {
      for (int64_t k = 0; k < count; ++k) store_double(dtype, x, k, (double)random_in(0, 1));
      found = at = 0;
      for (int64_t k = 0; k < count; ++k) found += load_double(dtype, x, k) != 0;
      for (int64_t k = 0; k < count; ++k) {
        if (load_double(dtype, x, k) == 0) continue;
        for (int64_t d = rows, rest = k; d-- > 0; rest /= rank == 0 ? 1 : shape[d]) {
          places[d * found + at] = rank == 0 ? 0 : rest % shape[d];
        }
        ++at;
      }
      netcl_tensor *input = make_tensor(fixture->device, dtype, rank, shape, x), *y = NULL;
      run_all(model, &input, 1, &y, 1);
      check_list(y, 2, rows, found, places);
      RELEASE(input, y);
    }
    netcl_model_release(model);
  }
}

/* ---- Compress -------------------------------------------------------------------------------- */

/* x comes from the device where it is multiplied before; what is then made of it does not. */
static void compress(void **state) {
  Fixture *fixture = *state;
  for (int i = 0; i < 12; ++i) {
    const int64_t shape[2] = {random_in(1, 5), random_in(1, 5)}, flat = shape[0] * shape[1];
    const int axis = i % 3 - 1, negative = i / 3 % 2;
    const int64_t extent = axis < 0 ? flat : shape[axis], length[1] = {random_in(1, extent)};
    float x[ELEMENTS], wanted[ELEMENTS];
    unsigned char condition[ELEMENTS];
    int64_t kept = 0, count = 0;
    for (int64_t k = 0; k < flat; ++k) x[k] = (float)k;
    for (int64_t k = 0; k < length[0]; ++k) kept += condition[k] = random_in(0, 2) > 0;
    for (int64_t k = 0; k < flat; ++k) {
      const int64_t place = axis < 0 ? k : axis == 0 ? k / shape[1] : k % shape[1];
      if (place < length[0] && condition[place]) wanted[count++] = 2 * x[k];
    }
    char attributes[32] = "";
    if (axis >= 0) sprintf(attributes, "axis=%d", negative ? axis - 2 : axis);
    OnnxBytes graph = {0};
    onnx_input(&graph, "x", NETCL_F32, NULL);
    onnx_input(&graph, "c", NETCL_BOOL, NULL);
    onnx_output(&graph, "y", NETCL_F32, NULL);
    onnx_node(&graph, "Add", "twice", "x x", "t", NULL);
    onnx_node(&graph, "Compress", "some", "t c", "y", attributes);
    netcl_model *model = onnx_load(fixture, &graph, 13);
    netcl_tensor *inputs[2] = {make_tensor(fixture->device, NETCL_F32, 2, shape, x),
                               make_tensor(fixture->device, NETCL_BOOL, 1, length, condition)};
    netcl_tensor *y = onnx_run(model, inputs, 2);
    const netcl_tensor_info info = tensor_info(y);
    assert_int_equal(info.rank, axis < 0 ? 1 : 2);
    assert_int_equal(info.shape[axis < 0 ? 0 : axis], kept);
    assert_int_equal(info.element_count, count);
    if (count > 0) CHECK_TENSOR(y, wanted);
    RELEASE(inputs[0], inputs[1], y);
    netcl_model_release(model);
  }
}

/* A list of the host goes on as one: the shape of a reshape. */
static void on_host(void **state) {
  Fixture *fixture = *state;
  const int64_t extents[4] = {2, 7, 3, 2}, list[1] = {4}, shape[2] = {3, 4};
  const unsigned char some[4] = {1, 0, 1, 1};
  float x[12];
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", NETCL_F32, NULL);
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_weight_i64(&graph, "e", 4, extents);
  onnx_weight(&graph, "c", NETCL_BOOL, 1, list, some);
  onnx_node(&graph, "Compress", "some", "e c", "s", "axis=0");
  onnx_node(&graph, "Reshape", "r", "x s", "y", NULL);
  netcl_model *model = onnx_load(fixture, &graph, 13);
  for (int i = 0; i < 12; ++i) x[i] = (float)i;
  netcl_tensor *input = make_tensor(fixture->device, NETCL_F32, 2, shape, x);
  netcl_tensor *y = onnx_run(model, &input, 1);
  assert_int_equal(tensor_info(y).rank, 3);
  assert_int_equal(tensor_info(y).shape[1], 3);
  CHECK_TENSOR(y, x);
  RELEASE(input, y);
  netcl_model_release(model);
}

/* ---- Unique ---------------------------------------------------------------------------------- */

static int is_same_part(const float *x, int64_t a, int64_t b, int64_t length) {
  for (int64_t i = 0; i < length; ++i) {
    const float p = x[a * length + i], q = x[b * length + i];
    if (p != q && !(isnan(p) && isnan(q))) return 0;
  }
  return 1;
}

static int is_before(const float *x, int64_t a, int64_t b, int64_t length) {
  for (int64_t i = 0; i < length; ++i) {
    const float p = x[a * length + i], q = x[b * length + i];
    if (p == q || (isnan(p) && isnan(q))) continue;
    return isnan(q) || p < q;
  }
  return 0;
}

/* Rows of x [count, length], or elements where there is no axis. */
static void check_unique(Fixture *fixture, int sorted, int rows) {
  const int64_t count = random_in(1, 9), length = rows ? random_in(1, 2) : 1;
  const int64_t shape[2] = {count, length};
  const netcl_dtype in[] = {NETCL_F32, 0},
                    out[] = {NETCL_F32, NETCL_I64, NETCL_I64, NETCL_I64, 0};
  float x[ELEMENTS], values[ELEMENTS];
  int64_t firsts[ELEMENTS], numbers[ELEMENTS], counts[ELEMENTS], kinds = 0;
  for (int64_t i = 0; i < count * length; ++i) {
    x[i] = random_in(0, 6) == 0 ? NAN : (float)random_in(-1, 2);
  }
  for (int64_t i = 0; i < count; ++i) {
    int64_t known = 0;
    while (known < kinds && !is_same_part(x, firsts[known], i, length)) ++known;
    if (known == kinds) firsts[kinds++] = i;
  }
  for (int64_t i = 0; sorted && i < kinds; ++i) {
    for (int64_t k = i + 1; k < kinds; ++k) {
      if (!is_before(x, firsts[k], firsts[i], length)) continue;
      const int64_t first = firsts[i];
      firsts[i] = firsts[k];
      firsts[k] = first;
    }
  }
  for (int64_t k = 0; k < kinds; ++k) {
    counts[k] = 0;
    for (int64_t i = 0; i < count; ++i) {
      if (!is_same_part(x, firsts[k], i, length)) continue;
      numbers[i] = k;
      ++counts[k];
    }
    memcpy(values + k * length, x + firsts[k] * length, (size_t)length * sizeof *x);
  }
  char attributes[64];
  sprintf(attributes, "sorted=%d%s", sorted, rows ? " axis=-2" : "");
  netcl_model *model = load_node(fixture, "Unique", "x", in, "y i n c", out, attributes);
  netcl_tensor *input = make_tensor(fixture->device, NETCL_F32, rows ? 2 : 1, shape, x);
  netcl_tensor *outputs[OUTPUTS];
  run_all(model, &input, 1, outputs, OUTPUTS);
  const netcl_tensor_info info = tensor_info(outputs[0]);
  assert_int_equal(info.rank, rows ? 2 : 1);
  assert_int_equal(info.shape[0], kinds);
  CHECK_TENSOR(outputs[0], values);
  check_list(outputs[1], 1, kinds, 0, firsts);
  check_list(outputs[2], 1, count, 0, numbers);
  check_list(outputs[3], 1, kinds, 0, counts);
  netcl_tensor_release(input);
  release_tensors(outputs, OUTPUTS);
  netcl_model_release(model);
}

static void unique(void **state) {
  Fixture *fixture = *state;
  for (int i = 0; i < 24; ++i) check_unique(fixture, i % 2, i / 2 % 2);
  /* Above 2^63, u64 is larger than all below. */
  const uint64_t x[3] = {(uint64_t)1 << 63, 1, ~(uint64_t)0};
  const uint64_t wanted[3] = {1, (uint64_t)1 << 63, ~(uint64_t)0};
  const int64_t shape[1] = {3};
  const netcl_dtype in[] = {NETCL_U64, 0};
  netcl_model *model = load_node(fixture, "Unique", "x", in, "y", in, NULL);
  netcl_tensor *input = make_tensor(fixture->device, NETCL_U64, 1, shape, x), *y = NULL;
  run_all(model, &input, 1, &y, 1);
  CHECK_TENSOR(y, wanted);
  RELEASE(input, y);
  netcl_model_release(model);
}

/* ---- NonMaxSuppression ----------------------------------------------------------------------- */

enum { IMAGES = 2, CLASSES = 2, BOXES = 12 };

/* The part of their union that two boxes [y1, x1, y2, x2] have in common. */
static float overlap_of(const float *a, const float *b) {
  float common = 1, sizes[2] = {1, 1};
  for (int d = 0; d < 2; ++d) {
    const float low = fmaxf(fminf(a[d], a[2 + d]), fminf(b[d], b[2 + d]));
    const float high = fminf(fmaxf(a[d], a[2 + d]), fmaxf(b[d], b[2 + d]));
    common *= high > low ? high - low : 0;
    sizes[0] *= fabsf(a[d] - a[2 + d]);
    sizes[1] *= fabsf(b[d] - b[2 + d]);
  }
  return common == 0 ? 0 : common / (sizes[0] + sizes[1] - common);
}

static void check_suppression(Fixture *fixture, int centre, int has_least) {
  float boxes[IMAGES][BOXES][4], given[IMAGES][BOXES][4], scores[IMAGES][CLASSES][BOXES];
  int64_t found[IMAGES * CLASSES * BOXES][3], count = 0;
  const int64_t most = random_in(1, BOXES);
  const float overlap = 0.3f, least = 0.25f;
  const int64_t boxes_shape[3] = {IMAGES, BOXES, 4}, scores_shape[3] = {IMAGES, CLASSES, BOXES};
  for (int n = 0; n < IMAGES; ++n) {
    for (int b = 0; b < BOXES; ++b) {
      for (int d = 0; d < 2; ++d) {
        boxes[n][b][d] = (float)random_in(0, 6);
        boxes[n][b][2 + d] = boxes[n][b][d] + (float)random_in(1, 6) * (random_in(0, 1) ? 1 : -1);
        const float low = boxes[n][b][d], high = boxes[n][b][2 + d];
        given[n][b][centre ? 1 - d : d] = centre ? (low + high) / 2 : low;
        given[n][b][centre ? 3 - d : 2 + d] = centre ? fabsf(high - low) : high;
      }
      for (int c = 0; c < CLASSES; ++c) scores[n][c][b] = (float)random_in(0, 8) / 8;
    }
  }
  for (int k = 0; k < IMAGES * CLASSES; ++k) {
    const int n = k / CLASSES, c = k % CLASSES;
    int gone[BOXES] = {0};
    for (int64_t kept = 0; kept < most; ++kept) {
      int best = -1;
      for (int b = 0; b < BOXES; ++b) {
        if (gone[b] || (has_least && scores[n][c][b] <= least)) continue;
        if (best < 0 || scores[n][c][b] > scores[n][c][best]) best = b;
      }
      if (best < 0) break;
      found[count][0] = n;
      found[count][1] = c;
      found[count++][2] = best;
      for (int b = 0; b < BOXES; ++b) {
        gone[b] |= b == best || overlap_of(boxes[n][best], boxes[n][b]) > overlap;
      }
    }
  }
  OnnxBytes graph = {0};
  onnx_input(&graph, "b", NETCL_F32, NULL);
  onnx_input(&graph, "s", NETCL_F32, NULL);
  onnx_output(&graph, "y", NETCL_I64, NULL);
  onnx_weight(&graph, "m", NETCL_I64, 0, NULL, &most);
  onnx_weight(&graph, "o", NETCL_F32, 0, NULL, &overlap);
  onnx_weight(&graph, "l", NETCL_F32, 0, NULL, &least);
  onnx_node(&graph, "NonMaxSuppression", "nms", has_least ? "b s m o l" : "b s m o", "y",
            centre ? "center_point_box=1" : NULL);
  netcl_model *model = onnx_load(fixture, &graph, 13);
  netcl_tensor *inputs[2] = {make_tensor(fixture->device, NETCL_F32, 3, boxes_shape, given),
                             make_tensor(fixture->device, NETCL_F32, 3, scores_shape, scores)};
  netcl_tensor *y = NULL;
  run_all(model, inputs, 2, &y, 1);
  check_list(y, 2, count, 3, &found[0][0]);
  RELEASE(inputs[0], inputs[1], y);
  netcl_model_release(model);
}

static void suppression(void **state) {
  Fixture *fixture = *state;
  for (int i = 0; i < 16; ++i) check_suppression(fixture, i % 2, i / 2 % 2);
}

/* ---- What does not fit ----------------------------------------------------------------------- */

/* What the device has worked out the host reads. */
static void from_device(void **state) {
  Fixture *fixture = *state;
  const char *const ops[] = {"NonZero", "Unique"};
  for (int i = 0; i < 2; ++i) {
    OnnxBytes graph = {0};
    float values[9], found[9];
    int64_t places[9], count = 0;
    const int64_t nine = 9;
    onnx_input(&graph, "x", NETCL_F32, NULL);
    onnx_output(&graph, "y", i == 1 ? NETCL_F32 : NETCL_I64, NULL);
    onnx_node(&graph, "Relu", "scores", "x", "p", NULL);
    onnx_node(&graph, ops[i], "node", "p", "y", NULL);
    /* Each value once, in order; what is negative becomes one 0. */
    for (int k = 0; k < 9; ++k) values[k] = (float)(k - (int)random_in(0, 3) * 3 - 1) + 0.25f;
    for (int k = 1; k < 9; ++k) values[k] = fmaxf(values[k], values[k - 1] + 0.5f);
    for (int64_t k = 0; k < 9; ++k) {
      if (i == 0 && values[k] > 0) places[count++] = k;
      if (i == 1 && (values[k] > 0 || k == 0)) found[count++] = fmaxf(values[k], 0);
    }
    netcl_model *model = onnx_load(fixture, &graph, 13);
    netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 1, &nine, values), *y = NULL;
    run_all(model, &x, 1, &y, 1);
    const netcl_tensor_info info = tensor_info(y);
    assert_int_equal(info.shape[info.rank - 1], count);
    if (i == 0) check_list(y, 2, 1, count, places);
    if (i == 1) {
      float *seen = read_tensor(y);
      assert_memory_equal(seen, found, (size_t)count * sizeof *found);
      free(seen);
    }
    RELEASE(x, y);
    netcl_model_release(model);
  }
}

static void misfits(void **state) {
  Fixture *fixture = *state;
  const netcl_dtype in[] = {NETCL_F32, NETCL_BOOL, 0}, out[] = {NETCL_F32, 0};
  const int64_t shape[2] = {2, 3}, long_one[1] = {3}, boxes[3] = {1, 2, 3};
  const unsigned char condition[3] = {0, 0, 1};
  netcl_tensor *inputs[2] = {NULL}, *y = NULL;
  uint32_t count = 0;
  netcl_model *model = load_node(fixture, "Compress", "x c", in, "y", out, "axis=0");
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, shape, NULL, NULL, &inputs[0]));
  inputs[1] = make_tensor(fixture->device, NETCL_BOOL, 1, long_one, condition);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "element 2 of 2",
             netcl_model_evaluate(model, inputs, 2, NULL, &y, 1, &count));
  netcl_model_release(model);
  release_tensors(inputs, 2);
  const netcl_dtype floats[] = {NETCL_F32, NETCL_F32, 0}, list[] = {NETCL_I64, 0};
  model = load_node(fixture, "NonMaxSuppression", "b s", floats, "y", list, NULL);
  for (int i = 0; i < 2; ++i) {
    OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 3, boxes, NULL, NULL, &inputs[i]));
  }
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "[1, 2, 3]",
             netcl_model_evaluate(model, inputs, 2, NULL, &y, 1, &count));
  assert_null(y);
  release_tensors(inputs, 2);
  netcl_model_release(model);
}

/* Hours of comparing are refused. */
static void too_many_boxes(void **state) {
  Fixture *fixture = *state;
  enum { MANY = 200000 };
  const int64_t boxes[3] = {1, MANY, 4}, scores[3] = {1, 1, MANY}, most = MANY;
  netcl_tensor *inputs[2] = {NULL}, *y = NULL;
  uint32_t count = 0;
  OnnxBytes graph = {0};
  onnx_input(&graph, "b", NETCL_F32, NULL);
  onnx_input(&graph, "s", NETCL_F32, NULL);
  onnx_output(&graph, "y", NETCL_I64, NULL);
  onnx_weight(&graph, "m", NETCL_I64, 0, NULL, &most);
  onnx_node(&graph, "NonMaxSuppression", "nms", "b s m", "y", NULL);
  netcl_model *model = onnx_load(fixture, &graph, 13);
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 3, boxes, NULL, NULL, &inputs[0]));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 3, scores, NULL, NULL, &inputs[1]));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "200000 scores",
             netcl_model_evaluate(model, inputs, 2, NULL, &y, 1, &count));
  release_tensors(inputs, 2);
  netcl_model_release(model);
}

int main(void) {
  seed_random("model_select");
  const struct CMUnitTest tests[] = {DEVICE_TEST(non_zero),    DEVICE_TEST(compress),
                                     DEVICE_TEST(on_host),     DEVICE_TEST(unique),
                                     DEVICE_TEST(suppression), DEVICE_TEST(from_device),
                                     DEVICE_TEST(misfits),     DEVICE_TEST(too_many_boxes)};
  compile_quickly();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
