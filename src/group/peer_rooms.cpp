#include "group/peer_rooms.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "core/error.hpp"
#include "core/log.hpp"
#include "ops/move/copy_peer.hpp"
#include "tensor/transfer.hpp"

namespace netcl::group {

namespace {

// Numbers of rooms are apart from those of the parts of a group: with a bit of their own, and two
// for what they are for.
constexpr uint64_t kRoomNumber = uint64_t{1} << 63;
constexpr uint32_t kUseShift = 61;
constexpr size_t kMarkBytes = 64;
// So many calls go by before it is tried again to have more.
constexpr uint32_t kPatience = 100;
static_assert(sizeof(netcl_shared_memory) <= Mesh::kBytesMost);

TensorRef bytes_at(const BufferRef& room, uint64_t offset, uint64_t bytes, netcl_dtype dtype) {
  const auto element = static_cast<uint64_t>(dtype_size(dtype));
  const auto count = static_cast<int64_t>(bytes / element);
  Layout layout = packed_layout(1, &count);
  layout.offset = static_cast<int64_t>(offset / element);
  return std::make_shared<Tensor>(room, dtype, layout);
}

void warn(const Error& error) {
  log_message(NETCL_LOG_WARNING, "group: no room that all ranks reach: %s",
              error.message().c_str());
}

TransferPlan plan_of(Queue& queue) {
  TransferPlan plan;
  plan.queue = &queue;
  plan.async_copy = false;
  return plan;
}

}  // namespace

bool is_shortage(const Error& error) noexcept {
  return error.status() == NETCL_ERROR_OUT_OF_DEVICE_MEMORY ||
         error.status() == NETCL_ERROR_OUT_OF_HOST_MEMORY || error.status() == NETCL_ERROR_IO;
}

Queue& PeerRooms::filling() {
  if (filling_ == nullptr) filling_ = QueueSet::of(*device_).create(false, false);
  return *filling_;
}

TensorRef PeerRooms::part(uint32_t seat, uint64_t half, netcl_dtype dtype, uint64_t offset,
                          uint64_t bytes) const {
  return bytes_at(rooms_[seat], (half & 1) * half_bytes_ + offset, bytes, dtype);
}

// All ranks make the same calls with the same sizes, so they try at the same time.
Refusal PeerRooms::grow(Exchange& call, uint64_t bytes) {
  Refusal refusal;
  uint64_t wanted = std::min(std::bit_ceil(std::max(bytes, kHalfLeast)), half_most_);
  if (wanted <= half_bytes_) return refusal;
  if (patience_ > 0) {
    --patience_;
    return refusal;
  }
  for (; wanted > half_bytes_ && wanted >= kHalfLeast; wanted /= 2) {
    refusal = try_growing(call, wanted);
    if (!refusal) return refusal;
  }
  if (half_bytes_ == 0) return refusal;
  patience_ = kPatience;
  log_message(NETCL_LOG_WARNING, "group of %u ranks: messages go in pieces of %llu bytes: %s",
              call.board().size(), static_cast<unsigned long long>(half_bytes_),
              refusal.text.c_str());
  return {};
}

Refusal PeerRooms::try_growing(Exchange& call, uint64_t bytes) {
  const Board& board = call.board();
  const Problem given = hand_out(board, bytes);
  // What the others gave is taken in any case, so that nothing is left on the way.
  const Problem taken = take_in(board);
  const Problem own = given != Problem::none ? given : taken;
  Refusal refusal = refusal_of(board, call.tell(static_cast<uint64_t>(own)));
  if (!refusal) {
    refusal = refusal_of(board, call.tell(static_cast<uint64_t>(look_at_marks(board))));
  }
  finish(!refusal);
  return refusal;
}

Refusal PeerRooms::grow_local(std::span<PeerRooms* const> ranks,
                              std::span<const Board* const> boards) {
  std::vector<uint64_t> problems(ranks.size());
  const auto each = [&](const auto& work) {
    for (size_t r = 0; r < ranks.size(); ++r) {
      const Problem problem = work(*ranks[r], *boards[r]);
      if (problems[r] == 0) problems[r] = static_cast<uint64_t>(problem);
    }
  };
  each([](PeerRooms& rooms, const Board& board) { return rooms.hand_out(board, kHalfLeast); });
  each([](PeerRooms& rooms, const Board& board) { return rooms.take_in(board); });
  Refusal refusal = refusal_of(*boards[0], problems);
  if (!refusal) {
    each([](PeerRooms& rooms, const Board& board) { return rooms.look_at_marks(board); });
    refusal = refusal_of(*boards[0], problems);
  }
  for (PeerRooms* rooms : ranks) rooms->finish(!refusal);
  return refusal;
}

void PeerRooms::finish(bool well) noexcept {
  if (well) {
    rooms_.swap(next_);
    half_bytes_ = next_half_;
  }
  next_.clear();
}

uint64_t PeerRooms::number() const noexcept {
  return kRoomNumber | static_cast<uint64_t>(use_) << kUseShift | times_;
}

// Makes this rank's room with its marks, and lets the others have it.
PeerRooms::Problem PeerRooms::hand_out(const Board& board, uint64_t bytes) {
  Members& members = board.members();
  ++times_;
  netcl_shared_memory memory = NETCL_SHARED_MEMORY_INIT;
  Descriptor descriptor(-1);
  Problem problem = Problem::no_memory;
  next_half_ = bytes;
  next_.assign(board.size(), nullptr);
  try {
    const BufferRef room =
        Buffer::over(device_, device_->backend().allocate(2 * bytes, backend::MemoryKind::shared));
    unsigned char mark[kMarkBytes];
    make_mark(mark, board, board.me());
    for (const uint64_t at : {uint64_t{0}, 2 * bytes - kMarkBytes}) {
      const TensorRef place = bytes_at(room, at, kMarkBytes, NETCL_U8);
      write_bytes(packed_span(*place), mark, plan_of(filling()));
      ops::wait_until_written(*place, filling().set());
    }
    memory = room->export_memory();
    descriptor.reset(memory.descriptor);
    next_[board.me()] = room;
    problem = Problem::none;
  } catch (const std::bad_alloc&) {
    // The others hear of it by the lack of a descriptor.
  } catch (const Error& error) {
    if (!is_shortage(error)) throw;
    warn(error);
  }
  const int fd = descriptor.get();
  const std::span<const int> fds(&fd, problem == Problem::none ? 1 : 0);
  for (const uint32_t rank : board.ranks()) {
    if (rank == members.me()) continue;
    members.link().give(rank, number(), {reinterpret_cast<unsigned char*>(&memory), sizeof memory},
                        fds);
  }
  return problem;
}

PeerRooms::Problem PeerRooms::take_in(const Board& board) {
  Members& members = board.members();
  Problem problem = Problem::none;
  for (uint32_t seat = 0; seat < board.size(); ++seat) {
    if (seat == board.me()) continue;
    const Message message = members.link().take(members, board.ranks()[seat], number());
    netcl_shared_memory memory = NETCL_SHARED_MEMORY_INIT;
    if (message.fds.size() != 1 || message.bytes.size() != sizeof memory) {
      problem = Problem::none_given;
      continue;
    }
    std::memcpy(&memory, message.bytes.data(), sizeof memory);
    memory.descriptor = message.fds[0]->get();
    try {
      next_[seat] = Buffer::import(device_, memory);
    } catch (const std::bad_alloc&) {
      problem = Problem::no_memory;
    } catch (const Error& error) {
      const bool refused = error.status() == NETCL_ERROR_UNSUPPORTED ||
                           error.status() == NETCL_ERROR_INVALID_ARGUMENT;
      if (!refused && !is_shortage(error)) throw;
      warn(error);
      problem = refused ? Problem::not_reached : Problem::no_memory;
    }
  }
  return problem;
}

// What a rank writes at both ends of its room: other bytes in each room of each group.
void PeerRooms::make_mark(unsigned char* mark, const Board& board, uint32_t seat) const noexcept {
  const uint64_t name = board.members().link().front().name + seat * 101 + times_ * 59 + next_half_;
  for (size_t i = 0; i < kMarkBytes; ++i) {
    mark[i] = static_cast<unsigned char>(i * 37 + (name >> (i % 8 * 8)));
  }
}

PeerRooms::Problem PeerRooms::look_at_marks(const Board& board) {
  unsigned char wanted[kMarkBytes], found[kMarkBytes];
  for (uint32_t seat = 0; seat < board.size(); ++seat) {
    if (seat == board.me()) continue;
    make_mark(wanted, board, seat);
    for (const uint64_t at : {uint64_t{0}, 2 * next_half_ - kMarkBytes}) {
      std::memset(found, 0, sizeof found);
      read_bytes(packed_span(*bytes_at(next_[seat], at, kMarkBytes, NETCL_U8)), found,
                 plan_of(filling()));
      if (std::memcmp(wanted, found, sizeof found) != 0) return Problem::other_bytes;
    }
  }
  return Problem::none;
}

// All ranks hear what any of them met. A rank that had nothing to give says so itself; that others
// got nothing matters only where it had: they have no descriptor left.
Refusal PeerRooms::refusal_of(const Board& board, std::span<const uint64_t> problems) {
  const auto first = std::min_element(problems.begin(), problems.end(), [](uint64_t a, uint64_t b) {
    return a - 1 < b - 1;  // none is the last
  });
  if (*first == 0) return {};
  const uint32_t rank =
      board.members().name(board.ranks()[static_cast<size_t>(first - problems.begin())]);
  switch (static_cast<Problem>(*first)) {
    case Problem::no_memory:
    case Problem::none_given:
      return {
          NETCL_ERROR_OUT_OF_DEVICE_MEMORY,
          format("rank %u has no memory, or no descriptor, for rooms that the ranks read", rank)};
    case Problem::not_reached:
      return {NETCL_ERROR_UNSUPPORTED,
              format("the device of rank %u does not reach the memory of the others", rank)};
    default:  // other_bytes
      return {NETCL_ERROR_UNSUPPORTED,
              format("the device of rank %u reads other bytes than the others wrote", rank)};
  }
}

}  // namespace netcl::group
