#include "group/board.hpp"

#include <algorithm>
#include <numeric>

namespace netcl::group {

static size_t whole_pages(size_t bytes) noexcept { return (bytes + 4095) / 4096 * 4096; }

Board::Board(Members& members, unsigned char* memory, size_t half_bytes,
             std::vector<uint32_t> ranks)
    : members_(members),
      seats_(reinterpret_cast<Seat*>(memory)),
      halves_(memory + whole_pages(ranks.size() * sizeof(Seat))),
      half_bytes_(half_bytes),
      ranks_(std::move(ranks)) {
  me_ =
      static_cast<uint32_t>(std::find(ranks_.begin(), ranks_.end(), members.me()) - ranks_.begin());
}

size_t Board::bytes(uint32_t size, size_t half_bytes) noexcept {
  return whole_pages(size * sizeof(Seat)) + size_t{2} * size * half_bytes;
}

std::vector<uint32_t> Board::all_ranks(uint32_t size) {
  std::vector<uint32_t> ranks(size);
  std::iota(ranks.begin(), ranks.end(), 0u);
  return ranks;
}

}  // namespace netcl::group
