/* What an element gives depends on it alone: not on the elements beside it, nor on where it lies.
 */
#include <string.h>

#include "support.h"

enum { COUNT = 257 };

static const char* const kTexts[] = {
    "exp(v0)",       "exp2(v0)",     "expm1(v0)", "log(v0)",     "log2(v0)",      "log10(v0)",
    "log1p(v0)",     "sin(v0)",      "cos(v0)",   "tan(v0)",     "asin(v0)",      "acos(v0)",
    "atan(v0)",      "sinh(v0)",     "cosh(v0)",  "tanh(v0)",    "asinh(v0)",     "acosh(v0)",
    "atanh(v0)",     "erf(v0)",      "erfc(v0)",  "sigmoid(v0)", "silu(v0)",      "gelu(v0)",
    "gelu_tanh(v0)", "softplus(v0)", "mish(v0)",  "pow(v0, v1)", "atan2(v0, v1)", "mod(v0, v1)",
    "v0 / v1",       "sqrt(v0)",     "rsqrt(v0)"};

static netcl_tensor* computed(const char* text, netcl_tensor* a, netcl_tensor* b) {
  netcl_tensor* made = NULL;
  OK(netcl_op_expression_text(text, (netcl_tensor*[]){a, b}, 2, NULL, NULL, &made));
  return made;
}

static void places(void** state) {
  Fixture* fixture = *state;
  if (fixture->kernels) SKIP("drivers compile vectors and single elements in their own ways");
  const int64_t count = COUNT;
  for (size_t t = 0; t < COUNT_OF(kTexts); ++t) {
    float a[COUNT], b[COUNT];
    for (int i = 0; i < COUNT; ++i) {
      const double size = random_in(0, 9) == 0 ? 1e6 : random_in(0, 3) == 0 ? 100 : 1;
      a[i] = (float)random_real(-size, size);
      b[i] = (float)random_real(-3, 3);
      if (random_in(0, 40) == 0) a[i] = (float)(random_in(0, 1) ? 0.0 / 0.0 : 1.0 / 0.0);
    }
    netcl_tensor* x = make_tensor(fixture->device, NETCL_F32, 1, &count, a);
    netcl_tensor* y = make_tensor(fixture->device, NETCL_F32, 1, &count, b);
    netcl_tensor* whole = computed(kTexts[t], x, y);
    float* wanted = read_tensor(whole);
    for (int pass = 0; pass < 30; ++pass) {
      const int64_t first = random_in(0, COUNT - 1), n = random_in(1, COUNT - first);
      netcl_tensor *left = NULL, *right = NULL;
      OK(netcl_tensor_slice(x, (netcl_range[]){{first, n, 1}}, 1, &left));
      OK(netcl_tensor_slice(y, (netcl_range[]){{first, n, 1}}, 1, &right));
      netcl_tensor* part = computed(kTexts[t], left, right);
      float* got = read_tensor(part);
      for (int64_t i = 0; i < n; ++i) {
        CHECK(same_element(NETCL_F32, got + i, wanted + first + i),
              "%s of (%.9g, %.9g) is %.9g, element %d from %d on of %d; among all it is %.9g",
              kTexts[t], a[first + i], b[first + i], got[i], (int)i, (int)first, (int)n,
              wanted[first + i]);
      }
      free(got);
      netcl_tensor_release(left);
      netcl_tensor_release(right);
      netcl_tensor_release(part);
    }
    free(wanted);
    netcl_tensor_release(x);
    netcl_tensor_release(y);
    netcl_tensor_release(whole);
  }
}

int main(void) {
  seed_random("expression_places");
  const struct CMUnitTest tests[] = {DEVICE_TEST(places)};
  return cmocka_run_group_tests_name("expression_places", tests, NULL, NULL);
}
