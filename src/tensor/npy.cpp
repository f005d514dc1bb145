#include "tensor/npy.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "core/dtype.hpp"
#include "core/error.hpp"

namespace netcl::npy {

static constexpr char kMagic[] = "\x93NUMPY";
static constexpr size_t kMagicSize = 6;
// NumPy leaves room for the first extent to grow to this many digits without moving the elements.
static constexpr size_t kGrowthDigits = 21;
static constexpr size_t kAlignment = 64;

// Walks through the Python literal of a header. It knows the one shape of it that a plain array
// has: a dictionary of strings, bools and one tuple of integers. Nothing nests, so nothing
// recurses.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, bool any_type) : text_(text), any_type_(any_type) {}

  Header parse();

 private:
  [[noreturn]] void corrupt(const char* what) const;
  std::string excerpt(size_t from) const;
  void skip_space();
  bool accept(char byte);
  void expect(char byte, const char* what);
  std::string_view parse_string(const char* what);
  bool parse_bool();
  std::string_view skip_brackets();
  void take_unsupported(std::string_view descr);
  void parse_descr();
  void parse_shape();
  int64_t parse_extent(uint32_t index);
  void parse_entry();

  enum Key : unsigned { kDescr = 1, kFortranOrder = 2, kShape = 4 };

  std::string_view text_;
  bool any_type_;
  size_t at_ = 0;
  unsigned seen_ = 0;
  Header header_;
  uint32_t extents_ = 0;  // may exceed what the header has room for
};

// A piece of the file as it may stand in a message: one short line of ASCII, whatever is in the
// file.
static std::string ascii_text(std::string_view text) {
  std::string copy(text.substr(0, 60));
  for (char& byte : copy) {
    if (byte < ' ' || byte >= 0x7f) byte = '?';
  }
  return copy;
}
static std::string shown_text(std::string_view text) {
  return quoted(ascii_text(text).c_str(), 48);
}

std::string HeaderParser::excerpt(size_t from) const {
  if (from >= text_.size()) return "the end of the header";
  return shown_text(text_.substr(from));
}

void HeaderParser::corrupt(const char* what) const {
  fail(NETCL_ERROR_CORRUPT_DATA, "npy header: %s, found %s at byte %zu of the header", what,
       excerpt(at_).c_str(), at_);
}

void HeaderParser::skip_space() {
  while (at_ < text_.size() &&
         (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r')) {
    ++at_;
  }
}

bool HeaderParser::accept(char byte) {
  skip_space();
  if (at_ >= text_.size() || text_[at_] != byte) return false;
  ++at_;
  return true;
}

void HeaderParser::expect(char byte, const char* what) {
  if (!accept(byte)) corrupt(what);
}

std::string_view HeaderParser::parse_string(const char* what) {
  skip_space();
  if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) corrupt(what);
  const char quote = text_[at_];
  const size_t first = at_ + 1;
  for (size_t end = first; end < text_.size(); ++end) {
    if (text_[end] == quote) {
      at_ = end + 1;
      return text_.substr(first, end - first);
    }
    if (text_[end] == '\\' || text_[end] == '\n' || text_[end] == '\0') break;
  }
  corrupt("a string does not end");
}

bool HeaderParser::parse_bool() {
  skip_space();
  for (const std::string_view word : {std::string_view("True"), std::string_view("False")}) {
    if (text_.substr(at_, word.size()) == word) {
      at_ += word.size();
      return word[0] == 'T';
    }
  }
  corrupt("'fortran_order' is neither True nor False");
}

struct DescrFacts {
  char kind;
  uint32_t size;
  netcl_dtype dtype;
};

// bfloat16 has no letter of its own in NumPy: arrays of it are saved as raw 2-byte elements.
static constexpr DescrFacts kDescrs[] = {
    {'f', 2, NETCL_F16},  {'V', 2, NETCL_BF16}, {'f', 4, NETCL_F32}, {'f', 8, NETCL_F64},
    {'i', 1, NETCL_I8},   {'i', 2, NETCL_I16},  {'i', 4, NETCL_I32}, {'i', 8, NETCL_I64},
    {'u', 1, NETCL_U8},   {'u', 2, NETCL_U16},  {'u', 4, NETCL_U32}, {'u', 8, NETCL_U64},
    {'b', 1, NETCL_BOOL},
};

void HeaderParser::take_unsupported(std::string_view descr) {
  if (!any_type_) {
    fail(NETCL_ERROR_UNSUPPORTED, "npy header: 'descr' is %s, an element type without a dtype here",
         shown_text(descr).c_str());
  }
  header_.type = ascii_text(descr);
}

// The list or tuple that begins here, with those within it.
std::string_view HeaderParser::skip_brackets() {
  const size_t first = at_;
  size_t depth = 0;
  while (at_ < text_.size()) {
    const char byte = text_[at_];
    if (byte == '\'' || byte == '"') {
      parse_string("a string in 'descr'");
      continue;
    }
    ++at_;
    if (byte == '[' || byte == '(') ++depth;
    if (byte == ']' || byte == ')') --depth;
    if (depth == 0) return text_.substr(first, at_ - first);
  }
  corrupt("'descr' does not end");
}

void HeaderParser::parse_descr() {
  skip_space();
  // A list is a structured type, a tuple an array inside an element.
  if (at_ < text_.size() && (text_[at_] == '[' || text_[at_] == '(')) {
    return take_unsupported(any_type_ ? skip_brackets() : text_.substr(at_));
  }
  const size_t start = at_;
  std::string_view descr = parse_string("'descr' is not a string");
  const std::string_view whole = descr;
  char order = '=';
  if (!descr.empty() && std::strchr("<>=|", descr[0]) != nullptr && descr[0] != '\0') {
    order = descr[0];
    descr.remove_prefix(1);
  }
  uint32_t size = 0;
  size_t digits = 0;
  for (size_t i = 1; i < descr.size() && descr[i] >= '0' && descr[i] <= '9' && digits < 6; ++i) {
    size = size * 10 + static_cast<uint32_t>(descr[i] - '0');
    ++digits;
  }
  const char kind = descr.empty() ? '\0' : descr[0];
  if (digits > 0 && digits + 1 == descr.size()) {
    for (const DescrFacts& facts : kDescrs) {
      if (facts.kind != kind || facts.size != size) continue;
      header_.dtype = facts.dtype;
      header_.type = ascii_text(whole);
      const char native = std::endian::native == std::endian::little ? '<' : '>';
      header_.swap_bytes = size > 1 && (order == '<' || order == '>') && order != native;
      return;
    }
  }
  // The remaining kinds of NumPy, some of which carry more text (dates have a unit) or no size.
  const bool sized = digits > 0 || (kind != '\0' && std::strchr("OSUVMm", kind) != nullptr);
  const bool long_double = kind == 'f' && (size == 12 || size == 16);
  if (long_double || (sized && kind != '\0' && std::strchr("cOSUaVMmT", kind) != nullptr)) {
    return take_unsupported(whole);
  }
  at_ = start;
  corrupt("'descr' is no element type");
}

int64_t HeaderParser::parse_extent(uint32_t index) {
  skip_space();
  if (at_ < text_.size() && text_[at_] == '-') {
    fail(NETCL_ERROR_CORRUPT_DATA, "npy header: shape[%u] is negative: %s", index,
         excerpt(at_).c_str());
  }
  const size_t first = at_;
  int64_t value = 0;
  for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
    if (__builtin_mul_overflow(value, int64_t{10}, &value) ||
        __builtin_add_overflow(value, int64_t{text_[at_] - '0'}, &value)) {
      fail(NETCL_ERROR_CORRUPT_DATA, "npy header: shape[%u] does not fit 64 bits: %s", index,
           excerpt(first).c_str());
    }
  }
  if (at_ == first) corrupt("'shape' holds something that is no integer");
  // Python 2 marked long integers with a letter.
  if (at_ < text_.size() && text_[at_] == 'L') ++at_;
  return value;
}

void HeaderParser::parse_shape() {
  if (!accept('(')) corrupt("'shape' is not a tuple");
  bool comma = true;
  while (!accept(')')) {
    if (!comma) corrupt("'shape' lacks a comma or its closing parenthesis");
    const int64_t extent = parse_extent(extents_);
    if (extents_ < NETCL_RANK_MAX) header_.shape[extents_] = extent;
    ++extents_;
    comma = accept(',');
  }
  // In Python (3) is an integer and (3,) a tuple.
  if (extents_ == 1 && !comma) corrupt("'shape' is an integer in parentheses, not a tuple");
}

void HeaderParser::parse_entry() {
  const size_t start = at_;
  const std::string_view name = parse_string("a key is not a string");
  unsigned key = 0;
  if (name == "descr") key = kDescr;
  if (name == "fortran_order") key = kFortranOrder;
  if (name == "shape") key = kShape;
  const std::string shown = shown_text(name);
  if (key == 0) {
    at_ = start;
    corrupt(format("%s is no key of this format", shown.c_str()).c_str());
  }
  if (seen_ & key) fail(NETCL_ERROR_CORRUPT_DATA, "npy header: two keys %s", shown.c_str());
  seen_ |= key;
  expect(':', "a key without a colon");
  if (key == kDescr) parse_descr();
  if (key == kFortranOrder) header_.fortran_order = parse_bool();
  if (key == kShape) parse_shape();
}

Header HeaderParser::parse() {
  expect('{', "no dictionary");
  bool comma = true;
  while (!accept('}')) {
    if (!comma) corrupt("the dictionary lacks a comma or its closing brace");
    skip_space();
    if (at_ >= text_.size()) corrupt("the dictionary does not end");
    parse_entry();
    comma = accept(',');
  }
  skip_space();
  if (at_ != text_.size()) corrupt("text after the dictionary");
  if (!(seen_ & kDescr)) fail(NETCL_ERROR_CORRUPT_DATA, "npy header: no key 'descr'");
  if (!(seen_ & kFortranOrder)) {
    fail(NETCL_ERROR_CORRUPT_DATA, "npy header: no key 'fortran_order'");
  }
  if (!(seen_ & kShape)) fail(NETCL_ERROR_CORRUPT_DATA, "npy header: no key 'shape'");
  if (extents_ > NETCL_RANK_MAX) {
    fail(NETCL_ERROR_UNSUPPORTED, "npy header: 'shape' has %u extents; the largest rank is %d",
         extents_, NETCL_RANK_MAX);
  }
  header_.rank = extents_;
  return header_;
}

// Checks the fixed part and gives where the elements begin. `prefix` receives its length.
static size_t header_end(const unsigned char* bytes, size_t size, uint64_t file_size,
                         size_t* prefix) {
  if (size < kMagicSize || std::memcmp(bytes, kMagic, kMagicSize) != 0) {
    fail(NETCL_ERROR_CORRUPT_DATA, "not an npy file: it does not begin with the magic \\x93NUMPY");
  }
  if (size < kMagicSize + 2) {
    fail(NETCL_ERROR_CORRUPT_DATA, "npy file of %zu bytes ends before its version", size);
  }
  const unsigned major = bytes[kMagicSize];
  const unsigned minor = bytes[kMagicSize + 1];
  if (major < 1 || major > 3 || minor != 0) {
    fail(NETCL_ERROR_CORRUPT_DATA, "npy format version is %u.%u; known are 1.0, 2.0 and 3.0", major,
         minor);
  }
  *prefix = kMagicSize + 2 + (major == 1 ? 2 : 4);
  if (size < *prefix) {
    fail(NETCL_ERROR_CORRUPT_DATA, "npy file of %zu bytes ends before its header length", size);
  }
  size_t length = bytes[8] | static_cast<size_t>(bytes[9]) << 8;
  if (major > 1) {
    length |= static_cast<size_t>(bytes[10]) << 16 | static_cast<size_t>(bytes[11]) << 24;
  }
  if (length > file_size - *prefix) {
    fail(NETCL_ERROR_CORRUPT_DATA, "npy header length is %zu, past the end of the %llu-byte file",
         length, static_cast<unsigned long long>(file_size));
  }
  if (*prefix + length > kHeaderBytesMax) {
    fail(NETCL_ERROR_CORRUPT_DATA, "npy header length is %zu; a plain array needs at most %zu",
         length, kHeaderBytesMax - 12);
  }
  return *prefix + length;
}

size_t header_size(const void* data, size_t size, uint64_t file_size) {
  size_t prefix = 0;
  return header_end(static_cast<const unsigned char*>(data), size, file_size, &prefix);
}

// The text between the fixed part and the elements. `start` receives where the elements begin.
static std::string_view header_text(const unsigned char* bytes, size_t size, uint64_t file_size,
                                    size_t* start) {
  size_t prefix = 0;
  *start = header_end(bytes, size, file_size, &prefix);
  if (*start > size) {
    fail(NETCL_ERROR_INTERNAL, "npy header of %zu bytes parsed from %zu", *start, size);
  }
  return std::string_view(reinterpret_cast<const char*>(bytes) + prefix, *start - prefix);
}

static Header parse_header(const void* data, size_t size, uint64_t file_size, bool any_type) {
  size_t start = 0;
  const std::string_view text =
      header_text(static_cast<const unsigned char*>(data), size, file_size, &start);
  Header header = HeaderParser(text, any_type).parse();
  header.data_offset = start;
  if (header.dtype == 0) {
    header.data_bytes = static_cast<size_t>(file_size - start);
    return header;
  }
  // Extents of 0 count as 1 here: strides are products of the others, which must not overflow.
  int64_t bytes = static_cast<int64_t>(dtype_size(header.dtype));
  bool empty = false;
  for (uint32_t d = 0; d < header.rank; ++d) {
    empty = empty || header.shape[d] == 0;
    if (__builtin_mul_overflow(bytes, std::max<int64_t>(header.shape[d], 1), &bytes)) {
      fail(NETCL_ERROR_CORRUPT_DATA,
           "npy header: 'shape' with shape[%u] = %lld needs more than 2^63 - 1 bytes", d,
           static_cast<long long>(header.shape[d]));
    }
  }
  if (empty) bytes = 0;
  const uint64_t present = file_size - start;
  if (static_cast<uint64_t>(bytes) != present) {
    fail(NETCL_ERROR_CORRUPT_DATA,
         "npy file has %llu bytes of elements; its shape and type need "
         "%lld: it is %s",
         static_cast<unsigned long long>(present), static_cast<long long>(bytes),
         static_cast<uint64_t>(bytes) > present ? "cut short" : "too long");
  }
  header.data_bytes = static_cast<size_t>(bytes);
  return header;
}

Header parse(const void* data, size_t size) { return parse(data, size, size); }

Header parse(const void* data, size_t size, uint64_t file_size) {
  return parse_header(data, size, file_size, false);
}

Header parse_any(const void* data, size_t size, uint64_t file_size) {
  return parse_header(data, size, file_size, true);
}

static std::string descr_text(netcl_dtype dtype) {
  const uint32_t size = static_cast<uint32_t>(dtype_size(dtype));
  for (const DescrFacts& facts : kDescrs) {
    if (facts.dtype != dtype) continue;
    const char native = std::endian::native == std::endian::little ? '<' : '>';
    return format("%c%c%u", size == 1 ? '|' : native, facts.kind, size);
  }
  fail(NETCL_ERROR_INTERNAL, "dtype %d has no npy element type", static_cast<int>(dtype));
}

std::string write_header(netcl_dtype dtype, uint32_t rank, const int64_t* shape) {
  std::string text = "{'descr': '" + descr_text(dtype) + "', 'fortran_order': False, 'shape': (";
  size_t growth = 0;
  for (uint32_t d = 0; d < rank; ++d) {
    const std::string extent = format("%lld", static_cast<long long>(shape[d]));
    text += d == 0 ? extent : ", " + extent;
    if (d == 0) growth = kGrowthDigits - extent.size();
  }
  text += rank == 1 ? ",), }" : "), }";
  text.append(growth, ' ');
  const size_t prefix = kMagicSize + 4;
  // NumPy adds a whole block of padding when nothing is missing; so do we.
  const size_t padding = kAlignment - (prefix + text.size() + 1) % kAlignment;
  text.append(padding, ' ');
  text += '\n';
  std::string out(kMagic, kMagicSize);
  out += '\x01';
  out += '\0';
  out += static_cast<char>(text.size() & 0xff);
  out += static_cast<char>(text.size() >> 8);
  return out + text;
}

void swap_bytes(void* data, size_t count, size_t size) noexcept {
  unsigned char* bytes = static_cast<unsigned char*>(data);
  // Whole words through the compiler's byte swap, which it vectorises; memory may be unaligned.
  const auto swap_all = [&](auto word, auto reverse) {
    for (size_t i = 0; i < count; ++i) {
      std::memcpy(&word, bytes + i * sizeof word, sizeof word);
      word = reverse(word);
      std::memcpy(bytes + i * sizeof word, &word, sizeof word);
    }
  };
  if (size == 2) swap_all(uint16_t{0}, [](uint16_t word) { return __builtin_bswap16(word); });
  if (size == 4) swap_all(uint32_t{0}, [](uint32_t word) { return __builtin_bswap32(word); });
  if (size == 8) swap_all(uint64_t{0}, [](uint64_t word) { return __builtin_bswap64(word); });
}

}  // namespace netcl::npy
