/*
 * Every allocation of every function fails in turn, once and from then on: the call ends with a
 * status, its outputs are untouched, not a byte is lost, and the library goes on working. Drivers
 * of OpenCL abort when they get no memory: there it is what the library itself asks for.
 */
#include "support_alloc.h"
#include "support_process.h"
#include "support_sweep.h"
#include "support_sweep_cases.h"

#include <stdio.h>

enum { kCallsLeast = 100, kSecondsLeast = 5, kExitHit = 3 };

/* Where a process is, for the one that waits for it. */
typedef struct Place {
  long n, allocations;
  int forever;
  netcl_status baseline;
} Place;
static Place *place;
enum { kUnknown = 1 }; /* a baseline that the call finds out */

/* ---- One call -------------------------------------------------------------------------------- */

static int problems;
static const char *how(void) { return place->forever ? ", and all later" : ""; }
#define PROBLEM(...)                                                     \
  do {                                                                   \
    fprintf(stderr, __VA_ARGS__);                                        \
    fprintf(stderr, " (allocation %ld failed%s)\n", place->n, how());    \
    problems++;                                                          \
  } while (0)

/* Calls the function with handles of its own, the chosen allocation failing. */
static netcl_status call_once(const HandleCase *test, long n, int forever) {
  SweepCall call;
  netcl_device *device = NULL;
  if (test->roles[0] != '\0') MUST(netcl_device_open(test_selector(), NULL, &device));
  sweep_begin(&call, test, device);
  alloc_arm(n, forever);
  const netcl_status status = sweep_call(&call);
  place->allocations = alloc_disarm();
  const int hit = place->allocations > n;
  netcl_error_info error = NETCL_ERROR_INFO_INIT;
  netcl_last_error_get_info(&error);
  if (sweep_clean_up(test->name) != NETCL_OK) PROBLEM("%s cannot be undone", test->name);
  if (status != NETCL_OK && !outputs_are_untouched()) {
    PROBLEM("%s wrote an output although it gave %s", test->name, netcl_status_name(status));
  }
  if (place->baseline == kUnknown) place->baseline = status;
  if (status != NETCL_OK && status != place->baseline &&
      !(hit && (status == NETCL_ERROR_OUT_OF_HOST_MEMORY ||
                status == NETCL_ERROR_OUT_OF_DEVICE_MEMORY))) {
    PROBLEM("%s gave %s: %s", test->name, netcl_status_name(status), error.message);
  }
  sweep_end(&call, status);
  /* What failed after its call is told once. */
  for (int i = 0; i < 2 && device != NULL; ++i) (void)netcl_device_finish(device, LONG_WAIT);
  netcl_device_release(device);
  return status;
}

/* ---- One function ---------------------------------------------------------------------------- */

/* The failing call again and again: what stays behind each time is lost. */
static void check_leak(const HandleCase *test, long n, int forever) {
  long grown = 0;
  const double begin = process_now();
  for (int i = 0; i < kCallsLeast || process_now() - begin < kSecondsLeast; i++) {
    const long before = alloc_live_bytes();
    call_once(test, n, forever);
    grown = alloc_live_bytes() - before;
    if (grown <= 0) return;
    /* What a driver's thread still holds is let go by a later call: after some twenty of them, or
     * more than a hundred, where the processors have other work. */
    usleep(1000);
  }
  PROBLEM("%s loses %ld bytes with each call", test->name, grown);
}

static void quiet(void) { MUST(netcl_log_set_level(NETCL_LOG_OFF)); }

/* The next allocation that fails: each of them, or a few spread over all. */
static long next(long n, long allocations) {
  if (process_full() || allocations < 16) return n + 1;
  return n + 1 + random_in(0, allocations / 8);
}

/* In a process of its own: all places, in a library that has done the call before. */
static int sweep_warm(void *data) {
  const HandleCase *test = data;
  quiet();
  place->n = -1;
  place->baseline = kUnknown;
  call_once(test, INT32_MAX, 0);
  call_once(test, INT32_MAX, 0);
  for (int forever = 0; forever < 2; forever++) {
    place->forever = forever;
    long allocations = place->allocations;
    for (long n = 0; n < allocations; n = next(n, allocations)) {
      place->n = n;
      check_leak(test, n, forever);
      if (problems > 4) return 1;
      if (place->allocations > allocations && !forever) allocations = place->allocations;
    }
    call_once(test, INT32_MAX, 0);
    if (place->allocations == 0) break;
  }
  const netcl_status after = call_once(test, INT32_MAX, 0);
  if (after != place->baseline) {
    PROBLEM("%s gives %s after all", test->name, netcl_status_name(after));
  }
  return problems > 0;
}

/* In a process that has called nothing before: one place. */
static int sweep_cold(void *data) {
  const HandleCase *test = data;
  const long n = place->n;
  const int forever = place->forever;
  if (test->roles[0] != '\0') quiet();
  if (strncmp(test->name, "netcl_profile", 13) == 0) {
    /* glibc ends the process when it has no memory to note the hook for the end of the main thread,
     * which the first profile asks for. The library looks for memory first, but here just the one
     * allocation of glibc would fail. */
    MUST(netcl_profile_start(NULL));
    MUST(netcl_profile_stop(LONG_WAIT));
  }
  call_once(test, n, forever);
  const int hit = place->allocations > n;
  quiet();
  const netcl_status after = call_once(test, INT32_MAX, 0);
  if (hit && after != place->baseline) {
    PROBLEM("%s gives %s after that", test->name, netcl_status_name(after));
  }
  return problems > 0 ? 1 : hit ? kExitHit : 0;
}

static int run_in_child(int (*body)(void *), const HandleCase *test) {
  int signal = 0;
  const int code = sweep_in_child(body, (void *)(uintptr_t)test, 120, &signal);
  if (signal == 0) return code;
  print_error("%s: signal %d when allocation %ld failed%s\n", test->name, signal, place->n, how());
  return 1;
}

static int fails_cold(const HandleCase *test) {
  place->n = INT32_MAX;
  place->forever = 0;
  place->baseline = kUnknown;
  int failed = run_in_child(sweep_cold, test) != 0;
  const netcl_status baseline = place->baseline;
  for (int forever = 0; forever < 2; forever++) {
    for (long n = 0;; n = next(n, place->allocations)) {
      place->n = n;
      place->forever = forever;
      place->baseline = baseline;
      const int code = run_in_child(sweep_cold, test);
      if (code != 0 && code != kExitHit && ++failed > 4) return failed;
      if (code == 0) break;
    }
  }
  return failed;
}

/* ---- All functions --------------------------------------------------------------------------- */

static int wanted(const char *name) {
  const char *only = getenv("NETCL_TEST_ONLY");
  return only == NULL || strcmp(only, name) == 0;
}

static int takes_long(const char *name) {
  return strcmp(name, "netcl_kernel_autotune") == 0 || strncmp(name, "netcl_tuner_", 12) == 0 ||
         strncmp(name, "netcl_benchmark_", 16) == 0;
}

static void sweep(int cold) {
  int failed = 0;
  const int builtin = strcmp(test_selector(), "builtin") == 0;
  if (!builtin && cold) SKIP("a driver takes too long to start for a process of each allocation");
  if (!alloc_interposed) SKIP("the sanitizer has an allocator of its own");
  for (size_t i = 0; i < handle_cases_count(); i++) {
    const char *name = handle_case(i)->name;
    const HandleCase *test = sweep_case(name, !builtin);
    if (!wanted(name)) continue;
    if (!builtin && !process_full() && random_in(0, 11) != 0) continue;
    /* Thousands of allocations in seconds, each of which would be tried. */
    if (!builtin && takes_long(name)) continue;
    CHECK(test != NULL, "%s has no case in support_sweep_cases.c", name);
    const double from = process_now();
    failed += cold ? fails_cold(test) : run_in_child(sweep_warm, test) != 0;
    if (getenv("NETCL_TEST_VERBOSE") != NULL) {
      print_message("%-40s %-28s %5ld allocations %.2f s\n", name,
                    netcl_status_name(place->baseline), place->allocations, process_now() - from);
    }
  }
  assert_int_equal(failed, 0);
}

static void a_warm_library_survives(void **state) {
  (void)state;
  sweep(0);
}
static void a_fresh_library_survives(void **state) {
  (void)state;
  sweep(1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_warm_library_survives),
      cmocka_unit_test(a_fresh_library_survives),
  };
  seed_random("alloc_sweep");
  if (strcmp(test_selector(), "builtin") == 0) {
    setenv("NETCL_BACKEND", "builtin", 1);
  } else {
    alloc_only_library();
    compile_quickly();
  }
  place = mmap(NULL, sizeof *place, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_true(place != MAP_FAILED);
  return cmocka_run_group_tests_name("alloc_sweep", tests, NULL, NULL);
}
