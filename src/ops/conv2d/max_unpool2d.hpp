#pragma once

#include <string>

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

TensorRef max_unpool2d(const TensorRef& x, const TensorRef& indices, int64_t height, int64_t width,
                       bool column_major, const TensorRef& into, const Run& run);

// The formula of where an element goes, over its index in images of this height and width: the
// place in C order, i64, or one that no image has.
std::string unpool_text(int64_t height, int64_t width, bool column_major);

}  // namespace netcl::ops
