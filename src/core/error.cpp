#include "core/error.hpp"

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <new>

#include "core/number.hpp"
#include "core/plain_locale.hpp"
#include "core/utf8.hpp"

namespace netcl {

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
          *text += number_text(va_arg(arguments, long long));
        else if (longs == 1)
          *text += number_text(va_arg(arguments, long));
        else
          *text += number_text(va_arg(arguments, int));
        break;
      case 'u':
        if (longs == 2)
          *text += number_text(va_arg(arguments, unsigned long long));
        else if (longs == 1)
          *text += number_text(va_arg(arguments, unsigned long));
        else
          *text += number_text(va_arg(arguments, unsigned));
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
  const PlainLocale locale;
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

Error caught_error() noexcept {
  netcl_status status = NETCL_ERROR_OUT_OF_HOST_MEMORY;
  int32_t native_code = 0;
  try {
    try {
      throw;
    } catch (const Error& error) {
      status = error.status();
      native_code = error.native_code();
      return error;
    } catch (const std::bad_alloc&) {
      return Error(status, "the host is out of memory");
    } catch (const std::exception& error) {
      status = NETCL_ERROR_INTERNAL;
      return Error(status, error.what());
    } catch (...) {
      status = NETCL_ERROR_INTERNAL;
      return Error(status, "an unknown exception");
    }
  } catch (const std::bad_alloc&) {
    return Error(status, "no host memory", native_code);  // as long as a string holds in itself
  }
}

std::string quoted(const char* text, size_t limit) {
  if (text == nullptr) return "NULL";
  std::string out = "\"";
  for (size_t i = 0; text[i] != '\0';) {
    const auto first = static_cast<unsigned char>(text[i]);
    bool shown = true;
    size_t length = utf8_length({text + i, strnlen(text + i, 4)}, &shown);
    shown = shown && is_utf8_line({text + i, length});
    if (!shown) length = 1;
    if (i + length > limit) {
      out += "...";
      break;
    }
    if (!shown) {
      out += format("\\x%02x", first);
      ++i;
    } else {
      out.append(text + i, length);
      i += length;
    }
  }
  return out + "\"";
}

}  // namespace netcl
