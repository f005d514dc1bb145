#include "core/dtype.hpp"

#include <cmath>

namespace netcl {

// Indexed by netcl_dtype; entry 0 is the invalid value.
static constexpr DtypeFacts kFacts[kDtypeCount] = {
    {nullptr, nullptr, 0, DtypeClass::boolean},
    {"f16", "ushort", 2, DtypeClass::floating},
    {"bf16", "ushort", 2, DtypeClass::floating},
    {"f32", "float", 4, DtypeClass::floating},
    {"f64", "double", 8, DtypeClass::floating},
    {"i8", "char", 1, DtypeClass::signed_integer},
    {"i16", "short", 2, DtypeClass::signed_integer},
    {"i32", "int", 4, DtypeClass::signed_integer},
    {"i64", "long", 8, DtypeClass::signed_integer},
    {"u8", "uchar", 1, DtypeClass::unsigned_integer},
    {"u16", "ushort", 2, DtypeClass::unsigned_integer},
    {"u32", "uint", 4, DtypeClass::unsigned_integer},
    {"u64", "ulong", 8, DtypeClass::unsigned_integer},
    {"bool", "uchar", 1, DtypeClass::boolean},
};

const DtypeFacts* dtype_facts_or_null(netcl_dtype dtype) noexcept {
  if (dtype < NETCL_F16 || dtype > NETCL_BOOL) return nullptr;
  return &kFacts[dtype];
}

const DtypeFacts& dtype_facts(netcl_dtype dtype, const char* argument) {
  const DtypeFacts* facts = dtype_facts_or_null(dtype);
  if (facts == nullptr) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %d, which is no dtype (valid: %d to %d)", argument,
         static_cast<int>(dtype), NETCL_F16, NETCL_BOOL);
  }
  return *facts;
}

// Narrows the bits of a double to a format of `mantissa` stored bits and `exponent` bits with one
// rounding to nearest even. The same arithmetic serves both 16-bit formats.
static uint16_t narrow_f64(double value, int mantissa, int exponent) noexcept {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  const uint16_t sign = static_cast<uint16_t>((bits >> 63) << 15);
  const int bias = (1 << (exponent - 1)) - 1;
  const uint16_t infinity = static_cast<uint16_t>(((1 << exponent) - 1) << mantissa);
  const uint64_t fraction = bits & 0xfffffffffffffULL;
  const int raw = static_cast<int>((bits >> 52) & 0x7ff);
  if (raw == 0x7ff) {
    if (fraction == 0) return static_cast<uint16_t>(sign | infinity);
    const uint16_t payload = static_cast<uint16_t>(fraction >> (52 - mantissa));
    return static_cast<uint16_t>(sign | infinity | (1 << (mantissa - 1)) | payload);
  }
  if (raw == 0) return sign;  // A double denormal is far below half of the smallest step.
  const int scale = raw - 1023;
  if (scale > bias) return static_cast<uint16_t>(sign | infinity);
  const uint64_t full = fraction | (1ULL << 52);
  // Denormal results lose one more bit for each step below the smallest normal exponent.
  const int below = scale < 1 - bias ? 1 - bias - scale : 0;
  const int drop = 52 - mantissa + below;
  if (drop > 53) return sign;
  const uint64_t half = 1ULL << (drop - 1);
  uint64_t kept = full >> drop;
  const uint64_t rest = full & ((1ULL << drop) - 1);
  if (rest > half || (rest == half && (kept & 1))) ++kept;
  // A carry out of the mantissa moves into the exponent field by plain addition.
  const uint64_t base = below ? 0 : static_cast<uint64_t>(scale + bias - 1) << mantissa;
  const uint64_t result = base + kept;
  return static_cast<uint16_t>(sign | (result >= infinity ? infinity : result));
}

uint16_t f16_from_f64(double value) noexcept { return narrow_f64(value, 10, 5); }
uint16_t bf16_from_f64(double value) noexcept { return narrow_f64(value, 7, 8); }
// netcl's.
netcl_dtype dtype_of_cl_type(std::string_view name) noexcept {
  static constexpr struct {
    const char* name;
    netcl_dtype dtype;
  } kTypes[] = {{"float", NETCL_F32}, {"double", NETCL_F64}, {"half", NETCL_F16},
                {"char", NETCL_I8},   {"uchar", NETCL_U8},   {"unsigned char", NETCL_U8},
                {"short", NETCL_I16}, {"ushort", NETCL_U16}, {"unsigned short", NETCL_U16},
                {"int", NETCL_I32},   {"uint", NETCL_U32},   {"unsigned int", NETCL_U32},
                {"long", NETCL_I64},  {"ulong", NETCL_U64},  {"unsigned long", NETCL_U64},
                {"bool", NETCL_BOOL}};
  const std::string_view element = name.substr(0, name.find_last_not_of("0123456789* ") + 1);
  for (const auto& type : kTypes) {
    if (element == type.name) return type.dtype;
  }
  return 0;
}

uint16_t f16_from_f32(float value) noexcept { return narrow_f64(value, 10, 5); }

uint16_t bf16_from_f32(float value) noexcept {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if ((bits & 0x7fffffff) > 0x7f800000) return static_cast<uint16_t>((bits >> 16) | 0x40);
  bits += 0x7fff + ((bits >> 16) & 1);
  return static_cast<uint16_t>(bits >> 16);
}

}  // namespace netcl
