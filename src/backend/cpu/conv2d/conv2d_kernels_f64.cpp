// The loops of convolutions in f64.
#include "backend/cpu/conv2d/conv2d_kernels.hpp"
#include "backend/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/conv2d/conv2d_kernels_f64.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "backend/cpu/conv2d/conv2d_table-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::conv2d_detail {
namespace HWY_NAMESPACE {

inline const Conv2dKernels<double>* table_f64() { return &kTable<double>; }

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::conv2d_detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace netcl::cpu::conv2d_detail {

HWY_EXPORT(table_f64);

template <>
const Conv2dKernels<double>& conv2d_kernels<double>() {
  return *HWY_DYNAMIC_DISPATCH(table_f64)();
}

}  // namespace netcl::cpu::conv2d_detail
#endif
