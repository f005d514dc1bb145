/* The calls of ops that the tests of what is kept of a call make, each with sets of tensors. */
#ifndef NETCL_TESTS_SUPPORT_REPLAY_H
#define NETCL_TESTS_SUPPORT_REPLAY_H

#include "support.h"
#include "support_pooling.h"

/* The tensors of one call. Each case uses some of them. */
typedef struct Set {
  netcl_tensor* image;     /* [4, 6, 8, 8] */
  netcl_tensor* filters;   /* [4, 6, 3, 3] */
  netcl_tensor* pointwise; /* [5, 6, 1, 1] */
  netcl_tensor* channels;  /* [6] */
  netcl_tensor* mean;      /* [6], written in training */
  netcl_tensor* variance;  /* [6], positive */
  netcl_tensor* square;    /* [16, 16] */
  netcl_tensor* other;     /* [16, 16] */
  netcl_tensor* row;       /* [16] */
  netcl_tensor* line;      /* [70000] */
  netcl_tensor* indices;   /* i64 [7, 16], below 16 */
  netcl_tensor* places;    /* i64 [7] */
  netcl_tensor* updates;   /* [7, 16] */
} Set;

typedef netcl_status (*Case)(const Set* set, const netcl_run_options* run, netcl_tensor** result);

/* An op by name. */
typedef struct ReplayCase {
  const char* name;
  Case call;
} ReplayCase;

enum { REPLAY_CASES = 51 };
extern const ReplayCase kCases[REPLAY_CASES];

/* A primitive v0 * slope + sin(v0) * v1 * shift, which make_set registers. It stays registered. */
extern const char* const kReplayPrimitive;

Set make_set(netcl_device* device);
void release_set(Set* set);

#endif
