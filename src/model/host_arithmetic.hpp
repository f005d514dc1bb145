// What the host computes with small tensors, and what it shares with the ops of the device.
#pragma once

#include "model/host_op.hpp"

namespace netcl::model {

std::vector<HostRef> host_arithmetic(const HostCall& call);
std::vector<HostRef> host_unary(const HostCall& call);
std::vector<HostRef> host_where(const HostCall& call);
std::vector<HostRef> host_reduce(const HostCall& call);

// The shape to which two broadcast.
std::vector<int64_t> broadcast_shapes(const std::vector<int64_t>& a, const std::vector<int64_t>& b);
HostValue broadcast_value(const HostValue& value, const std::vector<int64_t>& shape);

// `count` elements from `first` on, `step` apart, as ONNX Slice clamps what it is given.
struct SliceRange {
  int64_t first;
  int64_t count;
  int64_t step;
};
SliceRange slice_range(int64_t start, int64_t end, int64_t step, int64_t extent);
// How many numbers ONNX Range gives; of one number each.
int64_t range_count(const HostValue& start, const HostValue& limit, const HostValue& delta);
// The parts of ONNX Split: as given, or equal ones.
std::vector<int64_t> split_sizes(std::vector<int64_t> sizes, int64_t extent, size_t outputs);

}  // namespace netcl::model
