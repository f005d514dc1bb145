/*
 * Threads that enqueue on shared tensors and queues: what the tensors hold in the end has to be
 * what one of the orders gives in which the calls can have been made, those of a thread one after
 * the other. Commands on the same memory take effect in the order of their calls, so no other is
 * allowed.
 */
#include <pthread.h>
#include <stdio.h>

#include "support.h"

enum { TENSORS = 3, THREADS_MOST = 3, CALLS_MOST = 3, QUEUES = 3, ELEMENTS = 33 };

/* What a call does to elements x, from which of the tensors: none of these can be exchanged. */
typedef enum Kind { SCALE, ADD, COPY, FILL, SHIFT, KINDS } Kind;
typedef struct Step {
  Kind kind;
  int to, from, queue;
  int64_t number;
} Step;

typedef struct Race {
  netcl_device* device;
  netcl_queue* queues[QUEUES];
  netcl_tensor* tensors[TENSORS];
  Step steps[THREADS_MOST][CALLS_MOST];
  int threads, calls;
  pthread_barrier_t barrier;
} Race;

static Race race;

/* The state is one number per tensor: all of its elements are alike. */
static void apply(const Step* step, int64_t* state) {
  uint64_t x = (uint64_t)state[step->to], y = (uint64_t)state[step->from];
  switch (step->kind) {
    case SCALE:
      x = x * 3 + (uint64_t)step->number;
      break;
    case ADD:
      x = x * 5 + y;
      break;
    case COPY:
      x = y;
      break;
    case FILL:
      x = (uint64_t)step->number;
      break;
    default:
      x = (x << 1) ^ y;
      break;
  }
  state[step->to] = (int64_t)x;
}

static netcl_status enqueue(const Step* step) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor* const inputs[2] = {race.tensors[step->to], race.tensors[step->from]};
  char text[64];
  run.queue = race.queues[step->queue];
  if (step->kind == FILL) return netcl_op_fill(race.tensors[step->to], &step->number, &run);
  run.into = race.tensors[step->to];
  if (step->kind == COPY) return netcl_op_copy(race.tensors[step->from], &run, NULL);
  if (step->kind == SCALE) {
    snprintf(text, sizeof text, "v0 * 3 + %d", (int)step->number);
    return netcl_op_expression_text(text, inputs, 1, NULL, &run, NULL);
  }
  return netcl_op_expression_text(step->kind == ADD ? "v0 * 5 + v1" : "(v0 << 1) ^ v1", inputs, 2,
                                  NULL, &run, NULL);
}

static void* run_thread(void* argument) {
  const Step* steps = argument;
  pthread_barrier_wait(&race.barrier);
  for (int i = 0; i < race.calls; i++) {
    if (enqueue(&steps[i]) != NETCL_OK) return (void*)netcl_last_error_message();
  }
  return NULL;
}

/* Whether an order of the calls that are left leads from `state` to `wanted`. */
static int leads_to(const int64_t* wanted, const int64_t* state, const int* done) {
  int64_t next[TENSORS];
  int next_done[THREADS_MOST], left = 0;
  for (int t = 0; t < race.threads; t++) {
    if (done[t] == race.calls) continue;
    left = 1;
    memcpy(next, state, sizeof next);
    memcpy(next_done, done, sizeof next_done);
    apply(&race.steps[t][next_done[t]++], next);
    if (leads_to(wanted, next, next_done)) return 1;
  }
  return !left && memcmp(wanted, state, sizeof next) == 0;
}

static void draw(const int64_t* start) {
  static int64_t values[ELEMENTS];
  race.threads = (int)random_in(2, THREADS_MOST);
  race.calls = (int)random_in(1, CALLS_MOST);
  for (int i = 0; i < TENSORS; i++) {
    for (int e = 0; e < ELEMENTS; e++) values[e] = start[i];
    OK(netcl_tensor_write(race.tensors[i], values, sizeof values, NULL, LONG_WAIT));
  }
  for (int t = 0; t < race.threads; t++) {
    for (int i = 0; i < race.calls; i++) {
      Step* step = &race.steps[t][i];
      step->kind = (Kind)random_in(0, KINDS - 1);
      step->to = (int)random_in(0, TENSORS - 1);
      step->from = (int)(step->to + random_in(1, TENSORS - 1)) % TENSORS;
      step->queue = (int)random_in(0, QUEUES - 1);
      step->number = (int)random_in(1, 9);
    }
  }
}

static void say_steps(const int64_t* start, const int64_t* end) {
  static const char* const kinds[] = {"x = 3 x + n", "x = 5 x + y", "x = y", "x = n",
                                      "x = (x << 1) ^ y"};
  for (int t = 0; t < race.threads; t++) {
    for (int i = 0; i < race.calls; i++) {
      const Step* s = &race.steps[t][i];
      print_error("thread %d: %s with x = %d, y = %d, n = %d on queue %d\n", t, kinds[s->kind],
                  s->to, s->from, (int)s->number, s->queue);
    }
  }
  for (int i = 0; i < TENSORS; i++) {
    print_error("tensor %d: from %lld to %lld\n", i, (long long)start[i], (long long)end[i]);
  }
}

static void one_race(int number) {
  int64_t start[TENSORS] = {1 + number, 1000, -7}, end[TENSORS], all[ELEMENTS];
  const int done[THREADS_MOST] = {0};
  pthread_t threads[THREADS_MOST];
  draw(start);
  assert_int_equal(pthread_barrier_init(&race.barrier, NULL, (unsigned)race.threads), 0);
  for (int t = 0; t < race.threads; t++) {
    assert_int_equal(pthread_create(&threads[t], NULL, run_thread, race.steps[t]), 0);
  }
  for (int t = 0; t < race.threads; t++) {
    void* problem = NULL;
    pthread_join(threads[t], &problem);
    assert_null(problem);
  }
  pthread_barrier_destroy(&race.barrier);
  for (int i = 0; i < TENSORS; i++) {
    OK(netcl_tensor_read(race.tensors[i], all, sizeof all, NULL, LONG_WAIT));
    end[i] = all[0];
    for (int e = 1; e < ELEMENTS; e++) assert_int_equal(all[e], all[0]);
  }
  if (!leads_to(end, start, done)) {
    say_steps(start, end);
    fail_msg("race %d ended as no order of its calls can", number);
  }
}

/* One queue in order, one that may overtake where there is one, and the device's own. */
static void open_race(const Fixture* fixture) {
  const int64_t shape[1] = {ELEMENTS};
  netcl_queue_options options = NETCL_QUEUE_OPTIONS_INIT;
  race.device = fixture->device;
  OK(netcl_device_get_queue(race.device, &race.queues[0]));
  OK(netcl_queue_create(race.device, NULL, &race.queues[1]));
  options.out_of_order = 1;
  if (netcl_queue_create(race.device, &options, &race.queues[2]) != NETCL_OK) {
    OK(netcl_queue_create(race.device, NULL, &race.queues[2]));
  }
  for (int i = 0; i < TENSORS; i++) {
    OK(netcl_tensor_create_zeros(race.device, NETCL_I64, 1, shape, NULL, NULL, &race.tensors[i]));
  }
}

static void close_race(void) {
  for (int i = 0; i < TENSORS; i++) netcl_tensor_release(race.tensors[i]);
  for (int i = 0; i < QUEUES; i++) netcl_queue_release(race.queues[i]);
}

static void races_end_as_an_order_allows(void** state) {
  const int races = only_sanitized() ? 300 : 1500;
  open_race(*state);
  for (int i = 0; i < races; i++) one_race(i);
  close_race();
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(races_end_as_an_order_allows)};
  seed_random("order_races");
  return cmocka_run_group_tests_name("order_races", tests, NULL, NULL);
}
