/*
 * physics: finds the diffusion coefficient of a plate from one picture of its heat.
 *
 * usage: physics [--device SELECTOR] [--out physics.pgm]
 *
 * A plate, held at 0 on its boundary, begins with a known pattern. What is measured is the pattern
 * at a later time; here it is the exact solution for the coefficient D = 0.7, with noise of 1 % of
 * the hottest point. The program simulates 200 explicit steps for a guess of D, compares, and lets
 * netcl work out the derivative of the squared difference by D, through all 200 steps. The step of
 * the guess is that of the secant through the last two derivatives. It ends with 1 when what it
 * finds is more than 1 % off. The simulation and its gradient are recorded once and compiled; each
 * guess is one run of that.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>

#include "../check.h"
#include "../picture.h"

enum { CELLS = 48, INNER = CELLS - 1, STEPS = 200, GUESSES_MOST = 20, GAP = 4 };
static const double kPi = 3.14159265358979323846;
static const double kTruth = 0.7, kFirstGuess = 0.2, kNoise = 0.01, kOffMost = 0.01;
static const double kTimeStep = 0.2 / ((double)CELLS * CELLS);  /* stable up to D = 1.25 */
static netcl_device *device;
static netcl_dtype dtype;

/* The exact solution: waves that fade, the short ones sooner. */
static double heat_at(double x, double y, double time, double coefficient) {
  static const struct { int k, l; double weight; } kWaves[] = {
      {1, 1, 1.0}, {3, 2, 0.6}, {2, 5, 0.4}};
  double sum = 0;
  size_t i;
  for (i = 0; i < sizeof kWaves / sizeof *kWaves; ++i) {
    const double rate = coefficient * kPi * kPi *
                        (kWaves[i].k * kWaves[i].k + kWaves[i].l * kWaves[i].l);
    sum += kWaves[i].weight * exp(-rate * time) * sin(kWaves[i].k * kPi * x) *
           sin(kWaves[i].l * kPi * y);
  }
  return sum;
}

/* Noise that is the same everywhere, of standard deviation 1: twelve uniform numbers added. */
static double noise(void) {
  static uint32_t state = 1;
  double sum = -6;
  int i;
  for (i = 0; i < 12; ++i) {
    state = state * 1664525u + 1013904223u;
    sum += (double)(state >> 8) / 16777216.0;
  }
  return sum;
}

static void fill_pattern(double *values, double time, double disturbance) {
  int64_t i, j;
  for (i = 0; i < INNER; ++i) {
    for (j = 0; j < INNER; ++j) {
      values[i * INNER + j] =
          heat_at((double)(i + 1) / CELLS, (double)(j + 1) / CELLS, time, kTruth) +
          (disturbance > 0 ? disturbance * noise() : 0);
    }
  }
}

/* A tensor of the device's dtype with these values, and back. */
static netcl_tensor *tensor_of(uint32_t rank, const int64_t *shape, const double *values) {
  netcl_tensor *tensor = NULL;
  float narrow[INNER * INNER];
  int64_t count = 1, i;
  uint32_t d;
  for (d = 0; d < rank; ++d) count *= shape[d];
  for (i = 0; i < count; ++i) narrow[i] = (float)values[i];
  CHECK(netcl_tensor_create_from_host(
      device, dtype, rank, shape, NULL, dtype == NETCL_F64 ? (const void *)values : narrow,
      (size_t)count * netcl_dtype_size(dtype), NULL, &tensor));
  return tensor;
}

static void read_values(const netcl_tensor *tensor, int64_t count, double *values) {
  float narrow[INNER * INNER];
  int64_t i;
  if (dtype == NETCL_F64) {
    CHECK(netcl_tensor_read(tensor, values, (size_t)count * sizeof *values, NULL, PATIENCE_NS));
    return;
  }
  CHECK(netcl_tensor_read(tensor, narrow, (size_t)count * sizeof *narrow, NULL, PATIENCE_NS));
  for (i = 0; i < count; ++i) values[i] = narrow[i];
}

/* One explicit step: each point moves towards the mean of its neighbours. Takes `heat` over. */
static netcl_tensor *step(netcl_tensor *heat, netcl_tensor *ratio, const netcl_run_options *run) {
  static const int64_t kBorder[4] = {1, 1, 1, 1};
  static const int64_t kPlaces[5][2] = {{1, 1}, {0, 1}, {2, 1}, {1, 0}, {1, 2}};
  netcl_tensor *wide = NULL, *inputs[6], *next = NULL;
  int i, d;
  CHECK(netcl_op_pad(heat, kBorder, 4, NULL, run, &wide));
  for (i = 0; i < 5; ++i) {
    netcl_range ranges[2];
    for (d = 0; d < 2; ++d) {
      ranges[d].start = kPlaces[i][d];
      ranges[d].extent = INNER;
      ranges[d].step = 1;
    }
    CHECK(netcl_tensor_slice(wide, ranges, 2, &inputs[i]));
  }
  inputs[5] = ratio;
  CHECK(netcl_op_expression_text("v0 + v5 * (v1 + v2 + v3 + v4 - 4.0 * v0)", inputs, 6, NULL, run,
                                 &next));
  for (i = 0; i < 5; ++i) netcl_tensor_release(inputs[i]);
  netcl_tensor_release(wide);
  netcl_tensor_release(heat);
  return next;
}

typedef struct simulation {
  netcl_graph *graph;
  netcl_tensor *ratio;       /* D * time step / spacing squared: the input */
  netcl_tensor *outputs[3];  /* the loss, its derivative by the ratio, and the heat at the end */
} simulation;

/* Records the steps, the loss and the gradient, and makes them ready to run. */
static simulation record(netcl_tensor *begin, netcl_tensor *measured) {
  static const int64_t kShape[2] = {INNER, INNER};
  const double first = 0;
  netcl_graph_options capture = NETCL_GRAPH_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *heat = begin, *pair[2], *difference = NULL, *loss = NULL, *gradient = NULL;
  netcl_tensor *results[3];
  simulation made;
  int i;
  made.ratio = tensor_of(0, NULL, &first);
  capture.execute = NETCL_OFF;
  CHECK(netcl_graph_create(device, &capture, &made.graph));
  run.graph = made.graph;
  CHECK(netcl_tensor_retain(heat));
  for (i = 0; i < STEPS; ++i) heat = step(heat, made.ratio, &run);
  pair[0] = heat;
  pair[1] = measured;
  CHECK(netcl_op_expression_text("v0 - v1", pair, 2, NULL, &run, &difference));
  CHECK(netcl_op_reduce(difference, NETCL_REDUCTION_SUM_SQUARE, NULL, &run, &loss));
  CHECK(netcl_graph_add_gradients(made.graph, &loss, 1, &made.ratio, 1, NULL, &gradient));
  results[0] = loss;
  results[1] = gradient;
  results[2] = heat;
  CHECK(netcl_graph_compile(made.graph, &made.ratio, 1, results, 3, NULL));
  for (i = 0; i < 3; ++i) {
    CHECK(netcl_tensor_create(device, dtype, i == 2 ? 2 : 0, i == 2 ? kShape : NULL, NULL, NULL,
                              &made.outputs[i]));
    netcl_tensor_release(results[i]);
  }
  netcl_tensor_release(difference);
  return made;
}

/* The loss for a coefficient, and its derivative by that. */
static double run_for(const simulation *made, double coefficient, double *derivative) {
  const double per_unit = kTimeStep * CELLS * CELLS, ratio = coefficient * per_unit;
  double loss;
  netcl_tensor *input = tensor_of(0, NULL, &ratio);
  CHECK(netcl_graph_run(made->graph, &input, 1, made->outputs, 3, NULL));
  read_values(made->outputs[0], 1, &loss);
  read_values(made->outputs[1], 1, derivative);
  *derivative *= per_unit;
  netcl_tensor_release(input);
  return loss;
}

/* The minimum, where the derivative is 0, by secants. */
static double find(const simulation *made) {
  double before = kFirstGuess, guess = kFirstGuess * 1.5, slope_before, slope, loss;
  int i;
  printf("  %5s %12s %14s %14s\n", "guess", "D", "loss", "derivative");
  loss = run_for(made, before, &slope_before);
  printf("  %5d %12.8f %14.6e %14.6e\n", 1, before, loss, slope_before);
  for (i = 2; i <= GUESSES_MOST; ++i) {
    double next;
    loss = run_for(made, guess, &slope);
    printf("  %5d %12.8f %14.6e %14.6e\n", i, guess, loss, slope);
    if (slope == slope_before || fabs(guess - before) < 1e-6) break;
    next = guess - slope * (guess - before) / (slope - slope_before);
    /* A guess beyond what is stable, or below 0, is half the way there. */
    if (!(next > 0)) next = 0.5 * guess;
    if (next > 1.2) next = 0.5 * (guess + 1.2);
    before = guess;
    slope_before = slope;
    guess = next;
  }
  return guess;
}

/* The beginning, what was measured, and the simulation's end, side by side. */
static void save_picture(const char *path, const double *begin, const double *measured,
                         const double *end) {
  const double *panels[3];
  picture image;
  const char *problem;
  int64_t i, j, p;
  panels[0] = begin;
  panels[1] = measured;
  panels[2] = end;
  image.height = INNER;
  image.width = 3 * INNER + 2 * GAP;
  image.channels = 1;
  image.samples = (uint8_t *)allocate(picture_bytes(&image));
  memset(image.samples, 255, picture_bytes(&image));
  for (p = 0; p < 3; ++p) {
    double most = 0;
    for (i = 0; i < INNER * INNER; ++i) most = fmax(most, fabs(panels[p][i]));
    for (i = 0; i < INNER; ++i) {
      for (j = 0; j < INNER; ++j) {
        const double level = 127.5 + 127.5 * panels[p][i * INNER + j] / most;
        image.samples[i * image.width + p * (INNER + GAP) + j] = (uint8_t)level;
      }
    }
  }
  problem = picture_save(path, &image);
  if (problem != NULL) fail(path, problem);
  free(image.samples);
}

int main(int count, char **words) {
  static const int64_t kShape[2] = {INNER, INNER};
  static double begin[INNER * INNER], measured[INNER * INNER], end[INNER * INNER];
  const char *selector = "auto", *out = "physics.pgm";
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  netcl_device_capabilities capabilities = NETCL_DEVICE_CAPABILITIES_INIT;
  netcl_graph_info graph = NETCL_GRAPH_INFO_INIT;
  netcl_tensor *start, *goal;
  simulation made;
  uint64_t clock;
  double found, compile_seconds;
  int i;
  program_name = "physics";
  for (i = 1; i + 1 < count; i += 2) {
    if (strcmp(words[i], "--device") == 0) selector = words[i + 1];
    else if (strcmp(words[i], "--out") == 0) out = words[i + 1];
    else break;
  }
  if (i < count) fail(words[i], "usage: physics [--device SELECTOR] [--out physics.pgm]");
  CHECK(netcl_device_open(selector, NULL, &device));
  CHECK(netcl_device_get_info(device, &info));
  CHECK(netcl_device_get_capabilities(device, &capabilities));
  dtype = capabilities.fp64 ? NETCL_F64 : NETCL_F32;
  fill_pattern(begin, 0, 0);
  fill_pattern(measured, STEPS * kTimeStep, kNoise);
  start = tensor_of(2, kShape, begin);
  goal = tensor_of(2, kShape, measured);
  clock = now_ns();
  made = record(start, goal);
  compile_seconds = (double)(now_ns() - clock) * 1e-9;
  CHECK(netcl_graph_get_info(made.graph, &graph));
  printf("%s, %s: %d steps and their gradient are %lu calls, %lu commands, made in %.2f s\n",
         info.name, netcl_dtype_name(dtype), STEPS, (unsigned long)graph.call_count,
         (unsigned long)graph.command_count, compile_seconds);
  clock = now_ns();
  found = find(&made);
  printf("D is %.5f; found in %.2f s: %.5f, %.2f %% off\n", kTruth,
         (double)(now_ns() - clock) * 1e-9, found, 100 * fabs(found / kTruth - 1));
  read_values(made.outputs[2], INNER * INNER, end);
  save_picture(out, begin, measured, end);
  printf("wrote %s: the beginning, the measurement, the simulation\n", out);
  netcl_graph_release(made.graph);
  netcl_tensor_release(made.ratio);
  for (i = 0; i < 3; ++i) netcl_tensor_release(made.outputs[i]);
  netcl_tensor_release(start);
  netcl_tensor_release(goal);
  netcl_device_release(device);
  if (fabs(found / kTruth - 1) > kOffMost) fail("D", "what was found is more than 1 % off");
  return 0;
}
