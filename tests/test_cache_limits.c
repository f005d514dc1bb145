/* What the library keeps of calls is bounded: more calls than it keeps give right results, memory
 * stops growing, and what is asked for all the time stays. The limits lie far below MANY. */
#include <malloc.h>
#include <stdio.h>

#include "support.h"

enum { MANY = 10000, COUNT = 7 };

/* ---- Choices of variants --------------------------------------------------------------------- */

static int is_kept(netcl_device *device, int64_t n) {
  netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
  OK(netcl_variant_select_matmul(device, 64, n, 64, NULL, &config));
  return config.from_cache != 0;
}

static void choices(void **state) {
  Fixture *fixture = *state;
  OK(netcl_variant_clear_cache());
  assert_false(is_kept(fixture->device, 1));
  assert_false(is_kept(fixture->device, 2));
  for (int64_t n = 3; n < MANY; ++n) {
    assert_false(is_kept(fixture->device, n));
    CHECK(is_kept(fixture->device, 1), "forgotten after %d others", (int)n);
  }
  assert_false(is_kept(fixture->device, 2));
  assert_true(is_kept(fixture->device, MANY - 1));
}

/* ---- Expressions and operators --------------------------------------------------------------- */

typedef struct Numbered {
  const char *name;
  /* Calls an op with a number in it. */
  netcl_status (*call)(int number, netcl_tensor *x, const netcl_run_options *run);
  float (*wanted)(int number, float x);
} Numbered;

static netcl_status add_call(int number, netcl_tensor *x, const netcl_run_options *run) {
  char text[64];
  snprintf(text, sizeof text, "v0 + %d.0f", number);
  return netcl_op_expression_text(text, &x, 1, NULL, run, NULL);
}
static float add_wanted(int number, float x) { return x + (float)number; }

static netcl_status threshold_call(int number, netcl_tensor *x, const netcl_run_options *run) {
  netcl_elementwise_options options = NETCL_ELEMENTWISE_OPTIONS_INIT;
  options.has_parameters = 1;
  options.alpha = number;
  return netcl_op_elementwise(NETCL_ELEMENTWISE_THRESHOLDED_RELU, &x, 1, &options, run, NULL);
}
static float threshold_wanted(int number, float x) { return x > (float)number ? x : 0; }

static const Numbered kNumbered[] = {{"an expression", add_call, add_wanted},
                                     {"an operator", threshold_call, threshold_wanted}};

/* Bytes of small allocations; sanitizers count none. */
static long live_bytes(void) { return (long)mallinfo2().uordblks; }

static void expressions(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[1] = {COUNT};
  const int many = fixture->opencl ? 4 : MANY; /* there each is compiled */
  float x[COUNT], wanted[COUNT];
  for (int i = 0; i < COUNT; ++i) x[i] = (float)random_in(-MANY, MANY);
  netcl_tensor *const in = make_tensor(fixture->device, NETCL_F32, 1, shape, x);
  netcl_tensor *const out = make_tensor(fixture->device, NETCL_F32, 1, shape, x);
  const netcl_run_options run = run_into(out);
  for (size_t which = 0; which < COUNT_OF(kNumbered); ++which) {
    const Numbered *const one = &kNumbered[which];
    long half = 0;
    for (int i = 0; i < many; ++i) {
      const int number = i % 100 == 99 ? i / 100 : i; /* the first ones again and again */
      OK(one->call(number, in, &run));
      if (i == many / 2) half = live_bytes();
      if (i % 100 != 99 && i % 37 != 0) continue;
      for (int k = 0; k < COUNT; ++k) wanted[k] = one->wanted(number, x[k]);
      CHECK_TENSOR(out, wanted);
    }
    const long grown = live_bytes() - half;
    CHECK(fixture->opencl || grown < 300000, "%s: %ld bytes more after %d calls", one->name, grown,
          many);
  }
  netcl_tensor_release(in);
  netcl_tensor_release(out);
}

/* ---- Kept calls ------------------------------------------------------------------------------ */

/* Two calls of each of many sizes: the second is noted. Then the first sizes again, in which case
 * the oldest of what is kept has gone. */
static void calls(void **state) {
  Fixture *fixture = *state;
  enum { SIZES_OF_ALL = 3000 };
  float *const x = malloc(2 * SIZES_OF_ALL * sizeof *x);
  float *const wanted = x + SIZES_OF_ALL;
  assert_non_null(x);
  for (int i = 0; i < SIZES_OF_ALL; ++i) {
    x[i] = (float)random_in(-1000, 1000);
    wanted[i] = -x[i];
  }
  for (int i = 0; i < SIZES_OF_ALL + 20; ++i) {
    const int64_t count = i % SIZES_OF_ALL + 1;
    netcl_tensor *const in = make_tensor(fixture->device, NETCL_F32, 1, &count, x);
    for (int turn = 0; turn < 3; ++turn) {
      netcl_tensor *out = NULL;
      OK(netcl_op_elementwise(NETCL_ELEMENTWISE_NEG, &in, 1, NULL, NULL, &out));
      if (turn == 2) CHECK_TENSOR(out, wanted);
      netcl_tensor_release(out);
    }
    netcl_tensor_release(in);
  }
  free(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(choices),
      DEVICE_TEST(expressions),
      DEVICE_TEST(calls),
  };
  seed_random("cache_limits");
  return cmocka_run_group_tests_name("cache_limits", tests, NULL, NULL);
}
