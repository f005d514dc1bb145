#include "backend/opencl/library.hpp"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

#include <atomic>
#include <memory>
#include <mutex>

#include "core/environment.hpp"
#include "core/error.hpp"
#include "core/immortal.hpp"

namespace netcl::backend::opencl {

namespace detail {
const Api* g_api = nullptr;
}

namespace {

constexpr const char* kLoader = "libOpenCL.so.1";

// True in a program without a dynamic linker: what dlopen() loads there comes with a C library of
// its own, which nobody has set up, and crashes. The first object listed is the program.
bool linked_statically() noexcept {
  bool dynamic = false;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* result) {
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          if (info->dlpi_phdr[i].p_type == PT_INTERP) *static_cast<bool*>(result) = true;
        }
        return 1;
      },
      &dynamic);
  return !dynamic;
}

// dlerror() may be NULL when another thread's call consumed the message.
std::string dl_error() {
  const char* text = dlerror();
  return text != nullptr ? text : "no reason given";
}

std::string file_of(void* handle) {
  link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr || map->l_name == nullptr) {
    return std::string();
  }
  return map->l_name;
}

// True when the file mentions secure_getenv. A loader that reads OCL_ICD_VENDORS or OPENCL_LAYERS
// with plain getenv() lets the caller of a set-uid program choose code that runs in it.
bool reads_environment_securely(const std::string& path) {
  std::unique_ptr<FILE, int (*)(FILE*)> file(fopen(path.c_str(), "rbe"), &fclose);
  if (!file) return false;
  constexpr char kName[] = "secure_getenv";
  constexpr size_t kOverlap = sizeof(kName) - 2;
  char block[4096 + kOverlap];
  size_t kept = 0;
  for (;;) {
    const size_t got = fread(block + kept, 1, sizeof(block) - kept, file.get());
    if (got == 0) return false;
    const size_t filled = kept + got;
    if (memmem(block, filled, kName, sizeof(kName) - 1) != nullptr) return true;
    kept = filled < kOverlap ? filled : kOverlap;
    memmove(block, block + filled - kept, kept);
  }
}

template <class Function>
bool find(void* handle, const char* name, Function* function) {
  void* symbol = dlsym(handle, name);
  static_assert(sizeof(symbol) == sizeof(*function));
  memcpy(function, &symbol, sizeof(symbol));
  return symbol != nullptr;
}

// The first required name that the loader lacks, nullptr when it has all.
const char* fill(void* handle, Api* api) {
  const char* missing = nullptr;
#define NETCL_CL_FIND(name) \
  if (!find(handle, #name, &api->name) && missing == nullptr) missing = #name;
  NETCL_CL_REQUIRED(NETCL_CL_FIND)
#undef NETCL_CL_FIND
#define NETCL_CL_FIND(name) find(handle, #name, &api->name);
  NETCL_CL_OPTIONAL(NETCL_CL_FIND)
#undef NETCL_CL_FIND
  return missing;
}

void open_library(Library* result) {
  const std::string& asked = environment().opencl_library;
  std::string name = kLoader;
  if (!asked.empty() && !secure_process()) {
    if (asked[0] != '/') {
      result->problem = format("NETCL_OPENCL_LIBRARY is %s: not an absolute path",
                               quoted(asked.c_str(), 200).c_str());
      return;
    }
    name = asked;
  }
  if (linked_statically()) {
    result->problem = format(
        "%s is not opened: this program is linked with -static, and drivers of OpenCL need one "
        "that "
        "is linked dynamically (netcl itself may be static)",
        name.c_str());
    return;
  }
  void* handle = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (handle == nullptr) {
    result->problem = format("%s cannot be opened: %s", name.c_str(), dl_error().c_str());
    return;
  }
  result->path = file_of(handle);
  if (secure_process() && !reads_environment_securely(result->path)) {
    result->problem = format(
        "%s is not used in a set-uid program: it takes libraries to load from "
        "the environment",
        result->path.c_str());
  } else if (const char* missing = fill(handle, &result->api)) {
    result->problem = format("%s has no %s: it is no loader of OpenCL 1.2 or later",
                             result->path.c_str(), missing);
  }
  // A loader that turned out useless has started nothing yet; a used one stays for ever.
  if (!result->problem.empty()) dlclose(handle);
}

}  // namespace

bool secure_process() noexcept { return getauxval(AT_SECURE) != 0; }

const Library& library() {
  static std::atomic<Library*> g_library{nullptr};
  static Immortal<std::mutex> g_mutex;
  if (Library* ready = g_library.load(std::memory_order_acquire)) return *ready;
  std::lock_guard<std::mutex> lock(*g_mutex);
  if (Library* ready = g_library.load(std::memory_order_relaxed)) return *ready;
  auto made = std::make_unique<Library>();
  open_library(made.get());
  if (made->problem.empty()) detail::g_api = &made->api;
  g_library.store(made.get(), std::memory_order_release);
  return *made.release();
}

}  // namespace netcl::backend::opencl
