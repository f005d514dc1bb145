// The element types as the built-in device's plain loops see them: what is stored, what it is
// computed in, and a switch from a dtype to the type. Loops that have to be fast use Highway.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "core/dtype.hpp"

namespace netcl::cpu {

template <netcl_dtype kDtype, class Stored, class Computed = Stored>
struct PlainElement {
  static constexpr netcl_dtype dtype = kDtype;
  using Storage = Stored;
  using Compute = Computed;
  static Compute load(const Storage* p) { return static_cast<Compute>(*p); }
  static void store(Compute value, Storage* p) { *p = static_cast<Storage>(value); }
};

struct F16 {
  static constexpr netcl_dtype dtype = NETCL_F16;
  using Storage = uint16_t;
  using Compute = float;
  static float load(const uint16_t* p) { return f32_from_f16(*p); }
  static void store(float value, uint16_t* p) { *p = f16_from_f32(value); }
};
struct Bf16 {
  static constexpr netcl_dtype dtype = NETCL_BF16;
  using Storage = uint16_t;
  using Compute = float;
  static float load(const uint16_t* p) { return f32_from_bf16(*p); }
  static void store(float value, uint16_t* p) { *p = bf16_from_f32(value); }
};
// Every byte but zero is true; 0 and 1 are what is written.
struct Bool {
  static constexpr netcl_dtype dtype = NETCL_BOOL;
  using Storage = uint8_t;
  using Compute = int32_t;
  static int32_t load(const uint8_t* p) { return *p != 0; }
  static void store(int32_t value, uint8_t* p) { *p = value != 0; }
};
using F32 = PlainElement<NETCL_F32, float>;
using F64 = PlainElement<NETCL_F64, double>;
using I8 = PlainElement<NETCL_I8, int8_t, int32_t>;
using I16 = PlainElement<NETCL_I16, int16_t, int32_t>;
using I32 = PlainElement<NETCL_I32, int32_t>;
using I64 = PlainElement<NETCL_I64, int64_t>;
using U8 = PlainElement<NETCL_U8, uint8_t, uint32_t>;
using U16 = PlainElement<NETCL_U16, uint16_t, uint32_t>;
using U32 = PlainElement<NETCL_U32, uint32_t>;
using U64 = PlainElement<NETCL_U64, uint64_t>;

// Calls function(F32()), function(I8()) ...: the element type as an empty value.
template <class Function>
decltype(auto) with_float(netcl_dtype dtype, Function&& function) {
  switch (dtype) {
    case NETCL_F16:
      return function(F16());
    case NETCL_BF16:
      return function(Bf16());
    case NETCL_F32:
      return function(F32());
    case NETCL_F64:
      return function(F64());
    default:
      fail(NETCL_ERROR_INTERNAL, "dtype %d is no float", dtype);
  }
}
template <class Function>
decltype(auto) with_dtype(netcl_dtype dtype, Function&& function) {
  switch (dtype) {
    case NETCL_I8:
      return function(I8());
    case NETCL_I16:
      return function(I16());
    case NETCL_I32:
      return function(I32());
    case NETCL_I64:
      return function(I64());
    case NETCL_U8:
      return function(U8());
    case NETCL_U16:
      return function(U16());
    case NETCL_U32:
      return function(U32());
    case NETCL_U64:
      return function(U64());
    case NETCL_BOOL:
      return function(Bool());
    default:
      return with_float(dtype, std::forward<Function>(function));
  }
}

}  // namespace netcl::cpu
