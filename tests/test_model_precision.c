/* Models of f32 with weights and values of f16 and bf16: near the run in f32, with outputs as the
 * file has them and half the memory; what the short dtype does not hold stays f32. */
#include <math.h>

#include "support_graph.h"
#include "support_onnx.h"

enum { CHANNELS = 8, SIDE = 6, CLASSES = 5, ROWS = 2 };
static const netcl_dtype kShort[2] = {NETCL_F16, NETCL_BF16};
/* What an element may be off, in parts of the largest one: some roundings of half an ulp each. */
static const double kBound[2] = {4.0 / 1024, 4.0 / 128};

/* Runs the model in f32 and in a short dtype, and compares. Gives the bytes of weights. */
static uint64_t compare(Fixture *fixture, const OnnxBytes *file, netcl_tensor *input, int d) {
  netcl_tensor *outputs[2];
  netcl_model_info info = NETCL_MODEL_INFO_INIT;
  for (int mixed = 0; mixed < 2; ++mixed) {
    netcl_model_options options = NETCL_MODEL_OPTIONS_INIT;
    netcl_model *model = NULL;
    options.dtype = mixed ? kShort[d] : 0;
    OK(netcl_model_load_memory(fixture->device, file->data, file->size, &options, &model));
    outputs[mixed] = onnx_run(model, &input, 1);
    OK(netcl_model_get_info(model, &info));
    netcl_model_release(model);
  }
  const netcl_tensor_info facts = tensor_info(outputs[1]);
  assert_int_equal(facts.dtype, NETCL_F32);
  float *wanted = read_tensor(outputs[0]), *got = read_tensor(outputs[1]);
  float largest = 0;
  for (int64_t i = 0; i < facts.element_count; ++i) largest = fmaxf(largest, fabsf(wanted[i]));
  for (int64_t i = 0; i < facts.element_count; ++i) {
    CHECK(fabsf(wanted[i] - got[i]) <= kBound[d] * (double)largest,
          "%s: element %d is %g, in f32 %g", netcl_dtype_name(kShort[d]), (int)i, got[i],
          wanted[i]);
  }
  free(wanted);
  free(got);
  RELEASE(outputs[0], outputs[1]);
  return info.weight_bytes;
}

static void fill_floats(float *values, size_t count, double low, double high) {
  for (size_t i = 0; i < count; ++i) values[i] = (float)random_real(low, high);
}

static netcl_tensor *random_input(Fixture *fixture, uint32_t rank, const int64_t *shape) {
  float values[ROWS * CHANNELS * SIDE * SIDE];
  fill_floats(values, COUNT_OF(values), -1, 1);
  return make_tensor(fixture->device, NETCL_F32, rank, shape, values);
}

static void add_weight(OnnxBytes *graph, const char *name, uint32_t rank, const int64_t *shape,
                       float low, float high) {
  float values[CHANNELS * CHANNELS * 9];
  fill_floats(values, COUNT_OF(values), low, high);
  onnx_weight(graph, name, NETCL_F32, rank, shape, values);
}

/* Convolution, normalisation, a sum around it, a mean, a product, softmax. */
static void network(void **state) {
  Fixture *fixture = *state;
  const int64_t filters[4] = {CHANNELS, CHANNELS, 3, 3}, channels[1] = {CHANNELS},
                matrix[2] = {CHANNELS, CLASSES}, shape[4] = {ROWS, CHANNELS, SIDE, SIDE};
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", NETCL_F32, "n 8 h w");
  onnx_output(&graph, "y", NETCL_F32, "n 5");
  add_weight(&graph, "w", 4, filters, -0.3f, 0.3f);
  add_weight(&graph, "scale", 1, channels, 0.5f, 1.5f);
  add_weight(&graph, "bias", 1, channels, -1, 1);
  add_weight(&graph, "mean", 1, channels, -0.1f, 0.1f);
  add_weight(&graph, "var", 1, channels, 0.5f, 2);
  add_weight(&graph, "m", 2, matrix, -1, 1);
  onnx_node(&graph, "Conv", "", "x w", "a", "pads=[1,1,1,1]");
  onnx_node(&graph, "BatchNormalization", "", "a scale bias mean var", "b", NULL);
  onnx_node(&graph, "Relu", "", "b", "c", NULL);
  onnx_node(&graph, "Add", "", "c x", "d", NULL);
  onnx_node(&graph, "GlobalAveragePool", "", "d", "e", NULL);
  onnx_node(&graph, "Flatten", "", "e", "f", NULL);
  onnx_node(&graph, "MatMul", "", "f m", "g", NULL);
  onnx_node(&graph, "Softmax", "", "g", "y", NULL);
  OnnxBytes file = onnx_file(&graph, 13);
  netcl_tensor *input = random_input(fixture, 4, shape);
  for (int d = 0; d < 2; ++d) {
    /* The statistics stay f32. */
    assert_int_equal(compare(fixture, &file, input, d),
                     2 * (CHANNELS * CHANNELS * 9 + CHANNELS * CLASSES) + 4 * 4 * CHANNELS);
  }
  RELEASE(input);
  onnx_free(&file);
}

/* A norm written out, whose squares and whose epsilon f16 does not hold. */
static void statistics(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[2] = {ROWS, CHANNELS}, one[1] = {1}, matrix[2] = {CHANNELS, CHANNELS};
  const float large = 3000, least = 1e-7f, lowest = -3e38f;
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", NETCL_F32, "n 8");
  onnx_output(&graph, "y", NETCL_F32, "n 8");
  onnx_weight(&graph, "large", NETCL_F32, 1, one, &large);
  onnx_weight(&graph, "least", NETCL_F32, 1, one, &least);
  onnx_weight(&graph, "lowest", NETCL_F32, 1, one, &lowest);
  onnx_weight_i64(&graph, "axes", 1, (const int64_t[1]){1});
  add_weight(&graph, "m", 2, matrix, -1, 1);
  onnx_node(&graph, "MatMul", "", "x m", "a", NULL);
  onnx_node(&graph, "Mul", "", "a large", "b", NULL);
  onnx_node(&graph, "ReduceSumSquare", "", "b", "c", "axes=[1]");
  onnx_node(&graph, "Sqrt", "", "c", "d", NULL);
  onnx_node(&graph, "Add", "", "d least", "e", NULL);
  onnx_node(&graph, "Div", "", "b e", "f", NULL);
  onnx_node(&graph, "Max", "", "f lowest", "y", NULL);
  OnnxBytes file = onnx_file(&graph, 13);
  netcl_tensor *input = random_input(fixture, 2, shape);
  for (int d = 0; d < 2; ++d) compare(fixture, &file, input, d);
  RELEASE(input);
  onnx_free(&file);
}

/* What goes round a loop, and a branch that the device decides. */
static void graphs(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[2] = {ROWS, CHANNELS}, matrix[2] = {CHANNELS, CHANNELS};
  OnnxBytes graph = {0}, body = {0}, yes = {0}, no = {0};
  onnx_input(&body, "i", NETCL_I64, "");
  onnx_input(&body, "c", NETCL_BOOL, "");
  onnx_input(&body, "v", NETCL_F32, "n 8");
  onnx_output(&body, "c2", NETCL_BOOL, "");
  onnx_output(&body, "v2", NETCL_F32, "n 8");
  onnx_output(&body, "s", NETCL_F32, "n 8");
  onnx_node(&body, "Identity", "", "c", "c2", NULL);
  onnx_node(&body, "MatMul", "", "v m", "v1", NULL);
  onnx_node(&body, "Tanh", "", "v1", "v2", NULL);
  onnx_node(&body, "ReduceMean", "", "v2", "s", "axes=[0]");
  onnx_output(&yes, "p", NETCL_F32, "n 8");
  onnx_node(&yes, "MatMul", "", "r m", "p", NULL);
  onnx_output(&no, "q", NETCL_F32, "n 8");
  onnx_node(&no, "Exp", "", "r", "q", NULL);
  onnx_input(&graph, "x", NETCL_F32, "n 8");
  onnx_output(&graph, "y", NETCL_F32, "n 8");
  add_weight(&graph, "m", 2, matrix, -0.5f, 0.5f);
  onnx_weight_i64(&graph, "three", 1, (const int64_t[1]){3});
  onnx_flow(&graph, "Loop", "", "three - x", "r t", NULL, &body, NULL);
  onnx_node(&graph, "ReduceMax", "", "r", "most", "keepdims=0");
  onnx_node(&graph, "Sub", "", "most most", "zero", NULL);
  onnx_node(&graph, "Less", "", "most zero", "less", NULL);
  onnx_flow(&graph, "If", "", "less", "b", NULL, &yes, &no);
  onnx_node(&graph, "ReduceSum", "", "t", "u", "keepdims=0");
  onnx_node(&graph, "Add", "", "b u", "y", NULL);
  OnnxBytes file = onnx_file(&graph, 13);
  netcl_tensor *input = random_input(fixture, 2, shape);
  for (int d = 0; d < 2; ++d) compare(fixture, &file, input, d);
  RELEASE(input);
  onnx_free(&file);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(network), DEVICE_TEST(statistics),
                                     DEVICE_TEST(graphs)};
  seed_random("model_precision");
  return cmocka_run_group_tests(tests, NULL, NULL);
}
