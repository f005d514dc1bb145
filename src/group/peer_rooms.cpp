#include "group/peer_rooms.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "core/error.hpp"
#include "ops/move/copy_peer.hpp"
#include "tensor/transfer.hpp"

namespace netcl::group {

namespace {

// Numbers of rooms are apart from those of the parts of a group: with a bit of their own, and a bit
// for boards of two.
constexpr uint64_t kRoomNumber = uint64_t{1} << 63;
constexpr uint64_t kPairNumber = uint64_t{1} << 62;
constexpr size_t kMarkBytes = 64;

uint64_t room_number(const Board& board, uint32_t times) {
  const bool pair = board.ranks().size() < board.members().size();
  return kRoomNumber | (pair ? kPairNumber : 0) | times;
}

TensorRef bytes_at(const BufferRef& room, uint64_t offset, uint64_t bytes, netcl_dtype dtype) {
  const auto element = static_cast<uint64_t>(dtype_size(dtype));
  const auto count = static_cast<int64_t>(bytes / element);
  Layout layout = packed_layout(1, &count);
  layout.offset = static_cast<int64_t>(offset / element);
  return std::make_shared<Tensor>(room, dtype, layout);
}

// What a rank writes at both ends of its room.
void make_mark(unsigned char* mark, uint32_t seat, uint64_t bytes) noexcept {
  for (size_t i = 0; i < kMarkBytes; ++i) {
    mark[i] = static_cast<unsigned char>(i * 37 + (seat + 1) * 101 + std::countr_zero(bytes) * 59);
  }
}

bool is_shortage(const Error& error) noexcept {
  return error.status() == NETCL_ERROR_OUT_OF_DEVICE_MEMORY ||
         error.status() == NETCL_ERROR_OUT_OF_HOST_MEMORY || error.status() == NETCL_ERROR_IO;
}

TransferPlan plan_of(Queue& queue) {
  TransferPlan plan;
  plan.queue = &queue;
  plan.async_copy = false;
  return plan;
}

}  // namespace

PeerRooms::PeerRooms(DeviceRef device) : device_(std::move(device)) {}

Queue& PeerRooms::filling() {
  if (filling_ == nullptr) filling_ = QueueSet::of(*device_).create(false, false);
  return *filling_;
}

TensorRef PeerRooms::part(uint32_t seat, uint64_t half, netcl_dtype dtype, uint64_t offset,
                          uint64_t bytes) const {
  return bytes_at(rooms_[seat], (half & 1) * half_bytes_ + offset, bytes, dtype);
}

std::string PeerRooms::grow(Exchange& call, uint64_t bytes) {
  std::string text;
  const uint64_t wanted = std::bit_ceil(std::clamp(bytes, kHalfLeast, kHalfMost));
  if (wanted <= half_bytes_ || full_) return text;
  Rooms rooms;
  ++times_;
  if (agree(call, make(call, wanted, &rooms), &text) == Problem::none) {
    const bool right = shows_marks(rooms, call.board().me(), wanted);
    agree(call, right ? Problem::none : Problem::other_bytes, &text);
  }
  full_ = !text.empty();
  if (full_) return half_bytes_ != 0 ? std::string() : text;
  rooms_ = std::move(rooms);
  half_bytes_ = wanted;
  return text;
}

PeerRooms::Problem PeerRooms::make(Exchange& call, uint64_t bytes, Rooms* rooms) {
  const Board& board = call.board();
  BufferRef own;
  rooms->resize(board.size());
  try {
    own = Buffer::over(device_,
                       device_->backend().allocate(2 * bytes, backend::MemoryKind::shared));
    mark(own, board.me(), 2 * bytes);
  } catch (const std::bad_alloc&) {
    own = nullptr;
  } catch (const Error& error) {
    if (!is_shortage(error)) throw;
    own = nullptr;
  }
  const Problem given = hand_out(board, own);
  // What the others gave is taken in any case, so that nothing is left on the way.
  const Problem taken = take_in(board, rooms);
  if (given != Problem::none) return given;
  (*rooms)[board.me()] = std::move(own);
  return taken;
}

PeerRooms::Problem PeerRooms::hand_out(const Board& board, const BufferRef& room) const {
  Members& members = board.members();
  const uint64_t number = room_number(board, times_);
  netcl_shared_memory memory = NETCL_SHARED_MEMORY_INIT;
  Descriptor descriptor(-1);
  Problem problem = Problem::no_memory;
  try {
    if (room != nullptr) {
      memory = room->export_memory();
      descriptor.reset(memory.descriptor);
      problem = Problem::none;
    }
  } catch (const Error& error) {
    // The others hear of it by the lack of a descriptor.
    if (!is_shortage(error)) throw;
  }
  const int fd = descriptor.get();
  const std::span<const int> fds(&fd, problem == Problem::none ? 1 : 0);
  for (const uint32_t rank : board.ranks()) {
    if (rank == members.me()) continue;
    members.link().give(rank, number, {reinterpret_cast<unsigned char*>(&memory), sizeof memory},
                        fds);
  }
  return problem;
}

PeerRooms::Problem PeerRooms::take_in(const Board& board, Rooms* rooms) const {
  Members& members = board.members();
  Problem problem = Problem::none;
  for (uint32_t seat = 0; seat < board.size(); ++seat) {
    const uint32_t rank = board.ranks()[seat];
    if (seat == board.me()) continue;
    const Message message = members.link().take(members, rank, room_number(board, times_));
    netcl_shared_memory memory = NETCL_SHARED_MEMORY_INIT;
    if (message.fds.size() != 1 || message.bytes.size() != sizeof memory) continue;
    std::memcpy(&memory, message.bytes.data(), sizeof memory);
    memory.descriptor = message.fds[0]->get();
    try {
      (*rooms)[seat] = Buffer::import(device_, memory);
    } catch (const std::bad_alloc&) {
      problem = Problem::no_memory;
    } catch (const Error& error) {
      const bool refused = error.status() == NETCL_ERROR_UNSUPPORTED ||
                           error.status() == NETCL_ERROR_INVALID_ARGUMENT;
      if (!refused && !is_shortage(error)) throw;
      problem = refused ? Problem::not_reached : Problem::no_memory;
    }
  }
  return problem;
}

// All ranks hear what any of them met.
PeerRooms::Problem PeerRooms::agree(Exchange& call, Problem own, std::string* text) const {
  const std::vector<uint64_t> told = call.tell(static_cast<uint64_t>(own));
  const auto first = std::find_if(told.begin(), told.end(), [](uint64_t one) { return one != 0; });
  if (first == told.end()) return Problem::none;
  const auto rank =
      call.board().members().name(call.board().ranks()[static_cast<size_t>(first - told.begin())]);
  const auto problem = static_cast<Problem>(*first);
  *text = problem == Problem::no_memory
              ? format("rank %u has no memory, or no descriptor, for a room of the group", rank)
          : problem == Problem::not_reached
              ? format("the device of rank %u does not reach the memory of the others", rank)
              : format("the device of rank %u reads other bytes than the others wrote", rank);
  return problem;
}

void PeerRooms::mark(const BufferRef& room, uint32_t seat, uint64_t bytes) const {
  unsigned char mark[kMarkBytes];
  make_mark(mark, seat, bytes);
  Queue& queue = QueueSet::of(*device_).default_queue_borrowed();
  for (const uint64_t at : {uint64_t{0}, bytes - kMarkBytes}) {
    const TensorRef place = bytes_at(room, at, kMarkBytes, NETCL_U8);
    write_bytes(packed_span(*place), mark, plan_of(queue));
    ops::wait_until_written(*place, queue.set());
  }
}

bool PeerRooms::shows_marks(const Rooms& rooms, uint32_t me, uint64_t bytes) const {
  Queue& queue = QueueSet::of(*device_).default_queue_borrowed();
  unsigned char wanted[kMarkBytes], found[kMarkBytes];
  bool right = true;
  for (uint32_t seat = 0; seat < rooms.size(); ++seat) {
    if (seat == me) continue;
    make_mark(wanted, seat, 2 * bytes);
    for (const uint64_t at : {uint64_t{0}, 2 * bytes - kMarkBytes}) {
      std::memset(found, 0, sizeof found);
      read_bytes(packed_span(*bytes_at(rooms[seat], at, kMarkBytes, NETCL_U8)), found,
                 plan_of(queue));
      right = right && std::memcmp(wanted, found, sizeof found) == 0;
    }
  }
  return right;
}

}  // namespace netcl::group
