#include "ops/elementwise/expression_cache.hpp"

#include <cstring>
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
      key.size() + tree->text().size() + tree->nodes().size() * sizeof(expression::TreeNode);
  std::lock_guard<std::mutex> lock(mutex_);
  // Another thread may have come first; its tree has the compiled forms then.
  return trees_.insert(std::move(key), std::move(tree), bytes);
}

ExpressionCache::TreesRef ExpressionCache::get(std::span<const char* const> texts) {
  std::string key;
  for (const char* const text : texts) key.append(text, std::strlen(text) + 1);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (const TreesRef* known = lists_.find(key)) return *known;
  }
  std::vector<TreeRef> list;
  uint64_t bytes = key.size();
  for (size_t k = 0; k < texts.size(); ++k) {
    list.push_back(expression::of_text(k, [&] { return get(texts[k]); }));
    bytes += 2 * list[k]->text().size() + list[k]->nodes().size() * sizeof(expression::TreeNode);
  }
  TreesRef trees = std::make_shared<expression::Trees>(std::move(list));
  std::lock_guard<std::mutex> lock(mutex_);
  return lists_.insert(std::move(key), std::move(trees), bytes);
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
