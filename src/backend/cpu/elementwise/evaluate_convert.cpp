// Loops for conversions: between compute dtypes, to and from the 16-bit storage dtypes, and the
// roundings to 16 bits inside an expression.
#include "backend/cpu/elementwise/evaluate_kernels.hpp"
#include "backend/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/elementwise/evaluate_convert.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "backend/cpu/elementwise/evaluate_functions-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::evaluate_detail {
namespace HWY_NAMESPACE {

using expression::Op;

// Tags a byte that holds 0 or 1.
struct Boolean {};

template <class T>
struct StoredAs {
  using Type = T;
};
template <>
struct StoredAs<Boolean> {
  using Type = uint8_t;
};
template <class T>
using Stored = typename StoredAs<T>::Type;

template <class To, class From>
HWY_INLINE To bits_as(From value) {
  static_assert(sizeof(To) == sizeof(From));
  To out;
  std::memcpy(&out, &value, sizeof out);
  return out;
}

// Towards zero, saturating, NaN to 0. The bounds are powers of two and so exact in From.
template <class To, class From>
HWY_INLINE To saturate(From value) {
  constexpr int digits = std::numeric_limits<To>::digits;
  const From above = static_cast<From>(static_cast<To>(To(1) << (digits - 1))) * From(2);
  const From below = std::is_signed_v<To> ? -above : From(0);
  if (!(value == value)) return 0;
  if (value >= above) return std::numeric_limits<To>::max();
  if (value < below) return std::numeric_limits<To>::min();
  return value > From(-1) || std::is_signed_v<To> ? static_cast<To>(value) : To(0);
}

template <class To, class From>
HWY_INLINE Stored<To> converted(From value) {
  if constexpr (std::is_same_v<To, Boolean>) {
    return value != From(0) ? 1 : 0;
  } else if constexpr (kFloat<From> && !kFloat<To>) {
    return saturate<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

template <class To, class From>
void convert(void* out, const void* const* in, size_t n) {
  Stored<To>* const o = static_cast<Stored<To>*>(out);
  const Stored<From>* const a = static_cast<const Stored<From>*>(in[0]);
  NETCL_EACH(i, n) o[i] = converted<To>(a[i]);
}

// f32 to the f32 nearest to it that binary16 holds. The two roundings are by integer carry and, for
// the denormals, by adding a number whose last bit is their smallest step.
HWY_INLINE uint32_t rounded_to_f16(uint32_t u) {
  const uint32_t a = u & 0x7fffffffu;
  const uint32_t normal = (a + 0xfffu + ((a >> 13) & 1u)) & 0xffffe000u;
  const uint32_t tiny = bits_as<uint32_t>(bits_as<float>(a) + 0.5f - 0.5f);
  uint32_t m = a < 0x38800000u ? tiny : normal;
  m = a >= 0x477ff000u ? 0x7f800000u : m;
  m = a > 0x7f800000u ? (a | 0x400000u) : m;
  return m | (u & 0x80000000u);
}

HWY_INLINE uint32_t rounded_to_bf16(uint32_t u) {
  const uint32_t m = (u + 0x7fffu + ((u >> 16) & 1u)) & 0xffff0000u;
  return (u & 0x7fffffffu) > 0x7f800000u ? ((u & 0xffff0000u) | 0x400000u) : m;
}

HWY_INLINE uint16_t f16_bits(float value) {
  const uint32_t u = bits_as<uint32_t>(value);
  const uint32_t a = u & 0x7fffffffu;
  const uint32_t normal = (a + 0xfffu + ((a >> 13) & 1u) - (112u << 23)) >> 13;
  const uint32_t tiny = bits_as<uint32_t>(bits_as<float>(a) + 0.5f) - 0x3f000000u;
  uint32_t m = a < 0x38800000u ? tiny : normal;
  m = a >= 0x477ff000u ? 0x7c00u : m;
  m = a > 0x7f800000u ? (0x7e00u | ((a >> 13) & 0x3ffu)) : m;
  return static_cast<uint16_t>(m | (u >> 31 << 15));
}

// No denormal float is touched, so a host that flushes them gets the same values.
HWY_INLINE float f32_of_f16(uint16_t bits) {
  const uint32_t a = static_cast<uint32_t>(bits & 0x7fffu) << 13;
  const uint32_t normal = a + (112u << 23);
  const uint32_t tiny =
      bits_as<uint32_t>(bits_as<float>(a + (113u << 23)) - bits_as<float>(113u << 23));
  uint32_t m = a < (1u << 23) ? tiny : normal;
  m = a >= (31u << 23) ? (a | 0x7f800000u) : m;
  return bits_as<float>(m | (static_cast<uint32_t>(bits & 0x8000u) << 16));
}

void load_f16(void* out, const void* const* in, size_t n) {
  float* const o = static_cast<float*>(out);
  const uint16_t* const a = static_cast<const uint16_t*>(in[0]);
  NETCL_EACH(i, n) o[i] = f32_of_f16(a[i]);
}

void store_f16(void* out, const void* const* in, size_t n) {
  uint16_t* const o = static_cast<uint16_t*>(out);
  const float* const a = static_cast<const float*>(in[0]);
  NETCL_EACH(i, n) o[i] = f16_bits(a[i]);
}

void load_bf16(void* out, const void* const* in, size_t n) {
  float* const o = static_cast<float*>(out);
  const uint16_t* const a = static_cast<const uint16_t*>(in[0]);
  NETCL_EACH(i, n) o[i] = bits_as<float>(static_cast<uint32_t>(a[i]) << 16);
}

void store_bf16(void* out, const void* const* in, size_t n) {
  uint16_t* const o = static_cast<uint16_t*>(out);
  const float* const a = static_cast<const float*>(in[0]);
  NETCL_EACH(i, n) {
    o[i] = static_cast<uint16_t>(rounded_to_bf16(bits_as<uint32_t>(a[i])) >> 16);
  }
}

void load_bool(void* out, const void* const* in, size_t n) {
  uint8_t* const o = static_cast<uint8_t*>(out);
  const uint8_t* const a = static_cast<const uint8_t*>(in[0]);
  NETCL_EACH(i, n) o[i] = a[i] != 0 ? 1 : 0;
}

// To f32 so that a second rounding to fewer bits is as if it were the only one: what is lost shows
// in the last bit.
HWY_INLINE float to_odd(double value) {
  const float f = static_cast<float>(value);
  const double back = static_cast<double>(f);
  uint32_t u = bits_as<uint32_t>(f);
  u = __builtin_fabs(back) > __builtin_fabs(value) ? u - 1u : u;
  u = ((back != value) & (value == value)) ? u | 1u : u;
  return bits_as<float>(u);
}

template <class T>
HWY_INLINE float to_odd(T value) {
  if constexpr (kFloat<T> || sizeof(T) < 4) {
    return static_cast<float>(value);
  } else {
    using U = std::make_unsigned_t<T>;
    const bool negative = value < T(0);
    const U size = negative ? U(0) - static_cast<U>(value) : static_cast<U>(value);
    constexpr int bits = sizeof(T) * 8;
    // Only the first 17 bits are kept, and the last of them tells of the rest.
    int cut = 0;
    if (size != 0) {
      const int lead = bits == 64 ? __builtin_clzll(size)
                                  : __builtin_clz(static_cast<unsigned>(size));
      cut = lead < bits - 17 ? bits - 17 - lead : 0;
    }
    const U lost = size & ((U(1) << cut) - 1);
    const float f = static_cast<float>(((size >> cut) | U(lost != 0)) << cut);
    return negative ? -f : f;
  }
}

template <class From, bool kHalf>
void round_to_16(void* out, const void* const* in, size_t n) {
  float* const o = static_cast<float*>(out);
  const Stored<From>* const a = static_cast<const Stored<From>*>(in[0]);
  NETCL_EACH(i, n) {
    const uint32_t u = bits_as<uint32_t>(to_odd(a[i]));
    o[i] = bits_as<float>(kHalf ? rounded_to_f16(u) : rounded_to_bf16(u));
  }
}

template <class From>
BlockFunction convert_from(Op op, netcl_dtype to) {
  if (op == Op::round_f16) return round_to_16<From, true>;
  if (op == Op::round_bf16) return round_to_16<From, false>;
  switch (to) {
    case NETCL_F32: return convert<float, From>;
    case NETCL_F64: return convert<double, From>;
    case NETCL_I8: return convert<int8_t, From>;
    case NETCL_I16: return convert<int16_t, From>;
    case NETCL_I32: return convert<int32_t, From>;
    case NETCL_I64: return convert<int64_t, From>;
    case NETCL_U8: return convert<uint8_t, From>;
    case NETCL_U16: return convert<uint16_t, From>;
    case NETCL_U32: return convert<uint32_t, From>;
    case NETCL_U64: return convert<uint64_t, From>;
    default: return convert<Boolean, From>;
  }
}

BlockFunction find_convert(Op op, netcl_dtype from, netcl_dtype to) {
  switch (from) {
    case NETCL_F32: return convert_from<float>(op, to);
    case NETCL_F64: return convert_from<double>(op, to);
    case NETCL_I8: return convert_from<int8_t>(op, to);
    case NETCL_I16: return convert_from<int16_t>(op, to);
    case NETCL_I32: return convert_from<int32_t>(op, to);
    case NETCL_I64: return convert_from<int64_t>(op, to);
    case NETCL_U8: return convert_from<uint8_t>(op, to);
    case NETCL_U16: return convert_from<uint16_t>(op, to);
    case NETCL_U32: return convert_from<uint32_t>(op, to);
    case NETCL_U64: return convert_from<uint64_t>(op, to);
    default: return convert_from<Boolean>(op, to);
  }
}

BlockFunction find_load(netcl_dtype storage) {
  if (storage == NETCL_F16) return load_f16;
  if (storage == NETCL_BF16) return load_bf16;
  return storage == NETCL_BOOL ? load_bool : nullptr;
}

BlockFunction find_store(netcl_dtype storage) {
  if (storage == NETCL_F16) return store_f16;
  return storage == NETCL_BF16 ? store_bf16 : nullptr;
}

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::evaluate_detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace netcl::cpu {
namespace evaluate_detail {
HWY_EXPORT(find_convert);
HWY_EXPORT(find_load);
HWY_EXPORT(find_store);
}  // namespace evaluate_detail

BlockFunction convert_kernel(expression::Op op, netcl_dtype from, netcl_dtype to) {
  using namespace evaluate_detail;
  return HWY_DYNAMIC_DISPATCH(find_convert)(op, from, to);
}

BlockFunction load_kernel(netcl_dtype storage) {
  using namespace evaluate_detail;
  return HWY_DYNAMIC_DISPATCH(find_load)(storage);
}

BlockFunction store_kernel(netcl_dtype storage) {
  using namespace evaluate_detail;
  return HWY_DYNAMIC_DISPATCH(find_store)(storage);
}

}  // namespace netcl::cpu
#endif
