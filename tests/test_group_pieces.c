/* Threads of each rank work with pieces of one memory, each with a group of its own: calls on
 * different bytes never wait for each other, whatever comes first on which rank. Circles of calls
 * on the same bytes end by the timeout, and say so. */
#include "support_group.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { THREADS = 2, LATE = 4, ROUNDS = 30, ROWS = 7 };

/* What the two groups of a test take: elements of each piece, and how these lie. */
typedef struct Pieces {
  int64_t rows, columns;
  int turned; /* each piece with its dimensions exchanged */
} Pieces;

/* One thread of a rank. */
typedef struct Part {
  Rank rank; /* of the thread's group */
  netcl_tensor* piece;
  int thread;
} Part;

static void sleep_ms(long ms) {
  const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static int holds(netcl_tensor* piece, int64_t count, float wanted) {
  float* const data = malloc((size_t)count * sizeof *data);
  int right =
      netcl_tensor_read(piece, data, (size_t)count * sizeof *data, NULL, LONG_WAIT) == NETCL_OK;
  for (int64_t i = 0; right && i < count; i++) right = data[i] == wanted;
  free(data);
  return right;
}

/* In each round one thread of a rank is late: on the other rank it is the other thread. What it
 * calls then, of the group or not, comes while the other one waits for the other rank. */
static void* work_on_piece(void* argument) {
  Part* const part = argument;
  Rank* const rank = &part->rank;
  const Pieces* const pieces = rank->state;
  const int64_t count = pieces->rows * pieces->columns;
  const netcl_run_options into = run_into(part->piece);
  for (int round = 0; round < ROUNDS && rank->problem[0] == '\0'; round++) {
    const float value = (float)(100 * part->thread + 10 * round + (int)rank->rank);
    float sum = 0;
    for (uint32_t r = 0; r < rank->size; r++) {
      sum += (float)(100 * part->thread + 10 * round + (int)r);
    }
    if (round < LATE && (rank->rank + (uint32_t)(part->thread + round)) % 2 == 0) sleep_ms(60);
    if (netcl_op_fill(part->piece, &value, NULL) != NETCL_OK ||
        netcl_group_all_reduce(rank->group, part->piece, part->piece, NETCL_REDUCTION_SUM, NULL) !=
            NETCL_OK ||
        netcl_op_expression_text("v0 + 0.5", &part->piece, 1, NULL, &into, NULL) != NETCL_OK ||
        netcl_tensor_wait(part->piece, LONG_WAIT) != NETCL_OK) {
      rank_problem(rank, __FILE__, __LINE__, "a call on a piece");
    } else if (!holds(part->piece, count, sum + 0.5f)) {
      rank_problem(rank, __FILE__, __LINE__, "a piece holds something else");
    }
  }
  return NULL;
}

/* Pieces behind one another in one memory. */
static netcl_status make_pieces(Rank* rank, netcl_tensor* made[THREADS]) {
  const Pieces* const pieces = rank->state;
  const int64_t shape[] = {THREADS * pieces->rows, pieces->columns};
  const uint32_t turn[] = {1, 0};
  netcl_tensor* whole = NULL;
  netcl_status status =
      netcl_tensor_create_zeros(rank->device, NETCL_F32, 2, shape, NULL, NULL, &whole);
  for (int t = 0; t < THREADS && status == NETCL_OK; t++) {
    const netcl_range ranges[] = {{t * pieces->rows, pieces->rows, 1}, {0, pieces->columns, 1}};
    netcl_tensor* piece = NULL;
    status = netcl_tensor_slice(whole, ranges, 2, &piece);
    if (status == NETCL_OK && pieces->turned) {
      status = netcl_tensor_permute(piece, turn, 2, &made[t]);
      netcl_tensor_release(piece);
    } else {
      made[t] = piece;
    }
  }
  netcl_tensor_release(whole);
  return status;
}

static void run_threads(Rank* rank, netcl_tensor* const* made, void* (*body)(void*)) {
  uint32_t colors[GROUP_MOST] = {0};
  netcl_group* second = NULL;
  Part parts[THREADS];
  pthread_t threads[THREADS];
  RANK_OK(rank, netcl_group_split(rank->group, colors, rank->size, &second));
  for (int t = 0; t < THREADS; t++) {
    parts[t] = (Part){*rank, made[t], t};
    if (t == 1) parts[t].rank.group = second;
    if (pthread_create(&threads[t], NULL, body, &parts[t]) != 0) abort();
  }
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
  for (int t = 0; t < THREADS; t++) {
    if (rank->problem[0] == '\0')
      memcpy(rank->problem, parts[t].rank.problem, sizeof rank->problem);
  }
  netcl_group_release(second);
}

static void crossing(Rank* rank) {
  netcl_tensor* made[THREADS] = {NULL, NULL};
  RANK_OK(rank, make_pieces(rank, made));
  run_threads(rank, made, work_on_piece);
  for (int t = 0; t < THREADS; t++) netcl_tensor_release(made[t]);
}

static void different_pieces(void** state) {
  Fixture* const fixture = *state;
  const uint64_t timeout = 20000000000u;
  /* Messages that go with the header, in pieces, and by the memory of peers. */
  Pieces all[] = {{ROWS, 100, 0}, {ROWS, 10001, 0}, {ROWS, 10001, 1}, {1, 1, 0}};
  for (size_t i = 0; i < COUNT_OF(all); i++) {
    run_ranks(fixture->device, 2, timeout, crossing, &all[i]);
    run_apart(fixture, 3, timeout, crossing, &all[i]);
  }
}

/* A call of the random test, on cells of the thread's piece. */
enum { CELLS = 6, CALLS = 24, RANKS_MOST = 3 };
typedef enum Kind { FILL, SCALE, SUM, BROADCAST, KINDS } Kind;
typedef struct Step {
  Kind kind;
  int first, count, number;
  uint32_t root;
  int delay_ms[RANKS_MOST];
} Step;

/* What all ranks do. The threads' pieces have as many cells on all ranks, and lie anywhere. */
typedef struct Plan {
  uint32_t ranks;
  int64_t elements; /* of a cell */
  int count[THREADS], first[RANKS_MOST][THREADS];
  Step steps[THREADS][CALLS];
  int64_t wanted[RANKS_MOST][THREADS][CELLS];
} Plan;

static void draw_step(Step* step, int count, uint32_t ranks) {
  step->kind = (Kind)random_in(0, KINDS - 1);
  step->first = (int)random_in(0, count - 1);
  step->count = (int)random_in(1, count - step->first);
  step->number = (int)random_in(1, 9);
  step->root = (uint32_t)random_in(0, ranks - 1);
  for (uint32_t r = 0; r < ranks; r++) {
    step->delay_ms[r] = random_in(0, 3) == 0 ? (int)random_in(1, 4) : 0;
  }
}

/* What the calls of one thread leave on all ranks, with wrapping sums. */
static void work_out(Plan* plan, int t, const Step* step) {
  for (int c = step->first; c < step->first + step->count; c++) {
    uint64_t sum = 0;
    for (uint32_t r = 0; r < plan->ranks; r++) sum += (uint64_t)plan->wanted[r][t][c];
    const int64_t roots = plan->wanted[step->root][t][c];
    for (uint32_t r = 0; r < plan->ranks; r++) {
      int64_t* const cell = &plan->wanted[r][t][c];
      if (step->kind == FILL) *cell = step->number + (int)r;
      if (step->kind == SCALE) *cell = (int64_t)((uint64_t)*cell * 3 + (uint64_t)step->number);
      if (step->kind == SUM) *cell = (int64_t)sum;
      if (step->kind == BROADCAST) *cell = roots;
    }
  }
}

static void draw_plan(Plan* plan, uint32_t ranks, int64_t elements) {
  memset(plan, 0, sizeof *plan);
  plan->ranks = ranks;
  plan->elements = elements;
  for (int t = 0; t < THREADS; t++) plan->count[t] = (int)random_in(1, CELLS);
  for (uint32_t r = 0; r < ranks; r++) {
    const int turned = (int)random_in(0, 1);
    plan->first[r][turned] = (int)random_in(0, 1);
    plan->first[r][1 - turned] =
        plan->first[r][turned] + plan->count[turned] + (int)random_in(0, 1);
  }
  for (int t = 0; t < THREADS; t++) {
    for (int i = 0; i < CALLS; i++) {
      draw_step(&plan->steps[t][i], plan->count[t], ranks);
      work_out(plan, t, &plan->steps[t][i]);
    }
  }
}

static netcl_status take_step(Rank* rank, const Step* step, netcl_tensor* piece) {
  const Plan* const plan = rank->state;
  const netcl_range ranges[] = {{step->first, step->count, 1}, {0, plan->elements, 1}};
  const int64_t value = step->number + (int)rank->rank;
  netcl_tensor* part = NULL;
  char text[32];
  netcl_status status = netcl_tensor_slice(piece, ranges, 2, &part);
  if (status != NETCL_OK) return status;
  const netcl_run_options into = run_into(part);
  snprintf(text, sizeof text, "v0 * 3 + %d", step->number);
  if (step->delay_ms[rank->rank] > 0) sleep_ms(step->delay_ms[rank->rank]);
  switch (step->kind) {
    case FILL:
      status = netcl_op_fill(part, &value, NULL);
      break;
    case SCALE:
      status = netcl_op_expression_text(text, &part, 1, NULL, &into, NULL);
      break;
    case SUM:
      status = netcl_group_all_reduce(rank->group, part, part, NETCL_REDUCTION_SUM, NULL);
      break;
    default:
      status = netcl_group_broadcast(rank->group, part, step->root, NULL);
  }
  netcl_tensor_release(part);
  return status;
}

static void* work_by_plan(void* argument) {
  Part* const part = argument;
  Rank* const rank = &part->rank;
  const Plan* const plan = rank->state;
  const int64_t count = plan->count[part->thread] * plan->elements;
  int64_t* const data = malloc((size_t)count * sizeof *data);
  int right = 1;
  for (int i = 0; right && i < CALLS; i++) {
    right = take_step(rank, &plan->steps[part->thread][i], part->piece) == NETCL_OK;
  }
  right = right && netcl_tensor_read(part->piece, data, (size_t)count * sizeof *data, NULL,
                                     LONG_WAIT) == NETCL_OK;
  if (!right) rank_problem(rank, __FILE__, __LINE__, "a call of the plan");
  const int64_t* const wanted = plan->wanted[rank->rank][part->thread];
  for (int64_t i = 0; right && i < count; i++) {
    if (data[i] == wanted[i / plan->elements]) continue;
    rank_problem(rank, __FILE__, __LINE__, "a cell holds something else");
    right = 0;
  }
  free(data);
  return NULL;
}

static void follow_plan(Rank* rank) {
  const Plan* const plan = rank->state;
  const int64_t shape[] = {THREADS * CELLS + 2, plan->elements};
  netcl_tensor *whole = NULL, *made[THREADS] = {NULL, NULL};
  RANK_OK(rank, netcl_tensor_create_zeros(rank->device, NETCL_I64, 2, shape, NULL, NULL, &whole));
  for (int t = 0; t < THREADS; t++) {
    const netcl_range ranges[] = {{plan->first[rank->rank][t], plan->count[t], 1},
                                  {0, plan->elements, 1}};
    RANK_OK(rank, netcl_tensor_slice(whole, ranges, 2, &made[t]));
  }
  run_threads(rank, made, work_by_plan);
  for (int t = 0; t < THREADS; t++) netcl_tensor_release(made[t]);
  netcl_tensor_release(whole);
}

static void random_pieces(void** state) {
  static Plan plan;
  static const int64_t elements[] = {1, 300, 9000};
  for (int i = 0; i < (only_sanitized() ? 6 : 30); i++) {
    draw_plan(&plan, 2 + (uint32_t)i % 2, elements[i % (int)COUNT_OF(elements)]);
    run_apart(*state, plan.ranks, 20000000000u, follow_plan, &plan);
  }
}

/* What the calls of the circle ended with. */
static atomic_int timeouts, explained;

static void* join_circle(void* argument) {
  Part* const part = argument;
  Rank* const rank = &part->rank;
  if (rank->rank != (uint32_t)part->thread) sleep_ms(500);
  const netcl_status status =
      netcl_group_all_reduce(rank->group, part->piece, part->piece, NETCL_REDUCTION_SUM, NULL);
  if (status == NETCL_ERROR_TIMEOUT) {
    atomic_fetch_add(&timeouts, 1);
    if (strstr(netcl_last_error_message(), "in the same order on all ranks") != NULL) {
      atomic_fetch_add(&explained, 1);
    }
  } else if (status != NETCL_OK) {
    rank_problem(rank, __FILE__, __LINE__, "a call of the circle");
  }
  return NULL;
}

/* Each thread comes first on one rank, on the same bytes. */
static void same_bytes(Rank* rank) {
  const int64_t count = 100;
  netcl_tensor *whole = NULL, *made[THREADS];
  RANK_OK(rank, netcl_tensor_create_zeros(rank->device, NETCL_F32, 1, &count, NULL, NULL, &whole));
  for (int t = 0; t < THREADS; t++) {
    const netcl_range ranges[] = {{40 * t, 60, 1}};
    RANK_OK(rank, netcl_tensor_slice(whole, ranges, 1, &made[t]));
  }
  run_threads(rank, made, join_circle);
  for (int t = 0; t < THREADS; t++) netcl_tensor_release(made[t]);
  /* What the device did is over. */
  RANK_OK(rank, netcl_tensor_wait(whole, LONG_WAIT));
  netcl_tensor_release(whole);
}

static void circle_on_the_same_bytes(void** state) {
  Fixture* const fixture = *state;
  if (strcmp(test_selector(), "builtin") != 0) SKIP("few bytes go through the host: nothing waits");
  run_apart(fixture, 2, 4000000000u, same_bytes, NULL);
  CHECK(atomic_load(&timeouts) > 0, "no call timed out");
  CHECK(atomic_load(&explained) > 0, "no message says why");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(different_pieces),
      DEVICE_TEST(random_pieces),
      DEVICE_TEST(circle_on_the_same_bytes),
  };
  seed_random("group_pieces");
  return cmocka_run_group_tests_name("group_pieces", tests, NULL, NULL);
}
