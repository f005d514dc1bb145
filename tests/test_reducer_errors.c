/* Reducers: ranks that differ, are late or go, and what is refused. */
#include <pthread.h>
#include <string.h>

#include "support_process.h"
#include "support_reducer.h"

/* ---- What differs between the ranks ---------------------------------------------------------- */

/* All goes on after each of these. */
static void check_goes_on(Rank* rank, Training* training) {
  RANK_OK(rank, training_run(training));
  RANK_OK(rank, netcl_reducer_wait(training->reducer, LONG_WAIT));
}

/* The gradients of the sum of the squares of the first `used` inputs, 1 or 2. */
static netcl_status run_inputs(Rank* rank, netcl_reducer* reducer, netcl_tensor* const* inputs,
                               uint32_t used, uint32_t count, netcl_tensor** gradients) {
  const char* const text = used == 2 ? "v0 * v0 + v1 * v1" : "v0 * v0";
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  netcl_tensor *square = NULL, *loss = NULL;
  options.reducer = reducer;
  netcl_status status = netcl_graph_create(rank->device, NULL, &run.graph);
  if (status == NETCL_OK) {
    status = netcl_op_expression_text(text, inputs, used, NULL, &run, &square);
  }
  if (status == NETCL_OK) {
    status = netcl_op_reduce(square, NETCL_REDUCTION_SUM, NULL, &run, &loss);
  }
  if (status == NETCL_OK) {
    status = netcl_graph_add_gradients(run.graph, &loss, 1, inputs, count, &options, gradients);
  }
  netcl_tensor_release(loss);
  netcl_tensor_release(square);
  netcl_graph_release(run.graph);
  return status;
}

/* The same for one weight, and for two. */
static netcl_status run_weight(Rank* rank, netcl_reducer* reducer, netcl_dtype dtype, uint32_t dims,
                               const int64_t* shape) {
  const double values[6] = {1, 2, 3, 4, 5, 6};
  netcl_tensor* gradient = NULL;
  netcl_tensor* weight = rank_tensor(rank, dtype, dims, shape, values);
  const netcl_status status = run_inputs(rank, reducer, &weight, 1, 1, &gradient);
  netcl_tensor_release(gradient);
  netcl_tensor_release(weight);
  return status;
}

static netcl_status run_two(Rank* rank, netcl_reducer* reducer) {
  const double values[6] = {1, 2, 3, 4, 5, 6};
  const int64_t six = 6;
  netcl_tensor *weights[2], *gradients[2] = {NULL, NULL};
  for (int i = 0; i < 2; i++) weights[i] = rank_tensor(rank, NETCL_F32, 1, &six, values);
  const netcl_status status = run_inputs(rank, reducer, weights, 2, 2, gradients);
  for (int i = 0; i < 2; i++) {
    netcl_tensor_release(gradients[i]);
    netcl_tensor_release(weights[i]);
  }
  return status;
}

static void differ(Rank* rank) {
  const int64_t wide[2] = {2, 3}, high[2] = {3, 2}, less = 5, six = 6;
  const int odd = rank->rank == 1;
  Network network;
  Training training;
  netcl_reducer_options options = NETCL_REDUCER_OPTIONS_INIT;
  netcl_reducer* reducer = NULL;
  options.bucket_bytes = odd ? 100 : 200;
  RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "netcl_reducer_create: rank 1 has other options",
             netcl_reducer_create(rank->group, &options, &reducer));
  options.bucket_bytes = 0;
  options.kind = odd ? NETCL_REDUCTION_MAX : 0;
  RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT,
             odd ? "options->kind is 3" : "rank 1 refused its call of netcl_reducer_create",
             netcl_reducer_create(rank->group, &options, &reducer));
  RANK_CHECK(rank, reducer == NULL);
  reducer = make_reducer(rank, 1, NETCL_REDUCTION_SUM);
  RANK_CHECK(rank, reducer != NULL && network_make(&network, rank));
  RANK_CHECK(rank, training_make(&training, &network, OUTPUTS, reducer));
  check_goes_on(rank, &training);

  RANK_OK(rank, run_weight(rank, reducer, NETCL_F32, 2, odd ? high : wide));
  RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "rank 1 has other gradients in a bucket",
             netcl_reducer_wait(reducer, LONG_WAIT));
  check_goes_on(rank, &training);
  RANK_OK(rank, run_weight(rank, reducer, NETCL_F32, odd ? 1 : 2, odd ? &less : wide));
  RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "rank 1 has other gradients in a bucket",
             netcl_reducer_wait(reducer, LONG_WAIT));
  RANK_OK(rank, run_weight(rank, reducer, odd ? NETCL_F64 : NETCL_F32, 2, wide));
  RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "rank 1 has dtype f64, rank 0 f32",
             netcl_reducer_wait(reducer, LONG_WAIT));
  check_goes_on(rank, &training);

  /* One rank has a bucket less, which must not meet the next run's. */
  RANK_OK(rank, odd ? run_weight(rank, reducer, NETCL_F32, 1, &six) : run_two(rank, reducer));
  RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "rank 1", netcl_reducer_wait(reducer, LONG_WAIT));
  check_goes_on(rank, &training);

  /* One rank's run is refused for its tensors, and says the same again. */
  netcl_tensor* const x = network.x;
  if (odd) network.x = network.weights[0];
  if (odd) {
    RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "inputs[0] has shape", training_run(&training));
  } else {
    RANK_OK(rank, training_run(&training));
  }
  network.x = x;
  RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT,
             odd ? "inputs[0] has shape" : "rank 1 refused its call of a reducer's run",
             netcl_reducer_wait(reducer, LONG_WAIT));
  check_goes_on(rank, &training);
  RANK_OK(rank, netcl_reducer_wait(reducer, 0)); /* nothing to wait for */
  training_free(&training);
  network_free(&network);
  netcl_reducer_release(reducer);
}

static void ranks_that_differ(void** state) {
  for (uint32_t size = 2; size <= 3; size++) run_apart(*state, size, LONG_WAIT, differ, NULL);
}

/* ---- Inputs of one memory ---------------------------------------------------------------------
 */

static void share_memory(Rank* rank) {
  const double values[4] = {1, 2, 3, 4}, all[4] = {6, 12, 18, 24}, some[2] = {12, 18};
  const int64_t four = 4;
  const netcl_range middle = {1, 2, 1};
  netcl_reducer* const reducer = make_reducer(rank, 1, NETCL_REDUCTION_SUM);
  netcl_tensor* const weight = rank_tensor(rank, NETCL_F32, 1, &four, values);
  netcl_tensor* view = NULL;
  RANK_CHECK(rank, reducer != NULL && weight != NULL);
  RANK_OK(rank, netcl_tensor_slice(weight, &middle, 1, &view));
  for (int viewed = 0; viewed < 2; viewed++) {
    netcl_tensor* const inputs[2] = {weight, viewed ? view : weight};
    netcl_tensor* gradients[2] = {NULL, NULL};
    RANK_OK(rank, run_inputs(rank, reducer, inputs, 1, 2, gradients));
    RANK_OK(rank, netcl_reducer_wait(reducer, LONG_WAIT));
    RANK_CHECK(rank, rank_holds(gradients[0], all));
    RANK_CHECK(rank, rank_holds(gradients[1], viewed ? some : all));
    netcl_tensor_release(gradients[0]);
    netcl_tensor_release(gradients[1]);
  }
  netcl_tensor_release(view);
  netcl_tensor_release(weight);
  netcl_reducer_release(reducer);
}

static void inputs_of_one_memory(void** state) {
  run_apart(*state, 3, LONG_WAIT, share_memory, NULL);
}

/* ---- Late and gone ------------------------------------------------------------------------- */

static void come_late(Rank* rank) {
  static const char kText[] = "rank 1 did not come within 1000 ms";
  pthread_barrier_t* const lost = rank->state;
  const int64_t six = 6;
  netcl_reducer* const reducer = make_reducer(rank, 1, 0);
  netcl_reducer* second = NULL;
  RANK_CHECK(rank, reducer != NULL);
  if (rank->rank == 1) {
    pthread_barrier_wait(lost);
    RANK_FAILS(rank, NETCL_ERROR_TIMEOUT, kText, run_weight(rank, reducer, NETCL_F32, 1, &six));
    RANK_OK(rank, netcl_reducer_wait(reducer, LONG_WAIT));
  } else {
    const netcl_status begun = run_weight(rank, reducer, NETCL_F32, 1, &six);
    const netcl_status early = netcl_reducer_wait(reducer, 0);
    const netcl_status again = run_weight(rank, reducer, NETCL_F32, 1, &six);
    const netcl_status late = netcl_reducer_wait(reducer, LONG_WAIT);
    const int names = strstr(netcl_last_error_message(), kText) != NULL;
    const netcl_status after = run_weight(rank, reducer, NETCL_F32, 1, &six);
    pthread_barrier_wait(lost);
    RANK_CHECK(rank, begun == NETCL_OK && early == NETCL_ERROR_TIMEOUT);
    RANK_CHECK(rank, again == NETCL_ERROR_BUSY);
    RANK_CHECK(rank, late == NETCL_ERROR_TIMEOUT && names && after == NETCL_ERROR_TIMEOUT);
  }
  /* The group knows nothing of it. */
  second = make_reducer(rank, 1, 0);
  RANK_CHECK(rank, second != NULL);
  RANK_OK(rank, run_weight(rank, second, NETCL_F32, 1, &six));
  RANK_OK(rank, netcl_reducer_wait(second, LONG_WAIT));
  netcl_reducer_release(second);
  netcl_reducer_release(reducer);
}

static void a_rank_that_is_late(void** state) {
  pthread_barrier_t lost;
  assert_int_equal(pthread_barrier_init(&lost, NULL, 3), 0);
  run_apart(*state, 3, SECOND, come_late, &lost);
  pthread_barrier_destroy(&lost);
}

/* Released with gradients that nobody waited for, and before its run. */
static void leave(Rank* rank) {
  const int64_t six = 6;
  netcl_reducer *reducer = make_reducer(rank, 1, 0), *other = make_reducer(rank, 1, 0);
  RANK_CHECK(rank, reducer != NULL && other != NULL);
  if (rank->rank == 0) {
    RANK_OK(rank, run_weight(rank, reducer, NETCL_F32, 1, &six));
    netcl_reducer_release(reducer);
    netcl_reducer_release(other);
    return;
  }
  process_sleep_ms(200);
  if (run_weight(rank, reducer, NETCL_F32, 1, &six) == NETCL_OK) {
    RANK_FAILS(rank, NETCL_ERROR_RANK_LOST, "rank 0", netcl_reducer_wait(reducer, LONG_WAIT));
  } else {
    RANK_CHECK(rank, strstr(netcl_last_error_message(), "rank 0") != NULL);
  }
  RANK_OK(rank, run_weight(rank, other, NETCL_F32, 1, &six));
  RANK_FAILS(rank, NETCL_ERROR_RANK_LOST, "rank 0 was released",
             netcl_reducer_wait(other, LONG_WAIT));
  netcl_reducer_release(reducer);
  netcl_reducer_release(other);
}

static void released_in_use(void** state) { run_apart(*state, 2, LONG_WAIT, leave, NULL); }

static void lose_the_group(Rank* rank) {
  netcl_reducer* reducer = NULL;
  const netcl_status status = rank->rank == 0 ? netcl_group_barrier(rank->group, NULL) : NETCL_OK;
  pthread_barrier_wait(rank->state);
  RANK_CHECK(rank, status == (rank->rank == 0 ? NETCL_ERROR_TIMEOUT : NETCL_OK));
  RANK_FAILS(rank, NETCL_ERROR_TIMEOUT, "rank 1 did not come",
             netcl_reducer_create(rank->group, NULL, &reducer));
  RANK_CHECK(rank, reducer == NULL);
}

static void a_group_that_is_lost(void** state) {
  pthread_barrier_t lost;
  assert_int_equal(pthread_barrier_init(&lost, NULL, 2), 0);
  run_apart(*state, 2, SECOND, lose_the_group, &lost);
  pthread_barrier_destroy(&lost);
}

/* ---- Refused ------------------------------------------------------------------------------- */

/* What one rank alone can see. */
static void refuse(Rank* rank) {
  Network network;
  Training training, second;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_graph_options capture = NETCL_GRAPH_OPTIONS_INIT;
  netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  netcl_reducer_options wrong = NETCL_REDUCER_OPTIONS_INIT;
  netcl_tensor *loss = NULL, *gradients[WEIGHTS] = {NULL}, *used = NULL;
  netcl_tensor* outputs[WEIGHTS + 1];
  const netcl_range part = {1, 2, 1};
  netcl_reducer *reducer = NULL, *other = NULL;
  netcl_device* device = NULL;
  netcl_device_options separate = NETCL_DEVICE_OPTIONS_INIT;
  RANK_FAILS(rank, NETCL_ERROR_INVALID_HANDLE, "group is NULL",
             netcl_reducer_create(NULL, NULL, &reducer));
  RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "reducer is NULL",
             netcl_reducer_create(rank->group, NULL, NULL));
  wrong.reserved = 1;
  RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "options->reserved is 1",
             netcl_reducer_create(rank->group, &wrong, &reducer));
  RANK_FAILS(rank, NETCL_ERROR_INVALID_HANDLE, "reducer is NULL", netcl_reducer_wait(NULL, 0));
  reducer = make_reducer(rank, 1, 0);
  other = make_reducer(rank, 1, 0);
  RANK_CHECK(rank, reducer != NULL && other != NULL && network_make(&network, rank));

  /* A gradient that is no output, one that is used behind the call, and another reducer. */
  capture.execute = NETCL_OFF;
  options.reducer = reducer;
  RANK_OK(rank, netcl_graph_create(rank->device, &capture, &run.graph));
  loss = network_loss(&network, network.x, &run);
  RANK_OK(rank, netcl_graph_add_gradients(run.graph, &loss, 1, network.weights, WEIGHTS, &options,
                                          gradients));
  RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "that goes to a reducer is no output",
             netcl_graph_compile(run.graph, &network.x, 1, gradients, WEIGHTS - 1, NULL));
  for (int i = 0; i < WEIGHTS; i++) outputs[i] = gradients[i];
  RANK_OK(rank, netcl_tensor_slice(gradients[1], &part, 1, &outputs[WEIGHTS]));
  RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "outputs[5] has elements of a gradient",
             netcl_graph_compile(run.graph, &network.x, 1, outputs, WEIGHTS + 1, NULL));
  netcl_tensor_release(outputs[WEIGHTS]);
  options.reducer = other;
  RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "options->reducer is another one",
             netcl_graph_add_gradients(run.graph, &loss, 1, network.weights, WEIGHTS, &options,
                                       gradients));
  RANK_OK(rank, netcl_op_expression_text("v0 * 2", &gradients[1], 1, NULL, &run, &used));
  RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "what uses it comes after netcl_reducer_wait",
             netcl_graph_compile(run.graph, &network.x, 1, gradients, WEIGHTS, NULL));
  netcl_tensor_release(used);
  netcl_tensor_release(loss);
  for (int i = 0; i < WEIGHTS; i++) netcl_tensor_release(gradients[i]);
  netcl_graph_release(run.graph);

  /* A graph of another device. */
  separate.separate = 1;
  RANK_OK(rank, netcl_device_open(test_selector(), &separate, &device));
  Rank elsewhere = *rank;
  elsewhere.device = device;
  const int64_t six = 6;
  RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "options->reducer is of a rank with device",
             run_weight(&elsewhere, reducer, NETCL_F32, 1, &six));
  netcl_device_release(device);

  /* Two graphs take turns, with a wait between them; both keep the reducer. */
  RANK_CHECK(rank, training_make(&training, &network, OUTPUTS, reducer));
  RANK_CHECK(rank, training_make(&second, &network, INTO, reducer));
  RANK_OK(rank, training_run(&training));
  RANK_FAILS(rank, NETCL_ERROR_BUSY, "netcl_reducer_wait was not called", training_run(&second));
  RANK_OK(rank, netcl_reducer_wait(reducer, LONG_WAIT));
  RANK_OK(rank, training_run(&second));
  RANK_OK(rank, netcl_reducer_wait(reducer, LONG_WAIT));
  for (int i = 0; i < WEIGHTS; i++) {
    RANK_CHECK(rank, same_tensor_bytes(training.gradients[i], second.gradients[i]));
  }
  netcl_reducer_release(reducer);
  RANK_OK(rank, training_run(&training)); /* ends with the graphs */
  training_free(&training);
  training_free(&second);
  network_free(&network);
  netcl_reducer_release(other);
}

static void refused(void** state) { run_apart(*state, 1, LONG_WAIT, refuse, NULL); }

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(ranks_that_differ),    DEVICE_TEST(inputs_of_one_memory),
      DEVICE_TEST(a_rank_that_is_late),  DEVICE_TEST(released_in_use),
      DEVICE_TEST(a_group_that_is_lost), DEVICE_TEST(refused),
  };
  compile_quickly();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
