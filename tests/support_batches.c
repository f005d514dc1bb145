#include "support_batches.h"

#include <stdio.h>

static char* explained(netcl_graph* graph, netcl_graph_format format) {
  size_t length = 0;
  OK(netcl_graph_explain(graph, format, NULL, 0, &length));
  char* text = malloc(length + 64);
  OK(netcl_graph_explain(graph, format, text, length + 64, NULL));
  return text;
}

int64_t batch_number(netcl_graph* graph, const char* name) {
  char* text = explained(graph, NETCL_GRAPH_FORMAT_JSON);
  char wanted[64];
  snprintf(wanted, sizeof wanted, "\"%s\"", name);
  const char* at = strstr(text, "\"command_buffers\"");
  CHECK(at != NULL, "no command_buffers in\n%s", text);
  at = strstr(at, wanted);
  CHECK(at != NULL, "no %s in\n%s", wanted, text);
  const int64_t number = strtoll(strchr(at, ':') + 1, NULL, 10);
  free(text);
  return number;
}

int batches_told(netcl_graph* graph, const char* wanted) {
  char* text = explained(graph, NETCL_GRAPH_FORMAT_TEXT);
  const char* at = strstr(text, "command buffers: ");
  const int told = at != NULL && strstr(at, wanted) != NULL;
  free(text);
  return told;
}

void check_batches_told(netcl_graph* graph, const char* wanted) {
  static const netcl_graph_format kFormats[] = {NETCL_GRAPH_FORMAT_TEXT, NETCL_GRAPH_FORMAT_JSON,
                                                NETCL_GRAPH_FORMAT_DOT};
  for (size_t i = 0; i < COUNT_OF(kFormats); ++i) {
    char* text = explained(graph, kFormats[i]);
    const char* at =
        strstr(text, i == 1 ? "\"command_buffers\"" : "command buffers: ");
    CHECK(at != NULL && strstr(at, wanted) != NULL, "format %d: \"%s\" is not in\n%s", (int)i,
          wanted, text);
    free(text);
  }
}

void batch_case(Fixture* fixture, BatchCase* made) {
  static const char kSource[] =
      "__kernel void k(__global const float *in, __global float *out) {\n"
      "  out[get_global_id(0)] = 2.0f * in[get_global_id(0)] + 1.0f;\n"
      "}\n";
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_run_options run = captured_calls(fixture);
  const uint64_t size = kBatchItems;
  memset(made, 0, sizeof *made);
  made->graph = run.graph;
  options.source = kSource;
  OK(netcl_kernel_create(fixture->device, "k", &options, &made->kernel));
  made->input = batch_input(fixture, 0);
  netcl_tensor* from = made->input;
  for (int i = 0; i < kBatchSteps; ++i) {
    made->steps[i] = batch_input(fixture, -1);
    const netcl_arg args[2] = {{.kind = NETCL_ARG_TENSOR_READ_ONLY, .tensor = from},
                               {.kind = NETCL_ARG_TENSOR, .tensor = made->steps[i]}};
    OK(netcl_kernel_launch(made->kernel, &size, 1, NULL, 0, args, 2, NULL, &run));
    from = made->steps[i];
  }
  OK(netcl_op_copy(from, &run, &made->output));
  OK(netcl_graph_compile(made->graph, &made->input, 1, &made->output, 1, NULL));
}

void batch_case_free(BatchCase* made) {
  for (int i = 0; i < kBatchSteps; ++i) netcl_tensor_release(made->steps[i]);
  netcl_tensor_release(made->input);
  netcl_tensor_release(made->output);
  netcl_kernel_release(made->kernel);
  netcl_graph_release(made->graph);
}

netcl_tensor* batch_input(Fixture* fixture, double first) {
  return counting_vector(fixture, kBatchItems, first);
}

netcl_status batch_run(const BatchCase* made, netcl_tensor* input, netcl_tensor* output,
                       const netcl_run_options* run) {
  return netcl_graph_run(made->graph, &input, 1, &output, 1, run);
}

void check_batch_output(netcl_tensor* output, double first, const char* what, int which) {
  float* data = read_tensor(output);
  for (int i = 0; i < kBatchItems; ++i) {
    double wanted = first + i;
    for (int k = 0; k < kBatchSteps; ++k) wanted = 2 * wanted + 1;
    CHECK(data[i] == (float)wanted, "%s %d: [%d] is %g, not %g", what, which, i, data[i], wanted);
  }
  free(data);
}

void batch_until_kept(const BatchCase* made, netcl_tensor* input, netcl_tensor* output) {
  const int64_t before = batch_number(made->graph, "runs");
  for (int i = 0; i < 20 && batch_number(made->graph, "runs") == before; ++i) {
    OK(batch_run(made, input, output, NULL));
  }
  CHECK(batch_number(made->graph, "runs") > before, "no run enqueued what the driver keeps");
}

netcl_graph* fill_case(Fixture* fixture, const BatchCase* made, netcl_tensor** filled,
                       netcl_tensor** last) {
  netcl_run_options run = captured_calls(fixture);
  const uint64_t size = kBatchItems;
  const float seven = 7;
  netcl_tensor* first = made->steps[0];
  *filled = batch_input(fixture, 0);
  *last = batch_input(fixture, 0);
  const netcl_arg there[2] = {{.kind = NETCL_ARG_TENSOR_READ_ONLY, .tensor = *last},
                              {.kind = NETCL_ARG_TENSOR, .tensor = first}},
                  back[2] = {{.kind = NETCL_ARG_TENSOR_READ_ONLY, .tensor = *filled},
                             {.kind = NETCL_ARG_TENSOR, .tensor = *last}};
  OK(netcl_kernel_launch(made->kernel, &size, 1, NULL, 0, there, 2, NULL, &run));
  OK(netcl_op_fill(*filled, &seven, &run));
  OK(netcl_kernel_launch(made->kernel, &size, 1, NULL, 0, back, 2, NULL, &run));
  OK(netcl_graph_compile(run.graph, NULL, 0, NULL, 0, NULL));
  return run.graph;
}

void run_fill_case(netcl_graph* graph, netcl_tensor* filled, netcl_tensor* last, int pass) {
  const float other = (float)pass;
  OK(netcl_op_fill(filled, &other, NULL));
  OK(netcl_graph_run(graph, NULL, 0, NULL, 0, NULL));
  netcl_tensor* const both[2] = {filled, last};
  for (int k = 0; k < 2; ++k) {
    float* got = read_tensor(both[k]);
    for (int i = 0; i < kBatchItems; ++i) {
      CHECK(got[i] == (k == 0 ? 7 : 15), "pass %d, tensor %d: [%d] is %g", pass, k, i, got[i]);
    }
    free(got);
  }
}

void check_fills_are_kept(Fixture* fixture, const BatchCase* made) {
  netcl_tensor *filled = NULL, *last = NULL;
  netcl_graph* graph = fill_case(fixture, made, &filled, &last);
  assert_int_equal(batch_number(graph, "commands"), 3);
  assert_int_equal(batch_number(graph, "count"), 1);
  for (int pass = 0; pass < 10; ++pass) run_fill_case(graph, filled, last, pass);
  const int64_t runs = batch_number(graph, "runs");
  CHECK(runs >= 7, "%d of 10 runs", (int)runs);
  RELEASE(filled, last);
  netcl_graph_release(graph);
}
