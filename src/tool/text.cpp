// SPDX-License-Identifier: Apache-2.0
#include "text.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "owned.hpp"

namespace netcl::tool {
namespace {

constexpr size_t kFileBytesMost = size_t{256} << 20;

std::string vformat(const char* pattern, va_list arguments) {
  va_list copy;
  va_copy(copy, arguments);
  const int length = std::vsnprintf(nullptr, 0, pattern, copy);
  va_end(copy);
  if (length <= 0) return {};
  std::string result(static_cast<size_t>(length), '\0');
  std::vsnprintf(result.data(), result.size() + 1, pattern, arguments);
  return result;
}

// Returns the bytes of the well-formed UTF-8 character that `text` begins with, 0 when there is
// none. Drivers give names in whatever encoding their authors used, and JSON must be UTF-8.
size_t character_length(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const bool overlong = (lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xf0 && byte(1) < 0x90);
  const bool outside = (lead == 0xed && byte(1) > 0x9f) || (lead == 0xf4 && byte(1) > 0x8f);
  return overlong || outside ? 0 : length;
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const size_t length = character_length(text);
    const char first = text[0];
    if (length == 0) {
      result += "\\ufffd";
    } else if (first == '"' || first == '\\') {
      result += '\\';
      result += first;
    } else if (first == '\n') {
      result += "\\n";
    } else if (static_cast<unsigned char>(first) < 0x20) {
      result += format("\\u%04x", static_cast<unsigned>(first));
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result + '"';
}

}  // namespace

std::string format(const char* pattern, ...) {
  va_list arguments;
  va_start(arguments, pattern);
  std::string result = vformat(pattern, arguments);
  va_end(arguments);
  return result;
}

void print(const char* pattern, ...) {
  va_list arguments;
  va_start(arguments, pattern);
  std::vprintf(pattern, arguments);
  va_end(arguments);
}

std::string bytes_text(uint64_t bytes) {
  static constexpr const char* kUnits[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return format("%llu B", static_cast<unsigned long long>(bytes));
  double value = static_cast<double>(bytes) / 1024.0;
  size_t unit = 0;
  for (; value >= 1024.0 && unit + 1 < sizeof kUnits / sizeof kUnits[0]; ++unit) value /= 1024.0;
  // Sizes are mostly powers of two; a ".0" after each would be noise.
  const bool whole = value == std::floor(value);
  return format(whole ? "%.0f %s" : "%.1f %s", value, kUnits[unit]);
}

std::string time_text(double nanoseconds) {
  if (nanoseconds < 1e3) return format("%.0f ns", nanoseconds);
  if (nanoseconds < 1e6) return format("%.1f us", nanoseconds / 1e3);
  if (nanoseconds < 1e9) return format("%.2f ms", nanoseconds / 1e6);
  return format("%.2f s", nanoseconds / 1e9);
}

std::string rate_text(double bytes, double nanoseconds) {
  return format("%.2f GB/s", nanoseconds > 0 ? bytes / nanoseconds : 0.0);
}

std::string visible(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // U+0080 to U+009F are control characters too, of two bytes.
    const bool pair = byte == 0xc2 && i + 1 < text.size() &&
                      (static_cast<unsigned char>(text[i + 1]) & 0xe0) == 0x80;
    if (byte < 0x20 || byte == 0x7f || pair) {
      out += format("\\x%02x", static_cast<unsigned>(pair ? text[++i] & 0xff : byte));
    } else {
      out += text[i];
    }
  }
  return out;
}

std::optional<double> read_decimal(const std::string& text, const char** hint) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (!text.empty() && *end == '\0') return value;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (end != text.c_str() && *end == ',' && is_digit(end[-1]) && is_digit(end[1])) {
    *hint = "; decimal numbers are written with a point, as in 1.5";
  }
  return std::nullopt;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string read_start(const std::string& path, size_t most) {
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  std::string text(most, '\0');
  bool sound = file != nullptr;
  if (sound) {
    text.resize(std::fread(text.data(), 1, most, file));
    sound = std::ferror(file) == 0;
    std::fclose(file);
  }
  if (!sound) throw ToolError("the file " + path + " cannot be read: " + std::strerror(errno));
  return text;
}

std::string read_file(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  std::string text;
  bool sound = file != nullptr;
  if (sound) {
    char part[65536];
    for (size_t count; (count = std::fread(part, 1, sizeof part, file)) > 0;) {
      // Pipes are read too, and devices, some of which have no end.
      if (text.size() > kFileBytesMost) {
        std::fclose(file);
        throw ToolError("the file " + path + " has more than 256 MiB");
      }
      text.append(part, count);
    }
    sound = std::ferror(file) == 0;
    std::fclose(file);
  }
  if (!sound) throw ToolError("the file " + path + " cannot be read: " + std::strerror(errno));
  return text;
}

namespace {

// Pipes and devices cannot be replaced; a file is, so that no half of one is left.
bool is_replaced(const std::string& path) {
  struct stat present;
  return stat(path.c_str(), &present) != 0 || S_ISREG(present.st_mode);
}

}  // namespace

void require_writable(const std::string& path) {
  if (!is_replaced(path)) return;
  const std::string part = path + ".part";
  std::remove(part.c_str());
  std::FILE* const file = std::fopen(part.c_str(), "wbx");
  if (file == nullptr) {
    throw ToolError("the file " + path + " cannot be written: " + std::strerror(errno));
  }
  std::fclose(file);
  std::remove(part.c_str());
}

void write_file(const std::string& path, const std::string& text) {
  const bool replace = is_replaced(path);
  const std::string part = replace ? path + ".part" : path;
  // What is left of an earlier one goes; a link that somebody puts there instead is not followed.
  if (replace) std::remove(part.c_str());
  std::FILE* const file = std::fopen(part.c_str(), replace ? "wbx" : "wb");
  bool sound = file != nullptr;
  if (sound) {
    sound = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    sound = std::fclose(file) == 0 && sound;
    sound = sound && (!replace || std::rename(part.c_str(), path.c_str()) == 0);
  }
  if (sound) return;
  const int code = errno;
  if (file != nullptr && replace) std::remove(part.c_str());
  throw ToolError("the file " + path + " cannot be written: " + std::strerror(code));
}

void Json::put(const char* pattern, ...) {
  va_list list;
  va_start(list, pattern);
  const std::string text = vformat(pattern, list);
  va_end(list);
  if (sink_ != nullptr) {
    *sink_ += text;
  } else {
    print("%s", text.c_str());
  }
}

void Json::start_value(const char* key) {
  if (!has_members_.empty()) {
    put("%s\n%*s", has_members_.back() ? "," : "", static_cast<int>(2 * has_members_.size()), "");
    has_members_.back() = true;
  }
  if (key != nullptr) put("%s: ", quoted(key).c_str());
}

void Json::begin(const char* key, char bracket) {
  start_value(key);
  put("%c", bracket);
  has_members_.push_back(false);
}

void Json::end(char bracket) {
  const bool had_members = has_members_.back();
  has_members_.pop_back();
  if (had_members) put("\n%*s", static_cast<int>(2 * has_members_.size()), "");
  put("%c", bracket);
  if (has_members_.empty()) put("\n");
}

void Json::text(const char* key, std::string_view value) {
  start_value(key);
  put("%s", quoted(value).c_str());
}

void Json::integer(const char* key, uint64_t value) {
  start_value(key);
  put("%llu", static_cast<unsigned long long>(value));
}

void Json::real(const char* key, double value) {
  if (!std::isfinite(value)) return null(key);  // JSON has no other way to say it.
  start_value(key);
  put("%.9g", value);
}

void Json::boolean(const char* key, bool value) {
  start_value(key);
  put("%s", value ? "true" : "false");
}

void Json::null(const char* key) {
  start_value(key);
  put("null");
}

void Json::raw(const char* key, std::string_view value) {
  start_value(key);
  put("%.*s", static_cast<int>(value.size()), value.data());
}

void Json::integers(const char* key, const uint64_t* values, size_t count) {
  start_value(key);
  put("[");
  for (size_t i = 0; i < count; ++i) {
    put("%s%llu", i == 0 ? "" : ", ", static_cast<unsigned long long>(values[i]));
  }
  put("]");
}

}  // namespace netcl::tool
