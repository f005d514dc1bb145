// Numbers as Nsight Compute writes them: in the host's locale, with separators of thousands.
#pragma once

#include <string>
#include <string_view>

namespace netcl::roofline {

struct NcuNumber {
  bool missing = false;    // nothing was measured: "", "n/a", "no data"
  bool valid = false;      // a number that is not negative
  bool negative = false;   // not valid, and a number but for its sign
  char decimal = '\0';     // '.' or ',': what the digits show to be the decimal separator
  char ambiguous = '\0';   // '.' or ',': one of them with three digits behind, which may be either
  double value = 0.0;      // as people write it in English where it is ambiguous
  double otherwise = 0.0;  // the other reading of an ambiguous one
};

NcuNumber parse_ncu_number(std::string_view text);

// Which separators the numbers of a report show to be decimal ones.
struct SeenSeparators {
  bool point = false;
  bool comma = false;

  void add(const NcuNumber& number) noexcept {
    point = point || number.decimal == '.';
    comma = comma || number.decimal == ',';
  }
};

// Whether it cannot be told what an ambiguous number is. A `whole` one counts nanoseconds, which
// have no decimals; percentages and longer units have some, and no thousands.
bool is_unclear(const NcuNumber& number, const SeenSeparators& seen, bool whole);

}  // namespace netcl::roofline
