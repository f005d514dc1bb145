// The tuning database: records in memory, in the order of a journal, and the look-up that dispatch
// makes. No method measures anything.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

#include "store/journal.hpp"
#include "store/memo.hpp"
#include "store/record.hpp"

namespace netcl::store {

struct LineCounts {
  uint64_t records = 0;     // lines of this version that hold, superseded ones included
  uint64_t superseded = 0;  // of these, by a later line
  uint64_t foreign = 0;
  uint64_t damaged = 0;
  uint64_t bytes = 0;
};

// Any number of threads may use one object.
class Database {
 public:
  // See Journal for the path. A database without a file lives in memory. Fails with IO when the
  // file cannot be read.
  explicit Database(const char* path) : Database(Journal(path)) {}
  explicit Database(Journal journal);

  // The one that dispatch and, unless told otherwise, tuners use. What is wrong with its file goes
  // into the log, once: it never fails.
  static Database& shared();

  // Exact; same part, shape and scalars, another driver; nearest of these, each within a factor of
  // kNear; nothing. Quarantined configurations are passed over.
  Answer lookup(const Key& key);
  // The same for a caller that has a hash of what the key would be: the key itself is made only
  // when the question is new. One load says that there is nothing at all.
  template <class MakeKey>
  Answer lookup(const Hash128& question, MakeKey make_key) {
    const uint64_t generation = generation_.load(std::memory_order_acquire);
    Answer answer;
    if (!has_best_.load(std::memory_order_relaxed) || memo_->find(question, generation, &answer)) {
      return answer;
    }
    return resolve(question, make_key());
  }

  // Why the answer to a key is not exact although the kernel was tuned: a line that names what
  // differs. Empty when the answer is exact, and when there is nothing near.
  std::string near_miss(const Key& key);

  // Appends records, and takes in what other processes appended. When the file cannot be written
  // they are kept in memory, and the call fails with IO or TIMEOUT.
  void put(std::vector<Record> records);
  // How each configuration of a key did, the latest word on each, in the order of their coming.
  std::vector<const Record*> measurements(const Key& key, const std::string& space);
  // Takes in what other processes wrote.
  void refresh();
  // Adds the records of another journal that are not older than what is known of their key. Fails
  // with IO. Gives the number of records taken over.
  uint64_t merge(const char* path);
  // Drops superseded and damaged lines; lines of other versions stay.
  void compact();
  // Drops all records of a kernel, of all kernels when the name is empty.
  void clear(const std::string& kernel);
  // Drops all records of some keys.
  void drop(const std::vector<Key>& keys);
  // Counts the lines of the file, or of what is in memory when there is none.
  LineCounts verify();

  // Changes when an answer may have changed.
  uint64_t generation() const noexcept { return generation_.load(std::memory_order_acquire); }
  const Journal& journal() const noexcept { return journal_; }
  // The records in force, in the order of their coming; null past the end.
  const Record* record(uint64_t index);
  std::vector<const Record*> records();

  static constexpr double kNear = 4.0;
  static constexpr size_t kToldMost = 256;

 private:
  struct Entry {
    Record record;
    std::string line;
    bool live = false;
    uint64_t turn = 0;  // of its last entry into order_
  };
  using Entries = std::vector<Entry*>;

  Answer resolve(const Hash128& question, const Key& key);
  Answer best_match(const Key& key) const;
  bool quarantined(const Record& record, const Key& asked) const;
  std::string difference(const Record& record, const Key& key) const;
  std::string near_miss(const Key& key, const Answer& answer) const;
  void load_locked(std::string_view text);
  void take_in(std::string_view line);
  void enter(Entry* entry);
  const Entries& in_force();
  void forget_all();
  void read_tail();
  void changed();
  void rewrite(const std::function<bool(const Record&)>& keep);

  Journal journal_;
  std::mutex mutex_;  // guards what follows; memo_ is read without it
  Position position_;
  std::deque<Entry> entries_;  // never shrinks: answers point into it
  std::unordered_map<std::string, Entry*> by_line_;
  std::unordered_map<std::string, Entry*> by_subject_;
  std::unordered_map<std::string, Entries> best_;          // by group
  std::unordered_map<std::string, Entries> quarantine_;    // by group
  std::unordered_map<std::string, Entries> measurements_;  // by key and space
  std::vector<std::pair<Entry*, uint64_t>> order_;         // with the turns at which they came
  uint64_t turns_ = 0;
  Entries list_;  // of order_, what is in force; as of these two
  size_t listed_ = 0;
  uint64_t listed_turn_ = 0;
  std::unordered_set<std::string> told_;  // near misses that were logged
  std::unique_ptr<Memo> memo_;
  std::atomic<uint64_t> generation_{1};
  std::atomic<bool> has_best_{false};
};

}  // namespace netcl::store
