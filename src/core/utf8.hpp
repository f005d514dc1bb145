// Which bytes are a character: texts come from callers, drivers and files in any encoding, and JSON
// and messages hold UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace netcl {

// The bytes of the character that `rest`, which is not empty, begins with. Where it begins with
// none, *sound is false, and the length that of what one replacement character stands for.
size_t utf8_length(std::string_view rest, bool* sound) noexcept;

bool is_utf8(std::string_view text) noexcept;

// UTF-8 without control characters, among which line ends are.
bool is_utf8_line(std::string_view text) noexcept;

// The text itself where it is UTF-8. Else one that tells it from others that are not: bytes that
// are no character as \xff, and backslashes doubled. A text of UTF-8 may be written the same.
std::string utf8_escaped(std::string_view text);

// The text, or as much of it as fits into `most` bytes without the half of a character at the end.
std::string_view utf8_prefix(std::string_view text, size_t most) noexcept;

}  // namespace netcl
