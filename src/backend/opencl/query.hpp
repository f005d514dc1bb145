// Questions to a driver about platforms and devices. Answers are treated as hostile: bounded,
// cleaned to one line of UTF-8, and replaced by a fallback when the driver refuses.
#pragma once

#include <cstdint>
#include <string>

#include "backend/opencl/library.hpp"

namespace netcl::backend::opencl {

// Text up to the first NUL as one line: control bytes become blanks, bytes that are no UTF-8 become
// '?', blanks at both ends go, and what is longer than `limit` is cut at a character boundary.
std::string clean_text(const char* text, size_t length, size_t limit);

std::string platform_text(cl_platform_id platform, cl_platform_info what, size_t limit = 1024);
std::string device_text(cl_device_id device, cl_device_info what, size_t limit = 1024);

// A driver that is short of something for a moment refuses a question, and the answer may be kept
// for the life of the process (its list of devices): so it is asked again before that counts.
template <class Question>
cl_int ask(Question question) noexcept {
  cl_int code = CL_INVALID_VALUE;
  for (int tries = 0; tries < 3 && code != CL_SUCCESS; ++tries) {
    code = question();
    if (code == CL_DEVICE_NOT_FOUND || code == CL_PLATFORM_NOT_FOUND_KHR) break;
  }
  return code;
}

// A number of type T; `fallback` when the driver gives none of that size.
template <class T>
T device_value(cl_device_id device, cl_device_info what, T fallback) noexcept {
  T value{};
  size_t size = 0;
  const cl_int code =
      ask([&] { return cl().clGetDeviceInfo(device, what, sizeof(T), &value, &size); });
  return code == CL_SUCCESS && size == sizeof(T) ? value : fallback;
}

// The version in "OpenCL <major>.<minor> ...", as 10 * major + minor. Text that has none counts as
// 1.2, the oldest that is used: newer entry points are not called then.
int parse_version(const std::string& text) noexcept;

// True when a blank-separated list holds `word`.
bool has_word(const std::string& list, const char* word) noexcept;

}  // namespace netcl::backend::opencl
