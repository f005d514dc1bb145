#include "roofline/csv.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace netcl::roofline {

namespace {

constexpr size_t kColumnsMost = 4096;

}  // namespace

bool CsvReader::peek_line(std::string_view* line) const {
  if (at_ >= text_.size()) return false;
  line_ = next_line_;
  *line = text_.substr(at_, std::min(text_.find('\n', at_), text_.size()) - at_);
  if (!line->empty() && line->back() == '\r') line->remove_suffix(1);
  return true;
}

void CsvReader::skip_line() {
  at_ = std::min(text_.find('\n', at_), text_.size());
  if (at_ < text_.size()) ++at_;
  line_ = next_line_++;
}

void CsvReader::add_cell(CsvRow* row, std::string* cell) const {
  if (row->size() >= kColumnsMost) {
    fail(NETCL_ERROR_CORRUPT_DATA, "line %zu has more than %zu cells", line_, kColumnsMost);
  }
  row->push_back(std::move(*cell));
  cell->clear();
}

void CsvReader::read_row(CsvRow* row) {
  row->clear();
  line_ = next_line_;
  std::string cell;
  bool in_quotes = false;
  const size_t start = at_;
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (c == '\n') ++next_line_;
    if (in_quotes) {
      if (c != '"') {
        cell += c;
      } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
        cell += '"';
        ++at_;
      } else {
        in_quotes = false;
      }
    } else if (c == '"' && cell.empty()) {
      in_quotes = true;
    } else if (c == ',') {
      add_cell(row, &cell);
    } else if (c == '\n') {
      ++at_;
      break;
    } else if (c != '\r') {
      cell += c;
    }
  }
  if (in_quotes) {
    const std::string_view line = text_.substr(start, text_.find('\n', start) - start);
    fail(NETCL_ERROR_CORRUPT_DATA, "line %zu is %s: a quote is open where the text ends", line_,
         quoted(std::string(line).c_str(), 160).c_str());
  }
  add_cell(row, &cell);
}

}  // namespace netcl::roofline
