#include "roofline/ncu_number.hpp"

#include <algorithm>
#include <cmath>

#include "core/ascii.hpp"
#include "core/number.hpp"

namespace netcl::roofline {

namespace {

constexpr size_t kDigitsMost = 64;

bool is_missing(std::string_view text) {
  for (const char* word : {"", "n/a", "nan", "-nan", "no data", "-"}) {
    if (same_ignoring_case(text, word)) return true;
  }
  return false;
}

// The text with each separator of thousands that is neither point nor comma as an apostrophe:
// blanks, the narrow and the wide blank that does not break, the typographic apostrophe.
std::string with_plain_marks(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    size_t length = 1;
    bool mark = text[at] == ' ';
    for (const std::string_view one : {"\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x99"}) {
      if (text.substr(at, one.size()) != one) continue;
      length = one.size();
      mark = true;
    }
    out += mark ? '\'' : text[at];
    at += length;
  }
  return out;
}

// Whether the digits stand in groups of three, the first of one to three.
bool is_grouped(std::string_view whole, char group) {
  if (whole.find(group) == std::string_view::npos) return true;
  size_t run = 0;
  bool first = true;
  for (const char c : whole) {
    if (c != group) {
      ++run;
      continue;
    }
    if (first ? run < 1 || run > 3 : run != 3) return false;
    first = false;
    run = 0;
  }
  return run == 3;
}

// The value of digits with these separators; '\0' stands for none. False when they do not fit.
bool read_value(const std::string& digits, char group, char decimal, double* value) {
  const size_t split = decimal == '\0' ? std::string::npos : digits.find(decimal);
  const std::string_view all = digits;
  const std::string_view whole = all.substr(0, std::min(split, all.size()));
  std::string plain;
  if (group != '\0' && !is_grouped(whole, group)) return false;
  for (const char c : whole) {
    if (is_digit(c)) {
      plain += c;
    } else if (c != group) {
      return false;
    }
  }
  if (split != std::string::npos) {
    plain += '.';
    plain += all.substr(split + 1);
  }
  return parse_number(plain, value) && std::isfinite(*value);
}

// One separator with three digits behind it and one to three in front, as thousands have it too.
bool may_group(const std::string& digits, size_t at) {
  return digits.size() - at == 4 && at >= 1 && at <= 3 && digits[0] != '0';
}

}  // namespace

NcuNumber parse_ncu_number(std::string_view text) {
  NcuNumber number;
  text = trimmed(text);
  // The mark of a value that the profiler has its doubts about.
  if (constexpr std::string_view kDoubt = "(!)"; text.starts_with(kDoubt)) {
    text = trimmed(text.substr(kDoubt.size()));
  }
  // The values of single units stand in brackets behind that of all.
  if (const size_t bracket = text.find(" ("); bracket != std::string_view::npos && bracket > 0) {
    if (text.back() == ')') text = trimmed(text.substr(0, bracket));
  }
  number.missing = is_missing(text);
  if (number.missing || text.size() > kDigitsMost) return number;
  if (text[0] == '-') {
    const std::string_view size = text.substr(1);
    number.negative = !size.empty() && is_digit(size[0]) && parse_ncu_number(size).valid;
    return number;
  }
  const std::string digits = with_plain_marks(text);
  const auto count = [&](char c) { return std::count(digits.begin(), digits.end(), c); };
  const auto points = count('.'), commas = count(','), marks = count('\'');
  const size_t point = digits.rfind('.'), comma = digits.rfind(',');
  char group = marks > 0 ? '\'' : '\0';
  char decimal = '\0';
  if (points > 0 && commas > 0) {
    decimal = point > comma ? '.' : ',';
    if (group != '\0' || (decimal == '.' ? points : commas) != 1) return number;
    group = decimal == '.' ? ',' : '.';
  } else if (points + commas == 1) {
    const size_t at = points == 1 ? point : comma;
    const char separator = digits[at];
    if (marks == 0 && may_group(digits, at)) {
      number.ambiguous = separator;
      number.valid = read_value(digits, ',', '.', &number.value) &&
                     read_value(digits, '.', ',', &number.otherwise);
      return number;
    }
    decimal = separator;
  } else if (points + commas > 1) {
    if (group != '\0') return number;
    group = points > 0 ? '.' : ',';
  }
  number.valid = !digits.empty() && is_digit(digits[0]) &&
                 read_value(digits, group, decimal, &number.value);
  if (!number.valid) return number;
  // Points between thousands are as good a sign of decimal commas as such a comma.
  if (decimal != '\0' || group == '.' || group == ',') {
    number.decimal = decimal != '\0' ? decimal : group == '.' ? ',' : '.';
  }
  return number;
}

bool is_unclear(const NcuNumber& number, const SeenSeparators& seen, bool whole) {
  if (number.ambiguous == '\0') return false;
  if (seen.comma) return true;
  if (seen.point) return false;
  return (number.ambiguous == ',') != whole;
}

}  // namespace netcl::roofline
