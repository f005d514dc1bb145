#include <algorithm>
#include <cstring>

#include "core/ascii.hpp"
#include "core/decimal_comma.hpp"
#include "core/error.hpp"
#include "core/number.hpp"
#include "tune/formula_node.hpp"

namespace netcl::tune {

namespace {

constexpr size_t kTextMost = 8192;
// Both the text and the tree are gone through by functions that call themselves. The frames for a
// parenthesis, which counts three times, take 1.8 KB together, and those for a node 0.4 KB: it all
// has to fit a small stack. Chains such as a + a + ... are one node, however long they are.
constexpr int kDepthMost = 60;
constexpr uint32_t kTreeMost = 64;

using OwnedNode = std::unique_ptr<FormulaNode>;

bool is_letter(char c) { return is_word(c) && !is_digit(c); }

OwnedNode make(FormulaOp op, uint32_t column) {
  auto node = std::make_unique<FormulaNode>();
  node->op = op;
  node->column = column;
  return node;
}

// True for what may stand where a list is needed.
bool makes_list(const FormulaNode& node) {
  return node.op == FormulaOp::range || node.op == FormulaOp::list ||
         node.op == FormulaOp::comprehension ||
         (node.op == FormulaOp::arithmetic &&
          std::all_of(node.steps.begin(), node.steps.end(),
                      [](const FormulaNode::Step& step) { return step.op == FormulaOp::add; }));
}

}  // namespace

// Recursive descent over the text itself. `names_` collects what is free; the variable of a
// comprehension is not.
class FormulaParser {
 public:
  explicit FormulaParser(std::string_view text) : text_(text) {}

  OwnedNode run(std::vector<std::string>* names) {
    OwnedNode root = conditional();
    skip();
    if (at_ < text_.size()) expected("the end");
    *names = std::move(names_);
    return root;
  }

 private:
  struct Depth {
    explicit Depth(FormulaParser* parser) : parser_(parser) {
      if (++parser_->depth_ > kDepthMost) parser_->error("nested too deeply");
    }
    ~Depth() { --parser_->depth_; }
    FormulaParser* parser_;
  };

  [[noreturn]] void error(const std::string& what) const {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "formula column %zu: %s", at_ + 1, what.c_str());
  }
  [[noreturn]] void expected(const char* what) {
    skip();
    const std::string found =
        at_ < text_.size() ? quoted(std::string(1, text_[at_]).c_str()) : std::string("the end");
    error(format("expected %s, found %s%s", what, found.c_str(),
                 decimal_hint(is_decimal_comma(text_, at_))));
  }
  void skip() {
    while (at_ < text_.size() && std::strchr(" \t\r\n", text_[at_]) != nullptr) ++at_;
  }
  uint32_t column() {
    skip();
    return static_cast<uint32_t>(at_ + 1);
  }
  // Takes an operator that is not the beginning of a longer one named in `not_before`.
  bool take(const char* op, const char* not_before = "") {
    skip();
    const size_t size = std::strlen(op);
    if (text_.compare(at_, size, op) != 0) return false;
    if (at_ + size < text_.size() && *not_before != '\0' &&
        std::strchr(not_before, text_[at_ + size]) != nullptr) {
      return false;
    }
    at_ += size;
    return true;
  }
  bool take_word(const char* word) {
    skip();
    const size_t size = std::strlen(word);
    if (text_.compare(at_, size, word) != 0) return false;
    if (at_ + size < text_.size() && (is_letter(text_[at_ + size]) || is_digit(text_[at_ + size])))
      return false;
    at_ += size;
    return true;
  }

  void add(FormulaNode* node, OwnedNode argument) const {
    node->depth = std::max(node->depth, argument->depth + 1);
    if (node->depth > kTreeMost) error("nested too deeply");
    node->arguments.push_back(std::move(argument));
  }
  // Goes on with a chain of `op`, which `left` begins unless it is one.
  OwnedNode chained(FormulaOp op, uint32_t place, OwnedNode left, bool begun,
                    OwnedNode right) const {
    if (!begun) {
      OwnedNode node = make(op, place);
      add(node.get(), std::move(left));
      left = std::move(node);
    }
    add(left.get(), std::move(right));
    return left;
  }
  OwnedNode computed(FormulaOp op, uint32_t place, OwnedNode left, bool begun,
                     OwnedNode right) const {
    left = chained(FormulaOp::arithmetic, place, std::move(left), begun, std::move(right));
    left->steps.push_back({op, place});
    return left;
  }

  OwnedNode conditional() {
    const Depth depth(this);
    OwnedNode value = disjunction();
    const uint32_t place = column();
    if (!take_word("if")) return value;
    OwnedNode node = make(FormulaOp::choose, place);
    add(node.get(), std::move(value));
    add(node.get(), disjunction());
    if (!take_word("else")) expected("else");
    add(node.get(), conditional());
    return node;
  }
  OwnedNode disjunction() {
    OwnedNode left = conjunction();
    bool begun = false;
    for (uint32_t place = column(); take_word("or") || take("||"); place = column()) {
      left = chained(FormulaOp::logical_or, place, std::move(left), begun, conjunction());
      begun = true;
    }
    return left;
  }
  OwnedNode conjunction() {
    OwnedNode left = negation();
    bool begun = false;
    for (uint32_t place = column(); take_word("and") || take("&&"); place = column()) {
      left = chained(FormulaOp::logical_and, place, std::move(left), begun, negation());
      begun = true;
    }
    return left;
  }
  OwnedNode negation() {
    const Depth depth(this);
    const uint32_t place = column();
    if (!take_word("not") && !take("!", "=")) return comparison();
    OwnedNode node = make(FormulaOp::logical_not, place);
    add(node.get(), negation());
    return node;
  }
  bool take_comparison(Comparison* kind) {
    static constexpr struct {
      const char* text;
      Comparison kind;
    } kKinds[] = {{"==", Comparison::equal},      {"!=", Comparison::unequal},
                  {"<=", Comparison::less_equal}, {">=", Comparison::greater_equal},
                  {"<", Comparison::less},        {">", Comparison::greater}};
    for (const auto& candidate : kKinds) {
      *kind = candidate.kind;
      if (take(candidate.text)) return true;
    }
    *kind = take_word("not") ? Comparison::not_in : Comparison::in;
    if (take_word("in")) return true;
    if (*kind == Comparison::not_in) expected("in");
    return false;
  }
  OwnedNode comparison() {
    OwnedNode left = sum();
    const uint32_t place = column();
    Comparison kind;
    if (!take_comparison(&kind)) return left;
    OwnedNode node = make(FormulaOp::compare, place);
    add(node.get(), std::move(left));
    do {
      node->comparisons.push_back(kind);
      add(node.get(), sum());
    } while (take_comparison(&kind));
    return node;
  }
  OwnedNode sum() {
    OwnedNode left = product();
    for (bool begun = false;; begun = true) {
      const uint32_t place = column();
      if (take("+")) {
        left = computed(FormulaOp::add, place, std::move(left), begun, product());
      } else if (take("-")) {
        left = computed(FormulaOp::subtract, place, std::move(left), begun, product());
      } else {
        return left;
      }
    }
  }
  OwnedNode product() {
    OwnedNode left = unary();
    for (bool begun = false;; begun = true) {
      const uint32_t place = column();
      FormulaOp op;
      if (take("//")) {
        op = FormulaOp::floor_divide;
      } else if (take("*", "*")) {
        op = FormulaOp::multiply;
      } else if (take("/")) {
        op = FormulaOp::divide;
      } else if (take("%")) {
        op = FormulaOp::modulo;
      } else {
        return left;
      }
      left = computed(op, place, std::move(left), begun, unary());
    }
  }
  OwnedNode unary() {
    const Depth depth(this);
    const uint32_t place = column();
    if (take("+")) return unary();
    if (!take("-")) return power();
    OwnedNode node = make(FormulaOp::negate, place);
    add(node.get(), unary());
    return node;
  }
  // Binds tighter than a minus before it and groups to the right, as in Python.
  OwnedNode power() {
    OwnedNode base = primary();
    const uint32_t place = column();
    if (!take("**")) return base;
    return computed(FormulaOp::power, place, std::move(base), false, unary());
  }

  OwnedNode primary() {
    const uint32_t place = column();
    if (at_ >= text_.size()) expected("an operand");
    const char c = text_[at_];
    if (take("(")) return parenthesis(place);
    if (take("[")) return list(place);
    if (c == '"' || c == '\'') return text_literal(place);
    if (is_digit(c) || c == '.') return number(place);
    if (is_letter(c)) return word(place);
    expected("an operand");
  }
  // After "(": one value, or a tuple, which is as good as a list. A comma makes it one.
  OwnedNode parenthesis(uint32_t place) {
    if (take(")")) return make(FormulaOp::list, place);
    OwnedNode inner = conditional();
    if (take(")")) return inner;
    OwnedNode tuple = make(FormulaOp::list, place);
    add(tuple.get(), std::move(inner));
    while (take(",")) {
      if (take(")")) return tuple;
      add(tuple.get(), conditional());
    }
    if (!take(")")) expected("\")\"");
    return tuple;
  }
  OwnedNode literal(uint32_t place, Value value) {
    OwnedNode node = make(FormulaOp::literal, place);
    node->value = std::move(value);
    return node;
  }
  OwnedNode text_literal(uint32_t place) {
    const char quote = text_[at_++];
    const size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) error("a text without its closing quote");
    OwnedNode node = literal(place, std::string(text_.substr(at_, end - at_)));
    at_ = end + 1;
    return node;
  }
  OwnedNode number(uint32_t place) {
    const char* first = text_.data() + at_;
    const char* last = text_.data() + text_.size();
    int64_t integer = 0;
    double real = 0.0;
    const ReadNumber whole = read_number(first, last, &integer);
    const ReadNumber wide = read_number(first, last, &real);
    if (wide.end == nullptr) error("a number that is out of range or none");
    // The longer reading wins: 1e3 and 1.5 are floats, 16 is an integer.
    const bool is_whole = whole.end == wide.end;
    at_ += static_cast<size_t>(wide.end - first);
    if (at_ < text_.size() && is_letter(text_[at_])) error("a number that runs into a name");
    return is_whole ? literal(place, integer) : literal(place, real);
  }
  OwnedNode word(uint32_t place) {
    const size_t first = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string name(text_.substr(first, at_ - first));
    if (name == "True" || name == "true") return literal(place, true);
    if (name == "False" || name == "false") return literal(place, false);
    if (is_formula_word(name)) {
      at_ = first;
      expected("an operand");
    }
    skip();
    if (at_ < text_.size() && text_[at_] == '(') return call(place, name);
    OwnedNode node = make(FormulaOp::name, place);
    node->text = name;
    if (std::find(bound_.begin(), bound_.end(), name) == bound_.end() &&
        std::find(names_.begin(), names_.end(), name) == names_.end()) {
      names_.push_back(name);
    }
    return node;
  }
  // list(range(4)), or with tuple, is the list that stands in it.
  OwnedNode list_call(uint32_t place, const std::string& name) {
    if (!take("(")) expected("\"(\"");
    OwnedNode inner = conditional();
    if (!take(")")) expected("\")\"");
    if (!makes_list(*inner)) {
      at_ = place - 1;
      error(name + " takes a list");
    }
    return inner;
  }
  OwnedNode call(uint32_t place, const std::string& name) {
    if (name == "list" || name == "tuple") return list_call(place, name);
    static constexpr struct {
      const char* name;
      FormulaOp op;
      size_t least, most;
    } kFunctions[] = {
        {"min", FormulaOp::minimum, 1, 64},      {"max", FormulaOp::maximum, 1, 64},
        {"abs", FormulaOp::absolute, 1, 1},      {"ceil_div", FormulaOp::ceil_divide, 2, 2},
        {"round_up", FormulaOp::round_up, 2, 2}, {"range", FormulaOp::range, 1, 3},
        {"ceil", FormulaOp::ceiling, 1, 1},      {"floor", FormulaOp::floor, 1, 1}};
    for (const auto& function : kFunctions) {
      if (name != function.name) continue;
      OwnedNode node = make(function.op, place);
      bool decimal = false;
      if (!take("(")) expected("\"(\"");
      if (!take(")")) {
        do {
          add(node.get(), conditional());
          decimal = decimal || is_decimal_comma(text_, at_);
        } while (take(","));
        if (!take(")")) expected("\")\"");
      }
      if (node->arguments.size() < function.least || node->arguments.size() > function.most) {
        error(format("%s has %zu arguments%s", function.name, node->arguments.size(),
                     decimal_hint(decimal)));
      }
      if (node->op == FormulaOp::ceil_divide || node->op == FormulaOp::round_up) {
        node->steps.push_back({node->op, place});
        node->op = FormulaOp::arithmetic;
      }
      return node;
    }
    at_ = place - 1;
    error(format("there is no function %s", name.c_str()));
  }
  // After "[": a list, or a comprehension over one variable.
  OwnedNode list(uint32_t place) {
    OwnedNode node = make(FormulaOp::list, place);
    if (take("]")) return node;
    const size_t names_before = names_.size();
    add(node.get(), conditional());
    if (take_word("for")) return comprehension(place, std::move(node->arguments[0]), names_before);
    while (take(",")) {
      skip();
      if (at_ < text_.size() && text_[at_] == ']') break;
      add(node.get(), conditional());
    }
    if (!take("]")) expected("\"]\"");
    return node;
  }
  OwnedNode comprehension(uint32_t place, OwnedNode item, size_t names_before) {
    OwnedNode node = make(FormulaOp::comprehension, place);
    skip();
    const size_t first = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    node->text = std::string(text_.substr(first, at_ - first));
    if (node->text.empty() || is_digit(node->text[0])) expected("the name of a variable");
    // The item was parsed before its variable was known.
    for (size_t i = names_before; i < names_.size(); ++i) {
      if (names_[i] == node->text) names_.erase(names_.begin() + static_cast<long>(i--));
    }
    if (!take_word("in")) expected("in");
    add(node.get(), std::move(item));
    add(node.get(), disjunction());
    bound_.push_back(node->text);
    if (take_word("if")) add(node.get(), conditional());
    bound_.pop_back();
    if (!take("]")) expected("\"]\"");
    return node;
  }

  std::string_view text_;
  size_t at_ = 0;
  int depth_ = 0;
  std::vector<std::string> names_;
  std::vector<std::string> bound_;
};

bool is_formula_word(std::string_view word) noexcept {
  for (const char* one :
       {"and", "or", "not", "in", "if", "else", "for", "True", "False", "true", "false"}) {
    if (word == one) return true;
  }
  return false;
}

SpaceFormula::SpaceFormula(std::string_view text) : text_(text) {
  if (text.size() > kTextMost) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "the formula has %zu bytes; the limit is %zu", text.size(),
         kTextMost);
  }
  root_ = FormulaParser(text_).run(&names_);
}

SpaceFormula::~SpaceFormula() = default;
SpaceFormula::SpaceFormula(SpaceFormula&&) noexcept = default;
SpaceFormula& SpaceFormula::operator=(SpaceFormula&&) noexcept = default;

}  // namespace netcl::tune
