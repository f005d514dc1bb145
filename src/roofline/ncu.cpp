#include "roofline/ncu.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "core/error.hpp"

namespace netcl::roofline {

namespace {

constexpr char kDuration[] = "gpu__time_duration.sum";
constexpr size_t kColumnsMost = 4096;
constexpr size_t kRowsMost = size_t{1} << 20;

using Row = std::vector<std::string>;

// Splits CSV text into rows as RFC 4180 has it; quoted cells may hold commas and line ends.
class CsvReader {
 public:
  explicit CsvReader(std::string_view text) : text_(text) {}
  size_t line() const noexcept { return row_line_; }

  bool next(Row* row) {
    row->clear();
    if (at_ >= text_.size()) return false;
    row_line_ = line_;
    std::string cell;
    bool quoted = false;
    for (;; ++at_) {
      if (at_ >= text_.size()) break;
      const char c = text_[at_];
      if (c == '\n') ++line_;
      if (quoted) {
        if (c != '"') {
          cell += c;
        } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
          cell += '"';
          ++at_;
        } else {
          quoted = false;
        }
      } else if (c == '"' && cell.empty()) {
        quoted = true;
      } else if (c == ',') {
        add(row, &cell);
      } else if (c == '\n') {
        ++at_;
        break;
      } else if (c != '\r') {
        cell += c;
      }
    }
    add(row, &cell);
    return true;
  }

 private:
  void add(Row* row, std::string* cell) {
    if (row->size() >= kColumnsMost) {
      fail(NETCL_ERROR_CORRUPT_DATA, "line %zu has more than %zu cells", row_line_, kColumnsMost);
    }
    row->push_back(std::move(*cell));
    cell->clear();
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t line_ = 1;
  size_t row_line_ = 1;
};

size_t column_of(const Row& header, const char* name) {
  return static_cast<size_t>(std::find(header.begin(), header.end(), name) - header.begin());
}

// Reports put these in front of some names.
std::string metric_name(const std::string& column) {
  for (const char* prefix : {"breakdown:", "group:"}) {
    if (column.rfind(prefix, 0) == 0) return column.substr(std::char_traits<char>::length(prefix));
  }
  return column;
}

double nanoseconds_per(const std::string& unit) {
  if (unit == "us" || unit == "usecond") return 1e3;
  if (unit == "ms" || unit == "msecond") return 1e6;
  if (unit == "s" || unit == "second") return 1e9;
  return 1.0;
}

void enter(NcuLaunch* launch, const std::string& name, const std::string& unit,
           const std::string& cell) {
  double value;
  if (!parse_ncu_number(cell, &value)) return;
  if (name == kDuration) launch->metrics.time_ns = value * nanoseconds_per(unit);
  launch->metrics.set(name, value);
}

// The details page has names for people instead, unless it was told otherwise.
std::string name_of_metric(const std::string& shown, const std::string& unit) {
  static constexpr struct {
    const char* shown;
    const char* unit;  // one name stands for a share in one section and for a rate in another
    const char* name;
  } kNames[] = {{"Compute (SM) Throughput", "%", kComputeMetric},
                {"Compute (SM) [%]", "", kComputeMetric},
                {"SM [%]", "", kComputeMetric},
                {"Memory Throughput", "%", kMemoryMetric},
                {"Memory [%]", "", kMemoryMetric},
                {"Duration", "", kDuration}};
  for (const auto& one : kNames) {
    if (shown == one.shown && (one.unit[0] == '\0' || unit == one.unit)) return one.name;
  }
  return metric_name(shown);
}

bool is_profiler_output(const Row& row) { return row[0].rfind("==", 0) == 0; }

// The first row whose cells hold both names is the header; what stands before it is output of the
// profiled program and of the profiler itself.
Row find_header(CsvReader* reader) {
  Row row;
  while (reader->next(&row)) {
    if (column_of(row, "ID") < row.size() && column_of(row, "Kernel Name") < row.size()) return row;
    for (const std::string& cell : row) {
      if (cell.find("ERR_NVGPUCTRPERM") != std::string::npos) {
        fail(NETCL_ERROR_CORRUPT_DATA,
             "line %zu says ERR_NVGPUCTRPERM: the profiler had no permission to read counters",
             reader->line());
      }
    }
  }
  fail(NETCL_ERROR_CORRUPT_DATA,
       "no line has the columns \"ID\" and \"Kernel Name\" of an NCU report");
}

std::vector<NcuLaunch> read_long(CsvReader* reader, const Row& header) {
  const size_t id = column_of(header, "ID");
  const size_t kernel = column_of(header, "Kernel Name");
  const size_t name = column_of(header, "Metric Name");
  const size_t unit = column_of(header, "Metric Unit");
  const size_t value = column_of(header, "Metric Value");
  std::vector<NcuLaunch> launches;
  std::map<std::string, size_t> place;
  Row row;
  while (reader->next(&row)) {
    if (row.size() < header.size() || row[id].empty()) continue;
    const auto [found, added] = place.emplace(row[id], launches.size());
    if (added) launches.push_back({row[id], row[kernel], {}});
    // Rows of rules have no metric.
    if (row[name].empty()) continue;
    const std::string in = unit < row.size() ? row[unit] : std::string();
    enter(&launches[found->second], name_of_metric(row[name], in), in, row[value]);
  }
  return launches;
}

std::vector<NcuLaunch> read_wide(CsvReader* reader, const Row& header) {
  const size_t id = column_of(header, "ID");
  const size_t kernel = column_of(header, "Kernel Name");
  std::vector<NcuLaunch> launches;
  Row units(header.size());
  Row row;
  while (reader->next(&row)) {
    if ((row.size() == 1 && row[0].empty()) || is_profiler_output(row)) continue;
    if (row.size() < header.size()) {
      fail(NETCL_ERROR_CORRUPT_DATA, "line %zu has %zu cells; the header has %zu", reader->line(),
           row.size(), header.size());
    }
    // The row of units is the one without an id, in front of the launches.
    if (row[id].empty()) {
      if (launches.empty()) units = row;
      continue;
    }
    if (launches.size() >= kRowsMost) {
      fail(NETCL_ERROR_CORRUPT_DATA, "line %zu: more than %zu launches", reader->line(), kRowsMost);
    }
    launches.push_back({row[id], row[kernel], {}});
    for (size_t c = 0; c < header.size(); ++c) {
      if (c != id && c != kernel) {
        enter(&launches.back(), metric_name(header[c]), units[c], row[c]);
      }
    }
  }
  return launches;
}

}  // namespace

bool parse_ncu_number(std::string_view text, double* value) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  if (text.empty()) return false;
  const size_t commas = static_cast<size_t>(std::count(text.begin(), text.end(), ','));
  const size_t points = static_cast<size_t>(std::count(text.begin(), text.end(), '.'));
  // The separator that comes last, once, is the decimal one, unless exactly three digits follow a
  // lone comma: "53,261" counts thousands in every report seen so far.
  char decimal = '.';
  const size_t last_comma = text.rfind(',');
  const size_t last_point = text.rfind('.');
  if (commas == 1 && points != 1) {
    if (points > 1 || text.size() - last_comma != 4) decimal = ',';
  } else if (commas == 1 && points == 1 && last_comma > last_point) {
    decimal = ',';
  } else if (points > 1) {
    decimal = commas == 1 ? ',' : '\0';
  }
  std::string plain;
  for (const char c : text) {
    if (c == decimal) {
      plain += '.';
    } else if (c != ',' && c != '.') {
      plain += c;
    }
  }
  double parsed;
  const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), parsed);
  if (error != std::errc() || end != plain.data() + plain.size() || !std::isfinite(parsed)) {
    return false;
  }
  *value = parsed;
  return true;
}

std::vector<NcuLaunch> read_ncu(std::string_view text) {
  if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);
  CsvReader reader(text);
  const Row header = find_header(&reader);
  const bool is_long = column_of(header, "Metric Name") < header.size() &&
                       column_of(header, "Metric Value") < header.size();
  return is_long ? read_long(&reader, header) : read_wide(&reader, header);
}

const NcuLaunch& choose_launch(const std::vector<NcuLaunch>& launches,
                               const netcl_ncu_options& options) {
  std::vector<const NcuLaunch*> matching;
  std::string names;
  for (const NcuLaunch& launch : launches) {
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
    fail(NETCL_ERROR_NOT_FOUND, "no launch matches %s; the report has %s",
         options.kernel == nullptr ? "any kernel" : quoted(options.kernel).c_str(),
         names.empty() ? "none" : names.c_str());
  }
  if (options.policy == NETCL_NCU_FIRST) return *matching.front();
  if (options.policy == NETCL_NCU_LAST) return *matching.back();
  const auto weight = [](const NcuLaunch* launch) {
    return launch->metrics.time_ns > 0.0 ? launch->metrics.time_ns
                                         : launch->metrics.compute.value_or(0.0);
  };
  std::stable_sort(matching.begin(), matching.end(),
                   [&](const NcuLaunch* a, const NcuLaunch* b) { return weight(a) < weight(b); });
  return options.policy == NETCL_NCU_LONGEST ? *matching.back()
                                             : *matching[(matching.size() - 1) / 2];
}

}  // namespace netcl::roofline
