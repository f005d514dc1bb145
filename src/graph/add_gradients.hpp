// Reverse mode differentiation of what a graph has recorded.
#pragma once

#include <vector>

#include "graph/graph.hpp"
#include "ops/frame/run.hpp"

namespace netcl::graph {

struct GradientRequest {
  std::vector<TensorRef> outputs;
  std::vector<TensorRef> inputs;
  std::vector<TensorRef> seeds;  // none: 1
  std::vector<TensorRef> into;   // none: new tensors
  bool accumulate = false;
  bool consume = false;
  bool unused = false;        // an input that no output depends on has the gradient 0
  size_t from = 0;            // what calls in front of this one gave is constant
  group::ReducerRef reducer;  // gets the gradients; null: none
};

// The gradient of each input, see netcl_graph_add_gradients.
std::vector<TensorRef> add_gradients(Graph& graph, const GradientRequest& request,
                                     const ops::Run& run);

}  // namespace netcl::graph
