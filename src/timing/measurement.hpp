// A loop that times work of the caller: warm-up, samples of candidates that take turns, rules for
// the end.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "core/function_ref.hpp"
#include "timing/cache_flush.hpp"
#include "timing/command_log.hpp"
#include "timing/split_mix.hpp"

namespace netcl::timing {

class Measurement {
 public:
  // Options as the caller gave them, their struct_size apart; fails with INVALID_ARGUMENT naming a
  // member.
  Measurement(QueueRef queue, const netcl_measurement_options& options);
  ~Measurement();
  Measurement(const Measurement&) = delete;
  Measurement& operator=(const Measurement&) = delete;

  // Called at the beginning of each run, before what counts: work that it enqueues is neither timed
  // nor counted. Set before the first run.
  void set_before_run(std::function<void(uint32_t candidate)> function) {
    before_run_ = std::move(function);
  }
  // Called when a run is over and its time is taken, before the next one is prepared. Set before
  // the first run.
  void set_after_run(std::function<void(uint32_t candidate)> function) {
    after_run_ = std::move(function);
  }
  // Between two iterations of a run: what `work` enqueues is neither timed nor counted. Only where
  // the time is that of the commands alone; elsewhere runs have to be single.
  void aside(FunctionRef<void()> work);
  bool can_step_aside() const noexcept { return options_.source == NETCL_TIME_DEVICE_BUSY; }
  // Every run has one iteration, however coarse the clock is. Set before the first run.
  void set_single_runs() noexcept { single_runs_ = true; }
  // Ends the run before and begins the next; *iterations is 0 when there is none.
  void next(uint32_t* candidate, uint64_t* iterations);
  void statistics(uint32_t candidate, netcl_statistics* statistics) const;
  // Copies at most `capacity` samples; gives how many there are.
  uint64_t samples(uint32_t candidate, double* samples, uint64_t capacity) const;
  void compare(uint32_t first, uint32_t second, netcl_comparison* comparison) const;

 private:
  struct Candidate {
    std::vector<double> samples;
    std::vector<double> warm_samples;  // the last few
    bool warm = false;
    uint64_t iterations = 1;
    uint64_t warm_runs = 0;
    uint64_t warm_ns = 0;
    uint64_t spent_ns = 0;    // since the first sample
    uint64_t next_check = 0;  // samples at which precision is looked at again
    Work work;                // of one iteration
    netcl_stop_reason stop = NETCL_STOP_RUNNING;
  };

  const Candidate& candidate_of(uint32_t index, const char* argument) const;
  bool from_device() const noexcept { return options_.source != NETCL_TIME_HOST; }
  void begin_run();
  void end_run();
  double finish_run();
  void after_warm_run(Candidate* candidate, double sample, uint64_t spent);
  bool grow_batch(Candidate* candidate) const;
  void after_sample(Candidate* candidate, double sample, uint64_t spent);
  bool take_turn();
  void close(netcl_stop_reason reason);

  mutable std::mutex mutex_;
  QueueRef queue_;
  netcl_measurement_options options_;
  uint64_t resolution_ns_;
  Random random_;
  CommandLog log_;
  std::unique_ptr<CacheFlush> flush_;
  bool flush_proven_ = false;
  bool times_held_ = false;
  bool over_ = false;
  bool running_ = false;
  bool single_runs_ = false;
  std::function<void(uint32_t)> before_run_;
  std::function<void(uint32_t)> after_run_;
  uint64_t turn_begin_ns_ = 0;  // with the flush
  uint64_t run_begin_ns_ = 0;
  uint32_t current_ = 0;
  std::vector<Candidate> candidates_;
  std::vector<uint32_t> turns_;  // of this round, the next one last
};

// The smallest step of the host's clock, as far as a program can see it.
uint64_t host_clock_resolution();

}  // namespace netcl::timing
