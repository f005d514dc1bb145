#include "store/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/error.hpp"
#include "core/file.hpp"
#include "core/new_file.hpp"
#include "core/wait.hpp"

namespace netcl::store {

namespace {

constexpr char kFileName[] = "tuning-1.jsonl";

// Records are objects of JSON. One damaged line is no reason to lose the others, but a file without
// any such line is somebody else's, and nothing must be appended to it.
bool resembles_journal(std::string_view text) {
  bool resembles = text.empty();
  for_each_line(text, [&](std::string_view line) { resembles |= line.front() == '{'; });
  return resembles;
}

}  // namespace

// Held by the one process that writes. The kernel releases it when the process dies.
class Journal::Lock {
 public:
  Lock(const Journal& journal, int directory)
      : file_(open_at(directory, (journal.name_ + ".lock").c_str(), O_RDWR | O_CREAT | O_NONBLOCK,
                      0600)) {
    if (file_.get() < 0) journal.give_up("lock", errno);
    const Deadline deadline(kLockWaitNs);
    long step_ns = 200000;
    while (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) {
      // File systems without locks: the single write of a line still keeps lines whole.
      if (errno != EWOULDBLOCK && errno != EINTR) return;
      if (deadline.passed()) {
        fail(NETCL_ERROR_TIMEOUT, "another process has held the lock of %s for %llu seconds",
             journal.path().c_str(), static_cast<unsigned long long>(kLockWaitNs / 1000000000));
      }
      const struct timespec pause = {0, step_ns};
      ::nanosleep(&pause, nullptr);
      step_ns = std::min(step_ns * 2, 10000000L);
    }
    held_ = true;
  }
  ~Lock() {
    // By name: a child of a fork shares the lock and would keep it when it were only closed here.
    if (held_) ::flock(file_.get(), LOCK_UN);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  Descriptor file_;
  bool held_ = false;
};

Journal::Journal(const char* path) {
  if (path == nullptr || path[0] == '\0') {
    strict_ = true;
    name_ = kFileName;
    directory_ = choose_cache_directory(nullptr, &off_reason_);
    if (directory_.empty()) return;
    const Descriptor opened(open_cache_directory(directory_, &off_reason_));
    if (opened.get() >= 0) off_reason_.clear();
    return;
  }
  const std::string text = path;
  if (text == kMemory) {
    off_reason_ = "it lives in memory";
    return;
  }
  const size_t slash = text.rfind('/');
  name_ = slash == std::string::npos ? text : text.substr(slash + 1);
  directory_ = slash == std::string::npos ? "." : text.substr(0, slash + 1);
  if (name_.empty() || name_ == "." || name_ == "..") {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "path is %s, which names no file",
         quoted(path, 300).c_str());
  }
}

Journal Journal::without(std::string reason) {
  Journal none;
  none.off_reason_ = std::move(reason);
  return none;
}

std::string Journal::path() const {
  if (!enabled()) return std::string();
  if (directory_ == ".") return name_;
  return directory_ + (directory_.back() == '/' ? "" : "/") + name_;
}

void Journal::give_up(const char* action, int error) const {
  fail(NETCL_ERROR_IO, "cannot %s %s: %s", action, quoted(path().c_str(), 300).c_str(),
       error == ELOOP ? "it is a symbolic link" : errno_text(error).c_str());
}

// Opened anew for each operation, so that no descriptor outlives a call, a fork or an exec.
int Journal::open_directory() const {
  std::string reason;
  if (strict_) {
    const int opened = open_cache_directory(directory_, &reason);
    if (opened < 0) fail(NETCL_ERROR_IO, "cannot use %s: %s", path().c_str(), reason.c_str());
    return opened;
  }
  const int opened = ::open(directory_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) give_up("open the directory of", errno);
  return opened;
}

// -1 when there is no file and `flags` do not make one.
int Journal::open_file(int directory, int flags) const {
  // O_NONBLOCK: opening a pipe somebody put there must not wait.
  Descriptor file(open_at(directory, name_.c_str(), flags | O_NONBLOCK, 0600));
  if (file.get() < 0) {
    if (errno == ENOENT) return -1;
    give_up("open", errno);
  }
  struct stat facts;
  if (::fstat(file.get(), &facts) != 0) give_up("open", errno);
  const std::string doubt = distrust_file(facts);
  if (!doubt.empty()) {
    fail(NETCL_ERROR_IO, "cannot use %s: %s", quoted(path().c_str(), 300).c_str(), doubt.c_str());
  }
  if (static_cast<uint64_t>(facts.st_size) > kBytesMost) {
    fail(NETCL_ERROR_IO, "%s has %lld bytes; the limit is %llu", path().c_str(),
         static_cast<long long>(facts.st_size), static_cast<unsigned long long>(kBytesMost));
  }
  return file.take();
}

std::string Journal::read(Position* position, bool* restarted) const {
  const Descriptor directory(open_directory());
  const Descriptor file(open_file(directory.get(), O_RDONLY));
  *restarted = false;
  struct stat facts = {};
  if (file.get() >= 0 && ::fstat(file.get(), &facts) != 0) give_up("read", errno);
  const uint64_t size = file.get() >= 0 ? static_cast<uint64_t>(facts.st_size) : 0;
  if (position->inode != facts.st_ino || position->device != facts.st_dev ||
      position->offset > size) {
    *restarted = position->offset > 0;
    *position = {facts.st_dev, facts.st_ino, 0};
  }
  if (size == position->offset) return std::string();
  std::string bytes(static_cast<size_t>(size - position->offset), '\0');
  const int error = read_exactly(file.get(), bytes.data(), bytes.size(), position->offset);
  if (error != 0) give_up("read", error > 0 ? error : EIO);
  // What follows the last line end is torn, or still being written.
  bytes.resize(bytes.rfind('\n') == std::string::npos ? 0 : bytes.rfind('\n') + 1);
  if (position->offset == 0 && !resembles_journal(bytes)) {
    fail(NETCL_ERROR_CORRUPT_DATA, "%s is no tuning database: none of its lines is a record",
         quoted(path().c_str(), 300).c_str());
  }
  position->offset += bytes.size();
  return bytes;
}

void Journal::append(const std::vector<std::string>& lines) const {
  const Descriptor directory(open_directory());
  const Lock lock(*this, directory.get());
  const Descriptor file(open_file(directory.get(), O_RDWR | O_APPEND | O_CREAT));
  struct stat facts;
  if (::fstat(file.get(), &facts) != 0) give_up("write", errno);
  std::string text;
  char last = '\n';
  if (facts.st_size > 0) {
    read_exactly(file.get(), &last, 1, static_cast<uint64_t>(facts.st_size) - 1);
  }
  // Somebody died while writing: the torn line is closed off, so that it spoils no other.
  if (last != '\n') text += '\n';
  for (const std::string& line : lines) text += line + '\n';
  if (static_cast<uint64_t>(facts.st_size) + text.size() > kBytesMost) {
    fail(NETCL_ERROR_IO, "%s would have more than %llu bytes; compact it", path().c_str(),
         static_cast<unsigned long long>(kBytesMost));
  }
  const int error = write_exactly(file.get(), text.data(), text.size());
  if (error != 0) give_up("write", error);
}

void Journal::replace(const std::function<std::string(std::string_view)>& make) const {
  const Descriptor directory(open_directory());
  const Lock lock(*this, directory.get());
  std::string old;
  {
    const Descriptor file(open_file(directory.get(), O_RDONLY));
    struct stat facts = {};
    if (file.get() >= 0) {
      if (::fstat(file.get(), &facts) != 0) give_up("read", errno);
      old.resize(static_cast<size_t>(facts.st_size));
      const int error = read_exactly(file.get(), old.data(), old.size(), 0);
      if (error != 0) give_up("read", error > 0 ? error : EIO);
    }
  }
  const std::string text = make(old);
  // One name is enough: only the holder of the lock writes it, and what a killed one left is
  // removed here.
  const std::string temporary = name_ + ".new";
  ::unlinkat(directory.get(), temporary.c_str(), 0);
  NewFile file(directory.get(), temporary, 0600);
  if (file.get() < 0) give_up("write the successor of", file.error());
  int error = write_exactly(file.get(), text.data(), text.size());
  if (error == 0) error = sync_file(file.get());
  if (error == 0) error = file.finish();
  if (error == 0) error = file.move_to(name_.c_str());
  if (error != 0) give_up("replace", error);
}

void for_each_line(std::string_view text, const std::function<void(std::string_view)>& visit) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace netcl::store
