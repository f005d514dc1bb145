// One user of a device at a time: a lock file that everybody who measures on it holds meanwhile.
// The system gives a lock back when its holder dies.
#pragma once

#include <functional>
#include <string>

#include "core/wait.hpp"
#include "device/device.hpp"

namespace netcl {

class DeviceLock {
 public:
  // An empty path stands for a file of the device in the cache directory; without that directory
  // there is no lock, and the log says so.
  DeviceLock(const Device& device, const std::string& path);
  ~DeviceLock() { release(); }
  DeviceLock(const DeviceLock&) = delete;
  DeviceLock& operator=(const DeviceLock&) = delete;

  // Waits for the lock; false when `cancelled` says so. BUSY naming the holder when the deadline
  // passes first, IO when the file cannot be made.
  bool acquire(const Deadline& deadline, const std::function<bool()>& cancelled);
  void release() noexcept;
  bool held() const noexcept { return fd_ >= 0; }
  const std::string& path() const noexcept { return path_; }

 private:
  int open_file();

  std::string path_;       // empty: no lock
  std::string directory_;  // of the default path; it is checked each time
  std::string name_;
  int fd_ = -1;
};

}  // namespace netcl
