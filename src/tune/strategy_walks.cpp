#include <algorithm>
#include <cmath>

#include "tune/strategy_makers.hpp"
#include "tune/surrogate.hpp"

namespace netcl::tune {

// One or more parameters take another value; nothing when that breaks a constraint, and where there
// is none.
std::optional<size_t> changed(const Candidates& candidates, size_t place, size_t changes,
                              timing::Random* random) {
  const auto& parameters = candidates.parameters();
  std::vector<uint32_t> digits = candidates.digits(place);
  if (digits.empty()) return std::nullopt;
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

namespace {

using timing::Random;

// A cost may be a time of any unit: steps are compared as shares.
double worse_by(double cost, double than) {
  if (than == INFINITY) return cost == INFINITY ? 0.0 : -INFINITY;
  if (cost > 0.0 && than > 0.0) return std::log(cost / than);
  return cost - than;
}

// Moves to the first neighbour that is better, the most promising first. Where there is none it
// goes on near the best of all, from where a few parameters have other values (iterated local
// search), or elsewhere. Further descents are given up where the most promising bring nothing.
class LocalSearch final : public Strategy {
 public:
  LocalSearch(const Candidates& candidates, size_t start, uint64_t seed)
      : candidates_(candidates), random_(seed), surrogate_(candidates), here_(start) {}

  std::optional<size_t> next() override {
    const SameDraws draws(&random_);
    if (scouting()) return scouts_ == 0 ? here_ : candidates_.random(&random_);
    if (pending_.empty() || (leaps_ > 0 && misses_ >= kMissesMost)) return leap();
    const auto promising = [&](size_t a, size_t b) {
      return surrogate_.guess(a) < surrogate_.guess(b);
    };
    const auto looks = static_cast<ptrdiff_t>(std::min(pending_.size(), kLooksMost));
    const auto found = std::min_element(pending_.begin(), pending_.begin() + looks, promising);
    const size_t proposal = *found;
    pending_.erase(found);
    ++misses_;
    return proposal;
  }
  void report(size_t place, double cost) override {
    surrogate_.add(place, cost);
    if (cost < best_cost_ || scouts_ == 0) {
      best_ = place;
      best_cost_ = cost;
      leaps_ = 0;
    }
    if (scouting()) {
      if (scouts_ + 1 == scouts_most()) settle(best_, best_cost_);
      ++scouts_;
      return;
    }
    if (leapt_ || cost < cost_) settle(place, cost);
  }

 private:
  static constexpr size_t kMissesMost = 12;
  // Neighbours of which one is chosen: those in front stand nearest.
  static constexpr size_t kLooksMost = 1024;

  size_t scouts_most() const { return std::min(kScouts, candidates_.size()); }
  bool scouting() const { return scouts_ < scouts_most(); }
  void settle(size_t place, double cost) {
    pending_ = candidates_.neighbours(place);
    std::erase_if(pending_, [&](size_t one) { return surrogate_.knows(one); });
    leapt_ = false;
    misses_ = 0;
    here_ = place;
    cost_ = cost;
  }
  size_t leap_place(size_t leaps) {
    for (int i = 0; leaps % 3 != 0 && i < 32; ++i) {
      const auto found = changed(candidates_, best_, 2 + leaps / 4, &random_);
      if (found && *found != best_) return *found;
    }
    return candidates_.random(&random_);
  }
  size_t leap() {
    const size_t place = leap_place(leaps_ + 1);
    leapt_ = true;
    ++leaps_;
    return place;
  }

  const Candidates& candidates_;
  Random random_;
  Surrogate surrogate_;
  size_t here_;
  double cost_ = INFINITY;
  size_t best_ = 0;
  double best_cost_ = INFINITY;
  size_t scouts_ = 0;
  size_t leaps_ = 0;  // since the best was found
  size_t misses_ = 0;  // neighbours that were no better
  bool leapt_ = false;
  std::vector<size_t> pending_;
};

// Takes worse neighbours too, ever more rarely (Kirkpatrick, Gelatt, Vecchi 1983). It cools in
// cycles, each of which begins warm, at the best so far and elsewhere in turns; so it uses whatever
// it is given to try.
class Annealing final : public Strategy {
 public:
  Annealing(const Candidates& candidates, size_t start, uint64_t seed)
      : candidates_(candidates), random_(seed), surrogate_(candidates), here_(start) {}

  // The most promising of a few neighbours.
  std::optional<size_t> next() override {
    const SameDraws draws(&random_);
    if (scouts_ < std::min(kScouts, candidates_.size())) {
      return scouts_ == 0 ? here_ : candidates_.random(&random_);
    }
    if (elsewhere_) return candidates_.random(&random_);
    std::optional<size_t> chosen;
    double least = INFINITY;
    int choices = 0;
    for (int i = 0; i < 64 && choices < kChoices; ++i) {
      const auto found = changed(candidates_, here_, random_.below(4) == 0 ? 2 : 1, &random_);
      if (!found || *found == here_) continue;
      ++choices;
      // What is known is where the walk goes when there is no news.
      if (surrogate_.knows(*found)) {
        if (!chosen) chosen = found;
        continue;
      }
      const double guess = surrogate_.guess(*found);
      if (guess >= least) continue;
      chosen = found;
      least = guess;
    }
    return chosen ? *chosen : candidates_.random(&random_);
  }
  void report(size_t place, double cost) override {
    const bool fresh = !surrogate_.knows(place);
    surrogate_.add(place, cost);
    if (cost < best_cost_ || scouts_ == 0) {
      best_ = place;
      best_cost_ = cost;
    }
    if (scouts_ < std::min(kScouts, candidates_.size())) {
      if (++scouts_ == std::min(kScouts, candidates_.size())) reheat();
      return;
    }
    const double worse = worse_by(cost, cost_);
    if (elsewhere_ || worse <= 0.0 || random_.uniform() < std::exp(-worse / temperature_)) {
      here_ = place;
      cost_ = cost;
    }
    elsewhere_ = false;
    // What is known already costs nothing, but where all is known there is nothing to find.
    stale_ = fresh ? 0 : stale_ + 1;
    if (fresh) temperature_ *= kCooling;
    if (temperature_ < kCold || stale_ >= kStaleMost) reheat();
  }

 private:
  static constexpr double kWarm = 0.3, kCold = 0.01;
  static constexpr double kCooling = 0.9;  // from warm to cold in 33 steps
  static constexpr size_t kStaleMost = 200;
  static constexpr int kChoices = 3;

  void reheat() {
    temperature_ = kWarm;
    stale_ = 0;
    here_ = best_;
    cost_ = best_cost_;
    elsewhere_ = ++cycles_ % 3 != 1;
  }

  const Candidates& candidates_;
  Random random_;
  Surrogate surrogate_;
  size_t here_;
  double cost_ = INFINITY;
  size_t best_ = 0;
  double best_cost_ = INFINITY;
  double temperature_ = kWarm;
  size_t scouts_ = 0;
  size_t stale_ = 0;  // known ones in a row
  size_t cycles_ = 0;
  bool elsewhere_ = false;  // the next proposal begins a cycle
};

}  // namespace

std::unique_ptr<Strategy> make_local_search(const Candidates& candidates, size_t start,
                                            uint64_t seed) {
  return std::make_unique<LocalSearch>(candidates, start, seed);
}

std::unique_ptr<Strategy> make_annealing(const Candidates& candidates, size_t start,
                                         uint64_t seed) {
  return std::make_unique<Annealing>(candidates, start, seed);
}

}  // namespace netcl::tune
