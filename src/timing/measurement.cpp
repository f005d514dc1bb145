#include "timing/measurement.hpp"

#include <algorithm>
#include <cmath>

#include "core/require.hpp"
#include "timing/statistics.hpp"

namespace netcl::timing {

namespace {

constexpr uint32_t kCandidatesMost = 65536;
constexpr uint64_t kWarmRuns = 3;
constexpr uint64_t kWarmNs = 25000000;
constexpr uint64_t kCountLeast = 10;
constexpr uint64_t kCountMost = 100000;
constexpr uint64_t kBudgetNs = 1000000000;
// A sample of fewer steps of the clock says too little.
constexpr uint64_t kStepsLeast = 50;
constexpr uint64_t kIterationsMost = uint64_t{1} << 20;
constexpr size_t kWarmSamples = 32;

void check_share(double value, const char* member) {
  if (value >= 0.0 && value < 1.0) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %g; it is 0 or more and less than 1", member, value);
}

netcl_measurement_options resolved(const netcl_measurement_options& given) {
  netcl_measurement_options options = given;
  check_share(options.confidence, "options->confidence");
  check_share(options.precision, "options->precision");
  require_flag(options.cold_cache, "options->cold_cache");
  if (options.source < NETCL_TIME_DEVICE_BUSY || options.source > NETCL_TIME_HOST) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->source is %d, which is no netcl_time_source",
         options.source);
  }
  if (options.reserved != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->reserved is %u; reserved members must be 0",
         options.reserved);
  }
  if (options.candidates > kCandidatesMost) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->candidates is %u; the limit is %u",
         options.candidates, kCandidatesMost);
  }
  if (options.warmup_ns == 0 && options.count == 0) options.warmup_ns = kWarmNs;
  if (options.warmup_count == 0) options.warmup_count = kWarmRuns;
  if (options.count_most == 0) options.count_most = std::max(kCountMost, options.count_least);
  if (options.count_least == 0) options.count_least = std::min(kCountLeast, options.count_most);
  if (options.count_least > options.count_most) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->count_least is %llu; options->count_most is %llu",
         static_cast<unsigned long long>(options.count_least),
         static_cast<unsigned long long>(options.count_most));
  }
  if (options.budget_ns == 0) options.budget_ns = kBudgetNs;
  if (options.confidence == 0.0) options.confidence = kConfidence;
  if (options.precision == 0.0) options.precision = kPrecision;
  if (options.candidates == 0) options.candidates = 1;
  return options;
}

uint64_t clock_resolution(const Device& device, netcl_time_source source) {
  const uint64_t reported = device.capabilities().timer_resolution_ns;
  // The built-in device takes its times from the host's clock.
  const bool host = source == NETCL_TIME_HOST || device.builtin() || reported == 0;
  return host ? host_clock_resolution() : reported;
}

}  // namespace

uint64_t host_clock_resolution() {
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < 64; ++i) {
    const uint64_t begin = monotonic_ns();
    uint64_t end = begin;
    while (end == begin) end = monotonic_ns();
    least = std::min(least, end - begin);
  }
  return least;
}

Measurement::Measurement(QueueRef queue, const netcl_measurement_options& options)
    : queue_(std::move(queue)),
      options_(resolved(options)),
      resolution_ns_(clock_resolution(queue_->device(), options_.source)),
      random_(options_.seed),
      log_(*queue_),
      candidates_(options_.candidates) {
  turns_.reserve(candidates_.size());
  if (from_device()) queue_->hold_times();
  times_held_ = from_device();
  if (options_.cold_cache == 0) return;
  try {
    flush_ = std::make_unique<CacheFlush>(*queue_, options_.flush_bytes);
  } catch (...) {
    close(NETCL_STOP_RUNNING);
    throw;
  }
  flush_proven_ = flush_->proven();
}

Measurement::~Measurement() { close(NETCL_STOP_RUNNING); }

// Gives back what a measurement needs while it goes on.
void Measurement::close(netcl_stop_reason reason) {
  for (Candidate& candidate : candidates_) {
    if (candidate.stop == NETCL_STOP_RUNNING) candidate.stop = reason;
  }
  over_ = true;
  log_.stop();
  flush_.reset();
  if (times_held_) queue_->release_times();
  times_held_ = false;
}

void Measurement::next(uint32_t* candidate, uint64_t* iterations) {
  const std::lock_guard<std::mutex> lock(mutex_);
  try {
    if (running_) end_run();
    if (!over_ && take_turn()) {
      begin_run();
      *candidate = current_;
      *iterations = candidates_[current_].iterations;
      return;
    }
  } catch (const Error& error) {
    if (error.status() == NETCL_ERROR_CANCELLED) close(NETCL_STOP_CANCELLED);
    throw;
  }
  close(NETCL_STOP_RUNNING);
  *candidate = 0;
  *iterations = 0;
}

// Picks whose turn it is; false when all have stopped. In each round every candidate that is not
// done has one turn, and the rounds of warming up come first.
bool Measurement::take_turn() {
  if (turns_.empty()) {
    const bool warming = std::any_of(candidates_.begin(), candidates_.end(),
                                     [](const Candidate& c) { return !c.warm; });
    for (uint32_t i = 0; i < candidates_.size(); ++i) {
      const Candidate& candidate = candidates_[i];
      if (warming ? !candidate.warm : candidate.stop == NETCL_STOP_RUNNING) turns_.push_back(i);
    }
    for (size_t left = turns_.size(); left > 1; --left) {
      std::swap(turns_[left - 1], turns_[random_.below(left)]);
    }
  }
  if (turns_.empty()) return false;
  current_ = turns_.back();
  turns_.pop_back();
  return true;
}

void Measurement::begin_run() {
  turn_begin_ns_ = monotonic_ns();
  const bool warm = candidates_[current_].warm;
  if (before_run_) {
    before_run_(current_);
    // With the host's clock what is still under way would count.
    if (!from_device()) queue_->finish(Deadline(NETCL_WAIT_FOREVER));
  }
  if (flush_ != nullptr && warm) flush_->run();
  // With the host's clock the commands are of interest only for the work they declare.
  if (from_device() || !warm) log_.start();
  running_ = true;
  run_begin_ns_ = monotonic_ns();
}

void Measurement::aside(FunctionRef<void()> work) {
  log_.stop();
  work();
  log_.resume();
}

// Waits for the run and gives its time.
double Measurement::finish_run() {
  uint64_t host_ns = 0;
  if (!from_device()) {
    queue_->finish(Deadline(NETCL_WAIT_FOREVER));
    host_ns = monotonic_ns() - run_begin_ns_;
  }
  log_.stop();
  log_.wait(Deadline(NETCL_WAIT_FOREVER));
  log_.check();
  if (!from_device()) return static_cast<double>(host_ns);
  if (log_.commands() == 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "candidate %u enqueued nothing on the queue of the measurement, so there is no device "
         "time; source HOST times any work",
         current_);
  }
  const DeviceTime time = log_.time();
  return static_cast<double>(options_.source == NETCL_TIME_DEVICE_BUSY ? time.busy_ns
                                                                       : time.span_ns);
}

void Measurement::end_run() {
  running_ = false;
  Candidate& candidate = candidates_[current_];
  double time = 0;
  try {
    time = finish_run();
  } catch (...) {
    log_.stop();
    throw;
  }
  const double count = static_cast<double>(candidate.iterations);
  const uint64_t spent = monotonic_ns() - turn_begin_ns_;
  if (after_run_) after_run_(current_);
  if (from_device() || !candidate.warm) {
    candidate.work = log_.work();
    candidate.work.bytes /= count;
    candidate.work.operations /= count;
    candidate.work.bytes_written /= count;
  }
  if (candidate.warm) {
    after_sample(&candidate, time / count, spent);
  } else {
    after_warm_run(&candidate, time / count, spent);
  }
}

void Measurement::after_warm_run(Candidate* candidate, double sample, uint64_t spent) {
  candidate->warm_runs += candidate->iterations;
  candidate->warm_ns += spent;
  if (candidate->warm_samples.size() == kWarmSamples) {
    candidate->warm_samples.erase(candidate->warm_samples.begin());
  }
  candidate->warm_samples.push_back(sample);
  // Slow work has warmed up when it has taken a candidate's whole time, and a clock that sees
  // nothing at all must not keep it warming up for ever.
  const bool slow = options_.count == 0 && candidate->warm_ns >= options_.budget_ns;
  const bool enough =
      candidate->warm_runs >= options_.warmup_count && candidate->warm_ns >= options_.warmup_ns;
  if (!slow && !enough) return;
  candidate->warm = candidate->warm_ns / 4 >= options_.budget_ns || !grow_batch(candidate);
}

// Makes a sample longer where the clock is too coarse for one run; true when that has to be tried
// before it counts. Repeated runs would find warm caches, so cold samples stay single.
bool Measurement::grow_batch(Candidate* candidate) const {
  if (options_.cold_cache != 0 || single_runs_) return false;
  std::vector<double>& times = candidate->warm_samples;
  // One sample of a new size may have been held up by something else.
  if (candidate->iterations > 1 && times.size() < 3) return true;
  std::sort(times.begin(), times.end());
  const double median = times[times.size() / 2];
  const double wanted = static_cast<double>(kStepsLeast * resolution_ns_);
  const double now = static_cast<double>(candidate->iterations);
  if (median * now >= wanted || candidate->iterations >= kIterationsMost) return false;
  // A time of 0 says only that the clock saw nothing.
  const double factor = median > 0.0 ? std::min(1.25 * wanted / (median * now), 64.0) : 64.0;
  const double more = std::min(std::ceil(now * factor), static_cast<double>(kIterationsMost));
  candidate->iterations = std::max(static_cast<uint64_t>(more), candidate->iterations + 1);
  times.clear();
  return true;
}

void Measurement::after_sample(Candidate* candidate, double sample, uint64_t spent) {
  candidate->samples.push_back(sample);
  candidate->spent_ns += spent;
  const uint64_t count = candidate->samples.size();
  if (options_.count != 0) {
    if (count >= options_.count) candidate->stop = NETCL_STOP_COUNT;
    return;
  }
  // Looking after every sample would cost more than the samples, and would find a narrow interval
  // by chance sooner.
  if (count >= options_.count_least && count >= candidate->next_check) {
    netcl_statistics statistics = NETCL_STATISTICS_INIT;
    compute_statistics(candidate->samples, options_.confidence, &statistics);
    // The fewest samples have no interval of that confidence, however close they lie.
    if (statistics.confidence >= options_.confidence - 1e-12 &&
        relative_half_width(statistics) <= options_.precision) {
      candidate->stop = NETCL_STOP_CONFIDENCE;
      return;
    }
    candidate->next_check = count + std::max<uint64_t>(count / 8, 1);
  }
  if (count >= options_.count_most) {
    candidate->stop = NETCL_STOP_COUNT;
  } else if (candidate->spent_ns >= options_.budget_ns) {
    candidate->stop = NETCL_STOP_BUDGET;
  }
}

const Measurement::Candidate& Measurement::candidate_of(uint32_t index,
                                                        const char* argument) const {
  if (index >= candidates_.size()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %u; the measurement has %zu candidates", argument,
         index, candidates_.size());
  }
  return candidates_[index];
}

void Measurement::statistics(uint32_t index, netcl_statistics* statistics) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const Candidate& candidate = candidate_of(index, "candidate");
  if (!candidate.samples.empty()) {
    compute_statistics(candidate.samples, options_.confidence, statistics);
  }
  statistics->iterations = candidate.iterations;
  statistics->warmup_count = candidate.warm_runs;
  statistics->resolution_ns = resolution_ns_;
  statistics->bytes = candidate.work.bytes;
  statistics->operations = candidate.work.operations;
  statistics->bytes_written = candidate.work.bytes_written;
  statistics->dtype = candidate.work.dtype;
  statistics->matrix_units = candidate.work.matrix_units ? 1 : 0;
  statistics->stop = candidate.stop;
  statistics->cold_cache = options_.cold_cache;
  statistics->flush_proven = flush_proven_ ? 1 : 0;
}

uint64_t Measurement::samples(uint32_t index, double* samples, uint64_t capacity) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::vector<double>& all = candidate_of(index, "candidate").samples;
  std::copy_n(all.begin(), std::min<uint64_t>(all.size(), capacity), samples);
  return all.size();
}

void Measurement::compare(uint32_t first, uint32_t second, netcl_comparison* comparison) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const Candidate& a = candidate_of(first, "first");
  const Candidate& b = candidate_of(second, "second");
  comparison->verdict = NETCL_VERDICT_UNCLEAR;
  if (a.samples.empty() || b.samples.empty()) return;
  compare_samples(a.samples, b.samples, options_.confidence, options_.precision, options_.seed,
                  comparison);
}

}  // namespace netcl::timing
