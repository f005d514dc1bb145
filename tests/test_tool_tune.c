/* netcl tune: ops and kernels of files, what is stored, what is shown, and the map of the report.
 */
#include <stdio.h>
#include <sys/stat.h>

#include "support_process.h"
#include "support_tool.h"

/* MODE 1 is wrong, 2 does not compile, 3 writes where it must not. */
static const char kSource[] =
    "#ifndef MODE\n#define MODE 0\n#endif\n#ifndef WORK\n#define WORK 1\n#endif\n"
    "#if MODE == 2\n#error no such mode\n#endif\n"
    "__kernel void scale(__global const float *a, __global float *out, float f,\n"
    "                    __local float *spare, int n) {\n"
    "  const int i = get_global_id(0);\n"
    "  float x = a[i];\n"
    "  for (int r = 1; r < WORK; ++r) x = min(x, a[i]);\n"
    "  spare[0] = 0;\n"
    "  if (i < n) out[i] = x * f + (MODE == 1 ? 1.0f : 0.0f);\n"
    "  if (MODE == 3) out[i + n] = 1.0f;\n"
    "}\n";

static const char* device(void) { return test_selector(); }

/* Small, and as few samples as there may be. */
#define QUICK "--quiet --samples 3 --budget 300"
#define KERNEL                                                                              \
  "--kernel scale --global 4096 --arg in:f32:4096:-1..1 --arg out:f32:64x64 --arg f32:2.5 " \
  "--arg local:64 --arg i32:4096"

/* A database of its own for each test. */
static void own_cache(const char* name) { setenv("NETCL_CACHE_DIR", tool_path(name), 1); }

static void tunes_ops(void** state) {
  (void)state;
  own_cache("ops");
  RUNS(0, "tune --list");
  SAYS("nothing is tuned yet");
  RUNS(0, "tune --device %s " QUICK " --json matmul:24 reduction:2x3000 matmul:24x24x24", device());
  tool_check_json(
      "[e['name'] for e in j['entries']] == "
      "['matmul 24x24x24 f32', 'reduction 2x3000 f32']");
  tool_check_json(
      "all(e['status'] == 'NETCL_OK' and e['measured'] and e['stored'] and "
      "e['best_ns'] > 0 and 'variant' in e['config'] for e in j['entries'])");
  tool_check_json(
      "all(len(e['candidates']) == e['evaluations'] <= e['configurations'] and "
      "sum(e['counts'].values()) == e['evaluations'] for e in j['entries'])");
  tool_check_json("not j['interrupted'] and j['database'].endswith('tuning-1.jsonl')");
  /* The second time nothing is measured, unless it is asked for. */
  RUNS(0, "tune --device %s " QUICK " matmul:24", device());
  SAYS("known from before");
  RUNS(0,
       "tune --device %s " QUICK
       " --force --json matmul:24 --strategy random --seed 7 "
       "--evaluations 2",
       device());
  tool_check_json("j['entries'][0]['measured'] and j['entries'][0]['evaluations'] <= 2");
  RUNS(0, "tune --list --json");
  tool_check_json("{t['kernel'] for t in j['tuned']} == {'op.matmul', 'op.reduction'}");
  tool_check_json("all(t['best_ns'] > 0 and t['measurements'] > 0 for t in j['tuned'])");
  tool_check_json("all(t['used'] and 'unlike' not in t for t in j['tuned'])");
  RUNS(0, "tune --list --device %s", device());
  SAYS("op.matmul 24x24x24");
  RUNS(0, "tune --export '%s'", tool_path("t4.json"));
  tool_read("t4.json");
  tool_check_json("len(j['results']) > 2 and 'configuration' in j['results'][0]");
  RUNS(0, "tune --list --json --export '%s'", tool_path("listed.json"));
  tool_check_json("len(j['tuned']) > 0");
  tool_read("listed.json");
  tool_check_json("len(j['results']) > 2");
  RUNS(0, "tune --export '%s'", tool_path("all.csv"));
  tool_read("all.csv");
  SAYS("op.reduction");
  RUNS(0, "cache --json");
  tool_check_json("j['tuning_records'] > 3 and j['tuning_bytes'] > 100");
  RUNS(0, "cache clear --tuning");
  RUNS(0, "tune --list --json");
  tool_check_json("j['tuned'] == []");
}

/* What was tuned on a device that is not here is marked. */
static void marks_what_is_not_used(void** state) {
  (void)state;
  tool_write("other.jsonl",
             "{\"v\":1,\"t\":\"best\",\"kernel\":\"gemm\",\"src\":\"0123\",\"flags\":\"\","
             "\"dtypes\":\"f32\",\"layout\":\"\",\"shape\":[64],\"part\":\"NVIDIA Corporation|"
             "NVIDIA H200|132|140GiB\",\"driver\":\"driver 1\",\"cfg\":{\"TILE\":1},\"st\":"
             "\"correct\",\"ns\":{\"n\":0,\"med\":1000.0,\"lo\":990.0,\"hi\":1010.0,\"default\":"
             "2000.0,\"samples\":[]},\"why\":\"\",\"ts\":1700000001,\"crc\":"
             "\"2052615470f1708055b034ac52df3a5c\"}\n");
  chmod(tool_path("other.jsonl"), 0600);
  RUNS(0, "tune --list --device builtin --database '%s'", tool_path("other.jsonl"));
  SAYS("not used: tuned on NVIDIA Corporation|NVIDIA H200|132");
  RUNS(0, "tune --list --device builtin --json --database '%s'", tool_path("other.jsonl"));
  tool_check_json("not j['tuned'][0]['used']");
}

/* What a merged file has for names is no command to a terminal. */
static void lists_no_control_characters(void** state) {
  (void)state;
  netcl_tuning_database* database = NULL;
  netcl_tuning_key key = NETCL_TUNING_KEY_INIT;
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  netcl_config* config = NULL;
  key.kernel = "red\x1b[31m\nnext\t\x7f";
  key.part = "a|b|1";
  key.driver = "d";
  record.kind = NETCL_TUNING_RECORD_BEST;
  OK(netcl_config_create_from_json("{\"TEXT\": \"\\u001bc\"}", 19, &config));
  OK(netcl_tuning_database_open(tool_path("escapes.jsonl"), &database));
  OK(netcl_tuning_database_put(database, NULL, &key, config, &record));
  netcl_tuning_database_release(database);
  netcl_config_release(config);
  RUNS(0, "tune --list --device builtin --database '%s'", tool_path("escapes.jsonl"));
  SAYS("red\\x1b[31m\\x0anext\\x09\\x7f");
  SAYS("TEXT=\\u001bc");
  assert_null(strchr(tool_output, '\x1b'));
}

static void shows_progress(void** state) {
  (void)state;
  own_cache("progress");
  RUNS(0, "tune --device %s --samples 3 --json matmul:16 2>'%s'", device(),
       tool_path("progress.txt"));
  tool_check_json("j['entries'][0]['best_ns'] > 0"); /* nothing but JSON on stdout */
  tool_read("progress.txt");
  SAYS("matmul 16x16x16 f32");
  SAYS("100%");
  SAYS("tried");
  CHECK(strchr(tool_output, '\r') == NULL, "a line is drawn again in a file:\n%s", tool_output);
}

static void tunes_a_kernel(void** state) {
  Fixture* const fixture = *state;
  own_cache("kernel");
  tool_write("scale.cl", kSource);
  if (!fixture->opencl) {
    RUNS(1, "tune '%s' --device %s " KERNEL " --param WORK=1,2", tool_path("scale.cl"), device());
    SAYS("OpenCL");
    return;
  }
  /* The driver's compiler prints to stderr. */
  RUNS(0,
       "tune '%s' --device %s " KERNEL " " QUICK
       " --json --in-process --local 1,16 "
       "--param MODE=0,1,2,3 --constraint 'MODE < 3 or LOCAL_X == 16' 2>/dev/null",
       tool_path("scale.cl"), device());
  tool_check_json("j['entries'][0]['name'] == 'scale 4096'");
  tool_check_json("set(j['entries'][0]['config']) <= {'LOCAL_X', 'MODE'}");
  tool_check_json("j['entries'][0]['config'].get('MODE', 0) == 0");
  tool_check_json("j['entries'][0]['counts'].keys() >= {'wrong', 'compile', 'guard'}");
  tool_check_json(
      "all(c['message'] and c['median_ns'] is None "
      "for c in j['entries'][0]['candidates'] if c['outcome'] in ('wrong', 'compile'))");
  RUNS(0, "report '%s' --device %s --budget 0.05 --time 0.002 add:4096", tool_path("page.html"),
       device());
  tool_read("page.html");
  SAYS("class=\"heat\"");
  SAYS("scale 4096");
  SAYS("no such mode"); /* why a cell has failed */
  SAYS("class=\"stripe\"");
  /* In the worker, with the space from a file. */
  tool_write("space.json",
             "{\"ConfigurationSpace\": {\"TuningParameters\": [{\"Name\": \"WORK\", \"Type\": "
             "\"int\", \"Values\": \"[1, 2, 3]\"}], \"Conditions\": [{\"Parameters\": [\"WORK\"], "
             "\"Expression\": \"WORK != 2\"}]}}");
  RUNS(0, "tune '%s' --device %s " KERNEL " " QUICK " --force --json --local 16 --space '%s'",
       tool_path("scale.cl"), device(), tool_path("space.json"));
  tool_check_json(
      "{c['config'].get('WORK') for c in j['entries'][0]['candidates']} == {None, 1, 3}");
}

/* Only with WPT 4 it is fast. */
static const char kWorkPerItem[] =
    "#ifndef WPT\n#define WPT 1\n#endif\n"
    "__kernel void k(__global const float *a, __global float *out, int n) {\n"
    "  for (int w = 0; w < WPT; ++w) {\n"
    "    const int i = get_global_id(0) * WPT + w;\n"
    "    if (i >= n) return;\n"
    "    float x = a[i];\n"
    "    for (int r = 0; r < (WPT == 4 ? 1 : 20000); ++r) x = mad(x, 0.999f, 0.001f * n);\n"
    "    out[i] = a[i] + (x > 1e30f ? 1.0f : 0.0f);\n"
    "  }\n"
    "}\n";

static void tunes_the_work_per_item(void** state) {
  Fixture* const fixture = *state;
  if (!fixture->opencl) return;
  own_cache("work_per_item");
  tool_write("work.cl", kWorkPerItem);
#define WORK                                                                               \
  QUICK " --json --kernel k --global 1000 --arg in:f32:1000 --arg out:f32:1000 --arg i32:1000"
  RUNS(0,
       "tune '%s' --device %s " WORK " --param WPT=4 --param TX=16 "
       "--global-formula 'ceil(n / (TX * WPT)) * TX' --local-formula TX",
       tool_path("work.cl"), device());
  tool_check_json("j['entries'][0]['global'] == '256' and j['entries'][0]['local'] == '16'");
  RUNS(0, "tune --list");
  SAYS("WPT=4");
  SAYS("256 work items, 16 in a group");
  RUNS(0, "tune --list --json");
  tool_check_json("j['tuned'][0]['global'] == '256' and j['tuned'][0]['local'] == '16'");
  /* CUDA counts groups. */
  tool_write("work.json",
             "{\"ConfigurationSpace\": {\"TuningParameters\": [{\"Name\": \"WPT\", \"Type\": "
             "\"int\", \"Values\": \"[4]\"}]}, \"KernelSpecification\": {\"GlobalSizeType\": "
             "\"CUDA\", \"GlobalSize\": {\"X\": \"ceil_div(global_x, 32 * WPT)\"}, "
             "\"LocalSize\": {\"X\": 32}}}");
  RUNS(0, "tune '%s' --device %s --force --in-process " WORK " --space '%s' 2>/dev/null",
       tool_path("work.cl"), device(), tool_path("work.json"));
  tool_check_json("j['entries'][0]['global'] == '256' and j['entries'][0]['local'] == '32'");
  RUNS(1, "tune '%s' --device %s --in-process " WORK " --param WPT=4 --global-formula 'm // WPT'",
       tool_path("work.cl"), device());
  SAYS("it names m");
  RUNS(1, "tune '%s' --device %s --in-process " WORK " --param WPT=4 --global-formula 'n //'",
       tool_path("work.cl"), device());
  SAYS("--global-formula");
}

static void report_has_a_map(void** state) {
  (void)state;
  own_cache("map");
  RUNS(0, "report '%s' --device %s --budget 0.05 --time 0.002 add:4096", tool_path("page.html"),
       device());
  tool_read("page.html");
  SAYS("Nothing has been tuned on this device yet");
  RUNS(0, "tune --device %s " QUICK " matmul:24", device());
  RUNS(0, "report '%s' --device %s --budget 0.05 --time 0.002 add:4096", tool_path("page.html"),
       device());
  tool_read("page.html");
  static const char* const parts[] = {"class=\"heat\"",
                                      "op.matmul 24x24x24",
                                      "variant",
                                      "times the fastest",
                                      "configurations as a table",
                                      "; chosen",
                                      "; the default",
                                      "</html>"};
  for (size_t i = 0; i < COUNT_OF(parts); i++) SAYS(parts[i]);
  static const char* const outside[] = {"http:", "https:", "src=", "<link", "<script", "url("};
  for (size_t i = 0; i < COUNT_OF(outside); i++) {
    CHECK(strstr(tool_output, outside[i]) == NULL, "the page has %s", outside[i]);
  }
}

/* The signal comes when the first line of progress has: then there is a run to end. */
static void ends_when_interrupted(void** state) {
  (void)state;
  own_cache("interrupt");
  RUNS(0,
       "--version >/dev/null; '%s' tune --device %s --json --samples 10000 reduction:3000x3000 "
       "matmul:300 matmul:301 matmul:302 matmul:303 matmul:304 matmul:305 matmul:306 "
       ">'%s' 2>'%s' & p=$!; i=0; while [ ! -s '%s' ] && [ $i -lt 1200 ]; do sleep 0.05; "
       "i=$((i+1)); done; kill -INT $p; wait $p; echo exit $?",
       NETCL_TOOL_FILE, device(), tool_path("int.json"), tool_path("int.txt"),
       tool_path("int.txt"));
  SAYS("exit 130");
  tool_read("int.json");
  tool_check_json("j['interrupted'] and len(j['entries']) == 8");
  tool_check_json("not j['entries'][-1]['measured'] and j['entries'][-1]['config'] is None");
}

/* Half of the candidates are much faster than the default, and there are too many to
 * try all: what leads when the second line of progress comes is stored. */
/* Killed while it goes on, as nothing else can stop it: what was measured is not measured again. */
static void goes_on_after_a_kill(void** state) {
  Fixture* const fixture = *state;
  if (!fixture->opencl) return;
  own_cache("killed");
  setenv("POCL_MEMORY_LIMIT", "1", 0);
  tool_write("scale.cl", kSource);
  RUNS(0,
       "--version >/dev/null; '%s' tune '%s' --device %s " KERNEL " --in-process --local 16 "
       "--param WORK=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 >'%s' 2>&1 & p=$!; i=0; "
       "f=\"$NETCL_CACHE_DIR/tuning-1.jsonl\"; "
       "while [ $(cat \"$f\" 2>/dev/null | grep -c meas) -lt 3 ] && [ $i -lt 2400 ]; "
       "do sleep 0.05; i=$((i+1)); done; kill -9 $p; wait $p; grep -c meas \"$f\"",
       NETCL_TOOL_FILE, tool_path("scale.cl"), device(), tool_path("killed.txt"));
  const int stored = atoi(tool_output + strcspn(tool_output, "0123456789"));
  CHECK(stored >= 3, "%d candidates are stored: %s", stored, tool_output);
  RUNS(0,
       "tune '%s' --device %s " KERNEL " --in-process --json --local 16 "
       "--param WORK=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 2>/dev/null",
       tool_path("scale.cl"), device());
  /* The default is measured each time. */
  tool_check_json("j['entries'][0]['known'] >= 2 and j['entries'][0]['stored']");
  RUNS(0, "tune --list --json");
  /* Each once: 16 values, with the local size that was given and with the usual one, and the
   * default. */
  tool_check_json("j['tuned'][0]['measurements'] == 33");
}
static void keeps_the_best_so_far(void** state) {
  Fixture* const fixture = *state;
  char values[2048] = "EXTRA=1";
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  if (!fixture->opencl) return;
  OK(netcl_device_get_info(fixture->device, &info));
  const int slow = info.type == NETCL_DEVICE_GPU ? 50000 : 100;
  own_cache("best_so_far");
  tool_write("slow.cl",
             "__kernel void slow(__global const float *a, __global float *out) {\n"
             "  const int i = get_global_id(0);\n  float x = a[i];\n"
             "  for (int r = 0; r < WORK; ++r) x = fmax(x, a[i] + 0.0f * x);\n"
             "  out[i] = x + 0.0f * EXTRA;\n}\n");
  for (int i = 2; i <= 400; i++) snprintf(values + strlen(values), 8, ",%d", i);
  RUNS(0,
       "--version >/dev/null; '%s' tune '%s' --device %s --json --kernel slow --global 16384 "
       "--arg in:f32:16384 --arg out:f32:16384 --local 64 --param WORK=%d,1 --param %s --seed 3 "
       "--strategy random --evaluations 800 --budget 600 >'%s' 2>'%s' & p=$!; i=0; "
       "while ! grep -q best '%s' && [ $i -lt 2400 ]; do sleep 0.1; i=$((i+1)); done; "
       "kill -INT $p; wait $p; echo exit $?",
       NETCL_TOOL_FILE, tool_path("slow.cl"), device(), slow, values, tool_path("int.json"),
       tool_path("int.txt"), tool_path("int.txt"));
  if (info.type == NETCL_DEVICE_GPU && strstr(tool_output, "exit 0") != NULL) {
    SKIP("this device had tried enough before it could be interrupted");
  }
  SAYS("exit 130");
  tool_read("int.json");
  tool_check_json(/* A fast device may have ended by itself in between. */
      "j['interrupted'] and (j['entries'][0]['status'] == 'NETCL_ERROR_CANCELLED' or "
      "j['entries'][0]['stop'] == 'converged')");
  tool_check_json("j['entries'][0]['stored'] == (j['entries'][0]['config']['WORK'] == 1)");
  const int stored = strstr(tool_output, "\"stored\": true") != NULL;
  const int ended = strstr(tool_output, "\"converged\"") != NULL;
  RUNS(0, "tune --list --json");
  tool_check_json(!stored ? "j['tuned'][0]['config'] is None"
                  : ended ? "j['tuned'][0]['why']"
                          : "'best so far' in j['tuned'][0]['why']");
}

static void says_what_is_wrong(void** state) {
  (void)state;
  own_cache("errors");
  tool_write("scale.cl", kSource);
  static const struct {
    int code;
    const char *arguments, *says;
  } cases[] = {
      {2, "", "OP[:SIZES] or FILE.cl"},
      {2, "nonsense", "\"nonsense\""},
      {2, "matmul:1x2", "matmul takes 3 sizes (m x n x k)"},
      {2, "matmul:0", "a size is \"0\""},
      {2, "matmul:16 --dtype f99", "there is no dtype \"f99\""},
      {2, "matmul:16 --strategy luck", "\"luck\""},
      {2, "matmul:16 --budget never", "--budget"},
      {2, "matmul:16 --samples 0", "--samples"},
      {2, "matmul:16 --global 16", "\"--global\""},
      {2, "--list matmul", "with --list there is no use for \"matmul\""},
      {2, "scale.cl", "\"--kernel\""},
      {2, "scale.cl --kernel scale", "\"--global\""},
      {2, "scale.cl --kernel scale --global 16x16x16x16", "16x16x16x16"},
      {2, "scale.cl --kernel scale --global 16 --arg nothing", "\"nothing\""},
      {2, "scale.cl --kernel scale --global 16 --arg i32:1:often", "DTYPE:VALUE[:free]"},
      {2, "matmul:16 --global-formula 16", "\"--global-formula\""},
      {2, "scale.cl --kernel scale --global 16 --arg in:f32", "\"in:f32\""},
      {2, "scale.cl --kernel scale --global 16 --arg in:f32:16:5..1", "an empty range"},
      {2, "scale.cl --kernel scale --global 16 --arg f32:much", "a value is \"much\""},
      {2, "scale.cl --kernel scale --global 16 --local 8x2", "as many extents as --global, 1"},
      {2, "scale.cl --kernel scale --global 16 --param WORK", "\"WORK\""},
      {1, "matmul:16 --dtype i32", "i32"},
      {1, "matmul:16 --device nonsense", "nonsense"},
      {1, "/nonexistent/file.cl --kernel scale --global 16", "/nonexistent/file.cl"},
      {1, "matmul:16 --database /nonexistent/folder/x.jsonl --quiet", "/nonexistent/folder"},
  };
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    const int is_device = strstr(cases[i].arguments, "--device") != NULL;
    RUNS(cases[i].code, "tune %s%s%s", cases[i].arguments, is_device ? "" : " --device ",
         is_device ? "" : device());
    CHECK(strstr(tool_output, cases[i].says) != NULL, "tune %s: no \"%s\" in\n%s",
          cases[i].arguments, cases[i].says, tool_output);
  }
}

/* What only a compiler or the library can know. */
static void kernel_errors(void** state) {
  Fixture* const fixture = *state;
  if (!fixture->opencl) return;
  own_cache("kernel_errors");
  tool_write("scale.cl", kSource);
  const char* const file = tool_path("scale.cl");
  RUNS(1, "tune '%s' --device %s " KERNEL " --quiet --in-process --param ABSENT=1,2", file,
       device());
  SAYS("ABSENT");
  RUNS(1, "tune '%s' --device %s " KERNEL " --quiet --constraint 'WORK <'", file, device());
  SAYS("--constraint");
  RUNS(1, "tune '%s' --device %s --kernel other --global 16 --quiet --in-process", file, device());
  SAYS("other");
  RUNS(1, "tune '%s' --device %s --kernel scale --global 16 --arg f32:1 --quiet --in-process", file,
       device());
  SAYS("arg");
  RUNS(1,
       "tune '%s' --device %s --kernel scale --global 4096 --arg in:f32:4096 --arg out:f32:4096 "
       "--arg f32:2.5 --arg local:64 --arg f32:4096 --quiet --in-process --param WORK=1,2",
       file, device());
  SAYS("args[4].dtype is f32; parameter int n of kernel scale has elements of i32");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(tunes_ops),
      cmocka_unit_test(marks_what_is_not_used),
      cmocka_unit_test(lists_no_control_characters),
      cmocka_unit_test(shows_progress),
      DEVICE_TEST(tunes_a_kernel),
      DEVICE_TEST(tunes_the_work_per_item),
      cmocka_unit_test(report_has_a_map),
      cmocka_unit_test(ends_when_interrupted),
      DEVICE_TEST(goes_on_after_a_kill),
      DEVICE_TEST(keeps_the_best_so_far),
      cmocka_unit_test(says_what_is_wrong),
      DEVICE_TEST(kernel_errors),
  };
  return cmocka_run_group_tests_name("tool_tune", tests, tool_make_folder, tool_remove_folder);
}
