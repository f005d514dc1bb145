#include "expression/simplify.hpp"

#include <cmath>

#include "expression/graft.hpp"

namespace netcl::expression {

namespace {
constexpr double kWholeMax = 0x1p53;
}

// Whole numbers become integer literals, which take the type of whatever they meet.
uint32_t Terms::number(double value) {
  if (value != std::trunc(value) || !(std::fabs(value) <= kWholeMax)) {
    return number_node(&builder_, value);
  }
  const uint32_t magnitude = builder_.integer(static_cast<uint64_t>(std::fabs(value)));
  return value < 0 ? apply(Op::neg, {magnitude}) : magnitude;
}

uint32_t Terms::apply(Op op, std::initializer_list<uint32_t> args) {
  return builder_.apply(op, args.begin());
}

bool Terms::is_constant(uint32_t node, double* value) const noexcept {
  const bool negated = builder_.node(node).op == Op::neg;
  const Node& literal = builder_.node(negated ? builder_.node(node).args[0] : node);
  if (literal.op != Op::literal || literal.kind == LiteralKind::boolean) return false;
  const double magnitude =
      literal.kind == LiteralKind::floating ? literal.real : static_cast<double>(literal.integer);
  *value = negated ? -magnitude : magnitude;
  return true;
}

bool Terms::is_number(uint32_t node, double value) const noexcept {
  double known;
  return is_constant(node, &known) && known == value;
}

bool Terms::is_guarded(uint32_t node) const noexcept {
  const Node& facts = builder_.node(node);
  return facts.op == Op::where && (is_number(facts.args[1], 0) || is_number(facts.args[2], 0));
}

uint32_t Terms::neg(uint32_t a) {
  if (is_number(a, 0)) return a;
  const Node node = builder_.node(a);
  return node.op == Op::neg ? node.args[0] : apply(Op::neg, {a});
}

uint32_t Terms::add(uint32_t a, uint32_t b) {
  if (is_number(a, 0)) return b;
  if (is_number(b, 0)) return a;
  if (a == b) return mul(a, number(2));
  const Node left = builder_.node(a);
  const Node right = builder_.node(b);
  if (left.op == Op::where && right.op == Op::where && left.args[0] == right.args[0]) {
    const uint32_t if_true = add(left.args[1], right.args[1]);
    return where(left.args[0], if_true, add(left.args[2], right.args[2]));
  }
  if (right.op == Op::neg) return sub(a, right.args[0]);
  if (left.op == Op::neg) return sub(b, left.args[0]);
  return apply(Op::add, {a, b});
}

uint32_t Terms::sub(uint32_t a, uint32_t b) {
  if (is_number(b, 0)) return a;
  if (is_number(a, 0)) return neg(b);
  if (a == b) return number(0);
  return apply(Op::sub, {a, b});
}

uint32_t Terms::mul(uint32_t a, uint32_t b) {
  double x = 0;
  double y = 0;
  const bool a_constant = is_constant(a, &x);
  const bool b_constant = is_constant(b, &y);
  if (a_constant && b_constant) return number(x * y);
  if (a_constant) return mul(b, a);
  if (b_constant && y == 0) return number(0);
  if (b_constant && y == 1) return a;
  for (const bool swapped : {false, true}) {
    const uint32_t other = swapped ? a : b;
    const uint32_t factor = swapped ? b : a;
    const Node node = builder_.node(factor);
    if (node.op == Op::neg) return neg(mul(node.args[0], other));
    if (is_guarded(factor)) {
      const uint32_t if_true = mul(node.args[1], other);
      return where(node.args[0], if_true, mul(node.args[2], other));
    }
  }
  const Node left = builder_.node(a);
  if (b_constant && left.op == Op::mul && is_constant(left.args[1], &x)) {
    return mul(left.args[0], number(x * y));
  }
  return apply(Op::mul, {a, b});
}

uint32_t Terms::div(uint32_t a, uint32_t b) {
  if (is_number(a, 0) || is_number(b, 1)) return a;
  const Node node = builder_.node(a);
  if (node.op == Op::neg) return neg(div(node.args[0], b));
  if (is_guarded(a)) {
    const uint32_t if_true = div(node.args[1], b);
    return where(node.args[0], if_true, div(node.args[2], b));
  }
  return apply(Op::div, {a, b});
}

uint32_t Terms::pow(uint32_t base, uint32_t exponent) {
  double known;
  if (is_constant(exponent, &known)) {
    if (known == 0) return number(1);
    if (known == 1) return base;
    if (known == 2) return apply(Op::square, {base});
  }
  return apply(Op::pow, {base, exponent});
}

uint32_t Terms::where(uint32_t condition, uint32_t a, uint32_t b) {
  const Node left = builder_.node(a);
  const Node right = builder_.node(b);
  if (left.op == Op::where && left.args[0] == condition) a = left.args[1];
  if (right.op == Op::where && right.args[0] == condition) b = right.args[2];
  return a == b ? a : apply(Op::where, {condition, a, b});
}

}  // namespace netcl::expression
