/* Gradients of ops against central differences in f64. */
#ifndef NETCL_TESTS_SUPPORT_GRADIENTS_H
#define NETCL_TESTS_SUPPORT_GRADIENTS_H

#include "support_strided.h"

#define GRADIENT_INPUTS_MAX 8

/* One call of an op, or several: y = f(x[0], ...), recorded when run->graph is set. */
typedef netcl_status (*GradientCall)(void* context, netcl_tensor* const* x,
                                     const netcl_run_options* run, netcl_tensor** y);

typedef struct GradientInput {
  uint32_t rank;
  int64_t shape[NETCL_RANK_MAX];
  double low, high;   /* of the values; both 0: -2 to 2 */
  int apart;          /* 1: values differ from each other by more than a step of the differences */
  const double* data; /* NULL: random */
} GradientInput;

/* Records a call on random inputs with strides of every kind, and compares the gradient of each
 * input, seeded at random, with central differences. */
#define CHECK_GRADIENTS(fixture, name, call, context, inputs, count) \
  check_gradients((fixture), (name), (call), (context), (inputs), (count), __FILE__, __LINE__)
void check_gradients(Fixture* fixture, const char* name, GradientCall call, void* context,
                     const GradientInput* inputs, uint32_t count, const char* file, int line);

#endif
