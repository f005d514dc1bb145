// A resizing as its kernels see it.
#pragma once

#include <vector>

#include "ops/frame/enqueue.hpp"

namespace netcl::ops {

// Where one coordinate of the result lies in a dimension of the source: the elements below and
// above it, as distances in memory, and the weight of the one above. The kernel has the same
// struct.
struct Neighbours {
  int64_t low;
  int64_t high;
  float weight;
  int32_t reserved;
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
  int64_t rows = 0;
};

void resize_natively(ResizePlan plan, const Tensor& x, const Tensor& result, const Run& run);

}  // namespace netcl::ops
