/* Steps of optimisers, for groups of parameters of all dtypes and strides, against the formulas in
 * double precision: each step starts from what the last one left on the device. */
#include <math.h>

#include "support_optimizer.h"

/* A bound for the rounding of the direction, which is what the learning rate is multiplied by. */
typedef struct Direction {
  double value, error;
} Direction;

/* The roundoff of what a dtype is computed in. */
static double roundoff(netcl_dtype dtype) { return dtype == NETCL_F64 ? 0x1p-53 : 0x1p-24; }

static Direction ratio(double top, double top_size, double square, double square_error, double root,
                       double epsilon, double u) {
  const double bottom = sqrt(square) * root + epsilon;
  const double low = sqrt(fmax(square - square_error, 0)) * root + epsilon;
  const Direction d = {top / bottom, 16 * u * top_size / bottom +
                                         (low > 0 ? fabs(top / low - top / bottom) : INFINITY)};
  return d;
}

/* One element: changes the states s and gives the direction. */
static Direction direction(const Recipe* r, double* s, double g, double size, int64_t done,
                           double u) {
  const double t = (double)done + 1;
  if (r->rule == SGD) {
    const int first = r->dampening != 0 && done == 0;
    if (r->momentum == 0) return (Direction){g, 8 * u * size};
    const double kept = first ? 0 : r->momentum * s[0], taken = first ? 1 : 1 - r->dampening;
    size = fabs(kept) + fabs(taken) * size;
    s[0] = kept + taken * g;
    return (Direction){r->nesterov ? g + r->momentum * s[0] : s[0],
                       16 * u * (1 + r->momentum) * size};
  }
  if (r->rule == ADAM) {
    size += fabs(s[0]);
    s[0] += (1 - r->beta1) * (g - s[0]);
    s[1] = r->beta2 * s[1] + (1 - r->beta2) * g * g;
    if (r->amsgrad) s[2] = fmax(s[2], s[1]);
    const double v = r->amsgrad ? s[2] : s[1];
    return ratio(s[0], size, v, 16 * u * v, 1 / sqrt(-expm1(t * log(r->beta2))), r->epsilon, u);
  }
  if (r->rule == ADAGRAD) {
    s[0] += g * g;
    return ratio(g, size, s[0], 16 * u * s[0], 1, r->epsilon, u);
  }
  s[0] = r->beta2 * s[0] + (1 - r->beta2) * g * g;
  double v = s[0], error = 16 * u * v;
  if (r->centered) {
    s[2] += (1 - r->beta2) * (g - s[2]);
    error += 16 * u * (s[2] * s[2] + fabs(s[2] * g));
    v = fmax(v - s[2] * s[2], 0);
  }
  Direction d = ratio(g, size, v, error, 1, r->epsilon, u);
  if (r->momentum == 0) return d;
  d.error += 4 * u * fabs(r->momentum * s[1]);
  s[1] = r->momentum * s[1] + d.value;
  d.value = s[1];
  return d;
}

static double rate_of(const Recipe* r, int64_t done) {
  if (r->rule == ADAM) {
    return r->rate * r->factor / -expm1(((double)done + 1) * log(r->beta1));
  }
  if (r->rule == ADAGRAD) return r->rate * r->factor / (1 + (double)done * r->rate_decay);
  return r->rate * r->factor;
}

/* What a state may be off by. */
static double state_error(const Recipe* r, const double* before, const double* after, int s,
                          double size, double u) {
  const double most = fabs(before[s]) + fabs(after[s]);
  if (r->rule == RMSPROP && s == 1) return INFINITY; /* that of the direction, which is checked */
  const int squares =
      r->rule == ADAGRAD || (r->rule == ADAM && s > 0) || (r->rule == RMSPROP && s == 0);
  return 16 * u * (most + (squares ? size * size : size));
}

static void check_element(const Recipe* r, const Entry* e, const Values* before,
                          const Values* after, int64_t i, int64_t done) {
  const netcl_dtype computed = e->dtype == NETCL_F64 ? NETCL_F64 : NETCL_F32;
  const double u = roundoff(e->dtype);
  const double p = before->target[i], g0 = before->gradient[i] / r->scale;
  const double decay = r->decoupled ? 0 : r->weight_decay;
  const double size = fabs(g0) + fabs(decay * p), rate = rate_of(r, done);
  double s[3], old[3];
  for (int k = 0; k < 3; ++k) old[k] = s[k] = before->states[k] ? before->states[k][i] : 0;
  const Direction d = direction(r, s, g0 + decay * p, size, done, u);
  const double shrunk = r->decoupled ? p * (1 - r->rate * r->factor * r->weight_decay) : p;
  const double wanted = shrunk - rate * d.value;
  /* Corrections of adam are off by some roundings more. */
  const double bound = rate * (d.error + 32 * u * fabs(d.value)) + 4 * u * (fabs(p) + fabs(wanted));
  const netcl_dtype stored = r->masters ? computed : e->dtype;
  CHECK(fabs(after->target[i] - wanted) <= bound + rounding_of(stored, wanted),
        "%s of %s (gradient %s), step %lld, element %lld of %lld: %.9g, not %.9g (bound %g)",
        kRuleNames[r->rule], netcl_dtype_name(e->dtype), netcl_dtype_name(e->gradient_dtype),
        (long long)done, (long long)i, (long long)e->count, after->target[i], wanted, bound);
  for (int k = 0; k < 3; ++k) {
    if (before->states[k] == NULL) continue;
    CHECK(fabs(after->states[k][i] - s[k]) <= state_error(r, old, s, k, size, u) + 0x1p-149,
          "%s, state %d, step %lld: %.9g, not %.9g", kRuleNames[r->rule], k, (long long)done,
          after->states[k][i], s[k]);
  }
  if (r->masters) {
    /* The parameter is the rounding of its master. */
    unsigned char wanted_bits[8] = {0};
    store_double(e->dtype, wanted_bits, 0, after->target[i]);
    CHECK(same_element(e->dtype, (char*)after->parameter_bits + i * 2, wanted_bits),
          "element %lld is not its master %.9g rounded", (long long)i, after->target[i]);
  }
}

static void check_steps(Fixture* fixture, const Recipe* recipe, int group, int steps) {
  Group g = make_group(fixture, recipe, group);
  for (int64_t step = 0; step < steps; ++step) {
    Values* before = calloc((size_t)group, sizeof *before);
    new_gradients(fixture, &g);
    for (int i = 0; i < group; ++i) before[i] = read_entry(&g, i);
    OK(call_group(&g, NULL));
    for (int i = 0; i < group; ++i) {
      Values after = read_entry(&g, i);
      for (int64_t k = 0; k < g.entries[i].count; ++k) {
        check_element(recipe, &g.entries[i], &before[i], &after, k, step);
      }
      free_values(&after);
      free_values(&before[i]);
    }
    free(before);
    if (g.step != NULL) {
      int64_t* counted = read_tensor(g.step);
      assert_true(*counted == step + 1);
      free(counted);
    }
  }
  free_group(&g);
}

static void rule(Fixture* fixture, Rule which) {
  static const int kSizes[] = {1, 3, 40, 2, 9};
  const int many = compiles_slowly(fixture) ? 3 : fixture->kernels ? 6 : 24;
  for (int round = 0; round < many; ++round) {
    const Recipe recipe = random_recipe(fixture, which);
    const int group = compiles_slowly(fixture) ? kSizes[round] : kSizes[round % 5];
    check_steps(fixture, &recipe, group, round == 0 ? 20 : 2);
  }
}
static void sgd(void** state) { rule(*state, SGD); }
static void adam(void** state) { rule(*state, ADAM); }
static void rmsprop(void** state) { rule(*state, RMSPROP); }
static void adagrad(void** state) { rule(*state, ADAGRAD); }

/* Large parameters, which several threads or work groups share, beside small ones. */
static void large(void** state) {
  Fixture* fixture = *state;
  Recipe recipe = plain_recipe(ADAM);
  recipe.large = 1;
  check_steps(fixture, &recipe, 3, 1);
}

/* One launch for as many parameters as any driver takes the arguments of, and one that counts; on
 * CPUs one function for all. */
static void launches(void** state) {
  Fixture* fixture = *state;
  Recipe recipe = plain_recipe(ADAM);
  recipe.extent = 3;
  recipe.packed = 1;
  Group g = make_group(fixture, &recipe, 16);
  new_gradients(fixture, &g);
  const int found = group_commands(fixture, &g);
  const int wanted = fixture->kernels ? 2 : 1;
  CHECK(found == wanted, "%d commands, not %d", found, wanted);
  free_group(&g);
}

/* A step that is to be skipped changes nothing, and the next one goes on. */
static void skipped(void** state) {
  Fixture* fixture = *state;
  for (Rule which = SGD; which <= ADAGRAD; ++which) {
    if (compiles_slowly(fixture) && which != ADAM) continue;
    Recipe recipe = plain_recipe(which);
    recipe.extent = 5;
    recipe.finds = 1;
    Group g = make_group(fixture, &recipe, 2);
    new_gradients(fixture, &g);
    OK(call_group(&g, NULL));
    for (int kind = 0; kind < 3; ++kind) {
      const float found = kind == 0 ? 1.0f : kind == 1 ? NAN : INFINITY;
      OK(netcl_op_fill(g.found_inf, &found, NULL));
      Values before = read_entry(&g, 1);
      int64_t* counted = g.step == NULL ? NULL : read_tensor(g.step);
      OK(call_group(&g, NULL));
      Values after = read_entry(&g, 1);
      const size_t bytes = (size_t)g.entries[1].count * sizeof(double);
      assert_memory_equal(before.target, after.target, bytes);
      assert_memory_equal(before.states[0], after.states[0], bytes);
      if (g.step != NULL) CHECK_TENSOR(g.step, counted);
      free(counted);
      free_values(&before);
      free_values(&after);
    }
    OK(netcl_op_fill(g.found_inf, &(float){0}, NULL));
    Values before = read_entry(&g, 1);
    OK(call_group(&g, NULL));
    Values after = read_entry(&g, 1);
    assert_memory_not_equal(before.target, after.target,
                            (size_t)g.entries[1].count * sizeof(double));
    free_values(&before);
    free_values(&after);
    free_group(&g);
  }
}

/* What is not finite stays in its element. */
static void not_finite(void** state) {
  Fixture* fixture = *state;
  const float gradient[4] = {NAN, 1, INFINITY, -1}, ones[4] = {1, 1, 1, 1}, zeros[4] = {0};
  const int64_t four = 4, none = 0;
  netcl_tensor* p = make_tensor(fixture->device, NETCL_F32, 1, &four, ones);
  netcl_tensor* g = make_tensor(fixture->device, NETCL_F32, 1, &four, gradient);
  netcl_tensor* m = make_tensor(fixture->device, NETCL_F32, 1, &four, zeros);
  netcl_tensor* v = make_tensor(fixture->device, NETCL_F32, 1, &four, zeros);
  netcl_tensor* t = make_tensor(fixture->device, NETCL_I64, 0, NULL, &none);
  OK(netcl_op_adam(&p, 1, &g, 1, &m, 1, &v, 1, t, 0.5, NULL, NULL));
  float* got = read_tensor(p);
  assert_true(isnan(got[0]) && isnan(got[2]));
  assert_true(fabsf(got[1] - 0.5f) < 1e-5f && fabsf(got[3] - 1.5f) < 1e-5f);
  free(got);
  netcl_tensor* const all[] = {p, g, m, v, t};
  for (size_t i = 0; i < COUNT_OF(all); ++i) netcl_tensor_release(all[i]);
}

/* Nothing but empty parameters: only the step is counted. */
static void empty(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[2] = {0, 3}, seven = 7, eight = 8;
  netcl_tensor* all[4];
  for (int i = 0; i < 4; ++i) all[i] = make_tensor(fixture->device, NETCL_F32, 2, shape, NULL);
  netcl_tensor* t = make_tensor(fixture->device, NETCL_I64, 0, NULL, &seven);
  OK(netcl_op_adam(&all[0], 1, &all[1], 1, &all[2], 1, &all[3], 1, t, 0.5, NULL, NULL));
  OK(netcl_op_sgd(&all[0], 1, &all[1], 1, 0.5, NULL, NULL));
  CHECK_TENSOR(t, &eight);
  for (int i = 0; i < 4; ++i) netcl_tensor_release(all[i]);
  netcl_tensor_release(t);
}

int main(void) {
  seed_random("optimizer");
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(sgd),        DEVICE_TEST(adam),  DEVICE_TEST(rmsprop),
      DEVICE_TEST(adagrad),    DEVICE_TEST(large), DEVICE_TEST(launches), DEVICE_TEST(skipped),
      DEVICE_TEST(not_finite), DEVICE_TEST(empty), DEVICE_TEST(as_kernels)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
