#include "graph/compile/reduced.hpp"

#include <algorithm>

#include "graph/region.hpp"

namespace netcl::graph {

namespace {

bool same_value(const Tensor& a, const Tensor& b) {
  if (a.empty() || b.empty() || memory_key(a) != memory_key(b) || a.dtype() != b.dtype()) {
    return false;
  }
  return a.layout().same_shape(b.layout()) && same_view(a, b, a.layout());
}

// Whether a call works with elements of a tensor.
bool works_with(const Node& node, const Tensor& tensor) {
  for (const auto list : {node.reads(), node.writes()}) {
    for (const TensorRef& used : list) {
      if (used != nullptr && !used->empty() && !disjoint(*used, tensor)) return true;
    }
  }
  return false;
}

void check_unused(const GradientReduction::Gradient& gradient, const std::vector<NodeRef>& nodes) {
  for (size_t number = gradient.behind; number < nodes.size(); ++number) {
    if (nodes[number] == nullptr || !works_with(*nodes[number], *gradient.tensor)) continue;
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "%s (call %zu) works with a gradient of shape %s that goes to a reducer; what uses it "
         "comes after netcl_reducer_wait",
         nodes[number]->name().c_str(), number, shape_text(*gradient.tensor).c_str());
  }
}

}  // namespace

std::vector<ReducedGradient> find_reduced(const GradientReduction& reduction,
                                          const std::vector<NodeRef>& nodes,
                                          const Interface& interface) {
  std::vector<ReducedGradient> found;
  for (const GradientReduction::Gradient& gradient : reduction.gradients) {
    const TensorRef& tensor = gradient.tensor;
    if (tensor->empty()) continue;
    check_unused(gradient, nodes);
    const size_t before = found.size();
    for (size_t i = 0; i < interface.outputs.size(); ++i) {
      const Tensor& output = *interface.outputs[i];
      if (same_value(output, *tensor)) {
        found.push_back({i, nullptr});
      } else if (!output.empty() && !disjoint(output, *tensor)) {
        fail(NETCL_ERROR_INVALID_ARGUMENT,
             "outputs[%zu] has elements of a gradient of shape %s that goes to a reducer, and is "
             "not that gradient; what uses it comes after netcl_reducer_wait",
             i, shape_text(*tensor).c_str());
      }
    }
    if (!is_planned(*tensor)) {
      found.push_back({0, tensor});
    } else if (found.size() == before) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "a gradient of shape %s that goes to a reducer is no output of the graph",
           shape_text(*tensor).c_str());
    }
  }
  return found;
}

size_t steps_for(const ReducedGradient& gradient, const Steps& steps, const Interface& interface) {
  const Tensor& tensor =
      gradient.outside != nullptr ? *gradient.outside : *interface.outputs[gradient.output];
  size_t count = steps.size();
  while (count > 0 && !works_with(*steps[count - 1].node, tensor)) --count;
  return count;
}

}  // namespace netcl::graph
