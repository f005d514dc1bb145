// Numbers as text, against the C library's own in the locale "C".
#include "core/number.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#include "core/ascii.hpp"

extern "C" {
#include "support.h"
}

using namespace netcl;

namespace {

// Any bits that are a number: all exponents come up.
double any_double() {
  for (;;) {
    const uint64_t bits = random_bits();
    double value;
    std::memcpy(&value, &bits, sizeof value);
    if (std::isfinite(value)) return value;
  }
}

void check_text(const char* pattern, int digits, double value, const std::string& text) {
  char wanted[512];
  std::snprintf(wanted, sizeof wanted, pattern, digits, value);
  // Under a locale with a decimal comma that is all that differs.
  for (char* c = wanted; *c != 0; ++c) {
    if (*c == ',') *c = '.';
  }
  CHECK(text == wanted, "%s instead of %s", text.c_str(), wanted);
}

void check_number(double value) {
  const std::string text = number_text(value);
  double again = 0.0;
  CHECK(parse_number(text, &again) && std::memcmp(&again, &value, sizeof value) == 0,
        "%.17g is written %s and read %.17g", value, text.c_str(), again);
  check_text("%.*g", 3, value, general_text(value, 3));
  check_text("%.*g", 17, value, general_text(value, 17));
  check_text("%.*f", 2, value, fixed_text(value, 2));
  const std::string hex = hexadecimal_text(std::fabs(value));
  const auto read = std::from_chars(hex.data(), hex.data() + hex.size(), again,
                                    std::chars_format::hex);
  CHECK(read.ec == std::errc() && again == std::fabs(value), "%.17g is written 0x%s", value,
        hex.c_str());
}

void doubles(void**) {
  using Limits = std::numeric_limits<double>;
  for (const double value : {0.0, -0.0, 1.0, 0.1, 1e-5, 16.0, 1e15, 1e22, 2.5, Limits::max(),
                             Limits::lowest(), Limits::min(), Limits::denorm_min()}) {
    check_number(value);
  }
  for (int i = 0; i < 20000; ++i) check_number(any_double());
  for (int i = 0; i < 20000; ++i) check_number(random_real(-1e6, 1e6));
  assert_string_equal(number_text(0.1).c_str(), "0.1");
  assert_string_equal(number_text(16.0).c_str(), "16");
}

void whole_numbers(void**) {
  for (int i = 0; i < 20000; ++i) {
    const auto value = static_cast<int64_t>(random_bits()) >> (random_bits() % 64);
    int64_t again = 0;
    assert_true(parse_number(number_text(value), &again));
    assert_true(again == value);
  }
  uint8_t small = 0;
  assert_true(parse_number("255", &small) && small == 255);
  assert_false(parse_number("256", &small));
  assert_true(read_number("256", std::strchr("256", 0), &small).out_of_range);
}

void what_is_no_number(void**) {
  double value = 7.0;
  for (const char* text : {"", " 1", "1 ", "1,5", "+1", "0x10", "1.5.2", "e5", "--1", "1e"}) {
    CHECK(!parse_number(text, &value), "\"%s\" is read as %g", text, value);
  }
  for (const char* text : {"1e400", "-1e400"}) {
    const ReadNumber got = read_number(text, text + std::strlen(text), &value);
    assert_true(got.out_of_range && got.end == nullptr);
  }
}

// Letters are those of ASCII, whatever the locale.
void letters(void**) {
  int words = 0;
  for (int c = -128; c < 128; ++c) words += is_word(static_cast<char>(c)) ? 1 : 0;
  assert_int_equal(words, 26 + 26 + 10 + 1);
  assert_true(same_ignoring_case("BuiltIn", "bUILTiN") && !same_ignoring_case("a", "ab"));
  assert_int_equal(find_ignoring_case("NVIDIA H200", "h2"), 7);
  assert_true(find_ignoring_case("abc", "d") == std::string_view::npos);
  assert_true(find_ignoring_case("", "a") == std::string_view::npos);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(doubles), cmocka_unit_test(whole_numbers),
                              cmocka_unit_test(what_is_no_number), cmocka_unit_test(letters)};
  seed_random("number");
  return cmocka_run_group_tests_name("number", tests, nullptr, nullptr);
}
