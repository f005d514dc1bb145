// Work sizes by formulas: how many items a configuration is launched with, and in which groups.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tune/formula.hpp"

namespace netcl::tune {

// Up to three extents with commas between them. Empty: there are no formulas.
class SizeFormulas {
 public:
  static constexpr size_t kMost = 3;

  SizeFormulas() = default;
  // Fails with INVALID_ARGUMENT naming `name`, the extent and what is wrong with it.
  SizeFormulas(const char* name, std::string_view text);
  SizeFormulas copy() const { return SizeFormulas(name_, text_); }

  bool empty() const noexcept { return extents_.empty(); }
  size_t size() const noexcept { return extents_.size(); }
  const std::string& text() const noexcept { return text_; }
  // The names that the extents depend on, each once for each extent.
  std::vector<std::string> names() const;

  // The first `rank` extents; what lies beyond has to be 1. Fails with INVALID_ARGUMENT naming the
  // formula, its value and those of its names.
  void evaluate(const SpaceFormula::Lookup& lookup, uint32_t rank, uint64_t* extents) const;
  // "global_size \"n / TX\" is 100 with n = 800, TX = 8"
  std::string value_text(const SpaceFormula::Lookup& lookup, size_t extent, uint64_t value) const;

 private:
  std::string formula_text(size_t extent) const;

  const char* name_ = "";
  std::string text_;
  std::vector<SpaceFormula> extents_;
};

}  // namespace netcl::tune
