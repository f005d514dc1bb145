/* Copies that compiled graphs leave out, and those that they have to make; constants. */
#include "support_graph.h"

static netcl_tensor* running_sums(netcl_tensor* x, const netcl_run_options* run) {
  netcl_tensor* made = NULL;
  OK(netcl_op_scan(x, NETCL_REDUCTION_SUM, 0, NULL, run, &made));
  return made;
}

static netcl_tensor* copied(netcl_tensor* x, const netcl_run_options* run) {
  netcl_tensor* made = NULL;
  OK(netcl_op_copy(x, run, &made));
  return made;
}

/* Copies of values are left out while neither changes, and where only the copy does and the value
 * is not read any more. */
static void copies(void** state) {
  Fixture* fixture = *state;
  /* What changes between the copy and its reader: nothing, the copy, the copy of a value that is
   * read again, the value; and the copy is an output beside the value, or changes as such. */
  enum { NOTHING, COPY, COPY_AND_READ, VALUE, OUTPUTS, CHANGED_OUTPUTS, CASES };
  static const int kSteps[CASES] = {2, 3, 5, 4, 1, 3};
  for (int what = 0; what < CASES; ++what) {
    netcl_graph_info info = NETCL_GRAPH_INFO_INIT;
    netcl_run_options run = captured_calls(fixture);
    netcl_tensor *x = counting_vector(fixture, 4, 1), *out = counting_vector(fixture, 4, 0),
                 *beside = counting_vector(fixture, 4, 0), *last = NULL;
    netcl_tensor *a = running_sums(x, &run), *b = copied(a, &run); /* 1 3 6 10 */
    const int outputs = what == OUTPUTS || what == CHANGED_OUTPUTS;
    if (what == COPY || what == COPY_AND_READ || what == CHANGED_OUTPUTS)
      formula_into("v0 * 2", b, NULL, b, &run);
    if (what == VALUE) formula_into("v0 * 2", a, NULL, a, &run);
    netcl_tensor* c = running_sums(b, &run);
    if (what == COPY_AND_READ || what == VALUE) last = formula("v0 + v1", a, c, &run);
    netcl_tensor *const gives[2] = {outputs ? b : last != NULL ? last : c, a};
    netcl_tensor* const results[2] = {out, beside};
    const uint32_t count = outputs ? 2 : 1;
    OK(netcl_graph_compile(run.graph, &x, 1, gives, count, NULL));
    OK(netcl_graph_get_info(run.graph, &info));
    CHECK((int)info.step_count == kSteps[what], "case %d: %d steps, not %d", what,
          (int)info.step_count, kSteps[what]);
    OK(netcl_graph_run(run.graph, &x, 1, results, count, NULL));
    if (what == NOTHING) GIVES(out, 1, 4, 10, 20);
    if (what == COPY) GIVES(out, 2, 8, 20, 40);
    if (what == COPY_AND_READ) GIVES(out, 3, 11, 26, 50);
    if (what == VALUE) GIVES(out, 3, 10, 22, 40);
    if (what == OUTPUTS) GIVES(out, 1, 3, 6, 10);
    if (what == CHANGED_OUTPUTS) GIVES(out, 2, 6, 12, 20);
    if (outputs) GIVES(beside, 1, 3, 6, 10);
    RELEASE(x, out, beside, last, a, b, c);
    netcl_graph_release(run.graph);
  }
}

/* A copy in another order is none that can be left out. */
static void turned_copies(void** state) {
  Fixture* fixture = *state;
  netcl_run_options run = captured_calls(fixture);
  const int64_t square[2] = {2, 2}, flat = 4;
  const uint32_t turned[2] = {1, 0};
  netcl_tensor *x = counting_vector(fixture, 4, 1), *out = counting_vector(fixture, 4, 0);
  netcl_tensor *a = running_sums(x, &run), *wide = NULL, *view = NULL, *line = NULL;
  OK(netcl_tensor_reshape(a, 2, square, NULL, &wide));
  OK(netcl_tensor_permute(wide, turned, 2, &view));
  netcl_tensor* b = copied(view, &run);
  OK(netcl_tensor_reshape(b, 1, &flat, NULL, &line));
  netcl_tensor* c = running_sums(line, &run);
  OK(netcl_graph_compile(run.graph, &x, 1, &c, 1, NULL));
  OK(netcl_graph_run(run.graph, &x, 1, &out, 1, NULL));
  GIVES(out, 1, 7, 10, 20);
  RELEASE(x, out, a, wide, view, line, b, c);
  netcl_graph_release(run.graph);
}

/* A value that depends on nothing, here the gradient of the loss itself, is no step of a run. */
static void constants(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[2] = {2, 3}, two = 2;
  const float values[6] = {1, 2, 3, -1, 0.5f, 0};
  const int32_t classes[2] = {2, 0};
  netcl_tensor* x = make_tensor(fixture->device, NETCL_F32, 2, shape, values);
  netcl_tensor* labels = make_tensor(fixture->device, NETCL_I32, 1, &two, classes);
  netcl_tensor *out = make_tensor(fixture->device, NETCL_F32, 2, shape, values), *eager = NULL;
  for (int captures = 0; captures < 2; ++captures) {
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    if (captures) run = captured_calls(fixture);
    netcl_graph_info info = NETCL_GRAPH_INFO_INIT;
    netcl_tensor *loss = NULL, *gradient = NULL;
    if (!captures) OK(netcl_graph_create(fixture->device, NULL, &run.graph));
    OK(netcl_op_cross_entropy(x, labels, 1, NULL, &run, &loss));
    OK(netcl_graph_add_gradients(run.graph, &loss, 1, &x, 1, NULL, &gradient));
    if (captures) {
      OK(netcl_graph_compile(run.graph, &x, 1, &gradient, 1, NULL));
      OK(netcl_graph_get_info(run.graph, &info));
      assert_int_equal(info.step_count, 2);
      OK(netcl_graph_run(run.graph, &x, 1, &out, 1, NULL));
      float* wanted = read_tensor(eager);
      CHECK_TENSOR(out, wanted);
      free(wanted);
      RELEASE(gradient);
    } else {
      eager = gradient;
    }
    RELEASE(loss);
    netcl_graph_release(run.graph);
  }
  RELEASE(x, labels, out, eager);
}

/* One that is an output is written by each run. */
static void constant_outputs(void** state) {
  Fixture* fixture = *state;
  const float value = 3;
  const netcl_run_options run = captured_calls(fixture);
  netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 0, NULL, &value);
  netcl_tensor *sum = sum_of(x, &run), *one = gradient(&run, sum, x);
  netcl_tensor* out = poisoned_like(fixture, x);
  OK(netcl_graph_compile(run.graph, NULL, 0, &one, 1, NULL));
  for (int i = 0; i < 2; ++i) {
    OK(netcl_tensor_write(out, &value, sizeof value, NULL, NETCL_WAIT_FOREVER));
    OK(netcl_graph_run(run.graph, NULL, 0, &out, 1, NULL));
    GIVES(out, 1);
  }
  RELEASE(x, sum, one, out);
  netcl_graph_release(run.graph);
}

/* What is rounded of a value that changes in place beside it has the value from before. */
static void rounded_beside_a_change(void** state) {
  Fixture* fixture = *state;
  netcl_run_options run = captured_calls(fixture), into = run;
  netcl_tensor *x = counting_vector(fixture, 4, 1), *out = counting_vector(fixture, 4, 0);
  netcl_tensor *a = running_sums(x, &run), *half = NULL, *wide = NULL;
  OK(netcl_op_cast(a, NETCL_F16, &run, &half));
  into.into = a;
  OK(netcl_op_expression_text("v0 * 0.5", &a, 1, NULL, &into, NULL));
  netcl_tensor* b = running_sums(half, &run); /* reads what was rounded */
  OK(netcl_op_cast(b, NETCL_F32, &run, &wide));
  netcl_tensor *const gives[2] = {wide, a}, *beside = counting_vector(fixture, 4, 0);
  OK(netcl_graph_compile(run.graph, &x, 1, gives, 2, NULL));
  netcl_tensor* const results[2] = {out, beside};
  OK(netcl_graph_run(run.graph, &x, 1, results, 2, NULL));
  GIVES(out, 1, 4, 10, 20);
  GIVES(beside, 0.5, 1.5, 3, 5);
  RELEASE(x, out, beside, a, half, wide, b);
  netcl_graph_release(run.graph);
}

/* A batch normalisation whose factors a convolution gives is none of that convolution's result. */
static void factors_of_a_convolution(void** state) {
  Fixture* fixture = *state;
  const int64_t image[4] = {1, 2, 1, 1}, filter[4] = {2, 2, 1, 1}, channels = 2;
  const float ones[4] = {1, 2, 3, 4}, other[2] = {5, 7}, none[2] = {0, 0}, one[2] = {1, 1};
  netcl_tensor* x = make_tensor(fixture->device, NETCL_F32, 4, image, ones);
  netcl_tensor* w = make_tensor(fixture->device, NETCL_F32, 4, filter, ones);
  netcl_tensor* z = make_tensor(fixture->device, NETCL_F32, 4, image, other);
  netcl_tensor* mean = make_tensor(fixture->device, NETCL_F32, 1, &channels, none);
  netcl_tensor* variance = make_tensor(fixture->device, NETCL_F32, 1, &channels, one);
  netcl_tensor* out = make_tensor(fixture->device, NETCL_F32, 4, image, none);
  netcl_run_options run = captured_calls(fixture);
  netcl_batchnorm_options options = NETCL_BATCHNORM_OPTIONS_INIT;
  netcl_tensor *y = NULL, *result = NULL;
  options.has_epsilon = 1;
  OK(netcl_op_conv2d(x, w, NULL, &run, &y)); /* 5 11 */
  OK(netcl_tensor_reshape(y, 1, &channels, NULL, &options.scale));
  OK(netcl_op_batchnorm(z, mean, variance, &options, &run, &result));
  OK(netcl_graph_compile(run.graph, &x, 1, &result, 1, NULL));
  OK(netcl_graph_run(run.graph, &x, 1, &out, 1, NULL));
  GIVES(out, 25, 77);
  RELEASE(x, w, z, mean, variance, out, y, options.scale, result);
  netcl_graph_release(run.graph);
}

int main(void) {
  seed_random("graph_copies");
  const struct CMUnitTest tests[] = {DEVICE_TEST(copies), DEVICE_TEST(turned_copies),
                                     DEVICE_TEST(constants), DEVICE_TEST(constant_outputs),
                                     DEVICE_TEST(rounded_beside_a_change),
                                     DEVICE_TEST(factors_of_a_convolution),
                                     DEVICE_TEST(as_kernels)};
  return cmocka_run_group_tests_name("graph_copies", tests, NULL, NULL);
}
