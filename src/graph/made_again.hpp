// Gradients of calls that are made again for them.
#pragma once

#include <vector>

#include "core/function_ref.hpp"
#include "graph/backward.hpp"

namespace netcl::graph {

// What is made again: results of inputs, in calls that go to the caller.
using MakeAgain =
    FunctionRef<std::vector<TensorRef>(std::span<const TensorRef> inputs, const Caller& caller)>;

// The gradients of those inputs whose bits are set in `wanted`, null for the others. `seeds` are
// the gradients of the results; a result without one does not count. The calls are made on a tape
// of their own unless they are recorded anyway.
std::vector<TensorRef> gradients_made_again(const Caller& caller,
                                            std::span<const TensorRef> inputs, uint64_t wanted,
                                            std::span<const TensorRef> seeds, MakeAgain make);

// Whether a tensor may share memory with one of `others`.
bool shares_memory(const Tensor& tensor, std::span<const TensorRef> others);

}  // namespace netcl::graph
