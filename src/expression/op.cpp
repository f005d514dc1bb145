#include "expression/op.hpp"

namespace netcl::expression {

namespace {

struct Infix {
  Op op;
  const char* text;
  uint8_t precedence;
};

constexpr Infix kInfix[] = {
    {Op::logical_or, "||", 2},  {Op::logical_and, "&&", 3}, {Op::bit_or, "|", 4},
    {Op::bit_xor, "^", 5},      {Op::bit_and, "&", 6},      {Op::eq, "==", 7},
    {Op::ne, "!=", 7},          {Op::lt, "<", 8},           {Op::le, "<=", 8},
    {Op::gt, ">", 8},           {Op::ge, ">=", 8},          {Op::shift_left, "<<", 9},
    {Op::shift_right, ">>", 9}, {Op::add, "+", 10},         {Op::sub, "-", 10},
    {Op::mul, "*", 11},         {Op::div, "/", 11},         {Op::mod, "%", 11},
    {Op::neg, "-", 12},         {Op::logical_not, "!", 12}, {Op::bit_not, "~", 12},
};

constexpr OpFacts facts_of(Op op, const char* name, uint8_t arity, Rule rule) {
  OpFacts facts{name, arity, rule, nullptr, kPrimaryPrecedence};
  for (const Infix& infix : kInfix) {
    if (infix.op != op) continue;
    facts.infix = infix.text;
    facts.precedence = infix.precedence;
  }
  return facts;
}

constexpr OpFacts kFacts[kOpCount] = {
#define NETCL_EXPRESSION_FACTS(id, name, arity, rule) facts_of(Op::id, name, arity, Rule::rule),
    NETCL_EXPRESSION_OPS(NETCL_EXPRESSION_FACTS)
#undef NETCL_EXPRESSION_FACTS
};

struct Alias {
  const char* name;
  Op op;
};

constexpr Alias kAliases[] = {
    {"select", Op::where}, {"swish", Op::silu},    {"fmod", Op::mod},   {"fabs", Op::abs},
    {"rint", Op::round},   {"inv", Op::reciprocal}, {"sqr", Op::square},
    {"arccosh", Op::acosh}, {"arcsinh", Op::asinh}, {"arctanh", Op::atanh},
};

}  // namespace

const OpFacts& op_facts(Op op) noexcept { return kFacts[static_cast<int>(op)]; }

bool find_function(std::string_view name, Op* op) noexcept {
  if (name.empty()) return false;
  for (int i = 0; i < kOpCount; ++i) {
    if (name == kFacts[i].name) {
      *op = static_cast<Op>(i);
      return true;
    }
  }
  for (const Alias& alias : kAliases) {
    if (name == alias.name) {
      *op = alias.op;
      return true;
    }
  }
  return false;
}

}  // namespace netcl::expression
