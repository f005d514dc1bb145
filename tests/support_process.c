#include "support_process.h"

#include "support.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "sanitizers.h"

void process_end_by_signals(void) {
  static const int kFatal[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};
  for (size_t i = 0; i < sizeof kFatal / sizeof *kFatal; i++) signal(kFatal[i], SIG_DFL);
}

extern char **environ;

#if HAS_TSAN
/* A forked child must be able to start threads, and a process may end while others run. */
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
  return "die_after_fork=0:report_thread_leaks=0:atexit_sleep_ms=0";
}
#endif

int process_has_asan(void) { return HAS_ASAN; }
int process_has_tsan(void) { return HAS_TSAN; }

int process_full(void) {
  const char *text = getenv("NETCL_TEST_FULL");
  return text != NULL && text[0] != '\0' && strcmp(text, "0") != 0;
}

void process_expect_same_output(const char *mode, size_t length) {
  static const char *const kThreads[][2] = {
      {"NETCL_NUM_THREADS=1", NULL}, {"NETCL_NUM_THREADS=2", NULL}, {"NETCL_NUM_THREADS=5", NULL}};
  static process_result first, next;
  const size_t count = sizeof kThreads / sizeof *kThreads;
  process_run_self(mode, kThreads[count - 1], 120, &first);
  process_expect_exit(&first, 0);
  if (strlen(first.output) != length) fail_msg("the child printed too little:\n%s", first.output);
  for (size_t i = 0; i < count - 1 && !only_sanitized(); ++i) {
    process_run_self(mode, kThreads[i], 120, &next);
    process_expect_exit(&next, 0);
    assert_string_equal(first.output, next.output);
  }
}

double process_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void process_sleep_ms(unsigned milliseconds) {
  struct timespec left = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000L};
  while (nanosleep(&left, &left) != 0 && errno == EINTR) {
  }
}

int process_child_main(int argc, char **argv, const process_mode *modes, size_t modes_count) {
  if (argc < 3 || strcmp(argv[1], "--child") != 0) return -1;
  for (size_t i = 0; i < modes_count; i++) {
    if (strcmp(modes[i].name, argv[2]) == 0) return modes[i].run();
  }
  fprintf(stderr, "no child mode \"%s\"\n", argv[2]);
  return 99;
}

/* Tells whether an entry of the environment is the variable of a change ("NAME=value", "NAME"). */
static int same_variable(const char *entry, const char *change) {
  size_t length = strcspn(change, "=");
  return strncmp(entry, change, length) == 0 && entry[length] == '=';
}

/* Makes the environment of a child; only the array is new. */
static char **changed_environment(const char *const *changes) {
  size_t count = 0, changes_count = 0, kept = 0;
  while (environ[count] != NULL) count++;
  while (changes != NULL && changes[changes_count] != NULL) changes_count++;
  char **result = calloc(count + changes_count + 1, sizeof *result);
  assert_non_null(result);
  for (size_t i = 0; i < count; i++) {
    int replaced = 0;
    for (size_t j = 0; j < changes_count; j++) replaced |= same_variable(environ[i], changes[j]);
    if (!replaced) result[kept++] = environ[i];
  }
  for (size_t j = 0; j < changes_count; j++) {
    if (strchr(changes[j], '=') != NULL) result[kept++] = (char *)(uintptr_t)changes[j];
  }
  return result;
}

process_ticket process_start_self(const char *mode, const char *const *environment) {
  process_ticket ticket;
  int fds[2];
  pid_t pid = -1;
  char program[PATH_MAX] = {0};
  assert_true(readlink("/proc/self/exe", program, sizeof program - 1) > 0);
  char *arguments[] = {program, (char *)"--child", (char *)(uintptr_t)mode, NULL};
  assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fds[1], 1);
  posix_spawn_file_actions_adddup2(&actions, fds[1], 2);
  char **variables = changed_environment(environment);
  ticket.started = process_now();
  assert_int_equal(posix_spawn(&pid, program, &actions, NULL, arguments, variables), 0);
  posix_spawn_file_actions_destroy(&actions);
  free(variables);
  close(fds[1]);
  ticket.pid = pid;
  ticket.output_fd = fds[0];
  return ticket;
}

/* Reads what is there; returns 0 at the end of the output. */
static int read_output(int fd, int wait_ms, process_result *result) {
  struct pollfd entry = {fd, POLLIN, 0};
  char dropped[512];
  if (poll(&entry, 1, wait_ms) <= 0) return 1;
  size_t room = sizeof result->output - 1 - result->output_size;
  ssize_t got = room > 0 ? read(fd, result->output + result->output_size, room)
                         : read(fd, dropped, sizeof dropped);
  if (got > 0 && room > 0) result->output_size += (size_t)got;
  return got > 0 || (got < 0 && errno == EINTR);
}

int process_has_ended(process_ticket ticket) {
  siginfo_t info = {0};
  return waitid(P_PID, (id_t)ticket.pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid != 0;
}

void process_finish(process_ticket ticket, double limit_s, process_result *result) {
  int status = 0, open = 1;
  memset(result, 0, sizeof *result);
  result->exit_code = -1;
  for (;;) {
    if (open) open = read_output(ticket.output_fd, 5, result);
    else process_sleep_ms(2);
    pid_t ended = waitpid(ticket.pid, &status, WNOHANG);
    if (ended == ticket.pid) break;
    if (process_now() - ticket.started > limit_s) {
      result->timed_out = 1;
      kill(ticket.pid, SIGKILL);
      waitpid(ticket.pid, &status, 0);
      break;
    }
  }
  result->ended = process_now();
  result->seconds = result->ended - ticket.started;
  /* A grandchild may hold the pipe open: what has arrived by now is all that is read. */
  while (open && poll(&(struct pollfd){ticket.output_fd, POLLIN, 0}, 1, 0) > 0) {
    open = read_output(ticket.output_fd, 0, result);
  }
  close(ticket.output_fd);
  if (WIFEXITED(status) && !result->timed_out) result->exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result->signal = WTERMSIG(status);
}

void process_run_self(const char *mode, const char *const *environment, double limit_s,
                      process_result *result) {
  if (process_has_tsan() || process_has_asan()) limit_s *= 4;
  process_finish(process_start_self(mode, environment), limit_s, result);
}

void process_fork(int (*body)(void *), void *argument, int raw, int plain, unsigned limit_s,
                  process_result *result) {
  process_ticket ticket;
  int fds[2];
  if (process_has_tsan() || process_has_asan()) limit_s *= 4;
  if (pipe2(fds, O_CLOEXEC) != 0) abort();
  fflush(stdout);
  fflush(stderr);
  ticket.started = process_now();
  pid_t pid = raw ? (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) : fork();
  if (pid == 0) {
    alarm(limit_s);
    dup2(fds[1], 1);
    dup2(fds[1], 2);
    int code = body(argument);
    fflush(stderr);
    if (plain) _exit(code);
    exit(code);
  }
  close(fds[1]);
  ticket.pid = pid;
  ticket.output_fd = fds[0];
  process_finish(ticket, limit_s + 2.0, result);
}

void process_expect_exit(const process_result *result, int code) {
  if (result->exit_code == code) return;
  print_error("child: exit code %d (expected %d), signal %d, %s, %.2f s, output:\n%s\n",
              result->exit_code, code, result->signal,
              result->timed_out ? "out of time" : "in time", result->seconds, result->output);
  fail();
}

void process_make_folder(char *path, size_t capacity) {
  const char *base = getenv("TMPDIR");
  if (base == NULL || base[0] != '/') base = P_tmpdir;
  assert_true((size_t)snprintf(path, capacity, "%s/netcl-test-XXXXXX", base) < capacity);
  assert_non_null(mkdtemp(path));
}

void process_join_path(char *path, size_t capacity, const char *folder, const char *name) {
  int length = snprintf(path, capacity, "%s/%s", folder, name);
  assert_true(length > 0 && (size_t)length < capacity);
}

void process_remove_folder(const char *path) {
  DIR *folder = opendir(path);
  if (folder == NULL) return;
  for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
    char name[PATH_MAX];
    struct stat facts;
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    process_join_path(name, sizeof name, path, entry->d_name);
    if (lstat(name, &facts) == 0 && S_ISDIR(facts.st_mode)) process_remove_folder(name);
    else unlink(name);
  }
  closedir(folder);
  rmdir(path);
}

int process_copy_file(const char *from, const char *to) {
  char block[65536];
  FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
  size_t got = 0;
  int failed = in == NULL || out == NULL;
  while (!failed && (got = fread(block, 1, sizeof block, in)) > 0) {
    failed = fwrite(block, 1, got, out) != got;
  }
  if (in != NULL) fclose(in);
  if (out != NULL && fclose(out) != 0) failed = 1;
  return failed ? -1 : 0;
}

int process_library_path(char *path, size_t capacity) {
  Dl_info info;
  const char *(*function)(netcl_status) = netcl_status_name;
  void *address = NULL;
  memcpy(&address, &function, sizeof address);
  if (dladdr(address, &info) == 0 || info.dli_fname == NULL) return -1;
  return (size_t)snprintf(path, capacity, "%s", info.dli_fname) < capacity ? 0 : -1;
}

void process_log_print(uint64_t from) {
  netcl_log_record record = NETCL_LOG_RECORD_INIT;
  while (netcl_log_read(from, &record) == NETCL_OK && record.sequence > from) {
    fprintf(stderr, "log %d: %s\n", (int)record.level, record.message);
    from = record.sequence;
  }
}
