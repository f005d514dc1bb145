// What every layer asks of an argument in the same words.
#pragma once

#include "core/error.hpp"

namespace netcl {

// A truth value; `member` is its name for the caller, behind `owner` where that is a struct of
// several names.
inline void require_flag(uint32_t value, const char* member, const char* owner = nullptr) {
  if (value <= 1) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s%s%s is %u; it is 0 or 1", owner == nullptr ? "" : owner,
       owner == nullptr ? "" : "->", member, value);
}

}  // namespace netcl
