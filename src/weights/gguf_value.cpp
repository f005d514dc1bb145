#include <algorithm>
#include <bit>
#include <cmath>

#include "core/error.hpp"
#include "core/json.hpp"
#include "core/number.hpp"
#include "core/utf8.hpp"
#include "weights/gguf.hpp"
#include "weights/weights.hpp"

namespace netcl::weights {

namespace {

// Arrays within arrays.
constexpr size_t kDepthMost = 8;
constexpr uint64_t kReadPiece = uint64_t{1} << 20;

// Bytes of a number; 0 for what has no fixed size.
size_t value_bytes(uint32_t type) noexcept {
  switch (type) {
    case kGgufU8:
    case kGgufI8:
    case kGgufBool:
      return 1;
    case kGgufU16:
    case kGgufI16:
      return 2;
    case kGgufU32:
    case kGgufI32:
    case kGgufF32:
      return 4;
    case kGgufU64:
    case kGgufI64:
    case kGgufF64:
      return 8;
    default:
      return 0;
  }
}

template <class T>
std::string float_text(T value, bool in_array) {
  // JSON has no words for these.
  if (!std::isfinite(value)) {
    if (in_array) return "null";
    return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
  }
  return number_text(value);
}

std::string number_value(const char* at, uint32_t type, bool in_array) {
  switch (type) {
    case kGgufU8:
      return number_text(read_little<uint8_t>(at));
    case kGgufI8:
      return number_text(static_cast<int8_t>(read_little<uint8_t>(at)));
    case kGgufU16:
      return number_text(read_little<uint16_t>(at));
    case kGgufI16:
      return number_text(static_cast<int16_t>(read_little<uint16_t>(at)));
    case kGgufU32:
      return number_text(read_little<uint32_t>(at));
    case kGgufI32:
      return number_text(static_cast<int32_t>(read_little<uint32_t>(at)));
    case kGgufF32:
      return float_text(std::bit_cast<float>(read_little<uint32_t>(at)), in_array);
    case kGgufBool:
      return *at != 0 ? "true" : "false";
    case kGgufU64:
      return number_text(read_little<uint64_t>(at));
    case kGgufI64:
      return number_text(static_cast<int64_t>(read_little<uint64_t>(at)));
    default:
      return float_text(std::bit_cast<double>(read_little<uint64_t>(at)), in_array);
  }
}

// Writes values of a header that was read, so that all of them are there.
class ValueWriter {
 public:
  ValueWriter(const std::string& header, size_t at) : bytes_(header.data()), at_(at) {}

  std::string_view text() {
    const auto length = static_cast<size_t>(read_little<uint64_t>(bytes_ + at_));
    const std::string_view text(bytes_ + at_ + 8, length);
    at_ += 8 + length;
    return text;
  }

  // As a value of JSON.
  void add(uint32_t type, std::string* out) {
    if (type == kGgufText) {
      add_json_text(text(), out);
    } else if (type == kGgufArray) {
      add_array(out);
    } else {
      *out += number_value(bytes_ + at_, type, true);
      at_ += value_bytes(type);
    }
  }

 private:
  void add_array(std::string* out) {
    const auto type = read_little<uint32_t>(bytes_ + at_);
    const auto count = read_little<uint64_t>(bytes_ + at_ + 4);
    at_ += 12;
    *out += '[';
    for (uint64_t i = 0; i < count; ++i) {
      if (i > 0) *out += ", ";
      add(type, out);
    }
    *out += ']';
  }

  const char* bytes_;
  size_t at_;
};

std::string sound_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    bool sound = true;
    const size_t length = utf8_length(text, &sound);
    out += sound ? text.substr(0, length) : "\xef\xbf\xbd";
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace

void GgufReader::skip(uint64_t size, const char* what) {
  const uint64_t file_bytes = file_.size();
  if (size > file_bytes - at_) {
    fail_corrupt("%s ends at byte %llu of the file, which has %llu", what,
                 static_cast<unsigned long long>(at_ + size < size ? UINT64_MAX : at_ + size),
                 static_cast<unsigned long long>(file_bytes));
  }
  const uint64_t end = at_ + size;
  if (end > kHeaderBytesMost) {
    fail(NETCL_ERROR_UNSUPPORTED,
         "%s ends at byte %llu; what stands before the tensors is read up "
         "to byte %llu",
         what, static_cast<unsigned long long>(end),
         static_cast<unsigned long long>(kHeaderBytesMost));
  }
  if (end > bytes_->size()) {
    const size_t before = bytes_->size();
    // Growing by more than it has copies little of what is there.
    const uint64_t wanted = std::max({end, uint64_t{before} * 2, before + kReadPiece});
    bytes_->resize(static_cast<size_t>(std::min({wanted, file_bytes, kHeaderBytesMost})));
    file_.read(before, bytes_->data() + before, bytes_->size() - before);
  }
  at_ = static_cast<size_t>(end);
}

std::string_view GgufReader::text(const char* what, uint64_t most) {
  const auto length = number<uint64_t>(what);
  if (length > most) {
    fail_corrupt("%s has %llu bytes; at most %llu are allowed", what,
                 static_cast<unsigned long long>(length), static_cast<unsigned long long>(most));
  }
  const size_t from = at_;
  skip(length, what);
  return std::string_view(*bytes_).substr(from, static_cast<size_t>(length));
}

void GgufReader::check_count(uint64_t count, uint64_t bytes_least, const char* what) const {
  const uint64_t left = file_.size() - at_;
  if (count <= left / bytes_least) return;
  fail_corrupt("the file has %llu %s, for which the %llu bytes behind byte %zu are too few",
               static_cast<unsigned long long>(count), what, static_cast<unsigned long long>(left),
               at_);
}

void GgufReader::skip_array(const char* what) {
  // How many elements are left in each of the arrays that are open.
  struct Level {
    uint32_t type;
    uint64_t left;
  };
  Level levels[kDepthMost];
  size_t depth = 0;
  const auto open = [&] {
    if (depth == kDepthMost) fail_corrupt("%s is nested more than %zu deep", what, kDepthMost);
    Level& level = levels[depth++];
    level.type = number<uint32_t>(what);
    level.left = number<uint64_t>(what);
    const size_t size = value_bytes(level.type);
    if (size != 0) {
      check_count(level.left, size, "elements of an array");
      skip(level.left * size, what);
      level.left = 0;
    }
  };
  open();
  while (depth > 0) {
    Level& level = levels[depth - 1];
    if (level.left == 0) {
      --depth;
    } else if (level.type == kGgufArray) {
      --level.left;
      open();
    } else {
      --level.left;
      skip_value(level.type, what);
    }
  }
}

void GgufReader::skip_value(uint32_t type, const char* what) {
  if (type == kGgufArray) return skip_array(what);
  if (type == kGgufText) {
    text(what, kHeaderBytesMost);
    return;
  }
  const size_t size = value_bytes(type);
  if (size == 0) fail_corrupt("%s has type %u, which GGUF does not have", what, type);
  skip(size, what);
}

std::string gguf_text(const std::string& header, size_t at, uint32_t type) {
  if (type == kGgufText) return sound_text(ValueWriter(header, at).text());
  if (type != kGgufArray) return number_value(header.data() + at, type, false);
  std::string out;
  ValueWriter(header, at).add(type, &out);
  return out;
}

}  // namespace netcl::weights
