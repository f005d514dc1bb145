/*
 * Steps of training, beside PyTorch or JAX in a process of its own.
 *
 *   bench_train [--device SELECTOR] [rounds] [opponent command ...]
 *   bench_train 31 python3 tests/bench/bench_train.py
 *   bench_train --device gpu 31 python3 tests/bench/bench_train.py --device cuda
 *
 * mlp          perceptron 784-256-10 with relu, batch 64, sgd
 * cnn          the network of examples/train, batch 64, adam
 * transformer  that of examples/transformer, 12 texts of 64 letters, adam
 *
 * netcl's sides are calls one by one with a tape, and a compiled graph of the whole step. The
 * opponent is a program that is asked by a line "WORK SIDE STEPS" (WORK as above, SIDE eager or
 * compiled), takes that many steps, and answers with the seconds and the last loss; it makes the
 * same first weights, inputs and labels by the same generator. All sides go in turn: figures are
 * medians of the rounds, ratios medians of each round's ratio. Above 1 netcl is faster. The first
 * steps of all sides must have the same losses. The device is the built-in one where none is named;
 * NETCL_NUM_THREADS is set to 1 where it is unset.
 */
#include <unistd.h>

#include "support_median.h"
#include "support_networks.h"
#include "support_opponent.h"

enum { ROUNDS_MOST = 1000 };
enum { EAGER, GRAPH, THEIRS, COMPILED, SIDES };
static const char* const kSides[SIDES] = {"netcl eager", "netcl graph", "opponent eager",
                                          "opponent compiled"};

static double now(void) { return 1e-9 * (double)now_ns(); }

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
  netcl_tensor* loss = take_step(&side->network, &run, 1);
  CHECK(netcl_graph_compile(side->graph, side->network.inputs, 2, &loss, 1, NULL));
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
  netcl_tensor* last = NULL;
  const double start = now();
  for (int i = 0; i < side->network.steps; ++i) {
    if (side->loss != NULL) {
      CHECK(netcl_graph_run(side->graph, side->network.inputs, 2, &side->loss, 1, NULL));
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

/* ---- Figures --------------------------------------------------------------------------------- */

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
  printf("%s, batch %d: loss %.6f after %d steps\n", network->name, network->batch, (double)loss[0],
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
  const char* selector = "builtin";
  program_name = "bench_train";
  if (argc > 2 && strcmp(argv[1], "--device") == 0) {
    selector = argv[2];
    argc -= 2;
    argv += 2;
  }
  const int rounds = argc > 1 ? atoi(argv[1]) : 31;
  if (rounds < 1 || rounds > ROUNDS_MOST) {
    fprintf(stderr, "rounds are 1 to %d\n", ROUNDS_MOST);
    return 2;
  }
  setenv("NETCL_NUM_THREADS", "1", 0);
  if (argc > 2) start_opponent(argv + 2);
  CHECK(netcl_device_open(selector, NULL, &device));
  for (size_t i = 0; i < sizeof networks / sizeof *networks; ++i) measure(&networks[i], rounds);
  netcl_device_release(device);
  if (to_opponent != NULL) fclose(to_opponent);
  return 0;
}
