// A communicator of netcl's own, and messages that are under way in it. MPI goes on using the
// memory of a message until the message has ended, which may be never where a rank is gone; so what
// has not ended outlives whoever began it.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/allocator.hpp"
#include "core/wait.hpp"
#include "group/group_members.hpp"
#include "group/mpi_table.h"

namespace netcl::group {

// Opens libnetcl-mpi.so; UNSUPPORTED naming the file.
const netcl_mpi_table& open_mpi();
// Throws where this thread cannot call MPI.
void check_mpi(const netcl_mpi_table& mpi);

// What a rank tells each other rank once, beside its calls: a loss, or that it leaves.
struct Notice {
  uint64_t word = 0;
  uint64_t loss = 0;
};

// Messages under way, with the memory that they are in.
struct UnderWay {
  struct One {
    netcl_mpi_request request;
    uint32_t rank;  // of the group, who is waited for
  };
  HostMemory memory;
  std::vector<One> messages;
  bool notice = false;  // the message is one, for this rank
};

class MpiComm {
 public:
  // Copies a communicator, as all its ranks do at a time.
  static std::shared_ptr<MpiComm> open(const netcl_mpi_table& mpi, int64_t communicator,
                                       uint64_t timeout_ns);
  ~MpiComm();
  MpiComm(const MpiComm&) = delete;
  MpiComm& operator=(const MpiComm&) = delete;

  const netcl_mpi_table& mpi() const noexcept { return mpi_; }
  netcl_mpi_comm* get() const noexcept { return comm_; }
  uint32_t rank() const noexcept { return rank_; }
  uint32_t size() const noexcept { return size_; }

  // Three tags for each group of these ranks: a number stands for a group that no two groups with
  // ranks in common share. Number 0 is the group of all; the first rank of a part draws its number.
  enum class Tag { all, pair, notice };
  int tag(uint32_t number, Tag kind) const noexcept {
    return static_cast<int>(number * 3 + static_cast<uint32_t>(kind));
  }
  uint32_t draw_number();

  // Takes what somebody leaves who began it.
  void keep(UnderWay left) noexcept;
  // A group was lost, or not made: there may be messages in it that nobody receives. If it were
  // closed, they might come to another communicator that MPI gives the same number.
  void spoil() noexcept { spoilt_.store(true); }

 private:
  explicit MpiComm(const netcl_mpi_table& mpi) : mpi_(mpi) {}
  static void leave(MpiComm* comm) noexcept;
  bool over() noexcept;
  void forget_ended() noexcept;

  const netcl_mpi_table& mpi_;
  netcl_mpi_comm* comm_ = nullptr;
  uint32_t rank_ = 0;
  uint32_t size_ = 0;
  uint32_t numbers_ = 0;  // that there are
  std::atomic<uint32_t> drawn_{0};
  std::atomic<bool> spoilt_{false};
  std::mutex mutex_;  // of what is kept
  std::vector<UnderWay> kept_;
  size_t many_ = 16;  // kept, at which it is worth looking at what has ended
};

// The messages of one step.
class Transfer {
 public:
  Transfer(std::shared_ptr<MpiComm> comm, size_t bytes, size_t messages);
  // Of a notice that this rank will get.
  Transfer(std::shared_ptr<MpiComm> comm, uint32_t from, uint32_t rank, int tag);
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  unsigned char* memory() const noexcept {
    return static_cast<unsigned char*>(under_way_.memory.get());
  }
  MpiComm& comm() const noexcept { return *comm_; }
  // `to` and `from` are ranks of the communicator, `rank` that of the group.
  void send(const void* bytes, size_t count, uint32_t to, uint32_t rank, int tag) noexcept;
  void receive(void* bytes, size_t count, uint32_t from, uint32_t rank, int tag) noexcept;
  // Everybody's `bytes` at `in`, behind one another at `out`.
  void gather(const void* in, void* out, size_t bytes) noexcept;
  // For a message that somebody else begins; there is room for as many as the constructor was told.
  netcl_mpi_request* add(uint32_t rank) noexcept;

  // True when all has ended. The memory is free then for others.
  bool done() noexcept;
  // Waits for all, as a call of a group does.
  void finish(Members& members);
  // The same before there is a group: `missing` is what comes too late.
  void finish(const Deadline& deadline, const char* missing, uint64_t timeout_ns);

 private:
  bool all_ended() noexcept;
  std::optional<uint32_t> find_gone(const Members& members) noexcept;

  const std::shared_ptr<MpiComm> comm_;
  UnderWay under_way_;
  size_t first_ = 0;     // of the messages, which has not ended
  bool failed_ = false;  // it has: that one
  bool awaited_ = false;
  char text_[NETCL_MPI_TEXT] = "";
};

}  // namespace netcl::group
