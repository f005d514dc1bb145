/*
 * Steps of training on one thread, beside PyTorch or JAX in a process of its own.
 *
 *   bench_train [rounds] [opponent command ...]
 *   bench_train 31 python3 tests/bench/bench_train.py
 *
 * mlp   perceptron 784-256-10 with relu, batch 64, sgd
 * cnn   the network of examples/train, batch 64, adam
 *
 * netcl's sides are calls one by one with a tape, and a compiled graph of the whole step. The
 * opponent is a program that is asked by a line "WORK SIDE STEPS" (WORK mlp or cnn, SIDE eager or
 * compiled), takes that many steps, and answers with the seconds and the last loss; it makes the
 * same first weights, images and labels by the same generator. All sides go in turn: figures are
 * medians of the rounds, ratios medians of each round's ratio. Above 1 netcl is faster. The first
 * steps of all sides must have the same losses. NETCL_NUM_THREADS is set to 1 where it is unset.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "netcl.h"

enum { BATCH = 64, PIXELS = 784, CLASSES = 10, PARAMETERS_MOST = 8, ROUNDS_MOST = 1000 };
enum { EAGER, GRAPH, THEIRS, COMPILED, SIDES };
static const char* const kSides[SIDES] = {"netcl eager", "netcl graph", "opponent eager",
                                          "opponent compiled"};

static netcl_device* device;
static FILE *to_opponent, *from_opponent;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check(netcl_status status, const char* what) {
  if (status == NETCL_OK) return;
  fprintf(stderr, "%s: %s\n", what, netcl_last_error_message());
  exit(1);
}
#define CHECK(call) check((call), #call)

/* ---- Numbers that the opponent has too ------------------------------------------------------- */

static uint32_t random_state;
static float random_number(void) {
  random_state = random_state * 1664525u + 1013904223u;
  return (float)(random_state >> 8) / 8388608.0f - 1.0f;
}

static int64_t product(uint32_t rank, const int64_t* shape) {
  int64_t count = 1;
  for (uint32_t d = 0; d < rank; ++d) count *= shape[d];
  return count;
}

/* Uniform within `bound`, or all `value` where it is 0. */
static netcl_tensor* numbers(uint32_t rank, const int64_t* shape, float bound, float value) {
  const int64_t count = product(rank, shape);
  float* data = malloc((size_t)count * sizeof *data);
  netcl_tensor* made = NULL;
  for (int64_t i = 0; i < count; ++i) data[i] = bound > 0 ? bound * random_number() : value;
  CHECK(netcl_tensor_create_from_host(device, NETCL_F32, rank, shape, NULL, data,
                                      (size_t)count * sizeof *data, NULL, &made));
  free(data);
  return made;
}

/* ---- The networks ---------------------------------------------------------------------------- */

typedef struct Network {
  const char* name;
  int steps; /* in a row */
  uint32_t count;
  struct {
    uint32_t rank;
    int64_t shape[4];
    int fan_in; /* 0: not random, but `value` */
    float value;
  } shapes[PARAMETERS_MOST];
  netcl_tensor* (*forward)(struct Network* network, const netcl_run_options* run);
  netcl_tensor *parameters[PARAMETERS_MOST], *averages[PARAMETERS_MOST], *squares[PARAMETERS_MOST];
  netcl_tensor *statistics[4], *step, *images, *labels;
} Network;

static netcl_tensor* dense(netcl_tensor* x, netcl_tensor* w, netcl_tensor* bias,
                           netcl_activation activation, const netcl_run_options* run) {
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  netcl_tensor* y = NULL;
  options.epilogue = &epilogue;
  epilogue.bias = bias;
  epilogue.activation = activation;
  CHECK(netcl_op_matmul(x, w, &options, run, &y));
  return y;
}

static netcl_tensor* mlp(Network* network, const netcl_run_options* run) {
  netcl_tensor** p = network->parameters;
  netcl_tensor* hidden = dense(network->images, p[0], p[1], NETCL_ACTIVATION_RELU, run);
  netcl_tensor* scores = dense(hidden, p[2], p[3], NETCL_ACTIVATION_NONE, run);
  netcl_tensor_release(hidden);
  return scores;
}

/* Convolution, batch normalisation with relu, and the maximum of each 2 x 2. */
static netcl_tensor* stage(Network* network, int which, netcl_tensor* x,
                           const netcl_run_options* run) {
  netcl_tensor **p = network->parameters + 3 * which,
               **statistics = network->statistics + 2 * which;
  netcl_conv2d_options conv = NETCL_CONV2D_OPTIONS_INIT;
  netcl_batchnorm_options norm = NETCL_BATCHNORM_OPTIONS_INIT;
  netcl_pool2d_options pool = NETCL_POOL2D_OPTIONS_INIT;
  netcl_tensor *wide = NULL, *normal = NULL, *pooled = NULL;
  for (int i = 0; i < 4; ++i) conv.padding[i] = 1;
  for (int i = 0; i < 2; ++i) pool.window[i] = pool.strides[i] = 2;
  norm.scale = p[1];
  norm.bias = p[2];
  norm.activation = NETCL_ACTIVATION_RELU;
  norm.training = 1;
  CHECK(netcl_op_conv2d(x, p[0], &conv, run, &wide));
  CHECK(netcl_op_batchnorm(wide, statistics[0], statistics[1], &norm, run, &normal));
  CHECK(netcl_op_pool2d(normal, NETCL_POOLING_MAX, &pool, run, &pooled));
  netcl_tensor_release(wide);
  netcl_tensor_release(normal);
  return pooled;
}

static netcl_tensor* cnn(Network* network, const netcl_run_options* run) {
  static const int64_t kFlat[2] = {-1, PIXELS};
  netcl_tensor *first = stage(network, 0, network->images, run), *features = NULL;
  netcl_tensor* second = stage(network, 1, first, run);
  CHECK(netcl_tensor_reshape(second, 2, kFlat, run, &features));
  netcl_tensor* scores =
      dense(features, network->parameters[6], network->parameters[7], NETCL_ACTIVATION_NONE, run);
  netcl_tensor_release(first);
  netcl_tensor_release(second);
  netcl_tensor_release(features);
  return scores;
}

static Network networks[] = {
    {.name = "mlp",
     .steps = 20,
     .count = 4,
     .shapes = {{2, {784, 256}, 784, 0}, {1, {256}, 0, 0}, {2, {256, 10}, 256, 0}, {1, {10}, 0, 0}},
     .forward = mlp},
    {.name = "cnn",
     .steps = 5,
     .count = 8,
     .shapes = {{4, {8, 1, 3, 3}, 9, 0},
                {1, {8}, 0, 1},
                {1, {8}, 0, 0},
                {4, {16, 8, 3, 3}, 72, 0},
                {1, {16}, 0, 1},
                {1, {16}, 0, 0},
                {2, {784, 10}, 784, 0},
                {1, {10}, 0, 0}},
     .forward = cnn}};

/* First weights, and states of zeros; the images and labels stay the same. */
static void begin(Network* network) {
  const int images = network->forward == cnn;
  int32_t labels[BATCH];
  random_state = 1;
  for (uint32_t i = 0; i < network->count; ++i) {
    const int fan_in = network->shapes[i].fan_in;
    const uint32_t rank = network->shapes[i].rank;
    const int64_t* shape = network->shapes[i].shape;
    const float bound = fan_in > 0 ? sqrtf(6.0f / (float)fan_in) : 0;
    network->parameters[i] = numbers(rank, shape, bound, network->shapes[i].value);
    network->averages[i] = numbers(rank, shape, 0, 0);
    network->squares[i] = numbers(rank, shape, 0, 0);
  }
  for (int i = 0; i < 4; ++i) {
    network->statistics[i] = numbers(1, (int64_t[]){i < 2 ? 8 : 16}, 0, i % 2 ? 1 : 0);
  }
  CHECK(netcl_tensor_create_zeros(device, NETCL_I64, 0, NULL, NULL, NULL, &network->step));
  const int64_t flat[] = {BATCH, PIXELS}, square[] = {BATCH, 1, 28, 28}, count = BATCH;
  network->images = images ? numbers(4, square, 1, 0) : numbers(2, flat, 1, 0);
  for (int i = 0; i < BATCH; ++i) labels[i] = i * 7 % CLASSES;
  CHECK(netcl_tensor_create_from_host(device, NETCL_I32, 1, &count, NULL, labels, sizeof labels,
                                      NULL, &network->labels));
}

static void end(Network* network) {
  for (uint32_t i = 0; i < network->count; ++i) {
    netcl_tensor_release(network->parameters[i]);
    netcl_tensor_release(network->averages[i]);
    netcl_tensor_release(network->squares[i]);
  }
  for (int i = 0; i < 4; ++i) netcl_tensor_release(network->statistics[i]);
  netcl_tensor_release(network->step);
  netcl_tensor_release(network->images);
  netcl_tensor_release(network->labels);
}

/* A step, recorded by run->graph; gives the loss. */
static netcl_tensor* take_step(Network* network, const netcl_run_options* run, int captures) {
  netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  const netcl_run_options none = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *gradients[PARAMETERS_MOST], *loss = NULL, **p = network->parameters;
  const uint32_t n = network->count;
  netcl_tensor* scores = network->forward(network, run);
  CHECK(netcl_op_cross_entropy(scores, network->labels, 1, NULL, run, &loss));
  options.consume = !captures;
  CHECK(netcl_graph_add_gradients(run->graph, &loss, 1, p, n, &options, gradients));
  if (network->forward == mlp) {
    CHECK(netcl_op_sgd(p, n, gradients, n, 0.01, NULL, captures ? run : &none));
  } else {
    CHECK(netcl_op_adam(p, n, gradients, n, network->averages, n, network->squares, n,
                        network->step, 0.003, NULL, captures ? run : &none));
  }
  for (uint32_t i = 0; i < n; ++i) netcl_tensor_release(gradients[i]);
  netcl_tensor_release(scores);
  return loss;
}

/* ---- Sides ----------------------------------------------------------------------------------- */

typedef struct Side {
  Network network; /* with weights of its own */
  netcl_graph* graph;
  netcl_tensor* loss; /* of a graph */
} Side;

static void open_side(Side* side, const Network* network, int captures) {
  netcl_graph_options options = NETCL_GRAPH_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  side->network = *network;
  side->loss = NULL;
  begin(&side->network);
  options.execute = captures ? NETCL_OFF : NETCL_ON;
  CHECK(netcl_graph_create(device, &options, &side->graph));
  if (!captures) return;
  run.graph = side->graph;
  netcl_tensor* inputs[] = {side->network.images, side->network.labels};
  netcl_tensor* loss = take_step(&side->network, &run, 1);
  CHECK(netcl_graph_compile(side->graph, inputs, 2, &loss, 1, NULL));
  CHECK(netcl_tensor_create(device, NETCL_F32, 0, NULL, NULL, NULL, &side->loss));
  netcl_tensor_release(loss);
}

static void close_side(Side* side) {
  end(&side->network);
  netcl_graph_release(side->graph);
  netcl_tensor_release(side->loss);
}

static double our_steps(Side* side, float* loss) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *inputs[] = {side->network.images, side->network.labels}, *last = NULL;
  const double start = now();
  for (int i = 0; i < side->network.steps; ++i) {
    if (side->loss != NULL) {
      CHECK(netcl_graph_run(side->graph, inputs, 2, &side->loss, 1, NULL));
      continue;
    }
    run.graph = side->graph;
    netcl_tensor_release(last);
    last = take_step(&side->network, &run, 0);
  }
  netcl_tensor* read = side->loss != NULL ? side->loss : last;
  CHECK(netcl_tensor_read(read, loss, sizeof *loss, NULL, NETCL_WAIT_FOREVER));
  const double time = (now() - start) / side->network.steps;
  netcl_tensor_release(last);
  return time;
}

static double their_steps(const Network* network, const char* side, float* loss) {
  double time = 0;
  fprintf(to_opponent, "%s %s %d\n", network->name, side, network->steps);
  fflush(to_opponent);
  if (fscanf(from_opponent, "%lf %f", &time, loss) != 2) {
    fprintf(stderr, "the opponent has no answer\n");
    exit(1);
  }
  return time / network->steps;
}

static void start_opponent(char** command) {
  int questions[2], answers[2];
  if (pipe(questions) != 0 || pipe(answers) != 0) exit(1);
  const pid_t child = fork();
  if (child == 0) {
    dup2(questions[0], 0);
    dup2(answers[1], 1);
    close(questions[1]);
    close(answers[0]);
    execvp(command[0], command);
    perror(command[0]);
    _exit(127);
  }
  close(questions[0]);
  close(answers[1]);
  to_opponent = fdopen(questions[1], "w");
  from_opponent = fdopen(answers[0], "r");
}

/* ---- Figures --------------------------------------------------------------------------------- */

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void print_ratio(const char* what, const double* theirs, const double* ours, int rounds) {
  double ratios[ROUNDS_MOST];
  for (int i = 0; i < rounds; ++i) ratios[i] = theirs[i] / ours[i];
  qsort(ratios, (size_t)rounds, sizeof *ratios, by_value);
  printf("  %-36s %5.2f  (quartiles %.2f to %.2f)\n", what, ratios[rounds / 2], ratios[rounds / 4],
         ratios[rounds * 3 / 4]);
}

static double steps_of(int side, Side* ours, const Network* network, float* loss) {
  if (side == EAGER || side == GRAPH) return our_steps(&ours[side], loss);
  return their_steps(network, side == THEIRS ? "eager" : "compiled", loss);
}

static void measure(const Network* network, int rounds) {
  static double times[SIDES][ROUNDS_MOST];
  const int sides = to_opponent != NULL ? SIDES : THEIRS;
  float loss[SIDES];
  Side ours[2];
  for (int i = 0; i < 2; ++i) open_side(&ours[i], network, i == GRAPH);
  for (int side = 0; side < sides; ++side) {
    steps_of(side, ours, network, &loss[side]);
    if (!(fabsf(loss[side] - loss[0]) <= 1e-3f * loss[0])) {
      fprintf(stderr, "%s: the loss of %s is %g, of %s %g\n", network->name, kSides[0],
              (double)loss[0], kSides[side], (double)loss[side]);
      exit(1);
    }
  }
  printf("%s, batch %d: loss %.6f after %d steps\n", network->name, BATCH, (double)loss[0],
         network->steps);
  for (int i = 0; i < rounds; ++i) {
    for (int side = 0; side < sides; ++side) {
      times[side][i] = steps_of(side, ours, network, &loss[side]);
    }
  }
  print_ratio("graph beside eager, both netcl", times[EAGER], times[GRAPH], rounds);
  if (sides == SIDES) {
    print_ratio("netcl eager beside opponent eager", times[THEIRS], times[EAGER], rounds);
    print_ratio("netcl graph beside opponent eager", times[THEIRS], times[GRAPH], rounds);
    print_ratio("netcl graph beside opponent compiled", times[COMPILED], times[GRAPH], rounds);
  }
  for (int side = 0; side < sides; ++side) {
    qsort(times[side], (size_t)rounds, sizeof **times, by_value);
    printf("  %-20s %9.1f us  (least %.1f)\n", kSides[side], times[side][rounds / 2] * 1e6,
           times[side][0] * 1e6);
  }
  for (int i = 0; i < 2; ++i) close_side(&ours[i]);
}

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 31;
  if (rounds < 1 || rounds > ROUNDS_MOST) {
    fprintf(stderr, "rounds are 1 to %d\n", ROUNDS_MOST);
    return 2;
  }
  setenv("NETCL_NUM_THREADS", "1", 0);
  if (argc > 2) start_opponent(argv + 2);
  CHECK(netcl_device_open("builtin", NULL, &device));
  for (size_t i = 0; i < sizeof networks / sizeof *networks; ++i) measure(&networks[i], rounds);
  netcl_device_release(device);
  if (to_opponent != NULL) fclose(to_opponent);
  return 0;
}
