#include "tune/execute.hpp"

#include <algorithm>
#include <cstring>

#include "kernel/tuned.hpp"
#include "timing/measurement.hpp"
#include "timing/statistics.hpp"
#include "timing/timer.hpp"
#include "tune/compare.hpp"

namespace netcl::tune {

namespace {

constexpr size_t kLogBytes = 4096;
// A first run that takes longer than this is not timed at all.
constexpr double kSlowFirst = 3;
constexpr double kSlowFirstNs = 50e6;
constexpr uint64_t kSlowSamples = 3;
constexpr uint64_t kLaunchesPerReport = 4096;
constexpr uint64_t kSliceNs = 1000000;

netcl_outcome build_outcome(const Error& error) {
  switch (error.status()) {
    case NETCL_ERROR_BUILD_FAILURE:
    case NETCL_ERROR_NOT_FOUND:
    case NETCL_ERROR_UNSUPPORTED:
      return NETCL_OUTCOME_COMPILE;
    case NETCL_ERROR_CANCELLED:
      return NETCL_OUTCOME_CANCELLED;
    default:
      return NETCL_OUTCOME_RUNTIME;
  }
}

void set(JobResult* result, netcl_outcome outcome, std::string message) {
  result->outcome = outcome;
  result->message = std::move(message);
}

std::string seed_text(uint64_t seed) {
  return format("seed %llu", static_cast<unsigned long long>(seed));
}

}  // namespace

struct Executor::Candidate {
  std::shared_ptr<Kernel> kernel;
  std::shared_ptr<Kernel> setup;
  JobResult result;
  bool going() const noexcept { return result.outcome == NETCL_OUTCOME_UNKNOWN; }
};

KernelSpec job_kernel_spec(const Device& device, const Job& job, const std::string& kernel) {
  const std::string text = source_with_macros(job.defines, job.source);
  std::vector<const char*> flags;
  for (const std::string& flag : job.flags) flags.push_back(flag.c_str());
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  options.source = text.c_str();
  options.source_size = text.size();
  options.flags = flags.data();
  options.flags_count = static_cast<uint32_t>(flags.size());
  options.fast_math = job.fast_math ? 1 : 0;
  options.no_preamble = job.no_preamble ? 1 : 0;
  options.tune = NETCL_TUNE_OFF;
  return make_kernel_spec(device, kernel.c_str(), options);
}

Executor::Executor(QueueRef queue) : queue_(std::move(queue)) {
  queue_->device().require_opencl("a candidate kernel in OpenCL C");
}
Executor::~Executor() = default;

Problem& Executor::problem_for(const Job& job) {
  const Hash128 key = problem_hash(job.arguments);
  if (problem_ == nullptr || !(key == problem_key_)) {
    problem_.reset();
    references_.clear();
    problem_ = std::make_unique<Problem>(*queue_, job.arguments);
    problem_key_ = key;
  }
  return *problem_;
}

void Executor::build(const Job& job, Candidate* candidate) {
  JobResult& result = candidate->result;
  Device& device = queue_->device();
  const uint64_t begin = monotonic_ns();
  try {
    candidate->kernel = std::make_shared<Kernel>(device, job_kernel_spec(device, job, job.kernel));
    candidate->kernel->build();
    if (!job.setup_kernel.empty()) {
      candidate->setup =
          std::make_shared<Kernel>(device, job_kernel_spec(device, job, job.setup_kernel));
      candidate->setup->build();
    }
  } catch (const Error& error) {
    // A flag that is none or a name that is taken is no fault of the candidate.
    if (error.status() == NETCL_ERROR_INVALID_ARGUMENT) throw;
    set(&result, build_outcome(error), error.message());
  }
  result.compile_ns = std::max<uint64_t>(monotonic_ns() - begin, 1);
  if (candidate->kernel == nullptr) return;
  result.build_log = candidate->kernel->build_log().substr(0, kLogBytes);
  if (!candidate->kernel->built()) return;
  const backend::KernelFacts& facts = candidate->kernel->facts();
  result.from_cache = candidate->kernel->from_cache();
  result.max_local_size = facts.max_local_size;
  result.local_memory_bytes = facts.local_memory_bytes;
  result.private_memory_bytes = facts.private_memory_bytes;
  try {
    result.program_hash = hash128(candidate->kernel->binary());
  } catch (const Error&) {
    // Some drivers keep their programs to themselves; then there is no hash.
  }
}

// Enqueues one launch; a size that does not fit is an outcome.
void Executor::launch(const Job& job, Kernel& kernel, const JobSize& size, JobResult* result,
                      backend::EventRef* event) {
  netcl_launch_options options = NETCL_LAUNCH_OPTIONS_INIT;
  options.round_up = job.round_up ? 1 : 0;
  WorkSize work;
  try {
    const bool chosen = size.local[0] == 0;
    work = make_work_size(kernel, size.global, size.rank, chosen ? nullptr : size.local,
                          chosen ? 0 : size.rank, options);
  } catch (const Error& error) {
    set(result, NETCL_OUTCOME_CONSTRAINTS, error.message());
    return;
  }
  std::copy_n(work.global, 3, result->global);
  std::copy_n(work.local, 3, result->local);
  launch_kernel(kernel, *queue_, work, problem_->launch_arguments(), {}, event);
}

// Some drivers compile for a local size at its first launch, which then does not begin before that
// is done. NVIDIA's has compiled all when a build ends.
bool Executor::begins(const backend::EventRef& event, uint64_t limit_ns) {
  if (event == nullptr || strstr(queue_->device().info().vendor, "NVIDIA") != nullptr) return true;
  const Deadline deadline(limit_ns);
  while (event->state() > NETCL_EVENT_RUNNING) {
    if (deadline.passed()) return false;
    // In slices, since only its end can be waited for.
    event->wait(Deadline(std::min(deadline.left(), kSliceNs)));
  }
  return true;
}

// One run from a first state to the end; false when it has an outcome.
bool Executor::run_once(const Job& job, const Job& rules, uint64_t seed, uint32_t round,
                        Candidate* candidate) {
  JobResult& result = candidate->result;
  problem_->prepare(seed, round);
  queue_->finish(Deadline(NETCL_WAIT_FOREVER));
  timing::Timer timer(queue_);
  netcl_elapsed elapsed = NETCL_ELAPSED_INIT;
  const char* what = "the run";
  const char* verb = "end";
  uint64_t limit_ns = rules.run_limit_ns();
  uint64_t begin_ns = rules.limits.compile_ns;
  backend::EventRef event;
  const auto await_begin = [&] {
    verb = "begin";
    std::swap(limit_ns, begin_ns);
    if (!begins(event, limit_ns)) fail(NETCL_ERROR_TIMEOUT, "it");
    std::swap(limit_ns, begin_ns);
    verb = "end";
  };
  try {
    if (candidate->setup != nullptr) {
      what = "the set-up run";
      JobResult unused;
      launch(job, *candidate->setup, job.setup_size, &unused, &event);
      if (unused.outcome != NETCL_OUTCOME_UNKNOWN) {
        set(&result, unused.outcome, "set-up: " + unused.message);
        return false;
      }
      await_begin();
      if (!queue_->finish(Deadline(limit_ns))) fail(NETCL_ERROR_TIMEOUT, "it");
      what = "the run";
    }
    timer.start();
    event = nullptr;
    launch(job, *candidate->kernel, job.size, &result, &event);
    await_begin();
    timer.stop(Deadline(candidate->going() ? limit_ns : NETCL_WAIT_FOREVER), &elapsed);
  } catch (const Error& error) {
    problem_->distrust();
    if (error.status() == NETCL_ERROR_TIMEOUT) {
      stuck_ = true;
      set(&result, NETCL_OUTCOME_HANG,
          format("%s did not %s within %.3g s", what, verb, static_cast<double>(limit_ns) / 1e9));
    } else if (error.status() == NETCL_ERROR_CANCELLED) {
      stuck_ = true;
      set(&result, NETCL_OUTCOME_CANCELLED, error.message());
    } else {
      set(&result, NETCL_OUTCOME_RUNTIME, std::string(what) + ": " + error.message());
    }
    return false;
  }
  if (!candidate->going()) return false;
  if (result.first_run_ns == 0) result.first_run_ns = std::max<uint64_t>(elapsed.busy_ns, 1);
  const std::string damage = problem_->damage(candidate->kernel->facts());
  if (damage.empty()) return true;
  set(&result, NETCL_OUTCOME_GUARD, damage + " (" + seed_text(seed) + ")");
  return false;
}

Executor::Outputs Executor::outputs() {
  const std::vector<JobArgument>& arguments = problem_->arguments();
  Outputs all(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].kind != JobArgument::Kind::tensor) continue;
    if (arguments[i].access != JobArgument::Access::in) all[i] = problem_->read(i);
  }
  return all;
}

// The outputs that are right for a seed; null when there is nothing to compare with.
const Executor::Outputs* Executor::reference(const Job& job, const Job& rules, uint64_t seed,
                                             uint32_t round) {
  if (job.reference.job == nullptr) return nullptr;
  const Job& right = *job.reference.job;
  const std::string key =
      hex_text(job_hash(right)) + format(" %llu", static_cast<unsigned long long>(seed));
  if (const auto known = references_.find(key); known != references_.end()) return &known->second;
  Candidate candidate;
  build(right, &candidate);
  if (candidate.going()) run_once(right, rules, seed, round, &candidate);
  if (!candidate.going()) {
    fail(NETCL_ERROR_LAUNCH_FAILURE, "the reference %s does not run: %s", right.kernel.c_str(),
         candidate.result.message.c_str());
  }
  return &references_.emplace(key, outputs()).first->second;
}

// True when every output is right.
bool Executor::compare(const Job& job, const Outputs& want, uint32_t round, uint64_t seed,
                       Candidate* candidate) {
  for (size_t i = 0; i < job.arguments.size(); ++i) {
    const JobArgument& argument = job.arguments[i];
    if (argument.kind != JobArgument::Kind::tensor || argument.access == JobArgument::Access::in ||
        want[i].size() != argument.byte_count()) {
      continue;
    }
    const std::string got = problem_->read(i);
    const auto difference = describe_difference(argument, got.data(), want[i].data(), round);
    if (!difference.has_value()) continue;
    set(&candidate->result, NETCL_OUTCOME_CORRECTNESS,
        problem_->name_of(i, &candidate->kernel->facts()) + ": " + *difference + " (" +
            seed_text(seed) + ")");
    return false;
  }
  return true;
}

// The same run once more has to give the same bits.
void Executor::repeat(const Job& job, const Job& rules, Candidate* candidate) {
  const Outputs first = outputs();
  if (!run_once(job, rules, rules.seeds.front(), 0, candidate)) return;
  candidate->result.deterministic = outputs() == first;
}

void Executor::check(std::span<const Job> jobs, size_t index, Candidate* candidate,
                     Observer& observer) {
  const Job& rules = jobs.front();
  const Job& job = jobs[index];
  for (size_t s = 0; s < rules.seeds.size() && candidate->going(); ++s) {
    if (observer.cancelled()) {
      set(&candidate->result, NETCL_OUTCOME_CANCELLED, "cancelled before it was checked");
      return;
    }
    const uint64_t seed = rules.seeds[s];
    const auto round = static_cast<uint32_t>(s);
    observer.phase(Phase::prepare, index);
    const Outputs* want = reference(job, rules, seed, round);
    Outputs given;
    for (const Reference::Outputs& set : job.reference.given) {
      if (set.seed != seed) continue;
      for (const Bytes& bytes : set.outputs) given.push_back(bytes == nullptr ? "" : *bytes);
      want = &given;
    }
    observer.phase(Phase::run, index);
    if (!run_once(job, rules, seed, round, candidate)) return;
    if (want != nullptr && !compare(job, *want, round, seed, candidate)) return;
    if (s == 0 && rules.repeat) repeat(job, rules, candidate);
  }
}

// After each run of candidate `place`: says whether the rest can be saved.
void Executor::finish_timing(const Job& rules, std::span<const size_t> timed, size_t place,
                             std::vector<Candidate>* candidates, Observer& observer, bool* over) {
  JobResult& result = (*candidates)[timed[place]].result;
  if (observer.cancelled()) {
    for (const size_t i : timed) {
      set(&(*candidates)[i].result, NETCL_OUTCOME_CANCELLED, "cancelled while it was timed");
    }
    *over = true;
    return;
  }
  if (timed.size() > 1 || rules.limits.best_ns <= 0) return;
  const netcl_statistics& statistics = result.statistics;
  if (statistics.count < kSlowSamples) return;
  if (statistics.interval_low <= rules.limits.slow_factor * rules.limits.best_ns) return;
  set(&result, NETCL_OUTCOME_SLOW,
      format("cut after %llu samples: at least %s, the best takes %s",
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

void Executor::time(std::span<const Job> jobs, std::vector<Candidate>* candidates,
                    Observer& observer) {
  const Job& rules = jobs.front();
  std::vector<size_t> timed;
  for (size_t i = 0; i < jobs.size(); ++i) {
    if ((*candidates)[i].going()) timed.push_back(i);
  }
  if (timed.empty()) return;
  netcl_measurement_options options = rules.timing;
  options.candidates = static_cast<uint32_t>(timed.size());
  observer.phase(Phase::prepare, timed.front());
  problem_->prepare(rules.seeds.front(), 0);
  timing::Measurement measurement(queue_, options);
  size_t set_up = SIZE_MAX;
  measurement.set_before_run([&](uint32_t place) {
    const size_t index = timed[place];
    observer.phase(Phase::time, index);
    problem_->restore_inout();
    Candidate& candidate = (*candidates)[index];
    if (candidate.setup == nullptr || set_up == index) return;
    JobResult unused;
    launch(jobs[index], *candidate.setup, jobs[index].setup_size, &unused);
    set_up = index;
  });
  uint32_t place = 0;
  bool over = false;
  try {
    while (!over) {
      uint64_t iterations = 0;
      const uint32_t before = place;
      measurement.next(&place, &iterations);
      for (const size_t p : {static_cast<size_t>(before), static_cast<size_t>(place)}) {
        measurement.statistics(static_cast<uint32_t>(p),
                               &(*candidates)[timed[p]].result.statistics);
      }
      if (iterations == 0) break;
      finish_timing(rules, timed, before, candidates, observer, &over);
      Candidate& candidate = (*candidates)[timed[place]];
      for (uint64_t i = 0; i < iterations && !over; ++i) {
        // Very many short ones may take longer than one run is allowed to.
        if (i % kLaunchesPerReport == kLaunchesPerReport - 1) {
          observer.phase(Phase::time, timed[place]);
        }
        launch(jobs[timed[place]], *candidate.kernel, jobs[timed[place]].size, &candidate.result);
      }
    }
  } catch (const Error& error) {
    // The one that was under way; the others have no sound times either.
    if (error.status() == NETCL_ERROR_INVALID_ARGUMENT) throw;
    const bool cancelled = error.status() == NETCL_ERROR_CANCELLED;
    for (size_t p = 0; p < timed.size(); ++p) {
      if (p != place && !cancelled) continue;
      set(&(*candidates)[timed[p]].result,
          cancelled ? NETCL_OUTCOME_CANCELLED : NETCL_OUTCOME_RUNTIME,
          "while it was timed: " + error.message());
    }
  }
  take_samples(measurement, timed, candidates);
}

void Executor::require_fit(const Job& job) {
  if (stuck_) {
    // The earlier run may have come to its end after all.
    stuck_ = !queue_->finish(Deadline(0));
  }
  if (stuck_) return;
  problem_for(job);
}

std::vector<JobResult> Executor::run(std::span<const Job> jobs, Observer& observer) {
  std::vector<Candidate> candidates(jobs.size());
  if (jobs.empty()) return {};
  const Job& rules = jobs.front();
  for (size_t i = 0; i < jobs.size(); ++i) {
    observer.phase(Phase::compile, i);
    if (observer.cancelled()) {
      set(&candidates[i].result, NETCL_OUTCOME_CANCELLED, "cancelled before it was compiled");
      continue;
    }
    build(jobs[i], &candidates[i]);
  }
  const bool any = std::any_of(candidates.begin(), candidates.end(),
                               [](const Candidate& c) { return c.going(); });
  if (any && rules.until != Job::Until::built) {
    observer.phase(Phase::device, 0);
    require_fit(rules);
    for (size_t i = 0; i < jobs.size(); ++i) {
      Candidate& candidate = candidates[i];
      if (!candidate.going()) continue;
      if (stuck_) {
        set(&candidate.result, NETCL_OUTCOME_HANG, "an earlier candidate still runs on the queue");
        continue;
      }
      check(jobs, i, &candidate, observer);
      const double first = static_cast<double>(candidate.result.first_run_ns);
      if (candidate.going() && jobs.size() == 1 && rules.limits.best_ns > 0 &&
          first > kSlowFirst * rules.limits.best_ns + kSlowFirstNs) {
        set(&candidate.result, NETCL_OUTCOME_SLOW,
            format("its first run took %s, the best takes %s", timing::time_text(first).c_str(),
                   timing::time_text(rules.limits.best_ns).c_str()));
      }
    }
    if (rules.until == Job::Until::timed && !stuck_) time(jobs, &candidates, observer);
  }
  std::vector<JobResult> results;
  for (Candidate& candidate : candidates) {
    if (candidate.going()) candidate.result.outcome = NETCL_OUTCOME_CORRECT;
    results.push_back(std::move(candidate.result));
  }
  return results;
}

}  // namespace netcl::tune
