#include "tune/worker_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "core/error.hpp"
#include "core/file.hpp"
#include "core/log.hpp"

namespace netcl::tune {

namespace {

constexpr uint64_t kJsonMost = uint64_t{32} << 20;
constexpr uint64_t kLookNs = 20000000;     // between two looks at what may cancel a wait
constexpr uint64_t kReapNs = 2000000000;   // for a process that is dead to be gone
constexpr uint64_t kKillNs = 10000000000;  // for a process that was killed to be dead
constexpr size_t kLineBytes = 400;
constexpr size_t kDrainBytes = 65536;  // of its output between two looks at the time
constexpr int kWorkerSocket = 3;       // the descriptor that the worker finds
constexpr int kDescriptorLeast = 10;   // above all that the worker's own are moved to

// Moves a descriptor out of the way of those that the child gets under fixed numbers.
int moved_up(int fd) {
  const int moved = ::fcntl(fd, F_DUPFD_CLOEXEC, kDescriptorLeast);
  const int error = errno;
  ::close(fd);
  if (moved < 0) fail(NETCL_ERROR_IO, "no descriptor is left: %s", errno_text(error).c_str());
  return moved;
}

// The child's environment: this process's own, but for what belongs to one process only.
std::vector<std::string> child_environment(const std::string& folder) {
  std::vector<std::string> all;
  const auto begins = [](const char* entry, const char* name) {
    return ::strncmp(entry, name, ::strlen(name)) == 0;
  };
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    if (begins(*entry, "NETCL_TRACE=") || begins(*entry, "NETCL_WORKER=")) continue;
    if (!folder.empty() && begins(*entry, "TMPDIR=")) continue;
    all.emplace_back(*entry);
  }
  if (!folder.empty()) all.push_back("TMPDIR=" + folder);
  return all;
}

// posix_spawn's two objects, which have to be given back.
struct SpawnPlan {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  SpawnPlan() {
    if (::posix_spawn_file_actions_init(&actions) != 0) throw std::bad_alloc();
    if (::posix_spawnattr_init(&attributes) != 0) {
      ::posix_spawn_file_actions_destroy(&actions);
      throw std::bad_alloc();
    }
  }
  ~SpawnPlan() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
};

std::string signal_text(int number) {
  static constexpr struct {
    int number;
    const char* text;
  } kNames[] = {{SIGSEGV, "segmentation fault"}, {SIGABRT, "aborted"},
                {SIGBUS, "bus error"},           {SIGFPE, "arithmetic exception"},
                {SIGILL, "illegal instruction"}, {SIGKILL, "killed"},
                {SIGTERM, "terminated"},         {SIGTRAP, "trap"}};
  for (const auto& name : kNames) {
    if (name.number == number) return format("signal %d (%s)", number, name.text);
  }
  return format("signal %d", number);
}

}  // namespace

WorkerProcess::WorkerProcess(const Options& options) : id_(options.id), reader_(kJsonMost, 0) {
  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
    fail(NETCL_ERROR_IO, "a socket for the worker cannot be made: %s", errno_text(errno).c_str());
  }
  socket_.reset(sockets[0]);
  const Descriptor child_socket(moved_up(sockets[1]));
  int pipes[2];
  if (::pipe2(pipes, O_CLOEXEC) != 0) {
    fail(NETCL_ERROR_IO, "a pipe for the worker cannot be made: %s", errno_text(errno).c_str());
  }
  output_.reset(pipes[0]);
  const Descriptor child_output(moved_up(pipes[1]));
  ::fcntl(socket_.get(), F_SETFL, O_NONBLOCK);
  ::fcntl(output_.get(), F_SETFL, O_NONBLOCK);
  start(options, child_socket.get(), child_output.get());
}

void WorkerProcess::start(const Options& options, int child_socket, int child_output) {
  SpawnPlan plan;
  posix_spawn_file_actions_t* actions = &plan.actions;
  sigset_t none, all;
  ::sigemptyset(&none);
  ::sigfillset(&all);
  // A group of its own, so that a key in the terminal does not end it and all of it can be killed.
  bool good =
      ::posix_spawnattr_setflags(&plan.attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                                       POSIX_SPAWN_SETSIGDEF) == 0;
  good = good && ::posix_spawnattr_setpgroup(&plan.attributes, 0) == 0;
  good = good && ::posix_spawnattr_setsigmask(&plan.attributes, &none) == 0;
  good = good && ::posix_spawnattr_setsigdefault(&plan.attributes, &all) == 0;
  good = good && ::posix_spawn_file_actions_adddup2(actions, child_socket, kWorkerSocket) == 0;
  good = good && ::posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0) == 0;
  good = good && ::posix_spawn_file_actions_adddup2(actions, child_output, 1) == 0;
  good = good && ::posix_spawn_file_actions_adddup2(actions, child_output, 2) == 0;
  if (!good) throw std::bad_alloc();
  std::vector<std::string> texts = child_environment(options.folder);
  std::vector<char*> entries;
  for (std::string& text : texts) entries.push_back(text.data());
  entries.push_back(nullptr);
  std::string name = "netcl-worker", mode = "--serve", folder = options.folder;
  char* arguments[] = {name.data(), mode.data(), folder.empty() ? nullptr : folder.data(), nullptr};
  const int error = ::posix_spawn(&pid_, options.path.c_str(), actions, &plan.attributes, arguments,
                                  entries.data());
  if (error == 0) return;
  pid_ = -1;
  reaped_ = true;
  const bool passing = error == EAGAIN || error == ENOMEM || error == EMFILE || error == ENFILE;
  fail(passing ? NETCL_ERROR_IO : NETCL_ERROR_UNSUPPORTED, "the worker %s cannot be started: %s",
       quoted(options.path.c_str(), 300).c_str(), errno_text(error).c_str());
}

WorkerProcess::~WorkerProcess() { kill(); }

// Waits for the socket while the worker's output is taken away from it: it must not block on that.
WorkerProcess::Got WorkerProcess::wait(short events, const Deadline& deadline,
                                       const std::function<bool()>& cancelled) {
  const WaitScope scope;
  for (;;) {
    if (cancelled() || scope.cancelled()) return Got::cancelled;
    pollfd files[2] = {{socket_.get(), events, 0}, {output_.get(), POLLIN, 0}};
    const uint64_t pause = std::min(deadline.left(), kLookNs);
    const timespec limit{0, static_cast<long>(pause)};
    const int ready = ::ppoll(files, output_.get() < 0 ? 1 : 2, &limit, nullptr);
    if (ready < 0 && errno != EINTR) return Got::closed;
    if (ready > 0 && files[1].revents != 0) drain_output();
    if (ready > 0 && files[0].revents != 0) return Got::message;
    if (deadline.passed()) return Got::timeout;
  }
}

WorkerProcess::Got WorkerProcess::send(const Json& json,
                                       const std::vector<std::string_view>& pieces,
                                       const Deadline& deadline,
                                       const std::function<bool()>& cancelled) {
  const std::string text = json.dump();
  uint64_t blob_bytes = 0;
  for (const std::string_view piece : pieces) blob_bytes += piece.size();
  const std::string head = frame_header(text.size(), blob_bytes) + text;
  std::vector<std::string_view> parts{head};
  parts.insert(parts.end(), pieces.begin(), pieces.end());
  for (std::string_view part : parts) {
    while (!part.empty()) {
      const ssize_t sent = ::send(socket_.get(), part.data(), part.size(), MSG_NOSIGNAL);
      if (sent > 0) {
        part.remove_prefix(static_cast<size_t>(sent));
        continue;
      }
      if (errno == EINTR) continue;
      if (errno != EAGAIN && errno != EWOULDBLOCK) return Got::closed;
      const Got got = wait(POLLOUT, deadline, cancelled);
      if (got != Got::message) return got;
    }
  }
  return Got::message;
}

WorkerProcess::Got WorkerProcess::receive(Frame* frame, const Deadline& deadline,
                                          const std::function<bool()>& cancelled) {
  try {
    for (;;) {
      if (auto ready = reader_.take()) {
        *frame = std::move(*ready);
        return Got::message;
      }
      char piece[8192];
      const ssize_t size = ::recv(socket_.get(), piece, sizeof piece, 0);
      if (size > 0) {
        reader_.feed({piece, static_cast<size_t>(size)});
        // One that never stops sending comes to its end as well.
        if (deadline.passed()) return Got::timeout;
        continue;
      }
      if (size == 0) return Got::closed;
      if (errno == EINTR) continue;
      if (errno != EAGAIN && errno != EWOULDBLOCK) return Got::closed;
      const Got got = wait(POLLIN, deadline, cancelled);
      if (got != Got::message) return got;
    }
  } catch (const Error& error) {
    log_message(NETCL_LOG_WARNING, "worker %u: %s", id_, error.what());
    return Got::damaged;
  }
}

// Not for ever: a worker may write faster than this reads.
void WorkerProcess::drain_output() {
  char piece[4096];
  for (size_t taken = 0; taken < kDrainBytes; taken += sizeof piece) {
    const ssize_t size = ::read(output_.get(), piece, sizeof piece);
    if (size > 0) {
      log_output({piece, static_cast<size_t>(size)});
    } else if (size < 0 && errno == EINTR) {
      continue;
    } else {
      // At its end poll would find it ready for ever.
      if (size == 0) output_.reset(-1);
      return;
    }
  }
}

void WorkerProcess::log_output(std::string_view text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c != '\n') {
      if (line_.size() < kLineBytes) line_ += byte < ' ' || byte == 0x7f ? ' ' : c;
      continue;
    }
    if (line_.empty()) continue;
    log_message(NETCL_LOG_DEBUG, "worker %u: %s", id_, line_.c_str());
    last_line_ = std::move(line_);
    line_.clear();
  }
}

// True when nobody holds the other end of the socket any more, so the worker is dead or as good.
bool WorkerProcess::at_end() {
  char byte;
  for (;;) {
    const ssize_t size = ::recv(socket_.get(), &byte, 1, MSG_PEEK);
    if (size > 0) {
      // What it still had to say does not matter any more.
      char piece[4096];
      if (::recv(socket_.get(), piece, sizeof piece, 0) <= 0) return true;
      continue;
    }
    if (size < 0 && errno == EINTR) continue;
    return size == 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
  }
}

// Asks again and again instead of waiting: with SIGCHLD ignored a wait would take all children of
// the host, and the host may have taken this one already.
void WorkerProcess::reap(uint64_t patience_ns) {
  const Deadline deadline(patience_ns);
  while (!reaped_) {
    siginfo_t ended{};
    // Its number is its own until its status is taken, and so is its group: what a worker that
    // ended by itself has left there goes first.
    const bool known =
        ::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0;
    const bool over = known && ended.si_pid == pid_;
    if (over) ::kill(-pid_, SIGKILL);
    // One that ends only now is asked for once more: its group is still there.
    const pid_t got = known && !over ? 0 : ::waitpid(pid_, &status_, WNOHANG);
    if (got == pid_) {
      reaped_ = status_known_ = true;
    } else if (got < 0 && errno != EINTR) {
      reaped_ = true;
    } else if (deadline.passed()) {
      return;
    } else {
      const timespec pause{0, 1000000};
      ::nanosleep(&pause, nullptr);
    }
  }
}

void WorkerProcess::kill() {
  if (pid_ < 0 || reaped_) return;
  // As long as the worker has its end of the socket its number is its own; afterwards the number
  // may belong to somebody else, unless it still waits for this process to take its status.
  if (!at_end()) {
    killed_ = true;
    ::kill(-pid_, SIGKILL);
    reap(kKillNs);
  } else {
    reap(kReapNs);
    if (!reaped_) {
      killed_ = true;
      ::kill(-pid_, SIGKILL);
      reap(kKillNs);
    }
  }
  if (!reaped_) {
    log_message(NETCL_LOG_WARNING, "worker %u (process %ld) does not end", id_,
                static_cast<long>(pid_));
    reaped_ = true;
  }
  if (output_.get() >= 0) drain_output();
  if (!line_.empty()) log_output("\n");
}

std::string WorkerProcess::ending() const {
  std::string text = "how is not known, as the program takes the status of its children";
  if (killed_) {
    text = "killed";
  } else if (status_known_ && WIFSIGNALED(status_)) {
    text = signal_text(WTERMSIG(status_));
  } else if (status_known_) {
    text = format("exit code %d", WEXITSTATUS(status_));
  }
  return last_line_.empty() ? text : text + "; its last words: " + last_line_;
}

}  // namespace netcl::tune
