/* Short calls for tests of graphs. */
#ifndef NETCL_TESTS_SUPPORT_GRAPH_H
#define NETCL_TESTS_SUPPORT_GRAPH_H

#include "support.h"

/* An f32 tensor of rank 1. */
netcl_tensor* graph_vector(Fixture* fixture, int64_t count, const float* values);
/* Options with a new graph. */
netcl_run_options recorded(Fixture* fixture);
/* The same with a capture. */
netcl_run_options captured_calls(Fixture* fixture);
/* first, first + 1, ...: up to 64 elements. */
netcl_tensor* counting_vector(Fixture* fixture, int64_t count, double first);
/* An expression of one tensor or two (b may be NULL), as a new tensor or written to one. */
netcl_tensor* formula(const char* text, netcl_tensor* a, netcl_tensor* b,
                      const netcl_run_options* run);
void formula_into(const char* text, netcl_tensor* a, netcl_tensor* b, netcl_tensor* into,
                  const netcl_run_options* run);
netcl_tensor* sum_of(netcl_tensor* x, const netcl_run_options* run);
/* The gradient of an output of one element. */
netcl_tensor* gradient(const netcl_run_options* run, netcl_tensor* output, netcl_tensor* input);
uint64_t call_count(netcl_graph* graph);
/* A matrix with its dimensions the other way round. */
netcl_tensor* turned_view(netcl_tensor* tensor);
/* A packed tensor of the same shape and dtype, filled with POISON. */
netcl_tensor* poisoned_like(Fixture* fixture, netcl_tensor* tensor);
/* Fails naming `what` and `which` where elements differ; all NaN are equal. */
void check_same_bits(netcl_tensor* got, netcl_tensor* wanted, const char* what, int which);

/* Checks all elements of a tensor of any float dtype, to 1e-5. */
#define GIVES(tensor, ...)                                          \
  do {                                                              \
    const double wanted_[] = {__VA_ARGS__};                         \
    check_elements((tensor), COUNT_OF(wanted_), wanted_, __LINE__); \
  } while (0)
void check_elements(netcl_tensor* tensor, int64_t count, const double* wanted, int line);

void release_tensors(netcl_tensor* const* tensors, size_t count);
#define RELEASE(...)                            \
  do {                                          \
    netcl_tensor* const all_[] = {__VA_ARGS__}; \
    release_tensors(all_, COUNT_OF(all_));      \
  } while (0)

#endif
