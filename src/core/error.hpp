// The one error type of the implementation. Exceptions carry a status and a finished message from
// where a fault is noticed to the guard at the C boundary, which is the only place that catches.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include "netcl.h"

namespace netcl {

class Error : public std::exception {
 public:
  Error(netcl_status status, std::string message, int32_t native_code = 0)
      : status_(status), native_code_(native_code), message_(std::move(message)) {}

  netcl_status status() const noexcept { return status_; }
  // The OpenCL code behind the error, 0 when no driver was involved.
  int32_t native_code() const noexcept { return native_code_; }
  const std::string& message() const noexcept { return message_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  netcl_status status_;
  int32_t native_code_;
  std::string message_;
};

// Formats like printf. A message is one line, names the argument and its value, and has no prefix.
std::string format(const char* pattern, ...) __attribute__((format(printf, 1, 2)));

[[noreturn]] void fail(netcl_status status, const char* pattern, ...)
    __attribute__((format(printf, 2, 3)));

[[noreturn]] inline void fail(netcl_status status, std::string message) {
  throw Error(status, std::move(message));
}

// In a catch block: what was caught, as an Error of its own. The message is short where there is no
// memory for it.
Error caught_error() noexcept;

// Text from a caller as it may stand in a message: at most `limit` bytes, control bytes escaped.
std::string quoted(const char* text, size_t limit = 80);

}  // namespace netcl
