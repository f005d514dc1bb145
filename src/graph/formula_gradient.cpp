#include "graph/formula_gradient.hpp"

#include <mutex>

#include "core/error.hpp"
#include "core/lru.hpp"
#include "core/number.hpp"
#include "core/process.hpp"
#include "expression/differentiate.hpp"
#include "ops/frame/result.hpp"

namespace netcl::graph {

namespace {

// Derivatives are made once for each expression and input.
struct Derivatives {
  std::mutex mutex;
  LruCache<std::string, TreeRef> kept{1024, uint64_t{8} << 20};
};

TreeRef derivative(const expression::Tree& tree, size_t count, uint32_t input) {
  auto& known = process().services.get<Derivatives>(Slot::derivatives,
                                                    [] { return std::make_unique<Derivatives>(); });
  std::string key = format("%zu %u ", count, input) + tree.text();
  {
    const std::lock_guard<std::mutex> lock(known.mutex);
    if (const TreeRef* found = known.kept.find(key)) return *found;
  }
  TreeRef made = expression::differentiate(tree, static_cast<uint32_t>(count), input);
  const uint64_t bytes =
      key.size() + made->text().size() + made->nodes().size() * sizeof(expression::TreeNode);
  const std::lock_guard<std::mutex> lock(known.mutex);
  return known.kept.insert(std::move(key), std::move(made), bytes);
}

bool is_zero(const expression::Tree& tree) {
  const expression::TreeNode& root = tree.nodes()[tree.root()];
  return root.op == expression::Op::literal && root.integer == 0 && root.real == 0.0;
}

// Fails when one of the inputs that a tree works with was overwritten.
void check_used(const Backward& backward, const expression::Tree& tree,
                std::span<const TensorRef> inputs) {
  for (const expression::TreeNode& node : tree.nodes()) {
    if (node.op == expression::Op::input && node.input < inputs.size()) {
      backward.check(*inputs[node.input]);
    }
  }
}

TensorRef run_gradient(const Backward& backward, const expression::Tree& tree,
                       std::span<const TensorRef> inputs, uint32_t input, const TensorRef& grad,
                       const TensorRef& out) {
  check_used(backward, tree, inputs);
  return recorded<primitive_gradient>(backward.caller(), "primitive_gradient", TensorRef(), tree,
                                      inputs, input, grad, out);
}

// A tensor repeated to the shape that others broadcast to.
TensorRef broadcast_to(const Tensor& tensor, const Layout& shape) {
  return broadcast(tensor, shape.rank, shape.shape.data());
}

}  // namespace

TensorRef formula_gradient(const Backward& backward, const expression::Tree& tree,
                           std::span<const TensorRef> inputs, uint32_t input,
                           const TensorRef& grad) {
  if (inputs.size() >= NETCL_ARGS_MAX) {
    backward.fail_without_derivative(
        format("it has %zu inputs, with the gradient one more than the %d that are possible",
               inputs.size(), NETCL_ARGS_MAX));
  }
  const TreeRef by = derivative(tree, inputs.size(), input);
  return is_zero(*by) ? nullptr : run_gradient(backward, *by, inputs, input, grad, nullptr);
}

std::string activation_formula(const Activation& activation) {
  const std::string alpha = literal(activation.alpha);
  switch (activation.kind) {
    case NETCL_ACTIVATION_RELU:
      return "v1 > 0 ? v0 : 0";
    case NETCL_ACTIVATION_LEAKY_RELU:
      return activation.alpha >= 0 ? "v1 > 0 ? v0 : v0 * " + alpha : "";
    case NETCL_ACTIVATION_ELU:
      return activation.alpha > 0 ? "v1 > 0 ? v0 : v0 * (v1 + " + alpha + ")" : "";
    case NETCL_ACTIVATION_SIGMOID:
      return "v0 * v1 * (1 - v1)";
    case NETCL_ACTIVATION_TANH:
      return "v0 * (1 - v1) * (1 + v1)";
    default:
      return "";
  }
}

TreeRef activation_tree(const Activation& activation, const TensorRef& given) {
  netcl_elementwise op = 0;
  ops::ElementwiseParameters parameters{true, activation.alpha, activation.beta};
  switch (activation.kind) {
    case NETCL_ACTIVATION_RELU:
      op = NETCL_ELEMENTWISE_RELU;
      break;
    case NETCL_ACTIVATION_LEAKY_RELU:
      op = NETCL_ELEMENTWISE_LEAKY_RELU;
      break;
    case NETCL_ACTIVATION_ELU:
      op = NETCL_ELEMENTWISE_ELU;
      break;
    case NETCL_ACTIVATION_SIGMOID:
      op = NETCL_ELEMENTWISE_SIGMOID;
      break;
    case NETCL_ACTIVATION_TANH:
      op = NETCL_ELEMENTWISE_TANH;
      break;
    case NETCL_ACTIVATION_SILU:
      op = NETCL_ELEMENTWISE_SILU;
      break;
    case NETCL_ACTIVATION_GELU:
      op = NETCL_ELEMENTWISE_GELU;
      break;
    case NETCL_ACTIVATION_GELU_TANH:
      op = NETCL_ELEMENTWISE_GELU_TANH;
      break;
    case NETCL_ACTIVATION_SOFTPLUS:
      op = NETCL_ELEMENTWISE_SOFTPLUS;
      break;
    case NETCL_ACTIVATION_HARD_SIGMOID:
      op = NETCL_ELEMENTWISE_HARD_SIGMOID;
      break;
    case NETCL_ACTIVATION_HARD_SWISH:
      op = NETCL_ELEMENTWISE_HARD_SWISH;
      break;
    default:
      op = NETCL_ELEMENTWISE_CLIP;
      break;
  }
  const ops::ElementwiseParameters defaults = ops::elementwise_defaults(op);
  if (defaults.alpha == 0.0 && defaults.beta == 0.0 && op != NETCL_ELEMENTWISE_CLIP) {
    parameters = {};
  }
  return ops::elementwise_tree(op, {&given, 1}, parameters);
}

void expression_gradients(Backward& backward, const expression::Tree& tree,
                          std::span<const TensorRef> inputs, netcl_dtype, netcl_variant) {
  for (uint32_t i = 0; i < inputs.size(); ++i) {
    if (!backward.wants(inputs[i])) continue;
    if (const TensorRef grad = formula_gradient(backward, tree, inputs, i, backward.grad())) {
      backward.add(inputs[i], grad);
    }
  }
}

void expressions_gradients(Backward& backward, const expression::Trees& trees,
                           std::span<const TensorRef> inputs, std::span<const netcl_dtype>,
                           netcl_variant) {
  for (uint32_t i = 0; i < inputs.size(); ++i) {
    if (!backward.wants(inputs[i])) continue;
    for (size_t k = 0; k < trees.size(); ++k) {
      if (backward.grad(k) == nullptr) continue;
      const TensorRef grad = formula_gradient(backward, trees[k], inputs, i, backward.grad(k));
      if (grad != nullptr) backward.add(inputs[i], grad);
    }
  }
}

void elementwise_gradients(Backward& backward, netcl_elementwise op,
                           std::span<const TensorRef> inputs,
                           const ops::ElementwiseParameters& parameters, netcl_dtype dtype,
                           netcl_variant variant) {
  expression_gradients(backward, *ops::elementwise_tree(op, inputs, parameters), inputs, dtype,
                       variant);
}

void bias_add_gradients(Backward& backward, const TensorRef& x, const TensorRef& bias,
                        int32_t axis) {
  backward.add(x, backward.grad());
  const uint32_t rank = x->layout().rank;
  backward.add(along_axis(*bias, rank, ops::checked_axis(axis, rank, "axis")), backward.grad());
}

void primitive_gradients(Backward& backward, const PrimitiveCall& call,
                         std::span<const TensorRef> inputs) {
  const auto count = static_cast<uint32_t>(inputs.size());
  const TensorRef out = backward.is_intact(*backward.result()) ? backward.result() : nullptr;
  for (uint32_t i = 0; i < count; ++i) {
    if (!backward.wants(inputs[i])) continue;
    const TreeRef tree = call.primitive().gradient(count, i, out != nullptr, call.values());
    if (is_zero(*tree)) continue;
    backward.add(inputs[i], run_gradient(backward, *tree, inputs, i, backward.grad(), out));
  }
}

void primitive_gradient_gradients(Backward& backward, const expression::Tree& tree,
                                  std::span<const TensorRef> inputs, uint32_t,
                                  const TensorRef& grad, const TensorRef& out) {
  std::vector<TensorRef> operands(inputs.begin(), inputs.end());
  operands.push_back(grad);
  if (out != nullptr) operands.push_back(out);
  const TensorRef wide = broadcast_to(*backward.grad(), grad->layout());
  for (uint32_t i = 0; i < operands.size(); ++i) {
    if (!backward.wants(operands[i])) continue;
    if (const TensorRef more = formula_gradient(backward, tree, operands, i, wide)) {
      backward.add(operands[i], more);
    }
  }
}

}  // namespace netcl::graph
