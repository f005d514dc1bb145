// Comparing what a kernel wrote with what it should have written.
#pragma once

#include <optional>
#include <string>

#include "tune/job.hpp"

namespace netcl::tune {

// The byte that outputs of a class of dtypes are filled with before a checked run: NaN in every
// float, and for the rest a pattern that changes from round to round, so that an element which is
// never written cannot be right twice.
unsigned char poison_byte(netcl_dtype dtype, uint32_t round) noexcept;

// What is wrong with the first element that lies outside the tolerance, and how many do:
// "element [3, 1] is 4.5 and should be 4.25; 7 of 64 differ". Nothing when all agree.
std::optional<std::string> describe_difference(const JobArgument& argument, const void* got,
                                               const void* want, uint32_t round);

}  // namespace netcl::tune
