// A scatter as its kernels see it.
#pragma once

#include "ops/frame/enqueue.hpp"
#include "ops/move/scatter.hpp"

namespace netcl::ops {

struct ScatterPlan {
  // Of the lines (all dimensions but the axis, with the extents of the updates), with offsets.
  Layout to;
  Layout indices;
  Layout from;
  int64_t lines;
  int64_t parts;   // pieces of the axis, each of which goes over all updates of a line
  int64_t count;   // updates of a line
  int64_t extent;  // of the target along the axis
  int64_t y_stride;
  int64_t index_stride;
  int64_t from_stride;
  netcl_scatter_mode mode;
};

// On the built-in device. `target` has the dtype of updates, or f32 where those are 16 bits wide.
void scatter_natively(const ScatterPlan& plan, const Tensor& target, const Tensor& indices,
                      const Tensor& updates, const Run& run);

}  // namespace netcl::ops
