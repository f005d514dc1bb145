#include "tune/worker_path.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "core/dynamic_library.hpp"
#include "core/environment.hpp"
#include "core/error.hpp"
#include "core/file.hpp"

namespace netcl::tune {

namespace {

// Why a file cannot be the worker; empty when it can.
std::string fault_of(const std::string& path) {
  struct stat facts;
  if (::stat(path.c_str(), &facts) != 0) return errno_text(errno);
  if (!S_ISREG(facts.st_mode)) return "it is no file";
  // Whoever writes there would have this user run it.
  if ((facts.st_mode & S_IWOTH) != 0) return "everybody can write it";
  if (::access(path.c_str(), X_OK) != 0) return errno_text(errno);
  return "";
}

std::vector<std::string> candidates(const std::string& given) {
  if (!given.empty()) return {given};
  if (!environment().worker.empty()) return {environment().worker};
  const std::string folder = own_folder();
  if (folder.empty()) return {};
  // As installed, as installed elsewhere with the library in lib or below it, as built.
  return {folder + "/" NETCL_WORKER_FROM_LIBRARY, folder + "/../libexec/netcl/netcl-worker",
          folder + "/../../libexec/netcl/netcl-worker", folder + "/netcl-worker"};
}

}  // namespace

std::string find_worker(const std::string& given) {
  std::string tried;
  for (const std::string& path : candidates(given)) {
    const std::string fault = fault_of(path);
    if (fault.empty()) return path;
    const std::string line = quoted(path.c_str(), 200) + " (" + fault + ")";
    if (tried.find(line) == std::string::npos) tried += (tried.empty() ? "" : ", ") + line;
  }
  if (tried.empty()) tried = "nothing, as the library's own folder is not known";
  fail(NETCL_ERROR_UNSUPPORTED,
       "there is no netcl-worker to run candidates in; tried %s. NETCL_WORKER can name it",
       tried.c_str());
}

}  // namespace netcl::tune
