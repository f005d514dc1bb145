/* Functions of a file: called with attributes, within each other and within graphs, of another
 * opset than the model; those that cannot be. */
#include <stdio.h>

#include "support_graph.h"
#include "support_onnx.h"

static netcl_status load(Fixture *fixture, OnnxBytes *file, netcl_model **model) {
  const netcl_status status =
      netcl_model_load_memory(fixture->device, file->data, file->size, NULL, model);
  onnx_free(file);
  return status;
}

static OnnxBytes begin_of(const char *call, const char *attributes, int opset) {
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", NETCL_F32, "2 2");
  onnx_output(&graph, "y", NETCL_F32, "? ?");
  onnx_node(&graph, call, "call", "x", "y", attributes);
  return onnx_file(&graph, opset);
}

static OnnxBytes begin(const char *call, const char *attributes) {
  return begin_of(call, attributes, 13);
}

static netcl_tensor *input(Fixture *fixture) {
  const int64_t shape[2] = {2, 2};
  const float x[4] = {1, -2, 3, -4};
  return make_tensor(fixture->device, NETCL_F32, 2, shape, x);
}

/* Runs a model on [[1, -2], [3, -4]]. */
#define RUN_GIVES(fixture, file, ...)                \
  do {                                               \
    netcl_model *model_ = NULL;                      \
    OK(load(fixture, file, &model_));                \
    netcl_tensor *const x_ = input(fixture);         \
    netcl_tensor *const y_ = onnx_run(model_, &x_, 1); \
    GIVES(y_, __VA_ARGS__);                          \
    RELEASE(x_, y_);                                 \
    netcl_model_release(model_);                     \
  } while (0)

/* a = leaky(x), b = a + a: with the slope of the call, of the function, or of the op. */
static OnnxBytes leaky(const char *attributes, const char *defaults) {
  OnnxBytes file = begin("local.F", attributes), nodes = {0};
  onnx_node(&nodes, "LeakyRelu", "leaky", "v", "a", "alpha@slope");
  onnx_node(&nodes, "Add", "", "a a", "x", NULL);
  onnx_function(&file, "local", "F", "v", "x", defaults, 13, &nodes);
  return file;
}

static void attributes(void **state) {
  Fixture *fixture = *state;
  OnnxBytes file = leaky("slope=0.5", "slope=0.25");
  RUN_GIVES(fixture, &file, 2, -2, 6, -4);
  file = leaky(NULL, "slope=0.25");
  RUN_GIVES(fixture, &file, 2, -1, 6, -2);
  file = leaky(NULL, NULL);
  RUN_GIVES(fixture, &file, 2, -0.04f, 6, -0.08f);
}

/* A function that calls another one twice, in the branches of an If too, whose names are the same;
 * outputs that are inputs. */
static void nested(void **state) {
  Fixture *fixture = *state;
  OnnxBytes file = begin("local.Outer", NULL), inner = {0}, outer = {0}, yes = {0}, no = {0},
            same = {0};
  onnx_node(&inner, "Mul", "", "x k", "y", NULL);
  onnx_output(&yes, "y", NETCL_F32, "? ?");
  onnx_node(&yes, "local.Times", "", "t t", "y", NULL);
  onnx_output(&no, "z", NETCL_F32, "? ?");
  onnx_node(&no, "Neg", "", "t", "z", NULL);
  onnx_node(&outer, "local.Times", "a", "x x", "s", NULL);
  onnx_node(&outer, "local.Times", "a", "s x", "t", NULL);
  onnx_node(&outer, "ReduceMax", "", "t", "m", "keepdims=0");
  onnx_node(&outer, "Less", "", "m m", "c", NULL);
  onnx_node(&outer, "Not", "", "c", "d", NULL);
  onnx_flow(&outer, "If", "", "d", "u", NULL, &yes, &no);
  onnx_node(&outer, "local.Same", "", "u", "w", NULL);
  onnx_function(&file, "local", "Outer", "x", "w", NULL, 13, &outer);
  onnx_function(&file, "local", "Times", "x k", "y", NULL, 13, &inner);
  onnx_function(&file, "local", "Same", "x", "x", NULL, 13, &same);
  RUN_GIVES(fixture, &file, 1, 64, 729, 4096);
}

/* ReduceSum has its axes as an attribute before opset 13. */
static void opsets(void **state) {
  Fixture *fixture = *state;
  OnnxBytes file = begin("local.F", NULL), nodes = {0};
  onnx_node(&nodes, "ReduceSum", "", "x", "y", "axes=[1]");
  onnx_function(&file, "local", "F", "x", "y", NULL, 11, &nodes);
  RUN_GIVES(fixture, &file, -1, -1);
  netcl_model *model = NULL;
  OnnxBytes strange = begin("local.F", NULL);
  onnx_node(&nodes, "Relu", "r", "x", "y", NULL);
  onnx_function(&strange, "local", "F", "x", "y", NULL, 99, &nodes);
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "Relu of opset 99: node \"call#1/r\" (Relu)",
             load(fixture, &strange, &model));
  assert_null(model);
}

/* A model names the opset that its own nodes are of, and none where it only calls functions; what
 * copies an input for an output is no node of the file. */
static void own_opsets(void **state) {
  Fixture *fixture = *state;
  static const int kStrange[] = {0, 6, 99};
  for (size_t i = 0; i < COUNT_OF(kStrange); ++i) {
    OnnxBytes nodes = {0}, inner = {0}, file = begin_of("local.F", NULL, kStrange[i]);
    netcl_model *model = NULL;
    onnx_node(&nodes, "local.Same", "", "x", "a", NULL);
    onnx_node(&nodes, "ReduceSum", "", "a", "y", "axes=[1]");
    onnx_function(&file, "local", "F", "x", "y", NULL, 11, &nodes);
    onnx_function(&file, "local", "Same", "x", "x", NULL, 0, &inner);
    OK(load(fixture, &file, &model));
    netcl_model_info info = NETCL_MODEL_INFO_INIT;
    OK(netcl_model_get_info(model, &info));
    assert_int_equal(info.opset, kStrange[i]);
    netcl_tensor *x = input(fixture), *y = onnx_run(model, &x, 1);
    GIVES(y, -1, -1);
    RELEASE(x, y);
    netcl_model_release(model);

    /* A function without an opset has that of the file. */
    for (int within = 0; within < 2; ++within) {
      char wanted[128];
      file = begin_of(within ? "local.F" : "Neg", NULL, kStrange[i]);
      onnx_node(&nodes, "Neg", "", "x", "y", NULL);
      onnx_function(&file, "local", "F", "x", "y", NULL, 0, &nodes);
      snprintf(wanted, sizeof wanted, "%s%.0d, which node \"call%s\" (Neg) is of",
               kStrange[i] == 0 ? "the model names no opset of ONNX" : "the model is of opset ",
               kStrange[i], within ? "#1/Neg" : "");
      model = NULL;
      FAILS_WITH(NETCL_ERROR_UNSUPPORTED, wanted, load(fixture, &file, &model));
      assert_null(model);
    }
  }
}

static void refusals(void **state) {
  Fixture *fixture = *state;
  netcl_model *model = NULL;
  OnnxBytes file = begin("local.F", NULL), nodes = {0};
  onnx_node(&nodes, "local.G", "g", "x", "y", NULL);
  onnx_function(&file, "local", "F", "x", "y", NULL, 13, &nodes);
  onnx_node(&nodes, "local.F", "f", "x", "y", NULL);
  onnx_function(&file, "local", "G", "x", "y", NULL, 13, &nodes);
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "the function \"F\" calls itself",
             load(fixture, &file, &model));
  file = begin("local.F", NULL);
  onnx_node(&nodes, "Add", "", "x x", "y", NULL);
  onnx_function(&file, "local", "F", "", "y", NULL, 13, &nodes);
  FAILS_WITH(NETCL_ERROR_CORRUPT_DATA, "has 1 inputs and 1 outputs; its function has 0 and 1",
             load(fixture, &file, &model));
  file = begin("LeakyRelu", "alpha@slope");
  FAILS_WITH(NETCL_ERROR_CORRUPT_DATA, "refers to one of a function, and it is in none",
             load(fixture, &file, &model));
  file = begin("local.F", NULL);
  for (int i = 0; i < 2; ++i) {
    onnx_node(&nodes, "Relu", "", "x", "y", NULL);
    onnx_function(&file, "local", "F", "x", "y", NULL, 13, &nodes);
  }
  FAILS_WITH(NETCL_ERROR_CORRUPT_DATA, "two functions have the name \"F\"",
             load(fixture, &file, &model));
  file = begin("local.F", NULL);
  onnx_node(&nodes, "Frobnicate", "", "x", "y", NULL);
  onnx_function(&file, "local", "F", "x", "y", NULL, 13, &nodes);
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "op Frobnicate: node \"call#1/Frobnicate\"",
             load(fixture, &file, &model));
  assert_null(model);
}

/* Ten functions that call the next one ten times each: 10^10 nodes. */
static void many(void **state) {
  Fixture *fixture = *state;
  netcl_model *model = NULL;
  OnnxBytes file = begin("local.F0", NULL), nodes = {0};
  for (int f = 0; f < 10; ++f) {
    char name[8], next[16];
    snprintf(name, sizeof name, "F%d", f);
    snprintf(next, sizeof next, f == 9 ? "Neg" : "local.F%d", f + 1);
    for (int i = 0; i < 10; ++i) {
      char from[8], to[8];
      snprintf(from, sizeof from, "v%d", i);
      snprintf(to, sizeof to, "v%d", i + 1);
      onnx_node(&nodes, next, "", from, to, NULL);
    }
    onnx_function(&file, "local", name, "v0", "v10", NULL, 13, &nodes);
  }
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "with its functions the model has more than 1000000 nodes",
             load(fixture, &file, &model));
  assert_null(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(attributes), DEVICE_TEST(nested),
                                     DEVICE_TEST(opsets), DEVICE_TEST(own_opsets),
                                     DEVICE_TEST(refusals), DEVICE_TEST(many)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
