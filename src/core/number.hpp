// Numbers in texts that programs read (JSON, CSV, kernels, formulas, keys), and from them. Nothing
// here looks at the locale of the host, whose decimal point may be a comma.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace netcl {

// The shortest text that reads back as the same value: "16", "0.1", "1e+300"; "inf" and "nan" are
// for the caller to treat, because each language has words of its own for them.
template <class T>
std::string number_text(T value) {
  static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>);
  char text[32];
  return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

// The same for a finite double, with a point or an exponent always, so that it is read back as one:
// "16.0", "0.0001", "1e+300". Exponents stand where people write them: below -4 and from 15 on.
std::string real_text(double value);

// As "%.*g".
inline std::string general_text(double value, int digits) {
  char text[64];
  return std::string(
      text, std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits).ptr);
}

// As "%.*f".
inline std::string fixed_text(double value, int decimals) {
  char text[400];
  return std::string(
      text, std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, decimals).ptr);
}

// As "%a", without "0x".
inline std::string hexadecimal_text(double value) {
  char text[64];
  return std::string(text,
                     std::to_chars(text, text + sizeof text, value, std::chars_format::hex).ptr);
}

// Reads the number at the beginning of [first, last). `end` is behind it; it is nullptr where there
// is none and where T cannot hold it, which out_of_range then tells apart.
struct ReadNumber {
  const char* end;
  bool out_of_range;
};
template <class T>
ReadNumber read_number(const char* first, const char* last, T* value) {
  const std::from_chars_result result = std::from_chars(first, last, *value);
  return {result.ec == std::errc() ? result.ptr : nullptr,
          result.ec == std::errc::result_out_of_range};
}
inline ReadNumber read_hexadecimal(const char* first, const char* last, uint64_t* value) {
  const std::from_chars_result result = std::from_chars(first, last, *value, 16);
  return {result.ec == std::errc() ? result.ptr : nullptr,
          result.ec == std::errc::result_out_of_range};
}

// The whole of a text as one number; false where it is none.
template <class T>
bool parse_number(std::string_view text, T* value) {
  const char* const last = text.data() + text.size();
  return !text.empty() && read_number(text.data(), last, value).end == last;
}

}  // namespace netcl
