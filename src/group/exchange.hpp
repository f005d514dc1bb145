// One call of a collective at a board: headers, checks, then the bytes.
#pragma once

#include <memory>
#include <vector>

#include "core/function_ref.hpp"
#include "group/board.hpp"
#include "group/combine.hpp"

namespace netcl::group {

// The packed elements of this rank's tensors; null where it has none.
struct Bytes {
  const unsigned char* in = nullptr;
  unsigned char* out = nullptr;
};

class Exchange {
 public:
  Exchange(std::unique_ptr<Board> board, Combine& combine)
      : owned_(std::move(board)), board_(*owned_), combine_(combine) {}

  // Another way for the bytes of a call that the ranks agree on; false where it is none for them,
  // on all ranks. No rank leaves such a call before all have made it.
  using Other = FunctionRef<bool(Exchange&)>;
  // Takes part in a call and waits for the others as far as that goes. INVALID_ARGUMENT where the
  // ranks disagree, which leaves the group usable; whatever else fails makes it unusable.
  void run(const Header& own, const Bytes& bytes, const Other* other = nullptr);
  // What a rank said of the last call.
  const Header& header(uint32_t rank) const noexcept { return headers_[rank]; }
  std::span<const Header> headers() const noexcept { return headers_; }
  const Board& board() const noexcept { return board_; }
  // Within another way: what each rank has to tell.
  std::vector<uint64_t> tell(uint64_t number);
  // Calls so far.
  uint64_t runs() const noexcept { return runs_; }

 private:
  void announce(const Header& own, const Bytes& bytes);
  void move(const Bytes& bytes);
  void move_inline(const Flow& flow, const Bytes& bytes);
  void move_staged(const Flow& flow, const Bytes& bytes);
  void reduce_in_parts(const Bytes& bytes);
  void write_piece(const Pieces& pieces, const Bytes& bytes);
  void read_piece(const Pieces& pieces, const Bytes& bytes);
  void take(const Pieces& pieces, const Bytes& bytes);

  const std::unique_ptr<Board> owned_;
  Board& board_;
  Combine& combine_;
  uint64_t runs_ = 0;
  std::vector<Header> headers_;
  std::vector<uint32_t> names_;
  std::vector<const void*> sources_;  // where this rank finds what comes from each
};

}  // namespace netcl::group
