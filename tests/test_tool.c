/* The netcl command: what it prints, what it writes, how it fails. */
#include <stdio.h>
#include <unistd.h>

#include "support_process.h"
#include "support_tool.h"

static const char* device(void) { return test_selector(); }

/* ---- */

static void help_and_errors(void** state) {
  (void)state;
  static const char* const commands[] = {"info",   "selftest", "bench", "tune", "roofline",
                                         "report", "cache",    "trace", "soak",
                                         "run",    "model",    "man",   "completion"};
  RUNS(0, "--help");
  for (size_t i = 0; i < COUNT_OF(commands); i++) SAYS(commands[i]);
  for (size_t i = 0; i < COUNT_OF(commands); i++) {
    RUNS(0, "%s --help", commands[i]);
    SAYS("usage: netcl ");
    RUNS(2, "%s --nonsense", commands[i]);
    SAYS("--nonsense");
  }
  RUNS(0, "bench --help");
  SAYS("matmul      m x n x k");
  RUNS(2, "bench nonsense");
  SAYS("there is no op \"nonsense\"");
  RUNS(2, "bench matmul:12x");
  SAYS("matmul:12x");
  RUNS(2, "bench matmul:1x2x3x4");
  SAYS("matmul takes 3 sizes (m x n x k)");
  RUNS(2, "bench add:0");
  RUNS(2, "bench add:99999999999");
  SAYS("numbers from 1 to 4294967296");
  RUNS(2, "bench --time soon add:10");
  SAYS("soon");
  RUNS(2, "bench --time 0,5 add:10");
  SAYS("not possible; decimal numbers are written with a point, as in 1.5: \"0,5\"");
  RUNS(2, "bench --time 1 --time 2 add:10");
  SAYS("given more than once: \"--time\"");
  RUNS(2, "selftest --seed 1 --seed 2");
  SAYS("given more than once: \"--seed\"");
  RUNS(2, "info --json --json");
  SAYS("given more than once: \"--json\"");
  RUNS(2, "selftest --seed -1");
  SAYS("not possible");
  RUNS(2, "soak --threads 1.5");
  SAYS("no whole number");
  RUNS(2, "bench --time");
  SAYS("--time");
  RUNS(2, "bench --dtype i32 add:10");
  SAYS("i32");
  RUNS(2, "roofline --kernel k");
  RUNS(2, "cache burn");
  SAYS("burn");
  RUNS(2, "cache size --ceilings");
  RUNS(2, "report");
  SAYS("FILE");
  RUNS(2, "trace");
  RUNS(2, "man nonsense");
  SAYS("there is no command \"nonsense\"");
  RUNS(2, "man bench tune");
  RUNS(1, "man --folder /nonexistent");
  SAYS("/nonexistent/netcl.1");
  RUNS(2, "completion");
  RUNS(2, "completion csh");
  SAYS("the shells are bash, zsh and fish, unlike \"csh\"");
  RUNS(1, "bench --device nonsense add:10");
  SAYS("nonsense");
  RUNS(1, "roofline --ncu /nonexistent/file.csv");
  SAYS("/nonexistent/file.csv");
  RUNS(1, "roofline --no-bench --ceilings /nonexistent/file.json");
  RUNS(1, "report /nonexistent/folder/page.html --device %s --time 0.001 --budget 0.01 add:64",
       device());
  SAYS("/nonexistent/folder/page.html");
}

/* A limit on the size of files is an error, and no half of a file is left. */
static void files_that_may_not_grow(void** state) {
  (void)state;
  for (int before = 0; before < 2; ++before) {
    if (before) tool_write("limited.html", "what was there");
    const int code = tool_run("sh", "-c 'ulimit -f 4; exec \"$0\" \"$@\"' '" NETCL_TOOL_FILE
                              "' report %s --device builtin --time 0.001 --budget 0.01 add:64",
                              tool_path("limited.html"));
    CHECK(code == 1, "exit code %d:\n%s", code, tool_output);
    SAYS("limited.html cannot be written");
    assert_int_equal(access(tool_path("limited.html"), F_OK), before - 1);
    assert_int_equal(access(tool_path("limited.html.part"), F_OK), -1);
    if (!before) continue;
    tool_read("limited.html");
    assert_string_equal(tool_output, "what was there");
    assert_int_equal(remove(tool_path("limited.html")), 0);
  }
}

/* Each device is listed with every selector that it answers to. */
static void info(void** state) {
  (void)state;
  RUNS(0, "info");
  SAYS(", cpu");
  SAYS(", auto");
  SAYS(", builtin");
}

static void bench(void** state) {
  (void)state;
  RUNS(0, "bench --device %s --time 0.002 --no-roof --json add:1000 matmul:16 softmax:8x32",
       device());
  tool_check_json("[r['op'] for r in j['rows']] == ['add', 'matmul', 'softmax']");
  tool_check_json("all(r['median_ns'] > 0 and r['samples'] > 0 for r in j['rows'])");
  tool_check_json("j['rows'][0]['bytes'] == 12000 and j['rows'][1]['operations'] == 8192");
  tool_check_json("j['rows'][1]['size'] == '16x16x16' and 'roof_pct' not in j['rows'][1]");
  RUNS(0, "bench --device=%s --time=0.002 --no-roof add:1000", device());
  SAYS("GB/s");
  RUNS(0, "bench --device %s --time 0.002 --dtype f16 --no-roof add:64", device());
  SAYS("f16");
  /* Every op of the table runs. */
  RUNS(0,
       "bench --device %s --time 0.001 --no-roof --json copy:64 add:64 fused:64 gelu:64 "
       "transpose:8 sum:64 sum_rows:8 scan:64 histogram:64 topk:4x16x2 softmax:8 layernorm:8 "
       "rmsnorm:8 batchnorm:2x3x4x4 pool:1x2x4x4 resize:1x1x4x4 conv2d:1x2x6x6x3 matmul:8",
       device());
  tool_check_json("len(j['rows']) == 18 and not any('problem' in r for r in j['rows'])");
}

static void roofline(void** state) {
  (void)state;
  RUNS(0, "roofline --device %s --budget 0.05 --time 0.002 --json --save '%s' add:4096 matmul:64",
       device(), tool_path("ceilings.json"));
  tool_check_json(
      "{'memory_read', 'cache_read', 'compute', 'launch', 'device_to_host_pinned'} <= "
      "{c['kind'] for c in j['ceilings']}");
  tool_check_json("all(c['value'] > 0 for c in j['ceilings'])");
  tool_check_json("all(r['roof_pct'] > 0 and r['ceiling'] for r in j['kernels'])");
  RUNS(0, "roofline --no-bench --device %s --ceilings '%s'", device(), tool_path("ceilings.json"));
  SAYS("memory_copy");
  SAYS("compute f32");
  SAYS("tensor"); /* its figures, or that there are none */
  tool_write("ncu.csv",
             "\"ID\",\"Kernel Name\",\"sm__throughput.avg.pct_of_peak_sustained_elapsed\","
             "\"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed\"\n"
             "\"0\",\"k\",\"50\",\"95\"\n");
  RUNS(0, "roofline --json --ncu '%s'", tool_path("ncu.csv"));
  tool_check_json("j['efficiency_pct'] == 95 and j['source'] == 'ncu'");
  RUNS(1, "roofline --ncu '%s' --kernel other", tool_path("ncu.csv"));
  /* Of several launches it says which one it shows. */
  tool_write("ncu.csv",
             "\"ID\",\"Kernel Name\",\"gpu__time_duration.sum\","
             "\"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed\"\n"
             "\"\",\"\",\"ns\",\"%\"\n"
             "\"0\",\"k\",\"50\",\"90\"\n\"1\",\"k\",\"30\",\"80\"\n\"2\",\"k\",\"40\",\"70\"\n");
  RUNS(0, "roofline --ncu '%s'", tool_path("ncu.csv"));
  SAYS("Kernel: k, launch 3 of 3");
  RUNS(0, "roofline --ncu '%s' --launch longest --json", tool_path("ncu.csv"));
  tool_check_json("(j['kernel'], j['launch'], j['launches'], j['memory_sol_pct']) == "
                  "('k', 0, 3, 90)");
  /* Rows shorter than the header, the DRAM alone, and a warning of the profiler. */
  tool_write("ncu.csv",
             "==WARNING== Found outstanding GPU clock reset\n"
             "\"ID\",\"Process ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\","
             "\"Metric Value\",\"Rule Name\",\"Rule Type\",\"Rule Description\"\n"
             "\"0\",\"1\",\"k\",\"DRAM Throughput\",\"%\",\"91.00\",\n"
             "\"0\",\"1\",\"k\",\"Compute (SM) Throughput\",\"%\",\"12.00\",\n"
             "\"0\",\"1\",\"k\",\"\",\"\",\"\",\"SOLBottleneck\",\"OPT\",\"Do better.\"\n");
  RUNS(0, "roofline --json --ncu '%s'", tool_path("ncu.csv"));
  tool_check_json("j['efficiency_pct'] == 91 and j['bottleneck'] == 'memory'");
  tool_check_json("len(j['warnings']) == 2 and 'DRAM' in j['warnings'][0] and 'clock reset' in "
                  "j['warnings'][1]");
  /* An analysis that fails, and a report that cannot be trusted, are no success. */
  tool_write("ncu.csv",
             "\"ID\",\"Kernel Name\",\"launch__registers_per_thread\"\n\"0\",\"k\",\"32\"\n");
  RUNS(1, "roofline --ncu '%s'", tool_path("ncu.csv"));
  SAYS("Bottleneck:  unknown");
  SAYS("Analysis failed - no SOL metrics in NCU data");
  tool_write("ncu.csv",
             "\"ID\",\"Kernel Name\",\"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_"
             "elapsed\",\"gpu__time_duration.sum\"\n\"\",\"\",\"%\",\"ns\"\n"
             "\"0\",\"k\",\"61,84\",\"117.344\"\n");
  RUNS(1, "roofline --ncu '%s'", tool_path("ncu.csv"));
  SAYS("\"117.344\", which can be 117.344 or 117344");
}

static void report(void** state) {
  (void)state;
  RUNS(0, "report '%s' --device %s --budget 0.05 --time 0.002 add:4096 matmul:64 transpose:16",
       tool_path("page.html"), device());
  tool_read("page.html");
  static const char* const parts[] = {"<!DOCTYPE html>", "<svg",    "Roofline",    "64x64x64",
                                      "transpose",       "</html>", "memory_copy", "compute units"};
  for (size_t i = 0; i < COUNT_OF(parts); i++) SAYS(parts[i]);
  /* It needs nothing from outside. */
  static const char* const outside[] = {"http:",   "https:",  "src=", "<link",
                                        "<script", "@import", "url("};
  for (size_t i = 0; i < COUNT_OF(outside); i++) {
    CHECK(strstr(tool_output, outside[i]) == NULL, "the page has %s", outside[i]);
  }
  RUNS(0, "roofline --html '%s' --device %s --budget 0.05 --time 0.002 add:4096",
       tool_path("page2.html"), device());
  assert_int_equal(access(tool_path("page2.html"), R_OK), 0);
}

static void trace(void** state) {
  (void)state;
  RUNS(0, "trace '%s' --device %s --time 0.002 add:4096", tool_path("trace.json"), device());
  SAYS("trace.json");
  tool_read("trace.json");
  tool_check_json("any(e.get('name') == 'add' for e in j)");
  RUNS(0, "trace '%s' --device %s --time 0.002 --json add:4096", tool_path("trace.json"), device());
  tool_check_json("j['file'].endswith('trace.json') and j['bytes'] > 100 and j['regions'] > 1");
  tool_check_json("j['rows'][0]['op'] == 'add' and j['rows'][0]['median_ns'] > 0");
}

static void cache(void** state) {
  Fixture* const fixture = *state;
  char own[1024], command[2048];
  snprintf(own, sizeof own, "%s", tool_path("cache"));
  setenv("NETCL_CACHE_DIR", own, 1);
  setenv("NETCL_DEVICE_CLASS", "gpu", 1); /* CPUs would compile nothing */
  RUNS(0, "bench --device %s --time 0.001 --no-roof add:64", device());
  unsetenv("NETCL_DEVICE_CLASS");
  RUNS(0, "cache --json");
  const int programs = fixture->opencl;
  tool_check_json(programs ? "j['programs_count'] > 0 and j['programs_bytes'] > 0"
                           : "j['programs_count'] == 0");
  RUNS(0, "cache list --json");
  tool_check_json("all(p['sound'] and p['kernels'] for p in j['programs'])");
  RUNS(0, "cache verify");
  RUNS(0, "roofline --no-bench --device %s --budget 0.01", device());
  RUNS(0, "cache --json");
  tool_check_json("j['ceilings_count'] == 1 and j['ceilings_bytes'] > 100");
  if (programs) {
    snprintf(command, sizeof command,
             "for f in '%s'/????????*; do [ ! -f $f ] || echo x >>$f; done", own);
    assert_int_equal(system(command), 0);
    RUNS(1, "cache verify");
    SAYS("damaged");
  }
  RUNS(0, "cache clear");
  RUNS(0, "cache --json");
  tool_check_json("j['programs_count'] == 0 and j['ceilings_count'] == 1");
  RUNS(0, "cache clear --ceilings --json");
  tool_check_json("j['programs_count'] == 0 and j['ceilings_count'] == 0");
  tool_check_json("j['tuning_records'] == 0 and j['tuning_damaged'] == 0");
  RUNS(2, "cache list --tuning");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(help_and_errors), cmocka_unit_test(bench), cmocka_unit_test(roofline),
      cmocka_unit_test(report),          cmocka_unit_test(trace), DEVICE_TEST(cache),
      cmocka_unit_test(info), cmocka_unit_test(files_that_may_not_grow),
  };
  return cmocka_run_group_tests_name("tool", tests, tool_make_folder, tool_remove_folder);
}
