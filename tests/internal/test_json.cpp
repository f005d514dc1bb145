// JSON of the library: what it writes reads back as it was, what is no JSON is refused with its
// place, and any allocation may fail.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

#include "core/error.hpp"
#include "core/json.hpp"

extern "C" {
#include "support.h"
}

using netcl::Json;
using netcl::parse_json;

namespace {

// Which operator new of this program fails: 0 the next one; none when negative.
thread_local long allocations_left = -1;
thread_local long allocations_live = 0;

std::string refusal(std::string_view text) {
  try {
    (void)parse_json(text, "the text");
    return "";
  } catch (const netcl::Error& error) {
    assert_int_equal(error.status(), NETCL_ERROR_CORRUPT_DATA);
    return error.what();
  }
}

void numbers_read_back_as_they_were(void**) {
  for (int i = 0; i < 100000; ++i) {
    const uint64_t bits = random_bits();
    double value;
    std::memcpy(&value, &bits, sizeof value);
    if (i % 2 == 0) value = std::ldexp(static_cast<double>(bits >> 11), -static_cast<int>(i % 120));
    if (!std::isfinite(value)) continue;
    const double back = parse_json(Json(value).dump(), "a number").get<double>();
    CHECK(std::memcmp(&back, &value, sizeof value) == 0, "%a came back as %a", value, back);
    // Digits that others write, which need not be the shortest.
    char text[64];
    std::snprintf(text, sizeof text, "%.*e", static_cast<int>(bits % 25), value);
    const double expected = std::strtod(text, nullptr);
    if (!std::isfinite(expected)) continue;
    CHECK(parse_json(text, "a number").get<double>() == expected, "%s was read wrongly", text);
  }
  const Json limits = parse_json(
      "[18446744073709551615, -9223372036854775808, 18446744073709551616, -0, 1e-400, 1e5]", "x");
  assert_true(limits[0].get<uint64_t>() == UINT64_MAX && !limits[0].is_number_integer());
  assert_true(limits[1].get<int64_t>() == INT64_MIN);
  assert_true(limits[2].is_number_float() && limits[2].get<double>() == 18446744073709551616.0);
  assert_true(limits[3].get<int64_t>() == 0 && limits[4].get<double>() == 0);
  assert_string_equal(limits[5].dump().c_str(), "100000.0");
}

void texts_keep_their_bytes(void**) {
  const Json json = Json::object({{"a", "\x01\n\"\\ \xc3\xa9 \xf0\x9f\x98\x80 \x7f"},
                                  {"b", Json::array({1, -2, 2.5, true, nullptr})},
                                  {"c", Json::array()},
                                  {"d", Json::object()},
                                  {"e", std::numeric_limits<double>::infinity()}});
  const char kLine[] =
      "{\"a\":\"\\u0001\\n\\\"\\\\ \xc3\xa9 \xf0\x9f\x98\x80 \x7f\",\"b\":[1,-2,2.5,true,null],"
      "\"c\":[],\"d\":{},\"e\":null}";
  assert_string_equal(json.dump().c_str(), kLine);
  assert_string_equal(parse_json(kLine, "x").dump().c_str(), kLine);
  assert_string_equal(parse_json("{\"a\": [1, {\"b\": 2}], \"c\": []}", "x").dump(2).c_str(),
                      "{\n  \"a\": [\n    1,\n    {\n      \"b\": 2\n    }\n  ],\n  \"c\": []\n}");
  assert_string_equal(Json("a\xffz\xe2\x82").dump().c_str(), "\"a\xef\xbf\xbdz\xef\xbf\xbd\"");
  assert_string_equal(parse_json("\"\\u00e9\\ud83d\\ude00\\/\"", "x").text().c_str(),
                      "\xc3\xa9\xf0\x9f\x98\x80/");
}

void what_is_no_json_is_refused(void**) {
  using namespace std::string_view_literals;
  const struct {
    std::string_view text;
    const char* says;
  } kWrong[] = {{"", "no JSON"},         {"{\"a\":1,\n \"b\":}", "line 2, column 6"},
                {"1 2", "no JSON"},      {"[1]\0"sv, "zero byte"},
                {"[1,]", "no JSON"},     {"{\"a\":1,\"b\":2,\"a\":3}", "the member \"a\" twice"},
                {"nan", "no JSON"},      {"\"\\udc00\"", "surrogate"},
                {"01", "no JSON"},       {"\"\xed\xa0\x80\"", "no JSON"},
                {"1e999", "no JSON"},    {"\"a", "no JSON"},
                {"[1] // x", "no JSON"}, {"\"a\nb\"", "no JSON"},
                {"[1,5", "no JSON"},     {"{\"a\":1,5,\"b\":2}", "with a point"}};
  for (const auto& wrong : kWrong) {
    const std::string said = refusal(wrong.text);
    CHECK(said.find(wrong.says) != std::string::npos, "%s: \"%s\"", std::string(wrong.text).c_str(),
          said.c_str());
  }
  const std::string deep = std::string(64, '[') + std::string(64, ']');
  assert_string_equal(refusal(deep).c_str(), "");
  assert_non_null(std::strstr(refusal("[" + deep + "]").c_str(), "nested more than 64"));
  assert_string_equal(refusal("\xef\xbb\xbf[1]").c_str(), "");
}

void any_allocation_may_fail(void**) {
  const std::string_view text =
      "{\"a name longer than what a std::string holds in itself\": [1, 2.5, \"a text longer than "
      "what a std::string holds in itself\", [[[]]], {\"b\": {}, \"c\": null}], \"d\": -1}";
  bool failed = true;
  for (long n = 0; failed; ++n) {
    const long live = allocations_live;
    failed = false;
    try {
      allocations_left = n;
      const Json json = parse_json(text, "x");
      Json copy = json;
      copy["e"].push_back(json.dump());
      failed = false;
    } catch (const std::bad_alloc&) {
      failed = true;
    }
    allocations_left = -1;
    CHECK(allocations_live == live, "%ld allocations are left when number %ld fails",
          allocations_live - live, n);
  }
}

}  // namespace

void* operator new(size_t size) {
  if (allocations_left == 0) throw std::bad_alloc();
  if (allocations_left > 0) --allocations_left;
  void* const memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  ++allocations_live;
  return memory;
}
void operator delete(void* memory) noexcept {
  if (memory != nullptr) --allocations_live;
  std::free(memory);
}
void operator delete(void* memory, size_t) noexcept { operator delete(memory); }

int main() {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_read_back_as_they_were),
      cmocka_unit_test(texts_keep_their_bytes),
      cmocka_unit_test(what_is_no_json_is_refused),
      cmocka_unit_test(any_allocation_may_fail),
  };
  seed_random("json");
  return cmocka_run_group_tests_name("json", tests, nullptr, nullptr);
}
