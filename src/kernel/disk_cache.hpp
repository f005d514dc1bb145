// The program cache on disk. Its promises: a file that is damaged, foreign or of another key costs
// a rebuild and never reaches a driver; nobody else can place a program there; any number of
// processes may use it at the same time; trouble with the disk costs time, never a failing call.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/cache_entry.hpp"

namespace netcl::kernel {

enum class CacheResult {
  hit,       // load: the payload is there
  stored,    // store: the entry is in place
  removed,   // remove, clear: done
  miss,      // there is no entry of this key
  rejected,  // there is a file, but it is damaged, foreign or not safe to trust
  off,       // there is no cache directory
  failed     // the system refused; the reason says what
};

struct CacheReply {
  CacheResult result = CacheResult::off;
  std::string reason;   // a line for the log, empty for hit, miss, stored and removed
  std::string payload;  // of a hit
};

// Keeps other processes from building the same program at the same time. Released when destroyed.
class BuildLock {
 public:
  BuildLock() = default;
  explicit BuildLock(int fd) : fd_(fd) {}
  ~BuildLock();
  BuildLock(BuildLock&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  BuildLock& operator=(BuildLock&& other) noexcept;
  bool held() const noexcept { return fd_ >= 0; }

 private:
  void release() noexcept;
  int fd_ = -1;
};

// Any number of threads may use one object. No method fails by exception for trouble with files.
class DiskCache {
 public:
  static constexpr uint64_t kDefaultBytesMax = uint64_t{256} << 20;
  static constexpr uint64_t kLockWaitNs = uint64_t{30} * 1000 * 1000 * 1000;

  // `directory` overrides the environment (NETCL_CACHE_DIR, XDG_CACHE_HOME, HOME); NULL or "" does
  // not. It is created when it is missing.
  explicit DiskCache(const char* directory, uint64_t bytes_max = kDefaultBytesMax);

  bool enabled() const noexcept { return !directory_.empty(); }
  const std::string& directory() const noexcept { return directory_; }
  // Why the cache is off; empty when it is on.
  const std::string& off_reason() const noexcept { return off_reason_; }

  CacheReply load(std::string_view key) const;
  CacheReply store(std::string_view key, std::string_view payload);
  CacheReply remove(std::string_view key) const;
  CacheReply clear() const;

  // The names of all entries, sorted.
  std::vector<std::string> names() const;
  // What an entry is, whatever its key. A reply of `miss` says that there is none of this name.
  struct Inspection {
    CacheReply reply;  // hit or rejected, with the payload or the reason
    std::string key;
    uint64_t bytes = 0;
    uint64_t used_ns = 0;  // CLOCK_REALTIME
  };
  Inspection inspect(const std::string& name) const;

  // Waits for other processes that build this key, but not for ever: the caller builds in any case,
  // and looks again in the cache first when the lock is held.
  BuildLock lock(std::string_view key, uint64_t timeout_ns = kLockWaitNs) const;

 private:
  // With `use` the entry counts as used now.
  Inspection inspect_file(const std::string& name, bool use) const;
  void tidy(int directory, std::string_view keep);

  std::string directory_;
  std::string off_reason_;
  uint64_t bytes_max_;
  // Bytes that may be written before the directory is measured again.
  std::atomic<int64_t> room_{0};
};

}  // namespace netcl::kernel
