/* Calls with run->waits do nothing before these events, which a gate holds back here: one call of
 * each way in which ops, graphs and launches get to a queue. */
#include "support_gate_cl.h"
#include "support_graph.h"

enum { COUNT = 24 };

typedef struct Case {
  netcl_tensor *x, *y, *state, *square_state, *step, *matrix;
  netcl_kernel* kernel;
  netcl_graph* graph;
  netcl_tensor* output;
  netcl_tensor* made[2];
} Case;

static netcl_status expression_text(Case* c, const netcl_run_options* run) {
  return netcl_op_expression_text("v0 + 1", &c->x, 1, NULL, run, &c->made[0]);
}
static netcl_status expressions(Case* c, const netcl_run_options* run) {
  static const char* const kTwo[] = {"v0 + 1", "v0 - 1"};
  return netcl_op_expressions(kTwo, 2, &c->x, 1, NULL, run, c->made);
}
static netcl_status reduce(Case* c, const netcl_run_options* run) {
  return netcl_op_reduce(c->x, NETCL_REDUCTION_SUM, NULL, run, &c->made[0]);
}
static netcl_status matmul(Case* c, const netcl_run_options* run) {
  return netcl_op_matmul(c->matrix, c->matrix, NULL, run, &c->made[0]);
}
static netcl_status topk(Case* c, const netcl_run_options* run) {
  return netcl_op_topk(c->x, 3, 0, NULL, run, &c->made[0], &c->made[1]);
}
static netcl_status adam(Case* c, const netcl_run_options* run) {
  return netcl_op_adam(&c->y, 1, &c->x, 1, &c->state, 1, &c->square_state, 1, c->step, 0.1, NULL,
                       run);
}
static netcl_status clip(Case* c, const netcl_run_options* run) {
  return netcl_op_clip_by_norm(&c->y, 1, 1, run, &c->made[0]);
}
static netcl_status fill_op(Case* c, const netcl_run_options* run) {
  const float three = 3;
  return netcl_op_fill(c->y, &three, run);
}
static netcl_status launch(Case* c, const netcl_run_options* run) {
  const uint64_t size = COUNT;
  const netcl_arg args[2] = {{.kind = NETCL_ARG_TENSOR_READ_ONLY, .tensor = c->x},
                             {.kind = NETCL_ARG_TENSOR, .tensor = c->y}};
  return netcl_kernel_launch(c->kernel, &size, 1, NULL, 0, args, 2, NULL, run);
}
static netcl_status graph_run(Case* c, const netcl_run_options* run) {
  return netcl_graph_run(c->graph, &c->x, 1, &c->output, 1, run);
}

static const struct {
  const char* name;
  netcl_status (*call)(Case* c, const netcl_run_options* run);
} kCalls[] = {{"expression_text", expression_text},
              {"expressions", expressions},
              {"reduce", reduce},
              {"matmul", matmul},
              {"topk", topk},
              {"adam", adam},
              {"clip_by_norm", clip},
              {"fill", fill_op},
              {"launch", launch},
              {"graph_run", graph_run}};

static Case make_case(Fixture* fixture) {
  static const char kSource[] =
      "__kernel void k(__global const float *in, __global float *out) {\n"
      "  out[get_global_id(0)] = 2.0f * in[get_global_id(0)];\n"
      "}\n";
  Case c;
  memset(&c, 0, sizeof c);
  const int64_t none = 0, square[2] = {4, COUNT / 4};
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_run_options run = captured_calls(fixture);
  netcl_tensor* line = zeros(fixture->device, 16);
  c.x = counting_vector(fixture, COUNT, 1);
  c.y = counting_vector(fixture, COUNT, 2);
  c.state = zeros(fixture->device, COUNT);
  c.square_state = zeros(fixture->device, COUNT);
  c.output = zeros(fixture->device, COUNT);
  c.step = make_tensor(fixture->device, NETCL_I64, 0, NULL, &none);
  OK(netcl_tensor_reshape(line, 2, (const int64_t[]){square[0], square[0]}, NULL, &c.matrix));
  netcl_tensor_release(line);
  options.source = kSource;
  OK(netcl_kernel_create(fixture->device, "k", &options, &c.kernel));
  netcl_tensor* value = formula("v0 * 3", c.x, NULL, &run);
  OK(netcl_graph_compile(run.graph, &c.x, 1, &value, 1, NULL));
  netcl_tensor_release(value);
  c.graph = run.graph;
  return c;
}

static void release_made(Case* c) {
  RELEASE(c->made[0], c->made[1]);
  memset(c->made, 0, sizeof c->made);
}

/* Each call comes more than once: what is kept of the first ones waits too. */
static void every_call(void** state) {
  Fixture* fixture = *state;
  NEEDS_OPENCL(fixture);
  Case c = make_case(fixture);
  for (size_t i = 0; i < COUNT_OF(kCalls); ++i) {
    for (int pass = 0; pass < 4; ++pass) {
      /* Nothing else may be what the call waits for. */
      settle(fixture);
      netcl_event* done = NULL;
      const Gate gate = make_gate(fixture);
      netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
      run.waits = &gate.event;
      run.waits_count = 1;
      run.event = &done;
      OK(kCalls[i].call(&c, &run));
      const netcl_status early = netcl_event_wait(done, 30 * MS);
      CHECK(early == NETCL_ERROR_TIMEOUT, "%s, pass %d: %s before the event that it waits for",
            kCalls[i].name, pass, netcl_status_name(early));
      open_gate(gate);
      OK(netcl_event_wait(done, LONG_WAIT));
      netcl_event_release(done);
      drop_gate(gate);
      release_made(&c);
    }
  }
  RELEASE(c.x, c.y, c.state, c.square_state, c.output, c.step, c.matrix);
  netcl_kernel_release(c.kernel);
  netcl_graph_release(c.graph);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      GATE_TEST(every_call),
      DEVICE_TEST(as_kernels),
  };
  return cmocka_run_group_tests_name("waits_cl", tests, NULL, NULL);
}
