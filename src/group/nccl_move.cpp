#include "group/nccl_move.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <vector>

#include "core/error.hpp"
#include "group/board.hpp"
#include "group/combine.hpp"
#include "group/device_stages.hpp"
#include "group/held_memory.hpp"
#include "ops/elementwise/elementwise.hpp"
#include "ops/elementwise/expression_cache.hpp"
#include "ops/frame/result.hpp"
#include "ops/move/copy_peer.hpp"
#include "ops/move/move.hpp"
#include "queue/copy_hold.hpp"
#include "tensor/transfer.hpp"

namespace netcl::group {

namespace {

using share::CudaAddress;

constexpr int kNone = -1;
constexpr uint64_t kLineBytes = 64;

// How NCCL joins alike: f16 and bf16 it rounds after each rank, of NaN it takes no notice in MIN
// and MAX, and other dtypes it does not know.
int native_type(netcl_dtype dtype, netcl_reduction kind) noexcept {
  const bool ordered = kind == NETCL_REDUCTION_MIN || kind == NETCL_REDUCTION_MAX;
  if (kind == NETCL_REDUCTION_MEAN) return kNone;
  switch (dtype) {
    case NETCL_F32:
      return ordered ? kNone : kNcclF32;
    case NETCL_F64:
      return ordered ? kNone : kNcclF64;
    case NETCL_I8:
      return kNcclI8;
    case NETCL_U8:
      return kNcclU8;
    case NETCL_I32:
      return kNcclI32;
    case NETCL_U32:
      return kNcclU32;
    case NETCL_I64:
      return kNcclI64;
    case NETCL_U64:
      return kNcclU64;
    default:
      return kNone;
  }
}

int native_join(netcl_reduction kind) noexcept {
  switch (kind) {
    case NETCL_REDUCTION_PROD:
      return kNcclProd;
    case NETCL_REDUCTION_MIN:
      return kNcclMin;
    case NETCL_REDUCTION_MAX:
      return kNcclMax;
    default:
      return kNcclSum;
  }
}

void* at(CudaAddress address) noexcept { return reinterpret_cast<void*>(address); }

CudaAddress address_of(const TensorRef& tensor) {
  return tensor == nullptr ? 0 : ops::place_for_cuda(*tensor).address;
}

// Memory that CUDA sees, for so many elements.
TensorRef room_for(const ops::Run& run, netcl_dtype dtype, int64_t count) {
  const DeviceRef device = run.device().shared_from_this();
  return Tensor::allocate(device, PoolSet::of(*device).own_shared(), dtype,
                          packed_layout(1, &count));
}

// Memory that CUDA does not see goes through rooms of such, a piece at a time; so much at most, and
// where that cannot be had, at least.
constexpr uint64_t kRoomBytes = uint64_t{256} << 20;
constexpr uint64_t kRoomLeast = uint64_t{1} << 20;

uint64_t whole_lines(uint64_t bytes) noexcept {
  return (bytes + kLineBytes - 1) / kLineBytes * kLineBytes;
}

bool needs_room(const TensorRef& tensor) {
  return tensor != nullptr && !tensor->empty() && address_of(tensor) == 0;
}

// False where work() fails for want of memory.
bool has_memory(FunctionRef<void()> work) {
  try {
    work();
    return true;
  } catch (const Error& error) {
    if (error.status() != NETCL_ERROR_OUT_OF_DEVICE_MEMORY &&
        error.status() != NETCL_ERROR_OUT_OF_HOST_MEMORY) {
      throw;
    }
  } catch (const std::bad_alloc&) {
    // So it is here.
  }
  return false;
}

class Mover {
 public:
  Mover(NcclComm& comm, Exchange& call, const ops::Run& run)
      : comm_(comm),
        call_(call),
        ranks_(call.board().ranks()),
        headers_(call.headers().begin(), call.headers().end()),
        me_(call.board().me()),
        run_(run) {}

  std::string move(const TensorRef& in, const TensorRef& out);

 private:
  enum class Way {
    whole,    // by a collective of NCCL over the same bytes on all ranks
    reduces,  // each rank's part by a reduction of NCCL
    parts,    // from each rank to each other
    joined    // the same, and a kernel joins what comes
  };
  // One tensor of the rank, and where NCCL finds a piece of it.
  struct End {
    TensorRef tensor;   // packed, or null
    CudaAddress place;  // of its first byte; 0 where CUDA does not see it
    TensorRef room;     // for pieces, one for each rank or one in all
    uint64_t each = 0;  // bytes of a piece in the room
    CudaAddress at(uint32_t rank, uint64_t offset) const {
      return place != 0 ? place + offset : address_of(room) + rank * each;
    }
  };

  // A call takes one of these, or two where a kernel joins.
  struct Stage : DeviceStage {
    Way way;
    bool once() const noexcept { return Flow(headers, 0).same_for_all(); }
    // How many pieces a room holds.
    uint64_t places() const noexcept {
      const bool one = way == Way::whole || way == Way::reduces;
      return one && once() ? 1 : headers.size();
    }
  };

  uint32_t size() const noexcept { return static_cast<uint32_t>(headers_.size()); }
  const Header& own() const noexcept { return headers_[me_]; }
  uint64_t element() const { return dtype_size(own().dtype); }
  int peer(uint32_t seat) const noexcept { return static_cast<int>(ranks_[seat]); }
  Way way() const noexcept;
  std::vector<Stage> stages(const TensorRef& in, const TensorRef& out);
  void take_rooms(uint64_t bytes);
  std::string prepare(const TensorRef& in, const TensorRef& out);
  void wait_for_opencl(const TensorRef& tensor, bool writes_only) const;
  TensorRef bytes_of(const End& end, bool room, uint64_t offset, uint64_t bytes) const;
  void fill(const End& in, const Pieces& pieces, bool once) const;
  void call_nccl(Way way, const End& in, const End& out, const Pieces& pieces);
  void drain(Way way, const End& out, const Pieces& pieces) const;
  void join(const End& out, const Pieces& pieces) const;
  void move_pieces(const Stage& stage);

  NcclComm& comm_;
  Exchange& call_;
  const std::span<const uint32_t> ranks_;
  std::vector<Header> headers_;
  const uint32_t me_;
  const ops::Run run_;
  std::vector<Stage> stages_;
  TensorRef in_room_, out_room_;
  uint64_t room_bytes_ = 0;  // of each rank's that has the least
};

Mover::Way Mover::way() const noexcept {
  const Op op = own().op;
  if (op == Op::broadcast) return Way::whole;
  if (!Flow(headers_, me_).joins()) return Way::parts;
  if (native_type(own().dtype, own().kind) == kNone) return Way::joined;
  return op == Op::reduce_scatter ? Way::reduces : Way::whole;
}

std::vector<Mover::Stage> Mover::stages(const TensorRef& in, const TensorRef& out) {
  const Way taken = way();
  if (taken != Way::joined || own().op == Op::reduce_scatter) {
    return {{{headers_, in, out}, taken}};
  }
  auto [join, hand_on] = join_in_parts(headers_, me_, in, out, run_);
  return {{std::move(join), taken}, {std::move(hand_on), Way::parts}};
}

// Rooms of so many bytes each for those ends that need some, or of less where there is no more.
void Mover::take_rooms(uint64_t bytes) {
  const auto take = [&] {
    const auto count = static_cast<int64_t>(room_bytes_ / element());
    for (const Stage& stage : stages_) {
      const bool joins = stage.way == Way::joined;
      if (in_room_ == nullptr && needs_room(stage.in)) {
        in_room_ = room_for(run_, own().dtype, count);
      }
      if (out_room_ == nullptr && (joins || needs_room(stage.out))) {
        out_room_ = room_for(run_, own().dtype, count);
      }
    }
  };
  for (room_bytes_ = bytes; !has_memory(take);) {
    in_room_ = nullptr;
    out_room_ = nullptr;
    if (room_bytes_ <= kRoomLeast) throw std::bad_alloc();
    room_bytes_ = std::max(room_bytes_ / 2, kRoomLeast);
  }
}

// All that the call takes, before NCCL begins: what a rank has not got all get to know. Where NCCL
// reaches all tensors there is nothing to tell, which the headers say.
std::string Mover::prepare(const TensorRef& in, const TensorRef& out) {
  const bool any =
      way() == Way::joined || std::any_of(headers_.begin(), headers_.end(),
                                          [](const Header& header) { return header.offer != 0; });
  room_bytes_ = UINT64_MAX;
  const bool well = has_memory([&] {
    stages_ = stages(in, out);
    uint64_t wanted = 0;
    for (const Stage& stage : stages_) {
      wanted = std::max(wanted, stage.places() * whole_lines(stage.longest()));
    }
    if (any && wanted != 0) take_rooms(std::min(wanted, kRoomBytes));
  });
  if (!any && !well) throw std::bad_alloc();
  if (!any) return std::string();
  if (!well) room_bytes_ = 0;
  const std::vector<uint64_t> told = call_.tell(room_bytes_);
  const auto least = std::min_element(told.begin(), told.end());
  room_bytes_ = *least;
  if (room_bytes_ != 0) return std::string();
  return format(
      "%s: rank %u has no memory for rooms of %llu bytes, which NCCL takes for tensors that are "
      "not made with share = 1 and where a kernel joins",
      op_name(own().op), ranks_[static_cast<size_t>(least - told.begin())],
      static_cast<unsigned long long>(kRoomLeast));
}

void Mover::wait_for_opencl(const TensorRef& tensor, bool writes_only) const {
  if (tensor == nullptr || tensor->memory() == nullptr) return;
  QueueSet& set = run_.queue.set();
  if (writes_only) return ops::wait_until_written(*tensor, set);
  set.wait_for(writing(*tensor), Deadline(UINT64_MAX));
}

// Bytes of an end's room or tensor, as elements.
TensorRef Mover::bytes_of(const End& end, bool room, uint64_t offset, uint64_t bytes) const {
  return ops::row_of(room ? *end.room : *end.tensor, static_cast<int64_t>(offset / element()),
                     static_cast<int64_t>(bytes / element()));
}

// The pieces that this rank gives, into its room: `once` where all ranks get the same.
void Mover::fill(const End& in, const Pieces& pieces, bool once) const {
  if (in.room == nullptr) return;
  for (uint32_t to = 0; to < size(); ++to) {
    const uint64_t bytes = pieces.bytes(me_, to);
    if (bytes == 0) continue;
    const uint64_t from = pieces.flow.range(me_, to).offset + pieces.first;
    ops::copy_packed(*bytes_of(in, false, from, bytes),
                     *bytes_of(in, true, once ? 0 : to * in.each, bytes), run_.part());
    if (once) break;
  }
  wait_for_opencl(in.room, true);
}

void Mover::call_nccl(Way way, const End& in, const End& out, const Pieces& pieces) {
  const NcclApi& api = nccl_api();
  void* const stream = comm_.stream().get();
  void* const comm = comm_.get();
  const int type = native_type(own().dtype, own().kind);
  const int join = native_join(own().kind);
  const Flow& flow = pieces.flow;
  const bool once = flow.same_for_all();
  // What this rank gives to another, and takes from one.
  const auto source = [&](uint32_t to) {
    return in.tensor == nullptr ? 0
                                : in.at(once ? 0 : to, flow.range(me_, to).offset + pieces.first);
  };
  const auto target = [&](uint32_t from) {
    return way == Way::joined ? address_of(out.room) + from * out.each
           : out.tensor == nullptr
               ? 0
               : out.at(way == Way::parts ? from : 0, flow.place(from) + pieces.first);
  };
  const auto root = own().root;
  if (way == Way::whole && own().op == Op::broadcast) {
    const uint64_t bytes = pieces.bytes(root, root == 0 ? 1 : 0);
    const CudaAddress to = me_ == root ? source(root == 0 ? 1 : 0) : target(root);
    NcclComm::check(
        api.ncclBroadcast(at(to), at(to), bytes, kNcclI8, static_cast<int>(root), comm, stream),
        "ncclBroadcast");
  } else if (way == Way::whole && own().op == Op::all_reduce) {
    NcclComm::check(api.ncclAllReduce(at(source(me_)), at(target(me_)),
                                      pieces.bytes(me_, me_) / element(), type, join, comm, stream),
                    "ncclAllReduce");
  } else if (way == Way::whole || way == Way::reduces) {
    for (uint32_t to = 0; to < size(); ++to) {
      const uint64_t bytes = pieces.bytes(me_, to);
      if (bytes == 0) continue;
      NcclComm::check(api.ncclReduce(at(source(to)), at(target(to)), bytes / element(), type, join,
                                     peer(to), comm, stream),
                      "ncclReduce");
    }
  } else {
    for (uint32_t other = 0; other < size(); ++other) {
      const uint64_t given = pieces.bytes(me_, other), taken = pieces.bytes(other, me_);
      if (other == me_) {
        if (taken != 0 && target(me_) != source(me_)) {
          comm_.stream().copy(target(me_), source(me_), taken);
        }
        continue;
      }
      if (given != 0) {
        NcclComm::check(api.ncclSend(at(source(other)), given, kNcclI8, peer(other), comm, stream),
                        "ncclSend");
      }
      if (taken != 0) {
        NcclComm::check(api.ncclRecv(at(target(other)), taken, kNcclI8, peer(other), comm, stream),
                        "ncclRecv");
      }
    }
  }
}

// What came, from the room to the tensor.
void Mover::drain(Way way, const End& out, const Pieces& pieces) const {
  if (way == Way::joined) return join(out, pieces);
  if (out.room == nullptr) return;
  for (uint32_t from = 0; from < size(); ++from) {
    const uint64_t bytes = pieces.bytes(from, me_);
    if (bytes == 0) continue;
    ops::copy_packed(*bytes_of(out, true, way == Way::parts ? from * out.each : 0, bytes),
                     *bytes_of(out, false, pieces.flow.place(from) + pieces.first, bytes),
                     run_.part());
    if (way != Way::parts) break;
  }
}

// In the order of the ranks, as by the other ways of a group.
void Mover::join(const End& out, const Pieces& pieces) const {
  const uint64_t bytes = pieces.bytes(0, me_);
  if (bytes == 0) return;
  std::vector<TensorRef> sources;
  for (uint32_t r = 0; r < size(); ++r) sources.push_back(bytes_of(out, true, r * out.each, bytes));
  const std::string text = joined_text(own().kind, own().dtype, size());
  ops::expression(*ops::ExpressionCache::instance().get(text.c_str()), sources, own().dtype, 0,
                  bytes_of(out, false, pieces.first, bytes), run_.part());
}

// All ranks know from the headers, and from what they told, how many pieces there are.
void Mover::move_pieces(const Stage& stage) {
  const Way way = stage.way;
  const Flow flow(headers_, me_);
  const uint64_t most = stage.longest();
  if (most == 0) return;
  const uint64_t room = room_bytes_ / stage.places() / kLineBytes * kLineBytes;
  const uint64_t piece = std::min(room, whole_lines(most));
  const bool joins = way == Way::joined;
  const End from{stage.in, address_of(stage.in), needs_room(stage.in) ? in_room_ : nullptr, piece};
  const End to{stage.out, address_of(stage.out),
               joins || needs_room(stage.out) ? out_room_ : nullptr, piece};
  const std::array<TensorRef, kNcclUsedMost> used = {from.tensor, from.room, to.tensor, to.room};
  wait_for_opencl(stage.in, true);
  wait_for_opencl(stage.out, false);
  for (uint64_t first = 0; first < most; first += piece) {
    const Pieces pieces{flow, first, piece};
    fill(from, pieces, stage.once());
    wait_for_opencl(to.room, false);
    comm_.run(ranks_, used, [&] { call_nccl(way, from, to, pieces); });
    drain(way, to, pieces);
  }
}

std::string Mover::move(const TensorRef& in, const TensorRef& out) {
  for (const backend::EventRef& event : run_.waits) event->wait(Deadline(UINT64_MAX));
  std::string no_memory = prepare(in, out);
  if (!no_memory.empty()) return no_memory;
  // Calls of other threads that write what is read, or use what is written, wait.
  const CopyHold hold(run_.queue, access_to(in.get(), false), access_to(out.get(), true));
  const auto move_stages = [&] {
    for (const Stage& stage : stages_) {
      headers_ = stage.headers;
      move_pieces(stage);
    }
  };
  wait_with_memory(move_stages, [&] { return hold.awaited(); });
  if (out != nullptr) ops::mark_written(*out, run_);
  return std::string();
}

}  // namespace

bool needs_rooms(const TensorRef& in, const TensorRef& out) {
  return needs_room(in) || needs_room(out);
}

std::string move_by_nccl(NcclComm& comm, Exchange& call, const TensorRef& in, const TensorRef& out,
                         const ops::Run& run) {
  return Mover(comm, call, run).move(in, out);
}

}  // namespace netcl::group
