#include "backend/opencl/query.hpp"

#include <string.h>

#include <algorithm>
#include <vector>

namespace netcl::backend::opencl {

namespace {

// Bytes of the UTF-8 character that starts at `text`, 0 when it is none.
size_t utf8_length(const unsigned char* text, size_t left) noexcept {
  const unsigned char lead = text[0];
  size_t length = 0;
  uint32_t value = 0;
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) {
    length = 2;
    value = lead & 0x1fu;
  } else if (lead >= 0xe0 && lead <= 0xef) {
    length = 3;
    value = lead & 0x0fu;
  } else if (lead >= 0xf0 && lead <= 0xf4) {
    length = 4;
    value = lead & 0x07u;
  } else {
    return 0;
  }
  if (length > left) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((text[i] & 0xc0u) != 0x80u) return 0;
    value = (value << 6) | (text[i] & 0x3fu);
  }
  if (length == 3 && (value < 0x800 || (value >= 0xd800 && value <= 0xdfff))) return 0;
  if (length == 4 && (value < 0x10000 || value > 0x10ffff)) return 0;
  return length;
}

template <class Query>
std::string read_text(Query query, size_t limit) {
  // No driver has a list of extensions near this; a larger answer is a fault of the driver.
  constexpr size_t kLargest = size_t{1} << 20;
  size_t size = 0;
  if (ask([&] { return query(0, nullptr, &size); }) != CL_SUCCESS || size == 0 ||
      size > kLargest) {
    return std::string();
  }
  std::vector<char> text(size);
  size_t written = 0;
  if (ask([&] { return query(size, text.data(), &written); }) != CL_SUCCESS) return std::string();
  return clean_text(text.data(), std::min(size, written), limit);
}

}  // namespace

std::string clean_text(const char* text, size_t length, size_t limit) {
  length = strnlen(text, length);
  std::string out;
  out.reserve(std::min(length, limit));
  for (size_t i = 0; i < length;) {
    const auto* at = reinterpret_cast<const unsigned char*>(text + i);
    const size_t bytes = utf8_length(at, length - i);
    if (out.size() + std::max<size_t>(bytes, 1) > limit) break;
    if (bytes == 0) {
      out += '?';
    } else if (bytes == 1 && (*at < 0x20 || *at == 0x7f)) {
      out += ' ';
    } else {
      out.append(text + i, bytes);
    }
    i += std::max<size_t>(bytes, 1);
  }
  const size_t last = out.find_last_not_of(' ');
  out.erase(last == std::string::npos ? 0 : last + 1);
  out.erase(0, std::min(out.find_first_not_of(' '), out.size()));
  return out;
}

std::string platform_text(cl_platform_id platform, cl_platform_info what, size_t limit) {
  return read_text(
      [&](size_t size, void* value, size_t* written) {
        return cl().clGetPlatformInfo(platform, what, size, value, written);
      },
      limit);
}

std::string device_text(cl_device_id device, cl_device_info what, size_t limit) {
  return read_text(
      [&](size_t size, void* value, size_t* written) {
        return cl().clGetDeviceInfo(device, what, size, value, written);
      },
      limit);
}

int parse_version(const std::string& text) noexcept {
  constexpr int kOldest = 12;
  constexpr char kPrefix[] = "OpenCL ";
  constexpr size_t kPrefixLength = sizeof(kPrefix) - 1;
  if (text.compare(0, kPrefixLength, kPrefix) != 0 || text.size() < kPrefixLength + 3) {
    return kOldest;
  }
  const char* digits = text.c_str() + kPrefixLength;
  const bool plain = digits[0] >= '1' && digits[0] <= '9' && digits[1] == '.' && digits[2] >= '0' &&
                     digits[2] <= '9';
  return plain ? 10 * (digits[0] - '0') + (digits[2] - '0') : kOldest;
}

bool has_word(const std::string& list, const char* word) noexcept {
  const size_t length = strlen(word);
  for (size_t at = list.find(word); at != std::string::npos; at = list.find(word, at + 1)) {
    const bool begins = at == 0 || list[at - 1] == ' ';
    const bool ends = at + length == list.size() || list[at + length] == ' ';
    if (begins && ends) return true;
  }
  return false;
}

}  // namespace netcl::backend::opencl
