/* Models: files of ONNX that are loaded and run, against references in double precision. */
#include <math.h>

#include "support_graph.h"
#include "support_onnx.h"

/* ---- A small network ------------------------------------------------------------------------- */

enum { CHANNELS = 3, FILTERS = 4, SIDE = 6, CLASSES = 5, POOLED = FILTERS * 3 * 3 };

typedef struct Weights {
  float filters[FILTERS * CHANNELS * 9], bias[FILTERS];
  float scale[FILTERS], shift[FILTERS], mean[FILTERS], variance[FILTERS];
  float dense[CLASSES * POOLED], last[CLASSES];
} Weights;

static void fill_floats(float *values, size_t count, double low, double high) {
  for (size_t i = 0; i < count; ++i) values[i] = (float)random_real(low, high);
}

static Weights random_weights(void) {
  Weights w;
  fill_floats(w.filters, COUNT_OF(w.filters), -1, 1);
  fill_floats(w.bias, FILTERS, -1, 1);
  fill_floats(w.scale, FILTERS, 0.5, 2);
  fill_floats(w.shift, FILTERS, -1, 1);
  fill_floats(w.mean, FILTERS, -1, 1);
  fill_floats(w.variance, FILTERS, 0.5, 2);
  fill_floats(w.dense, COUNT_OF(w.dense), -1, 1);
  fill_floats(w.last, CLASSES, -1, 1);
  return w;
}

/* conv, batchnorm, relu, max pooling, a reshape whose shape is computed, gemm, softmax. */
static OnnxBytes network_graph(const Weights *w) {
  OnnxBytes graph = {0};
  const int64_t filters[4] = {FILTERS, CHANNELS, 3, 3}, each[1] = {FILTERS};
  const int64_t dense[2] = {CLASSES, POOLED}, last[1] = {CLASSES};
  const int64_t zero = 0, rest = -1;
  onnx_input(&graph, "image", NETCL_F32, "batch 3 6 6");
  onnx_output(&graph, "odds", NETCL_F32, "batch 5");
  onnx_weight(&graph, "filters", NETCL_F32, 4, filters, w->filters);
  onnx_weight(&graph, "bias", NETCL_F32, 1, each, w->bias);
  onnx_weight(&graph, "scale", NETCL_F32, 1, each, w->scale);
  onnx_weight(&graph, "shift", NETCL_F32, 1, each, w->shift);
  onnx_weight(&graph, "mean", NETCL_F32, 1, each, w->mean);
  onnx_weight(&graph, "variance", NETCL_F32, 1, each, w->variance);
  onnx_weight(&graph, "dense", NETCL_F32, 2, dense, w->dense);
  onnx_weight(&graph, "last", NETCL_F32, 1, last, w->last);
  onnx_weight_i64(&graph, "zero", 1, &zero);
  onnx_weight_i64(&graph, "rest", 1, &rest);
  onnx_node(&graph, "Conv", "conv", "image filters bias", "c", "pads=[1,1,1,1] kernel_shape=[3,3]");
  onnx_node(&graph, "BatchNormalization", "norm", "c scale shift mean variance", "n",
            "epsilon=0.001");
  onnx_node(&graph, "Relu", "relu", "n", "r", NULL);
  onnx_node(&graph, "MaxPool", "pool", "r", "p", "kernel_shape=[2,2] strides=[2,2]");
  onnx_node(&graph, "Shape", "shape", "p", "s", NULL);
  onnx_node(&graph, "Gather", "count", "s zero", "b", "axis=0");
  onnx_node(&graph, "Concat", "flat", "b rest", "t", "axis=0");
  onnx_node(&graph, "Reshape", "flatten", "p t", "f", NULL);
  onnx_node(&graph, "Gemm", "dense", "f dense last", "g", "transB=1");
  onnx_node(&graph, "Softmax", "softmax", "g", "odds", "axis=-1");
  return graph;
}

static double filtered(const Weights *w, const float *image, int f, int y, int x) {
  double sum = w->bias[f];
  for (int c = 0; c < CHANNELS; ++c) {
    for (int k = 0; k < 9; ++k) {
      const int row = y + k / 3 - 1, column = x + k % 3 - 1;
      if (row < 0 || row >= SIDE || column < 0 || column >= SIDE) continue;
      sum += (double)image[(c * SIDE + row) * SIDE + column] *
             (double)w->filters[(f * CHANNELS + c) * 9 + k];
    }
  }
  const double normal = (sum - w->mean[f]) / sqrt((double)w->variance[f] + 0.001) * w->scale[f];
  return fmax(normal + w->shift[f], 0);
}

static void network_reference(const Weights *w, const float *image, double *odds) {
  double pooled[POOLED], sum = 0;
  for (int i = 0; i < POOLED; ++i) {
    const int f = i / 9, y = i / 3 % 3, x = i % 3;
    pooled[i] = 0;
    for (int k = 0; k < 4; ++k) {
      pooled[i] = fmax(pooled[i], filtered(w, image, f, 2 * y + k / 2, 2 * x + k % 2));
    }
  }
  for (int c = 0; c < CLASSES; ++c) {
    double product = w->last[c];
    for (int i = 0; i < POOLED; ++i) product += pooled[i] * (double)w->dense[c * POOLED + i];
    odds[c] = product;
  }
  double most = odds[0];
  for (int c = 1; c < CLASSES; ++c) most = fmax(most, odds[c]);
  for (int c = 0; c < CLASSES; ++c) sum += odds[c] = exp(odds[c] - most);
  for (int c = 0; c < CLASSES; ++c) odds[c] /= sum;
}

enum { IMAGE = CHANNELS * SIDE * SIDE };

static netcl_tensor *images(Fixture *fixture, int64_t batch, const float *values) {
  const int64_t shape[4] = {batch, CHANNELS, SIDE, SIDE};
  return make_tensor(fixture->device, NETCL_F32, 4, shape, values);
}

static void check_odds(const Weights *w, const float *values, int64_t batch, netcl_tensor *got) {
  const netcl_tensor_info info = tensor_info(got);
  assert_int_equal(info.rank, 2);
  assert_int_equal(info.shape[0], batch);
  float *read = read_tensor(got);
  for (int64_t n = 0; n < batch; ++n) {
    double wanted[CLASSES];
    network_reference(w, values + n * IMAGE, wanted);
    for (int c = 0; c < CLASSES; ++c) {
      CHECK(fabs(read[n * CLASSES + c] - wanted[c]) < 1e-4, "image %d, class %d: %g, expected %g",
            (int)n, c, (double)read[n * CLASSES + c], wanted[c]);
    }
  }
  free(read);
}

static uint64_t forms_of(netcl_model *model) {
  netcl_model_info info = NETCL_MODEL_INFO_INIT;
  OK(netcl_model_get_info(model, &info));
  return info.form_count;
}

static void network(void **state) {
  Fixture *fixture = *state;
  const Weights w = random_weights();
  OnnxBytes graph = network_graph(&w);
  netcl_model *model = onnx_load(fixture, &graph, 17);
  assert_int_equal(forms_of(model), 0);
  for (int64_t batch = 1; batch <= 3; ++batch) {
    float values[3 * IMAGE];
    fill_floats(values, (size_t)(batch * IMAGE), -1, 1);
    netcl_tensor *input = images(fixture, batch, values);
    netcl_tensor *output = onnx_run(model, &input, 1);
    check_odds(&w, values, batch, output);
    assert_int_equal(forms_of(model), batch);
    netcl_tensor *given = poisoned_like(fixture, output);
    OK(netcl_model_run(model, &input, 1, &given, 1, NULL));
    check_odds(&w, values, batch, given);
    assert_int_equal(forms_of(model), batch);
    RELEASE(input, output, given);
  }
  netcl_model_release(model);
}

/* With one form, an earlier one is compiled anew and right. */
static void bounded(void **state) {
  Fixture *fixture = *state;
  const Weights w = random_weights();
  OnnxBytes graph = network_graph(&w);
  OnnxBytes file = onnx_file(&graph, 17);
  netcl_model_options options = NETCL_MODEL_OPTIONS_INIT;
  options.forms_most = 1;
  options.fuse = NETCL_OFF;
  netcl_model *model = NULL;
  OK(netcl_model_load_memory(fixture->device, file.data, file.size, &options, &model));
  onnx_free(&file);
  for (int i = 0; i < 4; ++i) {
    float values[2 * IMAGE];
    fill_floats(values, COUNT_OF(values), -1, 1);
    netcl_tensor *input = images(fixture, 1 + i % 2, values);
    netcl_tensor *output = onnx_run(model, &input, 1);
    check_odds(&w, values, 1 + i % 2, output);
    assert_int_equal(forms_of(model), 1);
    RELEASE(input, output);
  }
  netcl_model_release(model);
}

/* ---- What is in a model ---------------------------------------------------------------------- */

static netcl_status get_info(void *model, void *info) { return netcl_model_get_info(model, info); }
static netcl_status get_input(void *model, void *info) {
  return netcl_model_get_input(model, 0, info);
}
static netcl_status explain(void *model, char *buffer, size_t capacity, size_t *length) {
  return netcl_model_explain(model, NETCL_GRAPH_FORMAT_TEXT, buffer, capacity, length);
}

static void facts(void **state) {
  Fixture *fixture = *state;
  const Weights w = random_weights();
  OnnxBytes graph = network_graph(&w);
  netcl_model *model = onnx_load(fixture, &graph, 17);
  netcl_model_info info = NETCL_MODEL_INFO_INIT;
  OK(netcl_model_get_info(model, &info));
  assert_int_equal(info.node_count, 10);
  assert_int_equal(info.weight_count, 8); /* two more are read by the host alone */
  assert_int_equal(info.weight_bytes, sizeof w);
  assert_int_equal(info.ir_version, 10);
  assert_int_equal(info.opset, 17);
  assert_int_equal(info.input_count, 1);
  assert_int_equal(info.output_count, 1);
  assert_string_equal(info.name, "tested");
  assert_string_equal(info.producer, "netcl tests 1.0");
  netcl_model_value value = NETCL_MODEL_VALUE_INIT;
  OK(netcl_model_get_input(model, 0, &value));
  assert_string_equal(value.name, "image");
  assert_string_equal(value.dimensions, "[batch, 3, 6, 6]");
  assert_int_equal(value.dtype, NETCL_F32);
  assert_int_equal(value.has_rank, 1);
  assert_int_equal(value.rank, 4);
  assert_int_equal(value.bound, 0);
  assert_int_equal(value.shape[0], -1);
  assert_int_equal(value.shape[3], 6);
  OK(netcl_model_get_output(model, 0, &value));
  assert_string_equal(value.name, "odds");
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "index is 1", netcl_model_get_input(model, 1, &value));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "index is 1", netcl_model_get_output(model, 1, &value));
  uint32_t index = 7;
  OK(netcl_model_find_input(model, "image", &index));
  assert_int_equal(index, 0);
  OK(netcl_model_find_output(model, "odds", &index));
  FAILS_WITH(NETCL_ERROR_NOT_FOUND, "\"picture\"; the model's inputs are \"image\"",
             netcl_model_find_input(model, "picture", &index));
  FAILS_WITH(NETCL_ERROR_NOT_FOUND, "\"image\"; the model's outputs are \"odds\"",
             netcl_model_find_output(model, "image", &index));
  check_info_rules("netcl_model_get_info", get_info, model, sizeof info, 0, 0);
  check_info_rules("netcl_model_get_input", get_input, model, sizeof value, 0, 0);
  const float values[IMAGE] = {0};
  netcl_tensor *input = images(fixture, 1, values);
  netcl_tensor *output = onnx_run(model, &input, 1);
  char *text = check_text_rules("netcl_model_explain", explain, model);
  CHECK(strstr(text, "conv2d") != NULL, "the form is not explained: %s", text);
  free(text);
  RELEASE(input, output);
  netcl_model_release(model);
}

/* ---- Shapes that the host works out ---------------------------------------------------------- */

/* A reshape by an input: each value of it has a form of its own. */
static void bound_input(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", NETCL_F32, NULL);
  onnx_input(&graph, "shape", NETCL_I64, "-1");
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_node(&graph, "Reshape", "r", "x shape", "z", NULL);
  onnx_node(&graph, "Neg", "n", "z", "y", NULL);
  netcl_model *model = onnx_load(fixture, &graph, 13);
  netcl_model_value value = NETCL_MODEL_VALUE_INIT;
  OK(netcl_model_get_input(model, 1, &value));
  assert_int_equal(value.bound, 1);
  assert_string_equal(value.dimensions, "[?]");
  netcl_tensor *x = counting_vector(fixture, 6, 1);
  const int64_t shapes[3][2] = {{2, 3}, {3, -1}, {2, 3}}, two[1] = {2};
  for (int i = 0; i < 3; ++i) {
    netcl_tensor *shape = make_tensor(fixture->device, NETCL_I64, 1, two, shapes[i]);
    netcl_tensor *const inputs[2] = {x, shape};
    netcl_tensor *y = onnx_run(model, inputs, 2);
    const netcl_tensor_info info = tensor_info(y);
    assert_int_equal(info.rank, 2);
    assert_int_equal(info.shape[0], i == 1 ? 3 : 2);
    GIVES(y, -1, -2, -3, -4, -5, -6);
    assert_int_equal(forms_of(model), i == 0 ? 1 : 2);
    RELEASE(shape, y);
  }
  RELEASE(x);
  netcl_model_release(model);
}

/* Pads as exporters write them: lists of the host that are reshaped, transposed and cut. */
static void transposed_pads(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = {0};
  const int64_t given[4] = {2, 1, 0, 0}, pairs[2] = {-1, 2}, flat[1] = {-1};
  const int64_t last[1] = {-1}, least[1] = {-9}, zero[1] = {0};
  onnx_input(&graph, "x", NETCL_F32, "?? ??");
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_weight_i64(&graph, "given", 4, given);
  onnx_weight_i64(&graph, "pairs", 2, pairs);
  onnx_weight_i64(&graph, "flat", 1, flat);
  onnx_weight_i64(&graph, "last", 1, last);
  onnx_weight_i64(&graph, "least", 1, least);
  onnx_weight_i64(&graph, "zero", 1, zero);
  onnx_node(&graph, "Reshape", "a", "given pairs", "p", NULL);
  onnx_node(&graph, "Slice", "b", "p last least zero last", "q", NULL);
  onnx_node(&graph, "Transpose", "c", "q", "r", "perm=[1,0]");
  onnx_node(&graph, "Reshape", "d", "r flat", "pads", NULL);
  onnx_node(&graph, "Pad", "e", "x pads", "y", NULL);
  netcl_model *model = onnx_load(fixture, &graph, 13);
  const int64_t shape[2] = {1, 2};
  const float values[2] = {5, 6};
  netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 2, shape, values);
  netcl_tensor *y = onnx_run(model, &x, 1);
  GIVES(y, 0, 0, 5, 6, 0);
  RELEASE(x, y);
  netcl_model_release(model);
}

/* Indices of several dimensions that count from the end. */
static void negative_indices(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = {0};
  const int64_t places[4] = {-1, -1, 0, -2}, places_shape[2] = {2, 2};
  const int64_t rows[2] = {-2, 1}, rows_shape[2] = {2, 1}, shape[2] = {2, 3};
  const float updates[6] = {10, 20, 30, 40, 50, 60};
  onnx_input(&graph, "x", NETCL_F32, "2 3");
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_weight(&graph, "places", NETCL_I64, 2, places_shape, places);
  onnx_weight(&graph, "rows", NETCL_I64, 2, rows_shape, rows);
  onnx_weight(&graph, "updates", NETCL_F32, 2, shape, updates);
  onnx_node(&graph, "ScatterND", "s", "x rows updates", "z", "reduction:add");
  onnx_node(&graph, "GatherND", "g", "z places", "y", NULL);
  netcl_model *model = onnx_load(fixture, &graph, 16);
  const float values[6] = {1, 2, 3, 4, 5, 6};
  netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 2, shape, values);
  netcl_tensor *y = onnx_run(model, &x, 1);
  GIVES(y, 66, 22);
  RELEASE(x, y);
  netcl_model_release(model);
}

/* Outputs that are inputs, weights, numbers of the host, and one value twice. */
static void plain_outputs(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = {0};
  const float weight[2] = {5, 6};
  const int64_t two[1] = {2};
  onnx_input(&graph, "x", NETCL_F32, "n");
  onnx_input(&graph, "unused", NETCL_F32, "n");
  onnx_weight(&graph, "w", NETCL_F32, 1, two, weight);
  onnx_node(&graph, "Shape", "s", "x", "shape", NULL);
  onnx_node(&graph, "Exp", "e", "x", "y", NULL);
  onnx_node(&graph, "Identity", "i", "y", "same", NULL);
  static const char *const kOutputs[] = {"x", "w", "shape", "y", "same", "y"};
  for (size_t i = 0; i < COUNT_OF(kOutputs); ++i) {
    onnx_output(&graph, kOutputs[i], i == 2 ? NETCL_I64 : NETCL_F32, NULL);
  }
  netcl_model *model = onnx_load(fixture, &graph, 13);
  netcl_tensor *x = counting_vector(fixture, 3, 0), *unused = counting_vector(fixture, 3, 9);
  netcl_tensor *const inputs[2] = {x, unused};
  netcl_tensor *made[6] = {NULL};
  uint32_t count = 0;
  OK(netcl_model_evaluate(model, inputs, 2, NULL, NULL, 0, &count));
  assert_int_equal(count, 6);
  assert_int_equal(forms_of(model), 0);
  OK(netcl_model_evaluate(model, inputs, 2, NULL, made, 6, &count));
  GIVES(made[0], 0, 1, 2);
  GIVES(made[1], 5, 6);
  int64_t *shape = read_tensor(made[2]);
  assert_int_equal(shape[0], 3);
  free(shape);
  for (int i = 3; i < 6; ++i) GIVES(made[i], 1, exp(1), exp(2));
  netcl_tensor *given[6];
  for (int i = 0; i < 6; ++i) given[i] = poisoned_like(fixture, made[i]);
  OK(netcl_model_run(model, inputs, 2, given, 6, NULL));
  for (int i = 0; i < 6; ++i) check_same_bits(given[i], made[i], "output", i);
  release_tensors(given, 6);
  release_tensors(made, 6);
  RELEASE(x, unused);
  netcl_model_release(model);
}

int main(void) {
  seed_random("model");
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(network),       DEVICE_TEST(bounded),
      DEVICE_TEST(facts),         DEVICE_TEST(bound_input),
      DEVICE_TEST(plain_outputs), DEVICE_TEST(transposed_pads),
      DEVICE_TEST(negative_indices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
