#include "core/new_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "core/file.hpp"

namespace netcl {

// Temporary names are tried again this often when one exists already.
static constexpr int kNameAttempts = 64;
static constexpr size_t kNumberMost = 12;

static int open_new(int directory, const char* name, int flags, mode_t mode) noexcept {
  int fd;
  do {
    fd = ::openat(directory, name, flags | O_CLOEXEC, mode);
  } while (fd < 0 && errno == EINTR);
  if (fd >= 0) (void)::flock(fd, LOCK_EX | LOCK_NB);
  return fd;
}

// What refuses such a file, with whichever error, is asked for one with a name, whose error counts.
// It is readable too, in case that it has to be copied.
NewFile::NewFile(int directory, std::string temporary, mode_t mode)
    : directory_(directory), name_(std::move(temporary)), base_(name_.size()) {
  name_.reserve(base_ + kNumberMost);
  fd_ = open_new(directory_, ".", O_RDWR | O_TMPFILE, mode);
  if (fd_ < 0) error_ = open_named(mode);
}

// Calls make(), which gives 0 or an errno value, until the name is not taken.
template <typename Make>
int NewFile::with_free_name(const Make& make) noexcept {
  int error = EEXIST;
  for (int attempt = 0; attempt < kNameAttempts && error == EEXIST; ++attempt) {
    char number[kNumberMost] = "";
    if (attempt > 0) std::snprintf(number, sizeof number, "-%d", attempt);
    name_.resize(base_);
    name_ += number;
    error = make();
  }
  named_ = error == 0;
  return error;
}

int NewFile::open_named(mode_t mode) noexcept {
  return with_free_name([&] {
    fd_ = open_new(directory_, name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
    return fd_ >= 0 ? 0 : errno;
  });
}

int NewFile::give_name() noexcept {
  char self[32];
  std::snprintf(self, sizeof self, "/proc/self/fd/%d", fd_);
  return with_free_name([&] {
    return ::linkat(AT_FDCWD, self, directory_, name_.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
  });
}

// For where a file may be made without a name and not be given one: no /proc, or no links.
int NewFile::copy_to_named() noexcept {
  const int from = fd_;
  struct stat facts;
  int error = ::fstat(from, &facts) == 0 ? open_named(0600) : errno;
  if (error == 0 && ::fchmod(fd_, facts.st_mode & 07777) != 0) error = errno;
  char piece[8192];
  const auto size = static_cast<uint64_t>(error == 0 ? facts.st_size : 0);
  for (uint64_t at = 0; error == 0 && at < size; at += sizeof piece) {
    const auto count = static_cast<size_t>(size - at < sizeof piece ? size - at : sizeof piece);
    error = read_exactly(from, piece, count, at);
    if (error == 0) error = write_exactly(fd_, piece, count);
  }
  if (error == 0) error = sync_file(fd_);
  ::close(from);
  if (!named_) fd_ = -1;
  return error < 0 ? EIO : error;
}

int NewFile::finish() noexcept {
  int error = named_ || give_name() == 0 ? 0 : copy_to_named();
  // Some network file systems report a failed write only here.
  if (error == 0) {
    if (::close(fd_) != 0 && errno != EINTR) error = errno;
    fd_ = -1;
  }
  if (error != 0) discard();
  return error;
}

int NewFile::move_to(const char* name) noexcept {
  const bool moved = ::renameat(directory_, name_.c_str(), directory_, name) == 0;
  const int error = moved ? 0 : errno;
  if (moved) named_ = false;
  discard();
  return error;
}

void NewFile::discard() noexcept {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
  if (named_) ::unlinkat(directory_, name_.c_str(), 0);
  named_ = false;
}

}  // namespace netcl
