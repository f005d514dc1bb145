/* Elements of every dtype on the host, in reference arithmetic, and a model of strided arrays. */
#include <math.h>
#include <stdio.h>

#include "support.h"

const netcl_dtype kDtypes[DTYPES] = {NETCL_F16, NETCL_BF16, NETCL_F32, NETCL_F64, NETCL_I8,
                                     NETCL_I16, NETCL_I32,  NETCL_I64, NETCL_U8,  NETCL_U16,
                                     NETCL_U32, NETCL_U64,  NETCL_BOOL};

int is_float_dtype(netcl_dtype dtype) { return dtype >= NETCL_F16 && dtype <= NETCL_F64; }
int is_signed_dtype(netcl_dtype dtype) { return dtype >= NETCL_I8 && dtype <= NETCL_I64; }

static double real_from_bits(unsigned bits, int exponent_bits, int fraction_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const unsigned sign = bits >> (exponent_bits + fraction_bits);
  const unsigned exponent = (bits >> fraction_bits) & ((1u << exponent_bits) - 1);
  const unsigned fraction = bits & ((1u << fraction_bits) - 1);
  double value;
  if (exponent == (1u << exponent_bits) - 1) {
    value = fraction != 0 ? NAN : INFINITY;
  } else if (exponent == 0) {
    value = ldexp((double)fraction, 1 - bias - fraction_bits);
  } else {
    const uint64_t wide = (uint64_t)(exponent + 1023u - (unsigned)bias) << 52 |
                          (uint64_t)fraction << (52 - fraction_bits);
    memcpy(&value, &wide, sizeof value);
  }
  return sign != 0 ? -value : value;
}

long double round_to_format(long double value, int digits, int min_exponent, int max_exponent) {
  if (value == 0 || isnan(value) || isinf(value)) return value;
  int exponent;
  frexpl(value, &exponent);
  int unit = exponent - digits;
  if (unit < min_exponent - digits + 1) unit = min_exponent - digits + 1;
  /* Scaling is exact here, and nearbyintl rounds to nearest even by default. */
  const long double rounded = ldexpl(nearbyintl(ldexpl(value, -unit)), unit);
  if (fabsl(rounded) >= ldexpl(1.0L, max_exponent + 1)) return copysignl(INFINITY, value);
  return rounded;
}

static unsigned bits_from_real(long double value, int exponent_bits, int fraction_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const unsigned sign = signbit(value) ? 1u << (exponent_bits + fraction_bits) : 0u;
  const unsigned infinite = ((1u << exponent_bits) - 1) << fraction_bits;
  if (isnan(value)) return sign | infinite | (1u << (fraction_bits - 1));
  /* Most numbers are a double that is normal in the format: its bits are rounded to nearest even.
   * The carry of the fraction goes to the exponent, as it should. */
  const double wide = (double)value;
  uint64_t bits;
  memcpy(&bits, &wide, sizeof bits);
  const int power = (int)(bits >> 52 & 0x7ff) - 1023, unused = 52 - fraction_bits;
  if ((long double)wide == value && power >= 1 - bias && power <= bias) {
    bits = (bits & UINT64_MAX >> 12) | (uint64_t)(power + bias) << 52;
    return sign | (unsigned)((bits + (UINT64_C(1) << (unused - 1)) - 1 + (bits >> unused & 1)) >>
                             unused);
  }
  const long double rounded = round_to_format(fabsl(value), fraction_bits + 1, 1 - bias, bias);
  if (isinf(rounded)) return sign | infinite;
  if (rounded == 0) return sign;
  int exponent;
  frexpl(rounded, &exponent);
  if (exponent - 1 < 1 - bias) return sign | (unsigned)ldexpl(rounded, bias - 1 + fraction_bits);
  const unsigned fraction = (unsigned)ldexpl(rounded, fraction_bits + 1 - exponent);
  return sign | ((unsigned)(exponent - 1 + bias) << fraction_bits) |
         (fraction & ((1u << fraction_bits) - 1));
}

Value load_value(netcl_dtype dtype, const void *data, int64_t index) {
  const size_t size = netcl_dtype_size(dtype);
  const unsigned char *at = (const unsigned char *)data + (size_t)index * size;
  Value value = {VALUE_REAL, 0, 0, 0};
  uint64_t bits = 0;
  memcpy(&bits, at, size);  /* The tests run on little-endian machines. */
  if (is_float_dtype(dtype)) {
    float single;
    if (dtype == NETCL_F16) value.real = real_from_bits((unsigned)bits, 5, 10);
    if (dtype == NETCL_BF16) value.real = real_from_bits((unsigned)bits, 8, 7);
    if (dtype == NETCL_F32) {
      memcpy(&single, at, sizeof single);
      value.real = single;
    }
    if (dtype == NETCL_F64) memcpy(&value.real, at, sizeof value.real);
  } else if (is_signed_dtype(dtype)) {
    const unsigned unused = 64 - 8 * (unsigned)size;
    value.kind = VALUE_SIGNED;
    value.integer = (int64_t)(bits << unused) >> unused;
  } else {
    value.kind = VALUE_UNSIGNED;
    value.natural = dtype == NETCL_BOOL ? bits != 0 : bits;
  }
  return value;
}

static long double value_real(Value value) {
  if (value.kind == VALUE_REAL) return value.real;
  return value.kind == VALUE_SIGNED ? (long double)value.integer : (long double)value.natural;
}

double load_double(netcl_dtype dtype, const void *data, int64_t index) {
  return (double)value_real(load_value(dtype, data, index));
}

static void store_bits(netcl_dtype dtype, void *data, int64_t index, uint64_t bits) {
  const size_t size = netcl_dtype_size(dtype);
  memcpy((unsigned char *)data + (size_t)index * size, &bits, size);
}

static void store_real(netcl_dtype dtype, void *data, int64_t index, long double value) {
  uint64_t bits = 0;
  if (dtype == NETCL_F16) bits = bits_from_real(value, 5, 10);
  if (dtype == NETCL_BF16) bits = bits_from_real(value, 8, 7);
  if (dtype == NETCL_F32) {
    const float single = (float)value;
    memcpy(&bits, &single, sizeof single);
  }
  if (dtype == NETCL_F64) {
    const double wide = (double)value;
    memcpy(&bits, &wide, sizeof wide);
  }
  store_bits(dtype, data, index, bits);
}

static void store_saturated(netcl_dtype dtype, void *data, int64_t index, double value) {
  const unsigned width = 8 * (unsigned)netcl_dtype_size(dtype);
  const double whole = trunc(value);
  uint64_t bits;
  if (isnan(value)) {
    bits = 0;
  } else if (is_signed_dtype(dtype)) {
    const int64_t high = (int64_t)(UINT64_MAX >> (65 - width));
    const double limit = ldexp(1.0, (int)width - 1);
    bits = (uint64_t)(whole >= limit ? high : whole < -limit ? -high - 1 : (int64_t)whole);
  } else {
    const uint64_t high = UINT64_MAX >> (64 - width);
    bits = whole >= ldexp(1.0, (int)width) ? high : whole <= 0 ? 0 : (uint64_t)whole;
  }
  store_bits(dtype, data, index, bits);
}

void store_double(netcl_dtype dtype, void *data, int64_t index, double value) {
  if (is_float_dtype(dtype)) {
    store_real(dtype, data, index, value);
  } else if (dtype == NETCL_BOOL) {
    store_bits(dtype, data, index, value != 0);
  } else {
    store_saturated(dtype, data, index, value);
  }
}

void cast_reference(netcl_dtype from, const void *source, netcl_dtype to, void *target) {
  const Value value = load_value(from, source, 0);
  if (is_float_dtype(to)) {
    store_real(to, target, 0, value_real(value));
  } else if (to == NETCL_BOOL) {
    store_bits(to, target, 0, value_real(value) != 0);  /* A NaN is not equal to zero. */
  } else if (value.kind == VALUE_REAL) {
    store_saturated(to, target, 0, value.real);
  } else {
    store_bits(to, target, 0,
               value.kind == VALUE_SIGNED ? (uint64_t)value.integer : value.natural);
  }
}

double unit_roundoff(netcl_dtype dtype) {
  switch (dtype) {
    case NETCL_F16: return 0x1p-11;
    case NETCL_BF16: return 0x1p-8;
    case NETCL_F32: return 0x1p-24;
    default: return 0x1p-53;
  }
}

void fill_random(netcl_dtype dtype, void *data, int64_t count, double magnitude) {
  for (int64_t i = 0; i < count; ++i) {
    if (dtype == NETCL_BOOL) {
      store_double(dtype, data, i, (double)(random_bits() & 1));
    } else if (is_float_dtype(dtype)) {
      store_double(dtype, data, i, random_real(-magnitude, magnitude));
    } else {
      const double low = is_signed_dtype(dtype) ? -magnitude : 0;
      store_double(dtype, data, i, floor(random_real(low, magnitude)));
    }
  }
}

int same_element(netcl_dtype dtype, const void *a, const void *b) {
  if (memcmp(a, b, netcl_dtype_size(dtype)) == 0) return 1;
  return is_float_dtype(dtype) && isnan(load_double(dtype, a, 0)) &&
         isnan(load_double(dtype, b, 0));
}

int64_t product(uint32_t rank, const int64_t *shape) {
  int64_t count = 1;
  for (uint32_t d = 0; d < rank; ++d) count *= shape[d];
  return count;
}

netcl_tensor *make_tensor(netcl_device *device, netcl_dtype dtype, uint32_t rank,
                          const int64_t *shape, const void *data) {
  netcl_tensor *tensor = NULL;
  OK(netcl_tensor_create_from_host(device, dtype, rank, shape, NULL, data,
                                   (size_t)product(rank, shape) * netcl_dtype_size(dtype), NULL,
                                   &tensor));
  return tensor;
}

netcl_tensor_info tensor_info(const netcl_tensor *tensor) {
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  OK(netcl_tensor_get_info(tensor, &info));
  return info;
}

netcl_run_options run_into(netcl_tensor *tensor) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.into = tensor;
  return run;
}

void *read_tensor(const netcl_tensor *tensor) {
  const netcl_tensor_info info = tensor_info(tensor);
  unsigned char *data = malloc((size_t)info.byte_count + 16);
  memset(data, POISON, (size_t)info.byte_count + 16);
  OK(netcl_tensor_read(tensor, data, (size_t)info.byte_count, NULL, LONG_WAIT));
  for (size_t i = 0; i < 16; ++i) {
    CHECK(data[info.byte_count + i] == POISON, "the read went past the end of the array");
  }
  return data;
}

void check_tensor(const netcl_tensor *tensor, const void *data, const char *file, int line) {
  const netcl_tensor_info info = tensor_info(tensor);
  const size_t size = netcl_dtype_size(info.dtype);
  unsigned char *got = read_tensor(tensor);
  const size_t count = (size_t)info.element_count;
  const int alike = count == 0 || memcmp(got, data, count * size) == 0;
  for (size_t i = 0; !alike && i < count; ++i) {
    const unsigned char *wanted = (const unsigned char *)data + i * size;
    if (memcmp(got + i * size, wanted, size) != 0) {
      uint64_t a = 0, b = 0;
      memcpy(&a, got + i * size, size);
      memcpy(&b, wanted, size);
      fail_at(file, line, "%s element %zu of %lld is %g (0x%llx), not %g (0x%llx)",
              netcl_dtype_name(info.dtype), i, (long long)info.element_count,
              load_double(info.dtype, got, (int64_t)i), (unsigned long long)a,
              load_double(info.dtype, wanted, 0), (unsigned long long)b);
    }
  }
  free(got);
}

Model model_packed(netcl_dtype dtype, uint32_t rank, const int64_t *shape, void *data) {
  Model model;
  memset(&model, 0, sizeof model);
  model.dtype = dtype;
  model.rank = rank;
  model.data = data;
  int64_t stride = 1;
  for (uint32_t d = rank; d-- > 0;) {
    model.shape[d] = shape[d];
    model.strides[d] = stride;
    stride *= shape[d] > 1 ? shape[d] : 1;
  }
  return model;
}

int64_t model_index(const Model *model, int64_t flat) {
  int64_t at = model->offset;
  for (uint32_t d = model->rank; d-- > 0;) {
    at += flat % model->shape[d] * model->strides[d];
    flat /= model->shape[d];
  }
  return at;
}

void *model_gather(const Model *model) {
  const size_t size = netcl_dtype_size(model->dtype);
  const int64_t count = product(model->rank, model->shape);
  unsigned char *out = malloc((size_t)count * size + 1);
  for (int64_t i = 0; i < count; ++i) {
    memcpy(out + (size_t)i * size, model->data + model_index(model, i) * (int64_t)size, size);
  }
  return out;
}

void model_scatter(const Model *model, const void *data) {
  const size_t size = netcl_dtype_size(model->dtype);
  const int64_t count = product(model->rank, model->shape);
  for (int64_t i = 0; i < count; ++i) {
    memcpy(model->data + (size_t)model_index(model, i) * size,
           (const unsigned char *)data + (size_t)i * size, size);
  }
}

Model model_slice(const Model *model, const netcl_range *ranges) {
  Model view = *model;
  for (uint32_t d = 0; d < view.rank; ++d) {
    if (ranges[d].extent > 0) view.offset += ranges[d].start * model->strides[d];
    view.shape[d] = ranges[d].extent;
    view.strides[d] = model->strides[d] * ranges[d].step;
  }
  return view;
}

Model model_permute(const Model *model, const uint32_t *axes) {
  Model view = *model;
  for (uint32_t d = 0; d < view.rank; ++d) {
    view.shape[d] = model->shape[axes[d]];
    view.strides[d] = model->strides[axes[d]];
  }
  return view;
}

Model model_broadcast(const Model *model, uint32_t rank, const int64_t *shape) {
  Model view = *model;
  const uint32_t lead = rank - model->rank;
  view.rank = rank;
  for (uint32_t d = 0; d < rank; ++d) {
    const int repeats = d < lead || model->shape[d - lead] != shape[d];
    view.shape[d] = shape[d];
    view.strides[d] = repeats ? 0 : model->strides[d - lead];
  }
  return view;
}

const float kActivated[ACTIVATED] = {-4, -0.5, 0.5, 2};

void check_activation_defaults(ActivationCall call, void *context, const char *options) {
  const struct {
    netcl_activation activation;
    double wanted[ACTIVATED];
  } cases[] = {{NETCL_ACTIVATION_LEAKY_RELU, {-0.04, -0.005, 0.5, 2}},
               {NETCL_ACTIVATION_ELU, {expm1(-4), expm1(-0.5), 0.5, 2}},
               {NETCL_ACTIVATION_HARD_SIGMOID, {0, 0.4, 0.6, 0.9}}};
  netcl_tensor *result = NULL;
  for (size_t k = 0; k < COUNT_OF(cases); ++k) {
    OK(call(context, cases[k].activation, &result));
    float *got = read_tensor(result);
    for (int i = 0; i < ACTIVATED; ++i) {
      CHECK(fabs(got[i] - cases[k].wanted[i]) <= 1e-6, "activation %d of %g: %g, not %g",
            cases[k].activation, kActivated[i], got[i], cases[k].wanted[i]);
    }
    free(got);
    netcl_tensor_release(result);
    result = NULL;
  }
  char said[100];
  snprintf(said, sizeof said, "%s->alpha and %s->beta are 0", options, options);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, said,
             call(context, NETCL_ACTIVATION_CLIP, &result));
  assert_null(result);
}

void check_and_release(netcl_tensor **tensor, int64_t count, const double *wanted,
                       double tolerance, int line) {
  const netcl_tensor_info info = tensor_info(*tensor);
  CHECK((int64_t)info.element_count == count, "line %d: %lld elements, not %lld", line,
        (long long)info.element_count, (long long)count);
  void *data = read_tensor(*tensor);
  for (int64_t i = 0; i < count; ++i) {
    const double got = load_double(info.dtype, data, i);
    CHECK(fabs(got - wanted[i]) <= tolerance * (1 + fabs(wanted[i])), "line %d: [%lld] is %.9g, "
          "not %.9g", line, (long long)i, got, wanted[i]);
  }
  free(data);
  netcl_tensor_release(*tensor);
  *tensor = NULL;
}
