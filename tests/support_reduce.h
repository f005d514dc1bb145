/* One reduction with everything about it, and its check against extended precision. */
#ifndef NETCL_TESTS_SUPPORT_REDUCE_H
#define NETCL_TESTS_SUPPORT_REDUCE_H

#include "support.h"

/* A tensor and a model of the same elements. */
typedef struct Operand {
  Model model;
  netcl_tensor *tensor;
  unsigned char *storage;
} Operand;

/* Random elements, under a random layout of views or packed. The values suit the kind: factors near
 * 1 for products, mostly zeros or ones for ANY and ALL, some equal ones for the places. */
Operand make_operand(Fixture *fixture, netcl_dtype dtype, uint32_t rank, const int64_t *shape,
                     netcl_reduction kind);
Operand plain_operand(Fixture *fixture, netcl_dtype dtype, uint32_t rank, const int64_t *shape,
                      netcl_reduction kind);
void free_operand(Operand *operand);

typedef struct ReduceCase {
  Operand x;
  netcl_reduction kind;
  netcl_dtype dtype;      /* 0: the default */
  netcl_variant variant;
  int32_t axes[NETCL_RANK_MAX];
  uint32_t axes_count;    /* 0: all */
  uint32_t keepdims;
  uint32_t select_last;
  int into;               /* 1: write into a strided tensor */
} ReduceCase;

/* Random axes that the kind takes. */
void choose_axes(ReduceCase *test);
/* Runs the reduction and checks dtype, shape and every element. */
void check_reduction(Fixture *fixture, const ReduceCase *test);

#endif
