// Answers of the tuning database by the hash of the question, to be read without a lock: a launch
// asks each time. Writers hold the database's mutex.
#pragma once

#include <array>
#include <atomic>

#include "core/hash.hpp"
#include "netcl.h"

namespace netcl::store {

struct Record;

struct Answer {
  const Record* record = nullptr;  // lives as long as the database
  netcl_match match = NETCL_MATCH_NONE;
};

class Memo {
 public:
  // False when the question was not asked since the generation began.
  bool find(const Hash128& question, uint64_t generation, Answer* answer) const noexcept {
    for (size_t way = 0; way < kWays; ++way) {
      const Slot& slot = slots_[place(question, way)];
      const uint64_t before = slot.sequence.load(std::memory_order_acquire);
      if ((before & 1) != 0) continue;
      const bool same = slot.low.load(std::memory_order_acquire) == question.low &&
                        slot.high.load(std::memory_order_acquire) == question.high &&
                        slot.generation.load(std::memory_order_acquire) == generation;
      answer->record = slot.record.load(std::memory_order_acquire);
      answer->match = slot.match.load(std::memory_order_acquire);
      if (same && slot.sequence.load(std::memory_order_relaxed) == before) return true;
    }
    return false;
  }

  void keep(const Hash128& question, uint64_t generation, const Answer& answer) noexcept {
    Slot* chosen = &slots_[place(question, turn_++ % kWays)];
    for (size_t way = 0; way < kWays; ++way) {
      Slot& slot = slots_[place(question, way)];
      if (slot.generation.load(std::memory_order_relaxed) != generation) chosen = &slot;
    }
    const uint64_t before = chosen->sequence.load(std::memory_order_relaxed);
    chosen->sequence.store(before + 1, std::memory_order_relaxed);
    chosen->low.store(question.low, std::memory_order_release);
    chosen->high.store(question.high, std::memory_order_release);
    chosen->generation.store(generation, std::memory_order_release);
    chosen->record.store(answer.record, std::memory_order_release);
    chosen->match.store(answer.match, std::memory_order_release);
    chosen->sequence.store(before + 2, std::memory_order_release);
  }

 private:
  static constexpr size_t kSlots = 1024;
  static constexpr size_t kWays = 4;
  // Odd while it is written. Every member is atomic, so a reader that comes in between sees old or
  // new words, and the sequence tells it that they do not belong together.
  struct Slot {
    std::atomic<uint64_t> sequence{0};
    std::atomic<uint64_t> low{0};
    std::atomic<uint64_t> high{0};
    std::atomic<uint64_t> generation{0};  // 0: never used
    std::atomic<const Record*> record{nullptr};
    std::atomic<netcl_match> match{NETCL_MATCH_NONE};
  };
  static size_t place(const Hash128& question, size_t way) noexcept {
    return (question.low + way) % kSlots;
  }
  std::array<Slot, kSlots> slots_;
  size_t turn_ = 0;
};

}  // namespace netcl::store
