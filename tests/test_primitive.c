/* Primitives: formulas registered by name, called as ops, with their gradients. */
#include <math.h>
#include <stdio.h>

#include "support.h"

static netcl_status add(const char *name, uint32_t arity, const char *forward,
                        const char *const *backward, uint32_t backward_count) {
  netcl_primitive_options options = NETCL_PRIMITIVE_OPTIONS_INIT;
  options.arity = arity;
  options.forward = forward;
  options.backward = backward;
  options.backward_count = backward_count;
  return netcl_primitive_register(name, &options);
}

static netcl_tensor *vector(Fixture *fixture, netcl_dtype dtype, int64_t count,
                            const double *values) {
  unsigned char data[512];
  for (int64_t i = 0; i < count; ++i) store_double(dtype, data, i, values[i]);
  return make_tensor(fixture->device, dtype, 1, &count, data);
}

/* Reads a result, gives it back, and compares it. */
#define GIVES(result, tolerance, ...)                                             \
  do {                                                                            \
    const double wanted_[] = {__VA_ARGS__};                                       \
    check_and_release(&(result), COUNT_OF(wanted_), wanted_, (tolerance), __LINE__);   \
  } while (0)

static void products(void **state) {
  Fixture *fixture = *state;
  static const char *const kBackward[] = {"MUL(grad, v1)", "MUL(grad, v0)"};
  const double a[] = {1, 2, 3}, b[] = {4, 5, 6}, g[] = {1, 10, 100};
  netcl_tensor *inputs[] = {vector(fixture, NETCL_F32, 3, a), vector(fixture, NETCL_F32, 3, b)};
  netcl_tensor *grad = vector(fixture, NETCL_F32, 3, g), *made = NULL;
  /* The formulas of gradients as given, and netcl's own derivatives of both notations. */
  OK(add("my_op", 2, "MUL(v0, v1)", kBackward, 2));
  OK(add("my_own", 2, "v0 * v1", NULL, 0));
  static const char *const kNames[] = {"my_op", "my_own"};
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 2; ++i) {
      OK(netcl_op_primitive(kNames[i], inputs, 2, NULL, NULL, &made));
      GIVES(made, 0, 4, 10, 18);
      OK(netcl_op_primitive_gradient(kNames[i], inputs, 2, 0, grad, NULL, NULL, NULL, &made));
      GIVES(made, 0, 4, 50, 600);
      OK(netcl_op_primitive_gradient(kNames[i], inputs, 2, 1, grad, NULL, NULL, NULL, &made));
      GIVES(made, 0, 1, 20, 300);
    }
  }
  for (int i = 0; i < 2; ++i) OK(netcl_primitive_unregister(kNames[i]));
  FAILS_WITH(NETCL_ERROR_NOT_FOUND, "my_op",
             netcl_op_primitive("my_op", inputs, 2, NULL, NULL, &made));
  assert_null(made);
  netcl_tensor_release(grad);
  for (int i = 0; i < 2; ++i) netcl_tensor_release(inputs[i]);
}

/* The formulas that are given are used, also where they are no derivatives, and "" stands for
 * netcl's own. */
static void formulas_are_used(void **state) {
  Fixture *fixture = *state;
  static const char *const kBackward[] = {"grad * out + 7", ""};
  const double a[] = {1, 2}, b[] = {3, 5}, g[] = {1, 10}, o[] = {1000, 2000};
  netcl_tensor *inputs[] = {vector(fixture, NETCL_F32, 2, a), vector(fixture, NETCL_F32, 2, b)};
  netcl_tensor *grad = vector(fixture, NETCL_F32, 2, g), *out = vector(fixture, NETCL_F32, 2, o);
  netcl_tensor *made = NULL;
  OK(add("odd", 2, "v0 + v1 * v1", kBackward, 2));
  OK(netcl_op_primitive_gradient("odd", inputs, 2, 0, grad, out, NULL, NULL, &made));
  GIVES(made, 0, 1007, 20007);
  /* Without the result it is worked out again: 1 + 9 and 2 + 25. */
  OK(netcl_op_primitive_gradient("odd", inputs, 2, 0, grad, NULL, NULL, NULL, &made));
  GIVES(made, 0, 17, 277);
  OK(netcl_op_primitive_gradient("odd", inputs, 2, 1, grad, out, NULL, NULL, &made));
  GIVES(made, 0, 6, 100);
  /* A name that was removed can be given to something else, of which nothing old is left. */
  OK(netcl_primitive_unregister("odd"));
  OK(add("odd", 2, "v0 - v1", NULL, 0));
  OK(netcl_op_primitive("odd", inputs, 2, NULL, NULL, &made));
  GIVES(made, 0, -2, -3);
  OK(netcl_op_primitive_gradient("odd", inputs, 2, 1, grad, out, NULL, NULL, &made));
  GIVES(made, 0, -1, -10);
  OK(netcl_primitive_unregister("odd"));
  netcl_tensor_release(out);
  netcl_tensor_release(grad);
  for (int i = 0; i < 2; ++i) netcl_tensor_release(inputs[i]);
}

static void attributes(void **state) {
  Fixture *fixture = *state;
  static const char *const kNames[] = {"slope", "SHIFT"};
  static const char *const kBackward[] = {"v0 > 0 ? grad : grad * slope"};
  static const char *const kTwice[] = {"slope", "slope"}, *const kWrong[] = {"slop"};
  const double defaults[] = {0.5, 0}, a[] = {-2, 2}, given[] = {-0.25, 3};
  netcl_tensor *x = vector(fixture, NETCL_F32, 2, a), *made = NULL;
  netcl_primitive_options options = NETCL_PRIMITIVE_OPTIONS_INIT;
  netcl_primitive_call_options call = NETCL_PRIMITIVE_CALL_OPTIONS_INIT;
  options.arity = 1;
  options.forward = "(v0 > 0 ? v0 : slope * v0) + SHIFT";
  options.backward = kBackward;
  options.backward_count = 1;
  options.attributes = kNames;
  options.attributes_count = 2;
  options.defaults = defaults;
  options.defaults_count = 2;
  OK(netcl_primitive_register("leak", &options));
  OK(netcl_op_primitive("leak", &x, 1, NULL, NULL, &made));
  GIVES(made, 0, -1, 2);
  call.attributes = kNames;
  call.values = given;
  call.attributes_count = call.values_count = 1;
  OK(netcl_op_primitive("leak", &x, 1, &call, NULL, &made));
  GIVES(made, 0, 0.5, 2);
  call.attributes_count = call.values_count = 2;
  OK(netcl_op_primitive("leak", &x, 1, &call, NULL, &made));
  GIVES(made, 0, 3.5, 5);
  OK(netcl_op_primitive_gradient("leak", &x, 1, 0, x, NULL, &call, NULL, &made));
  GIVES(made, 0, 0.5, 2);
  call.attributes = kTwice;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->attributes[1] is \"slope\" for the second",
             netcl_op_primitive("leak", &x, 1, &call, NULL, &made));
  call.attributes = kWrong;
  call.attributes_count = call.values_count = 1;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "\"slop\"; \"leak\" has the attributes slope, SHIFT",
             netcl_op_primitive("leak", &x, 1, &call, NULL, &made));
  call.values_count = 0;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->values_count is 0",
             netcl_op_primitive("leak", &x, 1, &call, NULL, &made));
  OK(netcl_primitive_unregister("leak"));

  /* Without defaults each call sets all; without a formula the derivative takes the value too. */
  options.defaults_count = options.backward_count = 0;
  OK(netcl_primitive_register("leak", &options));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "lacks slope",
             netcl_op_primitive("leak", &x, 1, NULL, NULL, &made));
  call.attributes = kNames;
  call.attributes_count = call.values_count = 2;
  OK(netcl_op_primitive_gradient("leak", &x, 1, 0, x, NULL, &call, NULL, &made));
  GIVES(made, 0, 0.5, 2);
  OK(netcl_primitive_unregister("leak"));
  assert_null(made);
  netcl_tensor_release(x);
}

static void any_number_of_inputs(void **state) {
  Fixture *fixture = *state;
  static const char *const kBackward[] = {"grad * out / v0"};
  netcl_tensor *inputs[NETCL_PRIMITIVE_INPUTS_MAX + 1], *made = NULL;
  for (int i = 0; i <= NETCL_PRIMITIVE_INPUTS_MAX; ++i) {
    const double value[] = {1 + i % 3, 1};
    inputs[i] = vector(fixture, NETCL_F32, 2, value);
  }
  OK(add("product", 0, "v0 * v1", NULL, 0));
  OK(add("product_of", 0, "v0 * v1", kBackward, 1));
  OK(add("most", 0, "MAX(v0, v1)", NULL, 0));
  static const char *const kNames[] = {"product", "product_of"};
  for (int i = 0; i < 2; ++i) {
    OK(netcl_op_primitive(kNames[i], inputs, 5, NULL, NULL, &made));
    GIVES(made, 0, 12, 1);
    OK(netcl_op_primitive(kNames[i], inputs + 1, 1, NULL, NULL, &made));
    GIVES(made, 0, 2, 1);
    OK(netcl_op_primitive_gradient(kNames[i], inputs, 5, 2, inputs[1], NULL, NULL, NULL, &made));
    GIVES(made, 1e-6, 8, 1);
  }
  /* The greatest of 1, 2 and 3 in turn; where all are 1, each maximum on the way shares. */
  OK(netcl_op_primitive("most", inputs, NETCL_PRIMITIVE_INPUTS_MAX, NULL, NULL, &made));
  GIVES(made, 0, 3, 1);
  for (uint32_t k = 0; k < NETCL_PRIMITIVE_INPUTS_MAX; k += 61) {
    OK(netcl_op_primitive_gradient("most", inputs, NETCL_PRIMITIVE_INPUTS_MAX, k, inputs[2], NULL,
                                   NULL, NULL, &made));
    GIVES(made, 1e-12, 0, k == 0 ? 0 : 0.5);
  }
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "inputs_count is 63; primitives take 1 to 62",
             netcl_op_primitive("most", inputs, NETCL_PRIMITIVE_INPUTS_MAX + 1, NULL, NULL, &made));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "inputs_count is 0",
             netcl_op_primitive("most", inputs, 0, NULL, NULL, &made));
  for (int i = 0; i < 2; ++i) OK(netcl_primitive_unregister(kNames[i]));
  OK(netcl_primitive_unregister("most"));
  for (int i = 0; i <= NETCL_PRIMITIVE_INPUTS_MAX; ++i) netcl_tensor_release(inputs[i]);
}

/* Three inputs of random shapes that broadcast: each gradient is the sum over what it was spread
 * to, worked out here in double precision. The formula is f = a * b + sin(a) * c. */
static void broadcast_inputs_are_summed(void **state) {
  Fixture *fixture = *state;
  enum { MOST = 200 };
  OK(add("spread", 3, "v0 * v1 + sin(v0) * v2", NULL, 0));
  for (int round = 0; round < 24; ++round) {
    const netcl_dtype dtype = round % 3 == 0 && fixture->capabilities.fp64 ? NETCL_F64
                              : round % 3 == 1                             ? NETCL_F16
                                                                           : NETCL_F32;
    const uint32_t rank = (uint32_t)random_in(0, 3);
    int64_t shape[3], shapes[3][3];
    uint32_t ranks[3];
    double values[4][MOST], wanted[3][MOST] = {{0}};
    unsigned char data[MOST * 8];
    netcl_tensor *tensors[4], *made = NULL;
    for (uint32_t d = 0; d < rank; ++d) shape[d] = random_in(1, 5);
    const int64_t count = product(rank, shape);
    for (int k = 0; k < 3; ++k) {
      ranks[k] = k == round % 3 ? rank : (uint32_t)random_in(0, rank);
      for (uint32_t d = 0; d < ranks[k]; ++d) {
        const int whole = k == round % 3 || random_in(0, 1) == 0;
        shapes[k][d] = whole ? shape[rank - ranks[k] + d] : 1;
      }
    }
    for (int k = 0; k < 4; ++k) {
      const int64_t n = k == 3 ? count : product(ranks[k], shapes[k]);
      for (int64_t i = 0; i < n; ++i) {
        store_double(dtype, data, i, random_real(-2, 2));
        values[k][i] = load_double(dtype, data, i);
      }
      tensors[k] = make_tensor(fixture->device, dtype, k == 3 ? rank : ranks[k],
                               k == 3 ? shape : shapes[k], data);
    }
    for (int64_t flat = 0; flat < count; ++flat) {
      int64_t at[3];
      for (int k = 0; k < 3; ++k) {
        int64_t rest = flat, scale = 1;
        at[k] = 0;
        for (uint32_t d = rank; d-- > rank - ranks[k];) {
          const int64_t extent = shapes[k][d - (rank - ranks[k])];
          if (extent != 1) at[k] += rest % shape[d] * scale;
          scale *= extent;
          rest /= shape[d];
        }
      }
      const double a = values[0][at[0]], b = values[1][at[1]], c = values[2][at[2]];
      const double g = values[3][flat];
      wanted[0][at[0]] += g * (b + cos(a) * c);
      wanted[1][at[1]] += g * a;
      wanted[2][at[2]] += g * sin(a);
    }
    const double tolerance = dtype == NETCL_F64 ? 1e-12 : dtype == NETCL_F32 ? 1e-4 : 4e-3;
    for (uint32_t k = 0; k < 3; ++k) {
      OK(netcl_op_primitive_gradient("spread", tensors, 3, k, tensors[3], NULL, NULL, NULL,
                                     &made));
      const netcl_tensor_info info = tensor_info(made);
      assert_int_equal(info.dtype, dtype);
      assert_int_equal(info.rank, ranks[k]);
      for (uint32_t d = 0; d < ranks[k]; ++d) assert_int_equal(info.shape[d], shapes[k][d]);
      check_and_release(&made, product(ranks[k], shapes[k]), wanted[k], tolerance, __LINE__);
    }
    for (int k = 0; k < 4; ++k) netcl_tensor_release(tensors[k]);
  }
  OK(netcl_primitive_unregister("spread"));
}

/* Where the result goes: in place of an input, of the gradient, or a strided view. */
static void results_in_place(void **state) {
  Fixture *fixture = *state;
  const int64_t wide[2] = {2, 3}, row[1] = {3};
  const double a[] = {1, 2, 3, 4, 5, 6}, b[] = {10, 20, 30};
  const float poison[] = {-1, -1, -1, -1, -1, -1};
  float host[6];
  netcl_tensor *made = NULL;
  OK(add("sum", 2, "v0 + v1", NULL, 0));
  OK(add("scaled", 2, "v0 * v1", NULL, 0));
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 6; ++i) host[i] = (float)a[i];
    netcl_tensor *inputs[2] = {make_tensor(fixture->device, NETCL_F32, 2, wide, host),
                               vector(fixture, NETCL_F32, 3, b)};
    netcl_tensor *grad = make_tensor(fixture->device, NETCL_F32, 2, wide, host);
    netcl_tensor *strided = make_tensor(fixture->device, NETCL_F32, 2, wide, poison), *view = NULL;
    const netcl_range ranges[2] = {{0, 1, 1}, {0, 3, 1}};
    netcl_run_options run = run_into(inputs[0]);
    /* The gradient of the first input replaces it. */
    OK(netcl_op_primitive_gradient("scaled", inputs, 2, 0, grad, NULL, NULL, &run, NULL));
    OK(netcl_op_copy(inputs[0], NULL, &made));
    GIVES(made, 0, 10, 40, 90, 40, 100, 180);
    run = run_into(inputs[1]);
    OK(netcl_op_primitive_gradient("sum", inputs, 2, 1, grad, NULL, NULL, &run, NULL));
    OK(netcl_op_copy(inputs[1], NULL, &made));
    GIVES(made, 0, 5, 7, 9);
    /* A row of the gradient itself receives the sum over its rows. */
    OK(netcl_tensor_slice(grad, ranges, 2, &view));
    netcl_tensor *line = NULL;
    OK(netcl_tensor_reshape(view, 1, row, NULL, &line));
    run = run_into(line);
    OK(netcl_op_primitive_gradient("sum", inputs, 2, 1, grad, NULL, NULL, &run, NULL));
    OK(netcl_op_copy(grad, NULL, &made));
    GIVES(made, 0, 5, 7, 9, 4, 5, 6);
    run = run_into(strided);
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "run->into",
               netcl_op_primitive_gradient("sum", inputs, 2, 1, grad, NULL, NULL, &run, NULL));
    OK(netcl_op_copy(strided, NULL, &made));
    GIVES(made, 0, -1, -1, -1, -1, -1, -1);
    netcl_tensor_release(line);
    netcl_tensor_release(view);
    netcl_tensor_release(strided);
    netcl_tensor_release(grad);
    for (int i = 0; i < 2; ++i) netcl_tensor_release(inputs[i]);
  }
  OK(netcl_primitive_unregister("sum"));
  OK(netcl_primitive_unregister("scaled"));
}

static void bad_registrations(void **state) {
  (void)state;
  static const char *const kOne[] = {"grad"}, *const kTwo[] = {"grad", "grad * v2"};
  static const char *const kNull[] = {NULL};
  const double values[2] = {1, 2};
  char name[129];
  netcl_primitive_options options = NETCL_PRIMITIVE_OPTIONS_INIT;
  OK(add("taken", 1, "v0", NULL, 0));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "name is \"taken\", which is registered already",
             add("taken", 1, "v0 * 2", NULL, 0));
  OK(netcl_primitive_unregister("taken"));
  FAILS_WITH(NETCL_ERROR_NOT_FOUND, "name is \"taken\"; registered primitives are: none",
             netcl_primitive_unregister("taken"));
  /* The formula, the column and what was expected there. */
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->forward: expression column 6: ",
             add("f", 2, "v0 + * v1", NULL, 0));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT,
             "options->forward: expression column 6: expected an input from v0 to v1, found \"v2\"",
             add("f", 2, "v0 + v2", NULL, 0));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "expression column 6: expected the input v0",
             add("f", 1, "v0 + v1", NULL, 0));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT,
             "options->backward[1]: expression column 8: expected an input from v0 to v1",
             add("f", 2, "v0 + v1", kTwo, 2));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->forward: expression column 1: ",
             add("f", 2, "grad + v1", NULL, 0));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->forward: expression column 1: ",
             add("f", 2, "", NULL, 0));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->forward is NULL", add("f", 2, NULL, NULL, 0));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->backward_count is 1; it is 2",
             add("f", 2, "v0 + v1", kOne, 1));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->backward_count is 2; it is 1",
             add("f", 0, "v0 + v1", kTwo, 2));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->backward[0] is NULL",
             add("f", 1, "v0", kNull, 1));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->backward is NULL", add("f", 1, "v0", NULL, 1));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->arity is 63", add("f", 63, "v0", NULL, 0));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "name is NULL", add(NULL, 1, "v0", NULL, 0));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "name is empty", add("", 1, "v0", NULL, 0));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options is NULL", netcl_primitive_register("f", NULL));
  memset(name, 'n', sizeof name);
  name[128] = 0;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "longer than 127", add(name, 1, "v0", NULL, 0));
  name[127] = 0;
  OK(add(name, 1, "v0", NULL, 0));
  OK(netcl_primitive_unregister(name));

  static const char *const kBad[] = {"", "2a", "a b", "sin", "SIN", "v3", "pi", "f32", "grad",
                                     "out", "where", "select", "a23456789012345678901234567890xy"};
  options.arity = 1;
  options.forward = "v0";
  options.attributes_count = 1;
  for (size_t i = 0; i < COUNT_OF(kBad); ++i) {
    options.attributes = &kBad[i];
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->attributes[0] is",
               netcl_primitive_register("f", &options));
  }
  static const char *const kTwice[] = {"alpha", "alpha"};
  options.attributes = kTwice;
  options.attributes_count = 2;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->attributes[1] is \"alpha\" for the second",
             netcl_primitive_register("f", &options));
  options.attributes_count = 1;
  options.defaults = values;
  options.defaults_count = 2;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->defaults_count is 2; it is 1",
             netcl_primitive_register("f", &options));
  FAILS_WITH(NETCL_ERROR_NOT_FOUND, "registered primitives are: none",
             netcl_primitive_unregister("f"));
}

static netcl_status register_given(Fixture *fixture, const void *given) {
  (void)fixture;
  netcl_primitive_options good = NETCL_PRIMITIVE_OPTIONS_INIT;
  good.forward = "v0";
  const netcl_status status = netcl_primitive_register("given", given != NULL ? given : &good);
  if (status == NETCL_OK) OK(netcl_primitive_unregister("given"));
  return status;
}

static void options_rules(void **state) {
  netcl_primitive_options options = NETCL_PRIMITIVE_OPTIONS_INIT;
  options.forward = "v0";
  check_options_rules(*state, "primitive", register_given, &options, SIZES(netcl_primitive_options),
                      NULL, 0);
}

static void bad_calls(void **state) {
  Fixture *fixture = *state;
  const double a[] = {1, 2, 3};
  netcl_tensor *inputs[2] = {vector(fixture, NETCL_F32, 3, a), vector(fixture, NETCL_I32, 3, a)};
  netcl_tensor *two = vector(fixture, NETCL_F32, 2, a), *made = NULL;
  OK(add("f", 2, "v0 * v1", NULL, 0));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "inputs_count is 1; \"f\" takes 2",
             netcl_op_primitive("f", inputs, 1, NULL, NULL, &made));
  FAILS_WITH(NETCL_ERROR_NOT_FOUND, "registered primitives are: \"f\"",
             netcl_op_primitive("g", inputs, 2, NULL, NULL, &made));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "input is 2; inputs_count is 2",
             netcl_op_primitive_gradient("f", inputs, 2, 2, inputs[0], NULL, NULL, NULL, &made));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "inputs[1] is i32",
             netcl_op_primitive_gradient("f", inputs, 2, 1, inputs[0], NULL, NULL, NULL, &made));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "grad has shape [2]; inputs broadcast to [3]",
             netcl_op_primitive_gradient("f", inputs, 2, 0, two, NULL, NULL, NULL, &made));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "out has shape [2]; inputs broadcast to [3]",
             netcl_op_primitive_gradient("f", inputs, 2, 0, inputs[0], two, NULL, NULL, &made));
  FAILS_WITH(NETCL_ERROR_INVALID_HANDLE, "grad",
             netcl_op_primitive_gradient("f", inputs, 2, 0, NULL, NULL, NULL, NULL, &made));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "name is NULL",
             netcl_op_primitive(NULL, inputs, 2, NULL, NULL, &made));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "inputs is NULL",
             netcl_op_primitive("f", NULL, 2, NULL, NULL, &made));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_op_primitive("f", inputs, 2, NULL, NULL, NULL));
  assert_null(made);
  /* Gradients of integers among the inputs go to the others. */
  OK(netcl_op_primitive_gradient("f", inputs, 2, 0, inputs[0], NULL, NULL, NULL, &made));
  GIVES(made, 0, 1, 4, 9);
  OK(netcl_primitive_unregister("f"));
  netcl_tensor_release(two);
  for (int i = 0; i < 2; ++i) netcl_tensor_release(inputs[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(products),
      DEVICE_TEST(formulas_are_used),
      DEVICE_TEST(attributes),
      DEVICE_TEST(any_number_of_inputs),
      DEVICE_TEST(broadcast_inputs_are_summed),
      DEVICE_TEST(results_in_place),
      DEVICE_TEST(bad_registrations),
      DEVICE_TEST(options_rules),
      DEVICE_TEST(bad_calls),
      DEVICE_TEST(as_kernels),
  };
  seed_random("primitive");
  return cmocka_run_group_tests_name("primitive", tests, NULL, NULL);
}
