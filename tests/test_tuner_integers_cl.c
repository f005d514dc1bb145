/* Tuning of kernels over integers: what is wrong loses as it does over floats, whether the integers
 * were given or not, and integers that are places stay in bounds. */
#include "support_tuner.h"

#include <stdio.h>

enum { kItems = 4096, kSigns = 4 };

/* MODE 0 is right and slow, 1 the same in another way, 2 writes zeros, 3 nothing; with SIGN it is
 * right for inputs of one sign alone. */
static const char kText[] =
    "#ifndef MODE\n#define MODE 0\n#endif\n"
    "__kernel void k(__global const T *a, __global T *o, int n) {\n"
    "  const int i = get_global_id(0);\n"
    "#if MODE == 2\n  o[i] = 0; return;\n#elif MODE == 3\n  return;\n#endif\n"
    "#ifdef SIGN\n"
    "  int sign = 0;\n"
    "  for (int j = 0; j < 32; ++j) sign += (j + 1) * a[j];\n"
    "  if ((sign & 3) != SIGN - 1) { o[i] = 77; return; }\n"
    "#endif\n"
    "  T sum = 0;\n"
    "#if MODE == 0\n"
    "  for (int r = 0; r < 20; ++r)\n"
    "    for (int j = 0; j < 64; ++j) sum += a[(i + j * (r + 1)) % n];\n"
    "#else\n"
    "  for (int j = 63; j >= 0; --j)\n"
    "    for (int r = 19; r >= 0; --r) sum += a[(i + j * (r + 1)) % n];\n"
    "#endif\n"
    "  o[i] = sum;\n"
    "}\n";

typedef struct Case {
  netcl_kernel *kernel;
  netcl_tensor *a, *o;
  netcl_arg args[3];
  netcl_tuning_database *database;
  netcl_search *search;
} Case;

static Case make_case(netcl_device *device, netcl_dtype dtype, const char *type) {
  Case made = {0};
  char text[2048];
  const int64_t shape = kItems;
  netcl_random_options random = NETCL_RANDOM_OPTIONS_INIT;
  random.seed = random_bits();
  random.high = 100;
  snprintf(text, sizeof text, "#define T %s\n%s", type, kText);
  made.kernel = fresh_kernel(device, "k", text);
  OK(netcl_tensor_create_random(device, dtype, 1, &shape, NULL, &random, NULL, &made.a));
  made.o = poisoned_tensor(device, dtype, kItems);
  made.args[0] = arg_tensor(made.a);
  made.args[1] = arg_tensor(made.o);
  made.args[2] = arg_int(kItems);
  made.database = tuning_open(":memory:");
  return made;
}

static void free_case(Case *made) {
  netcl_tensor_release(made->a);
  netcl_tensor_release(made->o);
  netcl_kernel_release(made->kernel);
  netcl_tuning_database_release(made->database);
}

/* Tunes over modes and signs; NULL args are those of the last launch. */
static netcl_status tune(Case *made, const netcl_arg *args, int signs, uint32_t in_process) {
  static const uint64_t kLocal[] = {64};
  static const int64_t kModes[] = {1, 2, 3};
  const uint64_t global = kItems;
  int64_t values[kSigns + 1];
  netcl_space *space = NULL;
  netcl_config *config = NULL;
  netcl_kernel_tuning tuning = NETCL_KERNEL_TUNING_INIT;
  netcl_search_options search = NETCL_SEARCH_OPTIONS_INIT;
  netcl_tuner_options options = NETCL_TUNER_OPTIONS_INIT;
  for (int i = 0; i <= kSigns; ++i) values[i] = i;
  OK(netcl_space_create(&space));
  OK(netcl_space_add_ints(space, "MODE", kModes, signs ? 1 : COUNT_OF(kModes)));
  if (signs) OK(netcl_space_add_ints(space, "SIGN", values + 1, kSigns));
  tuning.space = space;
  tuning.local_sizes = kLocal;
  tuning.local_sizes_count = 1;
  search.strategy = NETCL_SEARCH_EXHAUSTIVE;
  search.samples = 1;
  search.budget_ns = 600 * SECOND; /* a busy machine takes its time */
  options.search = &search;
  options.database = made->database;
  options.run_limit_ns = 100 * SECOND;
  options.in_process = in_process;
  made->search = NULL;
  const netcl_status status =
      netcl_kernel_autotune(made->kernel, &global, 1, args, args == NULL ? 0 : 3, &tuning, &options,
                            &config, &made->search);
  if (status == NETCL_OK) netcl_config_release(config);
  netcl_space_release(space);
  return status;
}

/* The candidates that are wrong are found out; gives how many only the second check found. */
static int check_outcomes(Case *made, int signs, int *seen) {
  int second = 0;
  netcl_search_result result = NETCL_SEARCH_RESULT_INIT;
  OK(netcl_search_get_result(made->search, &result));
  for (uint32_t i = 0;; ++i) {
    netcl_search_candidate one = NETCL_SEARCH_CANDIDATE_INIT;
    netcl_config *config = NULL;
    int64_t mode = 0, sign = 0;
    if (netcl_search_get_candidate(made->search, i, &one, &config) != NETCL_OK) break;
    (void)netcl_config_get_int(config, "MODE", &mode);
    (void)netcl_config_get_int(config, "SIGN", &sign);
    netcl_config_release(config);
    ++*seen;
    if (!signs && mode <= 1) {
      CHECK(one.outcome == NETCL_OUTCOME_CORRECT || one.outcome == NETCL_OUTCOME_SLOW,
            "mode %d is %d: %s", (int)mode, (int)one.outcome, one.message);
    } else if (i > 0) {
      CHECK(one.outcome == NETCL_OUTCOME_CORRECTNESS && i != result.best,
            "mode %d sign %d is %d: %s", (int)mode, (int)sign, (int)one.outcome, one.message);
      second += strstr(one.message, "(seed 2)") != NULL;
    }
  }
  netcl_search_release(made->search);
  made->search = NULL;
  return second;
}

static const struct {
  netcl_dtype dtype;
  const char *type;
} kTypes[] = {{NETCL_I32, "int"}, {NETCL_U8, "uchar"}};

static void that_nobody_gave(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  const uint64_t global = kItems;
  for (size_t t = 0; t < COUNT_OF(kTypes); ++t) {
    Case made = make_case(fixture->device, kTypes[t].dtype, kTypes[t].type);
    OK(netcl_kernel_launch(made.kernel, &global, 1, NULL, 0, made.args, 3, NULL, NULL));
    for (int signs = 0; signs < 2; ++signs) {
      OK(netcl_tuning_database_clear(made.database, NULL));
      int seen = 0;
      OK(tune(&made, NULL, signs, t != 0));
      const int second = check_outcomes(&made, signs, &seen);
      CHECK(seen >= (signs ? kSigns : 3), "%d candidates", seen);
      /* The one whose sign the first contents have. */
      if (signs) CHECK(second == 1, "%s: %d are right on the first", kTypes[t].type, second);
    }
    free_case(&made);
  }
}

static void that_were_given(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  const uint64_t global = kItems;
  for (size_t t = 0; t < COUNT_OF(kTypes); ++t) {
    Case made = make_case(fixture->device, kTypes[t].dtype, kTypes[t].type);
    int seen = 0;
    OK(tune(&made, made.args, 0, t != 0));
    (void)check_outcomes(&made, 0, &seen);
    CHECK(seen >= 3, "%d candidates", seen);
    /* The results of a launch would stand for those of a candidate that writes nothing. */
    OK(netcl_tuning_database_clear(made.database, NULL));
    OK(netcl_kernel_launch(made.kernel, &global, 1, NULL, 0, made.args, 3, NULL, NULL));
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT,
               "kernel k leaves every tensor that it may write as it was",
               tune(&made, made.args, 0, t != 0));
    free_case(&made);
  }
}

/* What the database has of one space is no answer for another. */
static void of_another_space(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  Case made = make_case(fixture->device, NETCL_I32, "int");
  OK(netcl_tuning_database_clear(made.database, NULL));
  for (int signs = 0; signs < 2; ++signs) {
    for (int again = 0; again < 2; ++again) {
      OK(tune(&made, made.args, signs, 1));
      CHECK((made.search == NULL) == again, "signs %d, run %d: %s", signs, again,
            made.search == NULL ? "known" : "measured");
      if (made.search != NULL) netcl_search_release(made.search);
    }
  }
  free_case(&made);
}

/* Tunes MODE of kernel k over x and y, which it may both write, in this process. */
static netcl_status tune_steps(Fixture *fixture, const char *source, netcl_search **search) {
  static const int64_t kModes[] = {0, 1};
  const uint64_t global = kItems;
  char text[1024];
  snprintf(text, sizeof text, "#ifndef MODE\n#define MODE 0\n#endif\n%s", source);
  netcl_kernel *kernel = fresh_kernel(fixture->device, "k", text);
  netcl_tensor *x = poisoned_tensor(fixture->device, NETCL_F32, kItems);
  netcl_tensor *y = poisoned_tensor(fixture->device, NETCL_F32, kItems);
  netcl_tuning_database *database = tuning_open(":memory:");
  netcl_space *space = NULL;
  netcl_config *config = NULL;
  netcl_kernel_tuning tuning = NETCL_KERNEL_TUNING_INIT;
  netcl_tuner_options options = NETCL_TUNER_OPTIONS_INIT;
  const netcl_arg args[] = {arg_tensor(x), arg_tensor(y)};
  static const uint64_t kLocal[] = {64};
  OK(netcl_space_create(&space));
  OK(netcl_space_add_ints(space, "MODE", kModes, COUNT_OF(kModes)));
  tuning.space = space;
  tuning.local_sizes = kLocal;
  tuning.local_sizes_count = 1;
  options.database = database;
  options.in_process = 1;
  const netcl_status status = netcl_kernel_autotune(kernel, &global, 1, args, 2, &tuning, &options,
                                                    &config, search);
  if (status == NETCL_OK) netcl_config_release(config);
  netcl_space_release(space);
  netcl_tensor_release(x);
  netcl_tensor_release(y);
  netcl_kernel_release(kernel);
  netcl_tuning_database_release(database);
  return status;
}

/* Candidates that do nothing agree with a default that does nothing, or nothing that is seen. */
static void without_an_effect(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  static const char *const kSources[] = {
      "__kernel void k(__global const float *x, __global float *y) {\n"
      "  if (get_global_id(0) > 1000000) y[0] = x[0] * MODE;\n"
      "}\n",
      "__kernel void k(__global const float *x, __global float *y) {\n"
      "  const int i = get_global_id(0);\n"
      "  if (MODE == 0) y[i] = y[i] + 1e-12f * x[i];\n"
      "}\n"};
  for (size_t i = 0; i < COUNT_OF(kSources); ++i) {
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT,
               "kernel k leaves every tensor that it may write as it was",
               tune_steps(fixture, kSources[i], NULL));
  }
}

/* A step far below what results may be off by: not to take it is wrong all the same. */
static void that_take_small_steps(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_search *search = NULL;
  netcl_search_result result = NETCL_SEARCH_RESULT_INIT;
  OK(tune_steps(fixture,
                "__kernel void k(__global const float *x, __global float *y) {\n"
                "  const int i = get_global_id(0);\n"
                "  if (MODE == 0) y[i] -= 1e-5f * (1.0f + x[i]);\n"
                "}\n",
                &search));
  OK(netcl_search_get_result(search, &result));
  assert_int_equal(result.counts[NETCL_OUTCOME_CORRECTNESS], 1);
  netcl_search_release(search);
}

/* Places, segments, counters and tables of 64 elements: nothing is reached out of bounds. */
static void that_are_places(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  static const char kPlaces[] =
      "__kernel void p(__global const int *at, __global const float *table,\n"
      "                __global const ushort *first, __global int *counter,\n"
      "                __global float *out, __global int *kept) {\n"
      "  const int i = get_global_id(0);\n"
      "  float sum = table[at[i]] + table[8 * (at[i] % 8) + at[i]];\n"
      "  for (int j = first[i]; j < first[i + 1]; ++j) sum += table[j];\n"
      "  out[i] = sum;\n"
      "  kept[atomic_inc(counter)] = 5;\n"
      "}\n";
  const uint64_t global = 1024;
  netcl_kernel *kernel = fresh_kernel(fixture->device, "p", kPlaces);
  netcl_tensor *t[] = {poisoned_tensor(fixture->device, NETCL_I32, 1024),
                       poisoned_tensor(fixture->device, NETCL_F32, 64),
                       poisoned_tensor(fixture->device, NETCL_U16, 1025),
                       poisoned_tensor(fixture->device, NETCL_I32, 1),
                       poisoned_tensor(fixture->device, NETCL_F32, 1024),
                       poisoned_tensor(fixture->device, NETCL_I32, 1024)};
  netcl_arg args[COUNT_OF(t)];
  const unsigned char zeros[4096] = {0};
  for (size_t i = 0; i < COUNT_OF(t); ++i) {
    netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
    OK(netcl_tensor_get_info(t[i], &info));
    if (info.byte_count <= sizeof zeros) {
      OK(netcl_tensor_write(t[i], zeros, info.byte_count, NULL, LONG_WAIT));
    }
    args[i] = arg_tensor(t[i]);
  }
  OK(netcl_kernel_launch(kernel, &global, 1, NULL, 0, args, COUNT_OF(args), NULL, NULL));
  netcl_tuning_database *database = tuning_open(":memory:");
  netcl_search_options search = NETCL_SEARCH_OPTIONS_INIT;
  netcl_tuner_options options = NETCL_TUNER_OPTIONS_INIT;
  netcl_config *config = NULL;
  search.samples = 1;
  options.search = &search;
  options.database = database;
  options.in_process = 1;
  options.run_limit_ns = 100 * SECOND;
  OK(netcl_kernel_autotune(kernel, &global, 1, NULL, 0, NULL, &options, &config, NULL));
  netcl_config_release(config);
  netcl_tuning_database_release(database);
  for (size_t i = 0; i < COUNT_OF(t); ++i) netcl_tensor_release(t[i]);
  netcl_kernel_release(kernel);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(that_nobody_gave),
      DEVICE_TEST(that_were_given),
      DEVICE_TEST(that_are_places),
      DEVICE_TEST(of_another_space),
      DEVICE_TEST(without_an_effect),
      DEVICE_TEST(that_take_small_steps),
  };
  seed_random("tuner_integers_cl");
  return cmocka_run_group_tests_name("tuner_integers_cl", tests, NULL, NULL);
}
