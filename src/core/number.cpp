#include "core/number.hpp"

#include <algorithm>
#include <cmath>

namespace netcl {

std::string real_text(double value) {
  char text[32];
  const char* const end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr;
  const char* const mark = std::find(static_cast<const char*>(text), end, 'e');
  int exponent = 0;
  std::from_chars(mark + (mark[1] == '+' ? 2 : 1), end, exponent);
  if (exponent < -4 || exponent >= 15) return std::string(static_cast<const char*>(text), end);
  std::string digits;
  for (const char* at = text; at != mark; ++at) {
    if (*at >= '0' && *at <= '9') digits += *at;
  }
  const std::string sign = std::signbit(value) ? "-" : "";
  if (exponent < 0) {
    return sign + "0." + std::string(static_cast<size_t>(-exponent - 1), '0') + digits;
  }
  const auto whole = static_cast<size_t>(exponent) + 1;
  digits.resize(std::max(digits.size(), whole + 1), '0');
  return sign + digits.insert(whole, 1, '.');
}

}  // namespace netcl
