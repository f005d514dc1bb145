// The isolated benchmark: candidates in the worker and a baseline in this process, over arguments
// that come from one record.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "core/function_ref.hpp"
#include "device/device_lock.hpp"
#include "timing/measurement.hpp"
#include "tune/problem.hpp"
#include "tune/runner.hpp"

namespace netcl::tune {

struct BenchmarkOptions {
  RunnerOptions runner;
  uint64_t compile_limit_ns = 0;  // 0: a job's default
  uint64_t run_limit_ns = 0;
  uint64_t seed = 0;
  uint32_t rounds = 2;
};

// One call at a time: a second one, or one out of a callback, is BUSY.
class Benchmark {
 public:
  Benchmark(DeviceRef device, const BenchmarkOptions& options);

  // The record grows until it is first used; afterwards this is INVALID_ARGUMENT.
  void add(JobArgument argument);

  const QueueRef& queue() const noexcept { return queue_; }
  Device& device() const noexcept { return *device_; }
  TensorRef tensor(uint32_t index);
  // Brings this process's arguments into their first state for a round.
  void prepare(uint32_t round);
  // What the outputs hold now is right for a round.
  void keep(uint32_t round);
  // Runs the baseline once for each round, keeps its outputs, and times it. The measurement that
  // comes back is over and has the samples.
  using MeasurementRef = std::shared_ptr<timing::Measurement>;
  MeasurementRef time_baseline(FunctionRef<void()> work, const netcl_measurement_options& options,
                               netcl_statistics* statistics);
  // The same with a launch over the arguments of the record.
  MeasurementRef time_baseline(Kernel& kernel, const uint64_t* global, uint32_t global_count,
                               const uint64_t* local, uint32_t local_count,
                               const netcl_measurement_options& options,
                               netcl_statistics* statistics);
  void set_baseline(const netcl_statistics& statistics);

  // Runs a candidate, whose arguments, seeds and reference are filled in. The speed-up is 0 when
  // there is no baseline or no time.
  const JobResult& run(const std::string& name, Job job, double* speedup);

  std::string build_log() const;
  std::string json() const;

 private:
  struct Entry {
    std::string name;
    JobResult result;
    double speedup = 0;
  };
  class Use;

  Problem& problem();
  void check_round(uint32_t round) const;
  void keep_outputs(uint32_t round);
  MeasurementRef measure(FunctionRef<void()> work, const netcl_measurement_options& options,
                         netcl_statistics* statistics);
  uint64_t seed_of(uint32_t round) const { return options_.seed + round; }

  DeviceRef device_;
  QueueRef queue_;
  BenchmarkOptions options_;
  std::unique_ptr<Runner> runner_;
  std::unique_ptr<DeviceLock> lock_;  // for the baseline; the runner has its own
  std::vector<JobArgument> arguments_;
  std::unique_ptr<Problem> problem_;
  std::vector<Reference::Outputs> kept_;
  bool has_baseline_ = false;
  netcl_statistics baseline_ = NETCL_STATISTICS_INIT;
  std::vector<Entry> entries_;
  mutable std::atomic<bool> in_use_{false};
};

}  // namespace netcl::tune
