#include "device/device_lock.hpp"
#include "tune/execute.hpp"
#include "tune/runner.hpp"

namespace netcl::tune {

std::vector<Job> prepare_jobs(std::span<const Job> jobs) {
  std::vector<Job> prepared(jobs.begin(), jobs.end());
  for (Job& job : prepared) prepare_job(&job);
  for (size_t i = 1; i < prepared.size(); ++i) {
    if (!(problem_hash(prepared[i].arguments) == problem_hash(prepared[0].arguments))) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "job %zu has other arguments than job 0; only jobs over "
           "the same ones can take turns",
           i);
    }
  }
  return prepared;
}

void fail_distrusted(const Job& reference) {
  fail(NETCL_ERROR_LAUNCH_FAILURE,
       "the reference %s does not give the same outputs twice: nothing can be compared with it",
       reference.kernel.c_str());
}

namespace {

class InProcessRunner final : public Runner, private Observer {
 public:
  InProcessRunner(QueueRef queue, const RunnerOptions& options)
      : options_(options), executor_(queue) {
    if (options.lock) {
      lock_ = std::make_unique<DeviceLock>(queue->device(), options.lock_path);
    }
  }

  JobResult run(const Job& job) override { return std::move(race({&job, 1}).front()); }

  std::vector<JobResult> race(std::span<const Job> jobs) override {
    const std::vector<Job> prepared = prepare_jobs(jobs);
    if (prepared.empty()) return {};
    cancel_ = prepared.front().limits.cancel;
    const Release release{lock_.get()};
    std::vector<JobResult> results = executor_.run(prepared, *this);
    if (!executor_.distrusted()) return results;
    // Something that ran before has changed what all depend on: they are judged again, on new
    // memory.
    executor_.start_anew();
    results = executor_.run(prepared, *this);
    if (executor_.distrusted()) fail_distrusted(*prepared.front().reference.job);
    return results;
  }

  bool isolated() const noexcept override { return false; }

 private:
  struct Release {
    DeviceLock* lock;
    ~Release() {
      if (lock != nullptr) lock->release();
    }
  };

  void phase(Phase phase, size_t) override {
    if (phase != Phase::device || lock_ == nullptr) return;
    // When it was cancelled meanwhile the next look finds that out.
    lock_->acquire(Deadline(options_.lock_timeout_ns), [this] { return cancelled(); });
  }
  bool cancelled() override {
    return cancel_ != nullptr && cancel_->load(std::memory_order_relaxed);
  }

  RunnerOptions options_;
  Executor executor_;
  std::unique_ptr<DeviceLock> lock_;
  const std::atomic<bool>* cancel_ = nullptr;
};

}  // namespace

std::unique_ptr<Runner> make_in_process_runner(QueueRef queue, const RunnerOptions& options) {
  return std::make_unique<InProcessRunner>(std::move(queue), options);
}

}  // namespace netcl::tune
