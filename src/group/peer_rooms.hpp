// Rooms in the memory of the ranks' devices that all of them reach: GPUs of one host read each
// other's by the links between them, and devices of the host any memory that is a file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "group/exchange.hpp"
#include "queue/queue.hpp"
#include "tensor/tensor.hpp"

namespace netcl::group {

// The rooms of those at one board. Each has two halves, for pieces in turn.
class PeerRooms {
 public:
  explicit PeerRooms(DeviceRef device);

  // Makes halves of at least so many bytes, as all ranks at the board do; not more than kHalfMost.
  // Where one of them cannot, all keep what they had, and "" turns into why.
  std::string grow(Exchange& call, uint64_t bytes);
  // 0 before the first time.
  uint64_t half_bytes() const noexcept { return half_bytes_; }
  // Bytes of a half of a seat's room as elements, where this rank's device finds them.
  TensorRef part(uint32_t seat, uint64_t half, netcl_dtype dtype, uint64_t offset,
                 uint64_t bytes) const;
  // For what fills this rank's room while the others' are read; made when it is first asked for.
  Queue& filling();

 private:
  using Rooms = std::vector<BufferRef>;  // by seats
  enum class Problem : uint64_t { none, no_memory, not_reached, other_bytes };
  Problem make(Exchange& call, uint64_t bytes, Rooms* rooms);
  Problem hand_out(const Board& board, const BufferRef& room) const;
  Problem take_in(const Board& board, Rooms* rooms) const;
  Problem agree(Exchange& call, Problem own, std::string* text) const;
  void mark(const BufferRef& room, uint32_t seat, uint64_t bytes) const;
  bool shows_marks(const Rooms& rooms, uint32_t me, uint64_t bytes) const;

  const DeviceRef device_;
  QueueRef filling_;
  uint32_t times_ = 0;  // that rooms were made here
  uint64_t half_bytes_ = 0;
  bool full_ = false;  // no more can be had
  Rooms rooms_;
};

// Halves are so long at first, and at most.
inline constexpr uint64_t kHalfLeast = uint64_t{1} << 20;
inline constexpr uint64_t kHalfMost = uint64_t{64} << 20;

}  // namespace netcl::group
