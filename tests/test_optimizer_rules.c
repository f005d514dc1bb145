/* What optimisers refuse, and their steps as calls of tapes and captures. */
#include <math.h>

#include "support_graph.h"
#include "support_optimizer.h"

#define INVALID NETCL_ERROR_INVALID_ARGUMENT

static void lists(void** state) {
  Fixture* fixture = *state;
  const Recipe recipe = plain_recipe(ADAM);
  Group g = make_group(fixture, &recipe, 3);
  new_gradients(fixture, &g);
  netcl_tensor *p[3], *d[3], *m[3], *v[3];
  for (int i = 0; i < 3; ++i) {
    p[i] = g.entries[i].parameter.view, d[i] = g.entries[i].gradient.view;
    m[i] = g.entries[i].states[0].view, v[i] = g.entries[i].states[1].view;
  }
  netcl_tensor* many = NULL;
  const int64_t shape[4] = {2, 1, 1, 5};
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 4, shape, NULL, NULL, &many));
  netcl_tensor* half = NULL;
  OK(netcl_op_cast(m[1], NETCL_F16, NULL, &half));
#define ADAM_FAILS(text, np, nd, nm, nv, rate) \
  FAILS_WITH(INVALID, (text), netcl_op_adam(p, np, d, nd, m, nm, v, nv, g.step, rate, NULL, NULL))
#define SWAPPED(list, index, other, text)   \
  do {                                      \
    netcl_tensor* const kept = list[index]; \
    list[index] = (other);                  \
    ADAM_FAILS(text, 3, 3, 3, 3, 0.1);      \
    list[index] = kept;                     \
  } while (0)
  ADAM_FAILS("parameters_count is 0", 0, 0, 0, 0, 0.1);
  ADAM_FAILS("gradients_count is 2; it is parameters_count, 3", 3, 2, 3, 3, 0.1);
  ADAM_FAILS("square_averages_count is 0; it is parameters_count, 3", 3, 3, 3, 0, 0.1);
  ADAM_FAILS("learning_rate is -1", 3, 3, 3, 3, -1);
  ADAM_FAILS("learning_rate is", 3, 3, 3, 3, NAN);
  ADAM_FAILS("learning_rate is inf", 3, 3, 3, 3, INFINITY);
  SWAPPED(d, 1, many, "gradients[1] has shape [2, 1, 1, 5]; parameters[1] has shape");
  SWAPPED(m, 2, many, "averages[2] has shape");
  SWAPPED(m, 1, half, "averages[1] is f16; for parameters of");
  SWAPPED(d, 0, g.step, "gradients[0] is i64");
  FAILS_WITH(INVALID, "step is f32", netcl_op_adam(p, 3, d, 3, m, 3, v, 3, many, 0.1, NULL, NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_HANDLE, "step",
             netcl_op_adam(p, 3, d, 3, m, 3, v, 3, NULL, 0.1, NULL, NULL));
  netcl_run_options into = run_into(many);
  FAILS_WITH(INVALID, "run->into", netcl_op_adam(p, 3, d, 3, m, 3, v, 3, g.step, 0.1, NULL, &into));
  int64_t* counted = read_tensor(g.step);
  assert_true(*counted == 0);
  free(counted);
  netcl_tensor_release(many);
  netcl_tensor_release(half);
  free_group(&g);
}

static void memory(void** state) {
  Fixture* fixture = *state;
  const float values[6] = {1, 2, 3, 4, 5, 6};
  netcl_tensor *x = graph_vector(fixture, 6, values), *y = graph_vector(fixture, 4, values);
  netcl_tensor *parts[2] = {NULL, NULL}, *repeated = NULL;
  OK(netcl_tensor_slice(x, (netcl_range[]){{0, 4, 1}}, 1, &parts[0]));
  OK(netcl_tensor_slice(x, (netcl_range[]){{2, 4, 1}}, 1, &parts[1]));
  OK(netcl_tensor_broadcast(y, 2, (int64_t[]){3, 4}, &repeated));
  netcl_tensor* gradients[2] = {y, y};
  FAILS_WITH(INVALID, "parameters[0], which is written, shares its memory with parameters[1]",
             netcl_op_sgd(parts, 2, gradients, 2, 0.1, NULL, NULL));
  FAILS_WITH(INVALID, "parameters[0], which is written, shares its memory with gradients[0]",
             netcl_op_sgd(parts, 1, parts + 1, 1, 0.1, NULL, NULL));
  FAILS_WITH(INVALID, "parameters[0] has strides",
             netcl_op_sgd(&repeated, 1, &repeated, 1, 0.1, NULL, NULL));
  /* Gradients are only read: two parameters may have one. */
  netcl_tensor *a = graph_vector(fixture, 4, values), *b = graph_vector(fixture, 4, values);
  netcl_tensor* both[2] = {a, b};
  OK(netcl_op_sgd(both, 2, gradients, 2, 0.5, NULL, NULL));
  GIVES(a, 0.5, 1, 1.5, 2);
  GIVES(b, 0.5, 1, 1.5, 2);
  RELEASE(x, y, parts[0], parts[1], repeated, a, b);
}

static void numbers(void** state) {
  Fixture* fixture = *state;
  const float values[2] = {1, 2};
  const int64_t none = 0;
  netcl_tensor *p = graph_vector(fixture, 2, values), *g = graph_vector(fixture, 2, values);
  netcl_tensor *m = graph_vector(fixture, 2, values), *v = graph_vector(fixture, 2, values);
  netcl_tensor* t = make_tensor(fixture->device, NETCL_I64, 0, NULL, &none);
#define BAD(Type, INIT, set, text, call) \
  do {                                   \
    Type o = INIT;                       \
    set;                                 \
    FAILS_WITH(INVALID, (text), call);   \
  } while (0)
#define SGD_BAD(set, text) \
  BAD(netcl_sgd_options, NETCL_SGD_OPTIONS_INIT, set, text, netcl_op_sgd(&p, 1, &g, 1, 1, &o, NULL))
#define ADAM_BAD(set, text)                                   \
  BAD(netcl_adam_options, NETCL_ADAM_OPTIONS_INIT, set, text, \
      netcl_op_adam(&p, 1, &g, 1, &m, 1, &v, 1, t, 1, &o, NULL))
#define RMSPROP_BAD(set, text)                                      \
  BAD(netcl_rmsprop_options, NETCL_RMSPROP_OPTIONS_INIT, set, text, \
      netcl_op_rmsprop(&p, 1, &g, 1, &v, 1, 1, &o, NULL))
#define ADAGRAD_BAD(set, text)                                      \
  BAD(netcl_adagrad_options, NETCL_ADAGRAD_OPTIONS_INIT, set, text, \
      netcl_op_adagrad(&p, 1, &g, 1, &v, 1, 1, &o, NULL))
  SGD_BAD(o.momentum = 0.5, "options->momentum_buffers_count is 0; it is parameters_count, 1");
  SGD_BAD(o.nesterov = 1, "options->momentum is 0");
  SGD_BAD(o.nesterov = 2, "options->nesterov is 2");
  SGD_BAD(o.weight_decay = -1, "options->weight_decay is -1");
  SGD_BAD(o.momentum = NAN, "options->momentum is");
  SGD_BAD(
      (o.momentum = 0.5, o.dampening = 0.5, o.momentum_buffers = &m, o.momentum_buffers_count = 1),
      "options->step is NULL with dampening");
  SGD_BAD((o.momentum = 0.5, o.dampening = 0.5, o.nesterov = 1, o.momentum_buffers = &m,
           o.momentum_buffers_count = 1),
          "options->dampening is");
  SGD_BAD(o.factor = t, "options->factor is i64; it is f32");
  SGD_BAD(o.factor = g, "options->factor has shape [2]; it has one element");
  ADAM_BAD(o.beta1 = 1, "options->beta1 is 1");
  ADAM_BAD(o.beta2 = -1, "options->beta2 is -1");
  ADAM_BAD(o.epsilon = -1, "options->epsilon is -1");
  ADAM_BAD(o.decoupled = 3, "options->decoupled is 3");
  ADAM_BAD(o.max_square_averages_count = 2, "options->max_square_averages_count is 2");
  RMSPROP_BAD(o.alpha = 2, "options->alpha is 2");
  RMSPROP_BAD((o.momentum_buffers = &m, o.momentum_buffers_count = 1), "options->momentum is 0");
  ADAGRAD_BAD(o.learning_rate_decay = 0.5, "options->step is NULL with learning_rate_decay");
  netcl_mixed_precision mixed = NETCL_MIXED_PRECISION_INIT;
  mixed.masters = &m;
  mixed.masters_count = 1;
  ADAM_BAD(o.precision = &mixed, "parameters[0] is f32; f16 and bf16 have masters");
  mixed.masters_count = 0;
  mixed.scale = t;
  ADAM_BAD(o.precision = &mixed, "options->precision->scale is i64");
  mixed.scale = NULL;
  mixed.found_inf = g;
  ADAM_BAD(o.precision = &mixed, "options->precision->found_inf has shape [2]");
  mixed.found_inf = NULL;
  mixed.reserved = 1;
  ADAM_BAD(o.precision = &mixed, "options->precision->reserved is 1");
  GIVES(p, 1, 2);
  RELEASE(p, g, m, v, t);
}

/* A gradient through a step is refused by the name of the call; one of what came before is not. */
static void recorded_steps(void** state) {
  Fixture* fixture = *state;
  const float values[2] = {1, 2};
  netcl_run_options run = recorded(fixture);
  netcl_tensor *w = graph_vector(fixture, 2, values), *x = graph_vector(fixture, 2, values);
  netcl_tensor *y = formula("v0 * v1", w, x, &run), *s = sum_of(y, &run), *made = NULL;
  netcl_tensor* dw = gradient(&run, s, w);
  OK(netcl_op_sgd(&w, 1, &dw, 1, 1, NULL, &run));
  GIVES(w, 0, 0);
  FAILS_WITH(INVALID, "sgd (call", netcl_graph_add_gradients(run.graph, &s, 1, &x, 1, NULL, &made));
  netcl_tensor *z = formula("v0 * v1", w, x, &run), *after = sum_of(z, &run);
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "sgd (call",
             netcl_graph_add_gradients(run.graph, &after, 1, &dw, 1, NULL, &made));
  assert_null(made);
  RELEASE(w, x, y, s, dw, z, after);
  netcl_graph_release(run.graph);
}

/* Two steps in one tape: what the first one wrote is a new value, of which there are gradients. */
static void steps_in_a_row(void** state) {
  Fixture* fixture = *state;
  const float values[2] = {1, 2};
  netcl_run_options run = recorded(fixture);
  netcl_tensor *w = graph_vector(fixture, 2, values), *x = graph_vector(fixture, 2, values);
  for (int step = 0; step < 2; ++step) {
    netcl_tensor *y = formula("v0 * v0 * v1", w, x, &run), *s = sum_of(y, &run);
    netcl_tensor* dw = gradient(&run, s, w);
    OK(netcl_op_sgd(&w, 1, &dw, 1, 0.125, NULL, &run));
    RELEASE(y, s, dw);
  }
  /* w becomes w (1 - x / 4) each time. */
  GIVES(w, 0.5625, 0.5);
  RELEASE(w, x);
  netcl_graph_release(run.graph);
}

/* Forward, loss, gradients, clipping and the step of all parameters. */
static void training_step(const Group* g, netcl_tensor* x, const netcl_run_options* run) {
  netcl_tensor *dw[3] = {NULL, NULL, NULL}, *w[3], *norm = NULL, *loss = NULL;
  netcl_graph* tape = run->graph;
  netcl_run_options own = *run;
  netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  if (tape == NULL) {
    netcl_device* device = NULL;
    OK(netcl_tensor_get_device(x, &device));
    OK(netcl_graph_create(device, NULL, &own.graph));
    netcl_device_release(device);
  }
  for (int i = 0; i < 3; ++i) {
    w[i] = g->entries[i].parameter.view;
    netcl_tensor *y = formula("tanh(v0 * v1)", x, w[i], &own), *sum = sum_of(y, &own);
    if (loss != NULL) {
      netcl_tensor* both = formula("v0 + v1", loss, sum, &own);
      RELEASE(loss, sum);
      loss = both;
    } else {
      loss = sum;
    }
    RELEASE(y);
  }
  OK(netcl_graph_add_gradients(own.graph, &loss, 1, w, 3, &options, dw));
  OK(netcl_op_clip_by_norm(dw, 3, 0.5, run, &norm));
  Group step = *g;
  for (int i = 0; i < 3; ++i) {
    step.entries[i].gradient.view = dw[i];
    step.entries[i].gradient_dtype = g->entries[i].dtype;
  }
  if (g->found_inf != NULL) OK(netcl_op_unscale(dw, 3, NULL, g->found_inf, run));
  OK(call_group(&step, run));
  RELEASE(dw[0], dw[1], dw[2], norm, loss);
  if (tape == NULL) netcl_graph_release(own.graph);
}

static Group same_group(Fixture* fixture, const Recipe* recipe, uint64_t seed) {
  seed_random_at(seed);
  return make_group(fixture, recipe, 3);
}

static void captured(void** state) {
  Fixture* fixture = *state;
  const uint64_t seed = random_bits();
  const int64_t seven = 7;
  float values[7];
  for (int i = 0; i < 7; ++i) values[i] = 0.25f * (float)(i - 3);
  netcl_tensor* x = make_tensor(fixture->device, NETCL_F32, 1, &seven, values);
  for (Rule rule = SGD; rule <= ADAGRAD; ++rule) {
    if (compiles_slowly(fixture) && rule != ADAM) continue;
    Recipe recipe = plain_recipe(rule);
    recipe.packed = 1;
    recipe.extent = 7;
    recipe.finds = rule == ADAM;
    recipe.factored = rule == SGD;
    Group eager = same_group(fixture, &recipe, seed);
    Group replayed = same_group(fixture, &recipe, seed);
    netcl_run_options none = NETCL_RUN_OPTIONS_INIT, run = captured_calls(fixture);
    training_step(&replayed, x, &run);
    OK(netcl_graph_compile(run.graph, &x, 1, NULL, 0, NULL));
    for (int step = 0; step < 5; ++step) {
      if (eager.factor != NULL) {
        const float factor = 1.0f / (float)(step + 1);
        OK(netcl_op_fill(eager.factor, &factor, NULL));
        OK(netcl_op_fill(replayed.factor, &factor, NULL));
      }
      training_step(&eager, x, &none);
      OK(netcl_graph_run(run.graph, &x, 1, NULL, 0, NULL));
      for (int i = 0; i < 3; ++i) {
        void* wanted = read_tensor(eager.entries[i].parameter.view);
        CHECK_TENSOR(replayed.entries[i].parameter.view, wanted);
        free(wanted);
      }
    }
    if (eager.step != NULL) CHECK_TENSOR(replayed.step, (&(int64_t){5}));
    netcl_graph_release(run.graph);
    free_group(&eager);
    free_group(&replayed);
  }
  netcl_tensor_release(x);
}

/* One step of f16 weights with masters, whose loss is scaled. */
typedef struct Scaled {
  netcl_tensor *w, *master, *average, *square, *step, *scale, *tracker, *found;
} Scaled;

static Scaled make_scaled(Fixture* fixture) {
  static const float kValues[4] = {0.5f, -0.25f, 1, 2}, kScale = 1024, kZero = 0;
  static const int64_t kFour = 4, kNone = 0;
  Scaled s;
  s.master = graph_vector(fixture, 4, kValues);
  OK(netcl_op_cast(s.master, NETCL_F16, NULL, &s.w));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, &kFour, NULL, NULL, &s.average));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, &kFour, NULL, NULL, &s.square));
  s.step = make_tensor(fixture->device, NETCL_I64, 0, NULL, &kNone);
  s.tracker = make_tensor(fixture->device, NETCL_I64, 0, NULL, &kNone);
  s.scale = make_tensor(fixture->device, NETCL_F32, 0, NULL, &kScale);
  s.found = make_tensor(fixture->device, NETCL_F32, 0, NULL, &kZero);
  return s;
}

static void release_scaled(Scaled* s) {
  RELEASE(s->w, s->master, s->average, s->square, s->step, s->scale, s->tracker, s->found);
}

static void scaled_step(Fixture* fixture, Scaled* s, netcl_tensor* x, netcl_graph* capture) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT, plain = NETCL_RUN_OPTIONS_INIT;
  netcl_mixed_precision precision = NETCL_MIXED_PRECISION_INIT;
  netcl_adam_options options = NETCL_ADAM_OPTIONS_INIT;
  netcl_loss_scale_options growth = NETCL_LOSS_SCALE_OPTIONS_INIT;
  if (capture == NULL) OK(netcl_graph_create(fixture->device, NULL, &run.graph));
  if (capture != NULL) run.graph = plain.graph = capture;
  netcl_tensor *y = formula("v0 * v1", s->w, x, &run), *loss = sum_of(y, &run);
  netcl_tensor *wide = formula("f32(v0) * v1", loss, s->scale, &run);
  netcl_tensor* dw = gradient(&run, wide, s->w);
  precision.masters = &s->master;
  precision.masters_count = 1;
  precision.scale = s->scale;
  precision.found_inf = s->found;
  options.precision = &precision;
  growth.growth_interval = 2;
  OK(netcl_op_unscale(&dw, 1, NULL, s->found, &plain));
  OK(netcl_op_adam(&s->w, 1, &dw, 1, &s->average, 1, &s->square, 1, s->step, 0.125, &options,
                   &plain));
  OK(netcl_op_update_loss_scale(s->scale, s->tracker, s->found, &growth, &plain));
  RELEASE(y, loss, wide, dw);
  if (capture == NULL) netcl_graph_release(run.graph);
}

static netcl_tensor* half_batch(Fixture* fixture, float value) {
  const float values[4] = {value, value / 2, -value, 1};
  netcl_tensor *x = graph_vector(fixture, 4, values), *half = NULL;
  OK(netcl_op_cast(x, NETCL_F16, NULL, &half));
  netcl_tensor_release(x);
  return half;
}

/* The third batch makes gradients infinite: its step is left out, and the scale is halved. */
static void captured_scaling(void** state) {
  Fixture* fixture = *state;
  static const float kScales[] = {1024, 2048, 1024, 1024, 2048}, kBatches[] = {1, 2, 64, 3, 1};
  static const int64_t kSteps[] = {1, 2, 2, 3, 4};
  Scaled eager = make_scaled(fixture), replayed = make_scaled(fixture);
  netcl_tensor* example = half_batch(fixture, 1);
  netcl_run_options run = captured_calls(fixture);
  scaled_step(fixture, &replayed, example, run.graph);
  OK(netcl_graph_compile(run.graph, &example, 1, NULL, 0, NULL));
  for (size_t i = 0; i < COUNT_OF(kBatches); ++i) {
    netcl_tensor* x = half_batch(fixture, kBatches[i]);
    scaled_step(fixture, &eager, x, NULL);
    OK(netcl_graph_run(run.graph, &x, 1, NULL, 0, NULL));
    netcl_tensor* const one[] = {eager.w, eager.master, eager.average, eager.square, eager.step};
    netcl_tensor* const two[] = {replayed.w, replayed.master, replayed.average, replayed.square,
                                 replayed.step};
    for (size_t k = 0; k < COUNT_OF(one); ++k) {
      void* wanted = read_tensor(one[k]);
      CHECK_TENSOR(two[k], wanted);
      free(wanted);
    }
    CHECK_TENSOR(replayed.scale, &kScales[i]);
    CHECK_TENSOR(replayed.step, &kSteps[i]);
    netcl_tensor_release(x);
  }
  netcl_tensor_release(example);
  netcl_graph_release(run.graph);
  release_scaled(&eager);
  release_scaled(&replayed);
}

int main(void) {
  seed_random("optimizer_rules");
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(lists),          DEVICE_TEST(memory),         DEVICE_TEST(numbers),
      DEVICE_TEST(recorded_steps), DEVICE_TEST(steps_in_a_row), DEVICE_TEST(captured),
      DEVICE_TEST(captured_scaling),
      DEVICE_TEST(as_kernels)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
