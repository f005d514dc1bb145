/* A space full of broken candidates, as real kernels in the worker: each is named and kept away,
 * and the winner is right. */
#include "support_tuner.h"

#include <stdio.h>

enum { kRight, kWrong, kOutside, kEndless, kCrash, kLow, kHigh, kNoProgram, kFast, kModes };

static const char kSource[] =
    "#ifndef MODE\n#define MODE 0\n#endif\n"
    "#if MODE == 7\n#error no such mode\n#endif\n"
    "#if MODE == 8\n#define WORK 1\n#else\n#define WORK 300\n#endif\n"
    "__kernel void k(__global const float *a, __global float *out) {\n"
    "  const int i = get_global_id(0);\n"
    "  float x = a[i];\n"
    "  for (int r = 0; r < WORK; ++r) x = mad(x, 0.999f, 0.001f);\n"
    "  out[i] = a[i] * 2.0f + (x > 1e30f ? 1.0f : 0.0f);\n"
    "#if MODE == 1\n  if (i == 5) out[i] += 1.0f;\n#endif\n"
    "#if MODE == 2\n  if (i < 16) out[i + get_global_size(0)] = 1.0f;\n#endif\n"
    "#if MODE == 3\n  while (a[0] < 1e30f) mem_fence(CLK_GLOBAL_MEM_FENCE);\n#endif\n"
    "#if MODE == 4\n  ((__global volatile int *)0)[i] = 1;\n#endif\n"
    "#if MODE == 5\n  if (i == 0 && a[3] < 0.5f) out[i] += 1.0f;\n#endif\n"
    "#if MODE == 6\n  if (i == 0 && a[3] >= 0.5f) out[i] += 1.0f;\n#endif\n"
    "}\n";

static netcl_search_candidate candidate_of(netcl_search* search, int64_t mode) {
  netcl_search_candidate info = NETCL_SEARCH_CANDIDATE_INIT;
  netcl_config* config = NULL;
  for (uint32_t i = 0; netcl_search_get_candidate(search, i, &info, &config) == NETCL_OK; ++i) {
    int64_t value = -1; /* of the default, which sets no macro */
    (void)netcl_config_get_int(config, "MODE", &value);
    netcl_config_release(config);
    if (value == mode) return info;
  }
  FAIL_WITH("mode %d was not tried", (int)mode);
}

static void check_mode(netcl_search* search, int64_t mode, netcl_outcome outcome,
                       const char* part) {
  const netcl_search_candidate info = candidate_of(search, mode);
  /* What is right is also given up when a busy machine makes it look slow. */
  if (mode == kRight && info.outcome == NETCL_OUTCOME_SLOW) return;
  CHECK(info.outcome == outcome && strstr(info.message, part) != NULL,
        "mode %d: outcome %d, \"%s\"", (int)mode, info.outcome, info.message);
}

/* The configurations in quarantine, as bits by mode. */
static unsigned quarantined(netcl_tuning_database* database) {
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  netcl_config* config = NULL;
  unsigned modes = 0;
  for (uint64_t i = 0; netcl_tuning_database_get_record(database, i, &record, &config) == NETCL_OK;
       ++i) {
    int64_t mode = kRight; /* of the default, which sets no macro */
    (void)netcl_config_get_int(config, "MODE", &mode);
    netcl_config_release(config);
    if (record.kind == NETCL_TUNING_RECORD_QUARANTINE) modes |= 1u << mode;
  }
  return modes;
}

static void each_is_named(void** state) {
  Fixture* fixture = *state;
  NEEDS_OPENCL(fixture);
  static const uint64_t kLocal[] = {64};
  int64_t values[kModes];
  for (int i = 0; i < kModes; ++i) values[i] = i;
  netcl_tuning_database* database = tuning_open(":memory:");
  netcl_kernel_tuning tuning = NETCL_KERNEL_TUNING_INIT;
  netcl_search_options search = NETCL_SEARCH_OPTIONS_INIT;
  netcl_tuner_options options = NETCL_TUNER_OPTIONS_INIT;
  netcl_search* found = NULL;
  netcl_config* config = NULL;
  netcl_space* space = NULL;
  int64_t winner = -1;
  const uint64_t global = kTunedItems;
  OK(netcl_space_create(&space));
  OK(netcl_space_add_ints(space, "MODE", values, kModes));
  netcl_kernel* kernel = fresh_kernel(fixture->device, "k", kSource);
  netcl_tensor* a = counting_tensor(fixture->device, NETCL_F32, kTunedItems, 1);
  netcl_tensor* out = poisoned_tensor(fixture->device, NETCL_F32, kTunedItems);
  const netcl_arg args[2] = {arg_tensor(a), arg_tensor(out)};
  /* The launch is repeated on numbers of two seeds. */
  OK(netcl_kernel_launch(kernel, &global, 1, NULL, 0, args, 2, NULL, NULL));
  tuning.space = space;
  tuning.local_sizes = kLocal;
  tuning.local_sizes_count = 1;
  search.budget_ns = 600 * SECOND;
  options.search = &search;
  options.database = database;
  options.run_limit_ns = 2 * SECOND;
  OK(netcl_kernel_autotune(kernel, &global, 1, NULL, 0, &tuning, &options, &config, &found));
  /* Where launches take longer than the work, the default, which sets no macro, wins by a tie. */
  if (netcl_config_get_int(config, "MODE", &winner) != NETCL_OK) winner = kRight;
  const int gpu = fixture->info.type == NETCL_DEVICE_GPU; /* waits longer for launches than work */
  CHECK(winner == kFast || (gpu && winner == kRight), "mode %d wins", (int)winner);
  check_mode(found, kRight, NETCL_OUTCOME_CORRECT, "");
  check_mode(found, kWrong, NETCL_OUTCOME_CORRECTNESS, "argument 1 (out): element 5 is");
  check_mode(found, kOutside, NETCL_OUTCOME_GUARD, "argument 1 (out) was written outside: byte ");
  check_mode(found, kEndless, NETCL_OUTCOME_HANG, "did not end within 2 s");
  check_mode(found, kNoProgram, NETCL_OUTCOME_COMPILE, "no such mode");
  const netcl_search_candidate crash = candidate_of(found, kCrash);
  CHECK(crash.outcome == NETCL_OUTCOME_CRASH || (gpu && crash.outcome == NETCL_OUTCOME_RUNTIME),
        "outcome %d: %s", crash.outcome, crash.message);
  /* One of these two is wrong for the second seed alone. */
  check_mode(found, kLow, NETCL_OUTCOME_CORRECTNESS, "element 0 is");
  check_mode(found, kHigh, NETCL_OUTCOME_CORRECTNESS, "element 0 is");
  const int low = strstr(candidate_of(found, kLow).message, "(seed 2)") != NULL;
  const int high = strstr(candidate_of(found, kHigh).message, "(seed 2)") != NULL;
  CHECK(low + high == 1, "%s; %s", candidate_of(found, kLow).message,
        candidate_of(found, kHigh).message);
  const unsigned harm = 1u << kWrong | 1u << kOutside | 1u << kEndless | 1u << kLow | 1u << kHigh |
                        (crash.outcome == NETCL_OUTCOME_CRASH ? 1u << kCrash : 0);
  assert_int_equal(quarantined(database), harm);
  netcl_config_release(config);
  netcl_search_release(found);
  netcl_space_release(space);
  netcl_kernel_release(kernel);
  netcl_tensor_release(a);
  netcl_tensor_release(out);
  netcl_tuning_database_release(database);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(each_is_named),
  };
  seed_random("tuner_broken_cl");
  return cmocka_run_group_tests_name("tuner_broken_cl", tests, NULL, NULL);
}
