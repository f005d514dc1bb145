/* Reducers: gradients that are joined over the ranks of a group while a graph works them out. */
#include "support_process.h"
#include "support_reducer.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* How a test makes its reducers. */
typedef struct Plan {
  uint64_t bucket_bytes;
  netcl_reduction kind;
  uint64_t buckets; /* that a run fills, by hand */
} Plan;

/* Bytes of the gradients: 3840, 96, 768, 32 of f32 and 64 of f64. */
static const uint64_t kBytes = 3840 + 96 + 768 + 32 + 64;
/* They come as f64 [8], [8], [24, 8], [24], [40, 24] or the like: whatever the order, a bucket of 1
 * byte has one of them, and one of 4 MiB all of a dtype. */
static const Plan kPlans[] = {
    {1, NETCL_REDUCTION_SUM, 5}, {700, 0, 0}, {0, NETCL_REDUCTION_SUM, 2}};

static int occurrences(const char* text, const char* what) {
  int count = 0;
  for (const char* at = text; (at = strstr(at, what)) != NULL; at++) count++;
  return count;
}

/* What netcl_graph_explain says of it. */
static int tells_of_reducer(const Training* training, netcl_reduction kind, uint32_t size) {
  char wanted[64], text[8192];
  if (training->mode == TAPE) return 1;
  snprintf(wanted, sizeof wanted, "reducer: %s over %u ranks",
           kind == NETCL_REDUCTION_SUM ? "SUM" : "MEAN", size);
  for (int f = 0; f < 3; f++) {
    if (netcl_graph_explain(training->graph, f, text, sizeof text, NULL) != NETCL_OK) return 0;
    if (f == NETCL_GRAPH_FORMAT_TEXT &&
        (strstr(text, wanted) == NULL || occurrences(text, "is given to it behind") != WEIGHTS)) {
      return 0;
    }
    if (f == NETCL_GRAPH_FORMAT_JSON && strstr(text, "\"reducer\"") == NULL) return 0;
  }
  return 1;
}

/* Beside netcl_group_all_reduce of each gradient; several runs. */
static void compare(Rank* rank, Network* network, int mode, const Plan* plan) {
  Training reduced, alone;
  netcl_reducer* const reducer = make_reducer(rank, plan->bucket_bytes, plan->kind);
  const netcl_reduction kind = plan->kind == 0 ? NETCL_REDUCTION_MEAN : plan->kind;
  RANK_CHECK(rank, reducer != NULL);
  RANK_CHECK(rank, training_make(&reduced, network, mode, reducer));
  RANK_CHECK(rank, training_make(&alone, network, mode, NULL));
  for (uint64_t run = 1; run <= 4; run++) {
    RANK_OK(rank, training_run(&reduced));
    RANK_CHECK(rank, reducer_info(reducer).waiting == 1);
    RANK_OK(rank, netcl_reducer_wait(reducer, LONG_WAIT));
    RANK_OK(rank, training_run(&alone));
    for (int i = 0; i < WEIGHTS; i++) {
      RANK_OK(rank, netcl_group_all_reduce(rank->group, alone.gradients[i], alone.gradients[i],
                                           kind, NULL));
      RANK_CHECK(rank, same_tensor_bytes(reduced.gradients[i], alone.gradients[i]));
    }
    const netcl_reducer_info info = reducer_info(reducer);
    RANK_CHECK(rank, info.runs == run && info.gradients == run * WEIGHTS && info.waiting == 0);
    RANK_CHECK(rank, info.bytes == run * kBytes && info.kind == kind);
    RANK_CHECK(rank, plan->buckets == 0 ? info.buckets > run : info.buckets == run * plan->buckets);
    RANK_CHECK(rank, info.bucket_bytes == (plan->bucket_bytes == 0 ? 4 << 20 : plan->bucket_bytes));
  }
  RANK_CHECK(rank, tells_of_reducer(&reduced, kind, rank->size));
  training_free(&reduced);
  training_free(&alone);
  netcl_reducer_release(reducer);
}

static void compare_all(Rank* rank) {
  Network network;
  RANK_CHECK(rank, network_make(&network, rank));
  for (int mode = TAPE; mode < MODES; mode++) {
    for (size_t p = 0; p < COUNT_OF(kPlans); p++) compare(rank, &network, mode, &kPlans[p]);
  }
  network_free(&network);
}

static void equals_all_reduce(void** state) {
  for (uint32_t size = 1; size <= 4; size++) run_apart(*state, size, LONG_WAIT, compare_all, NULL);
}

/* ---- While the rest is computed -------------------------------------------------------------- */

static _Thread_local const netcl_reducer* own_reducer;

static int joins_within(const netcl_reducer* reducer, uint64_t buckets, int seconds) {
  for (int i = 0; i < seconds * 100; i++) {
    if (reducer_info(reducer).buckets >= buckets) return 1;
    process_sleep_ms(10);
  }
  return 0;
}

/* A primitive whose gradient begins when its rank has joined a bucket. */
static netcl_status doubled(const netcl_primitive_call* call, netcl_tensor** tensors,
                            void* user_data) {
  (void)user_data;
  if (call->grad != NULL && !joins_within(own_reducer, 1, 60)) return NETCL_ERROR_TIMEOUT;
  netcl_tensor* const from = call->grad == NULL ? call->inputs[0] : call->grad;
  return netcl_op_expression_text("v0 * 2", &from, 1, NULL, call->run, &tensors[0]);
}

/* The gradient of b is known before the primitive's is asked for. */
static void join_before_the_end(Rank* rank) {
  const int64_t count = 3;
  const double values[2][3] = {{1, 2, 3}, {4, 5, 6}};
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  netcl_tensor *inputs[2], *gradients[2], *h = NULL, *product = NULL, *loss = NULL;
  netcl_reducer* const reducer = make_reducer(rank, 1, NETCL_REDUCTION_SUM);
  RANK_CHECK(rank, reducer != NULL);
  for (int i = 0; i < 2; i++) {
    inputs[i] = rank_tensor(rank, NETCL_F32, 1, &count, values[i]);
    RANK_CHECK(rank, inputs[i] != NULL);
  }
  own_reducer = reducer;
  options.reducer = reducer;
  RANK_OK(rank, netcl_graph_create(rank->device, NULL, &run.graph));
  RANK_OK(rank, netcl_op_primitive("doubled", inputs, 1, NULL, &run, &h));
  netcl_tensor* const both[2] = {h, inputs[1]};
  RANK_OK(rank, netcl_op_expression_text("v0 * v1", both, 2, NULL, &run, &product));
  RANK_OK(rank, netcl_op_reduce(product, NETCL_REDUCTION_SUM, NULL, &run, &loss));
  RANK_OK(rank, netcl_graph_add_gradients(run.graph, &loss, 1, inputs, 2, &options, gradients));
  RANK_OK(rank, netcl_reducer_wait(reducer, LONG_WAIT));
  const double wanted[2][3] = {{16, 20, 24}, {4, 8, 12}};
  for (int i = 0; i < 2; i++) RANK_CHECK(rank, rank_holds(gradients[i], wanted[i]));
  for (int i = 0; i < 2; i++) netcl_tensor_release(inputs[i]);
  for (int i = 0; i < 2; i++) netcl_tensor_release(gradients[i]);
  netcl_tensor_release(h);
  netcl_tensor_release(product);
  netcl_tensor_release(loss);
  netcl_graph_release(run.graph);
  netcl_reducer_release(reducer);
}

static void joins_while_a_tape_goes_on(void** state) {
  netcl_primitive_options options = NETCL_PRIMITIVE_OPTIONS_INIT;
  options.arity = 1;
  options.gives_gradients = 1;
  OK(netcl_primitive_register_function("doubled", doubled, NULL, NULL, &options));
  run_apart(*state, 2, LONG_WAIT, join_before_the_end, NULL);
  OK(netcl_primitive_unregister("doubled"));
}

/* Another group has a tensor of rank 0 at work, which the last call of the graph waits for, until
 * the reducer has joined all gradients. */
typedef struct Gate {
  netcl_group* groups[2];
  netcl_tensor* tensors[2];
  pthread_t thread;
} Gate;

static void* hold_tensor(void* argument) {
  Gate* const gate = argument;
  netcl_group_all_reduce(gate->groups[0], gate->tensors[0], gate->tensors[0], NETCL_REDUCTION_SUM,
                         NULL);
  return NULL;
}

typedef struct Opener {
  Gate* gate;
  const netcl_reducer* reducer;
  int joined;
} Opener;

static void* open_gate(void* argument) {
  Opener* const opener = argument;
  Gate* const gate = opener->gate;
  opener->joined = joins_within(opener->reducer, 2, 60);
  netcl_group_all_reduce(gate->groups[1], gate->tensors[1], gate->tensors[1], NETCL_REDUCTION_SUM,
                         NULL);
  return NULL;
}

static netcl_group_info group_info(const netcl_group* group) {
  netcl_group_info info = NETCL_GROUP_INFO_INIT;
  netcl_group_get_info(group, &info);
  return info;
}

/* 0 for failure. */
static int make_gate(Rank* rank, Gate* gate) {
  const int64_t count = 3;
  const double values[3] = {1, 2, 3};
  netcl_device_options separate = NETCL_DEVICE_OPTIONS_INIT;
  netcl_device* devices[2] = {rank->device, NULL};
  separate.separate = 1;
  if (netcl_device_open(test_selector(), &separate, &devices[1]) != NETCL_OK ||
      netcl_group_create_local(devices, 2, NULL, gate->groups) != NETCL_OK) {
    return 0;
  }
  for (int r = 0; r < 2; r++) {
    Rank other = {devices[r], NULL, 0, 1, NULL, ""};
    gate->tensors[r] = rank_tensor(&other, NETCL_F32, 1, &count, values);
  }
  netcl_device_release(devices[1]);
  return gate->tensors[0] != NULL && gate->tensors[1] != NULL;
}

static void free_gate(Gate* gate) {
  for (int r = 0; r < 2; r++) {
    netcl_tensor_release(gate->tensors[r]);
    netcl_group_release(gate->groups[r]);
  }
}

/* Runs the graph of rank 0 with its last call held up; 1 where all was joined before its end. */
static int run_held(Gate* gate, netcl_graph* graph, netcl_tensor** inputs, netcl_tensor** outputs,
                    const netcl_reducer* reducer) {
  Opener opener = {gate, reducer, 0};
  pthread_t thread;
  int ok = pthread_create(&gate->thread, NULL, hold_tensor, gate) == 0;
  for (int i = 0; i < 1000 && group_info(gate->groups[0]).calls == 0; i++) process_sleep_ms(10);
  process_sleep_ms(200); /* from the count of the call to its place in the line */
  ok = ok && pthread_create(&thread, NULL, open_gate, &opener) == 0;
  const netcl_status status = netcl_graph_run(graph, inputs, 1, outputs, 3, NULL);
  const uint64_t buckets = reducer_info(reducer).buckets;
  pthread_join(thread, NULL);
  pthread_join(gate->thread, NULL);
  return ok && status == NETCL_OK && opener.joined && buckets == 2;
}

static void join_before_the_run_ends(Rank* rank) {
  Gate gate = {{NULL}, {NULL}, 0};
  const int64_t count = 3;
  const double values[3] = {1, 2, 3};
  netcl_graph_options capture = NETCL_GRAPH_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  netcl_tensor *outputs[3] = {NULL}, *given[3], *product = NULL, *loss = NULL;
  netcl_tensor* x = rank_tensor(rank, NETCL_F32, 1, &count, values);
  netcl_tensor* weights[2] = {rank_tensor(rank, NETCL_F32, 1, &count, values),
                              rank_tensor(rank, NETCL_F32, 1, &count, values)};
  RANK_CHECK(rank, rank->rank != 0 || make_gate(rank, &gate));
  netcl_tensor* last = rank->rank == 0 ? gate.tensors[0] : x;
  netcl_reducer* const reducer = make_reducer(rank, 1, NETCL_REDUCTION_SUM);
  RANK_CHECK(rank, reducer != NULL);
  capture.execute = NETCL_OFF;
  options.reducer = reducer;
  RANK_OK(rank, netcl_graph_create(rank->device, &capture, &run.graph));
  netcl_tensor* const all[3] = {x, weights[0], weights[1]};
  RANK_OK(rank, netcl_op_expression_text("tanh(v0 * v1) * v2", all, 3, NULL, &run, &product));
  RANK_OK(rank, netcl_op_reduce(product, NETCL_REDUCTION_SUM, NULL, &run, &loss));
  RANK_OK(rank, netcl_graph_add_gradients(run.graph, &loss, 1, weights, 2, &options, outputs));
  RANK_OK(rank, netcl_op_expression_text("v0 + 1", &last, 1, NULL, &run, &outputs[2]));
  RANK_OK(rank, netcl_graph_compile(run.graph, &x, 1, outputs, 3, NULL));
  for (int i = 0; i < 3; i++) given[i] = rank_tensor(rank, NETCL_F32, 1, &count, values);
  if (rank->rank == 0) {
    RANK_CHECK(rank, run_held(&gate, run.graph, &x, given, reducer));
  } else {
    RANK_OK(rank, netcl_graph_run(run.graph, &x, 1, given, 3, NULL));
  }
  RANK_OK(rank, netcl_reducer_wait(reducer, LONG_WAIT));
  for (int i = 0; i < 3; i++) netcl_tensor_release(given[i]);
  for (int i = 0; i < 3; i++) netcl_tensor_release(outputs[i]);
  for (int i = 0; i < 2; i++) netcl_tensor_release(weights[i]);
  netcl_tensor_release(x);
  netcl_tensor_release(product);
  netcl_tensor_release(loss);
  netcl_graph_release(run.graph);
  netcl_reducer_release(reducer);
  free_gate(&gate);
}

/* On the built-in device, where a run returns when it is done. */
static void joins_while_a_run_goes_on(void** state) {
  Fixture* const fixture = *state;
  if (fixture->opencl) SKIP("a run returns before it is done");
  run_apart(fixture, 2, LONG_WAIT, join_before_the_run_ends, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(equals_all_reduce),
      DEVICE_TEST(joins_while_a_tape_goes_on),
      DEVICE_TEST(joins_while_a_run_goes_on),
  };
  compile_quickly();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
