#include "support_reducer.h"

#include <stdlib.h>
#include <string.h>

static const struct {
  netcl_dtype dtype;
  uint32_t rank;
  int64_t shape[2];
} kWeights[WEIGHTS] = {{NETCL_F32, 2, {40, 24}},
                       {NETCL_F32, 1, {24, 0}},
                       {NETCL_F32, 2, {24, 8}},
                       {NETCL_F32, 1, {8, 0}},
                       {NETCL_F64, 1, {8, 0}}};

#define MUST_OK(network, call)                                  \
  do {                                                          \
    if ((call) != NETCL_OK) {                                   \
      rank_problem((network)->rank, __FILE__, __LINE__, #call); \
      return 0;                                                 \
    }                                                           \
  } while (0)

/* The same on all ranks for seed 0, of this rank for others. */
static netcl_tensor* numbers(Rank* rank, netcl_dtype dtype, uint32_t dims, const int64_t* shape,
                             uint32_t seed) {
  double values[1000];
  const int64_t count = product(dims, shape);
  uint32_t state = seed * 977 + (uint32_t)count;
  for (int64_t i = 0; i < count; i++) {
    state = state * 1664525u + 1013904223u;
    values[i] = (double)(state >> 8) / 16777216.0 - 0.5;
  }
  return rank_tensor(rank, dtype, dims, shape, values);
}

int network_make(Network* network, Rank* rank) {
  const int64_t x[2] = {ROWS, 40};
  *network = (Network){.rank = rank};
  network->x = numbers(rank, NETCL_F32, 2, x, 100 + rank->rank);
  int made = network->x != NULL;
  for (uint32_t i = 0; i < WEIGHTS; i++) {
    network->weights[i] =
        numbers(rank, kWeights[i].dtype, kWeights[i].rank, kWeights[i].shape, i + 1);
    made = made && network->weights[i] != NULL;
  }
  return made;
}

void network_free(Network* network) {
  netcl_tensor_release(network->x);
  for (int i = 0; i < WEIGHTS; i++) netcl_tensor_release(network->weights[i]);
}

static netcl_tensor* layer(netcl_tensor* x, netcl_tensor* weight, netcl_tensor* bias,
                           const netcl_run_options* run) {
  netcl_tensor *wide = NULL, *made = NULL;
  netcl_tensor* sum[2] = {NULL, bias};
  if (netcl_op_matmul(x, weight, NULL, run, &wide) == NETCL_OK) {
    sum[0] = wide;
    netcl_op_expression_text("tanh(v0 + v1)", sum, 2, NULL, run, &made);
  }
  netcl_tensor_release(wide);
  return made;
}

netcl_tensor* network_loss(const Network* network, netcl_tensor* x, const netcl_run_options* run) {
  netcl_tensor *first = NULL, *second = NULL, *wide = NULL, *loss = NULL;
  first = layer(x, network->weights[0], network->weights[1], run);
  if (first != NULL) second = layer(first, network->weights[2], network->weights[3], run);
  netcl_tensor* const both[2] = {second, network->weights[4]};
  if (second != NULL &&
      netcl_op_expression_text("f64(v0) * v1", both, 2, NULL, run, &wide) == NETCL_OK) {
    netcl_op_reduce(wide, NETCL_REDUCTION_MEAN, NULL, run, &loss);
  }
  netcl_tensor_release(first);
  netcl_tensor_release(second);
  netcl_tensor_release(wide);
  return loss;
}

/* Records the network with its gradients. */
static netcl_status record(Training* training, netcl_tensor* x, const netcl_run_options* run,
                           netcl_tensor** gradients) {
  netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  netcl_tensor* loss = network_loss(training->network, x, run);
  options.reducer = training->reducer;
  if (training->mode == INTO) {
    options.into = training->gradients;
    options.into_count = WEIGHTS;
  }
  netcl_error_info error = NETCL_ERROR_INFO_INIT;
  netcl_status status = NETCL_OK;
  if (loss == NULL) {
    (void)netcl_last_error_get_info(&error);
    status = error.status;
  } else {
    status = netcl_graph_add_gradients(run->graph, &loss, 1, training->network->weights, WEIGHTS,
                                       &options, gradients);
  }
  netcl_tensor_release(loss);
  return status;
}

static netcl_status record_function(const netcl_graph_call* call, netcl_tensor** outputs,
                                    void* training) {
  return record(training, call->inputs[0], call->run, outputs);
}

static netcl_status compile(Training* training) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor* values[WEIGHTS] = {NULL};
  run.graph = training->graph;
  netcl_status status =
      record(training, training->network->x, &run, training->mode == INTO ? NULL : values);
  if (status == NETCL_OK) {
    status = netcl_graph_compile(training->graph, &training->network->x, 1, values,
                                 training->mode == INTO ? 0 : WEIGHTS, NULL);
  }
  for (int i = 0; i < WEIGHTS; i++) netcl_tensor_release(values[i]);
  return status;
}

int training_make(Training* training, Network* network, int mode, netcl_reducer* reducer) {
  netcl_graph_options options = NETCL_GRAPH_OPTIONS_INIT;
  netcl_device* const device = network->rank->device;
  *training = (Training){.network = network, .reducer = reducer, .mode = mode};
  if (mode == TAPE) return 1;
  for (int i = 0; i < WEIGHTS; i++) {
    MUST_OK(network,
            netcl_tensor_create_zeros(device, kWeights[i].dtype, kWeights[i].rank,
                                      kWeights[i].shape, NULL, NULL, &training->gradients[i]));
  }
  if (mode == FUNCTION) {
    MUST_OK(network, netcl_graph_create_from_function(device, record_function, training, NULL,
                                                      WEIGHTS, NULL, &training->graph));
    return 1;
  }
  options.execute = NETCL_OFF;
  MUST_OK(network, netcl_graph_create(device, &options, &training->graph));
  MUST_OK(network, compile(training));
  return 1;
}

netcl_status training_run(Training* training) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  if (training->mode != TAPE) {
    return netcl_graph_run(training->graph, &training->network->x, 1, training->gradients,
                           training->mode == INTO ? 0 : WEIGHTS, NULL);
  }
  for (int i = 0; i < WEIGHTS; i++) {
    netcl_tensor_release(training->gradients[i]);
    training->gradients[i] = NULL;
  }
  netcl_status status = netcl_graph_create(training->network->rank->device, NULL, &run.graph);
  if (status == NETCL_OK)
    status = record(training, training->network->x, &run, training->gradients);
  netcl_graph_release(run.graph);
  return status;
}

void training_free(Training* training) {
  netcl_graph_release(training->graph);
  for (int i = 0; i < WEIGHTS; i++) netcl_tensor_release(training->gradients[i]);
}

netcl_reducer* make_reducer(Rank* rank, uint64_t bucket_bytes, netcl_reduction kind) {
  netcl_reducer_options options = NETCL_REDUCER_OPTIONS_INIT;
  netcl_reducer* reducer = NULL;
  options.bucket_bytes = bucket_bytes;
  options.kind = kind;
  if (netcl_reducer_create(rank->group, &options, &reducer) != NETCL_OK) {
    rank_problem(rank, __FILE__, __LINE__, "netcl_reducer_create");
  }
  return reducer;
}

int same_tensor_bytes(const netcl_tensor* a, const netcl_tensor* b) {
  const netcl_tensor_info info = tensor_info(a);
  const size_t bytes = (size_t)product(info.rank, info.shape) * netcl_dtype_size(info.dtype);
  unsigned char *left = malloc(bytes + 1), *right = malloc(bytes + 1);
  const int same = left != NULL && right != NULL &&
                   netcl_tensor_read(a, left, bytes, NULL, LONG_WAIT) == NETCL_OK &&
                   netcl_tensor_read(b, right, bytes, NULL, LONG_WAIT) == NETCL_OK &&
                   memcmp(left, right, bytes) == 0;
  free(left);
  free(right);
  return same;
}

netcl_reducer_info reducer_info(const netcl_reducer* reducer) {
  netcl_reducer_info info = NETCL_REDUCER_INFO_INIT;
  if (netcl_reducer_get_info(reducer, &info) != NETCL_OK) info.runs = UINT64_MAX;
  return info;
}
