#include "core/time_unit.hpp"

#include <algorithm>
#include <iterator>

#include "core/ascii.hpp"

namespace netcl {

double nanoseconds_per(std::string_view unit) noexcept {
  struct Unit {
    double nanoseconds;
    std::string_view names[6];
  };
  static constexpr Unit kUnits[] = {
      {1.0, {"ns", "nsec", "nsecond", "nanosecond", "nanoseconds", "nanosec"}},
      // The micro sign and the Greek letter look the same.
      {1e3, {"us", "usec", "usecond", "microsecond", "microseconds", "\xc2\xb5s"}},
      {1e3, {"\xce\xbcs", "microsec"}},
      {1e6, {"ms", "msec", "msecond", "millisecond", "milliseconds", "millisec"}},
      {1e9, {"s", "sec", "second", "seconds"}},
  };
  const auto same = [&](std::string_view name) {
    return !name.empty() && same_ignoring_case(name, unit);
  };
  for (const Unit& one : kUnits) {
    if (std::any_of(std::begin(one.names), std::end(one.names), same)) return one.nanoseconds;
  }
  return 0.0;
}

}  // namespace netcl
