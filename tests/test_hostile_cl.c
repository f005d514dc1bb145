/* Kernels that cheat or do harm, among honest ones: none of them wins, none looks fast, and none
 * makes an honest one look wrong. */
#include "support_benchmark.h"
#include "support_tuner.h"

#include <stdio.h>

enum { kItems = 4096, kGroup = 64 };

/* What each does instead of the loop, which all are asked to run. Where a driver has no variables
 * of a program or no clock, the kernel does not compile, and so does not win. */
enum {
  kHonest = 0,
  kWritesInput,
  kLeavesWritten,
  kCountsRuns,
  kWritesOutside,
  kKeepsLocal,
  kFirstSeed,
  kReadsClock,
  kRemembers,
  kCountsInInput,
  kKnowsResults,
  kFaster,
  kModes
};

static const char kText[] =
    "#ifndef MODE\n#define MODE 0\n#endif\n"
    "#if MODE == 3 || MODE == 8\n"
    "#ifdef __x86_64__\n" /* where PoCL refuses variables of a program */
    "__global int *state(void) {\n  __global int *it;\n"
    "  __asm__ volatile(\".ifndef netcl_hostile\\n.pushsection .data\\n.balign 64\\n\"\n"
    "                   \"netcl_hostile: .fill 32768\\n.popsection\\n.endif\\n\"\n"
    "                   \"lea netcl_hostile(%%rip), %0\" : \"=r\"(it));\n"
    "  return it;\n}\n"
    "#define runs state()\n#define kept ((__global float *)state() + 4096)\n"
    "#else\n__global int runs[4096];\n__global float kept[4096];\n#endif\n#endif\n"
    "__kernel void k(__global const float *a, __global float *o, float zero, int rounds) {\n"
    "  const int i = get_global_id(0);\n"
    "#if MODE == 1\n"
    "  o[i] = a[i] * 2 + rounds;\n  ((__global float *)a)[i] = 2;\n  return;\n"
    "#elif MODE == 2\n"
    "  if (!isnan(o[i])) return;\n"
    "#elif MODE == 3\n"
    "  if (runs[i]++ > 2) return;\n"
    "#elif MODE == 4\n"
    "  o[i + get_global_size(0)] = 1;\n  o[i] = a[i] * 2 + rounds;\n  return;\n"
    "#elif MODE == 5\n"
    "  __local int tag[64];\n  __local float keep[64];\n  const int l = get_local_id(0);\n"
    "  if (tag[l] == 0x1234 + i) { o[i] = keep[l]; return; }\n"
    "#elif MODE == 6\n"
    "  if (a[7] == SEEN) { o[i] = a[i] * 2 + rounds; return; }\n  o[i] = 1; return;\n"
    "#elif MODE == 7\n"
    /* The built-in function ends the process in some compilers. */
    "#ifdef __x86_64__\n"
    "  uint low, high;\n  __asm__ volatile(\"rdtsc\" : \"=a\"(low), \"=d\"(high));\n"
    "  if ((low >> 26) & 1) { o[i] = 7; return; }\n"
    "#elif defined(__NV_CL_C_VERSION)\n"
    "  ulong clock;\n  asm volatile(\"mov.u64 %0, %%clock64;\" : \"=l\"(clock));\n"
    "  if ((clock >> 12) & 1) { o[i] = 7; return; }\n"
    "#else\n"
    "  if ((__builtin_readcyclecounter() >> 26) & 1) { o[i] = 7; return; }\n"
    "#endif\n"
    "#elif MODE == 8\n"
    "  if (runs[i]++ > 0) { o[i] = kept[i]; return; }\n"
    "#elif MODE == 10\n" /* what a run before it left, whatever the inputs are */
    "  if (fabs(o[i] - rounds) < 64) return;\n"
    "#elif MODE == 9\n"
    "  if (((__global float *)a)[0] != 0) ((__global float *)a)[i] += 1e-7f;\n"
    "  o[i] = a[i] * 2 + rounds;\n  return;\n"
    "#endif\n"
    "  float x = a[i] * 2;\n"
    "#if MODE == 11\n"
    "  x += rounds + zero;\n"
    "#else\n"
    "  for (int r = 0; r < rounds; ++r) x = x * (1 + zero) + 1 + zero;\n"
    "#endif\n"
    "  o[i] = x;\n"
    "#if MODE == 5\n"
    "  tag[l] = 0x1234 + i;\n  keep[l] = x;\n"
    "#elif MODE == 8\n"
    "  kept[i] = x;\n"
    "#endif\n"
    "}\n";

/* Not every driver has what these are made of: variables of a program, and a clock. */
static void say_what_is_missing(int64_t mode, netcl_outcome outcome) {
  if (outcome != NETCL_OUTCOME_COMPILE) return;
  print_message("skipped: mode %d does not compile here\n", (int)mode);
  assert_true(mode == kCountsRuns || mode == kReadsClock || mode == kRemembers);
}

/* Where memory is as new in each run, these do all of the work. */
static int may_be_right(int64_t mode) { return mode == kKeepsLocal || mode == kKnowsResults; }

static const float kZero = 0;
static const int32_t kRounds = 3000;

typedef struct Case {
  netcl_kernel *kernel;
  netcl_tensor *a, *o;
  netcl_arg args[4];
  uint64_t global;
  float values[kItems], before[kItems];
} Case;

static void make_case(Fixture *fixture, Case *made) {
  char text[4096];
  const int64_t shape = kItems;
  for (int i = 0; i < kItems; ++i) {
    made->values[i] = (float)random_real(1, 2);
    made->before[i] = -5;
  }
  snprintf(text, sizeof text, "#define SEEN %.9gf\n%s", (double)made->values[7], kText);
  made->kernel = source_kernel(fixture->device, "k", text);
  OK(netcl_tensor_create_from_host(fixture->device, NETCL_F32, 1, &shape, NULL, made->values,
                                   sizeof made->values, NULL, &made->a));
  OK(netcl_tensor_create_from_host(fixture->device, NETCL_F32, 1, &shape, NULL, made->before,
                                   sizeof made->before, NULL, &made->o));
  made->args[0] = arg_tensor(made->a);
  made->args[1] = arg_tensor(made->o);
  made->args[2] = arg_float(kZero);
  made->args[3] = arg_int(kRounds);
  made->global = kItems;
}

static void free_case(Case *made) {
  netcl_kernel_release(made->kernel);
  netcl_tensor_release(made->a);
  netcl_tensor_release(made->o);
}

static void check_contents(const netcl_tensor *tensor, const float *want) {
  float seen[kItems];
  OK(netcl_tensor_read(tensor, seen, sizeof seen, NULL, LONG_WAIT));
  assert_memory_equal(seen, want, sizeof seen);
}

/* All at once in a space, in an order of their own each time. */
static void tuning(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  static const uint64_t kLocal[] = {kGroup};
  int64_t modes[kModes - 1];
  for (int i = 1; i < kModes; ++i) modes[i - 1] = i;
  for (uint32_t in_process = 0; in_process < 2; ++in_process) {
    Case made;
    make_case(fixture, &made);
    netcl_tuning_database *database = tuning_open(":memory:");
    netcl_space *space = NULL;
    OK(netcl_space_create(&space));
    OK(netcl_space_add_ints(space, "MODE", modes, kModes - 1));
    netcl_kernel_tuning tuning = NETCL_KERNEL_TUNING_INIT;
    netcl_tuner_options options = NETCL_TUNER_OPTIONS_INIT;
    netcl_search_options search_options = NETCL_SEARCH_OPTIONS_INIT;
    netcl_search_result result = NETCL_SEARCH_RESULT_INIT;
    netcl_config *config = NULL;
    netcl_search *search = NULL;
    tuning.space = space;
    tuning.local_sizes = kLocal;
    tuning.local_sizes_count = 1;
    search_options.strategy = NETCL_SEARCH_RANDOM;
    search_options.seed = random_bits();
    search_options.budget_ns = 600 * SECOND; /* a busy machine takes its time */
    options.run_limit_ns = 100 * SECOND;
    options.search = &search_options;
    options.database = database;
    options.in_process = in_process;
    OK(netcl_kernel_autotune(made.kernel, &made.global, 1, made.args, 4, &tuning, &options, &config,
                             &search));
    OK(netcl_search_get_result(search, &result));
    netcl_config_release(config);
    for (uint32_t i = 0;; ++i) {
      netcl_search_candidate one = NETCL_SEARCH_CANDIDATE_INIT;
      char json[128];
      int64_t mode = kHonest; /* that of the source */
      if (netcl_search_get_candidate(search, i, &one, &config) != NETCL_OK) break;
      (void)netcl_config_get_int(config, "MODE", &mode);
      OK(netcl_config_get_json(config, json, sizeof json, NULL));
      netcl_config_release(config);
      say_what_is_missing(mode, one.outcome);
      if (mode == kHonest || mode == kFaster) {
        CHECK(one.outcome == NETCL_OUTCOME_CORRECT || one.outcome == NETCL_OUTCOME_SLOW,
              "%s is %d: %s", json, (int)one.outcome, one.message);
        CHECK(mode == kFaster || i == 0, "%s is candidate %u", json, i);
      } else {
        CHECK(i != result.best, "%s won, %g ns", json, one.median);
        CHECK(one.outcome != NETCL_OUTCOME_CORRECT || may_be_right(mode),
              "%s is correct, %g ns", json, one.median);
      }
    }
    CHECK(result.is_default == 0 || fixture->info.type == NETCL_DEVICE_GPU,
          "the default won, %g ns", result.median);
    /* What is in quarantine is none of the honest ones. */
    netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
    for (uint64_t i = 0;
         netcl_tuning_database_get_record(database, i, &record, &config) == NETCL_OK; ++i) {
      int64_t mode = kHonest;
      (void)netcl_config_get_int(config, "MODE", &mode);
      netcl_config_release(config);
      const int honest = mode == kHonest || mode == kFaster;
      CHECK(record.kind != NETCL_TUNING_RECORD_QUARANTINE || !honest, "mode %d is in quarantine",
            (int)mode);
    }
    check_contents(made.a, made.values);
    check_contents(made.o, made.before);
    netcl_search_release(search);
    netcl_space_release(space);
    netcl_tuning_database_release(database);
    free_case(&made);
  }
}

/* Each in turn, and after each an honest one in the same benchmark. */
static void benchmark(void **state) {
  Fixture *fixture = *state;
  NEEDS_KERNELS(fixture);
  netcl_benchmark *benchmark = NULL;
  netcl_benchmark_options options = NETCL_BENCHMARK_OPTIONS_INIT;
  netcl_measurement_options timing = few_samples();
  netcl_statistics statistics = NETCL_STATISTICS_INIT;
  const uint64_t global = kItems, local = kGroup;
  options.lock = NETCL_OFF;
  options.seed = random_bits() >> 1;
  OK(netcl_benchmark_create(fixture->device, &options, &benchmark));
  netcl_benchmark_tensor a = tensor_of(NETCL_ACCESS_IN, NETCL_FILL_UNIFORM);
  netcl_benchmark_tensor o = tensor_of(NETCL_ACCESS_OUT, NETCL_FILL_ZEROS);
  a.shape[0] = o.shape[0] = kItems;
  OK(netcl_benchmark_add_tensor(benchmark, &a));
  OK(netcl_benchmark_add_tensor(benchmark, &o));
  OK(netcl_benchmark_add_scalar(benchmark, &kZero, sizeof kZero));
  OK(netcl_benchmark_add_scalar(benchmark, &kRounds, sizeof kRounds));
  netcl_tensor *first = NULL;
  float values[kItems];
  OK(netcl_benchmark_get_tensor(benchmark, 0, &first));
  OK(netcl_tensor_read(first, values, sizeof values, NULL, LONG_WAIT));
  netcl_tensor_release(first);
  char seen[64];
  snprintf(seen, sizeof seen, "SEEN=%.9gf", (double)values[7]);
  netcl_kernel *kernel = source_kernel(fixture->device, "k", kText);
  OK(netcl_benchmark_time_kernel(benchmark, kernel, &global, 1, &local, 1, &timing, &statistics));
  for (int mode = 1; mode < kModes; ++mode) {
    char define[16];
    snprintf(define, sizeof define, "MODE=%d", mode);
    const char *defines[] = {seen, define};
    netcl_benchmark_candidate candidate = candidate_of(kText);
    netcl_benchmark_result result = NETCL_BENCHMARK_RESULT_INIT;
    candidate.global[0] = kItems;
    candidate.local[0] = kGroup;
    candidate.defines = defines;
    candidate.defines_count = 2;
    timing.count = 5 + random_bits() % 5;
    OK(netcl_benchmark_run(benchmark, &candidate, &timing, &result));
    say_what_is_missing(mode, result.outcome);
    if (mode == kFaster) {
      expect_outcome(result, NETCL_OUTCOME_CORRECT, "");
    } else if (may_be_right(mode)) {
      /* On a busy machine times are far apart; one that leaves the work out gains hundreds. */
      CHECK(result.outcome != NETCL_OUTCOME_CORRECT || 30 * result.min > statistics.min,
            "mode %d took %g ns, the honest kernel %g", mode, result.min, statistics.min);
    } else {
      CHECK(result.outcome != NETCL_OUTCOME_CORRECT, "mode %d is correct and %g times as fast",
            mode, result.speedup);
    }
    candidate.defines_count = 1;
    OK(netcl_benchmark_run(benchmark, &candidate, &timing, &result));
    CHECK(result.outcome == NETCL_OUTCOME_CORRECT, "after mode %d an honest one is %d: %s", mode,
          (int)result.outcome, result.message);
  }
  netcl_kernel_release(kernel);
  netcl_benchmark_release(benchmark);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(tuning), DEVICE_TEST(benchmark)};
  seed_random("hostile_cl");
  return cmocka_run_group_tests_name("hostile_cl", tests, NULL, NULL);
}
