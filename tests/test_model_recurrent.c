/* LSTM, GRU and RNN of models with every option, against sums in double precision. */
#include <math.h>
#include <stdio.h>

#include "support_graph.h"
#include "support_onnx.h"

enum { STEPS = 6, BATCH = 3, WIDTH = 4, HIDDEN = 4, GATES = 4, WAYS = 2, FUNCTIONS = 3 };

typedef struct Function {
  const char *name;
  int has_alpha, has_beta;
} Function;

/* The first of them stay within bounds, as the gates of a cell have to. */
enum { BOUNDED = 5 };
static const Function kFunctions[] = {
    {"Tanh", 0, 0},     {"Sigmoid", 0, 0}, {"ScaledTanh", 1, 1}, {"HardSigmoid", 1, 1},
    {"Softsign", 0, 0}, {"Affine", 1, 1},  {"LeakyRelu", 1, 0},  {"ThresholdedRelu", 1, 0},
    {"Elu", 1, 0},      {"Relu", 0, 0},    {"Softplus", 0, 0}};

static double apply(const char *name, double alpha, double beta, double x) {
  if (strcmp(name, "Relu") == 0) return x > 0 ? x : 0;
  if (strcmp(name, "Tanh") == 0) return tanh(x);
  if (strcmp(name, "Sigmoid") == 0) return 1 / (1 + exp(-x));
  if (strcmp(name, "Affine") == 0) return alpha * x + beta;
  if (strcmp(name, "LeakyRelu") == 0) return x < 0 ? alpha * x : x;
  if (strcmp(name, "ThresholdedRelu") == 0) return x > alpha ? x : 0;
  if (strcmp(name, "ScaledTanh") == 0) return alpha * tanh(beta * x);
  if (strcmp(name, "HardSigmoid") == 0) return fmax(0, fmin(1, alpha * x + beta));
  if (strcmp(name, "Elu") == 0) return x < 0 ? alpha * (exp(x) - 1) : x;
  if (strcmp(name, "Softsign") == 0) return x / (1 + fabs(x));
  return log(1 + exp(x));
}

/* What an attribute leaves out has the value 0, and is not written. */
typedef struct Case {
  const char *op;
  int gates, functions, ways, reverse, batch_first, input_forget, before_reset;
  int steps, batch, width, hidden;
  const char *names[WAYS * FUNCTIONS];
  double alpha[WAYS * FUNCTIONS], beta[WAYS * FUNCTIONS];
  double clip;
  int lengths[BATCH];
  int has_bias, has_lengths, has_hidden, has_cell, has_peepholes, has_names;
  float x[STEPS * BATCH * WIDTH], w[WAYS * GATES * HIDDEN * WIDTH];
  float r[WAYS * GATES * HIDDEN * HIDDEN];
  float b[WAYS * 2 * GATES * HIDDEN], h[WAYS * BATCH * HIDDEN], c[WAYS * BATCH * HIDDEN];
  float p[WAYS * 3 * HIDDEN];
} Case;

typedef struct Results {
  double y[STEPS * WAYS * BATCH * HIDDEN], h[WAYS * BATCH * HIDDEN], c[WAYS * BATCH * HIDDEN];
} Results;

static void fill(float *values, size_t count) {
  for (size_t i = 0; i < count; ++i) values[i] = (float)random_real(-1, 1);
}
#define FILL(array) fill((array), COUNT_OF(array))

/* A place of a tensor whose first two extents may be the other way round. */
static int place(const Case *c, int a, int a_count, int b, int b_count) {
  return c->batch_first ? b * a_count + a : a * b_count + b;
}

static double function(const Case *c, int way, int k, double x) {
  const int i = way * c->functions + k;
  return apply(c->names[i], c->alpha[i], c->beta[i], x);
}
static double gate(const Case *c, int way, int k, double sum) {
  if (c->clip > 0) sum = fmax(-c->clip, fmin(c->clip, sum));
  return function(c, way, k, sum);
}

/* One entry of a batch in one direction. */
static void step(const Case *c, int way, const float *x, double *h, double *cell) {
  double wx[GATES][HIDDEN], rh[GATES][HIDDEN], next[HIDDEN];
  for (int g = 0; g < c->gates; ++g) {
    for (int j = 0; j < c->hidden; ++j) {
      const int row = (way * c->gates + g) * c->hidden + j;
      const int bias = (way * 2 * c->gates + g) * c->hidden + j;
      wx[g][j] = c->has_bias ? c->b[bias] : 0;
      rh[g][j] = c->has_bias ? c->b[bias + c->gates * c->hidden] : 0;
      for (int k = 0; k < c->width; ++k) wx[g][j] += (double)c->w[row * c->width + k] * x[k];
      for (int k = 0; k < c->hidden; ++k) rh[g][j] += (double)c->r[row * c->hidden + k] * h[k];
    }
  }
  for (int j = 0; j < c->hidden; ++j) {
    const float *p = c->p + way * 3 * c->hidden + j;
    const double seen = c->has_peepholes ? cell[j] : 0;
    if (c->gates == 1) {
      next[j] = gate(c, way, 0, wx[0][j] + rh[0][j]);
    } else if (c->gates == 4) {
      const double in = gate(c, way, 0, wx[0][j] + rh[0][j] + p[0] * seen);
      const double forget = c->input_forget
                                ? 1 - in
                                : gate(c, way, 0, wx[2][j] + rh[2][j] + p[2 * c->hidden] * seen);
      cell[j] = forget * cell[j] + in * gate(c, way, 1, wx[3][j] + rh[3][j]);
      const double out = gate(c, way, 0,
                              wx[1][j] + rh[1][j] +
                                  (c->has_peepholes ? p[c->hidden] * cell[j] : 0));
      next[j] = out * function(c, way, 2, cell[j]);
    } else {
      const double update = gate(c, way, 0, wx[0][j] + rh[0][j]);
      double sum = wx[2][j];
      if (c->before_reset) {
        sum += gate(c, way, 0, wx[1][j] + rh[1][j]) * rh[2][j];
      } else {
        const int row = (way * c->gates + 2) * c->hidden + j;
        if (c->has_bias) sum += c->b[(way * 2 * c->gates + c->gates + 2) * c->hidden + j];
        for (int k = 0; k < c->hidden; ++k) {
          sum += gate(c, way, 0, wx[1][k] + rh[1][k]) * h[k] * c->r[row * c->hidden + k];
        }
      }
      next[j] = (1 - update) * gate(c, way, 1, sum) + update * h[j];
    }
  }
  memcpy(h, next, sizeof next);
}

static void reference(const Case *c, Results *results) {
  memset(results, 0, sizeof *results);
  for (int way = 0; way < c->ways; ++way) {
    for (int n = 0; n < c->batch; ++n) {
      double h[HIDDEN] = {0}, cell[HIDDEN] = {0};
      const int at = place(c, way, c->ways, n, c->batch) * c->hidden;
      for (int j = 0; j < c->hidden; ++j) {
        if (c->has_hidden) h[j] = c->h[at + j];
        if (c->has_cell) cell[j] = c->c[at + j];
      }
      const int length = c->has_lengths ? c->lengths[n] : c->steps;
      const int backward = c->reverse || way == 1;
      for (int i = 0; i < length; ++i) {
        const int t = backward ? length - 1 - i : i;
        step(c, way, c->x + place(c, t, c->steps, n, c->batch) * c->width, h, cell);
        /* [steps, ways, batch, hidden] or [batch, steps, ways, hidden] */
        const int y = c->batch_first ? (n * c->steps + t) * c->ways + way
                                     : (t * c->ways + way) * c->batch + n;
        for (int j = 0; j < c->hidden; ++j) results->y[y * c->hidden + j] = h[j];
      }
      for (int j = 0; j < c->hidden; ++j) results->h[at + j] = h[j];
      for (int j = 0; j < c->hidden; ++j) results->c[at + j] = cell[j];
    }
  }
}

static Case random_case(void) {
  static const char *const kOps[] = {"LSTM", "GRU", "RNN"};
  static const char *const kDefaults[] = {"Sigmoid", "Tanh", "Tanh"};
  Case c = {0};
  const int op = (int)random_in(0, 2);
  c.op = kOps[op];
  c.gates = op == 0 ? 4 : op == 1 ? 3 : 1;
  c.functions = 3 - op;
  c.ways = (int)random_in(1, 2);
  c.reverse = c.ways == 1 && random_in(0, 1);
  c.batch_first = (int)random_in(0, 1);
  c.input_forget = op == 0 && random_in(0, 2) == 0;
  c.before_reset = op == 1 && random_in(0, 1);
  c.steps = (int)random_in(1, STEPS);
  c.batch = (int)random_in(1, BATCH);
  c.width = (int)random_in(1, WIDTH);
  c.hidden = (int)random_in(1, HIDDEN);
  c.has_names = (int)random_in(0, 1);
  for (int i = 0; i < c.ways * c.functions; ++i) {
    const int is_gate = c.functions > 1 && i % c.functions == 0;
    const Function *f = &kFunctions[random_in(0, (is_gate ? BOUNDED : COUNT_OF(kFunctions)) - 1)];
    c.names[i] = c.has_names ? f->name : op == 2 ? "Tanh" : kDefaults[i % c.functions];
    if (!c.has_names) continue;
    /* Binary fractions stand in a file as they are. */
    if (f->has_alpha) c.alpha[i] = (double)random_in(1, 7) / 8;
    if (f->has_beta) c.beta[i] = (double)random_in(1, 7) / 8;
  }
  if (random_in(0, 2) == 0) c.clip = (double)random_in(2, 8) / 8;
  c.has_bias = (int)random_in(0, 1);
  c.has_lengths = (int)random_in(0, 1);
  c.has_hidden = (int)random_in(0, 1);
  c.has_cell = op == 0 && random_in(0, 1);
  c.has_peepholes = op == 0 && random_in(0, 1);
  for (int n = 0; n < c.batch; ++n) c.lengths[n] = (int)random_in(0, c.steps);
  FILL(c.x);
  FILL(c.w);
  FILL(c.r);
  FILL(c.b);
  FILL(c.h);
  FILL(c.c);
  FILL(c.p);
  return c;
}

static void append_names(const Case *c, char *text) {
  text += sprintf(text, " activations=");
  for (int i = 0; i < c->ways * c->functions; ++i) {
    text += sprintf(text, "%c%s", i == 0 ? '[' : ',', c->names[i]);
  }
  text += sprintf(text, "]");
  for (int which = 0; which < 2; ++which) {
    int count = 0;
    for (int i = 0; i < c->ways * c->functions; ++i) {
      const double value = which == 0 ? c->alpha[i] : c->beta[i];
      if (value == 0) continue;
      text += count++ == 0 ? sprintf(text, " activation_%s=[", which == 0 ? "alpha" : "beta")
                           : sprintf(text, ",");
      text += sprintf(text, "%.4f", value);
    }
    if (count > 0) text += sprintf(text, "]");
  }
}

static netcl_model *load_case(Fixture *fixture, const Case *c) {
  char attributes[512], names[64] = "x w r";
  OnnxBytes graph = {0};
  char *end = attributes + sprintf(attributes, "hidden_size=%d direction:%s", c->hidden,
                                   c->ways == 2 ? "bidirectional"
                                   : c->reverse ? "reverse"
                                                : "forward");
  if (c->batch_first) end += sprintf(end, " layout=1");
  if (c->input_forget) end += sprintf(end, " input_forget=1");
  if (c->before_reset) end += sprintf(end, " linear_before_reset=1");
  if (c->clip > 0) end += sprintf(end, " clip=%.4f", c->clip);
  if (c->has_names) append_names(c, end);
  const int64_t w[3] = {c->ways, c->gates * c->hidden, c->width};
  const int64_t r[3] = {c->ways, c->gates * c->hidden, c->hidden};
  const int64_t b[2] = {c->ways, 2 * c->gates * c->hidden}, p[2] = {c->ways, 3 * c->hidden};
  onnx_weight(&graph, "w", NETCL_F32, 3, w, c->w);
  onnx_weight(&graph, "r", NETCL_F32, 3, r, c->r);
  onnx_weight(&graph, "b", NETCL_F32, 2, b, c->b);
  onnx_weight(&graph, "p", NETCL_F32, 2, p, c->p);
  onnx_input(&graph, "x", NETCL_F32, "? ? ?");
  onnx_input(&graph, "l", NETCL_I32, "?");
  onnx_input(&graph, "h", NETCL_F32, "? ? ?");
  onnx_input(&graph, "c", NETCL_F32, "? ? ?");
  sprintf(names + strlen(names), " %s %s %s", c->has_bias ? "b" : "-", c->has_lengths ? "l" : "-",
          c->has_hidden ? "h" : "-");
  if (c->gates == 4) {
    sprintf(names + strlen(names), " %s %s", c->has_cell ? "c" : "-", c->has_peepholes ? "p" : "-");
  }
  onnx_node(&graph, c->op, "cell", names, c->gates == 4 ? "y yh yc" : "y yh", attributes);
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_output(&graph, "yh", NETCL_F32, NULL);
  if (c->gates == 4) onnx_output(&graph, "yc", NETCL_F32, NULL);
  return onnx_load(fixture, &graph, 14);
}

static void check_values(const Case *c, const char *what, netcl_tensor *tensor,
                         const double *wanted, int64_t count) {
  const netcl_tensor_info info = tensor_info(tensor);
  CHECK(info.element_count == count, "%s of %s has %d elements", what, c->op,
        (int)info.element_count);
  float *got = read_tensor(tensor);
  double largest = 1;
  for (int64_t i = 0; i < count; ++i) largest = fmax(largest, fabs(wanted[i]));
  for (int64_t i = 0; i < count; ++i) {
    CHECK(fabs(got[i] - wanted[i]) <= 2e-5 * largest,
          "%s of %s (ways %d, reverse %d, batch first %d): element %d is %.9g, expected %.9g", what,
          c->op, c->ways, c->reverse, c->batch_first, (int)i, (double)got[i], wanted[i]);
  }
  free(got);
}

static void options(void **state) {
  Fixture *fixture = *state;
  static Results wanted;
  for (int round = 0; round < rounds(fixture, 40); ++round) {
    const Case c = random_case();
    reference(&c, &wanted);
    netcl_model *model = load_case(fixture, &c);
    const int first = c.batch_first ? c.batch : c.steps, second = c.batch_first ? c.steps : c.batch;
    const int64_t x[3] = {first, second, c.width}, l[1] = {c.batch};
    const int64_t s[3] = {c.batch_first ? c.batch : c.ways, c.batch_first ? c.ways : c.batch,
                          c.hidden};
    netcl_tensor *const inputs[4] = {make_tensor(fixture->device, NETCL_F32, 3, x, c.x),
                                     make_tensor(fixture->device, NETCL_I32, 1, l, c.lengths),
                                     make_tensor(fixture->device, NETCL_F32, 3, s, c.h),
                                     make_tensor(fixture->device, NETCL_F32, 3, s, c.c)};
    netcl_tensor *outputs[3] = {NULL};
    uint32_t count = 0;
    OK(netcl_model_evaluate(model, inputs, 4, NULL, outputs, 3, &count));
    assert_int_equal(count, c.gates == 4 ? 3 : 2);
    const int64_t states = (int64_t)c.ways * c.batch * c.hidden;
    check_values(&c, "Y", outputs[0], wanted.y, states * c.steps);
    check_values(&c, "Y_h", outputs[1], wanted.h, states);
    if (c.gates == 4) check_values(&c, "Y_c", outputs[2], wanted.c, states);
    release_tensors(outputs, count);
    release_tensors(inputs, 4);
    netcl_model_release(model);
  }
}

/* Nothing in the graph stands for a number of steps: a long sequence is as right as a short one. */
static void long_sequence(void **state) {
  Fixture *fixture = *state;
  enum { LONG = 300 };
  OnnxBytes graph = {0};
  const int64_t square[3] = {1, 1, 1}, shape[3] = {LONG, 1, 1};
  const float w = 0.5f, r = 0.75f;
  float x[LONG];
  double h = 0;
  onnx_weight(&graph, "w", NETCL_F32, 3, square, &w);
  onnx_weight(&graph, "r", NETCL_F32, 3, square, &r);
  onnx_input(&graph, "x", NETCL_F32, "n 1 1");
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_node(&graph, "RNN", "cell", "x w r", "y", "hidden_size=1");
  netcl_model *model = onnx_load(fixture, &graph, 14);
  for (int i = 0; i < LONG; ++i) x[i] = (float)random_real(-1, 1);
  netcl_tensor *input = make_tensor(fixture->device, NETCL_F32, 3, shape, x);
  netcl_tensor *y = onnx_run(model, &input, 1);
  float *got = read_tensor(y);
  for (int i = 0; i < LONG; ++i) {
    h = tanh(0.5 * x[i] + 0.75 * h);
    CHECK(fabs(got[i] - h) < 2e-5, "step %d gives %g, expected %g", i, (double)got[i], h);
  }
  free(got);
  RELEASE(input, y);
  netcl_model_release(model);
}

/* ---- What does not fit ----------------------------------------------------------------------- */

static OnnxBytes small_cell(const char *op, int64_t gates, const char *attributes) {
  OnnxBytes graph = {0};
  const int64_t w[3] = {1, gates * 2, 3}, r[3] = {1, gates * 2, 2};
  static const float zeros[32];
  onnx_weight(&graph, "w", NETCL_F32, 3, w, zeros);
  onnx_weight(&graph, "r", NETCL_F32, 3, r, zeros);
  onnx_input(&graph, "x", NETCL_F32, NULL);
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_node(&graph, op, "cell", "x w r", "y", attributes);
  return graph;
}

static void refuse(Fixture *fixture, const char *op, int64_t gates, const char *attributes,
                   netcl_status status, const char *text) {
  OnnxBytes graph = small_cell(op, gates, attributes), file = onnx_file(&graph, 14);
  netcl_model *model = NULL;
  FAILS_WITH(status, text,
             netcl_model_load_memory(fixture->device, file.data, file.size, NULL, &model));
  onnx_free(&file);
}

static void refuse_run(Fixture *fixture, int64_t gates, const char *attributes, int64_t width,
                       const char *text) {
  OnnxBytes graph = small_cell("LSTM", gates, attributes);
  netcl_model *model = onnx_load(fixture, &graph, 14);
  const int64_t shape[3] = {2, 1, width};
  netcl_tensor *x = NULL, *y = NULL;
  uint32_t count = 0;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 3, shape, NULL, NULL, &x));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, text,
             netcl_model_evaluate(model, &x, 1, NULL, &y, 1, &count));
  assert_null(y);
  RELEASE(x);
  netcl_model_release(model);
}

static void refused(void **state) {
  Fixture *fixture = *state;
  refuse(fixture, "LSTM", 4, "direction:sideways", NETCL_ERROR_UNSUPPORTED,
         "LSTM with direction sideways: node \"cell\" (LSTM)");
  refuse(fixture, "GRU", 3, "activations=[Tanh]", NETCL_ERROR_UNSUPPORTED,
         "GRU with 1 activations; it takes 2");
  refuse(fixture, "RNN", 1, "activations=[Sine]", NETCL_ERROR_UNSUPPORTED,
         "RNN with activation Sine");
  refuse_run(fixture, 4, "hidden_size=3", 3, "node \"cell\" (LSTM): hidden_size is 3");
  refuse_run(fixture, 4, NULL, 2, "input 1 has shape [1, 8, 3]; it is [1, 8, 2]");
  refuse_run(fixture, 3, NULL, 3, "input 1 has shape [1, 6, 3]; it is [1, 8, 3]");
  refuse_run(fixture, 4, "direction:bidirectional", 3, "input 1 has shape [1, 8, 3]; it is [2,");
}

int main(void) {
  seed_random("model_recurrent");
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(options),
      DEVICE_TEST(long_sequence),
      DEVICE_TEST(refused),
  };
  return cmocka_run_group_tests_name("model_recurrent", tests, NULL, NULL);
}
