/*
 * Devices that are lost in a run whose gradients go to a reducer, at a call of each function of the
 * driver: both ranks' threads, and those that join the gradients, enqueue and wait at that time.
 * NETCL_TEST_FULL=1 loses them at every call.
 */
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support_fault.h"
#include "support_process.h"
#include "support_reducer.h"

enum { RANKS = 2, kEntriesMost = 256, kCode = -5, kNoStepSeconds = 60, kProblemsMost = 5 };
static const uint64_t kTimeout = UINT64_C(5) * SECOND;

/* Where the process is that loses devices, for the one that watches it. */
typedef struct Place {
  int mode, entry;
  uint64_t nth;
  uint64_t steps;
  int problems, lost;
} Place;
static Place* place;

static const char* described(void) {
  static char text[160];
  static const char* const kModes[MODES] = {"tape", "outputs", "into", "function"};
  snprintf(text, sizeof text, "%s, call %d of %s", kModes[place->mode], (int)place->nth,
           place->entry < 0 ? "nothing" : fault_control()->function_name(place->entry));
  return text;
}
#define PROBLEM(...)                          \
  do {                                        \
    fprintf(stderr, "%s: ", described());     \
    fprintf(stderr, __VA_ARGS__);             \
    fputc('\n', stderr);                      \
    place->problems++;                        \
  } while (0)

/* ---- One run --------------------------------------------------------------------------------- */

typedef struct Step {
  Rank rank;
  pthread_barrier_t* barrier;
  int mode, waits;
  const Fault* fault; /* armed by rank 0, NULL for none */
  netcl_status run, wait;
  char message[200];
} Step;

static void note(Step* step, netcl_status status) {
  if (status == NETCL_OK || step->message[0] != '\0') return;
  snprintf(step->message, sizeof step->message, "%s", netcl_last_error_message());
}

static void* do_step(void* argument) {
  Step* const step = argument;
  const FaultControl* const control = fault_control();
  Network network;
  Training training;
  netcl_reducer* const reducer = make_reducer(&step->rank, 2000, 0);
  const int made = reducer != NULL && network_make(&network, &step->rank) &&
                   training_make(&training, &network, step->mode, reducer);
  if (!made) {
    PROBLEM("it cannot begin: %s", step->rank.problem);
    _exit(1);
  }
  (void)netcl_device_finish(step->rank.device, LONG_WAIT);
  pthread_barrier_wait(step->barrier);
  if (step->rank.rank == 0) {
    control->reset_calls();
    if (step->fault != NULL) {
      control->arm(step->fault->entry, step->fault->nth, step->fault->action, step->fault->value);
    }
  }
  pthread_barrier_wait(step->barrier);
  step->run = training_run(&training);
  note(step, step->run);
  if (step->waits) {
    step->wait = netcl_reducer_wait(reducer, NETCL_WAIT_FOREVER);
    note(step, step->wait);
  }
  netcl_reducer_release(reducer);
  training_free(&training);
  network_free(&network);
  return NULL;
}

static int is_plausible(netcl_status status) {
  return status == NETCL_OK || status == NETCL_ERROR_RANK_LOST ||
         status == NETCL_ERROR_INVALID_ARGUMENT || status_is_plausible(status);
}

/* Whether the fault came to pass. `calls` gets how many of each function there were. */
static int do_run(int mode, const Fault* fault, int waits, uint64_t* calls) {
  pthread_barrier_t barrier;
  Step steps[RANKS];
  pthread_t threads[RANKS];
  netcl_device* devices[RANKS];
  netcl_group* groups[RANKS];
  netcl_device_options separate = NETCL_DEVICE_OPTIONS_INIT;
  netcl_group_options options = NETCL_GROUP_OPTIONS_INIT;
  place->steps++;
  separate.separate = 1;
  options.timeout_ns = kTimeout;
  for (int r = 0; r < RANKS; r++) OK(netcl_device_open(test_selector(), &separate, &devices[r]));
  OK(netcl_group_create_local(devices, RANKS, &options, groups));
  pthread_barrier_init(&barrier, NULL, RANKS);
  for (uint32_t r = 0; r < RANKS; r++) {
    steps[r] = (Step){.rank = {devices[r], groups[r], r, RANKS, NULL, ""},
                      .barrier = &barrier,
                      .mode = mode,
                      .waits = waits,
                      .fault = fault};
    assert_int_equal(pthread_create(&threads[r], NULL, do_step, &steps[r]), 0);
  }
  for (int r = 0; r < RANKS; r++) pthread_join(threads[r], NULL);
  for (int i = 0; calls != NULL && i < fault_control()->functions_count; i++) {
    calls[i] = fault_control()->calls(i);
  }
  const int hits = fault_control()->disarm();
  for (int r = 0; r < RANKS; r++) {
    const netcl_status both[2] = {steps[r].run, steps[r].wait};
    for (int i = 0; i < 2; i++) {
      /* Who goes without a wait leaves the other. */
      if (hits == 0 && waits ? both[i] != NETCL_OK : !is_plausible(both[i])) {
        PROBLEM("rank %d: %s: %s", r, netcl_status_name(both[i]), steps[r].message);
      }
    }
    netcl_group_release(groups[r]);
    netcl_device_release(devices[r]);
  }
  pthread_barrier_destroy(&barrier);
  return hits;
}

/* Threads of the driver may let go a moment later. */
static void check_held(const Held* before) {
  char text[512];
  const char* more = NULL;
  for (int ms = 0; ms < 1000; ms += 5) {
    Held after;
    look_held(&after);
    more = held_more(before, &after, text, sizeof text);
    if (more == NULL) return;
    process_sleep_ms(5);
  }
  PROBLEM("left behind:%s", more);
}

/* ---- All runs, and the process that watches them --------------------------------------------- */

/* Returns 0 after too many problems. */
static int lose_at(int entry, uint64_t nth) {
  Held before;
  const Fault fault = {entry, nth, FAULT_LOSE, kCode};
  place->nth = nth;
  look_held(&before);
  place->lost += do_run(place->mode, &fault, random_in(0, 3) != 0, NULL);
  check_held(&before);
  return place->problems <= kProblemsMost;
}

/* What ends the process goes on behind the call that did it. */
static int lose_all(void) {
  uint64_t calls[kEntriesMost];
  be_watched();
  (void)netcl_log_set_level(NETCL_LOG_OFF);
  for (; place->mode < MODES; place->mode++, place->entry = -1) {
    const int from = place->entry;
    place->entry = -1;
    (void)do_run(place->mode, NULL, 1, calls);
    for (int entry = from < 0 ? 0 : from; entry < fault_control()->functions_count; entry++) {
      const int loses = strchr(fault_control()->function_gives(entry), 'e') != NULL;
      place->entry = entry;
      if (!loses || calls[entry] == 0 || (entry == from && !process_full())) continue;
      if (!process_full()) {
        if (!lose_at(entry, (uint64_t)random_in(1, (int64_t)calls[entry]))) return 1;
        continue;
      }
      for (uint64_t nth = entry == from ? place->nth + 1 : 1; nth <= calls[entry]; nth++) {
        if (!lose_at(entry, nth)) return 1;
      }
    }
  }
  return place->problems > 0;
}

static void a_device_that_is_lost(void** state) {
  (void)state;
  int failed = 0;
  place = mmap(NULL, sizeof *place, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_true(place != MAP_FAILED);
  place->entry = -1;
  while (place->mode < MODES && failed <= kProblemsMost) {
    int signal = 0;
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(lose_all());
    const double limit = kNoStepSeconds * (process_has_asan() || process_has_tsan() ? 4 : 1);
    const int code = watch_child(child, &place->steps, limit, &signal);
    failed += code != 0;
    if (code < 0 && signal > 0) print_error("%s: signal %d\n", described(), signal);
    if (code < 0 && signal == 0) print_error("%s: it hangs\n", described());
    if (code >= 0) break;
  }
  print_message("devices were lost %d times, in %d runs\n", place->lost, (int)place->steps);
  assert_int_equal(failed, 0);
  assert_true(place->lost > 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_device_that_is_lost)};
  seed_random("fault_reducer");
  return cmocka_run_group_tests_name("fault_reducer", tests, NULL, NULL);
}
