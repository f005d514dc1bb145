// The loops of an instruction set as a table. Included once for each; a file makes the table of one
// type, since both together take the compiler long.
#if defined(NETCL_CONV2D_TABLE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef NETCL_CONV2D_TABLE_INL_HPP
#undef NETCL_CONV2D_TABLE_INL_HPP
#else
#define NETCL_CONV2D_TABLE_INL_HPP
#endif

#include "backend/cpu/conv2d/conv2d_columns-inl.hpp"
#include "backend/cpu/conv2d/conv2d_direct-inl.hpp"
#include "backend/cpu/conv2d/conv2d_finish-inl.hpp"
#include "backend/cpu/conv2d/conv2d_rows-inl.hpp"
#include "backend/cpu/conv2d/conv2d_winograd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::conv2d_detail {
namespace HWY_NAMESPACE {

template <class T>
inline constexpr Conv2dKernels<T> kTable = {
    columns<T>,
    finish<T>,
    stage<T>,
    rows<T>,
    direct<T>,
    kVectors* static_cast<int64_t>(hn::MaxLanes(hn::ScalableTag<T>())),
    {tiles_in<2, T>, tiles_in<4, T>},
    {filters_in<2, T>, filters_in<4, T>},
    {tiles_out<2, T>, tiles_out<4, T>}};

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::conv2d_detail
HWY_AFTER_NAMESPACE();

#endif
