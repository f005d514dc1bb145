// Files of the host: whole, in pieces, and replaced atomically. Failures are IO errors that name
// the path and carry the system's words. Sizes are 64-bit throughout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/allocator.hpp"
#include "core/cache_directory.hpp"
#include "core/new_file.hpp"

namespace netcl {

// The system's text for an errno value, safe to call from any thread.
std::string errno_text(int error);

// Low-level loops that cope with interrupted and short transfers, and with the signals that a write
// can raise (write_signals.hpp): files are written through these alone. They return 0
// or an errno value. read_exactly gives -1 when the file ends before `size` bytes.
int read_exactly(int fd, void* data, size_t size, uint64_t offset) noexcept;
int write_exactly(int fd, const void* data, size_t size) noexcept;
int write_at(int fd, std::string_view text, uint64_t position) noexcept;
// fsync that goes on after a signal: 0 or an errno value.
int sync_file(int fd) noexcept;

// Why nothing is written through a path: it is a symbolic link that neither root nor this user has
// made, and would lead to a file that somebody else chose. Empty when it is none.
std::string distrust_link(const char* path);

// Which file it is and when it was changed last: another one where its bytes are others.
struct FileState {
  uint64_t device;
  uint64_t node;
  uint64_t bytes;
  uint64_t written_ns;
  uint64_t changed_ns;

  friend bool operator==(const FileState&, const FileState&) = default;
};

// Bytes whose memory is not cleared before use: a large file is written into it once.
struct FileBytes {
  HostMemory memory;
  size_t size = 0;
  std::optional<FileState> state;  // of these bytes, as from FileReader::state()

  std::string_view view() const noexcept { return {static_cast<const char*>(memory.get()), size}; }
};

// A regular file opened for reading.
class FileReader {
 public:
  explicit FileReader(const char* path);
  ~FileReader();
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;

  uint64_t size() const noexcept { return size_; }
  // None where the last change is so new that the next one might have the same time.
  std::optional<FileState> state() const noexcept;
  // Reads exactly `size` bytes from `offset` on; a file that has become shorter is an IO error. Any
  // number of threads may read at the same time.
  void read(uint64_t offset, void* data, size_t size) const;
  // Bytes of the file as memory that stays when this goes: what is written there stays in it, page
  // by page. Null where the system cannot map them, IO where the file has become shorter. One that
  // does so later ends the process that reads what is gone.
  std::shared_ptr<unsigned char> map(uint64_t offset, uint64_t bytes) const;
  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
  int fd_ = -1;
  uint64_t size_ = 0;
};

// Reads a whole regular file. One that is larger than `limit` bytes is an IO error.
FileBytes read_file(const char* path, uint64_t limit);

// Writes a file beside its final place and moves it there in commit(): other processes see the old
// file or the whole new one, and the old one is untouched without commit(). What is left of one
// that is killed, see new_file.hpp, is removed by a later one in that folder.
// A path that is a symbolic link of this user or of root replaces what the link points to.
class FileWriter {
 public:
  explicit FileWriter(const char* path);
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  void append(const void* data, size_t size);
  // Writes over what was appended.
  void replace(uint64_t position, std::string_view bytes);
  void commit();

 private:
  [[noreturn]] void give_up(const char* action, int error);

  std::string path_;    // as given, for messages
  std::string target_;  // after symbolic links, without its folder
  Descriptor folder_{-1};
  std::optional<NewFile> file_;  // until it is moved or given up
};

void write_file_atomically(const char* path, const std::vector<std::string_view>& pieces);

}  // namespace netcl
