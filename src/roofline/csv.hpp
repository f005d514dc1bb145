// Reads CSV text as RFC 4180 has it, with output of other programs between its rows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace netcl::roofline {

using CsvRow = std::vector<std::string>;

class CsvReader {
 public:
  explicit CsvReader(std::string_view text) : text_(text) {}

  // The line that comes next, without its end; false at the end of the text.
  bool peek_line(std::string_view* line) const;
  void skip_line();
  // The row that begins here; quoted cells may hold commas and line ends. Fails with CORRUPT_DATA
  // when it has thousands of cells, or the text ends inside quotes.
  void read_row(CsvRow* row);
  // Of the line or row that was last taken or peeked at, from 1 on.
  size_t line() const noexcept { return line_; }

 private:
  void add_cell(CsvRow* row, std::string* cell) const;

  std::string_view text_;
  size_t at_ = 0;
  size_t next_line_ = 1;
  mutable size_t line_ = 1;
};

}  // namespace netcl::roofline
