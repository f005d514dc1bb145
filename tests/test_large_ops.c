/*
 * Every family of ops on more than 2^31 elements. Results are compared where 32-bit indices would
 * go wrong: at the begin, around element 2^31, and at the end.
 */
#include "support_large.h"
#include "support_pooling.h"

#include <math.h>

/* 65537 rows of 32770 are 2^31 + 163,842 elements; row 65532 holds element 2^31. */
enum { kRows = 65537, kColumns = 32770, kMarks = 5 };
static const int64_t kShape[2] = {kRows, kColumns};
static const int64_t kCount = (int64_t)kRows * kColumns;
static const int64_t kSomeRows[] = {0, 32766, 65531, 65532, 65536};
/* Places of the tests that look for single elements. */
static const int64_t kPlaces[kMarks] = {3, ((int64_t)1 << 31) - 1, (int64_t)1 << 31,
                                        ((int64_t)1 << 31) + 70001, (int64_t)kRows* kColumns - 1};

static void need(Fixture* fixture, int tensors, int bytes) {
  const uint64_t one = (uint64_t)kCount * (uint64_t)bytes;
  need_memory(fixture, one, one * (uint64_t)tensors);
}

/* Uniform in [-1, 1). */
static netcl_tensor* make_random(Fixture* fixture, uint32_t rank, const int64_t* shape) {
  netcl_random_options random = NETCL_RANDOM_OPTIONS_INIT;
  netcl_tensor* tensor = NULL;
  random.seed = random_bits();
  random.low = -1;
  random.high = 1;
  OK(netcl_tensor_create_random(fixture->device, NETCL_F16, rank, shape, NULL, &random, NULL,
                                &tensor));
  return tensor;
}

/* Zeros but for kMarks elements, which are i + 1 for mark i. */
static netcl_tensor* make_marked(Fixture* fixture, netcl_dtype dtype) {
  netcl_tensor* tensor = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, dtype, 1, &kCount, NULL, NULL, &tensor));
  for (int i = 0; i < kMarks; ++i) {
    unsigned char value[8];
    store_double(dtype, value, 0, i + 1);
    netcl_tensor* one = slice_1d(tensor, kPlaces[i], 1, 1);
    OK(netcl_op_fill(one, value, NULL));
    netcl_tensor_release(one);
  }
  return tensor;
}

/* The elements from `start` on, as doubles; the caller frees them. */
static double* read_window(netcl_tensor* tensor, uint32_t rank, const netcl_range* ranges,
                           int64_t count) {
  netcl_tensor* view = NULL;
  const netcl_dtype dtype = tensor_info(tensor).dtype;
  OK(netcl_tensor_slice(tensor, ranges, rank, &view));
  void* data = read_tensor(view);
  double* values = malloc(sizeof(double) * (size_t)count);
  for (int64_t i = 0; i < count; ++i) values[i] = load_double(dtype, data, i);
  free(data);
  netcl_tensor_release(view);
  return values;
}

static double* read_row(netcl_tensor* tensor, int64_t row) {
  const netcl_range ranges[2] = {{row, 1, 1}, {0, kColumns, 1}};
  return read_window(tensor, 2, ranges, kColumns);
}

static double read_at(netcl_tensor* tensor, int64_t at) {
  const netcl_range range = {at, 1, 1};
  double* values = read_window(tensor, 1, &range, 1);
  const double value = values[0];
  free(values);
  return value;
}

static void expect_near(double got, double wanted, double bound, const char* what, int64_t at) {
  CHECK(fabs(got - wanted) <= bound, "%s at %lld is %.9g, not %.9g within %g", what, (long long)at,
        got, wanted, bound);
}

static void elementwise(void** state) {
  Fixture* fixture = *state;
  need(fixture, 2, 2);
  netcl_tensor *x = make_random(fixture, 2, kShape), *y = NULL;
  OK(netcl_op_expression_text("relu(v0) * 0.5", &x, 1, NULL, NULL, &y));
  for (size_t r = 0; r < COUNT_OF(kSomeRows); ++r) {
    double *in = read_row(x, kSomeRows[r]), *out = read_row(y, kSomeRows[r]);
    for (int c = 0; c < kColumns; ++c) {
      expect_near(out[c], in[c] > 0 ? in[c] / 2 : 0, 6e-8, "relu", c);
    }
    free(in);
    free(out);
  }
  netcl_tensor_release(x);
  netcl_tensor_release(y);
}

static void several_results(void** state) {
  Fixture* fixture = *state;
  static const char* const kTexts[] = {"v0 > 0", "relu(v0) * 0.5"};
  need(fixture, 3, 2);
  netcl_tensor *x = make_random(fixture, 2, kShape), *y[2];
  OK(netcl_op_expressions(kTexts, 2, &x, 1, NULL, NULL, y));
  for (size_t r = 0; r < COUNT_OF(kSomeRows); ++r) {
    double *in = read_row(x, kSomeRows[r]), *sign = read_row(y[0], kSomeRows[r]);
    double* out = read_row(y[1], kSomeRows[r]);
    for (int c = 0; c < kColumns; ++c) {
      expect_near(sign[c], in[c] > 0, 0, "sign", c);
      expect_near(out[c], in[c] > 0 ? in[c] / 2 : 0, 6e-8, "relu beside it", c);
    }
    free(in);
    free(sign);
    free(out);
  }
  netcl_tensor_release(x);
  for (int k = 0; k < 2; ++k) netcl_tensor_release(y[k]);
}

static void rows_of_norms(void** state) {
  Fixture* fixture = *state;
  need(fixture, 3, 2);
  netcl_tensor *x = make_random(fixture, 2, kShape), *odds = NULL, *norm = NULL, *sums = NULL;
  netcl_reduce_options over_rows = NETCL_REDUCE_OPTIONS_INIT;
  const int32_t last = 1;
  over_rows.axes = &last;
  over_rows.axes_count = 1;
  over_rows.dtype = NETCL_F32;
  OK(netcl_op_softmax(x, 1, NULL, &odds));
  OK(netcl_op_layernorm(x, 1, NULL, NULL, &norm));
  OK(netcl_op_reduce(x, NETCL_REDUCTION_SUM, &over_rows, NULL, &sums));
  for (size_t r = 0; r < COUNT_OF(kSomeRows); ++r) {
    double *in = read_row(x, kSomeRows[r]), *p = read_row(odds, kSomeRows[r]);
    double *z = read_row(norm, kSomeRows[r]), total = 0, sum = 0, absolute = 0, square = 0;
    for (int c = 0; c < kColumns; ++c) {
      total += exp(in[c]);
      sum += in[c];
      absolute += fabs(in[c]);
    }
    const double mean = sum / kColumns;
    for (int c = 0; c < kColumns; ++c) square += (in[c] - mean) * (in[c] - mean);
    for (int c = 0; c < kColumns; ++c) {
      /* Half of the distance between numbers of f16: subnormal ones for the odds. */
      expect_near(p[c], exp(in[c]) / total, 4e-8, "softmax", c);
      expect_near(z[c], (in[c] - mean) / sqrt(square / kColumns + 1e-5), 1.1e-3, "layernorm", c);
    }
    expect_near(read_at(sums, kSomeRows[r]), sum, 80 * 0x1p-24 * absolute, "sum of row",
                kSomeRows[r]);
    free(in);
    free(p);
    free(z);
  }
  netcl_tensor_release(x);
  netcl_tensor_release(odds);
  netcl_tensor_release(norm);
  netcl_tensor_release(sums);
}

static void columns(void** state) {
  Fixture* fixture = *state;
  need(fixture, 2, 2);
  netcl_tensor *x = make_random(fixture, 2, kShape), *sums = NULL;
  netcl_reduce_options over_columns = NETCL_REDUCE_OPTIONS_INIT;
  const int32_t first = 0;
  over_columns.axes = &first;
  over_columns.axes_count = 1;
  over_columns.dtype = NETCL_F32;
  OK(netcl_op_reduce(x, NETCL_REDUCTION_SUM, &over_columns, NULL, &sums));
  const int64_t some[] = {0, 16000, kColumns - 1};
  for (size_t c = 0; c < COUNT_OF(some); ++c) {
    const netcl_range ranges[2] = {{0, kRows, 1}, {some[c], 1, 1}};
    double *in = read_window(x, 2, ranges, kRows), sum = 0, absolute = 0;
    for (int r = 0; r < kRows; ++r) {
      sum += in[r];
      absolute += fabs(in[r]);
    }
    expect_near(read_at(sums, some[c]), sum, 80 * 0x1p-24 * absolute, "sum of column", some[c]);
    free(in);
  }
  netcl_tensor_release(x);
  netcl_tensor_release(sums);
}

static void whole_reductions(void** state) {
  Fixture* fixture = *state;
  need(fixture, 2, 2);
  netcl_tensor *x = make_marked(fixture, NETCL_F16), *result = NULL;
  const uint16_t fifteen = 0x4B80;
  OK(netcl_op_reduce(x, NETCL_REDUCTION_SUM, NULL, NULL, &result));
  CHECK_TENSOR(result, &fifteen);
  netcl_tensor_release(result);
  OK(netcl_op_reduce(x, NETCL_REDUCTION_ARGMAX, NULL, NULL, &result));
  CHECK_TENSOR(result, &kPlaces[kMarks - 1]);
  netcl_tensor_release(result);
  netcl_tensor_release(x);
}

static void running_sum(void** state) {
  Fixture* fixture = *state;
  need(fixture, 3, 1);
  netcl_tensor *x = make_marked(fixture, NETCL_U8), *sums = NULL;
  OK(netcl_op_scan(x, NETCL_REDUCTION_SUM, 0, NULL, NULL, &sums));
  double sum = 0;
  for (int i = 0; i < kMarks; ++i) {
    expect_near(read_at(sums, kPlaces[i] - 1), sum, 0, "sum", kPlaces[i] - 1);
    sum += i + 1;
    expect_near(read_at(sums, kPlaces[i]), sum, 0, "sum", kPlaces[i]);
  }
  netcl_tensor_release(x);
  netcl_tensor_release(sums);
}

static void counts_and_order(void** state) {
  Fixture* fixture = *state;
  need(fixture, 4, 1);
  netcl_tensor *x = make_marked(fixture, NETCL_U8), *bins = NULL, *best = NULL, *where = NULL;
  netcl_histogram_options range = NETCL_HISTOGRAM_OPTIONS_INIT;
  range.high = 6;
  OK(netcl_op_histogram(x, 6, &range, NULL, &bins));
  int64_t* counts = read_tensor(bins);
  CHECK(counts[0] == kCount - kMarks, "%lld zeros", (long long)counts[0]);
  for (int i = 1; i <= kMarks; ++i) assert_true(counts[i] == 1);
  free(counts);
  OK(netcl_op_topk(x, 3, 0, NULL, NULL, &best, &where));
  uint8_t* values = read_tensor(best);
  int64_t* indices = read_tensor(where);
  for (int i = 0; i < 3; ++i) {
    CHECK(values[i] == kMarks - i && indices[i] == kPlaces[kMarks - 1 - i],
          "number %d is %d at %lld", i, values[i], (long long)indices[i]);
  }
  free(values);
  free(indices);
  netcl_tensor_release(x);
  netcl_tensor_release(bins);
  netcl_tensor_release(best);
  netcl_tensor_release(where);
}

static void picked_and_put(void** state) {
  Fixture* fixture = *state;
  need(fixture, 3, 1);
  const int64_t count = kMarks;
  const uint8_t news[kMarks] = {50, 51, 52, 53, 54};
  netcl_tensor *x = make_marked(fixture, NETCL_U8), *picked = NULL, *put = NULL;
  netcl_tensor* indices = make_tensor(fixture->device, NETCL_I64, 1, &count, kPlaces);
  netcl_tensor* updates = make_tensor(fixture->device, NETCL_U8, 1, &count, news);
  OK(netcl_op_gather(x, indices, 0, NULL, &picked));
  CHECK_TENSOR(picked, ((const uint8_t[]){1, 2, 3, 4, 5}));
  OK(netcl_op_scatter(x, indices, updates, 0, NULL, NULL, &put));
  netcl_tensor_release(picked);
  OK(netcl_op_gather_elements(put, indices, 0, NULL, &picked));
  CHECK_TENSOR(picked, news);
  assert_true(read_at(put, kPlaces[2] + 1) == 0 && read_at(x, kPlaces[4]) == 5);
  netcl_tensor_release(x);
  netcl_tensor_release(picked);
  netcl_tensor_release(put);
  netcl_tensor_release(indices);
  netcl_tensor_release(updates);
}

static void moved(void** state) {
  Fixture* fixture = *state;
  need(fixture, 6, 1);
  netcl_tensor *x = make_marked(fixture, NETCL_U8), *matrix = NULL, *turned = NULL, *padded = NULL;
  netcl_tensor* joined = NULL;
  const int64_t pads[2] = {7, 9};
  OK(netcl_op_pad(x, pads, 2, NULL, NULL, &padded));
  netcl_tensor* both[2] = {x, x};
  OK(netcl_op_concat(both, 2, 0, NULL, &joined));
  OK(netcl_tensor_reshape(x, 2, kShape, NULL, &matrix));
  OK(netcl_op_transpose(matrix, NULL, 0, NULL, &turned));
  for (int i = 0; i < kMarks; ++i) {
    const int64_t row = kPlaces[i] / kColumns, column = kPlaces[i] % kColumns;
    const netcl_range place[2] = {{column, 1, 1}, {row, 1, 1}};
    double* there = read_window(turned, 2, place, 1);
    CHECK(there[0] == i + 1, "transposed, mark %d is %g", i, there[0]);
    free(there);
    CHECK(read_at(padded, kPlaces[i] + 7) == i + 1, "padded, mark %d is lost", i);
    CHECK(read_at(joined, kPlaces[i]) == i + 1 && read_at(joined, kCount + kPlaces[i]) == i + 1,
          "joined, mark %d is lost", i);
  }
  netcl_tensor_release(x);
  netcl_tensor_release(matrix);
  netcl_tensor_release(turned);
  netcl_tensor_release(padded);
  netcl_tensor_release(joined);
}

static void products(void** state) {
  Fixture* fixture = *state;
  need(fixture, 2, 2);
  enum { kInner = 16 };
  const int64_t left[2] = {kRows, kInner}, right[2] = {kInner, kColumns};
  netcl_tensor *a = make_random(fixture, 2, left), *b = make_random(fixture, 2, right), *c = NULL;
  OK(netcl_op_matmul(a, b, NULL, NULL, &c));
  const uint16_t *rows = read_tensor(a), *columns_of = read_tensor(b);
  for (size_t r = 0; r < COUNT_OF(kSomeRows); ++r) {
    double* got = read_row(c, kSomeRows[r]);
    for (int j = 0; j < kColumns; ++j) {
      double sum = 0;
      for (int k = 0; k < kInner; ++k) {
        sum += load_double(NETCL_F16, rows, kSomeRows[r] * kInner + k) *
               load_double(NETCL_F16, columns_of, (int64_t)k * kColumns + j);
      }
      expect_near(got[j], sum, 0x1p-11 * fabs(sum) + 1e-5, "product", j);
    }
    free(got);
  }
  free((void*)rows);
  free((void*)columns_of);
  netcl_tensor_release(a);
  netcl_tensor_release(b);
  netcl_tensor_release(c);
}

/* One channel of kRows x kColumns; the result of a filter of 3 x 3, and of windows of 2 x 2. */
static void pictures(void** state) {
  Fixture* fixture = *state;
  need(fixture, 3, 2);
  const int64_t shape[4] = {1, 1, kRows, kColumns}, filter[4] = {1, 1, 3, 3};
  netcl_tensor *x = make_random(fixture, 4, shape), *w = make_random(fixture, 4, filter);
  netcl_tensor *edges = NULL, *largest = NULL;
  netcl_conv2d_options conv = NETCL_CONV2D_OPTIONS_INIT;
  const netcl_pooling_options pool = pooling_of(one_size(2), NULL);
  for (int i = 0; i < 4; ++i) conv.padding[i] = 1;
  OK(netcl_op_conv2d(x, w, &conv, NULL, &edges));
  OK(netcl_op_pool(x, NETCL_POOLING_MAX, &pool, NULL, &largest));
  const uint16_t* weights = read_tensor(w);
  for (size_t r = 1; r < COUNT_OF(kSomeRows) - 1; ++r) {
    const netcl_range three[4] = {{0, 1, 1}, {0, 1, 1}, {kSomeRows[r] - 1, 3, 1}, {0, kColumns, 1}};
    const netcl_range one[4] = {{0, 1, 1}, {0, 1, 1}, {kSomeRows[r], 1, 1}, {0, kColumns - 1, 1}};
    double* in = read_window(x, 4, three, 3 * kColumns);
    double* out = read_window(edges, 4, one, kColumns - 1);
    double* most = read_window(largest, 4, one, kColumns - 1);
    for (int c = 1; c < kColumns - 1; ++c) {
      double sum = 0;
      for (int k = 0; k < 9; ++k) {
        sum += load_double(NETCL_F16, weights, k) * in[k / 3 * kColumns + c + k % 3 - 1];
      }
      /* F(4,3) may have been chosen: its bound is the widest. */
      expect_near(out[c], sum, 0x1p-10 * fabs(sum) + 5e-3, "convolution", c);
      const double* at = in + kColumns + c;
      expect_near(most[c], fmax(fmax(at[0], at[1]), fmax(at[kColumns], at[kColumns + 1])), 0,
                  "maximum", c);
    }
    free(in);
    free(out);
    free(most);
  }
  free((void*)weights);
  netcl_tensor_release(x);
  netcl_tensor_release(w);
  netcl_tensor_release(edges);
  netcl_tensor_release(largest);
}

static void channels(void** state) {
  Fixture* fixture = *state;
  need(fixture, 2, 2);
  const int64_t shape[4] = {2, 3, 10924, 32770}, three = 3;
  const float means[3] = {0.25f, -0.5f, 0.125f}, variances[3] = {0.25f, 1, 4};
  netcl_tensor *x = make_random(fixture, 4, shape), *y = NULL;
  netcl_tensor* mean = make_tensor(fixture->device, NETCL_F32, 1, &three, means);
  netcl_tensor* variance = make_tensor(fixture->device, NETCL_F32, 1, &three, variances);
  OK(netcl_op_batchnorm(x, mean, variance, NULL, NULL, &y));
  for (int image = 0; image < 2; ++image) {
    for (int channel = 0; channel < 3; ++channel) {
      const netcl_range ranges[4] = {{image, 1, 1}, {channel, 1, 1}, {10923, 1, 1}, {0, 32770, 1}};
      double *in = read_window(x, 4, ranges, 32770), *out = read_window(y, 4, ranges, 32770);
      for (int i = 0; i < 32770; ++i) {
        const double wanted = (in[i] - means[channel]) / sqrt(variances[channel] + 1e-5);
        expect_near(out[i], wanted, 0x1p-10 * fabs(wanted) + 1e-6, "batchnorm", i);
      }
      free(in);
      free(out);
    }
  }
  netcl_tensor_release(x);
  netcl_tensor_release(y);
  netcl_tensor_release(mean);
  netcl_tensor_release(variance);
}

/* 257 rows become 256 times as many; the last 256 are beyond element 2^31. */
static void resized_and_cast(void** state) {
  Fixture* fixture = *state;
  need(fixture, 4, 1);
  const int64_t small[2] = {257, kColumns}, large[2] = {257 * 256, kColumns};
  netcl_random_options random = NETCL_RANDOM_OPTIONS_INIT;
  netcl_resize_options resize = NETCL_RESIZE_OPTIONS_INIT;
  netcl_tensor *x = NULL, *y = NULL, *halves = NULL;
  random.seed = random_bits();
  resize.coordinates = NETCL_RESIZE_ASYMMETRIC;
  OK(netcl_tensor_create_random(fixture->device, NETCL_U8, 2, small, NULL, &random, NULL, &x));
  OK(netcl_op_resize(x, 2, large, &resize, NULL, &y));
  OK(netcl_op_cast(y, NETCL_F16, NULL, &halves));
  const int64_t some[] = {0, 100, 255, 256};
  for (size_t r = 0; r < COUNT_OF(some); ++r) {
    double *in = read_row(x, some[r]), *out = read_row(y, 256 * some[r]);
    double* cast = read_row(halves, 256 * some[r]);
    for (int c = 0; c < kColumns; ++c) {
      expect_near(out[c], in[c], 0, "resized", c);
      expect_near(cast[c], in[c], 0, "cast", c);
    }
    free(in);
    free(out);
    free(cast);
  }
  netcl_tensor_release(x);
  netcl_tensor_release(y);
  netcl_tensor_release(halves);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(elementwise),      DEVICE_TEST(rows_of_norms), DEVICE_TEST(columns),
      DEVICE_TEST(whole_reductions), DEVICE_TEST(running_sum),   DEVICE_TEST(counts_and_order),
      DEVICE_TEST(picked_and_put),   DEVICE_TEST(moved),         DEVICE_TEST(products),
      DEVICE_TEST(pictures),         DEVICE_TEST(channels),      DEVICE_TEST(resized_and_cast),
      DEVICE_TEST(several_results),
  };
  seed_random("large_ops");
  return cmocka_run_group_tests_name("large_ops", tests, NULL, NULL);
}
