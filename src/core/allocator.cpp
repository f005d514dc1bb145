#include "core/allocator.hpp"

#include <sys/mman.h>

#include <cstdlib>

namespace netcl {

// What a vector of 16 doubles needs in OpenCL C, and two cache lines, which are read together.
static constexpr size_t kAlignment = 128;
static_assert(kAlignment % kHostAlignment == 0);

// From here on memory comes straight from the kernel: it can then be given back at once, and asking
// for huge pages saves most of the page faults of the first touch.
static constexpr size_t kMapThreshold = size_t{1} << 22;

HostMemory allocate_host(size_t bytes) noexcept {
  if (bytes == 0) bytes = 1;
  if (bytes < kMapThreshold) {
    void* memory = nullptr;
    if (posix_memalign(&memory, kAlignment, bytes) != 0) memory = nullptr;
    return HostMemory(memory, FreeHost{bytes});
  }
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return HostMemory();
#ifdef MADV_HUGEPAGE
  madvise(memory, bytes, MADV_HUGEPAGE);
#endif
  return HostMemory(memory, FreeHost{bytes});
}

void FreeHost::operator()(void* memory) const noexcept {
  if (bytes < kMapThreshold) {
    std::free(memory);
  } else {
    munmap(memory, bytes);
  }
}

}  // namespace netcl
