// Einsum: sums of products, two operands at a time, each pair as a product of matrices.
#include <algorithm>

#include "model/op_table.hpp"
#include "ops/matmul/matmul.hpp"
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
  const TensorRef product = call.made<ops::matmul>(
      "matmul", *call.reshaped(ordered(a, stack + rows + sums), left),
      *call.reshaped(ordered(b, stack + sums + columns), right), ops::MatmulParameters{});
  made.tensor = call.reshaped(product, shape);
  return made;
}

// The letters of the inputs, then those of the result.
std::vector<std::string> terms_of(const std::string& equation) {
  std::vector<std::string> terms(1);
  std::string once, twice;
  bool told = false;
  for (size_t i = 0; i < equation.size(); ++i) {
    const char letter = equation[i];
    if (letter == ' ') continue;
    if (letter == ',' || letter == '-') {
      told = letter == '-';
      i += told ? 1 : 0;
      terms.emplace_back();
      continue;
    }
    terms.back() += letter;
    (once.find(letter) == std::string::npos ? once : twice) += letter;
  }
  if (told) return terms;
  // Without one the result has the letters that stand once, in their order.
  std::sort(once.begin(), once.end());
  terms.emplace_back();
  for (const char letter : once) {
    if (twice.find(letter) == std::string::npos) terms.back() += letter;
  }
  return terms;
}

void build_einsum(Call& call) {
  const std::vector<std::string> terms = terms_of(call.text("equation", ""));
  const std::vector<TensorRef> inputs = call.tensors();
  const std::string& result = terms.back();
  if (inputs.empty() || terms.size() != inputs.size() + 1) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "the equation has %zu terms for %zu inputs",
         terms.size() - 1, inputs.size());
  }
  Lettered sum;
  for (size_t i = 0; i < inputs.size(); ++i) {
    Lettered operand{inputs[i], terms[i]};
    if (terms[i].size() != inputs[i]->layout().rank) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "\"%s\" stands for an input of shape %s",
           shown(terms[i]).c_str(), shape_text(*inputs[i]).c_str());
    }
    std::string later = result;
    for (size_t k = i + 1; k < inputs.size(); ++k) later += terms[k];
    sum_alone(call, i == 0 ? later : later + sum.letters, &operand);
    sum = i == 0 ? operand : joined(call, sum, operand, later);
  }
  for (const char letter : result) {
    if (!sum.has(letter)) fail(NETCL_ERROR_INVALID_ARGUMENT, "no input has %c", letter);
  }
  call.give(ordered(sum, result));
}

// Diagonals and ellipses.
std::string refuse_einsum(const NodeFacts& node) {
  for (const std::string& term : terms_of(node.text("equation", ""))) {
    std::string seen;
    for (const char letter : term) {
      if (!(letter >= 'a' && letter <= 'z') && !(letter >= 'A' && letter <= 'Z')) {
        return "an equation of other than letters";
      }
      if (seen.find(letter) != std::string::npos) return "a letter twice in a term";
      seen += letter;
    }
  }
  return "";
}

constexpr OpRow kEinsumRows[] = {
    {"Einsum", "equation", build_einsum, "", refuse_einsum},
};

}  // namespace

std::span<const OpRow> einsum_rows() { return kEinsumRows; }

}  // namespace netcl::model
