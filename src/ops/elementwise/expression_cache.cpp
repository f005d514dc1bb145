#include "ops/elementwise/expression_cache.hpp"

#include <string_view>

#include "core/process.hpp"

namespace netcl::ops {

ExpressionCache& ExpressionCache::instance() {
  return process().services.get<ExpressionCache>(
      Slot::expression_cache, [] { return std::make_unique<ExpressionCache>(); });
}

ExpressionCache::TreeRef ExpressionCache::get(const char* text) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = trees_.find(std::string_view(text));
    if (found != trees_.end()) return found->second;
  }
  auto tree = expression::parse(text);
  std::lock_guard<std::mutex> lock(mutex_);
  if (trees_.size() >= kTextsMax) trees_.clear();
  trees_.emplace(text, tree);
  return tree;
}

ExpressionCache::TreeRef ExpressionCache::find_operator(const OperatorKey& key) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = operators_.find(key);
  return found == operators_.end() ? nullptr : found->second;
}

ExpressionCache::TreeRef ExpressionCache::keep_operator(const OperatorKey& key, TreeRef tree) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (operators_.size() >= kTextsMax) operators_.clear();
  // Another thread may have come first; its tree has the compiled forms then.
  return operators_.emplace(key, std::move(tree)).first->second;
}

}  // namespace netcl::ops
