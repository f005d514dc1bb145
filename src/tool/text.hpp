// Text for people and for programs: formatting with units, and a JSON writer.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_TEXT_HPP
#define NETCL_TOOL_TEXT_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace netcl::tool {

/// Returns what printf would print.
__attribute__((format(printf, 1, 2))) std::string format(const char* pattern, ...);

/// Returns a size with a binary unit: "64.0 MiB", "512 B".
std::string bytes_text(uint64_t bytes);

/// Returns a time with a unit that leaves three digits or so: "85 ns", "1.20 ms".
std::string time_text(double nanoseconds);

/// Returns a rate of bytes with a decimal unit: "12.1 GB/s".
std::string rate_text(double bytes, double nanoseconds);

/// A text that a record or a driver made up, for a terminal: control characters as \\x1b.
std::string visible(std::string_view text);

/// A number out of the whole of a text; else nothing, and in `hint` what to say of a decimal comma.
std::optional<double> read_decimal(const std::string& text, const char** hint);

/// The parts of a text between separators.
std::vector<std::string> split(std::string_view text, char separator);

/// A whole file; throws ToolError naming it when it cannot be read.
std::string read_file(const std::string& path);
/// As many of its first bytes as there are.
std::string read_start(const std::string& path, size_t most);
/// Replaces a file by a text; throws ToolError when that fails.
void write_file(const std::string& path, const std::string& text);
/// Fails as write_file would before any work is done for what it is to write.
void require_writable(const std::string& path);

/// Prints to stdout; every word the tool writes there goes through here.
__attribute__((format(printf, 1, 2))) void print(const char* pattern, ...);

/// Writes JSON, indented by two spaces, to stdout or to a text. Members keep the order of the
/// calls.
class Json {
 public:
  explicit Json(std::string* sink = nullptr) : sink_(sink) {}

  void begin_object(const char* key = nullptr) { begin(key, '{'); }
  void end_object() { end('}'); }
  void begin_array(const char* key = nullptr) { begin(key, '['); }
  void end_array() { end(']'); }

  void text(const char* key, std::string_view value);
  void integer(const char* key, uint64_t value);
  void real(const char* key, double value);
  void boolean(const char* key, bool value);
  void null(const char* key);
  /// A value that is JSON already.
  void raw(const char* key, std::string_view value);
  void integers(const char* key, const uint64_t* values, size_t count);

 private:
  void begin(const char* key, char bracket);
  void end(char bracket);
  void start_value(const char* key);
  __attribute__((format(printf, 2, 3))) void put(const char* pattern, ...);

  std::string* sink_;
  std::vector<bool> has_members_;
};

}  // namespace netcl::tool

#endif  // NETCL_TOOL_TEXT_HPP
