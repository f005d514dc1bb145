// Groups of ranks that share memory. There are no locks in it, so one that is killed at any moment
// leaves nothing behind that another could wait for unnoticed.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/cache_directory.hpp"
#include "group/board.hpp"
#include "group/mesh.hpp"

namespace netcl::group {

// Memory for the boards of a group of so many ranks, zeros at first.
class Segment {
 public:
  // Makes the memory. `descriptor` lets other processes have it.
  Segment(uint32_t size, Descriptor* descriptor);
  // Takes what another process has made.
  Segment(uint32_t size, int descriptor);
  ~Segment();
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

  static constexpr size_t kProcessorWords = 16;
  struct Shared {
    Front front;
    // Those that any rank may run on, a bit each.
    std::atomic<uint64_t> processors[kProcessorWords];
    std::atomic<uint32_t> left[kRanksMax];  // see Mesh
  };
  Shared& shared() const noexcept { return *reinterpret_cast<Shared*>(memory_); }
  static Mesh::Left left(const std::shared_ptr<Segment>& segment) {
    return {segment, segment->shared().left};
  }
  // Where the board of all begins, and that of two.
  unsigned char* board() const noexcept;
  unsigned char* pair_board(uint32_t low, uint32_t high) const noexcept;

 private:
  void map(int descriptor);

  uint32_t size_;
  size_t bytes_;
  unsigned char* memory_ = nullptr;
};

class SharedBoard final : public Board {
 public:
  SharedBoard(Members& members, unsigned char* memory, size_t half_bytes,
              std::vector<uint32_t> ranks, const Segment& segment);

  void meet_with_slots(size_t) override { meet(); }
  void meet_with_pieces(const Pieces&) override { meet(); }

 private:
  bool arrived(uint32_t seat) const noexcept {
    const uint32_t at = seats_[seat].step.load(std::memory_order_seq_cst);
    return static_cast<int32_t>(at - step_) >= 0;
  }
  void meet();
  void await(uint32_t seat);
  std::optional<uint32_t> find_gone(bool ask_mesh) const noexcept;
  void sleep(uint32_t seat) noexcept;

  void judge_room() noexcept;

  const Segment& segment_;
  bool crowded_ = true;  // there are more ranks than processors
  bool judged_ = false;
};

class SharedLink final : public Link {
 public:
  // `mesh_ranks` are the numbers of the ranks in the mesh.
  SharedLink(std::shared_ptr<Segment> segment, std::shared_ptr<Mesh> mesh,
             std::vector<uint32_t> mesh_ranks)
      : segment_(std::move(segment)), mesh_(std::move(mesh)), mesh_ranks_(std::move(mesh_ranks)) {}

  netcl_group_transport transport() const noexcept override {
    return NETCL_GROUP_TRANSPORT_SHARED_MEMORY;
  }
  Front& front() noexcept override { return segment_->shared().front; }
  // All see one front.
  void tell(uint64_t, bool) noexcept override {}
  bool closed(uint32_t rank) noexcept override { return mesh_->closed(mesh_ranks_[rank]); }
  bool left(uint32_t rank) noexcept override { return mesh_->left(mesh_ranks_[rank]); }
  std::unique_ptr<Board> board_of_all(Members& members) override;
  std::unique_ptr<Board> board_of_pair(Members& members, uint32_t peer) override;
  uint64_t draw_number() override { return ++drawn_; }
  std::shared_ptr<Link> part(Members& members, std::span<const uint32_t> ranks,
                             uint64_t number) override;
  bool gives() const noexcept override { return true; }
  void give(uint32_t rank, uint64_t number, std::span<const unsigned char> bytes,
            std::span<const int> fds) override;
  Message take(Members& members, uint32_t rank, uint64_t number) override;

 private:
  std::shared_ptr<Segment> part_segment(Members& members, std::span<const uint32_t> ranks,
                                        uint64_t number);

  const std::shared_ptr<Segment> segment_;
  const std::shared_ptr<Mesh> mesh_;
  const std::vector<uint32_t> mesh_ranks_;
  uint64_t drawn_ = 0;
};

}  // namespace netcl::group
