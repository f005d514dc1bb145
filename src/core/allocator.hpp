// The one place where the library takes large or aligned host memory, so that a test can make any
// allocation fail and a limit can be put in one spot.
#pragma once

#include <cstddef>
#include <memory>

namespace netcl {

inline constexpr size_t kHostAlignment = 64;  // a cache line, and the widest SIMD load

struct FreeHost {
  size_t bytes = 0;
  void operator()(void* memory) const noexcept;
};
using HostMemory = std::unique_ptr<void, FreeHost>;

// Memory aligned to twice kHostAlignment; huge pages are asked for where they pay. nullptr when
// there is none.
HostMemory allocate_host(size_t bytes) noexcept;

}  // namespace netcl
