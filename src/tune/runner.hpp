// Runners execute jobs.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "queue/queue.hpp"
#include "tune/job.hpp"

namespace netcl::tune {

struct RunnerOptions {
  std::string worker_path;  // empty: NETCL_WORKER, then beside the library
  std::string temp_dir;     // the worker's working folder and where its output goes; empty: none
  std::string lock_path;    // empty: one file per device in the cache directory
  bool lock = true;         // one user of a device at a time
  uint32_t worker_id = 0;   // tells several users apart in messages and in temp_dir
  uint64_t lock_timeout_ns = uint64_t{900} * 1000000000;
  uint64_t start_timeout_ns = uint64_t{60} * 1000000000;  // of a worker, drivers included
};

// Not for several threads at once; only Limits::cancel may be set from another one.
class Runner {
 public:
  virtual ~Runner() = default;

  // Builds a job, checks it and times it. Whatever is wrong with the candidate is an outcome. What
  // is wrong with the request or the place throws: INVALID_ARGUMENT for a job that nobody can run,
  // UNSUPPORTED without a worker, OUT_OF_DEVICE_MEMORY when the arguments do not fit, BUSY when
  // somebody else holds the device, LAUNCH_FAILURE when the reference itself does not run.
  virtual JobResult run(const Job& job) = 0;

  // The same for several jobs over the same arguments, which take turns when they are timed, so
  // that a drift of the clock is no advantage of one. Seeds, timing and limits are those of the
  // first; best_ns plays no part.
  virtual std::vector<JobResult> race(std::span<const Job> jobs) = 0;

  // True when a candidate cannot harm this process.
  virtual bool isolated() const noexcept = 0;
};

// Copies of jobs that are ready to run, see prepare_job; INVALID_ARGUMENT when their arguments
// differ.
std::vector<Job> prepare_jobs(std::span<const Job> jobs);

// What a runner does when the reference of a job does not agree with itself even where nothing else
// ran: LAUNCH_FAILURE.
[[noreturn]] void fail_distrusted(const Job& reference);

// Runs jobs on a queue of this process. A kernel that writes at random may end the process, and one
// that never ends blocks the queue: the job is a hang, and so is every later one.
std::unique_ptr<Runner> make_in_process_runner(QueueRef queue, const RunnerOptions& options);

// Runs jobs in a worker process of its own, which is started at the first job and again after it
// died or had to be killed. UNSUPPORTED naming the paths that were tried when there is no worker,
// and on the built-in device, which runs no OpenCL C.
std::unique_ptr<Runner> make_worker_runner(DeviceRef device, const RunnerOptions& options);

}  // namespace netcl::tune
