// Loops for exponentials, trigonometry and activations of f32 and f64.
//
// f32 goes through vectors where a vector function within 4 ULP exists; a few of them work in f64
// lanes, which makes their error the final rounding. The rest, and f64, call libm.
#include <cstring>

#include "backend/cpu/elementwise/evaluate_kernels.hpp"
#include "backend/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/elementwise/evaluate_math.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "backend/cpu/elementwise/evaluate_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::evaluate_detail {
namespace HWY_NAMESPACE {

using expression::Op;

// One vector at a time. The last, partial vector goes through a padded copy.
template <class F, class T>
void map(void* out, const void* const* in, size_t n) {
  const hn::ScalableTag<T> d;
  T* const o = static_cast<T*>(out);
  const T* const a = static_cast<const T*>(in[0]);
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(F::call(d, hn::LoadU(d, a + i)), d, o + i);
  if (i == n) return;
  HWY_ALIGN T rest[hn::MaxLanes(hn::ScalableTag<T>())] = {};
  std::memcpy(rest, a + i, (n - i) * sizeof *a);
  hn::StoreU(F::call(d, hn::LoadU(d, rest)), d, rest);
  std::memcpy(o + i, rest, (n - i) * sizeof *o);
}

template <class F>
void map2(void* out, const void* const* in, size_t n) {
  const hn::ScalableTag<float> d;
  float* const o = static_cast<float*>(out);
  const float* const a = static_cast<const float*>(in[0]);
  const float* const b = static_cast<const float*>(in[1]);
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::StoreU(F::call(d, hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, o + i);
  }
  if (i == n) return;
  HWY_ALIGN float rest[2][hn::MaxLanes(hn::ScalableTag<float>())] = {};
  std::memcpy(rest[0], a + i, (n - i) * sizeof *a);
  std::memcpy(rest[1], b + i, (n - i) * sizeof *b);
  hn::StoreU(F::call(d, hn::LoadU(d, rest[0]), hn::LoadU(d, rest[1])), d, rest[0]);
  std::memcpy(o + i, rest[0], (n - i) * sizeof *o);
}

// f32 in memory, f64 in registers.
template <class F>
void map_wide(void* out, const void* const* in, size_t n) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> narrow;
  float* const o = static_cast<float*>(out);
  const float* const a = static_cast<const float*>(in[0]);
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto x = hn::PromoteTo(d, hn::LoadU(narrow, a + i));
    hn::StoreU(hn::DemoteTo(narrow, F::call(d, x)), narrow, o + i);
  }
  if (i == n) return;
  HWY_ALIGN float rest[hn::MaxLanes(hn::ScalableTag<double>())] = {};
  std::memcpy(rest, a + i, (n - i) * sizeof *a);
  const auto x = hn::PromoteTo(d, hn::LoadU(narrow, rest));
  hn::StoreU(hn::DemoteTo(narrow, F::call(d, x)), narrow, rest);
  std::memcpy(o + i, rest, (n - i) * sizeof *o);
}

// Calls scalar(k) for each lane that is not set.
template <class D, class M, class Scalar>
HWY_INLINE void each_unset(D d, M mask, const Scalar& scalar) {
  if (HWY_LIKELY(hn::AllTrue(d, mask))) return;
  uint8_t bits[hn::MaxLanes(d) < 8 ? 8 : hn::MaxLanes(d)];
  hn::StoreMaskBits(d, mask, bits);
  for (size_t k = 0; k < hn::Lanes(d); ++k) {
    if ((bits[k / 8] >> k % 8 & 1) == 0) scalar(k);
  }
}

// One vector. Values that the vector function does not take go to libm; what a value gives does not
// depend on those beside it.
template <class F, class D>
HWY_INLINE void ranged(D d, const float* a, float* o) {
  const auto x = hn::LoadU(d, a);
  HWY_ALIGN float given[hn::MaxLanes(d)];
  hn::Store(x, d, given);
  hn::StoreU(F::call(d, x), d, o);
  each_unset(d, F::valid(d, x), [&](size_t k) { o[k] = F::scalar(given[k]); });
}

template <class F>
void map_ranged(void* out, const void* const* in, size_t n) {
  const hn::ScalableTag<float> d;
  float* const o = static_cast<float*>(out);
  const float* const a = static_cast<const float*>(in[0]);
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) ranged<F>(d, a + i, o + i);
  if (i == n) return;
  HWY_ALIGN float rest[hn::MaxLanes(d)] = {};
  std::memcpy(rest, a + i, (n - i) * sizeof *a);
  ranged<F>(d, rest, rest);
  std::memcpy(o + i, rest, (n - i) * sizeof *o);
}

template <class D>
HWY_INLINE void ranged_pow(D d, const float* a, const float* b, float* o) {
  const hn::Rebind<float, D> narrow;
  const auto x = hn::LoadU(narrow, a);
  const auto y = hn::LoadU(narrow, b);
  HWY_ALIGN float given[2][hn::MaxLanes(narrow)];
  hn::StoreU(x, narrow, given[0]);
  hn::StoreU(y, narrow, given[1]);
  const auto z = Pow::call(d, hn::PromoteTo(d, x), hn::PromoteTo(d, y));
  hn::StoreU(hn::DemoteTo(narrow, z), narrow, o);
  each_unset(narrow, Pow::valid(narrow, x, y),
             [&](size_t k) { o[k] = std::pow(given[0][k], given[1][k]); });
}

void map_pow(void* out, const void* const* in, size_t n) {
  const hn::ScalableTag<double> d;
  float* const o = static_cast<float*>(out);
  const float* const a = static_cast<const float*>(in[0]);
  const float* const b = static_cast<const float*>(in[1]);
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) ranged_pow(d, a + i, b + i, o + i);
  if (i == n) return;
  HWY_ALIGN float rest[2][hn::MaxLanes(d)] = {};
  std::memcpy(rest[0], a + i, (n - i) * sizeof *a);
  std::memcpy(rest[1], b + i, (n - i) * sizeof *b);
  ranged_pow(d, rest[0], rest[1], rest[0]);
  std::memcpy(o + i, rest[0], (n - i) * sizeof *o);
}

template <class F, class T>
void scalar1(void* out, const void* const* in, size_t n) {
  T* const o = static_cast<T*>(out);
  const T* const a = static_cast<const T*>(in[0]);
  for (size_t i = 0; i < n; ++i) o[i] = F::call(a[i]);
}

template <class F, class T>
void scalar2(void* out, const void* const* in, size_t n) {
  T* const o = static_cast<T*>(out);
  const T* const a = static_cast<const T*>(in[0]);
  const T* const b = static_cast<const T*>(in[1]);
  for (size_t i = 0; i < n; ++i) o[i] = F::call(a[i], b[i]);
}

template <class T>
BlockFunction of_libm(Op op) {
  switch (op) {
    case Op::exp: return scalar1<LibmExp, T>;
    case Op::exp2: return scalar1<LibmExp2, T>;
    case Op::expm1: return scalar1<LibmExpm1, T>;
    case Op::log: return scalar1<LibmLog, T>;
    case Op::log2: return scalar1<LibmLog2, T>;
    case Op::log10: return scalar1<LibmLog10, T>;
    case Op::log1p: return scalar1<LibmLog1p, T>;
    case Op::pow: return scalar2<LibmPow, T>;
    case Op::sin: return scalar1<LibmSin, T>;
    case Op::cos: return scalar1<LibmCos, T>;
    case Op::tan: return scalar1<LibmTan, T>;
    case Op::asin: return scalar1<LibmAsin, T>;
    case Op::acos: return scalar1<LibmAcos, T>;
    case Op::atan: return scalar1<LibmAtan, T>;
    case Op::atan2: return scalar2<LibmAtan2, T>;
    case Op::sinh: return scalar1<LibmSinh, T>;
    case Op::cosh: return scalar1<LibmCosh, T>;
    case Op::tanh: return scalar1<LibmTanh, T>;
    case Op::asinh: return scalar1<LibmAsinh, T>;
    case Op::acosh: return scalar1<LibmAcosh, T>;
    case Op::atanh: return scalar1<LibmAtanh, T>;
    case Op::erf: return scalar1<LibmErf, T>;
    case Op::erfc: return scalar1<LibmErfc, T>;
    case Op::sigmoid: return scalar1<LibmSigmoid, T>;
    case Op::silu: return scalar1<LibmSilu, T>;
    case Op::gelu: return scalar1<LibmGelu, T>;
    case Op::gelu_tanh: return scalar1<LibmGeluTanh, T>;
    case Op::softplus: return scalar1<LibmSoftplus, T>;
    case Op::mish: return scalar1<LibmMish, T>;
    case Op::elu: return scalar2<LibmElu, T>;
    default: return nullptr;
  }
}

BlockFunction of_vectors(Op op) {
  if (op == Op::sqrt) return map<Sqrt, float>;
  if (op == Op::rsqrt) return map<Rsqrt, float>;
  // Without vector registers libm is faster, and Highway saturates where f64 overflows f32.
  if (HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128) return of_libm<float>(op);
  switch (op) {
    case Op::exp: return map<Exp, float>;
    case Op::exp2: return map<Exp2, float>;
    case Op::expm1: return map<Expm1, float>;
    case Op::log: return map<Log, float>;
    case Op::log2: return map<Log2, float>;
    case Op::log10: return map<Log10, float>;
    case Op::log1p: return map<Log1p, float>;
    case Op::pow: return map_pow;
    case Op::sin: return map_ranged<Sin>;
    case Op::cos: return map_ranged<Cos>;
    case Op::asin: return map<Asin, float>;
    case Op::acos: return map<Acos, float>;
    case Op::atan: return map<Atan, float>;
    case Op::sinh: return map<Sinh, float>;
    case Op::cosh: return map<Cosh, float>;
    case Op::tanh: return map<Tanh, float>;
    case Op::erf: return map_wide<Erf>;
    case Op::erfc: return map_wide<Erfc>;
    case Op::sigmoid: return map<Sigmoid, float>;
    case Op::silu: return map<Silu, float>;
    case Op::gelu: return map<Gelu, float>;
    case Op::gelu_tanh: return map<GeluTanh, float>;
    case Op::softplus: return map<Softplus, float>;
    case Op::mish: return map<Mish, float>;
    case Op::asinh: return map_wide<Asinh>;
    case Op::acosh: return map_wide<Acosh>;
    case Op::atanh: return map_wide<Atanh>;
    case Op::elu: return map2<Elu>;
    default: return of_libm<float>(op);
  }
}

BlockFunction find_math(Op op, netcl_dtype dtype) {
  if (dtype == NETCL_F64) {
    if (op == Op::sqrt) return map<Sqrt, double>;
    if (op == Op::rsqrt) return map<Rsqrt, double>;
    return of_libm<double>(op);
  }
  return dtype == NETCL_F32 ? of_vectors(op) : nullptr;
}

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::evaluate_detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace netcl::cpu {
namespace evaluate_detail {
HWY_EXPORT(find_math);
}  // namespace evaluate_detail

BlockFunction math_kernel(expression::Op op, netcl_dtype dtype) {
  using namespace evaluate_detail;
  return HWY_DYNAMIC_DISPATCH(find_math)(op, dtype);
}

}  // namespace netcl::cpu
#endif
