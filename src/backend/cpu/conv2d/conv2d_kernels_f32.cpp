// The loops of convolutions in f32.
#include "backend/cpu/conv2d/conv2d_kernels.hpp"
#include "backend/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/conv2d/conv2d_kernels_f32.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "backend/cpu/conv2d/conv2d_table-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::conv2d_detail {
namespace HWY_NAMESPACE {

inline const Conv2dKernels<float>* table_f32() { return &kTable<float>; }

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::conv2d_detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace netcl::cpu::conv2d_detail {

HWY_EXPORT(table_f32);

template <>
const Conv2dKernels<float>& conv2d_kernels<float>() {
  return *HWY_DYNAMIC_DISPATCH(table_f32)();
}

}  // namespace netcl::cpu::conv2d_detail
#endif
