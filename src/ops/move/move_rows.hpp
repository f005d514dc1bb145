// What the ops that move elements share: results as rows of columns, parts of layouts, and types
// that stand for elements whose value does not matter.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>

#include "backend/cpu/thread_pool.hpp"
#include "ops/frame/enqueue.hpp"

namespace netcl::ops {

// The OpenCL type that moves elements of this size.
const char* bits_type(size_t size);

// Dimensions [first, first + count) of a layout, with offset 0, joined where they are contiguous.
Layout layout_part(const Layout& layout, uint32_t first, uint32_t count);

// True when every index that the layouts reach, and the rows and columns, fit 32 bits with room for
// one more step of a loop.
bool fits_32_bits(std::initializer_list<const Layout*> layouts, int64_t elements);

// Launches a kernel of move.cl's kind over `rows` rows of `columns` elements.
void launch_rows(const char* file, const char* kernel, const std::string& flags, int64_t rows,
                 int64_t columns, bool wide, const Arguments& arguments, const Run& run);

// Where element `index` in C order lies, on the host, and without the layout's offset.
inline int64_t element_at(const Layout& layout, int64_t index) {
  int64_t at = 0;
  for (uint32_t d = layout.rank; d-- > 1;) {
    const int64_t rest = index / layout.shape[d];
    at += (index - rest * layout.shape[d]) * layout.strides[d];
    index = rest;
  }
  return layout.rank > 0 ? at + index * layout.strides[0] : at;
}

// Calls function(uint8_t()), ... uint64_t() for the element size.
template <class Function>
void with_bits(size_t size, Function&& function) {
  switch (size) {
    case 1:
      return function(uint8_t());
    case 2:
      return function(uint16_t());
    case 4:
      return function(uint32_t());
    default:
      return function(uint64_t());
  }
}

// The flag of kernels that says what indices are, i32 or i64.
inline const char* index_flag(netcl_dtype indices) {
  return indices == NETCL_I64 ? " -DI=long" : " -DI=int";
}

// Calls function(int32_t()) or function(int64_t()) for what indices are.
template <class Function>
void with_index(netcl_dtype indices, Function&& function) {
  if (indices == NETCL_I64) return function(int64_t());
  function(int32_t());
}

// launch_rows for functions of the host: function(call, T(), first, last) for ranges of rows, each
// worth a thread. T stands for elements of this size.
template <class Function>
void native_rows(std::initializer_list<Access> accesses, size_t element_size, int64_t rows,
                 int64_t columns, const Run& run, Function function) {
  enqueue_native(accesses, run, [=](const NativeCall& call) {
    with_bits(element_size, [&](auto element) {
      call.threads.parallel_for(
          rows, std::max<int64_t>(1, (1 << 15) / columns),
          [&](int64_t first, int64_t last) { function(call, element, first, last); });
    });
  });
}

}  // namespace netcl::ops
