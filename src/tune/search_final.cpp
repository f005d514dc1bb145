// The end of a search: those that may be the best take turns, and ties are decided.
#include <algorithm>
#include <set>

#include "core/wait.hpp"
#include "timing/statistics.hpp"
#include "tune/search.hpp"

namespace netcl::tune {

namespace {

constexpr uint64_t kFinalLeast = 9;
constexpr size_t kFinalists = 8;
// How sure it has to be that the winner differs from the default. One look at many ties must not
// find a difference by chance.
constexpr double kDecision = 0.999;

}  // namespace

bool Search::may_be_best(const Candidate& candidate) const {
  return candidate.outcome == NETCL_OUTCOME_CORRECT && !candidate.samples.empty() &&
         !candidate.same_as &&
         timing::statistics_of(candidate.samples).interval_low <= best_ns_ * options_.drop_factor;
}

void Search::begin_final() {
  std::vector<uint32_t> able;
  for (uint32_t i = 0; i < tried_.size(); ++i) {
    if (tried_[i].settled && may_be_best(tried_[i])) able.push_back(i);
  }
  std::stable_sort(able.begin(), able.end(), [this](uint32_t a, uint32_t b) {
    return time_of(tried_[a]) < time_of(tried_[b]);
  });
  std::set<uint32_t> chosen(able.begin(), able.begin() + std::min(able.size(), kFinalists));
  if (tried_[0].outcome == NETCL_OUTCOME_CORRECT) chosen.insert(0);
  const double median = tried_.empty() ? 0.0 : time_of(tried_[best_]);
  events_.make_room(1);
  finalists_.assign(chosen.begin(), chosen.end());
  phase_ = Phase::final;
  emit(NETCL_SEARCH_EVENT_FINAL, best_, median);
  // One that has nobody to race has won.
  if (finalists_.size() < 2) finish(search_stop_);
}

// In the final each turn counts, since all have equally many.
void Search::take_back(const Turn& turn) noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (phase_ != Phase::final || turns_.size() == turns_.capacity()) return;
  turns_.push_back(turn.candidate);
}

// Between two rounds: whether it is over, who drops out, and the order of the next round.
void Search::end_round() {
  if (finalists_.empty()) return finish(search_stop_);
  uint64_t least = UINT64_MAX;
  uint32_t leader = finalists_[0];
  for (const uint32_t index : finalists_) {
    least = std::min<uint64_t>(least, tried_[index].finals.size());
    if (least > 0 && time_of(tried_[index]) < time_of(tried_[leader])) leader = index;
  }
  bool clear = least >= kFinalLeast;
  if (clear) {
    std::vector<uint32_t> left;
    for (const uint32_t index : finalists_) {
      netcl_comparison comparison = NETCL_COMPARISON_INIT;
      timing::compare_samples(tried_[index].finals, tried_[leader].finals, kDecision,
                              options_.precision, options_.seed, &comparison);
      const bool loses = index != leader && comparison.interval_low > 1.0 + options_.precision;
      if (!loses) left.push_back(index);
      clear = clear && (index == leader || loses || comparison.verdict == NETCL_VERDICT_SAME);
    }
    finalists_ = std::move(left);
  }
  const bool late = options_.budget_ns != 0 && elapsed_ns() >= options_.budget_ns;
  if (clear || finalists_.size() < 2 || least >= options_.samples || late) {
    const bool told_apart = clear || finalists_.size() < 2;
    return finish(late && !told_apart                                  ? NETCL_STOP_BUDGET
                  : search_stop_ == NETCL_STOP_EXHAUSTED && told_apart ? NETCL_STOP_CONFIDENCE
                                                                       : search_stop_);
  }
  turns_ = finalists_;
  for (size_t left = turns_.size(); left > 1; --left) {
    std::swap(turns_[left - 1], turns_[random_.below(left)]);
  }
}

void Search::finish(netcl_stop_reason stop) {
  ending_ = stop;  // which the next ask comes back to where there is no memory
  decide();
  const double median = winner_ < tried_.size() ? time_of(tried_[winner_]) : 0.0;
  events_.make_room(1);
  stop_ = stop;
  phase_ = Phase::over;
  end_ns_ = monotonic_ns();
  emit(NETCL_SEARCH_EVENT_STOPPED, winner_, median);
  events_.close();
}

void Search::decide() {
  winner_ = best_;
  if (counts_[NETCL_OUTCOME_CORRECT] == 0) return;
  std::vector<uint32_t> runners;
  for (const uint32_t index : finalists_) {
    if (!tried_[index].finals.empty()) runners.push_back(index);
  }
  if (runners.empty()) runners = {best_};
  uint32_t leader = runners[0];
  for (const uint32_t index : runners) {
    if (time_of(tried_[index]) < time_of(tried_[leader])) leader = index;
  }
  const auto samples_of = [this](uint32_t index) -> const std::vector<double>& {
    const Candidate& candidate = tried_[index];
    return candidate.finals.empty() ? candidate.samples : candidate.finals;
  };
  const auto compare = [&](uint32_t first, uint32_t second) {
    netcl_comparison comparison = NETCL_COMPARISON_INIT;
    timing::compare_samples(samples_of(first), samples_of(second), kDecision, options_.precision,
                            options_.seed, &comparison);
    return comparison;
  };
  winner_ = leader;
  // The default counts whether it was in the final or not: nothing wins that is not surely faster.
  if (leader != 0 && tried_[0].outcome == NETCL_OUTCOME_CORRECT &&
      compare(0, leader).interval_low <= 1.0 + options_.precision) {
    winner_ = 0;
  }
  tie_ = winner_ != leader;
  // Of the same program under several names the first one wins.
  const uint32_t first = tried_[winner_].first;
  if (first != winner_) tried_[first].finals = tried_[winner_].finals;
  winner_ = first;
  best_ns_ = time_of(tried_[winner_]);
  best_ = winner_;
  if (winner_ != 0 && tried_[0].outcome == NETCL_OUTCOME_CORRECT) {
    const netcl_comparison comparison = compare(0, winner_);
    gain_ = comparison.ratio;
    gain_low_ = comparison.interval_low;
    gain_high_ = comparison.interval_high;
  }
}

}  // namespace netcl::tune
