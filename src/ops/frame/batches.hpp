// Launches and fills of kept commands that the driver keeps as well, for memory that they come with
// again and again: one command in place of many.
#pragma once

#include <array>
#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "core/lru.hpp"
#include "ops/frame/kept_commands.hpp"

namespace netcl::ops {

// What became of the batches of one graph, for those who ask.
class BatchReport {
 public:
  struct Facts {
    uint64_t made = 0;     // batches that the driver has been given
    uint64_t runs = 0;     // that enqueued them
    uint64_t without = 0;  // that enqueued every command by itself
    std::string reason;    // of the last of these, or why there will be none
  };
  void note_made() noexcept { made_.fetch_add(1, std::memory_order_relaxed); }
  void note_run() noexcept { runs_.fetch_add(1, std::memory_order_relaxed); }
  // `reason` is static text.
  void note_without(const char* reason) noexcept;
  // Of a run that was refused. One that is `final` stays the reason.
  void note_refused(const std::string& reason, bool final);
  Facts facts() const;

 private:
  std::atomic<uint64_t> made_{0};
  std::atomic<uint64_t> runs_{0};
  std::atomic<uint64_t> without_{0};
  std::atomic<const char*> last_{nullptr};
  mutable std::mutex mutex_;  // guards what follows
  std::string refused_;       // the reason where last_ is null
  std::string failure_;
};

class Batches {
 public:
  // `commands` and `report` live as long as this. No batch has commands on both sides of one of
  // `cuts`, which rise.
  Batches(const KeptCommands& commands, Device& device, BatchReport& report,
          std::vector<size_t> cuts);

  // Gets how many commands are enqueued, at each cut and at the end.
  using Passed = FunctionRef<void(size_t)>;
  // Enqueues all commands on `count` memories. Several threads may do so at a time.
  void enqueue(const NumberedMemory& memory, size_t count, const Run& run, Passed passed);

  // How many launches and fills the driver may be given, in how many batches.
  size_t commands() const noexcept { return count_of_commands_; }
  size_t count() const noexcept { return ranges_.size(); }
  // Why there are none; empty otherwise.
  const std::string& refusal() const noexcept { return refusal_; }

 private:
  // Where the memory of a run lies.
  struct Place {
    const backend::Buffer* buffer;
    uint64_t shift;
  };
  // The batches of each range, for memory in one place.
  using Set = std::vector<backend::BatchRef>;
  using SetRef = std::shared_ptr<const Set>;
  static constexpr size_t kSets = 8;
  static constexpr size_t kRan = 16;

  // Null where every command is to be enqueued by itself. *first becomes true where that is for
  // memory that no run is known to have worked with.
  SetRef set_for(const NumberedMemory& memory, std::string_view places, const Run& run,
                 bool* first);
  // `places` are the bytes of the places from here on.
  SetRef known_set(std::string_view places);
  bool ran_before(std::string_view places) const noexcept;
  void note_ran(std::string_view places) noexcept;
  SetRef make_set(const NumberedMemory& memory, const Run& run);
  void cut_ranges(const std::vector<KeptCommands::Range>& whole);
  // Each command by itself.
  void enqueue_single(const NumberedMemory& memory, const Run& run, KeptCommands::Range range,
                      Passed passed) const;
  // False when each command was enqueued by itself.
  bool enqueue_range(size_t index, const Set& set, const NumberedMemory& memory, const Run& run);

  const KeptCommands& commands_;
  BatchReport& report_;
  const std::vector<size_t> cuts_;
  std::string refusal_;
  std::vector<KeptCommands::Range> ranges_;
  std::vector<std::vector<KeptCommands::Source>> sources_;  // of each range
  size_t count_of_commands_ = 0;
  std::atomic<bool> off_{false};               // something failed
  std::mutex mutex_;                           // guards what follows
  LruCache<std::string, SetRef> sets_{kSets};  // null where one went out of use
  // Hashes of places, in a ring: noting one must not fail.
  std::array<uint64_t, kRan> ran_{};
  size_t next_ran_ = 0;
};

}  // namespace netcl::ops
