// Copies that swap dimensions, through tiles.
#pragma once

#include <span>

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

// target = source when the two are packed along different dimensions that are both long enough for
// tiles; false, with nothing done, when they are not. Shapes broadcast, dtypes and devices are
// equal.
bool copy_by_tiles(const Tensor& source, const Tensor& target, const Run& run);

// A copy with the dimensions in another order; no axes turn them round.
TensorRef transpose(const Tensor& x, std::span<const uint32_t> axes, const TensorRef& into,
                    const Run& run);

}  // namespace netcl::ops
