/*
 * Tensors of more than 2^31 elements that are made of numbers, repeated and cut: compared at the
 * begin, around element 2^31, and at the end.
 */
#include "support_large.h"

/* 65537 rows of 32770; row 65532 holds element 2^31. */
enum { kRows = 65537, kColumns = 32770 };
static const int64_t kShape[2] = {kRows, kColumns};
static const int64_t kSomeRows[] = {0, 32766, 65531, 65532, 65536};

/* Kernels that a CPU runs take minutes for so many elements; wide_views has their indices. */
static void need_rows(Fixture* fixture, int tensors) {
  const uint64_t bytes = (uint64_t)kRows * kColumns;
  if (compiles_slowly(fixture)) SKIP("takes minutes where a CPU runs kernels");
  need_memory(fixture, bytes, bytes * (uint64_t)tensors);
}

static unsigned char* read_large_row(netcl_tensor* tensor, int64_t row) {
  const netcl_range ranges[2] = {{row, 1, 1}, {0, kColumns, 1}};
  netcl_tensor* view = NULL;
  OK(netcl_tensor_slice(tensor, ranges, 2, &view));
  unsigned char* bytes = read_tensor(view);
  netcl_tensor_release(view);
  return bytes;
}

/* Element i is 3 + 5 i modulo 256 in one tensor; of it the triangle stays in another. */
static void counted_and_cut(void** state) {
  Fixture* fixture = *state;
  need_rows(fixture, 2);
  const unsigned char start = 3, step = 5;
  netcl_tensor *x = NULL, *low = NULL;
  OK(netcl_tensor_create(fixture->device, NETCL_U8, 2, kShape, NULL, NULL, &x));
  OK(netcl_op_range(x, &start, &step, NULL));
  OK(netcl_op_trilu(x, 0, -32767, NULL, &low));
  for (size_t r = 0; r < COUNT_OF(kSomeRows); ++r) {
    const int64_t row = kSomeRows[r];
    unsigned char *whole = read_large_row(x, row), *cut = read_large_row(low, row);
    for (int64_t c = 0; c < kColumns; ++c) {
      const unsigned char wanted = (unsigned char)(3 + 5 * (row * kColumns + c));
      CHECK(whole[c] == wanted, "row %lld, column %lld of the range is %d, not %d", (long long)row,
            (long long)c, whole[c], wanted);
      CHECK(cut[c] == (c <= row - 32767 ? wanted : 0), "row %lld, column %lld cut is %d",
            (long long)row, (long long)c, cut[c]);
    }
    free(whole);
    free(cut);
  }
  netcl_tensor_release(low);
  OK(netcl_op_eye(x, -32770, NULL));
  for (size_t r = 0; r < COUNT_OF(kSomeRows); ++r) {
    unsigned char* line = read_large_row(x, kSomeRows[r]);
    for (int64_t c = 0; c < kColumns; ++c) {
      CHECK(line[c] == (c == kSomeRows[r] - 32770), "row %lld, column %lld of the matrix is %d",
            (long long)kSomeRows[r], (long long)c, line[c]);
    }
    free(line);
  }
  netcl_tensor_release(x);
}

/* A row is repeated, and is where in a line of its own its number has a one. */
static void repeated_and_hot(void** state) {
  Fixture* fixture = *state;
  need_rows(fixture, 1);
  const int64_t one_row[2] = {1, kColumns}, repeats[2] = {kRows, 1}, rows = kRows;
  const unsigned char on = 7, off = 9;
  unsigned char* row = malloc(kColumns);
  int32_t* indices = malloc(kRows * sizeof *indices);
  for (int64_t c = 0; c < kColumns; ++c) row[c] = (unsigned char)random_bits();
  for (int64_t i = 0; i < kRows; ++i) indices[i] = (int32_t)(i % kColumns) - (i % 2 ? kColumns : 0);
  netcl_tensor* line = make_tensor(fixture->device, NETCL_U8, 2, one_row, row);
  netcl_tensor* places = make_tensor(fixture->device, NETCL_I32, 1, &rows, indices);
  netcl_tensor* y = NULL;
  OK(netcl_op_tile(line, repeats, 2, NULL, &y));
  for (size_t r = 0; r < COUNT_OF(kSomeRows); ++r) {
    unsigned char* got = read_large_row(y, kSomeRows[r]);
    assert_memory_equal(got, row, kColumns);
    free(got);
  }
  netcl_tensor_release(y);
  y = NULL;
  OK(netcl_op_one_hot(places, kColumns, -1, NETCL_U8, &on, &off, NULL, &y));
  for (size_t r = 0; r < COUNT_OF(kSomeRows); ++r) {
    unsigned char* got = read_large_row(y, kSomeRows[r]);
    for (int64_t c = 0; c < kColumns; ++c) {
      CHECK(got[c] == (c == kSomeRows[r] % kColumns ? on : off), "row %lld, column %lld is %d",
            (long long)kSomeRows[r], (long long)c, got[c]);
    }
    free(got);
  }
  netcl_tensor_release(y);
  netcl_tensor_release(places);
  netcl_tensor_release(line);
  free(indices);
  free(row);
}

/* Few elements, 2^30 apart: the indices of kernels have 64 bits. */
static void wide_views(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[2] = {3, 4}, strides[2] = {kGiB, 7}, size = 2 * kGiB + 64;
  const int64_t tall[2] = {12, 1}, steps[2] = {kGiB / 6, 1}, once[2] = {1, 1};
  const int32_t places[3] = {1, -1, 4};
  const unsigned char start = 3, step = 5, zero = 0;
  netcl_tensor *base = NULL, *view = NULL, *y = NULL, *low = NULL;
  need_memory(fixture, (uint64_t)size, (uint64_t)size);
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_U8, 1, &size, NULL, NULL, &base));
  OK(netcl_tensor_view(base, 2, shape, strides, 5, &view));
  OK(netcl_op_range(view, &start, &step, NULL));
  const unsigned char counted[] = {3, 8, 13, 18, 23, 28, 33, 38, 43, 48, 53, 58};
  CHECK_TENSOR(view, counted);
  OK(netcl_op_tile(view, once, 2, NULL, &y));
  CHECK_TENSOR(y, counted);
  OK(netcl_op_trilu(view, 0, 0, NULL, &low));
  const unsigned char cut[] = {3, 0, 0, 0, 23, 28, 0, 0, 43, 48, 53, 0};
  CHECK_TENSOR(low, cut);
  netcl_run_options run = run_into(view);
  OK(netcl_op_trilu(y, 1, 1, &run, NULL));
  const unsigned char high[] = {0, 8, 13, 18, 0, 0, 33, 38, 0, 0, 0, 58};
  CHECK_TENSOR(view, high);
  netcl_tensor* indices = make_tensor(fixture->device, NETCL_I32, 1, shape, places);
  OK(netcl_op_one_hot(indices, 4, -1, NETCL_U8, &start, &zero, &run, NULL));
  const unsigned char hot[] = {0, 3, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0};
  CHECK_TENSOR(view, hot);
  netcl_tensor_release(view);
  view = NULL;
  OK(netcl_tensor_view(base, 2, tall, steps, 1, &view));
  OK(netcl_op_range(view, &start, &step, NULL));
  CHECK_TENSOR(view, counted);
  netcl_tensor_release(indices);
  netcl_tensor_release(low);
  netcl_tensor_release(y);
  netcl_tensor_release(view);
  netcl_tensor_release(base);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(counted_and_cut), DEVICE_TEST(repeated_and_hot), DEVICE_TEST(wide_views),
      DEVICE_TEST(as_kernels),
  };
  seed_random("large_made");
  return cmocka_run_group_tests_name("large_made", tests, NULL, NULL);
}
