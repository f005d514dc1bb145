#include "backend/cpu/optimizer/optimizer_kernels.hpp"

#include "backend/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/optimizer/optimizer_kernels.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::optimizer_detail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// One vector of elements from `at` on.
template <class D, class T = hn::TFromD<D>>
class Update {
 public:
  using V = hn::Vec<D>;
  Update(OptimizerKind kind, const OptimizerFactors<T>& factors, const OptimizerRun<T>& run,
         size_t at)
      : kind_(kind), f_(factors), run_(run), at_(at) {}

  HWY_INLINE void run() {
    V p = hn::LoadU(d_, run_.parameter + at_);
    V g = hn::Mul(hn::LoadU(d_, run_.gradient + at_), set(f_.gradient));
    if (f_.decay != 0) g = hn::MulAdd(set(f_.decay), p, g);
    if (f_.shrink != 1) p = hn::Mul(p, set(f_.shrink));
    const V step = direction(g);
    hn::StoreU(hn::NegMulAdd(set(f_.learning_rate), step, p), d_, run_.parameter + at_);
  }

 private:
  HWY_INLINE V set(T value) const { return hn::Set(d_, value); }
  HWY_INLINE V state(int which) const { return hn::LoadU(d_, run_.states[which] + at_); }
  HWY_INLINE V keep(int which, V value) const {
    hn::StoreU(value, d_, run_.states[which] + at_);
    return value;
  }

  HWY_INLINE V direction(V g) {
    switch (kind_.rule) {
      case OptimizerRule::sgd:
        return sgd(g);
      case OptimizerRule::adam:
        return adam(g);
      case OptimizerRule::rmsprop:
        return rmsprop(g);
      default:
        return hn::Div(g, hn::Add(hn::Sqrt(keep(0, hn::MulAdd(g, g, state(0)))), set(f_.epsilon)));
    }
  }
  HWY_INLINE V sgd(V g) {
    if (run_.states[0] == nullptr) return g;
    const V b = keep(0, hn::MulAdd(set(f_.kept), state(0), hn::Mul(set(f_.share), g)));
    return kind_.nesterov ? hn::MulAdd(set(f_.momentum), b, g) : b;
  }
  // m + share (g - m)
  HWY_INLINE V average(int which, V g) {
    const V m = state(which);
    return keep(which, hn::MulAdd(set(f_.share), hn::Sub(g, m), m));
  }
  HWY_INLINE V squares(int which, V g) {
    return keep(which, hn::MulAdd(set(f_.square_kept), state(which),
                                  hn::Mul(hn::Mul(set(f_.square_share), g), g)));
  }
  HWY_INLINE V adam(V g) {
    const V m = average(0, g);
    V v = squares(1, g);
    if (run_.states[2] != nullptr) {
      // A NaN of either stays.
      const V most = state(2);
      v = keep(2, hn::IfThenElse(hn::Ge(most, v), most, hn::IfThenElse(hn::IsNaN(most), most, v)));
    }
    return hn::Div(m, hn::MulAdd(hn::Sqrt(v), set(f_.root), set(f_.epsilon)));
  }
  HWY_INLINE V rmsprop(V g) {
    V v = squares(0, g);
    if (run_.states[2] != nullptr) {
      const V m = average(2, g);
      const V variance = hn::NegMulAdd(m, m, v);
      v = hn::IfThenElse(hn::Lt(variance, hn::Zero(d_)), hn::Zero(d_), variance);
    }
    const V step = hn::Div(g, hn::Add(hn::Sqrt(v), set(f_.epsilon)));
    if (run_.states[1] == nullptr) return step;
    return keep(1, hn::MulAdd(set(f_.momentum), state(1), step));
  }

  const OptimizerKind kind_;
  const OptimizerFactors<T>& f_;
  const OptimizerRun<T>& run_;
  const size_t at_;
  const D d_{};
};

template <class T>
void update(OptimizerKind kind, const OptimizerFactors<T>& factors, const OptimizerRun<T>& run) {
  const hn::ScalableTag<T> d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= run.count; i += lanes) {
    Update<hn::ScalableTag<T>>(kind, factors, run, i).run();
  }
  for (; i < run.count; ++i) Update<hn::CappedTag<T, 1>>(kind, factors, run, i).run();
}

void update_f32(OptimizerKind kind, const OptimizerFactors<float>& factors,
                const OptimizerRun<float>& run) {
  update(kind, factors, run);
}
void update_f64(OptimizerKind kind, const OptimizerFactors<double>& factors,
                const OptimizerRun<double>& run) {
  update(kind, factors, run);
}

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::optimizer_detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace netcl::cpu {
namespace optimizer_detail {
HWY_EXPORT(update_f32);
HWY_EXPORT(update_f64);
}  // namespace optimizer_detail

void optimizer_update(OptimizerKind kind, const OptimizerFactors<float>& factors,
                      const OptimizerRun<float>& run) {
  using namespace optimizer_detail;
  HWY_DYNAMIC_DISPATCH(update_f32)(kind, factors, run);
}
void optimizer_update(OptimizerKind kind, const OptimizerFactors<double>& factors,
                      const OptimizerRun<double>& run) {
  using namespace optimizer_detail;
  HWY_DYNAMIC_DISPATCH(update_f64)(kind, factors, run);
}

}  // namespace netcl::cpu
#endif
