// Spaces in T1 form, the JSON that Kernel Tuner, KTT and others exchange.
#pragma once

#include <string_view>

#include "tune/space.hpp"

namespace netcl::tune {

// Fails with CORRUPT_DATA naming the member that is missing, of another type, or a value list that
// is none.
Space space_from_t1(std::string_view text);

}  // namespace netcl::tune
