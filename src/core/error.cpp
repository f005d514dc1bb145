#include "core/error.hpp"

#include <cstdarg>
#include <cstdio>

namespace netcl {

static std::string format_list(const char* pattern, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, pattern, again);
  va_end(again);
  if (length <= 0) return std::string();
  std::string text(static_cast<size_t>(length), '\0');
  std::vsnprintf(text.data(), text.size() + 1, pattern, arguments);
  return text;
}

std::string format(const char* pattern, ...) {
  va_list arguments;
  va_start(arguments, pattern);
  std::string text = format_list(pattern, arguments);
  va_end(arguments);
  return text;
}

void fail(netcl_status status, const char* pattern, ...) {
  va_list arguments;
  va_start(arguments, pattern);
  std::string text = format_list(pattern, arguments);
  va_end(arguments);
  throw Error(status, std::move(text));
}

std::string quoted(const char* text, size_t limit) {
  if (text == nullptr) return "NULL";
  std::string out = "\"";
  for (size_t i = 0; text[i] != '\0'; ++i) {
    if (i == limit) {
      out += "...";
      break;
    }
    const unsigned char byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 || byte == 0x7f) {
      out += format("\\x%02x", byte);
    } else {
      out += static_cast<char>(byte);
    }
  }
  return out + "\"";
}

}  // namespace netcl
