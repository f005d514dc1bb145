/* Graphs with calls of groups: training that splits layers, ranks that fail, what is refused. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support_group.h"

enum { RANKS = 4 };

/* ---- Training that splits the layers --------------------------------------------------------- */

enum { BATCH = 6, INPUTS = 10, HIDDEN = 24, CLASSES = 5, STEPS = 5 };

/* w1 and w2 of a rank, or of a network that is whole: the hidden units are split. */
typedef struct Layers {
  netcl_tensor *x, *wanted, *w1, *w2, *bias;
  netcl_graph* graph;
} Layers;
typedef struct Values {
  double x[BATCH * INPUTS], wanted[BATCH * CLASSES];
  double w1[INPUTS * HIDDEN], w2[HIDDEN * CLASSES], bias[CLASSES];
} Values;

static int make_layers(Rank* rank, const Values* from, uint32_t part, uint32_t parts, int grouped,
                       Layers* made) {
  const int64_t units = HIDDEN / parts, first = part * units;
  const int64_t x[2] = {BATCH, INPUTS}, wanted[2] = {BATCH, CLASSES}, w1[2] = {INPUTS, units},
                w2[2] = {units, CLASSES}, classes = CLASSES;
  double columns[INPUTS * HIDDEN];
  const float learn = 0.05F / BATCH;
  char text[64];
  netcl_graph_options capture = NETCL_GRAPH_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT, into = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *h = NULL, *act = NULL, *y = NULL, *sum = NULL, *squares = NULL, *loss = NULL;
  netcl_tensor* gradients[3] = {NULL, NULL, NULL};
  for (int64_t i = 0; i < INPUTS * units; i++) {
    columns[i] = from->w1[i / units * HIDDEN + first + i % units];
  }
  made->x = rank_tensor(rank, NETCL_F64, 2, x, from->x);
  made->wanted = rank_tensor(rank, NETCL_F64, 2, wanted, from->wanted);
  made->w1 = rank_tensor(rank, NETCL_F64, 2, w1, columns);
  made->w2 = rank_tensor(rank, NETCL_F64, 2, w2, from->w2 + first * CLASSES);
  made->bias = rank_tensor(rank, NETCL_F64, 1, &classes, from->bias);
  capture.execute = NETCL_OFF;
  int well = netcl_graph_create(rank->device, &capture, &made->graph) == NETCL_OK;
  run.graph = made->graph;
  well = well && netcl_op_matmul(made->x, made->w1, NULL, &run, &h) == NETCL_OK &&
         netcl_op_expression_text("tanh(v0)", &h, 1, NULL, &run, &act) == NETCL_OK &&
         netcl_op_matmul(act, made->w2, NULL, &run, &y) == NETCL_OK;
  if (grouped) {
    well = well && netcl_group_all_reduce(rank->group, y, y, NETCL_REDUCTION_SUM, &run) == NETCL_OK;
  }
  netcl_tensor* const terms[3] = {y, made->bias, made->wanted};
  well = well && netcl_op_expression_text("v0 + v1 - v2", terms, 3, NULL, &run, &sum) == NETCL_OK &&
         /* Each rank has the whole loss: its share of it is what the gradients add up to. */
         netcl_op_expression_text("v0 * v0", &sum, 1, NULL, &run, &squares) == NETCL_OK;
  snprintf(text, sizeof text, "v0 / %u.0", parts);
  netcl_tensor *share = NULL, *const weights[3] = {made->w1, made->w2, made->bias};
  well = well && netcl_op_expression_text(text, &squares, 1, NULL, &run, &share) == NETCL_OK &&
         netcl_op_reduce(share, NETCL_REDUCTION_SUM, NULL, &run, &loss) == NETCL_OK &&
         netcl_graph_add_gradients(run.graph, &loss, 1, weights, 3, NULL, gradients) == NETCL_OK;
  /* What all ranks have alike has a part of its gradient on each. */
  if (grouped) {
    well = well && netcl_group_all_reduce(rank->group, gradients[2], gradients[2],
                                          NETCL_REDUCTION_SUM, &run) == NETCL_OK;
  }
  into.graph = run.graph;
  snprintf(text, sizeof text, "v0 - %.9g * v1", (double)learn);
  for (int i = 0; well && i < 3; i++) {
    netcl_tensor* const step[2] = {weights[i], gradients[i]};
    into.into = weights[i];
    well = netcl_op_expression_text(text, step, 2, NULL, &into, NULL) == NETCL_OK;
  }
  well = well && netcl_graph_compile(run.graph, &made->x, 1, &loss, 1, NULL) == NETCL_OK;
  netcl_tensor* const all[] = {h, act, y, sum, squares, share, loss};
  for (size_t i = 0; i < COUNT_OF(all); i++) netcl_tensor_release(all[i]);
  for (int i = 0; i < 3; i++) netcl_tensor_release(gradients[i]);
  return well;
}

static void free_layers(Layers* made) {
  netcl_tensor_release(made->x);
  netcl_tensor_release(made->wanted);
  netcl_tensor_release(made->w1);
  netcl_tensor_release(made->w2);
  netcl_tensor_release(made->bias);
  netcl_graph_release(made->graph);
}

/* Whether a part of a matrix, or all of it, is as near as roundings leave it. */
static int same_part(const netcl_tensor* part, const netcl_tensor* whole, int64_t first_row,
                     int64_t first_column) {
  const netcl_tensor_info small = tensor_info(part), large = tensor_info(whole);
  static _Thread_local double a[INPUTS * HIDDEN], b[INPUTS * HIDDEN];
  const int64_t columns = small.shape[small.rank - 1], wide = large.shape[large.rank - 1];
  const int64_t count = product(small.rank, small.shape);
  if (netcl_tensor_read(part, a, sizeof(double) * (size_t)count, NULL, LONG_WAIT) != NETCL_OK) {
    return 0;
  }
  if (netcl_tensor_read(whole, b, sizeof(double) * (size_t)product(large.rank, large.shape), NULL,
                        LONG_WAIT) != NETCL_OK) {
    return 0;
  }
  for (int64_t i = 0; i < count; i++) {
    const double other = b[(first_row + i / columns) * wide + first_column + i % columns];
    if (!(fabs(a[i] - other) <= 1e-12)) return 0;
  }
  return 1;
}

static void split_layers(Rank* rank) {
  const Values* const values = rank->state;
  const int64_t units = HIDDEN / rank->size, first = rank->rank * units;
  Layers own, whole;
  netcl_tensor* loss[2] = {NULL, NULL};
  uint32_t count = 0;
  RANK_CHECK(rank, make_layers(rank, values, rank->rank, rank->size, 1, &own));
  RANK_CHECK(rank, make_layers(rank, values, 0, 1, 0, &whole));
  for (int step = 0; step < STEPS; step++) {
    double losses[2];
    RANK_OK(rank, netcl_graph_evaluate(own.graph, &own.x, 1, NULL, &loss[0], 1, &count));
    RANK_OK(rank, netcl_graph_evaluate(whole.graph, &whole.x, 1, NULL, &loss[1], 1, &count));
    for (int i = 0; i < 2; i++) {
      RANK_OK(rank, netcl_tensor_read(loss[i], &losses[i], sizeof losses[i], NULL, LONG_WAIT));
      netcl_tensor_release(loss[i]);
    }
    RANK_CHECK(rank, fabs(losses[0] * rank->size - losses[1]) <= 1e-12 * (1 + losses[1]));
    RANK_CHECK(rank, same_part(own.w1, whole.w1, 0, first));
    RANK_CHECK(rank, same_part(own.w2, whole.w2, first, 0));
    RANK_CHECK(rank, same_part(own.bias, whole.bias, 0, 0));
  }
  free_layers(&own);
  free_layers(&whole);
}

static void trains_split_layers(void** state) {
  static Values values;
  double* const all = values.x;
  for (size_t i = 0; i < sizeof values / sizeof(double); i++) all[i] = random_real(-1, 1);
  for (uint32_t size = 1; size <= RANKS; size++) {
    run_apart(*state, size, LONG_WAIT, split_layers, &values);
  }
}

/* ---- What is refused, and what fails --------------------------------------------------------- */

/* A capture of x + 1, joined over the group and again over another one; NULL for failure. */
static netcl_graph* two_sums(Rank* rank, netcl_group* second, netcl_tensor* x,
                             netcl_tensor** outputs) {
  const int64_t count = 8;
  netcl_graph_options capture = NETCL_GRAPH_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  capture.execute = NETCL_OFF;
  for (int i = 0; i < 2; i++) {
    if (netcl_tensor_create_zeros(rank->device, NETCL_F32, 1, &count, NULL, NULL, &outputs[i]) !=
        NETCL_OK) {
      return NULL;
    }
  }
  netcl_tensor* more = NULL;
  const int well = netcl_graph_create(rank->device, &capture, &run.graph) == NETCL_OK &&
                   netcl_op_expression_text("v0 + 1", &x, 1, NULL, &run, &more) == NETCL_OK &&
                   netcl_group_all_reduce(rank->group, more, outputs[0], NETCL_REDUCTION_SUM,
                                          &run) == NETCL_OK &&
                   netcl_group_all_reduce(second, outputs[0], outputs[1], NETCL_REDUCTION_MAX,
                                          &run) == NETCL_OK &&
                   netcl_graph_compile(run.graph, &x, 1, NULL, 0, NULL) == NETCL_OK;
  netcl_tensor_release(more);
  return well ? run.graph : NULL;
}

/* Rank 1 fails in front of calls of one group, or of two; good runs follow. */
static void one_rank_fails(Rank* rank) {
  const int64_t eight = 8, seven = 7;
  const uint32_t colors[3] = {0, 0, 0};
  const double values[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  const double sums[8] = {3, 6, 9, 12, 15, 18, 21, 24};
  netcl_group* part = NULL;
  char text[4096];
  RANK_OK(rank, netcl_group_split(rank->group, colors, 3, &part));
  netcl_tensor* const x = rank_tensor(rank, NETCL_F32, 1, &eight, values);
  netcl_tensor* const odd = rank_tensor(rank, NETCL_F32, 1, &seven, values);
  for (int groups = 1; groups <= 2; groups++) {
    netcl_tensor* outputs[2] = {NULL, NULL};
    netcl_graph* const graph = two_sums(rank, groups == 1 ? rank->group : part, x, outputs);
    RANK_CHECK(rank, graph != NULL);
    for (int round = 0; round < 3; round++) {
      if (rank->rank == 1) {
        RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "inputs[0]",
                   netcl_graph_run(graph, &odd, 1, NULL, 0, NULL));
      } else {
        RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "rank 1 refused its call of all_reduce",
                   netcl_graph_run(graph, &x, 1, NULL, 0, NULL));
      }
      RANK_OK(rank, netcl_graph_run(graph, &x, 1, NULL, 0, NULL));
      for (int i = 0; i < 2; i++) RANK_CHECK(rank, rank_holds(outputs[i], sums));
    }
    RANK_OK(rank, netcl_graph_explain(graph, NETCL_GRAPH_FORMAT_TEXT, text, sizeof text, NULL));
    RANK_CHECK(rank, strstr(text, "all_reduce SUM, 3 ranks") != NULL);
    RANK_CHECK(rank, strstr(text, "all_reduce MAX, 3 ranks") != NULL);
    netcl_graph_release(graph);
    for (int i = 0; i < 2; i++) netcl_tensor_release(outputs[i]);
  }
  netcl_tensor_release(x);
  netcl_tensor_release(odd);
  netcl_group_release(part);
}

static void a_run_that_one_rank_refuses(void** state) {
  run_apart(*state, 3, LONG_WAIT, one_rank_fails, NULL);
}

/* Graphs with other numbers of calls: no value of one goes to another. */
static void other_calls(Rank* rank) {
  const int64_t eight = 8;
  const double ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  netcl_graph_options capture = NETCL_GRAPH_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *y = NULL, *output = NULL;
  uint32_t count = 0;
  netcl_tensor* const x = rank_tensor(rank, NETCL_F32, 1, &eight, ones);
  capture.execute = NETCL_OFF;
  RANK_OK(rank, netcl_graph_create(rank->device, &capture, &run.graph));
  RANK_OK(rank, netcl_op_expression_text("v0 + 0", &x, 1, NULL, &run, &y));
  for (uint32_t i = 0; i < 1 + rank->rank; i++) {
    RANK_OK(rank, netcl_group_all_reduce(rank->group, y, y, NETCL_REDUCTION_SUM, &run));
  }
  RANK_OK(rank, netcl_graph_compile(run.graph, &x, 1, &y, 1, NULL));
  for (int round = 0; round < 3; round++) {
    RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "other calls in its graph",
               netcl_graph_evaluate(run.graph, &x, 1, NULL, &output, 1, &count));
  }
  RANK_OK(rank, netcl_group_all_reduce(rank->group, x, x, NETCL_REDUCTION_MAX, NULL));
  netcl_tensor_release(x);
  netcl_tensor_release(y);
  netcl_graph_release(run.graph);
}

static void graphs_that_differ(void** state) { run_apart(*state, 2, LONG_WAIT, other_calls, NULL); }

/* A rank that goes in front of a run, and what the others get. */
static void one_rank_goes(Rank* rank) {
  const int64_t eight = 8;
  const double values[8] = {0};
  netcl_tensor* outputs[2] = {NULL, NULL};
  netcl_tensor* const x = rank_tensor(rank, NETCL_F32, 1, &eight, values);
  netcl_graph* const graph = two_sums(rank, rank->group, x, outputs);
  RANK_CHECK(rank, graph != NULL);
  RANK_OK(rank, netcl_graph_run(graph, &x, 1, NULL, 0, NULL));
  if (rank->rank == 1) {
    /* The graph has the group until it is released too. */
    netcl_graph_release(graph);
    netcl_group_release(rank->group);
    rank->group = NULL;
  } else {
    for (int i = 0; i < 2; i++) {
      RANK_FAILS(rank, NETCL_ERROR_RANK_LOST, "rank 1",
                 netcl_graph_run(graph, &x, 1, NULL, 0, NULL));
    }
    netcl_graph_release(graph);
  }
  for (int i = 0; i < 2; i++) netcl_tensor_release(outputs[i]);
  netcl_tensor_release(x);
}

static void a_run_without_a_rank(void** state) {
  run_apart(*state, 3, LONG_WAIT, one_rank_goes, NULL);
}

/* ---- What is recorded ------------------------------------------------------------------------ */

/* The calls that a graph records, with the status that each gives. */
static netcl_status record_loss(Rank* rank, int which, netcl_tensor* x, netcl_tensor* y,
                                const netcl_run_options* run, netcl_tensor** loss) {
  const int64_t counts[2] = {4, 4};
  netcl_status status = NETCL_OK;
  if (which == 0) status = netcl_group_all_to_all(rank->group, x, counts, 2, y, run);
  if (which == 1) status = netcl_group_all_reduce(rank->group, x, y, NETCL_REDUCTION_PROD, run);
  if (which == 2) status = netcl_group_all_reduce(rank->group, x, y, NETCL_REDUCTION_MAX, run);
  if (status != NETCL_OK) return status;
  return netcl_op_reduce(y, NETCL_REDUCTION_SUM, NULL, run, loss);
}

static void refusals(Rank* rank) {
  const int64_t eight = 8;
  const double values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  netcl_tensor *x = rank_tensor(rank, NETCL_F32, 1, &eight, values), *y = NULL, *loss = NULL;
  netcl_tensor *gradient = NULL, *halves = NULL;
  netcl_graph_info info = NETCL_GRAPH_INFO_INIT;
  netcl_graph_options options = NETCL_GRAPH_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  RANK_OK(rank, netcl_tensor_create_zeros(rank->device, NETCL_F32, 1, &eight, NULL, NULL, &y));
  RANK_OK(rank, netcl_tensor_create_zeros(rank->device, NETCL_F16, 1, &eight, NULL, NULL, &halves));
  for (int capture = 0; capture < 2; capture++) {
    options.execute = capture ? NETCL_OFF : NETCL_ON;
    RANK_OK(rank, netcl_graph_create(rank->device, &options, &run.graph));
    RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "this is reduce",
               netcl_group_reduce(rank->group, x, y, NETCL_REDUCTION_SUM, 0, &run));
    RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "this is barrier",
               netcl_group_barrier(rank->group, &run));
    RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "this is gather",
               netcl_group_gather(rank->group, x, y, 0, &run));
    RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "output is f16",
               netcl_group_all_reduce(rank->group, x, halves, NETCL_REDUCTION_SUM, &run));
    RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "kind is 99",
               netcl_group_all_reduce(rank->group, x, y, 99, &run));
    run.into = y;
    RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "run->into is set",
               netcl_group_all_reduce(rank->group, x, y, NETCL_REDUCTION_SUM, &run));
    run.into = NULL;
    RANK_OK(rank, netcl_graph_get_info(run.graph, &info));
    RANK_CHECK(rank, info.call_count == 0);
    for (int which = 0; which < 3; which++) {
      RANK_OK(rank, record_loss(rank, which, x, y, &run, &loss));
      RANK_FAILS(rank, NETCL_ERROR_UNSUPPORTED, which == 0 ? "all_to_all" : "all_reduce",
                 netcl_graph_add_gradients(run.graph, &loss, 1, &x, 1, NULL, &gradient));
      RANK_CHECK(rank, gradient == NULL);
      netcl_tensor_release(loss);
      RANK_OK(rank, netcl_graph_clear(run.graph));
    }
    netcl_graph_release(run.graph);
  }
  netcl_tensor_release(x);
  netcl_tensor_release(y);
  netcl_tensor_release(halves);
}

static void what_is_not_recorded(void** state) { run_apart(*state, 2, LONG_WAIT, refusals, NULL); }

/* What one rank makes nothing of, the others need. */
static void unneeded(Rank* rank) {
  const int64_t eight = 8;
  const double ones[8] = {1, 1, 1, 1, 1, 1, 1, 1}, threes[8] = {3, 3, 3, 3, 3, 3, 3, 3};
  netcl_graph_options capture = NETCL_GRAPH_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *filled = NULL, *other = NULL, *output = NULL;
  uint32_t count = 0;
  netcl_tensor* const x = rank_tensor(rank, NETCL_F32, 1, &eight, ones);
  netcl_group_info before = NETCL_GROUP_INFO_INIT, after = NETCL_GROUP_INFO_INIT;
  capture.execute = NETCL_OFF;
  RANK_OK(rank, netcl_graph_create(rank->device, &capture, &run.graph));
  RANK_OK(rank, netcl_op_expression_text("v0 + 0", &x, 1, NULL, &run, &other));
  RANK_OK(rank, netcl_op_expression_text("v0 * 1", &x, 1, NULL, &run, &filled));
  RANK_OK(rank, netcl_group_all_reduce(rank->group, filled, filled, NETCL_REDUCTION_SUM, &run));
  netcl_tensor* const wanted = rank->rank == 1 ? other : filled;
  RANK_OK(rank, netcl_group_get_info(rank->group, &before));
  RANK_OK(rank, netcl_graph_compile(run.graph, &x, 1, &wanted, 1, NULL));
  RANK_OK(rank, netcl_group_get_info(rank->group, &after));
  RANK_CHECK(rank, after.calls == before.calls);
  for (uint64_t i = 1; i < 4; i++) {
    RANK_OK(rank, netcl_graph_evaluate(run.graph, &x, 1, NULL, &output, 1, &count));
    RANK_CHECK(rank, rank_holds(output, rank->rank == 1 ? ones : threes));
    RANK_OK(rank, netcl_group_get_info(rank->group, &after));
    RANK_CHECK(rank, after.calls == before.calls + i);
    netcl_tensor_release(output);
  }
  netcl_tensor_release(x);
  netcl_tensor_release(filled);
  netcl_tensor_release(other);
  netcl_graph_release(run.graph);
}

/* The counts of a call are those of when it was recorded. */
static void counted(Rank* rank) {
  const int64_t six = 6, got = rank->rank == 0 ? 2 : 10;
  int64_t counts[2] = {1, 5};
  const double values[2][6] = {{0, 1, 2, 3, 4, 5}, {10, 11, 12, 13, 14, 15}};
  const double wanted[2][10] = {{0, 10}, {1, 2, 3, 4, 5, 11, 12, 13, 14, 15}};
  netcl_graph_options capture = NETCL_GRAPH_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor* y = NULL;
  netcl_tensor* const x = rank_tensor(rank, NETCL_F32, 1, &six, values[rank->rank]);
  capture.execute = NETCL_OFF;
  RANK_OK(rank, netcl_tensor_create_zeros(rank->device, NETCL_F32, 1, &got, NULL, NULL, &y));
  RANK_OK(rank, netcl_graph_create(rank->device, &capture, &run.graph));
  RANK_OK(rank, netcl_group_all_to_all(rank->group, x, counts, 2, y, &run));
  counts[0] = counts[1] = 3;
  RANK_OK(rank, netcl_graph_compile(run.graph, &x, 1, NULL, 0, NULL));
  RANK_OK(rank, netcl_graph_run(run.graph, &x, 1, NULL, 0, NULL));
  RANK_CHECK(rank, rank_holds(y, wanted[rank->rank]));
  netcl_tensor_release(x);
  netcl_tensor_release(y);
  netcl_graph_release(run.graph);
}

static void counts_of_a_call(void** state) { run_apart(*state, 2, LONG_WAIT, counted, NULL); }

static void calls_that_one_rank_does_not_need(void** state) {
  run_apart(*state, 3, LONG_WAIT, unneeded, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(trains_split_layers),  DEVICE_TEST(a_run_that_one_rank_refuses),
      DEVICE_TEST(graphs_that_differ),   DEVICE_TEST(a_run_without_a_rank),
      DEVICE_TEST(what_is_not_recorded), DEVICE_TEST(calls_that_one_rank_does_not_need),
      DEVICE_TEST(counts_of_a_call),
  };
  seed_random("group_graph_runs");
  return cmocka_run_group_tests_name("group_graph_runs", tests, NULL, NULL);
}
