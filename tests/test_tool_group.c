/* netcl bench group: collectives between processes, timed from the shell. */
#include "support_tool.h"

#include <stdio.h>

static void all_collectives(void** state) {
  (void)state;
  /* The lengths of messages are no matter of memory or of threads. */
  RUNS(0, "bench group %s --ranks 3 --device %s --time 0.01 --json",
       only_sanitized() ? "barrier all_reduce:48 reduce:65532 broadcast:65536 all_gather:12288 "
                          "reduce_scatter:48 all_to_all:12288 gather:48 scatter:48 send:64"
                        : "",
       test_selector());
  tool_check_json(
      "j['ranks'] == 3 and j['device'] and "
      "{r['collective'] for r in j['rows']} == {'barrier', 'all_reduce', 'reduce', 'broadcast', "
      "'all_gather', 'reduce_scatter', 'all_to_all', 'gather', 'scatter', 'send'}");
  tool_check_json(
      "all(0 < r['min_ns'] <= r['median_ns'] <= r['max_ns'] and r['bytes'] % 4 == 0 and "
      "(r['bytes'] > 0) == (r['collective'] != 'barrier') for r in j['rows'])");
  /* Each rank gives two thirds of a sum to others, and gets as much. */
  tool_check_json(
      "all(abs(r['bus_gb_per_s'] / r['gb_per_s'] - 4 / 3) < 1e-6 and "
      "abs(r['gb_per_s'] / (r['bytes'] / r['median_ns']) - 1) < 1e-6 "
      "for r in j['rows'] if r['collective'] == 'all_reduce')");
}

static void some_collectives(void** state) {
  (void)state;
  RUNS(0, "bench group all_gather:4096 barrier --share --device builtin --device %s --time 0.001",
       test_selector());
  SAYS("2 ranks, rank 0 on ");
  SAYS("all_gather              4096");
  SAYS("barrier                    0");
  CHECK(strstr(tool_output, "all_reduce") == NULL, "what nobody asked for in\n%s", tool_output);
}

/* Ranks that are started one by one. */
static void ranks_apart(void** state) {
  (void)state;
  char path[256];
  snprintf(path, sizeof path, "%s", tool_path("meet"));
  RUNS(0,
       "bench group --path '%s' --rank 1 --size 2 --device %s --time 0.001 send:64 & p=$!; "
       "'%s' bench group --path '%s' --rank 0 --size 2 --device %s --time 0.001 send:64; s=$?; "
       "wait $p && exit $s",
       path, test_selector(), NETCL_TOOL_FILE, path, test_selector());
  SAYS("send                      64");
}

static void a_rank_that_does_not_come(void** state) {
  (void)state;
  RUNS(1, "bench group --path '%s' --rank 0 --size 2 --device builtin --timeout 0.2 barrier",
       tool_path("alone"));
  SAYS("TIMEOUT");
  RUNS(1, "bench group --ranks 2 --device builtin --device nothing-like-it --timeout 1 barrier");
  SAYS("rank 1: nothing-like-it");
}

static void bad_arguments(void** state) {
  (void)state;
  static const struct {
    const char *arguments, *says;
  } kCases[] = {
      {"swap:4", "there is no collective"},
      {"barrier:4", "a barrier has no bytes"},
      {"all_reduce", "a multiple of 4 bytes"},
      {"all_reduce:", "a multiple of 4 bytes"},
      {"all_reduce:0", "a multiple of 4 bytes"},
      {"all_reduce:-4", "a multiple of 4 bytes"},
      {"all_reduce:4x", "a multiple of 4 bytes"},
      {"all_reduce:6", "a multiple of 4 bytes"},
      {"all_gather:4", "a multiple of 8 bytes"},
      {"all_reduce:99999999999999999999", "a multiple of 4 bytes"},
      {"--ranks 0", "--ranks"},
      {"--ranks 1 send:4", "there is no second rank for"},
      {"--ranks 65", "--ranks"},
      {"--ranks 2 --rank 1", "without --path there is no use for \"--rank\""},
      {"--path /tmp/x --ranks 2", "with --path there is no use for \"--ranks\""},
      {"--path /tmp/x --rank 2 --size 2", "--rank"},
      {"--dtype f16", "--dtype"},
  };
  for (size_t i = 0; i < COUNT_OF(kCases); ++i) {
    RUNS(2, "bench group %s", kCases[i].arguments);
    SAYS(kCases[i].says);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(all_collectives),
      DEVICE_TEST(some_collectives),
      DEVICE_TEST(ranks_apart),
      DEVICE_TEST(bad_arguments),
      DEVICE_TEST(a_rank_that_does_not_come),
  };
  return cmocka_run_group_tests_name("tool_group", tests, tool_make_folder, tool_remove_folder);
}
