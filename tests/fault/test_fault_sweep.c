/*
 * Every function of the API lock, with each call that it makes to the driver failing in turn, in
 * each plausible way: the function ends with a status that says why or with what it promises, its
 * outputs are untouched where it fails, nothing is left behind, and the device goes on working or
 * says that it is lost. A sample of it, of some seconds of processor time or NETCL_TEST_SECONDS;
 * all with NETCL_TEST_FULL=1. NETCL_TEST_ONLY names one function, NETCL_TEST_VERBOSE=1 prints what
 * each does.
 */
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "support_fault.h"
#include "support_process.h"
#include "support_sweep_cases.h"

enum { kEntriesMost = 256, kProblemsMost = 12 };
enum { kNoStepSeconds = 60 };

/* Where the process is that does the calls, for the one that watches it. */
typedef struct Place {
  int next; /* function that comes next */
  char function[64];
  char fault[160];
  uint64_t steps; /* that something is done */
  int problems;
  double spent; /* seconds of processor time */
  uint64_t fired, failed, survived, lost, reach, opened;
} Place;
static Place* place;

#define PROBLEM(...)                                            \
  do {                                                          \
    fprintf(stderr, "%s, %s: ", place->function, place->fault); \
    fprintf(stderr, __VA_ARGS__);                               \
    fputc('\n', stderr);                                        \
    place->problems++;                                          \
  } while (0)

/* ---- One call -------------------------------------------------------------------------------- */

typedef struct Result {
  netcl_status status;
  netcl_error_info error;
  int hits;
  netcl_status read; /* of what it gave and changed */
  uint64_t hash;
  int gave; /* 1 when something was written */
  uint64_t calls[kEntriesMost];
} Result;

static void hash_one(void* handle, void* data) {
  Result* result = data;
  netcl_status status = NETCL_OK;
  const uint64_t hash = hash_tensor(handle, &status);
  if (status == NETCL_ERROR_INVALID_HANDLE) return; /* of another type, or a number */
  if (status != NETCL_OK && result->read == NETCL_OK) result->read = status;
  result->hash = result->hash * 31 + hash;
}

static void note_calls(Result* result) {
  const FaultControl* control = fault_control();
  for (int i = 0; i < control->functions_count; ++i) result->calls[i] = control->calls(i);
}

/* With handles of its own, the chosen call of the driver failing; without a fault all is well. */
static void call_once(const HandleCase* test, netcl_device* device, const Fault* fault,
                      Result* result) {
  const FaultControl* control = fault_control();
  SweepCall call;
  memset(result, 0, sizeof *result);
  place->steps++;
  sweep_begin(&call, test, device);
  MUST(netcl_device_finish(device, LONG_WAIT));
  control->reset_calls();
  if (fault != NULL) control->arm(fault->entry, fault->nth, fault->action, fault->value);
  result->status = sweep_call(&call);
  result->error = (netcl_error_info)NETCL_ERROR_INFO_INIT;
  netcl_last_error_get_info(&result->error);
  note_calls(result);
  result->hits = control->disarm();
  /* A read that had begun when the device was lost may have come to its end. */
  const int read =
      strcmp(test->name, "netcl_tensor_read") == 0 && fault != NULL && fault->action == FAULT_LOSE;
  if (result->status != NETCL_OK && !outputs_are_untouched() && !read) {
    PROBLEM("an output was written although it gave %s", netcl_status_name(result->status));
  }
  result->gave = !outputs_are_untouched();
  if (result->status == NETCL_OK) {
    sweep_given(hash_one, result);
    for (size_t i = 0; i < call.count && !test->releases; ++i) hash_one(call.handles[i], result);
  }
  if (sweep_clean_up(test->name) != NETCL_OK) {
    PROBLEM("it cannot be undone: %s", netcl_last_error_message());
  }
  sweep_end(&call, result->status);
  /* What failed after its call is told once. */
  for (int i = 0; i < 2; ++i) (void)netcl_device_finish(device, LONG_WAIT);
}

static void judge(const Result* result, const Result* well, int same, const Fault* fault) {
  const netcl_error_info* error = &result->error;
  ++place->fired;
  if (result->status == NETCL_OK) {
    ++place->survived;
    if (well->status != NETCL_OK)
      PROBLEM("OK, and without a fault %s", netcl_status_name(well->status));
    if (well->gave && !result->gave) PROBLEM("OK, and nothing was given");
    if (result->read == NETCL_OK && same && result->hash != well->hash) {
      PROBLEM("OK, and the result is wrong");
    }
    if (result->read != NETCL_OK && !status_is_plausible(result->read)) {
      PROBLEM("reading the result gives %s: %s", netcl_status_name(result->read),
              netcl_last_error_message());
    }
    if (fault->action == FAULT_BLOCK && result->read != NETCL_OK) {
      PROBLEM("reading the result gives %s", netcl_status_name(result->read));
    }
    return;
  }
  ++place->failed;
  if (result->status == well->status) return;
  if (fault->action == FAULT_BLOCK)
    PROBLEM("%s: %s", netcl_status_name(result->status), error->message);
  if (!status_is_plausible(result->status)) {
    PROBLEM("%s: %s", netcl_status_name(result->status), error->message);
  }
  if (result->status != NETCL_ERROR_DEVICE_LOST && !error_says(error, fault)) {
    PROBLEM("%s does not say what failed: \"%s\"", netcl_status_name(result->status),
            error->message);
  }
}

/* Whether the device computes; 0 when it is lost, and says so. */
static int works(netcl_device* device) {
  const int64_t shape[1] = {4};
  const float numbers[4] = {1, 2, 3, 4};
  float seen[4] = {0};
  netcl_tensor *x = NULL, *y = NULL;
  netcl_status status = netcl_tensor_create_from_host(device, NETCL_F32, 1, shape, NULL, numbers,
                                                      sizeof numbers, NULL, &x);
  if (status == NETCL_OK) {
    status = netcl_op_expression_text("v0 * 2 + 1", &x, 1, NULL, NULL, &y);
  }
  if (status == NETCL_OK) status = netcl_tensor_read(y, seen, sizeof seen, NULL, LONG_WAIT);
  if (status != NETCL_OK && status != NETCL_ERROR_DEVICE_LOST) {
    PROBLEM("the device does not work any more: %s", netcl_last_error_message());
  }
  netcl_tensor_release(x);
  netcl_tensor_release(y);
  for (int i = 0; i < 4 && status == NETCL_OK; ++i) {
    if (seen[i] != 2 * numbers[i] + 1) PROBLEM("the device computes %g", seen[i]);
  }
  return status != NETCL_ERROR_DEVICE_LOST;
}

/* ---- One function ---------------------------------------------------------------------------- */

static netcl_device* open_device(void) {
  netcl_device_options options = NETCL_DEVICE_OPTIONS_INIT;
  netcl_device* device = NULL;
  options.separate = 1;
  place->opened++;
  MUST(netcl_device_open(test_selector(), &options, &device));
  return device;
}

/* The device goes, and everything with it. Threads of the driver may let go a moment later. */
static void close_device(netcl_device* device, const Held* before) {
  char text[512];
  const char* more = NULL;
  netcl_device_release(device);
  for (int ms = 0; ms < 1000; ms += 5) {
    Held after;
    look_held(&after);
    more = held_more(before, &after, text, sizeof text);
    if (more == NULL) break;
    process_sleep_ms(5);
  }
  if (more != NULL) PROBLEM("left behind:%s", more);
  if (fault_control()->over_released() > 0) {
    static uint64_t known;
    const uint64_t now = fault_control()->over_released();
    if (now > known) PROBLEM("%d releases too many", (int)(now - known));
    known = now;
  }
}

static void describe(const Fault* fault, int cold) {
  static const char* const kActions[] = FAULT_ACTION_NAMES;
  snprintf(place->fault, sizeof place->fault, "%s, call %llu of %s: %s %d", cold ? "cold" : "warm",
           (unsigned long long)fault->nth, fault_control()->function_name(fault->entry),
           kActions[fault->action], fault->value);
}

/* Which calls are made to fail: all, or here and there one. */
static int chosen(uint64_t among) { return process_full() || random_in(0, (int64_t)among) == 0; }

typedef int Try(const HandleCase* test, const Fault* fault, const Result* well, int same);

/* Of some thousand calls about every twentieth. */
static uint64_t step(uint64_t calls) {
  return calls < 100 ? 1 : (uint64_t)random_in(1, (int64_t)(calls / 10));
}

/* Makes each call that the function makes fail in each way. */
static void each_fault(const HandleCase* test, const Result* well, int same, uint64_t among,
                       Try try) {
  for (int entry = 0; entry < fault_control()->functions_count; ++entry) {
    if (well->calls[entry] == 0) continue;
    for (int i = 0; i < kWaysCount; ++i) {
      if (!way_possible(&kWays[i], entry)) continue;
      Fault fault = {entry, 1, kWays[i].action, kWays[i].value};
      const uint64_t most = way_calls(&kWays[i], entry, well->calls[entry]);
      for (; fault.nth <= most; fault.nth += step(well->calls[entry])) {
        if (!chosen(among)) continue;
        if (!try(test, &fault, well, same)) break;
        if (place->problems > kProblemsMost) return;
      }
    }
  }
}

static netcl_device* warm_device;
static Held warm_before;

/* One call that fails does not make a device a lost one. */
static void note_lost(const Fault* fault) {
  ++place->lost;
  if (fault->action != FAULT_LOSE) PROBLEM("the device is taken for lost");
}

/* 1 when the fault came to pass. */
static int try_warm(const HandleCase* test, const Fault* fault, const Result* well, int same) {
  Result result;
  const uint64_t bytes = bytes_in_use(warm_device);
  describe(fault, 0);
  call_once(test, warm_device, fault, &result);
  if (result.hits == 0) return 0;
  judge(&result, well, same, fault);
  if (bytes_in_use(warm_device) > bytes) PROBLEM("pools have more bytes in use");
  if (works(warm_device)) return 1;
  note_lost(fault);
  close_device(warm_device, &warm_before);
  warm_device = open_device();
  call_once(test, warm_device, NULL, &result);
  if (result.status != well->status) {
    PROBLEM("opened again: %s: %s", netcl_status_name(result.status), result.error.message);
  }
  return 1;
}

static int compiles(const Result* well) {
  const FaultControl* control = fault_control();
  for (int i = 0; i < control->functions_count; ++i) {
    if (strcmp(control->function_name(i), "clBuildProgram") == 0) return well->calls[i] > 0;
  }
  return 0;
}

static int try_cold(const HandleCase* test, const Fault* fault, const Result* well, int same) {
  Result result;
  Held before;
  describe(fault, 1);
  look_held(&before);
  netcl_device* device = open_device();
  /* From source, or from the disk. */
  if (compiles(well)) MUST(netcl_program_cache_clear(fault->nth == 1));
  call_once(test, device, fault, &result);
  if (result.hits > 0) {
    judge(&result, well, same, fault);
    if (!works(device)) note_lost(fault);
  }
  close_device(device, &before);
  return result.hits > 0;
}

static int sum_of(const Result* result) {
  uint64_t sum = 0;
  for (int i = 0; i < kEntriesMost; ++i) sum += result->calls[i];
  return (int)sum;
}

/* Elements that nobody has written yet. */
static int is_undefined(const char* name) {
  return strcmp(name, "netcl_tensor_create") == 0 ||
         strcmp(name, "netcl_tensor_create_from_buffer") == 0;
}

static const char* device_class;

static void sweep_one(const char* name) {
  const HandleCase* test = sweep_case(name, 1);
  const double from = process_now();
  const uint64_t fired = place->fired;
  static Result first, second;
  snprintf(place->function, sizeof place->function, "%s", name);
  snprintf(place->fault, sizeof place->fault, "without a fault");
  look_held(&warm_before);
  warm_device = open_device();
  call_once(test, warm_device, NULL, &first);
  const int cold_calls = sum_of(&first);
  call_once(test, warm_device, NULL, &second);
  const int warm_calls = sum_of(&second);
  const int same = first.hash == second.hash && !is_undefined(name);
  const int compiled = strcmp(device_class, "gpu") == 0;
  if (first.status != second.status) {
    PROBLEM("%s, then %s", netcl_status_name(first.status), netcl_status_name(second.status));
  }
  (void)works(warm_device);
  if (warm_calls > 0) each_fault(test, &second, same, compiled ? 40 : 12, try_warm);
  snprintf(place->fault, sizeof place->fault, "after all warm faults");
  close_device(warm_device, &warm_before);
  if (cold_calls > 0) {
    ++place->reach;
    each_fault(test, &first, same, compiled ? 400 : 80, try_cold);
  }
  if (getenv("NETCL_TEST_VERBOSE") != NULL) {
    fprintf(stderr, "%-40s %-20s %4d calls cold, %4d warm, %5d faults, %.2f s%s\n", name,
            netcl_status_name(second.status), cold_calls, warm_calls, (int)(place->fired - fired),
            process_now() - from, second.status == NETCL_OK ? "" : second.error.message);
  }
}

/* ---- The process that calls, and the one that watches ---------------------------------------- */

static char names[LOCK_FUNCTIONS][64];
static int names_count;
static int order[LOCK_FUNCTIONS];

static double processor_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec +
         (double)usage.ru_stime.tv_sec + 1e-6 * (double)usage.ru_stime.tv_usec;
}

/* Compares candidates for seconds, or compiles some twenty kernels. */
static int takes_long(const char* name) {
  if (strcmp(device_class, "gpu") == 0 && strncmp(name, "netcl_graph_", 12) == 0) return 1;
  return strncmp(name, "netcl_tuner_", 12) == 0 || strncmp(name, "netcl_benchmark_", 16) == 0 ||
         strcmp(name, "netcl_kernel_autotune") == 0 || strcmp(name, "netcl_ceilings_measure") == 0;
}

static int call_all(double seconds) {
  const char* only = getenv("NETCL_TEST_ONLY");
  be_watched();
  setenv("NETCL_DEVICE_CLASS", device_class, 1);
  compile_quickly();
  MUST(netcl_log_set_level(NETCL_LOG_OFF));
  /* What the first device of a process starts stays: threads of the library and of the driver. */
  netcl_device* first = open_device();
  (void)works(first);
  netcl_device_release(first);
  MUST(netcl_interrupt_enable(SECOND));
  MUST(netcl_interrupt_disable());
  const double before = place->spent;
  while (place->next < names_count && place->spent < seconds) {
    const char* name = names[order[place->next++]];
    place->steps++;
    if (only != NULL ? strcmp(only, name) != 0 : takes_long(name) && !process_full()) continue;
    sweep_one(name);
    place->spent = before + processor_seconds();
    if (place->problems > kProblemsMost) {
      fprintf(stderr, "further faults of %s are left out\n", name);
      place->problems = 1;
    }
  }
  return place->problems > 0;
}

/* Waits for the process for as long as it gets on. Returns what it has failed in. */
static int watched(pid_t child) {
  int signal = 0;
  const double limit = kNoStepSeconds * (process_has_asan() || process_has_tsan() ? 4 : 1);
  const int code = watch_child(child, &place->steps, limit, &signal);
  if (code >= 0) return code;
  if (signal > 0) {
    print_error("%s, %s: signal %d\n", place->function, place->fault, signal);
  } else {
    print_error("%s, %s: it hangs\n", place->function, place->fault);
  }
  return 1;
}

static void sweep(const char* class_of_device, double seconds) {
  const char* asked = getenv("NETCL_TEST_SECONDS");
  if (asked != NULL) seconds = strtod(asked, NULL);
  int failed = 0;
  memset(place, 0, sizeof *place);
  device_class = class_of_device;
  for (int i = 0; i < names_count; ++i) order[i] = i;
  for (int i = names_count - 1; i > 0 && !process_full(); --i) {
    const int other = (int)random_in(0, i), kept = order[i];
    order[i] = order[other];
    order[other] = kept;
  }
  /* What ends the process goes on with the next function in another one. */
  while (place->next < names_count && failed < kProblemsMost) {
    const int from = place->next;
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(call_all(seconds));
    place->problems = 0;
    const int code = watched(child);
    failed += code != 0;
    if (code == 0 || place->next == from) break;
  }
  print_message(
      "%d of %d functions, %llu of them reach the driver; %llu faults: %llu calls failed, "
      "%llu survived, %llu devices were lost; %llu were opened\n",
      place->next, names_count, (unsigned long long)place->reach, (unsigned long long)place->fired,
      (unsigned long long)place->failed, (unsigned long long)place->survived,
      (unsigned long long)place->lost, (unsigned long long)place->opened);
  assert_int_equal(failed, 0);
}

static void ops_as_functions_of_the_host(void** state) {
  (void)state;
  sweep("auto", process_full() ? 1e9 : 7);
}
static void ops_as_kernels(void** state) {
  (void)state;
  sweep("gpu", process_full() ? 1e9 : 9);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ops_as_functions_of_the_host),
      cmocka_unit_test(ops_as_kernels),
  };
  seed_random("fault_sweep");
  if (getenv("NETCL_TEST_FILTER") != NULL) cmocka_set_test_filter(getenv("NETCL_TEST_FILTER"));
  names_count = read_lock(names);
  place = mmap(NULL, sizeof *place, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_true(place != MAP_FAILED);
  return cmocka_run_group_tests_name("fault_sweep", tests, NULL, NULL);
}
