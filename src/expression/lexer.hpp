// Splits the text of an expression into tokens with their columns.
#pragma once

#include <cstdint>
#include <string_view>

#include "expression/op.hpp"

namespace netcl::expression {

enum class TokenKind : uint8_t {
  end,
  integer,
  floating,
  name,
  open,      // (
  close,     // )
  comma,
  question,
  colon,
  symbol     // an operator; `op` is its binary meaning, `unary` its prefix meaning
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  size_t column = 1;
  uint64_t integer = 0;
  double real = 0;
  Op binary = Op::literal;  // Op::literal when the symbol has no binary meaning
  Op unary = Op::literal;   // Op::literal when it has no prefix meaning
  bool plus = false;        // a prefix + is allowed and means nothing
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}
  Token next();
  // True for a comma between two digits, as numbers have it in some languages.
  bool is_decimal_comma(const Token& comma) const noexcept;

 private:
  Token number(size_t begin);
  Token symbol(size_t begin);

  std::string_view text_;
  size_t at_ = 0;
};

// Fails with INVALID_ARGUMENT: "expression column 7: expected X, found Y".
[[noreturn]] void fail_at(const Token& token, const char* expected);

}  // namespace netcl::expression
