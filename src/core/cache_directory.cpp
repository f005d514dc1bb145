#include "core/cache_directory.hpp"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "core/environment.hpp"
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
  const bool given = override_text != nullptr && override_text[0] != '\0';
  const std::string path = given ? override_text : environment().cache_dir;
  if (!path.empty() && path[0] == '/') return path;
  *reason = given ? format("%s is not an absolute path", quoted(path.c_str(), 300).c_str())
                  : "neither NETCL_CACHE_DIR, XDG_CACHE_HOME nor HOME names an absolute path";
  return std::string();
}

// Opens what one name below `parent` is, itself: a directory, which is made when it is missing, a
// link, or a file. O_PATH asks for no permission to list a directory on the way, which may be
// missing on shared parents.
static int open_component(int parent, const std::string& name) {
  int fd = open_at(parent, name.c_str(), O_PATH);
  if (fd < 0 && errno == ENOENT) {
    if (::mkdirat(parent, name.c_str(), 0700) != 0 && errno != EEXIST) return -1;
    fd = open_at(parent, name.c_str(), O_PATH);
  }
  return fd;
}

// Where a link leads; "" with a reason when it is not one that root or this user has made.
static std::string follow_link(int link, const struct stat& facts, std::string* reason) {
  if (facts.st_uid != 0 && facts.st_uid != ::geteuid()) {
    *reason = format("is a symbolic link of user %lu", static_cast<unsigned long>(facts.st_uid));
    return std::string();
  }
  char target[4096];
  const ssize_t size = ::readlinkat(link, "", target, sizeof target);
  if (size > 0 && static_cast<size_t>(size) < sizeof target) {
    return std::string(target, static_cast<size_t>(size));
  }
  *reason = "is a symbolic link that cannot be read";
  return std::string();
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

// The names of a path, the first one last.
static void push_names(const std::string& path, std::vector<std::string>* names) {
  size_t end = path.size();
  while (end > 0) {
    const size_t slash = path.rfind('/', end - 1);
    const size_t begin = slash == std::string::npos ? 0 : slash + 1;
    if (end > begin && path.compare(begin, end - begin, ".") != 0) {
      names->push_back(path.substr(begin, end - begin));
    }
    end = slash == std::string::npos ? 0 : slash;
  }
}

int open_cache_directory(const std::string& path, std::string* reason) {
  static constexpr int kLinksMax = 40;
  const auto doubtful = [&](const std::string& name, const std::string& doubt) {
    *reason = format("%s in %s %s", quoted(name.c_str(), 300).c_str(),
                     quoted(path.c_str(), 300).c_str(), doubt.c_str());
    return -1;
  };
  Descriptor current(open_at(AT_FDCWD, "/", O_PATH | O_DIRECTORY));
  std::vector<std::string> names;
  push_names(path, &names);
  if (names.empty()) {
    *reason = "the root directory is no place for a cache";
    return -1;
  }
  if (std::find(names.begin(), names.end(), "..") != names.end()) {
    *reason = format("%s has a .. in it", quoted(path.c_str(), 300).c_str());
    return -1;
  }
  int links = 0;
  while (!names.empty()) {
    const std::string name = std::move(names.back());
    names.pop_back();
    Descriptor next(open_component(current.get(), name));
    struct stat facts;
    if (next.get() < 0 || ::fstat(next.get(), &facts) != 0) {
      return doubtful(name, "cannot be opened: " + errno_text(errno));
    }
    if (S_ISLNK(facts.st_mode)) {
      std::string doubt;
      const std::string target = follow_link(next.get(), facts, &doubt);
      if (target.empty()) return doubtful(name, doubt);
      if (++links > kLinksMax) return doubtful(name, "is one symbolic link too many");
      if (target[0] == '/') current.reset(open_at(AT_FDCWD, "/", O_PATH | O_DIRECTORY));
      push_names(target, &names);
      continue;
    }
    if (!S_ISDIR(facts.st_mode)) return doubtful(name, "is a file, not a directory");
    const std::string doubt = distrust(facts, names.empty());
    if (!doubt.empty()) return doubtful(name, doubt);
    current.reset(next.take());
  }
  // A link may have led to the root, which was not looked at.
  struct stat facts;
  const int opened = open_at(current.get(), ".", O_RDONLY | O_DIRECTORY);
  if (opened < 0 || ::fstat(opened, &facts) != 0) {
    const int error = errno;
    if (opened >= 0) ::close(opened);
    return doubtful(path, "cannot be opened: " + errno_text(error));
  }
  if (const std::string doubt = distrust(facts, true); !doubt.empty()) {
    ::close(opened);
    return doubtful(path, doubt);
  }
  return opened;
}

}  // namespace netcl
