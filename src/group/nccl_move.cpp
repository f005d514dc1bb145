#include "group/nccl_move.hpp"

#include <algorithm>
#include <vector>

#include "core/error.hpp"
#include "group/board.hpp"
#include "group/combine.hpp"
#include "ops/elementwise/elementwise.hpp"
#include "ops/elementwise/expression_cache.hpp"
#include "ops/frame/result.hpp"
#include "ops/move/copy_peer.hpp"
#include "ops/move/move.hpp"
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

// Memory that CUDA does not see goes through rooms of such, a piece at a time; so much at most.
constexpr uint64_t kRoomBytes = uint64_t{256} << 20;

class Mover {
 public:
  Mover(NcclComm& comm, std::span<const uint32_t> ranks, std::span<const Header> headers,
        uint32_t me, const ops::Run& run)
      : comm_(comm), ranks_(ranks), headers_(headers.begin(), headers.end()), me_(me), run_(run) {}

  void move(const TensorRef& in, const TensorRef& out);

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

  uint32_t size() const noexcept { return static_cast<uint32_t>(headers_.size()); }
  const Header& own() const noexcept { return headers_[me_]; }
  uint64_t element() const { return dtype_size(own().dtype); }
  int peer(uint32_t seat) const noexcept { return static_cast<int>(ranks_[seat]); }
  Way way() const noexcept;
  uint64_t longest(const Flow& flow) const noexcept;
  End end_of(const TensorRef& tensor, bool needs_room, uint32_t places, uint64_t piece) const;
  void wait_for_opencl(const TensorRef& tensor, bool writes_only) const;
  TensorRef bytes_of(const End& end, bool room, uint64_t offset, uint64_t bytes) const;
  void fill(const End& in, const Pieces& pieces, bool once) const;
  void call_nccl(Way way, const End& in, const End& out, const Pieces& pieces);
  void drain(Way way, const End& out, const Pieces& pieces) const;
  void join(const End& out, const Pieces& pieces) const;
  void move_pieces(Way way, const TensorRef& in, const TensorRef& out);

  NcclComm& comm_;
  const std::span<const uint32_t> ranks_;
  std::vector<Header> headers_;
  const uint32_t me_;
  const ops::Run run_;
};

Mover::Way Mover::way() const noexcept {
  const Op op = own().op;
  if (op == Op::broadcast) return Way::whole;
  if (!Flow(headers_, me_).joins()) return Way::parts;
  if (native_type(own().dtype, own().kind) == kNone) return Way::joined;
  return op == Op::reduce_scatter ? Way::reduces : Way::whole;
}

uint64_t Mover::longest(const Flow& flow) const noexcept {
  uint64_t most = 0;
  for (uint32_t from = 0; from < size(); ++from) {
    for (uint32_t to = 0; to < size(); ++to) most = std::max(most, flow.range(from, to).bytes);
  }
  return most;
}

Mover::End Mover::end_of(const TensorRef& tensor, bool needs_room, uint32_t places,
                         uint64_t piece) const {
  End end{tensor, address_of(tensor), nullptr, piece};
  if (needs_room || (tensor != nullptr && end.place == 0)) {
    end.room = room_for(run_, own().dtype, static_cast<int64_t>(places * piece / element()));
  }
  return end;
}

void Mover::wait_for_opencl(const TensorRef& tensor, bool writes_only) const {
  if (tensor == nullptr || tensor->memory() == nullptr) return;
  QueueSet& set = run_.queue.set();
  if (writes_only) return ops::wait_until_written(*tensor, set);
  set.wait_for(*tensor->memory(), false, Deadline(UINT64_MAX));
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

// All ranks know from the headers how many pieces there are.
void Mover::move_pieces(Way way, const TensorRef& in, const TensorRef& out) {
  const Flow flow(headers_, me_);
  const uint64_t most = longest(flow);
  if (most == 0) return;
  const bool once = flow.same_for_all();
  const uint32_t given = once ? 1 : size();
  const uint32_t taken = way == Way::whole || way == Way::reduces ? 1 : size();
  const uint64_t room = kRoomBytes / std::max(given, taken) / kLineBytes * kLineBytes;
  const uint64_t piece = std::min(room, (most + kLineBytes - 1) / kLineBytes * kLineBytes);
  const End from = end_of(in, false, given, piece);
  const End to = end_of(out, way == Way::joined, taken, piece);
  wait_for_opencl(in, true);
  wait_for_opencl(out, false);
  for (uint64_t first = 0; first < most; first += piece) {
    const Pieces pieces{flow, first, piece};
    fill(from, pieces, once);
    wait_for_opencl(to.room, false);
    comm_.run(ranks_, [&] { call_nccl(way, from, to, pieces); });
    drain(way, to, pieces);
  }
}

void Mover::move(const TensorRef& in, const TensorRef& out) {
  for (const backend::EventRef& event : run_.waits) event->wait(Deadline(UINT64_MAX));
  const Op op = own().op;
  const Way taken = way();
  if (taken != Way::joined || op == Op::reduce_scatter) {
    move_pieces(taken, in, out);
  } else {
    // Each rank joins a part, which then goes where it is wanted.
    part_elements(headers_);
    const Flow::Range mine = Flow(headers_, me_).range(me_, me_);
    const auto count = static_cast<int64_t>(mine.bytes / element());
    const TensorRef joined =
        out != nullptr ? ops::row_of(*out, static_cast<int64_t>(mine.offset / element()), count)
                       : ops::new_tensor(own().dtype, 1, &count, run_);
    move_pieces(taken, in, joined);
    for (Header& header : headers_) {
      header.op = op == Op::reduce ? Op::gather : Op::all_gather;
      header.in_rows = header.out_rows;
    }
    move_pieces(Way::parts, joined, out);
  }
  if (out != nullptr) ops::mark_written(*out, run_);
}

}  // namespace

void move_by_nccl(NcclComm& comm, std::span<const uint32_t> ranks, std::span<const Header> headers,
                  uint32_t me, const TensorRef& in, const TensorRef& out, const ops::Run& run) {
  Mover(comm, ranks, headers, me, run).move(in, out);
}

}  // namespace netcl::group
