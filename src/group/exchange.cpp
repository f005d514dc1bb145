#include "group/exchange.hpp"

#include <algorithm>
#include <cstring>

#include "core/error.hpp"

namespace netcl::group {

namespace {

constexpr uint64_t kLine = 64;
// From this size on each rank joins a part of the elements and hands it on, where below it each
// joins all of them: less work for more steps.
constexpr uint64_t kPartsLeast = 32768;

uint64_t divide_up(uint64_t a, uint64_t b) noexcept { return (a + b - 1) / b; }

}  // namespace

void Exchange::run(const Header& own, const Bytes& bytes, const Other* other) {
  std::string difference;
  ++runs_;
  try {
    headers_.resize(board_.size());
    sources_.resize(board_.size());
    announce(own, bytes);
    names_.clear();
    for (const uint32_t rank : board_.ranks()) names_.push_back(board_.members().name(rank));
    difference = disagreement(headers_, names_);
    if (difference.empty()) {
      if (other != nullptr && (*other)(*this)) {
        board_.begin_call();
        board_.meet_with_slots(kHeaderBase);
      } else {
        move(bytes);
      }
    }
  } catch (...) {
    // The others would wait for what does not come.
    board_.members().give_up();
    throw;
  }
  if (!difference.empty()) fail(NETCL_ERROR_INVALID_ARGUMENT, std::move(difference));
}

std::vector<uint64_t> Exchange::tell(uint64_t number) {
  board_.begin_call();
  board_.slot(board_.me()).header.offer = number;
  board_.meet_with_slots(kHeaderBase);
  std::vector<uint64_t> told;
  for (uint32_t r = 0; r < board_.size(); ++r) told.push_back(board_.slot(r).header.offer);
  return told;
}

// Every rank's slot gets its header, with its bytes where they are few.
void Exchange::announce(const Header& own, const Bytes& bytes) {
  board_.begin_call();
  Slot& slot = board_.slot(board_.me());
  const bool counts = own.op == Op::all_to_all;
  std::memcpy(static_cast<void*>(&slot.header), &own, counts ? sizeof own : kHeaderBase);
  const uint64_t size = static_cast<uint64_t>(own.in_rows) * own.row_bytes;
  const bool travels = bytes.in != nullptr && size <= kInlineBytes;
  if (travels) std::memcpy(slot.payload, bytes.in, size);
  board_.meet_with_slots(offsetof(Slot, payload) + (travels ? size : 0));
  for (uint32_t r = 0; r < board_.size(); ++r) {
    const Header& header = board_.slot(r).header;
    const bool long_form = header.op == Op::all_to_all;
    std::memcpy(static_cast<void*>(&headers_[r]), &header, long_form ? sizeof header : kHeaderBase);
  }
}

void Exchange::move(const Bytes& bytes) {
  const Flow flow(headers_, board_.me());
  bool few = true;
  for (uint32_t r = 0; r < board_.size(); ++r) few = few && flow.payload(r) <= kInlineBytes;
  if (few) {
    move_inline(flow, bytes);
  } else if (headers_[0].op == Op::all_reduce && board_.size() > 1 &&
             flow.payload(0) >= kPartsLeast) {
    reduce_in_parts(bytes);
  } else {
    move_staged(flow, bytes);
  }
}

void Exchange::move_inline(const Flow& flow, const Bytes& bytes) {
  for (uint32_t r = 0; r < board_.size(); ++r) {
    sources_[r] = board_.slot(r).payload + flow.range(r, board_.me()).offset;
  }
  take({flow, 0, kInlineBytes}, bytes);
}

void Exchange::write_piece(const Pieces& pieces, const Bytes& bytes) {
  const uint32_t me = board_.me();
  // It is read when this rank has arrived at the next step.
  unsigned char* const half = board_.half(me, board_.step() + 1);
  for (uint32_t to = 0; to < board_.size(); ++to) {
    const uint64_t size = pieces.bytes(me, to);
    if (to == me || size == 0) continue;
    std::memcpy(half + pieces.place(to), bytes.in + pieces.flow.range(me, to).offset + pieces.first,
                size);
    if (pieces.flow.same_for_all()) return;
  }
}

void Exchange::read_piece(const Pieces& pieces, const Bytes& bytes) {
  const uint32_t me = board_.me();
  for (uint32_t from = 0; from < board_.size(); ++from) {
    const uint64_t offset = pieces.flow.range(from, me).offset;
    const unsigned char* const own =
        bytes.in == nullptr ? nullptr : bytes.in + offset + pieces.first;
    sources_[from] = from == me ? own : board_.half(from, board_.step()) + pieces.place(me);
  }
  take(pieces, bytes);
}

// Puts the piece that sources_ show where it belongs.
void Exchange::take(const Pieces& pieces, const Bytes& bytes) {
  const uint32_t me = board_.me();
  if (bytes.out == nullptr) return;
  if (pieces.flow.joins()) {
    const uint64_t element = dtype_size(headers_[0].dtype);
    combine_.run(headers_[0].dtype, headers_[0].kind, sources_, bytes.out + pieces.first,
                 static_cast<int64_t>(pieces.bytes(0, me) / element));
    return;
  }
  for (uint32_t from = 0; from < board_.size(); ++from) {
    const uint64_t size = pieces.bytes(from, me);
    unsigned char* const target = bytes.out + pieces.flow.place(from) + pieces.first;
    if (size != 0 && target != sources_[from]) std::memcpy(target, sources_[from], size);
  }
}

void Exchange::move_staged(const Flow& flow, const Bytes& bytes) {
  const uint64_t room = board_.half_bytes();
  const uint64_t piece = flow.same_for_all() ? room : room / board_.size() / kLine * kLine;
  const uint64_t steps = divide_up(flow.longest(), piece);
  for (uint64_t step = 0; step < steps; ++step) {
    const Pieces pieces{flow, step * piece, piece};
    write_piece(pieces, bytes);
    board_.meet_with_pieces(pieces);
    read_piece(pieces, bytes);
  }
}

// The elements are parted among the ranks: each joins its part, and gets those of the others.
void Exchange::reduce_in_parts(const Bytes& bytes) {
  const uint32_t me = board_.me();
  part_elements(headers_);
  const Flow parted(headers_, me);
  unsigned char* const own = bytes.out + parted.range(me, me).offset;
  move_staged(parted, {bytes.in, own});
  for (Header& header : headers_) {
    header.op = Op::all_gather;
    header.in_rows = header.out_rows;
  }
  move_staged(Flow(headers_, me), {own, bytes.out});
}

}  // namespace netcl::group
