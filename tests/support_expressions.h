/* Random expressions of small whole numbers, as text and as a tree that a test can work out. */
#ifndef NETCL_TESTS_SUPPORT_EXPRESSIONS_H
#define NETCL_TESTS_SUPPORT_EXPRESSIONS_H

#include "support_strided.h"

enum { FORMULA_NODES = 31, FORMULA_TEXT = 512, FORMULA_INPUTS = 4 };

typedef struct Formula {
  int count; /* of nodes, of which the last one is the result */
  struct {
    int op; /* 0: an input; 1: a literal; others see formula_value */
    int args[3];
    int value;
  } nodes[FORMULA_NODES];
  char text[FORMULA_TEXT];
} Formula;

/* Of inputs 0 ... inputs - 1. For values of up to 3 every step is below 2^24. */
Formula random_formula(int inputs);
double formula_value(const Formula* formula, const double* inputs);

/* Inputs of random strides that broadcast to a shape, with whole numbers from -3 to 3. There are no
 * zeros in signed dtypes, whose products might be -0 in one dtype and 0 in another. */
typedef struct Operands {
  uint32_t rank;
  int64_t shape[NETCL_RANK_MAX]; /* of the results */
  int count;
  Strided strided[FORMULA_INPUTS];
  netcl_dtype dtypes[FORMULA_INPUTS];
  uint32_t ranks[FORMULA_INPUTS];
  int64_t shapes[FORMULA_INPUTS][NETCL_RANK_MAX];
  void* data[FORMULA_INPUTS];
  netcl_tensor* views[FORMULA_INPUTS];
} Operands;

/* At least one of them has the whole shape. */
Operands make_operands(Fixture* fixture, int count, const netcl_dtype* kinds, int kinds_count,
                       int64_t elements_most);
void release_operands(Operands* operands);
/* The values that element `flat` of the results is made of. */
void operand_values(const Operands* operands, int64_t flat, double* values);

#endif
