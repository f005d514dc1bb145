/*
 * Trains a small transformer on a text, character by character, and lets it write:
 *
 *   transformer [TEXT_FILE] [--steps N] [--seed S] [--device SELECTOR] [--write N]
 *
 * Without a file it reads README.md of this project. A step, that is the loss, its gradients and
 * the update of the parameters by Adam, is recorded once and compiled; each step is one run of that
 * with other characters. It prints the loss, then a text of its own. With 400 steps or more it ends
 * with 1 when the mean loss of the last 50 is not below 2.2 (a guess without reading is above 4).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L
#include "model.h"

enum { BATCH = 12, REPORT = 50, WARM_UP = 20 };
static const double kRate = 0.004, kLossMost = 2.2, kTemperature = 0.7;
static const int64_t kStepsForLoss = 400;

#ifndef NETCL_EXAMPLE_TEXT
#define NETCL_EXAMPLE_TEXT "README.md"
#endif

typedef struct text {
  int64_t count;
  int32_t *tokens;
  int64_t characters;        /* how many differ */
  unsigned char letter[256]; /* of each token */
} text;

static text read_text(const char *path) {
  FILE *file = fopen(path, "rb");
  unsigned char *bytes;
  int token[256];
  text made;
  long size;
  int64_t i;
  memset(&made, 0, sizeof made);
  if (file == NULL) fail(path, "it cannot be read");
  if (fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0) fail(path, "it is no file");
  rewind(file);
  if (size < 4 * CONTEXT) fail(path, "it is shorter than 256 characters");
  bytes = (unsigned char *)allocate((size_t)size);
  if (fread(bytes, 1, (size_t)size, file) != (size_t)size) fail(path, "it cannot be read");
  fclose(file);
  for (i = 0; i < 256; ++i) token[i] = -1;
  made.count = size;
  made.tokens = (int32_t *)allocate((size_t)size * sizeof *made.tokens);
  for (i = 0; i < size; ++i) {
    if (token[bytes[i]] < 0) {
      made.letter[made.characters] = bytes[i];
      token[bytes[i]] = (int)made.characters++;
    }
    made.tokens[i] = token[bytes[i]];
  }
  free(bytes);
  return made;
}

typedef struct trainer {
  netcl_graph *graph;
  netcl_tensor *inputs[2];  /* tokens, and the ones after them */
  netcl_tensor *factor;     /* of the learning rate */
  netcl_tensor *loss;
} trainer;

/* Records one step, and makes it ready to run. */
static trainer record(model *net) {
  const int64_t tokens[2] = {BATCH, CONTEXT}, labels = BATCH * CONTEXT;
  netcl_graph_options capture = NETCL_GRAPH_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_adam_options adam = NETCL_ADAM_OPTIONS_INIT;
  netcl_tensor *logits, *loss = NULL, *gradients[PARAMETERS];
  trainer made;
  int i;
  CHECK(netcl_tensor_create_zeros(net->device, NETCL_I32, 2, tokens, NULL, NULL, &made.inputs[0]));
  CHECK(netcl_tensor_create_zeros(net->device, NETCL_I32, 1, &labels, NULL, NULL, &made.inputs[1]));
  CHECK(netcl_tensor_create_zeros(net->device, NETCL_F32, 0, NULL, NULL, NULL, &made.factor));
  CHECK(netcl_tensor_create_zeros(net->device, NETCL_F32, 0, NULL, NULL, NULL, &made.loss));
  capture.execute = NETCL_OFF;
  CHECK(netcl_graph_create(net->device, &capture, &made.graph));
  run.graph = made.graph;
  logits = forward(net, made.inputs[0], BATCH, &run);
  CHECK(netcl_op_cross_entropy(logits, made.inputs[1], 1, NULL, &run, &loss));
  CHECK(netcl_graph_add_gradients(made.graph, &loss, 1, net->parameters, PARAMETERS, NULL,
                                  gradients));
  adam.factor = made.factor;
  CHECK(netcl_op_adam(net->parameters, PARAMETERS, gradients, PARAMETERS, net->averages, PARAMETERS,
                      net->squares, PARAMETERS, net->steps, kRate, &adam, &run));
  CHECK(netcl_graph_compile(made.graph, made.inputs, 2, &loss, 1, NULL));
  for (i = 0; i < PARAMETERS; ++i) netcl_tensor_release(gradients[i]);
  netcl_tensor_release(logits);
  netcl_tensor_release(loss);
  return made;
}

/* One step with characters from random places. The rate rises at first, then falls to 0. */
static float train_step(const trainer *made, const text *from, int64_t step, int64_t steps) {
  static int32_t tokens[BATCH * CONTEXT], next[BATCH * CONTEXT];
  const float rise = (float)(step + 1) / WARM_UP, fall = 1 - (float)step / (float)steps;
  const float factor = rise < fall ? rise : fall;
  float loss;
  int i;
  for (i = 0; i < BATCH; ++i) {
    const int64_t first = (int64_t)(random_unit() * (float)(from->count - CONTEXT - 1));
    memcpy(tokens + i * CONTEXT, from->tokens + first, CONTEXT * sizeof *tokens);
    memcpy(next + i * CONTEXT, from->tokens + first + 1, CONTEXT * sizeof *next);
  }
  CHECK(netcl_tensor_write(made->inputs[0], tokens, sizeof tokens, NULL, PATIENCE_NS));
  CHECK(netcl_tensor_write(made->inputs[1], next, sizeof next, NULL, PATIENCE_NS));
  CHECK(netcl_tensor_write(made->factor, &factor, sizeof factor, NULL, PATIENCE_NS));
  CHECK(netcl_graph_run(made->graph, made->inputs, 2, &made->loss, 1, NULL));
  CHECK(netcl_tensor_read(made->loss, &loss, sizeof loss, NULL, PATIENCE_NS));
  return loss;
}

/* Trains; gives the mean loss of the last REPORT steps. */
static double train(model *net, const text *from, int64_t steps) {
  netcl_graph_info info = NETCL_GRAPH_INFO_INIT;
  uint64_t clock = now_ns();
  trainer made = record(net);
  double mean = 0, last = 0;
  int64_t step;
  CHECK(netcl_graph_get_info(made.graph, &info));
  printf("a step is %lu calls, %lu commands, made in %.2f s\n", (unsigned long)info.call_count,
         (unsigned long)info.command_count, (double)(now_ns() - clock) * 1e-9);
  clock = now_ns();
  for (step = 0; step < steps; ++step) {
    mean += train_step(&made, from, step, steps) / REPORT;
    if ((step + 1) % REPORT != 0) continue;
    printf("step %5ld: loss %.4f, %.1f ms a step\n", (long)step + 1, mean,
           (double)(now_ns() - clock) * 1e-6 / REPORT);
    fflush(stdout);
    last = mean;
    mean = 0;
    clock = now_ns();
  }
  netcl_graph_release(made.graph);
  netcl_tensor_release(made.inputs[0]);
  netcl_tensor_release(made.inputs[1]);
  netcl_tensor_release(made.factor);
  netcl_tensor_release(made.loss);
  return last;
}

/* A token by its logit: the larger, the likelier. */
static int32_t draw(const float *logits, int64_t count) {
  double most = logits[0], sum = 0, place;
  int64_t i;
  for (i = 1; i < count; ++i) most = logits[i] > most ? logits[i] : most;
  for (i = 0; i < count; ++i) sum += exp((logits[i] - most) / kTemperature);
  place = random_unit() * sum;
  for (i = 0; i < count - 1; ++i) {
    place -= exp((logits[i] - most) / kTemperature);
    if (place < 0) break;
  }
  return (int32_t)i;
}

/* Goes on from the beginning of the text. */
static void write_on(const model *net, const text *from, int64_t count) {
  const int64_t shape[2] = {1, CONTEXT};
  const size_t row = (size_t)net->characters * sizeof(float);
  float *logits = (float *)allocate(CONTEXT * row);
  int32_t window[CONTEXT];
  netcl_tensor *tokens = NULL;
  int64_t i;
  CHECK(netcl_tensor_create(net->device, NETCL_I32, 2, shape, NULL, NULL, &tokens));
  memcpy(window, from->tokens, sizeof window);
  printf("---\n");
  for (i = 0; i < CONTEXT; ++i) putchar(from->letter[window[i]]);
  printf("|");
  for (i = 0; i < count; ++i) {
    netcl_tensor *made;
    CHECK(netcl_tensor_write(tokens, window, sizeof window, NULL, PATIENCE_NS));
    made = forward(net, tokens, 1, NULL);
    CHECK(netcl_tensor_read(made, logits, CONTEXT * row, NULL, PATIENCE_NS));
    netcl_tensor_release(made);
    memmove(window, window + 1, sizeof window - sizeof *window);
    window[CONTEXT - 1] = draw(logits + (CONTEXT - 1) * net->characters, net->characters);
    putchar(from->letter[window[CONTEXT - 1]]);
  }
  printf("\n---\n");
  netcl_tensor_release(tokens);
  free(logits);
}

static int64_t number_of(const char *words, const char *option) {
  char *end = NULL;
  const long value = strtol(words, &end, 10);
  if (end == words || *end != '\0' || value < 0 || value > 1000000) {
    fail(option, "it is a whole number from 0 to 1000000");
  }
  return value;
}

int main(int count, char **words) {
  const char *path = NULL, *selector = "auto";
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  netcl_device *device = NULL;
  int64_t steps = 400, letters = 200;
  double loss;
  text from;
  model net;
  int i;
  program_name = "transformer";
  for (i = 1; i < count; ++i) {
    const int more = i + 1 < count;
    if (more && strcmp(words[i], "--steps") == 0) steps = number_of(words[++i], "--steps");
    else if (more && strcmp(words[i], "--seed") == 0)
      random_state = (uint32_t)number_of(words[++i], "--seed");
    else if (more && strcmp(words[i], "--write") == 0) letters = number_of(words[++i], "--write");
    else if (more && strcmp(words[i], "--device") == 0) selector = words[++i];
    else if (words[i][0] != '-' && path == NULL) path = words[i];
    else
      fail(words[i], "usage: transformer [TEXT_FILE] [--steps N] [--seed S] [--device SELECTOR] "
                     "[--write N]");
  }
  CHECK(netcl_device_open(selector, NULL, &device));
  CHECK(netcl_device_get_info(device, &info));
  from = read_text(path != NULL ? path : NETCL_EXAMPLE_TEXT);
  printf("%s: %ld characters, %ld different ones\n", info.name, (long)from.count,
         (long)from.characters);
  net = model_make(device, from.characters);
  loss = train(&net, &from, steps);
  write_on(&net, &from, letters);
  model_release(&net);
  free(from.tokens);
  netcl_device_release(device);
  if (path == NULL && steps >= kStepsForLoss && !(loss < kLossMost)) {
    fail("loss", "it has not fallen below 2.2");
  }
  return 0;
}
