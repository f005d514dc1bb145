/*
 * Cross entropy, and with its gradient, beside what it is made of otherwise: log_softmax,
 * gather_elements, the mean and a sign.
 *
 *   bench_loss [selector] [rounds]
 *
 * Rows of f32 scores with i32 labels, the mean of the losses. Sides alternate; the figures are the
 * best of the rounds. The share is that of the bytes that have to move (scores read; with the
 * gradient also read again and written) at the rate at which netcl sums, or copies, 256 MiB.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "netcl.h"
#include "support_clock.h"

static netcl_device* device;
static netcl_queue* queue;
static netcl_tensor *x, *labels;
static netcl_graph* graph;

static netcl_tensor* fused(const netcl_run_options* run) {
  netcl_tensor* loss = NULL;
  CHECK(netcl_op_cross_entropy(x, labels, 1, NULL, run, &loss));
  return loss;
}

static netcl_tensor* composed(const netcl_run_options* run) {
  netcl_tensor *logarithms = NULL, *right = NULL, *mean = NULL, *loss = NULL, *places = NULL;
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  CHECK(netcl_tensor_get_info(labels, &info));
  const int64_t shape[2] = {info.shape[0], 1};
  CHECK(netcl_tensor_reshape(labels, 2, shape, NULL, &places));
  CHECK(netcl_op_log_softmax(x, 1, run, &logarithms));
  CHECK(netcl_op_gather_elements(logarithms, places, 1, run, &right));
  CHECK(netcl_op_reduce(right, NETCL_REDUCTION_MEAN, NULL, run, &mean));
  CHECK(netcl_op_expression_text("-v0", &mean, 1, NULL, run, &loss));
  netcl_tensor_release(places);
  netcl_tensor_release(logarithms);
  netcl_tensor_release(right);
  netcl_tensor_release(mean);
  return loss;
}

typedef netcl_tensor* (*Loss)(const netcl_run_options* run);

/* Seconds of one call, of `calls` in a row. */
static double time_calls(Loss loss, int gradient, int calls) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  options.consume = 1;
  if (gradient) run.graph = graph;
  const double start = now();
  for (int i = 0; i < calls; ++i) {
    netcl_tensor *value = loss(&run), *grad = NULL;
    if (gradient) CHECK(netcl_graph_add_gradients(graph, &value, 1, &x, 1, &options, &grad));
    if (gradient) CHECK(netcl_graph_clear(graph));
    netcl_tensor_release(grad);
    netcl_tensor_release(value);
  }
  CHECK(netcl_queue_finish(queue, NETCL_WAIT_FOREVER));
  return (now() - start) / calls;
}

/* Bytes per second of a sum, and of a copy with both its sides counted. */
static void rates(double* read, double* copied) {
  static const int64_t kCount = 1 << 26;
  netcl_tensor *from = NULL, *to = NULL, *sum = NULL;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  CHECK(netcl_tensor_create_random(device, NETCL_F32, 1, &kCount, NULL, NULL, NULL, &from));
  CHECK(netcl_op_copy(from, NULL, &to));
  CHECK(netcl_op_reduce(from, NETCL_REDUCTION_SUM, NULL, NULL, &sum));
  double best[2] = {1e9, 1e9};
  for (int round = 0; round < 7; ++round) {
    for (int side = 0; side < 2; ++side) {
      run.into = side == 0 ? sum : to;
      const double start = now();
      if (side == 0) CHECK(netcl_op_reduce(from, NETCL_REDUCTION_SUM, NULL, &run, NULL));
      if (side == 1) CHECK(netcl_op_copy(from, &run, NULL));
      CHECK(netcl_queue_finish(queue, NETCL_WAIT_FOREVER));
      const double time = now() - start;
      if (time < best[side]) best[side] = time;
    }
  }
  *read = 4.0 * (double)kCount / best[0];
  *copied = 8.0 * (double)kCount / best[1];
  netcl_tensor_release(from);
  netcl_tensor_release(to);
  netcl_tensor_release(sum);
}

int main(int argc, char** argv) {
  argc = take_clock(argc, argv);
  static const int64_t kShapes[][2] = {{4096, 1000}, {512, 50257}, {64, 10}};
  const int rounds = argc > 2 ? atoi(argv[2]) : 15;
  double read, copied;
  CHECK(netcl_device_open(argc > 1 ? argv[1] : "auto", NULL, &device));
  CHECK(netcl_device_get_queue(device, &queue));
  CHECK(netcl_graph_create(device, NULL, &graph));
  rates(&read, &copied);
  printf("a sum reads %.1f GB/s, a copy moves %.1f\n", read * 1e-9, copied * 1e-9);
  for (size_t i = 0; i < sizeof kShapes / sizeof *kShapes; ++i) {
    const int64_t rows = kShapes[i][0], classes = kShapes[i][1];
    const double bytes = 4.0 * (double)rows * (double)classes;
    const int calls = bytes > 1e6 ? 2 : 2000;
    int32_t* label = malloc((size_t)rows * sizeof *label);
    for (int64_t k = 0; k < rows; ++k) label[k] = (int32_t)(k * 7919 % classes);
    CHECK(netcl_tensor_create_random(device, NETCL_F32, 2, kShapes[i], NULL, NULL, NULL, &x));
    CHECK(netcl_tensor_create_from_host(device, NETCL_I32, 1, &rows, NULL, label,
                                        (size_t)rows * sizeof *label, NULL, &labels));
    for (int gradient = 0; gradient < 2; ++gradient) {
      double best[2] = {1e9, 1e9};
      for (int round = 0; round < rounds; ++round) {
        for (int side = 0; side < 2; ++side) {
          const double time = time_calls(side == 0 ? fused : composed, gradient, calls);
          if (time < best[side]) best[side] = time;
        }
      }
      const double least = gradient ? bytes / read + 2 * bytes / copied : bytes / read;
      printf("%5lld x %5lld, %-12s %10.2f us, composed %10.2f us, ratio %5.2f, share %.2f\n",
             (long long)rows, (long long)classes, gradient ? "and gradient" : "loss", best[0] * 1e6,
             best[1] * 1e6, best[1] / best[0], least / best[0]);
    }
    free(label);
    netcl_tensor_release(labels);
    netcl_tensor_release(x);
  }
  netcl_graph_release(graph);
  netcl_device_release(device);
  return 0;
}
