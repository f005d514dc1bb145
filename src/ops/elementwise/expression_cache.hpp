// Expressions that ops name: by their text, or by an operator with its parameters. Each is parsed
// once and then kept.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "expression/tree.hpp"

namespace netcl::ops {

class ExpressionCache {
 public:
  using TreeRef = std::shared_ptr<const expression::Tree>;

  static ExpressionCache& instance();
  TreeRef get(const char* text);
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
  struct HashOperator {
    size_t operator()(const OperatorKey& key) const noexcept {
      uint64_t hash = key.op * 64 + key.inputs * 4 + key.form;
      hash = (hash ^ key.alpha_bits) * 0x9e3779b97f4a7c15u;
      hash = (hash ^ (hash >> 29) ^ key.beta_bits) * 0xbf58476d1ce4e5b9u;
      return static_cast<size_t>(hash ^ (hash >> 32));
    }
  };
  TreeRef find_operator(const OperatorKey& key);
  TreeRef keep_operator(const OperatorKey& key, TreeRef tree);

  static constexpr size_t kTextsMax = 1024;
  const TreeRef identity_ = expression::parse("v0");
  std::mutex mutex_;
  std::map<std::string, TreeRef, std::less<>> trees_;
  std::unordered_map<OperatorKey, TreeRef, HashOperator> operators_;
};

}  // namespace netcl::ops
