// Memory that the ranks of a group share, and how they wait for one another in it.
//
// At a board every rank has a seat. A rank writes what the others are to read, then arrives at its
// next step; the others read when it has. All ranks take the same steps. There are no locks, so one
// that is killed at any moment leaves nothing behind that another could wait for unnoticed.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "core/cache_directory.hpp"
#include "group/collective.hpp"
#include "group/mesh.hpp"

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

// Memory for the boards of a group of so many ranks, zeros at first.
class Segment {
 public:
  struct Front {
    std::atomic<uint64_t> loss{0};  // what made the group unusable, 0 for nothing
    uint64_t name = 0;              // drawn by who makes the memory
    std::atomic<uint32_t> released[kRanksMax];
  };

  // Makes the memory. `descriptor` lets other processes have it.
  Segment(uint32_t size, Descriptor* descriptor);
  // Takes what another process has made.
  Segment(uint32_t size, int descriptor);
  ~Segment();
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

  Front& front() const noexcept { return *reinterpret_cast<Front*>(memory_); }
  // Where the board of all begins, and that of two.
  unsigned char* board() const noexcept;
  unsigned char* pair_board(uint32_t low, uint32_t high) const noexcept;

 private:
  void map(int descriptor);

  uint32_t size_;
  size_t bytes_;
  unsigned char* memory_ = nullptr;
};

// Who is in a group, and what became of it.
class Members {
 public:
  Members(std::shared_ptr<Segment> segment, std::shared_ptr<Mesh> mesh,
          std::vector<uint32_t> mesh_ranks, uint32_t me, uint64_t timeout_ns);
  // Lets those that wait for this rank know that it is gone.
  ~Members();
  Members(const Members&) = delete;
  Members& operator=(const Members&) = delete;

  uint32_t me() const noexcept { return me_; }
  uint32_t size() const noexcept { return static_cast<uint32_t>(mesh_ranks_.size()); }
  uint64_t timeout_ns() const noexcept { return timeout_ns_; }
  Segment& segment() const noexcept { return *segment_; }
  const std::shared_ptr<Mesh>& mesh() const noexcept { return mesh_; }
  uint32_t mesh_rank(uint32_t rank) const noexcept { return mesh_ranks_[rank]; }

  // Throws when the group is unusable.
  void check() const;
  // What made it so; NETCL_OK while it is usable.
  netcl_status loss(std::string* message) const;
  // True when a rank has left or died. Asks the system with `thoroughly` alone.
  bool gone(uint32_t rank, bool thoroughly) const noexcept;
  // Makes the group unusable, unless it is already, and throws.
  [[noreturn]] void lose_gone(uint32_t rank);
  [[noreturn]] void lose_late(uint32_t rank);
  // The same where another exception tells of it here.
  void give_up() noexcept;

 private:
  enum class Loss : uint8_t { none, late, died, released, gave_up };
  void lose(Loss loss, uint32_t rank) noexcept;

  const std::shared_ptr<Segment> segment_;
  const std::shared_ptr<Mesh> mesh_;
  const std::vector<uint32_t> mesh_ranks_;
  const uint32_t me_;
  const uint64_t timeout_ns_;
};

class Board {
 public:
  // `ranks` are those that sit at it, in the order of their seats.
  Board(Members& members, unsigned char* memory, size_t half_bytes, std::vector<uint32_t> ranks);

  // The board of all ranks, and that of this one with another.
  static Board of_all(Members& members);
  static Board of_pair(Members& members, uint32_t peer);
  static size_t bytes(uint32_t size, size_t half_bytes) noexcept;

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
  // Arrives at the next step and waits until all the others have.
  void meet();

 private:
  bool arrived(uint32_t seat) const noexcept {
    const uint32_t at = seats_[seat].step.load(std::memory_order_seq_cst);
    return static_cast<int32_t>(at - step_) >= 0;
  }
  void await(uint32_t seat);
  void sleep(uint32_t seat) noexcept;

  Members& members_;
  Seat* const seats_;
  unsigned char* const halves_;
  const size_t half_bytes_;
  const std::vector<uint32_t> ranks_;
  const bool crowded_;  // there are more ranks than processors
  uint32_t me_ = 0;
  uint32_t step_;
  uint32_t calls_ = 0;
};

}  // namespace netcl::group
