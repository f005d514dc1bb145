/* What the tests of tensors beyond 2^31 elements share. */
#ifndef NETCL_TESTS_SUPPORT_LARGE_H
#define NETCL_TESTS_SUPPORT_LARGE_H

#include "support.h"

static const int64_t kGiB = (int64_t)1 << 30;

/* Skips, with the reason, unless `bytes` fit into one allocation and `total` into memory. */
void need_memory(Fixture* fixture, uint64_t bytes, uint64_t total);

/* A view of `extent` elements of a tensor of rank 1. */
netcl_tensor* slice_1d(netcl_tensor* tensor, int64_t start, int64_t extent, int64_t step);

#endif
