/* The netcl command takes nothing that it does not use, and says which file is faulty. */
#include "support_tool.h"

#include <stdio.h>
#include <stdlib.h>

static const char kRecording[] =
    "{\"tune_params_keys\": [\"A\"], \"cache\": {\"1\": 3.0, \"2\": 1.5}}";

static void what_has_no_use(void** state) {
  (void)state;
  tool_write("times.json", kRecording);
  tool_write("scale.cl", "");
  static const struct {
    const char *arguments, *says;
  } cases[] = {
      {"--version now", "there is no use for \"now\""},
      {"version now", "there is no use for \"now\""},
      {"--help tune now", "there is no use for \"now\""},
      {"tune --replay times.json other.json", "with --replay there is no use for \"other.json\""},
      {"tune --replay times.json --list", "with --replay there is no use for \"--list\""},
      {"tune --replay times.json --device cpu", "with --replay there is no use for \"--device\""},
      {"tune --list --force", "with --list there is no use for \"--force\""},
      {"tune --list --seeds 3", "with --list there is no use for \"--seeds\""},
      {"tune --export x.csv matmul", "with --export there is no use for \"matmul\""},
      {"tune --export x.csv --kernel k", "with --export there is no use for \"--kernel\""},
      {"tune --export x.csv --json", "without --list there is no use for \"--json\""},
      {"tune matmul:16 --seeds 3", "without --replay there is no use for \"--seeds\""},
      {"tune matmul:16 --filter 3", "without conv2d there is no use for \"--filter\""},
      {"tune matmul:16 --round-up", "without a .cl file there is no use for \"--round-up\""},
      {"tune scale.cl --kernel k --global 1 --dtype f64",
       "without an op there is no use for \"--dtype\""},
      {"bench --no-roof --remeasure", "with --no-roof there is no use for \"--remeasure\""},
      {"bench --no-roof --ceilings c", "with --no-roof there is no use for \"--ceilings\""},
      {"bench --ceilings c --remeasure add:64", "with --ceilings there is no use for"},
      {"roofline --ncu x.csv --launch best",
       "--launch is median, first, last or longest, not \"best\""},
      {"roofline --launch last", "--ncu is missing beside \"--launch\""},
      {"roofline --ncu x.csv add", "with --ncu there is no use for \"add\""},
      {"roofline --ncu x.csv --html y", "with --ncu there is no use for \"--html\""},
      {"roofline --no-bench add:64", "with --no-bench there is no use for \"add:64\""},
      {"roofline --no-bench --cold", "with --no-bench there is no use for \"--cold\""},
      {"roofline --html page.html --json", "with --html there is no use for \"--json\""},
      {"roofline --html page.html --save c", "with --html there is no use for \"--save\""},
      {"info now", "now"},
      {"selftest now", "now"},
      {"cache list now", "now"},
  };
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    RUNS(2, "%s", cases[i].arguments);
    CHECK(strstr(tool_output, cases[i].says) != NULL, "%s: no \"%s\" in\n%s", cases[i].arguments,
          cases[i].says, tool_output);
  }
}

static void faulty_files(void** state) {
  (void)state;
  setenv("NETCL_CACHE_DIR", tool_path("faulty"), 1);
  tool_write("faulty.file", "{\"results\": 3");
  const char* const file = tool_path("faulty.file");
  RUNS(1, "tune --replay '%s'", file);
  SAYS(file);
  SAYS("recording");
  RUNS(1, "roofline --ncu '%s'", file);
  SAYS(file);
  RUNS(1, "roofline --no-bench --device %s --ceilings '%s'", test_selector(), file);
  SAYS(file);
  RUNS(1, "tune --list --database '%s/no/folder'", file);
  SAYS(file);
  tool_write("units.json",
             "{\"metadata\": {\"timeunit\": \"fortnights\"}, \"results\": [{\"configuration\": "
             "{\"A\": 1}, \"times\": {\"runtimes\": [3]}}]}");
  RUNS(1, "tune --replay '%s'", tool_path("units.json"));
  SAYS("units.json");
  SAYS("fortnights");
}

static void replays(void** state) {
  (void)state;
  tool_write("times.json", kRecording);
  RUNS(0, "tune --replay '%s' --seeds 2 --seed 3 --strategy random --evaluations 2 --json",
       tool_path("times.json"));
  tool_check_json("j['optimum_ns'] == 1.5e6 and j['seeds'] == 2");
}

/* A fill is a number that the dtype holds. */
static void fills_beyond_their_dtype(void** state) {
  (void)state;
  tool_write("scale.cl", "__kernel void scale(__global float *x) {}\n");
  static const struct {
    const char *argument, *says;
  } kCases[] = {
      {"in:f32:64:1e300", "a fill is beyond its dtype"},
      {"in:f32:64:0..1e300", "a fill is beyond its dtype"},
      {"in:f16:64:0..70000", "a fill is beyond its dtype"},
      {"in:u8:64:300", "\"300\", which is no number from 0 to 255"},
      {"in:u8:64:0..300", "\"300\", which is no number from 0 to 256"},
      {"in:i8:64:-129", "\"-129\", which is no number from -128 to 127"},
      {"in:i32:64:7.5", "\"7.5\", which is no number"},
      {"in:bool:64:2", "\"2\", which is no number from 0 to 1"},
      {"in:i64:64:9223372036854775807", "which is no number from -9007199254740992"},
      {"u8:256", "\"256\", which is no number from 0 to 255"},
  };
  for (size_t i = 0; i < COUNT_OF(kCases); ++i) {
    RUNS(2, "tune '%s' --kernel scale --global 64 --arg %s", tool_path("scale.cl"),
         kCases[i].argument);
    SAYS(kCases[i].says);
  }
}

/* Ceilings of another device say nothing about this one. */
static void ceilings_of_another_device(void** state) {
  (void)state;
  tool_write("other.json",
             "{\"netcl_ceilings\": 1, \"device\": \"Other\", \"driver\": \"1\", \"time_ns\": 1, "
             "\"spent_ns\": 2, \"rows\": [{\"kind\": \"memory_copy\", \"value\": 1e12, "
             "\"spread\": 0, \"given\": true, \"disproved\": false}]}");
  RUNS(0, "bench --device %s --ceilings '%s' add:4096", test_selector(), tool_path("other.json"));
  SAYS("the ceilings are those of \"Other\"; this is \"");
}

/* Integers without FILL are not all the same, so that what writes zeros is found out. */
static void integers_without_fill(void** state) {
  Fixture* const fixture = *state;
  if (!fixture->opencl) return;
  setenv("NETCL_CACHE_DIR", tool_path("cache"), 1);
  tool_write("sums.cl",
             "#ifndef MODE\n#define MODE 0\n#endif\n"
             "__kernel void sums(__global const int *a, __global int *out, __global int *count) {\n"
             "  const int i = get_global_id(0);\n"
             "  out[i] = MODE == 0 ? a[i] + a[(i + 1) % 1024] + 100 * count[0] : 0;\n"
             "}\n");
  RUNS(0,
       "tune '%s' --kernel sums --global 1024 --arg in:i32:1024 --arg out:i32:1024 --arg in:i32:1 "
       "--param MODE=0,1 --local 64 --device %s --quiet --in-process --json --force",
       tool_path("sums.cl"), test_selector());
  tool_check_json(
      "[c for c in j['entries'][0]['candidates'] if c['config'].get('MODE') == 1][0]['outcome'] "
      "not in ('correct', 'slow')");
  /* One alone begins as 0, the others stay below the root of 1024. */
  tool_check_json(
      "any(c['message'].split('should be ')[1].split(';')[0].isdigit() and "
      "int(c['message'].split('should be ')[1].split(';')[0]) <= 62 "
      "for c in j['entries'][0]['candidates'] if 'should be' in c['message'])");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_has_no_use),
      cmocka_unit_test(faulty_files),
      cmocka_unit_test(replays),
      DEVICE_TEST(integers_without_fill),
      DEVICE_TEST(fills_beyond_their_dtype),
      DEVICE_TEST(ceilings_of_another_device),
  };
  return cmocka_run_group_tests_name("tool_arguments", tests, tool_make_folder, tool_remove_folder);
}
