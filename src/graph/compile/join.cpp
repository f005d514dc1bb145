// Elementwise calls that are done within others.
#include <algorithm>
#include <unordered_set>

#include "core/number.hpp"
#include "expression/join.hpp"
#include "graph/compile/joined.hpp"
#include "graph/compile/lifetimes.hpp"
#include "graph/compile/steps.hpp"

namespace netcl::graph {

namespace {

// So many kernels compute a value anew instead of reading it.
constexpr size_t kCopiesMost = 2;

// True when a tensor is read in the order in which it was made, in whatever shape.
bool same_order(const Tensor& read, const Tensor& made) {
  if (read.dtype() != made.dtype() || read.element_count() != made.element_count()) return false;
  if (read.layout().offset != made.layout().offset) return false;
  if (read.layout().is_c_contiguous() && made.layout().is_c_contiguous()) return true;
  return read.layout().same_shape(made.layout()) && same_view(read, made, made.layout());
}

// True for one value everywhere.
bool is_constant(const Formula& formula) {
  const std::vector<bool>& used = formula.tree.used;
  return std::find(used.begin(), used.end(), true) == used.end();
}

class Joiner {
 public:
  // Calls of `stored` are left as they are.
  Joiner(Steps* steps, const Interface& interface, const MemoryLimit& limit,
         const std::unordered_set<size_t>& stored)
      : steps_(*steps),
        stored_(stored),
        uses_(uses_of(*steps)),
        lifetimes_(*steps, interface, limit),
        formulas_(steps->size()) {
    for (const TensorRef& output : interface.outputs) {
      if (!output->empty()) outputs_.insert(output->memory());
    }
  }

  void run() {
    for (size_t i = 0; i < steps_.size(); ++i) {
      const auto is_there = [](const TensorRef& made) { return made != nullptr && !made->empty(); };
      const std::span<const TensorRef> writes = steps_[i].node->writes();
      if (writes.empty() || !std::all_of(writes.begin(), writes.end(), is_there)) continue;
      formulas_[i] = steps_[i].node->formula();
    }
    for (size_t i = 0; i < steps_.size(); ++i) {
      if (formulas_[i]) hand_over(i);
    }
    Steps left;
    for (Step& step : steps_) {
      if (step.node != nullptr) left.push_back(std::move(step));
    }
    steps_ = std::move(left);
  }

  // Numbers of calls that several others took.
  const std::vector<size_t>& copied() const noexcept { return copied_; }

 private:
  // Does a call within all those that read its result, if they can all take it.
  void hand_over(size_t producer) {
    std::string& apart = steps_[producer].apart;
    if (steps_[producer].node->writes().size() > 1) {
      apart = "one call gives several";
      return;
    }
    const TensorRef made = steps_[producer].node->writes()[0];
    if (!is_planned(*made)) return;
    const Uses& uses = uses_.at(memory_key(*made));
    if (outputs_.count(made->memory()) != 0) {
      apart = "it is an output";
      return;
    }
    if (uses.writes.size() != 1) {
      apart = "several calls write it";
      return;
    }
    const std::vector<size_t> readers = uses.reads;
    const size_t number = steps_[producer].numbers.back();
    if (stored_.count(number) != 0) {
      apart = "too many kernels need it";
      return;
    }
    const bool constant = is_constant(*formulas_[producer]);
    std::vector<Formula> joined;
    for (const size_t reader : readers) {
      apart = why_not(producer, reader);
      if (!apart.empty()) return;
      std::optional<Formula> both = joined_formula(*formulas_[producer], *formulas_[reader], *made,
                                                   steps_[reader].node->writes());
      if (!both) {
        apart = "it is read in another shape";
        return;
      }
      joined.push_back(std::move(*both));
      if (joined.back().inputs.size() > NETCL_ARGS_MAX ||
          joined.back().tree.nodes.size() > kJoinedNodesMost) {
        apart = "one kernel would be too large";
        return;
      }
    }
    if (!move_reads(producer, readers)) {
      apart = kMoreMemory;
      return;
    }
    for (size_t i = 0; i < readers.size(); ++i) {
      replace(producer, readers[i], std::move(joined[i]));
    }
    if (readers.size() > 1 && !constant) copied_.push_back(number);
    formulas_[producer].reset();
    steps_[producer].node = nullptr;
  }

  // What the producer reads is read by the readers of its result, which nobody has; false, and
  // nothing is changed, where that takes too much memory.
  bool move_reads(size_t producer, const std::vector<size_t>& readers) {
    const Node& node = *steps_[producer].node;
    Lifetimes::Changes changes;
    for (const TensorRef& read : node.reads()) {
      if (read->empty()) continue;
      Uses& own = changes.try_emplace(memory_key(*read), uses_.at(memory_key(*read))).first->second;
      remove_step(&own.reads, producer);
      for (const size_t reader : readers) add_step(&own.reads, reader);
    }
    changes[memory_key(*node.writes()[0])] = Uses();
    return lifetimes_.change(&uses_, std::move(changes));
  }

  // Empty where a reader can take a call.
  std::string why_not(size_t producer, size_t reader) const {
    const Tensor& made = *steps_[producer].node->writes()[0];
    if (!formulas_[reader]) return steps_[reader].node->name() + " reads it";
    if (is_constant(*formulas_[producer])) return {};
    const Tensor& result = *steps_[reader].node->writes()[0];
    for (const TensorRef& read : formulas_[reader]->inputs) {
      if (read->empty() || read->memory() != made.memory()) continue;
      if (!same_order(*read, made)) return "it is read in another order";
    }
    if (result.element_count() != made.element_count()) return "it is repeated";
    for (const TensorRef& read : formulas_[producer]->inputs) {
      if (is_written_between(*read, producer, reader)) {
        return "what it is made of is overwritten before it is read";
      }
    }
    return {};
  }

  bool is_written_between(const Tensor& tensor, size_t producer, size_t consumer) const {
    if (tensor.empty()) return false;
    const std::vector<size_t>& writes = uses_.at(memory_key(tensor)).writes;
    return std::any_of(writes.begin(), writes.end(),
                       [&](size_t write) { return write > producer && write < consumer; });
  }

  // What the consumer computes when what the producer made is computed with it.
  static std::optional<Formula> joined_formula(const Formula& producer, const Formula& consumer,
                                               const Tensor& made,
                                               std::span<const TensorRef> results) {
    const Layout& shape = results[0]->layout();
    expression::TreeJoiner trees;
    Formula joined;
    std::vector<uint32_t> places;
    const auto value_of = [&](const TensorRef& tensor) {
      for (uint32_t i = 0; i < joined.inputs.size(); ++i) {
        if (same_view(*joined.inputs[i], *tensor, shape)) return places[i];
      }
      joined.inputs.push_back(tensor);
      places.push_back(trees.add_input(tensor->dtype()));
      return places.back();
    };
    std::vector<uint32_t> values(consumer.inputs.size());
    for (size_t k = 0; k < values.size(); ++k) {
      const TensorRef& read = consumer.inputs[k];
      if (!consumer.tree.used[k]) continue;
      if (read->empty() || read->memory() != made.memory()) {
        values[k] = value_of(read);
        continue;
      }
      std::vector<uint32_t> operands(producer.inputs.size());
      for (size_t i = 0; i < operands.size(); ++i) {
        if (!producer.tree.used[i]) continue;
        const TensorRef seen = seen_as(producer.inputs[i], made.layout(), read->layout());
        if (seen == nullptr) return std::nullopt;
        operands[i] = value_of(seen);
      }
      values[k] = trees.add_stored(trees.add_tree(producer.tree, operands)[0], made.dtype());
    }
    std::vector<expression::TypedResult> stored;
    for (const uint32_t value : trees.add_tree(consumer.tree, values)) {
      stored.push_back({value, results[stored.size()]->dtype()});
    }
    joined.tree = trees.finish(stored);
    return joined;
  }

  void replace(size_t producer, size_t consumer, Formula joined) {
    Step& to = steps_[consumer];
    std::vector<size_t>& numbers = to.numbers;
    numbers.insert(numbers.end(), steps_[producer].numbers.begin(), steps_[producer].numbers.end());
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    formulas_[consumer] = std::move(joined);
    const std::span<const TensorRef> results = to.node->writes();
    to.node =
        joined_node(*formulas_[consumer], {results.begin(), results.end()}, to.node->repetition());
  }

  Steps& steps_;
  const std::unordered_set<size_t>& stored_;
  std::vector<size_t> copied_;
  UseTable uses_;
  Lifetimes lifetimes_;
  std::vector<std::optional<Formula>> formulas_;
  std::unordered_set<const MemoryObject*> outputs_;
};

}  // namespace

// What would be computed in too many kernels is stored, and the rest joined anew.
void join_elementwise(Steps* steps, const Interface& interface, const MemoryLimit& limit) {
  std::unordered_set<size_t> stored;
  for (size_t before = SIZE_MAX; before != stored.size();) {
    before = stored.size();
    Steps trial = *steps;
    Joiner joiner(&trial, interface, limit, stored);
    joiner.run();
    for (const size_t number : joiner.copied()) {
      const auto kernels = std::count_if(trial.begin(), trial.end(), [&](const Step& step) {
        return std::binary_search(step.numbers.begin(), step.numbers.end(), number);
      });
      if (kernels > static_cast<ptrdiff_t>(kCopiesMost)) stored.insert(number);
    }
    if (before == stored.size()) *steps = std::move(trial);
  }
}

}  // namespace netcl::graph
