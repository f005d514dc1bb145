/* Quantising and dequantising by scales of tensors, of places along an axis and of blocks, against
 * references that round where ONNX does. Every element has to be the same. */
#include <math.h>
#include <stdio.h>

#include "support_quantization.h"

enum { WHOLE, PLACES, BLOCKS, FORMS };

typedef struct Case {
  netcl_dtype x, scale, result;
  netcl_dtype precision;  /* 0: not set */
  uint32_t rank, axis;
  int64_t shape[NETCL_RANK_MAX];
  int form;
  int64_t block;
  int has_zero, into, says_dtype;
} Case;

/* A case's tensors, with their elements in C order. */
typedef struct Data {
  int64_t count, grains, scale_shape[NETCL_RANK_MAX];
  uint32_t scale_rank;
  unsigned char *x, *scale, *zero, *wanted;
  Strided x_tensor, scale_tensor, zero_tensor, into;
} Data;

static Case random_case(int64_t most) {
  Case c;
  memset(&c, 0, sizeof c);
  c.form = (int)random_in(0, FORMS - 1);
  c.rank = (uint32_t)random_in(c.form == WHOLE ? 0 : 1, c.form == BLOCKS ? 7 : 8);
  if (random_in(0, 1) && c.rank > 3) c.rank = 3;
  for (uint32_t d = 0; d < c.rank; ++d) c.shape[d] = random_in(1, c.rank > 4 ? 3 : most);
  if (c.rank > 0 && random_in(0, 15) == 0) c.shape[random_in(0, c.rank - 1)] = 0;
  if (c.rank > 0) c.axis = (uint32_t)random_in(0, c.rank - 1);
  c.block = c.form == BLOCKS ? random_in(1, c.shape[c.axis] + 2) : 0;
  c.has_zero = (int)random_in(0, 1);
  c.into = (int)random_in(0, 1);
  c.says_dtype = (int)random_in(0, 1);
  return c;
}

static void shape_scale(const Case *c, Data *d) {
  static const int64_t kOnes[3] = {1, 1, 1};
  d->scale_rank = c->form == WHOLE ? (uint32_t)random_in(0, 3) : c->form == PLACES ? 1 : c->rank;
  memcpy(d->scale_shape, c->form == WHOLE ? kOnes : c->shape,
         (c->form == WHOLE ? 3 : c->rank) * sizeof(int64_t));
  if (c->form == PLACES) d->scale_shape[0] = c->shape[c->axis];
  if (c->form == BLOCKS) {
    d->scale_shape[c->axis] = (c->shape[c->axis] + c->block - 1) / c->block;
  }
  d->grains = product(d->scale_rank, d->scale_shape);
  d->count = product(c->rank, c->shape);
}

/* The scale that an element takes. */
static int64_t grain_of(const Case *c, const Data *d, int64_t index) {
  int64_t at[NETCL_RANK_MAX] = {0};
  if (c->form == WHOLE) return 0;
  unravel(c->rank, c->shape, index, at);
  if (c->form == PLACES) return at[c->axis];
  at[c->axis] /= c->block;
  return ravel(c->rank, d->scale_shape, at);
}

static Data make_data(Fixture *fixture, const Case *c, netcl_dtype zero_dtype) {
  Data d;
  memset(&d, 0, sizeof d);
  shape_scale(c, &d);
  const size_t room = (size_t)(d.count + d.grains + 1) * 8;
  d.x = calloc(1, room);
  d.scale = calloc(1, room);
  d.zero = calloc(1, room);
  d.wanted = calloc(1, room);
  for (int64_t g = 0; g < d.grains; ++g) {
    if (c->scale == NETCL_I32) {
      const int64_t kind = random_in(0, 9);
      store_whole(NETCL_I32, d.scale, g, kind == 0 ? 0 : kind < 4 ? random_in(-9, 9)
                                                                  : random_in(-70000, 70000));
    } else {
      store_double(c->scale, d.scale, g, random_scale(c->scale));
    }
  }
  if (c->has_zero) fill_whole(zero_dtype, d.zero, d.grains);
  d.scale_tensor =
      make_strided(fixture->device, c->scale, d.scale_rank, d.scale_shape, d.scale);
  if (c->has_zero) {
    d.zero_tensor =
        make_strided(fixture->device, zero_dtype, d.scale_rank, d.scale_shape, d.zero);
  }
  return d;
}

static void free_data(const Case *c, Data *d) {
  release_strided(&d->x_tensor);
  release_strided(&d->scale_tensor);
  if (c->has_zero) release_strided(&d->zero_tensor);
  if (c->into) release_strided(&d->into);
  free(d->x);
  free(d->scale);
  free(d->zero);
  free(d->wanted);
}

static const char *shown(const Case *c) {
  static char text[300];
  int at = snprintf(text, sizeof text, "%s by %s in %s to %s, form %d, block %lld, axis %u of [",
                    netcl_dtype_name(c->x), netcl_dtype_name(c->scale),
                    netcl_dtype_name(c->precision), netcl_dtype_name(c->result), c->form,
                    (long long)c->block, c->axis);
  for (uint32_t d = 0; d < c->rank; ++d) {
    at += snprintf(text + at, sizeof text - (size_t)at, "%lld ", (long long)c->shape[d]);
  }
  snprintf(text + at, sizeof text - (size_t)at, "]");
  return text;
}

static void check_result(const Case *c, Data *d, netcl_tensor *result) {
  const size_t size = netcl_dtype_size(c->result);
  unsigned char *got = read_tensor(result);
  assert_int_equal(tensor_info(result).dtype, c->result);
  assert_int_equal(tensor_info(result).rank, c->rank);
  for (int64_t i = 0; i < d->count; ++i) {
    const int64_t g = grain_of(c, d, i);
    if (same_element(c->result, got + (size_t)i * size, d->wanted + (size_t)i * size)) continue;
    FAIL_WITH("%s: element %lld of %.9g by %.9g is %.9g, not %.9g", shown(c), (long long)i,
              load_double(c->x, d->x, i), load_double(c->scale, d->scale, g),
              load_double(c->result, got, i), load_double(c->result, d->wanted, i));
  }
  if (c->into) CHECK_STRIDED(&d->into, d->wanted);
  free(got);
  netcl_tensor_release(result);
}

static int32_t axis_of(const Case *c) {
  if (c->form == WHOLE) return (int32_t)random_in(-100, 100);
  return random_in(0, 1) ? (int32_t)c->axis : (int32_t)c->axis - (int32_t)c->rank;
}

/* Values that lie at and beside halves of the scale, beyond the range, and anywhere. */
static double random_value(const Case *c, double scale) {
  const int64_t kind = random_in(0, 9);
  const double wide = netcl_dtype_size(c->result) == 1 ? 300 : 70000;
  const double steps = (double)random_in((int64_t)-wide * 2, (int64_t)wide * 2) / 2;
  if (kind == 0) return random_real(-1e6, 1e6);
  if (kind == 1) return random_in(0, 1) ? 0.0 : -0.0;
  return kind < 7 ? steps * scale : random_real(-wide, wide) * scale;
}

static void want_quantised(const Case *c, Data *d) {
  const netcl_dtype precision = c->precision != 0 ? c->precision : c->scale;
  for (int64_t i = 0; i < d->count; ++i) {
    const int64_t g = grain_of(c, d, i);
    const int64_t zero = c->has_zero ? whole_number(c->result, d->zero, g) : 0;
    if (precision == NETCL_I32) {
      store_whole(c->result, d->wanted, i,
                  quantised_exactly(whole_number(NETCL_I32, d->x, i),
                                    whole_number(NETCL_I32, d->scale, g), zero, c->result));
      continue;
    }
    const double x = rounded_to(precision, load_double(c->x, d->x, i));
    const double by = rounded_to(precision, load_double(c->scale, d->scale, g));
    const double quotient = rounded_to(precision, rounded_to(NETCL_F32, x / by));
    store_whole(c->result, d->wanted, i, quantised(quotient, zero, c->result));
  }
}

static void check_quantize(Fixture *fixture, const Case *c) {
  Data d = make_data(fixture, c, c->result);
  netcl_quantize_linear_options options = NETCL_QUANTIZE_LINEAR_OPTIONS_INIT;
  netcl_tensor *result = NULL;
  for (int64_t i = 0; i < d.count; ++i) {
    const int64_t g = grain_of(c, &d, i);
    if (c->x != NETCL_I32) {
      store_double(c->x, d.x, i, random_value(c, load_double(c->scale, d.scale, g)));
    } else {
      const int64_t by = c->scale == NETCL_I32 ? whole_number(NETCL_I32, d.scale, g) : 1;
      const int64_t kind = random_in(0, 5);
      store_whole(NETCL_I32, d.x, i,
                  kind == 0   ? INT32_MIN
                  : kind == 1 ? INT32_MAX
                  : kind == 2 ? random_in(INT32_MIN, INT32_MAX)
                              : (int32_t)(random_in(-400, 400) * by / 2));
    }
  }
  want_quantised(c, &d);
  d.x_tensor = make_strided(fixture->device, c->x, c->rank, c->shape, d.x);
  if (c->into) d.into = make_strided(fixture->device, c->result, c->rank, c->shape, NULL);
  netcl_run_options run = run_into(d.into.view);
  options.zero_point = d.zero_tensor.view;
  options.block_size = c->block;
  options.precision = c->precision;
  if (c->says_dtype || (!c->has_zero && !c->into)) options.dtype = c->result;
  OK(netcl_op_quantize_linear(d.x_tensor.view, d.scale_tensor.view, axis_of(c), &options,
                              c->into ? &run : NULL, &result));
  check_result(c, &d, result);
  free_data(c, &d);
}

static void random_quantize(void **state) {
  static const netcl_dtype kInputs[] = {NETCL_F32, NETCL_F16, NETCL_BF16, NETCL_I32};
  static const netcl_dtype kResults[] = {NETCL_I8, NETCL_U8, NETCL_I16, NETCL_U16};
  static const netcl_dtype kPrecisions[] = {0, 0, NETCL_F32, NETCL_F16, NETCL_BF16};
  Fixture *fixture = *state;
  for (int round = rounds(fixture, fixture->kernels ? 150 : 600); round > 0; --round) {
    Case c = random_case(9);
    c.x = ANY_OF(kInputs);
    c.scale = c.x == NETCL_I32 && random_in(0, 1) ? NETCL_I32 : ANY_OF(kScaleDtypes);
    c.result = ANY_OF(kResults);
    c.precision = ANY_OF(kPrecisions);
    check_quantize(fixture, &c);
  }
}

/* Long lines, where vectors are whole. */
static void long_lines(void **state) {
  Fixture *fixture = *state;
  for (int round = rounds(fixture, 20); round > 0; --round) {
    Case c = random_case(1);
    c.x = c.scale = NETCL_F32;
    c.result = ANY_OF(kByteDtypes);
    c.rank = 2;
    c.form = round % 3;
    c.shape[0] = random_in(1, 40);
    c.shape[1] = random_in(200, 3000);
    c.axis = (uint32_t)random_in(0, 1);
    c.block = c.form == BLOCKS ? random_in(2, 64) : 0;
    check_quantize(fixture, &c);
  }
}

static void random_dequantize(void **state) {
  static const netcl_dtype kInputs[] = {NETCL_I8, NETCL_U8, NETCL_I16, NETCL_U16, NETCL_I32};
  Fixture *fixture = *state;
  for (int round = rounds(fixture, fixture->kernels ? 100 : 400); round > 0; --round) {
    Case c = random_case(9);
    netcl_dequantize_linear_options options = NETCL_DEQUANTIZE_LINEAR_OPTIONS_INIT;
    netcl_tensor *result = NULL;
    c.x = ANY_OF(kInputs);
    c.scale = ANY_OF(kScaleDtypes);
    c.result = random_in(0, 1) ? c.scale : ANY_OF(kScaleDtypes);
    Data d = make_data(fixture, &c, c.x);
    fill_whole(c.x, d.x, d.count);
    for (int64_t i = 0; i < d.count; ++i) {
      const int64_t g = grain_of(&c, &d, i);
      const int64_t zero = c.has_zero ? whole_number(c.x, d.zero, g) : 0;
      const double steps = rounded_to(NETCL_F32, (double)(whole_number(c.x, d.x, i) - zero));
      const double real = rounded_to(NETCL_F32, steps * load_double(c.scale, d.scale, g));
      store_double(c.result, d.wanted, i, real);
    }
    d.x_tensor = make_strided(fixture->device, c.x, c.rank, c.shape, d.x);
    if (c.into) d.into = make_strided(fixture->device, c.result, c.rank, c.shape, NULL);
    netcl_run_options run = run_into(d.into.view);
    options.zero_point = d.zero_tensor.view;
    options.block_size = c.block;
    if (c.says_dtype || (!c.into && c.result != c.scale)) options.dtype = c.result;
    OK(netcl_op_dequantize_linear(d.x_tensor.view, d.scale_tensor.view, axis_of(&c), &options,
                                  c.into ? &run : NULL, &result));
    check_result(&c, &d, result);
    free_data(&c, &d);
  }
}

/* NaN, infinities, ends of the range, halves with odd zero points, and scales that are no numbers
 * to divide by. */
static void special_values(void **state) {
  static const float kValues[] = {NAN,     INFINITY, -INFINITY, 0.0f,    -0.0f,    0.5f,
                                  1.5f,    2.5f,     -0.5f,     -1.5f,   -2.5f,    126.5f,
                                  127.5f,  -128.5f,  254.5f,    255.5f,  1e30f,    -1e30f,
                                  3.4e38f, 1e-30f,   0.49999997f, 0.50000006f, 2.4999998f, -7.0f};
  static const float kScales[] = {1.0f, 0.5f, 0.0f, -1.0f, INFINITY, -INFINITY, NAN, 3e38f, 0.1f};
  static const netcl_dtype kResults[] = {NETCL_I8, NETCL_U8, NETCL_I16, NETCL_U16};
  Fixture *fixture = *state;
  const int64_t shape[1] = {COUNT_OF(kValues)};
  netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 1, shape, kValues);
  for (size_t s = 0; s < COUNT_OF(kScales); ++s) {
    for (size_t r = 0; r < COUNT_OF(kResults); ++r) {
      netcl_quantize_linear_options options = NETCL_QUANTIZE_LINEAR_OPTIONS_INIT;
      const netcl_dtype dtype = kResults[r];
      const int64_t zero = s % 2 == 0 ? 1 : lowest_of(dtype) + 7;
      netcl_tensor *result = NULL, *scale = one_number(fixture, NETCL_F32, kScales[s]);
      const int64_t ones[3] = {1, 1, 1};
      unsigned char bytes[8];
      store_whole(dtype, bytes, 0, zero);
      options.zero_point =
          make_tensor(fixture->device, dtype, tensor_info(scale).rank, ones, bytes);
      OK(netcl_op_quantize_linear(x, scale, 0, &options, NULL, &result));
      unsigned char *got = read_tensor(result);
      for (size_t i = 0; i < COUNT_OF(kValues); ++i) {
        const double quotient = rounded_to(NETCL_F32, (double)kValues[i] / (double)kScales[s]);
        const int64_t wanted = quantised(quotient, zero, dtype);
        CHECK(whole_number(dtype, got, (int64_t)i) == wanted, "%g by %g to %s is %lld, not %lld",
              kValues[i], kScales[s], netcl_dtype_name(dtype),
              (long long)whole_number(dtype, got, (int64_t)i), (long long)wanted);
      }
      free(got);
      netcl_tensor_release(options.zero_point);
      netcl_tensor_release(scale);
      netcl_tensor_release(result);
    }
  }
  netcl_tensor_release(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(random_quantize), DEVICE_TEST(long_lines),
                                     DEVICE_TEST(random_dequantize), DEVICE_TEST(special_values),
                                     DEVICE_TEST(as_kernels)};
  seed_random("quantization");
  return cmocka_run_group_tests_name("quantization", tests, NULL, NULL);
}
