// What a search need not measure: programs that were measured under another name, and what earlier
// runs found.
#include "core/error.hpp"
#include "tune/search.hpp"

namespace netcl::tune {

// The candidate that has a configuration, when it was tried.
std::optional<uint32_t> Search::index_of(const Config& config) const {
  if (outside_ != nullptr && !tried_.empty() && config.json() == outside_->json()) return 0;
  const auto place = candidates_.find(config);
  if (!place) return std::nullopt;
  const auto found = of_place_.find(*place);
  if (found == of_place_.end()) return std::nullopt;
  return found->second;
}

void Search::tell_same(uint32_t index, const Config& measured) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = index_of(measured);
  if (index >= tried_.size() || !found) {
    fail(NETCL_ERROR_INTERNAL, "candidate %u is the same as one that was not tried", index);
  }
  if (phase_ == Phase::over) return;
  const uint32_t other = *found;
  Candidate& candidate = tried_[index];
  Candidate& original = tried_[other];
  candidate.same_as = other;
  candidate.samples = original.samples;
  candidate.outcome = original.outcome;
  candidate.message = "the same program as " + original.config->json();
  if (!original.message.empty()) candidate.message += ": " + original.message;
  // The default comes before all others.
  if (other != 0 && candidate.place < tried_[original.first].place) original.first = index;
}

// Those that are the same program as a candidate that was sound and failed later fail with it.
void Search::fail_same(uint32_t index) {
  for (Candidate& other : tried_) {
    if (other.same_as != index || other.outcome == tried_[index].outcome) continue;
    other.message += ": " + tried_[index].message;
    --counts_[static_cast<size_t>(other.outcome)];
    ++counts_[static_cast<size_t>(tried_[index].outcome)];
    other.outcome = tried_[index].outcome;
  }
}

bool Search::resume(const Config& config, netcl_outcome outcome, const std::string& message,
                    const std::vector<double>& samples) {
  const auto place = candidates_.find(config);
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!place || begin_ns_ != 0) return false;
  // What was merely slow or cut short says nothing any more.
  if (outcome == NETCL_OUTCOME_CANCELLED || outcome == NETCL_OUTCOME_UNKNOWN ||
      (outcome == NETCL_OUTCOME_CORRECT && samples.empty())) {
    return false;
  }
  Candidate candidate;
  candidate.place = *place;
  candidate.known = true;
  candidate.message = message;
  candidate.samples = samples;
  if (outcome != NETCL_OUTCOME_CORRECT && outcome != NETCL_OUTCOME_SLOW) {
    candidate.outcome = outcome;
  }
  // The default is measured each time: it is what the others are held against.
  if (*place != standard_) resumed_.push_back(std::move(candidate));
  return *place != standard_;
}

}  // namespace netcl::tune
