#include "core/error.hpp"

#include <algorithm>
#include <charconv>
#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace netcl {

template <class T>
static void append_number(T value, std::string* text) {
  char digits[24];
  text->append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

// The conversions that build options are made of, which every call of an op formats: vsnprintf
// takes microseconds for them. False at any other conversion.
static bool format_plain(const char* pattern, va_list arguments, std::string* text) {
  for (const char* at = pattern;;) {
    const char* const percent = std::strchr(at, '%');
    if (percent == nullptr) {
      text->append(at);
      return true;
    }
    text->append(at, percent);
    at = percent + 1;
    int longs = 0;
    while (*at == 'l' && longs < 2) ++longs, ++at;
    switch (*at++) {
      case 'd':
        if (longs == 2)
          append_number(va_arg(arguments, long long), text);
        else if (longs == 1)
          append_number(va_arg(arguments, long), text);
        else
          append_number(va_arg(arguments, int), text);
        break;
      case 'u':
        if (longs == 2)
          append_number(va_arg(arguments, unsigned long long), text);
        else if (longs == 1)
          append_number(va_arg(arguments, unsigned long), text);
        else
          append_number(va_arg(arguments, unsigned), text);
        break;
      case 's': {
        const char* const word = longs == 0 ? va_arg(arguments, const char*) : nullptr;
        if (word == nullptr) return false;
        text->append(word);
        break;
      }
      default:
        return false;
    }
  }
}

static std::string format_list(const char* pattern, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  std::string plain;
  const bool done = format_plain(pattern, again, &plain);
  va_end(again);
  if (done) return plain;
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

// Bytes of the UTF-8 character at `text`, 0 when it is not one that may stand in a message.
static size_t character_length(const char* text) {
  const auto byte = [text](size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return byte(0) >= 0x20 && byte(0) != 0x7f ? 1 : 0;
  const size_t length = byte(0) >= 0xf0 && byte(0) <= 0xf4 ? 4
                        : byte(0) >= 0xe0                  ? 3
                        : byte(0) >= 0xc2                  ? 2
                                                           : 0;
  if (byte(0) > 0xf4) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // Overlong forms, surrogates and what lies beyond the last character.
  if (length == 3 && ((byte(0) == 0xe0 && byte(1) < 0xa0) || (byte(0) == 0xed && byte(1) > 0x9f))) {
    return 0;
  }
  if (length == 4 && ((byte(0) == 0xf0 && byte(1) < 0x90) || (byte(0) == 0xf4 && byte(1) > 0x8f))) {
    return 0;
  }
  return length;
}

std::string quoted(const char* text, size_t limit) {
  if (text == nullptr) return "NULL";
  std::string out = "\"";
  for (size_t i = 0; text[i] != '\0';) {
    const size_t length = character_length(text + i);
    if (i + std::max<size_t>(length, 1) > limit) {
      out += "...";
      break;
    }
    if (length == 0) {
      out += format("\\x%02x", static_cast<unsigned char>(text[i]));
      ++i;
    } else {
      out.append(text + i, length);
      i += length;
    }
  }
  return out + "\"";
}

}  // namespace netcl
