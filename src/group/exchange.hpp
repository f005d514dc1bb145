// One call of a collective at a board: headers, checks, then the bytes.
#pragma once

#include <vector>

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
  Exchange(Board board, Combine& combine) : board_(std::move(board)), combine_(combine) {}

  // Takes part in a call and waits for the others as far as that goes. INVALID_ARGUMENT where the
  // ranks disagree, which leaves the group usable; whatever else fails makes it unusable.
  void run(const Header& own, const Bytes& bytes);
  // Calls so far.
  uint64_t runs() const noexcept { return runs_; }

 private:
  void announce(const Header& own, const Bytes& bytes);
  void move(const Bytes& bytes);
  void move_inline(const Flow& flow, const Bytes& bytes);
  void move_staged(const Flow& flow, const Bytes& bytes);
  void reduce_in_parts(const Bytes& bytes);
  void write_piece(const Flow& flow, const Bytes& bytes, uint64_t first, uint64_t piece);
  void read_piece(const Flow& flow, const Bytes& bytes, uint64_t first, uint64_t piece);
  void take(const Flow& flow, const Bytes& bytes, uint64_t first, uint64_t piece);
  unsigned char* staged(const Flow& flow, uint32_t from, uint32_t to,
                        uint64_t piece) const noexcept;

  Board board_;
  Combine& combine_;
  uint64_t runs_ = 0;
  std::vector<Header> headers_;
  std::vector<const void*> sources_;  // where this rank finds what comes from each
};

}  // namespace netcl::group
