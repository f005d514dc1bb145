// The tree of a formula; see formula.hpp.
#pragma once

#include "tune/formula.hpp"

namespace netcl::tune {

enum class FormulaOp : uint8_t {
  literal,
  name,
  negate,
  logical_not,
  logical_and,
  logical_or,
  add,
  subtract,
  multiply,
  divide,
  floor_divide,
  modulo,
  power,
  ceil_divide,
  round_up,
  arithmetic,  // argument 0, and the others in turn by the operators of `steps`
  compare,  // arguments and, between them, the comparisons of `comparisons`
  choose,   // argument 0 if argument 1 else argument 2
  minimum,
  maximum,
  absolute,
  ceiling,
  floor,
  range,
  list,
  comprehension  // argument 0 for `text` in argument 1 [if argument 2]
};

enum class Comparison : uint8_t {
  equal,
  unequal,
  less,
  less_equal,
  greater,
  greater_equal,
  in,
  not_in
};

struct FormulaNode {
  FormulaOp op = FormulaOp::literal;
  uint32_t column = 0;  // of the operator or operand, from 1
  Value value{};        // of a literal
  std::string text;     // of a name, and the variable of a comprehension
  uint32_t depth = 1;   // of the tree that begins here
  struct Step {
    FormulaOp op;
    uint32_t column;
  };
  std::vector<Step> steps;
  std::vector<Comparison> comparisons;
  std::vector<std::unique_ptr<FormulaNode>> arguments;
};

}  // namespace netcl::tune
