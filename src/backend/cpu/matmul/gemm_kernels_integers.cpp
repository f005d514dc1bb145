// The table of the matrix product of 8-bit integers.
#include "backend/cpu/matmul/gemm_kernels.hpp"

#include "backend/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/matmul/gemm_kernels_integers.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "backend/cpu/matmul/gemm_integers-inl.hpp"
#include "backend/cpu/matmul/gemm_tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::gemm_detail {
namespace HWY_NAMESPACE {

inline constexpr KernelSet<int32_t> kSetI32 = {
    kRows,          2 * kLanes<int32_t>, kLanes<int32_t>, tile<int32_t>,    tile_rows, nullptr,
    merge_integers, accumulate_integers, dot_byte_rows,   add_byte_columns, pack_bytes};

inline const KernelSet<int32_t>* set_i32() { return &kSetI32; }

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::gemm_detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace netcl::cpu::gemm_detail {

HWY_EXPORT(set_i32);

template <>
const KernelSet<int32_t>& kernels<int32_t>() {
  return *HWY_DYNAMIC_DISPATCH(set_i32)();
}

}  // namespace netcl::cpu::gemm_detail
#endif
