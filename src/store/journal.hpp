// The file of the tuning database: lines that are only ever appended, in one write each and under
// a lock that other processes honour. A process that is killed leaves at most a torn last line,
// which the next writer closes off and every reader ignores.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/cache_directory.hpp"

namespace netcl::store {

// How far a reader has come.
struct Position {
  uint64_t device = 0;
  uint64_t inode = 0;
  uint64_t offset = 0;
};

class Journal {
 public:
  static constexpr uint64_t kBytesMost = uint64_t{256} << 20;
  static constexpr uint64_t kLockWaitNs = uint64_t{30} * 1000 * 1000 * 1000;

  static constexpr char kMemory[] = ":memory:";  // a path that stands for no file

  // NULL or "": in the cache directory of the user; see core/cache_directory.hpp. Where that cannot
  // be used, there is no file, nor for kMemory:
  // off_reason() says why, and no other method may be called.
  // INVALID_ARGUMENT for a path that ends in a slash.
  explicit Journal(const char* path);
  // No file, for this reason.
  static Journal without(std::string reason);

  bool enabled() const noexcept { return off_reason_.empty(); }
  const std::string& off_reason() const noexcept { return off_reason_; }
  std::string path() const;

  // Whole lines beyond the position, which moves behind them; a file that was replaced since is
  // read from its begin, and *restarted is set. A missing file has no lines. All of these fail with
  // IO naming the file.
  std::string read(Position* position, bool* restarted) const;
  // Appends lines, each without its line end. Fails with TIMEOUT when another process holds the
  // lock for too long.
  void append(const std::vector<std::string>& lines) const;
  // Replaces the file by what `make` does of its content, at once for all readers.
  void replace(const std::function<std::string(std::string_view)>& make) const;

 private:
  Journal() = default;
  class Lock;
  int open_directory() const;
  int open_file(int directory, int flags) const;
  [[noreturn]] void give_up(const char* action, int error) const;

  std::string directory_;
  std::string name_;
  bool strict_ = false;  // the directory is checked too
  std::string off_reason_;
};

// Calls visit(line) for each line of a text, the empty ones left out.
void for_each_line(std::string_view text, const std::function<void(std::string_view)>& visit);

}  // namespace netcl::store
