// The functions of NCCL that groups need, found at run time in libnccl.so.2: nothing of it is
// linked, and building needs no header of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace netcl::group {

// Types and numbers of nccl.h, whose binary interface grows and does not change.
struct NcclId {
  char bytes[128];
};
struct NcclConfig {  // as of 2.14; later members keep their defaults
  size_t size = sizeof(NcclConfig);
  unsigned magic = 0xcafebeef;
  unsigned version = 21400;
  int blocking = 0;
};
inline constexpr int kNcclInProgress = 7;
inline constexpr int kNcclVersionLeast = 21403;  // 2.14.3: communicators that do not block

enum NcclType {
  kNcclI8,
  kNcclU8,
  kNcclI32,
  kNcclU32,
  kNcclI64,
  kNcclU64,
  kNcclF16,
  kNcclF32,
  kNcclF64
};
enum NcclJoin { kNcclSum, kNcclProd, kNcclMax, kNcclMin };

#define NETCL_NCCL_FUNCTIONS(X)                                          \
  X(ncclGetVersion, (int*))                                              \
  X(ncclGetUniqueId, (NcclId*))                                          \
  X(ncclCommInitRankConfig, (void**, int, NcclId, int, NcclConfig*))     \
  X(ncclCommGetAsyncError, (void*, int*))                                \
  X(ncclCommAbort, (void*))                                              \
  X(ncclGroupStart, ())                                                  \
  X(ncclGroupEnd, ())                                                    \
  X(ncclSend, (const void*, size_t, int, int, void*, void*))             \
  X(ncclRecv, (void*, size_t, int, int, void*, void*))                   \
  X(ncclBroadcast, (const void*, void*, size_t, int, int, void*, void*)) \
  X(ncclAllReduce, (const void*, void*, size_t, int, int, void*, void*)) \
  X(ncclReduce, (const void*, void*, size_t, int, int, int, void*, void*))

struct NcclApi {
#define NETCL_NCCL_MEMBER(name, parameters) int(*name) parameters = nullptr;
  NETCL_NCCL_FUNCTIONS(NETCL_NCCL_MEMBER)
#undef NETCL_NCCL_MEMBER
  const char* (*ncclGetErrorString)(int) = nullptr;
  int version = 0;
  std::string problem;  // why there is no table, one line; empty when it is filled
};

// Opens the library at the first call: what NETCL_NCCL_LIBRARY names, else what the linker finds.
// The result lives until the process ends.
const NcclApi& nccl_api();

// "ncclSend: unhandled system error (2)".
std::string nccl_failure(const NcclApi& api, const char* call, int code);

}  // namespace netcl::group
