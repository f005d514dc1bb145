/*
 * What the recipes share. Each NAME.c is one recipe of docs/cookbook; what the articles show lies
 * between [recipe] and [end].
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NETCL_COOKBOOK_H
#define NETCL_COOKBOOK_H

#include <math.h>

#include "../check.h"

/* [recipe] */
/* A new f32 tensor with these values. */
static inline netcl_tensor *upload(netcl_device *device, uint32_t rank, const int64_t *shape,
                                   const float *values) {
  netcl_tensor *made;
  size_t count = 1;
  for (uint32_t i = 0; i < rank; i++) count *= (size_t)shape[i];
  CHECK(netcl_tensor_create_from_host(device, NETCL_F32, rank, shape, NULL, values,
                                      count * sizeof *values, NULL, &made));
  return made;
}

/* Ends the program unless an f32 tensor has these values. */
static inline void expect(const netcl_tensor *tensor, size_t count, const float *wanted) {
  float *found = allocate(count * sizeof *found);
  CHECK(netcl_tensor_read(tensor, found, count * sizeof *found, NULL, NETCL_WAIT_FOREVER));
  for (size_t i = 0; i < count; i++) {
    if (fabsf(found[i] - wanted[i]) <= 1e-4f * (1 + fabsf(wanted[i]))) continue;
    fprintf(stderr, "element %zu is %g and not %g\n", i, (double)found[i], (double)wanted[i]);
    exit(1);
  }
  free(found);
}
/* [end] */

static inline void require(int holds, const char *what) {
  if (!holds) fail(what, "does not hold");
}
#define REQUIRE(condition) require((condition) != 0, #condition)

#define RECIPES(X) \
  X(first) X(list_devices) X(update_in_place) X(strided_view) X(transpose_view) X(add_row) \
  X(mask) X(pick_rows) X(sort_topk) X(running_sum) X(histogram) X(random_numbers) X(npy_files) \
  X(standardize) X(softmax_rows) X(dense_layer) X(half_precision) X(convolution) X(rope) \
  X(causal_mask) X(quantized_weights) X(gradients) X(compiled_step) X(own_kernel) \
  X(several_results) X(own_op) X(tune) X(errors) X(find_leaks) X(warm_up) X(kept_memory) \
  X(threads) X(time_work) X(poll) X(share_dlpack) X(borrow) X(weight_files) X(read_log)
#define DECLARE_RECIPE(name) void recipe_##name(netcl_device *device);
RECIPES(DECLARE_RECIPE)

#endif
