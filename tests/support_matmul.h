/* What the suites of matrix products share: random operands, and products of any kind checked
 * against double precision with the error bound that the header states. */
#ifndef NETCL_TESTS_SUPPORT_MATMUL_H
#define NETCL_TESTS_SUPPORT_MATMUL_H

#include "support.h"

/* A matrix operand: a model for the reference and a tensor of the same elements. */
typedef struct Matrix {
  Model model;
  netcl_tensor *tensor;
  unsigned char *storage;
} Matrix;

/* Random elements; unless `plain`, under a random layout: transposed, gaps, negative steps, all
 * through views. */
Matrix make_matrix(Fixture *fixture, netcl_dtype dtype, uint32_t rank, const int64_t *shape,
                     int plain);
void free_matrix(Matrix *operand);
long double matrix_element(const Model *model, int64_t flat);

/* A random float dtype that the device computes in. */
netcl_dtype random_matrix_dtype(const Fixture *fixture);

/* The function of an epilogue in long double. */
long double reference_activation(netcl_activation activation, double alpha, double beta,
                                 long double x);

/* A product to be checked; what is not fixed here is random. */
typedef struct ProductCase {
  netcl_dtype dtype;
  int64_t m, n, k;
  netcl_variant variant;
  int epilogue; /* 1: a random one */
  int plain;    /* 1: packed operands */
} ProductCase;

/* Runs and checks one product. Returns 0 when the variant was refused, which needs a reason in the
 * message. */
int check_random_product(Fixture *fixture, const ProductCase *what);

#endif
