/* Writing files where that ends a program that takes no care: past the limit of a file's size
 * (SIGXFSZ), and with what writers that were killed have left behind. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "support_kernel.h"
#include "support_process.h"

enum {
  kLimit = 4096,
  kElements = 100000,
  kKills = 25,
  kKilledElements = 2000000,
  kNoFilter = 77 /* the exit code where calls cannot be refused */
};

static char folder[256];
static volatile sig_atomic_t handled;

static const char *in_folder(const char *name) {
  static char path[512];
  process_join_path(path, sizeof path, folder, name);
  return path;
}

static void limit_files(rlim_t bytes) {
  struct rlimit limit;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
  limit.rlim_cur = bytes;
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static netcl_tensor *tensor;

static netcl_status save_npy(netcl_device *device) {
  (void)device;
  return netcl_tensor_save_npy(tensor, in_folder("x.npy"), LONG_WAIT);
}

static netcl_status write_trace(netcl_device *device) {
  netcl_profile_options options = NETCL_PROFILE_OPTIONS_INIT;
  (void)device;
  options.trace_path = in_folder("trace.json");
  OK(netcl_profile_start(&options));
  for (int i = 0; i < 100; ++i) {
    netcl_tensor *made = NULL;
    OK(netcl_op_copy(tensor, NULL, &made));
    netcl_tensor_release(made);
  }
  return netcl_profile_stop(LONG_WAIT);
}

static netcl_status put_records(netcl_device *device) {
  netcl_tuning_database *database = NULL;
  netcl_config *config = NULL;
  netcl_status status = NETCL_OK;
  OK(netcl_tuning_database_open(in_folder("tuning.jsonl"), &database));
  OK(netcl_config_create_from_json("{\"A\":1}", 7, &config));
  for (int i = 0; i < 100 && status == NETCL_OK; ++i) {
    netcl_tuning_key key = NETCL_TUNING_KEY_INIT;
    netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
    key.kernel = "k";
    key.shape[0] = i;
    key.shape_count = 1;
    record.kind = NETCL_TUNING_RECORD_BEST;
    record.outcome = NETCL_OUTCOME_CORRECT;
    record.median = 1;
    status = netcl_tuning_database_put(database, device, &key, config, &record);
  }
  netcl_config_release(config);
  netcl_tuning_database_release(database);
  return status;
}

/* What cannot be kept on disk is built all the same. */
static netcl_status build_kernel(netcl_device *device) {
  static const char kPiece[] = "  x = mad(x, 1.25f, (float)(i + %d)) + sin(x);\n";
  char *source = calloc(1, 1 << 16);
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_kernel *kernel = NULL;
  size_t length = (size_t)sprintf(source, "__kernel void k(__global float *a) {\n"
                                          "  const int i = get_global_id(0);\n  float x = a[i];\n");
  for (int i = 0; i < 100; ++i) {
    length += (size_t)sprintf(source + length, kPiece, (int)(random_bits() % 100000));
  }
  strcpy(source + length, "  a[i] = x;\n}\n");
  options.source = source;
  OK(netcl_kernel_create(device, "k", &options, &kernel));
  const netcl_status status = netcl_kernel_build(kernel);
  netcl_kernel_release(kernel);
  free(source);
  return status;
}

/* The signal is blocked, ignored, handled or as a program finds it: the call fails either way, and
 * nothing of the signal is left. */
static void check_limited(netcl_device *device, const char *name,
                          netcl_status (*call)(netcl_device *), netcl_status wanted) {
  sigset_t before, after, pending;
  struct sigaction action;
  assert_int_equal(pthread_sigmask(SIG_BLOCK, NULL, &before), 0);
  limit_files(kLimit);
  const netcl_status status = call(device);
  limit_files(RLIM_INFINITY);
  CHECK(status == wanted, "%s: %s, \"%s\"", name, netcl_status_name(status),
        netcl_last_error_message());
  assert_int_equal(pthread_sigmask(SIG_BLOCK, NULL, &after), 0);
  assert_int_equal(sigpending(&pending), 0);
  assert_int_equal(sigismember(&pending, SIGXFSZ), 0);
  for (int number = 1; number < 65; ++number) {
    assert_int_equal(sigismember(&before, number), sigismember(&after, number));
  }
  assert_int_equal(sigaction(SIGXFSZ, NULL, &action), 0);
  assert_true(action.sa_handler == SIG_DFL);
}

static void past_the_limit(void **state) {
  Fixture *fixture = *state;
  tensor = counting_tensor(fixture->device, NETCL_F32, kElements, 1);
  /* What the driver compiles is compiled before. */
  OK(write_trace(fixture->device));
  check_limited(fixture->device, "save_npy", save_npy, NETCL_ERROR_IO);
  assert_int_equal(access(in_folder("x.npy"), F_OK), -1);
  check_limited(fixture->device, "trace", write_trace, NETCL_ERROR_IO);
  check_limited(fixture->device, "database", put_records, NETCL_ERROR_IO);
  OK(save_npy(fixture->device));
  netcl_tensor_release(tensor);
}

/* PoCL's compiler ends the process where it cannot write, so it is not asked. */
static void building_past_the_limit(void **state) {
  Fixture *fixture = *state;
  if (!fixture->opencl) SKIP("kernels need an OpenCL device");
  limit_files(kLimit);
  const netcl_status status = build_kernel(fixture->device);
  limit_files(RLIM_INFINITY);
  CHECK(status == NETCL_OK || status == NETCL_ERROR_IO, "%s", netcl_last_error_message());
  OK(build_kernel(fixture->device));
}

static void on_signal(int number) {
  (void)number;
  ++handled;
}

/* A program with a handler of its own does not hear of what the library did. */
static void a_handler_is_not_called(void **state) {
  Fixture *fixture = *state;
  struct sigaction action = {0}, before;
  action.sa_handler = on_signal;
  tensor = counting_tensor(fixture->device, NETCL_F32, kElements, 1);
  assert_int_equal(sigaction(SIGXFSZ, &action, &before), 0);
  limit_files(kLimit);
  const netcl_status status = save_npy(fixture->device);
  limit_files(RLIM_INFINITY);
  assert_int_equal(sigaction(SIGXFSZ, &before, NULL), 0);
  CHECK(status == NETCL_ERROR_IO, "%s", netcl_status_name(status));
  assert_int_equal(handled, 0);
  netcl_tensor_release(tensor);
}

/* ---- What is left of writers that were killed */

static int save_for_ever(void) {
  static const int64_t kShape[] = {kKilledElements};
  netcl_device *device = NULL;
  netcl_tensor *zeros = NULL;
  CHILD_OK(netcl_device_open("builtin", NULL, &device));
  CHILD_OK(netcl_tensor_create_zeros(device, NETCL_F32, 1, kShape, NULL, NULL, &zeros));
  for (;;) CHILD_OK(netcl_tensor_save_npy(zeros, getenv("FILE_TO_WRITE"), LONG_WAIT));
}

/* Makes all temporary files in the folder a minute older and counts them. */
static int age_temporary_files(void) {
  DIR *stream = opendir(folder);
  int count = 0;
  assert_non_null(stream);
  for (const struct dirent *item; (item = readdir(stream)) != NULL;) {
    struct timespec times[2];
    if (strncmp(item->d_name, ".netcl-", 7) != 0) continue;
    ++count;
    clock_gettime(CLOCK_REALTIME, &times[0]);
    times[0].tv_sec -= 60;
    times[1] = times[0];
    assert_int_equal(utimensat(dirfd(stream), item->d_name, times, 0), 0);
  }
  closedir(stream);
  return count;
}

static void killed_writers(void **state) {
  char file[600];
  (void)state;
  snprintf(file, sizeof file, "FILE_TO_WRITE=%s", in_folder("killed.npy"));
  const char *const environment[] = {file, NULL};
  for (int i = 0; i < kKills; ++i) {
    process_result result;
    const double start = process_now();
    unlink(in_folder("killed.npy"));
    const process_ticket ticket = process_start_self("save_for_ever", environment);
    while (access(in_folder("killed.npy"), F_OK) != 0) {
      CHECK(process_now() - start < 60 && !process_has_ended(ticket),
            "nothing was written in kill %d", i);
      process_sleep_ms(1);
    }
    process_sleep_ms((unsigned)(random_bits() % 60));
    kill(ticket.pid, SIGKILL);
    process_finish(ticket, 30, &result);
    assert_int_equal(result.signal, SIGKILL);
    struct stat facts;
    assert_int_equal(stat(in_folder("killed.npy"), &facts), 0);
    assert_int_equal(facts.st_size, 128 + 4 * kKilledElements);
  }
  /* Some are killed between giving their file a name and moving it, which takes long where the disk
   * is slow. With a name from the beginning nearly all leave one. */
  const int left = age_temporary_files();
  print_message("%d of %d killed writers left a file\n", left, kKills);
  CHECK(left <= kKills / 2, "%d of %d killed writers left a file", left, kKills);
}

static void abandoned_files(void **state) {
  Fixture *fixture = *state;
  for (int i = 0; i < 3; ++i) {
    char name[64];
    snprintf(name, sizeof name, ".netcl-new-abandoned-%d", i);
    close(open(in_folder(name), O_RDWR | O_CREAT, 0600));
  }
  /* One that a living writer holds stays, and so does one that is new. */
  const int held = open(in_folder(".netcl-new-held"), O_RDWR | O_CREAT, 0600);
  assert_true(held >= 0 && flock(held, LOCK_EX) == 0);
  assert_true(age_temporary_files() >= 4);
  const int fresh = open(in_folder(".netcl-new-fresh"), O_RDWR | O_CREAT, 0600);
  assert_true(fresh >= 0);
  tensor = counting_tensor(fixture->device, NETCL_F32, 1000, 1);
  OK(save_npy(fixture->device));
  assert_int_equal(age_temporary_files(), 2);
  close(held);
  close(fresh);
  OK(save_npy(fixture->device));
  assert_int_equal(age_temporary_files(), 0);
  netcl_tensor_release(tensor);
}

/* ---- Where the system refuses files without names, or to give them one */

/* From now on this process gets `error` from a call whose argument of this number has these bits;
 * with no bits, always. */
static int refuse_call(long number, unsigned argument, uint32_t bits, uint32_t error) {
  const struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
               (uint32_t)(offsetof(struct seccomp_data, args) + 8 * argument)),
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, bits),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, bits, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog program = {COUNT_OF(code), (struct sock_filter *)code};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) != 0;
}

static int save_refused(const char *what) {
  static const int64_t kShape[] = {30011};
  netcl_device *device = NULL;
  netcl_tensor *zeros = NULL;
  const char *const path = getenv("FILE_TO_WRITE");
  struct stat facts;
  umask(027);
  CHILD_OK(netcl_device_open("builtin", NULL, &device));
  CHILD_OK(netcl_tensor_create_zeros(device, NETCL_F32, 1, kShape, NULL, NULL, &zeros));
  const int refused = strcmp(what, "tmpfile") == 0
                          ? refuse_call(SYS_openat, 2, O_TMPFILE & ~O_DIRECTORY, EOPNOTSUPP)
                          : refuse_call(SYS_linkat, 0, 0, EPERM);
  if (refused != 0) return kNoFilter;
  CHILD_OK(netcl_tensor_save_npy(zeros, path, LONG_WAIT));
  CHILD_CHECK(stat(path, &facts) == 0);
  CHILD_CHECK(facts.st_size == 128 + 4 * 30011 && (facts.st_mode & 07777) == 0640);
  /* What is replaced keeps its mode. */
  CHILD_CHECK(chmod(path, 0604) == 0);
  CHILD_OK(netcl_tensor_save_npy(zeros, path, LONG_WAIT));
  CHILD_CHECK(stat(path, &facts) == 0 && (facts.st_mode & 07777) == 0604);
  limit_files(kLimit);
  CHILD_STATUS(NETCL_ERROR_IO, netcl_tensor_save_npy(zeros, path, LONG_WAIT));
  CHILD_CHECK(stat(path, &facts) == 0 && facts.st_size == 128 + 4 * 30011);
  netcl_tensor_release(zeros);
  netcl_device_release(device);
  return 0;
}
static int save_without_tmpfile(void) { return save_refused("tmpfile"); }
static int save_without_links(void) { return save_refused("linkat"); }

static void refused_by_the_system(void **state) {
  char file[600];
  (void)state;
  snprintf(file, sizeof file, "FILE_TO_WRITE=%s", in_folder("refused.npy"));
  const char *const environment[] = {file, NULL};
  for (int i = 0; i < 2; ++i) {
    process_result result;
    process_run_self(i == 0 ? "save_without_tmpfile" : "save_without_links", environment, 60,
                     &result);
    if (result.exit_code == kNoFilter) SKIP("the system has no filters of calls");
    process_expect_exit(&result, 0);
    assert_int_equal(age_temporary_files(), 0);
    assert_int_equal(unlink(in_folder("refused.npy")), 0);
  }
}

static int make_folder(void **state) {
  (void)state;
  process_make_folder(folder, sizeof folder);
  return 0;
}
static int remove_folder(void **state) {
  (void)state;
  process_remove_folder(folder);
  return 0;
}

int main(int argc, char **argv) {
  static const process_mode kModes[] = {{"save_for_ever", save_for_ever},
                                        {"save_without_tmpfile", save_without_tmpfile},
                                        {"save_without_links", save_without_links}};
  const int code = process_child_main(argc, argv, kModes, COUNT_OF(kModes));
  if (code >= 0) return code;
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(past_the_limit),
      DEVICE_TEST(building_past_the_limit),
      DEVICE_TEST(a_handler_is_not_called),
      cmocka_unit_test(killed_writers),
      DEVICE_TEST(abandoned_files),
      cmocka_unit_test(refused_by_the_system),
  };
  seed_random("file_writing");
  return cmocka_run_group_tests_name("file_writing", tests, make_folder, remove_folder);
}
