// Copies between two devices of the process, by the shortest road that there is.
#pragma once

#include <string>

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

struct CopyRoad {
  netcl_copy_road road = 0;
  uint64_t piece_bytes = 0;  // at most, of what goes through page-locked memory; 0: nothing does
  std::string reason;
};
CopyRoad copy_road(const Device& from, const Device& to);

// target = source, bit for bit, on the run's device; shapes broadcast, dtypes are equal. Returns
// when the source has been read.
void copy_between_devices(const Tensor& source, const Tensor& target, const Run& run);

}  // namespace netcl::ops
