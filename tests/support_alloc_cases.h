/* Calls for tests/test_alloc_sweep.c, and the objects that they take. */
#ifndef NETCL_TESTS_SUPPORT_ALLOC_CASES_H
#define NETCL_TESTS_SUPPORT_ALLOC_CASES_H

#include "support_handle_calls.h"

#include <stdio.h>
#include <unistd.h>

extern const HandleCase kAllocCases[];
extern const size_t kAllocCasesCount;
/* Makes what the roles of kAllocCases mean beyond HANDLE_ROLES; 0 when it is none of them. */
int alloc_make(char role, netcl_device *device, void **handle);
/* Ends what a call has begun and could not end without memory. */
netcl_status alloc_clean_up(const char *function);

/* Steps of optimisers and what goes with them, of tensors by the roles of their cases. */
netcl_tensor *const *list_of_one(void *handle);
netcl_status alloc_optimizer(int rule, void *const *h);
netcl_status alloc_unscale(void *const *h);
netcl_status alloc_loss_scale(void *const *h);

/* Registers a primitive of formulas, calls it or its gradient if inputs are given, and removes it;
 * and one that a function works out. */
netcl_status alloc_primitive(netcl_tensor *const *inputs, netcl_tensor *grad,
                             netcl_tensor **result);
netcl_status alloc_function(netcl_tensor *input, netcl_tensor **result);

/* The product of two matrices, and of the first one as integers. */
netcl_status alloc_multiply(netcl_tensor *a, netcl_tensor *b, netcl_tensor **out);

/* Quantises x; gives the codes (2), makes them whole (1), or multiplies x with them (0). */
netcl_status alloc_quantized(netcl_tensor *x, int what, netcl_tensor **result);

/* Makes a graph from a function, evaluates it with x, runs it into y, and tells of it. */
netcl_status alloc_graph_function(netcl_device *device, netcl_tensor *x, netcl_tensor *y,
                                  netcl_tensor **result);

/* Quantises x, [N, 2, H, W], and does one of the ops with what that gives. */
enum {
  ALLOC_QUANTIZE,
  ALLOC_DEQUANTIZE,
  ALLOC_DYNAMIC,
  ALLOC_QLINEAR_MATMUL,
  ALLOC_CONV2D_INTEGER,
  ALLOC_QLINEAR_CONV2D
};
netcl_status alloc_quantization(int op, netcl_tensor *x, netcl_tensor **results);

/* For processes that the test forks: a check of cmocka cannot jump out of a test there. */
#define MUST(call)                                                      \
  do {                                                                  \
    if ((call) != NETCL_OK) {                                           \
      fprintf(stderr, "%s [%s]\n", #call, netcl_last_error_message());  \
      _exit(1);                                                         \
    }                                                                   \
  } while (0)

#endif
