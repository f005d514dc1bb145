// What a collective over the memory of devices does, one stage behind the other.
#pragma once

#include <array>
#include <vector>

#include "group/collective.hpp"
#include "ops/frame/run.hpp"

namespace netcl::group {

struct DeviceStage {
  std::vector<Header> headers;
  TensorRef in, out;  // packed; null where this rank has none

  uint64_t longest() const noexcept { return Flow(headers, 0).longest(); }
};

// A call that joins: each rank joins a part of the elements, which then goes where it is wanted.
std::array<DeviceStage, 2> join_in_parts(std::span<const Header> headers, uint32_t me,
                                         const TensorRef& in, const TensorRef& out,
                                         const ops::Run& run);

}  // namespace netcl::group
