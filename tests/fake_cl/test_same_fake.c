/* Configurations that build the same program are measured once, on the scripted device. */
#include "support_fake.h"

#include <stdio.h>

static netcl_search_candidate candidate_at(netcl_search* search, int64_t a, int64_t b) {
  netcl_search_candidate info = NETCL_SEARCH_CANDIDATE_INIT;
  netcl_config* config = NULL;
  for (uint32_t i = 0; netcl_search_get_candidate(search, i, &info, &config) == NETCL_OK; ++i) {
    const int64_t got = fake_a(config);
    int64_t other = -1;
    if (got != kUntuned) OK(netcl_config_get_int(config, "B", &other));
    netcl_config_release(config);
    if (got == a && other == b) return info;
  }
  FAIL_WITH("A = %d, B = %d was not tried", (int)a, (int)b);
}

/* Of the values of A none but those before `first`. */
static void check_not_measured_from(int first) {
  assert_true(fake_launches("k ") > 0);
  for (int a = first; a < kCountA; ++a) {
    char text[8];
    snprintf(text, sizeof text, "A=%d", a);
    assert_int_equal(fake_launches(text), 0);
  }
}

/* B makes no difference to the binary. */
static void add_b(FakeCase* made) {
  static const int64_t kValues[] = {0, 1, 2};
  OK(netcl_space_add_ints(made->space, "B", kValues, 3));
}

static void all_are_the_default(void** state) {
  Fixture* fixture = *state;
  FakeCase made;
  netcl_search* search = NULL;
  fake_case(fixture->device, &made);
  for (uint32_t in_process = 0; in_process < 2; ++in_process) {
    made.options.in_process = in_process;
    fake_script("log\nsame A\nk : time 10000");
    assert_int_equal(fake_winner(&made, &search), kUntuned);
    const netcl_search_result result = fake_result(search);
    assert_int_equal(result.evaluations, kCountA + 1);
    assert_int_equal(result.counts[NETCL_OUTCOME_CORRECT], kCountA + 1);
    assert_true(result.is_default == 1 && result.median == 10000);
    for (int64_t a = 0; a < kCountA; ++a) {
      const netcl_search_candidate candidate = fake_candidate(search, a);
      CHECK(strstr(candidate.message, "the same program as {\"LOCAL_X\": 64}") != NULL &&
                candidate.median == 10000,
            "A = %d: %g ns, \"%s\"", (int)a, candidate.median, candidate.message);
    }
    check_not_measured_from(0);
    /* A binary from the cache has no A to be logged: the checks and samples of one, then. */
    CHECK(fake_launches("k ") < 60, "%d launches", fake_launches("k "));
    netcl_search_release(search);
  }
  fake_case_free(&made);
}

/* What fails fails for all of its names, and of the names of the best the first one wins, whichever
 * was measured. */
static void groups_of_the_same(void** state) {
  Fixture* fixture = *state;
  FakeCase made;
  netcl_search* search = NULL;
  fake_case(fixture->device, &made);
  add_b(&made);
  made.search.strategy = NETCL_SEARCH_RANDOM;
  made.search.patience = 1000;
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    int64_t b = -1;
    netcl_config* config = NULL;
    made.search.seed = seed;
    fake_script(
        "log\nseed %d\nnoise 0.01\nsame B\nk : time 10000\nk A=3 : wrong\n"
        "k A=5 : time 5000\nk A=6 : build-error never",
        (int)seed);
    assert_int_equal(fake_winner(&made, &search), 5);
    OK(netcl_search_get_best(search, &config));
    OK(netcl_config_get_int(config, "B", &b));
    netcl_config_release(config);
    assert_int_equal(b, 0);
    const netcl_search_result result = fake_result(search);
    assert_int_equal(result.evaluations, 3 * kCountA + 1);
    assert_int_equal(result.counts[NETCL_OUTCOME_CORRECTNESS], 3);
    assert_int_equal(result.counts[NETCL_OUTCOME_COMPILE], 3);
    assert_int_equal(result.counts[NETCL_OUTCOME_CORRECT] + result.counts[NETCL_OUTCOME_SLOW],
                     3 * (kCountA - 2) + 1);
    assert_true(result.median > 4500 && result.median < 5500 && result.gain_low > 1.8);
    assert_int_equal(fake_launches("A=3 "), 1);
    int same = 0;
    for (int64_t value = 0; value < 3; ++value) {
      const char* message = candidate_at(search, 3, value).message;
      same += strstr(message, "the same program as") != NULL;
      CHECK(strstr(message, "element 0 is") != NULL, "%s", message);
    }
    assert_int_equal(same, 2);
    netcl_search_release(search);
  }
  fake_case_free(&made);
}

/* Another local size is another candidate, although the program is the same. */
static void local_sizes_differ(void** state) {
  Fixture* fixture = *state;
  static const uint64_t kLocal[] = {16, 64};
  FakeCase made;
  netcl_search* search = NULL;
  fake_case(fixture->device, &made);
  made.tuning.local_sizes = kLocal;
  made.tuning.local_sizes_count = 2;
  fake_script("log\nsame A\nk : time 10000\nk LOCAL_X=16 : time 5000");
  assert_int_equal(fake_winner(&made, &search), 0);
  assert_true(fake_result(search).median == 5000);
  assert_true(fake_launches("LOCAL_X=16") > 0 && fake_launches("LOCAL_X=64") > 0);
  /* The size that a launch takes is the default's, and measured with it alone. */
  assert_true(fake_launches("A=-1 ") > 0);
  assert_int_equal(fake_launches("LOCAL_X=64"), fake_launches("A=-1 "));
  check_not_measured_from(1);
  netcl_search_release(search);
  fake_case_free(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(all_are_the_default),
      DEVICE_TEST(groups_of_the_same),
      DEVICE_TEST(local_sizes_differ),
  };
  fake_script("# nothing yet");
  seed_random("same_fake");
  return cmocka_run_group_tests_name("same_fake", tests, NULL, NULL);
}
