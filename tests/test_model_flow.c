/* If and Loop of models: decided by what the host knows, by inputs, and by what the device
 * works out, in graphs within graphs. */
#include <math.h>
#include <stdio.h>

#include "support_graph.h"
#include "support_onnx.h"

static void add_scalar(OnnxBytes *graph, const char *name, float value) {
  onnx_weight(graph, name, NETCL_F32, 0, NULL, &value);
}
static void add_count(OnnxBytes *graph, const char *name, int64_t value) {
  onnx_weight(graph, name, NETCL_I64, 0, NULL, &value);
}
static void add_truth(OnnxBytes *graph, const char *name, int value) {
  const unsigned char byte = (unsigned char)value;
  onnx_weight(graph, name, NETCL_BOOL, 0, NULL, &byte);
}

static netcl_tensor *vector_of(Fixture *fixture, int64_t count, const float *values) {
  return make_tensor(fixture->device, NETCL_F32, 1, &count, values);
}
static netcl_tensor *number_of(Fixture *fixture, int64_t value) {
  return make_tensor(fixture->device, NETCL_I64, 0, NULL, &value);
}

static uint64_t form_count(netcl_model *model) {
  netcl_model_info info = NETCL_MODEL_INFO_INIT;
  OK(netcl_model_get_info(model, &info));
  return info.form_count;
}

/* ---- If -------------------------------------------------------------------------------------- */

/* y = sum(x) > 0 ? exp-like growth : x twice: the shapes differ, and the device knows which. */
static void branch_of_device(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = {0}, yes = {0}, no = {0};
  onnx_input(&graph, "x", NETCL_F32, "n");
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_output(&graph, "z", NETCL_F32, NULL);
  add_scalar(&graph, "zero", 0);
  onnx_node(&graph, "Add", "twice", "x x", "two", NULL);
  onnx_node(&graph, "ReduceSum", "sum", "x", "s", "keepdims=0");
  onnx_node(&graph, "Greater", "test", "s zero", "c", NULL);
  onnx_node(&yes, "Mul", "square", "x two", "a", NULL);
  onnx_output(&yes, "a", NETCL_F32, NULL);
  onnx_node(&no, "Concat", "join", "two x", "b", "axis=0");
  onnx_output(&no, "b", NETCL_F32, NULL);
  onnx_flow(&graph, "If", "choice", "c", "d", NULL, &yes, &no);
  onnx_node(&graph, "Neg", "last", "d", "y", NULL);
  onnx_node(&graph, "Sub", "rest", "two x", "z", NULL);
  netcl_model *model = onnx_load(fixture, &graph, 11);
  for (int round = 0; round < 4; ++round) {
    const float values[2][2] = {{1, 2}, {1, -2}};
    netcl_tensor *x = vector_of(fixture, 2, values[round % 2]), *y[2] = {NULL};
    uint32_t count = 0;
    OK(netcl_model_evaluate(model, &x, 1, NULL, y, 2, &count));
    if (round % 2 == 0) {
      GIVES(y[0], -2, -8);
      GIVES(y[1], 1, 2);
    } else {
      GIVES(y[0], -2, 4, -1, 2);
      GIVES(y[1], 1, -2);
    }
    /* What comes before the test, and what comes behind it for either answer. */
    assert_int_equal(form_count(model), round == 0 ? 2 : 3);
    RELEASE(x, y[0], y[1]);
  }
  netcl_model_release(model);
}

/* The host knows shapes: of branches that are not taken nothing is recorded, not even what would
 * fail. */
static void branch_of_shape(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = {0}, yes = {0}, no = {0};
  const int64_t first[1] = {0}, flat[1] = {-1};
  onnx_input(&graph, "x", NETCL_F32, "n m");
  onnx_output(&graph, "y", NETCL_F32, NULL);
  add_count(&graph, "one", 1);
  add_count(&graph, "zero", 0);
  onnx_weight_i64(&graph, "first", 1, first);
  onnx_node(&graph, "Shape", "shape", "x", "s", NULL);
  onnx_node(&graph, "Gather", "rows", "s zero", "r", NULL);
  onnx_node(&graph, "Equal", "test", "r one", "c", NULL);
  onnx_node(&yes, "Squeeze", "squeeze", "x first", "a", NULL);
  onnx_output(&yes, "a", NETCL_F32, NULL);
  onnx_weight_i64(&no, "flat", 1, flat);
  onnx_node(&no, "Reshape", "flatten", "x flat", "b", NULL);
  onnx_output(&no, "b", NETCL_F32, NULL);
  onnx_flow(&graph, "If", "choice", "c", "y", NULL, &yes, &no);
  netcl_model *model = onnx_load(fixture, &graph, 13);
  const int64_t shapes[2][2] = {{1, 4}, {2, 2}};
  const float values[4] = {1, 2, 3, 4};
  for (int i = 0; i < 2; ++i) {
    netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 2, shapes[i], values);
    netcl_tensor *y = onnx_run(model, &x, 1);
    assert_int_equal(tensor_info(y).rank, 1);
    GIVES(y, 1, 2, 3, 4);
    assert_int_equal(form_count(model), i + 1);
    RELEASE(x, y);
  }
  netcl_model_release(model);
}

/* A condition that is an input; a branch gives what lies outside, the other a weight. */
static void branch_of_input(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = {0}, yes = {0}, no = {0};
  onnx_input(&graph, "x", NETCL_F32, "n");
  onnx_input(&graph, "c", NETCL_BOOL, "1");
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_output(&yes, "x", NETCL_F32, NULL);
  add_scalar(&no, "w", 7);
  onnx_output(&no, "w", NETCL_F32, NULL);
  onnx_flow(&graph, "If", "choice", "c", "y", NULL, &yes, &no);
  netcl_model *model = onnx_load(fixture, &graph, 13);
  netcl_model_value value = NETCL_MODEL_VALUE_INIT;
  OK(netcl_model_get_input(model, 1, &value));
  assert_int_equal(value.bound, 1);
  OK(netcl_model_get_input(model, 0, &value));
  assert_int_equal(value.bound, 0);
  const int64_t one = 1;
  for (unsigned char c = 0; c < 2; ++c) {
    netcl_tensor *const inputs[2] = {counting_vector(fixture, 2, 1),
                                     make_tensor(fixture->device, NETCL_BOOL, 1, &one, &c)};
    netcl_tensor *y = onnx_run(model, inputs, 2);
    if (c) {
      GIVES(y, 1, 2);
    } else {
      GIVES(y, 7);
    }
    RELEASE(y, inputs[0], inputs[1]);
  }
  netcl_model_release(model);
}

/* ---- Loop ------------------------------------------------------------------------------------ */

/* v <- 2 v until the largest of v is `limit` or the rounds are over; gives v and its history. */
static OnnxBytes doubling(const char *rounds, float limit) {
  OnnxBytes graph = {0}, body = {0};
  onnx_input(&graph, "x", NETCL_F32, "n");
  onnx_input(&graph, "m", NETCL_I64, "");
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_output(&graph, "all", NETCL_F32, NULL);
  add_truth(&graph, "true", 1);
  add_scalar(&graph, "limit", limit);
  onnx_input(&body, "i", NETCL_I64, "");
  onnx_input(&body, "c", NETCL_BOOL, "");
  onnx_input(&body, "v", NETCL_F32, NULL);
  onnx_node(&body, "Add", "double", "v v", "w", NULL);
  onnx_node(&body, "ReduceMax", "largest", "w", "top", "keepdims=0");
  onnx_node(&body, "Less", "test", "top limit", "goes", NULL);
  onnx_node(&body, "Neg", "note", "w", "n", NULL);
  onnx_output(&body, "goes", NETCL_BOOL, NULL);
  onnx_output(&body, "w", NETCL_F32, NULL);
  onnx_output(&body, "n", NETCL_F32, "2");
  onnx_flow(&graph, "Loop", "rounds", rounds, "y all", NULL, &body, NULL);
  return graph;
}

static void run_doubling(Fixture *fixture, netcl_model *model, int64_t most, int rounds) {
  netcl_tensor *const inputs[2] = {counting_vector(fixture, 2, 1), number_of(fixture, most)};
  netcl_tensor *outputs[2] = {NULL};
  uint32_t count = 0;
  OK(netcl_model_evaluate(model, inputs, 2, NULL, outputs, 2, &count));
  const double scale = pow(2, rounds);
  GIVES(outputs[0], scale, 2 * scale);
  const netcl_tensor_info info = tensor_info(outputs[1]);
  assert_int_equal(info.rank, 2);
  assert_int_equal(info.shape[0], rounds);
  assert_int_equal(info.shape[1], 2);
  float *all = read_tensor(outputs[1]);
  for (int i = 0; i < rounds; ++i) {
    CHECK(all[2 * i + 1] == (float)(-pow(2, i + 2)), "round %d gives %g", i,
          (double)all[2 * i + 1]);
  }
  free(all);
  release_tensors(outputs, 2);
  release_tensors(inputs, 2);
}

static void loop_of_device(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = doubling("m true x", 1000);
  netcl_model *model = onnx_load(fixture, &graph, 13);
  run_doubling(fixture, model, 3, 3);
  run_doubling(fixture, model, 100, 9);
  /* One form for the rounds, whatever their number, and one for what gives the outputs, whose
   * shapes that number makes. */
  const uint64_t forms = form_count(model);
  run_doubling(fixture, model, 9, 9);
  assert_int_equal(form_count(model), forms);
  assert_int_equal(forms, 3);
  run_doubling(fixture, model, 0, 0);
  run_doubling(fixture, model, -5, 0);
  netcl_model_release(model);
  graph = doubling("- true x", 500);
  model = onnx_load(fixture, &graph, 13);
  run_doubling(fixture, model, 0, 8);
  netcl_model_release(model);
  graph = doubling("- - x", 100);
  model = onnx_load(fixture, &graph, 13);
  run_doubling(fixture, model, 0, 6);
  netcl_model_release(model);
}

/* A loop that is run into tensors that are given, with an event. */
static void into_tensors(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = doubling("m true x", 1000);
  netcl_model *model = onnx_load(fixture, &graph, 13);
  netcl_tensor *const inputs[2] = {counting_vector(fixture, 2, 1), number_of(fixture, 2)};
  const int64_t shape[2] = {2, 2};
  const float poison[4] = {9, 9, 9, 9};
  netcl_tensor *const outputs[2] = {vector_of(fixture, 2, poison),
                                    make_tensor(fixture->device, NETCL_F32, 2, shape, poison)};
  netcl_event *event = NULL;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.event = &event;
  OK(netcl_model_run(model, inputs, 2, outputs, 2, &run));
  OK(netcl_event_wait(event, NETCL_WAIT_FOREVER));
  netcl_event_release(event);
  GIVES(outputs[0], 4, 8);
  GIVES(outputs[1], -2, -4, -4, -8);
  /* One that does not fit: nothing is written. */
  netcl_tensor *const wrong[2] = {outputs[0], inputs[0]};
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_model_run(model, inputs, 2, wrong, 2, NULL));
  GIVES(outputs[0], 4, 8);
  release_tensors(outputs, 2);
  release_tensors(inputs, 2);
  netcl_model_release(model);
}

/* The host counts: the number of a round and what follows from it are numbers of the host, which
 * reshape and cut what the device has. */
static void loop_of_host(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = {0}, body = {0};
  const int64_t zero[1] = {0}, rest[1] = {-1}, one[1] = {1};
  onnx_input(&graph, "x", NETCL_F32, "n");
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_output(&graph, "k", NETCL_I64, NULL);
  onnx_output(&graph, "sums", NETCL_F32, NULL);
  add_count(&graph, "m", 3);
  add_count(&graph, "two", 2);
  add_count(&graph, "first", 1);
  onnx_weight_i64(&graph, "zero", 1, zero);
  onnx_weight_i64(&graph, "rest", 1, rest);
  onnx_weight_i64(&graph, "one", 1, one);
  add_truth(&graph, "true", 1);
  onnx_input(&body, "i", NETCL_I64, "");
  onnx_input(&body, "c", NETCL_BOOL, "");
  onnx_input(&body, "v", NETCL_F32, NULL);
  onnx_input(&body, "k0", NETCL_I64, "");
  onnx_node(&body, "Mul", "grow", "k0 two", "k1", NULL);
  onnx_node(&body, "Unsqueeze", "list", "k1 zero", "rows", NULL);
  onnx_node(&body, "Concat", "shape", "rows rest", "shape", "axis=0");
  onnx_node(&body, "Reshape", "reshape", "v shape", "w", NULL);
  onnx_node(&body, "Unsqueeze", "start", "i zero", "from", NULL);
  onnx_node(&body, "Add", "end", "from one", "to", NULL);
  onnx_node(&body, "Slice", "cut", "x from to", "part", NULL);
  onnx_node(&body, "Identity", "on", "c", "goes", NULL);
  onnx_output(&body, "goes", NETCL_BOOL, NULL);
  onnx_output(&body, "w", NETCL_F32, NULL);
  onnx_output(&body, "k1", NETCL_I64, NULL);
  onnx_output(&body, "part", NETCL_F32, NULL);
  onnx_flow(&graph, "Loop", "rounds", "m true x first", "y k sums", NULL, &body, NULL);
  netcl_model *model = onnx_load(fixture, &graph, 13);
  netcl_tensor *x = counting_vector(fixture, 16, 1), *y[3] = {NULL};
  uint32_t count = 0;
  OK(netcl_model_evaluate(model, &x, 1, NULL, y, 3, &count));
  const netcl_tensor_info info = tensor_info(y[0]);
  assert_int_equal(info.shape[0], 8);
  assert_int_equal(info.shape[1], 2);
  int64_t *k = read_tensor(y[1]);
  assert_int_equal(*k, 8);
  free(k);
  GIVES(y[2], 1, 2, 3);
  /* All of it is one graph. */
  assert_int_equal(form_count(model), 1);
  release_tensors(y, 3);
  RELEASE(x);
  netcl_model_release(model);
}

/* More rounds than one graph holds: the host goes them. */
static void long_loop(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = {0}, body = {0};
  onnx_input(&graph, "x", NETCL_F32, "n");
  onnx_output(&graph, "y", NETCL_F32, NULL);
  add_count(&graph, "m", 17000);
  onnx_input(&body, "i", NETCL_I64, "");
  onnx_input(&body, "c", NETCL_BOOL, "");
  onnx_input(&body, "v", NETCL_F32, NULL);
  onnx_node(&body, "Add", "add", "v x", "w", NULL);
  onnx_node(&body, "Identity", "on", "c", "goes", NULL);
  onnx_output(&body, "goes", NETCL_BOOL, NULL);
  onnx_output(&body, "w", NETCL_F32, NULL);
  onnx_flow(&graph, "Loop", "rounds", "m - x", "y", NULL, &body, NULL);
  netcl_model *model = onnx_load(fixture, &graph, 13);
  netcl_tensor *x = counting_vector(fixture, 2, 1);
  for (int i = 0; i < sanitized_rounds(2); ++i) {
    netcl_tensor *y = onnx_run(model, &x, 1);
    GIVES(y, 17001, 34002);
    RELEASE(y);
  }
  RELEASE(x);
  netcl_model_release(model);
}

/* A loop whose rounds have an If and a loop, both decided by the device, and values that grow. */
static void nested(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = {0}, body = {0}, yes = {0}, no = {0}, inner = {0};
  onnx_input(&graph, "x", NETCL_F32, "n");
  onnx_output(&graph, "y", NETCL_F32, NULL);
  add_count(&graph, "m", 4);
  add_count(&graph, "most", 10);
  add_scalar(&graph, "limit", 5);
  add_scalar(&graph, "half", 0.5f);
  onnx_input(&body, "i", NETCL_I64, "");
  onnx_input(&body, "c", NETCL_BOOL, "");
  onnx_input(&body, "v", NETCL_F32, NULL);
  onnx_node(&body, "ReduceSum", "sum", "v", "s", "keepdims=0");
  onnx_node(&body, "Greater", "test", "s limit", "large", NULL);
  /* While the sum is at most 5, double; then append x. */
  onnx_input(&inner, "j", NETCL_I64, "");
  onnx_input(&inner, "d", NETCL_BOOL, "");
  onnx_input(&inner, "u", NETCL_F32, NULL);
  onnx_node(&inner, "Add", "double", "u u", "t", NULL);
  onnx_node(&inner, "ReduceSum", "sum2", "t", "r", "keepdims=0");
  onnx_node(&inner, "LessOrEqual", "test2", "r limit", "more", NULL);
  onnx_output(&inner, "more", NETCL_BOOL, NULL);
  onnx_output(&inner, "t", NETCL_F32, NULL);
  onnx_flow(&no, "Loop", "grow", "most - v", "b", NULL, &inner, NULL);
  onnx_output(&no, "b", NETCL_F32, NULL);
  onnx_node(&yes, "Mul", "halve", "v half", "h", NULL);
  onnx_node(&yes, "Concat", "append", "h x", "a", "axis=0");
  onnx_output(&yes, "a", NETCL_F32, NULL);
  onnx_flow(&body, "If", "choice", "large", "w", NULL, &yes, &no);
  onnx_node(&body, "Identity", "on", "c", "goes", NULL);
  onnx_output(&body, "goes", NETCL_BOOL, NULL);
  onnx_output(&body, "w", NETCL_F32, NULL);
  onnx_flow(&graph, "Loop", "rounds", "m - x", "y", NULL, &body, NULL);
  netcl_model *model = onnx_load(fixture, &graph, 13);
  netcl_tensor *x = vector_of(fixture, 1, (const float[]){2});
  /* 2 -> 4 -> 8 | 4 2 -> | 2 1 2 -> | 4 2 4 -> ... by rounds: 8; 4 2; 2 1 2; 4 2 4 has sum 10 */
  netcl_tensor *y = onnx_run(model, &x, 1);
  GIVES(y, 4, 2, 4);
  RELEASE(x, y);
  netcl_model_release(model);
}

/* ---- Shapes that the device works out -------------------------------------------------------- */

static void shape_of_device(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = {0};
  const int64_t rest[1] = {-1};
  onnx_input(&graph, "x", NETCL_F32, "n");
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_output(&graph, "s", NETCL_I64, NULL);
  onnx_weight_i64(&graph, "rest", 1, rest);
  onnx_node(&graph, "Exp", "e", "x", "p", NULL);
  onnx_node(&graph, "ArgMax", "top", "p", "m", "axis=0 keepdims=1");
  onnx_node(&graph, "Concat", "c", "m rest", "shape", "axis=0");
  onnx_node(&graph, "Reshape", "r", "x shape", "z", NULL);
  onnx_node(&graph, "Neg", "n", "z", "y", NULL);
  onnx_node(&graph, "Shape", "t", "z", "s", NULL);
  netcl_model *model = onnx_load(fixture, &graph, 13);
  for (int at = 1; at < 4; ++at) {
    float values[6] = {0, 1, 0, 1, 0, 1};
    values[at] = 3;
    netcl_tensor *x = vector_of(fixture, 6, values), *y[2] = {NULL};
    uint32_t count = 0;
    OK(netcl_model_evaluate(model, &x, 1, NULL, y, 2, &count));
    const netcl_tensor_info info = tensor_info(y[0]);
    assert_int_equal(info.shape[0], at);
    assert_int_equal(info.shape[1], 6 / at);
    int64_t *s = read_tensor(y[1]);
    assert_int_equal(s[0], at);
    free(s);
    release_tensors(y, 2);
    RELEASE(x);
  }
  netcl_model_release(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(branch_of_device), DEVICE_TEST(branch_of_shape), DEVICE_TEST(branch_of_input),
      DEVICE_TEST(loop_of_device),   DEVICE_TEST(into_tensors),    DEVICE_TEST(loop_of_host),
      DEVICE_TEST(long_loop),        DEVICE_TEST(nested),          DEVICE_TEST(shape_of_device),
  };
  return cmocka_run_group_tests_name("model_flow", tests, NULL, NULL);
}
