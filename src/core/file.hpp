// Files of the host: whole, in pieces, and replaced atomically. Failures are IO errors that name
// the path and carry the system's words. Sizes are 64-bit throughout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace netcl {

// The system's text for an errno value, safe to call from any thread.
std::string errno_text(int error);

// Low-level loops that cope with interrupted and short transfers, and with the signals that a write
// can raise (write_signals.hpp): files are written through these alone. They return 0
// or an errno value. read_exactly gives -1 when the file ends before `size` bytes.
int read_exactly(int fd, void* data, size_t size, uint64_t offset) noexcept;
int write_exactly(int fd, const void* data, size_t size) noexcept;
int write_at(int fd, std::string_view text, uint64_t position) noexcept;

// Bytes whose memory is not cleared before use: a large file is written into it once.
struct FileBytes {
  std::unique_ptr<unsigned char[]> data;
  size_t size = 0;
};

// A regular file opened for reading.
class FileReader {
 public:
  explicit FileReader(const char* path);
  ~FileReader();
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;

  uint64_t size() const noexcept { return size_; }
  // Reads exactly `size` bytes from `offset` on; a file that has become shorter is an IO error. Any
  // number of threads may read at the same time.
  void read(uint64_t offset, void* data, size_t size) const;

 private:
  std::string path_;
  int fd_ = -1;
  uint64_t size_ = 0;
};

// Reads a whole regular file. One that is larger than `limit` bytes is an IO error.
FileBytes read_file(const char* path, uint64_t limit);

// Writes a file beside its final place and moves it there in commit(): other processes see the old
// file or the whole new one. Without commit() nothing stays behind and the old file is untouched.
// A path that is a symbolic link replaces what the link points to.
class FileWriter {
 public:
  explicit FileWriter(const char* path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  void append(const void* data, size_t size);
  void commit();

 private:
  [[noreturn]] void give_up(const char* action, int error);
  void discard() noexcept;

  std::string path_;       // as given, for messages
  std::string target_;     // after symbolic links
  std::string temporary_;  // empty once it is gone or moved
  int fd_ = -1;
};

void write_file_atomically(const char* path, const std::vector<std::string_view>& pieces);

}  // namespace netcl
