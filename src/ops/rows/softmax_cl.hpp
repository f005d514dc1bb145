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
  Access y;  // no memory for a loss, which has a place among the further arguments
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

// How groups of items share rows, along them or across.
struct SoftmaxGroups {
  GroupShape shape;
  int slices = 0;  // across: items for each of the lanes' rows

  bool across() const { return slices > 0; }
  std::string flags() const;  // beside those of the shape
  void set(int64_t rows, KernelCall* call) const;
};
SoftmaxGroups softmax_groups(const Rows& rows, netcl_dtype dtype, const Device& device,
                             int kept = 1);

}  // namespace netcl::ops
