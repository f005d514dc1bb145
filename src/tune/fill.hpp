// The bytes of fills that need no random numbers.
#pragma once

#include <string>

#include "tune/job.hpp"

namespace netcl::tune {

// The packed bytes of zeros, a constant or a sequence. A number that an integer dtype cannot hold
// is cut to its nearest one, sequences of integers wrap.
std::string fill_bytes(const JobArgument& argument);

}  // namespace netcl::tune
