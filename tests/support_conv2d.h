/* Convolutions against double precision, with the error bounds that the header states. */
#ifndef NETCL_TESTS_SUPPORT_CONV2D_H
#define NETCL_TESTS_SUPPORT_CONV2D_H

#include "support.h"

/* Where the elements of a tensor lie. */
typedef enum ConvLayout {
  CONV_C_ORDER,
  CONV_CHANNELS_LAST,
  CONV_STRIDED,  /* any order of dimensions, gaps, negative steps */
  CONV_BROADCAST /* inputs only: one dimension repeats */
} ConvLayout;

/* Sizes per group. Zeros of strides, dilations and groups mean 1. */
typedef struct ConvCase {
  netcl_dtype dtype;
  int64_t batch, channels, filters, size[2], kernel[2];
  int64_t strides[2], dilations[2], padding[4], groups;
  netcl_variant variant;
  uint32_t tile;
  ConvLayout x_layout, w_layout, into_layout;
  int into; /* 1: run->into is set */
  int bias, batchnorm, batchnorm_full;
  int residual; /* 1: a tensor of its own, 2: run->into itself */
  netcl_activation activation;
  double alpha, beta;
} ConvCase;

/* A case of random sizes up to about `most` elements per dimension. */
ConvCase conv_random_case(int64_t most);
/* Puts random layouts, epilogue and target on a case. */
void conv_randomise_extras(ConvCase* c);
/* Runs a case on fresh random numbers and checks every element of the result, and that nothing
 * around it was written. Returns 0 when the device says UNSUPPORTED, which `must_run` forbids. */
int conv_check(Fixture* fixture, const ConvCase* c, int must_run);
/* The height (0) or width (1) of the result. */
int64_t conv_out(const ConvCase* c, int axis);
/* True when the method of Winograd applies. */
int conv_winograd_fits(const ConvCase* c);

#endif
