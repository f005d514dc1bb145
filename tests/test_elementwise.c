/* Elementwise operators by name: each one's formula against double precision, the dtypes that ONNX
 * gives them, parameters, variants and mistakes. The error bounds of the functions themselves are
 * in test_expression_functions. */
#include <float.h>
#include <math.h>

#include "support_strided.h"

typedef double (*Reference)(const double* v, int count, double a, double b);

#define UNARY(name, formula)                                           \
  static double name(const double* v, int count, double a, double b) { \
    const double x = v[0], y = count > 1 ? v[1] : 0;                   \
    (void)y, (void)a, (void)b;                                         \
    return formula;                                                    \
  }
static double sigmoid(double x) { return 1 / (1 + exp(-x)); }
static double bounded(double x, double low, double high) {
  return x != x ? x : x < low ? low : x > high ? high : x;
}
static double greater(double x, double y) { return x != x || y != y ? NAN : x > y ? x : y; }
static double smaller(double x, double y) { return x != x || y != y ? NAN : x < y ? x : y; }
static double floor_mod(double x, double y) {
  const double r = fmod(x, y);
  return r != 0 && (r < 0) != (y < 0) ? r + y : r;
}

/* clang-format off */
UNARY(r_abs, fabs(x))
UNARY(r_acos, acos(x))
UNARY(r_acosh, acosh(x))
UNARY(r_add, x + y)
UNARY(r_and, x && y)
UNARY(r_asin, asin(x))
UNARY(r_asinh, asinh(x))
UNARY(r_atan, atan(x))
UNARY(r_atanh, atanh(x))
UNARY(r_ceil, ceil(x))
UNARY(r_celu, greater(0, x) + smaller(0, a * expm1(x / a)))
UNARY(r_clip, count == 3 ? smaller(greater(x, v[1]), v[2]) : a == b ? x : bounded(x, a, b))
UNARY(r_cos, cos(x))
UNARY(r_cosh, cosh(x))
UNARY(r_div, x / y)
UNARY(r_elu, x < 0 ? a * expm1(x) : x)
UNARY(r_equal, x == y)
UNARY(r_erf, erf(x))
UNARY(r_exp, exp(x))
UNARY(r_floor, floor(x))
UNARY(r_greater, x > y)
UNARY(r_ge, x >= y)
UNARY(r_hard_sigmoid, bounded(a * x + b, 0, 1))
UNARY(r_hard_swish, x * bounded(x / 6 + 0.5, 0, 1))
UNARY(r_identity, x)
UNARY(r_is_inf, isinf(x) && (x < 0 ? a : b) != 0)
UNARY(r_is_nan, x != x)
UNARY(r_leaky, x < 0 ? a * x : x)
UNARY(r_less, x < y)
UNARY(r_le, x <= y)
UNARY(r_log, log(x))
UNARY(r_mod, a != 0 ? fmod(x, y) : floor_mod(x, y))
UNARY(r_mul, x * y)
UNARY(r_neg, -x)
UNARY(r_not, !x)
UNARY(r_or, x || y)
UNARY(r_pow, pow(x, y))
UNARY(r_prelu, x < 0 ? y * x : x)
UNARY(r_reciprocal, 1 / x)
UNARY(r_relu, x > 0 ? x : 0)
UNARY(r_round, nearbyint(x))
UNARY(r_selu, b * (x > 0 ? x : a * expm1(x)))
UNARY(r_shrink, x < -a ? x + b : x > a ? x - b : 0)
UNARY(r_sigmoid, sigmoid(x))
UNARY(r_sign, x > 0 ? 1 : x < 0 ? -1 : x)
UNARY(r_sin, sin(x))
UNARY(r_sinh, sinh(x))
UNARY(r_softplus, (x > 0 ? x : 0) + log1p(exp(-fabs(x))))
UNARY(r_softsign, x / (1 + fabs(x)))
UNARY(r_sqrt, sqrt(x))
UNARY(r_sub, x - y)
UNARY(r_tan, tan(x))
UNARY(r_tanh, tanh(x))
UNARY(r_thresholded, x > a ? x : 0)
UNARY(r_where, x ? y : v[2])
UNARY(r_xor, !x != !y)
UNARY(r_gelu, 0.5 * x * erfc(-x * M_SQRT1_2))
UNARY(r_gelu_tanh, x * sigmoid(1.5957691216057308 * (x + 0.044715 * x * x * x)))
UNARY(r_silu, x * sigmoid(x))
UNARY(r_mish, x * tanh(log1p(exp(x))))
UNARY(r_square, x * x)
UNARY(r_rsqrt, 1 / sqrt(x))
/* clang-format on */

static double r_max(
                                                                const double* v, int count,
                                                                double a, double b) {
  double most = v[0];
  (void)a, (void)b;
  for (int i = 1; i < count; ++i) most = greater(most, v[i]);
  return most;
}
static double r_min(const double* v, int count, double a, double b) {
  double least = v[0];
  (void)a, (void)b;
  for (int i = 1; i < count; ++i) least = smaller(least, v[i]);
  return least;
}
static double r_sum(const double* v, int count, double a, double b) {
  double sum = v[0];
  (void)a, (void)b;
  for (int i = 1; i < count; ++i) sum += v[i];
  return sum;
}
static double r_mean(const double* v, int count, double a, double b) {
  return r_sum(v, count, a, b) / count;
}

/* What an operator takes beside floats, and the dtype of its result. */
enum { FLOATS, NUMBERS, LOGIC, TESTS };

typedef struct Operator {
  netcl_elementwise op;
  const char* name;
  int inputs; /* -1: any number */
  Reference reference;
  int kind;
  double low, high;   /* of the values */
  double alpha, beta; /* defaults */
  int parameters;     /* how many there are */
} Operator;

#define E(name) NETCL_ELEMENTWISE_##name
static const Operator kOperators[] = {
    {E(ABS), "Abs", 1, r_abs, NUMBERS, -9, 9, 0, 0, 0},
    {E(ACOS), "Acos", 1, r_acos, FLOATS, -1, 1, 0, 0, 0},
    {E(ACOSH), "Acosh", 1, r_acosh, FLOATS, 1.1, 9, 0, 0, 0},
    {E(ADD), "Add", 2, r_add, NUMBERS, -9, 9, 0, 0, 0},
    {E(AND), "And", 2, r_and, LOGIC, 0, 1, 0, 0, 0},
    {E(ASIN), "Asin", 1, r_asin, FLOATS, -1, 1, 0, 0, 0},
    {E(ASINH), "Asinh", 1, r_asinh, FLOATS, -9, 9, 0, 0, 0},
    {E(ATAN), "Atan", 1, r_atan, FLOATS, -9, 9, 0, 0, 0},
    {E(ATANH), "Atanh", 1, r_atanh, FLOATS, -0.9, 0.9, 0, 0, 0},
    {E(CEIL), "Ceil", 1, r_ceil, NUMBERS, -9, 9, 0, 0, 0},
    {E(CELU), "Celu", 1, r_celu, FLOATS, -5, 5, 1, 0, 1},
    {E(CLIP), "Clip", 1, r_clip, NUMBERS, -9, 9, 0, 0, 2},
    {E(CLIP), "Clip", 3, r_clip, NUMBERS, -9, 9, 0, 0, 0},
    {E(COS), "Cos", 1, r_cos, FLOATS, -9, 9, 0, 0, 0},
    {E(COSH), "Cosh", 1, r_cosh, FLOATS, -5, 5, 0, 0, 0},
    {E(DIV), "Div", 2, r_div, FLOATS, 1, 9, 0, 0, 0},
    {E(ELU), "Elu", 1, r_elu, FLOATS, -5, 5, 1, 0, 1},
    {E(EQUAL), "Equal", 2, r_equal, TESTS, -2, 2, 0, 0, 0},
    {E(ERF), "Erf", 1, r_erf, FLOATS, -3, 3, 0, 0, 0},
    {E(EXP), "Exp", 1, r_exp, FLOATS, -5, 5, 0, 0, 0},
    {E(FLOOR), "Floor", 1, r_floor, NUMBERS, -9, 9, 0, 0, 0},
    {E(GREATER), "Greater", 2, r_greater, TESTS, -2, 2, 0, 0, 0},
    {E(GREATER_OR_EQUAL), "GreaterOrEqual", 2, r_ge, TESTS, -2, 2, 0, 0, 0},
    {E(HARD_SIGMOID), "HardSigmoid", 1, r_hard_sigmoid, FLOATS, -5, 5, 0.2, 0.5, 2},
    {E(HARD_SWISH), "HardSwish", 1, r_hard_swish, FLOATS, -5, 5, 0, 0, 0},
    {E(IDENTITY), "Identity", 1, r_identity, NUMBERS, -9, 9, 0, 0, 0},
    {E(IS_INF), "IsInf", 1, r_is_inf, TESTS, -9, 9, 1, 1, 0},
    {E(IS_NAN), "IsNaN", 1, r_is_nan, TESTS, -9, 9, 0, 0, 0},
    {E(LEAKY_RELU), "LeakyRelu", 1, r_leaky, FLOATS, -9, 9, 0.01, 0, 1},
    {E(LESS), "Less", 2, r_less, TESTS, -2, 2, 0, 0, 0},
    {E(LESS_OR_EQUAL), "LessOrEqual", 2, r_le, TESTS, -2, 2, 0, 0, 0},
    {E(LOG), "Log", 1, r_log, FLOATS, 0.1, 9, 0, 0, 0},
    {E(MAX), "Max", -1, r_max, NUMBERS, -9, 9, 0, 0, 0},
    {E(MEAN), "Mean", -1, r_mean, FLOATS, -9, 9, 0, 0, 0},
    {E(MIN), "Min", -1, r_min, NUMBERS, -9, 9, 0, 0, 0},
    {E(MOD), "Mod", 2, r_mod, NUMBERS, -9, 9, 0, 0, 0},
    {E(MUL), "Mul", 2, r_mul, NUMBERS, -9, 9, 0, 0, 0},
    {E(NEG), "Neg", 1, r_neg, NUMBERS, -9, 9, 0, 0, 0},
    {E(NOT), "Not", 1, r_not, LOGIC, 0, 1, 0, 0, 0},
    {E(OR), "Or", 2, r_or, LOGIC, 0, 1, 0, 0, 0},
    {E(POW), "Pow", 2, r_pow, FLOATS, 0.5, 3, 0, 0, 0},
    {E(PRELU), "PRelu", 2, r_prelu, NUMBERS, -9, 9, 0, 0, 0},
    {E(RECIPROCAL), "Reciprocal", 1, r_reciprocal, FLOATS, 1, 9, 0, 0, 0},
    {E(RELU), "Relu", 1, r_relu, NUMBERS, -9, 9, 0, 0, 0},
    {E(ROUND), "Round", 1, r_round, NUMBERS, -9, 9, 0, 0, 0},
    {E(SELU), "Selu", 1, r_selu, FLOATS, -5, 5, 1.67326319217681884765625,
     1.05070102214813232421875, 2},
    {E(SHRINK), "Shrink", 1, r_shrink, FLOATS, -3, 3, 0.5, 0, 2},
    {E(SIGMOID), "Sigmoid", 1, r_sigmoid, FLOATS, -9, 9, 0, 0, 0},
    {E(SIGN), "Sign", 1, r_sign, NUMBERS, -9, 9, 0, 0, 0},
    {E(SIN), "Sin", 1, r_sin, FLOATS, -9, 9, 0, 0, 0},
    {E(SINH), "Sinh", 1, r_sinh, FLOATS, -5, 5, 0, 0, 0},
    {E(SOFTPLUS), "Softplus", 1, r_softplus, FLOATS, -9, 9, 0, 0, 0},
    {E(SOFTSIGN), "Softsign", 1, r_softsign, FLOATS, -9, 9, 0, 0, 0},
    {E(SQRT), "Sqrt", 1, r_sqrt, FLOATS, 0, 9, 0, 0, 0},
    {E(SUB), "Sub", 2, r_sub, NUMBERS, -9, 9, 0, 0, 0},
    {E(SUM), "Sum", -1, r_sum, NUMBERS, -9, 9, 0, 0, 0},
    {E(TAN), "Tan", 1, r_tan, FLOATS, -1.5, 1.5, 0, 0, 0},
    {E(TANH), "Tanh", 1, r_tanh, FLOATS, -5, 5, 0, 0, 0},
    {E(THRESHOLDED_RELU), "ThresholdedRelu", 1, r_thresholded, NUMBERS, -3, 3, 1, 0, 1},
    {E(WHERE), "Where", 3, r_where, NUMBERS, 0, 2, 0, 0, 0},
    {E(XOR), "Xor", 2, r_xor, LOGIC, 0, 1, 0, 0, 0},
    {E(GELU), "Gelu", 1, r_gelu, FLOATS, -3, 5, 0, 0, 0},
    {E(GELU_TANH), "GeluTanh", 1, r_gelu_tanh, FLOATS, -3, 5, 0, 0, 0},
    {E(SILU), "Silu", 1, r_silu, FLOATS, -9, 9, 0, 0, 0},
    {E(MISH), "Mish", 1, r_mish, FLOATS, -9, 9, 0, 0, 0},
    {E(SQUARE), "Square", 1, r_square, NUMBERS, -9, 9, 0, 0, 0},
    {E(RSQRT), "Rsqrt", 1, r_rsqrt, FLOATS, 0.1, 9, 0, 0, 0},
};

/* The shifts take integers alone; test_elementwise_rules has them. */
static int has_row(netcl_elementwise op) {
  for (size_t i = 0; i < COUNT_OF(kOperators); ++i) {
    if (kOperators[i].op == op) return 1;
  }
  return op == E(BIT_SHIFT_LEFT) || op == E(BIT_SHIFT_RIGHT);
}

static void names(void** state) {
  (void)state;
  for (netcl_elementwise op = -3; op < 1000; ++op) {
    const char* name = netcl_elementwise_name(op);
    netcl_elementwise found = 0;
    char other[64];
    if (strcmp(name, "invalid") == 0) continue;
    CHECK(has_row(op), "%s has no row in kOperators of test_elementwise.c", name);
    OK(netcl_elementwise_find(name, &found));
    assert_int_equal(found, op);
    /* Small letters with underscores in any place. */
    size_t length = 0;
    for (const char* p = name; *p != 0; ++p) {
      if (p != name && *p >= 'A' && *p <= 'Z') other[length++] = '_';
      other[length++] = (char)(*p >= 'A' && *p <= 'Z' ? *p - 'A' + 'a' : *p);
    }
    other[length] = 0;
    OK(netcl_elementwise_find(other, &found));
    assert_int_equal(found, op);
  }
  for (size_t i = 0; i < COUNT_OF(kOperators); ++i) {
    assert_string_equal(netcl_elementwise_name(kOperators[i].op), kOperators[i].name);
  }
  assert_string_equal(netcl_elementwise_name(E(BIT_SHIFT_LEFT)), "BitShiftLeft");
  netcl_elementwise found = 77;
  FAILS_WITH(NETCL_ERROR_NOT_FOUND, "\"Softmax\"", netcl_elementwise_find("Softmax", &found));
  FAILS_WITH(NETCL_ERROR_NOT_FOUND, "\"\"", netcl_elementwise_find("", &found));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "name is NULL", netcl_elementwise_find(NULL, &found));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "op is NULL", netcl_elementwise_find("Abs", NULL));
  assert_int_equal(found, 77);
}

/* Values of a dtype within the operator's range; small whole numbers for integers. */
static void fill_values(const Operator* o, netcl_dtype dtype, void* data, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    double value = random_real(o->low, o->high);
    if (!is_float_dtype(dtype)) {
      value = (double)random_in((int64_t)ceil(o->low), (int64_t)floor(o->high));
      if (!is_signed_dtype(dtype) && value < 0) value = -value;
      if (dtype == NETCL_BOOL) value = (double)random_in(0, 1);
    }
    store_double(dtype, data, i, value);
  }
}

static void check_operator(Fixture* fixture, const Operator* o, netcl_dtype dtype,
                           netcl_variant variant) {
  enum { COUNT = 1500, MOST = 4 };
  const int64_t shape[] = {3, 500}, row[] = {500}, column[] = {3, 1};
  const int inputs_count = o->inputs > 0 ? o->inputs : (int)random_in(1, MOST);
  const int packed = variant == NETCL_VARIANT_ELEMENTWISE_VECTORIZED;
  unsigned char data[MOST][COUNT * 8];
  netcl_tensor *inputs[MOST], *result = NULL;
  netcl_elementwise_options options = NETCL_ELEMENTWISE_OPTIONS_INIT;
  double alpha = o->alpha, beta = o->beta;
  options.variant = variant;
  if (o->parameters > 0 && (random_in(0, 1) || o->op == E(CLIP))) {
    options.has_parameters = 1;
    options.alpha = alpha = o->op == E(CLIP) ? -2 : random_real(0.3, 2);
    options.beta = beta = o->op == E(CLIP) ? 3 : o->parameters > 1 ? random_real(0.3, 2) : 0;
    if (o->op == E(CLIP) && !is_signed_dtype(dtype) && !is_float_dtype(dtype)) alpha = 0;
  }
  for (int k = 0; k < inputs_count; ++k) {
    /* The first has the whole shape, later ones may have a row or a column of it. */
    const int form = k == 0 || packed ? 0 : (int)random_in(0, 2);
    const netcl_dtype own = o->op == E(WHERE) && k == 0 ? NETCL_BOOL : dtype;
    fill_values(o, own, data[k], COUNT);
    inputs[k] = form == 1   ? make_tensor(fixture->device, own, 1, row, data[k])
                : form == 2 ? make_tensor(fixture->device, own, 2, column, data[k])
                            : make_tensor(fixture->device, own, 2, shape, data[k]);
    for (int64_t i = COUNT; form != 0 && i-- > 0;) {
      store_double(own, data[k], i, load_double(own, data[k], form == 1 ? i % 500 : i / 500));
    }
  }
  OK(netcl_op_elementwise(o->op, inputs, (uint32_t)inputs_count, &options, NULL, &result));
  const netcl_tensor_info info = tensor_info(result);
  const int truth = o->kind == TESTS || o->kind == LOGIC;
  if (is_float_dtype(dtype) || truth) {
    CHECK(info.dtype == (truth ? NETCL_BOOL : dtype), "%s of %s is %s", o->name,
          netcl_dtype_name(dtype), netcl_dtype_name(info.dtype));
  } else if (dtype != NETCL_BOOL) {
    assert_int_equal(info.dtype, dtype);
  }
  unsigned char* got = read_tensor(result);
  for (int64_t i = 0; i < COUNT; ++i) {
    double v[MOST];
    for (int k = 0; k < inputs_count; ++k) {
      v[k] = load_double(o->op == E(WHERE) && k == 0 ? NETCL_BOOL : dtype, data[k], i);
    }
    if (o->op == E(MOD) && v[1] == 0) continue;
    const double wanted = o->reference(v, inputs_count, alpha, beta);
    const double value = load_double(info.dtype, got, i);
    if (!is_float_dtype(info.dtype)) {
      /* Integers wrap around. */
      const Value bits = load_value(info.dtype, got, i);
      const uint64_t mask = UINT64_MAX >> (64 - 8 * netcl_dtype_size(info.dtype));
      const uint64_t same = bits.kind == VALUE_SIGNED ? (uint64_t)bits.integer : bits.natural;
      CHECK(((same ^ (uint64_t)(int64_t)wanted) & mask) == 0, "%s of %s (%g, %g) is %g, not %g",
            o->name, netcl_dtype_name(dtype), v[0], inputs_count > 1 ? v[1] : 0, value, wanted);
      continue;
    }
    if (isnan(wanted) && isnan(value)) continue;
    const double step = info.dtype == NETCL_F64 ? 0x1p-53 : 0x1p-24;
    double slack = 64 * step * (fabs(wanted) + 1);
    if (netcl_dtype_size(info.dtype) == 2) {
      slack += unit_roundoff(info.dtype) * 1.01 * fabs(wanted) + 0x1p-25;
    }
    CHECK(fabs(value - wanted) <= slack, "%s of %s (%g, %g) with %g, %g is %.17g, not %.17g",
          o->name, netcl_dtype_name(dtype), v[0], inputs_count > 1 ? v[1] : 0, alpha, beta, value,
          wanted);
  }
  free(got);
  for (int k = 0; k < inputs_count; ++k) netcl_tensor_release(inputs[k]);
  netcl_tensor_release(result);
}

static void operators(void** state) {
  Fixture* fixture = *state;
  for (size_t i = 0; i < COUNT_OF(kOperators); ++i) {
    const Operator* o = &kOperators[i];
    check_operator(fixture, o, o->kind == LOGIC ? NETCL_BOOL : NETCL_F32, NETCL_VARIANT_AUTO);
    if (o->kind == LOGIC) continue;
    const netcl_dtype floats[] = {NETCL_F16, NETCL_BF16, NETCL_F64};
    for (size_t t = 0; t < COUNT_OF(floats); ++t) {
      if (floats[t] == NETCL_F64 && !fixture->capabilities.fp64) continue;
      if (fixture->kernels && random_in(0, 2) != 0) continue;
      if (left_out(fixture, 2)) continue;
      check_operator(fixture, o, floats[t], NETCL_VARIANT_AUTO);
    }
    if (o->kind == FLOATS) continue;
    for (netcl_dtype dtype = NETCL_I8; dtype <= NETCL_U64; ++dtype) {
      if (fixture->kernels && random_in(0, 3) != 0) continue;
      if (left_out(fixture, 2)) continue;
      check_operator(fixture, o, dtype, NETCL_VARIANT_AUTO);
    }
  }
}

static void variants(void** state) {
  Fixture* fixture = *state;
  for (size_t i = 0; i < COUNT_OF(kOperators); i += fixture->kernels ? 5 : 1) {
    const netcl_dtype dtype = kOperators[i].kind == LOGIC ? NETCL_BOOL : NETCL_F32;
    check_operator(fixture, &kOperators[i], dtype, NETCL_VARIANT_ELEMENTWISE_SCALAR);
    check_operator(fixture, &kOperators[i], dtype, NETCL_VARIANT_ELEMENTWISE_VECTORIZED);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names),
      DEVICE_TEST(operators),
      DEVICE_TEST(variants),
      DEVICE_TEST(as_kernels),
  };
  seed_random("elementwise");
  return cmocka_run_group_tests_name("elementwise", tests, NULL, NULL);
}
