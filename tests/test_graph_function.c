/* Graphs made from functions: a form for each kind of inputs, with the bits of calls one by one. */
#include <string.h>

#include "support_graph.h"

/* What a function is given, and how often it was called. */
typedef struct Host {
  int calls;
  int destroyed;
  uint64_t program;      /* the seed of random calls */
  netcl_tensor* weights; /* taken by reference */
} Host;

static void destroy(void* user_data) { ++((Host*)user_data)->destroyed; }

static netcl_graph* made_from(Fixture* fixture, netcl_graph_fn function, Host* host,
                              uint32_t outputs, uint64_t forms_most) {
  netcl_graph_function_options options = NETCL_GRAPH_FUNCTION_OPTIONS_INIT;
  netcl_graph* graph = NULL;
  options.forms_most = forms_most;
  OK(netcl_graph_create_from_function(fixture->device, function, host, destroy, outputs, &options,
                                      &graph));
  return graph;
}

static netcl_graph_info info_of(netcl_graph* graph) {
  netcl_graph_info info = NETCL_GRAPH_INFO_INIT;
  OK(netcl_graph_get_info(graph, &info));
  return info;
}

static netcl_tensor* evaluated(netcl_graph* graph, netcl_tensor* input) {
  netcl_tensor* output = NULL;
  uint32_t count = 0;
  OK(netcl_graph_evaluate(graph, &input, 1, NULL, &output, 1, &count));
  assert_int_equal(count, 1);
  return output;
}

static void same_bits(netcl_tensor* got, netcl_tensor* wanted, const char* what, uint64_t seed) {
  const netcl_tensor_info a = tensor_info(got), b = tensor_info(wanted);
  CHECK(a.rank == b.rank && memcmp(a.shape, b.shape, a.rank * sizeof(int64_t)) == 0,
        "program %llu: %s has another shape", (unsigned long long)seed, what);
  float *x = read_tensor(got), *y = read_tensor(wanted);
  for (int64_t i = 0; i < a.element_count; ++i) {
    CHECK(memcmp(&x[i], &y[i], sizeof *x) == 0 || (x[i] != x[i] && y[i] != y[i]),
          "program %llu: %s, element %d: %.9g, one by one %.9g", (unsigned long long)seed, what,
          (int)i, x[i], y[i]);
  }
  free(x);
  free(y);
}

/* ---- Random programs ------------------------------------------------------------------------- */

enum { LENGTH = 8, OUTPUTS = 3 };

static netcl_tensor* mean_of_rows(netcl_tensor* x, const netcl_run_options* run) {
  const int32_t axis = 1;
  netcl_reduce_options options = NETCL_REDUCE_OPTIONS_INIT;
  netcl_tensor* made = NULL;
  options.axes = &axis;
  options.axes_count = 1;
  options.keepdims = 1;
  OK(netcl_op_reduce(x, NETCL_REDUCTION_MEAN, &options, run, &made));
  return made;
}

static netcl_tensor* next_value(netcl_tensor* a, netcl_tensor* b, const netcl_run_options* run) {
  static const char* const kTexts[] = {"v0 * v1 + 0.5", "tanh(v0) - v1", "v0 > v1 ? v0 : -v1",
                                       "v0 / (1 + abs(v1))"};
  netcl_tensor *part = NULL, *made = NULL;
  switch (random_in(0, 6)) {
    case 0:
      OK(netcl_op_softmax(a, 1, run, &made));
      return made;
    case 1:
      part = mean_of_rows(a, run);
      made = formula("v0 * 0.5 + v1", b, part, run);
      break;
    case 2:
      OK(netcl_op_cast(a, NETCL_F16, run, &part));
      OK(netcl_op_cast(part, NETCL_F32, run, &made));
      break;
    case 3:
      part = formula("exp(v0 * 0.125)", a, NULL, run);
      made = formula("v0 - v1", part, b, run);
      formula_into("v0 * 0.5 + v1", part, made, part, run);
      netcl_tensor_release(made);
      return part;
    default:
      return formula(kTexts[random_in(0, (int64_t)COUNT_OF(kTexts) - 1)], a, b, run);
  }
  netcl_tensor_release(part);
  return made;
}

/* The loss of random calls, its gradient by the input, and a step of the weights in place. */
static void program(netcl_tensor* x, netcl_tensor* weights, uint64_t seed,
                    const netcl_run_options* run, netcl_tensor** outputs) {
  netcl_tensor *values[LENGTH + 1], *wanted[2] = {x, weights}, *gradients[2] = {NULL, NULL};
  seed_random_at(seed);
  values[0] = formula("v0 * v1", x, weights, run);
  for (int i = 1; i <= LENGTH; ++i) {
    values[i] = next_value(values[random_in(0, i - 1)], values[i - 1], run);
  }
  outputs[0] = values[LENGTH];
  outputs[1] = sum_of(values[LENGTH], run);
  const netcl_status status =
      netcl_graph_add_gradients(run->graph, &outputs[1], 1, wanted, 2, NULL, gradients);
  if (status == NETCL_OK) {
    formula_into("v0 - 0.001 * v1", weights, gradients[1], weights, run);
  } else { /* A value that it needs was overwritten. */
    OK(netcl_op_copy(values[0], run, &gradients[0]));
  }
  outputs[2] = gradients[0];
  netcl_tensor_release(gradients[1]);
  release_tensors(values, LENGTH);
}

static netcl_status random_function(const netcl_graph_call* call, netcl_tensor** outputs,
                                    void* user_data) {
  Host* const host = user_data;
  ++host->calls;
  program(call->inputs[0], host->weights, host->program, call->run, outputs);
  return NETCL_OK;
}

static void check_program(Fixture* fixture, uint64_t seed) {
  enum { SHAPES = 3, MOST = 7 };
  float data[MOST * MOST], w[MOST];
  const int64_t columns = random_in(1, MOST);
  fill_random(NETCL_F32, w, columns, 1);
  Host host = {.program = random_bits()};
  host.weights = graph_vector(fixture, columns, w);
  netcl_tensor* const eager_weights = graph_vector(fixture, columns, w);
  netcl_graph* const graph = made_from(fixture, random_function, &host, OUTPUTS, 0);
  for (int round = 0; round < 2 * SHAPES; ++round) {
    const int64_t shape[2] = {1 + round % SHAPES, columns};
    netcl_tensor *got[OUTPUTS] = {NULL}, *wanted[OUTPUTS];
    fill_random(NETCL_F32, data, shape[0] * columns, 1);
    netcl_tensor* const x = make_tensor(fixture->device, NETCL_F32, 2, shape, data);
    const uint64_t after = random_bits();
    uint32_t count = 0;
    OK(netcl_graph_evaluate(graph, &x, 1, NULL, got, OUTPUTS, &count));
    assert_int_equal(count, OUTPUTS);
    netcl_run_options run = recorded(fixture);
    program(x, eager_weights, host.program, &run, wanted);
    seed_random_at(after);
    same_bits(got[0], wanted[0], "value", seed);
    same_bits(got[1], wanted[1], "loss", seed);
    same_bits(got[2], wanted[2], "gradient", seed);
    same_bits(host.weights, eager_weights, "weights", seed);
    release_tensors(got, OUTPUTS);
    release_tensors(wanted, OUTPUTS);
    netcl_tensor_release(x);
    netcl_graph_release(run.graph);
  }
  assert_int_equal(host.calls, SHAPES);
  assert_int_equal(info_of(graph).form_count, SHAPES);
  netcl_graph_release(graph);
  assert_int_equal(host.destroyed, 1);
  RELEASE(host.weights, eager_weights);
}

static void programs(void** state) {
  Fixture* fixture = *state;
  for (int i = 0; i < rounds(fixture, 60); ++i) {
    const uint64_t seed = random_bits();
    seed_random_at(seed);
    check_program(fixture, seed);
  }
}

/* ---- Forms ----------------------------------------------------------------------------------- */

static netcl_status twice(const netcl_graph_call* call, netcl_tensor** outputs, void* user_data) {
  if (call->struct_size != sizeof *call || call->inputs_count != 1) return NETCL_ERROR_INTERNAL;
  ++((Host*)user_data)->calls;
  return netcl_op_expression_text("2 * v0", call->inputs, 1, NULL, call->run, outputs);
}

static void told(netcl_graph* graph, netcl_graph_format format, const char* wanted) {
  char text[4096];
  OK(netcl_graph_explain(graph, format, text, sizeof text, NULL));
  CHECK(strstr(text, wanted) != NULL, "no \"%s\" in %s", wanted, text);
}

/* The one that was used longest ago goes; what is kept does not call the function. */
static void eviction(void** state) {
  Fixture* fixture = *state;
  Host host = {0};
  netcl_graph* const graph = made_from(fixture, twice, &host, 1, 2);
  static const struct {
    int64_t count;
    int calls;
  } kRuns[] = {{1, 1}, {2, 2}, {1, 2}, {3, 3}, {1, 3}, {2, 4}, {1, 4}, {3, 5}};
  for (size_t i = 0; i < COUNT_OF(kRuns); ++i) {
    netcl_tensor *x = counting_vector(fixture, kRuns[i].count, 1), *y = evaluated(graph, x);
    CHECK(host.calls == kRuns[i].calls, "run %d: %d calls of the function", (int)i, host.calls);
    static const double kWanted[] = {2, 4, 6};
    check_elements(y, kRuns[i].count, kWanted, __LINE__);
    RELEASE(x, y);
  }
  assert_int_equal(info_of(graph).form_count, 2);
  told(graph, NETCL_GRAPH_FORMAT_TEXT, "2 forms of at most 2");
  told(graph, NETCL_GRAPH_FORMAT_TEXT, "form 0: input 0 f32 [3]\nform on ");
  told(graph, NETCL_GRAPH_FORMAT_TEXT, "form 1: input 0 f32 [1]\nform on ");
  told(graph, NETCL_GRAPH_FORMAT_JSON, "\"forms_most\":2");
  told(graph, NETCL_GRAPH_FORMAT_JSON, "\"shape\":\"[3]\"");
  told(graph, NETCL_GRAPH_FORMAT_DOT, "subgraph cluster_1");
  told(graph, NETCL_GRAPH_FORMAT_DOT, "\"form 0, input 0\" -> \"form 0, step0\"");
  OK(netcl_graph_clear(graph));
  told(graph, NETCL_GRAPH_FORMAT_TEXT, "0 forms of at most 2");
  assert_int_equal(info_of(graph).form_count, 0);
  assert_int_equal(info_of(graph).kept_bytes, 0);
  netcl_tensor *x = counting_vector(fixture, 3, 1), *y = evaluated(graph, x);
  assert_int_equal(host.calls, 6);
  GIVES(y, 2, 4, 6);
  RELEASE(x, y);
  netcl_graph_release(graph);
}

/* By default 16 are kept. */
static void how_many(void** state) {
  Fixture* fixture = *state;
  Host host = {0};
  netcl_graph* const graph = made_from(fixture, twice, &host, 1, 0);
  for (int64_t count = 1; count <= 18; ++count) {
    netcl_tensor* const x = counting_vector(fixture, count, 0);
    OK(netcl_graph_compile(graph, &x, 1, NULL, 0, NULL));
    netcl_tensor_release(x);
  }
  assert_int_equal(info_of(graph).form_count, 16);
  netcl_graph_release(graph);
}

/* Made ready before the first run, by an input that is one element in memory. */
static void ahead(void** state) {
  Fixture* fixture = *state;
  Host host = {0};
  netcl_graph* const graph = made_from(fixture, twice, &host, 1, 0);
  netcl_tensor *one = counting_vector(fixture, 1, 0), *many = NULL;
  OK(netcl_tensor_broadcast(one, 2, (int64_t[]){3, 2}, &many));
  OK(netcl_graph_compile(graph, &many, 1, NULL, 0, NULL));
  OK(netcl_graph_compile(graph, &many, 1, NULL, 0, NULL));
  assert_int_equal(host.calls, 1);
  const netcl_graph_info info = info_of(graph);
  assert_int_equal(info.form_count, 1);
  assert_int_equal(info.call_count, 1);
  assert_int_equal(info.step_count, 1);
  assert_int_equal(info.ready_count, 1);
  assert_int_equal(info.command_count, 1);
  const float values[6] = {1, 2, 3, 4, 5, 6};
  netcl_tensor* x = make_tensor(fixture->device, NETCL_F32, 2, (int64_t[]){3, 2}, values);
  netcl_tensor* y = evaluated(graph, x);
  GIVES(y, 2, 4, 6, 8, 10, 12);
  assert_int_equal(host.calls, 1);
  RELEASE(y);
  /* A run with the broadcast itself: it is copied. */
  y = evaluated(graph, many);
  GIVES(y, 0, 0, 0, 0, 0, 0);
  assert_int_equal(host.calls, 1);
  RELEASE(one, many, x, y);
  netcl_graph_release(graph);
}

/* Another order of dimensions is another form, which copies nothing; gaps are no form. */
static void orders(void** state) {
  Fixture* fixture = *state;
  Host host = {0};
  netcl_graph* const graph = made_from(fixture, twice, &host, 1, 0);
  const float values[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  netcl_tensor* x = make_tensor(fixture->device, NETCL_F32, 2, (int64_t[]){3, 4}, values);
  netcl_tensor* plain = make_tensor(fixture->device, NETCL_F32, 2, (int64_t[]){4, 3}, values);
  netcl_tensor *turned = NULL, *slice = NULL, *back = NULL, *y;
  OK(netcl_tensor_permute(x, (uint32_t[]){1, 0}, 2, &turned));
  OK(netcl_tensor_slice(x, (netcl_range[]){{0, 3, 1}, {1, 2, 2}}, 2, &slice));
  OK(netcl_tensor_slice(x, (netcl_range[]){{2, 3, -1}, {0, 4, 1}}, 2, &back));
  y = evaluated(graph, x);
  GIVES(y, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22);
  netcl_tensor_release(y);
  y = evaluated(graph, turned);
  GIVES(y, 0, 8, 16, 2, 10, 18, 4, 12, 20, 6, 14, 22);
  netcl_tensor_release(y);
  y = evaluated(graph, plain);
  GIVES(y, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22);
  netcl_tensor_release(y);
  y = evaluated(graph, back);
  GIVES(y, 16, 18, 20, 22, 8, 10, 12, 14, 0, 2, 4, 6);
  assert_int_equal(host.calls, 3);
  netcl_tensor_release(y);
  y = evaluated(graph, slice);
  GIVES(y, 2, 6, 10, 14, 18, 22);
  assert_int_equal(host.calls, 4);
  assert_int_equal(info_of(graph).command_count, 4);
  RELEASE(y, slice, turned, back, plain, x);
  netcl_graph_release(graph);
}

static netcl_status scaled(const netcl_graph_call* call, netcl_tensor** outputs, void* user_data) {
  netcl_tensor *both[2] = {call->inputs[0], ((Host*)user_data)->weights}, *part = NULL;
  netcl_status status =
      netcl_op_expression_text("v0 * v1", both, 2, NULL, call->run, &part);
  if (status == NETCL_OK) {
    status = netcl_op_expression_text("v0 + 1", &part, 1, NULL, call->run, outputs);
  }
  netcl_tensor_release(part);
  return status;
}

/* What is told of two forms, joined and not; the weights are one piece of memory. */
static void told_of_forms(void** state) {
  Fixture* fixture = *state;
  Host host = {.weights = counting_vector(fixture, 1, 3)};
  for (int fuse = 0; fuse < 2; ++fuse) {
    netcl_graph_function_options options = NETCL_GRAPH_FUNCTION_OPTIONS_INIT;
    netcl_graph* graph = NULL;
    options.fuse = fuse ? NETCL_DEFAULT : NETCL_OFF;
    OK(netcl_graph_create_from_function(fixture->device, scaled, &host, NULL, 1, &options,
                                        &graph));
    for (int64_t count = 2; count <= 3; ++count) {
      netcl_tensor *x = counting_vector(fixture, count, 0), *y = evaluated(graph, x);
      static const double kWanted[] = {1, 4, 7};
      check_elements(y, count, kWanted, __LINE__);
      RELEASE(x, y);
    }
    const netcl_graph_info info = info_of(graph);
    assert_int_equal(info.form_count, 2);
    assert_int_equal(info.call_count, 4);
    assert_int_equal(info.step_count, fuse ? 2 : 4);
    assert_int_equal(info.ready_count, info.step_count);
    assert_int_equal(info.command_count, info.step_count);
    assert_int_equal(info.planned_bytes, fuse ? 0 : 12);
    assert_int_equal(info.live_bytes, 12);
    assert_int_equal(info.kept_bytes, tensor_info(host.weights).byte_count);
    netcl_graph_release(graph);
  }
  netcl_tensor_release(host.weights);
}

/* ---- Numbers of inputs and outputs, scalars, nothing ----------------------------------------- */

static netcl_status sum_and_count(const netcl_graph_call* call, netcl_tensor** outputs,
                                  void* user_data) {
  Host* const host = user_data;
  ++host->calls;
  if (call->inputs_count == 0) {
    return netcl_op_expression_text("v0 * 2", &host->weights, 1, NULL, call->run, outputs);
  }
  netcl_status status =
      netcl_op_expression_text("v0 + 0", call->inputs, 1, NULL, call->run, outputs);
  for (uint32_t i = 1; i < call->inputs_count && status == NETCL_OK; ++i) {
    netcl_tensor *both[2] = {outputs[0], call->inputs[i]}, *sum = NULL;
    status = netcl_op_expression_text("v0 + v1", both, 2, NULL, call->run, &sum);
    if (status != NETCL_OK) return status;
    netcl_tensor_release(outputs[0]);
    outputs[0] = sum;
  }
  return status;
}

static void kinds_of_inputs(void** state) {
  Fixture* fixture = *state;
  Host host = {.weights = counting_vector(fixture, 2, 3)};
  netcl_graph* const graph = made_from(fixture, sum_and_count, &host, 1, 0);
  const float value = 1.5f;
  netcl_tensor* scalar = make_tensor(fixture->device, NETCL_F32, 0, NULL, &value);
  netcl_tensor* empty = make_tensor(fixture->device, NETCL_F32, 2, (int64_t[]){0, 3}, &value);
  netcl_tensor *pair = counting_vector(fixture, 2, 1), *y = NULL, *lists[3];
  uint32_t count = 0;
  OK(netcl_graph_evaluate(graph, NULL, 0, NULL, &y, 1, &count));
  GIVES(y, 6, 8);
  RELEASE(y);
  y = evaluated(graph, scalar);
  assert_int_equal(tensor_info(y).rank, 0);
  GIVES(y, 1.5);
  RELEASE(y);
  lists[0] = lists[2] = pair;
  lists[1] = scalar;
  OK(netcl_graph_evaluate(graph, lists, 3, NULL, &y, 1, &count));
  GIVES(y, 3.5, 5.5);
  RELEASE(y);
  y = evaluated(graph, empty);
  assert_int_equal(tensor_info(y).element_count, 0);
  assert_int_equal(tensor_info(y).shape[1], 3);
  RELEASE(y);
  /* Another dtype of the same shape. */
  netcl_tensor* wide = NULL;
  OK(netcl_op_cast(scalar, NETCL_F64, NULL, &wide));
  y = evaluated(graph, wide);
  assert_int_equal(tensor_info(y).dtype, NETCL_F64);
  GIVES(y, 1.5);
  RELEASE(y, wide);
  /* Into tensors of the caller, with an event. */
  netcl_tensor* into = make_tensor(fixture->device, NETCL_F32, 2, (int64_t[]){0, 3}, &value);
  netcl_event* event = NULL;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.event = &event;
  OK(netcl_graph_run(graph, &empty, 1, &into, 1, &run));
  OK(netcl_event_wait(event, NETCL_WAIT_FOREVER));
  netcl_event_release(event);
  assert_int_equal(host.calls, 5);
  netcl_graph_release(graph);
  RELEASE(host.weights, scalar, empty, pair, into);
}

/* ---- Kernels --------------------------------------------------------------------------------- */

static uint64_t builds(void) {
  netcl_program_cache_info info = NETCL_PROGRAM_CACHE_INFO_INIT;
  OK(netcl_program_cache_get_info(&info));
  return info.source_builds;
}

/* Elementwise calls for other shapes compile nothing. */
static void shared_kernels(void** state) {
  Fixture* fixture = *state;
  Host host = {0};
  netcl_graph* const graph = made_from(fixture, twice, &host, 1, 0);
  uint64_t before = 0;
  for (int64_t count = 16; count <= 64; count += 16) {
    netcl_tensor* const x = counting_vector(fixture, count, 0);
    OK(netcl_graph_compile(graph, &x, 1, NULL, 0, NULL));
    if (count == 16) before = builds();
    netcl_tensor_release(x);
  }
  assert_int_equal(builds(), before);
  netcl_graph_release(graph);
}

int main(void) {
  seed_random("graph_function");
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(programs), DEVICE_TEST(eviction),        DEVICE_TEST(how_many),
      DEVICE_TEST(ahead),    DEVICE_TEST(orders),          DEVICE_TEST(kinds_of_inputs),
      DEVICE_TEST(told_of_forms),
      DEVICE_TEST(shared_kernels), DEVICE_TEST(as_kernels)};
  return cmocka_run_group_tests_name("graph_function", tests, NULL, NULL);
}
