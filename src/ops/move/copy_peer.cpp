#include "ops/move/copy_peer.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "core/error.hpp"
#include "memory/pool.hpp"
#include "ops/move/move.hpp"
#include "share/cuda_stream.hpp"
#include "tensor/transfer.hpp"

namespace netcl::ops {

namespace {

// Of what goes through memory made with share = 1: large enough to hide what the host does for a
// piece, small enough that the first and the last take little time
// (tests/bench/notes/groups_gpu.txt).
constexpr uint64_t kPeerPiece = uint64_t{64} << 20;
// At each end: two pieces are on the way while the next one is brought, or the last one taken away.
constexpr size_t kPeerRooms = 3;

share::CudaDeviceRef cuda_of(const Device& device) { return device.backend().sharing().cuda; }

void finish(const backend::EventRef& event) {
  if (event == nullptr) return;
  event->wait(Deadline(UINT64_MAX));
  throw_if_failed(event);
}

// One end of a copy: where CUDA finds each piece. Memory that it does not see has rooms for pieces
// in turn.
class End {
 public:
  End(const Tensor& tensor, Queue& queue, int64_t piece, size_t pieces)
      : tensor_(tensor), run_{queue, {}, nullptr}, place_(place_for_cuda(tensor)) {
    if (place_.address != 0) return;
    const PoolRef pool = PoolSet::of(tensor.device()).own_shared();
    for (size_t i = 0; i < std::min(pieces, kPeerRooms); ++i) {
      TensorRef& room = rooms_[i];
      room = Tensor::allocate(tensor.device_ref(), pool, tensor.dtype(), packed_layout(1, &piece));
      // What OpenCL still does with a block that was leased before, CUDA does not wait for.
      queue.set().wait_for(writing(*room), Deadline(UINT64_MAX));
    }
  }
  bool direct() const noexcept { return place_.address != 0; }
  share::CudaPlace place(size_t piece, int64_t first) const {
    share::CudaPlace place = direct() ? place_ : place_for_cuda(*rooms_[piece % kPeerRooms]);
    if (direct()) place.address += static_cast<uint64_t>(first) * tensor_.element_size();
    return place;
  }
  // Starts to bring elements to the room of a piece, or back from there.
  void fill_room(size_t piece, int64_t first, int64_t count) {
    if (!direct()) {
      copy_packed(*row_of(tensor_, first, count), *row_of(*rooms_[piece % kPeerRooms], 0, count),
                  with(piece));
      run_.queue.flush();
    }
  }
  void empty_room(size_t piece, int64_t first, int64_t count) {
    if (!direct()) {
      copy_packed(*row_of(*rooms_[piece % kPeerRooms], 0, count), *row_of(tensor_, first, count),
                  with(piece));
      run_.queue.flush();
    }
  }
  void wait_for_room(size_t piece) { finish(events_[piece % kPeerRooms]); }

 private:
  Run with(size_t piece) {
    Run run = run_;
    run.event = &events_[piece % kPeerRooms];
    return run;
  }

  const Tensor& tensor_;
  const Run run_;
  const share::CudaPlace place_;
  std::array<TensorRef, kPeerRooms> rooms_;
  std::array<backend::EventRef, kPeerRooms> events_;
};

// False where the last command that wrote the tensor has failed, which a command takes back.
bool holds_no_failure(const Tensor& target, const Run& run) {
  try {
    run.queue.set().require_written(reading(target));
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

bool are_peers(const Device& from, const Device& to) {
  const share::CudaDeviceRef source = cuda_of(from);
  const share::CudaDeviceRef target = source == nullptr ? nullptr : cuda_of(to);
  return target != nullptr && source->number() != target->number() && source->reaches(*target);
}

share::CudaPlace place_for_cuda(const Tensor& tensor) {
  const share::Shared* const shared =
      tensor.memory() == nullptr ? nullptr : tensor.memory()->buffer->shared();
  share::CudaPlace place = shared == nullptr ? share::CudaPlace() : shared->cuda();
  if (place.address != 0) place.address += tensor.offset_bytes();
  return place;
}

void wait_until_written(const Tensor& source, QueueSet& set) {
  int32_t failure = 0;
  set.wait_for(reading(source), Deadline(UINT64_MAX), &failure);
  set.require_written(reading(source), failure);
}

TensorRef row_of(const Tensor& tensor, int64_t first, int64_t count) {
  Layout layout = packed_layout(1, &count);
  layout.offset = tensor.layout().offset + first;
  return std::make_shared<Tensor>(tensor.buffer(), tensor.dtype(), layout);
}

void mark_written(const Tensor& target, const Run& run) {
  MemoryObject* const memory = target.memory();
  if (target.empty() || memory == nullptr) {
    if (run.event != nullptr) *run.event = run.queue.marker(run.waits);
    return;
  }
  // A command of OpenCL would take the GPU from CUDA, for nothing where nobody asks.
  if (run.event == nullptr && !memory->uses->inherited.load(std::memory_order_relaxed) &&
      holds_no_failure(target, run)) {
    return;
  }
  const Access access = writing(target);
  run.enqueue({&access, 1}, [](backend::Stream& stream, backend::WaitList waits,
                               backend::EventRef* event) { stream.marker(waits, event); });
}

void copy_by_peers(const Tensor& source, const Tensor& target, const Run& run) {
  wait_until_written(source, QueueSet::of(source.device()));
  run.queue.set().wait_for(writing(target), Deadline(UINT64_MAX));
  const QueueRef queue = QueueSet::of(source.device()).default_queue();
  const int64_t count = source.element_count();
  const auto most = static_cast<int64_t>(kPeerPiece / source.element_size());
  const bool whole = place_for_cuda(source).address != 0 && place_for_cuda(target).address != 0;
  const int64_t piece = whole ? count : std::min(count, most);
  const auto pieces = static_cast<size_t>((count + piece - 1) / piece);
  const auto first = [&](size_t number) { return static_cast<int64_t>(number) * piece; };
  const auto size = [&](size_t number) { return std::min(count - first(number), piece); };
  End from(source, *queue, piece, pieces);
  End to(target, run.queue, piece, pieces);
  // Declared last, so that its copies end before the rooms go.
  std::array<std::optional<share::CudaStream>, 2> streams;
  for (size_t i = 0; i < std::min(pieces, streams.size()); ++i) {
    streams[i].emplace(cuda_of(source.device()));
  }
  const auto fill = [&](size_t number) {
    if (number < pieces) from.fill_room(number, first(number), size(number));
  };
  const auto take = [&](size_t number) {
    streams[number % 2]->wait();
    to.empty_room(number, first(number), size(number));
  };
  fill(0);
  fill(1);
  for (size_t number = 0; number < pieces; ++number) {
    from.wait_for_room(number);
    to.wait_for_room(number);
    const share::CudaPlace place = to.place(number, first(number));
    place.memory->allow(streams[number % 2]->device());
    streams[number % 2]->copy(place.address, from.place(number, first(number)).address,
                              static_cast<uint64_t>(size(number)) * source.element_size());
    if (number > 0) take(number - 1);
    // In the room that the copy which has just ended leaves free.
    fill(number + 2);
  }
  take(pieces - 1);
  for (size_t i = 0; i < std::min(pieces, kPeerRooms); ++i) to.wait_for_room(i);
  mark_written(target, run);
}

}  // namespace netcl::ops
