/* How well strategies search: medians over 20 seeds, on times that were recorded for every
 * configuration of two kernels (60 and 200 evaluations), and on spaces that are made up (200). */
#include <math.h>
#include <stdio.h>

#include "support.h"

enum { kSeeds = 20 };

static const char *const kNames[] = {"auto", "exhaustive", "random", "local", "annealing",
                                     "genetic"};

/* What a strategy may be away from the optimum. Random search is there to compare with. */
static const struct {
  netcl_search_strategy strategy;
  double most;
} kGoals[] = {{NETCL_SEARCH_AUTO, 1.05},
              {NETCL_SEARCH_GENETIC, 1.05},
              {NETCL_SEARCH_LOCAL, 1.15},
              {NETCL_SEARCH_ANNEALING, 1.15}};

static netcl_replay_result replay(const char *text, const netcl_search_options *options) {
  netcl_replay_result result = NETCL_REPLAY_RESULT_INIT;
  OK(netcl_search_replay(text, strlen(text), options, &result));
  return result;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* All of it is spent: patience ends none of these searches. NAN after fewer seeds. */
static double median_ratio(const char *text, uint64_t evaluations,
                           netcl_search_strategy strategy) {
  double ratios[kSeeds];
  const uint64_t seeds = only_sanitized() ? 1 : kSeeds;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    netcl_search_options options = NETCL_SEARCH_OPTIONS_INIT;
    options.strategy = strategy;
    options.seed = seed;
    options.evaluations = evaluations;
    options.patience = 1000000;
    const netcl_replay_result result = replay(text, &options);
    CHECK(result.evaluations == evaluations && result.stop == NETCL_STOP_COUNT,
          "%s ended after %llu evaluations with %d", kNames[strategy],
          (unsigned long long)result.evaluations, result.stop);
    CHECK(result.best >= result.optimum, "better than the optimum");
    ratios[seed] = result.best / result.optimum;
  }
  if (seeds < kSeeds) return NAN;
  qsort(ratios, kSeeds, sizeof ratios[0], ascending);
  return (ratios[kSeeds / 2 - 1] + ratios[kSeeds / 2]) / 2;
}

static void check_goals(const char *text, uint64_t evaluations, const char *space) {
  const int few = only_sanitized(); /* too few seeds for a median */
  for (size_t i = 0; i < COUNT_OF(kGoals); ++i) {
    const double ratio = median_ratio(text, evaluations, kGoals[i].strategy);
    print_message("%s, %s: %.3f\n", space, kNames[kGoals[i].strategy], ratio);
    if (few) continue;
    CHECK(ratio <= kGoals[i].most, "%s finds %.3f of the optimum of %s; %.2f is asked for",
          kNames[kGoals[i].strategy], ratio, space, kGoals[i].most);
  }
  /* Or the space is one where anything goes. */
  const double random = median_ratio(text, evaluations, NETCL_SEARCH_RANDOM);
  if (few) return;
  CHECK(random > 1.05, "random search finds %.3f of the optimum of %s", random, space);
}

static char *read_recording(const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", NETCL_RECORDINGS, name);
  FILE *const file = fopen(path, "r");
  assert_non_null(file);
  char *const text = calloc(1, 1 << 16);
  assert_non_null(text);
  assert_true(fread(text, 1, (1 << 16) - 1, file) > 1000);
  fclose(file);
  return text;
}

/* Of 352 configurations on a CPU and 1820 on a GPU. */
static void recorded_gemm(void **state) {
  static const struct {
    const char *name;
    uint64_t evaluations;
  } kRecordings[] = {{"gemm_cpu.json", 60}, {"gemm_h200.json", 200}};
  (void)state;
  for (size_t i = 0; i < COUNT_OF(kRecordings); ++i) {
    char *const text = read_recording(kRecordings[i].name);
    check_goals(text, kRecordings[i].evaluations, kRecordings[i].name);
    free(text);
  }
}

/* ---- A space that is made up ----------------------------------------------------------------- */

static double share_of(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

/* A time with what kernels have: products that count, an optimum in the middle, switches that help
 * here and harm there, steps that nothing explains. 0: not in the space, negative: it fails. */
static double made_up(const int v[7]) {
  const double group = v[0] * v[1];
  if (group > 512 || group < 16 || v[2] * v[3] > 32 || (v[4] && v[2] > 4)) return 0;
  uint64_t code = 17;
  for (int i = 0; i < 7; ++i) code = code * 1000003 + (uint64_t)v[i];
  if (share_of(code ^ 0x5555) < 0.08) return -1;
  const double work = v[2] * v[3];
  double t = 1 + 0.125 * pow(log2(group / 128), 2) + 3 / work;
  t += work > 12 ? 0.12 * (work - 12) : 0;
  t += v[4] ? (v[0] >= 32 ? -0.4 : 0.3) : 0;
  t += v[5] ? 0.2 * abs(v[2] - 4) : 0.35;
  t += 0.15 * abs(v[6] - (v[0] > 32 ? 2 : 1));
  t += (v[2] % 2 ? 0.25 : 0) + (v[0] < 16 ? 0.6 : 0);
  return t * (1 + 0.15 * share_of(code));
}

static void made_up_space(void **state) {
  (void)state;
  static const int kCounts[7] = {9, 6, 4, 4, 2, 2, 3};
  const size_t capacity = 1 << 20;
  char *const text = malloc(capacity);
  assert_non_null(text);
  size_t at = (size_t)snprintf(
      text, capacity,
      "{\"tune_params_keys\": [\"A\",\"B\",\"C\",\"D\",\"E\",\"F\",\"G\"], \"cache\": {");
  int d[7] = {0}, count = 0;
  for (int more = 1; more;) {
    const int v[7] = {1 << d[0], 1 << d[1], d[2] + 1, d[3] + 1, d[4], d[5], d[6]};
    const double time = made_up(v);
    if (time != 0) {
      const long long steps = (long long)(time * 1e5 + 0.5); /* JSON has a point in any locale */
      at += (size_t)snprintf(text + at, capacity - at, "%s\"%d,%d,%d,%d,%d,%d,%d\": ",
                             count++ ? ",\n" : "", v[0], v[1], v[2], v[3], v[4], v[5], v[6]);
      at += time > 0 ? (size_t)snprintf(text + at, capacity - at, "%lld.%05lld", steps / 100000,
                                        steps % 100000)
                     : (size_t)snprintf(text + at, capacity - at, "{\"time\": \"RuntimeFailed\"}");
    }
    int i = 6;
    while (i >= 0 && ++d[i] == kCounts[i]) d[i--] = 0;
    more = i >= 0;
  }
  snprintf(text + at, capacity - at, "}}");
  print_message("%d configurations\n", count);
  assert_in_range(count, 4000, 8000);
  check_goals(text, 200, "the made up space");
  /* A larger space has more patience than a small one: 4 roots instead of 96. */
  netcl_search_options options = NETCL_SEARCH_OPTIONS_INIT;
  for (netcl_search_strategy s = NETCL_SEARCH_RANDOM; s <= NETCL_SEARCH_GENETIC; ++s) {
    options.strategy = s;
    const netcl_replay_result result = replay(text, &options);
    const uint64_t patience = (uint64_t)(4 * sqrt(count));
    CHECK(result.stop == NETCL_STOP_COUNT ? result.evaluations == 512
                                          : result.stop == NETCL_STOP_CONVERGED &&
                                                result.evaluations > patience,
          "%s ended after %llu evaluations with %d", kNames[s],
          (unsigned long long)result.evaluations, result.stop);
  }
  free(text);
}

/* Three switches that help together alone. Off, most of the space leads to 1.3; on, there is the
 * optimum, with steep sides; between them nothing is good. A search that stays where it first
 * cooled down does not find it. */
static double trap(const int v[6]) {
  const int on = v[3] + v[4] + v[5];
  const double wide = 1.3 + 0.03 * (abs(v[0] - 5) + abs(v[1] - 2) + abs(v[2] - 3));
  const double deep = 1.0 + 0.25 * (abs(v[0] - 1) + abs(v[1] - 6) + abs(v[2] - 5));
  return on == 0 ? wide : on == 3 ? deep : fmax(wide, deep) + 0.6;
}

static void trapped(void **state) {
  (void)state;
  const size_t capacity = 1 << 18;
  char *const text = malloc(capacity);
  assert_non_null(text);
  size_t at = (size_t)snprintf(
      text, capacity,
      "{\"tune_params_keys\": [\"P\",\"Q\",\"R\",\"A\",\"B\",\"C\"], \"cache\": {");
  for (int i = 0; i < 4096; ++i) {
    const int v[6] = {i >> 9, i >> 6 & 7, i >> 3 & 7, i >> 2 & 1, i >> 1 & 1, i & 1};
    const long long steps = (long long)(trap(v) * 1e4 + 0.5);
    at += (size_t)snprintf(text + at, capacity - at, "%s\"%d,%d,%d,%d,%d,%d\": %lld.%04lld",
                           i ? ",\n" : "", v[0], v[1], v[2], v[3], v[4], v[5], steps / 10000,
                           steps % 10000);
  }
  snprintf(text + at, capacity - at, "}}");
  check_goals(text, 200, "the space with a trap");
  free(text);
}

/* ---- Why they stop --------------------------------------------------------------------------- */

static void all_is_tried_before_it_is_exhausted(void **state) {
  (void)state;
  char *const text = read_recording("gemm_cpu.json");
  for (netcl_search_strategy s = NETCL_SEARCH_EXHAUSTIVE; s <= NETCL_SEARCH_GENETIC; ++s) {
    netcl_search_options options = NETCL_SEARCH_OPTIONS_INIT;
    options.strategy = s;
    options.evaluations = 1000;
    options.patience = 1000000;
    const netcl_replay_result result = replay(text, &options);
    CHECK(result.evaluations == result.recorded && result.recorded == 352 &&
              result.best == result.optimum && result.strategy == s,
          "%s tried %llu of %llu and found %g of %g", kNames[s],
          (unsigned long long)result.evaluations, (unsigned long long)result.recorded, result.best,
          result.optimum);
    CHECK(result.stop == NETCL_STOP_EXHAUSTED || result.stop == NETCL_STOP_CONFIDENCE,
          "%s stopped with %d", kNames[s], result.stop);
  }
  free(text);
}

/* ---- Formats --------------------------------------------------------------------------------- */

static void formats(void **state) {
  (void)state;
  static const char kT4[] =
      "{\"schema_version\": \"1.0.0\", \"results\": ["
      "{\"configuration\": {\"A\": 1, \"MODE\": \"fast\"}, \"invalidity\": \"correct\", "
      "\"objectives\": [\"time\"], \"measurements\": [{\"name\": \"time\", \"value\": 2.5, "
      "\"unit\": \"ms\"}], \"times\": {\"runtimes\": [2.5]}},"
      "{\"configuration\": {\"MODE\": \"slow\", \"A\": 1}, \"invalidity\": \"correct\", "
      "\"times\": {\"runtimes\": [9, 1, 4]}},"
      "{\"configuration\": {\"A\": 2, \"MODE\": \"fast\"}, \"invalidity\": \"compile\", "
      "\"times\": {\"runtimes\": []}}]}";
  netcl_search_options options = NETCL_SEARCH_OPTIONS_INIT;
  netcl_replay_result result = replay(kT4, &options);
  assert_true(result.recorded == 3 && result.valid == 2 && result.evaluations == 3);
  assert_true(result.optimum == 2.5e6 && result.best == 2.5e6);
  assert_int_equal(result.strategy, NETCL_SEARCH_EXHAUSTIVE);
  /* A cache file of a run that was killed lacks its end. */
  result = replay("{\"tune_params_keys\": [\"A\"], \"cache\": {\"1\": {\"A\": 1, \"time\": 3.0},\n"
                  "\"2\": {\"A\": 2, \"time\": 1.5},", &options);
  assert_true(result.recorded == 2 && result.best == 1.5e6);
  /* The unit of a measurement, of the times or of the whole; milliseconds where there is none. */
  static const struct {
    const char *document, *result, *times;
    double ns;
  } kUnits[] = {
      {"", "\"measurements\": [{\"name\": \"time\", \"value\": 3, \"unit\": \"s\"}],", "", 3e9},
      {"", "\"measurements\": [{\"name\": \"time\", \"value\": 3, \"unit\": \"\"}],", "", 3e6},
      {"", "\"measurements\": [{\"name\": \"time\", \"value\": 3, \"units\": \"usec\"}],", "", 3e3},
      {"", "", "\"unit\": \"ns\",", 3},
      {"", "", "\"unit\": \"\xc2\xb5s\",", 3e3},
      {"", "\"unit\": \"Nanoseconds\",", "", 3},
      {"\"metadata\": {\"timeunit\": \"seconds\"},", "", "", 3e9},
      {"\"metadata\": {\"timeunit\": \"milliseconds\"},", "", "", 3e6},
      {"\"metadata\": {\"timeunit\": \"seconds\"},", "", "\"unit\": \"us\",", 3e3},
      {"\"unit\": \"microseconds\",", "", "", 3e3},
      {"", "", "", 3e6}};
  for (size_t i = 0; i < COUNT_OF(kUnits); ++i) {
    char text[512];
    snprintf(text, sizeof text,
             "{%s \"results\": [{\"configuration\": {\"A\": 1}, \"invalidity\": \"correct\", %s "
             "\"times\": {%s \"runtimes\": [3, 3, 3]}}]}",
             kUnits[i].document, kUnits[i].result, kUnits[i].times);
    result = replay(text, &options);
    CHECK(result.optimum == kUnits[i].ns, "%s: %g ns, not %g", text, result.optimum, kUnits[i].ns);
  }
  result = replay("{\"tune_params_keys\": [\"A\"], \"unit\": \"us\", \"cache\": {\"1\": 2}}",
                  &options);
  assert_true(result.best == 2e3);
}

/* A size that cannot be true is refused before the text is read to its end. */
static void long_text(void **state) {
  (void)state;
  netcl_replay_result result = NETCL_REPLAY_RESULT_INIT;
  static const size_t kSizes[] = {SIZE_MAX, SIZE_MAX / 2, (size_t)1 << 33};
  for (size_t i = 0; i < COUNT_OF(kSizes); ++i) {
    FAILS_WITH(NETCL_ERROR_CORRUPT_DATA, "bytes of JSON; the limit is 67108864",
               netcl_search_replay("{}", kSizes[i], NULL, &result));
  }
}

/* One configuration written in two ways is one, and the later entry counts. */
static void written_twice(void **state) {
  (void)state;
  netcl_search_options options = NETCL_SEARCH_OPTIONS_INIT;
#define ROW(configuration, ns)                                                            \
  "{\"configuration\": {" configuration "}, \"times\": {\"unit\": \"ns\", \"runtimes\": [" \
  ns "]}}"
  static const char *const kTwice[] = {
      "{\"results\": [" ROW("\"A\": 1, \"B\": 2", "1") "," ROW("\"B\": 2, \"A\": 1", "3") ","
      ROW("\"A\": 2, \"B\": 2", "4") "]}",
      "{\"results\": [" ROW("\"A\": 1", "1") "," ROW("\"A\": true", "3") ","
      ROW("\"A\": 2.0", "4") "]}",
      "{\"results\": [" ROW("\"A\": 1", "1") "," ROW("\"A\": 2", "4") "," ROW("\"A\": 1.0", "2")
      "," ROW("\"A\": 1", "3") "]}",
      /* A default that is no part of the space. */
      "{\"results\": [" ROW("", "1") "," ROW("\"LOCAL_X\": 5", "1") "," ROW("\"A\": 7", "1") ","
      ROW("\"A\": 1, \"B\": 2", "3") "," ROW("\"A\": 2, \"B\": 2", "4") "]}"};
  /* Without parameters there is one configuration, whatever looks for others. */
  for (netcl_search_strategy s = NETCL_SEARCH_AUTO; s <= NETCL_SEARCH_GENETIC; ++s) {
    options.strategy = s;
    const netcl_replay_result result = replay("{\"results\": [" ROW("", "3") "]}", &options);
    CHECK(result.recorded == 1 && result.best == 3, "strategy %d: best %g", (int)s, result.best);
  }
  options.strategy = NETCL_SEARCH_AUTO;
  for (size_t i = 0; i < COUNT_OF(kTwice); ++i) {
    const netcl_replay_result result = replay(kTwice[i], &options);
    CHECK(result.recorded == 2 && result.valid == 2 && result.optimum == 3 && result.best == 3,
          "case %zu: %d recorded, optimum %g, best %g", i, (int)result.recorded, result.optimum,
          result.best);
  }
}

static void refused_formats(void **state) {
  (void)state;
  netcl_search_options options = NETCL_SEARCH_OPTIONS_INIT;
  netcl_replay_result result;
  static const char *const kWrong[][2] = {
      {"{\"results\": [{\"problem\": \"gemm 64\", \"configuration\": {\"A\": 1}}, "
       "{\"problem\": \"gemm 300\", \"configuration\": {\"A\": 2}}]}",
       "results are of several problems, such as"},
      {"{\"metadata\": {\"timeunit\": \"ticks\"}, \"results\": [{\"configuration\": {\"A\": 1},"
       " \"times\": {\"runtimes\": [3]}}]}",
       "the metadata has the timeunit \"ticks\", which is none of time; write ns, us, ms or s"},
      {"{\"results\": [{\"configuration\": {\"A\": 1}, \"objectives\": [\"rate\"], "
       "\"measurements\": [{\"name\": \"rate\", \"value\": 3, \"unit\": \"GFLOP/s\"}]}]}",
       "measurement rate has the unit \"GFLOP/s\", which is none of time"},
      {"{\"results\": [{\"configuration\": {\"A\": 1}, \"times\": {\"unit\": 3, "
       "\"runtimes\": [3]}}]}",
       "\"unit\" of the times of a result is no text"},
      {"{\"tune_params_keys\": [\"A\", \"B\"], \"cache\": {\"1,2\": 3, \"1\": 4}}",
       "entry \"1\" of the cache has 1 values; \"tune_params_keys\" names 2"},
      {"{\"tune_params_keys\": [\"A\"], \"cache\": {\"1,2\": 3}}",
       "entry \"1,2\" of the cache has 2 values; \"tune_params_keys\" names 1"},
      {"{}", "the document has no member \"results\""},
      {"[", "recording"},
      {"{\"results\": []}", "no configuration has a time"},
      {"{\"results\": [{}]}", "a result has no member \"configuration\""},
      {"{\"cache\": {}}", "tune_params_keys"},
      {"{\"results\": [{\"configuration\": {\"A\": [1]}}]}", "a value of A"},
      {"{\"results\": [{\"configuration\": {\"A\": 1}},"
       " {\"configuration\": {\"B\": 1, \"C\": 2}}]}",
       "has other parameters than"}};
  for (size_t i = 0; i < COUNT_OF(kWrong); ++i) {
    memset(&result, POISON, sizeof result);
    result.struct_size = sizeof result;
    FAILS_WITH(NETCL_ERROR_CORRUPT_DATA, kWrong[i][1],
               netcl_search_replay(kWrong[i][0], strlen(kWrong[i][0]), &options, &result));
  }
  result.struct_size = sizeof result;
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_search_replay(NULL, 1, &options, &result));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(recorded_gemm), cmocka_unit_test(made_up_space), cmocka_unit_test(trapped),
      cmocka_unit_test(all_is_tried_before_it_is_exhausted), cmocka_unit_test(formats),
      cmocka_unit_test(long_text), cmocka_unit_test(written_twice),
      cmocka_unit_test(refused_formats)};
  return cmocka_run_group_tests_name("search_replay", tests, NULL, NULL);
}
