#include "kernel/disk_cache.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "core/cache_directory.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "core/hash.hpp"
#include "core/new_file.hpp"

namespace netcl::kernel {

static constexpr time_t kTemporaryAgeMax = 3600;
static constexpr char kTemporaryPrefix[] = ".netcl-tmp-";
static constexpr size_t kNameLength = 32;

static CacheReply reply(CacheResult result, std::string reason = std::string()) {
  return CacheReply{result, std::move(reason), std::string()};
}

DiskCache::DiskCache(const char* directory, uint64_t bytes_max) : bytes_max_(bytes_max) {
  directory_ = choose_cache_directory(directory, &off_reason_);
  if (directory_.empty()) return;
  const Descriptor opened(open_cache_directory(directory_, &off_reason_));
  if (opened.get() < 0) {
    directory_.clear();
  } else {
    off_reason_.clear();
  }
}

// ---- Load ---------------------------------------------------------------------------------------

static std::string entry_name(std::string_view key) { return hex_text(hash128(key)); }

static std::string distrust_entry(const struct stat& facts) {
  const std::string doubt = distrust_file(facts);
  if (!doubt.empty() || static_cast<uint64_t>(facts.st_size) <= kEntryBytesMax) return doubt;
  return format("it has %lld bytes", static_cast<long long>(facts.st_size));
}

CacheReply DiskCache::load(std::string_view key) const {
  if (!enabled()) return reply(CacheResult::off, off_reason_);
  Inspection found = inspect_file(entry_name(key), true);
  // A sound entry of another key is a collision of the hash that names it.
  if (found.reply.result == CacheResult::hit && found.key != key) return reply(CacheResult::miss);
  return std::move(found.reply);
}

DiskCache::Inspection DiskCache::inspect(const std::string& name) const {
  return inspect_file(name, false);
}

DiskCache::Inspection DiskCache::inspect_file(const std::string& name, bool use) const {
  Inspection found;
  std::string reason;
  const Descriptor directory(open_cache_directory(directory_, &reason));
  if (directory.get() < 0) {
    found.reply = reply(CacheResult::failed, std::move(reason));
    return found;
  }
  // O_NONBLOCK: opening a pipe somebody put there must not wait.
  const Descriptor file(open_at(directory.get(), name.c_str(), O_RDONLY | O_NONBLOCK));
  const auto reject = [&](const std::string& why) {
    found.reply =
        reply(CacheResult::rejected, format("cache entry %s: %s", name.c_str(), why.c_str()));
    return found;
  };
  if (file.get() < 0) {
    if (errno != ENOENT)
      return reject(errno == ELOOP ? "it is a symbolic link" : errno_text(errno));
    found.reply = reply(CacheResult::miss);
    return found;
  }
  struct stat facts;
  if (::fstat(file.get(), &facts) != 0) return reject(errno_text(errno));
  found.bytes = static_cast<uint64_t>(facts.st_size);
  found.used_ns = static_cast<uint64_t>(facts.st_mtim.tv_sec) * 1000000000u +
                  static_cast<uint64_t>(facts.st_mtim.tv_nsec);
  const std::string doubt = distrust_entry(facts);
  if (!doubt.empty()) return reject(doubt);
  std::string bytes(static_cast<size_t>(facts.st_size), '\0');
  const int error = read_exactly(file.get(), bytes.data(), bytes.size(), 0);
  if (error != 0) return reject(error < 0 ? "it was cut short" : errno_text(error));
  const std::optional<EntryView> entry = decode_entry(bytes, &reason);
  if (!entry) return reject(reason);
  if (use) ::futimens(file.get(), nullptr);
  found.key = entry->key;
  found.reply = {CacheResult::hit, std::string(), std::string(entry->payload)};
  return found;
}

// ---- Store --------------------------------------------------------------------------------------

static std::string temporary_name() {
  static std::atomic<uint32_t> counter{0};
  struct timespec now;
  ::clock_gettime(CLOCK_REALTIME, &now);
  return format("%s%lx-%llx-%lx-%x", kTemporaryPrefix, static_cast<unsigned long>(::getpid()),
                static_cast<unsigned long long>(now.tv_sec),
                static_cast<unsigned long>(now.tv_nsec), counter.fetch_add(1));
}

// Writes an entry as a whole; 0 or an errno value.
static int write_entry(int directory, const std::string& name, std::string_view bytes) {
  NewFile file(directory, temporary_name(), 0600);
  if (file.get() < 0) return file.error();
  // The umask of the process may have taken the owner's own rights away.
  if (::fchmod(file.get(), 0600) != 0) return errno;
  int error = write_exactly(file.get(), bytes.data(), bytes.size());
  if (error != 0) return error;
  error = sync_file(file.get());
  // Some file systems have no fsync; the checksum finds what a crash may cut off.
  if (error != 0 && error != EINVAL && error != ENOSYS) return error;
  error = file.finish();
  return error != 0 ? error : file.move_to(name.c_str());
}

CacheReply DiskCache::store(std::string_view key, std::string_view payload) {
  if (!enabled()) return reply(CacheResult::off, off_reason_);
  const std::string bytes = encode_entry(key, payload);
  if (bytes.size() > kEntryBytesMax || bytes.size() > bytes_max_) {
    return reply(CacheResult::failed,
                 format("an entry of %zu bytes is more than the cache takes", bytes.size()));
  }
  std::string reason;
  const Descriptor directory(open_cache_directory(directory_, &reason));
  if (directory.get() < 0) return reply(CacheResult::failed, std::move(reason));
  const std::string name = entry_name(key);
  const int error = write_entry(directory.get(), name, bytes);
  if (error != 0) {
    return reply(CacheResult::failed,
                 format("cannot write cache entry %s in %s: %s", name.c_str(),
                        quoted(directory_.c_str(), 300).c_str(), errno_text(error).c_str()));
  }
  if (room_.fetch_sub(static_cast<int64_t>(bytes.size())) < static_cast<int64_t>(bytes.size())) {
    tidy(directory.get(), name);
  }
  return reply(CacheResult::stored);
}

// ---- Removal ------------------------------------------------------------------------------------

static bool is_entry_name(std::string_view name) {
  return name.size() == kNameLength &&
         name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// A temporary file that no writer can still be at work on. A time far in the future comes from a
// clock that was wrong: as good as old.
static bool is_abandoned(std::string_view name, const struct stat& facts) {
  const time_t age = ::time(nullptr) - facts.st_mtim.tv_sec;
  return name.substr(0, sizeof kTemporaryPrefix - 1) == kTemporaryPrefix &&
         (age > kTemporaryAgeMax || age < -kTemporaryAgeMax);
}

// Calls fn(name) for each file; the directory may hold files of others, which fn leaves alone.
template <typename Fn>
static int for_each_name(int directory, const Fn& fn) {
  // A descriptor of its own, because closedir closes it and reading moves its position.
  const int fd = open_at(directory, ".", O_RDONLY | O_DIRECTORY);
  if (fd < 0) return errno;
  DIR* stream = ::fdopendir(fd);
  if (stream == nullptr) {
    const int error = errno;
    ::close(fd);
    return error;
  }
  while (const struct dirent* item = ::readdir(stream)) fn(item->d_name);
  ::closedir(stream);
  return 0;
}

namespace {
struct Candidate {
  std::string name;
  struct timespec used;
  uint64_t bytes;
};
}  // namespace

// Removes what crashed writers left and, beyond the cap, the entries that were used longest ago.
// The sizes are measured again only after an eighth of the remaining room has been written, because
// a directory may hold many files. Other processes may remove the same files; that is no error.
void DiskCache::tidy(int directory, std::string_view keep) {
  std::vector<Candidate> entries;
  uint64_t total = 0;
  for_each_name(directory, [&](const char* name) {
    struct stat facts;
    if (::fstatat(directory, name, &facts, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(facts.st_mode)) {
      return;
    }
    if (is_abandoned(name, facts)) ::unlinkat(directory, name, 0);
    if (!is_entry_name(name)) return;
    total += static_cast<uint64_t>(facts.st_size);
    if (name != keep) {
      entries.push_back({name, facts.st_mtim, static_cast<uint64_t>(facts.st_size)});
    }
  });
  if (total > bytes_max_) {
    std::sort(entries.begin(), entries.end(), [](const Candidate& a, const Candidate& b) {
      return a.used.tv_sec != b.used.tv_sec ? a.used.tv_sec < b.used.tv_sec
                                            : a.used.tv_nsec < b.used.tv_nsec;
    });
    for (const Candidate& entry : entries) {
      if (total <= bytes_max_) break;
      ::unlinkat(directory, entry.name.c_str(), 0);
      total -= entry.bytes;
    }
  }
  room_.store(total < bytes_max_ ? static_cast<int64_t>((bytes_max_ - total) / 8) : 0);
}

std::vector<std::string> DiskCache::names() const {
  std::vector<std::string> names;
  std::string reason;
  if (!enabled()) return names;
  const Descriptor directory(open_cache_directory(directory_, &reason));
  if (directory.get() < 0) return names;
  for_each_name(directory.get(), [&](const char* name) {
    if (is_entry_name(name)) names.push_back(name);
  });
  std::sort(names.begin(), names.end());
  return names;
}

static int unlink_entry(int directory, const char* name) {
  if (::unlinkat(directory, name, 0) == 0 || errno == ENOENT) return 0;
  // An empty directory in the place of an entry would keep it from ever being stored.
  if (errno == EISDIR && ::unlinkat(directory, name, AT_REMOVEDIR) == 0) return 0;
  return errno;
}

CacheReply DiskCache::remove(std::string_view key) const {
  if (!enabled()) return reply(CacheResult::off, off_reason_);
  std::string reason;
  const Descriptor directory(open_cache_directory(directory_, &reason));
  if (directory.get() < 0) return reply(CacheResult::failed, std::move(reason));
  const std::string name = entry_name(key);
  const int error = unlink_entry(directory.get(), name.c_str());
  if (error == 0) return reply(CacheResult::removed);
  return reply(CacheResult::failed,
               format("cannot remove cache entry %s: %s", name.c_str(), errno_text(error).c_str()));
}

CacheReply DiskCache::clear() const {
  if (!enabled()) return reply(CacheResult::off, off_reason_);
  std::string reason;
  const Descriptor directory(open_cache_directory(directory_, &reason));
  if (directory.get() < 0) return reply(CacheResult::failed, std::move(reason));
  std::vector<std::string> names;
  int error = for_each_name(directory.get(), [&](const char* name) {
    struct stat facts;
    if (is_entry_name(name) ||
        (::fstatat(directory.get(), name, &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
         is_abandoned(name, facts))) {
      names.push_back(name);
    }
  });
  for (const std::string& name : names) {
    const int result = unlink_entry(directory.get(), name.c_str());
    if (result != 0) error = result;
  }
  if (error == 0) return reply(CacheResult::removed);
  return reply(CacheResult::failed,
               format("cannot clear %s: %s", quoted(directory_.c_str(), 300).c_str(),
                      errno_text(error).c_str()));
}

// ---- The build lock -----------------------------------------------------------------------------

void BuildLock::release() noexcept {
  if (fd_ < 0) return;
  // Unlocking by name: a child of a fork shares the lock and would keep it when only closed here.
  ::flock(fd_, LOCK_UN);
  ::close(fd_);
  fd_ = -1;
}

BuildLock::~BuildLock() { release(); }

BuildLock& BuildLock::operator=(BuildLock&& other) noexcept {
  if (this != &other) {
    release();
    fd_ = other.fd_;
    other.fd_ = -1;
  }
  return *this;
}

static uint64_t monotonic_ns() {
  struct timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

BuildLock DiskCache::lock(std::string_view key, uint64_t timeout_ns) const {
  if (!enabled()) return BuildLock();
  std::string reason;
  const Descriptor directory(open_cache_directory(directory_, &reason));
  if (directory.get() < 0) return BuildLock();
  // Sixteen lock files, so that processes that build different programs rarely wait for each other
  // and the directory does not collect a file per program.
  const std::string name = format(".lock-%c", entry_name(key)[0]);
  Descriptor file(open_at(directory.get(), name.c_str(), O_RDWR | O_CREAT | O_NONBLOCK, 0600));
  struct stat facts;
  if (file.get() < 0 || ::fstat(file.get(), &facts) != 0 || !distrust_file(facts).empty()) {
    return BuildLock();
  }
  const uint64_t start = monotonic_ns();
  long step_ns = 1000000;
  while (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    // Network file systems without locks answer ENOLCK or the like: then nobody waits.
    if (errno != EWOULDBLOCK && errno != EINTR) return BuildLock();
    if (monotonic_ns() - start >= timeout_ns) return BuildLock();
    const struct timespec pause = {0, step_ns};
    ::nanosleep(&pause, nullptr);
    step_ns = std::min(step_ns * 2, 20000000L);
  }
  return BuildLock(file.take());
}

}  // namespace netcl::kernel
