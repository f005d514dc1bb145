/* One convolution of the test suites against double precision: its operands, however they lie in
 * memory, the call, and the header's error bound. */
#ifndef NETCL_TESTS_SUPPORT_CONV2D_VARIANTS_H
#define NETCL_TESTS_SUPPORT_CONV2D_VARIANTS_H

#include "support.h"

enum { X, W, Y, BIAS, RESIDUAL, BN_SCALE, BN_BIAS, BN_MEAN, BN_VARIANCE, TENSORS };

typedef struct Case {
  netcl_dtype dtype;
  netcl_variant variant;
  uint32_t winograd_tile;
  int64_t batch, channels, height, width; /* channels of one group */
  int64_t filters, kernel[2];             /* filters of one group */
  int64_t strides[2], dilations[2], padding[4], groups;
  int64_t out[2];
  int epilogue;   /* 0 none, 1 bias and relu, 2 batchnorm, residual and hard_swish */
  int layouts[3]; /* of x, w and the result */
  int in_place;   /* the residual is the result */
} Case;

/* A tensor of four dimensions whose elements lie in memory in some way, and what they are. */
typedef struct Operand {
  Model view;            /* of memory */
  int64_t elements;      /* of memory */
  unsigned char* memory; /* as the device has it */
  unsigned char* values; /* in C order */
  double* reals;         /* the same */
  netcl_tensor* base;
  netcl_tensor* tensor;
} Operand;

/* Makes the operands that a case needs; the others are zeroed. Layout 0: C order; 1: dimension 1
 * innermost; 2: any order, with gaps and from the end. */
void make_conv2d_operands(Fixture* fixture, const Case* c, Operand* o);
void drop_conv2d_operand(Operand* operand);
/* Runs the convolution into a strided result and checks each element, and the memory between. */
void run_conv2d_case(Fixture* fixture, Case* c);

#endif
