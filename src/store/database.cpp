#include "store/database.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/error.hpp"
#include "core/log.hpp"
#include "core/number.hpp"
#include "core/process.hpp"
#include "device/part.hpp"

namespace netcl::store {

namespace {

std::string series_of(const Key& key, const std::string& space) {
  return key.text() + '\x1f' + space;
}

// Squared distance in log space; infinite when they cannot be compared or are too far apart.
double distance(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  if (a.size() != b.size()) return INFINITY;
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    if (a[i] <= 0 || b[i] <= 0) return INFINITY;
    const double step =
        std::fabs(std::log2(static_cast<double>(a[i])) - std::log2(static_cast<double>(b[i])));
    const auto low = static_cast<double>(std::min(a[i], b[i]));
    if (static_cast<double>(std::max(a[i], b[i])) > low * Database::kNear) return INFINITY;
    sum += step * step;
  }
  return sum;
}

double distance(const Key& a, const Key& b) {
  return distance(a.shape, b.shape) + distance(a.scalars, b.scalars);
}

// "4096x16 (3, 5)"
std::string size_text(const Key& key) {
  std::string text, scalars;
  for (const int64_t extent : key.shape) text += (text.empty() ? "" : "x") + number_text(extent);
  for (const int64_t n : key.scalars) scalars += (scalars.empty() ? "" : ", ") + number_text(n);
  return scalars.empty() ? text : text + " (" + scalars + ")";
}

double volume(const std::vector<int64_t>& shape) {
  double product = 1;
  for (const int64_t extent : shape) product *= static_cast<double>(extent);
  return product;
}

}  // namespace

Database::Database(Journal journal)
    : journal_(std::move(journal)), memo_(std::make_unique<Memo>()) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (journal_.enabled()) read_tail();
}

Database& Database::shared() {
  return process().services.get<Database>(Slot::tuning_database, [] {
    std::string trouble;
    try {
      auto made = std::make_unique<Database>(nullptr);
      trouble = made->journal().off_reason();
      if (trouble.empty()) return made;
    } catch (const Error& error) {
      trouble = error.what();
    }
    Log& log = netcl::process().log;
    if (log.wants(NETCL_LOG_INFO)) {
      log.append(NETCL_LOG_INFO, ("tuning results are not stored: " + trouble).c_str());
    }
    return std::make_unique<Database>(Journal::without(std::move(trouble)));
  });
}

// ---- Look-up ------------------------------------------------------------------------------------

Answer Database::lookup(const Key& key) {
  const std::string text = key.text();
  return lookup(hash128(text), [&]() -> const Key& { return key; });
}

Answer Database::resolve(const Hash128& question, const Key& key) {
  std::string news;
  Answer answer;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    answer = best_match(key);
    memo_->keep(question, generation_.load(std::memory_order_relaxed), answer);
    if (process().log.wants(NETCL_LOG_INFO)) news = near_miss(key, answer);
    // A change elsewhere brings the question up again, and the same news.
    if (news.empty() || told_.size() >= kToldMost || !told_.insert(news).second) return answer;
  }
  log_message(NETCL_LOG_INFO, "tuning: %s", news.c_str());
  return answer;
}

// A configuration that crashed or was wrong is out for every shape.
bool Database::quarantined(const Record& record, const Key& asked) const {
  const auto found = quarantine_.find(record.key.group());
  if (found == quarantine_.end()) return false;
  const std::string config = record.config_text();
  return std::any_of(found->second.begin(), found->second.end(), [&](const Entry* entry) {
    return entry->record.key.driver == asked.driver &&
           part_serves(entry->record.key.part, asked.part) && entry->record.config_text() == config;
  });
}

Answer Database::best_match(const Key& key) const {
  const auto found = best_.find(key.group());
  if (found == best_.end()) return Answer();
  // Of equal distance: the own driver before another, the part itself before one of an earlier
  // version, the smaller shape before the larger, and the later word.
  using Rank = std::tuple<double, bool, bool, double>;
  Rank best_rank;
  Answer answer;
  for (const Entry* entry : found->second) {
    const Record& record = entry->record;
    if (!part_serves(record.key.part, key.part)) continue;
    const double away = distance(record.key, key);
    if (std::isinf(away) || quarantined(record, key)) continue;
    // Sums of logarithms that are equal but for rounding are one distance.
    const Rank rank{std::round(away * 1e9), record.key.driver != key.driver,
                    record.key.part != key.part, volume(record.key.shape)};
    if (answer.record != nullptr && rank > best_rank) continue;
    best_rank = rank;
    answer = {&record, away != 0.0                      ? NETCL_MATCH_NEAREST_SHAPE
                       : record.key.driver == key.driver ? NETCL_MATCH_EXACT
                                                         : NETCL_MATCH_OTHER_DRIVER};
  }
  return answer;
}

// ---- Near misses --------------------------------------------------------------------------------

// What keeps a record from answering a question about the same kernel; empty when that is more than
// another device, source or flags, since then nobody expects an answer.
std::string Database::difference(const Record& record, const Key& key) const {
  const Key& known = record.key;
  if (known.kernel != key.kernel || known.dtypes != key.dtypes || known.layout != key.layout ||
      std::isinf(distance(known, key))) {
    return std::string();
  }
  std::string text;
  const auto add = [&](const std::string& what) { text += (text.empty() ? "" : ", and ") + what; };
  if (!part_serves(known.part, key.part)) {
    add("it was tuned on " + quoted(known.part.c_str()) + ", not on " + quoted(key.part.c_str()));
  }
  if (known.source != key.source) add("its source has changed since");
  if (known.flags != key.flags) {
    add("it was tuned with the flags " + quoted(known.flags.c_str()) + ", not with " +
        quoted(key.flags.c_str()));
  }
  if (text.empty() && quarantined(record, key)) add("what was found is in quarantine");
  return text;
}

std::string Database::near_miss(const Key& key, const Answer& answer) const {
  if (answer.match == NETCL_MATCH_EXACT) return std::string();
  const std::string name = key.kernel + " " + size_text(key) + " " + key.dtypes;
  if (answer.match == NETCL_MATCH_NEAREST_SHAPE) {
    return name + " takes what was found for " + size_text(answer.record->key);
  }
  if (answer.match == NETCL_MATCH_OTHER_DRIVER) {
    return name + " takes what was found with the driver " +
           quoted(answer.record->key.driver.c_str());
  }
  const Record* latest = nullptr;
  std::string reason;
  for (const auto& [group, entries] : best_) {
    for (const Entry* entry : entries) {
      const std::string text = difference(entry->record, key);
      if (text.empty() || (latest != nullptr && entry->record.timestamp < latest->timestamp)) {
        continue;
      }
      latest = &entry->record;
      reason = text;
    }
  }
  if (latest == nullptr) return std::string();
  return name + " does not use what was found for " + size_text(latest->key) + ": " + reason;
}

std::string Database::near_miss(const Key& key) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return near_miss(key, best_match(key));
}

// ---- Records in memory --------------------------------------------------------------------------

void Database::changed() {
  has_best_.store(!best_.empty(), std::memory_order_relaxed);
  generation_.fetch_add(1, std::memory_order_acq_rel);
}

void Database::forget_all() {
  for (Entry& entry : entries_) entry.live = false;
  by_subject_.clear();
  best_.clear();
  quarantine_.clear();
  measurements_.clear();
  order_.clear();
  ++turns_;
}

void Database::take_in(std::string_view line) {
  const auto known = by_line_.find(std::string(line));
  if (known != by_line_.end()) {
    if (!known->second->live) enter(known->second);
    return;
  }
  Record record;
  if (decode_line(line, &record) != LineKind::record) return;
  entries_.push_back({std::move(record), std::string(line), false});
  by_line_.emplace(line, &entries_.back());
  enter(&entries_.back());
}

void Database::enter(Entry* entry) {
  const Record& record = entry->record;
  const auto drop = [](Entries* from, const Entry* old) {
    from->erase(std::remove(from->begin(), from->end(), old), from->end());
  };
  Entries& place = record.kind == RecordKind::best ? best_[record.key.group()]
                   : record.kind == RecordKind::quarantine
                       ? quarantine_[record.key.group()]
                       : measurements_[series_of(record.key, record.space)];
  Entry*& last = by_subject_[subject_of(record)];
  if (last != nullptr) {
    last->live = false;
    drop(&place, last);
  }
  last = entry;
  entry->live = true;
  entry->turn = ++turns_;
  place.push_back(entry);
  order_.push_back({entry, entry->turn});
}

void Database::load_locked(std::string_view text) {
  for_each_line(text, [this](std::string_view line) { take_in(line); });
  changed();
}

void Database::read_tail() {
  bool restarted = false;
  const std::string text = journal_.read(&position_, &restarted);
  if (restarted) forget_all();
  if (restarted || !text.empty()) load_locked(text);
}

// ---- Writing ------------------------------------------------------------------------------------

void Database::put(std::vector<Record> records) {
  std::vector<std::string> lines;
  for (const Record& record : records) lines.push_back(encode_record(record));
  const std::lock_guard<std::mutex> lock(mutex_);
  if (journal_.enabled()) {
    try {
      journal_.append(lines);
      read_tail();
      return;
    } catch (...) {
      for (const std::string& line : lines) take_in(line);
      changed();
      throw;
    }
  }
  for (const std::string& line : lines) take_in(line);
  changed();
}

std::vector<const Record*> Database::measurements(const Key& key, const std::string& space) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<const Record*> out;
  const auto found = measurements_.find(series_of(key, space));
  if (found == measurements_.end()) return out;
  for (const Entry* entry : found->second) out.push_back(&entry->record);
  return out;
}

void Database::refresh() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (journal_.enabled()) read_tail();
}

// Keeps the lines in force that `keep` wants, and what other versions wrote.
void Database::rewrite(const std::function<bool(const Record&)>& keep) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!journal_.enabled()) {
    std::vector<std::string> lines;
    for (const Entry* entry : in_force()) {
      if (keep(entry->record)) lines.push_back(entry->line);
    }
    forget_all();
    for (const std::string& line : lines) take_in(line);
    changed();
    return;
  }
  journal_.replace([&](std::string_view old) {
    std::vector<std::string_view> lines;
    std::unordered_map<std::string, size_t> last;  // line of each subject, plus 1
    for_each_line(old, [&](std::string_view line) {
      Record record;
      const LineKind kind = decode_line(line, &record);
      if (kind == LineKind::damaged || (kind == LineKind::record && !keep(record))) return;
      lines.push_back(line);
      if (kind != LineKind::record) return;
      size_t& place = last[subject_of(record)];
      if (place != 0) lines[place - 1] = std::string_view();
      place = lines.size();
    });
    std::string text;
    for (const std::string_view line : lines) {
      if (!line.empty()) text.append(line).push_back('\n');
    }
    return text;
  });
  // The successor is another file, but systems give the number of a removed one out again.
  position_ = Position();
  forget_all();
  read_tail();
  changed();
}

void Database::compact() {
  rewrite([](const Record&) { return true; });
}

void Database::clear(const std::string& kernel) {
  rewrite([&](const Record& record) { return !kernel.empty() && record.key.kernel != kernel; });
}

void Database::drop(const std::vector<Key>& keys) {
  rewrite([&](const Record& record) {
    return std::find(keys.begin(), keys.end(), record.key) == keys.end();
  });
}

LineCounts Database::verify() {
  const std::lock_guard<std::mutex> lock(mutex_);
  LineCounts counts;
  std::string text;
  if (journal_.enabled()) {
    Position begin;
    bool restarted = false;
    text = journal_.read(&begin, &restarted);
  } else {
    for (const Entry* entry : in_force()) text += entry->line + '\n';
  }
  counts.bytes = text.size();
  std::unordered_set<std::string> subjects;
  for_each_line(text, [&](std::string_view line) {
    Record record;
    switch (decode_line(line, &record)) {
      case LineKind::record:
        ++counts.records;
        if (!subjects.insert(subject_of(record)).second) ++counts.superseded;
        break;
      case LineKind::foreign:
        ++counts.foreign;
        break;
      case LineKind::damaged:
        ++counts.damaged;
    }
  });
  return counts;
}

// Lines that were superseded are left out here instead of being searched for when it happens.
const std::vector<Database::Entry*>& Database::in_force() {
  if (order_.size() != listed_ || listed_turn_ != turns_) {
    list_.clear();
    std::vector<std::pair<Entry*, uint64_t>> order;
    for (const auto& [entry, turn] : order_) {
      if (!entry->live || entry->turn != turn) continue;
      list_.push_back(entry);
      order.emplace_back(entry, turn);
    }
    order_ = std::move(order);
    listed_ = order_.size();
    listed_turn_ = turns_;
  }
  return list_;
}

const Record* Database::record(uint64_t index) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const Entries& list = in_force();
  return index < list.size() ? &list[index]->record : nullptr;
}

std::vector<const Record*> Database::records() {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<const Record*> out;
  for (const Entry* entry : in_force()) out.push_back(&entry->record);
  return out;
}

}  // namespace netcl::store
