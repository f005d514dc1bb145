#include "share/cuda_api.hpp"

#include "core/dynamic_library.hpp"
#include "core/error.hpp"
#include "core/immortal.hpp"

namespace netcl::share {

namespace {

void fill_table(CudaApi* api) {
  const OpenedLibrary opened = open_library("libcuda.so.1");
  if (opened.handle == nullptr) {
    api->problem = opened.problem;
    return;
  }
#define NETCL_CUDA_FIND(name, parameters, version)                              \
  if (!find_symbol(opened.handle, #name #version, &api->name)) {                \
    api->problem = format("%s has no %s", opened.path.c_str(), #name #version); \
    return;                                                                     \
  }
  NETCL_CUDA_FUNCTIONS(NETCL_CUDA_FIND)
#undef NETCL_CUDA_FIND
  if (const int code = api->cuInit(0); code != 0) {
    api->problem = opened.path + ": " + cuda_failure(*api, "cuInit", code);
  }
}

}  // namespace

const CudaApi& cuda_api() {
  static Immortal<CudaApi> g_api;
  static const bool g_filled = (fill_table(&*g_api), true);
  (void)g_filled;
  return *g_api;
}

std::string cuda_failure(const CudaApi& api, const char* call, int code) {
  const char* name = nullptr;
  if (api.cuGetErrorName(code, &name) != 0 || name == nullptr) name = "unknown code";
  return format("%s: %s (%d)", call, name, code);
}

}  // namespace netcl::share
