// The gradients of one recorded call, as the rules of its op see them (op_gradients.hpp).
#pragma once

#include <string>
#include <unordered_set>

#include "graph/graph.hpp"
#include "ops/frame/run.hpp"

namespace netcl::graph {

class Adjoints;
class CollectivesToCome;
using Memories = std::unordered_set<const MemoryObject*>;

// Fails because of call `number`, which stands for others that wrote some part of a memory.
[[noreturn]] void fail_of_outside_write(const Tensor& memory, size_t number);

// Where the calls that make gradients go.
struct Caller {
  Graph* graph;  // null: they are not recorded
  ops::Run run;
};

class Backward {
 public:
  // `number` is that of the node in `graph`; `active` says which memory depends on what is asked
  // for, and `grads` has the gradients of the results, null where there is none.
  Backward(const Graph& graph, const History& history, const Caller& caller, const Node& node,
           size_t number, const Memories& active, Adjoints& adjoints,
           CollectivesToCome& collectives, std::vector<TensorRef> grads)
      : graph_(graph),
        history_(history),
        caller_(caller),
        node_(node),
        number_(number),
        active_(active),
        adjoints_(adjoints),
        collectives_(collectives),
        grads_(std::move(grads)) {}

  // The gradient of a result; of a call of a group null where this rank has none, or no result.
  const TensorRef& grad(size_t index = 0) const { return grads_[index]; }
  // A result, for rules that work with its values.
  const TensorRef& result(size_t index = 0) const { return node_.writes()[index]; }

  // True when the gradient of an operand is asked for.
  bool wants(const TensorRef& operand) const;
  // Adds the gradient of an operand, or of a view of one. It is summed where the operand was
  // broadcast to its shape, and converted to the operand's dtype.
  void add(const TensorRef& operand, TensorRef gradient);

  const ops::Run& run() const noexcept { return caller_.run; }
  const Caller& caller() const noexcept { return caller_; }
  // Calls of groups by which gradients go to other ranks, of this call and those in front of it.
  CollectivesToCome& collectives() const noexcept { return collectives_; }
  // Fails when a tensor is an operand or a result that was overwritten since; of others nothing is
  // known. Every tensor that a rule hands to an op comes by here.
  void check(const Tensor& tensor) const;
  bool is_intact(const Tensor& tensor) const { return !overwriter(tensor).has_value(); }

  [[noreturn]] void fail_without_derivative(const std::string& why = {}) const;

 private:
  std::optional<Graph::Writer> overwriter(const Tensor& tensor) const;

  const Graph& graph_;
  const History& history_;
  const Caller& caller_;
  const Node& node_;
  const size_t number_;
  const Memories& active_;
  Adjoints& adjoints_;
  CollectivesToCome& collectives_;
  const std::vector<TensorRef> grads_;
};

}  // namespace netcl::graph
