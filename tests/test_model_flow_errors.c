/* Graphs of nodes that are unsound: too deep, with names that meet, with inputs and outputs that do
 * not fit. */
#include <stdio.h>

#include "support_graph.h"
#include "support_onnx.h"

static void refuse(Fixture *fixture, OnnxBytes *graph, int opset, netcl_status status,
                   const char *text) {
  OnnxBytes file = onnx_file(graph, opset);
  netcl_model *model = NULL;
  FAILS_WITH(status, text,
             netcl_model_load_memory(fixture->device, file.data, file.size, NULL, &model));
  assert_null(model);
  onnx_free(&file);
}
#define CORRUPT(graph, text) refuse(fixture, &(graph), 13, NETCL_ERROR_CORRUPT_DATA, text)

static OnnxBytes with_ends(void) {
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", NETCL_F32, NULL);
  onnx_input(&graph, "c", NETCL_BOOL, "");
  onnx_output(&graph, "y", NETCL_F32, NULL);
  return graph;
}

/* A graph of one node with one result. */
static OnnxBytes branch(const char *op, const char *inputs, const char *result, netcl_dtype dtype) {
  OnnxBytes graph = {0};
  onnx_node(&graph, op, "", inputs, result, NULL);
  onnx_output(&graph, result, dtype, NULL);
  return graph;
}

/* A body through which one value goes round. */
static OnnxBytes body_of(const char *op, const char *inputs, netcl_dtype dtype) {
  OnnxBytes graph = {0};
  onnx_input(&graph, "i", NETCL_I64, "");
  onnx_input(&graph, "d", NETCL_BOOL, "");
  onnx_input(&graph, "v", NETCL_F32, NULL);
  onnx_node(&graph, op, "inner", inputs, "w", op[0] == 'C' ? "to=7" : NULL);
  onnx_output(&graph, "d", NETCL_BOOL, "");
  onnx_output(&graph, "w", dtype, NULL);
  return graph;
}

/* If within If within If: `depth` graphs, of which the innermost negates. */
static OnnxBytes nested(int depth) {
  char name[16], outer[16];
  OnnxBytes inner = branch("Neg", "x", "n0", NETCL_F32);
  for (int i = 1; i < depth; ++i) {
    snprintf(name, sizeof name, "n%d", i);
    snprintf(outer, sizeof outer, "m%d", i);
    OnnxBytes graph = {0}, other = branch("Exp", "x", outer, NETCL_F32);
    onnx_flow(&graph, "If", "", "c", name, NULL, &inner, &other);
    onnx_output(&graph, name, NETCL_F32, NULL);
    inner = graph;
  }
  OnnxBytes graph = with_ends(), other = branch("Exp", "x", "m", NETCL_F32);
  onnx_flow(&graph, "If", "outer", "c", "y", NULL, &inner, &other);
  return graph;
}

static void depth(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = nested(16);
  netcl_model *model = onnx_load(fixture, &graph, 13);
  for (unsigned char c = 0; c < 2; ++c) {
    netcl_tensor *const inputs[2] = {counting_vector(fixture, 1, 0),
                                     make_tensor(fixture->device, NETCL_BOOL, 0, NULL, &c)};
    netcl_tensor *y = onnx_run(model, inputs, 2);
    GIVES(y, c ? 0 : 1);
    RELEASE(y, inputs[0], inputs[1]);
  }
  netcl_model_release(model);
  graph = nested(17);
  refuse(fixture, &graph, 13, NETCL_ERROR_UNSUPPORTED,
         "node 0 (If) has graphs within graphs more than 16 deep");
  graph = nested(2000);
  refuse(fixture, &graph, 13, NETCL_ERROR_UNSUPPORTED, "more than 16 deep");
}

static void names(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = with_ends(), yes = branch("Neg", "x", "x", NETCL_F32);
  OnnxBytes no = branch("Exp", "x", "b", NETCL_F32);
  onnx_flow(&graph, "If", "choice", "c", "y", NULL, &yes, &no);
  CORRUPT(graph,
          "node 0 (Neg) of the then_branch of node \"choice\" (If) gives \"x\", which is given "
          "already");
  graph = with_ends();
  yes = branch("Neg", "y", "a", NETCL_F32);
  no = branch("Exp", "x", "b", NETCL_F32);
  onnx_flow(&graph, "If", "choice", "c", "y", NULL, &yes, &no);
  CORRUPT(graph, "node 0 (Neg) of the then_branch of node \"choice\" (If) reads \"y\"");
  graph = with_ends();
  yes = branch("Neg", "x", "a", NETCL_F32);
  no = branch("Exp", "a", "b", NETCL_F32);
  onnx_flow(&graph, "If", "choice", "c", "y", NULL, &yes, &no);
  CORRUPT(graph, "node 0 (Exp) of the else_branch of node \"choice\" (If) reads \"a\"");
  graph = with_ends();
  yes = branch("Neg", "x", "a", NETCL_F32);
  no = branch("Exp", "x", "b", NETCL_F32);
  onnx_flow(&graph, "If", "choice", "c", "z", NULL, &yes, &no);
  onnx_node(&graph, "Neg", "after", "a", "y", NULL);
  CORRUPT(graph, "node \"after\" (Neg) reads \"a\"");
  /* Both branches may have names of their own that are the same. */
  graph = with_ends();
  yes = branch("Neg", "x", "a", NETCL_F32);
  no = branch("Exp", "x", "a", NETCL_F32);
  onnx_flow(&graph, "If", "choice", "c", "y", NULL, &yes, &no);
  netcl_model_release(onnx_load(fixture, &graph, 13));
  OnnxBytes body = body_of("Neg", "v", NETCL_F32);
  graph = with_ends();
  onnx_node(&graph, "Neg", "before", "x", "v", NULL);
  onnx_flow(&graph, "Loop", "rounds", "- c v", "y", NULL, &body, NULL);
  CORRUPT(graph, "an input of the body of node \"rounds\" (Loop) gives \"v\", which is given");
}

static void ends(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = with_ends(), yes = branch("Neg", "x", "a", NETCL_F32), no = {0}, body;
  onnx_flow(&graph, "If", "choice", "c", "y", NULL, &yes, NULL);
  CORRUPT(graph, "node \"choice\" (If) has no graph else_branch");
  graph = with_ends();
  yes = branch("Neg", "x", "a", NETCL_F32);
  onnx_node(&no, "Exp", "", "x", "b", NULL);
  onnx_flow(&graph, "If", "choice", "c", "y", NULL, &yes, &no);
  CORRUPT(graph, "node \"choice\" (If): its else_branch gives 0 values; it needs 1");
  graph = with_ends();
  yes = branch("Neg", "x", "a", NETCL_F32);
  no = branch("Exp", "q", "b", NETCL_F32);
  onnx_input(&no, "q", NETCL_F32, NULL);
  onnx_flow(&graph, "If", "choice", "c", "y", NULL, &yes, &no);
  CORRUPT(graph, "node \"choice\" (If): its else_branch has 1 inputs; it takes 0");
  graph = with_ends();
  yes = branch("Neg", "x", "a", NETCL_F32);
  no = branch("Shape", "x", "b", NETCL_I64);
  onnx_flow(&graph, "If", "choice", "c", "y", NULL, &yes, &no);
  CORRUPT(graph, "output 0 is float in its then_branch and int64 in its else_branch");
  graph = with_ends();
  yes = branch("Neg", "x", "a", NETCL_F32);
  no = branch("Exp", "x", "b", NETCL_F32);
  onnx_flow(&graph, "If", "choice", "-", "y", NULL, &yes, &no);
  CORRUPT(graph, "node \"choice\" (If): input 0 is left out");
  graph = with_ends();
  body = body_of("Neg", "v", NETCL_F32);
  onnx_flow(&graph, "Loop", "rounds", "- c x x", "y", NULL, &body, NULL);
  CORRUPT(graph, "node \"rounds\" (Loop): its body has 3 inputs; it takes 4");
  graph = with_ends();
  body = body_of("Neg", "v", NETCL_F32);
  onnx_flow(&graph, "Loop", "rounds", "- c x", "y z", NULL, &body, NULL);
  CORRUPT(graph, "node \"rounds\" (Loop): its body gives 2 values; it needs 3");
  for (int count = -1; count < 5; count += count == 0 ? 3 : 1) {
    char attributes[64];
    snprintf(attributes, sizeof attributes, "num_scan_inputs=%d", count);
    graph = with_ends();
    body = body_of("Neg", "v", NETCL_F32);
    onnx_flow(&graph, "Scan", "scan", "c x", "y", attributes, &body, NULL);
    CORRUPT(graph, "node \"scan\" (Scan): num_scan_inputs is");
  }
}

/* What is missing in a graph of a node is told with the rest; what nothing needs is not. */
static void missing(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = with_ends(), yes = branch("Frobnicate", "x", "a", NETCL_F32);
  OnnxBytes no = branch("Exp", "x", "b", NETCL_F32);
  onnx_flow(&graph, "If", "choice", "c", "y", NULL, &yes, &no);
  refuse(fixture, &graph, 13, NETCL_ERROR_UNSUPPORTED,
         "op Frobnicate: node 0 (Frobnicate) of the then_branch of node \"choice\" (If)");
  graph = with_ends();
  yes = branch("Frobnicate", "x", "a", NETCL_F32);
  no = branch("Exp", "x", "b", NETCL_F32);
  onnx_flow(&graph, "If", "unused", "c", "z", NULL, &yes, &no);
  onnx_node(&graph, "Neg", "only", "x", "y", NULL);
  netcl_model *model = onnx_load(fixture, &graph, 13);
  netcl_model_info info = NETCL_MODEL_INFO_INIT;
  OK(netcl_model_get_info(model, &info));
  assert_int_equal(info.node_count, 1);
  netcl_model_release(model);
  graph = with_ends();
  OnnxBytes body = branch("Add", "v p", "w", NETCL_F32);
  onnx_input(&body, "v", NETCL_F32, NULL);
  onnx_input(&body, "p", NETCL_F32, NULL);
  onnx_flow(&graph, "Scan", "scan", "c x x", "y", "num_scan_inputs=1", &body, NULL);
  refuse(fixture, &graph, 8, NETCL_ERROR_UNSUPPORTED, "Scan with lengths of sequences");
}

static void refuse_run(Fixture *fixture, OnnxBytes *graph, netcl_tensor *c, netcl_status status,
                       const char *text) {
  netcl_model *model = onnx_load(fixture, graph, 13);
  netcl_tensor *const inputs[2] = {counting_vector(fixture, 3, 1), c};
  netcl_tensor *y = NULL;
  uint32_t count = 0;
  FAILS_WITH(status, text, netcl_model_evaluate(model, inputs, 2, NULL, &y, 1, &count));
  assert_null(y);
  RELEASE(inputs[0]);
  netcl_model_release(model);
}

static void runs(void **state) {
  Fixture *fixture = *state;
  const unsigned char truths[2] = {1, 1};
  const int64_t three = 3, zero = 0;
  netcl_tensor *c = make_tensor(fixture->device, NETCL_BOOL, 0, NULL, truths);
  OnnxBytes graph = with_ends(), body = body_of("Cast", "v", NETCL_I64);
  onnx_weight(&graph, "m", NETCL_I64, 0, NULL, &three);
  onnx_flow(&graph, "Loop", "rounds", "m c x", "y", NULL, &body, NULL);
  refuse_run(fixture, &graph, c, NETCL_ERROR_CORRUPT_DATA,
             "node \"rounds\" (Loop): value 0 that goes round is f32, and becomes i64");
  /* The inner node is named too. */
  graph = with_ends();
  body = body_of("MatMul", "v x", NETCL_F32);
  onnx_weight(&graph, "m", NETCL_I64, 0, NULL, &three);
  onnx_flow(&graph, "Loop", "rounds", "m c x", "y", NULL, &body, NULL);
  refuse_run(fixture, &graph, c, NETCL_ERROR_INVALID_ARGUMENT,
             "node \"rounds\" (Loop): node \"inner\" (MatMul): ");
  /* No rounds, and nothing that says what they would give. */
  graph = with_ends();
  body = body_of("Neg", "v", NETCL_F32);
  onnx_weight(&graph, "m", NETCL_I64, 0, NULL, &zero);
  onnx_output(&body, "v", NETCL_F32, NULL);
  onnx_flow(&graph, "Loop", "rounds", "m c x", "z y", NULL, &body, NULL);
  refuse_run(fixture, &graph, c, NETCL_ERROR_UNSUPPORTED,
             "node \"rounds\" (Loop): it has no rounds, and the file does not say what \"v\" is");
  /* Rounds whose results do not lie side by side. */
  graph = with_ends();
  body = (OnnxBytes){0};
  onnx_weight(&graph, "m", NETCL_I64, 0, NULL, &three);
  onnx_input(&body, "i", NETCL_I64, "");
  onnx_input(&body, "d", NETCL_BOOL, "");
  onnx_input(&body, "v", NETCL_F32, NULL);
  onnx_node(&body, "Concat", "grow", "v x", "w", "axis=0");
  onnx_output(&body, "d", NETCL_BOOL, "");
  onnx_output(&body, "w", NETCL_F32, NULL);
  onnx_output(&body, "v", NETCL_F32, NULL);
  onnx_flow(&graph, "Loop", "rounds", "m c x", "z y", NULL, &body, NULL);
  refuse_run(fixture, &graph, c, NETCL_ERROR_INVALID_ARGUMENT, "node \"rounds\" (Loop): ");
  RELEASE(c);
  const int64_t two = 2;
  c = make_tensor(fixture->device, NETCL_BOOL, 1, &two, truths);
  graph = (OnnxBytes){0};
  onnx_input(&graph, "x", NETCL_F32, NULL);
  onnx_input(&graph, "c", NETCL_BOOL, NULL);
  onnx_output(&graph, "y", NETCL_F32, NULL);
  OnnxBytes yes = branch("Neg", "x", "a", NETCL_F32), no = branch("Exp", "x", "b", NETCL_F32);
  onnx_flow(&graph, "If", "choice", "c", "y", NULL, &yes, &no);
  refuse_run(fixture, &graph, c, NETCL_ERROR_INVALID_ARGUMENT,
             "node \"choice\" (If): the condition has 2 elements");
  RELEASE(c);
}

/* A loop that nothing ends comes to an end. */
static void endless(void **state) {
  Fixture *fixture = *state;
  if (fixture->opencl || only_sanitized()) SKIP("a million rounds take long");
  const unsigned char true_byte = 1;
  netcl_tensor *c = make_tensor(fixture->device, NETCL_BOOL, 0, NULL, &true_byte);
  OnnxBytes graph = with_ends(), body = body_of("Neg", "v", NETCL_F32);
  onnx_flow(&graph, "Loop", "rounds", "- c x", "y", NULL, &body, NULL);
  refuse_run(fixture, &graph, c, NETCL_ERROR_UNSUPPORTED,
             "node \"rounds\" (Loop): loops go round more than 1048576 times");
  RELEASE(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(depth), DEVICE_TEST(names), DEVICE_TEST(ends),
      DEVICE_TEST(missing), DEVICE_TEST(runs), DEVICE_TEST(endless),
  };
  return cmocka_run_group_tests_name("model_flow_errors", tests, NULL, NULL);
}
