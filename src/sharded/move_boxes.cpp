#include "sharded/move_boxes.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "core/hash.hpp"
#include "ops/frame/result.hpp"
#include "ops/move/move.hpp"

namespace netcl::sharded {

namespace {

// Who of those that have a part gives it to a rank: the rank itself, else they take turns.
uint32_t holder_for(const Source& source, uint32_t rank) {
  const auto& holders = source.holders;
  if (std::find(holders.begin(), holders.end(), rank) != holders.end()) return rank;
  return holders[rank % holders.size()];
}

}  // namespace

uint64_t mark_of(char kind, const Layout& whole, const Sharding& sharding, const void* asked,
                 size_t bytes) {
  std::string all(1, kind);
  const auto add = [&](const void* data, size_t size) {
    all.append(static_cast<const char*>(data), size);
  };
  add(whole.shape.data(), whole.rank * sizeof whole.shape[0]);
  add(&sharding, sizeof sharding);
  add(asked, bytes);
  return hash128(all.data(), all.size()).low;
}

// Both ends of a piece find it in the same order.
void MoveBoxes::plan() {
  const uint32_t me = group_.rank();
  counts_.assign(group_.size(), 0);
  for (uint32_t to = 0; to < group_.size(); ++to) {
    for (const Want& want : wants_(to)) {
      for (const Source& source : sources_) {
        Piece piece{};
        if (!intersect(want.box, source.box, rank_, &piece.box)) continue;
        const uint32_t from = holder_for(source, to);
        if (from != me && to != me) continue;
        for (uint32_t d = 0; d < rank_; ++d) {
          piece.at[d] = want.at[d] + piece.box.first[d] - want.box.first[d];
        }
        piece.peer = to == me ? from : to;
        const int64_t elements = box_elements(piece.box, rank_);
        if (from == to) {
          stays_.push_back(piece);
        } else if (from == me) {
          counts_[to] += elements;
          sent_ += elements;
          sends_.push_back(piece);
        } else {
          received_ += elements;
          receives_.push_back(piece);
        }
      }
    }
  }
  std::stable_sort(receives_.begin(), receives_.end(),
                   [](const Piece& a, const Piece& b) { return a.peer < b.peer; });
}

TensorRef MoveBoxes::flat_piece(const Tensor& flat, const Piece& piece, int64_t offset) const {
  const Layout layout = packed_layout(rank_, piece.box.shape.data());
  return view(flat, rank_, layout.shape.data(), layout.strides.data(), offset);
}

void MoveBoxes::pack(const Tensor& own, const std::array<int64_t, kRankMax>& origin,
                     const Tensor& flat, const ops::Run& run) const {
  int64_t offset = 0;
  for (const Piece& piece : sends_) {
    ops::copy_into(*slice_box(own, piece.box, origin), *flat_piece(flat, piece, offset), run);
    offset += box_elements(piece.box, rank_);
  }
}

void MoveBoxes::unpack(const TensorRef& own, const std::array<int64_t, kRankMax>& origin,
                       const Tensor& flat, const MoveInto& into) const {
  size_t left = stays_.size() + receives_.size();
  const auto put = [&](const Tensor& source, const Piece& piece) {
    const Box place{piece.at, piece.box.shape};
    const ops::Run run = --left == 0 ? into.run : into.run.without_event();
    ops::copy_into(source, *slice_box(*into.target, place, {}), run);
  };
  for (const Piece& piece : stays_) put(*slice_box(*own, piece.box, origin), piece);
  int64_t offset = 0;
  for (const Piece& piece : receives_) {
    put(*flat_piece(flat, piece, offset), piece);
    offset += box_elements(piece.box, rank_);
  }
}

void MoveBoxes::run(const TensorRef& own, const std::array<int64_t, kRankMax>& origin,
                    FunctionRef<MoveInto()> prepare) {
  group::Call call{group::Op::all_to_all};
  std::optional<MoveInto> into;
  bool all_done = false;  // with the call itself
  group_.call(&call, [&] {
    into.emplace(prepare());
    plan();
    const ops::Run part = into->run.without_event();
    const netcl_dtype dtype = own != nullptr ? own->dtype() : into->target->dtype();
    element_size_ = dtype_size(dtype);
    call.input = ops::new_tensor(dtype, 1, &sent_, part);
    call.output = ops::new_tensor(dtype, 1, &received_, part);
    call.counts = counts_;
    call.mark = into->mark;
    call.message_of = call_;
    if (!sends_.empty()) pack(*own, origin, *call.input, part);
    all_done = stays_.empty() && receives_.empty();
    return all_done && !into->agreed ? into->run : part;
  });
  if (into->agreed) {
    const ops::Run& run = into->run;
    into->agreed(run.without_event());
    if (all_done && run.event != nullptr) *run.event = run.queue.marker(run.waits);
  }
  unpack(own, origin, *call.output, *into);
}

std::string MoveBoxes::text(const char* name) const {
  return format("%s: all_to_all of %u ranks; this rank sends %llu bytes and receives %llu\n", name,
                group_.size(),
                static_cast<unsigned long long>(static_cast<uint64_t>(sent_) * element_size_),
                static_cast<unsigned long long>(static_cast<uint64_t>(received_) * element_size_));
}

}  // namespace netcl::sharded
