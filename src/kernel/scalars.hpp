// The numbers among the arguments of a launch.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "netcl.h"

namespace netcl {

class Kernel;
struct LaunchArgument;

// The bytes of a scalar or of data; none for other arguments.
std::string_view plain_bytes(const LaunchArgument& argument);

// The arguments that say which problem a launch is, as numbers: integers, and below 0 what has no
// near ones, such as the bytes of local memory and hashes of what is no number. Floats are none of
// them, nor is what the specification leaves free.
struct Scalars {
  static constexpr size_t kMost = NETCL_TUNING_SCALARS_MAX;
  int64_t values[kMost];
  size_t count = 0;

  Scalars(const Kernel& kernel, std::span<const LaunchArgument> arguments);
  // The value of one argument when it is one integer of these.
  static std::optional<int64_t> integer(const Kernel& kernel, size_t index,
                                        const LaunchArgument& argument);
  std::span<const int64_t> all() const noexcept { return {values, count}; }

 private:
  void add(int64_t value);
  void add_bytes(const void* data, size_t size);
};

}  // namespace netcl
