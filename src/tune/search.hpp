// A search over a space for its fastest configuration. The caller measures: it asks what to
// measure next and tells what came of it, so nothing here knows a device.
//
// The default comes first. Then each proposal of the strategy gets 1, 3 and 10 samples, and drops
// out as soon as the lower bound of its time lies above drop_factor times the best. Those that are
// left and may be the best take turns in the final, until they are told apart or have as many
// samples as asked for. The default wins where it cannot be told from the fastest, else the
// fastest.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <unordered_map>

#include "timing/split_mix.hpp"
#include "tune/events.hpp"
#include "tune/launch_sizes.hpp"
#include "tune/strategy.hpp"

namespace netcl::tune {

struct Turn {
  uint32_t candidate = 0;
  uint64_t samples = 0;  // 0: the search is over
  ConfigRef config;
  double best_ns = 0;  // 0: there is none yet
  bool final = false;
};

// Fails with INVALID_ARGUMENT naming the member of `argument` that cannot be.
void check_search_options(const netcl_search_options& options, const char* argument);

class Search {
 public:
  // The place of a default that is none of the configurations of the space.
  static constexpr size_t kOutside = SIZE_MAX;

  struct Candidate {
    size_t place = 0;  // in the order of the space
    ConfigRef config;
    std::vector<double> samples;  // of the first rounds
    std::vector<double> finals;
    netcl_outcome outcome = NETCL_OUTCOME_UNKNOWN;
    std::string message;
    bool settled = false;  // the first rounds are over
    bool known = false;    // from an earlier run
    uint64_t compile_ns = 0;
    // Of candidates that are the same program one is measured; it knows which of them comes first.
    std::optional<uint32_t> same_as;
    uint32_t first = 0;
  };

  // `standard` is the default configuration; null: the first of the space. It need not be in the
  // space when `outside` says so. Fails with INVALID_ARGUMENT naming an option, or why the default
  // is not in the space.
  Search(const Space& space, const Limits& limits, const Config* standard,
         const netcl_search_options& options, bool outside = false);

  // Over these configurations of the space alone, the first of which is the default.
  Search(const Space& space, const std::vector<Config>& listed,
         const netcl_search_options& options);

  // Any number of threads may call all of these. What finds no memory can be done again, as if it
  // had not been tried.
  Turn ask();
  // Who asked could not be given it.
  void take_back(const Turn& turn) noexcept;
  // Fails with INVALID_ARGUMENT for a candidate that was never asked for, and for samples that are
  // negative or no number.
  void tell(uint32_t candidate, const double* samples, uint64_t count);
  void tell_failure(uint32_t candidate, netcl_outcome outcome, const std::string& message);
  // It is the same as a candidate that was measured, and shares what came of that.
  void tell_same(uint32_t candidate, const Config& measured);
  void note_compile(uint32_t candidate, uint64_t compile_ns);
  void cancel();
  bool over();

  // What an earlier run found: proposals that are known are not asked for. False when the
  // configuration is not in the space.
  bool resume(const Config& config, netcl_outcome outcome, const std::string& message,
              const std::vector<double>& samples);

  netcl_search_result result();
  // The winner; fails with NOT_FOUND and the counts of what was wrong when nothing is valid.
  ConfigRef best();
  Candidate candidate(uint32_t index);
  // The first message of an outcome; "" when there was none.
  std::string failure(netcl_outcome outcome);
  Events& events() noexcept { return events_; }
  double roof_ns() const noexcept { return options_.roof_ns; }
  // Never AUTO.
  netcl_search_strategy strategy() const noexcept { return options_.strategy; }
  const Candidates& candidates() const noexcept { return candidates_; }
  const std::string& fingerprint() const noexcept { return candidates_.fingerprint(); }
  // The candidates that take turns in the final; empty before.
  std::vector<uint32_t> finalists();
  // For a caller that measured all finalists at once: the round is over.
  void end_turns();
  const std::atomic<bool>& cancelled() const noexcept { return cancelled_; }
  // How its configurations are launched, for what is stored of them. Before the first ask.
  void set_sizes(std::shared_ptr<const LaunchSizes> sizes) { sizes_ = std::move(sizes); }
  const LaunchSizes* sizes() const noexcept { return sizes_.get(); }
  // Whether formulas of the space say how.
  bool has_formulas() const noexcept { return has_formulas_; }

 private:
  enum class Phase : uint8_t { search, roofline, final, over };

  void begin(size_t standard, const netcl_search_options& options);
  uint32_t enter(size_t place);
  uint64_t size() const noexcept { return candidates_.size() + (standard_ == kOutside ? 1 : 0); }
  std::optional<uint32_t> index_of(const Config& config) const;
  std::optional<size_t> untried();
  bool propose();
  bool keeps_searching();
  void settle(uint32_t index);
  void fail_same(uint32_t index);
  void forget_best();
  Turn turn(uint32_t index, uint64_t samples);
  std::optional<Turn> continue_current();
  std::optional<Turn> confirm_roofline();
  void begin_final();
  void end_round();
  void finish(netcl_stop_reason stop);
  void decide();
  bool may_be_best(const Candidate& candidate) const;
  double fraction() const;
  uint64_t elapsed_ns() const;
  // `median` is the time of that candidate. Without memory only where no room was made.
  void emit(netcl_search_event_kind kind, uint32_t index, double median) noexcept;
  double time_of(const Candidate& candidate) const;
  double cost_of(const Candidate& candidate) const;
  std::string counts_text() const;

  netcl_search_options options_;
  Candidates candidates_;
  bool has_formulas_ = false;
  std::shared_ptr<const LaunchSizes> sizes_;
  ConfigRef outside_;  // the default, where it is not in the space
  size_t standard_ = 0;
  std::unique_ptr<Strategy> strategy_;
  timing::Random random_;
  Events events_;
  std::atomic<bool> cancelled_{false};

  std::mutex mutex_;                // guards what follows
  std::vector<Candidate> tried_;    // 0: the default
  std::unordered_map<size_t, uint32_t> of_place_;  // index into tried_
  std::vector<Candidate> resumed_;
  Phase phase_ = Phase::search;
  // What the strategy proposed and could not be entered yet, and an end that found no memory.
  std::optional<size_t> proposal_;
  netcl_stop_reason ending_ = NETCL_STOP_RUNNING;
  uint32_t current_ = 0;
  bool has_current_ = false;
  uint32_t best_ = 0;
  double best_ns_ = 0;       // 0: nothing is valid yet
  uint64_t since_best_ = 0;  // evaluations
  uint64_t evaluations_ = 0;
  double improved_from_ = 0;
  std::vector<uint32_t> finalists_;
  std::vector<uint32_t> turns_;
  std::set<uint32_t> reported_;
  bool proposed_ = false;  // by the strategy, at least once
  netcl_stop_reason search_stop_ = NETCL_STOP_RUNNING;
  netcl_stop_reason stop_ = NETCL_STOP_RUNNING;
  uint32_t winner_ = 0;
  bool tie_ = false;
  double gain_ = 1, gain_low_ = 1, gain_high_ = 1;
  uint64_t begin_ns_ = 0;  // of the first ask
  uint64_t end_ns_ = 0;
  std::array<uint64_t, NETCL_OUTCOME_CANCELLED + 1> counts_{};
  std::array<std::string, NETCL_OUTCOME_CANCELLED + 1> first_message_;
};

}  // namespace netcl::tune
