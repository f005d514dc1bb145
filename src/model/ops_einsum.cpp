// Einsum: sums of products, two operands at a time, each pair as a product of matrices.
#include <algorithm>

#include "model/op_table.hpp"
#include "ops/reduce/reduce.hpp"

namespace netcl::model {

namespace {

// A tensor with a letter for each of its axes, none of them twice.
struct Lettered {
  TensorRef tensor;
  std::string letters;

  bool has(char letter) const { return letters.find(letter) != std::string::npos; }
  int64_t extent(char letter) const { return tensor->layout().shape[letters.find(letter)]; }
};

TensorRef ordered(const Lettered& operand, const std::string& letters) {
  std::vector<uint32_t> axes;
  for (const char letter : letters) {
    axes.push_back(static_cast<uint32_t>(operand.letters.find(letter)));
  }
  return graph::permuted(*operand.tensor, axes);
}

// Sums over the axes that nothing else has.
void sum_alone(const Call& call, const std::string& others, Lettered* operand) {
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
  ops::ReduceRequest request;
  request.kind = NETCL_REDUCTION_SUM;
  request.axes = axes;
  request.dtype = operand->tensor->dtype();
  operand->tensor = call.made<ops::reduce>("reduce", *operand->tensor, request);
  operand->letters = left;
}

int64_t extents_of(const Lettered& operand, const std::string& letters) {
  int64_t count = 1;
  for (const char letter : letters) count *= operand.extent(letter);
  return count;
}

// Letters of both that `later` has are a stack of products, those that it has not are summed over.
Lettered joined(const Call& call, const Lettered& a, const Lettered& b, const std::string& later) {
  std::string stack, sums, rows, columns;
  for (const char letter : a.letters) {
    const bool kept = later.find(letter) != std::string::npos;
    (!b.has(letter) ? rows : kept ? stack : sums) += letter;
    if (!b.has(letter) || a.extent(letter) == b.extent(letter)) continue;
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%c is %lld in one input and %lld in another", letter,
         static_cast<long long>(a.extent(letter)), static_cast<long long>(b.extent(letter)));
  }
  for (const char letter : b.letters) {
    if (!a.has(letter)) columns += letter;
  }
  const int64_t depth = extents_of(a, sums), count = extents_of(a, stack);
  const int64_t left[3] = {count, extents_of(a, rows), depth};
  const int64_t right[3] = {count, depth, extents_of(b, columns)};
  Lettered made{nullptr, stack + rows + columns};
  std::vector<int64_t> shape;
  for (const char letter : made.letters) {
    shape.push_back(a.has(letter) ? a.extent(letter) : b.extent(letter));
  }
  const TensorRef product =
      matrix_product(call, call.reshaped(ordered(a, stack + rows + sums), left),
                     call.reshaped(ordered(b, stack + sums + columns), right));
  made.tensor = call.reshaped(product, shape);
  return made;
}

// The terms of the inputs, then that of the result; '.' stands for an ellipsis.
struct Equation {
  std::vector<std::string> terms;
  bool told = false;  // what the result is
};

Equation parsed(const std::string& text) {
  Equation equation;
  equation.terms.emplace_back();
  const auto refuse = [&](size_t column) {
    fail(NETCL_ERROR_CORRUPT_DATA, "equation \"%s\" is none, at column %zu", shown(text).c_str(),
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
Lettered without_repeats(const Lettered& operand) {
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
      fail(NETCL_ERROR_INVALID_ARGUMENT, "%c is %lld and %lld in an input of shape %s",
           operand.letters[d], static_cast<long long>(layout.shape[known]),
           static_cast<long long>(from.shape[d]), shape_text(from).c_str());
    }
    layout.strides[known] += from.strides[d];
  }
  made.tensor = graph::with_layout(*operand.tensor, layout);
  return made;
}

// An extent of 1 broadcasts: an axis of which another input has more is none.
void drop_single(const Call& call, std::vector<Lettered>* operands) {
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
    operand = {call.reshaped(operand.tensor, shape), letters};
  }
}

void build_einsum(Call& call) {
  const Equation equation = parsed(call.text("equation", ""));
  std::vector<std::string> terms = equation.terms;
  std::string result = equation.told ? terms.back() : implied_result(terms);
  if (equation.told) terms.pop_back();
  const std::vector<TensorRef> inputs = call.tensors();
  if (inputs.empty() || terms.size() != inputs.size()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "the equation has %zu terms for %zu inputs", terms.size(),
         inputs.size());
  }
  std::vector<Lettered> operands;
  size_t digits = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const uint32_t rank = inputs[i]->layout().rank;
    const std::string letters = with_digits(terms[i], rank);
    if (letters.size() != rank || letters.find('.') != std::string::npos) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "\"%s\" stands for an input of shape %s",
           shown(terms[i]).c_str(), shape_text(*inputs[i]).c_str());
    }
    if (terms[i].find('.') != std::string::npos) {
      digits = std::max(digits, rank + 1 - terms[i].size());
    }
    operands.push_back(without_repeats({inputs[i], letters}));
  }
  result = with_digits(result, result.size() - 1 + digits);
  drop_single(call, &operands);
  Lettered sum;
  for (size_t i = 0; i < operands.size(); ++i) {
    std::string later = result;
    for (size_t k = i + 1; k < operands.size(); ++k) later += operands[k].letters;
    sum_alone(call, i == 0 ? later : later + sum.letters, &operands[i]);
    sum = i == 0 ? operands[i] : joined(call, sum, operands[i], later);
  }
  for (const char letter : result) {
    if (!sum.has(letter)) fail(NETCL_ERROR_INVALID_ARGUMENT, "no input has %c", letter);
  }
  call.give(ordered(sum, result));
}

// Says what is wrong with an equation before anything is allocated.
std::string refuse_einsum(const NodeFacts& node) {
  parsed(node.text("equation", ""));
  return "";
}

constexpr OpRow kEinsumRows[] = {
    {"Einsum", "equation", build_einsum, "", refuse_einsum},
};

}  // namespace

std::span<const OpRow> einsum_rows() { return kEinsumRows; }

}  // namespace netcl::model
