// What netcl_graph_add_gradients is asked for.
#pragma once

#include <vector>

#include "graph/graph.hpp"

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

// Fails where tensors do not go together, or not with the graph.
void check_request(const Graph& graph, const GradientRequest& request);

}  // namespace netcl::graph
