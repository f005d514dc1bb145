/* What the suites of quantised weights share: weights of every format, and what they stand for in
 * double precision. */
#ifndef NETCL_TESTS_SUPPORT_QUANTIZED_H
#define NETCL_TESTS_SUPPORT_QUANTIZED_H

#include "support_matmul.h"

/* Weights of n x k: members that are 0 or NULL have no part in the format. */
typedef struct Quantized {
  netcl_quantization format;
  int bits, block;
  int zeros; /* 0: none, 1: packed, 2: numbers */
  netcl_dtype scale_dtype;
  int64_t n, k;
  int views; /* 1: the tensors are views with gaps */
  /* Made by quantized_make: */
  int64_t blocks, block_bytes;
  unsigned char *codes; /* n rows of blocks * block_bytes */
  double *w;            /* n x k */
  netcl_tensor *weights, *scales, *zero_points;
  netcl_quantized_options options; /* with scales, zero points and the format */
} Quantized;

/* A random format; k is brought to what it takes, near `k`. */
void quantized_random(Quantized *q, int64_t n, int64_t k);
/* Fills the weights with random codes and scales and makes the tensors. */
void quantized_make(Fixture *fixture, Quantized *q);
void quantized_free(Quantized *q);
/* What codes of the format stand for, by the words of the header: into n x k doubles. Scales and
 * zero points are as they lie in tensors of [n, blocks]; zero points may be NULL. */
void quantized_decode(const Quantized *q, const unsigned char *codes, const void *scales,
                      const void *zeros, double *w);
/* Says what it is, for messages. */
const char *quantized_text(const Quantized *q);

#endif
