#include <algorithm>
#include <cmath>

#include "tune/strategy_makers.hpp"
#include "tune/surrogate.hpp"

namespace netcl::tune {

namespace {

using timing::Random;

// A population whose better half has children: uniform crossover and mutation for some, others are
// one of the best with a few changes (a memetic algorithm: what is good is improved on the spot).
// Of many children the most promising is born. Where nothing better comes for a while, a descent
// from somewhere else brings in news: its steps join the population.
class Genetic final : public Strategy {
 public:
  Genetic(const Candidates& candidates, size_t start, uint64_t seed)
      : candidates_(candidates), random_(seed), surrogate_(candidates) {
    members_.reserve(kPopulation + 1);
    pending_.push_back(start);
    while (pending_.size() < kPopulation) pending_.push_back(candidates.random(&random_));
  }

  std::optional<size_t> next() override {
    if (!pending_.empty()) {
      const size_t proposal = pending_.back();
      pending_.pop_back();
      return proposal;
    }
    if (!descends_ && stale_ >= kStaleMost) descend();
    if (descends_) {
      const SameDraws draws(&random_);
      if (const auto step = next_step()) return step;
      descends_ = false;
      stale_ = kStaleMost - kRest;
    }
    const SameDraws draws(&random_);
    return child();
  }
  void report(size_t place, double cost) override {
    const bool step = descends_ && (cost < here_cost_ || !began_);
    std::vector<size_t> around;
    if (step) around = candidates_.neighbours(place);
    surrogate_.add(place, cost);
    enter({cost, place});
    ++stale_;
    if (cost < best_cost_ * (1.0 - kNews)) {
      best_cost_ = cost;
      stale_ = 0;
    }
    if (!descends_) return;
    ++misses_;
    if (step) {
      began_ = true;
      misses_ = 0;
      here_cost_ = cost;
      neighbours_ = std::move(around);
    }
  }

 private:
  static constexpr size_t kPopulation = 16;
  static constexpr size_t kElite = 4;
  static constexpr int kAttempts = 16;
  static constexpr int kChildren = 50;  // of which one is born
  static constexpr double kChosen = 0.7, kWild = 0.05;
  static constexpr double kNews = 1e-3;
  // Proposals without news before a descent, and between two; those in vain that end a descent.
  static constexpr size_t kStaleMost = 16, kRest = 4, kMissesMost = 5;
  // Neighbours of which one is chosen: those in front stand nearest.
  static constexpr size_t kLooksMost = 1024;
  struct Member {
    double cost;
    size_t place;
  };

  // Sorted, each place once, and no more than the population has.
  void enter(const Member& member) {
    const auto before = [](const Member& a, const Member& b) {
      return a.cost != b.cost ? a.cost < b.cost : a.place < b.place;
    };
    const auto at = std::lower_bound(members_.begin(), members_.end(), member, before);
    const auto same = [&](const Member& other) { return other.place == member.place; };
    if (std::any_of(members_.begin(), members_.end(), same)) return;
    members_.insert(at, member);
    if (members_.size() > kPopulation) members_.pop_back();
  }
  size_t parent(size_t among) {
    const size_t count = std::min(among, members_.size());
    const size_t a = random_.below(count), b = random_.below(count);
    return members_[std::min(a, b)].place;  // the better of two
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
  // One that was not tried yet, if chance allows.
  std::optional<size_t> conceived() {
    for (int i = 0; i < kAttempts; ++i) {
      const auto found = random_.below(2) == 0
                             ? crossed()
                             : changed(candidates_, parent(kElite), 1 + random_.below(2), &random_);
      if (found && !surrogate_.knows(*found)) return found;
    }
    return std::nullopt;
  }
  size_t child() {
    const int count = random_.uniform() < kChosen ? kChildren : 1;
    std::optional<size_t> chosen;
    double most = 0.0;
    for (int i = 0, failures = 0; i < count && failures < 3; ++i) {
      const bool wild = random_.uniform() < kWild;
      const auto found = wild ? std::optional(candidates_.random(&random_)) : conceived();
      if (!found || surrogate_.knows(*found)) {
        ++failures;
        continue;
      }
      const double gain = count > 1 ? surrogate_.improvement(*found, best_cost_) : 0.0;
      if (chosen && gain <= most) continue;
      chosen = found;
      most = gain;
    }
    return chosen ? *chosen : candidates_.random(&random_);
  }

  void descend() {
    descends_ = true;
    began_ = false;
    misses_ = 0;
    here_cost_ = INFINITY;
    neighbours_.clear();
  }
  // The most promising neighbour, or where it begins; nothing when the descent is over.
  std::optional<size_t> next_step() {
    if (!began_) {
      for (int i = 0; i < kAttempts; ++i) {
        const size_t place = candidates_.random(&random_);
        if (!surrogate_.knows(place)) return place;
      }
      return std::nullopt;
    }
    if (misses_ >= kMissesMost) return std::nullopt;
    std::optional<size_t> chosen;
    double most = 0.0;
    size_t looks = 0;
    for (const size_t place : neighbours_) {
      if (surrogate_.knows(place)) continue;
      if (++looks > kLooksMost) break;
      const double gain = surrogate_.improvement(place, here_cost_);
      if (chosen && gain <= most) continue;
      chosen = place;
      most = gain;
    }
    return chosen;
  }

  const Candidates& candidates_;
  Random random_;
  Surrogate surrogate_;
  std::vector<size_t> pending_;
  std::vector<Member> members_;
  double best_cost_ = INFINITY;
  size_t stale_ = 0;
  bool descends_ = false, began_ = false;
  size_t misses_ = 0;
  double here_cost_ = INFINITY;
  std::vector<size_t> neighbours_;
};

}  // namespace

std::unique_ptr<Strategy> make_genetic(const Candidates& candidates, size_t start, uint64_t seed) {
  return std::make_unique<Genetic>(candidates, start, seed);
}

}  // namespace netcl::tune
