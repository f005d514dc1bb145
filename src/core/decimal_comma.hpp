// What messages say where somebody wrote a decimal comma.
#pragma once

#include <string_view>

#include "core/ascii.hpp"

namespace netcl {

// Whether the byte at `at` is a comma right between digits.
constexpr bool is_decimal_comma(std::string_view text, size_t at) noexcept {
  return at >= 1 && at + 1 < text.size() && text[at] == ',' && is_digit(text[at - 1]) &&
         is_digit(text[at + 1]);
}

// To be put at the end of a message about what stands there; "" elsewhere.
constexpr const char* decimal_hint(bool is_comma) noexcept {
  return is_comma ? "; decimal numbers are written with a point, as in 1.5" : "";
}

}  // namespace netcl
