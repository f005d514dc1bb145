// The one place where the library takes large or aligned host memory, so that a test can make any
// allocation fail and a limit can be put in one spot.
#pragma once

#include <cstddef>

namespace netcl {

inline constexpr size_t kHostAlignment = 64;  // a cache line, and the widest SIMD load

// Memory aligned to kHostAlignment; huge pages are asked for where they pay. nullptr on failure.
void* allocate_host(size_t bytes) noexcept;
void free_host(void* memory, size_t bytes) noexcept;

}  // namespace netcl
