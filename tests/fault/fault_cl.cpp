// The library that fault_cl.h tells of: its two ways in, and its table.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "wrap.hpp"

#include <CL/cl_icd.h>
#include <CL/cl_layer.h>

#define EXPORT __attribute__((visibility("default")))
#define FAULT_FUNCTIONS(X) FAULT_CORE_FUNCTIONS(X) FAULT_EXTENSION_FUNCTIONS(X)
#define WRAPPED(name) fault::Wrapped<fault::k_##name, decltype(&::name)>

namespace fault {

void* next[kFunctions];

const char* name_of(int function) {
  static const char* const kNames[] = {
#define X(name) #name,
      FAULT_FUNCTIONS(X)
#undef X
  };
  return kNames[function];
}

void find_next() {
  static std::once_flag once;
  read_environment();
  std::call_once(once, [] {
    if (next[0] != nullptr) return;  // a layer
    const char* const asked = std::getenv("NETCL_FAULT_OPENCL");
    void* const real = dlopen(asked != nullptr ? asked : "libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (real == nullptr) {
      std::fprintf(stderr, "libfault_cl.so: %s\n", dlerror());
      std::abort();
    }
#define X(name) next[k_##name] = dlsym(real, #name);
    FAULT_CORE_FUNCTIONS(X)
#undef X
  });
}

namespace {

// The address of a function of an extension: this library's, where it stands in front of it.
void* by_name(const char* name, void* address) {
  if (address == nullptr || name == nullptr) return address;
#define X(known)                                              \
  if (std::strcmp(name, #known) == 0) {                       \
    void*& place = next[k_##known];                           \
    if (place != nullptr && place != address) return address; \
    place = address;                                          \
    return reinterpret_cast<void*>(&WRAPPED(known)::call);    \
  }
  FAULT_EXTENSION_FUNCTIONS(X)
#undef X
  return address;
}

void* extension_of_platform(cl_platform_id platform, const char* name) {
  return by_name(name, WRAPPED(clGetExtensionFunctionAddressForPlatform)::call(platform, name));
}
void* extension(const char* name) {
  return by_name(name, WRAPPED(clGetExtensionFunctionAddress)::call(name));
}

// Makes several objects at once.
cl_int kernels_in_program(cl_program program, cl_uint room, cl_kernel* kernels, cl_uint* count) {
  cl_uint made = 0;
  const cl_int code = WRAPPED(clCreateKernelsInProgram)::call(program, room, kernels, &made);
  if (count != nullptr) *count = made;
  if (code != CL_SUCCESS || kernels == nullptr) return code;
  for (cl_uint i = 0; i < made; ++i) ledger().made(FAULT_KERNEL, kernels[i]);
  return code;
}

const char* gives(int function) {
  static const char* const kGives[] = {
#define X(name) WRAPPED(name)::gives(),
      FAULT_FUNCTIONS(X)
#undef X
  };
  return kGives[function];
}

}  // namespace

// What programs are given for a function.
template <Function function, class Type>
Type entry(Type wrapped) {
  if constexpr (function == k_clGetExtensionFunctionAddressForPlatform) {
    return &extension_of_platform;
  } else if constexpr (function == k_clGetExtensionFunctionAddress) {
    return &extension;
  } else if constexpr (function == k_clCreateKernelsInProgram) {
    return &kernels_in_program;
  } else {
    return wrapped;
  }
}

}  // namespace fault

#define ENTRY(name) fault::entry<fault::k_##name>(&WRAPPED(name)::call)

// ---- As a loader: functions under the names of OpenCL

#define X(name)                                                               \
  extern "C" __attribute__((used)) decltype(&::name) fault_resolve_##name();  \
  extern "C" __attribute__((used)) decltype(&::name) fault_resolve_##name() { \
    return ENTRY(name);                                                       \
  }                                                                           \
  extern "C" EXPORT decltype(::name) name __attribute__((ifunc("fault_resolve_" #name)));
FAULT_CORE_FUNCTIONS(X)
#undef X

// ---- As a layer

extern "C" EXPORT cl_int clGetLayerInfo(cl_layer_info what, size_t size, void* value,
                                        size_t* needed) {
  static constexpr char kName[] = "netcl fault injection";
  static constexpr cl_layer_api_version kVersion = CL_LAYER_API_VERSION_100;
  const void* const answer =
      what == CL_LAYER_API_VERSION ? static_cast<const void*>(&kVersion) : kName;
  const size_t bytes = what == CL_LAYER_API_VERSION ? sizeof(kVersion) : sizeof(kName);
  if (what != CL_LAYER_API_VERSION && what != CL_LAYER_NAME) return CL_INVALID_VALUE;
  if (value != nullptr && size < bytes) return CL_INVALID_VALUE;
  if (value != nullptr) std::memcpy(value, answer, bytes);
  if (needed != nullptr) *needed = bytes;
  return CL_SUCCESS;
}

extern "C" EXPORT cl_int clInitLayer(cl_uint count, const cl_icd_dispatch* target,
                                     cl_uint* count_given, const cl_icd_dispatch** given) {
  static cl_icd_dispatch table;
  if (target == nullptr || count_given == nullptr || given == nullptr) return CL_INVALID_VALUE;
  const size_t bytes = sizeof(void*) * count;
  if (bytes < sizeof(table)) return CL_INVALID_VALUE;
  table = *target;
#define X(name)                                                         \
  fault::next[fault::k_##name] = reinterpret_cast<void*>(target->name); \
  if (target->name != nullptr) table.name = ENTRY(name);
  FAULT_CORE_FUNCTIONS(X)
#undef X
  *count_given = static_cast<cl_uint>(sizeof(table) / sizeof(void*));
  *given = &table;
  return CL_SUCCESS;
}

// ---- For tests

extern "C" EXPORT const FaultControl* fault_cl_control(void) {
  static const FaultControl kControl = {
      fault::kFunctions,
      fault::name_of,
      fault::gives,
      [](int function) { return fault::plan().calls(function); },
      [] { fault::plan().reset_calls(); },
      [](int function, uint64_t nth, FaultAction action, int value) {
        fault::plan().arm(function, nth, action, value);
      },
      [] { return fault::plan().disarm(); },
      [](FaultKind kind) { return fault::ledger().live(kind); },
      [](FaultKind kind) { return fault::ledger().made_of(kind); },
      [] { return fault::ledger().over_released(); }};
  return &kControl;
}
