/* Ops of sharded tensors beside the same ops of the whole on one device. */
#include "support_sharded.h"

#include <stdio.h>

enum { LAYS = 6 };
static const int64_t kShape[3] = {6, 5, 8};

/* Of four ranks. */
static const Lay kLays[LAYS] = {
    {1, {4}, {NETCL_REPLICATED}},       {1, {4}, {0}},       {2, {2, 2}, {0, 2}},
    {2, {2, 2}, {NETCL_REPLICATED, 1}}, {2, {2, 2}, {1, 0}}, {3, {2, 1, 2}, {2, 0, 1}},
};

/* ---- Elementwise ----------------------------------------------------------------------------- */

static void expressions_of(Rank* rank) {
  static const int64_t row[1] = {8}, column[3] = {6, 1, 1}, matrix[2] = {5, 8};
  static const char kText[] = "v0 * 2 + v1 - v2 * v3";
  netcl_tensor* wholes[4] = {whole_values(rank, NETCL_F32, 3, kShape, small_whole),
                             whole_values(rank, NETCL_F32, 1, row, counted_value),
                             whole_values(rank, NETCL_F32, 3, column, small_whole),
                             whole_values(rank, NETCL_F32, 2, matrix, small_whole)};
  netcl_tensor* wanted = NULL;
  RANK_OK(rank, netcl_op_expression_text(kText, wholes, 4, NULL, NULL, &wanted));
  for (int n = 0; n < LAYS; n++) {
    const Lay* lay = &kLays[n];
    /* Split as the first, one axis further to the left, or whole on another mesh. */
    Lay narrow = *lay;
    for (uint32_t m = 0; m < narrow.mesh_rank; m++) {
      narrow.axes[m] = narrow.axes[m] > 0 ? narrow.axes[m] - 1 : NETCL_REPLICATED;
    }
    netcl_sharded* y = NULL;
    netcl_sharded* inputs[4] = {
        shard_values(rank, NETCL_F32, 3, kShape, lay, small_whole),
        shard_values(rank, NETCL_F32, 1, row, &kLays[0], counted_value),
        shard_values(rank, NETCL_F32, 3, column, &kLays[0], small_whole),
        shard_values(rank, NETCL_F32, 2, matrix, n % 2 == 0 ? &narrow : &kLays[0], small_whole)};
    for (int i = 0; i < 4; i++) RANK_CHECK(rank, inputs[i] != NULL);
    RANK_OK(rank, netcl_sharded_expression_text(kText, inputs, 4, NULL, NULL, &y));
    RANK_CHECK(rank, shard_is(rank, y, wanted, 0));
    netcl_sharded_info info = NETCL_SHARDED_INFO_INIT;
    RANK_OK(rank, netcl_sharded_get_info(y, &info));
    for (uint32_t m = 0; m < lay->mesh_rank; m++) {
      RANK_CHECK(rank, lay->mesh[m] == 1 || info.axes[m] == lay->axes[m]);
    }
    RANK_CHECK(rank, explains(y, "expression: nothing is sent"));
    netcl_sharded_release(y);
    /* The first alone, in another dtype. */
    netcl_expression_options options = NETCL_EXPRESSION_OPTIONS_INIT;
    options.dtype = NETCL_I64;
    RANK_OK(rank, netcl_sharded_expression_text("v0 * 2", inputs, 1, &options, NULL, &y));
    RANK_OK(rank, netcl_sharded_get_info(y, &info));
    RANK_CHECK(rank, info.dtype == NETCL_I64);
    netcl_sharded_release(y);
    for (int i = 0; i < 4; i++) netcl_sharded_release(inputs[i]);
  }
  for (int i = 0; i < 4; i++) netcl_tensor_release(wholes[i]);
  netcl_tensor_release(wanted);
}

static void expressions(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, 4, LONG_WAIT, expressions_of, NULL);
}

/* ---- Reductions ------------------------------------------------------------------------------ */

static double positive(int64_t place) { return (double)(place % 5 + 1) / 4; }
static double zero_or_one(int64_t place) { return place % 7 == 3 ? 1 : 0; }

static const netcl_reduction kKinds[] = {
    NETCL_REDUCTION_SUM, NETCL_REDUCTION_MEAN, NETCL_REDUCTION_PROD,   NETCL_REDUCTION_MAX,
    NETCL_REDUCTION_MIN, NETCL_REDUCTION_L1,   NETCL_REDUCTION_L2,     NETCL_REDUCTION_SUM_SQUARE,
    NETCL_REDUCTION_ANY, NETCL_REDUCTION_ALL,  NETCL_REDUCTION_LOG_SUM};

static void reduce_one(Rank* rank, const Lay* lay, netcl_dtype dtype, unsigned axes,
                       uint32_t keepdims, netcl_reduction kind) {
  const int truth = kind == NETCL_REDUCTION_ANY || kind == NETCL_REDUCTION_ALL;
  const WholeValue value = truth                             ? zero_or_one
                           : kind == NETCL_REDUCTION_PROD    ? positive
                           : kind == NETCL_REDUCTION_LOG_SUM ? positive
                                                             : small_whole;
  int32_t list[3];
  netcl_reduce_options options = NETCL_REDUCE_OPTIONS_INIT;
  netcl_tensor* wanted = NULL;
  netcl_sharded* y = NULL;
  for (int d = 0; d < 3; d++) {
    if ((axes >> d & 1) != 0) list[options.axes_count++] = d == 1 ? -2 : d;
  }
  options.axes = list;
  options.keepdims = keepdims;
  netcl_tensor* whole = whole_values(rank, dtype, 3, kShape, value);
  netcl_sharded* x = shard_values(rank, dtype, 3, kShape, lay, value);
  RANK_CHECK(rank, whole != NULL && x != NULL);
  RANK_OK(rank, netcl_op_reduce(whole, kind, &options, NULL, &wanted));
  RANK_OK(rank, netcl_sharded_reduce(x, kind, &options, NULL, &y));
  const int exact = dtype != NETCL_F16 && kind != NETCL_REDUCTION_PROD &&
                    kind != NETCL_REDUCTION_MEAN && kind != NETCL_REDUCTION_L2 &&
                    kind != NETCL_REDUCTION_LOG_SUM;
  double* values = tensor_doubles(wanted);
  const double size = values[0] < 0 ? -values[0] : values[0];
  const double eps = dtype == NETCL_F16 ? 1e-3 : 1e-5;
  free(values);
  RANK_CHECK(rank, shard_is(rank, y, wanted, exact ? 0 : eps * (1 + size)));
  int joined = 1;
  for (uint32_t m = 0; m < lay->mesh_rank; m++) {
    const int32_t axis = lay->axes[m];
    if (axis >= 0 && (axes == 0 || (axes >> axis & 1) != 0)) joined *= (int)lay->mesh[m];
  }
  RANK_CHECK(rank, joined > 1 ? explained(y, "all_reduce of ") == joined
                              : explains(y, "reduce: nothing is sent"));
  netcl_tensor_release(whole);
  netcl_tensor_release(wanted);
  netcl_sharded_release(x);
  netcl_sharded_release(y);
}

static void reductions_of(Rank* rank) {
  for (int n = 0; n < LAYS; n++) {
    for (unsigned axes = 0; axes < 8; axes++) {
      for (size_t k = 0; k < COUNT_OF(kKinds) && rank->problem[0] == '\0'; k++) {
        const int truth = kKinds[k] == NETCL_REDUCTION_ANY || kKinds[k] == NETCL_REDUCTION_ALL;
        const netcl_dtype dtype = truth                 ? NETCL_BOOL
                                  : (axes + k) % 3 == 0 ? NETCL_I32
                                  : (axes + k) % 3 == 1 ? NETCL_F16
                                                        : NETCL_F32;
        /* Products and logarithms are of numbers that no integer is. */
        const int fractions =
            kKinds[k] == NETCL_REDUCTION_PROD || kKinds[k] == NETCL_REDUCTION_LOG_SUM;
        reduce_one(rank, &kLays[n], fractions ? NETCL_F32 : dtype, axes, (axes + k) % 2 == 0,
                   kKinds[k]);
      }
    }
  }
}

static void reductions(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, 4, LONG_WAIT, reductions_of, NULL);
}

/* What a sum over f16 keeps until all ranks' parts are together. */
static void wide_sums_of(Rank* rank) {
  static const int64_t shape[1] = {4096};
  static const Lay lay = {1, {4}, {0}};
  const double wanted = 4096;
  netcl_sharded* y = NULL;
  netcl_reduce_options options = NETCL_REDUCE_OPTIONS_INIT;
  netcl_sharded* x = shard_values(rank, NETCL_U8, 1, shape, &lay, zero_or_one);
  RANK_CHECK(rank, x != NULL);
  netcl_sharded* ones = NULL;
  netcl_expression_options as_f16 = NETCL_EXPRESSION_OPTIONS_INIT;
  as_f16.dtype = NETCL_F16;
  RANK_OK(rank, netcl_sharded_expression_text("v0 * 0 + 1", &x, 1, &as_f16, NULL, &ones));
  RANK_OK(rank, netcl_sharded_reduce(ones, NETCL_REDUCTION_SUM, NULL, NULL, &y));
  RANK_CHECK(rank, shard_holds(rank, y, 0, NULL, &wanted, 0));
  RANK_CHECK(rank, explains(y, "4 bytes of f32"));
  netcl_sharded_release(y);
  /* 8 bits would not hold it. */
  options.dtype = NETCL_I64;
  RANK_OK(rank, netcl_sharded_reduce(x, NETCL_REDUCTION_SUM, &options, NULL, &y));
  const double found = 585;
  RANK_CHECK(rank, shard_holds(rank, y, 0, NULL, &found, 0));
  netcl_sharded_release(x);
  netcl_sharded_release(ones);
  netcl_sharded_release(y);
}

static void sums_are_wide(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, 4, LONG_WAIT, wide_sums_of, NULL);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static void rows_of(Rank* rank) {
  static const int64_t last[1] = {8};
  netcl_tensor* whole = whole_values(rank, NETCL_F32, 3, kShape, small_whole);
  netcl_norm_options options = NETCL_NORM_OPTIONS_INIT;
  options.scale = whole_values(rank, NETCL_F32, 1, last, positive);
  netcl_tensor* wanted[3] = {NULL, NULL, NULL};
  RANK_OK(rank, netcl_op_softmax(whole, 2, NULL, &wanted[0]));
  RANK_OK(rank, netcl_op_layernorm(whole, -1, &options, NULL, &wanted[1]));
  RANK_OK(rank, netcl_op_rmsnorm(whole, -1, &options, NULL, &wanted[2]));
  for (int n = 0; n < LAYS; n++) {
    netcl_sharded *x = shard_values(rank, NETCL_F32, 3, kShape, &kLays[n], small_whole), *y = NULL;
    int split = 0;
    netcl_norm_options more = NETCL_NORM_OPTIONS_INIT;
    more.inverse_deviation_into = whole;
    RANK_CHECK(rank, netcl_sharded_rmsnorm(x, 2, &more, NULL, &y) == NETCL_ERROR_INVALID_ARGUMENT);
    RANK_CHECK(rank, strstr(netcl_last_error_message(),
                            "options->inverse_deviation_into is set; blocks give no") != NULL);
    more.mean_into = whole;
    RANK_CHECK(rank,
               netcl_sharded_layernorm(x, 2, &more, NULL, &y) == NETCL_ERROR_INVALID_ARGUMENT);
    RANK_CHECK(rank, strstr(netcl_last_error_message(), "options->mean_into is set") != NULL);
    for (uint32_t m = 0; m < kLays[n].mesh_rank; m++) split |= kLays[n].axes[m] == 2;
    RANK_CHECK(rank, x != NULL);
    for (int op = 0; op < 3; op++) {
      const netcl_status status = op == 0   ? netcl_sharded_softmax(x, -1, NULL, &y)
                                  : op == 1 ? netcl_sharded_layernorm(x, 2, &options, NULL, &y)
                                            : netcl_sharded_rmsnorm(x, -1, &options, NULL, &y);
      RANK_CHECK(rank, status == (split ? NETCL_ERROR_INVALID_ARGUMENT : NETCL_OK));
      if (split) {
        RANK_CHECK(rank, strstr(netcl_last_error_message(), "x is split along axis 2") != NULL);
        continue;
      }
      RANK_CHECK(rank, shard_is(rank, y, wanted[op], 0));
      RANK_CHECK(rank, explains(y, op == 0   ? "softmax: nothing"
                                   : op == 1 ? "layernorm: nothing"
                                             : "rmsnorm: nothing"));
      netcl_sharded_release(y);
    }
    netcl_sharded_release(x);
  }
  netcl_tensor_release(whole);
  netcl_tensor_release(options.scale);
  for (int op = 0; op < 3; op++) netcl_tensor_release(wanted[op]);
}

static void softmax_and_norms(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, 4, LONG_WAIT, rows_of, NULL);
}

/* ---- Events ---------------------------------------------------------------------------------- */

/* Each op waits for what it is told to, and its event is that of its last command. */
static void events_of(Rank* rank) {
  static const int64_t shape[2] = {8, 8};
  static const Lay square = {2, {2, 2}, {0, 1}}, rows = {2, {2, 2}, {0, NETCL_REPLICATED}};
  const netcl_sharding_options options = lay_options(&rows);
  netcl_sharded* x = shard_values(rank, NETCL_F32, 2, shape, &square, counted_value);
  netcl_sharded* r = shard_values(rank, NETCL_F32, 2, shape, &rows, counted_value);
  netcl_queue* queue = NULL;
  netcl_queue_options out_of_order = NETCL_QUEUE_OPTIONS_INIT;
  netcl_event* before = NULL;
  RANK_CHECK(rank, x != NULL && r != NULL);
  out_of_order.out_of_order = 1;
  RANK_OK(rank, netcl_queue_create(rank->device, &out_of_order, &queue));
  for (int op = 0; op < 8; op++) {
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    netcl_event* event = NULL;
    netcl_sharded* y = NULL;
    netcl_tensor* wide = NULL;
    const int64_t pads[4] = {1, 1, 1, 1};
    run.queue = queue;
    run.event = &event;
    run.waits = &before;
    run.waits_count = before != NULL;
    const netcl_status status =
        op == 0   ? netcl_sharded_redistribute(x, &options, &run, &y)
        : op == 1 ? netcl_sharded_expression_text("v0 + 1", &x, 1, NULL, &run, &y)
        : op == 2 ? netcl_sharded_reduce(x, NETCL_REDUCTION_MEAN, NULL, &run, &y)
        : op == 3 ? netcl_sharded_softmax(r, 1, &run, &y)
        : op == 4 ? netcl_sharded_layernorm(r, 1, NULL, &run, &y)
        : op == 5 ? netcl_sharded_matmul(x, x, NULL, &run, &y)
        : op == 6 ? netcl_sharded_exchange_halo(x, pads, 4, NULL, &run, &wide)
                  : netcl_sharded_reduce(x, NETCL_REDUCTION_MAX, NULL, &run, &y);
    RANK_CHECK(rank, status == NETCL_OK && event != NULL);
    RANK_OK(rank, netcl_event_wait(event, LONG_WAIT));
    netcl_event_release(before);
    before = event;
    netcl_sharded_release(y);
    netcl_tensor_release(wide);
  }
  netcl_event_release(before);
  netcl_queue_release(queue);
  netcl_sharded_release(x);
  netcl_sharded_release(r);
}

static void events(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, 4, LONG_WAIT, events_of, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(expressions), DEVICE_TEST(reductions),
                                     DEVICE_TEST(sums_are_wide), DEVICE_TEST(softmax_and_norms),
                                     DEVICE_TEST(events)};
  compile_quickly();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
