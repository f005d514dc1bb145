#include "group/group_members.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace netcl::group {

void Link::give(uint32_t, uint64_t, std::span<const unsigned char>, std::span<const int>) {
  fail(NETCL_ERROR_INTERNAL, "ranks of several hosts give each other no descriptors");
}

Message Link::take(Members&, uint32_t, uint64_t) {
  fail(NETCL_ERROR_INTERNAL, "ranks of several hosts give each other no descriptors");
}

Members::~Members() {
  link_->front().released[me_].store(1, std::memory_order_seq_cst);
  link_->tell(word(Loss::released, me_), false);
}

// A loss is one word: how, who, and after how many milliseconds.
uint64_t Members::word(Loss loss, uint32_t rank) const noexcept {
  const uint64_t ms = std::min<uint64_t>(timeout_ns_ / 1000000, (uint64_t{1} << 48) - 1);
  return static_cast<uint64_t>(loss) | uint64_t{rank} << 8 | ms << 16;
}

void Members::lose(Loss loss, uint32_t rank) noexcept {
  if (above_ != nullptr) return above_->lose(loss, names_[rank]);
  uint64_t none = 0;
  const uint64_t lost = word(loss, rank);
  if (link_->front().loss.compare_exchange_strong(none, lost)) link_->tell(lost, true);
}

netcl_status Members::loss(std::string* message) const {
  const uint64_t word = loss_word().load(std::memory_order_acquire);
  if (word == 0) return NETCL_OK;
  const auto stored = static_cast<uint32_t>(word >> 8 & 0xff);
  // What has a group above it stores the numbers in that.
  const uint32_t rank = unnamed_ && above_ == nullptr ? names_[stored] : stored;
  switch (static_cast<Loss>(word & 0xff)) {
    case Loss::late:
      *message = format("the group is unusable: rank %u did not come within %llu ms", rank,
                        static_cast<unsigned long long>(word >> 16));
      return NETCL_ERROR_TIMEOUT;
    case Loss::stalled:
      *message = format("the group is unusable: NCCL did not come to an end within %llu ms",
                        static_cast<unsigned long long>(word >> 16));
      return NETCL_ERROR_TIMEOUT;
    case Loss::released:
      *message = format("the group is unusable: rank %u was released", rank);
      break;
    case Loss::gave_up:
      *message = format("the group is unusable: rank %u failed within a call", rank);
      break;
    default:
      *message = format("the group is unusable: rank %u died", rank);
  }
  return NETCL_ERROR_RANK_LOST;
}

void Members::fail_lost() const {
  std::string message;
  const netcl_status status = loss(&message);
  fail(status, std::move(message));
}

void Members::lose_gone(uint32_t rank) {
  lose(released(rank) ? Loss::released : Loss::died, rank);
  fail_lost();
}

void Members::lose_late(uint32_t rank) {
  lose(Loss::late, rank);
  fail_lost();
}

void Members::lose_stalled() {
  lose(Loss::stalled, me_);
  fail_lost();
}

void Members::give_up() noexcept { lose(Loss::gave_up, me_); }

}  // namespace netcl::group
