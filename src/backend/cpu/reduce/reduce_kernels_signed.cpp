// The loops of reductions of signed integers.
#include "backend/cpu/reduce/reduce_kernels.hpp"
#include "backend/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/reduce/reduce_kernels_signed.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "backend/cpu/reduce/reduce_table-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::reduce_detail {
namespace HWY_NAMESPACE {

inline const ReduceKernels<int32_t>* find_i32(ReduceFold fold) { return find<int32_t>(fold); }
inline const ReduceKernels<int64_t>* find_i64(ReduceFold fold) { return find<int64_t>(fold); }

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::reduce_detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace netcl::cpu {
namespace reduce_detail {
HWY_EXPORT(find_i32);
HWY_EXPORT(find_i64);
}  // namespace reduce_detail

template <>
const ReduceKernels<int32_t>& reduce_kernels<int32_t>(ReduceFold fold) {
  using namespace reduce_detail;
  return *HWY_DYNAMIC_DISPATCH(find_i32)(fold);
}
template <>
const ReduceKernels<int64_t>& reduce_kernels<int64_t>(ReduceFold fold) {
  using namespace reduce_detail;
  return *HWY_DYNAMIC_DISPATCH(find_i64)(fold);
}

}  // namespace netcl::cpu
#endif
