// Rooms in the memory of the ranks' devices that all of them reach: GPUs of one host read each
// other's by the links between them, and devices of the host any memory that is a file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "group/exchange.hpp"
#include "queue/queue.hpp"
#include "tensor/tensor.hpp"

namespace netcl::group {

// Why ranks do not get what they were to have.
struct Refusal {
  netcl_status status = NETCL_OK;  // NETCL_OK for none
  std::string text;

  explicit operator bool() const noexcept { return status != NETCL_OK; }
};

// Halves are so long at first, and for messages at most.
inline constexpr uint64_t kHalfLeast = uint64_t{1} << 20;
inline constexpr uint64_t kHalfMost = uint64_t{64} << 20;

// Whether a room cannot be had for want of memory or descriptors.
bool is_shortage(const Error& error) noexcept;

// What rooms of a group are for; of each kind there is one set.
enum class RoomsFor : uint8_t { all_ranks, pair, gradients };

// The rooms of those at one board. Each has two halves, for pieces in turn. A rank takes
// descriptors for its own and for that of each other.
class PeerRooms {
 public:
  PeerRooms(DeviceRef device, RoomsFor use, uint64_t half_most = kHalfMost)
      : device_(std::move(device)), use_(use), half_most_(half_most) {}

  // Makes halves of at least so many bytes, as all ranks at the board do, but not more than there
  // may be; where one of them has no memory for that, of less, or keeps what there is. What keeps
  // them from having any.
  Refusal grow(Exchange& call, uint64_t bytes);
  // The first of several ranks of this process, made by one thread.
  static Refusal grow_local(std::span<PeerRooms* const> ranks,
                            std::span<const Board* const> boards);
  // 0 before the first time.
  uint64_t half_bytes() const noexcept { return half_bytes_; }
  // Bytes of a half of a seat's room as elements, where this rank's device finds them.
  TensorRef part(uint32_t seat, uint64_t half, netcl_dtype dtype, uint64_t offset,
                 uint64_t bytes) const;
  const BufferRef& room(uint32_t seat) const { return rooms_[seat]; }
  // For what fills this rank's room while the others' are read; made when it is first asked for.
  Queue& filling();

 private:
  enum class Problem : uint64_t { none, no_memory, not_reached, other_bytes, none_given };
  Refusal try_growing(Exchange& call, uint64_t bytes);
  Problem hand_out(const Board& board, uint64_t bytes);
  Problem take_in(const Board& board);
  Problem look_at_marks(const Board& board);
  uint64_t number() const noexcept;
  void finish(bool well) noexcept;
  void make_mark(unsigned char* mark, const Board& board, uint32_t seat) const noexcept;
  static Refusal refusal_of(const Board& board, std::span<const uint64_t> problems);

  const DeviceRef device_;
  const RoomsFor use_;
  const uint64_t half_most_;
  QueueRef filling_;
  uint32_t times_ = 0;     // that rooms were made here, or tried
  uint32_t patience_ = 0;  // calls until it is tried again to have more
  uint64_t half_bytes_ = 0;
  uint64_t next_half_ = 0;
  std::vector<BufferRef> rooms_, next_;  // by seats; what is being made
};

}  // namespace netcl::group
