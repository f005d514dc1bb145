// Statistics of times, whoever took them: nothing here knows a device or a clock.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "netcl.h"

namespace netcl::timing {

inline constexpr double kConfidence = 0.95;
inline constexpr double kPrecision = 0.005;

// Fills `count` to `confidence`; the rest is left alone. Fails with INVALID_ARGUMENT naming the
// first sample that is negative or no number, and for no samples at all. The confidence is the one
// wanted, 0 stands for kConfidence; what comes back is that of the interval.
void compute_statistics(std::span<const double> samples, double confidence,
                        netcl_statistics* statistics);

// The same to the usual confidence; without samples all zero.
netcl_statistics statistics_of(std::span<const double> samples);

// The value below which lies the share `p` of sorted samples, of which there is at least one:
// linear interpolation between the two nearest order statistics (Hyndman and Fan 1996, type 7).
double quantile(std::span<const double> sorted, double p);

// The ratio of two medians with a bootstrap interval, the same for the same seed. A precision of 0
// stands for kPrecision. Times of 0 on both sides are the same; of 0 on one, the ratio is 0 or
// infinite.
void compare_samples(std::span<const double> first, std::span<const double> second,
                     double confidence, double precision, uint64_t seed,
                     netcl_comparison* comparison);

// Half the width of the median's interval over the median; 0 when the median is 0, so that a clock
// that saw nothing ends a measurement instead of keeping it up for ever.
double relative_half_width(const netcl_statistics& statistics);

// "16.46 ms": four digits and the unit that suits them.
std::string time_text(double nanoseconds);

}  // namespace netcl::timing
