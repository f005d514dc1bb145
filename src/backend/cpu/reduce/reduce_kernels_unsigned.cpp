// The loops of reductions of unsigned integers, which have extremes only.
#include "backend/cpu/reduce/reduce_kernels.hpp"
#include "backend/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/reduce/reduce_kernels_unsigned.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "backend/cpu/reduce/reduce_table-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::reduce_detail {
namespace HWY_NAMESPACE {

inline const ReduceKernels<uint32_t>* find_u32(ReduceFold fold) { return find<uint32_t>(fold); }
inline const ReduceKernels<uint64_t>* find_u64(ReduceFold fold) { return find<uint64_t>(fold); }
inline const ReduceKernels<uint8_t>* find_u8(ReduceFold fold) { return find<uint8_t>(fold); }

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::reduce_detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace netcl::cpu {
namespace reduce_detail {
HWY_EXPORT(find_u32);
HWY_EXPORT(find_u64);
HWY_EXPORT(find_u8);
}  // namespace reduce_detail

template <>
const ReduceKernels<uint32_t>& reduce_kernels<uint32_t>(ReduceFold fold) {
  using namespace reduce_detail;
  return *HWY_DYNAMIC_DISPATCH(find_u32)(fold);
}
template <>
const ReduceKernels<uint64_t>& reduce_kernels<uint64_t>(ReduceFold fold) {
  using namespace reduce_detail;
  return *HWY_DYNAMIC_DISPATCH(find_u64)(fold);
}
template <>
const ReduceKernels<uint8_t>& reduce_kernels<uint8_t>(ReduceFold fold) {
  using namespace reduce_detail;
  return *HWY_DYNAMIC_DISPATCH(find_u8)(fold);
}

}  // namespace netcl::cpu
#endif
