#include "support_optimizer.h"

#include <math.h>

const char* const kRuleNames[4] = {"sgd", "adam", "rmsprop", "adagrad"};

Recipe plain_recipe(Rule rule) {
  Recipe r = {.rule = rule, .rate = 0.125, .factor = 1, .scale = 1, .epsilon = 1e-8};
  if (rule == SGD) r.momentum = 0.9, r.epsilon = 0;
  if (rule == ADAM) r.beta1 = 0.9, r.beta2 = 0.999;
  if (rule == RMSPROP) r.beta2 = 0.99;
  if (rule == ADAGRAD) r.epsilon = 1e-10;
  return r;
}

static int chance(int of) { return random_in(0, of - 1) == 0; }

Recipe random_recipe(const Fixture* fixture, Rule rule) {
  Recipe r = plain_recipe(rule);
  r.rate = random_real(0.001, 0.5);
  if (chance(2)) r.weight_decay = random_real(0, 0.2);
  r.wide = fixture->capabilities.fp64 != 0 && chance(4);
  r.masters = !r.wide && chance(3);
  r.scaled = chance(3);
  if (r.scaled) r.scale = (double)(1 << random_in(1, 12));
  r.factored = chance(3);
  if (r.factored) r.factor = 0.25;
  r.finds = chance(3);
  r.packed = chance(3);
  if (rule == SGD) {
    r.momentum = chance(3) ? 0 : random_real(0.1, 0.99);
    r.nesterov = r.momentum != 0 && chance(3);
    if (r.momentum != 0 && !r.nesterov && chance(2)) r.dampening = random_real(0.1, 0.9);
  }
  if (rule == ADAM) {
    r.decoupled = chance(2);
    r.amsgrad = chance(3);
    if (chance(3))
      r.beta1 = chance(2) ? 0 : random_real(0.1, 0.95), r.beta2 = random_real(0.5, 0.9999);
    if (chance(2)) r.epsilon = random_real(1e-6, 1e-2);
  }
  if (rule == RMSPROP) {
    if (chance(2)) r.beta2 = random_real(0.5, 0.999);
    if (chance(2)) r.momentum = random_real(0.1, 0.9);
    r.centered = chance(3);
    r.epsilon = r.centered ? random_real(0.1, 1) : random_real(1e-6, 1e-2);
  }
  if (rule == ADAGRAD && chance(2)) r.rate_decay = random_real(0.01, 0.5);
  return r;
}

double rounding_of(netcl_dtype dtype, double value) {
  const double least = dtype == NETCL_F16 ? 0x1p-25 : dtype == NETCL_F64 ? 0x1p-1074 : 0x1p-149;
  return unit_roundoff(dtype) * fabs(value) + least;
}

static Strided random_operand(Fixture* fixture, const Recipe* r, const Entry* e, netcl_dtype dtype,
                              double spread) {
  const size_t size = netcl_dtype_size(dtype);
  unsigned char* data = calloc((size_t)e->count + 1, size);
  for (int64_t i = 0; i < e->count && spread > 0; ++i) {
    store_double(dtype, data, i, random_real(-spread, spread));
  }
  Strided made = {NULL, NULL};
  if (r->packed) {
    made.view = make_tensor(fixture->device, dtype, e->rank, e->shape, data);
  } else {
    made = make_strided(fixture->device, dtype, e->rank, e->shape, data);
  }
  free(data);
  return made;
}

static void free_operand(Strided* operand) {
  if (operand->base != NULL) {
    /* What is not an element is as it was. */
    void* own = read_tensor(operand->view);
    CHECK_STRIDED(operand, own);
    free(own);
    release_strided(operand);
  } else {
    netcl_tensor_release(operand->view);
  }
  operand->base = operand->view = NULL;
}

static int state_count(const Recipe* r, int state) {
  switch (r->rule) {
    case SGD:
      return state == 0 && r->momentum != 0;
    case ADAM:
      return state < 2 || r->amsgrad;
    case RMSPROP:
      return state == 0 || (state == 1 && r->momentum != 0) || (state == 2 && r->centered);
    default:
      return state == 0;
  }
}

static netcl_tensor* scalar(Fixture* fixture, double value) {
  const float number = (float)value;
  const int64_t one = 1;
  return make_tensor(fixture->device, NETCL_F32, chance(2), &one, &number);
}

Group make_group(Fixture* fixture, const Recipe* recipe, int count) {
  static const netcl_dtype kNarrow[3] = {NETCL_F16, NETCL_BF16, NETCL_F32};
  const int64_t none = 0;
  /* One mixture of dtypes is one kernel, which takes long to compile. */
  const int mixed = !compiles_slowly(fixture);
  Group g = {.recipe = *recipe, .count = count};
  const netcl_dtype dtype = kNarrow[random_in(0, recipe->masters ? 1 : 2)];
  const netcl_dtype gradient = kNarrow[random_in(0, 2)];
  for (int i = 0; i < count; ++i) {
    Entry* e = &g.entries[i];
    e->rank = (uint32_t)random_in(0, 3);
    for (uint32_t d = 0; d < e->rank; ++d) e->shape[d] = random_in(chance(8) ? 0 : 1, 9);
    if (recipe->large && i == 0) e->rank = 1, e->shape[0] = 100003;
    if (recipe->extent != 0) e->rank = 1, e->shape[0] = recipe->extent;
    e->count = product(e->rank, e->shape);
    e->dtype = mixed ? kNarrow[random_in(0, recipe->masters ? 1 : 2)] : dtype;
    e->gradient_dtype = mixed ? kNarrow[random_in(0, 2)] : gradient;
    if (recipe->extent != 0) e->dtype = e->gradient_dtype = NETCL_F32;
    if (recipe->wide) e->dtype = e->gradient_dtype = NETCL_F64;
    const netcl_dtype computed = recipe->wide ? NETCL_F64 : NETCL_F32;
    e->parameter = random_operand(fixture, recipe, e, e->dtype, 2);
    if (recipe->masters) e->master = random_operand(fixture, recipe, e, computed, 2);
    for (int s = 0; s < 3; ++s) {
      if (state_count(recipe, s)) e->states[s] = random_operand(fixture, recipe, e, computed, 0);
    }
  }
  const int counts = recipe->rule == ADAM || recipe->dampening != 0 || recipe->rate_decay != 0;
  if (counts || (recipe->rule != RMSPROP && chance(3))) {
    g.step = make_tensor(fixture->device, NETCL_I64, 0, NULL, &none);
  }
  if (recipe->factored) g.factor = scalar(fixture, recipe->factor);
  if (recipe->scaled) g.scale = scalar(fixture, recipe->scale);
  if (recipe->finds) g.found_inf = scalar(fixture, 0);
  return g;
}

void new_gradients(Fixture* fixture, Group* group) {
  for (int i = 0; i < group->count; ++i) {
    Entry* e = &group->entries[i];
    free_operand(&e->gradient);
    e->gradient =
        random_operand(fixture, &group->recipe, e, e->gradient_dtype, group->recipe.scale);
  }
}

void free_group(Group* group) {
  for (int i = 0; i < group->count; ++i) {
    Entry* e = &group->entries[i];
    free_operand(&e->parameter);
    free_operand(&e->gradient);
    free_operand(&e->master);
    for (int s = 0; s < 3; ++s) free_operand(&e->states[s]);
  }
  netcl_tensor* const all[] = {group->step, group->factor, group->scale, group->found_inf};
  for (size_t i = 0; i < COUNT_OF(all); ++i) netcl_tensor_release(all[i]);
}

netcl_status call_group(const Group* group, const netcl_run_options* run) {
  const Recipe* r = &group->recipe;
  const uint32_t n = (uint32_t)group->count;
  netcl_tensor *p[GROUP_MAX], *g[GROUP_MAX], *masters[GROUP_MAX], *s[3][GROUP_MAX];
  netcl_mixed_precision precision = NETCL_MIXED_PRECISION_INIT;
  for (uint32_t i = 0; i < n; ++i) {
    const Entry* e = &group->entries[i];
    p[i] = e->parameter.view;
    g[i] = e->gradient.view;
    masters[i] = e->master.view;
    for (int k = 0; k < 3; ++k) s[k][i] = e->states[k].view;
  }
  if (r->masters) precision.masters = masters, precision.masters_count = n;
  precision.scale = group->scale;
  precision.found_inf = group->found_inf;
  const netcl_mixed_precision* mixed = r->masters || r->scaled || r->finds ? &precision : NULL;
  if (r->rule == SGD) {
    netcl_sgd_options o = NETCL_SGD_OPTIONS_INIT;
    if (r->momentum != 0) o.momentum_buffers = s[0], o.momentum_buffers_count = n;
    o.step = group->step, o.factor = group->factor, o.precision = mixed;
    o.momentum = r->momentum, o.dampening = r->dampening, o.weight_decay = r->weight_decay;
    o.nesterov = (uint32_t)r->nesterov;
    return netcl_op_sgd(p, n, g, n, r->rate, &o, run);
  }
  if (r->rule == ADAM) {
    netcl_adam_options o = NETCL_ADAM_OPTIONS_INIT;
    if (r->amsgrad) o.max_square_averages = s[2], o.max_square_averages_count = n;
    o.factor = group->factor, o.precision = mixed;
    o.beta1 = r->beta1, o.beta2 = r->beta2, o.epsilon = r->epsilon, o.has_betas = 1;
    o.weight_decay = r->weight_decay, o.decoupled = (uint32_t)r->decoupled;
    return netcl_op_adam(p, n, g, n, s[0], n, s[1], n, group->step, r->rate, &o, run);
  }
  if (r->rule == RMSPROP) {
    netcl_rmsprop_options o = NETCL_RMSPROP_OPTIONS_INIT;
    if (r->momentum != 0) o.momentum_buffers = s[1], o.momentum_buffers_count = n;
    if (r->centered) o.averages = s[2], o.averages_count = n;
    o.factor = group->factor, o.precision = mixed;
    o.alpha = r->beta2, o.epsilon = r->epsilon, o.momentum = r->momentum;
    o.weight_decay = r->weight_decay;
    return netcl_op_rmsprop(p, n, g, n, s[0], n, r->rate, &o, run);
  }
  netcl_adagrad_options o = NETCL_ADAGRAD_OPTIONS_INIT;
  o.step = group->step, o.factor = group->factor, o.precision = mixed;
  o.learning_rate_decay = r->rate_decay, o.epsilon = r->epsilon, o.weight_decay = r->weight_decay;
  return netcl_op_adagrad(p, n, g, n, s[0], n, r->rate, &o, run);
}

int group_commands(Fixture* fixture, const Group* group) {
  netcl_graph_options options = NETCL_GRAPH_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_graph_info info = NETCL_GRAPH_INFO_INIT;
  options.execute = NETCL_OFF;
  OK(netcl_graph_create(fixture->device, &options, &run.graph));
  OK(call_group(group, &run));
  OK(netcl_graph_compile(run.graph, NULL, 0, NULL, 0, NULL));
  OK(netcl_graph_get_info(run.graph, &info));
  netcl_graph_release(run.graph);
  return (int)info.command_count;
}

static double* doubles(netcl_tensor* tensor, netcl_dtype dtype, int64_t count) {
  if (tensor == NULL) return NULL;
  void* data = read_tensor(tensor);
  double* values = malloc(((size_t)count + 1) * sizeof *values);
  for (int64_t i = 0; i < count; ++i) values[i] = load_double(dtype, data, i);
  free(data);
  return values;
}

Values read_entry(const Group* group, int index) {
  const Entry* e = &group->entries[index];
  const netcl_dtype computed = e->dtype == NETCL_F64 ? NETCL_F64 : NETCL_F32;
  Values v;
  v.parameter_bits = read_tensor(e->parameter.view);
  v.target = e->master.view != NULL ? doubles(e->master.view, computed, e->count)
                                    : doubles(e->parameter.view, e->dtype, e->count);
  v.gradient = doubles(e->gradient.view, e->gradient_dtype, e->count);
  for (int s = 0; s < 3; ++s) v.states[s] = doubles(e->states[s].view, computed, e->count);
  return v;
}

void free_values(Values* values) {
  free(values->target);
  free(values->gradient);
  free(values->parameter_bits);
  for (int s = 0; s < 3; ++s) free(values->states[s]);
}
