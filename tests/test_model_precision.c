/* Models of f32 with weights and values of f16 and bf16: near the run in f32, with outputs as the
 * file has them and half the memory; what the short dtype does not hold stays f32. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support_graph.h"
#include "support_onnx.h"

enum { CHANNELS = 8, SIDE = 6, CLASSES = 5, ROWS = 2 };
static const netcl_dtype kShort[2] = {NETCL_F16, NETCL_BF16};
/* What an element may be off, in parts of the largest one: some roundings of half an ulp each. */
static const double kBound[2] = {4.0 / 1024, 4.0 / 128};

/* The steps of a model's only form. */
static int steps_of(const netcl_model *model) {
  static char text[1 << 16];
  size_t length = 0;
  OK(netcl_model_explain(model, NETCL_GRAPH_FORMAT_TEXT, text, sizeof text, &length));
  CHECK(length < sizeof text, "the text has %zu bytes", length);
  const char *at = strstr(text, " calls, ");
  assert_non_null(at);
  return atoi(at + strlen(" calls, "));
}

/* Runs the model in f32 and in a short dtype, and compares: the second takes `casts` more steps,
 * where that is not negative. Gives the bytes of weights. */
static uint64_t compare(Fixture *fixture, const OnnxBytes *file, netcl_tensor *input, int d,
                        int casts) {
  netcl_tensor *outputs[2];
  int steps[2];
  netcl_model_info info = NETCL_MODEL_INFO_INIT;
  for (int mixed = 0; mixed < 2; ++mixed) {
    netcl_model_options options = NETCL_MODEL_OPTIONS_INIT;
    netcl_model *model = NULL;
    options.dtype = mixed ? kShort[d] : 0;
    OK(netcl_model_load_memory(fixture->device, file->data, file->size, &options, &model));
    outputs[mixed] = onnx_run(model, &input, 1);
    OK(netcl_model_get_info(model, &info));
    if (casts >= 0) steps[mixed] = steps_of(model);
    netcl_model_release(model);
  }
  if (casts >= 0) {
    CHECK(steps[1] == steps[0] + casts, "%s: %d steps, and %d in f32", netcl_dtype_name(kShort[d]),
          steps[1], steps[0]);
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
    /* The input and the output are cast; kernels join batchnorm in short dtypes alone. The
     * statistics stay f32. */
    assert_int_equal(compare(fixture, &file, input, d, fixture->kernels ? 1 : 2),
                     2 * (CHANNELS * CHANNELS * 9 + CHANNELS * CLASSES) + 4 * 4 * CHANNELS);
  }
  RELEASE(input);
  onnx_free(&file);
}

/* A chain of elementwise ops between convolutions, as networks for telephones have them, with
 * single numbers and a bias for each channel. */
static void chains(void **state) {
  Fixture *fixture = *state;
  const int64_t filters[4] = {CHANNELS, CHANNELS, 3, 3}, line[4] = {1, CHANNELS, 1, 1},
                one[1] = {1}, shape[4] = {ROWS, CHANNELS, SIDE, SIDE};
  const float three = 3, six = 6, zero = 0, slope = 0.3f;
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", NETCL_F32, "n 8 h w");
  onnx_output(&graph, "y", NETCL_F32, "n 8 h w");
  add_weight(&graph, "w", 4, filters, -0.3f, 0.3f);
  add_weight(&graph, "v", 4, filters, -0.3f, 0.3f);
  add_weight(&graph, "b", 4, line, -1, 1);
  onnx_weight(&graph, "three", NETCL_F32, 1, one, &three);
  onnx_weight(&graph, "six", NETCL_F32, 1, one, &six);
  onnx_weight(&graph, "zero", NETCL_F32, 0, NULL, &zero);
  onnx_weight(&graph, "top", NETCL_F32, 0, NULL, &six);
  onnx_weight(&graph, "slope", NETCL_F32, 1, one, &slope);
  onnx_node(&graph, "Conv", "", "x w", "a", "pads=[1,1,1,1]");
  onnx_node(&graph, "Mul", "", "a slope", "a1", NULL);
  onnx_node(&graph, "Add", "", "a1 b", "c", NULL);
  onnx_node(&graph, "Add", "", "c three", "d", NULL);
  onnx_node(&graph, "Clip", "", "d zero top", "e", NULL);
  onnx_node(&graph, "Mul", "", "c e", "f", NULL);
  onnx_node(&graph, "Div", "", "f six", "g", NULL);
  onnx_node(&graph, "Conv", "", "g v", "h", "pads=[1,1,1,1]");
  onnx_node(&graph, "Sub", "", "h slope", "i", NULL);
  onnx_node(&graph, "Max", "", "i zero", "j", NULL);
  onnx_node(&graph, "Sigmoid", "", "j", "y", NULL);
  OnnxBytes file = onnx_file(&graph, 13);
  netcl_tensor *input = random_input(fixture, 4, shape);
  for (int d = 0; d < 2; ++d) compare(fixture, &file, input, d, 1);
  RELEASE(input);
  onnx_free(&file);
}

/* A block of a transformer: norms, attention written out, gelu. */
static void transformer(void **state) {
  Fixture *fixture = *state;
  const int64_t matrix[2] = {CHANNELS, CHANNELS}, line[1] = {CHANNELS}, one[1] = {1},
                shape[3] = {ROWS, SIDE, CHANNELS};
  const float scale = 0.35f;
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", NETCL_F32, "n t 8");
  onnx_output(&graph, "y", NETCL_F32, "n t 8");
  for (int i = 0; i < 5; ++i) {
    add_weight(&graph, (const char *[]){"q", "k", "v", "o", "m"}[i], 2, matrix, -0.5f, 0.5f);
  }
  add_weight(&graph, "s", 1, line, 0.5f, 1.5f);
  add_weight(&graph, "b", 1, line, -1, 1);
  onnx_weight(&graph, "scale", NETCL_F32, 1, one, &scale);
  onnx_node(&graph, "MatMul", "", "x m", "x0", NULL);
  onnx_node(&graph, "LayerNormalization", "", "x0 s b", "n", "axis=-1");
  onnx_node(&graph, "MatMul", "", "n q", "q1", NULL);
  onnx_node(&graph, "MatMul", "", "n k", "k1", NULL);
  onnx_node(&graph, "MatMul", "", "n v", "v1", NULL);
  onnx_node(&graph, "Transpose", "", "k1", "k2", "perm=[0,2,1]");
  onnx_node(&graph, "MatMul", "", "q1 k2", "p", NULL);
  onnx_node(&graph, "Mul", "", "p scale", "p1", NULL);
  onnx_node(&graph, "Softmax", "", "p1", "p2", "axis=-1");
  onnx_node(&graph, "MatMul", "", "p2 v1", "o1", NULL);
  onnx_node(&graph, "MatMul", "", "o1 o", "o2", NULL);
  onnx_node(&graph, "Add", "", "x0 o2", "r", NULL);
  onnx_node(&graph, "LayerNormalization", "", "r s b", "r1", "axis=-1");
  onnx_node(&graph, "MatMul", "", "r1 m", "g", NULL);
  onnx_node(&graph, "Add", "", "g b", "g1", NULL);
  onnx_node(&graph, "Gelu", "", "g1", "g2", NULL);
  onnx_node(&graph, "Add", "", "g2 r", "y", NULL);
  OnnxBytes file = onnx_file(&graph, 20);
  netcl_tensor *input = random_input(fixture, 3, shape);
  /* A cast of the input; in f32 alone four nodes are one call of attention. */
  for (int d = 0; d < 2; ++d) compare(fixture, &file, input, d, 1 + 3);
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
  for (int d = 0; d < 2; ++d) compare(fixture, &file, input, d, -1);
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
  for (int d = 0; d < 2; ++d) compare(fixture, &file, input, d, -1);
  RELEASE(input);
  onnx_free(&file);
}

/* Of a chain the last result alone is rounded, and an output is not; norms have their scales as the
 * file has them. */
static void rounded_once(void **state) {
  Fixture *fixture = *state;
  const int64_t one[1] = {1}, line[1] = {2}, shape[2] = {1, 2};
  const float large = 1024, scale[2] = {256.7f, 256.7f}, bias[2] = {-256.2f, -256.2f},
              x[2] = {-0.7f, 0.7f};
  for (int d = 0; d < 2; ++d) {
    OnnxBytes graph = {0};
    netcl_model_options options = NETCL_MODEL_OPTIONS_INIT;
    netcl_model *model = NULL;
    options.dtype = kShort[d];
    onnx_input(&graph, "x", NETCL_F32, "1 2");
    onnx_output(&graph, "y", NETCL_F32, "1 2");
    onnx_output(&graph, "z", NETCL_F32, "1 2");
    onnx_weight(&graph, "large", NETCL_F32, 1, one, &large);
    onnx_weight(&graph, "scale", NETCL_F32, 1, line, scale);
    onnx_weight(&graph, "bias", NETCL_F32, 1, line, bias);
    onnx_node(&graph, "Add", "", "x large", "a", NULL);
    onnx_node(&graph, "Sub", "", "a large", "y", NULL);
    onnx_node(&graph, "LayerNormalization", "", "x scale bias", "z", "axis=-1");
    OnnxBytes file = onnx_file(&graph, 17);
    OK(netcl_model_load_memory(fixture->device, file.data, file.size, &options, &model));
    onnx_free(&file);
    netcl_tensor *input = make_tensor(fixture->device, NETCL_F32, 2, shape, x), *outputs[2];
    uint32_t count = 0;
    OK(netcl_model_evaluate(model, &input, 1, NULL, outputs, 2, &count));
    float *y = read_tensor(outputs[0]), *z = read_tensor(outputs[1]);
    for (int i = 0; i < 2; ++i) {
      CHECK(fabsf(y[i] - x[i]) < 1e-3f, "%s: the chain gives %g for %g",
            netcl_dtype_name(kShort[d]), (double)y[i], (double)x[i]);
    }
    CHECK(fabsf(z[1] - 0.4974f) < 0.002f, "%s: the norm gives %g", netcl_dtype_name(kShort[d]),
          (double)z[1]);
    free(y);
    free(z);
    RELEASE(input, outputs[0], outputs[1]);
    netcl_model_release(model);
  }
}

/* What is no f32 keeps its type: powers of integers by floats, comparisons, f64. */
static void other_types(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[1] = {4}, whole[4] = {1, -2, 3, 4};
  const float half[4] = {0.5f, 2, 1, 3};
  for (int d = 0; d < 3; ++d) {
    OnnxBytes graph = {0};
    netcl_model_options options = NETCL_MODEL_OPTIONS_INIT;
    netcl_model *model = NULL;
    options.dtype = d == 2 ? 0 : kShort[d];
    onnx_input(&graph, "n", NETCL_I64, "4");
    onnx_input(&graph, "x", NETCL_F32, "4");
    onnx_output(&graph, "p", NETCL_I64, "4");
    onnx_output(&graph, "l", NETCL_BOOL, "4");
    onnx_output(&graph, "m", NETCL_I64, "4");
    onnx_node(&graph, "Pow", "", "n x", "p", NULL);
    onnx_node(&graph, "Relu", "", "x", "r", NULL);
    onnx_node(&graph, "Less", "", "r x", "less", NULL);
    onnx_node(&graph, "Not", "", "less", "l", NULL);
    onnx_node(&graph, "Where", "", "l n p", "m", NULL);
    OnnxBytes file = onnx_file(&graph, 18);
    OK(netcl_model_load_memory(fixture->device, file.data, file.size, &options, &model));
    onnx_free(&file);
    netcl_tensor *const inputs[2] = {make_tensor(fixture->device, NETCL_I64, 1, shape, whole),
                                     make_tensor(fixture->device, NETCL_F32, 1, shape, half)};
    netcl_tensor *outputs[3] = {NULL};
    uint32_t count = 0;
    OK(netcl_model_evaluate(model, inputs, 2, NULL, outputs, 3, &count));
    static const netcl_dtype kWanted[3] = {NETCL_I64, NETCL_BOOL, NETCL_I64};
    for (int i = 0; i < 3; ++i) assert_int_equal(tensor_info(outputs[i]).dtype, kWanted[i]);
    int64_t *powers = read_tensor(outputs[0]);
    const int64_t wanted[4] = {1, 4, 3, 64};
    assert_memory_equal(powers, wanted, sizeof wanted);
    free(powers);
    RELEASE(inputs[0], inputs[1], outputs[0], outputs[1], outputs[2]);
    netcl_model_release(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(network),     DEVICE_TEST(chains),
                                     DEVICE_TEST(transformer), DEVICE_TEST(statistics),
                                     DEVICE_TEST(graphs),      DEVICE_TEST(rounded_once),
                                     DEVICE_TEST(other_types)};
  seed_random("model_precision");
  return cmocka_run_group_tests(tests, NULL, NULL);
}
