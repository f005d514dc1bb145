// Copies that need not be made: of a value that nobody changes while the copy is there, or of one
// that nobody reads once the copy changes. Gradients end in such, since those who ask for them get
// tensors of their own.
#include <algorithm>
#include <iterator>

#include "graph/compile/lifetimes.hpp"

namespace netcl::graph {

namespace {

// All of a value of the capture, in C order.
bool is_whole_value(const Tensor& tensor) {
  return !tensor.empty() && is_planned(tensor) && tensor.layout().offset == 0 &&
         tensor.layout().is_c_contiguous() && tensor.byte_count() == tensor.buffer()->bytes();
}

bool is_copy(const Node& node) {
  if (node.name() != "copy" || node.reads().size() != 1 || node.writes().size() != 1) return false;
  const Tensor &from = *node.reads()[0], &to = *node.writes()[0];
  return from.dtype() == to.dtype() && is_whole_value(from) && is_whole_value(to) &&
         from.memory() != to.memory();
}

bool is_output(const Interface& interface, const MemoryObject* memory) {
  return std::any_of(interface.outputs.begin(), interface.outputs.end(),
                     [&](const TensorRef& output) {
                       return !output->empty() && output->memory() == memory;
                     });
}

// Whether step `copy` may be left out, if the uses are those of what it reads and what it writes.
bool may_be_one(const Uses& from, const Uses& to, size_t copy, bool from_is_output) {
  if (to.writes.front() != copy || (!to.reads.empty() && to.reads.front() < copy)) return false;
  if (from.writes.empty() || from.writes.back() >= copy) return false;
  if (to.writes.size() == 1) return true;
  return !from_is_output && from.reads.back() < to.writes[1];
}

void merge(std::vector<size_t>* list, const std::vector<size_t>& more) {
  std::vector<size_t> all;
  std::set_union(list->begin(), list->end(), more.begin(), more.end(), std::back_inserter(all));
  *list = std::move(all);
}

}  // namespace

void drop_copies(Steps* steps, Interface* interface, const MemoryLimit& limit) {
  UseTable table = uses_of(*steps);
  Lifetimes lifetimes(*steps, *interface, limit);
  Buffers buffers;
  std::vector<char> live(steps->size(), 1);
  for (size_t i = 0; i < steps->size(); ++i) {
    redirect(&(*steps)[i], buffers);
    const Node& node = *(*steps)[i].node;
    if (!is_copy(node)) continue;
    const TensorRef &from = node.reads()[0], &to = node.writes()[0];
    Uses uses = table[memory_key(*from)];
    Uses copied = table[memory_key(*to)];
    if (!may_be_one(uses, copied, i, is_output(*interface, from->memory()))) continue;
    std::erase(uses.reads, i);
    std::erase(copied.writes, i);
    merge(&uses.reads, copied.reads);
    merge(&uses.writes, copied.writes);
    const Lifetimes::Changes changes = {{memory_key(*from), uses}, {memory_key(*to), Uses()}};
    if (is_output(*interface, to->memory())) lifetimes.give_away(table, memory_key(*from));
    if (!lifetimes.change(&table, changes)) continue;
    live[i] = 0;
    buffers[to->memory()] = from->buffer();
    for (TensorRef& output : interface->outputs) output = redirected(output, buffers);
  }
  keep_live(steps, live);
}

}  // namespace netcl::graph
