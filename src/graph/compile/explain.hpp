// What is in a graph, as text.
#pragma once

#include <string>

#include "graph/graph.hpp"

namespace netcl::graph {

// Fails for a value that is no format.
std::string explain(const Graph& graph, netcl_graph_format format);

}  // namespace netcl::graph
