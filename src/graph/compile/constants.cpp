// Values that depend on nothing are worked out once, when the graph is compiled.
#include <algorithm>

#include "graph/compile/steps.hpp"
#include "ops/frame/enqueue.hpp"
#include "queue/queue.hpp"

namespace netcl::graph {

namespace {

// Larger ones cost more memory than their commands cost time.
constexpr uint64_t kConstantBytes = 65536;

// A call without operands that gives a value which nothing else changes and nobody gets.
bool is_constant(const Node& node, const UseTable& table, const Interface& interface) {
  if (!node.reads().empty() || node.writes().size() != 1 || node.writes()[0] == nullptr) {
    return false;
  }
  const Tensor& made = *node.writes()[0];
  if (made.empty() || !is_planned(made) || made.buffer()->bytes() > kConstantBytes) return false;
  const auto given = [&](const TensorRef& output) {
    return !output->empty() && output->memory() == made.memory();
  };
  return table.at(memory_key(made)).writes.size() == 1 &&
         std::none_of(interface.outputs.begin(), interface.outputs.end(), given);
}

}  // namespace

void fold_constants(Steps* steps, const Interface& interface, Device& device) {
  const UseTable table = uses_of(*steps);
  Buffers buffers;
  std::vector<char> live(steps->size(), 1);
  for (size_t i = 0; i < steps->size(); ++i) {
    redirect(&(*steps)[i], buffers);
    const Node& node = *(*steps)[i].node;
    if (!is_constant(node, table, interface)) continue;
    const Tensor& made = *node.writes()[0];
    const ops::Run run{*QueueSet::of(device).default_queue(), {}};
    const BufferRef memory = ops::new_memory(made.buffer()->bytes(), run);
    node.call(
        [&](const TensorRef& tensor) {
          return std::make_shared<Tensor>(memory, tensor->dtype(), tensor->layout());
        },
        run);
    buffers[made.memory()] = memory;
    live[i] = 0;
  }
  keep_live(steps, live);
}

}  // namespace netcl::graph
