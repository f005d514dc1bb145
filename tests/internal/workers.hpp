// Runners with a worker, and a look at the processes behind them.
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdio>
#include <vector>

#include "jobs.hpp"

namespace netcl::tests {

inline constexpr char kHang[] = "  while (y[0] < 1e30f) { mem_fence(CLK_GLOBAL_MEM_FENCE); }";
inline constexpr char kCrash[] = "  ((__global volatile int *)0)[i] = 1;";

inline tune::RunnerOptions worker_options() {
  tune::RunnerOptions options = no_lock();
  options.worker_path = NETCL_WORKER_FILE;
  return options;
}

inline std::string temporary_name(const char* pattern) {
  const char* folder = std::getenv("TMPDIR");
  return std::string(folder == nullptr ? P_tmpdir : folder) + "/" + pattern;
}

// The children of this process, by number.
inline std::vector<pid_t> children() {
  std::vector<pid_t> found;
  DIR* folder = opendir("/proc");
  while (const dirent* entry = readdir(folder)) {
    const int pid = atoi(entry->d_name);
    if (pid <= 0) continue;
    FILE* file = fopen((std::string("/proc/") + entry->d_name + "/stat").c_str(), "r");
    if (file == nullptr) continue;
    char name[64], state = 0;
    int parent = 0;
    const int read = fscanf(file, "%*d (%63[^)]) %c %d", name, &state, &parent);
    fclose(file);
    if (read == 3 && parent == getpid() && state != 'Z' && strcmp(name, "netcl-worker") == 0) {
      found.push_back(pid);
    }
  }
  closedir(folder);
  return found;
}

inline bool gone_within(pid_t pid, int seconds) {
  for (int i = 0; i < seconds * 100; ++i) {
    if (kill(pid, 0) != 0) return true;
    usleep(10000);
  }
  return false;
}

// Returns when somebody holds the lock at `path`; then a job of his has come to the device.
inline void wait_for_lock(const std::string& path) {
  const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
  assert_true(fd >= 0);
  for (int i = 0; i < 6000 && flock(fd, LOCK_EX | LOCK_NB) == 0; ++i) {
    flock(fd, LOCK_UN);
    usleep(10000);
  }
  close(fd);
}

}  // namespace netcl::tests
