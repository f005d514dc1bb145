/* What may lie where a function is told to read or write a file: pipes, folders, links, devices,
 * files of others, files without end. A status that names the path, in time, in little memory, and
 * nothing is written where nobody asked for it. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support_benchmark.h"
#include "support_process.h"

enum { kOther = 12345, kMegabytes = 96 };

static char g_folder[256], g_path[512], g_kept[512];
static const char kSecret[] = "what somebody else wrote";

static netcl_tensor* g_tensor;

/* ---- The calls ------------------------------------------------------------------------------- */

static netcl_status load_npy(netcl_device* device, const char* path) {
  netcl_tensor* made = NULL;
  const netcl_status status = netcl_tensor_load_npy(device, path, NULL, &made);
  netcl_tensor_release(made);
  return status;
}

static netcl_status save_npy(netcl_device* device, const char* path) {
  (void)device;
  return netcl_tensor_save_npy(g_tensor, path, LONG_WAIT);
}

static netcl_status load_ceilings(netcl_device* device, const char* path) {
  netcl_ceilings* made = NULL;
  (void)device;
  const netcl_status status = netcl_ceilings_load(path, &made);
  netcl_ceilings_release(made);
  return status;
}

static netcl_status save_ceilings(netcl_device* device, const char* path) {
  netcl_ceilings* made = NULL;
  (void)device;
  OK(netcl_ceilings_create(&made));
  const netcl_status status = netcl_ceilings_save(made, path);
  netcl_ceilings_release(made);
  return status;
}

static netcl_status use_database(netcl_device* device, const char* path) {
  netcl_tuning_database* made = NULL;
  netcl_config* config = NULL;
  netcl_tuning_key key = NETCL_TUNING_KEY_INIT;
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  netcl_status status = netcl_tuning_database_open(path, &made);
  if (status != NETCL_OK) return status;
  OK(netcl_config_create_from_json("{\"A\":1}", 7, &config));
  key.kernel = "k";
  record.kind = NETCL_TUNING_RECORD_BEST;
  record.outcome = NETCL_OUTCOME_CORRECT;
  record.median = 1;
  status = netcl_tuning_database_put(made, device, &key, config, &record);
  if (status == NETCL_OK) status = netcl_tuning_database_compact(made);
  netcl_config_release(config);
  netcl_tuning_database_release(made);
  return status;
}

static netcl_status merge_database(netcl_device* device, const char* path) {
  netcl_tuning_database* made = NULL;
  (void)device;
  OK(netcl_tuning_database_open(":memory:", &made));
  const netcl_status status = netcl_tuning_database_merge(made, path, NULL);
  netcl_tuning_database_release(made);
  return status;
}

static netcl_status write_trace(netcl_device* device, const char* path) {
  netcl_profile_options options = NETCL_PROFILE_OPTIONS_INIT;
  (void)device;
  options.trace_path = path;
  const netcl_status status = netcl_profile_start(&options);
  return status == NETCL_OK ? netcl_profile_stop(LONG_WAIT) : status;
}

static netcl_status join_group(netcl_device* device, const char* path) {
  netcl_group* made = NULL;
  const netcl_status status = netcl_group_join(device, path, 0, 1, NULL, &made);
  netcl_group_release(made);
  return status;
}

static netcl_status run_benchmark(netcl_device* device, const char* worker, const char* lock,
                                  const char* source) {
  netcl_benchmark_options options = NETCL_BENCHMARK_OPTIONS_INIT;
  netcl_benchmark_result result = NETCL_BENCHMARK_RESULT_INIT;
  netcl_benchmark* made = NULL;
  const int32_t one = 1;
  netcl_benchmark_candidate candidate =
      candidate_of("__kernel void k(int n) { volatile __local int x; x = n; }");
  const netcl_measurement_options timing = few_samples();
  options.worker_path = worker;
  options.lock_path = lock;
  if (lock == NULL) options.lock = NETCL_OFF;
  if (source != NULL) candidate.source = NULL;
  candidate.path = source;
  netcl_status status = netcl_benchmark_create(device, &options, &made);
  if (status != NETCL_OK) return status;
  OK(netcl_benchmark_add_scalar(made, &one, sizeof one));
  status = netcl_benchmark_run(made, &candidate, &timing, &result);
  netcl_benchmark_release(made);
  return status;
}

static netcl_status take_worker(netcl_device* device, const char* path) {
  return run_benchmark(device, path, NULL, NULL);
}

static netcl_status take_lock(netcl_device* device, const char* path) {
  return run_benchmark(device, NULL, path, NULL);
}

static netcl_status read_source(netcl_device* device, const char* path) {
  return run_benchmark(device, NULL, NULL, path);
}

/* ---- What lies there ------------------------------------------------------------------------- */

static void write_text(const char* path, const char* text) {
  FILE* file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
  assert_int_equal(fclose(file), 0);
}

static int put_pipe(void) { return mkfifo(g_path, 0600); }
static int put_folder(void) { return mkdir(g_path, 0700); }
static int put_loop(void) { return symlink(g_path, g_path); }
static int put_zero(void) { return symlink("/dev/zero", g_path); }
static int put_full(void) { return symlink("/dev/full", g_path); }

/* A link to nothing, made by another user: whoever follows it makes a file that he wants. */
static int put_planted_link(void) {
  if (unlink(g_kept) != 0 || symlink(g_kept, g_path) != 0) return -1;
  return lchown(g_path, kOther, kOther);
}

/* A link of another user to a file of this one. */
static int put_foreign_link(void) {
  return symlink(g_kept, g_path) != 0 ? -1 : lchown(g_path, kOther, kOther);
}

static int put_foreign_file(void) {
  write_text(g_path, kSecret);
  return chown(g_path, kOther, kOther);
}

static int put_open_file(void) {
  write_text(g_path, kSecret);
  return chmod(g_path, 0666);
}

static int put_endless(void) {
  const int file = open(g_path, O_WRONLY | O_CREAT | O_EXCL, 0700);
  const int result = file < 0 ? -1 : ftruncate(file, (off_t)1 << 40);
  close(file);
  return result;
}

/* What is done with a path: it fails there, or may go on. */
typedef struct Call {
  const char* name;
  netcl_status (*run)(netcl_device*, const char*);
  const char* fails; /* at these of the obstacles, by their letters; at others it may succeed */
  netcl_status status;
  int opencl;
} Call;

static const Call kCalls[] = {
    {"load_npy", load_npy, "pdlzfLFofe", 0, 0},
    {"save_npy", save_npy, "pdzfPL", NETCL_ERROR_IO, 0},
    {"load_ceilings", load_ceilings, "pdlzfLFoe", 0, 0},
    {"save_ceilings", save_ceilings, "pdzfPL", NETCL_ERROR_IO, 0},
    {"use_database", use_database, "pdlzfPLFoe", 0, 0},
    {"merge_database", merge_database, "pdlzfPLFoe", 0, 0},
    {"write_trace", write_trace, "pdlzfPL", NETCL_ERROR_IO, 0},
    {"join_group", join_group, "pdlzfPLFoe", NETCL_ERROR_IO, 0},
    {"take_worker", take_worker, "pdlzfPLFoe", NETCL_ERROR_UNSUPPORTED, 1},
    {"take_lock", take_lock, "pdlzfPLFoe", NETCL_ERROR_IO, 1},
    {"read_source", read_source, "pdlzfe", NETCL_ERROR_IO, 1},
};

static const struct Obstacle {
  char letter;
  const char* name;
  int (*put)(void);
  int root; /* only root can make it */
} kObstacles[] = {
    {'p', "a pipe", put_pipe, 0},
    {'d', "a folder", put_folder, 0},
    {'l', "a link to itself", put_loop, 0},
    {'z', "a link to /dev/zero", put_zero, 0},
    {'f', "a link to /dev/full", put_full, 0},
    {'P', "a link of another user to nothing", put_planted_link, 1},
    {'L', "a link of another user to a file", put_foreign_link, 1},
    {'F', "a file of another user", put_foreign_file, 1},
    {'o', "a file that others can write", put_open_file, 0},
    {'e', "a file of a tebibyte", put_endless, 0},
};

static void clear(void) {
  if (unlink(g_path) != 0) rmdir(g_path);
  unlink(g_kept);
}

/* What the file beside holds, "" when it is not there. */
static void read_kept(const char* path, char* text, size_t size) {
  FILE* file = fopen(path, "rb");
  text[0] = '\0';
  if (file == NULL) return;
  text[fread(text, 1, size - 1, file)] = '\0';
  fclose(file);
}

static long resident_most(void) {
  struct rusage usage;
  assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
  return usage.ru_maxrss / 1024;
}

static void try_one(Fixture* fixture, const Call* call, const struct Obstacle* obstacle) {
  char held[64];
  struct stat before, after;
  write_text(g_kept, kSecret);
  assert_int_equal(obstacle->put(), 0);
  assert_int_equal(lstat(g_path, &before), 0);
  const long resident = resident_most();
  const double start = process_now();
  const netcl_status status = call->run(fixture->device, g_path);
  CHECK(process_now() - start < 60, "%s at %s takes too long", call->name, obstacle->name);
  CHECK(resident_most() - resident < kMegabytes, "%s at %s: %ld MB", call->name, obstacle->name,
        resident_most() - resident);
  if (strchr(call->fails, obstacle->letter) != NULL) {
    CHECK(status != NETCL_OK && (call->status == 0 || status == call->status),
          "%s at %s gives %s: %s", call->name, obstacle->name, netcl_status_name(status),
          netcl_last_error_message());
  }
  if (status != NETCL_OK) {
    CHECK(strstr(netcl_last_error_message(), g_path) != NULL, "%s at %s does not name it: %s",
          call->name, obstacle->name, netcl_last_error_message());
  }
  /* Whatever the call did, it did it to what lies at the path and to nothing else. */
  read_kept(g_kept, held, sizeof held);
  CHECK(strcmp(held, obstacle->letter == 'P' ? "" : kSecret) == 0, "%s at %s wrote \"%s\"",
        call->name, obstacle->name, held);
  if (status != NETCL_OK) {
    assert_int_equal(lstat(g_path, &after), 0);
    CHECK(before.st_ino == after.st_ino && before.st_mode == after.st_mode &&
              before.st_size == after.st_size && before.st_uid == after.st_uid,
          "%s at %s failed and changed it", call->name, obstacle->name);
    if (S_ISREG(after.st_mode) && after.st_size < 100) {
      read_kept(g_path, held, sizeof held);
      CHECK(strcmp(held, kSecret) == 0, "%s at %s left \"%s\"", call->name, obstacle->name, held);
    }
  }
  clear();
}

static void obstacles(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {4};
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, shape, NULL, NULL, &g_tensor));
  process_make_folder(g_folder, sizeof g_folder);
  process_join_path(g_path, sizeof g_path, g_folder, "path");
  process_join_path(g_kept, sizeof g_kept, g_folder, "kept");
  if (geteuid() != 0) print_message("skipped: files of other users, which only root can make\n");
  for (size_t c = 0; c < COUNT_OF(kCalls); ++c) {
    if (kCalls[c].opencl && !fixture->opencl) continue;
    for (size_t o = 0; o < COUNT_OF(kObstacles); ++o) {
      if (kObstacles[o].root && geteuid() != 0) continue;
      try_one(fixture, &kCalls[c], &kObstacles[o]);
    }
  }
  netcl_tensor_release(g_tensor);
  process_remove_folder(g_folder);
}

/* A file says that it holds more than there is memory, and holds it. */
static void more_than_memory(void** state) {
  Fixture* fixture = *state;
  netcl_tensor* made = NULL;
  process_make_folder(g_folder, sizeof g_folder);
  process_join_path(g_path, sizeof g_path, g_folder, "path");
  static const char kHead[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (274877906944,)}";
  FILE* file = fopen(g_path, "wb");
  assert_non_null(file);
  fprintf(file, "\x93NUMPY%c%c%c%c%s", 1, 0, (int)strlen(kHead), 0, kHead);
  assert_int_equal(fclose(file), 0);
  assert_int_equal(truncate(g_path, ((off_t)1 << 40) + 10 + (off_t)strlen(kHead)), 0);
  const long resident = resident_most();
  const netcl_status status = netcl_tensor_load_npy(fixture->device, g_path, NULL, &made);
  CHECK(status == NETCL_ERROR_OUT_OF_HOST_MEMORY || status == NETCL_ERROR_OUT_OF_DEVICE_MEMORY,
        "%s: %s", netcl_status_name(status), netcl_last_error_message());
  assert_null(made);
  CHECK(resident_most() - resident < kMegabytes, "%ld MB", resident_most() - resident);
  process_remove_folder(g_folder);
}

/* A program that anybody may have changed is not run. */
static void workers_that_others_can_write(void** state) {
  Fixture* fixture = *state;
  NEEDS_KERNELS(fixture);
  process_make_folder(g_folder, sizeof g_folder);
  process_join_path(g_path, sizeof g_path, g_folder, "path");
  assert_int_equal(process_copy_file(NETCL_WORKER_FILE, g_path), 0);
  assert_int_equal(chmod(g_path, 0777), 0);
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "everybody can write it",
             take_worker(fixture->device, g_path));
  assert_int_equal(chmod(g_path, 0755), 0);
  OK(take_worker(fixture->device, g_path));
  process_remove_folder(g_folder);
}

/* A lock is a file with the number of a process; what is something else stays as it is. */
static void locks_that_are_something_else(void** state) {
  Fixture* fixture = *state;
  char held[64];
  NEEDS_KERNELS(fixture);
  process_make_folder(g_folder, sizeof g_folder);
  process_join_path(g_path, sizeof g_path, g_folder, "path");
  write_text(g_path, kSecret);
  FAILS_WITH(NETCL_ERROR_IO, "is no lock", take_lock(fixture->device, g_path));
  read_kept(g_path, held, sizeof held);
  assert_string_equal(held, kSecret);
  write_text(g_path, "4711");
  OK(take_lock(fixture->device, g_path));
  read_kept(g_path, held, sizeof held);
  assert_int_equal(atoi(held), getpid());
  process_remove_folder(g_folder);
}

/* ---- Programs that run with the rights of somebody else -------------------------------------- */

static char g_program[512];

/* What of the environment counts: everything, or nothing that names files in a program that is
 * set-user-ID, where it is the doing of whoever started it. */
static int look_at_environment(int secure) {
  netcl_device* device = NULL;
  netcl_tuning_database* database = NULL;
  netcl_tuning_database_info info = NETCL_TUNING_DATABASE_INFO_INIT;
  if ((getauxval(AT_SECURE) != 0) != secure) return 77;
  const netcl_status status = netcl_device_open("gpu", NULL, &device);
  /* The library that the system has may know a GPU. */
  CHILD_CHECK(status == NETCL_ERROR_NO_DEVICE || (secure && status == NETCL_OK));
  if (status != NETCL_OK) {
    CHILD_CHECK((strstr(netcl_last_error_message(), "/nowhere/library.so") == NULL) == secure);
  }
  netcl_device_release(device);
  CHILD_OK(netcl_device_open("builtin", NULL, &device));
  CHILD_CHECK((access(getenv("NETCL_TRACE"), F_OK) != 0) == secure);
  CHILD_OK(netcl_tuning_database_open(NULL, &database));
  CHILD_OK(netcl_tuning_database_get_info(database, &info));
  CHILD_CHECK((info.path[0] == '\0') == secure);
  netcl_tuning_database_release(database);
  netcl_device_release(device);
  return 0;
}

static int mode_plain(void) { return look_at_environment(0); }
static int mode_secure(void) { return look_at_environment(1); }

static int run_as_other(void* mode) {
  char trace[600], caches[600];
  snprintf(trace, sizeof trace, "NETCL_TRACE=%s/trace-%s", g_folder, (const char*)mode);
  snprintf(caches, sizeof caches, "NETCL_CACHE_DIR=%s/caches", g_folder);
  char* const arguments[] = {g_program, "--child", mode, NULL};
  char* const environment[] = {trace, caches, "NETCL_OPENCL_LIBRARY=/nowhere/library.so",
                               "OCL_ICD_VENDORS=/nowhere", NULL};
  if (setgid(kOther + 1) != 0 || setuid(kOther + 1) != 0) return 76;
  execve(g_program, arguments, environment);
  return 75;
}

static void set_user_id(void** state) {
  static process_result result;
  char self[512] = "", caches[512];
  (void)state;
  if (geteuid() != 0) SKIP("only root can make programs of other users");
  if (process_has_asan() || process_has_tsan()) SKIP("sanitizers refuse such programs");
  process_make_folder(g_folder, sizeof g_folder);
  process_join_path(g_program, sizeof g_program, g_folder, "program");
  process_join_path(caches, sizeof caches, g_folder, "caches");
  assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
  assert_int_equal(process_copy_file(self, g_program), 0);
  assert_int_equal(mkdir(caches, 0700), 0);
  assert_int_equal(chown(caches, kOther + 1, kOther + 1), 0);
  /* Where everybody may make a trace, and have a cache of his own. */
  assert_int_equal(chmod(g_folder, 01777), 0);
  assert_int_equal(chmod(g_program, 0755), 0);
  process_fork(run_as_other, "plain", 0, 1, 60, &result);
  process_expect_exit(&result, 0);
  assert_int_equal(chown(g_program, kOther, kOther), 0);
  assert_int_equal(chown(caches, kOther, kOther), 0);
  assert_int_equal(chmod(g_program, 04755), 0);
  process_fork(run_as_other, "secure", 0, 1, 60, &result);
  if (result.exit_code == 77) print_message("skipped: no set-user-ID programs run here\n");
  if (result.exit_code != 77) process_expect_exit(&result, 0);
  process_remove_folder(g_folder);
}

int main(int argc, char** argv) {
  static const process_mode modes[] = {{"plain", mode_plain}, {"secure", mode_secure}};
  const int child = process_child_main(argc, argv, modes, COUNT_OF(modes));
  if (child >= 0) return child;
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(obstacles),
      DEVICE_TEST(more_than_memory),
      cmocka_unit_test(set_user_id),
      DEVICE_TEST(workers_that_others_can_write),
      DEVICE_TEST(locks_that_are_something_else),
  };
  return cmocka_run_group_tests_name("paths", tests, NULL, NULL);
}
