// JSON that the command reads.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_JSON_FILE_HPP
#define NETCL_TOOL_JSON_FILE_HPP

#include <cstdint>
#include <string>
#include <vector>

namespace netcl::tool {

/// A value of a JSON file. What is asked for by name and is not there, or of another kind, is a
/// ToolError that names it.
struct JsonValue {
  enum class Kind { kNull, kBoolean, kNumber, kText, kArray, kObject };

  Kind kind = Kind::kNull;
  bool boolean = false;
  double number = 0;
  std::string text;
  std::string name;  ///< of a member of an object
  std::vector<JsonValue> items;

  /// The member of an object; null when there is none.
  const JsonValue* find(const char* wanted) const;
  double number_of(const char* wanted) const;
  /// A number that is whole and not negative.
  uint64_t count_of(const char* wanted) const;
  bool boolean_of(const char* wanted) const;
  const std::string& text_of(const char* wanted) const;
  const JsonValue& array_of(const char* wanted) const;
};

/// Reads a file; throws ToolError naming it when it cannot be read, is no JSON, or has values that
/// lie more than 100 deep.
JsonValue read_json_file(const std::string& path);

}  // namespace netcl::tool

#endif  // NETCL_TOOL_JSON_FILE_HPP
