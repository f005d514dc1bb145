// The log: a ring of records that anyone can read, and an optional function of the host that gets
// new records when its own calls into the library end.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "netcl.h"

namespace netcl {

class Log {
 public:
  void set_level(netcl_log_level level) noexcept { level_.store(level); }
  bool wants(netcl_log_level level) const noexcept { return level <= level_.load(); }
  void append(netcl_log_level level, const char* message) noexcept;

  // The oldest record after `after`; false when there is none.
  bool read(uint64_t after, netcl_log_record* record) noexcept;

  // Replaces the host's function. The old one's user_data is destroyed when no delivery uses it.
  void set_callback(netcl_log_fn fn, void* user_data, netcl_destroy_fn destroy);

  // Hands new records to the host's function. Called with no lock held.
  // Whether there is something that the host's function has not seen.
  bool pending() const noexcept;
  void deliver() noexcept;

 private:
  bool read_locked(uint64_t after, netcl_log_record* record) const noexcept;
  struct Callback;
  static constexpr size_t kCapacity = 256;

  std::atomic<netcl_log_level> level_{NETCL_LOG_WARNING};
  std::atomic<uint64_t> last_sequence_{0};
  std::atomic<uint64_t> delivered_{0};
  std::atomic<bool> has_callback_{false};
  std::atomic<bool> delivering_{false};
  std::mutex mutex_;  // guards ring_ and callback_
  netcl_log_record ring_[kCapacity]{};
  std::shared_ptr<Callback> callback_;
};

// Appends to the log of this process; formats like printf only when the level is wanted.
void log_message(netcl_log_level level, const char* pattern, ...) noexcept
    __attribute__((format(printf, 2, 3)));

// Copies text into a fixed field, cut at a UTF-8 character boundary and always terminated.
void copy_text(char* field, size_t capacity, const char* text) noexcept;
// The same as one line of UTF-8: control bytes, such as line ends of a name that is quoted, are
// spaces, and bytes that are no character question marks.
void copy_line(char* field, size_t capacity, const char* text) noexcept;

}  // namespace netcl
