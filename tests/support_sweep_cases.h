/* Calls for support_sweep.h, and the objects that they take. */
#ifndef NETCL_TESTS_SUPPORT_SWEEP_CASES_H
#define NETCL_TESTS_SUPPORT_SWEEP_CASES_H

#include "support_handle_calls.h"

#include <stdio.h>
#include <unistd.h>

extern const HandleCase kSweepCases[];
extern const size_t kSweepCasesCount;
/* The case of a function on OpenCL devices, where it has one of its own, else NULL. */
const HandleCase *sweep_opencl_case(const char *name);
/* Makes what the roles of kSweepCases mean beyond HANDLE_ROLES; 0 when it is none of them. */
int sweep_make(char role, netcl_device *device, void **handle);
/* Ends what a call has begun and could not end without memory. */
netcl_status sweep_clean_up(const char *function);

/* Steps of optimisers and what goes with them, of tensors by the roles of their cases. */
netcl_tensor *const *list_of_one(void *handle);
netcl_status sweep_optimizer(int rule, void *const *h);
netcl_status sweep_unscale(void *const *h);
netcl_status sweep_loss_scale(void *const *h);

/* Makes memory that is shared and opens it again, as a further buffer. */
netcl_status sweep_share(netcl_device *device, void *buffer);

/* Registers a primitive of formulas, calls it or its gradient if inputs are given, and removes it;
 * and one that a function works out. */
netcl_status sweep_primitive(netcl_tensor *const *inputs, netcl_tensor *grad,
                             netcl_tensor **result);
netcl_status sweep_function(netcl_tensor *input, netcl_tensor **result);

/* The product of two matrices, and of the first one as integers. */
netcl_status sweep_multiply(netcl_tensor *a, netcl_tensor *b, netcl_tensor **out);

/* Pools an image, and two regions of it. */
netcl_status sweep_unpooled(netcl_tensor *x, netcl_tensor **made);
netcl_status sweep_pooled(netcl_tensor *x, netcl_tensor **made);
netcl_status sweep_regions(netcl_tensor *x, netcl_tensor *angles, netcl_tensor *images,
                           netcl_tensor **made);

/* Quantises x; gives the codes (2), makes them whole (1), or multiplies x with them (0). */
netcl_status sweep_quantized(netcl_tensor *x, int what, netcl_tensor **result);

/* Makes a graph from a function, evaluates it with x, runs it into y, and tells of it. */
netcl_status sweep_graph_function(netcl_device *device, netcl_tensor *x, netcl_tensor *y,
                                  netcl_tensor **result);

/* Joins the gradients of a tape over a group of one rank. */
netcl_status sweep_reducer(netcl_device *device, netcl_tensor *x, netcl_tensor *y,
                           netcl_tensor **result);

/* Loads a model, evaluates it with x, runs it into y, both of [2, 2], and tells of it. */
netcl_status sweep_model(netcl_device *device, netcl_tensor *x, netcl_tensor *y,
                         netcl_tensor **result);

/* Writes a model to a file and describes it, as much as 64 bytes hold. */
netcl_status sweep_description(const char *path, char *text);

/* Saves a tensor as weights in each format, and reads it again as a copy and as what looks into the
 * file: the last one is the result. */
netcl_status sweep_weights(netcl_tensor *tensor, netcl_device *device, const char *path,
                           netcl_tensor **result);

/* Quantises x, [N, 2, H, W], and does one of the ops with what that gives. */
enum {
  SWEEP_QUANTIZE,
  SWEEP_DEQUANTIZE,
  SWEEP_DYNAMIC,
  SWEEP_QLINEAR_MATMUL,
  SWEEP_CONV2D_INTEGER,
  SWEEP_QLINEAR_CONV2D
};
netcl_status sweep_quantization(int op, netcl_tensor *x, netcl_tensor **results);

/* For processes that the test forks: a check of cmocka cannot jump out of a test there. */
#define MUST(call)                                                      \
  do {                                                                  \
    if ((call) != NETCL_OK) {                                           \
      fprintf(stderr, "%s [%s]\n", #call, netcl_last_error_message());  \
      _exit(1);                                                         \
    }                                                                   \
  } while (0)

#endif
