// A file that gets its name when it is whole. Where the file system has files without names
// (O_TMPFILE) it is one until then, so that nothing is left of a process that is killed while it
// writes; elsewhere it has a temporary name from the beginning.
#pragma once

#include <sys/types.h>

#include <string>

namespace netcl {

class NewFile {
 public:
  // Makes the file in the folder of `directory`, a descriptor of the caller's that stays open as
  // long as this lives. `temporary` is what it is called in between; a number is appended where
  // that is taken. The umask applies to `mode`.
  NewFile(int directory, std::string temporary, mode_t mode);
  // Removes what was not moved.
  ~NewFile() { discard(); }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  // To write to, from the beginning. It is locked, by which others tell its temporary name from one
  // that was abandoned. -1 when no file could be made, for the reason that error() gives.
  int get() const noexcept { return fd_; }
  int error() const noexcept { return error_; }
  // Closes the file, which the caller has synced, under its temporary name. To be followed by
  // move_to at once. Both give 0, or an errno value when nothing of the file is left.
  int finish() noexcept;
  // Moves it over `name` in its folder.
  int move_to(const char* name) noexcept;
  void discard() noexcept;

 private:
  template <typename Make>
  int with_free_name(const Make& make) noexcept;
  int open_named(mode_t mode) noexcept;
  int give_name() noexcept;
  int copy_to_named() noexcept;

  int directory_;
  std::string name_;
  size_t base_;  // length of the name without its number
  bool named_ = false;
  int fd_ = -1;
  int error_ = 0;
};

}  // namespace netcl
