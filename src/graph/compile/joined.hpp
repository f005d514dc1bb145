// Steps that are expressions made of several calls, with one result or more.
#pragma once

#include <vector>

#include "graph/compile/steps.hpp"

namespace netcl::graph {

// What a kernel of joined calls holds at most: longer ones spill registers, and compile slowly.
inline constexpr size_t kJoinedNodesMost = 256;

// Why calls are not joined that would leave values in memory for longer.
inline constexpr const char* kMoreMemory = "more memory would be needed at one time";

// A call that writes the results of a formula to tensors of one shape; `repetition` is that of the
// calls which it stands for.
NodeRef joined_node(Formula formula, std::vector<TensorRef> results, uint64_t repetition);

// An input of a call as it is read where the call's result is read in another shape; null when
// there is no such view.
TensorRef seen_as(const TensorRef& input, const Layout& made, const Layout& read);

}  // namespace netcl::graph
