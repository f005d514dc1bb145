// What happens to a job: build, check on every seed, time. The in-process runner and the worker
// both do it here.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "kernel/kernel.hpp"
#include "timing/measurement.hpp"
#include "tune/phase.hpp"
#include "tune/problem.hpp"

namespace netcl::tune {

// Who follows a job.
class Observer {
 public:
  virtual ~Observer() = default;
  // A phase of jobs[index] begins, or has come a step further. Before `device` returns, the device
  // is this job's alone.
  virtual void phase(Phase phase, size_t index) = 0;
  virtual bool cancelled() = 0;
};

// The kernel specification of a job whose source was read.
KernelSpec job_kernel_spec(const Device& device, const Job& job, const std::string& kernel);

// Not for several threads at once.
class Executor {
 public:
  // UNSUPPORTED on the built-in device.
  explicit Executor(QueueRef queue);
  ~Executor();

  // Jobs were prepared and have the same arguments; seeds, timing and limits are those of the
  // first. What is wrong with a candidate is its outcome, all else throws.
  std::vector<JobResult> run(std::span<const Job> jobs, Observer& observer);

  // True after a run that did not end: the queue is blocked for good.
  bool stuck() const noexcept { return stuck_; }
  // A problem of its own for the caller; the one of the last jobs is kept here.
  Problem& problem_for(const Job& job);

 private:
  struct Candidate;
  using Outputs = std::vector<std::string>;

  void build(const Job& job, Candidate* candidate);
  void check(std::span<const Job> jobs, size_t index, Candidate* candidate, Observer& observer);
  bool run_once(const Job& job, const Job& rules, uint64_t seed, uint32_t round,
                Candidate* candidate);
  void launch(const Job& job, Kernel& kernel, const JobSize& size, JobResult* result,
              backend::EventRef* event = nullptr);
  bool begins(const backend::EventRef& event, uint64_t limit_ns);
  bool compare(const Job& job, const Outputs& want, uint32_t round, uint64_t seed,
               Candidate* candidate);
  void repeat(const Job& job, const Job& rules, Candidate* candidate);
  Outputs outputs();
  const Outputs* reference(const Job& job, const Job& rules, uint64_t seed, uint32_t round);
  void time(std::span<const Job> jobs, std::vector<Candidate>* candidates, Observer& observer);
  void finish_timing(const Job& rules, std::span<const size_t> timed, size_t place,
                     std::vector<Candidate>* candidates, Observer& observer, bool* over);
  static void take_samples(const timing::Measurement& measurement, std::span<const size_t> timed,
                           std::vector<Candidate>* candidates);
  void require_fit(const Job& job);

  QueueRef queue_;
  bool stuck_ = false;
  Hash128 problem_key_;
  std::unique_ptr<Problem> problem_;
  // Of the problem, by the hash of the reference job and the seed.
  std::map<std::string, Outputs> references_;
};

}  // namespace netcl::tune
