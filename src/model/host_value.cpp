#include "model/host_value.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace netcl::model {

namespace {

template <class T>
T element_at(std::string_view bytes, size_t i) {
  T value;
  std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
  return value;
}

double real_at(netcl_dtype dtype, std::string_view bytes, size_t i) {
  switch (dtype) {
    case NETCL_F16:
      return static_cast<double>(f32_from_f16(element_at<uint16_t>(bytes, i)));
    case NETCL_BF16:
      return static_cast<double>(f32_from_bf16(element_at<uint16_t>(bytes, i)));
    case NETCL_F32:
      return static_cast<double>(element_at<float>(bytes, i));
    default:
      return element_at<double>(bytes, i);
  }
}

// The lowest bits of a number, read as an integer of the dtype.
int64_t wrapped(netcl_dtype dtype, int64_t value) {
  switch (dtype) {
    case NETCL_I8:
      return static_cast<int8_t>(value);
    case NETCL_I16:
      return static_cast<int16_t>(value);
    case NETCL_I32:
      return static_cast<int32_t>(value);
    case NETCL_U8:
      return static_cast<uint8_t>(value);
    case NETCL_U16:
      return static_cast<uint16_t>(value);
    case NETCL_U32:
      return static_cast<uint32_t>(value);
    case NETCL_BOOL:
      return value != 0;
    default:
      return value;
  }
}

double rounded_real(netcl_dtype dtype, double value) {
  switch (dtype) {
    case NETCL_F16:
      return static_cast<double>(f32_from_f16(f16_from_f64(value)));
    case NETCL_BF16:
      return static_cast<double>(f32_from_bf16(bf16_from_f64(value)));
    case NETCL_F32:
      return static_cast<double>(static_cast<float>(value));
    default:
      return value;
  }
}

uint64_t bits_of_real(netcl_dtype dtype, double value) {
  switch (dtype) {
    case NETCL_F16:
      return f16_from_f64(value);
    case NETCL_BF16:
      return bf16_from_f64(value);
    case NETCL_F32:
      return std::bit_cast<uint32_t>(static_cast<float>(value));
    default:
      return std::bit_cast<uint64_t>(value);
  }
}

// Towards zero, saturating, NaN to 0.
int64_t saturated(double value) {
  if (std::isnan(value)) return 0;
  if (value >= 0x1p63) return std::numeric_limits<int64_t>::max();
  if (value < -0x1p63) return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(value);
}

int64_t saturated(netcl_dtype dtype, double value) {
  if (dtype == NETCL_BOOL) return value != 0;
  if (dtype == NETCL_U64) {
    if (!(value > 0)) return 0;
    return static_cast<int64_t>(value >= 0x1p64 ? ~uint64_t{0} : static_cast<uint64_t>(value));
  }
  const bool is_signed = dtype_facts(dtype).kind == DtypeClass::signed_integer;
  const int bits = static_cast<int>(8 * dtype_size(dtype)) - (is_signed ? 1 : 0);
  if (bits >= 63) return saturated(value);
  const int64_t high = (int64_t{1} << bits) - 1;
  return std::clamp<int64_t>(saturated(value), is_signed ? -high - 1 : 0, high);
}

}  // namespace

static void require_element(const HostValue& value, size_t i) {
  if (i < value.count()) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "a value of %zu elements has no element %zu", value.count(),
       i);
}

double HostValue::real(size_t i) const {
  require_element(*this, i);
  return is_real() ? reals[i] : static_cast<double>(integers[i]);
}

int64_t HostValue::integer(size_t i) const {
  require_element(*this, i);
  return is_real() ? saturated(reals[i]) : integers[i];
}

int64_t host_count(const std::vector<int64_t>& shape) {
  constexpr size_t kRankLimit = 64;
  if (shape.size() > kRankLimit) {
    fail(NETCL_ERROR_UNSUPPORTED, "a value that the host works with has %zu dimensions",
         shape.size());
  }
  int64_t count = 1;
  for (const int64_t extent : shape) {
    if (extent < 0)
      fail(NETCL_ERROR_INVALID_ARGUMENT, "a shape has the extent %lld",
           static_cast<long long>(extent));
    if (extent > kHostElementsMost || count * extent > kHostElementsMost) {
      fail(NETCL_ERROR_UNSUPPORTED,
           "a value that the host works with has over %lld elements, which is no shape",
           static_cast<long long>(kHostElementsMost));
    }
    count *= extent;
  }
  return count;
}

HostRef host_value(netcl_dtype dtype, std::vector<int64_t> shape, std::string_view bytes) {
  HostValue value;
  value.dtype = dtype;
  const size_t count = static_cast<size_t>(host_count(shape));
  value.shape = std::move(shape);
  const size_t size = dtype_size(dtype);
  for (size_t i = 0; i < count; ++i) {
    if (value.is_real()) {
      value.reals.push_back(real_at(dtype, bytes, i));
      continue;
    }
    int64_t bits = 0;
    std::memcpy(&bits, bytes.data() + i * size, size);
    value.integers.push_back(wrapped(dtype, bits));
  }
  return std::make_shared<HostValue>(std::move(value));
}

std::string bytes_of(const HostValue& value) {
  const size_t size = dtype_size(value.dtype);
  std::string bytes(value.count() * size, '\0');
  for (size_t i = 0; i < value.count(); ++i) {
    const uint64_t bits = value.is_real() ? bits_of_real(value.dtype, value.reals[i])
                                          : static_cast<uint64_t>(value.integers[i]);
    std::memcpy(bytes.data() + i * size, &bits, size);
  }
  return bytes;
}

HostRef rounded(HostValue value) {
  for (double& real : value.reals) real = rounded_real(value.dtype, real);
  for (int64_t& integer : value.integers) integer = wrapped(value.dtype, integer);
  return std::make_shared<HostValue>(std::move(value));
}

HostValue converted(const HostValue& value, netcl_dtype dtype) {
  HostValue made;
  made.dtype = dtype;
  made.shape = value.shape;
  for (size_t i = 0; i < value.count(); ++i) {
    if (!made.is_real()) {
      made.integers.push_back(value.is_real() ? saturated(dtype, value.reals[i])
                                              : wrapped(dtype, value.integers[i]));
    } else if (value.dtype == NETCL_U64) {
      made.reals.push_back(static_cast<double>(static_cast<uint64_t>(value.integers[i])));
    } else {
      made.reals.push_back(value.real(i));
    }
  }
  return made;
}

}  // namespace netcl::model
