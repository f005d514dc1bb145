#include "expression/fold.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "core/error.hpp"

namespace netcl::expression {

namespace {

Constant boolean(bool value) { return {ConstantKind::boolean, value ? 1 : 0, 0}; }
Constant floating(double value) { return {ConstantKind::floating, 0, value}; }

Constant integer(Wide value) {
  if (value < static_cast<Wide>(INT64_MIN) || value > static_cast<Wide>(UINT64_MAX)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "a constant part of the expression exceeds 64 bits");
  }
  return {ConstantKind::integer, value, 0};
}

template <class T>
bool compare(Op op, T a, T b) {
  switch (op) {
    case Op::eq: return a == b;
    case Op::ne: return a != b;
    case Op::lt: return a < b;
    case Op::le: return a <= b;
    case Op::gt: return a > b;
    default: return a >= b;
  }
}

// Multiplies as long as the power fits 64 bits; beyond that it is reported, as sums are.
Constant integer_power(Wide base, Wide exponent) {
  if (exponent < 0) {
    if (base == -1) return integer(exponent % 2 == 0 ? 1 : -1);
    return integer(base == 1 ? 1 : 0);
  }
  if (base == 0 || base == 1 || base == -1) {
    return integer(exponent == 0 || base == 1 ? 1 : base == 0 ? 0 : exponent % 2 == 0 ? 1 : -1);
  }
  Wide value = 1;
  for (Wide i = 0; i < exponent; ++i) value = integer(value * base).integer;
  return integer(value);
}

Constant fold_bits(Op op, const Constant* args) {
  const uint32_t arity = op_facts(op).arity;
  bool all_boolean = true;
  for (uint32_t i = 0; i < arity; ++i) {
    all_boolean = all_boolean && args[i].kind == ConstantKind::boolean;
    if (args[i].kind == ConstantKind::floating) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "operator %s needs integers; it got the number %g%s",
           op_facts(op).infix != nullptr ? op_facts(op).infix : op_facts(op).name, args[i].real,
           op == Op::bit_xor ? "; a power is pow(x, y)" : "");
    }
  }
  const Wide a = args[0].integer;
  const Wide b = arity > 1 ? args[1].integer : 0;
  Wide value = 0;
  switch (op) {
    case Op::ipow: return integer_power(a, b);
    case Op::bit_and: value = a & b; break;
    case Op::bit_or: value = a | b; break;
    case Op::bit_xor: value = a ^ b; break;
    case Op::bit_not: value = ~a; break;
    default:
      // As between tensors: a count of the width or more, and so a negative one, leaves nothing but
      // the sign. Below that the width is not known, so what leaves 64 bits is reported.
      if (b < 0 || b > 63) {
        value = op == Op::shift_right && a < 0 ? -1 : 0;
      } else {
        value = op == Op::shift_left ? a * (static_cast<Wide>(1) << b) : a >> b;
      }
  }
  if (all_boolean && op_facts(op).rule == Rule::bits && op != Op::bit_not) return boolean(value);
  return integer(value);
}

Constant fold_integer(Op op, const Constant* args) {
  const Wide a = args[0].integer;
  const Wide b = args[1].integer;
  switch (op) {
    case Op::add: return integer(a + b);
    case Op::sub: return integer(a - b);
    case Op::mul:
      // Two 64-bit magnitudes can leave 128 bits with a sign; a division tells before it happens.
      if (a != 0 && b != 0 && std::fabs(static_cast<double>(a) * static_cast<double>(b)) > 0x1p65) {
        integer(static_cast<Wide>(1) << 100);
      }
      return integer(a * b);
    case Op::div: return integer(b == 0 ? 0 : a / b);
    case Op::mod: return integer(b == 0 ? 0 : a % b);
    case Op::neg: return integer(-a);
    case Op::abs: return integer(a < 0 ? -a : a);
    case Op::sign: return integer((a > 0) - (a < 0));
    case Op::square: {
      const Constant twice[2] = {args[0], args[0]};
      return fold_integer(Op::mul, twice);
    }
    case Op::relu: return integer(a > 0 ? a : 0);
    case Op::min: return integer(std::min(a, b));
    case Op::max: return integer(std::max(a, b));
    case Op::clamp: return integer(std::min(std::max(a, b), args[2].integer));
    case Op::fma: {
      const Constant sum[2] = {fold_integer(Op::mul, args), args[2]};
      return fold_integer(Op::add, sum);
    }
    default: return integer(a);  // floor, ceil, round and trunc change no integer
  }
}

double smaller(double a, double b) { return a < b || std::isnan(a) ? a : b; }
double larger(double a, double b) { return a > b || std::isnan(a) ? a : b; }

double sigmoid(double x) {
  const double e = std::exp(-std::fabs(x));
  return x >= 0 ? 1 / (1 + e) : e / (1 + e);
}

double fold_activation(Op op, double a, double b) {
  switch (op) {
    case Op::sigmoid: return sigmoid(a);
    case Op::silu: return a * sigmoid(a);
    case Op::gelu: return 0.5 * a * std::erfc(-a * std::numbers::sqrt2 / 2);
    case Op::gelu_tanh: return a * sigmoid(1.5957691216057308 * (a + 0.044715 * a * a * a));
    case Op::softplus: return larger(a, 0) + std::log1p(std::exp(-std::fabs(a)));
    case Op::softsign: return a / (1 + std::fabs(a));
    case Op::mish: {
      const double e = std::exp(-std::fabs(a));
      const double mixed = e * (e + 2);
      return a * (a >= 0 ? (2 * e + 1) / (2 * e * (e + 1) + 1) : mixed / (mixed + 2));
    }
    case Op::leaky_relu: return a > 0 ? a : a * b;
    default: return a > 0 ? a : b * std::expm1(a);  // elu
  }
}

double fold_real(Op op, double a, double b, double c) {
  switch (op) {
    case Op::add: return a + b;
    case Op::sub: return a - b;
    case Op::mul: return a * b;
    case Op::div: return a / b;
    case Op::mod: return std::fmod(a, b);
    case Op::neg: return -a;
    case Op::abs: return std::fabs(a);
    case Op::sign: return a > 0 ? 1 : a < 0 ? -1 : a;
    case Op::square: return a * a;
    case Op::relu: return larger(a, 0);
    case Op::floor: return std::floor(a);
    case Op::ceil: return std::ceil(a);
    case Op::round: return std::nearbyint(a);
    case Op::trunc: return std::trunc(a);
    case Op::min: return smaller(a, b);
    case Op::max: return larger(a, b);
    case Op::clamp: return smaller(larger(a, b), c);
    case Op::fma: return std::fma(a, b, c);
    case Op::sqrt: return std::sqrt(a);
    case Op::rsqrt: return 1 / std::sqrt(a);
    case Op::reciprocal: return 1 / a;
    case Op::exp: return std::exp(a);
    case Op::exp2: return std::exp2(a);
    case Op::expm1: return std::expm1(a);
    case Op::log: return std::log(a);
    case Op::log2: return std::log2(a);
    case Op::log10: return std::log10(a);
    case Op::log1p: return std::log1p(a);
    case Op::pow: return std::pow(a, b);
    case Op::sin: return std::sin(a);
    case Op::cos: return std::cos(a);
    case Op::tan: return std::tan(a);
    case Op::asin: return std::asin(a);
    case Op::acos: return std::acos(a);
    case Op::atan: return std::atan(a);
    case Op::atan2: return std::atan2(a, b);
    case Op::sinh: return std::sinh(a);
    case Op::cosh: return std::cosh(a);
    case Op::tanh: return std::tanh(a);
    case Op::asinh: return std::asinh(a);
    case Op::acosh: return std::acosh(a);
    case Op::atanh: return std::atanh(a);
    case Op::erf: return std::erf(a);
    case Op::erfc: return std::erfc(a);
    default: return fold_activation(op, a, b);
  }
}

Constant fold_compare(Op op, const Constant* args) {
  if (args[0].kind == ConstantKind::floating || args[1].kind == ConstantKind::floating) {
    return boolean(compare(op, args[0].as_real(), args[1].as_real()));
  }
  return boolean(compare(op, args[0].integer, args[1].integer));
}

}  // namespace

Constant fold(Op op, const Constant* args) {
  const OpFacts& facts = op_facts(op);
  Constant a[3];
  bool any_real = facts.rule == Rule::real;
  for (uint32_t i = 0; i < 3 && i < facts.arity; ++i) {
    a[i] = args[i];
    any_real = any_real || a[i].kind == ConstantKind::floating;
  }
  switch (facts.rule) {
    case Rule::compare:
      return fold_compare(op, a);
    case Rule::logical:
      if (op == Op::logical_not) return boolean(!a[0].truth());
      if (op == Op::logical_and) return boolean(a[0].truth() && a[1].truth());
      if (op == Op::logical_or) return boolean(a[0].truth() || a[1].truth());
      return boolean(a[0].truth() != a[1].truth());
    case Rule::bits:
    case Rule::shift:
      return fold_bits(op, a);
    case Rule::classify: {
      const double x = a[0].as_real();
      return boolean(op == Op::isnan ? std::isnan(x) : op == Op::isinf ? std::isinf(x)
                                                                       : std::isfinite(x));
    }
    case Rule::choose: {
      const Constant& chosen = a[0].truth() ? a[1] : a[2];
      const bool mixed = a[1].kind == ConstantKind::floating || a[2].kind == ConstantKind::floating;
      if (mixed) return floating(chosen.as_real());
      if (a[1].kind != a[2].kind) return integer(chosen.integer);
      return chosen;
    }
    default:
      if (any_real) return floating(fold_real(op, a[0].as_real(), a[1].as_real(), a[2].as_real()));
      return fold_integer(op, a);
  }
}

}  // namespace netcl::expression
