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
    if (const TreeRef* known = trees_.find(std::string_view(text))) return *known;
  }
  TreeRef tree = expression::parse(text);
  std::string key = text;
  const uint64_t bytes =
      key.size() + tree->text().size() + tree->nodes().size() * sizeof(expression::Node);
  std::lock_guard<std::mutex> lock(mutex_);
  // Another thread may have come first; its tree has the compiled forms then.
  return trees_.insert(std::move(key), std::move(tree), bytes);
}

ExpressionCache::TreeRef ExpressionCache::find_operator(const OperatorKey& key) {
  std::lock_guard<std::mutex> lock(mutex_);
  const TreeRef* known = operators_.find(key);
  return known == nullptr ? nullptr : *known;
}

ExpressionCache::TreeRef ExpressionCache::keep_operator(const OperatorKey& key, TreeRef tree) {
  std::lock_guard<std::mutex> lock(mutex_);
  return operators_.insert(key, std::move(tree));
}

}  // namespace netcl::ops
