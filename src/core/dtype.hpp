// Element types: their sizes, names and classes, and the conversions of the two storage-only
// floating types. Everything that branches on a dtype does it through these tables.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/error.hpp"
#include "netcl.h"

namespace netcl {

inline constexpr int kDtypeCount = NETCL_BOOL + 1;

enum class DtypeClass : uint8_t { boolean, signed_integer, unsigned_integer, floating };

struct DtypeFacts {
  const char* name;     // "f32"
  const char* cl_name;  // the OpenCL C type that holds one element: "ushort" for f16 and bf16
  uint8_t size;         // bytes of one element
  DtypeClass kind;
};

// The facts of a valid dtype, nullptr of any other value.
const DtypeFacts* dtype_facts_or_null(netcl_dtype dtype) noexcept;

// Fails with INVALID_ARGUMENT naming `argument` when the value is no dtype.
const DtypeFacts& dtype_facts(netcl_dtype dtype, const char* argument = "dtype");

// The dtype of the elements of an OpenCL C type such as "float", "float4" and "float4*"; 0 for
// types that are none of netcl's.
netcl_dtype dtype_of_cl_type(std::string_view name) noexcept;

inline size_t dtype_size(netcl_dtype dtype) { return dtype_facts(dtype).size; }
inline bool is_float(netcl_dtype dtype) { return dtype_facts(dtype).kind == DtypeClass::floating; }

// IEEE binary16 and bfloat16, round to nearest even, NaN stays NaN, exact in the other direction.
uint16_t f16_from_f32(float value) noexcept;
uint16_t f16_from_f64(double value) noexcept;  // rounds once
// Without branches: loops over many are vectorised.
inline float f32_from_f16(uint16_t bits) noexcept {
  const uint32_t body = (bits & 0x7fffu) << 13;
  const uint32_t exponent = bits & 0x7c00u;
  const float small = std::bit_cast<float>(body | 0x38800000u) - std::bit_cast<float>(0x38800000u);
  const uint32_t wide = exponent == 0x7c00u ? body | 0x7f800000u
                        : exponent == 0     ? std::bit_cast<uint32_t>(small)
                                            : body + 0x38000000u;
  return std::bit_cast<float>(wide | (bits & 0x8000u) << 16);
}
uint16_t bf16_from_f32(float value) noexcept;
uint16_t bf16_from_f64(double value) noexcept;  // rounds once
inline float f32_from_bf16(uint16_t bits) noexcept {
  const uint32_t wide = static_cast<uint32_t>(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof value);
  return value;
}

}  // namespace netcl
