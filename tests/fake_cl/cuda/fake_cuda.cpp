// A stand-in for CUDA's driver (libcuda.so.1) that knows memory and copies alone: allocations are
// files without a name, addresses those of the host, so that a process without a GPU can share what
// the scripted OpenCL devices work on. It is stricter than the driver: without a current context
// nothing is done, and a GPU reaches the memory alone that cuMemSetAccess lets it.
//
// NETCL_FAKE_CUDA_FAIL="FUNCTION NTH CODE" makes one call of a function fail, counted from when the
// variable got this value. NETCL_FAKE_CUDA_MOST="DEVICE BYTES" is the largest allocation that there
// is memory for. fake_cuda_live counts what was not given back. fake_cuda_stall lets streams be
// busy for so many looks at them, or for good.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

#include "share/cuda_api.hpp"

using netcl::share::CudaAccess;
using netcl::share::CudaAllocation;
using netcl::share::CudaUuid;

namespace {

constexpr size_t kGranularity = size_t{2} << 20;
enum {
  kOk = 0,
  kInvalid = 1,
  kNotStarted = 3,
  kNoDevice = 101,
  kNoContext = 201,
  kNotMapped = 211,
  kNotReady = 600
};

struct State {
  std::mutex mutex;
  bool started = false;
  uint64_t next = 1;
  std::map<uint64_t, int> handles;  // to files
  std::map<uint64_t, size_t> reserved, mapped;
  std::map<uint64_t, int> access;  // who may use what is mapped, as bits
  int contexts = 0;
  int streams = 0;
};
// What enqueues a stream's work happens at once.
struct Stream {
  int device;
};
State& state() {
  static auto* const one = new State();
  return *one;
}
thread_local std::vector<void*> current;  // a device's number
int current_device() { return static_cast<int>(reinterpret_cast<intptr_t>(current.back())); }
// Nothing runs that was enqueued; memory that something may use is not taken away.
thread_local bool idle = false;

int injected(const char* function) {
  static auto* const mutex = new std::mutex();
  static auto* const last = new std::string();
  static int calls = 0;
  const char* given = std::getenv("NETCL_FAKE_CUDA_FAIL");
  if (given == nullptr) return kOk;
  const std::lock_guard<std::mutex> lock(*mutex);
  if (*last != given) {
    *last = given;
    calls = 0;
  }
  std::istringstream words(*last);
  std::string name;
  int nth = 0, code = kOk;
  if (!(words >> name >> nth >> code) || name != function) return kOk;
  return ++calls == nth ? code : kOk;
}

#define START                                                     \
  if (const int fake_code = injected(__func__)) return fake_code; \
  if (!state().started) return kNotStarted
#define START_IN_CONTEXT                  \
  START;                                  \
  if (current.empty()) return kNoContext; \
  const std::lock_guard<std::mutex> lock(state().mutex)

bool has_memory(int device, size_t bytes) {
  const char* given = std::getenv("NETCL_FAKE_CUDA_MOST");
  if (given == nullptr) return true;
  std::istringstream words(given);
  int limited = 0;
  size_t most = 0;
  return !(words >> limited >> most) || limited != device || bytes <= most;
}

// Looks at a stream that find it busy; -1: all.
std::atomic<int> stalled{0};

bool inside(uint64_t address, size_t bytes) {
  auto at = state().mapped.upper_bound(address);
  if (at == state().mapped.begin()) return false;
  --at;
  return address - at->first <= at->second && bytes <= at->second - (address - at->first);
}

bool reaches(int device, uint64_t address, size_t bytes) {
  if (!inside(address, bytes)) return false;
  const uint64_t begin = std::prev(state().mapped.upper_bound(address))->first;
  return (state().access[begin] >> device & 1) != 0;
}

}  // namespace

extern "C" {

int cuInit(unsigned) {
  if (const int code = injected(__func__)) return code;
  state().started = true;
  return kOk;
}
int cuGetErrorName(int code, const char** name) {
  *name = code == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_FAKE";
  return kOk;
}
int cuDeviceGetCount(int* count) {
  START;
  *count = 3;
  return kOk;
}
int cuDeviceGet(int* device, int ordinal) {
  START;
  *device = ordinal;
  return kOk;
}
// The scripted devices of OpenCL are the second one and the third.
int cuDeviceGetUuid(CudaUuid* uuid, int device) {
  START;
  std::memset(uuid->bytes, device == 0 ? 0x11 : 0x59 + device, sizeof uuid->bytes);
  return kOk;
}
int cuDevicePrimaryCtxRetain(void** context, int device) {
  START;
  if (device < 1 || device > 2) return kNoDevice;
  ++state().contexts;
  *context = reinterpret_cast<void*>(static_cast<intptr_t>(device));
  return kOk;
}
int cuDevicePrimaryCtxRelease_v2(int) {
  --state().contexts;
  return kOk;
}
int cuCtxPushCurrent_v2(void* context) {
  START;
  current.push_back(context);
  return kOk;
}
int cuCtxPopCurrent_v2(void** context) {
  if (current.empty()) return kNoContext;
  idle = false;
  *context = current.back();
  current.pop_back();
  return kOk;
}
int cuCtxSynchronize() {
  START_IN_CONTEXT;
  idle = true;
  return kOk;
}
int cuMemGetAllocationGranularity(size_t* bytes, const CudaAllocation* wanted, int) {
  START;
  if (wanted->type != 1 || wanted->location.type != 1 || wanted->location.id < 1) return kInvalid;
  *bytes = kGranularity;
  return kOk;
}
int cuMemCreate(uint64_t* handle, size_t bytes, const CudaAllocation* wanted, unsigned long long) {
  START_IN_CONTEXT;
  if (bytes == 0 || bytes % kGranularity != 0 || wanted->type != 1 || wanted->handle_types != 1 ||
      wanted->location.id != current_device()) {
    return kInvalid;
  }
  if (!has_memory(current_device(), bytes)) return 2;
  const int fd = ::memfd_create("fake-cuda", MFD_CLOEXEC);
  if (fd < 0 || ::ftruncate(fd, static_cast<off_t>(bytes)) != 0) return 2;
  *handle = state().next++;
  state().handles[*handle] = fd;
  return kOk;
}
int cuMemRelease(uint64_t handle) {
  START_IN_CONTEXT;
  const auto at = state().handles.find(handle);
  if (at == state().handles.end()) return kInvalid;
  ::close(at->second);
  state().handles.erase(at);
  return kOk;
}
// As the driver does, without close-on-exec.
int cuMemExportToShareableHandle(void* shareable, uint64_t handle, int type, unsigned long long) {
  START_IN_CONTEXT;
  const auto at = state().handles.find(handle);
  if (at == state().handles.end() || type != 1) return kInvalid;
  *static_cast<int*>(shareable) = ::dup(at->second);
  return kOk;
}
int cuMemImportFromShareableHandle(uint64_t* handle, void* shareable, int type) {
  START_IN_CONTEXT;
  const int fd = static_cast<int>(reinterpret_cast<intptr_t>(shareable));
  char path[64], target[64] = "";
  std::snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  if (type != 1 || ::readlink(path, target, sizeof target - 1) < 0 ||
      std::strncmp(target, "/memfd:fake-cuda", 16) != 0) {
    return kInvalid;
  }
  *handle = state().next++;
  state().handles[*handle] = ::dup(fd);
  return kOk;
}
int cuMemAddressReserve(uint64_t* address, size_t bytes, size_t, uint64_t, unsigned long long) {
  START_IN_CONTEXT;
  void* const memory =
      ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return 2;
  *address = reinterpret_cast<uintptr_t>(memory);
  state().reserved[*address] = bytes;
  return kOk;
}
int cuMemAddressFree(uint64_t address, size_t bytes) {
  START_IN_CONTEXT;
  if (state().mapped.count(address) != 0 || state().reserved.erase(address) == 0) return kInvalid;
  ::munmap(reinterpret_cast<void*>(address), bytes);
  return kOk;
}
int cuMemMap(uint64_t address, size_t bytes, size_t offset, uint64_t handle, unsigned long long) {
  START_IN_CONTEXT;
  const auto at = state().handles.find(handle);
  struct stat facts;
  if (at == state().handles.end() || offset != 0 || ::fstat(at->second, &facts) != 0 ||
      bytes != static_cast<size_t>(facts.st_size)) {
    return kInvalid;
  }
  ::mmap(reinterpret_cast<void*>(address), bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, at->second, 0);
  state().mapped[address] = bytes;
  state().access[address] = 0;
  return kOk;
}
int cuMemUnmap(uint64_t address, size_t bytes) {
  START_IN_CONTEXT;
  if (!idle || state().mapped.erase(address) == 0) return kInvalid;
  ::mmap(reinterpret_cast<void*>(address), bytes, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  return kOk;
}
int cuMemSetAccess(uint64_t address, size_t bytes, const CudaAccess* access, size_t count) {
  START_IN_CONTEXT;
  if (count != 1 || access->location.type != 1 || access->location.id < 1 ||
      access->location.id > 2 || access->flags != 3 || state().mapped.count(address) == 0) {
    return kInvalid;
  }
  state().access[address] |= 1 << access->location.id;
  return ::mprotect(reinterpret_cast<void*>(address), bytes, PROT_READ | PROT_WRITE) == 0
             ? kOk
             : kInvalid;
}
int cuMemcpyDtoH_v2(void* host, uint64_t address, size_t bytes) {
  START_IN_CONTEXT;
  if (!inside(address, bytes)) return kNotMapped;
  std::memcpy(host, reinterpret_cast<void*>(address), bytes);
  return kOk;
}
int cuMemcpyHtoD_v2(uint64_t address, const void* host, size_t bytes) {
  START_IN_CONTEXT;
  if (!inside(address, bytes)) return kNotMapped;
  std::memcpy(reinterpret_cast<void*>(address), host, bytes);
  return kOk;
}

// Two devices reach each other, unless NETCL_FAKE_CUDA_APART is set; the first one is none of them.
int cuDeviceCanAccessPeer(int* can, int device, int peer) {
  START;
  *can = device != peer && device >= 1 && peer >= 1 &&
         std::getenv("NETCL_FAKE_CUDA_APART") == nullptr;
  return kOk;
}
int cuStreamCreate(void** stream, unsigned flags) {
  START_IN_CONTEXT;
  if (flags != 1) return kInvalid;
  ++state().streams;
  *stream = new Stream{current_device()};
  return kOk;
}
int cuStreamDestroy_v2(void* stream) {
  START_IN_CONTEXT;
  --state().streams;
  delete static_cast<Stream*>(stream);
  return kOk;
}
int cuStreamQuery(void*) {
  START_IN_CONTEXT;
  if (stalled.load() == 0) return kOk;
  if (stalled.load() > 0) --stalled;
  return kNotReady;
}
int cuStreamSynchronize(void*) {
  START_IN_CONTEXT;
  // Where a driver would wait for ever.
  if (stalled.load() < 0) std::abort();
  stalled = 0;
  return kOk;
}
int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void* stream) {
  START_IN_CONTEXT;
  const int device = static_cast<const Stream*>(stream)->device;
  if (device != current_device()) return kNoContext;
  if (!reaches(device, to, bytes) || !reaches(device, from, bytes)) return kNotMapped;
  std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
  return kOk;
}
// Whether the current device may use this memory; for a stand-in of NCCL.
int fake_cuda_reaches(uint64_t address, size_t bytes) {
  START_IN_CONTEXT;
  return reaches(current_device(), address, bytes) ? 1 : 0;
}

// The looks that are left of the last number.
int fake_cuda_stall(int looks) { return stalled.exchange(looks); }

int fake_cuda_live(int contexts) {
  const std::lock_guard<std::mutex> lock(state().mutex);
  if (contexts != 0) return state().contexts;
  return static_cast<int>(state().handles.size() + state().reserved.size() + state().mapped.size() +
                          current.size()) +
         state().streams;
}

}  // extern "C"
