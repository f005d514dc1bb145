/* Helpers of tests that start processes: this program again in a named mode, or a forked child. */
#ifndef NETCL_TESTS_SUPPORT_PROCESS_H
#define NETCL_TESTS_SUPPORT_PROCESS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "netcl.h"

/* How a child process ended, and what it wrote to stdout and stderr. */
typedef struct process_result {
  int exit_code; /* -1 when a signal or the time limit ended it */
  int signal;
  int timed_out;
  double seconds;
  double ended; /* by process_now */
  size_t output_size;
  char output[32768];
} process_result;

/* Something this program can do as a process of its own. Returns the exit code. */
typedef struct process_mode {
  const char *name;
  int (*run)(void);
} process_mode;

/* In a child: what ends a process ends this one. cmocka catches it, and would go on with the next
 * test in the child. */
void process_end_by_signals(void);

/* In a child: reports a failed check on stderr and leaves the function with exit code 1. */
#define CHILD_CHECK(condition)                                                                  \
  do {                                                                                          \
    if (!(condition)) {                                                                         \
      fprintf(stderr, "%s:%d: %s [%s]\n", __FILE__, __LINE__, #condition,                       \
              netcl_last_error_message());                                                      \
      return 1;                                                                                 \
    }                                                                                           \
  } while (0)

/* As CHILD_CHECK, for a call that must give a certain status. */
#define CHILD_STATUS(expected, call)                                                            \
  do {                                                                                          \
    netcl_status child_status_ = (call);                                                        \
    if (child_status_ != (expected)) {                                                          \
      fprintf(stderr, "%s:%d: %s gave %s, expected %s [%s]\n", __FILE__, __LINE__, #call,       \
              netcl_status_name(child_status_), netcl_status_name(expected),                    \
              netcl_last_error_message());                                                      \
      return 1;                                                                                 \
    }                                                                                           \
  } while (0)
#define CHILD_OK(call) CHILD_STATUS(NETCL_OK, call)

/* Runs the mode that "--child NAME" asks for and returns its exit code; -1 when none was asked. */
int process_child_main(int argc, char **argv, const process_mode *modes, size_t modes_count);

/*
 * Runs this program as "--child MODE" and waits for it. `environment` is a NULL-terminated list of
 * "NAME=value" to set and "NAME" to unset; it may be NULL. The child is killed after limit_s.
 */
void process_run_self(const char *mode, const char *const *environment, double limit_s,
                      process_result *result);

/* As process_run_self, without waiting: several can run at once. Returns a ticket. */
typedef struct process_ticket {
  int pid;
  int output_fd;
  double started;
} process_ticket;
process_ticket process_start_self(const char *mode, const char *const *environment);
void process_finish(process_ticket ticket, double limit_s, process_result *result);
/* Whether it has ended, or its end cannot be known; process_finish is still to be called. */
int process_has_ended(process_ticket ticket);

/*
 * Forks; the child has limit_s (by alarm), runs body and exits with its value through exit(), or
 * through _exit() when `plain` is 1. With `raw` the child comes from a bare clone system call, of
 * which the C library knows nothing.
 */
void process_fork(int (*body)(void *), void *argument, int raw, int plain, unsigned limit_s,
                  process_result *result);

/* Fails the running cmocka test, with the output of the child, unless it exited with `code`. */
void process_expect_exit(const process_result *result, int code);

/* Runs a mode on the built-in device with 1, 2 and 5 threads: its output, of `length` bytes, is the
 * same each time. */
void process_expect_same_output(const char *mode, size_t length);

/* Seconds on a clock that only moves forward. */
double process_now(void);
void process_sleep_ms(unsigned milliseconds);

/* Makes an empty folder of mode 0700 and writes its path. */
void process_make_folder(char *path, size_t capacity);
/* Writes "folder/name" to path. */
void process_join_path(char *path, size_t capacity, const char *folder, const char *name);
/* Removes a folder with everything in it; links are not followed. */
void process_remove_folder(const char *path);
/* Copies a file; 0 on success. */
int process_copy_file(const char *from, const char *to);
/* Writes the path of the file that holds the library into `path`; 0 on success. */
int process_library_path(char *path, size_t capacity);

/* 1 when the program is built with a sanitizer that watches memory, or threads. */
int process_has_asan(void);
int process_has_tsan(void);
/* 1 when NETCL_TEST_FULL asks for the long tests. */
int process_full(void);

/* Writes the log records after `from` to stderr. */
void process_log_print(uint64_t from);

#endif
