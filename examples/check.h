/*
 * What the larger examples share: ending with a message when something fails, memory, a clock.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NETCL_EXAMPLE_CHECK_H
#define NETCL_EXAMPLE_CHECK_H

#include <netcl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PATIENCE_NS ((uint64_t)300 * 1000 * 1000 * 1000)

/* The name that messages begin with; each program sets it first. */
static const char *program_name = "example";

static void fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s: %s\n", program_name, what, why);
  exit(1);
}

/* Ends the program when a call has failed, with the library's own words. */
static void check(netcl_status status, const char *call) {
  char what[96];
  if (status == NETCL_OK) return;
  snprintf(what, sizeof what, "%.*s: %s", (int)strcspn(call, "("), call,
           netcl_status_name(status));
  fail(what, netcl_last_error_message());
}
#define CHECK(call) check((call), #call)

static inline void *allocate(size_t bytes) {
  void *memory = malloc(bytes > 0 ? bytes : 1);
  if (memory == NULL) fail("memory", "there is not enough");
  return memory;
}

static inline uint64_t now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

#endif
