#include "graph/made_again.hpp"

#include <algorithm>

#include "graph/add_gradients.hpp"
#include "graph/recorded.hpp"
#include "ops/frame/result.hpp"

namespace netcl::graph {

bool shares_memory(const Tensor& tensor, std::span<const TensorRef> others) {
  return std::any_of(others.begin(), others.end(), [&](const TensorRef& other) {
    return other != nullptr && ops::may_share(tensor, *other);
  });
}

std::vector<TensorRef> gradients_made_again(const Caller& caller,
                                            std::span<const TensorRef> inputs, uint64_t wanted,
                                            std::span<const TensorRef> seeds, MakeAgain make) {
  // Each input has a memory of its own: where two lie in one, each would get the gradients of both.
  // So do elements that are repeated, each of which has a gradient.
  std::vector<TensorRef> own(inputs.begin(), inputs.end());
  for (size_t i = 0; i < own.size(); ++i) {
    const bool repeats = (wanted >> i & 1) != 0 && may_overlap_itself(own[i]->layout());
    if (!repeats && !shares_memory(*own[i], {own.data(), i})) continue;
    own[i] = recorded<ops::copy>(caller, "copy", TensorRef(), *own[i]);
  }
  const GraphRef graph =
      caller.graph != nullptr
          ? caller.graph->shared_from_this()
          : std::make_shared<Graph>(caller.run.device().shared_from_this(), true);
  GradientRequest request;
  request.from = graph->size();
  const std::vector<TensorRef> results = make(own, {graph.get(), caller.run});
  for (size_t i = 0; i < results.size(); ++i) {
    if (seeds[i] == nullptr) continue;
    request.outputs.push_back(results[i]);
    request.seeds.push_back(seeds[i]);
  }
  for (size_t i = 0; i < own.size(); ++i) {
    if ((wanted >> i & 1) != 0) request.inputs.push_back(own[i]);
  }
  request.consume = caller.graph == nullptr;
  request.unused = true;
  std::vector<TensorRef> made = add_gradients(*graph, request, caller.run);
  std::vector<TensorRef> gradients(own.size());
  for (size_t i = 0, next = 0; i < own.size(); ++i) {
    if ((wanted >> i & 1) != 0) gradients[i] = std::move(made[next++]);
  }
  return gradients;
}

}  // namespace netcl::graph
