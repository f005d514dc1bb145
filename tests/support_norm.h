/* Tensors with random layouts beside models of them, for tests of normalisation and pooling. */
#ifndef NETCL_TESTS_SUPPORT_NORM_H
#define NETCL_TESTS_SUPPORT_NORM_H

#include "support.h"
#include "support_process.h"

typedef struct NormTensor {
  Model model;
  netcl_tensor* tensor;
  unsigned char* storage;
} NormTensor;

/* How the elements lie in memory. */
typedef enum NormLayout {
  NORM_PACKED,
  NORM_VIEW,      /* permuted, sliced, with negative steps */
  NORM_BROADCAST, /* the same, and some dimensions repeat */
  NORM_LAST_FIRST /* packed in the order of turned dimensions: the first one is innermost */
} NormLayout;

/* Random elements in [center - spread, center + spread]. */
NormTensor norm_random(Fixture* fixture, netcl_dtype dtype, uint32_t rank, const int64_t* shape,
                       NormLayout layout, double center, double spread);
void norm_free(NormTensor* tensor);
/* The elements in C order as doubles; the caller frees them. */
double* norm_values(const NormTensor* tensor);
/* Writes elements (C order, doubles) through the model to the device. */
void norm_write(NormTensor* tensor, const double* values);
/* Reads the tensor, checks its dtype and count, and gives doubles; the caller frees them. */
double* norm_read(const netcl_tensor* tensor, netcl_dtype dtype, int64_t count);

netcl_dtype norm_float_dtype(const Fixture* fixture);
/* The unit roundoff of what a dtype is computed in. */
double norm_compute_roundoff(netcl_dtype dtype);
/* What rounding a result to the dtype may cost, denormals included. */
double norm_rounding(netcl_dtype dtype, double value);
/* The distance between neighbouring numbers of what a dtype is computed in. */
double norm_ulp(netcl_dtype dtype, double value);

#endif
