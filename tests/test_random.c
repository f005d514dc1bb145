/* Random tensors: known bits, streams that fit together, the same bits on every device. */
#include <math.h>

#include "support.h"

static netcl_tensor *random_tensor(netcl_device *device, netcl_dtype dtype, int64_t count,
                                   const netcl_random_options *options) {
  netcl_tensor *tensor = NULL;
  OK(netcl_tensor_create_random(device, dtype, 1, &count, NULL, options, NULL, &tensor));
  return tensor;
}

static void *random_values(netcl_device *device, netcl_dtype dtype, int64_t count,
                           const netcl_random_options *options) {
  netcl_tensor *tensor = random_tensor(device, dtype, count, options);
  void *values = read_tensor(tensor);
  netcl_tensor_release(tensor);
  return values;
}

/* Philox4x32-10 as in Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011. */
static void philox(uint64_t counter_low, uint64_t counter_high, uint64_t key, uint32_t out[4]) {
  uint32_t c[4] = {(uint32_t)counter_low, (uint32_t)(counter_low >> 32), (uint32_t)counter_high,
                   (uint32_t)(counter_high >> 32)};
  uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = (uint64_t)0xD2511F53u * c[0], b = (uint64_t)0xCD9E8D57u * c[2];
    const uint32_t next[4] = {(uint32_t)(b >> 32) ^ c[1] ^ k0, (uint32_t)b,
                              (uint32_t)(a >> 32) ^ c[3] ^ k1, (uint32_t)a};
    memcpy(c, next, sizeof c);
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  memcpy(out, c, sizeof c);
}

static void check_word(const char *what, uint64_t at, uint64_t got, uint64_t wanted) {
  CHECK(got == wanted, "%s: element %llu is %llx, not %llx", what, (unsigned long long)at,
        (unsigned long long)got, (unsigned long long)wanted);
}

/* Integers over their whole range are the leading bits of the stream. Element e of a 64-bit type is
 * the low half of block e, of a 32-bit type the second word of a half, of a shorter type a word. */
static void known_bits(void **state) {
  Fixture *fixture = *state;
  /* The vectors published with Random123. */
  static const uint32_t kZero[] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
  static const uint32_t kOnes[] = {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd};
  uint32_t words[4];
  philox(0, 0, 0, words);
  assert_memory_equal(words, kZero, sizeof kZero);
  philox(UINT64_MAX, UINT64_MAX, UINT64_MAX, words);
  assert_memory_equal(words, kOnes, sizeof kOnes);

  for (int round = 0; round < 50; ++round) {
    netcl_random_options options = NETCL_RANDOM_OPTIONS_INIT;
    if (round > 0) options.seed = random_bits();
    if (round > 1) options.offset = random_bits() >> random_in(2, 60);
    uint64_t *longs = random_values(fixture->device, NETCL_U64, 37, &options);
    uint32_t *ints = random_values(fixture->device, NETCL_U32, 37, &options);
    uint16_t *shorts = random_values(fixture->device, NETCL_U16, 37, &options);
    uint8_t *bytes = random_values(fixture->device, NETCL_U8, 37, &options);
    for (uint64_t i = 0; i < 37; ++i) {
      const uint64_t at = options.offset + i;
      philox(at, 0, options.seed, words);
      check_word("u64", at, longs[i], words[0] | (uint64_t)words[1] << 32);
      philox(at / 2, 0, options.seed, words);
      check_word("u32", at, ints[i], words[at % 2 * 2 + 1]);
      philox(at / 4, 0, options.seed, words);
      check_word("u16", at, shorts[i], words[at % 4] >> 16);
      check_word("u8", at, bytes[i], words[at % 4] >> 24);
    }
    free(longs);
    free(ints);
    free(shorts);
    free(bytes);
  }
}

/* Known floats: 24 bits of the word over [0, 1). */
static void known_floats(void **state) {
  Fixture *fixture = *state;
  netcl_random_options options = NETCL_RANDOM_OPTIONS_INIT;
  options.seed = random_bits();
  float *values = random_values(fixture->device, NETCL_F32, 1000, &options);
  for (uint64_t i = 0; i < 1000; ++i) {
    uint32_t words[4];
    philox(i / 4, 0, options.seed, words);
    const float wanted = (float)(words[i % 4] >> 8) * 0x1p-24f;
    CHECK(values[i] == wanted, "element %d is %.9g, not %.9g", (int)i, values[i], wanted);
  }
  free(values);
}

static int has_normal(netcl_dtype dtype) { return is_float_dtype(dtype); }

/* Parts made with offsets are slices of the whole; the layout does not matter. */
static void streams_fit_together(void **state) {
  Fixture *fixture = *state;
  for (int t = 0; t < DTYPES; ++t) {
    for (netcl_distribution kind = 1; kind <= 2; ++kind) {
      const netcl_dtype dtype = kDtypes[t];
      const size_t size = netcl_dtype_size(dtype);
      if (kind == NETCL_NORMAL && !has_normal(dtype)) continue;
      netcl_random_options options = NETCL_RANDOM_OPTIONS_INIT;
      options.seed = random_bits();
      options.distribution = kind;
      const uint64_t start = options.offset = (uint64_t)random_in(0, 1000000);
      unsigned char *whole = random_values(fixture->device, dtype, 240, &options);
      for (int round = 0; round < 8; ++round) {
        const int64_t first = random_in(0, 239), count = random_in(1, 240 - first);
        options.offset = start + (uint64_t)first;
        unsigned char *part = random_values(fixture->device, dtype, count, &options);
        CHECK(memcmp(part, whole + (size_t)first * size, (size_t)count * size) == 0,
              "%s, distribution %d: elements %lld + %lld differ", netcl_dtype_name(dtype), kind,
              (long long)first, (long long)count);
        free(part);
      }
      options.offset = start;
      const int64_t shape[] = {6, 8, 5}, strides[] = {1, 60, -7};
      netcl_tensor *tensor = NULL;
      OK(netcl_tensor_create_random(fixture->device, dtype, 3, shape, strides, &options, NULL,
                                    &tensor));
      CHECK_TENSOR(tensor, whole);
      netcl_tensor_release(tensor);
      free(whole);
    }
  }
}

/* The device under test and the built-in device give the same bits. */
static void same_bits_everywhere(void **state) {
  Fixture *fixture = *state;
  const int64_t count = only_sanitized() ? 20011 : 200003;
  netcl_device *builtin = NULL;
  OK(netcl_device_open("builtin", NULL, &builtin));
  for (int t = 0; t < DTYPES; ++t) {
    for (netcl_distribution kind = 1; kind <= 2; ++kind) {
      const netcl_dtype dtype = kDtypes[t];
      if (kind == NETCL_NORMAL && !has_normal(dtype)) continue;
      if (dtype == NETCL_F64 && !fixture->capabilities.fp64) continue;
      netcl_random_options options = NETCL_RANDOM_OPTIONS_INIT;
      options.seed = random_bits();
      options.offset = random_bits() >> 3;
      options.distribution = kind;
      for (int scaled = 0; scaled < 2; ++scaled) {
        if (scaled && dtype != NETCL_BOOL) {
          options.low = is_float_dtype(dtype) ? -3.7 : 3;
          options.high = is_float_dtype(dtype) ? 12.1 : 101;
          options.mean = 5.5;
          options.deviation = 0.3;
          if (kind == NETCL_NORMAL) options.low = options.high = 0;
          if (kind == NETCL_UNIFORM) options.mean = options.deviation = 0;
        }
        netcl_tensor *here = random_tensor(fixture->device, dtype, count, &options);
        void *there = random_values(builtin, dtype, count, &options);
        CHECK_TENSOR(here, there);
        netcl_tensor_release(here);
        free(there);
      }
    }
  }
  netcl_device_release(builtin);
}

/* Mean and deviation of a float tensor against the exact ones, to five standard errors. */
static void check_moments(Fixture *fixture, netcl_dtype dtype, const netcl_random_options *options,
                          double mean, double deviation, double low, double high) {
  const int count = only_sanitized() ? 100000 : 400000;
  void *values = random_values(fixture->device, dtype, count, options);
  double sum = 0, squares = 0, least = INFINITY, most = -INFINITY;
  for (int i = 0; i < count; ++i) {
    const double value = load_double(dtype, values, i);
    CHECK(isfinite(value), "%s element %d is %g", netcl_dtype_name(dtype), i, value);
    sum += value - mean;
    squares += (value - mean) * (value - mean);
    if (value < least) least = value;
    if (value > most) most = value;
  }
  const double error = 6 * deviation / sqrt(count) + 2 * unit_roundoff(dtype) * fabs(mean);
  CHECK(fabs(sum / count) <= error, "%s: the mean is off by %g, more than %g",
        netcl_dtype_name(dtype), sum / count, error);
  CHECK(fabs(sqrt(squares / count) / deviation - 1) < 0.02, "%s: the deviation is %g, not %g",
        netcl_dtype_name(dtype), sqrt(squares / count), deviation);
  CHECK(least >= low && most < high, "%s: from %g to %g, not within [%g, %g)",
        netcl_dtype_name(dtype), least, most, low, high);
  free(values);
}

static void moments(void **state) {
  Fixture *fixture = *state;
  for (int t = 0; t < DTYPES; ++t) {
    const netcl_dtype dtype = kDtypes[t];
    netcl_random_options options = NETCL_RANDOM_OPTIONS_INIT;
    options.seed = random_bits();
    if (dtype == NETCL_F64 && !fixture->capabilities.fp64) continue;
    if (dtype == NETCL_BOOL) {
      check_moments(fixture, dtype, &options, 0.5, 0.5, 0, 2);
    } else if (is_float_dtype(dtype)) {
      check_moments(fixture, dtype, &options, 0.5, sqrt(1.0 / 12), 0, 1);
      options.low = -4;
      options.high = 12;
      check_moments(fixture, dtype, &options, 4, 16 / sqrt(12), -4, 12);
      options.low = options.high = 0;
      options.distribution = NETCL_NORMAL;
      check_moments(fixture, dtype, &options, 0, 1, -9, 9);
      options.mean = -30;
      options.deviation = 4;
      check_moments(fixture, dtype, &options, -30, 4, -66, 6);
    } else {
      options.low = is_signed_dtype(dtype) ? -50 : 10;
      options.high = 100;
      const double extent = options.high - options.low;
      check_moments(fixture, dtype, &options, (options.low + 99) / 2,
                    sqrt((extent * extent - 1) / 12), options.low, 100);
    }
  }
}

static void seeds_differ(void **state) {
  Fixture *fixture = *state;
  netcl_random_options a = NETCL_RANDOM_OPTIONS_INIT, b = NETCL_RANDOM_OPTIONS_INIT;
  a.seed = random_bits();
  b.seed = a.seed + ((uint64_t)1 << 32);  /* Both halves of the seed count. */
  uint64_t *x = random_values(fixture->device, NETCL_U64, 1000, &a);
  uint64_t *y = random_values(fixture->device, NETCL_U64, 1000, &b);
  int equal = 0;
  for (int i = 0; i < 1000; ++i) equal += x[i] == y[i];
  CHECK(equal == 0, "%d of 1000 elements are equal", equal);
  free(x);
  free(y);
  /* NULL options are seed 0 from [0, 1). */
  float *z = random_values(fixture->device, NETCL_F32, 16, NULL);
  CHECK(z[0] == (float)(0x6627e8d5u >> 8) * 0x1p-24f, "the first number of seed 0 is %.9g", z[0]);
  free(z);
}

static void empty_and_scalar(void **state) {
  Fixture *fixture = *state;
  const int64_t none[] = {0, 4};
  netcl_tensor *tensor = NULL;
  OK(netcl_tensor_create_random(fixture->device, NETCL_F32, 2, none, NULL, NULL, NULL, &tensor));
  netcl_tensor_release(tensor);
  OK(netcl_tensor_create_random(fixture->device, NETCL_F32, 0, NULL, NULL, NULL, NULL, &tensor));
  float *value = read_tensor(tensor);
  CHECK(value[0] >= 0 && value[0] < 1, "%g", value[0]);
  free(value);
  netcl_tensor_release(tensor);
}

static void errors(void **state) {
  Fixture *fixture = *state;
  struct Case {
    netcl_dtype dtype;
    netcl_distribution kind;
    double low, high, mean, deviation;
    const char *word;
  } cases[] = {
      {NETCL_F32, 3, 0, 0, 0, 0, "distribution"},   {NETCL_F32, -1, 0, 0, 0, 0, "distribution"},
      {NETCL_F32, 1, 2, 1, 0, 0, "low"},            {NETCL_F32, 1, NAN, 1, 0, 0, "low"},
      {NETCL_F32, 1, 0, INFINITY, 0, 0, "high"},    {NETCL_I32, 1, 5, 5, 0, 0, "low"},
      {NETCL_U8, 1, -1, 10, 0, 0, "low"},           {NETCL_U8, 1, 0, 257, 0, 0, "high"},
      {NETCL_I32, 2, 0, 0, 0, 1, "distribution"},   {NETCL_BOOL, 2, 0, 0, 0, 1, "distribution"},
      {NETCL_F32, 2, 0, 0, 0, -1, "deviation"},     {NETCL_F32, 2, 0, 0, 0, NAN, "deviation"},
      {NETCL_F32, 2, 0, 0, INFINITY, 1, "mean"},    {NETCL_F32, 2, 5, 0, 0, 1, "low is 5"},
      {NETCL_F32, 2, 0, 2, 0, 1, "high is 2"},      {NETCL_F32, 1, 0, 1, 3, 0, "mean is 3"},
      {NETCL_F32, 1, 0, 1, 0, 3, "deviation is 3"},
  };
  for (size_t i = 0; i < COUNT_OF(cases); ++i) {
    netcl_random_options options = NETCL_RANDOM_OPTIONS_INIT;
    netcl_tensor *tensor = NULL;
    const int64_t count = 4;
    options.distribution = cases[i].kind;
    options.low = cases[i].low;
    options.high = cases[i].high;
    options.mean = cases[i].mean;
    options.deviation = cases[i].deviation;
    const netcl_status status = netcl_tensor_create_random(fixture->device, cases[i].dtype, 1,
                                                           &count, NULL, &options, NULL, &tensor);
    CHECK(status == NETCL_ERROR_INVALID_ARGUMENT, "case %zu gives %s", i,
          netcl_status_name(status));
    CHECK(strstr(netcl_last_error_message(), cases[i].word) != NULL, "case %zu says \"%s\"", i,
          netcl_last_error_message());
    assert_null(tensor);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(known_bits),           DEVICE_TEST(known_floats),
      DEVICE_TEST(streams_fit_together), DEVICE_TEST(same_bits_everywhere),
      DEVICE_TEST(moments),              DEVICE_TEST(seeds_differ),
      DEVICE_TEST(empty_and_scalar),     DEVICE_TEST(errors),
      DEVICE_TEST(as_kernels),
  };
  seed_random("random");
  return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
