// A tensor and its result as rows: the shape of every op that works along some axes.
#pragma once

#include "core/integer.hpp"
#include "ops/frame/arguments.hpp"
#include "ops/frame/enqueue.hpp"
#include "ops/frame/run.hpp"

namespace netcl::ops {

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

// Rows along the axes [first, first + count) of two layouts of one shape.
Rows split_rows(const Layout& x, const Layout& y, uint32_t first, uint32_t count);

// Where row or element `index` lies, counted in C order.
inline int64_t place(const Layout& layout, int64_t index) {
  int64_t at = layout.offset;
  for (uint32_t d = layout.rank; d-- > 1;) {
    at += index % layout.shape[d] * layout.strides[d];
    index /= layout.shape[d];
  }
  return layout.rank > 0 ? at + index * layout.strides[0] : at;
}

// How items share rows of `length`.
struct GroupShape {
  int lanes = 0;   // items per row
  int rows = 1;    // rows per group
  int values = 0;  // elements that an item keeps; 0: the row is too long for that
};
GroupShape group_shape(int64_t length, netcl_dtype dtype, const Device& device);

// The build options that all kernels over rows have, and their first arguments.
std::string row_flags(const Rows& rows, netcl_dtype dtype);
std::string group_flags(const Rows& rows, const GroupShape& shape, netcl_dtype dtype);
void add_row_arguments(const Tensor& x, const Tensor& y, const Rows& rows, Arguments* list);

// A number in the type that a dtype is computed in.
inline void add_real(double value, netcl_dtype dtype, Arguments* list) {
  if (dtype == NETCL_F64) {
    list->scalar(value);
  } else {
    list->scalar(static_cast<float>(value));
  }
}

// Whether a result is too large for caches to keep it for its reader.
bool writes_past_caches(const Tensor& y);

}  // namespace netcl::ops
