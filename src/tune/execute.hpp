// What happens to a job: build, check on every seed, time, check again. The in-process runner and
// the worker both do it here.
//
// A candidate may try to look fast, and one that writes where it may not makes others look wrong.
// So outputs are filled with a pattern before every run, timed ones too; parts of them are looked
// at after every timed run, and all of them, with all inputs and guard zones, when timing is over;
// then it runs once more on contents that it was not timed on. When a race was harmed each of its
// candidates is timed alone, which tells who did it. A candidate is wrong only when the reference,
// run again, still agrees with itself.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "kernel/kernel.hpp"
#include "timing/measurement.hpp"
#include "timing/split_mix.hpp"
#include "tune/compare.hpp"
#include "tune/local_memory.hpp"
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
  // True after a run in which the reference did not agree with itself: no result of it holds.
  bool distrusted() const noexcept { return distrusted_; }
  // Forgets all memory and references.
  void start_anew();
  // A problem of its own for the caller; the one of the last jobs is kept here.
  Problem& problem_for(const Job& job);

 private:
  // Of each argument its bytes, empty for what is no output, and how near they have to be.
  struct Outputs {
    std::vector<std::string> bytes;
    std::vector<Bounds> bounds;
  };
  struct Candidate {
    std::shared_ptr<Kernel> kernel;
    std::shared_ptr<Kernel> setup;
    bool uses_local_memory = false;
    Outputs given;  // the reference of the seed at hand, where a caller gave it
    Outputs own;    // of the first run, where there is no reference
    JobResult result;
    bool going() const noexcept { return result.outcome == NETCL_OUTCOME_UNKNOWN; }
    void end(netcl_outcome outcome, std::string message) {
      result.outcome = outcome;
      result.message = std::move(message);
    }
  };

  void build(const Job& job, Candidate* candidate);
  void check(std::span<const Job> jobs, size_t index, Candidate* candidate, Observer& observer);
  bool run_once(const Job& job, const Job& rules, uint64_t seed, uint32_t round,
                Candidate* candidate);
  void launch(const Job& job, Kernel& kernel, const JobSize& size, JobResult* result,
              backend::EventRef* event = nullptr);
  bool begins(const backend::EventRef& event, uint64_t limit_ns);
  bool check_seed(std::span<const Job> jobs, size_t index, size_t turn, Candidate* candidate,
                  Observer& observer);
  std::string difference(const Job& job, const Outputs& want, uint32_t round,
                         const Candidate& candidate);
  void convict(const Job& job, const Job& rules, uint64_t seed, uint32_t round,
               const std::string& message, Candidate* candidate);
  bool set_up_does_all(const Job& job, const Job& rules, const Outputs& want, Candidate* candidate);
  bool reference_holds(const Job& job, const Job& rules, uint64_t seed, uint32_t round);
  void repeat(const Job& job, const Job& rules, Candidate* candidate);
  Outputs outputs();  // without bounds
  Outputs first_state(uint64_t seed, uint32_t round);
  static void add_bounds(const std::vector<JobArgument>& arguments, const Outputs* before,
                         Outputs* outputs);
  static bool changes(const JobArgument& argument, size_t place, const Outputs& before,
                      const Outputs& left, uint32_t round);
  static void require_effect(const Job& reference, const Outputs& before, const Outputs& left,
                             uint32_t round);
  void require_effect_on_all(const Job& job, const Outputs& before, const Outputs& given,
                             uint64_t seed, uint32_t round,
                             const backend::KernelFacts& facts) const;
  const Outputs& reference(const Job& job, const Job& rules, uint64_t seed, uint32_t round);
  const Outputs* wanted(const Job& job, const Job& rules, uint64_t seed, uint32_t round,
                        Candidate* candidate);
  void refresh(const Job& job, Candidate* candidate);
  void time(std::span<const Job> jobs, std::vector<Candidate>* candidates, Observer& observer);
  std::string time_together(std::span<const Job> jobs, std::span<const size_t> timed,
                            std::vector<Candidate>* candidates, Observer& observer);
  void take_turns(std::span<const Job> jobs, std::span<const size_t> timed,
                  timing::Measurement* measurement, const std::string& trouble,
                  std::vector<Candidate>* candidates, Observer& observer);
  std::string spot_difference(const Job& job, const Outputs& want, const Candidate& candidate);
  void finish_timing(const Job& rules, std::span<const size_t> timed, size_t place,
                     std::vector<Candidate>* candidates, Observer& observer, bool* over);
  static void take_samples(const timing::Measurement& measurement, std::span<const size_t> timed,
                           std::vector<Candidate>* candidates);
  void require_fit(const Job& job);

  QueueRef queue_;
  bool stuck_ = false;
  bool distrusted_ = false;
  Hash128 problem_key_;
  std::unique_ptr<Problem> problem_;
  // Of the problem, by the hash of the reference job and the seed.
  std::map<std::string, Outputs> references_;
  LocalMemory local_memory_;
  timing::Random random_;  // which parts are looked at, unknown to candidates
};

// Text that says which contents a run was on: "seed 2".
std::string seed_text(uint64_t seed);

}  // namespace netcl::tune
