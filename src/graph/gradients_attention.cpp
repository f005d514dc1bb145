// The gradient of attention: that of the calls that it stands for, which have all scores in memory.
#include <algorithm>
#include <cmath>

#include "core/dtype.hpp"
#include "core/number.hpp"
#include "graph/made_again.hpp"
#include "graph/op_gradients.hpp"
#include "graph/rule.hpp"

namespace netcl::graph {

namespace {

// Attention by products and a softmax. Its inputs are q, k, v and, where there is one, the bias.
class WholeScores {
 public:
  WholeScores(const ops::AttentionSettings& settings, const Layout& q, const Layout& k,
              const Layout& v, const Caller& caller)
      : settings_(settings),
        caller_(caller),
        batch_(q.shape[0]),
        heads_(q.shape[1]),
        rows_(q.shape[2]),
        size_(q.shape[3]),
        kv_heads_(k.shape[1]),
        keys_(k.shape[2]),
        value_size_(v.shape[3]) {}

  std::vector<TensorRef> make(std::span<const TensorRef> inputs) const {
    const netcl_dtype dtype = inputs[0]->dtype();
    const netcl_dtype wide = dtype == NETCL_F64 ? NETCL_F64 : NETCL_F32;
    TensorRef scores = product(inputs, wide);
    if (settings_.softcap > 0) {
      const std::string cap = literal(settings_.softcap);
      const std::string text = cap + " * tanh(v0 / " + cap + ")";
      scores = formula_of(text, {scores}, wide);
    }
    if (inputs.size() > 3) scores = formula_of("v0 + v1", {scores, inputs[3]}, wide);
    const TensorRef seen = seen_of(scores, inputs.size() > 3);
    // A row without any key is NaN until its weights, and their gradients, are chosen to be 0.
    if (seen != nullptr) scores = formula_of("v1 ? v0 : -inf", {scores, seen}, wide);
    TensorRef weights =
        recorded<ops::softmax>(caller_, "softmax", TensorRef(), *scores, int32_t{3}, false);
    if (seen != nullptr) weights = formula_of("v1 ? v0 : 0", {weights, seen}, wide);
    const TensorRef values = grouped(*widened(inputs[2], wide), kv_heads_, keys_, value_size_, 1);
    const TensorRef sums =
        recorded<ops::matmul>(caller_, "matmul", TensorRef(),
                              *grouped(*weights, kv_heads_, rows_, keys_, heads_ / kv_heads_),
                              *values, ops::MatmulParameters());
    TensorRef result = flat(*sums, value_size_);
    if (wide != dtype) result = recorded<ops::cast>(caller_, "cast", TensorRef(), *result, dtype);
    static constexpr int32_t kLast[1] = {3};
    ops::ReduceRequest request;
    request.kind = NETCL_REDUCTION_LOG_SUM_EXP;
    request.axes = kLast;
    return {result, recorded<ops::reduce>(caller_, "reduce", TensorRef(), *scores, request)};
  }

 private:
  TensorRef formula_of(const std::string& text, std::initializer_list<TensorRef> inputs,
                       netcl_dtype dtype) const {
    return recorded_formula(caller_, text.c_str(), inputs, dtype);
  }
  // A packed copy, in the dtype that is computed in.
  TensorRef widened(const TensorRef& tensor, netcl_dtype wide) const {
    return recorded<ops::cast>(caller_, "cast", TensorRef(), *tensor, wide);
  }
  static TensorRef shaped(const Tensor& packed, std::initializer_list<int64_t> shape) {
    Layout layout = packed_layout(static_cast<uint32_t>(shape.size()), shape.begin());
    layout.offset = packed.layout().offset;
    return with_layout(packed, layout);
  }
  // [batch, groups, in each, rows, columns] of what is packed.
  TensorRef grouped(const Tensor& packed, int64_t groups, int64_t rows, int64_t columns,
                    int64_t in_each) const {
    return shaped(packed, {batch_, groups, in_each, rows, columns});
  }
  TensorRef flat(const Tensor& packed, int64_t columns) const {
    return shaped(packed, {batch_, heads_, rows_, columns});
  }

  TensorRef product(std::span<const TensorRef> inputs, netcl_dtype wide) const {
    const TensorRef q =
        grouped(*widened(inputs[0], wide), kv_heads_, rows_, size_, heads_ / kv_heads_);
    const TensorRef k = grouped(*widened(inputs[1], wide), kv_heads_, keys_, size_, 1);
    ops::MatmulParameters parameters;
    parameters.alpha =
        settings_.has_scale ? settings_.scale : 1.0 / std::sqrt(static_cast<double>(size_));
    return flat(*recorded<ops::matmul>(caller_, "matmul", TensorRef(), *q, *transposed(*k),
                                       parameters),
                keys_);
  }

  // 0, 1 ... along one of the two last axes.
  TensorRef counted(int64_t count, uint32_t axis) const {
    const TensorRef ones = ops::new_tensor(NETCL_I64, 1, &count, caller_.run);
    recorded_formula(caller_, "1", {}, NETCL_I64, ones);
    const TensorRef places =
        recorded<ops::scan>(caller_, "scan", TensorRef(), *ones,
                            netcl_reduction{NETCL_REDUCTION_SUM}, int32_t{0}, true, false);
    return along_axis(*places, 2, axis);
  }

  // What each query sees, bool; null when that is all.
  TensorRef seen_of(const TensorRef& scores, bool biased) const {
    TensorRef seen = settings_.mask;
    const auto also = [&](const TensorRef& more) {
      seen = seen == nullptr ? more : formula_of("v0 && v1", {seen, more}, NETCL_BOOL);
    };
    // -inf of a bias; not the lowest number, which other libraries' masks have.
    if (biased) also(formula_of("v0 != -inf", {scores}, NETCL_BOOL));
    if (settings_.before < 0 && settings_.after < 0) return seen;
    const int64_t position = settings_.has_position ? settings_.position : keys_ - rows_;
    const auto limit = [&](int64_t place) {
      return number_text(std::clamp(place, -rows_ - 1, keys_ + 1));
    };
    const TensorRef row = counted(rows_, 0), key = counted(keys_, 1);
    if (settings_.before >= 0) {
      also(formula_of("v1 - v0 >= (" + limit(position - settings_.before) + ")", {row, key},
                      NETCL_BOOL));
    }
    if (settings_.after >= 0) {
      also(formula_of("v1 - v0 <= (" + limit(position + settings_.after) + ")", {row, key},
                      NETCL_BOOL));
    }
    return seen;
  }

  const ops::AttentionSettings& settings_;
  const Caller& caller_;
  const int64_t batch_, heads_, rows_, size_, kv_heads_, keys_, value_size_;
};

void refuse_lengths(const Backward& backward, const ops::AttentionSettings& settings) {
  if (settings.block_table != nullptr) {
    backward.fail_without_derivative("options->block_table is set");
  }
  if (settings.key_lengths != nullptr) {
    backward.fail_without_derivative("options->key_lengths is set");
  }
  if (settings.query_lengths != nullptr) {
    backward.fail_without_derivative("options->query_lengths is set");
  }
}

}  // namespace

void attention_gradients(Backward& backward, const TensorRef& q, const TensorRef& k,
                         const TensorRef& v, const ops::AttentionSettings& settings, bool) {
  std::vector<TensorRef> inputs = {q, k, v};
  if (settings.bias != nullptr) inputs.push_back(settings.bias);
  uint64_t wanted = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (backward.wants(inputs[i])) wanted |= uint64_t{1} << i;
  }
  if (wanted == 0) return;
  refuse_lengths(backward, settings);
  for (const TensorRef& input : inputs) backward.check(*input);
  if (settings.mask != nullptr) backward.check(*settings.mask);
  if (k->empty()) return;  // without keys the results are constants
  const TensorRef seeds[] = {backward.grad(0), backward.grad(1)};
  const std::vector<TensorRef> made = gradients_made_again(
      backward.caller(), inputs, wanted, seeds,
      [&](std::span<const TensorRef> own, const Caller& caller) -> std::vector<TensorRef> {
        return WholeScores(settings, q->layout(), k->layout(), v->layout(), caller).make(own);
      });
  for (size_t i = 0; i < made.size(); ++i) {
    if (made[i] != nullptr) backward.add(inputs[i], made[i]);
  }
}

}  // namespace netcl::graph
