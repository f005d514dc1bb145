/* Weights that are quantised and made whole again, in every format. */
#include "support_quantized.h"
#include "support_strided.h"

#include <math.h>

/* Weights made whole are those of the header, rounded to f32 and then to the result's dtype. */
static void dequantize(void **state) {
  Fixture *fixture = *state;
  static const netcl_dtype kFloats[] = {NETCL_F32, NETCL_F16, NETCL_BF16};
  for (int round = 0; round < rounds(fixture, 200); ++round) {
    Quantized q;
    quantized_random(&q, random_in(1, 40), random_in(1, random_in(0, 3) ? 300 : 1500));
    quantized_make(fixture, &q);
    const netcl_dtype dtype = kFloats[random_in(0, 2)];
    const int64_t shape[2] = {q.n, q.k};
    const int into = (int)random_in(0, 1);
    Strided place = {NULL, NULL};
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    netcl_tensor *made = NULL;
    if (into) {
      place = make_strided(fixture->device, dtype, 2, shape, NULL);
      run.into = place.view;
    }
    q.options.dtype = (dtype == NETCL_F32 || into) && random_in(0, 1) ? 0 : dtype;
    OK(netcl_op_dequantize_weights(q.weights, &q.options, &run, &made));
    assert_int_equal(tensor_info(made).dtype, dtype);
    void *got = read_tensor(made);
    for (int64_t i = 0; i < q.n * q.k; ++i) {
      const double value = load_double(dtype, got, i);
      const double bound = fabs(q.w[i]) * (2 * unit_roundoff(NETCL_F32) + unit_roundoff(dtype)) +
                           (dtype == NETCL_F16 ? 0x1p-25 : 0);
      CHECK(fabs(value - q.w[i]) <= bound, "%s as %s: element %lld is %.9g, not %.9g",
            quantized_text(&q), netcl_dtype_name(dtype), (long long)i, value, q.w[i]);
    }
    if (into) {
      CHECK_STRIDED(&place, got);
      release_strided(&place);
    }
    free(got);
    netcl_tensor_release(made);
    quantized_free(&q);
  }
}

/* What a block's numbers and their scales allow: codes are the nearest ones. */
static void check_block(const Quantized *q, const double *numbers, const double *w, int64_t count,
                        int64_t row, int64_t first) {
  double least = 0, most = 0;
  for (int64_t i = 0; i < count; ++i) {
    least = fmin(least, numbers[i]);
    most = fmax(most, numbers[i]);
  }
  const double largest = fmax(-least, most), range = most - least;
  const double relative = q->scale_dtype == NETCL_F32 ? 1e-5
                          : q->scale_dtype == NETCL_BF16 ? 0x1p-7
                                                         : 0x1p-10;
  /* Half a step; a whole one on the side that has a code less; what a rounded scale takes off. */
  double bound = 0;
  if (q->format == NETCL_QUANTIZATION_Q8_0) {
    bound = largest / 127 * 0.502 + largest * relative;
  } else if (q->zeros == 1) {
    /* Codes and the zero point are rounded. */
    bound = range / ((1 << q->bits) - 1) * 1.001 + range * relative;
  } else {
    bound = largest / (1 << (q->bits == 8 ? 7 : 3)) * 1.001 + largest * relative;
  }
  bound += 1e-7; /* f16 holds multiples of 2^-24 */
  for (int64_t i = 0; i < count; ++i) {
    CHECK(fabs(w[i] - numbers[i]) <= bound,
          "%s: element (%lld, %lld) is %.9g for %.9g, off by %g, more than %g; block from %g to %g",
          quantized_text(q), (long long)row, (long long)(first + i), w[i], numbers[i],
          fabs(w[i] - numbers[i]), bound, least, most);
  }
}

/* The same for 256 numbers, whose steps and least numbers are in 63rds of the largest. */
static void check_large_block(const Quantized *q, const double *numbers, const double *w,
                              int64_t row) {
  double steps = 0, leasts = 0;
  for (int j = 0; j < 8; ++j) {
    double least = 0, most = 0;
    for (int i = 0; i < 32; ++i) {
      least = fmin(least, numbers[32 * j + i]);
      most = fmax(most, numbers[32 * j + i]);
    }
    steps = fmax(steps, (most - least) / 15);
    leasts = fmax(leasts, -least);
  }
  for (int j = 0; j < 8; ++j) {
    double least = 0, most = 0;
    for (int i = 0; i < 32; ++i) {
      least = fmin(least, numbers[32 * j + i]);
      most = fmax(most, numbers[32 * j + i]);
    }
    /* Half a step of its own, and what half a 63rd does to the ends. */
    const double off = steps / 63 * 0.51, bound = ((most - least) / 15 + off) * 0.505 + 15 * off +
                       leasts / 63 * 0.51 + 1e-3 * (leasts + steps) + 1e-6;
    for (int i = 0; i < 32; ++i) {
      const double miss = fabs(w[32 * j + i] - numbers[32 * j + i]);
      CHECK(miss <= bound, "%s: element (%lld, %d) is %.9g for %.9g, off by %g, more than %g",
            quantized_text(q), (long long)row, 32 * j + i, w[32 * j + i], numbers[32 * j + i], miss,
            bound);
    }
  }
}

static void check_quantized(const Quantized *q, const double *numbers, const double *w) {
  const int64_t block = q->format == NETCL_QUANTIZATION_NBITS   ? q->block
                        : q->format == NETCL_QUANTIZATION_Q4_K ? 256
                                                               : 32;
  for (int64_t row = 0; row < q->n; ++row) {
    for (int64_t first = 0; first < q->k; first += block) {
      const int64_t at = row * q->k + first, left = q->k - first;
      if (block == 256 && q->format == NETCL_QUANTIZATION_Q4_K) {
        check_large_block(q, numbers + at, w + at, row);
      } else {
        check_block(q, numbers + at, w + at, left < block ? left : block, row, first);
      }
    }
  }
}

static void quantize(void **state) {
  Fixture *fixture = *state;
  static const netcl_dtype kFloats[] = {NETCL_F32, NETCL_F16, NETCL_BF16};
  for (int round = 0; round < rounds(fixture, 120); ++round) {
    Quantized q;
    quantized_random(&q, random_in(1, 20), random_in(1, random_in(0, 3) ? 300 : 900));
    const int large = q.format == NETCL_QUANTIZATION_Q4_K, nbits = q.bits != 0;
    const int64_t block = nbits ? q.block : large ? 256 : 32;
    if (q.zeros == 2) q.zeros = 0;
    q.blocks = (q.k + block - 1) / block;
    q.block_bytes = nbits ? block * q.bits / 8 : large ? 144
                    : q.format == NETCL_QUANTIZATION_Q8_0 ? 34 : 18;
    const int64_t shape[2] = {q.n, q.k}, bytes[3] = {q.n, q.blocks, q.block_bytes};
    Matrix w = make_matrix(fixture, kFloats[random_in(0, 2)], 2, shape, (int)random_in(0, 1));
    netcl_quantized_options options = NETCL_QUANTIZED_OPTIONS_INIT;
    options.format = q.format;
    options.bits = (uint32_t)q.bits;
    options.block_size = (uint32_t)q.block;
    options.dtype = q.scale_dtype;
    options.has_zero_points = q.zeros == 1;
    if (random_in(0, 1)) options.k = q.k;
    Strided place = {NULL, NULL};
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    netcl_tensor *codes = NULL, *scales = NULL, *zeros = NULL;
    if (random_in(0, 1)) {
      place = make_strided(fixture->device, NETCL_U8, 3, bytes, NULL);
      run.into = place.view;
    }
    OK(netcl_op_quantize_weights(w.tensor, &options, &run, &codes, &scales, &zeros));
    assert_true((scales != NULL) == (nbits != 0));
    assert_true((zeros != NULL) == (q.zeros == 1));
    void *all = read_tensor(codes);
    void *steps = nbits ? read_tensor(scales) : NULL, *points = zeros ? read_tensor(zeros) : NULL;
    double *got = malloc((size_t)(q.n * q.k) * sizeof *got);
    double *numbers = malloc((size_t)(q.n * q.k) * sizeof *numbers);
    quantized_decode(&q, all, steps, points, got);
    for (int64_t i = 0; i < q.n * q.k; ++i) numbers[i] = (double)matrix_element(&w.model, i);
    check_quantized(&q, numbers, got);
    if (run.into != NULL) {
      CHECK_STRIDED(&place, all);
      release_strided(&place);
    }
    free(all);
    free(steps);
    free(points);
    free(got);
    free(numbers);
    netcl_tensor_release(codes);
    netcl_tensor_release(scales);
    netcl_tensor_release(zeros);
    free_matrix(&w);
  }
}

/* Zeros stay zeros, numbers that have codes come back as they are, and codes beyond K are those of
 * 0. */
static void exact(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[2] = {2, 20};
  float w[40] = {0}, back[40];
  for (int i = 0; i < 20; ++i) w[i] = (float)(i % 16 - 8) * 0.25f;
  for (int zeros = 0; zeros < 2; ++zeros) {
    netcl_quantized_options options = NETCL_QUANTIZED_OPTIONS_INIT;
    netcl_tensor *numbers = make_tensor(fixture->device, NETCL_F32, 2, shape, w);
    netcl_tensor *codes = NULL, *scales = NULL, *points = NULL, *whole = NULL;
    unsigned char bytes[32], packed[2];
    options.format = NETCL_QUANTIZATION_NBITS;
    options.has_zero_points = (uint32_t)zeros;
    OK(netcl_op_quantize_weights(numbers, &options, NULL, &codes, &scales, &points));
    OK(netcl_tensor_read(codes, bytes, sizeof bytes, NULL, LONG_WAIT));
    memset(packed, 0x88, sizeof packed);
    if (zeros) OK(netcl_tensor_read(points, packed, sizeof packed, NULL, LONG_WAIT));
    for (int i = 0; i < 32; ++i) {
      const int zero = packed[i / 16] % 16;
      if (i % 16 >= 10 || i >= 16) assert_int_equal(bytes[i], zero * 17);
    }
    options.has_zero_points = 0;
    options.k = 20;
    options.scales = scales;
    options.zero_points = points;
    OK(netcl_op_dequantize_weights(codes, &options, NULL, &whole));
    OK(netcl_tensor_read(whole, back, sizeof back, NULL, LONG_WAIT));
    for (int i = 0; i < 40; ++i) {
      CHECK(fabs((double)(back[i] - w[i])) <= 1e-6, "element %d is %g, not %g", i, (double)back[i],
            (double)w[i]);
    }
    netcl_tensor_release(numbers);
    netcl_tensor_release(codes);
    netcl_tensor_release(scales);
    netcl_tensor_release(points);
    netcl_tensor_release(whole);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(dequantize), DEVICE_TEST(quantize),
                                     DEVICE_TEST(exact), DEVICE_TEST(as_kernels)};
  seed_random("quantize_weights");
  return cmocka_run_group_tests_name("quantize_weights", tests, NULL, NULL);
}
