// The rules for structs and texts that cross the interface; see "Structs" and "Text" in netcl.h.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

#include "core/error.hpp"

namespace netcl::api {

// A struct larger than this is a struct_size that was never set.
inline constexpr size_t kStructMax = 65536;

// Fails with INVALID_ARGUMENT when an output or data pointer is NULL.
inline void require(const void* pointer, const char* argument) {
  if (pointer == nullptr) fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is NULL", argument);
}

// A text that names something.
inline void require_text(const char* text, const char* argument) {
  require(text, argument);
  if (text[0] == '\0') fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is empty", argument);
}

// An array argument, whose count has the array's name and "_count".
inline void require_array(const void* array, uint32_t count, const char* argument) {
  if (array == nullptr && count > 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is NULL while %s_count is %u", argument, argument,
         count);
  }
}

inline void require_zero(uint64_t value, const char* member) {
  if (value != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %llu; reserved members must be 0", member,
         static_cast<unsigned long long>(value));
  }
}

inline void require_flag(uint32_t value, const char* member) {
  if (value > 1) fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %u; it is 0 or 1", member, value);
}

// The options as this library knows them. Every struct is at its first released size so far, so
// that is its smallest size too.
template <class Options>
Options read_options(const Options* given, const char* argument) {
  Options options;
  std::memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  if (given == nullptr) return options;
  const size_t size = given->struct_size;
  if (size < sizeof(Options) || size > kStructMax) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s->struct_size is %zu; sizeof the struct is %zu", argument,
         size, sizeof(Options));
  }
  const auto* bytes = reinterpret_cast<const unsigned char*>(given);
  for (size_t i = sizeof(Options); i < size; ++i) {
    if (bytes[i] != 0) {
      fail(NETCL_ERROR_UNSUPPORTED,
           "%s has a member at byte %zu that this version of the library "
           "(%zu bytes) does not know",
           argument, i, sizeof(Options));
    }
  }
  std::memcpy(&options, given, sizeof options);
  return options;
}

// Checks an information struct before anything is worked out for it.
template <class Info>
void check_info(const Info* info, const char* argument) {
  require(info, argument);
  if (info->struct_size < sizeof(size_t) || info->struct_size > kStructMax) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s->struct_size is %zu; sizeof the struct is %zu", argument,
         info->struct_size, sizeof(Info));
  }
}

// Writes as much as fits and zeroes the rest; struct_size stays the caller's.
template <class Info>
void write_info(Info* info, const Info& full) {
  const size_t size = info->struct_size;
  auto* bytes = reinterpret_cast<unsigned char*>(info);
  const auto* source = reinterpret_cast<const unsigned char*>(&full);
  const size_t known = std::min(size, sizeof(Info));
  std::memcpy(bytes + sizeof(size_t), source + sizeof(size_t), known - sizeof(size_t));
  std::memset(bytes + known, 0, size - known);
}

// Text through (buffer, capacity, length).
inline void write_text(const std::string& text, char* buffer, size_t capacity, size_t* length) {
  if (buffer == nullptr && capacity != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "buffer is NULL while capacity is %zu", capacity);
  }
  if (length != nullptr) *length = text.size();
  if (capacity == 0) return;
  const size_t count = std::min(text.size(), capacity - 1);
  std::memcpy(buffer, text.data(), count);
  buffer[count] = '\0';
}

}  // namespace netcl::api
