#include "device/device_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <optional>

#include "core/cache_directory.hpp"
#include "core/environment.hpp"
#include "core/file.hpp"
#include "core/hash.hpp"
#include "core/log.hpp"

namespace netcl {

namespace {

constexpr long kPollNs = 10000000;

// Names a device in every process alike: by its number where it has one of its own.
std::string device_key(const Device& device) {
  const netcl_device_info& info = device.info();
  std::string key = format("%s\n%s\n", info.platform_name, device.part().c_str());
  if (info.has_uuid != 0) {
    key.append(reinterpret_cast<const char*>(info.uuid), sizeof info.uuid);
  } else if (info.device_index != UINT32_MAX) {
    key += format("%u", info.device_index);
  }
  return key;
}

// What a lock file holds: the number of the process that had it last, "" when nobody had it yet.
// Nothing for a file that is something else.
std::optional<std::string> holder_of(int fd) {
  char text[32] = {};
  const ssize_t size = ::pread(fd, text, sizeof text - 1, 0);
  if (size < 0 || size == sizeof text - 1) return std::nullopt;
  for (ssize_t i = 0; i < size; ++i) {
    if (text[i] < '0' || text[i] > '9') return std::nullopt;
  }
  return text;
}

std::string holder_text(int fd) {
  const std::optional<std::string> holder = holder_of(fd);
  return holder && !holder->empty() ? "process " + *holder : "another process";
}

}  // namespace

DeviceLock::DeviceLock(const Device& device, const std::string& path) : path_(path) {
  if (!path_.empty()) return;
  std::string reason;
  directory_ = choose_cache_directory(environment().cache_dir.c_str(), &reason);
  if (directory_.empty()) {
    log_message(NETCL_LOG_INFO, "no lock is taken on device %s: %s", device.info().name,
                reason.c_str());
    return;
  }
  directory_ += "/locks";
  name_ = hex_text(hash128(device_key(device))) + ".lock";
  path_ = directory_ + "/" + name_;
}

// The file of the descriptor; a lock file is never removed, or two users could hold different ones.
int DeviceLock::open_file() {
  int fd = -1;
  std::string reason;
  if (directory_.empty()) {
    fd = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (fd < 0) reason = errno_text(errno);
  } else {
    const Descriptor directory(open_cache_directory(directory_, &reason));
    if (directory.get() >= 0) {
      fd = open_at(directory.get(), name_.c_str(), O_RDWR | O_CREAT | O_NONBLOCK, 0600);
      if (fd < 0) reason = errno_text(errno);
    }
  }
  struct stat facts;
  if (fd >= 0 && (::fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode))) {
    ::close(fd);
    fd = -1;
    reason = "it is no file";
  }
  // It is about to be written.
  if (fd >= 0 && !holder_of(fd)) {
    ::close(fd);
    fd = -1;
    reason = "it holds something and is no lock";
  }
  if (fd < 0) {
    fail(NETCL_ERROR_IO, "the device lock %s cannot be opened: %s",
         quoted(path_.c_str(), 300).c_str(), reason.c_str());
  }
  return fd;
}

bool DeviceLock::acquire(const Deadline& deadline, const std::function<bool()>& cancelled) {
  if (path_.empty() || held()) return true;
  Descriptor file(open_file());
  while (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    const int error = errno;
    if (error != EWOULDBLOCK && error != EINTR) {
      fail(NETCL_ERROR_IO, "the device lock %s cannot be taken: %s",
           quoted(path_.c_str(), 300).c_str(), errno_text(error).c_str());
    }
    if (cancelled()) return false;
    if (deadline.passed()) {
      fail(NETCL_ERROR_BUSY, "the device is in use by %s, which holds %s",
           holder_text(file.get()).c_str(), quoted(path_.c_str(), 300).c_str());
    }
    const timespec pause{0, kPollNs};
    ::nanosleep(&pause, nullptr);
  }
  // For the messages of those who wait; nothing depends on it.
  const std::string holder = format("%ld", static_cast<long>(::getpid()));
  if (::ftruncate(file.get(), 0) == 0) (void)write_at(file.get(), holder, 0);
  fd_ = file.take();
  return true;
}

void DeviceLock::release() noexcept {
  if (fd_ < 0) return;
  // By name and not by closing: a child that was forked meanwhile shares the open file.
  (void)::flock(fd_, LOCK_UN);
  ::close(fd_);
  fd_ = -1;
}

}  // namespace netcl
