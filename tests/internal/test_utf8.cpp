// What is a character and what is not, against the table of the standard (Unicode 3.9, table 3-7).
#include "core/utf8.hpp"

#include <string>

#include "core/error.hpp"
#include "core/json.hpp"

extern "C" {
#include "support.h"
}

// cmocka's name for "this test has failed" is a function of the library as well.
#undef fail

using namespace netcl;

namespace {

std::string encoded(uint32_t point) {
  const auto tail = [&](int shift) { return static_cast<char>(0x80 | ((point >> shift) & 0x3f)); };
  if (point < 0x80) return {static_cast<char>(point)};
  if (point < 0x800) return {static_cast<char>(0xc0 | (point >> 6)), tail(0)};
  if (point < 0x10000) return {static_cast<char>(0xe0 | (point >> 12)), tail(6), tail(0)};
  return {static_cast<char>(0xf0 | (point >> 18)), tail(12), tail(6), tail(0)};
}

void every_character(void**) {
  for (uint32_t point = 0; point < 0x120000; ++point) {
    const std::string text = encoded(point);
    const bool wanted = point < 0x110000 && (point < 0xd800 || point > 0xdfff);
    bool sound = !wanted;
    const size_t length = utf8_length(text + "x", &sound);
    CHECK(sound == wanted && (!wanted || length == text.size()), "U+%X: %d, %d bytes", point,
          static_cast<int>(sound), static_cast<int>(length));
    assert_true(is_utf8(text) == wanted);
    // Without its last byte it is none.
    if (text.size() > 1) assert_false(is_utf8(text.substr(0, text.size() - 1)));
  }
}

// All beginnings of two bytes: what is passed over is never a character that could be shown.
void every_beginning(void**) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string text = {static_cast<char>(first), static_cast<char>(second)};
      bool sound = false;
      const size_t length = utf8_length(text, &sound);
      const bool two = first >= 0xc2 && first <= 0xdf && second >= 0x80 && second <= 0xbf;
      assert_true(sound == (first < 0x80 || two));
      assert_true(length == 1 || (length == 2 && second >= 0x80));
    }
  }
  assert_true(is_utf8(""));
  for (const char* bad : {"\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf", "\x80"}) {
    assert_false(is_utf8(bad));
  }
}

void prefixes(void**) {
  const std::string text = "a\xc3\xa4\xe2\x82\xac\xf0\x9d\x84\x9e";  // of 1, 2, 3 and 4 bytes
  const size_t wanted[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};
  for (size_t most = 0; most < COUNT_OF(wanted); ++most) {
    assert_int_equal(utf8_prefix(text, most).size(), wanted[most]);
  }
}

// The two that show texts of strangers.
void shown(void**) {
  const char* const text = "\xc3\xa4\xff\xe2\x82\n\xed\xa0\x80\"";
  // U+009B begins a command of terminals.
  assert_string_equal(quoted("a\xc2\x9b"
                             "2Jb\xc2\xa0",
                             100)
                          .c_str(),
                      "\"a\\xc2\\x9b2Jb\xc2\xa0\"");
  assert_string_equal(quoted(text, 100).c_str(),
                      "\"\xc3\xa4\\xff\\xe2\\x82\\x0a\\xed\\xa0\\x80\"\"");
  std::string json;
  add_json_text("\xc3\xa4\xff\xe2\x82\n\"", &json);
  assert_string_equal(json.c_str(), "\"\xc3\xa4\xef\xbf\xbd\xef\xbf\xbd\\n\\\"\"");
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(every_character), cmocka_unit_test(every_beginning),
                              cmocka_unit_test(prefixes), cmocka_unit_test(shown)};
  return cmocka_run_group_tests_name("utf8", tests, nullptr, nullptr);
}
