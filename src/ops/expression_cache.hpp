// Parsed expressions by text, so that an op given as text is parsed once.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "expression/tree.hpp"

namespace netcl::ops {

class ExpressionCache {
 public:
  static ExpressionCache& instance();
  std::shared_ptr<const expression::Tree> get(const char* text);

 private:
  static constexpr size_t kTextsMax = 1024;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const expression::Tree>, std::less<>> trees_;
};

}  // namespace netcl::ops
