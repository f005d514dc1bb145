// Where the ranks of a group meet: at a board every rank has a seat. A rank writes what the others
// are to read, then meets them; behind that it reads what they wrote. All ranks take the same
// steps. What is beneath, memory that all see or messages, is the matter of the classes that are
// made from these.
#pragma once

#include <algorithm>
#include <atomic>
#include <span>
#include <vector>

#include "group/group_members.hpp"

namespace netcl::group {

// A message up to this size travels with the header.
inline constexpr size_t kInlineBytes = 8192;

// What begins a call of a rank.
struct Slot {
  Header header;
  alignas(64) unsigned char payload[kInlineBytes];
};

// Of one rank at one board.
struct alignas(128) Seat {
  std::atomic<uint32_t> step{0};      // which others wait on
  std::atomic<uint32_t> sleepers{0};  // that have to be woken
  // A rank may be a call ahead of one that still reads: there are two in turn.
  Slot slots[2];
};

// What goes from rank to rank in one step of a long message.
struct Pieces {
  const Flow& flow;
  uint64_t first;  // how much went in the steps before
  uint64_t piece;  // how much goes in one

  uint64_t bytes(uint32_t from, uint32_t to) const noexcept {
    const uint64_t all = flow.range(from, to).bytes;
    return all <= first ? 0 : std::min(all - first, piece);
  }
  // Where in the half of a rank the bytes for another lie. Where all read the same there is one
  // copy, else a place for each.
  uint64_t place(uint32_t to) const noexcept { return flow.same_for_all() ? 0 : to * piece; }
};

class Board {
 public:
  // `ranks` are those that sit at it, in the order of their seats.
  Board(Members& members, unsigned char* memory, size_t half_bytes, std::vector<uint32_t> ranks);
  virtual ~Board() = default;
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;

  static size_t bytes(uint32_t size, size_t half_bytes) noexcept;
  static std::vector<uint32_t> all_ranks(uint32_t size);

  uint32_t size() const noexcept { return static_cast<uint32_t>(ranks_.size()); }
  uint32_t me() const noexcept { return me_; }  // as a seat
  std::span<const uint32_t> ranks() const noexcept { return ranks_; }
  Members& members() const noexcept { return members_; }

  void begin_call() noexcept { ++calls_; }
  // The slot of a seat for this call.
  Slot& slot(uint32_t seat) const noexcept { return seats_[seat].slots[calls_ & 1]; }
  // Each seat has room for two pieces in turn: what is in one stays until its rank has arrived at
  // the step after the next.
  size_t half_bytes() const noexcept { return half_bytes_; }
  unsigned char* half(uint32_t seat, uint32_t step) const noexcept {
    return halves_ + (size_t{seat} * 2 + (step & 1)) * half_bytes_;
  }
  uint32_t step() const noexcept { return step_; }

  // Arrives at the next step and waits until all the others have: with the first bytes of this
  // rank's slot, and with the pieces in the half of the new step.
  virtual void meet_with_slots(size_t bytes) = 0;
  virtual void meet_with_pieces(const Pieces& pieces) = 0;

 protected:
  Members& members_;
  Seat* const seats_;
  uint32_t step_ = 0;

 private:
  unsigned char* const halves_;
  const size_t half_bytes_;
  const std::vector<uint32_t> ranks_;
  uint32_t me_ = 0;
  uint32_t calls_ = 0;
};

// A wait looks so often before it gives its processor away, and does that for so long before it
// sleeps.
inline constexpr int kLooks = 2000;
inline constexpr uint64_t kPolite = 200000;

}  // namespace netcl::group
