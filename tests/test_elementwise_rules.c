/* Elementwise operators beyond their formulas: dtypes of results, parameters at their edges, powers
 * of integers, in place, broadcasting, bias_add, and what is refused. */
#include <math.h>

#include "support_strided.h"

#define E(name) NETCL_ELEMENTWISE_##name

static netcl_elementwise_options with_parameters(double alpha, double beta) {
  netcl_elementwise_options options = NETCL_ELEMENTWISE_OPTIONS_INIT;
  options.has_parameters = 1;
  options.alpha = alpha;
  options.beta = beta;
  return options;
}

/* Applies an operator to rows of host values of one dtype each, and reads the result. */
static void* apply(Fixture* fixture, netcl_elementwise op, const netcl_elementwise_options* options,
                   int64_t count, uint32_t inputs_count, const netcl_dtype* dtypes,
                   const void* const* data, netcl_dtype wanted) {
  netcl_tensor *inputs[4], *result = NULL;
  for (uint32_t k = 0; k < inputs_count; ++k) {
    inputs[k] = make_tensor(fixture->device, dtypes[k], 1, &count, data[k]);
  }
  OK(netcl_op_elementwise(op, inputs, inputs_count, options, NULL, &result));
  CHECK(tensor_info(result).dtype == wanted, "%s gives %s", netcl_elementwise_name(op),
        netcl_dtype_name(tensor_info(result).dtype));
  void* got = read_tensor(result);
  for (uint32_t k = 0; k < inputs_count; ++k) netcl_tensor_release(inputs[k]);
  netcl_tensor_release(result);
  return got;
}

static void integer_powers(void** state) {
  Fixture* fixture = *state;
  const int32_t base[] = {3, -2, 7, 0, 1, -1, -1, 5, 2, 10, 0, -3};
  const int64_t power[] = {20, 31, 0, 0, -5, -3, -4, -1, 31, 9, 5, 3};
  const int32_t wanted[] = {-808182895, INT32_MIN, 1,         1,          1, -1,
                            1,          0,         INT32_MIN, 1000000000, 0, -27};
  const netcl_dtype dtypes[] = {NETCL_I32, NETCL_I64};
  const void* const data[] = {base, power};
  int32_t* got = apply(fixture, E(POW), NULL, 12, 2, dtypes, data, NETCL_I32);
  for (int i = 0; i < 12; ++i) {
    CHECK(got[i] == wanted[i], "%d ** %lld is %d, not %d", base[i], (long long)power[i], got[i],
          wanted[i]);
  }
  free(got);
  /* The dtype is the first one's also where a float comes second. */
  const float exponents[] = {2, 3, 0.5f};
  const uint16_t whole[] = {9, 4, 16};
  const netcl_dtype mixed[] = {NETCL_U16, NETCL_F32};
  const void* const mixed_data[] = {whole, exponents};
  uint16_t* powers = apply(fixture, E(POW), NULL, 3, 2, mixed, mixed_data, NETCL_U16);
  CHECK(powers[1] >= 63 && powers[1] <= 64 && powers[2] >= 3 && powers[2] <= 4, "%u %u", powers[1],
        powers[2]);
  free(powers);
}

static void clips(void** state) {
  Fixture* fixture = *state;
  const int8_t small[] = {-128, -3, -2, 0, 2, 3, 127};
  const uint64_t large[] = {0, 1, 2, UINT64_MAX - 1, UINT64_MAX, 1u << 31, 7};
  const float real[] = {-INFINITY, -1, -0.5f, 0.25f, 2, INFINITY, NAN};
  const netcl_dtype i8 = NETCL_I8, u64 = NETCL_U64, f32 = NETCL_F32;
  const void *const small_data[] = {small}, *const large_data[] = {large},
                    *const real_data[] = {real};
  netcl_elementwise_options options = with_parameters(-2.5, 2.5);
  int8_t* a = apply(fixture, E(CLIP), &options, 7, 1, &i8, small_data, NETCL_I8);
  const int8_t a_wanted[] = {-2, -2, -2, 0, 2, 2, 2};
  assert_memory_equal(a, a_wanted, 7);
  free(a);
  /* Bounds beyond the dtype bound nothing. */
  options = with_parameters(-1e30, INFINITY);
  a = apply(fixture, E(CLIP), &options, 7, 1, &i8, small_data, NETCL_I8);
  assert_memory_equal(a, small, 7);
  free(a);
  options = with_parameters(-5, 1.9e19);
  uint64_t* b = apply(fixture, E(CLIP), &options, 7, 1, &u64, large_data, NETCL_U64);
  assert_memory_equal(b, large, sizeof large);
  free(b);
  options = with_parameters(0x1p62, 0x1p63);
  b = apply(fixture, E(CLIP), &options, 7, 1, &u64, large_data, NETCL_U64);
  for (int i = 0; i < 7; ++i) {
    const int above = i == 3 || i == 4;
    CHECK(b[i] == (uint64_t)1 << (above ? 63 : 62), "element %d is %llu", i,
          (unsigned long long)b[i]);
  }
  free(b);
  options = with_parameters(-0.75, 0.5);
  float* c = apply(fixture, E(CLIP), &options, 7, 1, &f32, real_data, NETCL_F32);
  const float c_wanted[] = {-0.75f, -0.75f, -0.5f, 0.25f, 0.5f, 0.5f};
  assert_memory_equal(c, c_wanted, sizeof c_wanted);
  assert_true(isnan(c[6]));
  free(c);
  options = with_parameters(NAN, 0.5);
  c = apply(fixture, E(CLIP), &options, 7, 1, &f32, real_data, NETCL_F32);
  for (int i = 0; i < 7; ++i) CHECK(isnan(c[i]), "element %d is %g", i, c[i]);
  free(c);
  const int64_t seven = 7;
  netcl_tensor *x = make_tensor(fixture->device, NETCL_I8, 1, &seven, small), *result = NULL;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "nan",
             netcl_op_elementwise(E(CLIP), &x, 1, &options, NULL, &result));
  assert_null(result);
  netcl_tensor_release(x);
  c = apply(fixture, E(CLIP), NULL, 7, 1, &f32, real_data, NETCL_F32);
  assert_memory_equal(c, real, sizeof real);
  free(c);
}

static void infinity_and_modulo(void** state) {
  Fixture* fixture = *state;
  const float real[] = {-INFINITY, INFINITY, NAN, 0, 3e38f};
  const netcl_dtype f32 = NETCL_F32;
  const void* const real_data[] = {real};
  for (int flags = 0; flags < 4; ++flags) {
    const netcl_elementwise_options options = with_parameters(flags & 1, flags >> 1);
    uint8_t* got = apply(fixture, E(IS_INF), &options, 5, 1, &f32, real_data, NETCL_BOOL);
    const uint8_t wanted[] = {flags & 1, (uint8_t)(flags >> 1), 0, 0, 0};
    assert_memory_equal(got, wanted, 5);
    free(got);
  }
  const int32_t x[] = {7, -7, 7, -7, 6, -6, 0, INT32_MIN, 5};
  const int32_t y[] = {3, 3, -3, -3, 3, -3, -3, -1, 0};
  const int32_t floored[] = {1, 2, -2, -1, 0, 0, 0, 0, 0};
  const int32_t truncated[] = {1, -1, 1, -1, 0, 0, 0, 0, 0};
  const netcl_dtype i32[] = {NETCL_I32, NETCL_I32};
  const void* const data[] = {x, y};
  const netcl_elementwise_options fmod_options = with_parameters(1, 0);
  int32_t* got = apply(fixture, E(MOD), NULL, 9, 2, i32, data, NETCL_I32);
  assert_memory_equal(got, floored, sizeof floored);
  free(got);
  got = apply(fixture, E(MOD), &fmod_options, 9, 2, i32, data, NETCL_I32);
  assert_memory_equal(got, truncated, sizeof truncated);
  free(got);
  const uint8_t bits[] = {1, 3, 255, 128, 7}, by[] = {7, 1, 4, 8, 9};
  const uint8_t left[] = {128, 6, 240, 0, 0}, right[] = {0, 1, 15, 0, 0};
  const netcl_dtype u8[] = {NETCL_U8, NETCL_U8};
  const void* const bytes[] = {bits, by};
  uint8_t* shifted = apply(fixture, E(BIT_SHIFT_LEFT), NULL, 5, 2, u8, bytes, NETCL_U8);
  assert_memory_equal(shifted, left, 5);
  free(shifted);
  shifted = apply(fixture, E(BIT_SHIFT_RIGHT), NULL, 5, 2, u8, bytes, NETCL_U8);
  assert_memory_equal(shifted, right, 5);
  free(shifted);
}

/* What is left after a shift by any count: everything goes out beyond the width, and a negative
 * count is beyond every width. */
static int64_t shifted_reference(netcl_dtype dtype, int left, int64_t x, int64_t count) {
  const int bits = (int)netcl_dtype_size(dtype) * 8;
  if (count < 0 || count >= bits) return !left && is_signed_dtype(dtype) && x < 0 ? -1 : 0;
  return left ? (int64_t)((uint64_t)x << count) : x >> count;
}

static void shifts(void** state) {
  Fixture* fixture = *state;
  static const netcl_dtype kBoth[] = {NETCL_I8, NETCL_I16, NETCL_I32, NETCL_I64,
                                        NETCL_U8, NETCL_U16, NETCL_U32};
  enum { COUNT = 257 };
  for (size_t k = 0; k < COUNT_OF(kBoth); ++k) {
    const netcl_dtype dtype = kBoth[k], both[] = {dtype, dtype};
    const size_t size = netcl_dtype_size(dtype);
    const int bits = (int)size * 8, is_signed = is_signed_dtype(dtype);
    unsigned char x[COUNT * 8], y[COUNT * 8], wanted[COUNT * 8];
    const void* const data[] = {x, y};
    for (int left = 0; left < 2; ++left) {
      for (int i = 0; i < COUNT; ++i) {
        const int64_t most = is_signed ? INT8_MAX : UINT8_MAX;
        int64_t value = (int64_t)random_bits() >> (64 - bits);
        if (!is_signed) value = (int64_t)(random_bits() >> (64 - bits));
        int64_t count = random_in(is_signed ? -3 : 0, bits + 3);
        if (i % 16 == 0) count = most;
        if (i % 16 == 1 && is_signed) count = INT8_MIN;
        const int64_t result = shifted_reference(dtype, left, value, count);
        memcpy(x + (size_t)i * size, &value, size);
        memcpy(y + (size_t)i * size, &count, size);
        memcpy(wanted + (size_t)i * size, &result, size);
      }
      void* got = apply(fixture, left ? E(BIT_SHIFT_LEFT) : E(BIT_SHIFT_RIGHT), NULL, COUNT, 2,
                        both, data, dtype);
      assert_memory_equal(got, wanted, COUNT * size);
      free(got);
    }
  }
}

static void mixed_dtypes(void** state) {
  Fixture* fixture = *state;
  const uint8_t a[] = {1, 200, 7};
  const int16_t b[] = {2, 100, -7};
  const netcl_dtype dtypes[] = {NETCL_U8, NETCL_I16};
  const void* const data[] = {a, b};
  netcl_elementwise_options to_f32 = NETCL_ELEMENTWISE_OPTIONS_INIT;
  to_f32.dtype = NETCL_F32;
  int16_t* sum = apply(fixture, E(ADD), NULL, 3, 2, dtypes, data, NETCL_I16);
  CHECK(sum[0] == 3 && sum[1] == 300 && sum[2] == 0, "%d %d %d", sum[0], sum[1], sum[2]);
  free(sum);
  float* mean = apply(fixture, E(MEAN), NULL, 3, 2, dtypes, data, NETCL_F32);
  CHECK(mean[0] == 1.5f && mean[1] == 150 && mean[2] == 0, "%g %g %g", mean[0], mean[1], mean[2]);
  free(mean);
  float* root = apply(fixture, E(MUL), &to_f32, 3, 2, dtypes, data, NETCL_F32);
  CHECK(root[0] == 2 && root[1] == 20000 && root[2] == -49, "%g %g %g", root[0], root[1], root[2]);
  free(root);
}

/* In place, into strided memory, and with operands that broadcast both ways. */
static void places(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {7, 33}, row[] = {33}, column[] = {7, 1};
  float x[231], y[231], wanted[231];
  for (int i = 0; i < 231; ++i) {
    x[i] = (float)random_in(-50, 50);
    y[i] = (float)random_in(-50, 50);
    wanted[i] = x[i] - y[i];
  }
  Strided a = make_strided(fixture->device, NETCL_F32, 2, shape, x);
  Strided b = make_strided(fixture->device, NETCL_F32, 2, shape, y);
  netcl_tensor *inputs[] = {a.view, b.view}, *result = NULL;
  const netcl_run_options own = run_into(a.view);
  OK(netcl_op_elementwise(E(SUB), inputs, 2, NULL, &own, NULL));
  CHECK_STRIDED(&a, wanted);
  CHECK_STRIDED(&b, y);
  netcl_tensor* crossed[] = {make_tensor(fixture->device, NETCL_F32, 1, row, x),
                             make_tensor(fixture->device, NETCL_F32, 2, column, y)};
  OK(netcl_op_elementwise(E(ADD), crossed, 2, NULL, NULL, &result));
  for (int i = 0; i < 231; ++i) wanted[i] = x[i % 33] + y[i / 33];
  assert_int_equal(tensor_info(result).rank, 2);
  CHECK_TENSOR(result, wanted);
  netcl_tensor_release(result);
  netcl_tensor_release(crossed[0]);
  netcl_tensor_release(crossed[1]);
  release_strided(&a);
  release_strided(&b);
}

/* Packed tensors whose dimensions lie in another order, the same in all, as those of Fortran and
 * Julia do: memory is walked in its own order, by the kernel for contiguous tensors. */
static void packed_in_another_order(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {5, 7, 6};
  const uint32_t orders[][3] = {{2, 1, 0}, {1, 0, 2}, {0, 2, 1}, {1, 2, 0}};
  float x[210], y[210], wanted[210], mixed[210];
  for (int i = 0; i < 210; ++i) {
    x[i] = (float)random_in(-50, 50);
    y[i] = (float)random_in(-50, 50);
    wanted[i] = x[i] - y[i];
  }
  netcl_elementwise_options vectorized = NETCL_ELEMENTWISE_OPTIONS_INIT;
  vectorized.variant = NETCL_VARIANT_ELEMENTWISE_VECTORIZED;
  for (size_t k = 0; k < sizeof orders / sizeof orders[0]; ++k) {
    netcl_tensor *base[3], *turned[3], *packed = NULL;
    const float* const data[] = {x, y, x};
    for (int i = 0; i < 3; ++i) {
      base[i] = make_tensor(fixture->device, NETCL_F32, 3, shape, data[i]);
      OK(netcl_tensor_permute(base[i], orders[k], 3, &turned[i]));
    }
    const netcl_run_options into = run_into(turned[2]);
    OK(netcl_op_elementwise(E(SUB), turned, 2, &vectorized, &into, NULL));
    CHECK_TENSOR(base[2], wanted);
    /* The same elements in two orders are not one run of memory. */
    OK(netcl_op_contiguous(turned[1], NULL, &packed));
    netcl_tensor* both[] = {turned[0], packed};
    if (fixture->kernels) {
      FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "elementwise_vectorized",
                 netcl_op_elementwise(E(ADD), both, 2, &vectorized, &into, NULL));
    }
    for (int i = 0; i < 210; ++i) mixed[i] = x[i] + y[i];
    OK(netcl_op_elementwise(E(ADD), both, 2, NULL, &into, NULL));
    CHECK_TENSOR(base[2], mixed);
    /* Backwards along one dimension, and the same plane for all of another. */
    const netcl_range whole = {0, 5, 1}, back = {6, 7, -1}, first = {0, 1, 1}, all = {0, 6, 1};
    const netcl_range reversed[] = {whole, back, all}, plane[] = {whole, {0, 7, 1}, first};
    netcl_tensor *there = NULL, *one = NULL, *there_turned = NULL, *one_turned = NULL;
    OK(netcl_tensor_slice(base[0], reversed, 3, &there));
    OK(netcl_tensor_slice(base[1], plane, 3, &one));
    OK(netcl_tensor_permute(there, orders[k], 3, &there_turned));
    OK(netcl_tensor_permute(one, orders[k], 3, &one_turned));
    netcl_tensor* odd[] = {there_turned, one_turned};
    OK(netcl_op_elementwise(E(SUB), odd, 2, NULL, &into, NULL));
    for (int i = 0; i < 210; ++i) {
      const int page = i / 42, row = i / 6 % 7, column = i % 6;
      mixed[i] = x[page * 42 + (6 - row) * 6 + column] - y[page * 42 + row * 6];
    }
    CHECK_TENSOR(base[2], mixed);
    netcl_tensor* made[] = {packed, there, one, there_turned, one_turned};
    for (int i = 0; i < 5; ++i) netcl_tensor_release(made[i]);
    for (int i = 0; i < 3; ++i) netcl_tensor_release(turned[i]);
    for (int i = 0; i < 3; ++i) netcl_tensor_release(base[i]);
  }
}

static void biases(void** state) {
  Fixture* fixture = *state;
  for (int round = 0; round < rounds(fixture, 20); ++round) {
    const uint32_t rank = (uint32_t)random_in(1, 4);
    const uint32_t axis = (uint32_t)random_in(0, rank - 1);
    int64_t shape[NETCL_RANK_MAX];
    for (uint32_t d = 0; d < rank; ++d) shape[d] = random_in(round % 7 == 0 ? 0 : 1, 9);
    const int64_t count = product(rank, shape), extent = shape[axis];
    float *x = malloc((size_t)count * 4 + 4), *bias = malloc((size_t)extent * 4 + 4);
    float* y = malloc((size_t)count * 4 + 4);
    for (int64_t i = 0; i < count; ++i) x[i] = (float)random_in(-99, 99);
    for (int64_t i = 0; i < extent; ++i) bias[i] = (float)random_in(-99, 99);
    for (int64_t i = 0; i < count; ++i) {
      int64_t at[NETCL_RANK_MAX];
      unravel(rank, shape, i, at);
      y[i] = x[i] + bias[at[axis]];
    }
    Strided source = make_strided(fixture->device, NETCL_F32, rank, shape, x);
    Strided vector = make_strided(fixture->device, NETCL_F32, 1, &extent, bias);
    netcl_tensor* result = NULL;
    const netcl_run_options own = run_into(source.view);
    OK(netcl_op_bias_add(source.view, vector.view, (int32_t)axis - (int32_t)rank, NULL, &result));
    CHECK_TENSOR(result, y);
    OK(netcl_op_bias_add(source.view, vector.view, (int32_t)axis, &own, NULL));
    CHECK_STRIDED(&source, y);
    netcl_tensor_release(result);
    release_strided(&source);
    release_strided(&vector);
    free(x);
    free(y);
    free(bias);
  }
}

/* Into memory that an input reads under another layout: as if the input had been copied first. */
static void overlaps(void** state) {
  Fixture* fixture = *state;
  enum { COUNT = 3000, ELEMENTWISE = 0, BIAS, BIAS_OF_INTO, COPY, CAST, FORMS };
  const int64_t whole[1] = {COUNT}, rows[2] = {COUNT / 2 - 1, 2};
  const netcl_range front = {0, COUNT - 2, 1}, behind = {1, COUNT - 2, 1}, first = {0, 2, 1};
  for (int form = 0; form < FORMS; ++form) {
    /* 16 rounds in which what is kept of a call is used as well. */
    for (int round = 0; round < 16; ++round) {
      float before[COUNT], after[COUNT];
      for (int i = 0; i < COUNT; ++i) before[i] = after[i] = (float)(i * 7 % 1000 + round);
      netcl_tensor* base = make_tensor(fixture->device, NETCL_F32, 1, whole, before);
      netcl_tensor *from = NULL, *to = NULL, *pair = NULL, *matrix = NULL, *into = NULL;
      OK(netcl_tensor_slice(base, &front, 1, &from));
      OK(netcl_tensor_slice(base, &behind, 1, &to));
      OK(netcl_tensor_slice(base, &first, 1, &pair));
      OK(netcl_tensor_reshape(from, 2, rows, NULL, &matrix));
      OK(netcl_tensor_reshape(to, 2, rows, NULL, &into));
      netcl_run_options run = run_into(form == BIAS || form == BIAS_OF_INTO ? into : to);
      for (int i = 0; i < COUNT - 2; ++i) {
        after[i + 1] = form == ELEMENTWISE    ? -before[i]
                       : form == BIAS         ? before[i] + before[i % 2]
                       : form == BIAS_OF_INTO ? before[i + 1] + before[i % 2]
                                              : before[i];
      }
      if (form == ELEMENTWISE) OK(netcl_op_elementwise(E(NEG), &from, 1, NULL, &run, NULL));
      if (form == BIAS) OK(netcl_op_bias_add(matrix, pair, 1, &run, NULL));
      if (form == BIAS_OF_INTO) OK(netcl_op_bias_add(into, pair, 1, &run, NULL));
      if (form == COPY) OK(netcl_op_copy(from, &run, NULL));
      if (form == CAST) OK(netcl_op_cast(from, NETCL_F32, &run, NULL));
      CHECK_TENSOR(base, after);
      netcl_tensor* const all[] = {base, from, to, pair, matrix, into};
      for (size_t i = 0; i < COUNT_OF(all); ++i) netcl_tensor_release(all[i]);
    }
  }
}

static void mistakes(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {2, 3}, other[] = {2, 4}, three[] = {3}, none[] = {0, 3};
  const netcl_status bad = NETCL_ERROR_INVALID_ARGUMENT, never = NETCL_ERROR_UNSUPPORTED;
  netcl_tensor *x = NULL, *y = NULL, *v = NULL, *empty = NULL, *turned = NULL, *result = NULL;
  const uint32_t swap[] = {1, 0};
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, shape, NULL, NULL, &x));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, other, NULL, NULL, &y));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, three, NULL, NULL, &v));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, none, NULL, NULL, &empty));
  OK(netcl_tensor_permute(x, swap, 2, &turned));
  netcl_tensor *both[] = {x, y}, *two[] = {x, x};
  netcl_elementwise_options parameters = with_parameters(1, 0), loose = parameters;
  netcl_elementwise_options variant = NETCL_ELEMENTWISE_OPTIONS_INIT,
                            half = with_parameters(0.5, 0);
  netcl_expression_options text_variant = NETCL_EXPRESSION_OPTIONS_INIT;
  loose.has_parameters = 0;
  variant.variant = NETCL_VARIANT_MATMUL_NAIVE;
  text_variant.variant = NETCL_VARIANT_REDUCTION_PARALLEL;
  FAILS_WITH(bad, "op is 63", netcl_op_elementwise(63, &x, 1, NULL, NULL, &result));
  FAILS_WITH(bad, "op is 0", netcl_op_elementwise(0, &x, 1, NULL, NULL, &result));
  FAILS_WITH(bad, "inputs_count is 2; Abs takes 1",
             netcl_op_elementwise(E(ABS), two, 2, NULL, NULL, &result));
  FAILS_WITH(bad, "inputs_count is 2; Clip takes 1 or 3",
             netcl_op_elementwise(E(CLIP), two, 2, NULL, NULL, &result));
  FAILS_WITH(bad, "inputs_count is 0; Add takes 2",
             netcl_op_elementwise(E(ADD), two, 0, NULL, NULL, &result));
  FAILS_WITH(bad, "op is 999", netcl_op_elementwise(999, two, 0, NULL, NULL, &result));
  FAILS_WITH(bad, "inputs_count is 0", netcl_op_elementwise(E(SUM), two, 0, NULL, NULL, &result));
  FAILS_WITH(bad, "inputs is NULL", netcl_op_elementwise(E(ABS), NULL, 1, NULL, NULL, &result));
  FAILS_WITH(bad, "inputs[1] has shape [2, 4], which does not broadcast with [2, 3]",
             netcl_op_elementwise(E(ADD), both, 2, NULL, NULL, &result));
  FAILS_WITH(bad, "Abs has no parameters",
             netcl_op_elementwise(E(ABS), &x, 1, &parameters, NULL, &result));
  FAILS_WITH(bad, "while options->has_parameters is 0",
             netcl_op_elementwise(E(ELU), &x, 1, &loose, NULL, &result));
  FAILS_WITH(bad, "Mod takes 0 or 1", netcl_op_elementwise(E(MOD), two, 2, &half, NULL, &result));
  FAILS_WITH(bad, "IsInf takes 0 or 1",
             netcl_op_elementwise(E(IS_INF), &x, 1, &half, NULL, &result));
  FAILS_WITH(bad, "options->variant is 1",
             netcl_op_elementwise(E(ABS), &x, 1, &variant, NULL, &result));
  FAILS_WITH(bad, "options->variant is 50",
             netcl_op_expression_text("v0", &x, 1, &text_variant, NULL, &result));
  FAILS_WITH(never, "inputs[0] is f32; BitShiftLeft takes integers",
             netcl_op_elementwise(E(BIT_SHIFT_LEFT), two, 2, NULL, NULL, &result));
  FAILS_WITH(bad, "bias has shape [2, 3]", netcl_op_bias_add(x, x, 0, NULL, &result));
  FAILS_WITH(bad, "bias has shape [3]; x has shape [2, 3], extent 2 along axis 0",
             netcl_op_bias_add(x, v, 0, NULL, &result));
  FAILS_WITH(bad, "axis is 2", netcl_op_bias_add(x, v, 2, NULL, &result));
  if (fixture->kernels) {
    netcl_tensor* packed = NULL;
    variant.variant = NETCL_VARIANT_ELEMENTWISE_VECTORIZED;
    OK(netcl_op_contiguous(turned, NULL, &packed));
    const netcl_run_options into_packed = run_into(packed);
    FAILS_WITH(never, "elementwise_vectorized",
               netcl_op_elementwise(E(ABS), &turned, 1, &variant, &into_packed, NULL));
    netcl_tensor_release(packed);
  }
  assert_null(result);
  OK(netcl_op_elementwise(E(ABS), &empty, 1, NULL, NULL, &result));
  assert_int_equal(tensor_info(result).element_count, 0);
  netcl_tensor_release(result);
  netcl_tensor_release(x);
  netcl_tensor_release(y);
  netcl_tensor_release(v);
  netcl_tensor_release(empty);
  netcl_tensor_release(turned);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(shifts),
      DEVICE_TEST(integer_powers),
      DEVICE_TEST(clips),
      DEVICE_TEST(infinity_and_modulo),
      DEVICE_TEST(mixed_dtypes),
      DEVICE_TEST(places),
      DEVICE_TEST(packed_in_another_order),
      DEVICE_TEST(biases),
      DEVICE_TEST(mistakes),
      DEVICE_TEST(as_kernels),
      DEVICE_TEST(overlaps),
  };
  seed_random("elementwise_rules");
  return cmocka_run_group_tests_name("elementwise_rules", tests, NULL, NULL);
}
