/* Casts between all pairs of dtypes, on edge values and random bits, bit for bit. */
#include <math.h>

#include "support.h"

#define EDGES 64
#define RANDOMS 700

/* Values around which conversions go wrong: ends of ranges, halves, ties, tiny and huge numbers. */
static int64_t fill_edges(netcl_dtype dtype, void* data) {
  static const double kReals[] = {0.0,
                                  -0.0,
                                  0.5,
                                  -0.5,
                                  1.0,
                                  -1.0,
                                  1.5,
                                  2.5,
                                  -2.5,
                                  126.999,
                                  127.0,
                                  127.5,
                                  128.0,
                                  -128.0,
                                  -128.99,
                                  -129.0,
                                  255.0,
                                  255.99,
                                  256.0,
                                  -0.99,
                                  32767.0,
                                  32767.9,
                                  32768.0,
                                  -32768.9,
                                  -32769.0,
                                  65535.0,
                                  65535.9,
                                  65536.0,
                                  2147483647.0,
                                  2147483648.0,
                                  -2147483648.0,
                                  -2147483649.0,
                                  4294967295.0,
                                  4294967296.0,
                                  0x1p53,
                                  0x1p63,
                                  -0x1p63,
                                  0x1.fffffffffffffp62,
                                  0x1p64,
                                  0x1.fffffffffffffp63,
                                  1e300,
                                  -1e300,
                                  65504.0,
                                  65519.99,
                                  65520.0,
                                  0x1p-14,
                                  0x1p-24,
                                  0x1p-25,
                                  0x1.8p-25,
                                  0x1p-126,
                                  0x1p-149,
                                  0x1p-150,
                                  0x1.8p-150,
                                  0x1p-1074,
                                  3.4028235677973366e38,
                                  0x1.00000101p0,
                                  0x1.002001p0};
  int64_t count = 0;
  for (size_t i = 0; i < COUNT_OF(kReals); ++i) store_double(dtype, data, count++, kReals[i]);
  if (is_float_dtype(dtype)) {
    store_double(dtype, data, count++, INFINITY);
    store_double(dtype, data, count++, -INFINITY);
    store_double(dtype, data, count++, NAN);
    store_double(dtype, data, count++, -NAN);
  }
  return count;
}

/* Wide integers that land between two floats: a cast must round once. */
static int64_t fill_wide(netcl_dtype dtype, void* data, int64_t count) {
  if (dtype != NETCL_I64 && dtype != NETCL_U64) return count;
  uint64_t* at = data;
  static const uint64_t kWide[] = {
      UINT64_C(0x7FFFFFFFFFFFFFFF), UINT64_C(0x8000000000000000), UINT64_C(0xFFFFFFFFFFFFFFFF),
      UINT64_C(0x4000004000000001), UINT64_C(0x4000004000000000), UINT64_C(0x40000BFFFFFFFFFF),
      UINT64_C(0x4040000000000001), UINT64_C(0x0020000000000001), UINT64_C(0x0020000000000003),
      UINT64_C(0x7FFFFFBFFFFFFFFF), UINT64_C(0x7FFFFFC000000000), UINT64_C(0xFF7FFFFFFFFFFFFF)};
  for (size_t i = 0; i < COUNT_OF(kWide); ++i) at[count++] = kWide[i];
  return count;
}

static void fill_bits(netcl_dtype dtype, void* data, int64_t first, int64_t count) {
  const size_t size = netcl_dtype_size(dtype);
  for (int64_t i = first; i < first + count; ++i) {
    uint64_t bits = random_bits();
    if (dtype == NETCL_BOOL) bits &= 1;
    /* Half of the floats are near 1, where other types have values to be converted to. */
    if (is_float_dtype(dtype) && random_in(0, 1) == 0) {
      store_double(dtype, data, i, random_real(-1, 1) * ldexp(1, (int)random_in(-30, 70)));
      continue;
    }
    memcpy((unsigned char*)data + (size_t)i * size, &bits, size);
  }
}

static void check_cast(netcl_dtype from, netcl_dtype to, const unsigned char* data, int64_t count,
                       const unsigned char* got) {
  const size_t size = netcl_dtype_size(from), other = netcl_dtype_size(to);
  for (int64_t i = 0; i < count; ++i) {
    uint64_t wanted = 0, source = 0, bits = 0;
    cast_reference(from, data + (size_t)i * size, to, &wanted);
    /* To the same dtype all bits stay; a NaN that changes format is any NaN. */
    if (from == to) memcpy(&wanted, data + (size_t)i * size, size);
    memcpy(&source, data + (size_t)i * size, size);
    memcpy(&bits, got + (size_t)i * other, other);
    const int same = from == to ? bits == wanted : same_element(to, &bits, &wanted);
    CHECK(same, "%s to %s: %.17g (0x%llx) gives %.17g (0x%llx), not %.17g (0x%llx)",
          netcl_dtype_name(from), netcl_dtype_name(to), load_double(from, &source, 0),
          (unsigned long long)source, load_double(to, &bits, 0), (unsigned long long)bits,
          load_double(to, &wanted, 0), (unsigned long long)wanted);
  }
}

static int lacks_f64(const Fixture* fixture, netcl_dtype a, netcl_dtype b) {
  return !fixture->capabilities.fp64 && (a == NETCL_F64 || b == NETCL_F64);
}

static void all_pairs(void** state) {
  Fixture* fixture = *state;
  netcl_device* builtin = NULL;
  OK(netcl_device_open("builtin", NULL, &builtin));
  for (int f = 0; f < DTYPES; ++f) {
    const netcl_dtype from = kDtypes[f];
    unsigned char data[8 * (EDGES + 12 + RANDOMS)];
    int64_t count = fill_wide(from, data, fill_edges(from, data));
    fill_bits(from, data, count, RANDOMS);
    count += RANDOMS;
    netcl_tensor* source = make_tensor(fixture->device, from, 1, &count, data);
    netcl_tensor* twin = make_tensor(builtin, from, 1, &count, data);
    for (int t = 0; t < DTYPES; ++t) {
      const netcl_dtype to = kDtypes[t];
      netcl_tensor *result = NULL, *other = NULL;
      if (lacks_f64(fixture, from, to)) continue;
      OK(netcl_op_cast(source, to, NULL, &result));
      assert_int_equal(tensor_info(result).dtype, to);
      unsigned char* got = read_tensor(result);
      check_cast(from, to, data, count, got);
      /* The same bits on every device, payloads of NaN aside. */
      OK(netcl_op_cast(twin, to, NULL, &other));
      unsigned char* there = read_tensor(other);
      for (size_t i = 0, size = netcl_dtype_size(to); i < (size_t)count; ++i) {
        CHECK(same_element(to, got + i * size, there + i * size),
              "%s to %s: element %zu differs "
              "from the built-in device's",
              netcl_dtype_name(from), netcl_dtype_name(to), i);
      }
      free(there);
      free(got);
      netcl_tensor_release(result);
      netcl_tensor_release(other);
    }
    netcl_tensor_release(source);
    netcl_tensor_release(twin);
  }
  netcl_device_release(builtin);
}

/* In a bool every byte but zero is true. */
static void bool_bytes(void** state) {
  Fixture* fixture = *state;
  const unsigned char bytes[] = {0, 1, 2, 128, 255};
  const int64_t count = 5;
  netcl_tensor* source = make_tensor(fixture->device, NETCL_BOOL, 1, &count, bytes);
  for (int t = 0; t < DTYPES - 1; ++t) {
    netcl_tensor* result = NULL;
    if (lacks_f64(fixture, NETCL_BOOL, kDtypes[t])) continue;
    OK(netcl_op_cast(source, kDtypes[t], NULL, &result));
    unsigned char* got = read_tensor(result);
    for (int i = 0; i < 5; ++i) {
      CHECK(load_double(kDtypes[t], got, i) == (i > 0), "the byte %d as %s is %g", bytes[i],
            netcl_dtype_name(kDtypes[t]), load_double(kDtypes[t], got, i));
    }
    free(got);
    netcl_tensor_release(result);
  }
  netcl_tensor_release(source);
}

/* Strided sources and targets, in and out of order. */
static void layouts(void** state) {
  Fixture* fixture = *state;
  for (int round = 0; round < rounds(fixture, 60); ++round) {
    const netcl_dtype from = kDtypes[random_in(0, DTYPES - 1)];
    const netcl_dtype to = kDtypes[random_in(0, DTYPES - 1)];
    const int64_t shape[] = {random_in(1, 9), random_in(1, 9), random_in(1, 9)};
    const int64_t count = product(3, shape), wide[] = {shape[2], shape[0], 2 * shape[1]};
    const uint32_t back[] = {1, 2, 0};
    const netcl_range ranges[] = {{shape[0] - 1, shape[0], -1}, {0, shape[1], 1}, {0, shape[2], 1}};
    const netcl_range every_other[] = {
        {0, shape[2], 1}, {0, shape[0], 1}, {2 * shape[1] - 1, shape[1], -2}};
    unsigned char* data = malloc((size_t)count * 8);
    netcl_tensor *source, *flipped = NULL, *all = NULL, *part = NULL, *target = NULL;
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    if (lacks_f64(fixture, from, to)) {
      free(data);
      continue;
    }
    fill_bits(from, data, 0, count);
    source = make_tensor(fixture->device, from, 3, shape, data);
    Model model = model_packed(from, 3, shape, data);
    model = model_slice(&model, ranges);
    OK(netcl_tensor_slice(source, ranges, 3, &flipped));
    OK(netcl_tensor_create_zeros(fixture->device, to, 3, wide, NULL, NULL, &all));
    OK(netcl_tensor_slice(all, every_other, 3, &part));
    OK(netcl_tensor_permute(part, back, 3, &target));
    run.into = target;
    OK(netcl_op_cast(flipped, to, &run, NULL));
    unsigned char *gathered = model_gather(&model), *got = read_tensor(target);
    check_cast(from, to, gathered, count, got);
    free(gathered);
    free(got);
    free(data);
    netcl_tensor_release(source);
    netcl_tensor_release(flipped);
    netcl_tensor_release(all);
    netcl_tensor_release(part);
    netcl_tensor_release(target);
  }
}

static void errors(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {4}, longer[] = {5};
  netcl_tensor *source = NULL, *result = NULL, *wrong = NULL;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, shape, NULL, NULL, &source));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I32, 1, longer, NULL, NULL, &wrong));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "999", netcl_op_cast(source, 999, NULL, &result));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "dtype", netcl_op_cast(source, 0, NULL, &result));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_op_cast(source, NETCL_I32, NULL, NULL));
  run.into = wrong;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "into", netcl_op_cast(source, NETCL_I32, &run, NULL));
  netcl_tensor_release(wrong);
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I32, 1, shape, NULL, NULL, &wrong));
  run.into = wrong;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "into", netcl_op_cast(source, NETCL_I16, &run, NULL));
  /* Views may have more elements than memory has bytes; results may not. */
  const int64_t one = 1;
  netcl_tensor *single = NULL, *many = NULL, *nothing = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_U8, 1, &one, NULL, NULL, &single));
  for (int more = 0; more < 2; ++more) {
    const int64_t huge = ((int64_t)1 << (62 - more)) + more;
    OK(netcl_tensor_broadcast(single, 1, &huge, &many));
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "2^63 - 1 bytes",
               netcl_op_cast(many, NETCL_F64, NULL, &nothing));
    netcl_tensor_release(many);
  }
  netcl_tensor_release(single);
  assert_null(nothing);
  /* With both, the result is one more reference to into. */
  OK(netcl_op_cast(source, NETCL_I32, &run, &result));
  netcl_tensor_release(wrong);
  assert_int_equal(tensor_info(result).dtype, NETCL_I32);
  netcl_tensor_release(result);
  netcl_tensor_release(source);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(all_pairs),
      DEVICE_TEST(bool_bytes),
      DEVICE_TEST(layouts),
      DEVICE_TEST(errors),
  };
  seed_random("cast");
  return cmocka_run_group_tests_name("cast", tests, NULL, NULL);
}
