/* Every function over f32 and f64 against a wider reference, within the bounds that are stated. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "support.h"

typedef long double Real;

static Real r_sigmoid(Real x) { return 1 / (1 + expl(-x)); }
static Real r_relu(Real x) { return x > 0 ? x : x != x ? x : 0; }
static Real r_sign(Real x) { return x > 0 ? 1 : x < 0 ? -1 : x; }
static Real r_square(Real x) { return x * x; }
static Real r_neg(Real x) { return -x; }
static Real r_rsqrt(Real x) { return 1 / sqrtl(x); }
static Real r_reciprocal(Real x) { return 1 / x; }
static Real r_silu(Real x) { return x == -INFINITY ? -0.0L : x / (1 + expl(-x)); }
static Real r_gelu(Real x) {
  return x == -INFINITY ? -0.0L : 0.5L * x * erfcl(-x / sqrtl(2));
}
static Real r_gelu_tanh(Real x) {
  const Real pi = 3.14159265358979323846264338327950288L;
  const Real inner = sqrtl(2 / pi) * (x + 0.044715L * x * x * x);
  return x == -INFINITY ? -0.0L : x / (1 + expl(-2 * inner));
}
static Real r_softplus(Real x) { return log1pl(expl(-fabsl(x))) + (x > 0 ? x : x != x ? x : 0); }
static Real r_softsign(Real x) { return x / (1 + fabsl(x)); }
static Real r_mish(Real x) {
  return x == -INFINITY ? -0.0L : x * tanhl(log1pl(expl(-fabsl(x))) + (x > 0 ? x : 0));
}

static Real r_add(Real x, Real y) { return x + y; }
static Real r_sub(Real x, Real y) { return x - y; }
static Real r_mul(Real x, Real y) { return x * y; }
static Real r_div(Real x, Real y) { return x / y; }
static Real r_min(Real x, Real y) { return x != x ? x : y != y ? y : x < y ? x : y; }
static Real r_max(Real x, Real y) { return x != x ? x : y != y ? y : x > y ? x : y; }
static Real r_leaky(Real x, Real a) { return x > 0 ? x : a * x; }
static Real r_elu(Real x, Real a) { return x > 0 ? x : a * expm1l(x); }

/* The largest error in units of the last place of the right value, as docs/expressions.md says: of
 * f32 on the built-in device, of f32 elsewhere, of f64. 0.5 means rounded correctly. */
typedef struct Function {
  const char *text;
  Real (*one)(Real);
  Real (*two)(Real, Real);
  double low, high;  /* of the arguments */
  double host_f32, kernel_f32, f64;
  enum { STEADY, GELU, GELU_TANH } kind;  /* bounds that grow with the argument */
} Function;

static const Function kFunctions[] = {
    {"abs(v0)", fabsl, NULL, -1e+30, 1e+30, 0.5, 0.5, 0.5, STEADY},
    {"-v0", r_neg, NULL, -1e+30, 1e+30, 0.5, 0.5, 0.5, STEADY},
    {"sign(v0)", r_sign, NULL, -3, 3, 0.5, 0.5, 0.5, STEADY},
    {"square(v0)", r_square, NULL, -1e+15, 1e+15, 0.5, 0.5, 0.5, STEADY},
    {"relu(v0)", r_relu, NULL, -10, 10, 0.5, 0.5, 0.5, STEADY},
    {"floor(v0)", floorl, NULL, -100, 100, 0.5, 0.5, 0.5, STEADY},
    {"ceil(v0)", ceill, NULL, -100, 100, 0.5, 0.5, 0.5, STEADY},
    {"round(v0)", nearbyintl, NULL, -100, 100, 0.5, 0.5, 0.5, STEADY},
    {"trunc(v0)", truncl, NULL, -100, 100, 0.5, 0.5, 0.5, STEADY},
    {"sqrt(v0)", sqrtl, NULL, 0, 1e+10, 0.5, 3, 0.5, STEADY},
    {"rsqrt(v0)", r_rsqrt, NULL, 1e-10, 1e+10, 2, 2, 2, STEADY},
    {"reciprocal(v0)", r_reciprocal, NULL, -1e+10, 1e+10, 0.5, 2.5, 0.5, STEADY},
    {"exp(v0)", expl, NULL, -110, 95, 1, 3, 3, STEADY},
    {"exp2(v0)", exp2l, NULL, -160, 130, 1, 3, 3, STEADY},
    {"expm1(v0)", expm1l, NULL, -20, 95, 4, 3, 3, STEADY},
    {"log(v0)", logl, NULL, 0, 1e+10, 1, 3, 3, STEADY},
    {"log2(v0)", log2l, NULL, 0, 1e+10, 2, 3, 3, STEADY},
    {"log10(v0)", log10l, NULL, 0, 1e+10, 2, 3, 3, STEADY},
    {"log1p(v0)", log1pl, NULL, -1, 1e+10, 3, 2, 2, STEADY},
    {"sin(v0)", sinl, NULL, -1000, 1000, 3, 4, 4, STEADY},
    {"cos(v0)", cosl, NULL, -1000, 1000, 3, 4, 4, STEADY},
    {"tan(v0)", tanl, NULL, -1000, 1000, 2, 5, 5, STEADY},
    {"asin(v0)", asinl, NULL, -1, 1, 3, 4, 4, STEADY},
    {"acos(v0)", acosl, NULL, -1, 1, 2, 4, 4, STEADY},
    {"atan(v0)", atanl, NULL, -1000, 1000, 3, 5, 5, STEADY},
    {"sinh(v0)", sinhl, NULL, -90, 90, 4, 4, 4, STEADY},
    {"cosh(v0)", coshl, NULL, -90, 90, 4, 4, 4, STEADY},
    {"tanh(v0)", tanhl, NULL, -12, 12, 4, 5, 5, STEADY},
    {"erf(v0)", erfl, NULL, -6, 6, 2, 16, 16, STEADY},
    {"erfc(v0)", erfcl, NULL, -6, 9, 4, 16, 16, STEADY},
    {"sigmoid(v0)", r_sigmoid, NULL, -750, 80, 4, 8, 8, STEADY},
    {"silu(v0)", r_silu, NULL, -750, 80, 4, 8, 8, STEADY},
    {"softplus(v0)", r_softplus, NULL, -750, 80, 4, 8, 8, STEADY},
    {"gelu(v0)", r_gelu, NULL, -38, 30, 6, 8, 20, GELU},
    {"gelu_tanh(v0)", r_gelu_tanh, NULL, -21, 30, 8, 8, 8, GELU_TANH},
    {"v0 + v1", NULL, r_add, -100000, 100000, 0.5, 0.5, 0.5, STEADY},
    {"v0 - v1", NULL, r_sub, -100000, 100000, 0.5, 0.5, 0.5, STEADY},
    {"v0 * v1", NULL, r_mul, -100000, 100000, 0.5, 0.5, 0.5, STEADY},
    {"asinh(v0)", asinhl, NULL, -100000, 100000, 2, 4, 4, STEADY},
    {"acosh(v0)", acoshl, NULL, 0.5, 100000, 2, 4, 4, STEADY},
    {"atanh(v0)", atanhl, NULL, -1.1, 1.1, 2, 5, 5, STEADY},
    {"softsign(v0)", r_softsign, NULL, -1000, 1000, 1.5, 4, 1.5, STEADY},
    {"mish(v0)", r_mish, NULL, -750, 100, 5, 10, 8, STEADY},
    {"v0 / v1", NULL, r_div, -100000, 100000, 0.5, 2.5, 0.5, STEADY},
    {"min(v0, v1)", NULL, r_min, -100000, 100000, 0.5, 0.5, 0.5, STEADY},
    {"max(v0, v1)", NULL, r_max, -100000, 100000, 0.5, 0.5, 0.5, STEADY},
    {"mod(v0, v1)", NULL, fmodl, -1000, 1000, 0.5, 0.5, 0.5, STEADY},
    {"pow(v0, v1)", NULL, powl, 0, 20, 1, 16, 16, STEADY},
    {"atan2(v0, v1)", NULL, atan2l, -1000, 1000, 2, 6, 6, STEADY},
    {"leaky_relu(v0, v1)", NULL, r_leaky, -100, 100, 0.5, 0.5, 0.5, STEADY},
    {"elu(v0, v1)", NULL, r_elu, -20, 20, 4, 4, 4, STEADY},
};

/* The unit in the last place of a value in the format, at least that of the least normal number. */
static Real ulp_of(netcl_dtype dtype, Real value) {
  int exponent;
  const int digits = dtype == NETCL_F32 ? 24 : 53, least = dtype == NETCL_F32 ? -125 : -1021;
  frexpl(value, &exponent);
  return ldexpl(1, (exponent < least ? least : exponent) - digits);
}

/* Fills arguments: special values first, then random ones over the range and close to zero. */
static void fill_arguments(const Function *f, netcl_dtype dtype, void *data, int64_t count,
                           int second) {
  static const double kSpecial[] = {0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 1e-3, -1e-3, 1e-7, -1e-7,
                                    INFINITY, -INFINITY, NAN, 1.5, 2.5, -2.5, 88.0, -87.0, 1e-20};
  const int64_t specials = (int64_t)COUNT_OF(kSpecial);
  for (int64_t i = 0; i < count; ++i) {
    double value;
    if (i < specials * specials && f->two != NULL) {
      value = kSpecial[second ? i / specials : i % specials];
    } else if (i < specials) {
      value = kSpecial[i];
    } else if (i % 3 == 0) {
      const double nearest = f->low > 0 ? f->low : 0;
      value = nearest + ldexp(random_real(f->low < 0 ? -1 : 0, 1), (int)random_in(-40, 0));
      if (value > f->high) value = f->high;
    } else {
      value = random_real(f->low, f->high);
    }
    store_double(dtype, data, i, value);
  }
}

/* PoCL's sin, cos and tan of four f32 at once are wrong beside an infinity. */
static void spare_neighbours(const Fixture *fixture, const Function *f, void *data, int64_t count) {
  if (!compiles_slowly(fixture) || (f->one != sinl && f->one != cosl && f->one != tanl)) return;
  float *const values = data;
  for (int64_t i = 0; i < count; ++i) {
    if (isinf(values[i])) values[i] = 0;
  }
}

static double allowed_ulp(const Fixture *fixture, const Function *f, netcl_dtype dtype, double x) {
  const int vectors = dtype == NETCL_F32 && !fixture->kernels;
  const double allowed = dtype == NETCL_F64 ? f->f64 : vectors ? f->host_f32 : f->kernel_f32;
  if (f->kind == GELU && x < 0 && dtype == NETCL_F64) return allowed + 2 * x * x;
  if (f->kind == GELU_TANH) {
    return allowed + 4 * fabs(1.5957691216057308 * (x + 0.044715 * x * x * x));
  }
  return allowed;
}

static void check_function(Fixture *fixture, const Function *f, netcl_dtype dtype) {
  enum { COUNT = 6000 };
  const int64_t shape[] = {COUNT};
  const Real largest = dtype == NETCL_F32 ? FLT_MAX : DBL_MAX;
  const Real least = dtype == NETCL_F32 ? FLT_MIN : DBL_MIN;
  const Real denormal = dtype == NETCL_F32 ? 0x1p-142L : 0x1p-1064L;
  unsigned char *x = malloc(COUNT * 8), *y = malloc(COUNT * 8);
  netcl_tensor *inputs[2], *result = NULL;
  double worst = 0;
  fill_arguments(f, dtype, x, COUNT, 0);
  fill_arguments(f, dtype, y, COUNT, 1);
  if (dtype == NETCL_F32) spare_neighbours(fixture, f, x, COUNT);
  inputs[0] = make_tensor(fixture->device, dtype, 1, shape, x);
  inputs[1] = make_tensor(fixture->device, dtype, 1, shape, y);
  OK(netcl_op_expression_text(f->text, inputs, f->two != NULL ? 2 : 1, NULL, NULL, &result));
  unsigned char *got = read_tensor(result);
  for (int64_t i = 0; i < COUNT; ++i) {
    const double a = load_double(dtype, x, i), b = load_double(dtype, y, i);
    const double value = load_double(dtype, got, i);
    const Real wanted = f->two != NULL ? f->two(a, b) : f->one(a);
    const double allowed = allowed_ulp(fixture, f, dtype, a);
    const Real ulp = ulp_of(dtype, wanted);
    /* What is a product of zero and infinity in the limit may be NaN or the limit. */
    if (isinf(a) && wanted == 0 && isnan(value)) continue;
    if (isinf(a) && f->one == r_softsign && isnan(value)) continue;
    if (isnan(wanted)) {
      CHECK(isnan(value), "%s %s of %.17g, %.17g is %.17g, not NaN", netcl_dtype_name(dtype),
            f->text, a, b, value);
      continue;
    }
    if (fabsl(wanted) > largest + ulp / 2) {
      /* Beyond the format: infinity, or close to the end the largest number. */
      CHECK(isinf(value) ? (value > 0) == (wanted > 0)
                         : !isinf(wanted) && fabsl(value - wanted) <= allowed * ulp,
            "%s %s of %.17g, %.17g is %.17g, not %Lg", netcl_dtype_name(dtype), f->text, a, b,
            value, wanted);
      continue;
    }
    if (isinf(value) && fabsl(wanted) > largest - allowed * ulp) continue;
    /* Devices may take numbers below the normal range for zero, and what is made of one of them
     * that is not zero has no more digits than it. */
    if (fabsl(wanted) < least && value == 0) continue;
    if (fabsl(wanted) < 1024 * least && fabsl(value - wanted) < denormal) continue;
    const double off = (double)(fabsl(value - wanted) / ulp);
    if (off / allowed > worst) worst = off / allowed;
    CHECK(off <= allowed,
          "%s %s of %.17g, %.17g is %.17g, not %.21Lg: off by %g ULP, more than %g",
          netcl_dtype_name(dtype), f->text, a, b, value, wanted, off, allowed);
  }
  if (getenv("NETCL_TEST_VERBOSE") != NULL) {
    print_message("%s %s: %.0f %% of the bound\n", netcl_dtype_name(dtype), f->text, 100 * worst);
  }
  free(x);
  free(y);
  free(got);
  netcl_tensor_release(inputs[0]);
  netcl_tensor_release(inputs[1]);
  netcl_tensor_release(result);
}

static void functions_f32(void **state) {
  for (size_t i = 0; i < COUNT_OF(kFunctions); ++i) {
    check_function(*state, &kFunctions[i], NETCL_F32);
  }
}

static void functions_f64(void **state) {
  Fixture *fixture = *state;
  if (!fixture->capabilities.fp64) SKIP("the device has no fp64");
  for (size_t i = 0; i < COUNT_OF(kFunctions); ++i) {
    check_function(fixture, &kFunctions[i], NETCL_F64);
  }
}

/* f16 and bf16 are computed in f32 and rounded once at the end: sums, differences and products of
 * short numbers are exact or correctly rounded in f32, so the result is known to the bit. */
static void short_floats(void **state) {
  Fixture *fixture = *state;
  enum { COUNT = 5000 };
  const int64_t shape[] = {COUNT};
  for (netcl_dtype dtype = NETCL_F16; dtype <= NETCL_BF16; ++dtype) {
    uint16_t a[COUNT], b[COUNT], wanted[COUNT];
    for (int i = 0; i < COUNT; ++i) {
      do a[i] = (uint16_t)random_bits(); while (!isfinite(load_double(dtype, a, i)));
      do b[i] = (uint16_t)random_bits(); while (!isfinite(load_double(dtype, b, i)));
      const float x = (float)load_double(dtype, a, i), y = (float)load_double(dtype, b, i);
      const volatile float product = x * y;
      const volatile float sum = product + x;
      store_double(dtype, wanted, i, sum);
    }
    netcl_tensor *const inputs[] = {make_tensor(fixture->device, dtype, 1, shape, a),
                                    make_tensor(fixture->device, dtype, 1, shape, b)};
    netcl_tensor *result = NULL;
    OK(netcl_op_expression_text("v0 * v1 + v0", inputs, 2, NULL, NULL, &result));
    assert_int_equal(tensor_info(result).dtype, dtype);
    uint16_t *got = read_tensor(result);
    for (int i = 0; i < COUNT; ++i) {
      /* A bf16 product may be below the normal range of f32, where devices may flush. */
      const double right = load_double(dtype, wanted, i);
      if (dtype == NETCL_BF16 && fabs(right) < 0x1p-100) continue;
      CHECK(same_element(dtype, &got[i], &wanted[i]), "%s %g * %g + %g is %g, not %g",
            netcl_dtype_name(dtype), load_double(dtype, a, i), load_double(dtype, b, i),
            load_double(dtype, a, i), load_double(dtype, got, i), right);
    }
    free(got);
    netcl_tensor_release(inputs[0]);
    netcl_tensor_release(inputs[1]);
    netcl_tensor_release(result);
  }
}

/* Three arguments, classification and comparison, NaN included. */
static void choices(void **state) {
  Fixture *fixture = *state;
  const float special[] = {0.0f, -0.0f, 1, -1, INFINITY, -INFINITY, NAN, 1e-45f, 3.5f};
  enum { N = 9, COUNT = N * N };
  const int64_t shape[] = {COUNT};
  float a[COUNT], b[COUNT];
  for (int i = 0; i < COUNT; ++i) {
    a[i] = special[i / N];
    b[i] = special[i % N];
  }
  netcl_tensor *const inputs[] = {make_tensor(fixture->device, NETCL_F32, 1, shape, a),
                                  make_tensor(fixture->device, NETCL_F32, 1, shape, b)};
  static const char *const kTexts[] = {
      "v0 == v1", "v0 != v1", "v0 < v1", "v0 <= v1", "v0 > v1", "v0 >= v1", "isnan(v0)",
      "isinf(v0)", "isfinite(v0)", "v0 && v1", "v0 || v1", "!v0", "xor(v0, v1)"};
  for (size_t t = 0; t < COUNT_OF(kTexts); ++t) {
    netcl_tensor *result = NULL;
    OK(netcl_op_expression_text(kTexts[t], inputs, 2, NULL, NULL, &result));
    assert_int_equal(tensor_info(result).dtype, NETCL_BOOL);
    uint8_t *got = read_tensor(result);
    for (int i = 0; i < COUNT; ++i) {
      const float x = a[i], y = b[i];
      const int wanted[] = {x == y, x != y, x < y, x <= y, x > y, x >= y, isnan(x) != 0,
                            isinf(x) != 0, isfinite(x) != 0, x && y, x || y, !x, !x != !y};
      /* Numbers below the normal range may be taken for zero by the device. */
      if (fabsf(x) == 1e-45f || fabsf(y) == 1e-45f) continue;
      CHECK(got[i] == wanted[t], "%s of %g and %g is %d, not %d", kTexts[t], x, y, got[i],
            wanted[t]);
    }
    free(got);
    netcl_tensor_release(result);
  }
  netcl_tensor_release(inputs[0]);
  netcl_tensor_release(inputs[1]);
}

/* fma rounds once; clamp keeps what is between its ends. */
static void three_arguments(void **state) {
  Fixture *fixture = *state;
  enum { COUNT = 4000 };
  const int64_t shape[] = {COUNT};
  for (netcl_dtype dtype = NETCL_F32; dtype <= NETCL_F64; ++dtype) {
    if (dtype == NETCL_F64 && !fixture->capabilities.fp64) continue;
    unsigned char data[3][COUNT * 8];
    netcl_tensor *inputs[3], *fused = NULL, *clamped = NULL;
    for (int k = 0; k < 3; ++k) {
      fill_random(dtype, data[k], COUNT, k == 2 ? 1e4 : 100);
      inputs[k] = make_tensor(fixture->device, dtype, 1, shape, data[k]);
    }
    OK(netcl_op_expression_text("fma(v0, v1, v2)", inputs, 3, NULL, NULL, &fused));
    OK(netcl_op_expression_text("clamp(v2, -abs(v0), abs(v1))", inputs, 3, NULL, NULL, &clamped));
    unsigned char *sums = read_tensor(fused), *cut = read_tensor(clamped);
    for (int i = 0; i < COUNT; ++i) {
      const double a = load_double(dtype, data[0], i), b = load_double(dtype, data[1], i);
      const double c = load_double(dtype, data[2], i);
      const double sum = dtype == NETCL_F32 ? fmaf((float)a, (float)b, (float)c) : fma(a, b, c);
      CHECK(load_double(dtype, sums, i) == sum, "%s fma(%.17g, %.17g, %.17g) is %.17g, not %.17g",
            netcl_dtype_name(dtype), a, b, c, load_double(dtype, sums, i), sum);
      const double wanted = c < -fabs(a) ? -fabs(a) : c > fabs(b) ? fabs(b) : c;
      CHECK(load_double(dtype, cut, i) == wanted, "clamp(%g, %g, %g) is %g", c, -fabs(a), fabs(b),
            load_double(dtype, cut, i));
    }
    free(sums);
    free(cut);
    netcl_tensor_release(fused);
    netcl_tensor_release(clamped);
    for (int k = 0; k < 3; ++k) netcl_tensor_release(inputs[k]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(functions_f32),
      DEVICE_TEST(functions_f64),
      DEVICE_TEST(short_floats),
      DEVICE_TEST(three_arguments),
      DEVICE_TEST(choices),
      DEVICE_TEST(as_kernels),
  };
  seed_random("expression_functions");
  return cmocka_run_group_tests_name("expression_functions", tests, NULL, NULL);
}
