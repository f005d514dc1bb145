// Strategies propose which configuration to try next. They see costs only, and the same seed and
// costs give the same proposals.
#pragma once

#include <memory>
#include <optional>

#include "netcl.h"
#include "tune/candidates.hpp"

namespace netcl::tune {

class Strategy {
 public:
  virtual ~Strategy() = default;
  // The next proposal, which may be one that was tried before; nothing when it has no more.
  virtual std::optional<size_t> next() = 0;
  // The cost of the last proposal, or of one that was tried in its place; infinite when it is not
  // valid. One that finds no memory is told again.
  virtual void report(size_t place, double cost) = 0;
};

// AUTO is exhaustive for up to kExhaustiveMost configurations, all of which may be tried, else
// genetic. `evaluations`: how many may be tried, 0 for any number.
inline constexpr size_t kExhaustiveMost = 256;
netcl_search_strategy resolve_strategy(netcl_search_strategy strategy, const Candidates& candidates,
                                       uint64_t evaluations);
// `start` is where a search begins that has to begin somewhere, `strategy` is no longer AUTO.
// `candidates` must outlive it.
std::unique_ptr<Strategy> make_strategy(netcl_search_strategy strategy,
                                        const Candidates& candidates, size_t start, uint64_t seed);

}  // namespace netcl::tune
