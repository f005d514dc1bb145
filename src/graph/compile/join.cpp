// Elementwise calls that are done within others.
#include <algorithm>

#include "core/number.hpp"
#include "expression/join.hpp"
#include "graph/backward.hpp"
#include "graph/compile/steps.hpp"
#include "ops/elementwise/elementwise.hpp"
#include "ops/frame/result.hpp"

namespace netcl::graph {

namespace {

// What a kernel of joined calls holds at most: longer ones spill registers, and compile slowly.
constexpr size_t kNodesMost = 256;

class JoinedNode final : public Node {
 public:
  JoinedNode(Formula formula, const TensorRef& result)
      : Node("elementwise"),
        formula_(std::move(formula)),
        typed_(std::make_shared<ops::TypedExpression>(formula_.tree)) {
    reads_ = formula_.inputs;
    writes_ = {result};
  }

  void call(Substitute substitute, const ops::Run& run) const override {
    std::vector<TensorRef> inputs;
    for (const TensorRef& input : formula_.inputs) inputs.push_back(substitute(input));
    ops::run_expression(*typed_, inputs, *substitute(writes_[0]),
                        ops::default_elementwise_variant(), run);
  }
  std::optional<Formula> formula() const override { return formula_; }
  void add_gradients(Backward& backward) const override { backward.fail_without_derivative(); }

 private:
  const Formula formula_;
  const ops::TypedExpressionRef typed_;
};

class Joiner {
 public:
  Joiner(Steps* steps, const Interface& interface)
      : steps_(*steps), interface_(interface), uses_(uses_of(*steps)), formulas_(steps->size()) {}

  void run() {
    for (size_t i = 0; i < steps_.size(); ++i) {
      const Node& node = *steps_[i].node;
      if (node.writes().size() != 1 || node.writes()[0] == nullptr || node.writes()[0]->empty()) {
        continue;
      }
      formulas_[i] = node.formula();
      if (formulas_[i]) take_producers(i);
    }
    Steps left;
    for (Step& step : steps_) {
      if (step.node != nullptr) left.push_back(std::move(step));
    }
    steps_ = std::move(left);
  }

 private:
  // Takes the calls that nobody but `consumer` needs into it, one after the other.
  void take_producers(size_t consumer) {
    for (size_t k = 0; k < formulas_[consumer]->inputs.size();) {
      const TensorRef input = formulas_[consumer]->inputs[k];
      size_t producer = 0;
      if (find_producer(*input, consumer, &producer) && may_join(producer, consumer, *input)) {
        join(producer, consumer);
        k = 0;
      } else {
        ++k;
      }
    }
  }

  bool find_producer(const Tensor& input, size_t consumer, size_t* producer) const {
    if (input.empty() || !is_planned(input)) return false;
    const Uses& uses = uses_.at(input.memory());
    if (uses.writes.size() != 1 || uses.writes[0] >= consumer) return false;
    *producer = uses.writes[0];
    return formulas_[*producer].has_value();
  }

  bool may_join(size_t producer, size_t consumer, const Tensor& input) {
    std::string& apart = steps_[producer].apart;
    const Tensor& made = *steps_[producer].node->writes()[0];
    const Tensor& result = *steps_[consumer].node->writes()[0];
    for (const TensorRef& output : interface_.outputs) {
      if (!output->empty() && output->memory() == input.memory()) {
        apart = "its result is an output";
        return false;
      }
    }
    if (uses_.at(input.memory()).reads.size() != 1) {
      apart = "several calls read its result";
      return false;
    }
    for (const TensorRef& read : formulas_[consumer]->inputs) {
      if (read->empty() || read->memory() != input.memory()) continue;
      if (ops::same_elements(*read, made)) continue;
      apart = "its result is read in another layout";
      return false;
    }
    if (result.element_count() != input.element_count()) {
      apart = "its result is repeated";
      return false;
    }
    for (const TensorRef& read : formulas_[producer]->inputs) {
      if (is_written_between(*read, producer, consumer)) {
        apart = "what it reads is overwritten before its result is read";
        return false;
      }
    }
    const size_t inputs = formulas_[producer]->inputs.size() + formulas_[consumer]->inputs.size();
    const size_t nodes =
        formulas_[producer]->tree.nodes.size() + formulas_[consumer]->tree.nodes.size();
    if (inputs > NETCL_ARGS_MAX || nodes > kNodesMost) {
      apart = "one kernel would be too large";
      return false;
    }
    return true;
  }

  bool is_written_between(const Tensor& tensor, size_t producer, size_t consumer) const {
    if (tensor.empty()) return false;
    const std::vector<size_t>& writes = uses_.at(tensor.memory()).writes;
    return std::any_of(writes.begin(), writes.end(),
                       [&](size_t write) { return write > producer && write < consumer; });
  }

  void join(size_t producer, size_t consumer) {
    const TensorRef made = steps_[producer].node->writes()[0];
    const TensorRef result = steps_[consumer].node->writes()[0];
    expression::TreeJoiner trees;
    Formula joined;
    const auto value_of = [&](const TensorRef& tensor) {
      for (uint32_t i = 0; i < joined.inputs.size(); ++i) {
        if (ops::same_elements(*joined.inputs[i], *tensor)) return places_[i];
      }
      joined.inputs.push_back(tensor);
      places_.push_back(trees.add_input(tensor->dtype()));
      return places_.back();
    };
    places_.clear();
    std::vector<uint32_t> values;
    for (const TensorRef& input : formulas_[producer]->inputs) values.push_back(value_of(input));
    const uint32_t value = trees.add_tree(formulas_[producer]->tree, values);
    values.clear();
    for (const TensorRef& input : formulas_[consumer]->inputs) {
      values.push_back(ops::same_elements(*input, *made) ? value : value_of(input));
    }
    const uint32_t root = trees.add_tree(formulas_[consumer]->tree, values);
    joined.tree = trees.finish(root, result->dtype());
    replace(producer, consumer, std::move(joined), result);
  }

  void replace(size_t producer, size_t consumer, Formula joined, const TensorRef& result) {
    Step& from = steps_[producer];
    Step& to = steps_[consumer];
    for (const TensorRef& read : from.node->reads()) {
      if (read->empty()) continue;
      std::vector<size_t>& reads = uses_.at(read->memory()).reads;
      std::erase(reads, producer);
      const auto place = std::lower_bound(reads.begin(), reads.end(), consumer);
      if (place == reads.end() || *place != consumer) reads.insert(place, consumer);
    }
    to.names.insert(to.names.begin(), from.names.begin(), from.names.end());
    formulas_[consumer] = std::move(joined);
    to.node = std::make_shared<JoinedNode>(*formulas_[consumer], result);
    formulas_[producer].reset();
    from.node = nullptr;
  }

  Steps& steps_;
  const Interface& interface_;
  UseTable uses_;
  std::vector<std::optional<Formula>> formulas_;
  std::vector<uint32_t> places_;
};

}  // namespace

void join_elementwise(Steps* steps, const Interface& interface) { Joiner(steps, interface).run(); }

}  // namespace netcl::graph
