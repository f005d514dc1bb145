/*
 * Writers of files that are killed before and after each of their calls of the system: an .npy is
 * the old or the new one, a tuning database lacks the last record at most, and a cache of programs
 * gives what is whole. A sample of the calls of long writers; all with NETCL_TEST_FULL=1.
 */
#include "support_kernel.h"
#include "support_process.h"
#include "support_tuning.h"

#include <limits.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kElements = 3000, kRecords = 5, kMore = 3, kNoTrace = 77, kSample = 12, kLimit = 60 };

static char folder[PATH_MAX - 64], path[PATH_MAX];

/* ---- The writers ----------------------------------------------------------------------------- */

/* From here on the parent stops this thread at each call. */
static int be_traced(void) {
  return ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0 && raise(SIGSTOP) == 0 ? 0 : kNoTrace;
}
/* Tells the parent. */
static void done(int what) {
  const char byte = (char)('0' + what);
  if (write(1, &byte, 1) != 1) abort();
}

static int save_npy(void) {
  const int64_t shape = kElements;
  const float two = 2;
  netcl_device* device = NULL;
  netcl_tensor* twos = NULL;
  CHILD_OK(netcl_device_open("builtin", NULL, &device));
  CHILD_OK(netcl_tensor_create_full(device, NETCL_F32, 1, &shape, NULL, &two, NULL, &twos));
  if (be_traced() != 0) return kNoTrace;
  CHILD_OK(netcl_tensor_save_npy(twos, getenv("TEST_PATH"), LONG_WAIT));
  done(1);
  return 0;
}

static int put_records(void) {
  netcl_tuning_database* database = NULL;
  if (be_traced() != 0) return kNoTrace;
  CHILD_OK(netcl_tuning_database_open(getenv("TEST_PATH"), &database));
  for (int i = 1; i <= kMore; ++i) {
    const netcl_tuning_key key = tuning_key("gemm", (kRecords + i) * 1000, 1);
    CHILD_OK(tuning_put(database, &key, kRecords + i, NETCL_TUNING_RECORD_BEST));
    done(i);
  }
  netcl_tuning_database_release(database);
  return 0;
}

static int compact(void) {
  netcl_tuning_database* database = NULL;
  CHILD_OK(netcl_tuning_database_open(getenv("TEST_PATH"), &database));
  if (be_traced() != 0) return kNoTrace;
  CHILD_OK(netcl_tuning_database_compact(database));
  return 0;
}

static const char kSource[] = "__kernel void k(__global int *out) { out[get_global_id(0)] = 7; }";

static int builds_and_runs(int traced) {
  const int64_t four = 4;
  const uint64_t global = 4;
  int32_t result[4] = {0};
  netcl_device* device = NULL;
  netcl_kernel* kernel = NULL;
  netcl_tensor* out = NULL;
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  options.source = kSource;
  CHILD_OK(netcl_device_open(test_selector(), NULL, &device));
  CHILD_OK(netcl_tensor_create(device, NETCL_I32, 1, &four, NULL, NULL, &out));
  CHILD_OK(netcl_kernel_create(device, "k", &options, &kernel));
  if (traced && be_traced() != 0) return kNoTrace;
  CHILD_OK(netcl_kernel_build(kernel));
  const netcl_arg args[1] = {arg_tensor(out)};
  CHILD_OK(netcl_kernel_launch(kernel, &global, 1, NULL, 0, args, 1, NULL, NULL));
  CHILD_OK(netcl_tensor_read(out, result, sizeof result, NULL, LONG_WAIT));
  for (int i = 0; i < 4; i++) CHILD_CHECK(result[i] == 7);
  return 0;
}
static int build_traced(void) { return builds_and_runs(1); }
static int build_again(void) { return builds_and_runs(0); }

/* ---- Killing --------------------------------------------------------------------------------- */

/* Kills the writer when it stops for the nth time at a call, before it or after. Returns how often
 * it has stopped: fewer than nth when it came to its end. */
static long killed_at(const char* mode, const char* const* environment, long nth,
                      process_result* result) {
  const process_ticket ticket = process_start_self(mode, environment);
  const double begin = process_now();
  long stops = -1; /* the first is the writer's own */
  int status = 0, signal = 0;
  while (stops < nth) {
    CHECK(process_now() - begin < kLimit, "%s does not end", mode);
    /* Its end is process_finish's. */
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)ticket.pid, &info, WEXITED | WSTOPPED | WNOWAIT) != 0) break;
    if (info.si_code != CLD_TRAPPED && info.si_code != CLD_STOPPED) break;
    assert_int_equal(waitpid(ticket.pid, &status, 0), ticket.pid);
    signal = WSTOPSIG(status);
    if (stops < 0)
      assert_int_equal(
          ptrace(PTRACE_SETOPTIONS, ticket.pid, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL),
          0);
    if (stops < 0 || signal == (SIGTRAP | 0x80)) {
      ++stops;
      signal = 0;
    }
    if (stops < nth) assert_int_equal(ptrace(PTRACE_SYSCALL, ticket.pid, NULL, (long)signal), 0);
  }
  if (stops >= nth) kill(ticket.pid, SIGKILL);
  process_finish(ticket, kLimit, result);
  if (result->exit_code == kNoTrace || stops < 0) SKIP("the system lets no process trace another");
  if (stops >= nth)
    assert_int_equal(result->signal, SIGKILL);
  else
    process_expect_exit(result, 0);
  return stops;
}

typedef void Check(const process_result* result);

/* At each call, or at a sample of them. */
static void kill_everywhere(const char* mode, const char* const* environment, long most,
                            void (*before)(void), Check* check) {
  process_result result;
  long calls = 0;
  for (int i = 0; i < 2; ++i) { /* the first may find caches of others empty */
    before();
    calls = killed_at(mode, environment, LONG_MAX, &result);
    check(&result);
  }
  assert_true(calls > 10);
  const int all = process_full() || calls <= most;
  long killed = 0;
  for (long i = 1; i <= (all ? calls : most); ++i) {
    before();
    killed += killed_at(mode, environment, all ? i : random_in(1, calls), &result) > 0 &&
              result.signal == SIGKILL;
    check(&result);
  }
  print_message("%s: %ld stops, killed at %ld\n", mode, calls, killed);
  assert_true(killed > 0);
}

static const char* path_variable(void) {
  static char text[PATH_MAX + 16];
  snprintf(text, sizeof text, "TEST_PATH=%s", path);
  return text;
}
static void take_path(const char* name) {
  if (process_has_asan() || process_has_tsan()) SKIP("sanitizers do not work under ptrace");
  process_join_path(path, sizeof path, folder, name);
}

/* ---- Each kind of file ----------------------------------------------------------------------- */

static netcl_device* device_of_host;

static void write_ones(void) {
  const int64_t shape = kElements;
  const float one = 1;
  netcl_tensor* ones = NULL;
  OK(netcl_tensor_create_full(device_of_host, NETCL_F32, 1, &shape, NULL, &one, NULL, &ones));
  OK(netcl_tensor_save_npy(ones, path, LONG_WAIT));
  netcl_tensor_release(ones);
}

static void check_npy(const process_result* result) {
  static float seen[kElements];
  netcl_tensor* tensor = NULL;
  OK(netcl_tensor_load_npy(device_of_host, path, NULL, &tensor));
  OK(netcl_tensor_read(tensor, seen, sizeof seen, NULL, LONG_WAIT));
  netcl_tensor_release(tensor);
  assert_true(seen[0] == 1 || seen[0] == 2);
  if (result->output_size > 0) assert_true(seen[0] == 2);
  for (int i = 1; i < kElements; ++i) assert_true(seen[i] == seen[0]);
}

static void npy(void** state) {
  (void)state;
  take_path("x.npy");
  const char* const environment[] = {path_variable(), NULL};
  OK(netcl_device_open("builtin", NULL, &device_of_host));
  kill_everywhere("save_npy", environment, 1000, write_ones, check_npy);
  netcl_device_release(device_of_host);
}

static void write_records(void) {
  unlink(path);
  netcl_tuning_database* database = tuning_open(path);
  for (int i = 1; i <= kRecords; ++i) {
    const netcl_tuning_key key = tuning_key("gemm", i * 1000, 1);
    tuning_put_best(database, &key, i);
  }
  netcl_tuning_database_release(database);
}

/* All that was there, all that the writer has told of, and a further record. */
static void check_records(const process_result* result) {
  netcl_tuning_database* database = tuning_open(path);
  const netcl_tuning_database_info info = tuning_facts(database);
  const int told = (int)result->output_size;
  CHECK(info.damaged <= 1, "%d damaged lines", (int)info.damaged);
  CHECK(info.records >= (uint64_t)(kRecords + told) &&
            info.records <= (uint64_t)(kRecords + told + 1),
        "%d records of %d", (int)info.records, kRecords + told);
  for (int i = 1; i <= kRecords + told; ++i) {
    const netcl_tuning_key key = tuning_key("gemm", i * 1000, 1);
    assert_int_equal(tuning_look(database, &key, NULL), i);
  }
  const netcl_tuning_key key = tuning_key("after", 1, 1);
  tuning_put_best(database, &key, 77);
  netcl_tuning_database_release(database);
  database = tuning_open(path);
  assert_int_equal(tuning_look(database, &key, NULL), 77);
  netcl_tuning_database_release(database);
}

static void journal(void** state) {
  (void)state;
  take_path("journal.jsonl");
  const char* const environment[] = {path_variable(), NULL};
  kill_everywhere("put_records", environment, 1000, write_records, check_records);
}

static void compaction(void** state) {
  (void)state;
  take_path("compact.jsonl");
  const char* const environment[] = {path_variable(), NULL};
  kill_everywhere("compact", environment, 1000, write_records, check_records);
}

static const char* const* cache_environment;

static void empty_cache(void) {
  process_remove_folder(path);
  assert_int_equal(mkdir(path, 0700), 0);
}
static void check_cache(const process_result* result) {
  process_result again;
  (void)result;
  process_run_self("build_again", cache_environment, kLimit, &again);
  process_expect_exit(&again, 0);
}

static void programs(void** state) {
  Fixture* fixture = *state;
  if (!fixture->opencl) SKIP("kernels need an OpenCL device");
  char cache[PATH_MAX + 32];
  take_path("cache");
  snprintf(cache, sizeof cache, "NETCL_CACHE_DIR=%s", path);
  const char* const environment[] = {cache, NULL};
  cache_environment = environment;
  kill_everywhere("build_traced", environment, kSample, empty_cache, check_cache);
}

static int make_folder(void** state) {
  process_make_folder(folder, sizeof folder);
  return setup_device(state);
}
static int remove_folder(void** state) {
  process_remove_folder(folder);
  return teardown_device(state);
}
#define FOLDER_TEST(function) cmocka_unit_test_setup_teardown(function, make_folder, remove_folder)

int main(int argc, char** argv) {
  static const process_mode modes[] = {{"save_npy", save_npy},
                                       {"put_records", put_records},
                                       {"compact", compact},
                                       {"build_traced", build_traced},
                                       {"build_again", build_again}};
  const int code = process_child_main(argc, argv, modes, COUNT_OF(modes));
  if (code >= 0) return code;
  const struct CMUnitTest tests[] = {FOLDER_TEST(npy), FOLDER_TEST(journal),
                                     FOLDER_TEST(compaction), FOLDER_TEST(programs)};
  seed_random("killed_calls");
  return cmocka_run_group_tests_name("killed_calls", tests, NULL, NULL);
}
