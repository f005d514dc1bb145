/* Counts that no array has are refused by their name, before anything of the array is read. */
#include <stdio.h>

#include "support_graph.h"

enum { kHuge = 0x7fffffff };
static const uint32_t kCounts[] = {UINT32_MAX, kHuge, NETCL_LIST_MAX + 1};

#define HUGE(name, call)                                                       \
  do {                                                                         \
    char wanted_[80];                                                          \
    snprintf(wanted_, sizeof wanted_, "%s is %u; the limit is", (name), huge); \
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, wanted_, (call));                 \
  } while (0)

static void graphs(void** state) {
  Fixture* fixture = *state;
  netcl_run_options run = captured_calls(fixture);
  netcl_tensor *x = counting_vector(fixture, 4, 1), *y = formula("exp(v0)", x, NULL, &run);
  netcl_tensor* made = NULL;
  uint32_t count = 0;
  for (size_t i = 0; i < COUNT_OF(kCounts); ++i) {
    const uint32_t huge = kCounts[i];
    netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
    HUGE("inputs_count", netcl_graph_compile(run.graph, &x, huge, &y, 1, NULL));
    HUGE("outputs_count", netcl_graph_compile(run.graph, &x, 1, &y, huge, NULL));
    HUGE("outputs_count", netcl_graph_add_gradients(run.graph, &y, huge, &x, 1, NULL, &made));
    HUGE("inputs_count", netcl_graph_add_gradients(run.graph, &y, 1, &x, huge, NULL, &made));
    options.seeds = options.into = &x;
    options.seeds_count = options.into_count = huge;
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->seeds_count is",
               netcl_graph_add_gradients(run.graph, &y, 1, &x, 1, &options, &made));
  }
  OK(netcl_graph_compile(run.graph, &x, 1, &y, 1, NULL));
  for (size_t i = 0; i < COUNT_OF(kCounts); ++i) {
    const uint32_t huge = kCounts[i];
    HUGE("inputs_count", netcl_graph_run(run.graph, &x, huge, &x, 1, NULL));
    HUGE("outputs_count", netcl_graph_run(run.graph, &x, 1, &x, huge, NULL));
    HUGE("inputs_count", netcl_graph_evaluate(run.graph, &x, huge, NULL, &made, 1, &count));
  }
  assert_null(made);
  RELEASE(x, y);
  netcl_graph_release(run.graph);
}

static void ops(void** state) {
  Fixture* fixture = *state;
  netcl_tensor *x = counting_vector(fixture, 4, 1), *made = NULL, *views[1] = {NULL};
  netcl_tensor* step = make_tensor(fixture->device, NETCL_I64, 0, NULL, &(int64_t){0});
  const int64_t size = 1;
  const int32_t axis = 0;
  const char* text = "v0";
  for (size_t i = 0; i < COUNT_OF(kCounts); ++i) {
    const uint32_t huge = kCounts[i];
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    netcl_event* event = NULL;
    netcl_reduce_options reduce = NETCL_REDUCE_OPTIONS_INIT;
    reduce.axes = &axis;
    reduce.axes_count = run.waits_count = huge;
    run.waits = &event;
    HUGE("parameters_count", netcl_op_sgd(&x, huge, &x, 1, 0.1, NULL, NULL));
    HUGE("parameters_count",
         netcl_op_adam(&x, huge, &x, huge, &x, huge, &x, huge, step, 0.1, NULL, NULL));
    HUGE("tensors_count", netcl_op_clip_by_norm(&x, huge, 1, NULL, NULL));
    HUGE("inputs_count", netcl_op_concat(&x, huge, 0, NULL, &made));
    HUGE("sizes_count", netcl_tensor_split(x, 0, &size, huge, views));
    HUGE("options->axes_count", netcl_op_reduce(x, NETCL_REDUCTION_SUM, &reduce, NULL, &made));
    HUGE("run->waits_count", netcl_op_expression_text(text, &x, 1, NULL, &run, &made));
    HUGE("inputs_count", netcl_op_expression_text(text, &x, huge, NULL, NULL, &made));
  }
  assert_null(made);
  RELEASE(x, step);
}

static void primitives(void** state) {
  Fixture* fixture = *state;
  netcl_tensor *x = counting_vector(fixture, 4, 1), *made = NULL;
  const char *name = "gain", *text = "grad";
  const double value = 2;
  for (size_t i = 0; i < COUNT_OF(kCounts); ++i) {
    const uint32_t huge = kCounts[i];
    netcl_primitive_options options = NETCL_PRIMITIVE_OPTIONS_INIT;
    netcl_primitive_call_options call = NETCL_PRIMITIVE_CALL_OPTIONS_INIT;
    options.arity = 1;
    options.forward = "v0 * gain";
    options.attributes = &name;
    options.attributes_count = huge;
    HUGE("options->attributes_count", netcl_primitive_register("gained", &options));
    options.attributes_count = 1;
    options.backward = &text;
    options.backward_count = huge;
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->backward_count is",
               netcl_primitive_register("gained", &options));
    options.backward_count = 0;
    OK(netcl_primitive_register("gained", &options));
    call.attributes = &name;
    call.values = &value;
    call.attributes_count = call.values_count = huge;
    HUGE("options->attributes_count", netcl_op_primitive("gained", &x, 1, &call, NULL, &made));
    call.attributes_count = 1;
    HUGE("options->values_count", netcl_op_primitive("gained", &x, 1, &call, NULL, &made));
    OK(netcl_primitive_unregister("gained"));
  }
  assert_null(made);
  RELEASE(x);
}

static void others(void** state) {
  Fixture* fixture = *state;
  netcl_space* space = NULL;
  netcl_kernel* kernel = NULL;
  const int64_t whole = 1;
  const double real = 1;
  const char* text = "-DONE";
  uint64_t signature = 0;
  netcl_tensor* x = counting_vector(fixture, 4, 1);
  OK(netcl_space_create(&space));
  for (size_t i = 0; i < COUNT_OF(kCounts); ++i) {
    const uint32_t huge = kCounts[i];
    HUGE("values_count", netcl_space_add_ints(space, "a", &whole, huge));
    HUGE("values_count", netcl_space_add_floats(space, "a", &real, huge));
    HUGE("values_count", netcl_space_add_texts(space, "a", &text, huge));
    HUGE("inputs_count",
         netcl_kernel_shape_signature((const netcl_tensor* const*)&x, huge, NULL, 0, &signature));
    if (!fixture->opencl) continue;
    netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
    options.source = "__kernel void k(__global float *a) {}";
    options.flags = &text;
    options.flags_count = huge;
    HUGE("options->flags_count", netcl_kernel_create(fixture->device, "k", &options, &kernel));
    options.flags_count = 0;
    options.params = &text;
    options.params_count = huge;
    HUGE("options->params_count", netcl_kernel_create(fixture->device, "k", &options, &kernel));
  }
  assert_null(kernel);
  netcl_space_release(space);
  RELEASE(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(graphs),
      DEVICE_TEST(ops),
      DEVICE_TEST(primitives),
      DEVICE_TEST(others),
  };
  return cmocka_run_group_tests_name("counts", tests, NULL, NULL);
}
