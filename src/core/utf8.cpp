#include "core/utf8.hpp"

namespace netcl {

static bool continues(char byte) noexcept {
  return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
}

size_t utf8_length(std::string_view rest, bool* sound) noexcept {
  const auto first = static_cast<unsigned char>(rest[0]);
  *sound = first < 0x80;
  if (first < 0xc2 || first > 0xf4) return 1;
  const size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  // The second byte decides whether the character is a longer form of another one, half of a
  // surrogate pair, or beyond U+10FFFF.
  const unsigned low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  for (size_t i = 1; i < length; ++i) {
    if (i >= rest.size() || !continues(rest[i])) return i;
    const auto byte = static_cast<unsigned char>(rest[i]);
    if (i == 1 && (byte < low || byte > high)) return i;
  }
  *sound = true;
  return length;
}

bool is_utf8(std::string_view text) noexcept {
  bool sound = true;
  while (sound && !text.empty()) text.remove_prefix(utf8_length(text, &sound));
  return sound;
}

bool is_utf8_line(std::string_view text) noexcept {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 || byte == 0x7f) return false;
    // U+0080 to U+009F
    if (byte == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0) {
      return false;
    }
  }
  return is_utf8(text);
}

std::string utf8_escaped(std::string_view text) {
  if (is_utf8(text)) return std::string(text);
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  while (!text.empty()) {
    bool sound = true;
    const size_t length = utf8_length(text, &sound);
    for (const char c : text.substr(0, length)) {
      const auto byte = static_cast<unsigned char>(c);
      if (!sound) {
        out += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
      } else {
        out += c == '\\' ? "\\\\" : std::string(1, c);
      }
    }
    text.remove_prefix(length);
  }
  return out;
}

std::string_view utf8_prefix(std::string_view text, size_t most) noexcept {
  if (text.size() <= most) return text;
  while (most > 0 && continues(text[most])) --most;
  return text.substr(0, most);
}

}  // namespace netcl
