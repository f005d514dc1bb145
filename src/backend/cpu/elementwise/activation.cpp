#include "backend/cpu/elementwise/activation.hpp"

#include <algorithm>
#include <type_traits>

#include "backend/cpu/elementwise/evaluate_kernels.hpp"
#include "backend/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/elementwise/activation.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::activation_detail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Comparisons with NaN are false, and each selection keeps x or what was made of it then.
struct Relu {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x, V, V) {
    return hn::IfThenElse(hn::Le(x, hn::Zero(d)), hn::Zero(d), x);
  }
};
struct LeakyRelu {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x, V a, V) {
    return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Mul(a, x), x);
  }
};
struct Clip {
  template <class D, class V>
  static HWY_INLINE V call(D, V x, V low, V high) {
    const V y = hn::IfThenElse(hn::Lt(x, low), low, x);
    return hn::IfThenElse(hn::Gt(y, high), high, y);
  }
};
struct HardSigmoid {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x, V a, V b) {
    return Clip::call(d, hn::Add(hn::Mul(a, x), b), hn::Zero(d), hn::Set(d, 1));
  }
};
struct HardSwish {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x, V, V) {
    const V y = hn::Add(hn::Div(x, hn::Set(d, 6)), hn::Set(d, hn::TFromD<D>(0.5)));
    return hn::Mul(x, Clip::call(d, y, hn::Zero(d), hn::Set(d, 1)));
  }
};

template <class F, class T>
void map(T alpha, T beta, T* x, size_t n) {
  const hn::ScalableTag<T> d;
  const size_t lanes = hn::Lanes(d);
  const auto a = hn::Set(d, alpha);
  const auto b = hn::Set(d, beta);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::StoreU(F::call(d, hn::LoadU(d, x + i), a, b), d, x + i);
  }
  const hn::CappedTag<T, 1> one;
  for (; i < n; ++i) {
    const auto y = F::call(one, hn::LoadU(one, x + i), hn::Set(one, alpha), hn::Set(one, beta));
    hn::StoreU(y, one, x + i);
  }
}

template <class T>
void simple(netcl_activation activation, T alpha, T beta, T* x, size_t n) {
  switch (activation) {
    case NETCL_ACTIVATION_RELU:
      return map<Relu>(alpha, beta, x, n);
    case NETCL_ACTIVATION_LEAKY_RELU:
      return map<LeakyRelu>(alpha, beta, x, n);
    case NETCL_ACTIVATION_HARD_SIGMOID:
      return map<HardSigmoid>(alpha, beta, x, n);
    case NETCL_ACTIVATION_HARD_SWISH:
      return map<HardSwish>(alpha, beta, x, n);
    case NETCL_ACTIVATION_CLIP:
      return map<Clip>(alpha, beta, x, n);
    default:
      return;
  }
}

void simple_f32(netcl_activation activation, float alpha, float beta, float* x, size_t n) {
  simple(activation, alpha, beta, x, n);
}
void simple_f64(netcl_activation activation, double alpha, double beta, double* x, size_t n) {
  simple(activation, alpha, beta, x, n);
}

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::activation_detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace netcl::cpu {
namespace activation_detail {

HWY_EXPORT(simple_f32);
HWY_EXPORT(simple_f64);

using expression::Op;

template <class T>
void by_expression(Op op, T* x, size_t n) {
  const void* const in[] = {x};
  math_kernel(op, std::is_same_v<T, double> ? NETCL_F64 : NETCL_F32)(x, in, n);
}

// The loop of elu takes its parameter as an array.
template <class T>
void elu(T alpha, T* x, size_t n) {
  constexpr size_t kBlock = 256;
  T alphas[kBlock];
  std::fill_n(alphas, std::min(n, kBlock), alpha);
  const BlockFunction function =
      math_kernel(Op::elu, std::is_same_v<T, double> ? NETCL_F64 : NETCL_F32);
  for (size_t i = 0; i < n; i += kBlock) {
    const void* const in[] = {x + i, alphas};
    function(x + i, in, std::min(kBlock, n - i));
  }
}

template <class T>
void apply(netcl_activation activation, T alpha, T beta, T* x, size_t n) {
  switch (activation) {
    case NETCL_ACTIVATION_NONE:
      return;
    case NETCL_ACTIVATION_ELU:
      return elu(alpha, x, n);
    case NETCL_ACTIVATION_SIGMOID:
      return by_expression(Op::sigmoid, x, n);
    case NETCL_ACTIVATION_TANH:
      return by_expression(Op::tanh, x, n);
    case NETCL_ACTIVATION_SILU:
      return by_expression(Op::silu, x, n);
    case NETCL_ACTIVATION_GELU:
      return by_expression(Op::gelu, x, n);
    case NETCL_ACTIVATION_GELU_TANH:
      return by_expression(Op::gelu_tanh, x, n);
    case NETCL_ACTIVATION_SOFTPLUS:
      return by_expression(Op::softplus, x, n);
    default:
      if constexpr (std::is_same_v<T, double>) {
        return HWY_DYNAMIC_DISPATCH(simple_f64)(activation, alpha, beta, x, n);
      } else {
        return HWY_DYNAMIC_DISPATCH(simple_f32)(activation, alpha, beta, x, n);
      }
  }
}

}  // namespace activation_detail

void activate(netcl_activation activation, float alpha, float beta, float* x, size_t n) {
  activation_detail::apply(activation, alpha, beta, x, n);
}

void activate(netcl_activation activation, double alpha, double beta, double* x, size_t n) {
  activation_detail::apply(activation, alpha, beta, x, n);
}

}  // namespace netcl::cpu
#endif
