#include "expression/simplify.hpp"

#include <cmath>
#include <utility>

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
  const TreeNode& literal = builder_.node(negated ? builder_.node(node).args[0] : node);
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
  const TreeNode& facts = builder_.node(node);
  return facts.op == Op::where && (is_number(facts.args[1], 0) || is_number(facts.args[2], 0));
}

// The value behind guards and signs. Conditions may lie in each other as deep as an expression
// goes, so nothing here recurses.
uint32_t Terms::strip(uint32_t node, Guards* guards, bool* negative) const {
  for (;;) {
    const TreeNode& facts = builder_.node(node);
    if (facts.op == Op::neg) {
      *negative = !*negative;
      node = facts.args[0];
    } else if (is_guarded(node)) {
      const bool when = is_number(facts.args[2], 0);
      guards->push_back({facts.args[0], facts.args[when ? 2 : 1], when});
      node = facts.args[when ? 1 : 2];
    } else {
      return node;
    }
  }
}

uint32_t Terms::wrap(uint32_t node, const Guards& guards) {
  for (size_t i = guards.size(); i-- > 0;) {
    const Guard& guard = guards[i];
    node = guard.when ? where(guard.condition, node, guard.other)
                      : where(guard.condition, guard.other, node);
  }
  return node;
}

uint32_t Terms::neg(uint32_t a) {
  if (is_number(a, 0)) return a;
  const TreeNode node = builder_.node(a);
  return node.op == Op::neg ? node.args[0] : apply(Op::neg, {a});
}

uint32_t Terms::add(uint32_t a, uint32_t b) {
  // Where one has something on one side only of a condition that both have, the sum is on that
  // side.
  Guards guards;
  for (;;) {
    const TreeNode& left = builder_.node(a);
    const TreeNode& right = builder_.node(b);
    if (left.op != Op::where || right.op != Op::where || left.args[0] != right.args[0]) break;
    const TreeNode& thin = is_guarded(b) ? right : left;
    const TreeNode& full = is_guarded(b) ? left : right;
    if (!is_guarded(a) && !is_guarded(b)) break;
    const bool when = is_number(thin.args[2], 0);
    guards.push_back({left.args[0], full.args[when ? 2 : 1], when});
    a = left.args[when ? 1 : 2];
    b = right.args[when ? 1 : 2];
  }
  return wrap(plain_sum(a, b), guards);
}

uint32_t Terms::plain_sum(uint32_t a, uint32_t b) {
  if (is_number(a, 0)) return b;
  if (is_number(b, 0)) return a;
  if (a == b) return mul(a, number(2));
  const TreeNode left = builder_.node(a);
  const TreeNode right = builder_.node(b);
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
  double x;
  double y;
  if (is_constant(a, &x)) std::swap(a, b);
  if (is_constant(b, &y)) {
    if (is_constant(a, &x)) return number(x * y);
    if (y == 0) return number(0);
    if (y == 1) return a;
  }
  Guards guards;
  bool negative = false;
  a = strip(a, &guards, &negative);
  b = strip(b, &guards, &negative);
  const TreeNode left = builder_.node(a);
  uint32_t product;
  if (is_number(b, 1)) {
    product = a;
  } else if (is_constant(b, &y) && left.op == Op::mul && is_constant(left.args[1], &x)) {
    product = apply(Op::mul, {left.args[0], number(x * y)});
  } else {
    product = apply(Op::mul, {a, b});
  }
  return wrap(negative ? neg(product) : product, guards);
}

uint32_t Terms::div(uint32_t a, uint32_t b) {
  if (is_number(a, 0) || is_number(b, 1)) return a;
  Guards guards;
  bool negative = false;
  const uint32_t quotient = apply(Op::div, {strip(a, &guards, &negative), b});
  return wrap(negative ? neg(quotient) : quotient, guards);
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
  const TreeNode left = builder_.node(a);
  const TreeNode right = builder_.node(b);
  if (left.op == Op::where && left.args[0] == condition) a = left.args[1];
  if (right.op == Op::where && right.args[0] == condition) b = right.args[2];
  return a == b ? a : apply(Op::where, {condition, a, b});
}

}  // namespace netcl::expression
