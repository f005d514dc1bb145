#include "group/peer_move.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "group/combine.hpp"
#include "group/device_stages.hpp"
#include "group/device_wait.hpp"
#include "group/held_memory.hpp"
#include "ops/elementwise/elementwise.hpp"
#include "ops/elementwise/expression_cache.hpp"
#include "ops/frame/result.hpp"
#include "ops/move/copy_peer.hpp"
#include "ops/move/move.hpp"
#include "queue/copy_hold.hpp"

namespace netcl::group {

namespace {

constexpr uint64_t kPeerLine = 64;
// From so many bytes on, each of three or more ranks joins a part of the elements and hands it on.
constexpr uint64_t kJoinPartsLeast = uint64_t{256} << 10;

uint64_t whole_peer_lines(uint64_t bytes) noexcept {
  return (bytes + kPeerLine - 1) / kPeerLine * kPeerLine;
}

class PeerMover {
 public:
  PeerMover(PeerRooms& rooms, Exchange& call, const ops::Run& run)
      : rooms_(rooms), call_(call), me_(call.board().me()), run_(run) {}

  Refusal move(const TensorRef& in, const TensorRef& out);

 private:
  uint32_t size() const noexcept { return call_.board().size(); }
  std::vector<DeviceStage> stages(const TensorRef& in, const TensorRef& out) const;
  void move_stage(const DeviceStage& stage, bool last);
  void write(const DeviceStage& stage, const Pieces& pieces, uint64_t step, Queue& queue) const;
  void read(const DeviceStage& stage, const Pieces& pieces, uint64_t step,
            const Pieces* next) const;
  void join(const DeviceStage& stage, const Pieces& pieces, uint64_t step,
            const Pieces* next) const;
  bool can_join_and_write(const DeviceStage& stage, const Pieces& pieces, const Pieces& next) const;
  TensorRef elements(const TensorRef& tensor, uint64_t offset, uint64_t bytes) const;
  TensorRef piece_of(uint32_t from, const DeviceStage& stage, const Pieces& pieces,
                     uint64_t step) const;
  void await_written(const TensorRef& tensor) const;

  PeerRooms& rooms_;
  Exchange& call_;
  const uint32_t me_;
  const ops::Run run_;
};

std::vector<DeviceStage> PeerMover::stages(const TensorRef& in, const TensorRef& out) const {
  const std::span<const Header> headers = call_.headers();
  const Flow flow(headers, me_);
  const bool whole = headers[0].op == Op::all_reduce || headers[0].op == Op::reduce;
  if (!whole || size() == 2 || flow.payload(0) < kJoinPartsLeast) {
    return {{{headers.begin(), headers.end()}, in, out}};
  }
  auto [join, hand_on] = join_in_parts(headers, me_, in, out, run_);
  return {std::move(join), std::move(hand_on)};
}

TensorRef PeerMover::elements(const TensorRef& tensor, uint64_t offset, uint64_t bytes) const {
  const auto element = static_cast<uint64_t>(tensor->element_size());
  return ops::row_of(*tensor, static_cast<int64_t>(offset / element),
                     static_cast<int64_t>(bytes / element));
}

// What this rank gives, into its own room.
void PeerMover::write(const DeviceStage& stage, const Pieces& pieces, uint64_t step,
                      Queue& queue) const {
  for (uint32_t to = 0; to < size(); ++to) {
    const uint64_t bytes = pieces.bytes(me_, to);
    if (to == me_ || bytes == 0) continue;
    const uint64_t first = pieces.flow.range(me_, to).offset + pieces.first;
    ops::copy_packed(*elements(stage.in, first, bytes),
                     *rooms_.part(me_, step, stage.in->dtype(), pieces.place(to), bytes),
                     ops::Run{queue, {}}.part());
    if (pieces.flow.same_for_all()) break;
  }
  queue.flush();
}

// Where this rank finds what comes from another, or from itself.
TensorRef PeerMover::piece_of(uint32_t from, const DeviceStage& stage, const Pieces& pieces,
                              uint64_t step) const {
  const uint64_t bytes = pieces.bytes(from, me_);
  if (from != me_) {
    return rooms_.part(from, step, stage.out->dtype(), pieces.place(me_), bytes);
  }
  return elements(stage.in, pieces.flow.range(me_, me_).offset + pieces.first, bytes);
}

// `next` is what this rank writes meanwhile, where one kernel does both.
void PeerMover::read(const DeviceStage& stage, const Pieces& pieces, uint64_t step,
                     const Pieces* next) const {
  if (stage.out == nullptr) return;
  if (pieces.flow.joins()) return join(stage, pieces, step, next);
  for (uint32_t from = 0; from < size(); ++from) {
    const uint64_t bytes = pieces.bytes(from, me_);
    if (bytes == 0) continue;
    const TensorRef source = piece_of(from, stage, pieces, step);
    const TensorRef target = elements(stage.out, pieces.flow.place(from) + pieces.first, bytes);
    if (!ops::same_elements(*source, *target)) ops::copy_packed(*source, *target, run_.part());
  }
}

// In the order of the ranks, as by the host.
void PeerMover::join(const DeviceStage& stage, const Pieces& pieces, uint64_t step,
                     const Pieces* next) const {
  const uint64_t bytes = pieces.bytes(0, me_);
  if (bytes == 0) return;
  std::vector<TensorRef> sources;
  for (uint32_t from = 0; from < size(); ++from) {
    sources.push_back(piece_of(from, stage, pieces, step));
  }
  const Header& own = call_.headers()[me_];
  const std::string text = joined_text(own.kind, own.dtype, size());
  const TensorRef target = elements(stage.out, pieces.first, bytes);
  ops::ExpressionCache& cache = ops::ExpressionCache::instance();
  if (next == nullptr) {
    ops::expression(*cache.get(text.c_str()), sources, own.dtype, 0, target, run_.part());
    return;
  }
  const std::string same = format("v%u", size());
  const std::array<const char*, 2> texts{text.c_str(), same.c_str()};
  const std::array<netcl_dtype, 2> dtypes{own.dtype, own.dtype};
  sources.push_back(elements(stage.in, pieces.flow.range(me_, me_).offset + next->first, bytes));
  const TensorRef room = rooms_.part(me_, step + 1, own.dtype, next->place(me_), bytes);
  ops::expressions(*cache.get(texts), sources, dtypes, 0, {target, room}, run_.part());
}

// Reading others' memory leaves this device's own idle, which writing needs: one kernel does both.
bool PeerMover::can_join_and_write(const DeviceStage& stage, const Pieces& pieces,
                                   const Pieces& next) const {
  return pieces.flow.joins() && pieces.flow.same_for_all() && stage.out != nullptr &&
         stage.in != nullptr && call_.headers()[me_].op == Op::all_reduce &&
         pieces.bytes(me_, me_) == next.bytes(me_, me_);
}

void PeerMover::await_written(const TensorRef& tensor) const {
  if (tensor == nullptr || tensor->empty()) return;
  QueueSet& set = run_.queue.set();
  look_busily(run_.device(), [&] { return set.wait_for(reading(*tensor), Deadline(0)); });
  ops::wait_until_written(*tensor, set);
}

// A rank arrives at a step when its piece lies in its room. While it reads those of the others it
// writes the next one into the other half, which they have read when they have arrived.
void PeerMover::move_stage(const DeviceStage& stage, bool last) {
  const Flow flow(stage.headers, me_);
  const uint64_t most = stage.longest();
  if (most == 0) return;
  if (size() == 1) {
    read(stage, {flow, 0, most}, 0, nullptr);
    return;
  }
  const uint64_t half = rooms_.half_bytes();
  const uint64_t room = flow.same_for_all() ? half : half / size() / kPeerLine * kPeerLine;
  const uint64_t steps = (most + room - 1) / room;
  const uint64_t piece = std::min(room, whole_peer_lines((most + steps - 1) / steps));
  const TensorRef own = rooms_.part(me_, 0, NETCL_U8, 0, half);
  write(stage, {flow, 0, piece}, 0, run_.queue);
  await_written(own);
  call_.tell(0);
  for (uint64_t step = 0; step < steps; ++step) {
    const Pieces pieces{flow, step * piece, piece}, next{flow, (step + 1) * piece, piece};
    const bool more = step + 1 < steps;
    const bool both = more && can_join_and_write(stage, pieces, next);
    if (more && !both) write(stage, next, step + 1, rooms_.filling());
    read(stage, pieces, step, both ? &next : nullptr);
    run_.queue.flush();
    await_written(stage.out);
    if (more) await_written(own);
    if (more || !last) call_.tell(0);
  }
}

Refusal PeerMover::move(const TensorRef& in, const TensorRef& out) {
  const std::vector<DeviceStage> stages = this->stages(in, out);
  uint64_t wanted = 0;
  for (const DeviceStage& stage : stages) {
    const bool once = Flow(stage.headers, me_).same_for_all();
    const uint64_t bytes = std::min(whole_peer_lines(stage.longest()), kHalfMost);
    wanted = std::max(wanted, bytes * (once ? 1 : size()));
  }
  if (size() > 1) {
    const Refusal refusal = rooms_.grow(call_, wanted);
    if (refusal) return refusal;
  }
  // Calls of other threads that write what is read, or use what is written, wait.
  const CopyHold hold(run_.queue, access_to(in.get(), false), access_to(out.get(), true));
  if (in != nullptr && in->memory() != nullptr) ops::wait_until_written(*in, run_.queue.set());
  const auto move_stages = [&] {
    for (const DeviceStage& stage : stages) move_stage(stage, &stage == &stages.back());
  };
  wait_with_memory(move_stages, [&] { return hold.awaited(); });
  if (out != nullptr) ops::mark_written(*out, run_);
  return {};
}

}  // namespace

Refusal move_by_peers(PeerRooms& rooms, Exchange& call, const TensorRef& in, const TensorRef& out,
                      const ops::Run& run) {
  return PeerMover(rooms, call, run).move(in, out);
}

}  // namespace netcl::group
