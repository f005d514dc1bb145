#include "expression/tree.hpp"

#include <cmath>
#include <cstring>
#include <numbers>

#include "core/dtype.hpp"
#include "core/error.hpp"
#include "core/number.hpp"

namespace netcl::expression {

uint32_t TreeBuilder::intern(const TreeNode& node) {
  uint64_t real_bits;
  std::memcpy(&real_bits, &node.real, sizeof real_bits);
  const Key key{static_cast<uint64_t>(node.op) << 8 | static_cast<uint64_t>(node.kind),
                static_cast<uint64_t>(node.dtype) << 32 | node.input,
                node.args[0], node.args[1], node.args[2], node.integer, real_bits};
  const auto found = known_.find(key);
  if (found != known_.end()) return found->second;
  if (nodes_.size() >= kNodesMax) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "expression has more than %u different nodes", kNodesMax);
  }
  nodes_.push_back(node);
  const uint32_t index = static_cast<uint32_t>(nodes_.size()) - 1;
  known_.emplace(key, index);
  return index;
}

uint32_t TreeBuilder::input(uint32_t index) {
  TreeNode node;
  node.op = Op::input;
  node.input = index;
  return intern(node);
}

uint32_t TreeBuilder::boolean(bool value) {
  TreeNode node;
  node.integer = value;
  return intern(node);
}

uint32_t TreeBuilder::integer(uint64_t value) {
  TreeNode node;
  node.kind = LiteralKind::integer;
  node.integer = value;
  return intern(node);
}

uint32_t TreeBuilder::floating(double value) {
  TreeNode node;
  node.kind = LiteralKind::floating;
  // One NaN only, so that equal text gives equal nodes.
  node.real = std::isnan(value) ? std::nan("") : value;
  return intern(node);
}

uint32_t TreeBuilder::cast(netcl_dtype dtype, uint32_t argument) {
  TreeNode node;
  node.op = Op::cast;
  node.dtype = dtype;
  node.args[0] = argument;
  return intern(node);
}

uint32_t TreeBuilder::apply(Op op, const uint32_t* args) {
  TreeNode node;
  node.op = op;
  for (uint32_t i = 0; i < op_facts(op).arity; ++i) node.args[i] = args[i];
  return intern(node);
}

std::shared_ptr<const Tree> TreeBuilder::finish(uint32_t root) {
  std::vector<uint8_t> used(nodes_.size(), 0);
  used[root] = 1;
  for (uint32_t i = root + 1; i-- > 0;) {
    if (!used[i]) continue;
    for (uint32_t a = 0; a < op_facts(nodes_[i].op).arity; ++a) used[nodes_[i].args[a]] = 1;
  }
  auto tree = std::make_shared<Tree>();
  std::vector<uint32_t> moved(nodes_.size(), 0);
  for (uint32_t i = 0; i <= root; ++i) {
    if (!used[i]) continue;
    TreeNode node = nodes_[i];
    for (uint32_t a = 0; a < op_facts(node.op).arity; ++a) node.args[a] = moved[node.args[a]];
    if (node.op == Op::input && node.input >= tree->arity_) tree->arity_ = node.input + 1;
    moved[i] = static_cast<uint32_t>(tree->nodes_.size());
    tree->nodes_.push_back(node);
  }
  tree->text_ = canonical_text(tree->nodes_, tree->root());
  return tree;
}

namespace {

// What is still to be written: a fixed piece of text, or a node in a place that needs at least a
// certain precedence to go without parentheses.
struct Piece {
  const char* text;
  uint32_t node;
  uint8_t precedence;
};

void append_literal(std::string* out, const TreeNode& node) {
  if (node.kind == LiteralKind::boolean) {
    *out += node.integer ? "true" : "false";
  } else if (node.kind == LiteralKind::integer) {
    *out += number_text(node.integer);
  } else if (std::isnan(node.real)) {
    *out += "nan";
  } else if (std::isinf(node.real)) {
    *out += "inf";
  } else if (node.real == std::numbers::pi) {
    *out += "pi";
  } else {
    const std::string text = number_text(node.real);
    *out += text;
    // The point is what tells a floating literal from an integer one.
    if (text.find_first_of(".e") == std::string::npos) *out += ".0";
  }
}

void push_call(std::vector<Piece>* stack, const TreeNode& node, uint32_t arity) {
  stack->push_back({")", 0, 0});
  for (uint32_t a = arity; a-- > 0;) {
    stack->push_back({nullptr, node.args[a], 0});
    if (a > 0) stack->push_back({", ", 0, 0});
  }
  stack->push_back({"(", 0, 0});
}

void push_infix(std::vector<Piece>* stack, const TreeNode& node, const OpFacts& facts) {
  const uint8_t level = facts.precedence;
  if (facts.arity == 1) {
    stack->push_back({nullptr, node.args[0], level});
    stack->push_back({facts.infix, 0, 0});
    return;
  }
  // All binary operators group to the left, so only the right side needs the tighter level.
  stack->push_back({nullptr, node.args[1], static_cast<uint8_t>(level + 1)});
  stack->push_back({" ", 0, 0});
  stack->push_back({facts.infix, 0, 0});
  stack->push_back({" ", 0, 0});
  stack->push_back({nullptr, node.args[0], level});
}

}  // namespace

std::string canonical_text(const std::vector<TreeNode>& nodes, uint32_t root) {
  std::string out;
  std::vector<Piece> stack{{nullptr, root, 0}};
  while (!stack.empty()) {
    const Piece piece = stack.back();
    stack.pop_back();
    if (out.size() > kTextMax) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "expression is longer than %zu bytes in canonical form",
           kTextMax);
    }
    if (piece.text != nullptr) {
      out += piece.text;
      continue;
    }
    const TreeNode& node = nodes[piece.node];
    const OpFacts& facts = op_facts(node.op);
    if (node.op == Op::input) {
      out += format("v%u", node.input);
    } else if (node.op == Op::literal) {
      append_literal(&out, node);
    } else if (facts.infix != nullptr) {
      const bool wrap = facts.precedence < piece.precedence;
      if (wrap) stack.push_back({")", 0, 0});
      push_infix(&stack, node, facts);
      if (wrap) stack.push_back({"(", 0, 0});
    } else {
      out += node.op == Op::cast ? dtype_facts(node.dtype).name : facts.name;
      push_call(&stack, node, facts.arity);
    }
  }
  if (out.size() > kTextMax) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "expression is longer than %zu bytes in canonical form",
         kTextMax);
  }
  return out;
}

}  // namespace netcl::expression
