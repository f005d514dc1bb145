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

  TypedExpressionRef get(const expression::Tree& tree, const netcl_dtype* inputs, uint32_t count,
                         netcl_dtype result) {
    uint32_t hash = static_cast<uint32_t>(result) + count * 31;
    for (uint32_t i = 0; i < count; ++i) hash = hash * 31 + static_cast<uint32_t>(inputs[i]);
    std::atomic<Entry*>& list = lists_[hash % kLists];
    if (const Entry* known = find(list.load(std::memory_order_acquire), inputs, count, result)) {
      return known->typed;
    }
    auto made = std::make_unique<Entry>();
    made->inputs.assign(inputs, inputs + count);
    made->result = result;
    made->typed = std::make_shared<TypedExpression>(infer(tree, inputs, count, result));
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
    netcl_dtype result = 0;
    TypedExpressionRef typed;
  };

  static const Entry* find(const Entry* entry, const netcl_dtype* inputs, uint32_t count,
                           netcl_dtype result) {
    for (; entry != nullptr; entry = entry->next) {
      if (entry->result == result && entry->inputs.size() == count &&
          std::equal(inputs, inputs + count, entry->inputs.begin())) {
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
  return tree.companion<TypedExpressions>().get(tree, inputs, count, result);
}

}  // namespace netcl::ops
