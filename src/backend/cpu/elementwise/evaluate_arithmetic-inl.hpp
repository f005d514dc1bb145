// Which loop does a function that integers and floats have. Included once per instruction set;
// everything is inside the namespace of the set.
#if defined(NETCL_EVALUATE_ARITHMETIC_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef NETCL_EVALUATE_ARITHMETIC_INL
#undef NETCL_EVALUATE_ARITHMETIC_INL
#else
#define NETCL_EVALUATE_ARITHMETIC_INL
#endif

#include "backend/cpu/elementwise/evaluate_functions-inl.hpp"
#include "expression/op.hpp"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::evaluate_detail {
namespace HWY_NAMESPACE {

using expression::Op;

// Results that depend on the bits of an integer alone: the unsigned type serves for both signs.
template <class T>
BlockFunction by_bits(Op op) {
  switch (op) {
    case Op::add: return binary<Add, T>;
    case Op::sub: return binary<Sub, T>;
    case Op::mul: return binary<Mul, T>;
    case Op::neg: return unary<Neg, T>;
    case Op::square: return unary<Square, T>;
    case Op::fma: return ternary<Fma, T>;
    case Op::floor: return unary<Floor, T>;
    case Op::ceil: return unary<Ceil, T>;
    case Op::round: return unary<Round, T>;
    case Op::trunc: return unary<Trunc, T>;
    default: return nullptr;
  }
}

// The same of functions that bool has too.
template <class T>
BlockFunction by_bits_of_any(Op op) {
  switch (op) {
    case Op::eq: return compare<Eq, T>;
    case Op::ne: return compare<Ne, T>;
    case Op::isnan: return classify<IsNan, T>;
    case Op::isinf: return classify<IsInf, T>;
    case Op::isfinite: return classify<IsFinite, T>;
    case Op::where: return choose<T>;
    default: return nullptr;
  }
}

template <class T>
BlockFunction by_value(Op op) {
  switch (op) {
    case Op::div: return binary<Div, T>;
    case Op::mod: return binary<Mod, T>;
    case Op::abs: return unary<Abs, T>;
    case Op::sign: return unary<Sign, T>;
    case Op::relu: return unary<Relu, T>;
    case Op::min: return binary<Min, T>;
    case Op::max: return binary<Max, T>;
    case Op::clamp: return ternary<Clamp, T>;
    default: return nullptr;
  }
}

template <class T>
BlockFunction by_value_of_any(Op op) {
  switch (op) {
    case Op::lt: return compare<Lt, T>;
    case Op::le: return compare<Le, T>;
    case Op::gt: return compare<Gt, T>;
    case Op::ge: return compare<Ge, T>;
    default: return nullptr;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::evaluate_detail
HWY_AFTER_NAMESPACE();

#endif
