#include "graph/einsum.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "graph/matrix_product.hpp"
#include "ops/move/move.hpp"

namespace netcl::graph {

namespace {

// A tensor with a letter for each of its axes, none of them twice.
struct Lettered {
  TensorRef tensor;
  std::string letters;

  bool has(char letter) const { return letters.find(letter) != std::string::npos; }
  int64_t extent(char letter) const { return tensor->layout().shape[letters.find(letter)]; }
  int64_t count(const std::string& some) const {
    int64_t product = 1;
    for (const char letter : some) product *= extent(letter);
    return product;
  }
};
using Operands = std::vector<Lettered>;

// The letters of all operands but two, and those of the result.
std::string letters_beside(const Operands& operands, size_t a, size_t b,
                           const std::string& result) {
  std::string letters = result;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (i != a && i != b) letters += operands[i].letters;
  }
  return letters;
}

TensorRef ordered(const Lettered& operand, const std::string& letters) {
  std::vector<uint32_t> axes;
  for (const char letter : letters) {
    axes.push_back(static_cast<uint32_t>(operand.letters.find(letter)));
  }
  return permuted(*operand.tensor, axes);
}

// Sums over the axes that nothing else has.
void sum_alone(const Caller& caller, const std::string& others, Lettered* operand) {
  std::vector<int32_t> axes;
  std::string left;
  for (size_t d = 0; d < operand->letters.size(); ++d) {
    if (others.find(operand->letters[d]) == std::string::npos) {
      axes.push_back(static_cast<int32_t>(d));
    } else {
      left += operand->letters[d];
    }
  }
  if (axes.empty()) return;
  operand->tensor = summed_over(caller, operand->tensor, axes);
  operand->letters = left;
}

// The axes of a product of two operands: letters of both that `later` has are a stack of products,
// those that it has not are summed over.
struct Contraction {
  std::string stack, sums, rows, columns;

  Contraction(const Lettered& a, const Lettered& b, const std::string& later) {
    for (const char letter : a.letters) {
      const bool kept = later.find(letter) != std::string::npos;
      (!b.has(letter) ? rows : kept ? stack : sums) += letter;
    }
    for (const char letter : b.letters) {
      if (!a.has(letter)) columns += letter;
    }
  }
};

Lettered joined(const Caller& caller, const Lettered& a, const Lettered& b,
                const std::string& later) {
  const Contraction c(a, b, later);
  const int64_t depth = a.count(c.sums), count = a.count(c.stack);
  const int64_t left[3] = {count, a.count(c.rows), depth};
  const int64_t right[3] = {count, depth, b.count(c.columns)};
  Lettered made{nullptr, c.stack + c.rows + c.columns};
  std::vector<int64_t> shape;
  for (const char letter : made.letters) {
    shape.push_back(a.has(letter) ? a.extent(letter) : b.extent(letter));
  }
  const TensorRef product =
      matrix_product(caller, reshaped(caller, ordered(a, c.stack + c.rows + c.sums), left),
                     reshaped(caller, ordered(b, c.stack + c.sums + c.columns), right));
  made.tensor = reshaped(caller, product, shape);
  return made;
}

// The pair whose product has the fewest elements is next, the first of those.
std::pair<size_t, size_t> smallest_pair(const Operands& operands, const std::string& result) {
  std::pair<size_t, size_t> best = {0, 1};
  double fewest = 0;
  for (size_t a = 0; a < operands.size(); ++a) {
    for (size_t b = a + 1; b < operands.size(); ++b) {
      const Contraction c(operands[a], operands[b], letters_beside(operands, a, b, result));
      double elements = 1;
      for (const char letter : c.stack + c.rows) {
        elements *= static_cast<double>(operands[a].extent(letter));
      }
      for (const char letter : c.columns) {
        elements *= static_cast<double>(operands[b].extent(letter));
      }
      if ((a == 0 && b == 1) || elements < fewest) {
        best = {a, b};
        fewest = elements;
      }
    }
  }
  return best;
}

// The axes of an ellipsis are digits, 0 for the last one.
std::string with_digits(const std::string& term, size_t rank) {
  const size_t dot = term.find('.');
  const size_t letters = term.size() - (dot == std::string::npos ? 0 : 1);
  if (dot == std::string::npos || rank < letters) return term;
  std::string digits;
  for (size_t i = rank - letters; i > 0; --i) digits += static_cast<char>('0' + i - 1);
  return term.substr(0, dot) + digits + term.substr(dot + 1);
}

// Without one the result has the axes of ellipses, then the letters that stand once, in their
// order.
std::string implied_result(const std::vector<std::string>& terms) {
  std::string once, twice;
  for (const std::string& term : terms) {
    for (const char letter : term) {
      if (letter != '.') (once.find(letter) == std::string::npos ? once : twice) += letter;
    }
  }
  std::sort(once.begin(), once.end());
  std::string result = ".";
  for (const char letter : once) {
    if (twice.find(letter) == std::string::npos) result += letter;
  }
  return result;
}

// A letter that a term has twice stands for the diagonal.
Lettered without_repeats(const Lettered& operand, size_t index) {
  const Layout& from = operand.tensor->layout();
  Lettered made;
  Layout layout;
  layout.offset = from.offset;
  for (uint32_t d = 0; d < from.rank; ++d) {
    const size_t known = made.letters.find(operand.letters[d]);
    if (known == std::string::npos) {
      made.letters += operand.letters[d];
      layout.shape[layout.rank] = from.shape[d];
      layout.strides[layout.rank++] = from.strides[d];
      continue;
    }
    if (layout.shape[known] != from.shape[d]) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "inputs[%zu] has shape %s, in which %c is %lld and %lld",
           index, shape_text(from).c_str(), operand.letters[d],
           static_cast<long long>(layout.shape[known]), static_cast<long long>(from.shape[d]));
    }
    layout.strides[known] += from.strides[d];
  }
  made.tensor = with_layout(*operand.tensor, layout);
  return made;
}

// An extent of 1 broadcasts: an axis of which another input has more is none.
void drop_single(const Caller& caller, Operands* operands) {
  for (Lettered& operand : *operands) {
    std::string letters;
    std::vector<int64_t> shape;
    for (const char letter : operand.letters) {
      const bool broadcasts =
          operand.extent(letter) == 1 &&
          std::any_of(operands->begin(), operands->end(), [&](const auto& other) {
            return other.has(letter) && other.extent(letter) != 1;
          });
      if (broadcasts) continue;
      letters += letter;
      shape.push_back(operand.extent(letter));
    }
    if (letters.size() == operand.letters.size()) continue;
    operand = {reshaped(caller, operand.tensor, shape), letters};
  }
}

// What messages call an axis.
std::string axis_name(char letter) {
  const bool digit = letter >= '0' && letter <= '9';
  return digit ? format("axis -%d of \"...\"", letter - '0' + 1) : std::string(1, letter);
}

// An axis is as long in all operands that have it, or they do not fit.
void check_extents(const Operands& operands) {
  for (size_t b = 1; b < operands.size(); ++b) {
    for (size_t a = 0; a < b; ++a) {
      for (const char letter : operands[a].letters) {
        if (!operands[b].has(letter) || operands[a].extent(letter) == operands[b].extent(letter)) {
          continue;
        }
        fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %lld in inputs[%zu] and %lld in inputs[%zu]",
             axis_name(letter).c_str(), static_cast<long long>(operands[a].extent(letter)), a,
             static_cast<long long>(operands[b].extent(letter)), b);
      }
    }
  }
}

void check_inputs(const Caller& caller, std::span<const TensorRef> inputs, const TensorRef& into) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string name = format("inputs[%zu]", i);
    if (inputs[i]->dtype() == NETCL_BOOL) {
      fail(NETCL_ERROR_UNSUPPORTED, "%s is bool; sums are of numbers", name.c_str());
    }
    if (inputs[i]->dtype() != inputs[0]->dtype()) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s; inputs[0] is %s", name.c_str(),
           dtype_facts(inputs[i]->dtype()).name, dtype_facts(inputs[0]->dtype()).name);
    }
    // What is recorded may have no memory yet; each op looks for itself then.
    if (caller.graph == nullptr) ops::require_device(*inputs[i], caller.run, name.c_str());
    ops::require_f64(caller.run, inputs[i]->dtype(), name.c_str());
    ops::refuse_sharing(into, *inputs[i], name.c_str());
  }
}

// The operands with their letters, and the letters of the result.
Operands lettered(const Caller& caller, const Equation& equation, std::span<const TensorRef> inputs,
                  std::string* result) {
  std::vector<std::string> terms = equation.terms;
  *result = equation.told ? terms.back() : implied_result(terms);
  if (equation.told) terms.pop_back();
  if (terms.size() != inputs.size()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "the equation has %zu terms for %zu inputs", terms.size(),
         inputs.size());
  }
  Operands operands;
  size_t digits = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const uint32_t rank = inputs[i]->layout().rank;
    const std::string letters = with_digits(terms[i], rank);
    if (letters.size() != rank || letters.find('.') != std::string::npos) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "inputs[%zu] has shape %s; the equation has \"%s\" for it",
           i, shape_text(*inputs[i]).c_str(), terms[i].c_str());
    }
    if (terms[i].find('.') != std::string::npos) {
      digits = std::max(digits, rank + 1 - terms[i].size());
    }
    operands.push_back(without_repeats({inputs[i], letters}, i));
  }
  if (result->find('.') != std::string::npos) {
    *result = with_digits(*result, result->size() - 1 + digits);
  }
  drop_single(caller, &operands);
  check_extents(operands);
  for (const char letter : *result) {
    const auto has = [letter](const Lettered& operand) { return operand.has(letter); };
    if (std::any_of(operands.begin(), operands.end(), has)) continue;
    fail(NETCL_ERROR_INVALID_ARGUMENT, "the result has %c, which no input has", letter);
  }
  return operands;
}

// Fails before any work where the result cannot be a tensor, or not `into`.
void check_result(const Caller& caller, const Operands& operands, const std::string& letters,
                  const TensorRef& into) {
  std::vector<int64_t> shape;
  for (const char letter : letters) {
    const auto one =
        std::find_if(operands.begin(), operands.end(),
                     [letter](const Lettered& operand) { return operand.has(letter); });
    shape.push_back(one->extent(letter));
  }
  if (shape.size() > kRankMax) {
    fail(NETCL_ERROR_UNSUPPORTED, "the result has %zu dimensions; tensors have at most %u",
         shape.size(), kRankMax);
  }
  if (into == nullptr) return;
  ops::result_tensor(into, static_cast<uint32_t>(shape.size()), shape.data(),
                     operands[0].tensor->dtype(), caller.run);
}

}  // namespace

Equation parse_equation(const std::string& text, netcl_status status) {
  Equation equation;
  equation.terms.emplace_back();
  const auto refuse = [&](size_t column) {
    fail(status, "equation %s is none, at column %zu", quoted(text.c_str(), 80).c_str(),
         column + 1);
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    std::string& term = equation.terms.back();
    const bool is_letter = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
    if (letter == ' ') continue;
    if (letter == '-') {
      if (equation.told || text.compare(i, 2, "->") != 0) refuse(i);
      equation.told = true;
      ++i;
      equation.terms.emplace_back();
    } else if (letter == ',') {
      if (equation.told) refuse(i);
      equation.terms.emplace_back();
    } else if (letter == '.') {
      if (text.compare(i, 3, "...") != 0 || term.find('.') != std::string::npos) refuse(i);
      term += '.';
      i += 2;
    } else {
      if (!is_letter || (equation.told && term.find(letter) != std::string::npos)) refuse(i);
      term += letter;
    }
  }
  return equation;
}

TensorRef einsum(const Caller& caller, const Equation& equation, std::span<const TensorRef> inputs,
                 const TensorRef& into) {
  check_inputs(caller, inputs, into);
  std::string result;
  Operands operands = lettered(caller, equation, inputs, &result);
  check_result(caller, operands, result, into);
  for (size_t i = 0; i < operands.size(); ++i) {
    sum_alone(caller, letters_beside(operands, i, i, result), &operands[i]);
  }
  while (operands.size() > 1) {
    const auto [a, b] = smallest_pair(operands, result);
    operands[a] = joined(caller, operands[a], operands[b], letters_beside(operands, a, b, result));
    operands.erase(operands.begin() + static_cast<ptrdiff_t>(b));
  }
  const TensorRef made = ordered(operands[0], result);
  const bool own = std::none_of(inputs.begin(), inputs.end(), [&](const TensorRef& input) {
    return input->buffer() == made->buffer();
  });
  if (into == nullptr && own && made->layout().is_c_contiguous()) return made;
  return recorded<ops::copy>(caller, "copy", into, *made);
}

}  // namespace netcl::graph
