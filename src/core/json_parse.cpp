// The reading of JSON: RapidJSON's reader, which keeps its place on a stack of its own instead of
// calling itself, with an allocator and a check that throw.
#include <algorithm>
#include <cstdlib>
#include <new>

#include "core/decimal_comma.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "core/number.hpp"
#include "core/utf8.hpp"

namespace netcl {
[[noreturn]] static void fail_rapidjson() {
  fail(NETCL_ERROR_INTERNAL, "RapidJSON found itself in a state that it does not expect");
}
}  // namespace netcl

#define RAPIDJSON_ASSERT(condition) ((condition) ? (void)0 : netcl::fail_rapidjson())
// A name of its own, so that no other copy of the library in the process is taken for this one.
#define RAPIDJSON_NAMESPACE netcl::rapidjson
#define RAPIDJSON_NAMESPACE_BEGIN \
  namespace netcl {               \
  namespace rapidjson {
#define RAPIDJSON_NAMESPACE_END \
  }                             \
  }
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

namespace netcl {

namespace {

struct ThrowingAllocator {
  [[maybe_unused]] static constexpr bool kNeedFree = true;

  static void* Realloc(void* memory, size_t, size_t size) {
    void* const moved = std::realloc(memory, std::max<size_t>(size, 1));
    if (moved == nullptr) throw std::bad_alloc();
    return moved;
  }
  static void Free(void* memory) noexcept { std::free(memory); }
};

// Whether a number that no double holds is too close to zero; else it is too large.
bool is_tiny(std::string_view text) {
  const size_t mark = std::min(text.find_first_of("eE"), text.size());
  const std::string_view digits = text.substr(0, mark);
  const size_t point = std::min(digits.find('.'), digits.size());
  const size_t first = std::min(digits.find_first_of("123456789"), digits.size());
  int64_t exponent = 0;
  if (mark < text.size()) {
    const char* const from = text.data() + mark + (text[mark + 1] == '+' ? 2 : 1);
    const ReadNumber read = read_number(from, text.data() + text.size(), &exponent);
    if (read.out_of_range) return *from == '-';
  }
  return static_cast<int64_t>(point) - static_cast<int64_t>(first) + exponent < 0;
}

// RapidJSON's own conversion takes 0.00000000000000000000000 for 1.3e-23.
Json number_of(std::string_view text, const char* what) {
  const char* const end = text.data() + text.size();
  const auto reads = [&](auto* value) {
    return read_number(text.data(), end, value).end != nullptr;
  };
  const bool whole = text.find_first_of(".eE") == std::string_view::npos;
  uint64_t natural = 0;
  int64_t integer = 0;
  double real = 0;
  if (whole && reads(&natural)) return natural;
  if (whole && reads(&integer)) return integer;
  if (reads(&real)) return real;
  if (is_tiny(text)) return text.front() == '-' ? -0.0 : 0.0;
  fail(NETCL_ERROR_CORRUPT_DATA, "%s is no JSON: a number is too large for a double", what);
}

// What the reader finds, in netcl's words. Numbers come as texts.
class EventReader : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, EventReader> {
 public:
  EventReader(const char* what, JsonEvents* events) : what_(what), events_(events) {}

  bool Null() { return take(Json()); }
  bool Bool(bool value) { return take(value); }
  bool RawNumber(const char* text, rapidjson::SizeType size, bool) {
    return take(number_of({text, size}, what_));
  }
  bool String(const char* text, rapidjson::SizeType size, bool) {
    return take(Json(checked({text, size})));
  }
  bool StartObject() { return open(true); }
  bool Key(const char* text, rapidjson::SizeType size, bool) {
    events_->name(checked({text, size}));
    return true;
  }
  bool EndObject(rapidjson::SizeType) { return close(); }
  bool StartArray() { return open(false); }
  bool EndArray(rapidjson::SizeType) { return close(); }

 private:
  // Escapes can spell half a pair of surrogates, which the reader lets through.
  std::string checked(std::string_view text) const {
    if (!is_utf8(text)) {
      fail(NETCL_ERROR_CORRUPT_DATA, "%s is no JSON: a text holds half a surrogate pair", what_);
    }
    return std::string(text);
  }

  bool take(Json value) {
    events_->value(std::move(value));
    return true;
  }

  bool open(bool object) {
    if (depth_++ == kJsonDepthMost) {
      fail(NETCL_ERROR_CORRUPT_DATA, "%s is nested more than %zu deep", what_, kJsonDepthMost);
    }
    events_->open(object);
    return true;
  }

  bool close() {
    --depth_;
    events_->close();
    return true;
  }

  const char* what_;
  JsonEvents* events_;
  size_t depth_ = 0;
};

// Puts the value together.
class Builder final : public JsonEvents {
 public:
  explicit Builder(const char* what) : what_(what) {}

  void open(bool object) override {
    open_.push_back({object ? Json::object() : Json::array(), std::string()});
  }
  void close() override {
    Json made = std::move(open_.back().value);
    open_.pop_back();
    if (made.is_object()) refuse_twins(made);
    value(std::move(made));
  }
  void name(std::string name) override { open_.back().name = std::move(name); }
  void value(Json value) override {
    if (open_.empty()) {
      result_ = std::move(value);
    } else if (Open& last = open_.back(); last.value.is_object()) {
      last.value.add(std::move(last.name), std::move(value));
      last.name.clear();
    } else {
      last.value.push_back(std::move(value));
    }
  }

  Json result() && { return std::move(result_); }

 private:
  struct Open {
    Json value;
    std::string name;  // of the member that is being read
  };

  void refuse_twins(const Json& object) const {
    std::vector<std::string_view> names;
    names.reserve(object.size());
    for (const auto& [name, value] : object.items()) names.emplace_back(name);
    std::sort(names.begin(), names.end());
    const auto twin = std::adjacent_find(names.begin(), names.end());
    if (twin == names.end()) return;
    fail(NETCL_ERROR_CORRUPT_DATA, "%s has the member %s twice in one object", what_,
         quoted(std::string(*twin).c_str()).c_str());
  }

  const char* what_;
  std::vector<Open> open_;
  Json result_;
};

[[noreturn]] void fail_at(std::string_view text, size_t at, const char* what, const char* problem) {
  const std::string_view before = text.substr(0, std::min(at, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
  const bool comma = (at >= 1 && is_decimal_comma(text, at - 1)) || is_decimal_comma(text, at);
  // The parser's texts end with a point, behind which nothing can follow.
  const std::string_view reason = problem;
  const int shown = static_cast<int>(reason.size() - (comma && reason.ends_with('.') ? 1 : 0));
  fail(NETCL_ERROR_CORRUPT_DATA, "%s is no JSON: line %lld, column %zu: %.*s%s", what,
       static_cast<long long>(line), before.size() - start + 1, shown, problem,
       decimal_hint(comma));
}

}  // namespace

void read_json(std::string_view text, size_t bytes_most, const char* what, JsonEvents* events) {
  if (text.size() > bytes_most) {
    fail(NETCL_ERROR_CORRUPT_DATA, "%s has %zu bytes of JSON; the limit is %zu", what, text.size(),
         bytes_most);
  }
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  using Utf8 = rapidjson::UTF8<>;
  constexpr unsigned kFlags = rapidjson::kParseIterativeFlag |
                              rapidjson::kParseNumbersAsStringsFlag |
                              rapidjson::kParseValidateEncodingFlag;
  rapidjson::MemoryStream stream(text.data(), text.size());
  rapidjson::GenericReader<Utf8, Utf8, ThrowingAllocator> reader;
  EventReader handler(what, events);
  const rapidjson::ParseResult result = reader.Parse<kFlags>(stream, handler);
  if (!result) fail_at(text, result.Offset(), what, rapidjson::GetParseError_En(result.Code()));
  // A zero byte is the end for the reader.
  if (stream.Tell() < text.size()) fail_at(text, stream.Tell(), what, "a zero byte");
}

Json parse_json(std::string_view text, const char* what) {
  Builder builder(what);
  read_json(text, kJsonBytesMost, what, &builder);
  return std::move(builder).result();
}

}  // namespace netcl
