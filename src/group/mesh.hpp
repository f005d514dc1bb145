// A socket between each two ranks of a group. It tells at once when the other end is gone, and
// carries the descriptors of memory that ranks share.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "core/cache_directory.hpp"
#include "core/wait.hpp"

namespace netcl::group {

// What one message held.
struct Message {
  std::vector<unsigned char> bytes;
  std::vector<std::unique_ptr<Descriptor>> fds;
  bool cut = false;  // this process has too many open to take all of them; there are none then
};
enum class Received { message, closed, late };

// What messages of a mesh begin with: a group, and a number in it.
struct MeshName {
  uint64_t group = 0;
  uint64_t number = 0;
};

class Mesh {
 public:
  // Which ranks have ended as they should, in memory that all see.
  using Left = std::shared_ptr<std::atomic<uint32_t>[]>;
  // One socket per rank, in their order, -1 for this one, `me`.
  Mesh(std::vector<std::unique_ptr<Descriptor>> sockets, uint32_t me, Left left)
      : me_(me), left_(std::move(left)), sockets_(std::move(sockets)) {}
  ~Mesh() { left_[me_].store(1, std::memory_order_seq_cst); }
  Mesh(const Mesh&) = delete;
  Mesh& operator=(const Mesh&) = delete;

  int socket(uint32_t rank) const noexcept { return sockets_[rank]->get(); }
  // True when the process of a rank is gone, or has left the group and all that came of it.
  bool closed(uint32_t rank) const noexcept;
  // True when it is the latter.
  bool left(uint32_t rank) const noexcept {
    return left_[rank].load(std::memory_order_seq_cst) != 0;
  }

  // So many bytes go with a name at most.
  static constexpr size_t kBytesMost = 128;
  // False when the other end is gone.
  bool send(uint32_t rank, const MeshName& name, std::span<const unsigned char> bytes,
            std::span<const int> fds);
  // What a rank sends to this one under a name, which is left out. The groups that came of one
  // another share these sockets: what another of them waits for is kept for it.
  Received receive(uint32_t rank, const MeshName& name, const Deadline& deadline, Message* message);

 private:
  struct Kept {
    uint32_t rank;
    Message message;
  };
  const uint32_t me_;
  const Left left_;
  std::vector<std::unique_ptr<Descriptor>> sockets_;
  std::mutex mutex_;  // of what is kept, and of receiving
  std::vector<Kept> kept_;
};

// A socket between each two of so many ranks: those of each one, in the order of the others.
std::vector<std::vector<std::unique_ptr<Descriptor>>> connect_ranks(uint32_t size);

// One message with descriptors, through a socket that keeps messages apart. False when the other
// end is gone; throws IO for other failures.
bool send_message(int socket, std::span<const unsigned char> bytes, std::span<const int> fds);

Received receive_message(int socket, size_t bytes_max, const Deadline& deadline, Message* message);

// IO for a message that was cut.
void require_uncut(const Message& message);

// Waits until a socket can be read or is closed; false on time-out, CANCELLED when interrupted.
bool wait_readable(std::span<const int> sockets, const Deadline& deadline);

// "" when the process at the other end is this user's.
std::string distrust_peer(int socket);

}  // namespace netcl::group
