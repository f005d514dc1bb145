#include "ops/elementwise/elementwise_op.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "core/ascii.hpp"
#include "core/number.hpp"
#include "ops/elementwise/expression_cache.hpp"
#include "ops/frame/result.hpp"

namespace netcl::ops {

namespace {

constexpr uint8_t kVariadic = NETCL_ARGS_MAX;

// $a and $b in a formula stand for the parameters. An operator of any number of inputs has the
// formula that joins two.
struct Operator {
  netcl_elementwise op;
  const char* name;
  uint8_t fewest;
  uint8_t most;
  const char* formula;
  double alpha = 0;
  double beta = 0;
};

// In the order of the interface's numbers.
constexpr Operator kOperators[] = {
    {NETCL_ELEMENTWISE_ABS, "Abs", 1, 1, "abs(v0)"},
    {NETCL_ELEMENTWISE_ACOS, "Acos", 1, 1, "acos(v0)"},
    {NETCL_ELEMENTWISE_ACOSH, "Acosh", 1, 1, "acosh(v0)"},
    {NETCL_ELEMENTWISE_ADD, "Add", 2, 2, "v0 + v1"},
    {NETCL_ELEMENTWISE_AND, "And", 2, 2, "v0 && v1"},
    {NETCL_ELEMENTWISE_ASIN, "Asin", 1, 1, "asin(v0)"},
    {NETCL_ELEMENTWISE_ASINH, "Asinh", 1, 1, "asinh(v0)"},
    {NETCL_ELEMENTWISE_ATAN, "Atan", 1, 1, "atan(v0)"},
    {NETCL_ELEMENTWISE_ATANH, "Atanh", 1, 1, "atanh(v0)"},
    {NETCL_ELEMENTWISE_BIT_SHIFT_LEFT, "BitShiftLeft", 2, 2, "v0 << v1"},
    {NETCL_ELEMENTWISE_BIT_SHIFT_RIGHT, "BitShiftRight", 2, 2, "v0 >> v1"},
    {NETCL_ELEMENTWISE_CEIL, "Ceil", 1, 1, "ceil(v0)"},
    {NETCL_ELEMENTWISE_CELU, "Celu", 1, 1, "max(v0, 0) + min($a * expm1(v0 / $a), 0)", 1},
    {NETCL_ELEMENTWISE_CLIP, "Clip", 1, 3, "clamp(v0, v1, v2)"},
    {NETCL_ELEMENTWISE_COS, "Cos", 1, 1, "cos(v0)"},
    {NETCL_ELEMENTWISE_COSH, "Cosh", 1, 1, "cosh(v0)"},
    {NETCL_ELEMENTWISE_DIV, "Div", 2, 2, "v0 / v1"},
    {NETCL_ELEMENTWISE_ELU, "Elu", 1, 1, "v0 < 0 ? $a * expm1(v0) : v0", 1},
    {NETCL_ELEMENTWISE_EQUAL, "Equal", 2, 2, "v0 == v1"},
    {NETCL_ELEMENTWISE_ERF, "Erf", 1, 1, "erf(v0)"},
    {NETCL_ELEMENTWISE_EXP, "Exp", 1, 1, "exp(v0)"},
    {NETCL_ELEMENTWISE_FLOOR, "Floor", 1, 1, "floor(v0)"},
    {NETCL_ELEMENTWISE_GREATER, "Greater", 2, 2, "v0 > v1"},
    {NETCL_ELEMENTWISE_GREATER_OR_EQUAL, "GreaterOrEqual", 2, 2, "v0 >= v1"},
    {NETCL_ELEMENTWISE_HARD_SIGMOID, "HardSigmoid", 1, 1, "clamp($a * v0 + $b, 0, 1)", 0.2, 0.5},
    {NETCL_ELEMENTWISE_HARD_SWISH, "HardSwish", 1, 1, "v0 * clamp(v0 / 6.0 + 0.5, 0, 1)"},
    {NETCL_ELEMENTWISE_IDENTITY, "Identity", 1, 1, "v0"},
    {NETCL_ELEMENTWISE_IS_INF, "IsInf", 1, 1, "isinf(v0)", 1, 1},
    {NETCL_ELEMENTWISE_IS_NAN, "IsNaN", 1, 1, "isnan(v0)"},
    {NETCL_ELEMENTWISE_LEAKY_RELU, "LeakyRelu", 1, 1, "v0 < 0 ? $a * v0 : v0", 0.01},
    {NETCL_ELEMENTWISE_LESS, "Less", 2, 2, "v0 < v1"},
    {NETCL_ELEMENTWISE_LESS_OR_EQUAL, "LessOrEqual", 2, 2, "v0 <= v1"},
    {NETCL_ELEMENTWISE_LOG, "Log", 1, 1, "log(v0)"},
    {NETCL_ELEMENTWISE_MAX, "Max", 1, kVariadic, "max"},
    {NETCL_ELEMENTWISE_MEAN, "Mean", 1, kVariadic, "+"},
    {NETCL_ELEMENTWISE_MIN, "Min", 1, kVariadic, "min"},
    {NETCL_ELEMENTWISE_MOD, "Mod", 2, 2, "v0 % v1"},
    {NETCL_ELEMENTWISE_MUL, "Mul", 2, 2, "v0 * v1"},
    {NETCL_ELEMENTWISE_NEG, "Neg", 1, 1, "-v0"},
    {NETCL_ELEMENTWISE_NOT, "Not", 1, 1, "!v0"},
    {NETCL_ELEMENTWISE_OR, "Or", 2, 2, "v0 || v1"},
    {NETCL_ELEMENTWISE_POW, "Pow", 2, 2, "pow(v0, v1)"},
    {NETCL_ELEMENTWISE_PRELU, "PRelu", 2, 2, "v0 < 0 ? v1 * v0 : v0"},
    {NETCL_ELEMENTWISE_RECIPROCAL, "Reciprocal", 1, 1, "reciprocal(v0)"},
    {NETCL_ELEMENTWISE_RELU, "Relu", 1, 1, "relu(v0)"},
    {NETCL_ELEMENTWISE_ROUND, "Round", 1, 1, "round(v0)"},
    {NETCL_ELEMENTWISE_SELU, "Selu", 1, 1, "$b * (v0 > 0 ? v0 : $a * expm1(v0))",
     1.67326319217681884765625, 1.05070102214813232421875},
    {NETCL_ELEMENTWISE_SHRINK, "Shrink", 1, 1, "v0 < -$a ? v0 + $b : v0 > $a ? v0 - $b : 0", 0.5,
     0},
    {NETCL_ELEMENTWISE_SIGMOID, "Sigmoid", 1, 1, "sigmoid(v0)"},
    {NETCL_ELEMENTWISE_SIGN, "Sign", 1, 1, "sign(v0)"},
    {NETCL_ELEMENTWISE_SIN, "Sin", 1, 1, "sin(v0)"},
    {NETCL_ELEMENTWISE_SINH, "Sinh", 1, 1, "sinh(v0)"},
    {NETCL_ELEMENTWISE_SOFTPLUS, "Softplus", 1, 1, "softplus(v0)"},
    {NETCL_ELEMENTWISE_SOFTSIGN, "Softsign", 1, 1, "softsign(v0)"},
    {NETCL_ELEMENTWISE_SQRT, "Sqrt", 1, 1, "sqrt(v0)"},
    {NETCL_ELEMENTWISE_SUB, "Sub", 2, 2, "v0 - v1"},
    {NETCL_ELEMENTWISE_SUM, "Sum", 1, kVariadic, "+"},
    {NETCL_ELEMENTWISE_TAN, "Tan", 1, 1, "tan(v0)"},
    {NETCL_ELEMENTWISE_TANH, "Tanh", 1, 1, "tanh(v0)"},
    {NETCL_ELEMENTWISE_THRESHOLDED_RELU, "ThresholdedRelu", 1, 1, "v0 > $a ? v0 : 0", 1},
    {NETCL_ELEMENTWISE_WHERE, "Where", 3, 3, "v0 ? v1 : v2"},
    {NETCL_ELEMENTWISE_XOR, "Xor", 2, 2, "xor(v0, v1)"},
    {NETCL_ELEMENTWISE_GELU, "Gelu", 1, 1, "gelu(v0)"},
    {NETCL_ELEMENTWISE_GELU_TANH, "GeluTanh", 1, 1, "gelu_tanh(v0)"},
    {NETCL_ELEMENTWISE_SILU, "Silu", 1, 1, "silu(v0)"},
    {NETCL_ELEMENTWISE_MISH, "Mish", 1, 1, "mish(v0)"},
    {NETCL_ELEMENTWISE_SQUARE, "Square", 1, 1, "square(v0)"},
    {NETCL_ELEMENTWISE_RSQRT, "Rsqrt", 1, 1, "rsqrt(v0)"},
};
constexpr int kLast = std::end(kOperators)[-1].op;

constexpr bool in_order() {
  for (size_t i = 1; i < std::size(kOperators); ++i) {
    if (kOperators[i - 1].op >= kOperators[i].op) return false;
  }
  return kOperators[0].op > 0;
}
static_assert(in_order(), "the rows of kOperators are not in the order of their numbers");

// The row of each number; null for the few that are free.
constexpr auto kRows = [] {
  std::array<const Operator*, kLast + 1> rows{};
  for (const Operator& row : kOperators) rows[static_cast<size_t>(row.op)] = &row;
  return rows;
}();

// Compilers spell a value of an enum by its name where the header declares one.
template <netcl_elementwise_value kOp>
constexpr bool has_row_if_declared() {
  constexpr std::string_view text = __PRETTY_FUNCTION__;
  constexpr bool declared = text.find("= NETCL_ELEMENTWISE_") != std::string_view::npos;
  static_assert(!declared || (kOp <= kLast && kRows[kOp] != nullptr),
                "an elementwise operator of netcl.h has no row in kOperators");
  return declared;
}

template <int... kNumbers>
constexpr int declared_count(std::integer_sequence<int, kNumbers...>) {
  return (0 + ... + has_row_if_declared<static_cast<netcl_elementwise_value>(kNumbers)>());
}
// The enum can hold no larger number than 127 until one is declared, which gives another count.
static_assert(declared_count(std::make_integer_sequence<int, 128>()) == std::size(kOperators),
              "kOperators and netcl.h do not have the same operators");

const Operator* find_operator(netcl_elementwise op) noexcept {
  return op < 1 || op > kLast ? nullptr : kRows[static_cast<size_t>(op)];
}

// Equal but for case and underscores.
bool same_name(const char* name, const char* text) {
  for (;; ++name, ++text) {
    while (*text == '_') ++text;
    if (lower(*name) != lower(*text)) return false;
    if (*name == 0) return true;
  }
}

// A literal with a point or an exponent, so that it is a floating one.
std::string literal(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "(-inf)";
  std::string text = number_text(std::fabs(value));
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return std::signbit(value) ? "(-" + text + ")" : text;
}

// An integer literal as near to a bound as the dtype allows.
std::string bound(double value, netcl_dtype dtype) {
  const int bits = static_cast<int>(dtype_size(dtype)) * 8;
  const bool is_signed = dtype_facts(dtype).kind == DtypeClass::signed_integer;
  const uint64_t high = UINT64_MAX >> (64 - bits + (is_signed ? 1 : 0));
  const double low = is_signed ? -std::ldexp(1.0, bits - 1) : 0.0;
  if (value >= static_cast<double>(high)) return number_text(high);
  if (value <= low) {
    return is_signed ? "(-" + number_text(uint64_t{1} << (bits - 1)) + ")" : "0";
  }
  // Below `high` in size, so it fits.
  const auto whole = static_cast<uint64_t>(std::fabs(value));
  return value < 0 ? "(-" + number_text(whole) + ")" : number_text(whole);
}

// v0 and v1 joined, then v2, ...
std::string join(const std::string& how, uint32_t count, const char* each) {
  const auto input = [&](uint32_t i) {
    const std::string name = "v" + number_text(i);
    return *each == 0 ? name : std::string(each) + "(" + name + ")";
  };
  std::string text = input(0);
  for (uint32_t i = 1; i < count; ++i) {
    text = how == "+" ? text + " + " + input(i) : how + "(" + text + ", " + input(i) + ")";
  }
  return text;
}

std::string with_parameters(const char* formula, double alpha, double beta) {
  std::string text;
  for (const char* p = formula; *p != 0; ++p) {
    if (*p == '$') {
      text += literal(*++p == 'a' ? alpha : beta);
    } else {
      text += *p;
    }
  }
  return text;
}

// Which of several formulas an operator has for its inputs; 0 for the one of the table.
enum RunForm : uint32_t { kPlain, kIntegers, kClipTo = 16 };

struct Call {
  netcl_elementwise op;
  const Operator& facts;
  uint32_t inputs;
  double alpha;
  double beta;
  uint32_t form;
};

std::string infinity_text(const Call& call) {
  if (call.alpha != 0 && call.beta != 0) return "isinf(v0)";
  if (call.alpha != 0) return "isinf(v0) && v0 < 0";
  return call.beta != 0 ? "isinf(v0) && v0 > 0" : "isinf(v0) && false";
}

std::string clip_text(const Call& call) {
  if (call.inputs == 3) return call.facts.formula;
  if (call.form == kPlain) {
    return "clamp(v0, " + literal(call.alpha) + ", " + literal(call.beta) + ")";
  }
  // Between whole numbers nothing else can be, so integers stay integers.
  const auto dtype = static_cast<netcl_dtype>(call.form - kClipTo);
  return "clamp(v0, " + bound(std::ceil(call.alpha), dtype) + ", " +
         bound(std::floor(call.beta), dtype) + ")";
}

std::string formula_of(const Call& call) {
  switch (call.op) {
    case NETCL_ELEMENTWISE_MAX:
    case NETCL_ELEMENTWISE_MIN:
    case NETCL_ELEMENTWISE_SUM:
      return join(call.facts.formula, call.inputs, "");
    case NETCL_ELEMENTWISE_MEAN:
      return "(" + join("+", call.inputs, call.form == kIntegers ? "f32" : "") + ") / " +
             literal(call.inputs);
    case NETCL_ELEMENTWISE_IS_INF:
      return infinity_text(call);
    case NETCL_ELEMENTWISE_CLIP:
      return clip_text(call);
    case NETCL_ELEMENTWISE_POW:
      return call.form == kIntegers ? "ipow(v0, v1)" : call.facts.formula;
    case NETCL_ELEMENTWISE_MOD:
      if (call.alpha != 0) return call.facts.formula;
      // The remainder has the sign of v0; one more divisor brings it to the other side of zero.
      return "v0 % v1 != 0 && xor(v0 % v1 < 0, v1 < 0) ? v0 % v1 + v1 : v0 % v1";
    default:
      return with_parameters(call.facts.formula, call.alpha, call.beta);
  }
}

bool takes_parameters(netcl_elementwise op, const Operator& facts) {
  return op == NETCL_ELEMENTWISE_IS_INF || op == NETCL_ELEMENTWISE_CLIP ||
         op == NETCL_ELEMENTWISE_MOD || std::strchr(facts.formula, '$') != nullptr;
}

bool is_integer(netcl_dtype dtype) { return !is_float(dtype); }

void check_parameters(const Call& call, const ElementwiseParameters& parameters) {
  const char* const name = call.facts.name;
  if (!parameters.given) {
    if (parameters.alpha == 0 && parameters.beta == 0) return;
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->alpha is %g and options->beta is %g while options->has_parameters is 0",
         parameters.alpha, parameters.beta);
  }
  if (!takes_parameters(call.op, call.facts)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->has_parameters is 1; %s has no parameters", name);
  }
  const auto flag = [](double value) { return value == 0 || value == 1; };
  if (call.op == NETCL_ELEMENTWISE_MOD && !flag(call.alpha)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->alpha is %g; Mod takes 0 or 1", call.alpha);
  }
  if (call.op == NETCL_ELEMENTWISE_IS_INF && (!flag(call.alpha) || !flag(call.beta))) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->alpha is %g and options->beta is %g; IsInf takes 0 or 1", call.alpha, call.beta);
  }
  if (call.op == NETCL_ELEMENTWISE_CLIP && call.inputs == 3) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->has_parameters is 1 and inputs_count is 3; Clip takes its bounds from one of "
         "the two");
  }
  if (call.op == NETCL_ELEMENTWISE_CLIP && call.form != kPlain &&
      (std::isnan(call.alpha) || std::isnan(call.beta))) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->alpha is %g and options->beta is %g; bounds of integers are numbers", call.alpha,
         call.beta);
  }
}

void check_inputs(const Call& call, std::span<const TensorRef> inputs) {
  const Operator& facts = call.facts;
  if (call.op != NETCL_ELEMENTWISE_BIT_SHIFT_LEFT && call.op != NETCL_ELEMENTWISE_BIT_SHIFT_RIGHT) {
    return;
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (is_integer(inputs[i]->dtype())) continue;
    fail(NETCL_ERROR_UNSUPPORTED, "inputs[%zu] is %s; %s takes integers", i,
         dtype_facts(inputs[i]->dtype()).name, facts.name);
  }
}

uint32_t form_of(netcl_elementwise op, std::span<const TensorRef> inputs) {
  bool integers = !inputs.empty();
  for (const TensorRef& input : inputs) integers = integers && is_integer(input->dtype());
  switch (op) {
    case NETCL_ELEMENTWISE_MEAN:
    case NETCL_ELEMENTWISE_POW:
      return integers ? kIntegers : kPlain;
    case NETCL_ELEMENTWISE_CLIP:
      if (inputs.size() != 1 || !integers || inputs[0]->dtype() == NETCL_BOOL) return kPlain;
      return kClipTo + static_cast<uint32_t>(inputs[0]->dtype());
    default:
      return kPlain;
  }
}

uint64_t bits_of(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace

static const Operator& operator_of(netcl_elementwise op) {
  const Operator* const facts = find_operator(op);
  if (facts != nullptr) return *facts;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "op is %d, which is no elementwise operator", op);
}

void require_elementwise_inputs(netcl_elementwise op, size_t inputs_count) {
  const Operator& facts = operator_of(op);
  const bool clip = op == NETCL_ELEMENTWISE_CLIP;
  const bool fits = inputs_count >= facts.fewest && inputs_count <= facts.most;
  if (fits && !(clip && inputs_count == 2)) return;
  const std::string wanted = clip                         ? "1 or 3"
                             : facts.fewest == facts.most ? number_text(facts.fewest)
                                                          : "1 to " + number_text(facts.most);
  fail(NETCL_ERROR_INVALID_ARGUMENT, "inputs_count is %zu; %s takes %s", inputs_count, facts.name,
       wanted.c_str());
}

const char* elementwise_name(netcl_elementwise op) noexcept {
  const Operator* const facts = find_operator(op);
  return facts == nullptr ? "invalid" : facts->name;
}

netcl_elementwise find_elementwise(const char* name) {
  for (int op = 1; op <= kLast; ++op) {
    const Operator* const facts = find_operator(op);
    if (facts != nullptr && same_name(facts->name, name)) return op;
  }
  fail(NETCL_ERROR_NOT_FOUND, "there is no elementwise operator %s", quoted(name).c_str());
}

ElementwiseParameters elementwise_defaults(netcl_elementwise op) noexcept {
  const Operator* const facts = find_operator(op);
  if (facts == nullptr) return {};
  return {false, facts->alpha, facts->beta};
}

TreeRef elementwise_tree(netcl_elementwise op, std::span<const TensorRef> inputs,
                         const ElementwiseParameters& parameters) {
  require_elementwise_inputs(op, inputs.size());
  const Operator& facts = operator_of(op);
  Call call{op, facts, static_cast<uint32_t>(inputs.size()), facts.alpha, facts.beta, kPlain};
  if (parameters.given) {
    call.alpha = parameters.alpha;
    call.beta = parameters.beta;
  }
  check_inputs(call, inputs);
  call.form = form_of(op, inputs);
  check_parameters(call, parameters);
  // Without bounds nothing is clipped.
  const bool unbounded = op == NETCL_ELEMENTWISE_CLIP && call.inputs == 1 && !parameters.given;
  const ExpressionCache::OperatorKey key{static_cast<uint32_t>(unbounded ? 0 : op),
                                         call.inputs,
                                         call.form,
                                         0,
                                         bits_of(call.alpha),
                                         bits_of(call.beta)};
  if (unbounded) return ExpressionCache::instance().identity();
  return ExpressionCache::instance().get_operator(key, [&] { return formula_of(call); });
}

TensorRef elementwise(netcl_elementwise op, std::span<const TensorRef> inputs,
                      const ElementwiseParameters& parameters, netcl_dtype dtype,
                      netcl_variant variant, const TensorRef& into, const Run& run) {
  const TreeRef tree = elementwise_tree(op, inputs, parameters);
  if (op == NETCL_ELEMENTWISE_POW && dtype == 0 && into == nullptr) dtype = inputs[0]->dtype();
  return expression(*tree, inputs, dtype, variant, into, run);
}

TensorRef bias_add(const TensorRef& x, const TensorRef& bias, int32_t axis, const TensorRef& into,
                   const Run& run) {
  require_device(*bias, run, "bias");
  const Layout& shape = x->layout();
  const Layout& vector = bias->layout();
  const uint32_t along = checked_axis(axis, shape.rank, "axis");
  if (vector.rank != 1 || vector.shape[0] != shape.shape[along]) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "bias has shape %s; x has shape %s, extent %lld along axis %d", shape_text(vector).c_str(),
         shape_text(shape).c_str(), static_cast<long long>(shape.shape[along]), axis);
  }
  Layout spread = vector;
  spread.rank = shape.rank;
  for (uint32_t d = 0; d < shape.rank; ++d) {
    spread.shape[d] = d == along ? vector.shape[0] : 1;
    spread.strides[d] = d == along ? vector.strides[0] : 0;
  }
  const TensorRef inputs[2] = {x, std::make_shared<Tensor>(bias->buffer(), bias->dtype(), spread)};
  const ExpressionCache::OperatorKey key{NETCL_ELEMENTWISE_ADD, 2, kPlain, 0, 0, 0};
  const TreeRef tree =
      ExpressionCache::instance().get_operator(key, [] { return std::string("v0 + v1"); });
  if (into != nullptr && !into->layout().same_shape(shape)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "run->into has shape %s; the result has %s",
         shape_text(*into).c_str(), shape_text(shape).c_str());
  }
  return expression(*tree, inputs, 0, NETCL_VARIANT_AUTO, into, run);
}

}  // namespace netcl::ops
