// JSON in and out, through one door: texts of others are limited in size and depth, and an object
// that names a member twice is refused instead of losing one of the two.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace netcl {

using Json = nlohmann::ordered_json;

inline constexpr size_t kJsonBytesMost = size_t{64} << 20;

// Fails with CORRUPT_DATA naming `what` (a file, say), the byte and what is wrong there.
Json parse_json(std::string_view text, const char* what);

// True for a text that JSON can hold as it is.
bool is_utf8(std::string_view text);

}  // namespace netcl
