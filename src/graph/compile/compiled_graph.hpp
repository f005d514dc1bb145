// A capture that is ready to run.
#pragma once

#include <mutex>

#include "core/lru.hpp"
#include "graph/compile/binding.hpp"

namespace netcl::graph {

class CompiledGraph {
 public:
  // Checks the interface, and makes the steps. Nothing is compiled yet.
  CompiledGraph(DeviceRef device, std::vector<NodeRef> nodes, Interface interface,
                const GradientReduction& reduction, bool fuse);

  // Makes the commands for tensors that lie as those of the interface, outputs packed.
  void prepare();
  // Fails naming `inputs` and `outputs`.
  void run(std::vector<TensorRef> inputs, std::vector<TensorRef> outputs, const ops::Run& run);
  // The same with new outputs, which it gives.
  std::vector<TensorRef> evaluate(std::vector<TensorRef> inputs, const ops::Run& run);

  // False until prepare() is over.
  bool ready() const noexcept { return is_ready_.load(std::memory_order_acquire); }
  // The recorded calls, whose numbers the steps have.
  const std::vector<NodeRef>& nodes() const noexcept { return nodes_; }
  const Steps& steps() const noexcept { return steps_; }
  const Interface& interface() const noexcept { return interface_; }
  // The one that prepare() made.
  const Binding& binding() const noexcept { return *prepared_; }
  uint64_t ready_count() const noexcept { return ready_count_.load(std::memory_order_relaxed); }
  uint64_t live_bytes() const noexcept { return live_bytes_; }
  // Null where nothing is given to one.
  const group::Reducer* reducer() const noexcept { return reducer_.get(); }
  const ops::BatchReport& batch_report() const noexcept { return batch_report_; }
  // For how many ways in which inputs and outputs lay commands were made so far.
  uint64_t ways_made() const noexcept { return ways_made_.load(std::memory_order_relaxed); }

 private:
  void check_interface() const;
  void check_inputs(const std::vector<TensorRef>& idle);
  void check_given_inputs(const std::vector<TensorRef>& inputs) const;
  void check_given_outputs(const Interface& given) const;
  void enqueue(const Interface& given, CollectivesToCome& collectives, const ops::Run& run);
  BindingRef binding_for(const Interface& given, std::span<const uint64_t> shifts);

  const DeviceRef device_;
  const std::vector<NodeRef> nodes_;
  Interface interface_;
  const group::ReducerRef reducer_;  // null where nothing is given to one
  std::vector<ReducedGradient> reduced_;
  Steps steps_;
  std::vector<NodeRef> collectives_;  // of the steps, in their order
  std::vector<Layout> new_outputs_;  // how those that are new lie
  uint64_t live_bytes_ = 0;
  std::vector<BufferRef> outside_;  // memory that the steps work with beside that of inputs
  std::vector<BufferRef> changed_;  // of that, memory that they write
  ops::BatchReport batch_report_;
  BindingRef prepared_;
  std::atomic<uint64_t> ready_count_{0};
  std::atomic<uint64_t> ways_made_{0};
  std::atomic<bool> is_ready_{false};
  std::mutex mutex_;
  LruCache<std::string, BindingRef> bindings_{8};
};
using CompiledGraphRef = std::shared_ptr<CompiledGraph>;

}  // namespace netcl::graph
