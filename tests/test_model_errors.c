/* Models that are cut short, damaged, unsound or not to be run, and inputs that do not fit. */
#include "support_graph.h"
#include "support_onnx.h"

/* Loads the file of a graph, which fails, and frees it. */
static void refuse(Fixture *fixture, OnnxBytes *graph, netcl_status status, const char *text) {
  OnnxBytes file = onnx_file(graph, 13);
  netcl_model *model = NULL;
  FAILS_WITH(status, text,
             netcl_model_load_memory(fixture->device, file.data, file.size, NULL, &model));
  assert_null(model);
  onnx_free(&file);
}

static OnnxBytes with_ends(netcl_dtype dtype, const char *extents) {
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", dtype, extents);
  onnx_output(&graph, "y", dtype, NULL);
  return graph;
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

static OnnxBytes sound_file(void) {
  OnnxBytes graph = with_ends(NETCL_F32, "n 2");
  const int64_t shape[2] = {2, 2}, axes[1] = {0};
  const float weight[4] = {1, 2, 3, 4};
  onnx_weight(&graph, "w", NETCL_F32, 2, shape, weight);
  onnx_weight_i64(&graph, "axes", 1, axes);
  onnx_node(&graph, "MatMul", "product", "x w", "p", NULL);
  onnx_node(&graph, "ReduceSum", "sum", "p axes", "y", "keepdims=0");
  return onnx_file(&graph, 13);
}

/* Whatever the bytes are, the answer is a status with a message, or a model that can be asked. */
static void try_bytes(Fixture *fixture, const void *data, size_t size) {
  netcl_model *model = NULL;
  netcl_model_info info = NETCL_MODEL_INFO_INIT;
  const netcl_status status =
      netcl_model_load_memory(fixture->device, data, size, NULL, &model);
  if (status == NETCL_OK) {
    OK(netcl_model_get_info(model, &info));
    netcl_model_release(model);
    return;
  }
  CHECK(status == NETCL_ERROR_CORRUPT_DATA || status == NETCL_ERROR_UNSUPPORTED,
        "status %d: %s", status, netcl_last_error_message());
  assert_null(model);
  assert_true(netcl_last_error_message()[0] != '\0');
}

static void damaged(void **state) {
  Fixture *fixture = *state;
  OnnxBytes file = sound_file();
  netcl_model *model = NULL;
  OK(netcl_model_load_memory(fixture->device, file.data, file.size, NULL, &model));
  netcl_model_release(model);
  /* The graph is nearly all of the file: a part of it ends within the graph. */
  for (size_t size = 0; size + 8 < file.size; ++size) {
    unsigned char *part = malloc(size + 1);
    memcpy(part, file.data, size);
    model = NULL;
    FAILS(NETCL_ERROR_CORRUPT_DATA,
          netcl_model_load_memory(fixture->device, part, size, NULL, &model));
    free(part);
  }
  for (int i = 0; i < sanitized_rounds(4000); ++i) {
    unsigned char *copy = malloc(file.size);
    memcpy(copy, file.data, file.size);
    for (int64_t k = random_in(1, 3); k > 0; --k) {
      copy[random_in(0, (int64_t)file.size - 1)] = (unsigned char)random_bits();
    }
    try_bytes(fixture, copy, file.size);
    free(copy);
  }
  onnx_free(&file);
  FAILS_WITH(NETCL_ERROR_CORRUPT_DATA, "no graph",
             netcl_model_load_memory(fixture->device, "", 0, NULL, &model));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "data",
             netcl_model_load_memory(fixture->device, NULL, 4, NULL, &model));
  FAILS_WITH(NETCL_ERROR_IO, "/none/model.onnx",
             netcl_model_load(fixture->device, "/none/model.onnx", NULL, &model));
}

/* A weight with a dtype, a shape and some bytes that do not fit each other. */
static void refuse_weight(Fixture *fixture, int type, int64_t extent, size_t bytes,
                          netcl_status status, const char *text) {
  OnnxBytes graph = with_ends(NETCL_F32, NULL), tensor = {0};
  static const unsigned char data[64] = {0};
  onnx_number(&tensor, 1, extent);
  onnx_number(&tensor, 1, 2);
  onnx_number(&tensor, 2, type);
  onnx_text(&tensor, 8, "w");
  onnx_bytes(&tensor, 9, data, bytes);
  onnx_message(&graph, 5, &tensor);
  onnx_node(&graph, "Add", "a", "x w", "y", NULL);
  refuse(fixture, &graph, status, text);
}

static void weights(void **state) {
  Fixture *fixture = *state;
  refuse_weight(fixture, 1, 2, 12, NETCL_ERROR_CORRUPT_DATA,
                "weight \"w\" has 12 bytes of data; its shape [2, 2] and type float need 16");
  refuse_weight(fixture, 1, -1, 0, NETCL_ERROR_CORRUPT_DATA, "weight \"w\"");
  refuse_weight(fixture, 1, INT64_MAX, 16, NETCL_ERROR_CORRUPT_DATA, "weight \"w\"");
  refuse_weight(fixture, 1, INT64_C(1) << 60, 16, NETCL_ERROR_CORRUPT_DATA, "weight \"w\"");
  refuse_weight(fixture, 8, 2, 16, NETCL_ERROR_UNSUPPORTED, "elements of string: weight \"w\"");
  refuse_weight(fixture, 17, 2, 4, NETCL_ERROR_UNSUPPORTED, "elements of float8e4m3fn");
  refuse_weight(fixture, 99, 2, 4, NETCL_ERROR_UNSUPPORTED, "elements of type 99");
}

/* ---- Networks -------------------------------------------------------------------------------- */

static void unsound(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = with_ends(NETCL_F32, NULL);
  onnx_node(&graph, "Add", "first", "x b", "a", NULL);
  onnx_node(&graph, "Exp", "second", "a", "b", NULL);
  onnx_node(&graph, "Neg", "last", "b", "y", NULL);
  refuse(fixture, &graph, NETCL_ERROR_CORRUPT_DATA,
         "node \"first\" (Add) reads \"b\", which no input, weight or earlier node gives");
  graph = with_ends(NETCL_F32, NULL);
  onnx_node(&graph, "Exp", "one", "x", "y", NULL);
  onnx_node(&graph, "Neg", "", "x", "y", NULL);
  refuse(fixture, &graph, NETCL_ERROR_CORRUPT_DATA,
         "node 1 (Neg) gives \"y\", which is given already");
  graph = with_ends(NETCL_F32, NULL);
  onnx_node(&graph, "Exp", "one", "x", "z", NULL);
  refuse(fixture, &graph, NETCL_ERROR_CORRUPT_DATA, "the output \"y\" is nothing");
  graph = (OnnxBytes){0};
  onnx_input(&graph, "x", NETCL_F32, NULL);
  refuse(fixture, &graph, NETCL_ERROR_CORRUPT_DATA, "no outputs");
  graph = with_ends(NETCL_F32, NULL);
  onnx_node(&graph, "Conv", "c", "x", "y", NULL);
  netcl_model *model = onnx_load(fixture, &graph, 13);
  netcl_tensor *x = counting_vector(fixture, 3, 0), *y = NULL;
  uint32_t count = 0;
  FAILS_WITH(NETCL_ERROR_CORRUPT_DATA, "node \"c\" (Conv): input 1 is left out",
             netcl_model_evaluate(model, &x, 1, NULL, &y, 1, &count));
  assert_null(y);
  RELEASE(x);
  netcl_model_release(model);
}

/* All that is missing stands in one message; what outputs do not need is not looked at. */
static void missing(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = with_ends(NETCL_F32, NULL);
  onnx_node(&graph, "Frobnicate", "one", "x", "a", NULL);
  onnx_node(&graph, "Elu", "two", "a", "b", "alpha=0.5 beta=2.0");
  onnx_node(&graph, "Frobnicate", "three", "b", "c", NULL);
  onnx_node(&graph, "Cast", "four", "c", "d", "to=8");
  onnx_node(&graph, "Resize", "five", "d", "e", "mode:sinc");
  onnx_node(&graph, "Neg", "six", "e", "y", NULL);
  onnx_node(&graph, "Sqrt", "unused", "x", "z", "what=1");
  OnnxBytes file = onnx_file(&graph, 13);
  netcl_model *model = NULL;
  FAILS(NETCL_ERROR_UNSUPPORTED,
        netcl_model_load_memory(fixture->device, file.data, file.size, NULL, &model));
  onnx_free(&file);
  static const char *const kParts[] = {
      "op Frobnicate: node \"one\" (Frobnicate), node \"three\" (Frobnicate)",
      "attribute beta of Elu: node \"two\" (Elu)",
      "Cast with a result of string: node \"four\" (Cast)",
      "Resize with mode sinc: node \"five\" (Resize)"};
  const char *const message = netcl_last_error_message();
  for (size_t i = 0; i < COUNT_OF(kParts); ++i) {
    CHECK(strstr(message, kParts[i]) != NULL, "\"%s\" is not in: %s", kParts[i], message);
  }
  CHECK(strstr(message, "unused") == NULL, "a node that nothing needs is in: %s", message);
}

/* ---- Inputs ---------------------------------------------------------------------------------- */

static void refuse_inputs(netcl_model *model, netcl_tensor *a, netcl_tensor *b,
                          netcl_status status, const char *text) {
  netcl_tensor *const inputs[2] = {a, b};
  netcl_tensor *y = NULL;
  uint32_t count = 77;
  FAILS_WITH(status, text, netcl_model_evaluate(model, inputs, 2, NULL, &y, 1, &count));
  assert_null(y);
  assert_int_equal(count, 77);
}

static netcl_tensor *of_shape(Fixture *fixture, netcl_dtype dtype, int64_t rows, int64_t columns) {
  const int64_t shape[2] = {rows, columns};
  netcl_tensor *tensor = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, dtype, 2, shape, NULL, NULL, &tensor));
  return tensor;
}

/* What cannot be had is told with the node, or the value, that asks for it. */
static void too_large(void **state) {
  Fixture *fixture = *state;
  const int64_t one = 1, huge[2] = {(int64_t)1 << 30, (int64_t)1 << 20}, start = 0, step = 1;
  const int64_t limit = (int64_t)1 << 62;
  for (int i = 0; i < 2; ++i) {
    OnnxBytes graph = {0};
    netcl_tensor *x = NULL, *y = NULL;
    uint32_t count = 0;
    onnx_input(&graph, "x", NETCL_F32, "1");
    onnx_output(&graph, "y", i ? NETCL_I64 : NETCL_F32, NULL);
    if (i == 0) {
      onnx_weight_i64(&graph, "shape", 2, huge);
      onnx_node(&graph, "Expand", "grow", "x shape", "y", NULL);
    } else {
      onnx_weight(&graph, "start", NETCL_I64, 0, NULL, &start);
      onnx_weight(&graph, "limit", NETCL_I64, 0, NULL, &limit);
      onnx_weight(&graph, "step", NETCL_I64, 0, NULL, &step);
      onnx_node(&graph, "Range", "count", "start limit step", "y", NULL);
    }
    netcl_model *model = onnx_load(fixture, &graph, 20);
    OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, &one, NULL, NULL, &x));
    FAILS_WITH(i ? NETCL_ERROR_UNSUPPORTED : NETCL_ERROR_OUT_OF_DEVICE_MEMORY,
               i ? "node \"count\" (Range): a range of 4.61169e+18 numbers" : "the value \"y\"",
               netcl_model_evaluate(model, &x, 1, NULL, &y, 1, &count));
    assert_null(y);
    netcl_tensor_release(x);
    netcl_model_release(model);
  }
}

static void inputs(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = {0};
  onnx_input(&graph, "a", NETCL_F32, "n 3");
  onnx_input(&graph, "b", NETCL_F32, "n 3");
  onnx_output(&graph, "y", NETCL_F32, "n 3");
  onnx_node(&graph, "Add", "sum", "a b", "y", NULL);
  netcl_model *model = onnx_load(fixture, &graph, 13);
  netcl_tensor *a = of_shape(fixture, NETCL_F32, 2, 3), *b = of_shape(fixture, NETCL_F32, 2, 3);
  netcl_tensor *wide = of_shape(fixture, NETCL_F32, 2, 4);
  netcl_tensor *more = of_shape(fixture, NETCL_F32, 5, 3);
  netcl_tensor *other = of_shape(fixture, NETCL_I32, 2, 3), *flat = counting_vector(fixture, 3, 0);
  netcl_tensor *y = NULL, *pair[2] = {a, b};
  uint32_t count = 0;
  refuse_inputs(model, a, wide, NETCL_ERROR_INVALID_ARGUMENT,
                "inputs[1], \"b\", has shape [2, 4]; the model takes [n, 3]");
  refuse_inputs(model, flat, b, NETCL_ERROR_INVALID_ARGUMENT, "inputs[0], \"a\", has shape [3]");
  refuse_inputs(model, a, other, NETCL_ERROR_INVALID_ARGUMENT,
                "inputs[1], \"b\", is i32; the model takes f32");
  refuse_inputs(model, a, more, NETCL_ERROR_INVALID_ARGUMENT,
                "inputs[1], \"b\", has 5 for the dimension \"n\", which is 2 in inputs[0]");
  refuse_inputs(model, a, NULL, NETCL_ERROR_INVALID_HANDLE, "inputs[1]");
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "inputs_count is 1; the model has 2 inputs",
             netcl_model_evaluate(model, &a, 1, NULL, &y, 1, &count));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "outputs_count is 0; the model has 1 outputs",
             netcl_model_run(model, pair, 2, NULL, 0, NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "outputs[0] has shape [2, 4]",
             netcl_model_run(model, pair, 2, &wide, 1, NULL));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_model_run(model, pair, 2, &a, 1, NULL));
  y = onnx_run(model, pair, 2);
  GIVES(y, 0, 0, 0, 0, 0, 0);
  RELEASE(a, b, wide, more, other, flat, y);
  netcl_model_release(model);
}

/* What an op refuses names its node, and leaves the model as it was. */
static void refused_by_ops(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = {0};
  onnx_input(&graph, "a", NETCL_F32, NULL);
  onnx_input(&graph, "b", NETCL_F32, NULL);
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_node(&graph, "Relu", "positive", "a", "p", NULL);
  onnx_node(&graph, "MatMul", "product", "p b", "y", NULL);
  netcl_model *model = onnx_load(fixture, &graph, 13);
  netcl_tensor *a = of_shape(fixture, NETCL_F32, 2, 3), *b = of_shape(fixture, NETCL_F32, 3, 2);
  refuse_inputs(model, a, a, NETCL_ERROR_INVALID_ARGUMENT,
                "node \"product\" (MatMul): a has shape");
  netcl_tensor *const pair[2] = {a, b};
  netcl_tensor *y = onnx_run(model, pair, 2);
  GIVES(y, 0, 0, 0, 0);
  RELEASE(a, b, y);
  netcl_model_release(model);
}

static netcl_status load_with(Fixture *fixture, const void *options) {
  OnnxBytes file = sound_file();
  netcl_model *model = NULL;
  const netcl_status status =
      netcl_model_load_memory(fixture->device, file.data, file.size, options, &model);
  onnx_free(&file);
  netcl_model_release(model);
  return status;
}

static void options(void **state) {
  netcl_model_options options = NETCL_MODEL_OPTIONS_INIT;
  check_options_rules(*state, "netcl_model_load_memory", load_with, &options,
                      SIZES(netcl_model_options), NULL, 0);
  options.dtype = NETCL_F64;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->dtype is 4; it is NETCL_F16",
             load_with(*state, &options));
  options.dtype = NETCL_F32;
  OK(load_with(*state, &options));
  options.fuse = 7;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->fuse is 7", load_with(*state, &options));
}

int main(void) {
  seed_random("model_errors");
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(damaged),
      DEVICE_TEST(weights),
      DEVICE_TEST(unsound),
      DEVICE_TEST(missing),
      DEVICE_TEST(too_large),
      DEVICE_TEST(inputs),
      DEVICE_TEST(refused_by_ops),
      DEVICE_TEST(options),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
