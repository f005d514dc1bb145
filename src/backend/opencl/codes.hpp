// OpenCL codes: their names, and what they mean as a status of netcl.
#pragma once

#include <cstdint>
#include <string>

#include "core/error.hpp"

namespace netcl::backend::opencl {

// "CL_OUT_OF_RESOURCES (-5)"; "unknown code (-12345)" for codes that no specification lists.
std::string code_text(int32_t code);

// "<call> failed: <code>"; of a call that succeeded and did not give what it promises, that.
std::string failure_text(const char* call, int32_t code);

// The status that a driver's code stands for, `fallback` for those that depend on the call, and for
// success, which is asked for where a call gave nothing. It is never OK, nor INTERNAL: a driver
// that fails is no fault of the library.
netcl_status status_of_code(int32_t code, netcl_status fallback) noexcept;

// Throws failure_text().
[[noreturn]] void fail_call(const char* call, int32_t code, netcl_status fallback);

inline void check(int32_t code, const char* call, netcl_status fallback) {
  if (code != 0) [[unlikely]]
    fail_call(call, code, fallback);
}

// Of a call that makes an object.
inline void check_made(const void* object, int32_t code, const char* call, netcl_status fallback) {
  if (code != 0 || object == nullptr) [[unlikely]]
    fail_call(call, code, fallback);
}

}  // namespace netcl::backend::opencl
