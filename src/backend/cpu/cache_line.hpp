// What the loops take a processor's memory to be.
#pragma once

#include <cstddef>
#include <cstdint>

namespace netcl::cpu {

inline constexpr size_t kCacheLine = 64;
// Results of this size and more would only push other data out of the caches, and leave them before
// anyone reads them: writing past them saves reading the old contents.
inline constexpr int64_t kStreamBytes = int64_t{16} << 20;

}  // namespace netcl::cpu
