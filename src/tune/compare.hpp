// Comparing what a kernel wrote with what it should have written.
#pragma once

#include <cmath>
#include <optional>
#include <string>

#include "tune/job.hpp"

namespace netcl::tune {

// The byte that outputs of a class of dtypes are filled with before a run. It changes from round to
// round, so that an element which is never written cannot be right twice: floats are NaN in one
// round, which is wrong beside every number, and numbers in the next, so that a kernel which
// leaves alone what looks written is found out.
unsigned char poison_byte(netcl_dtype dtype, uint32_t round) noexcept;

// How far an element may lie from the reference, worked out from all of the latter.
struct Bounds {
  bool exact = false;
  double absolute = 0;
  double relative = 0;
  // No element may be off by more than this, but for the rounding of its own size.
  double most = INFINITY;
  double rounding = 0;
};
// `before`: what the elements were, null where that says nothing. Where the tolerance is the
// default an element may be off by a quarter of the largest change: no small step is within it.
Bounds comparison_bounds(const JobArgument& argument, const void* want,
                         const void* before = nullptr);

// Some elements of a tensor, in C order.
struct Stretch {
  uint64_t first = 0;
  uint64_t count = 0;
};

// What is wrong with the first element that lies outside the tolerance, and how many do:
// "element [3, 1] is 4.5 and should be 4.25; 7 of 64 differ". Nothing when all agree.
std::optional<std::string> describe_difference(const JobArgument& argument, const void* got,
                                               const void* want, uint32_t round);
// The same for a stretch; `got` and `want` begin with it.
std::optional<std::string> describe_difference(const JobArgument& argument, const Bounds& bounds,
                                               const Stretch& stretch, const void* got,
                                               const void* want, uint32_t round);

}  // namespace netcl::tune
