// Where the program cache and the tuning database live, and whether that place can be trusted.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <string>

namespace netcl {

// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  int take() {
    const int fd = fd_;
    fd_ = -1;
    return fd;
  }
  void reset(int fd) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
  }

 private:
  int fd_;
};

// openat that is never inherited, never follows a symbolic link and is not stopped by signals.
int open_at(int directory, const char* name, int flags, mode_t mode = 0);

// "" when a file is one that this user, and nobody else, can have written.
std::string distrust_file(const struct stat& facts);

// The directory that the override or the environment, as it was read once, asks for; "" with a
// reason when there is none.
std::string choose_cache_directory(const char* override_text, std::string* reason);

// Walks down to a directory, making what is missing, and checks each component. Links of root and
// of this user are followed. Gives a descriptor for reading, or -1 with a reason. It is opened anew
// for each operation: the directory may be removed and made again while a process runs, and no
// descriptor outlives a call, a fork or an exec.
int open_cache_directory(const std::string& path, std::string* reason);

}  // namespace netcl
