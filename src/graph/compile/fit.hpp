// A search for places of values without gaps at the step that needs the most memory.
#pragma once

#include "graph/compile/plan.hpp"

namespace netcl::graph {

// Places all values in the first `bytes` of one block, each at a multiple of `alignment`. False,
// and nothing is changed, where the search found no places within its bounds, or there are none.
bool fit_values(std::vector<Lifetime>* values, uint64_t alignment, uint64_t bytes);

}  // namespace netcl::graph
