// Reverse mode differentiation of what a graph has recorded.
#pragma once

#include <vector>

#include "graph/gradient_request.hpp"
#include "ops/frame/run.hpp"

namespace netcl::graph {

// The gradient of each input, see netcl_graph_add_gradients.
std::vector<TensorRef> add_gradients(Graph& graph, const GradientRequest& request,
                                     const ops::Run& run);

}  // namespace netcl::graph
