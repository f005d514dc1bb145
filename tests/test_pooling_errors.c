/* What netcl_op_pool refuses, and says about it. */
#include <math.h>

#include "support_norm.h"
#include "support_pooling.h"

static void indices_refused(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {1, 2, 4, 6}, half[] = {1, 2, 3, 5}, other[] = {1, 2, 3, 4};
  const netcl_status invalid = NETCL_ERROR_INVALID_ARGUMENT;
  NormTensor x = norm_random(fixture, NETCL_I64, 4, shape, NORM_PACKED, 0, 9);
  NormTensor good = norm_random(fixture, NETCL_I64, 4, half, NORM_PACKED, 7, 0);
  NormTensor small = norm_random(fixture, NETCL_I64, 4, other, NORM_PACKED, 0, 1);
  NormTensor narrow = norm_random(fixture, NETCL_I32, 4, half, NORM_PACKED, 0, 1);
  NormTensor real = norm_random(fixture, NETCL_F32, 4, shape, NORM_PACKED, 0, 1);
  netcl_pooling_options options = pooling_of(one_size(2), NULL);
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  const netcl_range inner[] = {{0, 1, 1}, {0, 2, 1}, {0, 3, 1}, {0, 5, 1}};
  netcl_tensor *result = NULL, *part = NULL;
  options.indices_into = small.tensor;
  FAILS_WITH(invalid, "options->indices_into has shape [1, 2, 3, 4]; the result has [1, 2, 3, 5]",
             netcl_op_pool(x.tensor, NETCL_POOLING_MAX, &options, NULL, &result));
  options.indices_into = narrow.tensor;
  FAILS_WITH(invalid, "options->indices_into is i32; indices are i64",
             netcl_op_pool(x.tensor, NETCL_POOLING_MAX, &options, NULL, &result));
  options.indices_into = good.tensor;
  FAILS_WITH(invalid, "options->indices_into is set and kind is 2",
             netcl_op_pool(real.tensor, NETCL_POOLING_AVERAGE, &options, NULL, &result));
  FAILS_WITH(invalid, "options->indices_into is set and kind is 3",
             netcl_op_pool(real.tensor, NETCL_POOLING_LP, &options, NULL, &result));
  run.into = good.tensor;
  FAILS_WITH(invalid, "options->indices_into shares its memory with run->into",
             netcl_op_pool(x.tensor, NETCL_POOLING_MAX, &options, &run, NULL));
  OK(netcl_tensor_slice(x.tensor, inner, 4, &part));
  options.indices_into = part;
  FAILS_WITH(invalid, "options->indices_into shares its memory with x",
             netcl_op_pool(x.tensor, NETCL_POOLING_MAX, &options, NULL, &result));
  options.indices_into = NULL;
  options.column_major = 2;
  FAILS_WITH(invalid, "options->column_major is 2",
             netcl_op_pool(x.tensor, NETCL_POOLING_MAX, &options, NULL, &result));
  assert_null(result);
  double* kept = norm_read(good.tensor, NETCL_I64, 30);
  for (int i = 0; i < 30; ++i) CHECK(kept[i] == 7, "index %d was written to", i);
  free(kept);
  netcl_tensor_release(part);
  NormTensor* const all[] = {&x, &good, &small, &narrow, &real};
  for (size_t i = 0; i < COUNT_OF(all); ++i) norm_free(all[i]);
}

static netcl_status try_pool(netcl_tensor* x, int64_t window, int64_t padding, int64_t stride,
                             int64_t dilation) {
  const Windows windows = {
      2, {window, 0, 0}, {stride, 0, 0}, {dilation, 0, 0}, {padding, 0, 0, 0, 0, 0}, 0, 0, 0, 0};
  const netcl_pooling_options options = pooling_options(&windows);
  netcl_tensor* result = NULL;
  const netcl_status status = netcl_op_pool(x, NETCL_POOLING_MAX, &options, NULL, &result);
  netcl_tensor_release(result);
  return status;
}

static void errors(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {1, 2, 5, 6}, empty[] = {1, 2, 0, 6};
  const netcl_status invalid = NETCL_ERROR_INVALID_ARGUMENT;
  NormTensor x = norm_random(fixture, NETCL_F32, 4, shape, NORM_PACKED, 0, 1);
  NormTensor flat = norm_random(fixture, NETCL_F32, 2, shape, NORM_PACKED, 0, 1);
  NormTensor hollow = norm_random(fixture, NETCL_F32, 4, empty, NORM_PACKED, 0, 1);
  NormTensor whole = norm_random(fixture, NETCL_I32, 4, shape, NORM_PACKED, 0, 1);
  NormTensor flags = norm_random(fixture, NETCL_BOOL, 4, shape, NORM_PACKED, 0, 1);
  netcl_pooling_options options = pooling_of(one_size(1), NULL);
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor* result = NULL;
  FAILS_WITH(invalid, "kind is 0", netcl_op_pool(x.tensor, 0, NULL, NULL, &result));
  FAILS_WITH(invalid, "kind is 4", netcl_op_pool(x.tensor, 4, NULL, NULL, &result));
  FAILS_WITH(invalid, "x has rank 2; pooling takes [N, C, ...] of rank 3 to 5",
             netcl_op_pool(flat.tensor, NETCL_POOLING_MAX, NULL, NULL, &result));
  FAILS_WITH(invalid, "[1, 2, 0, 6]",
             netcl_op_pool(hollow.tensor, NETCL_POOLING_MAX, NULL, NULL, &result));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "x is i32; average",
             netcl_op_pool(whole.tensor, NETCL_POOLING_AVERAGE, NULL, NULL, &result));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "x is i32; pooling by norms",
             netcl_op_pool(whole.tensor, NETCL_POOLING_LP, NULL, NULL, &result));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "x is bool",
             netcl_op_pool(flags.tensor, NETCL_POOLING_MAX, NULL, NULL, &result));
  FAILS_WITH(invalid, "options->window[0] is -1; it is 0 to 2147483647",
             try_pool(x.tensor, -1, 0, 0, 0));
  FAILS_WITH(invalid,
             "options->padding[0] is 3; it must be less than what the window spans with its "
             "dilation, 3",
             try_pool(x.tensor, 3, 3, 0, 0));
  FAILS_WITH(invalid, "options->padding[0] is 5; it must be less than what the window spans",
             try_pool(x.tensor, 3, 5, 0, 2));
  OK(try_pool(x.tensor, 3, 4, 0, 2));
  FAILS_WITH(invalid, "options->padding[0] is -1; it is 0 to 2147483647",
             try_pool(x.tensor, 3, -1, 0, 0));
  FAILS_WITH(invalid, "options->strides[0] is -2; it is 0 to 2147483647",
             try_pool(x.tensor, 3, 0, -2, 0));
  FAILS_WITH(invalid, "options->dilations[0] is -2", try_pool(x.tensor, 3, 0, 0, -2));
  FAILS_WITH(invalid,
             "options->window[0] = 9, dilation 1); x has shape [1, 2, 5, 6], whose height "
             "with padding is 8",
             try_pool(x.tensor, 9, 3, 0, 0));
  FAILS_WITH(invalid, "reaches over 7 elements", try_pool(x.tensor, 3, 0, 0, 3));
  FAILS_WITH(invalid, "options->window[0] is 2147483648; it is 0 to 2147483647",
             try_pool(x.tensor, (int64_t)1 << 31, 0, 0, 0));
  FAILS_WITH(invalid, "options->strides[0] is 2147483648; it is 0 to 2147483647",
             try_pool(x.tensor, 3, 0, (int64_t)1 << 31, 0));
  FAILS_WITH(invalid, "options->dilations[0] is 2147483648; it is 0 to 2147483647",
             try_pool(x.tensor, 3, 0, 0, (int64_t)1 << 31));
  FAILS(invalid, try_pool(x.tensor, INT64_MAX, 0, 0, INT64_MAX));
  FAILS(invalid, try_pool(x.tensor, INT32_MAX, INT32_MAX - 1, INT32_MAX, INT32_MAX));
  options.ceil_mode = 2;
  FAILS_WITH(invalid, "options->ceil_mode is 2",
             netcl_op_pool(x.tensor, NETCL_POOLING_MAX, &options, NULL, &result));
  options.ceil_mode = 0;
  run.into = x.tensor;
  FAILS_WITH(invalid, "shares its memory with x",
             netcl_op_pool(x.tensor, NETCL_POOLING_MAX, &options, &run, NULL));
  FAILS_WITH(invalid, "shares its memory with x",
             netcl_op_pool(x.tensor, NETCL_POOLING_LP, &options, &run, NULL));
  assert_null(result);
  NormTensor* const all[] = {&x, &flat, &hollow, &whole, &flags};
  for (size_t i = 0; i < COUNT_OF(all); ++i) norm_free(all[i]);
}

static void lists_refused(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {1, 2, 5, 6};
  const netcl_status invalid = NETCL_ERROR_INVALID_ARGUMENT;
  NormTensor x = norm_random(fixture, NETCL_F32, 4, shape, NORM_PACKED, 0, 1);
  netcl_pooling_options options = pooling_of(one_size(1), NULL);
  netcl_tensor* result = NULL;
  options.p = 0.5;
  FAILS_WITH(invalid, "options->p is 0.5; it is finite and 1 or more",
             netcl_op_pool(x.tensor, NETCL_POOLING_LP, &options, NULL, &result));
  options.p = INFINITY;
  FAILS_WITH(invalid, "options->p is inf",
             netcl_op_pool(x.tensor, NETCL_POOLING_LP, &options, NULL, &result));
  options.p = 0;
  options.window_count = 3;
  FAILS_WITH(invalid, "options->window_count is 3; for this x it is 0, 1 or 2",
             netcl_op_pool(x.tensor, NETCL_POOLING_MAX, &options, NULL, &result));
  options.window_count = 1;
  options.padding_count = 2;
  FAILS_WITH(invalid, "options->padding is NULL while options->padding_count is 2",
             netcl_op_pool(x.tensor, NETCL_POOLING_MAX, &options, NULL, &result));
  options.padding = one_size(0);
  FAILS_WITH(invalid, "options->padding_count is 2; for this x it is 0, 1 or 4",
             netcl_op_pool(x.tensor, NETCL_POOLING_MAX, &options, NULL, &result));
  assert_null(result);
  norm_free(&x);
}

int main(void) {
  static const struct CMUnitTest kTests[] = {DEVICE_TEST(errors), DEVICE_TEST(indices_refused),
                                      DEVICE_TEST(lists_refused)};
  seed_random("pooling_errors");
  return cmocka_run_group_tests_name("pooling_errors", kTests, NULL, NULL);
}
