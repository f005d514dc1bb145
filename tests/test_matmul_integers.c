/* Products of 8-bit integers: exact modulo 2^32 for every input, dtype, layout, variant and form of
 * zero point. */
#include <math.h>

#include "support_graph.h"
#include "support_integers.h"

static const netcl_variant kVariants[] = {0, NETCL_VARIANT_MATMUL_NAIVE,
                                          NETCL_VARIANT_MATMUL_TILED,
                                          NETCL_VARIANT_MATMUL_REGISTER_TILED,
                                          NETCL_VARIANT_MATMUL_VECTORIZED};

/* Only the vectorized product of the built-in loops may refuse a case: it reads a where it is. */
static void check_case(Fixture* fixture, const ByteCase* what) {
  const int may_refuse = what->variant == NETCL_VARIANT_MATMUL_VECTORIZED && !fixture->kernels;
  const int ran = check_byte_product(fixture, what);
  CHECK(ran || may_refuse, "%s refused %lld x %lld x %lld", netcl_variant_name(what->variant),
        (long long)what->m, (long long)what->n, (long long)what->k);
}

static void random_products(void** state) {
  Fixture* fixture = *state;
  for (size_t v = 0; v < COUNT_OF(kVariants); ++v) {
    const int large = fixture->kernels && v >= 3;
    const int many = rounds(fixture, large ? 20 : 50);
    for (int round = 0; round < many; ++round) {
      ByteCase what = random_byte_case(round % 3 == 0 ? 8 : round % 3 == 1 ? 40 : 140);
      what.variant = kVariants[v];
      if (round % 8 == 7) what.n = 1;
      if (round % 8 == 6) what.m = 1;
      if (round % 8 == 5) what.k = random_in(250, 900);
      if (round % 16 == 4) what.k = 0;
      check_case(fixture, &what);
    }
  }
}

/* Around the tiles and the blocks of the depth, odd depths, one row, one column, and nothing. */
static void edge_sizes(void** state) {
  Fixture* fixture = *state;
  const int64_t sizes[][3] = {{1, 1, 1},      {6, 16, 2},     {7, 17, 3},     {12, 32, 8},
                              {13, 33, 9},    {5, 15, 1023},  {6, 16, 1024},  {7, 17, 1025},
                              {3, 40, 2049},  {1, 300, 77},   {300, 1, 77},   {1, 1, 3001},
                              {129, 127, 33}, {64, 64, 64},   {131, 260, 31}, {0, 5, 3},
                              {5, 0, 3},      {4, 4, 0},      {2, 3, 15},     {4, 8, 16}};
  for (size_t i = 0; i < COUNT_OF(sizes); ++i) {
    for (size_t v = 0; v < COUNT_OF(kVariants); ++v) {
      /* As kernels each may be a program of its own. */
      if (fixture->kernels && (i % 5 != v || (v >= 3 && i % 10 < 8))) continue;
      ByteCase what = random_byte_case(8);
      what.m = sizes[i][0];
      what.n = sizes[i][1];
      what.k = sizes[i][2];
      what.variant = kVariants[v];
      check_case(fixture, &what);
    }
  }
}

/* Each form of zero point of each operand, with a stack of matrices on either side or both. */
static void zero_points(void** state) {
  Fixture* fixture = *state;
  for (int a = 0; a < ZERO_FORMS; ++a) {
    for (int b = 0; b < ZERO_FORMS; ++b) {
      for (int stacks = 0; stacks < 4; ++stacks) {
        if (fixture->kernels && (a + b + stacks) % 7 != 0) continue;
        ByteCase what = random_byte_case(20);
        what.batch_a = stacks & 1 ? 3 : 1;
        what.batch_b = stacks & 2 ? 3 : 1;
        what.zero_a = a;
        what.zero_b = b;
        what.variant = fixture->kernels ? NETCL_VARIANT_MATMUL_NAIVE
                                        : kVariants[(a + b + stacks) % (int)COUNT_OF(kVariants)];
        check_case(fixture, &what);
      }
    }
  }
}

/* The largest products of all signs, at a depth where the sums wrap. */
static void extremes(void** state) {
  Fixture* fixture = *state;
  static const struct {
    netcl_dtype a, b;
    int low_a, low_b, zero_a, zero_b;
    int has_zeros;
  } cases[] = {{NETCL_I8, NETCL_U8, -128, 255, 0, 0, 0},
               {NETCL_U8, NETCL_I8, 255, -128, 0, 0, 0},
               {NETCL_U8, NETCL_U8, 255, 255, 0, 0, 0},
               {NETCL_I8, NETCL_I8, -128, -128, 0, 0, 0},
               {NETCL_I8, NETCL_I8, 127, -128, 0, 0, 0},
               {NETCL_I8, NETCL_I8, -128, 127, 127, -128, 1},
               {NETCL_U8, NETCL_U8, 0, 255, 255, 0, 1},
               {NETCL_I8, NETCL_U8, 127, 0, -128, 255, 1}};
  enum { M = 9, N = 18, K = 70001 };
  const int64_t shape_a[2] = {M, K}, shape_b[2] = {K, N};
  unsigned char* bytes_a = malloc((size_t)M * K);
  unsigned char* bytes_b = malloc((size_t)K * N);
  const size_t automatic = (size_t)random_in(0, COUNT_OF(cases) - 1);
  const size_t every = only_sanitized() ? COUNT_OF(cases) : 1;
  for (size_t i = only_sanitized() ? automatic : 0; i < COUNT_OF(cases); i += every) {
    memset(bytes_a, cases[i].low_a, (size_t)M * K);
    memset(bytes_b, cases[i].low_b, (size_t)K * N);
    const signed char zeros[2] = {(signed char)cases[i].zero_a, (signed char)cases[i].zero_b};
    netcl_tensor* a = make_tensor(fixture->device, cases[i].a, 2, shape_a, bytes_a);
    netcl_tensor* b = make_tensor(fixture->device, cases[i].b, 2, shape_b, bytes_b);
    netcl_tensor* zero_a = make_tensor(fixture->device, cases[i].a, 0, NULL, &zeros[0]);
    netcl_tensor* zero_b = make_tensor(fixture->device, cases[i].b, 0, NULL, &zeros[1]);
    const int64_t each = (int64_t)(cases[i].low_a - cases[i].zero_a) *
                         (cases[i].low_b - cases[i].zero_b);
    const uint32_t word = (uint32_t)(uint64_t)(each * K);
    int32_t wanted = 0;
    memcpy(&wanted, &word, sizeof word);
    for (size_t v = 0; v < (fixture->kernels ? 1 : COUNT_OF(kVariants)); ++v) {
      netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
      netcl_tensor* result = NULL;
      /* The larger kernels take PoCL seconds each; one case has them in every run. */
      options.variant = i != automatic && left_out(fixture, 4) ? NETCL_VARIANT_MATMUL_NAIVE
                                                               : kVariants[v];
      if (cases[i].has_zeros) {
        options.a_zero_point = zero_a;
        options.b_zero_point = zero_b;
      }
      OK(netcl_op_matmul(a, b, &options, NULL, &result));
      int32_t* got = read_tensor(result);
      for (int j = 0; j < M * N; ++j) {
        CHECK(got[j] == wanted, "case %zu, %s: element %d is %d, not %d", i,
              netcl_variant_name(options.variant), j, got[j], wanted);
      }
      free(got);
      netcl_tensor_release(result);
    }
    RELEASE(a, b, zero_a, zero_b);
  }
  free(bytes_a);
  free(bytes_b);
}

/* By the matrix units of a GPU: whole tiles and parts of them, pieces of the depth, operands in
 * place and copied, and each zero point, which is taken off when the pieces are joined. */
static void matrix_units(void** state) {
  Fixture* fixture = *state;
  if (fixture->capabilities.matrix_units == NETCL_MATRIX_UNITS_NONE) {
    SKIP("the device has no matrix units that netcl uses");
  }
  const int64_t sizes[][3] = {{128, 256, 128}, {129, 257, 129}, {64, 64, 4096}, {8, 1024, 4096},
                              {300, 200, 1},   {1, 1, 300},     {3, 700, 16},   {200, 5, 33},
                              {65, 64, 20000}, {640, 520, 96},  {5, 6, 0}};
  const int fixed = 2 * COUNT_OF(sizes);
  for (int round = 0; round < fixed + rounds(fixture, 80); ++round) {
    ByteCase what = random_byte_case(round % 3 == 0 ? 40 : round % 3 == 1 ? 200 : 400);
    if (round < fixed) {
      what.m = sizes[round / 2][0];
      what.n = sizes[round / 2][1];
      what.k = sizes[round / 2][2];
    }
    what.plain = round % 2;
    what.extremes = round % 5 == 0;
    what.variant = NETCL_VARIANT_MATMUL_MATRIX_UNITS;
    assert_true(check_byte_product(fixture, &what));
  }
}

/* Ranks 1: a row, a column, and zero points of their one line. */
static void vectors(void** state) {
  Fixture* fixture = *state;
  const signed char x[3] = {-128, 5, 127}, y[6] = {1, -2, 3, -4, 5, -128};
  const int64_t three[1] = {3}, two[1] = {2}, matrix[2] = {3, 2};
  const signed char zero_a[1] = {7}, zero_b[2] = {-3, 100};
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_tensor* a = make_tensor(fixture->device, NETCL_I8, 1, three, x);
  netcl_tensor* b = make_tensor(fixture->device, NETCL_I8, 2, matrix, y);
  netcl_tensor* result = NULL;
  options.a_zero_point = make_tensor(fixture->device, NETCL_I8, 1, (int64_t[]){1}, zero_a);
  options.b_zero_point = make_tensor(fixture->device, NETCL_I8, 1, two, zero_b);
  OK(netcl_op_matmul(a, b, &options, NULL, &result));
  const int32_t wanted[2] = {(-128 - 7) * (1 + 3) + (5 - 7) * (3 + 3) + (127 - 7) * (5 + 3),
                             (-128 - 7) * (-2 - 100) + (5 - 7) * (-4 - 100) +
                                 (127 - 7) * (-128 - 100)};
  assert_int_equal(tensor_info(result).rank, 1);
  CHECK_TENSOR(result, wanted);
  netcl_tensor* dot = NULL;
  OK(netcl_op_matmul(a, a, NULL, NULL, &dot));
  const int32_t square[1] = {128 * 128 + 25 + 127 * 127};
  assert_int_equal(tensor_info(dot).rank, 0);
  CHECK_TENSOR(dot, square);
  RELEASE(a, b, result, dot, options.a_zero_point, options.b_zero_point);
}

typedef struct Given {
  netcl_tensor *a, *b, *words, *floats, *halves, *wide, *zero, *unsigned_zero, *three, *stack;
} Given;

static Given make_given(Fixture* fixture) {
  netcl_device* d = fixture->device;
  const int64_t m23[] = {2, 3}, m34[] = {3, 4}, m24[] = {2, 4}, v3[] = {3}, s[] = {2, 2, 1};
  Given x;
  OK(netcl_tensor_create_zeros(d, NETCL_I8, 2, m23, NULL, NULL, &x.a));
  OK(netcl_tensor_create_zeros(d, NETCL_U8, 2, m34, NULL, NULL, &x.b));
  OK(netcl_tensor_create_zeros(d, NETCL_I32, 2, m24, NULL, NULL, &x.words));
  OK(netcl_tensor_create_zeros(d, NETCL_F32, 2, m24, NULL, NULL, &x.floats));
  OK(netcl_tensor_create_zeros(d, NETCL_F32, 2, m34, NULL, NULL, &x.halves));
  OK(netcl_tensor_create_zeros(d, NETCL_I16, 2, m23, NULL, NULL, &x.wide));
  OK(netcl_tensor_create_zeros(d, NETCL_I8, 0, NULL, NULL, NULL, &x.zero));
  OK(netcl_tensor_create_zeros(d, NETCL_U8, 0, NULL, NULL, NULL, &x.unsigned_zero));
  OK(netcl_tensor_create_zeros(d, NETCL_I8, 1, v3, NULL, NULL, &x.three));
  OK(netcl_tensor_create_zeros(d, NETCL_I8, 3, s, NULL, NULL, &x.stack));
  return x;
}

static void release_given(Given* x) {
  RELEASE(x->a, x->b, x->words, x->floats, x->halves, x->wide, x->zero, x->unsigned_zero);
  RELEASE(x->three, x->stack);
}

#define REFUSED(status, text, left, right) \
  FAILS_WITH(status, text, netcl_op_matmul(left, right, &options, &run, &result))

static void dtype_errors(void** state) {
  Fixture* fixture = *state;
  Given x = make_given(fixture);
  const netcl_status invalid = NETCL_ERROR_INVALID_ARGUMENT;
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *result = NULL, *turned = NULL;
  OK(netcl_tensor_permute(x.wide, (uint32_t[]){1, 0}, 2, &turned));
  REFUSED(NETCL_ERROR_UNSUPPORTED, "a is i16; matmul takes f16, bf16, f32, f64, i8 and u8", x.wide,
          turned);
  REFUSED(invalid, "a is i8 and b is f32; dtypes must be equal, or i8 and u8", x.a, x.halves);
  options.dtype = NETCL_F32;
  REFUSED(invalid, "options->dtype is f32; the product of i8 gives i32", x.a, x.b);
  options.dtype = NETCL_I8;
  REFUSED(invalid, "options->dtype is i8; the product of i8 gives i32", x.a, x.b);
  options.dtype = 0;
  run.into = x.floats;
  REFUSED(invalid, "run->into is f32; the product of i8 gives i32", x.a, x.b);
  assert_null(result);
  netcl_tensor_release(turned);
  release_given(&x);
}

static void option_errors(void** state) {
  Fixture* fixture = *state;
  Given x = make_given(fixture);
  const netcl_status invalid = NETCL_ERROR_INVALID_ARGUMENT;
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_tensor *result = NULL, *into = NULL;
  const int32_t poison[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  into = make_tensor(fixture->device, NETCL_I32, 2, (int64_t[]){2, 4}, poison);
  netcl_run_options run = run_into(into);
  options.has_scale = 1;
  options.alpha = 0.5;
  REFUSED(invalid, "options->alpha is 0.5; products of i8 and u8 take whole numbers", x.a, x.b);
  options.alpha = 2147483648.0;
  REFUSED(invalid, "options->alpha is 2.14748e+09", x.a, x.b);
  options.alpha = NAN;
  REFUSED(invalid, "options->alpha is nan", x.a, x.b);
  options.alpha = 1;
  options.beta = -1e300;
  REFUSED(invalid, "options->beta is -1e+300", x.a, x.b);
  options.beta = 0;
  options.epilogue = &epilogue;
  epilogue.activation = NETCL_ACTIVATION_TANH;
  REFUSED(NETCL_ERROR_UNSUPPORTED,
          "options->epilogue->activation is 5; products of i8 and u8 take NONE and RELU", x.a, x.b);
  epilogue.activation = NETCL_ACTIVATION_NONE;
  epilogue.bias = x.floats;
  REFUSED(invalid, "options->epilogue->bias is f32; a is i8 and the result i32", x.a, x.b);
  epilogue.bias = x.zero;
  REFUSED(invalid, "options->epilogue->bias is i8", x.a, x.b);
  epilogue.bias = NULL;
  epilogue.residual = x.floats;
  REFUSED(invalid, "options->epilogue->residual is f32", x.a, x.b);
  CHECK_TENSOR(into, poison);
  assert_null(result);
  netcl_tensor_release(into);
  release_given(&x);
}

static void zero_point_errors(void** state) {
  Fixture* fixture = *state;
  Given x = make_given(fixture);
  const netcl_status invalid = NETCL_ERROR_INVALID_ARGUMENT;
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_tensor *result = NULL, *into = NULL, *row = NULL, *sharing = NULL;
  netcl_buffer* buffer = NULL;
  const int32_t poison[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  OK(netcl_buffer_create_pinned(fixture->device, sizeof poison, &buffer));
  OK(netcl_tensor_create_from_buffer(buffer, 0, NETCL_I32, 2, (int64_t[]){2, 4}, NULL, &into));
  OK(netcl_tensor_write(into, poison, sizeof poison, NULL, LONG_WAIT));
  netcl_run_options run = run_into(into);
  options.a_zero_point = x.unsigned_zero;
  REFUSED(invalid, "options->a_zero_point is u8 and a is i8; dtypes must be equal", x.a, x.b);
  options.a_zero_point = x.three;
  REFUSED(invalid, "options->a_zero_point has shape [3]; it takes one element, [2], or [..., 2, 1]",
          x.a, x.b);
  options.a_zero_point = x.stack;
  REFUSED(invalid, "options->a_zero_point has shape [2, 2, 1]", x.a, x.b);
  /* A row where a column is taken. */
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I8, 2, (int64_t[]){1, 2}, NULL, NULL, &row));
  options.a_zero_point = row;
  REFUSED(invalid, "options->a_zero_point has shape [1, 2]", x.a, x.b);
  options.a_zero_point = NULL;
  options.b_zero_point = x.zero;
  REFUSED(invalid, "options->b_zero_point is i8 and b is u8", x.a, x.b);
  options.b_zero_point = x.unsigned_zero;
  netcl_tensor *left = NULL, *no_result = NULL;
  const int64_t m23[] = {2, 3};
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, m23, NULL, NULL, &left));
  FAILS_WITH(invalid, "options->b_zero_point is set and b is f32",
             netcl_op_matmul(left, x.halves, &options, NULL, &no_result));
  CHECK_TENSOR(into, poison);
  /* A zero point that lies in the result. */
  OK(netcl_tensor_create_from_buffer(buffer, 8, NETCL_I8, 1, (int64_t[]){2}, NULL, &sharing));
  options.b_zero_point = NULL;
  options.a_zero_point = sharing;
  REFUSED(invalid, "shares its memory with options->a_zero_point", x.a, x.b);
  CHECK_TENSOR(into, poison);
  assert_null(result);
  RELEASE(into, row, left, sharing);
  netcl_buffer_release(buffer);
  release_given(&x);
}

/* What was recorded runs with other inputs; no gradient goes through integers. */
static void graphs(void** state) {
  Fixture* fixture = *state;
  const int64_t shape_a[2] = {5, 7}, shape_b[2] = {7, 3};
  signed char bytes[2][35], other[21], zero = -9;
  fill_bits(NETCL_I8, bytes, 70);
  fill_bits(NETCL_I8, other, 21);
  netcl_tensor* inputs[2] = {make_tensor(fixture->device, NETCL_I8, 2, shape_a, bytes[0]),
                             make_tensor(fixture->device, NETCL_I8, 2, shape_a, bytes[1])};
  netcl_tensor* b = make_tensor(fixture->device, NETCL_I8, 2, shape_b, other);
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  options.a_zero_point = make_tensor(fixture->device, NETCL_I8, 0, NULL, &zero);
  netcl_run_options run = captured_calls(fixture);
  netcl_tensor *made = NULL, *wide = NULL, *wanted = NULL;
  OK(netcl_op_matmul(inputs[0], b, &options, &run, &made));
  OK(netcl_op_cast(made, NETCL_F32, &run, &wide));
  netcl_tensor *relu = formula("max(v0, 0)", wide, NULL, &run);
  OK(netcl_graph_compile(run.graph, inputs, 1, &relu, 1, NULL));
  for (int i = 1; i >= 0; --i) {
    netcl_tensor* out = NULL;
    OK(netcl_op_matmul(inputs[i], b, &options, NULL, &wanted));
    int32_t* words = read_tensor(wanted);
    float values[15];
    for (int j = 0; j < 15; ++j) values[j] = words[j] > 0 ? (float)words[j] : 0;
    OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, (int64_t[]){5, 3}, NULL, NULL,
                                 &out));
    OK(netcl_graph_run(run.graph, &inputs[i], 1, &out, 1, NULL));
    CHECK_TENSOR(out, values);
    free(words);
    RELEASE(out, wanted);
  }
  netcl_graph_release(run.graph);
  RELEASE(made, wide, relu, inputs[0], inputs[1], b, options.a_zero_point);
}

static void gradients(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[2] = {4, 4};
  signed char bytes[16];
  fill_bits(NETCL_I8, bytes, 16);
  netcl_tensor* a = make_tensor(fixture->device, NETCL_I8, 2, shape, bytes);
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *made = NULL, *wide = NULL, *gradient_of_a = NULL;
  OK(netcl_graph_create(fixture->device, NULL, &run.graph));
  OK(netcl_op_matmul(a, a, NULL, &run, &made));
  OK(netcl_op_cast(made, NETCL_F32, &run, &wide));
  netcl_tensor* sum = sum_of(wide, &run);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "inputs[0] is i8; gradients are known for float dtypes",
             netcl_graph_add_gradients(run.graph, &sum, 1, &a, 1, NULL, &gradient_of_a));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "outputs[0] is i32",
             netcl_graph_add_gradients(run.graph, &made, 1, &a, 1, NULL, &gradient_of_a));
  netcl_graph_release(run.graph);
  RELEASE(made, wide, sum, a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(random_products), DEVICE_TEST(edge_sizes),    DEVICE_TEST(zero_points),
      DEVICE_TEST(extremes),        DEVICE_TEST(vectors),       DEVICE_TEST(dtype_errors),
      DEVICE_TEST(option_errors),   DEVICE_TEST(zero_point_errors),
      DEVICE_TEST(graphs),          DEVICE_TEST(gradients),     DEVICE_TEST(as_kernels),
      DEVICE_TEST(matrix_units),
  };
  seed_random("matmul_integers");
  return cmocka_run_group_tests_name("matmul_integers", tests, NULL, NULL);
}
