#include "support_graph.h"

#include <math.h>
#include <string.h>

netcl_tensor* graph_vector(Fixture* fixture, int64_t count, const float* values) {
  return make_tensor(fixture->device, NETCL_F32, 1, &count, values);
}

netcl_run_options recorded(Fixture* fixture) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  OK(netcl_graph_create(fixture->device, NULL, &run.graph));
  return run;
}

netcl_run_options captured_calls(Fixture* fixture) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_graph_options options = NETCL_GRAPH_OPTIONS_INIT;
  options.execute = NETCL_OFF;
  OK(netcl_graph_create(fixture->device, &options, &run.graph));
  return run;
}

netcl_tensor* counting_vector(Fixture* fixture, int64_t count, double first) {
  float values[64];
  for (int64_t i = 0; i < count; ++i) values[i] = (float)(first + (double)i);
  return graph_vector(fixture, count, values);
}

netcl_tensor* formula(const char* text, netcl_tensor* a, netcl_tensor* b,
                      const netcl_run_options* run) {
  netcl_tensor* made = NULL;
  OK(netcl_op_expression_text(text, (netcl_tensor*[]){a, b}, b == NULL ? 1 : 2, NULL, run, &made));
  return made;
}

void formula_into(const char* text, netcl_tensor* a, netcl_tensor* b, netcl_tensor* into,
                  const netcl_run_options* run) {
  netcl_run_options there = *run;
  there.into = into;
  OK(netcl_op_expression_text(text, (netcl_tensor*[]){a, b}, b == NULL ? 1 : 2, NULL, &there,
                              NULL));
}

netcl_tensor* sum_of(netcl_tensor* x, const netcl_run_options* run) {
  netcl_tensor* made = NULL;
  OK(netcl_op_reduce(x, NETCL_REDUCTION_SUM, NULL, run, &made));
  return made;
}

netcl_tensor* gradient(const netcl_run_options* run, netcl_tensor* output, netcl_tensor* input) {
  netcl_tensor* made = NULL;
  OK(netcl_graph_add_gradients(run->graph, &output, 1, &input, 1, NULL, &made));
  return made;
}

void check_elements(netcl_tensor* tensor, int64_t count, const double* wanted, int line) {
  const netcl_tensor_info info = tensor_info(tensor);
  CHECK((int64_t)info.element_count == count, "line %d: %lld elements", line,
        (long long)info.element_count);
  void* data = read_tensor(tensor);
  for (int64_t i = 0; i < count; ++i) {
    const double got = load_double(info.dtype, data, i);
    CHECK(fabs(got - wanted[i]) <= 1e-5 * (1 + fabs(wanted[i])),
          "line %d: [%lld] is %.9g, not %.9g", line, (long long)i, got, wanted[i]);
  }
  free(data);
}

void release_tensors(netcl_tensor* const* tensors, size_t count) {
  for (size_t i = 0; i < count; ++i) netcl_tensor_release(tensors[i]);
}

uint64_t call_count(netcl_graph* graph) {
  netcl_graph_info info = NETCL_GRAPH_INFO_INIT;
  OK(netcl_graph_get_info(graph, &info));
  return info.call_count;
}

netcl_tensor* turned_view(netcl_tensor* tensor) {
  netcl_tensor* view = NULL;
  OK(netcl_tensor_permute(tensor, (uint32_t[]){1, 0}, 2, &view));
  return view;
}

netcl_tensor* poisoned_like(Fixture* fixture, netcl_tensor* tensor) {
  const netcl_tensor_info info = tensor_info(tensor);
  char* const poison = malloc((size_t)info.byte_count + 1);
  memset(poison, POISON, (size_t)info.byte_count + 1);
  netcl_tensor* made = make_tensor(fixture->device, info.dtype, info.rank, info.shape, poison);
  free(poison);
  return made;
}

void check_same_bits(netcl_tensor* got, netcl_tensor* wanted, const char* what, int which) {
  const netcl_tensor_info info = tensor_info(wanted);
  char *const a = read_tensor(got), *const b = read_tensor(wanted);
  const int64_t count = (int64_t)info.element_count;
  const int64_t size = count == 0 ? 0 : (int64_t)info.byte_count / count;
  /* At once, since some of them have millions of elements. */
  const int alike = count == 0 || memcmp(a, b, (size_t)info.byte_count) == 0;
  for (int64_t i = 0; !alike && i < count; ++i) {
    CHECK(same_element(info.dtype, a + i * size, b + i * size),
          "%s: tensor %d (%s), element %d: %.9g, one by one %.9g", what, which,
          netcl_dtype_name(info.dtype), (int)i, load_double(info.dtype, a, i),
          load_double(info.dtype, b, i));
  }
  free(a);
  free(b);
}
