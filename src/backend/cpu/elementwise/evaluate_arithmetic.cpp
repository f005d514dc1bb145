// Loops for arithmetic, comparisons, bits and choices. They are plain loops, vectorised by the
// compiler once for each instruction set.
#include "backend/cpu/elementwise/evaluate_kernels.hpp"
#include "backend/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/elementwise/evaluate_arithmetic.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "backend/cpu/elementwise/evaluate_functions-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::evaluate_detail {
namespace HWY_NAMESPACE {

using expression::Op;

// The function that all numeric dtypes have.
template <class T>
BlockFunction numeric(Op op) {
  switch (op) {
    case Op::add: return binary<Add, T>;
    case Op::sub: return binary<Sub, T>;
    case Op::mul: return binary<Mul, T>;
    case Op::div: return binary<Div, T>;
    case Op::mod: return binary<Mod, T>;
    case Op::neg: return unary<Neg, T>;
    case Op::abs: return unary<Abs, T>;
    case Op::sign: return unary<Sign, T>;
    case Op::square: return unary<Square, T>;
    case Op::relu: return unary<Relu, T>;
    case Op::floor: return unary<Floor, T>;
    case Op::ceil: return unary<Ceil, T>;
    case Op::round: return unary<Round, T>;
    case Op::trunc: return unary<Trunc, T>;
    case Op::min: return binary<Min, T>;
    case Op::max: return binary<Max, T>;
    case Op::clamp: return ternary<Clamp, T>;
    case Op::fma: return ternary<Fma, T>;
    default: return nullptr;
  }
}

template <class T>
BlockFunction integer(Op op) {
  switch (op) {
    case Op::bit_not: return unary<BitNot, T>;
    case Op::shift_left: return binary<ShiftLeft, T>;
    case Op::shift_right: return binary<ShiftRight, T>;
    case Op::ipow: return binary<IntegerPower, T>;
    default: return nullptr;
  }
}

// Logical ops of booleans are the bit ops of 0 and 1.
template <class T>
BlockFunction bits(Op op) {
  switch (op) {
    case Op::bit_and: case Op::logical_and: return binary<BitAnd, T>;
    case Op::bit_or: case Op::logical_or: return binary<BitOr, T>;
    case Op::bit_xor: case Op::logical_xor: return binary<BitXor, T>;
    case Op::logical_not: return unary<LogicalNot, T>;
    default: return nullptr;
  }
}

template <class T>
BlockFunction general(Op op) {
  switch (op) {
    case Op::eq: return compare<Eq, T>;
    case Op::ne: return compare<Ne, T>;
    case Op::lt: return compare<Lt, T>;
    case Op::le: return compare<Le, T>;
    case Op::gt: return compare<Gt, T>;
    case Op::ge: return compare<Ge, T>;
    case Op::isnan: return classify<IsNan, T>;
    case Op::isinf: return classify<IsInf, T>;
    case Op::isfinite: return classify<IsFinite, T>;
    case Op::where: return choose<T>;
    default: return nullptr;
  }
}

template <class T>
BlockFunction of_integer(Op op) {
  if (BlockFunction f = general<T>(op)) return f;
  if (BlockFunction f = numeric<T>(op)) return f;
  if (BlockFunction f = bits<T>(op)) return f;
  return integer<T>(op);
}

template <class T>
BlockFunction of_float(Op op) {
  if (op == Op::reciprocal) return unary<Reciprocal, T>;
  if (op == Op::softsign) return unary<SoftSign, T>;
  if (op == Op::leaky_relu) return binary<LeakyRelu, T>;
  if (BlockFunction f = general<T>(op)) return f;
  return numeric<T>(op);
}

BlockFunction find_arithmetic(Op op, netcl_dtype dtype) {
  switch (dtype) {
    case NETCL_F32: return of_float<float>(op);
    case NETCL_F64: return of_float<double>(op);
    case NETCL_I8: return of_integer<int8_t>(op);
    case NETCL_I16: return of_integer<int16_t>(op);
    case NETCL_I32: return of_integer<int32_t>(op);
    case NETCL_I64: return of_integer<int64_t>(op);
    case NETCL_U8: return of_integer<uint8_t>(op);
    case NETCL_U16: return of_integer<uint16_t>(op);
    case NETCL_U32: return of_integer<uint32_t>(op);
    case NETCL_U64: return of_integer<uint64_t>(op);
    default: break;
  }
  if (BlockFunction f = general<uint8_t>(op)) return f;
  return bits<uint8_t>(op);
}

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::evaluate_detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace netcl::cpu {
namespace evaluate_detail {
HWY_EXPORT(find_arithmetic);
}  // namespace evaluate_detail

BlockFunction arithmetic_kernel(expression::Op op, netcl_dtype dtype) {
  using namespace evaluate_detail;
  return HWY_DYNAMIC_DISPATCH(find_arithmetic)(op, dtype);
}

}  // namespace netcl::cpu
#endif
