/* Calls of groups in graphs: gradients of each, on tapes and in captures. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support_group.h"

enum { RANKS = 4, WIDTH = 3, ROWS_MOST = 24, MOST = ROWS_MOST * WIDTH };
enum { ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, BROADCAST, OPS };

/* What every rank gives, and by what it weighs what it gets: the loss of a rank is half the sum of
 * weight * result * result, and that of the group the sum of those. */
typedef struct Case {
  int op;
  netcl_reduction kind;
  netcl_dtype dtype;
  uint32_t size, root;
  int permuted;  /* the input is a view with its axes exchanged */
  int64_t above; /* rows of its memory in front of it */
  int64_t in_rows[RANKS], out_rows[RANKS];
  double x[RANKS][MOST], weights[RANKS][MOST];
} Case;

static int64_t sum_of(const int64_t* rows, uint32_t count) {
  int64_t sum = 0;
  for (uint32_t i = 0; i < count; i++) sum += rows[i];
  return sum;
}

static void make_case(Case* own, int op, uint32_t size) {
  int64_t parts[RANKS], whole;
  memset(own, 0, sizeof *own);
  own->op = op;
  own->size = size;
  own->kind = random_in(0, 1) ? NETCL_REDUCTION_SUM : NETCL_REDUCTION_MEAN;
  own->dtype = random_in(0, 1) ? NETCL_F32 : NETCL_F64;
  own->root = (uint32_t)random_in(0, size - 1);
  own->permuted = (int)random_in(0, 1);
  own->above = random_in(0, 2);
  for (uint32_t r = 0; r < size; r++) parts[r] = random_in(op == ALL_TO_ALL, 5);
  for (uint32_t r = 1; r < size && op == ALL_TO_ALL; r++) parts[r] = parts[0];
  parts[0] += sum_of(parts, size) == 0;
  whole = sum_of(parts, size);
  for (uint32_t r = 0; r < size; r++) {
    own->in_rows[r] = op == ALL_GATHER ? parts[r] : whole;
    own->out_rows[r] = op == REDUCE_SCATTER ? parts[r] : whole;
    for (int i = 0; i < MOST; i++) {
      own->x[r][i] = (double)(float)random_real(-1, 1);
      own->weights[r][i] = (double)(float)random_real(-1, 1);
    }
  }
}

/* What rank `me` gets, or with `back` the gradient of what it gave; values[r] is what each rank
 * gives, or the gradient of what each got. */
static double expected(const Case* own, uint32_t me, int64_t at, double (*values)[MOST], int back) {
  const double share = own->kind == NETCL_REDUCTION_MEAN ? 1.0 / own->size : 1.0;
  const int64_t part = own->in_rows[0] / own->size * WIDTH; /* of all_to_all */
  double sum = 0;
  if (own->op == ALL_TO_ALL) return values[at / part][me * part + at % part];
  if (own->op == BROADCAST && !back) return values[own->root][at];
  if (own->op == BROADCAST && me != own->root) return 0;
  const int joins = own->op == ALL_REDUCE || own->op == BROADCAST ||
                    (own->op == REDUCE_SCATTER && !back) || (own->op == ALL_GATHER && back);
  const int64_t* const rows = own->op == ALL_GATHER ? own->in_rows : own->out_rows;
  if (joins) {
    const int64_t first = own->op == ALL_REDUCE || own->op == BROADCAST ? 0 : sum_of(rows, me);
    for (uint32_t r = 0; r < own->size; r++) sum += values[r][first * WIDTH + at];
    return own->op == BROADCAST || own->op == ALL_GATHER ? sum : sum * share;
  }
  for (uint32_t r = 0; r < own->size; r++) {
    if (at < rows[r] * WIDTH) return values[r][at] * (own->op == REDUCE_SCATTER ? share : 1);
    at -= rows[r] * WIDTH;
  }
  return NAN;
}

/* A tensor [rows, WIDTH]: a part of one with more rows, perhaps with its axes exchanged. */
static netcl_tensor* matrix(Rank* rank, const Case* own, int64_t rows, const double* values) {
  const int64_t all = rows + own->above, shape[2] = {all, WIDTH}, other[2] = {WIDTH, all};
  const netcl_range part[2] = {{own->above, rows, 1}, {0, WIDTH, 1}};
  const uint32_t axes[2] = {1, 0};
  double laid[MOST + ROWS_MOST * WIDTH];
  netcl_tensor *whole = NULL, *turned = NULL, *view = NULL;
  for (int64_t i = 0; i < all * WIDTH; i++) {
    const int64_t row = i / WIDTH, at = own->permuted ? i % WIDTH * all + row : i;
    laid[at] = row < own->above ? 777 : values[i - own->above * WIDTH];
  }
  whole = rank_tensor(rank, own->dtype, 2, own->permuted ? other : shape, laid);
  if (own->permuted && netcl_tensor_permute(whole, axes, 2, &turned) != NETCL_OK) return NULL;
  if (netcl_tensor_slice(own->permuted ? turned : whole, part, 2, &view) != NETCL_OK) return NULL;
  netcl_tensor_release(whole);
  netcl_tensor_release(turned);
  return view;
}

static int is_near(const netcl_tensor* tensor, const Case* own, const double* values) {
  const netcl_tensor_info info = tensor_info(tensor);
  const int64_t count = product(info.rank, info.shape);
  const double bound = own->dtype == NETCL_F64 ? 1e-12 : 1e-5;
  double data[MOST];
  if (netcl_tensor_read(tensor, data, (size_t)count * netcl_dtype_size(own->dtype), NULL,
                        LONG_WAIT) != NETCL_OK) {
    return 0;
  }
  for (int64_t i = 0; i < count; i++) {
    if (fabs(load_double(own->dtype, data, i) - values[i]) <= bound) continue;
    fprintf(stderr, "op %d: element %lld is %g, not %g\n", own->op, (long long)i,
            load_double(own->dtype, data, i), values[i]);
    return 0;
  }
  return 1;
}

/* The call, recorded; NULL for failure. */
static netcl_tensor* collective(Rank* rank, const Case* own, netcl_tensor* x,
                                const netcl_run_options* run) {
  const int64_t shape[2] = {own->out_rows[rank->rank], WIDTH};
  netcl_tensor* y = NULL;
  netcl_status status = NETCL_OK;
  if (own->op == BROADCAST) {
    status = netcl_op_expression_text("v0 + 0", &x, 1, NULL, run, &y);
    if (status == NETCL_OK) status = netcl_group_broadcast(rank->group, y, own->root, run);
    return status == NETCL_OK ? y : NULL;
  }
  if (netcl_tensor_create_zeros(rank->device, own->dtype, 2, shape, NULL, NULL, &y) != NETCL_OK) {
    return NULL;
  }
  if (own->op == ALL_REDUCE) status = netcl_group_all_reduce(rank->group, x, y, own->kind, run);
  if (own->op == ALL_GATHER) status = netcl_group_all_gather(rank->group, x, y, run);
  if (own->op == REDUCE_SCATTER) {
    status = netcl_group_reduce_scatter(rank->group, x, y, own->kind, run);
  }
  if (own->op == ALL_TO_ALL) status = netcl_group_all_to_all(rank->group, x, NULL, 0, y, run);
  return status == NETCL_OK ? y : NULL;
}

typedef struct Recorded {
  netcl_tensor *weights, *y, *loss, *gradient;
} Recorded;

static int record(Rank* rank, const Case* own, netcl_tensor* x, const netcl_run_options* run,
                  Recorded* made) {
  const char* const text = "0.5 * v0 * v1 * v1";
  netcl_tensor *weighed = NULL, *both[2];
  memset(made, 0, sizeof *made);
  made->weights = matrix(rank, own, own->out_rows[rank->rank], own->weights[rank->rank]);
  made->y = collective(rank, own, x, run);
  both[0] = made->weights;
  both[1] = made->y;
  const int well =
      made->y != NULL && netcl_op_expression_text(text, both, 2, NULL, run, &weighed) == NETCL_OK &&
      netcl_op_reduce(weighed, NETCL_REDUCTION_SUM, NULL, run, &made->loss) == NETCL_OK &&
      netcl_graph_add_gradients(run->graph, &made->loss, 1, &x, 1, NULL, &made->gradient) ==
          NETCL_OK;
  netcl_tensor_release(weighed);
  return well;
}

static void forget(Recorded* made) {
  netcl_tensor_release(made->weights);
  netcl_tensor_release(made->y);
  netcl_tensor_release(made->loss);
  netcl_tensor_release(made->gradient);
}

/* What all ranks get, and the gradients of what they gave. */
static void work_out(const Case* own, double (*x)[MOST], uint32_t me, double* y, double* gradient) {
  static _Thread_local double grads[RANKS][MOST];
  memset(grads, 0, sizeof grads);
  for (uint32_t r = 0; r < own->size; r++) {
    for (int64_t i = 0; i < own->out_rows[r] * WIDTH; i++) {
      const double value = expected(own, r, i, x, 0);
      grads[r][i] = own->weights[r][i] * value;
      if (r == me) y[i] = value;
    }
  }
  for (int64_t i = 0; i < own->in_rows[me] * WIDTH; i++) {
    gradient[i] = expected(own, me, i, grads, 1);
  }
}

static void on_a_tape(Rank* rank) {
  Case* const own = rank->state;
  const uint32_t me = rank->rank;
  double y[MOST], gradient[MOST];
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  Recorded made;
  work_out(own, own->x, me, y, gradient);
  netcl_tensor* const x = matrix(rank, own, own->in_rows[me], own->x[me]);
  RANK_OK(rank, netcl_graph_create(rank->device, NULL, &run.graph));
  RANK_CHECK(rank, record(rank, own, x, &run, &made));
  RANK_CHECK(rank, is_near(made.y, own, y));
  RANK_CHECK(rank, is_near(made.gradient, own, gradient));
  forget(&made);
  netcl_tensor_release(x);
  netcl_graph_release(run.graph);
}

static void in_a_capture(Rank* rank) {
  Case* const own = rank->state;
  const uint32_t me = rank->rank;
  double y[MOST], gradient[MOST], next[RANKS][MOST];
  netcl_graph_options capture = NETCL_GRAPH_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT, plain = NETCL_RUN_OPTIONS_INIT;
  netcl_queue_options any_order = NETCL_QUEUE_OPTIONS_INIT;
  netcl_event* event = NULL;
  netcl_tensor* outputs[2] = {NULL, NULL};
  Recorded made;
  uint32_t count = 0;
  capture.execute = NETCL_OFF;
  any_order.out_of_order = 1;
  netcl_tensor* const x = matrix(rank, own, own->in_rows[me], own->x[me]);
  RANK_OK(rank, netcl_graph_create(rank->device, &capture, &run.graph));
  RANK_CHECK(rank, record(rank, own, x, &run, &made));
  netcl_tensor* const given[2] = {made.y, made.gradient};
  /* A value of the capture is an output; a tensor that calls write to is there anyway. */
  const uint32_t first = own->op == BROADCAST ? 0 : 1;
  RANK_OK(rank, netcl_graph_compile(run.graph, &x, 1, given + first, 2 - first, NULL));
  RANK_OK(rank, netcl_queue_create(rank->device, &any_order, &plain.queue));
  for (int round = 0; round < 4; round++) {
    for (uint32_t r = 0; r < own->size; r++) {
      for (int i = 0; i < MOST; i++) next[r][i] = own->x[(r + (uint32_t)round) % own->size][i];
    }
    const Case other = {
        .op = own->op, .dtype = own->dtype, .permuted = round % 2, .above = (3 * round) % 7};
    work_out(own, next, me, y, gradient);
    netcl_tensor* const fresh = matrix(rank, &other, own->in_rows[me], next[me]);
    plain.event = round == 3 ? &event : NULL;
    RANK_OK(rank, netcl_graph_evaluate(run.graph, &fresh, 1, &plain, outputs, 2, &count));
    if (event != NULL) RANK_OK(rank, netcl_event_wait(event, LONG_WAIT));
    RANK_CHECK(rank, is_near(first == 0 ? outputs[0] : made.y, own, y));
    RANK_CHECK(rank, is_near(outputs[1 - first], own, gradient));
    for (uint32_t i = 0; i < count; i++) netcl_tensor_release(outputs[i]);
    netcl_tensor_release(fresh);
  }
  netcl_event_release(event);
  netcl_queue_release(plain.queue);
  forget(&made);
  netcl_tensor_release(x);
  netcl_graph_release(run.graph);
}

static void gradients_of_each(void** state) {
  static Case own;
  for (uint32_t size = 1; size <= RANKS; size++) {
    for (int op = 0; op < OPS; op++) {
      make_case(&own, op, size);
      run_apart(*state, size, LONG_WAIT, on_a_tape, &own);
      run_apart(*state, size, LONG_WAIT, in_a_capture, &own);
    }
  }
}

/* Each rank's own tensor depends on its weight, the others' on nothing: what goes to whom is told
 * by the calls alone. */
static void owners(Rank* rank) {
  const int64_t three = 3;
  const double values[2][3] = {{1, 2, 3}, {11, 12, 13}};
  const double wanted[2][3] = {{968, 1152, 1352}, {176, 384, 624}};
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *y[2] = {NULL, NULL}, *product = NULL, *loss = NULL, *gradient = NULL;
  netcl_tensor* const w = rank_tensor(rank, NETCL_F32, 1, &three, values[rank->rank]);
  RANK_OK(rank, netcl_graph_create(rank->device, NULL, &run.graph));
  for (uint32_t i = 0; i < 2; i++) {
    if (i == rank->rank) {
      RANK_OK(rank, netcl_op_expression_text("v0 * 2", &w, 1, NULL, &run, &y[i]));
    } else {
      RANK_OK(rank,
              netcl_tensor_create_zeros(rank->device, NETCL_F32, 1, &three, NULL, NULL, &y[i]));
    }
    RANK_OK(rank, netcl_group_broadcast(rank->group, y[i], i, &run));
  }
  RANK_OK(rank, netcl_op_expression_text("v0 * v1 * v1 / 2", y, 2, NULL, &run, &product));
  RANK_OK(rank, netcl_op_reduce(product, NETCL_REDUCTION_SUM, NULL, &run, &loss));
  RANK_OK(rank, netcl_graph_add_gradients(run.graph, &loss, 1, &w, 1, NULL, &gradient));
  RANK_CHECK(rank, rank_holds(gradient, wanted[rank->rank]));
  netcl_tensor* const all[] = {w, y[0], y[1], product, loss, gradient};
  for (size_t i = 0; i < COUNT_OF(all); i++) netcl_tensor_release(all[i]);
  netcl_graph_release(run.graph);
}

static void gradients_of_who_gave(void** state) { run_apart(*state, 2, LONG_WAIT, owners, NULL); }

/* A leaf that the root gives has the gradients of all; a rank whose gradient fails tells. */
static void given_leaf(Rank* rank) {
  const int64_t three = 3;
  const double values[3] = {1, 2, 3}, whole[3] = {8, 16, 24}, own[3] = {4, 8, 12};
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *square = NULL, *loss = NULL, *gradient = NULL, *sum = NULL;
  netcl_tensor* const w = rank_tensor(rank, NETCL_F32, 1, &three, values);
  RANK_OK(rank, netcl_graph_create(rank->device, NULL, &run.graph));
  RANK_OK(rank, netcl_group_broadcast(rank->group, w, 0, &run));
  RANK_OK(rank, netcl_op_expression_text("2 * v0 * v0", &w, 1, NULL, &run, &square));
  RANK_OK(rank, netcl_op_reduce(square, NETCL_REDUCTION_SUM, NULL, &run, &loss));
  RANK_OK(rank, netcl_graph_add_gradients(run.graph, &loss, 1, &w, 1, NULL, &gradient));
  RANK_CHECK(rank, rank_holds(gradient, rank->rank == 0 ? whole : own));
  RANK_OK(rank, netcl_graph_clear(run.graph));
  netcl_tensor_release(square);
  netcl_tensor_release(loss);
  netcl_tensor_release(gradient);
  RANK_OK(rank, netcl_tensor_create_zeros(rank->device, NETCL_F32, 1, &three, NULL, NULL, &sum));
  RANK_OK(rank, netcl_group_all_reduce(rank->group, w, sum, NETCL_REDUCTION_SUM, &run));
  RANK_OK(rank, netcl_op_expression_text("v0 * v0", &sum, 1, NULL, &run, &square));
  RANK_OK(rank, netcl_op_reduce(square, NETCL_REDUCTION_SUM, NULL, &run, &loss));
  if (rank->rank == 1) RANK_OK(rank, netcl_tensor_write(sum, (float[3]){0}, 12, NULL, LONG_WAIT));
  RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT,
             rank->rank == 1 ? "overwritten" : "rank 1 refused its call of all_reduce",
             netcl_graph_add_gradients(run.graph, &loss, 1, &w, 1, NULL, &gradient));
  RANK_OK(rank, netcl_group_all_reduce(rank->group, w, sum, NETCL_REDUCTION_SUM, NULL));
  netcl_tensor* const all[] = {w, square, loss, sum};
  for (size_t i = 0; i < COUNT_OF(all); i++) netcl_tensor_release(all[i]);
  netcl_graph_release(run.graph);
}

/* The gradient of a gradient through a broadcast: the root is told, here a group of its own. */
static void twice(Rank* rank) {
  const int64_t three = 3;
  const double values[3] = {1, 2, 3};
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *y = NULL, *cube = NULL, *loss = NULL, *first = NULL, *square = NULL, *sum = NULL;
  netcl_tensor* second = NULL;
  netcl_tensor* const w = rank_tensor(rank, NETCL_F32, 1, &three, values);
  RANK_OK(rank, netcl_graph_create(rank->device, NULL, &run.graph));
  RANK_OK(rank, netcl_op_expression_text("v0 * 1", &w, 1, NULL, &run, &y));
  RANK_OK(rank, netcl_group_broadcast(rank->group, y, 0, &run));
  RANK_OK(rank, netcl_op_expression_text("v0 * v0 * v0", &y, 1, NULL, &run, &cube));
  RANK_OK(rank, netcl_op_reduce(cube, NETCL_REDUCTION_SUM, NULL, &run, &loss));
  RANK_OK(rank, netcl_graph_add_gradients(run.graph, &loss, 1, &w, 1, NULL, &first));
  RANK_OK(rank, netcl_op_expression_text("v0 * v0", &first, 1, NULL, &run, &square));
  RANK_OK(rank, netcl_op_reduce(square, NETCL_REDUCTION_SUM, NULL, &run, &sum));
  RANK_FAILS(rank, NETCL_ERROR_UNSUPPORTED, "all_reduce",
             netcl_graph_add_gradients(run.graph, &sum, 1, &w, 1, NULL, &second));
  RANK_CHECK(rank, second == NULL);
  netcl_tensor* const all[] = {w, y, cube, loss, first, square, sum};
  for (size_t i = 0; i < COUNT_OF(all); i++) netcl_tensor_release(all[i]);
  netcl_graph_release(run.graph);
}

static void a_gradient_by_a_broadcast_has_none(void** state) {
  run_apart(*state, 1, LONG_WAIT, twice, NULL);
}

static void a_leaf_that_is_given(void** state) {
  run_apart(*state, 2, LONG_WAIT, given_leaf, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(gradients_of_each), DEVICE_TEST(gradients_of_who_gave),
      DEVICE_TEST(a_leaf_that_is_given), DEVICE_TEST(a_gradient_by_a_broadcast_has_none)};
  seed_random("group_graph");
  return cmocka_run_group_tests_name("group_graph", tests, NULL, NULL);
}
