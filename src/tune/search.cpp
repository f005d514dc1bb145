#include "tune/search.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/room.hpp"
#include "core/wait.hpp"
#include "timing/statistics.hpp"
#include "tune/strategy_makers.hpp"

namespace netcl::tune {

namespace {

// Samples after the first, second and third round.
constexpr uint64_t kRounds[] = {1, 3, 10};
constexpr uint64_t kFinalTurn = 3;
constexpr uint64_t kConfirmSamples = 3;
constexpr uint32_t kConfirmations = 2;
// A single sample may have been held up by something else: it proves that a candidate is slow only
// when it is slower by so much more.
constexpr double kSingleSample = 2.0;
// The part of a budget that the search may use; the rest is for the final.
constexpr double kSearchShare = 0.8;
constexpr uint64_t kProposalsWithoutNews = 1000;
// Ceilings are measured, so that they may be missed by so much.
constexpr double kBeyondRoof = 0.95;

double given_or(double value, double fallback) { return value == 0.0 ? fallback : value; }

// Of a larger space more has to be seen before it is likely that nothing better will come.
uint64_t patience_for(size_t size) {
  return std::max<uint64_t>(96, static_cast<uint64_t>(4.0 * std::sqrt(static_cast<double>(size))));
}

netcl_search_options resolved(const netcl_search_options& given, const Candidates& candidates,
                              uint64_t size) {
  netcl_search_options options = given;
  options.strategy = resolve_strategy(given.strategy, candidates, given.evaluations);
  const bool exhaustive = options.strategy == NETCL_SEARCH_EXHAUSTIVE;
  if (options.evaluations == 0) options.evaluations = exhaustive ? size : 512;
  if (options.patience == 0) options.patience = exhaustive ? UINT64_MAX : patience_for(size);
  if (options.samples == 0) options.samples = 30;
  options.precision = given_or(options.precision, 0.01);
  options.drop_factor = given_or(options.drop_factor, 1.2);
  options.threshold_pct = given_or(options.threshold_pct, 90.0);
  return options;
}

}  // namespace

void check_search_options(const netcl_search_options& options, const char* argument) {
  if (options.strategy < NETCL_SEARCH_AUTO || options.strategy > NETCL_SEARCH_GENETIC) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s->strategy is %d, which is no netcl_search_strategy",
         argument, options.strategy);
  }
  if (options.samples > 1000000) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s->samples is %llu; the limit is 1000000", argument,
         static_cast<unsigned long long>(options.samples));
  }
  const auto check = [&](double value, double low, double high, const char* member,
                         const char* hint = "") {
    if (value == 0.0 || (value >= low && value <= high)) return;
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s->%s is %g; it is 0 or lies between %g and %g%s",
         argument, member, value, low, high, hint);
  };
  check(options.precision, 1e-6, 0.5, "precision");
  check(options.drop_factor, 1.0, 1e6, "drop_factor");
  check(options.threshold_pct, 1.0, 1000.0, "threshold_pct", "; write 90 for 90 %");
  check(options.roof_ns, 0.0, 1e18, "roof_ns");
}

Search::Search(const Space& space, const Limits& limits, const Config* standard,
               const netcl_search_options& options, bool outside)
    : candidates_(space, limits),
      has_formulas_(!space.global_size().empty() || !space.local_size().empty()),
      random_(options.seed) {
  size_t start = candidates_.first();
  if (standard != nullptr) {
    const auto found = candidates_.find(*standard);
    if (!found && !outside) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "the default configuration is not in the space: %s",
           space.explain(limits, *standard).c_str());
    }
    if (!found) outside_ = std::make_shared<const Config>(*standard);
    start = found ? *found : kOutside;
  }
  begin(start, options);
}

Search::Search(const Space& space, const std::vector<Config>& listed,
               const netcl_search_options& options)
    : candidates_(space, listed), random_(options.seed) {
  begin(candidates_.first(), options);
}

void Search::begin(size_t standard, const netcl_search_options& options) {
  standard_ = standard;
  options_ = resolved(options, candidates_, size());
  const size_t start = standard_ == kOutside ? candidates_.first() : standard_;
  strategy_ = make_strategy(options_.strategy, candidates_, start, options_.seed);
}

uint64_t Search::elapsed_ns() const {
  if (begin_ns_ == 0) return 0;
  return (end_ns_ != 0 ? end_ns_ : monotonic_ns()) - begin_ns_;
}

double Search::time_of(const Candidate& candidate) const {
  const std::vector<double>& samples =
      candidate.finals.empty() ? candidate.samples : candidate.finals;
  return samples.empty() ? 0.0 : timing::statistics_of(samples).median;
}

// What a strategy is told. A candidate that was dropped is known to be slow, and how slow.
double Search::cost_of(const Candidate& candidate) const {
  const bool ran = candidate.outcome == NETCL_OUTCOME_CORRECT ||
                   (candidate.outcome == NETCL_OUTCOME_SLOW && !candidate.samples.empty());
  return ran ? time_of(candidate) : INFINITY;
}

double Search::fraction() const {
  if (phase_ == Phase::over) return 1.0;
  const double most = static_cast<double>(std::min<uint64_t>(options_.evaluations, size()));
  double done = 0.9 * std::min(1.0, static_cast<double>(evaluations_) / most);
  if (phase_ == Phase::final) {
    uint64_t least = options_.samples;
    for (const uint32_t index : finalists_) {
      least = std::min<uint64_t>(least, tried_[index].finals.size());
    }
    done = 0.9 + 0.1 * static_cast<double>(least) / static_cast<double>(options_.samples);
  }
  if (options_.budget_ns != 0) {
    done =
        std::max(done, static_cast<double>(elapsed_ns()) / static_cast<double>(options_.budget_ns));
  }
  return std::min(done, 0.999);
}

void Search::emit(netcl_search_event_kind kind, uint32_t index, double median) noexcept {
  netcl_search_event event = NETCL_SEARCH_EVENT_INIT;
  event.kind = kind;
  event.candidate = index;
  if (index < tried_.size()) {
    event.outcome = tried_[index].outcome;
    event.candidate_ns = median;
  }
  event.best = best_;
  event.best_ns = best_ns_;
  event.fraction = fraction();
  const double elapsed = static_cast<double>(elapsed_ns());
  if (event.fraction > 0.0 && event.fraction < 1.0) {
    event.left_ns = static_cast<uint64_t>(elapsed * (1.0 - event.fraction) / event.fraction);
  }
  event.evaluations = evaluations_;
  events_.add(event);
}

// ---- The search ---------------------------------------------------------------------------------

uint32_t Search::enter(size_t place) {
  if (place == kOutside) {
    tried_.emplace_back();
    tried_[0].place = kOutside;
    tried_[0].config = outside_;
    return 0;
  }
  const auto known = of_place_.find(place);
  if (known != of_place_.end()) return known->second;
  Candidate candidate;
  for (const Candidate& earlier : resumed_) {
    if (earlier.place == place) candidate = earlier;
  }
  candidate.place = place;
  candidate.config = std::make_shared<const Config>(candidates_.config(place));
  candidate.first = static_cast<uint32_t>(tried_.size());
  const auto index = static_cast<uint32_t>(tried_.size());
  // Both get one more, or none where there is no memory.
  make_room(&tried_);
  of_place_.emplace(place, index);
  tried_.push_back(std::move(candidate));
  return index;
}

Turn Search::turn(uint32_t index, uint64_t samples) {
  Turn turn;
  turn.candidate = index;
  turn.samples = samples;
  turn.config = tried_[index].config;
  turn.best_ns = best_ns_;
  turn.final = phase_ == Phase::final;
  return turn;
}

// Closes the first rounds of a candidate and tells the strategy. What may find no memory comes
// first, and may come again; then it is counted.
void Search::settle(uint32_t index) {
  Candidate& candidate = tried_[index];
  if (!candidate.samples.empty() && candidate.outcome == NETCL_OUTCOME_UNKNOWN) {
    candidate.outcome = NETCL_OUTCOME_CORRECT;
  }
  const bool valid = candidate.outcome == NETCL_OUTCOME_CORRECT;
  const double median = time_of(candidate), cost = cost_of(candidate);
  const double time = valid ? median : INFINITY;
  if (time < kBeyondRoof * options_.roof_ns) {
    candidate.message = format(
        "%s, less than the %s that the roofline allows: the declared work, the "
        "ceilings or the candidate are not what they seem",
        timing::time_text(time).c_str(), timing::time_text(options_.roof_ns).c_str());
  }
  std::string& first = first_message_[static_cast<size_t>(candidate.outcome)];
  if (first.empty() && !candidate.message.empty()) {
    first = candidate.config->json() + ": " + candidate.message;
  }
  reported_.insert(index);
  events_.make_room(2);
  if (proposed_) strategy_->report(candidate.place, cost);
  candidate.settled = true;
  ++evaluations_;
  ++since_best_;
  ++counts_[static_cast<size_t>(candidate.outcome)];
  if (valid && (counts_[NETCL_OUTCOME_CORRECT] == 1 || time < best_ns_)) {
    // Less than the noise is no improvement that is worth going on for.
    if (counts_[NETCL_OUTCOME_CORRECT] == 1 || time < improved_from_ * (1.0 - options_.precision)) {
      improved_from_ = time;
      since_best_ = 0;
    }
    best_ = index;
    best_ns_ = time;
    emit(NETCL_SEARCH_EVENT_BEST, index, median);
  }
  emit(NETCL_SEARCH_EVENT_CANDIDATE, index, median);
  has_current_ = false;
}

// The next samples of the candidate that is being tried; nothing when its first rounds are over.
std::optional<Turn> Search::continue_current() {
  Candidate& candidate = tried_[current_];
  if (candidate.outcome == NETCL_OUTCOME_UNKNOWN && !candidate.settled) {
    const uint64_t count = candidate.samples.size();
    bool dropped = false;
    if (count > 0 && best_ns_ > 0.0) {
      const netcl_statistics statistics = timing::statistics_of(candidate.samples);
      const double limit = best_ns_ * options_.drop_factor * (count < 3 ? kSingleSample : 1.0);
      dropped = statistics.interval_low > limit;
    }
    if (!dropped) {
      for (const uint64_t round : kRounds) {
        if (count < round) return turn(current_, round - count);
      }
    } else {
      candidate.message =
          format("at least %s against %s of the best",
                 timing::time_text(timing::statistics_of(candidate.samples).interval_low).c_str(),
                 timing::time_text(best_ns_).c_str());
      candidate.outcome = NETCL_OUTCOME_SLOW;
    }
  }
  settle(current_);
  return std::nullopt;
}

bool Search::keeps_searching() {
  netcl_stop_reason stop = NETCL_STOP_RUNNING;
  if (evaluations_ >= options_.evaluations) {
    const bool all = candidates_.listed() && evaluations_ >= size();
    stop = all ? NETCL_STOP_EXHAUSTED : NETCL_STOP_COUNT;
  } else if (options_.budget_ns != 0 &&
             static_cast<double>(elapsed_ns()) >
                 kSearchShare * static_cast<double>(options_.budget_ns)) {
    stop = NETCL_STOP_BUDGET;
  } else if (since_best_ >= options_.patience) {
    stop = NETCL_STOP_CONVERGED;
  }
  search_stop_ = stop;
  return stop == NETCL_STOP_RUNNING;
}

// Makes the strategy's next news the current candidate; false when it has none.
bool Search::propose() {
  for (uint64_t i = 0; i < kProposalsWithoutNews; ++i) {
    if (!proposal_) proposal_ = strategy_->next();
    if (!proposal_) break;
    proposed_ = true;
    current_ = enter(*proposal_);
    has_current_ = reported_.count(current_) == 0;
    if (!has_current_) strategy_->report(*proposal_, cost_of(tried_[current_]));
    proposal_.reset();
    if (has_current_) return true;
  }
  // It walks in circles. What it never proposed may be better, as long as there is any.
  proposal_ = untried();
  if (!proposal_) {
    search_stop_ = NETCL_STOP_EXHAUSTED;
    return false;
  }
  proposed_ = true;
  current_ = enter(*proposal_);
  has_current_ = true;
  proposal_.reset();
  return true;
}

// A configuration that was not tried, by chance; nothing when there is none.
std::optional<size_t> Search::untried() {
  const bool listed = candidates_.listed();
  if (listed && of_place_.size() >= candidates_.size()) return std::nullopt;
  const SameDraws draws(&random_);
  for (int i = 0; i < 64; ++i) {
    const size_t place = candidates_.random(&random_);
    if (of_place_.count(place) == 0) return place;
  }
  const size_t from = listed ? random_.below(candidates_.size()) : 0;
  for (size_t i = 0; listed && i < candidates_.size(); ++i) {
    const size_t place = (from + i) % candidates_.size();
    if (of_place_.count(place) == 0) return place;
  }
  return std::nullopt;
}

// Near enough to the roofline counts when two further looks say so too.
std::optional<Turn> Search::confirm_roofline() {
  if (options_.roof_ns <= 0.0 || best_ns_ <= 0.0) return std::nullopt;
  const Candidate& candidate = tried_[best_];
  const double limit = options_.roof_ns * 100.0 / options_.threshold_pct;
  const size_t base = kRounds[2];
  std::vector<double> last = candidate.samples;
  if (last.size() < base || best_ns_ > limit) return std::nullopt;
  const size_t looks = (last.size() - base) / kConfirmSamples;
  if (looks > 0) {
    last.erase(last.begin(), last.end() - kConfirmSamples);
    if (timing::statistics_of(last).median > limit) return std::nullopt;
  }
  if (looks < kConfirmations) return turn(best_, kConfirmSamples);
  search_stop_ = NETCL_STOP_ROOFLINE;
  return std::nullopt;
}

Turn Search::ask() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (begin_ns_ == 0) {
    events_.make_room(1);
    current_ = enter(standard_);
    begin_ns_ = monotonic_ns();
    has_current_ = true;
    emit(NETCL_SEARCH_EVENT_STARTED, 0, 0.0);
  }
  if (ending_ != NETCL_STOP_RUNNING && phase_ != Phase::over) finish(ending_);
  while (phase_ == Phase::search) {
    if (cancelled_) {
      finish(NETCL_STOP_CANCELLED);
      break;
    }
    if (has_current_) {
      if (auto next = continue_current()) return *next;
      continue;
    }
    if (auto next = confirm_roofline()) return *next;
    if (search_stop_ == NETCL_STOP_ROOFLINE || !keeps_searching() || !propose()) begin_final();
  }
  while (phase_ == Phase::final) {
    if (cancelled_) {
      finish(NETCL_STOP_CANCELLED);
      break;
    }
    if (turns_.empty()) end_round();
    if (turns_.empty()) break;
    const uint32_t index = turns_.back();
    turns_.pop_back();
    return turn(index, std::min(kFinalTurn, options_.samples));
  }
  return Turn();
}

// ---- What is told -------------------------------------------------------------------------------

void Search::tell(uint32_t index, const double* samples, uint64_t count) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (index >= tried_.size()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "candidate is %u; %zu were asked for", index, tried_.size());
  }
  for (uint64_t i = 0; i < count; ++i) {
    if (samples[i] >= 0.0 && samples[i] < 1e18) continue;
    fail(NETCL_ERROR_INVALID_ARGUMENT, "samples[%llu] is %g; times are 0 to 1e18 ns",
         static_cast<unsigned long long>(i), samples[i]);
  }
  if (phase_ == Phase::over) return;
  Candidate& candidate = tried_[index];
  std::vector<double>& place = phase_ == Phase::final ? candidate.finals : candidate.samples;
  place.insert(place.end(), samples, samples + count);
}

void Search::tell_failure(uint32_t index, netcl_outcome outcome, const std::string& message) {
  if (outcome <= NETCL_OUTCOME_CORRECT || outcome > NETCL_OUTCOME_CANCELLED) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "outcome is %d, which is no failure", outcome);
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  if (index >= tried_.size()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "candidate is %u; %zu were asked for", index, tried_.size());
  }
  if (phase_ == Phase::over) return;
  Candidate& candidate = tried_[index];
  std::string& first = first_message_[static_cast<size_t>(outcome)];
  std::string text = message, first_text;
  if (first.empty()) first_text = candidate.config->json() + ": " + message;
  if (candidate.settled) {
    // It was sound before: it leaves the final, and the table tells.
    --counts_[static_cast<size_t>(candidate.outcome)];
    ++counts_[static_cast<size_t>(outcome)];
    std::erase(finalists_, index);
    std::erase(turns_, index);
  }
  candidate.outcome = outcome;
  candidate.message = std::move(text);
  if (first.empty()) first = std::move(first_text);
  if (!candidate.settled) return;
  fail_same(index);
  forget_best();
  if (phase_ == Phase::final && finalists_.size() < 2) finish(search_stop_);
}

// The best may be gone: looks for it among what is left.
void Search::forget_best() {
  best_ns_ = 0.0;
  bool has_best = false;
  for (uint32_t i = 0; i < tried_.size(); ++i) {
    if (tried_[i].outcome != NETCL_OUTCOME_CORRECT || !tried_[i].settled) continue;
    const double time = time_of(tried_[i]);
    if (has_best && time >= best_ns_) continue;
    has_best = true;
    best_ = i;
    best_ns_ = time;
  }
}

void Search::note_compile(uint32_t index, uint64_t compile_ns) {
  const std::lock_guard<std::mutex> lock(mutex_);
  // Later rounds find the program in a cache.
  if (index < tried_.size() && tried_[index].compile_ns == 0) tried_[index].compile_ns = compile_ns;
}

void Search::cancel() { cancelled_ = true; }

bool Search::over() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return phase_ == Phase::over;
}

}  // namespace netcl::tune
