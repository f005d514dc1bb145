#include "tune/formula.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/number.hpp"
#include "tune/formula_node.hpp"

namespace netcl::tune {

namespace {

using Step = FormulaNode::Step;
constexpr size_t kFormulaListMost = 65536;
constexpr size_t kStepsMost = size_t{1} << 22;  // lists inside lists could go on for hours

// At a node or a step.
template <class Place>
[[noreturn]] void fail_at(const Place& place, const std::string& what) {
  fail(NETCL_ERROR_INVALID_ARGUMENT, "formula column %u: %s", place.column, what.c_str());
}

bool truth(const Value& value) {
  if (const auto* integer = std::get_if<int64_t>(&value)) return *integer != 0;
  if (const auto* real = std::get_if<double>(&value)) return *real != 0.0;
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  return !std::get<std::string>(value).empty();
}

bool is_text(const Value& value) { return std::holds_alternative<std::string>(value); }
bool is_real(const Value& value) { return std::holds_alternative<double>(value); }

int64_t whole(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? 1 : 0;
  return std::get<int64_t>(value);
}

double wide(const Value& value) {
  return is_real(value) ? std::get<double>(value) : static_cast<double>(whole(value));
}

int64_t floor_quotient(const Step& step, int64_t a, int64_t b) {
  if (b == 0) fail_at(step, "division by zero");
  if (a == INT64_MIN && b == -1) fail_at(step, "the quotient does not fit 64 bits");
  const int64_t quotient = a / b;
  return quotient - (a % b != 0 && (a < 0) != (b < 0));
}

int64_t product_of(const Step& step, int64_t a, int64_t b) {
  int64_t out;
  if (__builtin_mul_overflow(a, b, &out)) fail_at(step, "the product does not fit 64 bits");
  return out;
}

int64_t integer_power(const Step& step, int64_t base, int64_t exponent) {
  int64_t out = 1;
  for (int64_t bit = exponent; bit > 0; bit >>= 1) {
    if ((bit & 1) != 0) out = product_of(step, out, base);
    if (bit > 1) base = product_of(step, base, base);
  }
  return out;
}

double real_power(const Step& step, double base, double exponent) {
  if (base == 0.0 && exponent < 0.0) fail_at(step, "division by zero");
  return std::pow(base, exponent);
}

Value integer_result(const Step& step, int64_t a, int64_t b) {
  int64_t out = 0;
  switch (step.op) {
    case FormulaOp::add:
      if (__builtin_add_overflow(a, b, &out)) fail_at(step, "the sum does not fit 64 bits");
      return out;
    case FormulaOp::subtract:
      if (__builtin_sub_overflow(a, b, &out)) fail_at(step, "the difference does not fit 64 bits");
      return out;
    case FormulaOp::multiply:
      return product_of(step, a, b);
    case FormulaOp::divide:
      if (b == 0) fail_at(step, "division by zero");
      return static_cast<double>(a) / static_cast<double>(b);
    case FormulaOp::floor_divide:
      return floor_quotient(step, a, b);
    case FormulaOp::modulo:
      if (b == 0) fail_at(step, "division by zero");
      return b == -1 ? int64_t{0} : a - floor_quotient(step, a, b) * b;
    case FormulaOp::ceil_divide:
      if (a == INT64_MIN) fail_at(step, "the quotient does not fit 64 bits");
      return -floor_quotient(step, -a, b);
    case FormulaOp::round_up:
      if (a == INT64_MIN) fail_at(step, "the product does not fit 64 bits");
      return product_of(step, -floor_quotient(step, -a, b), b);
    default:  // power
      if (b < 0) return real_power(step, static_cast<double>(a), static_cast<double>(b));
      return integer_power(step, a, b);
  }
}

Value real_result(const Step& step, double a, double b) {
  switch (step.op) {
    case FormulaOp::add:
      return a + b;
    case FormulaOp::subtract:
      return a - b;
    case FormulaOp::multiply:
      return a * b;
    case FormulaOp::power:
      return real_power(step, a, b);
    default:
      break;
  }
  if (b == 0.0) fail_at(step, "division by zero");
  switch (step.op) {
    case FormulaOp::divide:
      return a / b;
    case FormulaOp::floor_divide:
      return std::floor(a / b);
    case FormulaOp::modulo:
      return a - std::floor(a / b) * b;
    case FormulaOp::ceil_divide:
      return std::ceil(a / b);
    default:
      return std::ceil(a / b) * b;
  }
}

int ordered(const FormulaNode& node, const Value& a, const Value& b) {
  if (is_text(a) != is_text(b)) fail_at(node, "a text and a number have no order");
  if (is_text(a)) return std::get<std::string>(a).compare(std::get<std::string>(b));
  if (is_real(a) || is_real(b)) return wide(a) < wide(b) ? -1 : wide(a) > wide(b) ? 1 : 0;
  return whole(a) < whole(b) ? -1 : whole(a) > whole(b) ? 1 : 0;
}

class Evaluator {
 public:
  explicit Evaluator(const SpaceFormula::Lookup& lookup) : lookup_(lookup) {}

  Value value(const FormulaNode& node) {
    if (++steps_ > kStepsMost) fail_at(node, "the formula takes too many steps");
    switch (node.op) {
      case FormulaOp::literal:
        return node.value;
      case FormulaOp::name:
        return named(node);
      case FormulaOp::logical_not:
        return !truth(value(*node.arguments[0]));
      case FormulaOp::logical_and:
        return std::all_of(node.arguments.begin(), node.arguments.end(),
                           [&](const auto& argument) { return truth(value(*argument)); });
      case FormulaOp::logical_or:
        return std::any_of(node.arguments.begin(), node.arguments.end(),
                           [&](const auto& argument) { return truth(value(*argument)); });
      case FormulaOp::compare:
        return compared(node);
      case FormulaOp::choose:
        return value(*node.arguments[truth(value(*node.arguments[1])) ? 0 : 2]);
      case FormulaOp::minimum:
      case FormulaOp::maximum:
        return extreme(node);
      case FormulaOp::ceiling:
      case FormulaOp::floor:
        return rounded(node);
      case FormulaOp::negate:
      case FormulaOp::absolute:
        return signed_value(node);
      case FormulaOp::range:
      case FormulaOp::list:
      case FormulaOp::comprehension:
        fail_at(node, "a list stands where one value is needed");
      default:
        return arithmetic(node);
    }
  }

  std::vector<Value> list(const FormulaNode& node, size_t most) {
    std::vector<Value> out;
    if (node.op == FormulaOp::list) {
      for (const auto& argument : node.arguments) {
        check_size(node, out.size(), most);
        out.push_back(value(*argument));
      }
    } else if (node.op == FormulaOp::range) {
      fill_range(node, most, &out);
    } else if (node.op == FormulaOp::comprehension) {
      fill_comprehension(node, most, &out);
    } else if (node.op == FormulaOp::arithmetic) {
      join_lists(node, most, &out);
    } else {
      fail_at(node, "expected a list");
    }
    return out;
  }

 private:
  template <class Place>
  static void check_size(const Place& place, size_t size, size_t most) {
    if (size >= most) fail_at(place, format("the list has more than %zu values", most));
  }
  Value named(const FormulaNode& node) {
    for (size_t i = variables_.size(); i-- > 0;) {
      if (variables_[i].first == node.text) return variables_[i].second;
    }
    if (const Value* found = lookup_(node.text)) return *found;
    fail_at(node, format("there is no parameter or limit %s", node.text.c_str()));
  }
  Value number(const FormulaNode& node) {
    Value found = value(node);
    if (is_text(found)) fail_at(node, "a text stands where a number is needed");
    return found;
  }
  Value arithmetic(const FormulaNode& node) {
    Value left = value(*node.arguments[0]);
    for (size_t i = 0; i < node.steps.size(); ++i) {
      left = combined(node.steps[i], left, value(*node.arguments[i + 1]));
    }
    return left;
  }
  static Value combined(const Step& step, const Value& a, const Value& b) {
    if (step.op == FormulaOp::add && is_text(a) && is_text(b)) {
      return std::get<std::string>(a) + std::get<std::string>(b);
    }
    if (is_text(a) || is_text(b)) fail_at(step, "a text stands where a number is needed");
    return is_real(a) || is_real(b) ? real_result(step, wide(a), wide(b))
                                    : integer_result(step, whole(a), whole(b));
  }
  void join_lists(const FormulaNode& node, size_t most, std::vector<Value>* out) {
    *out = list(*node.arguments[0], most);
    for (size_t i = 0; i < node.steps.size(); ++i) {
      const Step& step = node.steps[i];
      if (step.op != FormulaOp::add) fail_at(step, "expected a list");
      for (Value& more : list(*node.arguments[i + 1], most)) {
        check_size(step, out->size(), most);
        out->push_back(std::move(more));
      }
    }
  }
  Value signed_value(const FormulaNode& node) {
    const Value found = number(*node.arguments[0]);
    const bool magnitude = node.op == FormulaOp::absolute;
    if (is_real(found)) return magnitude ? std::fabs(wide(found)) : -wide(found);
    if (whole(found) == INT64_MIN) fail_at(node, "the result does not fit 64 bits");
    return magnitude && whole(found) >= 0 ? whole(found) : -whole(found);
  }
  // An integer, as in Python.
  Value rounded(const FormulaNode& node) {
    const Value found = number(*node.arguments[0]);
    if (!is_real(found)) return whole(found);
    const double real =
        node.op == FormulaOp::floor ? std::floor(wide(found)) : std::ceil(wide(found));
    if (!(std::fabs(real) < 0x1p63)) fail_at(node, "the result does not fit 64 bits");
    return static_cast<int64_t>(real);
  }
  Value extreme(const FormulaNode& node) {
    Value best = number(*node.arguments[0]);
    for (size_t i = 1; i < node.arguments.size(); ++i) {
      Value next = number(*node.arguments[i]);
      const int order = ordered(node, next, best);
      if (node.op == FormulaOp::minimum ? order < 0 : order > 0) best = std::move(next);
    }
    return best;
  }
  // a < b < c holds when both comparisons do, as in Python.
  bool compared(const FormulaNode& node) {
    Value left = value(*node.arguments[0]);
    for (size_t i = 0; i < node.comparisons.size(); ++i) {
      const FormulaNode& argument = *node.arguments[i + 1];
      const Comparison kind = node.comparisons[i];
      if (kind == Comparison::in || kind == Comparison::not_in) {
        const std::vector<Value> all = list(argument, kFormulaListMost);
        const bool there = std::any_of(all.begin(), all.end(),
                                       [&](const Value& one) { return same_value(one, left); });
        return there == (kind == Comparison::in);
      }
      Value right = value(argument);
      if (!compares(node, kind, left, right)) return false;
      left = std::move(right);
    }
    return true;
  }
  static bool compares(const FormulaNode& node, Comparison kind, const Value& a, const Value& b) {
    if (kind == Comparison::equal) return same_value(a, b);
    if (kind == Comparison::unequal) return !same_value(a, b);
    const int order = ordered(node, a, b);
    if (kind == Comparison::less) return order < 0;
    if (kind == Comparison::less_equal) return order <= 0;
    return kind == Comparison::greater ? order > 0 : order >= 0;
  }
  void fill_range(const FormulaNode& node, size_t most, std::vector<Value>* out) {
    int64_t bounds[3] = {0, 0, 1};
    const size_t count = node.arguments.size();
    for (size_t i = 0; i < count; ++i) {
      const Value bound = number(*node.arguments[i]);
      if (is_real(bound)) fail_at(node, "range takes integers");
      bounds[count == 1 ? 1 : i] = whole(bound);
    }
    if (bounds[2] == 0) fail_at(node, "the step of range is 0");
    for (int64_t i = bounds[0]; bounds[2] > 0 ? i < bounds[1] : i > bounds[1];) {
      check_size(node, out->size(), most);
      out->emplace_back(i);
      if (__builtin_add_overflow(i, bounds[2], &i)) break;
    }
  }
  void fill_comprehension(const FormulaNode& node, size_t most, std::vector<Value>* out) {
    for (const Value& one : list(*node.arguments[1], kFormulaListMost)) {
      variables_.emplace_back(node.text, one);
      const bool wanted = node.arguments.size() < 3 || truth(value(*node.arguments[2]));
      if (wanted) {
        check_size(node, out->size(), most);
        out->push_back(value(*node.arguments[0]));
      }
      variables_.pop_back();
    }
  }

  const SpaceFormula::Lookup& lookup_;
  std::vector<std::pair<std::string, Value>> variables_;
  size_t steps_ = 0;
};

}  // namespace

std::string value_text(const Value& value) {
  if (const auto* integer = std::get_if<int64_t>(&value)) return number_text(*integer);
  if (const auto* real = std::get_if<double>(&value)) return number_text(*real);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "True" : "False";
  return "\"" + std::get<std::string>(value) + "\"";
}

std::string shown_value(const Value& value) {
  return is_text(value) ? quoted(std::get<std::string>(value).c_str()) : value_text(value);
}

bool same_value(const Value& a, const Value& b) {
  if (is_text(a) || is_text(b)) return a == b;
  if (is_real(a) || is_real(b)) return wide(a) == wide(b);
  return whole(a) == whole(b);
}

std::string value_key(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "1" : "0";
  return is_real(value) && wide(value) == 0.0 ? "0" : value_text(value);
}

Value SpaceFormula::evaluate(const Lookup& lookup) const {
  try {
    return Evaluator(lookup).value(*root_);
  } catch (const Error& error) {
    // Of many constraints it has to say which one it is.
    throw Error(error.status(), error.message() + ", in " + quoted(text_.c_str(), 200));
  }
}

bool SpaceFormula::holds(const Lookup& lookup) const { return truth(evaluate(lookup)); }

int64_t SpaceFormula::integer(const Lookup& lookup) const {
  const Value found = evaluate(lookup);
  if (is_real(found)) {
    const double real = std::get<double>(found);
    if (real == std::floor(real) && std::fabs(real) < 0x1p63) return static_cast<int64_t>(real);
  }
  if (is_real(found) || is_text(found)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "formula %s gives %s where an integer is needed",
         quoted(text_.c_str()).c_str(), shown_value(found).c_str());
  }
  return whole(found);
}

double SpaceFormula::real(const Lookup& lookup) const {
  const Value found = evaluate(lookup);
  if (is_text(found)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "formula %s gives %s where a number is needed",
         quoted(text_.c_str()).c_str(), shown_value(found).c_str());
  }
  return wide(found);
}

std::vector<Value> SpaceFormula::list(const Lookup& lookup, size_t most) const {
  return Evaluator(lookup).list(*root_, most);
}

}  // namespace netcl::tune
