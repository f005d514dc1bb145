// A tensor and its result as rows: the shape of every op that works along some axes.
#pragma once

#include <cstdint>

#include "core/layout.hpp"

namespace netcl::cpu {

// Elements per chunk of work: enough to outweigh handing it out, and fixed, so that bits do not
// depend on the number of threads.
inline constexpr int64_t kRowsChunk = 32768;

struct Rows {
  Layout x;        // where the rows begin, with the offset
  Layout y;        // the same of the result
  Layout x_inner;  // the elements of a row, from its beginning
  Layout y_inner;
  int64_t count = 0;   // of rows
  int64_t length = 0;  // of a row
  int64_t x_step = 1;  // when a row has one dimension
  int64_t y_step = 1;

  // Elements of a row follow each other in both tensors.
  bool packed() const { return stepped() && x_step == 1 && y_step == 1; }
  bool stepped() const { return x_inner.rank <= 1; }
  // How kernels reach the elements of a row: 1 packed, 2 with a step, 3 by a layout.
  int addressing() const { return packed() ? 1 : stepped() ? 2 : 3; }
};

// Where row or element `index` of a layout lies, counted in C order.
inline int64_t element_place(const Layout& layout, int64_t index) {
  int64_t at = layout.offset;
  for (uint32_t d = layout.rank; d-- > 1;) {
    at += index % layout.shape[d] * layout.strides[d];
    index /= layout.shape[d];
  }
  return layout.rank > 0 ? at + index * layout.strides[0] : at;
}

}  // namespace netcl::cpu
