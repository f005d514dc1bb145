#include "expression/differentiate.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include "core/dtype.hpp"
#include "core/error.hpp"
#include "expression/graft.hpp"
#include "expression/simplify.hpp"

namespace netcl::expression {

namespace {

// One function at one place: its arguments and result as nodes, and the gradient of the result.
struct Place {
  uint32_t a;
  uint32_t b;
  uint32_t c;
  uint32_t out;
  uint32_t grad;
};

class Rules {
 public:
  explicit Rules(TreeBuilder* builder) : t_(builder) {}

  // The gradient of one argument; none where the function is flat in it. The gradient of the result
  // stands in it once, since its text doubles with every function of a chain otherwise.
  Term gradient(Op op, uint32_t argument, const Place& p);

 private:
  Term arithmetic(Op op, uint32_t argument, const Place& p);
  Term extreme(Op op, uint32_t argument, const Place& p);
  Term power(uint32_t argument, const Place& p);
  Term exponential(Op op, const Place& p);
  Term trigonometric(Op op, uint32_t argument, const Place& p);
  Term hyperbolic(Op op, const Place& p);
  Term activation(Op op, uint32_t argument, const Place& p);
  Term gelu(Op op, const Place& p);

  uint32_t f(Op op, uint32_t x) { return t_.apply(op, {x}); }
  uint32_t number(double value) { return t_.number(value); }
  uint32_t square(uint32_t x) { return f(Op::square, x); }
  uint32_t one_minus(uint32_t x) { return t_.sub(number(1), x); }
  // (1 - x) (1 + x), which does not cancel as 1 - x^2 does.
  uint32_t one_minus_square(uint32_t x) { return t_.mul(one_minus(x), t_.add(number(1), x)); }
  // x in the type that a function takes x and y in, for where x stands alone: square(x) of a small
  // integer would wrap around.
  uint32_t meeting(uint32_t x, uint32_t y) {
    double value;
    if (t_.is_constant(x, &value) || t_.is_constant(y, &value)) return x;
    return t_.apply(Op::where, {t_.boolean(true), x, y});
  }
  uint32_t is(Op op, uint32_t x, uint32_t y) { return t_.apply(op, {x, y}); }

  Terms t_;
};

Term Rules::arithmetic(Op op, uint32_t argument, const Place& p) {
  switch (op) {
    case Op::add:
      return p.grad;
    case Op::sub:
      return argument == 0 ? p.grad : t_.neg(p.grad);
    case Op::neg:
      return t_.neg(p.grad);
    case Op::mul:
      return t_.mul(p.grad, argument == 0 ? p.b : p.a);
    case Op::fma:
      if (argument == 2) return p.grad;
      return t_.mul(p.grad, argument == 0 ? p.b : p.a);
    case Op::div:
      if (argument == 0) return t_.div(p.grad, p.b);
      return t_.neg(t_.div(t_.mul(p.grad, p.out), p.b));
    case Op::mod:
      if (argument == 0) return p.grad;
      return t_.neg(t_.mul(p.grad, f(Op::trunc, is(Op::div, p.a, p.b))));
    case Op::square:
      return t_.mul(t_.mul(p.grad, p.a), number(2));
    case Op::abs:
      return t_.mul(p.grad, f(Op::sign, p.a));
    default:
      return t_.where(is(Op::gt, p.a, number(0)), p.grad, number(0));  // relu
  }
}

// Equal arguments of min and max share the gradient. Of clamp, x has it on the bounds too; bounds
// that are the wrong way round leave it to the upper one, which is the result then.
Term Rules::extreme(Op op, uint32_t argument, const Place& p) {
  if (op != Op::clamp) {
    const bool wins_above = (op == Op::max) == (argument == 0);
    const uint32_t share = t_.where(is(Op::eq, p.a, p.b), number(0.5), number(1));
    const uint32_t shared = t_.mul(p.grad, share);
    return t_.where(is(wins_above ? Op::ge : Op::le, p.a, p.b), shared, number(0));
  }
  const uint32_t above = is(Op::ge, p.a, p.b);
  if (argument == 0) {
    const uint32_t inside = is(Op::logical_and, above, is(Op::le, p.a, p.c));
    return t_.where(inside, p.grad, number(0));
  }
  const uint32_t crossed = is(Op::gt, p.b, p.c);
  if (argument == 1) {
    const uint32_t below = is(Op::lt, p.a, p.b);
    const uint32_t taken = is(Op::logical_and, below, is(Op::le, p.b, p.c));
    return t_.where(taken, p.grad, number(0));
  }
  const uint32_t taken = is(Op::logical_or, is(Op::gt, p.a, p.c), crossed);
  return t_.where(taken, p.grad, number(0));
}

Term Rules::power(uint32_t argument, const Place& p) {
  double exponent;
  if (argument == 0 && t_.is_constant(p.b, &exponent)) {
    if (exponent == 0) return std::nullopt;
    return t_.mul(t_.mul(p.grad, t_.pow(p.a, number(exponent - 1))), number(exponent));
  }
  // Where the limit of the product is 0, a factor may be infinite.
  if (argument == 0) {
    const uint32_t less = t_.sub(meeting(p.b, p.a), number(1));
    const uint32_t slope = t_.mul(t_.mul(p.grad, p.b), t_.pow(p.a, less));
    return t_.where(is(Op::eq, p.b, number(0)), number(0), slope);
  }
  const uint32_t at_zero =
      is(Op::logical_and, is(Op::eq, p.a, number(0)), is(Op::ge, p.b, number(0)));
  const uint32_t slope = t_.mul(t_.mul(p.grad, p.out), f(Op::log, meeting(p.a, p.b)));
  return t_.where(at_zero, number(0), slope);
}

Term Rules::exponential(Op op, const Place& p) {
  switch (op) {
    case Op::sqrt:
      return t_.div(p.grad, t_.mul(p.out, number(2)));
    case Op::rsqrt:
      return t_.neg(t_.div(t_.mul(p.grad, p.out), t_.mul(p.a, number(2))));
    case Op::reciprocal:
      return t_.neg(t_.mul(p.grad, square(p.out)));
    case Op::exp:
      return t_.mul(p.grad, p.out);
    case Op::exp2:
      return t_.mul(t_.mul(p.grad, p.out), number(std::numbers::ln2));
    case Op::expm1:
      return t_.mul(p.grad, f(Op::exp, p.a));
    case Op::log:
      return t_.div(p.grad, p.a);
    case Op::log2:
      return t_.div(p.grad, t_.mul(p.a, number(std::numbers::ln2)));
    case Op::log10:
      return t_.div(p.grad, t_.mul(p.a, number(std::numbers::ln10)));
    case Op::log1p:
      return t_.div(p.grad, t_.add(p.a, number(1)));
    default: {
      const uint32_t bell = f(Op::exp, t_.neg(square(p.a)));
      const double scale = 2 * std::numbers::inv_sqrtpi;
      return t_.mul(t_.mul(p.grad, bell), number(op == Op::erf ? scale : -scale));
    }
  }
}

Term Rules::trigonometric(Op op, uint32_t argument, const Place& p) {
  switch (op) {
    case Op::sin:
      return t_.mul(p.grad, f(Op::cos, p.a));
    case Op::cos:
      return t_.neg(t_.mul(p.grad, f(Op::sin, p.a)));
    case Op::tan:
      return t_.mul(p.grad, t_.add(square(p.out), number(1)));
    case Op::asin:
      return t_.mul(p.grad, f(Op::rsqrt, one_minus_square(p.a)));
    case Op::acos:
      return t_.neg(t_.mul(p.grad, f(Op::rsqrt, one_minus_square(p.a))));
    case Op::atan:
      return t_.div(p.grad, t_.add(square(p.a), number(1)));
    default: {
      const uint32_t length = t_.add(square(meeting(p.a, p.b)), square(meeting(p.b, p.a)));
      if (argument == 0) return t_.div(t_.mul(p.grad, p.b), length);
      return t_.neg(t_.div(t_.mul(p.grad, p.a), length));
    }
  }
}

Term Rules::hyperbolic(Op op, const Place& p) {
  switch (op) {
    case Op::sinh:
      return t_.mul(p.grad, f(Op::cosh, p.a));
    case Op::cosh:
      return t_.mul(p.grad, f(Op::sinh, p.a));
    case Op::tanh:
      return t_.mul(p.grad, one_minus_square(p.out));
    case Op::asinh:
      return t_.mul(p.grad, f(Op::rsqrt, t_.add(square(p.a), number(1))));
    case Op::acosh: {
      const uint32_t product = t_.mul(t_.sub(p.a, number(1)), t_.add(p.a, number(1)));
      return t_.mul(p.grad, f(Op::rsqrt, product));
    }
    default:
      return t_.div(p.grad, one_minus_square(p.a));  // atanh
  }
}

Term Rules::gelu(Op op, const Place& p) {
  const uint32_t x = p.a;
  if (op == Op::gelu) {
    // The normal distribution's function at x, and x times its density.
    const uint32_t tail = f(Op::erfc, t_.mul(x, number(-std::numbers::sqrt2 / 2)));
    const uint32_t bell = f(Op::exp, t_.mul(square(x), number(-0.5)));
    const double scale = std::numbers::inv_sqrtpi / std::numbers::sqrt2;
    const uint32_t density = t_.mul(t_.mul(x, bell), number(scale));
    return t_.mul(p.grad, t_.add(t_.mul(tail, number(0.5)), density));
  }
  constexpr double kCubic = 0.044715;
  const double scale = 2 * std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
  const uint32_t cubic = t_.add(t_.mul(square(x), number(kCubic)), number(1));
  const uint32_t gate = f(Op::sigmoid, t_.mul(t_.mul(x, cubic), number(scale)));
  const uint32_t slope = t_.add(t_.mul(square(x), number(3 * kCubic * scale)), number(scale));
  const uint32_t bend = t_.mul(t_.mul(x, one_minus(gate)), slope);
  return t_.mul(t_.mul(p.grad, gate), t_.add(bend, number(1)));
}

Term Rules::activation(Op op, uint32_t argument, const Place& p) {
  const uint32_t x = p.a;
  const auto positive = [&] { return is(Op::gt, x, number(0)); };
  switch (op) {
    case Op::sigmoid:
      return t_.mul(t_.mul(p.grad, p.out), one_minus(p.out));
    case Op::silu: {
      const uint32_t gate = f(Op::sigmoid, x);
      const uint32_t bend = t_.mul(x, one_minus(gate));
      return t_.mul(t_.mul(p.grad, gate), t_.add(bend, number(1)));
    }
    case Op::softplus:
      return t_.mul(p.grad, f(Op::sigmoid, x));
    case Op::softsign:
      return t_.div(p.grad, square(t_.add(f(Op::abs, x), number(1))));
    case Op::mish: {
      const uint32_t gate = f(Op::tanh, f(Op::softplus, x));
      const uint32_t bend = t_.mul(t_.mul(x, one_minus_square(gate)), f(Op::sigmoid, x));
      return t_.mul(p.grad, t_.add(gate, bend));
    }
    case Op::leaky_relu:
      if (argument == 0) return t_.mul(p.grad, t_.where(positive(), number(1), p.b));
      return t_.where(positive(), number(0), t_.mul(p.grad, x));
    default:  // elu
      if (argument == 0) {
        const uint32_t slope = t_.mul(f(Op::exp, meeting(x, p.b)), p.b);
        return t_.mul(p.grad, t_.where(positive(), number(1), slope));
      }
      return t_.where(positive(), number(0), t_.mul(p.grad, f(Op::expm1, meeting(x, p.b))));
  }
}

Term Rules::gradient(Op op, uint32_t argument, const Place& p) {
  // clang-format off
  switch (op) {
    case Op::add: case Op::sub: case Op::mul: case Op::div: case Op::mod: case Op::neg:
    case Op::abs: case Op::square: case Op::relu: case Op::fma:
      return arithmetic(op, argument, p);
    case Op::min: case Op::max: case Op::clamp:
      return extreme(op, argument, p);
    case Op::pow:
      return power(argument, p);
    case Op::sqrt: case Op::rsqrt: case Op::reciprocal: case Op::exp: case Op::exp2:
    case Op::expm1: case Op::log: case Op::log2: case Op::log10: case Op::log1p: case Op::erf:
    case Op::erfc:
      return exponential(op, p);
    case Op::sin: case Op::cos: case Op::tan: case Op::asin: case Op::acos: case Op::atan:
    case Op::atan2:
      return trigonometric(op, argument, p);
    case Op::sinh: case Op::cosh: case Op::tanh: case Op::asinh: case Op::acosh: case Op::atanh:
      return hyperbolic(op, p);
    case Op::gelu: case Op::gelu_tanh:
      return gelu(op, p);
    case Op::sigmoid: case Op::silu: case Op::softplus: case Op::softsign: case Op::mish:
    case Op::leaky_relu: case Op::elu:
      return activation(op, argument, p);
    case Op::where:
      if (argument == 1) return t_.where(p.a, p.grad, number(0));
      return t_.where(p.a, number(0), p.grad);
    case Op::cast:
      return p.grad;
    // Steps, comparisons, logic and integers.
    case Op::sign: case Op::floor: case Op::ceil: case Op::round: case Op::trunc: case Op::eq:
    case Op::ne: case Op::lt: case Op::le: case Op::gt: case Op::ge: case Op::logical_and:
    case Op::logical_or: case Op::logical_xor: case Op::logical_not: case Op::bit_and:
    case Op::bit_or: case Op::bit_xor: case Op::bit_not: case Op::shift_left:
    case Op::shift_right: case Op::ipow: case Op::isnan: case Op::isinf: case Op::isfinite:
    // Without arguments, or made by type inference only.
    case Op::input: case Op::literal: case Op::convert: case Op::round_f16: case Op::round_bf16:
      break;
  }
  // clang-format on
  return std::nullopt;
}

// An argument through which nothing of the result changes smoothly, though the function has others.
bool is_flat(const TreeNode& node, uint32_t argument) {
  if (node.op == Op::where) return argument == 0;
  return node.op == Op::cast && !is_float(node.dtype);
}

}  // namespace

uint32_t differentiate(TreeBuilder* builder, const Tree& tree, std::span<const uint32_t> placed,
                       uint32_t input, uint32_t grad) {
  const std::vector<TreeNode>& nodes = tree.nodes();
  Rules rules(builder);
  // Whether a node depends on the input, and the gradient of what is made of it.
  std::vector<uint8_t> depends(nodes.size(), 0);
  std::vector<Term> gradients(nodes.size());
  Term result;
  for (size_t i = 0; i < nodes.size(); ++i) {
    depends[i] = nodes[i].op == Op::input && nodes[i].input == input;
    for (uint32_t a = 0; a < op_facts(nodes[i].op).arity; ++a) {
      if (depends[nodes[i].args[a]] && !is_flat(nodes[i], a)) depends[i] = 1;
    }
  }
  gradients.back() = grad;
  for (size_t i = nodes.size(); i-- > 0;) {
    const TreeNode& node = nodes[i];
    if (!depends[i] || !gradients[i]) continue;
    if (node.op == Op::input) result = gradients[i];
    Place place{0, 0, 0, placed[i], *gradients[i]};
    const uint32_t arity = op_facts(node.op).arity;
    uint32_t* const args[3] = {&place.a, &place.b, &place.c};
    for (uint32_t a = 0; a < 3 && a < arity; ++a) *args[a] = placed[node.args[a]];
    for (uint32_t a = 0; a < arity; ++a) {
      if (!depends[node.args[a]] || is_flat(node, a)) continue;
      const Term part = rules.gradient(node.op, a, place);
      if (!part) continue;
      Term& sum = gradients[node.args[a]];
      sum = sum ? Terms(builder).add(*sum, *part) : *part;
    }
  }
  return result ? *result : Terms(builder).number(0);
}

std::shared_ptr<const Tree> differentiate(const Tree& tree, uint32_t count, uint32_t input) {
  TreeBuilder builder;
  std::vector<uint32_t> inputs;
  for (uint32_t i = 0; i < count; ++i) inputs.push_back(builder.input(i));
  const std::vector<uint32_t> placed = graft(&builder, tree, inputs);
  const uint32_t grad = builder.input(count);
  return builder.finish(differentiate(&builder, tree, placed, input, grad));
}

}  // namespace netcl::expression
