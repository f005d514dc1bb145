// The bytes of fills that need no random numbers.
#pragma once

#include <string>

#include "tune/job.hpp"

namespace netcl::tune {

// The packed bytes of zeros, a constant or a sequence. A number that an integer dtype cannot hold
// is cut to its nearest one, sequences of integers wrap.
std::string fill_bytes(const JobArgument& argument);
// The given bytes of an argument with its floats times a factor.
std::string scaled_bytes(const JobArgument& argument, double factor);

}  // namespace netcl::tune
