#include "group/rendezvous.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/error.hpp"
#include "core/file.hpp"

namespace netcl::group {

namespace {

constexpr uint32_t kMagic = 0x6e636c67;
// Changes with whatever processes share: messages and the layout of memory.
constexpr uint32_t kVersion = 6;
constexpr uint64_t kHearsFirst = 100000000;
constexpr uint64_t kLateComers = 1000000000;

// What a rank says when it comes, and what it gets: the answer, then the devices of all ranks.
struct Hello {
  uint32_t magic = kMagic;
  uint32_t version = kVersion;
  uint32_t rank = 0;
  uint32_t size = 0;
  netcl_group_transport wanted = 0;
  uint32_t reserved = 0;
  uint64_t left_ns = 0;  // that this rank still waits
  netcl_device_info device = NETCL_DEVICE_INFO_INIT;
};
struct Answer {
  netcl_status status = NETCL_OK;
  uint32_t size = 0;
  char message[504] = {};
};

template <class T>
std::span<const unsigned char> bytes_of(const T& value) {
  return {reinterpret_cast<const unsigned char*>(&value), sizeof value};
}

// The place in the file system, whose folder is this user's alone.
class Place {
 public:
  explicit Place(const std::string& path) : path_(path) {
    const size_t slash = path.rfind('/');
    name_ = path.substr(slash + 1);
    std::string reason;
    folder_.reset(open_cache_directory(path.substr(0, slash + 1), &reason));
    if (folder_.get() < 0) give_up(reason);
  }
  // Removes the socket that listen() made.
  ~Place() { remove(); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  void remove() noexcept {
    struct stat facts;
    if (made_ != 0 && ::fstatat(folder_.get(), name_.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
        facts.st_ino == made_) {
      ::unlinkat(folder_.get(), name_.c_str(), 0);
    }
    made_ = 0;
  }

  int listen(int waiting) {
    Descriptor socket(new_socket());
    const sockaddr_un address = address_of();
    // Two that come as rank 0 would take each other's socket for one that was left.
    const Descriptor turn(take_turn());
    int error = try_bind(socket.get(), address);
    // What a process left that was killed is taken away; one that still listens is not.
    if (error == EADDRINUSE && is_socket() && !answers(address)) {
      ::unlinkat(folder_.get(), name_.c_str(), 0);
      error = try_bind(socket.get(), address);
    }
    if (error == EADDRINUSE) {
      fail(NETCL_ERROR_BUSY, "%s is there already: another group meets there, or it is no socket",
           quoted(path_.c_str(), 300).c_str());
    }
    if (error != 0) give_up("cannot make a socket: " + errno_text(error));
    struct stat facts;
    if (::fstatat(folder_.get(), name_.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0) {
      made_ = facts.st_ino;
    }
    if (::listen(socket.get(), waiting) != 0) give_up("cannot listen: " + errno_text(errno));
    return socket.take();
  }

  // A connection to rank 0, -1 while there is nobody.
  int connect() {
    if (!is_socket()) return -1;
    // Where many wait to be let in, connecting to a rank 0 that is held up would wait as well.
    Descriptor socket(new_socket(SOCK_NONBLOCK));
    const sockaddr_un address = address_of();
    if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      if (errno == ECONNREFUSED || errno == ENOENT || errno == EAGAIN || errno == EINTR) return -1;
      give_up("cannot connect: " + errno_text(errno));
    }
    if (const std::string doubt = distrust_peer(socket.get()); !doubt.empty()) give_up(doubt);
    if (::fcntl(socket.get(), F_SETFL, 0) != 0) give_up("cannot connect: " + errno_text(errno));
    return socket.take();
  }

  [[noreturn]] void give_up(const std::string& reason) const {
    fail(NETCL_ERROR_IO, "no group can meet at %s: %s", quoted(path_.c_str(), 300).c_str(),
         reason.c_str());
  }

 private:
  int new_socket(int flags = 0) const {
    const int fd = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | flags, 0);
    if (fd < 0) give_up("cannot make a socket: " + errno_text(errno));
    return fd;
  }
  // By way of the folder that was checked.
  sockaddr_un address_of() const {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string text = format("/proc/self/fd/%d/%s", folder_.get(), name_.c_str());
    if (text.size() >= sizeof address.sun_path) give_up("its name is too long");
    std::memcpy(address.sun_path, text.c_str(), text.size() + 1);
    return address;
  }
  static int try_bind(int socket, const sockaddr_un& address) noexcept {
    return ::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? 0
                                                                                            : errno;
  }
  bool is_socket() const {
    struct stat facts;
    if (::fstatat(folder_.get(), name_.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) return false;
    if (!S_ISSOCK(facts.st_mode)) give_up("it is there and is no socket");
    if (facts.st_uid != ::geteuid()) {
      give_up(format("it belongs to user %lu", static_cast<unsigned long>(facts.st_uid)));
    }
    return true;
  }
  // A lock on the folder, for as long as the descriptor is open.
  int take_turn() const {
    Descriptor turn(::openat(folder_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (turn.get() < 0) give_up("cannot open its folder: " + errno_text(errno));
    const Deadline deadline(uint64_t{1} << 30);
    while (::flock(turn.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK && errno != EINTR) {
        give_up("cannot lock its folder: " + errno_text(errno));
      }
      if (deadline.passed())
        fail(NETCL_ERROR_BUSY, "another group is being made beside %s",
             quoted(path_.c_str(), 300).c_str());
      (void)wait_readable({}, Deadline(2000000));
    }
    return turn.take();
  }
  bool answers(const sockaddr_un& address) const {
    const Descriptor probe(new_socket(SOCK_NONBLOCK));
    return ::connect(probe.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) ==
               0 ||
           errno != ECONNREFUSED;
  }

  const std::string path_;
  std::string name_;
  Descriptor folder_{-1};
  ino_t made_ = 0;  // 0: no socket was made
};

// Rank 0: gathers the others and tells them how it ended.
class Host {
 public:
  Host(uint32_t size, netcl_group_transport wanted, const netcl_device_info& device,
       uint64_t timeout_ns)
      : size_(size), wanted_(wanted), deadline_(timeout_ns), devices_(size) {
    for (uint32_t r = 0; r < size; ++r) guests_.push_back(std::make_unique<Descriptor>(-1));
    devices_[0] = device;
  }

  Meeting run(Place* place, uint64_t timeout_ns) {
    const Descriptor listener(place->listen(static_cast<int>(size_)));
    try {
      while (missing() != 0) {
        std::vector<int> sockets{listener.get()};
        for (const auto& guest : guests_) sockets.push_back(guest->get());
        if (!wait_readable(sockets, deadline_) || deadline_.passed()) fail_missing(timeout_ns);
        refuse_departed();
        accept_one(listener.get());
      }
      place->remove();
      return seat_all();
    } catch (...) {
      const Error error = caught_error();
      Answer answer{error.status(), size_, {}};
      copy_text(answer.message, sizeof answer.message, error.message());
      for (const auto& guest : guests_) tell(guest->get(), answer, {});
      if (error.status() == NETCL_ERROR_RANK_LOST) tell_late(listener.get(), answer);
      // Those at the door hear of it too.
      place->remove();
      for (Descriptor guest(accept_at(listener.get())); guest.get() >= 0;
           guest.reset(accept_at(listener.get()))) {
        tell(guest.get(), answer, {});
      }
      throw;
    }
  }

 private:
  static void copy_text(char* to, size_t capacity, const std::string& text) {
    const size_t count = std::min(text.size(), capacity - 1);
    std::memcpy(to, text.c_str(), count);
    to[count] = '\0';
  }

  uint32_t missing() const {
    uint32_t count = 0;
    for (uint32_t r = 1; r < size_; ++r) count += guests_[r]->get() < 0 ? 1 : 0;
    return count;
  }

  [[noreturn]] void fail_missing(uint64_t timeout_ns) const {
    std::string names;
    for (uint32_t r = 1; r < size_; ++r) {
      if (guests_[r]->get() < 0) names += format("%s%u", names.empty() ? "" : ", ", r);
    }
    fail(NETCL_ERROR_TIMEOUT, "rank%s %s of the group did not come within %llu ms",
         missing() > 1 ? "s" : "", names.c_str(),
         static_cast<unsigned long long>(timeout_ns / 1000000));
  }

  // Ranks that were on their way when another died would look for this one until their time is
  // over.
  void tell_late(int listener, const Answer& answer) {
    deadline_ = Deadline(std::min(deadline_.left(), kLateComers));
    const int sockets[1] = {listener};
    while (missing() != 0 && wait_readable(sockets, deadline_) && !deadline_.passed()) {
      std::vector<bool> there;
      for (const auto& guest : guests_) there.push_back(guest->get() >= 0);
      try {
        accept_one(listener);
      } catch (const Error&) {
        // It was told what is wrong with it.
      }
      for (uint32_t r = 1; r < size_; ++r) {
        if (!there[r]) tell(guests_[r]->get(), answer, {});
      }
    }
  }

  // A rank that has come says nothing more, so what can be read of it is its end.
  void refuse_departed() const {
    for (uint32_t r = 1; r < size_; ++r) {
      pollfd asked{guests_[r]->get(), POLLIN, 0};
      if (asked.fd < 0 || ::poll(&asked, 1, 0) <= 0) continue;
      fail(NETCL_ERROR_RANK_LOST, "rank %u died, or gave up, before the group was complete", r);
    }
  }

  // The next who has come, -1 for nobody.
  static int accept_at(int listener) noexcept {
    pollfd asked{listener, POLLIN, 0};
    if (::poll(&asked, 1, 0) > 0) return ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    errno = EAGAIN;
    return -1;
  }

  void accept_one(int listener) {
    auto guest = std::make_unique<Descriptor>(accept_at(listener));
    if (guest->get() < 0) {
      if (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED) return;
      fail(NETCL_ERROR_IO, "rank 0 cannot let another rank in: %s", errno_text(errno).c_str());
    }
    // Others may connect where the folder lets them through; nobody has to know why they fail.
    if (!distrust_peer(guest->get()).empty()) return;
    Message message;
    const Received received = receive_message(guest->get(), sizeof(Hello) + 1, deadline_, &message);
    if (received != Received::message) return;
    Hello hello;
    if (message.bytes.size() != sizeof hello) refuse(*guest, "is of another version of netcl");
    std::memcpy(&hello, message.bytes.data(), sizeof hello);
    if (hello.magic != kMagic || hello.version != kVersion) {
      refuse(*guest, "is of another version of netcl");
    }
    if (hello.size != size_) {
      refuse(*guest, format("gives size %u; rank 0 gives %u", hello.size, size_));
    }
    if (hello.wanted != wanted_) {
      refuse(*guest, format("has options->transport %d; rank 0 has %d", hello.wanted, wanted_));
    }
    if (hello.rank == 0 || hello.rank >= size_ || guests_[hello.rank]->get() >= 0) {
      refuse(*guest, format("is rank %u, who is here already", hello.rank));
    }
    // All hear who did not come before the first of them stops waiting.
    const uint64_t left = hello.left_ns - std::min(hello.left_ns / 16, kHearsFirst);
    if (left < deadline_.left()) deadline_ = Deadline(left);
    devices_[hello.rank] = hello.device;
    guests_[hello.rank] = std::move(guest);
  }

  // What is wrong with one is wrong with the group, so all hear of it.
  [[noreturn]] void refuse(const Descriptor& guest, const std::string& reason) const {
    const std::string text = "a process that comes to the group " + reason;
    Answer answer{NETCL_ERROR_INVALID_ARGUMENT, size_, {}};
    copy_text(answer.message, sizeof answer.message, text);
    tell(guest.get(), answer, {});
    fail(NETCL_ERROR_INVALID_ARGUMENT, text);
  }

  void tell(int guest, const Answer& answer, std::span<const int> fds) const {
    if (guest < 0) return;
    std::vector<unsigned char> bytes(sizeof answer + size_ * sizeof(netcl_device_info));
    std::memcpy(bytes.data(), &answer, sizeof answer);
    std::memcpy(bytes.data() + sizeof answer, devices_.data(), size_ * sizeof(netcl_device_info));
    // One that is gone is found out by the next call of the group.
    (void)send_message(guest, bytes, fds);
  }

  Meeting seat_all() {
    Meeting meeting;
    Descriptor memory(-1);
    meeting.segment = std::make_shared<Segment>(size_, &memory);
    std::vector<std::vector<std::unique_ptr<Descriptor>>> sockets = connect_ranks(size_);
    for (uint32_t r = 1; r < size_; ++r) {
      std::vector<int> fds{memory.get()};
      for (uint32_t other = 0; other < size_; ++other) {
        if (other != r) fds.push_back(sockets[r][other]->get());
      }
      tell(guests_[r]->get(), {NETCL_OK, size_, {}}, fds);
    }
    meeting.mesh = std::make_shared<Mesh>(std::move(sockets[0]), 0, Segment::left(meeting.segment));
    meeting.devices = devices_;
    return meeting;
  }

  const uint32_t size_;
  const netcl_group_transport wanted_;
  Deadline deadline_;
  std::vector<netcl_device_info> devices_;
  std::vector<std::unique_ptr<Descriptor>> guests_;
};

Descriptor find_host(Place* place, const Deadline& deadline, uint64_t timeout_ns) {
  for (;;) {
    if (const int socket = place->connect(); socket >= 0) return Descriptor(socket);
    if (deadline.passed()) {
      fail(NETCL_ERROR_TIMEOUT, "rank 0 of the group did not come within %llu ms",
           static_cast<unsigned long long>(timeout_ns / 1000000));
    }
    (void)wait_readable({}, Deadline(2000000));
  }
}

Meeting visit(Place* place, Hello hello, uint64_t timeout_ns) {
  const Deadline deadline(timeout_ns);
  const Descriptor socket = find_host(place, deadline, timeout_ns);
  // A rank 0 that refuses the group may have answered and gone before it reads.
  hello.left_ns = deadline.left();
  (void)send_message(socket.get(), bytes_of(hello), {});
  Message message;
  const size_t most = sizeof(Answer) + hello.size * sizeof(netcl_device_info);
  const Received received = receive_message(socket.get(), most, deadline, &message);
  if (received == Received::late) {
    fail(NETCL_ERROR_TIMEOUT, "the group was not complete within %llu ms; rank 0 waits for others",
         static_cast<unsigned long long>(timeout_ns / 1000000));
  }
  Answer answer;
  if (received == Received::closed || message.bytes.size() < sizeof answer) {
    fail(NETCL_ERROR_RANK_LOST, "rank 0 of the group died before the group was complete");
  }
  std::memcpy(&answer, message.bytes.data(), sizeof answer);
  answer.message[sizeof answer.message - 1] = '\0';
  if (answer.status != NETCL_OK) fail(answer.status, std::string(answer.message));
  require_uncut(message);
  if (message.bytes.size() != most || message.fds.size() != hello.size) {
    fail(NETCL_ERROR_IO, "rank 0 of the group sent %zu bytes and %zu descriptors, not %zu and %u",
         message.bytes.size(), message.fds.size(), most, hello.size);
  }
  Meeting meeting;
  meeting.segment = std::make_shared<Segment>(hello.size, message.fds[0]->get());
  std::vector<std::unique_ptr<Descriptor>> sockets;
  for (uint32_t r = 0, next = 1; r < hello.size; ++r) {
    sockets.push_back(r == hello.rank ? std::make_unique<Descriptor>(-1)
                                      : std::move(message.fds[next++]));
  }
  meeting.mesh =
      std::make_shared<Mesh>(std::move(sockets), hello.rank, Segment::left(meeting.segment));
  meeting.devices.resize(hello.size);
  std::memcpy(meeting.devices.data(), message.bytes.data() + sizeof answer,
              hello.size * sizeof(netcl_device_info));
  return meeting;
}

}  // namespace

Meeting meet_at(const std::string& path, uint32_t rank, uint32_t size, netcl_group_transport wanted,
                const netcl_device_info& device, uint64_t timeout_ns) {
  Place place(path);
  if (rank == 0) return Host(size, wanted, device, timeout_ns).run(&place, timeout_ns);
  Hello hello;
  hello.rank = rank;
  hello.size = size;
  hello.wanted = wanted;
  hello.device = device;
  return visit(&place, hello, timeout_ns);
}

}  // namespace netcl::group
