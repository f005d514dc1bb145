#include "tune/strategy.hpp"

#include <algorithm>
#include <numeric>

#include "core/error.hpp"
#include "timing/split_mix.hpp"
#include "tune/strategy_makers.hpp"

namespace netcl::tune {

namespace {

using timing::Random;

// All configurations, in the order of the space or shuffled.
class Listed final : public Strategy {
 public:
  Listed(size_t size, Random* random) : order_(size) {
    std::iota(order_.begin(), order_.end(), size_t{0});
    for (size_t left = size; random != nullptr && left > 1; --left) {
      std::swap(order_[left - 1], order_[random->below(left)]);
    }
  }
  std::optional<size_t> next() override {
    if (at_ == order_.size()) return std::nullopt;
    return order_[at_++];
  }
  void report(size_t, double) override {}

 private:
  std::vector<size_t> order_;
  size_t at_ = 0;
};

// Any configuration of a space that is too large to be listed.
class Drawn final : public Strategy {
 public:
  Drawn(const Candidates& candidates, uint64_t seed) : candidates_(candidates), random_(seed) {}
  std::optional<size_t> next() override {
    const SameDraws draws(&random_);
    return candidates_.random(&random_);
  }
  void report(size_t, double) override {}

 private:
  const Candidates& candidates_;
  Random random_;
};

}  // namespace

netcl_search_strategy resolve_strategy(netcl_search_strategy strategy, const Candidates& candidates,
                                       uint64_t evaluations) {
  const size_t size = candidates.size();
  if (strategy == NETCL_SEARCH_EXHAUSTIVE && !candidates.listed()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->strategy is EXHAUSTIVE, and the space has about %zu valid configurations; the "
         "limit is %zu: take another strategy",
         size, Candidates::kListedMost);
  }
  if (strategy != NETCL_SEARCH_AUTO) return strategy;
  const bool all = size <= kExhaustiveMost && (evaluations == 0 || evaluations >= size);
  return all ? NETCL_SEARCH_EXHAUSTIVE : NETCL_SEARCH_GENETIC;
}

std::unique_ptr<Strategy> make_strategy(netcl_search_strategy strategy,
                                        const Candidates& candidates, size_t start, uint64_t seed) {
  Random random(seed);
  switch (strategy) {
    case NETCL_SEARCH_RANDOM:
      if (!candidates.listed()) return std::make_unique<Drawn>(candidates, seed);
      return std::make_unique<Listed>(candidates.size(), &random);
    case NETCL_SEARCH_LOCAL:
      return make_local_search(candidates, start, seed);
    case NETCL_SEARCH_ANNEALING:
      return make_annealing(candidates, start, seed);
    case NETCL_SEARCH_GENETIC:
      return make_genetic(candidates, start, seed);
    default:
      return std::make_unique<Listed>(candidates.size(), nullptr);
  }
}

}  // namespace netcl::tune
