#include "core/dynamic_library.hpp"

#include <link.h>
#include <sys/auxv.h>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <new>

#include "core/error.hpp"

namespace netcl {

// True in a program without a dynamic linker: what dlopen() loads there comes with a C library of
// its own, which nobody has set up, and crashes. The first object listed is the program.
static bool linked_statically() noexcept {
  bool dynamic = false;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* result) {
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          if (info->dlpi_phdr[i].p_type == PT_INTERP) *static_cast<bool*>(result) = true;
        }
        return 1;
      },
      &dynamic);
  return !dynamic;
}

static std::string file_of(void* handle) {
  link_map* map = nullptr;
  if (::dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr || map->l_name == nullptr) {
    return std::string();
  }
  return map->l_name;
}

bool secure_process() noexcept { return ::getauxval(AT_SECURE) != 0; }

OpenedLibrary open_library(const std::string& name) {
  OpenedLibrary result;
  if (linked_statically()) {
    result.problem = format(
        "%s is not opened: this program is linked with -static, and other libraries need one that "
        "is linked dynamically (netcl itself may be static)",
        name.c_str());
    return result;
  }
  errno = 0;
  result.handle = ::dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (result.handle == nullptr) {
    result.no_memory = errno == ENOMEM;
    // NULL when another thread's call consumed the message.
    const char* const reason = ::dlerror();
    result.problem = format("%s cannot be opened: %s", name.c_str(),
                            reason != nullptr ? reason : "no reason given");
  } else {
    result.path = file_of(result.handle);
  }
  return result;
}

std::string own_folder() {
  Dl_info info;
  if (::dladdr(reinterpret_cast<const void*>(&own_folder), &info) == 0 ||
      info.dli_fname == nullptr) {
    return std::string();
  }
  errno = 0;
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(info.dli_fname, nullptr),
                                                         &std::free);
  if (real == nullptr && errno == ENOMEM) throw std::bad_alloc();
  if (real == nullptr) return std::string();
  const std::string path = real.get();
  return path.substr(0, path.rfind('/'));
}

}  // namespace netcl
