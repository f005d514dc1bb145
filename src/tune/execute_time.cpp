// How long a candidate takes, and whether it was right while that was measured.
#include <algorithm>

#include "timing/statistics.hpp"
#include "tune/execute.hpp"

namespace netcl::tune {

namespace {

constexpr uint64_t kSlowSamples = 3;
constexpr uint64_t kLaunchesPerReport = 4096;
// Of each output so many stretches are looked at after a timed run.
constexpr uint64_t kSpots = 8;
constexpr uint64_t kSpotBytes = 4096;
// After every run at first, later after one in so many, by chance.
constexpr uint64_t kSpotRuns = 64;
constexpr uint64_t kSpotShare = 16;

}  // namespace

// What has to be there before a timed run, and is not timed.
void Executor::refresh(const Job& job, Candidate* candidate) {
  problem_->refresh(0);
  if (candidate->uses_local_memory) local_memory_.overwrite(queue_, 0);
  if (candidate->setup == nullptr) return;
  JobResult unused;
  launch(job, *candidate->setup, job.setup_size, &unused);
}

// Looks at parts of the outputs that no kernel can know beforehand.
std::string Executor::spot_difference(const Job& job, const Outputs& want,
                                      const Candidate& candidate) {
  for (size_t i = 0; i < job.arguments.size(); ++i) {
    const JobArgument& argument = job.arguments[i];
    if (want.bytes[i].empty() || want.bytes[i].size() != argument.byte_count()) continue;
    const uint64_t size = dtype_size(argument.dtype);
    const uint64_t count = argument.element_count();
    const uint64_t some = kSpotBytes / size;
    const bool all = count <= kSpots * some;
    for (uint64_t k = 0; k < (all ? 1 : kSpots); ++k) {
      const Stretch stretch =
          all ? Stretch{0, count} : Stretch{random_.below(count - some + 1), some};
      const std::string got = problem_->read(i, stretch.first * size, stretch.count * size);
      const auto text = describe_difference(argument, want.bounds[i], stretch, got.data(),
                                            want.bytes[i].data() + stretch.first * size, 0);
      if (text) {
        return problem_->name_of(i, &candidate.kernel->facts()) + ": " + *text +
               " after a timed run";
      }
    }
  }
  return "";
}

// After each run of candidate `place`: says whether the rest can be saved.
void Executor::finish_timing(const Job& rules, std::span<const size_t> timed, size_t place,
                             std::vector<Candidate>* candidates, Observer& observer, bool* over) {
  Candidate& candidate = (*candidates)[timed[place]];
  if (observer.cancelled()) {
    for (const size_t i : timed) {
      (*candidates)[i].end(NETCL_OUTCOME_CANCELLED, "cancelled while it was timed");
    }
    *over = true;
    return;
  }
  if (timed.size() > 1 || rules.limits.best_ns <= 0) return;
  const netcl_statistics& statistics = candidate.result.statistics;
  if (statistics.count < kSlowSamples) return;
  if (statistics.interval_low <= rules.limits.slow_factor * rules.limits.best_ns) return;
  candidate.end(NETCL_OUTCOME_SLOW, format("cut after %llu samples: at least %s, the best takes %s",
                                           static_cast<unsigned long long>(statistics.count),
                                           timing::time_text(statistics.interval_low).c_str(),
                                           timing::time_text(rules.limits.best_ns).c_str()));
  *over = true;
}

void Executor::take_samples(const timing::Measurement& measurement, std::span<const size_t> timed,
                            std::vector<Candidate>* candidates) {
  for (size_t p = 0; p < timed.size(); ++p) {
    JobResult& result = (*candidates)[timed[p]].result;
    const auto index = static_cast<uint32_t>(p);
    result.samples.resize(measurement.samples(index, nullptr, 0));
    measurement.samples(index, result.samples.data(), result.samples.size());
  }
}

// Runs of candidates until all have their samples, or `trouble` says that something is wrong.
void Executor::take_turns(std::span<const Job> jobs, std::span<const size_t> timed,
                          timing::Measurement* measurement, const std::string& trouble,
                          std::vector<Candidate>* candidates, Observer& observer) {
  const Job& rules = jobs.front();
  uint32_t place = 0;
  bool over = false;
  try {
    while (!over) {
      uint64_t iterations = 0;
      const uint32_t before = place;
      measurement->next(&place, &iterations);
      for (const size_t p : {static_cast<size_t>(before), static_cast<size_t>(place)}) {
        measurement->statistics(static_cast<uint32_t>(p),
                                &(*candidates)[timed[p]].result.statistics);
      }
      if (iterations == 0 || !trouble.empty()) break;
      finish_timing(rules, timed, before, candidates, observer, &over);
      const Job& job = jobs[timed[place]];
      Candidate& candidate = (*candidates)[timed[place]];
      for (uint64_t i = 0; i < iterations && !over; ++i) {
        // Very many short ones may take longer than one run is allowed to.
        if (i % kLaunchesPerReport == kLaunchesPerReport - 1) {
          observer.phase(Phase::time, timed[place]);
        }
        if (i > 0) measurement->aside([&] { refresh(job, &candidate); });
        launch(job, *candidate.kernel, job.size, &candidate.result);
      }
    }
  } catch (const Error& error) {
    // The one that was under way; the others have no sound times either.
    if (error.status() == NETCL_ERROR_INVALID_ARGUMENT) throw;
    const bool cancelled = error.status() == NETCL_ERROR_CANCELLED;
    for (size_t p = 0; p < timed.size(); ++p) {
      if (p != place && !cancelled) continue;
      (*candidates)[timed[p]].end(cancelled ? NETCL_OUTCOME_CANCELLED : NETCL_OUTCOME_RUNTIME,
                                  "while it was timed: " + error.message());
    }
  }
}

// Times candidates that take turns. Gives what harm was done to the memory of all or to the outputs
// of one, which need not be the one that did it; empty when there is none.
std::string Executor::time_together(std::span<const Job> jobs, std::span<const size_t> timed,
                                    std::vector<Candidate>* candidates, Observer& observer) {
  const Job& rules = jobs.front();
  std::vector<const Outputs*> want;
  for (const size_t index : timed) {
    Candidate& candidate = (*candidates)[index];
    want.push_back(wanted(jobs[index], rules, rules.seeds.front(), 0, &candidate));
    if (want.back() == nullptr) want.back() = &candidate.own;
  }
  netcl_measurement_options options = rules.timing;
  options.candidates = static_cast<uint32_t>(timed.size());
  observer.phase(Phase::prepare, timed.front());
  problem_->prepare(rules.seeds.front(), 0);
  timing::Measurement measurement(queue_, options);
  if (!measurement.can_step_aside()) measurement.set_single_runs();
  measurement.set_before_run([&](uint32_t place) {
    observer.phase(Phase::time, timed[place]);
    refresh(jobs[timed[place]], &(*candidates)[timed[place]]);
  });
  std::string trouble;
  uint64_t runs = 0;
  measurement.set_after_run([&](uint32_t place) {
    if (!trouble.empty() || (++runs > kSpotRuns && random_.below(kSpotShare) != 0)) return;
    trouble = spot_difference(jobs[timed[place]], *want[place], (*candidates)[timed[place]]);
  });
  take_turns(jobs, timed, &measurement, trouble, candidates, observer);
  take_samples(measurement, timed, candidates);
  queue_->finish(Deadline(NETCL_WAIT_FOREVER));
  Candidate& first = (*candidates)[timed.front()];
  std::string damage = problem_->damage(first.kernel->facts());
  if (timed.size() > 1) return damage.empty() ? trouble : damage;
  // Nothing else ran: it is the one.
  const Job& job = jobs[timed.front()];
  if (!damage.empty()) {
    first.end(NETCL_OUTCOME_GUARD, damage + " while it was timed");
    return damage;
  }
  if (trouble.empty() && first.going()) trouble = difference(job, *want.front(), 0, first);
  if (!trouble.empty()) convict(job, rules, rules.seeds.front(), 0, trouble, &first);
  return trouble;
}

void Executor::time(std::span<const Job> jobs, std::vector<Candidate>* candidates,
                    Observer& observer) {
  std::vector<size_t> timed;
  const auto still_going = [&] {
    std::vector<size_t> left;
    for (size_t i = 0; i < jobs.size(); ++i) {
      if ((*candidates)[i].going()) left.push_back(i);
    }
    return left;
  };
  timed = still_going();
  if (timed.empty()) return;
  const std::string harm = time_together(jobs, timed, candidates, observer);
  if (!harm.empty() && timed.size() > 1) {
    for (const size_t& index : timed) {
      problem_->distrust();
      if ((*candidates)[index].going() && !distrusted_) {
        time_together(jobs, {&index, 1}, candidates, observer);
      }
    }
    const std::vector<size_t> left = still_going();
    if (left.size() > 1 && left.size() < timed.size() && !distrusted_) {
      // Without those that showed what they do alone. If that was not all, the times alone count.
      std::vector<Candidate> again = *candidates;
      if (time_together(jobs, left, &again, observer).empty()) *candidates = std::move(again);
    }
  }
  // What was kept from the runs that were timed is of no use on other contents.
  for (const size_t index : still_going()) {
    if (distrusted_ || stuck_) return;
    const size_t last = jobs.front().seeds.size() - 1;
    check_seed(jobs, index, last, &(*candidates)[index], observer);
  }
}

}  // namespace netcl::tune
