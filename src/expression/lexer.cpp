#include "expression/lexer.hpp"

#include <string>

#include "core/ascii.hpp"
#include "core/decimal_comma.hpp"
#include "core/error.hpp"
#include "core/number.hpp"
#include "core/utf8.hpp"

namespace netcl::expression {

namespace {

bool is_letter(char c) { return is_word(c) && !is_digit(c); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

struct Symbol {
  const char* text;
  Op binary;
  Op unary;
};

// Longer spellings come first.
constexpr Symbol kSymbols[] = {
    {"||", Op::logical_or, Op::literal}, {"&&", Op::logical_and, Op::literal},
    {"==", Op::eq, Op::literal},         {"!=", Op::ne, Op::literal},
    {"<=", Op::le, Op::literal},         {">=", Op::ge, Op::literal},
    {"<<", Op::shift_left, Op::literal}, {">>", Op::shift_right, Op::literal},
    {"|", Op::bit_or, Op::literal},      {"^", Op::bit_xor, Op::literal},
    {"&", Op::bit_and, Op::literal},     {"<", Op::lt, Op::literal},
    {">", Op::gt, Op::literal},          {"+", Op::add, Op::literal},
    {"-", Op::sub, Op::neg},             {"*", Op::mul, Op::literal},
    {"/", Op::div, Op::literal},         {"%", Op::mod, Op::literal},
    {"!", Op::literal, Op::logical_not}, {"~", Op::literal, Op::bit_not},
};

[[noreturn]] void fail_number(const Token& token, const char* why) {
  const std::string text(token.text.substr(0, 48));
  fail(NETCL_ERROR_INVALID_ARGUMENT, "expression column %zu: the number %s %s", token.column,
       quoted(text.c_str()).c_str(), why);
}

}  // namespace

void fail_at(const Token& token, const char* expected) {
  if (token.kind == TokenKind::end) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "expression column %zu: expected %s, found the end of the text", token.column, expected);
  }
  const std::string text(token.text.substr(0, 48));
  fail(NETCL_ERROR_INVALID_ARGUMENT, "expression column %zu: expected %s, found %s", token.column,
       expected, quoted(text.c_str()).c_str());
}

bool Lexer::is_decimal_comma(const Token& comma) const noexcept {
  return netcl::is_decimal_comma(text_, comma.column - 1);
}

Token Lexer::next() {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  Token token;
  token.column = at_ + 1;
  if (at_ >= text_.size()) return token;
  const char c = text_[at_];
  const size_t begin = at_;
  if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) {
    return number(begin);
  }
  if (is_letter(c)) {
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    token.kind = TokenKind::name;
    token.text = text_.substr(begin, at_ - begin);
    return token;
  }
  return symbol(begin);
}

Token Lexer::symbol(size_t begin) {
  Token token;
  token.column = begin + 1;
  token.text = text_.substr(begin, 1);
  at_ = begin + 1;
  switch (text_[begin]) {
    case '(': token.kind = TokenKind::open; return token;
    case ')': token.kind = TokenKind::close; return token;
    case ',': token.kind = TokenKind::comma; return token;
    case '?': token.kind = TokenKind::question; return token;
    case ':': token.kind = TokenKind::colon; return token;
    default: break;
  }
  for (const Symbol& symbol : kSymbols) {
    const std::string_view spelling(symbol.text);
    if (text_.substr(begin, spelling.size()) != spelling) continue;
    token.kind = TokenKind::symbol;
    token.text = text_.substr(begin, spelling.size());
    token.binary = symbol.binary;
    token.unary = symbol.unary;
    token.plus = symbol.binary == Op::add;
    at_ = begin + spelling.size();
    return token;
  }
  // A whole UTF-8 character reads better in the message than its first byte.
  bool sound;
  token.kind = TokenKind::symbol;
  token.text = text_.substr(begin, utf8_length(text_.substr(begin), &sound));
  fail_at(token, "an operator, a number, a name or a parenthesis");
}

Token Lexer::number(size_t begin) {
  Token token;
  token.column = begin + 1;
  const char* const first = text_.data() + begin;
  const char* const last = text_.data() + text_.size();
  const bool hex = last - first > 2 && first[0] == '0' && (first[1] == 'x' || first[1] == 'X');
  // The number is everything that could belong to one, so that "1.2.3" is reported as a whole.
  size_t end = begin;
  bool exponent = false;
  while (end < text_.size()) {
    const char c = text_[end];
    const bool sign = (c == '+' || c == '-') && exponent;
    if (!is_digit(c) && !is_letter(c) && c != '.' && !sign) break;
    exponent = !hex && (c == 'e' || c == 'E');
    ++end;
  }
  token.text = text_.substr(begin, end - begin);
  at_ = end;
  const char* const stop = first + token.text.size();
  const bool point = !hex && token.text.find_first_of(".eE") != std::string_view::npos;
  const bool suffix = !hex && (stop[-1] == 'f' || stop[-1] == 'F');
  if (point || suffix) {
    token.kind = TokenKind::floating;
    const char* const digits_end = suffix ? stop - 1 : stop;
    ReadNumber result{};
    if (suffix) {
      // The suffix means what it means in C: the value is rounded to single precision.
      float narrow = 0;
      result = read_number(first, digits_end, &narrow);
      token.real = static_cast<double>(narrow);
    } else {
      result = read_number(first, digits_end, &token.real);
    }
    if (result.out_of_range) fail_number(token, "is out of range");
    if (result.end != digits_end) fail_number(token, "is malformed");
    return token;
  }
  token.kind = TokenKind::integer;
  const ReadNumber result = hex ? read_hexadecimal(first + 2, stop, &token.integer)
                                : read_number(first, stop, &token.integer);
  if (result.out_of_range) fail_number(token, "exceeds 64 bits");
  if (result.end != stop) fail_number(token, "is malformed");
  return token;
}

}  // namespace netcl::expression
