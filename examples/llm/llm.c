/*
 * A decoder with random weights, at the speed that such a model has here:
 *
 *   llm [--layers N] [--width N] [--heads N] [--kv-heads N] [--hidden N] [--vocabulary N]
 *       [--prompt N] [--tokens N] [--batch N] [--dtype f32|f16|bf16] [--temperature T]
 *       [--seed S] [--device SELECTOR]
 *
 * It reads a prompt at once (prefill), then writes token by token (decode), with a cache of keys
 * and values. A step of decoding, with the choice of the token and its entry, is recorded once and
 * compiled; it reads where it stands from tensors, so that a run needs nothing from the host. It
 * prints tokens per second, and the share of the memory's rate at which weights and cache are read.
 * It ends with 1 when decoding does not give what a prefill of the same tokens gives, or when the
 * built-in device and OpenCL do not agree, within the rounding of the dtype.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L
#include "model.h"

/* What a second device has to compute again is bounded. */
static const double kOtherMost = 3e8;

typedef struct session {
  model net;
  int64_t prompt, steps;
  double temperature;
  uint64_t seed;
  netcl_tensor *written;   /* i32 [batch, context]: all tokens */
  netcl_tensor *position;  /* i32 [batch, 1]: which of them is read next */
  netcl_tensor *drawn;     /* f32 [batch, context]: a random number for each */
  netcl_graph *graph;      /* a step, compiled */
  netcl_tensor *logits;    /* of the last step, f32 [batch, vocabulary] */
} session;

/* ---- A session ---- */

static void set_position(session *here, int64_t place) {
  const int32_t value = (int32_t)place;
  CHECK(netcl_op_fill(here->position, &value, NULL));
}

/* Random tokens as the prompt, the same on every device. */
static session session_make(netcl_device *device, const sizes *is, int64_t prompt, int64_t steps,
                            double temperature, uint64_t seed) {
  const int64_t tokens[2] = {is->batch, is->context}, one[2] = {is->batch, 1};
  const int64_t logits[2] = {is->batch, is->vocabulary};
  netcl_random_options options = NETCL_RANDOM_OPTIONS_INIT;
  session made;
  memset(&made, 0, sizeof made);
  made.net = model_make(device, is, seed);
  made.prompt = prompt;
  made.steps = steps;
  made.temperature = temperature;
  made.seed = seed;
  options.seed = seed + 1;
  CHECK(netcl_tensor_create_random(device, NETCL_F32, 2, tokens, NULL, &options, NULL,
                                   &made.drawn));
  options.high = (double)is->vocabulary;
  CHECK(netcl_tensor_create_random(device, NETCL_I32, 2, tokens, NULL, &options, NULL,
                                   &made.written));
  CHECK(netcl_tensor_create_zeros(device, NETCL_I32, 2, one, NULL, NULL, &made.position));
  CHECK(netcl_tensor_create_zeros(device, NETCL_F32, 2, logits, NULL, NULL, &made.logits));
  return made;
}

static void session_release(session *here) {
  model_release(&here->net);
  netcl_graph_release(here->graph);
  netcl_tensor_release(here->written);
  netcl_tensor_release(here->position);
  netcl_tensor_release(here->drawn);
  netcl_tensor_release(here->logits);
}

/* The logits behind the first `tokens` tokens, or behind the last of them. */
static netcl_tensor *prefill(session *here, int64_t tokens, int all) {
  const sizes *is = &here->net.is;
  const int64_t shape[2] = {is->batch, tokens}, rows[2] = {is->context, 1};
  int32_t *places = (int32_t *)allocate((size_t)(is->batch * tokens) * sizeof *places);
  netcl_tensor *ids = view_of(here->written, 2, shape, rows, 0), *positions = NULL, *logits;
  int64_t i;
  for (i = 0; i < is->batch * tokens; ++i) places[i] = (int32_t)(i % tokens);
  CHECK(netcl_tensor_create_from_host(here->net.device, NETCL_I32, 2, shape, NULL, places,
                                      (size_t)(is->batch * tokens) * sizeof *places, NULL,
                                      &positions));
  free(places);
  logits = forward(&here->net, ids, positions, tokens, all, NULL);
  netcl_tensor_release(ids);
  netcl_tensor_release(positions);
  return logits;
}

/* Chooses the token behind `position` and enters it. */
static void enter(session *here, netcl_tensor *logits, const netcl_run_options *run) {
  const netcl_run_options into = run_into(run, here->written);
  const netcl_run_options moved = run_into(run, here->position);
  netcl_tensor *place = NULL, *next = sample(&here->net, logits, here->position, here->drawn,
                                             here->temperature, run);
  CHECK(netcl_op_expression_text("v0 + 1", &here->position, 1, NULL, run, &place));
  CHECK(netcl_op_scatter(here->written, place, next, 1, NULL, &into, NULL));
  CHECK(netcl_op_copy(place, &moved, NULL));
  netcl_tensor_release(place);
  netcl_tensor_release(next);
}

/* Reads the token at `position` and enters the next one. */
static netcl_tensor *step(session *here, const netcl_run_options *run) {
  netcl_tensor *token = NULL, *logits;
  CHECK(netcl_op_gather_elements(here->written, here->position, 1, run, &token));
  logits = forward(&here->net, token, here->position, 1, 0, run);
  enter(here, logits, run);
  netcl_tensor_release(token);
  return logits;
}

static void compile_step(session *here) {
  netcl_graph_options capture = NETCL_GRAPH_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *logits;
  capture.execute = NETCL_OFF;
  CHECK(netcl_graph_create(here->net.device, &capture, &here->graph));
  run.graph = here->graph;
  logits = step(here, &run);
  CHECK(netcl_graph_compile(here->graph, NULL, 0, &logits, 1, NULL));
  netcl_tensor_release(logits);
}

/* ---- How fast it is ---- */

static double seconds_since(const session *here, uint64_t start) {
  CHECK(netcl_device_finish(here->net.device, PATIENCE_NS));
  return (double)(now_ns() - start) * 1e-9;
}

/* The prompt is read twice: kernels may have to be compiled for the first time. */
static double time_prefill(session *here) {
  double seconds = 0;
  int i;
  for (i = 0; i < 2; ++i) {
    const uint64_t start = now_ns();
    netcl_tensor *logits = prefill(here, here->prompt, 0);
    seconds = seconds_since(here, start);
    set_position(here, here->prompt - 1);
    enter(here, logits, NULL);
    netcl_tensor_release(logits);
  }
  return seconds;
}

/* All steps from the end of the prompt on; one before them, for kernels that are new. */
static double time_decode(session *here, int compiled) {
  uint64_t start = 0;
  int64_t i;
  for (i = -1; i < here->steps; ++i) {
    if (i <= 0) {
      set_position(here, here->prompt);
      (void)seconds_since(here, 0);
      start = now_ns();
    }
    if (compiled) {
      CHECK(netcl_graph_run(here->graph, NULL, 0, &here->logits, 1, NULL));
    } else {
      netcl_tensor_release(step(here, NULL));
    }
  }
  return seconds_since(here, start);
}

/* Bytes per second that the device reads from its memory; 0 when that is not known. */
static double memory_rate(netcl_device *device) {
  netcl_ceilings_options options = NETCL_CEILINGS_OPTIONS_INIT;
  netcl_ceilings *ceilings = NULL;
  netcl_ceiling rows[256];
  uint32_t count = 0, i;
  double rate = 0;
  options.budget_ns = 300 * 1000 * 1000;
  if (netcl_ceilings_measure(device, &options, &ceilings) != NETCL_OK) {
    printf("the memory's rate is not known: %s\n", netcl_last_error_message());
    return 0;
  }
  CHECK(netcl_ceilings_get(ceilings, rows, 256, &count));
  for (i = 0; i < count && i < 256; ++i) {
    if (rows[i].kind == NETCL_CEILING_MEMORY_READ) rate = rows[i].value;
  }
  netcl_ceilings_release(ceilings);
  return rate;
}

static void report(session *here) {
  const sizes *is = &here->net.is;
  const double element = (double)netcl_dtype_size(is->dtype), batch = (double)is->batch;
  const double mean = (double)here->prompt + ((double)here->steps + 1) / 2;
  const double cache = batch * (double)(is->layers * 2 * is->kv_heads * here->net.head) * mean;
  const double bytes = (here->net.weight_count + cache) * element, steps = (double)here->steps;
  const double read = time_prefill(here), plain = time_decode(here, 0);
  netcl_graph_info info = NETCL_GRAPH_INFO_INIT;
  uint64_t start = now_ns();
  double seconds, made, rate;
  compile_step(here);
  made = (double)(now_ns() - start) * 1e-9;
  CHECK(netcl_graph_get_info(here->graph, &info));
  seconds = time_decode(here, 1);
  printf("prefill: %ld tokens in %.2f ms, %.0f tokens/s\n", (long)(is->batch * here->prompt),
         read * 1e3, batch * (double)here->prompt / read);
  printf("decode, call by call: %.3f ms a step, %.0f tokens/s\n", plain * 1e3 / steps,
         batch * steps / plain);
  printf("decode, compiled: %.3f ms a step, %.0f tokens/s; %lu calls, %lu commands, in %.2f s\n",
         seconds * 1e3 / steps, batch * steps / seconds, (unsigned long)info.call_count,
         (unsigned long)info.command_count, made);
  rate = memory_rate(here->net.device);
  printf("a step reads %.1f MB of weights and cache: %.2f GB/s", bytes * 1e-6,
         bytes * steps / seconds * 1e-9);
  if (rate > 0) {
    printf(", %.2f of the %.1f GB/s that this memory gives", bytes * steps / seconds / rate,
           rate * 1e-9);
  }
  printf("\n");
}

/* ---- What is right ---- */

static float *read_rows(netcl_tensor *tensor, size_t count) {
  float *values = (float *)allocate(count * sizeof *values);
  CHECK(netcl_tensor_read(tensor, values, count * sizeof *values, NULL, PATIENCE_NS));
  return values;
}

/* How far logits may be apart that were added up in another order: what each layer adds is rounded
 * at a few places, of sums of many terms in f32, and of what is stored in 16 bits. */
static double bound_of(const sizes *is, double most) {
  const double unit = is->dtype == NETCL_F32 ? 0x1p-21 : is->dtype == NETCL_F16 ? 0x1p-11 : 0x1p-8;
  return most * unit * (2 + 2 * sqrt((double)is->layers));
}

/* Ends the program where logits are too far apart. */
static void compare(const sizes *is, const char *what, const float *got, const float *wanted,
                    size_t count) {
  double apart = 0, most = 0, bound;
  size_t i;
  for (i = 0; i < count; ++i) {
    if (!(fabs(got[i] - wanted[i]) <= apart)) apart = fabs(got[i] - wanted[i]);
    most = fmax(most, fabs(wanted[i]));
  }
  bound = bound_of(is, most);
  printf("%s: logits of up to %.3g differ by %.2g at most, %.2g is allowed\n", what, most, apart,
         bound);
  if (!(apart <= bound)) fail(what, "the logits differ");
}

/* Logits of each step, [steps, batch, vocabulary], by decoding once more. */
static float *decoded_logits(session *here) {
  const size_t row = (size_t)(here->net.is.batch * here->net.is.vocabulary);
  float *all = (float *)allocate((size_t)here->steps * row * sizeof *all);
  int64_t i;
  set_position(here, here->prompt);
  for (i = 0; i < here->steps; ++i) {
    CHECK(netcl_graph_run(here->graph, NULL, 0, &here->logits, 1, NULL));
    CHECK(netcl_tensor_read(here->logits, all + (size_t)i * row, row * sizeof *all, NULL,
                            PATIENCE_NS));
  }
  return all;
}

/* The same by a prefill of all tokens. */
static float *prefilled_logits(session *here) {
  const sizes *is = &here->net.is;
  const int64_t tokens = here->prompt + here->steps, line = is->vocabulary;
  const int64_t shape[3] = {here->steps, is->batch, line}, strides[3] = {line, tokens * line, 1};
  netcl_tensor *logits = prefill(here, tokens, 1);
  netcl_tensor *behind = view_of(logits, 3, shape, strides, here->prompt * line);
  float *all = read_rows(behind, (size_t)(here->steps * is->batch * line));
  netcl_tensor_release(behind);
  netcl_tensor_release(logits);
  return all;
}

static int32_t *read_tokens(const session *here) {
  const size_t bytes = (size_t)(here->net.is.batch * here->net.is.context) * sizeof(int32_t);
  int32_t *tokens = (int32_t *)allocate(bytes);
  CHECK(netcl_tensor_read(here->written, tokens, bytes, NULL, PATIENCE_NS));
  return tokens;
}

/* The logits of the same tokens on another device: OpenCL's CPU for the built-in one, which is that
 * for all others. */
static void compare_devices(session *here, const int32_t *tokens, const float *wanted) {
  const sizes *is = &here->net.is;
  netcl_device_info info = NETCL_DEVICE_INFO_INIT, own = NETCL_DEVICE_INFO_INIT;
  netcl_device *device = NULL;
  session there;
  float *got;
  CHECK(netcl_device_get_info(here->net.device, &own));
  CHECK(netcl_device_open(own.backend == NETCL_BACKEND_BUILTIN ? "cpu" : "builtin", NULL, &device));
  CHECK(netcl_device_get_info(device, &info));
  if (info.backend == own.backend) {
    printf("no other device to compare with\n");
  } else if (here->net.weight_count > kOtherMost) {
    printf("no comparison with %s: there are too many weights\n", info.name);
  } else {
    there = session_make(device, is, here->prompt, here->steps, here->temperature, here->seed);
    CHECK(netcl_tensor_write(there.written, tokens,
                             (size_t)(is->batch * is->context) * sizeof *tokens, NULL,
                             PATIENCE_NS));
    got = prefilled_logits(&there);
    compare(is, info.name, got, wanted, (size_t)(here->steps * is->batch * is->vocabulary));
    free(got);
    session_release(&there);
  }
  netcl_device_release(device);
}

/* The tokens that were decoded come out again, with logits as a prefill of them has. */
static void check_all(session *here) {
  const sizes *is = &here->net.is;
  const size_t all = (size_t)(is->batch * is->context) * sizeof(int32_t);
  int32_t *tokens = read_tokens(here), *again;
  float *decoded = decoded_logits(here), *prefilled;
  again = read_tokens(here);
  if (memcmp(tokens, again, all) != 0) fail("decode", "it gives other tokens the second time");
  prefilled = prefilled_logits(here);
  compare(is, "decode and prefill", decoded, prefilled,
          (size_t)(here->steps * is->batch * is->vocabulary));
  compare_devices(here, tokens, decoded);
  free(tokens);
  free(again);
  free(decoded);
  free(prefilled);
}

/* ---- Options ---- */

static int64_t number_of(const char *words, const char *option) {
  char *end = NULL;
  const long value = strtol(words, &end, 10);
  if (end == words || *end != '\0' || value < 1 || value > 1000000) {
    fail(option, "it is a whole number from 1 to 1000000");
  }
  return value;
}

static double temperature_of(const char *words) {
  char *end = NULL;
  const double value = strtod(words, &end);
  if (end == words || *end != '\0' || !(value >= 0 && value <= 1000)) {
    fail("--temperature", "it is a number from 0 to 1000");
  }
  return value;
}

static netcl_dtype dtype_of(const char *words) {
  static const netcl_dtype dtypes[3] = {NETCL_F32, NETCL_F16, NETCL_BF16};
  int i;
  for (i = 0; i < 3; ++i) {
    if (strcmp(words, netcl_dtype_name(dtypes[i])) == 0) return dtypes[i];
  }
  fail("--dtype", "it is f32, f16 or bf16");
  return 0;
}

static void check_sizes(const sizes *is) {
  if (is->width % is->heads != 0 || is->width / is->heads % 2 != 0 ||
      is->width / is->heads > 256) {
    fail("--heads", "heads have an even number of elements, 256 at most, and fill the width");
  }
  if (is->heads % is->kv_heads != 0) fail("--kv-heads", "they divide the heads");
}

int main(int count, char **words) {
  sizes is = {4, 256, 8, 4, 688, 4096, 0, 1, NETCL_F32};
  int64_t prompt = 64, steps = 48, seed = 1;
  const struct {
    const char *name;
    int64_t *value;
  } numbers[] = {{"--layers", &is.layers},         {"--width", &is.width},
                 {"--heads", &is.heads},           {"--kv-heads", &is.kv_heads},
                 {"--hidden", &is.hidden},         {"--vocabulary", &is.vocabulary},
                 {"--prompt", &prompt},            {"--tokens", &steps},
                 {"--batch", &is.batch},           {"--seed", &seed}};
  const char *selector = "auto";
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  netcl_device *device = NULL;
  double temperature = 0;
  session here;
  int i;
  size_t k;
  program_name = "llm";
  for (i = 1; i < count; ++i) {
    const char *const name = words[i];
    for (k = 0; k < sizeof numbers / sizeof *numbers; ++k) {
      if (i + 1 < count && strcmp(name, numbers[k].name) == 0) break;
    }
    if (k < sizeof numbers / sizeof *numbers) *numbers[k].value = number_of(words[++i], name);
    else if (i + 1 < count && strcmp(name, "--dtype") == 0) is.dtype = dtype_of(words[++i]);
    else if (i + 1 < count && strcmp(name, "--temperature") == 0)
      temperature = temperature_of(words[++i]);
    else if (i + 1 < count && strcmp(name, "--device") == 0) selector = words[++i];
    else
      fail(name, "usage: llm [--layers N] [--width N] [--heads N] [--kv-heads N] [--hidden N] "
                 "[--vocabulary N] [--prompt N] [--tokens N] [--batch N] [--dtype f32|f16|bf16] "
                 "[--temperature T] [--seed S] [--device SELECTOR]");
  }
  check_sizes(&is);
  is.context = prompt + steps + 1;
  CHECK(netcl_device_open(selector, NULL, &device));
  CHECK(netcl_device_get_info(device, &info));
  here = session_make(device, &is, prompt, steps, temperature, (uint64_t)seed);
  printf("%s: %ld layers of %ld, %ld heads with %ld of keys and values, %s, %.1f million weights\n",
         info.name, (long)is.layers, (long)is.width, (long)is.heads, (long)is.kv_heads,
         netcl_dtype_name(is.dtype), here.net.weight_count * 1e-6);
  report(&here);
  check_all(&here);
  session_release(&here);
  netcl_device_release(device);
  return 0;
}
