#include <algorithm>
#include <map>

#include "core/build_id.hpp"
#include "core/log.hpp"
#include "core/number.hpp"
#include "device/device_lock.hpp"
#include "tune/execute.hpp"
#include "tune/phase.hpp"
#include "tune/runner.hpp"
#include "tune/wire.hpp"
#include "tune/worker_path.hpp"
#include "tune/worker_process.hpp"
#include "tune/worker_protocol.hpp"
#include "tune/worker_reply.hpp"

#include <unistd.h>

namespace netcl::tune {

namespace {

using Got = WorkerProcess::Got;

constexpr uint32_t kDeathsMost = 3;
constexpr uint64_t kSendNs = 60000000000;

// How a try of some jobs in a worker came out.
struct Attempt {
  bool complete = false;
  std::vector<JobResult> results;  // complete
  bool stuck = false;              // complete: the last one never ended
  bool distrusted = false;         // complete: its reference did not agree with itself
  // Not complete: where it broke off, and why.
  size_t index = 0;
  Phase phase = Phase::compile;
  size_t last_run = SIZE_MAX;  // the job that ran last
  netcl_outcome outcome = NETCL_OUTCOME_UNKNOWN;
  std::string message;
};

}  // namespace

class WorkerRunner final : public Runner {
 public:
  WorkerRunner(DeviceRef device, const RunnerOptions& options)
      : device_(std::move(device)), options_(options) {
    device_->require_opencl("a candidate kernel in OpenCL C");
    if (options_.lock) lock_ = std::make_unique<DeviceLock>(*device_, options_.lock_path);
    path_ = find_worker(options_.worker_path);
  }

  JobResult run(const Job& job) override { return std::move(race({&job, 1}).front()); }
  std::vector<JobResult> race(std::span<const Job> jobs) override;
  bool isolated() const noexcept override { return true; }

 private:
  struct Deaths {
    uint32_t count = 0;
    netcl_outcome outcome = NETCL_OUTCOME_UNKNOWN;
    std::string message;
  };

  Attempt attempt(std::span<const Job> jobs);
  static bool in_doubt(std::span<const Job> jobs, const Attempt& attempt);
  Attempt follow(std::span<const Job> jobs);
  void break_off(const Job& rules, Got got, bool lost, Attempt* attempt);
  bool follow_phase(const WorkerReply& reply, Attempt* attempt);
  size_t culprit(std::span<const Job> jobs, const Attempt& attempt) const;
  void blame(const Job& job, const Attempt& attempt, JobResult* result);
  std::vector<size_t> admit(std::span<const Job> jobs, std::vector<JobResult>* results) const;
  void start();
  void greet(const Deadline& deadline);
  WorkerReply expect(const Deadline& deadline, WorkerReply::Kind kind);
  [[noreturn]] void fail_start(Got got, const char* what);
  Got send_jobs(std::span<const Job> jobs);
  void stop() noexcept;
  bool cancelled() const { return cancel_ != nullptr && cancel_->load(std::memory_order_relaxed); }

  DeviceRef device_;
  RunnerOptions options_;
  std::string path_;
  std::unique_ptr<DeviceLock> lock_;
  std::unique_ptr<WorkerProcess> worker_;
  bool fresh_ = false;                // it has run nothing yet
  bool tainted_ = false;              // something that it ran was wrong
  Hash128 problem_;                   // that it ran last
  std::map<std::string, bool> sent_;  // the bytes that it has
  std::map<std::string, Deaths> deaths_;
  const std::atomic<bool>* cancel_ = nullptr;
};

void WorkerRunner::stop() noexcept {
  if (worker_ != nullptr) worker_->kill();
  worker_.reset();
  sent_.clear();
  if (lock_ != nullptr) lock_->release();
}

void WorkerRunner::fail_start(Got got, const char* what) {
  const char* why = got == Got::timeout     ? "did not answer in time"
                    : got == Got::cancelled ? "was interrupted"
                    : got == Got::damaged   ? "answers what is no message"
                                            : "ended";
  worker_->kill();
  const std::string ending = got == Got::closed ? " (" + worker_->ending() + ")" : std::string();
  const netcl_status status = got == Got::timeout     ? NETCL_ERROR_TIMEOUT
                              : got == Got::cancelled ? NETCL_ERROR_CANCELLED
                                                      : NETCL_ERROR_UNSUPPORTED;
  stop();
  fail(status, "the worker %s %s %s%s", quoted(path_.c_str(), 300).c_str(), why, what,
       ending.c_str());
}

WorkerReply WorkerRunner::expect(const Deadline& deadline, WorkerReply::Kind kind) {
  Frame frame;
  const Got got = worker_->receive(&frame, deadline, [this] { return cancelled(); });
  if (got != Got::message) fail_start(got, "at its start");
  WorkerReply reply;
  try {
    reply = reply_from_json(frame.json, 0);
  } catch (const Error&) {
    fail_start(Got::damaged, "at its start");
  }
  if (reply.kind == WorkerReply::Kind::failed) {
    stop();
    fail(reply.status, "the worker %s cannot work: %s", quoted(path_.c_str(), 300).c_str(),
         quoted(reply.text.c_str(), 500).c_str());
  }
  if (reply.kind != kind) fail_start(Got::damaged, "at its start");
  return reply;
}

void WorkerRunner::greet(const Deadline& deadline) {
  const netcl_device_info& info = device_->info();
  Json device;
  device["index"] = info.index;
  device["name"] = text_to_json(info.name);
  device["platform"] = text_to_json(info.platform_name);
  device["driver"] = text_to_json(info.driver_version);
  device["uuid"] = text_to_json(
      info.has_uuid != 0 ? std::string(reinterpret_cast<const char*>(info.uuid), sizeof info.uuid)
                         : std::string());
  Json hello;
  hello["kind"] = "hello";
  hello["protocol"] = kWorkerProtocol;
  hello["build"] = build_id();
  hello["pid"] = static_cast<uint64_t>(::getpid());
  hello["device"] = std::move(device);
  const Got got = worker_->send(hello, {}, deadline, [this] { return cancelled(); });
  if (got != Got::message) fail_start(got, "at its start");
  const std::string build = expect(deadline, WorkerReply::Kind::welcome).text;
  if (build != build_id()) {
    stop();
    fail(NETCL_ERROR_UNSUPPORTED, "the worker %s is of build %s, this library of %s",
         quoted(path_.c_str(), 300).c_str(), quoted(build.c_str()).c_str(), build_id());
  }
  (void)expect(deadline, WorkerReply::Kind::ready);
}

void WorkerRunner::start() {
  if (worker_ != nullptr) return;
  worker_ = std::make_unique<WorkerProcess>(
      WorkerProcess::Options{path_, options_.temp_dir, options_.worker_id});
  sent_.clear();
  fresh_ = true;
  tainted_ = false;
  greet(Deadline(options_.start_timeout_ns));
}

Got WorkerRunner::send_jobs(std::span<const Job> jobs) {
  Blobs blobs;
  Json run;
  run["kind"] = "run";
  run["jobs"] = Json::array();
  for (const Job& job : jobs) run["jobs"].push_back(job_to_json(job, &blobs));
  run["keep"] = Json::array();
  run["blobs"] = Json::array();
  std::vector<std::string_view> pieces;
  std::map<std::string, bool> kept;
  for (const auto& [name, bytes] : blobs) {
    run["keep"].push_back(name);
    kept[name] = true;
    if (sent_.count(name) != 0) continue;
    Json blob;
    blob["name"] = name;
    blob["size"] = bytes->size();
    run["blobs"].push_back(std::move(blob));
    pieces.emplace_back(*bytes);
  }
  const Got got = worker_->send(run, pieces, Deadline(kSendNs), [this] { return cancelled(); });
  sent_ = std::move(kept);
  return got;
}

// A phase has begun; true when the device had to be waited for.
bool WorkerRunner::follow_phase(const WorkerReply& reply, Attempt* attempt) {
  attempt->phase = reply.phase;
  attempt->index = reply.index;
  if (attempt->phase == Phase::run) attempt->last_run = attempt->index;
  if (attempt->phase != Phase::device) return false;
  const bool waits = lock_ != nullptr && !lock_->held();
  if (waits) {
    try {
      // When it is cancelled the loop finds that out next.
      lock_->acquire(Deadline(options_.lock_timeout_ns), [this] { return cancelled(); });
    } catch (...) {
      stop();
      throw;
    }
  }
  Json go;
  go["kind"] = "go";
  worker_->send(go, {}, Deadline(kSendNs), [this] { return cancelled(); });
  return waits;
}

// Ends the worker and says why an attempt has no results.
void WorkerRunner::break_off(const Job& rules, Got got, bool lost, Attempt* attempt) {
  worker_->kill();
  const double limit_s = static_cast<double>(phase_limit(rules, attempt->phase)) / 1e9;
  const std::string ending = worker_->ending();
  const char* when = phase_text(attempt->phase);
  switch (got) {
    case Got::cancelled:
      attempt->outcome = NETCL_OUTCOME_CANCELLED;
      attempt->message = format("cancelled %s", when);
      break;
    case Got::timeout:
      attempt->outcome =
          attempt->phase == Phase::compile ? NETCL_OUTCOME_TIMEOUT : NETCL_OUTCOME_HANG;
      attempt->message =
          format("the worker was killed after %s s %s", general_text(limit_s, 3).c_str(), when);
      break;
    default:
      attempt->outcome = NETCL_OUTCOME_CRASH;
      attempt->message =
          lost ? format("its process lost the device %s", when)
               : format("its process died %s: %s", when,
                        got == Got::damaged ? "what it said last is no message" : ending.c_str());
  }
}

Attempt WorkerRunner::follow(std::span<const Job> jobs) {
  Attempt attempt;
  Got got = send_jobs(jobs);
  Frame frame;
  bool lost = false;
  Deadline all(jobs_limit(jobs));
  try {
    while (got == Got::message) {
      const uint64_t limit = phase_limit(jobs.front(), attempt.phase);
      got = cancelled() ? Got::cancelled
                        : worker_->receive(&frame, Deadline(std::min(limit, all.left())),
                                           [this] { return cancelled(); });
      if (got == Got::message && all.passed()) got = Got::timeout;
      if (got != Got::message) break;
      WorkerReply reply = reply_from_json(frame.json, jobs.size());
      if (reply.kind == WorkerReply::Kind::phase) {
        // Others may have the device for long.
        if (follow_phase(reply, &attempt)) all = Deadline(jobs_limit(jobs));
        continue;
      }
      if (reply.kind == WorkerReply::Kind::failed) {
        // Nothing is known about what it left behind.
        stop();
        fail(reply.status, std::move(reply.text));
      }
      attempt.complete = reply.kind == WorkerReply::Kind::results;
      if (attempt.complete) {
        attempt.stuck = reply.stuck;
        attempt.distrusted = reply.distrusted;
        attempt.results = std::move(reply.results);
        return attempt;
      }
      lost = reply.kind == WorkerReply::Kind::lost;
      if (!lost) got = Got::damaged;
      break;
    }
  } catch (const Error& error) {
    if (error.status() != NETCL_ERROR_CORRUPT_DATA || worker_ == nullptr) throw;
    log_message(NETCL_LOG_WARNING, "worker %u: %s", options_.worker_id, error.what());
    got = Got::damaged;
  }
  break_off(jobs.front(), got, lost, &attempt);
  return attempt;
}

// Whether what came out may be the doing of what the worker ran before.
bool WorkerRunner::in_doubt(std::span<const Job> jobs, const Attempt& attempt) {
  if (attempt.distrusted) return true;
  for (size_t i = 0; i < attempt.results.size(); ++i) {
    // Where there is a job to run again, the worker itself has asked it.
    const bool wrong = attempt.results[i].outcome == NETCL_OUTCOME_CORRECTNESS;
    if (wrong && jobs[i].reference.job == nullptr) return true;
  }
  return false;
}

// A death in a worker that had run other candidates may be their doing, and so may wrong outputs:
// it is tried once more in a fresh one.
Attempt WorkerRunner::attempt(std::span<const Job> jobs) {
  const Hash128 problem = problem_hash(jobs.front().arguments);
  // The reference of another problem is to be made where nothing was ever wrong.
  if (tainted_ && !(problem == problem_)) stop();
  problem_ = problem;
  for (;;) {
    start();
    const bool fresh = fresh_;
    fresh_ = false;
    Attempt attempt = follow(jobs);
    if (lock_ != nullptr) lock_->release();
    if (attempt.complete && !fresh && in_doubt(jobs, attempt)) {
      stop();
      continue;
    }
    if (attempt.distrusted) {
      stop();
      fail_distrusted(*jobs.front().reference.job);
    }
    if (attempt.complete) {
      tainted_ = tainted_ || std::any_of(attempt.results.begin(), attempt.results.end(),
                                         [](const JobResult& result) {
                                           return result.outcome == NETCL_OUTCOME_CORRECTNESS;
                                         });
      // After a run that failed or wrote where it may not, nobody knows what else is wrong.
      const bool doubtful =
          attempt.stuck ||
          std::any_of(attempt.results.begin(), attempt.results.end(), [](const JobResult& result) {
            return result.outcome == NETCL_OUTCOME_RUNTIME ||
                   result.outcome == NETCL_OUTCOME_GUARD || result.outcome == NETCL_OUTCOME_HANG;
          });
      if (doubtful) stop();
      return attempt;
    }
    stop();
    if (fresh || attempt.outcome != NETCL_OUTCOME_CRASH) return attempt;
  }
}

// Whose fault it is that an attempt broke off.
size_t WorkerRunner::culprit(std::span<const Job> jobs, const Attempt& attempt) const {
  if (attempt.complete) {
    // The first one that hangs is the one; those after it only could not run.
    const auto first =
        std::find_if(attempt.results.begin(), attempt.results.end(),
                     [](const JobResult& result) { return result.outcome == NETCL_OUTCOME_HANG; });
    return first == attempt.results.end() ? attempt.index
                                          : static_cast<size_t>(first - attempt.results.begin());
  }
  if (attempt.phase != Phase::prepare) return attempt.index;
  // While arguments are made nothing of a candidate runs: it is what the one before has done to
  // the process, and when there was none it is the reference.
  if (attempt.last_run < jobs.size()) return attempt.last_run;
  const Job* reference = jobs[attempt.index].reference.job.get();
  fail(NETCL_ERROR_LAUNCH_FAILURE, "the reference %s does not run: %s",
       reference == nullptr ? "(none)" : reference->kernel.c_str(), attempt.message.c_str());
}

// Enters the death of a worker under its job.
void WorkerRunner::blame(const Job& job, const Attempt& attempt, JobResult* result) {
  result->outcome = attempt.outcome;
  result->message = attempt.message;
  Deaths& deaths = deaths_[hex_text(job_hash(job))];
  ++deaths.count;
  deaths.outcome = attempt.outcome;
  deaths.message = attempt.message;
  result->deaths = deaths.count;
}

// The jobs that are to be run: all but those that have killed too many workers.
std::vector<size_t> WorkerRunner::admit(std::span<const Job> jobs,
                                        std::vector<JobResult>* results) const {
  std::vector<size_t> left;
  for (size_t i = 0; i < jobs.size(); ++i) {
    const auto found = deaths_.find(hex_text(job_hash(jobs[i])));
    if (found == deaths_.end() || found->second.count < kDeathsMost) {
      left.push_back(i);
      continue;
    }
    JobResult& result = (*results)[i];
    result.outcome = found->second.outcome;
    result.message = format("not tried again after %u deaths of a worker: %s", found->second.count,
                            found->second.message.c_str());
    result.deaths = found->second.count;
  }
  return left;
}

std::vector<JobResult> WorkerRunner::race(std::span<const Job> given) {
  const std::vector<Job> jobs = prepare_jobs(given);
  std::vector<JobResult> results(jobs.size());
  if (jobs.empty()) return results;
  cancel_ = jobs.front().limits.cancel;
  std::vector<size_t> left = admit(jobs, &results);
  while (!left.empty()) {
    std::vector<Job> now;
    for (const size_t i : left) now.push_back(jobs[i]);
    // The rules are those of the first, whoever is still with it.
    now.front().seeds = jobs.front().seeds;
    now.front().timing = jobs.front().timing;
    now.front().limits = jobs.front().limits;
    now.front().until = jobs.front().until;
    now.front().repeat = jobs.front().repeat;
    Attempt attempt;
    try {
      attempt = this->attempt(now);
    } catch (const Error& error) {
      if (error.status() != NETCL_ERROR_CANCELLED || !cancelled()) throw;
      attempt.outcome = NETCL_OUTCOME_CANCELLED;
      attempt.message = "cancelled while the worker started";
    }
    if (attempt.complete && !attempt.stuck) {
      for (size_t k = 0; k < left.size(); ++k) results[left[k]] = std::move(attempt.results[k]);
      break;
    }
    if (attempt.outcome == NETCL_OUTCOME_CANCELLED) {
      for (const size_t i : left) {
        results[i].outcome = NETCL_OUTCOME_CANCELLED;
        results[i].message = attempt.message;
      }
      break;
    }
    const size_t guilty = culprit(now, attempt);
    if (attempt.complete) {
      attempt.outcome = attempt.results[guilty].outcome;
      attempt.message = attempt.results[guilty].message;
    }
    blame(now[guilty], attempt, &results[left[guilty]]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(guilty));
  }
  return results;
}

std::unique_ptr<Runner> make_worker_runner(DeviceRef device, const RunnerOptions& options) {
  return std::make_unique<WorkerRunner>(std::move(device), options);
}

}  // namespace netcl::tune
