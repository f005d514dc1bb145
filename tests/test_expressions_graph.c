/* Several expressions in one call, recorded: one call with several results, its gradients, and what
 * it becomes in compiled captures. */
#include <stdio.h>

#include "support_gradients.h"
#include "support_graph.h"

enum { RESULTS = 3 };
static const char* const kThree[RESULTS] = {"tanh(v0) * v1", "v0 * v0 - v1", "exp(v1 * 0.5)"};

typedef struct Form {
  int used;     /* of the results; the others have no gradient */
  int in_place; /* 1: the first two are overwritten by what is made of both */
} Form;
static netcl_status made_of(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                            netcl_tensor** y) {
  static const char* const kSums[] = {"v0", "v0 * v1 + v0", "v0 * v1 + v2 * v0"};
  const Form* form = context;
  netcl_run_options own = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor* results[RESULTS] = {NULL};
  if (run != NULL) own = *run;
  own.into = NULL;
  netcl_status status = netcl_op_expressions(kThree, RESULTS, x, 2, NULL, &own, results);
  if (status == NETCL_OK && form->in_place) {
    netcl_expressions_options options = NETCL_EXPRESSIONS_OPTIONS_INIT;
    options.results_into = results;
    options.results_into_count = 2;
    status = netcl_op_expressions((const char* const[]){"v0 + v1", "v0 - v1 * 2"}, 2, results, 2,
                                  &options, &own, NULL);
  }
  if (status == NETCL_OK) {
    status = netcl_op_expression_text(kSums[form->used - 1], results, (uint32_t)form->used, NULL,
                                      run, y);
  }
  release_tensors(results, RESULTS);
  return status;
}

static void gradients(void** state) {
  Fixture* fixture = *state;
  for (int i = 0; i < 6; ++i) {
    Form form = {i % 3 + 1, i >= 3};
    const GradientInput whole = {2, {random_in(1, 5), random_in(1, 5)}, 0, 0, 0, NULL};
    const GradientInput both[2] = {whole, {1, {i == 1 ? 1 : whole.shape[1]}, 0, 0, 0, NULL}};
    CHECK_GRADIENTS(fixture, "expressions", made_of, &form, both, 2);
  }
}

/* Seeds of two results are summed; a result that is no float has no gradient. */
static void sums_over_results(void** state) {
  Fixture* fixture = *state;
  static const char* const kTexts[] = {"v0 * v1", "v0 > 1", "v0 + 3 * v1"};
  const float a[] = {2, -1}, b[] = {5, 7}, seeds[2][2] = {{1, 10}, {100, 1000}};
  netcl_run_options run = recorded(fixture);
  netcl_tensor *x[2] = {graph_vector(fixture, 2, a), graph_vector(fixture, 2, b)}, *y[3], *grads[2],
               *seed[2] = {graph_vector(fixture, 2, seeds[0]), graph_vector(fixture, 2, seeds[1])};
  OK(netcl_op_expressions(kTexts, 3, x, 2, NULL, &run, y));
  CHECK(call_count(run.graph) == 1, "%d calls", (int)call_count(run.graph));
  netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  options.seeds = seed;
  options.seeds_count = 2;
  netcl_tensor* const outputs[] = {y[0], y[2]};
  OK(netcl_graph_add_gradients(run.graph, outputs, 2, x, 2, &options, grads));
  GIVES(grads[0], 1 * 5 + 100, 10 * 7 + 1000);
  GIVES(grads[1], 1 * 2 + 3 * 100, 10 * -1 + 3 * 1000);
  release_tensors(grads, 2);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "outputs[0] is bool",
             netcl_graph_add_gradients(run.graph, &y[1], 1, x, 1, NULL, grads));
  release_tensors(y, 3);
  release_tensors(x, 2);
  release_tensors(seed, 2);
  netcl_graph_release(run.graph);
}

/* A call that writes over what the gradient of another one needs is named. */
static void overwritten(void** state) {
  Fixture* fixture = *state;
  static const char* const kFirst[] = {"v0 * 2", "v0 + 1"};
  static const char* const kSecond[] = {"v0 * v1", "v0 - v1"};
  netcl_run_options run = recorded(fixture);
  netcl_expressions_options into = NETCL_EXPRESSIONS_OPTIONS_INIT;
  netcl_tensor *x = counting_vector(fixture, 1, 3), *z[2], *y[2], *grad = NULL;
  OK(netcl_op_expressions(kFirst, 2, &x, 1, NULL, &run, z));
  OK(netcl_op_expressions(kSecond, 2, z, 2, NULL, &run, y));
  into.results_into = z;
  into.results_into_count = 2;
  OK(netcl_op_expressions(kFirst, 2, &x, 1, &into, &run, NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT,
             "the gradient of expressions (call 1) needs a tensor of shape [1] that expressions "
             "(call 2) has overwritten since",
             netcl_graph_add_gradients(run.graph, y, 1, &x, 1, NULL, &grad));
  OK(netcl_graph_add_gradients(run.graph, &y[1], 1, &x, 1, NULL, &grad));
  GIVES(grad, 1);
  RELEASE(x, z[0], z[1], y[0], y[1], grad);
  netcl_graph_release(run.graph);
}

/* ---- Compiled -------------------------------------------------------------------------------- */

enum { OUTPUTS = 6, WIDTH = 40 };
typedef struct Calls {
  netcl_run_options run;
  netcl_tensor* x[2];
  netcl_tensor* outputs[OUTPUTS];
  uint32_t count;
} Calls;

static void give(Calls* c, netcl_tensor* output) { c->outputs[c->count++] = output; }
static void three_of(Calls* c, netcl_tensor* a, netcl_tensor* b, netcl_tensor** results) {
  OK(netcl_op_expressions(kThree, RESULTS, (netcl_tensor*[]){a, b}, 2, NULL, &c->run, results));
}

static void alone(Calls* c) {
  netcl_tensor* y[RESULTS];
  three_of(c, c->x[0], c->x[1], y);
  for (int k = 0; k < RESULTS; ++k) give(c, y[k]);
}
static void behind_a_call(Calls* c) {
  netcl_tensor *made = formula("v0 * 2 + 1", c->x[0], NULL, &c->run), *y[RESULTS];
  three_of(c, made, c->x[1], y);
  for (int k = 0; k < RESULTS; ++k) give(c, y[k]);
  netcl_tensor_release(made);
}
static void of_other_dtypes(Calls* c) {
  static const netcl_dtype kOthers[] = {NETCL_F16, NETCL_I32, 0};
  netcl_tensor *made = formula("v0 * 20", c->x[0], NULL, &c->run), *y[RESULTS];
  netcl_expressions_options options = NETCL_EXPRESSIONS_OPTIONS_INIT;
  options.dtypes = kOthers;
  options.dtypes_count = RESULTS;
  OK(netcl_op_expressions((const char* const[]){"v0 * v1", "v0 * 3", "v0 > v1"}, RESULTS,
                          (netcl_tensor*[]){made, c->x[1]}, 2, &options, &c->run, y));
  for (int k = 0; k < RESULTS; ++k) give(c, y[k]);
  netcl_tensor_release(made);
}
static void before_calls(Calls* c) {
  netcl_tensor* y[RESULTS];
  three_of(c, c->x[0], c->x[1], y);
  give(c, formula("v0 + v1", y[0], y[1], &c->run));
  give(c, formula("v0 * 3", y[2], NULL, &c->run));
  release_tensors(y, RESULTS);
}
static void in_a_row(Calls* c) {
  netcl_tensor *y[RESULTS], *z[RESULTS];
  three_of(c, c->x[0], c->x[1], y);
  three_of(c, y[0], y[2], z);
  for (int k = 0; k < RESULTS; ++k) give(c, z[k]);
  give(c, y[1]);
  RELEASE(y[0], y[2]);
}
static void twice(Calls* c) {
  netcl_tensor *y[RESULTS], *z[RESULTS];
  three_of(c, c->x[0], c->x[1], y);
  three_of(c, c->x[0], c->x[1], z);
  give(c, formula("v0 - v1", y[0], z[1], &c->run));
  release_tensors(y, RESULTS);
  release_tensors(z, RESULTS);
}
static void in_place(Calls* c) {
  netcl_tensor* y[RESULTS];
  netcl_expressions_options options = NETCL_EXPRESSIONS_OPTIONS_INIT;
  three_of(c, c->x[0], c->x[1], y);
  options.results_into = y;
  options.results_into_count = 2;
  OK(netcl_op_expressions((const char* const[]){"v1", "v0 + v1"}, 2, y, 2, &options, &c->run,
                          NULL));
  for (int k = 0; k < RESULTS; ++k) give(c, y[k]);
}
static void before_a_sum(Calls* c) {
  netcl_tensor* y[RESULTS];
  three_of(c, c->x[0], c->x[1], y);
  give(c, sum_of(y[0], &c->run));
  give(c, y[1]);
  RELEASE(y[0], y[2]);
}
static void with_a_variant(Calls* c) {
  netcl_tensor *made = formula("v0 * 2 + 1", c->x[0], NULL, &c->run), *y[2];
  netcl_expressions_options options = NETCL_EXPRESSIONS_OPTIONS_INIT;
  options.variant = NETCL_VARIANT_ELEMENTWISE_SCALAR;
  OK(netcl_op_expressions(kThree, 2, (netcl_tensor*[]){made, c->x[1]}, 2, &options, &c->run, y));
  for (int k = 0; k < 2; ++k) give(c, y[k]);
  netcl_tensor_release(made);
}

static const struct Case {
  const char* name;
  void (*build)(Calls* calls);
  int steps;
  const char* explained;
} kCases[] = {
    {"alone", alone, 1, "expressions tanh(v0) * v1; v0 * v0 - v1; exp(v1 * 0.5): input 0"},
    {"behind a call", behind_a_call, 1, "joins 0 expression v0 * 2 + 1, 1 expressions tanh(v0)"},
    {"of other dtypes", of_other_dtypes, 1, "joins 0 expression v0 * 20, 1 expressions v0 * v1"},
    {"before calls", before_calls, 1, "joins 0 expressions tanh(v0)"},
    {"in a row", in_a_row, 1, "joins 0 expressions tanh(v0)"},
    {"twice", twice, 1, "joins 0 expressions tanh(v0)"},
    {"in place", in_place, 1, "joins 0 expressions tanh(v0)"},
    {"before a sum", before_a_sum, 2, "stored because one call gives several"},
    {"with a variant", with_a_variant, 2, "stored because expressions reads it"},
};

static void check_explained(const struct Case* one, netcl_graph* graph) {
  static char text[8192];
  size_t length = 0;
  OK(netcl_graph_explain(graph, NETCL_GRAPH_FORMAT_TEXT, text, sizeof text, &length));
  CHECK(strstr(text, one->explained) != NULL, "%s: \"%s\" is not in\n%s", one->name, one->explained,
        text);
}

static void compiled(void** state) {
  Fixture* fixture = *state;
  for (size_t i = 0; i < COUNT_OF(kCases); ++i) {
    if (left_out(fixture, 3)) continue;
    Calls captured, eager;
    memset(&captured, 0, sizeof captured);
    memset(&eager, 0, sizeof eager);
    eager.run.struct_size = sizeof eager.run;
    for (int k = 0; k < 2; ++k) {
      float values[WIDTH];
      fill_random(NETCL_F32, values, WIDTH, 1);
      captured.x[k] = graph_vector(fixture, WIDTH, values);
      eager.x[k] = graph_vector(fixture, WIDTH, values);
    }
    captured.run = captured_calls(fixture);
    kCases[i].build(&captured);
    kCases[i].build(&eager);
    OK(netcl_graph_compile(captured.run.graph, captured.x, 2, captured.outputs, captured.count,
                           NULL));
    netcl_graph_info info = NETCL_GRAPH_INFO_INIT;
    OK(netcl_graph_get_info(captured.run.graph, &info));
    check_explained(&kCases[i], captured.run.graph);
    CHECK((int)info.step_count == kCases[i].steps, "%s: %d steps, not %d", kCases[i].name,
          (int)info.step_count, kCases[i].steps);
    for (int again = 0; again < 3; ++again) {
      netcl_tensor* outputs[OUTPUTS];
      for (uint32_t k = 0; k < captured.count; ++k) {
        outputs[k] = poisoned_like(fixture, eager.outputs[k]);
      }
      OK(netcl_graph_run(captured.run.graph, captured.x, 2, outputs, captured.count, NULL));
      for (uint32_t k = 0; k < captured.count; ++k) {
        check_same_bits(outputs[k], eager.outputs[k], kCases[i].name, (int)k);
      }
      release_tensors(outputs, captured.count);
    }
    release_tensors(captured.outputs, captured.count);
    release_tensors(eager.outputs, eager.count);
    release_tensors(captured.x, 2);
    release_tensors(eager.x, 2);
    netcl_graph_release(captured.run.graph);
  }
}

int main(void) {
  seed_random("expressions_graph");
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(gradients), DEVICE_TEST(sums_over_results), DEVICE_TEST(overwritten),
      DEVICE_TEST(compiled),  DEVICE_TEST(as_kernels),
  };
  return cmocka_run_group_tests_name("expressions_graph", tests, NULL, NULL);
}
