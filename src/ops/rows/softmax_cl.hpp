// The kernels of softmax.cl: rows of x, and what becomes of them.
#pragma once

#include "core/function_ref.hpp"
#include "ops/rows/norm_rows.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

// What is written of each row: KIND of the kernels.
enum class RowKind { softmax, logarithm, gradient, loss };

struct SoftmaxLaunch {
  const Tensor& x;
  MemoryObject* y;  // null for a loss, which has a place among the further arguments
  Rows rows;
  RowKind kind;
  std::string flags;  // of the kind
};
// `add_arguments` adds those of the kind, which come last.
void launch_softmax(const SoftmaxLaunch& launch, FunctionRef<void(Arguments*)> add_arguments,
                    const Run& run);

// True when neighbouring rows lie closer together than the elements of one row, so that vectors
// and groups of items should go across rows.
bool goes_across(const Rows& rows);
// A group then has this many rows, and this many items for each of them.
inline constexpr int kColumnsOfGroup = 32;
int column_slices(const Rows& rows, const Device& device);

}  // namespace netcl::ops
