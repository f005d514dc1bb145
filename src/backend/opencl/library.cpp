#include "backend/opencl/library.hpp"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include <atomic>
#include <memory>
#include <mutex>

#include "core/dynamic_library.hpp"
#include "core/environment.hpp"
#include "core/error.hpp"
#include "core/immortal.hpp"

namespace netcl::backend::opencl {

namespace detail {
const Api* g_api = nullptr;
}

namespace {

constexpr const char* kLoader = "libOpenCL.so.1";

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

// The first required name that the loader lacks, nullptr when it has all.
const char* fill(void* handle, Api* api) {
  const char* missing = nullptr;
#define NETCL_CL_FIND(name) \
  if (!find_symbol(handle, #name, &api->name) && missing == nullptr) missing = #name;
  NETCL_CL_REQUIRED(NETCL_CL_FIND)
#undef NETCL_CL_FIND
#define NETCL_CL_FIND(name) find_symbol(handle, #name, &api->name);
  NETCL_CL_OPTIONAL(NETCL_CL_FIND)
#undef NETCL_CL_FIND
  return missing;
}

void open_loader(Library* result) {
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
  const OpenedLibrary opened = open_library(name);
  result->problem = opened.problem;
  if (opened.handle == nullptr) return;
  result->path = opened.path;
  if (secure_process() && !reads_environment_securely(result->path)) {
    result->problem = format(
        "%s is not used in a set-uid program: it takes libraries to load from "
        "the environment",
        result->path.c_str());
  } else if (const char* missing = fill(opened.handle, &result->api)) {
    result->problem = format("%s has no %s: it is no loader of OpenCL 1.2 or later",
                             result->path.c_str(), missing);
  }
  // A loader that turned out useless has started nothing yet; a used one stays for ever.
  if (!result->problem.empty()) dlclose(opened.handle);
}

}  // namespace

const Library& library() {
  static std::atomic<Library*> g_library{nullptr};
  static Immortal<std::mutex> g_mutex;
  if (Library* ready = g_library.load(std::memory_order_acquire)) return *ready;
  std::lock_guard<std::mutex> lock(*g_mutex);
  if (Library* ready = g_library.load(std::memory_order_relaxed)) return *ready;
  auto made = std::make_unique<Library>();
  open_loader(made.get());
  if (made->problem.empty()) detail::g_api = &made->api;
  g_library.store(made.get(), std::memory_order_release);
  return *made.release();
}

}  // namespace netcl::backend::opencl
