/* Epilogues of compiled graphs in 16-bit floats: the same bits where the product alone is rounded,
 * else one rounding in place of two. */
#include <math.h>

#include "support_epilogue.h"

static netcl_tensor* only_relu(const Parts* p, const netcl_run_options* run) {
  return then("relu(v0)", matrix_product(p, run), NULL, run);
}
static netcl_tensor* image_relu(const Parts* p, const netcl_run_options* run) {
  return then("relu(v0)", image_product(p, run), NULL, run);
}
static netcl_tensor* one_formula(const Parts* p, const netcl_run_options* run) {
  netcl_tensor *made = matrix_product(p, run), *next = NULL;
  OK(netcl_op_expression_text("leaky_relu(v0 + v1 + v2, 0.25)",
                              (netcl_tensor*[]){made, p->bias, p->more}, 3, NULL, run, &next));
  netcl_tensor_release(made);
  return next;
}
static netcl_tensor* one_gelu(const Parts* p, const netcl_run_options* run) {
  return then("gelu(v0 + v1)", matrix_product(p, run), p->bias, run);
}
static netcl_tensor* rounded_between(const Parts* p, const netcl_run_options* run) {
  return then("v0 + v1", with_bias(p, run), p->more, run);
}
static netcl_tensor* rounded_slope(const Parts* p, const netcl_run_options* run) {
  return then("leaky_relu(v0, 0.3)", with_bias(p, run), NULL, run);
}
static netcl_tensor* norm_behind_bias(const Parts* p, const netcl_run_options* run) {
  return normalised(p, then("v0 + v1", image_product(p, run), p->channel, run), 3,
                    NETCL_ACTIVATION_NONE, run);
}
static netcl_tensor* plain_norm(const Parts* p, const netcl_run_options* run) {
  return normalised(p, image_product(p, run), 0, NETCL_ACTIVATION_NONE, run);
}
static netcl_tensor* norm_and_skip(const Parts* p, const netcl_run_options* run) {
  netcl_tensor* made = normalised(p, image_product(p, run), 2, NETCL_ACTIVATION_NONE, run);
  return then("relu(v0 + v1)", made, p->skip, run);
}
static netcl_tensor* norm_twice(const Parts* p, const netcl_run_options* run) {
  return normalised(p, plain_norm(p, run), 3, NETCL_ACTIVATION_NONE, run);
}
static netcl_tensor* norm_behind_skip(const Parts* p, const netcl_run_options* run) {
  netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  netcl_tensor* made = NULL;
  options.epilogue = &epilogue;
  epilogue.residual = p->skip;
  OK(netcl_op_conv2d(p->image, p->filters, &options, run, &made));
  return normalised(p, made, 3, NETCL_ACTIVATION_NONE, run);
}
/* What a normalisation or a convolution takes for its filters may be f32. */
static netcl_tensor* norm_of_f32(const Parts* p, const netcl_run_options* run) {
  const netcl_run_options plain = NETCL_RUN_OPTIONS_INIT;
  Parts wide = *p;
  netcl_tensor** const parts[4] = {&wide.mean, &wide.variance, &wide.scale, &wide.shift};
  for (int i = 0; i < 4; ++i) *parts[i] = formula("f32(v0)", *parts[i], NULL, &plain);
  netcl_tensor* made = normalised(&wide, image_product(p, run), 3, NETCL_ACTIVATION_NONE, run);
  for (int i = 0; i < 4; ++i) netcl_tensor_release(*parts[i]);
  return made;
}
static netcl_tensor* bias_of_f32(const Parts* p, const netcl_run_options* run) {
  const netcl_run_options plain = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *bias = formula("f32(v0)", p->channel, NULL, &plain), *next = NULL,
               *made = image_product(p, run);
  netcl_expression_options options = NETCL_EXPRESSION_OPTIONS_INIT;
  options.dtype = tensor_info(made).dtype;
  OK(netcl_op_expression_text("v0 + v1", (netcl_tensor*[]){made, bias}, 2, &options, run, &next));
  RELEASE(bias, made);
  return next;
}

/* The same bits where nothing is added to the product: relu commutes with its rounding. */
static const Case kSameShort[] = {{"relu", only_relu, 1, 1},
                                  {"relu of an image", image_relu, 1, 1},
                                  {"rounded before the residual", rounded_between, 2, 2},
                                  {"rounded before the slope", rounded_slope, 2, 2}};
/* The product is not rounded before what is added to it. */
static const Case kOnceShort[] = {{"bias", with_bias, 1, 1},
                                  {"bias, relu", with_relu, 1, 1},
                                  {"bias, residual, leaky relu", one_formula, 1, 1},
                                  {"bias, gelu", one_gelu, 1, 2},
                                  {"an epilogue with more", behind_an_epilogue, 1, 1},
                                  {"filters, relu", filters_and_relu, 1, 1},
                                  {"residual", only_skip, 1, 1}};

/* Nor before a normalisation, whatever the device is. */
static const Case kNormsShort[] = {{"normalised", plain_norm, 1, 1},
                                   {"normalised, relu", whole_norm, 1, 1},
                                   {"normalised behind a bias", norm_behind_bias, 1, 1},
                                   {"normalised by f32", norm_of_f32, 1, 1},
                                   {"bias of f32", bias_of_f32, 1, 1},
                                   {"normalised, residual, relu", norm_and_skip, 1, 1},
                                   {"normalised twice", norm_twice, 2, 2},
                                   {"normalised behind a residual", norm_behind_skip, 2, 2}};

static Parts as_f32(const Parts* from) {
  Parts to;
  const netcl_run_options plain = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor* const* const given = (netcl_tensor* const*)from;
  netcl_tensor** const made = (netcl_tensor**)&to;
  for (size_t i = 0; i < sizeof to / sizeof *made; ++i) {
    made[i] = formula("f32(v0)", given[i], NULL, &plain);
  }
  return to;
}

/* What is stored is what the calls give in f32, rounded once; and no farther from what the calls
 * give one by one than the roundings of these, of which `factor` is made. */
static void check_rounded_once(Fixture* fixture, const Case* one, netcl_dtype dtype,
                               double factor) {
  const double unit = dtype == NETCL_F16 ? 0x1p-11 : 0x1p-8;
  const int steps = fixture->kernels ? one->kernel_steps : one->native_steps;
  Parts parts = make_parts(fixture, dtype), wide = as_f32(&parts);
  netcl_run_options run = captured_calls(fixture);
  const netcl_run_options plain = NETCL_RUN_OPTIONS_INIT;
  netcl_graph_info info = NETCL_GRAPH_INFO_INIT;
  netcl_tensor *made = one->build(&parts, &run), *exact = one->build(&wide, &plain),
               *eager = one->build(&parts, &plain), *out = poisoned_like(fixture, eager);
  OK(netcl_graph_compile(run.graph, NULL, 0, &made, 1, NULL));
  OK(netcl_graph_get_info(run.graph, &info));
  CHECK((int)info.step_count == steps, "%s, %s: %d steps, not %d", one->name,
        netcl_dtype_name(dtype), (int)info.step_count, steps);
  OK(netcl_graph_run(run.graph, NULL, 0, &out, 1, NULL));
  void *got = read_tensor(out), *right = read_tensor(exact), *apart = read_tensor(eager);
  for (int64_t i = 0; steps == 1 && i < (int64_t)tensor_info(out).element_count; ++i) {
    const double value = load_double(dtype, got, i), wanted = load_double(NETCL_F32, right, i),
                 before = load_double(dtype, apart, i);
    /* f32 may sum in another order for another dtype; sums are below 8. */
    CHECK(fabs(value - wanted) <= unit * fabs(wanted) + 1e-5, "%s, %s: [%d] is %.9g, exactly %.9g",
          one->name, netcl_dtype_name(dtype), (int)i, value, wanted);
    CHECK(fabs(value - before) <= 2 * unit * (8 * factor + fabs(wanted)),
          "%s, %s: [%d] is %.9g, one by one %.9g", one->name, netcl_dtype_name(dtype), (int)i,
          value, before);
  }
  free(got);
  free(right);
  free(apart);
  RELEASE(made, exact, eager, out);
  netcl_graph_release(run.graph);
  release_parts(&parts);
  release_parts(&wide);
}

static void short_floats(void** state) {
  Fixture* fixture = *state;
  static const netcl_dtype kShort[] = {NETCL_F16, NETCL_BF16};
  for (int d = 0; d < 2; ++d) {
    for (size_t i = 0; i < COUNT_OF(kSameShort); ++i) {
      const Case* one = &kSameShort[i];
      if (left_out(fixture, 4)) continue;
      check_case(fixture, one, kShort[d],
                 fixture->kernels ? one->kernel_steps : one->native_steps);
    }
    for (size_t i = 0; i < COUNT_OF(kOnceShort); ++i) {
      if (!left_out(fixture, 4)) check_rounded_once(fixture, &kOnceShort[i], kShort[d], 1);
    }
    /* The variance is 0.1 at least. */
    for (size_t i = 0; i < COUNT_OF(kNormsShort); ++i) {
      if (!left_out(fixture, 4)) check_rounded_once(fixture, &kNormsShort[i], kShort[d], 3.2);
    }
  }
}

int main(void) {
  seed_random("graph_epilogue_short");
  compile_quickly();
  const struct CMUnitTest tests[] = {DEVICE_TEST(short_floats), DEVICE_TEST(as_kernels)};
  return cmocka_run_group_tests_name("graph_epilogue_short", tests, NULL, NULL);
}
