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
  // The cost of the last proposal; infinite when it is not valid.
  virtual void report(size_t index, double cost) = 0;
};

// `start` is where a search begins that has to begin somewhere. AUTO is exhaustive for up to
// kExhaustiveMost configurations, else genetic. `candidates` must outlive it.
inline constexpr size_t kExhaustiveMost = 256;
netcl_search_strategy resolve_strategy(netcl_search_strategy strategy, size_t size);
std::unique_ptr<Strategy> make_strategy(netcl_search_strategy strategy,
                                        const Candidates& candidates, size_t start, uint64_t seed);

}  // namespace netcl::tune
