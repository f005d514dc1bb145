#include "support_epilogue.h"

#include <string.h>

netcl_tensor* then(const char* text, netcl_tensor* made, netcl_tensor* other,
                   const netcl_run_options* run) {
  netcl_tensor* next = formula(text, made, other, run);
  netcl_tensor_release(made);
  return next;
}

netcl_tensor* matrix_product(const Parts* parts, const netcl_run_options* run) {
  netcl_tensor* made = NULL;
  OK(netcl_op_matmul(parts->a, parts->b, NULL, run, &made));
  return made;
}

netcl_tensor* image_product(const Parts* parts, const netcl_run_options* run) {
  netcl_tensor* made = NULL;
  OK(netcl_op_conv2d(parts->image, parts->filters, NULL, run, &made));
  return made;
}

netcl_tensor* with_bias(const Parts* p, const netcl_run_options* run) {
  return then("v0 + v1", matrix_product(p, run), p->bias, run);
}

netcl_tensor* with_relu(const Parts* p, const netcl_run_options* run) {
  return then("relu(v0)", with_bias(p, run), NULL, run);
}

netcl_tensor* behind_an_epilogue(const Parts* p, const netcl_run_options* run) {
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  netcl_tensor* made = NULL;
  options.epilogue = &epilogue;
  options.has_scale = 1;
  options.alpha = 0.5;
  epilogue.bias = p->bias;
  OK(netcl_op_matmul(p->a, p->b, &options, run, &made));
  return then("relu(v0 + v1)", made, p->more, run);
}

netcl_tensor* filters_and_relu(const Parts* p, const netcl_run_options* run) {
  return then("relu(v0 + v1)", image_product(p, run), p->channel, run);
}

netcl_tensor* only_skip(const Parts* p, const netcl_run_options* run) {
  return then("v0 + v1", image_product(p, run), p->skip, run);
}

netcl_tensor* normalised(const Parts* p, netcl_tensor* x, int parts,
                         netcl_activation activation, const netcl_run_options* run) {
  netcl_batchnorm_options options = NETCL_BATCHNORM_OPTIONS_INIT;
  netcl_tensor* made = NULL;
  options.epsilon = 1e-3;
  options.activation = activation;
  if (parts & 1) options.scale = p->scale;
  if (parts & 2) options.bias = p->shift;
  OK(netcl_op_batchnorm(x, p->mean, p->variance, &options, run, &made));
  netcl_tensor_release(x);
  return made;
}

netcl_tensor* whole_norm(const Parts* p, const netcl_run_options* run) {
  return normalised(p, image_product(p, run), 3, NETCL_ACTIVATION_RELU, run);
}

netcl_tensor* noise(Fixture* fixture, netcl_dtype dtype, uint32_t rank, const int64_t* shape) {
  static double values[512];
  int64_t count = 1;
  for (uint32_t d = 0; d < rank; ++d) count *= shape[d];
  fill_random(dtype, values, count, 1);
  return make_tensor(fixture->device, dtype, rank, shape, values);
}

static netcl_tensor* positive(Fixture* fixture, netcl_dtype dtype) {
  const netcl_run_options plain = NETCL_RUN_OPTIONS_INIT;
  return then("abs(v0) + 0.1", noise(fixture, dtype, 1, (int64_t[]){4}), NULL, &plain);
}

Parts make_parts(Fixture* fixture, netcl_dtype dtype) {
  return (Parts){noise(fixture, dtype, 2, (int64_t[]){ROWS, WIDTH}),
                 noise(fixture, dtype, 2, (int64_t[]){WIDTH, WIDTH}),
                 noise(fixture, dtype, 1, (int64_t[]){WIDTH}),
                 noise(fixture, dtype, 2, (int64_t[]){ROWS, WIDTH}),
                 noise(fixture, dtype, 4, (int64_t[]){2, 3, 6, 5}),
                 noise(fixture, dtype, 4, (int64_t[]){4, 3, 3, 3}),
                 noise(fixture, dtype, 4, (int64_t[]){1, 4, 1, 1}),
                 noise(fixture, dtype, 4, (int64_t[]){2, 4, 4, 3}),
                 noise(fixture, dtype, 1, (int64_t[]){4}),
                 positive(fixture, dtype),
                 noise(fixture, dtype, 1, (int64_t[]){4}),
                 noise(fixture, dtype, 1, (int64_t[]){4})};
}

void release_parts(const Parts* p) {
  RELEASE(p->a, p->b, p->bias, p->more, p->image, p->filters, p->channel, p->skip);
  RELEASE(p->mean, p->variance, p->scale, p->shift);
}

void check_case(Fixture* fixture, const Case* one, netcl_dtype dtype, int steps) {
  Parts parts = make_parts(fixture, dtype);
  netcl_run_options run = captured_calls(fixture);
  netcl_graph_info info = NETCL_GRAPH_INFO_INIT;
  netcl_tensor* const made = one->build(&parts, &run);
  OK(netcl_graph_compile(run.graph, NULL, 0, &made, 1, NULL));
  OK(netcl_graph_get_info(run.graph, &info));
  static char text[8192];
  OK(netcl_graph_explain(run.graph, NETCL_GRAPH_FORMAT_TEXT, text, sizeof text, NULL));
  CHECK((int)info.step_count == steps, "%s, %s: %d steps, not %d:\n%s", one->name,
        netcl_dtype_name(dtype), (int)info.step_count, steps, text);
  const netcl_tensor_info shape = tensor_info(made);
  for (int pass = 0; pass < 2; ++pass) {
    netcl_run_options plain = NETCL_RUN_OPTIONS_INIT;
    char* poison = malloc((size_t)shape.byte_count);
    memset(poison, POISON, (size_t)shape.byte_count);
    netcl_tensor* out = make_tensor(fixture->device, dtype, shape.rank, shape.shape, poison);
    netcl_tensor* wanted = one->build(&parts, &plain);
    OK(netcl_graph_run(run.graph, NULL, 0, &out, 1, NULL));
    void *got = read_tensor(out), *right = read_tensor(wanted);
    CHECK(memcmp(got, right, (size_t)shape.byte_count) == 0, "%s, %s: other bits than eager",
          one->name, netcl_dtype_name(dtype));
    free(got);
    free(right);
    free(poison);
    RELEASE(out, wanted);
    /* Parameters are read as they are at each run. */
    formula_into("v0 * -1.5", parts.bias, NULL, parts.bias, &plain);
    formula_into("v0 - 0.25", parts.more, NULL, parts.more, &plain);
    formula_into("v0 + 0.5", parts.channel, NULL, parts.channel, &plain);
    formula_into("v0 - 0.5", parts.mean, NULL, parts.mean, &plain);
    formula_into("v0 * 1.5", parts.variance, NULL, parts.variance, &plain);
  }
  netcl_tensor_release(made);
  netcl_graph_release(run.graph);
  release_parts(&parts);
}
