#include "group/gradient_rooms.hpp"

#include <algorithm>
#include <new>

#include "core/error.hpp"
#include "core/log.hpp"
#include "core/room.hpp"
#include "group/combine.hpp"
#include "ops/elementwise/elementwise.hpp"
#include "ops/elementwise/expression_cache.hpp"
#include "ops/move/copy_peer.hpp"
#include "ops/move/move.hpp"

namespace netcl::group {

namespace {

constexpr uint32_t kRanks = 2;
// Runs from one try that found no memory to the next.
constexpr uint32_t kRunsBetween = 100;
constexpr uint64_t kGradientLine = 256;
// A room is one piece of memory, of 496 MiB at most: OpenCL imports no more from CUDA.
constexpr uint64_t kRoomHalfMost = uint64_t{248} << 20;
// What a rank lacks to grow.
enum : uint64_t { kNothing, kTime, kMemory };

uint64_t whole_gradient_lines(uint64_t bytes) noexcept {
  return (bytes + kGradientLine - 1) / kGradientLine * kGradientLine;
}

}  // namespace

bool GradientRooms::suit(const Group& group) noexcept {
  return group.size() == kRanks && group.transport() == NETCL_GROUP_TRANSPORT_PEER_MEMORY;
}

GradientRooms::GradientRooms(const Group& group)
    : device_(group.device()),
      me_(group.rank()),
      rooms_(device_, RoomsFor::gradients, kRoomHalfMost),
      fetches_(device_->backend().sharing().cuda != nullptr) {}

TensorRef GradientRooms::place(const BufferRef& room, const Kept& kept) const {
  const Layout& shape = kept.gradient->layout();
  Layout layout = packed_layout(shape.rank, shape.shape.data());
  layout.offset = static_cast<int64_t>(kept.offset / kept.gradient->element_size());
  return std::make_shared<Tensor>(room, kept.gradient->dtype(), layout);
}

std::optional<GradientRooms::Kept> GradientRooms::keep(const TensorRef& gradient, Queue& queue) {
  Kept kept{gradient, queue.reference(), asked_, nullptr};
  asked_ += whole_gradient_lines(gradient->byte_count());
  if (asked_ > capacity_) return std::nullopt;
  ops::copy_into(*gradient, *place(rooms_.room(me_), kept), ops::Run{queue, {}, &kept.event});
  queue.flush();
  return kept;
}

// Those that lie behind one another come in one piece.
void GradientRooms::fetch(std::span<const Kept> gradients) {
  const auto end = [](const Kept& kept) {
    return kept.offset + whole_gradient_lines(kept.gradient->byte_count());
  };
  const uint64_t from = ops::place_for_cuda(*rooms_.part(1 - me_, 0, NETCL_U8, 0, 1)).address;
  const uint64_t to = ops::place_for_cuda(*arrived_).address;
  try {
    for (size_t first = 0, next; first < gradients.size(); first = next) {
      const uint64_t begin = gradients[first].offset;
      for (next = first + 1; next < gradients.size(); ++next) {
        if (gradients[next].offset != end(gradients[next - 1])) break;
      }
      stream_->copy(to + begin, from + begin, end(gradients[next - 1]) - begin);
    }
  } catch (...) {
    stream_->wait();  // nothing is on the way to memory that may go
    throw;
  }
  stream_->wait();
}

void GradientRooms::join(std::span<const Kept> gradients, netcl_reduction kind,
                         std::vector<backend::EventRef>* events) {
  if (fetches_) fetch(gradients);
  const BufferRef& others = fetches_ ? arrived_->buffer() : rooms_.room(1 - me_);
  make_room(events, gradients.size());
  for (const Kept& kept : gradients) {
    const netcl_dtype dtype = kept.gradient->dtype();
    std::array<TensorRef, kRanks> sources;
    sources[me_] = kept.gradient;
    sources[1 - me_] = place(others, kept);
    const std::string text = joined_text(kind, dtype, kRanks);
    backend::EventRef event;
    ops::expression(*ops::ExpressionCache::instance().get(text.c_str()), sources, dtype, 0,
                    kept.gradient, ops::Run{*kept.queue, {}, &event});
    events->push_back(std::move(event));
    kept.queue->flush();
  }
}

// All ranks know of it alike, so they wait for the same runs.
void GradientRooms::give_up_for_now(const char* why) noexcept {
  patience_ = kRunsBetween;
  log_message(NETCL_LOG_WARNING,
              "reducer: gradients of %llu bytes go without a room, which has %llu bytes: %s",
              static_cast<unsigned long long>(asked_), static_cast<unsigned long long>(capacity_),
              why);
}

void GradientRooms::grow(Exchange& call) {
  if (asked_ <= capacity_) return;
  if (patience_ > 0) {
    --patience_;
    return;
  }
  if (const Refusal refusal = rooms_.grow(call, (asked_ + 1) / 2)) {
    give_up_for_now(refusal.text.c_str());
    return;
  }
  const uint64_t capacity = 2 * rooms_.half_bytes();
  if (capacity == capacity_) return;
  TensorRef arrived;
  uint64_t lack = kNothing;
  if (fetches_) {
    try {
      if (stream_ == nullptr) {
        stream_ = std::make_unique<share::CudaStream>(device_->backend().sharing().cuda);
      }
      const auto bytes = static_cast<int64_t>(capacity);
      arrived = Tensor::allocate(device_, PoolSet::of(*device_).own_shared(), NETCL_U8,
                                 packed_layout(1, &bytes));
      // What OpenCL still does with memory that was leased before, CUDA does not wait for. The
      // other rank waits for this one, so there is half of the time that it has.
      const Deadline deadline(call.board().members().timeout_ns() / 2);
      if (!QueueSet::of(*device_).wait_for(writing(*arrived), deadline)) lack = kTime;
    } catch (const std::bad_alloc&) {
      lack = kMemory;
    } catch (const Error& error) {
      if (!is_shortage(error)) throw;
      lack = kMemory;
    }
  }
  for (const uint64_t other : call.tell(lack)) lack = std::max(lack, other);
  if (lack != kNothing) {
    give_up_for_now(lack == kMemory ? "a rank has no memory for what it fetches"
                                    : "a rank still uses the memory for what it fetches");
    return;
  }
  arrived_ = std::move(arrived);
  capacity_ = capacity;
}

}  // namespace netcl::group
