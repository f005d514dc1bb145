/* Compiled graphs whose launches the driver may keep: what is told of them, and one made of kernels
 * of the caller, which are launches on every OpenCL device. */
#ifndef NETCL_TESTS_SUPPORT_BATCHES_H
#define NETCL_TESTS_SUPPORT_BATCHES_H

#include "support_graph.h"

/* A number that netcl_graph_explain gives of command buffers: "commands", "count", "recorded",
 * "runs", "runs_without". */
int64_t batch_number(netcl_graph* graph, const char* name);
/* 1 where what is told in words holds the text. */
int batches_told(netcl_graph* graph, const char* text);
/* Fails where what is told in words does not hold the text. */
void check_batches_told(netcl_graph* graph, const char* text);

enum { kBatchSteps = 4, kBatchItems = 24 };
/* y = 2 x + 1, kBatchSteps times, by one kernel that gets other arguments each time, and twice what
 * comes of that. */
typedef struct BatchCase {
  netcl_graph* graph;
  netcl_kernel* kernel;
  netcl_tensor* steps[kBatchSteps]; /* each launch writes one */
  netcl_tensor* input;              /* that the graph was compiled for */
  netcl_tensor* output;
} BatchCase;
void batch_case(Fixture* fixture, BatchCase* made);
void batch_case_free(BatchCase* made);
/* New tensors for a run: elements first, first + 1, ... */
netcl_tensor* batch_input(Fixture* fixture, double first);
netcl_status batch_run(const BatchCase* made, netcl_tensor* input, netcl_tensor* output,
                       const netcl_run_options* run);
/* Checks what a run with batch_input(first) has to give. */
void check_batch_output(netcl_tensor* output, double first, const char* what, int which);
/* A graph of a launch, a fill of what comes to the next launch, and that launch: all three are in
 * one command buffer, and each run fills again. */
void check_fills_are_kept(Fixture* fixture, const BatchCase* made);
/* The same graph, with `filled` as what it fills and `last` as what it writes. */
netcl_graph* fill_case(Fixture* fixture, const BatchCase* made, netcl_tensor** filled,
                       netcl_tensor** last);
/* Runs it and checks what it writes. */
void run_fill_case(netcl_graph* graph, netcl_tensor* filled, netcl_tensor* last, int pass);
/* Runs with one input and output until the driver has the launches; fails where it does not come
 * to that. */
void batch_until_kept(const BatchCase* made, netcl_tensor* input, netcl_tensor* output);

#endif
