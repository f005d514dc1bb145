// The strategies that walk through a space, and what they share.
#pragma once

#include <memory>

#include "timing/split_mix.hpp"
#include "tune/strategy.hpp"

namespace netcl::tune {

std::unique_ptr<Strategy> make_local_search(const Candidates& candidates, size_t start,
                                            uint64_t seed);
std::unique_ptr<Strategy> make_annealing(const Candidates& candidates, size_t start, uint64_t seed);
std::unique_ptr<Strategy> make_genetic(const Candidates& candidates, size_t start, uint64_t seed);

// Some configurations from all over the space before a walk begins at the best of them.
inline constexpr size_t kScouts = 16;

// One or more parameters take another value; nothing when that breaks a constraint.
std::optional<size_t> changed(const Candidates& candidates, size_t place, size_t changes,
                              timing::Random* random);

}  // namespace netcl::tune
