#include "roofline/ncu.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/error.hpp"
#include "core/log.hpp"
#include "core/number.hpp"
#include "core/time_unit.hpp"
#include "roofline/csv.hpp"
#include "roofline/ncu_number.hpp"

namespace netcl::roofline {

namespace {

constexpr size_t kLaunchesMost = size_t{1} << 20;
constexpr size_t kMessagesMost = 64;
constexpr size_t kNone = static_cast<size_t>(-1);

std::string quoted_text(std::string_view text) { return quoted(std::string(text).c_str(), 160); }

size_t column_of(const CsvRow& header, const char* name) {
  const auto found = std::find(header.begin(), header.end(), name);
  return found == header.end() ? kNone : static_cast<size_t>(found - header.begin());
}

bool is_blank(const CsvRow& row) {
  return std::all_of(row.begin(), row.end(), [](const std::string& cell) { return cell.empty(); });
}

constexpr const char* kColumns[] = {"ID",           "Process ID",  "Host Name",   "Kernel Name",
                                    "Section Name", "Metric Name", "Metric Unit", "Metric Value",
                                    "Average",      "Minimum",     "Maximum"};

// Where a header has what; kNone for what it lacks.
struct Columns {
  CsvRow header;
  size_t id, process, host, kernel, section, name, unit, value, low, high;
  bool is_long = false;
  bool is_summary = false;
  size_t launch_end = 0;  // in a summary the columns before this one tell what a row is about
  size_t last = 0;        // the last column that each row needs

  explicit Columns(CsvRow cells) : header(std::move(cells)) {
    id = column_of(header, "ID");
    process = column_of(header, "Process ID");
    host = column_of(header, "Host Name");
    kernel = column_of(header, "Kernel Name");
    section = column_of(header, "Section Name");
    name = column_of(header, "Metric Name");
    unit = column_of(header, "Metric Unit");
    value = column_of(header, "Metric Value");
    low = column_of(header, "Minimum");
    high = column_of(header, "Maximum");
    is_summary = value == kNone && name != kNone;
    if (is_summary) value = column_of(header, "Average");
    is_long = name != kNone && value != kNone && (is_summary || id != kNone);
    launch_end = std::min(section, name);
    if (is_long) last = std::max({name, value, is_summary ? 0 : id});
  }
  bool found() const { return is_long || (id != kNone && kernel != kNone && name == kNone); }
};

std::string cell_at(const CsvRow& row, size_t column) {
  return column < row.size() ? row[column] : std::string();
}

// What stands for a launch among the rows of a report. IDs count per process, processes per host.
std::string launch_key(const Columns& columns, const CsvRow& row) {
  if (!columns.is_summary) {
    return cell_at(row, columns.host) + '\n' + cell_at(row, columns.process) + '\n' +
           row[columns.id];
  }
  std::string key;
  for (size_t i = 0; i < columns.launch_end; ++i) key += cell_at(row, i) + '\n';
  return key;
}

// A value that counts, until all numbers have been seen.
struct Value {
  size_t launch;
  NamedMetric named;
  NcuNumber number;
  double nanoseconds;  // of one, for durations
  std::string shown;   // the metric's name in the report
  std::string text;
  size_t line;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : csv_(text) {}
  NcuReport read();

 private:
  bool read_message(std::string_view line);
  void read_header(std::string_view line);
  bool begin_header(const CsvRow& row);
  void read_long(const CsvRow& row, std::string_view line);
  void read_wide(const CsvRow& row, std::string_view line);
  size_t launch_of(const CsvRow& row, std::string_view line);
  size_t add_launch(const CsvRow& row);
  void enter(size_t launch, const std::string& name, const std::string& unit,
             const std::string& text);
  [[noreturn]] void refuse(std::string_view line, const std::string& why) const;
  [[noreturn]] void refuse_without_header() const;
  void refuse_more_cells(const CsvRow& row, std::string_view line) const;
  void check_twice(const Value& value) const;
  void settle();

  CsvReader csv_;
  NcuReport report_;
  std::optional<Columns> columns_;
  std::map<std::string, size_t> place_;  // of the launches below this header
  CsvRow units_;
  size_t first_launch_ = 0;  // of this header
  std::vector<Value> values_;
  std::map<std::pair<size_t, std::string>, size_t> entered_;  // which value a launch has by a name
  SeenSeparators seen_;
  std::string first_line_;
  size_t first_number_ = 0;
};

void Reader::refuse(std::string_view line, const std::string& why) const {
  fail(NETCL_ERROR_CORRUPT_DATA, "line %zu is %s: %s", csv_.line(), quoted_text(line).c_str(),
       why.c_str());
}

std::string joined(const std::vector<std::string>& messages) {
  std::string text;
  for (const std::string& message : messages) {
    if (text.size() > 400) break;
    text += (text.empty() ? "" : ", ") + quoted_text(message);
  }
  return text;
}

void Reader::refuse_without_header() const {
  if (!report_.messages.empty()) {
    fail(NETCL_ERROR_CORRUPT_DATA, "there is no report; the profiler says %s",
         joined(report_.messages).c_str());
  }
  if (first_number_ == 0) fail(NETCL_ERROR_CORRUPT_DATA, "the report is empty");
  fail(NETCL_ERROR_CORRUPT_DATA,
       "line %zu is %s, and no line has the columns of a report of ncu --csv: \"ID\" and "
       "\"Kernel Name\", or \"Metric Name\" and \"Metric Value\" or \"Average\"",
       first_number_, quoted_text(first_line_).c_str());
}

// Takes a line of the profiler itself. Errors come before warnings, which are many.
bool Reader::read_message(std::string_view line) {
  if (line.substr(0, 2) != "==") return false;
  std::vector<std::string>& messages = report_.messages;
  const bool error = line.substr(0, 9) == "==ERROR==";
  if (!error && line.substr(0, 11) != "==WARNING==") return true;
  if (messages.size() >= kMessagesMost) return true;
  const auto warning = std::find_if(messages.begin(), messages.end(), [](const std::string& one) {
    return one.compare(0, 9, "==ERROR==") != 0;
  });
  messages.insert(error ? warning : messages.end(), std::string(line));
  return true;
}

// Before the first header stands output of the profiled program, which need not be CSV.
void Reader::read_header(std::string_view line) {
  if (first_number_ == 0 && !line.empty()) {
    first_line_ = std::string(line);
    first_number_ = csv_.line();
  }
  if (line.find("Kernel Name") == line.npos && line.find("Metric Name") == line.npos) return;
  CsvRow row;
  CsvReader(line).read_row(&row);
  begin_header(row);
}

// True when the row is the header of what follows.
bool Reader::begin_header(const CsvRow& row) {
  if (column_of(row, "Kernel Name") == kNone && column_of(row, "Metric Name") == kNone) {
    return false;
  }
  Columns columns(row);
  if (!columns.found()) return false;
  for (const char* name : kColumns) {
    if (std::count(row.begin(), row.end(), name) < 2) continue;
    fail(NETCL_ERROR_CORRUPT_DATA, "line %zu has two columns \"%s\"", csv_.line(), name);
  }
  columns_.emplace(std::move(columns));
  place_.clear();
  units_.clear();
  first_launch_ = report_.launches.size();
  return true;
}

size_t Reader::add_launch(const CsvRow& row) {
  if (report_.launches.size() >= kLaunchesMost) {
    fail(NETCL_ERROR_CORRUPT_DATA, "line %zu: more than %zu launches", csv_.line(), kLaunchesMost);
  }
  report_.launches.push_back({cell_at(row, columns_->kernel), {}});
  return report_.launches.size() - 1;
}

void Reader::enter(size_t launch, const std::string& name, const std::string& unit,
                   const std::string& text) {
  const NcuNumber number = parse_ncu_number(text);
  if (number.valid) seen_.add(number);
  const std::optional<NamedMetric> found = find_metric(name, unit);
  if (!found || number.missing) return;
  const Metric metric = found->metric;
  Value value{launch, *found, number, 1.0, name, text, csv_.line()};
  if (!number.valid) {
    fail(NETCL_ERROR_CORRUPT_DATA, "line %zu: %s is %s, which is %s", value.line, name.c_str(),
         quoted_text(text).c_str(), number.negative ? "negative" : "no number");
  }
  if (metric == Metric::duration && !unit.empty()) value.nanoseconds = nanoseconds_per(unit);
  if (metric != Metric::duration && !unit.empty() && unit != "%") {
    fail(NETCL_ERROR_CORRUPT_DATA, "line %zu: %s has the unit %s, which is no percentage",
         value.line, name.c_str(), quoted_text(unit).c_str());
  }
  if (value.nanoseconds == 0.0) {
    fail(NETCL_ERROR_CORRUPT_DATA, "line %zu: %s has the unit %s, which is none of time",
         value.line, name.c_str(), quoted_text(unit).c_str());
  }
  check_twice(value);
  entered_.emplace(std::pair(launch, name), values_.size());
  values_.push_back(std::move(value));
}

// Two values of one launch are two launches that something made look like one.
void Reader::check_twice(const Value& value) const {
  const auto found = entered_.find(std::pair(value.launch, value.shown));
  if (found == entered_.end()) return;
  const Value& other = values_[found->second];
  const double a = other.number.value * other.nanoseconds;
  const double b = value.number.value * value.nanoseconds;
  if (std::abs(a - b) <= 0.01 * std::max(a, b)) return;
  fail(NETCL_ERROR_CORRUPT_DATA,
       "line %zu: %s is %s, while the same launch of the same process has %s in line %zu",
       value.line, value.shown.c_str(), quoted_text(value.text).c_str(),
       quoted_text(other.text).c_str(), other.line);
}

// A number with a comma that is not quoted would shift what is behind it.
void Reader::refuse_more_cells(const CsvRow& row, std::string_view line) const {
  const size_t columns = columns_->header.size();
  for (size_t i = columns; i < row.size(); ++i) {
    if (row[i].empty()) continue;
    refuse(line, format("it has %zu cells; the header has %zu", row.size(), columns));
  }
}

// The launch that a row is about.
size_t Reader::launch_of(const CsvRow& row, std::string_view line) {
  const auto [found, added] = place_.emplace(launch_key(*columns_, row), report_.launches.size());
  if (added) return add_launch(row);
  const std::string& kernel = report_.launches[found->second].kernel;
  if (kernel != cell_at(row, columns_->kernel)) {
    refuse(line, "the launch of its ID runs " + quoted_text(kernel));
  }
  return found->second;
}

// A row per metric. Rows of rules have no metric; rows of metrics may end before the rules' cells.
void Reader::read_long(const CsvRow& row, std::string_view line) {
  const Columns& columns = *columns_;
  if (row.size() <= columns.last) {
    refuse(line, format("it has %zu cells; %s is cell %zu of the header", row.size(),
                        quoted_text(columns.header[columns.last]).c_str(), columns.last + 1));
  }
  if (!columns.is_summary && row[columns.id].empty()) refuse(line, "it has no ID");
  const size_t launch = launch_of(row, line);
  const std::string& name = row[columns.name];
  if (name.empty()) return;
  refuse_more_cells(row, line);
  for (const size_t other : {columns.low, columns.high}) {
    if (const NcuNumber number = parse_ncu_number(cell_at(row, other)); number.valid) {
      seen_.add(number);
    }
  }
  enter(launch, name, cell_at(row, columns.unit), row[columns.value]);
}

// A column per metric. The row of units is the one without an ID, in front of the launches.
void Reader::read_wide(const CsvRow& row, std::string_view line) {
  const Columns& columns = *columns_;
  if (row.size() < columns.header.size()) {
    refuse(line, format("it has %zu cells; the header has %zu", row.size(), columns.header.size()));
  }
  if (row[columns.id].empty()) {
    const bool first = report_.launches.size() == first_launch_ && units_.empty();
    if (!first) refuse(line, "it has no ID");
    units_ = row;
    return;
  }
  refuse_more_cells(row, line);
  const size_t launch = launch_of(row, line);
  for (size_t c = 0; c < columns.header.size(); ++c) {
    // What tells launches apart has numbers too, which are written otherwise.
    if (columns.header[c].find("__") == std::string::npos) continue;
    enter(launch, columns.header[c], cell_at(units_, c), row[c]);
  }
}

// All numbers have been seen, so it is known how they are written.
void Reader::settle() {
  for (const Value& value : values_) {
    const bool whole = value.named.metric == Metric::duration && value.nanoseconds == 1.0;
    if (is_unclear(value.number, seen_, whole)) {
      fail(NETCL_ERROR_CORRUPT_DATA,
           "line %zu: %s is %s, which can be %s or %s: %s; write the report with LC_ALL=C",
           value.line, value.shown.c_str(), quoted_text(value.text).c_str(),
           number_text(value.number.value).c_str(), number_text(value.number.otherwise).c_str(),
           seen_.comma ? "other numbers have decimal commas" : "no other number tells which");
    }
  }
  std::stable_sort(values_.begin(), values_.end(),
                   [](const Value& a, const Value& b) { return a.named.rank > b.named.rank; });
  for (const Value& value : values_) {
    report_.launches[value.launch].metrics.set(value.named.metric,
                                               value.number.value * value.nanoseconds);
  }
}

NcuReport Reader::read() {
  std::string_view line;
  CsvRow row;
  while (csv_.peek_line(&line)) {
    if (read_message(line)) {
      csv_.skip_line();
      continue;
    }
    if (!columns_) {
      read_header(line);
      csv_.skip_line();
      continue;
    }
    csv_.read_row(&row);
    if (is_blank(row)) continue;
    // Reports that were put one behind the other have a header each.
    if (begin_header(row)) continue;
    if (columns_->is_long) {
      read_long(row, line);
    } else {
      read_wide(row, line);
    }
  }
  if (!columns_) refuse_without_header();
  settle();
  return std::move(report_);
}

}  // namespace

NcuReport read_ncu(std::string_view text) {
  if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);
  if (text.substr(0, 2) == "\xff\xfe" || text.substr(0, 2) == "\xfe\xff") {
    fail(NETCL_ERROR_CORRUPT_DATA, "line 1: the report is UTF-16; write it as UTF-8");
  }
  return Reader(text).read();
}

ChosenLaunch choose_launch(const NcuReport& report, const netcl_ncu_options& options) {
  std::vector<const NcuLaunch*> matching;
  std::string names;
  for (const NcuLaunch& launch : report.launches) {
    const bool all = options.kernel == nullptr;
    if (all || (options.exact != 0 ? launch.kernel == options.kernel
                                   : launch.kernel.find(options.kernel) != std::string::npos)) {
      matching.push_back(&launch);
    }
    if (names.size() < 300 && names.find(launch.kernel) == std::string::npos) {
      names += (names.empty() ? "" : ", ") + launch.kernel;
    }
  }
  if (matching.empty()) {
    const std::string said = joined(report.messages);
    fail(NETCL_ERROR_NOT_FOUND, "no launch matches %s; the report has %s%s%s",
         options.kernel == nullptr ? "any kernel" : quoted(options.kernel).c_str(),
         names.empty() ? "none" : names.c_str(), said.empty() ? "" : "; the profiler says ",
         said.c_str());
  }
  const auto chosen = [&](const NcuLaunch* launch, size_t place) {
    return ChosenLaunch{launch, static_cast<uint32_t>(place),
                        static_cast<uint32_t>(matching.size())};
  };
  const size_t last = matching.size() - 1;
  if (options.policy == NETCL_NCU_FIRST) return chosen(matching[0], 0);
  if (options.policy == NETCL_NCU_LAST) return chosen(matching[last], last);
  const auto weight = [](const NcuLaunch* launch) {
    const double time_ns = launch->metrics.time_ns();
    return time_ns > 0.0 ? time_ns : launch->metrics[Metric::compute].value_or(0.0);
  };
  std::vector<size_t> order(matching.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return weight(matching[a]) < weight(matching[b]); });
  const size_t place = options.policy == NETCL_NCU_LONGEST ? order[last] : order[last / 2];
  return chosen(matching[place], place);
}

void analyze_ncu(const Analyzer& analyzer, std::string_view text, const netcl_ncu_options& options,
                 netcl_roofline_result* result) {
  const NcuReport report = read_ncu(text);
  const ChosenLaunch chosen = choose_launch(report, options);
  analyzer.analyze(chosen.launch->metrics, result);
  result->launches_count = chosen.count;
  result->launch = chosen.place;
  copy_line(result->kernel, sizeof result->kernel, chosen.launch->kernel.c_str());
  if (result->bottleneck == NETCL_BOTTLENECK_UNKNOWN) {
    add_warning(result, "Collect them with ncu --section SpeedOfLight or --set full");
  }
  for (const std::string& message : report.messages) {
    add_warning(result, ("NCU says " + quoted_text(message)).c_str());
  }
}

}  // namespace netcl::roofline
