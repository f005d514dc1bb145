#include "ops/expression_cache.hpp"

#include <string_view>

#include "core/process.hpp"

namespace netcl::ops {

ExpressionCache& ExpressionCache::instance() {
  return process().services.get<ExpressionCache>(
      Slot::expression_cache, [] { return std::make_unique<ExpressionCache>(); });
}

std::shared_ptr<const expression::Tree> ExpressionCache::get(const char* text) {
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

}  // namespace netcl::ops
