/* Helpers of tests of reducers: a network whose gradients differ between the ranks. */
#ifndef NETCL_TESTS_SUPPORT_REDUCER_H
#define NETCL_TESTS_SUPPORT_REDUCER_H

#include "support_group.h"

/* How the gradients of the network come about. */
enum { TAPE, OUTPUTS, INTO, FUNCTION, MODES };
enum { WEIGHTS = 5, ROWS = 6 };

/* One rank's network: x [ROWS, 40], weights [40, 24], [24], [24, 8], [8] and one of f64, [8]. */
typedef struct Network {
  Rank* rank;
  netcl_tensor* x;
  netcl_tensor* weights[WEIGHTS];
} Network;

/* In a body; what fails is a problem of the rank, and 0. */
int network_make(Network* network, Rank* rank);
void network_free(Network* network);
/* The loss, recorded; NULL for failure. */
netcl_tensor* network_loss(const Network* network, netcl_tensor* x, const netcl_run_options* run);

/* A graph that gives the gradients of a network to a reducer, or to nobody: NULL. */
typedef struct Training {
  Network* network;
  netcl_reducer* reducer;
  int mode;
  netcl_graph* graph; /* NULL for a tape */
  netcl_tensor* gradients[WEIGHTS];
} Training;
int training_make(Training* training, Network* network, int mode, netcl_reducer* reducer);
/* Works the gradients out anew. */
netcl_status training_run(Training* training);
void training_free(Training* training);

/* NULL for failure, which is a problem of the rank. */
netcl_reducer* make_reducer(Rank* rank, uint64_t bucket_bytes, netcl_reduction kind);
netcl_reducer_info reducer_info(const netcl_reducer* reducer);

int same_tensor_bytes(const netcl_tensor* a, const netcl_tensor* b);

#endif
