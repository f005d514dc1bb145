// The loops of reductions of floats.
#include "backend/cpu/reduce/reduce_kernels.hpp"
#include "backend/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/reduce/reduce_kernels_float.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "backend/cpu/reduce/reduce_table-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::reduce_detail {
namespace HWY_NAMESPACE {

inline const ReduceKernels<float>* find_f32(ReduceFold fold) { return find<float>(fold); }
inline const ReduceKernels<double>* find_f64(ReduceFold fold) { return find<double>(fold); }

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::reduce_detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace netcl::cpu {
namespace reduce_detail {
HWY_EXPORT(find_f32);
HWY_EXPORT(find_f64);
}  // namespace reduce_detail

template <>
const ReduceKernels<float>& reduce_kernels<float>(ReduceFold fold) {
  using namespace reduce_detail;
  return *HWY_DYNAMIC_DISPATCH(find_f32)(fold);
}
template <>
const ReduceKernels<double>& reduce_kernels<double>(ReduceFold fold) {
  using namespace reduce_detail;
  return *HWY_DYNAMIC_DISPATCH(find_f64)(fold);
}

}  // namespace netcl::cpu
#endif
