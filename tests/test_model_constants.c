/* What depends on weights alone is worked out once, when a model is loaded. */
#include <stdio.h>

#include "support_graph.h"
#include "support_onnx.h"

enum { ROWS = 3, DEPTH = 4, COLUMNS = 5 };

static char *explained(netcl_model *model) {
  size_t length = 0;
  OK(netcl_model_explain(model, NETCL_GRAPH_FORMAT_TEXT, NULL, 0, &length));
  char *text = calloc(1, length + 1);
  OK(netcl_model_explain(model, NETCL_GRAPH_FORMAT_TEXT, text, length + 1, &length));
  return text;
}

/* y = x * transpose(dequantize(w) * 2), of which one product is left. */
static void folded(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[2] = {COLUMNS, DEPTH}, given[2] = {ROWS, DEPTH};
  signed char w[COLUMNS * DEPTH];
  float x[ROWS * DEPTH], wanted[ROWS * COLUMNS];
  const float scale = 0.25f, two = 2;
  const signed char zero = 3;
  netcl_model_info info = NETCL_MODEL_INFO_INIT;
  OnnxBytes graph = {0};
  for (int i = 0; i < COLUMNS * DEPTH; ++i) w[i] = (signed char)random_in(-100, 100);
  for (int i = 0; i < ROWS * DEPTH; ++i) x[i] = (float)random_in(-8, 8);
  for (int r = 0; r < ROWS; ++r) {
    for (int c = 0; c < COLUMNS; ++c) {
      float sum = 0;
      for (int d = 0; d < DEPTH; ++d) {
        sum += x[r * DEPTH + d] * ((float)(w[c * DEPTH + d] - zero) * scale * two);
      }
      wanted[r * COLUMNS + c] = sum;
    }
  }
  onnx_input(&graph, "x", NETCL_F32, "rows 4");
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_weight(&graph, "w", NETCL_I8, 2, shape, w);
  onnx_weight(&graph, "scale", NETCL_F32, 0, NULL, &scale);
  onnx_weight(&graph, "zero", NETCL_I8, 0, NULL, &zero);
  onnx_weight(&graph, "two", NETCL_F32, 0, NULL, &two);
  onnx_node(&graph, "DequantizeLinear", "dequantize", "w scale zero", "wide", NULL);
  onnx_node(&graph, "Mul", "twice", "wide two", "scaled", NULL);
  onnx_node(&graph, "Transpose", "turn", "scaled", "b", "perm=[1,0]");
  onnx_node(&graph, "MatMul", "product", "x b", "y", NULL);
  netcl_model *model = onnx_load(fixture, &graph, 17);
  OK(netcl_model_get_info(model, &info));
  assert_int_equal(info.weight_count, 1); /* what the product reads */
  assert_int_equal(info.weight_bytes, COLUMNS * DEPTH * sizeof(float));
  netcl_tensor *input = make_tensor(fixture->device, NETCL_F32, 2, given, x);
  netcl_tensor *y = onnx_run(model, &input, 1);
  CHECK_TENSOR(y, wanted);
  char *text = explained(model);
  CHECK(strstr(text, "1 call") != NULL && strstr(text, "matmul") != NULL &&
            strstr(text, "expression") == NULL && strstr(text, "transpose") == NULL,
        "more than a product is left: %s", text);
  free(text);
  RELEASE(input, y);
  netcl_model_release(model);
}

/* A small weight may become a large tensor: that is made in each run. Random numbers are others in
 * each, and what is wrong is said by a run, with the node. */
static void not_folded(void **state) {
  Fixture *fixture = *state;
  const int64_t one = 1, wide[2] = {300, 300}, numbers = 64;
  const float half = 0.5f, halves[64] = {[0 ... 63] = 0.5f};
  netcl_model_info info = NETCL_MODEL_INFO_INIT;
  netcl_tensor *results[2] = {NULL, NULL};
  uint32_t count = 0;
  OnnxBytes graph = {0};
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_weight(&graph, "w", NETCL_F32, 1, &one, &half);
  onnx_weight_i64(&graph, "shape", 2, wide);
  onnx_node(&graph, "Expand", "expand", "w shape", "y", NULL);
  netcl_model *model = onnx_load(fixture, &graph, 17);
  OK(netcl_model_get_info(model, &info));
  assert_int_equal(info.weight_bytes, sizeof half);
  netcl_tensor *y = onnx_run(model, NULL, 0);
  const netcl_tensor_info of = tensor_info(y);
  assert_int_equal(of.element_count, 90000);
  netcl_tensor_release(y);
  netcl_model_release(model);

  memset(&graph, 0, sizeof graph);
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_weight(&graph, "w", NETCL_F32, 1, &numbers, halves);
  onnx_node(&graph, "Bernoulli", "draw", "w", "y", NULL);
  model = onnx_load(fixture, &graph, 17);
  for (int i = 0; i < 2; ++i) {
    OK(netcl_model_evaluate(model, NULL, 0, NULL, &results[i], 1, &count));
  }
  float *a = read_tensor(results[0]), *b = read_tensor(results[1]);
  assert_int_not_equal(memcmp(a, b, sizeof halves), 0);
  free(a);
  free(b);
  RELEASE(results[0], results[1]);
  netcl_model_release(model);

  memset(&graph, 0, sizeof graph);
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_weight(&graph, "w", NETCL_F32, 1, &numbers, halves);
  onnx_weight(&graph, "v", NETCL_F32, 2, (const int64_t[]){3, 5}, halves);
  onnx_node(&graph, "Add", "unfit", "w v", "y", NULL);
  model = onnx_load(fixture, &graph, 17);
  y = NULL;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "node \"unfit\" (Add)",
             netcl_model_evaluate(model, NULL, 0, NULL, &y, 1, &count));
  assert_null(y);
  netcl_model_release(model);
}

/* Weights that a graph within reads, and those that the model gives, stay what they are. */
static void read_elsewhere(void **state) {
  Fixture *fixture = *state;
  const int64_t count = 6;
  const float w[6] = {1, -2, 3, -4, 5, -6}, wanted[6] = {2, 0, 6, 0, 10, 0};
  netcl_tensor *results[3] = {NULL, NULL, NULL};
  uint32_t made = 0;
  OnnxBytes graph = {0}, then_graph = {0}, else_graph = {0};
  onnx_input(&graph, "c", NETCL_BOOL, "");
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_output(&graph, "z", NETCL_F32, NULL);
  onnx_output(&graph, "w", NETCL_F32, NULL);
  onnx_weight(&graph, "w", NETCL_F32, 1, &count, w);
  onnx_node(&graph, "Relu", "positive", "w", "p", NULL);
  onnx_output(&then_graph, "t", NETCL_F32, NULL);
  onnx_node(&then_graph, "Add", "both", "p p", "t", NULL);
  onnx_output(&else_graph, "e", NETCL_F32, NULL);
  onnx_node(&else_graph, "Neg", "minus", "w", "e", NULL);
  onnx_flow(&graph, "If", "choose", "c", "y", NULL, &then_graph, &else_graph);
  onnx_node(&graph, "Abs", "size", "w", "z", NULL);
  netcl_model *model = onnx_load(fixture, &graph, 17);
  for (int yes = 0; yes < 2; ++yes) {
    const unsigned char condition = (unsigned char)yes;
    netcl_tensor *c = make_tensor(fixture->device, NETCL_BOOL, 0, NULL, &condition);
    OK(netcl_model_evaluate(model, &c, 1, NULL, results, 3, &made));
    assert_int_equal(made, 3);
    float *y = read_tensor(results[0]), *z = read_tensor(results[1]), *v = read_tensor(results[2]);
    for (int i = 0; i < 6; ++i) {
      assert_true(y[i] == (yes ? wanted[i] : -w[i]));
      assert_true(z[i] == (w[i] < 0 ? -w[i] : w[i]));
      assert_true(v[i] == w[i]);
    }
    free(y);
    free(z);
    free(v);
    RELEASE(results[0], results[1], results[2], c);
  }
  netcl_model_release(model);
}

/* What a later step alone reads of what an earlier one worked out: where the shape of a step comes
 * from a sum, the host reads it between them. */
static void across_steps(void **state) {
  Fixture *fixture = *state;
  const int64_t count = 4, one = 1, counts[1] = {3};
  const float w[4] = {1, -2, 3, -4}, x[3] = {2, 1, 1}, wanted[4] = {-1, 0, -3, 0};
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", NETCL_F32, "3");
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_weight(&graph, "w", NETCL_F32, 1, &count, w);
  onnx_weight(&graph, "zero", NETCL_F32, 1, &one, (const float[]){0});
  onnx_node(&graph, "Relu", "positive", "w", "p", NULL);
  onnx_node(&graph, "ReduceSum", "sum", "x", "s", "keepdims=1");
  onnx_node(&graph, "Cast", "whole", "s", "extent", "to=7");
  onnx_node(&graph, "Expand", "expand", "zero extent", "e", NULL);
  onnx_node(&graph, "Neg", "minus", "p", "q", NULL);
  onnx_node(&graph, "Add", "add", "e q", "y", NULL);
  netcl_model *model = onnx_load(fixture, &graph, 13);
  netcl_tensor *input = make_tensor(fixture->device, NETCL_F32, 1, counts, x);
  for (int i = 0; i < 2; ++i) {
    netcl_tensor *y = onnx_run(model, &input, 1);
    CHECK_TENSOR(y, wanted);
    netcl_tensor_release(y);
  }
  netcl_tensor_release(input);
  netcl_model_release(model);
}

/* A weight that is put together with itself counts once. */
static void many_times(void **state) {
  Fixture *fixture = *state;
  enum { LENGTH = 2048, TIMES = 16 };
  static float w[LENGTH], wanted[LENGTH * TIMES];
  const int64_t count = LENGTH;
  char names[4 * TIMES] = "";
  netcl_model_info info = NETCL_MODEL_INFO_INIT;
  OnnxBytes graph = {0};
  for (int i = 0; i < LENGTH; ++i) w[i] = (float)i;
  for (int i = 0; i < LENGTH * TIMES; ++i) wanted[i] = w[i % LENGTH];
  for (int i = 0; i < TIMES; ++i) strcat(names, i == 0 ? "w" : " w");
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_weight(&graph, "w", NETCL_F32, 1, &count, w);
  onnx_node(&graph, "Concat", "join", names, "y", "axis=0");
  netcl_model *model = onnx_load(fixture, &graph, 13);
  OK(netcl_model_get_info(model, &info));
  assert_int_equal(info.weight_bytes, sizeof w);
  netcl_tensor *y = onnx_run(model, NULL, 0);
  CHECK_TENSOR(y, wanted);
  netcl_tensor_release(y);
  netcl_model_release(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(folded), DEVICE_TEST(not_folded),
                                     DEVICE_TEST(read_elsewhere), DEVICE_TEST(across_steps),
                                     DEVICE_TEST(many_times)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
