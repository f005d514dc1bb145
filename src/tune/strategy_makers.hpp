// The strategies that walk through a space, and what they share.
#pragma once

#include <exception>
#include <memory>

#include "timing/split_mix.hpp"
#include "tune/strategy.hpp"

namespace netcl::tune {

std::unique_ptr<Strategy> make_local_search(const Candidates& candidates, size_t start,
                                            uint64_t seed);
std::unique_ptr<Strategy> make_annealing(const Candidates& candidates, size_t start, uint64_t seed);
std::unique_ptr<Strategy> make_genetic(const Candidates& candidates, size_t start, uint64_t seed);

// In front of draws whose use may find no memory: those that are made again are the same.
class SameDraws {
 public:
  explicit SameDraws(timing::Random* random)
      : random_(random), before_(*random), exceptions_(std::uncaught_exceptions()) {}
  ~SameDraws() {
    if (std::uncaught_exceptions() > exceptions_) *random_ = before_;
  }
  SameDraws(const SameDraws&) = delete;
  SameDraws& operator=(const SameDraws&) = delete;

 private:
  timing::Random* const random_;
  const timing::Random before_;
  const int exceptions_;
};

// Some configurations from all over the space before a walk begins at the best of them.
inline constexpr size_t kScouts = 16;

// One or more parameters take another value; nothing when that breaks a constraint.
std::optional<size_t> changed(const Candidates& candidates, size_t place, size_t changes,
                              timing::Random* random);

}  // namespace netcl::tune
