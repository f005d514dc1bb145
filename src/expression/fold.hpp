// Arithmetic on literals while types are inferred. Literals have no dtype yet: integers are exact
// within the range of 64-bit types, floating values are doubles.
#pragma once

#include <cstdint>

#include "expression/op.hpp"

namespace netcl::expression {

// Holds every value of i64 and of u64.
__extension__ typedef __int128 Wide;

enum class ConstantKind : uint8_t { boolean, integer, floating };

struct Constant {
  ConstantKind kind = ConstantKind::integer;
  Wide integer = 0;  // of a boolean too
  double real = 0;

  double as_real() const noexcept {
    return kind == ConstantKind::floating ? real : static_cast<double>(integer);
  }
  bool truth() const noexcept {
    return kind == ConstantKind::floating ? real != 0 : integer != 0;
  }
};

// Applies an op to constants. Fails with INVALID_ARGUMENT when an integer leaves 64 bits or the op
// does not take floating values.
Constant fold(Op op, const Constant* args);

}  // namespace netcl::expression
