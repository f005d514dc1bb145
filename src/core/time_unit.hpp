// Units of time in files that others write.
#pragma once

#include <string_view>

namespace netcl {

// The nanoseconds of a unit: ns, us, ms or s, also as Nsight Compute ("msecond") or people
// ("milliseconds") write it, in letters of any case; 0 for what is none of time.
double nanoseconds_per(std::string_view unit) noexcept;

}  // namespace netcl
