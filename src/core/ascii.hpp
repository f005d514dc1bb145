// Characters of source code and of names, whatever the host's locale calls a letter.
#pragma once

#include <string_view>

namespace netcl {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
constexpr bool is_alphanumeric(char c) {
  return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z');
}
// What identifiers of C are made of.
constexpr bool is_word(char c) { return is_alphanumeric(c) || c == '_'; }
constexpr bool is_identifier(std::string_view text, size_t longest) {
  if (text.empty() || text.size() > longest || is_digit(text[0])) return false;
  for (const char c : text) {
    if (!is_word(c)) return false;
  }
  return true;
}
constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
// Without the blanks at both ends.
constexpr std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

constexpr bool same_ignoring_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

// Where `part` begins in `text`, from `at` on; npos where it does not.
constexpr size_t find_ignoring_case(std::string_view text, std::string_view part, size_t at = 0) {
  for (; at + part.size() <= text.size(); ++at) {
    if (same_ignoring_case(text.substr(at, part.size()), part)) return at;
  }
  return std::string_view::npos;
}

}  // namespace netcl
