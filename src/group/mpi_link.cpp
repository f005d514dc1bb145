#include "group/mpi_link.hpp"

#include <algorithm>
#include <cstring>

namespace netcl::group {

namespace {

constexpr size_t kMpiHalf = size_t{256} << 10;
constexpr size_t kMpiPairHalf = size_t{128} << 10;

}  // namespace

MpiBoard::MpiBoard(Members& members, std::shared_ptr<MpiComm> comm, int tag, size_t half_bytes,
                   std::vector<uint32_t> ranks, std::vector<uint32_t> comm_ranks)
    : Transfer(std::move(comm), Board::bytes(static_cast<uint32_t>(ranks.size()), half_bytes),
               2 * ranks.size()),
      Board(members, memory(), half_bytes, std::move(ranks)),
      tag_(tag),
      comm_ranks_(std::move(comm_ranks)) {}

void MpiBoard::meet_with_slots(size_t bytes) {
  members_.check();
  ++step_;
  for (uint32_t seat = 0; seat < size(); ++seat) {
    if (seat == me()) continue;
    receive(&slot(seat), sizeof(Slot), comm_ranks_[seat], ranks()[seat], tag_);
  }
  for (uint32_t seat = 0; seat < size(); ++seat) {
    if (seat != me()) send(&slot(me()), bytes, comm_ranks_[seat], ranks()[seat], tag_);
  }
  finish(members_);
}

void MpiBoard::meet_with_pieces(const Pieces& pieces) {
  members_.check();
  ++step_;
  for (uint32_t seat = 0; seat < size(); ++seat) {
    const uint64_t comes = pieces.bytes(seat, me());
    if (seat == me() || comes == 0) continue;
    receive(half(seat, step_) + pieces.place(me()), comes, comm_ranks_[seat], ranks()[seat], tag_);
  }
  for (uint32_t seat = 0; seat < size(); ++seat) {
    const uint64_t goes = pieces.bytes(me(), seat);
    if (seat == me() || goes == 0) continue;
    send(half(me(), step_) + pieces.place(seat), goes, comm_ranks_[seat], ranks()[seat], tag_);
  }
  finish(members_);
}

MpiLink::MpiLink(std::shared_ptr<MpiComm> comm, uint32_t number, std::vector<uint32_t> comm_ranks,
                 uint32_t me)
    : comm_(std::move(comm)),
      number_(number),
      comm_ranks_(std::move(comm_ranks)),
      me_(me),
      front_{},
      telling_(comm_, sizeof(Notice), comm_ranks_.size()) {
  const int notices = tag(MpiComm::Tag::notice);
  told_.resize(comm_ranks_.size());
  for (uint32_t r = 0; r < comm_ranks_.size(); ++r) {
    if (r != me_) told_[r] = std::make_unique<Transfer>(comm_, comm_ranks_[r], r, notices);
  }
}

void MpiLink::tell(uint64_t word, bool loss) noexcept {
  if (has_told_ || comm_->mpi().unusable() != nullptr) return;
  has_told_ = true;
  const Notice notice{word, loss ? uint64_t{1} : 0};
  std::memcpy(telling_.memory(), &notice, sizeof notice);
  for (uint32_t r = 0; r < comm_ranks_.size(); ++r) {
    if (r == me_) continue;
    telling_.send(telling_.memory(), sizeof notice, comm_ranks_[r], r, tag(MpiComm::Tag::notice));
  }
}

void MpiLink::hear() noexcept {
  for (uint32_t r = 0; r < told_.size(); ++r) {
    if (told_[r] == nullptr || front_.released[r].load(std::memory_order_relaxed) != 0) continue;
    if (!told_[r]->done()) continue;
    Notice notice;
    std::memcpy(&notice, told_[r]->memory(), sizeof notice);
    uint64_t none = 0;
    // Who told of a loss makes no more calls.
    front_.released[r].store(1, std::memory_order_relaxed);
    if (notice.loss != 0) front_.loss.compare_exchange_strong(none, notice.word);
  }
}

std::unique_ptr<Board> MpiLink::board_of_all(Members& members) {
  return std::make_unique<MpiBoard>(members, comm_, tag(MpiComm::Tag::all), kMpiHalf,
                                    Board::all_ranks(members.size()), comm_ranks_);
}

std::unique_ptr<Board> MpiLink::board_of_pair(Members& members, uint32_t peer) {
  const uint32_t low = std::min(me_, peer);
  const uint32_t high = std::max(me_, peer);
  return std::make_unique<MpiBoard>(members, comm_, tag(MpiComm::Tag::pair), kMpiPairHalf,
                                    std::vector<uint32_t>{low, high},
                                    std::vector<uint32_t>{comm_ranks_[low], comm_ranks_[high]});
}

std::shared_ptr<Link> MpiLink::part(Members&, std::span<const uint32_t> ranks, uint64_t number) {
  std::vector<uint32_t> comm_ranks;
  for (const uint32_t rank : ranks) comm_ranks.push_back(comm_ranks_[rank]);
  const auto me = std::find(ranks.begin(), ranks.end(), me_) - ranks.begin();
  return std::make_shared<MpiLink>(comm_, static_cast<uint32_t>(number), std::move(comm_ranks),
                                   static_cast<uint32_t>(me));
}

}  // namespace netcl::group
