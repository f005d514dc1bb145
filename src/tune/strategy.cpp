#include "tune/strategy.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

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

// Moves to the first neighbour that is better; begins anew elsewhere when there is none.
class LocalSearch final : public Strategy {
 public:
  LocalSearch(const Candidates& candidates, size_t start, uint64_t seed)
      : candidates_(candidates), random_(seed), here_(start) {}

  std::optional<size_t> next() override {
    if (!known_) return here_;
    if (pending_.empty()) {
      known_ = false;
      here_ = random_.below(candidates_.size());
      return here_;
    }
    const size_t proposal = pending_.back();
    pending_.pop_back();
    return proposal;
  }
  void report(size_t index, double cost) override {
    if (known_ && !(cost < cost_)) return;
    here_ = index;
    cost_ = cost;
    known_ = true;
    pending_ = candidates_.neighbours(here_);
    shuffle(&pending_, &random_);
  }

 private:
  const Candidates& candidates_;
  Random random_;
  size_t here_;
  double cost_ = INFINITY;
  bool known_ = false;
  std::vector<size_t> pending_;
};

// Takes worse neighbours too, ever more rarely (Kirkpatrick, Gelatt, Vecchi 1983). Temperatures are
// shares of the current cost, so they need no unit.
class Annealing final : public Strategy {
 public:
  Annealing(const Candidates& candidates, size_t start, uint64_t seed)
      : candidates_(candidates), random_(seed), here_(start) {}

  std::optional<size_t> next() override {
    if (!known_) return here_;
    const std::vector<size_t> around = candidates_.neighbours(here_);
    if (around.empty()) return random_.below(candidates_.size());
    return around[random_.below(around.size())];
  }
  void report(size_t index, double cost) override {
    temperature_ = std::max(temperature_ * 0.97, 0.002);
    const double worse = cost_ > 0.0 ? (cost - cost_) / cost_ : cost - cost_;
    if (known_ && cost_ < INFINITY && !(worse <= 0.0) &&
        !(random_.uniform() < std::exp(-worse / temperature_))) {
      return;
    }
    here_ = index;
    cost_ = cost;
    // A start that is not valid is no place to walk from.
    known_ = cost < INFINITY;
    if (!known_) here_ = random_.below(candidates_.size());
  }

 private:
  const Candidates& candidates_;
  Random random_;
  size_t here_;
  double cost_ = INFINITY;
  double temperature_ = 0.5;
  bool known_ = false;
};

// A population whose better half has children: uniform crossover, mutation to a random value.
class Genetic final : public Strategy {
 public:
  Genetic(const Candidates& candidates, size_t start, uint64_t seed)
      : candidates_(candidates), random_(seed) {
    pending_.push_back(start);
    while (pending_.size() < kPopulation) pending_.push_back(random_.below(candidates.size()));
  }

  std::optional<size_t> next() override {
    if (pending_.empty()) breed();
    const size_t proposal = pending_.front();
    pending_.erase(pending_.begin());
    return proposal;
  }
  void report(size_t index, double cost) override { members_.push_back({cost, index}); }

 private:
  static constexpr size_t kPopulation = 16;
  struct Member {
    double cost;
    size_t index;
  };

  size_t parent() {
    const size_t a = random_.below(members_.size()), b = random_.below(members_.size());
    return members_[std::min(a, b)].index;  // they are sorted: the better of two
  }
  void breed() {
    std::stable_sort(members_.begin(), members_.end(), [](const Member& a, const Member& b) {
      return a.cost != b.cost ? a.cost < b.cost : a.index < b.index;
    });
    members_.erase(std::unique(members_.begin(), members_.end(),
                               [](const Member& a, const Member& b) { return a.index == b.index; }),
                   members_.end());
    if (members_.size() > kPopulation) members_.resize(kPopulation);
    const auto& parameters = candidates_.parameters();
    while (pending_.size() < kPopulation) {
      const std::vector<uint32_t> a = candidates_.digits(parent());
      const std::vector<uint32_t> b = candidates_.digits(parent());
      std::vector<uint32_t> child(a.size());
      for (size_t i = 0; i < child.size(); ++i) {
        child[i] = random_.below(2) == 0 ? a[i] : b[i];
        if (random_.uniform() < 1.5 / static_cast<double>(child.size() + 1)) {
          child[i] = static_cast<uint32_t>(random_.below(parameters[i].values.size()));
        }
      }
      const auto found = candidates_.find(child);
      // A child that breaks a constraint makes room for somebody new.
      pending_.push_back(found ? *found : random_.below(candidates_.size()));
    }
  }

  const Candidates& candidates_;
  Random random_;
  std::vector<size_t> pending_;
  std::vector<Member> members_;
};

}  // namespace

netcl_search_strategy resolve_strategy(netcl_search_strategy strategy, size_t size) {
  if (strategy < NETCL_SEARCH_AUTO || strategy > NETCL_SEARCH_GENETIC) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->strategy is %d, which is no netcl_search_strategy",
         strategy);
  }
  if (strategy != NETCL_SEARCH_AUTO) return strategy;
  return size <= kExhaustiveMost ? NETCL_SEARCH_EXHAUSTIVE : NETCL_SEARCH_GENETIC;
}

std::unique_ptr<Strategy> make_strategy(netcl_search_strategy strategy,
                                        const Candidates& candidates, size_t start, uint64_t seed) {
  Random random(seed);
  switch (resolve_strategy(strategy, candidates.size())) {
    case NETCL_SEARCH_RANDOM:
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
