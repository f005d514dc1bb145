/* netcl bench: runs that are kept, and what compares with them; ops that fail. */
#include <stdio.h>
#include <unistd.h>

#include "support_tool.h"

static const char* device(void) { return test_selector(); }

/* A saved run whose times are `factor` times those of the last one, with intervals of 1 %. */
static void scale_run(const char* from, const char* to, double factor) {
  char command[4096];
  snprintf(command, sizeof command,
           "python3 -c \"import json\nj = json.load(open('%s'))\n"
           "for r in j['rows']:\n r['median_ns'] *= %g\n"
           " r['interval_low_ns'] = r['median_ns'] * 0.995\n"
           " r['interval_high_ns'] = r['median_ns'] * 1.005\n"
           "json.dump(j, open('%s', 'w'))\"",
           tool_path(from), factor, tool_path(to));
  assert_int_equal(system(command), 0);
}

static void a_run_compares_with_a_saved_one(void** state) {
  (void)state;
  RUNS(0, "bench --device %s --time 0.002 --no-roof --save '%s' add:4096 matmul:16", device(),
       tool_path("run.json"));
  tool_read("run.json");
  tool_check_json("[r['op'] for r in j['rows']] == ['add', 'matmul'] and not j['cold_cache']");
  tool_check_json("j['rows'][1]['variant'].startswith('matmul_')");
  tool_check_json("j['rows'][1]['variant_reason']");
  /* Without ops those of the file are run. A hundred times faster or slower is beyond any noise. */
  scale_run("run.json", "fast.json", 0.01);
  RUNS(3, "bench --device %s --time 0.002 --no-roof --json --compare '%s'", device(),
       tool_path("fast.json"));
  tool_check_json("[r['op'] for r in j['rows']] == ['add', 'matmul']");
  tool_check_json("[c['verdict'] for c in j['compared']] == ['slower', 'slower']");
  tool_check_json(
      "all(abs(c['ratio'] - c['now_ns'] / c['before_ns']) < 1e-6 * c['ratio'] and "
      "c['ratio'] > 5 for c in j['compared'])");
  scale_run("run.json", "slow.json", 100);
  RUNS(0, "bench --device %s --time 0.002 --no-roof --compare '%s'", device(),
       tool_path("slow.json"));
  SAYS("faster");
  SAYS("beyond noise is more than 5 %");
  /* What is apart, but by less than the noise that is allowed, is the same. */
  RUNS(0, "bench --device %s --time 0.002 --no-roof --json --noise 1000 --compare '%s' add:4096",
       device(), tool_path("slow.json"));
  tool_check_json("[c['verdict'] for c in j['compared']] == ['same']");
  /* Ops that only one of the two has. */
  RUNS(0, "bench --device %s --time 0.002 --no-roof --json --compare '%s' copy:64 add:4096",
       device(), tool_path("slow.json"));
  tool_check_json("[c['verdict'] for c in j['compared']] == ['new', 'faster']");
  tool_check_json("j['compared'][0]['ratio'] is None and j['compared'][0]['before_ns'] is None");
  RUNS(1, "bench --device %s --time 0.002 --no-roof --compare '%s' copy:64", device(),
       tool_path("slow.json"));
  SAYS("no op has a time both now and in ");
}

static void a_run_is_replaced_by_the_next(void** state) {
  (void)state;
  RUNS(0, "bench --device %s --time 0.002 --no-roof --save '%s' add:64", device(),
       tool_path("next.json"));
  scale_run("next.json", "next.json", 100);
  RUNS(0, "bench --device %s --time 0.002 --no-roof --compare '%s' --save '%s' add:64", device(),
       tool_path("next.json"), tool_path("next.json"));
  SAYS("faster");
  tool_read("next.json");
  tool_check_json("j['rows'][0]['median_ns'] < 1e9 and 'compared' not in j");
}

static void what_is_no_saved_run(void** state) {
  (void)state;
  static const struct {
    const char* text;
    const char* says;
  } kCases[] = {
      {"", "is no JSON"},
      {"{\"device\": \"d\"", "is no JSON"},
      {"[]", "is no saved run: \"device\" is missing"},
      {"{\"device\": 1}", "is no saved run: \"device\" is no text"},
      {"{\"device\": \"d\", \"cold_cache\": false}", "is no saved run: \"rows\" is missing"},
      {"{\"device\": \"d\", \"cold_cache\": false, \"rows\": [{}]}",
       "is no saved run: \"op\" is missing"},
      {"{\"device\": \"d\", \"cold_cache\": false, \"rows\": [{\"op\": \"nonsense\", "
       "\"size\": \"1\", \"dtype\": \"f32\"}]}",
       "is no saved run: there is no op \"nonsense\""},
      {"{\"device\": \"d\", \"cold_cache\": false, \"rows\": [{\"op\": \"add\", \"size\": \"1\", "
       "\"dtype\": \"f32\", \"median_ns\": 5, \"interval_low_ns\": 6, \"interval_high_ns\": 7}]}",
       "the median of add:1 is no time inside its interval"},
      {"{\"device\": \"d\", \"cold_cache\": true, \"rows\": []}", "was measured with --cold"},
  };
  for (size_t i = 0; i < COUNT_OF(kCases); i++) {
    tool_write("bad.json", kCases[i].text);
    RUNS(1, "bench --device %s --no-roof --compare '%s'", device(), tool_path("bad.json"));
    SAYS(kCases[i].says);
  }
  char deep[256] = "";
  for (int i = 0; i < 101; i++) strcat(deep, "[");
  tool_write("bad.json", deep);
  RUNS(1, "bench --device %s --no-roof --compare '%s'", device(), tool_path("bad.json"));
  SAYS("more than 100 deep");
  RUNS(1, "bench --no-roof --compare /nonexistent/run.json");
  SAYS("/nonexistent/run.json");
  RUNS(1, "bench --no-roof --device %s --save /nonexistent/run.json add:64", device());
  SAYS("/nonexistent/run.json");
  RUNS(2, "bench --noise 3 add:64");
  SAYS("without --compare there is no use for \"--noise\"");
  tool_write("none.json", "{\"device\": \"d\", \"cold_cache\": false, \"rows\": []}");
  RUNS(2, "bench --dtype f16 --compare '%s'", tool_path("none.json"));
  SAYS("with the ops of --compare there is no use for \"--dtype\"");
}

/* An op that cannot be run makes no command a success, whatever else it did. */
static void failed_ops_show_in_the_exit_status(void** state) {
  (void)state;
  static const char kHuge[] = "matmul:4294967296";
  RUNS(1, "bench --device %s --no-roof --time 0.002 add:64 %s", device(), kHuge);
  SAYS("INVALID_ARGUMENT");
  RUNS(1, "roofline --device %s --budget 0.01 --time 0.002 add:64 %s", device(), kHuge);
  SAYS("INVALID_ARGUMENT");
  RUNS(1, "report '%s' --device %s --budget 0.01 --time 0.002 add:64 %s", tool_path("page.html"),
       device(), kHuge);
  assert_int_equal(access(tool_path("page.html"), R_OK), 0);
  RUNS(1, "tune --device %s --budget 1 --quiet --in-process %s", device(), kHuge);
  SAYS("INVALID_ARGUMENT");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_run_compares_with_a_saved_one),
      cmocka_unit_test(a_run_is_replaced_by_the_next),
      cmocka_unit_test(what_is_no_saved_run),
      cmocka_unit_test(failed_ops_show_in_the_exit_status),
  };
  return cmocka_run_group_tests_name("tool_bench", tests, tool_make_folder, tool_remove_folder);
}
