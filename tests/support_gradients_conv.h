/* Calls of convolutions, pooling and batch normalisations for tests of their gradients. */
#ifndef NETCL_TESTS_SUPPORT_GRADIENTS_CONV_H
#define NETCL_TESTS_SUPPORT_GRADIENTS_CONV_H

#include "support_gradients.h"
#include "support_pooling.h"

/* [count] of values from `low` to 2; 0: of any sign. */
GradientInput per_channel(int64_t count, double low);

/* The inputs are x, w, then those that are set, in the order of the members. */
typedef struct Convolution {
  netcl_conv2d_options options;
  netcl_activation activation;
  int bias, residual;
  int norm, norm_scale, norm_bias;  /* norm: a batch normalisation, whose mean and variance are the
                                       last inputs */
} Convolution;

netcl_status conv2d_call(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                         netcl_tensor** y);

typedef struct Pooling {
  Windows options;
  netcl_pooling kind;
} Pooling;

netcl_status pool_call(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                         netcl_tensor** y);

/* The inputs are x, mean, variance, then scale and bias where they are set. With statistics the
 * result has the running ones in it. */
typedef struct Batchnorm {
  int training, scale, bias, statistics;
  netcl_activation activation;
} Batchnorm;

netcl_status batchnorm_call(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                            netcl_tensor** y);

/* A call whose result is a gradient of another call, of which it has the inputs and behind them the
 * gradient of the result: its own gradients are second derivatives. */
typedef struct Twice {
  Fixture* fixture;
  GradientCall call;
  void* context;
  uint32_t count; /* inputs of the other call */
  uint32_t which; /* the one whose gradient it is */
} Twice;
netcl_status gradient_call(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                           netcl_tensor** y);

/* Compares gradients in a narrower dtype with those of the same values in f64: they are apart by
 * one rounding and `slack`. */
#define CHECK_NARROW(fixture, dtype, slack, name, call, context, inputs, count)          \
  check_narrow((fixture), (dtype), (slack), (name), (call), (context), (inputs), (count), \
               __FILE__, __LINE__)
void check_narrow(Fixture* fixture, netcl_dtype dtype, double slack, const char* name,
                  GradientCall call, void* context, const GradientInput* inputs, uint32_t count,
                  const char* file, int line);

#endif
