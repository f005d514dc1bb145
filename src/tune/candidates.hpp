// The valid configurations of a space, to be picked by number, by content, by neighbourhood and at
// random. A place stands for one: their numbers ascend in the order of the space.
#pragma once

#include <optional>

#include "timing/split_mix.hpp"
#include "tune/space.hpp"

namespace netcl::tune {

// Changes when a parameter, a value, a constraint or a work size changes.
std::string fingerprint_of(const Space& space);

class Candidates {
 public:
  // Up to so many valid configurations are listed. Of more, each is made when it is asked for.
  static constexpr size_t kListedMost = size_t{1} << 20;

  // Fails with INVALID_ARGUMENT when there is no valid configuration, and when none is found.
  Candidates(const Space& space, const Limits& limits);
  // These and no others, whatever the constraints of the space. Fails with INVALID_ARGUMENT for one
  // that is not made of its values, and when there is none.
  Candidates(const Space& space, const std::vector<Config>& listed);
  ~Candidates();

  // Valid configurations: an estimate when they are too many to be counted.
  size_t size() const noexcept { return size_; }
  // Whether places are the numbers from 0 to size() - 1.
  bool listed() const noexcept { return large_ == nullptr; }
  const std::vector<Space::Parameter>& parameters() const noexcept { return parameters_; }
  Config config(size_t place) const;
  std::optional<size_t> find(const Config& config) const;

  // Which value each parameter has, by its place in the parameter's list.
  std::vector<uint32_t> digits(size_t place) const;
  std::optional<size_t> find(const std::vector<uint32_t>& digits) const;
  // All that differ in one parameter: first those one value away, then the others.
  std::vector<size_t> neighbours(size_t place) const;
  // The first in the order of the space; of more than are listed, one of the first.
  size_t first() const;
  // Any of them, each as likely as the others where they can be counted.
  size_t random(timing::Random* random) const;

  const std::string& fingerprint() const noexcept { return fingerprint_; }

 private:
  struct Large;
  using Digits = std::vector<uint32_t>;

  void begin(const Space& space);
  uint64_t code_of(const Digits& digits) const;
  Digits digits_of(uint64_t code) const;
  std::optional<Digits> digits_of(const Config& config) const;
  bool draw(timing::Random* random, size_t tries, Digits* digits) const;

  std::vector<Space::Parameter> parameters_;
  uint64_t product_ = 1;
  size_t size_ = 0;
  std::vector<uint64_t> codes_;  // mixed radix, the first parameter most significant: ascending
  std::unique_ptr<Large> large_;  // places are codes then
  std::string fingerprint_;
};

}  // namespace netcl::tune
