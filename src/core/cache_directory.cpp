#include "core/cache_directory.hpp"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "core/error.hpp"
#include "core/file.hpp"

namespace netcl {

std::string distrust_file(const struct stat& facts) {
  if (!S_ISREG(facts.st_mode)) return "it is not a regular file";
  if (facts.st_uid != ::geteuid()) {
    return format("it belongs to user %lu", static_cast<unsigned long>(facts.st_uid));
  }
  if ((facts.st_mode & 022) != 0) {
    return format("others can write it (mode %04o)", facts.st_mode & 07777u);
  }
  // 0 links: another process has just replaced or evicted it, which harms nobody.
  return facts.st_nlink > 1 ? "it has more than one hard link" : std::string();
}

int open_at(int directory, const char* name, int flags, mode_t mode) {
  int fd;
  do {
    fd = ::openat(directory, name, flags | O_CLOEXEC | O_NOFOLLOW, mode);
  } while (fd < 0 && errno == EINTR);
  return fd;
}

std::string choose_cache_directory(const char* override_text, std::string* reason) {
  if (::getauxval(AT_SECURE) != 0 || ::geteuid() != ::getuid()) {
    *reason = "the process runs with raised privileges";
    return std::string();
  }
  const auto set = [](const char* text) { return text != nullptr && text[0] != '\0'; };
  static constexpr char kVariable[] = "NETCL_CACHE_DIR";
  const char* text = override_text;
  if (!set(text)) text = std::getenv(kVariable);
  if (set(text)) {
    if (text[0] == '/') return text;
    *reason = format("%s is %s, which is not an absolute path", kVariable, quoted(text).c_str());
    return std::string();
  }
  // A relative XDG_CACHE_HOME is to be ignored, says its specification.
  const char* xdg = std::getenv("XDG_CACHE_HOME");
  if (set(xdg) && xdg[0] == '/') return std::string(xdg) + "/netcl";
  const char* home = std::getenv("HOME");
  if (set(home) && home[0] == '/') return std::string(home) + "/.cache/netcl";
  *reason = set(home) ? format("HOME is %s, which is not an absolute path", quoted(home).c_str())
                      : "neither NETCL_CACHE_DIR, XDG_CACHE_HOME nor HOME is set";
  return std::string();
}

// Opens one component below `parent`, making it when it is missing. O_PATH asks for no permission
// to list a directory on the way, which may be missing on shared parents.
static int open_component(int parent, const std::string& name, bool last) {
  const int flags = (last ? O_RDONLY : O_PATH) | O_DIRECTORY;
  int fd = open_at(parent, name.c_str(), flags);
  if (fd < 0 && errno == ENOENT) {
    if (::mkdirat(parent, name.c_str(), 0700) != 0 && errno != EEXIST) return -1;
    fd = open_at(parent, name.c_str(), flags);
  }
  return fd;
}

// "" when the directory can be trusted. On the way down it is enough that strangers cannot swap a
// component (a sticky directory such as the one for temporary files prevents that); the last one
// must be this user's alone.
static std::string distrust(const struct stat& facts, bool last) {
  if (last && facts.st_uid != ::geteuid()) {
    return format("belongs to user %lu", static_cast<unsigned long>(facts.st_uid));
  }
  if (last && (facts.st_mode & 022) != 0) {
    return format("can be written by others (mode %04o)", facts.st_mode & 07777u);
  }
  if ((facts.st_mode & S_IWOTH) != 0 && (facts.st_mode & S_ISVTX) == 0) {
    return format("can be written by everybody (mode %04o)", facts.st_mode & 07777u);
  }
  return std::string();
}

int open_cache_directory(const std::string& path, std::string* reason) {
  Descriptor current(open_at(AT_FDCWD, "/", O_PATH | O_DIRECTORY));
  std::string walked;
  size_t at = 0;
  while (true) {
    at = path.find_first_not_of('/', at);
    if (at == std::string::npos) break;
    const size_t end = std::min(path.find('/', at), path.size());
    const std::string name = path.substr(at, end - at);
    at = end;
    if (name == ".") continue;
    walked += "/" + name;
    if (name == "..") {
      *reason = format("%s has a .. in it", quoted(path.c_str(), 300).c_str());
      return -1;
    }
    const bool last = path.find_first_not_of('/', at) == std::string::npos;
    current.reset(open_component(current.get(), name, last));
    struct stat facts;
    if (current.get() < 0 || ::fstat(current.get(), &facts) != 0) {
      const int error = errno;
      *reason = format("cannot open %s: %s", quoted(walked.c_str(), 300).c_str(),
                       error == ELOOP || error == ENOTDIR
                           ? "it is a file or a symbolic link, not a directory"
                           : errno_text(error).c_str());
      return -1;
    }
    const std::string doubt = distrust(facts, last);
    if (!doubt.empty()) {
      *reason = format("%s %s", quoted(walked.c_str(), 300).c_str(), doubt.c_str());
      return -1;
    }
  }
  if (walked.empty()) {
    *reason = "the root directory is no place for a cache";
    return -1;
  }
  return current.take();
}

}  // namespace netcl
