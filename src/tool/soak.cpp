// `netcl soak`: a mixed load for hours, and whether anything changes under it.
//
// SPDX-License-Identifier: Apache-2.0
#include "soak.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <ctime>
#include <thread>

#include "bench.hpp"
#include "options.hpp"
#include "text.hpp"

namespace netcl::tool {
namespace {

using ull = unsigned long long;

constexpr double kDay = 86400;

/// "2h", "10m", "90s" or seconds.
double seconds_of(const std::string& text) {
  static constexpr struct {
    char unit;
    double seconds;
  } kUnits[] = {{'h', 3600}, {'m', 60}, {'s', 1}};
  std::string number = text;
  double unit = 1;
  for (const auto& one : kUnits) {
    if (number.empty() || number.back() != one.unit) continue;
    number.pop_back();
    unit = one.seconds;
    break;
  }
  const char* hint = "";
  const std::optional<double> value = read_decimal(number, &hint);
  if (!value || !(*value * unit >= 1) || !(*value * unit <= 30 * kDay)) {
    throw UsageProblem("the value of --duration is not possible:", text + hint);
  }
  return *value * unit;
}

/// Work that is always the same and calls nothing of netcl: some arithmetic, and a word to another
/// thread that is waited for. What it takes longer, the machine does.
class Control {
 public:
  Control() : thread_([this] { answer(); }) {}
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;
  ~Control() {
    say(Word::end);
    thread_.join();
  }

  double run() {
    const Stopwatch took;
    uint64_t value = value_;
    for (int i = 0; i < 20000; ++i) value = (value ^ (value >> 29)) * 0xbf58476d1ce4e5b9ull + 1;
    value_ = value;
    say(Word::question);
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return word_ == Word::answer; });
    return took.nanoseconds();
  }

 private:
  enum class Word : uint8_t { answer, question, end };
  void say(Word word) {
    const std::lock_guard<std::mutex> lock(mutex_);
    word_ = word;
    changed_.notify_all();
  }
  void answer() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (word_ != Word::end) {
      changed_.wait(lock, [this] { return word_ != Word::answer; });
      if (word_ != Word::question) continue;
      word_ = Word::answer;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  Word word_ = Word::answer;  // guarded by mutex_
  std::atomic<uint64_t> value_{1};
  std::thread thread_;  // last: it uses the others
};

/// Of each type of handle that the library knows.
std::vector<uint64_t> live_handles() {
  std::vector<uint64_t> live;
  uint64_t count = 0;
  for (netcl_handle_type type = 1; netcl_library_get_live_count(type, &count) == NETCL_OK; ++type) {
    live.push_back(count);
  }
  return live;
}

/// One thread of the load and what it has measured.
struct Hand {
  SoakWorker worker;
  Control control;
  std::mutex mutex;  // guards what follows; the load alone writes
  std::vector<SoakPart> parts{kSoakParts};
  Latencies recent;  ///< since the last line of progress
  uint64_t operations = 0;
};

class Soak {
 public:
  struct How {
    double seconds;
    unsigned threads;
    uint64_t seed;
    bool quiet;
  };

  Soak(netcl_device* device, const How& how)
      : how_(how), load_(device, how.seed), warm_up_(std::min(how.seconds / 10, 60.0)) {
    netcl_program_cache_info info = NETCL_PROGRAM_CACHE_INFO_INIT;
    check(netcl_program_cache_get_info(&info), "netcl_program_cache_get_info");
    folder_ = info.directory;
    for (unsigned i = 0; i < how.threads; ++i) {
      hands_.push_back(std::make_unique<Hand>());
      hands_.back()->worker = load_.worker(how.seed, i);
    }
    for (const auto& hand : hands_) load_.warm_up(hand->worker);
    for (const std::string& what : load_.left_out()) {
      if (!how.quiet) print("left out: %s\n", what.c_str());
    }
  }

  void run();
  SoakVerdict verdict() const {
    SoakVerdict verdict = soak_verdict(merged_, early_, late_, how_.seconds);
    if (!failure_.empty()) verdict.reasons.assign(1, failure_);
    return verdict;
  }
  uint64_t operations() const {
    uint64_t sum = 0;
    for (const auto& hand : hands_) sum += hand->operations;
    return sum;
  }
  const std::vector<SoakPart>& parts() const { return merged_; }
  bool broken_off() const { return !failure_.empty(); }

 private:
  void work(Hand& hand);
  void watch();
  void progress();
  /// The part of the run that it is now; kSoakParts or more outside of the measured time.
  size_t part() const {
    const double at = clock_.nanoseconds() * 1e-9 - warm_up_;
    if (at < 0) return SIZE_MAX;
    return static_cast<size_t>(at / ((how_.seconds - warm_up_) / kSoakParts));
  }

  /// Seconds between two looks.
  double pause() const {
    return std::clamp((how_.seconds - warm_up_) / (20 * kSoakParts), 0.01, 5.0);
  }

  const How how_;
  SoakLoad load_;
  const double warm_up_;
  std::string folder_;
  std::vector<std::unique_ptr<Hand>> hands_;
  std::vector<SoakPart> merged_{kSoakParts};
  SoakFiles early_, late_;
  Stopwatch clock_;
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::string failure_;  // guarded by mutex_ while threads run
};

void Soak::work(Hand& hand) {
  try {
    for (uint64_t i = 0; !stop_; ++i) {
      const Stopwatch took;
      load_.step(hand.worker);
      const double ns = took.nanoseconds();
      const double control_ns = i % 8 == 0 ? hand.control.run() : 0;
      const size_t now = part();
      const std::lock_guard<std::mutex> lock(hand.mutex);
      ++hand.operations;
      hand.recent.add(ns);
      if (now >= kSoakParts) continue;
      hand.parts[now].work.add(ns);
      if (control_ns > 0) hand.parts[now].control.add(control_ns);
    }
  } catch (const std::exception& problem) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (failure_.empty()) failure_ = problem.what();
    stop_ = true;
  }
}

void Soak::progress() {
  if (how_.quiet) return;
  Latencies recent;
  for (const auto& hand : hands_) {
    const std::lock_guard<std::mutex> lock(hand->mutex);
    recent.add(hand->recent);
    hand->recent = Latencies();
  }
  print("%6.0f s  %llu operations, resident %s, p50 %s, p99 %s, p99.9 %s, files %s\n",
        clock_.nanoseconds() * 1e-9, ull{recent.count()},
        bytes_text(soak_sample().resident).c_str(), time_text(recent.percentile(50)).c_str(),
        time_text(recent.percentile(99)).c_str(), time_text(recent.percentile(99.9)).c_str(),
        bytes_text(total_bytes(soak_files(folder_))).c_str());
  (void)std::fflush(stdout);
}

/// Looks at the process from outside until the time is over.
void Soak::watch() {
  const double pause = this->pause();
  const double line = std::min(60.0, how_.seconds / 4);
  double next_line = line;
  bool early = false;
  while (!stop_) {
    const double at = clock_.nanoseconds() * 1e-9;
    if (at >= how_.seconds) break;
    const size_t now = part();
    if (now < kSoakParts) merged_[now].samples.push_back(soak_sample());
    if (!early && now < kSoakParts && now >= kSoakParts / 10) {
      early_ = soak_files(folder_);
      early = true;
    }
    if (at >= next_line) {
      progress();
      next_line += line;
    }
    std::this_thread::sleep_for(std::chrono::duration<double>(pause));
  }
  late_ = soak_files(folder_);
  if (!early) early_ = late_;
}

void Soak::run() {
  // Room for all samples, so that what is measured does not grow by them.
  const auto most = static_cast<size_t>((how_.seconds - warm_up_) / kSoakParts / pause()) + 100;
  for (SoakPart& part : merged_) {
    part.samples.assign(most, {1, 1});
    part.samples.clear();
  }
  clock_ = Stopwatch();
  std::vector<std::thread> threads;
  try {
    for (const auto& hand : hands_) threads.emplace_back([this, &hand] { work(*hand); });
    watch();
  } catch (...) {
    stop_ = true;
    for (std::thread& thread : threads) thread.join();
    throw;
  }
  stop_ = true;
  for (std::thread& thread : threads) thread.join();
  progress();
  for (size_t i = 0; i < kSoakParts; ++i) {
    for (const auto& hand : hands_) {
      merged_[i].work.add(hand->parts[i].work);
      merged_[i].control.add(hand->parts[i].control);
    }
  }
}

const char* remark_on(const SoakLatency& one) {
  if (!one.judged) return "too few to judge";
  if (!one.steady) return "not judged: the machine moved";
  return one.separated ? "parts apart" : "parts overlap";
}

void print_verdict(const SoakVerdict& verdict) {
  const auto percent = [](double change) { return format("%+.1f %%", 100 * change); };
  const auto size = [](double bytes) { return bytes_text(static_cast<uint64_t>(bytes)); };
  print("\n%-18s %12s %12s %9s %9s\n", "", "first tenth", "last tenth", "change", "control");
  print("%-18s %12s %12s %9s %9s  %s in the middle\n", "resident memory",
        size(verdict.resident.first).c_str(), size(verdict.resident.last).c_str(),
        percent(verdict.resident.change()).c_str(), "", size(verdict.resident_middle).c_str());
  for (const SoakLatency& one : verdict.latencies) {
    print("%-18s %12s %12s %9s %9s  %s\n", format("latency p%g", one.percent).c_str(),
          time_text(one.work.first).c_str(), time_text(one.work.last).c_str(),
          percent(one.work.change()).c_str(), percent(one.control.change()).c_str(),
          remark_on(one));
  }
  print("%-18s %12.0f %12.0f\n", "open descriptors", verdict.descriptors.first,
        verdict.descriptors.last);
  print("%-18s %12s %12s\n", "netcl's files", bytes_text(verdict.files_first).c_str(),
        bytes_text(verdict.files_last).c_str());
}

void write_change(Json& json, const char* key, const SoakChange& change) {
  json.begin_object(key);
  json.real("first", change.first);
  json.real("last", change.last);
  json.end_object();
}

std::string verdict_json(const Soak& soak, const Soak::How& how, const SoakVerdict& verdict) {
  std::string text;
  Json json(&text);
  json.begin_object();
  json.real("seconds", how.seconds);
  json.integer("threads", how.threads);
  json.integer("seed", how.seed);
  json.integer("operations", soak.operations());
  json.boolean("broken_off", soak.broken_off());
  write_change(json, "resident_bytes", verdict.resident);
  json.real("resident_middle_bytes", verdict.resident_middle);
  write_change(json, "descriptors", verdict.descriptors);
  json.begin_array("latency_ns");
  for (const SoakLatency& one : verdict.latencies) {
    json.begin_object();
    json.real("percent", one.percent);
    write_change(json, "work", one.work);
    write_change(json, "control", one.control);
    json.boolean("judged", one.judged);
    json.boolean("separated", one.separated);
    json.boolean("steady", one.steady);
    json.boolean("moved", one.moved);
    json.end_object();
  }
  json.end_array();
  json.integer("files_first_bytes", verdict.files_first);
  json.integer("files_last_bytes", verdict.files_last);
  json.begin_array("parts");
  for (const SoakPart& part : soak.parts()) {
    json.begin_object();
    json.integer("operations", part.work.count());
    for (const double percent : kSoakPercents) {
      json.real(format("p%g_ns", percent).c_str(), part.work.percentile(percent));
    }
    json.real("control_p50_ns", part.control.percentile(50));
    json.integer("resident_bytes", part.samples.empty() ? 0 : part.samples.back().resident);
    json.end_object();
  }
  json.end_array();
  json.begin_array("reasons");
  for (const std::string& reason : verdict.reasons) json.text(nullptr, reason);
  json.end_array();
  json.end_object();
  return text;
}

SoakVerdict run_on(netcl_device* device, const Soak::How& how, const std::string& json) {
  Soak soak(device, how);
  soak.run();
  SoakVerdict verdict = soak.verdict();
  if (!how.quiet && !soak.broken_off()) print_verdict(verdict);
  if (!json.empty()) write_file(json, verdict_json(soak, how, verdict));
  print("%llu operations\n", ull{soak.operations()});
  return verdict;
}

int soak(int argc, char** argv) {
  const Options options(argc, argv, {"--quiet"},
                        {"--device", "--duration", "--threads", "--seed", "--json"});
  options.refuse_words("for a soak");
  Soak::How how{};
  how.seconds = seconds_of(options.text("--duration", "2h"));
  how.threads = static_cast<unsigned>(options.whole("--threads", 8, 1, 1024));
  how.seed = options.whole("--seed", static_cast<uint64_t>(std::time(nullptr)), 0);
  how.quiet = options.has("--quiet");
  const auto before = live_handles();
  SoakVerdict verdict;
  {
    const Device device = open_device(options);
    netcl_device_info info = NETCL_DEVICE_INFO_INIT;
    check(netcl_device_get_info(device.get(), &info), "netcl_device_get_info");
    print("%s: %u threads, %.0f s, --seed %llu\n", info.name, how.threads, how.seconds,
          ull{how.seed});
    (void)std::fflush(stdout);
    verdict = run_on(device.get(), how, options.text("--json"));
  }
  if (live_handles() != before)
    verdict.reasons.emplace_back("handles are left when all is released");
  for (const std::string& reason : verdict.reasons) {
    std::fprintf(stderr, "netcl soak: %s\n", reason.c_str());
  }
  if (verdict.reasons.empty()) print("nothing grew, moved or went wrong\n");
  return verdict.reasons.empty() ? kExitSuccess : kExitFailure;
}

}  // namespace

int run_soak(const Command& self, int argc, char** argv) {
  return with_usage(self, soak, argc, argv);
}

}  // namespace netcl::tool
