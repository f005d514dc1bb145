/* What the suites of products of 8-bit integers share: products of any kind, checked against sums
 * in 64 bits that are cut to 32. */
#ifndef NETCL_TESTS_SUPPORT_INTEGERS_H
#define NETCL_TESTS_SUPPORT_INTEGERS_H

#include "support_strided.h"

/* A zero point: 0 none, else of these forms. */
enum { ZERO_NONE, ZERO_SCALAR, ZERO_ONE, ZERO_VECTOR, ZERO_MATRIX, ZERO_STACK, ZERO_FORMS };

typedef struct ByteCase {
  int64_t batch_a, batch_b, m, n, k; /* batches are equal, or one of them is 1 */
  netcl_dtype a, b;                  /* i8 or u8 */
  int zero_a, zero_b;                /* a form of zero point */
  netcl_variant variant;
  int extremes;                      /* 1: the ends of the range alone */
  int plain;                         /* 1: packed operands */
  int epilogue;                      /* 1: a random one, with alpha and beta */
} ByteCase;

/* A case with random dtypes, zero points and values. */
ByteCase random_byte_case(int64_t most);

/* Returns 0 when the variant was refused, which needs a reason in the message. */
int check_byte_product(Fixture *fixture, const ByteCase *what);

#endif
