#include "ops/elementwise/elementwise_plan.hpp"

#include <algorithm>

#include "core/small_array.hpp"

namespace netcl::ops {

namespace {

class TypedExpressions final : public expression::TreeCompanion {
 public:
  // `infer` makes the typed tree of a list of dtypes that is not known yet.
  template <class Infer>
  TypedExpressionRef get(std::span<const netcl_dtype> inputs, std::span<const netcl_dtype> results,
                         const Infer& infer) {
    SmallArray<netcl_dtype, 64> dtypes(results.size() + inputs.size());
    std::ranges::copy(inputs, std::ranges::copy(results, dtypes.data()).out);
    const std::string_view key(reinterpret_cast<const char*>(dtypes.data()),
                               sizeof(netcl_dtype) * (results.size() + inputs.size()));
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (const TypedExpressionRef* const known = kept_.find(key)) return *known;
    }
    auto typed = std::make_shared<const TypedExpression>(infer());
    const std::lock_guard<std::mutex> lock(mutex_);
    return kept_.insert(std::string(key), std::move(typed));
  }

 private:
  std::mutex mutex_;
  LruCache<std::string, TypedExpressionRef> kept_{256};
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
