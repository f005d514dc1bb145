// The tables of the matrix product for sums in f32 and f64.
#include "backend/cpu/matmul/gemm_kernels.hpp"

#include "backend/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/matmul/gemm_kernels_floats.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "backend/cpu/matmul/gemm_pack-inl.hpp"
#include "backend/cpu/matmul/gemm_tile-inl.hpp"
#include "backend/cpu/matmul/gemm_vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::gemm_detail {
namespace HWY_NAMESPACE {

template <class T>
inline constexpr KernelSet<T> kSet = {kRows,       2 * kLanes<T>,  kLanes<T>, tile<T>,
                                      tile_rows,   pack<T>,        merge<T>,  accumulate<T>,
                                      dot_rows<T>, add_columns<T>, nullptr};
inline const KernelSet<float>* set_f32() { return &kSet<float>; }
inline const KernelSet<double>* set_f64() { return &kSet<double>; }

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::gemm_detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace netcl::cpu::gemm_detail {

HWY_EXPORT(set_f32);
HWY_EXPORT(set_f64);

template <>
const KernelSet<float>& kernels<float>() {
  return *HWY_DYNAMIC_DISPATCH(set_f32)();
}

template <>
const KernelSet<double>& kernels<double>() {
  return *HWY_DYNAMIC_DISPATCH(set_f64)();
}

}  // namespace netcl::cpu::gemm_detail
#endif
