// Elementwise steps that become one, which stores several results.
#include <algorithm>
#include <unordered_set>

#include "core/number.hpp"
#include "expression/join.hpp"
#include "graph/compile/joined.hpp"
#include "graph/compile/lifetimes.hpp"
#include "graph/compile/steps.hpp"
#include "ops/elementwise/elementwise.hpp"

namespace netcl::graph {

namespace {

// More would be too many streams for the caches of CPUs.
constexpr size_t kStepResultsMost = 8;
static_assert(kStepResultsMost <= ops::kResultsMost);
// Every device takes 1 KiB of arguments, which are of 8 bytes at most.
constexpr size_t kArgumentsMost = 1024 / 8;
// Of those that a step might be joined with, so many nearest ones are looked at.
constexpr size_t kPartnersMost = 16;

// A step as an expression: a tensor for each result of the tree, all of one shape.
struct Group {
  Formula formula;
  std::vector<TensorRef> results;

  const Layout& shape() const noexcept { return results[0]->layout(); }
};

bool share_memory(const Tensor& a, const Tensor& b) {
  return !a.empty() && !b.empty() && a.memory()->may_be(*b.memory());
}

// The same group over another shape of as many elements, in the same order.
std::optional<Group> reshaped(const Group& group, const Layout& shape) {
  if (group.shape().same_shape(shape)) return group;
  Group seen{{group.formula.tree, {}}, {}};
  for (const TensorRef& input : group.formula.inputs) {
    seen.formula.inputs.push_back(seen_as(input, group.shape(), shape));
    if (seen.formula.inputs.back() == nullptr) return std::nullopt;
  }
  for (const TensorRef& result : group.results) {
    seen.results.push_back(reshape_view(*result, packed_layout(shape.rank, shape.shape.data())));
    if (seen.results.back() == nullptr) return std::nullopt;
  }
  return seen;
}

// Inputs that have an element of their own for each element of the shape: what it takes to read
// them is saved where two steps become one.
size_t whole_inputs(const Formula& formula, const Layout& shape) {
  size_t count = 0;
  for (size_t i = 0; i < formula.inputs.size(); ++i) {
    const bool whole = formula.inputs[i]->element_count() == shape.element_count();
    if (formula.tree.used[i] && whole) ++count;
  }
  return count;
}

// Leaves out inputs that no node reads.
void drop_unused_inputs(Formula* formula) {
  std::vector<uint32_t> places(formula->inputs.size());
  Formula left;
  for (size_t i = 0; i < places.size(); ++i) {
    if (!formula->tree.used[i]) continue;
    places[i] = static_cast<uint32_t>(left.inputs.size());
    left.inputs.push_back(formula->inputs[i]);
    left.tree.inputs.push_back(formula->tree.inputs[i]);
    left.tree.used.push_back(true);
  }
  formula->inputs = std::move(left.inputs);
  formula->tree.inputs = std::move(left.tree.inputs);
  formula->tree.used = std::move(left.tree.used);
  for (expression::TypedNode& node : formula->tree.nodes) {
    if (node.op == expression::Op::input) node.input = places[node.input];
  }
  int32_t& copied = formula->tree.copied_input;
  if (copied >= 0) copied = static_cast<int32_t>(places[static_cast<size_t>(copied)]);
}

// Two groups of one shape as one, the second after the first.
class GroupJoiner {
 public:
  GroupJoiner(const Group& first, const Group& second) : first_(first), second_(second) {}

  // Nothing where an element would need more than its own places. `is_needed` tells of a result
  // whether others read it.
  template <class Needed>
  std::optional<Group> run(const Needed& is_needed) {
    if (!may_write_over()) return std::nullopt;
    const std::vector<uint32_t> made = trees_.add_tree(first_.formula.tree, values_of_first());
    std::vector<uint32_t> values(second_.formula.inputs.size());
    for (size_t k = 0; k < values.size(); ++k) {
      if (!second_.formula.tree.used[k]) continue;
      const std::optional<uint32_t> value = value_after_first(second_.formula.inputs[k], made);
      if (!value) return std::nullopt;
      values[k] = *value;
    }
    const std::vector<uint32_t> last = trees_.add_tree(second_.formula.tree, values);
    for (size_t r = 0; r < made.size(); ++r) {
      if (!is_overwritten(*first_.results[r])) add(first_, r, made[r], is_needed);
    }
    for (size_t r = 0; r < last.size(); ++r) add(second_, r, last[r], is_needed);
    if (stored_.empty() || stored_.size() > kStepResultsMost) return std::nullopt;
    joined_.formula.tree = trees_.finish(stored_);
    drop_unused_inputs(&joined_.formula);
    return std::move(joined_);
  }

 private:
  bool same(const Tensor& a, const Tensor& b) const { return same_view(a, b, first_.shape()); }

  // What the second one writes to is read or written by the first one at the same elements or not
  // at all.
  bool may_write_over() const {
    for (const TensorRef& result : second_.results) {
      for (const TensorRef& input : first_.formula.inputs) {
        if (share_memory(*input, *result) && !same(*input, *result)) return false;
      }
      for (const TensorRef& other : first_.results) {
        if (share_memory(*other, *result) && !same(*other, *result)) return false;
      }
    }
    return true;
  }
  bool is_overwritten(const Tensor& result) const {
    return std::any_of(second_.results.begin(), second_.results.end(),
                       [&](const TensorRef& later) { return share_memory(*later, result); });
  }

  uint32_t value_of(const TensorRef& input) {
    const std::vector<TensorRef>& known = joined_.formula.inputs;
    for (size_t i = 0; i < known.size(); ++i) {
      if (same(*known[i], *input)) return places_[i];
    }
    joined_.formula.inputs.push_back(input);
    places_.push_back(trees_.add_input(input->dtype()));
    return places_.back();
  }
  std::vector<uint32_t> values_of_first() {
    std::vector<uint32_t> values(first_.formula.inputs.size());
    for (size_t k = 0; k < values.size(); ++k) {
      if (first_.formula.tree.used[k]) values[k] = value_of(first_.formula.inputs[k]);
    }
    return values;
  }
  // What the second one finds in an input; nothing where other elements of it were written.
  std::optional<uint32_t> value_after_first(const TensorRef& input,
                                            const std::vector<uint32_t>& made) {
    for (size_t r = 0; r < made.size(); ++r) {
      const Tensor& result = *first_.results[r];
      if (!share_memory(*input, result)) continue;
      if (!same(*input, result)) return std::nullopt;
      return trees_.add_stored(made[r], result.dtype());
    }
    return value_of(input);
  }

  template <class Needed>
  void add(const Group& from, size_t index, uint32_t value, const Needed& is_needed) {
    const TensorRef& result = from.results[index];
    if (!is_needed(*result)) return;
    joined_.results.push_back(result);
    stored_.push_back({value, result->dtype()});
  }

  const Group& first_;
  const Group& second_;
  expression::TreeJoiner trees_;
  Group joined_;
  std::vector<uint32_t> places_;  // of inputs, as values of the tree
  std::vector<expression::TypedResult> stored_;
};

class ResultJoiner {
 public:
  ResultJoiner(Steps* steps, const Interface& interface, const MemoryLimit& limit)
      : steps_(*steps),
        uses_(uses_of(*steps)),
        lifetimes_(*steps, interface, limit),
        groups_(steps->size()) {
    for (const TensorRef& output : interface.outputs) {
      if (!output->empty()) outputs_.insert(memory_key(*output));
    }
  }

  void run() {
    for (size_t i = 0; i < steps_.size(); ++i) {
      groups_[i] = group_of(*steps_[i].node);
      std::optional<size_t> at = i;
      while (at && groups_[*at]) at = join_one(*at, i);
    }
    std::erase_if(steps_, [](const Step& step) { return step.node == nullptr; });
  }

 private:
  // Bits that are only copied stay calls of their own: those of a NaN may change when they are
  // loaded as a number.
  static std::optional<Group> group_of(const Node& node) {
    const std::span<const TensorRef> results = node.writes();
    const auto fits = [](const TensorRef& result) {
      return result != nullptr && !result->empty() && !may_overlap_itself(result->layout());
    };
    if (results.empty() || !std::all_of(results.begin(), results.end(), fits)) return std::nullopt;
    std::optional<Formula> formula = node.formula();
    if (!formula || formula->tree.copied_input >= 0) return std::nullopt;
    return Group{std::move(*formula), {results.begin(), results.end()}};
  }

  // Joins a step with another one up to `last`; gives where they are then.
  std::optional<size_t> join_one(size_t at, size_t last) {
    for (const size_t other : partners(at, last)) {
      const size_t first = std::min(at, other);
      const size_t second = std::max(at, other);
      if (const std::optional<size_t> place = join(first, second)) return place;
    }
    return std::nullopt;
  }

  // Steps that read or make what a step reads, or read what it makes; the nearest ones.
  std::vector<size_t> partners(size_t at, size_t last) const {
    std::vector<size_t> found;
    const auto add = [&](const std::vector<size_t>& list) {
      for (const size_t step : list) {
        if (step <= last && step != at && groups_[step]) found.push_back(step);
      }
    };
    for (const TensorRef& input : groups_[at]->formula.inputs) {
      if (input->empty()) continue;
      add(uses_.at(memory_key(*input)).reads);
      add(uses_.at(memory_key(*input)).writes);
    }
    for (const TensorRef& result : groups_[at]->results) add(uses_.at(memory_key(*result)).reads);
    const auto distance = [at](size_t step) { return step < at ? at - step : step - at; };
    std::sort(found.begin(), found.end(), [&](size_t a, size_t b) {
      return distance(a) != distance(b) ? distance(a) < distance(b) : a < b;
    });
    found.erase(std::unique(found.begin(), found.end()), found.end());
    if (found.size() > kPartnersMost) found.resize(kPartnersMost);
    return found;
  }

  std::optional<size_t> join(size_t first, size_t second) {
    const Group& a = *groups_[first];
    const Group& b = *groups_[second];
    if (a.shape().element_count() != b.shape().element_count() ||
        steps_[first].node->repetition() != steps_[second].node->repetition()) {
      return std::nullopt;
    }
    const bool later = may_move(first, first, second);
    const bool earlier = may_move(second, first, second);
    if (!later && !earlier) return std::nullopt;
    std::optional<Group> both = joined(a, b, first, second);
    if (!both || !fits(*both) || !saves_reads(a, b, *both)) return std::nullopt;
    const uint64_t repetition = steps_[first].node->repetition();
    const NodeRef node = joined_node(both->formula, both->results, repetition);
    for (const size_t place : {second, first}) {
      if (!(place == second ? later : earlier)) continue;
      if (!lifetimes_.join(&uses_, {first, second, place}, *steps_[first].node,
                           *steps_[second].node, *node)) {
        continue;
      }
      replace(first, second, place, std::move(*both), node);
      return place;
    }
    return std::nullopt;
  }

  // True when nothing between two steps stands in the way of one of them.
  bool may_move(size_t step, size_t first, size_t second) const {
    const auto between = [&](const std::vector<size_t>& list) {
      const auto next = std::upper_bound(list.begin(), list.end(), first);
      return next != list.end() && *next < second;
    };
    for (const TensorRef& read : steps_[step].node->reads()) {
      if (!read->empty() && between(uses_.at(memory_key(*read)).writes)) return false;
    }
    for (const TensorRef& written : steps_[step].node->writes()) {
      const Uses& uses = uses_.at(memory_key(*written));
      if (between(uses.reads) || between(uses.writes)) return false;
    }
    return true;
  }

  std::optional<Group> joined(const Group& a, const Group& b, size_t first, size_t second) const {
    const auto is_needed = [&](const Tensor& result) {
      if (!is_planned(result) || outputs_.count(memory_key(result)) != 0) return true;
      const auto elsewhere = [&](const std::vector<size_t>& list) {
        return std::any_of(list.begin(), list.end(),
                           [&](size_t step) { return step != first && step != second; });
      };
      const Uses& uses = uses_.at(memory_key(result));
      return elsewhere(uses.reads) || elsewhere(uses.writes);
    };
    for (const Group* const base : {&a, &b}) {
      const std::optional<Group> left = reshaped(a, base->shape());
      const std::optional<Group> right = reshaped(b, base->shape());
      if (!left || !right) continue;
      if (std::optional<Group> both = GroupJoiner(*left, *right).run(is_needed)) return both;
    }
    return std::nullopt;
  }

  static bool fits(const Group& group) {
    const size_t operands = group.formula.inputs.size() + group.results.size();
    const size_t rank = group.shape().rank;
    return group.formula.tree.nodes.size() <= kJoinedNodesMost &&
           group.formula.inputs.size() <= NETCL_ARGS_MAX &&
           operands * (2 + rank) + rank + 1 <= kArgumentsMost;
  }
  static bool saves_reads(const Group& a, const Group& b, const Group& both) {
    return whole_inputs(both.formula, both.shape()) <
           whole_inputs(a.formula, a.shape()) + whole_inputs(b.formula, b.shape());
  }

  // True when a result of one group is one of another.
  static bool is_stored(const Group& group, const Group& both) {
    const auto among = [&](const TensorRef& result) {
      return std::any_of(both.results.begin(), both.results.end(), [&](const TensorRef& other) {
        return memory_key(*result) == memory_key(*other);
      });
    };
    return std::any_of(group.results.begin(), group.results.end(), among);
  }

  void replace(size_t first, size_t second, size_t place, Group both, const NodeRef& node) {
    Step& gone = steps_[place == first ? second : first];
    Step& to = steps_[place];
    to.numbers.insert(to.numbers.end(), gone.numbers.begin(), gone.numbers.end());
    std::sort(to.numbers.begin(), to.numbers.end());
    to.numbers.erase(std::unique(to.numbers.begin(), to.numbers.end()), to.numbers.end());
    std::string apart;
    for (const size_t step : {first, second}) {
      const std::string& reason = steps_[step].apart;
      if (reason.empty() || !is_stored(*groups_[step], both)) continue;
      if (apart.find(reason) != std::string::npos) continue;
      apart += (apart.empty() ? "" : ", ") + reason;
    }
    to.apart = std::move(apart);
    gone.node = nullptr;
    to.node = node;
    groups_[place == first ? second : first].reset();
    groups_[place] = std::move(both);
  }

  Steps& steps_;
  UseTable uses_;
  Lifetimes lifetimes_;
  std::vector<std::optional<Group>> groups_;
  std::unordered_set<MemoryKey> outputs_;
};

}  // namespace

void join_results(Steps* steps, const Interface& interface, const MemoryLimit& limit) {
  ResultJoiner(steps, interface, limit).run();
}

}  // namespace netcl::graph
