// The valid configurations of a space, numbered in its order, to be picked by number, by content
// and by neighbourhood.
#pragma once

#include <optional>

#include "tune/space.hpp"

namespace netcl::tune {

class Candidates {
 public:
  static constexpr size_t kMost = size_t{1} << 20;

  // Fails with INVALID_ARGUMENT when there are no valid configurations or more than kMost.
  Candidates(const Space& space, const Limits& limits);

  size_t size() const noexcept { return codes_.size(); }
  const std::vector<Space::Parameter>& parameters() const noexcept { return parameters_; }
  Config config(size_t index) const;
  std::optional<size_t> find(const Config& config) const;

  // Which value each parameter has, by its place in the parameter's list.
  std::vector<uint32_t> digits(size_t index) const;
  std::optional<size_t> find(const std::vector<uint32_t>& digits) const;
  // All that differ in one parameter: first those one value away, then the others.
  std::vector<size_t> neighbours(size_t index) const;

  // Changes when a parameter, a value or a constraint changes.
  const std::string& fingerprint() const noexcept { return fingerprint_; }

 private:
  std::vector<Space::Parameter> parameters_;
  std::vector<uint64_t> codes_;  // mixed radix, the first parameter most significant: ascending
  std::string fingerprint_;
};

}  // namespace netcl::tune
