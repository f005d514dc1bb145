#include "core/file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "core/error.hpp"
#include "core/plain_locale.hpp"
#include "core/write_signals.hpp"

namespace netcl {

// One transfer stays below 2 GiB, because the kernel moves no more in one call anyway.
static constexpr size_t kLargestTransfer = size_t{1} << 30;

// In English like all messages, whatever the host's locale is. To translate a text glibc opens
// files and allocates, and up to 2.36 crashes when it gets no memory.
std::string errno_text(int error) {
  const locale_t plain = plain_locale();
  return plain == nullptr ? format("error %d", error) : strerror_l(error, plain);
}

int read_exactly(int fd, void* data, size_t size, uint64_t offset) noexcept {
  char* next = static_cast<char*>(data);
  while (size > 0) {
    const size_t step = size < kLargestTransfer ? size : kLargestTransfer;
    const ssize_t got = ::pread(fd, next, step, static_cast<off_t>(offset));
    if (got < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    if (got == 0) return -1;
    next += got;
    offset += static_cast<uint64_t>(got);
    size -= static_cast<size_t>(got);
  }
  return 0;
}

int write_exactly(int fd, const void* data, size_t size) noexcept {
  const NoWriteSignals quiet;
  const char* next = static_cast<const char*>(data);
  while (size > 0) {
    const size_t step = size < kLargestTransfer ? size : kLargestTransfer;
    const ssize_t put = ::write(fd, next, step);
    if (put < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    // A write of 0 bytes would repeat for ever; devices that do this are full.
    if (put == 0) return ENOSPC;
    next += put;
    size -= static_cast<size_t>(put);
  }
  return 0;
}

int write_at(int fd, std::string_view text, uint64_t position) noexcept {
  const NoWriteSignals quiet;
  while (!text.empty()) {
    const ssize_t count = ::pwrite(fd, text.data(), text.size(), static_cast<off_t>(position));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count < 0 ? errno : ENOSPC;
    text.remove_prefix(static_cast<size_t>(count));
    position += static_cast<uint64_t>(count);
  }
  return 0;
}

int sync_file(int fd) noexcept {
  while (::fsync(fd) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

static int open_retrying(const char* path, int flags, mode_t mode) noexcept {
  int fd;
  do {
    fd = ::open(path, flags | O_CLOEXEC, mode);
  } while (fd < 0 && errno == EINTR);
  return fd;
}

static void check_path(const char* path) {
  if (path == nullptr) fail(NETCL_ERROR_INVALID_ARGUMENT, "path is NULL");
  if (path[0] == '\0') fail(NETCL_ERROR_INVALID_ARGUMENT, "path is empty");
}

FileReader::FileReader(const char* path) {
  check_path(path);
  path_ = path;
  // Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
  fd_ = open_retrying(path, O_RDONLY | O_NONBLOCK, 0);
  int error = fd_ < 0 ? errno : 0;
  // A host that has closed its standard streams would take one of these for it.
  if (fd_ >= 0 && fd_ <= STDERR_FILENO) {
    const int taken = fd_;
    fd_ = ::fcntl(taken, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (fd_ < 0) error = errno;
    ::close(taken);
  }
  struct stat facts;
  if (fd_ >= 0 && ::fstat(fd_, &facts) != 0) error = errno;
  if (error == 0 && S_ISREG(facts.st_mode)) {
    size_ = static_cast<uint64_t>(facts.st_size);
    return;
  }
  if (fd_ >= 0) ::close(fd_);
  if (error == 0) {
    fail(NETCL_ERROR_IO, "cannot read %s: it is %s, not a regular file", quoted(path, 300).c_str(),
         S_ISDIR(facts.st_mode) ? "a directory" : "a device or pipe");
  }
  fail(NETCL_ERROR_IO, "cannot open %s for reading: %s", quoted(path, 300).c_str(),
       errno_text(error).c_str());
}

FileReader::~FileReader() { ::close(fd_); }

void FileReader::read(uint64_t offset, void* data, size_t size) const {
  const int error = read_exactly(fd_, data, size, offset);
  if (error == 0) return;
  fail(NETCL_ERROR_IO, "cannot read %zu bytes at %llu of %s: %s", size,
       static_cast<unsigned long long>(offset), quoted(path_.c_str(), 300).c_str(),
       error < 0 ? "the file ends before" : errno_text(error).c_str());
}

static uint64_t ns_of(const struct timespec& time) noexcept {
  return static_cast<uint64_t>(time.tv_sec) * 1000000000 + static_cast<uint64_t>(time.tv_nsec);
}

// Times of files go by the ticks of a clock, on some file systems by seconds.
static constexpr uint64_t kSettledNs = 2000000000;

std::optional<FileState> FileReader::state() const noexcept {
  struct stat facts;
  struct timespec now;
  if (::fstat(fd_, &facts) != 0 || ::clock_gettime(CLOCK_REALTIME, &now) != 0) return std::nullopt;
  const uint64_t changed = ns_of(facts.st_ctim);
  if (changed + kSettledNs > ns_of(now)) return std::nullopt;
  return FileState{static_cast<uint64_t>(facts.st_dev), static_cast<uint64_t>(facts.st_ino),
                   static_cast<uint64_t>(facts.st_size), ns_of(facts.st_mtim), changed};
}

// A process has some 65,000 mappings, which its allocator and its threads need too.
static constexpr int kMappingsMost = 16384;
static std::atomic<int> g_mappings{0};

// Without a reserve: a file may be larger than memory, of which only written pages take some.
std::shared_ptr<unsigned char> FileReader::map(uint64_t offset, uint64_t bytes) const {
  const uint64_t lead = offset % static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  if (bytes == 0 || bytes > SIZE_MAX - lead) return nullptr;
  const auto size = static_cast<size_t>(lead + bytes);
  struct stat facts;
  if (::fstat(fd_, &facts) == 0 && static_cast<uint64_t>(facts.st_size) < offset + bytes) {
    fail(NETCL_ERROR_IO, "cannot map %llu bytes at %llu of %s: the file ends before",
         static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(offset),
         quoted(path_.c_str(), 300).c_str());
  }
  if (g_mappings.fetch_add(1, std::memory_order_relaxed) >= kMappingsMost) {
    g_mappings.fetch_sub(1, std::memory_order_relaxed);
    return nullptr;
  }
  void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE,
                              fd_, static_cast<off_t>(offset - lead));
  if (memory == MAP_FAILED) {
    g_mappings.fetch_sub(1, std::memory_order_relaxed);
    return nullptr;
  }
  std::shared_ptr<void> pages(memory, [size](void* all) {
    ::munmap(all, size);
    g_mappings.fetch_sub(1, std::memory_order_relaxed);
  });
  return {pages, static_cast<unsigned char*>(memory) + lead};
}

FileBytes read_file(const char* path, uint64_t limit) {
  const FileReader reader(path);
  if (reader.size() > limit) {
    fail(NETCL_ERROR_IO, "%s has %llu bytes; at most %llu are read", quoted(path, 300).c_str(),
         static_cast<unsigned long long>(reader.size()), static_cast<unsigned long long>(limit));
  }
  FileBytes bytes;
  bytes.size = static_cast<size_t>(reader.size());
  bytes.memory = allocate_host(bytes.size);
  if (bytes.memory == nullptr) throw std::bad_alloc();
  bytes.state = reader.state();
  reader.read(0, bytes.memory.get(), bytes.size);
  if (bytes.state != reader.state()) bytes.state.reset();
  return bytes;
}

static constexpr char kTemporaryPrefix[] = ".netcl-new-";
// A writer locks its file at once; one that is not locked after this long has none.
static constexpr time_t kTemporaryAgeLeast = 10;
// Where the file system has no locks.
static constexpr time_t kTemporaryAgeMost = 3600;

// Removes what writers that were killed have left in a folder.
static void remove_abandoned(int folder) noexcept {
  const int directory = open_at(folder, ".", O_RDONLY | O_DIRECTORY);
  DIR* const stream = directory < 0 ? nullptr : ::fdopendir(directory);
  if (stream == nullptr) {
    if (directory >= 0) ::close(directory);
    return;
  }
  const time_t now = ::time(nullptr);
  while (const struct dirent* item = ::readdir(stream)) {
    struct stat facts;
    if (::strncmp(item->d_name, kTemporaryPrefix, sizeof kTemporaryPrefix - 1) != 0 ||
        ::fstatat(directory, item->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(facts.st_mode) || facts.st_uid != ::geteuid() ||
        now - facts.st_mtim.tv_sec < kTemporaryAgeLeast) {
      continue;
    }
    const int fd = ::openat(directory, item->d_name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) continue;
    const bool free = ::flock(fd, LOCK_EX | LOCK_NB) == 0;
    if (free || (errno != EWOULDBLOCK && now - facts.st_mtim.tv_sec > kTemporaryAgeMost)) {
      ::unlinkat(directory, item->d_name, 0);
    }
    ::close(fd);
  }
  ::closedir(stream);
}

// A name that no other thread or process is likely to try at the same time.
static std::string temporary_name() {
  static std::atomic<uint32_t> counter{0};
  struct timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return format("%s%lx-%lx-%x", kTemporaryPrefix, static_cast<unsigned long>(::getpid()),
                static_cast<unsigned long>(now.tv_nsec), counter.fetch_add(1));
}

std::string distrust_link(const char* path) {
  struct stat facts;
  if (::lstat(path, &facts) != 0 || !S_ISLNK(facts.st_mode)) return std::string();
  if (facts.st_uid == 0 || facts.st_uid == ::geteuid()) return std::string();
  return format("it is a symbolic link of user %lu", static_cast<unsigned long>(facts.st_uid));
}

FileWriter::FileWriter(const char* path) {
  check_path(path);
  path_ = path;
  if (const std::string doubt = distrust_link(path); !doubt.empty()) {
    fail(NETCL_ERROR_IO, "cannot write %s: %s", quoted(path, 300).c_str(), doubt.c_str());
  }
  target_ = path_;
  mode_t mode = 0666;
  bool keep_mode = false;
  struct stat facts;
  if (::stat(path, &facts) == 0) {
    if (!S_ISREG(facts.st_mode)) {
      fail(NETCL_ERROR_IO, "cannot write %s: it is %s, not a regular file",
           quoted(path, 300).c_str(), S_ISDIR(facts.st_mode) ? "a directory" : "a device or pipe");
    }
    mode = facts.st_mode & 07777;
    keep_mode = true;
    const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path, nullptr), &std::free);
    if (real != nullptr) target_ = real.get();
  }
  const size_t slash = target_.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : target_.substr(0, slash + 1);
  if (slash != std::string::npos) target_.erase(0, slash + 1);
  // O_PATH: a folder that may be written to and not be listed will do.
  folder_.reset(open_retrying(folder.c_str(), O_PATH | O_DIRECTORY, 0));
  if (folder_.get() < 0) give_up("create a file beside", errno);
  remove_abandoned(folder_.get());
  file_.emplace(folder_.get(), temporary_name(), mode & 0777);
  if (file_->get() < 0) give_up("create a file beside", file_->error());
  // The umask applies to new files only; a replaced file keeps the permissions it had.
  if (keep_mode && ::fchmod(file_->get(), mode) != 0) give_up("set the mode of", errno);
}

void FileWriter::give_up(const char* action, int error) {
  file_.reset();
  fail(NETCL_ERROR_IO, "cannot %s %s: %s", action, quoted(path_.c_str(), 300).c_str(),
       errno_text(error).c_str());
}

void FileWriter::append(const void* data, size_t size) {
  if (!file_) fail(NETCL_ERROR_INTERNAL, "append to a file that is finished");
  const int error = write_exactly(file_->get(), data, size);
  if (error != 0) give_up("write", error);
}

void FileWriter::replace(uint64_t position, std::string_view bytes) {
  if (!file_) fail(NETCL_ERROR_INTERNAL, "replace in a file that is finished");
  const int error = write_at(file_->get(), bytes, position);
  if (error != 0) give_up("write", error);
}

void FileWriter::commit() {
  if (!file_) fail(NETCL_ERROR_INTERNAL, "commit of a file that is finished");
  int error = sync_file(file_->get());
  if (error == 0) error = file_->finish();
  if (error != 0) give_up("write", error);
  error = file_->move_to(target_.c_str());
  if (error != 0) give_up("replace", error);
  file_.reset();
  // Makes the new name survive a power failure; the file is in place whether this works or not.
  const Descriptor folder(open_at(folder_.get(), ".", O_RDONLY | O_DIRECTORY));
  if (folder.get() >= 0) ::fsync(folder.get());
}

void write_file_atomically(const char* path, const std::vector<std::string_view>& pieces) {
  FileWriter writer(path);
  for (const std::string_view piece : pieces) writer.append(piece.data(), piece.size());
  writer.commit();
}

}  // namespace netcl
