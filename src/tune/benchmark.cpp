#include "tune/benchmark.hpp"

#include <algorithm>
#include <cmath>

#include "core/json.hpp"
#include "timing/measurement.hpp"

namespace netcl::tune {

namespace {

constexpr size_t kResultsMost = 65536;

Json times_json(const netcl_statistics& statistics) {
  Json json;
  json["mean"] = statistics.mean / 1e6;
  json["std"] = statistics.deviation / 1e6;
  json["min"] = statistics.min / 1e6;
  json["max"] = statistics.max / 1e6;
  json["count"] = statistics.count;
  return json;
}

const char* outcome_word(netcl_outcome outcome) {
  static constexpr const char* kWords[] = {"unknown", "correct",     "constraints", "compile",
                                           "runtime", "correctness", "guard",       "timeout",
                                           "hang",    "crash",       "slow",        "cancelled"};
  return kWords[outcome];
}

// Text of a caller or a driver as JSON may hold it.
std::string json_text(const std::string& text) {
  const std::string word = quoted(text.c_str(), 4096);
  return word.substr(1, word.size() - 2);
}

}  // namespace

class Benchmark::Use {
 public:
  explicit Use(const Benchmark& benchmark) : benchmark_(benchmark) {
    if (benchmark_.in_use_.exchange(true)) {
      fail(NETCL_ERROR_BUSY, "benchmark is in another call");
    }
  }
  ~Use() { benchmark_.in_use_.store(false); }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

 private:
  const Benchmark& benchmark_;
};

Benchmark::Benchmark(DeviceRef device, const BenchmarkOptions& options)
    : device_(std::move(device)), options_(options) {
  runner_ = make_worker_runner(device_, options_.runner);
  queue_ = QueueSet::of(*device_).default_queue();
  if (options_.runner.lock) {
    lock_ = std::make_unique<DeviceLock>(*device_, options_.runner.lock_path);
  }
}

void Benchmark::add(JobArgument argument) {
  const Use use(*this);
  if (problem_ != nullptr || !entries_.empty()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "benchmark has %zu arguments and is in use; all have to be added before",
         arguments_.size());
  }
  if (arguments_.size() >= NETCL_ARGS_MAX) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "benchmark has %zu arguments; the limit is %d",
         arguments_.size(), NETCL_ARGS_MAX);
  }
  arguments_.push_back(std::move(argument));
}

Problem& Benchmark::problem() {
  if (problem_ == nullptr) problem_ = std::make_unique<Problem>(*queue_, arguments_);
  return *problem_;
}

TensorRef Benchmark::tensor(uint32_t index) {
  const Use use(*this);
  if (index >= arguments_.size()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "index is %u; the benchmark has %zu arguments", index,
         arguments_.size());
  }
  if (arguments_[index].kind != JobArgument::Kind::tensor) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "index is %u, which is no tensor", index);
  }
  const bool made = problem_ == nullptr;
  Problem& arguments = problem();
  if (made) arguments.prepare(seed_of(0), 0);
  return arguments.tensor(index);
}

void Benchmark::check_round(uint32_t round) const {
  if (round < options_.rounds) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "round is %u; the benchmark has %u", round, options_.rounds);
}

void Benchmark::prepare(uint32_t round) {
  const Use use(*this);
  check_round(round);
  // The caller may have written anything to the tensors.
  problem().distrust();
  problem().prepare(seed_of(round), round);
}

void Benchmark::keep(uint32_t round) {
  const Use use(*this);
  check_round(round);
  keep_outputs(round);
}

void Benchmark::keep_outputs(uint32_t round) {
  Problem& arguments = problem();
  Reference::Outputs kept;
  kept.seed = seed_of(round);
  for (size_t i = 0; i < arguments_.size(); ++i) {
    const bool output = arguments_[i].kind == JobArgument::Kind::tensor &&
                        arguments_[i].access != JobArgument::Access::in;
    kept.outputs.push_back(output ? std::make_shared<std::string>(arguments.read(i)) : nullptr);
  }
  std::erase_if(kept_, [&](const Reference::Outputs& other) { return other.seed == kept.seed; });
  kept_.push_back(std::move(kept));
  std::sort(kept_.begin(), kept_.end(), [&](const auto& a, const auto& b) {
    // In the order of the rounds, whose numbers may wrap.
    return a.seed - options_.seed < b.seed - options_.seed;
  });
}

Benchmark::MeasurementRef Benchmark::measure(FunctionRef<void()> work,
                                             const netcl_measurement_options& options,
                                             netcl_statistics* statistics) {
  if (options.candidates > 1) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->candidates is %u; the baseline is one",
         options.candidates);
  }
  struct Hold {
    DeviceLock* lock;
    ~Hold() {
      if (lock != nullptr) lock->release();
    }
  } const hold{lock_.get()};
  if (lock_ != nullptr) {
    lock_->acquire(Deadline(options_.runner.lock_timeout_ns), [] { return false; });
  }
  Problem& arguments = problem();
  // The first round comes last, as it is the one that is timed.
  for (uint32_t round = options_.rounds; round-- > 0;) {
    arguments.distrust();
    arguments.prepare(seed_of(round), round);
    work();
    queue_->finish(Deadline(NETCL_WAIT_FOREVER));
    keep_outputs(round);
  }
  arguments.distrust();
  arguments.prepare(seed_of(0), 0);
  const auto measurement = std::make_shared<timing::Measurement>(queue_, options);
  // As candidates have it, whose outputs are filled with a pattern before each run.
  measurement->set_before_run([&](uint32_t) { arguments.refresh(0); });
  if (!measurement->can_step_aside()) measurement->set_single_runs();
  for (;;) {
    uint32_t candidate = 0;
    uint64_t iterations = 0;
    measurement->next(&candidate, &iterations);
    if (iterations == 0) break;
    for (uint64_t i = 0; i < iterations; ++i) {
      if (i > 0) measurement->aside([&] { arguments.refresh(0); });
      work();
    }
  }
  // It may outlive the arguments.
  measurement->set_before_run(nullptr);
  measurement->statistics(0, statistics);
  baseline_ = *statistics;
  has_baseline_ = true;
  return measurement;
}

Benchmark::MeasurementRef Benchmark::time_baseline(FunctionRef<void()> work,
                                                   const netcl_measurement_options& options,
                                                   netcl_statistics* statistics) {
  const Use use(*this);
  return measure(work, options, statistics);
}

Benchmark::MeasurementRef Benchmark::time_baseline(Kernel& kernel, const uint64_t* global,
                                                   uint32_t global_count, const uint64_t* local,
                                                   uint32_t local_count,
                                                   const netcl_measurement_options& options,
                                                   netcl_statistics* statistics) {
  const Use use(*this);
  kernel.build();
  const netcl_launch_options plain = NETCL_LAUNCH_OPTIONS_INIT;
  const WorkSize size = make_work_size(kernel, global, global_count, local, local_count, plain);
  return measure(
      [&] { launch_kernel(kernel, *queue_, size, problem().launch_arguments(), {}, nullptr); },
      options, statistics);
}

void Benchmark::set_baseline(const netcl_statistics& statistics) {
  const Use use(*this);
  if (statistics.count == 0 || !std::isfinite(statistics.mean) || statistics.mean < 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "statistics has %llu samples with a mean of %g",
         static_cast<unsigned long long>(statistics.count), statistics.mean);
  }
  baseline_ = statistics;
  has_baseline_ = true;
}

const JobResult& Benchmark::run(const std::string& name, Job job, double* speedup) {
  const Use use(*this);
  if (entries_.size() >= kResultsMost) {
    fail(NETCL_ERROR_BUSY, "benchmark has %zu results; a new one has room for more",
         entries_.size());
  }
  job.arguments = arguments_;
  job.seeds.clear();
  // A round without outputs to compare with shows only whether guards hold.
  for (const Reference::Outputs& kept : kept_) job.seeds.push_back(kept.seed);
  if (kept_.empty()) {
    for (uint32_t round = 0; round < options_.rounds; ++round) job.seeds.push_back(seed_of(round));
  }
  job.reference.given = kept_;
  if (options_.compile_limit_ns != 0) job.limits.compile_ns = options_.compile_limit_ns;
  job.limits.run_ns = options_.run_limit_ns;
  Entry entry;
  entry.name = name.empty() ? job.kernel : name;
  entry.result = runner_->run(job);
  const netcl_statistics& statistics = entry.result.statistics;
  if (has_baseline_ && entry.result.correct() && statistics.mean > 0) {
    entry.speedup = baseline_.mean / statistics.mean;
  }
  entries_.push_back(std::move(entry));
  *speedup = entries_.back().speedup;
  return entries_.back().result;
}

std::string Benchmark::build_log() const {
  const Use use(*this);
  return entries_.empty() ? "" : entries_.back().result.build_log;
}

std::string Benchmark::json() const {
  const Use use(*this);
  Json json;
  json["worker_id"] = options_.runner.worker_id;
  json["device"] = json_text(device_->info().name);
  json["baseline"] = has_baseline_ ? times_json(baseline_) : Json(nullptr);
  json["kernels"] = Json::array();
  for (const Entry& entry : entries_) {
    const bool timed = entry.result.correct() && entry.result.statistics.count > 0;
    Json row;
    row["name"] = json_text(entry.name);
    row["outcome"] = outcome_word(entry.result.outcome);
    row["time_ms"] = timed ? Json(entry.result.statistics.mean / 1e6) : Json(nullptr);
    row["reason"] = json_text(entry.result.message);
    row["stats_ms"] = timed ? times_json(entry.result.statistics) : Json(nullptr);
    row["speedup"] = entry.speedup > 0 ? Json(entry.speedup) : Json(nullptr);
    json["kernels"].push_back(std::move(row));
  }
  // What is no UTF-8 is replaced instead of failing.
  return json.dump(2);
}

}  // namespace netcl::tune
