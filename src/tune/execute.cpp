#include "tune/execute.hpp"

#include <algorithm>
#include <cstring>

#include "core/number.hpp"
#include "core/utf8.hpp"
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

}  // namespace

std::string seed_text(uint64_t seed) {
  return format("seed %llu", static_cast<unsigned long long>(seed));
}

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

Executor::Executor(QueueRef queue) : queue_(std::move(queue)), random_(monotonic_ns()) {
  queue_->device().require_opencl("a candidate kernel in OpenCL C");
}
Executor::~Executor() = default;

void Executor::start_anew() {
  problem_.reset();
  references_.clear();
}

Problem& Executor::problem_for(const Job& job) {
  const Hash128 key = problem_hash(job.arguments);
  if (problem_ == nullptr || !(key == problem_key_)) {
    start_anew();
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
    candidate->end(build_outcome(error), error.message());
  }
  result.compile_ns = std::max<uint64_t>(monotonic_ns() - begin, 1);
  if (candidate->kernel == nullptr) return;
  result.build_log = utf8_prefix(candidate->kernel->build_log(), kLogBytes);
  if (!candidate->kernel->built()) return;
  const backend::KernelFacts& facts = candidate->kernel->facts();
  candidate->uses_local_memory = LocalMemory::used_by(job, *candidate->kernel);
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
    result->outcome = NETCL_OUTCOME_CONSTRAINTS;
    result->message = error.message();
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
  if (candidate->uses_local_memory) local_memory_.overwrite(queue_, round);
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
        candidate->end(unused.outcome, "set-up: " + unused.message);
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
      candidate->end(NETCL_OUTCOME_HANG,
                     format("%s did not %s within %s s", what, verb,
                            general_text(static_cast<double>(limit_ns) / 1e9, 3).c_str()));
    } else if (error.status() == NETCL_ERROR_CANCELLED) {
      stuck_ = true;
      candidate->end(NETCL_OUTCOME_CANCELLED, error.message());
    } else {
      candidate->end(NETCL_OUTCOME_RUNTIME, std::string(what) + ": " + error.message());
    }
    return false;
  }
  if (!candidate->going()) return false;
  if (result.first_run_ns == 0) result.first_run_ns = std::max<uint64_t>(elapsed.busy_ns, 1);
  const std::string damage = problem_->damage(candidate->kernel->facts());
  if (damage.empty()) return true;
  candidate->end(NETCL_OUTCOME_GUARD, damage + " (" + seed_text(seed) + ")");
  return false;
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
  distrusted_ = false;
  if (jobs.empty()) return {};
  const Job& rules = jobs.front();
  for (size_t i = 0; i < jobs.size(); ++i) {
    observer.phase(Phase::compile, i);
    if (observer.cancelled()) {
      candidates[i].end(NETCL_OUTCOME_CANCELLED, "cancelled before it was compiled");
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
        candidate.end(NETCL_OUTCOME_HANG, "an earlier candidate still runs on the queue");
        continue;
      }
      if (distrusted_) break;
      check(jobs, i, &candidate, observer);
      const double first = static_cast<double>(candidate.result.first_run_ns);
      if (candidate.going() && jobs.size() == 1 && rules.limits.best_ns > 0 &&
          first > kSlowFirst * rules.limits.best_ns + kSlowFirstNs) {
        candidate.end(NETCL_OUTCOME_SLOW, format("its first run took %s, the best takes %s",
                                                 timing::time_text(first).c_str(),
                                                 timing::time_text(rules.limits.best_ns).c_str()));
      }
    }
    if (rules.until == Job::Until::timed && !stuck_ && !distrusted_)
      time(jobs, &candidates, observer);
  }
  std::vector<JobResult> results;
  for (Candidate& candidate : candidates) {
    if (candidate.going() && !distrusted_) candidate.result.outcome = NETCL_OUTCOME_CORRECT;
    results.push_back(std::move(candidate.result));
  }
  return results;
}

}  // namespace netcl::tune
