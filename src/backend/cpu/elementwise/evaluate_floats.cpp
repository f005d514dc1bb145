// Loops for arithmetic, comparisons, and choices of f32 and f64. They are plain loops,
// vectorised by the compiler once for each instruction set.
#include "backend/cpu/elementwise/evaluate_kernels.hpp"
#include "backend/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/elementwise/evaluate_floats.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "backend/cpu/elementwise/evaluate_arithmetic-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::evaluate_detail {
namespace HWY_NAMESPACE {

template <class T>
BlockFunction floating(Op op) {
  if (op == Op::reciprocal) return unary<Reciprocal, T>;
  if (op == Op::softsign) return unary<SoftSign, T>;
  if (op == Op::leaky_relu) return binary<LeakyRelu, T>;
  if (BlockFunction f = by_bits_of_any<T>(op)) return f;
  if (BlockFunction f = by_value_of_any<T>(op)) return f;
  if (BlockFunction f = by_bits<T>(op)) return f;
  return by_value<T>(op);
}

BlockFunction find_float(Op op, netcl_dtype dtype) {
  return dtype == NETCL_F32 ? floating<float>(op) : floating<double>(op);
}

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::evaluate_detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace netcl::cpu {
namespace evaluate_detail {
HWY_EXPORT(find_float);
}  // namespace evaluate_detail

BlockFunction float_kernel(expression::Op op, netcl_dtype dtype) {
  using namespace evaluate_detail;
  return HWY_DYNAMIC_DISPATCH(find_float)(op, dtype);
}

}  // namespace netcl::cpu
#endif
