/* A process that may hang, and the one that looks after it. */
#include <dirent.h>
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support_fault.h"
#include "support_process.h"

static void dump_stack(int signal) {
  void* frames[64];
  (void)signal;
  backtrace_symbols_fd(frames, backtrace(frames, 64), 2);
}

void be_watched(void) {
  void* frame = NULL;
  process_end_by_signals();
  (void)backtrace(&frame, 1); /* loads what it needs */
  signal(SIGUSR2, dump_stack);
}

static void dump_stacks(pid_t child) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", (int)child);
  DIR* const threads = opendir(path);
  if (threads == NULL) return;
  for (struct dirent* entry = readdir(threads); entry != NULL; entry = readdir(threads)) {
    const long thread = strtol(entry->d_name, NULL, 10);
    if (thread <= 0) continue;
    fprintf(stderr, "thread %ld:\n", thread);
    syscall(SYS_tgkill, (long)child, thread, SIGUSR2);
    process_sleep_ms(100);
  }
  closedir(threads);
}

int watch_child(pid_t child, const uint64_t* steps, double limit_s, int* signal_of) {
  uint64_t seen = 0;
  double since = process_now();
  for (;;) {
    int status = 0;
    const pid_t ended = waitpid(child, &status, WNOHANG);
    *signal_of = ended == child && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (ended == child) return *signal_of != 0 ? -1 : WEXITSTATUS(status);
    const uint64_t now = __atomic_load_n(steps, __ATOMIC_RELAXED);
    if (now != seen) {
      seen = now;
      since = process_now();
    }
    if (process_now() - since > limit_s) {
      dump_stacks(child);
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return -1;
    }
    process_sleep_ms(20);
  }
}
