#include "group/nccl_api.hpp"

#include "core/dynamic_library.hpp"
#include "core/environment.hpp"
#include "core/error.hpp"
#include "core/immortal.hpp"

namespace netcl::group {

namespace {

void fill_table(NcclApi* api) {
  const std::string& named = environment().nccl_library;
  const OpenedLibrary opened = open_library(named.empty() ? "libnccl.so.2" : named);
  if (opened.handle == nullptr) {
    api->problem = opened.problem;
    return;
  }
#define NETCL_NCCL_FIND(name, parameters)                              \
  if (!find_symbol(opened.handle, #name, &api->name)) {                \
    api->problem = format("%s has no %s", opened.path.c_str(), #name); \
    return;                                                            \
  }
  NETCL_NCCL_FUNCTIONS(NETCL_NCCL_FIND)
  NETCL_NCCL_FIND(ncclGetErrorString, )
#undef NETCL_NCCL_FIND
  if (const int code = api->ncclGetVersion(&api->version); code != 0) {
    api->problem = opened.path + ": " + nccl_failure(*api, "ncclGetVersion", code);
  } else if (api->version < kNcclVersionLeast) {
    api->problem = format("%s is NCCL %d; this needs %d", opened.path.c_str(), api->version,
                          kNcclVersionLeast);
  }
}

}  // namespace

const NcclApi& nccl_api() {
  static Immortal<NcclApi> g_api;
  static const bool g_filled = (fill_table(&*g_api), true);
  (void)g_filled;
  return *g_api;
}

std::string nccl_failure(const NcclApi& api, const char* call, int code) {
  const char* text = api.ncclGetErrorString(code);
  return format("%s: %s (%d)", call, text == nullptr ? "unknown code" : text, code);
}

}  // namespace netcl::group
