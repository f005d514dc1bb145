// Formulas over the parameters of a space: constraints, work sizes and amounts of work, written as
// in the tuning files that other tools exchange (Python's operators, and C's && || !).
//
//   or  and  not  == != < <= > >= (also chained)  in  + -  * / // %  unary -  **  a if c else b
//   names, integers, floats, "text", True, False, [lists], (tuples,), min max abs ceil_div round_up
//   ceil floor  [16 * i for i in range(1, 9)]  list(range(4))  [1, 2] + [4]
//
// A formula is parsed once and evaluated for many configurations. Integers are 64 bits and an
// overflow is an error, as are a division by zero and names that are not known; nothing else runs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace netcl::tune {

using Value = std::variant<int64_t, double, bool, std::string>;

// True for the words that are no names in formulas: and, or, not, in, if, else, for, True ...
bool is_formula_word(std::string_view word) noexcept;

std::string value_text(const Value& value);  // 16, 0.5, True, "text"
// The same for people: control bytes of a text are visible, and a long one is cut.
std::string shown_value(const Value& value);
bool same_value(const Value& a, const Value& b);
// One text for values that are the same.
std::string value_key(const Value& value);

struct FormulaNode;

class SpaceFormula {
 public:
  // The value of a name; null when there is none.
  using Lookup = std::function<const Value*(const std::string& name)>;

  // Fails with INVALID_ARGUMENT naming the column, counted from 1.
  explicit SpaceFormula(std::string_view text);
  ~SpaceFormula();
  SpaceFormula(SpaceFormula&&) noexcept;
  SpaceFormula& operator=(SpaceFormula&&) noexcept;

  const std::string& text() const noexcept { return text_; }
  // The names that the value depends on, each once.
  const std::vector<std::string>& names() const noexcept { return names_; }

  // All of these fail with INVALID_ARGUMENT naming the column and what is wrong there.
  Value evaluate(const Lookup& lookup) const;
  bool holds(const Lookup& lookup) const;       // the truth of the value, as Python has it
  int64_t integer(const Lookup& lookup) const;  // a float is taken when it is a whole number
  double real(const Lookup& lookup) const;
  // A list of at most `most` values; anything else fails.
  std::vector<Value> list(const Lookup& lookup, size_t most) const;

 private:
  friend class FormulaParser;
  std::string text_;
  std::vector<std::string> names_;
  std::unique_ptr<FormulaNode> root_;
};

}  // namespace netcl::tune
