// The OpenCL C functions that expressions call beside the built-in ones.
#pragma once

#include <cstdint>
#include <string>

#include "expression/op.hpp"
#include "netcl.h"

namespace netcl::expression {

// A function as a template over its argument's dtype, its result's dtype and the vector width.
//   $T $R  argument and result type      $U     unsigned integer type of $T's size
//   $w     the width                     $N     the width, nothing for 1
//   $b     bits of an element            $f     suffix of a floating literal of $T
//   $m     widens a narrow factor        $M $V  -1, and the quotient of x by it
//   $A     magnitude of x                $(x)   the helper x of the same dtype
//   $S     the sign bit of $T as $U, 0 of unsigned types
//   $I     signed integer type of $T's size
struct Helper {
  const char* name;
  bool floating;              // for floating or for integer arguments
  const char* text;           // parameters and body
  const char* needs[2];       // helpers that it calls
  bool needs_f32;             // those are the f32 ones
};

// The helper of this name; it must exist.
const Helper& find_helper(const char* name, bool floating);

// The built-in function that does an op, nullptr when it takes a helper.
const char* builtin_name(Op op, bool floating);

std::string helper_name(const Helper& helper, netcl_dtype from, netcl_dtype to, uint32_t width);
std::string helper_text(const Helper& helper, netcl_dtype from, netcl_dtype to, uint32_t width);

// The macros that hide how scalars and vectors differ in comparisons and choices.
std::string helper_macros(uint32_t width);

// The signed integer dtype of the same size; comparisons of vectors give that type.
netcl_dtype signed_twin(netcl_dtype dtype);

}  // namespace netcl::expression
