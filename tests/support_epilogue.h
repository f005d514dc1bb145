/* Calls behind products and convolutions that an epilogue may do. */
#ifndef NETCL_TESTS_SUPPORT_EPILOGUE_H
#define NETCL_TESTS_SUPPORT_EPILOGUE_H

#include "support_graph.h"

enum { ROWS = 5, WIDTH = 7 };

/* What the calls of a case work on. */
typedef struct Parts {
  netcl_tensor *a, *b;           /* [ROWS, WIDTH], [WIDTH, WIDTH] */
  netcl_tensor* bias;            /* [WIDTH] */
  netcl_tensor* more;            /* [ROWS, WIDTH] */
  netcl_tensor *image, *filters; /* [2, 3, 6, 5], [4, 3, 3, 3] */
  netcl_tensor* channel;         /* [1, 4, 1, 1] */
  netcl_tensor* skip;            /* [2, 4, 4, 3] */
  netcl_tensor *mean, *variance; /* [4] */
  netcl_tensor *scale, *shift;
} Parts;

typedef struct Case {
  const char* name;
  netcl_tensor* (*build)(const Parts* parts, const netcl_run_options* run);
  int native_steps, kernel_steps;
} Case;

/* A formula of a value, which is released. */
netcl_tensor* then(const char* text, netcl_tensor* made, netcl_tensor* other,
                   const netcl_run_options* run);
netcl_tensor* matrix_product(const Parts* parts, const netcl_run_options* run);
netcl_tensor* image_product(const Parts* parts, const netcl_run_options* run);
netcl_tensor* with_bias(const Parts* p, const netcl_run_options* run);
netcl_tensor* with_relu(const Parts* p, const netcl_run_options* run);
netcl_tensor* behind_an_epilogue(const Parts* p, const netcl_run_options* run);
netcl_tensor* filters_and_relu(const Parts* p, const netcl_run_options* run);
netcl_tensor* only_skip(const Parts* p, const netcl_run_options* run);
/* Normalisations by statistics that are given, with or without a factor and a summand. */
netcl_tensor* normalised(const Parts* p, netcl_tensor* x, int parts,
                         netcl_activation activation, const netcl_run_options* run);
netcl_tensor* whole_norm(const Parts* p, const netcl_run_options* run);
netcl_tensor* noise(Fixture* fixture, netcl_dtype dtype, uint32_t rank, const int64_t* shape);
Parts make_parts(Fixture* fixture, netcl_dtype dtype);
void release_parts(const Parts* p);
/* The operands that a case reads may change between runs: other values of the same tensors. */
void check_case(Fixture* fixture, const Case* one, netcl_dtype dtype, int steps);

#endif
