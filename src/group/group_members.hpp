// Who is in a group, how the ranks reach each other, and what became of them.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "group/collective.hpp"
#include "group/mesh.hpp"

namespace netcl::group {

class Board;
class Members;

// What ranks let each other know beside their calls.
struct Front {
  std::atomic<uint64_t> loss{0};     // what made the group unusable, 0 for nothing
  uint64_t name = 0;                 // drawn by who makes the memory
  std::atomic<uint32_t> no_nccl{0};  // a rank could not make its communicator
  std::atomic<uint32_t> released[kRanksMax];
};

// One rank's way to the others of its group.
class Link {
 public:
  virtual ~Link() = default;

  virtual netcl_group_transport transport() const noexcept = 0;
  virtual Front& front() noexcept = 0;
  // Before each call: throws where this thread cannot make one, and hears of what happened.
  virtual void begin_call() {}
  // Lets the others know of a loss, or that this rank leaves.
  virtual void tell(uint64_t word, bool loss) noexcept = 0;
  // Puts into the front what the others told.
  virtual void hear() noexcept {}
  // True when the process of a rank is known to be gone.
  virtual bool closed(uint32_t rank) noexcept = 0;
  // True when it has ended as it should: it was in no call, though it may never have been in this
  // group.
  virtual bool left(uint32_t) noexcept { return false; }

  // The board of all ranks, and that of this one with another.
  virtual std::unique_ptr<Board> board_of_all(Members& members) = 0;
  virtual std::unique_ptr<Board> board_of_pair(Members& members, uint32_t peer) = 0;
  // The link of a part of the group, which has these ranks. All of them call it together, with the
  // number that the first of them has drawn for it.
  virtual uint64_t draw_number() = 0;
  virtual std::shared_ptr<Link> part(Members& members, std::span<const uint32_t> ranks,
                                     uint64_t number) = 0;

  // Whether the ranks can give each other descriptors, under numbers that both know; and that, with
  // some bytes. Parts have the numbers that were drawn for them.
  virtual bool gives() const noexcept { return false; }
  virtual void give(uint32_t rank, uint64_t number, std::span<const unsigned char> bytes,
                    std::span<const int> fds);
  virtual Message take(Members& members, uint32_t rank, uint64_t number);
};

class Members {
 public:
  // `above` are those of a group that keeps this one for itself, where these ranks have the numbers
  // `names`: what happens to them happens to it, and is told with its numbers.
  Members(std::shared_ptr<Link> link, uint32_t size, uint32_t me, uint64_t timeout_ns,
          Members* above = nullptr, std::vector<uint32_t> names = {})
      : link_(std::move(link)),
        size_(size),
        me_(me),
        timeout_ns_(timeout_ns),
        above_(above),
        names_(std::move(names)) {}
  // Lets those that wait for this rank know that it is gone.
  ~Members();
  Members(const Members&) = delete;
  Members& operator=(const Members&) = delete;

  uint32_t me() const noexcept { return me_; }
  uint32_t size() const noexcept { return size_; }
  uint64_t timeout_ns() const noexcept { return timeout_ns_; }
  // Until when a wait for another rank lasts that begins now; see wait_since.
  Deadline deadline() const noexcept {
    const uint64_t spent = since_ns_ == 0 ? 0 : monotonic_ns() - since_ns_;
    return Deadline(timeout_ns_ - std::min(spent, timeout_ns_));
  }
  // Waits from here on count from this time on, 0: each for itself.
  void wait_since(uint64_t since_ns) noexcept { since_ns_ = since_ns; }
  Link& link() const noexcept { return *link_; }
  // The number of a rank that its user knows.
  uint32_t name(uint32_t rank) const noexcept {
    return above_ == nullptr && !unnamed_ ? rank : names_[rank];
  }
  // While a part is made its user knows the numbers in the group alone.
  void set_unnamed(bool unnamed) noexcept { unnamed_ = unnamed; }

  // Takes in what the others told.
  void hear() noexcept {
    link_->hear();
    if (above_ != nullptr) above_->hear();
  }
  bool is_lost() const noexcept { return loss_word().load(std::memory_order_relaxed) != 0; }
  // Throws when the group is unusable.
  void check() const {
    if (is_lost()) fail_lost();
  }
  // What made it so; NETCL_OK while it is usable.
  netcl_status loss(std::string* message) const;
  bool released(uint32_t rank) const noexcept {
    return link_->front().released[rank].load(std::memory_order_seq_cst) != 0 ||
           link_->left(rank) || (above_ != nullptr && above_->released(names_[rank]));
  }
  // Makes the group unusable, unless it is already, and throws.
  [[noreturn]] void lose_gone(uint32_t rank);
  [[noreturn]] void lose_late(uint32_t rank);
  // What all ranks began did not end in time.
  [[noreturn]] void lose_stalled();
  // The same where another exception tells of it here.
  void give_up() noexcept;

 private:
  enum class Loss : uint8_t { none, late, died, released, gave_up, stalled };
  uint64_t word(Loss loss, uint32_t rank) const noexcept;
  void lose(Loss loss, uint32_t rank) noexcept;
  std::atomic<uint64_t>& loss_word() const noexcept {
    return above_ == nullptr ? link_->front().loss : above_->loss_word();
  }
  [[noreturn]] void fail_lost() const;

  const std::shared_ptr<Link> link_;
  const uint32_t size_;
  const uint32_t me_;
  const uint64_t timeout_ns_;
  Members* const above_;
  const std::vector<uint32_t> names_;
  bool unnamed_ = false;
  uint64_t since_ns_ = 0;
};

}  // namespace netcl::group
