// Elements of a row between memory and packed numbers: what the loops over rows do first and last
// when a row is no run of f32 or f64.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "backend/cpu/rows/rows.hpp"
#include "backend/cpu/task_memory.hpp"
#include "netcl.h"

namespace netcl::cpu {

// out[i] = element first + i of `inner`, which begins at element `base` of `data`. T is float for
// f16, bf16 and f32, double for f64.
template <class T>
void gather(netcl_dtype dtype, const void* data, int64_t base, const Layout& inner, int64_t first,
            int64_t count, T* out);
// The other way, rounded to the dtype.
template <class T>
void scatter(netcl_dtype dtype, void* data, int64_t base, const Layout& inner, int64_t first,
             int64_t count, const T* in);

// Numbers that go with the elements of each row.
struct RowNumbers {
  netcl_dtype dtype = 0;  // 0: there are none
  Layout layout;
};
// `count` of them, following each other: where they lie, or in `values`. Null when there are none.
template <class T>
const T* packed_numbers(const RowNumbers& numbers, const void* data, int64_t count, T* values);

// A layout of one dimension.
inline Layout stepped(int64_t count, int64_t step) {
  Layout layout;
  layout.rank = 1;
  layout.shape[0] = count;
  layout.strides[0] = step;
  return layout;
}

// Calls function(float()) or function(double()): the type that a dtype is computed in.
template <class Function>
void with_real(netcl_dtype dtype, Function&& function) {
  if (dtype == NETCL_F64) {
    function(double());
  } else {
    function(float());
  }
}
template <class T>
inline constexpr netcl_dtype kRealDtype = std::is_same_v<T, double> ? NETCL_F64 : NETCL_F32;

}  // namespace netcl::cpu
