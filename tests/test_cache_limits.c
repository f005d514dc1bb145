/* What the library keeps of calls is bounded: more calls than it keeps give right results, memory
 * stops growing, and what is asked for all the time stays. The limits lie far below MANY. */
#include <malloc.h>
#include <stdio.h>

#include "support_kernel.h"
#include "support_tuning.h"

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
  const int many = fixture->kernels ? 4 : sanitized_rounds(MANY); /* there each is compiled */
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
    CHECK(fixture->kernels || grown < 300000, "%s: %ld bytes more after %d calls", one->name, grown,
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

/* ---- Programs that tuning chose -------------------------------------------------------------- */

static const char kWorth[] =
    "#ifndef WORTH\n#define WORTH 0\n#endif\n"
    "__kernel void k(__global float *out) { out[get_global_id(0)] = WORTH; }\n";

/* How often the launch of a size took a program, from wherever. */
static int programs_for(netcl_kernel* kernel, netcl_tensor* out, uint64_t size) {
  const netcl_arg arg = arg_tensor(out);
  netcl_program_cache_info before = NETCL_PROGRAM_CACHE_INFO_INIT;
  netcl_program_cache_info after = NETCL_PROGRAM_CACHE_INFO_INIT;
  netcl_launch_explanation facts = NETCL_LAUNCH_EXPLANATION_INIT;
  char wanted[32];
  OK(netcl_program_cache_get_info(&before));
  OK(netcl_kernel_explain_launch(kernel, &size, 1, NULL, 0, &arg, 1, NULL, &facts));
  OK(netcl_program_cache_get_info(&after));
  snprintf(wanted, sizeof wanted, "WORTH=%d", (int)size);
  assert_string_equal(facts.macros, wanted);
  return (int)(after.memory_hits + after.memory_misses - before.memory_hits - before.memory_misses);
}

/* Each size has macros of its own. The first of them are asked for all the time. */
static void tuned_programs(void** state) {
  Fixture* fixture = *state;
  NEEDS_OPENCL(fixture);
  enum { PROGRAMS = 20 }; /* each is compiled */
  float value[PROGRAMS];
  const uint64_t one = 1, last = PROGRAMS, local = 1;
  netcl_kernel* kernel = source_kernel(fixture->device, "k", kWorth);
  netcl_tensor* out = poisoned_tensor(fixture->device, NETCL_F32, PROGRAMS);
  const netcl_arg arg = arg_tensor(out);
  netcl_tuning_database* database = tuning_open(NULL);
  netcl_tuner_options how = NETCL_TUNER_OPTIONS_INIT;
  netcl_kernel_tuning tuning = NETCL_KERNEL_TUNING_INIT;
  netcl_config* config = NULL;
  tuning.local_sizes = &local;
  tuning.local_sizes_count = 1;
  how.in_process = 1;
  OK(netcl_tuning_database_clear(database, NULL));
  OK(netcl_kernel_autotune(kernel, &last, 1, &arg, 1, &tuning, &how, &config, NULL));
  netcl_config_release(config);
  config = NULL;
  const netcl_tuning_record record = tuning_best(database, "k", &config);
  netcl_tuning_key key = tuning_key_of(&record);
  netcl_config_release(config);
  for (int i = 1; i <= PROGRAMS; ++i) {
    char text[64];
    const int length = snprintf(text, sizeof text, "{\"LOCAL_X\": 1, \"WORTH\": %d}", i);
    OK(netcl_config_create_from_json(text, (size_t)length, &config));
    key.shape[0] = i;
    OK(netcl_tuning_database_put(database, fixture->device, &key, config, &record));
    netcl_config_release(config);
  }
  for (int i = 1; i <= PROGRAMS; ++i) {
    assert_int_equal(programs_for(kernel, out, (uint64_t)i), 1);
    CHECK(programs_for(kernel, out, 1) == 0, "forgotten after %d others", i);
  }
  assert_int_equal(programs_for(kernel, out, last), 0);
  assert_int_equal(programs_for(kernel, out, 2), 1);
  /* What goes is in use here, and then there again. */
  OK(netcl_kernel_launch(kernel, &last, 1, NULL, 0, &arg, 1, NULL, NULL));
  OK(netcl_kernel_launch(kernel, &one, 1, NULL, 0, &arg, 1, NULL, NULL));
  OK(netcl_tensor_read(out, value, sizeof value, NULL, LONG_WAIT));
  assert_true(value[0] == 1 && value[1] == PROGRAMS && value[PROGRAMS - 1] == PROGRAMS);
  OK(netcl_tuning_database_clear(database, NULL));
  netcl_tuning_database_release(database);
  netcl_tensor_release(out);
  netcl_kernel_release(kernel);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(choices),
      DEVICE_TEST(expressions),
      DEVICE_TEST(calls),
      DEVICE_TEST(tuned_programs),
  };
  seed_random("cache_limits");
  return cmocka_run_group_tests_name("cache_limits", tests, NULL, NULL);
}
