#include "tune/tuner.hpp"

#include <condition_variable>
#include <map>

#include "core/error.hpp"
#include "core/file.hpp"
#include "core/integer.hpp"
#include "core/process.hpp"
#include "core/wait.hpp"
#include "device/part.hpp"
#include "kernel/tuned.hpp"
#include "roofline/ceilings.hpp"
#include "tune/config_json.hpp"

namespace netcl::tune {

namespace {

constexpr uint64_t kBudgetNs = uint64_t{60} * 1000000000;
constexpr uint64_t kSamples = 20;
// Finalists of a tuner take turns sample by sample inside one job, so a round may be longer.
constexpr uint64_t kRoundSamples = 10;

// The keys that are being measured in this process: whoever comes second waits for the first.
class InFlight {
 public:
  static InFlight& instance() {
    return process().services.get<InFlight>(Slot::tuning_flights,
                                            [] { return std::make_unique<InFlight>(); });
  }
  // True when the caller is the first; else waits until that one is done.
  bool enter(const std::string& key, const std::atomic<bool>& cancelled) {
    std::unique_lock<std::mutex> lock(mutex_);
    if (keys_.insert(key).second) return true;
    while (keys_.count(key) != 0 && !cancelled) {
      changed_.wait_for(lock, std::chrono::milliseconds(20));
    }
    return false;
  }
  FirstCall first_call(const std::string& size, const std::string& problem) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::set<std::string>& begun = begun_[size];
    if (begun.count(problem) != 0 || begun.size() > kProblemsOfSize) return FirstCall::no;
    begun.insert(problem);
    return begun.size() > kProblemsOfSize ? FirstCall::one_too_many : FirstCall::yes;
  }
  void leave(const std::string& key) {
    const std::lock_guard<std::mutex> lock(mutex_);
    keys_.erase(key);
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<std::string> keys_;
  std::map<std::string, std::set<std::string>> begun_;  // first calls of a size
};

// What dispatch takes for another size than that which was tuned: of a kernel the local size, made
// a divisor, and no macro; of an op all but the number of pieces that its depth is cut into.
Config launch_config_near(const Config& config, bool round_up, const std::vector<int64_t>& shape) {
  Config near;
  for (size_t d = 0; d < shape.size() && d < std::size(kTunedLocal); ++d) {
    const Value* value = config.find(kTunedLocal[d]);
    const int64_t* local = value == nullptr ? nullptr : std::get_if<int64_t>(value);
    if (local == nullptr || *local < 1 || shape[d] < 1) return {};
    const auto size = static_cast<uint64_t>(*local);
    near.values.emplace_back(
        kTunedLocal[d], round_up ? *local
                                 : static_cast<int64_t>(largest_divisor_up_to(
                                       static_cast<uint64_t>(shape[d]), size)));
  }
  return near;
}

Config op_config_near(Config config) {
  std::erase_if(config.values, [](const auto& value) { return value.first == "split_k"; });
  return config;
}

}  // namespace

FirstCall first_call(const std::string& size, const std::string& problem) {
  return InFlight::instance().first_call(size, problem);
}

Tuner::Tuner(DeviceRef device, std::shared_ptr<store::Database> database,
             const TunerSettings& settings)
    : device_(std::move(device)), database_(std::move(database)), settings_(settings) {
  if (settings_.search.budget_ns == 0) settings_.search.budget_ns = kBudgetNs;
  if (settings_.search.samples == 0) settings_.search.samples = kSamples;
  if (settings_.warmup_count == 0) settings_.warmup_count = 3;
}

void Tuner::add(std::shared_ptr<Subject> subject) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (Entry& entry : entries_) {
    if (!(entry.subject->key() == subject->key())) continue;
    entry = Entry();
    entry.subject = std::move(subject);
    return;
  }
  entries_.emplace_back();
  entries_.back().subject = std::move(subject);
}

void Tuner::forward_events(uint32_t index, Search& search, uint64_t* last) {
  netcl_search_event event;
  try {
    while (search.events().read(*last, 0, &event)) {
      *last = event.sequence;
      event.entry = index;
      events_.add(event);
    }
  } catch (const Error&) {
    // The search has no more.
  }
}

void Tuner::measure(uint32_t index, Subject& subject, const std::shared_ptr<Search>& search,
                    SearchRecords* records) {
  MeasureRules rules;
  rules.warmup_count = settings_.warmup_count;
  rules.compile_limit_ns = settings_.compile_limit_ns;
  rules.run_limit_ns = settings_.run_limit_ns;
  rules.in_process = settings_.in_process;
  rules.cancel = &cancelled_;
  rules.runner = &runner_;
  uint64_t seen = 0;
  while (true) {
    if (cancelled_) search->cancel();
    const Turn turn = search->ask();
    if (records != nullptr) records->put_new();
    forward_events(index, *search, &seen);
    if (turn.samples == 0) return;
    std::vector<uint32_t> candidates{turn.candidate};
    std::vector<ConfigRef> configs{turn.config};
    rules.samples = turn.samples;
    rules.best_ns = turn.best_ns;
    if (turn.final) {
      candidates = search->finalists();
      configs.clear();
      for (const uint32_t one : candidates) configs.push_back(search->candidate(one).config);
      rules.samples = std::min(kRoundSamples, settings_.search.samples);
      rules.best_ns = 0;
    } else if (turn.samples == 1 && turn.best_ns > 0) {
      // A job drops out by itself when it is slow, and starting it again costs more than samples.
      rules.samples = 10;
    }
    const std::vector<Measured> measured = subject.measure(configs, rules);
    // What a device that is lost makes of candidates says nothing about them, and is not kept.
    device_->check_usable();
    if (turn.final) search->end_turns();
    for (size_t i = 0; i < measured.size(); ++i) {
      if (measured[i].same != nullptr) {
        search->tell_same(candidates[i], *measured[i].same);
      } else if (measured[i].outcome == NETCL_OUTCOME_CORRECT && !measured[i].samples.empty()) {
        search->tell(candidates[i], measured[i].samples.data(), measured[i].samples.size());
      } else if (measured[i].outcome == NETCL_OUTCOME_CANCELLED) {
        search->cancel();
      } else {
        search->tell_failure(candidates[i],
                             measured[i].outcome > NETCL_OUTCOME_CORRECT ? measured[i].outcome
                                                                         : NETCL_OUTCOME_RUNTIME,
                             measured[i].message);
      }
      search->note_compile(candidates[i], measured[i].compile_ns);
    }
  }
}

void Tuner::finish_entry(uint32_t index, netcl_status status, const std::string& message,
                         uint64_t begin_ns) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (index >= entries_.size()) return;
  Entry& entry = entries_[index];
  entry.status = status;
  entry.message = message;
  entry.elapsed_ns += monotonic_ns() - begin_ns;
}

// The shortest time in which the device can do the work of an entry; 0 unless its ceilings were
// measured before and the work is declared.
double Tuner::roof_of(Subject& subject) {
  const std::shared_ptr<roofline::Ceilings> ceilings = roofline::known_ceilings(*device_);
  return ceilings == nullptr ? 0.0 : roofline::shortest_time_ns(*ceilings, subject.work());
}

void Tuner::run_entry(uint32_t index, const std::shared_ptr<Subject>& subject) {
  const uint64_t begin = monotonic_ns();
  const TunePolicy policy = environment().tune;
  const bool stores = policy != TunePolicy::off;
  const bool force = settings_.force || policy == TunePolicy::force;
  const std::string text = subject->key().text();
  const std::string fingerprint = fingerprint_of(subject->space());
  struct Flight {
    const std::string& key;
    ~Flight() { InFlight::instance().leave(key); }
  };
  try {
    const auto known = [&] {
      if (!stores) return false;
      const store::Answer answer = database_->lookup(subject->key());
      if (answer.match != NETCL_MATCH_EXACT) return false;
      // The best of another space says nothing about this one. What somebody put has none.
      const std::string& space = answer.record->space;
      if (!space.empty() && space != fingerprint) return false;
      // What was the best so far when a search was cancelled is used, but the search goes on.
      return answer.record->outcome != NETCL_OUTCOME_CANCELLED;
    };
    if (!force && known()) return finish_entry(index, NETCL_OK, "", begin);
    while (!InFlight::instance().enter(text, cancelled_)) {
      if (cancelled_) return finish_entry(index, NETCL_ERROR_CANCELLED, "it was cancelled", begin);
      if (known()) return finish_entry(index, NETCL_OK, "", begin);
    }
    const Flight flight{text};
    // Somebody may have been done between the two looks.
    if (!force && known()) return finish_entry(index, NETCL_OK, "", begin);
    netcl_search_options options = settings_.search;
    if (options.roof_ns == 0.0) options.roof_ns = roof_of(*subject);
    const auto search =
        std::make_shared<Search>(subject->space(), subject->limits(), subject->standard(), options,
                                 subject->standard_outside());
    search->set_sizes(subject->sizes());
    if (stores && !force) resume_search(*search, *database_, subject->key());
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      current_ = search;
      if (index < entries_.size()) {
        entries_[index].search = search;
        entries_[index].measured = true;
      }
    }
    SearchRecords records(*search, *database_, subject->key(), subject->unset());
    const auto closing = [&] {
      subject->close();
      if (stores) records.put_all();
    };
    try {
      measure(index, *subject, search, stores ? &records : nullptr);
    } catch (...) {
      closing();
      throw;
    }
    closing();
    const netcl_search_result result = search->result();
    if (result.stop == NETCL_STOP_CANCELLED) {
      return finish_entry(index, NETCL_ERROR_CANCELLED, "it was cancelled", begin);
    }
    (void)search->best();  // says why when nothing is valid
    finish_entry(index, NETCL_OK, "", begin);
  } catch (const Error& error) {
    subject->close();
    const bool lost = device_->backend().lost();
    finish_entry(index, lost ? NETCL_ERROR_DEVICE_LOST : error.status(), error.what(), begin);
  }
}

void Tuner::run() {
  const std::lock_guard<std::mutex> one(run_mutex_);
  ++runs_;
  struct Done {
    Tuner* tuner;
    ~Done() {
      tuner->runner_.reset();
      --tuner->runs_;
    }
  } const done{this};
  cancelled_ = false;
  for (uint32_t i = 0;; ++i) {
    std::shared_ptr<Subject> subject;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (i >= entries_.size()) break;
      // What this tuner measured itself is not measured again.
      if (entries_[i].measured && entries_[i].status == NETCL_OK) continue;
      subject = entries_[i].subject;
    }
    if (cancelled_) fail(NETCL_ERROR_CANCELLED, "tuning was cancelled before entry %u", i);
    run_entry(i, subject);
  }
  if (cancelled_) fail(NETCL_ERROR_CANCELLED, "tuning was cancelled");
}

void Tuner::cancel() {
  cancelled_ = true;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (current_ != nullptr) current_->cancel();
}

bool Tuner::read_event(uint64_t after, uint64_t timeout_ns, netcl_search_event* event) {
  if (events_.read(after, 0, event)) return true;
  if (runs_ == 0) {
    if (events_.read(after, 0, event)) return true;
    fail(NETCL_ERROR_NOT_FOUND, "no run is under way and no event is left");
  }
  const Deadline deadline(timeout_ns);
  while (!deadline.passed()) {
    // In slices, because a run may end without a further event.
    if (events_.read(after, std::min<uint64_t>(deadline.left(), 20000000), event)) return true;
    if (runs_ == 0) {
      if (events_.read(after, 0, event)) return true;
      fail(NETCL_ERROR_NOT_FOUND, "the run is over and no event is left");
    }
  }
  return false;
}

uint32_t Tuner::count() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return static_cast<uint32_t>(entries_.size());
}

Tuner::Entry Tuner::entry(uint32_t index) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (index >= entries_.size()) {
    fail(NETCL_ERROR_NOT_FOUND, "index is %u; the tuner has %zu entries", index, entries_.size());
  }
  return entries_[index];
}

store::Answer Tuner::answer(const Entry& entry) { return database_->lookup(entry.subject->key()); }

// Of an entry with this size, else of any of the name, else of what was stored last for it.
store::Key Tuner::key_of(const std::string& name, const std::vector<int64_t>& shape) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto named = [&](const Entry& entry) { return entry.subject->name() == name; };
    auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
      return named(entry) && entry.subject->key().shape == shape;
    });
    if (found == entries_.end()) found = std::find_if(entries_.begin(), entries_.end(), named);
    if (found != entries_.end()) return found->subject->key();
  }
  const store::Record* last = nullptr;
  for (const store::Record* record : database_->records()) {
    const bool ours = record->kind == store::RecordKind::best && record->key.kernel == name &&
                      part_serves(current_part(record->key.part), device_->part());
    if (!ours) continue;
    const bool exact = record->key.shape == shape;
    if (last == nullptr || exact || last->key.shape != shape) last = record;
  }
  if (last == nullptr) {
    fail(NETCL_ERROR_NOT_FOUND, "name is %s, of which neither tuner nor database has an entry",
         quoted(name.c_str()).c_str());
  }
  store::Key key = last->key;
  key.part = device_->part();
  key.driver = device_->driver();
  return key;
}

Tuner::Used Tuner::lookup(const std::string& name, const std::vector<int64_t>& shape) {
  const bool op = name.rfind("op.", 0) == 0;
  store::Key key = key_of(name, shape);
  if (op && key.shape.size() != shape.size()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "global_count is %zu; %s is tuned for %zu extents",
         shape.size(), name.c_str(), key.shape.size());
  }
  key.shape = shape;
  const store::Answer answer = database_->lookup(key);
  if (answer.record == nullptr) return {};
  Config config = config_of(answer.record->config, "the record");
  if (answer.match == NETCL_MATCH_NEAREST_SHAPE) {
    // Its macros hold for its work size, and that for its shape alone.
    if (!answer.record->global.empty()) return {};
    config = op ? op_config_near(std::move(config))
                : launch_config_near(config, key.layout == "round_up", shape);
  }
  if (config.values.empty()) return {};
  return {answer.match, std::make_shared<const Config>(std::move(config))};
}

void Tuner::save(const char* path) {
  std::vector<store::Key> keys;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const Entry& entry : entries_) keys.push_back(entry.subject->key());
  }
  std::string text;
  for (const store::Record* record : database_->records()) {
    const bool ours = std::any_of(keys.begin(), keys.end(),
                                  [&](const store::Key& key) { return key == record->key; });
    if (ours) text += store::encode_record(*record) + "\n";
  }
  write_file_atomically(path, {text});
}

void Tuner::load(const char* path) { database_->merge(path); }

void Tuner::clear() {
  std::vector<store::Key> keys;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const Entry& entry : entries_) keys.push_back(entry.subject->key());
    entries_.clear();
  }
  database_->drop(keys);
}

}  // namespace netcl::tune
