#include "ops/elementwise/elementwise_plan.hpp"

#include <algorithm>

namespace netcl::ops {

namespace {

// Found trees are only ever added, so readers follow the lists without a lock. An expression that
// meets more lists of dtypes than this types further ones anew each time.
class TypedExpressions final : public expression::TreeCompanion {
 public:
  ~TypedExpressions() override {
    for (std::atomic<Entry*>& list : lists_) {
      for (Entry* entry = list.load(); entry != nullptr;) {
        Entry* const next = entry->next;
        delete entry;
        entry = next;
      }
    }
  }

  // `infer` makes the typed tree of a list of dtypes that is not known yet.
  template <class Infer>
  TypedExpressionRef get(std::span<const netcl_dtype> inputs, std::span<const netcl_dtype> results,
                         const Infer& infer) {
    auto hash = static_cast<uint32_t>(inputs.size());
    for (const netcl_dtype dtype : results) hash = hash * 31 + static_cast<uint32_t>(dtype);
    for (const netcl_dtype dtype : inputs) hash = hash * 31 + static_cast<uint32_t>(dtype);
    std::atomic<Entry*>& list = lists_[hash % kLists];
    if (const Entry* known = find(list.load(std::memory_order_acquire), inputs, results)) {
      return known->typed;
    }
    auto made = std::make_unique<Entry>();
    made->inputs.assign(inputs.begin(), inputs.end());
    made->results.assign(results.begin(), results.end());
    made->typed = std::make_shared<TypedExpression>(infer());
    const TypedExpressionRef typed = made->typed;
    if (entries_.fetch_add(1, std::memory_order_relaxed) >= kEntriesMax) {
      entries_.fetch_sub(1, std::memory_order_relaxed);
      return typed;
    }
    // Two threads may add the same tree; the second one is just never found.
    made->next = list.load(std::memory_order_relaxed);
    while (!list.compare_exchange_weak(made->next, made.get(), std::memory_order_release)) {
    }
    made.release();
    return typed;
  }

 private:
  struct Entry {
    Entry* next = nullptr;
    std::vector<netcl_dtype> inputs;
    std::vector<netcl_dtype> results;
    TypedExpressionRef typed;
  };

  static const Entry* find(const Entry* entry, std::span<const netcl_dtype> inputs,
                           std::span<const netcl_dtype> results) {
    for (; entry != nullptr; entry = entry->next) {
      if (std::ranges::equal(entry->results, results) &&
          std::ranges::equal(entry->inputs, inputs)) {
        return entry;
      }
    }
    return nullptr;
  }

  static constexpr size_t kLists = 32;
  static constexpr int kEntriesMax = 256;
  std::array<std::atomic<Entry*>, kLists> lists_{};
  std::atomic<int> entries_{0};
};

}  // namespace

WalkRef TypedExpression::find(const WalkKey& key, std::shared_ptr<backend::Kernel>* kernel) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const WalkRef* const walk = walks_.find(key);
  if (walk == nullptr) return nullptr;
  if ((*walk)->evaluation != nullptr) return *walk;
  *kernel = (*walk)->kernel.lock();
  return *kernel == nullptr ? nullptr : *walk;
}

void TypedExpression::keep(WalkRef walk) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  WalkRef& place = walks_.insert(walk->key, nullptr);
  place = std::move(walk);
}

TypedExpressionRef typed_expression(const expression::Tree& tree, const netcl_dtype* inputs,
                                    uint32_t count, netcl_dtype result) {
  return tree.companion<TypedExpressions>().get({inputs, count}, {&result, 1},
                                                [&] { return infer(tree, inputs, count, result); });
}

TypedExpressionRef typed_expressions(const expression::Trees& trees, const netcl_dtype* inputs,
                                     uint32_t count, std::span<const netcl_dtype> results) {
  return trees.companion<TypedExpressions>().get(
      {inputs, count}, results, [&] { return infer(trees, inputs, count, results); });
}

}  // namespace netcl::ops
