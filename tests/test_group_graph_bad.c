/* Graphs with calls of groups, of which one rank does something else: it tells, and all go on. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "support_group.h"
#include "support_process.h"

enum { N = 6 };
static const int64_t kShape[1] = {N};
static const double kOnes[N] = {1, 1, 1, 1, 1, 1};

/* ---- A run that is BUSY for its reducer ------------------------------------------------------ */

typedef struct Sum {
  netcl_run_options run;
  netcl_tensor *w, *y, *loss, *gradient;
  netcl_reducer* reducer;
} Sum;

/* The loss of w, joined over the ranks, with its gradient for a reducer. On a tape it runs. */
static netcl_status record_sum(Rank* rank, Sum* sum, int work) {
  netcl_tensor *made = NULL, *first = NULL;
  netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  options.reducer = sum->reducer;
  netcl_status status = NETCL_OK;
  if (work) {
    status = netcl_op_expression_text("v0 * 2", &sum->w, 1, NULL, &sum->run, &made);
    if (status == NETCL_OK) {
      status = netcl_group_all_reduce(rank->group, made, made, NETCL_REDUCTION_SUM, &sum->run);
    }
    if (status == NETCL_OK) {
      status = netcl_op_reduce(made, NETCL_REDUCTION_SUM, NULL, &sum->run, &sum->loss);
    }
    netcl_tensor_release(made);
  }
  if (status == NETCL_OK) {
    status =
        netcl_graph_add_gradients(sum->run.graph, &sum->loss, 1, &sum->w, 1, &options, &first);
  }
  if (status != NETCL_OK) return status;
  netcl_tensor_release(sum->gradient);
  sum->gradient = first;
  return NETCL_OK;
}

static void free_sum(Sum* sum) {
  netcl_tensor* const all[] = {sum->w, sum->y, sum->loss, sum->gradient};
  for (size_t i = 0; i < COUNT_OF(all); i++) netcl_tensor_release(all[i]);
  netcl_graph_release(sum->run.graph);
  netcl_reducer_release(sum->reducer);
}

static int make_sum(Rank* rank, netcl_toggle execute, Sum* sum) {
  netcl_graph_options options = NETCL_GRAPH_OPTIONS_INIT;
  *sum = (Sum){.run = NETCL_RUN_OPTIONS_INIT};
  options.execute = execute;
  sum->w = rank_tensor(rank, NETCL_F32, 1, kShape, kOnes);
  return sum->w != NULL && netcl_reducer_create(rank->group, NULL, &sum->reducer) == NETCL_OK &&
         netcl_graph_create(rank->device, &options, &sum->run.graph) == NETCL_OK;
}

/* Rank 1 forgets a wait: what the others get, from the group and from the reducer, and how it goes
 * on. `run` is the second run of all ranks. */
static void forget_a_wait(Rank* rank, Sum* sum, netcl_status (*run)(Rank* rank, Sum* sum)) {
  static const double kGradients[N] = {6, 6, 6, 6, 6, 6};
  const int forgets = rank->rank == 1;
  const double begin = process_now();
  RANK_OK(rank, run(rank, sum));
  if (!forgets) RANK_OK(rank, netcl_reducer_wait(sum->reducer, LONG_WAIT));
  if (forgets) {
    RANK_FAILS(rank, NETCL_ERROR_BUSY, "netcl_reducer_wait was not called", run(rank, sum));
    RANK_OK(rank, netcl_reducer_wait(sum->reducer, LONG_WAIT));
  } else {
    RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "rank 1 refused its call of all_reduce",
               run(rank, sum));
    RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "rank 1 refused its call of all_reduce",
               netcl_reducer_wait(sum->reducer, LONG_WAIT));
  }
  for (int i = 0; i < 2; i++) {
    RANK_OK(rank, run(rank, sum));
    RANK_OK(rank, netcl_reducer_wait(sum->reducer, LONG_WAIT));
    RANK_CHECK(rank, rank_holds(sum->gradient, kGradients));
  }
  RANK_CHECK(rank, process_now() - begin < 20);
}

static netcl_status run_capture(Rank* rank, Sum* sum) {
  (void)rank;
  return netcl_graph_run(sum->run.graph, &sum->w, 1, &sum->gradient, 1, NULL);
}
static void busy_capture(Rank* rank) {
  Sum sum;
  RANK_CHECK(rank, make_sum(rank, NETCL_OFF, &sum));
  RANK_OK(rank, record_sum(rank, &sum, 1));
  RANK_OK(rank, netcl_graph_compile(sum.run.graph, &sum.w, 1, &sum.gradient, 1, NULL));
  netcl_tensor_release(sum.gradient);
  sum.gradient = NULL;
  RANK_OK(rank, netcl_tensor_create_zeros(rank->device, NETCL_F32, 1, kShape, NULL, NULL,
                                          &sum.gradient));
  forget_a_wait(rank, &sum, run_capture);
  free_sum(&sum);
}

static netcl_status run_tape(Rank* rank, Sum* sum) { return record_sum(rank, sum, 0); }
static void busy_tape(Rank* rank) {
  Sum sum;
  RANK_CHECK(rank, make_sum(rank, NETCL_ON, &sum));
  RANK_OK(rank, record_sum(rank, &sum, 1));
  RANK_OK(rank, netcl_reducer_wait(sum.reducer, LONG_WAIT));
  forget_a_wait(rank, &sum, run_tape);
  free_sum(&sum);
}

static void a_run_that_is_busy(void** state) {
  run_apart(*state, 3, 10 * SECOND, busy_capture, NULL);
  run_apart(*state, 3, 10 * SECOND, busy_tape, NULL);
}

/* ---- A graph that is gone -------------------------------------------------------------------- */

/* Rank 1 has released the graph of its call. Of a capture it finds out at once, and all at the run;
 * of a tape all at once. */
static void released_graph(Rank* rank) {
  const int odd = rank->rank == 1;
  pthread_barrier_t* const barrier = rank->state;
  netcl_tensor *y = NULL, *made = NULL;
  uint32_t count = 0;
  netcl_tensor* const x = rank_tensor(rank, NETCL_F32, 1, kShape, kOnes);
  for (int capture = 0; capture < 2; capture++) {
    netcl_graph_options options = NETCL_GRAPH_OPTIONS_INIT;
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT, stale = NETCL_RUN_OPTIONS_INIT;
    options.execute = capture ? NETCL_OFF : NETCL_ON;
    RANK_OK(rank, netcl_graph_create(rank->device, &options, &stale.graph));
    RANK_OK(rank, netcl_graph_create(rank->device, &options, &run.graph));
    if (odd) netcl_graph_release(stale.graph);
    RANK_OK(rank, netcl_op_expression_text("v0 + 1", &x, 1, NULL, &run, &y));
    for (int call = 0; call < 2; call++) {
      const netcl_run_options* const used = odd && call == 0 ? &stale : &run;
      if (odd && call == 0) {
        RANK_FAILS(rank, NETCL_ERROR_INVALID_HANDLE, "run->graph",
                   netcl_group_all_reduce(rank->group, y, y, NETCL_REDUCTION_SUM, used));
      } else if (call == 0 && !capture) {
        RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "rank 1 refused its call of all_reduce",
                   netcl_group_all_reduce(rank->group, y, y, NETCL_REDUCTION_SUM, used));
      } else {
        RANK_OK(rank, netcl_group_all_reduce(rank->group, y, y, NETCL_REDUCTION_SUM, used));
      }
    }
    /* Nobody waits for the runs of the others to get here. */
    pthread_barrier_wait(barrier);
    if (capture) {
      RANK_OK(rank, netcl_graph_compile(run.graph, &x, 1, &y, 1, NULL));
      RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "other calls in its graph",
                 netcl_graph_evaluate(run.graph, &x, 1, NULL, &made, 1, &count));
      RANK_CHECK(rank, made == NULL);
    }
    netcl_tensor_release(y);
    y = NULL;
    netcl_graph_release(run.graph);
    if (!odd) netcl_graph_release(stale.graph);
  }
  RANK_OK(rank, netcl_group_all_reduce(rank->group, x, x, NETCL_REDUCTION_MAX, NULL));
  netcl_tensor_release(x);
}

static void a_graph_that_is_gone(void** state) {
  pthread_barrier_t barrier;
  assert_int_equal(pthread_barrier_init(&barrier, NULL, 2), 0);
  run_apart(*state, 2, 10 * SECOND, released_graph, &barrier);
  pthread_barrier_destroy(&barrier);
}

/* ---- What calls count ------------------------------------------------------------------------ */

static uint64_t calls_of(Rank* rank) {
  netcl_group_info info = NETCL_GROUP_INFO_INIT;
  (void)netcl_group_get_info(rank->group, &info);
  return info.calls;
}

/* After whatever one rank refuses, all have begun as many. */
static void counted(Rank* rank) {
  const int odd = rank->rank == 1;
  netcl_graph_options capture = NETCL_GRAPH_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  const uint32_t colors[2] = {0, 0};
  const int64_t seven = 7;
  netcl_tensor *y = NULL, *made = NULL;
  netcl_group* part = NULL;
  uint32_t count = 0;
  netcl_tensor* const x = rank_tensor(rank, NETCL_F32, 1, kShape, kOnes);
  netcl_tensor* wide = NULL;
  RANK_OK(rank, netcl_tensor_create_zeros(rank->device, NETCL_F32, 1, &seven, NULL, NULL, &wide));
  const uint64_t before = calls_of(rank);
  RANK_CHECK(rank, netcl_group_all_reduce(rank->group, x, odd ? NULL : x, NETCL_REDUCTION_MAX,
                                          NULL) != NETCL_OK);
  RANK_CHECK(rank, calls_of(rank) == before + 1);
  RANK_CHECK(rank, netcl_group_split(rank->group, colors, odd ? 1 : 2, &part) != NETCL_OK);
  RANK_CHECK(rank, calls_of(rank) == before + 2);
  capture.execute = NETCL_OFF;
  RANK_OK(rank, netcl_graph_create(rank->device, &capture, &run.graph));
  RANK_OK(rank, netcl_op_expression_text("v0 + 1", &x, 1, NULL, &run, &y));
  RANK_OK(rank, netcl_group_all_reduce(rank->group, y, y, NETCL_REDUCTION_SUM, &run));
  RANK_OK(rank, netcl_group_all_reduce(rank->group, y, y, NETCL_REDUCTION_SUM, &run));
  RANK_OK(rank, netcl_graph_compile(run.graph, &x, 1, &y, 1, NULL));
  RANK_CHECK(rank, calls_of(rank) == before + 2);
  /* The first call of the run is refused, which ends it on all ranks. */
  RANK_CHECK(rank, netcl_graph_evaluate(run.graph, odd ? &wide : &x, 1, NULL, &made, 1, &count) !=
                       NETCL_OK);
  RANK_CHECK(rank, calls_of(rank) == before + 3);
  RANK_OK(rank, netcl_graph_evaluate(run.graph, &x, 1, NULL, &made, 1, &count));
  RANK_CHECK(rank, calls_of(rank) == before + 5);
  netcl_tensor* const all[] = {x, y, made, wide};
  for (size_t i = 0; i < COUNT_OF(all); i++) netcl_tensor_release(all[i]);
  netcl_graph_release(run.graph);
}

static void calls_that_are_refused_count(void** state) {
  run_apart(*state, 2, LONG_WAIT, counted, NULL);
}

/* ---- One deadline for all groups of a run ---------------------------------------------------- */

enum { GROUPS = 5 };

/* Rank 1 comes to none of the groups of a run. */
static void late_in_all(Rank* rank) {
  pthread_barrier_t* const barrier = rank->state;
  const uint32_t colors[2] = {0, 0};
  netcl_group* groups[GROUPS] = {NULL};
  netcl_graph_options capture = NETCL_GRAPH_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *y = NULL, *made = NULL;
  uint32_t count = 0;
  netcl_tensor* const x = rank_tensor(rank, NETCL_F32, 1, kShape, kOnes);
  capture.execute = NETCL_OFF;
  RANK_OK(rank, netcl_graph_create(rank->device, &capture, &run.graph));
  RANK_OK(rank, netcl_op_expression_text("v0 + 1", &x, 1, NULL, &run, &y));
  for (int g = 0; g < GROUPS; g++) {
    RANK_OK(rank, netcl_group_split(rank->group, colors, 2, &groups[g]));
    RANK_OK(rank, netcl_group_all_reduce(groups[g], y, y, NETCL_REDUCTION_SUM, &run));
  }
  RANK_OK(rank, netcl_graph_compile(run.graph, &x, 1, &y, 1, NULL));
  if (rank->rank == 0) {
    const double begin = process_now();
    const netcl_status status = netcl_graph_evaluate(run.graph, &x, 1, NULL, &made, 1, &count);
    const double took = process_now() - begin;
    pthread_barrier_wait(barrier);
    RANK_CHECK(rank, status == NETCL_ERROR_TIMEOUT);
    RANK_CHECK(rank, took >= 1 && took < 3.5);
  } else {
    pthread_barrier_wait(barrier);
  }
  for (int g = 0; g < GROUPS; g++) {
    netcl_group_info info = NETCL_GROUP_INFO_INIT;
    RANK_OK(rank, netcl_group_get_info(groups[g], &info));
    RANK_CHECK(rank, info.failure == NETCL_ERROR_TIMEOUT);
    netcl_group_release(groups[g]);
  }
  netcl_tensor_release(x);
  netcl_tensor_release(y);
  netcl_graph_release(run.graph);
}

static void a_run_of_many_groups(void** state) {
  pthread_barrier_t barrier;
  assert_int_equal(pthread_barrier_init(&barrier, NULL, 2), 0);
  run_apart(*state, 2, SECOND, late_in_all, &barrier);
  pthread_barrier_destroy(&barrier);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(a_run_that_is_busy),
      DEVICE_TEST(a_graph_that_is_gone),
      DEVICE_TEST(calls_that_are_refused_count),
      DEVICE_TEST(a_run_of_many_groups),
  };
  seed_random("group_graph_bad");
  return cmocka_run_group_tests_name("group_graph_bad", tests, NULL, NULL);
}
