/*
 * A data-parallel step of training on several devices, beside PyTorch's DistributedDataParallel.
 *
 *   bench_data_parallel ROUNDS SELECTOR [SELECTOR ...] [-- opponent command ...]
 *   bench_data_parallel 9 1:0 1:1 -- python3 tests/bench/bench_data_parallel.py 2
 *
 * A perceptron 1024-4096-4096-4096-4096-1000 with relu in f32, 1024 inputs on each rank, 235 MB of
 * gradients, sgd. Each selector is a rank in a process of its own. Of one alone nothing is joined.
 * The opponent answers a line with a number of steps by their seconds and the last loss. Both take
 * turns: figures are medians of the rounds. Above 1 netcl is faster.
 */
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../examples/check.h"
#include "support_median.h"
#include "support_opponent.h"

enum { LAYERS = 5, PARAMETERS = 2 * LAYERS, BATCH = 1024, STEPS = 10, ROUNDS_MOST = 100 };
static const int64_t kWidths[LAYERS + 1] = {1024, 4096, 4096, 4096, 4096, 1000};
static const double kRate = 0.01;

typedef struct Trainer {
  netcl_device* device;
  netcl_group* group; /* NULL: alone */
  netcl_reducer* reducer;
  netcl_graph* graph;
  netcl_tensor* parameters[PARAMETERS];
  netcl_tensor* outputs[PARAMETERS + 1]; /* gradients and the loss */
  netcl_tensor* inputs[2];               /* and labels */
} Trainer;

static netcl_tensor* uniform(netcl_device* device, uint32_t rank, const int64_t* shape,
                             float bound) {
  static uint32_t state = 1;
  const int64_t count = shape[0] * (rank > 1 ? shape[1] : 1);
  float* data = allocate((size_t)count * sizeof *data);
  netcl_tensor* made = NULL;
  for (int64_t i = 0; i < count; i++) {
    state = state * 1664525u + 1013904223u;
    data[i] = bound * ((float)(state >> 8) / 8388608.0f - 1.0f);
  }
  CHECK(netcl_tensor_create_from_host(device, NETCL_F32, rank, shape, NULL, data,
                                      (size_t)count * sizeof *data, NULL, &made));
  free(data);
  return made;
}

static netcl_tensor* forward(const Trainer* t, const netcl_run_options* run) {
  netcl_tensor *x = t->inputs[0], *loss = NULL;
  for (int i = 0; i < LAYERS; i++) {
    netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
    netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
    netcl_tensor* y = NULL;
    options.epilogue = &epilogue;
    epilogue.bias = t->parameters[2 * i + 1];
    epilogue.activation = i + 1 < LAYERS ? NETCL_ACTIVATION_RELU : NETCL_ACTIVATION_NONE;
    CHECK(netcl_op_matmul(x, t->parameters[2 * i], &options, run, &y));
    if (i > 0) netcl_tensor_release(x);
    x = y;
  }
  CHECK(netcl_op_cross_entropy(x, t->inputs[1], 1, NULL, run, &loss));
  netcl_tensor_release(x);
  return loss;
}

static void prepare(Trainer* t, uint32_t rank) {
  const int64_t shape[2] = {BATCH, kWidths[0]};
  int32_t labels[BATCH];
  netcl_graph_options capture = NETCL_GRAPH_OPTIONS_INIT;
  netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor* values[PARAMETERS + 1] = {NULL};
  for (int i = 0; i < PARAMETERS; i++) {
    const int64_t* ends = &kWidths[i / 2];
    const int64_t weight[2] = {ends[0], ends[1]};
    const uint32_t dims = i % 2 == 0 ? 2 : 1;
    t->parameters[i] = uniform(t->device, dims, dims == 2 ? weight : &ends[1],
                               dims == 2 ? sqrtf(6.0f / (float)ends[0]) : 0);
    CHECK(netcl_tensor_create_zeros(t->device, NETCL_F32, dims, dims == 2 ? weight : &ends[1],
                                    NULL, NULL, &t->outputs[i]));
  }
  CHECK(netcl_tensor_create_zeros(t->device, NETCL_F32, 0, NULL, NULL, NULL,
                                  &t->outputs[PARAMETERS]));
  t->inputs[0] = uniform(t->device, 2, shape, 1);
  for (int i = 0; i < BATCH; i++) labels[i] = (int32_t)((i * 7 + (int)rank * 13) % 1000);
  CHECK(netcl_tensor_create_from_host(t->device, NETCL_I32, 1, shape, NULL, labels, sizeof labels,
                                      NULL, &t->inputs[1]));
  if (t->group != NULL) CHECK(netcl_reducer_create(t->group, NULL, &t->reducer));
  capture.execute = NETCL_OFF;
  CHECK(netcl_graph_create(t->device, &capture, &t->graph));
  run.graph = t->graph;
  netcl_tensor* loss = forward(t, &run);
  options.reducer = t->reducer;
  CHECK(netcl_graph_add_gradients(t->graph, &loss, 1, t->parameters, PARAMETERS, &options, values));
  values[PARAMETERS] = loss;
  CHECK(netcl_graph_compile(t->graph, t->inputs, 2, values, PARAMETERS + 1, NULL));
  for (int i = 0; i <= PARAMETERS; i++) netcl_tensor_release(values[i]);
}

static double take_steps(Trainer* t, int steps) {
  if (t->group != NULL) CHECK(netcl_group_barrier(t->group, NULL));
  const uint64_t begin = now_ns();
  for (int i = 0; i < steps; i++) {
    CHECK(netcl_graph_run(t->graph, t->inputs, 2, t->outputs, PARAMETERS + 1, NULL));
    if (t->reducer != NULL) CHECK(netcl_reducer_wait(t->reducer, NETCL_WAIT_FOREVER));
    CHECK(netcl_op_sgd(t->parameters, PARAMETERS, t->outputs, PARAMETERS, kRate, NULL, NULL));
  }
  CHECK(netcl_device_finish(t->device, NETCL_WAIT_FOREVER));
  if (t->group != NULL) CHECK(netcl_group_barrier(t->group, NULL));
  return 1e-9 * (double)(now_ns() - begin) / steps;
}

static double their_steps(int steps, double* loss) {
  double time = 0;
  fprintf(to_opponent, "%d\n", steps);
  fflush(to_opponent);
  if (fscanf(from_opponent, "%lf %lf", &time, loss) != 2) fail("opponent", "it has no answer");
  return time / steps;
}

static void measure(Trainer* t, uint32_t rank, uint32_t ranks, int rounds) {
  double ours[ROUNDS_MOST], theirs[ROUNDS_MOST], loss = 0;
  float last = 0;
  (void)take_steps(t, STEPS);
  if (to_opponent != NULL) (void)their_steps(STEPS, &loss);
  for (int i = 0; i < rounds; i++) {
    ours[i] = take_steps(t, STEPS);
    if (to_opponent != NULL) theirs[i] = their_steps(STEPS, &loss);
  }
  if (rank != 0) return;
  CHECK(netcl_tensor_read(t->outputs[PARAMETERS], &last, sizeof last, NULL, PATIENCE_NS));
  printf("%u rank%s: %.3f ms a step, loss %.4f\n", ranks, ranks == 1 ? "" : "s",
         1e3 * median(ours, rounds), (double)last);
  if (to_opponent == NULL) return;
  printf("the opponent: %.3f ms a step, loss %.4f; ratio %.2f\n", 1e3 * median(theirs, rounds),
         loss, median(theirs, rounds) / median(ours, rounds));
}

int main(int argc, char** argv) {
  char folder[] = "/tmp/bench-parallel-XXXXXX", path[64];
  uint32_t ranks = 0, rank = 0;
  program_name = "bench_data_parallel";
  const int rounds = argc > 1 ? atoi(argv[1]) : 0;
  while (2 + (int)ranks < argc && strcmp(argv[2 + ranks], "--") != 0) ranks++;
  if (rounds < 1 || rounds > ROUNDS_MOST || ranks < 1) {
    fail("usage", "bench_data_parallel ROUNDS SELECTOR ... [-- opponent command ...]");
  }
  if (mkdtemp(folder) == NULL) fail(folder, "cannot be made");
  snprintf(path, sizeof path, "%s/meet", folder);
  for (uint32_t r = 1; r < ranks && rank == 0; r++) {
    if (fork() == 0) rank = r;
  }
  if (rank == 0 && argc > 3 + (int)ranks) start_opponent(argv + 3 + ranks);
  netcl_group_options options = NETCL_GROUP_OPTIONS_INIT;
  options.timeout_ns = PATIENCE_NS;
  Trainer trainer = {NULL};
  CHECK(netcl_device_open(argv[2 + rank], NULL, &trainer.device));
  if (ranks > 1) {
    CHECK(netcl_group_join(trainer.device, path, rank, ranks, &options, &trainer.group));
  }
  prepare(&trainer, rank);
  measure(&trainer, rank, ranks, rounds);
  for (int i = 0; i <= PARAMETERS; i++) netcl_tensor_release(trainer.outputs[i]);
  for (int i = 0; i < PARAMETERS; i++) netcl_tensor_release(trainer.parameters[i]);
  for (int i = 0; i < 2; i++) netcl_tensor_release(trainer.inputs[i]);
  netcl_graph_release(trainer.graph);
  netcl_reducer_release(trainer.reducer);
  netcl_group_release(trainer.group);
  netcl_device_release(trainer.device);
  if (to_opponent != NULL) fclose(to_opponent);
  if (rank == 0) {
    while (wait(NULL) > 0) {
    }
    rmdir(folder);
  }
  return 0;
}
