// Loops for two ops at once, and copies past the caches.
#include "backend/cpu/elementwise/evaluate_kernels.hpp"
#include "backend/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/elementwise/evaluate_fused.cpp"
#include "hwy/foreach_target.h"
#include "hwy/cache_control.h"
#include "hwy/highway.h"

#include "backend/cpu/elementwise/evaluate_functions-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::evaluate_detail {
namespace HWY_NAMESPACE {

using expression::Op;

template <class First, class Second>
struct Then {
  template <class T>
  static HWY_INLINE T call(T a, T b, T c) { return Second::call(First::call(a, b), c); }
};

template <class First, class Second>
struct ThenOne {
  template <class T>
  static HWY_INLINE T call(T a, T b) { return Second::call(First::call(a, b)); }
};

template <class First, class T>
BlockFunction fused_after(Op second, bool left) {
  switch (second) {
    case Op::relu: return binary<ThenOne<First, Relu>, T>;
    case Op::abs: return binary<ThenOne<First, Abs>, T>;
    case Op::square: return binary<ThenOne<First, Square>, T>;
    case Op::add: return ternary<Then<First, Add>, T>;
    case Op::mul: return ternary<Then<First, Mul>, T>;
    case Op::sub:
      return left ? ternary<Then<First, Sub>, T> : ternary<Then<First, SubFrom>, T>;
    default: return nullptr;
  }
}

template <class T>
BlockFunction fused(Op first, Op second, bool left) {
  switch (first) {
    case Op::add: return fused_after<Add, T>(second, left);
    case Op::sub: return fused_after<Sub, T>(second, left);
    case Op::mul: return fused_after<Mul, T>(second, left);
    default: return nullptr;
  }
}

// Whole vectors go past the caches; the rest, less than one, takes the ordinary way.
void copy_past_caches(void* out, const void* in, size_t bytes,
                      std::span<const void* const> ahead) {
  const hwy::HWY_NAMESPACE::ScalableTag<uint8_t> d;
  uint8_t* const o = static_cast<uint8_t*>(out);
  const uint8_t* const a = static_cast<const uint8_t*>(in);
  const size_t lanes = hwy::HWY_NAMESPACE::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= bytes; i += lanes) {
    hwy::HWY_NAMESPACE::Stream(hwy::HWY_NAMESPACE::LoadU(d, a + i), d, o + i);
    // One line of each at a time: all at once they would keep the loads waiting.
    for (const void* const next : ahead) {
      __builtin_prefetch(static_cast<const uint8_t*>(next) + i);
    }
  }
  std::memcpy(o + i, a + i, bytes - i);
}

BlockFunction find_fused(Op first, Op second, bool left, netcl_dtype dtype) {
  if (dtype == NETCL_F32) return fused<float>(first, second, left);
  return dtype == NETCL_F64 ? fused<double>(first, second, left) : nullptr;
}

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::evaluate_detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace netcl::cpu {
namespace evaluate_detail {
HWY_EXPORT(find_fused);
HWY_EXPORT(copy_past_caches);
}  // namespace evaluate_detail

BlockFunction fused_kernel(expression::Op first, expression::Op second, bool left,
                           netcl_dtype dtype) {
  using namespace evaluate_detail;
  return HWY_DYNAMIC_DISPATCH(find_fused)(first, second, left, dtype);
}

void stream_copy(void* out, const void* in, size_t bytes, std::span<const void* const> ahead) {
  using namespace evaluate_detail;
  HWY_DYNAMIC_DISPATCH(copy_past_caches)(out, in, bytes, ahead);
}

void stream_fence() { hwy::FlushStream(); }

}  // namespace netcl::cpu
#endif
