#include "tune/fill.hpp"

#include <cmath>
#include <cstring>
#include <limits>

namespace netcl::tune {

namespace {

int64_t to_integer(double value) {
  if (std::isnan(value)) return 0;
  if (value >= 9223372036854775807.0) return INT64_MAX;
  if (value <= -9223372036854775808.0) return INT64_MIN;
  return static_cast<int64_t>(value);
}

template <class T>
T cut(double value) {
  if (std::isnan(value)) return 0;
  // The limits of 64 bits are no doubles; the next one above counts as outside.
  if (value >= static_cast<double>(std::numeric_limits<T>::max())) {
    return std::numeric_limits<T>::max();
  }
  if (value <= static_cast<double>(std::numeric_limits<T>::min())) {
    return std::numeric_limits<T>::min();
  }
  return static_cast<T>(value);
}

template <class T, class Make>
void write_all(std::string* bytes, Make make) {
  const uint64_t count = bytes->size() / sizeof(T);
  for (uint64_t i = 0; i < count; ++i) {
    const T value = make(i);
    std::memcpy(bytes->data() + i * sizeof(T), &value, sizeof value);
  }
}

template <class T>
void write_integers(const Fill& fill, std::string* bytes) {
  if (fill.kind == Fill::Kind::constant) {
    const T value = cut<T>(fill.a);
    write_all<T>(bytes, [&](uint64_t) { return value; });
    return;
  }
  const auto first = static_cast<uint64_t>(to_integer(fill.a));
  const auto step = static_cast<uint64_t>(to_integer(fill.b));
  write_all<T>(bytes, [&](uint64_t i) { return static_cast<T>(first + i * step); });
}

double real_at(const Fill& fill, uint64_t index) {
  if (fill.kind == Fill::Kind::constant) return fill.a;
  return fill.a + static_cast<double>(index) * fill.b;
}

template <class T, class Scale>
void scale_all(std::string* bytes, Scale scale) {
  const uint64_t count = bytes->size() / sizeof(T);
  for (uint64_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, bytes->data() + i * sizeof(T), sizeof value);
    value = scale(value);
    std::memcpy(bytes->data() + i * sizeof(T), &value, sizeof value);
  }
}

}  // namespace

std::string scaled_bytes(const JobArgument& argument, double factor) {
  std::string bytes = *argument.fill.bytes;
  switch (argument.dtype) {
    case NETCL_F16:
      scale_all<uint16_t>(&bytes,
                          [&](uint16_t v) { return f16_from_f64(factor * f32_from_f16(v)); });
      break;
    case NETCL_BF16:
      scale_all<uint16_t>(&bytes,
                          [&](uint16_t v) { return bf16_from_f64(factor * f32_from_bf16(v)); });
      break;
    case NETCL_F32:
      scale_all<float>(&bytes, [&](float v) { return static_cast<float>(factor * v); });
      break;
    case NETCL_F64:
      scale_all<double>(&bytes, [&](double v) { return factor * v; });
      break;
    default:
      break;  // integers are often places in another buffer
  }
  return bytes;
}

std::string fill_bytes(const JobArgument& argument) {
  std::string bytes(argument.byte_count(), '\0');
  const Fill& fill = argument.fill;
  if (fill.kind != Fill::Kind::constant && fill.kind != Fill::Kind::iota) return bytes;
  const auto real = [&](uint64_t i) { return real_at(fill, i); };
  switch (argument.dtype) {
    case NETCL_F16:
      write_all<uint16_t>(&bytes, [&](uint64_t i) { return f16_from_f64(real(i)); });
      break;
    case NETCL_BF16:
      write_all<uint16_t>(&bytes, [&](uint64_t i) { return bf16_from_f64(real(i)); });
      break;
    case NETCL_F32:
      write_all<float>(&bytes, [&](uint64_t i) { return static_cast<float>(real(i)); });
      break;
    case NETCL_F64:
      write_all<double>(&bytes, real);
      break;
    case NETCL_I8:
      write_integers<int8_t>(fill, &bytes);
      break;
    case NETCL_I16:
      write_integers<int16_t>(fill, &bytes);
      break;
    case NETCL_I32:
      write_integers<int32_t>(fill, &bytes);
      break;
    case NETCL_I64:
      write_integers<int64_t>(fill, &bytes);
      break;
    case NETCL_U8:
      write_integers<uint8_t>(fill, &bytes);
      break;
    case NETCL_U16:
      write_integers<uint16_t>(fill, &bytes);
      break;
    case NETCL_U32:
      write_integers<uint32_t>(fill, &bytes);
      break;
    case NETCL_U64:
      write_integers<uint64_t>(fill, &bytes);
      break;
    default:
      write_all<uint8_t>(&bytes, [&](uint64_t i) { return real(i) != 0 ? 1 : 0; });
  }
  return bytes;
}

}  // namespace netcl::tune
