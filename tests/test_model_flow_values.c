/* Values on their way in and out of the graphs of If and Loop: numbers of the host that go round,
 * are read from inputs or are lost to the device, and what inner graphs see of the steps before. */
#include "support_graph.h"
#include "support_onnx.h"

static void add_truth(OnnxBytes *graph, const char *name, int value) {
  const unsigned char byte = (unsigned char)value;
  onnx_weight(graph, name, NETCL_BOOL, 0, NULL, &byte);
}
static void add_count(OnnxBytes *graph, const char *name, int64_t value) {
  onnx_weight(graph, name, NETCL_I64, 0, NULL, &value);
}

/* A body that gives v as a matrix of k0 rows; what k0 becomes is for the test to say. */
static OnnxBytes reshaping(void) {
  OnnxBytes body = {0};
  const int64_t rest[1] = {-1};
  onnx_input(&body, "i", NETCL_I64, "");
  onnx_input(&body, "c", NETCL_BOOL, "");
  onnx_input(&body, "v", NETCL_F32, NULL);
  onnx_input(&body, "k0", NETCL_I64, "1");
  onnx_weight_i64(&body, "rest", 1, rest);
  onnx_node(&body, "Concat", "shape", "k0 rest", "shape", "axis=0");
  onnx_node(&body, "Reshape", "reshape", "v shape", "w", NULL);
  onnx_output(&body, "c", NETCL_BOOL, NULL);
  onnx_output(&body, "w", NETCL_F32, NULL);
  return body;
}

static void gives_rows(netcl_model *model, netcl_tensor *const *inputs, uint32_t count,
                       int64_t rows) {
  netcl_tensor *y = onnx_run(model, inputs, count);
  const netcl_tensor_info info = tensor_info(y);
  assert_int_equal(info.rank, 2);
  CHECK(info.shape[0] == rows, "y has %d rows, expected %d", (int)info.shape[0], (int)rows);
  RELEASE(y);
}

static uint64_t form_count(netcl_model *model) {
  netcl_model_info info = NETCL_MODEL_INFO_INIT;
  OK(netcl_model_get_info(model, &info));
  return info.form_count;
}

static OnnxBytes with_rounds(int64_t rounds) {
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", NETCL_F32, "n");
  onnx_output(&graph, "y", NETCL_F32, NULL);
  add_count(&graph, "m", rounds);
  return graph;
}

/* The host's number is doubled in each round, and read from an input before the first. */
static void number_of_input(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = with_rounds(3), body = reshaping();
  const int64_t two[1] = {2};
  onnx_input(&graph, "k", NETCL_I64, "1");
  onnx_weight_i64(&graph, "two", 1, two);
  onnx_node(&body, "Mul", "double", "k0 two", "k1", NULL);
  onnx_output(&body, "k1", NETCL_I64, NULL);
  onnx_flow(&graph, "Loop", "rounds", "m - x k", "y -", NULL, &body, NULL);
  netcl_model *model = onnx_load(fixture, &graph, 13);
  netcl_model_value value = NETCL_MODEL_VALUE_INIT;
  OK(netcl_model_get_input(model, 1, &value));
  assert_int_equal(value.bound, 1);
  const int64_t one = 1;
  for (int64_t k = 1; k < 3; ++k) {
    netcl_tensor *const inputs[2] = {counting_vector(fixture, 16, 1),
                                     make_tensor(fixture->device, NETCL_I64, 1, &one, &k)};
    gives_rows(model, inputs, 2, 4 * k);
    RELEASE(inputs[0], inputs[1]);
  }
  netcl_model_release(model);
}

/* It begins as the host's and is the device's from the second round on. */
static void number_that_is_lost(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = with_rounds(2), body = reshaping();
  const int64_t one[1] = {1}, flat[1] = {-1};
  onnx_weight_i64(&graph, "k", 1, one);
  onnx_weight_i64(&body, "flat", 1, flat);
  onnx_node(&body, "Reshape", "flatten", "w flat", "f", NULL);
  onnx_node(&body, "ArgMax", "top", "f", "k1", "axis=0 keepdims=1");
  onnx_output(&body, "k1", NETCL_I64, NULL);
  onnx_flow(&graph, "Loop", "rounds", "m - x k", "y -", NULL, &body, NULL);
  netcl_model *model = onnx_load(fixture, &graph, 13);
  /* The largest of 6 is the fourth: from one row to three. */
  const int64_t six = 6;
  const float values[6] = {1, 2, 3, 9, 4, 5};
  netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 1, &six, values);
  gives_rows(model, &x, 1, 3);
  RELEASE(x);
  netcl_model_release(model);
}

/* A shape that goes round as it is, and comes from the device before the first round. */
static void shape_of_device(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = with_rounds(2), body = {0};
  const int64_t rest[1] = {-1};
  onnx_weight_i64(&graph, "rest", 1, rest);
  onnx_node(&graph, "ArgMax", "top", "x", "k", "axis=0 keepdims=1");
  onnx_node(&graph, "Concat", "shape", "k rest", "s", "axis=0");
  onnx_input(&body, "i", NETCL_I64, "");
  onnx_input(&body, "c", NETCL_BOOL, "");
  onnx_input(&body, "v", NETCL_F32, NULL);
  onnx_input(&body, "s0", NETCL_I64, "2");
  onnx_node(&body, "Reshape", "reshape", "v s0", "w", NULL);
  onnx_output(&body, "c", NETCL_BOOL, NULL);
  onnx_output(&body, "w", NETCL_F32, NULL);
  onnx_output(&body, "s0", NETCL_I64, NULL);
  onnx_flow(&graph, "Loop", "rounds", "m - x s", "y -", NULL, &body, NULL);
  netcl_model *model = onnx_load(fixture, &graph, 13);
  for (int at = 1; at < 4; ++at) {
    const int64_t six = 6;
    float values[6] = {0};
    values[at] = 1;
    netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 1, &six, values);
    gives_rows(model, &x, 1, at);
    RELEASE(x);
  }
  netcl_model_release(model);
}

/* A branch gives an input as it is, which is a shape behind it. */
static void shape_of_branch(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = {0}, yes = {0}, no = {0};
  onnx_input(&graph, "x", NETCL_F32, "n");
  onnx_input(&graph, "s", NETCL_I64, "2");
  onnx_input(&graph, "c", NETCL_BOOL, "");
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_output(&yes, "s", NETCL_I64, NULL);
  const int64_t other[2] = {3, -1};
  onnx_weight_i64(&no, "o", 2, other);
  onnx_output(&no, "o", NETCL_I64, NULL);
  onnx_flow(&graph, "If", "choice", "c", "shape", NULL, &yes, &no);
  onnx_node(&graph, "Reshape", "reshape", "x shape", "y", NULL);
  netcl_model *model = onnx_load(fixture, &graph, 13);
  const int64_t two = 2, shape[2] = {2, 3};
  for (unsigned char c = 0; c < 2; ++c) {
    netcl_tensor *const inputs[3] = {counting_vector(fixture, 6, 1),
                                     make_tensor(fixture->device, NETCL_I64, 1, &two, shape),
                                     make_tensor(fixture->device, NETCL_BOOL, 0, NULL, &c)};
    gives_rows(model, inputs, 3, c ? 2 : 3);
    RELEASE(inputs[0], inputs[1], inputs[2]);
  }
  netcl_model_release(model);
}

/* What an earlier step gives is read by inner graphs alone: of a branch behind a test of the
 * device, and of rounds whose condition the device works out. */
static void seen_from_within(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = {0}, yes = {0}, no = {0}, body = {0};
  const float zero = 0, hundred = 100;
  onnx_input(&graph, "x", NETCL_F32, "n");
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_weight(&graph, "zero", NETCL_F32, 0, NULL, &zero);
  onnx_weight(&graph, "hundred", NETCL_F32, 0, NULL, &hundred);
  onnx_node(&graph, "Add", "twice", "x x", "two", NULL);
  onnx_node(&graph, "Mul", "square", "x x", "square", NULL);
  onnx_node(&graph, "ReduceSum", "sum", "x", "s", "keepdims=0");
  onnx_node(&graph, "Greater", "test", "s zero", "c", NULL);
  onnx_node(&yes, "Neg", "neg", "two", "a", NULL);
  onnx_output(&yes, "a", NETCL_F32, NULL);
  onnx_output(&no, "x", NETCL_F32, NULL);
  onnx_flow(&graph, "If", "choice", "c", "d", NULL, &yes, &no);
  onnx_input(&body, "i", NETCL_I64, "");
  onnx_input(&body, "e", NETCL_BOOL, "");
  onnx_input(&body, "v", NETCL_F32, NULL);
  onnx_node(&body, "Add", "add", "v square", "w", NULL);
  onnx_node(&body, "ReduceMax", "largest", "w", "top", "keepdims=0");
  onnx_node(&body, "Less", "test", "top hundred", "goes", NULL);
  onnx_output(&body, "goes", NETCL_BOOL, NULL);
  onnx_output(&body, "w", NETCL_F32, NULL);
  onnx_flow(&graph, "Loop", "rounds", "- - d", "y", NULL, &body, NULL);
  netcl_model *model = onnx_load(fixture, &graph, 13);
  netcl_tensor *x = counting_vector(fixture, 2, 4);
  netcl_tensor *y = onnx_run(model, &x, 1);
  /* -8 and -10, then 16 and 25 more each round: 115 is the fifth. */
  GIVES(y, 72, 115);
  RELEASE(x, y);
  netcl_model_release(model);
}

/* A condition that is false from the beginning: as a weight, and as the device works it out. */
static void no_rounds(void **state) {
  Fixture *fixture = *state;
  for (int of_device = 0; of_device < 2; ++of_device) {
    OnnxBytes graph = with_rounds(3), body = {0};
    add_truth(&graph, "false", 0);
    onnx_node(&graph, "Equal", "test", "x x", "same", NULL);
    onnx_node(&graph, "Not", "not", "same", "other", NULL);
    onnx_input(&body, "i", NETCL_I64, "");
    onnx_input(&body, "c", NETCL_BOOL, "");
    onnx_input(&body, "v", NETCL_F32, NULL);
    onnx_node(&body, "Neg", "neg", "v", "w", NULL);
    onnx_output(&body, "c", NETCL_BOOL, NULL);
    onnx_output(&body, "w", NETCL_F32, NULL);
    onnx_flow(&graph, "Loop", "rounds", of_device ? "m other x" : "m false x", "y", NULL, &body,
              NULL);
    netcl_model *model = onnx_load(fixture, &graph, 13);
    netcl_tensor *x = counting_vector(fixture, 1, 5);
    netcl_tensor *y = onnx_run(model, &x, 1);
    GIVES(y, 5);
    RELEASE(x, y);
    netcl_model_release(model);
  }
}

/* A value that goes round and that nothing reads, from a weight that is needed nowhere else. */
static void read_by_nothing(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = with_rounds(2), body = {0};
  const float number = 3;
  onnx_weight(&graph, "w", NETCL_F32, 0, NULL, &number);
  onnx_input(&body, "i", NETCL_I64, "");
  onnx_input(&body, "c", NETCL_BOOL, "");
  onnx_input(&body, "v", NETCL_F32, NULL);
  onnx_input(&body, "u", NETCL_F32, NULL);
  onnx_node(&body, "Neg", "neg", "v", "r", NULL);
  onnx_node(&body, "Exp", "exp", "v", "t", NULL);
  onnx_output(&body, "c", NETCL_BOOL, NULL);
  onnx_output(&body, "r", NETCL_F32, NULL);
  onnx_output(&body, "t", NETCL_F32, NULL);
  onnx_flow(&graph, "Loop", "rounds", "m - x w", "y z", NULL, &body, NULL);
  netcl_model *model = onnx_load(fixture, &graph, 13);
  netcl_tensor *x = counting_vector(fixture, 1, 5);
  netcl_tensor *y = onnx_run(model, &x, 1);
  GIVES(y, 5);
  RELEASE(x, y);
  netcl_model_release(model);
}

/* The host reduces what it knows, floats and along some axes too. */
static void reduced_by_host(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = {0}, yes = {0}, no = {0};
  const int64_t square[2] = {2, 2}, last[1] = {1};
  const int64_t sizes[4] = {1, 1, 0, 3}, factors[4] = {2, 1, 1, 3};
  const float w[4] = {1, 4, -5, 2}, limit = 3.5f;
  onnx_input(&graph, "x", NETCL_F32, "n");
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_weight(&graph, "w", NETCL_F32, 2, square, w);
  onnx_weight(&graph, "limit", NETCL_F32, 0, NULL, &limit);
  onnx_weight(&graph, "sizes", NETCL_I64, 2, square, sizes);
  onnx_weight(&graph, "factors", NETCL_I64, 2, square, factors);
  onnx_weight_i64(&graph, "last", 1, last);
  onnx_node(&graph, "ReduceMax", "max", "w", "top", "keepdims=0");
  onnx_node(&graph, "Greater", "test", "top limit", "c", NULL);
  onnx_node(&graph, "ReduceSum", "sums", "sizes last", "s", "keepdims=0"); /* 2, 3 */
  onnx_node(&graph, "ReduceProd", "products", "factors", "p", "axes=[0] keepdims=0"); /* 2, 3 */
  onnx_node(&yes, "Reshape", "r", "x s", "a", NULL);
  onnx_output(&yes, "a", NETCL_F32, NULL);
  onnx_output(&no, "x", NETCL_F32, NULL);
  onnx_flow(&graph, "If", "choice", "c", "z", NULL, &yes, &no);
  onnx_node(&graph, "Reshape", "again", "z p", "y", NULL);
  netcl_model *model = onnx_load(fixture, &graph, 13);
  assert_int_equal(form_count(model), 0);
  netcl_tensor *x = counting_vector(fixture, 6, 1);
  gives_rows(model, &x, 1, 2);
  /* All of it was known while it was recorded. */
  assert_int_equal(form_count(model), 1);
  RELEASE(x);
  netcl_model_release(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(number_of_input),  DEVICE_TEST(number_that_is_lost),
      DEVICE_TEST(shape_of_device),  DEVICE_TEST(shape_of_branch),
      DEVICE_TEST(seen_from_within), DEVICE_TEST(no_rounds),
      DEVICE_TEST(read_by_nothing),  DEVICE_TEST(reduced_by_host),
  };
  return cmocka_run_group_tests_name("model_flow_values", tests, NULL, NULL);
}
