#include "worker/writes.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

namespace netcl::worker {

namespace {

#ifdef SYS_landlock_create_ruleset

// Of later versions than the headers that netcl is built with may be.
constexpr uint64_t kRefer = uint64_t{1} << 13;     // since 2
constexpr uint64_t kTruncate = uint64_t{1} << 14;  // since 3
constexpr uint64_t kScopes = 3;                    // since 6: abstract sockets, signals
struct Rules {
  uint64_t files;
  uint64_t network;
  uint64_t scopes;
};
constexpr int kScopesSince = 6;

constexpr uint64_t kFile = LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate;
constexpr uint64_t kFolder = kFile | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                             LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                             LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                             LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                             LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM | kRefer;

class Ruleset {
 public:
  explicit Ruleset(int version) {
    Rules rules{kFolder, 0, kScopes};
    if (version < 3) rules.files &= ~kTruncate;
    if (version < 2) rules.files &= ~kRefer;
    handled_ = rules.files;
    // Older systems know a shorter struct, and refuse one with more in it.
    const size_t size = version < kScopesSince ? sizeof rules.files : sizeof rules;
    fd_ = static_cast<int>(::syscall(SYS_landlock_create_ruleset, &rules, size, 0));
  }
  ~Ruleset() {
    if (fd_ >= 0) ::close(fd_);
  }
  Ruleset(const Ruleset&) = delete;
  Ruleset& operator=(const Ruleset&) = delete;

  // What is not there needs no rule: nobody can make it either.
  void allow(const std::string& path, uint64_t what) const {
    if (path.empty()) return;
    const int place = ::open(path.c_str(), O_PATH | O_CLOEXEC);
    if (place < 0) return;
    const landlock_path_beneath_attr rule{what & handled_, place};
    (void)::syscall(SYS_landlock_add_rule, fd_, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    ::close(place);
  }

  bool enforce() const { return ::syscall(SYS_landlock_restrict_self, fd_, 0) == 0; }

 private:
  int fd_ = -1;
  uint64_t handled_ = 0;
};

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

// Where drivers keep what they have compiled. netcl's own cache is not among them: the process
// that started this one runs what it finds there.
void allow_driver_caches(const Ruleset& rules) {
  for (const char* name : {"POCL_CACHE_DIR", "CUDA_CACHE_PATH", "MESA_SHADER_CACHE_DIR"}) {
    rules.allow(variable(name), kFolder);
  }
  const std::string home = variable("HOME");
  if (!home.empty()) rules.allow(home + "/.nv", kFolder);
  std::string caches = variable("XDG_CACHE_HOME");
  if (caches.empty() && !home.empty()) caches = home + "/.cache";
  if (caches.empty()) return;
  for (const char* name :
       {"/pocl", "/nvidia", "/neo_compiler_cache", "/mesa_shader_cache", "/mesa_shader_cache_db"}) {
    rules.allow(caches + name, kFolder);
  }
}

// Devices, but no files that lie beside them (/dev/shm).
void allow_devices(const Ruleset& rules) {
  DIR* const folder = ::opendir("/dev");
  if (folder == nullptr) return;
  while (const dirent* const entry = ::readdir(folder)) {
    const std::string path = std::string("/dev/") + entry->d_name;
    struct stat facts;
    if (::stat(path.c_str(), &facts) == 0 && S_ISCHR(facts.st_mode)) rules.allow(path, kFile);
  }
  ::closedir(folder);
  for (const char* path : {"/dev/dri", "/dev/nvidia-caps", "/dev/nvidia-caps-imex-channels"}) {
    rules.allow(path, kFile);
  }
}

#endif

}  // namespace

bool restrict_writes(const char* folder) noexcept {
#ifdef SYS_landlock_create_ruleset
  try {
    const long version =
        ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1) return false;
    const Ruleset rules(static_cast<int>(version));
    const std::string temporary = folder != nullptr ? folder : variable("TMPDIR");
    rules.allow(temporary.empty() ? "/tmp" : temporary, kFolder);
    allow_driver_caches(rules);
    allow_devices(rules);
    // Names of threads, and what drivers set of themselves.
    rules.allow("/proc/self", kFile);
    return rules.enforce() && version >= kScopesSince;
  } catch (const std::exception&) {
    // No memory at the start of a process, which will not come far.
    return false;
  }
#else
  (void)folder;
  return false;
#endif
}

}  // namespace netcl::worker
