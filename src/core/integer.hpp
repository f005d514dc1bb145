// Arithmetic of sizes.
#pragma once

#include <algorithm>
#include <cstdint>

namespace netcl {

// How many pieces of `by` cover `value`, which is not negative; no sum that could overflow.
constexpr int64_t ceil_div(int64_t value, int64_t by) { return value / by + (value % by != 0); }
constexpr int64_t round_up(int64_t value, int64_t to) { return ceil_div(value, to) * to; }

// As printf takes it for %lld.
constexpr long long number(int64_t value) { return value; }

constexpr uint64_t largest_divisor_up_to(uint64_t value, uint64_t limit) {
  for (uint64_t candidate = std::min(value, limit); candidate > 1; --candidate) {
    if (value % candidate == 0) return candidate;
  }
  return 1;
}

}  // namespace netcl
