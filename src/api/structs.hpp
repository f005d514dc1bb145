// The rules for structs and texts that cross the interface; see "Structs" and "Text" in netcl.h.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

#include "api/first_sizes.hpp"
#include "core/error.hpp"
#include "core/require.hpp"
#include "core/utf8.hpp"

namespace netcl::api {

// A struct larger than this is a struct_size that was never set.
inline constexpr size_t kStructMax = 65536;

// Fails with INVALID_ARGUMENT when an output or data pointer is NULL.
inline void require(const void* pointer, const char* argument) {
  if (pointer == nullptr) fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is NULL", argument);
}

// The same of a struct, whose name a caller looks up next.
template <class Struct>
void require_struct(const Struct* given, const char* argument) {
  static_assert(kStructName<Struct> != nullptr, "run bindings/generator/generate.py");
  if (given != nullptr) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is NULL; a %s is needed", argument, kStructName<Struct>);
}

inline std::string text_or_empty(const char* text) {
  return text == nullptr ? std::string() : text;
}

// A text that names something.
inline void require_text(const char* text, const char* argument) {
  require(text, argument);
  if (text[0] == '\0') fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is empty", argument);
}

// A name by which people find something in messages and reports: text of one line.
inline void require_name(const char* name, const char* argument) {
  require(name, argument);
  if (is_utf8_line(name)) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s; names are UTF-8 without control characters",
       argument, quoted(name).c_str());
}

// A count that is no larger than an array can be.
inline void require_most(uint32_t count, uint32_t most, const char* argument) {
  if (count <= most) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %u; the limit is %u", argument, count, most);
}

// An array argument, whose count has the array's name and "_count".
inline void require_array(const void* array, uint32_t count, const char* argument,
                          uint32_t most = NETCL_LIST_MAX) {
  if (count > most) require_most(count, most, (std::string(argument) + "_count").c_str());
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

inline void check_struct_size(size_t given, size_t least, size_t known, const char* argument) {
  if (given >= least && given <= kStructMax) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT,
       "%s->struct_size is %zu; sizeof the struct is %zu, and %zu the %s that is accepted%s",
       argument, given, known, given < least ? least : kStructMax,
       given < least ? "least" : "most",
       given == 0 ? "; begin with the struct's _INIT, which sets it" : "");
}

// A struct that the library reads, as this library knows it. A caller that was compiled against an
// older header gives a shorter one, whose missing members are 0; one that knows members which this
// library does not may leave them 0.
template <class Struct>
Struct read_struct(const Struct* given, const char* argument) {
  require_struct(given, argument);
  const size_t size = given->struct_size;
  check_struct_size(size, kFirstSize<Struct>, sizeof(Struct), argument);
  const auto* bytes = reinterpret_cast<const unsigned char*>(given);
  for (size_t i = sizeof(Struct); i < size; ++i) {
    if (bytes[i] != 0) {
      fail(NETCL_ERROR_UNSUPPORTED,
           "%s has a member at byte %zu that this version of the library "
           "(%zu bytes) does not know",
           argument, i, sizeof(Struct));
    }
  }
  Struct known;
  std::memset(&known, 0, sizeof known);
  std::memcpy(&known, given, std::min(size, sizeof known));
  known.struct_size = sizeof known;
  return known;
}

// The same for options, where NULL means all defaults.
template <class Options>
Options read_options(const Options* given, const char* argument) {
  if (given != nullptr) return read_struct(given, argument);
  Options options;
  std::memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  return options;
}

// Checks an information struct before anything is worked out for it.
template <class Info>
void check_info(const Info* info, const char* argument) {
  require_struct(info, argument);
  check_struct_size(info->struct_size, sizeof(size_t), sizeof(Info), argument);
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
