/*
 * Threads that enqueue on shared tensors and queues: what the tensors hold in the end has to be
 * what one of the orders gives in which the calls can have been made, those of a thread one after
 * the other. Commands on the same memory take effect in the order of their calls, so no other is
 * allowed. The tensors are memory of their own, or parts of one memory that overlap or not.
 */
#include <pthread.h>
#include <stdio.h>

#include "support.h"

enum { MEMORIES_MOST = 3, CELLS_MOST = 7, THREADS_MOST = 3, CALLS_MOST = 3, QUEUES = 3 };
enum { ELEMENTS = 33, NUMBERS = MEMORIES_MOST * CELLS_MOST };

/* Cells of a memory, each of so many elements: `count` of them from `first` on, `step` apart. */
typedef struct Part {
  int memory, first, count, step;
} Part;

/* What a call does to elements x, from which others: none of these can be exchanged. */
typedef enum Kind { SCALE, ADD, COPY, FILL, SHIFT, KINDS } Kind;
typedef struct Step {
  Kind kind;
  Part to, from;
  int queue;
  int64_t number;
} Step;

typedef struct Race {
  netcl_device* device;
  netcl_queue* queues[QUEUES];
  netcl_tensor* tensors[MEMORIES_MOST];
  int memories, cells;
  Step steps[THREADS_MOST][CALLS_MOST];
  int threads, calls;
  pthread_barrier_t barrier;
} Race;

static Race race;

/* The state is one number per cell: all of its elements are alike. */
static void apply(const Step* step, int64_t* state) {
  const Part *to = &step->to, *from = &step->from;
  for (int i = 0; i < to->count; i++) {
    int64_t* const at = &state[to->memory * race.cells + to->first + i * to->step];
    uint64_t x = (uint64_t)*at;
    const uint64_t y = (uint64_t)state[from->memory * race.cells + from->first + i * from->step];
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
    *at = (int64_t)x;
  }
}

static netcl_status part_tensor(const Part* part, netcl_tensor** tensor) {
  const int64_t shape[2] = {part->count, ELEMENTS}, strides[2] = {part->step * ELEMENTS, 1};
  return netcl_tensor_view(race.tensors[part->memory], 2, shape, strides, part->first * ELEMENTS,
                           tensor);
}

static netcl_status enqueue_on(const Step* step, netcl_tensor* to, netcl_tensor* from) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor* const inputs[2] = {to, from};
  char text[64];
  run.queue = race.queues[step->queue];
  if (step->kind == FILL) return netcl_op_fill(to, &step->number, &run);
  run.into = to;
  if (step->kind == COPY) return netcl_op_copy(from, &run, NULL);
  if (step->kind == SCALE) {
    snprintf(text, sizeof text, "v0 * 3 + %d", (int)step->number);
    return netcl_op_expression_text(text, inputs, 1, NULL, &run, NULL);
  }
  return netcl_op_expression_text(step->kind == ADD ? "v0 * 5 + v1" : "(v0 << 1) ^ v1", inputs, 2,
                                  NULL, &run, NULL);
}

static netcl_status enqueue(const Step* step) {
  netcl_tensor *to = NULL, *from = NULL;
  netcl_status status = part_tensor(&step->to, &to);
  if (status == NETCL_OK) status = part_tensor(&step->from, &from);
  if (status == NETCL_OK) status = enqueue_on(step, to, from);
  netcl_tensor_release(to);
  netcl_tensor_release(from);
  return status;
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
  int64_t next[NUMBERS];
  int next_done[THREADS_MOST], left = 0;
  for (int t = 0; t < race.threads; t++) {
    if (done[t] == race.calls) continue;
    left = 1;
    memcpy(next, state, sizeof next);
    memcpy(next_done, done, sizeof next_done);
    apply(&race.steps[t][next_done[t]++], next);
    if (leads_to(wanted, next, next_done)) return 1;
  }
  return !left && memcmp(wanted, state, (size_t)(race.memories * race.cells) * sizeof *state) == 0;
}

static int last_of(const Part* part) { return part->first + (part->count - 1) * part->step; }

/* One of the parts that has so many cells, 0 for any number. */
static Part draw_part(int count) {
  Part part = {(int)random_in(0, race.memories - 1), 0, count, (int)random_in(1, 2)};
  if (count == 0) part.count = (int)random_in(1, (race.cells + 1) / 2);
  if ((part.count - 1) * part.step >= race.cells) part.step = 1;
  part.first = (int)random_in(0, race.cells - 1 - (part.count - 1) * part.step);
  return part;
}

/* Where no other part is found that lies apart, a call works on one alone. */
static void draw_step(Step* step) {
  step->kind = (Kind)random_in(0, KINDS - 1);
  step->to = draw_part(0);
  step->queue = (int)random_in(0, QUEUES - 1);
  step->number = (int)random_in(1, 9);
  for (int i = 0; i < 20; i++) {
    step->from = draw_part(step->to.count);
    if (step->from.memory != step->to.memory || last_of(&step->from) < step->to.first ||
        last_of(&step->to) < step->from.first) {
      return;
    }
  }
  step->from = step->to;
  step->kind = SCALE;
}

static void draw(const int64_t* start) {
  static int64_t values[CELLS_MOST * ELEMENTS];
  const int elements = race.cells * ELEMENTS;
  race.threads = (int)random_in(2, THREADS_MOST);
  race.calls = (int)random_in(1, CALLS_MOST);
  for (int i = 0; i < race.memories; i++) {
    for (int e = 0; e < elements; e++) values[e] = start[i * race.cells + e / ELEMENTS];
    OK(netcl_tensor_write(race.tensors[i], values, (size_t)elements * sizeof *values, NULL,
                          LONG_WAIT));
  }
  for (int t = 0; t < race.threads; t++) {
    for (int i = 0; i < race.calls; i++) draw_step(&race.steps[t][i]);
  }
}

static void say_steps(const int64_t* start, const int64_t* end) {
  static const char* const kinds[] = {"x = 3 x + n", "x = 5 x + y", "x = y", "x = n",
                                      "x = (x << 1) ^ y"};
  for (int t = 0; t < race.threads; t++) {
    for (int i = 0; i < race.calls; i++) {
      const Step* s = &race.steps[t][i];
      const Part *x = &s->to, *y = &s->from;
      print_error(
          "thread %d: %s with x = %d: %d + %d * %d, y = %d: %d + %d * %d, n = %d on "
          "queue %d\n",
          t, kinds[s->kind], x->memory, x->first, x->count, x->step, y->memory, y->first, y->count,
          y->step, (int)s->number, s->queue);
    }
  }
  for (int i = 0; i < race.memories * race.cells; i++) {
    print_error("cell %d: from %lld to %lld\n", i, (long long)start[i], (long long)end[i]);
  }
}

static void one_race(int number) {
  static int64_t all[CELLS_MOST * ELEMENTS];
  int64_t start[NUMBERS], end[NUMBERS];
  for (int i = 0; i < NUMBERS; i++) start[i] = i % 2 == 0 ? number + 1000 * i + 1 : -7 * i;
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
  for (int i = 0; i < race.memories; i++) {
    const int elements = race.cells * ELEMENTS;
    OK(netcl_tensor_read(race.tensors[i], all, (size_t)elements * sizeof *all, NULL, LONG_WAIT));
    for (int e = 0; e < elements; e++) {
      int64_t* const cell = &end[i * race.cells + e / ELEMENTS];
      if (e % ELEMENTS == 0) *cell = all[e];
      assert_int_equal(all[e], *cell);
    }
  }
  if (!leads_to(end, start, done)) {
    say_steps(start, end);
    fail_msg("race %d ended as no order of its calls can", number);
  }
}

/* One queue in order, one that may overtake where there is one, and the device's own. */
static void open_race(const Fixture* fixture, int memories, int cells) {
  const int64_t shape[2] = {cells, ELEMENTS};
  netcl_queue_options options = NETCL_QUEUE_OPTIONS_INIT;
  race.device = fixture->device;
  race.memories = memories;
  race.cells = cells;
  OK(netcl_device_get_queue(race.device, &race.queues[0]));
  OK(netcl_queue_create(race.device, NULL, &race.queues[1]));
  options.out_of_order = 1;
  if (netcl_queue_create(race.device, &options, &race.queues[2]) != NETCL_OK) {
    OK(netcl_queue_create(race.device, NULL, &race.queues[2]));
  }
  for (int i = 0; i < memories; i++) {
    OK(netcl_tensor_create_zeros(race.device, NETCL_I64, 2, shape, NULL, NULL, &race.tensors[i]));
  }
}

static void close_race(void) {
  for (int i = 0; i < race.memories; i++) netcl_tensor_release(race.tensors[i]);
  for (int i = 0; i < QUEUES; i++) netcl_queue_release(race.queues[i]);
}

static void run_races(const Fixture* fixture, int memories, int cells) {
  const int races = only_sanitized() ? 300 : 1500;
  open_race(fixture, memories, cells);
  for (int i = 0; i < races; i++) one_race(i);
  close_race();
}

static void races_end_as_an_order_allows(void** state) { run_races(*state, MEMORIES_MOST, 1); }

static void on_parts_of_one_memory(void** state) { run_races(*state, 1, CELLS_MOST); }

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(races_end_as_an_order_allows),
                                     DEVICE_TEST(on_parts_of_one_memory)};
  seed_random("order_races");
  return cmocka_run_group_tests_name("order_races", tests, NULL, NULL);
}
