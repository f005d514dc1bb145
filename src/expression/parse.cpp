// The parser: operator precedence with explicit stacks. Nothing here recurses, so the depth of a
// text costs heap, within kDepthMax, and never stack.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <vector>

#include "core/ascii.hpp"
#include "core/decimal_comma.hpp"
#include "core/dtype.hpp"
#include "core/error.hpp"
#include "expression/lexer.hpp"
#include "expression/parse.hpp"

namespace netcl::expression {

namespace {

enum class Open : uint8_t { binary, unary, parenthesis, call, question, colon };

// A construct that still waits for its right part.
struct Frame {
  Open open;
  Op op;               // of an operator or a call
  netcl_dtype dtype;   // of a cast call
  uint32_t commas;     // seen so far in a call
  uint8_t precedence;
  Token token;         // where it began, for messages
};

const char* const kOperand = "an operand";
constexpr const char* kConstants[] = {"inf", "nan", "pi", "true", "false"};

// The name of a call as it was written, for messages.
std::string spelling(const Frame& call) { return quoted(std::string(call.token.text).c_str()); }

// How many letters have to be put in, left out or changed to make one name of the other.
size_t letters_between(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t before = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t changed = before + (a[i - 1] == b[j - 1] ? 0 : 1);
      before = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

// The function that a name may be meant for, for messages; empty when none is near.
std::string nearest_function(std::string_view text) {
  std::string name(text.substr(0, 32));
  for (char& c : name) c = netcl::lower(c);
  size_t least = name.size() < 3 ? 1 : name.size() < 6 ? 2 : 3;
  const char* found = nullptr;
  for (int i = 0; i < kOpCount; ++i) {
    const char* const known = op_facts(static_cast<Op>(i)).name;
    if (*known == '\0' || name.empty()) continue;
    const size_t far = letters_between(name, known);
    if (far >= least) continue;
    least = far;
    found = known;
  }
  return found == nullptr ? "" : format(" (is %s meant?)", found);
}

class Parser {
 public:
  Parser(std::string_view text, const Vocabulary& vocabulary)
      : lexer_(text), vocabulary_(vocabulary) {}
  std::shared_ptr<const Tree> run();

 private:
  void operand(const Token& token);
  void name(const Token& token);
  bool input(const Token& token);
  // What a name may be, for messages.
  std::string known_names() const;
  bool constant(std::string_view lower);
  void after_operand(const Token& token);
  void comma(const Token& token);
  void close(const Token& token);
  void finish_call(const Frame& frame, const Token& token);
  void push(Frame frame);
  void reduce_above(uint8_t precedence);
  void reduce_top();
  // Reduces operators until a parenthesis, a call, a question or nothing is on top.
  void reduce_to_bracket();

  Lexer lexer_;
  const Vocabulary& vocabulary_;
  TreeBuilder builder_;
  std::vector<uint32_t> values_;
  std::vector<Frame> frames_;
  uint32_t depth_ = 0;
  bool want_operand_ = true;
  bool done_ = false;
};

void Parser::push(Frame frame) {
  // A binary operator waits for a level of its own at most once between two nested constructs, so
  // only the nested constructs are counted.
  if (frame.open != Open::binary && ++depth_ > kDepthMax) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "expression column %zu: nested more than %u deep",
         frame.token.column, kDepthMax);
  }
  frames_.push_back(frame);
}

void Parser::reduce_top() {
  const Frame frame = frames_.back();
  frames_.pop_back();
  if (frame.open != Open::binary) --depth_;
  const Op op = frame.open == Open::colon ? Op::where : frame.op;
  const uint32_t count = op_facts(op).arity;
  const size_t first = values_.size() - count;
  const uint32_t node = builder_.apply(op, values_.data() + first);
  values_.resize(first);
  values_.push_back(node);
}

void Parser::reduce_above(uint8_t precedence) {
  while (!frames_.empty()) {
    const Frame& top = frames_.back();
    const bool waits = top.open == Open::binary || top.open == Open::unary ||
                       top.open == Open::colon;
    if (!waits || top.precedence < precedence) return;
    reduce_top();
  }
}

void Parser::reduce_to_bracket() { reduce_above(0); }

bool Parser::constant(std::string_view lower) {
  if (lower == "inf") {
    values_.push_back(builder_.floating(std::numeric_limits<double>::infinity()));
  } else if (lower == "nan") {
    values_.push_back(builder_.floating(std::nan("")));
  } else if (lower == "pi") {
    values_.push_back(builder_.floating(std::numbers::pi));
  } else if (lower == "true" || lower == "false") {
    values_.push_back(builder_.boolean(lower == "true"));
  } else {
    return false;
  }
  want_operand_ = false;
  return true;
}

// The number of an input's name, or -1. "v00" is no input, so that every input has one name.
int input_index(std::string_view name) {
  if (name.size() < 2 || name.size() > 3 || name[0] != 'v') return -1;
  int index = 0;
  for (const char c : name.substr(1)) {
    if (c < '0' || c > '9') return -1;
    index = index * 10 + (c - '0');
  }
  if (name.size() == 3 && name[1] == '0') return -1;
  return index;
}

netcl_dtype dtype_of_name(std::string_view name) {
  for (netcl_dtype dtype = NETCL_F16; dtype <= NETCL_BOOL; ++dtype) {
    if (name == dtype_facts(dtype).name) return dtype;
  }
  return 0;
}

// The name in small letters; "" for what can be no name of the language. A macro is the name all in
// capitals; mixed spellings are nobody's name.
std::string lower_name(std::string_view name) {
  std::string lower(name.substr(0, 32));
  bool upper = false;
  bool small = false;
  for (char& c : lower) {
    small = small || (c >= 'a' && c <= 'z');
    if (c >= 'A' && c <= 'Z') {
      upper = true;
      c = netcl::lower(c);
    }
  }
  return name.size() <= 32 && !(upper && small) ? lower : std::string();
}

std::string Parser::known_names() const {
  std::string text = format("an input (v0 to v%u)", vocabulary_.inputs - 1);
  if (vocabulary_.inputs == 1) text = "the input v0";
  text += ", a number, a function or a cast such as f32";
  for (const NamedInput& known : vocabulary_.names) {
    text += ", or ";
    text += known.name;
  }
  return text;
}

bool Parser::input(const Token& token) {
  int index = input_index(token.text);
  if (index >= static_cast<int>(vocabulary_.inputs)) {
    const uint32_t last = vocabulary_.inputs - 1;
    fail_at(token, last == 0 ? "the input v0" : format("an input from v0 to v%u", last).c_str());
  }
  for (const NamedInput& known : vocabulary_.names) {
    if (token.text == known.name) index = static_cast<int>(known.index);
  }
  if (index < 0) return false;
  values_.push_back(builder_.input(static_cast<uint32_t>(index)));
  want_operand_ = false;
  return true;
}

void Parser::name(const Token& token) {
  if (input(token)) return;
  const std::string lower = lower_name(token.text);
  if (constant(lower)) return;
  Frame frame{Open::call, Op::cast, 0, 0, 0, token};
  frame.dtype = dtype_of_name(lower);
  if (frame.dtype == 0 && !find_function(lower, &frame.op)) {
    fail_at(token, (known_names() + nearest_function(token.text)).c_str());
  }
  const Token open = lexer_.next();
  if (open.kind != TokenKind::open) fail_at(open, "\"(\" after a function's name");
  push(frame);
}

void Parser::operand(const Token& token) {
  switch (token.kind) {
    case TokenKind::integer:
      values_.push_back(builder_.integer(token.integer));
      want_operand_ = false;
      return;
    case TokenKind::floating:
      values_.push_back(builder_.floating(token.real));
      want_operand_ = false;
      return;
    case TokenKind::name:
      name(token);
      return;
    case TokenKind::open:
      push({Open::parenthesis, Op::literal, 0, 0, 0, token});
      return;
    case TokenKind::symbol:
      if (token.plus) return;
      if (token.unary == Op::literal) break;
      push({Open::unary, token.unary, 0, 0, kUnaryPrecedence, token});
      return;
    default:
      break;
  }
  fail_at(token, token.text == "*" ? "an operand (a power is pow(x, y))" : kOperand);
}

void Parser::comma(const Token& token) {
  reduce_to_bracket();
  const bool decimal = lexer_.is_decimal_comma(token);
  const char* const hint = decimal_hint(decimal);
  if (frames_.empty() || frames_.back().open != Open::call) {
    const bool ternary = !frames_.empty() && frames_.back().open == Open::question;
    const bool nested = !frames_.empty();
    fail(NETCL_ERROR_INVALID_ARGUMENT, "expression column %zu: expected %s, found \",\"%s",
         token.column,
         ternary  ? "\":\""
         : nested ? "an operator or \")\""
                  : "an operator or the end of the text",
         hint);
  }
  Frame& call = frames_.back();
  const uint32_t arity = op_facts(call.op).arity;
  if (++call.commas >= arity) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "expression column %zu: expected \")\", found \",\"; "
         "%s takes %u argument%s%s",
         token.column, spelling(call).c_str(), arity, arity == 1 ? "" : "s", hint);
  }
  want_operand_ = true;
}

void Parser::finish_call(const Frame& frame, const Token& token) {
  const uint32_t arity = op_facts(frame.op).arity;
  if (frame.commas + 1 != arity) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "expression column %zu: expected \",\", found \")\"; "
         "%s takes %u arguments", token.column, spelling(frame).c_str(), arity);
  }
  const size_t first = values_.size() - arity;
  const uint32_t node = frame.op == Op::cast ? builder_.cast(frame.dtype, values_[first])
                                             : builder_.apply(frame.op, values_.data() + first);
  values_.resize(first);
  values_.push_back(node);
}

void Parser::close(const Token& token) {
  reduce_to_bracket();
  if (frames_.empty()) fail_at(token, "an operator or the end of the text");
  const Frame frame = frames_.back();
  if (frame.open == Open::question) fail_at(token, "an operator or \":\"");
  frames_.pop_back();
  --depth_;
  if (frame.open == Open::call) finish_call(frame, token);
}

void Parser::after_operand(const Token& token) {
  switch (token.kind) {
    case TokenKind::comma:
      comma(token);
      return;
    case TokenKind::close:
      close(token);
      return;
    case TokenKind::question:
      // The conditional groups to the right: an earlier one stays open.
      reduce_above(kTernaryPrecedence + 1);
      push({Open::question, Op::where, 0, 0, kTernaryPrecedence, token});
      want_operand_ = true;
      return;
    case TokenKind::colon:
      reduce_to_bracket();
      if (frames_.empty() || frames_.back().open != Open::question) {
        fail_at(token, "an operator (there is no \"?\" before it)");
      }
      frames_.back().open = Open::colon;
      want_operand_ = true;
      return;
    case TokenKind::symbol: {
      if (token.binary == Op::literal) break;
      const uint8_t precedence = op_facts(token.binary).precedence;
      reduce_above(precedence);
      push({Open::binary, token.binary, 0, 0, precedence, token});
      want_operand_ = true;
      return;
    }
    case TokenKind::end: {
      reduce_to_bracket();
      if (frames_.empty()) {
        done_ = true;
        return;
      }
      const Frame& open = frames_.back();
      const bool ternary = open.open == Open::question;
      fail(NETCL_ERROR_INVALID_ARGUMENT, "expression column %zu: expected \"%s\" for the %s of "
           "column %zu, found the end of the text", token.column, ternary ? ":" : ")",
           ternary ? "\"?\"" : "\"(\"", open.token.column);
    }
    default:
      break;
  }
  fail_at(token, frames_.empty() ? "an operator or the end of the text" : "an operator or \")\"");
}

std::shared_ptr<const Tree> Parser::run() {
  while (!done_) {
    const Token token = lexer_.next();
    if (want_operand_) {
      operand(token);
    } else {
      after_operand(token);
    }
  }
  return builder_.finish(values_.back());
}

}  // namespace

std::shared_ptr<const Tree> parse(const char* text) { return parse(text, Vocabulary()); }

std::shared_ptr<const Tree> parse(const char* text, const Vocabulary& vocabulary) {
  if (text == nullptr) fail(NETCL_ERROR_INVALID_ARGUMENT, "text is NULL");
  const size_t length = strnlen(text, kTextMax + 1);
  if (length > kTextMax) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "text is longer than %zu bytes", kTextMax);
  }
  return Parser(std::string_view(text, length), vocabulary).run();
}

bool is_word_of_language(std::string_view name) {
  const std::string lower = lower_name(name);
  Op op;
  for (const char* constant : kConstants) {
    if (lower == constant) return true;
  }
  return input_index(name) >= 0 || dtype_of_name(lower) != 0 || find_function(lower, &op);
}

}  // namespace netcl::expression
