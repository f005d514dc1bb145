/*
 * Compiled graphs beside the same calls one by one.
 *
 *   bench_graph [selector] [rounds] [log2 of the chain's elements]
 *
 * small   30 calls on 64 elements: 20 elementwise ones, each of which two others read, and 10
 *         products with an 8 x 8 matrix
 * chain   12 elementwise calls over 2^26 elements and the gradient of their sum
 * loss    the same where the sum is wanted too
 * values  where the result of the calls is wanted too, and not the sum
 * step    a training step of a 784-256-10 perceptron, batch 64, with its updates
 * slices  runs of one layer of it whose batch is a view of a larger tensor: always the same view,
 *         and 64 views in turn, which overlap so that both sides read what lies in the caches
 *
 * Sides alternate; the figures are medians of the rounds. The share is that of a copy that moves
 * the bytes that have to move: for the chain its input read twice and the gradient written, and in
 * brackets its input read once, which one kernel can do.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "netcl.h"
#include "support_clock.h"
#include "support_median.h"

static netcl_device* device;
static netcl_queue* queue;

static netcl_tensor* matrix(int64_t rows, int64_t columns) {
  netcl_tensor* made = NULL;
  netcl_random_options options = NETCL_RANDOM_OPTIONS_INIT;
  options.low = -0.1;
  options.high = 0.1;
  CHECK(netcl_tensor_create_random(device, NETCL_F32, 2, (int64_t[]){rows, columns}, NULL, &options,
                                   NULL, &made));
  return made;
}

static netcl_tensor* formula(const char* text, netcl_tensor* a, netcl_tensor* b,
                             const netcl_run_options* run) {
  netcl_tensor* made = NULL;
  CHECK(
      netcl_op_expression_text(text, (netcl_tensor*[]){a, b}, b == NULL ? 1 : 2, NULL, run, &made));
  return made;
}

/* What a side goes through: with a graph that records, or without. */
typedef struct Work {
  const char* name;
  int calls; /* in a row */
  netcl_tensor* inputs[2];
  int inputs_count;
  netcl_tensor* parameters[4];
  netcl_tensor* (*build)(struct Work* work, const netcl_run_options* run);
  int wants;          /* of a chain, beside the gradient: 1 the sum, 2 the values */
  netcl_tensor* more; /* that build() gave, or NULL */
} Work;

static netcl_tensor* build_small(Work* work, const netcl_run_options* run) {
  netcl_tensor *x = work->inputs[0], *all[31];
  all[0] = formula("v0 * 0.5", x, NULL, run);
  for (int i = 1; i < 30; ++i) {
    if (i % 3 == 0) {
      CHECK(netcl_op_matmul(all[i - 1], work->parameters[0], NULL, run, &all[i]));
    } else {
      all[i] = formula("tanh(v0) + v1", all[i - 1], all[i > 1 ? i - 2 : 0], run);
    }
  }
  for (int i = 0; i < 29; ++i) netcl_tensor_release(all[i]);
  return all[29];
}

static netcl_tensor* gradients_of(netcl_tensor* loss, netcl_tensor* const* inputs, uint32_t count,
                                  const netcl_run_options* run, netcl_tensor** gradients,
                                  uint32_t consume) {
  netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  options.consume = consume;
  CHECK(netcl_graph_add_gradients(run->graph, &loss, 1, inputs, count, &options, gradients));
  return gradients[0];
}

static int g_captures; /* the graph of the run is a capture */

static netcl_tensor* build_chain(Work* work, const netcl_run_options* run) {
  netcl_tensor *value = formula("v0 * 0.5", work->inputs[0], NULL, run), *loss = NULL, *gradient;
  for (int i = 1; i < 12; ++i) {
    netcl_tensor* next =
        formula(i % 2 ? "v0 * v0 + 0.25 * v0" : "relu(v0) * 0.9 + 0.01", value, NULL, run);
    netcl_tensor_release(value);
    value = next;
  }
  CHECK(netcl_op_reduce(value, NETCL_REDUCTION_SUM, NULL, run, &loss));
  gradients_of(loss, work->inputs, 1, run, &gradient, !g_captures);
  if (work->wants > 0) {
    work->more = work->wants == 1 ? loss : value;
    CHECK(netcl_tensor_retain(work->more));
  }
  netcl_tensor_release(value);
  netcl_tensor_release(loss);
  return gradient;
}

static netcl_tensor* build_step(Work* work, const netcl_run_options* run) {
  netcl_tensor **p = work->parameters, *hidden = NULL, *scores = NULL, *loss = NULL, *gradients[4];
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  options.epilogue = &epilogue;
  epilogue.bias = p[1];
  epilogue.activation = NETCL_ACTIVATION_RELU;
  CHECK(netcl_op_matmul(work->inputs[0], p[0], &options, run, &hidden));
  epilogue.bias = p[3];
  epilogue.activation = NETCL_ACTIVATION_NONE;
  CHECK(netcl_op_matmul(hidden, p[2], &options, run, &scores));
  CHECK(netcl_op_cross_entropy(scores, work->inputs[1], 1, NULL, run, &loss));
  gradients_of(loss, p, 4, run, gradients, !g_captures);
  for (int i = 0; i < 4; ++i) {
    netcl_run_options into = *run;
    into.into = p[i];
    if (!g_captures) into.graph = NULL;
    CHECK(netcl_op_expression_text("v0 - 0.01 * v1", (netcl_tensor*[]){p[i], gradients[i]}, 2, NULL,
                                   &into, NULL));
    netcl_tensor_release(gradients[i]);
  }
  netcl_tensor_release(hidden);
  netcl_tensor_release(scores);
  return loss;
}

static double eager(Work* work, netcl_graph* tape) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  if (work->build != build_small) run.graph = tape;
  g_captures = 0;
  const double start = now();
  for (int i = 0; i < work->calls; ++i) {
    netcl_tensor_release(work->build(work, &run));
    netcl_tensor_release(work->more);
  }
  CHECK(netcl_queue_finish(queue, NETCL_WAIT_FOREVER));
  return (now() - start) / work->calls;
}

static double compiled(Work* work, netcl_graph* graph, netcl_tensor* const* outputs) {
  const uint32_t count = outputs[1] == NULL ? 1 : 2;
  const double start = now();
  for (int i = 0; i < work->calls; ++i) {
    CHECK(netcl_graph_run(graph, work->inputs, (uint32_t)work->inputs_count, outputs, count, NULL));
  }
  CHECK(netcl_queue_finish(queue, NETCL_WAIT_FOREVER));
  return (now() - start) / work->calls;
}

static double copy_time(int64_t count, int rounds) {
  netcl_tensor *from = matrix(1, count), *to = matrix(1, count);
  double* times = malloc((size_t)rounds * sizeof *times);
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.into = to;
  for (int i = 0; i < rounds; ++i) {
    const double start = now();
    CHECK(netcl_op_copy(from, &run, NULL));
    CHECK(netcl_queue_finish(queue, NETCL_WAIT_FOREVER));
    times[i] = now() - start;
  }
  const double time = median(times, rounds);
  free(times);
  netcl_tensor_release(from);
  netcl_tensor_release(to);
  return time;
}

/* `copy` is the time of a copy of the work's input, which reads it and writes as much. */
static void measure(Work* work, int rounds, double copy) {
  netcl_graph *tape = NULL, *graph = NULL;
  netcl_graph_options options = NETCL_GRAPH_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_graph_info info = NETCL_GRAPH_INFO_INIT;
  netcl_tensor* outputs[2] = {NULL, NULL};
  options.execute = NETCL_OFF;
  CHECK(netcl_graph_create(device, NULL, &tape));
  CHECK(netcl_graph_create(device, &options, &graph));
  run.graph = graph;
  g_captures = 1;
  work->more = NULL;
  netcl_tensor* const result = work->build(work, &run);
  netcl_tensor* const results[2] = {result, work->more};
  const double start = now();
  CHECK(netcl_graph_compile(graph, work->inputs, (uint32_t)work->inputs_count, results,
                            work->more == NULL ? 1 : 2, NULL));
  const double compile = now() - start;
  CHECK(netcl_graph_get_info(graph, &info));
  for (int i = 0; i < 2 && results[i] != NULL; ++i) {
    netcl_tensor_info shape = NETCL_TENSOR_INFO_INIT;
    CHECK(netcl_tensor_get_info(results[i], &shape));
    CHECK(
        netcl_tensor_create(device, shape.dtype, shape.rank, shape.shape, NULL, NULL, &outputs[i]));
  }
  double *a = malloc((size_t)rounds * sizeof *a), *b = malloc((size_t)rounds * sizeof *b);
  eager(work, tape);
  compiled(work, graph, outputs);
  for (int i = 0; i < rounds; ++i) {
    a[i] = eager(work, tape);
    b[i] = compiled(work, graph, outputs);
  }
  const double one = median(a, rounds), all = median(b, rounds);
  printf(
      "%-6s %3d calls, %3d steps: eager %10.2f us, graph %10.2f us, ratio %5.2f, compiled in "
      "%.1f ms",
      work->name, (int)info.call_count, (int)info.step_count, one * 1e6, all * 1e6, one / all,
      compile * 1e3);
  if (copy > 0) printf(", share of a copy %.2f (%.2f)", 1.5 * copy / all, copy / all);
  printf("\n");
  free(a);
  free(b);
  for (int i = 0; i < 2; ++i) {
    netcl_tensor_release(results[i]);
    netcl_tensor_release(outputs[i]);
  }
  netcl_graph_release(tape);
  netcl_graph_release(graph);
}

static void measure_slices(int rounds) {
  enum { VIEWS = 64, BATCH = 64 };
  netcl_graph_options options = NETCL_GRAPH_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *all = matrix(VIEWS + BATCH, 784), *w = matrix(784, 16), *views[VIEWS], *y = NULL,
               *out = matrix(BATCH, 16);
  for (int i = 0; i < VIEWS; ++i) {
    const netcl_range range[2] = {{i, BATCH, 1}, {0, 784, 1}};
    CHECK(netcl_tensor_slice(all, range, 2, &views[i]));
  }
  options.execute = NETCL_OFF;
  CHECK(netcl_graph_create(device, &options, &run.graph));
  CHECK(netcl_op_matmul(views[0], w, NULL, &run, &y));
  CHECK(netcl_graph_compile(run.graph, views, 1, &y, 1, NULL));
  double* times[2];
  for (int side = 0; side < 2; ++side) times[side] = malloc((size_t)rounds * sizeof(double));
  for (int i = 0; i < 2 * rounds; ++i) {
    const double start = now();
    for (int k = 0; k < 4 * VIEWS; ++k) {
      CHECK(netcl_graph_run(run.graph, &views[i % 2 == 0 ? 0 : k % VIEWS], 1, &out, 1, NULL));
    }
    CHECK(netcl_queue_finish(queue, NETCL_WAIT_FOREVER));
    times[i % 2][i / 2] = (now() - start) / (4 * VIEWS);
  }
  printf("slices: one view %.2f us a run, %d views in turn %.2f us\n",
         1e6 * median(times[0], rounds), VIEWS, 1e6 * median(times[1], rounds));
  for (int side = 0; side < 2; ++side) free(times[side]);
  for (int i = 0; i < VIEWS; ++i) netcl_tensor_release(views[i]);
  netcl_tensor* const rest[] = {all, w, y, out};
  for (size_t i = 0; i < sizeof rest / sizeof *rest; ++i) netcl_tensor_release(rest[i]);
  netcl_graph_release(run.graph);
}

int main(int argc, char** argv) {
  argc = take_clock(argc, argv);
  const int rounds = argc > 2 ? atoi(argv[2]) : 15;
  CHECK(netcl_device_open(argc > 1 ? argv[1] : "auto", NULL, &device));
  CHECK(netcl_device_get_queue(device, &queue));
  Work small = {"small", 200, {matrix(8, 8)}, 1, {matrix(8, 8)}, build_small, 0, NULL};
  measure(&small, rounds, 0);
  measure_slices(rounds);
  const int64_t count = (int64_t)1 << (argc > 3 ? atoi(argv[3]) : 26);
  Work chain = {"chain", 1, {matrix(1, count)}, 1, {NULL}, build_chain, 0, NULL};
  measure(&chain, rounds, copy_time(count, rounds));
  chain.name = "loss";
  chain.wants = 1;
  measure(&chain, rounds, 0);
  chain.name = "values";
  chain.wants = 2;
  measure(&chain, rounds, 0);
  int32_t labels[64];
  netcl_tensor* classes = NULL;
  for (int i = 0; i < 64; ++i) labels[i] = i * 7 % 10;
  CHECK(netcl_tensor_create_from_host(device, NETCL_I32, 1, (int64_t[]){64}, NULL, labels,
                                      sizeof labels, NULL, &classes));
  netcl_tensor *b1 = matrix(1, 256), *b2 = matrix(1, 10), *bias[2] = {NULL, NULL};
  CHECK(netcl_tensor_reshape(b1, 1, (int64_t[]){256}, NULL, &bias[0]));
  CHECK(netcl_tensor_reshape(b2, 1, (int64_t[]){10}, NULL, &bias[1]));
  Work step = {"step",
               20,
               {matrix(64, 784), classes},
               2,
               {matrix(784, 256), bias[0], matrix(256, 10), bias[1]},
               build_step,
               0,
               NULL};
  measure(&step, rounds, 0);
  netcl_tensor_release(b1);
  netcl_tensor_release(b2);
  Work* const all[] = {&small, &chain, &step};
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 2; ++k) netcl_tensor_release(all[i]->inputs[k]);
    for (int k = 0; k < 4; ++k) netcl_tensor_release(all[i]->parameters[k]);
  }
  netcl_device_release(device);
  return 0;
}
