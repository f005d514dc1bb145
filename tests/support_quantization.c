#include "support_quantization.h"

#include <math.h>

const netcl_dtype kScaleDtypes[3] = {NETCL_F32, NETCL_F16, NETCL_BF16};
const netcl_dtype kByteDtypes[2] = {NETCL_I8, NETCL_U8};

double rounded_to(netcl_dtype dtype, double value) {
  unsigned char bytes[8];
  store_double(dtype, bytes, 0, value);
  return load_double(dtype, bytes, 0);
}

int64_t lowest_of(netcl_dtype dtype) {
  const int bits = (int)netcl_dtype_size(dtype) * 8;
  return is_signed_dtype(dtype) ? -((int64_t)1 << (bits - 1)) : 0;
}

int64_t highest_of(netcl_dtype dtype) {
  const int bits = (int)netcl_dtype_size(dtype) * 8;
  return ((int64_t)1 << (is_signed_dtype(dtype) ? bits - 1 : bits)) - 1;
}

int64_t whole_number(netcl_dtype dtype, const void *data, int64_t index) {
  const Value value = load_value(dtype, data, index);
  return value.kind == VALUE_SIGNED ? value.integer : (int64_t)value.natural;
}

void store_whole(netcl_dtype dtype, void *data, int64_t index, int64_t value) {
  const size_t size = netcl_dtype_size(dtype);
  const uint64_t bits = (uint64_t)value;
  for (size_t b = 0; b < size; ++b) {
    ((unsigned char *)data)[(size_t)index * size + b] = (unsigned char)(bits >> (8 * b));
  }
}

static int64_t saturated(int64_t value, netcl_dtype dtype) {
  if (value < lowest_of(dtype)) return lowest_of(dtype);
  return value > highest_of(dtype) ? highest_of(dtype) : value;
}

/* Without the rounding mode of the process: halves by hand. */
static int64_t nearest_even(double value) {
  const double below = floor(value), rest = value - below;
  const int64_t whole = (int64_t)below;
  if (rest == 0.5) return whole + (whole % 2 != 0);
  return rest > 0.5 ? whole + 1 : whole;
}

int64_t quantised(double quotient, int64_t zero_point, netcl_dtype dtype) {
  const double far = 1e9;
  if (isnan(quotient)) return lowest_of(dtype);
  if (quotient > far) return highest_of(dtype);
  if (quotient < -far) return lowest_of(dtype);
  return saturated(nearest_even(quotient) + zero_point, dtype);
}

int64_t quantised_exactly(int64_t x, int64_t scale, int64_t zero_point, netcl_dtype dtype) {
  if (scale == 0) return x > 0 ? highest_of(dtype) : lowest_of(dtype);
  if (scale < 0) x = -x, scale = -scale;
  int64_t whole = x / scale, rest = x % scale;
  if (rest < 0) --whole, rest += scale;
  if (2 * rest > scale || (2 * rest == scale && whole % 2 != 0)) ++whole;
  return saturated(whole + zero_point, dtype);
}

int64_t requantised(int32_t sum, double left, double right, double y_scale, int64_t zero_point,
                    netcl_dtype dtype) {
  const double both = rounded_to(NETCL_F32, left * right);
  const double factor = rounded_to(NETCL_F32, both / y_scale);
  const double real = rounded_to(NETCL_F32, rounded_to(NETCL_F32, sum) * factor);
  return quantised(real, zero_point, dtype);
}

double random_scale(netcl_dtype dtype) {
  if (random_in(0, 1)) return ldexp(1.0, (int)random_in(-8, 1));
  return rounded_to(dtype, random_real(0.002, 2.0));
}

netcl_tensor *one_number(Fixture *fixture, netcl_dtype dtype, double value) {
  const int64_t ones[3] = {1, 1, 1};
  unsigned char bytes[8];
  store_double(dtype, bytes, 0, value);
  return make_tensor(fixture->device, dtype, (uint32_t)random_in(0, 3), ones, bytes);
}

void fill_whole(netcl_dtype dtype, void *data, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    const int64_t low = lowest_of(dtype), high = highest_of(dtype);
    const int64_t kind = random_in(0, 7);
    store_whole(dtype, data, i, kind == 0 ? low : kind == 1 ? high : random_in(low, high));
  }
}
