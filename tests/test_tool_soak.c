/* netcl soak: short runs, what it writes, and what it takes for gross. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support_process.h"
#include "support_tool.h"

static void arguments(void** state) {
  (void)state;
  RUNS(0, "soak --help");
  SAYS("--duration");
  RUNS(2, "soak --duration soon");
  SAYS("soon");
  RUNS(2, "soak --duration 0");
  RUNS(2, "soak --duration 9999h");
  RUNS(2, "soak --duration 1,5s");
  SAYS("decimal numbers are written with a point");
  RUNS(2, "soak --threads 0");
  RUNS(2, "soak --threads many");
  RUNS(2, "soak --seed -1");
  RUNS(2, "soak forever");
  SAYS("forever");
  RUNS(1, "soak --device nonsense --duration 1s");
  SAYS("nonsense");
}

/* The cache is one of this test's own: what others compile is no growth. */
static void own_cache(void) { setenv("NETCL_CACHE_DIR", tool_path("soak_cache"), 1); }

/* AddressSanitizer keeps what was freed, up to 256 MiB. */
static void free_at_once(void) {
  char options[1024];
  const char* const given = getenv("ASAN_OPTIONS");
  snprintf(options, sizeof options, "%s:quarantine_size_mb=1", given != NULL ? given : "");
  setenv("ASAN_OPTIONS", options, 1);
}

static void a_short_run(void** state) {
  Fixture* const fixture = *state;
  own_cache();
  RUNS(0, "soak --device %s --duration 3s --threads 4 --seed 7 --json '%s'", test_selector(),
       tool_path("soak.json"));
  SAYS("latency p99.9");
  SAYS("resident memory");
  SAYS("nothing grew, moved or went wrong");
  if (!fixture->opencl) SAYS("left out: kernels from source");
  tool_read("soak.json");
  tool_check_json("j['operations'] > 20 and j['threads'] == 4 and j['seed'] == 7");
  tool_check_json("j['reasons'] == [] and not j['broken_off']");
  tool_check_json("len(j['parts']) == 20 and sum(p['operations'] for p in j['parts']) > 0");
  tool_check_json("[l['percent'] for l in j['latency_ns']] == [50, 99, 99.9]");
  tool_check_json("j['resident_bytes']['first'] > 1 << 20 and j['files_first_bytes'] >= 0");
  RUNS(1, "soak --device %s --duration 1s --threads 1 --quiet --json /nonexistent/file",
       test_selector());
  SAYS("/nonexistent/file");
}

/* A file that something adds to all the time is named. */
static void a_file_that_grows(void** state) {
  (void)state;
  char command[2048], grown[512];
  if (strcmp(test_selector(), "builtin") != 0) SKIP("it is run on the built-in device");
  own_cache();
  snprintf(command, sizeof command, "mkdir -p '%s'", tool_path("soak_cache"));
  assert_int_equal(system(command), 0);
  snprintf(grown, sizeof grown, "%s", tool_path("soak_cache/grown"));
  const pid_t writer = fork();
  if (writer == 0) {
    FILE* file = fopen(grown, "a");
    for (int i = 0; file != NULL && i < 2000; i++) {
      fprintf(file, "%01000d\n", i);
      fflush(file);
      usleep(20000);
    }
    _exit(0);
  }
  const int code =
      tool_run(NETCL_TOOL_FILE, "soak --device builtin --duration 8s --threads 2 --quiet");
  kill(writer, SIGKILL);
  waitpid(writer, NULL, 0);
  CHECK(code == 1, "exit code %d:\n%s", code, tool_output);
  SAYS("netcl's files grew from");
  SAYS("soak_cache/grown");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(arguments), DEVICE_TEST(a_short_run),
                                     cmocka_unit_test(a_file_that_grows)};
  free_at_once();
  return cmocka_run_group_tests_name("tool_soak", tests, tool_make_folder, tool_remove_folder);
}
