#include "group/mesh.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/error.hpp"
#include "core/file.hpp"

namespace netcl::group {

// So many descriptors one message of the system can carry.
static constexpr size_t kDescriptorsMost = 253;

bool Mesh::closed(uint32_t rank) const noexcept {
  pollfd asked{socket(rank), 0, 0};
  return ::poll(&asked, 1, 0) > 0 && (asked.revents & (POLLHUP | POLLERR)) != 0;
}

bool Mesh::send(uint32_t rank, const MeshName& name, std::span<const unsigned char> bytes,
                std::span<const int> fds) {
  std::vector<unsigned char> all(sizeof name + bytes.size());
  std::memcpy(all.data(), &name, sizeof name);
  std::copy(bytes.begin(), bytes.end(), all.begin() + sizeof name);
  return send_message(socket(rank), all, fds);
}

Received Mesh::receive(uint32_t rank, const MeshName& name, const Deadline& deadline,
                       Message* message) {
  constexpr uint64_t kLookNs = 5000000;
  const auto named = [&](const Message& one) {
    return one.bytes.size() >= sizeof name &&
           std::memcmp(one.bytes.data(), &name, sizeof name) == 0;
  };
  const auto give = [&](Message& found) {
    found.bytes.erase(found.bytes.begin(), found.bytes.begin() + sizeof name);
    return Received::message;
  };
  for (;;) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) {
        return kept.rank == rank && named(kept.message);
      });
      if (found != kept_.end()) {
        *message = std::move(found->message);
        kept_.erase(found);
        return give(*message);
      }
      const Received received =
          receive_message(socket(rank), sizeof name + kBytesMost, Deadline(0), message);
      if (received == Received::closed) return received;
      if (received == Received::message) {
        if (named(*message)) return give(*message);
        kept_.push_back({rank, std::move(*message)});
        continue;
      }
    }
    // Another thread may take the message meanwhile, and keep it for this one.
    const int sockets[1] = {socket(rank)};
    (void)wait_readable(sockets, Deadline(std::min(kLookNs, deadline.left())));
    if (deadline.passed()) return Received::late;
  }
}

std::vector<std::vector<std::unique_ptr<Descriptor>>> connect_ranks(uint32_t size) {
  std::vector<std::vector<std::unique_ptr<Descriptor>>> sockets(size);
  for (auto& row : sockets) {
    for (uint32_t r = 0; r < size; ++r) row.push_back(std::make_unique<Descriptor>(-1));
  }
  for (uint32_t a = 0; a < size; ++a) {
    for (uint32_t b = a + 1; b < size; ++b) {
      int pair[2];
      if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
        fail(NETCL_ERROR_IO, "cannot make a socket for two ranks: %s", errno_text(errno).c_str());
      }
      sockets[a][b]->reset(pair[0]);
      sockets[b][a]->reset(pair[1]);
    }
  }
  return sockets;
}

bool send_message(int socket, std::span<const unsigned char> bytes, std::span<const int> fds) {
  iovec piece{const_cast<unsigned char*>(bytes.data()), bytes.size()};
  msghdr header{};
  header.msg_iov = &piece;
  header.msg_iovlen = 1;
  std::vector<unsigned char> control(fds.empty() ? 0 : CMSG_SPACE(fds.size_bytes()));
  if (!fds.empty()) {
    header.msg_control = control.data();
    header.msg_controllen = control.size();
    cmsghdr* const item = CMSG_FIRSTHDR(&header);
    item->cmsg_level = SOL_SOCKET;
    item->cmsg_type = SCM_RIGHTS;
    item->cmsg_len = CMSG_LEN(fds.size_bytes());
    std::memcpy(CMSG_DATA(item), fds.data(), fds.size_bytes());
  }
  ssize_t sent;
  do {
    sent = ::sendmsg(socket, &header, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  if (sent >= 0) return true;
  if (errno == EPIPE || errno == ECONNRESET) return false;
  fail(NETCL_ERROR_IO, "cannot send to another rank: %s", errno_text(errno).c_str());
}

bool wait_readable(std::span<const int> sockets, const Deadline& deadline) {
  std::vector<pollfd> asked;
  for (const int socket : sockets) asked.push_back({socket, POLLIN, 0});
  const WaitScope scope;
  for (;;) {
    // Short enough to notice interrupts.
    const int ms = static_cast<int>(std::min<uint64_t>(deadline.left() / 1000000 + 1, 10));
    const int found = ::poll(asked.data(), asked.size(), ms);
    if (scope.cancelled()) fail(NETCL_ERROR_CANCELLED, "the wait was interrupted by SIGINT");
    if (found > 0) return true;
    if (found < 0 && errno != EINTR) {
      fail(NETCL_ERROR_IO, "cannot wait for other ranks: %s", errno_text(errno).c_str());
    }
    if (deadline.passed()) return false;
  }
}

static void take_descriptors(msghdr* header, std::vector<std::unique_ptr<Descriptor>>* fds) {
  for (cmsghdr* item = CMSG_FIRSTHDR(header); item != nullptr; item = CMSG_NXTHDR(header, item)) {
    if (item->cmsg_level != SOL_SOCKET || item->cmsg_type != SCM_RIGHTS) continue;
    const size_t count = (item->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(item) + i * sizeof(int), sizeof fd);
      // There is room for all of them, so that none is lost open.
      (*fds)[i]->reset(fd);
    }
    fds->resize(count);
    return;
  }
  fds->clear();
}

Received receive_message(int socket, size_t bytes_max, const Deadline& deadline, Message* message) {
  // All memory is there before the system gives descriptors.
  message->bytes.resize(bytes_max);
  message->fds.clear();
  for (size_t i = 0; i < kDescriptorsMost; ++i) {
    message->fds.push_back(std::make_unique<Descriptor>(-1));
  }
  std::vector<unsigned char> control(CMSG_SPACE(kDescriptorsMost * sizeof(int)));
  const int sockets[1] = {socket};
  // Of a socket whose other end closed with something unread the system tells once, before it gives
  // what was sent.
  bool reset = false;
  for (;;) {
    if (!wait_readable(sockets, deadline)) return Received::late;
    iovec piece{message->bytes.data(), bytes_max};
    msghdr header{};
    header.msg_iov = &piece;
    header.msg_iovlen = 1;
    header.msg_control = control.data();
    header.msg_controllen = control.size();
    const ssize_t got = ::recvmsg(socket, &header, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got < 0 && errno == ECONNRESET && !reset) {
      reset = true;
      continue;
    }
    if (got < 0 && errno != ECONNRESET) {
      fail(NETCL_ERROR_IO, "cannot hear of another rank: %s", errno_text(errno).c_str());
    }
    if (got <= 0) return Received::closed;
    take_descriptors(&header, &message->fds);
    message->cut = (header.msg_flags & MSG_CTRUNC) != 0;
    if (message->cut) message->fds.clear();
    message->bytes.resize(static_cast<size_t>(got));
    return Received::message;
  }
}

void require_uncut(const Message& message) {
  if (!message.cut) return;
  fail(NETCL_ERROR_IO, "cannot take the descriptors of another rank: too many are open");
}

std::string distrust_peer(int socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) {
    return "its user is not known: " + errno_text(errno);
  }
  if (peer.uid == ::geteuid()) return std::string();
  return format("it belongs to user %lu", static_cast<unsigned long>(peer.uid));
}

}  // namespace netcl::group
