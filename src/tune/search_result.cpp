// What a search tells about itself.
#include <algorithm>

#include "core/error.hpp"
#include "core/utf8.hpp"
#include "store/record.hpp"
#include "timing/statistics.hpp"
#include "tune/search.hpp"

namespace netcl::tune {

netcl_search_result Search::result() {
  const std::lock_guard<std::mutex> lock(mutex_);
  netcl_search_result result = NETCL_SEARCH_RESULT_INIT;
  result.stop = stop_;
  result.best = phase_ == Phase::over ? winner_ : best_;
  result.configurations = size();
  result.evaluations = evaluations_;
  result.elapsed_ns = elapsed_ns();
  for (const Candidate& candidate : tried_) result.known += candidate.known ? 1 : 0;
  std::copy(counts_.begin(), counts_.end(), result.counts);
  if (counts_[NETCL_OUTCOME_CORRECT] == 0) return result;
  const Candidate& best = tried_[result.best];
  const netcl_statistics statistics =
      timing::statistics_of(best.finals.empty() ? best.samples : best.finals);
  result.median = statistics.median;
  result.interval_low = statistics.interval_low;
  result.interval_high = statistics.interval_high;
  if (tried_[0].outcome == NETCL_OUTCOME_CORRECT) result.default_median = time_of(tried_[0]);
  result.gain = gain_;
  result.gain_low = gain_low_;
  result.gain_high = gain_high_;
  result.is_default = result.best == 0 ? 1 : 0;
  result.tie = tie_ ? 1 : 0;
  return result;
}

std::string Search::counts_text() const {
  std::string text;
  for (size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] == 0) continue;
    text +=
        (text.empty() ? "" : ", ") + format("%llu %s", static_cast<unsigned long long>(counts_[i]),
                                            store::outcome_name(static_cast<netcl_outcome>(i)));
    if (!first_message_[i].empty()) {
      text += " (first: " + std::string(utf8_prefix(first_message_[i], 160)) + ")";
    }
  }
  return text.empty() ? "nothing was tried" : text;
}

ConfigRef Search::best() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (counts_[NETCL_OUTCOME_CORRECT] == 0) {
    fail(NETCL_ERROR_NOT_FOUND, "no configuration is valid: %s", counts_text().c_str());
  }
  return tried_[phase_ == Phase::over ? winner_ : best_].config;
}

Search::Candidate Search::candidate(uint32_t index) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (index >= tried_.size()) {
    fail(NETCL_ERROR_NOT_FOUND, "index is %u; %zu candidates were tried", index, tried_.size());
  }
  return tried_[index];
}

std::string Search::failure(netcl_outcome outcome) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const bool known = outcome >= 0 && outcome <= NETCL_OUTCOME_CANCELLED;
  return known ? first_message_[static_cast<size_t>(outcome)] : std::string();
}

void Search::end_turns() {
  const std::lock_guard<std::mutex> lock(mutex_);
  turns_.clear();
}

std::vector<uint32_t> Search::finalists() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return phase_ == Phase::final ? finalists_ : std::vector<uint32_t>();
}

}  // namespace netcl::tune
