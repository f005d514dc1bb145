#include "expression/print_cl.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <vector>

#include "core/dtype.hpp"
#include "core/error.hpp"
#include "core/number.hpp"
#include "expression/print_cl_helpers.hpp"

namespace netcl::expression {

std::string cl_type(netcl_dtype dtype, uint32_t width) {
  const std::string name = dtype_facts(dtype).cl_name;
  return width == 1 ? name : name + number_text(width);
}

std::string cl_number(double value, bool single) {
  const char* const suffix = single ? "f" : "";
  if (std::isnan(value)) {
    return single ? "as_float(0x7fc00000u)" : "as_double(0x7ff8000000000000UL)";
  }
  if (std::isinf(value)) {
    if (single) return value > 0 ? "as_float(0x7f800000u)" : "as_float(0xff800000u)";
    return value > 0 ? "as_double(0x7ff0000000000000UL)" : "as_double(0xfff0000000000000UL)";
  }
  return (std::signbit(value) ? "-0x" : "0x") + hexadecimal_text(std::fabs(value)) + suffix;
}

namespace {

std::string integer_text(uint64_t value, netcl_dtype dtype) {
  if (dtype_facts(dtype).kind != DtypeClass::signed_integer) {
    return format("%llu%s", static_cast<unsigned long long>(value),
                  dtype == NETCL_U64 ? "UL" : "u");
  }
  const int64_t number = static_cast<int64_t>(value);
  // The most negative number has no literal of its own type.
  if (number == INT64_MIN) return "(-9223372036854775807L - 1L)";
  if (number == INT32_MIN && dtype == NETCL_I32) return "(-2147483647 - 1)";
  return format("%lld%s", static_cast<long long>(number), dtype == NETCL_I64 ? "L" : "");
}

class ValuePrinter {
 public:
  ValuePrinter(const TypedTree& tree, uint32_t width, std::span<const uint32_t> parameters)
      : tree_(tree), width_(width), parameters_(parameters) {}
  ValueCode run();

 private:
  std::string node_text(uint32_t index);
  std::string compare_text(const TypedNode& node);
  std::string choose_text(const TypedNode& node);
  std::string literal_text(uint32_t index) const;
  std::string convert_text(const TypedNode& node);
  std::string round_text(const TypedNode& node);
  std::string classify_text(const TypedNode& node);
  std::string call(Op op, netcl_dtype dtype, const TypedNode& node);
  std::string use(const Helper& helper, netcl_dtype from, netcl_dtype to, uint32_t width);
  std::string use(const Helper& helper, netcl_dtype from, netcl_dtype to) {
    return use(helper, from, to, width_);
  }
  std::string lanes_call(const std::string& function, netcl_dtype dtype, const TypedNode& node);
  std::string name(uint32_t index);
  netcl_dtype argument_dtype(const TypedNode& node) const {
    return tree_.nodes[node.args[0]].dtype;
  }

  const TypedTree& tree_;
  uint32_t width_;
  std::span<const uint32_t> parameters_;
  ValueCode code_;
  std::set<std::string> used_;
  std::vector<bool> named_;  // nodes that a statement has to give
};

std::string ValuePrinter::name(uint32_t index) {
  const TypedNode& node = tree_.nodes[index];
  named_[index] = true;
  return node.op == Op::input ? format("x%u", node.input) : format("t%u", index);
}

// Makes sure that a helper is there and gives the name to call it by.
std::string ValuePrinter::use(const Helper& helper, netcl_dtype from, netcl_dtype to,
                              uint32_t width) {
  for (int i = 0; i < 2; ++i) {
    if (helper.needs[i] == nullptr) continue;
    const netcl_dtype needed = helper.needs_f32 ? NETCL_F32 : from;
    use(find_helper(helper.needs[i], is_float(needed)), needed, needed, width);
  }
  const std::string called = helper_name(helper, from, to, width);
  if (used_.insert(called).second) {
    code_.helpers += "#ifndef " + called + "_\n#define " + called + "_\n" +
                     helper_text(helper, from, to, width) + "#endif\n";
  }
  return called;
}

std::string ValuePrinter::literal_text(uint32_t index) const {
  const TypedNode& node = tree_.nodes[index];
  const std::string type = cl_type(node.dtype, width_);
  if (std::find(parameters_.begin(), parameters_.end(), index) != parameters_.end()) {
    return "(" + type + ")(k" + number_text(index) + ")";
  }
  if (is_float(node.dtype)) {
    return "(" + type + ")(" + cl_number(node.real, node.dtype == NETCL_F32) + ")";
  }
  return "(" + type + ")(" + integer_text(node.integer, node.dtype) + ")";
}

std::string ValuePrinter::convert_text(const TypedNode& node) {
  const netcl_dtype from = argument_dtype(node);
  const std::string a = name(node.args[0]);
  if (node.dtype == NETCL_BOOL) {
    return format("NX_BOOL%u(%s != (%s)(0))", width_, a.c_str(), cl_type(from, width_).c_str());
  }
  if (is_float(from) && !is_float(node.dtype)) {
    return use(find_helper("saturate", true), from, node.dtype) + "(" + a + ")";
  }
  return "convert_" + cl_type(node.dtype, width_) + "(" + a + ")";
}

std::string ValuePrinter::round_text(const TypedNode& node) {
  const netcl_dtype from = argument_dtype(node);
  std::string value = name(node.args[0]);
  const bool to_f16 = node.op == Op::round_f16;
  // The step to f32 in between must not round a value that the second step then rounds again.
  if (from == NETCL_F64) {
    value = use(find_helper("odd", true), from, NETCL_F32) + "(" + value + ")";
  } else if (!is_float(from)) {
    const bool wide = dtype_size(from) >= 4 && !to_f16;
    value = (wide ? use(find_helper("jam", false), from, NETCL_F32)
                  : "convert_" + cl_type(NETCL_F32, width_)) + "(" + value + ")";
  }
  const Helper& helper = find_helper(to_f16 ? "round_f16" : "round_bf16", true);
  return use(helper, NETCL_F32, NETCL_F32) + "(" + value + ")";
}

std::string ValuePrinter::classify_text(const TypedNode& node) {
  if (!is_float(argument_dtype(node))) {
    return format("(%s)(%d)", cl_type(NETCL_BOOL, width_).c_str(), node.op == Op::isfinite);
  }
  return format("NX_BOOL%u(%s(%s))", width_, op_facts(node.op).name, name(node.args[0]).c_str());
}

std::string ValuePrinter::compare_text(const TypedNode& node) {
  return name(node.args[0]) + " " + op_facts(node.op).infix + " " + name(node.args[1]);
}

// A comparison is chosen by as it is: as a bool it would be bytes in between, lane by lane.
std::string ValuePrinter::choose_text(const TypedNode& node) {
  const TypedNode& condition = tree_.nodes[node.args[0]];
  const bool compares = op_facts(condition.op).rule == Rule::compare;
  const std::string b = name(node.args[1]), c = name(node.args[2]);
  if (width_ == 1) {
    return (compares ? "(" + compare_text(condition) + ")" : name(node.args[0])) + " ? " + b +
           " : " + c;
  }
  const netcl_dtype mask = signed_twin(node.dtype);
  const std::string type = cl_type(mask, width_);
  if (!compares) {
    return "select(" + c + ", " + b + ", convert_" + type + "(" + name(node.args[0]) + ") != (" +
           type + ")(0))";
  }
  const bool same = signed_twin(argument_dtype(condition)) == mask;
  const std::string text = compare_text(condition);
  return "select(" + c + ", " + b + ", " + (same ? text : "convert_" + type + "(" + text + ")") +
         ")";
}

// A function of scalars for each lane of vectors.
std::string ValuePrinter::lanes_call(const std::string& function, netcl_dtype dtype,
                                     const TypedNode& node) {
  std::string out = "(" + cl_type(dtype, width_) + ")(";
  for (uint32_t lane = 0; lane < width_; ++lane) {
    const std::string member = std::string(".s") + "0123456789abcdef"[lane];
    out += (lane == 0 ? "" : ", ") + function + "(";
    for (uint32_t i = 0; i < op_facts(node.op).arity; ++i) {
      out += (i == 0 ? "" : ", ") + name(node.args[i]) + member;
    }
    out += ")";
  }
  return out + ")";
}

std::string ValuePrinter::call(Op op, netcl_dtype dtype, const TypedNode& node) {
  const char* builtin = builtin_name(op, is_float(dtype));
  // What branches is written for scalars only.
  const bool scalars = (op == Op::mod && is_float(dtype)) || op == Op::ipow;
  if (width_ > 1 && scalars) {
    const std::string function =
        builtin != nullptr
            ? std::string(builtin)
            : use(find_helper(op_facts(op).name, is_float(dtype)), dtype, dtype, 1);
    return lanes_call(function, dtype, node);
  }
  const char* helper = op == Op::gelu && dtype == NETCL_F32 ? "gelu_f32" : op_facts(op).name;
  std::string text = builtin != nullptr ? std::string(builtin)
                                        : use(find_helper(helper, is_float(dtype)), dtype, dtype);
  for (uint32_t i = 0; i < op_facts(op).arity; ++i) {
    text += (i == 0 ? "(" : ", ") + name(node.args[i]);
  }
  return text + ")";
}

std::string ValuePrinter::node_text(uint32_t index) {
  const TypedNode& node = tree_.nodes[index];
  const OpFacts& facts = op_facts(node.op);
  const netcl_dtype dtype = node.dtype;
  if (facts.rule == Rule::choose) return choose_text(node);
  const std::string a = facts.arity > 0 ? name(node.args[0]) : "";
  const std::string b = facts.arity > 1 ? name(node.args[1]) : "";
  switch (facts.rule) {
    case Rule::leaf: return literal_text(index);
    case Rule::compare:
      return format("NX_BOOL%u(", width_) + compare_text(node) + ")";
    case Rule::logical:
      if (node.op == Op::logical_not) return a + " ^ (" + cl_type(NETCL_BOOL, width_) + ")(1)";
      if (node.op == Op::logical_and) return a + " & " + b;
      return a + (node.op == Op::logical_or ? " | " : " ^ ") + b;
    case Rule::bits:
      return node.op == Op::bit_not ? "~" + a : a + " " + facts.infix + " " + b;
    case Rule::classify: return classify_text(node);
    case Rule::shift: return call(node.op, dtype, node);
    case Rule::internal:
      return node.op == Op::convert ? convert_text(node) : round_text(node);
    default: break;
  }
  const bool floating = is_float(dtype);
  if (floating && facts.infix != nullptr && node.op != Op::mod) {
    return node.op == Op::neg ? "-" + a : a + " " + facts.infix + " " + b;
  }
  if (floating && node.op == Op::square) return a + " * " + a;
  const bool whole = node.op == Op::floor || node.op == Op::ceil || node.op == Op::round ||
                     node.op == Op::trunc;
  if (!floating && whole) return a;
  return call(node.op, dtype, node);
}

ValueCode ValuePrinter::run() {
  code_.helpers = helper_macros(width_);
  // Functions of single lanes need the macros of scalars too.
  if (width_ > 1) code_.helpers = helper_macros(1) + code_.helpers;
  named_.assign(tree_.nodes.size(), false);
  for (const TypedResult& result : tree_.results) code_.results.push_back(name(result.node));
  // From the results backwards, since only the uses of a node say whether a statement gives it.
  std::vector<std::string> statements;
  for (uint32_t i = static_cast<uint32_t>(tree_.nodes.size()); i-- > 0;) {
    const TypedNode& node = tree_.nodes[i];
    if (node.op == Op::input || !named_[i]) continue;
    const std::string text = node_text(i);
    statements.push_back("    const " + cl_type(node.dtype, width_) + " " + name(i) + " = " + text +
                         ";\n");
  }
  for (auto it = statements.rbegin(); it != statements.rend(); ++it) code_.statements += *it;
  return std::move(code_);
}

}  // namespace

ValueCode expression_cl(const TypedTree& tree, uint32_t width,
                        std::span<const uint32_t> parameters) {
  return ValuePrinter(tree, width, parameters).run();
}

}  // namespace netcl::expression
