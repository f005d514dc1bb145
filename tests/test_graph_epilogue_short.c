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

/* The same bits where nothing is added to the product: relu commutes with its rounding. */
static const Case kSameShort[] = {{"relu", only_relu, 1, 1},
                                  {"relu of an image", image_relu, 1, 1},
                                  {"normalised", whole_norm, 2, 2},
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
 * give one by one than the roundings of these. */
static void check_rounded_once(Fixture* fixture, const Case* one, netcl_dtype dtype) {
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
    CHECK(fabs(value - before) <= 2 * unit * (8 + fabs(wanted)),
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
      if (!left_out(fixture, 4)) check_rounded_once(fixture, &kOnceShort[i], kShort[d]);
    }
  }
}

int main(void) {
  seed_random("graph_epilogue_short");
  compile_quickly();
  const struct CMUnitTest tests[] = {DEVICE_TEST(short_floats), DEVICE_TEST(as_kernels)};
  return cmocka_run_group_tests_name("graph_epilogue_short", tests, NULL, NULL);
}
