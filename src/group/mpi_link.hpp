// Groups whose ranks reach each other by messages of MPI, of one or several hosts.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "group/board.hpp"
#include "group/mpi_comm.hpp"

namespace netcl::group {

// Each rank has a board of its own, where what the others send comes to lie as if they had written
// it there.
class MpiBoard final : private Transfer, public Board {
 public:
  // `comm_ranks` are the numbers of those at the board in the communicator.
  MpiBoard(Members& members, std::shared_ptr<MpiComm> comm, int tag, size_t half_bytes,
           std::vector<uint32_t> ranks, std::vector<uint32_t> comm_ranks);

  void meet_with_slots(size_t bytes) override;
  void meet_with_pieces(const Pieces& pieces) override;

 private:
  const int tag_;
  const std::vector<uint32_t> comm_ranks_;
};

class MpiLink final : public Link {
 public:
  // `number` is that of the group, see MpiComm.
  MpiLink(std::shared_ptr<MpiComm> comm, uint32_t number, std::vector<uint32_t> comm_ranks,
          uint32_t me);
  ~MpiLink() override {
    if (front_.loss.load(std::memory_order_relaxed) != 0) comm_->spoil();
  }

  netcl_group_transport transport() const noexcept override { return NETCL_GROUP_TRANSPORT_MPI; }
  Front& front() noexcept override { return front_; }
  void begin_call() override {
    check_mpi(comm_->mpi());
    hear();
  }
  void tell(uint64_t word, bool loss) noexcept override;
  void hear() noexcept override;
  // MPI tells nobody.
  bool closed(uint32_t) noexcept override { return false; }
  std::unique_ptr<Board> board_of_all(Members& members) override;
  std::unique_ptr<Board> board_of_pair(Members& members, uint32_t peer) override;
  uint64_t draw_number() override { return comm_->draw_number(); }
  std::shared_ptr<Link> part(Members& members, std::span<const uint32_t> ranks,
                             uint64_t number) override;

 private:
  int tag(MpiComm::Tag kind) const noexcept { return comm_->tag(number_, kind); }

  const std::shared_ptr<MpiComm> comm_;
  const uint32_t number_;
  const std::vector<uint32_t> comm_ranks_;
  const uint32_t me_;
  Front front_;
  // Each rank tells each other one thing: a loss or that it leaves, what comes first. So each waits
  // for one notice of each, and all that are sent are received.
  std::vector<std::unique_ptr<Transfer>> told_;  // by each rank, null for this one
  Transfer telling_;
  bool has_told_ = false;
};

}  // namespace netcl::group
