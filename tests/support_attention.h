/* Attention in double precision, and problems of random shapes, layouts and options. */
#ifndef NETCL_TESTS_SUPPORT_ATTENTION_H
#define NETCL_TESTS_SUPPORT_ATTENTION_H

#include "support_strided.h"

/* What of a problem is there. */
typedef enum AttentionParts {
  ATTENTION_CAUSAL = 1,
  ATTENTION_POSITION = 2,
  ATTENTION_WINDOW = 4,
  ATTENTION_BIAS = 8,
  ATTENTION_MASK = 16,
  ATTENTION_QUERY_LENGTHS = 32,
  ATTENTION_KEY_LENGTHS = 64,
  ATTENTION_PAGES = 128,
  ATTENTION_SOFTCAP = 256,
  ATTENTION_SCALE = 512
} AttentionParts;

typedef struct Attention {
  netcl_dtype dtype, bias_dtype;
  int64_t batch, heads, kv_heads, rows, keys, size, value_size;
  int parts;
  int packed; /* q, k and v are in C order, or with rows before heads */
  int units;  /* the bounds are those of matrix units */
  int uneven; /* the first sequence has all keys, the others few */
  int64_t page_size, entries, pages; /* with pages keys is entries * page_size */
  netcl_variant variant;
  double scale, softcap;
  int64_t position, before, after;
  uint32_t bias_rank, mask_rank;
  int64_t bias_shape[4], mask_shape[4];
  /* In C order; k and v are pages where there are such. */
  void *q, *k, *v, *bias;
  unsigned char *mask;
  int32_t *query_lengths, *key_lengths, *table;
} Attention;

/* Fills a problem whose shape, dtype and parts are set with random numbers, `spread` wide. */
void attention_fill(Attention *a, double spread);
void attention_free(Attention *a);
/* Where an element of k or v lies, whose rows have `size` elements; -1 on a page out of range. */
int64_t attention_key(const Attention *a, int64_t b, int64_t g, int64_t n, int64_t size);
int64_t attention_k_count(const Attention *a);
int64_t attention_v_count(const Attention *a);

/* What the header promises: results and log-sum-exp in C order, and how far off each may be. */
typedef struct AttentionWanted {
  double *result, *lse;
  double *result_bound, *lse_bound;
} AttentionWanted;
AttentionWanted attention_reference(const Attention *a);
void attention_wanted_free(AttentionWanted *wanted);

/* The options with tensors of random layouts. */
typedef struct AttentionTensors {
  Strided q, k, v, bias, mask, query_lengths, key_lengths, table;
  netcl_attention_options options;
} AttentionTensors;
AttentionTensors attention_tensors(Fixture *fixture, const Attention *a);
void attention_tensors_free(AttentionTensors *tensors);

/* Runs the problem into views with poison around them, twice, and checks it all. */
void check_attention(Fixture *fixture, const Attention *a);

#endif
