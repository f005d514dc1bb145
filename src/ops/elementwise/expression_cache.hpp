// Expressions that ops name: by their text, or by an operator with its parameters. Each is parsed
// once and then kept.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "core/lru.hpp"
#include "expression/trees.hpp"

namespace netcl::ops {

class ExpressionCache {
 public:
  using TreeRef = std::shared_ptr<const expression::Tree>;
  using TreesRef = std::shared_ptr<const expression::Trees>;

  static ExpressionCache& instance();
  TreeRef get(const char* text);
  // Several that are evaluated together. What fails names the text.
  TreesRef get(std::span<const char* const> texts);
  // The expression "v0", which copies and converts.
  const TreeRef& identity() const noexcept { return identity_; }

  // An operator as a caller meets it, in whole numbers.
  struct OperatorKey {
    uint32_t op;
    uint32_t inputs;
    uint32_t form;        // which of its formulas
    uint32_t parameters;  // 1 when alpha and beta count
    uint64_t alpha_bits;
    uint64_t beta_bits;
    bool operator==(const OperatorKey&) const = default;
  };
  // `make` gives the text of an operator that is not known yet.
  template <class Make>
  TreeRef get_operator(const OperatorKey& key, Make make) {
    if (TreeRef known = find_operator(key)) return known;
    return keep_operator(key, expression::parse(make().c_str()));
  }

 private:
  TreeRef find_operator(const OperatorKey& key);
  TreeRef keep_operator(const OperatorKey& key, TreeRef tree);

  static constexpr size_t kTreesMax = 1024;
  static constexpr uint64_t kBytesMax = uint64_t{8} << 20;  // of texts and nodes
  const TreeRef identity_ = expression::parse("v0");
  std::mutex mutex_;
  LruCache<std::string, TreeRef> trees_{kTreesMax, kBytesMax};
  LruCache<std::string, TreesRef> lists_{kTreesMax, kBytesMax};
  LruCache<OperatorKey, TreeRef> operators_{kTreesMax};
};

}  // namespace netcl::ops
