/*
 * What can stand inside itself is bounded or gone through without recursion: regions, formulas,
 * expressions and JSON, far deeper than any stack is large.
 */
#include <stdio.h>

#include "support_profile.h"


/* Regions inside each other; those beyond the thirtieth are part of it. */
static void regions(void** state) {
  Fixture* fixture = *state;
  const int deepest = sanitized_rounds(20000);
  netcl_queue* queue = profile_queue(fixture);
  netcl_tensor* tensor = profile_operand(fixture, 1000);
  static const netcl_format kFormats[] = {NETCL_FORMAT_TEXT, NETCL_FORMAT_JSON, NETCL_FORMAT_CSV};
  char name[32];
  profile_start(NULL);
  for (int i = 1; i <= deepest; i++) {
    snprintf(name, sizeof name, "level%d.", i);
    OK(netcl_region_push(queue, name));
    if (i == 29 || i == 31 || i == deepest) profile_work(tensor, queue);
  }
  for (int i = 0; i < deepest; i++) OK(netcl_region_pop());
  FAILS(NETCL_ERROR_NOT_FOUND, netcl_region_pop());
  OK(netcl_queue_finish(queue, LONG_WAIT));
  for (size_t i = 0; i < COUNT_OF(kFormats); i++) {
    char* report = profile_report(kFormats[i]);
    CHECK(strstr(report, "level30.") != NULL && strstr(report, "level31.") == NULL,
          "the thirtieth is the last, in\n%s", report);
    if (kFormats[i] == NETCL_FORMAT_JSON) {
      /* From the outside inwards: all three commands, ... and the two of the thirtieth. */
      CHECK(strstr(report, "\"commands\": 3,") < strstr(report, "\"name\": \"level2.\"") &&
                strstr(report, "\"commands\": 2,") > strstr(report, "\"name\": \"level30.\""),
            "commands in\n%s", report);
      CHECK(strstr(strstr(report, "level30."), "\"commands_self\": 2,") != NULL,
            "commands of the thirtieth in\n%s", report);
    }
    free(report);
  }
  OK(netcl_profile_stop(LONG_WAIT));
  OK(netcl_profile_reset());
  netcl_tensor_release(tensor);
  netcl_queue_release(queue);
}

/* text, then `count` times `part`, then `end`. */
static char* repeated(const char* text, const char* part, size_t count, const char* end) {
  char* all = malloc(strlen(text) + count * strlen(part) + strlen(end) + 1);
  char* at = all + sprintf(all, "%s", text);
  for (size_t i = 0; i < count; i++) at += sprintf(at, "%s", part);
  sprintf(at, "%s", end);
  return all;
}

/* How many of X = 1 ... 8 a constraint keeps. */
static uint64_t kept_by(char* constraint) {
  static const int64_t kValues[] = {1, 2, 3, 4, 5, 6, 7, 8};
  netcl_space* space = NULL;
  uint64_t count = 99;
  OK(netcl_space_create(&space));
  OK(netcl_space_add_ints(space, "X", kValues, COUNT_OF(kValues)));
  OK(netcl_space_add_constraint(space, constraint));
  OK(netcl_space_get_count(space, NULL, &count));
  netcl_space_release(space);
  free(constraint);
  return count;
}

static void long_formulas(void** state) {
  (void)state;
  assert_true(kept_by(repeated("X", "+1", 4000, "==4003")) == 1);
  assert_true(kept_by(repeated("X", "*1", 4000, ">6")) == 2);
  assert_true(kept_by(repeated("9-X", "-0", 4000, ">=8")) == 1);
  assert_true(kept_by(repeated("X>3", " and X<7", 1000, "")) == 3);
  assert_true(kept_by(repeated("X<3", " or X>7", 1000, "")) == 3);
  assert_true(kept_by(repeated("X in [1]", "+[2]", 2000, "")) == 2);
}

static void deep_formulas(void** state) {
  (void)state;
  static const struct {
    const char* part;
    size_t fits; /* so often it is taken */
  } kCases[] = {{"(", 18}, {"not ", 50},         {"- ", 50},  {"abs(", 18},          {"[", 18},
                {"1**", 40}, {"1 if X else ", 50}, {"[X, X+", 15}, {"X<(1+1*-(not ", 6}};
  for (size_t i = 0; i < COUNT_OF(kCases); i++) {
    netcl_space* space = NULL;
    OK(netcl_space_create(&space));
    char* deep = repeated("", kCases[i].part, 8000 / strlen(kCases[i].part), "X");
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "nested too deeply",
               netcl_space_add_constraint(space, deep));
    free(deep);
    /* Not closed, it is refused for that alone. */
    deep = repeated("", kCases[i].part, kCases[i].fits, "");
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "expected an operand",
               netcl_space_add_constraint(space, deep));
    free(deep);
    netcl_space_release(space);
  }
  assert_true(kept_by(repeated("", "X<1 if X<1 else ", 50, "X>5")) == 3);
  assert_true(kept_by(repeated("", "not ", 50, "X>5")) == 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(regions),
      cmocka_unit_test(long_formulas),
      cmocka_unit_test(deep_formulas),
  };
  return cmocka_run_group_tests_name("depth", tests, NULL, NULL);
}
