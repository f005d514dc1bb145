// The commands of a compiled graph for inputs and outputs that lie in one way.
#pragma once

#include <atomic>
#include <vector>

#include "graph/compile/reduced.hpp"
#include "graph/compile/steps.hpp"
#include "graph/recorded_collective.hpp"
#include "ops/frame/batches.hpp"

namespace netcl::graph {

// Commands number their memory in this order: the block of all values, inputs, outputs, memory
// outside of the graph, and what ops take for themselves.
struct Binding {
  ops::KeptCommands commands;
  std::unique_ptr<ops::Batches> batches;
  std::vector<uint64_t> block_bytes;  // of the memory in which values lie
  uint64_t planned_bytes = 0;         // of all blocks
  std::vector<BufferRef> outside;
  std::vector<uint64_t> scratch_bytes;
  // Where each value of the capture lies, for those who ask: as if the blocks lay in a row.
  std::unordered_map<const MemoryObject*, uint64_t> offsets;
  // Gradients for a reducer, in their order: each has its value when so many commands are enqueued.
  struct Given {
    ReducedGradient gradient;
    size_t commands;
  };
  std::vector<Given> given;
  // Calls of groups, each behind so many commands.
  struct Meeting {
    // Which memory a tensor that its node knows lies in now, and how much further on.
    struct Place {
      uint32_t number;
      int64_t shift;
    };
    std::unordered_map<const MemoryObject*, Place> places;
    std::vector<uint32_t> written;
    size_t commands;
  };
  std::vector<Meeting> meetings;

  // Each input and output begins so many bytes further on than those that this was made for.
  // `reducer` is null where nothing is given to one, and `collectives` are those of this run.
  void enqueue(std::span<const TensorRef> inputs, std::span<const TensorRef> outputs,
               std::span<const uint64_t> shifts, group::Reducer* reducer,
               CollectivesToCome& collectives, const ops::Run& run) const;

 private:
  class Memory;
};
using BindingRef = std::shared_ptr<const Binding>;

// `interface` has the tensors that the steps know, `given` those of the caller, of whose memory
// nothing is looked at. `ready` counts the steps that are done. `report` outlives the binding.
BindingRef make_binding(Device& device, const Steps& steps, const Interface& interface,
                        const std::vector<ReducedGradient>& reduced, const Interface& given,
                        std::atomic<uint64_t>* ready, ops::BatchReport* report);

}  // namespace netcl::graph
