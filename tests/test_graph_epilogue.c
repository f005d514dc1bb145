/* Biases, residuals and activations that a compiled graph leaves to the product or the convolution
 * before them: how many steps are left, and the same bits as one call after the other. */
#include "support_epilogue.h"

static netcl_tensor* bias_in_front(const Parts* p, const netcl_run_options* run) {
  netcl_tensor *made = matrix_product(p, run), *next = formula("v0 + v1", p->bias, made, run);
  netcl_tensor_release(made);
  return next;
}
static netcl_tensor* with_all(const Parts* p, const netcl_run_options* run) {
  return then("leaky_relu(v0 + v1, 0.2)", with_bias(p, run), p->more, run);
}
static netcl_tensor* with_gelu(const Parts* p, const netcl_run_options* run) {
  return then("gelu(v0)", with_bias(p, run), NULL, run);
}
static netcl_tensor* with_sigmoid(const Parts* p, const netcl_run_options* run) {
  netcl_tensor *made = matrix_product(p, run), *biased = NULL;
  OK(netcl_op_bias_add(made, p->bias, 1, run, &biased));
  netcl_tensor_release(made);
  return then("sigmoid(v0)", biased, NULL, run);
}
static netcl_tensor* filters_and_skip(const Parts* p, const netcl_run_options* run) {
  netcl_tensor* made = then("v0 + v1", image_product(p, run), p->channel, run);
  return then("relu(v0 + v1)", made, p->skip, run);
}
static netcl_tensor* behind_batchnorm(const Parts* p, const netcl_run_options* run) {
  netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
  netcl_conv2d_batchnorm norm = NETCL_CONV2D_BATCHNORM_INIT;
  netcl_tensor *made = NULL, *mean = NULL;
  const int64_t four = 4;
  OK(netcl_tensor_reshape(p->channel, 1, &four, NULL, &mean));
  options.batchnorm = &norm;
  norm.mean = mean;
  norm.variance = mean;
  OK(netcl_op_conv2d(p->image, p->filters, &options, run, &made));
  netcl_tensor_release(mean);
  return then("relu(v0 + v1)", made, p->skip, run);
}

static netcl_tensor* plain_norm(const Parts* p, const netcl_run_options* run) {
  return normalised(p, image_product(p, run), 0, NETCL_ACTIVATION_NONE, run);
}
static netcl_tensor* scaled_norm(const Parts* p, const netcl_run_options* run) {
  return normalised(p, image_product(p, run), 1, NETCL_ACTIVATION_NONE, run);
}
static netcl_tensor* norm_and_skip(const Parts* p, const netcl_run_options* run) {
  netcl_tensor* made =
      normalised(p, image_product(p, run), 2, NETCL_ACTIVATION_NONE, run);
  return then("relu(v0 + v1)", made, p->skip, run);
}
static netcl_tensor* norm_and_gelu(const Parts* p, const netcl_run_options* run) {
  return then("gelu(v0)", normalised(p, image_product(p, run), 3, NETCL_ACTIVATION_NONE, run),
              NULL, run);
}
static netcl_tensor* norm_behind_bias(const Parts* p, const netcl_run_options* run) {
  return normalised(p, then("v0 + v1", image_product(p, run), p->channel, run), 3,
                    NETCL_ACTIVATION_NONE, run);
}
static netcl_tensor* norm_twice(const Parts* p, const netcl_run_options* run) {
  return normalised(p, plain_norm(p, run), 3, NETCL_ACTIVATION_NONE, run);
}
static netcl_tensor* norm_of_training(const Parts* p, const netcl_run_options* run) {
  netcl_batchnorm_options options = NETCL_BATCHNORM_OPTIONS_INIT;
  netcl_tensor *made = image_product(p, run), *next = NULL, *mean = NULL, *variance = NULL;
  OK(netcl_op_copy(p->mean, run, &mean));
  OK(netcl_op_copy(p->variance, run, &variance));
  options.training = 1;
  OK(netcl_op_batchnorm(made, mean, variance, &options, run, &next));
  RELEASE(made, mean, variance);
  return next;
}

/* What has no place in an epilogue, or would be rounded otherwise there. */
static netcl_tensor* residual_first(const Parts* p, const netcl_run_options* run) {
  return then("v0 + v1", then("v0 + v1", matrix_product(p, run), p->more, run), p->bias, run);
}
static netcl_tensor* bias_behind_batchnorm(const Parts* p, const netcl_run_options* run) {
  netcl_tensor* made = NULL;
  netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  options.epilogue = &epilogue;
  epilogue.residual = p->skip;
  OK(netcl_op_conv2d(p->image, p->filters, &options, run, &made));
  return then("v0 + v1", made, p->channel, run);
}
static netcl_tensor* scaled(const Parts* p, const netcl_run_options* run) {
  return then("v0 * 2", matrix_product(p, run), NULL, run);
}
static netcl_tensor* twice(const Parts* p, const netcl_run_options* run) {
  return then("v0 + v0", matrix_product(p, run), NULL, run);
}
static netcl_tensor* activated_twice(const Parts* p, const netcl_run_options* run) {
  return then("relu(tanh(v0))", matrix_product(p, run), NULL, run);
}
static netcl_tensor* in_another_order(const Parts* p, const netcl_run_options* run) {
  netcl_tensor *made = NULL, *turned = NULL;
  OK(netcl_op_matmul(p->b, p->b, NULL, run, &made));
  OK(netcl_tensor_permute(made, (uint32_t[]){1, 0}, 2, &turned));
  netcl_tensor_release(made);
  return then("v0 + v1", turned, p->bias, run);
}
static netcl_tensor* over_an_operand(const Parts* p, const netcl_run_options* run) {
  netcl_tensor *square = NULL, *copy = formula("v0 + 0", p->b, NULL, run);
  OK(netcl_op_matmul(copy, p->b, NULL, run, &square));
  formula_into("v0 + v1", square, p->bias, copy, run);
  netcl_tensor_release(square);
  return copy;
}
static netcl_tensor* read_by_two(const Parts* p, const netcl_run_options* run) {
  netcl_tensor *made = matrix_product(p, run), *sum = sum_of(made, run);
  netcl_tensor* next = then("v0 + v1", made, sum, run);
  netcl_tensor_release(sum);
  return next;
}

static const Case kCases[] = {{"bias", with_bias, 1, 1},
                              {"bias in front", bias_in_front, 1, 1},
                              {"bias, relu", with_relu, 1, 1},
                              {"bias, residual, leaky relu", with_all, 1, 1},
                              {"bias, gelu", with_gelu, 1, 2},
                              {"bias_add, sigmoid", with_sigmoid, 1, 2},
                              {"an epilogue with more", behind_an_epilogue, 1, 1},
                              {"filters, relu", filters_and_relu, 1, 1},
                              {"filters, residual, relu", filters_and_skip, 1, 1},
                              {"residual", only_skip, 1, 1},
                              {"residual behind batchnorm", behind_batchnorm, 1, 1},
                              {"normalised", plain_norm, 1, 2},
                              {"normalised, scaled", scaled_norm, 1, 2},
                              {"normalised, relu", whole_norm, 1, 2},
                              {"normalised, residual, relu", norm_and_skip, 1, 3},
                              {"normalised, gelu", norm_and_gelu, 1, 3},
                              {"normalised behind a bias", norm_behind_bias, 2, 2},
                              {"normalised twice", norm_twice, 2, 3},
                              {"normalised by the batch", norm_of_training, 4, 4},
                              {"residual first", residual_first, 2, 2},
                              {"bias behind a residual", bias_behind_batchnorm, 2, 2},
                              {"scaled", scaled, 2, 2},
                              {"twice", twice, 2, 2},
                              {"two activations", activated_twice, 2, 2},
                              {"in another order", in_another_order, 2, 2},
                              {"over an operand", over_an_operand, 3, 3},
                              {"read by two", read_by_two, 3, 3}};

static void cases(void** state) {
  Fixture* fixture = *state;
  for (size_t i = 0; i < COUNT_OF(kCases); ++i) {
    const int steps = fixture->kernels ? kCases[i].kernel_steps : kCases[i].native_steps;
    check_case(fixture, &kCases[i], NETCL_F32, steps);
    if (fixture->capabilities.fp64) check_case(fixture, &kCases[i], NETCL_F64, steps);
  }
}

/* A product that is an output too is stored, and what another call overwrites is read before. */
static void outputs_and_writes(void** state) {
  Fixture* fixture = *state;
  Parts parts = make_parts(fixture, NETCL_F32);
  netcl_run_options run = captured_calls(fixture);
  netcl_graph_info info = NETCL_GRAPH_INFO_INIT;
  netcl_tensor *made = matrix_product(&parts, &run),
               *sum = formula("v0 + v1", made, parts.bias, &run);
  netcl_tensor* const both[2] = {made, sum};
  OK(netcl_graph_compile(run.graph, NULL, 0, both, 2, NULL));
  OK(netcl_graph_get_info(run.graph, &info));
  assert_int_equal(info.step_count, 2);
  RELEASE(made, sum);
  netcl_graph_release(run.graph);

  run = captured_calls(fixture);
  netcl_tensor* copy = formula("v0 + 0", parts.a, NULL, &run);
  OK(netcl_op_matmul(copy, parts.b, NULL, &run, &made));
  formula_into("v0 * 0", copy, NULL, copy, &run);
  sum = formula("v0 + v1", made, parts.bias, &run);
  netcl_tensor* const results[2] = {sum, copy};
  OK(netcl_graph_compile(run.graph, NULL, 0, results, 2, NULL));
  netcl_tensor* outputs[2] = {noise(fixture, NETCL_F32, 2, (int64_t[]){ROWS, WIDTH}),
                              noise(fixture, NETCL_F32, 2, (int64_t[]){ROWS, WIDTH})};
  OK(netcl_graph_run(run.graph, NULL, 0, outputs, 2, NULL));
  netcl_run_options plain = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor* wanted = with_bias(&parts, &plain);
  float *got = read_tensor(outputs[0]), *right = read_tensor(wanted);
  assert_memory_equal(got, right, ROWS * WIDTH * sizeof *got);
  free(got);
  free(right);
  RELEASE(made, sum, copy, wanted, outputs[0], outputs[1]);
  netcl_graph_release(run.graph);
  release_parts(&parts);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(cases),
      DEVICE_TEST(outputs_and_writes),
      DEVICE_TEST(as_kernels),
  };
  seed_random("graph_epilogue");
  return cmocka_run_group_tests_name("graph_epilogue", tests, NULL, NULL);
}
