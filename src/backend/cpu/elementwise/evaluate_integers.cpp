// Loops for arithmetic, comparisons, bits and choices of integers and bool. They are plain
// loops, vectorised by the compiler once for each instruction set.
#include "backend/cpu/elementwise/evaluate_kernels.hpp"
#include "backend/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/elementwise/evaluate_integers.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "backend/cpu/elementwise/evaluate_arithmetic-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::evaluate_detail {
namespace HWY_NAMESPACE {

// Logical ops of booleans are the bit ops of 0 and 1.
template <class T>
BlockFunction bitwise(Op op) {
  switch (op) {
    case Op::bit_and: case Op::logical_and: return binary<BitAnd, T>;
    case Op::bit_or: case Op::logical_or: return binary<BitOr, T>;
    case Op::bit_xor: case Op::logical_xor: return binary<BitXor, T>;
    case Op::logical_not: return unary<LogicalNot, T>;
    default: return nullptr;
  }
}

BlockFunction boolean(Op op) {
  if (BlockFunction f = by_bits_of_any<uint8_t>(op)) return f;
  if (BlockFunction f = by_value_of_any<uint8_t>(op)) return f;
  return bitwise<uint8_t>(op);
}

template <class T>
BlockFunction integer(Op op) {
  using Bits = std::make_unsigned_t<T>;
  if (op == Op::bit_not) return unary<BitNot, Bits>;
  if (op == Op::shift_left) return binary<ShiftLeft, Bits>;
  if (op == Op::shift_right) return binary<ShiftRight, T>;
  if (op == Op::ipow) return binary<IntegerPower, T>;
  if (BlockFunction f = by_bits_of_any<Bits>(op)) return f;
  if (BlockFunction f = by_value_of_any<T>(op)) return f;
  if (BlockFunction f = by_bits<Bits>(op)) return f;
  if (BlockFunction f = by_value<T>(op)) return f;
  return bitwise<Bits>(op);
}

BlockFunction find_integer(Op op, netcl_dtype dtype) {
  switch (dtype) {
    case NETCL_I8: return integer<int8_t>(op);
    case NETCL_I16: return integer<int16_t>(op);
    case NETCL_I32: return integer<int32_t>(op);
    case NETCL_I64: return integer<int64_t>(op);
    case NETCL_U8: return integer<uint8_t>(op);
    case NETCL_U16: return integer<uint16_t>(op);
    case NETCL_U32: return integer<uint32_t>(op);
    case NETCL_U64: return integer<uint64_t>(op);
    default: return boolean(op);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::evaluate_detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace netcl::cpu {
namespace evaluate_detail {
HWY_EXPORT(find_integer);
}  // namespace evaluate_detail

BlockFunction integer_kernel(expression::Op op, netcl_dtype dtype) {
  using namespace evaluate_detail;
  return HWY_DYNAMIC_DISPATCH(find_integer)(op, dtype);
}

}  // namespace netcl::cpu
#endif
