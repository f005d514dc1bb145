// A resizing as its kernels see it.
#pragma once

#include <cstring>
#include <vector>

#include "ops/frame/enqueue.hpp"
#include "ops/move/resize_axis.hpp"

namespace netcl::ops {

// Where one coordinate of the result lies in a dimension of the source: the elements below and
// above it, as distances in memory, and the weight of the one above, an f32 or, of f64, an f64. The
// kernel has the same struct.
struct Neighbours {
  int64_t low;
  int64_t high;
  unsigned char weight[8];

  template <class V>
  V weigh() const {
    V value;
    std::memcpy(&value, weight, sizeof value);
    return value;
  }
};

struct ResizePlan {
  Layout from;  // of the source, with the rank of the result
  Layout to;
  // Per dimension: shape 1 when it changes, 0 when not; strides where its table begins.
  Layout table_of;
  std::vector<Neighbours> tables;
  uint32_t changed = 0;
  bool last_changed = false;
  bool linear = false;
  bool doubles = false;  // weights are f64
  int64_t rows = 0;
};

// Joins neighbouring dimensions that do not change, so that rows are long, and counts rows.
void simplify_resize(ResizePlan* plan);
void resize_natively(ResizePlan plan, const Tensor& x, const Tensor& result, const Run& run);

// y = x with this axis filtered: the tensors have equal extents but for it. They are of the same
// dtype, or of that in which it is weighed: f64 of f64, else f32.
void filter_axis(const ResizeFilter& filter, uint32_t axis, const Tensor& x, const Tensor& y,
                 const Run& run);

// What of a filtered axis loops see: the plan has one changed dimension, which is `axis`.
struct FilterPlan {
  Layout from;
  Layout to;
  uint32_t axis = 0;
  int64_t rows = 0;
  ResizeFilter filter;
};
void filter_natively(FilterPlan plan, const Tensor& x, const Tensor& y, const Run& run);

}  // namespace netcl::ops
