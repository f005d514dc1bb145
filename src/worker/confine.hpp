// Keeps whatever the worker starts within the reach of its end.
#pragma once

namespace netcl::worker {

// Limits what this process and all that it starts can do: no dumps of memory, no file of more than
// kFileBytesMost (of drivers' caches the largest hold some ten megabytes), no further privileges,
// no writing but where restrict_writes (writes.hpp) says, and no way out of its group.
void confine(const char* folder) noexcept;

inline constexpr unsigned long kFileBytesMost = 256ul << 20;

// Ends this process and its group.
[[noreturn]] void end_group() noexcept;

}  // namespace netcl::worker
