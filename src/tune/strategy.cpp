#include "tune/strategy.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include "core/error.hpp"
#include "timing/split_mix.hpp"

namespace netcl::tune {

namespace {

using timing::Random;

void shuffle(std::vector<size_t>* items, Random* random) {
  for (size_t left = items->size(); left > 1; --left) {
    std::swap((*items)[left - 1], (*items)[random->below(left)]);
  }
}

// All configurations, in the order of the space or shuffled.
class Listed final : public Strategy {
 public:
  Listed(size_t size, Random* random) : order_(size) {
    std::iota(order_.begin(), order_.end(), size_t{0});
    if (random != nullptr) shuffle(&order_, random);
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
  std::optional<size_t> next() override { return candidates_.random(&random_); }
  void report(size_t, double) override {}

 private:
  const Candidates& candidates_;
  Random random_;
};

// Some configurations from all over the space before a walk begins at the best of them.
constexpr size_t kScouts = 16;
// A cost may be a time of any unit: steps are compared as shares.
double worse_by(double cost, double than) {
  if (than == INFINITY) return cost == INFINITY ? 0.0 : -INFINITY;
  if (cost > 0.0 && than > 0.0) return std::log(cost / than);
  return cost - than;
}

// One or more parameters take another value; nothing when that breaks a constraint.
std::optional<size_t> changed(const Candidates& candidates, size_t place, size_t changes,
                              Random* random) {
  const auto& parameters = candidates.parameters();
  std::vector<uint32_t> digits = candidates.digits(place);
  for (size_t i = 0; i < changes; ++i) {
    const size_t which = random->below(digits.size());
    const auto count = static_cast<uint32_t>(parameters[which].values.size());
    if (count < 2) continue;
    // The value beside it as often as any other.
    const uint32_t step = random->below(2) == 0
                              ? (random->below(2) == 0 ? 1 : count - 1)
                              : 1 + static_cast<uint32_t>(random->below(count - 1));
    digits[which] = (digits[which] + step) % count;
  }
  return candidates.find(digits);
}

// Moves to the first neighbour that is better. Where there is none it goes on near the best of
// all, from where a few parameters have other values (iterated local search), or elsewhere.
class LocalSearch final : public Strategy {
 public:
  LocalSearch(const Candidates& candidates, size_t start, uint64_t seed)
      : candidates_(candidates), random_(seed), here_(start) {}

  std::optional<size_t> next() override {
    if (scouts_ < std::min(kScouts, candidates_.size())) {
      return scouts_ == 0 ? here_ : candidates_.random(&random_);
    }
    if (pending_.empty()) return leap();
    const size_t proposal = pending_.back();
    pending_.pop_back();
    return proposal;
  }
  void report(size_t place, double cost) override {
    if (cost < best_cost_ || scouts_ == 0) {
      best_ = place;
      best_cost_ = cost;
      failures_ = 0;
    }
    if (scouts_ < std::min(kScouts, candidates_.size())) {
      if (++scouts_ == std::min(kScouts, candidates_.size())) settle(best_, best_cost_);
      return;
    }
    if (leapt_ || cost < cost_) settle(place, cost);
  }

 private:
  void settle(size_t place, double cost) {
    leapt_ = false;
    here_ = place;
    cost_ = cost;
    pending_ = candidates_.neighbours(here_);
    shuffle(&pending_, &random_);
  }
  size_t leap() {
    leapt_ = true;
    ++failures_;
    if (failures_ % 4 == 0) return candidates_.random(&random_);
    for (int i = 0; i < 32; ++i) {
      const auto found = changed(candidates_, best_, 2 + failures_ / 4, &random_);
      if (found && *found != best_) return *found;
    }
    return candidates_.random(&random_);
  }

  const Candidates& candidates_;
  Random random_;
  size_t here_;
  double cost_ = INFINITY;
  size_t best_ = 0;
  double best_cost_ = INFINITY;
  size_t scouts_ = 0;
  size_t failures_ = 0;  // leaps since the best was found
  bool leapt_ = false;
  std::vector<size_t> pending_;
};

// Takes worse neighbours too, ever more rarely (Kirkpatrick, Gelatt, Vecchi 1983). It cools in
// cycles, each of which begins warm at the best so far; so it uses whatever it is given to try.
class Annealing final : public Strategy {
 public:
  Annealing(const Candidates& candidates, size_t start, uint64_t seed)
      : candidates_(candidates), random_(seed), here_(start) {}

  std::optional<size_t> next() override {
    if (scouts_ < std::min(kScouts, candidates_.size())) {
      return scouts_ == 0 ? here_ : candidates_.random(&random_);
    }
    for (int i = 0; i < 64; ++i) {
      const auto found = changed(candidates_, here_, random_.below(4) == 0 ? 2 : 1, &random_);
      if (found && *found != here_) return *found;
    }
    return candidates_.random(&random_);
  }
  void report(size_t place, double cost) override {
    const bool fresh = seen_.insert(place).second;
    if (cost < best_cost_ || seen_.size() == 1) {
      best_ = place;
      best_cost_ = cost;
    }
    if (scouts_ < std::min(kScouts, candidates_.size())) {
      if (++scouts_ == std::min(kScouts, candidates_.size())) reheat();
      return;
    }
    const double worse = worse_by(cost, cost_);
    if (worse <= 0.0 || random_.uniform() < std::exp(-worse / temperature_)) {
      here_ = place;
      cost_ = cost;
    }
    // What is known already costs nothing, but where all is known there is nothing to find.
    stale_ = fresh ? 0 : stale_ + 1;
    if (fresh) temperature_ *= kCooling;
    if (temperature_ < kCold || stale_ >= kStaleMost) reheat();
  }

 private:
  static constexpr double kWarm = 0.3, kCold = 0.01;
  static constexpr double kCooling = 0.945;  // from warm to cold in 60 steps
  static constexpr size_t kStaleMost = 200;

  void reheat() {
    temperature_ = kWarm;
    stale_ = 0;
    here_ = best_;
    cost_ = best_cost_;
  }

  const Candidates& candidates_;
  Random random_;
  size_t here_;
  double cost_ = INFINITY;
  size_t best_ = 0;
  double best_cost_ = INFINITY;
  double temperature_ = kWarm;
  size_t scouts_ = 0;
  size_t stale_ = 0;  // known ones in a row
  std::unordered_set<size_t> seen_;
};

// A population whose better half has children: uniform crossover and mutation for some, others are
// one of the best with a few changes (a memetic algorithm: what is good is improved on the spot).
class Genetic final : public Strategy {
 public:
  Genetic(const Candidates& candidates, size_t start, uint64_t seed)
      : candidates_(candidates), random_(seed) {
    pending_.push_back(start);
    while (pending_.size() < kPopulation) pending_.push_back(candidates.random(&random_));
  }

  std::optional<size_t> next() override {
    if (pending_.empty()) breed();
    const size_t proposal = pending_.back();
    pending_.pop_back();
    return proposal;
  }
  void report(size_t place, double cost) override { members_.push_back({cost, place}); }

 private:
  static constexpr size_t kPopulation = 16;
  static constexpr size_t kBrood = 8;
  static constexpr int kAttempts = 16;
  struct Member {
    double cost;
    size_t place;
  };

  size_t parent(size_t among) {
    const size_t count = std::min(among, members_.size());
    const size_t a = random_.below(count), b = random_.below(count);
    return members_[std::min(a, b)].place;  // they are sorted: the better of two
  }
  std::optional<size_t> crossed() {
    const auto& parameters = candidates_.parameters();
    const std::vector<uint32_t> a = candidates_.digits(parent(kPopulation));
    const std::vector<uint32_t> b = candidates_.digits(parent(kPopulation));
    std::vector<uint32_t> child(a.size());
    for (size_t i = 0; i < child.size(); ++i) {
      child[i] = random_.below(2) == 0 ? a[i] : b[i];
      if (random_.uniform() < 1.0 / static_cast<double>(child.size() + 1)) {
        child[i] = static_cast<uint32_t>(random_.below(parameters[i].values.size()));
      }
    }
    return candidates_.find(child);
  }
  // One that was not seen yet, if chance allows.
  size_t child() {
    for (int i = 0; i < kAttempts; ++i) {
      const auto found = random_.below(2) == 0
                             ? crossed()
                             : changed(candidates_, parent(kElite), 1 + random_.below(2), &random_);
      if (found && seen_.insert(*found).second) return *found;
    }
    return candidates_.random(&random_);
  }
  void breed() {
    std::stable_sort(members_.begin(), members_.end(), [](const Member& a, const Member& b) {
      return a.cost != b.cost ? a.cost < b.cost : a.place < b.place;
    });
    members_.erase(std::unique(members_.begin(), members_.end(),
                               [](const Member& a, const Member& b) { return a.place == b.place; }),
                   members_.end());
    if (members_.size() > kPopulation) members_.resize(kPopulation);
    while (pending_.size() < kBrood) pending_.push_back(child());
  }
  static constexpr size_t kElite = 4;

  const Candidates& candidates_;
  Random random_;
  std::vector<size_t> pending_;
  std::vector<Member> members_;
  std::unordered_set<size_t> seen_;
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
      return std::make_unique<LocalSearch>(candidates, start, seed);
    case NETCL_SEARCH_ANNEALING:
      return std::make_unique<Annealing>(candidates, start, seed);
    case NETCL_SEARCH_GENETIC:
      return std::make_unique<Genetic>(candidates, start, seed);
    default:
      return std::make_unique<Listed>(candidates.size(), nullptr);
  }
}

}  // namespace netcl::tune
