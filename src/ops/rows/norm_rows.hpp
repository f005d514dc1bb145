// What the ops over rows share: rows of two tensors, and their kernels' options and arguments.
#pragma once

#include <algorithm>

#include "backend/cpu/rows/rows.hpp"
#include "core/integer.hpp"
#include "ops/frame/arguments.hpp"
#include "ops/frame/enqueue.hpp"
#include "ops/frame/run.hpp"

namespace netcl::ops {

using netcl::cpu::Rows;

// Rows along the axes [first, first + count) of two layouts of one shape.
Rows split_rows(const Layout& x, const Layout& y, uint32_t first, uint32_t count);

// How items share rows of `length`.
struct GroupShape {
  int lanes = 0;   // items per row
  int rows = 1;    // rows per group
  int values = 0;  // elements that an item keeps; 0: the row is too long for that
};
// `kept` rows at a time are in registers.
GroupShape group_shape(int64_t length, netcl_dtype dtype, const Device& device, int kept = 1);
// As many groups of that shape as `rows` rows take.
void set_groups(const GroupShape& shape, int64_t rows, KernelCall* call);

// The build options that all kernels over rows have, and their first arguments.
std::string group_flags(const Rows& rows, const GroupShape& shape, netcl_dtype dtype);
void add_row_arguments(const Tensor& x, const Access& y, const Rows& rows, Arguments* list);

// The same where kernels read a gradient beside x, whose rows are `grads.x`.
struct GradientRows {
  Rows rows;
  Rows grads;

  int addressing() const { return std::max(rows.addressing(), grads.addressing()); }
};
std::string group_flags(const GradientRows& rows, const GroupShape& shape, netcl_dtype dtype);
void add_row_arguments(const Tensor& x, const Access& y, const Tensor& grad,
                       const GradientRows& rows, Arguments* list);

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
