// Where the gradients that go to a reducer are in a compiled graph.
#pragma once

#include "graph/compile/steps.hpp"
#include "graph/reduction.hpp"

namespace netcl::graph {

// An output of the interface, or a tensor with memory.
struct ReducedGradient {
  size_t output;      // its index
  TensorRef outside;  // null where it is an output
};

// In the order in which they are given. Fails where one is neither, and where a call behind it
// works with it.
std::vector<ReducedGradient> find_reduced(const GradientReduction& reduction,
                                          const std::vector<NodeRef>& nodes,
                                          const Interface& interface);

// How many steps, from the first one on, have to be done before nothing works with it any more.
size_t steps_for(const ReducedGradient& gradient, const Steps& steps, const Interface& interface);

}  // namespace netcl::graph
