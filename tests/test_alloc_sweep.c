/*
 * Every allocation of every function fails in turn, once and from then on: the call ends with a
 * status, its outputs are untouched, not a byte is lost, and the library goes on working. On the
 * built-in device: drivers of OpenCL abort when they get no memory.
 */
#include "support_alloc.h"
#include "support_alloc_cases.h"
#include "support_process.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>

enum { kCallsMost = 6, kExitHit = 3 };

/* Where a process is, for the one that waits for it. */
typedef struct Place {
  long n, allocations;
  int forever;
  netcl_status baseline;
} Place;
static Place *place;
enum { kUnknown = 1 }; /* a baseline that the call finds out */
static HandleMaker *maker;

/* The case of a function: the one made for this sweep, else that of the test of handles. */
static const HandleCase *case_of(const char *name) {
  for (size_t i = 0; i < kAllocCasesCount; i++) {
    if (strcmp(kAllocCases[i].name, name) == 0) return &kAllocCases[i];
  }
  for (size_t i = 0; i < handle_cases_count(); i++) {
    const HandleCase *found = handle_case(i);
    if (strcmp(found->name, name) == 0) return found->call == NULL ? NULL : found;
  }
  return NULL;
}

/* ---- One call -------------------------------------------------------------------------------- */

static int problems;
static const char *how(void) { return place->forever ? ", and all later" : ""; }
#define PROBLEM(...)                                                     \
  do {                                                                   \
    fprintf(stderr, __VA_ARGS__);                                        \
    fprintf(stderr, " (allocation %ld failed%s)\n", place->n, how());    \
    problems++;                                                          \
  } while (0)

static void release_any(void *handle) {
  for (int type = 0; type < HANDLE_TYPES; type++) release_handle_of(maker, type, handle);
}

/* A handle of the role's type. */
static void *make_handle(char role, netcl_device *device) {
  static const int64_t shape[2] = {2, 2};
  void *made = NULL;
  netcl_queue *queue = NULL;
  netcl_pool *pool = NULL;
  netcl_space *space = NULL;
  if (alloc_make(role, device, &made)) return made;
  switch (role >= 'A' && role <= 'Z' ? role - 'A' + 'a' : role) {
    case 'd': MUST(netcl_device_open("builtin", NULL, (netcl_device **)&made)); break;
    case 'q': MUST(netcl_queue_create(device, NULL, (netcl_queue **)&made)); break;
    case 'e':
      MUST(netcl_device_get_queue(device, &queue));
      MUST(netcl_queue_enqueue_marker(queue, NULL, 0, (netcl_event **)&made));
      break;
    case 'p': MUST(netcl_pool_create(device, NULL, (netcl_pool **)&made)); break;
    case 'b':
      MUST(netcl_pool_create(device, NULL, &pool));
      MUST(netcl_pool_allocate(pool, 64, (netcl_buffer **)&made));
      break;
    case 't':
      MUST(netcl_tensor_create_zeros(device, NETCL_F32, 2, shape, NULL, NULL,
                                   (netcl_tensor **)&made));
      break;
    case 'x': MUST(netcl_expression_create("v0 + v1", (netcl_expression **)&made)); break;
    case 'm':
    case 'i':
    case 'r':
      MUST(netcl_device_get_queue(device, &queue));
      if (role == 'm') MUST(netcl_measurement_create(queue, NULL, (netcl_measurement **)&made));
      if (role == 'i') MUST(netcl_timer_create(queue, (netcl_timer **)&made));
      if (role == 'r') MUST(netcl_region_begin(queue, NULL, "region", (netcl_region **)&made));
      break;
    case 'o': MUST(netcl_roofline_create(NULL, (netcl_roofline **)&made)); break;
    case 's': MUST(netcl_space_create((netcl_space **)&made)); break;
    case 'c':
      MUST(netcl_config_create_from_json("{\"A\": 1, \"T\": \"t\"}", 18,
                                         (netcl_config **)&made));
      break;
    case 'y': MUST(netcl_tuning_database_open(":memory:", (netcl_tuning_database **)&made)); break;
    case 'g': MUST(netcl_ceilings_create((netcl_ceilings **)&made)); break;
    case 'h':
      MUST(netcl_space_create(&space));
      MUST(netcl_space_add_bool(space, "FLAG"));
      MUST(netcl_search_create(space, NULL, NULL, NULL, (netcl_search **)&made));
      break;
    case 'u': MUST(netcl_tuner_create(device, NULL, (netcl_tuner **)&made)); break;
    default: break; /* kernels and benchmarks need OpenCL */
  }
  netcl_queue_release(queue);
  netcl_pool_release(pool);
  netcl_space_release(space);
  return made;
}

/* Calls the function with handles of its own, the chosen allocation failing. */
static netcl_status call_once(const HandleCase *test, long n, int forever) {
  void *handles[10] = {NULL};
  netcl_device *device = NULL;
  const size_t count = strlen(test->roles);
  if (count > 0) MUST(netcl_device_open("builtin", NULL, &device));
  for (size_t i = 0; i < count; i++) handles[i] = make_handle(test->roles[i], device);
  poison_outputs();
  info(2048); /* so that all of it is poisoned */
  poison_outputs();
  alloc_arm(n, forever);
  const netcl_status status = test->call(handles);
  place->allocations = alloc_disarm();
  const int hit = place->allocations > n;
  netcl_error_info error = NETCL_ERROR_INFO_INIT;
  netcl_last_error_get_info(&error);
  if (alloc_clean_up(test->name) != NETCL_OK) PROBLEM("%s cannot be undone", test->name);
  if (status != NETCL_OK && !outputs_are_untouched()) {
    PROBLEM("%s wrote an output although it gave %s", test->name, netcl_status_name(status));
  }
  if (place->baseline == kUnknown) place->baseline = status;
  if (status != NETCL_OK && status != place->baseline &&
      !(hit && (status == NETCL_ERROR_OUT_OF_HOST_MEMORY ||
                status == NETCL_ERROR_OUT_OF_DEVICE_MEMORY))) {
    PROBLEM("%s gave %s: %s", test->name, netcl_status_name(status), error.message);
  }
  if (status == NETCL_OK) {
    void **words = out();
    for (int i = 0; i < 8; i++) {
      if (words[i] != NULL) release_any(words[i]);
    }
  }
  for (size_t i = count; i-- > (test->releases ? 1 : 0);) release_any(handles[i]);
  netcl_device_release(device);
  return status;
}

/* ---- One function ---------------------------------------------------------------------------- */

/* The failing call again and again: what stays behind each time is lost. */
static void check_leak(const HandleCase *test, long n, int forever) {
  long grown = 0;
  for (int i = 0; i < kCallsMost; i++) {
    const long before = alloc_live_bytes();
    call_once(test, n, forever);
    grown = alloc_live_bytes() - before;
    if (grown <= 0) return;
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
static int sweep_warm(const HandleCase *test) {
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
static int sweep_cold(const HandleCase *test) {
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

static const int kFatal[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};

static int run_in_child(int (*body)(const HandleCase *), const HandleCase *test) {
  fflush(NULL);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    alarm(120);
    /* cmocka catches these, and would go on with the next test in this process. */
    for (size_t i = 0; i < COUNT_OF(kFatal); i++) signal(kFatal[i], SIG_DFL);
    _exit(body(test));
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  if (WIFSIGNALED(status)) {
    print_error("%s: signal %d when allocation %ld failed%s\n", test->name, WTERMSIG(status),
                place->n, how());
    return 1;
  }
  return WEXITSTATUS(status);
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

static void sweep(int cold) {
  int failed = 0;
  if (strcmp(test_selector(), "builtin") != 0) SKIP("drivers abort when they get no memory");
  if (!alloc_interposed) SKIP("the sanitizer has an allocator of its own");
  for (size_t i = 0; i < handle_cases_count(); i++) {
    const char *name = handle_case(i)->name;
    const HandleCase *test = case_of(name);
    if (!wanted(name)) continue;
    CHECK(test != NULL, "%s has no case in support_alloc_cases.c", name);
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
  setenv("NETCL_BACKEND", "builtin", 1); /* drivers abort when they get no memory */
  maker = handle_maker(NULL);
  place = mmap(NULL, sizeof *place, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_true(place != MAP_FAILED);
  return cmocka_run_group_tests_name("alloc_sweep", tests, NULL, NULL);
}
