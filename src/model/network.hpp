// A network on a device: a program and its weights, of whose steps each is recorded for inputs of
// some shapes.
#pragma once

#include <atomic>
#include <mutex>
#include <set>
#include <unordered_map>

#include "graph/compile/forms.hpp"
#include "model/flow.hpp"

namespace netcl::model {

struct FlowLimits {
  // Calls, or rounds of loops, of one graph. Compiling takes longer than in proportion: a second
  // for so many.
  size_t recorded_most = 1 << 14;
  // Rounds of a run that the host goes: what nothing ends would go on for ever.
  uint64_t rounds_most = 1 << 20;
};

// Which step of which block a form is of.
struct StepId {
  uint32_t plan = kUnrolled;
  uint32_t block = 0;
  uint32_t step = 0;
};

class Network final : public graph::GraphFunction {
 public:
  // Fails where something is missing, before it allocates anything.
  Network(DeviceRef device, std::unique_ptr<Program> program, const FlowLimits& limits,
          const Precision& precision);

  const Program& program() const noexcept { return *program_; }
  // The inputs whose elements the host needs.
  const std::set<uint32_t>& bound_inputs() const noexcept { return bound_inputs_; }
  uint64_t weight_count() const noexcept { return weight_count_; }
  uint64_t weight_bytes() const noexcept { return weight_bytes_; }
  size_t step_count() const noexcept;

  // kApart once a loop went round more often than one graph holds.
  Plan plan() const noexcept { return apart_.load(std::memory_order_relaxed) ? kApart : kUnrolled; }
  void set_apart() const noexcept { apart_.store(true, std::memory_order_relaxed); }
  const std::vector<ProgramStep>& steps(uint32_t block, Plan plan) const {
    return program_->blocks()[block].steps[plan];
  }

  const FlowLimits& limits() const noexcept { return limits_; }
  const Precision& precision() const noexcept { return precision_; }
  // The values that are there before anything runs: weights and what depends on them alone, by
  // value.
  const std::vector<Slot>& weights() const noexcept { return weights_; }
  // A weight in one of the dtypes of mixed precision, which is kept; null for what is none, and
  // where it would be a large weight in its second dtype.
  TensorRef weight_as(uint32_t value, netcl_dtype dtype, const ops::Run& run) const;
  // Whether a value that an elementwise node gives stays f32 where the node computes in the short
  // dtype: one that the network gives, or that one other elementwise node alone takes.
  bool stays_wide(int64_t value) const { return stays_wide_[static_cast<size_t>(value)] != 0; }

  // The form of a step.
  graph::CompiledGraphRef form(graph::Forms& forms, const StepId& id,
                               std::span<const TensorRef> inputs, std::string bound) const;
  // `bound` has the elements of the step's bound inputs, one after the other, then its StepId.
  std::vector<TensorRef> record(const graph::GraphRef& capture, std::span<const TensorRef> inputs,
                                uint32_t count, std::string_view bound) const override;

 private:
  class Recording;

  void upload_weight(size_t value, bool may_be_short);
  bool is_constant(const ProgramNode& node) const;
  void fold_weights();
  void give_back(const std::vector<char>& folded);
  void drop_read_weights();
  std::vector<char> read_short() const;
  std::vector<char> read_by_one() const;

  const DeviceRef device_;
  const std::unique_ptr<Program> program_;
  std::vector<Slot> weights_;
  std::set<const ProgramNode*> folded_;       // whose results are among them
  std::vector<std::vector<int64_t>> shapes_;  // of weights, by value
  const FlowLimits limits_;
  const Precision precision_;
  std::vector<char> stays_wide_;  // by value
  mutable std::mutex others_mutex_;
  mutable std::unordered_map<uint32_t, TensorRef> others_;
  std::set<uint32_t> bound_inputs_;
  uint64_t weight_count_ = 0;
  uint64_t weight_bytes_ = 0;
  mutable std::atomic<bool> apart_{false};
};

}  // namespace netcl::model
