#include "graph/compile/joined.hpp"

#include "graph/backward.hpp"
#include "ops/elementwise/elementwise.hpp"
#include "ops/frame/result.hpp"

namespace netcl::graph {

namespace {

class JoinedNode final : public Node {
 public:
  JoinedNode(Formula formula, std::vector<TensorRef> results, uint64_t repetition)
      : Node("elementwise"),
        formula_(std::move(formula)),
        typed_(std::make_shared<ops::TypedExpression>(formula_.tree)) {
    reads_ = formula_.inputs;
    writes_ = std::move(results);
    repetition_ = repetition;
  }

  void call(Substitute substitute, const ops::Run& run) const override {
    std::vector<TensorRef> inputs;
    for (const TensorRef& input : formula_.inputs) inputs.push_back(substitute(input));
    std::vector<TensorRef> results;
    std::vector<const Tensor*> outputs;
    for (const TensorRef& written : writes_) {
      results.push_back(substitute(written));
      outputs.push_back(results.back().get());
    }
    ops::run_expressions(*typed_, inputs, outputs, ops::default_elementwise_variant(), run);
  }
  std::optional<Formula> formula() const override { return formula_; }
  void add_gradients(Backward& backward) const override { backward.fail_without_derivative(); }

 private:
  const Formula formula_;
  const ops::TypedExpressionRef typed_;
};

}  // namespace

NodeRef joined_node(Formula formula, std::vector<TensorRef> results, uint64_t repetition) {
  return std::make_shared<JoinedNode>(std::move(formula), std::move(results), repetition);
}

TensorRef seen_as(const TensorRef& input, const Layout& made, const Layout& read) {
  if (made.same_shape(read)) return input;
  const TensorRef wide = broadcast(*input, made.rank, made.shape.data());
  return reshape_view(*wide, packed_layout(read.rank, read.shape.data()));
}

bool same_view(const Tensor& a, const Tensor& b, const Layout& shape) {
  if (a.memory() != b.memory() || a.dtype() != b.dtype()) return false;
  if (a.layout().offset != b.layout().offset) return false;
  const Layout left = broadcast_layout(a.layout(), shape.rank, shape.shape.data(), "inputs");
  const Layout right = broadcast_layout(b.layout(), shape.rank, shape.shape.data(), "inputs");
  for (uint32_t d = 0; d < shape.rank; ++d) {
    if (shape.shape[d] > 1 && left.strides[d] != right.strides[d]) return false;
  }
  return true;
}

}  // namespace netcl::graph
