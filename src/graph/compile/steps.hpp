// The calls of a capture on their way to commands: those that are needed, each once, elementwise
// ones joined.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "graph/capture.hpp"
#include "graph/node.hpp"

namespace netcl::graph {

// What a compiled graph is called with, and what it gives.
struct Interface {
  std::vector<TensorRef> inputs;
  std::vector<TensorRef> outputs;
  bool may_ignore = false;  // an input that no output depends on is no mistake
};

struct Step {
  NodeRef node;
  std::vector<size_t> numbers;  // of the recorded calls that are done in it, rising
  std::string apart;            // why its result is stored, where it might have been joined
};
using Steps = std::vector<Step>;

// True for what calls of the capture give, which has memory only while it runs.
inline bool is_planned(const Tensor& tensor) {
  return tensor.buffer()->planned() && !stands_in_for_input(*tensor.buffer());
}

// Who reads and writes each memory, by the indexes of steps in rising order. Several wraps of one
// memory have one entry.
struct Uses {
  std::vector<size_t> reads;
  std::vector<size_t> writes;
};
using MemoryKey = const UseRecord*;
// Null of a tensor without elements, which has no memory.
inline MemoryKey memory_key(const Tensor& tensor) {
  return tensor.memory() == nullptr ? nullptr : tensor.memory()->uses.get();
}
using UseTable = std::unordered_map<MemoryKey, Uses>;
UseTable uses_of(const Steps& steps);
// A sorted list of steps with one more, or without one.
void add_step(std::vector<size_t>* list, size_t step);
void remove_step(std::vector<size_t>* list, size_t step);

// The memory that values may have at one time, each in whole multiples of `alignment`: that of the
// recorded calls.
struct MemoryLimit {
  uint64_t bytes;
  uint64_t alignment;
};

// Memory in whose place other memory is used.
using Buffers = std::unordered_map<const MemoryObject*, BufferRef>;
TensorRef redirected(const TensorRef& tensor, const Buffers& buffers);
// A step whose call reads or writes some of that makes the call with the other memory.
void redirect(Step* step, const Buffers& buffers);
// Leaves out the steps that are 0 in `live`.
void keep_live(Steps* steps, const std::vector<char>& live);

// True when both have the same elements in the places of a shape to which they broadcast.
bool same_view(const Tensor& a, const Tensor& b, const Layout& shape);

// Leaves out what no output, no memory outside of the graph and no call of a group depends on.
void drop_unneeded(Steps* steps, const Interface& interface);

// What calls read on the way to results without elements. No output need depend on it, as
// where a rank has an empty part of a layer.
std::vector<TensorRef> reads_for_empty(const Steps& steps);

// What follows leaves or joins nothing where values would have more memory at one time than the
// limit.

// Does equal calls once. Later calls, and outputs, get the values of the first one.
void share_equal(Steps* steps, Interface* interface, const MemoryLimit& limit);

// Leaves out copies of whole values, where calls can work with the value itself.
void drop_copies(Steps* steps, Interface* interface, const MemoryLimit& limit);

// Works out small values that depend on nothing, and leaves their calls out.
void fold_constants(Steps* steps, const Interface& interface, Device& device);

// Joins elementwise calls: one whose result at most two others read is done within those.
void join_elementwise(Steps* steps, const Interface& interface, const MemoryLimit& limit);

// Makes one step of several elementwise ones that read the same values, or what others of them
// give: it has a result for each value that is needed elsewhere.
void join_results(Steps* steps, const Interface& interface, const MemoryLimit& limit);

// Does biases, residuals and activations in the epilogue of the product or convolution before them.
// `native`: calls are functions of the host.
void join_epilogues(Steps* steps, const Interface& interface, const MemoryLimit& limit,
                    bool native);

}  // namespace netcl::graph
