/* Captures: what is recorded without running, how it is compiled, and runs with other tensors. */
#include <math.h>
#include <string.h>

#include "support_graph.h"
#include "support_strided.h"

static netcl_graph_info info_of(netcl_graph* graph) {
  netcl_graph_info info = NETCL_GRAPH_INFO_INIT;
  OK(netcl_graph_get_info(graph, &info));
  return info;
}

static void check_message_in(const char* text, const char* wanted) {
  CHECK(strstr(text, wanted) != NULL, "\"%s\" is not in:\n%s", wanted, text);
}

/* Nothing runs before netcl_graph_run, which reads parameters as they are then. */
static void runs(void** state) {
  Fixture* fixture = *state;
  netcl_run_options run = captured_calls(fixture);
  netcl_tensor *x = counting_vector(fixture, 3, 1), *p = counting_vector(fixture, 3, 10),
               *in = counting_vector(fixture, 3, 5);
  netcl_tensor *out = counting_vector(fixture, 3, 0), *again = counting_vector(fixture, 3, 0);
  netcl_tensor *a = formula("v0 * v1", x, p, &run), *b = formula("v0 + 1", a, NULL, &run);
  netcl_tensor* unused = formula("sqrt(v0)", a, NULL, &run);
  formula_into("v0 + v1", p, x, p, &run);
  GIVES(p, 10, 11, 12);
  assert_int_equal(call_count(run.graph), 4);
  CHECK(info_of(run.graph).kept_bytes >= 24, "kept %d", (int)info_of(run.graph).kept_bytes);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "not compiled",
             netcl_graph_run(run.graph, &in, 1, &out, 1, NULL));
  OK(netcl_graph_compile(run.graph, &x, 1, &b, 1, NULL));
  netcl_graph_info info = info_of(run.graph);
  /* sqrt is not needed, a is done within b, and what becomes of p with it. */
  assert_int_equal(info.step_count, 1);
  assert_int_equal(info.ready_count, 1);
  assert_int_equal(info.command_count, 1);
  assert_int_equal(info.planned_bytes, 0);
  assert_int_equal(info.live_bytes, 12);
  GIVES(p, 10, 11, 12);
  netcl_event* event = NULL;
  netcl_run_options how = NETCL_RUN_OPTIONS_INIT;
  how.event = &event;
  OK(netcl_graph_run(run.graph, &in, 1, &out, 1, &how));
  OK(netcl_event_wait(event, LONG_WAIT));
  netcl_event_release(event);
  GIVES(out, 51, 67, 85);
  GIVES(p, 15, 17, 19);
  OK(netcl_graph_run(run.graph, &x, 1, &again, 1, NULL));
  GIVES(again, 16, 35, 58);
  GIVES(p, 16, 19, 22);
  GIVES(out, 51, 67, 85);
  /* Handles of the values are not needed, and the graph may go while a run is under way. */
  RELEASE(a, b, unused);
  OK(netcl_graph_run(run.graph, &in, 1, &out, 1, NULL));
  netcl_graph_release(run.graph);
  GIVES(out, 81, 115, 155);
  RELEASE(x, p, in, out, again);
}

/* Inputs and outputs in any strides and at any offset, and of no element. */
static void layouts(void** state) {
  Fixture* fixture = *state;
  netcl_run_options run = captured_calls(fixture);
  const float zeros[6] = {0};
  const int64_t shape[2] = {2, 3};
  netcl_tensor* x = make_tensor(fixture->device, NETCL_F32, 2, shape, zeros);
  netcl_tensor *made = NULL, *sum = NULL, *part = NULL;
  OK(netcl_op_softmax(x, 1, &run, &made));
  netcl_tensor* twice = formula("v0 * 2", made, NULL, &run);
  const netcl_range ranges[2] = {{0, 2, 1}, {1, 2, 1}};
  OK(netcl_tensor_slice(twice, ranges, 2, &part));
  OK(netcl_op_reduce(part, NETCL_REDUCTION_SUM, NULL, &run, &sum));
  netcl_tensor* outputs[] = {twice, part, sum, twice};
  OK(netcl_graph_compile(run.graph, &x, 1, outputs, 4, NULL));
  for (int pass = 0; pass < 12; ++pass) {
    float data[6], poison[6];
    fill_random(NETCL_F32, data, 6, 1);
    memset(poison, POISON, sizeof poison);
    Strided in = make_strided(fixture->device, NETCL_F32, 2, shape, data);
    Strided all = make_strided(fixture->device, NETCL_F32, 2, shape, poison);
    Strided two = make_strided(fixture->device, NETCL_F32, 2, (int64_t[]){2, 2}, poison);
    netcl_tensor* last = make_tensor(fixture->device, NETCL_F32, 2, shape, poison);
    netcl_tensor* total = make_tensor(fixture->device, NETCL_F32, 0, NULL, poison);
    netcl_tensor* plain = make_tensor(fixture->device, NETCL_F32, 2, shape, data);
    netcl_tensor *wanted = NULL, *eager = NULL, *eager_part = NULL, *eager_sum = NULL;
    OK(netcl_op_softmax(plain, 1, NULL, &eager));
    netcl_run_options no = NETCL_RUN_OPTIONS_INIT;
    wanted = formula("v0 * 2", eager, NULL, &no);
    OK(netcl_tensor_slice(wanted, ranges, 2, &eager_part));
    eager_sum = sum_of(eager_part, &no);
    netcl_tensor* given = pass % 2 == 0 ? in.view : plain;
    netcl_tensor* to[] = {pass % 3 == 0 ? last : all.view, two.view, total,
                          pass % 3 == 0 ? all.view : last};
    OK(netcl_graph_run(run.graph, &given, 1, to, 4, NULL));
    float *values = read_tensor(wanted), *few = read_tensor(eager_part);
    CHECK_STRIDED(&all, values);
    CHECK_STRIDED(&two, few);
    CHECK_TENSOR(last, values);
    free(values);
    free(few);
    values = read_tensor(eager_sum);
    CHECK_TENSOR(total, values);
    free(values);
    release_strided(&in);
    release_strided(&all);
    release_strided(&two);
    RELEASE(last, total, plain, wanted, eager, eager_part, eager_sum);
  }
  RELEASE(x, made, sum, part, twice);
  netcl_graph_release(run.graph);
  /* Tensors without elements. */
  run = captured_calls(fixture);
  netcl_tensor* none = make_tensor(fixture->device, NETCL_F32, 2, (int64_t[]){0, 3}, zeros);
  netcl_tensor* nothing = formula("v0 + 1", none, NULL, &run);
  netcl_tensor* empty = make_tensor(fixture->device, NETCL_F32, 2, (int64_t[]){0, 3}, zeros);
  OK(netcl_graph_compile(run.graph, &none, 1, &nothing, 1, NULL));
  netcl_event* event = NULL;
  netcl_run_options how = NETCL_RUN_OPTIONS_INIT;
  how.event = &event;
  OK(netcl_graph_run(run.graph, &none, 1, &empty, 1, &how));
  OK(netcl_event_wait(event, LONG_WAIT));
  netcl_event_release(event);
  RELEASE(none, nothing, empty);
  netcl_graph_release(run.graph);
}

/* Inputs that reach values without elements alone, as where a rank has an empty part of a layer:
 * x * w is 4 x 0, and that times v is zeros. One that reaches nothing is still refused. */
static void inputs_of_empty_values(void** state) {
  Fixture* fixture = *state;
  const float ones[20] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  const float zeros[12] = {0};
  netcl_run_options run = captured_calls(fixture);
  netcl_tensor* x = make_tensor(fixture->device, NETCL_F32, 2, (int64_t[]){4, 5}, ones);
  netcl_tensor* other = make_tensor(fixture->device, NETCL_F32, 2, (int64_t[]){4, 5}, ones);
  netcl_tensor* w = make_tensor(fixture->device, NETCL_F32, 2, (int64_t[]){5, 0}, ones);
  netcl_tensor* v = make_tensor(fixture->device, NETCL_F32, 2, (int64_t[]){0, 3}, ones);
  netcl_tensor* y = make_tensor(fixture->device, NETCL_F32, 2, (int64_t[]){4, 3}, ones);
  netcl_tensor *twice = formula("v0 * 2", x, NULL, &run), *h = NULL, *made = NULL;
  netcl_tensor* unused = formula("v0 * 3", other, NULL, &run);
  OK(netcl_op_matmul(twice, w, NULL, &run, &h));
  OK(netcl_op_matmul(h, v, NULL, &run, &made));
  netcl_tensor* const both[2] = {x, other};
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "no output depends on inputs[1]",
             netcl_graph_compile(run.graph, both, 2, &made, 1, NULL));
  OK(netcl_graph_compile(run.graph, &x, 1, &made, 1, NULL));
  OK(netcl_graph_run(run.graph, &other, 1, &y, 1, NULL));
  CHECK_TENSOR(y, zeros);
  RELEASE(x, other, w, v, y, twice, unused, h, made);
  netcl_graph_release(run.graph);
}

/* What a value of a capture is not good for. */
static void no_content(void** state) {
  Fixture* fixture = *state;
  netcl_run_options run = captured_calls(fixture), other = captured_calls(fixture),
                    tape = recorded(fixture);
  float data[3];
  netcl_tensor *x = counting_vector(fixture, 3, 1), *y = formula("v0 * 2", x, NULL, &run), *z = x;
  netcl_tensor* view = NULL;
  netcl_buffer* buffer = NULL;
  netcl_event* event = NULL;
  void* managed = NULL;
  OK(netcl_tensor_slice(y, (netcl_range[]){{1, 2, 1}}, 1, &view));
  const netcl_status bad = NETCL_ERROR_INVALID_ARGUMENT;
  FAILS_WITH(bad, "tensor is a value", netcl_tensor_read(y, data, 12, NULL, LONG_WAIT));
  FAILS_WITH(bad, "tensor is a value", netcl_tensor_read(view, data, 8, NULL, LONG_WAIT));
  FAILS_WITH(bad, "tensor is a value", netcl_tensor_write(y, data, 12, NULL, LONG_WAIT));
  FAILS_WITH(bad, "tensor is a value", netcl_tensor_get_buffer(y, &buffer));
  FAILS_WITH(bad, "tensor is a value", netcl_tensor_save_npy(y, "/nowhere/x.npy", LONG_WAIT));
  FAILS_WITH(bad, "tensor is a value", netcl_tensor_to_dlpack(y, LONG_WAIT, (void*)&managed));
  FAILS_WITH(bad, "value of a graph", netcl_op_expression_text("-v0", &y, 1, NULL, NULL, &z));
  FAILS_WITH(bad, "value of a graph", netcl_op_copy(view, NULL, &z));
  FAILS_WITH(bad, "value of another", netcl_op_expression_text("-v0", &y, 1, NULL, &other, &z));
  FAILS_WITH(bad, "value of another", netcl_op_expression_text("-v0", &y, 1, NULL, &tape, &z));
  netcl_run_options to = tape;
  to.into = y;
  FAILS_WITH(bad, "value of another", netcl_op_expression_text("-v0", &x, 1, NULL, &to, NULL));
  to = run;
  to.event = &event;
  FAILS_WITH(bad, "run->event", netcl_op_expression_text("-v0", &x, 1, NULL, &to, &z));
  OK(netcl_op_copy(x, &(netcl_run_options){.struct_size = sizeof to, .event = &event}, &z));
  RELEASE(z);
  to = run;
  to.waits = &event;
  to.waits_count = 1;
  FAILS_WITH(bad, "run->waits", netcl_op_expression_text("-v0", &x, 1, NULL, &to, &z));
  netcl_event_release(event);
  netcl_gradients_options gradients = NETCL_GRADIENTS_OPTIONS_INIT;
  gradients.consume = 1;
  FAILS_WITH(bad, "options->consume",
             netcl_graph_add_gradients(run.graph, &y, 1, &x, 1, &gradients, &z));
  gradients.consume = 0;
  gradients.event = &event;
  FAILS_WITH(bad, "options->event",
             netcl_graph_add_gradients(run.graph, &y, 1, &x, 1, &gradients, &z));
  assert_int_equal(call_count(run.graph), 1);
  netcl_graph_options options = NETCL_GRAPH_OPTIONS_INIT;
  options.execute = 3;
  FAILS_WITH(bad, "options->execute", netcl_graph_create(fixture->device, &options, &run.graph));
  RELEASE(x, y, view);
  netcl_graph_release(run.graph);
  netcl_graph_release(other.graph);
  netcl_graph_release(tape.graph);
}

/* What cannot be compiled; the graph stays as it is. */
static void wrong_interfaces(void** state) {
  Fixture* fixture = *state;
  netcl_run_options run = captured_calls(fixture), tape = recorded(fixture);
  netcl_tensor *x = counting_vector(fixture, 4, 1), *p = counting_vector(fixture, 4, 1),
               *half = NULL, *rest = NULL;
  OK(netcl_tensor_slice(x, (netcl_range[]){{0, 2, 1}}, 1, &half));
  OK(netcl_tensor_slice(x, (netcl_range[]){{2, 2, 1}}, 1, &rest));
  const netcl_status bad = NETCL_ERROR_INVALID_ARGUMENT;
  netcl_tensor* eager = formula("v0", x, NULL, &tape);
  FAILS_WITH(bad, "is a tape", netcl_graph_compile(tape.graph, &x, 1, &eager, 1, NULL));
  FAILS_WITH(bad, "no calls", netcl_graph_compile(run.graph, &x, 1, &x, 1, NULL));
  netcl_tensor *y = formula("v0 + v1", x, p, &run), *z = formula("v0 * 2", y, NULL, &run);
  netcl_graph_compile_options options = NETCL_GRAPH_COMPILE_OPTIONS_INIT;
  options.fuse = 7;
  FAILS_WITH(bad, "options->fuse", netcl_graph_compile(run.graph, &x, 1, &z, 1, &options));
  FAILS_WITH(bad, "outputs[0]", netcl_graph_compile(run.graph, &x, 1, &p, 1, NULL));
  FAILS_WITH(bad, "outputs is NULL", netcl_graph_compile(run.graph, &x, 1, NULL, 1, NULL));
  FAILS_WITH(bad, "no output depends on inputs[1]",
             netcl_graph_compile(run.graph, (netcl_tensor*[]){x, eager}, 2, &z, 1, NULL));
  FAILS_WITH(bad, "inputs[0] is a value", netcl_graph_compile(run.graph, &y, 1, &z, 1, NULL));
  FAILS_WITH(bad, "expression (call 0) reads a tensor of shape",
             netcl_graph_compile(run.graph, &half, 1, &z, 1, NULL));
  netcl_tensor *gaps = NULL, *wide = NULL;
  OK(netcl_tensor_slice(x, (netcl_range[]){{0, 2, 3}}, 1, &gaps));
  FAILS_WITH(bad, "no part of it", netcl_graph_compile(run.graph, &gaps, 1, &z, 1, NULL));
  OK(netcl_tensor_broadcast(x, 2, (int64_t[]){3, 4}, &wide));
  FAILS_WITH(bad, "elements of inputs[0] share",
             netcl_graph_compile(run.graph, &wide, 1, &z, 1, NULL));
  RELEASE(gaps, wide);
  FAILS_WITH(bad, "inputs[1] shares",
             netcl_graph_compile(run.graph, (netcl_tensor*[]){x, x}, 2, &z, 1, NULL));
  formula_into("v0 * 2", p, NULL, p, &run);
  FAILS_WITH(bad, "expression (call 2) writes to the memory of inputs[1]",
             netcl_graph_compile(run.graph, (netcl_tensor*[]){x, p}, 2, &z, 1, NULL));
  OK(netcl_graph_compile(run.graph, &x, 1, &z, 1, NULL));
  FAILS_WITH(bad, "is compiled", netcl_graph_compile(run.graph, &x, 1, &z, 1, NULL));
  FAILS_WITH(bad, "is compiled", netcl_op_copy(x, &run, &z));
  FAILS_WITH(bad, "is compiled",
             netcl_graph_add_gradients(
                 run.graph, &z, 1, &x, 1,
                 &(netcl_gradients_options){
                     .struct_size = sizeof(netcl_gradients_options), .seeds = &x, .seeds_count = 1},
                 &z));
  /* Runs that do not fit. */
  netcl_tensor *in = counting_vector(fixture, 4, 3), *out = counting_vector(fixture, 4, 0),
               *few = counting_vector(fixture, 3, 0);
  wide = NULL;
  OK(netcl_op_cast(in, NETCL_F64, NULL, &wide));
  FAILS_WITH(bad, "inputs_count is 0", netcl_graph_run(run.graph, NULL, 0, &out, 1, NULL));
  FAILS_WITH(bad, "outputs_count is 2",
             netcl_graph_run(run.graph, &in, 1, (netcl_tensor*[]){out, few}, 2, NULL));
  FAILS_WITH(bad, "inputs[0] has shape [3]", netcl_graph_run(run.graph, &few, 1, &out, 1, NULL));
  FAILS_WITH(bad, "outputs[0] has shape [3]", netcl_graph_run(run.graph, &in, 1, &few, 1, NULL));
  FAILS_WITH(bad, "inputs[0] is f64", netcl_graph_run(run.graph, &wide, 1, &out, 1, NULL));
  FAILS_WITH(bad, "inputs[0] is a value", netcl_graph_run(run.graph, &z, 1, &out, 1, NULL));
  FAILS_WITH(bad, "shares memory with inputs[0]", netcl_graph_run(run.graph, &in, 1, &in, 1, NULL));
  FAILS_WITH(bad, "inputs[0] shares memory with a tensor that the calls",
             netcl_graph_run(run.graph, &p, 1, &out, 1, NULL));
  FAILS_WITH(bad, "that the calls of the graph work with",
             netcl_graph_run(run.graph, &in, 1, &p, 1, NULL));
  netcl_run_options how = NETCL_RUN_OPTIONS_INIT;
  how.into = out;
  FAILS_WITH(bad, "run->into", netcl_graph_run(run.graph, &in, 1, &out, 1, &how));
  FAILS_WITH(bad, "run->graph", netcl_graph_run(run.graph, &in, 1, &out, 1, &tape));
  GIVES(out, 0, 1, 2, 3);
  OK(netcl_graph_run(run.graph, &in, 1, &out, 1, NULL));
  GIVES(out, 8, 12, 16, 20);
  OK(netcl_graph_clear(run.graph));
  FAILS_WITH(bad, "not compiled", netcl_graph_run(run.graph, &in, 1, &out, 1, NULL));
  netcl_tensor* stale = NULL;
  FAILS_WITH(bad, "calls that are cleared", netcl_op_copy(y, &run, &stale));
  RELEASE(y, z);
  y = formula("v0 - v1", x, p, &run);
  OK(netcl_graph_compile(run.graph, &x, 1, &y, 1, NULL));
  OK(netcl_graph_run(run.graph, &in, 1, &out, 1, NULL));
  GIVES(out, 1, 0, -1, -2);
  RELEASE(x, p, half, rest, eager, y, in, out, few, wide);
  netcl_graph_release(run.graph);
  netcl_graph_release(tape.graph);
}

/* What is joined and shared, and what is not. */
static void joins(void** state) {
  Fixture* fixture = *state;
  netcl_run_options run = captured_calls(fixture);
  netcl_tensor *x = counting_vector(fixture, 4, 1), *out = counting_vector(fixture, 4, 0),
               *chain[12];
  chain[0] = formula("v0 * 0.5", x, NULL, &run);
  for (int i = 1; i < 12; ++i) chain[i] = formula("tanh(v0) + 0.25", chain[i - 1], NULL, &run);
  OK(netcl_graph_compile(run.graph, &x, 1, &chain[11], 1, NULL));
  assert_int_equal(info_of(run.graph).step_count, 1);
  assert_int_equal(info_of(run.graph).planned_bytes, 0);
  assert_int_equal(info_of(run.graph).live_bytes, 2 * 16);
  netcl_run_options no = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor* wanted = formula("v0 * 0.5", x, NULL, &no);
  for (int i = 1; i < 12; ++i) formula_into("tanh(v0) + 0.25", wanted, NULL, wanted, &no);
  OK(netcl_graph_run(run.graph, &x, 1, &out, 1, NULL));
  float* values = read_tensor(wanted);
  CHECK_TENSOR(out, values);
  free(values);
  release_tensors(chain, 12);
  RELEASE(wanted);
  netcl_graph_release(run.graph);
  /* Equal calls, results that are read twice, and left alone by request. */
  for (int fuse = 0; fuse < 2; ++fuse) {
    run = captured_calls(fixture);
    netcl_graph_compile_options options = NETCL_GRAPH_COMPILE_OPTIONS_INIT;
    options.fuse = fuse ? NETCL_ON : NETCL_OFF;
    netcl_tensor *a = formula("exp(v0)", x, NULL, &run), *b = formula("exp(v0)", x, NULL, &run);
    netcl_tensor *c = sum_of(a, &run), *d = sum_of(b, &run);
    netcl_tensor* e = formula("v0 + v1", c, d, &run);
    netcl_tensor *f = formula("v0 - v1", a, e, &run), *result = counting_vector(fixture, 4, 0);
    OK(netcl_graph_compile(run.graph, &x, 1, &f, 1, &options));
    assert_int_equal(info_of(run.graph).step_count, fuse ? 4 : 6);
    OK(netcl_graph_run(run.graph, &x, 1, &result, 1, NULL));
    const double s = 2 * (exp(1) + exp(2) + exp(3) + exp(4));
    GIVES(result, exp(1) - s, exp(2) - s, exp(3) - s, exp(4) - s);
    char text[2048];
    OK(netcl_graph_explain(run.graph, NETCL_GRAPH_FORMAT_TEXT, text, sizeof text, NULL));
    if (fuse) check_message_in(text, "stored because reduce reads it");
    RELEASE(a, b, c, d, e, f, result);
    netcl_graph_release(run.graph);
  }
  RELEASE(x, out);
}

static netcl_status explain(void* graph, char* buffer, size_t capacity, size_t* length) {
  return netcl_graph_explain(graph, NETCL_GRAPH_FORMAT_TEXT, buffer, capacity, length);
}

static void explains(void** state) {
  Fixture* fixture = *state;
  netcl_run_options run = captured_calls(fixture);
  char text[4096];
  netcl_tensor *x = counting_vector(fixture, 4, 1), *y = formula("v0 + 1", x, NULL, &run);
  netcl_tensor* z = sum_of(y, &run);
  OK(netcl_graph_explain(run.graph, NETCL_GRAPH_FORMAT_TEXT, text, sizeof text, NULL));
  check_message_in(text, "capture on ");
  check_message_in(text, "2 calls\n");
  check_message_in(text, "expression v0 + 1: tensor 0 f32 [4] -> value 0 f32 [4]");
  OK(netcl_graph_compile(run.graph, &x, 1, &z, 1, NULL));
  char* whole = check_text_rules("netcl_graph_explain", explain, run.graph);
  check_message_in(whole, "2 steps, 2 commands, 16 bytes planned of 16 live");
  check_message_in(whole, "reduce: value 0 f32 [4] at 0 -> output 0 f32 []");
  free(whole);
  OK(netcl_graph_explain(run.graph, NETCL_GRAPH_FORMAT_JSON, text, sizeof text, NULL));
  check_message_in(text, "\"commands\":2");
  OK(netcl_graph_explain(run.graph, NETCL_GRAPH_FORMAT_DOT, text, sizeof text, NULL));
  check_message_in(text, "\"input 0\" -> step0");
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "format is 3",
             netcl_graph_explain(run.graph, 3, text, sizeof text, NULL));
  RELEASE(x, y, z);
  netcl_graph_release(run.graph);
}

/* Kernels of the caller, with scalars that are gone when it runs. */
static void launches(void** state) {
  Fixture* fixture = *state;
  if (!fixture->opencl) SKIP("custom kernels need an OpenCL device");
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  options.source =
      "__kernel void scaled(__global float *y, __global const float *x, float by) {"
      "  y[get_global_id(0)] = x[get_global_id(0)] * by; }";
  netcl_kernel* kernel = NULL;
  OK(netcl_kernel_create(fixture->device, "scaled", &options, &kernel));
  netcl_run_options run = captured_calls(fixture);
  netcl_tensor *x = counting_vector(fixture, 8, 1), *in = counting_vector(fixture, 8, 2),
               *out = counting_vector(fixture, 8, 0);
  netcl_tensor *a = formula("v0 + 1", x, NULL, &run), *b = formula("v0 * 0", x, NULL, &run);
  float by = 3;
  const uint64_t size = 8;
  netcl_arg args[3] = {{.kind = NETCL_ARG_TENSOR, .tensor = b},
                       {.kind = NETCL_ARG_TENSOR_READ_ONLY, .tensor = a},
                       {.kind = NETCL_ARG_DATA, .data = &by, .size = sizeof by}};
  OK(netcl_kernel_launch(kernel, &size, 1, NULL, 0, args, 3, NULL, &run));
  /* What a launch refuses is refused when it is recorded. */
  netcl_tensor *odd = NULL, *odd_value = NULL;
  OK(netcl_tensor_slice(in, (netcl_range[]){{1, 7, 1}}, 1, &odd));
  OK(netcl_tensor_slice(a, (netcl_range[]){{1, 7, 1}}, 1, &odd_value));
  const uint64_t calls = call_count(run.graph);
  netcl_arg wrong[3] = {args[0], args[1], args[2]};
  wrong[0].tensor = out;
  wrong[1].tensor = odd;
  const netcl_status status = netcl_kernel_launch(kernel, &size, 1, NULL, 0, wrong, 3, NULL, NULL);
  wrong[0].tensor = b;
  wrong[1].tensor = odd_value;
  FAILS(status, netcl_kernel_launch(kernel, &size, 1, NULL, 0, wrong, 3, NULL, &run));
  assert_int_not_equal(status, NETCL_OK);
  assert_int_equal(call_count(run.graph), calls);
  RELEASE(odd, odd_value);
  by = 100;
  netcl_tensor* c = formula("v0 - 1", b, NULL, &run);
  OK(netcl_graph_compile(run.graph, &x, 1, &c, 1, NULL));
  netcl_kernel_release(kernel);
  for (int pass = 0; pass < 2; ++pass) {
    OK(netcl_graph_run(run.graph, &in, 1, &out, 1, NULL));
    GIVES(out, 8, 11, 14, 17, 20, 23, 26, 29);
  }
  RELEASE(x, in, out, a, b, c);
  netcl_graph_release(run.graph);
}

int main(void) {
  seed_random("graph_capture");
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(runs),       DEVICE_TEST(layouts),
      DEVICE_TEST(no_content), DEVICE_TEST(wrong_interfaces),
      DEVICE_TEST(joins),      DEVICE_TEST(explains),
      DEVICE_TEST(launches),   DEVICE_TEST(as_kernels),
      DEVICE_TEST(inputs_of_empty_values),
  };
  return cmocka_run_group_tests_name("graph_capture", tests, NULL, NULL);
}
