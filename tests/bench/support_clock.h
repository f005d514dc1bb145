/* What every benchmark has: the clock, and an end at the first error. With --cpu-time among the
 * arguments the clock is the processor time of the program, which other programs disturb less; the
 * sides that wait for nothing can be compared by it. */
#ifndef NETCL_BENCH_SUPPORT_CLOCK_H
#define NETCL_BENCH_SUPPORT_CLOCK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "netcl.h"

#define CHECK(call) check((call), #call)

static clockid_t bench_clock = CLOCK_MONOTONIC;

/* Both in seconds. */
static inline double time_by(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static inline double now(void) { return time_by(bench_clock); }

static inline void check(netcl_status status, const char* what) {
  if (status == NETCL_OK) return;
  fprintf(stderr, "%s: %s: %s\n", what, netcl_status_name(status), netcl_last_error_message());
  exit(1);
}

/* Takes --cpu-time out of the arguments and returns how many are left. */
static inline int take_clock(int argc, char** argv) {
  int i, left = 0;
  for (i = 0; i < argc; ++i) {
    if (strcmp(argv[i], "--cpu-time") == 0) {
      bench_clock = CLOCK_PROCESS_CPUTIME_ID;
    } else {
      argv[left++] = argv[i];
    }
  }
  return left;
}

#endif
