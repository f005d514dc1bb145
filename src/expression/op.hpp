// The operations of an expression: one table that the parser, the type rules, the OpenCL printer
// and the built-in CPU backend all read, so that a name or a type rule is stated exactly once.
#pragma once

#include <cstdint>
#include <string_view>

namespace netcl::expression {

// How the type of a node follows from the types of its arguments.
enum class Rule : uint8_t {
  leaf,        // an input or a literal
  arithmetic,  // the promoted type; bool becomes i32
  real,        // the promoted type when it is floating, else f32
  compare,     // arguments promote, the result is bool
  logical,     // arguments become bool, the result is bool
  bits,        // integers or bool only; the promoted type
  shift,       // integers only; bool becomes i32
  classify,    // any argument, the result is bool
  choose,      // where(condition, a, b): a and b promote
  cast,        // the type that the node names
  internal     // made by type inference, never by the parser
};

// X(identifier, name in text, number of arguments, rule). Names are lower case; the upper-case form
// of every name is a macro alias.
#define NETCL_EXPRESSION_OPS(X)           \
  X(input, "", 0, leaf)                   \
  X(literal, "", 0, leaf)                 \
  X(cast, "", 1, cast)                    \
  X(add, "add", 2, arithmetic)            \
  X(sub, "sub", 2, arithmetic)            \
  X(mul, "mul", 2, arithmetic)            \
  X(div, "div", 2, arithmetic)            \
  X(mod, "mod", 2, arithmetic)            \
  X(neg, "neg", 1, arithmetic)            \
  X(abs, "abs", 1, arithmetic)            \
  X(sign, "sign", 1, arithmetic)          \
  X(square, "square", 1, arithmetic)      \
  X(relu, "relu", 1, arithmetic)          \
  X(floor, "floor", 1, arithmetic)        \
  X(ceil, "ceil", 1, arithmetic)          \
  X(round, "round", 1, arithmetic)        \
  X(trunc, "trunc", 1, arithmetic)        \
  X(min, "min", 2, arithmetic)            \
  X(max, "max", 2, arithmetic)            \
  X(clamp, "clamp", 3, arithmetic)        \
  X(fma, "fma", 3, arithmetic)            \
  X(sqrt, "sqrt", 1, real)                \
  X(rsqrt, "rsqrt", 1, real)              \
  X(reciprocal, "reciprocal", 1, real)    \
  X(exp, "exp", 1, real)                  \
  X(exp2, "exp2", 1, real)                \
  X(expm1, "expm1", 1, real)              \
  X(log, "log", 1, real)                  \
  X(log2, "log2", 1, real)                \
  X(log10, "log10", 1, real)              \
  X(log1p, "log1p", 1, real)              \
  X(pow, "pow", 2, real)                  \
  X(sin, "sin", 1, real)                  \
  X(cos, "cos", 1, real)                  \
  X(tan, "tan", 1, real)                  \
  X(asin, "asin", 1, real)                \
  X(acos, "acos", 1, real)                \
  X(atan, "atan", 1, real)                \
  X(atan2, "atan2", 2, real)              \
  X(sinh, "sinh", 1, real)                \
  X(cosh, "cosh", 1, real)                \
  X(tanh, "tanh", 1, real)                \
  X(asinh, "asinh", 1, real)              \
  X(acosh, "acosh", 1, real)              \
  X(atanh, "atanh", 1, real)              \
  X(erf, "erf", 1, real)                  \
  X(erfc, "erfc", 1, real)                \
  X(sigmoid, "sigmoid", 1, real)          \
  X(silu, "silu", 1, real)                \
  X(gelu, "gelu", 1, real)                \
  X(gelu_tanh, "gelu_tanh", 1, real)      \
  X(softplus, "softplus", 1, real)        \
  X(softsign, "softsign", 1, real)        \
  X(mish, "mish", 1, real)                \
  X(leaky_relu, "leaky_relu", 2, real)    \
  X(elu, "elu", 2, real)                  \
  X(eq, "eq", 2, compare)                 \
  X(ne, "ne", 2, compare)                 \
  X(lt, "lt", 2, compare)                 \
  X(le, "le", 2, compare)                 \
  X(gt, "gt", 2, compare)                 \
  X(ge, "ge", 2, compare)                 \
  X(logical_and, "and", 2, logical)       \
  X(logical_or, "or", 2, logical)         \
  X(logical_xor, "xor", 2, logical)       \
  X(logical_not, "not", 1, logical)       \
  X(bit_and, "bit_and", 2, bits)          \
  X(bit_or, "bit_or", 2, bits)            \
  X(bit_xor, "bit_xor", 2, bits)          \
  X(bit_not, "bit_not", 1, bits)          \
  X(shift_left, "shl", 2, shift)          \
  X(shift_right, "shr", 2, shift)         \
  X(ipow, "ipow", 2, shift)               \
  X(isnan, "isnan", 1, classify)          \
  X(isinf, "isinf", 1, classify)          \
  X(isfinite, "isfinite", 1, classify)    \
  X(where, "where", 3, choose)            \
  X(convert, "", 1, internal)             \
  X(round_f16, "", 1, internal)           \
  X(round_bf16, "", 1, internal)

enum class Op : uint8_t {
#define NETCL_EXPRESSION_ENUM(id, name, arity, rule) id,
  NETCL_EXPRESSION_OPS(NETCL_EXPRESSION_ENUM)
#undef NETCL_EXPRESSION_ENUM
};

struct OpFacts {
  const char* name;      // the function's name in text, "" when there is none
  uint8_t arity;
  Rule rule;
  const char* infix;     // the operator's spelling, nullptr when the op has none
  uint8_t precedence;    // of the operator; greater binds tighter
};

inline constexpr int kOpCount = 0
#define NETCL_EXPRESSION_COUNT(id, name, arity, rule) +1
    NETCL_EXPRESSION_OPS(NETCL_EXPRESSION_COUNT)
#undef NETCL_EXPRESSION_COUNT
    ;

// Precedence levels of C. Ternary and unary operators are handled by the parser itself.
inline constexpr uint8_t kTernaryPrecedence = 1;
inline constexpr uint8_t kUnaryPrecedence = 12;
inline constexpr uint8_t kPrimaryPrecedence = 13;

const OpFacts& op_facts(Op op) noexcept;

// Finds a function by its lower-case name or an alias of it; false when there is none.
bool find_function(std::string_view name, Op* op) noexcept;

}  // namespace netcl::expression
